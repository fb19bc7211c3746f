// From the names of C types to ids: read without a lock, by a key that compilers know already.
//
// A table with open addressing, at most half full. A slot is filled once and never emptied; a table
// that is too small is replaced by a larger one, and stays for those who still read it.
#ifndef COSM_SCHEMA_TYPE_MAP_H
#define COSM_SCHEMA_TYPE_MAP_H

#include <stdatomic.h>

#include "base/arena.h"

#define TYPE_MANY 0xFFFFFFFFu // several have this type

struct type_slot {
    _Atomic(uint64_t) key; // zero: free; written after the id
    atomic_uint id;
};

struct type_slots {
    uint32_t mask;
    struct type_slot items[];
};

struct type_map {
    _Atomic(struct type_slots *) slots; // NULL: nothing has come yet
    uint32_t count;
};

// The key of a name, as cosm_type_of makes it of a literal.
uint64_t cosmi_type_key(const char *name);

void cosmi_type_map_init(struct type_map *map);

// Makes room for one more; false when out of memory. Under the schema's lock.
bool cosmi_type_map_reserve(struct type_map *map, struct arena *arena);

// Adds an id, for which there is room. Under the schema's lock.
void cosmi_type_map_add(struct type_map *map, uint64_t key, uint32_t id);

// The id, zero where there is none, TYPE_MANY where there are several. From any thread.
static inline uint32_t type_map_find(const struct type_map *map, uint64_t key) {
    const struct type_slots *slots = atomic_load_explicit(&map->slots, memory_order_acquire);
    if (slots == NULL) {
        return 0;
    }
    for (uint32_t at = (uint32_t)(key >> 32) & slots->mask;; at = (at + 1) & slots->mask) {
        uint64_t found = atomic_load_explicit(&slots->items[at].key, memory_order_acquire);
        if (found == key) {
            return atomic_load_explicit(&slots->items[at].id, memory_order_relaxed);
        }
        if (found == 0) {
            return 0;
        }
    }
}

#endif
