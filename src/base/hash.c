// A 64-bit hash of bytes: four lanes of multiply and rotate, folded at the end.
#include "base/hash.h"

#include <string.h>

#define LANE_MULTIPLIER 0xA0761D6478BD642Fu
#define LANE_INCREMENT 0xE7037ED1A0B428DBu

static inline uint64_t load_u64(const unsigned char *bytes) {
    uint64_t value;
    memcpy(&value, bytes, sizeof(value));
    return value;
}

static inline uint64_t lane_step(uint64_t lane, uint64_t value) {
    lane = (lane ^ value) * LANE_MULTIPLIER;
    return (lane << 29) | (lane >> 35);
}

uint64_t cosmi_hash_bytes(uint64_t seed, const void *bytes, size_t size) {
    const unsigned char *at = bytes;
    size_t left = size;
    uint64_t lanes[4];
    for (int i = 0; i < 4; i++) {
        lanes[i] = seed + LANE_INCREMENT * (uint64_t)(i + 1);
    }
    while (left >= 32) {
        for (int i = 0; i < 4; i++) {
            lanes[i] = lane_step(lanes[i], load_u64(at + 8 * i));
        }
        at += 32;
        left -= 32;
    }
    uint64_t hash = hash_mix(lanes[0]) + hash_mix(lanes[1] ^ lanes[0]) +
                    hash_mix(lanes[2] ^ lanes[1]) + hash_mix(lanes[3] ^ lanes[2]);
    while (left >= 8) {
        hash = hash_mix(hash ^ load_u64(at)) + LANE_INCREMENT;
        at += 8;
        left -= 8;
    }
    uint64_t tail = 0;
    for (size_t i = 0; i < left; i++) {
        tail |= (uint64_t)at[i] << (8 * i);
    }
    return hash_mix(hash ^ tail ^ ((uint64_t)size << 56) ^ (uint64_t)size);
}

uint64_t cosmi_hash_text(const char *text) {
    return cosmi_hash_bytes(0, text, strlen(text));
}
