// A 64-bit hash of bytes: for maps and for state checksums. Not for secrets.
#ifndef COSM_BASE_HASH_H
#define COSM_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

// The same on every platform of the same byte order. `seed` chains: a hash of two pieces is the
// hash of the second one seeded with the first one's.
uint64_t cosmi_hash_bytes(uint64_t seed, const void *bytes, size_t size);
uint64_t cosmi_hash_text(const char *text);

static inline uint64_t hash_mix(uint64_t value) {
    value ^= value >> 32;
    value *= 0x9FB21C651E98DF25u;
    value ^= value >> 29;
    value *= 0xD6E8FEB86659FD93u;
    value ^= value >> 32;
    return value;
}

static inline uint64_t hash_u64(uint64_t seed, uint64_t value) {
    return hash_mix(seed ^ (value + 0x9E3779B97F4A7C15u));
}

#endif
