// Limits: each one of cosm/types.h, at it and one past it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "store/rows.h"
#include "support/fixture.h"

static const char *numbered(const char *word, uint32_t number) {
    static char name[64];
    (void)snprintf(name, sizeof(name), "%s %u", word, number);
    return name;
}

// Defines `count` components of `size` bytes.
static cosm_component *define_many(cosm_engine *engine, uint32_t count, size_t size) {
    cosm_component *list = calloc(count, sizeof(*list));
    if (list == NULL) {
        abort();
    }
    uint32_t missing = 0;
    for (uint32_t i = 0; i < count; i++) {
        list[i] = cosm_component_define(
            engine, &(cosm_component_desc){.name = numbered("component", i), .size = size});
        missing += list[i].id == 0;
    }
    CHECK_INT(missing, 0);
    return list;
}

TEST(a_name_has_at_most_127_characters) {
    cosm_engine *engine = cosm_engine_create(NULL);
    char name[COSM_NAME_LENGTH_MAX + 2];
    memset(name, 'n', sizeof(name));
    name[COSM_NAME_LENGTH_MAX] = '\0';
    cosm_component tag = cosm_component_define(engine, &(cosm_component_desc){.name = name});
    CHECK(tag.id != 0);
    CHECK_STR(cosm_component_describe(engine, tag).name, name);
    CHECK(cosm_archetype_define(engine, &(cosm_archetype_desc){.name = name}).id != 0);
    CHECK(cosm_singleton_define(engine, &(cosm_singleton_desc){.name = name, .size = 1}).id != 0);
    name[0] = 'b';
    CHECK(cosm_bundle_define(engine, &(cosm_bundle_desc){.name = name, .components = {tag}}).id);
    name[COSM_NAME_LENGTH_MAX] = 'n';
    name[COSM_NAME_LENGTH_MAX + 1] = '\0';
    CHECK_INT(cosm_component_define(engine, &(cosm_component_desc){.name = name}).id, 0);
    CHECK_FAILURE(COSM_ERROR_LIMIT, "cosm_component_define:", "128 characters", "at most 127");
    cosm_bundle_desc bundle = {.name = name, .components = {tag}};
    CHECK_INT(cosm_bundle_define(engine, &bundle).id, 0);
    CHECK_FAILURE(COSM_ERROR_LIMIT, "cosm_bundle_define:", "128 characters", "at most 127");
    CHECK_INT(cosm_archetype_define(engine, &(cosm_archetype_desc){.name = name}).id, 0);
    CHECK_FAILURE(COSM_ERROR_LIMIT, "cosm_archetype_define:", "128 characters", "at most 127");
    cosm_singleton_desc singleton = {.name = name, .size = 1};
    CHECK_INT(cosm_singleton_define(engine, &singleton).id, 0);
    CHECK_FAILURE(COSM_ERROR_LIMIT, "cosm_singleton_define:", "128 characters", "at most 127");
    CHECK_DONE(cosm_engine_destroy(engine));
}

TEST(an_engine_holds_4096_components) {
    cosm_engine *engine = cosm_engine_create(NULL);
    cosm_component *list = define_many(engine, COSM_COMPONENT_MAX, 4);
    CHECK_INT(cosm_engine_describe(engine).component_count, COSM_COMPONENT_MAX);
    CHECK_INT(cosm_component_define(engine, &(cosm_component_desc){.name = "one more"}).id, 0);
    CHECK_FAILURE(COSM_ERROR_LIMIT, "cosm_component_define:", "'one more' would be number 4097",
                  "at most 4096");
    cosm_component last = list[COSM_COMPONENT_MAX - 1];
    CHECK_INT(cosm_component_find(engine, numbered("component", 4095)).id, last.id);
    cosm_archetype archetype =
        cosm_archetype_define(engine, &(cosm_archetype_desc){.components = {list[0], last}});
    cosm_batch *batch = cosm_batch_create(engine, NULL);
    cosm_world world = cosm_batch_world(batch, 0);
    cosm_entity entity = cosm_entity_spawn(world, archetype);
    CHECK(cosm_entity_has(world, entity, last));
    CHECK_DONE(cosm_entity_remove(world, entity, last));
    CHECK_DONE(cosm_entity_add(world, entity, list[COSM_COMPONENT_MAX - 2]));
    CHECK_DONE(cosm_entity_set(world, entity, last, &(uint32_t){17}));
    CHECK_INT(*READ_BY_ID(world, entity, uint32_t, last), 17);
    CHECK_VALID(batch);
    CHECK_DONE(cosm_batch_destroy(batch));
    CHECK_DONE(cosm_engine_destroy(engine));
    free(list);
}

