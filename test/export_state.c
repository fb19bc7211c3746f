// Tensors and state: what the outside writes through them is in snapshots, hashes, differences and
// recordings, though nobody was told; and restoring brings back what was there before.
// ctest: record
#include <cosm_record/recorder.h>
#include <cosm_record/replay.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "support/exports.h"
#include "support/fixture.h"
#include "support/folder.h"

// The ways in which rows are shown: fixed; growing in one world; growing in several, gathered.
struct way {
    uint32_t worlds;
    uint32_t choice; // slots
    uint32_t point;
    bool is_gathered;
};

static const struct way ways[] = {
    {70, SLOT_TILE_CHOICE, SLOT_TILE_POINT, false},
    {1, SLOT_PAWN_CHOICE, SLOT_PAWN_POINT, false},
    {70, SLOT_PAWN_CHOICE, SLOT_PAWN_POINT, true},
};
#define WAY_COUNT (sizeof(ways) / sizeof(*ways))

struct scene {
    struct exports exports;
    struct way way;
    cosm_archetype kind;
    const cosm_tensor *choice;
    const cosm_tensor *point;
};

static void fill_scene(struct scene *scene) {
    struct exports *exports = &scene->exports;
    scene->kind = scene->way.choice == SLOT_TILE_CHOICE ? exports->tile : exports->pawn;
    uint32_t count = scene->way.worlds == 1 ? 2000 : TILE_MAX;
    for (uint32_t w = 0; w < scene->way.worlds; w++) {
        cosm_rows rows;
        CHECK_DONE(
            cosm_entity_spawn_many((cosm_world){exports->batch, w}, scene->kind, count, &rows));
    }
    CHECK_DONE(cosm_batch_gather(exports->batch));
    scene->choice = cosm_batch_tensor(exports->batch, scene->way.choice);
    scene->point = cosm_batch_tensor(exports->batch, scene->way.point);
    CHECK_INT(scene->choice->is_gathered, scene->way.is_gathered);
}

static void open_scene(struct scene *scene, uint32_t way, uint32_t workers) {
    scene->way = ways[way];
    exports_open(&scene->exports, scene->way.worlds, workers);
    fill_scene(scene);
}

// One in which the choices are shown to be read, and nothing else is.
static void open_reading_scene(struct scene *scene, uint32_t way) {
    scene->way = ways[way];
    struct exports *exports = &scene->exports;
    exports_define(exports, NULL);
    cosm_export_desc desc = exports_slot_desc(exports, scene->way.choice);
    desc.direction = COSM_DIRECTION_OUT;
    CHECK_DONE(cosm_export_define(exports->engine, &desc));
    exports->batch =
        cosm_batch_create(exports->engine, &(cosm_batch_desc){.world_count = scene->way.worlds});
    exports->all = cosm_worlds_all(exports->batch);
    fill_scene(scene);
}

static void close_scene(struct scene *scene) {
    exports_close(&scene->exports);
}

// As the outside does it: into the memory of the tensor, and no call.
static void write_choices(const struct scene *scene, int32_t first) {
    int32_t *choices = scene->choice->data;
    int64_t count = scene->choice->shape[0];
    if (scene->choice->kind == COSM_TENSOR_FIXED) {
        count *= scene->choice->shape[1];
    }
    for (int64_t i = 0; i < count; i++) {
        choices[i] = first + (int32_t)i;
    }
}

// The same for worlds to be looked at between steps.
static void write_through(const struct scene *scene, int32_t first) {
    write_choices(scene, first);
    CHECK_DONE(cosm_batch_scatter(scene->exports.batch));
}

// Rows of all worlds whose choice is not what was written.
static uint32_t count_others(const struct scene *scene, int32_t first) {
    uint32_t others = 0;
    int32_t next = first;
    for (uint32_t w = 0; w < scene->way.worlds; w++) {
        cosm_world world = {scene->exports.batch, w};
        uint32_t count = cosm_table_row_count(world, scene->kind);
        const Choice *choices = cosm_table_column_read(world, scene->kind, scene->exports.choice);
        for (uint32_t i = 0; i < count; i++) {
            others += choices[i].step != next++;
        }
    }
    return others;
}

