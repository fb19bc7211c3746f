// Fields: the meaning of the bytes of a component or a singleton.
//
//     typedef struct Body { float mass; int32_t team; char name[16]; } Body;
//
//     static const cosm_field fields[] = {
//         {.name = "mass", .type = COSM_FIELD_F32, .offset = offsetof(Body, mass), .unit = "kg"},
//         {.name = "team", .type = COSM_FIELD_I32, .offset = offsetof(Body, team)},
//         {.name = "name", .type = COSM_FIELD_CHAR, .offset = offsetof(Body, name), .dims = {16}},
//     };
//
// A field is a scalar or an array of scalars. Nested structs are flattened to paths such as
// "pose.position.x" and, in an array of structs, "items[2].count". COSM_COMPONENT_DEFINE of typed.h
// writes the fields of most components for you; cosm-gen writes them from your headers. Printing,
// JSON, tensors and the split layout use them.
#ifndef COSM_FIELD_H
#define COSM_FIELD_H

#include <cosm/error.h>
#include <cosm/types.h>

COSM_BEGIN_C

typedef enum cosm_field_type {
    COSM_FIELD_NONE = 0,
    COSM_FIELD_I8,
    COSM_FIELD_I16,
    COSM_FIELD_I32,
    COSM_FIELD_I64,
    COSM_FIELD_U8,
    COSM_FIELD_U16,
    COSM_FIELD_U32,
    COSM_FIELD_U64,
    COSM_FIELD_F32,
    COSM_FIELD_F64,
    COSM_FIELD_BOOL,   // one byte, 0 or 1
    COSM_FIELD_ENTITY, // a cosm_entity of the same world
    COSM_FIELD_CHAR, // text: the last dimension is its capacity; shorter text is padded with zeros
    COSM_FIELD_TYPE_COUNT
} cosm_field_type;

typedef enum cosm_labels_kind {
    COSM_LABELS_ENUM = 0, // the value is one of the labels
    COSM_LABELS_MASK,     // the value is an or of labels
} cosm_labels_kind;

typedef struct cosm_label {
    const char *name;
    int64_t value; // for u64: the same bits
} cosm_label;

// Names for the values of an integer field: of an enum, or of the bits of a mask.
typedef struct cosm_labels {
    const char *name; // of the enum
    cosm_labels_kind kind;
    uint32_t count; // 1 to COSM_LABEL_MAX
    const cosm_label *items;
} cosm_labels;

// Required: name and type. What it points at is copied when a component is defined.
typedef struct cosm_field {
    const char *name; // its path: identifiers separated by '.', each with any number of [n]
    cosm_field_type type;
    uint32_t offset;                   // bytes from the start of the value
    uint32_t dims[COSM_FIELD_DIM_MAX]; // of an array, outermost first; zeros only at the end
    uint32_t alignment;                // of each value; zero: that of the type
    uint32_t padding;                  // bytes after the field that belong to it
    const cosm_labels *labels;         // for integers; NULL: values have no names
    double min;                        // the intended range; none if min equals max; see `strict`
    double max;
    const char *unit;          // such as "m/s"; NULL: none
    const char *doc;           // NULL: none
    const void *default_value; // overrides the default of the whole value; NULL: does not
    // No value outside its range, its labels or, of a bool, 0 and 1 is saved, loaded or patched in:
    // for indices, counts and enums. Not for entities and text, and a number needs one of the two.
    bool strict;
} cosm_field;

// The size of one scalar and its name, such as 4 and "f32". Zero and NULL for an invalid type.
COSM_API size_t cosm_field_type_size(cosm_field_type type);
COSM_API const char *cosm_field_type_name(cosm_field_type type);

// The type with this name, or COSM_FIELD_NONE.
COSM_API cosm_field_type cosm_field_type_find(const char *name);

// How many scalars a field has: the product of its dimensions, 1 if there are none. Zero if it does
// not fit in 32 bits.
COSM_API uint32_t cosm_field_element_count(const cosm_field *field);

// The bytes of all its scalars, without padding.
COSM_API size_t cosm_field_size(const cosm_field *field);

// A scalar of a field as text, for messages and tools: where it is, such as "cells[2][0]", and what
// it is in a value, such as "1.5". `element` counts over all dimensions; a text is one scalar. Cut
// off and terminated if `room` is too small.
COSM_API void cosm_field_element_path(const cosm_field *field, uint32_t element, char *text,
                                      size_t room);
COSM_API void cosm_field_text(const cosm_field *field, const void *value, uint32_t element,
                              char *text, size_t room);

// Sets the offsets of fields as a C compiler lays out a struct, with the given alignments and
// paddings; raises a padding where a field would not fill its alignment. For components made at run
// time, which have no struct. Returns the size and the alignment of the whole.
COSM_API COSM_MUST_USE cosm_result cosm_field_place(cosm_field *fields, uint32_t field_count,
                                                    size_t *out_size, size_t *out_alignment);

#define COSM_FIELD_INDEX_NONE 0xFFFFFFFFu

// The number of the field with this path, or COSM_FIELD_INDEX_NONE. O(fields).
COSM_API uint32_t cosm_field_find(const cosm_field *fields, uint32_t field_count, const char *name);

// The scalars of a field over a run of rows: row i starts at data + i * stride. In the split layout
// they are contiguous; in the struct layout the stride is the size of the struct.
typedef struct cosm_span {
    void *data; // NULL if there is none
    size_t stride;
} cosm_span;

// Internal: a field of a split column as a run of rows needs it.
typedef struct cosm_field_column {
    uint32_t size;        // of the whole field
    uint32_t scalar_size; // of one scalar of it
    uint32_t stride;      // from row to row
} cosm_field_column;

// Whether the values of a field can be accessed as an array of a type of `size` bytes: whole, or
// scalar by scalar. Padding counts, since every row has it.
static inline bool cosm_field_column_fits(const cosm_field_column *column, size_t size) {
    return column->stride == size ||
           (column->scalar_size == size && column->stride == column->size);
}

COSM_END_C

#endif
