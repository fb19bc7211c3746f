// The public calls of cosm/query.h.
#include <cosm/query.h>

#include "api/check.h"
#include "query/walk.h"
#include "run/checks.h"
#include "run/each.h"

cosm_query *cosm_query_create(cosm_engine *engine, const cosm_query_desc *desc) {
    static const char call[] = "cosm_query_create";
    if (engine == NULL || desc == NULL) {
        (void)cosmi_refuse_null(engine == NULL ? NULL : &engine->sink, call,
                                engine == NULL ? "engine" : "desc", "pass both");
        return NULL;
    }
    return cosmi_query_create(&engine->queries, call, desc);
}

void cosm_query_destroy(cosm_query *query) {
    if (query != NULL) {
        cosmi_query_release(query);
    }
}

uint32_t cosm_query_archetype_count(const cosm_query *query) {
    uint32_t count = 0;
    for (struct match *m = query == NULL ? NULL : match_first(query); m != NULL;
         m = match_next(m)) {
        count++;
    }
    return count;
}

bool cosm_query_matches(const cosm_query *query, cosm_archetype archetype) {
    const struct archetype *known =
        query == NULL ? NULL : schema_archetype(query->cache->schema, archetype.id);
    return known != NULL && cosmi_query_matches(query, known);
}

COLD static cosm_result refuse_query(const cosm_query *query, cosm_worlds worlds,
                                     const char *call) {
    if (!worlds_exist(worlds)) {
        return cosmi_refuse_worlds(worlds, call);
    }
    if (query == NULL) {
        return cosmi_refuse_null(worlds.batch->sink, call, "query",
                                 "pass one from cosm_query_create");
    }
    return cosmi_fail(worlds.batch->sink, COSM_ERROR_ARGUMENT,
                      "%s: the query belongs to another engine than the worlds; create it from the "
                      "batch's own engine",
                      call);
}

static inline bool query_fits(const cosm_query *query, cosm_worlds worlds) {
    return query != NULL && worlds_exist(worlds) && query->cache->schema == worlds.batch->schema;
}

uint64_t cosm_query_count(const cosm_query *query, cosm_worlds worlds) {
    if (!query_fits(query, worlds)) {
        (void)refuse_query(query, worlds, "cosm_query_count");
        return 0;
    }
    return cosmi_query_count_rows(query, worlds);
}

cosm_entity cosm_query_first(const cosm_query *query, cosm_worlds worlds, cosm_world *out_world) {
    if (!query_fits(query, worlds)) {
        (void)refuse_query(query, worlds, "cosm_query_first");
        return COSM_ENTITY_NONE;
    }
    cosm_rows rows;
    cosmi_walk_begin(query, worlds, &rows);
    while (cosmi_walk_next(&rows)) {
        if (rows.entities == NULL) {
            continue;
        }
        cosm_entity entity = rows.entities[0];
        if (out_world != NULL) {
            *out_world = cosm_rows_world(&rows, 0);
        }
        cosmi_walk_end(&rows);
        return entity;
    }
    return COSM_ENTITY_NONE;
}

void cosm_query_walk(const cosm_query *query, cosm_worlds worlds, cosm_rows *out_rows) {
    if (UNLIKELY(out_rows == NULL)) {
        const struct sink *sink = worlds.batch == NULL ? NULL : worlds.batch->sink;
        (void)cosmi_refuse_null(sink, "cosm_query_walk", "out_rows", "pass a cosm_rows to fill");
        return;
    }
    if (UNLIKELY(!query_fits(query, worlds))) {
        (void)refuse_query(query, worlds, "cosm_query_walk");
        memset(out_rows, 0, sizeof(*out_rows));
        return;
    }
    cosmi_check_query(query, worlds, "cosm_query_walk");
    turn_walk(query, worlds, out_rows);
}

cosm_result cosm_query_run(const cosm_query *query, cosm_worlds worlds, cosm_rows_fn *each,
                           void *context) {
    static const char call[] = "cosm_query_run";
    if (!query_fits(query, worlds)) {
        return refuse_query(query, worlds, call);
    }
    if (each == NULL) {
        return cosmi_refuse_null(worlds.batch->sink, call, "each", "pass a function over rows");
    }
    if (cosmi_turn_now == NULL) {
        return cosmi_each_run(query, worlds, each, context, call);
    }
    // A system has its share of the workers already.
    cosm_rows rows;
    cosm_query_walk(query, worlds, &rows);
    while (cosmi_walk_next(&rows)) {
        each(context, &rows);
    }
    return COSM_OK;
}

bool cosm_rows_next(cosm_rows *rows) {
    return rows != NULL && cosmi_walk_next(rows);
}

void cosm_rows_end(cosm_rows *rows) {
    if (rows != NULL) {
        cosmi_walk_end(rows);
    }
}

cosm_world cosm_rows_world(const cosm_rows *rows, uint32_t i) {
    if (rows == NULL || i >= rows->count) {
        return (cosm_world){NULL, 0};
    }
    uint32_t world = rows->world;
    if (rows->world_count > 1) {
        world += i / batch_known_store(rows->batch, rows->archetype.id)->fixed_max;
    }
    return (cosm_world){rows->batch, world};
}

