// par2 in plain C: two arrays, two threads, half of the rows each.
//
// The halves are the same every time: each core keeps its rows in its own caches.
#include "limit.h"
#include "pair.h"
#include "rows.h"

#include <stdlib.h>

struct halves {
    struct limit_movers movers;
    struct pair *pair;
    uint32_t middle; // a multiple of 16 rows: 192 bytes, so no cache line is in both halves
};

static void move_half(void *context, uint32_t half) {
    struct halves *halves = context;
    const struct limit_movers *movers = &halves->movers;
    uint32_t first = half == 0 ? 0 : halves->middle;
    uint32_t end = half == 0 ? halves->middle : movers->count;
    work_move(movers->position + first, movers->velocity + first, end - first, WORK_DT);
}

static void *create(uint32_t n) {
    struct halves *halves = bench_alloc(1, sizeof *halves);
    limit_movers_create(&halves->movers, n);
    limit_movers_fill(&halves->movers, n);
    halves->middle = n / 2 / 16 * 16;
    halves->pair = pair_create(move_half, halves);
    return halves;
}

static void run(void *state, uint32_t times) {
    struct halves *halves = state;
    for (uint32_t i = 0; i < times; i++) {
        pair_run(halves->pair);
        BENCH_BARRIER();
    }
}

static uint64_t checksum(void *state) {
    struct halves *halves = state;
    return limit_movers_hash(&halves->movers);
}

static void destroy(void *state) {
    struct halves *halves = state;
    pair_destroy(halves->pair);
    limit_movers_destroy(&halves->movers);
    free(halves);
}

const struct bench_side par2_limit = {create, NULL, run, checksum, destroy, NULL};
