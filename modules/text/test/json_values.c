// Values as JSON and back: every type, every bit (cosm_text/json.h).
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "support.h"

#define VALUE_SIZE_MAX 1024

// Writes a value and reads it over other bytes: it must come out the same.
static void check_round_trip(const cosm_engine *engine, cosm_component component, const void *value,
                             bool spaced, struct kept_text *text) {
    size_t size = cosm_component_describe(engine, component).size;
    char *back = calloc(1, size + 1);
    write_value(text, engine, component, value, spaced);
    CHECK(is_json(text->bytes, text->length));
    cosm_error_clear();
    cosm_result result = cosm_json_read_value(engine, component, text->bytes, text->length, back);
    bool is_same = result == COSM_OK && memcmp(back, value, size) == 0;
    if (!is_same) {
        printf("%s\n%.*s\n", cosm_error_message(), (int)text->length, text->bytes);
    }
    CHECK(is_same);
    free(back);
}

TEST(every_value_of_every_type_reads_back_as_the_same_bytes) {
    struct zoo zoo;
    struct kept_text text = {0};
    struct dice dice = {harness_seed()};
    zoo_open(&zoo);
    for (int round = 0; round < 400; round++) {
        cosm_component component;
        for (uint32_t i = 0; (component = zoo_component(&zoo, i)).id != 0; i++) {
            char value[VALUE_SIZE_MAX];
            REQUIRE(cosm_component_describe(zoo.engine, component).size <= sizeof(value));
            zoo_fill(&zoo, component, &dice, value);
            check_round_trip(zoo.engine, component, value, round % 2 == 0, &text);
        }
    }
    kept_text_free(&text);
    zoo_close(&zoo);
}

// A component that is made up: fields of all types, in structs and arrays within each other.
#define MADE_FIELD_MAX 48

struct made {
    struct dice *dice;
    cosm_field fields[MADE_FIELD_MAX];
    char paths[MADE_FIELD_MAX][COSM_FIELD_PATH_LENGTH_MAX + 1];
    uint32_t count;
};

static void make_leaf(struct made *made, const char *path) {
    cosm_field *field = &made->fields[made->count];
    *field = (cosm_field){.name = made->paths[made->count]};
    (void)snprintf(made->paths[made->count], sizeof(made->paths[0]), "%s", path);
    made->count++;
    field->type = (cosm_field_type)(1 + dice_roll(made->dice, COSM_FIELD_TYPE_COUNT - 1));
    uint32_t dim_count = dice_roll(made->dice, 2) == 0 ? 0 : dice_roll(made->dice, 5);
    dim_count = field->type == COSM_FIELD_CHAR && dim_count == 0 ? 1 : dim_count;
    for (uint32_t i = 0; i < dim_count; i++) {
        field->dims[i] = 1 + dice_roll(made->dice, 3);
    }
}

static void make_struct(struct made *made, const char *path, uint32_t depth) {
    uint32_t member_count = 1 + dice_roll(made->dice, 4);
    for (uint32_t i = 0; i < member_count && made->count < MADE_FIELD_MAX / 2; i++) {
        char member[COSM_FIELD_PATH_LENGTH_MAX + 1];
        (void)snprintf(member, sizeof(member), "%.200s%s%c%u", path, path[0] == '\0' ? "" : ".",
                       (char)('a' + i), depth);
        uint32_t kind = depth < 5 ? dice_roll(made->dice, 4) : 0;
        if (kind < 2) {
            make_leaf(made, member);
        } else if (kind == 2) {
            make_struct(made, member, depth + 1);
        } else {
            uint32_t element_count = 1 + dice_roll(made->dice, 2);
            for (uint32_t e = 0; e < element_count && made->count < MADE_FIELD_MAX / 2; e++) {
                char element[COSM_FIELD_PATH_LENGTH_MAX + 1];
                (void)snprintf(element, sizeof(element), "%.240s[%u]", member, e);
                make_struct(made, element, depth + 1);
            }
        }
    }
    if (member_count > 0 && made->count == 0) {
        make_leaf(made, "only");
    }
}

