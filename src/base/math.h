// The arithmetic of cosm/math.h: elementary functions in double, made of + - * / and roots only.
//
// A float in, a double out whose error is below two units of its last place: rounded to float that
// is the nearest float, but for one case in a billion or so. All of it is without branches, so
// that loops over it fill SIMD registers, and a lane of a vector rounds as a single number does.
//
// Each function brings its argument into a small range around zero and evaluates a polynomial
// there. The polynomials are minimax: of all with as many terms their largest relative error is
// smallest. It is in the comment above each. docs/design/055-math.md says how they were found.
#ifndef COSM_BASE_MATH_H
#define COSM_BASE_MATH_H

#include <stdint.h>
#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#elif !defined(__aarch64__) || !defined(__GNUC__)
#include <math.h>
#endif

#include "base/unfused.h"

#if defined(__GNUC__)
#define MATH_INLINE static inline __attribute__((always_inline)) UNFUSED
#else
#define MATH_INLINE static inline
#endif

// Parts of the bits of a float.
#define MATH_SIGN 0x80000000u
#define MATH_SIZE 0x7FFFFFFFu     // all but the sign
#define MATH_INFINITE 0x7F800000u // above it are those that are not a number
#define MATH_NAN 0x7FC00000u      // the one of them that we give

// Added and taken away again, it rounds a double below 2^51 to a whole number; in between, the low
// bits of the sum are that number.
#define MATH_ROUNDER 0x1.8p52

#define MATH_PI_2 0x1.921fb54442d18p+0       // pi / 2
#define MATH_PI_2_REST 0x1.1a62633145c07p-54 // what is left of it

MATH_INLINE uint32_t math_bits(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof(bits));
    return bits;
}

MATH_INLINE float math_float(uint32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof(x));
    return x;
}

MATH_INLINE uint64_t math_wide_bits(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof(bits));
    return bits;
}

MATH_INLINE double math_double(uint64_t bits) {
    double x;
    memcpy(&x, &bits, sizeof(x));
    return x;
}

// `yes` where is_so is 1, `no` where it is 0. Written as a condition it would become a jump that
// nobody can foresee, and gcc would leave loops scalar.
MATH_INLINE double math_choose(uint64_t is_so, double yes, double no) {
    uint64_t mask = 0u - is_so;
    return math_double((math_wide_bits(yes) & mask) | (math_wide_bits(no) & ~mask));
}

// Rounded to float, with the sign changed where the bit is set.
MATH_INLINE float math_signed(double x, uint32_t sign) {
    return math_float(math_bits((float)x) ^ sign);
}

// Neither zero, infinite nor not a number. The sign does not matter.
MATH_INLINE uint32_t math_is_plain(float x) {
    return (math_bits(x) & MATH_SIZE) - 1u < MATH_INFINITE - 1u;
}

// The root of x >= 0, which IEEE 754 rounds to the nearest. One instruction: the function of the C
// library would bring errno and libm along.
MATH_INLINE double math_root(double x) {
#if defined(__SSE2__)
    __m128d value = _mm_set_sd(x);
    return _mm_cvtsd_f64(_mm_sqrt_sd(value, value));
#elif defined(__aarch64__) && defined(__GNUC__)
    double root;
    __asm__("fsqrt %d0, %d1" : "=w"(root) : "w"(x));
    return root;
#else
    return sqrt(x);
#endif
}

// sin r and cos r for |r| <= pi / 4 are start + factor * tail, with start and factor
//
//     sin r    r              r^3
//     cos r    1 - r^2 / 2    r^4
//
// and polynomials of r^2 for tails, the constant first. Errors: 2^-57.9 and 2^-64.
#define MATH_SIN_TAIL                                                                              \
    {                                                                                              \
        -0x1.5555555555548p-3, 0x1.111111110f7c9p-7, -0x1.a01a019bfd106p-13,                       \
            0x1.71de35670c6d5p-19, -0x1.ae5e59f140e37p-26, 0x1.5d8fa1ed82f14p-33                   \
    }
#define MATH_COS_TAIL                                                                              \
    {                                                                                              \
        0x1.555555555554bp-5, -0x1.6c16c16c14f8ap-10, 0x1.a01a019c838ddp-16,                       \
            -0x1.27e4f7ea3586bp-22, 0x1.1ee9d75141f4bp-29, -0x1.8fa46549d5babp-37                  \
    }

MATH_INLINE double math_tail(const double factors[6], double square, double fourth) {
    double low = factors[0] + square * factors[1];
    double middle = factors[2] + square * factors[3];
    double high = factors[4] + square * factors[5];
    return low + fourth * (middle + fourth * high);
}

// Angles are reduced to x = quadrant * pi / 2 + r.
struct math_angle {
    double r;          // |r| <= pi / 4, and a little
    uint64_t quadrant; // its two low bits count
};

// Below this pi / 2 in two pieces is enough: the first has 31 bits, so that its product with the
// number of quadrants is exact, and what the second lacks is below 2^-88 each.
#define MATH_NEAR_MAX 0x49800000u // the bits of 2^20

