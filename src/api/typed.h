// Components and singletons by the names of their C types.
#ifndef COSM_API_TYPED_H
#define COSM_API_TYPED_H

#include <cosm/typed.h>

#include "api/check.h"

// Reports why no component, or no singleton, of the batch is what a type asks for. Returns NULL.
COLD const struct value_type *cosmi_refuse_type(cosm_world world, cosm_type type, bool singleton,
                                                const char *call);

// A macro found something wrong in an event, or in its rows: a loop over them is not to run.
COLD void cosmi_empty_event(const cosm_event *event);

// The component of a type; NULL, reported, where there is none, or one of another size.
static inline const struct value_type *typed_component(cosm_world world, cosm_type type,
                                                       const char *call) {
    if (LIKELY(world_exists(world))) {
        const struct schema *schema = world.batch->schema;
        const struct value_type *found =
            schema_component(schema, type_map_find(&schema->component_types, type.key));
        if (LIKELY(found != NULL && (found->size == type.size || type.size == 0))) {
            return found;
        }
    }
    return cosmi_refuse_type(world, type, false, call);
}

// The same for singletons.
static inline const struct value_type *typed_singleton(cosm_world world, cosm_type type,
                                                       const char *call) {
    if (LIKELY(world_exists(world))) {
        const struct schema *schema = world.batch->schema;
        const struct value_type *found =
            schema_singleton(schema, type_map_find(&schema->singleton_types, type.key));
        if (LIKELY(found != NULL && found->size == type.size)) {
            return found;
        }
    }
    return cosmi_refuse_type(world, type, true, call);
}

#endif