TEST(values_of_made_up_components_read_back_as_the_same_bytes) {
    struct dice dice = {harness_seed()};
    struct kept_text text = {0};
    cosm_engine *engine = cosm_engine_create(NULL);
    for (uint32_t round = 0; round < 200; round++) {
        struct made made = {.dice = &dice};
        char name[16];
        size_t size;
        size_t alignment;
        make_struct(&made, "", 0);
        (void)snprintf(name, sizeof(name), "made%u", round);
        CHECK_DONE(cosm_field_place(made.fields, made.count, &size, &alignment));
        cosm_component component = cosm_component_define(
            engine, &(cosm_component_desc){.name = name,
                                           .size = size,
                                           .alignment = alignment,
                                           .fields = made.fields,
                                           .field_count = made.count,
                                           .layout = dice_roll(&dice, 2) == 0 ? COSM_LAYOUT_STRUCT
                                                                              : COSM_LAYOUT_SPLIT});
        CHECK_STR(component.id == 0 ? cosm_error_message() : "", "");
        char *value = malloc(size + 1);
        for (int i = 0; i < 5; i++) {
            fill_fields(made.fields, made.count, size, &dice, value);
            check_round_trip(engine, component, value, i % 2 == 0, &text);
        }
        free(value);
    }
    kept_text_free(&text);
    CHECK_DONE(cosm_engine_destroy(engine));
}

// Checks what a value is written as, short.
static void check_text(const struct zoo *zoo, cosm_component component, const void *value,
                       const char *expected) {
    struct kept_text text = {0};
    write_value(&text, zoo->engine, component, value, false);
    CHECK_STR(text.bytes, expected);
    kept_text_free(&text);
}

