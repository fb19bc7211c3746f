// Exports: definitions and what is refused, and what tensors look like (cosm/export.h). Rows that
// come and go are in export_gather.c, addresses in export_place.c, state in export_state.c.
#include <stdio.h>
#include <string.h>

#include "harness.h"
#include "support/exports.h"
#include "support/fixture.h"

// A value of every kind of field.
typedef struct Chest {
    int8_t tiny;
    uint8_t bytes[3];
    float grid[2][3];
    float nested_x; // "nested.x"
    float nested_y;
    cosm_entity owner;
    cosm_entity guests[2];
    char label[8];
    bool open;
    uint8_t gap[7];
    double weight;
    int64_t big;
} Chest;

static const cosm_field chest_fields[] = {
    {.name = "tiny", .type = COSM_FIELD_I8, .offset = offsetof(Chest, tiny)},
    {.name = "bytes", .type = COSM_FIELD_U8, .offset = offsetof(Chest, bytes), .dims = {3}},
    {.name = "grid", .type = COSM_FIELD_F32, .offset = offsetof(Chest, grid), .dims = {2, 3}},
    {.name = "nested.x", .type = COSM_FIELD_F32, .offset = offsetof(Chest, nested_x)},
    {.name = "nested.y", .type = COSM_FIELD_F32, .offset = offsetof(Chest, nested_y)},
    {.name = "owner", .type = COSM_FIELD_ENTITY, .offset = offsetof(Chest, owner)},
    {.name = "guests", .type = COSM_FIELD_ENTITY, .offset = offsetof(Chest, guests), .dims = {2}},
    {.name = "label", .type = COSM_FIELD_CHAR, .offset = offsetof(Chest, label), .dims = {8}},
    {.name = "open", .type = COSM_FIELD_BOOL, .offset = offsetof(Chest, open)},
    {.name = "weight", .type = COSM_FIELD_F64, .offset = offsetof(Chest, weight)},
    {.name = "big", .type = COSM_FIELD_I64, .offset = offsetof(Chest, big)},
};
#define CHEST_FIELDS (sizeof(chest_fields) / sizeof(*chest_fields))

struct vitrine {
    cosm_engine *engine;
    cosm_batch *batch;
    cosm_component chest;
    cosm_component plain; // 12 bytes without fields
    cosm_archetype box;   // both, fixed, 2 in a world
};

static void vitrine_open(struct vitrine *vitrine, uint32_t worlds) {
    vitrine->engine = cosm_engine_create(NULL);
    vitrine->chest =
        cosm_component_define(vitrine->engine, &(cosm_component_desc){.name = "Chest",
                                                                      .size = sizeof(Chest),
                                                                      .alignment = 8,
                                                                      .fields = chest_fields,
                                                                      .field_count = CHEST_FIELDS});
    vitrine->plain =
        cosm_component_define(vitrine->engine, &(cosm_component_desc){.name = "Plain", .size = 12});
    vitrine->box = cosm_archetype_define(
        vitrine->engine, &(cosm_archetype_desc){.name = "box",
                                                .components = {vitrine->chest, vitrine->plain},
                                                .placement = COSM_PLACEMENT_FIXED,
                                                .max_per_world = 2});
    vitrine->batch = cosm_batch_create(vitrine->engine, &(cosm_batch_desc){.world_count = worlds});
    CHECK(vitrine->chest.id != 0 && vitrine->box.id != 0 && vitrine->batch != NULL);
}

static void vitrine_close(struct vitrine *vitrine) {
    CHECK_VALID(vitrine->batch);
    CHECK_DONE(cosm_batch_destroy(vitrine->batch));
    CHECK_DONE(cosm_engine_destroy(vitrine->engine));
}

// What a field of a chest should look like, behind worlds and rows.
struct look {
    const char *field;
    uint32_t field_count;
    cosm_field_type type;
    size_t offset;
    uint32_t dim_count;
    int64_t dims[3];
};

