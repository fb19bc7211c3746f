// The fixed shapes, and how others are drawn.
#include "shape.h"

#include <string.h>

#include "model.h"

// The offset, and behind it whatever else there is to say.
#define FIELD(path, kind, ...)                                                                     \
    { .name = (path), .type = COSM_FIELD_##kind, .offset = __VA_ARGS__ }

static const struct shape shapes[SHAPE_NAME_COUNT] = {
    [SHAPE_MOTES] = {3, 1, 3, {FIELD("r", U8, 0), FIELD("g", I8, 1), FIELD("b", U8, 2)}},
    [SHAPE_SHORTS] =
        {8, 2, 3, {FIELD("low", I16, 0), FIELD("tiny", U8, 2), FIELD("pair", U16, 4, .dims = {2})}},
    [SHAPE_ARRAYS] = {40,
                      8,
                      3,
                      {FIELD("from", F32, 0, .dims = {3}), FIELD("when", I64, 16),
                       FIELD("to", F32, 24, .dims = {3})}},
    [SHAPE_NESTED] = {40,
                      8,
                      6,
                      {FIELD("pose.position.x", F32, 0), FIELD("pose.position.y", F32, 4),
                       FIELD("pose.spin", F64, 8), FIELD("items[0].count", U16, 16),
                       FIELD("items[1].count", U16, 24), FIELD("name", CHAR, 26, .dims = {9})}},
    [SHAPE_ALIGNED] = {128,
                       64,
                       4,
                       {FIELD("hot", U32, 0, .alignment = 64, .padding = 60),
                        FIELD("label", CHAR, 64, .dims = {20}), FIELD("target", ENTITY, 88),
                        FIELD("grid", I32, 96, .dims = {2, 2}, .alignment = 16)}},
    [SHAPE_PADDED] = {24,
                      4,
                      3,
                      {FIELD("last", U16, 12, .dims = {3}, .padding = 2),
                       FIELD("first", U8, 0, .padding = 3), FIELD("middle", U32, 4)}},
    [SHAPE_BULKY] = {5008,
                     8,
                     3,
                     {FIELD("key", U32, 0), FIELD("cells", U8, 8, .dims = {50, 80}),
                      FIELD("sums", F64, 4016, .dims = {123})}},
};

const struct shape *shape_named(enum shape_name name) {
    return &shapes[name];
}

static size_t scalar_size(cosm_field_type type) {
    switch (type) {
    case COSM_FIELD_I16:
    case COSM_FIELD_U16:
        return 2;
    case COSM_FIELD_I32:
    case COSM_FIELD_U32:
    case COSM_FIELD_F32:
        return 4;
    case COSM_FIELD_I64:
    case COSM_FIELD_U64:
    case COSM_FIELD_F64:
    case COSM_FIELD_ENTITY:
        return 8;
    default:
        return 1;
    }
}

size_t field_size(const cosm_field *field) {
    size_t size = scalar_size(field->type);
    for (uint32_t i = 0; i < COSM_FIELD_DIM_MAX && field->dims[i] != 0; i++) {
        size *= field->dims[i];
    }
    return size;
}

size_t field_stride(const cosm_field *field) {
    return field_size(field) + field->padding;
}

size_t shape_split_size(const struct shape *shape) {
    size_t size = 0;
    for (uint32_t i = 0; i < shape->count; i++) {
        size += field_stride(&shape->fields[i]);
    }
    return size;
}

bool shape_equals(const struct shape *a, const struct shape *b) {
    bool equal = a->count == b->count && a->size == b->size && a->alignment == b->alignment;
    for (uint32_t i = 0; equal && i < a->count; i++) {
        const cosm_field *x = &a->fields[i];
        const cosm_field *y = &b->fields[i];
        equal = strcmp(x->name, y->name) == 0 && x->type == y->type && x->offset == y->offset &&
                memcmp(x->dims, y->dims, sizeof(x->dims)) == 0 && x->alignment == y->alignment &&
                x->padding == y->padding;
    }
    return equal;
}

uint32_t shape_field_around(const struct shape *shape, size_t offset) {
    uint32_t f = 0;
    while (f < shape->count && (offset < shape->fields[f].offset ||
                                offset + sizeof(uint32_t) >
                                    shape->fields[f].offset + field_stride(&shape->fields[f]))) {
        f++;
    }
    return f;
}

// Paths that may follow each other in this order, whatever their types.
static const char *const paths[4][SHAPE_FIELD_MAX] = {
    {"a", "b", "c", "d", "e", "f", "g", "h"},
    {"p.x", "p.y", "p.q.x", "p.q.y", "p.z", "q", "r.x", "r.y"},
    {"i[0].n", "i[0].m", "i[1].n", "i[1].m", "i[2].n", "i[2].m", "j", "k"},
    {"t[0]", "t[1]", "t[2]", "u.v[0].w", "u.v[0].x", "u.v[1].w", "u.v[1].x", "u.y"},
};

static const cosm_field_type types[] = {COSM_FIELD_U8,     COSM_FIELD_I16, COSM_FIELD_F32,
                                        COSM_FIELD_U32,    COSM_FIELD_I64, COSM_FIELD_F64,
                                        COSM_FIELD_BOOL,   COSM_FIELD_U16, COSM_FIELD_I8,
                                        COSM_FIELD_ENTITY, COSM_FIELD_U64, COSM_FIELD_I32};

static uint32_t next(uint64_t *stream, uint32_t n) {
    return (uint32_t)(model_random(stream) >> 33) % n;
}

static size_t align_up(size_t size, size_t alignment) {
    return (size + alignment - 1) / alignment * alignment;
}

static void draw_field(struct shape *shape, const char *path, uint64_t *stream) {
    static const uint32_t lengths[] = {0, 0, 0, 3, 2, 5, 7, 12};
    cosm_field *field = &shape->fields[shape->count++];
    memset(field, 0, sizeof(*field));
    field->name = path;
    field->type = types[next(stream, sizeof(types) / sizeof(types[0]))];
    field->dims[0] = lengths[next(stream, 8)];
    field->dims[1] = field->dims[0] > 0 && next(stream, 4) == 3 ? 1 + next(stream, 3) : 0;
    // The alignment of entities is that of their two words.
    size_t natural = field->type == COSM_FIELD_ENTITY ? 4 : scalar_size(field->type);
    size_t alignment = natural << (next(stream, 4) == 3 ? next(stream, 4) : 0);
    field->alignment = alignment > natural ? (uint32_t)alignment : 0;
    size_t size = field_size(field);
    size_t padding = align_up(size, alignment) - size;
    padding += next(stream, 4) == 3 ? alignment * next(stream, 3) : 0;
    field->padding = (uint32_t)padding;
    shape->alignment = alignment > shape->alignment ? alignment : shape->alignment;
    size_t gap = next(stream, 3) == 2 ? 1 + next(stream, 9) : 0;
    field->offset = (uint32_t)align_up(shape->size + gap, alignment);
    shape->size = field->offset + field_stride(field);
}

void shape_draw(struct shape *shape, uint64_t *stream) {
    const char *const *names = paths[next(stream, 4)];
    uint32_t count = 1 + next(stream, SHAPE_FIELD_MAX);
    shape->size = 0;
    shape->alignment = 1;
    shape->count = 0;
    while (shape->count < count) {
        draw_field(shape, names[shape->count], stream);
    }
    size_t behind = next(stream, 3) == 2 ? 1 + next(stream, 20) : 0;
    shape->size = align_up(shape->size + behind, shape->alignment);
}
