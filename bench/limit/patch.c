// patch_create and patch_apply in plain C: the chunks that changed, copied by somebody who knows
// them.
#include "limit.h"
#include "rows.h"

#include <stdlib.h>
#include <string.h>

struct copies {
    struct limit_movers now;
    Position *position; // of the changed chunks, one behind the other
    Velocity *velocity;
};

static void *create(uint32_t n) {
    struct copies *copies = bench_alloc(1, sizeof *copies);
    limit_movers_create(&copies->now, n * WORK_CHANGE_APART);
    limit_movers_fill(&copies->now, n * WORK_CHANGE_APART);
    copies->position = bench_alloc(n, sizeof *copies->position);
    copies->velocity = bench_alloc(n, sizeof *copies->velocity);
    return copies;
}

static void run(void *state, uint32_t times) {
    struct copies *copies = state;
    for (uint32_t i = 0; i < times; i++) {
        uint32_t at = 0;
        for (uint32_t row = 0; row < copies->now.count;
             row += WORK_CHANGE_ROWS * WORK_CHANGE_APART) {
            memcpy(copies->position + at, copies->now.position + row,
                   WORK_CHANGE_ROWS * sizeof *copies->position);
            memcpy(copies->velocity + at, copies->now.velocity + row,
                   WORK_CHANGE_ROWS * sizeof *copies->velocity);
            at += WORK_CHANGE_ROWS;
        }
        BENCH_BARRIER();
    }
}

static uint64_t checksum(void *state) {
    (void)state;
    return 0;
}

static void destroy(void *state) {
    struct copies *copies = state;
    limit_movers_destroy(&copies->now);
    free(copies->position);
    free(copies->velocity);
    free(copies);
}

const struct bench_side patch_limit = {create, NULL, run, checksum, destroy, NULL};
