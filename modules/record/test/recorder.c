// Recorders: what is recorded, what is refused, and that steps go on whatever happens to the file.
#include <cosm/cosm.h>
#include <cosm_record/recorder.h>
#include <cosm_record/replay.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness.h"
#include "support/ledger.h"
#include "support/tape.h"

static void drift(cosm_rows *rows) {
    Position *position = COSM_COLUMN_WRITE(rows, Position, 0);
    const Velocity *velocity = COSM_COLUMN_READ(rows, Velocity, 1);
    for (uint32_t i = 0; i < rows->count; i++) {
        position[i].x += velocity[i].x * rows->dt;
        position[i].y += 1.0f;
    }
}

// A fixture with a system.
static void open_box(struct fixture *box, uint32_t world_count) {
    fixture_open(box, 0, world_count);
    cosm_system_desc desc = {.name = "drift", .each = drift};
    desc.queries[0].terms[0] = (cosm_term){.component = box->position, .access = COSM_ACCESS_WRITE};
    desc.queries[0].terms[1] = (cosm_term){.component = box->velocity};
    CHECK(cosm_system_define(box->engine, &desc).id != 0);
}

static void step_times(cosm_batch *batch, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        CHECK_DONE(cosm_batch_step(batch));
    }
}

// Replays all of a recording into a new batch of the box's engine; how many steps that were.
static uint64_t replay_all(const struct fixture *box, const char *path) {
    cosm_replay *replay = cosm_replay_open(box->engine, path, NULL);
    CHECK(replay != NULL);
    if (replay == NULL) {
        return 0;
    }
    cosm_batch *batch = cosm_batch_create(
        box->engine, &(cosm_batch_desc){.world_count = cosm_replay_describe(replay).world_count});
    CHECK_DONE(cosm_replay_seek(replay, batch, cosm_replay_describe(replay).first_step));
    uint64_t count = 0;
    cosm_result result;
    while ((result = cosm_replay_step(replay, batch)) == COSM_OK) {
        CHECK_INT(cosm_hash_batch(batch, COSM_HASH_EXACT),
                  cosm_replay_hash(replay, cosm_batch_step_count(batch)));
        count++;
    }
    CHECK_STR(result == COSM_STALE ? "" : cosm_error_message(), "");
    CHECK_VALID(batch);
    CHECK_INT(cosm_batch_step_count(batch), cosm_replay_describe(replay).last_step);
    CHECK_DONE(cosm_batch_destroy(batch));
    cosm_replay_close(replay);
    return count;
}

TEST(a_recording_says_what_it_is_of) {
    struct fixture box;
    char path[TAPE_PATH_MAX];
    tape_path(path);
    open_box(&box, 3);
    fixture_spawn(&box, 1);
    step_times(box.batch, 4);
    cosm_recorder *recorder =
        cosm_recorder_create(box.batch, path, &(cosm_recorder_desc){.note = "a box"});
    REQUIRE(recorder != NULL);
    CHECK_INT(cosm_recorder_describe(recorder).step_count, 0);
    uint64_t bytes = cosm_recorder_describe(recorder).bytes;
    step_times(box.batch, 5);
    CHECK_INT(cosm_recorder_describe(recorder).step_count, 5);
    CHECK(cosm_recorder_describe(recorder).bytes > bytes);
    uint64_t hash = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
    CHECK_DONE(cosm_recorder_close(recorder));
    cosm_replay *replay = cosm_replay_open(box.engine, path, NULL);
    REQUIRE(replay != NULL);
    CHECK_INT(cosm_replay_describe(replay).world_count, 3);
    CHECK_INT(cosm_replay_describe(replay).first_step, 4);
    CHECK_INT(cosm_replay_describe(replay).last_step, 9);
    CHECK_INT(cosm_replay_hash(replay, 9), hash);
    CHECK_INT(cosm_replay_hash(replay, 3), 0);
    CHECK_INT(cosm_replay_hash(replay, 10), 0);
    CHECK_INT(cosm_replay_world_hash(replay, 9, 2),
              cosm_hash_world(fixture_world(&box, 2), COSM_HASH_EXACT));
    CHECK_INT(cosm_replay_world_hash(replay, 9, 3), 0);
    CHECK_INT(cosm_replay_describe(replay).seed, cosm_batch_seed(box.batch));
    CHECK_STR(cosm_replay_describe(replay).note, "a box");
    CHECK(!cosm_replay_describe(replay).has_history);
    CHECK(cosm_replay_describe(replay).is_whole);
    cosm_replay_close(replay);
    CHECK_INT(replay_all(&box, path), 5);
    fixture_close(&box);
    (void)remove(path);
}

