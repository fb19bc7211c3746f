// The public calls of cosm/field.h: the types of fields, and the arithmetic of their sizes.
#include <cosm/field.h>
#include <string.h>

#include "base/bits.h"
#include "base/error.h"

struct type_info {
    const char *name;
    size_t size;
    size_t alignment;
};

static const struct type_info types[COSM_FIELD_TYPE_COUNT] = {
    [COSM_FIELD_I8] = {"i8", 1, 1},     [COSM_FIELD_I16] = {"i16", 2, 2},
    [COSM_FIELD_I32] = {"i32", 4, 4},   [COSM_FIELD_I64] = {"i64", 8, 8},
    [COSM_FIELD_U8] = {"u8", 1, 1},     [COSM_FIELD_U16] = {"u16", 2, 2},
    [COSM_FIELD_U32] = {"u32", 4, 4},   [COSM_FIELD_U64] = {"u64", 8, 8},
    [COSM_FIELD_F32] = {"f32", 4, 4},   [COSM_FIELD_F64] = {"f64", 8, 8},
    [COSM_FIELD_BOOL] = {"bool", 1, 1}, [COSM_FIELD_ENTITY] = {"entity", 8, 4},
    [COSM_FIELD_CHAR] = {"char", 1, 1},
};

_Static_assert(sizeof(bool) == 1 && sizeof(cosm_entity) == 8 && _Alignof(cosm_entity) == 4,
               "the table above is true");

static const struct type_info *info_of(cosm_field_type type) {
    return (unsigned)type < COSM_FIELD_TYPE_COUNT ? &types[type] : &types[COSM_FIELD_NONE];
}

size_t cosm_field_type_size(cosm_field_type type) {
    return info_of(type)->size;
}

const char *cosm_field_type_name(cosm_field_type type) {
    return info_of(type)->name;
}

cosm_field_type cosm_field_type_find(const char *name) {
    for (uint32_t type = 1; name != NULL && type < COSM_FIELD_TYPE_COUNT; type++) {
        if (strcmp(types[type].name, name) == 0) {
            return (cosm_field_type)type;
        }
    }
    return COSM_FIELD_NONE;
}

uint32_t cosm_field_element_count(const cosm_field *field) {
    uint64_t count = 1;
    for (uint32_t i = 0; field != NULL && i < COSM_FIELD_DIM_MAX && field->dims[i] != 0; i++) {
        count *= field->dims[i];
        if (count > UINT32_MAX) {
            return 0;
        }
    }
    return field == NULL ? 0 : (uint32_t)count;
}

size_t cosm_field_size(const cosm_field *field) {
    return field == NULL ? 0 : cosm_field_element_count(field) * cosm_field_type_size(field->type);
}

uint32_t cosm_field_find(const cosm_field *fields, uint32_t field_count, const char *name) {
    for (uint32_t i = 0; fields != NULL && name != NULL && i < field_count; i++) {
        if (fields[i].name != NULL && strcmp(fields[i].name, name) == 0) {
            return i;
        }
    }
    return COSM_FIELD_INDEX_NONE;
}

// Is there enough of a field to place it?
static bool can_place(const cosm_field *field) {
    return field->name != NULL && cosm_field_size(field) > 0 &&
           cosm_field_size(field) <= COSM_COMPONENT_SIZE_MAX &&
           field->padding <= COSM_COMPONENT_SIZE_MAX &&
           (field->alignment == 0 || (is_power_of_two(field->alignment) &&
                                      field->alignment <= COSM_COMPONENT_ALIGNMENT_MAX));
}

// Where the fields end that come one after the other, and the largest of their alignments; offsets
// are set where `place` says so. Stops where it is too much for a component.
static size_t lay_out(cosm_field *fields, uint32_t field_count, bool place, size_t *out_largest) {
    size_t at = 0;
    *out_largest = 1;
    for (uint32_t i = 0; i < field_count && at <= COSM_COMPONENT_SIZE_MAX; i++) {
        size_t alignment =
            fields[i].alignment != 0 ? fields[i].alignment : info_of(fields[i].type)->alignment;
        size_t size = cosm_field_size(&fields[i]);
        size_t padded = align_up(size + fields[i].padding, alignment);
        at = align_up(at, alignment);
        if (place) {
            fields[i].offset = (uint32_t)at;
            fields[i].padding = (uint32_t)(padded - size);
        }
        at += padded;
        *out_largest = alignment > *out_largest ? alignment : *out_largest;
    }
    return at;
}

cosm_result cosm_field_place(cosm_field *fields, uint32_t field_count, size_t *out_size,
                             size_t *out_alignment) {
    static const char call[] = "cosm_field_place";
    if ((fields == NULL && field_count > 0) || out_size == NULL || out_alignment == NULL) {
        return cosmi_fail(NULL, COSM_ERROR_ARGUMENT,
                          "%s: fields, out_size or out_alignment is NULL; pass all three", call);
    }
    for (uint32_t i = 0; i < field_count; i++) {
        if (!can_place(&fields[i])) {
            return cosmi_fail(NULL, COSM_ERROR_ARGUMENT,
                              "%s: fields[%u] '%.64s' has type %d, alignment %u, padding %u; set "
                              "a name, a type, dimensions, and a power of two as alignment",
                              call, i, fields[i].name == NULL ? "NULL" : fields[i].name,
                              (int)fields[i].type, fields[i].alignment, fields[i].padding);
        }
    }
    size_t largest;
    if (lay_out(fields, field_count, false, &largest) > COSM_COMPONENT_SIZE_MAX) {
        return cosmi_fail(NULL, COSM_ERROR_LIMIT,
                          "%s: the fields need more than %u bytes; use fewer or smaller ones", call,
                          COSM_COMPONENT_SIZE_MAX);
    }
    *out_size = align_up(lay_out(fields, field_count, true, &largest), largest);
    *out_alignment = largest;
    return COSM_OK;
}
