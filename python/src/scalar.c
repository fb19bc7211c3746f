// Scalars: their names, and formats of the buffer protocol.
#include "scalar.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

// numpy takes `long` for its 64-bit integers where that is wide enough: then so do we.
#if LONG_MAX > 0x7FFFFFFFL
#define FORMAT_I64 "l"
#define FORMAT_U64 "L"
#else
#define FORMAT_I64 "q"
#define FORMAT_U64 "Q"
#endif

static const struct scalar scalars[COSM_FIELD_TYPE_COUNT] = {
    [COSM_FIELD_I8] = {"int8", "b", "i1", SCALAR_SIGNED, 1},
    [COSM_FIELD_I16] = {"int16", "h", "i2", SCALAR_SIGNED, 2},
    [COSM_FIELD_I32] = {"int32", "i", "i4", SCALAR_SIGNED, 4},
    [COSM_FIELD_I64] = {"int64", FORMAT_I64, "i8", SCALAR_SIGNED, 8},
    [COSM_FIELD_U8] = {"uint8", "B", "u1", SCALAR_UNSIGNED, 1},
    [COSM_FIELD_U16] = {"uint16", "H", "u2", SCALAR_UNSIGNED, 2},
    [COSM_FIELD_U32] = {"uint32", "I", "u4", SCALAR_UNSIGNED, 4},
    [COSM_FIELD_U64] = {"uint64", FORMAT_U64, "u8", SCALAR_UNSIGNED, 8},
    [COSM_FIELD_F32] = {"float32", "f", "f4", SCALAR_FLOAT, 4},
    [COSM_FIELD_F64] = {"float64", "d", "f8", SCALAR_FLOAT, 8},
    [COSM_FIELD_BOOL] = {"bool", "?", "b1", SCALAR_BOOL, 1},
};

const struct scalar *cosmi_python_scalar(cosm_field_type type) {
    bool is_ours = (unsigned)type < COSM_FIELD_TYPE_COUNT && scalars[type].size != 0;
    return &scalars[is_ours ? type : COSM_FIELD_U8];
}

static bool is_little_endian(void) {
    const uint16_t one = 1;
    uint8_t first;
    memcpy(&first, &one, 1);
    return first == 1;
}

enum scalar_kind cosmi_python_scalar_of(const char *format, bool *out_is_swapped) {
    *out_is_swapped = false;
    if (format == NULL) {
        return SCALAR_UNSIGNED; // the protocol's default: bytes
    }
    if (strchr("@=<>!", format[0]) != NULL && format[0] != '\0') {
        bool is_big = format[0] == '>' || format[0] == '!';
        *out_is_swapped = format[0] == '<' ? !is_little_endian() : is_big && is_little_endian();
        format++;
    }
    if (format[0] == '\0' || format[1] != '\0') {
        return SCALAR_OTHER;
    }
    if (strchr("bhilqn", format[0]) != NULL) {
        return SCALAR_SIGNED;
    }
    if (strchr("BHILQN", format[0]) != NULL) {
        return SCALAR_UNSIGNED;
    }
    if (strchr("efd", format[0]) != NULL) {
        return SCALAR_FLOAT;
    }
    return format[0] == '?' ? SCALAR_BOOL : SCALAR_OTHER;
}

void cosmi_python_scalar_name(enum scalar_kind kind, size_t size, char *out_name, size_t room) {
    static const char *const words[] = {"type of ", "int", "uint", "float", "bool"};
    if (kind == SCALAR_BOOL) {
        snprintf(out_name, room, "bool");
    } else if (kind == SCALAR_OTHER) {
        snprintf(out_name, room, "a type of %zu bytes", size);
    } else {
        snprintf(out_name, room, "%s%zu", words[kind], size * 8);
    }
}
