// gather in plain C: worlds that are a block of memory each, and a memcpy from each of them.
#include "limit.h"
#include "rows.h"

#include <stdlib.h>
#include <string.h>

struct gather_world {
    uint32_t count;
    Position position[WORK_WORLD_ROWS];
    Velocity velocity[WORK_WORLD_ROWS];
};

struct gather_worlds {
    struct gather_world **worlds;
    uint32_t count;
    Position *buffer;
    int64_t *offsets;
};

static void *create(uint32_t n) {
    struct gather_worlds *all = bench_alloc(1, sizeof *all);
    all->count = n / WORK_WORLD_ROWS;
    all->worlds = bench_alloc(all->count, sizeof(struct gather_world *));
    all->buffer = bench_alloc(n, sizeof(Position));
    all->offsets = bench_alloc(all->count + 1, sizeof(int64_t));
    for (uint32_t w = 0; w < all->count; w++) {
        struct gather_world *world = bench_alloc(1, sizeof *world);
        world->count = WORK_WORLD_ROWS;
        work_fill_from(world->position, world->velocity, w * WORK_WORLD_ROWS, WORK_WORLD_ROWS);
        all->worlds[w] = world;
    }
    return all;
}

static void gather(void *state, uint32_t times) {
    struct gather_worlds *all = state;
    for (uint32_t i = 0; i < times; i++) {
        int64_t at = 0;
        for (uint32_t w = 0; w < all->count; w++) {
            const struct gather_world *world = all->worlds[w];
            all->offsets[w] = at;
            memcpy(all->buffer + at, world->position, world->count * sizeof(Position));
            at += world->count;
        }
        all->offsets[all->count] = at;
        BENCH_BARRIER();
    }
}

static uint64_t checksum(void *state) {
    const struct gather_worlds *all = state;
    return work_hash_positions(all->buffer, (uint32_t)all->offsets[all->count]);
}

static void destroy(void *state) {
    struct gather_worlds *all = state;
    for (uint32_t w = 0; w < all->count; w++) {
        free(all->worlds[w]);
    }
    free(all->worlds);
    free(all->buffer);
    free(all->offsets);
    free(all);
}

const struct bench_side gather_limit = {create, NULL, gather, checksum, destroy, NULL};
