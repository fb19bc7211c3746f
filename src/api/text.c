// Texts of descs: queries, lists of components, and what systems use.
#include "api/text.h"

#include <stdio.h>

#include "query/text.h"

// Names are looked up under the schema's lock, which is not part of its value.
static struct schema *text_schema(const cosm_engine *engine) {
    return (struct schema *)&engine->schema;
}

cosm_result cosmi_text_query(const cosm_engine *engine, const char *call,
                             const cosm_query_desc *desc, cosm_query_desc *out_desc) {
    *out_desc = *desc;
    if (desc->text == NULL) {
        return COSM_OK;
    }
    if (query_has_terms(desc)) {
        return cosmi_fail(&engine->sink, COSM_ERROR_ARGUMENT,
                          "%s: the query has both text and terms; set only one of the two", call);
    }
    out_desc->text = NULL;
    return cosmi_query_parse(text_schema(engine), call, desc->text, out_desc);
}

cosm_result cosmi_text_list(const cosm_engine *engine, const char *call, const char *name,
                            struct text_list *list) {
    if (list->text == NULL) {
        return COSM_OK;
    }
    struct where where = cosmi_where(call, name, "desc.text");
    if (list->list[0].id != 0 || list->more_count > 0) {
        return cosmi_fail(&engine->sink, COSM_ERROR_ARGUMENT,
                          "%s: the components are listed both as text and as ids; set only one of "
                          "the two",
                          where.text);
    }
    cosm_result result =
        cosmi_components_parse(text_schema(engine), where.text, list->text,
                               COSM_ARCHETYPE_COMPONENT_MAX, list->scratch, &list->more_count);
    list->more = list->scratch;
    return result;
}

// Adds an id to a list of a desc; false where it is full.
static bool add_id(cosm_component *list, cosm_component component) {
    uint32_t i = 0;
    while (i < COSM_LIST_MAX && list[i].id != 0) {
        i++;
    }
    if (i < COSM_LIST_MAX) {
        list[i] = component;
    }
    return i < COSM_LIST_MAX;
}

static bool add_singleton(cosm_system_desc *desc, const struct text_use *use) {
    uint32_t i = 0;
    while (i < COSM_LIST_MAX && desc->singletons[i].singleton.id != 0) {
        i++;
    }
    if (i < COSM_LIST_MAX) {
        desc->singletons[i] =
            (cosm_singleton_use){use->singleton, use->write ? COSM_ACCESS_WRITE : COSM_ACCESS_READ};
    }
    return i < COSM_LIST_MAX;
}

static cosm_result read_uses(const cosm_engine *engine, const char *call, const char *text,
                             cosm_system_desc *desc) {
    struct text_use uses[3 * COSM_LIST_MAX];
    uint32_t count;
    cosm_result result =
        cosmi_uses_parse(text_schema(engine), call, text, 3 * COSM_LIST_MAX, uses, &count);
    for (uint32_t i = 0; result == COSM_OK && i < count; i++) {
        bool is_added = uses[i].singleton.id != 0
                            ? add_singleton(desc, &uses[i])
                            : add_id(uses[i].write ? desc->writes : desc->reads, uses[i].component);
        if (!is_added) {
            result =
                cosmi_fail(&engine->sink, COSM_ERROR_LIMIT,
                           "%s: name %u exceeds the limit of %u components to read, %u to write "
                           "or %u singletons per system; combine some in a bundle",
                           call, i + 1, COSM_LIST_MAX, COSM_LIST_MAX, COSM_LIST_MAX);
        }
    }
    return result;
}

cosm_result cosmi_text_system(const cosm_engine *engine, const char *call,
                              const cosm_system_desc *desc, cosm_system_desc *out_desc) {
    struct where where = cosmi_where(call, desc->name, "desc.query");
    *out_desc = *desc;
    if (desc->query != NULL && query_is_given(&desc->queries[0])) {
        return cosmi_fail(&engine->sink, COSM_ERROR_ARGUMENT,
                          "%s: queries[0] is set too; set only one of the two", where.text);
    }
    if (desc->query != NULL) {
        out_desc->queries[0].text = desc->query;
        out_desc->query = NULL;
    }
    for (uint32_t q = 0; q < COSM_SYSTEM_QUERY_MAX; q++) {
        char field[32] = "desc.query";
        if (q > 0 || desc->query == NULL) {
            (void)snprintf(field, sizeof(field), "desc.queries[%u]", q);
        }
        cosm_query_desc query = out_desc->queries[q];
        where = cosmi_where(call, desc->name, field);
        cosm_result result = cosmi_text_query(engine, where.text, &query, &out_desc->queries[q]);
        if (result != COSM_OK) {
            return result;
        }
        // It counts as given, also if it is empty.
        out_desc->queries[q].text = query.text;
    }
    if (desc->uses == NULL) {
        return COSM_OK;
    }
    where = cosmi_where(call, desc->name, "desc.uses");
    return read_uses(engine, where.text, desc->uses, out_desc);
}
