// Replays of worlds with something in every storage, changed by the program and by systems with
// commands: the hashes are those of the recorded run, in the engine that recorded and in another
// one.
#include <cosm/cosm.h>

#include <stdio.h>
#include <string.h>

#include "harness.h"
#include "support/mosaic.h"
#include "support/tape.h"

#define RUN_STEPS 60u

static void note(cosm_result result) {
    CHECK(result == COSM_OK);
}

// What becomes of an entity, by its world's random stream.
static void churn_one(const struct mosaic *mosaic, const cosm_turn *turn, cosm_world world,
                      cosm_entity entity) {
    static const int sets[] = {MOSAIC_TEAM,  MOSAIC_PAINT,   MOSAIC_OWNED, MOSAIC_HEAT,
                               MOSAIC_SMOKE, MOSAIC_COUNTER, MOSAIC_TOKEN};
    static const int adds[] = {MOSAIC_MARK, MOSAIC_WET, MOSAIC_HEAT, MOSAIC_TEAM, MOSAIC_OWNED};
    cosm_commands *commands = cosm_turn_commands(turn);
    cosm_random random = cosm_turn_random(turn, world, entity.id);
    uint64_t value = cosm_random_below(&random, 5);
    uint32_t what = cosm_random_below(&random, 40);
    if (what < 5) {
        int which = adds[what];
        if (cosm_entity_has(world, entity, mosaic->components[which])) {
            note(cosm_commands_remove(commands, world, entity, mosaic->components[which]));
        } else {
            note(cosm_commands_add(commands, world, entity, mosaic->components[which]));
        }
    } else if (what < 12) {
        int which = sets[what - 5];
        note(cosm_commands_set(commands, world, entity, mosaic->components[which], &value));
    } else if (what == 12) {
        note(cosm_commands_despawn(commands, world, entity));
    } else if (what == 13) {
        cosm_entity spawned = cosm_commands_spawn(commands, world, mosaic->heavy);
        note(cosm_commands_set_parent(commands, world, spawned, entity));
    }
}

static void churn(cosm_rows *rows) {
    const struct mosaic *mosaic = rows->context;
    Position *position = COSM_COLUMN_WRITE(rows, Position, 0);
    for (uint32_t i = 0; i < rows->count; i++) {
        position[i].x += 1.0f;
        churn_one(mosaic, rows->turn, cosm_rows_world(rows, i), rows->entities[i]);
    }
}

static void define_churn(struct mosaic *mosaic) {
    cosm_system_desc desc = {.name = "churn", .each = churn, .context = mosaic, .commands = true};
    desc.queries[0].terms[0] =
        (cosm_term){.component = mosaic->components[MOSAIC_POSITION], .access = COSM_ACCESS_WRITE};
    // Rows without handles are not for commands.
    desc.queries[0].terms[1] = (cosm_term){.component = mosaic->components[MOSAIC_COUNTER]};
    CHECK(cosm_system_define(mosaic->engine, &desc).id != 0);
}

static uint64_t record_mosaic(struct mosaic *mosaic, const char *path, struct dice *dice,
                              bool history) {
    struct mosaic_cast cast;
    for (uint32_t i = 0; i < MOSAIC_ENTITY_COUNT; i++) {
        cast.entities[i] = COSM_ENTITY_NONE;
    }
    for (uint32_t i = 0; i < 60; i++) {
        mosaic_act(mosaic, dice, &cast);
    }
    cosm_recorder *recorder = cosm_recorder_create(
        mosaic->batch, path, &(cosm_recorder_desc){.keyframe_steps = 16, .history = history});
    CHECK(recorder != NULL);
    for (uint32_t i = 0; i < RUN_STEPS; i++) {
        uint32_t acts = dice_roll(dice, 6);
        for (uint32_t k = 0; k < acts; k++) {
            mosaic_act(mosaic, dice, &cast);
        }
        CHECK_DONE(cosm_batch_step(mosaic->batch));
    }
    uint64_t count = cosm_recorder_describe(recorder).step_count;
    CHECK_DONE(cosm_recorder_close(recorder));
    return count;
}

static void replay_mosaic(struct mosaic *mosaic, const char *path, uint64_t count,
                          struct dice *dice) {
    cosm_replay *replay = cosm_replay_open(mosaic->engine, path, NULL);
    REQUIRE(replay != NULL);
    uint64_t first = cosm_replay_describe(replay).first_step;
    CHECK_DONE(cosm_replay_seek(replay, mosaic->batch, first));
    uint64_t done = 0;
    cosm_result result;
    while ((result = cosm_replay_step(replay, mosaic->batch)) == COSM_OK) {
        done++;
    }
    CHECK_STR(result == COSM_STALE ? "" : cosm_error_message(), "");
    CHECK_INT(done, count);
    CHECK_VALID(mosaic->batch);
    for (uint32_t i = 0; i < 4; i++) {
        uint64_t step = first + dice_roll(dice, (uint32_t)count);
        CHECK_DONE(cosm_replay_seek(replay, mosaic->batch, step));
        CHECK_INT(cosm_hash_batch(mosaic->batch, COSM_HASH_EXACT), cosm_replay_hash(replay, step));
        CHECK_VALID(mosaic->batch);
        CHECK_DONE(cosm_replay_step(replay, mosaic->batch));
    }
    cosm_replay_close(replay);
}

TEST(all_storages_replay_exactly_in_the_engine_that_recorded_and_in_another) {
    struct dice dice = {harness_seed()};
    uint32_t rounds = harness_is_long() ? 200 : 8;
    for (uint32_t round = 0; round < rounds; round++) {
        char path[TAPE_PATH_MAX];
        tape_path(path);
        struct mosaic source;
        struct mosaic other;
        mosaic_open(&source, 2, false, NULL);
        mosaic_open(&other, 2, false, NULL);
        define_churn(&source);
        define_churn(&other);
        uint64_t count = record_mosaic(&source, path, &dice, round % 2 == 1);
        replay_mosaic(&other, path, count, &dice);
        replay_mosaic(&source, path, count, &dice);
        mosaic_close(&source);
        mosaic_close(&other);
        (void)remove(path);
    }
}
