// cosm/math.h for arrays.
//
// They go through the same functions of base/math.h, in loops without branches that become vector
// code. Every lane of a vector is rounded as a single number is, so the bits are those of the calls
// for one value. Arguments that those treat apart (not finite, zero, far out) are counted on the
// way; where a block has one, its values are done again one by one.
#include <cosm/math.h>

#include "base/check.h"
#include "base/math.h"

// Which instructions there are is asked at run time. The loops become vector code only where their
// arrays are restrict parameters.
#if defined(__GNUC__) && defined(__x86_64__)
#define MANY_WIDE __attribute__((target("avx2")))
#endif

// Values of one block: they are copied before they are read, so that the result may take their
// place.
#define MATH_BLOCK 256u

// A loop, as `NAME_plain` and `NAME_wide` with the same parameters, and `NAME` that chooses.
#ifdef MANY_WIDE
#define MANY_LOOP(name, parameters, arguments)                                                     \
    UNFUSED static uint32_t name##_plain parameters {                                              \
        return name##_loop arguments;                                                              \
    }                                                                                              \
    UNFUSED MANY_WIDE static uint32_t name##_wide parameters {                                     \
        return name##_loop arguments;                                                              \
    }                                                                                              \
    static uint32_t name##_lanes parameters {                                                      \
        return (__builtin_cpu_supports("avx2") != 0 ? name##_wide : name##_plain) arguments;       \
    }
#else
#define MANY_LOOP(name, parameters, arguments)                                                     \
    UNFUSED static uint32_t name##_lanes parameters {                                              \
        return name##_loop arguments;                                                              \
    }
#endif

// Each loop returns how many of its values are to be done again.
MATH_INLINE uint32_t sin_loop(uint32_t count, const float *restrict angles, float *restrict out) {
    uint32_t special = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t size = math_bits(angles[i]) & MATH_SIZE;
        special += size >= MATH_NEAR_MAX;
        struct math_waves waves = math_waves(math_reduce((double)math_float(size)));
        out[i] = math_signed(waves.sine, math_bits(angles[i]) & MATH_SIGN);
    }
    return special;
}

MATH_INLINE uint32_t cos_loop(uint32_t count, const float *restrict angles, float *restrict out) {
    uint32_t special = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t size = math_bits(angles[i]) & MATH_SIZE;
        special += size >= MATH_NEAR_MAX;
        struct math_waves waves = math_waves(math_reduce((double)math_float(size)));
        out[i] = (float)waves.cosine;
    }
    return special;
}

MATH_INLINE uint32_t sin_cos_loop(uint32_t count, const float *restrict angles,
                                  float *restrict out_sin, float *restrict out_cos) {
    uint32_t special = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t size = math_bits(angles[i]) & MATH_SIZE;
        special += size >= MATH_NEAR_MAX;
        struct math_waves waves = math_waves(math_reduce((double)math_float(size)));
        out_sin[i] = math_signed(waves.sine, math_bits(angles[i]) & MATH_SIGN);
        out_cos[i] = (float)waves.cosine;
    }
    return special;
}

MATH_INLINE uint32_t atan2_loop(uint32_t count, const float *restrict y, const float *restrict x,
                                float *restrict out) {
    uint32_t special = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t size = math_bits(y[i]) & MATH_SIZE;
        special += 1u - (math_is_plain(y[i]) & math_is_plain(x[i]));
        double angle = math_angle_of((double)math_float(size), (double)x[i]);
        out[i] = math_signed(angle, math_bits(y[i]) & MATH_SIGN);
    }
    return special;
}

MATH_INLINE uint32_t exp_loop(uint32_t count, const float *restrict x, float *restrict out) {
    uint32_t special = 0;
    for (uint32_t i = 0; i < count; i++) {
        special += !((x[i] > -104.0f) & (x[i] < 89.0f));
        out[i] = (float)math_exp((double)x[i]);
    }
    return special;
}

