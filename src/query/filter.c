// Row filters: terms that are met row by row.
#include "query/filter.h"

#include "query/changed.h"
#include "query/sector_filter.h"

bool cosmi_filter_find(const cosm_rows *rows, const struct store *store, uint32_t from,
                       uint32_t end, uint32_t *out_begin, uint32_t *out_end) {
    const cosm_query *query = rows->query;
    if (!query->has_sectors) {
        return cosmi_changed_find(rows, store, from, end, out_begin, out_end);
    }
    if (query->changed == 0) {
        return cosmi_sector_filter_find(rows, store, from, end, out_begin, out_end);
    }
    uint32_t stop;
    for (; cosmi_changed_find(rows, store, from, end, &from, &stop); from = stop) {
        if (cosmi_sector_filter_find(rows, store, from, stop, out_begin, out_end)) {
            return true;
        }
    }
    return false;
}
