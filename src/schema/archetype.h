// Archetypes as the library sees them: the set, its columns, and the ways to other sets.
#ifndef COSM_SCHEMA_ARCHETYPE_H
#define COSM_SCHEMA_ARCHETYPE_H

#include <cosm/archetype.h>

#include "base/pool.h"
#include "schema/column_map.h"

// Column 0 of every archetype is the entity column; in a temporary one its size is 0.
#define ENTITY_COLUMN 0u

// The bytes of a table's header before its column pointers (store/table.h).
#define TABLE_HEADER_SIZE (4 * sizeof(uint32_t))

// Values of these sizes are copied without a call: archetype.is_small, and store/table.h.
static inline bool is_small_size(size_t size) {
    return size == 4 || (size >= 8 && size <= 16);
}

struct value_type;

// The flag of archetypes, and of their stores, that have columns of tickets; the other flags are in
// store/side.h.
#define SIDE_MANAGED 1u

// A split component has a column for each of its fields, its parts, side by side; a whole one is
// one part. Behind the parts of a component whose changes are kept row by row stands a column of
// ticks, which so goes wherever the row goes. Invariant: the parts of a value do not overlap, and
// lie within value_size.
struct column_info {
    uint32_t component; // 0 for the entity column
    uint32_t size;      // from row to row
    uint32_t alignment;
    uint32_t offset;           // of the part in the value
    uint32_t value_size;       // of the whole value
    uint16_t part;             // its number among the parts
    uint16_t part_count;       // 0: the value is whole
    bool is_ticks;             // no part: when the value of the row last changed (store/change.h)
    const void *default_value; // of the part; NULL: zeroes
    const struct value_type *managed; // the type whose tickets these are; NULL: plain bytes
};

// A column that exists on both sides of a transition.
struct column_copy {
    uint16_t source;
    uint16_t target;
    uint32_t size;
};

// A part of a component that is whole on one side of a transition and split on the other.
struct column_reshape {
    uint16_t source;
    uint16_t target;
    uint32_t size;
    uint32_t source_stride;
    uint32_t source_offset;
    uint32_t target_stride;
    uint32_t target_offset;
};

// Batches whose stores are kept in transitions and in the matches of queries: the first few that an
// engine has, each with a slot of its own.
#define BATCH_SLOT_MAX 4u

// How a row gets from one archetype to another. Made once, kept for ever.
struct transition {
    _Atomic(void *) stores[BATCH_SLOT_MAX]; // the target's struct store; NULL: look it up
    struct archetype *target;
    uint32_t copy_count; // the entity column is the first one
    uint32_t fill_count; // columns of the target that the source lacks, or has in another layout
    uint32_t reshape_count;
    const struct column_copy *copies;
    const uint16_t *fills;
    const struct column_reshape *reshapes; // done after the fills, so that padding is defined
    uint32_t drop_count;
    const uint16_t *drops; // columns of tickets that the target lacks: their objects end
};

#define EDGE_PAGE_COMPONENTS 64u
#define EDGE_PAGE_COUNT ((COSM_COMPONENT_MAX + EDGE_PAGE_COMPONENTS) / EDGE_PAGE_COMPONENTS)

typedef _Atomic(const struct transition *) edge;

// The transitions that adding or removing one component causes, by component id.
struct edge_page {
    edge add[EDGE_PAGE_COMPONENTS];
    edge remove[EDGE_PAGE_COMPONENTS];
};

