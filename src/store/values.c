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
        bytes = cosmi_memory_take(&batch->memory, size, 16);
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
    cosmi_memory_give(&batch->memory, kept->taken, kept->size, 16);
}

// The type of a managed component of the archetype; NULL for others.
static const struct value_type *value_managed(const struct archetype *archetype,
                                              cosm_component component) {
    const struct column_slot *slot = archetype_find(archetype, component.id);
    return slot_is_managed(archetype, slot) ? slot_managed(archetype, slot) : NULL;
}

static size_t value_size(const struct archetype *archetype, cosm_component component) {
    const struct value_type *managed = value_managed(archetype, component);
    return managed != NULL ? cosmi_held_size(managed)
                           : slot_value_size(archetype, archetype_find(archetype, component.id));
}

size_t cosmi_values_size(const struct archetype *archetype, const cosm_value *values,
                         uint32_t count) {
    size_t size = align_up(count * sizeof(*values), 16);
    for (uint32_t i = 0; i < count; i++) {
        size += align_up(value_size(archetype, values[i].component), 16);
    }
    return size;
}

// First the list, then the bytes of each.
const cosm_value *cosmi_values_copy(const struct archetype *archetype, const cosm_value *values,
                                    uint32_t count, void *bytes) {
    cosm_value *list = bytes;
    char *at = (char *)bytes + align_up(count * sizeof(*list), 16);
    for (uint32_t i = 0; i < count; i++) {
        size_t size = value_size(archetype, values[i].component);
        const struct value_type *managed = value_managed(archetype, values[i].component);
        list[i] = (cosm_value){values[i].component, at};
        if (managed != NULL) {
            (void)cosmi_held_lay(managed, at);
        } else if (size > 0) {
            memcpy(at, values[i].data, size);
        }
        at += align_up(size, 16);
    }
    return list;
}

const cosm_value *cosmi_values_keep(struct arena *arena, const struct archetype *archetype,
                                    const cosm_value *values, uint32_t count) {
    if (count == 0) {
        return NULL;
    }
    void *bytes = cosmi_arena_take(arena, cosmi_values_size(archetype, values, count), 16);
    return bytes == NULL ? NULL : cosmi_values_copy(archetype, values, count, bytes);
}