TEST(whatever_the_program_does_between_steps_is_an_input) {
    struct fixture box;
    char path[TAPE_PATH_MAX];
    tape_path(path);
    open_box(&box, 2);
    cosm_entity a = fixture_spawn(&box, 1);
    cosm_recorder *recorder = cosm_recorder_create(box.batch, path, NULL);
    REQUIRE(recorder != NULL);
    step_times(box.batch, 2);
    CHECK_DONE(cosm_entity_set(box.world, a, box.velocity, &(Velocity){60, 0, 0}));
    cosm_entity b = fixture_spawn(&box, 2);
    step_times(box.batch, 1);
    CHECK_DONE(cosm_entity_add(box.world, b, box.health));
    CHECK_DONE(cosm_entity_despawn(box.world, a));
    step_times(box.batch, 1);
    CHECK_DONE(cosm_world_reset(box.world));
    step_times(box.batch, 2);
    CHECK_DONE(cosm_recorder_close(recorder));
    CHECK_INT(replay_all(&box, path), 6);
    fixture_close(&box);
    (void)remove(path);
}

TEST(commands_that_wait_are_an_input_when_they_are_applied) {
    struct fixture box;
    char path[TAPE_PATH_MAX];
    tape_path(path);
    open_box(&box, 1);
    fixture_spawn(&box, 1);
    cosm_commands *commands = cosm_commands_create(box.batch);
    cosm_recorder *recorder = cosm_recorder_create(
        box.batch, path, &(cosm_recorder_desc){.keyframe_steps = 2, .history = true});
    REQUIRE(recorder != NULL);
    step_times(box.batch, 3);
    CHECK(!cosm_entity_is_none(cosm_commands_spawn(commands, box.world, box.mover)));
    step_times(box.batch, 2);
    CHECK_DONE(cosm_commands_apply(commands, NULL));
    step_times(box.batch, 2);
    CHECK_INT(cosm_batch_entity_count(box.batch), 2);
    CHECK_DONE(cosm_recorder_close(recorder));
    cosm_commands_destroy(commands);
    CHECK_INT(replay_all(&box, path), 7);
    // Whole states are left out while ids are promised: not after step 4, but after step 6.
    cosm_replay *replay = cosm_replay_open(box.engine, path, NULL);
    cosm_snapshot *last = cosm_replay_snapshot(replay, 7);
    CHECK_INT(cosm_snapshot_describe(last).entity_count, 2);
    cosm_snapshot_destroy(last);
    cosm_replay_close(replay);
    fixture_close(&box);
    (void)remove(path);
}