// Immutable once published, but for the edges, which are filled in under the schema's lock and
// read by anybody, and `watch`, which changes while nobody changes worlds.
struct archetype {
    uint32_t id;
    const char *name;
    const char *maker; // the call that defined or formed it, for messages
    cosm_placement placement;
    uint32_t max_per_world;
    bool sealed;
    bool temporary;
    bool is_small;  // every column is_small_size
    bool has_split; // some component has several columns: it is split, or has one of ticks
    uint32_t sides; // what its stores have beside their rows: see store/side.h
    const struct event_watch *watch; // what observers want to know: store/event.h; NULL: nothing
    uint32_t shared_count;  // components that its rows share: tables are apart by their values
    const uint32_t *shared; // ascending
    uint32_t component_count;
    const uint32_t *components; // ascending
    uint32_t column_count;      // those with bytes, and the entity column
    const struct column_info *columns;
    const uint32_t *sizes; // of the columns, side by side for the loops that copy rows
    struct column_map map;
    size_t row_size;                       // bytes of all columns
    size_t alignment_max;                  // of the columns, at least 64
    uint32_t chunk_rows;                   // a power of two, the same in every layout
    uint32_t block_rows[POOL_CLASS_COUNT]; // rows that a pooled block of each size holds
    edge self; // the transition to itself, between tables of different shared values
    _Atomic(struct edge_page *) edges[EDGE_PAGE_COUNT];
};

// The column slot of a component: O(1), NULL where absent.
static inline const struct column_slot *archetype_find(const struct archetype *archetype,
                                                       uint32_t component) {
    return column_map_find(&archetype->map, component);
}

// Which of the archetype's shared components this is; shared_count where it is none of them.
static inline uint32_t archetype_shared_slot(const struct archetype *archetype,
                                             uint32_t component) {
    uint32_t slot = 0;
    while (slot < archetype->shared_count && archetype->shared[slot] != component) {
        slot++;
    }
    return slot;
}

// Is the component of this slot split, or managed? Such a slot has no size, so that what wants a
// column of whole values finds none; its column is that of the first part, or that of the tickets.
static inline bool slot_is_apart(const struct column_slot *slot) {
    return slot->size == 0 && slot->column != 0;
}

static inline bool slot_is_split(const struct archetype *archetype,
                                 const struct column_slot *slot) {
    return slot_is_apart(slot) && archetype->columns[slot->column].part_count > 0;
}

static inline bool slot_is_managed(const struct archetype *archetype,
                                   const struct column_slot *slot) {
    return slot_is_apart(slot) && archetype->columns[slot->column].managed != NULL;
}

// The columns of values that the slot's component has.
static inline uint32_t slot_part_count(const struct archetype *archetype,
                                       const struct column_slot *slot) {
    return slot_is_split(archetype, slot) ? archetype->columns[slot->column].part_count : 1;
}

// The column of ticks of the slot's component, or 0 where it has none.
static inline uint32_t slot_ticks_column(const struct archetype *archetype,
                                         const struct column_slot *slot) {
    uint32_t behind = slot->column + slot_part_count(archetype, slot);
    bool has_ticks = slot->column != 0 && behind < archetype->column_count &&
                     archetype->columns[behind].is_ticks;
    return has_ticks ? behind : 0;
}

// Bytes of a whole value of the slot's component, of a managed one of its ticket; 0 for a tag.
static inline uint32_t slot_value_size(const struct archetype *archetype,
                                       const struct column_slot *slot) {
    return slot->size > 0      ? slot->size
           : slot->column != 0 ? archetype->columns[slot->column].value_size
                               : 0;
}

// The transition that adding or removing a component causes, or NULL while it is not known.
static inline const struct transition *archetype_edge(const struct archetype *archetype,
                                                      uint32_t component, bool add) {
    struct edge_page *page = atomic_load_explicit(
        &archetype->edges[component / EDGE_PAGE_COMPONENTS], memory_order_acquire);
    if (page == NULL) {
        return NULL;
    }
    edge *edges = add ? page->add : page->remove;
    return atomic_load_explicit(&edges[component % EDGE_PAGE_COMPONENTS], memory_order_acquire);
}

// The bytes of a table header and `rows` rows in one block: see store/table.h.
size_t cosmi_archetype_block_size(const struct archetype *archetype, size_t rows);

// Where column data begins in such a block.
size_t cosmi_archetype_block_header(const struct archetype *archetype);

#endif
