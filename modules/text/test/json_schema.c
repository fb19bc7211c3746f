// The schema of an engine as JSON (cosm_text/json.h).
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#ifdef COSM_TEST_JANSSON
#include <jansson.h>
#endif

#include "harness.h"
#include "support.h"

static const cosm_label team_items[] = {{"red", -1}, {"blue", 2}};
static const cosm_labels teams = {"Team", COSM_LABELS_ENUM, 2, team_items};
static const cosm_label flag_items[] = {{"low", 1}, {"high", INT64_MIN}};
static const cosm_labels flags = {"Flag", COSM_LABELS_MASK, 2, flag_items};

static const float mass_default = 1.5f;

static const cosm_field body_fields[] = {
    {.name = "mass",
     .type = COSM_FIELD_F32,
     .unit = "kg",
     .doc = "what it \"weighs\"",
     .min = 0.5,
     .max = 100,
     .default_value = &mass_default},
    {.name = "team", .type = COSM_FIELD_I32, .offset = 4, .labels = &teams},
    {.name = "flags", .type = COSM_FIELD_U64, .offset = 8, .labels = &flags},
    {.name = "grid", .type = COSM_FIELD_I8, .offset = 16, .dims = {2, 3}, .padding = 2},
};

static cosm_engine *make_engine(void) {
    cosm_engine *engine = cosm_engine_create(&(cosm_engine_desc){.worker_count = 1});
    cosm_component body =
        cosm_component_define(engine, &(cosm_component_desc){.name = "Body",
                                                             .size = 24,
                                                             .alignment = 8,
                                                             .layout = COSM_LAYOUT_SPLIT,
                                                             .fields = body_fields,
                                                             .field_count = 4});
    cosm_component mark = COSM_TAG_DEFINE(engine, Mark);
    cosm_component raw = cosm_component_define(
        engine, &(cosm_component_desc){
                    .name = "Raw", .size = 2, .alignment = 1, .default_value = "\1\xFE"});
    cosm_singleton clock = cosm_singleton_define(
        engine, &(cosm_singleton_desc){.name = "Clock", .size = 4, .alignment = 4});
    cosm_component bundle =
        cosm_bundle_define(engine, &(cosm_bundle_desc){.name = "Both", .components = {raw, body}});
    cosm_archetype one = cosm_archetype_define(
        engine, &(cosm_archetype_desc){.name = "one",
                                       .components = {bundle},
                                       .placement = COSM_PLACEMENT_FIXED,
                                       .max_per_world = 7,
                                       .sealed = true,
                                       .layouts = {{body, COSM_LAYOUT_STRUCT}}});
    cosm_archetype two = cosm_archetype_define(
        engine, &(cosm_archetype_desc){.components = {mark}, .temporary = true});
    CHECK(body.id != 0 && mark.id != 0 && raw.id != 0 && clock.id != 0 && bundle.id != 0);
    CHECK(one.id != 0 && two.id != 0);
    return engine;
}

static void write_schema(const cosm_engine *engine, bool spaced, struct kept_text *text) {
    kept_text_clear(text);
    CHECK_DONE(cosm_json_write_schema(engine, (cosm_json_style){spaced}, keep_text, text));
    CHECK(is_json(text->bytes, text->length));
}

