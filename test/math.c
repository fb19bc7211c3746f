// Sine, cosine and friends: nearest floats, special values, the same bits everywhere (cosm/math.h).
//
// With COSM_TEST_LONG=1 every one of the 2^32 floats goes through each function of one argument,
// and the test prints how many results are not the nearest float: some minutes each, optimised.
//
// ctest: golden
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <cosm/math.h>

#include "harness.h"

#define COUNT_OF(array) ((uint32_t)(sizeof(array) / sizeof((array)[0])))

#define NAN_BITS 0x7FC00000u

static uint32_t bits_of(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

static float float_of(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

// The functions of one argument, with those of the C library to hold them against.
static const struct function {
    const char *name;
    float (*ours)(float);
    double (*theirs)(double);
    long double (*wide)(long double);
    uint64_t golden; // see below
} functions[] = {
    {"sin", cosm_math_sin, sin, sinl, 0xC2C20204A332B6E1u},
    {"cos", cosm_math_cos, cos, cosl, 0xABDD8ECEF7F76B31u},
    {"tan", cosm_math_tan, tan, tanl, 0xEB30FD6CBF9B9651u},
    {"asin", cosm_math_asin, asin, asinl, 0x66048A7C1974E1EEu},
    {"acos", cosm_math_acos, acos, acosl, 0xA3B1C35432B02938u},
    {"atan", cosm_math_atan, atan, atanl, 0x122C254A7C873318u},
    {"exp", cosm_math_exp, exp, expl, 0xEC29925FE19E25E9u},
    {"log", cosm_math_log, log, logl, 0x533166F0D304882Du},
};

// And of two.
static const struct pair {
    const char *name;
    float (*ours)(float, float);
    double (*theirs)(double, double);
    double tolerance;
    uint64_t golden;
} pairs[] = {
    {"atan2", cosm_math_atan2, atan2, 0.5000001, 0xD0242F974B95288Au},
    {"pow", cosm_math_pow, pow, 0.5000001, 0xBCB1F78973AAA761u},
};

// The distance of neighbouring floats at a value.
static double unit_at(double value) {
    int exponent;
    (void)frexp(value, &exponent);
    exponent = exponent < -125 ? -125 : exponent > 128 ? 128 : exponent;
    return ldexp(1.0, exponent - 24);
}

// How far off a result is, in units of the last place; infinite floats stand for 2^128.
static double error_of(float actual, double expected) {
    if (isinf(expected) || fabs(expected) >= 0x1p128) {
        return isinf(actual) && (actual > 0) == (expected > 0) ? 0.0 : INFINITY;
    }
    double value = isinf(actual) ? copysign(0x1p128, (double)actual) : (double)actual;
    return fabs(value - expected) / unit_at(expected);
}

static bool is_right(float actual, double expected, double tolerance) {
    if (isnan(expected)) {
        return bits_of(actual) == NAN_BITS;
    }
    bool has_sign = (signbit(actual) != 0) == (signbit(expected) != 0);
    return has_sign && error_of(actual, expected) <= tolerance;
}

// A source of arguments that needs nothing of the library.
static uint64_t next_random(uint64_t *state) {
    *state += 0x9E3779B97F4A7C15u;
    uint64_t z = *state;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

// The worst error of a function over every `step`-th float, and how many results are not the
// nearest one. That is asked of wider numbers where a double does not decide it.
static double sweep(const struct function *function, uint64_t first, uint64_t step) {
    double worst = 0.0;
    uint64_t not_nearest = 0;
    for (uint64_t i = first; i <= UINT32_MAX; i += step) {
        float x = float_of((uint32_t)i);
        float actual = function->ours(x);
        double expected = function->theirs((double)x);
        if (!is_right(actual, expected, 0.5000001)) {
            printf("%s(%a) is %a, and should be %a\n", function->name, (double)x, (double)actual,
                   expected);
            return INFINITY;
        }
        double error = isnan(expected) ? 0.0 : error_of(actual, expected);
        worst = error > worst ? error : worst;
        if (error > 0.4999999) {
            not_nearest += (float)function->wide((long double)x) != actual;
        }
    }
    if (step == 1) {
        printf("%s: all floats, worst error %.9f, %llu not the nearest\n", function->name, worst,
               (unsigned long long)not_nearest);
    }
    return worst;
}

TEST(results_are_the_nearest_float_or_the_one_next_to_it) {
    uint64_t seed = harness_seed();
    uint64_t step = harness_is_long() ? 1 : 8191;
    for (uint32_t f = 0; f < COUNT_OF(functions); f++) {
        CHECK(sweep(&functions[f], next_random(&seed) % step, step) <= 0.5000001);
    }
}

// Around where results are interesting: small angles, multiples of pi / 2, the edges of exp.
TEST(results_are_as_near_where_functions_turn) {
    static const float centers[] = {0.0f,       1.0f,        -1.0f,     0.70710678f, 1.5707964f,
                                    3.1415927f, 6.2831855f,  1e5f,      0x1p20f,     88.72284f,
                                    -87.33655f, -103.97208f, 0x1p-126f, 0.5f,        0.41421357f};
    for (uint32_t f = 0; f < COUNT_OF(functions); f++) {
        for (uint32_t c = 0; c < COUNT_OF(centers); c++) {
            uint32_t center = bits_of(centers[c]);
            for (uint32_t i = 0; i < 2000; i++) {
                float x = float_of(center + i - 1000u);
                float actual = functions[f].ours(x);
                double expected = functions[f].theirs((double)x);
                if (!is_right(actual, expected, 0.5000001)) {
                    printf("%s(%a) is %a\n", functions[f].name, (double)x, (double)actual);
                    CHECK(is_right(actual, expected, 0.5000001));
                }
            }
        }
    }
}

TEST(results_of_two_arguments_are_as_near) {
    uint64_t seed = harness_seed();
    uint32_t count = harness_is_long() ? 1u << 28 : 400000;
    for (uint32_t p = 0; p < COUNT_OF(pairs); p++) {
        double worst = 0.0;
        for (uint32_t i = 0; i < count; i++) {
            uint64_t random = next_random(&seed);
            float a = float_of((uint32_t)random);
            float b = float_of((uint32_t)(random >> 32));
            if (i % 2 != 0) { // of similar size, where more happens
                a = float_of(0x3E000000u + (uint32_t)random % 0x04000000u);
                b = float_of((0x3E000000u + (uint32_t)(random >> 32) % 0x04000000u) |
                             ((uint32_t)random & 0x80000000u));
            }
            float actual = pairs[p].ours(a, b);
            double expected = pairs[p].theirs((double)a, (double)b);
            if (!is_right(actual, expected, pairs[p].tolerance)) {
                printf("%s(%a, %a) is %a, and should be %a\n", pairs[p].name, (double)a, (double)b,
                       (double)actual, expected);
                CHECK(is_right(actual, expected, pairs[p].tolerance));
            }
            if (!isnan(expected)) {
                double error = error_of(actual, expected);
                worst = error > worst ? error : worst;
            }
        }
        if (harness_is_long()) {
            printf("%s: worst error %.9f\n", pairs[p].name, worst);
        }
    }
}

TEST(special_arguments_give_what_annex_f_says) {
    const float inf = INFINITY;
    const struct {
        float (*function)(float);
        float x, expected;
    } cases[] = {
        {cosm_math_sin, 0.0f, 0.0f},
        {cosm_math_sin, -0.0f, -0.0f},
        {cosm_math_cos, 0.0f, 1.0f},
        {cosm_math_cos, -0.0f, 1.0f},
        {cosm_math_tan, 0.0f, 0.0f},
        {cosm_math_tan, -0.0f, -0.0f},
        {cosm_math_asin, 0.0f, 0.0f},
        {cosm_math_asin, -0.0f, -0.0f},
        {cosm_math_acos, 1.0f, 0.0f},
        {cosm_math_acos, -1.0f, 3.14159265f},
        {cosm_math_atan, 0.0f, 0.0f},
        {cosm_math_atan, -0.0f, -0.0f},
        {cosm_math_atan, inf, 1.57079633f},
        {cosm_math_atan, -inf, -1.57079633f},
        {cosm_math_exp, 0.0f, 1.0f},
        {cosm_math_exp, -0.0f, 1.0f},
        {cosm_math_exp, inf, inf},
        {cosm_math_exp, -inf, 0.0f},
        {cosm_math_exp, 88.72284f, inf},
        {cosm_math_exp, -103.97209f, 0.0f},
        {cosm_math_exp, -103.97207f, 0x1p-149f},
        {cosm_math_log, 1.0f, 0.0f},
        {cosm_math_log, 0.0f, -inf},
        {cosm_math_log, -0.0f, -inf},
        {cosm_math_log, inf, inf},
        // The smallest floats: those next to zero are their own sine.
        {cosm_math_sin, 0x1p-149f, 0x1p-149f},
        {cosm_math_tan, -0x1p-149f, -0x1p-149f},
        {cosm_math_asin, 0x1p-149f, 0x1p-149f},
        {cosm_math_atan, -0x1p-149f, -0x1p-149f},
        {cosm_math_log, 0x1p-149f, -103.278931f},
    };
    for (uint32_t i = 0; i < COUNT_OF(cases); i++) {
        CHECK_INT(bits_of(cases[i].function(cases[i].x)), bits_of(cases[i].expected));
    }
}

TEST(what_is_not_a_number_has_one_pattern_of_bits) {
    static const uint32_t nans[] = {0x7FC00000u, 0xFFC00000u, 0x7F800001u, 0xFFFFFFFFu};
    for (uint32_t i = 0; i < COUNT_OF(nans); i++) {
        float nan = float_of(nans[i]);
        for (uint32_t f = 0; f < COUNT_OF(functions); f++) {
            CHECK_INT(bits_of(functions[f].ours(nan)), NAN_BITS);
        }
        CHECK_INT(bits_of(cosm_math_atan2(nan, 1.0f)), NAN_BITS);
        CHECK_INT(bits_of(cosm_math_atan2(1.0f, nan)), NAN_BITS);
        CHECK_INT(bits_of(cosm_math_atan2(nan, INFINITY)), NAN_BITS);
        CHECK_INT(bits_of(cosm_math_pow(nan, 2.0f)), NAN_BITS);
        CHECK_INT(bits_of(cosm_math_pow(2.0f, nan)), NAN_BITS);
        CHECK_INT(bits_of(cosm_math_pow(nan, 0.0f)), bits_of(1.0f));
        CHECK_INT(bits_of(cosm_math_pow(1.0f, nan)), bits_of(1.0f));
    }
    CHECK_INT(bits_of(cosm_math_sin(INFINITY)), NAN_BITS);
    CHECK_INT(bits_of(cosm_math_cos(-INFINITY)), NAN_BITS);
    CHECK_INT(bits_of(cosm_math_tan(INFINITY)), NAN_BITS);
    CHECK_INT(bits_of(cosm_math_asin(0x1.000002p0f)), NAN_BITS);
    CHECK_INT(bits_of(cosm_math_acos(-0x1.000002p0f)), NAN_BITS);
    CHECK_INT(bits_of(cosm_math_log(-0x1p-149f)), NAN_BITS);
    CHECK_INT(bits_of(cosm_math_log(-INFINITY)), NAN_BITS);
    CHECK_INT(bits_of(cosm_math_pow(-2.0f, 0.5f)), NAN_BITS);
}

// The C library knows Annex F too: all pairs of these are held against it.
TEST(special_pairs_give_what_annex_f_says) {
    static const float sizes[] = {
        0.0f, 0x1p-149f,  0x1p-126f,  0.5f,        1.0f,    0x1.000002p0f, 1.5f,    2.0f, 3.0f,
        7.0f, 8388607.5f, 8388609.0f, 16777215.0f, 0x1p24f, 3.4028235e38f, INFINITY};
    for (uint32_t p = 0; p < COUNT_OF(pairs); p++) {
        for (uint32_t i = 0; i < 2 * COUNT_OF(sizes); i++) {
            for (uint32_t j = 0; j < 2 * COUNT_OF(sizes); j++) {
                float a = i % 2 == 0 ? sizes[i / 2] : -sizes[i / 2];
                float b = j % 2 == 0 ? sizes[j / 2] : -sizes[j / 2];
                float actual = pairs[p].ours(a, b);
                double expected = pairs[p].theirs((double)a, (double)b);
                if (!is_right(actual, expected, pairs[p].tolerance)) {
                    printf("%s(%a, %a) is %a, and should be %a\n", pairs[p].name, (double)a,
                           (double)b, (double)actual, expected);
                    CHECK(is_right(actual, expected, pairs[p].tolerance));
                }
            }
        }
    }
}

TEST(sine_is_odd_and_cosine_even_and_both_at_once_are_the_same_bits) {
    uint64_t seed = harness_seed();
    for (uint32_t i = 0; i < 100000; i++) {
        float x = float_of((uint32_t)next_random(&seed) & 0x7F7FFFFFu);
        float sine, cosine;
        cosm_math_sin_cos(x, &sine, &cosine);
        CHECK_INT(bits_of(cosm_math_sin(x)), bits_of(sine));
        CHECK_INT(bits_of(cosm_math_cos(x)), bits_of(cosine));
        CHECK_INT(bits_of(cosm_math_sin(-x)), bits_of(-sine));
        CHECK_INT(bits_of(cosm_math_cos(-x)), bits_of(cosine));
        CHECK_NEAR((double)(sine * sine + cosine * cosine), 1.0, 2e-7);
    }
    float sine, cosine;
    cosm_math_sin_cos(NAN, &sine, &cosine);
    CHECK_INT(bits_of(sine), NAN_BITS);
    CHECK_INT(bits_of(cosine), NAN_BITS);
    cosm_math_sin_cos(1.0f, &sine, NULL);
    cosm_math_sin_cos(1.0f, NULL, &cosine);
    CHECK_NEAR((double)sine, sin(1.0), 1e-7);
    CHECK_NEAR((double)cosine, cos(1.0), 1e-7);
}

TEST(powers_that_are_exact_or_lie_between_two_floats_are_rounded_to_even) {
    uint64_t seed = harness_seed();
    for (uint32_t i = 0; i < 100000; i++) {
        float x = float_of(0x30000000u + (uint32_t)next_random(&seed) % 0x1F000000u);
        CHECK_INT(bits_of(cosm_math_pow(x, 1.0f)), bits_of(x));
        CHECK_INT(bits_of(cosm_math_pow(x, 2.0f)), bits_of(x * x));
        CHECK_INT(bits_of(cosm_math_pow(x, -1.0f)), bits_of(1.0f / x));
        CHECK_INT(bits_of(cosm_math_pow(x, 0.5f)), bits_of(sqrtf(x)));
    }
    float edge = 0x1.fffffep-1f; // its root lies 2^-51 below the middle of two floats
    CHECK_INT(bits_of(cosm_math_pow(edge, 0.5f)), bits_of(edge));
    for (int n = -149; n <= 127; n++) {
        CHECK_INT(bits_of(cosm_math_pow(2.0f, (float)n)), bits_of(ldexpf(1.0f, n)));
    }
}

TEST(exp_and_log_undo_each_other) {
    for (float x = 0.01f; x < 80.0f; x += 0.01f) {
        CHECK_NEAR((double)cosm_math_log(cosm_math_exp(x)), (double)x, 4e-6);
        CHECK_NEAR((double)cosm_math_exp(cosm_math_log(x)), (double)x, 4e-6 * (double)x);
    }
}

// Arguments for arrays: mostly plain ones, and now and then one that is not.
static void fill(float *values, uint32_t count, uint64_t *seed, bool has_special) {
    for (uint32_t i = 0; i < count; i++) {
        uint64_t random = next_random(seed);
        values[i] = (float)((double)(random >> 11) * 0x1p-53 * 40.0 - 20.0);
        if (has_special && random % 97 == 0) {
            values[i] = float_of((uint32_t)(random >> 32));
        }
        if (has_special && random % 89 == 0) {
            static const float specials[] = {0.0f, -0.0f, INFINITY, -INFINITY, NAN, 1e30f};
            values[i] = specials[(random >> 40) % COUNT_OF(specials)];
        }
    }
}

static void check_same(const char *name, const float *many, const float *one, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        if (bits_of(many[i]) != bits_of(one[i])) {
            printf("%s_many at %u of %u\n", name, i, count);
            CHECK_INT(bits_of(many[i]), bits_of(one[i]));
        }
    }
}

// One float more than is asked for: it has to stay as it is.
#define ARRAY_MAX 700u

TEST(arrays_have_the_bits_of_single_values) {
    static float x[ARRAY_MAX + 1], y[ARRAY_MAX + 1], many[ARRAY_MAX + 1], one[ARRAY_MAX + 1];
    static float other[ARRAY_MAX + 1], second[ARRAY_MAX + 1];
    static const struct {
        const char *name;
        void (*many)(const float *, float *, uint32_t);
        float (*one)(float);
    } arrays[] = {
        {"sin", cosm_math_sin_many, cosm_math_sin},
        {"cos", cosm_math_cos_many, cosm_math_cos},
        {"exp", cosm_math_exp_many, cosm_math_exp},
        {"log", cosm_math_log_many, cosm_math_log},
    };
    uint64_t seed = harness_seed();
    for (uint32_t count = 0; count <= ARRAY_MAX; count += count < 20 ? 1 : 17) {
        fill(x, count, &seed, count % 2 == 0);
        fill(y, count, &seed, count % 3 == 0);
        many[count] = 77.0f;
        for (uint32_t f = 0; f < COUNT_OF(arrays); f++) {
            for (uint32_t i = 0; i < count; i++) {
                one[i] = arrays[f].one(x[i]);
            }
            arrays[f].many(x, many, count);
            check_same(arrays[f].name, many, one, count);
            memcpy(many, x, count * sizeof(*x));
            arrays[f].many(many, many, count);
            check_same(arrays[f].name, many, one, count);
        }
        for (uint32_t i = 0; i < count; i++) {
            cosm_math_sin_cos(x[i], &one[i], &other[i]);
        }
        cosm_math_sin_cos_many(x, many, second, count);
        check_same("sin_cos", many, one, count);
        check_same("sin_cos", second, other, count);
        for (uint32_t i = 0; i < count; i++) {
            one[i] = cosm_math_atan2(y[i], x[i]);
        }
        cosm_math_atan2_many(y, x, many, count);
        check_same("atan2", many, one, count);
        memcpy(many, y, count * sizeof(*y));
        cosm_math_atan2_many(many, x, many, count);
        check_same("atan2", many, one, count);
        CHECK_INT(bits_of(many[count]), bits_of(77.0f));
    }
}

TEST(arrays_that_are_not_there_are_left_alone) {
    float value = 3.0f;
    cosm_math_sin_many(NULL, &value, 1);
    cosm_math_exp_many(&value, NULL, 1);
    cosm_math_sin_cos_many(&value, &value, NULL, 1);
    cosm_math_atan2_many(&value, NULL, &value, 1);
    CHECK_INT(bits_of(value), bits_of(3.0f));
}

// The promise itself: digests of results over fixed arguments, which every compiler, optimisation
// level and machine has to come to.
static uint64_t digest(uint64_t sum, float value) {
    return (sum ^ bits_of(value)) * 0x100000001B3u;
}

TEST(results_have_the_same_bits_everywhere) {
    for (uint32_t f = 0; f < COUNT_OF(functions); f++) {
        uint64_t sum = 0xCBF29CE484222325u;
        for (uint64_t i = 0; i <= UINT32_MAX; i += 32749) {
            sum = digest(sum, functions[f].ours(float_of((uint32_t)i)));
        }
        for (uint32_t i = 0; i < 50000; i++) {
            sum = digest(sum, functions[f].ours((float)((int32_t)i - 25000) * 0.0013f));
        }
        if (sum != functions[f].golden) {
            printf("%s: 0x%016llX\n", functions[f].name, (unsigned long long)sum);
        }
        CHECK_INT(sum, functions[f].golden);
    }
    for (uint32_t p = 0; p < COUNT_OF(pairs); p++) {
        uint64_t sum = 0xCBF29CE484222325u;
        uint64_t state = 2026;
        for (uint32_t i = 0; i < 200000; i++) {
            uint64_t random = next_random(&state);
            float a = float_of((uint32_t)random);
            float b = float_of((uint32_t)(random >> 32));
            if (i % 2 != 0) {
                a = (float)(random & 0xFFFFu) * 0.001f;
                b = (float)((int32_t)(random >> 48) - 32768) * 0.001f;
            }
            sum = digest(sum, pairs[p].ours(a, b));
        }
        if (sum != pairs[p].golden) {
            printf("%s: 0x%016llX\n", pairs[p].name, (unsigned long long)sum);
        }
        CHECK_INT(sum, pairs[p].golden);
    }
}
