// Snapshots: taken, shared, restored.
#include "harness.h"

#include <string.h>

#include "support/fixture.h"
#include "support/shelf.h"

TEST(a_restored_world_is_what_it_was_and_has_the_same_future) {
    struct fixture box;
    fixture_open(&box, 0, 2);
    cosm_entity a = fixture_spawn(&box, 1);
    cosm_entity b = fixture_spawn(&box, 2);
    CHECK_DONE(cosm_entity_despawn(box.world, a));
    uint64_t before = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
    cosm_snapshot *snapshot = cosm_snapshot_create(box.all);
    CHECK(snapshot != NULL);
    CHECK_INT(cosm_snapshot_describe(snapshot).entity_count, 1);
    cosm_entity c = fixture_spawn(&box, 3);
    CHECK_DONE(cosm_entity_add(box.world, b, box.mark));
    CHECK_DONE(cosm_entity_despawn(box.world, b));
    CHECK_DONE(cosm_batch_step(box.batch));
    CHECK(cosm_hash_batch(box.batch, COSM_HASH_EXACT) != before);
    CHECK_DONE(cosm_snapshot_restore(snapshot, 0, box.all));
    CHECK_VALID(box.batch);
    CHECK_INT(cosm_hash_batch(box.batch, COSM_HASH_EXACT), before);
    CHECK(cosm_entity_is_alive(box.world, b));
    cosm_entity again = fixture_spawn(&box, 3);
    CHECK_INT(again.id, c.id);
    CHECK_INT(again.gen, c.gen);
    CHECK_DONE(cosm_snapshot_restore(snapshot, 0, box.all));
    CHECK_INT(cosm_hash_batch(box.batch, COSM_HASH_EXACT), before);
    cosm_snapshot_destroy(snapshot);
    fixture_close(&box);
}

TEST(a_snapshot_shares_what_has_not_changed) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, 100000, &rows));
    cosm_entity first = rows.entities[0];
    cosm_snapshot *a = cosm_snapshot_create(box.all);
    CHECK_DONE(cosm_entity_set(box.world, first, box.position, &(Position){5, 6, 7}));
    uint64_t changed = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
    cosm_snapshot *b = cosm_snapshot_create(box.all);
    cosm_snapshot_size size = cosm_snapshot_memory(b);
    CHECK(size.bytes > 3000000);
    CHECK(size.own_bytes < size.bytes / 20);
    CHECK_DONE(cosm_snapshot_restore(a, 0, box.all));
    CHECK(cosm_hash_batch(box.batch, COSM_HASH_EXACT) != changed);
    CHECK_VALID(box.batch);
    CHECK_DONE(cosm_snapshot_restore(b, 0, box.all));
    CHECK_INT(cosm_hash_batch(box.batch, COSM_HASH_EXACT), changed);
    cosm_snapshot_destroy(a);
    cosm_snapshot_destroy(b);
    fixture_close(&box);
}

// Entities of the histories may be stale.
static void maybe(cosm_result result) {
    CHECK(result == COSM_OK || result == COSM_STALE);
}

