// JSON texts, token by token (src/scan.h): what is accepted, what is refused, where and with which
// words; and, where it is there, the same verdict as Jansson's on texts that are nearly right.
//
// Every text lies in a block of exactly its size, so that a sanitizer sees bytes read past the end.
#include "scan.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

#ifdef COSM_TEST_JANSSON
#include <jansson.h>
#endif

#define CALL "cosm_json_read_value"

// A text in a block of exactly its size, and the scan of it.
struct sheet {
    char *text;
    size_t length;
    struct scan scan;
};

static struct sheet sheet_of(const char *text, size_t length) {
    struct sheet sheet = {.text = malloc(length == 0 ? 1 : length), .length = length};
    if (sheet.text == NULL) {
        abort();
    }
    memcpy(sheet.text, text, length);
    cosm_error_clear();
    // An empty text is at the end of its block too.
    cosmi_text_scan_begin(&sheet.scan, NULL, CALL, sheet.text + (length == 0), length);
    return sheet;
}

static struct sheet sheet_of_text(const char *text) {
    return sheet_of(text, strlen(text));
}

// One value, and nothing behind it.
static bool is_accepted(const char *text, size_t length) {
    struct sheet sheet = sheet_of(text, length);
    bool is_skipped = cosmi_text_scan_skip(&sheet.scan);
    bool is_good = cosmi_text_scan_end(&sheet.scan);
    CHECK(is_skipped || !is_good);
    CHECK(is_good == (sheet.scan.result == COSM_OK));
    CHECK(is_good == (cosm_error_result() == COSM_OK));
    CHECK(is_good || cosm_error_result() == COSM_ERROR_FORMAT);
    CHECK(!is_good || sheet.scan.depth == 0);
    free(sheet.text);
    return is_good;
}

// The message must say this place and these words.
static void check_message(size_t line, size_t column, const char *part) {
    char start[128];
    (void)snprintf(start, sizeof(start), CALL ": line %zu, column %zu: ", line, column);
    CHECK_CONTAINS(cosm_error_message(), start);
    CHECK_CONTAINS(cosm_error_message(), part);
    CHECK_INT(cosm_error_result(), COSM_ERROR_FORMAT);
}

TEST(texts_of_json_are_accepted) {
    static const char *const texts[] = {
        "0",
        "-0.5e-3",
        "true",
        "false",
        "null",
        "\"\"",
        "\"a\"",
        "[]",
        "{}",
        " \t\r\n[ \t\r\n] \t\r\n",
        " { } ",
        "[1]",
        "[1,2]",
        "[ 1 , 2 ]",
        "[[],[[]],{}]",
        "{\"a\":1}",
        "{ \"a\" : 1 , \"b\" : [ true , null ] }",
        "{\"a\":{\"b\":{\"c\":[{\"d\":\"e\"}]}}}",
        "{\"\":0}",
        "{\"a\":1,\"a\":2}",
        "\"exactly8\"",
        "\"sixteen ascii ch\"",
        "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"",
        "\"\\u0000\\u00e9\\u20AC\\ud83d\\ude00\\uD83D\\uDE00\\uFFFF\"",
        "\"\x7F\"",
        "\"\xC2\x80\xDF\xBF\"",
        "\"\xE0\xA0\x80\xED\x9F\xBF\xEE\x80\x80\xEF\xBF\xBF\"",
        "\"\xF0\x90\x80\x80\xF4\x8F\xBF\xBF\"",
        "\"mixed \xD0\xB6 and \\n and \xF0\x9F\x98\x80, then plain again\"",
        "1e999",
    };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        if (!is_accepted(texts[i], strlen(texts[i]))) {
            printf("refused: %s: %s\n", texts[i], cosm_error_message());
            CHECK(false);
        }
    }
}