static float float_of(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

TEST(scalars_are_numbers_words_and_handles) {
    struct zoo zoo;
    zoo_open(&zoo);
    Scalars low = {INT8_MIN, INT16_MIN, INT32_MIN, INT64_MIN, 0,     0,
                   0,        0,         -0.0f,     1e300,     false, COSM_ENTITY_NONE};
    Scalars high = {INT8_MAX,   INT16_MAX,  INT32_MAX, INT64_MAX, UINT8_MAX, UINT16_MAX,
                    UINT32_MAX, UINT64_MAX, 0.1f,      0.1,       true,      {1, 5}};
    check_text(&zoo, zoo.scalars[0], &low,
               "{\"i8\":-128,\"i16\":-32768,\"i32\":-2147483648,\"i64\":-9223372036854775808,"
               "\"u8\":0,\"u16\":0,\"u32\":0,\"u64\":0,\"f32\":-0,\"f64\":1e300,\"yes\":false,"
               "\"entity\":null}");
    check_text(&zoo, zoo.scalars[1], &high,
               "{\"i8\":127,\"i16\":32767,\"i32\":2147483647,\"i64\":9223372036854775807,"
               "\"u8\":255,\"u16\":65535,\"u32\":4294967295,\"u64\":18446744073709551615,"
               "\"f32\":0.1,\"f64\":0.1,\"yes\":true,\"entity\":\"@5:1\"}");
    zoo_close(&zoo);
}

TEST(floats_that_are_not_numbers_are_words_with_their_bits) {
    struct zoo zoo;
    zoo_open(&zoo);
    Vector words = {float_of(0x7FC00000), float_of(0x7F800000), float_of(0xFF800000)};
    Vector bits = {float_of(0x7FC00001), float_of(0xFFC00000), float_of(0x7F800001)};
    check_text(&zoo, zoo.vector[0], &words, "{\"x\":\"nan\",\"y\":\"inf\",\"z\":\"-inf\"}");
    check_text(&zoo, zoo.vector[0], &bits,
               "{\"x\":\"nan:7fc00001\",\"y\":\"nan:ffc00000\",\"z\":\"nan:7f800001\"}");
    zoo_close(&zoo);
}

TEST(nested_structs_are_objects_and_arrays_of_structs_arrays) {
    struct zoo zoo;
    zoo_open(&zoo);
    Nested value = {{{1, 2.5f, -3}, 0.25},
                    {{1, "ab", {{1, 2, 3}, {4, 5, 6}}}, {2, "", {{0}}}, {3, "abcd", {{-1}}}},
                    9};
    check_text(&zoo, zoo.nested[0], &value,
               "{\"pose\":{\"position\":{\"x\":1,\"y\":2.5,\"z\":-3},\"angle\":0.25},\"items\":["
               "{\"count\":1,\"kind\":\"ab\",\"cells\":[[1,2,3],[4,5,6]]},"
               "{\"count\":2,\"kind\":\"\",\"cells\":[[0,0,0],[0,0,0]]},"
               "{\"count\":3,\"kind\":\"abcd\",\"cells\":[[-1,0,0],[0,0,0]]}],\"last\":9}");
    zoo_close(&zoo);
}

TEST(spaced_text_has_spaces_and_reads_back_too) {
    struct zoo zoo;
    struct kept_text text = {0};
    zoo_open(&zoo);
    Vector value = {1, 2, 3};
    write_value(&text, zoo.engine, zoo.vector[0], &value, true);
    CHECK_STR(text.bytes, "{\"x\": 1, \"y\": 2, \"z\": 3}");
    kept_text_free(&text);
    zoo_close(&zoo);
}

TEST(labels_are_strings_and_masks_arrays_of_them) {
    struct zoo zoo;
    zoo_open(&zoo);
    Labels named = {1, 255, 3, (int8_t)0x83, (uint64_t)INT64_MIN | 1, INT64_MIN};
    Labels other = {5, 9, 0x80000013, 0x40, 6, 0};
    Labels first = {0, 1, 12, 0, 0, 1};
    Labels escaped = {-7, 0, 0, 0, 0, INT64_MAX};
    check_text(&zoo, zoo.labels[0], &named,
               "{\"color\":\"green\",\"small\":\"all\",\"bits\":[\"a\",\"b\"],"
               "\"tiny\":[\"one\",\"two\",\"sign\"],\"wide\":[\"first\",\"last\"],"
               "\"far\":\"least\"}");
    // A label whose name is not UTF-8 (9 of `small`) is as good as none.
    check_text(
        &zoo, zoo.labels[0], &other,
        "{\"color\":5,\"small\":9,\"bits\":[\"a\",\"b\",\"high\",16],\"tiny\":[64],\"wide\":[6],"
        "\"far\":0}");
    // Of two labels with the same value it is the first.
    check_text(&zoo, zoo.labels[0], &first,
               "{\"color\":\"red\",\"small\":1,\"bits\":[\"cd\"],\"tiny\":[],\"wide\":[],"
               "\"far\":1}");
    check_text(&zoo, zoo.labels[1], &escaped,
               "{\"color\":\"\xC3\xA9t\xC3\xA9 \\\"x\\\"\\n\",\"small\":\"none\",\"bits\":[],"
               "\"tiny\":[],\"wide\":[],\"far\":\"most\"}");
    zoo_close(&zoo);
}

// Reads a text over a value and checks what came of it.
static void check_reads(const struct zoo *zoo, cosm_component component, const char *text,
                        void *io_value, const void *expected) {
    size_t size = cosm_component_describe(zoo->engine, component).size;
    cosm_error_clear();
    CHECK_DONE(cosm_json_read_value(zoo->engine, component, text, strlen(text), io_value));
    CHECK_MEM(io_value, expected, size);
}

TEST(a_label_of_the_sign_bit_is_written_and_read) {
    static const cosm_label items[] = {{"low", 1}, {"sign", -128}};
    static const cosm_labels labels = {"Bits", COSM_LABELS_MASK, 2, items};
    static const cosm_field field = {.name = "bits", .type = COSM_FIELD_I8, .labels = &labels};
    cosm_engine *engine = cosm_engine_create(NULL);
    cosm_component bits = cosm_component_define(
        engine,
        &(cosm_component_desc){.name = "Bits", .size = 1, .fields = &field, .field_count = 1});
    int8_t value = -127;
    struct kept_text text = {0};
    CHECK_DONE(cosm_json_write_value(engine, bits, &value, (cosm_json_style){0}, keep_text, &text));
    CHECK_STR(text.bytes, "{\"bits\":[\"low\",\"sign\"]}");
    value = 0;
    CHECK_DONE(cosm_json_read_value(engine, bits, text.bytes, text.length, &value));
    CHECK_INT(value, -127);
    kept_text_free(&text);
    CHECK_DONE(cosm_engine_destroy(engine));
}

TEST(labels_may_be_read_as_numbers_and_masks_as_sums) {
    // Static, so that what lies between the fields is zero on both sides.
    static const Labels first = {2, 7, 0x8000000F, -1, 5, -3};
    static const Labels second = {0, 255, 0, (int8_t)0xC0, UINT64_MAX, -3};
    static Labels value;
    struct zoo zoo;
    zoo_open(&zoo);
    check_reads(&zoo, zoo.labels[0],
                "{\"color\":2,\"small\":7,\"bits\":[\"high\",\"ab\",12,\"cd\"],\"tiny\":-1,"
                "\"wide\":5,\"far\":-3}",
                &value, &first);
    check_reads(&zoo, zoo.labels[0],
                "{\"color\":\"rouge\",\"small\":\"all\",\"bits\":[],\"tiny\":[\"sign\",64],"
                "\"wide\":[18446744073709551615]}",
                &value, &second);
    zoo_close(&zoo);
}

TEST(text_is_a_string_where_that_tells_all_of_it) {
    struct zoo zoo;
    zoo_open(&zoo);
    check_text(&zoo, zoo.name[0], &(Name){"plain"}, "{\"text\":\"plain\"}");
    check_text(&zoo, zoo.name[0], &(Name){""}, "{\"text\":\"\"}");
    check_text(&zoo, zoo.name[0], &(Name){"\"\\/\b\f\n\r\t\x01\x1F\x7F"},
               "{\"text\":\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\\u001f\x7F\"}");
    check_text(&zoo, zoo.name[0], &(Name){"\xE2\x82\xAC \xF0\x9F\x98\x80"},
               "{\"text\":\"\xE2\x82\xAC \xF0\x9F\x98\x80\"}");
    check_text(&zoo, zoo.name[0], &(Name){"012345678901234567890123"},
               "{\"text\":\"012345678901234567890123\"}");
    zoo_close(&zoo);
}

TEST(text_that_is_not_utf8_or_goes_on_behind_a_zero_is_numbers) {
    struct zoo zoo;
    zoo_open(&zoo);
    static const char *const texts[] = {
        "\xFF",             // no lead byte
        "\xC3",             // cut off
        "\xC0\x80",         // longer than need be
        "\xED\xA0\x80",     // half of a pair
        "\xF4\x90\x80\x80", // beyond the last one
        "a\0b",
    };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        struct kept_text text = {0};
        Name name = {{0}};
        Name back = {"previous"};
        memcpy(name.text, texts[i], i == 5 ? 3 : strlen(texts[i]));
        write_value(&text, zoo.engine, zoo.name[0], &name, false);
        CHECK_CONTAINS(text.bytes, "{\"text\":[");
        CHECK(is_json(text.bytes, text.length));
        check_reads(&zoo, zoo.name[0], text.bytes, &back, &name);
        kept_text_free(&text);
    }
    zoo_close(&zoo);
}