TEST(an_engine_holds_4096_bundles) {
    cosm_engine *engine = cosm_engine_create(NULL);
    cosm_component tag = COSM_TAG_DEFINE(engine, Tag);
    cosm_component bundle = {0};
    uint32_t missing = 0;
    for (uint32_t i = 0; i < COSM_BUNDLE_MAX; i++) {
        bundle = cosm_bundle_define(
            engine, &(cosm_bundle_desc){.name = numbered("bundle", i), .components = {tag}});
        missing += bundle.id == 0;
    }
    CHECK_INT(missing, 0);
    CHECK_INT(cosm_component_members(engine, bundle, 0, NULL), 1);
    cosm_bundle_desc more = {.name = "one more", .components = {tag}};
    CHECK_INT(cosm_bundle_define(engine, &more).id, 0);
    CHECK_FAILURE(COSM_ERROR_LIMIT, "cosm_bundle_define:", "'one more' would be number 4097",
                  "at most 4096");
    CHECK_INT(cosm_engine_describe(engine).component_count, 1);
    CHECK_DONE(cosm_engine_destroy(engine));
}

TEST(an_engine_holds_4096_singletons) {
    cosm_engine *engine = cosm_engine_create(NULL);
    cosm_batch *batch = cosm_batch_create(engine, &(cosm_batch_desc){.world_count = 2});
    uint32_t missing = 0;
    cosm_singleton singleton = {0};
    for (uint32_t i = 0; i < COSM_SINGLETON_MAX; i++) {
        singleton = cosm_singleton_define(
            engine, &(cosm_singleton_desc){.name = numbered("singleton", i), .size = 4});
        missing += singleton.id == 0;
    }
    CHECK_INT(missing, 0);
    CHECK(cosm_singleton_read(cosm_batch_world(batch, 1), singleton) != NULL);
    cosm_singleton_desc more = {.name = "one more", .size = 4};
    CHECK_INT(cosm_singleton_define(engine, &more).id, 0);
    CHECK_FAILURE(COSM_ERROR_LIMIT, "cosm_singleton_define:", "'one more' would be number 4097",
                  "at most 4096");
    CHECK_DONE(cosm_batch_destroy(batch));
    CHECK_DONE(cosm_engine_destroy(engine));
}

// Spawns, grows and reads back rows of one component of `size` bytes.
static void try_size(size_t size, uint32_t rows) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_component large =
        cosm_component_define(box.engine, &(cosm_component_desc){.name = "large", .size = size});
    REQUIRE(large.id != 0);
    cosm_archetype archetype = cosm_archetype_define(
        box.engine, &(cosm_archetype_desc){.components = {large, box.health}});
    cosm_entity first = COSM_ENTITY_NONE;
    for (uint32_t i = 0; i < rows; i++) {
        cosm_entity entity = cosm_entity_spawn(box.world, archetype);
        REQUIRE(!cosm_entity_is_none(entity));
        first = i == 0 ? entity : first;
        unsigned char *bytes = cosm_entity_write(box.world, entity, large);
        REQUIRE(bytes != NULL);
        CHECK_INT(bytes[0] | bytes[size / 2] | bytes[size - 1], 0);
        bytes[0] = (unsigned char)(i + 1);
        bytes[size - 1] = (unsigned char)(i + 2);
    }
    CHECK_DONE(cosm_entity_remove(box.world, first, box.health));
    const unsigned char *moved = cosm_entity_read(box.world, first, large);
    CHECK(moved[0] == 1 && moved[size - 1] == 2);
    for (uint32_t r = 0; r + 1 < rows; r++) {
        const unsigned char *bytes = cosm_loc_read(box.world, (cosm_loc){archetype.id, r}, large);
        CHECK_INT(bytes[size - 1], bytes[0] + 1);
    }
    fixture_close(&box);
}

