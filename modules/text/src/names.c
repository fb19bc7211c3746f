// The names of entities in a text, by id or sorted.
#include "names.h"

#include <stdlib.h>
#include <string.h>

bool cosmi_text_names_add(struct names *names, struct name name) {
    if (names->count == names->capacity) {
        uint32_t capacity = names->capacity == 0 ? 64 : 2 * names->capacity;
        struct name *items = realloc(names->items, capacity * sizeof(*items));
        if (items == NULL) {
            return false;
        }
        names->items = items;
        names->capacity = capacity;
    }
    names->items[names->count++] = name;
    return true;
}

static uint64_t key_of(cosm_entity entity) {
    return (uint64_t)entity.id << 32 | entity.gen;
}

// Slots for ids up to the highest one, unless these would be many more than there are names.
static bool take_slots(struct names *names) {
    uint32_t highest = 0;
    for (uint32_t i = 0; i < names->count; i++) {
        uint32_t id = names->items[i].entity.id;
        highest = id > highest ? id : highest;
    }
    if (highest / 4 > names->count + 256) {
        return false;
    }
    names->slots = calloc((size_t)highest + 1, sizeof(*names->slots));
    names->slot_count = highest + 1;
    return names->slots != NULL;
}

// Puts names into their slots. False where two of them have the same id.
static bool fill_slots(struct names *names) {
    for (uint32_t i = 0; i < names->count; i++) {
        uint32_t *slot = &names->slots[names->items[i].entity.id];
        if (*slot != 0) {
            return false;
        }
        *slot = i + 1;
    }
    return true;
}

// Merges two neighbouring runs, each in order, to `target`.
static void merge(const struct name *source, size_t middle, size_t end, struct name *target) {
    size_t left = 0;
    size_t right = middle;
    for (size_t i = 0; i < end; i++) {
        bool take_left = right == end || (left < middle && key_of(source[left].entity) <=
                                                               key_of(source[right].entity));
        target[i] = source[take_left ? left++ : right++];
    }
}

// A stable sort whose time does not depend on what comes in. False when out of memory.
static bool sort(struct names *names) {
    struct name *spare = malloc(names->capacity * sizeof(*spare));
    size_t count = names->count;
    if (spare == NULL) {
        return false;
    }
    for (size_t run = 1; run < count; run *= 2) {
        for (size_t first = 0; first < count; first += 2 * run) {
            size_t middle = first + run < count ? run : count - first;
            size_t end = first + 2 * run < count ? 2 * run : count - first;
            merge(names->items + first, middle, end, spare + first);
        }
        struct name *sorted = spare;
        spare = names->items;
        names->items = sorted;
    }
    free(spare);
    return true;
}

bool cosmi_text_names_index(struct names *names, const struct name **out_twice) {
    *out_twice = NULL;
    if (names->count == 0 || (take_slots(names) && fill_slots(names))) {
        return true;
    }
    free(names->slots);
    names->slots = NULL;
    names->slot_count = 0;
    if (!sort(names)) {
        return false;
    }
    for (uint32_t i = 1; i < names->count && *out_twice == NULL; i++) {
        if (key_of(names->items[i].entity) == key_of(names->items[i - 1].entity)) {
            *out_twice = &names->items[i];
        }
    }
    return true;
}

const struct name *cosmi_text_names_find(const struct names *names, cosm_entity entity) {
    if (names->slots != NULL) {
        uint32_t slot = entity.id < names->slot_count ? names->slots[entity.id] : 0;
        return slot != 0 && names->items[slot - 1].entity.gen == entity.gen
                   ? &names->items[slot - 1]
                   : NULL;
    }
    uint64_t key = key_of(entity);
    size_t first = 0;
    size_t end = names->count;
    while (first < end) {
        size_t middle = first + (end - first) / 2;
        if (key_of(names->items[middle].entity) < key) {
            first = middle + 1;
        } else {
            end = middle;
        }
    }
    return first < names->count && key_of(names->items[first].entity) == key ? &names->items[first]
                                                                             : NULL;
}

void cosmi_text_names_free(struct names *names) {
    free(names->items);
    free(names->slots);
    *names = (struct names){NULL, 0, 0, NULL, 0};
}
