// snap_1pct and restore_1pct in plain C: all arrays copied, there or back.
#include "limit.h"
#include "rows.h"

#include <stdlib.h>
#include <string.h>

struct copies {
    struct limit_movers now;
    struct limit_movers kept;
};

static void copy_movers(struct limit_movers *target, const struct limit_movers *source) {
    memcpy(target->position, source->position, source->count * sizeof *source->position);
    memcpy(target->velocity, source->velocity, source->count * sizeof *source->velocity);
    memcpy(target->ids, source->ids, source->count * sizeof *source->ids);
    memcpy(target->records, source->records, source->id_count * sizeof *source->records);
    target->count = source->count;
    target->id_count = source->id_count;
    target->free_head = source->free_head;
}

static void *create(uint32_t n) {
    struct copies *copies = bench_alloc(1, sizeof *copies);
    limit_movers_create(&copies->now, n);
    limit_movers_fill(&copies->now, n);
    limit_movers_create(&copies->kept, n);
    copy_movers(&copies->kept, &copies->now);
    return copies;
}

static void change_some(struct limit_movers *movers) {
    for (uint32_t row = 0; row < movers->count; row += WORK_CHANGE_ROWS * WORK_CHANGE_APART) {
        movers->velocity[row].x = -movers->velocity[row].x;
        movers->position[row].x += 1.0f;
    }
}

static void run_snap(void *state, uint32_t times) {
    struct copies *copies = state;
    for (uint32_t i = 0; i < times; i++) {
        change_some(&copies->now);
        copy_movers(&copies->kept, &copies->now);
        BENCH_BARRIER();
    }
}

static void run_restore(void *state, uint32_t times) {
    struct copies *copies = state;
    for (uint32_t i = 0; i < times; i++) {
        change_some(&copies->now);
        copy_movers(&copies->now, &copies->kept);
        BENCH_BARRIER();
    }
}

static uint64_t checksum(void *state) {
    return limit_movers_hash(&((struct copies *)state)->now);
}

static void destroy(void *state) {
    struct copies *copies = state;
    limit_movers_destroy(&copies->now);
    limit_movers_destroy(&copies->kept);
    free(copies);
}

static uint64_t no_checksum(void *state) {
    (void)state;
    return 0;
}

// snap_worlds: the arrays of all worlds at once.
const struct bench_side snap_worlds_limit = {create, NULL, run_snap, no_checksum, destroy, NULL};

const struct bench_side snap_1pct_limit = {create, NULL, run_snap, checksum, destroy, NULL};
const struct bench_side restore_1pct_limit = {create, NULL, run_restore, checksum, destroy, NULL};