TEST(random_histories_come_back_exactly) {
    struct dice dice = {20261116};
    struct fixture box;
    fixture_open(&box, 0, 3);
    cosm_snapshot *kept[8] = {NULL};
    uint64_t sums[8] = {0};
    cosm_entity entities[64];
    for (int i = 0; i < 64; i++) {
        entities[i] = COSM_ENTITY_NONE;
    }
    for (int turn = 0; turn < 4000; turn++) {
        cosm_world world = fixture_world(&box, dice_roll(&dice, 3));
        uint32_t which = dice_roll(&dice, 64);
        uint32_t what = dice_roll(&dice, 12);
        if (what < 3) {
            entities[which] = cosm_entity_spawn(world, box.mover);
        } else if (what < 5) {
            maybe(cosm_entity_despawn(world, entities[which]));
        } else if (what == 5) {
            maybe(cosm_entity_add(world, entities[which], box.health));
        } else if (what == 6) {
            maybe(cosm_entity_set(world, entities[which], box.position,
                                  &(Position){(float)turn, 0, 0}));
        } else if (what == 7) {
            CHECK_DONE(cosm_batch_step(box.batch));
        } else if (what == 8 && dice_roll(&dice, 20) == 0) {
            CHECK_DONE(cosm_batch_trim(box.batch));
        } else if (what == 9 && dice_roll(&dice, 20) == 0) {
            CHECK_DONE(cosm_world_reset(world));
        } else if (what == 10) {
            uint32_t slot = dice_roll(&dice, 8);
            cosm_snapshot_destroy(kept[slot]);
            kept[slot] = cosm_snapshot_create(box.all);
            sums[slot] = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
        } else if (what == 11) {
            uint32_t slot = dice_roll(&dice, 8);
            if (kept[slot] != NULL) {
                CHECK_DONE(cosm_snapshot_restore(kept[slot], 0, box.all));
                CHECK_VALID(box.batch);
                CHECK_INT(cosm_hash_batch(box.batch, COSM_HASH_EXACT), sums[slot]);
            }
        }
    }
    for (int i = 0; i < 8; i++) {
        cosm_snapshot_destroy(kept[i]);
    }
    fixture_close(&box);
}

TEST(one_world_of_many_goes_back_alone_and_draws_what_it_drew) {
    struct fixture box;
    fixture_open(&box, 0, 3);
    CHECK_DONE(cosm_batch_step(box.batch));
    cosm_world world = fixture_world(&box, 1);
    cosm_snapshot *snapshot = cosm_snapshot_create(cosm_worlds_one(world));
    cosm_random drawn = cosm_world_random(world, 5);
    CHECK_DONE(cosm_batch_step(box.batch));
    CHECK_DONE(cosm_batch_step(box.batch));
    CHECK_INT(cosm_world_step_count(world), 3);
    CHECK_DONE(cosm_snapshot_restore(snapshot, 0, cosm_worlds_one(world)));
    CHECK_INT(cosm_world_step_count(world), 1);
    CHECK_INT(cosm_batch_step_count(box.batch), 3);
    CHECK_INT(cosm_world_step_count(box.world), 3);
    cosm_random again = cosm_world_random(world, 5);
    CHECK(memcmp(&drawn, &again, sizeof(drawn)) == 0);
    // In another place, too.
    CHECK_DONE(cosm_snapshot_restore(snapshot, 0, cosm_worlds_one(box.world)));
    cosm_random moved = cosm_world_random(box.world, 5);
    CHECK(memcmp(&drawn, &moved, sizeof(drawn)) == 0);
    CHECK_DONE(cosm_batch_step(box.batch));
    CHECK_INT(cosm_world_step_count(world), 2);
    cosm_snapshot_destroy(snapshot);
    fixture_close(&box);
}

TEST(the_step_count_of_a_batch_goes_back_with_all_of_its_worlds) {
    struct fixture box;
    fixture_open(&box, 0, 2);
    CHECK_DONE(cosm_batch_step(box.batch));
    cosm_snapshot *snapshot = cosm_snapshot_create(box.all);
    CHECK_INT(cosm_snapshot_describe(snapshot).step_count, 1);
    CHECK_INT(cosm_snapshot_describe(snapshot).world_count, 2);
    CHECK(cosm_snapshot_describe(snapshot).engine == box.engine);
    CHECK_DONE(cosm_batch_step(box.batch));
    CHECK_DONE(cosm_snapshot_restore(snapshot, 0, box.all));
    CHECK_INT(cosm_batch_step_count(box.batch), 1);
    CHECK_INT(cosm_world_step_count(box.world), 1);
    cosm_snapshot_destroy(snapshot);
    fixture_close(&box);
}

