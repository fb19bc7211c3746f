// Queries as text: reading terms from it, and writing them to it.
//
// What the text may say is in cosm/query.h; the grammar is in text.c.
#ifndef COSM_QUERY_TEXT_H
#define COSM_QUERY_TEXT_H

#include "query/query.h"

// Fills the terms of `out_desc`, those behind the last one with zeroes. On failure a message names
// `call` and the place in the text, and `out_desc` is as it was. Takes no memory. The caller holds
// no lock.
cosm_result cosmi_query_parse(struct schema *schema, const char *call, const char *text,
                              cosm_query_desc *out_desc);

// Calls `write` piece by piece.
void cosmi_query_print(const cosm_query *query, cosm_text_fn *write, void *context);

#endif
