// Conversion of values, seen from inside (src/state/convert.h): what files described, against what
// the engine has now.
#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "api/engine.h"
#include "harness.h"
#include "state/convert.h"
#include "support/fixture.h"
#include "support/ledger.h"
#include "support/shelf.h"

// An engine, and a reading that is under way.
struct mill {
    cosm_engine *engine;
    struct arena arena;
    cosm_load_desc desc;
    cosm_save_report report;
    struct convert_job job;
};

static void mill_open_with(struct mill *mill, const cosm_engine_desc *desc) {
    *mill = (struct mill){.engine = cosm_engine_create(desc)};
    CHECK(mill->engine != NULL);
    cosmi_arena_init(&mill->arena, &mill->engine->memory);
    mill->job = (struct convert_job){.schema = &mill->engine->schema,
                                     .call = "mill",
                                     .arena = &mill->arena,
                                     .desc = &mill->desc,
                                     .report = &mill->report};
}

static void mill_open(struct mill *mill) {
    mill_open_with(mill, NULL);
}

static void mill_close(struct mill *mill) {
    cosmi_arena_free(&mill->arena);
    CHECK_DONE(cosm_engine_destroy(mill->engine));
}

static const struct value_type *mill_define(struct mill *mill, const char *name, size_t size,
                                            const cosm_field *fields, uint32_t field_count) {
    cosm_component component = cosm_component_define(
        mill->engine,
        &(cosm_component_desc){
            .name = name, .size = size, .fields = fields, .field_count = field_count});
    CHECK(component.id != 0);
    return schema_component(&mill->engine->schema, component.id);
}

static struct file_type file_of(const char *name, uint32_t size, const cosm_field *fields,
                                uint32_t field_count) {
    return (struct file_type){
        .name = name, .size = size, .alignment = 1, .fields = fields, .field_count = field_count};
}

// Checks, plans and converts.
static cosm_result mill_turn(struct mill *mill, const struct file_type *file,
                             const struct value_type *type, uint32_t count, const void *old_values,
                             void *new_values) {
    struct conversion conversion;
    cosm_result result = cosmi_convert_check(&mill->job);
    result = result != COSM_OK ? result : cosmi_file_type_check(&mill->job, file);
    result = result != COSM_OK ? result : cosmi_convert_plan(&mill->job, file, type, &conversion);
    return result != COSM_OK ? result
                             : cosmi_convert_values(&conversion, count, old_values, new_values);
}

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
    float x;       // elsewhere, side by side as they were
    float y;
    char name[8];
    uint8_t padding_is_here;
} NewBody;

static const cosm_field new_body_fields[] = {
    {.name = "team", .type = COSM_FIELD_I32, .offset = offsetof(NewBody, team)},
    {.name = "weight", .type = COSM_FIELD_F32, .offset = offsetof(NewBody, weight)},
    {.name = "health",
     .type = COSM_FIELD_F64,
     .offset = offsetof(NewBody, health),
     .default_value = &(double){100}},
    {.name = "x", .type = COSM_FIELD_F32, .offset = offsetof(NewBody, x)},
    {.name = "y", .type = COSM_FIELD_F32, .offset = offsetof(NewBody, y)},
    {.name = "name", .type = COSM_FIELD_CHAR, .offset = offsetof(NewBody, name), .dims = {8}},
};

#define OLD_BODY_COUNT 6u
#define NEW_BODY_COUNT 6u

static void fill_old_bodies(OldBody *bodies, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        bodies[i] = (OldBody){.x = (float)i,
                              .y = (float)i + 0.5f,
                              .team = (int16_t)(-(int)i),
                              .gone = 7,
                              .mass = 2 * (float)i};
        bodies[i].name[0] = 'n';
        bodies[i].name[1] = (char)('0' + i);
    }
}

TEST(fields_are_found_by_path_moved_widened_added_and_dropped) {
    struct mill mill;
    mill_open(&mill);
    const struct value_type *type =
        mill_define(&mill, "Body", sizeof(NewBody), new_body_fields, NEW_BODY_COUNT);
    struct file_type file = file_of("Body", sizeof(OldBody), old_body_fields, OLD_BODY_COUNT);
    OldBody old[3];
    NewBody now[3];
    memset(now, 0xAA, sizeof(now));
    fill_old_bodies(old, 3);
    CHECK_DONE(mill_turn(&mill, &file, type, 3, old, now));
    for (uint32_t i = 0; i < 3; i++) {
        NewBody expected;
        memset(&expected, 0, sizeof(expected)); // what lies between fields is zero
        expected.team = -(int)i;
        expected.health = 100;
        expected.x = (float)i;
        expected.y = (float)i + 0.5f;
        memcpy(expected.name, old[i].name, 8);
        CHECK_MEM(&now[i], &expected, sizeof(expected));
    }
    CHECK_REPORT(&mill.report, .component_count = 1, .converted_count = 1, .added_count = 2,
                 .removed_count = 2, .changed_count = 1);
    mill_close(&mill);
}

TEST(a_field_that_was_renamed_is_found_by_its_alias) {
    struct mill mill;
    mill_open(&mill);
    const struct value_type *type =
        mill_define(&mill, "Body", sizeof(NewBody), new_body_fields, NEW_BODY_COUNT);
    (void)mill_define(&mill, "Other", sizeof(NewBody), new_body_fields, NEW_BODY_COUNT);
    struct file_type file = file_of("Body", sizeof(OldBody), old_body_fields, OLD_BODY_COUNT);
    // Of another component; of what both have; and the one that counts.
    const cosm_save_alias aliases[] = {
        {.component = "Other", .field = "health", .old_name = "mass"},
        {.component = "Body", .field = "x", .old_name = "y"},
        {.component = "Body", .field = "health", .old_name = "y"},
        {.component = "Body", .field = "weight", .old_name = "mass"},
    };
    mill.desc.aliases = aliases;
    mill.desc.alias_count = 4;
    OldBody old[2];
    NewBody now[2];
    fill_old_bodies(old, 2);
    CHECK_DONE(mill_turn(&mill, &file, type, 2, old, now));
    CHECK_NEAR(now[1].weight, 2, 0);
    CHECK_NEAR(now[1].health, 100, 0);
    CHECK_NEAR(now[1].x, 1, 0);
    CHECK_NEAR(now[1].y, 1.5, 0);
    CHECK_REPORT(&mill.report, .component_count = 1, .converted_count = 1, .added_count = 1,
                 .removed_count = 1, .changed_count = 1, .renamed_count = 1);
    mill_close(&mill);
}

