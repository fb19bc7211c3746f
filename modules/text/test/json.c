// Entities, tables and worlds as JSON and back (cosm_text/json.h).
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef COSM_TEST_JANSSON
#include <jansson.h>
#endif

#include "harness.h"
#include "support.h"

// An engine with two worlds: what is written from the first is read to the second.
struct pair {
    struct zoo zoo;
    cosm_world second;
    struct kept_text text;
};

static void pair_open(struct pair *pair) {
    *pair = (struct pair){.text = {0}};
    cosm_error_clear();
    pair->zoo.engine = cosm_engine_create(&(cosm_engine_desc){.worker_count = 1});
    zoo_define(&pair->zoo);
    pair->zoo.batch = cosm_batch_create(pair->zoo.engine, &(cosm_batch_desc){.world_count = 2});
    pair->zoo.world = cosm_batch_world(pair->zoo.batch, 0);
    pair->second = cosm_batch_world(pair->zoo.batch, 1);
}

static void pair_close(struct pair *pair) {
    kept_text_free(&pair->text);
    zoo_close(&pair->zoo);
}

static void read_back(struct pair *pair) {
    CHECK(is_json(pair->text.bytes, pair->text.length));
    CHECK_DONE(cosm_json_read_world(pair->second, pair->text.bytes, pair->text.length));
    CHECK_VALID(pair->zoo.batch);
}

static cosm_archetype archetype_with(cosm_engine *engine, cosm_component a, cosm_component b) {
    cosm_archetype archetype =
        cosm_archetype_define(engine, &(cosm_archetype_desc){.components = {a, b}});
    CHECK(archetype.id != 0);
    return archetype;
}

// The handle in the second world of what `entity` names in the first; the tables are alike.
static cosm_entity twin(const struct pair *pair, cosm_entity entity) {
    if (entity.id == 0 && entity.gen == 0) {
        return entity;
    }
    cosm_loc loc = cosm_entity_loc(pair->zoo.world, entity);
    return cosm_entity_at(pair->second, loc);
}

// Turns the handles in a value of the first world into those of the second.
static void translate(const struct pair *pair, const cosm_field *fields, uint32_t count,
                      char *value) {
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0;
             fields[i].type == COSM_FIELD_ENTITY && k < cosm_field_element_count(&fields[i]); k++) {
            cosm_entity entity;
            char *at = value + fields[i].offset + k * sizeof(entity);
            memcpy(&entity, at, sizeof(entity));
            entity = twin(pair, entity);
            memcpy(at, &entity, sizeof(entity));
        }
    }
}

// Checks that a table of both worlds has the same rows.
static void check_same_rows(const struct pair *pair, cosm_archetype archetype) {
    cosm_component components[COSM_ARCHETYPE_COMPONENT_MAX];
    uint32_t count = cosm_archetype_components(pair->zoo.engine, archetype,
                                               COSM_ARCHETYPE_COMPONENT_MAX, components);
    uint32_t row_count = cosm_table_row_count(pair->zoo.world, archetype);
    CHECK_INT(cosm_table_row_count(pair->second, archetype), row_count);
    for (uint32_t row = 0; row < row_count; row++) {
        cosm_entity a = cosm_entity_at(pair->zoo.world, (cosm_loc){archetype.id, row});
        cosm_entity b = cosm_entity_at(pair->second, (cosm_loc){archetype.id, row});
        for (uint32_t i = 0; i < count; i++) {
            size_t size = cosm_component_describe(pair->zoo.engine, components[i]).size;
            char left[1024] = {0};
            char right[1024] = {0};
            CHECK_INT(cosm_entity_get(pair->zoo.world, a, components[i], left), size > 0);
            CHECK_INT(cosm_entity_get(pair->second, b, components[i], right), size > 0);
            translate(pair, cosm_component_describe(pair->zoo.engine, components[i]).fields,
                      cosm_component_describe(pair->zoo.engine, components[i]).field_count, left);
            CHECK_MEM(right, left, size);
        }
    }
}

