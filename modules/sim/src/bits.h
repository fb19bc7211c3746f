// Flags of 64 worlds as the bits of one word.
//
// Flags are rare. Going through the bits of a word mispredicts once for 64 worlds; looking at the
// bytes one by one, or eight by eight, does so for nearly every flag.
#ifndef COSMI_SIM_BITS_H
#define COSMI_SIM_BITS_H

#include <stdint.h>
#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

// One bit for each of 64 bytes: is it not zero?
static inline uint64_t bits_of_all(const uint8_t *bytes) {
    uint64_t bits = 0;
#if defined(__SSE2__)
    for (uint32_t i = 0; i < 64; i += 16) {
        __m128i some = _mm_loadu_si128((const __m128i *)(const void *)(bytes + i));
        uint32_t none = (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(some, _mm_setzero_si128()));
        bits |= (uint64_t)none << i;
    }
    bits = ~bits;
#else
    for (uint32_t i = 0; i < 64; i++) {
        bits |= (uint64_t)(bytes[i] != 0) << i;
    }
#endif
    return bits;
}

// The same for the first `count` of up to 64 bytes.
static inline uint64_t bits_of(const uint8_t *bytes, uint32_t count) {
    if (count >= 64) {
        return bits_of_all(bytes);
    }
    uint8_t copy[64] = {0};
    memcpy(copy, bytes, count);
    return bits_of_all(copy);
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

// Adds the numbers of the bits of a word, `first` and more, to a list; returns its new length. Most
// words have up to four bits, and cost one branch that is foreseen. The list has room for one more.
static inline uint32_t list_bits(uint64_t bits, uint32_t first, uint32_t *list, uint32_t length) {
    while (bits != 0) {
        for (uint32_t k = 0; k < 4; k++) {
            list[length] = first + lowest_bit(bits | (uint64_t)1 << 63);
            length += bits != 0;
            bits &= bits - 1;
        }
    }
    return length;
}

#endif
