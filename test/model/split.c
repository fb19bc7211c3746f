// Described components as they are read back and written: by copy, by field and by span, in either
// layout; and pointers to whole values, which a split one must refuse.
#include "state.h"

#include <string.h>

bool is_split(struct model *m, uint64_t set, bool temporary, const struct kind *kind) {
    return !kind->bundle && (split_of_set(&m->o, set, temporary) & kind->set) != 0;
}

void expect_refusal(struct model *m, const struct kind *kind, const char *call) {
    const char *message = cosm_error_message();
    if (cosm_error_result() != COSM_ERROR_ARGUMENT || !strstr(message, kind->name) ||
        strncmp(message, call, strlen(call)) != 0) {
        fail(m, "%s of %s was refused with %s: \"%s\"", call, kind->name,
             cosm_result_name(cosm_error_result()), message);
    }
    cosm_error_clear();
}

// What a value of a shape should be. With a fault, two fields of a split one are mixed up.
static void shaped_bytes(const struct model *m, const struct kind *kind, bool split, uint32_t value,
                         uint8_t *out) {
    bytes_to(kind, value, out);
    if (split && kind->shape.count > 1 && m->o.fault == MODEL_FAULT_FIELDS_SWAPPED) {
        uint8_t *first = out + kind->shape.fields[0].offset;
        uint8_t *second = out + kind->shape.fields[1].offset;
        uint8_t byte = *first;
        *first = *second;
        *second = byte;
    }
}

// Bytes that no field covers: zero in a copy of a split value.
static bool gaps_are(const struct shape *shape, const uint8_t *bytes, const uint8_t *expected) {
    uint8_t rest[SHAPE_SIZE_MAX];
    uint8_t expected_rest[SHAPE_SIZE_MAX];
    memcpy(rest, bytes, shape->size);
    memset(expected_rest, 0, shape->size);
    if (expected) {
        memcpy(expected_rest, expected, shape->size);
    }
    for (uint32_t f = 0; f < shape->count; f++) {
        const cosm_field *field = &shape->fields[f];
        memset(rest + field->offset, 0, field_stride(field));
        memset(expected_rest + field->offset, 0, field_stride(field));
    }
    return memcmp(rest, expected_rest, shape->size) == 0;
}

bool copy_is(const struct model *m, const struct kind *kind, bool split, uint32_t value,
             const void *bytes) {
    const struct shape *shape = &kind->shape;
    const uint8_t *at = bytes;
    uint8_t expected[SHAPE_SIZE_MAX];
    if (shape->count == 0) {
        return bytes_are(kind, value, bytes);
    }
    shaped_bytes(m, kind, split, value, expected);
    bool equal = true;
    for (uint32_t f = 0; f < shape->count; f++) {
        const cosm_field *field = &shape->fields[f];
        equal =
            equal && memcmp(at + field->offset, expected + field->offset, field_size(field)) == 0;
    }
    bool kept = m->o.fault == MODEL_FAULT_GAPS_KEPT;
    return equal && (!split || gaps_are(shape, at, kept ? expected : NULL));
}

bool write_row(struct model *m, const cosm_rows *rows, uint32_t i, const struct kind *kind,
               uint32_t value, bool by_field) {
    const uint8_t *bytes = bytes_of(m, kind, value);
    if (kind->shape.count == 0 || !by_field || kind->storage != COSM_STORAGE_COLUMN) {
        cosm_error_clear();
        cosm_result got = cosm_rows_set(rows, i, kind->id, bytes);
        bool shared = kind->storage == COSM_STORAGE_SHARED;
        // An object takes memory, of which there may be no more.
        bool scarce = kind->hooks != 0 && m->memory_limit > 0 && got == COSM_ERROR_MEMORY;
        if ((got != COSM_OK) != shared && !scarce) {
            fail(m, "%s of row %u could%s be set: \"%s\"", kind->name, i,
                 got == COSM_OK ? "" : " not", cosm_error_message());
        }
        if (shared) {
            expect_refusal(m, kind, "cosm_rows_set");
        }
        cosm_error_clear();
        return got == COSM_OK;
    }
    for (uint32_t f = 0; f < kind->shape.count; f++) {
        const cosm_field *field = &kind->shape.fields[f];
        cosm_span span = cosm_rows_span(rows, kind->id, f);
        if (!span.data) {
            fail(m, "there is no span of %s.%s", kind->name, field->name);
        }
        memcpy((uint8_t *)span.data + i * span.stride, bytes + field->offset, field_size(field));
    }
    return true;
}