TEST(an_alias_of_a_struct_leads_to_all_fields_in_it) {
    static const cosm_field before[] = {
        {.name = "at.x", .type = COSM_FIELD_F32, .offset = 0},
        {.name = "at.y", .type = COSM_FIELD_F32, .offset = 4},
        {.name = "att.x", .type = COSM_FIELD_F32, .offset = 8},
        {.name = "slot[0].n", .type = COSM_FIELD_U32, .offset = 12},
        {.name = "slot[1].n", .type = COSM_FIELD_U32, .offset = 16},
    };
    static const cosm_field after[] = {
        {.name = "items[0].n", .type = COSM_FIELD_U32, .offset = 0},
        {.name = "items[1].n", .type = COSM_FIELD_U32, .offset = 4},
        {.name = "items[2].n", .type = COSM_FIELD_U32, .offset = 8},
        {.name = "pose.place.x", .type = COSM_FIELD_F32, .offset = 12},
        {.name = "pose.place.y", .type = COSM_FIELD_F32, .offset = 16},
        {.name = "pose.placed.x", .type = COSM_FIELD_F32, .offset = 20},
    };
    struct mill mill;
    mill_open(&mill);
    const struct value_type *type = mill_define(&mill, "T", 24, after, 6);
    struct file_type file = file_of("T", 20, before, 5);
    const cosm_save_alias aliases[] = {
        {.component = "T", .field = "pose.place", .old_name = "at"},
        {.component = "T", .field = "items", .old_name = "slot"},
    };
    mill.desc.aliases = aliases;
    mill.desc.alias_count = 2;
    const struct {
        float x, y, other;
        uint32_t n[2];
    } old = {1, 2, 3, {4, 5}};
    struct {
        uint32_t n[3];
        float x, y, other;
    } now;
    CHECK_DONE(mill_turn(&mill, &file, type, 1, &old, &now));
    CHECK_INT(now.n[0], 4);
    CHECK_INT(now.n[1], 5);
    CHECK_INT(now.n[2], 0);
    CHECK_NEAR(now.x, 1, 0);
    CHECK_NEAR(now.y, 2, 0);
    CHECK_NEAR(now.other, 0, 0);
    CHECK_REPORT(&mill.report, .component_count = 1, .converted_count = 1, .added_count = 2,
                 .removed_count = 1, .renamed_count = 4);
    mill_close(&mill);
}

// Any scalar, exactly; not a number: NaN.
static long double load_exactly(cosm_field_type type, const void *bytes) {
    switch (type) {
    case COSM_FIELD_I8:
        return *(const int8_t *)bytes;
    case COSM_FIELD_I16:
        return *(const int16_t *)bytes;
    case COSM_FIELD_I32:
        return *(const int32_t *)bytes;
    case COSM_FIELD_I64:
        return *(const int64_t *)bytes;
    case COSM_FIELD_U8:
        return *(const uint8_t *)bytes;
    case COSM_FIELD_U16:
        return *(const uint16_t *)bytes;
    case COSM_FIELD_U32:
        return *(const uint32_t *)bytes;
    case COSM_FIELD_U64:
        return *(const uint64_t *)bytes;
    case COSM_FIELD_F32:
        return (long double)*(const float *)bytes;
    case COSM_FIELD_F64:
        return (long double)*(const double *)bytes;
    default:
        return *(const uint8_t *)bytes != 0;
    }
}

static void limits_of(cosm_field_type type, long double *out_least, long double *out_most) {
    long double bits = 8 * (long double)cosm_field_type_size(type);
    bool is_signed = type <= COSM_FIELD_I64;
    *out_least = is_signed ? -powl(2, bits - 1) : 0;
    *out_most = powl(2, is_signed ? bits - 1 : bits) - 1;
}

// What a scalar should become, and whether it fits.
static long double expect_number(cosm_field_type type, long double value, bool *out_fits) {
    *out_fits = true;
    if (type == COSM_FIELD_F64) {
        return (long double)(double)value;
    }
    if (type == COSM_FIELD_F32) {
        if (isfinite(value) && fabsl(value) > FLT_MAX) {
            *out_fits = false;
            return value < 0 ? -(long double)FLT_MAX : (long double)FLT_MAX;
        }
        return (long double)(float)value;
    }
    if (isnan(value)) {
        *out_fits = false;
        return 0;
    }
    if (type == COSM_FIELD_BOOL) {
        return value != 0;
    }
    long double least;
    long double most;
    limits_of(type, &least, &most);
    value = truncl(value);
    *out_fits = value >= least && value <= most;
    return value < least ? least : value > most ? most : value;
}

// The k-th of the values of a type that are worth trying; false behind the last one.
static bool pick_value(cosm_field_type type, uint32_t k, void *out_bytes) {
    static const double reals[] = {0.0,
                                   -0.0,
                                   0.5,
                                   -0.5,
                                   -0.999,
                                   -1.0,
                                   1.0,
                                   126.9,
                                   127.0,
                                   127.9,
                                   128.0,
                                   -128.0,
                                   -128.5,
                                   -129.0,
                                   255.5,
                                   256.0,
                                   32767.5,
                                   32768.0,
                                   -32768.9,
                                   -32769.0,
                                   65535.5,
                                   65536.0,
                                   2147483647.0,
                                   2147483648.0,
                                   -2147483648.0,
                                   -2147483904.0,
                                   4294967295.0,
                                   4294967296.0,
                                   9223372036854774784.0,
                                   9223372036854775808.0,
                                   -9223372036854775808.0,
                                   -9223372036854777856.0,
                                   18446744073709549568.0,
                                   18446744073709551616.0,
                                   1e30,
                                   -1e30,
                                   3.5e38,
                                   -3.5e38,
                                   FLT_MAX,
                                   1e300,
                                   INFINITY,
                                   -INFINITY,
                                   NAN};
    static const int64_t integers[] = {
        0,           1,         -1,        2,          126,         127,
        128,         129,       255,       256,        -127,        -128,
        -129,        32767,     32768,     -32768,     -32769,      65535,
        65536,       INT32_MAX, INT32_MIN, 2147483648, 4294967295,  4294967296,
        -2147483649, INT64_MAX, INT64_MIN, 16777217,   -4294967296, 1 - INT64_MAX};
    if (type == COSM_FIELD_F32 || type == COSM_FIELD_F64) {
        if (k >= sizeof(reals) / sizeof(reals[0])) {
            return false;
        }
        float narrow = fabs(reals[k]) > (double)FLT_MAX && isfinite(reals[k]) ? 1 : (float)reals[k];
        memcpy(out_bytes, type == COSM_FIELD_F64 ? (const void *)&reals[k] : &narrow,
               cosm_field_type_size(type));
        return true;
    }
    if (k >= sizeof(integers) / sizeof(integers[0])) {
        return false;
    }
    memcpy(out_bytes, &integers[k], cosm_field_type_size(type)); // the low bytes of it
    return true;
}

