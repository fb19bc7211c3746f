// Shared values, sector components and objects, as text and as JSON, and back.
#include <string.h>

#include "harness.h"
#include "support.h"

// A zoo of two worlds, and a number in each entity by which it is known in both.
struct stock {
    struct zoo zoo;
    cosm_world second;
    cosm_component number;
    struct kept_text text;
};

static const cosm_field number_fields[] = {{.name = "n", .type = COSM_FIELD_U32}};

static void stock_open(struct stock *stock) {
    *stock = (struct stock){.text = {0}};
    cosm_error_clear();
    stock->zoo.engine = cosm_engine_create(&(cosm_engine_desc){.worker_count = 1});
    zoo_define(&stock->zoo);
    stock->number = cosm_component_define(
        stock->zoo.engine,
        &(cosm_component_desc){
            .name = "Number", .size = 4, .fields = number_fields, .field_count = 1});
    stock->zoo.batch = cosm_batch_create(stock->zoo.engine, &(cosm_batch_desc){.world_count = 3});
    stock->zoo.world = cosm_batch_world(stock->zoo.batch, 0);
    stock->second = cosm_batch_world(stock->zoo.batch, 1);
}

static void stock_close(struct stock *stock) {
    kept_text_free(&stock->text);
    zoo_close(&stock->zoo);
}

static cosm_entity spawn_number(struct stock *stock, uint32_t n) {
    cosm_archetype archetype = cosm_archetype_define(
        stock->zoo.engine, &(cosm_archetype_desc){.components = {stock->number}});
    return cosm_entity_spawn_with(stock->zoo.world, archetype, &(cosm_value){stock->number, &n}, 1);
}

static void read_second(struct stock *stock, const char *text) {
    CHECK_DONE(cosm_json_read_world(stock->second, text, strlen(text)));
    CHECK_VALID(stock->zoo.batch);
}

static void expect_entity(struct stock *stock, cosm_world world, cosm_entity entity,
                          const char *expected) {
    write_entity(&stock->text, world, entity, false);
    CHECK_STR(stock->text.bytes, expected);
}

TEST(shared_values_and_sector_components_are_printed_with_their_entity) {
    struct stock stock;
    stock_open(&stock);
    struct zoo *zoo = &stock.zoo;
    cosm_entity a = spawn_number(&stock, 1);
    cosm_entity b = spawn_number(&stock, 2);
    cosm_entity c = spawn_number(&stock, 3);
    CHECK_DONE(cosm_entity_set(zoo->world, a, zoo->team, &(Name){"red"}));
    CHECK_DONE(cosm_entity_set(zoo->world, b, zoo->team, &(Name){"blue"}));
    CHECK_DONE(cosm_entity_set(zoo->world, c, zoo->team, &(Name){"red"}));
    CHECK_DONE(cosm_entity_set(zoo->world, b, zoo->heat, &(Vector){1, 2, 3}));
    CHECK_DONE(cosm_entity_add(zoo->world, b, zoo->wet));
    CHECK_DONE(cosm_entity_add(zoo->world, c, zoo->wet));
    CHECK_DONE(cosm_text_print_entity(zoo->world, b, keep_text, &stock.text));
    CHECK_STR(stock.text.bytes, "entity @1:1  Team {text: \"blue\"}  Number {n: 2}  "
                                "Heat {x: 1, y: 2, z: 3}  Wet");
    kept_text_clear(&stock.text);
    CHECK_DONE(cosm_text_print_world(zoo->world, 2, keep_text, &stock.text));
    CHECK_CONTAINS(stock.text.bytes, "component Heat: 12 bytes, sector\n"
                                     "component Tie: 32 bytes, sector\n"
                                     "component Wet: tag, sector\n");
    CHECK_CONTAINS(stock.text.bytes, ": 3 rows, growing\n"
                                     "  Team: 24 bytes, shared\n"
                                     "  Number: 4 bytes, struct\n"
                                     "  entity @0:1  Team {text: \"red\"}  Number {n: 1}\n"
                                     "  entity @2:1  Team {text: \"red\"}  Number {n: 3}  Wet\n"
                                     "  and 1 row more\n");
    kept_text_clear(&stock.text);
    CHECK_DONE(cosm_text_print_table(zoo->world, cosm_entity_archetype(zoo->world, a), 0, keep_text,
                                     &stock.text));
    CHECK_CONTAINS(stock.text.bytes, "entity @1:1  Team {text: \"blue\"}");
    CHECK(strstr(stock.text.bytes, "more") == NULL);
    stock_close(&stock);
}

