// The other one. Nothing that is its own is what it is in base/same.c.
#include <cosm/cosm.h>

#include "base/pair.h"

#define SIZE 30
#define STEP 7

enum mode { MODE_ON = 11, MODE_OFF };

typedef long clear_fn(long number);

struct state {
    long clear;
    struct state *next;
    char text[SIZE];
};

static long total = 1000;

static int twice(int number) {
    return number + number + STEP;
}

static long clear(long number) {
    return number * SIZE;
}

int cosm_second(void) {
    struct pair pair = {.total = 70, .clear = 1};
    struct state last = {.clear = 2, .text = "clear \"twice\" SIZE"};
    struct state state = {.clear = clear(3), .next = &last};
    clear_fn *function = clear;
    cosmi_calls++;
    total += MODE_ON;
    return cosmi_pair_sum(&pair) + (int)state.next->clear + (int)function(total) + twice(1) +
           (int)sizeof last.text + last.text[7] + MODE_OFF + cosmi_calls;
}
