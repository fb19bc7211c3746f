// Templates with components of every storage: shared, managed and sector ones beside columns
// (cosm/template.h). Failures are in template_faults.c.
#include <string.h>

#include "harness.h"
#include "store/batch.h"
#include "support/templates.h"

static const cosm_entity nobody = {0, 0};

static uint32_t level_count(const struct fixture *box, cosm_world world, uint32_t number) {
    return cosm_shared_entity_count(world, box->level, &(Level){number});
}

TEST(a_spawn_has_the_values_of_its_template_in_every_storage) {
    struct fixture box;
    fixture_open(&box, FIXTURE_TEMPLATE, 1);
    cosm_world world = box.world;
    cosm_entity tree = cosm_template_spawn(world, box.tree, NULL, 0);
    check_tree(&box, world, tree, &tree_as_defined);
    CHECK_VALID(box.batch);
    CHECK_INT(cosm_world_entity_count(world), TREE_ENTITIES);
    CHECK_INT(objects_count(&box.books), TEMPLATE_OBJECTS + TREE_OBJECTS + 1);
    CHECK_INT(level_count(&box, world, 7), 1);
    CHECK_INT(level_count(&box, world, 8), 4);
    CHECK_INT(level_count(&box, world, LEVEL_DEFAULT), 6);
    // Alone, without children or others.
    cosm_entity twin = cosm_template_spawn(world, box.twin, NULL, 0);
    CHECK_INT(text_of(&box, world, twin), 23);
    CHECK_INT(level_count(&box, world, 8), 5);
    CHECK_DONE(cosm_tree_despawn(world, tree));
    CHECK_DONE(cosm_entity_despawn(world, twin));
    CHECK_INT(objects_count(&box.books), TEMPLATE_OBJECTS);
    CHECK_INT(cosm_shared_value_count(world, box.level), 0);
    fixture_close(&box);
}

TEST(many_are_spawned_in_many_worlds_and_each_is_whole) {
    struct fixture box;
    fixture_open(&box, FIXTURE_TEMPLATE, 5);
    uint32_t trees = 0;
    for (uint32_t w = 0; w < 5; w++) {
        cosm_world world = fixture_world(&box, w);
        uint32_t count = 1 + 7 * w;
        cosm_rows rows;
        CHECK_DONE(cosm_template_spawn_many(world, box.tree, count, NULL, 0, &rows));
        CHECK_INT(rows.count, count);
        const Level *level = cosm_rows_shared(&rows, box.level);
        CHECK_INT(level == NULL ? 0 : level->number, 7);
        Position *position = COSM_WRITE(&rows, Position);
        for (uint32_t i = 0; i < rows.count; i++) {
            check_tree(&box, world, rows.entities[i], &tree_as_defined);
            CHECK_INT(text_number(cosm_managed_row_read(&rows, i, box.text)), 21);
            position[i].x = (float)i;
        }
        trees += count;
        CHECK_INT(cosm_world_entity_count(world), count * TREE_ENTITIES);
        CHECK_VALID(box.batch);
    }
    CHECK_INT(objects_count(&box.books), TEMPLATE_OBJECTS + trees * TREE_OBJECTS + 5);
    CHECK_DONE(cosm_world_reset(fixture_world(&box, 4)));
    CHECK_INT(objects_count(&box.books), TEMPLATE_OBJECTS + (trees - 29) * TREE_OBJECTS + 4);
    fixture_close(&box);
}

TEST(overrides_take_the_place_of_values_in_every_storage) {
    struct fixture box;
    fixture_open(&box, FIXTURE_TEMPLATE, 2);
    struct other_values other;
    other_open(&box, &other, 100);
    cosm_world world = fixture_world(&box, 1);
    uint64_t made = objects_made(&box.books);
    cosm_entity tree = cosm_template_spawn(world, box.tree, other.list, 7);
    CHECK_INT(objects_made(&box.books), made + TREE_OBJECTS + 1);
    check_tree(&box, world, tree, &other.values);
    CHECK_VALID(box.batch);
    // What was overridden was not even made: no label 11, and no table of level 7.
    CHECK_INT(objects_count(&box.books), TEMPLATE_OBJECTS + TREE_OBJECTS + 1 + 4);
    CHECK_INT(cosm_shared_value_count(world, box.level), 3);
    cosm_rows rows;
    CHECK_DONE(cosm_template_spawn_many(world, box.tree, 20, other.list, 7, &rows));
    CHECK_INT(rows.count, 20);
    for (uint32_t i = 0; i < rows.count; i++) {
        check_tree(&box, world, rows.entities[i], &other.values);
    }
    CHECK_VALID(box.batch);
    // One at a time, and the last one for a component counts.
    for (uint32_t i = 0; i < 7; i++) {
        struct tree_values values = tree_as_defined;
        uint32_t component = other.list[i].component.id;
        values.x = component == box.position.id ? other.values.x : values.x;
        values.level = component == box.level.id ? other.values.level : values.level;
        values.label = component == box.title.id ? other.values.label : values.label;
        values.text = component == box.text.id ? other.values.text : values.text;
        values.mesh = component == box.mesh.id ? other.values.mesh : values.mesh;
        values.kiln = component == box.kiln.id ? other.values.kiln : values.kiln;
        values.note = component == box.note.id ? other.values.note : values.note;
        cosm_value twice[] = {other.list[i], other.list[i]};
        check_tree(&box, world, cosm_template_spawn(world, box.tree, twice, 2), &values);
    }
    CHECK_SILENT();
    other_close(&box, &other);
    CHECK_VALID(box.batch);
    fixture_close(&box);
}

