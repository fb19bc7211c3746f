// Replays of worlds with something in every storage, changed by the program and by systems with
// commands: the hashes are those of the recorded run, in the engine that recorded and in another
// one.
#include <cosm/cosm.h>
#include <cosm_record/recorder.h>
#include <cosm_record/replay.h>

#include <stdio.h>
#include <string.h>

#include "harness.h"
#include "support/mixed.h"
#include "support/tape.h"

#define RUN_STEPS 60u

static void note(cosm_result result) {
    CHECK(result == COSM_OK);
}

// What becomes of an entity, by its world's random stream.
static void churn_one(const struct mixed *mixed, const cosm_turn *turn, cosm_world world,
                      cosm_entity entity) {
    static const int sets[] = {MIXED_TEAM,  MIXED_PAINT,   MIXED_OWNED, MIXED_HEAT,
                               MIXED_SMOKE, MIXED_COUNTER, MIXED_TOKEN};
    static const int adds[] = {MIXED_MARK, MIXED_WET, MIXED_HEAT, MIXED_TEAM, MIXED_OWNED};
    cosm_commands *commands = cosm_turn_commands(turn);
    cosm_random random = cosm_turn_random(turn, world, entity.id);
    uint64_t value = cosm_random_below(&random, 5);
    uint32_t what = cosm_random_below(&random, 40);
    if (what < 5) {
        int which = adds[what];
        if (cosm_entity_has(world, entity, mixed->components[which])) {
            note(cosm_commands_remove(commands, world, entity, mixed->components[which]));
        } else {
            note(cosm_commands_add(commands, world, entity, mixed->components[which]));
        }
    } else if (what < 12) {
        int which = sets[what - 5];
        note(cosm_commands_set(commands, world, entity, mixed->components[which], &value));
    } else if (what == 12) {
        note(cosm_commands_despawn(commands, world, entity));
    } else if (what == 13) {
        cosm_entity spawned = cosm_commands_spawn(commands, world, mixed->heavy);
        note(cosm_commands_set_parent(commands, world, spawned, entity));
    }
}

static void churn(cosm_rows *rows) {
    const struct mixed *mixed = rows->context;
    Position *position = COSM_COLUMN_WRITE(rows, Position, 0);
    for (uint32_t i = 0; i < rows->count; i++) {
        position[i].x += 1.0f;
        churn_one(mixed, rows->turn, cosm_rows_world(rows, i), rows->entities[i]);
    }
}

static void define_churn(struct mixed *mixed) {
    cosm_system_desc desc = {.name = "churn", .each = churn, .context = mixed, .commands = true};
    desc.queries[0].terms[0] =
        (cosm_term){.component = mixed->components[MIXED_POSITION], .access = COSM_ACCESS_WRITE};
    // Rows without handles are not for commands.
    desc.queries[0].terms[1] = (cosm_term){.component = mixed->components[MIXED_COUNTER]};
    CHECK(cosm_system_define(mixed->engine, &desc).id != 0);
}

static uint64_t record_mixed(struct mixed *mixed, const char *path, struct dice *dice,
                             bool history) {
    struct mixed_cast cast;
    for (uint32_t i = 0; i < MIXED_ENTITY_COUNT; i++) {
        cast.entities[i] = COSM_ENTITY_NONE;
    }
    for (uint32_t i = 0; i < 60; i++) {
        mixed_act(mixed, dice, &cast);
    }
    cosm_recorder *recorder = cosm_recorder_create(
        mixed->batch, path, &(cosm_recorder_desc){.keyframe_steps = 16, .history = history});
    CHECK(recorder != NULL);
    for (uint32_t i = 0; i < RUN_STEPS; i++) {
        uint32_t acts = dice_roll(dice, 6);
        for (uint32_t k = 0; k < acts; k++) {
            mixed_act(mixed, dice, &cast);
        }
        CHECK_DONE(cosm_batch_step(mixed->batch));
    }
    uint64_t count = cosm_recorder_describe(recorder).step_count;
    CHECK_DONE(cosm_recorder_close(recorder));
    return count;
}

static void replay_mixed(struct mixed *mixed, const char *path, uint64_t count, struct dice *dice) {
    cosm_replay *replay = cosm_replay_open(mixed->engine, path, NULL);
    REQUIRE(replay != NULL);
    uint64_t first = cosm_replay_describe(replay).first_step;
    CHECK_DONE(cosm_replay_seek(replay, mixed->batch, first));
    uint64_t done = 0;
    cosm_result result;
    while ((result = cosm_replay_step(replay, mixed->batch)) == COSM_OK) {
        done++;
    }
    CHECK_STR(result == COSM_STALE ? "" : cosm_error_message(), "");
    CHECK_INT(done, count);
    CHECK_VALID(mixed->batch);
    for (uint32_t i = 0; i < 4; i++) {
        uint64_t step = first + dice_roll(dice, (uint32_t)count);
        CHECK_DONE(cosm_replay_seek(replay, mixed->batch, step));
        CHECK_INT(cosm_hash_batch(mixed->batch, COSM_HASH_EXACT), cosm_replay_hash(replay, step));
        CHECK_VALID(mixed->batch);
        CHECK_DONE(cosm_replay_step(replay, mixed->batch));
    }
    cosm_replay_close(replay);
}

TEST(all_storages_replay_exactly_in_the_engine_that_recorded_and_in_another) {
    struct dice dice = {harness_seed()};
    uint32_t rounds = harness_is_long() ? 200 : 8;
    for (uint32_t round = 0; round < rounds; round++) {
        char path[TAPE_PATH_MAX];
        tape_path(path);
        struct mixed source;
        struct mixed other;
        mixed_open(&source, 2, false, NULL);
        mixed_open(&other, 2, false, NULL);
        define_churn(&source);
        define_churn(&other);
        uint64_t count = record_mixed(&source, path, &dice, round % 2 == 1);
        replay_mixed(&other, path, count, &dice);
        replay_mixed(&source, path, count, &dice);
        mixed_close(&source);
        mixed_close(&other);
        (void)remove(path);
    }
}
