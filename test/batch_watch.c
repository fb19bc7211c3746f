// Watchers and steps in detail: who is told of what, what a watcher may do, and steps of some phases
// only (cosm/batch.h).
#include <stdio.h>
#include <string.h>

#include "harness.h"
#include "support/fixture.h"

#define DIARY_MAX 512

// What a watcher saw, letter by letter.
struct diary {
    cosm_watcher watcher;
    struct fixture *box;
    char text[DIARY_MAX];
    float x;         // of the first mover, when it was last looked at
    bool is_pending; // in the last snapshot
    cosm_snapshot *last;
};

static void write_down(struct diary *diary, const char *text) {
    size_t length = strlen(diary->text);
    (void)snprintf(diary->text + length, sizeof(diary->text) - length, "%s ", text);
}

static void note_before(void *context, const cosm_step_desc *step) {
    static const char *const names[] = {"all", "fixed", "none"};
    write_down(context, names[step->phases]);
}

static void note_after(void *context, bool ended) {
    struct diary *diary = context;
    write_down(diary, ended ? "ended" : "stuck");
    cosm_snapshot_destroy(diary->last);
    diary->last = cosm_snapshot_create(diary->box->all);
    CHECK(diary->last != NULL);
    diary->is_pending = cosm_snapshot_describe(diary->last).is_pending;
}

static void note_system(void *context, cosm_system system) {
    struct diary *diary = context;
    write_down(diary, cosm_system_describe(diary->box->engine, system).name);
    cosm_snapshot *now = cosm_snapshot_create(diary->box->all);
    CHECK(now != NULL);
    cosm_snapshot_destroy(now);
}

static void diary_open(struct diary *diary, struct fixture *box) {
    *diary = (struct diary){.box = box};
    diary->watcher = (cosm_watcher){
        .name = "a diary", .context = diary, .before = note_before, .after = note_after};
}

static void diary_close(struct diary *diary) {
    cosm_snapshot_destroy(diary->last);
}

static void move(cosm_rows *rows) {
    Position *position = COSM_COLUMN_WRITE(rows, Position, 0);
    for (uint32_t i = 0; i < rows->count; i++) {
        position[i].x += rows->dt;
    }
}

static void define_move(struct fixture *box, const char *name, cosm_phase phase) {
    cosm_system_desc desc = {.name = name, .each = move, .phase = phase};
    desc.queries[0].terms[0] = (cosm_term){.component = box->position, .access = COSM_ACCESS_WRITE};
    CHECK(cosm_system_define(box->engine, &desc).id != 0);
}

static float x_of(const struct fixture *box, cosm_entity mover) {
    const Position *position = cosm_entity_read(box->world, mover, box->position);
    return position == NULL ? -1.0f : position->x;
}

TEST(a_watcher_is_called_at_both_ends_of_every_step) {
    struct fixture box;
    struct diary diary;
    fixture_open(&box, 0, 2);
    define_move(&box, "move", (cosm_phase){0});
    fixture_spawn(&box, 1);
    diary_open(&diary, &box);
    CHECK_DONE(cosm_batch_watch(box.batch, &diary.watcher));
    CHECK_DONE(cosm_batch_step(box.batch));
    CHECK_DONE(cosm_batch_run_phase(box.batch, COSM_PHASE_SIMULATION, 1.0f));
    CHECK_DONE(cosm_batch_end_step(box.batch));
    CHECK_DONE(cosm_batch_step_with(box.batch, &(cosm_step_desc){.phases = COSM_STEP_FIXED}));
    CHECK_STR(diary.text, "all ended none ended fixed ended ");
    cosm_loop *loop = cosm_loop_create(box.batch, &(cosm_loop_desc){.step_rate = 10});
    CHECK_DONE(cosm_loop_frame(loop, 0.2));
    CHECK_STR(diary.text, "all ended none ended fixed ended fixed ended fixed ended ");
    CHECK_DONE(cosm_loop_destroy(loop));
    CHECK_DONE(cosm_batch_unwatch(box.batch, &diary.watcher));
    CHECK_INT(cosm_batch_unwatch(box.batch, &diary.watcher), COSM_STALE);
    CHECK_DONE(cosm_batch_step(box.batch));
    CHECK_INT(strlen(diary.text),
              strlen("all ended none ended fixed ended fixed ended fixed ended "));
    diary_close(&diary);
    fixture_close(&box);
}

