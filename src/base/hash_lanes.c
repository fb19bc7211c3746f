// The lanes of the hash of bytes: eight words, into which groups of four stripes of eight words go.
//
//   lane[i]     += low half * high half of (word[i] ^ key[stripe][i])
//   lane[i ^ 1] += word[i], of every other stripe with its halves swapped
//
// and behind each group
//
//   lane[i]      = low half of lane[i] * LANE_FACTOR + high half of lane[i]
//
// The product tells stripes of a group apart, by their keys. The sum keeps what a product with a
// zero would lose: a change of one word always changes a lane. The step behind the group is that of
// a generator by multiply with carry: it multiplies the lane modulo LANE_FACTOR * 2^32 - 1, which
// is a prime and so is half of what is below it, so that no group of an input counts as another one
// does, however far apart they are.
//
// All of it is made of 32 by 32 bit multiplications and 64 bit sums, of which vector units do two,
// four or more at a time. Whichever way is taken, the result is the same.
#include "base/hash.h"

#include <string.h>

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define HAS_VECTORS 1
#endif

#define STRIPE_COUNT 4
#define STRIPE_BYTES (HASH_LANE_COUNT * sizeof(uint64_t))

#define LANE_FACTOR 0xFFFFFF4Eu

_Static_assert(STRIPE_COUNT *STRIPE_BYTES == HASH_GROUP_BYTES, "a group is a number of stripes");

// hash_mix(1), hash_mix(2) and so on.
static const _Alignas(64) uint64_t lane_keys[STRIPE_COUNT][HASH_LANE_COUNT] = {
    {0x3B184EB6B4801AC1u, 0x7FE988BDFA632E3Cu, 0xE1B30C19C378A516u, 0xD6BC1033A7D35AA6u,
     0x9C111518828BD537u, 0xCD1F038266EE4C33u, 0xB69875B49D568813u, 0x84611F1FCD598DA2u},
    {0x4FBF0F8618CD1781u, 0x0F0B28E8AC845519u, 0x5BBA2420813749EFu, 0xA3F6F2551DCA6EA0u,
     0xDC249DC1166B096Eu, 0x4419EA20F9EE12C1u, 0xB42E058E2D641CB9u, 0xACDB505E54107353u},
    {0xE88E3CBD7DE1A60Au, 0xA9370A5DBC0927FCu, 0x7355E71C654B16F3u, 0xF4FF50895987A9FCu,
     0x346D17778B31A2B8u, 0x5B8D5A6240F98353u, 0xE889E7B3A276E469u, 0x47EDE4AB3B94DD41u},
    {0x4A011843DEDBE605u, 0xB8493B832CD612DDu, 0xD014EF857B47E207u, 0xBB03C0D9C0EC311Bu,
     0x846A1342337D4294u, 0x685C0B1D5AC83973u, 0xACA25053B5E023D9u, 0x26E6B425D770F23Fu},
};

void cosmi_hash_lanes_plain(uint64_t *lanes, const void *bytes, size_t group_count) {
    const unsigned char *at = bytes;
    for (size_t g = 0; g < group_count; g++) {
        for (int s = 0; s < STRIPE_COUNT; s++, at += STRIPE_BYTES) {
            for (int i = 0; i < HASH_LANE_COUNT; i++) {
                uint64_t word;
                memcpy(&word, at + (size_t)i * sizeof(word), sizeof(word));
                uint64_t keyed = word ^ lane_keys[s][i];
                lanes[i] += (keyed & 0xFFFFFFFFu) * (keyed >> 32);
                lanes[i ^ 1] += s % 2 == 0 ? word : (word << 32 | word >> 32);
            }
        }
        for (int i = 0; i < HASH_LANE_COUNT; i++) {
            lanes[i] = (lanes[i] & 0xFFFFFFFFu) * LANE_FACTOR + (lanes[i] >> 32);
        }
    }
}

#ifdef HAS_VECTORS

