// Fields: checks, copies, hashes.
#include "schema/field.h"

#include <stdio.h>
#include <string.h>

#include "base/bits.h"
#include "base/check.h"
#include "base/hash.h"
#include "schema/field_path.h"

static bool is_integer(cosm_field_type type) {
    return type >= COSM_FIELD_I8 && type <= COSM_FIELD_U64;
}

// The alignment that a field has where its desc leaves it open.
static size_t natural_alignment_of(cosm_field_type type) {
    return type == COSM_FIELD_ENTITY ? _Alignof(cosm_entity) : cosm_field_type_size(type);
}

static uint32_t alignment_of(const cosm_field *field) {
    return field->alignment != 0 ? field->alignment : (uint32_t)natural_alignment_of(field->type);
}

static size_t bytes_of(const cosm_field *field) {
    return cosm_field_size(field) + field->padding;
}

static cosm_result check_path(const struct sink *sink, const struct field_subject *subject,
                              const cosm_field *field, uint32_t index) {
    if (field->name == NULL || !cosmi_path_is_valid(field->name)) {
        return cosmi_fail(sink, COSM_ERROR_ARGUMENT,
                          "%s: '%s': desc.fields[%u].name '%.64s' is not a path; write identifiers "
                          "with '.' between them, such as pose.position.x or items[2].count",
                          subject->call, subject->name, index,
                          field->name == NULL ? "NULL" : field->name);
    }
    if (strlen(field->name) > COSM_FIELD_PATH_LENGTH_MAX) {
        return cosmi_fail(sink, COSM_ERROR_LIMIT,
                          "%s: '%s': desc.fields[%u].name '%.32s...' has %zu characters; use at "
                          "most %u",
                          subject->call, subject->name, index, field->name, strlen(field->name),
                          COSM_FIELD_PATH_LENGTH_MAX);
    }
    return COSM_OK;
}

static bool dims_are_packed(const cosm_field *field) {
    for (uint32_t i = 1; i < COSM_FIELD_DIM_MAX; i++) {
        if (field->dims[i] != 0 && field->dims[i - 1] == 0) {
            return false;
        }
    }
    return true;
}

static cosm_result check_type(const struct sink *sink, const struct field_subject *subject,
                              const cosm_field *field) {
    if (field->type == COSM_FIELD_NONE) {
        return cosmi_fail(
            sink, COSM_ERROR_ARGUMENT,
            "%s: '%s': field '%.64s' has COSM_FIELD_NONE: no type was set, or the macro does not "
            "support the type of the field (a pointer, a struct, a char, an array of arrays); "
            "leave the field out, name the fields of a struct by their paths, or set its type and "
            "dims in desc.fields",
            subject->call, subject->name, field->name);
    }
    if (cosm_field_type_size(field->type) == 0) {
        return cosmi_fail(sink, COSM_ERROR_ARGUMENT,
                          "%s: '%s': field '%.64s' has type %d; use a value of cosm_field_type",
                          subject->call, subject->name, field->name, (int)field->type);
    }
    if (!dims_are_packed(field) || cosm_field_element_count(field) == 0) {
        return cosmi_fail(sink, COSM_ERROR_ARGUMENT,
                          "%s: '%s': field '%.64s' has dims {%u, %u, %u, %u}; set sizes first, "
                          "then zeroes, with a product below 2^32",
                          subject->call, subject->name, field->name, field->dims[0], field->dims[1],
                          field->dims[2], field->dims[3]);
    }
    if (field->type == COSM_FIELD_CHAR && field->dims[0] == 0) {
        return cosmi_fail(
            sink, COSM_ERROR_ARGUMENT,
            "%s: '%s': field '%.64s' is text without a size; set dims = {size}, or use "
            "COSM_FIELD_I8 for a number",
            subject->call, subject->name, field->name);
    }
    if (!(field->min <= field->max)) {
        return cosmi_fail(sink, COSM_ERROR_ARGUMENT,
                          "%s: '%s': field '%.64s' has the range %g to %g; set min below max, or "
                          "both to zero for none",
                          subject->call, subject->name, field->name, field->min, field->max);
    }
    return COSM_OK;
}

