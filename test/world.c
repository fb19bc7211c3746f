// Worlds: places in a batch, resets, reservations, figures, checksums (cosm/batch.h).
#include "harness.h"
#include "support/fixture.h"
#include "support/ledger.h"

TEST(what_is_reserved_for_several_archetypes_adds_up) {
    struct ledger ledger;
    ledger_open(&ledger);
    struct fixture box;
    fixture_open_with(&box, 0, &(cosm_engine_desc){.allocator = ledger_allocator(&ledger)},
                      &(cosm_batch_desc){.world_count = 1});
    cosm_archetype other =
        cosm_archetype_define(box.engine, &(cosm_archetype_desc){.components = {box.health}});
    CHECK_DONE(cosm_world_reserve(box.world, box.mover, 1000));
    CHECK_DONE(cosm_world_reserve(box.world, other, 1000));
    ledger_refuse(&ledger, 1, 1000000);
    for (uint32_t i = 0; i < 1000; i++) {
        CHECK(!cosm_entity_is_none(cosm_entity_spawn(box.world, box.mover)));
    }
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, other, 1000, &rows));
    CHECK(!ledger_relent(&ledger));
    CHECK_VALID(box.batch);
    fixture_close(&box);
    ledger_close(&ledger);
}

TEST(a_world_of_a_batch_has_its_index) {
    struct fixture box;
    fixture_open(&box, 0, 3);
    cosm_world world = cosm_batch_world(box.batch, 2);
    CHECK(world.batch == box.batch);
    CHECK_INT(world.index, 2);
    fixture_close(&box);
}

TEST(a_world_that_does_not_exist_is_reported_and_null) {
    struct fixture box;
    fixture_open(&box, 0, 3);
    const uint32_t indices[] = {3, 4, 0x80000000, 0xFFFFFFFF};
    for (size_t i = 0; i < sizeof(indices) / sizeof(*indices); i++) {
        cosm_error_clear();
        CHECK(cosm_batch_world(box.batch, indices[i]).batch == NULL);
        CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_batch_world:", "world.index", "has 3 worlds");
    }
    CHECK(cosm_batch_world(NULL, 0).batch == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_batch_world:", "world.batch is NULL",
                  "cosm_batch_world");
    fixture_close(&box);
}

TEST(runs_of_worlds_are_checked) {
    struct fixture box;
    fixture_open(&box, 0, 5);
    cosm_worlds one = cosm_worlds_one(fixture_world(&box, 4));
    CHECK(one.batch == box.batch && one.first == 4 && one.count == 1);
    cosm_worlds range = cosm_worlds_range(box.batch, 1, 3);
    CHECK(range.batch == box.batch && range.first == 1 && range.count == 3);
    cosm_worlds none = cosm_worlds_range(box.batch, 5, 0);
    CHECK(none.batch == box.batch && none.count == 0);
    cosm_worlds all = cosm_worlds_all(box.batch);
    CHECK(all.batch == box.batch && all.first == 0 && all.count == 5);
    CHECK(cosm_worlds_range(box.batch, 3, 3).batch == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_worlds_range:", "3 worlds from world 3",
                  "the batch has 5");
    CHECK(cosm_worlds_range(box.batch, 6, 0).batch == NULL);
    CHECK(cosm_worlds_range(box.batch, 1, 0xFFFFFFFF).batch == NULL);
    CHECK(cosm_worlds_range(NULL, 0, 1).batch == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_worlds_range:", "worlds.batch is NULL", "pass worlds");
    CHECK(cosm_worlds_one((cosm_world){box.batch, 5}).batch == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_worlds_one:", "world.index 5", "has 5 worlds");
    CHECK(cosm_worlds_all(NULL).batch == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_worlds_all:", "batch is NULL", "cosm_batch_create");
    fixture_close(&box);
}

TEST(asking_a_world_that_does_not_exist_gives_nothing) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    const cosm_world worlds[] = {{NULL, 0}, {box.batch, 1}, {box.batch, 0xFFFFFFFF}};
    cosm_error_clear();
    for (size_t i = 0; i < sizeof(worlds) / sizeof(*worlds); i++) {
        CHECK_INT(cosm_world_entity_count(worlds[i]), 0);
        CHECK(!cosm_world_is_walked(worlds[i]));
        CHECK_INT(cosm_world_memory(worlds[i]).used, 0);
    }
    CHECK_SILENT();
    for (size_t i = 0; i < sizeof(worlds) / sizeof(*worlds); i++) {
        CHECK_INT(cosm_world_reset(worlds[i]), COSM_ERROR_ARGUMENT);
        CHECK_CONTAINS(cosm_error_message(), "cosm_world_reset:");
        CHECK_INT(cosm_world_reserve(worlds[i], box.mover, 1), COSM_ERROR_ARGUMENT);
        CHECK_CONTAINS(cosm_error_message(), "cosm_world_reserve:");
    }
    fixture_close(&box);
}

TEST(a_reset_hands_out_ids_from_zero_again_with_new_generations) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_entity old[5];
    for (uint32_t i = 0; i < 5; i++) {
        old[i] = fixture_spawn(&box, (float)i);
    }
    CHECK_DONE(cosm_entity_despawn(box.world, old[3]));
    CHECK_DONE(cosm_world_reset(box.world));
    CHECK_INT(cosm_world_entity_count(box.world), 0);
    for (uint32_t i = 0; i < 7; i++) {
        cosm_entity fresh = fixture_spawn(&box, 0);
        CHECK_INT(fresh.id, i);
        CHECK(i >= 5 || fresh.gen > old[i].gen);
        CHECK_INT(fresh.gen & 1, 1);
    }
    for (uint32_t i = 0; i < 5; i++) {
        CHECK(!cosm_entity_is_alive(box.world, old[i]));
        CHECK(cosm_entity_read(box.world, old[i], box.position) == NULL);
    }
    fixture_close(&box);
}

TEST(a_reset_keeps_the_memory) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, 1000, &rows));
    size_t used = cosm_batch_memory(box.batch).used;
    for (int i = 0; i < 10; i++) {
        CHECK_DONE(cosm_world_reset(box.world));
        CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, 1000, &rows));
        CHECK_INT(cosm_batch_memory(box.batch).used, used);
    }
    fixture_close(&box);
}