static void check_look(const struct vitrine *vitrine, uint32_t slot, const struct look *look) {
    const cosm_tensor *tensor = cosm_batch_tensor(vitrine->batch, slot);
    REQUIRE(tensor != NULL);
    CHECK_INT(tensor->kind, COSM_TENSOR_FIXED);
    CHECK_INT(tensor->type, look->type);
    CHECK_INT(tensor->slot, slot);
    CHECK_INT(tensor->dim_count, 2 + look->dim_count);
    CHECK_INT(tensor->shape[0], cosm_batch_world_count(vitrine->batch));
    CHECK_INT(tensor->shape[1], 2);
    CHECK_INT(tensor->strides[0], 2 * sizeof(Chest));
    CHECK_INT(tensor->strides[1], sizeof(Chest));
    int64_t stride = (int64_t)cosm_field_type_size(look->type);
    for (uint32_t d = look->dim_count; d-- > 0;) {
        CHECK_INT(tensor->shape[2 + d], look->dims[d]);
        CHECK_INT(tensor->strides[2 + d], stride);
        stride *= look->dims[d];
    }
    const char *column =
        cosm_table_column_read((cosm_world){vitrine->batch, 0}, vitrine->box, vitrine->chest);
    CHECK((const char *)tensor->data == column + look->offset);
    CHECK(!tensor->is_gathered);
    CHECK(tensor->offsets == NULL);
    CHECK(tensor->counts != NULL && tensor->counts[0] == 1);
}

TEST(a_tensor_has_the_type_and_the_dimensions_of_the_fields_that_it_shows) {
    static const struct look looks[] = {
        {"tiny", 0, COSM_FIELD_I8, 0, 0, {0}},
        {"bytes", 0, COSM_FIELD_U8, offsetof(Chest, bytes), 1, {3}},
        {"grid", 0, COSM_FIELD_F32, offsetof(Chest, grid), 2, {2, 3}},
        {"nested.y", 0, COSM_FIELD_F32, offsetof(Chest, nested_y), 0, {0}},
        {"nested.x", 2, COSM_FIELD_F32, offsetof(Chest, nested_x), 1, {2}},
        {"grid", 3, COSM_FIELD_F32, offsetof(Chest, grid), 1, {8}},
        {"owner", 0, COSM_FIELD_U32, offsetof(Chest, owner), 1, {2}},
        {"guests", 1, COSM_FIELD_U32, offsetof(Chest, guests), 2, {2, 2}},
        {"owner", 2, COSM_FIELD_U32, offsetof(Chest, owner), 2, {3, 2}},
        {"label", 0, COSM_FIELD_U8, offsetof(Chest, label), 1, {8}},
        {"open", 0, COSM_FIELD_BOOL, offsetof(Chest, open), 0, {0}},
        {"weight", 0, COSM_FIELD_F64, offsetof(Chest, weight), 0, {0}},
        {"big", 0, COSM_FIELD_I64, offsetof(Chest, big), 0, {0}},
    };
    struct vitrine vitrine;
    vitrine_open(&vitrine, 3);
    CHECK(!cosm_entity_is_none(cosm_entity_spawn((cosm_world){vitrine.batch, 0}, vitrine.box)));
    for (uint32_t i = 0; i < sizeof(looks) / sizeof(*looks); i++) {
        char name[32];
        (void)snprintf(name, sizeof(name), "look %u", i);
        CHECK_DONE(cosm_export_define(vitrine.engine,
                                      &(cosm_export_desc){.slot = i,
                                                          .name = name,
                                                          .archetype = vitrine.box,
                                                          .component = vitrine.chest,
                                                          .field = looks[i].field,
                                                          .field_count = looks[i].field_count}));
        check_look(&vitrine, i, &looks[i]);
    }
    vitrine_close(&vitrine);
}