MATH_INLINE uint32_t log_loop(uint32_t count, const float *restrict x, float *restrict out) {
    uint32_t special = 0;
    for (uint32_t i = 0; i < count; i++) {
        special += math_bits(x[i]) - 1u >= MATH_INFINITE - 1u;
        out[i] = (float)math_log((double)x[i]);
    }
    return special;
}

#define MANY_ONE (uint32_t count, const float *restrict x, float *restrict out)
MANY_LOOP(sin, MANY_ONE, (count, x, out))
MANY_LOOP(cos, MANY_ONE, (count, x, out))
MANY_LOOP(exp, MANY_ONE, (count, x, out))
MANY_LOOP(log, MANY_ONE, (count, x, out))
MANY_LOOP(sin_cos,
          (uint32_t count, const float *restrict x, float *restrict out_sin,
           float *restrict out_cos),
          (count, x, out_sin, out_cos))
MANY_LOOP(atan2,
          (uint32_t count, const float *restrict y, const float *restrict x, float *restrict out),
          (count, y, x, out))

// Blocks of an array through a loop, and again through the call for one value where it has to be.
static void many(const float *x, float *out, uint32_t count,
                 uint32_t (*lanes)(uint32_t, const float *restrict, float *restrict),
                 float (*one)(float)) {
    if (x == NULL || out == NULL) {
        return;
    }
    float block[MATH_BLOCK];
    for (uint32_t first = 0; first < count; first += MATH_BLOCK) {
        uint32_t some = count - first < MATH_BLOCK ? count - first : MATH_BLOCK;
        memcpy(block, x + first, some * sizeof(*block));
        if (UNLIKELY(lanes(some, block, out + first) > 0)) {
            for (uint32_t i = 0; i < some; i++) {
                out[first + i] = one(block[i]);
            }
        }
    }
}

void cosm_math_sin_many(const float *angles, float *out, uint32_t count) {
    many(angles, out, count, sin_lanes, cosm_math_sin);
}

void cosm_math_cos_many(const float *angles, float *out, uint32_t count) {
    many(angles, out, count, cos_lanes, cosm_math_cos);
}

void cosm_math_exp_many(const float *x, float *out, uint32_t count) {
    many(x, out, count, exp_lanes, cosm_math_exp);
}

void cosm_math_log_many(const float *x, float *out, uint32_t count) {
    many(x, out, count, log_lanes, cosm_math_log);
}

void cosm_math_sin_cos_many(const float *angles, float *out_sin, float *out_cos, uint32_t count) {
    if (angles == NULL || out_sin == NULL || out_cos == NULL) {
        return;
    }
    float block[MATH_BLOCK];
    for (uint32_t first = 0; first < count; first += MATH_BLOCK) {
        uint32_t some = count - first < MATH_BLOCK ? count - first : MATH_BLOCK;
        memcpy(block, angles + first, some * sizeof(*block));
        if (UNLIKELY(sin_cos_lanes(some, block, out_sin + first, out_cos + first) > 0)) {
            for (uint32_t i = 0; i < some; i++) {
                cosm_math_sin_cos(block[i], &out_sin[first + i], &out_cos[first + i]);
            }
        }
    }
}

void cosm_math_atan2_many(const float *y, const float *x, float *out, uint32_t count) {
    if (y == NULL || x == NULL || out == NULL) {
        return;
    }
    float rows[MATH_BLOCK];
    float columns[MATH_BLOCK];
    for (uint32_t first = 0; first < count; first += MATH_BLOCK) {
        uint32_t some = count - first < MATH_BLOCK ? count - first : MATH_BLOCK;
        memcpy(rows, y + first, some * sizeof(*rows));
        memcpy(columns, x + first, some * sizeof(*columns));
        if (UNLIKELY(atan2_lanes(some, rows, columns, out + first) > 0)) {
            for (uint32_t i = 0; i < some; i++) {
                out[first + i] = cosm_math_atan2(rows[i], columns[i]);
            }
        }
    }
}
