// Entities: spawning, despawning, handles and access (cosm/entity.h). Changes of components are in
// entity_change.c.
#include <stdio.h>
#include <string.h>

#include "harness.h"
#include "support/fixture.h"

TEST(spawning_many_in_vain_shows_no_rows) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_rows rows;
    memset(&rows, 0xAA, sizeof(rows));
    CHECK(cosm_entity_spawn_many(box.world, (cosm_archetype){999}, 3, &rows) ==
          COSM_ERROR_ARGUMENT);
    CHECK_INT(rows.count, 0);
    CHECK(rows.entities == NULL);
    CHECK(cosm_rows_column(&rows, box.position) == NULL);
    CHECK(!cosm_rows_next(&rows));
    fixture_close(&box);
}

TEST(a_spawned_entity_is_alive_and_has_default_values) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_entity entity = cosm_entity_spawn(box.world, box.slot);
    CHECK(cosm_entity_is_alive(box.world, entity));
    CHECK_INT(entity.gen & 1, 1);
    CHECK_INT(READ_BY_ID(box.world, entity, Health, box.health)->points, 100);
    Position zero = {0, 0, 0};
    CHECK_MEM(cosm_entity_read(box.world, entity, box.position), &zero, sizeof(zero));
    CHECK_INT(cosm_entity_archetype(box.world, entity).id, box.slot.id);
    fixture_close(&box);
}

TEST(spawning_with_values_sets_those_and_defaults_the_rest) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    Position position = {1, 2, 3};
    Health health = {7};
    cosm_value both[] = {{box.health, &health}, {box.position, &position}};
    cosm_entity full = cosm_entity_spawn_with(box.world, box.slot, both, 2);
    CHECK_MEM(cosm_entity_read(box.world, full, box.position), &position, sizeof(position));
    CHECK_INT(READ_BY_ID(box.world, full, Health, box.health)->points, 7);
    cosm_entity part = cosm_entity_spawn_with(box.world, box.slot, both + 1, 1);
    CHECK_INT(READ_BY_ID(box.world, part, Health, box.health)->points, 100);
    cosm_value tag[] = {{box.mark, NULL}};
    CHECK(!cosm_entity_is_none(cosm_entity_spawn_with(box.world, box.stone, tag, 1)));
    CHECK(!cosm_entity_is_none(cosm_entity_spawn_with(box.world, box.slot, NULL, 0)));
    fixture_close(&box);
}

TEST(more_than_sixteen_values_are_all_set) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_component list[80];
    cosm_value values[80];
    uint32_t numbers[80];
    for (uint32_t i = 0; i < 80; i++) {
        char name[4] = {'n', (char)('0' + i / 10), (char)('0' + i % 10), '\0'};
        uint32_t start = 5000 + i;
        list[i] = cosm_component_define(
            box.engine, &(cosm_component_desc){.name = name, .size = 4, .default_value = &start});
        numbers[i] = 1000 + i;
        values[i] = (cosm_value){list[i], &numbers[i]};
    }
    cosm_archetype archetype =
        cosm_archetype_define(box.engine, &(cosm_archetype_desc){.more = list, .more_count = 80});
    cosm_entity entity = cosm_entity_spawn_with(box.world, archetype, values, 75);
    for (uint32_t i = 0; i < 80; i++) {
        CHECK_INT(*READ_BY_ID(box.world, entity, uint32_t, list[i]), (i < 75 ? 1000 : 5000) + i);
    }
    fixture_close(&box);
}

