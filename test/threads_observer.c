// Threads: observers of many worlds are told the same, and leave the same state, whatever the
// number of workers and the split.
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "support/fixture.h"

// Large, so that a chunk holds few rows and a world of some hundred has many.
typedef struct Bulk {
    uint32_t value;
    uint32_t rest[127];
} Bulk;

#define STEPS 6u
#define WORLDS_MAX 70u

// Of one world: touched by whoever has that world.
struct tale {
    uint64_t hash;
    uint64_t events;
};

struct stage {
    struct fixture box;
    cosm_component bulk;
    cosm_component echo;
    cosm_archetype grain; // Bulk
    cosm_archetype sound; // Position and Echo
    struct tale tales[WORLDS_MAX];
};

static void tale_add(struct tale *tale, uint64_t word) {
    tale->hash = (tale->hash ^ word) * 0x9E3779B97F4A7C15u;
    tale->hash ^= tale->hash >> 29;
}

// Writes down all that can be seen of an event, but for the archetype's id.
static void tell_tale(struct stage *stage, const cosm_event *event) {
    struct tale *tale = &stage->tales[event->world.index];
    tale_add(tale, (uint64_t)event->observer.id << 32 | (uint64_t)event->kind);
    tale_add(tale, event->count);
    for (uint32_t i = 0; i < event->count; i++) {
        const Health *health = COSM_EVENT_VALUE(event, i, Health);
        tale_add(tale, (uint64_t)event->entities[i].gen << 32 | event->entities[i].id);
        tale_add(tale, health == NULL ? 1 : health->points);
    }
    tale->events += event->count;
}

static void on_health(const cosm_event *event) {
    struct stage *stage = event->context;
    tell_tale(stage, event);
    for (uint32_t i = 0; i < event->count; i++) {
        const Health *health = COSM_EVENT_VALUE(event, i, Health);
        if (event->kind == COSM_EVENT_ADD && health->points % 3 == 0) {
            CHECK(!cosm_entity_is_none(
                cosm_commands_spawn(event->commands, event->world, stage->sound)));
        } else if (event->kind == COSM_EVENT_SET && health->points % 2 == 0) {
            CHECK_DONE(cosm_commands_remove(event->commands, event->world, event->entities[i],
                                            event->component));
        } else if (event->kind == COSM_EVENT_REMOVE && health->points % 4 == 0) {
            CHECK_DONE(cosm_commands_despawn(event->commands, event->world, event->entities[i]));
        }
    }
}

static void on_echo(const cosm_event *event) {
    struct stage *stage = event->context;
    tell_tale(stage, event);
    for (uint32_t i = 0; event->kind == COSM_EVENT_START && i < event->count; i++) {
        if (event->entities[i].id % 2 == 0) {
            CHECK_DONE(cosm_commands_despawn(event->commands, event->world, event->entities[i]));
        }
    }
}

static void on_any(const cosm_event *event) {
    tell_tale(event->context, event);
}

static void stir(cosm_rows *rows) {
    const struct stage *stage = rows->context;
    cosm_commands *commands = cosm_turn_commands(rows->turn);
    for (uint32_t i = 0; i < rows->count; i++) {
        cosm_world world = cosm_rows_world(rows, i);
        cosm_entity entity = rows->entities[i];
        uint32_t roll =
            (entity.id * 7 + entity.gen * 13 + world.index * 3 + (uint32_t)rows->turn->step * 31) %
            11;
        Health health = {entity.id + roll};
        if (roll == 0) {
            CHECK_DONE(cosm_commands_despawn(commands, world, entity));
        } else if (roll == 1) {
            CHECK(!cosm_entity_is_none(cosm_commands_spawn(commands, world, stage->grain)));
        } else if (roll < 5) {
            CHECK_DONE(cosm_commands_set(commands, world, entity, stage->box.health, &health));
        } else if (roll < 7) {
            CHECK_DONE(cosm_commands_remove(commands, world, entity, stage->box.health));
        } else if (roll == 7) {
            CHECK_DONE(cosm_commands_add(commands, world, entity, stage->box.mark));
        }
    }
}