TEST(an_override_may_add_what_is_beside_the_tables_and_nothing_else) {
    struct fixture box;
    fixture_open(&box, FIXTURE_TEMPLATE, 1);
    cosm_world world = box.world;
    cosm_value values[] = {{box.kiln, &(Kiln){.number = 77}}, {box.wet, NULL}};
    cosm_entity twin = cosm_template_spawn(world, box.twin, values, 2);
    CHECK_INT(COSM_READ(world, twin, Kiln)->number, 77);
    CHECK(cosm_entity_has(world, twin, box.wet));
    cosm_rows rows;
    CHECK_DONE(cosm_template_spawn_many(world, box.twin, 9, values, 2, &rows));
    for (uint32_t i = 0; i < rows.count; i++) {
        CHECK_INT(COSM_READ(world, rows.entities[i], Kiln)->number, 77);
        CHECK(cosm_entity_has(world, rows.entities[i], box.wet));
    }
    cosm_value absent = {box.pair, &(Pair){1, 2}};
    CHECK(cosm_entity_is_none(cosm_template_spawn(world, box.twin, &absent, 1)));
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_template_spawn:", "'Pair'", "lacks");
    fixture_close(&box);
}

TEST(an_override_may_lie_in_the_world_itself) {
    struct fixture box;
    fixture_open(&box, FIXTURE_TEMPLATE, 1);
    struct other_values other;
    other_open(&box, &other, 200);
    cosm_world world = box.world;
    cosm_entity last = cosm_template_spawn(world, box.tree, other.list, 7);
    for (uint32_t i = 0; i < 200; i++) { // tables grow on the way, again and again
        cosm_value own[7];
        for (uint32_t v = 0; v < 7; v++) {
            cosm_component component = other.list[v].component;
            own[v] = (cosm_value){component, cosm_entity_read(world, last, component)};
        }
        cosm_entity next = cosm_template_spawn(world, box.tree, own, 7);
        REQUIRE(!cosm_entity_is_none(next));
        if (i % 3 == 0) {
            CHECK_DONE(cosm_tree_despawn(world, last));
        }
        last = next;
    }
    check_tree(&box, world, last, &other.values);
    other_close(&box, &other);
    fixture_close(&box);
}

TEST(those_at_the_top_may_share_a_table_with_their_children) {
    struct fixture box;
    fixture_open(&box, FIXTURE_TEMPLATE, 1);
    cosm_engine *engine = box.engine;
    cosm_world world = box.world;
    // Teams 1, 2, 2 and the default, all of one archetype; two go to one table.
    cosm_template_child children[4];
    for (uint32_t i = 0; i < 4; i++) {
        static const char *const names[] = {"one", "two", "two too", "none"};
        cosm_value value = {box.level, &(Level){i == 2 ? 2 : i + 1}};
        cosm_template made =
            cosm_template_define(engine, &(cosm_template_desc){.name = names[i],
                                                               .components = {box.level},
                                                               .values = &value,
                                                               .value_count = i == 3 ? 0 : 1});
        children[i] = (cosm_template_child){made, 3};
    }
    cosm_template top = cosm_template_define(
        engine, &(cosm_template_desc){.name = "top",
                                      .values = &(cosm_value){box.level, &(Level){1}},
                                      .value_count = 1,
                                      .children = children,
                                      .child_count = 4});
    for (uint32_t level = 1; level <= 5; level++) { // 3 is the default, 5 that of nobody else
        cosm_rows rows;
        cosm_value value = {box.level, &(Level){level}};
        CHECK_DONE(cosm_template_spawn_many(world, top, 40, &value, 1, &rows));
        CHECK_INT(rows.count, 40);
        for (uint32_t t = 1; t <= 5; t++) {
            uint32_t children_count = t == 1 || t == LEVEL_DEFAULT ? 3 : t == 2 ? 6 : 0;
            CHECK_INT(level_count(&box, world, t), 40 * (children_count + (t == level ? 1 : 0)));
        }
        for (uint32_t i = 0; i < 40; i++) {
            CHECK_INT(cosm_tree_child_count(world, rows.entities[i]), 12);
        }
        CHECK_VALID(box.batch);
        CHECK_DONE(cosm_world_reset(world));
    }
    // The same definitions, with the default spelt out.
    CHECK_INT(cosm_template_define(
                  engine, &(cosm_template_desc){.name = "none",
                                                .values = &(cosm_value){box.level, &(Level){3}},
                                                .value_count = 1})
                  .id,
              children[3].from.id);
    fixture_close(&box);
}