TEST(a_component_has_at_most_16_mebibytes) {
    try_size((size_t)1 << 20, 20);
    try_size(COSM_COMPONENT_SIZE_MAX, 3);
    cosm_engine *engine = cosm_engine_create(NULL);
    cosm_component_desc more = {.name = "more", .size = COSM_COMPONENT_SIZE_MAX + 1};
    CHECK_INT(cosm_component_define(engine, &more).id, 0);
    CHECK_FAILURE(COSM_ERROR_LIMIT, "cosm_component_define:", "desc.size 16777217",
                  "limit of 16777216 bytes");
    more.size = SIZE_MAX;
    CHECK_INT(cosm_component_define(engine, &more).id, 0);
    CHECK_FAILURE(COSM_ERROR_LIMIT, "cosm_component_define:", "18446744073709551615", "split");
    CHECK_DONE(cosm_engine_destroy(engine));
}

TEST(a_singleton_has_at_most_16_mebibytes) {
    cosm_engine *engine = cosm_engine_create(NULL);
    cosm_singleton_desc desc = {.name = "large", .size = COSM_COMPONENT_SIZE_MAX};
    cosm_singleton large = cosm_singleton_define(engine, &desc);
    CHECK(large.id != 0);
    cosm_batch *batch = cosm_batch_create(engine, &(cosm_batch_desc){.world_count = 2});
    char *value = cosm_singleton_write(cosm_batch_world(batch, 1), large);
    REQUIRE(value != NULL);
    value[COSM_COMPONENT_SIZE_MAX - 1] = 1;
    CHECK_DONE(cosm_batch_destroy(batch));
    desc = (cosm_singleton_desc){.name = "more", .size = COSM_COMPONENT_SIZE_MAX + 1};
    CHECK_INT(cosm_singleton_define(engine, &desc).id, 0);
    CHECK_FAILURE(COSM_ERROR_LIMIT, "cosm_singleton_define:", "desc.size 16777217", "limit");
    CHECK_DONE(cosm_engine_destroy(engine));
}

TEST(alignment_goes_up_to_4096) {
    cosm_engine *engine = cosm_engine_create(NULL);
    cosm_component_desc desc = {.name = "wide", .size = 4096, .alignment = 4096};
    CHECK(cosm_component_define(engine, &desc).id != 0);
    desc = (cosm_component_desc){.name = "wider", .size = 8192, .alignment = 8192};
    CHECK_INT(cosm_component_define(engine, &desc).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_component_define:", "desc.alignment 8192",
                  "up to 4096");
    CHECK_DONE(cosm_engine_destroy(engine));
}

TEST(a_list_in_a_desc_holds_32_and_the_rest_comes_by_pointer) {
    cosm_engine *engine = cosm_engine_create(NULL);
    cosm_component *list = define_many(engine, COSM_LIST_MAX + 1, 0);
    cosm_archetype_desc desc = {.name = "full"};
    cosm_bundle_desc bundle = {.name = "full bundle"};
    memcpy(desc.components, list, sizeof(desc.components));
    memcpy(bundle.components, list, sizeof(bundle.components));
    cosm_archetype full = cosm_archetype_define(engine, &desc);
    CHECK_INT(cosm_archetype_components(engine, full, 0, NULL), COSM_LIST_MAX);
    CHECK_INT(cosm_component_members(engine, cosm_bundle_define(engine, &bundle), 0, NULL), 32);
    desc.name = "fuller";
    desc.more = list + COSM_LIST_MAX;
    desc.more_count = 1;
    cosm_archetype fuller = cosm_archetype_define(engine, &desc);
    CHECK_INT(cosm_archetype_components(engine, fuller, 0, NULL), COSM_LIST_MAX + 1);
    CHECK_DONE(cosm_engine_destroy(engine));
    free(list);
}