// What is strict needs something that its values can be compared with.
static cosm_result check_strict(const struct sink *sink, const struct field_subject *subject,
                                const cosm_field *field) {
    bool is_number =
        is_integer(field->type) || field->type == COSM_FIELD_F32 || field->type == COSM_FIELD_F64;
    bool is_bounded = is_number && (field->min < field->max || field->labels != NULL);
    if (!field->strict || is_bounded || field->type == COSM_FIELD_BOOL) {
        return COSM_OK;
    }
    return cosmi_fail(sink, COSM_ERROR_ARGUMENT,
                      "%s: '%s': field '%.64s' of type %s is strict, with neither a range nor "
                      "labels; give a number one of the two, and leave strict false for entities "
                      "and text",
                      subject->call, subject->name, field->name, cosm_field_type_name(field->type));
}

static cosm_result check_place(const struct sink *sink, const struct field_subject *subject,
                               const cosm_field *field) {
    size_t alignment = alignment_of(field);
    if (!is_power_of_two(alignment) || alignment > subject->alignment) {
        return cosmi_fail(
            sink, COSM_ERROR_ARGUMENT,
            "%s: '%s': field '%.64s' is aligned to %zu, the struct to %zu; use powers of two, and "
            "raise desc.alignment to the largest of them",
            subject->call, subject->name, field->name, alignment, subject->alignment);
    }
    if (field->offset % alignment != 0 || bytes_of(field) % alignment != 0) {
        return cosmi_fail(sink, COSM_ERROR_ARGUMENT,
                          "%s: '%s': field '%.64s' has offset %u and %zu bytes with its padding, "
                          "aligned to %zu; both must be multiples of that: move the field, or add "
                          "padding",
                          subject->call, subject->name, field->name, field->offset, bytes_of(field),
                          alignment);
    }
    if (bytes_of(field) > subject->size || field->offset > subject->size - bytes_of(field)) {
        return cosmi_fail(
            sink, COSM_ERROR_ARGUMENT,
            "%s: '%s': field '%.64s' ends at byte %zu, the struct has %zu; use offsetof and "
            "sizeof of the same struct",
            subject->call, subject->name, field->name, field->offset + bytes_of(field),
            subject->size);
    }
    return COSM_OK;
}

// The label before `index` that has the same name, or `index`.
static uint32_t find_twin(const cosm_labels *labels, uint32_t index) {
    for (uint32_t i = 0; i < index; i++) {
        if (strcmp(labels->items[i].name, labels->items[index].name) == 0) {
            return i;
        }
    }
    return index;
}

// Can a field of this type hold the value? A mask may be told by its bits, the sign bit too.
static bool holds_value(cosm_field_type type, cosm_labels_kind kind, int64_t value) {
    uint32_t bits = 8 * (uint32_t)cosm_field_type_size(type);
    if (bits == 64) {
        return true;
    }
    bool is_signed = type <= COSM_FIELD_I64;
    int64_t least = is_signed ? -((int64_t)1 << (bits - 1)) : 0;
    int64_t most = ((int64_t)1 << (is_signed && kind == COSM_LABELS_ENUM ? bits - 1 : bits)) - 1;
    return value >= least && value <= most;
}

// Has a field before this one the same list, so that its names have been looked at?
static bool has_seen_labels(const cosm_field *fields, uint32_t index) {
    for (uint32_t i = 0; i < index; i++) {
        if (fields[i].labels == fields[index].labels) {
            return true;
        }
    }
    return false;
}

static cosm_result check_labels(const struct sink *sink, const struct field_subject *subject,
                                const cosm_field *fields, uint32_t index) {
    const cosm_field *field = &fields[index];
    const cosm_labels *labels = field->labels;
    if (labels == NULL) {
        return COSM_OK;
    }
    if (labels->count > COSM_LABEL_MAX) {
        return cosmi_fail(sink, COSM_ERROR_LIMIT,
                          "%s: '%s': field '%.64s' has %u labels; use at most %u", subject->call,
                          subject->name, field->name, labels->count, COSM_LABEL_MAX);
    }
    if (!is_integer(field->type) || labels->items == NULL || labels->count == 0 ||
        (unsigned)labels->kind > COSM_LABELS_MASK) {
        return cosmi_fail(sink, COSM_ERROR_ARGUMENT,
                          "%s: '%s': field '%.64s' has %u labels of kind %d; use 1 to %u of "
                          "COSM_LABELS_ENUM or _MASK, on an integer field",
                          subject->call, subject->name, field->name, labels->count,
                          (int)labels->kind, COSM_LABEL_MAX);
    }
    bool is_seen = has_seen_labels(fields, index);
    for (uint32_t i = 0; i < labels->count; i++) {
        if (!holds_value(field->type, labels->kind, labels->items[i].value)) {
            return cosmi_fail(
                sink, COSM_ERROR_ARGUMENT,
                "%s: '%s': field '%.64s': label %u has the value %lld, which %s cannot "
                "hold; use a wider type, or correct the value",
                subject->call, subject->name, field->name, i, (long long)labels->items[i].value,
                cosm_field_type_name(field->type));
        }
        if (is_seen) {
            continue;
        }
        if (labels->items[i].name == NULL || labels->items[i].name[0] == '\0' ||
            find_twin(labels, i) != i) {
            return cosmi_fail(sink, COSM_ERROR_ARGUMENT,
                              "%s: '%s': field '%.64s': label %u has no name, or the name of "
                              "another; give each a unique name",
                              subject->call, subject->name, field->name, i);
        }
    }
    return COSM_OK;
}