TEST(the_same_definition_again_is_the_first_in_every_storage) {
    struct fixture box;
    fixture_open(&box, FIXTURE_TEMPLATE, 1);
    cosm_template leaf = box.leaf;
    cosm_template twin = box.twin;
    // Meshes cannot tell whether they are equal, so each is taken for another one.
    cosm_error_clear();
    define_templates(&box);
    CHECK_INT(box.bud.id, 0);
    CHECK_FAILURE(COSM_ERROR_CONFLICT, "cosm_template_define:", "'bud'", "another name");
    CHECK_INT(objects_count(&box.books), TEMPLATE_OBJECTS);
    Text text;
    text_open(&box.books, &text, 23);
    cosm_value values[] = {{box.position, &(Position){0, 0, 0}},
                           {box.level, &(Level){8}},
                           {box.text, &text},
                           {box.kiln, &(Kiln){.number = 42}}};
    cosm_template_desc desc = {.name = "twin", .values = values, .value_count = 3};
    CHECK_INT(cosm_template_define(box.engine, &desc).id, twin.id);
    values[1].data = &(Level){9};
    CHECK_INT(cosm_template_define(box.engine, &desc).id, 0);
    CHECK_FAILURE(COSM_ERROR_CONFLICT, "cosm_template_define:", "'twin'", "another name");
    values[1].data = &(Level){8};
    desc.value_count = 4; // with a Kiln
    CHECK_INT(cosm_template_define(box.engine, &desc).id, 0);
    CHECK_FAILURE(COSM_ERROR_CONFLICT, "cosm_template_define:", "'twin'", "another name");
    desc.value_count = 3;
    text_end(&box.books, &text);
    text_open(&box.books, &text, 24);
    CHECK_INT(cosm_template_define(box.engine, &desc).id, 0);
    CHECK_FAILURE(COSM_ERROR_CONFLICT, "cosm_template_define:", "'twin'", "another name");
    text_end(&box.books, &text);
    // A component like new is another thing than one with a value.
    desc = (cosm_template_desc){.name = "warm", .components = {box.kiln}};
    cosm_template warm = cosm_template_define(box.engine, &desc);
    CHECK_INT(cosm_template_define(box.engine, &desc).id, warm.id);
    desc.values = &(cosm_value){box.kiln, &(Kiln){.number = KILN_DEFAULT}};
    desc.value_count = 1;
    CHECK_INT(cosm_template_define(box.engine, &desc).id, 0);
    CHECK_FAILURE(COSM_ERROR_CONFLICT, "cosm_template_define:", "'warm'", "another name");
    // A tag has no value that could differ.
    cosm_value flags[] = {{box.wet, NULL}, {box.wet, &text}};
    desc = (cosm_template_desc){.name = "flagged", .values = flags, .value_count = 1};
    cosm_template flagged = cosm_template_define(box.engine, &desc);
    desc.values = flags + 1;
    CHECK_INT(cosm_template_define(box.engine, &desc).id, flagged.id);
    CHECK_INT(objects_count(&box.books), TEMPLATE_OBJECTS);
    CHECK_INT(cosm_template_find(box.engine, "leaf").id, leaf.id);
    fixture_close(&box);
}

static uint64_t hash_alike(void *context, const void *object) {
    (void)context;
    (void)object;
    return 1;
}

static bool equals_by_tens(void *context, const void *a, const void *b) {
    (void)context;
    return ((const Level *)a)->number / 10 == ((const Level *)b)->number / 10;
}

