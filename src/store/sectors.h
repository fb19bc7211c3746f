// Sectors: records of entities in chunks, found by id, that stay where they are.
//
//   face.pages            id / 4096 -> a page of the map -> place + 1, or zero
//   face.chunks           place >> chunk_shift -> the first record of a chunk
//
//   chunk   [reclaim records, concurrent only | record 0 | record 1 | ... ]
//   record  [entity, live | member 0 | member 1 | ... ]     face.stride bytes
//
// A place is the number of a record: chunk and index in it. Places below `place_end` are living
// records or dead ones. A dead one has its bit in `holes`, and the lowest is taken first: where a
// record comes to lie follows from the history of calls, never from addresses.
//
// Plain containers leave a dead record in the map until its place is taken: an entity that gets its
// member back soon finds its old place, and coming and going costs a bit. Concurrent containers
// (sectors_shared.h) take it out of the map at once, and count its place as a hole only when nobody
// can look at it any more.
//
// The public form is in api/container.c. The files: sectors_layout.c (members and offsets),
// sectors_holes.c (which places are free), sectors_map.c (ids to places), sectors.c (coming and
// going), sectors_walk.c, sectors_maintain.c, sectors_shared.c (concurrent ones),
// sectors_validate.c.
#ifndef COSM_STORE_SECTORS_H
#define COSM_STORE_SECTORS_H

#include <cosm/container.h>

#include "base/check.h"
#include "base/memory.h"

// The entity of a place that remembers none. Unlike COSM_ENTITY_NONE its id is that of no entity.
#define SECTOR_NOBODY ((cosm_entity){0xFFFFFFFFu, 0xFFFFFFFFu})

// A place that is none, and a member that is none.
#define PLACE_NONE 0xFFFFFFFFu
#define MEMBER_NONE 0xFFFFFFFFu

// Places of one container: ids are fewer, but records that readers may still look at take places
// too.
#define SECTORS_PLACE_MAX (1u << 30)

struct sectors_shared;

struct sectors_member {
    const char *name;
    const void *default_value; // aligned as the member is
    size_t size;
    size_t offset;    // from the header of a record
    bool has_default; // one was given: with a copy hook, new members are copies of it
    cosm_lifecycle lifecycle;
};

// What the records of a container are made of. Written once; any number of containers share one,
// and it must outlive them.
struct sectors_layout {
    struct memory *memory;
    size_t size;            // bytes of this block, with names and defaults behind the members
    size_t block_alignment; // and its alignment
    size_t stride;          // of a record: a multiple of `alignment`
    size_t alignment;       // of a record, at least 8
    uint32_t member_count;
    uint32_t chunk_sectors;  // a power of two
    double threshold;        // a fraction in (0, 1]
    uint64_t all;            // bits of all members
    uint64_t with_move;      // bits of those that have a move hook,
    uint64_t with_destroy;   // a destroy hook,
    uint64_t with_make;      // a construct or a copy hook: making one may fail,
    uint64_t with_only_move; // a move hook and no copy hook: never moved while readers may look
    uint64_t quick;          // bits of those with neither of these hooks, and 4, 8, 12 or 16 bytes
    const char *name;
    struct sectors_member members[];
};

// A set of places, as a tree of words: bit i of a word of a higher level says that word i below it
// is not zero. Setting, clearing and finding the lowest touch a word per level, mostly one.
#define HOLES_LEVEL_MAX 5u

struct holes {
    uint64_t *words;   // level after level, the lowest first; `one` while 64 places are enough
    uint32_t capacity; // places: a power of two, at least 64
    uint32_t level_count;
    uint32_t offsets[HOLES_LEVEL_MAX]; // of each level in `words`
    uint64_t one;
};

// Containers do not move in memory while they live: the face points into them.
//
// Invariants (validate checks them):
// - live_count is the number of places below place_end whose mask is not zero; each of them has an
//   entity whose id leads to this place, and no hole.
// - a plain container has a hole at every other place below place_end; the record there has no
//   living member, and its id leads here, or its entity is none.
// - chunks hold at least place_end places; no id leads past place_end.
struct sectors {
    cosm_container_face face; // first: inlined code reads it
    const struct sectors_layout *layout;
    struct memory *memory;
    const struct sink *sink;
    struct sectors_shared *shared; // NULL: a plain container
    uint32_t live_count;
    uint32_t place_end;
    uint32_t chunk_count;
    uint32_t chunk_capacity; // of face.chunks; 0: it points to `one_chunk`
    uint32_t page_count;     // of face.pages
    uint32_t reserved;       // places that maintain leaves room for
    bool keeps_pages;        // of the map, also empty ones: room has been made in them
    bool is_packing;         // maintain has begun to pack and has not come to the end
    bool is_in_hook;         // a hook is being called: no changes
    bool is_of_world;        // changed by the calls about entities only
    void *staged;            // an object to be moved in where one would be made; mostly NULL
    uint64_t quick_add;      // members that take short cuts, see sectors_quick.h; none while
    uint64_t quick_remove;   // something forbids changes, and in concurrent containers
    struct holes holes;
    char *one_chunk;
    const uint32_t *one_page;
};

