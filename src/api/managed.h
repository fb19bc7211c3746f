// What other public calls need for managed components.
#ifndef COSM_API_MANAGED_H
#define COSM_API_MANAGED_H

#include "api/check.h"
#include "store/managed.h"

// A managed component where bytes or a column of values are wanted: says so. `remedy` is what to
// use instead. Returns NULL.
COLD void *cosmi_refuse_managed(const struct cosm_batch *batch, const char *call,
                                uint32_t component, const char *remedy);

// Gives an entity an object, or replaces the one it has; it gets the component first where it lacks
// it. *out_object, unless NULL, is where it is. COSM_STALE, and nothing done, if it is not alive.
cosm_result cosmi_object_set(cosm_world world, const char *call, cosm_entity entity,
                             const struct value_type *type, const struct object_source *source,
                             void **out_object);

// The same for row `i` of a run, which has the component, by a copy of `value`.
cosm_result cosmi_object_set_run(const cosm_rows *rows, const char *call, uint32_t i,
                                 cosm_component component, const void *value);

// cosm_entity_set for a managed component.
cosm_result cosmi_object_copy(cosm_world world, const char *call, cosm_entity entity,
                              const struct value_type *type, const void *value);

// Has the query of these rows the managed component for reading only? Then `call` is refused.
bool cosmi_object_is_read_only(const cosm_rows *rows, const char *call, uint32_t component);

#endif
