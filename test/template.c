// Templates: defined, captured, found, spawned one by one and in bulk, with children and overrides
// (cosm/template.h).
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "store/batch.h"
#include "support/fixture.h"
#include "support/ledger.h"

#define CHECK_SAME(a, b) CHECK(cosm_entity_equals((a), (b)))

static const cosm_entity nobody = {0, 0};

// Position and Health {7}, and a Mark.
static cosm_template define_tree(struct fixture *box, const char *name) {
    Position position = {1, 2, 3};
    Health health = {7};
    cosm_value values[] = {{box->health, &health}, {box->position, &position}, {box->mark, NULL}};
    return cosm_template_define(
        box->engine, &(cosm_template_desc){.name = name, .values = values, .value_count = 3});
}

// car {wheel x 4 {bolt x 5}, lamp}
static cosm_template define_car(struct fixture *box) {
    Position at = {5, 0, 0};
    cosm_value bolt_value = {box->health, &(Health){3}};
    cosm_template bolt = cosm_template_define(
        box->engine,
        &(cosm_template_desc){.name = "bolt", .values = &bolt_value, .value_count = 1});
    cosm_template lamp = cosm_template_define(
        box->engine, &(cosm_template_desc){.name = "lamp", .components = {box->mark}});
    cosm_template_child bolts = {bolt, 5};
    cosm_template wheel = cosm_template_define(
        box->engine,
        &(cosm_template_desc){
            .name = "wheel", .archetype = box->mover, .children = &bolts, .child_count = 1});
    cosm_template_child parts[] = {{wheel, 4}, {lamp, 0}};
    cosm_value value = {box->position, &at};
    cosm_template car =
        cosm_template_define(box->engine, &(cosm_template_desc){.name = "car",
                                                                .archetype = box->mover,
                                                                .values = &value,
                                                                .value_count = 1,
                                                                .children = parts,
                                                                .child_count = 2});
    CHECK(bolt.id != 0 && lamp.id != 0 && wheel.id != 0 && car.id != 0);
    return car;
}

// Is this a car, in all its parts?
static void check_car(struct fixture *box, cosm_world world, cosm_entity car, float x) {
    CHECK_NEAR(COSM_READ(world, car, Position)->x, x, 0);
    CHECK_NEAR(COSM_READ(world, car, Velocity)->x, 0, 0);
    cosm_entity parts[5];
    CHECK_INT(cosm_tree_children(world, car, 5, parts), 5);
    CHECK_INT(cosm_tree_list(world, car, 0, NULL), 26);
    for (uint32_t i = 0; i < 4; i++) {
        CHECK(cosm_entity_archetype(world, parts[i]).id == box->mover.id);
        cosm_entity bolts[5];
        CHECK_INT(cosm_tree_children(world, parts[i], 5, bolts), 5);
        for (uint32_t b = 0; b < 5; b++) {
            const Health *health = COSM_READ(world, bolts[b], Health);
            CHECK_INT(health == NULL ? 0 : health->points, 3);
        }
    }
    CHECK(cosm_entity_has(world, parts[4], box->mark));
    CHECK_INT(cosm_tree_child_count(world, parts[4]), 0);
}

TEST(a_template_is_found_by_name_and_tells_what_it_is) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    CHECK_INT(cosm_template_find(box.engine, "tree").id, 0);
    cosm_template tree = define_tree(&box, "tree");
    REQUIRE(tree.id != 0);
    CHECK_INT(cosm_template_find(box.engine, "tree").id, tree.id);
    CHECK_STR(cosm_template_describe(box.engine, tree).name, "tree");
    CHECK_INT(cosm_template_describe(box.engine, tree).entity_count, 1);
    cosm_component set[] = {box.mark, box.position, box.health};
    CHECK_INT(cosm_template_describe(box.engine, tree).archetype.id,
              cosm_archetype_of(box.engine, set, 3).id);
    Health health = {0};
    CHECK(cosm_template_value(box.engine, tree, box.health, &health));
    CHECK_INT(health.points, 7);
    CHECK(!cosm_template_value(box.engine, tree, box.mark, &health));
    CHECK(!cosm_template_value(box.engine, tree, box.velocity, &health));
    CHECK(!cosm_template_value(box.engine, tree, box.health, NULL));
    cosm_template plain = cosm_template_define(
        box.engine, &(cosm_template_desc){.name = "plain", .archetype = box.slot});
    CHECK(cosm_template_value(box.engine, plain, box.health, &health));
    CHECK_INT(health.points, 100); // the component's own
    CHECK_INT(cosm_template_describe(box.engine, define_car(&box)).entity_count, 26);
    cosm_template wrong = {99};
    CHECK(cosm_template_describe(box.engine, wrong).name == NULL);
    CHECK(cosm_template_describe(NULL, tree).name == NULL);
    CHECK_INT(cosm_template_describe(box.engine, (cosm_template){0}).archetype.id, 0);
    CHECK_INT(cosm_template_describe(box.engine, wrong).entity_count, 0);
    CHECK(!cosm_template_value(box.engine, wrong, box.health, &health));
    CHECK_INT(cosm_template_find(NULL, "tree").id, 0);
    CHECK_INT(cosm_template_find(box.engine, NULL).id, 0);
    CHECK_SILENT();
    fixture_close(&box);
}

