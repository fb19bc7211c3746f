// Sine, cosine and so on with the same bits on every machine, for computing state.
//
//     float sine, cosine;
//     cosm_math_sin_cos(heading, &sine, &cosine);
//
// The functions of the C library differ in their last bit between systems and processors; these do
// not. They use only additions, multiplications, divisions and square roots, which are exactly
// defined, and they are compiled into the library, so the flags of your own code do not matter.
// Results are the float nearest to the true value, except for a handful of all 2^32 arguments,
// where the error is within 0.5000001 units in the last place.
//
// Special arguments follow C's Annex F. A NaN result always has the bits 0x7FC00000. errno is not
// set. For functions that C defines exactly (sqrtf, fabsf, floorf, fmodf) use the C library.
#ifndef COSM_MATH_H
#define COSM_MATH_H

#include <cosm/types.h>

COSM_BEGIN_C

// Angles are in radians. Every finite float is reduced exactly, including the largest. NaN for
// infinite angles.
COSM_API float cosm_math_sin(float angle);
COSM_API float cosm_math_cos(float angle);
COSM_API float cosm_math_tan(float angle);

// Both at once, for little more than the cost of one.
COSM_API void cosm_math_sin_cos(float angle, float *out_sin, float *out_cos);

// From -pi / 2 to pi / 2, and from 0 to pi; NaN outside -1 to 1.
COSM_API float cosm_math_asin(float x);
COSM_API float cosm_math_acos(float x);

// From -pi / 2 to pi / 2.
COSM_API float cosm_math_atan(float x);

// The angle of the point (x, y), from -pi to pi. The sign of zero counts: (-1, 0.0f) is at pi, (-1,
// -0.0f) at -pi, and (0.0f, 0.0f) at 0.
COSM_API float cosm_math_atan2(float y, float x);

// e^x: 0 below -103.97, infinite above 88.72.
COSM_API float cosm_math_exp(float x);

// The natural logarithm: minus infinity for zero, NaN below.
COSM_API float cosm_math_log(float x);

// x^y. NaN for negative x, unless y is an integer. pow(x, 0) and pow(1, y) are 1, whatever the
// other is.
COSM_API float cosm_math_pow(float x, float y);

// The same for arrays, several values at a time. out[i] has exactly the bits of the call for x[i].
// `out` may be an input array, but must not overlap one otherwise. NULL does nothing.
COSM_API void cosm_math_sin_many(const float *angles, float *out, uint32_t count);
COSM_API void cosm_math_cos_many(const float *angles, float *out, uint32_t count);
COSM_API void cosm_math_sin_cos_many(const float *angles, float *out_sin, float *out_cos,
                                     uint32_t count);
COSM_API void cosm_math_atan2_many(const float *y, const float *x, float *out, uint32_t count);
COSM_API void cosm_math_exp_many(const float *x, float *out, uint32_t count);
COSM_API void cosm_math_log_many(const float *x, float *out, uint32_t count);

COSM_END_C

#endif