// Is the name in which a path differs from the one before it new in its struct?
static bool is_new_name(const cosm_field *fields, uint32_t index, size_t length) {
    for (uint32_t i = 0; i < index; i++) {
        if (cosmi_path_leads_through(fields[i].name, fields[index].name, length)) {
            return false;
        }
    }
    return true;
}

static cosm_result check_order(const struct sink *sink, const struct field_subject *subject,
                               const cosm_field *fields, uint32_t index) {
    size_t length = 0;
    const char *before = index == 0 ? NULL : fields[index - 1].name;
    enum path_order order = cosmi_path_compare(before, fields[index].name, &length);
    if (order == PATH_FOLLOWS || (order == PATH_DIVERGES && is_new_name(fields, index, length))) {
        return COSM_OK;
    }
    if (before == NULL) {
        return cosmi_fail(sink, COSM_ERROR_ARGUMENT,
                          "%s: '%s': field '%.64s' cannot be the first; count indices from 0",
                          subject->call, subject->name, fields[index].name);
    }
    return cosmi_fail(
        sink, COSM_ERROR_ARGUMENT,
        "%s: '%s': field '%.64s' cannot follow '%.64s'; name each field once, keep those of "
        "a nested struct together, and count indices from 0",
        subject->call, subject->name, fields[index].name, before);
}

static cosm_result check_overlap(const struct sink *sink, const struct field_subject *subject,
                                 const cosm_field *fields, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t j = 0; j < i; j++) {
            if (fields[i].offset < fields[j].offset + bytes_of(&fields[j]) &&
                fields[j].offset < fields[i].offset + bytes_of(&fields[i])) {
                return cosmi_fail(
                    sink, COSM_ERROR_ARGUMENT,
                    "%s: '%s': field '%.64s' at byte %u overlaps '%.64s' at byte %u; use "
                    "offsetof of the member each one stands for",
                    subject->call, subject->name, fields[i].name, fields[i].offset, fields[j].name,
                    fields[j].offset);
            }
        }
    }
    return COSM_OK;
}

cosm_result cosmi_fields_check(const struct sink *sink, const struct field_subject *subject,
                               const cosm_field *fields, uint32_t count) {
    if (fields == NULL && count > 0) {
        return cosmi_fail(sink, COSM_ERROR_ARGUMENT,
                          "%s: '%s': desc.field_count is %u, but desc.fields is NULL; set both",
                          subject->call, subject->name, count);
    }
    if (count > COSM_FIELD_MAX) {
        return cosmi_fail(sink, COSM_ERROR_LIMIT,
                          "%s: '%s': desc.field_count is %u; use at most %u fields: an array of "
                          "scalars is one",
                          subject->call, subject->name, count, COSM_FIELD_MAX);
    }
    cosm_result result = COSM_OK;
    for (uint32_t i = 0; i < count && result == COSM_OK; i++) {
        result = check_path(sink, subject, &fields[i], i);
        result = result != COSM_OK ? result : check_type(sink, subject, &fields[i]);
        result = result != COSM_OK ? result : check_strict(sink, subject, &fields[i]);
        result = result != COSM_OK ? result : check_place(sink, subject, &fields[i]);
        result = result != COSM_OK ? result : check_labels(sink, subject, fields, i);
        result = result != COSM_OK ? result : check_order(sink, subject, fields, i);
    }
    return result != COSM_OK ? result : check_overlap(sink, subject, fields, count);
}

