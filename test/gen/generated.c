// What cosm-gen writes works: golden/bodies.h and golden/every.h, registered and used.
#include <math.h>
#include <string.h>

#include "bodies.cosm.h"
#include "every.cosm.h"
#include "harness.h"

#include <cosm/cosm.h>

static cosm_engine *start(void) {
    cosm_engine *engine = cosm_engine_create(NULL);
    CHECK_INT(bodies_register_all(engine), COSM_OK);
    CHECK_INT(every_register_all(engine), COSM_OK);
    return engine;
}

static void stop(cosm_engine *engine, cosm_batch *batch) {
    CHECK_INT(cosm_batch_destroy(batch), COSM_OK);
    CHECK_INT(cosm_engine_destroy(engine), COSM_OK);
}

// The field with that path of the component Thing.
static const cosm_field *thing_field(const cosm_engine *engine, const char *path) {
    cosm_component_info thing = cosm_component_describe(engine, Thing_component(engine));
    uint32_t index = cosm_field_find(thing.fields, thing.field_count, path);
    CHECK(index != COSM_FIELD_INDEX_NONE);
    return &thing.fields[index];
}

TEST(registering_defines_all_in_the_order_of_the_header) {
    cosm_engine *engine = start();
    CHECK_INT(Velocity_component(engine).id, Position_component(engine).id + 1);
    CHECK_INT(Frozen_component(engine).id, Position_component(engine).id + 2);
    CHECK_STR(cosm_component_describe(engine, Thing_component(engine)).name, "a thing");
    CHECK_STR(cosm_singleton_describe(engine, Sky_singleton(engine)).name, "the sky");
    CHECK_INT(cosm_component_describe(engine, Frozen_component(engine)).size, 0);
    CHECK_INT(cosm_component_describe(engine, Thing_component(engine)).size, sizeof(Thing));
    CHECK_INT(cosm_component_describe(engine, Thing_component(engine)).layout, COSM_LAYOUT_SPLIT);
    CHECK_INT(cosm_component_describe(engine, Pose_component(engine)).layout, COSM_LAYOUT_STRUCT);
    CHECK_INT(cosm_engine_destroy(engine), COSM_OK);
}

TEST(registering_again_changes_nothing_and_engines_do_not_share_ids) {
    cosm_engine *first = start();
    cosm_engine *second = cosm_engine_create(NULL);
    CHECK_INT(every_register_all(second), COSM_OK);
    CHECK_INT(bodies_register_all(second), COSM_OK);
    uint32_t id = Position_component(first).id;
    CHECK_INT(bodies_register_all(first), COSM_OK);
    CHECK_INT(Position_component(first).id, id);
    CHECK_STR(cosm_component_describe(first, Position_component(first)).name, "Position");
    CHECK_STR(cosm_component_describe(second, Position_component(second)).name, "Position");
    CHECK(Position_component(second).id != id);
    CHECK_INT(cosm_engine_destroy(first), COSM_OK);
    CHECK_INT(cosm_engine_destroy(second), COSM_OK);
}

TEST(what_is_not_registered_is_found_out) {
    cosm_engine *engine = cosm_engine_create(NULL);
    cosm_batch *batch = cosm_batch_create(engine, NULL);
    cosm_world world = cosm_batch_world(batch, 0);
    cosm_error_clear();
    CHECK_INT(Position_component(engine).id, 0);
    CHECK(cosm_error_message()[0] != '\0');
    CHECK(Position_read(world, COSM_ENTITY_NONE) == NULL);
    CHECK(Ground_read(world) == NULL);
    CHECK(!Frozen_has(world, COSM_ENTITY_NONE));
    CHECK(Frozen_add(world, COSM_ENTITY_NONE) != COSM_OK);
    CHECK_INT(bodies_register_all(NULL), COSM_ERROR_ARGUMENT);
    stop(engine, batch);
}

TEST(a_name_that_is_taken_makes_registering_fail) {
    cosm_engine *engine = cosm_engine_create(NULL);
    cosm_component_desc desc = {.name = "Velocity", .size = 4};
    CHECK(cosm_component_define(engine, &desc).id != 0);
    CHECK_INT(bodies_register_all(engine), COSM_ERROR_CONFLICT);
    CHECK(Position_component(engine).id != 0); // what came before it is there
    CHECK_INT(Frozen_component(engine).id, 0); // what comes after it is not
    CHECK_INT(cosm_engine_destroy(engine), COSM_OK);
}

