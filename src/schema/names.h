// Names: checks and equality, for the files of this room that define named things.
#ifndef COSM_SCHEMA_NAMES_H
#define COSM_SCHEMA_NAMES_H

#include "base/error.h"

cosm_result cosmi_name_check(const struct sink *sink, const char *call, const char *name);

// map_equals_fn: `context` is the schema, `key` the name.
bool cosmi_component_name_equals(const void *context, uint32_t index, const void *key);
bool cosmi_singleton_name_equals(const void *context, uint32_t index, const void *key);
bool cosmi_archetype_name_equals(const void *context, uint32_t index, const void *key);

#endif
