// patch_create, patch_apply: the way between two states of a large world, of which all rows of one
// chunk in a hundred differ.
#include "fixture.h"
#include "rows.h"

#include <stdlib.h>

struct way {
    struct fixture *fixture;
    cosm_snapshot *before;
    cosm_snapshot *after;
    cosm_patch *patches[2]; // there and back
    uint32_t next;
};

// Writes to every row of one chunk in a hundred.
static void change_chunks(struct fixture *fixture) {
    for (uint32_t first = 0; first < fixture->n; first += WORK_CHANGE_ROWS * WORK_CHANGE_APART) {
        for (uint32_t row = first; row < first + WORK_CHANGE_ROWS; row++) {
            cosm_loc loc = {fixture->mover.id, row};
            Position *position = cosm_loc_write(fixture->world, loc, fixture->position);
            position->x += 1.0f;
            Velocity *velocity = cosm_loc_write(fixture->world, loc, fixture->velocity);
            velocity->x = -velocity->x;
        }
    }
}

static void *create(uint32_t n) {
    struct way *way = bench_alloc(1, sizeof *way);
    way->fixture = fixture_create(n * WORK_CHANGE_APART);
    fixture_spawn_bulk(way->fixture);
    way->before = cosm_snapshot_create(way->fixture->worlds);
    change_chunks(way->fixture);
    way->after = cosm_snapshot_create(way->fixture->worlds);
    way->patches[0] = cosm_patch_create(way->before, way->after);
    way->patches[1] = cosm_patch_create(way->after, way->before);
    way->next = 1;
    bench_need(way->patches[0] != NULL && way->patches[1] != NULL, "patch");
    return way;
}

static void run_create(void *state, uint32_t times) {
    struct way *way = state;
    for (uint32_t i = 0; i < times; i++) {
        cosm_patch *patch = cosm_patch_create(way->before, way->after);
        bench_need(patch != NULL, "patch");
        cosm_patch_destroy(patch);
        BENCH_BARRIER();
    }
}

static void run_apply(void *state, uint32_t times) {
    struct way *way = state;
    for (uint32_t i = 0; i < times; i++) {
        cosm_result result = cosm_patch_apply(way->patches[way->next], way->fixture->worlds);
        bench_need(result == COSM_OK, "apply");
        way->next ^= 1;
        BENCH_BARRIER();
    }
}

// Where the state ends up depends on how often it went there and back.
static uint64_t checksum(void *state) {
    (void)state;
    return 0;
}

static void destroy(void *state) {
    struct way *way = state;
    cosm_patch_destroy(way->patches[0]);
    cosm_patch_destroy(way->patches[1]);
    cosm_snapshot_destroy(way->before);
    cosm_snapshot_destroy(way->after);
    fixture_destroy(way->fixture);
    free(way);
}

const struct bench_side patch_create_cosm = {create, NULL, run_create, checksum, destroy, NULL};
const struct bench_side patch_apply_cosm = {create, NULL, run_apply, checksum, destroy, NULL};
