// world_make, world_mem: making 4,096 worlds of ten movers each, and the bytes they take.
//
// The engine and its definitions are there before: they are made once, whatever the number of
// worlds.
#include "rows.h"
#include "swarm.h"

#include <malloc.h>

static struct swarm *make_swarm(uint32_t n, cosm_placement placement) {
    return swarm_create(&(struct swarm_desc){.world_count = n,
                                             .world_rows = WORK_WORLD_ROWS,
                                             .placement = placement,
                                             .worker_count = 1});
}

static void *create_fixed(uint32_t n) {
    return make_swarm(n, COSM_PLACEMENT_FIXED);
}

static void *create_growing(uint32_t n) {
    return make_swarm(n, COSM_PLACEMENT_GROWING);
}

// Both sides begin with memory that was never touched, as a program does that makes its worlds.
static void drop(void *state) {
    swarm_end_batch(state);
    malloc_trim(0);
}

static void run(void *state, uint32_t times) {
    (void)times;
    swarm_begin_batch(state);
    swarm_spawn(state);
}

// What the batch counts for itself, without the components' bytes.
static double bytes(struct swarm *swarm, uint64_t *out_checksum) {
    swarm_begin_batch(swarm);
    swarm_spawn(swarm);
    double used = (double)cosm_batch_memory(swarm->batch).used / swarm->desc.world_count;
    *out_checksum = swarm_hash(swarm);
    swarm_destroy(swarm);
    return used - WORK_WORLD_ROWS * (double)(sizeof(Position) + sizeof(Velocity));
}

static double bytes_fixed(uint32_t n, uint64_t *out_checksum) {
    return bytes(create_fixed(n), out_checksum);
}

static double bytes_growing(uint32_t n, uint64_t *out_checksum) {
    return bytes(create_growing(n), out_checksum);
}

const struct bench_side world_make_cosm = {
    create_fixed, drop, run, swarm_side_checksum, swarm_side_destroy, NULL,
};

const struct bench_side world_make_growing_cosm = {
    create_growing, drop, run, swarm_side_checksum, swarm_side_destroy, NULL,
};

const struct bench_side world_mem_cosm = {.bytes = bytes_fixed};

const struct bench_side world_mem_growing_cosm = {.bytes = bytes_growing};