TEST(shared_values_and_sector_components_are_members_of_their_entity) {
    struct stock stock;
    stock_open(&stock);
    struct zoo *zoo = &stock.zoo;
    cosm_entity a = spawn_number(&stock, 1);
    CHECK_DONE(cosm_entity_set(zoo->world, a, zoo->seal, &(Raw){{0xAB}}));
    CHECK_DONE(cosm_entity_add(zoo->world, a, zoo->wet));
    CHECK_DONE(cosm_entity_set(zoo->world, a, zoo->heat, &(Vector){1, 2, 3}));
    expect_entity(&stock, zoo->world, a,
                  "{\"entity\":\"@0:1\",\"Seal\":\"ab000000000000000000000000\","
                  "\"Number\":{\"n\":1},\"Heat\":{\"x\":1,\"y\":2,\"z\":3},\"Wet\":{}}");
    kept_text_clear(&stock.text);
    CHECK_DONE(cosm_json_write_table(zoo->world, cosm_entity_archetype(zoo->world, a),
                                     (cosm_json_style){0}, keep_text, &stock.text));
    CHECK_STR(stock.text.bytes,
              "{\"archetype\":\"\",\"components\":[\"Seal\",\"Number\"],\"entities\":["
              "{\"entity\":\"@0:1\",\"Seal\":\"ab000000000000000000000000\",\"Number\":{\"n\":1},"
              "\"Heat\":{\"x\":1,\"y\":2,\"z\":3},\"Wet\":{}}]}");
    read_second(&stock, stock.text.bytes);
    expect_entity(&stock, stock.second, (cosm_entity){1, 0},
                  "{\"entity\":\"@0:1\",\"Seal\":\"ab000000000000000000000000\","
                  "\"Number\":{\"n\":1},\"Heat\":{\"x\":1,\"y\":2,\"z\":3},\"Wet\":{}}");
    stock_close(&stock);
}

TEST(references_in_shared_values_and_in_sectors_are_translated) {
    static const char text[] =
        "{\"entities\":["
        "{\"entity\":\"@70:1\",\"Bond\":{\"target\":\"@90:1\"},\"Tie\":{\"target\":\"@70:1\"}},"
        "{\"entity\":\"@80:1\",\"Bond\":{\"target\":\"@70:1\"}},"
        "{\"entity\":\"@90:1\",\"Bond\":{\"target\":\"@90:1\"},\"Tie\":{\"target\":\"@99:1\"}}],"
        "\"singletons\":{\"Leader\":{\"target\":\"@80:1\"}}}";
    struct stock stock;
    stock_open(&stock);
    read_second(&stock, text);
    const struct zoo *zoo = &stock.zoo;
    const cosm_entity all[3] = {{1, 0}, {1, 1}, {1, 2}};
    const Link *bond = READ_BY_ID(stock.second, all[0], Link, zoo->bond);
    CHECK(cosm_entity_equals(bond->target, all[2]));
    CHECK(READ_BY_ID(stock.second, all[2], Link, zoo->bond) == bond); // one value, held once
    CHECK(cosm_entity_equals(READ_BY_ID(stock.second, all[1], Link, zoo->bond)->target, all[0]));
    CHECK(cosm_entity_equals(READ_BY_ID(stock.second, all[0], Link, zoo->tie)->target, all[0]));
    CHECK(cosm_entity_is_none(READ_BY_ID(stock.second, all[2], Link, zoo->tie)->target));
    CHECK(!cosm_entity_has(stock.second, all[1], zoo->tie));
    CHECK(
        cosm_entity_equals(SINGLETON_READ_BY_ID(stock.second, Link, zoo->leader)->target, all[1]));
    stock_close(&stock);
}

