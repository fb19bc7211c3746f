// fork_1000: a world of ten movers onto a thousand others.
#include "rows.h"
#include "swarm.h"

// Here n counts the targets; the source is world 0, the others hold other movers to begin with.
static struct swarm *create_worlds(uint32_t n, cosm_placement placement) {
    return swarm_full(&(struct swarm_desc){.world_count = n + 1,
                                           .world_rows = WORK_WORLD_ROWS,
                                           .placement = placement,
                                           .worker_count = 1});
}

static void *create_fixed(uint32_t n) {
    return create_worlds(n, COSM_PLACEMENT_FIXED);
}

static void *create_growing(uint32_t n) {
    return create_worlds(n, COSM_PLACEMENT_GROWING);
}

// A batch of which there was a snapshot, and so one in which all changes are tracked.
static void *create_tracked(uint32_t n) {
    struct swarm *swarm = create_worlds(n, COSM_PLACEMENT_FIXED);
    cosm_snapshot *snapshot = cosm_snapshot_create(cosm_worlds_all(swarm->batch));
    bench_need(snapshot != NULL, "snapshot");
    cosm_snapshot_destroy(snapshot);
    return swarm;
}

static void run(void *state, uint32_t times) {
    struct swarm *swarm = state;
    cosm_worlds targets = cosm_worlds_range(swarm->batch, 1, swarm->desc.world_count - 1);
    bool done = true;
    for (uint32_t i = 0; i < times; i++) {
        done &= cosm_fork_world(cosm_batch_world(swarm->batch, 0), targets, NULL) == COSM_OK;
        BENCH_BARRIER();
    }
    bench_need(done, "fork");
}

const struct bench_side fork_cosm = {
    create_fixed, NULL, run, swarm_side_checksum, swarm_side_destroy, NULL,
};

const struct bench_side fork_growing_cosm = {
    create_growing, NULL, run, swarm_side_checksum, swarm_side_destroy, NULL,
};

const struct bench_side fork_tracked_cosm = {
    create_tracked, NULL, run, swarm_side_checksum, swarm_side_destroy, NULL,
};