static void check_number_pair(cosm_field_type from, cosm_field_type to) {
    struct mill mill;
    mill_open(&mill);
    const cosm_field old = {.name = "n", .type = from};
    const cosm_field now = {.name = "n", .type = to};
    size_t new_size = cosm_field_type_size(to);
    const struct value_type *type = mill_define(&mill, "T", new_size, &now, 1);
    struct file_type file = file_of("T", (uint32_t)cosm_field_type_size(from), &old, 1);
    uint64_t unfit = 0;
    _Alignas(8) char source[8];
    for (uint32_t k = 0; pick_value(from, k, source); k++) {
        _Alignas(8) char target[8] = {0};
        bool fits;
        long double value = load_exactly(from, source);
        long double expected = expect_number(to, value, &fits);
        unfit += fits ? 0 : 1;
        CHECK_DONE(mill_turn(&mill, &file, type, 1, source, target));
        long double actual = load_exactly(to, target);
        if (!(actual == expected || (isnan(actual) && isnan(expected)))) {
            fprintf(stderr, "%s %Lg to %s: %Lg, expected %Lg\n", cosm_field_type_name(from), value,
                    cosm_field_type_name(to), actual, expected);
            CHECK(false);
        }
        CHECK_INT(mill.report.clamped_count, unfit);
        if (to == COSM_FIELD_BOOL) {
            CHECK((unsigned char)target[0] <= 1);
        }
    }
    mill_close(&mill);
}

TEST(every_number_becomes_the_nearest_one_of_every_other_type) {
    for (int from = COSM_FIELD_I8; from <= COSM_FIELD_BOOL; from++) {
        for (int to = COSM_FIELD_I8; to <= COSM_FIELD_BOOL; to++) {
            if (from != to) {
                check_number_pair((cosm_field_type)from, (cosm_field_type)to);
            }
        }
    }
}

// One field that was another one: returns the report.
static cosm_save_report convert_field(const cosm_field *old, const cosm_field *now,
                                      const void *whole_default, const void *source, void *target) {
    struct mill mill;
    mill_open(&mill);
    cosm_component component = cosm_component_define(
        mill.engine, &(cosm_component_desc){.name = "T",
                                            .size = cosm_field_size(now),
                                            .alignment = now->type == COSM_FIELD_ENTITY ? 4 : 0,
                                            .fields = now,
                                            .field_count = 1,
                                            .default_value = whole_default});
    const struct value_type *type = schema_component(&mill.engine->schema, component.id);
    struct file_type file = file_of("T", (uint32_t)cosm_field_size(old), old, 1);
    CHECK_DONE(mill_turn(&mill, &file, type, 1, source, target));
    mill_close(&mill);
    return mill.report;
}

TEST(arrays_of_other_dimensions_share_what_is_in_both) {
    int32_t nines[24];
    int16_t source[24];
    for (int i = 0; i < 24; i++) {
        nines[i] = 9;
        source[i] = (int16_t)(100 + i);
    }
    // A longer and a shorter one, of the same type and of another.
    int32_t target[24];
    cosm_save_report report = convert_field(
        &(cosm_field){.name = "a", .type = COSM_FIELD_I16, .dims = {3}},
        &(cosm_field){.name = "a", .type = COSM_FIELD_I32, .dims = {5}}, nines, source, target);
    CHECK_MEM(target, ((int32_t[]){100, 101, 102, 9, 9}), 20);
    CHECK_INT(report.changed_count, 1);
    CHECK_INT(report.added_count + report.removed_count + report.clamped_count, 0);
    report = convert_field(&(cosm_field){.name = "a", .type = COSM_FIELD_I32, .dims = {5}},
                           &(cosm_field){.name = "a", .type = COSM_FIELD_I32, .dims = {2}}, NULL,
                           nines, target);
    CHECK_MEM(target, ((int32_t[]){9, 9}), 8);
    CHECK_INT(report.changed_count, 1);
    // Of two dimensions, one grows and one shrinks.
    (void)convert_field(&(cosm_field){.name = "a", .type = COSM_FIELD_I16, .dims = {2, 3}},
                        &(cosm_field){.name = "a", .type = COSM_FIELD_I32, .dims = {3, 2}}, nines,
                        source, target);
    CHECK_MEM(target, ((int32_t[]){100, 101, 103, 104, 9, 9}), 24);
    // Of four.
    (void)convert_field(&(cosm_field){.name = "a", .type = COSM_FIELD_I16, .dims = {2, 1, 2, 3}},
                        &(cosm_field){.name = "a", .type = COSM_FIELD_I32, .dims = {3, 2, 1, 4}},
                        nines, source, target);
    CHECK_MEM(target, ((int32_t[]){100, 101, 102, 9, 9, 9, 9, 9, 106, 107, 108, 9,
                                   9,   9,   9,   9, 9, 9, 9, 9, 9,   9,   9,   9}),
              96);
    // A scalar is the first of an array, and the first of each row of more dimensions.
    (void)convert_field(&(cosm_field){.name = "a", .type = COSM_FIELD_I16},
                        &(cosm_field){.name = "a", .type = COSM_FIELD_I32, .dims = {3}}, nines,
                        source, target);
    CHECK_MEM(target, ((int32_t[]){100, 9, 9}), 12);
    (void)convert_field(&(cosm_field){.name = "a", .type = COSM_FIELD_I16, .dims = {3}},
                        &(cosm_field){.name = "a", .type = COSM_FIELD_I32}, nines, source + 1,
                        target);
    CHECK_INT(target[0], 101);
    (void)convert_field(&(cosm_field){.name = "a", .type = COSM_FIELD_I32, .dims = {2}},
                        &(cosm_field){.name = "a", .type = COSM_FIELD_I32, .dims = {2, 2}}, nines,
                        ((int32_t[]){1, 2}), target);
    CHECK_MEM(target, ((int32_t[]){1, 9, 2, 9}), 16);
}