TEST(a_reset_of_one_world_leaves_the_others_alone) {
    struct fixture box;
    fixture_open(&box, 0, 3);
    cosm_rows rows;
    for (uint32_t w = 0; w < 3; w++) {
        CHECK_DONE(cosm_entity_spawn_many(fixture_world(&box, w), box.slot, 4, &rows));
    }
    uint64_t last = cosm_hash_world(fixture_world(&box, 2), COSM_HASH_EXACT);
    CHECK_DONE(cosm_world_reset(fixture_world(&box, 1)));
    CHECK_INT(cosm_world_entity_count(fixture_world(&box, 0)), 4);
    CHECK_INT(cosm_world_entity_count(fixture_world(&box, 1)), 0);
    CHECK_INT(cosm_hash_world(fixture_world(&box, 2), COSM_HASH_EXACT), last);
    fixture_close(&box);
}

TEST(a_world_that_is_walked_is_not_reset) {
    struct fixture box;
    fixture_open(&box, 0, 2);
    fixture_spawn(&box, 0);
    cosm_query *query = fixture_query(&box, box.position, box.velocity);
    cosm_rows rows;
    cosm_query_walk(query, cosm_worlds_one(box.world), &rows);
    CHECK(cosm_world_is_walked(box.world));
    CHECK(!cosm_world_is_walked(fixture_world(&box, 1)));
    CHECK_FAILS(cosm_world_reset(box.world), COSM_ERROR_WALKED, "cosm_world_reset:", "world 0",
                "cosm_commands");
    CHECK_FAILS(cosm_world_reserve(box.world, box.mover, 5), COSM_ERROR_WALKED,
                "cosm_world_reserve:", "world 0", "cosm_commands");
    CHECK_DONE(cosm_world_reset(fixture_world(&box, 1)));
    CHECK(cosm_rows_next(&rows));
    CHECK(!cosm_rows_next(&rows));
    CHECK(!cosm_world_is_walked(box.world));
    CHECK_DONE(cosm_world_reset(box.world));
    cosm_query_destroy(query);
    fixture_close(&box);
}

TEST(reserved_rows_are_spawned_without_asking_for_memory) {
    struct ledger ledger;
    ledger_open(&ledger);
    const uint32_t counts[] = {1, 10, 1000, 40000};
    for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
        struct fixture box;
        fixture_open_with(&box, 0, &(cosm_engine_desc){.allocator = ledger_allocator(&ledger)},
                          NULL);
        CHECK_DONE(cosm_world_reserve(box.world, box.mover, counts[i]));
        CHECK(cosm_table_describe(box.world, box.mover).capacity >= counts[i]);
        CHECK_INT(cosm_table_row_count(box.world, box.mover), 0);
        ledger_refuse(&ledger, 1, UINT64_MAX);
        for (uint32_t n = 0; n < counts[i]; n++) {
            fixture_spawn(&box, 0);
        }
        CHECK(!ledger_relent(&ledger));
        fixture_close(&box);
    }
    ledger_close(&ledger);
}