TEST(watchers_of_systems_see_each_of_them_and_change_no_result) {
    struct fixture box;
    struct fixture other;
    struct diary diary;
    struct diary second;
    fixture_open(&box, 0, 3);
    fixture_open(&other, 0, 3);
    for (int i = 0; i < 2; i++) {
        struct fixture *one = i == 0 ? &box : &other;
        define_move(one, "first", (cosm_phase){0});
        define_move(one, "second", (cosm_phase){0});
        define_move(one, "render", COSM_PHASE_RENDER);
        fixture_spawn(one, 1);
    }
    diary_open(&diary, &box);
    diary_open(&second, &box);
    second.watcher.system = note_system;
    CHECK_DONE(cosm_batch_watch(box.batch, &diary.watcher));
    CHECK_DONE(cosm_batch_watch(box.batch, &second.watcher));
    CHECK_DONE(cosm_batch_step(box.batch));
    CHECK_DONE(cosm_batch_step(other.batch));
    CHECK_STR(diary.text, "all ended ");
    CHECK_STR(second.text, "all first second render ended ");
    CHECK_INT(cosm_hash_batch(box.batch, COSM_HASH_EXACT),
              cosm_hash_batch(other.batch, COSM_HASH_EXACT));
    CHECK_DONE(cosm_batch_unwatch(box.batch, &diary.watcher));
    CHECK_DONE(cosm_batch_unwatch(box.batch, &second.watcher));
    diary_close(&diary);
    diary_close(&second);
    fixture_close(&other);
    fixture_close(&box);
}

static void ignore_text(void *context, const char *text, size_t size) {
    (void)context;
    (void)text;
    (void)size;
}

TEST(a_snapshot_of_a_watcher_with_commands_that_wait_is_pending_and_not_saved) {
    struct fixture box;
    struct diary diary;
    fixture_open(&box, 0, 1);
    fixture_spawn(&box, 1);
    diary_open(&diary, &box);
    CHECK_DONE(cosm_batch_watch(box.batch, &diary.watcher));
    CHECK_DONE(cosm_batch_step(box.batch));
    CHECK(!diary.is_pending);
    cosm_commands *commands = cosm_commands_create(box.batch);
    CHECK(!cosm_entity_is_none(cosm_commands_spawn(commands, box.world, box.mover)));
    CHECK(cosm_snapshot_create(box.all) == NULL);
    CHECK_DONE(cosm_batch_step(box.batch));
    CHECK(diary.is_pending);
    CHECK_FAILS(cosm_save_write_to(diary.last, NULL, ignore_text, NULL), COSM_ERROR_ARGUMENT,
                "cosm_save_write_to", "commands", "cosm_commands_apply");
    CHECK_DONE(cosm_commands_apply(commands, NULL));
    CHECK_DONE(cosm_batch_step(box.batch));
    CHECK(!diary.is_pending);
    cosm_commands_destroy(commands);
    CHECK_DONE(cosm_batch_unwatch(box.batch, &diary.watcher));
    diary_close(&diary);
    fixture_close(&box);
}

static cosm_result unwatched;
static cosm_result watched;

static void meddle(void *context, bool ended) {
    (void)ended;
    struct diary *diary = context;
    cosm_watcher another = {.name = "another"};
    watched = cosm_batch_watch(diary->box->batch, &another);
    unwatched = cosm_batch_unwatch(diary->box->batch, &diary->watcher);
    CHECK_INT(cosm_batch_step(diary->box->batch), COSM_ERROR_BUSY);
    cosm_snapshot *now = cosm_snapshot_create(diary->box->all);
    CHECK_INT(cosm_snapshot_restore(now, 0, diary->box->all), COSM_ERROR_BUSY);
    cosm_snapshot_destroy(now);
}

static void fail_system(void *context, cosm_system system) {
    (void)context;
    (void)system;
    CHECK_INT(cosm_batch_step(NULL), COSM_ERROR_ARGUMENT);
}

TEST(what_fails_in_a_watcher_does_not_fail_the_step) {
    struct fixture box;
    struct diary diary;
    fixture_open(&box, 0, 1);
    define_move(&box, "move", (cosm_phase){0});
    fixture_spawn(&box, 1);
    diary_open(&diary, &box);
    diary.watcher.after = meddle;
    diary.watcher.system = fail_system;
    CHECK_DONE(cosm_batch_watch(box.batch, &diary.watcher));
    cosm_error_clear();
    CHECK_INT(cosm_batch_step(box.batch), COSM_OK);
    CHECK_SILENT();
    CHECK_INT(watched, COSM_ERROR_BUSY);
    CHECK_INT(unwatched, COSM_ERROR_BUSY);
    CHECK_INT(cosm_batch_step_count(box.batch), 1);
    CHECK_DONE(cosm_batch_unwatch(box.batch, &diary.watcher));
    fixture_close(&box);
}