// What is wrong with a text, where, and which words say so.
static const struct {
    const char *text;
    size_t line;
    size_t column;
    const char *part;
} refused[] = {
    {"", 1, 1, "expected a value, found the end of the text; "},
    {" \n ", 2, 2, "expected a value, found the end of the text; "},
    {"x", 1, 1, "expected a value, found 'x'; "},
    {"}", 1, 1, "expected a value, found '}'; "},
    {"\xEF\xBB\xBF[]", 1, 1, "found a byte order mark; "},
    {"\x01", 1, 1, "found a byte 0x01; "},
    {"NaN", 1, 1, "found 'NaN'; "},
    {"+1", 1, 1, "found '+1'; "},
    {".5", 1, 1, "found '.5'; "},
    {"'a'", 1, 1, "found '''; "},
    {"/* no */ 1", 1, 1, "found '/'; "},
    {"1 2", 1, 3, "expected the end of the text, found a number 2; remove what follows"},
    {"[] // no", 1, 4, "expected the end of the text, found '/'"},
    {"nul", 1, 1, "expected null, found 'nul'; "},
    {"nulL", 1, 1, "expected null, found 'nulL'; "},
    {"True", 1, 1, "expected a value, found 'True'; "},
    {"tru", 1, 1, "expected true or false, found 'tru'; write one of the two"},
    {"falsx", 1, 1, "expected true or false, found 'falsx'"},
    {"truex", 1, 5, "expected the end of the text, found 'x'"},
    {"-", 1, 1, "a number - has no digits after its sign; write one such as -1.5"},
    {"-x", 1, 1, "a number -x has no digits after its sign; "},
    {"01", 1, 1, "a number 01 begins with a zero; remove it"},
    {"-012", 1, 1, "a number -012 begins with a zero; remove it"},
    {"[1.]", 1, 2, "a number 1. has no digit after its point; write one such as 1.0"},
    {"[1.5e]", 1, 2, "a number 1.5e has no digit after its exponent; write one such as 1e5"},
    {"1e+", 1, 1, "a number 1e+ has no digit after its exponent"},
    {"-0.", 1, 1, "a number -0. has no digit after its point"},
    {"1.5.5", 1, 4, "expected the end of the text, found '.5'"},
    {"[", 1, 2, "expected an element, found the end of the text; end the array with ']'"},
    {"[1", 1, 3, "expected ',' or ']' after an element, found the end of the text; "},
    {"[1,", 1, 4, "expected an element, found the end of the text"},
    {"[1,]", 1, 4, "expected an element after ',', found ']'; remove the comma before"},
    {"[,1]", 1, 2, "expected a value, found ','"},
    {"[1,,2]", 1, 4, "expected a value, found ','"},
    {"[1 2]", 1, 4, "expected ',' or ']' after an element, found a number 2; "},
    {"[1}", 1, 3, "expected ',' or ']' after an element, found '}'; "},
    {"{", 1, 2, "expected the name of a member, found the end of the text; "},
    {"{]", 1, 2, "expected the name of a member, found ']'; "},
    {"{,}", 1, 2, "expected the name of a member, found ','; "},
    {"{a:1}", 1, 2, "expected the name of a member, found 'a'; write it in double quotes"},
    {"{1:1}", 1, 2, "expected the name of a member, found a number 1; write it in double"},
    {"{\"a\"", 1, 5, "expected ':' after the name of a member, found the end of the text"},
    {"{\"a\" 1}", 1, 6, "expected ':' after the name of a member, found a number 1; "},
    {"{\"a\":", 1, 6, "expected a value, found the end of the text"},
    {"{\"a\":}", 1, 6, "expected a value, found '}'"},
    {"{\"a\":1", 1, 7, "expected ',' or '}' after a member, found the end of the text; "},
    {"{\"a\":1,", 1, 8, "expected the name of a member, found the end of the text"},
    {"{\"a\":1,}", 1, 8,
     "expected the name of a member, found '}'; write it in double quotes, or remove the "
     "preceding comma"},
    {"{\"a\":1 \"b\":2}", 1, 8, "after a member, found a string \"b\"; commas separate"},
    {"{\"a\":1,\n \"b\":2,\n\t\"c\" 3}", 3, 6, "expected ':'"},
    {"{\r\n\"a\":?}", 2, 5, "found '?'"},
    {"\"abc", 1, 5, "in a string \"abc\": it is not closed; close it with a double quote"},
    {"\"", 1, 2, "it is not closed"},
    {"\"1234567", 1, 9, "it is not closed"},
    {"\"12345678", 1, 10, "it is not closed"},
    {"\"\\", 1, 2, "an unknown escape"},
    {"\"\\\"", 1, 4, "it is not closed"},
    {"\"ab\\x\"", 1, 4, "in a string \"ab\\x\": an unknown escape; "},
    {"\"\\U0041\"", 1, 2, "an unknown escape"},
    {"\"\\u004\"", 1, 2, "\\u without four hex digits; write all four"},
    {"\"\\u00g0\"", 1, 2, "\\u without four hex digits"},
    {"\"\\u00", 1, 2, "\\u without four hex digits"},
    {"\"\\ud83d\"", 1, 2, "half of a surrogate pair; write both"},
    {"\"\\ud83d", 1, 2, "half of a surrogate pair"},
    {"\"\\ud83d\\", 1, 2, "half of a surrogate pair"},
    {"\"\\ud83d\\n\"", 1, 2, "half of a surrogate pair"},
    {"\"\\ud83d\\u0041\"", 1, 2, "half of a surrogate pair"},
    {"\"\\ude00\"", 1, 2, "half of a surrogate pair"},
    {"\"\\ud83d\\ude0", 1, 2, "half of a surrogate pair"},
    {"\"a\tb\"", 1, 3, "in a string \"a?b\": a control character; write it as an escape"},
    {"\"12345678901\x1F\"", 1, 13, "a control character"},
    {"\"a\nb\"", 1, 3, "in a string \"a\": a control character"},
    {"\"\x80\"", 1, 2, "a byte that is not UTF-8; save the text as UTF-8"},
    {"\"\xC0\x80\"", 1, 2, "a byte that is not UTF-8"},
    {"\"\xC1\xBF\"", 1, 2, "a byte that is not UTF-8"},
    {"\"\xC2\"", 1, 2, "a byte that is not UTF-8"},
    {"\"\xC2", 1, 2, "a byte that is not UTF-8"},
    {"\"\xE0\x9F\xBF\"", 1, 2, "a byte that is not UTF-8"},
    {"\"\xED\xA0\x80\"", 1, 2, "a byte that is not UTF-8"},
    {"\"\xE2\x82\"", 1, 2, "a byte that is not UTF-8"},
    {"\"\xE2\x82", 1, 2, "a byte that is not UTF-8"},
    {"\"\xF0\x8F\xBF\xBF\"", 1, 2, "a byte that is not UTF-8"},
    {"\"\xF4\x90\x80\x80\"", 1, 2, "a byte that is not UTF-8"},
    {"\"\xF5\x80\x80\x80\"", 1, 2, "a byte that is not UTF-8"},
    {"\"\xF0\x9F\x98\"", 1, 2, "a byte that is not UTF-8"},
    {"\"\xF0\x9F\x98", 1, 2, "a byte that is not UTF-8"},
    {"\"12345678\xFF\"", 1, 10, "a byte that is not UTF-8"},
    {"{\"\xFF\":1}", 1, 3, "a byte that is not UTF-8"},
    {"\v1", 1, 1, "found a byte 0x0B"},
    {"1\f", 1, 2, "found a byte 0x0C"},
    {"\xC2\xA0", 1, 1, "found a byte 0xC2"},
};

