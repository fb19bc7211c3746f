// Eight floats at a time, by the vector extensions of gcc and clang. Where AVX2 is not on, the
// compiler makes two or eight smaller operations of one; the bits are the same, since minimum,
// maximum and choice are written so that all agree on them, and there is no fused multiply-add.
#ifndef PHYSICS_LANES_H
#define PHYSICS_LANES_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#ifdef __AVX2__
#include <immintrin.h>
#endif

#define LANE_COUNT 8

typedef float lanes __attribute__((vector_size(32)));
typedef int32_t lane_mask __attribute__((vector_size(32)));

// Vectors as arguments need an ABI that differs with AVX; all functions here are inlined, always.
#define LANE_FN static inline __attribute__((always_inline))

LANE_FN lanes all(float x) {
    return (lanes){x, x, x, x, x, x, x, x};
}

// Where the mask is set (all bits or none) the one, elsewhere the other.
LANE_FN lanes choose(lane_mask mask, lanes yes, lanes no) {
#ifdef __AVX2__
    return (lanes)_mm256_blendv_ps((__m256)no, (__m256)yes, (__m256)mask);
#else
    return (lanes)(((lane_mask)yes & mask) | ((lane_mask)no & ~mask));
#endif
}

LANE_FN lanes lanes_min(lanes a, lanes b) {
#ifdef __AVX2__
    return (lanes)_mm256_min_ps((__m256)a, (__m256)b);
#else
    return choose(a < b, a, b);
#endif
}

LANE_FN lanes lanes_max(lanes a, lanes b) {
#ifdef __AVX2__
    return (lanes)_mm256_max_ps((__m256)a, (__m256)b);
#else
    return choose(a > b, a, b);
#endif
}

LANE_FN lanes lanes_sqrt(lanes a) {
#ifdef __AVX2__
    return (lanes)_mm256_sqrt_ps((__m256)a);
#else
    for (int i = 0; i < LANE_COUNT; i++) {
        a[i] = sqrtf(a[i]);
    }
    return a;
#endif
}

// Rows to columns and back.
LANE_FN void transpose(lanes r[LANE_COUNT]) {
#ifdef __AVX2__
    __m256 t[8], u[8];
    for (int i = 0; i < 4; i++) {
        t[2 * i] = _mm256_unpacklo_ps((__m256)r[2 * i], (__m256)r[2 * i + 1]);
        t[2 * i + 1] = _mm256_unpackhi_ps((__m256)r[2 * i], (__m256)r[2 * i + 1]);
    }
    for (int i = 0; i < 2; i++) {
        u[4 * i] = _mm256_shuffle_ps(t[4 * i], t[4 * i + 2], 0x44);
        u[4 * i + 1] = _mm256_shuffle_ps(t[4 * i], t[4 * i + 2], 0xee);
        u[4 * i + 2] = _mm256_shuffle_ps(t[4 * i + 1], t[4 * i + 3], 0x44);
        u[4 * i + 3] = _mm256_shuffle_ps(t[4 * i + 1], t[4 * i + 3], 0xee);
    }
    for (int i = 0; i < 4; i++) {
        r[i] = (lanes)_mm256_permute2f128_ps(u[i], u[i + 4], 0x20);
        r[i + 4] = (lanes)_mm256_permute2f128_ps(u[i], u[i + 4], 0x31);
    }
#else
    for (int i = 0; i < LANE_COUNT; i++) {
        for (int j = i + 1; j < LANE_COUNT; j++) {
            float x = r[i][j];
            r[i][j] = r[j][i];
            r[j][i] = x;
        }
    }
#endif
}

// A vector in each lane.
struct lane_vec {
    lanes x, y, z;
};

LANE_FN lanes lane_dot(struct lane_vec a, struct lane_vec b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
LANE_FN struct lane_vec lane_cross(struct lane_vec a, struct lane_vec b) {
    return (struct lane_vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
LANE_FN struct lane_vec lane_sub(struct lane_vec a, struct lane_vec b) {
    return (struct lane_vec){a.x - b.x, a.y - b.y, a.z - b.z};
}
// a + s b, and a - s b.
LANE_FN struct lane_vec lane_along(struct lane_vec a, lanes s, struct lane_vec b) {
    return (struct lane_vec){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}
LANE_FN struct lane_vec lane_against(struct lane_vec a, lanes s, struct lane_vec b) {
    return (struct lane_vec){a.x - s * b.x, a.y - s * b.y, a.z - s * b.z};
}

#endif