TEST(a_batch_with_a_watcher_is_not_destroyed) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_watcher watcher = {.name = "a tool"};
    CHECK_DONE(cosm_batch_watch(box.batch, &watcher));
    CHECK_DONE(cosm_batch_step(box.batch));
    CHECK_FAILS(cosm_batch_watch(box.batch, &watcher), COSM_ERROR_CONFLICT, "cosm_batch_watch",
                "already", "once");
    CHECK_FAILS(cosm_batch_destroy(box.batch), COSM_ERROR_BUSY, "cosm_batch_destroy",
                "watched by a tool", "cosm_batch_unwatch");
    CHECK_FAILS(cosm_batch_watch(box.batch, NULL), COSM_ERROR_ARGUMENT, "cosm_batch_watch",
                "watcher is NULL", "pass both");
    CHECK_FAILS(cosm_batch_unwatch(NULL, &watcher), COSM_ERROR_ARGUMENT, "cosm_batch_unwatch",
                "batch is NULL", "pass both");
    CHECK_DONE(cosm_batch_unwatch(box.batch, &watcher));
    watcher.name = NULL;
    CHECK_DONE(cosm_batch_watch(box.batch, &watcher));
    CHECK_FAILS(cosm_batch_destroy(box.batch), COSM_ERROR_BUSY, "cosm_batch_destroy",
                "without a name", "cosm_batch_unwatch");
    CHECK_DONE(cosm_batch_unwatch(box.batch, &watcher));
    fixture_close(&box);
}

TEST(a_step_may_run_some_phases_only_with_another_dt) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    define_move(&box, "input", COSM_PHASE_INPUT);
    define_move(&box, "simulation", COSM_PHASE_SIMULATION);
    cosm_entity mover = fixture_spawn(&box, 0);
    CHECK_DONE(cosm_batch_step_with(box.batch, &(cosm_step_desc){.dt = 2.0f}));
    CHECK_NEAR(x_of(&box, mover), 4, 0);
    cosm_step_desc desc = {.phases = COSM_STEP_FIXED, .dt = 3.0f};
    CHECK_DONE(cosm_batch_step_with(box.batch, &desc));
    CHECK_NEAR(x_of(&box, mover), 7, 0);
    desc.phases = COSM_STEP_NONE;
    CHECK_DONE(cosm_batch_step_with(box.batch, &desc));
    CHECK_NEAR(x_of(&box, mover), 7, 0);
    CHECK_DONE(cosm_batch_step_with(box.batch, &(cosm_step_desc){.dt = 0}));
    CHECK_NEAR(x_of(&box, mover), 7 + 2.0 * (double)cosm_batch_step_seconds(box.batch), 1e-5);
    CHECK_INT(cosm_batch_step_count(box.batch), 4);
    CHECK_FAILS(cosm_batch_step_with(box.batch, NULL), COSM_ERROR_ARGUMENT, "cosm_batch_step_with",
                "desc is NULL", "pass both");
    desc.dt = -1.0f;
    CHECK_FAILS(cosm_batch_step_with(box.batch, &desc), COSM_ERROR_ARGUMENT, "cosm_batch_step_with",
                "desc.dt -1", "seconds");
    desc = (cosm_step_desc){.phases = (cosm_step_phases)3};
    CHECK_FAILS(cosm_batch_step_with(box.batch, &desc), COSM_ERROR_ARGUMENT, "cosm_batch_step_with",
                "desc.phases 3", "cosm_step_phases");
    CHECK_INT(cosm_batch_step_count(box.batch), 4);
    fixture_close(&box);
}

static cosm_result spawn_one(void *context, cosm_batch *batch) {
    const struct fixture *box = context;
    return cosm_entity_is_none(cosm_entity_spawn(cosm_batch_world(batch, 0), box->mover))
               ? COSM_ERROR_SYSTEM
               : COSM_OK;
}

