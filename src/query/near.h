// The name that was most likely meant where one is unknown.
#ifndef COSM_QUERY_NEAR_H
#define COSM_QUERY_NEAR_H

#include "schema/schema.h"

// The name of a component, a bundle or, if asked for, a singleton that is like this one, or NULL.
// Of several equally near ones the one that was defined first, components before bundles before
// singletons. `length` is at most COSM_NAME_LENGTH_MAX.
const char *cosmi_near_name(const struct schema *schema, const char *text, size_t length,
                            bool with_singletons);

#endif
