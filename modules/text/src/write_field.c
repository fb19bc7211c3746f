// Writing values: one field, by its type.
#include "write.h"

#define F32_NAN 0x7FC00000u // the one that is written without its bits
#define F64_NAN 0x7FF8000000000000u

// A word of JSON is a string.
static void out_word(struct out *out, enum style style, const char *word) {
    const char *quote = style_is_json(style) ? "\"" : "";
    out_text(out, quote);
    out_text(out, word);
    out_text(out, quote);
}

// A float that is not finite. Its bits are `bits`, of which `digit_count` hex digits are used.
static void out_special(struct out *out, enum style style, uint64_t bits, uint32_t digit_count) {
    bool is_f32 = digit_count == 8;
    uint64_t infinity = is_f32 ? 0x7F800000u : 0x7FF0000000000000u;
    uint64_t sign = is_f32 ? 0x80000000u : 0x8000000000000000u;
    if ((bits & ~sign) == infinity) {
        out_word(out, style, bits == infinity ? "inf" : "-inf");
    } else if (bits == (is_f32 ? F32_NAN : F64_NAN)) {
        out_word(out, style, "nan");
    } else {
        out_text(out, style_is_json(style) ? "\"nan:" : "nan:");
        cosmi_text_out_hex_u64(out, bits, digit_count);
        out_text(out, style_is_json(style) ? "\"" : "");
    }
}

static void out_f32(struct out *out, enum style style, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    if ((bits & 0x7F800000u) == 0x7F800000u) {
        out_special(out, style, bits, 8);
    } else {
        out->at += cosmi_text_write_f32(value, out_room(out));
    }
}

void cosmi_text_out_f64(struct out *out, enum style style, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof(bits));
    if ((bits & 0x7FF0000000000000u) == 0x7FF0000000000000u) {
        out_special(out, style, bits, 16);
    } else {
        out->at += cosmi_text_write_f64(value, out_room(out));
    }
}

// An integer's value: of an unsigned one of 64 bits, the same bits.
static int64_t integer_at(cosm_field_type type, const char *at) {
    int8_t i8;
    int16_t i16;
    int32_t i32;
    int64_t i64;
    uint8_t u8;
    uint16_t u16;
    uint32_t u32;
    switch (type) {
    case COSM_FIELD_I8:
        return memcpy(&i8, at, sizeof(i8)), i8;
    case COSM_FIELD_I16:
        return memcpy(&i16, at, sizeof(i16)), i16;
    case COSM_FIELD_I32:
        return memcpy(&i32, at, sizeof(i32)), i32;
    case COSM_FIELD_U8:
        return memcpy(&u8, at, sizeof(u8)), u8;
    case COSM_FIELD_U16:
        return memcpy(&u16, at, sizeof(u16)), u16;
    case COSM_FIELD_U32:
        return memcpy(&u32, at, sizeof(u32)), u32;
    default:
        return memcpy(&i64, at, sizeof(i64)), i64;
    }
}

static void out_number(struct out *out, cosm_field_type type, int64_t value) {
    if (type == COSM_FIELD_U64) {
        out_u64(out, (uint64_t)value);
    } else {
        out_i64(out, value);
    }
}

static void out_label(struct out *out, enum style style, const char *name) {
    if (style_is_json(style)) {
        cosmi_text_out_quoted(out, name, strlen(name), QUOTE_JSON);
    } else {
        out_text(out, name);
    }
}

// The labels whose bits are set, each only where it has a bit that those before it do not have;
// then the bits that no label has, as a number.
static void out_mask(struct out *out, enum style style, const struct leaf *leaf, int64_t value) {
    uint32_t bit_count = 8 * leaf->scalar_size;
    uint64_t all = bit_count == 64 ? UINT64_MAX : (1ull << bit_count) - 1;
    uint64_t bits = (uint64_t)value & all;
    const char *between = style_is_json(style) ? style_comma(style) : "|";
    uint64_t left = bits;
    bool is_first = true;
    out_text(out, style_is_json(style) ? "[" : "");
    for (uint32_t i = 0; i < leaf->labels->count && left != 0; i++) {
        uint64_t label = (uint64_t)leaf->labels->items[i].value & all; // may be below zero
        if ((label & bits) == label && (label & left) != 0) {
            out_text(out, is_first ? "" : between);
            out_label(out, style, leaf->labels->items[i].name);
            left &= ~label;
            is_first = false;
        }
    }
    if (left != 0 || (is_first && !style_is_json(style))) {
        out_text(out, is_first ? "" : between);
        out_u64(out, left);
    }
    out_text(out, style_is_json(style) ? "]" : "");
}