// Entities of all kinds, some of which die again, or lose what they had.
static void populate(struct stock *stock, struct dice *dice, uint32_t count) {
    struct zoo *zoo = &stock->zoo;
    cosm_entity entities[300];
    Name teams[3] = {{"red"}, {"blue"}, {""}};
    for (uint32_t i = 0; i < count; i++) {
        entities[i] = spawn_number(stock, i);
        uint32_t component_count = dice_roll(dice, 5);
        for (uint32_t k = 0; k < component_count; k++) {
            char value[1024];
            cosm_component component =
                zoo_component(zoo, dice_roll(dice, 2) == 0 ? dice_roll(dice, ZOO_COUNT)
                                                           : ZOO_COLUMN_COUNT + dice_roll(dice, 6));
            zoo_fill(zoo, component, dice, value);
            if (component.id == zoo->team.id) {
                memcpy(value, &teams[dice_roll(dice, 3)], sizeof(Name));
            } else if (component.id == zoo->bond.id || component.id == zoo->tie.id) {
                // One that stays: where a reference becomes none, values become equal.
                uint32_t target = dice_roll(dice, i + 1) | 1;
                Link link = {i > 1 && target % 5 != 0 && target < i ? entities[target]
                                                                    : COSM_ENTITY_NONE,
                             {{0}}};
                memcpy(value, &link, sizeof(link));
            }
            CHECK_DONE(cosm_entity_set(zoo->world, entities[i], component, value));
        }
    }
    for (uint32_t i = 0; i < count; i += 5) {
        CHECK_DONE(cosm_entity_despawn(zoo->world, entities[i]));
        CHECK_DONE(cosm_entity_remove(zoo->world, entities[i + 1], zoo->wet));
        CHECK_DONE(cosm_entity_remove(zoo->world, entities[i + 2], zoo->heat));
        CHECK_DONE(cosm_entity_remove(zoo->world, entities[i + 3], zoo->bond));
    }
}

// The entities of a world by their numbers; none where there is no such.
static void index_numbers(const struct stock *stock, cosm_world world, cosm_entity *out_entities,
                          uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        out_entities[i] = COSM_ENTITY_NONE;
    }
    cosm_query *query = cosm_query_create(
        stock->zoo.engine, &(cosm_query_desc){.terms = {{.component = stock->number}}});
    cosm_rows rows;
    cosm_query_walk(query, cosm_worlds_one(world), &rows);
    while (cosm_rows_next(&rows)) {
        const uint32_t *number = COSM_COLUMN_READ(&rows, uint32_t, 0);
        for (uint32_t i = 0; i < rows.count; i++) {
            out_entities[number[i]] = rows.entities[i];
        }
    }
    cosm_query_destroy(query);
}

// What a handle of the first world is in the second.
static cosm_entity twin(const cosm_entity *first, const cosm_entity *second, uint32_t count,
                        cosm_entity entity) {
    for (uint32_t i = 0; i < count; i++) {
        if (!cosm_entity_is_none(first[i]) && cosm_entity_equals(first[i], entity)) {
            return second[i];
        }
    }
    return entity.id == 0 && entity.gen == 0 ? entity : COSM_ENTITY_NONE;
}

