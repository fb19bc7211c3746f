// Save files of an older program, read by a newer one: fields, components and singletons that came,
// went, moved, grew and got other names.
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "support/fixture.h"
#include "support/ledger.h"
#include "support/shelf.h"

// A program: its engine, and a batch of worlds.
struct program {
    cosm_engine *engine;
    cosm_batch *batch;
    cosm_world world; // the first one
};

static void program_open_with(struct program *program, const cosm_engine_desc *desc) {
    *program = (struct program){.engine = cosm_engine_create(desc)};
    program->batch = cosm_batch_create(program->engine, &(cosm_batch_desc){.world_count = 2});
    CHECK(program->batch != NULL);
    program->world = cosm_batch_world(program->batch, 0);
}

static void program_open(struct program *program) {
    program_open_with(program, NULL);
}

static void program_close(struct program *program) {
    CHECK_VALID(program->batch);
    cosm_batch_destroy(program->batch);
    CHECK_DONE(cosm_engine_destroy(program->engine));
}

static cosm_component define(const struct program *program, const char *name, size_t size,
                             cosm_storage storage, const cosm_field *fields, uint32_t count) {
    cosm_component component =
        cosm_component_define(program->engine, &(cosm_component_desc){.name = name,
                                                                      .size = size,
                                                                      .storage = storage,
                                                                      .fields = fields,
                                                                      .field_count = count});
    CHECK(component.id != 0);
    return component;
}

// The value of an entity, in any storage.
static bool value_of(const struct program *program, cosm_entity entity, cosm_component component,
                     void *out_value) {
    if (cosm_component_describe(program->engine, component).storage != COSM_STORAGE_MANAGED) {
        return cosm_entity_get(program->world, entity, component, out_value);
    }
    const void *value = cosm_entity_read(program->world, entity, component);
    if (value != NULL) {
        memcpy(out_value, value, cosm_component_describe(program->engine, component).size);
    }
    return value != NULL;
}

#define VALUE_OF(program, entity, component, out)                                                  \
    CHECK(value_of((program), (entity), (component), (out)))

typedef struct OldBody {
    float x;
    float y;
    int16_t team;
    uint16_t gone;
    char name[8];
    float mass;
} OldBody;

static const cosm_field old_body_fields[] = {
    {.name = "x", .type = COSM_FIELD_F32, .offset = offsetof(OldBody, x)},
    {.name = "y", .type = COSM_FIELD_F32, .offset = offsetof(OldBody, y)},
    {.name = "team", .type = COSM_FIELD_I16, .offset = offsetof(OldBody, team)},
    {.name = "gone", .type = COSM_FIELD_U16, .offset = offsetof(OldBody, gone)},
    {.name = "name", .type = COSM_FIELD_CHAR, .offset = offsetof(OldBody, name), .dims = {8}},
    {.name = "mass", .type = COSM_FIELD_F32, .offset = offsetof(OldBody, mass)},
};

typedef struct NewBody {
    int32_t team;  // wider
    float weight;  // was mass
    double health; // new
    float y;       // moved
    float x;
    char name[4]; // shorter
    int8_t small; // new
} NewBody;

static const cosm_field new_body_fields[] = {
    {.name = "team", .type = COSM_FIELD_I32, .offset = offsetof(NewBody, team)},
    {.name = "weight", .type = COSM_FIELD_F32, .offset = offsetof(NewBody, weight)},
    {.name = "health",
     .type = COSM_FIELD_F64,
     .offset = offsetof(NewBody, health),
     .default_value = &(double){100}},
    {.name = "y", .type = COSM_FIELD_F32, .offset = offsetof(NewBody, y)},
    {.name = "x", .type = COSM_FIELD_F32, .offset = offsetof(NewBody, x)},
    {.name = "name", .type = COSM_FIELD_CHAR, .offset = offsetof(NewBody, name), .dims = {4}},
    {.name = "small", .type = COSM_FIELD_I8, .offset = offsetof(NewBody, small)},
};

#define OLD_BODY_COUNT 6u
#define NEW_BODY_COUNT 7u

// So many that a table has several chunks, and its columns are blocks of their own.
#define CROWD 20000u

static OldBody body_of(uint32_t i) {
    OldBody body = {.x = (float)i, .y = (float)i + 0.5f, .team = (int16_t)i, .gone = 7, .mass = 3};
    memcpy(body.name, i % 2 == 0 ? "abc" : "abcdef", i % 2 == 0 ? 4 : 7);
    return body;
}

