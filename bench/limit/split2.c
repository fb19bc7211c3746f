// split2 in plain C: six arrays, one loop.
#include "limit.h"
#include "rows.h"

#include <stdlib.h>

struct arrays {
    uint32_t count;
    float *position[3];
    float *velocity[3];
};

static void *create(uint32_t n) {
    struct arrays *arrays = bench_alloc(1, sizeof *arrays);
    arrays->count = n;
    for (uint32_t a = 0; a < 3; a++) {
        arrays->position[a] = bench_alloc(n, sizeof(float));
        arrays->velocity[a] = bench_alloc(n, sizeof(float));
    }
    for (uint32_t i = 0; i < n; i++) {
        Position position = work_position(i);
        Velocity velocity = work_velocity(i);
        arrays->position[0][i] = position.x;
        arrays->position[1][i] = position.y;
        arrays->position[2][i] = position.z;
        arrays->velocity[0][i] = velocity.x;
        arrays->velocity[1][i] = velocity.y;
        arrays->velocity[2][i] = velocity.z;
    }
    return arrays;
}

static void run(void *state, uint32_t times) {
    struct arrays *arrays = state;
    for (uint32_t i = 0; i < times; i++) {
        work_move_split(arrays->position[0], arrays->position[1], arrays->position[2],
                        arrays->velocity[0], arrays->velocity[1], arrays->velocity[2],
                        arrays->count, WORK_DT);
        BENCH_BARRIER();
    }
}

static uint64_t checksum(void *state) {
    const struct arrays *arrays = state;
    uint64_t sum = arrays->count;
    for (uint32_t i = 0; i < arrays->count; i++) {
        Position position = {arrays->position[0][i], arrays->position[1][i],
                             arrays->position[2][i]};
        Velocity velocity = {arrays->velocity[0][i], arrays->velocity[1][i],
                             arrays->velocity[2][i]};
        sum += work_hash_movers(&position, &velocity, 1) - 1;
    }
    return sum;
}

static void destroy(void *state) {
    struct arrays *arrays = state;
    for (uint32_t a = 0; a < 3; a++) {
        free(arrays->position[a]);
        free(arrays->velocity[a]);
    }
    free(arrays);
}

const struct bench_side split2_limit = {
    .create = create,
    .run = run,
    .checksum = checksum,
    .destroy = destroy,
};
