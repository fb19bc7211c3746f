// Values that may lie in rows which are about to move, kept aside.
#include "base/bits.h"
#include "store/managed.h"

bool cosmi_value_keep(struct cosm_batch *batch, const char *call, const void *value, size_t size,
                      struct kept_value *out_kept) {
    out_kept->bytes = NULL;
    out_kept->taken = NULL;
    out_kept->size = size;
    if (value == NULL || size == 0) {
        return true;
    }
    void *bytes = out_kept->small;
    if (size > sizeof(out_kept->small)) {
        bytes = cosmi_memory_alloc(&batch->memory, size, 16);
        out_kept->taken = bytes;
    }
    if (bytes == NULL) {
        (void)cosmi_fail_memory(batch->sink, &batch->memory, call);
        return false;
    }
    memcpy(bytes, value, size);
    out_kept->bytes = bytes;
    return true;
}

void cosmi_value_give(struct cosm_batch *batch, struct kept_value *kept) {
    cosmi_memory_free(&batch->memory, kept->taken, kept->size, 16);
}

static size_t value_size(const struct value_type *type) {
    return type->is_object ? cosmi_held_size(type) : type->size;
}

size_t cosmi_values_size(const struct schema *schema, const cosm_value *values, uint32_t count) {
    size_t size = align_up(count * sizeof(*values), 16);
    for (uint32_t i = 0; i < count; i++) {
        size += align_up(value_size(schema_component(schema, values[i].component.id)), 16);
    }
    return size;
}

// First the list, then the bytes of each.
const cosm_value *cosmi_values_copy(const struct schema *schema, const cosm_value *values,
                                    uint32_t count, void *bytes) {
    cosm_value *list = bytes;
    char *at = (char *)bytes + align_up(count * sizeof(*list), 16);
    for (uint32_t i = 0; i < count; i++) {
        const struct value_type *type = schema_component(schema, values[i].component.id);
        size_t size = value_size(type);
        list[i] = (cosm_value){values[i].component, at};
        if (type->is_object) {
            (void)cosmi_held_lay(type, at);
        } else if (size > 0) {
            memcpy(at, values[i].data, size);
        }
        at += align_up(size, 16);
    }
    return list;
}

const cosm_value *cosmi_values_keep(struct arena *arena, const struct schema *schema,
                                    const cosm_value *values, uint32_t count) {
    if (count == 0) {
        return NULL;
    }
    cosm_value *list = cosmi_arena_alloc(arena, cosmi_values_size(schema, values, count), 16);
    if (list == NULL) {
        return NULL;
    }
    (void)cosmi_values_copy(schema, values, count, list);
    for (uint32_t i = 0; i < count; i++) {
        // Objects lie in no row, so nothing moves them.
        if (schema_component(schema, values[i].component.id)->is_object) {
            list[i].data = values[i].data;
        }
    }
    return list;
}