TEST(parts_share_a_table_where_their_values_are_equal_and_not_where_they_hash_alike) {
    struct fixture box;
    fixture_open(&box, FIXTURE_TEMPLATE, 1);
    cosm_engine *engine = box.engine;
    cosm_component tens = cosm_component_define(
        engine,
        &(cosm_component_desc){.name = "Tens",
                               .size = sizeof(Level),
                               .storage = COSM_STORAGE_SHARED,
                               .lifecycle = {.equals = equals_by_tens, .hash = hash_alike}});
    cosm_template_child children[3];
    static const char *const names[] = {"11", "12", "21"};
    for (uint32_t i = 0; i < 3; i++) {
        cosm_value value = {tens, &(Level){i == 0 ? 11 : i == 1 ? 12 : 21}};
        children[i].from = cosm_template_define(
            engine, &(cosm_template_desc){.name = names[i], .values = &value, .value_count = 1});
        children[i].count = 2 + i;
    }
    cosm_template top = cosm_template_define(
        engine, &(cosm_template_desc){.name = "top", .children = children, .child_count = 3});
    cosm_rows rows;
    CHECK_DONE(cosm_template_spawn_many(box.world, top, 50, NULL, 0, &rows));
    CHECK_INT(cosm_shared_entity_count(box.world, tens, &(Level){13}), 50 * 5);
    CHECK_INT(cosm_shared_entity_count(box.world, tens, &(Level){25}), 50 * 4);
    fixture_close(&box);
}

TEST(a_sector_component_is_no_part_of_the_set) {
    struct fixture box;
    fixture_open(&box, FIXTURE_TEMPLATE, 1);
    cosm_component bundle = cosm_bundle_define(
        box.engine, &(cosm_bundle_desc){.name = "hot", .components = {box.position, box.kiln}});
    cosm_template hot = cosm_template_define(
        box.engine, &(cosm_template_desc){.name = "hot", .components = {bundle, box.note}});
    CHECK_INT(cosm_template_describe(box.engine, hot).archetype.id, box.plain.id);
    cosm_entity entity = cosm_template_spawn(box.world, hot, NULL, 0);
    CHECK_INT(COSM_READ(box.world, entity, Kiln)->number, KILN_DEFAULT);
    CHECK_INT(text_in(box.world, entity, box.note), 0); // constructed
    // Beside an archetype that is named, values say so.
    cosm_template named = cosm_template_define(
        box.engine, &(cosm_template_desc){.name = "named",
                                          .archetype = box.plain,
                                          .values = &(cosm_value){box.kiln, &(Kiln){.number = 6}},
                                          .value_count = 1});
    entity = cosm_template_spawn(box.world, named, NULL, 0);
    CHECK_INT(COSM_READ(box.world, entity, Kiln)->number, 6);
    CHECK_INT(cosm_entity_archetype(box.world, entity).id, box.plain.id);
    fixture_close(&box);
}

TEST(a_template_tells_its_values_but_for_objects_that_rows_own) {
    struct fixture box;
    fixture_open(&box, FIXTURE_TEMPLATE, 1);
    cosm_engine *engine = box.engine;
    Level level = {0};
    Kiln kiln = {.number = 0};
    Text text;
    CHECK(cosm_template_value(engine, box.tree, box.level, &level));
    CHECK_INT(level.number, 7);
    CHECK(cosm_template_value(engine, box.bud, box.level, &level));
    CHECK_INT(level.number, LEVEL_DEFAULT);
    CHECK(cosm_template_value(engine, box.tree, box.kiln, &kiln));
    CHECK_INT(kiln.number, 41);
    CHECK(!cosm_template_value(engine, box.twin, box.kiln, &kiln));
    CHECK(cosm_template_value(engine, box.tree, box.title, &text)); // the template's own bytes
    CHECK_INT(text.number, 11);
    CHECK(cosm_template_value(engine, box.tree, box.note, &text));
    CHECK_INT(text.number, 51);
    CHECK(!cosm_template_value(engine, box.bud, box.note, &text)); // each is constructed
    CHECK(!cosm_template_value(engine, box.tree, box.wet, &text));
    cosm_template warm = cosm_template_define(
        engine, &(cosm_template_desc){.name = "warm", .components = {box.kiln}});
    CHECK(cosm_template_value(engine, warm, box.kiln, &kiln));
    CHECK_INT(kiln.number, KILN_DEFAULT);
    CHECK_SILENT();
    CHECK(!cosm_template_value(engine, box.tree, box.text, &text));
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_template_value:", "'Text'", "cosm_entity_read");
    fixture_close(&box);
}

// Gives the one at the top other values.
static void change_tree(cosm_world world, cosm_entity tree, const struct other_values *other) {
    for (uint32_t i = 0; i < 7; i++) {
        CHECK_DONE(cosm_entity_set(world, tree, other->list[i].component, other->list[i].data));
    }
}

