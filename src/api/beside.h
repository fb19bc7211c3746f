// What the calls about entities do where components lie beside the tables: sector components.
#ifndef COSM_API_BESIDE_H
#define COSM_API_BESIDE_H

#include "store/side.h"

// Components, a bit each.
struct sector_bits {
    uint64_t words[COSM_COMPONENT_MAX / 64 + 1];
};

// Adds the sector components of a list, and notes those that were absent. On failure they are taken
// away again.
cosm_result cosmi_beside_add(cosm_world world, const char *call, cosm_entity entity,
                             const uint32_t *components, uint32_t count, struct sector_bits *added);

// Takes away the sector components of a list that are in `only` (NULL: all).
void cosmi_beside_remove(cosm_world world, const char *call, cosm_entity entity,
                         const uint32_t *components, uint32_t count,
                         const struct sector_bits *only);

// Adds or removes one: nothing else is touched.
cosm_result cosmi_beside_change(cosm_world world, const char *call, cosm_entity entity,
                                const struct value_type *type, bool add);

// Sets one. The value is there.
cosm_result cosmi_beside_set(cosm_world world, cosm_entity entity, const struct record *record,
                             const struct value_type *type, const void *value, const char *call);

#endif
