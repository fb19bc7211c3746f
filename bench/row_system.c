// system_empty, step_empty: what a step costs when there is nothing to do.
//
// In system_empty n is the number of systems of one step; the step's own cost is in the figure,
// divided among them.
#include "bench.h"
#include "rows.h"
#include "work.h"

#include <cosm/cosm.h>
#include <stdio.h>
#include <stdlib.h>

struct idle {
    cosm_engine *engine;
    cosm_batch *batch;
};

// Never called: there are no rows.
static void change(cosm_rows *rows) {
    work_change(COSM_COLUMN_WRITE(rows, Amount, 0), rows->count);
}

static struct idle *begin_idle(uint32_t worker_count) {
    struct idle *idle = bench_alloc(1, sizeof *idle);
    idle->engine = cosm_engine_create(&(cosm_engine_desc){.worker_count = worker_count});
    bench_need(idle->engine != NULL, "engine");
    return idle;
}

static void begin_batch(struct idle *idle) {
    idle->batch = cosm_batch_create(idle->engine, NULL);
    bench_need(idle->batch != NULL, "batch");
}

// All systems write the same component: they come one after the other.
static void add_systems(struct idle *idle, uint32_t count, cosm_component component) {
    for (uint32_t i = 0; i < count; i++) {
        char name[32];
        snprintf(name, sizeof name, "change %u", i);
        cosm_system system = cosm_system_define(
            idle->engine,
            &(cosm_system_desc){
                .name = name,
                .each = change,
                .queries = {{.terms = {{.component = component, .access = COSM_ACCESS_WRITE}}}}});
        bench_need(system.id != 0, "system");
    }
}

static void *create_matchless(uint32_t n) {
    struct idle *idle = begin_idle(1);
    add_systems(idle, n, COSM_COMPONENT_DEFINE(idle->engine, Amount));
    begin_batch(idle);
    return idle;
}

static struct idle *begin_rowless(uint32_t n, uint32_t worker_count) {
    struct idle *idle = begin_idle(worker_count);
    cosm_component amount = COSM_COMPONENT_DEFINE(idle->engine, Amount);
    add_systems(idle, n, amount);
    begin_batch(idle);
    // There was one entity, so the table is there.
    cosm_archetype archetype =
        cosm_archetype_define(idle->engine, &(cosm_archetype_desc){.components = {amount}});
    cosm_world world = cosm_batch_world(idle->batch, 0);
    cosm_entity entity = cosm_entity_spawn(world, archetype);
    bench_need(cosm_entity_despawn(world, entity) == COSM_OK, "despawn");
    return idle;
}

static void *create_rowless(uint32_t n) {
    return begin_rowless(n, 1);
}

static void *create_rowless_2(uint32_t n) {
    return begin_rowless(n, 2);
}

static void *create_systemless(uint32_t n) {
    (void)n;
    struct idle *idle = begin_idle(1);
    begin_batch(idle);
    return idle;
}

static void run(void *state, uint32_t times) {
    struct idle *idle = state;
    bool done = true;
    for (uint32_t i = 0; i < times; i++) {
        done &= cosm_batch_step(idle->batch) == COSM_OK;
        BENCH_BARRIER();
    }
    bench_need(done, "step");
}

static uint64_t checksum(void *state) {
    struct idle *idle = state;
    return cosm_batch_step_count(idle->batch);
}

static void destroy(void *state) {
    struct idle *idle = state;
    bench_need(cosm_batch_destroy(idle->batch) == COSM_OK, "end of the batch");
    bench_need(cosm_engine_destroy(idle->engine) == COSM_OK, "end of the engine");
    free(idle);
}

const struct bench_side system_empty_cosm = {create_matchless, NULL, run, checksum, destroy, NULL};

const struct bench_side system_empty_rowless_cosm = {create_rowless, NULL,    run,
                                                     checksum,       destroy, NULL};

const struct bench_side system_empty_2_cosm = {create_rowless_2, NULL,    run,
                                               checksum,         destroy, NULL};

const struct bench_side step_empty_cosm = {create_systemless, NULL, run, checksum, destroy, NULL};
