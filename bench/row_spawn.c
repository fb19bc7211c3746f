// spawn1: one by one, two components set, ids recycled. spawn_bulk: in one go, filled by column,
// ids recycled. spawn_cold: a fresh batch and a million rows in it, page faults included.
#include "fixture.h"
#include "rows.h"

// Full, so that the first `prepare` makes all ids recycled ones.
static void *create(uint32_t n) {
    struct fixture *fixture = fixture_create(n);
    fixture_spawn_each(fixture);
    return fixture;
}

static void despawn_each(void *state) {
    struct fixture *fixture = state;
    fixture_despawn_each(fixture, fixture->handles);
}

static void spawn_each(void *state, uint32_t times) {
    (void)times;
    fixture_spawn_each(state);
}

// The same by row: those that came in bulk have their handles in the table only.
static void despawn_rows(void *state) {
    struct fixture *fixture = state;
    const cosm_entity *entities = cosm_table_entities(fixture->world, fixture->mover);
    bench_need(entities != NULL, "entity column");
    memcpy(fixture->handles, entities, fixture->n * sizeof(cosm_entity));
    fixture_despawn_each(fixture, fixture->handles);
}

static void spawn_bulk(void *state, uint32_t times) {
    (void)times;
    fixture_spawn_bulk(state);
}

static void *create_empty(uint32_t n) {
    return fixture_create(n);
}

static void drop_batch(void *state) {
    fixture_end_batch(state);
}

static void spawn_cold(void *state, uint32_t times) {
    (void)times;
    fixture_begin_batch(state);
    fixture_spawn_bulk(state);
}

static uint64_t checksum(void *state) {
    return fixture_hash(state);
}

static void destroy(void *state) {
    fixture_destroy(state);
}

const struct bench_side spawn1_cosm = {create, despawn_each, spawn_each, checksum, destroy, NULL};

const struct bench_side spawn_bulk_cosm = {create,   despawn_rows, spawn_bulk,
                                           checksum, destroy,      NULL};

const struct bench_side spawn_cold_cosm = {create_empty, drop_batch, spawn_cold,
                                           checksum,     destroy,    NULL};
