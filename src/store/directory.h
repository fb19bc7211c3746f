// The directory of a world: which ids are alive, and where each entity is.
//
// A record's generation is odd while its entity lives and even while it does not. Free ids form a
// list through the records, last freed first; when it is empty, ids come in ascending order. An
// id whose generation is used up is retired: it is never handed out again.
//
// When all ids are free (and none is retired), they are handed out from zero again.
//
//   ids    0 ........ used ........ known ........ capacity
//          handed out | since the last reset not   | never
//                     | handed out again           | handed out
#ifndef COSM_STORE_DIRECTORY_H
#define COSM_STORE_DIRECTORY_H

#include <string.h>

#include "base/check.h"
#include "base/pool.h"

#define ID_NONE 0xFFFFFFFFu

// What `table` says of a record that is not alive.
#define TABLE_FREE 0xFFFFFFFFu     // in the free list, or not handed out since the last reset
#define TABLE_RESERVED 0xFFFFFFFEu // reserved for a command that has not been applied

// The last even generation: after the next one, ids would begin again with the first.
#define GEN_RETIRED 0xFFFFFFFEu

struct record {
    uint32_t gen;
    uint32_t table; // archetype id, or one of the above
    uint32_t row;   // of a free id: the next free one
};

// Sets generation and table together. Written as one word where that is the order of its bytes:
// what frees or takes many ids is bound by the number of its stores.
static inline void record_set_state(struct record *record, uint32_t gen, uint32_t table) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    uint64_t both = gen | (uint64_t)table << 32;
    memcpy(record, &both, sizeof(both));
#else
    record->gen = gen;
    record->table = table;
#endif
}

_Static_assert(sizeof(struct record) == 12, "12 bytes of directory per entity");

// One world. Written by whoever changes the world, but for `walks_shared`, and for the
// reservation, which recorders on any thread take under `reserved_lock`.
//
// Walks are counted in two places: `walks` for the thread that changed the world last, which needs
// no atomic addition for it, and `walks_shared` for all others. A direct change of the world, for
// which nobody else may be there and both counts are zero, makes its thread the owner.
//
// Invariants: alive + free_count + reserved records + retired ones = used; used <= known <=
// capacity. The first `reserved_free` ids of the free list and the next `reserved_fresh` unused
// ones are reserved; `reserved_cursor` is the first id of the list that is not.
struct world {
    _Alignas(64) struct record *records;
    const void *owner; // a thread_token
    uint32_t used;
    uint32_t known;
    uint32_t capacity;
    uint32_t free_head;
    uint32_t free_count;
    uint32_t alive;
    atomic_uint walks; // stored by the owner only
    atomic_uint walks_shared;
    atomic_uint reserved_free;
    atomic_uint reserved_fresh;
    uint32_t reserved_cursor;
    atomic_flag reserved_lock;
    uint8_t range_log2 : 7; // log2 of the records of address space; 0: a pooled block
    uint8_t ids_dirty : 1;  // ids were reserved, given back or reset since the last snapshot
    uint16_t fresh_deaths;  // half the generation of ids that have no record yet
};

_Static_assert(sizeof(struct world) == 64, "a world is found by a shift, and shares no cache line");

void cosmi_directory_init(struct world *world);
void cosmi_directory_free(struct world *world, struct memory *memory, struct pool *pool);

// Makes room for `count` more ids than are in use, reserved ones included. False when out of
// memory or past COSM_WORLD_ENTITY_MAX; then nothing has changed.
bool cosmi_directory_reserve(struct world *world, struct memory *memory, struct pool *pool,
                             uint32_t count);

// Makes room for records of the first `known` ids. False when out of memory.
bool cosmi_directory_fit(struct world *world, struct memory *memory, struct pool *pool,
                         uint32_t known);

// Ids that can still be handed out before the limit.
uint32_t cosmi_directory_room(const struct world *world);

// Gives back what the ids in use do not need. Best effort.
void cosmi_directory_trim(struct world *world, struct memory *memory, struct pool *pool);

size_t cosmi_directory_bytes(const struct world *world, const struct memory *memory);

// Reserves an id to a command, on any thread: the handle it will have. None past the limit.
cosm_entity cosmi_directory_reserve_id(struct world *world);

// Takes all reserved ids off the free list; after that each of them is kept or broken on its own.
// Room for the fresh ones must have been made: cosmi_directory_reserve(world, ..., 0).
void cosmi_directory_settle(struct world *world);

// Is the handle a reserved id that was settled and not yet kept?
bool cosmi_directory_is_reserved(const struct world *world, cosm_entity entity);

// Breaks a reservation: the handle never comes alive, the id goes back to the free list.
void cosmi_directory_break(struct world *world, cosm_entity entity);

// Takes a reservation back that was settled and not reported: the id goes back to the
// free list as it was.
void cosmi_directory_take_back(struct world *world, cosm_entity entity);

