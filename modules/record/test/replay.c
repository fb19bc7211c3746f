// Replays: recorded runs of scenes, run again with other workers and placements, from any step; and
// recordings that are cut off or damaged.
// ctest: threads
#include <cosm/cosm.h>
#include <cosm_record/diverge.h>
#include <cosm_record/recorder.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "support/tape.h"

#if defined(__SANITIZE_THREAD__)
#define RUN_STEPS 40u
#else
#define RUN_STEPS 200u
#endif

static scene_settings small_settings(const scene_desc *desc, cosm_placement placement,
                                     uint32_t worker_count) {
    bool is_large = strcmp(desc->name, "swarm") == 0;
    return (scene_settings){
        .world_count = is_large ? 1 : 3,
        .seed = 7,
        .placement = placement,
        .entity_count = is_large ? 200 : 0,
        .engine = {.worker_count = worker_count},
    };
}

// Records a run of a scene with a program that meddles; the hashes after every step.
static void record_scene(const scene_desc *desc, cosm_placement placement, const char *path,
                         const cosm_recorder_desc *recorder_desc, uint64_t *hashes) {
    scene_settings settings = small_settings(desc, placement, 1);
    scene_run *run = scene_create(desc, &settings);
    REQUIRE(run != NULL);
    struct meddler meddler;
    meddler_open(&meddler, scene_engine(run), 11);
    cosm_recorder *recorder = cosm_recorder_create(scene_batch(run), path, recorder_desc);
    CHECK(recorder != NULL);
    hashes[0] = cosm_hash_batch(scene_batch(run), COSM_HASH_EXACT);
    for (uint32_t i = 1; i <= RUN_STEPS; i++) {
        meddler_act(&meddler, scene_batch(run));
        CHECK_DONE(scene_step(run));
        hashes[i] = cosm_hash_batch(scene_batch(run), COSM_HASH_EXACT);
    }
    CHECK_DONE(cosm_recorder_close(recorder));
    meddler_close(&meddler);
    scene_destroy(run);
}

// A scene to replay into, and its recording.
struct theatre {
    scene_run *run;
    struct meddler meddler;
    cosm_replay *replay;
};

static bool open_theatre(struct theatre *theatre, const scene_desc *desc, cosm_placement placement,
                         uint32_t worker_count, const char *path) {
    scene_settings settings = small_settings(desc, placement, worker_count);
    settings.seed = 99;
    theatre->run = scene_create(desc, &settings);
    CHECK(theatre->run != NULL);
    meddler_open(&theatre->meddler, scene_engine(theatre->run), 3);
    theatre->replay = cosm_replay_open(scene_engine(theatre->run), path, NULL);
    CHECK_STR(theatre->replay == NULL ? cosm_error_message() : "", "");
    return theatre->replay != NULL;
}

static void close_theatre(struct theatre *theatre) {
    cosm_replay_close(theatre->replay);
    meddler_close(&theatre->meddler);
    scene_destroy(theatre->run);
}

static void replay_scene(const scene_desc *desc, cosm_placement placement, uint32_t worker_count,
                         const char *path, const uint64_t *hashes) {
    struct theatre theatre;
    REQUIRE(open_theatre(&theatre, desc, placement, worker_count, path));
    cosm_batch *batch = scene_batch(theatre.run);
    CHECK_DONE(cosm_replay_seek(theatre.replay, batch, 0));
    CHECK_INT(cosm_hash_batch(batch, COSM_HASH_EXACT), hashes[0]);
    uint32_t same = 0;
    for (uint32_t i = 1; i <= RUN_STEPS; i++) {
        CHECK_DONE(cosm_replay_step(theatre.replay, batch));
        same += cosm_hash_batch(batch, COSM_HASH_EXACT) == hashes[i];
    }
    CHECK_INT(same, RUN_STEPS);
    CHECK_INT(cosm_replay_step(theatre.replay, batch), COSM_STALE);
    CHECK_INT(cosm_replay_inputs(theatre.replay, batch), COSM_STALE);
    CHECK_VALID(batch);
    close_theatre(&theatre);
}

