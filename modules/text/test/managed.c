// Managed components as text and as JSON: objects with fields are written, others are passed over,
// and none is read.
#include <string.h>

#include "harness.h"
#include "support.h"
#include "support/vault.h"

TEST(objects_with_fields_are_written_and_others_are_passed_over) {
    struct vault vault;
    struct kept_text text = {0};
    vault_open(&vault, 1);
    cosm_entity full = vault_spawn(&vault, vault.world, 1);
    cosm_entity empty = cosm_entity_spawn(vault.world, vault.bare);
    CHECK_DONE(cosm_entity_set(vault.world, full, vault.plain, &(Plain){3, 4}));
    CHECK_DONE(cosm_entity_add(vault.world, empty, vault.text));
    CHECK_DONE(cosm_entity_add(vault.world, empty, vault.plain));
    cosm_error_clear();
    CHECK_DONE(cosm_text_print_entity(vault.world, full, keep_text, &text));
    CHECK_STR(text.bytes, "entity @0:1  Plain {a: 3, b: 4}  Position 000000000000000000000000");
    kept_text_clear(&text);
    CHECK_DONE(cosm_text_print_entity(vault.world, empty, keep_text, &text));
    CHECK_STR(text.bytes, "entity @1:1  Position 000000000000000000000000");
    kept_text_clear(&text);
    CHECK_DONE(cosm_text_print_table(vault.world, cosm_entity_archetype(vault.world, full), 0,
                                     keep_text, &text));
    CHECK_CONTAINS(text.bytes, "  Text: 24 bytes, managed\n");
    CHECK_CONTAINS(text.bytes, "entity @0:1  Plain {a: 3, b: 4}");
    kept_text_clear(&text);
    CHECK_DONE(cosm_json_write_world(vault.world, (cosm_json_style){0}, keep_text, &text));
    CHECK_CONTAINS(text.bytes, "{\"entity\":\"@0:1\",\"Plain\":{\"a\":3,\"b\":4},\"Position\":");
    CHECK_CONTAINS(text.bytes, "{\"entity\":\"@1:1\",\"Position\":");
    CHECK(is_json(text.bytes, text.length));
    CHECK_SILENT();
    kept_text_free(&text);
    vault_close(&vault);
}

TEST(an_object_is_not_read_from_json) {
    struct vault vault;
    vault_open(&vault, 1);
    cosm_entity entity = vault_spawn(&vault, vault.world, 1);
    static const char object[] = "{\"Plain\":{\"a\":1,\"b\":2}}";
    CHECK_FAILS(cosm_json_read_entity(vault.world, entity, object, sizeof(object) - 1),
                COSM_ERROR_FORMAT, "cosm_json_read_entity", "Plain", "set it yourself");
    static const char world[] = "{\"cosm\":1,\"entities\":[{\"Plain\":{\"a\":1}}]}";
    CHECK_FAILS(cosm_json_read_world(vault.world, world, sizeof(world) - 1), COSM_ERROR_FORMAT,
                "cosm_json_read_world", "Plain", "set it yourself");
    CHECK_INT(cosm_world_entity_count(vault.world), 1);
    vault_close(&vault);
}