// Checks a desc and makes a layout of it. NULL on failure, with a message.
struct sectors_layout *cosmi_sectors_layout_create(struct memory *memory, const struct sink *sink,
                                                   const char *call,
                                                   const cosm_container_desc *desc);
void cosmi_sectors_layout_free(struct sectors_layout *layout);

// Makes an empty container; this takes no memory unless it is concurrent. `memory`, `sink` and
// `layout` must outlive it.
cosm_result cosmi_sectors_init(struct sectors *sectors, const struct sectors_layout *layout,
                               struct memory *memory, const struct sink *sink, const char *call,
                               bool concurrent);

// Ends all records and gives everything back. Of a concurrent one with the lock held, so that hooks
// which call in are refused.
void cosmi_sectors_free(struct sectors *sectors);

// The calls of cosm/container.h, for members that exist. `call` is for messages. They check the
// handle and whether the container may be changed now.
void *cosmi_sectors_add(struct sectors *sectors, const char *call, cosm_entity entity,
                        uint32_t member, const void *value);
cosm_result cosmi_sectors_remove(struct sectors *sectors, const char *call, cosm_entity entity,
                                 uint32_t member);
cosm_result cosmi_sectors_erase(struct sectors *sectors, const char *call, cosm_entity entity);
cosm_result cosmi_sectors_add_many(struct sectors *sectors, const char *call,
                                   const cosm_entity *entities, uint32_t count, uint32_t member,
                                   const void *values);
cosm_result cosmi_sectors_remove_many(struct sectors *sectors, const char *call,
                                      const cosm_entity *entities, uint32_t count, uint32_t member);
cosm_result cosmi_sectors_clear(struct sectors *sectors, const char *call);
cosm_result cosmi_sectors_reserve(struct sectors *sectors, const char *call, uint32_t count);
cosm_result cosmi_sectors_maintain(struct sectors *sectors, const char *call,
                                   const cosm_container_budget *budget,
                                   cosm_container_report *out_report);
cosm_result cosmi_sectors_validate(struct sectors *sectors, const char *call);

// The first record of a walk, or NULL; see cosm_container_walk_begin. The ranges are good.
cosm_sector *cosmi_sectors_walk_begin(struct sectors *sectors, const cosm_container_walk_desc *desc,
                                      cosm_container_walk *out_walk);

// Bytes that the container has taken, without itself and its layout.
size_t cosmi_sectors_bytes(const struct sectors *sectors);

// The record of an entity in a plain container, or NULL.
static inline cosm_sector *sectors_find(const struct sectors *sectors, cosm_entity entity) {
    INVARIANT(sectors->shared == NULL, "a concurrent container is looked at through readers");
    return entity.id < sectors->face.id_end
               ? cosm_container_find((const cosm_container *)(const void *)sectors, entity)
               : NULL;
}

// A living member's bytes in a plain container, or NULL.
static inline void *sectors_look(const struct sectors *sectors, cosm_entity entity,
                                 uint32_t member) {
    cosm_sector *sector = sectors_find(sectors, entity);
    return sector != NULL && (sector->live & COSM_CONTAINER_BIT(member)) != 0
               ? cosm_sector_at(sector, sectors->layout->members[member].offset)
               : NULL;
}

static inline cosm_sector *sectors_at(const struct sectors *sectors, uint32_t place) {
    const cosm_container_face *face = &sectors->face;
    char *chunk = face->chunks[place >> face->chunk_shift];
    return (cosm_sector *)(void *)(chunk + (size_t)(place & face->chunk_mask) * face->stride);
}

// From here on: shared by the files of sectors.

// Holes. Room is made before, so that setting cannot fail.
void cosmi_holes_init(struct holes *holes);
void cosmi_holes_free(struct holes *holes, struct memory *memory);
size_t cosmi_holes_bytes(const struct holes *holes);
bool cosmi_holes_reserve(struct holes *holes, struct memory *memory, uint32_t capacity);
void cosmi_holes_set_above(struct holes *holes, uint32_t word);
void cosmi_holes_clear_above(struct holes *holes, uint32_t word);
void cosmi_holes_clear_all(struct holes *holes);
uint32_t cosmi_holes_first(const struct holes *holes); // PLACE_NONE: there is none

