// despawn1, despawn_rand and despawn_query in plain C.
#include "limit.h"
#include "rows.h"

#include <stdlib.h>

struct despawner {
    struct limit_movers movers;
    struct limit_handle *handles; // in the order of spawning
    struct limit_handle *targets; // in the order of despawning
    uint32_t *order;
    uint32_t n;
};

static void spawn_each(void *state) {
    struct despawner *despawner = state;
    for (uint32_t i = 0; i < despawner->n; i++) {
        despawner->handles[i] =
            limit_movers_spawn(&despawner->movers, work_position(i), work_velocity(i));
    }
    memcpy(despawner->targets, despawner->handles, despawner->n * sizeof(struct limit_handle));
}

static void spawn_shuffled(void *state) {
    struct despawner *despawner = state;
    spawn_each(state);
    for (uint32_t i = 0; i < despawner->n; i++) {
        despawner->targets[i] = despawner->handles[despawner->order[i]];
    }
}

static void despawn_each(void *state, uint32_t times) {
    (void)times;
    struct despawner *despawner = state;
    for (uint32_t i = 0; i < despawner->n; i++) {
        limit_movers_despawn(&despawner->movers, despawner->targets[i]);
    }
}

static void despawn_all(void *state, uint32_t times) {
    (void)times;
    struct despawner *despawner = state;
    limit_movers_clear(&despawner->movers);
}

static void *create(uint32_t n) {
    struct despawner *despawner = bench_alloc(1, sizeof *despawner);
    limit_movers_create(&despawner->movers, n);
    despawner->handles = bench_alloc(n, sizeof(struct limit_handle));
    despawner->targets = bench_alloc(n, sizeof(struct limit_handle));
    despawner->order = bench_shuffled(n);
    despawner->n = n;
    spawn_each(despawner);
    despawn_each(despawner, 1);
    return despawner;
}

// Every handle must be stale and no row left.
static uint64_t checksum(void *state) {
    struct despawner *despawner = state;
    uint64_t stale = 0;
    for (uint32_t i = 0; i < despawner->n; i++) {
        stale += limit_movers_is_alive(&despawner->movers, despawner->handles[i]) ? 0u : 1u;
    }
    return work_mix(stale, despawner->movers.count);
}

static void destroy(void *state) {
    struct despawner *despawner = state;
    limit_movers_destroy(&despawner->movers);
    free(despawner->handles);
    free(despawner->targets);
    free(despawner->order);
    free(despawner);
}

const struct bench_side despawn1_limit = {create,   spawn_each, despawn_each,
                                          checksum, destroy,    NULL};

const struct bench_side despawn_rand_limit = {create,   spawn_shuffled, despawn_each,
                                              checksum, destroy,        NULL};

const struct bench_side despawn_query_limit = {create,   spawn_each, despawn_all,
                                               checksum, destroy,    NULL};
