// Names: checks and equality, for the files of this room that define named things.
#ifndef COSM_SCHEMA_NAMES_H
#define COSM_SCHEMA_NAMES_H

#include "base/error.h"

cosm_result cosmi_name_check(const struct sink *sink, const char *call, const char *name);

// Where a part of a definition is: the call, the name of what it defines, and the field, for
// messages.
#define WHERE_SIZE (COSM_NAME_LENGTH_MAX + 96)
struct where {
    char text[WHERE_SIZE];
};

// "CALL: 'NAME': FIELD", without the name where it has none, and without the field where it is
// NULL.
struct where cosmi_where(const char *call, const char *name, const char *field);

// map_equals_fn: `context` is the schema, `key` the name.
bool cosmi_component_name_equals(const void *context, uint32_t index, const void *key);
bool cosmi_singleton_name_equals(const void *context, uint32_t index, const void *key);
bool cosmi_archetype_name_equals(const void *context, uint32_t index, const void *key);

#endif
