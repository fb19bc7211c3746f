// Sieves: terms that are met row by row.
#include "query/sieve.h"

bool cosmi_sieve_find(const cosm_rows *rows, const struct store *store, uint32_t from, uint32_t end,
                      uint32_t *out_begin, uint32_t *out_end) {
    (void)rows;
    (void)store;
    *out_begin = from;
    *out_end = end;
    return from < end;
}