TEST(promises_that_were_kept_before_leave_nothing_in_a_recording) {
    // A first promise leaves where the next one would be, which a state from a file does not have.
    struct fixture box;
    char path[TAPE_PATH_MAX];
    tape_path(path);
    open_box(&box, 1);
    cosm_entity entities[6];
    for (int i = 0; i < 6; i++) {
        entities[i] = fixture_spawn(&box, 1);
    }
    CHECK_DONE(cosm_entity_despawn(box.world, entities[0]));
    CHECK_DONE(cosm_entity_despawn(box.world, entities[4]));
    CHECK_DONE(cosm_entity_despawn(box.world, entities[1]));
    cosm_commands *commands = cosm_commands_create(box.batch);
    cosm_commands_spawn(commands, box.world, box.mover);
    CHECK_DONE(cosm_commands_apply(commands, NULL));
    CHECK_DONE(cosm_entity_despawn(box.world, entities[2]));
    cosm_recorder *recorder =
        cosm_recorder_create(box.batch, path, &(cosm_recorder_desc){.keyframe_steps = 2});
    REQUIRE(recorder != NULL);
    step_times(box.batch, 2);
    cosm_commands_spawn(commands, box.world, box.mover);
    step_times(box.batch, 1);
    cosm_commands_clear(commands);
    CHECK_DONE(cosm_recorder_close(recorder));
    cosm_commands_destroy(commands);
    CHECK_INT(replay_all(&box, path), 3);
    cosm_replay *replay = cosm_replay_open(box.engine, path, NULL);
    cosm_batch *fresh = cosm_batch_create(box.engine, NULL);
    CHECK_DONE(cosm_replay_seek(replay, fresh, 3));
    CHECK_DONE(cosm_batch_destroy(fresh));
    cosm_replay_close(replay);
    fixture_close(&box);
    (void)remove(path);
}

TEST(a_replay_keeps_its_recording_when_another_one_takes_the_name) {
    struct fixture box;
    struct fixture other;
    char path[TAPE_PATH_MAX];
    tape_path(path);
    open_box(&box, 1);
    open_box(&other, 1);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, 20000, &rows));
    cosm_recorder *recorder = cosm_recorder_create(box.batch, path, NULL);
    REQUIRE(recorder != NULL);
    step_times(box.batch, 2);
    CHECK_DONE(cosm_recorder_close(recorder));
    cosm_replay *replay = cosm_replay_open(box.engine, path, NULL);
    REQUIRE(replay != NULL);
    recorder = cosm_recorder_create(other.batch, path, NULL);
    REQUIRE(recorder != NULL);
    CHECK_DONE(cosm_replay_seek(replay, box.batch, 0));
    CHECK_DONE(cosm_replay_seek(replay, box.batch, 2));
    cosm_replay_close(replay);
    CHECK_DONE(cosm_recorder_close(recorder));
    fixture_close(&other);
    fixture_close(&box);
    (void)remove(path);
}

TEST(steps_without_an_input_cost_a_few_bytes) {
    struct fixture box;
    char path[TAPE_PATH_MAX];
    tape_path(path);
    open_box(&box, 1);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, 5000, &rows));
    cosm_recorder *recorder = cosm_recorder_create(box.batch, path, NULL);
    REQUIRE(recorder != NULL);
    uint64_t before = cosm_recorder_describe(recorder).bytes;
    step_times(box.batch, 100);
    CHECK(cosm_recorder_describe(recorder).bytes - before <= 100 * 128);
    CHECK_DONE(cosm_recorder_close(recorder));
    CHECK_INT(replay_all(&box, path), 100);
    fixture_close(&box);
    (void)remove(path);
}

TEST(whole_states_come_every_so_many_steps) {
    struct fixture box;
    char path[TAPE_PATH_MAX];
    tape_path(path);
    open_box(&box, 1);
    fixture_spawn(&box, 1);
    cosm_recorder *recorder =
        cosm_recorder_create(box.batch, path, &(cosm_recorder_desc){.keyframe_steps = 8});
    REQUIRE(recorder != NULL);
    step_times(box.batch, 30);
    CHECK_DONE(cosm_recorder_close(recorder));
    cosm_replay *replay = cosm_replay_open(box.engine, path, NULL);
    REQUIRE(replay != NULL);
    for (uint64_t step = 0; step <= 30; step++) {
        cosm_snapshot *state = cosm_replay_snapshot(replay, step);
        CHECK((state != NULL) == (step % 8 == 0));
        if (state != NULL) {
            CHECK_INT(cosm_hash_snapshot(state, COSM_HASH_EXACT), cosm_replay_hash(replay, step));
        }
        cosm_snapshot_destroy(state);
    }
    cosm_replay_close(replay);
    fixture_close(&box);
    (void)remove(path);
}

