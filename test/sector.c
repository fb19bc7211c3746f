// Sector components of worlds, cosm/sector.h: groups, and the calls about entities and commands.
#include <stdio.h>
#include <string.h>

#include "harness.h"
#include "support/portrait.h"
#include "support/storages.h"

TEST(adding_and_removing_a_sector_component_never_moves_the_row) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SECTOR, 1);
    cosm_entity all[100];
    for (uint32_t i = 0; i < 100; i++) {
        all[i] = spawn_at(&box, box.world, (float)i);
    }
    const Position *first = READ_BY_ID(box.world, all[0], Position, box.position);
    for (uint32_t i = 0; i < 100; i++) {
        cosm_loc before = cosm_entity_loc(box.world, all[i]);
        cosm_archetype archetype = cosm_entity_archetype(box.world, all[i]);
        CHECK_DONE(cosm_entity_add(box.world, all[i], box.heat));
        CHECK(degrees_of(&box, box.world, all[i]) == 20);
        set_heat(&box, box.world, all[i], (float)i);
        CHECK_DONE(cosm_entity_add(box.world, all[i], box.wet));
        CHECK_DONE(cosm_entity_remove(box.world, all[i], i % 2 == 0 ? box.heat : box.wet));
        cosm_loc after = cosm_entity_loc(box.world, all[i]);
        CHECK(before.table == after.table && before.row == after.row);
        CHECK_INT(cosm_entity_archetype(box.world, all[i]).id, archetype.id);
    }
    CHECK(READ_BY_ID(box.world, all[0], Position, box.position) == first);
    for (uint32_t i = 0; i < 100; i++) {
        CHECK(degrees_of(&box, box.world, all[i]) == (i % 2 == 0 ? -1 : (float)i));
        CHECK(cosm_entity_has(box.world, all[i], box.wet) == (i % 2 == 0));
        CHECK(!cosm_entity_has(box.world, all[i], box.smoke));
    }
    fixture_close(&box);
}

TEST(adding_what_is_there_keeps_its_value_and_removing_what_is_absent_is_fine) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SECTOR, 1);
    cosm_entity a = spawn_at(&box, box.world, 1);
    CHECK_DONE(cosm_entity_remove(box.world, a, box.heat)); // there is no container yet
    set_heat(&box, box.world, a, 5);
    CHECK_DONE(cosm_entity_add(box.world, a, box.heat));
    CHECK(degrees_of(&box, box.world, a) == 5);
    CHECK_DONE(cosm_entity_remove(box.world, a, box.smoke));
    CHECK_DONE(cosm_entity_remove(box.world, a, box.heat));
    CHECK_DONE(cosm_entity_remove(box.world, a, box.heat));
    CHECK(degrees_of(&box, box.world, a) == -1);
    CHECK_DONE(cosm_entity_add(box.world, a, box.heat));
    CHECK(degrees_of(&box, box.world, a) == 20);
    fixture_close(&box);
}

TEST(each_way_to_read_an_entity_finds_its_sector_components) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SECTOR, 1);
    cosm_entity a = spawn_at(&box, box.world, 1);
    cosm_entity b = spawn_at(&box, box.world, 2);
    set_heat(&box, box.world, a, 5);
    CHECK_DONE(cosm_entity_add(box.world, a, box.wet));
    Heat heat = {0};
    CHECK(cosm_entity_get(box.world, a, box.heat, &heat) && heat.degrees == 5);
    CHECK(!cosm_entity_get(box.world, b, box.heat, &heat));
    CHECK(!cosm_entity_get(box.world, a, box.smoke, &heat));
    CHECK(!cosm_entity_get(box.world, a, box.wet, &heat)); // has no bytes
    CHECK(((const Heat *)cosm_entity_read(box.world, a, box.heat))->degrees == 5);
    CHECK(cosm_entity_read(box.world, b, box.heat) == NULL);
    CHECK(cosm_entity_read(box.world, a, box.wet) == NULL);
    WRITE_BY_ID(box.world, a, Heat, box.heat)->degrees = 6;
    CHECK(degrees_of(&box, box.world, a) == 6);
    cosm_loc loc = cosm_entity_loc(box.world, a);
    CHECK(((const Heat *)cosm_loc_read(box.world, loc, box.heat))->degrees == 6);
    ((Heat *)cosm_loc_write(box.world, loc, box.heat))->degrees = 7;
    CHECK(cosm_loc_read(box.world, cosm_entity_loc(box.world, b), box.heat) == NULL);
    const void *values[3];
    cosm_entity list[3] = {b, a, COSM_ENTITY_NONE};
    CHECK_INT(cosm_entity_read_many(box.world, list, 3, box.heat, values), 1);
    CHECK(values[0] == NULL && values[2] == NULL && ((const Heat *)values[1])->degrees == 7);
    void *writable[3];
    CHECK_INT(cosm_entity_write_many(box.world, list, 3, box.heat, writable), 1);
    CHECK(writable[1] == values[1]);
    CHECK(cosm_entity_has(box.world, a, box.wet));
    CHECK(!cosm_entity_has(box.world, a, box.hot));
    CHECK_DONE(cosm_entity_add(box.world, a, box.mark));
    CHECK(cosm_entity_has(box.world, a, box.hot));
    cosm_error_clear();
    CHECK(COSM_READ(box.world, a, Heat) == values[1]);
    CHECK(COSM_READ(box.world, b, Heat) == NULL);
    CHECK_SILENT();
    CHECK(COSM_READ(box.world, a, double) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "COSM_READ", "'double'", "COSM_COMPONENT_DEFINE");
    fixture_close(&box);
}

TEST(a_lookup_of_a_sector_component_says_what_to_use) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SECTOR, 1);
    cosm_entity a = spawn_at(&box, box.world, 1);
    set_heat(&box, box.world, a, 5);
    cosm_lookup lookup;
    cosm_error_clear();
    cosm_lookup_begin(box.world, box.heat, &lookup);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_lookup_begin", "Heat", "cosm_entity_read");
    CHECK(cosm_lookup_read(&lookup, a) == NULL);
    fixture_close(&box);
}

TEST(a_spawn_takes_values_of_sector_components) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SECTOR, 1);
    uint32_t nine = 9;
    cosm_value values[] = {{box.heat, &(Heat){7}},
                           {box.position, &(Position){1, 2, 0}},
                           {box.wet, NULL},
                           {box.note, &(Text){.number = nine}}};
    cosm_entity all[50];
    for (uint32_t i = 0; i < 50; i++) { // some of them make the table grow
        all[i] = cosm_entity_spawn_with(box.world, box.plain, values, 4);
    }
    CHECK_INT(objects_count(&box.books), 50);
    for (uint32_t i = 0; i < 50; i++) {
        CHECK(degrees_of(&box, box.world, all[i]) == 7);
        CHECK_INT(note_of(&box, box.world, all[i]), 9);
        CHECK(READ_BY_ID(box.world, all[i], Position, box.position)->y == 2);
        CHECK(cosm_entity_has(box.world, all[i], box.wet));
        CHECK(!cosm_entity_has(box.world, all[i], box.smoke));
    }
    // Columns that got no value have their defaults; shared values choose the table.
    cosm_entity pot = cosm_entity_spawn_with(box.world, box.pot, values, 1);
    CHECK(READ_BY_ID(box.world, pot, Position, box.position)->y == 0);
    CHECK(degrees_of(&box, box.world, pot) == 7);
    Team red = {4, 0};
    cosm_value mixed[] = {
        {box.team, &red}, {box.heat, &(Heat){8}}, {box.position, &(Position){3, 4, 0}}};
    cosm_entity stone = cosm_entity_spawn_with(box.world, box.stone, mixed, 3);
    CHECK(degrees_of(&box, box.world, stone) == 8);
    CHECK_INT(READ_BY_ID(box.world, stone, Team, box.team)->color, 4);
    CHECK(READ_BY_ID(box.world, stone, Position, box.position)->x == 3);
    fixture_close(&box);
}