// For 0 <= x < 2^20.
MATH_INLINE struct math_angle math_reduce(double x) {
    double sum = x * 0x1.45f306dc9c883p-1 + MATH_ROUNDER; // 2 / pi
    double quadrants = sum - MATH_ROUNDER;
    struct math_angle angle;
    angle.quadrant = math_wide_bits(sum);
    angle.r = (x - quadrants * 0x1.921fb544p+0) - quadrants * 0x1.0b4611a626331p-34;
    return angle;
}

// The same for the bits of any finite float from 2^-8 on, without its sign, in integers: slower.
struct math_angle cosmi_math_reduce_far(uint32_t bits);

// Both, as the quadrant wants them: a quadrant further on sine becomes cosine, and cosine sine with
// the other sign; two further on both change their signs. The sine is that of the angle's size.
struct math_waves {
    double sine;
    double cosine;
};

MATH_INLINE struct math_waves math_waves(struct math_angle angle) {
    static const double sine_tail[6] = MATH_SIN_TAIL;
    static const double cosine_tail[6] = MATH_COS_TAIL;
    double square = angle.r * angle.r;
    double fourth = square * square;
    double sine = angle.r + angle.r * square * math_tail(sine_tail, square, fourth);
    double cosine = (1.0 - 0.5 * square) + fourth * math_tail(cosine_tail, square, fourth);
    uint64_t is_odd = angle.quadrant & 1u;
    uint64_t sine_sign = (angle.quadrant & 2u) << 62;
    uint64_t cosine_sign = ((angle.quadrant + 1u) & 2u) << 62;
    struct math_waves waves;
    waves.sine = math_double(math_wide_bits(math_choose(is_odd, cosine, sine)) ^ sine_sign);
    waves.cosine = math_double(math_wide_bits(math_choose(is_odd, sine, cosine)) ^ cosine_sign);
    return waves;
}

// The sine alone, with the same bits; of an angle one quadrant further on it is the cosine. One
// value at a time it is cheaper to look up the polynomial than to evaluate both.
MATH_INLINE double math_wave(struct math_angle angle) {
    static const double tails[2][6] = {MATH_SIN_TAIL, MATH_COS_TAIL};
    uint64_t is_odd = angle.quadrant & 1u;
    double square = angle.r * angle.r;
    double fourth = square * square;
    double start = math_choose(is_odd, 1.0 - 0.5 * square, angle.r);
    double factor = math_choose(is_odd, fourth, angle.r * square);
    double value = start + factor * math_tail(tails[is_odd], square, fourth);
    return math_double(math_wide_bits(value) ^ (angle.quadrant & 2u) << 62);
}

// e^r for |r| <= log(2) / 2. Error of the polynomial: 2^-60.
MATH_INLINE double math_exp_near(double r) {
    double square = r * r;
    double fourth = square * square;
    double a = 0x1p-1 + r * 0x1.5555555555557p-3;
    double b = 0x1.555555555554dp-5 + r * 0x1.11111111102d3p-7;
    double c = 0x1.6c16c16c1b876p-10 + r * 0x1.a01a01aaa96dep-13;
    double d = 0x1.a01a01833cff8p-16 + r * 0x1.71de067c4cddcp-19;
    double e = 0x1.27e53b6a856b2p-22 + r * 0x1.af4477ef5f5dfp-26 + square * 0x1.1ebfd60718e27p-29;
    double tail = (a + square * b) + fourth * ((c + square * d) + fourth * e);
    return 1.0 + (r + square * tail);
}

// x * 2^n, where n was rounded by way of `sum`, as above.
MATH_INLINE double math_scaled(double x, double sum) {
    return math_double(math_wide_bits(x) + (math_wide_bits(sum) << 52));
}

// e^x for -110 <= x <= 100: 2^n e^r. The first piece of log 2 has 42 bits, so that n times it is
// exact.
MATH_INLINE double math_exp(double x) {
    double sum = x * 0x1.71547652b82fep+0 + MATH_ROUNDER;
    double n = sum - MATH_ROUNDER;
    double r = (x - n * 0x1.62e42fefa38p-1) - n * 0x1.ef35793c7673p-45;
    return math_scaled(math_exp_near(r), sum);
}

// x > 0 as m * 2^n, m between the roots of 1/2 and of 2.
struct math_parts {
    double m;
    double n;
};

MATH_INLINE struct math_parts math_split(double x) {
    const uint64_t root_half = 0x3FE6A09E667F3BCDu; // the bits of the root of 1/2
    const uint64_t bias = 1023;
    uint64_t raised = math_wide_bits(x) - root_half + (bias << 52);
    uint64_t exponent = raised >> 52; // n + bias
    struct math_parts parts;
    parts.m = math_double(math_wide_bits(x) - ((exponent - bias) << 52));
    // Or'ed into the last digits of 2^52 a whole number is 2^52 + that number.
    parts.n = math_double(exponent | 0x4330000000000000u) - (0x1p52 + 1023.0);
    return parts;
}

