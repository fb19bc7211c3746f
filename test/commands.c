// Commands: recording, merging, applying, promised handles (cosm/commands.h).
#include <string.h>

#include "harness.h"
#include "support/fixture.h"

TEST(two_full_fixed_tables_can_trade_rows_in_one_apply) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_component left = cosm_component_define(
        box.engine, &(cosm_component_desc){.name = "left", .size = 4, .alignment = 4});
    cosm_component right = cosm_component_define(
        box.engine, &(cosm_component_desc){.name = "right", .size = 4, .alignment = 4});
    cosm_archetype lefts =
        cosm_archetype_define(box.engine, &(cosm_archetype_desc){.components = {box.position, left},
                                                                 .placement = COSM_PLACEMENT_FIXED,
                                                                 .max_per_world = 2});
    cosm_archetype rights = cosm_archetype_define(
        box.engine, &(cosm_archetype_desc){.components = {box.position, right},
                                           .placement = COSM_PLACEMENT_FIXED,
                                           .max_per_world = 2});
    cosm_entity entities[4];
    for (uint32_t i = 0; i < 4; i++) {
        Position position = {.x = (float)i};
        cosm_value value = {box.position, &position};
        entities[i] = cosm_entity_spawn_with(box.world, i < 2 ? lefts : rights, &value, 1);
    }
    cosm_commands *commands = cosm_commands_create(box.batch);
    for (uint32_t i = 0; i < 4; i++) {
        CHECK_DONE(cosm_commands_remove(commands, box.world, entities[i], i < 2 ? left : right));
        CHECK_DONE(cosm_commands_add(commands, box.world, entities[i], i < 2 ? right : left));
    }
    cosm_commands_report report;
    CHECK_DONE(cosm_commands_apply(commands, &report));
    CHECK_INT(report.moved, 4);
    CHECK_VALID(box.batch);
    for (uint32_t i = 0; i < 4; i++) {
        CHECK_INT(cosm_entity_archetype(box.world, entities[i]).id, (i < 2 ? rights : lefts).id);
        CHECK_NEAR(COSM_READ(box.world, entities[i], Position)->x, (float)i, 0);
    }
    cosm_commands_destroy(commands);
    fixture_close(&box);
}

TEST(a_recorded_spawn_comes_alive_when_it_is_applied) {
    struct fixture box;
    fixture_open(&box, 0, 2);
    cosm_commands *commands = cosm_commands_create(box.batch);
    REQUIRE(commands != NULL);
    Position position = {3, 0, 0};
    cosm_entity plain = cosm_commands_spawn(commands, box.world, box.slot);
    cosm_entity valued = cosm_commands_spawn_with(commands, fixture_world(&box, 1), box.mover,
                                                  &(cosm_value){box.position, &position}, 1);
    memset(&position, 0xFF, sizeof(position));
    CHECK_INT(cosm_commands_count(commands), 2);
    CHECK(!cosm_entity_is_alive(box.world, plain));
    CHECK_INT(cosm_world_entity_count(box.world), 0);
    cosm_commands_report report;
    CHECK_DONE(cosm_commands_apply(commands, &report));
    CHECK(cosm_entity_is_alive(box.world, plain));
    CHECK_INT(COSM_READ(box.world, plain, Health)->points, 100);
    CHECK_NEAR(COSM_READ(fixture_world(&box, 1), valued, Position)->x, 3, 0);
    CHECK_INT(report.spawned, 2);
    CHECK_INT(report.written, 1);
    CHECK_INT(report.skipped + report.moved + report.despawned, 0);
    CHECK_INT(cosm_commands_count(commands), 0);
    cosm_commands_destroy(commands);
    fixture_close(&box);
}

TEST(a_handle_is_final_at_once_and_may_be_used_in_further_commands) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_commands *commands = cosm_commands_create(box.batch);
    cosm_entity entity = cosm_commands_spawn(commands, box.world, box.mover);
    CHECK_DONE(cosm_commands_add(commands, box.world, entity, box.mark));
    CHECK_DONE(cosm_commands_set(commands, box.world, entity, box.health, &(Health){8}));
    CHECK_DONE(cosm_commands_remove(commands, box.world, entity, box.velocity));
    cosm_commands_report report;
    CHECK_DONE(cosm_commands_apply(commands, &report));
    CHECK_INT(report.spawned, 1);
    CHECK_INT(report.moved, 0);
    CHECK(cosm_entity_has(box.world, entity, box.mark));
    CHECK(!cosm_entity_has(box.world, entity, box.velocity));
    CHECK_INT(COSM_READ(box.world, entity, Health)->points, 8);
    cosm_commands_destroy(commands);
    fixture_close(&box);
}