TEST(a_capture_copies_what_the_entity_has_in_every_storage) {
    struct fixture box;
    fixture_open(&box, FIXTURE_TEMPLATE, 3);
    struct other_values other;
    other_open(&box, &other, 300);
    cosm_world world = box.world;
    cosm_entity tree = cosm_template_spawn(world, box.tree, NULL, 0);
    change_tree(world, tree, &other);
    size_t objects = objects_count(&box.books);
    cosm_template whole = cosm_template_capture(world, tree, "whole", true);
    REQUIRE(whole.id != 0);
    CHECK_INT(objects_count(&box.books), objects + TREE_OBJECTS + 1);
    cosm_template alone = cosm_template_capture(world, tree, "alone", false);
    CHECK_INT(objects_count(&box.books), objects + TREE_OBJECTS + 1 + 4);
    CHECK_INT(cosm_template_describe(box.engine, whole).entity_count, TREE_ENTITIES);
    CHECK_DONE(cosm_world_reset(world)); // templates have copies of their own
    for (uint32_t w = 0; w < 3; w++) {
        cosm_rows rows;
        cosm_world where = fixture_world(&box, w);
        CHECK_DONE(cosm_template_spawn_many(where, whole, 4 + w, NULL, 0, &rows));
        for (uint32_t i = 0; i < rows.count; i++) {
            check_tree(&box, where, rows.entities[i], &other.values);
        }
        cosm_entity lone = cosm_template_spawn(where, alone, NULL, 0);
        CHECK_INT(mesh_of(&box, where, lone), other.values.mesh);
        CHECK_INT(text_in(where, lone, box.note), other.values.note);
        CHECK(cosm_entity_has(where, lone, box.wet));
        CHECK_INT(cosm_tree_child_count(where, lone), 0);
        CHECK_VALID(box.batch);
    }
    // Overrides, also of what was captured.
    cosm_entity mixed = cosm_template_spawn(world, whole, &(cosm_value){box.level, &(Level){7}}, 1);
    struct tree_values values = other.values;
    values.level = 7;
    check_tree(&box, world, mixed, &values);
    other_close(&box, &other);
    fixture_close(&box);
}

TEST(a_capture_again_is_the_first_where_objects_are_equal) {
    struct fixture box;
    fixture_open(&box, FIXTURE_TEMPLATE, 2);
    cosm_entity twin = cosm_template_spawn(box.world, box.twin, NULL, 0);
    size_t objects = objects_count(&box.books);
    // What a capture finds is what the definition says.
    CHECK_INT(cosm_template_capture(box.world, twin, "twin", true).id, box.twin.id);
    CHECK_INT(objects_count(&box.books), objects);
    CHECK_DONE(cosm_entity_set(box.world, twin, box.kiln, &(Kiln){.number = 1}));
    CHECK_INT(cosm_template_capture(box.world, twin, "twin", true).id, 0);
    CHECK_FAILURE(COSM_ERROR_CONFLICT, "cosm_template_capture:", "'twin'", "another name");
    CHECK_DONE(cosm_entity_remove(box.world, twin, box.kiln));
    // Without its object it is another thing, and so is what is spawned from it.
    CHECK_DONE(cosm_managed_clear(box.world, twin, box.text));
    cosm_template mute = cosm_template_capture(box.world, twin, "mute", false);
    cosm_world other = fixture_world(&box, 1);
    cosm_entity spawned = cosm_template_spawn(other, mute, NULL, 0);
    CHECK_INT(text_of(&box, other, spawned), OBJECT_NONE);
    CHECK(cosm_entity_has(other, spawned, box.text));
    fixture_close(&box);
}

TEST(objects_of_a_template_last_until_the_engine_ends) {
    struct fixture box;
    fixture_open(&box, FIXTURE_TEMPLATE, 2);
    (void)cosm_template_spawn(box.world, box.tree, NULL, 0);
    CHECK_DONE(cosm_batch_destroy(box.batch));
    CHECK_INT(objects_count(&box.books), TEMPLATE_OBJECTS);
    box.batch = cosm_batch_create(box.engine, NULL);
    box.world = cosm_batch_world(box.batch, 0);
    cosm_entity tree = cosm_template_spawn(box.world, box.tree, NULL, 0);
    check_tree(&box, box.world, tree, &tree_as_defined);
    fixture_close(&box); // looks for what is left
}