TEST(a_spawn_with_values_knows_its_handle_while_ids_are_promised) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SECTOR, 1);
    cosm_value values[] = {{box.position, &(Position){1, 2, 0}}, {box.heat, &(Heat){7}}};
    for (uint32_t round = 0; round < 20; round++) {
        cosm_entity gone[3];
        for (uint32_t i = 0; i < 3; i++) {
            gone[i] = spawn_at(&box, box.world, 0);
        }
        CHECK_DONE(cosm_entity_despawn_many(box.world, gone, 3));
        cosm_commands *commands = cosm_commands_create(box.batch);
        cosm_entity promised[5];
        for (uint32_t i = 0; i < 5; i++) {
            promised[i] = cosm_commands_spawn_with(commands, box.world, box.plain, values, 2);
        }
        cosm_entity direct = cosm_entity_spawn_with(box.world, box.plain, values, 2);
        CHECK(degrees_of(&box, box.world, direct) == 7);
        CHECK_VALID(box.batch);
        if (round % 2 == 0) {
            CHECK_DONE(cosm_commands_apply(commands, NULL));
            CHECK(degrees_of(&box, box.world, promised[round % 5]) == 7);
        }
        cosm_commands_destroy(commands);
        CHECK_VALID(box.batch);
    }
    fixture_close(&box);
}

TEST(a_spawn_that_is_refused_leaves_nothing_beside) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SECTOR, 1);
    (void)spawn_at(&box, box.world, 0);
    struct portrait before = portrait_of(box.all, PORTRAIT_WHOLE);
    cosm_value values[] = {{box.heat, &(Heat){7}}, {box.kiln, NULL}};
    cosm_error_clear();
    CHECK(cosm_entity_is_none(cosm_entity_spawn_with(box.world, box.plain, values, 2)));
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_entity_spawn_with", "Kiln", "192");
    uint32_t nine = 9;
    cosm_value objects[] = {{box.heat, &(Heat){7}}, {box.note, &(Text){.number = nine}}};
    objects_refuse(&box.books, 1, UINT64_MAX);
    CHECK(cosm_entity_is_none(cosm_entity_spawn_with(box.world, box.plain, objects, 2)));
    CHECK_FAILURE(COSM_ERROR_MEMORY, "cosm_entity_spawn_with", "Note", "free");
    (void)objects_relent(&box.books);
    cosm_rows rows;
    CHECK_FAILS(cosm_entity_spawn_many_with(box.world, box.plain, 3, values, 1, &rows),
                COSM_ERROR_ARGUMENT, "cosm_entity_spawn_many_with", "Heat", "cosm_entity_set_many");
    CHECK_INT(rows.count, 0);
    CHECK_PORTRAIT(&before, box.all, PORTRAIT_WHOLE);
    portrait_free(&before);
    fixture_close(&box);
}

TEST(an_archetype_cannot_name_a_sector_component) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SECTOR, 1);
    cosm_error_clear();
    CHECK_INT(cosm_archetype_define(box.engine,
                                    &(cosm_archetype_desc){.components = {box.position, box.heat}})
                  .id,
              0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_archetype_define", "Heat", "leave it out");
    CHECK_INT(cosm_archetype_define(box.engine, &(cosm_archetype_desc){.components = {box.hot}}).id,
              0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_archetype_define", "Heat", "leave it out");
    fixture_close(&box);
}

TEST(a_bundle_of_columns_and_sectors_is_added_and_removed_as_a_whole) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SECTOR, 1);
    cosm_entity a = spawn_at(&box, box.world, 1);
    set_heat(&box, box.world, a, 5);
    CHECK_DONE(cosm_entity_add(box.world, a, box.hot));
    CHECK(degrees_of(&box, box.world, a) == 5);
    CHECK(cosm_entity_has(box.world, a, box.wet) && cosm_entity_has(box.world, a, box.mark));
    CHECK_DONE(cosm_entity_remove(box.world, a, box.hot));
    CHECK(degrees_of(&box, box.world, a) == -1);
    CHECK(!cosm_entity_has(box.world, a, box.wet) && !cosm_entity_has(box.world, a, box.mark));
    // Where the columns cannot change, nothing does; sectors alone come and go all the same.
    cosm_entity stone = cosm_entity_spawn(box.world, box.stone);
    set_heat(&box, box.world, stone, 5);
    uint64_t before = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
    CHECK_INT(cosm_entity_remove(box.world, stone, box.hot), COSM_ERROR_SEALED);
    CHECK_INT(cosm_hash_batch(box.batch, COSM_HASH_EXACT), before);
    CHECK_DONE(cosm_entity_add(box.world, stone, box.hot)); // it has the mark
    CHECK(cosm_entity_has(box.world, stone, box.wet));
    cosm_component cold = cosm_component_define(box.engine, &(cosm_component_desc){.name = "Cold"});
    cosm_component both = cosm_bundle_define(
        box.engine, &(cosm_bundle_desc){.name = "both", .components = {box.smoke, cold}});
    before = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
    CHECK_INT(cosm_entity_add(box.world, stone, both), COSM_ERROR_SEALED);
    CHECK_INT(cosm_hash_batch(box.batch, COSM_HASH_EXACT), before);
    CHECK(!cosm_entity_has(box.world, stone, box.smoke));
    fixture_close(&box);
}

TEST(many_entities_are_changed_in_one_call) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SECTOR, 1);
    cosm_entity all[20];
    Heat heats[20];
    for (uint32_t i = 0; i < 20; i++) {
        all[i] =
            i % 3 == 0 ? cosm_entity_spawn(box.world, box.stone) : spawn_at(&box, box.world, 0);
        heats[i].degrees = (float)i;
    }
    CHECK_DONE(cosm_entity_set_many(box.world, all, 20, box.heat, heats));
    CHECK_DONE(cosm_entity_add_many(box.world, all, 10, box.heat));
    CHECK_DONE(cosm_entity_add_many(box.world, all, 10, box.note));
    CHECK_DONE(cosm_entity_add_many(box.world, all + 3, 3, box.wet));
    CHECK_DONE(cosm_entity_remove_many(box.world, all + 5, 5, box.note));
    cosm_entity things[3] = {all[1], all[2], all[4]};
    CHECK_DONE(cosm_entity_add_many(box.world, things, 3, box.hot));
    for (uint32_t i = 0; i < 20; i++) {
        CHECK(degrees_of(&box, box.world, all[i]) == (float)i);
        CHECK_INT(note_of(&box, box.world, all[i]), i < 5 ? 0 : -1);
    }
    CHECK(cosm_entity_has(box.world, all[4], box.wet) &&
          cosm_entity_has(box.world, all[1], box.mark));
    CHECK_INT(objects_count(&box.books), 5);
    CHECK_DONE(cosm_entity_despawn_many(box.world, all, 4));
    CHECK_INT(objects_count(&box.books), 1);
    fixture_close(&box);
}

