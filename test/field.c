// Fields: types, sizes, every check of a description, what is kept of it (cosm/field.h).
// ctest: record
#include <cosm_record/recorder.h>
#include <cosm_record/replay.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "support/fixture.h"
#include "support/folder.h"
#include "support/ledger.h"
#include "support/shelf.h"

#define COUNT_OF(array) ((uint32_t)(sizeof(array) / sizeof(*(array))))

// The size and the alignment that descriptions under test are of.
#define THING_SIZE 64u
#define THING_ALIGNMENT 8u

static cosm_component define_thing(cosm_engine *engine, const cosm_field *fields, uint32_t count) {
    return cosm_component_define(engine, &(cosm_component_desc){.name = "Thing",
                                                                .size = THING_SIZE,
                                                                .alignment = THING_ALIGNMENT,
                                                                .fields = fields,
                                                                .field_count = count});
}

static cosm_singleton define_lone_thing(cosm_engine *engine, const cosm_field *fields,
                                        uint32_t count) {
    return cosm_singleton_define(engine, &(cosm_singleton_desc){.name = "Thing",
                                                                .size = THING_SIZE,
                                                                .alignment = THING_ALIGNMENT,
                                                                .fields = fields,
                                                                .field_count = count});
}

// A description that is refused, for a component and for a singleton, with nothing defined.
static void check_refused(const char *file, int line, const cosm_field *fields, uint32_t count,
                          cosm_result result, const char *value, const char *remedy) {
    cosm_engine *engine = cosm_engine_create(NULL);
    cosm_error_clear();
    CHECK_INT(define_thing(engine, fields, count).id, 0);
    check_failure(file, line, result, "cosm_component_define: 'Thing': ", value, remedy);
    CHECK_INT(define_lone_thing(engine, fields, count).id, 0);
    check_failure(file, line, result, "cosm_singleton_define: 'Thing': ", value, remedy);
    CHECK_INT(cosm_engine_describe(engine).component_count, 0);
    CHECK_INT(cosm_engine_describe(engine).singleton_count, 0);
    CHECK_INT(cosm_component_find(engine, "Thing").id, 0);
    CHECK_INT(cosm_singleton_find(engine, "Thing").id, 0);
    CHECK_DONE(cosm_engine_destroy(engine));
}

#define CHECK_REFUSED(field, value, remedy)                                                        \
    check_refused(__FILE__, __LINE__, &(field), 1, COSM_ERROR_ARGUMENT, (value), (remedy))

// A description that is accepted, for a component and for a singleton.
static void check_accepted(const char *file, int line, const cosm_field *fields, uint32_t count) {
    cosm_engine *engine = cosm_engine_create(NULL);
    cosm_error_clear();
    cosm_component component = define_thing(engine, fields, count);
    cosm_singleton singleton = define_lone_thing(engine, fields, count);
    (void)harness_check_str(file, line, "the last message", cosm_error_message(), "");
    CHECK_INT(cosm_component_describe(engine, component).field_count, count);
    CHECK_INT(cosm_singleton_describe(engine, singleton).field_count, count);
    CHECK_DONE(cosm_engine_destroy(engine));
}

#define CHECK_ACCEPTED(field) check_accepted(__FILE__, __LINE__, &(field), 1)

TEST(a_type_has_the_size_of_its_scalar_and_a_name_that_finds_it) {
    static const struct {
        cosm_field_type type;
        size_t size;
        const char *name;
    } types[] = {
        {COSM_FIELD_I8, sizeof(int8_t), "i8"},
        {COSM_FIELD_I16, sizeof(int16_t), "i16"},
        {COSM_FIELD_I32, sizeof(int32_t), "i32"},
        {COSM_FIELD_I64, sizeof(int64_t), "i64"},
        {COSM_FIELD_U8, sizeof(uint8_t), "u8"},
        {COSM_FIELD_U16, sizeof(uint16_t), "u16"},
        {COSM_FIELD_U32, sizeof(uint32_t), "u32"},
        {COSM_FIELD_U64, sizeof(uint64_t), "u64"},
        {COSM_FIELD_F32, sizeof(float), "f32"},
        {COSM_FIELD_F64, sizeof(double), "f64"},
        {COSM_FIELD_BOOL, sizeof(bool), "bool"},
        {COSM_FIELD_ENTITY, sizeof(cosm_entity), "entity"},
        {COSM_FIELD_CHAR, sizeof(char), "char"},
    };
    CHECK_INT(COUNT_OF(types), COSM_FIELD_TYPE_COUNT - 1);
    for (uint32_t i = 0; i < COUNT_OF(types); i++) {
        CHECK_INT(cosm_field_type_size(types[i].type), types[i].size);
        CHECK_STR(cosm_field_type_name(types[i].type), types[i].name);
        CHECK_INT(cosm_field_type_find(types[i].name), types[i].type);
    }
}

TEST(what_is_no_type_has_neither_size_nor_name) {
    const int numbers[] = {COSM_FIELD_NONE, COSM_FIELD_TYPE_COUNT, 1000, -1};
    for (uint32_t i = 0; i < COUNT_OF(numbers); i++) {
        cosm_field_type type = (cosm_field_type)numbers[i];
        CHECK_INT(cosm_field_type_size(type), 0);
        CHECK_STR(cosm_field_type_name(type), NULL);
        CHECK_INT(cosm_field_size(&(cosm_field){.name = "a", .type = type}), 0);
    }
    const char *const names[] = {NULL, "", "F32", "f3", "f322", " f32", "float", "none"};
    for (uint32_t i = 0; i < COUNT_OF(names); i++) {
        CHECK_INT(cosm_field_type_find(names[i]), COSM_FIELD_NONE);
    }
}

TEST(a_field_holds_the_product_of_its_dimensions) {
    static const struct {
        uint32_t dims[COSM_FIELD_DIM_MAX];
        uint32_t count; // 0: does not fit
    } shapes[] = {
        {{0}, 1},
        {{1}, 1},
        {{7}, 7},
        {{2, 3}, 6},
        {{2, 3, 5}, 30},
        {{2, 3, 5, 7}, 210},
        {{UINT32_MAX}, UINT32_MAX},
        {{65535, 65537}, UINT32_MAX},
        {{65536, 65536}, 0},
        {{256, 256, 256, 256}, 0},
        {{UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX}, 0},
    };
    for (uint32_t i = 0; i < COUNT_OF(shapes); i++) {
        cosm_field field = {.name = "a", .type = COSM_FIELD_F64, .padding = 24};
        memcpy(field.dims, shapes[i].dims, sizeof(field.dims));
        CHECK_INT(cosm_field_element_count(&field), shapes[i].count);
        // The padding is not counted.
        CHECK_INT(cosm_field_size(&field), shapes[i].count * sizeof(double));
    }
    CHECK_INT(cosm_field_element_count(NULL), 0);
    CHECK_INT(cosm_field_size(NULL), 0);
}

// Paths.