TEST(what_is_beside_the_tables_finds_its_entity_where_ids_come_back_out_of_order) {
    struct fixture box;
    fixture_open(&box, FIXTURE_TEMPLATE, 1);
    cosm_world world = box.world;
    cosm_rows rows;
    enum { MANY = 400 };
    cosm_entity all[MANY];
    CHECK_DONE(cosm_entity_spawn_many(world, box.plain, MANY, &rows));
    memcpy(all, rows.entities, sizeof(all));
    struct dice dice = {harness_seed()};
    for (uint32_t i = 0; i < 150; i++) {
        cosm_entity entity = all[dice_roll(&dice, MANY)];
        if (cosm_entity_is_alive(world, entity)) {
            CHECK_DONE(cosm_entity_set(world, entity, box.kiln, &(Kiln){.number = i}));
            CHECK_DONE(cosm_entity_despawn(world, entity));
        }
    }
    cosm_commands *commands = cosm_commands_create(box.batch); // with promises among them
    cosm_entity promised = cosm_commands_spawn(commands, world, box.plain);
    for (uint32_t i = 0; i < 30; i++) {
        cosm_entity tree = cosm_template_spawn(world, box.tree, NULL, 0);
        check_tree(&box, world, tree, &tree_as_defined);
    }
    CHECK_VALID(box.batch);
    CHECK_DONE(cosm_commands_apply(commands, NULL));
    CHECK(cosm_entity_is_alive(world, promised));
    CHECK(!cosm_entity_has(world, promised, box.kiln));
    cosm_commands_destroy(commands);
    CHECK_DONE(cosm_world_reset(world));
    for (uint32_t id = 1; id < 60; id++) { // as if each had lived two thousand million times
        box.batch->worlds[0].records[id].gen = GEN_RETIRED;
    }
    cosm_entity tree = cosm_template_spawn(world, box.tree, NULL, 0);
    CHECK_INT(cosm_tree_first_child(world, tree).id, 60);
    check_tree(&box, world, tree, &tree_as_defined);
    fixture_close(&box);
}

TEST(commands_spawn_templates_of_every_storage) {
    struct fixture box;
    fixture_open(&box, FIXTURE_TEMPLATE, 2);
    struct other_values other;
    other_open(&box, &other, 400);
    cosm_world world = fixture_world(&box, 1);
    cosm_commands *commands = cosm_commands_create(box.batch);
    cosm_entity a = cosm_commands_spawn_template(commands, world, box.tree, NULL, 0);
    cosm_entity b = cosm_commands_spawn_template(commands, world, box.tree, other.list, 7);
    cosm_entity c = cosm_commands_spawn_template(commands, world, box.tree, NULL, 0);
    cosm_value flag = {box.wet, NULL};
    cosm_entity d = cosm_commands_spawn_template(commands, world, box.twin, &flag, 1);
    REQUIRE(!cosm_entity_is_none(a) && !cosm_entity_is_none(b) && !cosm_entity_is_none(d));
    CHECK_DONE(cosm_commands_despawn_tree(commands, world, c));
    // Spawns, parents, and what is added like new: seven for a tree, one for the twin.
    CHECK_INT(cosm_commands_count(commands), 3 * (11 + 10 + 7) + 2 + 1);
    cosm_commands_report report;
    CHECK_DONE(cosm_commands_apply(commands, &report));
    CHECK_INT(report.spawned, 2 * TREE_ENTITIES + 1);
    CHECK_INT(report.skipped, 0);
    check_tree(&box, world, a, &tree_as_defined);
    check_tree(&box, world, b, &other.values);
    CHECK(!cosm_entity_is_alive(world, c));
    CHECK(cosm_entity_has(world, d, box.wet));
    CHECK_INT(text_of(&box, world, d), 23);
    CHECK_VALID(box.batch);
    CHECK_INT(objects_count(&box.books), TEMPLATE_OBJECTS + 2 * TREE_OBJECTS + 2 + 1 + 4);
    // What is recorded and cleared ends.
    size_t objects = objects_count(&box.books);
    (void)cosm_commands_spawn_template(commands, world, box.tree, other.list, 7);
    CHECK(objects_count(&box.books) > objects);
    cosm_commands_clear(commands);
    CHECK_INT(objects_count(&box.books), objects);
    cosm_commands_destroy(commands);
    other_close(&box, &other);
    fixture_close(&box);
}