static void check_same_worlds(const struct pair *pair) {
    CHECK_INT(cosm_world_entity_count(pair->second), cosm_world_entity_count(pair->zoo.world));
    for (uint32_t id = 1; id <= cosm_engine_describe(pair->zoo.engine).archetype_count; id++) {
        check_same_rows(pair, (cosm_archetype){id});
    }
    CHECK_MEM(cosm_singleton_read(pair->second, pair->zoo.clock),
              cosm_singleton_read(pair->zoo.world, pair->zoo.clock), sizeof(Vector));
    CHECK_MEM(cosm_singleton_read(pair->second, pair->zoo.blob),
              cosm_singleton_read(pair->zoo.world, pair->zoo.blob), sizeof(Raw));
    Link leader = *SINGLETON_READ_BY_ID(pair->zoo.world, Link, pair->zoo.leader);
    leader.target = twin(pair, leader.target);
    for (int i = 0; i < 3; i++) {
        leader.others[i] = twin(pair, leader.others[i]);
    }
    CHECK_MEM(cosm_singleton_read(pair->second, pair->zoo.leader), &leader, sizeof(leader));
}

// A handle to some entity of the list, which may be dead, to none, or to nobody.
static cosm_entity some_entity(struct dice *dice, const cosm_entity *entities, uint32_t count) {
    switch (dice_roll(dice, 6)) {
    case 0:
        return COSM_ENTITY_NONE;
    case 1:
        return (cosm_entity){0, 0};
    case 2:
        return (cosm_entity){(uint32_t)dice_next(dice) | 1, dice_roll(dice, 2 * count)};
    default:
        return entities[dice_roll(dice, count)];
    }
}

static void link_entities(struct pair *pair, struct dice *dice, const cosm_entity *entities,
                          uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < 2; k++) {
            Link link = {some_entity(dice, entities, count), {{0}}};
            for (int j = 0; j < 3; j++) {
                link.others[j] = some_entity(dice, entities, count);
            }
            if (cosm_entity_has(pair->zoo.world, entities[i], pair->zoo.link[k])) {
                CHECK_DONE(cosm_entity_set(pair->zoo.world, entities[i], pair->zoo.link[k], &link));
            }
        }
    }
    Link leader = {some_entity(dice, entities, count), {{0}}};
    *SINGLETON_WRITE_BY_ID(pair->zoo.world, Link, pair->zoo.leader) = leader;
}

// Many entities with random components and values, some of which die again.
static void populate(struct pair *pair, struct dice *dice, cosm_entity *entities, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        entities[i] = cosm_entity_spawn(
            pair->zoo.world,
            archetype_with(pair->zoo.engine, pair->zoo.vector[i % 2], (cosm_component){0}));
        uint32_t component_count = dice_roll(dice, 4);
        for (uint32_t k = 0; k < component_count; k++) {
            char value[1024];
            cosm_component component = zoo_component(&pair->zoo, dice_roll(dice, ZOO_COLUMN_COUNT));
            zoo_fill(&pair->zoo, component, dice, value);
            CHECK_DONE(cosm_entity_set(pair->zoo.world, entities[i], component, value));
        }
    }
    link_entities(pair, dice, entities, count);
    for (uint32_t i = 0; i < count; i += 5) {
        CHECK_DONE(cosm_entity_despawn(pair->zoo.world, entities[i]));
    }
    zoo_fill(&pair->zoo, pair->zoo.raw, dice,
             cosm_singleton_write(pair->zoo.world, pair->zoo.blob));
    zoo_fill(&pair->zoo, pair->zoo.vector[0], dice,
             cosm_singleton_write(pair->zoo.world, pair->zoo.clock));
}

TEST(a_world_reads_back_with_all_its_values_and_references) {
    struct dice dice = {harness_seed()};
    for (int round = 0; round < 6; round++) {
        struct pair pair;
        cosm_entity entities[200];
        pair_open(&pair);
        populate(&pair, &dice, entities, 200);
        write_world(&pair.text, pair.zoo.world, round % 2 == 0);
        read_back(&pair);
        check_same_worlds(&pair);
        pair_close(&pair);
    }
}