TEST(the_same_definition_again_is_the_first_and_another_conflicts) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_template tree = define_tree(&box, "tree");
    CHECK_INT(define_tree(&box, "tree").id, tree.id);
    cosm_template car = define_car(&box);
    CHECK_INT(define_car(&box).id, car.id);
    Position position = {1, 2, 3};
    Health health = {8};
    cosm_value values[] = {{box.position, &position}, {box.health, &health}};
    cosm_template_child child = {tree, 2};
    uint32_t archetypes = cosm_engine_describe(box.engine).archetype_count;
    const cosm_template_desc others[] = {
        {.name = "tree", .values = values, .value_count = 2},
        {.name = "tree", .values = values, .value_count = 2, .components = {box.mark}},
        {.name = "tree", .archetype = box.mover},
        {.name = "car", .archetype = box.mover},
        {.name = "car", .archetype = box.mover, .children = &child, .child_count = 1},
        {.name = "lamp", .components = {box.mark, box.velocity, box.health}},
    };
    for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
        cosm_error_clear();
        CHECK_INT(cosm_template_define(box.engine, &others[i]).id, 0);
        CHECK_FAILURE(COSM_ERROR_CONFLICT, "cosm_template_define:", others[i].name,
                      "choose another name");
    }
    // But for the pair of Position and Health, which is that of the slot, no set was formed.
    CHECK_INT(cosm_engine_describe(box.engine).archetype_count, archetypes);
    fixture_close(&box);
}

TEST(of_several_values_for_one_component_the_last_one_counts) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_value values[] = {{box.health, &(Health){1}},
                           {box.position, &(Position){1, 1, 1}},
                           {box.health, &(Health){2}}};
    cosm_template twice = cosm_template_define(
        box.engine, &(cosm_template_desc){.name = "twice", .values = values, .value_count = 3});
    cosm_entity entity = cosm_template_spawn(box.world, twice, NULL, 0);
    CHECK_INT(COSM_READ(box.world, entity, Health)->points, 2);
    cosm_value overrides[] = {{box.health, &(Health){3}}, {box.health, &(Health){4}}};
    entity = cosm_template_spawn(box.world, twice, overrides, 2);
    CHECK_INT(COSM_READ(box.world, entity, Health)->points, 4);
    fixture_close(&box);
}

TEST(a_spawn_has_the_values_of_its_template_and_what_overrides_them) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_template tree = define_tree(&box, "tree");
    cosm_entity a = cosm_template_spawn(box.world, tree, NULL, 0);
    cosm_value override = {box.health, &(Health){55}};
    cosm_entity b = cosm_template_spawn(box.world, tree, &override, 1);
    cosm_entity c = cosm_template_spawn(box.world, tree, NULL, 0);
    CHECK_INT(COSM_READ(box.world, a, Health)->points, 7);
    CHECK_INT(COSM_READ(box.world, b, Health)->points, 55);
    CHECK_INT(COSM_READ(box.world, c, Health)->points, 7);
    CHECK_NEAR(COSM_READ(box.world, b, Position)->z, 3, 0);
    CHECK(cosm_entity_has(box.world, b, box.mark));
    // Where the template has no value, the override stands instead of the default.
    cosm_template plain = cosm_template_define(
        box.engine, &(cosm_template_desc){.name = "plain", .archetype = box.slot});
    cosm_entity d = cosm_template_spawn(box.world, plain, &override, 1);
    CHECK_INT(COSM_READ(box.world, d, Health)->points, 55);
    cosm_entity e = cosm_template_spawn(box.world, plain, NULL, 0);
    CHECK_INT(COSM_READ(box.world, e, Health)->points, 100);
    CHECK_NEAR(COSM_READ(box.world, e, Position)->x, 0, 0);
    CHECK_SILENT();
    fixture_close(&box);
}