TEST(fields_are_described_as_the_header_says) {
    cosm_engine *engine = start();
    const cosm_field *mass = thing_field(engine, "mass");
    CHECK_INT(mass->type, COSM_FIELD_F32);
    CHECK_STR(mass->unit, "kg");
    CHECK_STR(mass->doc, "what it weighs, hat included");
    CHECK_NEAR(mass->min, 0, 0);
    CHECK_NEAR(mass->max, 100, 0);
    const cosm_field *grid = thing_field(engine, "grid");
    CHECK_INT(grid->offset, offsetof(Thing, grid));
    CHECK_INT(grid->dims[0], 2);
    CHECK_INT(grid->dims[1], 3);
    CHECK_INT(grid->dims[2], 0);
    const cosm_field *speed = thing_field(engine, "velocity.y");
    CHECK_STR(speed->unit, "m/s");
    CHECK_STR(speed->doc, "how it moves");
    CHECK(isinf(speed->min));
    CHECK(!mass->strict && !speed->strict);
    CHECK(thing_field(engine, "u8")->strict && thing_field(engine, "on")->strict);
    const cosm_field *flags = thing_field(engine, "items[1].flags");
    CHECK_INT(flags->offset, offsetof(Thing, items[1].flags));
    CHECK_INT(flags->labels->kind, COSM_LABELS_MASK);
    CHECK_INT(flags->labels->count, 3);
    CHECK_STR(flags->labels->items[1].name, "FLAG_WET");
    const cosm_field *color = thing_field(engine, "color");
    CHECK_INT(color->labels->kind, COSM_LABELS_ENUM);
    CHECK_INT(color->labels->items[2].value, COLOR_BLUE);
    CHECK_INT(thing_field(engine, "mood")->padding, 1);
    cosm_component_info thing = cosm_component_describe(engine, Thing_component(engine));
    CHECK_INT(cosm_field_find(thing.fields, thing.field_count, "path[1].x"), Thing_field_path_1_x);
    CHECK_INT(cosm_field_find(thing.fields, thing.field_count, "target"), Thing_field_target);
    CHECK_INT(cosm_engine_destroy(engine), COSM_OK);
}

TEST(new_values_have_the_defaults_of_the_header) {
    cosm_engine *engine = start();
    cosm_batch *batch = cosm_batch_create(engine, NULL);
    cosm_world world = cosm_batch_world(batch, 0);
    cosm_archetype_desc desc = {.components = {Thing_component(engine), Pose_component(engine)}};
    cosm_entity entity = cosm_entity_spawn(world, cosm_archetype_define(engine, &desc));
    Thing thing;
    REQUIRE(Thing_get(world, entity, &thing));
    CHECK_NEAR(thing.mass, 2, 0);
    CHECK_INT(thing.i16, -300);
    CHECK_INT(thing.i64, INT64_MIN);
    CHECK_INT(thing.u32, UINT32_MAX);
    CHECK(thing.on);
    CHECK(cosm_entity_is_none(thing.target));
    CHECK_INT(thing.friends[1].id, 0);
    CHECK_INT(thing.color, COLOR_RED);
    CHECK_STR(thing.name, "nobody");
    CHECK_STR(thing.lines[1], "two");
    CHECK_NEAR(thing.grid[1][2], 0.1f, 0);
    CHECK_INT(thing.items[0].count, 0);
    CHECK_INT(thing.items[1].count, 7);
    CHECK_INT(thing.items[1].flags, FLAG_WET);
    CHECK_NEAR(thing.precise, 0, 0);
    CHECK_NEAR(Pose_read(world, entity)->position.y, 2, 0);
    CHECK_NEAR(Pose_read(world, entity)->scale.x, 1, 0);
    CHECK_NEAR(Sky_read(world)->gravity, -9.81f, 0);
    CHECK_NEAR(Sky_read(world)->normal.y, 1, 0);
    CHECK_NEAR(Ground_read(world)->height, -1.5, 0);
    stop(engine, batch);
}