void check_copy(struct model *m, const cosm_rows *rows, uint32_t i, const struct kind *kind,
                bool split, uint32_t value) {
    uint8_t *copy = scratch(m, kind->size);
    memset(copy, 0xEE, kind->size);
    if (!cosm_rows_get(rows, i, kind->id, copy) || !copy_is(m, kind, split, value, copy)) {
        fail(m, "the copy of %s in row %u of the run is wrong", kind->name, i);
    }
    if (cosm_rows_get(rows, rows->count, kind->id, copy)) {
        fail(m, "%s was copied from behind the last row", kind->name);
    }
}

// The array of a split field, asked for as whole values, as scalars (which padding would put out of
// step), and with a wrong size.
static void check_split_field(struct model *m, const cosm_rows *rows, uint32_t t,
                              const struct kind *kind, uint32_t f, const void *data) {
    const cosm_field *field = &kind->shape.fields[f];
    size_t stride = field_stride(field);
    bool writes = rows->terms[t].access == COSM_ACCESS_WRITE;
    if (cosm_rows_field(rows, t, f, stride, false) != data ||
        cosm_rows_field_sized(rows, kind->id, f, stride) != data ||
        cosm_rows_field(rows, t, f, stride, true) != (writes ? data : NULL)) {
        fail(m, "%s.%s, which is split, is shown wrongly", kind->name, field->name);
    }
    cosm_error_clear();
    size_t scalar = cosm_field_type_size(field->type);
    bool fits = field->padding == 0 || scalar == stride;
    if (cosm_rows_field(rows, t, f, scalar, false) != (fits ? data : NULL) ||
        cosm_rows_field_sized(rows, kind->id, f, scalar) != (fits ? data : NULL)) {
        fail(m, "%s.%s is shown wrongly scalar by scalar", kind->name, field->name);
    }
    if (cosm_rows_field(rows, t, f, stride + 1, false)) {
        fail(m, "a wrong size of %s.%s is not found out", kind->name, field->name);
    }
    expect_refusal(m, kind, "COSM_FIELD_READ");
}

// One field of a run: its span, and what the field macros say.
static void check_field(struct model *m, const cosm_rows *rows, uint32_t t, const struct kind *kind,
                        uint32_t f, bool split) {
    const cosm_field *field = &kind->shape.fields[f];
    cosm_span span = cosm_rows_span(rows, kind->id, f);
    cosm_span table = cosm_table_span(cosm_rows_world(rows, 0), rows->archetype, kind->id, f);
    // With shared values there is no one table.
    bool shared = (archetype_of_id(&m->o, rows->archetype)->set & m->o.shared) != 0;
    if (!span.data ||
        (!shared && (table.stride != span.stride ||
                     (uint8_t *)table.data + rows->row * table.stride != span.data)) ||
        (shared && table.data)) {
        fail(m, "the run and its table show different spans of %s.%s", kind->name, field->name);
    }
    if (span.stride != (split ? field_stride(field) : kind->size)) {
        fail(m, "the span of %s.%s has a stride of %zu", kind->name, field->name, span.stride);
    }
    if (split) {
        check_split_field(m, rows, t, kind, f, span.data);
        return;
    }
    cosm_error_clear();
    const uint8_t *column = cosm_rows_column(rows, kind->id);
    if (cosm_rows_field(rows, t, f, field_stride(field), false) ||
        span.data != column + field->offset) {
        fail(m, "%s.%s, which is not split, is shown wrongly", kind->name, field->name);
    }
    expect_refusal(m, kind, "COSM_FIELD_READ");
}