TEST(a_snapshot_outlives_its_batch_and_goes_into_another_one) {
    struct fixture box;
    fixture_open(&box, 0, 2);
    cosm_entity entity = fixture_spawn(&box, 4);
    cosm_snapshot *snapshot = cosm_snapshot_create(box.all);
    uint64_t hash = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
    CHECK_DONE(cosm_batch_destroy(box.batch));
    CHECK_FAILS(cosm_engine_destroy(box.engine), COSM_ERROR_BUSY, "cosm_engine_destroy",
                "1 snapshot", "cosm_snapshot_destroy");
    box.batch = cosm_batch_create(box.engine, &(cosm_batch_desc){.world_count = 2, .seed = 99});
    box.world = cosm_batch_world(box.batch, 0);
    CHECK_DONE(cosm_snapshot_restore(snapshot, 0, cosm_worlds_all(box.batch)));
    CHECK_INT(cosm_hash_batch(box.batch, COSM_HASH_EXACT), hash);
    CHECK(cosm_entity_is_alive(box.world, entity));
    cosm_snapshot_destroy(snapshot);
    fixture_close(&box);
}

TEST(snapshots_are_refused_with_words_where_they_cannot_be) {
    struct fixture box;
    struct fixture other;
    fixture_open(&box, 0, 2);
    fixture_open(&other, 0, 2);
    (void)fixture_spawn(&box, 1);
    cosm_snapshot *snapshot = cosm_snapshot_create(box.all);
    cosm_error_clear();
    CHECK(cosm_snapshot_create((cosm_worlds){box.batch, 1, 2}) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_snapshot_create", "2", "world");
    CHECK_FAILS(cosm_snapshot_restore(NULL, 0, box.all), COSM_ERROR_ARGUMENT,
                "cosm_snapshot_restore", "snapshot", "cosm_snapshot_create");
    CHECK_FAILS(cosm_snapshot_restore(snapshot, 1, box.all), COSM_ERROR_ARGUMENT,
                "cosm_snapshot_restore", "2 worlds from index 1", "fewer worlds");
    CHECK_FAILS(cosm_snapshot_restore(snapshot, UINT32_MAX, box.all), COSM_ERROR_ARGUMENT,
                "cosm_snapshot_restore", "of a snapshot of 2", "smaller first");
    CHECK_FAILS(cosm_snapshot_restore(snapshot, 0, other.all), COSM_ERROR_ARGUMENT,
                "cosm_snapshot_restore", "another engine", "cosm_save");
    CHECK_FAILS(cosm_snapshot_restore(snapshot, 2, cosm_worlds_one(box.world)), COSM_ERROR_ARGUMENT,
                "cosm_snapshot_restore", "1 worlds from index 2", "smaller first");
    cosm_query *query = fixture_query(&box, box.position, (cosm_component){0});
    cosm_rows rows;
    cosm_query_walk(query, box.all, &rows);
    CHECK(cosm_rows_next(&rows));
    cosm_error_clear();
    CHECK(cosm_snapshot_create(box.all) == NULL);
    CHECK_FAILURE(COSM_ERROR_WALKED, "cosm_snapshot_create", "walked", "");
    CHECK_INT(cosm_snapshot_restore(snapshot, 0, box.all), COSM_ERROR_WALKED);
    cosm_rows_end(&rows);
    cosm_query_destroy(query);
    cosm_snapshot_destroy(snapshot);
    cosm_snapshot_destroy(NULL);
    CHECK_INT(cosm_snapshot_memory(NULL).bytes, 0);
    fixture_close(&other);
    fixture_close(&box);
}

TEST(readers_of_changes_see_what_a_restore_copied_back) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_entity entity = fixture_spawn(&box, 1);
    cosm_query *query = cosm_query_create(
        box.engine, &(cosm_query_desc){.terms = {{.component = box.position, .changed = true}}});
    cosm_change_reader *reader = cosm_change_reader_create(box.batch, query);
    cosm_snapshot *snapshot = cosm_snapshot_create(box.all);
    CHECK_DONE(cosm_entity_set(box.world, entity, box.position, &(Position){9, 9, 9}));
    uint32_t seen[3] = {0};
    for (int look = 0; look < 3; look++) {
        cosm_rows rows;
        cosm_change_walk(reader, box.all, &rows);
        while (cosm_rows_next(&rows)) {
            seen[look] += rows.count;
        }
        if (look == 0) {
            CHECK_DONE(cosm_snapshot_restore(snapshot, 0, box.all));
        }
    }
    CHECK_INT(seen[0], 1);
    CHECK_INT(seen[1], 1);
    CHECK_INT(seen[2], 0);
    cosm_change_reader_destroy(reader);
    cosm_query_destroy(query);
    cosm_snapshot_destroy(snapshot);
    fixture_close(&box);
}