TEST(what_is_not_json_is_refused_at_its_line_and_column) {
    for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
        if (is_accepted(refused[i].text, strlen(refused[i].text))) {
            printf("accepted: %s\n", refused[i].text);
            CHECK(false);
        } else {
            check_message(refused[i].line, refused[i].column, refused[i].part);
        }
    }
    CHECK(!is_accepted("1\0", 2));
    check_message(1, 2, "found a byte 0x00");
    CHECK(!is_accepted("\"a\0b\"", 5));
    check_message(1, 3, "a control character");
    CHECK(!is_accepted("\"a\\\0b\"", 6));
    check_message(1, 3, "an unknown escape");
}

TEST(a_value_of_another_kind_is_refused_with_what_was_found) {
    enum { STRING, NUMBER, BOOL, NOTHING, OBJECT, ARRAY };
    static const struct {
        int kind;
        const char *text;
        const char *message;
    } rows[] = {
        {NUMBER, "\"1.5\"", "expected a number, found a string \"1.5\"; write it without quotes"},
        {NUMBER, "true", "expected a number, found 'true'; write one such as 1.5"},
        {NUMBER, "null", "expected a number, found 'null'; write one such as 1.5"},
        {NUMBER, "[1]", "expected a number, found an array; write one such as 1.5"},
        {NUMBER, "{}", "expected a number, found an object; write one such as 1.5"},
        {NUMBER, "", "expected a number, found the end of the text; write one such as 1.5"},
        {NUMBER, "Infinity", "expected a number, found 'Infinity'; write one such as 1.5"},
        {STRING, "12.5", "expected a string, found a number 12.5; write it in double quotes"},
        {STRING, "abc", "expected a string, found 'abc'; write it in double quotes"},
        {STRING, "", "expected a string, found the end of the text; write it in double quotes"},
        {BOOL, "1",
         "expected true or false, found a number 1; write one of the two, without quotes"},
        {BOOL, "\"true\"",
         "expected true or false, found a string \"true\"; write one of the two, without quotes"},
        {NOTHING, "0", "expected null, found a number 0; write null, without quotes"},
        {NOTHING, "", "expected null, found the end of the text; write null, without quotes"},
        {OBJECT, "[]", "expected an object, found an array; begin it with '{'"},
        {OBJECT, "\"a\\\"b\"", "expected an object, found a string \"a\\\"b\"; begin it with '{'"},
        {ARRAY, "{}", "expected an array, found an object; begin it with '['"},
        {ARRAY, "-1e5,", "expected an array, found a number -1e5; begin it with '['"},
        {NUMBER, "\"\x01\xD0\xB6\\n~\"",
         "expected a number, found a string \"???\\n~\"; write it without quotes"},
        {NUMBER, "\"123456789012345678901234\"",
         "expected a number, found a string \"123456789012345678901234\"; write it without quotes"},
        {NUMBER, "\"1234567890123456789012345\"",
         "expected a number, found a string \"123456789012345678901234...\"; write it without "
         "quotes"},
        {NUMBER, "\"no end",
         "expected a number, found a string \"no end\"; write it without quotes"},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char text[64];
        char expected[256];
        (void)snprintf(text, sizeof(text), "\n\t %s", rows[i].text);
        (void)snprintf(expected, sizeof(expected), CALL ": line 2, column 3: %s", rows[i].message);
        struct sheet sheet = sheet_of_text(text);
        struct scan_string string;
        struct number number;
        bool value;
        bool is_taken = rows[i].kind == STRING   ? cosmi_text_scan_take_string(&sheet.scan, &string)
                        : rows[i].kind == NUMBER ? cosmi_text_scan_take_number(&sheet.scan, &number)
                        : rows[i].kind == BOOL   ? cosmi_text_scan_take_bool(&sheet.scan, &value)
                        : rows[i].kind == OBJECT ? cosmi_text_scan_object(&sheet.scan)
                        : rows[i].kind == ARRAY  ? cosmi_text_scan_array(&sheet.scan)
                                                 : cosmi_text_scan_take_null(&sheet.scan);
        CHECK(!is_taken);
        CHECK_STR(cosm_error_message(), expected);
        free(sheet.text);
    }
}