TEST(whatever_ends_an_entity_ends_what_it_has_beside) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SECTOR, 2);
    cosm_query *things = cosm_query_create(
        box.engine,
        &(cosm_query_desc){.terms = {{.component = box.position, .access = COSM_ACCESS_WRITE}}});
    for (uint32_t way = 0; way < 7; way++) {
        cosm_entity all[6];
        for (uint32_t i = 0; i < 6; i++) {
            all[i] = spawn_at(&box, box.world, 0);
            set_heat(&box, box.world, all[i], 5);
            set_note(&box, box.world, all[i], i);
            cosm_entity other = spawn_at(&box, fixture_world(&box, 1), 0);
            set_heat(&box, fixture_world(&box, 1), other, 6);
        }
        cosm_commands *commands = cosm_commands_create(box.batch);
        cosm_entity parent = spawn_at(&box, box.world, 0);
        switch (way) {
        case 0:
            for (uint32_t i = 0; i < 6; i++) {
                CHECK_DONE(cosm_entity_despawn(box.world, all[i]));
            }
            break;
        case 1:
            CHECK_DONE(cosm_entity_despawn_many(box.world, all, 6));
            break;
        case 2:
            CHECK_DONE(cosm_query_despawn(things, cosm_worlds_one(box.world)));
            break;
        case 3:
            CHECK_DONE(cosm_table_clear(box.world, box.plain));
            break;
        case 4:
            CHECK_DONE(cosm_batch_reset(box.batch, (const uint8_t[]){1, 0}));
            break;
        case 5:
            for (uint32_t i = 0; i < 6; i++) {
                CHECK_DONE(cosm_commands_despawn(commands, box.world, all[i]));
            }
            CHECK_DONE(cosm_commands_apply(commands, NULL));
            break;
        default:
            for (uint32_t i = 0; i < 6; i++) {
                CHECK_DONE(cosm_tree_set_parent(box.world, all[i], parent));
            }
            CHECK_DONE(cosm_tree_despawn(box.world, parent));
        }
        cosm_commands_destroy(commands);
        CHECK_INT(objects_count(&box.books), 0);
        CHECK_INT(cosm_container_describe(cosm_sector_container(box.world, box.heat, NULL)).count,
                  0);
        CHECK_INT(
            cosm_container_describe(cosm_sector_container(fixture_world(&box, 1), box.heat, NULL))
                .count,
            6 * (way + 1));
        CHECK_VALID(box.batch);
        CHECK_DONE(cosm_query_despawn(things, cosm_worlds_one(box.world)));
        // The ids are used again, and have nothing of those before.
        cosm_entity next = spawn_at(&box, box.world, 0);
        CHECK(degrees_of(&box, box.world, next) == -1);
        CHECK(degrees_of(&box, box.world, all[0]) == -1);
        CHECK_DONE(cosm_entity_add(box.world, next, box.smoke));
        CHECK(!cosm_entity_has(box.world, next, box.heat));
        CHECK_DONE(cosm_entity_despawn(box.world, next));
    }
    cosm_query_destroy(things);
    fixture_close(&box);
}

TEST(commands_change_sector_components_in_their_order) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SECTOR, 1);
    cosm_entity e[8];
    for (uint32_t i = 0; i < 8; i++) {
        e[i] = spawn_at(&box, box.world, 0);
        set_heat(&box, box.world, e[i], 5);
    }
    cosm_commands *c = cosm_commands_create(box.batch);
    // 0: add, remove, add: the default again. 1: remove, add. 2: set, remove. 3: remove, set.
    CHECK_DONE(cosm_commands_add(c, box.world, e[0], box.heat));
    CHECK_DONE(cosm_commands_remove(c, box.world, e[0], box.heat));
    CHECK_DONE(cosm_commands_add(c, box.world, e[0], box.heat));
    CHECK_DONE(cosm_commands_remove(c, box.world, e[1], box.heat));
    CHECK_DONE(cosm_commands_add(c, box.world, e[1], box.heat));
    CHECK_DONE(cosm_commands_set(c, box.world, e[2], box.heat, &(Heat){9}));
    CHECK_DONE(cosm_commands_remove(c, box.world, e[2], box.heat));
    CHECK_DONE(cosm_commands_remove(c, box.world, e[3], box.heat));
    CHECK_DONE(cosm_commands_set(c, box.world, e[3], box.heat, &(Heat){9}));
    // 4: add alone keeps. 5: set, then despawn. 6: set, remove, add. 7: a bundle, after a set.
    CHECK_DONE(cosm_commands_add(c, box.world, e[4], box.heat));
    CHECK_DONE(cosm_commands_set(c, box.world, e[5], box.heat, &(Heat){9}));
    CHECK_DONE(cosm_commands_set(c, box.world, e[5], box.smoke, &(Smoke){9}));
    CHECK_DONE(cosm_commands_despawn(c, box.world, e[5]));
    CHECK_DONE(cosm_commands_set(c, box.world, e[6], box.heat, &(Heat){9}));
    CHECK_DONE(cosm_commands_remove(c, box.world, e[6], box.heat));
    CHECK_DONE(cosm_commands_add(c, box.world, e[6], box.heat));
    CHECK_DONE(cosm_commands_set(c, box.world, e[7], box.heat, &(Heat){9}));
    CHECK_DONE(cosm_commands_add(c, box.world, e[7], box.hot));
    cosm_commands_report report;
    CHECK_DONE(cosm_commands_apply(c, &report));
    CHECK(degrees_of(&box, box.world, e[0]) == 20);
    CHECK(degrees_of(&box, box.world, e[1]) == 20);
    CHECK(degrees_of(&box, box.world, e[2]) == -1);
    CHECK(degrees_of(&box, box.world, e[3]) == 9);
    CHECK(degrees_of(&box, box.world, e[4]) == 5);
    CHECK(!cosm_entity_is_alive(box.world, e[5]));
    CHECK(degrees_of(&box, box.world, e[6]) == 20);
    CHECK(degrees_of(&box, box.world, e[7]) == 9);
    CHECK(cosm_entity_has(box.world, e[7], box.hot));
    CHECK_INT(report.moved, 1); // by the mark of the bundle
    CHECK_INT(report.written, 2);
    cosm_commands_destroy(c);
    fixture_close(&box);
}

TEST(a_command_owns_a_copy_of_its_object_until_it_is_applied_or_dropped) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SECTOR, 1);
    cosm_entity a = spawn_at(&box, box.world, 0);
    set_note(&box, box.world, a, 1);
    cosm_commands *c = cosm_commands_create(box.batch);
    uint32_t number = 2;
    CHECK_DONE(cosm_commands_set(c, box.world, a, box.note, &(Text){.number = number}));
    cosm_value values[] = {{box.note, &(Text){.number = number}}, {box.heat, &(Heat){3}}};
    cosm_entity b = cosm_commands_spawn_with(c, box.world, box.plain, values, 2);
    CHECK_DONE(cosm_commands_set(c, box.world, b, box.note, &(Text){.number = number}));
    cosm_entity gone = cosm_commands_spawn_with(c, box.world, box.plain, values, 2);
    CHECK_DONE(cosm_commands_despawn(c, box.world, gone));
    number = 99; // what the commands hold is their own
    CHECK_INT(objects_count(&box.books), 5);
    CHECK_DONE(cosm_commands_apply(c, NULL));
    CHECK_INT(objects_count(&box.books), 2);
    CHECK_INT(note_of(&box, box.world, a), 2);
    CHECK_INT(note_of(&box, box.world, b), 2);
    CHECK(degrees_of(&box, box.world, b) == 3);
    CHECK_DONE(cosm_commands_set(c, box.world, a, box.note, &(Text){.number = number}));
    cosm_commands_destroy(c); // dropped
    CHECK_INT(objects_count(&box.books), 2);
    CHECK_INT(note_of(&box, box.world, a), 2);
    fixture_close(&box);
}

