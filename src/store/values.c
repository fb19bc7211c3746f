// Values of split components, and values kept aside.
#include "store/values.h"

#include "base/bits.h"
#include "store/managed.h"

// The value may lie in a column of this very component, over the cell of one of its fields. Such a
// cell is written last: the other fields still have to come out of it.
void cosmi_split_write(const struct archetype *archetype, const struct column_slot *slot,
                       void *const *columns, size_t at, const void *value) {
    const struct column_info *infos = &archetype->columns[slot->column];
    uintptr_t from = (uintptr_t)value;
    INVARIANT(infos->part_count > 0, "only a split component has parts to write");
    bool late = false;
    for (uint32_t pass = 0; pass == 0 || (late && pass == 1); pass++) {
        for (uint32_t p = 0; p < infos->part_count; p++) {
            char *cell = (char *)columns[slot->column + p] + at * infos[p].size;
            bool under = (uintptr_t)cell < from + infos->value_size &&
                         from < (uintptr_t)cell + infos[p].size;
            late = late || under;
            if (under == (pass == 1)) {
                memmove(cell, (const char *)value + infos[p].offset, infos[p].size);
            }
        }
    }
}

void cosmi_split_read(const struct archetype *archetype, const struct column_slot *slot,
                      void *const *columns, size_t at, void *out_value) {
    const struct column_info *infos = &archetype->columns[slot->column];
    INVARIANT(infos->part_count > 0, "only a split component has parts to read");
    memset(out_value, 0, infos->value_size);
    for (uint32_t p = 0; p < infos->part_count; p++) {
        memcpy((char *)out_value + infos[p].offset,
               (const char *)columns[slot->column + p] + at * infos[p].size, infos[p].size);
    }
}

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