TEST(an_archetype_has_at_most_512_components) {
    cosm_engine *engine = cosm_engine_create(NULL);
    uint32_t max = COSM_ARCHETYPE_COMPONENT_MAX;
    cosm_component *list = define_many(engine, max + 1, 4);
    cosm_archetype full =
        cosm_archetype_define(engine, &(cosm_archetype_desc){.more = list, .more_count = max});
    CHECK_INT(cosm_archetype_components(engine, full, 0, NULL), max);
    cosm_archetype_desc over = {.more = list, .more_count = max + 1};
    CHECK_INT(cosm_archetype_define(engine, &over).id, 0);
    CHECK_FAILURE(COSM_ERROR_LIMIT, "cosm_archetype_define:", "more than 512", "use fewer");
    CHECK_INT(cosm_archetype_of(engine, list, max + 1).id, 0);
    CHECK_FAILURE(COSM_ERROR_LIMIT, "cosm_archetype_of:", "more than 512", "use fewer");
    cosm_bundle_desc bundle = {.name = "over", .more = list, .more_count = max + 1};
    CHECK_INT(cosm_bundle_define(engine, &bundle).id, 0);
    CHECK_FAILURE(COSM_ERROR_LIMIT, "cosm_bundle_define:", "more than 512", "use fewer");
    cosm_batch *batch = cosm_batch_create(engine, NULL);
    cosm_world world = cosm_batch_world(batch, 0);
    cosm_entity entity = cosm_entity_spawn(world, full);
    for (uint32_t i = 0; i < max; i++) {
        *WRITE_BY_ID(world, entity, uint32_t, list[i]) = i;
    }
    CHECK_FAILS(cosm_entity_add(world, entity, list[max]), COSM_ERROR_LIMIT,
                "cosm_entity_add:", "more than 512", "remove some first");
    CHECK_DONE(cosm_entity_remove(world, entity, list[100]));
    CHECK_DONE(cosm_entity_add(world, entity, list[max]));
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < max; i++) {
        const uint32_t *value = READ_BY_ID(world, entity, uint32_t, list[i]);
        wrong += i == 100 ? value != NULL : value == NULL || *value != i;
    }
    CHECK_INT(wrong, 0);
    CHECK_VALID(batch);
    CHECK_DONE(cosm_batch_destroy(batch));
    CHECK_DONE(cosm_engine_destroy(engine));
    free(list);
}

TEST(a_query_has_at_most_32_terms) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_component *list = define_many(box.engine, COSM_QUERY_TERM_MAX, 4);
    cosm_query_desc desc = {.by_world = false};
    for (uint32_t i = 0; i < COSM_QUERY_TERM_MAX; i++) {
        desc.terms[i] = (cosm_term){.component = list[i], .access = COSM_ACCESS_WRITE};
    }
    cosm_archetype archetype = cosm_archetype_define(
        box.engine, &(cosm_archetype_desc){.more = list, .more_count = COSM_QUERY_TERM_MAX});
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, archetype, 3, &rows));
    cosm_query *query = cosm_query_create(box.engine, &desc);
    cosm_query_walk(query, box.all, &rows);
    CHECK(cosm_rows_next(&rows));
    CHECK_INT(rows.term_count, COSM_QUERY_TERM_MAX);
    for (uint32_t i = 0; i < COSM_QUERY_TERM_MAX; i++) {
        CHECK(COSM_COLUMN_READ(&rows, uint32_t, i) == cosm_rows_column(&rows, list[i]));
    }
    // Behind the compiler's back: with a constant it finds the mistake itself.
    volatile uint32_t past = COSM_QUERY_TERM_MAX;
    CHECK(COSM_COLUMN_READ(&rows, uint32_t, past) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "COSM_COLUMN_READ:", "index 32", "32 terms");
    cosm_rows_end(&rows);
    cosm_query_destroy(query);
    free(list);
    fixture_close(&box);
}

TEST(a_batch_has_at_most_16777216_worlds) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_batch_desc desc = {.world_count = COSM_BATCH_WORLD_MAX + 1};
    CHECK(cosm_batch_create(box.engine, &desc) == NULL);
    CHECK_FAILURE(COSM_ERROR_LIMIT, "cosm_batch_create:", "desc.world_count 16777217",
                  "use several batches");
    // At the limit it takes a gigabyte, which a test does not ask for: only memory is in the way.
    desc = (cosm_batch_desc){.world_count = COSM_BATCH_WORLD_MAX, .memory_limit = (size_t)1 << 20};
    CHECK(cosm_batch_create(box.engine, &desc) == NULL);
    CHECK_FAILURE(COSM_ERROR_MEMORY, "cosm_batch_create:", "memory_limit", "raise the limit");
    if (harness_is_long()) {
        desc.memory_limit = 0;
        cosm_batch *batch = cosm_batch_create(box.engine, &desc);
        REQUIRE(batch != NULL);
        cosm_world last = cosm_batch_world(batch, COSM_BATCH_WORLD_MAX - 1);
        CHECK(!cosm_entity_is_none(cosm_entity_spawn(last, box.mover)));
        CHECK_DONE(cosm_batch_destroy(batch));
    }
    fixture_close(&box);
}

