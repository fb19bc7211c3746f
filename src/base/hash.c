// A 64-bit hash of bytes: few are mixed word by word, many go through lanes (hash_lanes.c) that are
// folded at the end.
#include "base/hash.h"

#include <string.h>

// Inputs below this many bytes do without lanes: setting them up and folding them takes longer.
#define SHORT_BYTES ((size_t)96)

#define SIZE_FACTOR 0xE7037ED1A0B428DBu

static const uint64_t lane_seeds[HASH_LANE_COUNT] = {
    0xA0761D6478BD642Fu, 0xE7037ED1A0B428DBu, 0x8EBC6AF09C88C6E3u, 0x589965CC75374CC3u,
    0x1D8E4E27C47D124Fu, 0xEB44ACCAB455D165u, 0x9E3779B97F4A7C15u, 0xC2B2AE3D27D4EB4Fu,
};

static inline uint64_t load_u64(const unsigned char *bytes) {
    uint64_t value;
    memcpy(&value, bytes, sizeof(value));
    return value;
}

// Up to eight bytes as a word.
static inline uint64_t load_few(const unsigned char *bytes, size_t size) {
    if (size >= 4) {
        uint32_t first;
        uint32_t last;
        memcpy(&first, bytes, sizeof(first));
        memcpy(&last, bytes + size - sizeof(last), sizeof(last));
        return (uint64_t)first << 32 | last;
    }
    uint64_t value = 0;
    for (size_t i = 0; i < size; i++) {
        value |= (uint64_t)bytes[i] << (8 * i);
    }
    return value;
}

static uint64_t hash_short(uint64_t seed, const unsigned char *bytes, size_t size) {
    uint64_t hash = hash_mix(seed ^ size * SIZE_FACTOR);
    while (size > 8) {
        hash = hash_mix(hash ^ load_u64(bytes)) + SIZE_FACTOR;
        bytes += 8;
        size -= 8;
    }
    return hash_mix(hash ^ load_few(bytes, size));
}

// A change in one lane changes the sum, and one in several does but by the rarest of chances.
static uint64_t fold_lanes(uint64_t seed, const uint64_t *lanes, uint64_t size) {
    uint64_t sum = hash_mix(seed ^ size * SIZE_FACTOR);
    for (int i = 0; i < HASH_LANE_COUNT; i++) {
        uint64_t lane = (lanes[i] ^ lanes[i] >> 32) * lane_seeds[i];
        sum += lane ^ lane >> 29;
    }
    return hash_mix(sum);
}

// What is left behind the last whole group, with zeroes to fill a group up: how many there are is
// told by the size.
static void take_rest(uint64_t *lanes, const unsigned char *bytes, size_t size) {
    if (size > 0) {
        unsigned char group[HASH_GROUP_BYTES];
        memcpy(group, bytes, size);
        memset(group + size, 0, HASH_GROUP_BYTES - size);
        cosmi_hash_lanes(lanes, group, 1);
    }
}

uint64_t cosmi_hash_bytes(uint64_t seed, const void *bytes, size_t size) {
    if (size < SHORT_BYTES) {
        return hash_short(seed, bytes, size);
    }
    uint64_t lanes[HASH_LANE_COUNT];
    memcpy(lanes, lane_seeds, sizeof(lanes));
    size_t whole = size / HASH_GROUP_BYTES;
    cosmi_hash_lanes(lanes, bytes, whole);
    size_t done = whole * HASH_GROUP_BYTES;
    take_rest(lanes, (const unsigned char *)bytes + done, size - done);
    return fold_lanes(seed, lanes, size);
}

static inline uint64_t text_step(uint64_t lane, uint64_t value) {
    lane = (lane ^ value) * lane_seeds[0];
    return (lane << 29) | (lane >> 35);
}

uint64_t cosmi_hash_text(const char *text) {
    const unsigned char *at = (const unsigned char *)text;
    size_t size = strlen(text);
    size_t left = size;
    uint64_t lanes[4];
    for (int i = 0; i < 4; i++) {
        lanes[i] = SIZE_FACTOR * (uint64_t)(i + 1);
    }
    for (; left >= 32; left -= 32, at += 32) {
        for (int i = 0; i < 4; i++) {
            lanes[i] = text_step(lanes[i], load_u64(at + 8 * i));
        }
    }
    uint64_t hash = hash_mix(lanes[0]) + hash_mix(lanes[1] ^ lanes[0]) +
                    hash_mix(lanes[2] ^ lanes[1]) + hash_mix(lanes[3] ^ lanes[2]);
    for (; left >= 8; left -= 8, at += 8) {
        hash = hash_mix(hash ^ load_u64(at)) + SIZE_FACTOR;
    }
    uint64_t tail = 0;
    for (size_t i = 0; i < left; i++) {
        tail |= (uint64_t)at[i] << (8 * i);
    }
    return hash_mix(hash ^ tail ^ ((uint64_t)size << 56) ^ (uint64_t)size);
}

void cosmi_hash_begin(struct hash_stream *stream) {
    memcpy(stream->lanes, lane_seeds, sizeof(stream->lanes));
    stream->size = 0;
    stream->fill = 0;
}

void cosmi_hash_add(struct hash_stream *stream, const void *bytes, size_t size) {
    const unsigned char *at = bytes;
    stream->size += size;
    if (stream->fill > 0) {
        size_t room = HASH_GROUP_BYTES - stream->fill;
        size_t part = size < room ? size : room;
        memcpy(stream->buffer + stream->fill, at, part);
        stream->fill += part;
        at += part;
        size -= part;
        if (stream->fill < HASH_GROUP_BYTES) {
            return;
        }
        cosmi_hash_lanes(stream->lanes, stream->buffer, 1);
    }
    size_t whole = size / HASH_GROUP_BYTES;
    cosmi_hash_lanes(stream->lanes, at, whole);
    stream->fill = size - whole * HASH_GROUP_BYTES;
    if (stream->fill > 0) {
        memcpy(stream->buffer, at + whole * HASH_GROUP_BYTES, stream->fill);
    }
}

uint64_t cosmi_hash_end(struct hash_stream *stream, uint64_t seed) {
    if (stream->size < SHORT_BYTES) {
        return hash_short(seed, stream->buffer, (size_t)stream->size);
    }
    take_rest(stream->lanes, stream->buffer, stream->fill);
    return fold_lanes(seed, stream->lanes, stream->size);
}
