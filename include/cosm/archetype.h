// Archetypes: sets of components, and the placement of their tables in memory.
//
// Each set of components is one archetype. Define it to choose its placement; otherwise it is
// created, as growing, when spawning, adding or removing first needs it.
#ifndef COSM_ARCHETYPE_H
#define COSM_ARCHETYPE_H

#include <cosm/component.h>
#include <cosm/engine.h>
#include <cosm/error.h>
#include <cosm/field.h>
#include <cosm/types.h>

COSM_BEGIN_C

typedef enum cosm_placement {
    COSM_PLACEMENT_GROWING = 0, // each world's table grows on its own
    COSM_PLACEMENT_FIXED,       // one array per column for all worlds, max_per_world rows each
} cosm_placement;

// The layout of a component in one archetype.
typedef struct cosm_column_layout {
    cosm_component component;
    cosm_layout layout;
} cosm_column_layout;

// Zeroed: a growing archetype without components.
typedef struct cosm_archetype_desc {
    const char *name; // optional; unique among archetypes; copied
    const char *text; // components and bundles by name: "Position, Velocity"
    cosm_component components[COSM_LIST_MAX]; // or by id; zeroes only at the end
    const cosm_component *more;               // more of them
    uint32_t more_count;
    cosm_placement placement;
    uint32_t max_per_world; // for COSM_PLACEMENT_FIXED: 1 to COSM_TABLE_ROW_MAX
    bool sealed;            // entities cannot change components
    bool temporary;         // rows have no handles and are removed at the end of each step
    cosm_column_layout layouts[COSM_LIST_MAX]; // where the layout differs from the component's
    const cosm_column_layout *more_layouts;    // more of them
    uint32_t more_layout_count;
} cosm_archetype_desc;

// Defines an archetype. Defining a set again with the same properties returns the same id; with
// other properties it fails with COSM_ERROR_CONFLICT. A temporary archetype may have the same set
// as a lasting one. Zero on failure.
COSM_API cosm_archetype cosm_archetype_define(cosm_engine *engine, const cosm_archetype_desc *desc);

// The archetype with this name, or zero. O(1).
COSM_API cosm_archetype cosm_archetype_find(const cosm_engine *engine, const char *name);

// The lasting archetype with exactly these components (a bundle counts as its members), or zero if
// there is none yet.
COSM_API cosm_archetype cosm_archetype_of(cosm_engine *engine, const cosm_component *components,
                                          uint32_t count);

// An archetype as it was defined; zeroed if the id is not defined.
typedef struct cosm_archetype_info {
    const char *name; // "": none was given
    cosm_placement placement;
    uint32_t max_per_world; // for COSM_PLACEMENT_FIXED
    bool is_sealed;
    bool is_temporary;
    uint32_t chunk_rows; // rows per chunk of its tables: a power of two
} cosm_archetype_info;

COSM_API cosm_archetype_info cosm_archetype_describe(const cosm_engine *engine,
                                                     cosm_archetype archetype);

// True if the archetype has the component (for a bundle: all its members). O(1), by perfect hash.
COSM_API bool cosm_archetype_has(const cosm_engine *engine, cosm_archetype archetype,
                                 cosm_component component);

// Copies the archetype's components in ascending order, at most `max`. Returns how many there are.
COSM_API uint32_t cosm_archetype_components(const cosm_engine *engine, cosm_archetype archetype,
                                            uint32_t max, cosm_component *out_components);

// The layout of the component in this archetype's tables. O(1), by perfect hash.
COSM_API cosm_layout cosm_archetype_layout(const cosm_engine *engine, cosm_archetype archetype,
                                           cosm_component component);

// The column of the component, for cosm_loc_read_unchecked and cosm_loc_write_unchecked. Zero if
// the component is absent, has no bytes or is split. O(1), by perfect hash.
COSM_API cosm_column cosm_archetype_column(const cosm_engine *engine, cosm_archetype archetype,
                                           cosm_component component);

// Tables: the rows of one archetype in one world.
//
// Rows are dense: despawning moves the last row into the gap at once. A chunk is a slice of
// chunk_rows rows (cosm_archetype_describe); the last one may be partly filled.

// Rows in use. Zero if there is no such table. O(1).
COSM_API uint32_t cosm_table_row_count(cosm_world world, cosm_archetype archetype);

// A table as it is now; zeroed if there is no such table. O(1).
typedef struct cosm_table_info {
    uint32_t row_count;   // in use
    uint32_t capacity;    // in rows
    uint32_t chunk_count; // in use
} cosm_table_info;

COSM_API cosm_table_info cosm_table_describe(cosm_world world, cosm_archetype archetype);

// The base of a column, or NULL. NULL, reported, if the component is split. cosm_table_column
// counts as a change of all its values (query.h). O(1).
COSM_API void *cosm_table_column(cosm_world world, cosm_archetype archetype,
                                 cosm_component component);
COSM_API const void *cosm_table_column_read(cosm_world world, cosm_archetype archetype,
                                            cosm_component component);

// One field of all rows, in any layout. `data` is NULL if there is no such table, row, component or
// field. O(1).
COSM_API cosm_span cosm_table_span(cosm_world world, cosm_archetype archetype,
                                   cosm_component component, uint32_t field);
COSM_API cosm_span cosm_table_span_read(cosm_world world, cosm_archetype archetype,
                                        cosm_component component, uint32_t field);

// The base of the entity column, or NULL. O(1).
COSM_API const cosm_entity *cosm_table_entities(cosm_world world, cosm_archetype archetype);

// Memory used by one table, and by one of its columns.
COSM_API cosm_memory cosm_table_memory(cosm_world world, cosm_archetype archetype);
COSM_API cosm_memory cosm_table_column_memory(cosm_world world, cosm_archetype archetype,
                                              cosm_component component);

// Despawns all rows of a table at once. Use it to empty a temporary table yourself.
COSM_API COSM_MUST_USE cosm_result cosm_table_clear(cosm_world world, cosm_archetype archetype);

// The sort key of a row; rows are sorted in ascending order. `value` is the row's value of the
// component passed to the sort. The world counts as walked meanwhile.
typedef uint64_t cosm_table_key_fn(void *context, cosm_entity entity, const void *value);

// Sorts a table by a key, stably: rows with equal keys keep their order. `component` may be zero;
// `value` is then NULL. Handles stay valid. O(n), by radix sort. With shared components, each table
// is sorted by itself.
COSM_API COSM_MUST_USE cosm_result cosm_table_sort(cosm_world world, cosm_archetype archetype,
                                                   cosm_component component, cosm_table_key_fn *key,
                                                   void *context);

// Sorts a table, stably, by the uint32_t at `offset` in a component; if the component is split, it
// must lie in one of its fields.
COSM_API COSM_MUST_USE cosm_result cosm_table_sort_u32(cosm_world world, cosm_archetype archetype,
                                                       cosm_component component, size_t offset);

COSM_END_C

#endif
