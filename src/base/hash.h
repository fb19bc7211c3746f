// A 64-bit hash of bytes: for maps and for the hashes of state. Not for secrets.
#ifndef COSM_BASE_HASH_H
#define COSM_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

// The same on every platform of the same byte order. `seed` chains: a hash of two pieces is the
// hash of the second one seeded with the first one's.
uint64_t cosmi_hash_bytes(uint64_t seed, const void *bytes, size_t size);

// The hash of a name, a function of its own: names salt the random numbers of systems, which are to
// stay what they are when the other one becomes better or faster.
uint64_t cosmi_hash_text(const char *text);

// Bytes are taken in groups of this many.
#define HASH_GROUP_BYTES ((size_t)256)
#define HASH_LANE_COUNT 8

// The same for bytes that come piece by piece: the end of a stream is the hash of all that was
// added. Invariant: `fill` bytes, fewer than a group, are in the buffer, behind as many whole
// groups as there are in `size`.
struct hash_stream {
    uint64_t lanes[HASH_LANE_COUNT];
    uint64_t size;
    size_t fill;
    unsigned char buffer[HASH_GROUP_BYTES];
};

void cosmi_hash_begin(struct hash_stream *stream);
void cosmi_hash_add(struct hash_stream *stream, const void *bytes, size_t size);
uint64_t cosmi_hash_end(struct hash_stream *stream, uint64_t seed);

// Takes whole groups into the lanes: see base/hash_lanes.c. All ways give the same; the plain one
// is there on every machine.
typedef void hash_lanes_fn(uint64_t *lanes, const void *bytes, size_t group_count);
void cosmi_hash_lanes_plain(uint64_t *lanes, const void *bytes, size_t group_count);

// The ways that this machine can go, the plain one last; how many there are.
#define HASH_WAY_MAX 3
uint32_t cosmi_hash_lanes_ways(hash_lanes_fn *out_ways[HASH_WAY_MAX]);

// By the fastest of them.
void cosmi_hash_lanes(uint64_t *lanes, const void *bytes, size_t group_count);

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