static void check_twins(const struct stock *stock, uint32_t count) {
    const struct zoo *zoo = &stock->zoo;
    cosm_entity first[300];
    cosm_entity second[300];
    index_numbers(stock, zoo->world, first, count);
    index_numbers(stock, stock->second, second, count);
    for (uint32_t i = 0; i < count; i++) {
        CHECK_INT(cosm_entity_is_none(first[i]), cosm_entity_is_none(second[i]));
        for (uint32_t k = 0; k < ZOO_COUNT && !cosm_entity_is_none(first[i]); k++) {
            cosm_component component = zoo_component(zoo, k);
            char left[1024] = {0};
            char right[1024] = {0};
            CHECK_INT(cosm_entity_has(stock->second, second[i], component),
                      cosm_entity_has(zoo->world, first[i], component));
            CHECK_INT(cosm_entity_get(zoo->world, first[i], component, left),
                      cosm_entity_get(stock->second, second[i], component, right));
            cosm_component_info info = cosm_component_describe(zoo->engine, component);
            for (uint32_t f = 0; f < info.field_count; f++) {
                const cosm_field *field = &info.fields[f];
                for (uint32_t e = 0;
                     field->type == COSM_FIELD_ENTITY && e < cosm_field_element_count(field); e++) {
                    cosm_entity *at = (cosm_entity *)(void *)(left + field->offset) + e;
                    *at = twin(first, second, count, *at);
                }
            }
            CHECK_MEM(right, left, cosm_component_describe(zoo->engine, component).size);
        }
    }
}

TEST(a_world_of_every_storage_reads_back_with_all_its_values) {
    struct dice dice = {harness_seed()};
    for (int round = 0; round < 8; round++) {
        struct stock stock;
        struct kept_text again = {0};
        stock_open(&stock);
        populate(&stock, &dice, 300);
        write_world(&stock.text, stock.zoo.world, round % 2 == 0);
        CHECK(is_json(stock.text.bytes, stock.text.length));
        read_second(&stock, stock.text.bytes);
        check_twins(&stock, 300);
        // From then on ids are in the order of the text, and reading once more changes nothing.
        cosm_world third = cosm_batch_world(stock.zoo.batch, 2);
        write_world(&stock.text, stock.second, false);
        CHECK_DONE(cosm_json_read_world(third, stock.text.bytes, stock.text.length));
        write_world(&again, third, false);
        CHECK_STR(again.bytes, stock.text.bytes);
        CHECK_DONE(cosm_world_seed(third, 1, 0));
        CHECK_DONE(cosm_world_seed(stock.second, 1, 0));
        CHECK_INT(cosm_hash_world(third, COSM_HASH_EXACT),
                  cosm_hash_world(stock.second, COSM_HASH_EXACT));
        kept_text_free(&again);
        stock_close(&stock);
    }
}

TEST(a_world_that_was_made_in_the_order_of_its_text_has_the_same_checksum_when_read) {
    struct stock stock;
    stock_open(&stock);
    struct zoo *zoo = &stock.zoo;
    for (uint32_t i = 0; i < 40; i++) {
        cosm_entity entity = spawn_number(&stock, i);
        CHECK_DONE(cosm_entity_set(zoo->world, entity, zoo->team, &(Name){{(char)('a' + i / 10)}}));
        if (i % 2 == 0) {
            CHECK_DONE(cosm_entity_set(zoo->world, entity, zoo->heat, &(Vector){(float)i, 0, 0}));
        }
        if (i % 3 == 0) {
            CHECK_DONE(cosm_entity_set(zoo->world, entity, zoo->tie, &(Link){entity, {{0}}}));
        }
        if (i % 5 == 0) {
            CHECK_DONE(cosm_entity_add(zoo->world, entity, zoo->wet));
            CHECK_DONE(cosm_entity_remove(zoo->world, entity, zoo->heat));
        }
    }
    write_world(&stock.text, zoo->world, true);
    read_second(&stock, stock.text.bytes);
    CHECK_DONE(cosm_world_seed(zoo->world, 1, 0));
    CHECK_DONE(cosm_world_seed(stock.second, 1, 0));
    CHECK_INT(cosm_hash_world(stock.second, COSM_HASH_EXACT),
              cosm_hash_world(zoo->world, COSM_HASH_EXACT));
    stock_close(&stock);
}