TEST(a_spawn_that_makes_no_sense_changes_nothing) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    uint64_t checksum = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
    Health health = {1};
    cosm_value absent = {box.health, &health};
    cosm_value empty = {box.position, NULL};
    cosm_value unknown = {{99}, &health};
    cosm_component bundle = cosm_bundle_define(
        box.engine, &(cosm_bundle_desc){.name = "body", .components = {box.position}});
    cosm_value grouped = {bundle, &health};
    cosm_world world = box.world;
    CHECK(cosm_entity_is_none(cosm_entity_spawn(world, (cosm_archetype){0})));
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_entity_spawn:", "archetype 0",
                  "cosm_archetype_define");
    CHECK(cosm_entity_is_none(cosm_entity_spawn(world, (cosm_archetype){0xFFFFFFFF})));
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_entity_spawn:", "archetype 4294967295",
                  "cosm_archetype_define");
    CHECK(cosm_entity_is_none(cosm_entity_spawn(world, box.event)));
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_entity_spawn:", "'event'", "cosm_commands_emit");
    CHECK(cosm_entity_is_none(cosm_entity_spawn_with(world, box.mover, &absent, 1)));
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_entity_spawn_with:", "'Health'", "'mover' lacks");
    CHECK(cosm_entity_is_none(cosm_entity_spawn_with(world, box.mover, &empty, 1)));
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_entity_spawn_with:", "values[0].data is NULL",
                  "12 bytes");
    CHECK(cosm_entity_is_none(cosm_entity_spawn_with(world, box.mover, &unknown, 1)));
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_entity_spawn_with:", "component 99",
                  "cosm_component_define");
    CHECK(cosm_entity_is_none(cosm_entity_spawn_with(world, box.mover, &grouped, 1)));
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_entity_spawn_with:", "'body' is a bundle",
                  "name one of its components");
    CHECK(cosm_entity_is_none(cosm_entity_spawn_with(world, box.mover, NULL, 1)));
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_entity_spawn_with:", "values is NULL", "value_count");
    CHECK(cosm_entity_is_none(cosm_entity_spawn((cosm_world){NULL, 0}, box.mover)));
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_entity_spawn:", "world.batch is NULL",
                  "cosm_batch_world");
    CHECK_INT(cosm_hash_batch(box.batch, COSM_HASH_EXACT), checksum);
    fixture_close(&box);
}

TEST(spawning_many_shows_the_new_rows) {
    struct fixture box;
    fixture_open(&box, 0, 2);
    cosm_world world = fixture_world(&box, 1);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(world, box.slot, 1, &rows));
    CHECK_DONE(cosm_entity_spawn_many(world, box.slot, 3, &rows));
    CHECK_INT(rows.count, 3);
    CHECK_INT(rows.row, 1);
    CHECK_INT(rows.world, 1);
    CHECK_INT(rows.world_count, 1);
    CHECK_INT(rows.archetype.id, box.slot.id);
    Position *position = COLUMN_BY_ID(&rows, Position, box.position);
    Health *health = COLUMN_BY_ID(&rows, Health, box.health);
    REQUIRE(position != NULL && health != NULL && rows.entities != NULL);
    for (uint32_t i = 0; i < 3; i++) {
        CHECK_INT(health[i].points, 100);
        position[i].x = (float)i;
    }
    for (uint32_t i = 0; i < 3; i++) {
        CHECK_NEAR(READ_BY_ID(world, rows.entities[i], Position, box.position)->x, (double)i, 0);
    }
    CHECK_INT(cosm_rows_world(&rows, 2).index, 1);
    CHECK(cosm_rows_world(&rows, 3).batch == NULL);
    CHECK(!cosm_rows_next(&rows));
    fixture_close(&box);
}

TEST(spawning_none_shows_no_rows) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, 0, &rows));
    CHECK_INT(rows.count, 0);
    CHECK(COLUMN_BY_ID(&rows, Position, box.position) == NULL);
    CHECK_INT(cosm_world_entity_count(box.world), 0);
    fixture_close(&box);
}