// Copies text that may be NULL. False when out of memory.
static bool keep_text(struct arena *arena, const char **io_text) {
    if (*io_text == NULL) {
        return true;
    }
    *io_text = cosmi_arena_copy_text(arena, *io_text);
    return *io_text != NULL;
}

static bool keep_labels(struct arena *arena, const cosm_labels **io_labels) {
    if (*io_labels == NULL) {
        return true;
    }
    cosm_labels *labels = cosmi_arena_copy(arena, *io_labels, sizeof(*labels), sizeof(void *));
    cosm_label *items =
        cosmi_arena_copy(arena, (*io_labels)->items, (*io_labels)->count * sizeof(*items), 8);
    if (labels == NULL || items == NULL || !keep_text(arena, &labels->name)) {
        return false;
    }
    for (uint32_t i = 0; i < labels->count; i++) {
        if (!keep_text(arena, &items[i].name)) {
            return false;
        }
    }
    labels->items = items;
    *io_labels = labels;
    return true;
}

static bool keep_field(struct arena *arena, cosm_field *field) {
    field->alignment = alignment_of(field);
    if (field->default_value != NULL) {
        field->default_value =
            cosmi_arena_copy(arena, field->default_value, cosm_field_size(field), 16);
        if (field->default_value == NULL) {
            return false;
        }
    }
    return keep_text(arena, &field->name) && keep_text(arena, &field->unit) &&
           keep_text(arena, &field->doc) && keep_labels(arena, &field->labels);
}

bool cosmi_fields_keep(struct arena *arena, const cosm_field *fields, uint32_t count,
                       struct field_list *out_list) {
    *out_list = (struct field_list){.items = NULL};
    if (count == 0) {
        return true;
    }
    cosm_field *items = cosmi_arena_copy(arena, fields, count * sizeof(*items), sizeof(void *));
    cosm_field_column *columns =
        cosmi_arena_alloc(arena, count * sizeof(*columns), _Alignof(cosm_field_column));
    if (items == NULL || columns == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!keep_field(arena, &items[i])) {
            return false;
        }
        columns[i] = (cosm_field_column){(uint32_t)cosm_field_size(&items[i]),
                                         (uint32_t)cosm_field_type_size(items[i].type),
                                         (uint32_t)bytes_of(&items[i])};
        out_list->byte_count += columns[i].size;
        out_list->strict_count += items[i].strict;
        INVARIANT(columns[i].size <= columns[i].stride, "a field fits its place in a row");
    }
    out_list->count = count;
    out_list->items = items;
    out_list->columns = columns;
    return true;
}

static bool same_text(const char *a, const char *b) {
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static bool same_labels(const cosm_labels *a, const cosm_labels *b) {
    if (a == NULL || b == NULL) {
        return a == b;
    }
    if (a->kind != b->kind || a->count != b->count || !same_text(a->name, b->name)) {
        return false;
    }
    for (uint32_t i = 0; i < a->count; i++) {
        if (a->items[i].value != b->items[i].value ||
            !same_text(a->items[i].name, b->items[i].name)) {
            return false;
        }
    }
    return true;
}

static bool same_default_of(const cosm_field *a, const cosm_field *b) {
    if (a->default_value == NULL || b->default_value == NULL) {
        return a->default_value == b->default_value;
    }
    return memcmp(a->default_value, b->default_value, cosm_field_size(a)) == 0;
}

static bool same_field(const cosm_field *a, const cosm_field *b) {
    return same_text(a->name, b->name) && a->type == b->type && a->offset == b->offset &&
           memcmp(a->dims, b->dims, sizeof(a->dims)) == 0 && alignment_of(a) == alignment_of(b) &&
           a->padding == b->padding && same_labels(a->labels, b->labels) && !(a->min < b->min) &&
           !(b->min < a->min) && !(a->max < b->max) && !(b->max < a->max) &&
           a->strict == b->strict && same_text(a->unit, b->unit) && same_text(a->doc, b->doc) &&
           same_default_of(a, b);
}

bool cosmi_fields_equal(const struct field_list *list, const cosm_field *fields, uint32_t count) {
    if (list->count != count || (fields == NULL && count > 0)) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!same_field(&list->items[i], &fields[i])) {
            return false;
        }
    }
    return true;
}

