// A save file that an older program has written, as it lies in test/golden: it is read under a
// newer schema, today and by every later version.
//
// The older program is here too, and what it writes is compared with the file: a format that
// changes without a new number is found. With COSM_GOLDEN_WRITE=PATH in the environment the file is
// written there, for a format that has a new number; files of older formats stay.
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "support/fixture.h"
#include "support/shelf.h"

#define ENTITY_COUNT 40u

// What it was like.
typedef struct OldUnit {
    float x;
    float y;
    uint8_t state;
    uint8_t ammo;
    int16_t level;
    char name[8];
    cosm_entity target;
} OldUnit;

static const cosm_label old_states[] = {{"idle", 0}, {"walking", 1}, {"dead", 2}};
static const cosm_labels old_labels = {"state", COSM_LABELS_ENUM, 3, old_states};

static const cosm_field old_unit_fields[] = {
    {.name = "at.x", .type = COSM_FIELD_F32, .offset = offsetof(OldUnit, x)},
    {.name = "at.y", .type = COSM_FIELD_F32, .offset = offsetof(OldUnit, y)},
    {.name = "state",
     .type = COSM_FIELD_U8,
     .offset = offsetof(OldUnit, state),
     .labels = &old_labels},
    {.name = "ammo", .type = COSM_FIELD_U8, .offset = offsetof(OldUnit, ammo)},
    {.name = "level", .type = COSM_FIELD_I16, .offset = offsetof(OldUnit, level)},
    {.name = "name", .type = COSM_FIELD_CHAR, .offset = offsetof(OldUnit, name), .dims = {8}},
    {.name = "target", .type = COSM_FIELD_ENTITY, .offset = offsetof(OldUnit, target)},
};

// What it is like now.
typedef struct NewUnit {
    char name[12];
    cosm_entity target;
    uint32_t state;
    int8_t level;
    double x;
    double y;
    float speed;
} NewUnit;

static const cosm_label new_states[] = {{"dead", 10}, {"walking", 20}, {"idle", 30}};
static const cosm_labels new_labels = {"state", COSM_LABELS_ENUM, 3, new_states};

static const cosm_field new_unit_fields[] = {
    {.name = "name", .type = COSM_FIELD_CHAR, .offset = offsetof(NewUnit, name), .dims = {12}},
    {.name = "target", .type = COSM_FIELD_ENTITY, .offset = offsetof(NewUnit, target)},
    {.name = "state",
     .type = COSM_FIELD_U32,
     .offset = offsetof(NewUnit, state),
     .labels = &new_labels},
    {.name = "level", .type = COSM_FIELD_I8, .offset = offsetof(NewUnit, level)},
    {.name = "position.x", .type = COSM_FIELD_F64, .offset = offsetof(NewUnit, x)},
    {.name = "position.y", .type = COSM_FIELD_F64, .offset = offsetof(NewUnit, y)},
    {.name = "speed",
     .type = COSM_FIELD_F32,
     .offset = offsetof(NewUnit, speed),
     .default_value = &(float){1.5f}},
};

static const cosm_field points_field = {.name = "points", .type = COSM_FIELD_U32};
static const cosm_field wind_field = {.name = "speed", .type = COSM_FIELD_F32};

// Handles are what a new world gives out.
static cosm_entity entity_number(uint32_t i) {
    return (cosm_entity){.gen = 1, .id = i};
}

