// Many small worlds in plain C: making them, the bytes they take, a step of all by one thread and
// by two.
//
// A world is one block: its counts, its columns, and its handles, of which records and ids are as
// in limit.h. All sizes are known, so the block is a struct.
#include "limit.h"
#include "pair.h"
#include "rows.h"

#include <malloc.h>
#include <stdlib.h>

struct limit_world {
    uint32_t count;     // rows
    uint32_t id_count;  // ids handed out so far
    uint32_t free_head; // first free id below id_count, or LIMIT_NONE
    uint32_t ids[WORK_WORLD_ROWS];
    struct limit_record records[WORK_WORLD_ROWS];
    Position position[WORK_WORLD_ROWS];
    Velocity velocity[WORK_WORLD_ROWS];
};

struct limit_worlds {
    struct limit_world **worlds;
    uint32_t count;
    struct pair *pair;
};

static struct limit_world *make_world(uint32_t index) {
    struct limit_world *world = malloc(sizeof *world);
    bench_need(world != NULL, "memory");
    world->count = WORK_WORLD_ROWS;
    world->id_count = WORK_WORLD_ROWS;
    world->free_head = LIMIT_NONE;
    for (uint32_t i = 0; i < WORK_WORLD_ROWS; i++) {
        world->ids[i] = i;
        world->records[i] = (struct limit_record){0, i};
    }
    work_fill_from(world->position, world->velocity, index * WORK_WORLD_ROWS, WORK_WORLD_ROWS);
    return world;
}

static void make_all(void *state, uint32_t times) {
    (void)times;
    struct limit_worlds *worlds = state;
    worlds->worlds = bench_alloc(worlds->count, sizeof(struct limit_world *));
    for (uint32_t w = 0; w < worlds->count; w++) {
        worlds->worlds[w] = make_world(w);
    }
}

static void drop_all(void *state) {
    struct limit_worlds *worlds = state;
    for (uint32_t w = 0; worlds->worlds != NULL && w < worlds->count; w++) {
        free(worlds->worlds[w]);
    }
    free(worlds->worlds);
    worlds->worlds = NULL;
}

// The C library would hand the same blocks out again, pages and all.
static void drop_all_cold(void *state) {
    drop_all(state);
    malloc_trim(0);
}

static void *create_none(uint32_t n) {
    struct limit_worlds *worlds = bench_alloc(1, sizeof *worlds);
    *worlds = (struct limit_worlds){.count = n};
    return worlds;
}

static uint64_t checksum(void *state) {
    const struct limit_worlds *worlds = state;
    uint64_t sum = 0;
    for (uint32_t w = 0; w < worlds->count; w++) {
        const struct limit_world *world = worlds->worlds[w];
        sum += work_hash_movers(world->position, world->velocity, world->count);
    }
    return sum;
}

static void destroy(void *state) {
    struct limit_worlds *worlds = state;
    if (worlds->pair != NULL) {
        pair_destroy(worlds->pair);
    }
    drop_all(worlds);
    free(worlds);
}

static double bytes(uint32_t n, uint64_t *out_checksum) {
    struct limit_worlds *worlds = create_none(n);
    make_all(worlds, 1);
    // The C library keeps a word in front of every block.
    double used = (double)(malloc_usable_size(worlds->worlds[0]) + sizeof(size_t));
    used += sizeof(struct limit_world *);
    *out_checksum = checksum(worlds);
    destroy(worlds);
    return used - WORK_WORLD_ROWS * (double)(sizeof(Position) + sizeof(Velocity));
}

static void move_worlds(const struct limit_worlds *worlds, uint32_t first, uint32_t end) {
    for (uint32_t w = first; w < end; w++) {
        struct limit_world *world = worlds->worlds[w];
        work_move(world->position, world->velocity, world->count, WORK_DT);
    }
}

static void move_half(void *context, uint32_t half) {
    const struct limit_worlds *worlds = context;
    uint32_t middle = worlds->count / 2;
    move_worlds(worlds, half == 0 ? 0 : middle, half == 0 ? middle : worlds->count);
}

// Here n counts rows.
static void *create_full(uint32_t n) {
    struct limit_worlds *worlds = create_none(n / WORK_WORLD_ROWS);
    make_all(worlds, 1);
    return worlds;
}

static void *create_pair(uint32_t n) {
    struct limit_worlds *worlds = create_full(n);
    worlds->pair = pair_create(move_half, worlds);
    return worlds;
}

static void step(void *state, uint32_t times) {
    struct limit_worlds *worlds = state;
    for (uint32_t i = 0; i < times; i++) {
        move_worlds(worlds, 0, worlds->count);
        BENCH_BARRIER();
    }
}

static void step_pair(void *state, uint32_t times) {
    struct limit_worlds *worlds = state;
    for (uint32_t i = 0; i < times; i++) {
        pair_run(worlds->pair);
        BENCH_BARRIER();
    }
}

const struct bench_side world_make_limit = {create_none, drop_all_cold, make_all,
                                            checksum,    destroy,       NULL};

const struct bench_side world_mem_limit = {.bytes = bytes};

const struct bench_side worlds_limit = {create_full, NULL, step, checksum, destroy, NULL};

const struct bench_side worlds_2_limit = {create_pair, NULL, step_pair, checksum, destroy, NULL};