bool cosmi_fields_have_default(const cosm_field *fields, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        if (fields[i].default_value != NULL) {
            return true;
        }
    }
    return false;
}

void cosmi_fields_lay_defaults(const cosm_field *fields, uint32_t count, const void *whole,
                               size_t whole_size, void *value) {
    if (whole != NULL) {
        memcpy(value, whole, whole_size);
    }
    for (uint32_t i = 0; i < count; i++) {
        const void *from = fields[i].default_value;
        if (from == NULL && whole != NULL) {
            from = (const char *)whole + fields[i].offset;
        }
        if (from != NULL) {
            memcpy((char *)value + fields[i].offset, from, cosm_field_size(&fields[i]));
        }
    }
}

// Character by character, and numbers as values: the order of bytes in a word does not matter.
static uint64_t hash_name(uint64_t hash, const char *text) {
    for (; text != NULL && *text != '\0'; text++) {
        hash = hash_u64(hash, (unsigned char)*text);
    }
    return hash_u64(hash, 256);
}

static uint64_t hash_labels(uint64_t hash, const cosm_labels *labels) {
    if (labels == NULL) {
        return hash_u64(hash, 0);
    }
    hash = hash_u64(hash_u64(hash, 1 + (uint64_t)labels->kind), labels->count);
    for (uint32_t i = 0; i < labels->count; i++) {
        hash = hash_u64(hash_name(hash, labels->items[i].name), (uint64_t)labels->items[i].value);
    }
    return hash;
}

uint64_t cosmi_fields_hash(const char *name, size_t size, size_t alignment,
                           const struct field_list *list) {
    uint64_t hash = hash_u64(hash_u64(hash_name(0, name), size), alignment);
    for (uint32_t i = 0; i < list->count; i++) {
        const cosm_field *field = &list->items[i];
        hash = hash_name(hash, field->name);
        hash = hash_name(hash, cosm_field_type_name(field->type));
        hash = hash_u64(hash, field->offset);
        for (uint32_t d = 0; d < COSM_FIELD_DIM_MAX; d++) {
            hash = hash_u64(hash, field->dims[d]);
        }
        hash = hash_labels(hash, field->labels);
    }
    return hash;
}

// The first bytes between `begin` and `end`, where there is no field, that are a member's. Where it
// is not known what is padding: all of them, if they are as many as the type's alignment.
static bool find_member(const struct field_subject *subject, size_t begin, size_t end,
                        size_t *out_first, size_t *out_last) {
    const unsigned char *members = subject->members;
    size_t first = begin;
    while (members != NULL && first < end && members[first] == 0) {
        first++;
    }
    size_t last = first;
    while (last < end && (members == NULL || members[last] != 0)) {
        last++;
    }
    *out_first = first;
    *out_last = last - 1;
    return members == NULL ? end - begin >= subject->alignment : first < end;
}

// The first bytes that are a member's and have no field. False if there are none.
static bool find_gap(const struct field_subject *subject, const cosm_field *fields, uint32_t count,
                     size_t *out_first, size_t *out_last) {
    size_t at = 0;
    for (;;) {
        size_t next = subject->size; // where the next field begins, and ends
        size_t end = subject->size;
        for (uint32_t i = 0; i < count; i++) {
            size_t begin = fields[i].offset;
            size_t behind = begin + cosm_field_size(&fields[i]);
            if (behind > at && begin < next) {
                next = begin;
                end = behind;
            }
        }
        if (next > at && find_member(subject, at, next, out_first, out_last)) {
            return true;
        }
        if (next == subject->size) {
            return false;
        }
        at = end;
    }
}

bool cosmi_fields_cover(const struct sink *sink, const struct field_subject *subject,
                        const cosm_field *fields, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        if (fields[i].type == COSM_FIELD_NONE) {
            return true; // the definition reports it
        }
    }
    size_t first;
    size_t last;
    if (count == 0 || fields == NULL || !find_gap(subject, fields, count, &first, &last)) {
        return true;
    }
    char bytes[64];
    if (first == last) {
        (void)snprintf(bytes, sizeof(bytes), "byte %zu belongs", first);
    } else {
        (void)snprintf(bytes, sizeof(bytes), "bytes %zu to %zu belong", first, last);
    }
    (void)cosmi_fail(sink, COSM_ERROR_ARGUMENT,
                     "%s: '%s': %s to no field; name every field, or none", subject->call,
                     subject->name, bytes);
    return false;
}
