// Entities: adding, removing and setting components, of one, of many, and while a world is walked
// (cosm/entity.h).
#include <string.h>

#include "harness.h"
#include "support/fixture.h"

TEST(adding_moves_the_entity_and_keeps_its_values) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_entity entity = fixture_spawn(&box, 4);
    cosm_entity other = fixture_spawn(&box, 5);
    CHECK_DONE(cosm_entity_add(box.world, entity, box.health));
    CHECK(cosm_entity_has(box.world, entity, box.health));
    CHECK(cosm_entity_archetype(box.world, entity).id != box.mover.id);
    CHECK_NEAR(COSM_READ(box.world, entity, Position)->x, 4, 0);
    CHECK_INT(COSM_READ(box.world, entity, Health)->points, 100);
    CHECK_NEAR(COSM_READ(box.world, other, Position)->x, 5, 0);
    CHECK_INT(cosm_entity_loc(box.world, other).row, 0);
    fixture_close(&box);
}

TEST(adding_what_is_there_keeps_its_value) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_entity entity = cosm_entity_spawn(box.world, box.slot);
    COSM_WRITE(box.world, entity, Health)->points = 3;
    CHECK_DONE(cosm_entity_add(box.world, entity, box.health));
    CHECK_INT(COSM_READ(box.world, entity, Health)->points, 3);
    CHECK_INT(cosm_entity_archetype(box.world, entity).id, box.slot.id);
    fixture_close(&box);
}

TEST(removing_drops_the_component_and_keeps_the_others) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_entity entity = fixture_spawn(&box, 4);
    CHECK_DONE(cosm_entity_remove(box.world, entity, box.velocity));
    CHECK(!cosm_entity_has(box.world, entity, box.velocity));
    CHECK_NEAR(COSM_READ(box.world, entity, Position)->x, 4, 0);
    CHECK_DONE(cosm_entity_remove(box.world, entity, box.velocity));
    CHECK_DONE(cosm_entity_remove(box.world, entity, box.position));
    CHECK(cosm_entity_is_alive(box.world, entity));
    CHECK_INT(
        cosm_archetype_components(box.engine, cosm_entity_archetype(box.world, entity), 0, NULL),
        0);
    fixture_close(&box);
}

TEST(what_is_removed_and_added_again_has_its_default) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_entity entity = fixture_spawn(&box, 0);
    CHECK_DONE(cosm_entity_set(box.world, entity, box.health, &(Health){5}));
    CHECK_DONE(cosm_entity_remove(box.world, entity, box.health));
    CHECK_DONE(cosm_entity_add(box.world, entity, box.health));
    CHECK_INT(COSM_READ(box.world, entity, Health)->points, 100);
    fixture_close(&box);
}

TEST(setting_writes_and_adds_where_absent) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_entity entity = fixture_spawn(&box, 0);
    CHECK_DONE(cosm_entity_set(box.world, entity, box.position, &(Position){1, 2, 3}));
    CHECK_INT(cosm_entity_archetype(box.world, entity).id, box.mover.id);
    CHECK_NEAR(COSM_READ(box.world, entity, Position)->z, 3, 0);
    CHECK_DONE(cosm_entity_set(box.world, entity, box.health, &(Health){5}));
    CHECK_INT(COSM_READ(box.world, entity, Health)->points, 5);
    CHECK_DONE(cosm_entity_set(box.world, entity, box.mark, NULL));
    CHECK(cosm_entity_has(box.world, entity, box.mark));
    CHECK_NEAR(COSM_READ(box.world, entity, Position)->z, 3, 0);
    fixture_close(&box);
}

TEST(a_value_may_lie_in_the_very_rows_that_setting_it_moves) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_entity source = cosm_entity_spawn(box.world, box.slot);
    COSM_WRITE(box.world, source, Health)->points = 77;
    cosm_entity entity = fixture_spawn(&box, 0);
    CHECK_DONE(cosm_entity_set(box.world, entity, box.health,
                               cosm_entity_read(box.world, source, box.health)));
    CHECK_INT(COSM_READ(box.world, entity, Health)->points, 77);
    CHECK_DONE(cosm_entity_set(box.world, entity, box.health,
                               cosm_entity_read(box.world, entity, box.health)));
    CHECK_INT(COSM_READ(box.world, entity, Health)->points, 77);
    fixture_close(&box);
}