TEST(changes_of_one_entity_are_merged_into_one_move) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_entity entity = fixture_spawn(&box, 6);
    cosm_commands *commands = cosm_commands_create(box.batch);
    CHECK_DONE(cosm_commands_add(commands, box.world, entity, box.health));
    CHECK_DONE(cosm_commands_add(commands, box.world, entity, box.mark));
    CHECK_DONE(cosm_commands_remove(commands, box.world, entity, box.velocity));
    CHECK_DONE(cosm_commands_set(commands, box.world, entity, box.health, &(Health){1}));
    CHECK_DONE(cosm_commands_set(commands, box.world, entity, box.health, &(Health){2}));
    cosm_commands_report report;
    CHECK_DONE(cosm_commands_apply(commands, &report));
    CHECK_INT(report.moved, 1);
    CHECK_INT(report.written, 1);
    CHECK_INT(COSM_READ(box.world, entity, Health)->points, 2);
    CHECK_NEAR(COSM_READ(box.world, entity, Position)->x, 6, 0);
    cosm_commands_destroy(commands);
    fixture_close(&box);
}

TEST(the_order_of_commands_decides) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_entity kept = fixture_spawn(&box, 0);
    cosm_entity lost = fixture_spawn(&box, 0);
    cosm_entity renewed = cosm_entity_spawn(box.world, box.slot);
    COSM_WRITE(box.world, renewed, Health)->points = 1;
    cosm_commands *commands = cosm_commands_create(box.batch);
    CHECK_DONE(cosm_commands_remove(commands, box.world, kept, box.mark));
    CHECK_DONE(cosm_commands_add(commands, box.world, kept, box.mark));
    CHECK_DONE(cosm_commands_add(commands, box.world, lost, box.mark));
    CHECK_DONE(cosm_commands_remove(commands, box.world, lost, box.mark));
    CHECK_DONE(cosm_commands_remove(commands, box.world, renewed, box.health));
    CHECK_DONE(cosm_commands_add(commands, box.world, renewed, box.health));
    CHECK_DONE(cosm_commands_apply(commands, NULL));
    CHECK(cosm_entity_has(box.world, kept, box.mark));
    CHECK(!cosm_entity_has(box.world, lost, box.mark));
    CHECK_INT(COSM_READ(box.world, renewed, Health)->points, 100);
    cosm_commands_destroy(commands);
    fixture_close(&box);
}

TEST(what_is_removed_takes_its_value_with_it) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_entity bare = fixture_spawn(&box, 0);
    cosm_entity renewed = fixture_spawn(&box, 0);
    cosm_commands *commands = cosm_commands_create(box.batch);
    Health health = {8};
    cosm_entity spawned = cosm_commands_spawn_with(commands, box.world, box.slot,
                                                   &(cosm_value){box.health, &health}, 1);
    CHECK_DONE(cosm_commands_remove(commands, box.world, spawned, box.health));
    CHECK_DONE(cosm_commands_add(commands, box.world, spawned, box.health));
    CHECK_DONE(cosm_commands_set(commands, box.world, bare, box.health, &health));
    CHECK_DONE(cosm_commands_remove(commands, box.world, bare, box.health));
    CHECK_DONE(cosm_commands_set(commands, box.world, renewed, box.health, &health));
    CHECK_DONE(cosm_commands_remove(commands, box.world, renewed, box.health));
    CHECK_DONE(cosm_commands_add(commands, box.world, renewed, box.health));
    cosm_commands_report report;
    CHECK_DONE(cosm_commands_apply(commands, &report));
    CHECK_INT(report.written, 0);
    CHECK(!cosm_entity_has(box.world, bare, box.health));
    CHECK_INT(COSM_READ(box.world, renewed, Health)->points, 100);
    CHECK_INT(COSM_READ(box.world, spawned, Health)->points, 100);
    cosm_commands_destroy(commands);
    fixture_close(&box);
}

