// Hashes of values.
#include "state/hash_values.h"

#include <string.h>

#include "base/hash.h"

// Bytes of values that are put together before they are hashed.
#define BLOCK_BYTES ((size_t)4096)

// The bytes of field `f` in row `row`.
static const char *field_at(const struct cells *cells, uint32_t f, size_t row) {
    const struct value_type *type = cells->type;
    return cells_are_split(cells)
               ? (const char *)cells->columns[f] + row * cells->infos[f].size
               : (const char *)cells->columns[0] + row * type->size + type->fields.items[f].offset;
}

// Puts the bytes from `from` to `to` of a value together.
static void lay_window(const struct cells *cells, size_t row, size_t from, size_t to, char *out) {
    const struct field_list *fields = &cells->type->fields;
    memset(out, 0, to - from);
    for (uint32_t f = 0; f < fields->count; f++) {
        size_t first = fields->items[f].offset;
        size_t end = first + fields->columns[f].size;
        size_t begin = first < from ? from : first;
        end = end > to ? to : end;
        if (begin < end) {
            memcpy(out + begin - from, field_at(cells, f, row) + begin - first, end - begin);
        }
    }
}

static uint64_t hash_rows(uint64_t hash, const struct cells *cells, size_t first, size_t count) {
    const struct field_list *fields = &cells->type->fields;
    size_t size = cells->type->size;
    bool is_plain =
        !cells_are_split(cells) && (fields->count == 0 || fields->byte_count == size);
    char values[BLOCK_BYTES];
    for (size_t row = first; row < first + count; row++) {
        for (size_t from = 0; from < size; from += BLOCK_BYTES) {
            size_t to = size - from < BLOCK_BYTES ? size : from + BLOCK_BYTES;
            const char *bytes = values;
            if (is_plain) {
                bytes = (const char *)cells->columns[0] + row * size + from;
            } else {
                lay_window(cells, row, from, to, values);
            }
            hash = cosmi_hash_bytes(hash, bytes, to - from);
        }
    }
    return hash;
}

uint64_t cosmi_hash_cells(const struct cells *cells) {
    return hash_rows(0, cells, 0, cells->count);
}

uint64_t cosmi_hash_cell(const struct cells *cells, uint32_t row) {
    return hash_rows(cells->type->hash, cells, row, 1);
}

uint64_t cosmi_hash_value(const struct value_type *type, const void *value) {
    const cosm_lifecycle *lifecycle = &type->lifecycle;
    if (lifecycle->hash != NULL) {
        return hash_u64(type->hash, lifecycle->hash(lifecycle->context, value));
    }
    if (type->is_object && type->fields.count == 0) {
        return hash_u64(type->hash, 1);
    }
    struct cells cells = {type, NULL, &value, 1};
    return cosmi_hash_cell(&cells, 0);
}
