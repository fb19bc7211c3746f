// Sieves: terms that are met row by row.
#include "query/sieve.h"

#include "query/changed.h"

bool cosmi_sieve_find(const cosm_rows *rows, const struct store *store, uint32_t from, uint32_t end,
                      uint32_t *out_begin, uint32_t *out_end) {
    return cosmi_changed_find(rows, store, from, end, out_begin, out_end);
}