TEST(a_component_without_fields_is_shown_as_its_bytes) {
    struct vitrine vitrine;
    vitrine_open(&vitrine, 2);
    CHECK_DONE(cosm_export_define(vitrine.engine, &(cosm_export_desc){.slot = 255,
                                                                      .name = "plain",
                                                                      .archetype = vitrine.box,
                                                                      .component = vitrine.plain}));
    const cosm_tensor *tensor = cosm_batch_tensor(vitrine.batch, 255);
    REQUIRE(tensor != NULL);
    CHECK_INT(tensor->type, COSM_FIELD_U8);
    CHECK_INT(tensor->dim_count, 3);
    CHECK_INT(tensor->shape[2], 12);
    CHECK_INT(tensor->strides[2], 1);
    CHECK_INT((uintptr_t)tensor->data % 64, 0);
    CHECK_STR(tensor->name, "plain");
    vitrine_close(&vitrine);
}

TEST(entities_are_shown_as_generation_and_id) {
    struct vitrine vitrine;
    vitrine_open(&vitrine, 2);
    CHECK_DONE(cosm_export_define(
        vitrine.engine,
        &(cosm_export_desc){.name = "boxes", .archetype = vitrine.box, .entities = true}));
    cosm_entity entity = cosm_entity_spawn((cosm_world){vitrine.batch, 1}, vitrine.box);
    const cosm_tensor *tensor = cosm_batch_tensor(vitrine.batch, 0);
    CHECK_INT(tensor->type, COSM_FIELD_U32);
    CHECK_INT(tensor->dim_count, 3);
    CHECK_INT(tensor->shape[2], 2);
    const uint32_t *shown = tensor->data;
    cosm_entity found;
    memcpy(&found, shown + 4, sizeof(found));
    CHECK(cosm_entity_equals(found, entity));
    CHECK_INT(tensor->counts[0], 0);
    CHECK_INT(tensor->counts[1], 1);
    vitrine_close(&vitrine);
}

TEST(a_singleton_is_shown_world_after_world) {
    struct exports exports;
    exports_open(&exports, 4, 1);
    const cosm_tensor *score = cosm_batch_tensor(exports.batch, SLOT_GOAL);
    CHECK_INT(score->kind, COSM_TENSOR_WORLDS);
    CHECK_INT(score->dim_count, 1);
    CHECK_INT(score->shape[0], 4);
    CHECK_INT(score->strides[0], sizeof(Goal));
    CHECK_INT(score->type, COSM_FIELD_U32);
    CHECK_INT(score->direction, COSM_DIRECTION_IN);
    CHECK(score->counts == NULL && score->offsets == NULL);
    Goal *goal = cosm_singleton_write((cosm_world){exports.batch, 3}, exports.goal);
    goal->score = 8;
    CHECK_INT(*(const uint32_t *)(const void *)((const char *)score->data + 3 * sizeof(Goal)), 8);
    exports_close(&exports);
}

TEST(a_field_of_a_split_component_is_a_tensor_without_gaps) {
    struct exports exports;
    exports_open(&exports, 1, 1);
    const cosm_tensor *rate = cosm_batch_tensor(exports.batch, SLOT_SPIN_RATE);
    CHECK_INT(rate->dim_count, 1);
    CHECK_INT(rate->strides[0], sizeof(float));
    CHECK(!rate->is_gathered);
    CHECK_INT((uintptr_t)rate->data % 64, 0);
    Spin spin = {1.0f, 2.5f};
    CHECK(!cosm_entity_is_none(cosm_entity_spawn_with((cosm_world){exports.batch, 0}, exports.top,
                                                      &(cosm_value){exports.spin, &spin}, 1)));
    CHECK_NEAR(*(const float *)rate->data, 2.5, 0);
    exports_close(&exports);
}