TEST(rows_that_went_and_came_again_unseen_are_still_found) {
    // One entity comes and goes between two snapshots in a chunk that has no rows at either: its
    // generation has changed all the same.
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, 512, &rows));
    cosm_snapshot *first = cosm_snapshot_create(box.all);
    cosm_entity passing = cosm_entity_spawn(box.world, box.mover);
    CHECK_DONE(cosm_entity_despawn(box.world, passing));
    cosm_entity other = cosm_entity_spawn(box.world, box.slot);
    CHECK_DONE(cosm_entity_despawn(box.world, other));
    uint64_t hash = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
    cosm_snapshot *second = cosm_snapshot_create(box.all);
    CHECK_INT(cosm_hash_snapshot(second, COSM_HASH_EXACT), hash);
    CHECK(cosm_hash_snapshot(first, COSM_HASH_EXACT) != hash);
    CHECK_DONE(cosm_snapshot_restore(first, 0, box.all));
    CHECK_INT(cosm_entity_spawn(box.world, box.mover).gen, passing.gen);
    CHECK_DONE(cosm_snapshot_restore(second, 0, box.all));
    CHECK_INT(cosm_hash_batch(box.batch, COSM_HASH_EXACT), hash);
    cosm_snapshot_destroy(first);
    cosm_snapshot_destroy(second);
    fixture_close(&box);
}

TEST(a_fork_of_the_past_does_not_grow_memory) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, 5000, &rows));
    cosm_snapshot *root = cosm_snapshot_create(box.all);
    size_t engine_before = 0;
    size_t batch_before = 0;
    for (int turn = 0; turn < 50; turn++) {
        CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, 100, &rows));
        cosm_snapshot *leaf = cosm_snapshot_create(box.all);
        CHECK_DONE(cosm_snapshot_restore(root, 0, box.all));
        cosm_snapshot_destroy(leaf);
        if (turn == 5) {
            engine_before = cosm_engine_describe(box.engine).memory.used;
            batch_before = cosm_batch_memory(box.batch).used;
        }
    }
    CHECK_INT(cosm_engine_describe(box.engine).memory.used, engine_before);
    CHECK_INT(cosm_batch_memory(box.batch).used, batch_before);
    cosm_snapshot_destroy(root);
    fixture_close(&box);
}

TEST(a_snapshot_hashes_as_its_world_does_when_no_sector_lives_any_more) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_component heat = cosm_component_define(
        box.engine, &(cosm_component_desc){
                        .name = "Heat", .size = 4, .alignment = 4, .storage = COSM_STORAGE_SECTOR});
    cosm_entity entity = fixture_spawn(&box, 1);
    CHECK_DONE(cosm_entity_add(box.world, entity, heat));
    CHECK_DONE(cosm_entity_remove(box.world, entity, heat));
    uint64_t hash = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
    cosm_snapshot *snapshot = cosm_snapshot_create(box.all);
    CHECK_INT(cosm_hash_snapshot(snapshot, COSM_HASH_EXACT), hash);
    CHECK_DONE(cosm_snapshot_restore(snapshot, 0, box.all));
    CHECK_INT(cosm_hash_batch(box.batch, COSM_HASH_EXACT), hash);
    cosm_snapshot_destroy(snapshot);
    fixture_close(&box);
}