TEST(the_schema_tells_all_that_an_engine_has_defined) {
    struct kept_text text = {0};
    cosm_engine *engine = make_engine();
    char expected[2048];
    uint64_t hashes[3];
    for (uint32_t i = 0; i < 3; i++) {
        hashes[i] = cosm_component_describe(engine, (cosm_component){i + 1}).hash;
    }
    (void)snprintf(
        expected, sizeof(expected),
        "{\"cosm\": 1, \"components\": ["
        "\n{\"name\": \"Body\", \"id\": 1, \"size\": 24, \"alignment\": 8, \"layout\": \"split\", "
        "\"storage\": \"column\", \"hash\": \"%016" PRIx64
        "\", \"default\": {\"mass\": 1.5, \"team\": 0, \"flags\": [], "
        "\"grid\": [[0, 0, 0], [0, 0, 0]]}, \"fields\": ["
        "{\"name\": \"mass\", \"type\": \"f32\", \"offset\": 0, \"min\": 0.5, \"max\": 100, "
        "\"unit\": \"kg\", \"doc\": \"what it \\\"weighs\\\"\"}, "
        "{\"name\": \"team\", \"type\": \"i32\", \"offset\": 4, \"labels\": {\"kind\": \"enum\", "
        "\"name\": \"Team\", \"items\": [{\"name\": \"red\", \"value\": -1}, "
        "{\"name\": \"blue\", \"value\": 2}]}}, "
        "{\"name\": \"flags\", \"type\": \"u64\", \"offset\": 8, \"labels\": {\"kind\": \"mask\", "
        "\"name\": \"Flag\", \"items\": [{\"name\": \"low\", \"value\": 1}, "
        "{\"name\": \"high\", \"value\": 9223372036854775808}]}}, "
        "{\"name\": \"grid\", \"type\": \"i8\", \"offset\": 16, \"dims\": [2, 3], "
        "\"padding\": 2}]},"
        "\n{\"name\": \"Mark\", \"id\": 2, \"size\": 0, \"alignment\": 1, \"layout\": \"struct\", "
        "\"storage\": \"column\", \"hash\": \"%016" PRIx64 "\", \"default\": {}, \"fields\": []},"
        "\n{\"name\": \"Raw\", \"id\": 3, \"size\": 2, \"alignment\": 1, \"layout\": \"struct\", "
        "\"storage\": \"column\", \"hash\": \"%016" PRIx64
        "\", \"default\": \"01fe\", \"fields\": []}], \"singletons\": ["
        "\n{\"name\": \"Clock\", \"id\": 1, \"size\": 4, \"alignment\": 4, "
        "\"hash\": \"%016" PRIx64 "\", \"default\": \"00000000\", \"fields\": []}], \"bundles\": ["
        "\n{\"name\": \"Both\", \"components\": [\"Body\", \"Raw\"]}], "
        "\"sector_groups\": [], \"archetypes\": ["
        "\n{\"name\": \"one\", \"id\": 1, \"components\": [\"Body\", \"Raw\"], "
        "\"placement\": \"fixed\", \"max_per_world\": 7, \"layouts\": {\"Body\": \"struct\"}, "
        "\"sealed\": true},"
        "\n{\"name\": \"\", \"id\": 2, \"components\": [\"Mark\"], \"placement\": \"growing\", "
        "\"temporary\": true}]}\n",
        hashes[0], hashes[1], hashes[2], cosm_singleton_describe(engine, (cosm_singleton){1}).hash);
    write_schema(engine, true, &text);
    CHECK_STR(text.bytes, expected);
    kept_text_free(&text);
    CHECK_DONE(cosm_engine_destroy(engine));
}

TEST(the_schema_of_an_empty_engine_is_five_empty_lists) {
    struct kept_text text = {0};
    cosm_engine *engine = cosm_engine_create(NULL);
    write_schema(engine, false, &text);
    CHECK_STR(text.bytes, "{\"cosm\":1,\"components\":[],\"singletons\":[],\"bundles\":[],"
                          "\"sector_groups\":[],\"archetypes\":[]}");
    kept_text_free(&text);
    CHECK_DONE(cosm_engine_destroy(engine));
}