TEST(an_override_may_lie_in_a_row_that_moves) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_template tree = define_tree(&box, "tree");
    cosm_entity first = cosm_template_spawn(box.world, tree, NULL, 0);
    COSM_WRITE(box.world, first, Health)->points = 1;
    for (uint32_t i = 1; i < 300; i++) { // the table grows on the way, again and again
        const Health *last = COSM_READ(box.world, first, Health);
        cosm_value override = {box.health, last};
        cosm_entity next = cosm_template_spawn(box.world, tree, &override, 1);
        CHECK_INT(COSM_READ(box.world, next, Health)->points, i);
        COSM_WRITE(box.world, next, Health)->points++;
        first = next;
    }
    fixture_close(&box);
}

TEST(many_are_spawned_at_once_and_filled_where_they_differ) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_template tree = define_tree(&box, "tree");
    cosm_rows rows;
    cosm_value override = {box.health, &(Health){9}};
    CHECK_DONE(cosm_template_spawn_many(box.world, tree, 20000, &override, 1, &rows));
    CHECK_INT(rows.count, 20000);
    Position *position = COSM_WRITE(&rows, Position);
    const Health *health = COSM_WRITE(&rows, Health);
    REQUIRE(position != NULL && health != NULL);
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < rows.count; i++) {
        wrong += health[i].points != 9 || position[i].y != 2;
        position[i].x = (float)i;
    }
    CHECK_INT(wrong, 0);
    CHECK_NEAR(COSM_READ(box.world, rows.entities[19999], Position)->x, 19999, 0);
    CHECK_DONE(cosm_template_spawn_many(box.world, tree, 0, NULL, 0, &rows));
    CHECK_INT(rows.count, 0);
    CHECK_INT(cosm_world_entity_count(box.world), 20000);
    fixture_close(&box);
}

TEST(children_are_spawned_below_their_parents_in_their_order) {
    struct fixture box;
    fixture_open(&box, 0, 2);
    cosm_template car = define_car(&box);
    cosm_entity one = cosm_template_spawn(box.world, car, NULL, 0);
    check_car(&box, box.world, one, 5);
    cosm_rows rows;
    cosm_value override = {box.position, &(Position){6, 0, 0}};
    cosm_world other = fixture_world(&box, 1);
    CHECK_DONE(cosm_template_spawn_many(other, car, 30, &override, 1, &rows));
    CHECK_INT(rows.count, 30);
    CHECK_INT(cosm_world_entity_count(other), 30 * 26);
    for (uint32_t i = 0; i < 30; i++) {
        check_car(&box, other, rows.entities[i], 6);
        CHECK_SAME(cosm_tree_parent(other, rows.entities[i]), nobody);
    }
    CHECK_VALID(box.batch);
    CHECK_DONE(cosm_tree_despawn(other, rows.entities[0]));
    CHECK_INT(cosm_world_entity_count(other), 29 * 26);
    fixture_close(&box);
}

TEST(children_get_links_where_ids_come_back_out_of_order) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_template car = define_car(&box);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, 3000, &rows));
    struct dice dice = {harness_seed()};
    cosm_entity all[3000];
    memcpy(all, rows.entities, sizeof(all));
    for (uint32_t i = 0; i < 600; i++) {
        uint32_t at = dice_roll(&dice, 3000);
        if (cosm_entity_is_alive(box.world, all[at])) {
            CHECK_DONE(cosm_entity_despawn(box.world, all[at]));
        }
    }
    cosm_commands *commands = cosm_commands_create(box.batch); // with promises among them
    cosm_entity promised = cosm_commands_spawn(commands, box.world, box.mover);
    for (uint32_t i = 0; i < 40; i++) {
        check_car(&box, box.world, cosm_template_spawn(box.world, car, NULL, 0), 5);
    }
    CHECK_DONE(cosm_commands_apply(commands, NULL));
    CHECK(cosm_entity_is_alive(box.world, promised));
    CHECK_SAME(cosm_tree_parent(box.world, promised), nobody);
    cosm_commands_destroy(commands);
    fixture_close(&box);
}

TEST(children_get_links_where_ids_are_retired) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_template car = define_car(&box);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, 100, &rows));
    CHECK_DONE(cosm_world_reset(box.world));
    for (uint32_t id = 1; id < 60; id++) { // as if each had lived two thousand million times
        box.batch->worlds[0].records[id].gen = GEN_RETIRED;
    }
    cosm_entity entity = cosm_template_spawn(box.world, car, NULL, 0);
    check_car(&box, box.world, entity, 5);
    CHECK_INT(cosm_tree_first_child(box.world, entity).id, 60);
    CHECK_VALID(box.batch);
    fixture_close(&box);
}

