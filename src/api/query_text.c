// The public calls of cosm/query.h that read and write text.
#include <cosm/query.h>

#include "api/check.h"
#include "query/text.h"

cosm_result cosm_query_parse(const cosm_engine *engine, const char *text,
                             cosm_query_desc *out_desc) {
    static const char call[] = "cosm_query_parse";
    if (engine == NULL) {
        return cosmi_refuse_null(NULL, call, "engine", "pass one from cosm_engine_create");
    }
    if (text == NULL) {
        return cosmi_refuse_null(&engine->sink, call, "text", "pass terms, or \"\" for every row");
    }
    if (out_desc == NULL) {
        return cosmi_refuse_null(&engine->sink, call, "out_desc", "pass a cosm_query_desc to fill");
    }
    // Names are looked up under the schema's lock, which is not part of its value.
    return cosmi_query_parse((struct schema *)&engine->schema, call, text, out_desc);
}

void cosm_query_print(const cosm_query *query, cosm_text_fn *write, void *context) {
    static const char call[] = "cosm_query_print";
    if (query == NULL) {
        (void)cosmi_refuse_null(NULL, call, "query", "pass one from cosm_query_create");
        return;
    }
    if (write == NULL) {
        (void)cosmi_refuse_null(query->cache->schema->sink, call, "write",
                                "pass a function that receives the text");
        return;
    }
    cosmi_query_print(query, write, context);
}