TEST(objects_are_made_and_ended_just_as_often_as_they_come_and_go) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SECTOR, 1);
    cosm_entity a = spawn_at(&box, box.world, 0);
    CHECK_DONE(cosm_entity_add(box.world, a, box.note));
    CHECK_INT(note_of(&box, box.world, a), 0);
    CHECK_INT(box.books.constructed, 1);
    CHECK_DONE(cosm_entity_add(box.world, a, box.note));
    CHECK_INT(box.books.constructed, 1);
    set_note(&box, box.world, a, 5); // replaces: one copy, one end
    CHECK_INT(box.books.copied, 1);
    CHECK_INT(box.books.destroyed, 1);
    CHECK_DONE(cosm_entity_set(box.world, a, box.note, cosm_entity_read(box.world, a, box.note)));
    CHECK_INT(box.books.copied, 1);                      // itself
    CHECK_DONE(cosm_entity_add(box.world, a, box.mark)); // moves the row, not the object
    CHECK_INT(box.books.moved, 1); // into its place, when it replaced the first
    CHECK_DONE(cosm_entity_add(box.world, a, box.kiln)); // of the same record
    CHECK_DONE(cosm_entity_remove(box.world, a, box.note));
    CHECK_INT(objects_count(&box.books), 0);
    CHECK(READ_BY_ID(box.world, a, Kiln, box.kiln)->number == 3);
    cosm_commands *c = cosm_commands_create(box.batch);
    CHECK_DONE(cosm_commands_add(c, box.world, a, box.note));
    CHECK_DONE(cosm_commands_apply(c, NULL));
    CHECK_INT(box.books.constructed, 2);
    CHECK_INT(objects_count(&box.books), 1);
    CHECK_DONE(cosm_commands_add(c, box.world, a, box.note));
    CHECK_DONE(cosm_commands_apply(c, NULL));
    CHECK_INT(box.books.constructed, 2);
    cosm_commands_destroy(c);
    fixture_close(&box);
}

TEST(large_and_over_aligned_members_and_tags_lie_as_they_should) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SECTOR, 1);
    for (uint32_t i = 0; i < 40; i++) { // over several chunks of 8
        cosm_entity e = spawn_at(&box, box.world, 0);
        CHECK_DONE(cosm_entity_set(box.world, e, box.kiln, &(Kiln){.number = i}));
        set_note(&box, box.world, e, i);
        const Kiln *kiln = READ_BY_ID(box.world, e, Kiln, box.kiln);
        CHECK_INT((uintptr_t)kiln % 64, 0);
        CHECK_INT(kiln->number, i);
        CHECK_INT(note_of(&box, box.world, e), i);
    }
    fixture_close(&box);
}

TEST(what_an_entity_has_beside_its_table_is_listed_in_ascending_order) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SECTOR, 2);
    cosm_entity e = spawn_at(&box, box.world, 1);
    cosm_entity other = spawn_at(&box, box.world, 2);
    cosm_component list[5] = {{77}, {77}, {77}, {77}, {77}};
    CHECK_INT(cosm_sector_components(box.world, e, 5, list), 0);
    set_note(&box, box.world, e, 1);
    CHECK_DONE(cosm_entity_add(box.world, e, box.wet));
    CHECK_DONE(cosm_entity_add(box.world, e, box.smoke));
    CHECK_DONE(cosm_entity_add(box.world, other, box.kiln));
    CHECK_DONE(cosm_entity_add(box.world, e, box.heat));
    CHECK_INT(cosm_sector_components(box.world, e, 5, list), 4);
    CHECK(list[0].id == box.heat.id && list[1].id == box.smoke.id && list[2].id == box.wet.id);
    CHECK(list[3].id == box.note.id && list[4].id == 77);
    // Where there is less room, the lowest.
    for (uint32_t max = 0; max <= 3; max++) {
        cosm_component few[4] = {{77}, {77}, {77}, {77}};
        CHECK_INT(cosm_sector_components(box.world, e, max, few), 4);
        CHECK_MEM(few, list, max * sizeof(*few));
        CHECK_INT(few[max].id, 77);
    }
    CHECK_INT(cosm_sector_components(box.world, e, 5, NULL), 4);
    CHECK_DONE(cosm_entity_remove(box.world, e, box.smoke));
    CHECK_INT(cosm_sector_components(box.world, e, 5, list), 3);
    CHECK_INT(list[1].id, box.wet.id);
    CHECK_INT(cosm_sector_components(fixture_world(&box, 1), e, 5, list), 0);
    CHECK_INT(cosm_sector_components((cosm_world){NULL, 0}, e, 5, list), 0);
    CHECK_DONE(cosm_entity_despawn(box.world, e));
    CHECK_INT(cosm_sector_components(box.world, e, 5, list), 0);
    fixture_close(&box);
}

TEST(a_group_is_declared_once_and_before_its_components_are_used) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SECTOR, 1);
    cosm_sector_group fire = cosm_sector_group_of(box.engine, box.heat);
    cosm_sector_group_info info = cosm_sector_group_describe(box.engine, fire);
    CHECK_STR(info.name, "fire");
    REQUIRE(info.member_count == 2);
    CHECK(info.members[0].id == box.heat.id && info.members[1].id == box.smoke.id);
    cosm_sector_group_info none[] = {
        cosm_sector_group_describe(box.engine, (cosm_sector_group){99}),
        cosm_sector_group_describe(box.engine, (cosm_sector_group){0}),
        cosm_sector_group_describe(NULL, fire),
    };
    for (uint32_t i = 0; i < 3; i++) {
        CHECK_STR(none[i].name, NULL);
        CHECK(none[i].members == NULL);
        CHECK_INT(none[i].member_count, 0);
    }
    CHECK_INT(cosm_sector_group_of(box.engine, box.position).id, 0);
    CHECK_INT(cosm_sector_group_of(box.engine, box.wet).id, 0); // not yet
    CHECK_INT(cosm_sector_group_of(box.engine, (cosm_component){999}).id, 0);
    CHECK_INT(cosm_sector_group_of(NULL, box.heat).id, 0);
    // The same again.
    cosm_sector_group_desc same = {.name = "again", .components = {box.heat, box.smoke}};
    CHECK_INT(cosm_sector_group_define(box.engine, &same).id, fire.id);
    // Others: another order, a part, more, another threshold.
    cosm_sector_group_desc others[] = {
        {.components = {box.smoke, box.heat}},
        {.components = {box.heat}},
        {.components = {box.heat, box.smoke, box.wet}},
        {.components = {box.wet, box.heat}},
        {.components = {box.heat, box.smoke}, .threshold = 0.75f},
        {.components = {box.heat, box.smoke}, .chunk_sectors = 2},
    };
    for (uint32_t i = 0; i < 6; i++) {
        cosm_error_clear();
        CHECK_INT(cosm_sector_group_define(box.engine, &others[i]).id, 0);
        CHECK_FAILURE(COSM_ERROR_CONFLICT, "cosm_sector_group_define", "fire", "before");
    }
    CHECK_INT(cosm_sector_group_of(box.engine, box.wet).id, 0);
    fixture_close(&box);
}

