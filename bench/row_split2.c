// split2: pos += vel * dt, with a column of its own for each of the six floats.
#include "fixture.h"
#include "rows.h"

#include <stdlib.h>

// The numbers of the fields, in the order in which they are described.
enum { FIELD_X, FIELD_Y, FIELD_Z };

static void *create(uint32_t n) {
    struct fixture *fixture = fixture_create_split(n);
    cosm_rows rows;
    bench_need(cosm_entity_spawn_many(fixture->world, fixture->mover, n, &rows) == COSM_OK, "rows");
    for (uint32_t i = 0; i < n; i++) {
        Position position = work_position(i);
        Velocity velocity = work_velocity(i);
        bench_need(cosm_rows_set(&rows, i, fixture->position, &position) == COSM_OK, "position");
        bench_need(cosm_rows_set(&rows, i, fixture->velocity, &velocity) == COSM_OK, "velocity");
    }
    return fixture;
}

static void run(void *state, uint32_t times) {
    struct fixture *fixture = state;
    cosm_rows rows;
    for (uint32_t i = 0; i < times; i++) {
        cosm_query_walk(fixture->movers, fixture->worlds, &rows);
        while (cosm_rows_next(&rows)) {
            work_move_split(COSM_FIELD_WRITE(&rows, float, 0, FIELD_X),
                            COSM_FIELD_WRITE(&rows, float, 0, FIELD_Y),
                            COSM_FIELD_WRITE(&rows, float, 0, FIELD_Z),
                            COSM_FIELD_READ(&rows, float, 1, FIELD_X),
                            COSM_FIELD_READ(&rows, float, 1, FIELD_Y),
                            COSM_FIELD_READ(&rows, float, 1, FIELD_Z), rows.count, WORK_DT);
        }
        BENCH_BARRIER();
    }
}

static uint64_t checksum(void *state) {
    struct fixture *fixture = state;
    uint64_t sum = 0;
    cosm_rows rows;
    cosm_query_walk(fixture->movers, fixture->worlds, &rows);
    while (cosm_rows_next(&rows)) {
        sum += rows.count;
        for (uint32_t i = 0; i < rows.count; i++) {
            Position position;
            Velocity velocity;
            bench_need(cosm_rows_get(&rows, i, fixture->position, &position), "position");
            bench_need(cosm_rows_get(&rows, i, fixture->velocity, &velocity), "velocity");
            sum += work_hash_movers(&position, &velocity, 1) - 1;
        }
    }
    return sum;
}

static void destroy(void *state) {
    fixture_destroy(state);
}

const struct bench_side split2_cosm = {
    .create = create,
    .run = run,
    .checksum = checksum,
    .destroy = destroy,
};