TEST(a_world_that_was_read_is_written_as_the_same_text_from_then_on) {
    struct dice dice = {harness_seed()};
    struct pair pair;
    cosm_entity entities[100];
    struct kept_text again = {0};
    pair_open(&pair);
    populate(&pair, &dice, entities, 100);
    write_world(&pair.text, pair.zoo.world, false);
    read_back(&pair);
    // What was read has ids in the order of the text, so that reading once more changes nothing.
    write_world(&pair.text, pair.second, false);
    cosm_batch *fresh = cosm_batch_create(pair.zoo.engine, NULL);
    cosm_world third = cosm_batch_world(fresh, 0);
    CHECK_DONE(cosm_json_read_world(third, pair.text.bytes, pair.text.length));
    write_world(&again, third, false);
    CHECK_STR(again.bytes, pair.text.bytes);
    kept_text_free(&again);
    CHECK_DONE(cosm_batch_destroy(fresh));
    pair_close(&pair);
}

#ifdef COSM_TEST_JANSSON
static double number_in(const json_t *object, const char *key) {
    return json_number_value(json_object_get(object, key));
}

TEST(another_reader_finds_the_same_values) {
    struct dice dice = {harness_seed()};
    struct pair pair;
    json_error_t error;
    pair_open(&pair);
    cosm_archetype archetype =
        archetype_with(pair.zoo.engine, pair.zoo.vector[0], pair.zoo.vector[1]);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(pair.zoo.world, archetype, 500, &rows));
    for (uint32_t i = 0; i < rows.count; i++) {
        for (int k = 0; k < 2; k++) {
            // Random bits, but for the highest exponent: finite numbers of all sizes.
            uint32_t bits[3];
            for (int j = 0; j < 3; j++) {
                bits[j] = (uint32_t)dice_next(&dice) & 0xBFFFFFFFu;
            }
            CHECK_DONE(cosm_rows_set(&rows, i, pair.zoo.vector[k], bits));
        }
    }
    write_world(&pair.text, pair.zoo.world, true);
    json_t *world = json_loadb(pair.text.bytes, pair.text.length, 0, &error);
    json_t *entities = json_object_get(world, "entities");
    CHECK_INT(json_array_size(entities), rows.count);
    for (uint32_t i = 0; i < json_array_size(entities); i++) {
        static const char *const names[2] = {"Vector", "VectorSplit"};
        char handle[32];
        cosm_entity entity = cosm_entity_at(pair.zoo.world, (cosm_loc){archetype.id, i});
        (void)snprintf(handle, sizeof(handle), "@%u:%u", entity.id, entity.gen);
        CHECK_STR(json_string_value(json_object_get(json_array_get(entities, i), "entity")),
                  handle);
        for (int k = 0; k < 2; k++) {
            Vector value;
            json_t *object = json_object_get(json_array_get(entities, i), names[k]);
            CHECK(cosm_entity_get(pair.zoo.world, entity, pair.zoo.vector[k], &value));
            CHECK((float)number_in(object, "x") == value.x);
            CHECK((float)number_in(object, "y") == value.y);
            CHECK((float)number_in(object, "z") == value.z);
        }
    }
    json_decref(world);
    pair_close(&pair);
}
#endif

TEST(both_layouts_are_written_as_the_same_text) {
    struct dice dice = {harness_seed()};
    struct zoo zoo;
    struct kept_text texts[2] = {{0}, {0}};
    zoo_open(&zoo);
    for (uint32_t i = 0; i < 7; i++) {
        cosm_component component = zoo_component(&zoo, 2 * i);
        cosm_archetype archetypes[2];
        char value[1024];
        zoo_fill(&zoo, component, &dice, value);
        archetypes[0] = archetype_with(zoo.engine, component, (cosm_component){0});
        // With a tag it is another set; the tag's member is cut off below.
        archetypes[1] = cosm_archetype_define(
            zoo.engine, &(cosm_archetype_desc){.components = {component, zoo.tag},
                                               .layouts = {{component, COSM_LAYOUT_SPLIT}}});
        REQUIRE(archetypes[1].id != 0);
        CHECK_INT(cosm_archetype_layout(zoo.engine, archetypes[1], component), COSM_LAYOUT_SPLIT);
        for (uint32_t k = 0; k < 2; k++) {
            cosm_entity entity = cosm_entity_spawn_with(zoo.world, archetypes[k],
                                                        &(cosm_value){component, value}, 1);
            write_entity(&texts[k], zoo.world, entity, false);
            char *start = strchr(texts[k].bytes, ',');
            char *tag = strstr(texts[k].bytes, ",\"Tag\":{}");
            REQUIRE(start != NULL && (tag != NULL) == (k == 1));
            if (tag != NULL) {
                memmove(tag, tag + 9, strlen(tag + 9) + 1);
            }
            memmove(texts[k].bytes, start, strlen(start) + 1);
        }
        CHECK_STR(texts[1].bytes, texts[0].bytes);
    }
    kept_text_free(&texts[0]);
    kept_text_free(&texts[1]);
    zoo_close(&zoo);
}