TEST(commands_after_a_despawn_are_reported_and_skipped) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_entity entity = fixture_spawn(&box, 0);
    cosm_commands *commands = cosm_commands_create(box.batch);
    CHECK_DONE(cosm_commands_despawn(commands, box.world, entity));
    CHECK_DONE(cosm_commands_despawn(commands, box.world, entity));
    CHECK_DONE(cosm_commands_add(commands, box.world, entity, box.mark));
    CHECK_DONE(cosm_commands_set(commands, box.world, entity, box.health, &(Health){1}));
    cosm_commands_report report;
    cosm_error_clear();
    CHECK_DONE(cosm_commands_apply(commands, &report));
    CHECK_INT(report.despawned, 1);
    CHECK_INT(report.skipped, 2);
    CHECK_FAILURE(COSM_STALE, "cosm_commands_apply:", "entity @0:1 of world 0",
                  "the command is skipped");
    CHECK(!cosm_entity_is_alive(box.world, entity));
    cosm_commands_destroy(commands);
    fixture_close(&box);
}

TEST(commands_on_what_died_before_the_apply_are_skipped_and_a_second_despawn_is_silent) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_entity entity = fixture_spawn(&box, 0);
    cosm_commands *commands = cosm_commands_create(box.batch);
    CHECK_DONE(cosm_commands_remove(commands, box.world, entity, box.velocity));
    CHECK_DONE(cosm_entity_despawn(box.world, entity));
    cosm_entity successor = fixture_spawn(&box, 0);
    CHECK_INT(successor.id, entity.id);
    cosm_commands_report report;
    CHECK_DONE(cosm_commands_apply(commands, &report));
    CHECK_INT(report.skipped, 1);
    CHECK(cosm_entity_has(box.world, successor, box.velocity));
    CHECK_DONE(cosm_commands_despawn(commands, box.world, entity));
    CHECK_DONE(cosm_commands_despawn(commands, box.world, COSM_ENTITY_NONE));
    cosm_error_clear();
    CHECK_DONE(cosm_commands_apply(commands, &report));
    CHECK_INT(report.skipped + report.despawned, 0);
    CHECK_SILENT();
    CHECK(cosm_entity_is_alive(box.world, successor));
    cosm_commands_destroy(commands);
    fixture_close(&box);
}

TEST(what_is_spawned_and_despawned_by_the_same_commands_never_lives) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_commands *commands = cosm_commands_create(box.batch);
    cosm_entity entity = cosm_commands_spawn(commands, box.world, box.mover);
    CHECK_DONE(cosm_commands_despawn(commands, box.world, entity));
    cosm_commands_report report;
    CHECK_DONE(cosm_commands_apply(commands, &report));
    CHECK_INT(report.spawned + report.despawned, 0);
    CHECK(!cosm_entity_is_alive(box.world, entity));
    cosm_entity next = fixture_spawn(&box, 0);
    CHECK_INT(next.id, entity.id);
    CHECK(next.gen != entity.gen);
    cosm_commands_destroy(commands);
    fixture_close(&box);
}

TEST(a_bundle_is_added_and_removed_by_command) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_component kit = cosm_bundle_define(
        box.engine, &(cosm_bundle_desc){.name = "kit", .components = {box.health, box.mark}});
    cosm_entity a = fixture_spawn(&box, 0);
    cosm_entity b = fixture_spawn(&box, 0);
    cosm_commands *commands = cosm_commands_create(box.batch);
    CHECK_DONE(cosm_commands_add(commands, box.world, a, kit));
    CHECK_DONE(cosm_commands_add(commands, box.world, b, box.mark));
    CHECK_DONE(cosm_commands_remove(commands, box.world, b, kit));
    CHECK_DONE(cosm_commands_apply(commands, NULL));
    CHECK(cosm_entity_has(box.world, a, kit));
    CHECK(!cosm_entity_has(box.world, b, box.mark));
    cosm_commands_destroy(commands);
    fixture_close(&box);
}