TEST(text_is_cut_between_characters_and_followed_by_zeroes) {
    const struct {
        uint32_t old_room;
        uint32_t new_room;
        const char *source; // old_room bytes
        const char *target; // new_room bytes
        uint32_t cut;
    } rows[] = {
        {4, 8, "abc", "abc\0\0\0\0\0", 0},
        {4, 8, "abcd", "abcd\0\0\0\0", 0},     // without a zero
        {4, 8, "a\0zz", "a\0\0\0\0\0\0\0", 0}, // what lies behind the end is not text
        {8, 4, "abcd\0\0\0", "abcd", 0},       // fits, without a zero
        {8, 4, "abcdefg", "abcd", 1},
        {8, 4, "abc\xC3\xA9g\0", "abc\0", 1},         // a letter of two bytes that would be cut
        {8, 4, "ab\xC3\xA9g\0\0", "ab\xC3\xA9", 1},   // one that just fits
        {8, 3, "\xF0\x9F\x98\x80z\0\0", "\0\0\0", 1}, // one of four bytes, which does not
        {8, 4, "\x80\x80\x80\x80\x80\x80\x80\x80", "\x80\x80\x80\x80", 1}, // not UTF-8
        {8, 5, "abcd\x80\x80\x80\x80", "abcd\x80", 1},
    };
    for (uint32_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char target[8];
        cosm_save_report report = convert_field(
            &(cosm_field){.name = "t", .type = COSM_FIELD_CHAR, .dims = {rows[i].old_room}},
            &(cosm_field){.name = "t", .type = COSM_FIELD_CHAR, .dims = {rows[i].new_room}},
            "default", rows[i].source, target);
        CHECK_MEM(target, rows[i].target, rows[i].new_room);
        CHECK_INT(report.clamped_count, rows[i].cut);
        CHECK_INT(report.changed_count, 1);
    }
    // Several texts: as many as both have, each in its own room.
    char target[12];
    cosm_save_report report =
        convert_field(&(cosm_field){.name = "t", .type = COSM_FIELD_CHAR, .dims = {2, 3}},
                      &(cosm_field){.name = "t", .type = COSM_FIELD_CHAR, .dims = {3, 4}},
                      "ddddddddddd", "abcde", target);
    CHECK_MEM(target, "abc\0de\0\0ddd\0", 12);
    CHECK_INT(report.clamped_count, 0);
    report = convert_field(&(cosm_field){.name = "t", .type = COSM_FIELD_CHAR, .dims = {4}},
                           &(cosm_field){.name = "t", .type = COSM_FIELD_CHAR, .dims = {2, 3}},
                           "ddddd", "abcd", target);
    CHECK_MEM(target, "abcdd\0", 6);
    CHECK_INT(report.clamped_count, 1);
}

TEST(text_and_entities_become_nothing_else) {
    const cosm_field number = {.name = "f", .type = COSM_FIELD_U64};
    const cosm_field text = {.name = "f", .type = COSM_FIELD_CHAR, .dims = {8}};
    const cosm_field entity = {.name = "f", .type = COSM_FIELD_ENTITY};
    const cosm_field *pairs[][2] = {{&number, &text},   {&text, &number}, {&entity, &number},
                                    {&number, &entity}, {&entity, &text}, {&text, &entity}};
    for (uint32_t i = 0; i < 6; i++) {
        char target[8];
        cosm_save_report report =
            convert_field(pairs[i][0], pairs[i][1], "default", "sources", target);
        CHECK_MEM(target, "default", 8);
        CHECK_INT(report.added_count, 1);
        CHECK_INT(report.removed_count, 1);
        CHECK_INT(report.changed_count, 0);
    }
    // Entities stay as they are, one by one.
    const cosm_entity before[2] = {{1, 2}, {3, 4}};
    cosm_entity after[3];
    (void)convert_field(&(cosm_field){.name = "e", .type = COSM_FIELD_ENTITY, .dims = {2}},
                        &(cosm_field){.name = "e", .type = COSM_FIELD_ENTITY, .dims = {3}}, NULL,
                        before, after);
    CHECK_MEM(after, before, sizeof(before));
}

static const cosm_label old_colors[] = {{"red", 0}, {"green", 1}, {"blue", 2},
                                        {"rot", 0}, {"grey", 7},  {"below", -3}};
static const cosm_labels old_color_labels = {
    .name = "color", .kind = COSM_LABELS_ENUM, .count = 6, .items = old_colors};

TEST(values_with_labels_follow_their_names) {
    static const cosm_label colors[] = {{"blue", 200}, {"rot", 3}, {"below", 1}, {"green", 1}};
    static const cosm_labels labels = {
        .name = "color", .kind = COSM_LABELS_ENUM, .count = 4, .items = colors};
    const cosm_field old = {
        .name = "c", .type = COSM_FIELD_I16, .dims = {7}, .labels = &old_color_labels};
    const cosm_field now = {.name = "c", .type = COSM_FIELD_U8, .dims = {7}, .labels = &labels};
    // 0 is red, which is gone, and rot, which is not; 7 is gone; 9 and 999 never had a name.
    const int16_t source[7] = {0, 1, 2, 7, -3, 9, 999};
    const uint8_t defaults[7] = {50, 51, 52, 53, 54, 55, 56};
    uint8_t target[7];
    cosm_save_report report = convert_field(&old, &now, defaults, source, target);
    CHECK_MEM(target, ((uint8_t[]){3, 1, 200, 53, 1, 9, 255}), 7);
    CHECK_INT(report.changed_count, 1);
    CHECK_INT(report.clamped_count, 2);
}

TEST(labels_that_only_became_more_change_nothing) {
    static const cosm_label colors[] = {{"rot", 0},    {"red", 0},  {"white", 9}, {"green", 1},
                                        {"below", -3}, {"blue", 2}, {"grey", 7}};
    static const cosm_labels labels = {
        .name = "colour", .kind = COSM_LABELS_ENUM, .count = 7, .items = colors};
    const cosm_field old = {.name = "c", .type = COSM_FIELD_I32, .labels = &old_color_labels};
    const cosm_field now = {.name = "c", .type = COSM_FIELD_I32, .labels = &labels};
    int32_t target;
    cosm_save_report report = convert_field(&old, &now, NULL, &(int32_t){12345}, &target);
    CHECK_INT(target, 12345);
    CHECK_INT(report.converted_count, 1);
    CHECK_INT(report.changed_count, 0);
    // The same type, and one of the labels has moved.
    static const cosm_label swapped[] = {{"red", 0},    {"green", 2}, {"blue", 1},
                                         {"below", -3}, {"grey", 7},  {"rot", 0}};
    static const cosm_labels swapped_labels = {
        .name = "color", .kind = COSM_LABELS_ENUM, .count = 6, .items = swapped};
    const cosm_field moved = {.name = "c", .type = COSM_FIELD_I32, .labels = &swapped_labels};
    report = convert_field(&old, &moved, NULL, &(int32_t){2}, &target);
    CHECK_INT(target, 1);
    CHECK_INT(report.changed_count, 1);
    // Labels on one side only, or of another kind: numbers.
    const cosm_field plain = {.name = "c", .type = COSM_FIELD_I32};
    report = convert_field(&old, &plain, NULL, &(int32_t){2}, &target);
    CHECK_INT(target, 2);
    report = convert_field(&plain, &now, NULL, &(int32_t){2}, &target);
    CHECK_INT(target, 2);
    static const cosm_label bits[] = {{"green", 4}};
    static const cosm_labels mask = {
        .name = "color", .kind = COSM_LABELS_MASK, .count = 1, .items = bits};
    const cosm_field masked = {.name = "c", .type = COSM_FIELD_I32, .labels = &mask};
    report = convert_field(&old, &masked, NULL, &(int32_t){1}, &target);
    CHECK_INT(target, 1);
    CHECK_INT(report.changed_count, 0);
}

