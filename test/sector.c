// Sector components of worlds, cosm/sector.h: groups, and the calls about entities and commands.
#include <stdio.h>
#include <string.h>

#include "harness.h"
#include "support/hearth.h"

TEST(adding_and_removing_a_sector_component_never_moves_the_row) {
    struct hearth h;
    hearth_open(&h, 1);
    cosm_entity all[100];
    for (uint32_t i = 0; i < 100; i++) {
        all[i] = hearth_spawn(&h, h.world, (float)i);
    }
    const Spot *first = READ_BY_ID(h.world, all[0], Spot, h.spot);
    for (uint32_t i = 0; i < 100; i++) {
        cosm_loc before = cosm_entity_loc(h.world, all[i]);
        cosm_archetype archetype = cosm_entity_archetype(h.world, all[i]);
        CHECK_DONE(cosm_entity_add(h.world, all[i], h.heat));
        CHECK(hearth_degrees(&h, h.world, all[i]) == 20);
        hearth_heat(&h, h.world, all[i], (float)i);
        CHECK_DONE(cosm_entity_add(h.world, all[i], h.wet));
        CHECK_DONE(cosm_entity_remove(h.world, all[i], i % 2 == 0 ? h.heat : h.wet));
        cosm_loc after = cosm_entity_loc(h.world, all[i]);
        CHECK(before.table == after.table && before.row == after.row);
        CHECK_INT(cosm_entity_archetype(h.world, all[i]).id, archetype.id);
    }
    CHECK(READ_BY_ID(h.world, all[0], Spot, h.spot) == first);
    for (uint32_t i = 0; i < 100; i++) {
        CHECK(hearth_degrees(&h, h.world, all[i]) == (i % 2 == 0 ? -1 : (float)i));
        CHECK(cosm_entity_has(h.world, all[i], h.wet) == (i % 2 == 0));
        CHECK(!cosm_entity_has(h.world, all[i], h.smoke));
    }
    hearth_close(&h);
}

TEST(adding_what_is_there_keeps_its_value_and_removing_what_is_absent_is_fine) {
    struct hearth h;
    hearth_open(&h, 1);
    cosm_entity a = hearth_spawn(&h, h.world, 1);
    CHECK_DONE(cosm_entity_remove(h.world, a, h.heat)); // there is no container yet
    hearth_heat(&h, h.world, a, 5);
    CHECK_DONE(cosm_entity_add(h.world, a, h.heat));
    CHECK(hearth_degrees(&h, h.world, a) == 5);
    CHECK_DONE(cosm_entity_remove(h.world, a, h.smoke));
    CHECK_DONE(cosm_entity_remove(h.world, a, h.heat));
    CHECK_DONE(cosm_entity_remove(h.world, a, h.heat));
    CHECK(hearth_degrees(&h, h.world, a) == -1);
    CHECK_DONE(cosm_entity_add(h.world, a, h.heat));
    CHECK(hearth_degrees(&h, h.world, a) == 20);
    hearth_close(&h);
}

TEST(each_way_to_read_an_entity_finds_its_sector_components) {
    struct hearth h;
    hearth_open(&h, 1);
    cosm_entity a = hearth_spawn(&h, h.world, 1);
    cosm_entity b = hearth_spawn(&h, h.world, 2);
    hearth_heat(&h, h.world, a, 5);
    CHECK_DONE(cosm_entity_add(h.world, a, h.wet));
    Heat heat = {0};
    CHECK(cosm_entity_get(h.world, a, h.heat, &heat) && heat.degrees == 5);
    CHECK(!cosm_entity_get(h.world, b, h.heat, &heat));
    CHECK(!cosm_entity_get(h.world, a, h.smoke, &heat));
    CHECK(!cosm_entity_get(h.world, a, h.wet, &heat)); // has no bytes
    CHECK(((const Heat *)cosm_entity_read(h.world, a, h.heat))->degrees == 5);
    CHECK(cosm_entity_read(h.world, b, h.heat) == NULL);
    CHECK(cosm_entity_read(h.world, a, h.wet) == NULL);
    WRITE_BY_ID(h.world, a, Heat, h.heat)->degrees = 6;
    CHECK(hearth_degrees(&h, h.world, a) == 6);
    cosm_loc loc = cosm_entity_loc(h.world, a);
    CHECK(((const Heat *)cosm_loc_read(h.world, loc, h.heat))->degrees == 6);
    ((Heat *)cosm_loc_write(h.world, loc, h.heat))->degrees = 7;
    CHECK(cosm_loc_read(h.world, cosm_entity_loc(h.world, b), h.heat) == NULL);
    const void *values[3];
    cosm_entity list[3] = {b, a, COSM_ENTITY_NONE};
    CHECK_INT(cosm_entity_read_many(h.world, list, 3, h.heat, values), 1);
    CHECK(values[0] == NULL && values[2] == NULL && ((const Heat *)values[1])->degrees == 7);
    void *writable[3];
    CHECK_INT(cosm_entity_write_many(h.world, list, 3, h.heat, writable), 1);
    CHECK(writable[1] == values[1]);
    CHECK(cosm_entity_has(h.world, a, h.wet));
    CHECK(!cosm_entity_has(h.world, a, h.hot));
    CHECK_DONE(cosm_entity_add(h.world, a, h.mark));
    CHECK(cosm_entity_has(h.world, a, h.hot));
    cosm_error_clear();
    CHECK(COSM_READ(h.world, a, Heat) == values[1]);
    CHECK(COSM_READ(h.world, b, Heat) == NULL);
    CHECK_SILENT();
    CHECK(COSM_READ(h.world, a, double) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "COSM_READ", "'double'", "COSM_COMPONENT_DEFINE");
    hearth_close(&h);
}

TEST(a_lookup_of_a_sector_component_says_what_to_use) {
    struct hearth h;
    hearth_open(&h, 1);
    cosm_entity a = hearth_spawn(&h, h.world, 1);
    hearth_heat(&h, h.world, a, 5);
    cosm_lookup lookup;
    cosm_error_clear();
    cosm_lookup_begin(h.world, h.heat, &lookup);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_lookup_begin", "Heat", "cosm_entity_read");
    CHECK(cosm_lookup_read(&lookup, a) == NULL);
    hearth_close(&h);
}