TEST(an_emitted_row_is_there_once_it_is_applied_and_gone_after_the_step) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_commands *commands = cosm_commands_create(box.batch);
    Health health = {55};
    CHECK_DONE(
        cosm_commands_emit(commands, box.world, box.event, &(cosm_value){box.health, &health}, 1));
    CHECK_DONE(cosm_commands_emit(commands, box.world, box.event, NULL, 0));
    health.points = 0;
    CHECK_INT(cosm_table_row_count(box.world, box.event), 0);
    cosm_commands_report report;
    CHECK_DONE(cosm_commands_apply(commands, &report));
    CHECK_INT(report.spawned, 2);
    const Health *rows = cosm_table_column(box.world, box.event, box.health);
    REQUIRE(rows != NULL);
    CHECK_INT(rows[0].points, 55);
    CHECK_INT(rows[1].points, 100);
    CHECK_DONE(cosm_batch_step(box.batch));
    CHECK_INT(cosm_table_row_count(box.world, box.event), 0);
    cosm_commands_destroy(commands);
    fixture_close(&box);
}

TEST(commands_are_recorded_while_the_world_is_walked_and_applied_after_it) {
    struct fixture box;
    fixture_open(&box, 0, 2);
    for (int i = 0; i < 10; i++) {
        fixture_spawn(&box, (float)i);
    }
    cosm_query *query = fixture_query(&box, box.position, (cosm_component){0});
    cosm_commands *commands = cosm_commands_create(box.batch);
    cosm_rows rows;
    cosm_query_walk(query, cosm_worlds_one(box.world), &rows);
    while (cosm_rows_next(&rows)) {
        for (uint32_t i = 0; i < rows.count; i++) {
            if (i % 2 == 0) {
                CHECK_DONE(cosm_commands_despawn(commands, box.world, rows.entities[i]));
            } else {
                CHECK(!cosm_entity_is_none(cosm_commands_spawn(commands, box.world, box.mover)));
            }
        }
        CHECK_FAILS(cosm_commands_apply(commands, NULL), COSM_ERROR_WALKED,
                    "cosm_commands_apply:", "world 0", "cosm_rows_end");
        CHECK_INT(cosm_commands_count(commands), 10);
    }
    cosm_commands_report report;
    CHECK_DONE(cosm_commands_apply(commands, &report));
    CHECK_INT(report.spawned, 5);
    CHECK_INT(report.despawned, 5);
    CHECK_INT(cosm_world_entity_count(box.world), 10);
    cosm_query_walk(query, cosm_worlds_one(box.world), &rows);
    CHECK(!cosm_entity_is_none(cosm_commands_spawn(commands, fixture_world(&box, 1), box.mover)));
    CHECK_DONE(cosm_commands_apply(commands, NULL));
    cosm_rows_end(&rows);
    cosm_commands_destroy(commands);
    cosm_query_destroy(query);
    fixture_close(&box);
}

TEST(several_objects_are_applied_in_the_order_given) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_entity entity = fixture_spawn(&box, 0);
    cosm_commands *list[3];
    for (uint32_t i = 0; i < 3; i++) {
        list[i] = cosm_commands_create(box.batch);
        CHECK_DONE(cosm_commands_set(list[i], box.world, entity, box.health, &(Health){i + 1}));
    }
    cosm_commands_report report;
    CHECK_DONE(cosm_commands_apply_many(list, 3, &report));
    CHECK_INT(COSM_READ(box.world, entity, Health)->points, 3);
    CHECK_INT(report.moved, 1);
    for (uint32_t i = 0; i < 3; i++) {
        CHECK_INT(cosm_commands_count(list[i]), 0);
        CHECK_DONE(cosm_commands_set(list[i], box.world, entity, box.health, &(Health){i + 1}));
    }
    cosm_commands *reversed[] = {list[2], list[1], list[0]};
    CHECK_DONE(cosm_commands_apply_many(reversed, 3, NULL));
    CHECK_INT(COSM_READ(box.world, entity, Health)->points, 1);
    CHECK_DONE(cosm_commands_apply_many(NULL, 0, &report));
    CHECK_INT(report.written, 0);
    for (uint32_t i = 0; i < 3; i++) {
        cosm_commands_destroy(list[i]);
    }
    fixture_close(&box);
}