TEST(a_path_is_made_of_identifiers_dots_and_indices) {
    const char *const good[] = {"a",          "_",      "Z9_",    "a.b.c",      "a[0]",
                                "a[0][0][0]", "a[0].b", "a.b[0]", "a[0].b[0].c"};
    for (uint32_t i = 0; i < COUNT_OF(good); i++) {
        cosm_field field = {.name = good[i], .type = COSM_FIELD_U8};
        CHECK_ACCEPTED(field);
    }
    const char *const bad[] = {"",
                               ".",
                               "1a",
                               ".a",
                               "a.",
                               "a..b",
                               "a b",
                               " a",
                               "a-b",
                               "a[",
                               "a[]",
                               "a[x]",
                               "a[-1]",
                               "a[+1]",
                               "a[ 0]",
                               "a[0",
                               "a[00]",
                               "a[01]",
                               "a]",
                               "a[0]b",
                               "[0]",
                               "a.[0]",
                               "a.1",
                               "a[0].",
                               "a,b",
                               "\xc3\xa4",
                               "a[0]]",
                               "a[0]..b",
                               "a[16777216]",
                               "a[4294967296]",
                               "a[99999999999999999999]",
                               "a\n",
                               "[",
                               "]"};
    for (uint32_t i = 0; i < COUNT_OF(bad); i++) {
        cosm_field field = {.name = bad[i], .type = COSM_FIELD_U8};
        char value[64];
        (void)snprintf(value, sizeof(value), "desc.fields[0].name '%s' is not a path", bad[i]);
        CHECK_REFUSED(field, value, "such as pose.position.x or items[2].count");
    }
    cosm_field unnamed = {.type = COSM_FIELD_U8};
    CHECK_REFUSED(unnamed, "desc.fields[0].name 'NULL' is not a path", "write identifiers");
}

// Describes bytes side by side under the names of a list, which ends with NULL.
static uint32_t fields_of_names(const char *const *names, cosm_field *out_fields) {
    uint32_t count = 0;
    for (; names[count] != NULL; count++) {
        out_fields[count] =
            (cosm_field){.name = names[count], .type = COSM_FIELD_U8, .offset = count};
    }
    return count;
}

TEST(fields_of_nested_structs_and_arrays_follow_each_other_in_order) {
    static const char *const lists[][14] = {
        {"a", "b"},
        {"a", "ab", "b"},
        {"ab", "a"},
        {"a.b", "ab", "a_b"},
        {"ab", "q", "a"},
        {"a1", "q", "a"},
        {"a_", "q", "a.x"},
        {"p.x", "p.y", "q"},
        {"p.x", "q.x", "r.x"},
        {"p.a.x", "p.b.x", "p.c"},
        {"x", "p.x", "p.p.x", "p.p.p"},
        {"a[0]", "a[1]", "a[2]", "b"},
        {"a[0].x", "a[0].y", "a[1].x", "a[1].y", "b[0].x"},
        {"m[0][0]", "m[0][1]", "m[1][0]", "m[1][1]"},
        {"a[0].b[0].c", "a[0].b[1].c", "a[0].d", "a[1].b[0].c", "a[1].b[1].c"},
        {"a[0]", "a[1]", "a[2]", "a[3]", "a[4]", "a[5]", "a[6]", "a[7]", "a[8]", "a[9]", "a[10]",
         "a[11]"},
    };
    for (uint32_t i = 0; i < COUNT_OF(lists); i++) {
        cosm_field fields[14];
        uint32_t count = fields_of_names(lists[i], fields);
        check_accepted(__FILE__, __LINE__, fields, count);
    }
}

TEST(a_field_that_stands_in_the_wrong_place_is_refused) {
    // The last one of each list is the one that cannot follow the one before it.
    static const char *const lists[][5] = {
        {"a", "a"},
        {"a", "b", "a"},
        {"a", "a.x"},
        {"a.x", "a"},
        {"a", "a[0]"},
        {"a[0]", "a"},
        {"a[0]", "a[0]"},
        {"a[0]", "a.x"},
        {"a.x", "a[0]"},
        {"p.x", "q", "p.y"},
        {"p.x", "q", "p"},
        {"p.q.x", "p.r", "p.q.y"},
        {"p.q.x", "p.r", "p.q"},
        {"a[0]", "a[2]"},
        {"a[0]", "a[1]", "a[0]"},
        {"a[0].x", "a[1].x", "a[0].y"},
        {"a[0].x", "b", "a[1].x"},
        {"a[0].x", "b", "a[0].y"},
        {"p.a[0]", "p.b", "p.a[1]"},
        {"m[0][0]", "m[1][1]"},
        {"m[0][0]", "m[0][2]"},
        {"a[0].x[0]", "a[1].x[1]"},
        {"a", "b[1]"},
    };
    for (uint32_t i = 0; i < COUNT_OF(lists); i++) {
        cosm_field fields[5];
        uint32_t count = fields_of_names(lists[i], fields);
        char value[64];
        (void)snprintf(value, sizeof(value), "field '%s' cannot follow '%s'", lists[i][count - 1],
                       lists[i][count - 2]);
        check_refused(__FILE__, __LINE__, fields, count, COSM_ERROR_ARGUMENT, value,
                      "name each field once, keep those of a nested struct together");
    }
    // Nor can one that does not count from 0 be the first.
    cosm_field first = {.name = "a[1]", .type = COSM_FIELD_U8};
    CHECK_REFUSED(first, "field 'a[1]' cannot be the first", "count indices from 0");
    cosm_field inner = {.name = "m[0][1]", .type = COSM_FIELD_U8};
    CHECK_REFUSED(inner, "field 'm[0][1]' cannot be the first", "count indices from 0");
}

// Types, dimensions, ranges.

TEST(a_field_has_a_type) {
    cosm_field none = {.name = "a"};
    CHECK_REFUSED(none, "field 'a' has COSM_FIELD_NONE", "set its type and dims in desc.fields");
    const int numbers[] = {COSM_FIELD_TYPE_COUNT, -1};
    for (uint32_t i = 0; i < COUNT_OF(numbers); i++) {
        cosm_field field = {.name = "a", .type = (cosm_field_type)numbers[i]};
        char value[32];
        (void)snprintf(value, sizeof(value), "field 'a' has type %d;", numbers[i]);
        CHECK_REFUSED(field, value, "use a value of cosm_field_type");
    }
}

TEST(dimensions_have_zeroes_only_at_the_end) {
    cosm_field field = {.name = "a", .type = COSM_FIELD_U8, .dims = {0, 3}};
    CHECK_REFUSED(field, "field 'a' has dims {0, 3, 0, 0}", "set sizes first");
    field = (cosm_field){.name = "a", .type = COSM_FIELD_U8, .dims = {2, 0, 2}};
    CHECK_REFUSED(field, "field 'a' has dims {2, 0, 2, 0}", "then zeroes");
    field = (cosm_field){.name = "a", .type = COSM_FIELD_U8, .dims = {2, 2, 0, 2}};
    CHECK_REFUSED(field, "field 'a' has dims {2, 2, 0, 2}", "then zeroes");
    field = (cosm_field){.name = "a", .type = COSM_FIELD_U8, .dims = {65536, 65536}};
    CHECK_REFUSED(field, "field 'a' has dims {65536, 65536, 0, 0}", "product below 2^32");
}

TEST(a_field_has_up_to_four_dimensions) {
    for (uint32_t dims = 0; dims <= COSM_FIELD_DIM_MAX; dims++) {
        cosm_field field = {.name = "a", .type = COSM_FIELD_I16};
        for (uint32_t d = 0; d < dims; d++) {
            field.dims[d] = 2;
        }
        CHECK_ACCEPTED(field);
        CHECK_INT(cosm_field_element_count(&field), 1u << dims);
    }
}

TEST(text_has_room) {
    cosm_field field = {.name = "a", .type = COSM_FIELD_CHAR};
    CHECK_REFUSED(field, "field 'a' is text without a size", "or use COSM_FIELD_I8 for a number");
    field.dims[0] = 1;
    CHECK_ACCEPTED(field);
}