TEST(numbers_of_worlds_end_with_64_bits) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_batch_desc desc = {.world_count = 3, .world_first = UINT64_MAX - 1};
    CHECK(cosm_batch_create(box.engine, &desc) == NULL);
    CHECK_FAILURE(COSM_ERROR_LIMIT, "cosm_batch_create:", "desc.world_first 18446744073709551614",
                  "smaller");
    desc.world_first--;
    cosm_batch *batch = cosm_batch_create(box.engine, &desc);
    CHECK_INT(cosm_world_number(cosm_batch_world(batch, 2)), UINT64_MAX);
    CHECK_DONE(cosm_batch_destroy(batch));
    fixture_close(&box);
}

TEST(a_batch_begins_before_step_1099511627776) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_batch_desc desc = {.step_first = COSM_BATCH_STEP_MAX};
    CHECK(cosm_batch_create(box.engine, &desc) == NULL);
    CHECK_FAILURE(COSM_ERROR_LIMIT, "cosm_batch_create:", "desc.step_first 1099511627776", "2^40");
    desc.step_first--;
    cosm_batch *batch = cosm_batch_create(box.engine, &desc);
    CHECK_INT(cosm_batch_step_count(batch), COSM_BATCH_STEP_MAX - 1);
    CHECK_DONE(cosm_batch_step(batch));
    CHECK_DONE(cosm_batch_destroy(batch));
    fixture_close(&box);
}

TEST(a_table_has_at_most_268435456_rows) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_archetype blips = cosm_archetype_define(
        box.engine,
        &(cosm_archetype_desc){.name = "blips", .components = {box.mark}, .temporary = true});
    cosm_rows rows;
    CHECK_FAILS(cosm_entity_spawn_many(box.world, blips, COSM_TABLE_ROW_MAX + 1, &rows),
                COSM_ERROR_LIMIT, "cosm_entity_spawn_many:", "268435457 more", "use more worlds");
    CHECK_DONE(cosm_entity_spawn_many(box.world, blips, COSM_TABLE_ROW_MAX - 1, &rows));
    CHECK_DONE(cosm_entity_spawn_many(box.world, blips, 1, &rows));
    CHECK_INT(rows.row, COSM_TABLE_ROW_MAX - 1);
    CHECK_INT(cosm_table_row_count(box.world, blips), COSM_TABLE_ROW_MAX);
    cosm_query *query = fixture_query(&box, box.mark, (cosm_component){0});
    CHECK_INT(cosm_query_count(query, box.all), COSM_TABLE_ROW_MAX);
    CHECK_FAILS(cosm_entity_spawn_many(box.world, blips, 1, &rows), COSM_ERROR_LIMIT,
                "cosm_entity_spawn_many:", "has 268435456 rows", "limit of 268435456");
    CHECK_DONE(cosm_batch_step(box.batch));
    CHECK_INT(cosm_table_row_count(box.world, blips), 0);
    cosm_query_destroy(query);
    fixture_close(&box);
}

TEST(a_world_may_be_reset_any_number_of_times_with_spawns_recorded) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    struct world *inner = &box.batch->worlds[0];
    inner->fresh_deaths = UINT16_MAX - 1;
    cosm_commands *commands = cosm_commands_create(box.batch);
    cosm_entity promised[4];
    for (uint32_t round = 0; round < 4; round++) {
        promised[round] = cosm_commands_spawn(commands, box.world, box.mover);
        CHECK_DONE(cosm_world_reset(box.world));
        CHECK_VALID(box.batch);
        cosm_entity entity = cosm_entity_spawn(box.world, box.mover);
        CHECK_INT(entity.id, 0);
        for (uint32_t i = 0; i <= round; i++) {
            CHECK(!cosm_entity_equals(entity, promised[i]));
            CHECK(!cosm_entity_is_alive(box.world, promised[i]));
        }
        // Spawns to come are promised beyond every id that was ever handed out.
        inner->known = inner->used;
    }
    cosm_commands_destroy(commands);
    fixture_close(&box);
}