TEST(split_components_are_captured_and_spawned_field_by_field) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    static const cosm_field fields[] = {{.name = "a", .type = COSM_FIELD_F32, .offset = 0},
                                        {.name = "b", .type = COSM_FIELD_U8, .offset = 4},
                                        {.name = "c", .type = COSM_FIELD_F64, .offset = 8}};
    struct mixed {
        float a;
        uint8_t b;
        double c;
    } value = {0};
    cosm_component mixed =
        cosm_component_define(box.engine, &(cosm_component_desc){.name = "Mixed",
                                                                 .size = sizeof(value),
                                                                 .fields = fields,
                                                                 .field_count = 3,
                                                                 .layout = COSM_LAYOUT_SPLIT});
    memset(&value, 0, sizeof(value));
    value.a = 1.5f;
    value.b = 200;
    value.c = -4.25;
    cosm_value values[] = {{mixed, &value}, {box.health, &(Health){4}}};
    cosm_template from = cosm_template_define(
        box.engine, &(cosm_template_desc){.name = "mixed", .values = values, .value_count = 2});
    cosm_rows rows;
    CHECK_DONE(cosm_template_spawn_many(box.world, from, 100, NULL, 0, &rows));
    struct mixed seen;
    CHECK(cosm_rows_get(&rows, 99, mixed, &seen));
    CHECK_MEM(&seen, &value, sizeof(value));
    value.b = 201;
    CHECK_DONE(cosm_entity_set(box.world, rows.entities[50], mixed, &value));
    cosm_template copy = cosm_template_capture(box.world, rows.entities[50], "copy", false);
    cosm_value override = {box.health, &(Health){5}};
    cosm_entity entity = cosm_template_spawn(box.world, copy, &override, 1);
    CHECK(cosm_entity_get(box.world, entity, mixed, &seen));
    CHECK_MEM(&seen, &value, sizeof(value));
    CHECK_INT(COSM_READ(box.world, entity, Health)->points, 5);
    // What a capture finds is what the definition says.
    CHECK_INT(cosm_template_capture(box.world, rows.entities[0], "mixed", false).id, from.id);
    fixture_close(&box);
}

TEST(a_captured_entity_is_a_template_with_or_without_its_children) {
    struct fixture box;
    fixture_open(&box, 0, 2);
    cosm_entity car = cosm_template_spawn(box.world, define_car(&box), NULL, 0);
    COSM_WRITE(box.world, car, Position)->x = 42;
    cosm_template alone = cosm_template_capture(box.world, car, "alone", false);
    cosm_template whole = cosm_template_capture(box.world, car, "whole", true);
    REQUIRE(alone.id != 0 && whole.id != 0);
    CHECK_INT(cosm_template_describe(box.engine, alone).entity_count, 1);
    CHECK_INT(cosm_template_describe(box.engine, whole).entity_count, 26);
    COSM_WRITE(box.world, car, Position)->x = 43; // the templates are as they were
    cosm_world other = fixture_world(&box, 1);
    cosm_rows rows;
    CHECK_DONE(cosm_template_spawn_many(other, whole, 3, NULL, 0, &rows));
    for (uint32_t i = 0; i < 3; i++) {
        check_car(&box, other, rows.entities[i], 42);
    }
    cosm_entity lone = cosm_template_spawn(other, alone, NULL, 0);
    CHECK_INT(cosm_tree_child_count(other, lone), 0);
    CHECK_NEAR(COSM_READ(other, lone, Position)->x, 42, 0);
    // Again, with the same content and with another.
    CHECK_INT(cosm_template_capture(other, rows.entities[1], "whole", true).id, whole.id);
    CHECK_INT(cosm_template_capture(box.world, car, "whole", true).id, 0);
    CHECK_FAILURE(COSM_ERROR_CONFLICT, "cosm_template_capture:", "'whole'", "another name");
    // A captured subtree does not know what it was below of.
    cosm_entity wheel = cosm_tree_first_child(other, rows.entities[0]);
    cosm_template part = cosm_template_capture(other, wheel, "part", true);
    CHECK_INT(cosm_template_describe(box.engine, part).entity_count, 6);
    CHECK_SAME(cosm_tree_parent(other, cosm_template_spawn(other, part, NULL, 0)), nobody);
    cosm_error_clear();
    CHECK_INT(cosm_template_capture(other, nobody, "none", true).id, 0);
    CHECK_SILENT();
    fixture_close(&box);
}