TEST(a_range_goes_from_a_number_to_one_that_is_not_below_it) {
    const double good[][2] = {{0, 0}, {-1, 1}, {5, 5}, {-INFINITY, INFINITY}, {0, 1e-300}};
    for (uint32_t i = 0; i < COUNT_OF(good); i++) {
        cosm_field field = {
            .name = "a", .type = COSM_FIELD_F64, .min = good[i][0], .max = good[i][1]};
        CHECK_ACCEPTED(field);
    }
    const double bad[][2] = {{1, 0},   {0, -1},  {INFINITY, -INFINITY},
                             {NAN, 1}, {0, NAN}, {NAN, NAN}};
    for (uint32_t i = 0; i < COUNT_OF(bad); i++) {
        cosm_field field = {
            .name = "a", .type = COSM_FIELD_F64, .min = bad[i][0], .max = bad[i][1]};
        char value[64];
        (void)snprintf(value, sizeof(value), "field 'a' has the range %g to %g", bad[i][0],
                       bad[i][1]);
        CHECK_REFUSED(field, value, "set min below max, or both to zero for none");
    }
}

TEST(what_is_strict_is_a_number_with_bounds_or_a_bool) {
    static const cosm_label labels[] = {{"one", 1}};
    static const cosm_labels list = {.name = "List", .count = 1, .items = labels};
    for (uint32_t type = COSM_FIELD_I8; type < COSM_FIELD_TYPE_COUNT; type++) {
        bool is_number = type <= COSM_FIELD_F64;
        cosm_field field = {.name = "a",
                            .type = (cosm_field_type)type,
                            .dims = {type == COSM_FIELD_CHAR ? 4 : 0},
                            .strict = true};
        cosm_field ranged = field;
        ranged.max = 1;
        if (type == COSM_FIELD_BOOL) {
            CHECK_ACCEPTED(field);
            continue;
        }
        CHECK_REFUSED(field, "is strict, with neither a range nor labels", "give a number one");
        if (is_number) {
            CHECK_ACCEPTED(ranged);
        } else {
            CHECK_REFUSED(ranged, "is strict, with neither a range nor labels",
                          "entities and text");
        }
        if (type <= COSM_FIELD_U64) {
            field.labels = &list;
            CHECK_ACCEPTED(field);
        }
    }
}

// Places.

TEST(a_field_is_aligned_as_its_type_or_as_it_says) {
    cosm_field field = {.name = "a", .type = COSM_FIELD_F32, .offset = 2};
    CHECK_REFUSED(field, "field 'a' has offset 2 and 4 bytes with its padding, aligned to 4",
                  "move the field, or add padding");
    field.alignment = 2; // as in a packed struct
    CHECK_ACCEPTED(field);
    field = (cosm_field){.name = "a", .type = COSM_FIELD_ENTITY, .offset = 4};
    CHECK_ACCEPTED(field);
    field = (cosm_field){.name = "a", .type = COSM_FIELD_F32, .alignment = 8};
    CHECK_REFUSED(field, "and 4 bytes with its padding, aligned to 8", "add padding");
    field.padding = 4;
    CHECK_ACCEPTED(field);
    field.padding = 2;
    CHECK_REFUSED(field, "and 6 bytes with its padding, aligned to 8", "add padding");
}

TEST(an_alignment_of_a_field_is_a_power_of_two_and_within_that_of_the_whole) {
    const uint32_t wrong[] = {3, 6, 16, 4096, 8192, UINT32_MAX};
    for (uint32_t i = 0; i < COUNT_OF(wrong); i++) {
        cosm_field field = {.name = "a", .type = COSM_FIELD_U8, .alignment = wrong[i]};
        char value[64];
        (void)snprintf(value, sizeof(value), "field 'a' is aligned to %u, the struct to 8",
                       wrong[i]);
        CHECK_REFUSED(field, value, "raise desc.alignment to the largest of them");
    }
    // That of the type counts as well.
    cosm_engine *engine = cosm_engine_create(NULL);
    cosm_field wide = {.name = "a", .type = COSM_FIELD_F64};
    cosm_component_desc desc = {
        .name = "low", .size = 8, .alignment = 4, .fields = &wide, .field_count = 1};
    CHECK_INT(cosm_component_define(engine, &desc).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_component_define: 'low'",
                  "field 'a' is aligned to 8, the struct to 4", "raise desc.alignment");
    CHECK_DONE(cosm_engine_destroy(engine));
}

TEST(a_field_ends_within_the_whole) {
    cosm_field field = {.name = "a", .type = COSM_FIELD_F64, .offset = THING_SIZE - 8};
    CHECK_ACCEPTED(field);
    field.offset = THING_SIZE;
    CHECK_REFUSED(field, "field 'a' ends at byte 72, the struct has 64", "use offsetof and sizeof");
    field = (cosm_field){.name = "a", .type = COSM_FIELD_U8, .dims = {THING_SIZE}};
    CHECK_ACCEPTED(field);
    field.dims[0]++;
    CHECK_REFUSED(field, "ends at byte 65", "of the same struct");
    field = (cosm_field){.name = "a", .type = COSM_FIELD_U8, .padding = THING_SIZE - 1};
    CHECK_ACCEPTED(field);
    field.padding++;
    CHECK_REFUSED(field, "ends at byte 65", "of the same struct");
    // Nothing wraps.
    field = (cosm_field){.name = "a", .type = COSM_FIELD_U8, .offset = UINT32_MAX};
    CHECK_REFUSED(field, "ends at byte 4294967296", "of the same struct");
    field = (cosm_field){.name = "a", .type = COSM_FIELD_F64, .dims = {UINT32_MAX}};
    CHECK_REFUSED(field, "ends at byte 34359738360", "of the same struct");
    field = (cosm_field){.name = "a", .type = COSM_FIELD_U8, .padding = UINT32_MAX};
    CHECK_REFUSED(field, "ends at byte 4294967296", "of the same struct");
}

TEST(fields_do_not_overlap) {
    cosm_field fields[] = {
        {.name = "a", .type = COSM_FIELD_F32, .offset = 8, .dims = {2}, .padding = 4},
        {.name = "b", .type = COSM_FIELD_U8, .offset = 4, .dims = {4}},
        {.name = "c", .type = COSM_FIELD_U8, .offset = 20},
    };
    // They may stand in any order, and touch.
    check_accepted(__FILE__, __LINE__, fields, 3);
    const uint32_t inside[] = {8, 11, 16, 19}; // the first and the last byte, and the padding
    for (uint32_t i = 0; i < COUNT_OF(inside); i++) {
        char value[64];
        fields[2].offset = inside[i];
        (void)snprintf(value, sizeof(value), "field 'c' at byte %u overlaps 'a' at byte 8",
                       inside[i]);
        check_refused(__FILE__, __LINE__, fields, 3, COSM_ERROR_ARGUMENT, value,
                      "use offsetof of the member each one stands for");
    }
    fields[2].offset = 20;
    fields[1].dims[0] = 5; // from before into the first one
    check_refused(__FILE__, __LINE__, fields, 3, COSM_ERROR_ARGUMENT,
                  "field 'b' at byte 4 overlaps 'a' at byte 8", "use offsetof");
}

// Labels.