TEST(exports_are_found_by_name_and_described_as_they_were_defined) {
    struct exports exports;
    exports_open(&exports, 1, 1);
    CHECK_INT(cosm_engine_describe(exports.engine).export_count, SLOT_COUNT);
    CHECK_INT(cosm_export_find(exports.engine, "goal"), SLOT_GOAL);
    CHECK_INT(cosm_export_find(exports.engine, "nobody"), COSM_EXPORT_SLOT_NONE);
    CHECK_INT(cosm_export_find(exports.engine, NULL), COSM_EXPORT_SLOT_NONE);
    CHECK_INT(cosm_export_find(NULL, "goal"), COSM_EXPORT_SLOT_NONE);
    CHECK_INT(cosm_engine_describe(NULL).export_count, 0);
    cosm_export_desc desc;
    memset(&desc, 0, sizeof(desc));
    CHECK(cosm_export_describe(exports.engine, SLOT_ALL_PUSH, &desc));
    CHECK_INT(desc.slot, SLOT_ALL_PUSH);
    CHECK_STR(desc.name, "all pushes");
    CHECK_STR(desc.field, "push");
    CHECK_INT(desc.direction, COSM_DIRECTION_BOTH);
    CHECK_INT(desc.component.id, exports.body.id);
    CHECK(desc.query != &exports.bodies && desc.query != NULL);
    CHECK_INT(desc.query->terms[0].component.id, exports.choice.id);
    CHECK_INT(desc.query->terms[1].component.id, 0);
    desc.slot = 77;
    CHECK(!cosm_export_describe(exports.engine, 200, &desc));
    CHECK(!cosm_export_describe(exports.engine, COSM_EXPORT_SLOT_NONE, &desc));
    CHECK(!cosm_export_describe(exports.engine, 0, NULL));
    CHECK(!cosm_export_describe(NULL, 0, &desc));
    CHECK_INT(desc.slot, 77);
    exports_close(&exports);
}