TEST(wrong_definitions_are_told_and_define_nothing) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_component bundle = cosm_bundle_define(
        box.engine, &(cosm_bundle_desc){.name = "pair", .components = {box.position, box.health}});
    cosm_value of_bundle = {bundle, &(Health){1}};
    cosm_value unknown = {{999}, &(Health){1}};
    cosm_value empty = {box.health, NULL};
    cosm_value health = {box.health, &(Health){1}};
    cosm_template_child missing = {{77}, 1};
    char name[200];
    memset(name, 'x', sizeof(name) - 1);
    name[199] = '\0';
    const struct {
        cosm_template_desc desc;
        cosm_result result;
        const char *value;
        const char *remedy;
    } cases[] = {
        {{.name = NULL}, COSM_ERROR_ARGUMENT, "desc.name is NULL", "use 1 to 127 characters"},
        {{.name = name}, COSM_ERROR_LIMIT, "199 characters", "at most"},
        {{.name = "a", .value_count = 1}, COSM_ERROR_ARGUMENT, "desc.values is NULL", "pass"},
        {{.name = "a", .child_count = 1}, COSM_ERROR_ARGUMENT, "desc.children is NULL", "pass"},
        {{.name = "a", .more_count = 1}, COSM_ERROR_ARGUMENT, "desc.more is NULL", "pass"},
        {{.name = "a", .values = &of_bundle, .value_count = 1},
         COSM_ERROR_ARGUMENT,
         "'pair' is a bundle",
         "name one"},
        {{.name = "a", .values = &unknown, .value_count = 1},
         COSM_ERROR_ARGUMENT,
         "component 999",
         "define it"},
        {{.name = "a", .values = &empty, .value_count = 1},
         COSM_ERROR_ARGUMENT,
         "values[0].data is NULL",
         "4 bytes"},
        {{.name = "a", .archetype = {888}}, COSM_ERROR_ARGUMENT, "archetype 888", "define it"},
        {{.name = "a", .archetype = box.event}, COSM_ERROR_ARGUMENT, "temporary", "not temporary"},
        {{.name = "a", .archetype = box.mover, .components = {box.mark}},
         COSM_ERROR_ARGUMENT,
         "with a list",
         "only list components"},
        {{.name = "a", .archetype = box.mover, .values = &health, .value_count = 1},
         COSM_ERROR_ARGUMENT,
         "values[0] is of component 'Health'",
         "leave out desc.archetype"},
        {{.name = "a", .components = {{0}, box.mark}},
         COSM_ERROR_ARGUMENT,
         "follows an empty entry",
         "zero ends"},
        {{.name = "a", .children = &missing, .child_count = 1},
         COSM_ERROR_ARGUMENT,
         "desc.children[0] is template 77",
         "define the children first"},
    };
    uint32_t archetypes = cosm_engine_describe(box.engine).archetype_count;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        cosm_error_clear();
        CHECK_INT(cosm_template_define(box.engine, &cases[i].desc).id, 0);
        CHECK_FAILURE(cases[i].result, "cosm_template_define:", cases[i].value, cases[i].remedy);
    }
    CHECK_INT(cosm_template_find(box.engine, "a").id, 0);
    CHECK_INT(cosm_engine_describe(box.engine).archetype_count, archetypes);
    CHECK_INT(cosm_template_define(NULL, &cases[1].desc).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_template_define:", "engine is NULL", "pass one");
    CHECK_INT(cosm_template_define(box.engine, NULL).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_template_define:", "desc is NULL", "describe");
    cosm_entity entity = fixture_spawn(&box, 0);
    CHECK_INT(cosm_template_capture(box.world, entity, "", false).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_template_capture:", "desc.name is empty",
                  "use 1 to 127");
    CHECK_INT(cosm_template_capture((cosm_world){NULL, 0}, entity, "a", false).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_template_capture:", "world.batch is NULL", "pass");
    fixture_close(&box);
}

TEST(wrong_spawns_are_told_and_change_nothing) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_template tree = define_tree(&box, "tree");
    uint64_t checksum = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
    cosm_rows rows;
    cosm_value absent = {box.velocity, &(Velocity){1, 1, 1}};
    CHECK_SAME(cosm_template_spawn(box.world, (cosm_template){0}, NULL, 0), nobody);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_template_spawn:", "template 0", "define it");
    CHECK_SAME(cosm_template_spawn(box.world, tree, &absent, 1), nobody);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_template_spawn:", "'Velocity'", "lacks");
    CHECK_SAME(cosm_template_spawn(box.world, tree, NULL, 1), nobody);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_template_spawn:", "values is NULL", "pass");
    CHECK_SAME(cosm_template_spawn((cosm_world){NULL, 0}, tree, NULL, 0), nobody);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_template_spawn:", "world.batch is NULL", "pass");
    CHECK_FAILS(cosm_template_spawn_many(box.world, tree, 1, NULL, 0, NULL), COSM_ERROR_ARGUMENT,
                "cosm_template_spawn_many:", "out_rows is NULL", "pass a cosm_rows");
    CHECK_FAILS(cosm_template_spawn_many(box.world, (cosm_template){5}, 1, NULL, 0, &rows),
                COSM_ERROR_ARGUMENT, "cosm_template_spawn_many:", "template 5", "define it");
    CHECK_INT(rows.count, 0);
    cosm_query *query = fixture_query(&box, box.position, (cosm_component){0});
    cosm_query_walk(query, box.all, &rows);
    CHECK_SAME(cosm_template_spawn(box.world, tree, NULL, 0), nobody);
    CHECK_FAILURE(COSM_ERROR_WALKED, "cosm_template_spawn:", "being walked", "cosm_commands");
    cosm_rows_end(&rows);
    cosm_query_destroy(query);
    CHECK_INT(cosm_hash_batch(box.batch, COSM_HASH_EXACT), checksum);
    fixture_close(&box);
}

TEST(a_spawn_whose_children_have_no_room_spawns_nobody) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_template leaf = cosm_template_define(
        box.engine, &(cosm_template_desc){.name = "leaf", .archetype = box.slot});
    cosm_template_child leaves = {leaf, 3};
    cosm_template branch = cosm_template_define(
        box.engine,
        &(cosm_template_desc){
            .name = "branch", .archetype = box.mover, .children = &leaves, .child_count = 1});
    CHECK(!cosm_entity_is_none(cosm_template_spawn(box.world, branch, NULL, 0)));
    uint64_t checksum = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
    cosm_rows rows;
    CHECK_FAILS(cosm_template_spawn_many(box.world, branch, 1, NULL, 0, &rows), COSM_ERROR_FULL,
                "cosm_template_spawn_many:", "3 of max_per_world 4 rows in use, 3 more",
                "despawn some");
    CHECK_FAILS(cosm_template_spawn_many(box.world, branch, 0xFFFFFFFF, NULL, 0, &rows),
                COSM_ERROR_LIMIT, "cosm_template_spawn_many:", "limit", "use more");
    CHECK_INT(rows.count, 0);
    CHECK_INT(cosm_hash_batch(box.batch, COSM_HASH_EXACT), checksum);
    CHECK_VALID(box.batch);
    fixture_close(&box);
}