TEST(the_handles_of_several_objects_never_collide) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_entity freed[4];
    for (int i = 0; i < 4; i++) {
        freed[i] = fixture_spawn(&box, 0);
    }
    CHECK_DONE(cosm_entity_despawn_many(box.world, freed, 4));
    cosm_commands *a = cosm_commands_create(box.batch);
    cosm_commands *b = cosm_commands_create(box.batch);
    cosm_entity entities[10];
    for (int i = 0; i < 10; i++) {
        entities[i] = cosm_commands_spawn(i % 2 == 0 ? a : b, box.world, box.mover);
        for (int j = 0; j < i; j++) {
            CHECK(entities[i].id != entities[j].id);
        }
    }
    cosm_commands *list[] = {b, a};
    CHECK_DONE(cosm_commands_apply_many(list, 2, NULL));
    for (int i = 0; i < 10; i++) {
        CHECK(cosm_entity_is_alive(box.world, entities[i]));
    }
    cosm_commands_destroy(a);
    cosm_commands_destroy(b);
    fixture_close(&box);
}

TEST(forgotten_handles_never_come_alive_and_their_ids_are_used_again) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_entity old = fixture_spawn(&box, 0);
    CHECK_DONE(cosm_entity_despawn(box.world, old));
    cosm_commands *commands = cosm_commands_create(box.batch);
    cosm_entity promised[3];
    for (int i = 0; i < 3; i++) {
        promised[i] = cosm_commands_spawn(commands, box.world, box.mover);
    }
    cosm_commands_clear(commands);
    CHECK_INT(cosm_commands_count(commands), 0);
    CHECK_VALID(box.batch);
    CHECK_DONE(cosm_commands_apply(commands, NULL));
    for (int i = 0; i < 6; i++) {
        CHECK(fixture_spawn(&box, 0).id < 6);
    }
    for (int i = 0; i < 3; i++) {
        CHECK(!cosm_entity_is_alive(box.world, promised[i]));
    }
    cosm_entity last = cosm_commands_spawn(commands, box.world, box.mover);
    cosm_commands_destroy(commands);
    fixture_spawn(&box, 0);
    CHECK(!cosm_entity_is_alive(box.world, last));
    fixture_close(&box);
}

TEST(a_promised_handle_survives_direct_spawns_and_despawns_in_between) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_entity entities[4];
    for (int i = 0; i < 4; i++) {
        entities[i] = fixture_spawn(&box, 0);
    }
    CHECK_DONE(cosm_entity_despawn(box.world, entities[0]));
    cosm_commands *commands = cosm_commands_create(box.batch);
    cosm_entity recycled = cosm_commands_spawn(commands, box.world, box.mover);
    CHECK_INT(recycled.id, entities[0].id);
    cosm_entity fresh = cosm_commands_spawn(commands, box.world, box.mover);
    CHECK_DONE(cosm_entity_despawn(box.world, entities[1]));
    CHECK_VALID(box.batch);
    cosm_entity direct = fixture_spawn(&box, 0);
    CHECK_INT(direct.id, entities[1].id);
    cosm_commands_report report;
    CHECK_DONE(cosm_commands_apply(commands, &report));
    CHECK_INT(report.spawned, 2);
    CHECK_INT(report.skipped, 0);
    CHECK(cosm_entity_is_alive(box.world, recycled));
    CHECK(cosm_entity_is_alive(box.world, fresh));
    CHECK(cosm_entity_is_alive(box.world, direct));
    cosm_commands_destroy(commands);
    fixture_close(&box);
}

TEST(a_promised_handle_survives_the_clearing_of_a_table_in_between) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_entity old = fixture_spawn(&box, 0);
    fixture_spawn(&box, 0);
    CHECK_DONE(cosm_entity_despawn(box.world, old));
    cosm_commands *commands = cosm_commands_create(box.batch);
    cosm_entity promised = cosm_commands_spawn(commands, box.world, box.mover);
    CHECK_DONE(cosm_table_clear(box.world, box.mover));
    CHECK_VALID(box.batch);
    CHECK_DONE(cosm_commands_apply(commands, NULL));
    CHECK(cosm_entity_is_alive(box.world, promised));
    cosm_commands_destroy(commands);
    fixture_close(&box);
}

TEST(a_reset_breaks_the_promises_of_its_world) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_commands *commands = cosm_commands_create(box.batch);
    cosm_entity promised = cosm_commands_spawn(commands, box.world, box.mover);
    CHECK_DONE(cosm_world_reset(box.world));
    CHECK_VALID(box.batch);
    cosm_commands_report report;
    CHECK_DONE(cosm_commands_apply(commands, &report));
    CHECK_INT(report.skipped, 1);
    CHECK(!cosm_entity_is_alive(box.world, promised));
    cosm_entity next = fixture_spawn(&box, 0);
    CHECK(!cosm_entity_equals(next, promised));
    cosm_commands_destroy(commands);
    fixture_close(&box);
}