TEST(bits_with_labels_follow_their_names) {
    static const cosm_label old_bits[] = {{"none", 0}, {"fire", 1},  {"ice", 2},
                                          {"both", 3}, {"wind", 16}, {"top", 128}};
    static const cosm_labels old_labels = {
        .name = "kind", .kind = COSM_LABELS_MASK, .count = 6, .items = old_bits};
    static const cosm_label bits[] = {{"none", 0x400}, {"fire", 0x100}, {"ice", 2}, {"top", 4}};
    static const cosm_labels labels = {
        .name = "kind", .kind = COSM_LABELS_MASK, .count = 4, .items = bits};
    const cosm_field old = {.name = "m", .type = COSM_FIELD_I8, .dims = {6}, .labels = &old_labels};
    const cosm_field now = {.name = "m", .type = COSM_FIELD_U16, .dims = {6}, .labels = &labels};
    // `both` is gone, but its bits are those of others; `wind` is gone; 64 has no name.
    const int8_t source[6] = {0, 1, 3, 16 | 2, 64 | 1, (int8_t)0x80};
    uint16_t target[6];
    cosm_save_report report = convert_field(&old, &now, "ddddddddddd", source, target);
    CHECK_MEM(target, ((uint16_t[]){0, 0x100, 0x102, 2, 0x140, 4}), 12);
    CHECK_INT(report.changed_count, 1);
    CHECK_INT(report.clamped_count, 1);
    // Bits without a name that the new field has no room for.
    const cosm_field wide = {.name = "m", .type = COSM_FIELD_U16, .labels = &labels};
    const cosm_field narrow = {.name = "m", .type = COSM_FIELD_U8, .labels = &old_labels};
    uint8_t one;
    report = convert_field(&wide, &narrow, NULL, &(uint16_t){0x100 | 0x200 | 8 | 4}, &one);
    CHECK_INT(one, 1 | 8 | 128);
    CHECK_INT(report.clamped_count, 1);
}

TEST(what_means_the_same_is_used_as_it_is_under_any_name_and_alignment) {
    struct mill mill;
    mill_open(&mill);
    const struct value_type *type =
        mill_define(&mill, "Body", sizeof(OldBody), old_body_fields, OLD_BODY_COUNT);
    struct file_type file = file_of("Thing", sizeof(OldBody), old_body_fields, OLD_BODY_COUNT);
    file.hash = 12345; // not believed
    struct conversion conversion;
    CHECK_DONE(cosmi_file_type_check(&mill.job, &file));
    CHECK_DONE(cosmi_convert_plan(&mill.job, &file, type, &conversion));
    CHECK_INT(conversion.kind, CONVERSION_SAME);
    CHECK(!conversion_is_needed(&conversion));
    OldBody old[2];
    OldBody now[2];
    memset(old, 0x5A, sizeof(old));
    CHECK_DONE(cosmi_convert_values(&conversion, 2, old, now));
    CHECK_MEM(now, old, sizeof(old));
    CHECK_REPORT(&mill.report, .component_count = 1, .same_count = 1, .renamed_count = 1);
    // Another hash than the engine's does not help either.
    struct file_type liar = file_of("Body", sizeof(OldBody) - 4, old_body_fields, 5);
    liar.hash = type->hash;
    CHECK_DONE(cosmi_convert_plan(&mill.job, &liar, type, &conversion));
    CHECK_INT(conversion.kind, CONVERSION_FIELDS);
    mill_close(&mill);
}

TEST(tags_and_undescribed_bytes_are_taken_where_nothing_is_lost) {
    struct mill mill;
    mill_open(&mill);
    const struct value_type *tag = mill_define(&mill, "Tag", 0, NULL, 0);
    const struct value_type *bare = mill_define(&mill, "Bare", 8, NULL, 0);
    const struct value_type *body =
        mill_define(&mill, "Body", sizeof(OldBody), old_body_fields, OLD_BODY_COUNT);
    struct conversion conversion;
    OldBody old;
    OldBody now;
    fill_old_bodies(&old, 1);
    // Bytes became a tag, and a tag bytes: nothing, and defaults.
    struct file_type was_body = file_of("Tag", sizeof(OldBody), old_body_fields, OLD_BODY_COUNT);
    CHECK_DONE(mill_turn(&mill, &was_body, tag, 1, &old, NULL));
    CHECK_REPORT(&mill.report, .component_count = 1, .converted_count = 1,
                 .removed_count = OLD_BODY_COUNT);
    mill.report = (cosm_save_report){0};
    struct file_type was_tag = file_of("Body", 0, NULL, 0);
    memset(&now, 1, sizeof(now));
    CHECK_DONE(mill_turn(&mill, &was_tag, body, 1, NULL, &now));
    CHECK_MEM(&now, &(OldBody){.x = 0}, sizeof(now));
    CHECK_REPORT(&mill.report, .component_count = 1, .converted_count = 1,
                 .added_count = OLD_BODY_COUNT);
    // As many bytes, with and without a description.
    mill.report = (cosm_save_report){0};
    struct file_type blunt = file_of("Body", sizeof(OldBody), NULL, 0);
    CHECK_DONE(mill_turn(&mill, &blunt, body, 1, &old, &now));
    CHECK_MEM(&now, &old, sizeof(now));
    CHECK_REPORT(&mill.report, .component_count = 1, .converted_count = 1);
    const cosm_field field = {.name = "f", .type = COSM_FIELD_F64};
    struct file_type sharp = file_of("Bare", 8, &field, 1);
    CHECK_DONE(cosmi_convert_plan(&mill.job, &sharp, bare, &conversion));
    CHECK_INT(conversion.kind, CONVERSION_COPY);
    // The same size, and nothing told of either: the same.
    struct file_type same = file_of("Bare", 8, NULL, 0);
    CHECK_DONE(cosmi_convert_plan(&mill.job, &same, bare, &conversion));
    CHECK_INT(conversion.kind, CONVERSION_SAME);
    // Another size: there is no way without `migrate`.
    struct file_type shorter = file_of("Bare", 4, NULL, 0);
    CHECK_FAILS(cosmi_convert_plan(&mill.job, &shorter, bare, &conversion), COSM_ERROR_FORMAT,
                "mill", "component 'Bare' has 4 bytes in the file and 8 here", "set desc.migrate");
    struct file_type wide =
        file_of("Bare", 4, &(cosm_field){.name = "f", .type = COSM_FIELD_F32}, 1);
    CHECK_FAILS(cosmi_convert_plan(&mill.job, &wide, bare, &conversion), COSM_ERROR_FORMAT, "mill",
                "not described here", "set desc.migrate");
    mill_close(&mill);
}

struct witness {
    uint32_t calls;
    cosm_migration last;
    bool refuses;
};

