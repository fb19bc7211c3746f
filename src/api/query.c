// The public calls of cosm/query.h.
#include <cosm/entity.h>
#include <cosm/query.h>
#include <cosm/shared.h>

#include "api/managed.h"
#include "api/text.h"
#include "query/changed.h"
#include "query/text.h"
#include "query/walk.h"
#include "run/access.h"
#include "run/checks.h"
#include "run/commands.h"
#include "run/observer.h"
#include "run/turn.h"
#include "store/shared.h"
#include "store/values.h"

cosm_query *cosm_query_create(cosm_engine *engine, const cosm_query_desc *desc) {
    static const char call[] = "cosm_query_create";
    if (engine == NULL || desc == NULL) {
        (void)cosmi_refuse_null(engine == NULL ? NULL : &engine->sink, call,
                                engine == NULL ? "engine" : "desc", "pass both");
        return NULL;
    }
    cosm_query_desc by_ids;
    if (cosmi_text_query(engine, call, desc, &by_ids) != COSM_OK) {
        return NULL;
    }
    return cosmi_query_create(&engine->queries, call, &by_ids);
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
        // A new archetype is linked to its queries first, so that no walk misses a row of it; for a
        // moment the engine does not list it yet.
        count += schema_archetype(query->cache->schema, m->archetype->id) != NULL;
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

cosm_result cosmi_check_walk(const cosm_query *query, cosm_worlds worlds, const char *call) {
    return query_fits(query, worlds) ? COSM_OK : refuse_query(query, worlds, call);
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
    rows.stamps = STAMP_NOTHING;
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
    if (cosmi_turn_now == NULL && cosmi_delivery_now == NULL) {
        return cosmi_each_run(query, worlds, each, context, call);
    }
    // A system has its share of the workers already, and so has an observer.
    struct each_watch watch;
    cosm_rows rows;
    cosmi_each_watch(&watch);
    cosm_query_walk(query, worlds, &rows);
    rows.context = context;
    while (cosmi_walk_next(&rows)) {
        each(&rows);
    }
    return cosmi_each_unwatch(&watch);
}

bool cosm_rows_next(cosm_rows *rows) {
    return rows != NULL && cosmi_walk_next(rows);
}

void cosm_rows_end(cosm_rows *rows) {
    if (rows != NULL) {
        cosmi_walk_end(rows);
    }
}

cosm_engine *cosm_rows_engine(const cosm_rows *rows) {
    return rows == NULL || rows->batch == NULL ? NULL : rows->batch->engine;
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

// The archetype of a run that shows rows, or NULL.
static const struct archetype *rows_archetype(const cosm_rows *rows) {
    return rows == NULL || rows->count == 0
               ? NULL
               : schema_archetype(rows->batch->schema, rows->archetype.id);
}

// The columns of the table that the rows are in, as it is now; NULL where the rows are no longer
// there, because the world has changed since.
static void *const *rows_columns(const cosm_rows *rows) {
    const struct store *store = cosmi_rows_store(rows);
    const struct table *table = store == NULL ? NULL : store_table(store, rows->world);
    uint64_t end = (uint64_t)rows->row + rows->count;
    bool is_there = table != NULL && (rows->world_count > 1 || end <= store->counts[rows->world]);
    return is_there ? table->columns : NULL;
}

// The slot of a component that has bytes in these rows, or NULL.
static const struct column_slot *rows_slot(const cosm_rows *rows, cosm_component component,
                                           bool write, const char *call) {
    const struct archetype *archetype = rows_archetype(rows);
    const struct column_slot *slot =
        archetype == NULL ? NULL : archetype_find(archetype, component.id);
    if (slot == NULL || slot->column == 0 || rows_columns(rows) == NULL) {
        return NULL;
    }
    cosmi_check_component(rows->batch, rows->world, component.id, write, call);
    cosmi_check_cell(rows->batch, rows->world, archetype, rows->row, component.id, write, call);
    return slot;
}

// Values of these rows are open to being written, unless the query or the system has the component
// for reading only, or marks itself what it writes.
static void open_values(const cosm_rows *rows, uint32_t component) {
    bool is_named = false;
    bool is_written = false;
    for (uint32_t t = 0; t < rows->term_count; t++) {
        if (rows->terms[t].component == component) {
            is_named = true;
            is_written = is_written || rows->terms[t].access == COSM_ACCESS_WRITE;
        }
    }
    if (is_written || (!is_named && cosmi_may_write(rows->batch, component))) {
        cosmi_run_stamp_component(rows, component, 0, rows->count);
    }
}

bool cosmi_may_write(const struct cosm_batch *batch, uint32_t component) {
    const struct turn *turn = cosmi_turn_now;
    return turn == NULL || turn->open.worlds.batch != batch || turn->system->exclusive ||
           cosmi_access_component(turn->system, component, true);
}

// The column of a component, whatever is done with it.
static void *rows_column_at(const cosm_rows *rows, cosm_component component, const char *call) {
    if (UNLIKELY(cosm_rows_shared(rows, component) != NULL)) {
        return cosmi_refuse_shared(rows->batch, call, component.id, "use cosm_rows_shared");
    }
    // What is done with the column is not known; in the rows at hand a write is found by comparing.
    const struct column_slot *slot = rows_slot(rows, component, false, call);
    if (slot == NULL) {
        return NULL;
    }
    if (slot_is_managed(rows_archetype(rows), slot)) {
        return cosmi_refuse_managed(rows->batch, call, component.id,
                                    "use cosm_managed_row_read or cosm_managed_tickets");
    }
    if (slot_is_apart(slot)) {
        return cosmi_refuse_split(rows->batch, call, component.id,
                                  "use COSM_FIELD_OF or cosm_rows_span");
    }
    return (char *)rows_columns(rows)[slot->column] + rows->first * slot->size;
}

static void *column_of(const cosm_rows *rows, cosm_component component, const char *call) {
    void *column = rows_column_at(rows, component, call);
    if (column != NULL) {
        open_values(rows, component.id);
    }
    return column;
}

void *cosm_rows_column(const cosm_rows *rows, cosm_component component) {
    return column_of(rows, component, "cosm_rows_column");
}

const void *cosm_rows_column_read(const cosm_rows *rows, cosm_component component) {
    return rows_column_at(rows, component, "cosm_rows_column_read");
}

// The field of a component that a slot is of, or NULL.
static const cosm_field *slot_field(const struct schema *schema, const struct column_slot *slot,
                                    uint32_t field) {
    const struct field_list *fields = &schema_component(schema, slot->component)->fields;
    return field < fields->count ? &fields->items[field] : NULL;
}

cosm_span cosm_rows_span(const cosm_rows *rows, cosm_component component, uint32_t field) {
    cosm_span span = cosmi_rows_span(rows, component, field);
    if (span.data != NULL) {
        open_values(rows, component.id);
    }
    return span;
}

cosm_span cosm_rows_span_read(const cosm_rows *rows, cosm_component component, uint32_t field) {
    return cosmi_rows_span(rows, component, field);
}

cosm_span cosmi_rows_span(const cosm_rows *rows, cosm_component component, uint32_t field) {
    const void *shared = cosm_rows_shared(rows, component);
    if (shared != NULL) {
        const struct field_list *fields =
            &schema_component(rows->batch->schema, component.id)->fields;
        // The same one for all rows. The span's pointer is for writing elsewhere; here nobody may.
        return field < fields->count ? (cosm_span){(char *)shared + fields->items[field].offset, 0}
                                     : (cosm_span){NULL, 0};
    }
    const struct column_slot *slot = rows_slot(rows, component, false, "cosm_rows_span");
    const cosm_field *known = slot == NULL ? NULL : slot_field(rows->batch->schema, slot, field);
    if (known == NULL) {
        return (cosm_span){NULL, 0};
    }
    if (slot_is_managed(rows_archetype(rows), slot)) {
        (void)cosmi_refuse_managed(rows->batch, "cosm_rows_span", component.id,
                                   "use cosm_managed_row_read");
        return (cosm_span){NULL, 0};
    }
    if (slot_is_apart(slot)) {
        size_t stride = rows_archetype(rows)->sizes[slot->column + field];
        return (cosm_span){(char *)rows_columns(rows)[slot->column + field] + rows->first * stride,
                           stride};
    }
    return (cosm_span){(char *)rows_columns(rows)[slot->column] + rows->first * slot->size +
                           known->offset,
                       slot->size};
}

// Is this a component beside the tables, and row `i` an entity?
static bool is_beside_row(const cosm_rows *rows, uint32_t i, cosm_component component) {
    if (rows == NULL || i >= rows->count || rows->entities == NULL) {
        return false;
    }
    const struct value_type *type = schema_component(rows->batch->schema, component.id);
    return type != NULL && type->storage == COSM_STORAGE_SECTOR;
}

bool cosm_rows_get(const cosm_rows *rows, uint32_t i, cosm_component component, void *out_value) {
    if (is_beside_row(rows, i, component)) {
        return cosm_entity_get(cosm_rows_world(rows, i), rows->entities[i], component, out_value);
    }
    const void *shared = cosm_rows_shared(rows, component);
    if (shared != NULL && i < rows->count && out_value != NULL) {
        memmove(out_value, shared, schema_component(rows->batch->schema, component.id)->size);
        return true;
    }
    const struct column_slot *slot = rows_slot(rows, component, false, "cosm_rows_get");
    if (slot == NULL || i >= rows->count || out_value == NULL) {
        return false;
    }
    if (slot_is_managed(rows_archetype(rows), slot)) {
        return cosmi_refuse_managed(rows->batch, "cosm_rows_get", component.id,
                                    "look at it with cosm_managed_row_read") != NULL;
    }
    if (slot_is_apart(slot)) {
        cosmi_split_read(rows_archetype(rows), slot, rows_columns(rows), rows->first + i,
                         out_value);
    } else {
        memmove(out_value,
                (const char *)rows_columns(rows)[slot->column] + (rows->first + i) * slot->size,
                slot->size);
    }
    return true;
}

// Has the query of these rows the component for reading only?
static bool is_for_reading(const cosm_rows *rows, cosm_component component) {
    bool found = false;
    for (uint32_t t = 0; t < rows->term_count; t++) {
        if (rows->terms[t].component == component.id) {
            found = true;
            if (rows->terms[t].access != COSM_ACCESS_READ) {
                return false;
            }
        }
    }
    return found;
}

cosm_result cosm_rows_set(const cosm_rows *rows, uint32_t i, cosm_component component,
                          const void *value) {
    static const char call[] = "cosm_rows_set";
    const struct sink *sink = rows == NULL || rows->batch == NULL ? NULL : rows->batch->sink;
    if (rows == NULL || value == NULL) {
        return cosmi_refuse_null(sink, call, rows == NULL ? "rows" : "value", "pass both");
    }
    if (cosm_rows_shared(rows, component) != NULL) {
        (void)cosmi_refuse_shared(rows->batch, call, component.id,
                                  "use cosm_entity_set, or cosm_commands_set during a walk");
        return COSM_ERROR_ARGUMENT;
    }
    bool is_beside = is_beside_row(rows, i, component) &&
                     cosm_entity_has(cosm_rows_world(rows, i), rows->entities[i], component);
    const struct column_slot *slot = is_beside ? NULL : rows_slot(rows, component, true, call);
    if (!is_beside && (slot == NULL || i >= rows->count)) {
        return cosmi_fail(
            sink, COSM_ERROR_ARGUMENT,
            "%s: row %u of %u, component %u of archetype %u: no such row, or no such component "
            "with bytes; check rows->count and cosm_archetype_has",
            call, i, rows->count, component.id, rows->archetype.id);
    }
    if (!is_beside && slot_is_managed(rows_archetype(rows), slot)) {
        return cosmi_object_is_read_only(rows, call, component.id)
                   ? COSM_ERROR_ARGUMENT
                   : cosmi_object_set_run(rows, call, i, component, value);
    }
    if (is_for_reading(rows, component)) {
        return cosmi_fail(sink, COSM_ERROR_ARGUMENT,
                          "%s: the query has component '%s' with COSM_ACCESS_READ; ask for "
                          "COSM_ACCESS_WRITE",
                          call, schema_component(rows->batch->schema, component.id)->name);
    }
    if (is_beside) {
        return cosm_entity_set(cosm_rows_world(rows, i), rows->entities[i], component, value);
    }
    if (slot_is_apart(slot)) {
        cosmi_split_write(rows_archetype(rows), slot, rows_columns(rows), rows->first + i, value);
    } else {
        memmove((char *)rows_columns(rows)[slot->column] + (rows->first + i) * slot->size, value,
                slot->size);
    }
    cosmi_run_stamp_component(rows, component.id, i, 1);
    return COSM_OK;
}

// A field macro met something wrong: `fields` are those of the component where it is split, else
// NULL. Returns NULL.
COLD static void *refuse_field(const cosm_rows *rows, const char *call, uint32_t component,
                               const struct field_list *fields, uint32_t field, size_t size) {
    const char *name =
        cosm_component_describe(rows->batch->engine, (cosm_component){component}).name;
    if (fields == NULL) {
        (void)cosmi_fail(
            rows->batch->sink, COSM_ERROR_ARGUMENT,
            "%s: component '%s' is not split in archetype %u; use COSM_COLUMN_READ and _WRITE, "
            "cosm_rows_span, or define it with COSM_LAYOUT_SPLIT",
            call, name, rows->archetype.id);
    } else if (field >= fields->count) {
        (void)cosmi_fail(
            rows->batch->sink, COSM_ERROR_ARGUMENT,
            "%s: component '%s' has %u fields, so there is no field %u; count from 0, or use the "
            "names that cosm-gen writes",
            call, name, fields->count, field);
    } else {
        (void)cosmi_fail(rows->batch->sink, COSM_ERROR_ARGUMENT,
                         "%s: field '%s' of component '%s' has %u scalars of %u bytes and %u "
                         "bytes of padding, but the type in the call has %zu bytes; use the type "
                         "of the whole field or, without padding, of the scalar",
                         call, fields->items[field].name, name,
                         cosm_field_element_count(&fields->items[field]),
                         fields->columns[field].scalar_size, fields->items[field].padding, size);
    }
    return NULL;
}

void *cosm_rows_field_sized(const cosm_rows *rows, cosm_component component, uint32_t field,
                            size_t size) {
    static const char call[] = "COSM_FIELD_OF";
    const struct column_slot *slot = rows_slot(rows, component, false, call);
    if (slot == NULL) {
        return NULL;
    }
    const struct field_list *fields =
        &schema_component(rows->batch->schema, slot->component)->fields;
    bool is_split = slot_is_split(rows_archetype(rows), slot);
    if (!is_split || field >= fields->count ||
        !cosm_field_column_fits(&fields->columns[field], size)) {
        return refuse_field(rows, call, component.id, is_split ? fields : NULL, field, size);
    }
    open_values(rows, component.id);
    return (char *)rows_columns(rows)[slot->column + field] +
           rows->first * fields->columns[field].stride;
}

// The term that a macro names, or NULL with a message.
static const cosm_term_info *macro_term(const cosm_rows *rows, const char *call, uint32_t index) {
    if (index < rows->term_count) {
        return &rows->terms[index];
    }
    (void)cosmi_fail(rows->batch == NULL ? NULL : rows->batch->sink, COSM_ERROR_ARGUMENT,
                     "%s: index %u is not a term: the query has %u terms; for spawned rows use "
                     "COSM_WRITE or COSM_FIELD_OF",
                     call, index, rows->term_count);
    return NULL;
}

COLD static void *refuse_read_term(const cosm_rows *rows, const char *call, uint32_t index) {
    (void)cosmi_fail(
        rows->batch->sink, COSM_ERROR_ARGUMENT,
        "%s: term %u, component '%s', has COSM_ACCESS_READ; use the macro that ends in _READ, or "
        "ask for COSM_ACCESS_WRITE in the query",
        call, index,
        cosm_component_describe(rows->batch->engine, (cosm_component){rows->terms[index].component})
            .name);
    return NULL;
}

COLD static void *refuse_no_rows(const cosm_rows *rows, const char *call) {
    (void)cosmi_fail(rows->batch->sink, COSM_ERROR_ARGUMENT,
                     "%s: the walk has no current rows: it has not started, or has ended; call it "
                     "after cosm_rows_next has returned true",
                     call);
    return NULL;
}

void *cosm_rows_refuse_field(const cosm_rows *rows, uint32_t index, uint32_t field, size_t size,
                             bool write) {
    const char *call = write ? "COSM_FIELD_WRITE" : "COSM_FIELD_READ";
    const cosm_term_info *term = macro_term(rows, call, index);
    const struct archetype *archetype = term == NULL ? NULL : rows_archetype(rows);
    if (term != NULL && archetype == NULL) {
        return refuse_no_rows(rows, call);
    }
    const struct column_slot *slot =
        archetype == NULL ? NULL : archetype_find(archetype, term->component);
    if (slot == NULL && (term == NULL || term->kind != COSM_TERM_WITH)) {
        return NULL; // told, or absent
    }
    const struct value_type *type = schema_component(rows->batch->schema, term->component);
    if (type == NULL || slot == NULL || !slot_is_split(archetype, slot)) {
        return refuse_field(rows, call, term->component, NULL, field, size);
    }
    if (field < type->fields.count && write && term->access == COSM_ACCESS_READ) {
        return refuse_read_term(rows, call, index);
    }
    return refuse_field(rows, call, term->component, &type->fields, field, size);
}

cosm_result cosm_query_despawn(const cosm_query *query, cosm_worlds worlds) {
    static const char call[] = "cosm_query_despawn";
    if (!query_fits(query, worlds)) {
        return refuse_query(query, worlds, call);
    }
    cosm_result result = cosmi_check_changes(worlds, call);
    if (result == COSM_OK && query->is_filtered) {
        struct array_change change = {.call = call, .kind = COMMAND_DESPAWN};
        return cosmi_change_rows(query, worlds, &change);
    }
    if (result == COSM_OK && worlds.batch->events != NULL) {
        result = cosmi_bulk_reserve_despawn(query, worlds, call);
    }
    if (result == COSM_OK) {
        cosmi_bulk_despawn(query, worlds);
        cosmi_deliver_worlds(worlds, call);
    }
    return result;
}

static bool has_sector(const struct schema *schema, const struct bulk_change *change) {
    for (uint32_t i = 0; i < change->component_count; i++) {
        if (schema_component(schema, change->components[i])->storage == COSM_STORAGE_SECTOR) {
            return true;
        }
    }
    return false;
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
    if (change.components == NULL) {
        return COSM_ERROR_ARGUMENT;
    }
    if (query->is_filtered || has_sector(worlds.batch->schema, &change)) {
        static const enum command_kind kinds[] = {
            [BULK_ADD] = COMMAND_ADD, [BULK_REMOVE] = COMMAND_REMOVE, [BULK_SET] = COMMAND_SET};
        struct array_change rows = {.call = call,
                                    .component = component,
                                    .kind = kinds[kind],
                                    .values = value,
                                    .value_type =
                                        schema_component(worlds.batch->schema, component.id)};
        return cosmi_change_rows(query, worlds, &rows);
    }
    result = cosmi_bulk_change(query, worlds, &change);
    cosmi_deliver_worlds(worlds, call);
    return result;
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
    if (type->storage == COSM_STORAGE_MANAGED) {
        // Objects do not move, and all copies are made before the first one ends.
        return change_all(query, worlds, component, BULK_SET, value, call);
    }
    if (!cosmi_value_keep(worlds.batch, call, value, type->size, &kept)) {
        return COSM_ERROR_MEMORY;
    }
    cosm_result result = change_all(query, worlds, component, BULK_SET, kept.bytes, call);
    cosmi_value_give(worlds.batch, &kept);
    return result;
}

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