TEST(a_recorded_template_that_runs_out_of_ids_ends_its_objects) {
    struct fixture box;
    fixture_open(&box, FIXTURE_TEMPLATE, 1);
    cosm_commands *commands = cosm_commands_create(box.batch);
    atomic_uint *promised = &box.batch->worlds[0].reserved_fresh;
    for (uint32_t left = 0; left < TREE_ENTITIES; left++) {
        atomic_store(promised, COSM_WORLD_ENTITY_MAX - left);
        cosm_error_clear();
        CHECK(cosm_entity_is_none(
            cosm_commands_spawn_template(commands, box.world, box.tree, NULL, 0)));
        CHECK_FAILURE(COSM_ERROR_LIMIT, "cosm_commands_spawn_template:", "used all", "worlds");
        CHECK_INT(cosm_commands_count(commands), 2 * left);
        atomic_store(promised, 0);
        cosm_commands_clear(commands);
        CHECK_INT(objects_count(&box.books), TEMPLATE_OBJECTS);
    }
    cosm_commands_destroy(commands);
    fixture_close(&box);
}

// What observers were told, by kind: ADD, REMOVE and SET.
struct told {
    uint64_t counts[5];
    uint32_t wrong;
    cosm_component component;
    bool despawns;
};

static void note_event(const cosm_event *event) {
    struct told *told = event->context;
    told->counts[event->kind] += event->count;
    for (uint32_t i = 0; i < event->count; i++) {
        if (event->kind != COSM_EVENT_REMOVE &&
            !cosm_entity_has(event->world, event->entities[i], told->component)) {
            told->wrong++;
        }
        if (told->despawns && event->kind == COSM_EVENT_ADD &&
            cosm_commands_despawn(event->commands, event->world, event->entities[i]) != COSM_OK) {
            told->wrong++;
        }
    }
}

TEST(observers_are_told_of_spawns_in_every_storage) {
    struct fixture box;
    fixture_open(&box, FIXTURE_TEMPLATE, 2);
    const cosm_component components[] = {box.position, box.level, box.title, box.text,
                                         box.mesh,     box.kiln,  box.note,  box.wet};
    const uint32_t per_tree[] = {5, 11, 1, 5, 7, 4, 7, 1};
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h"};
    struct told told[8];
    memset(told, 0, sizeof(told));
    cosm_world world = fixture_world(&box, 1);
    (void)cosm_template_spawn(world, box.tree, NULL, 0); // nobody is told of this one
    for (uint32_t i = 0; i < 8; i++) {
        told[i].component = components[i];
        CHECK(cosm_observer_define(box.engine, &(cosm_observer_desc){.name = names[i],
                                                                     .component = components[i],
                                                                     .run = note_event,
                                                                     .context = &told[i]})
                  .id != 0);
    }
    cosm_rows rows;
    cosm_value override = {box.level, &(Level){99}};
    uint32_t trees = 0;
    (void)cosm_template_spawn(world, box.tree, NULL, 0);
    CHECK_INT(told[0].counts[COSM_EVENT_ADD], per_tree[0]); // at once
    CHECK_DONE(cosm_template_spawn_many(world, box.tree, 6, NULL, 0, &rows));
    CHECK_DONE(cosm_template_spawn_many(world, box.tree, 3, &override, 1, &rows));
    CHECK_INT(rows.count, 3);
    trees += 10;
    cosm_commands *commands = cosm_commands_create(box.batch);
    (void)cosm_commands_spawn_template(commands, world, box.tree, &override, 1);
    CHECK_DONE(cosm_commands_apply(commands, NULL));
    cosm_commands_destroy(commands);
    trees += 1;
    CHECK_DONE(cosm_tree_despawn(world, rows.entities[1]));
    for (uint32_t i = 0; i < 8; i++) {
        CHECK_INT(told[i].counts[COSM_EVENT_ADD], per_tree[i] * trees);
        CHECK_INT(told[i].counts[COSM_EVENT_SET], 0); // what is new is told once
        CHECK_INT(told[i].counts[COSM_EVENT_REMOVE], per_tree[i]);
        CHECK_INT(told[i].wrong, 0);
    }
    CHECK_SILENT();
    fixture_close(&box);
}