TEST(a_spawn_takes_values_of_sector_components) {
    struct hearth h;
    hearth_open(&h, 1);
    uint32_t nine = 9;
    cosm_value values[] = {
        {h.heat, &(Heat){7}}, {h.spot, &(Spot){1, 2}}, {h.wet, NULL}, {h.ember, &(Ember){&nine}}};
    cosm_entity all[50];
    for (uint32_t i = 0; i < 50; i++) { // some of them make the table grow
        all[i] = cosm_entity_spawn_with(h.world, h.thing, values, 4);
    }
    CHECK_INT(atomic_load(&h.book.alive), 50);
    for (uint32_t i = 0; i < 50; i++) {
        CHECK(hearth_degrees(&h, h.world, all[i]) == 7);
        CHECK_INT(hearth_number(&h, h.world, all[i]), 9);
        CHECK(READ_BY_ID(h.world, all[i], Spot, h.spot)->y == 2);
        CHECK(cosm_entity_has(h.world, all[i], h.wet));
        CHECK(!cosm_entity_has(h.world, all[i], h.smoke));
    }
    // Columns that got no value have their defaults; shared values choose the table.
    cosm_entity pot = cosm_entity_spawn_with(h.world, h.pot, values, 1);
    CHECK(READ_BY_ID(h.world, pot, Spot, h.spot)->y == 0);
    CHECK(hearth_degrees(&h, h.world, pot) == 7);
    uint32_t red = 4;
    cosm_value mixed[] = {{h.team, &red}, {h.heat, &(Heat){8}}, {h.spot, &(Spot){3, 4}}};
    cosm_entity stone = cosm_entity_spawn_with(h.world, h.stone, mixed, 3);
    CHECK(hearth_degrees(&h, h.world, stone) == 8);
    CHECK_INT(*READ_BY_ID(h.world, stone, uint32_t, h.team), 4);
    CHECK(READ_BY_ID(h.world, stone, Spot, h.spot)->x == 3);
    hearth_close(&h);
}

TEST(a_spawn_with_values_knows_its_handle_while_ids_are_promised) {
    struct hearth h;
    hearth_open(&h, 1);
    cosm_value values[] = {{h.spot, &(Spot){1, 2}}, {h.heat, &(Heat){7}}};
    for (uint32_t round = 0; round < 20; round++) {
        cosm_entity gone[3];
        for (uint32_t i = 0; i < 3; i++) {
            gone[i] = hearth_spawn(&h, h.world, 0);
        }
        CHECK_DONE(cosm_entity_despawn_many(h.world, gone, 3));
        cosm_commands *commands = cosm_commands_create(h.batch);
        cosm_entity promised[5];
        for (uint32_t i = 0; i < 5; i++) {
            promised[i] = cosm_commands_spawn_with(commands, h.world, h.thing, values, 2);
        }
        cosm_entity direct = cosm_entity_spawn_with(h.world, h.thing, values, 2);
        CHECK(hearth_degrees(&h, h.world, direct) == 7);
        CHECK_VALID(h.batch);
        if (round % 2 == 0) {
            CHECK_DONE(cosm_commands_apply(commands, NULL));
            CHECK(hearth_degrees(&h, h.world, promised[round % 5]) == 7);
        }
        cosm_commands_destroy(commands);
        CHECK_VALID(h.batch);
    }
    hearth_close(&h);
}

TEST(a_spawn_that_is_refused_leaves_nothing_beside) {
    struct hearth h;
    hearth_open(&h, 1);
    (void)hearth_spawn(&h, h.world, 0);
    uint64_t before = cosm_hash_batch(h.batch, COSM_HASH_CONTENT);
    cosm_value values[] = {{h.heat, &(Heat){7}}, {h.kiln, NULL}};
    cosm_error_clear();
    CHECK(cosm_entity_is_none(cosm_entity_spawn_with(h.world, h.thing, values, 2)));
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_entity_spawn_with", "Kiln", "192");
    uint32_t nine = 9;
    cosm_value objects[] = {{h.heat, &(Heat){7}}, {h.ember, &(Ember){&nine}}};
    h.book.refuse = 1;
    CHECK(cosm_entity_is_none(cosm_entity_spawn_with(h.world, h.thing, objects, 2)));
    CHECK_FAILURE(COSM_ERROR_MEMORY, "cosm_entity_spawn_with", "Ember", "free");
    h.book.refuse = 0;
    cosm_rows rows;
    CHECK_FAILS(cosm_entity_spawn_many_with(h.world, h.thing, 3, values, 1, &rows),
                COSM_ERROR_ARGUMENT, "cosm_entity_spawn_many_with", "Heat", "cosm_entity_set_many");
    CHECK_INT(rows.count, 0);
    CHECK_INT(cosm_hash_batch(h.batch, COSM_HASH_CONTENT), before);
    hearth_close(&h);
}