TEST(templates_have_their_limits) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    char name[32];
    cosm_template last = {0};
    for (uint32_t i = 0; i < COSM_TEMPLATE_MAX - 4; i++) {
        (void)snprintf(name, sizeof(name), "t%u", i);
        last = cosm_template_define(box.engine, &(cosm_template_desc){.name = name});
        CHECK(last.id != 0);
    }
    // Parts: 2^16 are one part above 2^16 - 1 others.
    static cosm_template_child children[COSM_TEMPLATE_PART_MAX];
    for (uint32_t i = 0; i < COSM_TEMPLATE_PART_MAX; i++) {
        children[i] = (cosm_template_child){last, 1};
    }
    cosm_template_desc desc = {
        .name = "wide", .children = children, .child_count = COSM_TEMPLATE_PART_MAX - 1};
    cosm_template wide = cosm_template_define(box.engine, &desc);
    CHECK_INT(cosm_template_describe(box.engine, wide).entity_count, COSM_TEMPLATE_PART_MAX);
    desc = (cosm_template_desc){
        .name = "wider", .children = children, .child_count = COSM_TEMPLATE_PART_MAX};
    CHECK_INT(cosm_template_define(box.engine, &desc).id, 0);
    CHECK_FAILURE(COSM_ERROR_LIMIT, "cosm_template_define:", "'wider' has more than 65536 parts",
                  "separate templates");
    CHECK(!cosm_entity_is_none(cosm_template_spawn(box.world, wide, NULL, 0)));
    CHECK_INT(cosm_world_entity_count(box.world), COSM_TEMPLATE_PART_MAX);
    // The same as a subtree that is captured, and one more.
    cosm_entity top = cosm_query_first(
        cosm_query_create(box.engine, &(cosm_query_desc){.by_world = true}), box.all, NULL);
    CHECK_INT(cosm_tree_child_count(box.world, top), COSM_TEMPLATE_PART_MAX - 1);
    CHECK(cosm_template_capture(box.world, top, "seen", true).id != 0);
    cosm_entity more = cosm_template_spawn(box.world, last, NULL, 0);
    CHECK_DONE(cosm_tree_set_parent(box.world, more, top));
    CHECK_INT(cosm_template_capture(box.world, top, "seen more", true).id, 0);
    CHECK_FAILURE(COSM_ERROR_LIMIT, "cosm_template_capture:", "65536 parts", "separate templates");
    // Entities: as many as a world has ids.
    cosm_template_child crowd = {last, COSM_WORLD_ENTITY_MAX - 1};
    desc = (cosm_template_desc){.name = "crowd", .children = &crowd, .child_count = 1};
    CHECK(cosm_template_define(box.engine, &desc).id != 0);
    crowd.count = COSM_WORLD_ENTITY_MAX;
    desc.name = "crowded";
    CHECK_INT(cosm_template_define(box.engine, &desc).id, 0);
    CHECK_FAILURE(COSM_ERROR_LIMIT, "cosm_template_define:", "or 268435456 entities",
                  "separate templates");
    CHECK(cosm_template_define(box.engine, &(cosm_template_desc){.name = "final"}).id != 0);
    CHECK_INT(cosm_template_define(box.engine, &(cosm_template_desc){.name = "over"}).id, 0);
    CHECK_FAILURE(COSM_ERROR_LIMIT, "cosm_template_define:", "'over' would be number 4097",
                  "second engine");
    cosm_query *query = cosm_query_create(box.engine, &(cosm_query_desc){.by_world = true});
    cosm_query_destroy(query);
    cosm_query_destroy(query);
    fixture_close(&box);
}