TEST(entities_are_changed_by_typed_calls) {
    cosm_engine *engine = start();
    cosm_batch *batch = cosm_batch_create(engine, NULL);
    cosm_world world = cosm_batch_world(batch, 0);
    cosm_archetype_desc desc = {.components = {Position_component(engine)}};
    cosm_entity entity = cosm_entity_spawn(world, cosm_archetype_define(engine, &desc));
    Position_write(world, entity)->y = 5;
    CHECK_NEAR(Position_read(world, entity)->y, 5, 0);
    CHECK(!Velocity_has(world, entity));
    Velocity velocity = {1, 2, 3};
    CHECK_INT(Velocity_set(world, entity, &velocity), COSM_OK);
    velocity = (Velocity){0};
    CHECK(Velocity_get(world, entity, &velocity));
    CHECK_NEAR(velocity.z, 3, 0);
    CHECK_INT(Frozen_add(world, entity), COSM_OK);
    CHECK(Frozen_has(world, entity));
    CHECK_INT(Frozen_remove(world, entity), COSM_OK);
    CHECK(!Frozen_has(world, entity));
    CHECK_INT(Position_remove(world, entity), COSM_OK);
    CHECK(Position_read(world, entity) == NULL);
    Position position;
    CHECK(!Position_get(world, entity, &position));
    CHECK_INT(Position_add(world, entity), COSM_OK);
    CHECK_NEAR(Position_read(world, entity)->y, 0, 0);
    Ground_write(world)->height = 4;
    CHECK_NEAR(Ground_read(world)->height, 4, 0);
    stop(engine, batch);
}

TEST(rows_are_filled_and_walked_by_columns) {
    cosm_engine *engine = start();
    cosm_batch *batch = cosm_batch_create(engine, NULL);
    cosm_world world = cosm_batch_world(batch, 0);
    cosm_component components[] = {Position_component(engine), Thing_component(engine)};
    cosm_archetype_desc desc = {.components = {components[0], components[1]}};
    cosm_archetype archetype = cosm_archetype_define(engine, &desc);
    cosm_rows rows;
    REQUIRE(cosm_entity_spawn_many(world, archetype, 10, &rows) == COSM_OK);
    Position *position = Position_column_of(&rows);
    Thing_columns columns = Thing_columns_of(&rows);
    for (uint32_t i = 0; i < rows.count; i++) {
        position[i].x = (float)i;
        columns.mass[i] = (float)i * 2;
        columns.grid[i * 6 + 5] = (float)i; // the last of six scalars of each row
        columns.name[i * 16] = (char)('a' + i);
        columns.mood[i].value = MOOD_ANGRY; // with a byte of padding behind each
    }
    cosm_query_desc terms = {.terms = {{.component = components[0]},
                                       {.component = components[1], .access = COSM_ACCESS_WRITE}}};
    cosm_query *query = cosm_query_create(engine, &terms);
    cosm_query_walk(query, cosm_worlds_all(batch), &rows);
    uint32_t seen = 0;
    while (cosm_rows_next(&rows)) {
        const Position *at = Position_column_read(&rows, 0);
        Thing_const_columns read = Thing_columns_read(&rows, 1);
        Thing_columns write = Thing_columns_write(&rows, 1);
        REQUIRE(at != NULL && read.mass != NULL && write.velocity_x != NULL);
        for (uint32_t i = 0; i < rows.count; i++, seen++) {
            CHECK_NEAR(read.mass[i], at[i].x * 2, 0);
            write.velocity_x[i] = at[i].x;
        }
        CHECK(Position_column_write(&rows, 0) == NULL); // asked for to be read
        Thing thing;
        CHECK(Thing_get(world, rows.entities[3], &thing));
        CHECK_NEAR(thing.grid[1][2], 3, 0);
        CHECK_STR(thing.name, "dobody");
        CHECK_INT(thing.mood, MOOD_ANGRY);
        CHECK_NEAR(thing.velocity.x, 3, 0);
    }
    CHECK_INT(seen, 10);
    cosm_query_destroy(query);
    stop(engine, batch);
}

TEST(an_archetype_may_split_what_the_header_keeps_together) {
    cosm_engine *engine = start();
    cosm_batch *batch = cosm_batch_create(engine, NULL);
    cosm_world world = cosm_batch_world(batch, 0);
    cosm_component component = Position_component(engine);
    cosm_archetype_desc desc = {.components = {component},
                                .layouts = {{component, COSM_LAYOUT_SPLIT}}};
    cosm_rows rows;
    REQUIRE(cosm_entity_spawn_many(world, cosm_archetype_define(engine, &desc), 3, &rows) ==
            COSM_OK);
    Position_columns columns = Position_columns_of(&rows);
    REQUIRE(columns.y != NULL);
    columns.y[2] = 7;
    Position position;
    REQUIRE(Position_get(world, rows.entities[2], &position));
    CHECK_NEAR(position.y, 7, 0);
    CHECK(Position_column_of(&rows) == NULL);
    stop(engine, batch);
}
