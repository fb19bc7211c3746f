// A hash map by linear probing, at most half full.
#include "base/map.h"

#include "base/check.h"

#define MAP_ALIGNMENT _Alignof(struct map_slot)

void cosmi_map_init(struct map *map, struct memory *memory) {
    map->memory = memory;
    map->slots = NULL;
    map->capacity = 0;
    map->count = 0;
}

void cosmi_map_free(struct map *map) {
    cosmi_memory_free(map->memory, map->slots, map->capacity * sizeof(*map->slots), MAP_ALIGNMENT);
    map->slots = NULL;
    map->capacity = 0;
    map->count = 0;
}

uint32_t cosmi_map_find(const struct map *map, uint64_t hash, map_equals_fn *equals,
                        const void *context, const void *key) {
    if (map->capacity == 0) {
        return MAP_NONE;
    }
    uint32_t mask = map->capacity - 1;
    for (uint32_t i = (uint32_t)hash & mask; map->slots[i].index != MAP_NONE; i = (i + 1) & mask) {
        if (map->slots[i].hash == hash && equals(context, map->slots[i].index, key)) {
            return map->slots[i].index;
        }
    }
    return MAP_NONE;
}

static void place(struct map_slot *slots, uint32_t mask, struct map_slot slot) {
    uint32_t i = (uint32_t)slot.hash & mask;
    while (slots[i].index != MAP_NONE) {
        i = (i + 1) & mask;
    }
    slots[i] = slot;
}

bool cosmi_map_reserve(struct map *map) {
    if ((map->count + 1) * 2 <= map->capacity) {
        return true;
    }
    uint32_t capacity = map->capacity == 0 ? 16 : map->capacity * 2;
    struct map_slot *slots =
        cosmi_memory_alloc(map->memory, capacity * sizeof(*slots), MAP_ALIGNMENT);
    if (slots == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < capacity; i++) {
        slots[i] = (struct map_slot){0, MAP_NONE};
    }
    for (uint32_t i = 0; i < map->capacity; i++) {
        if (map->slots[i].index != MAP_NONE) {
            place(slots, capacity - 1, map->slots[i]);
        }
    }
    cosmi_memory_free(map->memory, map->slots, map->capacity * sizeof(*slots), MAP_ALIGNMENT);
    map->slots = slots;
    map->capacity = capacity;
    return true;
}

void cosmi_map_insert(struct map *map, uint64_t hash, uint32_t index) {
    INVARIANT((map->count + 1) * 2 <= map->capacity, "room was reserved before the insert");
    place(map->slots, map->capacity - 1, (struct map_slot){hash, index});
    map->count++;
}

void cosmi_map_remove(struct map *map, uint64_t hash, uint32_t index) {
    uint32_t mask = map->capacity - 1;
    uint32_t hole = (uint32_t)hash & mask;
    while (map->slots[hole].index != index) {
        INVARIANT(map->slots[hole].index != MAP_NONE, "what is removed is in the map");
        hole = (hole + 1) & mask;
    }
    // Close the hole: move back every later entry of the run that may stand there.
    for (uint32_t i = (hole + 1) & mask; map->slots[i].index != MAP_NONE; i = (i + 1) & mask) {
        uint32_t home = (uint32_t)map->slots[i].hash & mask;
        if (((i - home) & mask) >= ((i - hole) & mask)) {
            map->slots[hole] = map->slots[i];
            hole = i;
        }
    }
    map->slots[hole].index = MAP_NONE;
    map->count--;
}