TEST(an_apply_that_does_not_fit_changes_nothing_and_keeps_the_commands) {
    struct fixture box;
    fixture_open(&box, 0, 2);
    cosm_entity mover = fixture_spawn(&box, 1);
    cosm_commands *commands = cosm_commands_create(box.batch);
    CHECK_DONE(cosm_commands_add(commands, box.world, mover, box.mark));
    for (int i = 0; i < 5; i++) {
        CHECK(
            !cosm_entity_is_none(cosm_commands_spawn(commands, fixture_world(&box, 1), box.slot)));
    }
    uint64_t checksum = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
    cosm_commands_report report;
    CHECK_FAILS(cosm_commands_apply(commands, &report), COSM_ERROR_FULL,
                "cosm_commands_apply:", "no room in world 1", "despawn some");
    CHECK_INT(report.spawned + report.moved, 0);
    CHECK_INT(cosm_hash_batch(box.batch, COSM_HASH_EXACT), checksum);
    CHECK_INT(cosm_commands_count(commands), 6);
    CHECK_VALID(box.batch);
    cosm_commands_destroy(commands);
    fixture_close(&box);
}

TEST(despawns_of_the_same_apply_make_room_in_a_full_table) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.slot, 4, &rows));
    cosm_commands *commands = cosm_commands_create(box.batch);
    CHECK_DONE(cosm_commands_despawn(commands, box.world, rows.entities[1]));
    CHECK_DONE(cosm_commands_remove(commands, box.world, rows.entities[2], box.health));
    CHECK(!cosm_entity_is_none(cosm_commands_spawn(commands, box.world, box.slot)));
    CHECK(!cosm_entity_is_none(cosm_commands_spawn(commands, box.world, box.slot)));
    CHECK_DONE(cosm_commands_apply(commands, NULL));
    CHECK_INT(cosm_table_row_count(box.world, box.slot), 4);
    CHECK_INT(cosm_world_entity_count(box.world), 5);
    cosm_commands_destroy(commands);
    fixture_close(&box);
}

TEST(a_sealed_archetype_refuses_commands_when_they_are_applied) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_entity stone = cosm_entity_spawn(box.world, box.stone);
    cosm_commands *commands = cosm_commands_create(box.batch);
    CHECK_DONE(cosm_commands_add(commands, box.world, stone, box.health));
    CHECK_FAILS(cosm_commands_apply(commands, NULL), COSM_ERROR_SEALED,
                "cosm_commands_apply:", "'stone' is sealed", "define it without");
    cosm_commands_clear(commands);
    CHECK_DONE(cosm_commands_set(commands, box.world, stone, box.position, &(Position){1, 0, 0}));
    CHECK_DONE(cosm_commands_apply(commands, NULL));
    CHECK_NEAR(COSM_READ(box.world, stone, Position)->x, 1, 0);
    cosm_commands_destroy(commands);
    fixture_close(&box);
}

TEST(recording_finds_out_wrong_arguments) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_entity entity = fixture_spawn(&box, 0);
    cosm_batch *other = cosm_batch_create(box.engine, NULL);
    cosm_commands *commands = cosm_commands_create(box.batch);
    CHECK(cosm_entity_is_none(cosm_commands_spawn(NULL, box.world, box.mover)));
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_commands_spawn:", "commands is NULL",
                  "cosm_commands_create");
    CHECK(
        cosm_entity_is_none(cosm_commands_spawn(commands, cosm_batch_world(other, 0), box.mover)));
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_commands_spawn:", "another batch", "create commands");
    CHECK(cosm_entity_is_none(cosm_commands_spawn(commands, box.world, box.event)));
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_commands_spawn:", "'event' is temporary",
                  "use cosm_commands_emit");
    CHECK(cosm_entity_is_none(cosm_commands_spawn(commands, box.world, (cosm_archetype){50})));
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_commands_spawn:", "archetype 50",
                  "cosm_archetype_define");
    CHECK_FAILS(cosm_commands_emit(commands, box.world, box.mover, NULL, 0), COSM_ERROR_ARGUMENT,
                "cosm_commands_emit:", "'mover' is not temporary", "use cosm_commands_spawn");
    CHECK_FAILS(
        cosm_commands_emit(commands, box.world, box.event, &(cosm_value){box.health, NULL}, 1),
        COSM_ERROR_ARGUMENT, "cosm_commands_emit:", "values[0].data is NULL", "4 bytes");
    CHECK_FAILS(cosm_commands_add(commands, box.world, entity, (cosm_component){999}),
                COSM_ERROR_ARGUMENT, "cosm_commands_add:", "component 999",
                "cosm_component_define");
    CHECK_FAILS(cosm_commands_remove(commands, box.world, entity, (cosm_component){0}),
                COSM_ERROR_ARGUMENT, "cosm_commands_remove:", "component 0",
                "cosm_component_define");
    CHECK_FAILS(cosm_commands_set(commands, box.world, entity, box.health, NULL),
                COSM_ERROR_ARGUMENT, "cosm_commands_set:", "'Health' is NULL", "4 bytes");
    CHECK_FAILS(cosm_commands_despawn(commands, (cosm_world){box.batch, 4}, entity),
                COSM_ERROR_ARGUMENT, "cosm_commands_despawn:", "world.index 4", "has 1 worlds");
    CHECK_INT(cosm_commands_count(commands), 0);
    cosm_commands_destroy(commands);
    CHECK_DONE(cosm_batch_destroy(other));
    fixture_close(&box);
}