TEST(a_loop_is_recorded_with_what_its_frames_do) {
    struct fixture box;
    char path[TAPE_PATH_MAX];
    tape_path(path);
    open_box(&box, 1);
    cosm_entity mover = fixture_spawn(&box, 1);
    // So that dt counts.
    CHECK_DONE(cosm_entity_set(box.world, mover, box.velocity, &(Velocity){10, 0, 0}));
    cosm_system_desc desc = {.name = "per frame", .each = drift, .phase = COSM_PHASE_RENDER};
    desc.queries[0].terms[0] = (cosm_term){.component = box.position, .access = COSM_ACCESS_WRITE};
    desc.queries[0].terms[1] = (cosm_term){.component = box.velocity};
    CHECK(cosm_system_define(box.engine, &desc).id != 0);
    cosm_loop *loop = cosm_loop_create(box.batch, &(cosm_loop_desc){.step_rate = 50});
    REQUIRE(loop != NULL);
    cosm_recorder *recorder = cosm_recorder_create(box.batch, path, NULL);
    REQUIRE(recorder != NULL);
    for (int i = 0; i < 40; i++) {
        CHECK_DONE(cosm_loop_frame(loop, 0.013));
    }
    CHECK_INT(cosm_recorder_describe(recorder).step_count, cosm_batch_step_count(box.batch));
    CHECK(cosm_batch_step_count(box.batch) >= 25);
    uint64_t count = cosm_recorder_describe(recorder).step_count;
    CHECK_DONE(cosm_recorder_close(recorder));
    CHECK_DONE(cosm_loop_destroy(loop));
    CHECK_INT(replay_all(&box, path), count);
    fixture_close(&box);
    (void)remove(path);
}

TEST(phases_that_are_run_by_hand_count_as_inputs) {
    struct fixture box;
    char path[TAPE_PATH_MAX];
    tape_path(path);
    open_box(&box, 1);
    fixture_spawn(&box, 1);
    cosm_recorder *recorder = cosm_recorder_create(box.batch, path, NULL);
    REQUIRE(recorder != NULL);
    CHECK_DONE(cosm_batch_run_phase(box.batch, COSM_PHASE_SIMULATION, 0.5f));
    CHECK_DONE(cosm_batch_run_phase(box.batch, COSM_PHASE_SIMULATION, 0.25f));
    CHECK_DONE(cosm_batch_end_step(box.batch));
    step_times(box.batch, 1);
    CHECK_DONE(cosm_recorder_close(recorder));
    CHECK_INT(replay_all(&box, path), 2);
    fixture_close(&box);
    (void)remove(path);
}

static cosm_result spawn_at_init(void *context, cosm_batch *batch) {
    const struct fixture *box = context;
    return cosm_entity_is_none(cosm_entity_spawn(cosm_batch_world(batch, 0), box->mover))
               ? COSM_ERROR_SYSTEM
               : COSM_OK;
}

TEST(what_init_hooks_do_is_not_done_twice_in_a_replay) {
    struct fixture box;
    char path[TAPE_PATH_MAX];
    tape_path(path);
    open_box(&box, 1);
    cosm_system_desc desc = {
        .name = "settler", .each = drift, .init = spawn_at_init, .context = &box};
    desc.queries[0].terms[0] = (cosm_term){.component = box.position, .access = COSM_ACCESS_WRITE};
    desc.queries[0].terms[1] = (cosm_term){.component = box.velocity};
    CHECK(cosm_system_define(box.engine, &desc).id != 0);
    cosm_recorder *recorder = cosm_recorder_create(box.batch, path, NULL);
    REQUIRE(recorder != NULL);
    step_times(box.batch, 3);
    CHECK_INT(cosm_batch_entity_count(box.batch), 1);
    CHECK_DONE(cosm_recorder_close(recorder));
    CHECK_INT(replay_all(&box, path), 3);
    fixture_close(&box);
    (void)remove(path);
}