// Reads a text that is spelled out to the second world.
static void read_text(struct pair *pair, const char *text) {
    CHECK_DONE(cosm_json_read_world(pair->second, text, strlen(text)));
    CHECK_VALID(pair->zoo.batch);
}

static cosm_entity row(const struct pair *pair, cosm_archetype archetype, uint32_t index) {
    return cosm_entity_at(pair->second, (cosm_loc){archetype.id, index});
}

TEST(references_lead_to_the_entities_they_named) {
    struct pair pair;
    pair_open(&pair);
    read_text(&pair, "{\"entities\":["
                     "{\"entity\":\"@7:3\",\"Link\":{\"target\":\"@4000000000:9\"}},"
                     "{\"entity\":\"@4000000000:9\",\"Link\":{\"target\":\"@7:3\","
                     "\"others\":[\"@4000000000:9\",null,\"@7:1\"]}},"
                     "{\"entity\":\"@7:5\",\"Link\":{\"target\":\"@0:0\","
                     "\"others\":[\"@7:5\",\"@7:3\",\"@0:1\"]}},"
                     "{\"Link\":{}}]}");
    cosm_archetype archetype = cosm_archetype_of(pair.zoo.engine, &pair.zoo.link[0], 1);
    Link links[4];
    CHECK_INT(cosm_table_row_count(pair.second, archetype), 4);
    for (uint32_t i = 0; i < 4; i++) {
        CHECK(cosm_entity_get(pair.second, row(&pair, archetype, i), pair.zoo.link[0], &links[i]));
    }
    cosm_entity none = COSM_ENTITY_NONE;
    CHECK(cosm_entity_equals(links[0].target, row(&pair, archetype, 1)));    // to a later one
    CHECK(cosm_entity_equals(links[1].target, row(&pair, archetype, 0)));    // to an earlier one
    CHECK(cosm_entity_equals(links[1].others[0], row(&pair, archetype, 1))); // to itself
    CHECK(cosm_entity_equals(links[1].others[1], none));                     // to none
    CHECK(cosm_entity_equals(links[1].others[2], none)); // to one that the text does not have
    CHECK(cosm_entity_equals(links[2].target, (cosm_entity){0, 0})); // a zeroed one stays so
    CHECK(cosm_entity_equals(links[2].others[0], row(&pair, archetype, 2)));
    CHECK(cosm_entity_equals(links[2].others[1], row(&pair, archetype, 0)));
    CHECK(cosm_entity_equals(links[2].others[2], none));
    // What the text does not name is the default, also where that looks like a handle of the text.
    CHECK(cosm_entity_equals(links[0].others[2], (cosm_entity){7, 9}));
    CHECK(cosm_entity_equals(links[3].target, none));
    CHECK(cosm_entity_equals(links[3].others[2], (cosm_entity){7, 9}));
    pair_close(&pair);
}

TEST(a_singleton_refers_to_entities_and_keeps_what_is_not_named) {
    struct pair pair;
    pair_open(&pair);
    Link *leader = SINGLETON_WRITE_BY_ID(pair.second, Link, pair.zoo.leader);
    leader->others[0] = (cosm_entity){3, 1};
    leader->others[1] = (cosm_entity){5, 2};
    read_text(&pair, "{\"singletons\":{\"Leader\":{\"target\":\"@1:3\"},\"Clock\":{\"y\":9}},"
                     "\"entities\":[{\"entity\":\"@1:3\"}]}");
    CHECK(cosm_entity_is_alive(pair.second, leader->target));
    CHECK(cosm_entity_equals(leader->others[0], (cosm_entity){3, 1}));
    CHECK(cosm_entity_equals(leader->others[1], (cosm_entity){5, 2}));
    CHECK_MEM(cosm_singleton_read(pair.second, pair.zoo.clock), &((Vector){1, 9, 3}),
              sizeof(Vector));
    pair_close(&pair);
}