TEST(a_value_may_lie_in_the_row_of_the_entity_that_it_is_set_on) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_archetype place =
        cosm_archetype_define(box.engine, &(cosm_archetype_desc){.components = {box.position}});
    cosm_entity first = cosm_entity_spawn(box.world, place);
    cosm_entity last = cosm_entity_spawn(box.world, place);
    COSM_WRITE(box.world, first, Position)->x = 1;
    COSM_WRITE(box.world, last, Position)->x = 2;
    // Adding the velocity moves the row away, and the last row into its place.
    CHECK_DONE(cosm_entity_set(box.world, first, box.velocity,
                               cosm_entity_read(box.world, first, box.position)));
    CHECK_NEAR(COSM_READ(box.world, first, Velocity)->x, 1, 0);
    CHECK_NEAR(COSM_READ(box.world, first, Position)->x, 1, 0);
    fixture_close(&box);
}

TEST(values_may_lie_in_rows_of_the_table_that_grows_to_take_them) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_component large =
        cosm_component_define(box.engine, &(cosm_component_desc){.name = "large", .size = 5000});
    cosm_archetype archetype =
        cosm_archetype_define(box.engine, &(cosm_archetype_desc){.components = {large}});
    cosm_archetype bare =
        cosm_archetype_define(box.engine, &(cosm_archetype_desc){.components = {box.mark}});
    cosm_entity first = cosm_entity_spawn(box.world, archetype);
    memset(cosm_entity_write(box.world, first, large), 0x3C, 5000);
    for (uint32_t i = 0; i < 200; i++) {
        cosm_value value = {large, cosm_entity_read(box.world, first, large)};
        cosm_entity entity = i % 2 == 0 ? cosm_entity_spawn_with(box.world, archetype, &value, 1)
                                        : cosm_entity_spawn(box.world, bare);
        REQUIRE(!cosm_entity_is_none(entity));
        if (i % 2 == 1) {
            CHECK_DONE(cosm_entity_remove(box.world, entity, box.mark));
            CHECK_DONE(cosm_entity_set(box.world, entity, large, value.data));
        }
        CHECK_MEM(cosm_entity_read(box.world, entity, large),
                  cosm_entity_read(box.world, first, large), 5000);
        CHECK_INT(*(const char *)cosm_entity_read(box.world, entity, large), 0x3C);
        CHECK_DONE(cosm_batch_trim(box.batch));
    }
    fixture_close(&box);
}

TEST(values_for_many_may_lie_in_the_rows_that_move) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    enum { COUNT = 300 };
    cosm_entity entities[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        entities[i] = fixture_spawn(&box, (float)i);
        CHECK_DONE(cosm_entity_remove(box.world, entities[i], box.velocity));
    }
    cosm_archetype place = cosm_entity_archetype(box.world, entities[0]);
    const void *positions = cosm_table_column(box.world, place, box.position);
    CHECK_DONE(cosm_entity_set_many(box.world, entities, COUNT, box.velocity, positions));
    for (uint32_t i = 0; i < COUNT; i++) {
        CHECK_NEAR(COSM_READ(box.world, entities[i], Velocity)->x, (double)i, 0);
    }
    cosm_query *query = fixture_query(&box, box.position, (cosm_component){0});
    const Position *fifth = COSM_READ(box.world, entities[5], Position);
    CHECK_DONE(cosm_query_set(query, box.all, box.position, fifth));
    CHECK_NEAR(COSM_READ(box.world, entities[299], Position)->x, 5, 0);
    cosm_query_destroy(query);
    fixture_close(&box);
}

TEST(a_bundle_is_added_and_removed_as_a_whole) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_component kit = cosm_bundle_define(
        box.engine,
        &(cosm_bundle_desc){.name = "kit", .components = {box.velocity, box.health, box.mark}});
    cosm_entity entity = fixture_spawn(&box, 1);
    COSM_WRITE(box.world, entity, Velocity)->y = 8;
    CHECK(!cosm_entity_has(box.world, entity, kit));
    CHECK_DONE(cosm_entity_add(box.world, entity, kit));
    CHECK(cosm_entity_has(box.world, entity, kit));
    CHECK_NEAR(COSM_READ(box.world, entity, Velocity)->y, 8, 0);
    CHECK_INT(COSM_READ(box.world, entity, Health)->points, 100);
    CHECK_DONE(cosm_entity_remove(box.world, entity, kit));
    CHECK(!cosm_entity_has(box.world, entity, box.velocity));
    CHECK(!cosm_entity_has(box.world, entity, box.mark));
    CHECK_NEAR(COSM_READ(box.world, entity, Position)->x, 1, 0);
    CHECK_FAILS(cosm_entity_set(box.world, entity, kit, ""), COSM_ERROR_ARGUMENT,
                "cosm_entity_set:", "'kit' is a bundle", "name one of its components");
    fixture_close(&box);
}

