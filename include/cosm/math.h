// Sine, cosine and friends with the same bits everywhere, for what goes into state.
//
//     float sine, cosine;
//     cosm_math_sin_cos(heading, &sine, &cosine);
//
// The functions of the C library differ from system to system in their last bit, and from one
// processor to the next; these do not. They are made of additions, multiplications, divisions and
// roots, each of which has one right answer, and they are part of the library, so that the flags of
// your own code do not matter. Results are the float nearest to the true value but for a handful of
// all 2^32 arguments, and there within 0.5000001 of the last place.
//
// Special arguments are those of C's Annex F. Where a result is not a number it always has the bits
// 0x7FC00000. There is no errno. For what C does not leave open (sqrtf, fabsf, floorf, fmodf) use
// the C library.
#ifndef COSM_MATH_H
#define COSM_MATH_H

#include <cosm/types.h>

COSM_BEGIN_C

// Angles are in radians. Every finite float is reduced exactly, the largest too. Not a number for
// infinite ones.
COSM_API float cosm_math_sin(float angle);
COSM_API float cosm_math_cos(float angle);
COSM_API float cosm_math_tan(float angle);

// Both at once, for little more than one of them.
COSM_API void cosm_math_sin_cos(float angle, float *out_sin, float *out_cos);

// From -pi / 2 to pi / 2, and from 0 to pi; not a number outside of -1 to 1.
COSM_API float cosm_math_asin(float x);
COSM_API float cosm_math_acos(float x);

// From -pi / 2 to pi / 2.
COSM_API float cosm_math_atan(float x);

// The angle of the point (x, y), from -pi to pi. Zeroes count with their sign: (-1, 0.0f) is at pi,
// (-1, -0.0f) at -pi, and (0.0f, 0.0f) at 0.
COSM_API float cosm_math_atan2(float y, float x);

// e^x: 0 below -103.97, infinite above 88.72.
COSM_API float cosm_math_exp(float x);

// The natural logarithm: minus infinity for zero, not a number below.
COSM_API float cosm_math_log(float x);

// x^y. Not a number for negative x, unless y is whole. pow(x, 0) and pow(1, y) are 1, whatever the
// other is.
COSM_API float cosm_math_pow(float x, float y);

// The same for arrays, several values at a time. out[i] has the very bits that the call for x[i]
// gives. `out` may be the array that is read, or must not overlap it. NULL does nothing.
COSM_API void cosm_math_sin_many(const float *angles, float *out, uint32_t count);
COSM_API void cosm_math_cos_many(const float *angles, float *out, uint32_t count);
COSM_API void cosm_math_sin_cos_many(const float *angles, float *out_sin, float *out_cos,
                                     uint32_t count);
COSM_API void cosm_math_atan2_many(const float *y, const float *x, float *out, uint32_t count);
COSM_API void cosm_math_exp_many(const float *x, float *out, uint32_t count);
COSM_API void cosm_math_log_many(const float *x, float *out, uint32_t count);

COSM_END_C

#endif