TEST(spawning_many_finds_out_wrong_arguments) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_rows rows;
    CHECK_FAILS(cosm_entity_spawn_many(box.world, box.mover, 1, NULL), COSM_ERROR_ARGUMENT,
                "cosm_entity_spawn_many:", "out_rows is NULL", "pass a cosm_rows");
    CHECK_FAILS(cosm_entity_spawn_many(box.world, (cosm_archetype){9}, 1, &rows),
                COSM_ERROR_ARGUMENT, "cosm_entity_spawn_many:", "archetype 9",
                "cosm_archetype_define");
    CHECK_FAILS(cosm_entity_spawn_many_unset((cosm_world){box.batch, 1}, box.mover, 1, &rows),
                COSM_ERROR_ARGUMENT, "cosm_entity_spawn_many_unset:", "world.index 1",
                "has 1 worlds");
    CHECK_FAILS(cosm_entity_spawn_many(box.world, box.slot, 5, &rows), COSM_ERROR_FULL,
                "cosm_entity_spawn_many:", "5 more requested", "despawn some");
    CHECK_INT(cosm_world_entity_count(box.world), 0);
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.slot, 1, &rows));
    CHECK(cosm_rows_column(&rows, box.velocity) == NULL);
    CHECK(COSM_READ(&rows, Health) != NULL);
    CHECK(COSM_COLUMN_READ(&rows, Health, 0) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "COSM_COLUMN_READ:", "index 0", "COSM_WRITE");
    CHECK_INT(rows.count, 0);
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.slot, 1, &rows));
    CHECK(COSM_WRITE(&rows, Velocity) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "COSM_WRITE:", "has no component 'Velocity'",
                  "add it to the archetype");
    CHECK_INT(rows.count, 0);
    fixture_close(&box);
}

TEST(unset_rows_are_whatever_the_caller_writes) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many_unset(box.world, box.mover, 30000, &rows));
    Position *position = COLUMN_BY_ID(&rows, Position, box.position);
    Velocity *velocity = COLUMN_BY_ID(&rows, Velocity, box.velocity);
    REQUIRE(position != NULL && velocity != NULL);
    memset(position, 0x11, 30000 * sizeof(*position));
    memset(velocity, 0x22, 30000 * sizeof(*velocity));
    CHECK_DONE(cosm_world_reset(box.world));
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, 30000, &rows));
    position = COLUMN_BY_ID(&rows, Position, box.position);
    Position zero = {0, 0, 0};
    CHECK_MEM(&position[29999], &zero, sizeof(zero));
    CHECK_MEM(&position[0], &zero, sizeof(zero));
    fixture_close(&box);
}

TEST(a_full_fixed_table_refuses_and_never_touches_its_neighbour) {
    struct fixture box;
    fixture_open(&box, 0, 3);
    cosm_rows rows;
    for (uint32_t w = 0; w < 3; w++) {
        CHECK_DONE(cosm_entity_spawn_many(fixture_world(&box, w), box.slot, 4, &rows));
    }
    uint64_t checksum = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
    CHECK(cosm_entity_is_none(cosm_entity_spawn(fixture_world(&box, 1), box.slot)));
    CHECK_FAILURE(COSM_ERROR_FULL, "cosm_entity_spawn:", "'slot' has no room in world 1",
                  "despawn some, or define it larger or growing");
    CHECK_INT(cosm_hash_batch(box.batch, COSM_HASH_EXACT), checksum);
    CHECK_VALID(box.batch);
    fixture_close(&box);
}

TEST(a_despawned_entity_is_gone_and_its_id_comes_back_with_another_generation) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_entity first = fixture_spawn(&box, 1);
    cosm_entity second = fixture_spawn(&box, 2);
    CHECK_DONE(cosm_entity_despawn(box.world, first));
    CHECK(!cosm_entity_is_alive(box.world, first));
    CHECK(cosm_entity_is_alive(box.world, second));
    CHECK_INT(cosm_entity_despawn(box.world, first), COSM_STALE);
    cosm_entity third = fixture_spawn(&box, 3);
    CHECK_INT(third.id, first.id);
    CHECK_INT(third.gen, first.gen + 2);
    CHECK(!cosm_entity_is_alive(box.world, first));
    CHECK_INT(cosm_world_entity_count(box.world), 2);
    fixture_close(&box);
}

TEST(ids_are_recycled_last_freed_first) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_entity entities[5];
    for (int i = 0; i < 5; i++) {
        entities[i] = fixture_spawn(&box, 0);
        CHECK_INT(entities[i].id, i);
    }
    const uint32_t order[] = {3, 0, 4};
    for (int i = 0; i < 3; i++) {
        CHECK_DONE(cosm_entity_despawn(box.world, entities[order[i]]));
    }
    for (int i = 2; i >= 0; i--) {
        CHECK_INT(fixture_spawn(&box, 0).id, order[i]);
    }
    CHECK_INT(fixture_spawn(&box, 0).id, 5);
    fixture_close(&box);
}