TEST(applying_finds_out_wrong_arguments) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_batch *other = cosm_batch_create(box.engine, NULL);
    cosm_commands *ours = cosm_commands_create(box.batch);
    cosm_commands *theirs = cosm_commands_create(other);
    cosm_commands *mixed[] = {ours, theirs};
    cosm_commands *twice[] = {ours, ours};
    cosm_commands *holes[] = {ours, NULL};
    CHECK_FAILS(cosm_commands_apply(NULL, NULL), COSM_ERROR_ARGUMENT,
                "cosm_commands_apply:", "is NULL", "cosm_commands_create");
    CHECK_FAILS(cosm_commands_apply_many(NULL, 2, NULL), COSM_ERROR_ARGUMENT,
                "cosm_commands_apply_many:", "list is NULL", "pass `count`");
    CHECK_FAILS(cosm_commands_apply_many(mixed, 2, NULL), COSM_ERROR_ARGUMENT,
                "cosm_commands_apply_many:", "list[1] belongs to another batch",
                "apply each batch separately");
    CHECK_FAILS(cosm_commands_apply_many(twice, 2, NULL), COSM_ERROR_ARGUMENT,
                "cosm_commands_apply_many:", "list[0] and list[1]", "list each once");
    CHECK_FAILS(cosm_commands_apply_many(holes, 2, NULL), COSM_ERROR_ARGUMENT,
                "cosm_commands_apply_many:", "is NULL", "cosm_commands_create");
    CHECK(cosm_commands_create(NULL) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_commands_create:", "batch is NULL",
                  "cosm_batch_create");
    CHECK_INT(cosm_commands_count(NULL), 0);
    cosm_commands_clear(NULL);
    cosm_commands_destroy(NULL);
    cosm_commands_destroy(ours);
    cosm_commands_destroy(theirs);
    CHECK_DONE(cosm_batch_destroy(other));
    fixture_close(&box);
}

TEST(values_of_any_alignment_and_size_come_through) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    static uint8_t bytes[100000];
    for (size_t i = 0; i < sizeof(bytes); i++) {
        bytes[i] = (uint8_t)(i * 7 + 1);
    }
    cosm_component large = cosm_component_define(
        box.engine, &(cosm_component_desc){.name = "large", .size = sizeof(bytes)});
    cosm_component odd = cosm_component_define(
        box.engine, &(cosm_component_desc){.name = "odd", .size = 3, .alignment = 1});
    cosm_archetype archetype =
        cosm_archetype_define(box.engine, &(cosm_archetype_desc){.components = {large, odd}});
    cosm_commands *commands = cosm_commands_create(box.batch);
    cosm_value values[] = {{odd, bytes + 1}, {large, bytes}};
    cosm_entity entity = cosm_commands_spawn_with(commands, box.world, archetype, values, 2);
    cosm_entity mover = fixture_spawn(&box, 0);
    CHECK_DONE(cosm_commands_set(commands, box.world, mover, large, bytes));
    CHECK_DONE(cosm_commands_apply(commands, NULL));
    CHECK_MEM(cosm_entity_read(box.world, entity, large), bytes, sizeof(bytes));
    CHECK_MEM(cosm_entity_read(box.world, entity, odd), bytes + 1, 3);
    CHECK_MEM(cosm_entity_read(box.world, mover, large), bytes, sizeof(bytes));
    cosm_commands_destroy(commands);
    fixture_close(&box);
}