TEST(a_world_with_shared_values_alone_or_sectors_alone_reads_back) {
    static const char *const texts[] = {
        "{\"cosm\":1,\"entities\":[{\"entity\":\"@0:1\",\"Team\":{\"text\":\"red\"}},"
        "{\"entity\":\"@1:1\",\"Team\":{\"text\":\"red\"}},"
        "{\"entity\":\"@2:1\",\"Team\":{\"text\":\"blue\"}}]}",
        "{\"cosm\":1,\"entities\":[{\"entity\":\"@0:1\"},{\"entity\":\"@1:1\",\"Wet\":{}},"
        "{\"entity\":\"@2:1\"}]}",
    };
    for (int i = 0; i < 2; i++) {
        struct stock stock;
        stock_open(&stock);
        read_second(&stock, texts[i]);
        write_world(&stock.text, stock.second, false);
        const char *entities = strstr(stock.text.bytes, "\"entities\"");
        REQUIRE(entities != NULL);
        CHECK_STR(entities, strstr(texts[i], "\"entities\""));
        CHECK_INT(cosm_shared_value_count(stock.second, stock.zoo.team), i == 0 ? 2 : 0);
        stock_close(&stock);
    }
}

struct seen {
    uint32_t count;
    float sum;
};

static void see_vectors(const cosm_event *event) {
    struct seen *seen = event->context;
    for (uint32_t i = 0; i < event->count; i++) {
        const Vector *vector = EVENT_BY_ID(event, i, Vector, event->component);
        seen->count++;
        seen->sum += vector->x;
        if (vector->x == 2) {
            CHECK_DONE(cosm_commands_despawn(event->commands, event->world, event->entities[i]));
        }
    }
}

TEST(observers_see_what_is_read_and_may_take_it_away) {
    static const char text[] =
        "{\"entities\":[{\"Vector\":{\"x\":2}},{\"Vector\":{\"x\":3}},{\"Vector\":{\"x\":4},"
        "\"Tag\":{}},{\"Vector\":{\"x\":2},\"Tag\":{}}]}";
    struct stock stock;
    struct seen seen = {0, 0};
    stock_open(&stock);
    struct zoo *zoo = &stock.zoo;
    CHECK(cosm_observer_define(zoo->engine, &(cosm_observer_desc){.name = "see",
                                                                  .component = zoo->vector[0],
                                                                  .on = COSM_EVENT_ADD,
                                                                  .run = see_vectors,
                                                                  .context = &seen})
              .id != 0);
    read_second(&stock, text);
    CHECK_INT(seen.count, 4);
    CHECK_NEAR(seen.sum, 11, 0);
    CHECK_INT(cosm_world_entity_count(stock.second), 2);
    stock_close(&stock);
}

TEST(an_entity_gets_shared_values_and_sector_components_from_text) {
    static const char text[] = "{\"Team\":{\"text\":\"red\"},\"Heat\":{\"y\":2},\"Wet\":{}}";
    struct stock stock;
    stock_open(&stock);
    struct zoo *zoo = &stock.zoo;
    cosm_entity entity = spawn_number(&stock, 1);
    CHECK_DONE(cosm_json_read_entity(zoo->world, entity, text, strlen(text)));
    expect_entity(&stock, zoo->world, entity,
                  "{\"entity\":\"@0:1\",\"Team\":{\"text\":\"red\"},\"Number\":{\"n\":1},"
                  "\"Heat\":{\"x\":0,\"y\":2,\"z\":0},\"Wet\":{}}");
    static const char more[] = "{\"Team\":{\"text\":\"blue\"},\"Heat\":{\"x\":1}}";
    CHECK_DONE(cosm_json_read_entity(zoo->world, entity, more, strlen(more)));
    expect_entity(&stock, zoo->world, entity,
                  "{\"entity\":\"@0:1\",\"Team\":{\"text\":\"blue\"},\"Number\":{\"n\":1},"
                  "\"Heat\":{\"x\":1,\"y\":2,\"z\":0},\"Wet\":{}}");
    cosm_entity other = cosm_json_spawn(zoo->world, text, strlen(text));
    expect_entity(&stock, zoo->world, other,
                  "{\"entity\":\"@1:1\",\"Team\":{\"text\":\"red\"},"
                  "\"Heat\":{\"x\":0,\"y\":2,\"z\":0},\"Wet\":{}}");
    stock_close(&stock);
}

