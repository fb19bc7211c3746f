// fork_1000 in plain C: the rows of one world copied to all others, array by array.
//
// The same bytes as Cosm keeps of a mover: both components, a handle of 8 bytes and a record of 12;
// of a world: how many rows it has. All worlds lie one behind the other in each array.
#include "limit.h"
#include "rows.h"

#include <stdlib.h>
#include <string.h>

struct fork_record {
    uint32_t gen;
    uint32_t table;
    uint32_t row;
};

struct fork_worlds {
    uint32_t world_count;
    uint32_t *counts;
    Position *position;
    Velocity *velocity;
    struct limit_handle *handles;
    struct fork_record *records;
};

static void *create(uint32_t n) {
    struct fork_worlds *worlds = bench_alloc(1, sizeof *worlds);
    uint32_t world_count = n + 1;
    uint32_t rows = world_count * WORK_WORLD_ROWS;
    *worlds = (struct fork_worlds){
        .world_count = world_count,
        .counts = bench_alloc(world_count, sizeof *worlds->counts),
        .position = bench_alloc(rows, sizeof(Position)),
        .velocity = bench_alloc(rows, sizeof(Velocity)),
        .handles = bench_alloc(rows, sizeof(struct limit_handle)),
        .records = bench_alloc(rows, sizeof(struct fork_record)),
    };
    work_fill_from(worlds->position, worlds->velocity, 0, rows);
    for (uint32_t i = 0; i < rows; i++) {
        uint32_t row = i % WORK_WORLD_ROWS;
        worlds->handles[i] = (struct limit_handle){1, row};
        worlds->records[i] = (struct fork_record){1, 1, row};
    }
    for (uint32_t w = 0; w < world_count; w++) {
        worlds->counts[w] = WORK_WORLD_ROWS;
    }
    return worlds;
}

// How many rows the source has is known when the program runs, not before.
static void fork_all(struct fork_worlds *worlds) {
    uint32_t count = worlds->counts[0];
    for (uint32_t w = 1; w < worlds->world_count; w++) {
        size_t first = (size_t)w * WORK_WORLD_ROWS;
        memcpy(worlds->position + first, worlds->position, count * sizeof(Position));
        memcpy(worlds->velocity + first, worlds->velocity, count * sizeof(Velocity));
        memcpy(worlds->handles + first, worlds->handles, count * sizeof(struct limit_handle));
        memcpy(worlds->records + first, worlds->records, count * sizeof(struct fork_record));
        worlds->counts[w] = count;
    }
}

static void run(void *state, uint32_t times) {
    for (uint32_t i = 0; i < times; i++) {
        fork_all(state);
        BENCH_BARRIER();
    }
}

static uint64_t checksum(void *state) {
    const struct fork_worlds *worlds = state;
    uint64_t sum = 0;
    for (uint32_t w = 0; w < worlds->world_count; w++) {
        size_t first = (size_t)w * WORK_WORLD_ROWS;
        sum +=
            work_hash_movers(worlds->position + first, worlds->velocity + first, worlds->counts[w]);
    }
    return sum;
}

static void destroy(void *state) {
    struct fork_worlds *worlds = state;
    free(worlds->counts);
    free(worlds->position);
    free(worlds->velocity);
    free(worlds->handles);
    free(worlds->records);
    free(worlds);
}

const struct bench_side fork_limit = {create, NULL, run, checksum, destroy, NULL};
