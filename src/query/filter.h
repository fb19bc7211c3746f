// Row filters: terms that are met row by row, not table by table. A run of rows is cut into
// stretches in which all rows pass. They are changed terms (query/changed.h), and sector terms,
// which are met by what entities have beside their tables.
#ifndef COSM_QUERY_FILTER_H
#define COSM_QUERY_FILTER_H

#include "query/walk.h"

// The first stretch [*out_begin, *out_end) of rows `from` to `end` of a world's table that all
// row filters of the rows' query let pass. False where there is none.
bool cosmi_filter_find(const cosm_rows *rows, const struct store *store, uint32_t from,
                       uint32_t end, uint32_t *out_begin, uint32_t *out_end);

// Notes the sector components of a term, made with a group each where they have none. On failure
// there is a message that names `call`.
cosm_result cosmi_sector_filter_add(cosm_query *query, const char *call, uint32_t term);

// Shows the containers of the world at hand, in which the sector terms are looked up.
void cosmi_sector_filter_show(cosm_rows *rows);

#endif
