// Hashes of values, whatever their layout: of described types the fields count, and zeroes stand
// for what is between them; of others the bytes as they are.
#ifndef COSM_STATE_HASH_VALUES_H
#define COSM_STATE_HASH_VALUES_H

#include "schema/schema.h"

// Values of one component in consecutive rows, or a single one.
struct cells {
    const struct value_type *type;
    const struct column_info *infos; // of its first column; NULL: whole values
    const void *const *columns;      // its first column and those behind it
};

static inline bool cells_are_split(const struct cells *cells) {
    return cells->infos != NULL && cells->infos->part_count > 0;
}

// The value of a row of a split component, put together: zeroes are between its fields.
void cosmi_cells_whole(const struct cells *cells, uint32_t row, void *out);

// The first `count` of them, in their order.
uint64_t cosmi_hash_cells(const struct cells *cells, uint32_t count);

// One of them, with what its bytes mean.
uint64_t cosmi_hash_cell(const struct cells *cells, uint32_t row);

// The same of a value that is not in a column: its lifecycle's hash where it has one; without one
// its fields, or its bytes where it is copied as such.
uint64_t cosmi_hash_value(const struct value_type *type, const void *value);

#endif