static cosm_component define_word(cosm_engine *engine, const char *name) {
    return cosm_component_define(
        engine, &(cosm_component_desc){.name = name, .size = 4, .storage = COSM_STORAGE_SECTOR});
}

TEST(a_component_that_was_used_is_a_group_of_one) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SECTOR, 1);
    cosm_entity e = spawn_at(&box, box.world, 0);
    cosm_component used[6];
    char name[8];
    for (uint32_t i = 0; i < 6; i++) {
        snprintf(name, sizeof(name), "w%u", i);
        used[i] = define_word(box.engine, name);
    }
    uint32_t word = 1;
    CHECK_DONE(cosm_entity_add(box.world, e, used[0]));
    CHECK_DONE(cosm_entity_set(box.world, e, used[1], &word));
    cosm_query *query =
        cosm_query_create(box.engine, &(cosm_query_desc){.terms = {{.component = used[2],
                                                                    .access = COSM_ACCESS_WRITE,
                                                                    .kind = COSM_TERM_OPTIONAL}}});
    cosm_commands *c = cosm_commands_create(box.batch);
    CHECK_DONE(cosm_commands_add(c, box.world, e, used[3]));
    CHECK_DONE(cosm_commands_apply(c, NULL));
    cosm_commands_destroy(c);
    // Asking, removing, and calls that are refused for other reasons use nothing.
    CHECK(!cosm_entity_has(box.world, e, used[4]));
    CHECK(cosm_entity_read(box.world, e, used[4]) == NULL);
    CHECK_DONE(cosm_entity_remove(box.world, e, used[4]));
    CHECK(cosm_sector_container(box.world, used[4], NULL) == NULL);
    CHECK(cosm_query_create(
              box.engine,
              &(cosm_query_desc){
                  .terms = {{.component = used[4], .access = COSM_ACCESS_WRITE},
                            {.component = used[5], .access = COSM_ACCESS_WRITE, .group = 99}}}) ==
          NULL);
    for (uint32_t i = 0; i < 4; i++) {
        cosm_error_clear();
        CHECK(cosm_sector_group_of(box.engine, used[i]).id != 0);
        CHECK_INT(cosm_sector_group_define(
                      box.engine, &(cosm_sector_group_desc){.components = {used[4], used[i]}})
                      .id,
                  0);
        snprintf(name, sizeof(name), "'w%u'", i);
        CHECK_FAILURE(COSM_ERROR_CONFLICT, "cosm_sector_group_define", name, "before");
    }
    // A group of one declared late is the one that it has.
    CHECK_INT(
        cosm_sector_group_define(box.engine, &(cosm_sector_group_desc){.components = {used[0]}}).id,
        cosm_sector_group_of(box.engine, used[0]).id);
    CHECK(cosm_sector_group_define(box.engine,
                                   &(cosm_sector_group_desc){.components = {used[4], used[5]}})
              .id != 0);
    cosm_query_destroy(query);
    fixture_close(&box);
}