// To random steps, and on from there: by the recording, and by something else.
static void seek_scene(const scene_desc *desc, cosm_placement placement, const char *path,
                       const uint64_t *hashes) {
    struct theatre theatre;
    struct dice dice = {harness_seed()};
    REQUIRE(open_theatre(&theatre, desc, placement, 2, path));
    cosm_batch *batch = scene_batch(theatre.run);
    for (uint32_t i = 0; i < 6; i++) {
        uint32_t step = dice_roll(&dice, RUN_STEPS - 5);
        CHECK_DONE(cosm_replay_seek(theatre.replay, batch, step));
        CHECK_INT(cosm_hash_batch(batch, COSM_HASH_EXACT), hashes[step]);
        CHECK_INT(cosm_batch_step_count(batch), step);
        CHECK_VALID(batch);
        for (uint32_t k = 1; k <= 3; k++) {
            CHECK_DONE(cosm_replay_inputs(theatre.replay, batch));
            CHECK_DONE(cosm_batch_step(batch));
            CHECK_INT(cosm_hash_batch(batch, COSM_HASH_EXACT), hashes[step + k]);
        }
        cosm_entity spawned = cosm_entity_spawn(cosm_batch_world(batch, 0), theatre.meddler.pushed);
        CHECK(!cosm_entity_is_none(spawned));
        CHECK_DONE(cosm_batch_step(batch));
        CHECK(cosm_hash_batch(batch, COSM_HASH_EXACT) != hashes[step + 4]);
    }
    close_theatre(&theatre);
}

static void try_scene(const scene_desc *desc, cosm_placement placement) {
    char path[TAPE_PATH_MAX];
    uint64_t hashes[RUN_STEPS + 1] = {0};
    tape_path(path);
    record_scene(desc, placement, path, &(cosm_recorder_desc){.keyframe_steps = 64}, hashes);
    for (uint32_t workers = 1; workers <= 4; workers *= 2) {
        replay_scene(desc, placement, workers, path, hashes);
    }
    cosm_placement other =
        placement == COSM_PLACEMENT_FIXED ? COSM_PLACEMENT_GROWING : COSM_PLACEMENT_FIXED;
    replay_scene(desc, other, 2, path, hashes);
    seek_scene(desc, placement, path, hashes);
    (void)remove(path);
}

TEST(scenes_replay_to_equal_hashes_with_any_workers_and_either_placement) {
    for (uint32_t i = 0; i < scene_count(); i++) {
        try_scene(scene_at(i), COSM_PLACEMENT_GROWING);
        try_scene(scene_at(i), COSM_PLACEMENT_FIXED);
    }
}

TEST(with_a_history_every_state_is_had_without_running_a_system) {
    for (uint32_t i = 0; i < scene_count(); i++) {
        char path[TAPE_PATH_MAX];
        uint64_t hashes[RUN_STEPS + 1] = {0};
        tape_path(path);
        record_scene(scene_at(i), COSM_PLACEMENT_GROWING, path,
                     &(cosm_recorder_desc){.keyframe_steps = 50, .history = true}, hashes);
        struct theatre theatre;
        REQUIRE(open_theatre(&theatre, scene_at(i), COSM_PLACEMENT_FIXED, 1, path));
        CHECK(cosm_replay_describe(theatre.replay).has_history);
        struct dice dice = {harness_seed()};
        for (uint32_t k = 0; k < 12; k++) {
            uint32_t step = k == 0 ? RUN_STEPS : dice_roll(&dice, RUN_STEPS + 1);
            cosm_snapshot *state = cosm_replay_snapshot(theatre.replay, step);
            CHECK(state != NULL);
            CHECK_INT(cosm_snapshot_describe(state).step_count, step);
            CHECK_INT(cosm_hash_snapshot(state, COSM_HASH_EXACT), hashes[step]);
            cosm_snapshot_destroy(state);
        }
        cosm_batch *batch = scene_batch(theatre.run);
        CHECK_DONE(cosm_replay_seek(theatre.replay, batch, RUN_STEPS / 2 + 1));
        CHECK_INT(cosm_hash_batch(batch, COSM_HASH_EXACT), hashes[RUN_STEPS / 2 + 1]);
        CHECK_VALID(batch);
        CHECK_DONE(cosm_replay_step(theatre.replay, batch));
        close_theatre(&theatre);
        (void)remove(path);
    }
}

// A small recording of a fixture, as bytes.
struct tape {
    struct fixture box;
    unsigned char *bytes;
    size_t size;
};

static void count_up(cosm_rows *rows) {
    Position *position = COSM_COLUMN_WRITE(rows, Position, 0);
    for (uint32_t i = 0; i < rows->count; i++) {
        position[i].x += 1.0f;
    }
}

