// addrem1: adds a Force to every mover, one by one, then removes it from every one. addrem_query:
// the same for the whole query, in two calls. The time is that of the pair.
#include "fixture.h"
#include "rows.h"

static void *create(uint32_t n) {
    struct fixture *fixture = fixture_create(n);
    fixture_spawn_each(fixture);
    return fixture;
}

static void add_each(struct fixture *fixture) {
    bool done = true;
    for (uint32_t i = 0; i < fixture->n; i++) {
        done &= cosm_entity_add(fixture->world, fixture->handles[i], fixture->force) == COSM_OK;
    }
    bench_need(done, "add");
}

static void remove_each(struct fixture *fixture) {
    bool done = true;
    for (uint32_t i = 0; i < fixture->n; i++) {
        done &= cosm_entity_remove(fixture->world, fixture->handles[i], fixture->force) == COSM_OK;
    }
    bench_need(done, "remove");
}

static void add_all(struct fixture *fixture) {
    cosm_result result = cosm_query_add(fixture->movers, fixture->worlds, fixture->force);
    bench_need(result == COSM_OK, "add");
}

static void remove_all(struct fixture *fixture) {
    cosm_result result = cosm_query_remove(fixture->movers, fixture->worlds, fixture->force);
    bench_need(result == COSM_OK, "remove");
}

static void run_each(void *state, uint32_t times) {
    for (uint32_t i = 0; i < times; i++) {
        add_each(state);
        remove_each(state);
    }
}

static void run_all(void *state, uint32_t times) {
    for (uint32_t i = 0; i < times; i++) {
        add_all(state);
        remove_all(state);
    }
}

// The movers, and the forces of those that have one now.
static uint64_t hash(struct fixture *fixture) {
    uint64_t sum = fixture_hash(fixture);
    cosm_rows rows;
    cosm_query_walk(fixture->movers, fixture->worlds, &rows);
    while (cosm_rows_next(&rows)) {
        const Force *force = cosm_rows_column(&rows, fixture->force);
        if (force != NULL) {
            sum += work_hash_forces(force, rows.count);
        }
    }
    return sum;
}

static uint64_t checksum_each(void *state) {
    uint64_t sum = hash(state);
    add_each(state);
    sum = work_mix(sum, hash(state));
    remove_each(state);
    return sum;
}

static uint64_t checksum_all(void *state) {
    uint64_t sum = hash(state);
    add_all(state);
    sum = work_mix(sum, hash(state));
    remove_all(state);
    return sum;
}

static void destroy(void *state) {
    fixture_destroy(state);
}

const struct bench_side addrem1_cosm = {create, NULL, run_each, checksum_each, destroy, NULL};

const struct bench_side addrem_query_cosm = {create, NULL, run_all, checksum_all, destroy, NULL};
