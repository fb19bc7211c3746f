// iter2 in plain C: two arrays, one loop.
#include "limit.h"
#include "rows.h"

#include <stdlib.h>

static void *create(uint32_t n) {
    struct limit_movers *movers = bench_alloc(1, sizeof *movers);
    limit_movers_create(movers, n);
    limit_movers_fill(movers, n);
    return movers;
}

static void run(void *state, uint32_t times) {
    struct limit_movers *movers = state;
    for (uint32_t i = 0; i < times; i++) {
        work_move(movers->position, movers->velocity, movers->count, WORK_DT);
        BENCH_BARRIER();
    }
}

static uint64_t checksum(void *state) {
    return limit_movers_hash(state);
}

static void destroy(void *state) {
    limit_movers_destroy(state);
    free(state);
}

const struct bench_side iter2_limit = {
    .create = create,
    .run = run,
    .checksum = checksum,
    .destroy = destroy,
};