static void tape_open(struct tape *tape, uint32_t step_count, const cosm_recorder_desc *desc) {
    char path[TAPE_PATH_MAX];
    tape_path(path);
    fixture_open_with(&tape->box, 0, &(cosm_engine_desc){.worker_count = 1},
                      &(cosm_batch_desc){.world_count = 2});
    cosm_system_desc system = {.name = "count up", .each = count_up};
    system.queries[0].terms[0] =
        (cosm_term){.component = tape->box.position, .access = COSM_ACCESS_WRITE};
    CHECK(cosm_system_define(tape->box.engine, &system).id != 0);
    cosm_entity mover = fixture_spawn(&tape->box, 1);
    cosm_recorder *recorder = cosm_recorder_create(tape->box.batch, path, desc);
    CHECK(recorder != NULL);
    for (uint32_t i = 0; i < step_count; i++) {
        Velocity velocity = {(float)(i / 2), 0, 0};
        CHECK_DONE(cosm_entity_set(tape->box.world, mover, tape->box.velocity, &velocity));
        CHECK_DONE(cosm_batch_step(tape->box.batch));
    }
    CHECK_DONE(cosm_recorder_close(recorder));
    tape->bytes = tape_read(path, &tape->size);
    (void)remove(path);
}

static void tape_close(struct tape *tape) {
    free(tape->bytes);
    fixture_close(&tape->box);
}

// Bytes that may be anything: refused with a message, or a recording all of whose steps are right
// or refused. Returns its last step, or -1.
static int64_t play_bytes(struct tape *tape, const unsigned char *bytes, size_t size) {
    cosm_error_clear();
    cosm_replay *replay = cosm_replay_open_bytes(tape->box.engine, bytes, size, NULL);
    if (replay == NULL) {
        CHECK_INT(cosm_error_result(), COSM_ERROR_FORMAT);
        CHECK_CONTAINS(cosm_error_message(), "cosm_replay_open_bytes: ");
        return -1;
    }
    int64_t last = (int64_t)cosm_replay_describe(replay).last_step;
    if (cosm_replay_describe(replay).world_count == cosm_batch_world_count(tape->box.batch)) {
        cosm_result result =
            cosm_replay_seek(replay, tape->box.batch, cosm_replay_describe(replay).first_step);
        while (result == COSM_OK) {
            result = cosm_replay_step(replay, tape->box.batch);
        }
        last = result == COSM_STALE ? last : -2;
        cosm_snapshot_destroy(cosm_replay_snapshot(replay, (uint64_t)(last < 0 ? 0 : last)));
        CHECK_VALID(tape->box.batch);
    }
    cosm_replay_close(replay);
    return last;
}

TEST(a_recording_that_is_cut_off_is_good_up_to_its_last_whole_step) {
    struct tape tape;
    tape_open(&tape, 12, &(cosm_recorder_desc){.keyframe_steps = 5});
    CHECK_INT(play_bytes(&tape, tape.bytes, tape.size), 12);
    int64_t before = -1;
    for (size_t size = 0; size <= tape.size; size += size % 64 == 0 ? 1 : 21) {
        unsigned char *cut = malloc(size + 1);
        REQUIRE(cut != NULL);
        memcpy(cut, tape.bytes, size);
        int64_t last = play_bytes(&tape, cut, size);
        CHECK(last >= before && last != -2);
        before = last > before ? last : before;
        free(cut);
    }
    CHECK_INT(before, 12);
    tape_close(&tape);
}

TEST(a_recording_with_a_wrong_byte_is_refused_or_ends_before_it) {
    struct tape tape;
    tape_open(&tape, 6, &(cosm_recorder_desc){.keyframe_steps = 4, .history = true});
    uint32_t refused = 0;
    size_t stride = harness_is_long() ? 1 : 7;
    for (size_t at = 0; at < tape.size; at += stride) {
        tape.bytes[at] ^= (unsigned char)(1u << at % 8);
        int64_t last = play_bytes(&tape, tape.bytes, tape.size);
        CHECK(last >= -1 && last <= 6);
        refused += last == -1;
        tape.bytes[at] ^= (unsigned char)(1u << at % 8);
    }
    CHECK(refused > tape.size / stride / 2);
    tape_close(&tape);
}

TEST(a_damaged_block_is_named) {
    struct tape tape;
    tape_open(&tape, 6, NULL);
    // In the bytes of the first block behind the header.
    tape.bytes[64 + 64 + 3] ^= 1;
    cosm_error_clear();
    CHECK(cosm_replay_open_bytes(tape.box.engine, tape.bytes, tape.size, NULL) == NULL);
    CHECK_FAILURE(COSM_ERROR_FORMAT, "cosm_replay_open_bytes", "block 0 'INFO' at byte 64",
                  "another copy");
    tape_close(&tape);
}

