// Strict fields: every value of an image that has some is compared with its bounds.
//
// What has no strict fields costs a look at its type. The others cost a look at each value,
// wherever it is: in columns, among shared values, as an object, in a sector, or in a singleton.
#include "state/strict.h"

#include <stdio.h>
#include <string.h>

struct strict_job {
    const struct schema *schema;
    const struct sink *sink;
    const char *call;
    uint32_t world;
};

// A scalar as a number for its range, and as bits for its labels.
struct strict_scalar {
    double number;
    int64_t bits;
};

#define READ_AS(type)                                                                              \
    do {                                                                                           \
        type value;                                                                                \
        memcpy(&value, at, sizeof(value));                                                         \
        return (struct strict_scalar){(double)value, (int64_t)value};                              \
    } while (0)

#define READ_REAL(type)                                                                            \
    do {                                                                                           \
        type value;                                                                                \
        memcpy(&value, at, sizeof(value));                                                         \
        return (struct strict_scalar){(double)value, 0};                                           \
    } while (0)

static inline struct strict_scalar read_scalar(cosm_field_type type, const char *at) {
    switch (type) {
    case COSM_FIELD_I8:
        READ_AS(int8_t);
    case COSM_FIELD_I16:
        READ_AS(int16_t);
    case COSM_FIELD_I32:
        READ_AS(int32_t);
    case COSM_FIELD_I64:
        READ_AS(int64_t);
    case COSM_FIELD_U16:
        READ_AS(uint16_t);
    case COSM_FIELD_U32:
        READ_AS(uint32_t);
    case COSM_FIELD_U64:
        READ_AS(uint64_t);
    case COSM_FIELD_F32:
        READ_REAL(float);
    case COSM_FIELD_F64:
        READ_REAL(double);
    default: // u8, and bool, whose byte may be any
        READ_AS(uint8_t);
    }
}

// Is it one of the labels, or an or of them?
static bool has_label(const cosm_labels *labels, int64_t bits) {
    uint64_t rest = (uint64_t)bits;
    for (uint32_t i = 0; i < labels->count; i++) {
        if (labels->kind == COSM_LABELS_MASK) {
            rest &= ~(uint64_t)labels->items[i].value;
        } else if (labels->items[i].value == bits) {
            return true;
        }
    }
    return labels->kind == COSM_LABELS_MASK && rest == 0;
}

// A mask of a signed field has the sign in all bits above it.
static bool is_labelled(const cosm_field *field, struct strict_scalar scalar) {
    size_t size = cosm_field_type_size(field->type);
    uint64_t all = size == 8 ? UINT64_MAX : ((uint64_t)1 << (8 * size)) - 1;
    bool is_mask = field->labels->kind == COSM_LABELS_MASK;
    return has_label(field->labels, is_mask ? (int64_t)((uint64_t)scalar.bits & all) : scalar.bits);
}

// Not a number is in no range.
static bool is_allowed(const cosm_field *field, struct strict_scalar scalar) {
    if (field->type == COSM_FIELD_BOOL) {
        return scalar.bits <= 1;
    }
    if (field->min < field->max && !(scalar.number >= field->min && scalar.number <= field->max)) {
        return false;
    }
    return field->labels == NULL || is_labelled(field, scalar);
}

static cosm_result refuse_value(const struct strict_job *job, const struct value_type *type,
                                const cosm_field *field, const char *value, uint32_t element) {
    char path[COSM_FIELD_PATH_LENGTH_MAX + 64];
    char text[64];
    char range[80];
    cosm_field here = *field;
    here.offset = 0;
    cosm_field_element_path(&here, element, path, sizeof(path));
    here.type = here.type == COSM_FIELD_BOOL ? COSM_FIELD_U8 : here.type;
    cosm_field_text(&here, value, element, text, sizeof(text));
    if (field->min < field->max) {
        (void)snprintf(range, sizeof(range), "%.10g to %.10g", field->min, field->max);
    } else {
        (void)snprintf(
            range, sizeof(range), "%s %.48s", field->labels == NULL ? "0 and 1" : "the labels",
            field->labels == NULL || field->labels->name == NULL ? "" : field->labels->name);
    }
    bool is_singleton = schema_singleton(job->schema, type->id) == type;
    return cosmi_fail(
        job->sink, COSM_ERROR_FORMAT,
        "%s: world %u: %s '%.64s': field '%.64s' is %s and strict, but not within %s; "
        "correct the value, or the range in the definition",
        job->call, job->world, is_singleton ? "singleton" : "component", type->name, path, text,
        range);
}

// `count` values of a field, the first one at `at`.
static cosm_result check_field(const struct strict_job *job, const struct value_type *type,
                               const cosm_field *field, const char *at, size_t stride,
                               uint32_t count) {
    size_t size = cosm_field_type_size(field->type);
    uint32_t elements = cosm_field_element_count(field);
    for (uint32_t i = 0; i < count; i++) {
        const char *value = at + i * stride;
        for (uint32_t e = 0; e < elements; e++) {
            if (!is_allowed(field, read_scalar(field->type, value + e * size))) {
                return refuse_value(job, type, field, value, e);
            }
        }
    }
    return COSM_OK;
}