// Two lanes at a time, which every x86-64 can.
static void lanes_by_two(uint64_t *lanes, const void *bytes, size_t group_count) {
    const __m128i *at = bytes;
    const __m128i *keys = (const void *)lane_keys;
    const __m128i factor = _mm_set1_epi64x(LANE_FACTOR);
    __m128i sums[4];
    memcpy(sums, lanes, sizeof(sums));
    for (size_t g = 0; g < group_count; g++) {
        for (int s = 0; s < STRIPE_COUNT; s++, at += 4) {
            for (int i = 0; i < 4; i++) {
                __m128i words = _mm_loadu_si128(at + i);
                __m128i keyed = _mm_xor_si128(words, _mm_load_si128(keys + 4 * s + i));
                __m128i high = _mm_srli_epi64(keyed, 32);
                // Lanes change places; of every other stripe, the halves of words too.
                __m128i swapped =
                    s % 2 == 0 ? _mm_shuffle_epi32(words, 0x4E) : _mm_shuffle_epi32(words, 0x1B);
                sums[i] = _mm_add_epi64(sums[i], _mm_mul_epu32(keyed, high));
                sums[i] = _mm_add_epi64(sums[i], swapped);
            }
        }
        for (int i = 0; i < 4; i++) {
            __m128i high = _mm_srli_epi64(sums[i], 32);
            sums[i] = _mm_add_epi64(_mm_mul_epu32(sums[i], factor), high);
        }
    }
    memcpy(lanes, sums, sizeof(sums));
}

// The same with four lanes at a time.
__attribute__((target("avx2"))) static void lanes_by_four(uint64_t *lanes, const void *bytes,
                                                          size_t group_count) {
    const __m256i *at = bytes;
    const __m256i *keys = (const void *)lane_keys;
    const __m256i factor = _mm256_set1_epi64x(LANE_FACTOR);
    __m256i sums[2];
    memcpy(sums, lanes, sizeof(sums));
    for (size_t g = 0; g < group_count; g++) {
        for (int s = 0; s < STRIPE_COUNT; s++, at += 2) {
            for (int i = 0; i < 2; i++) {
                __m256i words = _mm256_loadu_si256(at + i);
                __m256i keyed = _mm256_xor_si256(words, _mm256_load_si256(keys + 2 * s + i));
                __m256i high = _mm256_srli_epi64(keyed, 32);
                __m256i swapped = s % 2 == 0 ? _mm256_shuffle_epi32(words, 0x4E)
                                             : _mm256_shuffle_epi32(words, 0x1B);
                sums[i] = _mm256_add_epi64(sums[i], _mm256_mul_epu32(keyed, high));
                sums[i] = _mm256_add_epi64(sums[i], swapped);
            }
        }
        for (int i = 0; i < 2; i++) {
            __m256i high = _mm256_srli_epi64(sums[i], 32);
            sums[i] = _mm256_add_epi64(_mm256_mul_epu32(sums[i], factor), high);
        }
    }
    memcpy(lanes, sums, sizeof(sums));
}

#endif

uint32_t cosmi_hash_lanes_ways(hash_lanes_fn *out_ways[HASH_WAY_MAX]) {
    uint32_t count = 0;
#ifdef HAS_VECTORS
    if (__builtin_cpu_supports("avx2")) {
        out_ways[count++] = lanes_by_four;
    }
    out_ways[count++] = lanes_by_two;
#endif
    out_ways[count++] = cosmi_hash_lanes_plain;
    return count;
}

void cosmi_hash_lanes(uint64_t *lanes, const void *bytes, size_t group_count) {
#ifdef HAS_VECTORS
    if (__builtin_cpu_supports("avx2")) {
        lanes_by_four(lanes, bytes, group_count);
    } else {
        lanes_by_two(lanes, bytes, group_count);
    }
#else
    cosmi_hash_lanes_plain(lanes, bytes, group_count);
#endif
}