TEST(escapes_are_undone_and_what_is_left_of_the_room_is_zero) {
    struct zoo zoo;
    zoo_open(&zoo);
    Name value = {"something long before"};
    Name expected = {"a\"\\/\b\f\n\r\t\xC3\xA9\xF0\x9F\x98\x80"};
    check_reads(&zoo, zoo.name[0],
                "{\"text\":\"\\u0061\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud83d\\uDE00\"}", &value,
                &expected);
    Name zero = {"x\0y"};
    check_reads(&zoo, zoo.name[0], "{\"text\":\"x\\u0000y\"}", &value, &zero);
    zoo_close(&zoo);
}

TEST(a_component_without_fields_is_hex_digits) {
    struct zoo zoo;
    zoo_open(&zoo);
    Raw raw = {{0, 1, 0x7F, 0x80, 0xFF, 10, 11, 12, 13, 14, 15, 16, 17}};
    Raw back = {{9}};
    check_text(&zoo, zoo.raw, &raw, "\"00017f80ff0a0b0c0d0e0f1011\"");
    check_reads(&zoo, zoo.raw, " \"00017F80FF0A0B0C0D0E0F1011\" ", &back, &raw);
    check_text(&zoo, zoo.tag, NULL, "{}");
    CHECK_DONE(cosm_json_read_value(zoo.engine, zoo.tag, " { } ", 5, NULL));
    zoo_close(&zoo);
}

