// Where a component lives, and what its values need there: the options of a mark that say so.
#ifndef COSM_GEN_STORAGE_H
#define COSM_GEN_STORAGE_H

#include "mark.h"

// The options that name the functions of a lifecycle, in the order of cosm_lifecycle.
extern const char *const lifecycle_keys[LIFECYCLE_COUNT];

// Reads storage, layout, changes, group and the functions of the lifecycle. What the library would
// refuse is reported where it stands.
void storage_read(struct session *session, const struct model *model, const struct mark *mark,
                  struct thing *thing);

// Do values own something, so that their bytes alone are no copy of them?
bool storage_is_object(const struct thing *thing);

#endif