TEST(reserving_in_two_archetypes_makes_room_for_both) {
    struct ledger ledger;
    ledger_open(&ledger);
    struct fixture box;
    fixture_open_with(&box, 0, &(cosm_engine_desc){.allocator = ledger_allocator(&ledger)}, NULL);
    cosm_archetype other =
        cosm_archetype_define(box.engine, &(cosm_archetype_desc){.components = {box.velocity}});
    CHECK_DONE(cosm_world_reserve(box.world, box.mover, 100));
    CHECK_DONE(cosm_world_reserve(box.world, other, 100));
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, 100, &rows));
    CHECK(cosm_table_describe(box.world, other).capacity >= 100);
    fixture_close(&box);
    ledger_close(&ledger);
}

TEST(reserving_what_cannot_be_is_refused) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    CHECK_FAILS(cosm_world_reserve(box.world, (cosm_archetype){88}, 1), COSM_ERROR_ARGUMENT,
                "cosm_world_reserve:", "archetype 88", "cosm_archetype_define");
    CHECK_FAILS(cosm_world_reserve(box.world, box.slot, 5), COSM_ERROR_FULL,
                "cosm_world_reserve:", "max_per_world 4", "despawn some");
    CHECK_FAILS(cosm_world_reserve(box.world, box.mover, COSM_TABLE_ROW_MAX + 1), COSM_ERROR_LIMIT,
                "cosm_world_reserve:", "268435457 more", "use more worlds");
    CHECK_FAILS(cosm_world_reserve(box.world, box.mover, 0xFFFFFFFF), COSM_ERROR_LIMIT,
                "cosm_world_reserve:", "4294967295 more", "use more worlds");
    CHECK_DONE(cosm_world_reserve(box.world, box.slot, 4));
    CHECK_DONE(cosm_world_reserve(box.world, box.mover, 0));
    fixture_close(&box);
}

TEST(the_memory_of_all_worlds_is_within_that_of_the_batch) {
    struct fixture box;
    fixture_open(&box, 0, 3);
    cosm_rows rows;
    size_t sum = 0;
    for (uint32_t w = 0; w < 3; w++) {
        cosm_world world = fixture_world(&box, w);
        size_t before = cosm_world_memory(world).used;
        CHECK_DONE(cosm_entity_spawn_many(world, box.mover, 100 + 10000 * w, &rows));
        cosm_memory memory = cosm_world_memory(world);
        CHECK(memory.used >= before + memory.live);
        CHECK_INT(memory.live, (100 + 10000 * w) * 24);
        sum += memory.used;
    }
    CHECK(sum <= cosm_batch_memory(box.batch).used);
    fixture_close(&box);
}

TEST(equal_worlds_have_equal_hashes_whatever_their_index_and_step) {
    struct fixture box;
    fixture_open(&box, 0, 2);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(fixture_world(&box, 0), box.slot, 3, &rows));
    CHECK(cosm_hash_world(fixture_world(&box, 0), COSM_HASH_CONTENT) !=
          cosm_hash_world(fixture_world(&box, 1), COSM_HASH_CONTENT));
    CHECK_DONE(cosm_batch_step(box.batch));
    CHECK_DONE(cosm_entity_spawn_many(fixture_world(&box, 1), box.slot, 3, &rows));
    CHECK_INT(cosm_hash_world(fixture_world(&box, 0), COSM_HASH_CONTENT),
              cosm_hash_world(fixture_world(&box, 1), COSM_HASH_CONTENT));
    CHECK_DONE(cosm_world_seed(fixture_world(&box, 0), 1, 0));
    CHECK_DONE(cosm_world_seed(fixture_world(&box, 1), 1, 0));
    CHECK_INT(cosm_hash_world(fixture_world(&box, 0), COSM_HASH_EXACT),
              cosm_hash_world(fixture_world(&box, 1), COSM_HASH_EXACT));
    fixture_close(&box);
}

TEST(the_memory_of_a_world_holds_its_share_of_singletons_and_fixed_tables) {
    struct fixture box;
    fixture_open(&box, 0, 3);
    size_t before = cosm_world_memory(box.world).used;
    CHECK(
        cosm_singleton_define(box.engine, &(cosm_singleton_desc){.name = "big", .size = 1000}).id !=
        0);
    CHECK_INT(cosm_world_memory(box.world).used, before + 1000);
    CHECK(!cosm_entity_is_none(cosm_entity_spawn(fixture_world(&box, 1), box.slot)));
    CHECK(cosm_world_memory(box.world).used >= before + 1000 + 4 * (16 + sizeof(cosm_entity)));
    fixture_close(&box);
}