TEST(a_group_holds_64_components_and_lists_them_without_gaps_and_once) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SECTOR, 1);
    cosm_sector_group_desc desc = {.name = "wide"};
    char name[16];
    for (uint32_t i = 0; i < COSM_CONTAINER_MEMBER_MAX; i++) {
        snprintf(name, sizeof(name), "m%u", i);
        desc.components[i] = define_word(box.engine, name);
    }
    cosm_sector_group_desc wrong = desc;
    wrong.components[10].id = 0;
    cosm_error_clear();
    CHECK_INT(cosm_sector_group_define(box.engine, &wrong).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_sector_group_define", "[10]", "gap");
    wrong.components[10] = wrong.components[3];
    CHECK_INT(cosm_sector_group_define(box.engine, &wrong).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_sector_group_define", "'m3'", "once");
    wrong.components[10] = box.position;
    CHECK_INT(cosm_sector_group_define(box.engine, &wrong).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_sector_group_define", "[10]", "COSM_STORAGE_SECTOR");
    wrong.components[10].id = 4000;
    CHECK_INT(cosm_sector_group_define(box.engine, &wrong).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_sector_group_define", "4000", "COSM_STORAGE_SECTOR");
    wrong = (cosm_sector_group_desc){.name = "empty"};
    CHECK_INT(cosm_sector_group_define(box.engine, &wrong).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_sector_group_define", "[0]", "list");
    wrong = desc;
    wrong.chunk_sectors = 3;
    CHECK_INT(cosm_sector_group_define(box.engine, &wrong).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_sector_group_define", "3", "power of two");
    CHECK_INT(cosm_sector_group_define(NULL, &desc).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_sector_group_define", "engine", "pass");
    CHECK_INT(cosm_sector_group_define(box.engine, NULL).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_sector_group_define", "desc", "pass");
    cosm_sector_group wide = cosm_sector_group_define(box.engine, &desc);
    REQUIRE(wide.id != 0);
    cosm_entity e = spawn_at(&box, box.world, 0);
    for (uint32_t i = 0; i < COSM_CONTAINER_MEMBER_MAX; i++) {
        CHECK_DONE(cosm_entity_set(box.world, e, desc.components[i], &i));
    }
    CHECK_DONE(cosm_entity_remove(box.world, e, desc.components[63]));
    for (uint32_t i = 0; i < COSM_CONTAINER_MEMBER_MAX; i++) {
        const uint32_t *word = cosm_entity_read(box.world, e, desc.components[i]);
        CHECK(i == 63 ? word == NULL : word != NULL && *word == i);
    }
    CHECK_INT(
        cosm_container_describe(cosm_sector_container(box.world, desc.components[0], NULL)).count,
        1);
    fixture_close(&box);
}

TEST(an_engine_holds_as_many_groups_as_the_limit_says) {
    cosm_engine *engine = cosm_engine_create(NULL);
    REQUIRE(engine != NULL);
    // There are no more components than groups, so each may be a group of its own.
    CHECK(COSM_SECTOR_GROUP_MAX >= COSM_COMPONENT_MAX);
    char name[16];
    uint32_t count = 0;
    for (; count < COSM_COMPONENT_MAX; count++) {
        snprintf(name, sizeof(name), "c%u", count);
        cosm_component c = define_word(engine, name);
        if (cosm_sector_group_define(engine, &(cosm_sector_group_desc){.components = {c}}).id ==
            0) {
            break;
        }
    }
    CHECK_INT(count, COSM_COMPONENT_MAX);
    cosm_batch *batch = cosm_batch_create(engine, NULL);
    cosm_world world = cosm_batch_world(batch, 0);
    cosm_archetype bare = cosm_archetype_define(engine, &(cosm_archetype_desc){.name = "bare"});
    cosm_entity e = cosm_entity_spawn(world, bare);
    CHECK_DONE(cosm_entity_add(world, e, (cosm_component){COSM_COMPONENT_MAX}));
    CHECK_DONE(cosm_entity_add(world, e, (cosm_component){1}));
    CHECK_DONE(cosm_entity_despawn(world, e));
    CHECK_VALID(batch);
    CHECK_DONE(cosm_batch_destroy(batch));
    CHECK_DONE(cosm_engine_destroy(engine));
}

TEST(the_container_of_a_world_is_walked_and_looked_at_but_not_changed) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SECTOR, 1);
    CHECK(cosm_sector_container(box.world, box.heat, NULL) == NULL);
    CHECK(cosm_sector_container(box.world, box.position, NULL) == NULL);
    CHECK(cosm_sector_container((cosm_world){NULL, 0}, box.heat, NULL) == NULL);
    cosm_entity e[50];
    for (uint32_t i = 0; i < 50; i++) {
        e[i] = spawn_at(&box, box.world, 0);
        set_heat(&box, box.world, e[i], (float)i);
        if (i % 5 == 0) {
            set_note(&box, box.world, e[i], i);
            CHECK_DONE(cosm_entity_set(box.world, e[i], box.smoke, &(Smoke){(double)i}));
        }
    }
    uint32_t heat = 9, smoke = 9, note = 9;
    cosm_container *fire = cosm_sector_container(box.world, box.heat, &heat);
    CHECK(cosm_sector_container(box.world, box.smoke, &smoke) == fire);
    cosm_container *coal = cosm_sector_container(box.world, box.note, &note);
    CHECK(heat == 0 && smoke == 1 && note == 1 && coal != fire);
    CHECK_INT(cosm_container_describe(fire).count, 50);
    CHECK_INT(cosm_container_describe(fire).member_count, 2);
    CHECK_STR(cosm_container_describe_member(fire, smoke).name, "Smoke");
    CHECK_INT(cosm_container_live(fire, e[5]), 3);
    CHECK(COSM_CONTAINER_READ(fire, e[5], Smoke, smoke)->density == 5);
    // A view: heat with notes where there are any, of an interval of ids.
    cosm_container_range ranges[] = {{e[10].id, 10}, {e[40].id, 5}};
    cosm_container_walk_desc desc = {.with = COSM_CONTAINER_BIT(heat),
                                     .ranges = ranges,
                                     .range_count = 2,
                                     .foreign = {{coal, note}}};
    cosm_container_walk walk;
    uint32_t seen = 0;
    uint32_t notes = 0;
    uint32_t last = 0;
    for (cosm_sector *s = cosm_container_walk_begin(fire, &desc, &walk); s != NULL;
         s = cosm_container_walk_next(&walk, s)) {
        CHECK(s->entity.id >= last);
        last = s->entity.id + 1;
        const Note *found = COSM_CONTAINER_FOREIGN(&walk, s, Note, 0);
        CHECK((found != NULL) == cosm_entity_has(box.world, s->entity, box.note));
        notes += found != NULL;
        seen++;
    }
    CHECK_INT(seen, 15);
    CHECK_INT(notes, 3);
    cosm_memory memory = cosm_container_describe(fire).memory;
    CHECK(memory.used > memory.live && memory.live >= 50 * (sizeof(Heat) + sizeof(Smoke)));
    CHECK_DONE(cosm_container_validate(fire));
    // Changes are for the calls about entities.
    uint64_t before = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
    cosm_error_clear();
    CHECK(cosm_container_add(fire, e[1], smoke, NULL) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_container_add", "fire", "entity calls");
    cosm_result results[] = {cosm_container_remove(fire, e[1], heat),
                             cosm_container_erase(fire, e[1]),
                             cosm_container_clear(fire),
                             cosm_container_reserve(fire, 100),
                             cosm_container_maintain(fire, NULL, NULL),
                             cosm_container_destroy(fire)};
    for (uint32_t i = 0; i < 6; i++) {
        CHECK_INT(results[i], COSM_ERROR_ARGUMENT);
    }
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_container_destroy", "fire", "entity calls");
    CHECK_INT(cosm_hash_batch(box.batch, COSM_HASH_EXACT), before);
    fixture_close(&box);
}

TEST(a_container_that_is_walked_keeps_its_records_in_place) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SECTOR, 1);
    cosm_entity e[10];
    for (uint32_t i = 0; i < 10; i++) {
        e[i] = spawn_at(&box, box.world, 0);
        set_heat(&box, box.world, e[i], (float)i);
        set_note(&box, box.world, e[i], i);
    }
    cosm_container *fire = cosm_sector_container(box.world, box.heat, NULL);
    cosm_container_walk walk;
    cosm_sector *s = cosm_container_walk_begin(fire, NULL, &walk);
    CHECK_DONE(cosm_entity_remove(box.world, e[0], box.heat)); // allowed, also the record at hand
    CHECK_DONE(cosm_entity_despawn(box.world, e[1]));
    s = cosm_container_walk_next(&walk, s);
    CHECK_INT(s->entity.id, e[2].id);
    cosm_container_report report = {1, 1, 1, 1};
    CHECK_FAILS(cosm_sector_maintain(box.world, NULL, &report), COSM_ERROR_WALKED,
                "cosm_sector_maintain", "fire", "walk");
    CHECK_FAILS(cosm_batch_destroy(box.batch), COSM_ERROR_WALKED, "cosm_batch_destroy", "world 0",
                "cosm_container_walk_end");
    const Heat *heat = READ_BY_ID(box.world, e[9], Heat, box.heat);
    cosm_error_clear();
    CHECK_DONE(cosm_batch_trim(box.batch));
    CHECK_SILENT();
    CHECK(READ_BY_ID(box.world, e[9], Heat, box.heat) == heat);
    CHECK_DONE(cosm_batch_reset(box.batch, NULL));
    CHECK_INT(cosm_container_describe(fire).count, 0);
    CHECK_INT(objects_count(&box.books), 0);
    CHECK(cosm_container_walk_next(&walk, s) == NULL);
    CHECK_VALID(box.batch);
    fixture_close(&box);
}

TEST(maintain_packs_all_containers_of_a_world_within_one_budget) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SECTOR, 2);
    cosm_entity e[200];
    for (uint32_t i = 0; i < 200; i++) {
        e[i] = spawn_at(&box, box.world, 0);
        set_heat(&box, box.world, e[i], (float)i);
        set_note(&box, box.world, e[i], i);
    }
    cosm_container *fire = cosm_sector_container(box.world, box.heat, NULL);
    cosm_container *coal = cosm_sector_container(box.world, box.note, NULL);
    for (uint32_t i = 0; i < 200; i++) {
        if (i % 4 != 0) {
            CHECK_DONE(cosm_entity_remove(box.world, e[i], box.heat));
            CHECK_DONE(cosm_entity_remove(box.world, e[i], box.note));
        }
    }
    struct portrait before = portrait_of(box.all, PORTRAIT_WHOLE);
    CHECK_INT(cosm_container_describe(fire).dead_count, 150);
    CHECK_INT(cosm_container_describe(coal).chunk_count, 25);
    cosm_container_report report;
    CHECK_DONE(cosm_sector_maintain(box.world, &(cosm_container_budget){.move_max = 5}, &report));
    CHECK_INT(report.moved, 5);
    CHECK_INT(report.left,
              cosm_container_describe(fire).dead_count +
                  cosm_container_describe(coal).dead_count); // also those skipped
    CHECK_INT(cosm_container_describe(coal).dead_count, 150);
    uint32_t moved = 5;
    uint32_t freed = report.chunks_freed;
    for (uint32_t calls = 0; report.left > 0 && calls < 100; calls++) {
        CHECK_DONE(
            cosm_sector_maintain(box.world, &(cosm_container_budget){.move_max = 7}, &report));
        CHECK(report.moved <= 7);
        moved += report.moved;
        freed += report.chunks_freed;
    }
    CHECK(moved >= 70 && moved <= 76); // of 50 that live, 12 or 13 lie where they should, twice
    CHECK_INT(report.left, 0);
    CHECK_INT(cosm_container_describe(fire).dead_count + cosm_container_describe(coal).dead_count,
              0);
    CHECK_INT(cosm_container_describe(coal).chunk_count, 7);
    CHECK(freed >= 18);
    CHECK_PORTRAIT(&before, box.all, PORTRAIT_WHOLE);
    portrait_free(&before);
    for (uint32_t i = 0; i < 200; i++) {
        CHECK(degrees_of(&box, box.world, e[i]) == (i % 4 == 0 ? (float)i : -1));
        CHECK_INT(note_of(&box, box.world, e[i]), i % 4 == 0 ? (int)i : -1);
    }
    CHECK_DONE(cosm_sector_maintain(box.world, NULL, NULL));
    CHECK_DONE(
        cosm_sector_maintain(box.world, &(cosm_container_budget){.ns_max = 1000000}, &report));
    CHECK_DONE(cosm_sector_maintain(fixture_world(&box, 1), NULL, &report)); // has none
    CHECK_INT(report.moved + report.left, 0);
    report.left = 9;
    CHECK_FAILS(cosm_sector_maintain(fixture_world(&box, 7), NULL, &report), COSM_ERROR_ARGUMENT,
                "cosm_sector_maintain", "world", "cosm_batch_world");
    CHECK_INT(report.left, 0);
    fixture_close(&box);
}

TEST(memory_stays_flat_over_episodes_and_comes_back_by_trim) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SECTOR, 2);
    cosm_commands *c = cosm_commands_create(box.batch);
    size_t most = 0;
    for (uint32_t episode = 0; episode < 10000; episode++) {
        cosm_world world = fixture_world(&box, episode % 2);
        for (uint32_t i = 0; i < 10; i++) {
            cosm_entity e = spawn_at(&box, world, 0);
            if (i % 2 == 0) {
                set_heat(&box, world, e, 1);
                CHECK_DONE(cosm_entity_add(world, e, box.wet));
            } else {
                CHECK_DONE(cosm_commands_set(c, world, e, box.heat, &(Heat){2}));
                CHECK_DONE(cosm_commands_add(c, world, e, box.note));
            }
        }
        CHECK_DONE(cosm_commands_apply(c, NULL));
        if (episode % 3 == 0) {
            CHECK_DONE(cosm_batch_reset(box.batch, NULL));
        } else {
            CHECK_DONE(cosm_table_clear(world, box.plain));
        }
        if (episode == 100) {
            most = cosm_batch_memory(box.batch).used;
        }
    }
    CHECK(cosm_batch_memory(box.batch).used <= most);
    CHECK_DONE(cosm_batch_trim(box.batch));
    CHECK(cosm_batch_memory(box.batch).used < most);
    CHECK_INT(cosm_container_describe(cosm_sector_container(box.world, box.heat, NULL)).chunk_count,
              0);
    cosm_commands_destroy(c);
    fixture_close(&box);
}