TEST(a_sealed_archetype_keeps_the_components_of_its_entities) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_entity stone = cosm_entity_spawn(box.world, box.stone);
    uint64_t checksum = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
    CHECK_FAILS(cosm_entity_add(box.world, stone, box.health), COSM_ERROR_SEALED,
                "cosm_entity_add:", "'stone' is sealed", "spawn them in another archetype");
    CHECK_FAILS(cosm_entity_remove(box.world, stone, box.mark), COSM_ERROR_SEALED,
                "cosm_entity_remove:", "cannot remove component 'Mark'", "define it without");
    CHECK_FAILS(cosm_entity_set(box.world, stone, box.health, &(Health){1}), COSM_ERROR_SEALED,
                "cosm_entity_set:", "cannot add component 'Health'", "define it without");
    CHECK_FAILS(cosm_entity_add_many(box.world, &stone, 1, box.health), COSM_ERROR_SEALED,
                "cosm_entity_add_many:", "'stone'", "define it without");
    CHECK_INT(cosm_hash_batch(box.batch, COSM_HASH_EXACT), checksum);
    CHECK_DONE(cosm_entity_add(box.world, stone, box.mark));
    CHECK_DONE(cosm_entity_remove(box.world, stone, box.health));
    CHECK_DONE(cosm_entity_set(box.world, stone, box.position, &(Position){1, 1, 1}));
    CHECK_DONE(cosm_entity_despawn(box.world, stone));
    fixture_close(&box);
}

TEST(an_entity_may_move_into_a_sealed_archetype_and_then_stays) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_entity entity = fixture_spawn(&box, 0);
    CHECK_DONE(cosm_entity_remove(box.world, entity, box.velocity));
    CHECK_DONE(cosm_entity_add(box.world, entity, box.mark));
    CHECK_INT(cosm_entity_archetype(box.world, entity).id, box.stone.id);
    CHECK_INT(cosm_entity_remove(box.world, entity, box.mark), COSM_ERROR_SEALED);
    fixture_close(&box);
}

TEST(moving_into_a_full_fixed_table_is_refused_and_the_entity_stays) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.slot, 4, &rows));
    cosm_entity entity = fixture_spawn(&box, 2);
    CHECK_DONE(cosm_entity_remove(box.world, entity, box.velocity));
    uint64_t checksum = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
    CHECK_FAILS(cosm_entity_add(box.world, entity, box.health), COSM_ERROR_FULL,
                "cosm_entity_add:", "4 of max_per_world 4", "despawn some");
    CHECK_INT(cosm_hash_batch(box.batch, COSM_HASH_EXACT), checksum);
    CHECK_DONE(cosm_entity_despawn(box.world, cosm_table_entities(box.world, box.slot)[0]));
    CHECK_DONE(cosm_entity_add(box.world, entity, box.health));
    CHECK_INT(cosm_entity_archetype(box.world, entity).id, box.slot.id);
    fixture_close(&box);
}

