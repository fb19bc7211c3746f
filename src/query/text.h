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

// Reads a list of components and bundles, with commas between their names, as many as `max`.
cosm_result cosmi_components_parse(struct schema *schema, const char *call, const char *text,
                                   uint32_t max, cosm_component *out_list, uint32_t *out_count);

// Something that a system uses besides its queries: one of the two is not zero.
struct text_use {
    cosm_component component; // or a bundle
    cosm_singleton singleton;
    bool write;
};

// Reads such a list: names of components, bundles and singletons, each with `mut` where it is
// written.
cosm_result cosmi_uses_parse(struct schema *schema, const char *call, const char *text,
                             uint32_t max, struct text_use *out_list, uint32_t *out_count);

// Calls `write` piece by piece.
void cosmi_query_print(const cosm_query *query, cosm_text_fn *write, void *context);

#endif
