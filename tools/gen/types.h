// Types of fields: what clang says of them, in the words of cosm_field_type.
#ifndef COSM_GEN_TYPES_H
#define COSM_GEN_TYPES_H

#include "model.h"
#include "session.h"

#define TYPE_DIM_MAX 16u // more than a field may have, so that an error can say how many there are

// A type with its array dimensions taken off.
struct shape {
    CXType element;   // as written, typedefs kept
    CXType canonical; // what it is
    uint32_t dims[TYPE_DIM_MAX];
    uint32_t dim_count;
    bool is_open; // an array without a size, or of size zero
};

struct shape type_shape(CXType type);

// COSM_FIELD_NONE for what is not a scalar: structs, and what is refused. A plain char is
// COSM_FIELD_CHAR, an enum the integer that it is kept in.
cosm_field_type type_scalar(CXType canonical);

// A struct that is not an entity, or a union.
bool type_is_record(CXType canonical);
bool type_is_union(CXType canonical);

// What is wrong with a field of that type: "is a pointer; ...", to be said behind its name. NULL
// where nothing is.
const char *type_refusal(struct session *session, const struct shape *shape);

// How generated code names the type that a column points at, in C and in C++.
const char *type_column(struct session *session, const struct shape *shape, cosm_field_type type);

// The integer of fixed size that a type is, such as "int32_t".
const char *type_fixed(cosm_field_type type);

#endif