static bool see_migration(void *context, const cosm_migration *migration) {
    struct witness *witness = context;
    witness->calls++;
    witness->last = *migration;
    for (uint32_t i = 0; i < migration->count && migration->new_size == 8; i++) {
        uint32_t old;
        memcpy(&old, (const char *)migration->old_values + i * migration->old_size, sizeof(old));
        uint64_t now = (uint64_t)old * 1000;
        memcpy((char *)migration->new_values + i * 8, &now, sizeof(now));
    }
    return !witness->refuses;
}

TEST(migrate_sees_old_and_new_values_of_what_differs_and_has_the_last_word) {
    struct mill mill;
    mill_open(&mill);
    struct witness witness = {.calls = 0};
    mill.desc.migrate = see_migration;
    mill.desc.context = &witness;
    const struct value_type *bare = mill_define(&mill, "Bare", 8, NULL, 0);
    struct file_type file = file_of("Bare", 4, NULL, 0);
    struct conversion conversion;
    CHECK_DONE(cosmi_convert_plan(&mill.job, &file, bare, &conversion));
    CHECK_INT(conversion.kind, CONVERSION_DEFAULTS);
    uint32_t old[3] = {1, 2, 3};
    uint64_t now[3];
    CHECK_DONE(cosmi_convert_values(&conversion, 0, NULL, NULL));
    CHECK_INT(mill.report.migrated_count, 0);
    CHECK_DONE(cosmi_convert_values(&conversion, 2, old, now));
    CHECK_DONE(cosmi_convert_values(&conversion, 1, old + 2, now + 2));
    CHECK_INT(now[0], 1000);
    CHECK_INT(now[2], 3000);
    CHECK_INT(witness.calls, 2);
    CHECK_STR(witness.last.component, "Bare");
    CHECK_INT(witness.last.target.id, bare->id);
    CHECK_INT(witness.last.singleton.id, 0);
    CHECK_INT(witness.last.old_size, 4);
    CHECK_INT(witness.last.new_size, 8);
    CHECK_INT(witness.last.count, 1);
    CHECK(witness.last.fields == NULL && witness.last.field_count == 0);
    CHECK(witness.last.old_values == old + 2 && witness.last.new_values == now + 2);
    CHECK_REPORT(&mill.report, .component_count = 1, .converted_count = 1, .migrated_count = 1);
    // It is not asked about what is the same.
    struct file_type same = file_of("Bare", 8, NULL, 0);
    CHECK_DONE(mill_turn(&mill, &same, bare, 1, (uint64_t[]){5}, now));
    CHECK_INT(now[0], 5);
    CHECK_INT(witness.calls, 2);
    witness.refuses = true;
    CHECK_FAILS(cosmi_convert_values(&conversion, 1, old, now), COSM_ERROR_FORMAT, "mill",
                "desc.migrate returned false for component 'Bare'", "have it convert");
    mill_close(&mill);
}

TEST(migrate_sees_fields_converted_already_and_singletons_too) {
    struct mill mill;
    mill_open(&mill);
    struct witness witness = {.calls = 0};
    mill.desc.migrate = see_migration;
    mill.desc.context = &witness;
    cosm_singleton singleton =
        cosm_singleton_define(mill.engine, &(cosm_singleton_desc){.name = "Body",
                                                                  .size = sizeof(NewBody),
                                                                  .fields = new_body_fields,
                                                                  .field_count = NEW_BODY_COUNT});
    const struct value_type *type = schema_singleton(&mill.engine->schema, singleton.id);
    REQUIRE(type != NULL);
    struct file_type file = file_of("Body", sizeof(OldBody), old_body_fields, OLD_BODY_COUNT);
    file.is_singleton = true;
    OldBody old;
    NewBody now;
    fill_old_bodies(&old, 1);
    old.team = 77;
    CHECK_DONE(mill_turn(&mill, &file, type, 1, &old, &now));
    CHECK_INT(now.team, 77);
    CHECK_INT(witness.calls, 1);
    CHECK(witness.last.fields == old_body_fields);
    CHECK_INT(witness.last.field_count, OLD_BODY_COUNT);
    CHECK_INT(witness.last.target.id, 0);
    CHECK_INT(witness.last.singleton.id, singleton.id);
    mill_close(&mill);
}

TEST(types_are_found_by_name_then_by_alias_and_each_only_once) {
    struct mill mill;
    mill_open(&mill);
    const struct value_type *a = mill_define(&mill, "A", 4, NULL, 0);
    const struct value_type *b = mill_define(&mill, "B", 4, NULL, 0);
    cosm_component bundle = cosm_bundle_define(
        mill.engine, &(cosm_bundle_desc){.name = "Pack", .components = {{a->id}, {b->id}}});
    CHECK(bundle.id != 0);
    cosm_singleton single =
        cosm_singleton_define(mill.engine, &(cosm_singleton_desc){.name = "S", .size = 4});
    const cosm_save_alias aliases[] = {
        {.component = "B", .old_name = "A"},    // has its name still
        {.component = "B", .old_name = "Bold"}, // counts
        {.component = "S", .old_name = "Sold"},
    };
    mill.desc.aliases = aliases;
    mill.desc.alias_count = 3;
    CHECK_DONE(cosmi_convert_check(&mill.job));
    struct file_type files[] = {file_of("A", 4, NULL, 0),    file_of("Bold", 4, NULL, 0),
                                file_of("Sold", 4, NULL, 0), file_of("Sold", 4, NULL, 0),
                                file_of("Pack", 0, NULL, 0), file_of("A", 4, NULL, 0)};
    files[3].is_singleton = true;
    files[5].is_singleton = true;
    const struct value_type *found[6];
    CHECK_DONE(cosmi_convert_find(&mill.job, files, 6, found));
    CHECK(found[0] == a);
    CHECK(found[1] == b);
    CHECK(found[2] == NULL); // a component was never called so
    CHECK(found[3] == schema_singleton(&mill.engine->schema, single.id));
    CHECK(found[4] == NULL); // a bundle has no values
    CHECK(found[5] == NULL); // no singleton
    struct conversion conversion;
    CHECK_DONE(cosmi_convert_plan(&mill.job, &files[4], NULL, &conversion));
    CHECK_INT(conversion.kind, CONVERSION_UNKNOWN);
    CHECK(!conversion_is_needed(&conversion));
    CHECK_REPORT(&mill.report, .component_count = 1, .unknown_count = 1);
    struct file_type twins[] = {file_of("B", 4, NULL, 0), file_of("Bold", 4, NULL, 0)};
    CHECK_FAILS(cosmi_convert_find(&mill.job, twins, 2, found), COSM_ERROR_FORMAT, "mill",
                "'B' and 'Bold' of the file are the same component here", "remove the alias");
    twins[0] = twins[1] = file_of("Nobody", 4, NULL, 0);
    CHECK_FAILS(cosmi_convert_find(&mill.job, twins, 2, found), COSM_ERROR_FORMAT, "mill", "Nobody",
                "remove the alias");
    mill_close(&mill);
}

