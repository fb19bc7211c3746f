// Templates: named sets of component values, with children where wanted, to spawn entities from.
//
// A template says which components an entity has, which values some of them get (the others get
// their defaults), and which templates its children are spawned from. It is defined from a desc, or
// captured from an entity that lives. Spawning copies: what is spawned knows nothing of its
// template, and a template never changes. Components may have any storage. Objects of a template are
// copies, made by their lifecycle; they end with the engine.
#ifndef COSM_TEMPLATE_H
#define COSM_TEMPLATE_H

#include <cosm/error.h>
#include <cosm/query.h>
#include <cosm/types.h>

COSM_BEGIN_C

// Children of one kind.
typedef struct cosm_template_child {
    cosm_template from; // defined before
    uint32_t count;     // how many of them each parent has; zero: 1
} cosm_template_child;

// Good when zeroed but for the name: an entity without components.
typedef struct cosm_template_desc {
    const char *name;                         // unique among templates; copied
    cosm_archetype archetype;                 // what is spawned; zero: the set of those below
    cosm_component components[COSM_LIST_MAX]; // components or bundles; zeroes only at the end
    const cosm_component *more;               // further ones
    uint32_t more_count;
    const cosm_value *values; // copied; without an archetype their components are part of the set;
                              // those of sector components stand beside it in any case
    uint32_t value_count;
    const cosm_template_child *children; // in this order
    uint32_t child_count;
} cosm_template_desc;

// Defines a template. The same name with the same content again returns the first one's id; with
// another it is a COSM_ERROR_CONFLICT. Zero on failure.
COSM_API cosm_template cosm_template_define(cosm_engine *engine, const cosm_template_desc *desc);

// Defines a template that is what an entity is now, with all values it has, shared ones, objects and
// sector components among them; with_children: and all below it in the tree. Zero on failure, and
// where the entity is not alive.
COSM_API cosm_template cosm_template_capture(cosm_world world, cosm_entity entity, const char *name,
                                             bool with_children);

// The template with that name, or zero. O(1).
COSM_API cosm_template cosm_template_find(const cosm_engine *engine, const char *name);

// What a template is; NULL or zero for an id that is not defined. The archetype is that of the
// entity at the top; entity_count is what one spawn makes, children and theirs included.
COSM_API const char *cosm_template_name(const cosm_engine *engine, cosm_template from);
COSM_API cosm_archetype cosm_template_archetype(const cosm_engine *engine, cosm_template from);
COSM_API uint32_t cosm_template_entity_count(const cosm_engine *engine, cosm_template from);

// Copies the value that the component of the entity at the top gets; bytes of an object stay the
// template's own. False where it has no such component, or the component has no bytes, or each one
// is constructed; false with a message where it is managed.
COSM_API bool cosm_template_value(const cosm_engine *engine, cosm_template from,
                                  cosm_component component, void *out_value);

// Spawns an entity from a template, with its children below it in the tree, and returns the one at
// the top. `overrides` are values of that one which take the place of the template's; its archetype
// has their components, but for sector components, which it may get besides. COSM_ENTITY_NONE on
// failure, and nothing has changed.
COSM_API cosm_entity cosm_template_spawn(cosm_world world, cosm_template from,
                                         const cosm_value *overrides, uint32_t override_count);

// Spawns `count` of them, with the same overrides, and shows the rows of those at the top, to be
// filled where they differ; after a failure it shows none, nor where observers were told of them and
// what they recorded has changed the world meanwhile. Costs what a spawn of as many entities
// costs: each column is filled once for all of them.
COSM_API COSM_MUST_USE cosm_result cosm_template_spawn_many(cosm_world world, cosm_template from,
                                                            uint32_t count,
                                                            const cosm_value *overrides,
                                                            uint32_t override_count,
                                                            cosm_rows *out_rows);

COSM_END_C

#endif
