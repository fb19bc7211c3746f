// par2, par2_small, break_even: one world of n movers, on one worker and on two.
#include "rows.h"
#include "swarm.h"

#include <math.h>
#include <stdio.h>

static void *create(uint32_t n, uint32_t worker_count, cosm_split split) {
    return swarm_full(&(struct swarm_desc){
        .world_count = 1, .world_rows = n, .worker_count = worker_count, .split = split});
}

static void *create_1(uint32_t n) {
    return create(n, 1, COSM_SPLIT_AUTO);
}

static void *create_2(uint32_t n) {
    return create(n, 2, COSM_SPLIT_AUTO);
}

static void *create_2_serial(uint32_t n) {
    return create(n, 2, COSM_SPLIT_NONE);
}

static void *create_2_chunks(uint32_t n) {
    return create(n, 2, COSM_SPLIT_CHUNKS);
}

// Where one way of using two threads begins to win.
struct crossing {
    double from;  // rows from which on it has won so far; 0: the last line lost
    double n;     // of the last line; 0: there was none
    double ratio; // of the last line
};

// Between two lines the ratio is taken to change evenly with the logarithm of n.
static void cross(struct crossing *crossing, double n, double ratio) {
    if (ratio >= 1) {
        crossing->from = 0;
    } else if (crossing->from == 0) {
        crossing->from = n;
        if (crossing->n > 0) {
            double part = (crossing->ratio - 1) / (crossing->ratio - ratio);
            crossing->from = crossing->n * pow(n / crossing->n, part);
        }
    }
    crossing->n = n;
    crossing->ratio = ratio;
}

static void print_crossing(const char *way, const struct crossing *crossing) {
    if (crossing->from == 0) {
        printf("break_even: %s: two threads do not win at %.0f rows\n", way, crossing->n);
    } else {
        printf("break_even: %s: two threads win from about %.0f rows on\n", way, crossing->from);
    }
}

void break_even_after(const struct bench_row *row, struct bench_result result) {
    static struct crossing chunks;
    static struct crossing chosen;
    static struct crossing by_hand;
    struct crossing *crossing = row->cosm == &break_even_chunks ? &chunks
                                : row->cosm == &break_even_auto ? &chosen
                                                                : &by_hand;
    cross(crossing, row->n, result.cosm / result.limit);
    const struct bench_row *next = row + 1;
    if (next == bench_rows + bench_row_count || next->after != break_even_after) {
        print_crossing("chunks", &chunks);
        print_crossing("auto", &chosen);
        print_crossing("by hand", &by_hand);
    }
}

const struct bench_side par1_cosm = {
    create_1, NULL, swarm_side_run, swarm_side_checksum, swarm_side_destroy, NULL,
};

const struct bench_side par2_cosm = {
    create_2, NULL, swarm_side_run, swarm_side_checksum, swarm_side_destroy, NULL,
};

const struct bench_side break_even_serial = {
    create_2_serial, NULL, swarm_side_run, swarm_side_checksum, swarm_side_destroy, NULL,
};

const struct bench_side break_even_chunks = {
    create_2_chunks, NULL, swarm_side_run, swarm_side_checksum, swarm_side_destroy, NULL,
};

const struct bench_side break_even_auto = {
    create_2, NULL, swarm_side_run, swarm_side_checksum, swarm_side_destroy, NULL,
};