TEST(an_alias_that_names_nothing_is_refused) {
    struct mill mill;
    mill_open(&mill);
    (void)mill_define(&mill, "Body", sizeof(NewBody), new_body_fields, NEW_BODY_COUNT);
    cosm_save_alias alias = {.component = "Body", .field = "x", .old_name = "y"};
    mill.desc.alias_count = 1;
    CHECK_FAILS(cosmi_convert_check(&mill.job), COSM_ERROR_ARGUMENT, "mill",
                "desc.alias_count is 1", "set both");
    mill.desc.aliases = &alias;
    CHECK_DONE(cosmi_convert_check(&mill.job));
    alias.old_name = NULL;
    CHECK_FAILS(cosmi_convert_check(&mill.job), COSM_ERROR_ARGUMENT, "mill", "desc.aliases[0]",
                "set both");
    alias.old_name = "";
    CHECK_FAILS(cosmi_convert_check(&mill.job), COSM_ERROR_ARGUMENT, "mill", "desc.aliases[0]",
                "set both");
    alias = (cosm_save_alias){.component = NULL, .field = "x", .old_name = "y"};
    CHECK_FAILS(cosmi_convert_check(&mill.job), COSM_ERROR_ARGUMENT, "mill", "desc.aliases[0]",
                "set both");
    alias.component = "Bodi";
    CHECK_FAILS(cosmi_convert_check(&mill.job), COSM_ERROR_ARGUMENT, "mill", "'Bodi'",
                "define it first");
    alias.component = "Body";
    alias.field = "z";
    CHECK_FAILS(cosmi_convert_check(&mill.job), COSM_ERROR_ARGUMENT, "mill", "has no field 'z'",
                "current path");
    mill_close(&mill);
}

static void end_mesh(void *context, void *object) {
    (void)context;
    (void)object;
}

TEST(objects_and_bytes_do_not_become_each_other) {
    struct mill mill;
    mill_open(&mill);
    cosm_component managed = cosm_component_define(
        mill.engine, &(cosm_component_desc){.name = "Mesh",
                                            .size = 8,
                                            .storage = COSM_STORAGE_MANAGED,
                                            .lifecycle = {.destroy = end_mesh}});
    const struct value_type *mesh = schema_component(&mill.engine->schema, managed.id);
    const struct value_type *bare = mill_define(&mill, "Bare", 8, NULL, 0);
    struct file_type file = file_of("Mesh", 16, NULL, 0);
    file.storage = COSM_STORAGE_MANAGED;
    struct conversion conversion;
    CHECK_FAILS(cosmi_convert_plan(&mill.job, &file, mesh, &conversion), COSM_ERROR_FORMAT, "mill",
                "'Mesh' of the file has no objects, here it has", "define it as before");
    file.is_object = true;
    CHECK_DONE(cosmi_convert_plan(&mill.job, &file, mesh, &conversion));
    CHECK_INT(conversion.kind, CONVERSION_SAME);
    file.storage = COSM_STORAGE_COLUMN;
    CHECK_FAILS(cosmi_convert_plan(&mill.job, &file, bare, &conversion), COSM_ERROR_FORMAT, "mill",
                "'Mesh' of the file has objects, here it has none", "define it as before");
    CHECK_REPORT(&mill.report, .component_count = 1, .same_count = 1);
    // Managed bytes that nobody has to end are bytes.
    cosm_component plain = cosm_component_define(
        mill.engine,
        &(cosm_component_desc){.name = "Plain", .size = 8, .storage = COSM_STORAGE_MANAGED});
    file = file_of("Plain", 8, NULL, 0);
    file.storage = COSM_STORAGE_MANAGED;
    CHECK_DONE(cosmi_convert_plan(&mill.job, &file,
                                  schema_component(&mill.engine->schema, plain.id), &conversion));
    file = file_of("Bare", 8, NULL, 0);
    file.storage = COSM_STORAGE_SHARED;
    CHECK_FAILS(cosmi_convert_plan(&mill.job, &file, bare, &conversion), COSM_ERROR_FORMAT, "mill",
                "'Bare' has storage shared in the file and column here",
                "define it with the file's storage");
    mill_close(&mill);
}

// A description with one thing wrong is damaged.
TEST(a_type_that_no_program_can_have_is_refused) {
    struct mill mill;
    mill_open(&mill);
    char long_name[COSM_NAME_LENGTH_MAX + 2];
    memset(long_name, 'n', sizeof(long_name) - 1);
    long_name[sizeof(long_name) - 1] = '\0';
    struct file_type good = file_of("T", sizeof(OldBody), old_body_fields, OLD_BODY_COUNT);
    CHECK_DONE(cosmi_file_type_check(&mill.job, &good));
    for (uint32_t i = 0; i < 10; i++) {
        struct file_type bad = good;
        bad.name = i == 0 ? NULL : i == 1 ? "" : i == 2 ? long_name : bad.name;
        bad.alignment = i == 3 ? 0 : i == 4 ? 3 : i == 5 ? 8192 : i == 6 ? 16 : bad.alignment;
        bad.size = i == 5 ? 8192 : i == 7 ? COSM_COMPONENT_SIZE_MAX + 1 : bad.size;
        bad.storage = i == 8 ? (cosm_storage)4 : bad.storage;
        bad.fields = i == 9 ? NULL : bad.fields;
        CHECK_FAILS(cosmi_file_type_check(&mill.job, &bad), COSM_ERROR_FORMAT, "mill",
                    "which is not a valid type", "use another copy");
    }
    static cosm_field many[COSM_FIELD_MAX + 1];
    struct file_type crowd = file_of("T", sizeof(OldBody), many, COSM_FIELD_MAX + 1);
    CHECK_FAILS(cosmi_file_type_check(&mill.job, &crowd), COSM_ERROR_FORMAT, "mill", "1025 fields",
                "use another copy");
    good.name = long_name + 1;
    CHECK_DONE(cosmi_file_type_check(&mill.job, &good));
    mill_close(&mill);
}