// Draws a number for every mover.
static void drift(cosm_rows *rows) {
    Position *position = COSM_COLUMN_WRITE(rows, Position, 0);
    for (uint32_t i = 0; i < rows->count; i++) {
        cosm_random draw =
            cosm_turn_random(rows->turn, cosm_rows_world(rows, i), rows->entities[i].id);
        position[i].x += cosm_random_between(&draw, 0.0f, 1.0f);
    }
}

TEST(a_world_that_is_seeded_goes_on_as_the_only_world_of_a_new_batch_with_that_seed) {
    struct fixture box;
    fixture_open(&box, 0, 5);
    CHECK(cosm_system_define(
              box.engine,
              &(cosm_system_desc){.name = "drift",
                                  .each = drift,
                                  .queries = {{.terms = {{.component = box.position,
                                                          .access = COSM_ACCESS_WRITE}}}}})
              .id != 0);
    for (uint32_t i = 0; i < 3; i++) {
        CHECK_DONE(cosm_batch_step(box.batch));
    }
    cosm_world seeded = fixture_world(&box, 3);
    cosm_batch *fresh = cosm_batch_create(box.engine, &(cosm_batch_desc){.seed = 42});
    cosm_world only = cosm_batch_world(fresh, 0);
    CHECK_DONE(cosm_world_seed(seeded, 42, 0));
    CHECK_INT(cosm_world_step_count(seeded), 0);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(seeded, box.mover, 4, &rows));
    CHECK_DONE(cosm_entity_spawn_many(only, box.mover, 4, &rows));
    CHECK_DONE(cosm_entity_spawn_many(fixture_world(&box, 2), box.mover, 4, &rows));
    for (uint32_t i = 0; i < 4; i++) {
        CHECK_INT(cosm_hash_world(seeded, COSM_HASH_EXACT), cosm_hash_world(only, COSM_HASH_EXACT));
        CHECK(cosm_hash_world(fixture_world(&box, 2), COSM_HASH_EXACT) !=
              cosm_hash_world(only, COSM_HASH_EXACT));
        CHECK_DONE(cosm_batch_step(box.batch));
        CHECK_DONE(cosm_batch_step(fresh));
    }
    CHECK_INT(cosm_world_step_count(seeded), 4);
    CHECK_INT(cosm_batch_step_count(box.batch), 7);
    CHECK_DONE(cosm_batch_destroy(fresh));
    fixture_close(&box);
}

TEST(only_a_world_that_exists_and_is_not_walked_is_seeded) {
    struct fixture box;
    fixture_open(&box, 0, 2);
    CHECK_FAILS(cosm_world_seed((cosm_world){box.batch, 2}, 1, 0), COSM_ERROR_ARGUMENT,
                "cosm_world_seed", "2", "");
    (void)fixture_spawn(&box, 1.0f);
    uint64_t before = cosm_hash_world(box.world, COSM_HASH_EXACT);
    cosm_query *query = fixture_query(&box, box.position, (cosm_component){0});
    cosm_rows rows;
    cosm_query_walk(query, box.all, &rows);
    CHECK(cosm_rows_next(&rows));
    CHECK_INT(cosm_world_seed(box.world, 1, 0), COSM_ERROR_WALKED);
    CHECK_INT(cosm_hash_world(box.world, COSM_HASH_EXACT), before);
    cosm_rows_end(&rows);
    CHECK_DONE(cosm_world_seed(box.world, 1, 0));
    CHECK(cosm_hash_world(box.world, COSM_HASH_EXACT) != before);
    cosm_query_destroy(query);
    cosm_error_clear();
    fixture_close(&box);
}

TEST(there_is_no_world_past_the_end_of_a_range) {
    struct fixture box;
    fixture_open(&box, 0, 5);
    cosm_worlds some = cosm_worlds_range(box.batch, 1, 2);
    CHECK_INT(cosm_worlds_at(some, 1).index, 2);
    cosm_error_clear();
    CHECK(cosm_worlds_at(some, 2).batch == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_worlds_at", "world 2 in a range of 2", "from 0");
    cosm_error_clear();
    CHECK(cosm_worlds_at((cosm_worlds){NULL, 0, 0}, 0).batch == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_worlds_at", "range of 0", "from 0");
    fixture_close(&box);
}
