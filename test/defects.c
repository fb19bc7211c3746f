// Defects that systems of this kind have had: each of them is a test that passes here.
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "support/fixture.h"

TEST(despawned_rows_are_reclaimed_over_a_thousand_episodes) {
    struct fixture box;
    fixture_open(&box, 0, 4);
    size_t used = 0;
    for (int episode = 0; episode < 1000; episode++) {
        for (uint32_t w = 0; w < 4; w++) {
            cosm_world world = fixture_world(&box, w);
            cosm_rows rows;
            CHECK_DONE(cosm_entity_spawn_many(world, box.mover, 50, &rows));
            CHECK_DONE(cosm_entity_spawn_many(world, box.slot, 4, &rows));
            for (uint32_t i = 0; i < 25; i++) {
                CHECK_DONE(cosm_entity_despawn(world, cosm_table_entities(world, box.mover)[0]));
            }
            CHECK_INT(cosm_table_row_count(world, box.mover), 25);
            CHECK_INT(cosm_table_describe(world, box.mover).chunk_count, 1);
            CHECK_DONE(cosm_world_reset(world));
        }
        used = episode == 0 ? cosm_batch_memory(box.batch).used : used;
    }
    CHECK_INT(cosm_batch_memory(box.batch).used, used);
    fixture_close(&box);
}

TEST(overflow_of_a_fixed_table_never_writes_into_the_next_world) {
    struct fixture box;
    fixture_open(&box, 0, 3);
    cosm_rows rows;
    cosm_world next = fixture_world(&box, 2);
    CHECK_DONE(cosm_entity_spawn_many(next, box.slot, 4, &rows));
    memset(cosm_rows_column(&rows, box.position), 0x77, 4 * sizeof(Position));
    uint64_t checksum = cosm_hash_world(next, COSM_HASH_EXACT);
    cosm_world world = fixture_world(&box, 1);
    uint32_t spawned = 0;
    for (int i = 0; i < 20; i++) {
        spawned += !cosm_entity_is_none(cosm_entity_spawn(world, box.slot));
    }
    CHECK_INT(spawned, 4);
    CHECK_INT(cosm_entity_spawn_many(world, box.slot, 1, &rows), COSM_ERROR_FULL);
    cosm_entity mover = cosm_entity_spawn(world, box.mover);
    CHECK_DONE(cosm_entity_add(world, mover, box.health));
    CHECK_INT(cosm_entity_remove(world, mover, box.velocity), COSM_ERROR_FULL);
    cosm_commands *commands = cosm_commands_create(box.batch);
    CHECK(!cosm_entity_is_none(cosm_commands_spawn(commands, world, box.slot)));
    CHECK_INT(cosm_commands_apply(commands, NULL), COSM_ERROR_FULL);
    cosm_commands_destroy(commands);
    CHECK_INT(cosm_table_row_count(world, box.slot), 4);
    CHECK_INT(cosm_hash_world(next, COSM_HASH_EXACT), checksum);
    fixture_close(&box);
}

TEST(a_second_engine_does_not_get_the_cached_queries_of_the_first) {
    struct fixture first;
    fixture_open(&first, 0, 1);
    cosm_query *old = fixture_query(&first, first.position, first.velocity);
    fixture_spawn(&first, 0);
    CHECK_INT(cosm_query_count(old, first.all), 1);
    // The same components under other ids.
    cosm_engine *engine = cosm_engine_create(NULL);
    cosm_component pad = COSM_TAG_DEFINE(engine, Pad);
    cosm_component velocity = COSM_COMPONENT_DEFINE(engine, Velocity);
    cosm_component position = COSM_COMPONENT_DEFINE(engine, Position);
    cosm_archetype mover = cosm_archetype_define(
        engine, &(cosm_archetype_desc){.components = {position, velocity, pad}});
    cosm_batch *batch = cosm_batch_create(engine, NULL);
    cosm_query *query = cosm_query_create(
        engine,
        &(cosm_query_desc){.terms = {{.component = position, .access = COSM_ACCESS_WRITE},
                                     {.component = velocity, .access = COSM_ACCESS_WRITE}}});
    CHECK(query != old);
    CHECK_INT(cosm_query_count(query, cosm_worlds_all(batch)), 0);
    cosm_entity entity = cosm_entity_spawn(cosm_batch_world(batch, 0), mover);
    cosm_rows rows;
    cosm_query_walk(query, cosm_worlds_all(batch), &rows);
    CHECK(cosm_rows_next(&rows));
    CHECK(COSM_COLUMN_READ(&rows, Position, 0) ==
          cosm_entity_read(cosm_batch_world(batch, 0), entity, position));
    cosm_rows_end(&rows);
    cosm_query_destroy(query);
    cosm_query_destroy(old);
    CHECK_DONE(cosm_batch_destroy(batch));
    CHECK_DONE(cosm_engine_destroy(engine));
    fixture_close(&first);
}