// Every id that lives is freed, and ids are handed out from zero again. Reserved ids are broken.
// Needs no memory. Cannot be done when ids without a record are reserved and this has happened
// 65,535 times before: settle them first.
bool cosmi_directory_can_reset(struct world *world);
void cosmi_directory_reset(struct world *world);

// The generation of an id that has no record yet: zero, unless a reset broke reservations of such
// ids.
static inline uint32_t directory_fresh_gen(const struct world *world) {
    return 2u * world->fresh_deaths;
}

static inline bool directory_has_reserved(struct world *world) {
    return (atomic_load_explicit(&world->reserved_free, memory_order_relaxed) |
            atomic_load_explicit(&world->reserved_fresh, memory_order_relaxed)) != 0;
}

// Records that the ids of a world take once its reserved ids are settled.
static inline uint32_t directory_need(struct world *world) {
    uint32_t end = world->used + atomic_load_explicit(&world->reserved_fresh, memory_order_relaxed);
    return end > world->known ? end : world->known;
}

// The record of a living entity, or NULL.
static inline struct record *directory_find(const struct world *world, cosm_entity entity) {
    if (UNLIKELY(entity.id >= world->used)) {
        return NULL;
    }
    struct record *record = &world->records[entity.id];
    return LIKELY(record->gen == entity.gen && (entity.gen & 1) != 0) ? record : NULL;
}

// The ids that a world hands out next, one after the other: the free list first, then ascending
// ids, retired ones left out. The only place that knows this order.
struct ids_ahead {
    uint32_t listed; // the next one of the free list; ID_NONE: the list is at its end
    uint32_t fresh;  // where to look for the next one behind it
};

static inline struct ids_ahead directory_ahead(const struct world *world) {
    return (struct ids_ahead){world->free_head, world->used};
}

// The handle that the next of them will have. It may be past COSM_WORLD_ENTITY_MAX.
static inline cosm_entity directory_next(const struct world *world, struct ids_ahead *ahead) {
    const struct record *records = world->records;
    uint32_t id = ahead->listed;
    if (id != ID_NONE) {
        ahead->listed = records[id].row;
        return (cosm_entity){records[id].gen + 1, id};
    }
    id = ahead->fresh;
    while (id < world->known && records[id].gen == GEN_RETIRED) {
        id++;
    }
    ahead->fresh = id + 1;
    uint32_t gen = id < world->known ? records[id].gen : directory_fresh_gen(world);
    return (cosm_entity){gen + 1, id};
}

// Can an id be had at once? A retired one ahead counts as no.
static inline bool directory_is_ready(struct world *world) {
    uint32_t used = world->used;
    bool fresh =
        used < world->known ? world->records[used].gen != GEN_RETIRED : used < world->capacity;
    return (world->free_head != ID_NONE || fresh) && !directory_has_reserved(world);
}

// Hands out the next id; its record is the caller's to write. There is room, and no promise is
// open.
cosm_entity cosmi_directory_take(struct world *world);

// The same. The usual cases need no call: 0.5 ns of a spawn.
static inline cosm_entity directory_take(struct world *world) {
    uint32_t id = world->free_head;
    if (id != ID_NONE) {
        world->free_head = world->records[id].row;
        world->free_count--;
        return (cosm_entity){world->records[id].gen + 1, id};
    }
    id = world->used;
    if (LIKELY(id < world->known && world->records[id].gen != GEN_RETIRED)) {
        world->used = id + 1;
        return (cosm_entity){world->records[id].gen + 1, id};
    }
    return cosmi_directory_take(world);
}

// Takes the reserved ids at the head of the free list off it.
void cosmi_directory_settle_listed(struct world *world);

// Frees the id of a living entity. Reserved ids are the first ones of the free list, so they leave
// it before another one is put there.
static inline void directory_give(struct world *world, uint32_t id) {
    if (UNLIKELY(atomic_load_explicit(&world->reserved_free, memory_order_relaxed) != 0)) {
        cosmi_directory_settle_listed(world);
    }
    struct record *record = &world->records[id];
    record->gen++;
    record->table = TABLE_FREE;
    if (LIKELY(record->gen != GEN_RETIRED)) {
        record->row = world->free_head;
        world->free_head = id;
        world->free_count++;
    }
}

// Begins again with id zero when every id is free: ascending ids are handed out without following
// the free list, and neighbours in a table are neighbours in the directory.
static inline void directory_restart(struct world *world) {
    if (world->free_count == world->used && !directory_has_reserved(world)) {
        world->used = 0;
        world->free_head = ID_NONE;
        world->free_count = 0;
    }
}

// Frees the ids of living entities, the last one first, so that they come back in this order.
void cosmi_directory_give_all(struct world *world, const cosm_entity *entities, uint32_t count);

// Hands out `count` ids to consecutive rows of a table; there is room, and no id is reserved.
void cosmi_directory_take_all(struct world *world, uint32_t table, uint32_t row, uint32_t count,
                              cosm_entity *out_entities);

#endif