static void check_body(const NewBody *now, uint32_t i) {
    OldBody old = body_of(i);
    NewBody expected;
    memset(&expected, 0, sizeof(expected));
    expected.team = old.team;
    expected.weight = old.mass;
    expected.health = 100;
    expected.x = old.x;
    expected.y = old.y;
    memcpy(expected.name, old.name, 4);
    CHECK_MEM(now, &expected, sizeof(expected));
}

static void spawn_bodies(const struct program *program, cosm_component body, uint32_t count,
                         cosm_entity *out_entities) {
    cosm_archetype archetype = cosm_archetype_define(
        program->engine, &(cosm_archetype_desc){.name = "body", .components = {body}});
    for (uint32_t i = 0; i < count; i++) {
        OldBody value = body_of(i);
        out_entities[i] =
            cosm_entity_spawn_with(program->world, archetype, &(cosm_value){body, &value}, 1);
    }
}

// One component of so many rows, in either layout before and after.
static void check_fields(uint32_t count, cosm_layout before, cosm_layout after) {
    static cosm_entity entities[CROWD];
    const cosm_save_alias alias = {.component = "Body", .field = "weight", .old_name = "mass"};
    const cosm_load_desc load = {.aliases = &alias, .alias_count = 1};
    struct program old;
    struct program now;
    struct shelf shelf = {.bytes = NULL};
    cosm_component_desc desc = {.name = "Body",
                                .size = sizeof(OldBody),
                                .layout = before,
                                .fields = old_body_fields,
                                .field_count = OLD_BODY_COUNT};
    program_open(&old);
    spawn_bodies(&old, cosm_component_define(old.engine, &desc), count, entities);
    shelf_save(&shelf, old.batch, NULL);
    program_close(&old);
    program_open(&now);
    desc.size = sizeof(NewBody);
    desc.layout = after;
    desc.fields = new_body_fields;
    desc.field_count = NEW_BODY_COUNT;
    cosm_component body = cosm_component_define(now.engine, &desc);
    cosm_save_report report;
    CHECK(shelf_load(&shelf, now.batch, &load, &report));
    for (uint32_t i = 0; i < count; i++) {
        NewBody value;
        memset(&value, 0x55, sizeof(value));
        VALUE_OF(&now, entities[i], body, &value);
        check_body(&value, i);
    }
    CHECK_INT(report.format, COSM_SAVE_FORMAT);
    CHECK_REPORT(&report, .component_count = 1, .converted_count = 1, .added_count = 2,
                 .removed_count = 1, .changed_count = 2, .renamed_count = 1,
                 .clamped_count = count / 2);
    program_close(&now);
    shelf_free(&shelf);
}

TEST(fields_that_came_went_moved_grew_and_were_renamed_are_converted) {
    check_fields(10, COSM_LAYOUT_STRUCT, COSM_LAYOUT_STRUCT);
    check_fields(10, COSM_LAYOUT_SPLIT, COSM_LAYOUT_STRUCT);
    check_fields(10, COSM_LAYOUT_STRUCT, COSM_LAYOUT_SPLIT);
    check_fields(CROWD, COSM_LAYOUT_STRUCT, COSM_LAYOUT_STRUCT);
    check_fields(CROWD, COSM_LAYOUT_SPLIT, COSM_LAYOUT_SPLIT);
}

TEST(a_component_that_is_a_number_becomes_another_kind_of_number) {
    struct program old;
    struct program now;
    struct shelf shelf = {.bytes = NULL};
    program_open(&old);
    cosm_entity entity;
    {
        typedef int Rock;
        COSM_COMPONENT_DEFINE(old.engine, Rock);
        entity = COSM_SPAWN(old.world, COSM_VALUE(Rock, 3));
    }
    shelf_save(&shelf, old.batch, NULL);
    program_close(&old);
    program_open(&now);
    typedef float Rock;
    COSM_COMPONENT_DEFINE(now.engine, Rock);
    cosm_save_report report;
    CHECK(shelf_load(&shelf, now.batch, NULL, &report));
    REQUIRE(COSM_READ(now.world, entity, Rock) != NULL);
    CHECK_NEAR(*COSM_READ(now.world, entity, Rock), 3, 0);
    CHECK_REPORT(&report, .component_count = 1, .converted_count = 1, .changed_count = 1);
    program_close(&now);
    shelf_free(&shelf);
}

