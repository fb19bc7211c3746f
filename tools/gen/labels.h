// Labels: the constants of enums, as names for the values of fields.
#ifndef COSM_GEN_LABELS_H
#define COSM_GEN_LABELS_H

#include "model.h"
#include "session.h"

// An enum of the header or of what it includes, under its tag or under a typedef.
struct known_enum {
    const char *name;
    CXCursor cursor; // the definition
};

struct enum_list {
    struct known_enum *items;
    uint32_t count;
    uint32_t capacity;
    CXCursor *used; // the enums of the model's labels, one for each
    uint32_t used_capacity;
};

// Notes the enum that a top-level enum or typedef names, where it is one.
void labels_note(struct session *session, struct enum_list *list, CXCursor cursor);

// The enum with that name; a null cursor where there is none.
CXCursor labels_find(const struct enum_list *list, const char *name);

// The labels of an enum. `fallback`: what it is called where it has no name. A mask where `is_mask`
// or where the enum is marked with COSM_MASK. NULL, and reported at `place`, where it cannot be
// used for a field of that type.
const struct labels *labels_of(struct session *session, struct model *model, struct enum_list *list,
                               CXCursor definition, const char *fallback, bool is_mask,
                               cosm_field_type type, struct place place);

#endif
