// Templates: named sets of component values, optionally with children, to spawn entities from.
//
// A template lists the components of an entity, the values of some of them (the others get their
// defaults), and the templates of its children. Define it from a desc, or capture it from a living
// entity. Spawning copies: the new entity keeps no link to its template, and a template never
// changes. Components may have any storage. Objects of a template are copies made by their
// lifecycle; they are destroyed with the engine.
#ifndef COSM_TEMPLATE_H
#define COSM_TEMPLATE_H

#include <cosm/error.h>
#include <cosm/query.h>
#include <cosm/types.h>

COSM_BEGIN_C

// Children spawned from one template.
typedef struct cosm_template_child {
    cosm_template from; // defined before
    uint32_t count;     // children per parent; zero: 1
} cosm_template_child;

// Zeroed, except for the name: an entity without components.
typedef struct cosm_template_desc {
    const char *name;         // unique among templates; copied
    cosm_archetype archetype; // what to spawn; zero: the set of the components below
    cosm_component components[COSM_LIST_MAX]; // components or bundles; zeroes only at the end
    const cosm_component *more;               // more of them
    uint32_t more_count;
    const cosm_value *values; // copied; without an archetype their components are added to the set;
                              // sector components are never part of it
    uint32_t value_count;
    const cosm_template_child *children; // spawned in this order
    uint32_t child_count;
} cosm_template_desc;

// Defines a template. Defining it again with the same content returns the same id; with other
// content it fails with COSM_ERROR_CONFLICT. Zero on failure.
COSM_API cosm_template cosm_template_define(cosm_engine *engine, const cosm_template_desc *desc);

// Defines a template from a living entity, with all its values, including shared values, objects
// and sector components; with_children: also its descendants. Zero on failure and if the entity is
// not alive.
COSM_API cosm_template cosm_template_capture(cosm_world world, cosm_entity entity, const char *name,
                                             bool with_children);

// The template with this name, or zero. O(1).
COSM_API cosm_template cosm_template_find(const cosm_engine *engine, const char *name);

// A template as it was defined; zeroed if the id is not defined.
typedef struct cosm_template_info {
    const char *name;
    cosm_archetype archetype; // of the root
    uint32_t entity_count;    // entities that one spawn creates, including descendants
} cosm_template_info;

COSM_API cosm_template_info cosm_template_describe(const cosm_engine *engine, cosm_template from);

// Copies the root's value of a component; bytes of an object still belong to the template. False if
// there is no such component, or it has no bytes, or it is constructed anew for each entity. False,
// reported, if it is managed.
COSM_API bool cosm_template_value(const cosm_engine *engine, cosm_template from,
                                  cosm_component component, void *out_value);

// Spawns an entity from a template, with its children, and returns the root. `overrides` replace
// values of the root; its archetype must have their components, except for sector components, which
// it may gain. COSM_ENTITY_NONE on failure; nothing has changed then.
COSM_API cosm_entity cosm_template_spawn(cosm_world world, cosm_template from,
                                         const cosm_value *overrides, uint32_t override_count);

// Spawns `count` of them with the same overrides, and sets `out_rows` to the rows of the roots, to
// be filled where they differ. `out_rows` is empty after a failure, and if observers moved or
// despawned some of them. Costs as much as spawning as many entities: each column is filled once
// for all.
COSM_API COSM_MUST_USE cosm_result cosm_template_spawn_many(cosm_world world, cosm_template from,
                                                            uint32_t count,
                                                            const cosm_value *overrides,
                                                            uint32_t override_count,
                                                            cosm_rows *out_rows);

COSM_END_C

#endif