TEST(what_has_not_changed_is_the_same_in_any_layout_and_order_of_definition) {
    static cosm_entity entities[CROWD];
    struct program old;
    struct program now;
    struct shelf shelf = {.bytes = NULL};
    cosm_component_desc desc = {.name = "Body",
                                .size = sizeof(OldBody),
                                .fields = old_body_fields,
                                .field_count = OLD_BODY_COUNT};
    program_open(&old);
    cosm_component body = cosm_component_define(old.engine, &desc);
    cosm_component bare = define(&old, "Bare", 8, COSM_STORAGE_COLUMN, NULL, 0);
    spawn_bodies(&old, body, CROWD, entities);
    CHECK_DONE(cosm_entity_set(old.world, entities[3], bare, "1234567"));
    uint64_t sum = cosm_hash_batch(old.batch, COSM_HASH_EXACT);
    shelf_save(&shelf, old.batch, NULL);
    program_close(&old);
    program_open(&now);
    bare = define(&now, "Bare", 8, COSM_STORAGE_COLUMN, NULL, 0);
    desc.layout = COSM_LAYOUT_SPLIT;
    body = cosm_component_define(now.engine, &desc);
    cosm_save_report report;
    CHECK(shelf_load(&shelf, now.batch, NULL, &report));
    CHECK_INT(cosm_hash_batch(now.batch, COSM_HASH_EXACT), sum);
    CHECK_REPORT(&report, .component_count = 2, .same_count = 2);
    program_close(&now);
    shelf_free(&shelf);
}

// The same two numbers, in every storage.
typedef struct Pair {
    int32_t a;
    float b;
} Pair;

typedef struct WidePair {
    double b;
    int64_t a;
    int64_t c; // new: 5
} WidePair;

static const cosm_field pair_fields[] = {
    {.name = "a", .type = COSM_FIELD_I32, .offset = offsetof(Pair, a)},
    {.name = "b", .type = COSM_FIELD_F32, .offset = offsetof(Pair, b)},
};

static const cosm_field wide_fields[] = {
    {.name = "b", .type = COSM_FIELD_F64, .offset = offsetof(WidePair, b)},
    {.name = "a", .type = COSM_FIELD_I64, .offset = offsetof(WidePair, a)},
    {.name = "c",
     .type = COSM_FIELD_I64,
     .offset = offsetof(WidePair, c),
     .default_value = &(int64_t){5}},
};