TEST(commands_spawn_templates_with_children_and_overrides) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_template car = define_car(&box);
    cosm_commands *commands = cosm_commands_create(box.batch);
    cosm_value override = {box.position, &(Position){8, 0, 0}};
    cosm_entity a = cosm_commands_spawn_template(commands, box.world, car, NULL, 0);
    cosm_entity b = cosm_commands_spawn_template(commands, box.world, car, &override, 1);
    cosm_entity c = cosm_commands_spawn_template(commands, box.world, car, NULL, 0);
    CHECK(!cosm_entity_is_none(a) && !cosm_entity_is_none(b));
    CHECK(!cosm_entity_is_alive(box.world, a));
    CHECK_DONE(cosm_commands_despawn_tree(commands, box.world, c));
    cosm_commands_report report;
    CHECK_DONE(cosm_commands_apply(commands, &report));
    CHECK_INT(report.spawned, 52);
    CHECK_INT(report.skipped, 0);
    check_car(&box, box.world, a, 5);
    check_car(&box, box.world, b, 8);
    CHECK(!cosm_entity_is_alive(box.world, c));
    cosm_template tree = define_tree(&box, "tree");
    cosm_entity d = cosm_commands_spawn_template(commands, box.world, tree, NULL, 0);
    CHECK_INT(cosm_commands_count(commands), 1);
    CHECK_DONE(cosm_commands_apply(commands, NULL));
    CHECK_INT(COSM_READ(box.world, d, Health)->points, 7);
    CHECK_SAME(cosm_commands_spawn_template(NULL, box.world, car, NULL, 0), nobody);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_commands_spawn_template:", "commands is NULL", "pass");
    CHECK_SAME(cosm_commands_spawn_template(commands, box.world, (cosm_template){0}, NULL, 0),
               nobody);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_commands_spawn_template:", "template 0", "define it");
    cosm_value absent = {box.health, &(Health){1}};
    CHECK_SAME(cosm_commands_spawn_template(commands, box.world, car, &absent, 1), nobody);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_commands_spawn_template:", "'Health'", "lacks");
    CHECK_INT(cosm_commands_count(commands), 0);
    CHECK_FAILS(cosm_commands_apply(commands, NULL), COSM_ERROR_ARGUMENT,
                "cosm_commands_spawn_template:", "template 0", "define it");
    cosm_commands_destroy(commands);
    fixture_close(&box);
}

TEST(a_recorded_template_that_runs_out_of_ids_is_spawned_and_despawned) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_template car = define_car(&box);
    cosm_commands *commands = cosm_commands_create(box.batch);
    // As if so many had been promised elsewhere.
    atomic_uint *promised = &box.batch->worlds[0].reserved_fresh;
    atomic_store(promised, COSM_WORLD_ENTITY_MAX - 3);
    CHECK_SAME(cosm_commands_spawn_template(commands, box.world, car, NULL, 0), nobody);
    CHECK_FAILURE(COSM_ERROR_LIMIT, "cosm_commands_spawn_template:", "used all", "more worlds");
    CHECK_INT(cosm_commands_count(commands), 6);
    CHECK_SAME(cosm_commands_spawn_template(commands, box.world, car, NULL, 0), nobody);
    CHECK_INT(cosm_commands_count(commands), 6);
    atomic_store(promised, 0);
    cosm_commands_clear(commands);
    // And with ids that can be had, all of it works.
    cosm_entity entity = cosm_commands_spawn_template(commands, box.world, car, NULL, 0);
    CHECK_DONE(cosm_commands_apply(commands, NULL));
    check_car(&box, box.world, entity, 5);
    cosm_commands_destroy(commands);
    fixture_close(&box);
}