static void touch_rows(cosm_rows *rows) {
    Position *position = COSM_COLUMN_WRITE(rows, Position, 0);
    for (uint32_t i = 0; i < rows->count; i++) {
        position[i].x += 1;
    }
}

TEST(an_engine_may_be_asked_for_more_workers_than_there_are_cores) {
    struct fixture box;
    fixture_open_with(&box, 0, &(cosm_engine_desc){.worker_count = 100},
                      &(cosm_batch_desc){.world_count = 300, .split = COSM_SPLIT_WORLDS});
    CHECK_INT(cosm_engine_describe(box.engine).worker_count, 100);
    cosm_system_desc desc = {
        .name = "touch",
        .each = touch_rows,
        .queries = {{.terms = {{.component = box.position, .access = COSM_ACCESS_WRITE}}}}};
    CHECK(cosm_system_define(box.engine, &desc).id != 0);
    for (uint32_t w = 0; w < 300; w++) {
        CHECK(!cosm_entity_is_none(cosm_entity_spawn(fixture_world(&box, w), box.mover)));
    }
    for (uint32_t i = 0; i < 5; i++) {
        CHECK_DONE(cosm_batch_step(box.batch));
    }
    for (uint32_t w = 0; w < 300; w++) {
        const Position *position =
            cosm_table_column(fixture_world(&box, w), box.mover, box.position);
        CHECK_NEAR(position->x, 5, 0);
    }
    fixture_close(&box);
}

TEST(a_sort_applies_the_permutation_and_not_its_inverse) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_archetype archetype = cosm_archetype_define(
        box.engine, &(cosm_archetype_desc){.components = {box.health, box.velocity}});
    // A cycle of three: its inverse is another permutation.
    const uint32_t keys[] = {30, 10, 20};
    cosm_entity entities[3];
    for (int i = 0; i < 3; i++) {
        Health health = {keys[i]};
        Velocity velocity = {(float)keys[i], 0, 0};
        cosm_value values[] = {{box.health, &health}, {box.velocity, &velocity}};
        entities[i] = cosm_entity_spawn_with(box.world, archetype, values, 2);
    }
    CHECK_DONE(cosm_table_sort_u32(box.world, archetype, box.health, 0));
    const Health *health = cosm_table_column(box.world, archetype, box.health);
    const Velocity *velocity = cosm_table_column(box.world, archetype, box.velocity);
    const uint32_t owners[] = {1, 2, 0};
    for (uint32_t i = 0; i < 3; i++) {
        CHECK_INT(health[i].points, 10 * (i + 1));
        CHECK_NEAR(velocity[i].x, 10.0 * (i + 1), 0);
        CHECK(
            cosm_entity_equals(cosm_table_entities(box.world, archetype)[i], entities[owners[i]]));
        CHECK_INT(cosm_entity_loc(box.world, entities[owners[i]]).row, i);
    }
    fixture_close(&box);
}

TEST(a_stale_id_never_names_a_new_entity) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_entity old = fixture_spawn(&box, 0);
    for (int i = 0; i < 2000; i++) {
        CHECK_DONE(cosm_entity_despawn(box.world, cosm_table_entities(box.world, box.mover)[0]));
        cosm_entity fresh = fixture_spawn(&box, 0);
        CHECK_INT(fresh.id, old.id);
        CHECK(!cosm_entity_is_alive(box.world, old));
        CHECK_INT(cosm_entity_despawn(box.world, old), COSM_STALE);
        CHECK(cosm_entity_is_alive(box.world, fresh));
    }
    fixture_close(&box);
}