TEST(the_figures_of_a_world_count_what_lies_beside) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SECTOR, 2);
    cosm_entity e = spawn_at(&box, box.world, 0);
    cosm_memory before = cosm_world_memory(box.world);
    cosm_memory batch_before = cosm_batch_memory(box.batch);
    CHECK_DONE(cosm_entity_add(box.world, e, box.kiln));
    cosm_memory after = cosm_world_memory(box.world);
    CHECK(after.live >= before.live + sizeof(Kiln));
    CHECK(after.used >= before.used + 8 * sizeof(Kiln));
    CHECK_INT(cosm_batch_memory(box.batch).live - batch_before.live, after.live - before.live);
    CHECK(cosm_batch_memory(box.batch).used - batch_before.used >= after.used - before.used);
    CHECK_DONE(cosm_entity_remove(box.world, e, box.kiln));
    CHECK_INT(cosm_world_memory(box.world).live, before.live);
    fixture_close(&box);
}

TEST(worlds_do_not_see_what_others_have_beside) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SECTOR, 3);
    cosm_entity e[3];
    for (uint32_t w = 0; w < 3; w++) {
        e[w] = spawn_at(&box, fixture_world(&box, w), 0);
    }
    CHECK(cosm_entity_equals(e[0], e[1])); // handles are local
    set_heat(&box, fixture_world(&box, 1), e[1], 5);
    CHECK(degrees_of(&box, fixture_world(&box, 0), e[0]) == -1);
    CHECK(degrees_of(&box, fixture_world(&box, 2), e[2]) == -1);
    CHECK(cosm_sector_container(box.world, box.heat, NULL) == NULL);
    uint64_t other = cosm_hash_world(fixture_world(&box, 2), COSM_HASH_EXACT);
    uint64_t one = cosm_hash_world(fixture_world(&box, 1), COSM_HASH_EXACT);
    CHECK(cosm_hash_world(fixture_world(&box, 1), COSM_HASH_CONTENT) !=
          cosm_hash_world(fixture_world(&box, 2), COSM_HASH_CONTENT));
    set_heat(&box, fixture_world(&box, 1), e[1], 6);
    CHECK(cosm_hash_world(fixture_world(&box, 1), COSM_HASH_EXACT) != one);
    CHECK_INT(cosm_hash_world(fixture_world(&box, 2), COSM_HASH_EXACT), other);
    fixture_close(&box);
}

TEST(checksums_tell_the_content_and_not_where_it_lies) {
    struct fixture a;
    struct fixture b;
    fixture_open(&a, FIXTURE_SECTOR, 1);
    fixture_open(&b, FIXTURE_SECTOR, 1);
    for (uint32_t i = 0; i < 40; i++) {
        cosm_entity in_a = spawn_at(&a, a.world, (float)i);
        cosm_entity in_b = spawn_at(&b, b.world, (float)i);
        CHECK(cosm_entity_equals(in_a, in_b));
    }
    cosm_entity e = {1, 0};
    // One forwards, one backwards with detours.
    for (e.id = 0; e.id < 40; e.id++) {
        set_heat(&a, a.world, e, (float)e.id);
        set_note(&a, a.world, e, e.id);
    }
    for (uint32_t i = 40; i-- > 0;) {
        e.id = i;
        CHECK_DONE(cosm_entity_add(b.world, e, b.smoke));
        set_note(&b, b.world, e, 99);
        set_heat(&b, b.world, e, (float)i);
        CHECK_DONE(cosm_entity_remove(b.world, e, b.smoke));
        set_note(&b, b.world, e, i);
    }
    uint64_t sum = cosm_hash_batch(a.batch, COSM_HASH_CONTENT);
    CHECK_INT(cosm_hash_batch(b.batch, COSM_HASH_CONTENT), sum);
    CHECK_SAME(b.world, a.world, PORTRAIT_WHOLE);
    CHECK_DONE(cosm_sector_maintain(b.world, NULL, NULL));
    CHECK_INT(cosm_hash_batch(b.batch, COSM_HASH_CONTENT), sum);
    CHECK_SAME(b.world, a.world, PORTRAIT_WHOLE);
    // Anything else is told: a value, a member, an object, whose it is.
    e.id = 3;
    set_heat(&b, b.world, e, 4);
    CHECK(cosm_hash_batch(b.batch, COSM_HASH_CONTENT) != sum);
    set_heat(&b, b.world, e, 3);
    CHECK_INT(cosm_hash_batch(b.batch, COSM_HASH_CONTENT), sum);
    CHECK_DONE(cosm_entity_add(b.world, e, b.wet));
    CHECK(cosm_hash_batch(b.batch, COSM_HASH_CONTENT) != sum);
    CHECK_DONE(cosm_entity_remove(b.world, e, b.wet));
    set_note(&b, b.world, e, 50);
    CHECK(cosm_hash_batch(b.batch, COSM_HASH_CONTENT) != sum);
    set_note(&b, b.world, e, 4); // two have each other's
    e.id = 4;
    set_note(&b, b.world, e, 3);
    CHECK(cosm_hash_batch(b.batch, COSM_HASH_CONTENT) != sum);
    fixture_close(&a);
    fixture_close(&b);
}