// Values of entities 0 to 99 of a program; every third one has none, and some are alike.
static void check_storages(cosm_storage before, cosm_storage after, bool is_wide) {
    struct program old;
    struct program now;
    struct shelf shelf = {.bytes = NULL};
    cosm_entity entities[100];
    program_open(&old);
    cosm_component pair = define(&old, "Pair", sizeof(Pair), before, pair_fields, 2);
    cosm_component mark = define(&old, "Mark", 4, COSM_STORAGE_COLUMN, NULL, 0);
    cosm_archetype bare =
        cosm_archetype_define(old.engine, &(cosm_archetype_desc){.components = {mark}});
    for (uint32_t i = 0; i < 100; i++) {
        entities[i] = cosm_entity_spawn_with(old.world, bare, &(cosm_value){mark, &i}, 1);
        if (i % 3 != 0) {
            Pair value = {(int32_t)(i / 7), (float)(i / 7) / 4};
            CHECK_DONE(cosm_entity_set(old.world, entities[i], pair, &value));
        }
    }
    CHECK_DONE(cosm_entity_despawn(old.world, entities[50]));
    shelf_save(&shelf, old.batch, NULL);
    program_close(&old);
    program_open(&now);
    pair = is_wide ? define(&now, "Pair", sizeof(WidePair), after, wide_fields, 3)
                   : define(&now, "Pair", sizeof(Pair), after, pair_fields, 2);
    mark = define(&now, "Mark", 4, COSM_STORAGE_COLUMN, NULL, 0);
    if (before != after) {
        cosm_error_clear();
        CHECK(!shelf_load(&shelf, now.batch, NULL, NULL));
        CHECK_FAILURE(COSM_ERROR_FORMAT, "cosm_save_read_bytes", "component 'Pair' has storage",
                      "define it with the file's storage");
        program_close(&now);
        shelf_free(&shelf);
        return;
    }
    cosm_save_report report;
    REQUIRE(shelf_load(&shelf, now.batch, NULL, &report));
    for (uint32_t i = 0; i < 100; i++) {
        uint32_t number = 0;
        CHECK_INT(cosm_entity_is_alive(now.world, entities[i]), i != 50);
        CHECK_INT(cosm_entity_has(now.world, entities[i], pair), i != 50 && i % 3 != 0);
        if (i == 50) {
            continue;
        }
        VALUE_OF(&now, entities[i], mark, &number);
        CHECK_INT(number, i);
        if (i % 3 != 0 && is_wide) {
            WidePair value = {0};
            VALUE_OF(&now, entities[i], pair, &value);
            CHECK_INT(value.a, i / 7);
            CHECK_NEAR(value.b, (double)(i / 7) / 4, 0);
            CHECK_INT(value.c, 5);
        } else if (i % 3 != 0) {
            Pair value = {0};
            VALUE_OF(&now, entities[i], pair, &value);
            CHECK_INT(value.a, i / 7);
            CHECK_NEAR(value.b, (float)(i / 7) / 4, 0);
        }
    }
    if (after == COSM_STORAGE_SHARED) {
        CHECK_INT(cosm_shared_value_count(now.world, pair), 15);
    }
    CHECK_REPORT(&report, .component_count = 2, .same_count = is_wide ? 1 : 2,
                 .converted_count = is_wide ? 1 : 0, .added_count = is_wide ? 1 : 0,
                 .changed_count = is_wide ? 2 : 0);
    program_close(&now);
    shelf_free(&shelf);
}

TEST(values_of_every_storage_are_converted_and_stay_in_it) {
    for (int before = COSM_STORAGE_COLUMN; before <= COSM_STORAGE_SECTOR; before++) {
        for (int after = COSM_STORAGE_COLUMN; after <= COSM_STORAGE_SECTOR; after++) {
            check_storages((cosm_storage)before, (cosm_storage)after, false);
            check_storages((cosm_storage)before, (cosm_storage)after, true);
        }
    }
}

// Labels, singletons, and components under other names.
static const cosm_label old_states[] = {{"idle", 0}, {"walking", 1}, {"dead", 2}};
static const cosm_label new_states[] = {{"dead", 0}, {"idle", 1}, {"running", 2}};
static const cosm_labels old_state_labels = {"state", COSM_LABELS_ENUM, 3, old_states};
static const cosm_labels new_state_labels = {"state", COSM_LABELS_ENUM, 3, new_states};

static const cosm_field old_mood_field = {
    .name = "state", .type = COSM_FIELD_U8, .labels = &old_state_labels};
static const cosm_field new_mood_field = {.name = "state",
                                          .type = COSM_FIELD_U8,
                                          .labels = &new_state_labels,
                                          .default_value = &(uint8_t){1}};

