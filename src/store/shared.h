// Shared values: what entities of a world have in common, and the tables that go by it.
//
//   base store of an archetype       group_lists[w] -> group, group, group ...
//   with shared components                              |
//   (has no rows itself)                                v
//                                     values[] -> value of component 1, of component 2 ...
//                                     store    -> a store with one table, of one world
//
// A group is a table: the rows of one archetype in one world that have equal shared values. Its
// store looks like any other; the records of its entities name it by a number from GROUP_FIRST on,
// which means something in its own world only. All of it belongs to the world: no lock is needed,
// and numbers and orders follow from the history of the world.
//
// Groups that may have lost their last row are noted, and freed, with the values that nobody has
// any more, when the public call at hand is done: so planning and doing may hold on to them.
#ifndef COSM_STORE_SHARED_H
#define COSM_STORE_SHARED_H

#include "base/map.h"
#include "store/side.h"

// The groups of one archetype that have a value, linked through group->links.
struct group_head {
    struct archetype *archetype;
    uint32_t slot; // which of the archetype's shared components
    struct group *first;
};

// One value of a shared component. Invariant: group_count is the number of groups that have it, and
// the heads list all of them.
struct shared_value {
    const struct value_type *type;
    uint64_t hash;
    uint32_t index; // in the world's list
    uint32_t group_count;
    struct group_head *heads;
    uint32_t head_count;
    uint32_t head_capacity;
    void *bytes; // behind the struct
};

// Neighbours among the groups of one archetype with the same value of one component.
struct group_link {
    struct group *next;
    struct group *previous;
};

// Invariants: the store's counts[world] is `count`; values are as many as the archetype has shared
// components, and of those, in their order.
struct group {
    struct store *store;
    uint32_t count;           // rows; what the store's counts lead to
    uint32_t number;          // its store's id is GROUP_FIRST + number
    uint32_t place;           // in the list of its archetype
    uint32_t planned;         // where a plan of a change lists it: query/bulk.c
    bool is_noted;            // may be empty
    bool is_first;            // its number is new, and no call before this one has ended with it
    struct group *noted;      // the next such one
    uint64_t hash;            // of archetype and values
    struct group_link *links; // behind the values
    struct shared_value *values[];
};

// The groups of one archetype in one world.
struct group_list {
    struct group **groups;
    uint32_t count;
    uint32_t capacity;
};

// All shared values and groups of a world.
struct shared {
    struct map value_map; // by component and content: indices of values
    struct shared_value **values;
    uint32_t value_count;
    uint32_t value_capacity;
    struct map group_map;  // by archetype and values: numbers of groups
    struct group **groups; // by number; NULL where free
    uint32_t group_count;
    uint32_t group_capacity;
    uint32_t *free_numbers; // last freed last
    uint32_t free_count;
    uint32_t free_capacity;
    struct group *noted;
};

// The shared values of a world; NULL where it has none.
static inline struct shared *world_shared(const struct cosm_batch *batch, uint32_t world) {
    return batch->besides[world] == NULL ? NULL : batch->besides[world]->shared;
}

// Small values are compared without a call: a walk by value begins with it.
static inline bool value_is_equal(const struct value_type *type, const void *a, const void *b) {
    if (UNLIKELY(type->lifecycle.equals != NULL)) {
        return type->lifecycle.equals(type->lifecycle.context, a, b);
    }
    if (type->size == sizeof(uint32_t)) {
        return memcmp(a, b, sizeof(uint32_t)) == 0;
    }
    return type->size == sizeof(uint64_t) ? memcmp(a, b, sizeof(uint64_t)) == 0
                                          : memcmp(a, b, type->size) == 0;
}

// The value of a component in a world, by its hash; NULL where no entity has it. It is
// cosmi_map_find with what that asks spelt out.
static inline struct shared_value *shared_find_value(const struct shared *shared,
                                                     const struct value_type *type,
                                                     const void *bytes, uint64_t hash) {
    const struct map *map = &shared->value_map;
    if (map->capacity == 0) {
        return NULL;
    }
    uint32_t mask = map->capacity - 1;
    for (uint32_t i = (uint32_t)hash & mask; map->slots[i].index != MAP_NONE; i = (i + 1) & mask) {
        if (map->slots[i].hash == hash) {
            struct shared_value *value = shared->values[map->slots[i].index];
            if (value->type == type && value_is_equal(type, value->bytes, bytes)) {
                return value;
            }
        }
    }
    return NULL;
}