// One attempt with the n-th request refused; whether anything was.
static bool spawn_with_refusal(uint64_t n) {
    struct ledger ledger;
    ledger_open(&ledger);
    struct fixture box;
    fixture_open_with(&box, 0, &(cosm_engine_desc){.allocator = ledger_allocator(&ledger)}, NULL);
    cosm_template car = define_car(&box);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, 100, &rows));
    cosm_entity entity = rows.entities[50];
    cosm_value override = {box.position, cosm_entity_read(box.world, entity, box.position)};
    uint64_t checksum = cosm_hash_batch(box.batch, COSM_HASH_EXACT);
    ledger_refuse(&ledger, n, 1);
    cosm_result result = cosm_template_spawn_many(box.world, car, 200, &override, 1, &rows);
    bool refused = ledger_relent(&ledger);
    if (refused && result != COSM_OK) {
        CHECK_INT(result, COSM_ERROR_MEMORY);
        CHECK_INT(rows.count, 0);
        CHECK_INT(cosm_hash_batch(box.batch, COSM_HASH_EXACT), checksum);
        CHECK_VALID(box.batch);
        override.data = cosm_entity_read(box.world, entity, box.position); // tables may have grown
        CHECK_DONE(cosm_template_spawn_many(box.world, car, 200, &override, 1, &rows));
    }
    CHECK_INT(cosm_world_entity_count(box.world), 100 + 200 * 26);
    check_car(&box, box.world, rows.entities[199], 0);
    fixture_close(&box);
    ledger_close(&ledger);
    return refused;
}

TEST(a_spawn_survives_the_failure_of_every_allocation) {
    uint64_t n = 1;
    while (spawn_with_refusal(n)) {
        n++;
    }
    CHECK(n > 10);
}

// The same for definitions, captures and records.
static bool define_with_refusal(uint64_t n) {
    struct ledger ledger;
    ledger_open(&ledger);
    struct fixture box;
    fixture_open_with(&box, 0, &(cosm_engine_desc){.allocator = ledger_allocator(&ledger)}, NULL);
    cosm_template car = define_car(&box);
    cosm_entity entity = cosm_template_spawn(box.world, car, NULL, 0);
    cosm_commands *commands = cosm_commands_create(box.batch);
    char long_bytes[9000] = {1};
    cosm_component large = cosm_component_define(
        box.engine, &(cosm_component_desc){.name = "Large", .size = sizeof(long_bytes)});
    cosm_value value = {large, long_bytes};
    ledger_refuse(&ledger, n, 1);
    cosm_template whole = cosm_template_capture(box.world, entity, "whole", true);
    cosm_template made = {0};
    cosm_entity recorded = nobody;
    if (whole.id != 0) {
        made = cosm_template_define(
            box.engine, &(cosm_template_desc){.name = "large", .values = &value, .value_count = 1});
    }
    if (made.id != 0) {
        recorded = cosm_commands_spawn_template(commands, box.world, whole, NULL, 0);
    }
    bool refused = ledger_relent(&ledger);
    if (cosm_entity_is_none(recorded)) {
        CHECK_INT(cosm_error_result(), COSM_ERROR_MEMORY);
        CHECK_INT(cosm_commands_count(commands), 0);
        CHECK_INT(cosm_template_find(box.engine, "whole").id, whole.id);
        CHECK_INT(cosm_template_find(box.engine, "large").id, made.id);
        recorded = cosm_commands_spawn_template(
            commands, box.world, cosm_template_capture(box.world, entity, "whole", true), NULL, 0);
    }
    CHECK_DONE(cosm_commands_apply(commands, NULL));
    check_car(&box, box.world, recorded, 5);
    cosm_commands_destroy(commands);
    fixture_close(&box);
    ledger_close(&ledger);
    return refused;
}

TEST(definitions_captures_and_records_survive_the_failure_of_every_allocation) {
    uint64_t n = 1;
    while (define_with_refusal(n)) {
        n++;
    }
    CHECK(n > 4);
}

TEST(templates_spawned_in_the_ten_thousandth_episode_cost_what_they_did_in_the_first) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_template car = define_car(&box);
    size_t used = 0;
    for (uint32_t episode = 0; episode < 10000; episode++) {
        cosm_rows rows;
        CHECK_DONE(cosm_template_spawn_many(box.world, car, 1 + episode % 3, NULL, 0, &rows));
        CHECK_DONE(cosm_world_reset(box.world));
        used = episode == 5 ? cosm_batch_memory(box.batch).used : used;
    }
    CHECK_INT(cosm_batch_memory(box.batch).used, used);
    fixture_close(&box);
}
