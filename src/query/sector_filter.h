// Sector terms of queries: met row by row, by what entities have beside their tables.
#ifndef COSM_QUERY_SECTOR_FILTER_H
#define COSM_QUERY_SECTOR_FILTER_H

#include "query/walk.h"

// Notes the sector components of a term, made with a group each where they have none. On failure
// there is a message that names `call`.
cosm_result cosmi_sector_filter_add(cosm_query *query, const char *call, uint32_t term);

// As cosmi_filter_find, for sector terms only.
bool cosmi_sector_filter_find(const cosm_rows *rows, const struct store *store, uint32_t from,
                              uint32_t end, uint32_t *out_begin, uint32_t *out_end);

// Shows the containers of the world at hand, in which the sector terms are looked up.
void cosmi_sector_filter_show(cosm_rows *rows);

#endif