TEST(a_snapshot_has_what_was_written_and_restoring_an_older_one_takes_it_back) {
    for (uint32_t way = 0; way < WAY_COUNT; way++) {
        struct scene scene;
        open_scene(&scene, way, 1);
        write_through(&scene, 100);
        cosm_snapshot *first = cosm_snapshot_create(scene.exports.all);
        write_through(&scene, 5000);
        cosm_snapshot *second = cosm_snapshot_create(scene.exports.all);
        REQUIRE(first != NULL && second != NULL);
        CHECK(cosm_hash_snapshot(first, COSM_HASH_EXACT) !=
              cosm_hash_snapshot(second, COSM_HASH_EXACT));
        CHECK_INT(cosm_hash_snapshot(second, COSM_HASH_EXACT),
                  cosm_hash_batch(scene.exports.batch, COSM_HASH_EXACT));
        CHECK_DONE(cosm_snapshot_restore(first, 0, scene.exports.all));
        CHECK_INT(count_others(&scene, 100), 0);
        CHECK_DONE(cosm_snapshot_restore(second, 0, scene.exports.all));
        CHECK_INT(count_others(&scene, 5000), 0);
        // Foreign bytes since the state that was restored last: none may stay.
        CHECK_DONE(cosm_batch_gather(scene.exports.batch));
        write_through(&scene, 9000);
        CHECK_DONE(cosm_snapshot_restore(second, 0, scene.exports.all));
        CHECK_INT(count_others(&scene, 5000), 0);
        CHECK_INT(cosm_hash_batch(scene.exports.batch, COSM_HASH_EXACT),
                  cosm_hash_snapshot(second, COSM_HASH_EXACT));
        cosm_snapshot_destroy(first);
        cosm_snapshot_destroy(second);
        close_scene(&scene);
    }
}

TEST(what_is_written_where_it_should_be_read_is_in_snapshots_and_a_restore_takes_it_back) {
    for (uint32_t way = 0; !ways[way].is_gathered; way++) {
        struct scene scene;
        open_reading_scene(&scene, way);
        write_choices(&scene, 100);
        cosm_snapshot *first = cosm_snapshot_create(scene.exports.all);
        write_choices(&scene, 5000);
        cosm_snapshot *second = cosm_snapshot_create(scene.exports.all);
        REQUIRE(first != NULL && second != NULL);
        CHECK_INT(cosm_hash_snapshot(second, COSM_HASH_EXACT),
                  cosm_hash_batch(scene.exports.batch, COSM_HASH_EXACT));
        CHECK_DONE(cosm_snapshot_restore(first, 0, scene.exports.all));
        CHECK_INT(count_others(&scene, 100), 0);
        write_choices(&scene, 7000);
        CHECK_DONE(cosm_snapshot_restore(first, 0, scene.exports.all));
        CHECK_INT(count_others(&scene, 100), 0);
        CHECK_DONE(cosm_snapshot_restore(second, 0, scene.exports.all));
        CHECK_INT(count_others(&scene, 5000), 0);
        cosm_snapshot_destroy(first);
        cosm_snapshot_destroy(second);
        close_scene(&scene);
    }
}

TEST(restoring_one_world_takes_back_what_was_written_into_it) {
    struct scene scene;
    open_scene(&scene, 0, 1);
    write_through(&scene, 10);
    cosm_snapshot *before = cosm_snapshot_create(scene.exports.all);
    write_through(&scene, 700);
    cosm_world world = {scene.exports.batch, 66};
    CHECK_DONE(cosm_snapshot_restore(before, 66, cosm_worlds_one(world)));
    const Choice *choices = cosm_table_column_read(world, scene.kind, scene.exports.choice);
    CHECK_INT(choices[0].step, 10 + 66 * (int32_t)TILE_MAX);
    world.index = 65;
    choices = cosm_table_column_read(world, scene.kind, scene.exports.choice);
    CHECK_INT(choices[0].step, 700 + 65 * (int32_t)TILE_MAX);
    cosm_snapshot_destroy(before);
    close_scene(&scene);
}

