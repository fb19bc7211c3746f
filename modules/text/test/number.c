// Numbers as text and back (src/number.h): held against the C library, in its "C" locale.
//
// Texts end where their block of memory does, so that a sanitizer sees bytes read past the end.
#include <fenv.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "number.h"
#include "number_powers.h"

// Room for the exact digits of any value halfway between two doubles.
#define EXACT_MAX 1200

// Numbers from a seed: splitmix.
static uint64_t draw(uint64_t *io_state) {
    uint64_t z = *io_state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

static double double_of(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

static uint64_t double_bits(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

static float float_of(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

static uint32_t float_bits(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

// A text that ends where its block does. One block for all short ones; freed by the system.
static const char *at_end_of_block(const char *text, size_t length) {
    static char *block;
    enum { SIZE = 64 };
    if (block == NULL) {
        block = malloc(SIZE);
    }
    if (block == NULL || length > SIZE) {
        abort();
    }
    memcpy(block + SIZE - length, text, length);
    return block + SIZE - length;
}

// Reads a whole text, of any length.
static bool scan(const char *text, struct number *out_number) {
    size_t length = strlen(text);
    char *copy = calloc(1, length == 0 ? 1 : length);
    if (copy == NULL) {
        abort();
    }
    memcpy(copy, text, length);
    bool is_number = cosmi_text_scan_number(copy, copy + length, out_number);
    bool is_whole = is_number && out_number->length == length && out_number->digits == copy;
    if (is_whole) {
        out_number->digits = text; // the same bytes, and they stay
    }
    free(copy);
    return is_whole;
}

static double read_f64(const char *text) {
    struct number number;
    double value = NAN;
    if (!scan(text, &number)) {
        printf("not a number: %.100s\n", text);
        return NAN;
    }
    bool is_finite = cosmi_text_number_f64(&number, &value);
    CHECK(is_finite == (fabs(value) <= DBL_MAX));
    return value;
}

static float read_f32(const char *text) {
    struct number number;
    float value = NAN;
    if (!scan(text, &number)) {
        printf("not a number: %.100s\n", text);
        return NAN;
    }
    bool is_finite = cosmi_text_number_f32(&number, &value);
    CHECK(is_finite == (fabsf(value) <= FLT_MAX));
    return value;
}

// Both types, as the C library reads them.
static bool reads_right(const char *text) {
    bool is_right = double_bits(read_f64(text)) == double_bits(strtod(text, NULL)) &&
                    float_bits(read_f32(text)) == float_bits(strtof(text, NULL));
    if (!is_right) {
        printf("read wrong: %.200s\n", text);
    }
    return is_right;
}

// A float of either type, by what differs between them.
struct kind {
    const char *name;
    int digit_max;
    size_t (*write)(double value, char *out);
    bool (*read)(const struct number *number, double *out_value);
    double (*oracle)(const char *text);
};

static size_t write_narrow(double value, char *out) {
    return cosmi_text_write_f32((float)value, out);
}

static bool read_narrow(const struct number *number, double *out_value) {
    float value;
    bool is_finite = cosmi_text_number_f32(number, &value);
    *out_value = (double)value;
    return is_finite;
}

static double oracle_narrow(const char *text) {
    return (double)strtof(text, NULL);
}

static double oracle_wide(const char *text) {
    return strtod(text, NULL);
}

static const struct kind narrow = {"f32", 9, write_narrow, read_narrow, oracle_narrow};
static const struct kind wide = {"f64", 17, cosmi_text_write_f64, cosmi_text_number_f64,
                                 oracle_wide};

// Writes a value, ended with a zero, by way of a block of exactly the room that is to be enough.
static size_t written(const struct kind *kind, double value, char out_text[NUMBER_TEXT_MAX + 1]) {
    static char *block;
    if (block == NULL) {
        block = malloc(NUMBER_TEXT_MAX);
    }
    if (block == NULL) {
        abort();
    }
    size_t length = kind->write(value, block);
    if (length > NUMBER_TEXT_MAX) {
        abort();
    }
    memcpy(out_text, block, length);
    out_text[length] = '\0';
    return length;
}

static bool is_same(double a, double b) {
    return double_bits(a) == double_bits(b);
}

static bool reads_back(const struct kind *kind, double value) {
    char text[NUMBER_TEXT_MAX + 1];
    size_t length = written(kind, value, text);
    const char *at = at_end_of_block(text, length);
    struct number number;
    double back;
    bool is_right = cosmi_text_scan_number(at, at + length, &number) && number.length == length &&
                    kind->read(&number, &back) && is_same(back, value);
    if (!is_right) {
        printf("%s: %a is written as %s, which does not read back\n", kind->name, value, text);
    }
    return is_right;
}

// A text as an integer of its digits and an exponent: "-0.0015e3" is 15 * 10^-1. Returns how many
// digits.
static int decimal_of(const char *text, uint64_t *out_digits, int *out_exponent) {
    uint64_t digits = 0;
    int exponent = 0;
    int zeros = 0; // not yet known to be within the number
    int count = 0;
    bool is_fraction = false;
    for (; *text != '\0' && *text != 'e'; text++) {
        if (*text == '.') {
            is_fraction = true;
        } else if (*text >= '0' && *text <= '9') {
            exponent -= is_fraction;
            zeros++;
            if (*text != '0') {
                for (; zeros > 0; zeros--) {
                    digits *= 10u;
                    count += count > 0 || zeros == 1;
                }
                digits += (uint64_t)(*text - '0');
            }
        }
    }
    *out_digits = digits;
    *out_exponent = exponent + zeros + (*text == 'e' ? atoi(text + 1) : 0);
    return count;
}

static bool is_read_as(const struct kind *kind, uint64_t digits, int exponent, double value) {
    char text[64];
    (void)snprintf(text, sizeof(text), "%" PRIu64 "e%d", digits, exponent);
    return kind->oracle(text) == value;
}

// With one digit less, neither of the two neighbours reads back; with as many, it is the closest.
static bool is_shortest(const struct kind *kind, double value) {
    char text[NUMBER_TEXT_MAX + 1];
    char other[64];
    uint64_t digits;
    uint64_t near;
    int exponent;
    int near_exponent;
    value = fabs(value);
    (void)written(kind, value, text);
    int count = decimal_of(text, &digits, &exponent);
    bool is_right = count <= kind->digit_max && is_same(kind->oracle(text), value);
    if (count > 1) {
        (void)snprintf(other, sizeof(other), "%.*e", count - 2, value);
        // "d.ddde-5" as an integer of all its digits.
        (void)decimal_of(other, &near, &near_exponent);
        int lowest = atoi(strchr(other, 'e') + 1) - (count - 2);
        for (; near_exponent > lowest; near_exponent--) {
            near *= 10u;
        }
        for (uint64_t candidate = near - 1; candidate <= near + 1; candidate++) {
            is_right = is_right && !is_read_as(kind, candidate, lowest, value);
        }
    }
    if (count > 0) {
        (void)snprintf(other, sizeof(other), "%.*e", count - 1, value);
        (void)decimal_of(other, &near, &near_exponent);
        // At the lowest of a binade the closest of all may lie outside, on the narrower side.
        if (is_read_as(kind, near, near_exponent, value)) {
            is_right = is_right && near == digits && near_exponent == exponent;
        }
    }
    if (!is_right) {
        printf("%s: %a is written as %s\n", kind->name, value, text);
    }
    return is_right;
}

TEST(the_table_has_powers_of_ten) {
    CHECK_INT(number_power(0).high, 0x8000000000000000u);
    CHECK_INT(number_power(0).low, 0);
    CHECK_INT(number_power(1).high, 0xA000000000000000u);
    CHECK_INT(number_log2_power(1), 3);
    CHECK_INT(number_log2_power(-1), -4);
    for (int32_t power = NUMBER_POWER_MIN; power <= NUMBER_POWER_MAX; power++) {
        CHECK(number_power(power).high >> 63 == 1);
    }
    for (int32_t power = -300; power <= 300; power++) {
        char text[16];
        (void)snprintf(text, sizeof(text), "1e%d", power);
        double high = ldexp((double)number_power(power).high, number_log2_power(power) - 63);
        CHECK_NEAR(high / strtod(text, NULL), 1.0, 3e-16);
    }
}

TEST(floats_are_written_in_the_form_that_is_promised) {
    static const struct {
        double value;
        const char *text;
    } doubles[] = {
        {0.0, "0"},
        {-0.0, "-0"},
        {0.1, "0.1"},
        {100.0, "100"},
        {-123456.789, "-123456.789"},
        {1234567.5, "1234567.5"},
        {12345678.5, "12345678.5"},
        {123456789.25, "123456789.25"},
        {999999999999999.0, "999999999999999"},
        {123456789012345.67, "123456789012345.67"},
        {-123456789012345.67, "-123456789012345.67"},
        {1e15, "1e15"},
        {-1234567890123456.0, "-1.234567890123456e15"},
        {9007199254740993.0, "9.007199254740992e15"},
        {1e30, "1e30"},
        {0.000001, "0.000001"},
        {-0.0000012345678901234567, "-0.0000012345678901234567"},
        {1e-7, "1e-7"},
        {1.5e-7, "1.5e-7"},
        {5e-324, "5e-324"},
        {2.2250738585072014e-308, "2.2250738585072014e-308"},
        {1.7976931348623157e308, "1.7976931348623157e308"},
        {-1.2345678901234566e-300, "-1.2345678901234566e-300"},
    };
    static const struct {
        float value;
        const char *text;
    } floats[] = {
        {0.1f, "0.1"},
        {16777216.0f, "16777216"},
        {1e10f, "10000000000"},
        {1.00390625f, "1.0039062"}, // halfway between two decimals of eight digits: to even
        {3.4028235e38f, "3.4028235e38"},
        {1e-45f, "1e-45"},
        {1.17549435e-38f, "1.1754944e-38"},
    };
    char text[NUMBER_TEXT_MAX + 1];
    for (size_t i = 0; i < sizeof(doubles) / sizeof(doubles[0]); i++) {
        (void)written(&wide, doubles[i].value, text);
        CHECK_STR(text, doubles[i].text);
    }
    for (size_t i = 0; i < sizeof(floats) / sizeof(floats[0]); i++) {
        (void)written(&narrow, (double)floats[i].value, text);
        CHECK_STR(text, floats[i].text);
    }
}

TEST(integers_are_written_at_their_limits_and_around_powers_of_ten) {
    char text[NUMBER_TEXT_MAX + 1];
    char expected[NUMBER_TEXT_MAX + 1];
    uint64_t power = 1;
    for (int digits = 1; digits <= 20; digits++) {
        for (uint64_t value = power - 1; value != power + 2; value++) {
            text[cosmi_text_write_u64(value, text)] = '\0';
            (void)snprintf(expected, sizeof(expected), "%" PRIu64, value);
            CHECK_STR(text, expected);
            for (int64_t sign = -1; sign <= 1; sign += 2) {
                int64_t number = sign * (int64_t)(value & INT64_MAX);
                text[cosmi_text_write_i64(number, text)] = '\0';
                (void)snprintf(expected, sizeof(expected), "%" PRId64, number);
                CHECK_STR(text, expected);
            }
        }
        power *= 10u;
    }
    text[cosmi_text_write_u64(UINT64_MAX, text)] = '\0';
    CHECK_STR(text, "18446744073709551615");
    text[cosmi_text_write_i64(INT64_MAX, text)] = '\0';
    CHECK_STR(text, "9223372036854775807");
    text[cosmi_text_write_i64(INT64_MIN, text)] = '\0';
    CHECK_STR(text, "-9223372036854775808");
}

TEST(floats_from_all_over_the_f32_read_back) {
    // A prime, so that all low bits occur with all high ones.
    uint64_t stride = harness_is_long() ? 61 : 1021;
    for (uint64_t bits = harness_seed() % stride; bits <= UINT32_MAX; bits += stride) {
        float value = float_of((uint32_t)bits);
        if (isfinite(value)) {
            REQUIRE(reads_back(&narrow, (double)value));
        }
    }
}

TEST(f32_at_the_ends_of_every_binade_are_written_shortest) {
    for (uint32_t exponent = 0; exponent < 255; exponent++) {
        for (uint32_t i = 0; i < 8; i++) {
            uint32_t fraction = i < 4 ? i : 0x7FFFFFu - (i - 4);
            double value = (double)float_of(exponent << 23 | fraction);
            CHECK(reads_back(&narrow, value) && reads_back(&narrow, -value));
            CHECK(is_shortest(&narrow, value));
        }
    }
}

TEST(f64_at_the_ends_of_every_binade_are_written_shortest) {
    for (uint64_t exponent = 0; exponent < 2047; exponent++) {
        for (uint64_t i = 0; i < 6; i++) {
            uint64_t fraction = i < 3 ? i : 0xFFFFFFFFFFFFFu - (i - 3);
            double value = double_of(exponent << 52 | fraction);
            CHECK(reads_back(&wide, value) && reads_back(&wide, -value));
            CHECK(is_shortest(&wide, value));
        }
    }
}

TEST(the_smallest_floats_are_written_shortest) {
    for (uint32_t bits = 1; bits <= 2000; bits++) {
        CHECK(is_shortest(&narrow, (double)float_of(bits)) && is_shortest(&wide, double_of(bits)));
    }
}

// Floats c * 2^q, of which c has so many bits, halfway to whose neighbour there is a short decimal:
// (2c + 1) * 2^(q-1) or (2c - 1) * 2^(q-1) is a multiple of 10^k. It reads back if c is even.
static void check_ends(const struct kind *kind, int bits, int k, uint64_t *io_state) {
    uint64_t power = 1;
    for (int i = 0; i < k; i++) {
        power *= 5u;
    }
    uint64_t low = ((uint64_t)1 << bits) / power;
    for (uint32_t i = 0; i < 8; i++) {
        uint64_t end = ((low + draw(io_state) % (low + 1u)) | 1u) * power;
        for (int q = 3 * k; q <= 4 * k + 4; q++) {
            // Whichever of the two neighbours is even.
            uint64_t c = (end - 1) / 2 % 2 == 0 ? (end - 1) / 2 : (end + 1) / 2;
            if (c >> (bits - 1) == 1) {
                REQUIRE(is_shortest(kind, ldexp((double)c, q)));
                REQUIRE(is_shortest(kind, ldexp((double)(c + 1), q)));
            }
        }
    }
}

TEST(decimals_at_the_ends_of_what_reads_back_are_used_where_they_do) {
    uint64_t state = harness_seed() + 6;
    for (int k = 0; k <= 22; k++) {
        check_ends(&wide, 53, k, &state);
    }
    for (int k = 0; k <= 10; k++) {
        check_ends(&narrow, 24, k, &state);
    }
}

TEST(random_floats_are_written_shortest) {
    uint64_t state = harness_seed();
    uint32_t count = harness_is_long() ? 2000000 : 60000;
    for (uint32_t i = 0; i < count; i++) {
        float value = float_of((uint32_t)draw(&state));
        if (isfinite(value)) {
            REQUIRE(is_shortest(&narrow, (double)value));
        }
        // Of the doubles, some with few bits, and some that are decimals with few digits.
        uint64_t bits = draw(&state);
        double number = double_of(i % 3 == 1 ? bits >> bits % 52 << bits % 52 : bits);
        if (i % 3 == 2) {
            number = (double)(bits >> bits % 60) / 1000.0;
        }
        if (isfinite(number)) {
            REQUIRE(reads_back(&wide, number));
            REQUIRE(is_shortest(&wide, number));
        }
    }
}

// Numbers that readers have been known to get wrong, and those at the ends and in the middle of
// floats; each with a space behind it.
static const char hard_texts[] =
    "0 -0 0e0 -0.000e-999999999999999999999 0e99999999999999999999999999999999999999 1 "
    "9007199254740991 9007199254740993 9007199254740993.0 "
    "9007199254740992.999999999999999999999999999 "
    "9007199254740993.000000000000000000000000001 16777217 "
    "16777217.0000000000000000000000000000000000001 8388608.5 8388609.5 "
    "1.00000005960464477539062500000000000000000000 "
    "1.00000005960464477539062500000000000000000001 1.00000017881393432617187499 "
    "1.00000017881393432617187500 2.2250738585072011e-308 2.2250738585072012e-308 "
    "2.2250738585072014e-308 2.225073858507201136057409796709131975934819546351645648e-308 "
    "4.9406564584124654e-324 2.4703282292062327e-324 2.4703282292062328e-324 "
    "2.47032822920623272088284396434110686182e-324 "
    "2.47032822920623272088284396434110686183e-324 1e-323 1e-324 1e-325 "
    "9999999999999999999e-343 1.7976931348623157e308 1.7976931348623158e308 "
    "1.7976931348623159e308 1.797693134862315807e308 1.797693134862315808e308 "
    "179769313486231580793e289 1e308 1e309 1e310 -1e400 1e999999999999999999999999999 "
    "1e-999999999999999999999999999 3.4028234e38 3.4028235e38 3.4028235677973366e38 "
    "3.4028235677973367e38 340282356779733661637539395458142568447.9 "
    "340282356779733661637539395458142568448 3.5e38 1.4012984643248171e-45 "
    "7.006492321624085e-46 7.006492321624086e-46 "
    "7.0064923216240853546186479164495806564013097093825788587853e-46 "
    "7.0064923216240853546186479164495806564013097093825788587854e-46 1.17549435e-38 "
    "1.1754943e-38 1e22 1e23 8.5e22 123456789012345678901234567890 "
    "0.000000000000000000000000000000000000000000000001234567890123456789 5e-324 "
    "6.631236846766476e-316 3.237883913302901e-319 7.2057594037927933e16 1448997445238699 "
    "6929495644600919.5 3.1415926535897932384626433832795028841971693993751 "
    "10000000000000000000000000000000000000000000000000000000000000000000000e-70 ";

TEST(numbers_known_to_be_hard_are_read_right) {
    const char *at = hard_texts;
    for (size_t length; (length = strcspn(at, " ")) > 0; at += length + 1) {
        char text[128];
        REQUIRE(length < sizeof(text));
        memcpy(text, at, length);
        text[length] = '\0';
        CHECK(reads_right(text));
    }
}

TEST(numbers_of_any_count_of_digits_are_read_as_the_c_library_does) {
    uint64_t state = harness_seed() + 1;
    uint32_t count = harness_is_long() ? 3000000 : 100000;
    for (uint32_t i = 0; i < count; i++) {
        char text[128];
        size_t length = 0;
        uint64_t bits = draw(&state);
        uint32_t digit_count = 1u + (uint32_t)(bits % (i % 8 == 0 ? 60 : 21));
        uint32_t point = (uint32_t)(bits >> 8) % 22;
        if ((bits >> 16 & 1u) != 0) {
            text[length++] = '-';
        }
        for (uint32_t k = 0; k < digit_count; k++) {
            bool is_leading = k == 0 && point != 1;
            text[length++] =
                (char)((is_leading ? '1' : '0') + draw(&state) % (is_leading ? 9 : 10));
            if (k + 1 == point && k + 1 < digit_count) {
                text[length++] = '.';
            }
        }
        text[length] = '\0';
        if (digit_count == 1 && text[length - 1] == '0') {
            continue;
        }
        int range = i % 2 == 0 ? 60 : 700;
        if ((bits >> 17 & 1u) != 0) {
            (void)snprintf(text + length, sizeof(text) - length, "%c%d",
                           (bits >> 18 & 1u) != 0 ? 'e' : 'E',
                           (int)(draw(&state) % (uint64_t)range) - range / 2 - range / 100);
        }
        REQUIRE(reads_right(text));
    }
}

TEST(seventeen_digits_bring_back_every_double) {
    uint64_t state = harness_seed() + 2;
    for (uint32_t i = 0; i < 50000; i++) {
        double value = double_of(draw(&state));
        char text[64];
        if (isfinite(value)) {
            (void)snprintf(text, sizeof(text), "%.17g", value);
            REQUIRE(is_same(read_f64(text), value));
        }
    }
}

// Digits that are a little less than those of an exact decimal: its last one (not zero) lowered,
// and nines behind.
static void make_less(char *text) {
    size_t last = strcspn(text, "e");
    char exponent[16];
    (void)snprintf(exponent, sizeof(exponent), "%s", text + last);
    while (text[last - 1] == '0') {
        last--;
    }
    text[last - 1]--;
    (void)snprintf(text + last, EXACT_MAX - last, "999%s", exponent);
}

static void make_more(char *text) {
    size_t last = strcspn(text, "e");
    char exponent[16];
    (void)snprintf(exponent, sizeof(exponent), "%s", text + last);
    (void)snprintf(text + last, EXACT_MAX - last, "0001%s", exponent);
}

TEST(values_halfway_between_two_f64_go_to_even_and_the_last_of_many_digits_decides) {
    uint64_t state = harness_seed() + 3;
    for (uint32_t i = 0; i < 3000; i++) {
        // Every exponent gets its turn; then come those with the most digits.
        uint64_t exponent = i < 2046 ? i : draw(&state) % 4;
        uint64_t bits = exponent << 52 | draw(&state) >> 12;
        double below = double_of(bits);
        double above = double_of(bits + 1);
        char text[EXACT_MAX];
        char varied[EXACT_MAX];
        long double middle = (long double)below + ((long double)above - (long double)below) / 2.0L;
        if (!isfinite(above)) {
            continue;
        }
        int length = snprintf(text, sizeof(text), "%.800Le", middle);
        REQUIRE(length > 0 && (size_t)length + 8 < sizeof(text));
        REQUIRE(is_same(read_f64(text), bits % 2 == 0 ? below : above));
        memcpy(varied, text, sizeof(text));
        make_more(varied);
        REQUIRE(is_same(read_f64(varied), above));
        memcpy(varied, text, sizeof(text));
        make_less(varied);
        REQUIRE(is_same(read_f64(varied), below));
    }
}

TEST(values_halfway_between_two_f32_go_to_even_and_the_last_of_many_digits_decides) {
    uint64_t state = harness_seed() + 4;
    for (uint32_t i = 0; i < 3000; i++) {
        uint32_t bits = (i % 255) << 23 | (uint32_t)(draw(&state) >> 41);
        float below = float_of(bits);
        float above = float_of(bits + 1);
        char text[EXACT_MAX];
        char varied[EXACT_MAX];
        if (!isfinite(above)) {
            continue;
        }
        (void)snprintf(text, sizeof(text), "%.200e", ((double)below + (double)above) / 2.0);
        REQUIRE(float_bits(read_f32(text)) == (bits % 2 == 0 ? bits : bits + 1));
        memcpy(varied, text, sizeof(text));
        make_more(varied);
        REQUIRE(float_bits(read_f32(varied)) == bits + 1);
        memcpy(varied, text, sizeof(text));
        make_less(varied);
        REQUIRE(float_bits(read_f32(varied)) == bits);
        // As short as it can be written, where it is short: no digits are cut off then.
        (void)snprintf(text, sizeof(text), "%.17g", ((double)below + (double)above) / 2.0);
        REQUIRE(float_bits(read_f32(text)) == float_bits(strtof(text, NULL)));
    }
}

// A text of `before`, so many zeros, and `after`. To be freed.
static char *with_zeros(const char *before, size_t count, const char *after) {
    size_t start = strlen(before);
    size_t size = start + count + strlen(after) + 1;
    char *text = malloc(size);
    if (text == NULL) {
        abort();
    }
    memcpy(text, before, start);
    memset(text + start, '0', count);
    memcpy(text + start + count, after, strlen(after) + 1);
    return text;
}

TEST(a_million_digits_are_read_exactly) {
    static const struct {
        const char *before;
        const char *after;
        double wide;
        float narrow;
        bool is_whole;
    } rows[] = {
        {"1", "e-1000000", 1.0, 1.0f, true},
        {"0.", "1e1000001", 1.0, 1.0f, true},
        {"0.", "1", 0.0, 0.0f, false},
        {"-1", "", -INFINITY, -INFINITY, false},
        {"9007199254740993.", "", 9007199254740992.0, 9007199254740992.0f, true},
        {"9007199254740993.", "1", 9007199254740994.0, 9007199254740992.0f, false},
        {"9007199254740993", "e-1000000", 9007199254740992.0, 9007199254740992.0f, true},
        {"9007199254740993", "1e-1000001", 9007199254740994.0, 9007199254740992.0f, false},
        {"16777217.", "", 16777217.0, 16777216.0f, true},
        {"16777217.", "1", 16777217.0, 16777218.0f, false},
        {"18446744073709551615.", "", 18446744073709551616.0, 18446744073709551616.0f, true},
        {"0.", "18446744073709551615e1000020", 18446744073709551616.0, 18446744073709551616.0f,
         true},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char *text = with_zeros(rows[i].before, 1000000, rows[i].after);
        struct number number;
        uint64_t value = 0;
        CHECK(is_same(read_f64(text), rows[i].wide));
        CHECK(float_bits(read_f32(text)) == float_bits(rows[i].narrow));
        CHECK(scan(text, &number));
        CHECK(cosmi_text_number_u64(&number, &value) == rows[i].is_whole);
        free(text);
    }
}

// How much of a text is a number; zero: it is none.
static size_t number_length(const char *text, size_t length) {
    const char *at = at_end_of_block(text, length);
    struct number number = {.length = 77};
    bool is_number = cosmi_text_scan_number(at, at + length, &number);
    CHECK(is_number || number.length == 77);
    return is_number ? number.length : 0;
}

TEST(what_a_number_is_follows_the_syntax_of_json) {
    static const char refused[] =
        "- +1 .5 -.5 01 00 -01 -00.5 1. 1.e5 1e 1e+ 1E- 1.5e -a a nan inf --1 ";
    // Up to the bar they are numbers.
    static const char accepted[] =
        "0| -0| 0.0| 10| 1e5| 1E5| 1e+5| 1e-5| 1e05| 1.5e00| 12345678| "
        "123456789012345678901234567890| 0|x10 1|, 1|] 1.5|.5 1e5|e5 1|-2 1|: 1|/2 "
        "0.12345678|: 12345678|/ 1234567|:1 0|a 1e5|.5 ";
    CHECK_INT(number_length("", 0), 0);
    CHECK_INT(number_length("1 ", 2), 1);
    const char *at = refused;
    for (size_t length; (length = strcspn(at, " ")) > 0; at += length + 1) {
        CHECK_INT(number_length(at, length), 0);
    }
    at = accepted;
    for (size_t length; (length = strcspn(at, " ")) > 0; at += length + 1) {
        char text[64];
        size_t bar = strcspn(at, "|");
        REQUIRE(length < sizeof(text));
        memcpy(text, at, bar);
        memcpy(text + bar, at + bar + 1, length - bar - 1);
        CHECK_INT(number_length(text, length - 1), bar);
    }
}

TEST(a_number_is_told_by_its_parts) {
    struct number number;
    REQUIRE(scan("-12.50e3", &number));
    CHECK(number.is_negative && !number.is_integer && !number.is_cut);
    CHECK_INT(number.mantissa, 1250);
    CHECK_INT(number.exponent, 1);
    REQUIRE(scan("120", &number));
    CHECK(!number.is_negative && number.is_integer && !number.is_cut);
    CHECK_INT(number.mantissa, 120);
    CHECK_INT(number.exponent, 0);
    REQUIRE(scan("1e2", &number) && !number.is_integer);
    REQUIRE(scan("1.0", &number) && !number.is_integer);
    REQUIRE(scan("0.00000000000000000000000001234", &number));
    CHECK(!number.is_cut);
    CHECK_INT(number.mantissa, 1234);
    CHECK_INT(number.exponent, -29);
    REQUIRE(scan("1234567890123456789", &number) && !number.is_cut);
    CHECK_INT(number.mantissa, 1234567890123456789);
    REQUIRE(scan("12345678901234567890", &number) && !number.is_cut);
    CHECK_INT(number.mantissa, 1234567890123456789);
    CHECK_INT(number.exponent, 1);
    REQUIRE(scan("1234567890123456789.01", &number) && number.is_cut);
    CHECK_INT(number.mantissa, 1234567890123456789);
    CHECK_INT(number.exponent, 0);
    REQUIRE(scan("1e-99999999999999999999", &number));
    CHECK_INT(number.exponent, -1000000);
    REQUIRE(scan("1e99999999999999999999", &number));
    CHECK_INT(number.exponent, 1000000);
}

TEST(integers_are_read_over_their_whole_range_and_no_further) {
    static const struct {
        const char *text;
        const char *i64; // NULL: it does not fit, or is no integer
        const char *u64;
    } rows[] = {
        {"0", "0", "0"},
        {"-0", "0", "0"},
        {"-0.0e5", "0", "0"},
        {"0e-99999999", "0", "0"},
        {"-1", "-1", NULL},
        {"1.0", "1", "1"},
        {"1e3", "1000", "1000"},
        {"-1.50e1", "-15", NULL},
        {"1200e-2", "12", "12"},
        {"1.5", NULL, NULL},
        {"12e-1", NULL, NULL},
        {"1e19", NULL, "10000000000000000000"},
        {"1e20", NULL, NULL},
        {"1e999999999", NULL, NULL},
        {"1e-999999999", NULL, NULL},
        {"9223372036854775807", "9223372036854775807", "9223372036854775807"},
        {"9223372036854775808", NULL, "9223372036854775808"},
        {"-9223372036854775808", "-9223372036854775808", NULL},
        {"-9223372036854775809", NULL, NULL},
        {"-9.223372036854775808e18", "-9223372036854775808", NULL},
        {"18446744073709551615", NULL, "18446744073709551615"},
        {"18446744073709551616", NULL, NULL},
        {"18446744073709551620", NULL, NULL},
        {"18446744073709551615.000000", NULL, "18446744073709551615"},
        {"1844674407370955161500e-2", NULL, "18446744073709551615"},
        {"18446744073709551615.5", NULL, NULL},
        {"1844674407370955161.5", NULL, NULL},
        {"184467440737095516150", NULL, NULL},
        {"92233720368547758070.0e-1", "9223372036854775807", "9223372036854775807"},
        {"9223372036854775807.00000000000000000000000001", NULL, NULL},
        {"0.000000000000000000000000000000007e33", "7", "7"},
        {"1.00000000000000000000000000000000000", "1", "1"},
        {"-12345678901234567891", NULL, NULL},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct number number;
        int64_t i64 = 0;
        uint64_t u64 = 0;
        char text[NUMBER_TEXT_MAX + 1];
        REQUIRE(scan(rows[i].text, &number));
        bool is_i64 = cosmi_text_number_i64(&number, &i64);
        bool is_u64 = cosmi_text_number_u64(&number, &u64);
        (void)snprintf(text, sizeof(text), "%" PRId64, i64);
        CHECK_STR(is_i64 ? text : "no", rows[i].i64 == NULL ? "no" : rows[i].i64);
        (void)snprintf(text, sizeof(text), "%" PRIu64, u64);
        CHECK_STR(is_u64 ? text : "no", rows[i].u64 == NULL ? "no" : rows[i].u64);
    }
}

TEST(random_integers_read_back) {
    uint64_t state = harness_seed() + 5;
    for (uint32_t i = 0; i < 100000; i++) {
        uint64_t bits = draw(&state) >> i % 64;
        char text[NUMBER_TEXT_MAX + 1];
        struct number number;
        uint64_t u64;
        int64_t i64;
        text[cosmi_text_write_u64(bits, text)] = '\0';
        REQUIRE(scan(text, &number) && number.is_integer);
        REQUIRE(cosmi_text_number_u64(&number, &u64) && u64 == bits);
        int64_t negative = -(int64_t)(bits & INT64_MAX) - 1;
        text[cosmi_text_write_i64(negative, text)] = '\0';
        REQUIRE(scan(text, &number) && number.is_integer);
        REQUIRE(cosmi_text_number_i64(&number, &i64) && i64 == negative);
    }
}

TEST(the_rounding_mode_of_the_program_does_not_matter) {
#ifdef FE_UPWARD
    char text[NUMBER_TEXT_MAX + 1];
    double value;
    float narrow_value;
    int before = fegetround();
    REQUIRE(fesetround(FE_UPWARD) == 0);
    value = read_f64("0.1");
    narrow_value = read_f32("0.1");
    text[cosmi_text_write_f64(value, text)] = '\0';
    REQUIRE(fesetround(before) == 0);
    CHECK_INT(double_bits(value), 0x3FB999999999999Au);
    CHECK_INT(float_bits(narrow_value), 0x3DCCCCCDu);
    CHECK_STR(text, "0.1");
#endif
}
