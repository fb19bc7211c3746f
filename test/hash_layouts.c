// What hashes do not depend on: layouts, placements, storages, and the order of definitions.
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "support/fixture.h"

#define KIND_COUNT 2

// Three bytes of padding behind `tag`, four behind `c`.
typedef struct Gap {
    uint8_t tag;
    float b;
    double d;
    uint32_t c;
} Gap;

static const cosm_field gap_fields[] = {
    {.name = "tag", .type = COSM_FIELD_U8, .offset = offsetof(Gap, tag)},
    {.name = "d", .type = COSM_FIELD_F64, .offset = offsetof(Gap, d)},
    {.name = "b", .type = COSM_FIELD_F32, .offset = offsetof(Gap, b)},
    {.name = "c", .type = COSM_FIELD_U32, .offset = offsetof(Gap, c)},
};

// Larger than any buffer, with padding in the middle and at the end.
#define BULK_SIZE 70001u

typedef struct Bulk {
    uint8_t head[BULK_SIZE];
    uint32_t middle;
    uint8_t tail[BULK_SIZE];
} Bulk;

static const cosm_field bulk_fields[] = {
    {.name = "tail", .type = COSM_FIELD_U8, .offset = offsetof(Bulk, tail), .dims = {BULK_SIZE}},
    {.name = "middle", .type = COSM_FIELD_U32, .offset = offsetof(Bulk, middle)},
    {.name = "head", .type = COSM_FIELD_U8, .offset = 0, .dims = {BULK_SIZE}},
};

// How one of several equal engines differs from the others.
struct variant {
    bool is_split;
    bool is_fixed;
    bool is_reversed; // components and archetypes are defined in the other order
    bool has_change_rows;
    unsigned char rubbish; // what padding holds
};

struct twin {
    cosm_engine *engine;
    cosm_batch *batch;
    cosm_world world;
    cosm_component gap;
    cosm_component speed;
    cosm_component mark;
    cosm_component bulk;
    cosm_singleton clock;
    cosm_singleton other;
    // Rows of 36 bytes, and of 32: without padding, or with ticks by row, other powers of two of
    // them would be about 16 KiB.
    cosm_archetype both; // gap and speed
    cosm_archetype lone; // gap
    cosm_archetype vast; // bulk
};

static void twin_define_one(struct twin *twin, const struct variant *variant, int which) {
    cosm_layout layout = variant->is_split ? COSM_LAYOUT_SPLIT : COSM_LAYOUT_STRUCT;
    switch (which) {
    case 0:
        twin->gap = cosm_component_define(
            twin->engine, &(cosm_component_desc){.name = "Gap",
                                                 .size = sizeof(Gap),
                                                 .alignment = _Alignof(Gap),
                                                 .fields = gap_fields,
                                                 .field_count = 4,
                                                 .change_rows = variant->has_change_rows,
                                                 .layout = layout});
        break;
    case 1:
        twin->speed = cosm_component_define(
            twin->engine, &(cosm_component_desc){
                              .name = "Speed", .size = 4, .change_rows = variant->has_change_rows});
        break;
    case 2:
        twin->mark = cosm_component_define(twin->engine, &(cosm_component_desc){.name = "Mark"});
        break;
    case 3:
        twin->bulk =
            cosm_component_define(twin->engine, &(cosm_component_desc){.name = "Bulk",
                                                                       .size = sizeof(Bulk),
                                                                       .alignment = _Alignof(Bulk),
                                                                       .fields = bulk_fields,
                                                                       .field_count = 3,
                                                                       .layout = layout});
        break;
    case 4:
        twin->clock = cosm_singleton_define(
            twin->engine, &(cosm_singleton_desc){.name = "Clock", .size = sizeof(uint64_t)});
        break;
    default:
        twin->other = cosm_singleton_define(
            twin->engine, &(cosm_singleton_desc){.name = "Other", .size = sizeof(uint64_t)});
        break;
    }
}

static void twin_open(struct twin *twin, const struct variant *variant) {
    twin->engine = cosm_engine_create(NULL);
    for (int i = 0; i < 6; i++) {
        twin_define_one(twin, variant, variant->is_reversed ? 5 - i : i);
    }
    cosm_placement placement = variant->is_fixed ? COSM_PLACEMENT_FIXED : COSM_PLACEMENT_GROWING;
    for (int i = 0; i < 2; i++) {
        if ((i == 0) != variant->is_reversed) {
            twin->both = cosm_archetype_define(
                twin->engine,
                &(cosm_archetype_desc){.name = "both",
                                       .components = {twin->gap, twin->speed},
                                       .placement = placement,
                                       .max_per_world = variant->is_fixed ? 5000 : 0});
        } else {
            twin->vast = cosm_archetype_define(
                twin->engine, &(cosm_archetype_desc){.name = "vast", .components = {twin->bulk}});
        }
    }
    twin->lone = cosm_archetype_define(
        twin->engine, &(cosm_archetype_desc){.name = "lone", .components = {twin->gap}});
    twin->batch = cosm_batch_create(twin->engine, &(cosm_batch_desc){.seed = 3});
    twin->world = cosm_batch_world(twin->batch, 0);
    REQUIRE(twin->both.id != 0 && twin->lone.id != 0 && twin->vast.id != 0 && twin->clock.id != 0);
    REQUIRE(twin->other.id != 0 && twin->mark.id != 0);
}