static void stage_open(struct stage *stage, uint32_t workers, cosm_split split, uint32_t worlds,
                       uint32_t rows_each) {
    memset(stage->tales, 0, sizeof(stage->tales));
    struct fixture *box = &stage->box;
    fixture_open_with(box, 0, &(cosm_engine_desc){.worker_count = workers},
                      &(cosm_batch_desc){.world_count = worlds, .split = split, .block_worlds = 3});
    stage->bulk = COSM_COMPONENT_DEFINE(box->engine, Bulk);
    stage->echo = COSM_TAG_DEFINE(box->engine, Echo);
    stage->grain = cosm_archetype_define(
        box->engine, &(cosm_archetype_desc){.name = "grain", .components = {stage->bulk}});
    stage->sound = cosm_archetype_define(
        box->engine,
        &(cosm_archetype_desc){.name = "sound", .components = {box->position, stage->echo}});
    cosm_observer_desc descs[] = {
        {.name = "health", .component = box->health, .run = on_health},
        {.name = "echo",
         .query_desc = {.terms = {{.component = stage->echo, .access = COSM_ACCESS_WRITE},
                                  {.component = box->position, .access = COSM_ACCESS_WRITE}}},
         .run = on_echo,
         .order = -1},
        {.name = "any",
         .query_desc = {.terms = {{.component = stage->bulk},
                                  {.component = box->mark, .kind = COSM_TERM_WITHOUT},
                                  {.component = box->health,
                                   .access = COSM_ACCESS_WRITE,
                                   .kind = COSM_TERM_OPTIONAL}}},
         .run = on_any,
         .order = 5},
    };
    for (uint32_t i = 0; i < 3; i++) {
        descs[i].context = stage;
        CHECK(cosm_observer_define(box->engine, &descs[i]).id != 0);
    }
    CHECK(cosm_system_define(
              box->engine,
              &(cosm_system_desc){.name = "stir",
                                  .each = stir,
                                  .context = stage,
                                  .commands = true,
                                  .queries = {{.terms = {{.component = stage->bulk,
                                                          .access = COSM_ACCESS_WRITE}}}}})
              .id != 0);
    CHECK(cosm_system_define(
              box->engine,
              &(cosm_system_desc){
                  .name = "stir_again",
                  .each = stir,
                  .context = stage,
                  .commands = true,
                  .synced = true,
                  .queries = {{.terms = {{.component = stage->bulk, .access = COSM_ACCESS_WRITE},
                                         {.component = box->health}}}}})
              .id != 0);
    cosm_rows rows;
    for (uint32_t w = 0; w < worlds; w++) {
        CHECK_DONE(
            cosm_entity_spawn_many(fixture_world(box, w), stage->grain, rows_each + w % 5, &rows));
    }
}

// What a run came to, in one number per world and one for the state.
struct outcome {
    uint64_t checksum;
    struct tale tales[WORLDS_MAX];
};

static void run_stage(uint32_t workers, cosm_split split, uint32_t worlds, uint32_t rows_each,
                      struct outcome *outcome) {
    struct stage *stage = malloc(sizeof(*stage));
    REQUIRE(stage != NULL);
    stage_open(stage, workers, split, worlds, rows_each);
    for (uint32_t i = 0; i < STEPS; i++) {
        CHECK_DONE(cosm_batch_step(stage->box.batch));
    }
    outcome->checksum = cosm_hash_batch(stage->box.batch, COSM_HASH_EXACT);
    memcpy(outcome->tales, stage->tales, sizeof(outcome->tales));
    CHECK_VALID(stage->box.batch);
    fixture_close(&stage->box);
    free(stage);
}

static void compare_runs(uint32_t worlds, uint32_t rows_each) {
    static const uint32_t workers[] = {1, 2, 4};
    static const cosm_split splits[] = {COSM_SPLIT_WORLDS, COSM_SPLIT_CHUNKS, COSM_SPLIT_AUTO};
    struct outcome first;
    run_stage(1, COSM_SPLIT_NONE, worlds, rows_each, &first);
    CHECK(first.tales[0].events > 20);
    for (uint32_t i = 0; i < 3; i++) {
        for (uint32_t s = 0; s < 3; s++) {
            struct outcome other;
            run_stage(workers[i], splits[s], worlds, rows_each, &other);
            CHECK_INT(other.checksum, first.checksum);
            for (uint32_t w = 0; w < worlds; w++) {
                CHECK_INT(other.tales[w].events, first.tales[w].events);
                CHECK_INT(other.tales[w].hash, first.tales[w].hash);
            }
        }
    }
}

TEST(many_worlds_tell_the_same_whatever_the_number_of_workers) {
    compare_runs(WORLDS_MAX, 9);
}

TEST(one_large_world_tells_the_same_whatever_the_number_of_workers) {
    compare_runs(1, 600);
}

TEST(a_few_worlds_tell_the_same_whatever_the_number_of_workers) {
    compare_runs(3, 150);
}

static void complain(const cosm_event *event) {
    (void)cosm_error_raise(cosm_batch_engine(event->world.batch), COSM_ERROR_SYSTEM,
                           "complain: world %u.; as it was asked to", event->world.index);
}

TEST(of_failures_in_many_worlds_the_first_in_order_is_told) {
    for (uint32_t workers = 1; workers <= 4; workers += 3) {
        struct stage *stage = malloc(sizeof(*stage));
        REQUIRE(stage != NULL);
        stage_open(stage, workers, COSM_SPLIT_WORLDS, WORLDS_MAX, 9);
        cosm_observer_desc desc = {.name = "complain",
                                   .component = stage->box.health,
                                   .on = COSM_EVENT_ADD,
                                   .run = complain};
        CHECK(cosm_observer_define(stage->box.engine, &desc).id != 0);
        for (uint32_t i = 0; i < 8; i++) {
            CHECK_DONE(cosm_batch_reset(stage->box.batch, NULL));
            cosm_rows rows;
            for (uint32_t w = 3; w < WORLDS_MAX; w++) {
                CHECK_DONE(
                    cosm_entity_spawn_many(fixture_world(&stage->box, w), stage->grain, 40, &rows));
            }
            CHECK_FAILS(cosm_batch_step(stage->box.batch), COSM_ERROR_SYSTEM, "complain",
                        "world 3.", "asked");
        }
        fixture_close(&stage->box);
        free(stage);
    }
}