TEST(rows_come_into_tables_in_the_order_of_the_text) {
    struct pair pair;
    pair_open(&pair);
    read_text(&pair, "{\"entities\":[{\"Vector\":{\"x\":1}},{\"Tag\":{},\"Vector\":{\"x\":2}},"
                     "{\"Vector\":{\"x\":3}},{},{\"Vector\":{\"x\":4},\"Tag\":{}},"
                     "{\"Vector\":{\"x\":5}}]}");
    cosm_archetype one = cosm_archetype_of(pair.zoo.engine, &pair.zoo.vector[0], 1);
    cosm_archetype two =
        cosm_archetype_of(pair.zoo.engine, (cosm_component[]){pair.zoo.vector[0], pair.zoo.tag}, 2);
    CHECK_INT(cosm_table_row_count(pair.second, one), 3);
    CHECK_INT(cosm_table_row_count(pair.second, two), 2);
    CHECK_INT(cosm_world_entity_count(pair.second), 6);
    const Vector *rows = cosm_table_column(pair.second, one, pair.zoo.vector[0]);
    CHECK_MEM(rows, ((Vector[]){{1, 2, 3}, {3, 2, 3}, {5, 2, 3}}), 3 * sizeof(Vector));
    rows = cosm_table_column(pair.second, two, pair.zoo.vector[0]);
    CHECK_MEM(rows, ((Vector[]){{2, 2, 3}, {4, 2, 3}}), 2 * sizeof(Vector));
    pair_close(&pair);
}

TEST(what_is_read_comes_on_top_of_what_is_there) {
    struct pair pair;
    pair_open(&pair);
    cosm_archetype archetype =
        archetype_with(pair.zoo.engine, pair.zoo.vector[1], (cosm_component){0});
    Vector before = {7, 8, 9};
    cosm_entity old = cosm_entity_spawn_with(pair.second, archetype,
                                             &(cosm_value){pair.zoo.vector[1], &before}, 1);
    read_text(&pair, "{\"entities\":[{\"entity\":\"@0:1\",\"VectorSplit\":{\"x\":1}},"
                     "{\"VectorSplit\":{\"z\":5}}]}");
    Vector values[3];
    CHECK_INT(cosm_table_row_count(pair.second, archetype), 3);
    for (uint32_t i = 0; i < 3; i++) {
        CHECK(
            cosm_entity_get(pair.second, row(&pair, archetype, i), pair.zoo.vector[1], &values[i]));
    }
    CHECK(cosm_entity_equals(row(&pair, archetype, 0), old));
    CHECK_MEM(values, ((Vector[]){{7, 8, 9}, {1, 2, 3}, {1, 2, 5}}), sizeof(values));
    pair_close(&pair);
}

TEST(an_empty_world_reads_back_and_so_does_a_world_of_nothing) {
    struct pair pair;
    pair_open(&pair);
    uint64_t before = cosm_hash_world(pair.second, COSM_HASH_EXACT);
    write_world(&pair.text, pair.zoo.world, false);
    CHECK_CONTAINS(pair.text.bytes, "{\"cosm\":1,\"singletons\":{\"Clock\":{\"x\":1,");
    CHECK_CONTAINS(pair.text.bytes, "},\"entities\":[]}");
    read_back(&pair);
    read_text(&pair, "{}");
    read_text(&pair, "{\"entities\":[],\"singletons\":{},\"cosm\":1}");
    CHECK_INT(cosm_hash_world(pair.second, COSM_HASH_EXACT), before);
    pair_close(&pair);
}

