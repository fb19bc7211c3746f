// Archetypes: sets of components, and the placement of their tables in memory.
//
// Each set of components is one archetype. Define it to choose its placement; otherwise it is
// created, as growing, when spawning, adding or removing first needs it.
#ifndef COSM_ARCHETYPE_H
#define COSM_ARCHETYPE_H

#include <cosm/component.h>
#include <cosm/error.h>
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

// Properties of an archetype; NULL, zero or false for an undefined id. The name is "" if none was
// given.
COSM_API const char *cosm_archetype_name(const cosm_engine *engine, cosm_archetype archetype);
COSM_API cosm_placement cosm_archetype_placement(const cosm_engine *engine,
                                                 cosm_archetype archetype);
COSM_API uint32_t cosm_archetype_max_per_world(const cosm_engine *engine, cosm_archetype archetype);
COSM_API bool cosm_archetype_is_sealed(const cosm_engine *engine, cosm_archetype archetype);
COSM_API bool cosm_archetype_is_temporary(const cosm_engine *engine, cosm_archetype archetype);

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

// Rows per chunk of the archetype's tables: a power of two.
COSM_API uint32_t cosm_archetype_chunk_rows(const cosm_engine *engine, cosm_archetype archetype);

COSM_END_C

#endif