TEST(observers_may_despawn_what_is_being_spawned) {
    struct fixture box;
    fixture_open(&box, FIXTURE_TEMPLATE, 1);
    struct told told = {.component = box.title, .despawns = true};
    CHECK(cosm_observer_define(box.engine, &(cosm_observer_desc){.name = "reaper",
                                                                 .component = box.title,
                                                                 .on = COSM_EVENT_ADD,
                                                                 .run = note_event,
                                                                 .context = &told})
              .id != 0);
    cosm_rows rows;
    CHECK_DONE(cosm_template_spawn_many(box.world, box.tree, 5, NULL, 0, &rows));
    CHECK_INT(rows.count, 0);
    CHECK_INT(cosm_world_entity_count(box.world), 5 * (TREE_ENTITIES - 1));
    CHECK_INT(cosm_shared_value_count(box.world, box.title), 0);
    cosm_entity tree = cosm_template_spawn(box.world, box.tree, NULL, 0);
    CHECK(!cosm_entity_is_none(tree) && !cosm_entity_is_alive(box.world, tree));
    CHECK_INT(told.counts[COSM_EVENT_ADD], 6);
    CHECK_VALID(box.batch);
    fixture_close(&box);
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

TEST(spawns_count_as_changes) {
    struct fixture box;
    fixture_open(&box, FIXTURE_TEMPLATE, 2);
    cosm_component points = cosm_component_define(
        box.engine,
        &(cosm_component_desc){.name = "Points", .size = sizeof(uint32_t), .change_rows = true});
    cosm_value values[] = {{points, &(uint32_t){4}}, {box.level, &(Level){6}}};
    cosm_template from = cosm_template_define(
        box.engine, &(cosm_template_desc){.name = "points", .values = values, .value_count = 2});
    cosm_query *query = cosm_query_create(
        box.engine, &(cosm_query_desc){.terms = {{.component = points, .changed = true}}});
    cosm_change_reader *reader = cosm_change_reader_create(box.batch, query);
    cosm_rows rows;
    CHECK_DONE(cosm_template_spawn_many(box.world, from, 3000, NULL, 0, &rows));
    CHECK_INT(count_changed(reader, box.all), 3000);
    CHECK_INT(count_changed(reader, box.all), 0);
    // Row by row: just the new ones, whether by value or by default, in old and in new tables.
    CHECK_DONE(cosm_template_spawn_many(box.world, from, 7, NULL, 0, &rows));
    cosm_value level = {box.level, &(Level){7}};
    CHECK_DONE(cosm_template_spawn_many(box.world, from, 5, &level, 1, &rows));
    (void)cosm_template_spawn(fixture_world(&box, 1), from, &level, 1);
    CHECK_INT(count_changed(reader, box.all), 13);
    CHECK_VALID(box.batch);
    cosm_change_reader_destroy(reader);
    cosm_query_destroy(query);
    fixture_close(&box);
}

// One tree of a random history.
struct known_tree {
    cosm_entity entity;
    uint32_t world;
    struct tree_values values;
};

enum { KNOWN_MAX = 60 };

// Spawns in one of three ways, with the values of `other` or without.
static cosm_entity spawn_somehow(struct fixture *box, cosm_commands *commands, uint32_t way,
                                 cosm_world world, const struct other_values *other) {
    const cosm_value *list = other == NULL ? NULL : other->list;
    uint32_t count = other == NULL ? 0 : 7;
    cosm_rows rows;
    cosm_entity entity;
    switch (way) {
    case 0:
        return cosm_template_spawn(world, box->tree, list, count);
    case 1:
        CHECK_DONE(cosm_template_spawn_many(world, box->tree, 1, list, count, &rows));
        return rows.count == 1 ? rows.entities[0] : nobody;
    default:
        entity = cosm_commands_spawn_template(commands, world, box->tree, list, count);
        CHECK_DONE(cosm_commands_apply(commands, NULL));
        return entity;
    }
}

TEST(trees_of_a_long_history_are_what_they_were_spawned_as) {
    struct fixture box;
    fixture_open(&box, FIXTURE_TEMPLATE, 3);
    cosm_commands *commands = cosm_commands_create(box.batch);
    struct dice dice = {harness_seed()};
    static struct known_tree known[KNOWN_MAX];
    uint32_t count = 0;
    uint32_t length = harness_is_long() ? 20000 : 600;
    for (uint32_t i = 0; i < length; i++) {
        bool has_other = dice_roll(&dice, 2) == 0;
        uint32_t w = dice_roll(&dice, 3);
        cosm_world world = fixture_world(&box, w);
        if (count == KNOWN_MAX || (count > 0 && dice_roll(&dice, 3) == 0)) {
            uint32_t at = dice_roll(&dice, count);
            world = fixture_world(&box, known[at].world);
            check_tree(&box, world, known[at].entity, &known[at].values);
            CHECK_DONE(cosm_tree_despawn(world, known[at].entity));
            known[at] = known[--count];
            continue;
        }
        struct other_values other;
        other_open(&box, &other, 1000 + dice_roll(&dice, 20));
        cosm_entity entity =
            spawn_somehow(&box, commands, dice_roll(&dice, 3), world, has_other ? &other : NULL);
        known[count++] = (struct known_tree){entity, w, has_other ? other.values : tree_as_defined};
        other_close(&box, &other);
        if (i % 50 == 0) {
            CHECK_VALID(box.batch);
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        check_tree(&box, fixture_world(&box, known[i].world), known[i].entity, &known[i].values);
    }
    cosm_commands_destroy(commands);
    fixture_close(&box);
}