TEST(the_schema_tells_storages_exact_changes_and_groups) {
    struct zoo zoo;
    struct kept_text text = {0};
    zoo_open(&zoo);
    CHECK(cosm_component_define(
              zoo.engine, &(cosm_component_desc){.name = "Watched", .size = 4, .change_rows = true})
              .id != 0);
    CHECK(cosm_component_define(
              zoo.engine,
              &(cosm_component_desc){.name = "Owned", .size = 4, .storage = COSM_STORAGE_MANAGED})
              .id != 0);
    // A component that is used alone has a group, of one, which is not worth telling.
    CHECK(!cosm_entity_is_none(cosm_json_spawn(zoo.world, "{\"Wet\":{}}", 10)));
    write_schema(zoo.engine, false, &text);
    CHECK_CONTAINS(text.bytes, "{\"name\":\"Team\",\"id\":18,\"size\":24,\"alignment\":8,"
                               "\"layout\":\"struct\",\"storage\":\"shared\",\"hash\"");
    CHECK_CONTAINS(text.bytes, "\"storage\":\"sector\",\"hash\"");
    CHECK_CONTAINS(text.bytes, "\"storage\":\"managed\",\"hash\"");
    CHECK_CONTAINS(text.bytes, "\"storage\":\"column\",\"change_rows\":true,\"hash\"");
    CHECK_CONTAINS(text.bytes, "\"sector_groups\":[{\"name\":\"fire\",\"id\":1,\"components\":"
                               "[\"Heat\",\"Tie\"]}],\"archetypes\"");
    kept_text_free(&text);
    zoo_close(&zoo);
}

TEST(the_schema_of_every_kind_of_component_is_json) {
    struct zoo zoo;
    struct kept_text text = {0};
    zoo_open(&zoo);
    for (int spaced = 0; spaced < 2; spaced++) {
        write_schema(zoo.engine, spaced == 1, &text);
        CHECK_CONTAINS(text.bytes, "NestedSplit");
        CHECK_CONTAINS(text.bytes, "items[2].cells");
#ifdef COSM_TEST_JANSSON
        json_error_t error;
        json_t *schema = json_loadb(text.bytes, text.length, JSON_DECODE_INT_AS_REAL, &error);
        json_t *components = json_object_get(schema, "components");
        CHECK_INT(json_array_size(components), cosm_engine_describe(zoo.engine).component_count);
        for (uint32_t i = 0; i < json_array_size(components); i++) {
            json_t *component = json_array_get(components, i);
            CHECK_STR(json_string_value(json_object_get(component, "name")),
                      cosm_component_describe(zoo.engine, (cosm_component){i + 1}).name);
            CHECK_INT(json_array_size(json_object_get(component, "fields")),
                      cosm_component_describe(zoo.engine, (cosm_component){i + 1}).field_count);
            CHECK_INT(json_string_length(json_object_get(component, "hash")), 16u);
            CHECK(json_object_get(component, "default") != NULL);
        }
        CHECK_INT(json_array_size(json_object_get(schema, "singletons")), 3u);
        json_decref(schema);
#endif
    }
    kept_text_free(&text);
    zoo_close(&zoo);
}

TEST(text_of_the_program_that_is_not_utf8_becomes_replacement_characters) {
    struct kept_text text = {0};
    cosm_engine *engine = cosm_engine_create(NULL);
    cosm_field field = {.name = "x", .type = COSM_FIELD_U8, .doc = "bad \xFF\xC3 here"};
    CHECK(cosm_component_define(engine,
                                &(cosm_component_desc){
                                    .name = "A\xFE", .size = 1, .fields = &field, .field_count = 1})
              .id != 0);
    write_schema(engine, false, &text);
    CHECK_CONTAINS(text.bytes, "\"name\":\"A\\ufffd\"");
    CHECK_CONTAINS(text.bytes, "\"doc\":\"bad \\ufffd\\ufffd here\"");
    kept_text_free(&text);
    CHECK_DONE(cosm_engine_destroy(engine));
}

TEST(a_schema_needs_an_engine_and_a_function) {
    cosm_json_style style = {false};
    struct kept_text text = {0};
    cosm_engine *engine = cosm_engine_create(NULL);
    CHECK_FAILS(cosm_json_write_schema(NULL, style, keep_text, &text), COSM_ERROR_ARGUMENT,
                "cosm_json_write_schema", "engine is NULL", "pass one");
    CHECK_FAILS(cosm_json_write_schema(engine, style, NULL, &text), COSM_ERROR_ARGUMENT,
                "cosm_json_write_schema", "write is NULL", "pass");
    CHECK_DONE(cosm_engine_destroy(engine));
}
