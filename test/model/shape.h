// Shapes: what the bytes of described components are, fixed ones and ones made from a stream.
//
// Between the fields of a shape, behind them, and behind single scalars there are gaps on purpose:
// values have rubbish in them, and the split layout must not keep it.
#ifndef MODEL_SHAPE_H
#define MODEL_SHAPE_H

#include <cosm/field.h>

enum {
    SHAPE_FIELD_MAX = 8,
    SHAPE_SIZE_MAX = 5120,
};

// A struct with its fields. What the fields point at is constant; with no fields it is no shape.
struct shape {
    size_t size;
    size_t alignment;
    uint32_t count;
    cosm_field fields[SHAPE_FIELD_MAX];
};

// The shapes that every run has.
enum shape_name {
    SHAPE_MOTES,   // single bytes
    SHAPE_SHORTS,  // two bytes, a gap of one, an array of 4 bytes
    SHAPE_ARRAYS,  // arrays of 12 bytes, with gaps between and behind
    SHAPE_NESTED,  // structs in structs, and an array of them
    SHAPE_ALIGNED, // a field on a cache line of its own, and one behind it
    SHAPE_PADDED,  // padding that belongs to fields; the first field lies last
    SHAPE_BULKY,   // larger than what is hashed at a time
    SHAPE_NAME_COUNT
};
const struct shape *shape_named(enum shape_name name);

// A shape of one to SHAPE_FIELD_MAX fields, from the numbers of a stream.
void shape_draw(struct shape *shape, uint64_t *stream);

// Bytes of all scalars of a field, and the same with the padding that belongs to it.
size_t field_size(const cosm_field *field);
size_t field_stride(const cosm_field *field);

// Bytes of one row in split layout.
size_t shape_split_size(const struct shape *shape);

bool shape_equals(const struct shape *a, const struct shape *b);

// The field within whose stride the four bytes from `offset` on lie, or the count where none does.
uint32_t shape_field_around(const struct shape *shape, size_t offset);

#endif
