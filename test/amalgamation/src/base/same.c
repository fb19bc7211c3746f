// One of two sources of the same stem.
#include <cosm/cosm.h>
#include <string.h>

#include "base/pair.h"
#include "base/twice.h"

#define SIZE 3

enum mode { MODE_OFF, MODE_ON = 5 };

typedef int clear_fn(int number);

struct state {
    int total;
    clear_fn *clear; // not the function
    int values[SIZE];
};

int cosmi_calls;

static int total = 1;

static int clear(int number) {
    return twice(number) + total;
}

static const struct {
    const char *text;
    int total;
} table[] = {{"clear total SIZE", 1}};

int cosmi_pair_sum(const struct pair *pair) {
    return pair->clear + pair->total;
}

int cosm_first(void) {
    struct pair pair = {.clear = 7, .total = total};
    struct state state = {.clear = clear, .total = MODE_ON, .values = {'"', '\'', SIZE}};
    enum mode mode = state.total == 5 ? MODE_ON : MODE_OFF;
    cosmi_calls++;
    total++;
    return cosmi_pair_sum(&pair) + state.clear(100) + (int)mode + state.values[SIZE - 1] +
           (int)strlen(table[0].text) + table[0].total + cosmi_calls;
}
