// iter2: pos += vel * dt, over all movers of a world. At n = 1 it is the cost of asking.
#include "fixture.h"
#include "rows.h"

static void *create(uint32_t n) {
    struct fixture *fixture = fixture_create(n);
    fixture_spawn_bulk(fixture);
    return fixture;
}

static void run(void *state, uint32_t times) {
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

static uint64_t checksum(void *state) {
    return fixture_hash(state);
}

static void destroy(void *state) {
    fixture_destroy(state);
}

const struct bench_side iter2_cosm = {
    .create = create,
    .run = run,
    .checksum = checksum,
    .destroy = destroy,
};