TEST(a_run_with_other_systems_is_a_conflict_that_names_the_step) {
    struct tape tape;
    tape_open(&tape, 6, NULL);
    cosm_replay *replay = cosm_replay_open_bytes(tape.box.engine, tape.bytes, tape.size, NULL);
    REQUIRE(replay != NULL);
    CHECK_DONE(cosm_replay_seek(replay, tape.box.batch, 2));
    cosm_system system = cosm_system_find(tape.box.engine, "count up");
    CHECK_DONE(cosm_system_enable(tape.box.engine, system, false));
    CHECK_FAILS(cosm_replay_step(replay, tape.box.batch), COSM_ERROR_CONFLICT, "cosm_replay_step",
                "after step 3", "cosm_diverge_replays");
    CHECK_FAILS(cosm_replay_seek(replay, tape.box.batch, 5), COSM_ERROR_CONFLICT,
                "cosm_replay_seek", "after step 1", "first in world 0");
    cosm_replay_close(replay);
    tape_close(&tape);
}

TEST(inputs_fit_only_the_state_that_they_were_recorded_in) {
    struct tape tape;
    tape_open(&tape, 6, NULL);
    cosm_replay *replay = cosm_replay_open_bytes(tape.box.engine, tape.bytes, tape.size, NULL);
    REQUIRE(replay != NULL);
    CHECK_DONE(cosm_replay_seek(replay, tape.box.batch, 2));
    fixture_spawn(&tape.box, 5);
    cosm_error_clear();
    uint64_t hash = cosm_hash_batch(tape.box.batch, COSM_HASH_EXACT);
    CHECK_INT(cosm_replay_inputs(replay, tape.box.batch), COSM_ERROR_CONFLICT);
    CHECK_INT(cosm_hash_batch(tape.box.batch, COSM_HASH_EXACT), hash);
    cosm_replay_close(replay);
    tape_close(&tape);
}