TEST(integers_may_have_labels_and_nothing_else) {
    static const cosm_label items[] = {{"low", 0}, {"high", 1}, {"also high", 1}, {"far", 100}};
    cosm_labels labels = {.name = "Level", .count = COUNT_OF(items), .items = items};
    for (int type = COSM_FIELD_I8; type < COSM_FIELD_TYPE_COUNT; type++) {
        cosm_field field = {.name = "a", .type = (cosm_field_type)type, .labels = &labels};
        field.dims[0] = 2;
        if (type <= COSM_FIELD_U64) {
            CHECK_ACCEPTED(field);
        } else {
            CHECK_REFUSED(field, "field 'a' has 4 labels of kind 0", "on an integer field");
        }
    }
    labels.kind = COSM_LABELS_MASK;
    labels.name = NULL;
    cosm_field field = {.name = "a", .type = COSM_FIELD_U32, .labels = &labels};
    CHECK_ACCEPTED(field);
}

TEST(labels_make_sense) {
    static const cosm_label good[] = {{"low", 0}, {"high", 1}};
    static const cosm_label unnamed[] = {{"low", 0}, {NULL, 1}};
    static const cosm_label empty[] = {{"", 0}, {"high", 1}};
    static const cosm_label twins[] = {{"low", 0}, {"high", 1}, {"low", 2}};
    cosm_labels labels = {.items = good, .count = 0};
    cosm_field field = {.name = "a", .type = COSM_FIELD_U8, .labels = &labels};
    CHECK_REFUSED(field, "field 'a' has 0 labels", "use 1 to 4096");
    labels = (cosm_labels){.count = 2};
    CHECK_REFUSED(field, "field 'a' has 2 labels", "use 1 to 4096");
    labels = (cosm_labels){.items = good, .count = 2, .kind = (cosm_labels_kind)2};
    CHECK_REFUSED(field, "has 2 labels of kind 2", "COSM_LABELS_ENUM or _MASK");
    labels.kind = (cosm_labels_kind)-1;
    CHECK_REFUSED(field, "has 2 labels of kind -1", "COSM_LABELS_ENUM or _MASK");
    labels = (cosm_labels){.items = unnamed, .count = 2};
    CHECK_REFUSED(field, "field 'a': label 1 has no name", "give each a unique name");
    labels = (cosm_labels){.items = empty, .count = 2};
    CHECK_REFUSED(field, "field 'a': label 0 has no name", "give each a unique name");
    labels = (cosm_labels){.items = twins, .count = 3};
    CHECK_REFUSED(field, "label 2 has no name, or the name of another", "give each a unique name");
}

TEST(a_field_with_padding_is_not_taken_for_an_array_of_its_scalars) {
    static const cosm_field fields[] = {
        {.name = "a", .type = COSM_FIELD_F32, .padding = 4},
        {.name = "b", .type = COSM_FIELD_F32, .offset = 8, .dims = {2}},
    };
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_component padded =
        cosm_component_define(box.engine, &(cosm_component_desc){.name = "padded",
                                                                 .size = 16,
                                                                 .layout = COSM_LAYOUT_SPLIT,
                                                                 .fields = fields,
                                                                 .field_count = 2});
    cosm_archetype archetype =
        cosm_archetype_define(box.engine, &(cosm_archetype_desc){.components = {padded}});
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, archetype, 3, &rows));
    CHECK(COSM_FIELD_OF(&rows, float, padded, 0) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT,
                  "COSM_FIELD_OF:", "1 scalars of 4 bytes and 4 bytes of padding",
                  "use the type of the whole field");
    CHECK(COSM_FIELD_OF(&rows, double, padded, 0) != NULL);
    CHECK(COSM_FIELD_OF(&rows, float, padded, 1) != NULL);
    CHECK(COSM_FIELD_OF(&rows, double, padded, 1) != NULL);
    CHECK_INT(cosm_rows_span(&rows, padded, 0).stride, 8);
    cosm_query *query = fixture_query(&box, padded, (cosm_component){0});
    cosm_query_walk(query, box.all, &rows);
    CHECK(cosm_rows_next(&rows));
    CHECK(COSM_FIELD_READ(&rows, float, 0, 0) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "COSM_FIELD_READ:", "and 4 bytes of padding", "whole field");
    cosm_rows_end(&rows);
    cosm_query_destroy(query);
    fixture_close(&box);
}

// Limits.

TEST(a_component_has_at_most_1024_fields) {
    enum { MANY = COSM_FIELD_MAX + 1 };
    static cosm_field fields[MANY];
    static char names[MANY][8];
    for (uint32_t i = 0; i < MANY; i++) {
        (void)snprintf(names[i], sizeof(names[i]), "f%u", i);
        fields[i] = (cosm_field){.name = names[i], .type = COSM_FIELD_U8, .offset = i};
    }
    cosm_engine *engine = cosm_engine_create(NULL);
    cosm_component_desc desc = {.name = "wide", .size = 2048, .fields = fields};
    desc.field_count = COSM_FIELD_MAX + 1;
    CHECK_INT(cosm_component_define(engine, &desc).id, 0);
    CHECK_FAILURE(COSM_ERROR_LIMIT, "cosm_component_define: 'wide'", "desc.field_count is 1025",
                  "use at most 1024 fields");
    desc.field_count = COSM_FIELD_MAX;
    cosm_component wide = cosm_component_define(engine, &desc);
    cosm_component_info info = cosm_component_describe(engine, wide);
    CHECK_INT(info.field_count, COSM_FIELD_MAX);
    CHECK_STR(info.fields[COSM_FIELD_MAX - 1].name, "f1023");
    CHECK_INT(cosm_field_find(info.fields, info.field_count, "f1023"), COSM_FIELD_MAX - 1);
    desc.field_count = UINT32_MAX;
    CHECK_INT(cosm_component_define(engine, &desc).id, 0);
    CHECK_FAILURE(COSM_ERROR_LIMIT, "cosm_component_define: 'wide'", "desc.field_count is",
                  "use at most 1024 fields");
    CHECK_DONE(cosm_engine_destroy(engine));
}

TEST(a_count_of_fields_wants_fields) {
    cosm_engine *engine = cosm_engine_create(NULL);
    cosm_component_desc desc = {.name = "none", .size = 4, .field_count = 1};
    CHECK_INT(cosm_component_define(engine, &desc).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_component_define: 'none':",
                  "desc.field_count is 1, but desc.fields is NULL", "set both");
    // And fields a count: without one there are none.
    static const cosm_field field = {.name = "a", .type = COSM_FIELD_U32};
    desc = (cosm_component_desc){.name = "none", .size = 4, .fields = &field};
    cosm_component none = cosm_component_define(engine, &desc);
    CHECK(none.id != 0);
    CHECK_INT(cosm_component_describe(engine, none).field_count, 0);
    CHECK_DONE(cosm_engine_destroy(engine));
}

TEST(a_path_has_at_most_255_characters) {
    char path[COSM_FIELD_PATH_LENGTH_MAX + 2];
    memset(path, 'p', sizeof(path));
    path[100] = '.';
    path[COSM_FIELD_PATH_LENGTH_MAX] = '\0';
    cosm_field field = {.name = path, .type = COSM_FIELD_U8};
    CHECK_ACCEPTED(field);
    path[COSM_FIELD_PATH_LENGTH_MAX] = 'p';
    path[COSM_FIELD_PATH_LENGTH_MAX + 1] = '\0';
    check_refused(__FILE__, __LINE__, &field, 1, COSM_ERROR_LIMIT, "...' has 256 characters",
                  "use at most 255");
}