TEST(values_are_told_by_their_first_character) {
    static const struct {
        const char *text;
        enum scan_kind kind;
    } rows[] = {
        {"{", SCAN_OBJECT}, {" [", SCAN_ARRAY}, {"\n\"", SCAN_STRING}, {"0", SCAN_NUMBER},
        {"9", SCAN_NUMBER}, {"-", SCAN_NUMBER}, {"t", SCAN_TRUE},      {"f", SCAN_FALSE},
        {"n", SCAN_NULL},   {"+1", SCAN_OTHER}, {"", SCAN_END},        {"  ", SCAN_END},
        {"]", SCAN_OTHER},  {"/", SCAN_OTHER},  {":", SCAN_OTHER},     {"\xFF", SCAN_OTHER},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct sheet sheet = sheet_of_text(rows[i].text);
        CHECK_INT(cosmi_text_scan_peek(&sheet.scan), rows[i].kind);
        CHECK_INT(cosmi_text_scan_peek(&sheet.scan), rows[i].kind);
        CHECK_INT(sheet.scan.result, COSM_OK);
        free(sheet.text);
    }
}

TEST(members_and_elements_are_walked_in_their_order) {
    struct sheet sheet =
        sheet_of_text("{ \"x\": 1.5, \"list\":[1, 2 ,3],\"yes\" :true,\n"
                      "\"no\":false,\"none\":null,\"text\":\"t\", \"rest\":{\"a\":[]}}");
    struct scan *scan = &sheet.scan;
    struct scan_string key;
    struct scan_string string;
    struct number number;
    float x = 0.0f;
    bool value = false;
    bool first = true;
    REQUIRE(cosmi_text_scan_object(scan));
    REQUIRE(cosmi_text_scan_member(scan, &first, &key) && cosmi_text_scan_equals(key, "x"));
    REQUIRE(!first && cosmi_text_scan_take_number(scan, &number));
    CHECK(cosmi_text_number_f32(&number, &x) && x == 1.5f);
    REQUIRE(cosmi_text_scan_member(scan, &first, &key) && cosmi_text_scan_equals(key, "list"));
    REQUIRE(cosmi_text_scan_array(scan));
    CHECK_INT(scan->depth, 2);
    bool first_element = true;
    uint64_t sum = 0;
    while (cosmi_text_scan_element(scan, &first_element)) {
        uint64_t element = 0;
        REQUIRE(cosmi_text_scan_take_number(scan, &number));
        CHECK(number.is_integer && cosmi_text_number_u64(&number, &element));
        sum = sum * 10u + element;
    }
    CHECK_INT(sum, 123);
    REQUIRE(cosmi_text_scan_member(scan, &first, &key) && cosmi_text_scan_equals(key, "yes"));
    REQUIRE(cosmi_text_scan_take_bool(scan, &value) && value);
    REQUIRE(cosmi_text_scan_member(scan, &first, &key) && cosmi_text_scan_equals(key, "no"));
    REQUIRE(cosmi_text_scan_take_bool(scan, &value) && !value);
    REQUIRE(cosmi_text_scan_member(scan, &first, &key) && cosmi_text_scan_equals(key, "none"));
    REQUIRE(cosmi_text_scan_take_null(scan));
    REQUIRE(cosmi_text_scan_member(scan, &first, &key) && cosmi_text_scan_equals(key, "text"));
    REQUIRE(cosmi_text_scan_take_string(scan, &string));
    CHECK(string.is_plain && string.length == 1 && string.text[0] == 't');
    REQUIRE(cosmi_text_scan_member(scan, &first, &key) && cosmi_text_scan_equals(key, "rest"));
    REQUIRE(cosmi_text_scan_skip(scan));
    CHECK(!cosmi_text_scan_member(scan, &first, &key));
    CHECK(cosmi_text_scan_end(scan));
    CHECK_INT(scan->depth, 0);
    CHECK_INT(cosm_error_result(), COSM_OK);
    free(sheet.text);
}