TEST(what_a_replay_cannot_do_is_refused) {
    struct tape tape;
    tape_open(&tape, 4, NULL);
    cosm_engine *engine = tape.box.engine;
    cosm_replay *replay = cosm_replay_open_bytes(engine, tape.bytes, tape.size, NULL);
    REQUIRE(replay != NULL);
    cosm_error_clear();
    CHECK(cosm_replay_open(engine, "/nowhere/at/all", NULL) == NULL);
    CHECK_FAILURE(COSM_ERROR_IO, "cosm_replay_open", "/nowhere/at/all", "is readable");
    CHECK(cosm_replay_open(NULL, "a", NULL) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_replay_open", "engine is NULL", "pass both");
    CHECK(cosm_replay_open_bytes(engine, NULL, 0, NULL) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_replay_open_bytes", "bytes is NULL", "pass both");
    CHECK_FAILS(cosm_replay_seek(replay, tape.box.batch, 5), COSM_ERROR_ARGUMENT,
                "cosm_replay_seek", "step 5 is not in the recording, which has steps 0 to 4",
                "one of those");
    CHECK_FAILS(cosm_replay_seek(replay, NULL, 1), COSM_ERROR_ARGUMENT, "cosm_replay_seek",
                "batch is NULL", "pass both");
    CHECK_FAILS(cosm_replay_step(NULL, tape.box.batch), COSM_ERROR_ARGUMENT, "cosm_replay_step",
                "replay is NULL", "pass both");
    CHECK(cosm_replay_snapshot(replay, 3) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_replay_snapshot", "step 3 was not kept",
                  "desc.history");
    CHECK(cosm_replay_snapshot(replay, 9) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_replay_snapshot", "step 9 is not", "0 to 4");
    CHECK(cosm_replay_snapshot(NULL, 0) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_replay_snapshot", "replay is NULL",
                  "cosm_replay_open");
    cosm_batch *small = cosm_batch_create(engine, NULL);
    CHECK_FAILS(cosm_replay_seek(replay, small, 1), COSM_ERROR_ARGUMENT, "cosm_replay_seek",
                "the batch has 1 worlds, but the recording has 2", "as many worlds");
    CHECK_DONE(cosm_batch_destroy(small));
    // A batch that is nowhere in the recording.
    CHECK_DONE(cosm_batch_step(tape.box.batch));
    CHECK_FAILS(cosm_replay_step(replay, tape.box.batch), COSM_ERROR_ARGUMENT, "cosm_replay_step",
                "step 5", "0 to 4");
    cosm_load_desc desc = {.codec_count = 1};
    CHECK(cosm_replay_open_bytes(engine, tape.bytes, tape.size, &desc) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_replay_open_bytes", "desc.codecs is NULL",
                  "pass both");
    cosm_replay_close(replay);
    cosm_replay_close(NULL);
    CHECK_INT(cosm_replay_describe(NULL).world_count, 0);
    CHECK_INT(cosm_replay_describe(NULL).first_step, 0);
    CHECK_INT(cosm_replay_describe(NULL).last_step, 0);
    CHECK_INT(cosm_replay_describe(NULL).seed, 0);
    CHECK(cosm_replay_describe(NULL).note == NULL);
    CHECK(!cosm_replay_describe(NULL).has_history && !cosm_replay_describe(NULL).is_whole);
    CHECK_INT(cosm_replay_hash(NULL, 0), 0);
    CHECK_INT(cosm_replay_world_hash(NULL, 0, 0), 0);
    tape_close(&tape);
}

// Large enough for its columns to lie in the file as they are.
static void record_crowd(struct tape *tape, const cosm_recorder_desc *desc) {
    char path[TAPE_PATH_MAX];
    tape_path(path);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(tape->box.world, tape->box.mover, 5000, &rows));
    cosm_recorder *recorder = cosm_recorder_create(tape->box.batch, path, desc);
    CHECK_DONE(cosm_batch_step(tape->box.batch));
    CHECK_DONE(cosm_recorder_close(recorder));
    free(tape->bytes);
    tape->bytes = tape_read(path, &tape->size);
    (void)remove(path);
}

TEST(a_snapshot_of_a_recording_outlives_it) {
    struct tape tape;
    tape_open(&tape, 6, NULL);
    record_crowd(&tape, &(cosm_recorder_desc){.history = true});
    for (uint64_t step = 6; step <= 7; step++) {
        // Aligned, so that bytes can be used where they lie.
        unsigned char *bytes = aligned_alloc(64, (tape.size + 63) / 64 * 64);
        REQUIRE(bytes != NULL);
        memcpy(bytes, tape.bytes, tape.size);
        cosm_replay *replay = cosm_replay_open_bytes(tape.box.engine, bytes, tape.size, NULL);
        REQUIRE(replay != NULL);
        uint64_t hash = cosm_replay_hash(replay, step);
        cosm_snapshot *state = cosm_replay_snapshot(replay, step);
        cosm_replay_close(replay);
        memset(bytes, 0xAA, tape.size);
        free(bytes);
        CHECK_DONE(cosm_snapshot_restore(state, 0, tape.box.all));
        cosm_snapshot_destroy(state);
        CHECK_INT(cosm_hash_batch(tape.box.batch, COSM_HASH_EXACT), hash);
    }
    tape_close(&tape);
}

// Spawns once per world and step: the lanes behind the first give all their ids back.
static void spawn_one(cosm_rows *rows) {
    const struct fixture *box = rows->context;
    for (uint32_t i = 0; i < rows->count; i++) {
        if (rows->entities[i].id == 0) {
            cosm_entity spawned = cosm_commands_spawn(cosm_turn_commands(rows->turn),
                                                      cosm_rows_world(rows, i), box->stone);
            CHECK(!cosm_entity_is_none(spawned));
        }
    }
}

TEST(ids_that_come_into_use_again_are_in_a_history) {
    struct fixture box;
    char path[TAPE_PATH_MAX];
    tape_path(path);
    fixture_open(&box, 0, 1);
    cosm_system_desc desc = {
        .name = "spawn one", .each = spawn_one, .context = &box, .commands = true};
    desc.queries[0].terms[0] = (cosm_term){.component = box.velocity};
    CHECK(cosm_system_define(box.engine, &desc).id != 0);
    uint32_t count = 3 * cosm_archetype_describe(box.engine, box.mover).chunk_rows;
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, count, &rows));
    CHECK_DONE(cosm_batch_step(box.batch));
    CHECK_DONE(cosm_world_reset(box.world));
    cosm_recorder *recorder =
        cosm_recorder_create(box.batch, path, &(cosm_recorder_desc){.history = true});
    REQUIRE(recorder != NULL);
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, count, &rows));
    CHECK_DONE(cosm_batch_step(box.batch));
    CHECK_DONE(cosm_recorder_close(recorder));
    cosm_replay *replay = cosm_replay_open(box.engine, path, NULL);
    REQUIRE(replay != NULL);
    CHECK_DONE(cosm_replay_seek(replay, box.batch, 2));
    CHECK_VALID(box.batch);
    CHECK_INT(cosm_hash_batch(box.batch, COSM_HASH_EXACT), cosm_replay_hash(replay, 2));
    cosm_replay_close(replay);
    fixture_close(&box);
    (void)remove(path);
}