// Components of every storage, a tree, singletons, and ids that are free again.
static void write_old(struct shelf *shelf) {
    cosm_engine *engine = cosm_engine_create(NULL);
    cosm_component unit = cosm_component_define(
        engine,
        &(cosm_component_desc){
            .name = "Unit", .size = sizeof(OldUnit), .fields = old_unit_fields, .field_count = 7});
    cosm_component storages[3];
    static const char *const names[3] = {"Team", "Load", "Heat"};
    for (uint32_t i = 0; i < 3; i++) {
        storages[i] = cosm_component_define(
            engine, &(cosm_component_desc){.name = names[i],
                                           .size = 4,
                                           .storage = (cosm_storage)(COSM_STORAGE_SHARED + i),
                                           .fields = &points_field,
                                           .field_count = 1});
    }
    cosm_component relic =
        cosm_component_define(engine, &(cosm_component_desc){.name = "Relic", .size = 2});
    cosm_singleton wind = cosm_singleton_define(
        engine,
        &(cosm_singleton_desc){.name = "Wind", .size = 4, .fields = &wind_field, .field_count = 1});
    cosm_archetype archetype =
        cosm_archetype_define(engine, &(cosm_archetype_desc){.name = "unit", .components = {unit}});
    cosm_batch *batch =
        cosm_batch_create(engine, &(cosm_batch_desc){.world_count = 2, .seed = 12345});
    cosm_world world = cosm_batch_world(batch, 0);
    for (uint32_t i = 0; i < ENTITY_COUNT; i++) {
        OldUnit value = {.x = (float)i,
                         .y = (float)i / 4,
                         .state = (uint8_t)(i % 3),
                         .ammo = 6,
                         .level = (int16_t)(10 * (int)i - 100),
                         .target = entity_number(i / 2)};
        memcpy(value.name, "unit", 4);
        cosm_entity entity =
            cosm_entity_spawn_with(world, archetype, &(cosm_value){unit, &value}, 1);
        CHECK(cosm_entity_equals(entity, entity_number(i)));
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t points = i / (2 + k);
            if ((i >> k & 1) != 0) {
                CHECK_DONE(cosm_entity_set(world, entity, storages[k], &points));
            }
        }
        if (i % 5 == 0) {
            CHECK_DONE(cosm_entity_set(world, entity, relic, &(uint16_t){(uint16_t)i}));
        }
        if (i > 0) {
            CHECK_DONE(cosm_tree_set_parent(world, entity, entity_number((i - 1) / 3)));
        }
    }
    *(float *)cosm_singleton_write(world, wind) = 0.5f;
    CHECK_DONE(cosm_entity_despawn(world, entity_number(ENTITY_COUNT - 1)));
    shelf_save(shelf, batch, NULL);
    cosm_batch_destroy(batch);
    CHECK_DONE(cosm_engine_destroy(engine));
}

static void golden_path(char *path, size_t size, uint32_t format) {
    const char *source = getenv("COSM_SOURCE_DIR");
    snprintf(path, size, "%s/test/golden/save_%u.cosm", source == NULL ? "." : source, format);
}

TEST(the_older_program_writes_the_file_that_lies_here) {
    struct shelf shelf = {.bytes = NULL};
    write_old(&shelf);
    const char *target = getenv("COSM_GOLDEN_WRITE");
    if (target != NULL) {
        FILE *file = fopen(target, "wb");
        CHECK(file != NULL && fwrite(shelf.bytes, 1, shelf.size, file) == shelf.size);
        CHECK(file != NULL && fclose(file) == 0);
    }
    char path[1024];
    golden_path(path, sizeof(path), COSM_SAVE_FORMAT);
    FILE *file = fopen(path, "rb");
    REQUIRE(file != NULL);
    char *bytes = malloc(shelf.size + 1);
    size_t size = fread(bytes, 1, shelf.size + 1, file);
    fclose(file);
    CHECK_INT(size, shelf.size);
    CHECK_MEM(bytes, shelf.bytes, size < shelf.size ? size : shelf.size);
    free(bytes);
    shelf_free(&shelf);
}

// The newer program.
struct newer {
    cosm_engine *engine;
    cosm_batch *batch;
    cosm_world world;
    cosm_component unit;
    cosm_component storages[3];
    cosm_singleton wind;
};

static void newer_open(struct newer *newer) {
    static const char *const names[3] = {"Team", "Load", "Heat"};
    static const cosm_field wide = {.name = "points", .type = COSM_FIELD_U64};
    newer->engine = cosm_engine_create(NULL);
    newer->wind = cosm_singleton_define(
        newer->engine, &(cosm_singleton_desc){
                           .name = "Weather", .size = 4, .fields = &wind_field, .field_count = 1});
    for (uint32_t i = 0; i < 3; i++) {
        newer->storages[i] = cosm_component_define(
            newer->engine,
            &(cosm_component_desc){.name = names[i],
                                   .size = 8,
                                   .storage = (cosm_storage)(COSM_STORAGE_SHARED + i),
                                   .fields = &wide,
                                   .field_count = 1});
    }
    newer->unit =
        cosm_component_define(newer->engine, &(cosm_component_desc){.name = "Soldier",
                                                                    .size = sizeof(NewUnit),
                                                                    .layout = COSM_LAYOUT_SPLIT,
                                                                    .fields = new_unit_fields,
                                                                    .field_count = 7});
    newer->batch = cosm_batch_create(newer->engine, &(cosm_batch_desc){.world_count = 2});
    newer->world = cosm_batch_world(newer->batch, 0);
}

