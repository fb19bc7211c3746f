// Texts of descs made into ids, so that the rooms below know ids only.
#ifndef COSM_API_TEXT_H
#define COSM_API_TEXT_H

#include <cosm/system.h>

#include "api/check.h"
#include "schema/names.h"

// Copies a desc, with its text, if it has one, read into terms. On failure a message names `call`.
cosm_result cosmi_text_query(const cosm_engine *engine, const char *call,
                             const cosm_query_desc *desc, cosm_query_desc *out_desc);

// The components of a desc: `text` or `list` with `more`, which is then in `scratch`.
struct text_list {
    const char *text;
    const cosm_component *list; // [COSM_LIST_MAX], or fewer with a zero behind them
    const cosm_component *more;
    uint32_t more_count;
    cosm_component scratch[COSM_ARCHETYPE_COMPONENT_MAX];
};

// Reads the text of a list, if it has one, into `more`. On failure a message names `call`, and what
// is defined, whose name may be NULL.
cosm_result cosmi_text_list(const cosm_engine *engine, const char *call, const char *name,
                            struct text_list *list);

// Copies the desc of a system with all its texts read.
cosm_result cosmi_text_system(const cosm_engine *engine, const char *call,
                              const cosm_system_desc *desc, cosm_system_desc *out_desc);

#endif