static void twin_close(struct twin *twin) {
    CHECK_VALID(twin->batch);
    CHECK_DONE(cosm_batch_destroy(twin->batch));
    CHECK_DONE(cosm_engine_destroy(twin->engine));
}

static Gap gap_of(uint32_t number, unsigned char rubbish) {
    Gap gap;
    memset(&gap, rubbish, sizeof(gap));
    gap.tag = (uint8_t)number;
    gap.b = (float)number;
    gap.d = number * 2.0;
    gap.c = number * 3;
    return gap;
}

// The same in every variant: enough rows for several chunks, some that went to another table, one
// that is gone.
static void twin_fill(struct twin *twin, unsigned char rubbish) {
    cosm_entity entities[1200];
    for (uint32_t i = 0; i < 1200; i++) {
        Gap gap = gap_of(i, rubbish);
        float speed = (float)i;
        cosm_value values[] = {{twin->gap, &gap}, {twin->speed, &speed}};
        entities[i] = cosm_entity_spawn_with(twin->world, twin->both, values, 2);
        (void)cosm_entity_spawn_with(twin->world, twin->lone, values, 1);
    }
    for (uint32_t i = 0; i < 1200; i += 300) {
        CHECK_DONE(cosm_entity_add(twin->world, entities[i], twin->mark));
    }
    CHECK_DONE(cosm_entity_despawn(twin->world, entities[17]));
    Bulk *bulk = malloc(sizeof(Bulk));
    REQUIRE(bulk != NULL);
    memset(bulk, rubbish, sizeof(*bulk));
    for (uint32_t i = 0; i < BULK_SIZE; i++) {
        bulk->head[i] = (uint8_t)(i * 7);
        bulk->tail[i] = (uint8_t)(i * 11);
    }
    bulk->middle = 77;
    for (int i = 0; i < 3; i++) {
        bulk->head[0]++;
        cosm_value value = {twin->bulk, bulk};
        (void)cosm_entity_spawn_with(twin->world, twin->vast, &value, 1);
    }
    free(bulk);
    *(uint64_t *)cosm_singleton_write(twin->world, twin->clock) = 5;
    *(uint64_t *)cosm_singleton_write(twin->world, twin->other) = 6;
}

static void twin_hash(const struct variant *variant, uint64_t hashes[KIND_COUNT]) {
    struct twin twin;
    twin_open(&twin, variant);
    twin_fill(&twin, variant->rubbish);
    cosm_snapshot *snapshot = cosm_snapshot_create(cosm_worlds_all(twin.batch));
    for (int k = 0; k < KIND_COUNT; k++) {
        hashes[k] = cosm_hash_batch(twin.batch, (cosm_hash_kind)k);
        CHECK_INT(cosm_hash_snapshot(snapshot, (cosm_hash_kind)k), hashes[k]);
        CHECK_INT(cosm_hash_snapshot(snapshot, (cosm_hash_kind)k), hashes[k]);
    }
    cosm_snapshot_destroy(snapshot);
    twin_close(&twin);
}

TEST(layout_padding_placement_ticks_by_row_and_the_order_of_definitions_do_not_count) {
    static const struct variant variants[] = {
        {.rubbish = 0xFF},
        {.is_split = true},
        {.is_fixed = true},
        {.is_reversed = true},
        {.has_change_rows = true},
        {.is_split = true, .is_fixed = true, .has_change_rows = true, .is_reversed = true},
    };
    uint64_t expected[KIND_COUNT];
    twin_hash(&(struct variant){.rubbish = 0}, expected);
    for (size_t i = 0; i < sizeof(variants) / sizeof(*variants); i++) {
        uint64_t hashes[KIND_COUNT];
        twin_hash(&variants[i], hashes);
        CHECK_MEM(hashes, expected, sizeof(expected));
    }
}