TEST(a_program_that_goes_back_records_where_it_went_on) {
    struct fixture box;
    char path[TAPE_PATH_MAX];
    tape_path(path);
    open_box(&box, 1);
    fixture_spawn(&box, 1);
    cosm_recorder *recorder = cosm_recorder_create(
        box.batch, path, &(cosm_recorder_desc){.keyframe_steps = 4, .history = true});
    REQUIRE(recorder != NULL);
    step_times(box.batch, 5);
    cosm_snapshot *five = cosm_snapshot_create(box.all);
    step_times(box.batch, 6);
    CHECK_INT(cosm_recorder_describe(recorder).step_count, 11);
    CHECK_DONE(cosm_snapshot_restore(five, 0, box.all));
    fixture_spawn(&box, 7);
    step_times(box.batch, 2);
    CHECK_INT(cosm_recorder_describe(recorder).step_count, 7);
    cosm_snapshot_destroy(five);
    uint64_t hash = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
    CHECK_DONE(cosm_recorder_close(recorder));
    CHECK_INT(replay_all(&box, path), 7);
    cosm_replay *replay = cosm_replay_open(box.engine, path, NULL);
    CHECK_INT(cosm_replay_hash(replay, 7), hash);
    cosm_snapshot *end = cosm_replay_snapshot(replay, 7);
    CHECK_INT(cosm_hash_snapshot(end, COSM_HASH_EXACT), hash);
    cosm_snapshot_destroy(end);
    cosm_replay_close(replay);
    fixture_close(&box);
    (void)remove(path);
}

TEST(a_step_from_outside_of_the_recording_ends_it_and_not_the_batch) {
    struct fixture box;
    char path[TAPE_PATH_MAX];
    tape_path(path);
    open_box(&box, 1);
    fixture_spawn(&box, 1);
    cosm_snapshot *zero = cosm_snapshot_create(box.all);
    step_times(box.batch, 3);
    cosm_recorder *recorder = cosm_recorder_create(box.batch, path, NULL);
    REQUIRE(recorder != NULL);
    step_times(box.batch, 2);
    CHECK_DONE(cosm_snapshot_restore(zero, 0, box.all));
    cosm_error_clear();
    step_times(box.batch, 4);
    CHECK_SILENT();
    cosm_snapshot_destroy(zero);
    CHECK_FAILS(cosm_recorder_close(recorder), COSM_ERROR_ARGUMENT, "cosm_recorder_close",
                "ends with step 5", "close the recorder before you restore");
    CHECK_INT(replay_all(&box, path), 2);
    fixture_close(&box);
    (void)remove(path);
}

TEST(a_batch_may_have_several_recorders_and_outlives_them) {
    struct fixture box;
    char path[TAPE_PATH_MAX];
    char other[TAPE_PATH_MAX];
    tape_path(path);
    tape_path(other);
    open_box(&box, 1);
    cosm_entity mover = fixture_spawn(&box, 1);
    cosm_recorder *first = cosm_recorder_create(box.batch, path, NULL);
    REQUIRE(first != NULL);
    step_times(box.batch, 2);
    cosm_recorder *second =
        cosm_recorder_create(box.batch, other, &(cosm_recorder_desc){.history = true});
    REQUIRE(second != NULL);
    CHECK_DONE(cosm_entity_set(box.world, mover, box.velocity, &(Velocity){60, 0, 0}));
    step_times(box.batch, 3);
    CHECK_FAILS(cosm_batch_destroy(box.batch), COSM_ERROR_BUSY, "cosm_batch_destroy",
                "watched by a recorder", "cosm_recorder_close");
    CHECK_DONE(cosm_recorder_close(first));
    step_times(box.batch, 1);
    CHECK_DONE(cosm_recorder_close(second));
    CHECK_INT(replay_all(&box, path), 5);
    CHECK_INT(replay_all(&box, other), 4);
    fixture_close(&box);
    (void)remove(path);
    (void)remove(other);
}