TEST(a_singleton_that_was_written_is_in_the_next_snapshot_and_goes_with_a_restore) {
    struct exports exports;
    exports_open(&exports, 3, 1);
    const cosm_tensor *score = cosm_batch_tensor(exports.batch, SLOT_GOAL);
    CHECK_INT(score->kind, COSM_TENSOR_WORLDS);
    uint32_t *of_world_2 = (uint32_t *)(void *)((char *)score->data + 2 * score->strides[0]);
    cosm_snapshot *before = cosm_snapshot_create(exports.all);
    *of_world_2 = 9;
    cosm_snapshot *after = cosm_snapshot_create(exports.all);
    CHECK_DONE(cosm_snapshot_restore(before, 0, exports.all));
    CHECK_INT(*of_world_2, 0);
    CHECK_DONE(cosm_snapshot_restore(after, 0, exports.all));
    CHECK_INT(*of_world_2, 9);
    cosm_snapshot_destroy(before);
    cosm_snapshot_destroy(after);
    exports_close(&exports);
}

TEST(a_hasher_sees_what_was_written) {
    for (uint32_t way = 0; way < WAY_COUNT; way++) {
        struct scene scene;
        open_scene(&scene, way, 1);
        cosm_hasher *hasher = cosm_hasher_create(scene.exports.batch);
        REQUIRE(hasher != NULL);
        for (int32_t i = 0; i < 3; i++) {
            write_through(&scene, i * 1000);
            CHECK_INT(cosm_hasher_batch(hasher, COSM_HASH_EXACT),
                      cosm_hash_batch(scene.exports.batch, COSM_HASH_EXACT));
        }
        cosm_hasher_destroy(hasher);
        close_scene(&scene);
    }
}

static uint64_t count_changed(cosm_change_reader *reader, cosm_worlds worlds) {
    cosm_rows rows;
    uint64_t count = 0;
    cosm_change_walk(reader, worlds, &rows);
    while (cosm_rows_next(&rows)) {
        count += rows.count;
    }
    return count;
}

TEST(a_reader_of_changes_and_ticks_see_what_may_have_been_written) {
    for (uint32_t way = 0; way < WAY_COUNT; way++) {
        struct scene scene;
        open_scene(&scene, way, 1);
        struct exports *exports = &scene.exports;
        cosm_query *query = cosm_query_create(
            exports->engine,
            &(cosm_query_desc){.terms = {{.component = exports->choice, .changed = true}}});
        cosm_change_reader *reader = cosm_change_reader_create(exports->batch, query);
        uint64_t all = cosm_query_count(query, exports->all);
        CHECK_INT(count_changed(reader, exports->all), all);
        write_through(&scene, 3);
        CHECK_INT(count_changed(reader, exports->all), all);
        cosm_world world = {exports->batch, 0};
        uint64_t now = cosm_change_now(world);
        write_through(&scene, 4);
        CHECK(cosm_change_tick(world, scene.kind, exports->choice, 0) > now);
        cosm_change_reader_destroy(reader);
        cosm_query_destroy(query);
        close_scene(&scene);
    }
}

// Otherwise what a system sees would depend on who hashes, records or keeps snapshots.
TEST(a_column_shown_to_be_read_has_not_changed_because_somebody_looked) {
    for (uint32_t way = 0; !ways[way].is_gathered; way++) {
        struct scene scene;
        open_reading_scene(&scene, way);
        struct exports *exports = &scene.exports;
        cosm_query *query = cosm_query_create(
            exports->engine,
            &(cosm_query_desc){.terms = {{.component = exports->choice, .changed = true}}});
        cosm_change_reader *reader = cosm_change_reader_create(exports->batch, query);
        cosm_hasher *hasher = cosm_hasher_create(exports->batch);
        CHECK_INT(count_changed(reader, exports->all), cosm_query_count(query, exports->all));
        for (int32_t i = 0; i < 3; i++) {
            write_choices(&scene, i * 1000);
            CHECK_INT(cosm_hasher_batch(hasher, COSM_HASH_EXACT),
                      cosm_hash_batch(exports->batch, COSM_HASH_EXACT));
            cosm_snapshot *snapshot = cosm_snapshot_create(exports->all);
            CHECK_INT(cosm_hash_snapshot(snapshot, COSM_HASH_EXACT),
                      cosm_hash_batch(exports->batch, COSM_HASH_EXACT));
            CHECK_INT(count_changed(reader, exports->all), 0);
            cosm_snapshot_destroy(snapshot);
        }
        cosm_hasher_destroy(hasher);
        cosm_change_reader_destroy(reader);
        cosm_query_destroy(query);
        close_scene(&scene);
    }
}