TEST(an_enum_has_at_most_4096_labels) {
    enum { MANY = COSM_LABEL_MAX + 1 };
    static cosm_label items[MANY];
    static char names[MANY][8];
    for (uint32_t i = 0; i < MANY; i++) {
        (void)snprintf(names[i], sizeof(names[i]), "l%u", i);
        items[i] = (cosm_label){names[i], i};
    }
    cosm_labels labels = {.items = items, .count = COSM_LABEL_MAX};
    cosm_field field = {.name = "a", .type = COSM_FIELD_U16, .labels = &labels};
    CHECK_ACCEPTED(field);
    labels.count = COSM_LABEL_MAX + 1;
    cosm_engine *engine = cosm_engine_create(NULL);
    CHECK_INT(define_thing(engine, &field, 1).id, 0);
    CHECK_FAILURE(COSM_ERROR_LIMIT, "cosm_component_define:", "field 'a' has 4097 labels",
                  "use at most 4096");
    CHECK_DONE(cosm_engine_destroy(engine));
}

// What is kept.

// A description whose every byte is on the heap, so that the address sanitizer tells of a use after
// it is given back.
struct heap_field {
    cosm_field field;
    char *texts[6];
    cosm_label *items;
    cosm_labels *labels;
    uint16_t *value;
};

static char *heap_text(const char *text) {
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    if (copy == NULL) {
        abort();
    }
    return memcpy(copy, text, size);
}

static void heap_field_make(struct heap_field *made) {
    static const char *const texts[] = {"state.mode", "kg",   "What it is up to.",
                                        "Mode",       "idle", "busy"};
    for (uint32_t i = 0; i < COUNT_OF(texts); i++) {
        made->texts[i] = heap_text(texts[i]);
    }
    made->items = malloc(2 * sizeof(*made->items));
    made->labels = malloc(sizeof(*made->labels));
    made->value = malloc(2 * sizeof(*made->value));
    if (made->items == NULL || made->labels == NULL || made->value == NULL) {
        abort();
    }
    made->items[0] = (cosm_label){made->texts[4], 0};
    made->items[1] = (cosm_label){made->texts[5], 40000};
    *made->labels = (cosm_labels){made->texts[3], COSM_LABELS_MASK, 2, made->items};
    made->value[0] = 40000;
    made->value[1] = 7;
    made->field = (cosm_field){.name = made->texts[0],
                               .type = COSM_FIELD_U16,
                               .offset = 6,
                               .dims = {2},
                               .padding = 2,
                               .labels = made->labels,
                               .min = -1,
                               .max = 2,
                               .unit = made->texts[1],
                               .doc = made->texts[2],
                               .default_value = made->value};
}

static void heap_field_free(struct heap_field *made) {
    for (uint32_t i = 0; i < COUNT_OF(made->texts); i++) {
        memset(made->texts[i], '#', strlen(made->texts[i]));
        free(made->texts[i]);
    }
    made->labels->count = 0;
    made->items[0].value = 99;
    made->value[0] = 99;
    free(made->items);
    free(made->labels);
    free(made->value);
    memset(&made->field, 0xFF, sizeof(made->field));
}

static void check_kept(const cosm_field *field) {
    REQUIRE(field != NULL);
    CHECK_STR(field->name, "state.mode");
    CHECK_INT(field->type, COSM_FIELD_U16);
    CHECK_INT(field->offset, 6);
    CHECK_MEM(field->dims, ((uint32_t[COSM_FIELD_DIM_MAX]){2}), sizeof(field->dims));
    CHECK_INT(field->alignment, 2); // what was left open is filled in
    CHECK_INT(field->padding, 2);
    CHECK_NEAR(field->min, -1, 0);
    CHECK_NEAR(field->max, 2, 0);
    CHECK_STR(field->unit, "kg");
    CHECK_STR(field->doc, "What it is up to.");
    CHECK_MEM(field->default_value, ((uint16_t[]){40000, 7}), 4);
    REQUIRE(field->labels != NULL);
    CHECK_STR(field->labels->name, "Mode");
    CHECK_INT(field->labels->kind, COSM_LABELS_MASK);
    CHECK_INT(field->labels->count, 2);
    CHECK_STR(field->labels->items[0].name, "idle");
    CHECK_INT(field->labels->items[0].value, 0);
    CHECK_STR(field->labels->items[1].name, "busy");
    CHECK_INT(field->labels->items[1].value, 40000);
}

TEST(all_that_a_field_points_at_is_copied_and_lives_as_long_as_the_engine) {
    cosm_engine *engine = cosm_engine_create(NULL);
    struct heap_field made;
    heap_field_make(&made);
    cosm_component component = define_thing(engine, &made.field, 1);
    cosm_singleton singleton = define_lone_thing(engine, &made.field, 1);
    heap_field_free(&made);
    const cosm_field *of_component = cosm_component_describe(engine, component).fields;
    const cosm_field *of_singleton = cosm_singleton_describe(engine, singleton).fields;
    check_kept(of_component);
    check_kept(of_singleton);
    for (uint32_t i = 0; i < 500; i++) {
        char name[16];
        (void)snprintf(name, sizeof(name), "more %u", i);
        CHECK(cosm_component_define(engine, &(cosm_component_desc){.name = name, .size = 100}).id);
    }
    CHECK(cosm_component_describe(engine, component).fields == of_component);
    CHECK(cosm_singleton_describe(engine, singleton).fields == of_singleton);
    check_kept(of_component);
    check_kept(of_singleton);
    CHECK_DONE(cosm_engine_destroy(engine));
}

TEST(what_a_field_leaves_out_is_left_out) {
    cosm_engine *engine = cosm_engine_create(NULL);
    cosm_field field = {.name = "a", .type = COSM_FIELD_F64};
    cosm_component component = define_thing(engine, &field, 1);
    const cosm_field *kept = cosm_component_describe(engine, component).fields;
    REQUIRE(kept != NULL);
    CHECK_STR(kept->unit, NULL);
    CHECK_STR(kept->doc, NULL);
    CHECK(kept->labels == NULL);
    CHECK(kept->default_value == NULL);
    CHECK_INT(kept->alignment, 8);
    CHECK_INT(cosm_field_element_count(kept), 1);
    CHECK_DONE(cosm_engine_destroy(engine));
}

// Defaults.

typedef struct Drone {
    uint32_t model;
    float charge;
    int16_t cells[3];
    uint16_t spare; // not described
} Drone;

static const float full_charge = 1.5f;
static const int16_t three_cells[3] = {-1, -2, -3};
static const uint32_t no_model = 0;

static const cosm_field drone_fields[] = {
    {.name = "model", .type = COSM_FIELD_U32, .default_value = &no_model},
    {.name = "charge",
     .type = COSM_FIELD_F32,
     .offset = offsetof(Drone, charge),
     .default_value = &full_charge},
    {.name = "cells",
     .type = COSM_FIELD_I16,
     .offset = offsetof(Drone, cells),
     .dims = {3},
     .padding = 2,
     .default_value = three_cells},
};

