// The making of type maps: see type_map.h.
#include "schema/type_map.h"

#include <cosm/inlined.h>

#include <string.h>

#define SLOTS_FIRST 16u

uint64_t cosmi_type_key(const char *name) {
    char padded[COSM_NAME_LENGTH_MAX + 9] = {0};
    size_t length = strlen(name); // a checked name, and so not too long
    memcpy(padded, name, length);
    return cosm_type_key(padded, length);
}

void cosmi_type_map_init(struct type_map *map) {
    atomic_init(&map->slots, NULL);
    map->count = 0;
}

static struct type_slot *find_slot(struct type_slots *slots, uint64_t key) {
    uint32_t at = (uint32_t)(key >> 32) & slots->mask;
    for (;; at = (at + 1) & slots->mask) {
        uint64_t found = atomic_load_explicit(&slots->items[at].key, memory_order_relaxed);
        if (found == key || found == 0) {
            return &slots->items[at];
        }
    }
}

static void fill_slot(struct type_slot *slot, uint64_t key, uint32_t id) {
    atomic_store_explicit(&slot->id, id, memory_order_relaxed);
    atomic_store_explicit(&slot->key, key, memory_order_release);
}

bool cosmi_type_map_reserve(struct type_map *map, struct arena *arena) {
    struct type_slots *old = atomic_load_explicit(&map->slots, memory_order_relaxed);
    if (old != NULL && 2 * (map->count + 1) <= old->mask + 1) {
        return true;
    }
    uint32_t count = old == NULL ? SLOTS_FIRST : 2 * (old->mask + 1);
    struct type_slots *slots = cosmi_arena_alloc(
        arena, sizeof(*slots) + count * sizeof(*slots->items), _Alignof(struct type_slots));
    if (slots == NULL) {
        return false;
    }
    slots->mask = count - 1;
    for (uint32_t i = 0; i < count; i++) {
        atomic_init(&slots->items[i].key, 0);
        atomic_init(&slots->items[i].id, 0);
    }
    for (uint32_t i = 0; old != NULL && i <= old->mask; i++) {
        uint64_t key = atomic_load_explicit(&old->items[i].key, memory_order_relaxed);
        if (key != 0) {
            fill_slot(find_slot(slots, key), key,
                      atomic_load_explicit(&old->items[i].id, memory_order_relaxed));
        }
    }
    atomic_store_explicit(&map->slots, slots, memory_order_release);
    return true;
}

void cosmi_type_map_add(struct type_map *map, uint64_t key, uint32_t id) {
    struct type_slots *slots = atomic_load_explicit(&map->slots, memory_order_relaxed);
    struct type_slot *slot = find_slot(slots, key);
    bool is_new = atomic_load_explicit(&slot->key, memory_order_relaxed) == 0;
    fill_slot(slot, key, is_new ? id : TYPE_MANY);
    map->count += is_new;
}
