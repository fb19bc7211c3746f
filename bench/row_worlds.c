// worlds, worlds_growing, worlds_2: a step of 4,096 worlds of ten movers each.
#include "rows.h"
#include "swarm.h"

static void *create(uint32_t n, cosm_placement placement, uint32_t worker_count) {
    return swarm_full(&(struct swarm_desc){.world_count = n / WORK_WORLD_ROWS,
                                           .world_rows = WORK_WORLD_ROWS,
                                           .placement = placement,
                                           .worker_count = worker_count});
}

static void *create_fixed(uint32_t n) {
    return create(n, COSM_PLACEMENT_FIXED, 1);
}

static void *create_growing(uint32_t n) {
    return create(n, COSM_PLACEMENT_GROWING, 1);
}

static void *create_fixed_2(uint32_t n) {
    return create(n, COSM_PLACEMENT_FIXED, 2);
}

static void *create_growing_2(uint32_t n) {
    return create(n, COSM_PLACEMENT_GROWING, 2);
}

const struct bench_side worlds_cosm = {
    create_fixed, NULL, swarm_side_run, swarm_side_checksum, swarm_side_destroy, NULL,
};

const struct bench_side worlds_growing_cosm = {
    create_growing, NULL, swarm_side_run, swarm_side_checksum, swarm_side_destroy, NULL,
};

const struct bench_side worlds_2_cosm = {
    create_fixed_2, NULL, swarm_side_run, swarm_side_checksum, swarm_side_destroy, NULL,
};

const struct bench_side worlds_2_growing_cosm = {
    create_growing_2, NULL, swarm_side_run, swarm_side_checksum, swarm_side_destroy, NULL,
};
