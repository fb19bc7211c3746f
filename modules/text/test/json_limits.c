// JSON at limits: full tables, little memory, walked worlds, wide and many archetypes; and
// arguments that are wrong (cosm_text/json.h).
#include <stdio.h>
#include <string.h>

#include "harness.h"
#include "support.h"

TEST(a_fixed_table_is_filled_and_not_overfilled) {
    static const char three[] =
        "{\"entities\":[{\"Position\":\"000000000000000000000000\",\"Health\":\"05000000\"},"
        "{\"Position\":\"000000000000000000000000\",\"Health\":\"06000000\"},{\"Mark\":{}},"
        "{\"Position\":\"000000000000000000000000\",\"Health\":\"07000000\"}]}";
    struct fixture box;
    fixture_open(&box, 0, 2);
    CHECK(!cosm_entity_is_none(cosm_entity_spawn(box.world, box.slot)));
    CHECK_DONE(cosm_json_read_world(box.world, three, strlen(three)));
    CHECK_INT(cosm_table_row_count(box.world, box.slot), 4);
    uint64_t before = cosm_hash_world(box.world, COSM_HASH_EXACT);
    CHECK_FAILS(cosm_json_read_world(box.world, three, strlen(three)), COSM_ERROR_FULL,
                "cosm_json_read_world", "'slot' has 4 of 4 rows in this world", "despawn some");
    CHECK_INT(cosm_hash_world(box.world, COSM_HASH_EXACT), before);
    CHECK_INT(cosm_world_entity_count(box.world), 5);
    fixture_close(&box);
}

TEST(a_world_at_its_memory_limit_is_left_as_it_was) {
    struct fixture box;
    struct kept_text text = {0};
    fixture_open_with(&box, 0, NULL, &(cosm_batch_desc){.memory_limit = 300000});
    fixture_spawn(&box, 5);
    uint64_t before = cosm_hash_world(box.world, COSM_HASH_EXACT);
    keep_text(&text, "{\"entities\":[{}", 15);
    for (int i = 0; i < 20000; i++) {
        static const char entity[] = ",{\"Position\":\"000000000000000000000000\"}";
        keep_text(&text, entity, strlen(entity));
    }
    keep_text(&text, "]}", 2);
    CHECK_INT(cosm_json_read_world(box.world, text.bytes, text.length), COSM_ERROR_MEMORY);
    CHECK_INT(cosm_hash_world(box.world, COSM_HASH_EXACT), before);
    CHECK_INT(cosm_world_entity_count(box.world), 1);
    kept_text_free(&text);
    fixture_close(&box);
}

TEST(an_entity_that_is_walked_or_sealed_takes_values_but_no_components) {
    struct fixture box;
    static const char values[] = "{\"Position\":\"000000000000000000000001\"}";
    static const char more[] =
        "{\"Position\":\"000000000000000000000002\",\"Health\":\"01000000\"}";
    fixture_open(&box, 0, 1);
    cosm_entity stone = cosm_entity_spawn(box.world, box.stone);
    CHECK_DONE(cosm_json_read_entity(box.world, stone, values, strlen(values)));
    uint64_t before = cosm_hash_world(box.world, COSM_HASH_EXACT);
    CHECK_INT(cosm_json_read_entity(box.world, stone, more, strlen(more)), COSM_ERROR_SEALED);
    CHECK_INT(cosm_hash_world(box.world, COSM_HASH_EXACT), before);

    cosm_entity mover = fixture_spawn(&box, 1);
    cosm_query *query = fixture_query(&box, box.position, box.velocity);
    cosm_rows rows;
    cosm_query_walk(query, box.all, &rows);
    CHECK(cosm_rows_next(&rows));
    CHECK_DONE(cosm_json_read_entity(box.world, mover, values, strlen(values)));
    before = cosm_hash_world(box.world, COSM_HASH_EXACT);
    CHECK_INT(cosm_json_read_entity(box.world, mover, more, strlen(more)), COSM_ERROR_WALKED);
    CHECK_INT(cosm_hash_world(box.world, COSM_HASH_EXACT), before);
    cosm_rows_end(&rows);
    cosm_query_destroy(query);
    fixture_close(&box);
}

