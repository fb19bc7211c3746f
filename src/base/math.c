// cosm/math.h for one value, and the reduction of angles far out.
//
// What is special (not finite, zero, far out) is decided on the bits of the argument and goes one
// way, out of line; the rest is the polynomials of base/math.h in double precision, rounded once.
// The public functions are defined here: no argument can be refused, and a layer above would cost
// a call per value.
#include <cosm/math.h>

#include "base/check.h"
#include "base/math.h"

// 2 / pi to 256 bits behind the point, and 32 in front of it.
static const uint32_t two_over_pi[9] = {
    0x00000000u, 0xA2F9836Eu, 0x4E441529u, 0xFC2757D1u, 0xF534DDC0u,
    0xDB629599u, 0x3C439041u, 0xFE5163ABu, 0xDEBBC561u,
};

// x = m * 2^e, and of x * 2 / pi only what is below 4 counts. So of the digits of 2 / pi those are
// left out whose product with 2^e is a multiple of 4; 128 of those that follow, times m, give the
// quadrant in two bits and the rest in 126. What was cut off behind them is below 2^24 of the last.
// No float is closer than 2^-32 to a multiple of pi / 2: of its rest 70 bits are right at least.
UNFUSED struct math_angle cosmi_math_reduce_far(uint32_t bits) {
    uint64_t m = (bits & 0x007FFFFFu) | 0x00800000u;
    uint32_t start = (bits >> 23) - 150u + 30u; // e + 30: 32 digits in front, less two
    const uint32_t *word = two_over_pi + (start >> 5);
    uint32_t shift = start & 31u;
    uint32_t digits[4];
    uint64_t product = 0;
    for (int i = 3; i >= 0; i--) {
        uint64_t pair = (uint64_t)word[i] << 32 | word[i + 1];
        product = m * (uint32_t)(pair << shift >> 32) + (product >> 32);
        digits[i] = (uint32_t)product;
    }
    uint64_t high = (uint64_t)digits[0] << 32 | digits[1];
    uint64_t low = (uint64_t)digits[2] << 32 | digits[3];
    struct math_angle angle;
    angle.quadrant = (high + ((uint64_t)1 << 61)) >> 62;
    int64_t rest = (int64_t)(high - (angle.quadrant << 62));
    angle.r = ((double)rest * 0x1p-62 + (double)low * 0x1p-126) * MATH_PI_2;
    return angle;
}

// |x| given by its bits, which are those of a finite float.
UNFUSED static inline struct math_angle reduced(uint32_t size) {
    return LIKELY(size < MATH_NEAR_MAX) ? math_reduce((double)math_float(size))
                                        : cosmi_math_reduce_far(size);
}

UNFUSED float cosm_math_sin(float angle) {
    uint32_t size = math_bits(angle) & MATH_SIZE;
    if (UNLIKELY(size >= MATH_INFINITE)) {
        return math_float(MATH_NAN);
    }
    struct math_angle at = reduced(size);
    return math_signed(math_wave(at), math_bits(angle) & MATH_SIGN);
}

UNFUSED float cosm_math_cos(float angle) {
    uint32_t size = math_bits(angle) & MATH_SIZE;
    if (UNLIKELY(size >= MATH_INFINITE)) {
        return math_float(MATH_NAN);
    }
    struct math_angle at = reduced(size);
    at.quadrant++;
    return (float)math_wave(at);
}

UNFUSED void cosm_math_sin_cos(float angle, float *out_sin, float *out_cos) {
    uint32_t size = math_bits(angle) & MATH_SIZE;
    float sine = math_float(MATH_NAN);
    float cosine = sine;
    if (LIKELY(size < MATH_INFINITE)) {
        struct math_waves waves = math_waves(reduced(size));
        sine = math_signed(waves.sine, math_bits(angle) & MATH_SIGN);
        cosine = (float)waves.cosine;
    }
    if (out_sin != NULL) {
        *out_sin = sine;
    }
    if (out_cos != NULL) {
        *out_cos = cosine;
    }
}

UNFUSED float cosm_math_tan(float angle) {
    uint32_t size = math_bits(angle) & MATH_SIZE;
    if (UNLIKELY(size >= MATH_INFINITE)) {
        return math_float(MATH_NAN);
    }
    struct math_waves waves = math_waves(reduced(size));
    return math_signed(waves.sine / waves.cosine, math_bits(angle) & MATH_SIGN);
}

UNFUSED float cosm_math_asin(float x) {
    double size = (double)math_float(math_bits(x) & MATH_SIZE);
    if (UNLIKELY(!(size <= 1.0))) {
        return math_float(MATH_NAN);
    }
    double other = math_root(1.0 - size * size);
    return math_signed(math_angle_of(size, other), math_bits(x) & MATH_SIGN);
}

UNFUSED float cosm_math_acos(float x) {
    double wide = (double)x;
    if (UNLIKELY(!(wide >= -1.0 && wide <= 1.0))) {
        return math_float(MATH_NAN);
    }
    return (float)math_angle_of(math_root(1.0 - wide * wide), wide);
}