static void check_soldier(const struct newer *newer, uint32_t i) {
    NewUnit value;
    cosm_entity entity = entity_number(i);
    memset(&value, 0, sizeof(value));
    CHECK(cosm_entity_get(newer->world, entity, newer->unit, &value));
    CHECK_NEAR(value.x, (double)i, 0);
    CHECK_NEAR(value.y, (double)i / 4, 0);
    CHECK_NEAR(value.speed, 1.5, 0);
    CHECK_INT(value.state, i % 3 == 0 ? 30 : i % 3 == 1 ? 20 : 10);
    int level = 10 * (int)i - 100;
    CHECK_INT(value.level, level > 127 ? 127 : level);
    CHECK_MEM(value.name, "unit\0\0\0\0\0\0\0", 12);
    CHECK(cosm_entity_equals(value.target, entity_number(i / 2)));
    for (uint32_t k = 0; k < 3; k++) {
        CHECK_INT(cosm_entity_has(newer->world, entity, newer->storages[k]), i >> k & 1);
        if ((i >> k & 1) != 0) {
            uint64_t points = 0;
            const void *at = cosm_entity_read(newer->world, entity, newer->storages[k]);
            CHECK(at != NULL);
            memcpy(&points, at == NULL ? &points : at, sizeof(points));
            CHECK_INT(points, i / (2 + k));
        }
    }
    cosm_entity parent = cosm_tree_parent(newer->world, entity);
    CHECK(cosm_entity_equals(parent, i == 0 ? COSM_ENTITY_NONE : entity_number((i - 1) / 3)));
}

TEST(files_of_all_formats_are_read_under_a_newer_schema) {
    const cosm_save_alias aliases[] = {
        {.component = "Soldier", .old_name = "Unit"},
        {.component = "Soldier", .field = "position", .old_name = "at"},
        {.component = "Weather", .old_name = "Wind"},
    };
    const cosm_load_desc desc = {.aliases = aliases, .alias_count = 3};
    for (uint32_t format = 1; format <= COSM_SAVE_FORMAT; format++) {
        struct newer newer;
        char path[1024];
        cosm_save_report report;
        newer_open(&newer);
        golden_path(path, sizeof(path), format);
        cosm_snapshot *snapshot = cosm_save_read(newer.engine, path, &desc, &report);
        REQUIRE(snapshot != NULL);
        CHECK_DONE(cosm_snapshot_restore(snapshot, 0, cosm_worlds_all(newer.batch)));
        cosm_snapshot_destroy(snapshot);
        CHECK_VALID(newer.batch);
        CHECK_INT(report.format, format);
        // Of Unit: speed is new, ammo gone; x, y, state, level and name changed. 16 levels are
        // too high.
        CHECK_REPORT(&report, .component_count = 6, .same_count = 1, .converted_count = 4,
                     .unknown_count = 1, .added_count = 1, .removed_count = 1, .changed_count = 8,
                     .renamed_count = 4, .dropped_count = 8, .clamped_count = 16);
        for (uint32_t i = 0; i + 1 < ENTITY_COUNT; i++) {
            check_soldier(&newer, i);
        }
        CHECK(!cosm_entity_is_alive(newer.world, entity_number(ENTITY_COUNT - 1)));
        float speed;
        memcpy(&speed, cosm_singleton_read(newer.world, newer.wind), sizeof(speed));
        CHECK_NEAR(speed, 0.5, 0);
        cosm_batch_destroy(newer.batch);
        CHECK_DONE(cosm_engine_destroy(newer.engine));
    }
}
