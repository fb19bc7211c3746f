// mix7 in plain C: arrays per archetype, and seven loops over those that have what they need.
#include "bench.h"
#include "mix.h"
#include "rows.h"

#include <stdlib.h>

struct tables {
    struct mix_columns list[MIX_SET_COUNT];
};

static void *create(uint32_t n) {
    struct tables *tables = bench_alloc(1, sizeof *tables);
    for (uint32_t i = 0; i < MIX_SET_COUNT; i++) {
        uint32_t set = mix_sets[i];
        uint32_t count = n / 10 * mix_tenths[i];
        struct mix_columns *table = &tables->list[i];
        *table = (struct mix_columns){.count = count};
        table->position = (set & MIX_POSITION) ? bench_alloc(count, sizeof(Position)) : NULL;
        table->velocity = (set & MIX_VELOCITY) ? bench_alloc(count, sizeof(Velocity)) : NULL;
        table->mind = (set & MIX_MIND) ? bench_alloc(count, sizeof(Mind)) : NULL;
        table->health = (set & MIX_HEALTH) ? bench_alloc(count, sizeof(Health)) : NULL;
        table->damage = (set & MIX_DAMAGE) ? bench_alloc(count, sizeof(Damage)) : NULL;
        mix_fill(table);
    }
    return tables;
}

// Which tables a system visits is fixed by the program: there is no question asked at run time.
static void frame(struct mix_columns *t) {
    for (uint32_t i = 0; i <= 3; i++) {
        work_move(t[i].position, t[i].velocity, t[i].count, WORK_DT);
    }
    for (uint32_t i = 0; i <= 3; i++) {
        mix_bounce(t[i].position, t[i].velocity, t[i].count);
    }
    for (uint32_t i = 1; i <= 5; i++) {
        mix_think(t[i].mind, t[i].count, WORK_DT);
    }
    for (uint32_t i = 1; i <= 3; i++) {
        mix_wander(t[i].velocity, t[i].mind, t[i].count);
    }
    for (uint32_t i = 1; i <= 4; i++) {
        mix_remember(t[i].position, t[i].mind, t[i].count);
    }
    for (uint32_t i = 3; i <= 5; i += 2) {
        mix_hurt(t[i].health, t[i].damage, t[i].count);
    }
    mix_heal(t[2].health, t[2].count);
    mix_heal(t[3].health, t[3].count);
    mix_heal(t[5].health, t[5].count);
}

static void run(void *state, uint32_t times) {
    struct tables *tables = state;
    for (uint32_t i = 0; i < times; i++) {
        frame(tables->list);
        BENCH_BARRIER();
    }
}

static uint64_t checksum(void *state) {
    struct tables *tables = state;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < MIX_SET_COUNT; i++) {
        sum += mix_hash(&tables->list[i]);
    }
    return sum;
}

static void destroy(void *state) {
    struct tables *tables = state;
    for (uint32_t i = 0; i < MIX_SET_COUNT; i++) {
        struct mix_columns *table = &tables->list[i];
        free(table->position);
        free(table->velocity);
        free(table->mind);
        free(table->health);
        free(table->damage);
    }
    free(tables);
}

const struct bench_side mix7_limit = {
    .create = create,
    .run = run,
    .checksum = checksum,
    .destroy = destroy,
};
