// spawn_sector, spawn_shared and spawn_template in plain C: a column of forces by id with a
// presence bit, a table for each team, and two values copied from one place.
#include "limit.h"
#include "rows.h"

#include <stdlib.h>

struct spawner {
    struct limit_movers tables[WORK_TEAM_COUNT]; // the first one alone, but for spawn_shared
    uint32_t table_count;
    struct limit_handle *handles;
    Force *forces; // by id
    uint64_t *present;
    Position position;
    Velocity velocity;
    uint32_t n;
};

static struct spawner *create_spawner(uint32_t n, uint32_t table_count) {
    struct spawner *spawner = bench_alloc(1, sizeof *spawner);
    *spawner = (struct spawner){.n = n, .table_count = table_count};
    for (uint32_t t = 0; t < table_count; t++) {
        limit_movers_create(&spawner->tables[t], n / table_count + 2);
    }
    spawner->handles = bench_alloc(n, sizeof *spawner->handles);
    spawner->forces = bench_alloc(n, sizeof *spawner->forces);
    spawner->present = bench_alloc(n / 64 + 1, sizeof *spawner->present);
    memset(spawner->present, 0, (n / 64 + 1) * sizeof *spawner->present);
    spawner->position = work_position(1);
    spawner->velocity = work_velocity(1);
    return spawner;
}

static void spawn_sectors(void *state, uint32_t times) {
    (void)times;
    struct spawner *spawner = state;
    for (uint32_t i = 0; i < spawner->n; i++) {
        struct limit_handle handle =
            limit_movers_spawn(&spawner->tables[0], work_position(i), work_velocity(i));
        spawner->forces[handle.id] = work_force(i);
        spawner->present[handle.id >> 6] |= (uint64_t)1 << (handle.id & 63u);
        spawner->handles[i] = handle;
    }
}

static void spawn_teams(void *state, uint32_t times) {
    (void)times;
    struct spawner *spawner = state;
    for (uint32_t i = 0; i < spawner->n; i++) {
        spawner->handles[i] = limit_movers_spawn(&spawner->tables[i % WORK_TEAM_COUNT],
                                                 work_position(i), work_velocity(i));
    }
}

static void spawn_templates(void *state, uint32_t times) {
    (void)times;
    struct spawner *spawner = state;
    for (uint32_t i = 0; i < spawner->n; i++) {
        spawner->handles[i] =
            limit_movers_spawn(&spawner->tables[0], spawner->position, spawner->velocity);
    }
}

static void despawn_each(void *state) {
    struct spawner *spawner = state;
    for (uint32_t i = 0; i < spawner->n; i++) {
        struct limit_handle handle = spawner->handles[i];
        spawner->present[handle.id >> 6] &= ~((uint64_t)1 << (handle.id & 63u));
        limit_movers_despawn(&spawner->tables[i % spawner->table_count], handle);
    }
}

static void *create_sector(uint32_t n) {
    struct spawner *spawner = create_spawner(n, 1);
    spawn_sectors(spawner, 1);
    return spawner;
}

static void *create_shared(uint32_t n) {
    struct spawner *spawner = create_spawner(n, WORK_TEAM_COUNT);
    for (uint32_t t = 0; t < WORK_TEAM_COUNT; t++) {
        (void)limit_movers_spawn(&spawner->tables[t], work_position(0), work_velocity(0));
    }
    spawn_teams(spawner, 1);
    return spawner;
}

static void *create_template(uint32_t n) {
    struct spawner *spawner = create_spawner(n, 1);
    spawn_templates(spawner, 1);
    return spawner;
}

static uint64_t checksum(void *state) {
    struct spawner *spawner = state;
    uint64_t sum = 0;
    for (uint32_t t = 0; t < spawner->table_count; t++) {
        sum += limit_movers_hash(&spawner->tables[t]);
    }
    return sum;
}

static uint64_t checksum_sector(void *state) {
    struct spawner *spawner = state;
    uint64_t sum = checksum(state);
    for (uint32_t id = 0; id < spawner->n; id++) {
        if ((spawner->present[id >> 6] >> (id & 63u) & 1u) != 0) {
            sum += work_hash_forces(&spawner->forces[id], 1);
        }
    }
    return sum;
}

static void destroy(void *state) {
    struct spawner *spawner = state;
    for (uint32_t t = 0; t < spawner->table_count; t++) {
        limit_movers_destroy(&spawner->tables[t]);
    }
    free(spawner->handles);
    free(spawner->forces);
    free(spawner->present);
    free(spawner);
}

const struct bench_side spawn_sector_limit = {create_sector,   despawn_each, spawn_sectors,
                                              checksum_sector, destroy,      NULL};

const struct bench_side spawn_shared_limit = {create_shared, despawn_each, spawn_teams,
                                              checksum,      destroy,      NULL};

const struct bench_side spawn_template_limit = {create_template, despawn_each, spawn_templates,
                                                checksum,        destroy,      NULL};