TEST(a_world_has_a_line_per_entity_when_spaced) {
    struct fixture box;
    struct kept_text text = {0};
    fixture_open(&box, 0, 1);
    cosm_entity a = fixture_spawn(&box, 1);
    cosm_entity b = cosm_entity_spawn(box.world, box.stone);
    CHECK(a.id == 0 && b.id == 1);
    write_world(&text, box.world, true);
    CHECK_STR(text.bytes, "{\"cosm\": 1, \"singletons\": {}, \"entities\": [\n"
                          "{\"entity\": \"@0:1\", \"Position\": \"0000803f0000000000000000\", "
                          "\"Velocity\": \"000000000000000000000000\"},\n"
                          "{\"entity\": \"@1:1\", \"Position\": \"000000000000000000000000\", "
                          "\"Mark\": {}}\n]}\n");
    kept_text_free(&text);
    fixture_close(&box);
}

TEST(a_world_that_is_walked_takes_singletons_but_no_entities) {
    struct pair pair;
    static const char entities[] = "{\"singletons\":{\"Clock\":{\"x\":5}},\"entities\":[{}]}";
    static const char singletons[] = "{\"singletons\":{\"Clock\":{\"x\":5}}}";
    pair_open(&pair);
    read_text(&pair, "{\"entities\":[{\"Tag\":{}}]}");
    cosm_query *query = cosm_query_create(
        pair.zoo.engine,
        &(cosm_query_desc){.terms = {{.component = pair.zoo.tag, .access = COSM_ACCESS_WRITE}}});
    uint64_t before = cosm_hash_world(pair.second, COSM_HASH_EXACT);
    cosm_rows rows;
    cosm_query_walk(query, cosm_worlds_one(pair.second), &rows);
    CHECK(cosm_rows_next(&rows));
    CHECK_INT(cosm_json_read_world(pair.second, entities, strlen(entities)), COSM_ERROR_WALKED);
    CHECK_INT(cosm_hash_world(pair.second, COSM_HASH_EXACT), before);
    CHECK(cosm_entity_is_none(cosm_json_spawn(pair.second, "{}", 2)));
    CHECK_INT(cosm_error_result(), COSM_ERROR_WALKED);
    CHECK_DONE(cosm_json_read_world(pair.second, singletons, strlen(singletons)));
    cosm_rows_end(&rows);
    CHECK(SINGLETON_READ_BY_ID(pair.second, Vector, pair.zoo.clock)->x == 5);
    cosm_query_destroy(query);
    pair_close(&pair);
}

TEST(temporary_rows_are_left_out_of_a_world_and_have_no_handle_in_their_table) {
    struct fixture box;
    struct kept_text text = {0};
    cosm_rows rows;
    fixture_open(&box, 0, 1);
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.event, 2, &rows));
    write_world(&text, box.world, false);
    CHECK_STR(text.bytes, "{\"cosm\":1,\"singletons\":{},\"entities\":[]}");
    kept_text_clear(&text);
    CHECK_DONE(
        cosm_json_write_table(box.world, box.event, (cosm_json_style){false}, keep_text, &text));
    CHECK_STR(text.bytes, "{\"archetype\":\"event\",\"components\":[\"Health\"],\"entities\":["
                          "{\"entity\":null,\"Health\":\"64000000\"},"
                          "{\"entity\":null,\"Health\":\"64000000\"}]}");
    CHECK(is_json(text.bytes, text.length));
    CHECK_DONE(cosm_json_read_world(box.world, text.bytes, text.length));
    CHECK_INT(cosm_world_entity_count(box.world), 2);
    kept_text_free(&text);
    fixture_close(&box);
}

TEST(a_table_reads_back_as_a_world_does) {
    struct dice dice = {harness_seed()};
    struct pair pair;
    cosm_entity entities[50];
    pair_open(&pair);
    populate(&pair, &dice, entities, 50);
    cosm_archetype archetype = cosm_archetype_of(pair.zoo.engine, &pair.zoo.vector[0], 1);
    CHECK(cosm_table_row_count(pair.zoo.world, archetype) > 0);
    CHECK_DONE(cosm_json_write_table(pair.zoo.world, archetype, (cosm_json_style){true}, keep_text,
                                     &pair.text));
    read_back(&pair);
    check_same_rows(&pair, archetype);
    kept_text_clear(&pair.text);
    CHECK_DONE(cosm_world_reset(pair.zoo.world));
    CHECK_DONE(cosm_json_write_table(pair.zoo.world, archetype, (cosm_json_style){true}, keep_text,
                                     &pair.text));
    CHECK_STR(pair.text.bytes,
              "{\"archetype\": \"\", \"components\": [\"Vector\"], \"entities\": [\n]}\n");
    read_back(&pair);
    pair_close(&pair);
}