TEST(the_first_failure_sticks_and_every_call_says_no) {
    struct sheet sheet = sheet_of_text("{\"a\":[1,x]}");
    struct scan *scan = &sheet.scan;
    struct scan_string string;
    struct number number;
    size_t length;
    bool value;
    bool first = true;
    char message[640];
    REQUIRE(cosmi_text_scan_object(scan) && cosmi_text_scan_member(scan, &first, &string));
    CHECK(!cosmi_text_scan_skip(scan));
    check_message(1, 9, "expected a value, found 'x'");
    (void)snprintf(message, sizeof(message), "%s", cosm_error_message());
    CHECK_INT(cosmi_text_scan_peek(scan), SCAN_END);
    CHECK(!cosmi_text_scan_member(scan, &first, &string));
    CHECK(!cosmi_text_scan_element(scan, &first));
    first = true;
    CHECK(!cosmi_text_scan_member(scan, &first, &string));
    CHECK(!cosmi_text_scan_element(scan, &first));
    CHECK(!cosmi_text_scan_object(scan));
    CHECK(!cosmi_text_scan_array(scan));
    CHECK(!cosmi_text_scan_take_string(scan, &string));
    CHECK(!cosmi_text_scan_take_number(scan, &number));
    CHECK(!cosmi_text_scan_take_bool(scan, &value));
    CHECK(!cosmi_text_scan_take_null(scan));
    CHECK(!cosmi_text_scan_skip(scan));
    CHECK(!cosmi_text_scan_unescape(scan, (struct scan_string){"a", 1, true}, 0, NULL, &length));
    CHECK(!cosmi_text_scan_fail(scan, NULL, "another"));
    CHECK(!cosmi_text_scan_end(scan));
    CHECK_STR(cosm_error_message(), message);
    CHECK_INT(scan->result, COSM_ERROR_FORMAT);
    free(sheet.text);
}

TEST(a_caller_reports_at_a_place_of_its_choice) {
    struct sheet sheet = sheet_of_text("{\n  \"mass\": -1}");
    struct scan_string key;
    bool first = true;
    REQUIRE(cosmi_text_scan_object(&sheet.scan));
    REQUIRE(cosmi_text_scan_member(&sheet.scan, &first, &key));
    CHECK(!cosmi_text_scan_fail(&sheet.scan, key.text, "mass is %d; at least %d is needed", -1, 0));
    CHECK_STR(cosm_error_message(), CALL ": line 2, column 4: mass is -1; at least 0 is needed");
    free(sheet.text);
}

TEST(a_text_that_is_null_is_empty) {
    struct scan scan;
    cosm_error_clear();
    cosmi_text_scan_begin(&scan, NULL, CALL, NULL, 0);
    CHECK(!cosmi_text_scan_skip(&scan));
    check_message(1, 1, "found the end of the text");
}