// Changes one byte of a large value at a time.
static void change_bulk(const struct variant *variant) {
    static const size_t places[] = {0,
                                    4095,
                                    4096,
                                    BULK_SIZE - 1,
                                    offsetof(Bulk, middle),
                                    offsetof(Bulk, tail),
                                    offsetof(Bulk, tail) + 8191,
                                    offsetof(Bulk, tail) + BULK_SIZE - 1};
    struct twin twin;
    twin_open(&twin, variant);
    twin_fill(&twin, 0);
    cosm_entity entity = cosm_table_entities(twin.world, twin.vast)[1];
    Bulk *bulk = malloc(sizeof(Bulk));
    REQUIRE(bulk != NULL && cosm_entity_get(twin.world, entity, twin.bulk, bulk));
    for (int k = 0; k < KIND_COUNT; k++) {
        uint64_t before = cosm_hash_world(twin.world, (cosm_hash_kind)k);
        for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
            ((unsigned char *)bulk)[places[i]] ^= 1;
            CHECK_DONE(cosm_entity_set(twin.world, entity, twin.bulk, bulk));
            CHECK(cosm_hash_world(twin.world, (cosm_hash_kind)k) != before);
            ((unsigned char *)bulk)[places[i]] ^= 1;
        }
        CHECK_DONE(cosm_entity_set(twin.world, entity, twin.bulk, bulk));
        CHECK_INT(cosm_hash_world(twin.world, (cosm_hash_kind)k), before);
    }
    free(bulk);
    twin_close(&twin);
}

TEST(large_values_count_to_their_last_byte) {
    change_bulk(&(struct variant){.rubbish = 0});
    change_bulk(&(struct variant){.is_split = true});
}

static uint64_t hash_number(void *context, const void *object) {
    (void)context;
    return *(const uint32_t *)object;
}

static bool equals_number(void *context, const void *a, const void *b) {
    (void)context;
    return *(const uint32_t *)a == *(const uint32_t *)b;
}

// Two entities with numbers, and a tag, in this storage.
static void hash_of_storage(cosm_storage storage, bool has_hash, uint64_t hashes[KIND_COUNT]) {
    cosm_engine *engine = cosm_engine_create(NULL);
    cosm_component_desc desc = {.name = "Number", .size = sizeof(uint32_t), .storage = storage};
    if (has_hash) {
        desc.lifecycle = (cosm_lifecycle){.hash = hash_number, .equals = equals_number};
    }
    cosm_component number = cosm_component_define(engine, &desc);
    cosm_component flag = cosm_component_define(
        engine, &(cosm_component_desc){
                    .name = "Flag",
                    .storage = storage == COSM_STORAGE_SECTOR ? storage : COSM_STORAGE_COLUMN});
    cosm_component spot =
        cosm_component_define(engine, &(cosm_component_desc){.name = "Spot", .size = 8});
    cosm_archetype thing = cosm_archetype_define(
        engine, &(cosm_archetype_desc){.name = "thing", .components = {spot}});
    cosm_batch *batch = cosm_batch_create(engine, NULL);
    cosm_world world = cosm_batch_world(batch, 0);
    cosm_entity first = COSM_ENTITY_NONE;
    for (uint32_t i = 0; i < 4; i++) {
        cosm_entity entity = cosm_entity_spawn(world, thing);
        first = i == 0 ? entity : first;
        uint32_t value = i / 2 + 40;
        CHECK_DONE(cosm_entity_set(world, entity, number, &value));
        CHECK_DONE(i == 3 ? cosm_entity_add(world, entity, flag) : COSM_OK);
    }
    for (int k = 0; k < KIND_COUNT; k++) {
        hashes[k] = cosm_hash_world(world, (cosm_hash_kind)k);
    }
    for (int k = 0; k < KIND_COUNT; k++) {
        uint64_t before = cosm_hash_component(world, number, (cosm_hash_kind)k);
        CHECK(before != 0);
        CHECK_DONE(cosm_entity_set(world, first, number, &(uint32_t){60 + (uint32_t)k}));
        CHECK(cosm_hash_component(world, number, (cosm_hash_kind)k) != before);
    }
    CHECK_DONE(cosm_batch_destroy(batch));
    CHECK_DONE(cosm_engine_destroy(engine));
}

TEST(where_a_value_is_stored_does_not_count_for_content) {
    uint64_t column[KIND_COUNT];
    hash_of_storage(COSM_STORAGE_COLUMN, false, column);
    static const cosm_storage storages[] = {COSM_STORAGE_SHARED, COSM_STORAGE_MANAGED,
                                            COSM_STORAGE_SECTOR};
    for (int i = 0; i < 3; i++) {
        uint64_t hashes[KIND_COUNT];
        hash_of_storage(storages[i], false, hashes);
        CHECK_INT(hashes[COSM_HASH_CONTENT], column[COSM_HASH_CONTENT]);
        CHECK(hashes[COSM_HASH_EXACT] != column[COSM_HASH_EXACT]);
    }
    // With a hash of their own they are alike among themselves.
    uint64_t shared[KIND_COUNT];
    hash_of_storage(COSM_STORAGE_SHARED, true, shared);
    CHECK(shared[COSM_HASH_CONTENT] != column[COSM_HASH_CONTENT]);
}
