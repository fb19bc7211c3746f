// Descriptions of types as bytes.
#include "state/type_text.h"

#include <string.h>

#include "state/save_format.h"

// Numbers that are mostly near zero, on both sides of it.
static uint64_t fold_sign(int64_t value) {
    return value < 0 ? ~((uint64_t)value << 1) : (uint64_t)value << 1;
}

static int64_t unfold_sign(uint64_t value) {
    return (int64_t)((value >> 1) ^ (0 - (value & 1)));
}

static void write_labels(struct byte_writer *out, const cosm_labels *labels) {
    cosmi_write_short(out, labels == NULL ? 0 : labels->count);
    if (labels == NULL) {
        return;
    }
    cosmi_write_text(out, labels->name);
    cosmi_write_u8(out, (uint8_t)labels->kind);
    for (uint32_t i = 0; i < labels->count; i++) {
        cosmi_write_text(out, labels->items[i].name);
        cosmi_write_short(out, fold_sign(labels->items[i].value));
    }
}

static void write_field(struct byte_writer *out, const cosm_field *field) {
    cosmi_write_text(out, field->name);
    cosmi_write_u8(out, (uint8_t)field->type);
    cosmi_write_short(out, field->offset);
    for (uint32_t d = 0; d < COSM_FIELD_DIM_MAX; d++) {
        cosmi_write_short(out, field->dims[d]);
    }
    cosmi_write_short(out, field->alignment);
    cosmi_write_short(out, field->padding);
    write_labels(out, field->labels);
}

void cosmi_type_write(struct byte_writer *out, const struct value_type *type, bool is_singleton) {
    bool is_object = !is_singleton && value_has_hooks(type);
    cosmi_write_u8(
        out, (uint8_t)((is_singleton ? TYPE_IS_SINGLETON : 0) | (is_object ? TYPE_IS_OBJECT : 0)));
    cosmi_write_text(out, type->name);
    cosmi_write_short(out, type->size);
    cosmi_write_short(out, type->alignment);
    cosmi_write_u8(out, is_singleton ? 0 : (uint8_t)type->storage);
    cosmi_write_u64(out, type->hash);
    cosmi_write_short(out, type->fields.count);
    for (uint32_t i = 0; i < type->fields.count; i++) {
        write_field(out, &type->fields.items[i]);
    }
}

// Room for a list of things that take at least a byte each in the file.
static void *read_list(struct byte_reader *in, struct arena *arena, uint32_t count, size_t size) {
    if (count > reader_left(in)) {
        in->failed = true;
        return NULL;
    }
    void *list = cosmi_arena_alloc(arena, (count == 0 ? 1 : count) * size, 8);
    if (list != NULL) {
        memset(list, 0, (count == 0 ? 1 : count) * size);
    }
    return list;
}

static bool read_labels(struct byte_reader *in, struct arena *arena,
                        const cosm_labels **out_labels) {
    uint32_t count = cosmi_read_short_max(in, COSM_LABEL_MAX);
    *out_labels = NULL;
    if (count == 0) {
        return !in->failed;
    }
    cosm_labels *labels = cosmi_arena_alloc(arena, sizeof(*labels), 8);
    cosm_label *items = read_list(in, arena, count, sizeof(*items));
    if (labels == NULL || items == NULL) {
        return false;
    }
    *labels = (cosm_labels){.name = cosmi_read_text(in), .count = count, .items = items};
    labels->kind = (cosm_labels_kind)cosmi_read_u8(in);
    for (uint32_t i = 0; i < count; i++) {
        items[i].name = cosmi_read_text(in);
        items[i].value = unfold_sign(cosmi_read_short(in));
        in->failed = in->failed || items[i].name == NULL;
    }
    *out_labels = labels;
    return !in->failed;
}

static bool read_field(struct byte_reader *in, struct arena *arena, cosm_field *field) {
    field->name = cosmi_read_text(in);
    field->type = (cosm_field_type)cosmi_read_u8(in);
    field->offset = cosmi_read_short_max(in, UINT32_MAX);
    for (uint32_t d = 0; d < COSM_FIELD_DIM_MAX; d++) {
        field->dims[d] = cosmi_read_short_max(in, UINT32_MAX);
    }
    field->alignment = cosmi_read_short_max(in, UINT32_MAX);
    field->padding = cosmi_read_short_max(in, UINT32_MAX);
    in->failed = in->failed || field->name == NULL;
    return !in->failed && read_labels(in, arena, &field->labels);
}

bool cosmi_type_read(struct byte_reader *in, struct arena *arena, struct file_type *out_type) {
    uint8_t flags = cosmi_read_u8(in);
    *out_type = (struct file_type){.is_singleton = (flags & TYPE_IS_SINGLETON) != 0,
                                   .is_object = (flags & TYPE_IS_OBJECT) != 0};
    out_type->name = cosmi_read_text(in);
    out_type->size = cosmi_read_short_max(in, UINT32_MAX);
    out_type->alignment = cosmi_read_short_max(in, UINT32_MAX);
    out_type->storage = (cosm_storage)cosmi_read_u8(in);
    out_type->hash = cosmi_read_u64(in);
    out_type->field_count = cosmi_read_short_max(in, COSM_FIELD_MAX);
    in->failed = in->failed || out_type->name == NULL || flags > 3;
    if (in->failed || out_type->field_count == 0) {
        return !in->failed;
    }
    cosm_field *fields = read_list(in, arena, out_type->field_count, sizeof(*fields));
    bool done = fields != NULL;
    for (uint32_t i = 0; done && i < out_type->field_count; i++) {
        done = read_field(in, arena, &fields[i]);
    }
    out_type->fields = fields;
    return done;
}