// One byte a row, so that the table is made of an address range; the rows are never touched.
TEST(a_table_of_ranges_has_at_most_268435456_rows) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_component byte = cosm_component_define(
        box.engine, &(cosm_component_desc){.name = "byte", .size = 1, .alignment = 1});
    cosm_archetype bytes = cosm_archetype_define(
        box.engine, &(cosm_archetype_desc){.components = {byte}, .temporary = true});
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many_unset(box.world, bytes, COSM_TABLE_ROW_MAX - 1, &rows));
    CHECK_DONE(cosm_entity_spawn_many(box.world, bytes, 1, &rows));
    CHECK_INT(rows.row, COSM_TABLE_ROW_MAX - 1);
    uint8_t *last = COLUMN_BY_ID(&rows, uint8_t, byte);
    REQUIRE(last != NULL);
    CHECK_INT(*last, 0);
    *last = 77;
    CHECK_FAILS(cosm_entity_spawn_many(box.world, bytes, 1, &rows), COSM_ERROR_LIMIT,
                "cosm_entity_spawn_many:", "has 268435456 rows", "limit of 268435456");
    CHECK_INT(*last, 77);
    CHECK_VALID(box.batch);
    fixture_close(&box);
}

TEST(a_fixed_table_has_at_most_268435456_rows_a_world_and_4294967295_in_all) {
    struct fixture box;
    fixture_open(&box, 0, 15);
    cosm_archetype_desc desc = {.components = {box.mark},
                                .placement = COSM_PLACEMENT_FIXED,
                                .max_per_world = COSM_TABLE_ROW_MAX + 1,
                                .temporary = true};
    CHECK_INT(cosm_archetype_define(box.engine, &desc).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_archetype_define:", "268435457", "use 1 to 268435456");
    desc.max_per_world = COSM_TABLE_ROW_MAX;
    cosm_archetype blips = cosm_archetype_define(box.engine, &desc);
    CHECK(blips.id != 0);
    cosm_rows rows;
    cosm_world last = fixture_world(&box, 14);
    CHECK_DONE(cosm_entity_spawn_many(last, blips, COSM_TABLE_ROW_MAX, &rows));
    CHECK_FAILS(cosm_entity_spawn_many(last, blips, 1, &rows), COSM_ERROR_FULL,
                "cosm_entity_spawn_many:", "max_per_world 268435456", "despawn some");
    cosm_batch *wide = cosm_batch_create(box.engine, &(cosm_batch_desc){.world_count = 16});
    CHECK_FAILS(cosm_entity_spawn_many(cosm_batch_world(wide, 0), blips, 1, &rows),
                COSM_ERROR_LIMIT, "cosm_entity_spawn_many:", "times 16 worlds",
                "lower max_per_world");
    CHECK_DONE(cosm_batch_destroy(wide));
    fixture_close(&box);
}

TEST(a_world_has_at_most_268435456_ids) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_batch_desc desc = {.entity_capacity = COSM_WORLD_ENTITY_MAX + 1};
    CHECK(cosm_batch_create(box.engine, &desc) == NULL);
    CHECK_FAILURE(COSM_ERROR_LIMIT, "cosm_batch_create:", "desc.entity_capacity 268435457",
                  "limit of 268435456");
    // The directory is address space only: ids are taken for handed out, but for the last three.
    desc.entity_capacity = COSM_WORLD_ENTITY_MAX;
    cosm_batch *batch = cosm_batch_create(box.engine, &desc);
    REQUIRE(batch != NULL);
    cosm_world world = cosm_batch_world(batch, 0);
    batch->worlds[0].used = COSM_WORLD_ENTITY_MAX - 3;
    batch->worlds[0].known = COSM_WORLD_ENTITY_MAX - 3;
    cosm_rows rows;
    CHECK_FAILS(cosm_entity_spawn_many(world, box.mover, 4, &rows), COSM_ERROR_LIMIT,
                "cosm_entity_spawn_many:", "4 more would pass", "use more worlds");
    CHECK_DONE(cosm_entity_spawn_many(world, box.mover, 2, &rows));
    cosm_commands *commands = cosm_commands_create(batch);
    cosm_entity promised = cosm_commands_spawn(commands, world, box.mover);
    CHECK_INT(promised.id, COSM_WORLD_ENTITY_MAX - 1);
    CHECK(cosm_entity_is_none(cosm_commands_spawn(commands, world, box.mover)));
    CHECK_FAILURE(COSM_ERROR_LIMIT, "cosm_commands_spawn:", "has used all", "use more worlds");
    CHECK(cosm_entity_is_none(cosm_entity_spawn(world, box.mover)));
    CHECK_FAILURE(COSM_ERROR_LIMIT, "cosm_entity_spawn:", "limit of 268435456 ids",
                  "use more worlds");
    CHECK_FAILS(cosm_commands_apply(commands, NULL), COSM_ERROR_LIMIT,
                "cosm_commands_spawn:", "has used all", "use more worlds");
    CHECK_DONE(cosm_commands_apply(commands, NULL));
    CHECK(cosm_entity_is_alive(world, promised));
    CHECK_DONE(cosm_entity_despawn(world, promised));
    CHECK_INT(cosm_entity_spawn(world, box.mover).id, promised.id);
    cosm_commands_destroy(commands);
    CHECK_DONE(cosm_batch_destroy(batch));
    fixture_close(&box);
}

