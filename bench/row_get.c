// get_rand: a component by handle, in an order that looks random, with a cosm_lookup, which is the
// way to read many. get_rand_one: the same with a call of cosm_entity_read for each.
// get_rand_many: the same in blocks, with cosm_entity_read_many.
#include "fixture.h"
#include "rows.h"

#include <stdlib.h>

// Handles that one call of cosm_entity_read_many gets: enough to overlap the look-ups, few enough
// for the answers to stay in the nearest cache.
#define BLOCK 512u

struct reader {
    struct fixture *fixture;
    cosm_entity *handles;
    double sum;
};

static void *create(uint32_t n) {
    struct reader *reader = bench_alloc(1, sizeof *reader);
    *reader = (struct reader){.fixture = fixture_create(n)};
    fixture_spawn_each(reader->fixture);
    reader->handles = bench_alloc(n, sizeof(cosm_entity));
    uint32_t *order = bench_shuffled(n);
    for (uint32_t i = 0; i < n; i++) {
        reader->handles[i] = reader->fixture->handles[order[i]];
    }
    free(order);
    return reader;
}

static void run_lookup(void *state, uint32_t times) {
    struct reader *reader = state;
    for (uint32_t i = 0; i < times; i++) {
        double sum = 0;
        cosm_lookup lookup;
        cosm_lookup_begin(reader->fixture->world, reader->fixture->position, &lookup);
        for (uint32_t j = 0; j < reader->fixture->n; j++) {
            const Position *position = COSM_LOOKUP_READ(&lookup, Position, reader->handles[j]);
            if (position != NULL) {
                sum += (double)position->x;
            }
        }
        reader->sum = sum;
        BENCH_BARRIER();
    }
}

static void run_each(void *state, uint32_t times) {
    struct reader *reader = state;
    cosm_world world = reader->fixture->world;
    cosm_component component = reader->fixture->position;
    for (uint32_t i = 0; i < times; i++) {
        double sum = 0;
        for (uint32_t j = 0; j < reader->fixture->n; j++) {
            const Position *position = cosm_entity_read(world, reader->handles[j], component);
            if (position != NULL) {
                sum += (double)position->x;
            }
        }
        reader->sum = sum;
        BENCH_BARRIER();
    }
}

static void run_many(void *state, uint32_t times) {
    struct reader *reader = state;
    cosm_world world = reader->fixture->world;
    cosm_component component = reader->fixture->position;
    uint32_t n = reader->fixture->n;
    const void *found[BLOCK];
    for (uint32_t i = 0; i < times; i++) {
        double sum = 0;
        for (uint32_t first = 0; first < n; first += BLOCK) {
            uint32_t count = n - first < BLOCK ? n - first : BLOCK;
            cosm_entity_read_many(world, reader->handles + first, count, component, found);
            for (uint32_t j = 0; j < count; j++) {
                const Position *position = found[j];
                if (position != NULL) {
                    sum += (double)position->x;
                }
            }
        }
        reader->sum = sum;
        BENCH_BARRIER();
    }
}

static uint64_t checksum(void *state) {
    struct reader *reader = state;
    return work_hash_double(reader->sum);
}

static void destroy(void *state) {
    struct reader *reader = state;
    fixture_destroy(reader->fixture);
    free(reader->handles);
    free(reader);
}

const struct bench_side get_rand_cosm = {create, NULL, run_lookup, checksum, destroy, NULL};

const struct bench_side get_rand_one_cosm = {create, NULL, run_each, checksum, destroy, NULL};

const struct bench_side get_rand_many_cosm = {create, NULL, run_many, checksum, destroy, NULL};
