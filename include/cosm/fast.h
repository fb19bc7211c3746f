// Fast access: the other ways to a value, for loops in which the plain ones show up in a profile.
//
// First choose by what you have:
//
//     rows of a query            COSM_READ(rows, T), COSM_WRITE(rows, T): typed.h; the fastest
//     one entity                 COSM_READ(world, entity, T): typed.h
//     an array of entities       cosm_entity_read_many: entity.h
//     entities as you meet them  a lookup: below
//     an entity used repeatedly  its location, and the column: below
//     a whole table              cosm_table_column: archetype.h
//
// The first three are all that most programs need.
#ifndef COSM_FAST_H
#define COSM_FAST_H

#include <cosm/error.h>
#include <cosm/types.h>

COSM_BEGIN_C

// Locations: where a value is, without looking up its entity. Valid until the next structural
// change of the world.

// Where the entity is stored, or COSM_LOC_NONE. O(1).
COSM_API cosm_loc cosm_entity_loc(cosm_world world, cosm_entity entity);

// The entity stored at `loc`, or COSM_ENTITY_NONE. O(1).
COSM_API cosm_entity cosm_entity_at(cosm_world world, cosm_loc loc);

// By location: saves the lookup of the entity. NULL if there is no such row or component; NULL,
// reported, if the component is split. O(1).
COSM_API const void *cosm_loc_read(cosm_world world, cosm_loc loc, cosm_component component);
COSM_API void *cosm_loc_write(cosm_world world, cosm_loc loc, cosm_component component);

// By location and column: no lookup. The column must belong to the archetype of table `loc.table`,
// and the row must exist: checked builds assert this, others do not check.
COSM_API const void *cosm_loc_read_unchecked(cosm_world world, cosm_loc loc, cosm_column column);
COSM_API void *cosm_loc_write_unchecked(cosm_world world, cosm_loc loc, cosm_column column);

// Lookups: one component of many entities, in any order, with inlined checks.
//
//     cosm_lookup lookup;
//     cosm_lookup_begin(world, position, &lookup);
//     const Position *target = COSM_LOOKUP_READ(&lookup, Position, hunter[i].target);
//
// As safe as cosm_entity_read and several times faster: what is the same for all entities is
// computed once. A lookup is valid until the next structural change of its world; start it again
// after one. Use it from one thread. It holds no resources and needs no end.

#define COSM_LOOKUP_SLOT_COUNT 8u // tables cached; a power of two

// Internal: the entity directory as inlined code reads it.
typedef struct cosm_lookup_record {
    uint32_t gen;
    uint32_t table;
    uint32_t row;
} cosm_lookup_record;

typedef struct cosm_lookup_slot {
    char *base; // row 0 of the column; NULL if the table lacks the component
    uint32_t table;
    uint32_t is_tracked; // writing counts as a change
} cosm_lookup_slot;

// All fields are private.
typedef struct cosm_lookup {
    const cosm_lookup_record *records;
    uint32_t record_count;
    uint32_t size; // bytes of the component
    cosm_world world;
    cosm_component component;
    cosm_lookup_slot slots[COSM_LOOKUP_SLOT_COUNT];
} cosm_lookup;

// Starts a lookup. An entity whose component is split counts as absent; each such table is
// reported: use cosm_entity_get. On failure (no such world or component, a bundle, a sector
// component), which is reported, every entity counts as absent.
COSM_API void cosm_lookup_begin(cosm_world world, cosm_component component,
                                cosm_lookup *out_lookup);

// Called by inlined code for a table that it has not seen, and for a wrong type.
COSM_API char *cosm_lookup_meet(cosm_lookup *lookup, uint32_t table);
COSM_API void cosm_lookup_stamp(const cosm_lookup *lookup, cosm_entity entity);
COSM_API void *cosm_lookup_refuse(const cosm_lookup *lookup, size_t size);

static inline char *cosm_lookup_cell(cosm_lookup *lookup, cosm_entity entity, bool write) {
    if (entity.id >= lookup->record_count) {
        return NULL;
    }
    const cosm_lookup_record *record = &lookup->records[entity.id];
    if (record->gen != entity.gen || (entity.gen & 1u) == 0) {
        return NULL;
    }
    uint32_t table = record->table;
    const cosm_lookup_slot *slot = &lookup->slots[table & (COSM_LOOKUP_SLOT_COUNT - 1)];
    char *base = slot->table == table ? slot->base : cosm_lookup_meet(lookup, table);
    if (base == NULL) {
        return NULL;
    }
    if (write && slot->is_tracked) {
        cosm_lookup_stamp(lookup, entity);
    }
    return base + COSM_CAST(size_t, record->row) * lookup->size;
}

// The component's value. NULL if the entity is stale or lacks the component, or the component has
// no bytes. O(1).
static inline void *cosm_lookup_write(cosm_lookup *lookup, cosm_entity entity) {
    return cosm_lookup_cell(lookup, entity, true);
}

static inline const void *cosm_lookup_read(cosm_lookup *lookup, cosm_entity entity) {
    return cosm_lookup_cell(lookup, entity, false);
}

static inline const void *cosm_lookup_read_sized(cosm_lookup *lookup, cosm_entity entity,
                                                 size_t size) {
    return lookup->size == size ? cosm_lookup_read(lookup, entity)
                                : cosm_lookup_refuse(lookup, size);
}

static inline void *cosm_lookup_write_sized(cosm_lookup *lookup, cosm_entity entity, size_t size) {
    return lookup->size == size ? cosm_lookup_write(lookup, entity)
                                : cosm_lookup_refuse(lookup, size);
}

// Typed. A type of the wrong size gives NULL, reported.
#define COSM_LOOKUP_READ(lookup, Type, entity)                                                     \
    COSM_CAST(const Type *, cosm_lookup_read_sized((lookup), (entity), sizeof(Type)))
#define COSM_LOOKUP_WRITE(lookup, Type, entity)                                                    \
    COSM_CAST(Type *, cosm_lookup_write_sized((lookup), (entity), sizeof(Type)))

COSM_END_C

#endif