void *cosm_rows_column(const cosm_rows *rows, cosm_component component) {
    if (rows == NULL || rows->count == 0) {
        return NULL;
    }
    const struct store *store = batch_known_store(rows->batch, rows->archetype.id);
    const struct column_slot *slot = archetype_find(store->archetype, component.id);
    if (slot == NULL || slot->size == 0) {
        return NULL;
    }
    // What is done with the column is not known; in the rows at hand a write is found by comparing.
    cosmi_check_component(rows->batch, rows->world, component.id, false, "cosm_rows_column");
    cosmi_check_cell(rows->batch, rows->world, store->archetype, rows->row, component.id, false,
                     "cosm_rows_column");
    return store_cell(store, store_table(store, rows->world), rows->world, slot->column, rows->row,
                      slot->size);
}

void *cosm_rows_column_sized(const cosm_rows *rows, cosm_component component, size_t size) {
    if (rows == NULL || rows->count == 0) {
        return NULL;
    }
    const struct value_type *type = schema_component(rows->batch->schema, component.id);
    if (type != NULL && type->size != size) {
        (void)cosmi_refuse_size(rows->batch, "COSM_COLUMN_OF", "component", type->name, type->size,
                                size);
        return NULL;
    }
    return cosm_rows_column(rows, component);
}

void *cosm_rows_refuse(const cosm_rows *rows, uint32_t index, size_t size, bool write) {
    const char *call = write ? "COSM_COLUMN_WRITE" : "COSM_COLUMN_READ";
    const struct sink *sink = rows->batch == NULL ? NULL : rows->batch->sink;
    if (index >= rows->term_count) {
        (void)cosmi_fail(sink, COSM_ERROR_ARGUMENT,
                         "%s: index %u is not a term: the query has %u terms; for spawned rows use "
                         "COSM_COLUMN_OF",
                         call, index, rows->term_count);
        return NULL;
    }
    const cosm_term_info *term = &rows->terms[index];
    const char *name = cosm_component_name(rows->batch->engine, (cosm_component){term->component});
    if (term->size == 0) {
        (void)cosmi_fail(sink, COSM_ERROR_ARGUMENT,
                         "%s: term %u, '%s', is a tag or a bundle and has no column; leave it out, "
                         "or name a component with bytes",
                         call, index, name);
        return NULL;
    }
    if (term->size != size) {
        (void)cosmi_refuse_size(rows->batch, call, "component", name, term->size, size);
        return NULL;
    }
    (void)cosmi_fail(sink, COSM_ERROR_ARGUMENT,
                     "%s: term %u, component '%s', has COSM_ACCESS_READ; use COSM_COLUMN_READ, or "
                     "ask for COSM_ACCESS_WRITE in the query",
                     call, index, name);
    return NULL;
}

cosm_result cosm_query_despawn(const cosm_query *query, cosm_worlds worlds) {
    static const char call[] = "cosm_query_despawn";
    if (!query_fits(query, worlds)) {
        return refuse_query(query, worlds, call);
    }
    cosm_result result = cosmi_check_changes(worlds, call);
    if (result == COSM_OK) {
        cosmi_bulk_despawn(query, worlds);
    }
    return result;
}

// The value of a set is checked by the caller.
static cosm_result change_all(const cosm_query *query, cosm_worlds worlds, cosm_component component,
                              enum bulk_kind kind, const void *value, const char *call) {
    if (!query_fits(query, worlds)) {
        return refuse_query(query, worlds, call);
    }
    cosm_result result = cosmi_check_changes(worlds, call);
    if (result != COSM_OK) {
        return result;
    }
    struct bulk_change change = {.call = call, .kind = kind, .value = value};
    change.components =
        cosmi_schema_members(worlds.batch->schema, call, &component, &change.component_count);
    return change.components == NULL ? COSM_ERROR_ARGUMENT
                                     : cosmi_bulk_change(query, worlds, &change);
}

cosm_result cosm_query_add(const cosm_query *query, cosm_worlds worlds, cosm_component component) {
    return change_all(query, worlds, component, BULK_ADD, NULL, "cosm_query_add");
}

cosm_result cosm_query_remove(const cosm_query *query, cosm_worlds worlds,
                              cosm_component component) {
    return change_all(query, worlds, component, BULK_REMOVE, NULL, "cosm_query_remove");
}

cosm_result cosm_query_set(const cosm_query *query, cosm_worlds worlds, cosm_component component,
                           const void *value) {
    static const char call[] = "cosm_query_set";
    if (!query_fits(query, worlds)) {
        return refuse_query(query, worlds, call);
    }
    const struct value_type *type = cosmi_check_set(worlds.batch, call, component, value);
    struct kept_value kept;
    if (type == NULL) {
        return COSM_ERROR_ARGUMENT;
    }
    if (!cosmi_value_keep(worlds.batch, call, value, type->size, &kept)) {
        return COSM_ERROR_MEMORY;
    }
    cosm_result result = change_all(query, worlds, component, BULK_SET, kept.bytes, call);
    cosmi_value_give(worlds.batch, &kept);
    return result;
}