TEST(wide_archetypes_are_read_up_to_their_limit) {
    struct kept_text text = {0};
    cosm_engine *engine = cosm_engine_create(NULL);
    cosm_batch *batch = cosm_batch_create(engine, NULL);
    cosm_world world = cosm_batch_world(batch, 0);
    keep_text(&text, "{", 1);
    for (uint32_t i = 0; i < COSM_ARCHETYPE_COMPONENT_MAX + 1; i++) {
        char name[16];
        char member[32];
        (void)snprintf(name, sizeof(name), "c%u", i);
        CHECK(cosm_component_define(engine, &(cosm_component_desc){.name = name}).id != 0);
        (void)snprintf(member, sizeof(member), "%s\"%s\":{}", i == 0 ? "" : ",", name);
        keep_text(&text, member, strlen(member));
        if (i == COSM_ARCHETYPE_COMPONENT_MAX - 1) {
            keep_text(&text, "}", 1);
            cosm_entity entity = cosm_json_spawn(world, text.bytes, text.length);
            CHECK_INT(
                cosm_archetype_components(engine, cosm_entity_archetype(world, entity), 0, NULL),
                COSM_ARCHETYPE_COMPONENT_MAX);
            text.length--;
        }
    }
    keep_text(&text, "}", 1);
    CHECK(cosm_entity_is_none(cosm_json_spawn(world, text.bytes, text.length)));
    CHECK_FAILURE(COSM_ERROR_FORMAT, "cosm_json_spawn", "more than 512 components", "remove some");
    kept_text_free(&text);
    CHECK_DONE(cosm_batch_destroy(batch));
    CHECK_DONE(cosm_engine_destroy(engine));
}

// Text of entities with every set of nine tags: 512 of them.
static void make_tag_sets(cosm_engine *engine, struct kept_text *text) {
    char name[16];
    for (uint32_t i = 0; i < 9; i++) {
        (void)snprintf(name, sizeof(name), "t%u", i);
        CHECK(cosm_component_define(engine, &(cosm_component_desc){.name = name, .size = 64}).id !=
              0);
    }
    keep_text(text, "{\"entities\":[", 13);
    for (uint32_t set = 0; set < 512; set++) {
        char member[16];
        keep_text(text, set > 0 ? ",{" : "{", set > 0 ? 2 : 1);
        bool first = true;
        for (uint32_t i = 0; i < 9; i++) {
            if ((set >> i & 1) != 0) {
                static const char zeroes[] = "0000000000000000000000000000000000000000000000000000"
                                             "0000000000000000000000000000000000000000000000000000"
                                             "000000000000000000000000";
                (void)snprintf(member, sizeof(member), "%s\"t%u\":\"", first ? "" : ",", i);
                keep_text(text, member, strlen(member));
                keep_text(text, zeroes, 128);
                keep_text(text, "\"", 1);
                first = false;
            }
        }
        keep_text(text, "}", 1);
    }
    keep_text(text, "]}", 2);
}

TEST(hundreds_of_different_sets_are_read) {
    struct fixture box;
    struct kept_text text = {0};
    struct kept_text again = {0};
    fixture_open(&box, 0, 2);
    make_tag_sets(box.engine, &text);
    CHECK_DONE(cosm_json_read_world(box.world, text.bytes, text.length));
    CHECK_INT(cosm_world_entity_count(box.world), 512);
    // In the order of tables this time, to a world that gives out the same ids.
    write_world(&text, box.world, false);
    CHECK_DONE(cosm_json_read_world(fixture_world(&box, 1), text.bytes, text.length));
    write_world(&text, fixture_world(&box, 1), false);
    CHECK_DONE(cosm_batch_reset(box.batch, (uint8_t[]){1, 0}));
    CHECK_DONE(cosm_json_read_world(box.world, text.bytes, text.length));
    CHECK_INT(cosm_world_entity_count(box.world), 512);
    write_world(&again, box.world, false);
    CHECK_INT(again.length, text.length);
    CHECK_VALID(box.batch);
    kept_text_free(&text);
    kept_text_free(&again);
    fixture_close(&box);
}