TEST(components_and_singletons_are_found_by_alias_and_labels_by_name) {
    const cosm_field old_wind = {.name = "speed", .type = COSM_FIELD_F32};
    const cosm_field new_wind[2] = {{.name = "speed", .type = COSM_FIELD_F64},
                                    {.name = "gusts", .type = COSM_FIELD_U32, .offset = 8}};
    struct program old;
    struct program now;
    struct shelf shelf = {.bytes = NULL};
    cosm_entity entities[3];
    program_open(&old);
    cosm_component mood = define(&old, "Mood", 1, COSM_STORAGE_COLUMN, &old_mood_field, 1);
    cosm_singleton wind = cosm_singleton_define(
        old.engine,
        &(cosm_singleton_desc){.name = "Wind", .size = 4, .fields = &old_wind, .field_count = 1});
    *(float *)cosm_singleton_write(old.world, wind) = 2.5f;
    cosm_archetype archetype =
        cosm_archetype_define(old.engine, &(cosm_archetype_desc){.components = {mood}});
    for (uint8_t i = 0; i < 3; i++) {
        entities[i] = cosm_entity_spawn_with(old.world, archetype, &(cosm_value){mood, &i}, 1);
    }
    shelf_save(&shelf, old.batch, NULL);
    program_close(&old);

    program_open(&now);
    mood = define(&now, "Temper", 1, COSM_STORAGE_COLUMN, &new_mood_field, 1);
    wind = cosm_singleton_define(
        now.engine,
        &(cosm_singleton_desc){.name = "Breeze", .size = 16, .fields = new_wind, .field_count = 2});
    cosm_singleton moon = cosm_singleton_define(
        now.engine,
        &(cosm_singleton_desc){.name = "Moon", .size = 4, .default_value = &(uint32_t){28}});
    *(uint32_t *)cosm_singleton_write(now.world, moon) = 3;
    const cosm_save_alias aliases[] = {{.component = "Temper", .old_name = "Mood"},
                                       {.component = "Breeze", .old_name = "Wind"}};
    cosm_save_report report;
    CHECK(shelf_load(&shelf, now.batch, &(cosm_load_desc){.aliases = aliases, .alias_count = 2},
                     &report));
    static const uint8_t expected[3] = {1, 1, 0}; // idle; gone, so the default; dead
    for (uint32_t i = 0; i < 3; i++) {
        uint8_t state = 9;
        VALUE_OF(&now, entities[i], mood, &state);
        CHECK_INT(state, expected[i]);
    }
    double speed;
    memcpy(&speed, cosm_singleton_read(now.world, wind), sizeof(speed));
    CHECK_NEAR(speed, 2.5, 0);
    // A singleton that the file does not have is what it is in a new world.
    CHECK_INT(*(const uint32_t *)cosm_singleton_read(now.world, moon), 28);
    CHECK_REPORT(&report, .component_count = 2, .converted_count = 2, .added_count = 1,
                 .changed_count = 2, .renamed_count = 2, .clamped_count = 1);
    // Without the aliases both are unknown.
    CHECK(shelf_load(&shelf, now.batch, NULL, &report));
    CHECK(cosm_entity_is_alive(now.world, entities[0]));
    CHECK(!cosm_entity_has(now.world, entities[0], mood));
    CHECK_REPORT(&report, .component_count = 2, .unknown_count = 2, .dropped_count = 5);
    program_close(&now);
    shelf_free(&shelf);
}

// An engine with components of every kind.
struct full {
    struct program program;
    cosm_component mark;       // 4 bytes
    cosm_component gadgets[4]; // of each storage
    cosm_component shiny;      // a tag
    cosm_singleton tide;
};

static void full_open(struct full *full) {
    static const char *const names[4] = {"Column", "Shared", "Managed", "Sector"};
    program_open(&full->program);
    full->shiny = define(&full->program, "Shiny", 0, COSM_STORAGE_COLUMN, NULL, 0);
    for (uint32_t i = 0; i < 4; i++) {
        full->gadgets[i] =
            define(&full->program, names[i], sizeof(Pair), (cosm_storage)i, pair_fields, 2);
    }
    full->mark = define(&full->program, "Mark", 4, COSM_STORAGE_COLUMN, NULL, 0);
    full->tide = cosm_singleton_define(full->program.engine,
                                       &(cosm_singleton_desc){.name = "Tide", .size = 4});
}

static void full_fill(struct full *full, cosm_entity *entities, uint32_t count) {
    const struct program *program = &full->program;
    cosm_archetype archetype =
        cosm_archetype_define(program->engine, &(cosm_archetype_desc){.components = {full->mark}});
    for (uint32_t i = 0; i < count; i++) {
        entities[i] =
            cosm_entity_spawn_with(program->world, archetype, &(cosm_value){full->mark, &i}, 1);
        for (uint32_t k = 0; k < 4; k++) {
            if ((i >> k & 1) != 0) {
                Pair value = {(int32_t)(i / 32), (float)k};
                CHECK_DONE(cosm_entity_set(program->world, entities[i], full->gadgets[k], &value));
            }
        }
        if ((i & 16) != 0) {
            CHECK_DONE(cosm_entity_add(program->world, entities[i], full->shiny));
        }
    }
    *(uint32_t *)cosm_singleton_write(program->world, full->tide) = 77;
}

