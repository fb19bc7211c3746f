// Component to column in O(1): a perfect hash made with the archetype.
//
// Ids are spread by one multiplication. The top bits choose a bucket, whose displacement turns
// the middle bits into a slot of its own for every id of the set:
//
//     slot = (middle(id * multiplier) + displacement[top(id * multiplier)]) & mask
//
// An id that is not in the set lands on a slot whose key is another: also an empty slot has one,
// chosen so that it does not lead there itself.
#ifndef COSM_SCHEMA_COLUMN_MAP_H
#define COSM_SCHEMA_COLUMN_MAP_H

#include "base/arena.h"

struct column_slot {
    uint16_t component; // of an empty slot: some id that does not lead here
    uint16_t column;    // 0 for a tag; of a split component: that of its first part
    uint32_t size;      // bytes of a value; 0 for a tag and for a split component
};

struct column_map {
    const struct column_slot *slots;
    const uint16_t *displacements;
    uint32_t multiplier;
    uint32_t mask;
    uint32_t bucket_shift;
    uint32_t slot_shift;
};

// Makes the map of `count` distinct ids below 2^15. The slots' columns and sizes
// are those of `entries`. False when out of memory; then what the arena gave stays in it.
bool cosmi_column_map_make(struct column_map *map, struct arena *arena,
                           const struct column_slot *entries, uint32_t count);

// The slot of a component, or NULL where it is not in the set.
static inline const struct column_slot *column_map_find(const struct column_map *map,
                                                        uint32_t component) {
    uint32_t hash = component * map->multiplier;
    uint32_t slot =
        ((hash >> map->slot_shift) + map->displacements[hash >> map->bucket_shift]) & map->mask;
    const struct column_slot *found = &map->slots[slot];
    return found->component == component ? found : NULL;
}

#endif