// Ages an entity, as if its id had been used some two thousand million times.
static cosm_entity age(cosm_world world, cosm_entity entity, uint32_t gen) {
    struct record *record = &world.batch->worlds[world.index].records[entity.id];
    struct store *store = batch_known_store(world.batch, record->table);
    cosm_entity *cells = (cosm_entity *)store_table(store, world.index)->columns[ENTITY_COLUMN];
    record->gen = gen;
    cells[record->row].gen = gen;
    return (cosm_entity){gen, entity.id};
}

TEST(an_id_is_retired_before_its_generation_wraps) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_entity first = fixture_spawn(&box, 0);
    cosm_entity old = age(box.world, fixture_spawn(&box, 0), 0xFFFFFFFB);
    CHECK(cosm_entity_is_alive(box.world, old));
    CHECK_VALID(box.batch);
    CHECK_DONE(cosm_entity_despawn(box.world, old));
    cosm_entity last = fixture_spawn(&box, 0);
    CHECK_INT(last.id, old.id);
    CHECK_INT(last.gen, 0xFFFFFFFD);
    CHECK_DONE(cosm_entity_despawn(box.world, last));
    CHECK_VALID(box.batch);
    for (uint32_t i = 2; i < 6; i++) {
        CHECK_INT(fixture_spawn(&box, 0).id, i);
    }
    CHECK(!cosm_entity_is_alive(box.world, COSM_ENTITY_NONE));
    CHECK(!cosm_entity_is_alive(box.world, (cosm_entity){0xFFFFFFFF, old.id}));
    CHECK(!cosm_entity_is_alive(box.world, (cosm_entity){1, old.id}));
    CHECK_DONE(cosm_world_reset(box.world));
    CHECK_INT(fixture_spawn(&box, 0).id, first.id);
    CHECK_INT(fixture_spawn(&box, 0).id, 2);
    CHECK_VALID(box.batch);
    cosm_commands *commands = cosm_commands_create(box.batch);
    cosm_entity promised = cosm_commands_spawn(commands, box.world, box.mover);
    CHECK(promised.id != old.id);
    CHECK_DONE(cosm_commands_apply(commands, NULL));
    cosm_commands_destroy(commands);
    fixture_close(&box);
}

TEST(a_reset_retires_ids_too_and_promises_pass_them_over) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_entity entities[3];
    for (uint32_t i = 0; i < 3; i++) {
        entities[i] = fixture_spawn(&box, 0);
    }
    age(box.world, entities[0], 0xFFFFFFFD);
    age(box.world, entities[2], 0xFFFFFFFD);
    CHECK_DONE(cosm_world_reset(box.world));
    cosm_commands *commands = cosm_commands_create(box.batch);
    cosm_entity a = cosm_commands_spawn(commands, box.world, box.mover);
    cosm_entity b = cosm_commands_spawn(commands, box.world, box.mover);
    CHECK_INT(a.id, 1);
    CHECK_INT(b.id, 3);
    CHECK_DONE(cosm_commands_apply(commands, NULL));
    CHECK(cosm_entity_is_alive(box.world, a) && cosm_entity_is_alive(box.world, b));
    CHECK_INT(fixture_spawn(&box, 0).id, 4);
    cosm_commands_destroy(commands);
    fixture_close(&box);
}

