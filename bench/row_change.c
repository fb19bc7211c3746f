// change_walk: the rows of changed chunks, one chunk in a hundred; and what tracking costs a walk
// that writes.
#include "fixture.h"
#include "rows.h"

#include <stdlib.h>

struct changes {
    struct fixture *fixture;
    cosm_query *turned; // term 0 reads Velocity where it changed, term 1 writes Position
    cosm_change_reader *reader;
};

static void look(struct changes *changes) {
    cosm_rows rows;
    cosm_change_walk(changes->reader, changes->fixture->worlds, &rows);
    while (cosm_rows_next(&rows)) {
        work_move(COSM_COLUMN_WRITE(&rows, Position, 1), COSM_COLUMN_READ(&rows, Velocity, 0),
                  rows.count, WORK_DT);
    }
}

static void *create(uint32_t n) {
    struct changes *changes = bench_alloc(1, sizeof *changes);
    changes->fixture = fixture_create(n * WORK_CHANGE_APART);
    fixture_spawn_bulk(changes->fixture);
    struct fixture *fixture = changes->fixture;
    changes->turned = cosm_query_create(
        fixture->engine,
        &(cosm_query_desc){
            .terms = {{.component = fixture->velocity, .changed = true},
                      {.component = fixture->position, .access = COSM_ACCESS_WRITE}}});
    changes->reader = cosm_change_reader_create(fixture->batch, changes->turned);
    look(changes);
    return changes;
}

static void run(void *state, uint32_t times) {
    struct changes *changes = state;
    struct fixture *fixture = changes->fixture;
    for (uint32_t i = 0; i < times; i++) {
        for (uint32_t row = 0; row < fixture->n; row += WORK_CHANGE_ROWS * WORK_CHANGE_APART) {
            cosm_loc loc = {fixture->mover.id, row};
            Velocity *velocity = cosm_loc_write(fixture->world, loc, fixture->velocity);
            velocity->x = -velocity->x;
        }
        look(changes);
        BENCH_BARRIER();
    }
}

static uint64_t checksum(void *state) {
    return fixture_hash(((struct changes *)state)->fixture);
}

static void destroy(void *state) {
    struct changes *changes = state;
    cosm_change_reader_destroy(changes->reader);
    cosm_query_destroy(changes->turned);
    fixture_destroy(changes->fixture);
    free(changes);
}

const struct bench_side change_walk_cosm = {
    .create = create,
    .run = run,
    .checksum = checksum,
    .destroy = destroy,
};

// iter2 with the component that it writes tracked.
static void *create_tracked(uint32_t n) {
    struct fixture *fixture = fixture_create(n);
    fixture_spawn_bulk(fixture);
    if (cosm_change_track(fixture->batch, fixture->position) != COSM_OK) {
        abort();
    }
    return fixture;
}

static void run_tracked(void *state, uint32_t times) {
    struct fixture *fixture = state;
    cosm_rows rows;
    for (uint32_t i = 0; i < times; i++) {
        cosm_query_walk(fixture->movers, fixture->worlds, &rows);
        while (cosm_rows_next(&rows)) {
            work_move(COSM_COLUMN_WRITE(&rows, Position, 0), COSM_COLUMN_READ(&rows, Velocity, 1),
                      rows.count, WORK_DT);
        }
        BENCH_BARRIER();
    }
}

static uint64_t checksum_tracked(void *state) {
    return fixture_hash(state);
}

static void destroy_tracked(void *state) {
    fixture_destroy(state);
}

const struct bench_side change_iter2_cosm = {
    .create = create_tracked,
    .run = run_tracked,
    .checksum = checksum_tracked,
    .destroy = destroy_tracked,
};
