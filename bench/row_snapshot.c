// snap_1pct, restore_1pct, snap_ready: snapshots where one chunk in a hundred has changed, and what
// being ready for them costs a step.
#include "fixture.h"
#include "rows.h"
#include "swarm.h"

#include <stdlib.h>

struct past {
    struct fixture *fixture;
    cosm_snapshot *kept;
};

static void *create(uint32_t n) {
    struct past *past = bench_alloc(1, sizeof *past);
    past->fixture = fixture_create(n);
    fixture_spawn_bulk(past->fixture);
    past->kept = cosm_snapshot_create(past->fixture->worlds);
    bench_need(past->kept != NULL, "snapshot");
    return past;
}

// Writes to both columns of one chunk in a hundred.
static void change_some(struct fixture *fixture) {
    for (uint32_t row = 0; row < fixture->n; row += WORK_CHANGE_ROWS * WORK_CHANGE_APART) {
        cosm_loc loc = {fixture->mover.id, row};
        Velocity *velocity = cosm_loc_write(fixture->world, loc, fixture->velocity);
        velocity->x = -velocity->x;
        Position *position = cosm_loc_write(fixture->world, loc, fixture->position);
        position->x += 1.0f;
    }
}

static void run_snap(void *state, uint32_t times) {
    struct past *past = state;
    for (uint32_t i = 0; i < times; i++) {
        change_some(past->fixture);
        cosm_snapshot *next = cosm_snapshot_create(past->fixture->worlds);
        bench_need(next != NULL, "snapshot");
        cosm_snapshot_destroy(past->kept);
        past->kept = next;
        BENCH_BARRIER();
    }
}

static void run_restore(void *state, uint32_t times) {
    struct past *past = state;
    for (uint32_t i = 0; i < times; i++) {
        change_some(past->fixture);
        bench_need(cosm_snapshot_restore(past->kept, 0, past->fixture->worlds) == COSM_OK,
                   "restore");
        BENCH_BARRIER();
    }
}

static uint64_t checksum(void *state) {
    return fixture_hash(((struct past *)state)->fixture);
}

static void destroy(void *state) {
    struct past *past = state;
    cosm_snapshot_destroy(past->kept);
    fixture_destroy(past->fixture);
    free(past);
}

const struct bench_side snap_1pct_cosm = {create, NULL, run_snap, checksum, destroy, NULL};
const struct bench_side restore_1pct_cosm = {create, NULL, run_restore, checksum, destroy, NULL};

// All worlds of a batch of small ones, every one of them changed since the last snapshot.
struct worlds_past {
    struct swarm *swarm;
    cosm_snapshot *kept;
};

static void *create_worlds(uint32_t n) {
    struct worlds_past *past = bench_alloc(1, sizeof *past);
    past->swarm = swarm_full(&(struct swarm_desc){.world_count = n / WORK_WORLD_ROWS,
                                                  .world_rows = WORK_WORLD_ROWS,
                                                  .placement = COSM_PLACEMENT_FIXED,
                                                  .worker_count = 1});
    past->kept = NULL;
    return past;
}

static void prepare_worlds(void *state) {
    swarm_side_run(((struct worlds_past *)state)->swarm, 1);
}

static void run_worlds(void *state, uint32_t times) {
    struct worlds_past *past = state;
    (void)times;
    cosm_snapshot *next = cosm_snapshot_create(cosm_worlds_all(past->swarm->batch));
    bench_need(next != NULL, "snapshot");
    cosm_snapshot_destroy(past->kept);
    past->kept = next;
}

static void run_worlds_back(void *state, uint32_t times) {
    struct worlds_past *past = state;
    (void)times;
    if (past->kept == NULL) {
        run_worlds(state, 1);
    }
    cosm_result result = cosm_snapshot_restore(past->kept, 0, cosm_worlds_all(past->swarm->batch));
    bench_need(result == COSM_OK, "restore");
}

static uint64_t checksum_worlds(void *state) {
    (void)state;
    return 0;
}

static void destroy_worlds(void *state) {
    struct worlds_past *past = state;
    cosm_snapshot_destroy(past->kept);
    swarm_side_destroy(past->swarm);
    free(past);
}

const struct bench_side snap_worlds_cosm = {
    create_worlds, prepare_worlds, run_worlds, checksum_worlds, destroy_worlds, NULL,
};
const struct bench_side restore_worlds_cosm = {
    create_worlds, prepare_worlds, run_worlds_back, checksum_worlds, destroy_worlds, NULL,
};

// Steps of a batch that has had a snapshot taken once, next to one that has not.
static struct swarm *create_step(uint32_t n, uint32_t world_count, bool ready) {
    struct swarm *swarm = swarm_full(&(struct swarm_desc){.world_count = world_count,
                                                          .world_rows = n / world_count,
                                                          .placement = COSM_PLACEMENT_FIXED,
                                                          .worker_count = 1});
    if (ready) {
        cosm_snapshot *first = cosm_snapshot_create(cosm_worlds_all(swarm->batch));
        bench_need(first != NULL, "snapshot");
        cosm_snapshot_destroy(first);
    }
    return swarm;
}

static void *create_large_ready(uint32_t n) {
    return create_step(n, 1, true);
}

static void *create_large_plain(uint32_t n) {
    return create_step(n, 1, false);
}

static void *create_worlds_ready(uint32_t n) {
    return create_step(n, n / WORK_WORLD_ROWS, true);
}

static void *create_worlds_plain(uint32_t n) {
    return create_step(n, n / WORK_WORLD_ROWS, false);
}

const struct bench_side snap_ready_large = {
    create_large_ready, NULL, swarm_side_run, swarm_side_checksum, swarm_side_destroy, NULL,
};
const struct bench_side snap_ready_large_plain = {
    create_large_plain, NULL, swarm_side_run, swarm_side_checksum, swarm_side_destroy, NULL,
};
const struct bench_side snap_ready_worlds = {
    create_worlds_ready, NULL, swarm_side_run, swarm_side_checksum, swarm_side_destroy, NULL,
};
const struct bench_side snap_ready_worlds_plain = {
    create_worlds_plain, NULL, swarm_side_run, swarm_side_checksum, swarm_side_destroy, NULL,
};