TEST(members_that_are_missing_keep_what_they_had) {
    struct zoo zoo;
    zoo_open(&zoo);
    Vector value = {1, 2, 3};
    check_reads(&zoo, zoo.vector[0], "{}", &value, &(Vector){1, 2, 3});
    check_reads(&zoo, zoo.vector[0], "{\"y\":5}", &value, &(Vector){1, 5, 3});
    static Nested nested = {{{1, 2, 3}, 4}, {{5, "a", {{6}}}}, 7};
    Nested expected;
    memcpy(&expected, &nested, sizeof(nested));
    expected.pose.position.y = 9;
    expected.last = 8;
    check_reads(&zoo, zoo.nested[0], "{\"last\":8,\"pose\":{\"position\":{\"y\":9}}}", &nested,
                &expected);
    zoo_close(&zoo);
}

TEST(members_come_in_any_order_and_with_any_space) {
    struct zoo zoo;
    zoo_open(&zoo);
    Vector value = {0, 0, 0};
    check_reads(&zoo, zoo.vector[0], "{\"z\":3,\"x\":1,\"y\":2}", &value, &(Vector){1, 2, 3});
    check_reads(&zoo, zoo.vector[0], "\r\n\t{ \"y\"\t:\n 5 ,\n\n\"x\" :4\n,\"\\u007a\":\t6 }\n",
                &value, &(Vector){4, 5, 6});
    zoo_close(&zoo);
}

TEST(numbers_may_be_written_in_any_way_that_is_exact) {
    static const Scalars expected = {
        .i8 = -100, .u16 = 1000, .u64 = 12, .f32 = 0.5f, .f64 = 1e3, .yes = true};
    static Scalars value;
    struct zoo zoo;
    zoo_open(&zoo);
    check_reads(&zoo, zoo.scalars[0],
                "{\"i8\":-1e2,\"u16\":1000.0,\"u64\":1.2e1,\"f32\":5e-1,\"f64\":1000,\"yes\":1}",
                &value, &expected);
    zoo_close(&zoo);
}

TEST(a_value_that_cannot_be_read_is_left_as_it_was) {
    struct zoo zoo;
    static const char text[] = "{\"x\":7,\"y\":8,\"z\":true}";
    zoo_open(&zoo);
    Vector value = {1, 2, 3};
    CHECK_FAILS(cosm_json_read_value(zoo.engine, zoo.vector[0], text, strlen(text), &value),
                COSM_ERROR_FORMAT, "cosm_json_read_value",
                "line 1, column 18: Vector.z: found true", "write a number");
    CHECK_MEM(&value, &((Vector){1, 2, 3}), sizeof(value));
    zoo_close(&zoo);
}

TEST(paths_too_deep_for_a_reader_are_written_as_they_are) {
    struct kept_text text = {0};
    cosm_engine *engine = cosm_engine_create(NULL);
    char path[2 * 60 + 1];
    for (int i = 0; i < 60; i++) {
        memcpy(path + 2 * i, "a.", 2);
    }
    path[2 * 60 - 1] = '\0';
    cosm_field fields[] = {{.name = path, .type = COSM_FIELD_F32},
                           {.name = "b[0]", .type = COSM_FIELD_F32, .offset = 4}};
    cosm_component deep = cosm_component_define(
        engine,
        &(cosm_component_desc){.name = "Deep", .size = 8, .fields = fields, .field_count = 2});
    REQUIRE(deep.id != 0);
    float value[2] = {1.5f, 2};
    check_round_trip(engine, deep, value, false, &text);
    CHECK_CONTAINS(text.bytes, "a.a.a\":1.5,\"b[0]\":2}");
    kept_text_free(&text);
    CHECK_DONE(cosm_engine_destroy(engine));
}

