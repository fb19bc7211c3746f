// sector_entity: sets a sector component of every entity of a world and removes it again; the limit
// is the container alone. sector_entity_walk: a query of a column and a sector component that most
// have; the limit is a view of two containers.
#include "bench.h"
#include "rows.h"
#include "work.h"

#include <cosm/cosm.h>
#include <stdlib.h>

struct beside {
    cosm_engine *engine;
    cosm_batch *batch;
    cosm_world world;
    cosm_component position;
    cosm_component sector; // Force, or Velocity
    cosm_query *query;
    cosm_entity *handles;
    uint32_t n;
};

static struct beside *create_beside(uint32_t n, const char *name, size_t size) {
    struct beside *beside = bench_alloc(1, sizeof *beside);
    beside->engine = cosm_engine_create(NULL);
    bench_need(beside->engine != NULL, "engine");
    beside->position = COSM_COMPONENT_DEFINE(beside->engine, Position);
    beside->sector = cosm_component_define(
        beside->engine,
        &(cosm_component_desc){.name = name, .size = size, .storage = COSM_STORAGE_SECTOR});
    cosm_archetype point = cosm_archetype_define(
        beside->engine, &(cosm_archetype_desc){.name = "point", .components = {beside->position}});
    beside->batch = cosm_batch_create(beside->engine, NULL);
    bench_need(beside->batch != NULL, "batch");
    beside->world = cosm_batch_world(beside->batch, 0);
    beside->handles = bench_alloc(n, sizeof *beside->handles);
    beside->n = n;
    for (uint32_t i = 0; i < n; i++) {
        Position position = work_position(i);
        beside->handles[i] = cosm_entity_spawn_with(beside->world, point,
                                                    &(cosm_value){beside->position, &position}, 1);
    }
    beside->query = cosm_query_create(
        beside->engine,
        &(cosm_query_desc){.terms = {{.component = beside->position, .access = COSM_ACCESS_WRITE},
                                     {.component = beside->sector}}});
    bench_need(beside->query != NULL, "query");
    return beside;
}

static void destroy_beside(void *state) {
    struct beside *beside = state;
    cosm_query_destroy(beside->query);
    bench_need(cosm_batch_destroy(beside->batch) == COSM_OK, "end of the batch");
    bench_need(cosm_engine_destroy(beside->engine) == COSM_OK, "end of the engine");
    free(beside->handles);
    free(beside);
}

static void set_each(struct beside *beside) {
    bool done = true;
    for (uint32_t i = 0; i < beside->n; i++) {
        Force force = work_force(i);
        done &=
            cosm_entity_set(beside->world, beside->handles[i], beside->sector, &force) == COSM_OK;
    }
    bench_need(done, "set");
}

static void remove_each(struct beside *beside) {
    bool done = true;
    for (uint32_t i = 0; i < beside->n; i++) {
        done &= cosm_entity_remove(beside->world, beside->handles[i], beside->sector) == COSM_OK;
    }
    bench_need(done, "remove");
}

static void run_entity(void *state, uint32_t times) {
    for (uint32_t i = 0; i < times; i++) {
        set_each(state);
        BENCH_BARRIER();
        remove_each(state);
        BENCH_BARRIER();
    }
}

static void *create_entity(uint32_t n) {
    struct beside *beside = create_beside(n, "Force", sizeof(Force));
    set_each(beside);
    remove_each(beside);
    return beside;
}

static uint64_t hash_container(const struct beside *beside) {
    cosm_container *sectors = cosm_sector_container(beside->world, beside->sector, NULL);
    uint64_t sum = cosm_container_describe(sectors).count;
    size_t offset = cosm_container_describe_member(sectors, 0).offset;
    cosm_container_walk walk;
    for (cosm_sector *sector = cosm_container_walk_begin(sectors, NULL, &walk); sector != NULL;
         sector = cosm_container_walk_next(&walk, sector)) {
        sum += work_hash_forces(cosm_sector_at(sector, offset), 1);
    }
    return sum;
}

static uint64_t checksum_entity(void *state) {
    uint64_t sum = hash_container(state);
    set_each(state);
    sum = work_mix(sum, hash_container(state));
    remove_each(state);
    return sum;
}

const struct bench_side sector_entity_cosm = {create_entity,   NULL,           run_entity,
                                              checksum_entity, destroy_beside, NULL};

static void *create_walk(uint32_t n) {
    struct beside *beside = create_beside(n, "Velocity", sizeof(Velocity));
    for (uint32_t i = 0; i < n; i++) {
        Velocity velocity = work_velocity(i);
        if (work_has_velocity(i)) {
            bench_need(cosm_entity_set(beside->world, beside->handles[i], beside->sector,
                                       &velocity) == COSM_OK,
                       "set");
        }
    }
    return beside;
}

static void run_walk(void *state, uint32_t times) {
    struct beside *beside = state;
    for (uint32_t i = 0; i < times; i++) {
        cosm_rows rows;
        cosm_query_walk(beside->query, cosm_worlds_one(beside->world), &rows);
        while (cosm_rows_next(&rows)) {
            Position *position = COSM_COLUMN_WRITE(&rows, Position, 0);
            for (uint32_t k = 0; k < rows.count; k++) {
                work_move(&position[k], COSM_SECTOR_READ(&rows, Velocity, 1, k), 1, WORK_DT);
            }
        }
        BENCH_BARRIER();
    }
}

static uint64_t checksum_walk(void *state) {
    struct beside *beside = state;
    uint64_t sum = beside->n;
    const Velocity none = {0, 0, 0};
    for (uint32_t i = 0; i < beside->n; i++) {
        const Velocity *velocity =
            cosm_entity_read(beside->world, beside->handles[i], beside->sector);
        sum += work_hash_movers(COSM_READ(beside->world, beside->handles[i], Position),
                                velocity == NULL ? &none : velocity, 1);
    }
    return sum;
}

const struct bench_side sector_entity_walk_cosm = {create_walk,   NULL,           run_walk,
                                                   checksum_walk, destroy_beside, NULL};
