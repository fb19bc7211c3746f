// Random numbers as a function of a key and a counter, and the distributions made from them.
//
// Philox is a function of 192 bits with no state, so a stream is a choice of key and counter, and
// two streams that differ in one bit of either have nothing in common. A world's stream is
//
//   key         seed XOR salt XOR mix(world number >> 24): the salt is zero for a world, and the
//               hash of its name for a system
//   counter[0]  the block: counts up by one for every four numbers
//   counter[1]  the stream that the caller names
//   counter[2]  the step, bits 0 to 31
//   counter[3]  bits 0 to 23 of the world number, bits 32 to 39 of the step above them
//
// and a stream with no world has its 64-bit number in counter[1] and [2] and all ones in [3]. For
// one seed the first 2^24 worlds differ in the counter, and mix(0) is 0, so different pairs of seed
// and number have different streams there. Beyond, mix is a bijection of 64 bits: two pairs have
// equal keys with the chance of a 64-bit hash. A world's stream reaches all ones in [3] after
// 255 * 2^32 steps at the earliest: 34 years at a thousand steps a second.
#ifndef COSM_BASE_RANDOM_H
#define COSM_BASE_RANDOM_H

#include <cosm/random.h>

#include "base/check.h"
#include "base/hash.h"

// The figures of Philox 4x32 (Salmon, Moraes, Dror, Shaw 2011): two odd multipliers that were
// searched for, and the fractions of the golden ratio and of the root of 3 for the key.
#define PHILOX_ROUNDS 10
#define PHILOX_MULTIPLIER_0 0xD2511F53u
#define PHILOX_MULTIPLIER_1 0xCD9E8D57u
#define PHILOX_KEY_STEP_0 0x9E3779B9u
#define PHILOX_KEY_STEP_1 0xBB67AE85u

// A stream of a world.
cosm_random cosmi_random_stream(uint64_t seed, uint64_t salt, uint64_t number, uint64_t step,
                                uint32_t stream);

// The words of a world's stream, as in the picture above.
#define RANDOM_NUMBER_BITS 24

static inline uint64_t random_key(uint64_t seed, uint64_t salt, uint64_t number) {
    return seed ^ salt ^ hash_mix(number >> RANDOM_NUMBER_BITS);
}

static inline uint32_t random_place(uint64_t number, uint64_t step) {
    uint32_t low = (uint32_t)number & ((1u << RANDOM_NUMBER_BITS) - 1);
    return low | (uint32_t)(step >> 32) << RANDOM_NUMBER_BITS;
}

// Counters and keys of many streams at their first block, side by side: what the picture above
// says.
#define RANDOM_LANE_MAX 64u

struct random_lanes {
    uint32_t streams[RANDOM_LANE_MAX];
    uint32_t steps[RANDOM_LANE_MAX];
    uint32_t places[RANDOM_LANE_MAX];
    uint32_t keys_0[RANDOM_LANE_MAX];
    uint32_t keys_1[RANDOM_LANE_MAX];
};

// The blocks of the first `count` lanes, four numbers each.
void cosmi_random_lanes(const struct random_lanes *lanes, uint32_t count, uint32_t *out_blocks);

// Makes the next block of four numbers.
void cosmi_random_refill(cosm_random *random);

static inline uint32_t random_next(cosm_random *random) {
    // Neither 0 nor, in a stream that nobody has filled in, more than there can be.
    if (UNLIKELY(random->left - 1u >= 4u)) {
        cosmi_random_refill(random);
    }
    uint32_t number = random->block[4u - random->left];
    random->left--;
    return number;
}

// The first number drawn is the low half.
static inline uint64_t random_next_wide(cosm_random *random) {
    uint64_t low = random_next(random);
    return low | (uint64_t)random_next(random) << 32;
}

// Multiples of 2^-24 and 2^-53: every one of them is exact, and 1 is not among them.
static inline float random_unit(cosm_random *random) {
    return (float)(random_next(random) >> 8) * 0x1p-24f;
}

static inline double random_unit_wide(cosm_random *random) {
    return (double)(random_next_wide(random) >> 11) * 0x1p-53;
}

#endif