TEST(components_that_an_engine_does_not_know_are_dropped_and_entities_stay) {
    struct full full;
    struct program poor; // knows Mark and Shared only
    struct shelf first = {.bytes = NULL};
    struct shelf second = {.bytes = NULL};
    cosm_entity entities[64];
    full_open(&full);
    full_fill(&full, entities, 64);
    shelf_save(&first, full.program.batch, NULL);
    program_close(&full.program);

    program_open(&poor);
    cosm_component mark = define(&poor, "Mark", 4, COSM_STORAGE_COLUMN, NULL, 0);
    cosm_component shared =
        define(&poor, "Shared", sizeof(Pair), COSM_STORAGE_SHARED, pair_fields, 2);
    cosm_save_report report;
    CHECK(shelf_load(&first, poor.batch, NULL, &report));
    // Four components of half of the entities each, and Tide of two worlds.
    CHECK_REPORT(&report, .component_count = 7, .same_count = 2, .unknown_count = 5,
                 .dropped_count = 4 * 32 + 2);
    for (uint32_t i = 0; i < 64; i++) {
        uint32_t number = UINT32_MAX;
        VALUE_OF(&poor, entities[i], mark, &number);
        CHECK_INT(number, i);
        CHECK_INT(cosm_entity_has(poor.world, entities[i], shared), i >> 1 & 1);
        const Pair *pair = cosm_entity_read(poor.world, entities[i], shared);
        CHECK(pair == NULL || (pair->a == (int32_t)(i / 32) && pair->b == 1));
    }
    for (int32_t i = 0; i < 2; i++) {
        CHECK_INT(cosm_shared_entity_count(poor.world, shared, &(Pair){i, 1}), 16);
    }
    CHECK_INT(cosm_shared_value_count(poor.world, shared), 2);
    shelf_save(&second, poor.batch, NULL);
    CHECK(shelf_load(&second, poor.batch, NULL, &report));
    CHECK_REPORT(&report, .component_count = 2, .same_count = 2);
    program_close(&poor);
    shelf_free(&first);
    shelf_free(&second);
}

// An engine with sector components of one letter, in groups such as "A, B".
static void letters_open(struct program *program, const char *letters, const char *const *groups,
                         uint32_t group_count) {
    program_open(program);
    for (const char *at = letters; *at != '\0'; at++) {
        (void)define(program, (char[2]){*at, '\0'}, 4, COSM_STORAGE_SECTOR, NULL, 0);
    }
    for (uint32_t i = 0; i < group_count; i++) {
        CHECK(
            cosm_sector_group_define(program->engine, &(cosm_sector_group_desc){.text = groups[i]})
                .id != 0);
    }
}

// Entity i has the letters from A on that are bits of i, of four.
static void letters_fill(struct shelf *shelf, cosm_entity *entities) {
    struct program old;
    letters_open(&old, "ABCD", (const char *const[]){"A, B, C"}, 1);
    cosm_archetype none = cosm_archetype_define(old.engine, &(cosm_archetype_desc){.name = "none"});
    for (uint32_t i = 0; i < 16; i++) {
        entities[i] = cosm_entity_spawn(old.world, none);
        for (uint32_t k = 0; k < 4; k++) {
            cosm_component letter =
                cosm_component_find(old.engine, (char[2]){(char)('A' + k), '\0'});
            if ((i >> k & 1) != 0) {
                CHECK_DONE(
                    cosm_entity_set(old.world, entities[i], letter, &(uint32_t){10 * i + k}));
            }
        }
    }
    shelf_save(shelf, old.batch, NULL);
    program_close(&old);
}

static void letters_check(const struct program *program, const char *letters,
                          const cosm_entity *entities) {
    for (uint32_t i = 0; i < 16; i++) {
        for (const char *at = letters; *at != '\0'; at++) {
            uint32_t k = (uint32_t)(*at - 'A');
            cosm_component letter = cosm_component_find(program->engine, (char[2]){*at, '\0'});
            const uint32_t *value = cosm_entity_read(program->world, entities[i], letter);
            CHECK_INT(value != NULL, k < 4 && (i >> k & 1) != 0);
            CHECK(value == NULL || *value == 10 * i + k);
        }
    }
}