TEST(an_archetype_cannot_name_a_sector_component) {
    struct hearth h;
    hearth_open(&h, 1);
    cosm_error_clear();
    CHECK_INT(
        cosm_archetype_define(h.engine, &(cosm_archetype_desc){.components = {h.spot, h.heat}}).id,
        0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_archetype_define", "Heat", "leave it out");
    CHECK_INT(cosm_archetype_define(h.engine, &(cosm_archetype_desc){.components = {h.hot}}).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_archetype_define", "Heat", "leave it out");
    hearth_close(&h);
}

TEST(a_bundle_of_columns_and_sectors_is_added_and_removed_as_a_whole) {
    struct hearth h;
    hearth_open(&h, 1);
    cosm_entity a = hearth_spawn(&h, h.world, 1);
    hearth_heat(&h, h.world, a, 5);
    CHECK_DONE(cosm_entity_add(h.world, a, h.hot));
    CHECK(hearth_degrees(&h, h.world, a) == 5);
    CHECK(cosm_entity_has(h.world, a, h.wet) && cosm_entity_has(h.world, a, h.mark));
    CHECK_DONE(cosm_entity_remove(h.world, a, h.hot));
    CHECK(hearth_degrees(&h, h.world, a) == -1);
    CHECK(!cosm_entity_has(h.world, a, h.wet) && !cosm_entity_has(h.world, a, h.mark));
    // Where the columns cannot change, nothing does; sectors alone come and go all the same.
    cosm_entity stone = cosm_entity_spawn(h.world, h.stone);
    hearth_heat(&h, h.world, stone, 5);
    uint64_t before = cosm_hash_batch(h.batch, COSM_HASH_EXACT);
    CHECK_INT(cosm_entity_remove(h.world, stone, h.hot), COSM_ERROR_SEALED);
    CHECK_INT(cosm_hash_batch(h.batch, COSM_HASH_EXACT), before);
    CHECK_DONE(cosm_entity_add(h.world, stone, h.hot)); // it has the mark
    CHECK(cosm_entity_has(h.world, stone, h.wet));
    cosm_component cold = cosm_component_define(h.engine, &(cosm_component_desc){.name = "Cold"});
    cosm_component both = cosm_bundle_define(
        h.engine, &(cosm_bundle_desc){.name = "both", .components = {h.smoke, cold}});
    before = cosm_hash_batch(h.batch, COSM_HASH_EXACT);
    CHECK_INT(cosm_entity_add(h.world, stone, both), COSM_ERROR_SEALED);
    CHECK_INT(cosm_hash_batch(h.batch, COSM_HASH_EXACT), before);
    CHECK(!cosm_entity_has(h.world, stone, h.smoke));
    hearth_close(&h);
}

TEST(many_entities_are_changed_in_one_call) {
    struct hearth h;
    hearth_open(&h, 1);
    cosm_entity all[20];
    Heat heats[20];
    for (uint32_t i = 0; i < 20; i++) {
        all[i] = i % 3 == 0 ? cosm_entity_spawn(h.world, h.stone) : hearth_spawn(&h, h.world, 0);
        heats[i].degrees = (float)i;
    }
    CHECK_DONE(cosm_entity_set_many(h.world, all, 20, h.heat, heats));
    CHECK_DONE(cosm_entity_add_many(h.world, all, 10, h.heat));
    CHECK_DONE(cosm_entity_add_many(h.world, all, 10, h.ember));
    CHECK_DONE(cosm_entity_add_many(h.world, all + 3, 3, h.wet));
    CHECK_DONE(cosm_entity_remove_many(h.world, all + 5, 5, h.ember));
    cosm_entity things[3] = {all[1], all[2], all[4]};
    CHECK_DONE(cosm_entity_add_many(h.world, things, 3, h.hot));
    for (uint32_t i = 0; i < 20; i++) {
        CHECK(hearth_degrees(&h, h.world, all[i]) == (float)i);
        CHECK_INT(hearth_number(&h, h.world, all[i]), i < 5 ? 7 : -1);
    }
    CHECK(cosm_entity_has(h.world, all[4], h.wet) && cosm_entity_has(h.world, all[1], h.mark));
    CHECK_INT(atomic_load(&h.book.alive), 5);
    CHECK_DONE(cosm_entity_despawn_many(h.world, all, 4));
    CHECK_INT(atomic_load(&h.book.alive), 1);
    hearth_close(&h);
}

TEST(whatever_ends_an_entity_ends_what_it_has_beside) {
    struct hearth h;
    hearth_open(&h, 2);
    cosm_query *things = cosm_query_create(
        h.engine,
        &(cosm_query_desc){.terms = {{.component = h.spot, .access = COSM_ACCESS_WRITE}}});
    for (uint32_t way = 0; way < 7; way++) {
        cosm_entity all[6];
        for (uint32_t i = 0; i < 6; i++) {
            all[i] = hearth_spawn(&h, h.world, 0);
            hearth_heat(&h, h.world, all[i], 5);
            hearth_ember(&h, h.world, all[i], i);
            cosm_entity other = hearth_spawn(&h, hearth_world(&h, 1), 0);
            hearth_heat(&h, hearth_world(&h, 1), other, 6);
        }
        cosm_commands *commands = cosm_commands_create(h.batch);
        cosm_entity parent = hearth_spawn(&h, h.world, 0);
        switch (way) {
        case 0:
            for (uint32_t i = 0; i < 6; i++) {
                CHECK_DONE(cosm_entity_despawn(h.world, all[i]));
            }
            break;
        case 1:
            CHECK_DONE(cosm_entity_despawn_many(h.world, all, 6));
            break;
        case 2:
            CHECK_DONE(cosm_query_despawn(things, cosm_worlds_one(h.world)));
            break;
        case 3:
            CHECK_DONE(cosm_table_clear(h.world, h.thing));
            break;
        case 4:
            CHECK_DONE(cosm_batch_reset(h.batch, (const uint8_t[]){1, 0}));
            break;
        case 5:
            for (uint32_t i = 0; i < 6; i++) {
                CHECK_DONE(cosm_commands_despawn(commands, h.world, all[i]));
            }
            CHECK_DONE(cosm_commands_apply(commands, NULL));
            break;
        default:
            for (uint32_t i = 0; i < 6; i++) {
                CHECK_DONE(cosm_tree_set_parent(h.world, all[i], parent));
            }
            CHECK_DONE(cosm_tree_despawn(h.world, parent));
        }
        cosm_commands_destroy(commands);
        CHECK_INT(atomic_load(&h.book.alive), 0);
        CHECK_INT(cosm_container_describe(cosm_sector_container(h.world, h.heat, NULL)).count, 0);
        CHECK_INT(
            cosm_container_describe(cosm_sector_container(hearth_world(&h, 1), h.heat, NULL)).count,
            6 * (way + 1));
        CHECK_VALID(h.batch);
        CHECK_DONE(cosm_query_despawn(things, cosm_worlds_one(h.world)));
        // The ids are used again, and have nothing of those before.
        cosm_entity next = hearth_spawn(&h, h.world, 0);
        CHECK(hearth_degrees(&h, h.world, next) == -1);
        CHECK(hearth_degrees(&h, h.world, all[0]) == -1);
        CHECK_DONE(cosm_entity_add(h.world, next, h.smoke));
        CHECK(!cosm_entity_has(h.world, next, h.heat));
        CHECK_DONE(cosm_entity_despawn(h.world, next));
    }
    cosm_query_destroy(things);
    hearth_close(&h);
}

TEST(commands_change_sector_components_in_their_order) {
    struct hearth h;
    hearth_open(&h, 1);
    cosm_entity e[8];
    for (uint32_t i = 0; i < 8; i++) {
        e[i] = hearth_spawn(&h, h.world, 0);
        hearth_heat(&h, h.world, e[i], 5);
    }
    cosm_commands *c = cosm_commands_create(h.batch);
    // 0: add, remove, add: the default again. 1: remove, add. 2: set, remove. 3: remove, set.
    CHECK_DONE(cosm_commands_add(c, h.world, e[0], h.heat));
    CHECK_DONE(cosm_commands_remove(c, h.world, e[0], h.heat));
    CHECK_DONE(cosm_commands_add(c, h.world, e[0], h.heat));
    CHECK_DONE(cosm_commands_remove(c, h.world, e[1], h.heat));
    CHECK_DONE(cosm_commands_add(c, h.world, e[1], h.heat));
    CHECK_DONE(cosm_commands_set(c, h.world, e[2], h.heat, &(Heat){9}));
    CHECK_DONE(cosm_commands_remove(c, h.world, e[2], h.heat));
    CHECK_DONE(cosm_commands_remove(c, h.world, e[3], h.heat));
    CHECK_DONE(cosm_commands_set(c, h.world, e[3], h.heat, &(Heat){9}));
    // 4: add alone keeps. 5: set, then despawn. 6: set, remove, add. 7: a bundle, after a set.
    CHECK_DONE(cosm_commands_add(c, h.world, e[4], h.heat));
    CHECK_DONE(cosm_commands_set(c, h.world, e[5], h.heat, &(Heat){9}));
    CHECK_DONE(cosm_commands_set(c, h.world, e[5], h.smoke, &(Smoke){9}));
    CHECK_DONE(cosm_commands_despawn(c, h.world, e[5]));
    CHECK_DONE(cosm_commands_set(c, h.world, e[6], h.heat, &(Heat){9}));
    CHECK_DONE(cosm_commands_remove(c, h.world, e[6], h.heat));
    CHECK_DONE(cosm_commands_add(c, h.world, e[6], h.heat));
    CHECK_DONE(cosm_commands_set(c, h.world, e[7], h.heat, &(Heat){9}));
    CHECK_DONE(cosm_commands_add(c, h.world, e[7], h.hot));
    cosm_commands_report report;
    CHECK_DONE(cosm_commands_apply(c, &report));
    CHECK(hearth_degrees(&h, h.world, e[0]) == 20);
    CHECK(hearth_degrees(&h, h.world, e[1]) == 20);
    CHECK(hearth_degrees(&h, h.world, e[2]) == -1);
    CHECK(hearth_degrees(&h, h.world, e[3]) == 9);
    CHECK(hearth_degrees(&h, h.world, e[4]) == 5);
    CHECK(!cosm_entity_is_alive(h.world, e[5]));
    CHECK(hearth_degrees(&h, h.world, e[6]) == 20);
    CHECK(hearth_degrees(&h, h.world, e[7]) == 9);
    CHECK(cosm_entity_has(h.world, e[7], h.hot));
    CHECK_INT(report.moved, 1); // by the mark of the bundle
    CHECK_INT(report.written, 2);
    cosm_commands_destroy(c);
    hearth_close(&h);
}

TEST(a_command_owns_a_copy_of_its_object_until_it_is_applied_or_dropped) {
    struct hearth h;
    hearth_open(&h, 1);
    cosm_entity a = hearth_spawn(&h, h.world, 0);
    hearth_ember(&h, h.world, a, 1);
    cosm_commands *c = cosm_commands_create(h.batch);
    uint32_t number = 2;
    CHECK_DONE(cosm_commands_set(c, h.world, a, h.ember, &(Ember){&number}));
    cosm_value values[] = {{h.ember, &(Ember){&number}}, {h.heat, &(Heat){3}}};
    cosm_entity b = cosm_commands_spawn_with(c, h.world, h.thing, values, 2);
    CHECK_DONE(cosm_commands_set(c, h.world, b, h.ember, &(Ember){&number}));
    cosm_entity gone = cosm_commands_spawn_with(c, h.world, h.thing, values, 2);
    CHECK_DONE(cosm_commands_despawn(c, h.world, gone));
    number = 99; // what the commands hold is their own
    CHECK_INT(atomic_load(&h.book.alive), 5);
    CHECK_DONE(cosm_commands_apply(c, NULL));
    CHECK_INT(atomic_load(&h.book.alive), 2);
    CHECK_INT(hearth_number(&h, h.world, a), 2);
    CHECK_INT(hearth_number(&h, h.world, b), 2);
    CHECK(hearth_degrees(&h, h.world, b) == 3);
    CHECK_DONE(cosm_commands_set(c, h.world, a, h.ember, &(Ember){&number}));
    cosm_commands_destroy(c); // dropped
    CHECK_INT(atomic_load(&h.book.alive), 2);
    CHECK_INT(hearth_number(&h, h.world, a), 2);
    hearth_close(&h);
}

TEST(objects_are_made_and_ended_just_as_often_as_they_come_and_go) {
    struct hearth h;
    hearth_open(&h, 1);
    cosm_entity a = hearth_spawn(&h, h.world, 0);
    CHECK_DONE(cosm_entity_add(h.world, a, h.ember));
    CHECK_INT(hearth_number(&h, h.world, a), 7);
    CHECK_INT(atomic_load(&h.book.constructed), 1);
    CHECK_DONE(cosm_entity_add(h.world, a, h.ember));
    CHECK_INT(atomic_load(&h.book.constructed), 1);
    hearth_ember(&h, h.world, a, 5); // replaces: one copy, one end
    CHECK_INT(atomic_load(&h.book.copied), 1);
    CHECK_INT(atomic_load(&h.book.destroyed), 1);
    CHECK_DONE(cosm_entity_set(h.world, a, h.ember, cosm_entity_read(h.world, a, h.ember)));
    CHECK_INT(atomic_load(&h.book.copied), 1);       // itself
    CHECK_DONE(cosm_entity_add(h.world, a, h.mark)); // moves the row, not the object
    CHECK_INT(atomic_load(&h.book.moved), 1);        // into its place, when it replaced the first
    CHECK_DONE(cosm_entity_add(h.world, a, h.kiln)); // of the same record
    CHECK_DONE(cosm_entity_remove(h.world, a, h.ember));
    CHECK_INT(atomic_load(&h.book.alive), 0);
    CHECK(READ_BY_ID(h.world, a, Kiln, h.kiln)->number == 3);
    cosm_commands *c = cosm_commands_create(h.batch);
    CHECK_DONE(cosm_commands_add(c, h.world, a, h.ember));
    CHECK_DONE(cosm_commands_apply(c, NULL));
    CHECK_INT(atomic_load(&h.book.constructed), 2);
    CHECK_INT(atomic_load(&h.book.alive), 1);
    CHECK_DONE(cosm_commands_add(c, h.world, a, h.ember));
    CHECK_DONE(cosm_commands_apply(c, NULL));
    CHECK_INT(atomic_load(&h.book.constructed), 2);
    cosm_commands_destroy(c);
    hearth_close(&h);
}

TEST(large_and_over_aligned_members_and_tags_lie_as_they_should) {
    struct hearth h;
    hearth_open(&h, 1);
    for (uint32_t i = 0; i < 40; i++) { // over several chunks of 8
        cosm_entity e = hearth_spawn(&h, h.world, 0);
        CHECK_DONE(cosm_entity_set(h.world, e, h.kiln, &(Kiln){.number = i}));
        hearth_ember(&h, h.world, e, i);
        const Kiln *kiln = READ_BY_ID(h.world, e, Kiln, h.kiln);
        CHECK_INT((uintptr_t)kiln % 64, 0);
        CHECK_INT(kiln->number, i);
        CHECK_INT(hearth_number(&h, h.world, e), i);
    }
    hearth_close(&h);
}

TEST(what_an_entity_has_beside_its_table_is_listed_in_ascending_order) {
    struct hearth h;
    hearth_open(&h, 2);
    cosm_entity e = hearth_spawn(&h, h.world, 1);
    cosm_entity other = hearth_spawn(&h, h.world, 2);
    cosm_component list[5] = {{77}, {77}, {77}, {77}, {77}};
    CHECK_INT(cosm_sector_components(h.world, e, 5, list), 0);
    hearth_ember(&h, h.world, e, 1);
    CHECK_DONE(cosm_entity_add(h.world, e, h.wet));
    CHECK_DONE(cosm_entity_add(h.world, e, h.smoke));
    CHECK_DONE(cosm_entity_add(h.world, other, h.kiln));
    CHECK_DONE(cosm_entity_add(h.world, e, h.heat));
    CHECK_INT(cosm_sector_components(h.world, e, 5, list), 4);
    CHECK(list[0].id == h.heat.id && list[1].id == h.smoke.id && list[2].id == h.wet.id);
    CHECK(list[3].id == h.ember.id && list[4].id == 77);
    // Where there is less room, the lowest.
    for (uint32_t max = 0; max <= 3; max++) {
        cosm_component few[4] = {{77}, {77}, {77}, {77}};
        CHECK_INT(cosm_sector_components(h.world, e, max, few), 4);
        CHECK_MEM(few, list, max * sizeof(*few));
        CHECK_INT(few[max].id, 77);
    }
    CHECK_INT(cosm_sector_components(h.world, e, 5, NULL), 4);
    CHECK_DONE(cosm_entity_remove(h.world, e, h.smoke));
    CHECK_INT(cosm_sector_components(h.world, e, 5, list), 3);
    CHECK_INT(list[1].id, h.wet.id);
    CHECK_INT(cosm_sector_components(hearth_world(&h, 1), e, 5, list), 0);
    CHECK_INT(cosm_sector_components((cosm_world){NULL, 0}, e, 5, list), 0);
    CHECK_DONE(cosm_entity_despawn(h.world, e));
    CHECK_INT(cosm_sector_components(h.world, e, 5, list), 0);
    hearth_close(&h);
}

TEST(a_group_is_declared_once_and_before_its_components_are_used) {
    struct hearth h;
    hearth_open(&h, 1);
    cosm_sector_group fire = cosm_sector_group_of(h.engine, h.heat);
    cosm_sector_group_info info = cosm_sector_group_describe(h.engine, fire);
    CHECK_STR(info.name, "fire");
    REQUIRE(info.member_count == 2);
    CHECK(info.members[0].id == h.heat.id && info.members[1].id == h.smoke.id);
    cosm_sector_group_info none[] = {
        cosm_sector_group_describe(h.engine, (cosm_sector_group){99}),
        cosm_sector_group_describe(h.engine, (cosm_sector_group){0}),
        cosm_sector_group_describe(NULL, fire),
    };
    for (uint32_t i = 0; i < 3; i++) {
        CHECK_STR(none[i].name, NULL);
        CHECK(none[i].members == NULL);
        CHECK_INT(none[i].member_count, 0);
    }
    CHECK_INT(cosm_sector_group_of(h.engine, h.spot).id, 0);
    CHECK_INT(cosm_sector_group_of(h.engine, h.wet).id, 0); // not yet
    CHECK_INT(cosm_sector_group_of(h.engine, (cosm_component){999}).id, 0);
    CHECK_INT(cosm_sector_group_of(NULL, h.heat).id, 0);
    // The same again.
    cosm_sector_group_desc same = {.name = "again", .components = {h.heat, h.smoke}};
    CHECK_INT(cosm_sector_group_define(h.engine, &same).id, fire.id);
    // Others: another order, a part, more, another threshold.
    cosm_sector_group_desc others[] = {
        {.components = {h.smoke, h.heat}},
        {.components = {h.heat}},
        {.components = {h.heat, h.smoke, h.wet}},
        {.components = {h.wet, h.heat}},
        {.components = {h.heat, h.smoke}, .threshold = 0.75f},
        {.components = {h.heat, h.smoke}, .chunk_sectors = 2},
    };
    for (uint32_t i = 0; i < 6; i++) {
        cosm_error_clear();
        CHECK_INT(cosm_sector_group_define(h.engine, &others[i]).id, 0);
        CHECK_FAILURE(COSM_ERROR_CONFLICT, "cosm_sector_group_define", "fire", "before");
    }
    CHECK_INT(cosm_sector_group_of(h.engine, h.wet).id, 0);
    hearth_close(&h);
}

static cosm_component define_word(cosm_engine *engine, const char *name) {
    return cosm_component_define(
        engine, &(cosm_component_desc){.name = name, .size = 4, .storage = COSM_STORAGE_SECTOR});
}

TEST(a_component_that_was_used_is_a_group_of_one) {
    struct hearth h;
    hearth_open(&h, 1);
    cosm_entity e = hearth_spawn(&h, h.world, 0);
    cosm_component used[6];
    char name[8];
    for (uint32_t i = 0; i < 6; i++) {
        snprintf(name, sizeof(name), "w%u", i);
        used[i] = define_word(h.engine, name);
    }
    uint32_t word = 1;
    CHECK_DONE(cosm_entity_add(h.world, e, used[0]));
    CHECK_DONE(cosm_entity_set(h.world, e, used[1], &word));
    cosm_query *query =
        cosm_query_create(h.engine, &(cosm_query_desc){.terms = {{.component = used[2],
                                                                  .access = COSM_ACCESS_WRITE,
                                                                  .kind = COSM_TERM_OPTIONAL}}});
    cosm_commands *c = cosm_commands_create(h.batch);
    CHECK_DONE(cosm_commands_add(c, h.world, e, used[3]));
    CHECK_DONE(cosm_commands_apply(c, NULL));
    cosm_commands_destroy(c);
    // Asking, removing, and calls that are refused for other reasons use nothing.
    CHECK(!cosm_entity_has(h.world, e, used[4]));
    CHECK(cosm_entity_read(h.world, e, used[4]) == NULL);
    CHECK_DONE(cosm_entity_remove(h.world, e, used[4]));
    CHECK(cosm_sector_container(h.world, used[4], NULL) == NULL);
    CHECK(cosm_query_create(
              h.engine,
              &(cosm_query_desc){
                  .terms = {{.component = used[4], .access = COSM_ACCESS_WRITE},
                            {.component = used[5], .access = COSM_ACCESS_WRITE, .group = 99}}}) ==
          NULL);
    for (uint32_t i = 0; i < 4; i++) {
        cosm_error_clear();
        CHECK(cosm_sector_group_of(h.engine, used[i]).id != 0);
        CHECK_INT(cosm_sector_group_define(
                      h.engine, &(cosm_sector_group_desc){.components = {used[4], used[i]}})
                      .id,
                  0);
        snprintf(name, sizeof(name), "'w%u'", i);
        CHECK_FAILURE(COSM_ERROR_CONFLICT, "cosm_sector_group_define", name, "before");
    }
    // A group of one declared late is the one that it has.
    CHECK_INT(
        cosm_sector_group_define(h.engine, &(cosm_sector_group_desc){.components = {used[0]}}).id,
        cosm_sector_group_of(h.engine, used[0]).id);
    CHECK(cosm_sector_group_define(h.engine,
                                   &(cosm_sector_group_desc){.components = {used[4], used[5]}})
              .id != 0);
    cosm_query_destroy(query);
    hearth_close(&h);
}

TEST(a_group_holds_64_components_and_lists_them_without_gaps_and_once) {
    struct hearth h;
    hearth_open(&h, 1);
    cosm_sector_group_desc desc = {.name = "wide"};
    char name[16];
    for (uint32_t i = 0; i < COSM_CONTAINER_MEMBER_MAX; i++) {
        snprintf(name, sizeof(name), "m%u", i);
        desc.components[i] = define_word(h.engine, name);
    }
    cosm_sector_group_desc wrong = desc;
    wrong.components[10].id = 0;
    cosm_error_clear();
    CHECK_INT(cosm_sector_group_define(h.engine, &wrong).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_sector_group_define", "[10]", "gap");
    wrong.components[10] = wrong.components[3];
    CHECK_INT(cosm_sector_group_define(h.engine, &wrong).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_sector_group_define", "'m3'", "once");
    wrong.components[10] = h.spot;
    CHECK_INT(cosm_sector_group_define(h.engine, &wrong).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_sector_group_define", "[10]", "COSM_STORAGE_SECTOR");
    wrong.components[10].id = 4000;
    CHECK_INT(cosm_sector_group_define(h.engine, &wrong).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_sector_group_define", "4000", "COSM_STORAGE_SECTOR");
    wrong = (cosm_sector_group_desc){.name = "empty"};
    CHECK_INT(cosm_sector_group_define(h.engine, &wrong).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_sector_group_define", "[0]", "list");
    wrong = desc;
    wrong.chunk_sectors = 3;
    CHECK_INT(cosm_sector_group_define(h.engine, &wrong).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_sector_group_define", "3", "power of two");
    CHECK_INT(cosm_sector_group_define(NULL, &desc).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_sector_group_define", "engine", "pass");
    CHECK_INT(cosm_sector_group_define(h.engine, NULL).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_sector_group_define", "desc", "pass");
    cosm_sector_group wide = cosm_sector_group_define(h.engine, &desc);
    REQUIRE(wide.id != 0);
    cosm_entity e = hearth_spawn(&h, h.world, 0);
    for (uint32_t i = 0; i < COSM_CONTAINER_MEMBER_MAX; i++) {
        CHECK_DONE(cosm_entity_set(h.world, e, desc.components[i], &i));
    }
    CHECK_DONE(cosm_entity_remove(h.world, e, desc.components[63]));
    for (uint32_t i = 0; i < COSM_CONTAINER_MEMBER_MAX; i++) {
        const uint32_t *word = cosm_entity_read(h.world, e, desc.components[i]);
        CHECK(i == 63 ? word == NULL : word != NULL && *word == i);
    }
    CHECK_INT(
        cosm_container_describe(cosm_sector_container(h.world, desc.components[0], NULL)).count, 1);
    hearth_close(&h);
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
    struct hearth h;
    hearth_open(&h, 1);
    CHECK(cosm_sector_container(h.world, h.heat, NULL) == NULL);
    CHECK(cosm_sector_container(h.world, h.spot, NULL) == NULL);
    CHECK(cosm_sector_container((cosm_world){NULL, 0}, h.heat, NULL) == NULL);
    cosm_entity e[50];
    for (uint32_t i = 0; i < 50; i++) {
        e[i] = hearth_spawn(&h, h.world, 0);
        hearth_heat(&h, h.world, e[i], (float)i);
        if (i % 5 == 0) {
            hearth_ember(&h, h.world, e[i], i);
            CHECK_DONE(cosm_entity_set(h.world, e[i], h.smoke, &(Smoke){(double)i}));
        }
    }
    uint32_t heat = 9, smoke = 9, ember = 9;
    cosm_container *fire = cosm_sector_container(h.world, h.heat, &heat);
    CHECK(cosm_sector_container(h.world, h.smoke, &smoke) == fire);
    cosm_container *coal = cosm_sector_container(h.world, h.ember, &ember);
    CHECK(heat == 0 && smoke == 1 && ember == 1 && coal != fire);
    CHECK_INT(cosm_container_describe(fire).count, 50);
    CHECK_INT(cosm_container_describe(fire).member_count, 2);
    CHECK_STR(cosm_container_describe_member(fire, smoke).name, "Smoke");
    CHECK_INT(cosm_container_live(fire, e[5]), 3);
    CHECK(COSM_CONTAINER_READ(fire, e[5], Smoke, smoke)->density == 5);
    // A view: heat with embers where there are any, of an interval of ids.
    cosm_container_range ranges[] = {{e[10].id, 10}, {e[40].id, 5}};
    cosm_container_walk_desc desc = {.with = COSM_CONTAINER_BIT(heat),
                                     .ranges = ranges,
                                     .range_count = 2,
                                     .foreign = {{coal, ember}}};
    cosm_container_walk walk;
    uint32_t seen = 0;
    uint32_t embers = 0;
    uint32_t last = 0;
    for (cosm_sector *s = cosm_container_walk_begin(fire, &desc, &walk); s != NULL;
         s = cosm_container_walk_next(&walk, s)) {
        CHECK(s->entity.id >= last);
        last = s->entity.id + 1;
        const Ember *found = COSM_CONTAINER_FOREIGN(&walk, s, Ember, 0);
        CHECK((found != NULL) == cosm_entity_has(h.world, s->entity, h.ember));
        embers += found != NULL;
        seen++;
    }
    CHECK_INT(seen, 15);
    CHECK_INT(embers, 3);
    cosm_memory memory = cosm_container_describe(fire).memory;
    CHECK(memory.used > memory.live && memory.live >= 50 * (sizeof(Heat) + sizeof(Smoke)));
    CHECK_DONE(cosm_container_validate(fire));
    // Changes are for the calls about entities.
    uint64_t before = cosm_hash_batch(h.batch, COSM_HASH_EXACT);
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
    CHECK_INT(cosm_hash_batch(h.batch, COSM_HASH_EXACT), before);
    hearth_close(&h);
}

TEST(a_container_that_is_walked_keeps_its_records_in_place) {
    struct hearth h;
    hearth_open(&h, 1);
    cosm_entity e[10];
    for (uint32_t i = 0; i < 10; i++) {
        e[i] = hearth_spawn(&h, h.world, 0);
        hearth_heat(&h, h.world, e[i], (float)i);
        hearth_ember(&h, h.world, e[i], i);
    }
    cosm_container *fire = cosm_sector_container(h.world, h.heat, NULL);
    cosm_container_walk walk;
    cosm_sector *s = cosm_container_walk_begin(fire, NULL, &walk);
    CHECK_DONE(cosm_entity_remove(h.world, e[0], h.heat)); // allowed, also the record at hand
    CHECK_DONE(cosm_entity_despawn(h.world, e[1]));
    s = cosm_container_walk_next(&walk, s);
    CHECK_INT(s->entity.id, e[2].id);
    cosm_container_report report = {1, 1, 1, 1};
    CHECK_FAILS(cosm_sector_maintain(h.world, NULL, &report), COSM_ERROR_WALKED,
                "cosm_sector_maintain", "fire", "walk");
    CHECK_FAILS(cosm_batch_destroy(h.batch), COSM_ERROR_WALKED, "cosm_batch_destroy", "world 0",
                "cosm_container_walk_end");
    const Heat *heat = READ_BY_ID(h.world, e[9], Heat, h.heat);
    cosm_error_clear();
    CHECK_DONE(cosm_batch_trim(h.batch));
    CHECK_SILENT();
    CHECK(READ_BY_ID(h.world, e[9], Heat, h.heat) == heat);
    CHECK_DONE(cosm_batch_reset(h.batch, NULL));
    CHECK_INT(cosm_container_describe(fire).count, 0);
    CHECK_INT(atomic_load(&h.book.alive), 0);
    CHECK(cosm_container_walk_next(&walk, s) == NULL);
    CHECK_VALID(h.batch);
    hearth_close(&h);
}

TEST(maintain_packs_all_containers_of_a_world_within_one_budget) {
    struct hearth h;
    hearth_open(&h, 2);
    cosm_entity e[200];
    for (uint32_t i = 0; i < 200; i++) {
        e[i] = hearth_spawn(&h, h.world, 0);
        hearth_heat(&h, h.world, e[i], (float)i);
        hearth_ember(&h, h.world, e[i], i);
    }
    cosm_container *fire = cosm_sector_container(h.world, h.heat, NULL);
    cosm_container *coal = cosm_sector_container(h.world, h.ember, NULL);
    for (uint32_t i = 0; i < 200; i++) {
        if (i % 4 != 0) {
            CHECK_DONE(cosm_entity_remove(h.world, e[i], h.heat));
            CHECK_DONE(cosm_entity_remove(h.world, e[i], h.ember));
        }
    }
    uint64_t before = cosm_hash_batch(h.batch, COSM_HASH_CONTENT);
    CHECK_INT(cosm_container_describe(fire).dead_count, 150);
    CHECK_INT(cosm_container_describe(coal).chunk_count, 25);
    cosm_container_report report;
    CHECK_DONE(cosm_sector_maintain(h.world, &(cosm_container_budget){.move_max = 5}, &report));
    CHECK_INT(report.moved, 5);
    CHECK_INT(report.left,
              cosm_container_describe(fire).dead_count +
                  cosm_container_describe(coal).dead_count); // also those skipped
    CHECK_INT(cosm_container_describe(coal).dead_count, 150);
    uint32_t moved = 5;
    uint32_t freed = report.chunks_freed;
    for (uint32_t calls = 0; report.left > 0 && calls < 100; calls++) {
        CHECK_DONE(cosm_sector_maintain(h.world, &(cosm_container_budget){.move_max = 7}, &report));
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
    CHECK_INT(cosm_hash_batch(h.batch, COSM_HASH_CONTENT), before);
    for (uint32_t i = 0; i < 200; i++) {
        CHECK(hearth_degrees(&h, h.world, e[i]) == (i % 4 == 0 ? (float)i : -1));
        CHECK_INT(hearth_number(&h, h.world, e[i]), i % 4 == 0 ? (int)i : -1);
    }
    CHECK_DONE(cosm_sector_maintain(h.world, NULL, NULL));
    CHECK_DONE(cosm_sector_maintain(h.world, &(cosm_container_budget){.ns_max = 1000000}, &report));
    CHECK_DONE(cosm_sector_maintain(hearth_world(&h, 1), NULL, &report)); // has none
    CHECK_INT(report.moved + report.left, 0);
    report.left = 9;
    CHECK_FAILS(cosm_sector_maintain(hearth_world(&h, 7), NULL, &report), COSM_ERROR_ARGUMENT,
                "cosm_sector_maintain", "world", "cosm_batch_world");
    CHECK_INT(report.left, 0);
    hearth_close(&h);
}

TEST(memory_stays_flat_over_episodes_and_comes_back_by_trim) {
    struct hearth h;
    hearth_open(&h, 2);
    cosm_commands *c = cosm_commands_create(h.batch);
    size_t most = 0;
    for (uint32_t episode = 0; episode < 10000; episode++) {
        cosm_world world = hearth_world(&h, episode % 2);
        for (uint32_t i = 0; i < 10; i++) {
            cosm_entity e = hearth_spawn(&h, world, 0);
            if (i % 2 == 0) {
                hearth_heat(&h, world, e, 1);
                CHECK_DONE(cosm_entity_add(world, e, h.wet));
            } else {
                CHECK_DONE(cosm_commands_set(c, world, e, h.heat, &(Heat){2}));
                CHECK_DONE(cosm_commands_add(c, world, e, h.ember));
            }
        }
        CHECK_DONE(cosm_commands_apply(c, NULL));
        if (episode % 3 == 0) {
            CHECK_DONE(cosm_batch_reset(h.batch, NULL));
        } else {
            CHECK_DONE(cosm_table_clear(world, h.thing));
        }
        if (episode == 100) {
            most = cosm_batch_memory(h.batch).used;
        }
    }
    CHECK(cosm_batch_memory(h.batch).used <= most);
    CHECK_DONE(cosm_batch_trim(h.batch));
    CHECK(cosm_batch_memory(h.batch).used < most);
    CHECK_INT(cosm_container_describe(cosm_sector_container(h.world, h.heat, NULL)).chunk_count, 0);
    cosm_commands_destroy(c);
    hearth_close(&h);
}

TEST(the_figures_of_a_world_count_what_lies_beside) {
    struct hearth h;
    hearth_open(&h, 2);
    cosm_entity e = hearth_spawn(&h, h.world, 0);
    cosm_memory before = cosm_world_memory(h.world);
    cosm_memory batch_before = cosm_batch_memory(h.batch);
    CHECK_DONE(cosm_entity_add(h.world, e, h.kiln));
    cosm_memory after = cosm_world_memory(h.world);
    CHECK(after.live >= before.live + sizeof(Kiln));
    CHECK(after.used >= before.used + 8 * sizeof(Kiln));
    CHECK_INT(cosm_batch_memory(h.batch).live - batch_before.live, after.live - before.live);
    CHECK(cosm_batch_memory(h.batch).used - batch_before.used >= after.used - before.used);
    CHECK_DONE(cosm_entity_remove(h.world, e, h.kiln));
    CHECK_INT(cosm_world_memory(h.world).live, before.live);
    hearth_close(&h);
}

TEST(worlds_do_not_see_what_others_have_beside) {
    struct hearth h;
    hearth_open(&h, 3);
    cosm_entity e[3];
    for (uint32_t w = 0; w < 3; w++) {
        e[w] = hearth_spawn(&h, hearth_world(&h, w), 0);
    }
    CHECK(cosm_entity_equals(e[0], e[1])); // handles are local
    hearth_heat(&h, hearth_world(&h, 1), e[1], 5);
    CHECK(hearth_degrees(&h, hearth_world(&h, 0), e[0]) == -1);
    CHECK(hearth_degrees(&h, hearth_world(&h, 2), e[2]) == -1);
    CHECK(cosm_sector_container(h.world, h.heat, NULL) == NULL);
    uint64_t other = cosm_hash_world(hearth_world(&h, 2), COSM_HASH_EXACT);
    uint64_t one = cosm_hash_world(hearth_world(&h, 1), COSM_HASH_EXACT);
    CHECK(cosm_hash_world(hearth_world(&h, 1), COSM_HASH_CONTENT) !=
          cosm_hash_world(hearth_world(&h, 2), COSM_HASH_CONTENT));
    hearth_heat(&h, hearth_world(&h, 1), e[1], 6);
    CHECK(cosm_hash_world(hearth_world(&h, 1), COSM_HASH_EXACT) != one);
    CHECK_INT(cosm_hash_world(hearth_world(&h, 2), COSM_HASH_EXACT), other);
    hearth_close(&h);
}

TEST(checksums_tell_the_content_and_not_where_it_lies) {
    struct hearth a;
    struct hearth b;
    hearth_open(&a, 1);
    hearth_open(&b, 1);
    for (uint32_t i = 0; i < 40; i++) {
        cosm_entity in_a = hearth_spawn(&a, a.world, (float)i);
        cosm_entity in_b = hearth_spawn(&b, b.world, (float)i);
        CHECK(cosm_entity_equals(in_a, in_b));
    }
    cosm_entity e = {1, 0};
    // One forwards, one backwards with detours.
    for (e.id = 0; e.id < 40; e.id++) {
        hearth_heat(&a, a.world, e, (float)e.id);
        hearth_ember(&a, a.world, e, e.id);
    }
    for (uint32_t i = 40; i-- > 0;) {
        e.id = i;
        CHECK_DONE(cosm_entity_add(b.world, e, b.smoke));
        hearth_ember(&b, b.world, e, 99);
        hearth_heat(&b, b.world, e, (float)i);
        CHECK_DONE(cosm_entity_remove(b.world, e, b.smoke));
        hearth_ember(&b, b.world, e, i);
    }
    uint64_t sum = cosm_hash_batch(a.batch, COSM_HASH_CONTENT);
    CHECK_INT(cosm_hash_batch(b.batch, COSM_HASH_CONTENT), sum);
    CHECK_DONE(cosm_sector_maintain(b.world, NULL, NULL));
    CHECK_INT(cosm_hash_batch(b.batch, COSM_HASH_CONTENT), sum);
    // Anything else is told: a value, a member, an object, whose it is.
    e.id = 3;
    hearth_heat(&b, b.world, e, 4);
    CHECK(cosm_hash_batch(b.batch, COSM_HASH_CONTENT) != sum);
    hearth_heat(&b, b.world, e, 3);
    CHECK_INT(cosm_hash_batch(b.batch, COSM_HASH_CONTENT), sum);
    CHECK_DONE(cosm_entity_add(b.world, e, b.wet));
    CHECK(cosm_hash_batch(b.batch, COSM_HASH_CONTENT) != sum);
    CHECK_DONE(cosm_entity_remove(b.world, e, b.wet));
    hearth_ember(&b, b.world, e, 50);
    CHECK(cosm_hash_batch(b.batch, COSM_HASH_CONTENT) != sum);
    hearth_ember(&b, b.world, e, 4); // two have each other's
    e.id = 4;
    hearth_ember(&b, b.world, e, 3);
    CHECK(cosm_hash_batch(b.batch, COSM_HASH_CONTENT) != sum);
    hearth_close(&a);
    hearth_close(&b);
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
    struct hearth h;
    hearth_open(&h, 1);
    struct told told = {0, 0, 0, 0};
    CHECK(cosm_observer_define(h.engine, &(cosm_observer_desc){.name = "heat",
                                                               .component = h.heat,
                                                               .run = note_heat,
                                                               .context = &told})
              .id != 0);
    cosm_entity a = hearth_spawn(&h, h.world, 0);
    CHECK_DONE(cosm_entity_add(h.world, a, h.heat));
    CHECK_TOLD(1, 0, 0);
    hearth_heat(&h, h.world, a, 5);
    CHECK_TOLD(0, 0, 1);
    CHECK_DONE(cosm_entity_add(h.world, a, h.hot)); // it has the heat
    CHECK_TOLD(0, 0, 0);
    CHECK_DONE(cosm_entity_remove(h.world, a, h.heat));
    CHECK_TOLD(0, 1, 0);
    CHECK(told.sum == 5);
    cosm_value values[] = {{h.spot, &(Spot){1, 2}}, {h.heat, &(Heat){7}}};
    for (uint32_t i = 0; i < 20; i++) { // some of them make the table grow
        (void)cosm_entity_spawn_with(h.world, h.thing, values, 2);
        CHECK_TOLD(1, 0, 0);
    }
    cosm_commands *c = cosm_commands_create(h.batch);
    cosm_entity b = cosm_commands_spawn_with(c, h.world, h.thing, values, 2);
    CHECK_DONE(cosm_commands_set(c, h.world, a, h.heat, &(Heat){1}));
    CHECK_DONE(cosm_commands_apply(c, NULL));
    CHECK_TOLD(2, 0, 0);
    CHECK_DONE(cosm_commands_set(c, h.world, a, h.heat, &(Heat){1}));
    CHECK_DONE(cosm_commands_despawn(c, h.world, b));
    CHECK_DONE(cosm_commands_apply(c, NULL));
    CHECK_TOLD(0, 1, 1);
    told.sum = 0;
    CHECK_DONE(cosm_batch_reset(h.batch, NULL));
    CHECK_TOLD(0, 21, 0);
    CHECK(told.sum == 20 * 7 + 1);
    cosm_commands_destroy(c);
    hearth_close(&h);
}

// A column and a sector component that are taken away and given back in one apply.
static void take_and_give_back(struct hearth *h, cosm_component component) {
    struct told told = {0, 0, 0, 0};
    cosm_observer observer = cosm_observer_define(
        h->engine, &(cosm_observer_desc){
                       .name = "back", .component = component, .run = note_heat, .context = &told});
    cosm_entity entity = hearth_spawn(h, h->world, 0);
    cosm_commands *c = cosm_commands_create(h->batch);
    CHECK_DONE(cosm_entity_add(h->world, entity, component));
    told = (struct told){0, 0, 0, 0};
    cosm_commands_remove(c, h->world, entity, component);
    cosm_commands_add(c, h->world, entity, component);
    CHECK_DONE(cosm_commands_apply(c, NULL));
    CHECK_TOLD(0, 0, 1);
    CHECK(cosm_entity_has(h->world, entity, component));
    CHECK_DONE(cosm_entity_remove(h->world, entity, component));
    told = (struct told){0, 0, 0, 0};
    cosm_commands_remove(c, h->world, entity, component);
    cosm_commands_add(c, h->world, entity, component);
    CHECK_DONE(cosm_commands_apply(c, NULL));
    CHECK_TOLD(1, 0, 0);
    cosm_commands_destroy(c);
    CHECK_DONE(cosm_entity_despawn(h->world, entity));
    CHECK_DONE(cosm_observer_remove(h->engine, observer));
}

TEST(what_is_removed_and_added_in_one_apply_is_told_as_set_in_every_storage) {
    struct hearth h;
    hearth_open(&h, 1);
    cosm_component column =
        cosm_component_define(h.engine, &(cosm_component_desc){.name = "Column", .size = 4});
    take_and_give_back(&h, column);
    take_and_give_back(&h, h.heat);
    CHECK_VALID(h.batch);
    hearth_close(&h);
}
