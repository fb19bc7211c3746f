// A hash map from 64-bit hashes to 32-bit indices, open addressing, for things that are found by
// content: names, sets, queries. Equality is the caller's: it is asked for each index whose hash
// agrees. Entries can be removed.
#ifndef COSM_BASE_MAP_H
#define COSM_BASE_MAP_H

#include "base/memory.h"

#define MAP_NONE 0xFFFFFFFFu

// Is the thing with this index the one that `key` describes?
typedef bool map_equals_fn(const void *context, uint32_t index, const void *key);

struct map_slot {
    uint64_t hash;
    uint32_t index; // MAP_NONE: empty
};

struct map {
    struct memory *memory;
    struct map_slot *slots;
    uint32_t capacity; // a power of two, or 0
    uint32_t count;
};

void cosmi_map_init(struct map *map, struct memory *memory);
void cosmi_map_free(struct map *map);

// MAP_NONE when absent.
uint32_t cosmi_map_find(const struct map *map, uint64_t hash, map_equals_fn *equals,
                        const void *context, const void *key);

// Makes room for one more, so that the next insert cannot fail.
bool cosmi_map_reserve(struct map *map);
void cosmi_map_insert(struct map *map, uint64_t hash, uint32_t index);
void cosmi_map_remove(struct map *map, uint64_t hash, uint32_t index);

#endif