TEST(ids_begin_again_from_zero_when_all_are_free) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_entity old[6];
    for (uint32_t round = 0; round < 3; round++) {
        for (uint32_t i = 0; i < 6; i++) {
            cosm_entity entity = fixture_spawn(&box, 0);
            CHECK_INT(entity.id, i);
            CHECK_INT(entity.gen, 2 * round + 1);
            CHECK(round == 0 || !cosm_entity_is_alive(box.world, old[i]));
            old[i] = entity;
        }
        for (uint32_t i = 0; i < 6; i++) {
            CHECK_DONE(cosm_entity_despawn(box.world, old[(i * 5 + round) % 6]));
        }
        CHECK_VALID(box.batch);
    }
    fixture_close(&box);
}

TEST(despawning_many_passes_over_the_dead_and_the_doubled) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_entity entities[6];
    for (int i = 0; i < 4; i++) {
        entities[i] = fixture_spawn(&box, 0);
    }
    entities[4] = entities[1];
    entities[5] = COSM_ENTITY_NONE;
    CHECK_DONE(cosm_entity_despawn(box.world, entities[0]));
    CHECK_DONE(cosm_entity_despawn_many(box.world, entities, 3));
    CHECK_INT(cosm_world_entity_count(box.world), 1);
    CHECK_DONE(cosm_entity_despawn_many(box.world, entities, 6));
    CHECK_INT(cosm_world_entity_count(box.world), 0);
    CHECK_DONE(cosm_entity_despawn_many(box.world, NULL, 0));
    CHECK_FAILS(cosm_entity_despawn_many(box.world, NULL, 2), COSM_ERROR_ARGUMENT,
                "cosm_entity_despawn_many:", "entities is NULL", "pass `count`");
    fixture_close(&box);
}

TEST(handles_that_name_nothing_are_harmless_in_every_call) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_entity living = fixture_spawn(&box, 0);
    const cosm_entity bad[] = {{0, 0},          COSM_ENTITY_NONE,    {0, 0xFFFFFFFF},
                               {1, 1},          {1, 0xFFFFFFFF},     {2, 0},
                               {0xFFFFFFFF, 0}, {living.gen + 2, 0}, {1, 0x80000000},
                               {3, 1u << 28},   {living.gen + 1, 0}, {0x7FFFFFFF, 0}};
    uint64_t checksum = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
    Health health = {1};
    cosm_error_clear();
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
        CHECK(!cosm_entity_is_alive(box.world, bad[i]));
        CHECK(!cosm_entity_has(box.world, bad[i], box.position));
        CHECK_INT(cosm_entity_archetype(box.world, bad[i]).id, 0);
        CHECK_INT(cosm_entity_loc(box.world, bad[i]).table, COSM_LOC_NONE.table);
        CHECK(cosm_entity_read(box.world, bad[i], box.position) == NULL);
        CHECK(cosm_entity_write(box.world, bad[i], box.position) == NULL);
        CHECK(READ_BY_ID(box.world, bad[i], Position, box.position) == NULL);
        CHECK_INT(cosm_entity_despawn(box.world, bad[i]), COSM_STALE);
        CHECK_INT(cosm_entity_add(box.world, bad[i], box.health), COSM_STALE);
        CHECK_INT(cosm_entity_remove(box.world, bad[i], box.position), COSM_STALE);
        CHECK_INT(cosm_entity_set(box.world, bad[i], box.health, &health), COSM_STALE);
        CHECK_DONE(cosm_entity_despawn_many(box.world, &bad[i], 1));
        CHECK_DONE(cosm_entity_add_many(box.world, &bad[i], 1, box.health));
    }
    CHECK_SILENT();
    CHECK_INT(cosm_hash_batch(box.batch, COSM_HASH_EXACT), checksum);
    fixture_close(&box);
}

