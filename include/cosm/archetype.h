// Archetypes: sets of components, and how their tables are placed in memory.
//
// One set is one archetype. It is defined up front, to choose its placement, or formed (growing)
// when adding or removing a component leads to a set that is new.
#ifndef COSM_ARCHETYPE_H
#define COSM_ARCHETYPE_H

#include <cosm/component.h>
#include <cosm/error.h>
#include <cosm/types.h>

COSM_BEGIN_C

typedef enum cosm_placement {
    COSM_PLACEMENT_GROWING = 0, // each world's table grows on its own
    COSM_PLACEMENT_FIXED,       // one range per column for all worlds, max_per_world rows each
} cosm_placement;

// A component and the layout that it has in one archetype.
typedef struct cosm_column_layout {
    cosm_component component;
    cosm_layout layout;
} cosm_column_layout;

// Good when zeroed: a growing archetype with no components.
typedef struct cosm_archetype_desc {
    const char *name;                         // optional; unique among archetypes; copied
    const char *text;                         // its components and bundles: "Position, Velocity"
    cosm_component components[COSM_LIST_MAX]; // or by id; zeroes only at the end
    const cosm_component *more;               // further ones
    uint32_t more_count;
    cosm_placement placement;
    uint32_t max_per_world; // for COSM_PLACEMENT_FIXED: 1 to COSM_TABLE_ROW_MAX
    bool sealed;            // entities of this archetype keep the components they have
    bool temporary;         // rows have no handles, and are cleared at the end of each step
    cosm_column_layout layouts[COSM_LIST_MAX]; // of columns whose layout is not the component's own
    const cosm_column_layout *more_layouts;    // further ones
    uint32_t more_layout_count;
} cosm_archetype_desc;

// Defines an archetype. The same set with the same properties again returns the first one's id; a
// set that is already there with others is a COSM_ERROR_CONFLICT. A temporary archetype is apart:
// it does not collide with a lasting one of the same set. Zero on failure.
COSM_API cosm_archetype cosm_archetype_define(cosm_engine *engine, const cosm_archetype_desc *desc);

// The archetype with that name, or zero. O(1).
COSM_API cosm_archetype cosm_archetype_find(const cosm_engine *engine, const char *name);

// The lasting archetype that has exactly these components (bundles count as their members), or
// zero when there is none yet.
COSM_API cosm_archetype cosm_archetype_of(cosm_engine *engine, const cosm_component *components,
                                          uint32_t count);

// What an archetype is; NULL, zero or false for an id that is not defined. An archetype without a
// name has the name "".
COSM_API const char *cosm_archetype_name(const cosm_engine *engine, cosm_archetype archetype);
COSM_API cosm_placement cosm_archetype_placement(const cosm_engine *engine,
                                                 cosm_archetype archetype);
COSM_API uint32_t cosm_archetype_max_per_world(const cosm_engine *engine, cosm_archetype archetype);
COSM_API bool cosm_archetype_is_sealed(const cosm_engine *engine, cosm_archetype archetype);
COSM_API bool cosm_archetype_is_temporary(const cosm_engine *engine, cosm_archetype archetype);

// Does the archetype have the component (of a bundle: all its members)? O(1) by perfect hash.
COSM_API bool cosm_archetype_has(const cosm_engine *engine, cosm_archetype archetype,
                                 cosm_component component);

// The archetype's components in ascending order, at most `max`; returns how many there are.
COSM_API uint32_t cosm_archetype_components(const cosm_engine *engine, cosm_archetype archetype,
                                            uint32_t max, cosm_component *out_components);

// The layout of the component's values in this archetype's tables. O(1) by perfect hash.
COSM_API cosm_layout cosm_archetype_layout(const cosm_engine *engine, cosm_archetype archetype,
                                           cosm_component component);

// The column that holds the component, for cosm_loc_..._unchecked; zero where it is absent, has no
// bytes, or is split. O(1) by perfect hash.
COSM_API cosm_column cosm_archetype_column(const cosm_engine *engine, cosm_archetype archetype,
                                           cosm_component component);

// Rows in one chunk of the archetype's tables: a power of two.
COSM_API uint32_t cosm_archetype_chunk_rows(const cosm_engine *engine, cosm_archetype archetype);

COSM_END_C

#endif