// The groups of an archetype with a value; NULL where there are none.
static inline struct group_head *value_find_head(const struct shared_value *value,
                                                 const struct archetype *archetype) {
    for (uint32_t i = 0; i < value->head_count; i++) {
        if (value->heads[i].archetype == archetype) {
            return &value->heads[i];
        }
    }
    return NULL;
}

// The store for rows of an archetype with the shared values of `source` (NULL: of none), but for
// `values`; what neither has gets the default. Made where it is new; of an archetype without shared
// components it is the archetype's. Entries of `values` that are not shared are passed over. NULL,
// with a message that names `call`, on failure.
struct store *cosmi_shared_store(cosm_world world, const char *call, struct archetype *archetype,
                                 const struct store *source, const cosm_value *values,
                                 uint32_t value_count);

// The store of a table number from GROUP_FIRST on, or NULL.
struct store *cosmi_shared_find(const struct cosm_batch *batch, uint32_t world, uint32_t table);

// The value of a component in a world, or NULL where no entity has it.
struct shared_value *cosmi_shared_value(const struct cosm_batch *batch, uint32_t world,
                                        const struct value_type *type, const void *bytes);

// The hash of a value, and whether two are equal, as their component says.
uint64_t cosmi_shared_hash(const struct value_type *type, const void *bytes);
bool cosmi_shared_equals(const struct value_type *type, const void *a, const void *b);

// The value that the rows of a store have of a component; NULL where they share none.
const struct shared_value *cosmi_store_shared(const struct store *store, uint32_t component);

// Entities that have a value.
uint32_t cosmi_shared_count(const struct shared_value *value);

// The tables of an archetype in a world, one after the other; `after` is the one before, NULL to
// begin with. NULL at the end. `base` is the archetype's store; without shared components it is the
// only table.
const struct store *cosmi_shared_table(const struct store *base, uint32_t world,
                                       const struct store *after);

// The group may have lost its last row.
void cosmi_group_note(cosm_world world, struct group *group);

// Notes all groups of a world.
void cosmi_shared_note_all(cosm_world world);

// Frees the noted groups that are empty, and the values that nobody has any more.
void cosmi_shared_collect(cosm_world world);

// Frees everything. The world has no rows.
void cosmi_world_shared_free(cosm_world world);

// Frees the list of an archetype's groups in a world, which is empty, where there is one.
void cosmi_group_list_free(struct cosm_batch *batch, const struct store *base, uint32_t world);

// Parts that are in no list yet, or in none any more, for whoever makes all of a world's groups at
// once: state/shared_image.c. A group without rows, which has neither number nor values; a copy of
// a value. Both NULL when out of memory.
struct group *cosmi_group_make(cosm_world world, struct archetype *archetype);
void cosmi_group_end(cosm_world world, struct group *group);
struct shared_value *cosmi_shared_value_make(struct memory *memory, const struct value_type *type,
                                             const void *bytes, uint64_t hash);
void cosmi_shared_value_end(struct memory *memory, struct shared_value *value);

// The list of an archetype's groups in a world, made where there is none, with room for `count` of
// them. NULL when out of memory.
struct group_list *cosmi_group_list_reserve(cosm_world world, const struct store *base,
                                            uint32_t count);

// All stores in which a world may have rows: those of the batch, then the world's groups.
struct store *cosmi_shared_next(const struct cosm_batch *batch, uint32_t world,
                                const struct store *store);

static inline struct store *world_first_store(const struct cosm_batch *batch, uint32_t world) {
    struct store *store = batch_first_store(batch);
    return store != NULL ? store : cosmi_shared_next(batch, world, NULL);
}

static inline struct store *world_next_store(const struct cosm_batch *batch, uint32_t world,
                                             const struct store *store) {
    struct store *next = store->next; // NULL in groups
    return next != NULL ? next : cosmi_shared_next(batch, world, store);
}

// Walks every invariant of a world's shared values, and counts their entities anew.
cosm_result cosmi_shared_validate(const struct cosm_batch *batch, uint32_t world);

size_t cosmi_world_shared_bytes(const struct cosm_batch *batch, uint32_t index);
size_t cosmi_shared_live_bytes(const struct cosm_batch *batch, uint32_t index);
void cosmi_shared_trim(cosm_world world);

#endif
