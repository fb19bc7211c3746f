// Fields: flattens a marked struct to its leaves.
#ifndef COSM_GEN_FIELDS_H
#define COSM_GEN_FIELDS_H

#include "labels.h"
#include "model.h"
#include "session.h"

// Reads the fields of `type`, a complete struct, into thing->leaves. What a component cannot hold
// is reported at its field.
void fields_read(struct session *session, struct model *model, struct enum_list *enums,
                 struct thing *thing, CXType type);

#endif