TEST(none_is_the_zeroed_handle_and_equals_itself_only) {
    cosm_entity zeroed;
    memset(&zeroed, 0, sizeof(zeroed));
    CHECK(cosm_entity_is_none(COSM_ENTITY_NONE));
    CHECK(cosm_entity_is_none(zeroed));
    CHECK(cosm_entity_equals(zeroed, COSM_ENTITY_NONE));
    CHECK(!cosm_entity_is_none((cosm_entity){1, 0}));
    CHECK(!cosm_entity_is_none((cosm_entity){0, 1}));
    CHECK(!cosm_entity_is_none((cosm_entity){0xFFFFFFFF, 0xFFFFFFFF}));
    CHECK(cosm_entity_equals((cosm_entity){3, 4}, (cosm_entity){3, 4}));
    CHECK(!cosm_entity_equals((cosm_entity){3, 4}, (cosm_entity){4, 3}));
    CHECK(!cosm_entity_equals((cosm_entity){3, 4}, (cosm_entity){3, 5}));
}

TEST(an_entity_is_found_by_its_place_and_the_place_by_the_entity) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_entity first = fixture_spawn(&box, 5);
    cosm_entity second = fixture_spawn(&box, 6);
    cosm_loc loc = cosm_entity_loc(box.world, second);
    CHECK_INT(loc.table, box.mover.id);
    CHECK_INT(loc.row, 1);
    CHECK(cosm_entity_equals(cosm_entity_at(box.world, loc), second));
    CHECK(cosm_entity_equals(cosm_entity_at(box.world, (cosm_loc){box.mover.id, 0}), first));
    CHECK_NEAR(((const Position *)cosm_loc_read(box.world, loc, box.position))->x, 6, 0);
    ((Position *)cosm_loc_write(box.world, loc, box.position))->x = 7;
    CHECK_NEAR(READ_BY_ID(box.world, second, Position, box.position)->x, 7, 0);
    cosm_column column = cosm_archetype_column(box.engine, box.mover, box.position);
    CHECK(cosm_loc_read_unchecked(box.world, loc, column) ==
          cosm_loc_read(box.world, loc, box.position));
    CHECK(cosm_loc_write_unchecked(box.world, loc, column) ==
          cosm_entity_write(box.world, second, box.position));
    fixture_close(&box);
}

TEST(a_place_that_does_not_exist_is_nothing) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    fixture_spawn(&box, 0);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.event, 1, &rows));
    const cosm_loc bad[] = {
        COSM_LOC_NONE, {0, 0},     {box.mover.id, 1}, {box.slot.id, 0},
        {999, 0},      {65536, 0}, {0xFFFFFFFE, 0},   {box.mover.id, 0xFFFFFFFF}};
    cosm_error_clear();
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
        CHECK(cosm_entity_is_none(cosm_entity_at(box.world, bad[i])));
        CHECK(cosm_loc_read(box.world, bad[i], box.position) == NULL);
        CHECK(cosm_loc_write(box.world, bad[i], box.position) == NULL);
    }
    cosm_loc event = {box.event.id, 0};
    CHECK(cosm_entity_is_none(cosm_entity_at(box.world, event)));
    CHECK(cosm_loc_read(box.world, event, box.health) != NULL);
    CHECK(cosm_loc_read(box.world, (cosm_loc){box.mover.id, 0}, box.health) == NULL);
    CHECK(cosm_loc_read((cosm_world){box.batch, 3}, (cosm_loc){box.mover.id, 0}, box.position) ==
          NULL);
    CHECK_SILENT();
    fixture_close(&box);
}

TEST(access_to_what_an_entity_lacks_is_null) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_entity entity = fixture_spawn(&box, 0);
    cosm_entity stone = cosm_entity_spawn(box.world, box.stone);
    const uint32_t unknown[] = {0, 999, 4096, 4097, 70000, 0x80000001, 0xFFFFFFFF};
    cosm_error_clear();
    CHECK(cosm_entity_read(box.world, entity, box.health) == NULL);
    CHECK(cosm_entity_write(box.world, stone, box.mark) == NULL);
    CHECK(cosm_entity_has(box.world, stone, box.mark));
    for (size_t i = 0; i < sizeof(unknown) / sizeof(*unknown); i++) {
        CHECK(cosm_entity_read(box.world, entity, (cosm_component){unknown[i]}) == NULL);
        CHECK(!cosm_entity_has(box.world, entity, (cosm_component){unknown[i]}));
        CHECK(READ_BY_ID(box.world, entity, Position, (cosm_component){unknown[i]}) == NULL);
    }
    CHECK(cosm_entity_read((cosm_world){NULL, 0}, entity, box.position) == NULL);
    CHECK(READ_BY_ID(((cosm_world){NULL, 0}), entity, Position, box.position) == NULL);
    CHECK_SILENT();
    fixture_close(&box);
}