TEST(init_hooks_may_be_called_before_the_first_step) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_system_desc desc = {.name = "settler", .each = move, .init = spawn_one, .context = &box};
    desc.queries[0].terms[0] = (cosm_term){.component = box.position, .access = COSM_ACCESS_WRITE};
    CHECK(cosm_system_define(box.engine, &desc).id != 0);
    CHECK_DONE(cosm_batch_init_systems(box.batch));
    CHECK_DONE(cosm_batch_init_systems(box.batch));
    CHECK_INT(cosm_batch_entity_count(box.batch), 1);
    CHECK_INT(cosm_batch_step_count(box.batch), 0);
    CHECK_DONE(cosm_batch_step(box.batch));
    CHECK_INT(cosm_batch_entity_count(box.batch), 1);
    CHECK_INT(cosm_batch_init_systems(NULL), COSM_ERROR_ARGUMENT);
    fixture_close(&box);
}

TEST(snapshots_between_which_nothing_changed_are_the_same) {
    struct fixture box;
    fixture_open(&box, 0, 2);
    cosm_entity mover = fixture_spawn(&box, 1);
    cosm_snapshot *a = cosm_snapshot_create(box.all);
    cosm_snapshot *b = cosm_snapshot_create(box.all);
    CHECK(cosm_snapshot_is_same(a, b) && cosm_snapshot_is_same(a, a));
    CHECK_DONE(cosm_entity_set(box.world, mover, box.velocity, &(Velocity){9, 0, 0}));
    cosm_snapshot *c = cosm_snapshot_create(box.all);
    CHECK(!cosm_snapshot_is_same(b, c));
    cosm_snapshot *one = cosm_snapshot_create(cosm_worlds_one(box.world));
    CHECK(!cosm_snapshot_is_same(c, one));
    CHECK(!cosm_snapshot_is_same(NULL, c) && !cosm_snapshot_is_same(c, NULL));
    cosm_snapshot_destroy(one);
    cosm_snapshot_destroy(c);
    cosm_snapshot_destroy(b);
    cosm_snapshot_destroy(a);
    fixture_close(&box);
}

TEST(scalars_of_fields_are_written_as_text) {
    struct {
        float cells[2][3];
        int16_t depth;
        char name[8];
        cosm_entity target;
    } value = {.cells = {{0, 0, 0}, {0, 1.5f, 0}}, .depth = -7, .name = "hut", .target = {0, 0}};
    const size_t base = (size_t)((char *)value.cells - (char *)&value);
    const cosm_field cells = {
        .name = "cells", .type = COSM_FIELD_F32, .offset = (uint32_t)base, .dims = {2, 3}};
    const cosm_field depth = {.name = "depth",
                              .type = COSM_FIELD_I16,
                              .offset = (uint32_t)((char *)&value.depth - (char *)&value)};
    const cosm_field name = {.name = "name",
                             .type = COSM_FIELD_CHAR,
                             .offset = (uint32_t)((char *)value.name - (char *)&value),
                             .dims = {8}};
    const cosm_field target = {.name = "target",
                               .type = COSM_FIELD_ENTITY,
                               .offset = (uint32_t)((char *)&value.target - (char *)&value)};
    char text[32];
    cosm_field_element_path(&cells, 4, text, sizeof(text));
    CHECK_STR(text, "cells[1][1]");
    cosm_field_text(&cells, &value, 4, text, sizeof(text));
    CHECK_STR(text, "1.5");
    cosm_field_element_path(&name, 0, text, sizeof(text));
    CHECK_STR(text, "name");
    cosm_field_text(&name, &value, 0, text, sizeof(text));
    CHECK_STR(text, "hut");
    cosm_field_text(&depth, &value, 0, text, sizeof(text));
    CHECK_STR(text, "-7");
    cosm_field_text(&target, &value, 0, text, sizeof(text));
    CHECK_STR(text, "none");
    cosm_field_text(&(cosm_field){.name = "wrong"}, &value, 0, text, sizeof(text));
    CHECK_STR(text, "");
    cosm_field_element_path(&cells, 4, text, 8);
    CHECK_STR(text, "cells[1");
}

TEST(muted_errors_are_stored_and_told_to_nobody) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_error_clear();
    cosm_error_mute(true);
    cosm_error_mute(true);
    CHECK_INT(cosm_batch_step(NULL), COSM_ERROR_ARGUMENT);
    cosm_error_mute(false);
    CHECK_CONTAINS(cosm_error_message(), "batch is NULL");
    cosm_error_mute(false);
    cosm_error_mute(false); // once too often: nothing happens
    CHECK_INT(cosm_batch_step(box.batch), COSM_OK);
    fixture_close(&box);
}
