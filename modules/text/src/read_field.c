// Reading values: one field, by its type.
#include "read.h"

#define F32_NAN 0x7FC00000u // the one that is written without its bits
#define F64_NAN 0x7FF8000000000000u

// Reports what stands at `where` as not being what `wanted` says.
static bool fail_value(struct reader *reader, const char *where, const struct node *node,
                       const char *wanted) {
    char found[EXCERPT_SIZE];
    return cosmi_text_read_fail(reader, where, node, "found %s; %s",
                                cosmi_text_excerpt(reader, where, found), wanted);
}

static int hex_digit(char c) {
    char lower = (char)(c | 0x20);
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

bool cosmi_text_read_hex(struct reader *reader, char *out_bytes, size_t size) {
    struct scan_string string;
    enum scan_kind kind = cosmi_text_scan_peek(&reader->scan);
    const char *where = reader->scan.at;
    if (kind != SCAN_STRING) {
        return fail_value(reader, where, NULL,
                          "it has no fields: write the bytes as a string of hex digits");
    }
    if (!cosmi_text_scan_take_string(&reader->scan, &string)) {
        return false;
    }
    if (string.length != 2 * size) {
        return cosmi_text_read_fail(reader, where, NULL,
                                    "found a string of %zu characters; write %zu hex digits, two "
                                    "for each byte",
                                    string.length, 2 * size);
    }
    for (size_t i = 0; i < size; i++) {
        int high = hex_digit(string.text[2 * i]);
        int low = hex_digit(string.text[2 * i + 1]);
        if (high < 0 || low < 0) {
            return cosmi_text_read_fail(reader, string.text + 2 * i, NULL,
                                        "these two are not hex digits; write 0 to 9 and a to f");
        }
        out_bytes[i] = (char)(high << 4 | low);
    }
    return true;
}

// Hex digits, exactly as many, up to the end of a string.
static bool parse_hex(const char *text, size_t length, size_t digit_count, uint64_t *out_value) {
    *out_value = 0;
    for (size_t i = 0; i < length && length == digit_count; i++) {
        int digit = hex_digit(text[i]);
        if (digit < 0) {
            return false;
        }
        *out_value = *out_value << 4 | (uint64_t)digit;
    }
    return length == digit_count;
}

// The bits of a float that is written as a string. `infinity` is the bits of that.
static bool parse_special(struct scan_string string, size_t digit_count, uint64_t infinity,
                          uint64_t nan, uint64_t *out_bits) {
    uint64_t sign = (uint64_t)1 << (4 * digit_count - 1);
    if (cosmi_text_scan_equals(string, "nan")) {
        *out_bits = nan;
    } else if (cosmi_text_scan_equals(string, "inf")) {
        *out_bits = infinity;
    } else if (cosmi_text_scan_equals(string, "-inf")) {
        *out_bits = infinity | sign;
    } else {
        return string.length > 4 && memcmp(string.text, "nan:", 4) == 0 &&
               parse_hex(string.text + 4, string.length - 4, digit_count, out_bits) &&
               (*out_bits & ~sign) > infinity;
    }
    return true;
}

static bool fail_float(struct reader *reader, const char *where, const struct node *node) {
    return fail_value(reader, where, node,
                      node->leaf.field->type == COSM_FIELD_F32
                          ? "write a number that fits f32, or \"nan\", \"inf\", \"-inf\", or "
                            "\"nan:\" and the 8 hex digits of a NaN"
                          : "write a number that fits f64, or \"nan\", \"inf\", \"-inf\", or "
                            "\"nan:\" and the 16 hex digits of a NaN");
}

static bool read_special(struct reader *reader, const struct node *node, char *out_value) {
    bool is_f32 = node->leaf.field->type == COSM_FIELD_F32;
    const char *where = reader->scan.at;
    struct scan_string string;
    uint64_t bits;
    if (cosmi_text_scan_peek(&reader->scan) != SCAN_STRING) {
        return fail_float(reader, where, node);
    }
    if (!cosmi_text_scan_take_string(&reader->scan, &string)) {
        return false;
    }
    if (!parse_special(string, is_f32 ? 8 : 16, is_f32 ? 0x7F800000u : 0x7FF0000000000000u,
                       is_f32 ? F32_NAN : F64_NAN, &bits)) {
        return fail_float(reader, where, node);
    }
    if (is_f32) {
        uint32_t half = (uint32_t)bits;
        memcpy(out_value, &half, sizeof(half));
    } else {
        memcpy(out_value, &bits, sizeof(bits));
    }
    return true;
}

static bool read_float(struct reader *reader, const struct node *node, char *out_value) {
    struct number number;
    float f32;
    double f64;
    if (cosmi_text_scan_peek(&reader->scan) != SCAN_NUMBER) {
        return read_special(reader, node, out_value);
    }
    const char *where = reader->scan.at;
    if (!cosmi_text_scan_take_number(&reader->scan, &number)) {
        return false;
    }
    if (node->leaf.field->type == COSM_FIELD_F32) {
        if (!cosmi_text_number_f32(&number, &f32)) {
            return fail_float(reader, where, node);
        }
        memcpy(out_value, &f32, sizeof(f32));
    } else {
        if (!cosmi_text_number_f64(&number, &f64)) {
            return fail_float(reader, where, node);
        }
        memcpy(out_value, &f64, sizeof(f64));
    }
    return true;
}

static bool is_signed(cosm_field_type type) {
    return type >= COSM_FIELD_I8 && type <= COSM_FIELD_I64;
}

static void store_integer(char *out_value, uint64_t bits, uint32_t size) {
    uint8_t u8 = (uint8_t)bits;
    uint16_t u16 = (uint16_t)bits;
    uint32_t u32 = (uint32_t)bits;
    switch (size) {
    case 1:
        memcpy(out_value, &u8, 1);
        break;
    case 2:
        memcpy(out_value, &u16, 2);
        break;
    case 4:
        memcpy(out_value, &u32, 4);
        break;
    default:
        memcpy(out_value, &bits, 8);
        break;
    }
}

// The highest value of an unsigned integer of so many bytes.
static uint64_t mask_of(uint32_t size) {
    return size == 8 ? UINT64_MAX : ((uint64_t)1 << (8 * size)) - 1;
}

// A number within the range of the type. `is_signed_type` says which of the two ranges.
static bool take_integer(struct reader *reader, const struct node *node, bool is_signed_type,
                         uint64_t *out_bits) {
    struct number number;
    uint64_t highest = mask_of(node->leaf.scalar_size);
    int64_t i64;
    const char *where = reader->scan.at;
    if (!cosmi_text_scan_take_number(&reader->scan, &number)) {
        return false;
    }
    if (is_signed_type) {
        int64_t limit = (int64_t)(highest >> 1);
        if (cosmi_text_number_i64(&number, &i64) && i64 <= limit && i64 >= -limit - 1) {
            *out_bits = (uint64_t)i64;
            return true;
        }
    } else if (cosmi_text_number_u64(&number, out_bits) && *out_bits <= highest) {
        return true;
    }
    char found[EXCERPT_SIZE];
    return cosmi_text_read_fail(reader, where, node,
                                "found %s; write an integer from %s%llu to %llu",
                                cosmi_text_excerpt(reader, where, found), is_signed_type ? "-" : "",
                                is_signed_type ? (unsigned long long)(highest >> 1) + 1 : 0ull,
                                (unsigned long long)(is_signed_type ? highest >> 1 : highest));
}

// The label that a string names.
static bool take_label(struct reader *reader, const struct node *node, uint64_t *out_bits) {
    const struct label_list *labels = node->leaf.labels;
    char name[512];
    char found[EXCERPT_SIZE];
    struct scan_string string;
    size_t length;
    const char *where = reader->scan.at;
    if (!cosmi_text_scan_take_string(&reader->scan, &string) ||
        !cosmi_text_scan_unescape(&reader->scan, string, sizeof(name), name, &length)) {
        return false;
    }
    uint32_t index =
        length > sizeof(name) ? NAME_NONE : cosmi_text_name_find(&labels->by_name, name, length);
    if (index == NAME_NONE) {
        return cosmi_text_read_fail(reader, where, node,
                                    "found %s, which is not a label of this field; use one of its "
                                    "%u labels%s%.64s%s, or a number",
                                    cosmi_text_excerpt(reader, where, found), labels->count,
                                    labels->count > 0 ? ", such as '" : "",
                                    labels->count > 0 ? labels->items[0].name : "",
                                    labels->count > 0 ? "'" : "");
    }
    *out_bits = (uint64_t)labels->items[index].value;
    return true;
}

// An array of labels and numbers, or-ed together.
static bool take_mask(struct reader *reader, const struct node *node, uint64_t *out_bits) {
    bool first = true;
    uint64_t bits;
    *out_bits = 0;
    if (!cosmi_text_scan_array(&reader->scan)) {
        return false;
    }
    while (cosmi_text_scan_element(&reader->scan, &first)) {
        enum scan_kind kind = cosmi_text_scan_peek(&reader->scan);
        if (kind != SCAN_STRING && kind != SCAN_NUMBER) {
            return fail_value(reader, reader->scan.at, node,
                              "write the names of bits as strings, other bits as a number");
        }
        if (kind == SCAN_STRING ? !take_label(reader, node, &bits)
                                : !take_integer(reader, node, false, &bits)) {
            return false;
        }
        *out_bits |= bits;
    }
    return reader->scan.result == COSM_OK;
}

static bool read_integer(struct reader *reader, const struct node *node, char *out_value) {
    const struct leaf *leaf = &node->leaf;
    bool is_mask = leaf->labels != NULL && leaf->labels->kind == COSM_LABELS_MASK;
    bool is_enum = leaf->labels != NULL && !is_mask;
    uint64_t bits = 0;
    bool done = false;
    switch (cosmi_text_scan_peek(&reader->scan)) {
    case SCAN_NUMBER:
        done = take_integer(reader, node, is_signed(leaf->field->type), &bits);
        break;
    case SCAN_STRING:
        done = is_enum ? take_label(reader, node, &bits)
                       : fail_value(reader, reader->scan.at, node,
                                    is_mask ? "write an array of labels, such as [\"label\"]"
                                            : "write an integer, without quotes");
        break;
    case SCAN_ARRAY:
        done = is_mask ? take_mask(reader, node, &bits)
                       : fail_value(reader, reader->scan.at, node, "write an integer");
        break;
    default:
        done = fail_value(reader, reader->scan.at, node,
                          is_mask   ? "write an array of labels, or an integer"
                          : is_enum ? "write a label as a string, or an integer"
                                    : "write an integer");
        break;
    }
    if (done) {
        store_integer(out_value, bits, leaf->scalar_size);
    }
    return done;
}

static bool read_bool(struct reader *reader, const struct node *node, char *out_value) {
    enum scan_kind kind = cosmi_text_scan_peek(&reader->scan);
    uint64_t bits = 0;
    bool value = false;
    if (kind == SCAN_NUMBER) {
        if (!take_integer(reader, node, false, &bits)) {
            return false;
        }
    } else if (kind == SCAN_TRUE || kind == SCAN_FALSE) {
        if (!cosmi_text_scan_take_bool(&reader->scan, &value)) {
            return false;
        }
        bits = value ? 1 : 0;
    } else {
        return fail_value(reader, reader->scan.at, node, "write true or false");
    }
    store_integer(out_value, bits, 1);
    return true;
}

// Decimal digits of a 32-bit number, up to `stop` or, where that is zero, the end.
static const char *parse_u32(const char *at, const char *end, char stop, uint32_t *out_value) {
    const char *start = at;
    uint64_t value = 0;
    while (at < end && *at >= '0' && *at <= '9' && value <= UINT32_MAX) {
        value = value * 10 + (uint64_t)(*at - '0');
        at++;
    }
    if (at == start || value > UINT32_MAX || (stop != '\0' ? at == end || *at != stop : at < end)) {
        return NULL;
    }
    *out_value = (uint32_t)value;
    return at;
}

static bool parse_entity(struct scan_string string, cosm_entity *out_entity) {
    const char *end = string.text + string.length;
    if (string.length == 0 || string.text[0] != '@') {
        return false;
    }
    const char *at = parse_u32(string.text + 1, end, ':', &out_entity->id);
    return at != NULL && parse_u32(at + 1, end, '\0', &out_entity->gen) != NULL;
}

bool cosmi_text_read_entity(struct reader *reader, const struct node *node,
                            cosm_entity *out_entity) {
    static const char wanted[] =
        "write an entity as \"@id:gen\", such as \"@5:1\", or null for none";
    struct scan_string string;
    enum scan_kind kind = cosmi_text_scan_peek(&reader->scan);
    const char *where = reader->scan.at;
    if (kind == SCAN_NULL) {
        *out_entity = COSM_ENTITY_NONE;
        return cosmi_text_scan_take_null(&reader->scan);
    }
    if (kind != SCAN_STRING) {
        return fail_value(reader, where, node, wanted);
    }
    return cosmi_text_scan_take_string(&reader->scan, &string) &&
           (parse_entity(string, out_entity) || fail_value(reader, where, node, wanted));
}

static bool read_reference(struct reader *reader, const struct node *node, char *out_value) {
    cosm_entity entity;
    if (!cosmi_text_read_entity(reader, node, &entity)) {
        return false;
    }
    memcpy(out_value, &entity, sizeof(entity));
    return reader->reference == NULL || reader->reference(reader->context, out_value);
}

static bool read_string(struct reader *reader, const struct node *node, char *out_value) {
    size_t room = node->leaf.element_size;
    struct scan_string string;
    size_t length;
    const char *where = reader->scan.at;
    if (!cosmi_text_scan_take_string(&reader->scan, &string) ||
        !cosmi_text_scan_unescape(&reader->scan, string, room, out_value, &length)) {
        return false;
    }
    if (length > room) {
        return cosmi_text_read_fail(reader, where, node,
                                    "found a text of %zu bytes, there is room for %zu; shorten it",
                                    length, room);
    }
    memset(out_value + length, 0, room - length);
    return true;
}

// Reads what lies within the dimensions before `dim`.
typedef bool element_fn(struct reader *reader, const struct node *node, uint32_t dim,
                        char *out_value);

// The elements of dimension `dim`, each by `each`, with their indices in the reader's place.
static bool read_elements(struct reader *reader, const struct node *node, uint32_t dim,
                          uint32_t count, size_t size, char *out_value, element_fn *each) {
    struct place *place = &reader->place;
    uint32_t index = 0;
    bool first = true;
    if (!cosmi_text_open_array(reader, node)) {
        return false;
    }
    const char *where = reader->scan.at - 1;
    while (cosmi_text_scan_element(&reader->scan, &first)) {
        if (index == count) {
            return cosmi_text_read_fail(reader, NULL, node,
                                        "the array has more than %u elements; remove the others",
                                        count);
        }
        place->indices[place->dim_count++] = index;
        if (!each(reader, node, dim + 1, out_value + index * size)) {
            return false;
        }
        place->dim_count--;
        index++;
    }
    if (reader->scan.result == COSM_OK && index < count) {
        return cosmi_text_read_fail(reader, where, node,
                                    "the array has %u elements instead of %u; write all of them",
                                    index, count);
    }
    return reader->scan.result == COSM_OK;
}

// A byte of a text that is written as numbers.
static bool read_byte(struct reader *reader, const struct node *node, uint32_t dim,
                      char *out_value) {
    uint64_t bits;
    (void)dim;
    if (cosmi_text_scan_peek(&reader->scan) != SCAN_NUMBER) {
        return fail_value(reader, reader->scan.at, node, "write a byte, 0 to 255");
    }
    if (!take_integer(reader, node, false, &bits)) {
        return false;
    }
    store_integer(out_value, bits, 1);
    return true;
}

static bool read_text(struct reader *reader, const struct node *node, char *out_value) {
    switch (cosmi_text_scan_peek(&reader->scan)) {
    case SCAN_STRING:
        return read_string(reader, node, out_value);
    case SCAN_ARRAY:
        return read_elements(reader, node, 0, node->leaf.element_size, 1, out_value, read_byte);
    default:
        return fail_value(reader, reader->scan.at, node,
                          "write a string, or all bytes as an array of numbers");
    }
}

static bool read_scalar(struct reader *reader, const struct node *node, char *out_value) {
    switch (node->leaf.field->type) {
    case COSM_FIELD_F32:
    case COSM_FIELD_F64:
        return read_float(reader, node, out_value);
    case COSM_FIELD_BOOL:
        return read_bool(reader, node, out_value);
    case COSM_FIELD_ENTITY:
        return read_reference(reader, node, out_value);
    case COSM_FIELD_CHAR:
        return read_text(reader, node, out_value);
    default:
        return read_integer(reader, node, out_value);
    }
}

static bool read_from(struct reader *reader, const struct node *node, uint32_t dim,
                      char *out_value) {
    const struct leaf *leaf = &node->leaf;
    size_t size = leaf->element_size;
    if (dim == leaf->dim_count) {
        return read_scalar(reader, node, out_value);
    }
    for (uint32_t i = dim + 1; i < leaf->dim_count; i++) {
        size *= leaf->field->dims[i];
    }
    return read_elements(reader, node, dim, leaf->field->dims[dim], size, out_value, read_from);
}

bool cosmi_text_read_field(struct reader *reader, const struct node *node, char *out_value) {
    return read_from(reader, node, 0, out_value);
}