TEST(while_commands_wait_no_state_is_taken_or_put_back) {
    struct fixture box;
    fixture_open(&box, 0, 3);
    cosm_world second = fixture_world(&box, 1);
    cosm_worlds others = cosm_worlds_one(fixture_world(&box, 2));
    cosm_snapshot *before = cosm_snapshot_create(box.all);
    cosm_rollback *ring = cosm_rollback_create(box.all, &(cosm_rollback_desc){.step_max = 4});
    CHECK_DONE(cosm_rollback_keep(ring));
    cosm_commands *commands = cosm_commands_create(box.batch);
    cosm_entity spawned = cosm_commands_spawn(commands, second, box.mover);
    uint64_t hash = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
    static const char remedy[] = "cosm_commands_apply";
    cosm_error_clear();
    CHECK(cosm_snapshot_create(box.all) == NULL);
    CHECK_FAILURE(COSM_ERROR_BUSY, "cosm_snapshot_create", "world 1", remedy);
    CHECK_FAILS(cosm_snapshot_restore(before, 0, box.all), COSM_ERROR_BUSY, "cosm_snapshot_restore",
                "world 1", remedy);
    CHECK_FAILS(cosm_rollback_keep(ring), COSM_ERROR_BUSY, "cosm_rollback_keep", "world 1", remedy);
    CHECK_FAILS(cosm_rollback_back(ring, 1), COSM_ERROR_BUSY, "cosm_rollback_back", "world 1",
                remedy);
    CHECK_FAILS(cosm_fork_world(second, others, NULL), COSM_ERROR_BUSY, "cosm_fork_world",
                "world 1", remedy);
    CHECK_FAILS(cosm_fork_world(box.world, cosm_worlds_one(second), NULL), COSM_ERROR_BUSY,
                "cosm_fork_world", "world 1", remedy);
    cosm_error_clear();
    CHECK(cosm_patch_create_now(before, box.all) == NULL);
    CHECK_FAILURE(COSM_ERROR_BUSY, "cosm_patch_create_now", "world 1", remedy);
    CHECK_INT(cosm_hash_batch(box.batch, COSM_HASH_EXACT), hash);
    // Other worlds are as free as before, and so are steps.
    CHECK_DONE(cosm_fork_world(box.world, others, NULL));
    CHECK_DONE(cosm_snapshot_restore(before, 2, others));
    CHECK_DONE(cosm_batch_step(box.batch));
    CHECK_DONE(cosm_commands_apply(commands, NULL));
    CHECK(cosm_entity_is_alive(second, spawned));
    CHECK_DONE(cosm_rollback_keep(ring));
    CHECK_DONE(cosm_snapshot_restore(before, 0, box.all));
    CHECK_VALID(box.batch);
    cosm_commands_destroy(commands);
    cosm_rollback_destroy(ring);
    cosm_snapshot_destroy(before);
    fixture_close(&box);
}

// A table for each set of tags, and one for each value of a shared component.
static void spawn_in_tables(struct fixture *box, cosm_component share, uint32_t table_count) {
    cosm_component tags[10];
    for (uint32_t t = 0; t < 10; t++) {
        char name[8] = {'t', (char)('0' + t), '\0'};
        tags[t] = cosm_component_define(box->engine, &(cosm_component_desc){.name = name});
    }
    for (uint32_t i = 0; i < table_count; i++) {
        cosm_entity entity = fixture_spawn(box, (float)i);
        for (uint32_t t = 0; t < 10; t++) {
            if (i % 3 != 0 && (i >> t & 1) != 0) {
                CHECK_DONE(cosm_entity_add(box->world, entity, tags[t]));
            }
        }
        if (i % 3 == 0) {
            CHECK_DONE(cosm_entity_set(box->world, entity, share, &i));
        }
    }
}

static bool count_difference(void *context, const cosm_difference *difference) {
    CHECK(difference->kind == COSM_DIFF_CHANGED || difference->kind == COSM_DIFF_DESPAWNED);
    ++*(uint32_t *)context;
    return true;
}