TEST(a_struct_of_a_thousand_fields_reads_back_in_reverse_order) {
    enum { COUNT = 1024 };
    static char names[COUNT][8];
    static cosm_field fields[COUNT];
    static uint32_t value[COUNT];
    static uint32_t back[COUNT];
    struct kept_text text = {0};
    cosm_engine *engine = cosm_engine_create(NULL);
    for (uint32_t i = 0; i < COUNT; i++) {
        (void)snprintf(names[i], sizeof(names[i]), "m%u", i);
        fields[i] = (cosm_field){.name = names[i], .type = COSM_FIELD_U32, .offset = 4 * i};
        value[i] = 7 * i;
    }
    cosm_component wide = cosm_component_define(
        engine, &(cosm_component_desc){
                    .name = "Wide", .size = sizeof(value), .fields = fields, .field_count = COUNT});
    REQUIRE(wide.id != 0);
    check_round_trip(engine, wide, value, true, &text);
    kept_text_clear(&text);
    for (uint32_t i = COUNT; i > 0; i--) {
        char member[32];
        (void)snprintf(member, sizeof(member), "%s\"m%u\":%u", i == COUNT ? "{" : ",", i - 1,
                       value[i - 1]);
        keep_text(&text, member, strlen(member));
    }
    keep_text(&text, "}", 1);
    CHECK_DONE(cosm_json_read_value(engine, wide, text.bytes, text.length, back));
    CHECK_MEM(back, value, sizeof(value));
    kept_text_free(&text);
    CHECK_DONE(cosm_engine_destroy(engine));
}

static void count_bytes(void *context, const char *text, size_t length) {
    (void)text;
    *(size_t *)context += length;
}

TEST(wrong_arguments_are_refused) {
    struct zoo zoo;
    Vector value = {0, 0, 0};
    cosm_json_style style = {false};
    size_t written = 0;
    zoo_open(&zoo);
    cosm_component bundle = cosm_bundle_define(
        zoo.engine, &(cosm_bundle_desc){.name = "Both", .components = {zoo.tag, zoo.raw}});
    CHECK_FAILS(cosm_json_write_value(NULL, zoo.tag, NULL, style, count_bytes, &written),
                COSM_ERROR_ARGUMENT, "cosm_json_write_value", "engine is NULL", "pass one");
    CHECK_FAILS(cosm_json_write_value(zoo.engine, (cosm_component){99}, &value, style, count_bytes,
                                      &written),
                COSM_ERROR_ARGUMENT, "cosm_json_write_value", "component 99", "pass one");
    CHECK_FAILS(cosm_json_write_value(zoo.engine, bundle, &value, style, count_bytes, &written),
                COSM_ERROR_ARGUMENT, "cosm_json_write_value", "'Both' is a bundle", "members");
    CHECK_FAILS(
        cosm_json_write_value(zoo.engine, zoo.vector[0], NULL, style, count_bytes, &written),
        COSM_ERROR_ARGUMENT, "cosm_json_write_value", "value is NULL", "pass");
    CHECK_FAILS(cosm_json_write_value(zoo.engine, zoo.vector[0], &value, style, NULL, NULL),
                COSM_ERROR_ARGUMENT, "cosm_json_write_value", "write is NULL", "pass");
    CHECK_FAILS(cosm_json_read_value(NULL, zoo.vector[0], "{}", 2, &value), COSM_ERROR_ARGUMENT,
                "cosm_json_read_value", "engine is NULL", "pass one");
    CHECK_FAILS(cosm_json_read_value(zoo.engine, bundle, "{}", 2, &value), COSM_ERROR_ARGUMENT,
                "cosm_json_read_value", "'Both' is a bundle", "members");
    CHECK_FAILS(cosm_json_read_value(zoo.engine, zoo.vector[0], NULL, 2, &value),
                COSM_ERROR_ARGUMENT, "cosm_json_read_value", "text is NULL", "pass");
    CHECK_FAILS(cosm_json_read_value(zoo.engine, zoo.vector[0], "{}", 2, NULL), COSM_ERROR_ARGUMENT,
                "cosm_json_read_value", "io_value is NULL", "pass");
    CHECK_INT(written, 0u);
    zoo_close(&zoo);
}