// Whole values, one behind the other.
static cosm_result check_values(const struct strict_job *job, const struct value_type *type,
                                const void *values, size_t stride, uint32_t count) {
    cosm_result result = COSM_OK;
    for (uint32_t f = 0; f < type->fields.count && result == COSM_OK; f++) {
        const cosm_field *field = &type->fields.items[f];
        if (field->strict) {
            result =
                check_field(job, type, field, (const char *)values + field->offset, stride, count);
        }
    }
    return result;
}

static cosm_result check_object(const struct strict_job *job, const struct object *object) {
    return object == NULL || object->type->fields.strict_count == 0
               ? COSM_OK
               : check_values(job, object->type, object->bytes, object->type->size, 1);
}

static cosm_result check_column(const struct strict_job *job, const struct part *table,
                                uint32_t column) {
    const struct column_info *info = &table->archetype->columns[column];
    const struct value_type *type = schema_component(job->schema, info->component);
    if (info->is_ticks || info->managed != NULL || type->fields.strict_count == 0 ||
        (info->part_count > 0 && !type->fields.items[info->part].strict)) {
        return COSM_OK;
    }
    size_t stride = table->archetype->sizes[column];
    cosm_result result = COSM_OK;
    for (uint32_t chunk = 0; chunk < table_chunks(table) && result == COSM_OK; chunk++) {
        const void *values = cosmi_table_column(table, chunk, column);
        uint32_t count = table_chunk_rows(table, chunk);
        result = info->part_count > 0 ? check_field(job, type, &type->fields.items[info->part],
                                                    values, stride, count)
                                      : check_values(job, type, values, stride, count);
    }
    return result;
}

static cosm_result check_table(const struct strict_job *job, const struct part *table) {
    const struct archetype *archetype = table->archetype;
    cosm_result result = COSM_OK;
    for (uint32_t c = ENTITY_COLUMN + 1; c < archetype->column_count && result == COSM_OK; c++) {
        result = check_column(job, table, c);
    }
    for (uint32_t i = 0; i < archetype->shared_count && result == COSM_OK; i++) {
        result = check_object(job, table->objects[i]);
    }
    return result;
}

static cosm_result check_managed(const struct strict_job *job, const struct part *image) {
    cosm_result result = COSM_OK;
    uint32_t end = image->type->fields.strict_count == 0 ? 0 : image->managed.used;
    for (uint32_t i = 0; i < end && result == COSM_OK; i++) {
        result = check_object(job, image->objects[i]);
    }
    return result;
}

// One member of all records of a group; `number` among those that are objects.
static cosm_result check_member(const struct strict_job *job, const struct part *image,
                                uint32_t member, uint32_t number) {
    const struct sector_group *group = image->group;
    const struct value_type *type = schema_component(job->schema, group->components[member].id);
    bool is_object = sector_member_is_object(group, member);
    uint32_t end = type->fields.strict_count == 0 ? 0 : image->sector.place_end;
    cosm_result result = COSM_OK;
    for (uint32_t i = 0; i < end && result == COSM_OK; i++) {
        const cosm_sector *sector = sector_record(image, i);
        if ((sector->live >> member & 1) == 0) {
            continue;
        }
        result = is_object
                     ? check_object(
                           job, image->objects[(size_t)i * image->sector.object_members + number])
                     : check_values(job, type,
                                    cosm_sector_at(sector, group->layout->members[member].offset),
                                    type->size, 1);
    }
    return result;
}

static cosm_result check_sectors(const struct strict_job *job, const struct part *image) {
    cosm_result result = COSM_OK;
    uint32_t number = 0;
    for (uint32_t m = 0; m < image->group->member_count && result == COSM_OK; m++) {
        result = check_member(job, image, m, number);
        number += sector_member_is_object(image->group, m);
    }
    return result;
}

static cosm_result check_singletons(const struct strict_job *job, const struct part *values) {
    cosm_result result = COSM_OK;
    for (uint32_t id = 1; id < values->blob_count && result == COSM_OK; id++) {
        const struct value_type *type = schema_singleton(job->schema, id);
        if (values->blobs[id] != NULL && type->fields.strict_count > 0) {
            result = check_values(job, type, values->blobs[id]->bytes, type->size, 1);
        }
    }
    return result;
}

cosm_result cosmi_strict_check(const struct schema *schema, const struct sink *sink,
                               const char *call, const struct world_image *image, uint32_t world) {
    static cosm_result (*const checks[PART_KINDS])(const struct strict_job *,
                                                   const struct part *) = {
        [PART_TABLE] = check_table,
        [PART_SINGLETONS] = check_singletons,
        [PART_MANAGED] = check_managed,
        [PART_SECTOR] = check_sectors,
    };
    const struct strict_job job = {schema, sink, call, world};
    cosm_result result = COSM_OK;
    for (uint32_t i = 0; i < image->part_count && result == COSM_OK; i++) {
        if (checks[image->parts[i]->kind] != NULL) {
            result = checks[image->parts[i]->kind](&job, image->parts[i]);
        }
    }
    return result;
}
