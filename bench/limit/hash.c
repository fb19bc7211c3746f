// hash: XXH3 over the same bytes: handles, positions and velocities. It is compiled into this file,
// with the instructions of this machine.
#include "rows.h"

#ifdef BENCH_XXHASH
#include <stdlib.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "limit/limit.h"

struct hash_limit {
    struct limit_handle *handles;
    Position *positions;
    Velocity *velocities;
    uint32_t n;
    uint64_t hash;
};

static void *create(uint32_t n) {
    struct hash_limit *state = bench_alloc(1, sizeof *state);
    state->n = n;
    state->hash = 0;
    state->handles = bench_alloc(n, sizeof *state->handles);
    state->positions = bench_alloc(n, sizeof *state->positions);
    state->velocities = bench_alloc(n, sizeof *state->velocities);
    for (uint32_t i = 0; i < n; i++) {
        state->handles[i] = (struct limit_handle){1, i};
        state->positions[i] = work_position(i);
        state->velocities[i] = work_velocity(i);
    }
    return state;
}

static void run(void *context, uint32_t times) {
    struct hash_limit *state = context;
    for (uint32_t i = 0; i < times; i++) {
        uint64_t hash = XXH3_64bits(state->handles, state->n * sizeof *state->handles);
        hash ^= XXH3_64bits(state->positions, state->n * sizeof *state->positions);
        state->hash = hash ^ XXH3_64bits(state->velocities, state->n * sizeof *state->velocities);
        BENCH_BARRIER();
    }
}

static uint64_t checksum(void *context) {
    const struct hash_limit *state = context;
    return state->hash != 0;
}

static void destroy(void *context) {
    struct hash_limit *state = context;
    free(state->handles);
    free(state->positions);
    free(state->velocities);
    free(state);
}

const struct bench_side hash_limit = {
    .create = create,
    .run = run,
    .checksum = checksum,
    .destroy = destroy,
};
#endif