TEST(the_defaults_of_fields_are_laid_over_the_default_of_the_whole) {
    static const Drone whole = {8, 8, {8, 8, 8}, 9};
    static const Drone expected = {0, 1.5f, {-1, -2, -3}, 9};
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_component drone = cosm_component_define(
        box.engine, &(cosm_component_desc){.name = "Drone",
                                           .size = sizeof(Drone),
                                           .default_value = &whole,
                                           .fields = drone_fields,
                                           .field_count = COUNT_OF(drone_fields)});
    REQUIRE(drone.id != 0);
    const void *value = cosm_component_describe(box.engine, drone).default_value;
    CHECK_MEM(value, &expected, sizeof(expected));
    cosm_entity entity = fixture_spawn(&box, 0);
    CHECK_DONE(cosm_entity_add(box.world, entity, drone));
    const Drone *read = COSM_READ(box.world, entity, Drone);
    REQUIRE(read != NULL);
    CHECK_MEM(read, &expected, sizeof(expected));
    // A field without a default has the whole's.
    cosm_field two[2] = {drone_fields[0], drone_fields[1]};
    two[0].default_value = NULL;
    cosm_singleton lone =
        cosm_singleton_define(box.engine, &(cosm_singleton_desc){.name = "Drone",
                                                                 .size = sizeof(Drone),
                                                                 .default_value = &whole,
                                                                 .fields = two,
                                                                 .field_count = 2});
    value = cosm_singleton_describe(box.engine, lone).default_value;
    CHECK_MEM(value, (&(Drone){8, 1.5f, {8, 8, 8}, 9}), sizeof(Drone));
    CHECK_MEM(cosm_singleton_read(box.world, lone), value, sizeof(Drone));
    fixture_close(&box);
}

TEST(without_a_default_of_the_whole_the_rest_is_zero) {
    cosm_engine *engine = cosm_engine_create(NULL);
    cosm_component drone = cosm_component_define(
        engine, &(cosm_component_desc){.name = "Drone",
                                       .size = sizeof(Drone),
                                       .fields = drone_fields,
                                       .field_count = COUNT_OF(drone_fields)});
    CHECK_MEM(cosm_component_describe(engine, drone).default_value,
              (&(Drone){0, 1.5f, {-1, -2, -3}, 0}), sizeof(Drone));
    CHECK_DONE(cosm_engine_destroy(engine));
}

// Looking up.

TEST(a_field_is_found_by_its_whole_path) {
    static const cosm_field fields[] = {
        {.name = "pose.x", .type = COSM_FIELD_U8},
        {.name = "pose.y", .type = COSM_FIELD_U8, .offset = 1},
        {.name = "team", .type = COSM_FIELD_U8, .offset = 2},
    };
    static const char *const absent[] = {"", "pose", "pose.", "pose.x ", "x", "POSE.X", "teams"};
    cosm_engine *engine = cosm_engine_create(NULL);
    cosm_component component = define_thing(engine, fields, 3);
    cosm_singleton singleton = define_lone_thing(engine, fields, 3);
    const cosm_field *lists[] = {fields, cosm_component_describe(engine, component).fields,
                                 cosm_singleton_describe(engine, singleton).fields};
    CHECK_INT(cosm_component_describe(engine, component).field_count, 3);
    CHECK_INT(cosm_singleton_describe(engine, singleton).field_count, 3);
    cosm_error_clear();
    for (uint32_t l = 0; l < COUNT_OF(lists); l++) {
        for (uint32_t i = 0; i < 3; i++) {
            CHECK_INT(cosm_field_find(lists[l], 3, fields[i].name), i);
            CHECK_STR(lists[l][i].name, fields[i].name);
        }
        for (uint32_t i = 0; i < COUNT_OF(absent); i++) {
            CHECK_INT(cosm_field_find(lists[l], 3, absent[i]), COSM_FIELD_INDEX_NONE);
        }
        CHECK_INT(cosm_field_find(lists[l], 3, NULL), COSM_FIELD_INDEX_NONE);
        CHECK_INT(cosm_field_find(lists[l], 2, "team"), COSM_FIELD_INDEX_NONE);
        CHECK_INT(cosm_field_find(lists[l], 0, "team"), COSM_FIELD_INDEX_NONE);
    }
    CHECK_INT(cosm_field_find(NULL, 3, "team"), COSM_FIELD_INDEX_NONE);
    CHECK_INT(cosm_field_find(&(cosm_field){.name = NULL}, 1, ""), COSM_FIELD_INDEX_NONE);
    CHECK_SILENT();
    CHECK_DONE(cosm_engine_destroy(engine));
}

static void check_no_fields(const cosm_engine *engine, uint32_t id) {
    cosm_component_info component = cosm_component_describe(engine, (cosm_component){id});
    cosm_singleton_info singleton = cosm_singleton_describe(engine, (cosm_singleton){id});
    CHECK_INT(component.field_count, 0);
    CHECK_INT(singleton.field_count, 0);
    CHECK(component.fields == NULL);
    CHECK(singleton.fields == NULL);
    CHECK_INT(cosm_field_find(component.fields, component.field_count, "a"), COSM_FIELD_INDEX_NONE);
    CHECK_INT(cosm_field_find(singleton.fields, singleton.field_count, "a"), COSM_FIELD_INDEX_NONE);
}

TEST(what_is_not_defined_has_no_fields) {
    cosm_engine *engine = cosm_engine_create(NULL);
    cosm_field field = {.name = "a", .type = COSM_FIELD_U8};
    cosm_component thing = define_thing(engine, &field, 1);
    cosm_component bundle =
        cosm_bundle_define(engine, &(cosm_bundle_desc){.name = "some", .components = {thing}});
    cosm_component tag = COSM_TAG_DEFINE(engine, Tag);
    cosm_error_clear();
    const uint32_t ids[] = {0, 999, 4097, 65536, 0x7FFFFFFF, 0x80000002, 0xFFFFFFFF};
    for (uint32_t i = 0; i < COUNT_OF(ids); i++) {
        check_no_fields(engine, ids[i]);
    }
    check_no_fields(engine, bundle.id);
    check_no_fields(engine, tag.id);
    check_no_fields(NULL, thing.id);
    CHECK_INT(cosm_component_describe(engine, thing).field_count, 1);
    CHECK_SILENT();
    CHECK_DONE(cosm_engine_destroy(engine));
}

// Memory.

#define RICH_FIELD_COUNT 40u
#define RICH_LABEL_COUNT 60u

// More than a block of the arena that keeps definitions: texts, labels and defaults in each field.
static void describe_richly(cosm_field *fields) {
    static char names[RICH_FIELD_COUNT][12];
    static char doc[400];
    static cosm_label items[RICH_LABEL_COUNT];
    static char label_names[RICH_LABEL_COUNT][12];
    static const cosm_labels labels = {"Colour", COSM_LABELS_ENUM, RICH_LABEL_COUNT, items};
    static const uint64_t start = 12;
    memset(doc, 'd', sizeof(doc) - 1);
    for (uint32_t i = 0; i < RICH_LABEL_COUNT; i++) {
        (void)snprintf(label_names[i], sizeof(label_names[i]), "label %u", i);
        items[i] = (cosm_label){label_names[i], i};
    }
    for (uint32_t i = 0; i < RICH_FIELD_COUNT; i++) {
        (void)snprintf(names[i], sizeof(names[i]), "list[%u]", i);
        fields[i] = (cosm_field){.name = names[i],
                                 .type = COSM_FIELD_U64,
                                 .offset = i * 8,
                                 .labels = &labels,
                                 .unit = "m",
                                 .doc = doc,
                                 .default_value = &start};
    }
}

