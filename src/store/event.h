// Events: what observers want to know of the rows of an archetype, and the log of what happened.
//
//   archetype.watch -> who watches it, and what of its rows is kept when they stop matching
//
//   log of a world     records   | left A | moved A to B | set B.Health |
//                                   |  |        |             |
//                      entities  | e e e    | e e         | e e e e    |
//                      values    | of the rows that left, one behind the other |
//
// Whoever changes a world makes room in its log first, so that writing to it cannot fail; delivery
// (run/deliver.c) empties it at the next sync point and needs no memory of its own. A store that
// nobody watches has no SIDE_EVENTS, and its archetype no watch.
#ifndef COSM_STORE_EVENT_H
#define COSM_STORE_EVENT_H

#include <cosm/observer.h>

#include "store/rows.h"

// An observer that an archetype matches.
struct watch_entry {
    uint32_t observer; // its id
    uint32_t kinds;    // of cosm_event_kind
    bool has_values;   // its query asks for shared values, which differ from table to table
    const void *match; // struct match of its query, for the rows of this archetype
};

// A value that is kept when a row stops matching.
struct saved_value {
    const struct column_slot *slot;
    uint32_t component;
    uint32_t size;
    size_t offset; // within what is kept of a row
};

// What is watched in the rows of one archetype. Made while nobody changes worlds, then left as it
// is. Invariants: entries ascend by observer; saved_stride is a multiple of saved_alignment.
struct event_watch {
    size_t bytes; // of all this, in one piece
    uint32_t kinds;
    uint32_t entry_count;
    const struct watch_entry *entries;
    uint32_t set_count;
    const uint32_t *sets; // components whose setting somebody wants to know of
    uint32_t saved_count;
    const struct saved_value *saved;
    size_t saved_stride;
    size_t saved_alignment;
};

// What a batch knows of the observers of its engine. Owned by run/observer.h.
struct event_board {
    uint32_t sector_count;
    const uint32_t *sectors; // components beside the tables that somebody watches
};

enum event_what {
    EVENT_MOVED, // came (no source), left (no target), or went from one store to another
    EVENT_SET,
    EVENT_SECTOR_ADDED, // a component beside the tables
    EVENT_SECTOR_REMOVED,
    EVENT_SECTOR_SET,
};

#define VALUES_NONE SIZE_MAX

// Something that happened to some entities, one behind the other in the log's list. Stores, not
// archetypes: with shared components one archetype has several stores.
struct event_record {
    enum event_what what;
    struct store *source; // NULL: new entities; EVENT_SET and sectors: NULL
    struct store *target; // NULL: entities that ended; EVENT_SET: where they are; sectors: where
                          // they were, or NULL
    uint32_t component;   // EVENT_SET and sectors
    uint32_t first;       // of the log's entities
    uint32_t count;
    size_t values; // where in the log what is kept of the first one begins, or VALUES_NONE
    size_t stride; // from there to the next one's
};

// The log of one world. Written by whoever changes the world. Invariants: records cover the
// entities without gaps; `keys` has room for one per entity, `order` for one per entity and one per
// record, so that delivery finds its scratch.
struct event_log {
    struct event_record *records;
    const void **order; // scratch of delivery
    cosm_entity *entities;
    uint64_t *keys; // scratch of delivery
    char *values;
    uint32_t record_count;
    uint32_t record_capacity;
    uint32_t order_capacity;
    uint32_t entity_count;
    uint32_t entity_capacity;
    uint32_t key_capacity;
    size_t value_bytes;
    size_t value_capacity;
    size_t value_alignment;
    uint64_t lost; // events that no room was made for and that did not fit
};

// Room that a change needs in the log: added up, then made at once.
struct event_need {
    uint64_t records;
    uint64_t entities;
    uint64_t bytes;
    size_t alignment;
};

// The entry of an observer in a watch, which may be NULL; NULL: it does not match.
const struct watch_entry *cosmi_event_entry(const struct event_watch *watch, uint32_t observer);

static inline bool store_is_watched(const struct store *store) {
    return (store_sides(store) & SIDE_EVENTS) != 0;
}

// Rows go from one archetype to another, in so many runs. NULL: they are new, or end.
void cosmi_event_need(struct event_need *need, const struct archetype *source,
                      const struct archetype *target, uint64_t rows, uint64_t runs);
void cosmi_event_need_set(struct event_need *need, const struct archetype *archetype, uint64_t rows,
                          uint64_t runs);

// Rows end, with what they have beside the tables.
void cosmi_event_need_end(struct event_need *need, const struct cosm_batch *batch,
                          const struct archetype *archetype, uint64_t rows, uint64_t runs);

// A component beside the tables is added, set or removed so many times. Others are passed over.
void cosmi_event_need_sector(struct event_need *need, const struct cosm_batch *batch,
                             const struct value_type *component, uint64_t times);

// Makes the room. On failure a message names `call`, and nothing has changed.
cosm_result cosmi_event_reserve(cosm_world world, const char *call, const struct event_need *need);

// Room for the end of all rows of a world.
cosm_result cosmi_event_reserve_reset(cosm_world world, const char *call);

// To the log. Rows of `come` are there, those of `leave` and `move` still are; `move` lists its
// rows as cosmi_side_moving does. `arrive` is for rows of a source that nobody watches.
void cosmi_event_come(cosm_world world, struct store *store, uint32_t row, uint32_t count);
void cosmi_event_leave(cosm_world world, struct store *store, uint32_t row, uint32_t count);
void cosmi_event_move(cosm_world world, struct store *source, const uint32_t *rows, uint32_t row,
                      uint32_t count, struct store *target);
void cosmi_event_arrive(cosm_world world, struct store *target, uint32_t row, uint32_t count);
void cosmi_event_set(cosm_world world, struct store *store, uint32_t component, uint32_t row,
                     uint32_t count);
void cosmi_event_reset(cosm_world world);

// A component beside the tables was added to an entity, set, or is about to be removed; the entity
// may be about to be spawned. `value` is kept where it is removed; NULL: nothing to keep. Removing
// what was added since the last sync point takes that back: nothing is told.
void cosmi_event_sector(cosm_world world, cosm_entity entity, const struct value_type *component,
                        enum event_what what, const void *value);

// The log of a world; NULL: it never had one.
static inline struct event_log *event_log_of(cosm_world world) {
    struct beside *beside = world.batch->besides[world.index];
    return beside == NULL ? NULL : beside->events;
}

void cosmi_event_clear(struct event_log *log);

// Gives the memory of a log back that is empty, or that of a batch which ends.
void cosmi_event_free(struct cosm_batch *batch, uint32_t world);
size_t cosmi_event_bytes(const struct cosm_batch *batch, uint32_t world);

// Flags the stores of a batch whose archetypes are watched, and no others.
void cosmi_event_flag_stores(struct cosm_batch *batch);

#endif
