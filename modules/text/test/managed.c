// Managed components as text and as JSON: objects with fields are written, others are passed over,
// and none is read.
#include <string.h>

#include "harness.h"
#include "support.h"
#include "support/storages.h"

TEST(objects_with_fields_are_written_and_others_are_passed_over) {
    struct fixture box;
    struct kept_text text = {0};
    fixture_open(&box, FIXTURE_MANAGED, 1);
    cosm_entity full = spawn_text(&box, box.world, 1);
    cosm_entity empty = cosm_entity_spawn(box.world, box.plain);
    CHECK_DONE(cosm_entity_set(box.world, full, box.pair, &(Pair){3, 4}));
    CHECK_DONE(cosm_entity_add(box.world, empty, box.text));
    CHECK_DONE(cosm_entity_add(box.world, empty, box.pair));
    cosm_error_clear();
    CHECK_DONE(cosm_text_print_entity(box.world, full, keep_text, &text));
    CHECK_STR(text.bytes, "entity @0:1  Position 000000000000000000000000  Pair {a: 3, b: 4}");
    kept_text_clear(&text);
    CHECK_DONE(cosm_text_print_entity(box.world, empty, keep_text, &text));
    CHECK_STR(text.bytes, "entity @1:1  Position 000000000000000000000000");
    kept_text_clear(&text);
    CHECK_DONE(cosm_text_print_table(box.world, cosm_entity_archetype(box.world, full), 0,
                                     keep_text, &text));
    CHECK_CONTAINS(text.bytes, "  Text: 24 bytes, managed\n");
    CHECK_CONTAINS(text.bytes, "entity @0:1  Position 000000000000000000000000  Pair {a: 3, b: 4}");
    kept_text_clear(&text);
    CHECK_DONE(cosm_json_write_world(box.world, (cosm_json_style){0}, keep_text, &text));
    CHECK_CONTAINS(text.bytes, "{\"entity\":\"@0:1\",\"Position\":\"000000000000000000000000\","
                               "\"Pair\":{\"a\":3,\"b\":4}");
    CHECK_CONTAINS(text.bytes, "{\"entity\":\"@1:1\",\"Position\":");
    CHECK(is_json(text.bytes, text.length));
    CHECK_SILENT();
    kept_text_free(&text);
    fixture_close(&box);
}

TEST(an_object_is_not_read_from_json) {
    struct fixture box;
    fixture_open(&box, FIXTURE_MANAGED, 1);
    cosm_entity entity = spawn_text(&box, box.world, 1);
    static const char object[] = "{\"Pair\":{\"a\":1,\"b\":2}}";
    CHECK_FAILS(cosm_json_read_entity(box.world, entity, object, sizeof(object) - 1),
                COSM_ERROR_FORMAT, "cosm_json_read_entity", "Pair", "set it yourself");
    static const char world[] = "{\"cosm\":1,\"entities\":[{\"Pair\":{\"a\":1}}]}";
    CHECK_FAILS(cosm_json_read_world(box.world, world, sizeof(world) - 1), COSM_ERROR_FORMAT,
                "cosm_json_read_world", "Pair", "set it yourself");
    CHECK_INT(cosm_world_entity_count(box.world), 1);
    fixture_close(&box);
}