TEST(a_field_that_no_program_can_have_is_refused) {
    static const cosm_label nameless[] = {{"a", 0}, {NULL, 1}};
    static const cosm_label blank[] = {{"", 0}};
    static const cosm_label fine[] = {{"a", 0}, {"a", 1}};
    const cosm_labels good_labels = {.count = 2, .items = fine};
    const cosm_labels labels[] = {
        {.count = 2, .items = nameless}, {.count = 1, .items = blank},
        {.count = 0, .items = fine},     {.count = COSM_LABEL_MAX + 1, .items = fine},
        {.count = 2, .items = NULL},     {.count = 2, .items = fine, .kind = (cosm_labels_kind)2}};
    char long_path[COSM_FIELD_PATH_LENGTH_MAX + 2];
    memset(long_path, 'p', sizeof(long_path) - 1);
    long_path[sizeof(long_path) - 1] = '\0';
    const cosm_field bad[] = {
        {.name = NULL, .type = COSM_FIELD_U8, .offset = 4},
        {.name = "", .type = COSM_FIELD_U8, .offset = 4},
        {.name = "1x", .type = COSM_FIELD_U8, .offset = 4},
        {.name = "a..b", .type = COSM_FIELD_U8, .offset = 4},
        {.name = long_path, .type = COSM_FIELD_U8, .offset = 4},
        {.name = "first", .type = COSM_FIELD_U8, .offset = 4}, // has its name already
        {.name = "f", .type = COSM_FIELD_NONE, .offset = 4},
        {.name = "f", .type = COSM_FIELD_TYPE_COUNT, .offset = 4},
        {.name = "f", .type = (cosm_field_type)-1, .offset = 4},
        {.name = "f", .type = COSM_FIELD_U8, .offset = 3}, // is in the first one
        {.name = "f", .type = COSM_FIELD_U8, .offset = 12},
        {.name = "f", .type = COSM_FIELD_U32, .offset = 9},
        {.name = "f", .type = COSM_FIELD_U32, .offset = UINT32_MAX},
        {.name = "f", .type = COSM_FIELD_U8, .offset = 4, .dims = {9}},
        {.name = "f", .type = COSM_FIELD_U8, .offset = 4, .dims = {65536, 65536}},
        {.name = "f", .type = COSM_FIELD_F64, .offset = 4, .dims = {0x20000000, 2, 4}},
        {.name = "f", .type = COSM_FIELD_U8, .offset = 4, .dims = {0, 2}},
        {.name = "f", .type = COSM_FIELD_U8, .offset = 4, .padding = 8},
        {.name = "f", .type = COSM_FIELD_U8, .offset = 4, .padding = UINT32_MAX},
        {.name = "f", .type = COSM_FIELD_CHAR, .offset = 4},
        {.name = "f", .type = COSM_FIELD_F32, .offset = 4, .labels = &good_labels},
        {.name = "f", .type = COSM_FIELD_U8, .offset = 4, .labels = &labels[0]},
        {.name = "f", .type = COSM_FIELD_U8, .offset = 4, .labels = &labels[1]},
        {.name = "f", .type = COSM_FIELD_U8, .offset = 4, .labels = &labels[2]},
        {.name = "f", .type = COSM_FIELD_U8, .offset = 4, .labels = &labels[3]},
        {.name = "f", .type = COSM_FIELD_U8, .offset = 4, .labels = &labels[4]},
        {.name = "f", .type = COSM_FIELD_U8, .offset = 4, .labels = &labels[5]},
    };
    struct mill mill;
    mill_open(&mill);
    cosm_field fields[2] = {{.name = "first", .type = COSM_FIELD_F32}};
    struct file_type file = file_of("T", 12, fields, 2);
    for (uint32_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        fields[1] = bad[i];
        CHECK_FAILS(cosmi_file_type_check(&mill.job, &file), COSM_ERROR_FORMAT, "mill",
                    "field 1 of 'T' in the file", "use another copy");
    }
    // What is just in order.
    const cosm_field good[] = {
        {.name = "f", .type = COSM_FIELD_U8, .offset = 11},
        {.name = long_path + 1, .type = COSM_FIELD_U64, .offset = 4, .labels = &good_labels},
        {.name = "f", .type = COSM_FIELD_U8, .offset = 4, .dims = {2, 2, 2, 1}},
        {.name = "f", .type = COSM_FIELD_U8, .offset = 4, .padding = 7},
    };
    for (uint32_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
        fields[1] = good[i];
        CHECK_DONE(cosmi_file_type_check(&mill.job, &file));
    }
    // Not in the order of their bytes: the second one is before the first, and reaches into it.
    fields[0].offset = 4;
    fields[1] = (cosm_field){.name = "f", .type = COSM_FIELD_F32, .offset = 0};
    CHECK_DONE(cosmi_file_type_check(&mill.job, &file));
    cosm_field three[3] = {fields[0], fields[1], {.name = "g", .type = COSM_FIELD_U8, .offset = 7}};
    struct file_type third = file_of("T", 12, three, 3);
    CHECK_FAILS(cosmi_file_type_check(&mill.job, &third), COSM_ERROR_FORMAT, "mill", "field 2",
                "use another copy");
    three[2].offset = 8;
    CHECK_DONE(cosmi_file_type_check(&mill.job, &third));
    fields[1].offset = 2;
    CHECK_FAILS(cosmi_file_type_check(&mill.job, &file), COSM_ERROR_FORMAT, "mill", "field 1",
                "use another copy");
    mill_close(&mill);
}

#define WIDE_COUNT 300u

TEST(a_plan_without_memory_fails_and_can_be_made_again) {
    static const cosm_label colors[] = {{"blue", 0}, {"red", 2}};
    static const cosm_labels labels = {.name = "color", .count = 2, .items = colors};
    static char names[WIDE_COUNT][8];
    static cosm_field old[WIDE_COUNT];
    static cosm_field now[WIDE_COUNT];
    static int16_t before[WIDE_COUNT];
    static uint8_t after[WIDE_COUNT];
    for (uint32_t i = 0; i < WIDE_COUNT; i++) {
        snprintf(names[i], sizeof(names[i]), "f%u", i);
        old[i] = (cosm_field){.name = names[i], .type = COSM_FIELD_I16, .offset = 2 * i};
        old[i].labels = &old_color_labels;
        now[i] = (cosm_field){.name = names[i], .type = COSM_FIELD_U8, .offset = i};
        now[i].labels = &labels;
        before[i] = 2;
    }
    uint32_t refused = 0;
    bool has_refused = true;
    for (uint64_t n = 1; has_refused; n++) {
        struct ledger ledger;
        ledger_open(&ledger);
        struct mill mill;
        mill_open_with(&mill, &(cosm_engine_desc){.allocator = ledger_allocator(&ledger)});
        const struct value_type *type = mill_define(&mill, "T", WIDE_COUNT, now, WIDE_COUNT);
        struct file_type file = file_of("T", 2 * WIDE_COUNT, old, WIDE_COUNT);
        struct conversion conversion;
        ledger_refuse(&ledger, n, 1000); // an arena tries again with less
        cosm_result result = cosmi_convert_plan(&mill.job, &file, type, &conversion);
        has_refused = ledger_relent(&ledger);
        refused += has_refused ? 1 : 0;
        CHECK_INT(result, has_refused ? COSM_ERROR_MEMORY : COSM_OK);
        memset(after, 9, sizeof(after));
        CHECK_DONE(mill_turn(&mill, &file, type, 1, before, after));
        CHECK_INT(after[0] + after[WIDE_COUNT - 1], 0);
        mill_close(&mill);
        ledger_close(&ledger);
    }
    CHECK(refused >= 3);
}