struct found {
    uint32_t values;
};

static bool count_difference(void *context, const cosm_difference *difference) {
    struct found *found = context;
    (void)difference;
    found->values++;
    return true;
}

TEST(differences_and_patches_have_what_was_written) {
    for (uint32_t way = 0; way < WAY_COUNT; way++) {
        struct scene scene;
        open_scene(&scene, way, 1);
        write_through(&scene, 1);
        cosm_snapshot *before = cosm_snapshot_create(scene.exports.all);
        write_through(&scene, 2);
        cosm_snapshot *after = cosm_snapshot_create(scene.exports.all);
        struct found found = {0};
        CHECK_DONE(cosm_diff_snapshots(before, after, count_difference, &found));
        CHECK(found.values > 0);
        cosm_patch *patch = cosm_patch_create(before, after);
        REQUIRE(patch != NULL);
        CHECK_INT(cosm_patch_describe(patch).changed_count, scene.way.worlds);
        CHECK_DONE(cosm_snapshot_restore(before, 0, scene.exports.all));
        CHECK_DONE(cosm_patch_apply(patch, scene.exports.all));
        CHECK_INT(count_others(&scene, 2), 0);
        cosm_patch_destroy(patch);
        cosm_snapshot_destroy(before);
        cosm_snapshot_destroy(after);
        close_scene(&scene);
    }
}

#define STEPS 20u

// A run whose inputs are written into tensors; the hashes after every step.
static void record_run(uint32_t way, const char *path, uint64_t *hashes) {
    struct scene scene;
    open_scene(&scene, way, 1);
    cosm_recorder *recorder = cosm_recorder_create(scene.exports.batch, path, NULL);
    REQUIRE(recorder != NULL);
    for (uint32_t i = 0; i < STEPS; i++) {
        if (i % 3 != 2) {
            write_choices(&scene, (int32_t)(i * i));
        }
        if (i == 10) {
            Point *points = scene.point->data;
            points[1].x = 1e6f;
        }
        CHECK_DONE(cosm_batch_step(scene.exports.batch));
        hashes[i] = cosm_hash_batch(scene.exports.batch, COSM_HASH_EXACT);
    }
    CHECK_DONE(cosm_recorder_close(recorder));
    close_scene(&scene);
}

TEST(a_recording_of_inputs_written_into_tensors_replays_to_the_same_hashes) {
    for (uint32_t way = 0; way < WAY_COUNT; way++) {
        struct folder folder;
        folder_open(&folder);
        uint64_t hashes[STEPS];
        record_run(way, folder.file, hashes);
        struct scene scene;
        open_scene(&scene, way, 2);
        write_choices(&scene, -5000); // of no matter: what was recorded counts
        cosm_replay *replay = cosm_replay_open(scene.exports.engine, folder.file, NULL);
        REQUIRE(replay != NULL);
        cosm_batch *batch = scene.exports.batch;
        CHECK_DONE(cosm_replay_seek(replay, batch, cosm_replay_describe(replay).first_step));
        for (uint32_t i = 0; i < STEPS; i++) {
            CHECK_DONE(cosm_replay_step(replay, batch));
            CHECK_INT(cosm_hash_batch(batch, COSM_HASH_EXACT), hashes[i]);
        }
        // Inputs by the recording, steps by the program: these scatter.
        CHECK_DONE(cosm_replay_seek(replay, batch, cosm_replay_describe(replay).first_step));
        for (uint32_t i = 0; i < STEPS; i++) {
            CHECK_DONE(cosm_replay_inputs(replay, batch));
            CHECK_DONE(cosm_batch_step(batch));
            CHECK_INT(cosm_hash_batch(batch, COSM_HASH_EXACT), hashes[i]);
        }
        cosm_replay_close(replay);
        close_scene(&scene);
        CHECK_INT(remove(folder.file), 0);
        folder_close(&folder);
    }
}

