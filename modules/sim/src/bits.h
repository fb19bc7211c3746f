// Flags of 64 worlds as the bits of one word.
//
// Flags are rare. Going through the bits of a word mispredicts once for 64 worlds; looking at the
// bytes one by one, or eight by eight, does so for nearly every flag.
#ifndef COSMI_SIM_BITS_H
#define COSMI_SIM_BITS_H

#include <stdint.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

// One bit for each of 64 worlds: is one of its bytes not zero? Give an array twice where there are
// fewer than three.
static inline uint64_t bits_of_all(const uint8_t *a, const uint8_t *b, const uint8_t *c) {
    uint64_t bits = 0;
#if defined(__SSE2__)
    for (uint32_t i = 0; i < 64; i += 16) {
        __m128i some = _mm_loadu_si128((const __m128i *)(const void *)(a + i));
        some = _mm_or_si128(some, _mm_loadu_si128((const __m128i *)(const void *)(b + i)));
        some = _mm_or_si128(some, _mm_loadu_si128((const __m128i *)(const void *)(c + i)));
        int zeroes = _mm_movemask_epi8(_mm_cmpeq_epi8(some, _mm_setzero_si128()));
        bits |= (uint64_t)(~(uint32_t)zeroes & 0xFFFFu) << i;
    }
#else
    for (uint32_t i = 0; i < 64; i++) {
        bits |= (uint64_t)((a[i] | b[i] | c[i]) != 0) << i;
    }
#endif
    return bits;
}

// The same for the first `count` of up to 64 worlds.
static inline uint64_t bits_of(const uint8_t *a, const uint8_t *b, const uint8_t *c,
                               uint32_t count) {
    if (count >= 64) {
        return bits_of_all(a, b, c);
    }
    uint64_t bits = 0;
    for (uint32_t i = 0; i < count; i++) {
        bits |= (uint64_t)((a[i] | b[i] | c[i]) != 0) << i;
    }
    return bits;
}

// The number of the lowest bit of a word that has one.
static inline uint32_t lowest_bit(uint64_t bits) {
#if defined(__GNUC__)
    return (uint32_t)__builtin_ctzll(bits);
#else
    uint32_t at = 0;
    while ((bits >> at & 1) == 0) {
        at++;
    }
    return at;
#endif
}

#endif
