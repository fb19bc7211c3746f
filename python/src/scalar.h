// Scalars: the types that columns consist of, as Python's libraries call them.
#ifndef COSM_PYTHON_SCALAR_H
#define COSM_PYTHON_SCALAR_H

#include "package.h"

// What a type of scalars is, apart from its size.
enum scalar_kind {
    SCALAR_OTHER = 0, // none of ours
    SCALAR_SIGNED,
    SCALAR_UNSIGNED,
    SCALAR_FLOAT,
    SCALAR_BOOL,
};

struct scalar {
    const char *name;      // numpy's: "float32"
    const char *format;    // of the buffer protocol, as module struct has it
    const char *kind_text; // of __array_interface__, without byte order: "f4"
    enum scalar_kind kind;
    uint8_t size;
};

// Of a tensor's type. Never NULL: tensors have no other types than ours.
const struct scalar *cosmi_python_scalar(cosm_field_type type);

// What a format of the buffer protocol stands for; *out_is_swapped tells the other byte order.
enum scalar_kind cosmi_python_scalar_of(const char *format, bool *out_is_swapped);

// Writes a name such as "float64" for a kind and a size.
void cosmi_python_scalar_name(enum scalar_kind kind, size_t size, char *out_name, size_t room);

#endif
