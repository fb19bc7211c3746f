// Philox for many counters at a time: the blocks of random.c, side by side in vector registers.
//
// One block is ten rounds of two multiplications that wait for each other: a core has time for
// several of them meanwhile.
#include "base/random.h"

// The loop becomes vector code only where its arrays are restrict parameters. Which instructions
// there are is asked at run time; integers come out the same with all of them.
#if defined(__GNUC__) && defined(__x86_64__)
#define LANES_WIDE __attribute__((target("avx2")))
#endif
#if defined(__GNUC__)
#define LANES_INLINE static inline __attribute__((always_inline))
#define LANES_UNROLL _Pragma("GCC unroll 10")
#else
#define LANES_INLINE static inline
#define LANES_UNROLL
#endif

LANES_INLINE void philox_lanes(uint32_t count, const uint32_t *restrict streams,
                               const uint32_t *restrict steps, const uint32_t *restrict places,
                               const uint32_t *restrict keys_0, const uint32_t *restrict keys_1,
                               uint32_t *restrict out_blocks) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t a = 0;
        uint32_t b = streams[i];
        uint32_t c = steps[i];
        uint32_t d = places[i];
        LANES_UNROLL
        for (uint32_t round = 0; round < PHILOX_ROUNDS; round++) {
            uint64_t product_0 = (uint64_t)PHILOX_MULTIPLIER_0 * a;
            uint64_t product_1 = (uint64_t)PHILOX_MULTIPLIER_1 * c;
            a = (uint32_t)(product_1 >> 32) ^ b ^ (keys_0[i] + round * PHILOX_KEY_STEP_0);
            b = (uint32_t)product_1;
            c = (uint32_t)(product_0 >> 32) ^ d ^ (keys_1[i] + round * PHILOX_KEY_STEP_1);
            d = (uint32_t)product_0;
        }
        out_blocks[4 * (size_t)i] = a;
        out_blocks[4 * (size_t)i + 1] = b;
        out_blocks[4 * (size_t)i + 2] = c;
        out_blocks[4 * (size_t)i + 3] = d;
    }
}

static void philox_plain(const struct random_lanes *lanes, uint32_t count, uint32_t *out_blocks) {
    philox_lanes(count, lanes->streams, lanes->steps, lanes->places, lanes->keys_0, lanes->keys_1,
                 out_blocks);
}

#ifdef LANES_WIDE
LANES_WIDE static void philox_wide(const struct random_lanes *lanes, uint32_t count,
                                   uint32_t *out_blocks) {
    philox_lanes(count, lanes->streams, lanes->steps, lanes->places, lanes->keys_0, lanes->keys_1,
                 out_blocks);
}
#endif

void cosmi_random_lanes(const struct random_lanes *lanes, uint32_t count, uint32_t *out_blocks) {
    INVARIANT(count <= RANDOM_LANE_MAX, "there are no more lanes than that");
#ifdef LANES_WIDE
    if (__builtin_cpu_supports("avx2") != 0) {
        philox_wide(lanes, count, out_blocks);
        return;
    }
#endif
    philox_plain(lanes, count, out_blocks);
}