// `depth` brackets of one kind, and as many that close them.
static bool is_nested_accepted(uint32_t depth, const char *open, const char *close) {
    size_t open_length = strlen(open);
    char *text = malloc((open_length + strlen(close)) * depth + 2);
    if (text == NULL) {
        abort();
    }
    size_t length = 0;
    for (uint32_t i = 0; i < depth; i++) {
        memcpy(text + length, open, open_length);
        length += open_length;
    }
    text[length++] = '0';
    for (uint32_t i = 0; i < depth; i++) {
        text[length++] = close[0];
    }
    bool is_good = is_accepted(text, length);
    free(text);
    return is_good;
}

TEST(sixty_four_levels_are_accepted_and_one_more_is_not) {
    CHECK(is_nested_accepted(SCAN_DEPTH_MAX, "[", "]"));
    CHECK(!is_nested_accepted(SCAN_DEPTH_MAX + 1, "[", "]"));
    check_message(1, SCAN_DEPTH_MAX + 1, "more than 64 nested objects and arrays; nest");
    CHECK(is_nested_accepted(SCAN_DEPTH_MAX, "{\"a\":", "}"));
    CHECK(!is_nested_accepted(SCAN_DEPTH_MAX + 1, "{\"a\":", "}"));
    CHECK(!is_nested_accepted(100000, "[", "]"));
    // Levels that were closed do not count.
    char row[3 * SCAN_DEPTH_MAX + 2] = "[";
    for (uint32_t i = 0; i < SCAN_DEPTH_MAX; i++) {
        strcat(row, i == 0 ? "[]" : ",{}");
    }
    strcat(row, "]");
    CHECK(is_accepted(row, strlen(row)));
}

// Unescapes a string of the text into a block of exactly `max` bytes.
static void check_unescaped(const char *text, const char *expected, size_t expected_length) {
    struct sheet sheet = sheet_of_text(text);
    struct scan_string string;
    REQUIRE(cosmi_text_scan_take_string(&sheet.scan, &string));
    CHECK(string.is_plain == (memchr(string.text, '\\', string.length) == NULL));
    for (size_t max = 0; max <= expected_length + 1; max++) {
        char *out = max == 0 ? NULL : malloc(max);
        size_t length = 77;
        REQUIRE(max == 0 || out != NULL);
        CHECK(cosmi_text_scan_unescape(&sheet.scan, string, max, out, &length));
        CHECK_INT(length, expected_length);
        if (max > 0) {
            CHECK_MEM(out, expected, max < expected_length ? max : expected_length);
        }
        free(out);
    }
    free(sheet.text);
}

TEST(escapes_are_undone) {
    check_unescaped("\"\"", "", 0);
    check_unescaped("\"plain\"", "plain", 5);
    check_unescaped("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\b\f\n\r\t", 8);
    check_unescaped("\"a\\nb\\n\"", "a\nb\n", 4);
    check_unescaped("\"\\u0000\"", "\0", 1);
    check_unescaped("\"a\\u0000b\"", "a\0b", 3);
    check_unescaped("\"\\u007F\\u0080\"", "\x7F\xC2\x80", 3);
    check_unescaped("\"\\u07ff\\u0800\"", "\xDF\xBF\xE0\xA0\x80", 5);
    check_unescaped("\"\\uD7FF\\uE000\\uFfFf\"", "\xED\x9F\xBF\xEE\x80\x80\xEF\xBF\xBF", 9);
    check_unescaped("\"\\ud800\\udc00\\uDBFF\\uDFFF\"", "\xF0\x90\x80\x80\xF4\x8F\xBF\xBF", 8);
    check_unescaped("\"\xD0\xB6\\u0436\xF0\x9F\x98\x80\"", "\xD0\xB6\xD0\xB6\xF0\x9F\x98\x80", 8);
}

TEST(strings_equal_names_also_through_escapes) {
    static const struct {
        const char *text;
        const char *name;
        bool is_equal;
    } rows[] = {
        {"\"x\"", "x", true},
        {"\"x\"", "y", false},
        {"\"x\"", "xy", false},
        {"\"xy\"", "x", false},
        {"\"\"", "", true},
        {"\"\"", "x", false},
        {"\"x\"", "", false},
        {"\"\\u0078\"", "x", true},
        {"\"a\\u0078b\"", "axb", true},
        {"\"a\\u0078b\"", "ax", false},
        {"\"a\\u0078\"", "axb", false},
        {"\"a\\u0078b\"", "ayb", false},
        {"\"\\u00e9\"", "\xC3\xA9", true},
        {"\"\\u0000\"", "", false},
        {"\"a\\u0000\"", "a", false},
        {"\"\\\\u0078\"", "\\u0078", true},
        {"\"\\u0078yzyzyz\"", "xy", false},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct sheet sheet = sheet_of_text(rows[i].text);
        struct scan_string string;
        REQUIRE(cosmi_text_scan_take_string(&sheet.scan, &string));
        if (cosmi_text_scan_equals(string, rows[i].name) != rows[i].is_equal) {
            printf("looked at: %s and %s\n", rows[i].text, rows[i].name);
            CHECK(false);
        }
        free(sheet.text);
    }
}