TEST(a_recorder_that_cannot_be_made_says_why) {
    struct fixture box;
    char path[TAPE_PATH_MAX];
    tape_path(path);
    open_box(&box, 1);
    cosm_error_clear();
    CHECK(cosm_recorder_create(NULL, path, NULL) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_recorder_create", "batch is NULL", "pass a batch");
    CHECK(cosm_recorder_create(box.batch, NULL, NULL) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_recorder_create", "path is NULL", "name of a file");
    CHECK(cosm_recorder_create(box.batch, "/nowhere/at/all", NULL) == NULL);
    CHECK_FAILURE(COSM_ERROR_IO, "cosm_recorder_create", "/nowhere/at/all", "folder exists");
    cosm_codec codec = {.name = "a name that is too long"};
    CHECK(cosm_recorder_create(box.batch, path, &(cosm_recorder_desc){.codec = &codec}) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_save_write_to", "codec",
                  "set all fields of cosm_codec");
    cosm_query *query = fixture_query(&box, box.position, (cosm_component){0});
    fixture_spawn(&box, 1);
    cosm_rows rows;
    cosm_query_walk(query, box.all, &rows);
    CHECK(cosm_recorder_create(box.batch, path, NULL) == NULL);
    CHECK_FAILURE(COSM_ERROR_WALKED, "cosm_snapshot_create", "walk", "");
    cosm_rows_end(&rows);
    cosm_query_destroy(query);
    CHECK_INT(cosm_recorder_close(NULL), COSM_OK);
    CHECK_INT(cosm_recorder_describe(NULL).step_count, 0);
    CHECK_INT(cosm_recorder_describe(NULL).bytes, 0);
    CHECK(access(path, F_OK) != 0);
    fixture_close(&box);
}

static cosm_result closed_within;
static cosm_recorder *to_close;

static void close_within(const cosm_turn *turn) {
    (void)turn;
    closed_within = cosm_recorder_close(to_close);
}

TEST(a_recorder_is_not_closed_within_a_step) {
    struct fixture box;
    char path[TAPE_PATH_MAX];
    tape_path(path);
    fixture_open(&box, 0, 1);
    CHECK(cosm_system_define(box.engine, &(cosm_system_desc){.name = "closer", .run = close_within})
              .id != 0);
    to_close = cosm_recorder_create(box.batch, path, NULL);
    REQUIRE(to_close != NULL);
    CHECK_INT(cosm_batch_step(box.batch), COSM_ERROR_BUSY);
    CHECK_INT(closed_within, COSM_ERROR_BUSY);
    CHECK_INT(cosm_recorder_describe(to_close).step_count, 1);
    CHECK_DONE(cosm_recorder_close(to_close));
    fixture_close(&box);
    (void)remove(path);
}

TEST(a_full_disk_ends_the_recording_and_not_the_batch) {
    struct fixture box;
    char path[TAPE_PATH_MAX];
    tape_path(path);
    open_box(&box, 1);
    fixture_spawn(&box, 1);
    cosm_recorder *recorder =
        cosm_recorder_create(box.batch, path, &(cosm_recorder_desc){.history = true});
    REQUIRE(recorder != NULL);
    step_times(box.batch, 3);
    struct rlimit before;
    CHECK(getrlimit(RLIMIT_FSIZE, &before) == 0);
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    struct rlimit limit = {.rlim_cur = (rlim_t)cosm_recorder_describe(recorder).bytes + 100,
                           .rlim_max = before.rlim_max};
    CHECK(setrlimit(RLIMIT_FSIZE, &limit) == 0);
    cosm_error_clear();
    step_times(box.batch, 3);
    CHECK_SILENT();
    uint64_t bytes = cosm_recorder_describe(recorder).bytes;
    step_times(box.batch, 3);
    CHECK_INT(cosm_recorder_describe(recorder).bytes, bytes);
    CHECK_INT(cosm_recorder_describe(recorder).step_count, 3);
    CHECK_FAILS(cosm_recorder_close(recorder), COSM_ERROR_IO, "cosm_recorder_close",
                "ends with step 3", "has free space");
    CHECK(setrlimit(RLIMIT_FSIZE, &before) == 0);
    (void)signal(SIGXFSZ, handler);
    cosm_replay *replay = cosm_replay_open(box.engine, path, NULL);
    CHECK(replay != NULL && !cosm_replay_describe(replay).is_whole);
    cosm_replay_close(replay);
    CHECK_INT(replay_all(&box, path), 3);
    fixture_close(&box);
    (void)remove(path);
}

static float velocity_of(const struct fixture *box, cosm_entity mover) {
    const Velocity *velocity = cosm_entity_read(box->world, mover, box->velocity);
    return velocity == NULL ? -1.0f : velocity->x;
}

// Records and dies in the middle of a step, behind its inputs.
static void die(const cosm_turn *turn) {
    const uint64_t *when = turn->context;
    if (turn->step == *when) {
        (void)raise(SIGKILL);
    }
}

TEST(a_program_that_is_killed_leaves_what_it_recorded_and_the_inputs_of_its_last_step) {
    char path[TAPE_PATH_MAX];
    tape_path(path);
    static uint64_t when = UINT64_MAX;
    struct fixture box;
    open_box(&box, 1);
    cosm_entity mover = fixture_spawn(&box, 1);
    CHECK(cosm_system_define(box.engine,
                             &(cosm_system_desc){.name = "die", .run = die, .context = &when})
              .id != 0);
    (void)fflush(NULL);
    pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        when = 37;
        cosm_recorder *recorder = cosm_recorder_create(box.batch, path, NULL);
        for (int i = 0; recorder != NULL && i < 100; i++) {
            Velocity velocity = {(float)i, 0, 0};
            if (cosm_entity_set(box.world, mover, box.velocity, &velocity) != COSM_OK ||
                cosm_batch_step(box.batch) != COSM_OK) {
                break;
            }
        }
        _exit(1);
    }
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFSIGNALED(status));
    CHECK_INT(replay_all(&box, path), 37);
    cosm_replay *replay = cosm_replay_open(box.engine, path, NULL);
    REQUIRE(replay != NULL);
    CHECK(!cosm_replay_describe(replay).is_whole);
    CHECK_DONE(cosm_replay_seek(replay, box.batch, 37));
    CHECK_NEAR(velocity_of(&box, mover), 36, 0);
    CHECK_DONE(cosm_replay_inputs(replay, box.batch));
    CHECK_NEAR(velocity_of(&box, mover), 37, 0);
    cosm_replay_close(replay);
    fixture_close(&box);
    (void)remove(path);
}