TEST(sector_groups_may_gain_members_and_lose_unknown_ones_but_not_be_cut_otherwise) {
    static const struct {
        const char *letters;
        const char *groups[1];
        uint32_t group_count;
        uint32_t dropped;
        const char *reason; // NULL: it can be read
    } cases[] = {
        {.letters = "ABCD", .groups = {"C, A, B"}, .group_count = 1},
        {.letters = "EBCAD", .groups = {"A, B, E, C"}, .group_count = 1},
        {.letters = "AB", .groups = {"A, B"}, .group_count = 1, .dropped = 16},
        {.letters = "BE", .groups = {"B, E"}, .group_count = 1, .dropped = 24},
        {.letters = "D", .dropped = 24},
        {.letters = "ABCD",
         .groups = {"A, C"},
         .group_count = 1,
         .reason = "'A' and 'B' are in one group in the file and in two groups here"},
        {.letters = "AD",
         .groups = {"A, D"},
         .group_count = 1,
         .reason = "'A' and 'D' are in two groups in the file and in one group here"},
    };
    struct shelf shelf = {.bytes = NULL};
    cosm_entity entities[16];
    letters_fill(&shelf, entities);
    for (uint32_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct program now;
        cosm_save_report report = {.format = 0};
        letters_open(&now, cases[i].letters, cases[i].groups, cases[i].group_count);
        cosm_error_clear();
        CHECK_INT(shelf_load(&shelf, now.batch, NULL, &report), cases[i].reason == NULL);
        if (cases[i].reason == NULL) {
            CHECK_INT(report.dropped_count, cases[i].dropped);
            letters_check(&now, cases[i].letters, entities);
        } else {
            CHECK_FAILURE(COSM_ERROR_FORMAT, "cosm_save_read_bytes", cases[i].reason,
                          "define their groups as in the file");
        }
        program_close(&now);
    }
    shelf_free(&shelf);
}

TEST(an_engine_gets_the_sector_groups_of_a_file_with_its_components) {
    const char *path = "save_convert_groups.cosm";
    struct shelf shelf = {.bytes = NULL};
    cosm_entity entities[16];
    letters_fill(&shelf, entities);
    FILE *file = fopen(path, "wb");
    REQUIRE(file != NULL);
    CHECK_INT(fwrite(shelf.bytes, 1, shelf.size, file), shelf.size);
    CHECK_INT(fclose(file), 0);
    struct program now;
    program_open(&now);
    CHECK_DONE(cosm_save_define(now.engine, path, NULL));
    CHECK_DONE(cosm_save_define(now.engine, path, NULL));
    CHECK(shelf_load(&shelf, now.batch, NULL, NULL));
    letters_check(&now, "ABCD", entities);
    program_close(&now);
    (void)remove(path);
    shelf_free(&shelf);
}

// Counts what it is asked, and makes eight bytes of four.
struct witness {
    uint64_t values;
    uint32_t others;
    bool is_misaligned;
    cosm_component target;
    uint32_t refuse_at; // the number of the call; 0: none
    uint32_t calls;
};

static bool double_size(void *context, const cosm_migration *migration) {
    struct witness *witness = context;
    witness->calls++;
    if (strcmp(migration->component, "Raw") != 0) {
        witness->others++;
        return true;
    }
    CHECK_INT(migration->target.id, witness->target.id);
    CHECK_INT(migration->old_size, 4);
    CHECK_INT(migration->new_size, 8);
    CHECK(migration->fields == NULL);
    witness->is_misaligned = witness->is_misaligned || (uintptr_t)migration->old_values % 4 != 0 ||
                             (uintptr_t)migration->new_values % 8 != 0;
    const uint32_t *old = migration->old_values;
    uint64_t *now = migration->new_values;
    for (uint32_t i = 0; i < migration->count; i++) {
        CHECK_INT(now[i], 11); // the default
        now[i] = (uint64_t)old[i] << 32;
    }
    witness->values += migration->count;
    return witness->refuse_at == 0 || witness->calls < witness->refuse_at;
}

// Eleven by default.
static cosm_component define_raw(const struct program *program, cosm_storage storage) {
    return cosm_component_define(
        program->engine,
        &(cosm_component_desc){
            .name = "Raw", .size = 8, .storage = storage, .default_value = &(uint64_t){11}});
}