TEST(a_slot_that_is_not_defined_has_no_tensor_and_asking_for_it_is_reported) {
    struct exports exports;
    exports_open(&exports, 2, 1);
    const uint32_t slots[] = {200, COSM_EXPORT_SLOT_MAX, COSM_EXPORT_SLOT_NONE};
    const char *parts[] = {"slot 200", "slot 256", "slot 4294967295"};
    for (uint32_t i = 0; i < 3; i++) {
        cosm_error_clear();
        CHECK(cosm_batch_tensor(exports.batch, slots[i]) == NULL);
        CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_batch_tensor", parts[i], "cosm_export_define");
    }
    cosm_error_clear();
    CHECK(cosm_batch_tensor(NULL, 0) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_batch_tensor", "batch is NULL", "cosm_batch_create");
    exports_close(&exports);
}

TEST(the_same_definition_again_is_fine_and_another_one_is_a_conflict) {
    struct exports exports;
    exports_open(&exports, 1, 1);
    exports_export(&exports);
    CHECK_INT(cosm_engine_describe(exports.engine).export_count, SLOT_COUNT);
    cosm_export_desc desc = exports_slot_desc(&exports, SLOT_PAWN_POINT);
    desc.direction = COSM_DIRECTION_OUT;
    CHECK_FAILS(cosm_export_define(exports.engine, &desc), COSM_ERROR_CONFLICT,
                "cosm_export_define", "slot 1", "choose another");
    desc.slot = 100;
    CHECK_FAILS(cosm_export_define(exports.engine, &desc), COSM_ERROR_CONFLICT,
                "cosm_export_define", "the name 'pawn point' is taken by slot 1",
                "choose another name");
    desc.name = "pawn points again";
    CHECK_DONE(cosm_export_define(exports.engine, &desc));
    exports_close(&exports);
}

// A definition that is refused: what is wrong with it, and what the message says.
struct refusal {
    cosm_export_desc desc;
    cosm_result result;
    const char *value;
    const char *remedy;
};

static void check_refusal(const struct exports *exports, const struct refusal *refusal) {
    cosm_error_clear();
    CHECK_INT(cosm_export_define(exports->engine, &refusal->desc), refusal->result);
    CHECK_FAILURE(refusal->result, "cosm_export_define", refusal->value, refusal->remedy);
    CHECK_INT(cosm_engine_describe(exports->engine).export_count, 0);
    CHECK(cosm_batch_tensor(exports->batch, refusal->desc.slot) == NULL);
}

static void check_refusals(const struct exports *exports, const struct refusal *refusals,
                           size_t count) {
    for (size_t i = 0; i < count; i++) {
        check_refusal(exports, &refusals[i]);
    }
}

static void open_refusals(struct exports *exports) {
    exports_define(exports, NULL);
    exports->batch = cosm_batch_create(exports->engine, NULL);
}

static void close_refusals(struct exports *exports) {
    CHECK_DONE(cosm_batch_destroy(exports->batch));
    CHECK_DONE(cosm_engine_destroy(exports->engine));
}

TEST(definitions_that_do_not_say_what_they_show_are_refused) {
    struct exports exports;
    open_refusals(&exports);
    cosm_archetype pawn = exports.pawn;
    cosm_component point = exports.point;
    const struct refusal refusals[] = {
        {{.archetype = pawn, .component = point}, COSM_ERROR_ARGUMENT, "name", ""},
        {{.name = "x", .slot = 256, .archetype = pawn, .component = point},
         COSM_ERROR_LIMIT,
         "256",
         "lower"},
        {{.name = "x", .archetype = pawn, .component = point, .direction = (cosm_direction)3},
         COSM_ERROR_ARGUMENT,
         "direction 3",
         "cosm_direction"},
        {{.name = "x", .component = point}, COSM_ERROR_ARGUMENT, "0 of singleton", "exactly one"},
        {{.name = "x", .archetype = pawn, .query = &exports.points, .component = point},
         COSM_ERROR_ARGUMENT,
         "2 of singleton",
         "exactly one"},
        {{.name = "x", .archetype = pawn},
         COSM_ERROR_ARGUMENT,
         "'x' exports an archetype but no column",
         "set desc.component or desc.entities"},
        {{.name = "x", .query = &exports.points},
         COSM_ERROR_ARGUMENT,
         "'x' exports a query but no column",
         "set desc.component or desc.entities"},
        {{.name = "x", .archetype = pawn, .component = point, .entities = true},
         COSM_ERROR_ARGUMENT,
         "2 of component",
         "set one"},
        {{.name = "x", .singleton = exports.goal, .component = point},
         COSM_ERROR_ARGUMENT,
         "1 of component",
         "none with a singleton"},
        {{.name = "x", .archetype = pawn, .entities = true, .direction = COSM_DIRECTION_IN},
         COSM_ERROR_ARGUMENT,
         "entities",
         "leave field"},
    };
    CHECK_FAILS(cosm_export_define(NULL, &refusals[0].desc), COSM_ERROR_ARGUMENT,
                "cosm_export_define", "engine", "pass both");
    CHECK_FAILS(cosm_export_define(exports.engine, NULL), COSM_ERROR_ARGUMENT, "cosm_export_define",
                "desc", "pass both");
    check_refusals(&exports, refusals, sizeof(refusals) / sizeof(*refusals));
    close_refusals(&exports);
}

TEST(what_is_not_there_or_cannot_be_a_tensor_is_refused) {
    struct exports exports;
    open_refusals(&exports);
    cosm_archetype pawn = exports.pawn;
    cosm_component point = exports.point;
    cosm_archetype brief = cosm_archetype_define(
        exports.engine, &(cosm_archetype_desc){.components = {exports.point}, .temporary = true});
    const struct refusal refusals[] = {
        {{.name = "x", .archetype = {999}, .component = point},
         COSM_ERROR_ARGUMENT,
         "999",
         "cosm_archetype_define"},
        {{.name = "x", .archetype = brief, .component = point},
         COSM_ERROR_ARGUMENT,
         "temporary",
         "one that is not temporary"},
        {{.name = "x", .archetype = pawn, .component = exports.body},
         COSM_ERROR_ARGUMENT,
         "'pawn' of 'x' does not have component 'Body'",
         "use one"},
        {{.name = "x", .archetype = pawn, .component = {888}},
         COSM_ERROR_ARGUMENT,
         "desc.component 888 of 'x' is not defined",
         "cosm_component_define"},
        {{.name = "x",
          .archetype = pawn,
          .component = cosm_bundle_define(
              exports.engine,
              &(cosm_bundle_desc){.name = "Both", .components = {point, exports.choice}})},
         COSM_ERROR_ARGUMENT,
         "is the bundle 'Both'",
         "one by one"},
        {{.name = "x", .singleton = {99}},
         COSM_ERROR_ARGUMENT,
         "desc.singleton 99 of 'x' is not defined",
         "cosm_singleton_define"},
        {{.name = "x", .query = &exports.points, .component = {888}},
         COSM_ERROR_ARGUMENT,
         "component 888",
         "pass one"},
        {{.name = "x", .archetype = exports.tile, .component = exports.mark},
         COSM_ERROR_ARGUMENT,
         "'Mark'",
         "COSM_STORAGE_COLUMN"},
        {{.name = "x", .query = &exports.points, .component = exports.side},
         COSM_ERROR_ARGUMENT,
         "'Side'",
         "COSM_STORAGE_COLUMN"},
        {{.name = "x", .archetype = pawn, .component = point, .field = "z"},
         COSM_ERROR_ARGUMENT,
         "'z'",
         "one of its fields"},
        {{.name = "x", .archetype = pawn, .component = point, .field = "y", .field_count = 2},
         COSM_ERROR_ARGUMENT,
         "field_count 2",
         "use fewer"},
        {{.name = "x", .archetype = exports.heavy, .component = exports.body},
         COSM_ERROR_ARGUMENT,
         "different types",
         "one by one"},
        {{.name = "x", .archetype = exports.top, .component = exports.spin},
         COSM_ERROR_ARGUMENT,
         "split",
         "one by one"},
    };
    check_refusals(&exports, refusals, sizeof(refusals) / sizeof(*refusals));
    close_refusals(&exports);
}

TEST(queries_that_cannot_be_gathered_are_refused) {
    struct exports exports;
    open_refusals(&exports);
    cosm_component point = exports.point;
    cosm_query_desc changed = {
        .terms = {{.component = point, .access = COSM_ACCESS_WRITE, .changed = true}}};
    cosm_query_desc full = {.terms = {{.component = point, .access = COSM_ACCESS_WRITE}}};
    for (uint32_t i = 0; i < COSM_QUERY_TERM_MAX; i++) {
        char name[16];
        (void)snprintf(name, sizeof(name), "T%u", i);
        full.terms[i].component =
            cosm_component_define(exports.engine, &(cosm_component_desc){.name = name});
    }
    const struct refusal refusals[] = {
        {{.name = "x", .query = &changed, .component = point},
         COSM_ERROR_ARGUMENT,
         "term 0",
         "leave it out"},
        {{.name = "x", .query = &full, .component = point},
         COSM_ERROR_LIMIT,
         "terms",
         "remove one term"},
    };
    check_refusals(&exports, refusals, sizeof(refusals) / sizeof(*refusals));
    close_refusals(&exports);
}

TEST(fields_with_a_gap_between_them_are_refused) {
    struct vitrine vitrine;
    vitrine_open(&vitrine, 1);
    static const cosm_field fields[] = {{.name = "a", .type = COSM_FIELD_U8},
                                        {.name = "b", .type = COSM_FIELD_U8, .offset = 4}};
    cosm_singleton loose = cosm_singleton_define(
        vitrine.engine,
        &(cosm_singleton_desc){.name = "Loose", .size = 8, .fields = fields, .field_count = 2});
    CHECK_FAILS(cosm_export_define(vitrine.engine,
                                   &(cosm_export_desc){.name = "loose", .singleton = loose}),
                COSM_ERROR_ARGUMENT, "cosm_export_define", "not adjacent", "one by one");
    CHECK_DONE(cosm_export_define(
        vitrine.engine,
        &(cosm_export_desc){.name = "loose", .singleton = loose, .field_count = 1}));
    vitrine_close(&vitrine);
}

static void define_in_a_system(const cosm_turn *turn) {
    const struct exports *exports = turn->context;
    (void)turn;
    cosm_export_desc desc = exports_slot_desc(exports, SLOT_PAWN_Y);
    CHECK_INT(cosm_export_define(exports->engine, &desc), COSM_ERROR_BUSY);
}

TEST(nothing_is_defined_while_a_batch_runs) {
    struct exports exports;
    exports_define(&exports, NULL);
    exports.batch = cosm_batch_create(exports.engine, NULL);
    CHECK(cosm_system_define(exports.engine, &(cosm_system_desc){.name = "define",
                                                                 .run = define_in_a_system,
                                                                 .context = &exports,
                                                                 .exclusive = true})
              .id != 0);
    CHECK_FAILS(cosm_batch_step(exports.batch), COSM_ERROR_BUSY, "cosm_export_define", "running",
                "between steps");
    CHECK_INT(cosm_engine_describe(exports.engine).export_count, 0);
    CHECK_DONE(cosm_batch_destroy(exports.batch));
    CHECK_DONE(cosm_engine_destroy(exports.engine));
}

TEST(every_slot_can_be_used_and_batches_made_later_have_them_all) {
    struct vitrine vitrine;
    vitrine_open(&vitrine, 2);
    for (uint32_t slot = 0; slot < COSM_EXPORT_SLOT_MAX; slot++) {
        char name[16];
        (void)snprintf(name, sizeof(name), "s%u", slot);
        CHECK_DONE(cosm_export_define(vitrine.engine,
                                      &(cosm_export_desc){.slot = slot,
                                                          .name = name,
                                                          .archetype = vitrine.box,
                                                          .component = vitrine.chest,
                                                          .field = "tiny",
                                                          .direction = COSM_DIRECTION_BOTH}));
    }
    CHECK_INT(cosm_engine_describe(vitrine.engine).export_count, COSM_EXPORT_SLOT_MAX);
    CHECK_INT(cosm_export_find(vitrine.engine, "s255"), 255);
    cosm_batch *later = cosm_batch_create(vitrine.engine, NULL);
    CHECK(cosm_batch_tensor(later, 255) != NULL && cosm_batch_tensor(later, 0) != NULL);
    CHECK_DONE(cosm_batch_step(later));
    CHECK_DONE(cosm_batch_destroy(later));
    vitrine_close(&vitrine);
}

// The most dimensions there are: worlds, rows, fields, four of each field, and two of an entity.
TEST(a_tensor_has_up_to_eight_dimensions) {
    static const cosm_field fields[] = {
        {.name = "a", .type = COSM_FIELD_ENTITY, .dims = {1, 2, 1, 2}},
        {.name = "b", .type = COSM_FIELD_ENTITY, .offset = 32, .dims = {1, 2, 1, 2}}};
    cosm_engine *engine = cosm_engine_create(NULL);
    cosm_component deep = cosm_component_define(
        engine,
        &(cosm_component_desc){.name = "Deep", .size = 64, .fields = fields, .field_count = 2});
    cosm_archetype one = cosm_archetype_define(
        engine, &(cosm_archetype_desc){
                    .components = {deep}, .placement = COSM_PLACEMENT_FIXED, .max_per_world = 3});
    CHECK_DONE(cosm_export_define(
        engine, &(cosm_export_desc){.name = "deep", .archetype = one, .component = deep}));
    cosm_batch *batch = cosm_batch_create(engine, &(cosm_batch_desc){.world_count = 5});
    const cosm_tensor *tensor = cosm_batch_tensor(batch, 0);
    CHECK_INT(tensor->dim_count, COSM_TENSOR_DIM_MAX);
    static const int64_t shape[] = {5, 3, 2, 1, 2, 1, 2, 2};
    static const int64_t strides[] = {192, 64, 32, 32, 16, 16, 8, 4};
    CHECK_MEM(tensor->shape, shape, sizeof(shape));
    CHECK_MEM(tensor->strides, strides, sizeof(strides));
    CHECK_DONE(cosm_batch_destroy(batch));
    CHECK_DONE(cosm_engine_destroy(engine));
}
