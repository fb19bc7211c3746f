// Sorting tables by row keys.
#ifndef COSM_STORE_SORT_H
#define COSM_STORE_SORT_H

#include "store/rows.h"

// Scratch of sorts: two lists of items, and room for the widest column.
struct sort_scratch {
    struct memory *memory;
    struct sort_item *items;
    struct sort_item *spare;
    char *cells;
    size_t item_bytes;
    size_t cell_bytes;
};

// All memory that sorts of tables of an archetype with at most `row_count` rows take. False when
// there is none.
bool cosmi_sort_begin(struct sort_scratch *scratch, struct memory *memory,
                      const struct archetype *archetype, uint32_t row_count);
void cosmi_sort_end(struct sort_scratch *scratch);

// Sorts a table by the key of every row. Cannot fail.
typedef uint64_t row_key_fn(const void *context, uint32_t row);
void cosmi_rows_sort(cosm_world world, struct store *store, row_key_fn *key, const void *context,
                     struct sort_scratch *scratch);

#endif