TEST(after_a_restore_or_a_fork_a_tensor_that_goes_both_ways_wants_to_be_gathered) {
    struct scene scene;
    open_scene(&scene, 2, 1);
    cosm_batch *batch = scene.exports.batch;
    cosm_snapshot *before = cosm_snapshot_create(scene.exports.all);
    write_choices(&scene, 50);
    CHECK_DONE(cosm_batch_step(batch));
    CHECK_DONE(cosm_snapshot_restore(before, 0, scene.exports.all));
    CHECK_FAILS(cosm_batch_step(batch), COSM_ERROR_CONFLICT, "cosm_batch_step", "slot 1",
                "cosm_batch_gather");
    CHECK_DONE(cosm_batch_gather(batch));
    CHECK_NEAR(((const Point *)scene.point->data)[5].x, 0.0, 0);
    CHECK_DONE(cosm_batch_step(batch));
    CHECK_DONE(cosm_fork_world((cosm_world){batch, 0}, (cosm_worlds){batch, 3, 2}, NULL));
    CHECK_FAILS(cosm_batch_step(batch), COSM_ERROR_CONFLICT, "cosm_batch_step", "slot 1",
                "cosm_batch_gather");
    CHECK_DONE(cosm_batch_gather(batch));
    CHECK_DONE(cosm_batch_step(batch));
    cosm_snapshot_destroy(before);
    close_scene(&scene);
}

TEST(going_back_in_a_ring_takes_back_what_was_written) {
    for (uint32_t way = 0; way < WAY_COUNT; way++) {
        struct scene scene;
        open_scene(&scene, way, 1);
        cosm_rollback *ring = cosm_rollback_create(scene.exports.all, NULL);
        uint64_t hashes[5];
        for (uint32_t i = 0; i < 5; i++) {
            write_through(&scene, (int32_t)i * 100);
            CHECK_DONE(cosm_rollback_keep(ring));
            hashes[i] = cosm_hash_batch(scene.exports.batch, COSM_HASH_EXACT);
            CHECK_DONE(cosm_batch_step(scene.exports.batch));
        }
        write_through(&scene, 12345);
        for (uint32_t i = 5; i-- > 0;) {
            CHECK_DONE(cosm_rollback_back(ring, i == 4 ? 1 : 2));
            CHECK_INT(cosm_hash_batch(scene.exports.batch, COSM_HASH_EXACT), hashes[i]);
            CHECK_DONE(cosm_batch_gather(scene.exports.batch));
            write_through(&scene, -1);
        }
        cosm_rollback_destroy(ring);
        close_scene(&scene);
    }
}

static void count_seen(cosm_rows *rows) {
    *(uint64_t *)rows->context += rows->count;
}

TEST(a_system_that_looks_for_changes_sees_what_was_written_before_the_step) {
    for (uint32_t way = 0; way < WAY_COUNT; way++) {
        struct scene scene;
        open_scene(&scene, way, 1);
        struct exports *exports = &scene.exports;
        uint64_t seen = 0;
        cosm_system looks = cosm_system_define(
            exports->engine,
            &(cosm_system_desc){
                .name = "looks",
                .each = count_seen,
                .context = &seen,
                .queries = {{.terms = {{.component = exports->choice, .changed = true}}}}});
        CHECK(looks.id != 0);
        uint64_t all = cosm_table_row_count((cosm_world){exports->batch, 0}, scene.kind);
        all *= scene.way.worlds;
        for (int32_t i = 0; i < 3; i++) {
            seen = 0;
            write_choices(&scene, i);
            CHECK_DONE(cosm_batch_step(exports->batch));
            CHECK_INT(seen, all);
        }
        close_scene(&scene);
    }
}
