// spawn1, spawn_bulk and spawn_cold in plain C.
#include "limit.h"
#include "rows.h"

#include <stdlib.h>

struct spawner {
    struct limit_movers movers;
    struct limit_handle *handles;
    uint32_t n;
};

static void spawn_each(void *state, uint32_t times) {
    (void)times;
    struct spawner *spawner = state;
    struct limit_movers *movers = &spawner->movers;
    for (uint32_t i = 0; i < spawner->n; i++) {
        spawner->handles[i] = limit_movers_spawn(movers, work_position(i), work_velocity(i));
    }
}

// In the order of spawning; so the free list holds them in the opposite one.
static void despawn_each(void *state) {
    struct spawner *spawner = state;
    for (uint32_t i = 0; i < spawner->n; i++) {
        limit_movers_despawn(&spawner->movers, spawner->handles[i]);
    }
}

// The same by row: those that came in bulk have no handles outside of the table.
static void despawn_rows(void *state) {
    struct spawner *spawner = state;
    struct limit_movers *movers = &spawner->movers;
    for (uint32_t i = 0; i < spawner->n; i++) {
        uint32_t id = movers->ids[i];
        spawner->handles[i] = (struct limit_handle){movers->records[id].gen, id};
    }
    despawn_each(spawner);
}

static void spawn_bulk(void *state, uint32_t times) {
    (void)times;
    struct spawner *spawner = state;
    struct limit_movers *movers = &spawner->movers;
    uint32_t first = limit_movers_spawn_many(movers, spawner->n);
    work_fill(movers->position + first, movers->velocity + first, spawner->n);
}

static void *create_empty(uint32_t n) {
    struct spawner *spawner = bench_alloc(1, sizeof *spawner);
    *spawner = (struct spawner){.n = n};
    spawner->handles = bench_alloc(n, sizeof(struct limit_handle));
    return spawner;
}

// Full, so that the first `prepare` makes all ids recycled ones.
static void *create(uint32_t n) {
    struct spawner *spawner = create_empty(n);
    limit_movers_create(&spawner->movers, n);
    spawn_each(spawner, 1);
    return spawner;
}

static void spawn_cold(void *state, uint32_t times) {
    struct spawner *spawner = state;
    limit_movers_create(&spawner->movers, spawner->n);
    spawn_bulk(spawner, times);
}

static void drop(void *state) {
    struct spawner *spawner = state;
    limit_movers_destroy(&spawner->movers);
}

static uint64_t checksum(void *state) {
    struct spawner *spawner = state;
    return limit_movers_hash(&spawner->movers);
}

static void destroy(void *state) {
    struct spawner *spawner = state;
    limit_movers_destroy(&spawner->movers);
    free(spawner->handles);
    free(spawner);
}

const struct bench_side spawn1_limit = {create, despawn_each, spawn_each, checksum, destroy, NULL};

const struct bench_side spawn_bulk_limit = {create,   despawn_rows, spawn_bulk,
                                            checksum, destroy,      NULL};

const struct bench_side spawn_cold_limit = {create_empty, drop,    spawn_cold,
                                            checksum,     destroy, NULL};