TEST(a_component_called_entity_is_told_from_the_handle) {
    struct pair pair;
    pair_open(&pair);
    float value = 2.5f;
    cosm_component marked = cosm_component_define(
        pair.zoo.engine, &(cosm_component_desc){.name = "=entity", .size = 1, .alignment = 1});
    cosm_entity entity = cosm_entity_spawn_with(
        pair.zoo.world, archetype_with(pair.zoo.engine, pair.zoo.entity, marked),
        &(cosm_value){pair.zoo.entity, &value}, 1);
    write_entity(&pair.text, pair.zoo.world, entity, false);
    CHECK_STR(pair.text.bytes,
              "{\"entity\":\"@0:1\",\"=entity\":{\"entity\":2.5},\"==entity\":\"00\"}");
    cosm_entity back = cosm_json_spawn(pair.second, pair.text.bytes, pair.text.length);
    CHECK(READ_BY_ID(pair.second, back, float, pair.zoo.entity) != NULL);
    CHECK(*READ_BY_ID(pair.second, back, float, pair.zoo.entity) == 2.5f);
    CHECK(cosm_entity_has(pair.second, back, marked));
    pair_close(&pair);
}

TEST(an_object_is_spawned_with_defaults_for_what_it_does_not_name) {
    struct pair pair;
    static const char text[] = "{\"entity\":\"@3:3\",\"VectorSplit\":{\"y\":0},\"Tag\":{},"
                               "\"Link\":{\"target\":\"@3:3\"}}";
    pair_open(&pair);
    cosm_entity entity = cosm_json_spawn(pair.second, text, strlen(text));
    Vector vector;
    Link link;
    CHECK(cosm_entity_is_alive(pair.second, entity));
    CHECK(cosm_entity_has(pair.second, entity, pair.zoo.tag));
    CHECK(cosm_entity_get(pair.second, entity, pair.zoo.vector[1], &vector));
    CHECK_MEM(&vector, &((Vector){1, 0, 3}), sizeof(vector));
    // The handle is the text's affair, and references of a single entity are taken as they are.
    CHECK(cosm_entity_get(pair.second, entity, pair.zoo.link[0], &link));
    CHECK(cosm_entity_equals(link.target, (cosm_entity){3, 3}));
    CHECK(!cosm_entity_is_none(cosm_json_spawn(pair.second, "{}", 2)));
    CHECK_INT(cosm_world_entity_count(pair.second), 2);
    pair_close(&pair);
}

TEST(an_entity_is_read_onto_with_what_the_text_names) {
    struct pair pair;
    static const char text[] =
        "{\"entity\":\"@99:1\",\"VectorSplit\":{\"z\":8},\"Vector\":{\"x\":5},\"Tag\":{}}";
    pair_open(&pair);
    Vector vector = {4, 5, 6};
    Name name = {"kept"};
    cosm_entity entity = cosm_entity_spawn_with(
        pair.second, archetype_with(pair.zoo.engine, pair.zoo.vector[1], pair.zoo.name[0]),
        (cosm_value[]){{pair.zoo.vector[1], &vector}, {pair.zoo.name[0], &name}}, 2);
    CHECK_DONE(cosm_json_read_entity(pair.second, entity, text, strlen(text)));
    CHECK(cosm_entity_get(pair.second, entity, pair.zoo.vector[1], &vector));
    CHECK_MEM(&vector, &((Vector){4, 5, 8}), sizeof(vector));
    CHECK(cosm_entity_get(pair.second, entity, pair.zoo.vector[0], &vector));
    CHECK_MEM(&vector, &((Vector){5, 2, 3}), sizeof(vector));
    CHECK(cosm_entity_has(pair.second, entity, pair.zoo.tag));
    CHECK_STR(READ_BY_ID(pair.second, entity, Name, pair.zoo.name[0])->text, "kept");
    CHECK_DONE(cosm_entity_despawn(pair.second, entity));
    cosm_error_clear();
    CHECK_INT(cosm_json_read_entity(pair.second, entity, text, strlen(text)), COSM_STALE);
    CHECK_INT(cosm_json_write_entity(pair.second, entity, (cosm_json_style){false}, keep_text,
                                     &pair.text),
              COSM_STALE);
    CHECK_SILENT();
    CHECK_INT(pair.text.length, 0u);
    pair_close(&pair);
}