// Defines the archetype of the tags whose bits are set.
static cosm_archetype define_set(cosm_engine *engine, const cosm_component *tags, uint32_t bits) {
    cosm_archetype_desc desc = {.name = NULL};
    uint32_t count = 0;
    for (uint32_t i = 0; i < 17; i++) {
        if ((bits >> i & 1) != 0) {
            desc.components[count++] = tags[i];
        }
    }
    return cosm_archetype_define(engine, &desc);
}

TEST(an_engine_holds_65535_archetypes) {
    cosm_engine *engine = cosm_engine_create(NULL);
    cosm_component *tags = define_many(engine, 17, 0);
    uint32_t missing = 0;
    for (uint32_t i = 0; i < COSM_ARCHETYPE_MAX; i++) {
        missing += define_set(engine, tags, i + 1).id != i + 1;
    }
    CHECK_INT(missing, 0);
    CHECK_INT(cosm_engine_describe(engine).archetype_count, COSM_ARCHETYPE_MAX);
    CHECK_INT(define_set(engine, tags, COSM_ARCHETYPE_MAX + 1).id, 0);
    CHECK_FAILURE(COSM_ERROR_LIMIT, "cosm_archetype_define:", "archetype number 65536",
                  "use fewer combinations");
    cosm_batch *batch = cosm_batch_create(engine, NULL);
    cosm_world world = cosm_batch_world(batch, 0);
    cosm_entity entity = cosm_entity_spawn(world, (cosm_archetype){COSM_ARCHETYPE_MAX});
    CHECK_INT(cosm_entity_archetype(world, entity).id, COSM_ARCHETYPE_MAX);
    CHECK_FAILS(cosm_entity_add(world, entity, tags[16]), COSM_ERROR_LIMIT,
                "cosm_entity_add:", "archetype number 65536", "use fewer combinations");
    CHECK(cosm_entity_is_alive(world, entity));
    CHECK_DONE(cosm_batch_destroy(batch));
    CHECK_DONE(cosm_engine_destroy(engine));
    free(tags);
}

TEST(clearing_a_table_retires_ids_and_bulk_spawns_pass_them_over) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_rows rows;
    CHECK(!cosm_entity_is_none(cosm_entity_spawn(box.world, box.slot)));
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, 10, &rows));
    const uint32_t old[] = {1, 4, 5, 10};
    for (uint32_t i = 0; i < 4; i++) {
        age(box.world, (cosm_entity){1, old[i]}, 0xFFFFFFFD);
    }
    CHECK_VALID(box.batch);
    CHECK_DONE(cosm_table_clear(box.world, box.mover));
    CHECK_VALID(box.batch);
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, 7, &rows));
    const uint32_t from_list[] = {2, 3, 6, 7, 8, 9, 11};
    for (uint32_t i = 0; i < 7; i++) {
        CHECK_INT(rows.entities[i].id, from_list[i]);
    }
    CHECK_DONE(cosm_world_reset(box.world));
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, 10, &rows));
    const uint32_t from_zero[] = {0, 2, 3, 6, 7, 8, 9, 11, 12, 13};
    for (uint32_t i = 0; i < 10; i++) {
        CHECK_INT(rows.entities[i].id, from_zero[i]);
    }
    fixture_close(&box);
}

TEST(a_size_over_the_limit_is_refused_before_the_default_is_read) {
    cosm_engine *engine = cosm_engine_create(NULL);
    void *short_default = calloc(1, 8);
    REQUIRE(short_default != NULL);
    cosm_component_desc component = {
        .name = "wrong", .size = SIZE_MAX - 15, .default_value = short_default};
    CHECK_INT(cosm_component_define(engine, &component).id, 0);
    CHECK_FAILURE(COSM_ERROR_LIMIT, "cosm_component_define:", "18446744073709551600", "limit");
    cosm_singleton_desc singleton = {
        .name = "wrong", .size = SIZE_MAX - 15, .default_value = short_default};
    CHECK_INT(cosm_singleton_define(engine, &singleton).id, 0);
    CHECK_FAILURE(COSM_ERROR_LIMIT, "cosm_singleton_define:", "18446744073709551600", "limit");
    free(short_default);
    CHECK_DONE(cosm_engine_destroy(engine));
}