TEST(a_type_that_no_component_holds_is_reported) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_entity entity = fixture_spawn(&box, 0);
    CHECK(COSM_READ(box.world, entity, double) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "COSM_READ:", "no component holds type 'double'",
                  "COSM_COMPONENT_DEFINE");
    CHECK(COSM_WRITE(box.world, entity, double) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "COSM_WRITE:", "no component holds type 'double'",
                  "COSM_COMPONENT_DEFINE");
    cosm_component_desc wide = {.name = "wide", .type = "uint64_t", .size = 4};
    CHECK(cosm_component_define(box.engine, &wide).id != 0);
    CHECK(COSM_READ(box.world, entity, uint64_t) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "COSM_READ:", "'wide' has 4 bytes",
                  "use the type it was defined with");
    cosm_error_clear();
    CHECK(COSM_READ(box.world, entity, Health) == NULL); // the entity lacks it
    CHECK(COSM_WRITE(box.world, entity, Velocity) != NULL);
    CHECK_SILENT();
    fixture_close(&box);
}

TEST(many_entities_are_read_and_written_at_once) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    enum { COUNT = 100 };
    cosm_entity entities[COUNT];
    const void *values[COUNT];
    void *cells[COUNT];
    for (int i = 0; i < COUNT; i++) {
        entities[i] = fixture_spawn(&box, (float)i);
    }
    for (int i = 0; i < COUNT; i += 10) {
        CHECK_DONE(cosm_entity_despawn(box.world, entities[i]));
    }
    entities[5] = COSM_ENTITY_NONE;
    CHECK_INT(cosm_entity_read_many(box.world, entities, COUNT, box.position, values), 89);
    CHECK_INT(cosm_entity_write_many(box.world, entities, COUNT, box.position, cells), 89);
    for (int i = 0; i < COUNT; i++) {
        CHECK(values[i] == cosm_entity_read(box.world, entities[i], box.position));
        CHECK(cells[i] == values[i]);
    }
    CHECK_INT(cosm_entity_read_many(box.world, entities, COUNT, box.health, values), 0);
    CHECK(values[1] == NULL && values[99] == NULL);
    CHECK_INT(cosm_entity_read_many(box.world, entities, 0, box.position, values), 0);
    CHECK_INT(cosm_entity_read_many(box.world, NULL, 3, box.position, values), 0);
    CHECK_INT(cosm_entity_read_many(box.world, entities, 3, box.position, NULL), 0);
    CHECK_INT(cosm_entity_read_many((cosm_world){NULL, 0}, entities, 3, box.position, values), 0);
    fixture_close(&box);
}

TEST(a_handle_of_another_world_is_judged_by_this_one) {
    struct fixture box;
    fixture_open(&box, 0, 2);
    cosm_entity here = fixture_spawn(&box, 1);
    CHECK(!cosm_entity_is_alive(fixture_world(&box, 1), here));
    cosm_entity there = cosm_entity_spawn(fixture_world(&box, 1), box.mover);
    CHECK(cosm_entity_equals(here, there));
    CHECK(cosm_entity_read(box.world, here, box.position) !=
          cosm_entity_read(fixture_world(&box, 1), here, box.position));
    fixture_close(&box);
}

TEST(an_entity_is_written_as_its_id_and_its_generation) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    char text[64];
    cosm_entity entity = fixture_spawn(&box, 0);
    CHECK_DONE(cosm_entity_despawn(box.world, entity));
    entity = fixture_spawn(&box, 0);
    (void)snprintf(text, sizeof(text), "<" COSM_ENTITY_FORMAT ">", COSM_ENTITY_PRINT(entity));
    CHECK_STR(text, "<@0:3>");
    fixture_close(&box);
}
