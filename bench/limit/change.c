// change_walk in plain C: somebody already knows which rows to go over.
#include "limit.h"
#include "rows.h"

#include <stdlib.h>

static void move_some(struct limit_movers *movers) {
    for (uint32_t row = 0; row < movers->count; row += WORK_CHANGE_ROWS * WORK_CHANGE_APART) {
        movers->velocity[row].x = -movers->velocity[row].x;
    }
    for (uint32_t row = 0; row < movers->count; row += WORK_CHANGE_ROWS * WORK_CHANGE_APART) {
        work_move(movers->position + row, movers->velocity + row, WORK_CHANGE_ROWS, WORK_DT);
    }
}

static void *create(uint32_t n) {
    struct limit_movers *movers = bench_alloc(1, sizeof *movers);
    limit_movers_create(movers, n * WORK_CHANGE_APART);
    limit_movers_fill(movers, n * WORK_CHANGE_APART);
    // The first look of a reader shows everything.
    work_move(movers->position, movers->velocity, movers->count, WORK_DT);
    return movers;
}

static void run(void *state, uint32_t times) {
    for (uint32_t i = 0; i < times; i++) {
        move_some(state);
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

const struct bench_side change_walk_limit = {
    .create = create,
    .run = run,
    .checksum = checksum,
    .destroy = destroy,
};
