// Hashes of values: as they lie in memory where nothing is in between, else put together window by
// window and streamed.
#include "state/hash_values.h"

#include <string.h>

#include "base/hash.h"

// Bytes of values that are put together before they are hashed.
#define WINDOW_BYTES ((size_t)4096)

// Do the values lie in memory as they are hashed?
static bool cells_are_plain(const struct cells *cells) {
    const struct field_list *fields = &cells->type->fields;
    return !cells_are_split(cells) &&
           (fields->count == 0 || fields->byte_count == cells->type->size);
}

// The bytes of field `f` in row `row`.
static const char *field_at(const struct cells *cells, uint32_t f, size_t row) {
    const struct value_type *type = cells->type;
    return cells_are_split(cells)
               ? (const char *)cells->columns[f] + row * cells->infos[f].size
               : (const char *)cells->columns[0] + row * type->size + type->fields.items[f].offset;
}

// Copies a field of some rows to where it is in whole values.
static void lay_field(const struct cells *cells, uint32_t f, size_t row, size_t count, char *out) {
    const struct value_type *type = cells->type;
    size_t size = type->fields.columns[f].size;
    size_t step = cells_are_split(cells) ? cells->infos[f].size : type->size;
    const char *from = field_at(cells, f, row);
    out += type->fields.items[f].offset;
    for (size_t i = 0; i < count; i++, from += step, out += type->size) {
        // Sizes that are known spare a call.
        if (size == 4) {
            memcpy(out, from, 4);
        } else if (size == 8) {
            memcpy(out, from, 8);
        } else {
            memcpy(out, from, size);
        }
    }
}

// Values that are put together, as many at a time as fit into a window.
static void add_small(struct hash_stream *stream, const struct cells *cells, size_t row,
                      size_t count) {
    const struct value_type *type = cells->type;
    size_t step = WINDOW_BYTES / type->size;
    char window[WINDOW_BYTES];
    memset(window, 0, (count < step ? count : step) * type->size);
    for (size_t end = row + count; row < end; row += step) {
        size_t rows = end - row < step ? end - row : step;
        for (uint32_t f = 0; f < type->fields.count; f++) {
            lay_field(cells, f, row, rows, window);
        }
        cosmi_hash_add(stream, window, rows * type->size);
    }
}

// One value that is larger than a window, part by part.
static void add_large(struct hash_stream *stream, const struct cells *cells, size_t row) {
    const struct field_list *fields = &cells->type->fields;
    size_t size = cells->type->size;
    char window[WINDOW_BYTES];
    for (size_t from = 0; from < size; from += WINDOW_BYTES) {
        size_t to = size - from < WINDOW_BYTES ? size : from + WINDOW_BYTES;
        memset(window, 0, to - from);
        for (uint32_t f = 0; f < fields->count; f++) {
            size_t first = fields->items[f].offset;
            size_t begin = first < from ? from : first;
            size_t end = first + fields->columns[f].size;
            end = end > to ? to : end;
            if (begin < end) {
                memcpy(window + (begin - from), field_at(cells, f, row) + (begin - first),
                       end - begin);
            }
        }
        cosmi_hash_add(stream, window, to - from);
    }
}

static uint64_t hash_some(uint64_t seed, const struct cells *cells, size_t row, size_t count) {
    size_t size = cells->type->size;
    if (size == 0 || cells_are_plain(cells)) {
        const char *bytes = size == 0 ? "" : (const char *)cells->columns[0] + row * size;
        return cosmi_hash_bytes(seed, bytes, count * size);
    }
    struct hash_stream stream;
    cosmi_hash_begin(&stream);
    if (size <= WINDOW_BYTES) {
        add_small(&stream, cells, row, count);
    } else {
        for (size_t i = 0; i < count; i++) {
            add_large(&stream, cells, row + i);
        }
    }
    return cosmi_hash_end(&stream, seed);
}

uint64_t cosmi_hash_cells(const struct cells *cells, uint32_t count) {
    return hash_some(0, cells, 0, count);
}

uint64_t cosmi_hash_cell(const struct cells *cells, uint32_t row) {
    return hash_some(cells->type->hash, cells, row, 1);
}

uint64_t cosmi_hash_value(const struct value_type *type, const void *value) {
    const cosm_lifecycle *lifecycle = &type->lifecycle;
    if (lifecycle->hash != NULL) {
        return hash_u64(type->hash, lifecycle->hash(lifecycle->context, value));
    }
    // Bytes of an object that owns something are addresses more often than not.
    if ((lifecycle->copy != NULL || lifecycle->destroy != NULL) && type->fields.count == 0) {
        return hash_u64(type->hash, 1);
    }
    struct cells cells = {type, NULL, &value};
    return cosmi_hash_cell(&cells, 0);
}