TEST(while_a_world_is_walked_only_what_moves_nothing_is_read) {
    static const char same[] = "{\"Team\":{\"text\":\"red\"},\"Heat\":{\"x\":7}}";
    static const char other[] = "{\"Team\":{\"text\":\"blue\"},\"Heat\":{\"x\":8}}";
    static const char more[] = "{\"Wet\":{}}";
    struct stock stock;
    stock_open(&stock);
    struct zoo *zoo = &stock.zoo;
    cosm_entity entity = cosm_json_spawn(zoo->world, same, strlen(same));
    cosm_query *query = cosm_query_create(zoo->engine, &(cosm_query_desc){.by_world = true});
    cosm_rows rows;
    cosm_query_walk(query, cosm_worlds_one(zoo->world), &rows);
    REQUIRE(cosm_rows_next(&rows));
    cosm_entity_write(zoo->world, entity, zoo->heat);
    CHECK_DONE(cosm_json_read_entity(zoo->world, entity, same, strlen(same)));
    CHECK_INT(cosm_json_read_entity(zoo->world, entity, other, strlen(other)), COSM_ERROR_WALKED);
    CHECK_INT(cosm_json_read_entity(zoo->world, entity, more, strlen(more)), COSM_ERROR_WALKED);
    CHECK_NEAR(READ_BY_ID(zoo->world, entity, Vector, zoo->heat)->x, 7, 0);
    cosm_rows_end(&rows);
    cosm_query_destroy(query);
    stock_close(&stock);
}

TEST(writing_counts_as_reading) {
    struct stock stock;
    stock_open(&stock);
    struct zoo *zoo = &stock.zoo;
    cosm_entity entity = spawn_number(&stock, 1);
    CHECK_DONE(cosm_entity_set(zoo->world, entity, zoo->team, &(Name){"red"}));
    CHECK_DONE(cosm_entity_add(zoo->world, entity, zoo->vector[1]));
    CHECK_DONE(cosm_change_track(zoo->batch, stock.number));
    CHECK_DONE(cosm_change_track(zoo->batch, zoo->vector[1]));
    uint64_t now = cosm_change_now(zoo->world);
    write_world(&stock.text, zoo->world, true);
    write_entity(&stock.text, zoo->world, entity, true);
    CHECK_DONE(cosm_text_print_world(zoo->world, 0, keep_text, &stock.text));
    CHECK(cosm_change_entity_tick(zoo->world, entity, stock.number) <= now);
    CHECK(cosm_change_entity_tick(zoo->world, entity, zoo->vector[1]) <= now);
    stock_close(&stock);
}

static bool copy_bytes(void *context, void *object, const void *source) {
    (void)context;
    memcpy(object, source, 4);
    return true;
}

static void end_bytes(void *context, void *object) {
    (void)context;
    memset(object, 0xDD, 4);
}