// Numbers from a seed: splitmix.
static uint64_t draw(uint64_t *io_state) {
    uint64_t z = *io_state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

TEST(a_quote_is_found_at_every_place_and_behind_every_byte) {
    // Strings of 0 to 40 characters, with one other byte at each place.
    for (size_t length = 0; length <= 40; length++) {
        for (size_t place = 0; place < length; place++) {
            for (unsigned byte = 0; byte < 256; byte++) {
                char text[44];
                memset(text, 'a', sizeof(text));
                text[0] = '"';
                text[1 + place] = (char)byte;
                text[1 + length] = '"';
                bool is_plain = byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\';
                // Behind a quote something follows, behind a backslash an 'a' is wrong and a quote
                // is not the end, and what is not ASCII has nothing of its own behind it.
                if (is_accepted(text, length + 2) != is_plain) {
                    printf("byte %u at %zu of %zu\n", byte, place, length);
                    CHECK(false);
                }
            }
        }
    }
}

TEST(random_bytes_are_read_without_harm) {
    static const char alphabet[] = "{}[]\",:\\u0123456789abcdefED8-+.eE tfn\n\xC3\xA9\xF0\x9F";
    uint64_t state = harness_seed();
    for (uint32_t i = 0; i < 50000; i++) {
        char text[48];
        size_t length = draw(&state) % sizeof(text);
        for (size_t k = 0; k < length; k++) {
            text[k] = alphabet[draw(&state) % (sizeof(alphabet) - 1)];
        }
        (void)is_accepted(text, length);
    }
}

#ifdef COSM_TEST_JANSSON

// Walks a text along with what Jansson made of it (NULL: nothing to compare). Says no also where
// Jansson does and we do not, on purpose: numbers beyond a double, and names with a zero in them.
static bool agrees(struct scan *scan, const json_t *json);

static bool is_same_string(struct scan *scan, struct scan_string string, const json_t *json) {
    char text[512];
    size_t length;
    return cosmi_text_scan_unescape(scan, string, sizeof(text), text, &length) &&
           (json == NULL ||
            (length <= sizeof(text) && json_is_string(json) && json_string_length(json) == length &&
             memcmp(json_string_value(json), text, length) == 0));
}

static bool object_agrees(struct scan *scan, const json_t *json) {
    // Of members with the same name Jansson keeps one: then there is nothing to compare.
    struct scan ahead = *scan;
    struct scan_string key;
    size_t count = 0;
    bool first = true;
    while (json != NULL && cosmi_text_scan_member(&ahead, &first, &key) &&
           cosmi_text_scan_skip(&ahead)) {
        count++;
    }
    const json_t *object = json_object_size(json) == count ? json : NULL;
    first = true;
    while (cosmi_text_scan_member(scan, &first, &key)) {
        char name[512] = {0};
        size_t length;
        if (!cosmi_text_scan_unescape(scan, key, sizeof(name) - 1, name, &length) ||
            memchr(name, 0, length) != NULL) {
            return false;
        }
        const json_t *value = object == NULL ? NULL : json_object_get(object, name);
        if ((object != NULL && value == NULL) || !agrees(scan, value)) {
            return false;
        }
    }
    return scan->result == COSM_OK && (json == NULL || json_is_object(json));
}

static bool array_agrees(struct scan *scan, const json_t *json) {
    size_t count = 0;
    bool first = true;
    while (cosmi_text_scan_element(scan, &first)) {
        if (!agrees(scan, json == NULL ? NULL : json_array_get(json, count))) {
            return false;
        }
        count++;
    }
    return scan->result == COSM_OK &&
           (json == NULL || (json_is_array(json) && json_array_size(json) == count));
}

static bool agrees(struct scan *scan, const json_t *json) {
    struct scan_string string;
    struct number number;
    double value;
    bool is_true;
    switch (cosmi_text_scan_peek(scan)) {
    case SCAN_OBJECT:
        return cosmi_text_scan_object(scan) && object_agrees(scan, json);
    case SCAN_ARRAY:
        return cosmi_text_scan_array(scan) && array_agrees(scan, json);
    case SCAN_STRING:
        return cosmi_text_scan_take_string(scan, &string) && is_same_string(scan, string, json);
    case SCAN_NUMBER:
        return cosmi_text_scan_take_number(scan, &number) &&
               cosmi_text_number_f64(&number, &value) &&
               (json == NULL || (json_is_real(json) && json_real_value(json) == value));
    case SCAN_TRUE:
    case SCAN_FALSE:
        return cosmi_text_scan_take_bool(scan, &is_true) &&
               (json == NULL || (json_is_boolean(json) && json_is_true(json) == is_true));
    case SCAN_NULL:
        return cosmi_text_scan_take_null(scan) && (json == NULL || json_is_null(json));
    default:
        return cosmi_text_scan_skip(scan);
    }
}

// A few changes at random places: another byte, one more, some less, a piece twice. No zero bytes:
// Jansson overlooks one behind a number or a word.
static size_t mutate(uint64_t *io_state, char *text, size_t length, size_t max) {
    static const char alphabet[] =
        "{}[]\"\"\",,::\\\\u0123456789abcdefABCDEFdD8-+.eE truefalsn \n\t\r/\x1F\x7F\x80\xBF\xC0"
        "\xC2\xC3\xE0\xA0\xED\x9F\xEF\xF0\x90\xF4\x8F\xF5\xFF";
    for (uint64_t changes = 1 + draw(io_state) % 3; changes > 0; changes--) {
        size_t place = length == 0 ? 0 : draw(io_state) % length;
        char byte = alphabet[draw(io_state) % (sizeof(alphabet) - 1)];
        size_t piece = 1 + draw(io_state) % 6;
        switch (draw(io_state) % 4) {
        case 0:
            if (length > 0) {
                text[place] = byte;
            }
            break;
        case 1:
            if (length < max) {
                memmove(text + place + 1, text + place, length - place);
                text[place] = byte;
                length++;
            }
            break;
        case 2:
            piece = piece < length - place ? piece : length - place;
            memmove(text + place, text + place + piece, length - place - piece);
            length -= piece;
            break;
        default:
            piece = piece < length - place ? piece : length - place;
            if (length + piece <= max) {
                memmove(text + place + piece, text + place, length - place);
                length += piece;
            }
            break;
        }
    }
    return length;
}

TEST(jansson_gives_the_same_verdict_and_the_same_values) {
    static const char *const seeds[] = {
        "{\"entity\": \"@5:1\", \"Spot\": {\"x\": 1.5, \"y\": 2, \"z\": -0.001}, \"Frozen\": {}}",
        "[0, -1, 1e5, 1.25E-3, 12345678901234567890, 0.1e+10, 1e308]",
        "[true, false, null, [], {}, [[]], {\"a\": {\"b\": []}}]",
        "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud83d\\ude00\\u0000\"",
        "[\"\xD0\xB6\xE2\x82\xAC\xF0\x9F\x98\x80\", \"\xED\x9F\xBF\xF4\x8F\xBF\xBF\xC2\x80\"]",
        "{\"a\":1,\"b\":[1,2,{\"c\":\"d\"}],\"\":null}",
        " \t\r\n1 ",
    };
    uint64_t state = harness_seed();
    uint32_t both = 0;
    uint32_t count = harness_is_long() ? 3000000 : 150000;
    for (uint32_t i = 0; i < count; i++) {
        char text[256];
        const char *seed = seeds[draw(&state) % (sizeof(seeds) / sizeof(seeds[0]))];
        size_t length = strlen(seed);
        memcpy(text, seed, length);
        length = mutate(&state, text, length, sizeof(text));
        json_error_t error;
        json_t *json = json_loadb(
            text, length, JSON_DECODE_ANY | JSON_ALLOW_NUL | JSON_DECODE_INT_AS_REAL, &error);
        struct sheet sheet = sheet_of(text, length);
        bool is_good = agrees(&sheet.scan, json) && cosmi_text_scan_end(&sheet.scan);
        if (is_good != (json != NULL)) {
            printf("%.*s\nhere: %s\njansson: %s\n", (int)length, text, cosm_error_message(),
                   json == NULL ? error.text : "accepted");
            CHECK(false);
        }
        both += is_good;
        json_decref(json);
        free(sheet.text);
    }
    // Else there was nothing to agree about.
    CHECK(both > count / 20 && both < count - count / 20);
}

#endif