// One attempt with the n-th request refused, and a second one without. False when the first one did
// not reach that request.
static bool refuse_definition(uint64_t n, uint64_t refusals, bool lone, const cosm_field *fields) {
    struct ledger ledger;
    ledger_open(&ledger);
    cosm_engine *engine =
        cosm_engine_create(&(cosm_engine_desc){.allocator = ledger_allocator(&ledger)});
    cosm_component_type type = {{.name = "rich",
                                 .size = RICH_FIELD_COUNT * 8,
                                 .layout = COSM_LAYOUT_SPLIT,
                                 .fields = fields,
                                 .field_count = RICH_FIELD_COUNT},
                                0};
    cosm_singleton_type lone_type = {
        {.name = "rich", .size = type.desc.size, .fields = fields, .field_count = RICH_FIELD_COUNT},
        0};
    bool refused = false;
    bool made = false;
    for (uint32_t attempt = 0; attempt < 2 && !made; attempt++) {
        ledger_refuse(&ledger, attempt == 0 ? n : 0, attempt == 0 ? refusals : 0);
        cosm_error_clear();
        made = lone ? cosm_singleton_register(engine, &lone_type).id != 0
                    : cosm_component_register(engine, &type).id != 0;
        bool was_refused = ledger_relent(&ledger);
        refused = refused || was_refused;
        if (!made) {
            CHECK(was_refused);
            CHECK_FAILURE(COSM_ERROR_MEMORY,
                          lone ? "cosm_singleton_define:" : "cosm_component_define:",
                          "out of memory", "call again");
            CHECK_INT(cosm_engine_describe(engine).component_count, 0);
            CHECK_INT(cosm_engine_describe(engine).singleton_count, 0);
            CHECK_INT(cosm_component_find(engine, "rich").id, 0);
            CHECK_INT(cosm_singleton_find(engine, "rich").id, 0);
            CHECK_INT(type.hint, 0);
            CHECK_INT(lone_type.hint, 0);
        }
    }
    CHECK(made);
    uint32_t count = lone ? cosm_singleton_describe(engine, (cosm_singleton){1}).field_count
                          : cosm_component_describe(engine, (cosm_component){1}).field_count;
    CHECK_INT(count, RICH_FIELD_COUNT);
    CHECK_DONE(cosm_engine_destroy(engine));
    ledger_close(&ledger);
    return refused;
}

TEST(whichever_request_for_memory_fails_a_definition_with_fields_leaves_the_engine_as_it_was) {
    cosm_field fields[RICH_FIELD_COUNT];
    describe_richly(fields);
    for (int lone = 0; lone < 2; lone++) {
        uint64_t n = 1;
        while (n < 100 && refuse_definition(n, 1, lone == 1, fields)) {
            (void)refuse_definition(n, UINT64_MAX, lone == 1, fields);
            n++;
        }
        // The default, several blocks of the arena, the names and the list.
        CHECK(n > 5);
        CHECK(n < 100);
    }
}

TEST(the_values_of_labels_fit_their_field) {
    cosm_engine *engine = cosm_engine_create(NULL);
    const struct {
        cosm_field_type type;
        cosm_labels_kind kind;
        int64_t value;
        bool fits;
    } tries[] = {
        {COSM_FIELD_U8, COSM_LABELS_ENUM, 255, true},
        {COSM_FIELD_U8, COSM_LABELS_ENUM, 256, false},
        {COSM_FIELD_U8, COSM_LABELS_MASK, -1, false},
        {COSM_FIELD_I8, COSM_LABELS_ENUM, -128, true},
        {COSM_FIELD_I8, COSM_LABELS_ENUM, 128, false},
        {COSM_FIELD_I8, COSM_LABELS_MASK, 128, true},
        {COSM_FIELD_I8, COSM_LABELS_MASK, 256, false},
        {COSM_FIELD_I32, COSM_LABELS_ENUM, INT32_MIN, true},
        {COSM_FIELD_I32, COSM_LABELS_ENUM, (int64_t)INT32_MIN - 1, false},
        {COSM_FIELD_U64, COSM_LABELS_ENUM, -1, true},
    };
    for (uint32_t i = 0; i < COUNT_OF(tries); i++) {
        cosm_label item = {"it", tries[i].value};
        cosm_labels labels = {"Labels", tries[i].kind, 1, &item};
        cosm_field field = {.name = "a", .type = tries[i].type, .labels = &labels};
        char name[8] = {'c', (char)('0' + i), 0};
        cosm_component made = cosm_component_define(
            engine, &(cosm_component_desc){.name = name,
                                           .size = cosm_field_type_size(tries[i].type),
                                           .fields = &field,
                                           .field_count = 1});
        CHECK_INT(made.id != 0, tries[i].fits);
        if (!tries[i].fits) {
            CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_component_define:", "cannot hold", "wider");
        }
    }
    CHECK_DONE(cosm_engine_destroy(engine));
}

// Strict fields: one engine that minds them, and one that does not, which stands for whoever wrote
// the bytes.

typedef struct Bounded {
    uint32_t index;
    int16_t steps[2];
    float share;
    uint8_t mood;
    uint8_t flags;
    bool on;
    uint64_t large;
} Bounded;

static const Bounded good = {9, {-3, 3}, 0.5f, 7, 5, true, 10};

// Each is wrong in one field.
static const struct {
    Bounded value;
    const char *field;
} wrong[] = {
    {{10, {-3, 3}, 0.5f, 7, 5, true, 10}, "field 'index' is 10 and strict, but not within 0 to 9"},
    {{9, {-3, 4}, 0.5f, 7, 5, true, 10}, "'steps[1]' is 4 and strict, but not within -3 to 3"},
    {{9, {-4, 3}, 0.5f, 7, 5, true, 10}, "'steps[0]' is -4 and strict, but not within -3 to 3"},
    {{9, {-3, 3}, 1.5f, 7, 5, true, 10}, "'share' is 1.5 and strict, but not within 0 to 1"},
    {{9, {-3, 3}, NAN, 7, 5, true, 10}, "nan and strict, but not within 0 to 1"},
    {{9, {-3, 3}, 0.5f, 6, 5, true, 10}, "'mood' is 6 and strict, but not within the labels Mood"},
    {{9, {-3, 3}, 0.5f, 7, 6, true, 10}, "'flags' is 6 and strict, but not within the labels Bits"},
    {{9, {-3, 3}, 0.5f, 7, 5, true, UINT64_MAX}, "'large' is 18446744073709551615 and strict"},
};

struct strict_side {
    cosm_engine *engine;
    cosm_batch *batch;
    cosm_world world;
    cosm_component component; // in one of the storages
    cosm_singleton singleton;
    cosm_archetype archetype;
    cosm_entity entity;
};

// The component in one of the storages, or split for one more.
#define STRICT_WAY_COUNT 5u

