// despawn1: one by one, in the order of spawning. despawn_rand: in an order that looks random.
// despawn_query: all that match, in one call.
#include "fixture.h"
#include "rows.h"

#include <stdlib.h>

struct despawner {
    struct fixture *fixture;
    cosm_entity *targets; // in the order of despawning
    uint32_t *order;
};

static void spawn_each(void *state) {
    struct despawner *despawner = state;
    struct fixture *fixture = despawner->fixture;
    fixture_spawn_each(fixture);
    memcpy(despawner->targets, fixture->handles, fixture->n * sizeof(cosm_entity));
}

static void spawn_shuffled(void *state) {
    struct despawner *despawner = state;
    spawn_each(state);
    for (uint32_t i = 0; i < despawner->fixture->n; i++) {
        despawner->targets[i] = despawner->fixture->handles[despawner->order[i]];
    }
}

static void despawn_each(void *state, uint32_t times) {
    (void)times;
    struct despawner *despawner = state;
    fixture_despawn_each(despawner->fixture, despawner->targets);
}

static void despawn_all(void *state, uint32_t times) {
    (void)times;
    struct despawner *despawner = state;
    fixture_despawn_query(despawner->fixture);
}

static void *create(uint32_t n) {
    struct despawner *despawner = bench_alloc(1, sizeof *despawner);
    despawner->fixture = fixture_create(n);
    despawner->targets = bench_alloc(n, sizeof(cosm_entity));
    despawner->order = bench_shuffled(n);
    spawn_each(despawner);
    despawn_each(despawner, 1);
    return despawner;
}

// Every handle must be stale and no row left.
static uint64_t checksum(void *state) {
    struct despawner *despawner = state;
    struct fixture *fixture = despawner->fixture;
    uint64_t stale = 0;
    for (uint32_t i = 0; i < fixture->n; i++) {
        stale += cosm_entity_is_alive(fixture->world, fixture->handles[i]) ? 0u : 1u;
    }
    return work_mix(stale, cosm_query_count(fixture->movers, fixture->worlds));
}

static void destroy(void *state) {
    struct despawner *despawner = state;
    fixture_destroy(despawner->fixture);
    free(despawner->targets);
    free(despawner->order);
    free(despawner);
}

const struct bench_side despawn1_cosm = {create, spawn_each, despawn_each, checksum, destroy, NULL};

const struct bench_side despawn_rand_cosm = {create,   spawn_shuffled, despawn_each,
                                             checksum, destroy,        NULL};

const struct bench_side despawn_query_cosm = {create,   spawn_each, despawn_all,
                                              checksum, destroy,    NULL};
