// The Cosm world of movers, and the spawning and despawning that rows time or prepare with.
#include "fixture.h"

#include <stdlib.h>

// Position and Velocity are laid out alike.
static const cosm_field triple_fields[] = {
    {.name = "x", .type = COSM_FIELD_F32, .offset = offsetof(Position, x)},
    {.name = "y", .type = COSM_FIELD_F32, .offset = offsetof(Position, y)},
    {.name = "z", .type = COSM_FIELD_F32, .offset = offsetof(Position, z)},
};

static cosm_component define_triple(cosm_engine *engine, const char *name, cosm_layout layout) {
    return cosm_component_define(engine, &(cosm_component_desc){.name = name,
                                                                .size = sizeof(Position),
                                                                .alignment = _Alignof(Position),
                                                                .layout = layout,
                                                                .fields = triple_fields,
                                                                .field_count = 3});
}

static struct fixture *create_fixture(uint32_t n, cosm_layout layout) {
    struct fixture *fixture = bench_alloc(1, sizeof *fixture);
    *fixture = (struct fixture){.n = n};
    fixture->engine = cosm_engine_create(&(cosm_engine_desc){.worker_count = 1});
    bench_need(fixture->engine != NULL, "engine");
    fixture->position = define_triple(fixture->engine, "Position", layout);
    fixture->velocity = define_triple(fixture->engine, "Velocity", layout);
    fixture->force = COSM_COMPONENT_DEFINE(fixture->engine, Force);
    fixture->mover = cosm_archetype_define(
        fixture->engine,
        &(cosm_archetype_desc){.components = {fixture->position, fixture->velocity}});
    bench_need(fixture->mover.id != 0, "archetype");
    fixture->movers = cosm_query_create(
        fixture->engine,
        &(cosm_query_desc){.terms = {{.component = fixture->position, .access = COSM_ACCESS_WRITE},
                                     {.component = fixture->velocity}}});
    bench_need(fixture->movers != NULL, "query");
    fixture->handles = bench_alloc(n, sizeof(cosm_entity));
    fixture_begin_batch(fixture);
    return fixture;
}

struct fixture *fixture_create(uint32_t n) {
    return create_fixture(n, COSM_LAYOUT_STRUCT);
}

struct fixture *fixture_create_split(uint32_t n) {
    return create_fixture(n, COSM_LAYOUT_SPLIT);
}

void fixture_destroy(struct fixture *fixture) {
    fixture_end_batch(fixture);
    cosm_query_destroy(fixture->movers);
    bench_need(cosm_engine_destroy(fixture->engine) == COSM_OK, "end of the engine");
    free(fixture->handles);
    free(fixture);
}

void fixture_begin_batch(struct fixture *fixture) {
    fixture->batch = cosm_batch_create(fixture->engine, NULL);
    bench_need(fixture->batch != NULL, "batch");
    fixture->world = cosm_batch_world(fixture->batch, 0);
    fixture->worlds = cosm_worlds_one(fixture->world);
}

void fixture_end_batch(struct fixture *fixture) {
    bench_need(cosm_batch_destroy(fixture->batch) == COSM_OK, "end of the batch");
    fixture->batch = NULL;
}

void fixture_spawn_each(struct fixture *fixture) {
    cosm_world world = fixture->world;
    Position position;
    Velocity velocity;
    const cosm_value values[] = {{fixture->position, &position}, {fixture->velocity, &velocity}};
    for (uint32_t i = 0; i < fixture->n; i++) {
        position = work_position(i);
        velocity = work_velocity(i);
        fixture->handles[i] = cosm_entity_spawn_with(world, fixture->mover, values, 2);
    }
}

void fixture_spawn_bulk(struct fixture *fixture) {
    cosm_rows rows;
    cosm_result result =
        cosm_entity_spawn_many_unset(fixture->world, fixture->mover, fixture->n, &rows);
    bench_need(result == COSM_OK, "rows");
    work_fill(COSM_WRITE(&rows, Position), COSM_WRITE(&rows, Velocity), rows.count);
}

void fixture_despawn_each(struct fixture *fixture, const cosm_entity *handles) {
    bool done = true;
    for (uint32_t i = 0; i < fixture->n; i++) {
        done &= cosm_entity_despawn(fixture->world, handles[i]) == COSM_OK;
    }
    bench_need(done, "despawn");
}

void fixture_despawn_query(struct fixture *fixture) {
    bench_need(cosm_query_despawn(fixture->movers, fixture->worlds) == COSM_OK, "despawn");
}

uint64_t fixture_hash(struct fixture *fixture) {
    uint64_t sum = 0;
    cosm_rows rows;
    cosm_query_walk(fixture->movers, fixture->worlds, &rows);
    while (cosm_rows_next(&rows)) {
        sum += work_hash_movers(COSM_COLUMN_READ(&rows, Position, 0),
                                COSM_COLUMN_READ(&rows, Velocity, 1), rows.count);
    }
    return sum;
}