TEST(an_unknown_component_is_reported_by_every_change) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_entity entity = fixture_spawn(&box, 0);
    const uint32_t ids[] = {0, 5, 999, 4096, 4097, 65536, 0x80000001, 0xFFFFFFFF};
    uint64_t checksum = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
    for (size_t i = 0; i < sizeof(ids) / sizeof(*ids); i++) {
        cosm_component unknown = {ids[i]};
        CHECK_FAILS(cosm_entity_add(box.world, entity, unknown), COSM_ERROR_ARGUMENT,
                    "cosm_entity_add:", "is not defined", "cosm_component_define");
        CHECK_FAILS(cosm_entity_remove(box.world, entity, unknown), COSM_ERROR_ARGUMENT,
                    "cosm_entity_remove:", "is not defined", "cosm_component_define");
        CHECK_FAILS(cosm_entity_set(box.world, entity, unknown, ""), COSM_ERROR_ARGUMENT,
                    "cosm_entity_set:", "is not defined", "cosm_component_define");
        CHECK_FAILS(cosm_entity_add_many(box.world, &entity, 1, unknown), COSM_ERROR_ARGUMENT,
                    "cosm_entity_add_many:", "is not defined", "cosm_component_define");
        CHECK_FAILS(cosm_entity_remove_many(box.world, &entity, 1, unknown), COSM_ERROR_ARGUMENT,
                    "cosm_entity_remove_many:", "is not defined", "cosm_component_define");
        CHECK_FAILS(cosm_entity_set_many(box.world, &entity, 1, unknown, ""), COSM_ERROR_ARGUMENT,
                    "cosm_entity_set_many:", "is not defined", "cosm_component_define");
    }
    CHECK_INT(cosm_hash_batch(box.batch, COSM_HASH_EXACT), checksum);
    fixture_close(&box);
}

TEST(an_unknown_component_is_reported_even_where_the_entity_is_stale) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    CHECK_INT(cosm_entity_add(box.world, COSM_ENTITY_NONE, (cosm_component){999}),
              COSM_ERROR_ARGUMENT);
    CHECK_INT(cosm_entity_remove(box.world, COSM_ENTITY_NONE, (cosm_component){999}),
              COSM_ERROR_ARGUMENT);
    CHECK_INT(cosm_entity_set(box.world, COSM_ENTITY_NONE, (cosm_component){999}, ""),
              COSM_ERROR_ARGUMENT);
    fixture_close(&box);
}

TEST(a_change_without_a_world_or_without_a_value_is_refused) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_entity entity = fixture_spawn(&box, 0);
    cosm_world nowhere = {box.batch, 7};
    CHECK_FAILS(cosm_entity_despawn(nowhere, entity), COSM_ERROR_ARGUMENT,
                "cosm_entity_despawn:", "world.index 7", "has 1 worlds");
    CHECK_FAILS(cosm_entity_add(nowhere, entity, box.mark), COSM_ERROR_ARGUMENT,
                "cosm_entity_add:", "world.index 7", "has 1 worlds");
    CHECK_FAILS(cosm_entity_set(nowhere, entity, box.mark, NULL), COSM_ERROR_ARGUMENT,
                "cosm_entity_set:", "world.index 7", "has 1 worlds");
    CHECK_FAILS(cosm_entity_set_many(nowhere, &entity, 1, box.mark, NULL), COSM_ERROR_ARGUMENT,
                "cosm_entity_set_many:", "world.index 7", "has 1 worlds");
    CHECK_FAILS(cosm_entity_set(box.world, entity, box.position, NULL), COSM_ERROR_ARGUMENT,
                "cosm_entity_set:", "the value of component 'Position' is NULL", "12 bytes");
    CHECK_FAILS(cosm_entity_set_many(box.world, &entity, 1, box.position, NULL),
                COSM_ERROR_ARGUMENT, "cosm_entity_set_many:", "'Position' is NULL", "12 bytes");
    CHECK_FAILS(cosm_entity_add_many(box.world, NULL, 1, box.mark), COSM_ERROR_ARGUMENT,
                "cosm_entity_add_many:", "entities is NULL", "pass `count`");
    CHECK_DONE(cosm_entity_set_many(box.world, NULL, 0, box.position, NULL));
    fixture_close(&box);
}

TEST(an_array_of_entities_changes_as_one) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    enum { COUNT = 60 };
    cosm_entity entities[COUNT];
    Health values[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        entities[i] = fixture_spawn(&box, (float)i);
        values[i].points = 1000 + i;
    }
    CHECK_DONE(cosm_entity_despawn(box.world, entities[7]));
    CHECK_DONE(cosm_entity_add_many(box.world, entities, 30, box.health));
    for (uint32_t i = 0; i < COUNT; i++) {
        CHECK(cosm_entity_has(box.world, entities[i], box.health) == (i < 30 && i != 7));
    }
    CHECK_DONE(cosm_entity_set_many(box.world, entities, COUNT, box.health, values));
    for (uint32_t i = 0; i < COUNT; i++) {
        const Health *health = COSM_READ(box.world, entities[i], Health);
        CHECK(i == 7 ? health == NULL : health != NULL && health->points == 1000 + i);
    }
    CHECK_DONE(cosm_entity_set_many(box.world, entities, COUNT, box.mark, NULL));
    CHECK_DONE(cosm_entity_remove_many(box.world, entities, 40, box.health));
    for (uint32_t i = 0; i < COUNT; i++) {
        CHECK(cosm_entity_has(box.world, entities[i], box.health) == (i >= 40));
        CHECK(cosm_entity_has(box.world, entities[i], box.mark) == (i != 7));
    }
    CHECK_VALID(box.batch);
    fixture_close(&box);
}