TEST(objects_in_any_storage_are_written_by_their_fields_and_never_read) {
    static const char *const wrong[] = {"{\"A\":{\"n\":1}}", "{\"B\":\"01000000\"}",
                                        "{\"Wet\":{},\"C\":{\"n\":1}}"};
    struct stock stock;
    stock_open(&stock);
    struct zoo *zoo = &stock.zoo;
    cosm_component_desc desc = {.name = "A",
                                .size = 4,
                                .fields = number_fields,
                                .field_count = 1,
                                .storage = COSM_STORAGE_SHARED,
                                .lifecycle = {.copy = copy_bytes, .destroy = end_bytes}};
    cosm_component a = cosm_component_define(zoo->engine, &desc);
    desc.name = "B";
    desc.field_count = 0;
    desc.fields = NULL;
    cosm_component b = cosm_component_define(zoo->engine, &desc);
    desc.name = "C";
    desc.storage = COSM_STORAGE_SECTOR;
    cosm_component c = cosm_component_define(zoo->engine, &desc);
    cosm_entity entity = spawn_number(&stock, 1);
    uint32_t value = 5;
    CHECK_DONE(cosm_entity_set(zoo->world, entity, a, &value));
    CHECK_DONE(cosm_entity_set(zoo->world, entity, b, &value));
    CHECK_DONE(cosm_entity_set(zoo->world, entity, c, &value));
    expect_entity(&stock, zoo->world, entity,
                  "{\"entity\":\"@0:1\",\"Number\":{\"n\":1},\"A\":{\"n\":5}}");
    write_world(&stock.text, zoo->world, false);
    CHECK_CONTAINS(stock.text.bytes,
                   "[{\"entity\":\"@0:1\",\"Number\":{\"n\":1},\"A\":{\"n\":5}}]");
    uint64_t before = cosm_hash_world(zoo->world, COSM_HASH_EXACT);
    for (uint32_t i = 0; i < 3; i++) {
        CHECK_FAILS(cosm_json_read_entity(zoo->world, entity, wrong[i], strlen(wrong[i])),
                    COSM_ERROR_FORMAT, "cosm_json_read_entity", "objects", "set it yourself");
        CHECK(cosm_entity_is_none(cosm_json_spawn(zoo->world, wrong[i], strlen(wrong[i]))));
    }
    CHECK_INT(cosm_hash_world(zoo->world, COSM_HASH_EXACT), before);
    stock_close(&stock);
}

TEST(wrong_texts_with_sectors_and_shared_values_change_nothing) {
    static const char *const wrong[] = {
        "{\"entities\":[{\"Wet\":{}},{\"Wet\":{},\"Wet\":{}}]}",
        "{\"entities\":[{\"Heat\":{\"x\":1}},{\"Heat\":{\"x\":\"hot\"}}]}",
        "{\"entities\":[{\"Team\":{\"text\":\"red\"},\"Heat\":{}},{\"Team\":{\"text\":7}}]}",
        "{\"entities\":[{\"Seal\":\"ab\"}]}",
        "{\"entities\":[{\"Wet\":{\"x\":1}}]}",
        "{\"entities\":[{\"Tie\":{\"target\":\"@1\"}}]}",
        "{\"entities\":[{\"entity\":\"@1:1\",\"Wet\":{}},{\"entity\":\"@1:1\",\"Heat\":{}}]}",
        "{\"entities\":[{\"Wet\":{},\"Team\":{}}",
    };
    struct stock stock;
    stock_open(&stock);
    struct zoo *zoo = &stock.zoo;
    CHECK_DONE(cosm_entity_add(zoo->world, spawn_number(&stock, 1), zoo->wet));
    uint64_t before = cosm_hash_world(zoo->world, COSM_HASH_EXACT);
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        CHECK_INT(cosm_json_read_world(zoo->world, wrong[i], strlen(wrong[i])), COSM_ERROR_FORMAT);
        CHECK_INT(cosm_hash_world(zoo->world, COSM_HASH_EXACT), before);
    }
    stock_close(&stock);
}

TEST(a_fixed_table_that_has_no_room_refuses_a_text_with_sectors) {
    static const char text[] = "{\"entities\":[{\"Vector\":{},\"Heat\":{}},{\"Vector\":{}}]}";
    struct stock stock;
    stock_open(&stock);
    struct zoo *zoo = &stock.zoo;
    CHECK(
        cosm_archetype_define(zoo->engine, &(cosm_archetype_desc){.components = {zoo->vector[0]},
                                                                  .placement = COSM_PLACEMENT_FIXED,
                                                                  .max_per_world = 1})
            .id != 0);
    uint64_t before = cosm_hash_world(zoo->world, COSM_HASH_EXACT);
    CHECK_INT(cosm_json_read_world(zoo->world, text, strlen(text)), COSM_ERROR_FULL);
    CHECK_INT(cosm_hash_world(zoo->world, COSM_HASH_EXACT), before);
    stock_close(&stock);
}
