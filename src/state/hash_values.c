// Hashes of values, and values made whole.
//
// Where values are stored as they are hashed, without padding and in one column, the hash reads
// them in place. All others are laid out in a window first, field by field, with zeroes between the
// fields, and streamed: so padding never counts, and a split component hashes as a whole one does.
// A value that is larger than the window is laid out window by window.
#include "state/hash_values.h"

#include <string.h>

#include "base/check.h"
#include "base/hash.h"

// Small enough for the stack and the first cache, large enough to hash at full speed.
#define WINDOW_BYTES ((size_t)4096)

// Are the values stored as they are hashed?
static bool cells_are_plain(const struct cells *cells) {
    const struct field_list *fields = &cells->type->fields;
    return !cells_are_split(cells) &&
           (fields->count == 0 || fields->byte_count == cells->type->size);
}

// Copies the bytes of a field between `from` and `to`, counted from where a value begins, for some
// rows. `out` is where byte `from` of the first of them goes.
static void lay_field(const struct cells *cells, uint32_t f, size_t row, size_t count, size_t from,
                      size_t to, char *out) {
    const struct value_type *type = cells->type;
    size_t offset = type->fields.items[f].offset;
    size_t begin = offset < from ? from : offset;
    size_t end = offset + type->fields.columns[f].size;
    end = end > to ? to : end;
    if (begin >= end) {
        return;
    }
    bool is_split = cells_are_split(cells);
    size_t step = is_split ? cells->infos[f].size : type->size;
    const char *at = (const char *)cells->columns[is_split ? f : 0] + row * step +
                     (is_split ? begin - offset : begin);
    size_t size = end - begin;
    out += begin - from;
    for (size_t i = 0; i < count; i++, at += step, out += type->size) {
        // Sizes that are known spare a call.
        if (size == 4) {
            memcpy(out, at, 4);
        } else if (size == 8) {
            memcpy(out, at, 8);
        } else {
            memcpy(out, at, size);
        }
    }
}

static void lay_fields(const struct cells *cells, size_t row, size_t count, size_t from, size_t to,
                       char *out) {
    for (uint32_t f = 0; f < cells->type->fields.count; f++) {
        lay_field(cells, f, row, count, from, to, out);
    }
}

void cosmi_cells_whole(const struct cells *cells, uint32_t row, void *out) {
    INVARIANT(cells_are_split(cells), "a whole value is where it is");
    memset(out, 0, cells->type->size);
    lay_fields(cells, row, 1, 0, cells->type->size, out);
}

static uint64_t hash_some(uint64_t seed, const struct cells *cells, size_t row, size_t count) {
    size_t size = cells->type->size;
    if (size == 0 || cells_are_plain(cells)) {
        const char *bytes = size == 0 ? "" : (const char *)cells->columns[0] + row * size;
        return cosmi_hash_bytes(seed, bytes, count * size);
    }
    struct hash_stream stream;
    char window[WINDOW_BYTES];
    size_t step = size < WINDOW_BYTES ? WINDOW_BYTES / size : 1;
    size_t filled = (count < step ? count : step) * size;
    memset(window, 0, filled < WINDOW_BYTES ? filled : WINDOW_BYTES);
    cosmi_hash_begin(&stream);
    for (size_t end = row + count; row < end; row += step) {
        size_t rows = end - row < step ? end - row : step;
        for (size_t from = 0; from < size; from += WINDOW_BYTES) {
            size_t to = size - from < WINDOW_BYTES ? size : from + WINDOW_BYTES;
            if (size > WINDOW_BYTES) {
                memset(window, 0, to - from); // other bytes are fields than in the last window
            }
            lay_fields(cells, row, rows, from, to, window);
            cosmi_hash_add(&stream, window, rows * (to - from));
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