void check_fields(struct model *m, const cosm_rows *rows, uint32_t t, const struct kind *kind,
                  bool split) {
    uint32_t count = kind->shape.count;
    for (uint32_t f = 0; f < count; f++) {
        check_field(m, rows, t, kind, f, split);
    }
    cosm_error_clear();
    if (cosm_rows_span(rows, kind->id, count).data) {
        fail(m, "%s has a span of field %u", kind->name, count);
    }
    if (cosm_rows_field(rows, t, count, 1, false)) {
        fail(m, "%s has a field %u", kind->name, count);
    }
    expect_refusal(m, kind, "COSM_FIELD_READ");
    if (split && cosm_rows_column(rows, kind->id)) {
        fail(m, "%s, which is split, has a column", kind->name);
    }
    if (split) {
        expect_refusal(m, kind, "cosm_rows_column");
    }
}

// The spans of one component in a table: where they begin, and what is in every row.
struct table_spans {
    const struct archetype *archetype;
    const struct kind *kind;
    bool split;
    cosm_span spans[SHAPE_FIELD_MAX];
};

static void find_spans(struct model *m, uint32_t world, struct table_spans *s) {
    cosm_world place = cosm_batch_world(m->batch, world);
    for (uint32_t f = 0; f < s->kind->shape.count; f++) {
        const cosm_field *field = &s->kind->shape.fields[f];
        cosm_span span = cosm_table_span_read(place, s->archetype->id, s->kind->id, f);
        size_t stride = s->split ? field_stride(field) : s->kind->size;
        uintptr_t begin = (uintptr_t)span.data - (size_t)world * s->archetype->max * stride;
        if (!span.data || span.stride != stride) {
            fail(m, "archetype %u shows %s.%s with a stride of %zu", s->archetype->id.id,
                 s->kind->name, field->name, span.stride);
        }
        size_t alignment = field->alignment > 64 ? field->alignment : 64;
        if (s->split && begin % alignment != 0) {
            fail(m, "archetype %u has the array of %s.%s at %p", s->archetype->id.id, s->kind->name,
                 field->name, (void *)begin);
        }
        s->spans[f] = span;
    }
}

static void compare_fields(struct model *m, const struct table_spans *s, uint32_t row,
                           uint32_t value) {
    uint8_t expected[SHAPE_SIZE_MAX];
    shaped_bytes(m, s->kind, s->split, value, expected);
    for (uint32_t f = 0; f < s->kind->shape.count; f++) {
        const cosm_field *field = &s->kind->shape.fields[f];
        const uint8_t *at = (const uint8_t *)s->spans[f].data + row * s->spans[f].stride;
        if (memcmp(at, expected + field->offset, field_size(field)) != 0) {
            fail(m, "row %u of archetype %u: %s.%s is wrong", row, s->archetype->id.id,
                 s->kind->name, field->name);
        }
    }
}

void compare_table(struct model *m, uint32_t world, uint32_t index) {
    const struct archetype *archetype = &m->o.archetypes[index];
    cosm_world place = cosm_batch_world(m->batch, world);
    uint32_t count = cosm_table_row_count(place, archetype->id);
    if ((archetype->set & m->o.shared) != 0) {
        return; // it has many tables; walks show what is in them
    }
    const cosm_entity *entities = cosm_table_entities(place, archetype->id);
    for (uint32_t bit = 0; count > 0 && bit < m->o.plain_count; bit++) {
        const struct kind *kind = &m->o.kinds[m->o.plain[bit]];
        struct table_spans s = {archetype, kind, archetype->split >> bit & 1, {{NULL, 0}}};
        if ((archetype->set & kind->set) == 0 || kind->shape.count == 0) {
            continue;
        }
        find_spans(m, world, &s);
        for (uint32_t r = 0; r < count; r++) {
            const struct being *being = entities ? being_find(&m->o, world, entities[r]) : NULL;
            if (entities && !being) {
                fail(m, "row %u of archetype %u holds an entity that is not alive", r,
                     archetype->id.id);
            }
            const uint32_t *values =
                being ? being->value : bag_of(&m->o, world, archetype)->rows[r].value;
            compare_fields(m, &s, r, values[bit]);
        }
        cosm_error_clear();
        if (s.split && cosm_table_column(place, archetype->id, kind->id)) {
            fail(m, "archetype %u has a column of %s", archetype->id.id, kind->name);
        }
        if (s.split) {
            expect_refusal(m, kind, "cosm_table_column");
        }
    }
}