TEST(checksums_do_not_tell_how_components_are_grouped) {
    uint64_t sums[4];
    for (uint32_t way = 0; way < 4; way++) {
        cosm_engine *engine = cosm_engine_create(NULL);
        cosm_component a = define_word(engine, "a");
        cosm_component b = define_word(engine, "b");
        cosm_sector_group_desc desc = {.components = {way == 0 ? a : b, way == 0 ? b : a}};
        CHECK(way >= 2 || cosm_sector_group_define(engine, &desc).id != 0);
        cosm_archetype bare = cosm_archetype_define(engine, &(cosm_archetype_desc){.name = "bare"});
        cosm_batch *batch = cosm_batch_create(engine, NULL);
        cosm_world world = cosm_batch_world(batch, 0);
        for (uint32_t i = 0; i < 9; i++) {
            cosm_entity e = cosm_entity_spawn(world, bare);
            uint32_t twice = i * 2;
            CHECK_DONE(cosm_entity_set(world, e, a, way == 3 ? &twice : &i));
            CHECK_DONE(cosm_entity_set(world, e, b, way == 3 ? &i : &twice));
        }
        sums[way] = cosm_hash_batch(batch, COSM_HASH_CONTENT);
        CHECK_DONE(cosm_batch_destroy(batch));
        CHECK_DONE(cosm_engine_destroy(engine));
    }
    CHECK_INT(sums[0], sums[1]);
    CHECK_INT(sums[0], sums[2]);
    CHECK(sums[0] != sums[3]); // but which component has the value
}

// How often what was told of heat.
struct told {
    int added;
    int removed;
    int set;
    float sum; // of the values of those that were removed
};

static void note_heat(const cosm_event *event) {
    struct told *told = event->context;
    told->added += event->kind == COSM_EVENT_ADD ? (int)event->count : 0;
    told->removed += event->kind == COSM_EVENT_REMOVE ? (int)event->count : 0;
    told->set += event->kind == COSM_EVENT_SET ? (int)event->count : 0;
    for (uint32_t i = 0; event->kind == COSM_EVENT_REMOVE && i < event->count; i++) {
        const Heat *heat = EVENT_BY_ID(event, i, Heat, event->component);
        CHECK(heat != NULL);
        told->sum += heat == NULL ? 0 : heat->degrees;
    }
}

#define CHECK_TOLD(adds, removes, sets)                                                            \
    do {                                                                                           \
        CHECK_INT(told.added, adds);                                                               \
        CHECK_INT(told.removed, removes);                                                          \
        CHECK_INT(told.set, sets);                                                                 \
        told = (struct told){0, 0, 0, told.sum};                                                   \
    } while (0)

TEST(observers_are_told_of_sector_components_however_they_come_and_go) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SECTOR, 1);
    struct told told = {0, 0, 0, 0};
    CHECK(cosm_observer_define(box.engine, &(cosm_observer_desc){.name = "heat",
                                                                 .component = box.heat,
                                                                 .run = note_heat,
                                                                 .context = &told})
              .id != 0);
    cosm_entity a = spawn_at(&box, box.world, 0);
    CHECK_DONE(cosm_entity_add(box.world, a, box.heat));
    CHECK_TOLD(1, 0, 0);
    set_heat(&box, box.world, a, 5);
    CHECK_TOLD(0, 0, 1);
    CHECK_DONE(cosm_entity_add(box.world, a, box.hot)); // it has the heat
    CHECK_TOLD(0, 0, 0);
    CHECK_DONE(cosm_entity_remove(box.world, a, box.heat));
    CHECK_TOLD(0, 1, 0);
    CHECK(told.sum == 5);
    cosm_value values[] = {{box.position, &(Position){1, 2, 0}}, {box.heat, &(Heat){7}}};
    for (uint32_t i = 0; i < 20; i++) { // some of them make the table grow
        (void)cosm_entity_spawn_with(box.world, box.plain, values, 2);
        CHECK_TOLD(1, 0, 0);
    }
    cosm_commands *c = cosm_commands_create(box.batch);
    cosm_entity b = cosm_commands_spawn_with(c, box.world, box.plain, values, 2);
    CHECK_DONE(cosm_commands_set(c, box.world, a, box.heat, &(Heat){1}));
    CHECK_DONE(cosm_commands_apply(c, NULL));
    CHECK_TOLD(2, 0, 0);
    CHECK_DONE(cosm_commands_set(c, box.world, a, box.heat, &(Heat){1}));
    CHECK_DONE(cosm_commands_despawn(c, box.world, b));
    CHECK_DONE(cosm_commands_apply(c, NULL));
    CHECK_TOLD(0, 1, 1);
    told.sum = 0;
    CHECK_DONE(cosm_batch_reset(box.batch, NULL));
    CHECK_TOLD(0, 21, 0);
    CHECK(told.sum == 20 * 7 + 1);
    cosm_commands_destroy(c);
    fixture_close(&box);
}

// A column and a sector component that are taken away and given back in one apply.
static void take_and_give_back(struct fixture *box, cosm_component component) {
    struct told told = {0, 0, 0, 0};
    cosm_observer observer = cosm_observer_define(
        box->engine,
        &(cosm_observer_desc){
            .name = "back", .component = component, .run = note_heat, .context = &told});
    cosm_entity entity = spawn_at(box, box->world, 0);
    cosm_commands *c = cosm_commands_create(box->batch);
    CHECK_DONE(cosm_entity_add(box->world, entity, component));
    told = (struct told){0, 0, 0, 0};
    cosm_commands_remove(c, box->world, entity, component);
    cosm_commands_add(c, box->world, entity, component);
    CHECK_DONE(cosm_commands_apply(c, NULL));
    CHECK_TOLD(0, 0, 1);
    CHECK(cosm_entity_has(box->world, entity, component));
    CHECK_DONE(cosm_entity_remove(box->world, entity, component));
    told = (struct told){0, 0, 0, 0};
    cosm_commands_remove(c, box->world, entity, component);
    cosm_commands_add(c, box->world, entity, component);
    CHECK_DONE(cosm_commands_apply(c, NULL));
    CHECK_TOLD(1, 0, 0);
    cosm_commands_destroy(c);
    CHECK_DONE(cosm_entity_despawn(box->world, entity));
    CHECK_DONE(cosm_observer_remove(box->engine, observer));
}

TEST(what_is_removed_and_added_in_one_apply_is_told_as_set_in_every_storage) {
    struct fixture box;
    fixture_open(&box, FIXTURE_SECTOR, 1);
    cosm_component column =
        cosm_component_define(box.engine, &(cosm_component_desc){.name = "Column", .size = 4});
    take_and_give_back(&box, column);
    take_and_give_back(&box, box.heat);
    CHECK_VALID(box.batch);
    fixture_close(&box);
}