TEST(a_world_of_hundreds_of_tables_is_restored_compared_patched_and_loaded_table_by_table) {
    enum { TABLES = 600 };
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_component share = cosm_component_define(
        box.engine,
        &(cosm_component_desc){
            .name = "Share", .size = 4, .alignment = 4, .storage = COSM_STORAGE_SHARED});
    spawn_in_tables(&box, share, TABLES);
    cosm_snapshot *before = cosm_snapshot_create(box.all);
    cosm_query *query =
        cosm_query_create(box.engine, &(cosm_query_desc){.terms = {{.component = box.position}}});
    CHECK_DONE(cosm_query_set(query, box.all, box.position, &(Position){7, 8, 9}));
    for (uint32_t id = 0; id < TABLES; id += 2) {
        CHECK_DONE(cosm_entity_despawn(box.world, (cosm_entity){1, id}));
    }
    cosm_snapshot *after = cosm_snapshot_create(box.all);
    uint32_t told = 0;
    CHECK_DONE(cosm_diff_snapshots(before, after, count_difference, &told));
    CHECK_INT(told, TABLES);
    const cosm_snapshot *const both[] = {before, after};
    for (uint32_t turn = 0; turn < 4; turn++) {
        const cosm_snapshot *from = both[turn % 2];
        const cosm_snapshot *to = both[1 - turn % 2];
        CHECK_DONE(cosm_snapshot_restore(from, 0, box.all));
        CHECK_INT(cosm_hash_batch(box.batch, COSM_HASH_EXACT),
                  cosm_hash_snapshot(from, COSM_HASH_EXACT));
        cosm_patch *patch = cosm_patch_create(from, to);
        CHECK_DONE(cosm_patch_apply(patch, box.all));
        CHECK_VALID(box.batch);
        CHECK_INT(cosm_hash_batch(box.batch, COSM_HASH_EXACT),
                  cosm_hash_snapshot(to, COSM_HASH_EXACT));
        cosm_patch_destroy(patch);
        struct shelf shelf = {.bytes = NULL};
        shelf_save(&shelf, box.batch, NULL);
        CHECK_DONE(cosm_snapshot_restore(from, 0, box.all));
        CHECK(shelf_load(&shelf, box.batch, NULL, NULL));
        CHECK_INT(cosm_hash_batch(box.batch, COSM_HASH_EXACT),
                  cosm_hash_snapshot(to, COSM_HASH_EXACT));
        shelf_free(&shelf);
    }
    cosm_query_destroy(query);
    cosm_snapshot_destroy(before);
    cosm_snapshot_destroy(after);
    fixture_close(&box);
}

TEST(singletons_that_are_newer_than_a_snapshot_get_their_defaults) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_snapshot *before = cosm_snapshot_create(box.all);
    cosm_singleton_desc descs[2] = {{.name = "Zero", .size = 4},
                                    {.name = "Seven", .size = 4, .default_value = &(uint32_t){7}}};
    cosm_singleton singletons[2];
    for (uint32_t i = 0; i < 2; i++) {
        singletons[i] = cosm_singleton_define(box.engine, &descs[i]);
        *(uint32_t *)cosm_singleton_write(box.world, singletons[i]) = 99;
    }
    cosm_snapshot *after = cosm_snapshot_create(box.all);
    CHECK_DONE(cosm_snapshot_restore(before, 0, box.all));
    CHECK_INT(*(const uint32_t *)cosm_singleton_read(box.world, singletons[0]), 0);
    CHECK_INT(*(const uint32_t *)cosm_singleton_read(box.world, singletons[1]), 7);
    CHECK_DONE(cosm_snapshot_restore(after, 0, box.all));
    CHECK_INT(*(const uint32_t *)cosm_singleton_read(box.world, singletons[0]), 99);
    CHECK_INT(*(const uint32_t *)cosm_singleton_read(box.world, singletons[1]), 99);
    cosm_snapshot_destroy(before);
    cosm_snapshot_destroy(after);
    fixture_close(&box);
}