TEST(a_double_despawn_never_hands_one_id_out_twice) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_entity a = fixture_spawn(&box, 0);
    cosm_entity b = fixture_spawn(&box, 0);
    CHECK_DONE(cosm_entity_despawn(box.world, a));
    CHECK_INT(cosm_entity_despawn(box.world, a), COSM_STALE);
    const cosm_entity both[] = {a, a, a};
    CHECK_DONE(cosm_entity_despawn_many(box.world, both, 3));
    cosm_commands *commands = cosm_commands_create(box.batch);
    CHECK_DONE(cosm_commands_despawn(commands, box.world, b));
    CHECK_DONE(cosm_commands_despawn(commands, box.world, b));
    CHECK_DONE(cosm_commands_apply(commands, NULL));
    bool seen[10] = {false};
    for (int i = 0; i < 10; i++) {
        cosm_entity entity = fixture_spawn(&box, 0);
        REQUIRE(entity.id < 10);
        CHECK(!seen[entity.id]);
        seen[entity.id] = true;
    }
    cosm_commands_destroy(commands);
    fixture_close(&box);
}

TEST(despawning_inside_a_walk_is_refused_and_the_walk_ends) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    for (int i = 0; i < 100; i++) {
        fixture_spawn(&box, (float)i);
    }
    cosm_query *query = fixture_query(&box, box.position, (cosm_component){0});
    cosm_commands *commands = cosm_commands_create(box.batch);
    uint32_t seen = 0;
    cosm_rows rows;
    cosm_query_walk(query, box.all, &rows);
    while (cosm_rows_next(&rows)) {
        for (uint32_t i = 0; i < rows.count; i++) {
            CHECK_INT(cosm_entity_despawn(box.world, rows.entities[i]), COSM_ERROR_WALKED);
            CHECK_DONE(cosm_commands_despawn(commands, box.world, rows.entities[i]));
            seen++;
        }
    }
    CHECK_INT(seen, 100);
    CHECK_INT(cosm_world_entity_count(box.world), 100);
    CHECK_DONE(cosm_commands_apply(commands, NULL));
    CHECK_INT(cosm_world_entity_count(box.world), 0);
    cosm_commands_destroy(commands);
    cosm_query_destroy(query);
    fixture_close(&box);
}

TEST(despawning_in_random_order_and_spawning_again_is_not_quadratic) {
    // Quadratic work on so many rows would not end within the patience of a test run.
    struct dice dice = {harness_seed()};
    struct fixture box;
    fixture_open(&box, 0, 1);
    const uint32_t count = 300000;
    cosm_rows rows;
    // One that stays, because ids begin again from zero in a world that is empty.
    CHECK(!cosm_entity_is_none(cosm_entity_spawn(box.world, box.slot)));
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, count, &rows));
    cosm_entity *entities = malloc(count * sizeof(*entities));
    REQUIRE(entities != NULL);
    memcpy(entities, rows.entities, count * sizeof(*entities));
    for (uint32_t i = count; i > 1; i--) {
        uint32_t j = dice_roll(&dice, i);
        cosm_entity swap = entities[i - 1];
        entities[i - 1] = entities[j];
        entities[j] = swap;
    }
    CHECK_DONE(cosm_entity_despawn_many(box.world, entities, count));
    CHECK_INT(cosm_world_entity_count(box.world), 1);
    for (uint32_t i = count; i-- > 0;) {
        if (cosm_entity_spawn(box.world, box.mover).id != entities[i].id) {
            CHECK_INT(i, count);
            break;
        }
    }
    free(entities);
    fixture_close(&box);
}