// atanh(s) / s - 1 for |s| <= 0.1716, where `square` is s * s: error 2^-66.7.
MATH_INLINE double math_atanh_tail(double square) {
    double fourth = square * square;
    double a = 0x1.5555555555555p-2 + square * 0x1.9999999999dfcp-3;
    double b = 0x1.249249242b715p-3 + square * 0x1.c71c7258cb504p-4;
    double c = 0x1.745cde43ba1a2p-4 + square * 0x1.3b20a96414a41p-4;
    double d = 0x1.0f5cf543582b4p-4 + square * 0x1.0f61a4e50c8fp-4;
    return square * ((a + fourth * b) + fourth * fourth * (c + fourth * d));
}

// log x for finite x > 0. With f = m - 1 and s = f / (m + 1), log m = 2 atanh s = f - s (f - 2
// tail), in which f is exact, and s a correction.
MATH_INLINE double math_log(double x) {
    struct math_parts parts = math_split(x);
    double f = parts.m - 1.0;
    double s = f / (parts.m + 1.0);
    double tail = 2.0 * math_atanh_tail(s * s);
    double rest = s * (f - tail) - parts.n * 0x1.ef35793c7673p-45;
    return parts.n * 0x1.62e42fefa38p-1 + (f - rest);
}

// x without the last `count` of its bits.
MATH_INLINE double math_cut(double x, uint32_t count) {
    return math_double(math_wide_bits(x) >> count << count);
}

// x^y for x > 0 that is a float, clamped to between 2^-160 and 2^140. The logarithm to base 2 has
// to be good to 2^-60, since y log x is up to 150: so it is kept in two pieces, of which the larger
// has few enough bits for exact products.
MATH_INLINE double math_pow(double x, double y) {
    struct math_parts parts = math_split(x);
    double f = parts.m - 1.0;
    double g = parts.m + 1.0;
    double inverse = 1.0 / g;
    double s = f * inverse;
    double s_high = math_cut(s, 27);
    double s_low = (f - s_high * g) * inverse;
    double rest = s_low + s * math_atanh_tail(s * s);
    // times 2 / log 2, as 27 bits and what is left
    double high = s_high * 0x1.7154764p+1;
    double low = s_high * 0x1.2b82fe1777d1p-27 + rest * 0x1.71547652b82fep+1;
    double log_high = math_cut(parts.n + (high + low), 24);
    double log_low = ((parts.n - log_high) + high) + low;
    double power = y * log_high;
    double more = y * log_low;
    more = power > 140.0 || power < -160.0 ? 0.0 : more;
    power = power > 140.0 ? 140.0 : power;
    power = power < -160.0 ? -160.0 : power;
    double sum = power + MATH_ROUNDER;
    double r = (power - (sum - MATH_ROUNDER)) + more;
    return math_scaled(math_exp_near(r * 0x1.62e42fefa39efp-1), sum);
}

// The angle of the point (x, y), 0 to pi, for y >= 0, with neither both zero nor both infinite.
// Mirrored at the axes and at the diagonal, and turned back by pi / 4 where it is closer to the
// diagonal than to an axis, the point has a slope of at most tan(pi / 8). Error of the polynomial:
// 2^-64.
MATH_INLINE double math_angle_of(double y, double x) {
    double width = math_double(math_wide_bits(x) & 0x7FFFFFFFFFFFFFFFu);
    uint64_t is_steep = y > width;
    double low = math_choose(is_steep, width, y);
    double high = math_choose(is_steep, y, width);
    uint64_t is_turned = low > high * 0x1.a827999fcef32p-2; // tan(pi / 8)
    double above = math_choose(is_turned, low - high, low);
    double below = math_choose(is_turned, low + high, high);
    double t = above / below;
    double square = t * t;
    double fourth = square * square;
    double eighth = fourth * fourth;
    double a = -0x1.5555555555554p-2 + square * 0x1.9999999999649p-3;
    double b = -0x1.24924924755aep-3 + square * 0x1.c71c71b7408dap-4;
    double c = -0x1.745d14b8501d1p-4 + square * 0x1.3b136e0e0279p-4;
    double d = -0x1.110c7104528e1p-4 + square * 0x1.e171de264ff2cp-5;
    double e = -0x1.ab7caee5dbe2ep-5 + square * 0x1.70ea1a1693187p-5;
    double f = -0x1.1230b41438c53p-5 + square * 0x1.f1cd958904be6p-7;
    double tail = (a + fourth * b) + eighth * ((c + fourth * d) + eighth * (e + fourth * f));
    double angle = t + t * square * tail;
    // Multiples of pi / 4 are put on in two pieces, so that only the last sum rounds.
    uint64_t is_left = math_wide_bits(x) >> 63;
    double start = math_choose(is_turned, 0.5, 0.0);
    start = math_choose(is_steep, 1.0 - start, start);
    start = math_choose(is_left, 2.0 - start, start);
    uint64_t sign = (is_steep ^ is_left) << 63;
    angle = math_double(math_wide_bits(angle) ^ sign);
    return start * MATH_PI_2 + (angle + start * MATH_PI_2_REST);
}

#endif
