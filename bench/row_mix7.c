// mix7: seven systems over five components in six archetypes, as mix.h describes them.
#include "bench.h"
#include "mix.h"
#include "rows.h"

#include <cosm/cosm.h>
#include <stdlib.h>

struct mix {
    cosm_engine *engine;
    cosm_batch *batch;
    cosm_worlds worlds;
    cosm_component position;
    cosm_component velocity;
    cosm_component mind;
    cosm_component health;
    cosm_component damage;
    cosm_query *move;
    cosm_query *bounce;
    cosm_query *think;
    cosm_query *wander;
    cosm_query *remember;
    cosm_query *hurt;
    cosm_query *heal;
    cosm_query *all;
};

// A query that writes `written` and reads `read`, which may be zero.
static cosm_query *make_query(struct mix *mix, cosm_component written, cosm_component read) {
    cosm_query_desc desc = {
        .terms = {{.component = written, .access = COSM_ACCESS_WRITE}, {.component = read}}};
    cosm_query *query = cosm_query_create(mix->engine, &desc);
    bench_need(query != NULL, "query");
    return query;
}

static struct mix_columns columns_of(const cosm_rows *rows, const struct mix *mix) {
    return (struct mix_columns){
        .position = cosm_rows_column(rows, mix->position),
        .velocity = cosm_rows_column(rows, mix->velocity),
        .mind = cosm_rows_column(rows, mix->mind),
        .health = cosm_rows_column(rows, mix->health),
        .damage = cosm_rows_column(rows, mix->damage),
        .count = rows->count,
    };
}

static void spawn_set(struct mix *mix, uint32_t set, uint32_t count) {
    const cosm_component bits[] = {mix->position, mix->velocity, mix->mind, mix->health,
                                   mix->damage};
    cosm_archetype_desc desc = {0};
    uint32_t used = 0;
    for (uint32_t i = 0; i < 5; i++) {
        if (set & (1u << i)) {
            desc.components[used++] = bits[i];
        }
    }
    cosm_archetype archetype = cosm_archetype_define(mix->engine, &desc);
    cosm_rows rows;
    cosm_result result =
        cosm_entity_spawn_many(cosm_batch_world(mix->batch, 0), archetype, count, &rows);
    bench_need(result == COSM_OK, "rows");
    struct mix_columns columns = columns_of(&rows, mix);
    mix_fill(&columns);
}

static void *create(uint32_t n) {
    struct mix *mix = bench_alloc(1, sizeof *mix);
    mix->engine = cosm_engine_create(&(cosm_engine_desc){.worker_count = 1});
    bench_need(mix->engine != NULL, "engine");
    mix->batch = cosm_batch_create(mix->engine, NULL);
    bench_need(mix->batch != NULL, "batch");
    mix->worlds = cosm_worlds_all(mix->batch);
    mix->position = COSM_COMPONENT_DEFINE(mix->engine, Position);
    mix->velocity = COSM_COMPONENT_DEFINE(mix->engine, Velocity);
    mix->mind = COSM_COMPONENT_DEFINE(mix->engine, Mind);
    mix->health = COSM_COMPONENT_DEFINE(mix->engine, Health);
    mix->damage = COSM_COMPONENT_DEFINE(mix->engine, Damage);
    for (uint32_t i = 0; i < MIX_SET_COUNT; i++) {
        spawn_set(mix, mix_sets[i], n / 10 * mix_tenths[i]);
    }
    mix->move = make_query(mix, mix->position, mix->velocity);
    mix->bounce = make_query(mix, mix->velocity, mix->position);
    mix->think = make_query(mix, mix->mind, (cosm_component){0});
    mix->wander = make_query(mix, mix->velocity, mix->mind);
    mix->remember = make_query(mix, mix->mind, mix->position);
    mix->hurt = make_query(mix, mix->health, mix->damage);
    mix->heal = make_query(mix, mix->health, (cosm_component){0});
    mix->all = make_query(mix, (cosm_component){0}, (cosm_component){0});
    return mix;
}

static void move_and_bounce(struct mix *mix, cosm_rows *rows) {
    cosm_query_walk(mix->move, mix->worlds, rows);
    while (cosm_rows_next(rows)) {
        work_move(COSM_COLUMN_WRITE(rows, Position, 0), COSM_COLUMN_READ(rows, Velocity, 1),
                  rows->count, WORK_DT);
    }
    cosm_query_walk(mix->bounce, mix->worlds, rows);
    while (cosm_rows_next(rows)) {
        mix_bounce(COSM_COLUMN_READ(rows, Position, 1), COSM_COLUMN_WRITE(rows, Velocity, 0),
                   rows->count);
    }
}

static void think_and_wander(struct mix *mix, cosm_rows *rows) {
    cosm_query_walk(mix->think, mix->worlds, rows);
    while (cosm_rows_next(rows)) {
        mix_think(COSM_COLUMN_WRITE(rows, Mind, 0), rows->count, WORK_DT);
    }
    cosm_query_walk(mix->wander, mix->worlds, rows);
    while (cosm_rows_next(rows)) {
        mix_wander(COSM_COLUMN_WRITE(rows, Velocity, 0), COSM_COLUMN_READ(rows, Mind, 1),
                   rows->count);
    }
    cosm_query_walk(mix->remember, mix->worlds, rows);
    while (cosm_rows_next(rows)) {
        mix_remember(COSM_COLUMN_READ(rows, Position, 1), COSM_COLUMN_WRITE(rows, Mind, 0),
                     rows->count);
    }
}

static void hurt_and_heal(struct mix *mix, cosm_rows *rows) {
    cosm_query_walk(mix->hurt, mix->worlds, rows);
    while (cosm_rows_next(rows)) {
        mix_hurt(COSM_COLUMN_WRITE(rows, Health, 0), COSM_COLUMN_READ(rows, Damage, 1),
                 rows->count);
    }
    cosm_query_walk(mix->heal, mix->worlds, rows);
    while (cosm_rows_next(rows)) {
        mix_heal(COSM_COLUMN_WRITE(rows, Health, 0), rows->count);
    }
}

static void run(void *state, uint32_t times) {
    cosm_rows rows;
    for (uint32_t i = 0; i < times; i++) {
        move_and_bounce(state, &rows);
        think_and_wander(state, &rows);
        hurt_and_heal(state, &rows);
        BENCH_BARRIER();
    }
}

static uint64_t checksum(void *state) {
    struct mix *mix = state;
    uint64_t sum = 0;
    cosm_rows rows;
    cosm_query_walk(mix->all, mix->worlds, &rows);
    while (cosm_rows_next(&rows)) {
        struct mix_columns columns = columns_of(&rows, mix);
        sum += mix_hash(&columns);
    }
    return sum;
}

static void destroy(void *state) {
    struct mix *mix = state;
    cosm_query *const queries[] = {mix->move,     mix->bounce, mix->think, mix->wander,
                                   mix->remember, mix->hurt,   mix->heal,  mix->all};
    for (uint32_t i = 0; i < sizeof queries / sizeof queries[0]; i++) {
        cosm_query_destroy(queries[i]);
    }
    bench_need(cosm_batch_destroy(mix->batch) == COSM_OK, "end of the batch");
    bench_need(cosm_engine_destroy(mix->engine) == COSM_OK, "end of the engine");
    free(mix);
}

const struct bench_side mix7_cosm = {
    .create = create,
    .run = run,
    .checksum = checksum,
    .destroy = destroy,
};