static void out_integer(struct out *out, enum style style, const struct leaf *leaf,
                        const char *at) {
    int64_t value = integer_at(leaf->field->type, at);
    const cosm_label *label = NULL;
    if (leaf->labels != NULL && leaf->labels->kind == COSM_LABELS_MASK) {
        out_mask(out, style, leaf, value);
        return;
    }
    if (leaf->labels != NULL) {
        label = cosmi_text_label_of(leaf->labels, value);
    }
    if (label != NULL) {
        out_label(out, style, label->name);
    } else {
        out_number(out, leaf->field->type, value);
    }
}

// A byte that is neither 0 nor 1 is shown as it is.
static void out_bool(struct out *out, unsigned char value) {
    if (value > 1) {
        out_u64(out, value);
    } else {
        out_text(out, value == 1 ? "true" : "false");
    }
}

static void out_reference(struct out *out, enum style style, const char *at) {
    cosm_entity entity;
    memcpy(&entity, at, sizeof(entity));
    if (cosm_entity_is_none(entity)) {
        out_text(out, style_is_json(style) ? "null" : "none");
        return;
    }
    out_text(out, style_is_json(style) ? "\"" : "");
    out_entity(out, entity);
    out_text(out, style_is_json(style) ? "\"" : "");
}

// Bytes up to the last one that is not zero.
static size_t used_length(const char *text, size_t room) {
    while (room > 0 && text[room - 1] == '\0') {
        room--;
    }
    return room;
}

// Text is a string where a string tells all of its bytes, else an array of numbers.
static void out_chars(struct out *out, enum style style, const char *text, size_t room) {
    size_t length = used_length(text, room);
    bool is_text = memchr(text, '\0', length) == NULL && cosmi_text_is_utf8(text, length);
    if (is_text || !style_is_json(style)) {
        cosmi_text_out_quoted(out, text, length, style_quoting(style));
        return;
    }
    for (size_t i = 0; i < room; i++) {
        out_text(out, i == 0 ? "[" : style_comma(style));
        out_u64(out, (unsigned char)text[i]);
    }
    out_char(out, ']');
}

static void out_scalar(struct out *out, enum style style, const struct leaf *leaf, const char *at) {
    float f32;
    double f64;
    switch (leaf->field->type) {
    case COSM_FIELD_F32:
        memcpy(&f32, at, sizeof(f32));
        out_f32(out, style, f32);
        break;
    case COSM_FIELD_F64:
        memcpy(&f64, at, sizeof(f64));
        cosmi_text_out_f64(out, style, f64);
        break;
    case COSM_FIELD_BOOL:
        out_bool(out, (unsigned char)*at);
        break;
    case COSM_FIELD_ENTITY:
        out_reference(out, style, at);
        break;
    case COSM_FIELD_CHAR:
        out_chars(out, style, at, leaf->element_size);
        break;
    default:
        out_integer(out, style, leaf, at);
        break;
    }
}

// Dimension `dim` and those within it; returns where its last element ends.
static const char *out_array(struct out *out, enum style style, const struct leaf *leaf,
                             uint32_t dim, const char *at) {
    // The second condition is for compilers that unroll the recursion and see no end to it.
    if (dim == leaf->dim_count || dim == COSM_FIELD_DIM_MAX) {
        out_scalar(out, style, leaf, at);
        return at + leaf->element_size;
    }
    for (uint32_t i = 0; i < leaf->field->dims[dim]; i++) {
        out_text(out, i == 0 ? "[" : style_comma(style));
        at = out_array(out, style, leaf, dim + 1, at);
    }
    out_char(out, ']');
    return at;
}

void cosmi_text_out_field(struct out *out, enum style style, const struct leaf *leaf,
                          const char *value) {
    if (leaf->dim_count == 0) {
        out_scalar(out, style, leaf, value);
    } else {
        (void)out_array(out, style, leaf, 0, value);
    }
}
