// The public calls of cosm/field.h: fields and their values as short text.
#include <cosm/field.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const unsigned char *scalar_at(const cosm_field *field, const void *value,
                                      uint32_t element) {
    return (const unsigned char *)value + field->offset +
           element * cosm_field_type_size(field->type);
}

void cosm_field_element_path(const cosm_field *field, uint32_t element, char *text, size_t room) {
    uint32_t places[COSM_FIELD_DIM_MAX] = {0};
    uint32_t dims = 0;
    while (dims < COSM_FIELD_DIM_MAX && field->dims[dims] != 0) {
        dims++;
    }
    dims = field->type == COSM_FIELD_CHAR ? 0 : dims;
    for (uint32_t d = dims; d-- > 0;) {
        places[d] = element % field->dims[d];
        element /= field->dims[d];
    }
    int at = snprintf(text, room, "%s", field->name);
    for (uint32_t d = 0; d < dims && at > 0 && (size_t)at < room; d++) {
        at += snprintf(text + at, room - (size_t)at, "[%" PRIu32 "]", places[d]);
    }
}

#define READ_SCALAR(type, name)                                                                    \
    type name;                                                                                     \
    memcpy(&name, at, sizeof(name))

static void integer_text(cosm_field_type type, const unsigned char *at, char *text, size_t room) {
    size_t size = cosm_field_type_size(type);
    bool is_signed = type >= COSM_FIELD_I8 && type <= COSM_FIELD_I64;
    uint64_t bits = 0;
    if (size == 1) {
        bits = *at;
    } else if (size == 2) {
        READ_SCALAR(uint16_t, small);
        bits = small;
    } else if (size == 4) {
        READ_SCALAR(uint32_t, middle);
        bits = middle;
    } else {
        READ_SCALAR(uint64_t, large);
        bits = large;
    }
    if (!is_signed) {
        (void)snprintf(text, room, "%" PRIu64, bits);
        return;
    }
    uint64_t sign = (uint64_t)1 << (8 * size - 1);
    int64_t value = (int64_t)((bits ^ sign) - sign);
    (void)snprintf(text, room, "%" PRId64, value);
}

void cosm_field_text(const cosm_field *field, const void *value, uint32_t element, char *text,
                     size_t room) {
    const unsigned char *at = scalar_at(field, value, element);
    switch (field->type) {
    case COSM_FIELD_F32: {
        READ_SCALAR(float, number);
        (void)snprintf(text, room, "%.9g", (double)number);
        break;
    }
    case COSM_FIELD_F64: {
        READ_SCALAR(double, number);
        (void)snprintf(text, room, "%.17g", number);
        break;
    }
    case COSM_FIELD_ENTITY: {
        READ_SCALAR(cosm_entity, entity);
        bool is_none = entity.gen == 0 && entity.id == 0;
        (void)snprintf(text, room, is_none ? "none" : COSM_ENTITY_FORMAT,
                       COSM_ENTITY_PRINT(entity));
        break;
    }
    case COSM_FIELD_CHAR: {
        size_t size = cosm_field_size(field);
        (void)snprintf(text, room, "%.*s", (int)(size < room ? size : room), (const char *)at);
        break;
    }
    case COSM_FIELD_NONE:
        (void)snprintf(text, room, "%s", "");
        break;
    default:
        integer_text(field->type, at, text, room);
        break;
    }
}