// Failures of recording.

TEST(an_apply_returns_the_first_failure_of_recording_once_and_applies_nothing) {
    struct fixture box;
    fixture_open_with(&box, 0, &(cosm_engine_desc){.quiet = true}, NULL);
    cosm_entity entity = fixture_spawn(&box, 1);
    cosm_commands *commands = cosm_commands_create(box.batch);
    cosm_commands_despawn(commands, box.world, entity);
    cosm_commands_add(commands, box.world, entity, (cosm_component){999});
    cosm_commands_despawn(commands, (cosm_world){box.batch, 7}, entity);
    CHECK_INT(cosm_commands_count(commands), 1);
    cosm_commands_report report;
    CHECK_FAILS(cosm_commands_apply(commands, &report), COSM_ERROR_ARGUMENT,
                "cosm_commands_add:", "component 999", "define it");
    CHECK_INT(report.despawned, 0);
    CHECK(cosm_entity_is_alive(box.world, entity));
    CHECK_INT(cosm_commands_count(commands), 1);
    CHECK_DONE(cosm_commands_apply(commands, &report));
    CHECK_INT(report.despawned, 1);
    CHECK(!cosm_entity_is_alive(box.world, entity));
    cosm_commands_destroy(commands);
    fixture_close(&box);
}

// Records something wrong in one of all ways; returns how many there are.
static uint32_t record_wrongly(const struct fixture *box, cosm_commands *commands, uint32_t way) {
    cosm_world world = {box->batch, 99};
    cosm_entity e = COSM_ENTITY_NONE;
    bool failed[] = {
        way == 0 && cosm_entity_is_none(cosm_commands_spawn(commands, world, box->mover)),
        way == 1 &&
            cosm_entity_is_none(cosm_commands_spawn_with(commands, world, box->mover, NULL, 0)),
        way == 2 && cosm_entity_is_none(cosm_commands_spawn_template(commands, box->world,
                                                                     (cosm_template){9}, NULL, 0)),
        way == 3 && cosm_commands_emit(commands, box->world, box->mover, NULL, 0) != COSM_OK,
        way == 4 && cosm_commands_despawn(commands, world, e) != COSM_OK,
        way == 5 && cosm_commands_despawn_tree(commands, world, e) != COSM_OK,
        way == 6 && cosm_commands_set_parent(commands, world, e, e) != COSM_OK,
        way == 7 && cosm_commands_add(commands, box->world, e, (cosm_component){0}) != COSM_OK,
        way == 8 && cosm_commands_remove(commands, box->world, e, (cosm_component){0}) != COSM_OK,
        way == 9 && cosm_commands_set(commands, box->world, e, box->position, NULL) != COSM_OK,
    };
    const uint32_t count = sizeof(failed) / sizeof(failed[0]);
    for (uint32_t i = 0; i < count; i++) {
        CHECK_INT(failed[i], i == way);
    }
    return count;
}

TEST(every_recording_call_that_fails_fails_the_apply) {
    struct fixture box;
    fixture_open_with(&box, 0, &(cosm_engine_desc){.quiet = true}, NULL);
    cosm_commands *pair[2] = {cosm_commands_create(box.batch), cosm_commands_create(box.batch)};
    uint32_t count = 1;
    for (uint32_t way = 0; way < count; way++) {
        count = record_wrongly(&box, pair[way % 2], way);
        CHECK_FAILS(cosm_commands_apply_many(pair, 2, NULL), COSM_ERROR_ARGUMENT, "cosm_commands_",
                    ":", ";");
        CHECK_DONE(cosm_commands_apply_many(pair, 2, NULL));
        // What is cleared is forgotten.
        (void)record_wrongly(&box, pair[0], way);
        cosm_commands_clear(pair[0]);
        CHECK_DONE(cosm_commands_apply_many(pair, 2, NULL));
    }
    cosm_commands_destroy(pair[0]);
    cosm_commands_destroy(pair[1]);
    fixture_close(&box);
}