TEST(hundreds_of_different_sets_that_find_no_room_are_despawned_again) {
    struct fixture box;
    struct kept_text text = {0};
    uint32_t refused = 0;
    fixture_open_with(&box, 0, NULL, NULL);
    make_tag_sets(box.engine, &text);
    for (size_t limit = 200000; limit < 3000000; limit += 100000) {
        cosm_batch *batch =
            cosm_batch_create(box.engine, &(cosm_batch_desc){.memory_limit = limit});
        cosm_world world = cosm_batch_world(batch, 0);
        cosm_entity entity = cosm_entity_spawn(world, box.mover);
        cosm_result result = cosm_json_read_world(world, text.bytes, text.length);
        CHECK(result == COSM_OK || result == COSM_ERROR_MEMORY);
        CHECK_INT(cosm_world_entity_count(world), result == COSM_OK ? 513 : 1);
        CHECK(cosm_entity_is_alive(world, entity));
        CHECK_VALID(batch);
        refused += result != COSM_OK ? 1 : 0;
        CHECK_DONE(cosm_batch_destroy(batch));
    }
    CHECK(refused > 1 && refused < 28);
    kept_text_free(&text);
    fixture_close(&box);
}

TEST(long_text_comes_in_pieces) {
    struct fixture box;
    struct kept_text text = {0};
    cosm_rows rows;
    fixture_open(&box, 0, 1);
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, 5000, &rows));
    write_world(&text, box.world, false);
    CHECK(text.piece_count > 10);
    CHECK(is_json(text.bytes, text.length));
    CHECK_DONE(cosm_world_reset(box.world));
    CHECK_DONE(cosm_json_read_world(box.world, text.bytes, text.length));
    CHECK_INT(cosm_world_entity_count(box.world), 5000);
    kept_text_free(&text);
    fixture_close(&box);
}

TEST(worlds_and_archetypes_that_are_not_there_are_refused) {
    struct fixture box;
    struct kept_text text = {0};
    cosm_json_style style = {false};
    cosm_world nowhere = {NULL, 0};
    fixture_open(&box, 0, 2);
    cosm_world beyond = {box.batch, 2};
    CHECK_FAILS(cosm_json_write_world(nowhere, style, keep_text, &text), COSM_ERROR_ARGUMENT,
                "cosm_json_write_world", "world.batch is NULL", "pass a world");
    CHECK_FAILS(cosm_json_write_world(beyond, style, keep_text, &text), COSM_ERROR_ARGUMENT,
                "cosm_json_write_world", "world.index is 2", "pass a world");
    CHECK_FAILS(cosm_json_write_world(box.world, style, NULL, &text), COSM_ERROR_ARGUMENT,
                "cosm_json_write_world", "write is NULL", "pass");
    CHECK_FAILS(cosm_json_write_table(beyond, box.mover, style, keep_text, &text),
                COSM_ERROR_ARGUMENT, "cosm_json_write_table", "world.index is 2", "pass a world");
    CHECK_FAILS(cosm_json_write_table(box.world, (cosm_archetype){99}, style, keep_text, &text),
                COSM_ERROR_ARGUMENT, "cosm_json_write_table", "archetype 99", "pass one");
    CHECK_FAILS(cosm_json_write_entity(beyond, (cosm_entity){1, 0}, style, keep_text, &text),
                COSM_ERROR_ARGUMENT, "cosm_json_write_entity", "world.index is 2", "pass a world");
    CHECK_FAILS(cosm_json_read_entity(beyond, (cosm_entity){1, 0}, "{}", 2), COSM_ERROR_ARGUMENT,
                "cosm_json_read_entity", "world.index is 2", "pass a world");
    CHECK_FAILS(cosm_json_read_entity(box.world, (cosm_entity){1, 0}, NULL, 2), COSM_ERROR_ARGUMENT,
                "cosm_json_read_entity", "text is NULL", "pass");
    CHECK_FAILS(cosm_json_read_world(beyond, "{}", 2), COSM_ERROR_ARGUMENT, "cosm_json_read_world",
                "world.index is 2", "pass a world");
    CHECK_FAILS(cosm_json_read_world(box.world, NULL, 2), COSM_ERROR_ARGUMENT,
                "cosm_json_read_world", "text is NULL", "pass");
    CHECK(cosm_entity_is_none(cosm_json_spawn(beyond, "{}", 2)));
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_json_spawn", "world.index is 2", "pass a world");
    CHECK(cosm_entity_is_none(cosm_json_spawn(box.world, NULL, 2)));
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_json_spawn", "text is NULL", "pass");
    CHECK_INT(text.length, 0u);
    fixture_close(&box);
}
