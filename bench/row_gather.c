// gather: the positions of 4,096 growing worlds of ten movers each, brought side by side.
#include "rows.h"
#include "swarm.h"

enum { SLOT_POSITION };

static void *create(uint32_t n, uint32_t worker_count, cosm_direction direction) {
    struct swarm *swarm = swarm_full(&(struct swarm_desc){.world_count = n / WORK_WORLD_ROWS,
                                                          .world_rows = WORK_WORLD_ROWS,
                                                          .placement = COSM_PLACEMENT_GROWING,
                                                          .worker_count = worker_count});
    cosm_export_desc desc = {.slot = SLOT_POSITION,
                             .name = "position",
                             .archetype = swarm->mover,
                             .component = swarm->position,
                             .direction = direction};
    bench_need(cosm_export_define(swarm->engine, &desc) == COSM_OK, "export");
    return swarm;
}

static void *create_out(uint32_t n) {
    return create(n, 1, COSM_DIRECTION_OUT);
}

static void *create_out_2(uint32_t n) {
    return create(n, 2, COSM_DIRECTION_OUT);
}

static void *create_in(uint32_t n) {
    return create(n, 1, COSM_DIRECTION_IN);
}

static void gather(void *state, uint32_t times) {
    struct swarm *swarm = state;
    for (uint32_t i = 0; i < times; i++) {
        bench_need(cosm_batch_gather(swarm->batch) == COSM_OK, "gather");
        BENCH_BARRIER();
    }
}

static void scatter(void *state, uint32_t times) {
    struct swarm *swarm = state;
    for (uint32_t i = 0; i < times; i++) {
        bench_need(cosm_batch_scatter(swarm->batch) == COSM_OK, "scatter");
        BENCH_BARRIER();
    }
}

static uint64_t checksum(void *state) {
    struct swarm *swarm = state;
    const cosm_tensor *tensor = cosm_batch_tensor(swarm->batch, SLOT_POSITION);
    return work_hash_positions(tensor->data, (uint32_t)tensor->shape[0]);
}

const struct bench_side gather_cosm = {
    create_out, NULL, gather, checksum, swarm_side_destroy, NULL,
};

const struct bench_side gather_2_cosm = {
    create_out_2, NULL, gather, checksum, swarm_side_destroy, NULL,
};

const struct bench_side scatter_cosm = {
    create_in, NULL, scatter, checksum, swarm_side_destroy, NULL,
};