float cosm_math_atan(float x) {
    return cosm_math_atan2(x, 1.0f);
}

// With a zero or an infinite coordinate: points that stand for what they come close to.
COLD static float atan2_special(float y, float x) {
    double high = (double)math_float(math_bits(y) & MATH_SIZE);
    double wide = (double)x;
    if (high != high || wide != wide) {
        return math_float(MATH_NAN);
    }
    double infinite = (double)math_float(MATH_INFINITE);
    bool is_wide = wide == infinite || wide == -infinite;
    double side = (math_bits(x) & MATH_SIGN) != 0 ? -1.0 : 1.0;
    if (high == infinite || is_wide) {
        high = high == infinite ? 1.0 : 0.0;
        wide = is_wide ? side : 0.0;
    } else if (high == 0.0) {
        wide = side; // on the axis, the origin too
    }
    return math_signed(math_angle_of(high, wide), math_bits(y) & MATH_SIGN);
}

UNFUSED float cosm_math_atan2(float y, float x) {
    if (UNLIKELY((math_is_plain(y) & math_is_plain(x)) == 0)) {
        return atan2_special(y, x);
    }
    double size = (double)math_float(math_bits(y) & MATH_SIZE);
    return math_signed(math_angle_of(size, (double)x), math_bits(y) & MATH_SIGN);
}

UNFUSED float cosm_math_exp(float x) {
    double wide = (double)x;
    if (UNLIKELY(!(wide > -104.0 && wide < 89.0))) {
        return wide != wide ? math_float(MATH_NAN) : wide < 0.0 ? 0.0f : math_float(MATH_INFINITE);
    }
    return (float)math_exp(wide);
}

UNFUSED float cosm_math_log(float x) {
    uint32_t bits = math_bits(x);
    if (UNLIKELY(bits - 1u >= MATH_INFINITE - 1u)) { // or negative
        return bits == MATH_INFINITE     ? x
               : (bits & MATH_SIZE) == 0 ? math_float(MATH_INFINITE | MATH_SIGN)
                                         : math_float(MATH_NAN);
    }
    return (float)math_log((double)x);
}

enum whole { WHOLE_NOT, WHOLE_EVEN, WHOLE_ODD };

// What kind of number y is, which is finite: from 2^24 on all floats are even.
static enum whole whole_kind(float y) {
    float size = math_float(math_bits(y) & MATH_SIZE);
    if (size >= 0x1p24f) {
        return WHOLE_EVEN;
    }
    int32_t number = (int32_t)size;
    if ((float)number != size) {
        return WHOLE_NOT;
    }
    return (number & 1) != 0 ? WHOLE_ODD : WHOLE_EVEN;
}

// Where x or y is zero, infinite or not a number, and none of pow's results is decided by the other
// alone.
COLD static float pow_special(float x, float y) {
    uint32_t x_size = math_bits(x) & MATH_SIZE;
    uint32_t y_size = math_bits(y) & MATH_SIZE;
    if (x_size > MATH_INFINITE || y_size > MATH_INFINITE) {
        return math_float(MATH_NAN);
    }
    bool is_down = (math_bits(y) & MATH_SIGN) != 0;
    if (y_size == MATH_INFINITE) {
        const uint32_t one = 0x3F800000u;
        if (x_size == one) {
            return 1.0f;
        }
        return (x_size < one) == is_down ? math_float(MATH_INFINITE) : 0.0f;
    }
    uint32_t sign = whole_kind(y) == WHOLE_ODD ? math_bits(x) & MATH_SIGN : 0;
    return math_float(((x_size == 0) == is_down ? MATH_INFINITE : 0u) | sign);
}

// Squares and other powers may lie exactly between two floats. What comes within two units of the
// last place of a double of such a middle is taken for it, so that it goes to the even one.
static inline double to_middle(double value) {
    const uint64_t middle = 0x10000000u; // the first of the 29 bits that a float does not have
    uint64_t bits = math_wide_bits(value);
    uint64_t rest = bits & 0x1FFFFFFFu;
    return rest - (middle - 2u) <= 4u ? math_double(bits - rest + middle) : value;
}

UNFUSED float cosm_math_pow(float x, float y) {
    uint32_t x_size = math_bits(x) & MATH_SIZE;
    uint32_t y_size = math_bits(y) & MATH_SIZE;
    if (y_size == 0 || x == 1.0f) {
        return 1.0f;
    }
    if (UNLIKELY(math_is_plain(x) == 0 || y_size >= MATH_INFINITE)) {
        return pow_special(x, y);
    }
    uint32_t sign = 0;
    if (UNLIKELY(x < 0.0f)) {
        enum whole kind = whole_kind(y);
        if (kind == WHOLE_NOT) {
            return math_float(MATH_NAN);
        }
        sign = kind == WHOLE_ODD ? MATH_SIGN : 0;
    }
    double value = math_pow((double)math_float(x_size), (double)y);
    return math_signed(to_middle(value), sign);
}