TEST(an_array_with_doubles_changes_each_entity_once) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_entity a = fixture_spawn(&box, 1);
    cosm_entity b = fixture_spawn(&box, 2);
    const cosm_entity list[] = {b, a, b, b, a};
    const Health values[] = {{1}, {2}, {3}, {4}, {5}};
    CHECK_DONE(cosm_entity_set_many(box.world, list, 5, box.health, values));
    CHECK_INT(COSM_READ(box.world, a, Health)->points, 5);
    CHECK_INT(COSM_READ(box.world, b, Health)->points, 4);
    CHECK_DONE(cosm_entity_remove_many(box.world, list, 5, box.health));
    CHECK_VALID(box.batch);
    fixture_close(&box);
}

TEST(an_array_that_does_not_fit_changes_no_entity) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_entity entities[6];
    for (int i = 0; i < 6; i++) {
        entities[i] = fixture_spawn(&box, (float)i);
    }
    CHECK_DONE(cosm_entity_remove_many(box.world, entities, 6, box.velocity));
    uint64_t checksum = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
    CHECK_FAILS(cosm_entity_add_many(box.world, entities, 6, box.health), COSM_ERROR_FULL,
                "cosm_entity_add_many:", "max_per_world 4", "despawn some");
    CHECK_INT(cosm_hash_batch(box.batch, COSM_HASH_EXACT), checksum);
    CHECK_DONE(cosm_entity_add_many(box.world, entities, 4, box.health));
    fixture_close(&box);
}

TEST(a_direct_change_while_the_world_is_walked_is_refused) {
    struct fixture box;
    fixture_open(&box, 0, 2);
    cosm_entity entity = fixture_spawn(&box, 0);
    cosm_query *query = fixture_query(&box, box.position, box.velocity);
    cosm_rows rows;
    cosm_rows more;
    cosm_query_walk(query, cosm_worlds_one(box.world), &rows);
    CHECK(cosm_rows_next(&rows));
    uint64_t checksum = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
    CHECK(cosm_entity_is_none(cosm_entity_spawn(box.world, box.mover)));
    CHECK_FAILURE(COSM_ERROR_WALKED, "cosm_entity_spawn:", "world 0 is being walked",
                  "record the change with cosm_commands");
    CHECK_INT(cosm_entity_spawn_many(box.world, box.mover, 2, &more), COSM_ERROR_WALKED);
    CHECK_INT(cosm_entity_spawn_many_unset(box.world, box.mover, 2, &more), COSM_ERROR_WALKED);
    CHECK_INT(cosm_entity_despawn(box.world, entity), COSM_ERROR_WALKED);
    CHECK_INT(cosm_entity_despawn_many(box.world, &entity, 1), COSM_ERROR_WALKED);
    CHECK_INT(cosm_entity_add(box.world, entity, box.mark), COSM_ERROR_WALKED);
    CHECK_INT(cosm_entity_remove(box.world, entity, box.velocity), COSM_ERROR_WALKED);
    CHECK_INT(cosm_entity_set(box.world, entity, box.health, &(Health){1}), COSM_ERROR_WALKED);
    CHECK_INT(cosm_entity_add_many(box.world, &entity, 1, box.mark), COSM_ERROR_WALKED);
    CHECK_INT(cosm_entity_remove_many(box.world, &entity, 1, box.velocity), COSM_ERROR_WALKED);
    CHECK_INT(cosm_hash_batch(box.batch, COSM_HASH_EXACT), checksum);
    CHECK_DONE(cosm_entity_set(box.world, entity, box.position, &(Position){9, 0, 0}));
    CHECK(!cosm_entity_is_none(cosm_entity_spawn(fixture_world(&box, 1), box.mover)));
    cosm_rows_end(&rows);
    CHECK_DONE(cosm_entity_despawn(box.world, entity));
    cosm_query_destroy(query);
    fixture_close(&box);
}