static inline bool holes_has(const struct holes *holes, uint32_t place) {
    return (holes->words[place >> 6] >> (place & 63u) & 1u) != 0;
}

static inline void holes_set(struct holes *holes, uint32_t place) {
    INVARIANT(place < holes->capacity, "there is room for the hole");
    INVARIANT(!holes_has(holes, place), "a place becomes a hole once");
    uint64_t before = holes->words[place >> 6];
    holes->words[place >> 6] = before | (uint64_t)1 << (place & 63u);
    if (UNLIKELY(before == 0)) {
        cosmi_holes_set_above(holes, place >> 6);
    }
}

static inline void holes_clear(struct holes *holes, uint32_t place) {
    INVARIANT(holes_has(holes, place), "only a hole is filled");
    uint64_t after = holes->words[place >> 6] & ~((uint64_t)1 << (place & 63u));
    holes->words[place >> 6] = after;
    if (UNLIKELY(after == 0)) {
        cosmi_holes_clear_above(holes, place >> 6);
    }
}

// Calls of hooks: nothing may be changed meanwhile. In concurrent containers the lock sees to it,
// and the masks stay zero: they are read without it.
static inline void hook_begin(struct sectors *sectors) {
    sectors->is_in_hook = true;
    if (sectors->shared == NULL) {
        sectors->quick_add = 0;
        sectors->quick_remove = 0;
    }
}

static inline void hook_end(struct sectors *sectors) {
    sectors->is_in_hook = false;
    if (sectors->shared == NULL && !sectors->is_of_world) {
        sectors->quick_add = sectors->layout->quick;
        sectors->quick_remove = sectors->layout->all & ~sectors->layout->with_destroy;
    }
}

// The map. Room for an id is made before it is set; an entry of zero is none.
bool cosmi_sectors_map_reserve(struct sectors *sectors, uint32_t id);
void cosmi_sectors_map_set(struct sectors *sectors, uint32_t id, uint32_t entry);
bool cosmi_sectors_map_is_full(const struct sectors *sectors); // has every id below its end a page?
void cosmi_sectors_map_drop_empty(struct sectors *sectors);    // pages of plain containers
void cosmi_sectors_map_free(struct sectors *sectors);
size_t cosmi_sectors_map_bytes(const struct sectors *sectors);

// How many ids of the map lead to a place: for validate.
uint32_t cosmi_sectors_map_count(const struct sectors *sectors);

// The next id from `id` on, and below `end`, that has an entry; or `end`.
uint32_t cosmi_sectors_map_next(const struct sectors *sectors, uint32_t id, uint32_t end);

// The entry of an id, for those who may change the container.
uint32_t cosmi_sectors_map_entry(const struct sectors *sectors, uint32_t id);

// The same in a plain container.
static inline uint32_t sectors_map_at(const struct sectors *sectors, uint32_t id) {
    return id < sectors->face.id_end
               ? sectors->face.pages[id / COSM_CONTAINER_PAGE_IDS][id % COSM_CONTAINER_PAGE_IDS]
               : 0;
}

// A place to put a record in, not taken yet: the lowest hole, or a new place with room for it.
// PLACE_NONE when out of memory.
uint32_t cosmi_sectors_place(struct sectors *sectors);

// Takes it.
void cosmi_sectors_take(struct sectors *sectors, uint32_t place);

// Takes the dead record of an id out of the map of a plain container; its place stays a hole.
void cosmi_sectors_forget(struct sectors *sectors, uint32_t id);

// Chunks for `count` places in all. False when out of memory.
bool cosmi_sectors_make_room(struct sectors *sectors, uint32_t count);
void cosmi_sectors_drop_chunks(struct sectors *sectors, uint32_t keep);

// Makes an object: a copy of the value, or what a new one is like. A failure leaves none, and
// tells.
cosm_result cosmi_sectors_make(struct sectors *sectors, const char *call, uint32_t member,
                               void *object, const void *value);

// Moves an object to where there is none.
void cosmi_sectors_move_object(struct sectors *sectors, uint32_t member, void *object,
                               void *source);

// Destroys the objects of the members in `mask`.
void cosmi_sectors_end_members(struct sectors *sectors, cosm_sector *sector, uint64_t mask);

// The checks that changes have in common: may it be changed now, can the handle be alive?
cosm_result cosmi_sectors_may_change(const struct sectors *sectors, const char *call);
cosm_result cosmi_sectors_may_move(const struct sectors *sectors, const char *call);
cosm_result cosmi_sectors_check_handle(const struct sectors *sectors, const char *call,
                                       cosm_entity entity);
cosm_result cosmi_sectors_fail_memory(const struct sectors *sectors, const char *call);

#endif