static void open_strict(struct strict_side *side, uint32_t way, bool strict) {
    static const cosm_label moods[] = {{"calm", 0}, {"asleep", 7}};
    static const cosm_labels mood = {.name = "Mood", .count = 2, .items = moods};
    static const cosm_label bits[] = {{"low", 1}, {"high", 4}};
    static const cosm_labels mask = {
        .name = "Bits", .kind = COSM_LABELS_MASK, .count = 2, .items = bits};
    cosm_field fields[] = {
        {.name = "index", .type = COSM_FIELD_U32, .offset = offsetof(Bounded, index), .max = 9},
        {.name = "steps",
         .type = COSM_FIELD_I16,
         .offset = offsetof(Bounded, steps),
         .dims = {2},
         .min = -3,
         .max = 3},
        {.name = "share", .type = COSM_FIELD_F32, .offset = offsetof(Bounded, share), .max = 1},
        {.name = "mood", .type = COSM_FIELD_U8, .offset = offsetof(Bounded, mood), .labels = &mood},
        {.name = "flags",
         .type = COSM_FIELD_U8,
         .offset = offsetof(Bounded, flags),
         .labels = &mask},
        {.name = "on", .type = COSM_FIELD_BOOL, .offset = offsetof(Bounded, on)},
        {.name = "large", .type = COSM_FIELD_U64, .offset = offsetof(Bounded, large), .max = 10},
    };
    for (uint32_t i = 0; i < COUNT_OF(fields); i++) {
        fields[i].strict = strict;
    }
    side->engine = cosm_engine_create(NULL);
    side->component = cosm_component_define(
        side->engine,
        &(cosm_component_desc){.name = "Bounded",
                               .size = sizeof(Bounded),
                               .alignment = _Alignof(Bounded),
                               .layout = way == 4 ? COSM_LAYOUT_SPLIT : COSM_LAYOUT_STRUCT,
                               .storage = way == 4 ? COSM_STORAGE_COLUMN : (cosm_storage)way,
                               .fields = fields,
                               .field_count = COUNT_OF(fields)});
    side->singleton = cosm_singleton_define(
        side->engine, &(cosm_singleton_desc){.name = "Lone",
                                             .size = sizeof(Bounded),
                                             .alignment = _Alignof(Bounded),
                                             .fields = fields,
                                             .field_count = COUNT_OF(fields)});
    CHECK(side->component.id != 0 && side->singleton.id != 0);
    side->archetype =
        cosm_archetype_define(side->engine, &(cosm_archetype_desc){.name = "nothing"});
    side->batch = cosm_batch_create(side->engine, &(cosm_batch_desc){.world_count = 1});
    side->world = cosm_batch_world(side->batch, 0);
}

// An entity with a value, or the singleton.
static void put_strict(struct strict_side *side, bool lone, const Bounded *value) {
    if (cosm_entity_is_none(side->entity) || !cosm_entity_is_alive(side->world, side->entity)) {
        side->entity = cosm_entity_spawn(side->world, side->archetype);
    }
    CHECK_DONE(cosm_entity_set(side->world, side->entity, side->component, lone ? &good : value));
    memcpy(cosm_singleton_write(side->world, side->singleton), lone ? value : &good,
           sizeof(*value));
}

static void close_strict(struct strict_side *side) {
    CHECK_DONE(cosm_batch_destroy(side->batch));
    CHECK_DONE(cosm_engine_destroy(side->engine));
}

static void check_strict_bytes(struct strict_side *theirs, struct strict_side *ours, uint32_t w,
                               bool lone) {
    struct shelf shelf = {.bytes = NULL};
    uint64_t hash = cosm_hash_batch(ours->batch, COSM_HASH_EXACT);
    put_strict(theirs, lone, &wrong[w].value);
    shelf_save(&shelf, theirs->batch, NULL);
    CHECK(!shelf_load(&shelf, ours->batch, NULL, NULL));
    CHECK_FAILURE(COSM_ERROR_FORMAT, lone ? "singleton 'Lone'" : "component 'Bounded'",
                  wrong[w].field, "correct the value, or the range");
    CHECK_INT(cosm_hash_batch(ours->batch, COSM_HASH_EXACT), hash);
    shelf_free(&shelf);
    put_strict(ours, lone, &wrong[w].value);
    cosm_snapshot *snapshot = cosm_snapshot_create(cosm_worlds_all(ours->batch));
    CHECK_FAILS(cosm_save_write_to(snapshot, NULL, shelf_put, &shelf), COSM_ERROR_FORMAT,
                lone ? "singleton 'Lone'" : "component 'Bounded'", wrong[w].field,
                "correct the value, or the range");
    CHECK_INT(shelf.size, 0);
    cosm_snapshot_destroy(snapshot);
}

TEST(what_is_strict_is_neither_saved_nor_loaded_out_of_its_bounds) {
    for (uint32_t way = 0; way < STRICT_WAY_COUNT; way++) {
        struct strict_side theirs = {.engine = NULL};
        struct strict_side ours = {.engine = NULL};
        open_strict(&theirs, way, false);
        open_strict(&ours, way, true);
        struct shelf shelf = {.bytes = NULL};
        put_strict(&theirs, false, &good);
        shelf_save(&shelf, theirs.batch, NULL);
        CHECK(shelf_load(&shelf, ours.batch, NULL, NULL));
        shelf_free(&shelf);
        for (uint32_t w = 0; w < COUNT_OF(wrong); w++) {
            check_strict_bytes(&theirs, &ours, w, false);
            check_strict_bytes(&theirs, &ours, w, true);
        }
        close_strict(&theirs);
        close_strict(&ours);
    }
}

TEST(what_is_strict_is_not_patched_in_out_of_its_bounds) {
    for (uint32_t way = 0; way < STRICT_WAY_COUNT; way++) {
        for (uint32_t w = 0; w < 2 * COUNT_OF(wrong); w++) {
            struct strict_side theirs = {.engine = NULL};
            struct strict_side ours = {.engine = NULL};
            open_strict(&theirs, way, false);
            open_strict(&ours, way, true);
            cosm_snapshot *before = cosm_snapshot_create(cosm_worlds_all(theirs.batch));
            bool lone = w >= COUNT_OF(wrong);
            put_strict(&theirs, lone, &wrong[w % COUNT_OF(wrong)].value);
            cosm_patch *patch = cosm_patch_create_now(before, cosm_worlds_all(theirs.batch));
            cosm_patch_info info = cosm_patch_describe(patch);
            cosm_patch *opened = cosm_patch_open(ours.engine, info.bytes, info.size);
            uint64_t hash = cosm_hash_batch(ours.batch, COSM_HASH_EXACT);
            CHECK(opened != NULL);
            CHECK_FAILS(cosm_patch_apply(opened, cosm_worlds_all(ours.batch)), COSM_ERROR_FORMAT,
                        lone ? "singleton 'Lone'" : "component 'Bounded'",
                        wrong[w % COUNT_OF(wrong)].field, "correct the value, or the range");
            CHECK_INT(cosm_hash_batch(ours.batch, COSM_HASH_EXACT), hash);
            cosm_patch_destroy(opened);
            cosm_patch_destroy(patch);
            cosm_snapshot_destroy(before);
            close_strict(&theirs);
            close_strict(&ours);
        }
    }
}

TEST(what_is_strict_is_not_replayed_out_of_its_bounds) {
    for (uint32_t first = 0; first < 2; first++) {
        struct strict_side theirs = {.engine = NULL};
        struct strict_side ours = {.engine = NULL};
        struct folder folder;
        folder_open(&folder);
        open_strict(&theirs, 0, false);
        open_strict(&ours, 0, true);
        put_strict(&theirs, false, first == 0 ? &wrong[0].value : &good);
        cosm_recorder *recorder = cosm_recorder_create(theirs.batch, folder.file, NULL);
        CHECK_DONE(cosm_batch_step(theirs.batch));
        put_strict(&theirs, false, &wrong[0].value);
        CHECK_DONE(cosm_batch_step(theirs.batch));
        CHECK_DONE(cosm_recorder_close(recorder));
        cosm_replay *replay = cosm_replay_open(ours.engine, folder.file, NULL);
        CHECK(replay != NULL);
        if (first == 1) {
            CHECK_DONE(cosm_replay_seek(replay, ours.batch, 0));
            CHECK_DONE(cosm_replay_step(replay, ours.batch));
        }
        CHECK_FAILS(first == 0 ? cosm_replay_seek(replay, ours.batch, 0)
                               : cosm_replay_step(replay, ours.batch),
                    COSM_ERROR_FORMAT, "component 'Bounded'", wrong[0].field, "correct the value");
        cosm_replay_close(replay);
        close_strict(&theirs);
        close_strict(&ours);
        folder_close(&folder);
    }
}