TEST(an_entity_written_reads_back_onto_another) {
    struct dice dice = {harness_seed()};
    struct pair pair;
    pair_open(&pair);
    for (uint32_t i = 0; i < ZOO_COLUMN_COUNT; i++) {
        char value[1024] = {0};
        char back[1024] = {0};
        cosm_component component = zoo_component(&pair.zoo, i);
        size_t size = cosm_component_describe(pair.zoo.engine, component).size;
        zoo_fill(&pair.zoo, component, &dice, value);
        cosm_entity a = cosm_entity_spawn(
            pair.zoo.world, archetype_with(pair.zoo.engine, component, (cosm_component){0}));
        CHECK_DONE(cosm_entity_set(pair.zoo.world, a, component, value));
        write_entity(&pair.text, pair.zoo.world, a, i % 2 == 0);
        CHECK(is_json(pair.text.bytes, pair.text.length));
        cosm_entity b = cosm_entity_spawn(
            pair.second, archetype_with(pair.zoo.engine, (cosm_component){0}, (cosm_component){0}));
        CHECK_DONE(cosm_json_read_entity(pair.second, b, pair.text.bytes, pair.text.length));
        CHECK_INT(cosm_entity_archetype(pair.second, b).id,
                  cosm_entity_archetype(pair.zoo.world, a).id);
        CHECK_INT(cosm_entity_get(pair.second, b, component, back), size > 0);
        CHECK_MEM(back, value, size);
    }
    pair_close(&pair);
}

TEST(the_padding_of_what_is_spawned_is_zero) {
    struct pair pair;
    pair_open(&pair);
    unsigned char bytes[16];
    memset(bytes, 0xEE, sizeof(bytes));
    static const cosm_field fields[] = {
        {.name = "a", .type = COSM_FIELD_U8},
        {.name = "b", .type = COSM_FIELD_U32, .offset = 4},
        {.name = "c", .type = COSM_FIELD_U8, .offset = 8, .padding = 3}};
    cosm_component holes =
        cosm_component_define(pair.zoo.engine, &(cosm_component_desc){.name = "Holes",
                                                                      .size = 16,
                                                                      .alignment = 4,
                                                                      .default_value = bytes,
                                                                      .fields = fields,
                                                                      .field_count = 3});
    read_text(&pair, "{\"entities\":[{\"Holes\":{\"b\":1}}]}");
    cosm_archetype archetype = cosm_archetype_of(pair.zoo.engine, &holes, 1);
    CHECK(cosm_entity_get(pair.second, row(&pair, archetype, 0), holes, bytes));
    CHECK_MEM(bytes, ((unsigned char[]){0xEE, 0, 0, 0, 1, 0, 0, 0, 0xEE, 0, 0, 0, 0, 0, 0, 0}), 16);
    pair_close(&pair);
}

TEST(names_that_need_escapes_are_written_and_found) {
    static const char name[] = "a \"b\"\n\xC3\xA9";
    struct pair pair;
    pair_open(&pair);
    cosm_component odd = cosm_component_define(
        pair.zoo.engine, &(cosm_component_desc){.name = name, .size = 4, .alignment = 4});
    cosm_singleton single = cosm_singleton_define(
        pair.zoo.engine, &(cosm_singleton_desc){.name = name, .size = 4, .alignment = 4});
    CHECK(odd.id != 0 && single.id != 0);
    for (int i = 0; i < 3; i++) {
        uint32_t value = 7;
        CHECK(!cosm_entity_is_none(cosm_entity_spawn_with(
            pair.zoo.world, archetype_with(pair.zoo.engine, odd, (cosm_component){0}),
            &(cosm_value){odd, &value}, 1)));
    }
    write_world(&pair.text, pair.zoo.world, false);
    CHECK_CONTAINS(pair.text.bytes, "\"a \\\"b\\\"\\n\xC3\xA9\":\"07000000\"");
    read_back(&pair);
    check_same_worlds(&pair);
    pair_close(&pair);
}
