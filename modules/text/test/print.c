// Worlds as text that people read (cosm_text/print.h).
#include <string.h>

#include "harness.h"
#include "support.h"

static void check_value(const struct zoo *zoo, cosm_component component, const void *value,
                        const char *expected) {
    struct kept_text text = {0};
    CHECK_DONE(cosm_text_print_value(zoo->engine, component, value, keep_text, &text));
    CHECK_STR(text.bytes, expected);
    kept_text_free(&text);
}

static float float_of(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

TEST(values_are_printed_by_their_fields) {
    struct zoo zoo;
    zoo_open(&zoo);
    check_value(&zoo, zoo.vector[0], &(Vector){1.5f, 2, -0.0f}, "{x: 1.5, y: 2, z: -0}");
    check_value(&zoo, zoo.vector[1],
                &(Vector){float_of(0x7FC00000), float_of(0xFF800000), float_of(0xFFC00001)},
                "{x: nan, y: -inf, z: nan:ffc00001}");
    Scalars scalars = {-8, -16, -32, INT64_MIN, 8, 16, 32, UINT64_MAX, 0.1f, 1e100, true, {3, 7}};
    check_value(&zoo, zoo.scalars[0], &scalars,
                "{i8: -8, i16: -16, i32: -32, i64: -9223372036854775808, u8: 8, u16: 16, u32: 32, "
                "u64: 18446744073709551615, f32: 0.1, f64: 1e100, yes: true, entity: @7:3}");
    scalars = (Scalars){.entity = COSM_ENTITY_NONE};
    check_value(&zoo, zoo.scalars[1], &scalars,
                "{i8: 0, i16: 0, i32: 0, i64: 0, u8: 0, u16: 0, u32: 0, u64: 0, f32: 0, f64: 0, "
                "yes: false, entity: none}");
    Nested nested = {{{1, 2, 3}, 4}, {{5, "ab", {{1, 2, 3}, {4, 5, 6}}}}, 9};
    check_value(&zoo, zoo.nested[1], &nested,
                "{pose: {position: {x: 1, y: 2, z: 3}, angle: 4}, items: [{count: 5, kind: \"ab\", "
                "cells: [[1, 2, 3], [4, 5, 6]]}, {count: 0, kind: \"\", cells: [[0, 0, 0], [0, 0, "
                "0]]}, {count: 0, kind: \"\", cells: [[0, 0, 0], [0, 0, 0]]}], last: 9}");
    zoo_close(&zoo);
}

TEST(labels_and_text_are_printed_as_they_are_called) {
    struct zoo zoo;
    zoo_open(&zoo);
    check_value(&zoo, zoo.labels[0], &(Labels){1, 255, 3, 0, 5, 0},
                "{color: green, small: all, bits: a|b, tiny: 0, wide: first|4, far: 0}");
    check_value(&zoo, zoo.name[0], &(Name){"say \"hi\"\n"}, "{text: \"say \\\"hi\\\"\\n\"}");
    check_value(&zoo, zoo.name[0], &(Name){"a\0b\xFF\xC3\xA9"}, "{text: \"a\\x00b\\xff\xC3\xA9\"}");
    check_value(&zoo, zoo.raw, &(Raw){{0, 1, 0xAB}}, "0001ab00000000000000000000");
    check_value(&zoo, zoo.tag, NULL, "{}");
    zoo_close(&zoo);
}

static void check_change(const struct zoo *zoo, cosm_component component, const void *before,
                         const void *after, uint32_t change_max, const char *expected) {
    struct kept_text text = {0};
    CHECK_DONE(cosm_text_print_change(zoo->engine, component, before, after, change_max, keep_text,
                                      &text));
    CHECK_STR(text.bytes, expected);
    kept_text_free(&text);
}

TEST(a_change_is_printed_by_the_fields_and_elements_that_differ) {
    struct zoo zoo;
    zoo_open(&zoo);
    Vector vector = {1.5f, 2, 3};
    check_change(&zoo, zoo.vector[0], &vector, &(Vector){2, 2, -0.5f}, 0,
                 "{x: 1.5 -> 2, z: 3 -> -0.5}");
    check_change(&zoo, zoo.vector[1], &vector, &vector, 0, "{}");
    // Zero and minus zero are equal numbers, but not the same state.
    check_change(&zoo, zoo.vector[0], &(Vector){0, 0, 0}, &(Vector){-0.0f, 0, 0}, 0,
                 "{x: 0 -> -0}");
    Nested before = {{{1, 2, 3}, 4}, {{5, "ab", {{1, 2, 3}, {4, 5, 6}}}}, 9};
    Nested after = before;
    after.pose.angle = 7;
    after.items[0].cells[1][2] = 8;
    after.items[2].kind[0] = 'z';
    check_change(
        &zoo, zoo.nested[1], &before, &after, 0,
        "{pose.angle: 4 -> 7, items[0].cells[1][2]: 6 -> 8, items[2].kind: \"\" -> \"z\"}");
    check_change(
        &zoo, zoo.nested[0], &before, &after, 3,
        "{pose.angle: 4 -> 7, items[0].cells[1][2]: 6 -> 8, items[2].kind: \"\" -> \"z\"}");
    check_change(&zoo, zoo.nested[0], &before, &after, 1, "{pose.angle: 4 -> 7 and 2 more}");
    check_change(&zoo, zoo.labels[0], &(Labels){1, 255, 3, 0, 5, 0}, &(Labels){1, 255, 1, 0, 5, 0},
                 0, "{bits: a|b -> a}");
    check_change(&zoo, zoo.raw, &(Raw){{0, 1}}, &(Raw){{0, 2}}, 0,
                 "00010000000000000000000000 -> 00020000000000000000000000");
    struct kept_text none = {0};
    CHECK_DONE(cosm_text_print_change(zoo.engine, zoo.tag, NULL, NULL, 0, keep_text, &none));
    CHECK(none.length == 0);
    kept_text_free(&none);
    zoo_close(&zoo);
}

TEST(the_change_of_a_singleton_is_printed_likewise) {
    struct zoo zoo;
    struct kept_text text = {0};
    zoo_open(&zoo);
    cosm_singleton clock = cosm_singleton_find(zoo.engine, "Clock");
    CHECK_DONE(cosm_text_print_singleton_change(zoo.engine, clock, &(Vector){1, 2, 3},
                                                &(Vector){1, 5, 3}, 0, keep_text, &text));
    CHECK_STR(text.bytes, "{y: 2 -> 5}");
    kept_text_free(&text);
    zoo_close(&zoo);
}

#define CHANGE "cosm_text_print_change"
#define SINGLETON "cosm_text_print_singleton_change"

TEST(a_change_that_cannot_be_printed_is_refused) {
    struct zoo zoo;
    struct kept_text text = {0};
    Vector one = {1, 2, 3};
    zoo_open(&zoo);
    cosm_singleton clock = cosm_singleton_find(zoo.engine, "Clock");
    CHECK_FAILS(cosm_text_print_change(NULL, zoo.vector[0], &one, &one, 0, keep_text, &text),
                COSM_ERROR_ARGUMENT, CHANGE, "engine is NULL", "pass");
    CHECK_FAILS(
        cosm_text_print_change(zoo.engine, (cosm_component){99}, &one, &one, 0, keep_text, &text),
        COSM_ERROR_ARGUMENT, CHANGE, "component 99", "pass");
    CHECK_FAILS(cosm_text_print_change(zoo.engine, zoo.vector[0], NULL, &one, 0, keep_text, &text),
                COSM_ERROR_ARGUMENT, CHANGE, "before is NULL", "pass");
    CHECK_FAILS(cosm_text_print_change(zoo.engine, zoo.vector[0], &one, NULL, 0, keep_text, &text),
                COSM_ERROR_ARGUMENT, CHANGE, "after is NULL", "pass");
    CHECK_FAILS(cosm_text_print_change(zoo.engine, zoo.vector[0], &one, &one, 0, NULL, NULL),
                COSM_ERROR_ARGUMENT, CHANGE, "write is NULL", "pass");
    CHECK_FAILS(cosm_text_print_singleton_change(zoo.engine, (cosm_singleton){99}, &one, &one, 0,
                                                 keep_text, &text),
                COSM_ERROR_ARGUMENT, SINGLETON, "singleton 99", "pass");
    CHECK_FAILS(cosm_text_print_singleton_change(NULL, clock, &one, &one, 0, keep_text, &text),
                COSM_ERROR_ARGUMENT, SINGLETON, "engine is NULL", "pass");
    CHECK(text.length == 0);
    kept_text_free(&text);
    zoo_close(&zoo);
}

TEST(an_entity_is_a_line_with_all_it_has) {
    struct zoo zoo;
    struct kept_text text = {0};
    zoo_open(&zoo);
    static const char object[] = "{\"Vector\":{\"x\":4},\"Raw\":\"00000000000000000000000001\","
                                 "\"Tag\":{},\"entity\":null}";
    cosm_entity before = cosm_json_spawn(zoo.world, object, strlen(object));
    cosm_entity entity = cosm_json_spawn(zoo.world, object, strlen(object));
    CHECK_DONE(cosm_json_read_entity(zoo.world, before, "{\"Vector\":{\"x\":9}}", 18));
    CHECK_DONE(cosm_text_print_entity(zoo.world, entity, keep_text, &text));
    CHECK_STR(text.bytes,
              "entity @1:1  Vector {x: 4, y: 2, z: 3}  Raw 00000000000000000000000001  Tag");
    kept_text_clear(&text);
    CHECK_DONE(cosm_entity_despawn(zoo.world, entity));
    cosm_error_clear();
    CHECK_INT(cosm_text_print_entity(zoo.world, entity, keep_text, &text), COSM_STALE);
    CHECK_SILENT();
    CHECK_STR(text.bytes, "");
    kept_text_free(&text);
    zoo_close(&zoo);
}

// A world with rows of all kinds.
static void fill_world(struct zoo *zoo) {
    static const char text[] =
        "{\"singletons\":{\"Clock\":{\"x\":0.5}},\"entities\":[{\"Vector\":{\"x\":1},"
        "\"VectorSplit\":{}},{\"Vector\":{\"x\":2},\"VectorSplit\":{}},"
        "{\"Vector\":{\"x\":3},\"VectorSplit\":{}},{\"Tag\":{}}]}";
    cosm_rows rows;
    CHECK(
        cosm_archetype_define(zoo->engine, &(cosm_archetype_desc){.name = "pebble",
                                                                  .components = {zoo->tag},
                                                                  .placement = COSM_PLACEMENT_FIXED,
                                                                  .max_per_world = 9,
                                                                  .sealed = true})
            .id == 1);
    cosm_archetype event = cosm_archetype_define(
        zoo->engine, &(cosm_archetype_desc){.components = {zoo->tag}, .temporary = true});
    CHECK_DONE(cosm_json_read_world(zoo->world, text, strlen(text)));
    CHECK_DONE(cosm_entity_spawn_many(zoo->world, event, 1, &rows));
}

#define PEBBLES                                                                                    \
    "archetype 1 'pebble': 1 row of 9, fixed, sealed\n"                                            \
    "  Tag: tag\n"                                                                                 \
    "  entity @3:1  Tag\n"

#define MOVERS_HEAD                                                                                \
    "archetype 3: 3 rows, growing\n"                                                               \
    "  Vector: 12 bytes, struct\n"                                                                 \
    "  VectorSplit: 12 bytes, split\n"                                                             \
    "  entity @0:1  Vector {x: 1, y: 2, z: 3}  VectorSplit {x: 1, y: 2, z: 3}\n"

#define MOVERS_TAIL                                                                                \
    "  entity @1:1  Vector {x: 2, y: 2, z: 3}  VectorSplit {x: 1, y: 2, z: 3}\n"                   \
    "  entity @2:1  Vector {x: 3, y: 2, z: 3}  VectorSplit {x: 1, y: 2, z: 3}\n"

TEST(a_table_is_its_archetype_its_columns_and_its_rows) {
    struct zoo zoo;
    struct kept_text text = {0};
    zoo_open(&zoo);
    fill_world(&zoo);
    CHECK_DONE(cosm_text_print_table(zoo.world, (cosm_archetype){1}, 0, keep_text, &text));
    CHECK_STR(text.bytes, PEBBLES);
    kept_text_clear(&text);
    CHECK_DONE(cosm_text_print_table(zoo.world, (cosm_archetype){3}, 0, keep_text, &text));
    CHECK_STR(text.bytes, MOVERS_HEAD MOVERS_TAIL);
    kept_text_clear(&text);
    CHECK_DONE(cosm_text_print_table(zoo.world, (cosm_archetype){3}, 1, keep_text, &text));
    CHECK_STR(text.bytes, MOVERS_HEAD "  and 2 rows more\n");
    kept_text_clear(&text);
    CHECK_DONE(cosm_text_print_table(zoo.world, (cosm_archetype){3}, 3, keep_text, &text));
    CHECK_STR(text.bytes, MOVERS_HEAD MOVERS_TAIL);
    kept_text_clear(&text);
    CHECK_DONE(cosm_world_reset(zoo.world));
    CHECK_DONE(cosm_text_print_table(zoo.world, (cosm_archetype){1}, 1, keep_text, &text));
    CHECK_STR(text.bytes, "archetype 1 'pebble': 0 rows of 9, fixed, sealed\n  Tag: tag\n");
    kept_text_free(&text);
    zoo_close(&zoo);
}

TEST(a_world_is_its_singletons_and_its_tables) {
    struct zoo zoo;
    struct kept_text text = {0};
    zoo_open(&zoo);
    fill_world(&zoo);
    CHECK_DONE(cosm_text_print_world(zoo.world, 1, keep_text, &text));
    CHECK_STR(text.bytes, "world 0: 4 entities\n"
                          "singleton Clock {x: 0.5, y: 2, z: 3}\n"
                          "singleton Leader {target: none, others: [none, none, none]}\n"
                          "singleton Raw 00000000000000000000000000\n" MOVERS_HEAD
                          "  and 2 rows more\n" PEBBLES "archetype 2: 1 row, growing, temporary\n"
                          "  Tag: tag\n"
                          "  row 0  Tag\n");
    kept_text_free(&text);
    zoo_close(&zoo);
}

TEST(printing_needs_what_it_prints) {
    struct fixture box;
    struct kept_text text = {0};
    fixture_open(&box, 0, 1);
    cosm_world beyond = {box.batch, 1};
    CHECK_FAILS(cosm_text_print_value(NULL, box.health, &text, keep_text, &text),
                COSM_ERROR_ARGUMENT, "cosm_text_print_value", "engine is NULL", "pass one");
    CHECK_FAILS(cosm_text_print_value(box.engine, box.health, NULL, keep_text, &text),
                COSM_ERROR_ARGUMENT, "cosm_text_print_value", "value is NULL", "pass");
    CHECK_FAILS(cosm_text_print_entity(beyond, (cosm_entity){1, 0}, keep_text, &text),
                COSM_ERROR_ARGUMENT, "cosm_text_print_entity", "world.index is 1", "pass a world");
    CHECK_FAILS(cosm_text_print_entity(box.world, (cosm_entity){1, 0}, NULL, &text),
                COSM_ERROR_ARGUMENT, "cosm_text_print_entity", "write is NULL", "pass");
    CHECK_FAILS(cosm_text_print_table(box.world, (cosm_archetype){77}, 0, keep_text, &text),
                COSM_ERROR_ARGUMENT, "cosm_text_print_table", "archetype 77", "pass one");
    CHECK_FAILS(cosm_text_print_table(beyond, box.mover, 0, keep_text, &text), COSM_ERROR_ARGUMENT,
                "cosm_text_print_table", "world.index is 1", "pass a world");
    CHECK_FAILS(cosm_text_print_world(beyond, 0, keep_text, &text), COSM_ERROR_ARGUMENT,
                "cosm_text_print_world", "world.index is 1", "pass a world");
    CHECK_FAILS(cosm_text_print_world(box.world, 0, NULL, &text), COSM_ERROR_ARGUMENT,
                "cosm_text_print_world", "write is NULL", "pass");
    CHECK_INT(text.length, 0u);
    fixture_close(&box);
}