TEST(an_over_aligned_component_is_aligned_in_every_row) {
    struct fixture box;
    fixture_open(&box, 0, 2);
    cosm_component wide = cosm_component_define(
        box.engine, &(cosm_component_desc){.name = "wide", .size = 64, .alignment = 64});
    cosm_component small =
        cosm_component_define(box.engine, &(cosm_component_desc){.name = "small", .size = 1});
    cosm_archetype archetype =
        cosm_archetype_define(box.engine, &(cosm_archetype_desc){.components = {wide, small}});
    for (uint32_t i = 0; i < 5000; i++) {
        cosm_entity entity = cosm_entity_spawn(fixture_world(&box, i % 2), archetype);
        const void *cell = cosm_entity_read(fixture_world(&box, i % 2), entity, wide);
        CHECK_INT((uintptr_t)cell % 64, 0);
    }
    fixture_close(&box);
}

TEST(a_component_of_seventy_thousand_bytes_has_its_full_stride) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    enum { SIZE = 70000 };
    cosm_component large =
        cosm_component_define(box.engine, &(cosm_component_desc){.name = "large", .size = SIZE});
    cosm_archetype archetype =
        cosm_archetype_define(box.engine, &(cosm_archetype_desc){.components = {large}});
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, archetype, 20, &rows));
    char *bytes = cosm_rows_column(&rows, large);
    for (uint32_t i = 0; i < 20; i++) {
        CHECK(cosm_entity_read(box.world, rows.entities[i], large) ==
              (const void *)(bytes + (size_t)i * SIZE));
        memset(bytes + (size_t)i * SIZE, (int)i, SIZE);
    }
    for (uint32_t i = 0; i < 20; i++) {
        CHECK_INT(bytes[(size_t)i * SIZE], i);
        CHECK_INT(bytes[(size_t)i * SIZE + SIZE - 1], i);
    }
    fixture_close(&box);
}

TEST(a_zero_size_component_is_added_queried_and_removed) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_entity entity = fixture_spawn(&box, 0);
    CHECK_DONE(cosm_entity_add(box.world, entity, box.mark));
    cosm_query *query = fixture_query(&box, box.mark, (cosm_component){0});
    CHECK_INT(cosm_query_count(query, box.all), 1);
    cosm_archetype only =
        cosm_archetype_define(box.engine, &(cosm_archetype_desc){.components = {box.mark}});
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, only, 1000, &rows));
    CHECK_INT(cosm_query_count(query, box.all), 1001);
    CHECK_DONE(cosm_entity_remove(box.world, entity, box.mark));
    CHECK_INT(cosm_query_count(query, box.all), 1000);
    cosm_query_destroy(query);
    fixture_close(&box);
}

TEST(a_command_buffer_used_twice_loses_nothing_and_keeps_the_order) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_entity entity = fixture_spawn(&box, 0);
    cosm_commands *commands = cosm_commands_create(box.batch);
    for (uint32_t round = 0; round < 50; round++) {
        for (uint32_t i = 0; i < 200; i++) {
            CHECK_DONE(
                cosm_commands_set(commands, box.world, entity, box.health, &(Health){round + i}));
            CHECK_DONE(i % 2 == round % 2
                           ? cosm_commands_add(commands, box.world, entity, box.mark)
                           : cosm_commands_remove(commands, box.world, entity, box.mark));
        }
        cosm_commands_report report;
        CHECK_DONE(cosm_commands_apply(commands, &report));
        CHECK_INT(report.skipped, 0);
        CHECK_INT(COSM_READ(box.world, entity, Health)->points, round + 199);
        CHECK(cosm_entity_has(box.world, entity, box.mark) == (round % 2 == 1));
        CHECK_INT(cosm_commands_count(commands), 0);
    }
    cosm_commands_destroy(commands);
    fixture_close(&box);
}

TEST(a_placement_declared_after_the_first_use_is_reported_not_ignored) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_entity entity = fixture_spawn(&box, 0);
    CHECK_DONE(cosm_entity_add(box.world, entity, box.health));
    cosm_archetype_desc desc = {.components = {box.position, box.velocity, box.health},
                                .placement = COSM_PLACEMENT_FIXED,
                                .max_per_world = 10};
    CHECK_INT(cosm_archetype_define(box.engine, &desc).id, 0);
    CHECK_FAILURE(COSM_ERROR_CONFLICT, "cosm_archetype_define:", "cosm_entity_add already made",
                  "define yours first");
    fixture_close(&box);
}