static void check_migration(cosm_storage storage, uint32_t count) {
    struct program old;
    struct program now;
    struct shelf shelf = {.bytes = NULL};
    cosm_entity *entities = malloc(count * sizeof(*entities));
    program_open(&old);
    cosm_component raw = define(&old, "Raw", 4, storage, NULL, 0);
    cosm_archetype archetype =
        cosm_archetype_define(old.engine, &(cosm_archetype_desc){.name = "bare"});
    for (uint32_t i = 0; i < count; i++) {
        entities[i] = cosm_entity_spawn(old.world, archetype);
        CHECK_DONE(cosm_entity_set(old.world, entities[i], raw, &i));
    }
    shelf_save(&shelf, old.batch, NULL);
    program_close(&old);
    program_open(&now);
    raw = define_raw(&now, storage);
    uint64_t before = cosm_hash_batch(now.batch, COSM_HASH_EXACT);
    cosm_error_clear();
    CHECK(!shelf_load(&shelf, now.batch, NULL, NULL));
    CHECK_FAILURE(COSM_ERROR_FORMAT, "cosm_save_read_bytes",
                  "component 'Raw' has 4 bytes in the file and 8 here", "set desc.migrate");
    CHECK_INT(cosm_hash_batch(now.batch, COSM_HASH_EXACT), before);
    struct witness witness = {.target = raw};
    cosm_load_desc load = {.migrate = double_size, .context = &witness};
    cosm_save_report report;
    CHECK(shelf_load(&shelf, now.batch, &load, &report));
    for (uint32_t i = 0; i < count; i++) {
        uint64_t value = 0;
        VALUE_OF(&now, entities[i], raw, &value);
        CHECK_INT(value, (uint64_t)i << 32);
    }
    CHECK_INT(witness.values, count);
    CHECK(!witness.is_misaligned);
    CHECK_INT(witness.others, 0);
    CHECK_REPORT(&report, .component_count = 1, .converted_count = 1, .migrated_count = 1);
    witness.refuse_at = witness.calls + (witness.calls > 1 ? 2 : 1);
    CHECK(!shelf_load(&shelf, now.batch, &load, &report));
    CHECK_FAILURE(COSM_ERROR_FORMAT, "cosm_save_read_bytes",
                  "desc.migrate returned false for component 'Raw'", "have it convert");
    CHECK_REPORT(&report, .component_count = 1, .converted_count = 1, .migrated_count = 1);
    program_close(&now);
    shelf_free(&shelf);
    free(entities);
}

TEST(migrate_is_asked_about_every_value_of_what_differs) {
    for (int storage = COSM_STORAGE_COLUMN; storage <= COSM_STORAGE_SECTOR; storage++) {
        check_migration((cosm_storage)storage, 50);
    }
    check_migration(COSM_STORAGE_COLUMN, CROWD);
}

TEST(reading_without_memory_fails_and_leaves_nothing_behind) {
    struct full full;
    struct shelf shelf = {.bytes = NULL};
    cosm_entity entities[64];
    full_open(&full);
    full_fill(&full, entities, 64);
    shelf_save(&shelf, full.program.batch, NULL);
    program_close(&full.program);
    struct ledger ledger;
    ledger_open(&ledger);
    struct program now;
    program_open_with(&now, &(cosm_engine_desc){.allocator = ledger_allocator(&ledger)});
    cosm_component column =
        define(&now, "Column", sizeof(WidePair), COSM_STORAGE_COLUMN, wide_fields, 3);
    cosm_component shared =
        define(&now, "Shared", sizeof(WidePair), COSM_STORAGE_SHARED, wide_fields, 3);
    (void)define(&now, "Managed", sizeof(WidePair), COSM_STORAGE_MANAGED, wide_fields, 3);
    uint64_t before = cosm_hash_batch(now.batch, COSM_HASH_EXACT);
    bool has_refused = true;
    uint32_t refused = 0;
    for (uint64_t n = 1; has_refused; n++) {
        ledger_refuse(&ledger, n, 1000000);
        cosm_snapshot *snapshot =
            cosm_save_read_bytes(now.engine, shelf.bytes, shelf.size, NULL, NULL);
        has_refused = ledger_relent(&ledger);
        refused += has_refused ? 1 : 0;
        CHECK_INT(snapshot == NULL, has_refused);
        cosm_snapshot_destroy(snapshot);
    }
    CHECK(refused > 5);
    CHECK_INT(cosm_hash_batch(now.batch, COSM_HASH_EXACT), before);
    CHECK(shelf_load(&shelf, now.batch, NULL, NULL));
    CHECK(cosm_entity_has(now.world, entities[3], column));
    CHECK(cosm_entity_has(now.world, entities[3], shared));
    program_close(&now);
    ledger_close(&ledger);
    shelf_free(&shelf);
}