// A recording whose n-th allocation fails: steps are as without, and what is in the file is right.
static bool record_with_fault(uint64_t n) {
    char path[TAPE_PATH_MAX];
    tape_path(path);
    struct ledger ledger;
    ledger_open(&ledger);
    struct fixture box;
    cosm_engine_desc desc = {.allocator = ledger_allocator(&ledger), .worker_count = 1};
    fixture_open_with(&box, 0, &desc, &(cosm_batch_desc){.world_count = 2});
    cosm_entity mover = fixture_spawn(&box, 1);
    step_times(box.batch, 1);
    ledger_refuse(&ledger, n, 1);
    cosm_recorder *recorder = cosm_recorder_create(
        box.batch, path, &(cosm_recorder_desc){.history = true, .keyframe_steps = 2});
    for (uint32_t i = 0; i < 4; i++) {
        // Neither allocates.
        CHECK_DONE(cosm_entity_set(box.world, mover, box.velocity, &(Velocity){(float)i, 0, 0}));
        CHECK_DONE(cosm_batch_step(box.batch));
    }
    uint64_t count = cosm_recorder_describe(recorder).step_count;
    cosm_result closed = cosm_recorder_close(recorder);
    bool refused = ledger_relent(&ledger);
    CHECK((recorder == NULL) | (closed == COSM_ERROR_MEMORY) | (count == 4));
    if (recorder != NULL) {
        CHECK_INT(replay_all(&box, path), count);
        CHECK_INT(closed == COSM_OK, count == 4 && closed == COSM_OK);
    }
    fixture_close(&box);
    ledger_close(&ledger);
    (void)remove(path);
    return refused;
}

TEST(running_out_of_memory_ends_a_recording_and_nothing_else) {
    uint64_t n = 1;
    while (record_with_fault(n)) {
        n++;
    }
    CHECK(n > 20);
}
