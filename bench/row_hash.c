// hash: the exact hash of a world of movers, read anew; hash_again: the same by a hasher, after one
// chunk of a hundred was written to.
#include "rows.h"

#ifdef BENCH_XXHASH
#include "fixture.h"

#include <stdlib.h>

struct hash_state {
    struct fixture *fixture;
    cosm_hasher *hasher;
    uint64_t hash;
};

static void *create(uint32_t n) {
    struct hash_state *state = bench_alloc(1, sizeof *state);
    *state = (struct hash_state){fixture_create(n), NULL, 0};
    fixture_spawn_bulk(state->fixture);
    return state;
}

static void *create_again(uint32_t n) {
    struct hash_state *state = create(n);
    state->hasher = cosm_hasher_create(state->fixture->batch);
    bench_need(state->hasher != NULL, "hasher");
    return state;
}

static void run(void *context, uint32_t times) {
    struct hash_state *state = context;
    for (uint32_t i = 0; i < times; i++) {
        state->hash = cosm_hash_world(state->fixture->world, COSM_HASH_EXACT);
        BENCH_BARRIER();
    }
}

static void run_again(void *context, uint32_t times) {
    struct hash_state *state = context;
    struct fixture *fixture = state->fixture;
    for (uint32_t i = 0; i < times; i++) {
        for (uint32_t row = 0; row < fixture->n; row += WORK_CHANGE_ROWS * WORK_CHANGE_APART) {
            cosm_loc loc = {fixture->mover.id, row};
            Position *position = cosm_loc_write(fixture->world, loc, fixture->position);
            position->x = -position->x;
        }
        state->hash = cosm_hasher_world(state->hasher, 0, COSM_HASH_EXACT);
        BENCH_BARRIER();
    }
    bench_need(state->hash == cosm_hash_world(fixture->world, COSM_HASH_EXACT), "the same hash");
}

// The hashes of both sides are two functions; that both are there is all they have in common.
static uint64_t checksum(void *context) {
    const struct hash_state *state = context;
    return state->hash != 0;
}

static void destroy(void *context) {
    struct hash_state *state = context;
    cosm_hasher_destroy(state->hasher);
    fixture_destroy(state->fixture);
    free(state);
}

const struct bench_side hash_cosm = {
    .create = create,
    .run = run,
    .checksum = checksum,
    .destroy = destroy,
};

const struct bench_side hash_again_cosm = {
    .create = create_again,
    .run = run_again,
    .checksum = checksum,
    .destroy = destroy,
};
#endif
