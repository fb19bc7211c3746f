// The Cosm batch of worlds of movers: definitions, spawning and steps.
#include "swarm.h"

#include <stdlib.h>

// Steps after which the choice between one thread and several has settled, with a few looks at the
// way not taken behind it.
#define WARM_UP_STEPS 200u

static void move(cosm_rows *rows) {
    work_move(COSM_COLUMN_WRITE(rows, Position, 0), COSM_COLUMN_READ(rows, Velocity, 1),
              rows->count, rows->dt);
}

static cosm_query_desc movers_desc(const struct swarm *swarm) {
    return (cosm_query_desc){.terms = {{.component = swarm->position, .access = COSM_ACCESS_WRITE},
                                       {.component = swarm->velocity}}};
}

struct swarm *swarm_create(const struct swarm_desc *desc) {
    struct swarm *swarm = bench_alloc(1, sizeof *swarm);
    *swarm = (struct swarm){.desc = *desc};
    swarm->engine = cosm_engine_create(&(cosm_engine_desc){.worker_count = desc->worker_count});
    bench_need(swarm->engine != NULL, "engine");
    swarm->position = COSM_COMPONENT_DEFINE(swarm->engine, Position);
    swarm->velocity = COSM_COMPONENT_DEFINE(swarm->engine, Velocity);
    bool is_fixed = desc->placement == COSM_PLACEMENT_FIXED;
    swarm->mover = cosm_archetype_define(
        swarm->engine, &(cosm_archetype_desc){.components = {swarm->position, swarm->velocity},
                                              .placement = desc->placement,
                                              .max_per_world = is_fixed ? desc->world_rows : 0});
    bench_need(swarm->mover.id != 0, "archetype");
    cosm_query_desc movers = movers_desc(swarm);
    swarm->movers = cosm_query_create(swarm->engine, &movers);
    bench_need(swarm->movers != NULL, "query");
    cosm_system system = cosm_system_define(
        swarm->engine, &(cosm_system_desc){.name = "move", .each = move, .queries = {movers}});
    bench_need(system.id != 0, "system");
    return swarm;
}

void swarm_destroy(struct swarm *swarm) {
    swarm_end_batch(swarm);
    cosm_query_destroy(swarm->movers);
    bench_need(cosm_engine_destroy(swarm->engine) == COSM_OK, "end of the engine");
    free(swarm);
}

void swarm_begin_batch(struct swarm *swarm) {
    swarm->batch =
        cosm_batch_create(swarm->engine, &(cosm_batch_desc){.world_count = swarm->desc.world_count,
                                                            .step_seconds = WORK_DT,
                                                            .split = swarm->desc.split});
    bench_need(swarm->batch != NULL, "batch");
}

void swarm_end_batch(struct swarm *swarm) {
    bench_need(cosm_batch_destroy(swarm->batch) == COSM_OK, "end of the batch");
    swarm->batch = NULL;
}

void swarm_spawn(struct swarm *swarm) {
    uint32_t count = swarm->desc.world_rows;
    for (uint32_t w = 0; w < swarm->desc.world_count; w++) {
        cosm_rows rows;
        cosm_result result = cosm_entity_spawn_many_unset(cosm_batch_world(swarm->batch, w),
                                                          swarm->mover, count, &rows);
        bench_need(result == COSM_OK, "rows");
        work_fill_from(COSM_WRITE(&rows, Position), COSM_WRITE(&rows, Velocity), w * count, count);
    }
}

void swarm_warm_up(struct swarm *swarm) {
    swarm_step(swarm, WARM_UP_STEPS);
    cosm_rows rows;
    cosm_query_walk(swarm->movers, cosm_worlds_all(swarm->batch), &rows);
    while (cosm_rows_next(&rows)) {
        // Runs lie one behind the other, since all worlds are full.
        Position *position = COSM_COLUMN_WRITE(&rows, Position, 0);
        for (uint32_t i = 0; i < rows.count; i++) {
            position[i] = work_position(rows.world * swarm->desc.world_rows + i);
        }
    }
}

void swarm_step(struct swarm *swarm, uint32_t times) {
    bool done = true;
    for (uint32_t i = 0; i < times; i++) {
        done &= cosm_batch_step(swarm->batch) == COSM_OK;
        BENCH_BARRIER();
    }
    bench_need(done, "step");
}

uint64_t swarm_hash(struct swarm *swarm) {
    uint64_t sum = 0;
    cosm_rows rows;
    cosm_query_walk(swarm->movers, cosm_worlds_all(swarm->batch), &rows);
    while (cosm_rows_next(&rows)) {
        // Each run adds its count, so how many rows a run has does not matter.
        sum += work_hash_movers(COSM_COLUMN_READ(&rows, Position, 0),
                                COSM_COLUMN_READ(&rows, Velocity, 1), rows.count);
    }
    return sum;
}

struct swarm *swarm_full(const struct swarm_desc *desc) {
    struct swarm *swarm = swarm_create(desc);
    swarm_begin_batch(swarm);
    swarm_spawn(swarm);
    if (desc->worker_count > 1) {
        swarm_warm_up(swarm);
    }
    return swarm;
}

void swarm_side_run(void *state, uint32_t times) {
    swarm_step(state, times);
}

uint64_t swarm_side_checksum(void *state) {
    return swarm_hash(state);
}

void swarm_side_destroy(void *state) {
    swarm_destroy(state);
}
