// Fields: what the bytes of a component or a singleton mean.
//
//     typedef struct Body { float mass; int32_t team; char name[16]; } Body;
//
//     static const cosm_field fields[] = {
//         {.name = "mass", .type = COSM_FIELD_F32, .offset = offsetof(Body, mass), .unit = "kg"},
//         {.name = "team", .type = COSM_FIELD_I32, .offset = offsetof(Body, team)},
//         {.name = "name", .type = COSM_FIELD_CHAR, .offset = offsetof(Body, name), .dims = {16}},
//     };
//
// A field is a leaf: a scalar or an array of scalars. Nested structs are flattened to paths, such
// as "pose.position.x" and, in an array of structs, "items[2].count". cosm-gen writes all this from
// your headers; by hand works too. Printing, JSON, tensors and the split layout build on it.
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
    COSM_FIELD_CHAR,   // text: the last dimension is its room, with zeroes behind a shorter one
    COSM_FIELD_TYPE_COUNT
} cosm_field_type;

typedef enum cosm_labels_kind {
    COSM_LABELS_ENUM = 0, // the value is one of the labels'
    COSM_LABELS_MASK,     // the value is some of the labels', or-ed together
} cosm_labels_kind;

typedef struct cosm_label {
    const char *name;
    int64_t value; // of a u64: the same bits
} cosm_label;

// The names that values of an integer field have: those of an enum, or of the bits of a mask.
typedef struct cosm_labels {
    const char *name; // of the enum
    cosm_labels_kind kind;
    uint32_t count; // 1 to COSM_LABEL_MAX
    const cosm_label *items;
} cosm_labels;

// Good when zeroed but for name and type. What it points at is copied when a component is defined.
typedef struct cosm_field {
    const char *name; // its path: identifiers with '.' between them, each with any number of [n]
    cosm_field_type type;
    uint32_t offset;                   // bytes from the beginning of the value
    uint32_t dims[COSM_FIELD_DIM_MAX]; // of an array, outermost first; zeroes only at the end
    uint32_t alignment;                // of each value; zero: that of the type
    uint32_t padding;                  // bytes behind the field that belong to it
    const cosm_labels *labels;         // for integers: NULL where values have no names
    double min;                        // the range that is meant; none where min and max are equal
    double max;
    const char *unit;          // such as "m/s"; NULL: none
    const char *doc;           // NULL: none
    const void *default_value; // laid over the default of the whole value; NULL: as it is there
} cosm_field;

// Bytes of one scalar, and its name, such as 4 and "f32". Zero and NULL for what is not a type.
COSM_API size_t cosm_field_type_size(cosm_field_type type);
COSM_API const char *cosm_field_type_name(cosm_field_type type);

// The type with that name, or COSM_FIELD_NONE.
COSM_API cosm_field_type cosm_field_type_find(const char *name);

// How many scalars a field holds: the product of its dimensions, 1 without any. Zero where it does
// not fit 32 bits.
COSM_API uint32_t cosm_field_element_count(const cosm_field *field);

// The bytes of all its scalars, padding not counted.
COSM_API size_t cosm_field_size(const cosm_field *field);

// Sets the offsets of fields one after the other, as a C compiler lays out a struct, with alignment
// and padding as given, and padding raised where a field would not fill its alignment; for
// components that are made at run time and have no struct. Tells the size and the alignment of the
// whole.
COSM_API COSM_MUST_USE cosm_result cosm_field_place(cosm_field *fields, uint32_t field_count,
                                                    size_t *out_size, size_t *out_alignment);

// The fields of a component, in the order in which they were given. NULL or zero where there is
// none, also for an id that is not defined. They live as long as the engine.
COSM_API uint32_t cosm_component_field_count(const cosm_engine *engine, cosm_component component);
COSM_API const cosm_field *cosm_component_field(const cosm_engine *engine, cosm_component component,
                                                uint32_t index);

// The number of the field with that path, or COSM_FIELD_INDEX_NONE. O(fields).
COSM_API uint32_t cosm_component_field_find(const cosm_engine *engine, cosm_component component,
                                            const char *name);

// The same for singletons.
COSM_API uint32_t cosm_singleton_field_count(const cosm_engine *engine, cosm_singleton singleton);
COSM_API const cosm_field *cosm_singleton_field(const cosm_engine *engine, cosm_singleton singleton,
                                                uint32_t index);
COSM_API uint32_t cosm_singleton_field_find(const cosm_engine *engine, cosm_singleton singleton,
                                            const char *name);

#define COSM_FIELD_INDEX_NONE 0xFFFFFFFFu

// The scalars of a field over a run of rows: row i begins at data + i * stride. In split layout
// they lie side by side; in struct layout the stride is the size of the struct.
typedef struct cosm_span {
    void *data; // NULL where there is none
    size_t stride;
} cosm_span;

// What a run needs to know of a field of a split column.
typedef struct cosm_field_column {
    uint32_t size;        // of the whole field
    uint32_t scalar_size; // of one scalar of it
    uint32_t stride;      // from row to row
} cosm_field_column;

// May the values of a field be seen as an array of a type of `size` bytes? As whole ones, or scalar
// by scalar; padding counts, since it is there in every row.
static inline bool cosm_field_column_fits(const cosm_field_column *column, size_t size) {
    return column->stride == size ||
           (column->scalar_size == size && column->stride == column->size);
}

COSM_END_C

#endif
