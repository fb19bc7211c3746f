// The public calls of cosm/archetype.h.
#include <cosm/archetype.h>

#include "api/managed.h"
#include "query/changed.h"
#include "query/walk.h"
#include "run/checks.h"
#include "run/observer.h"
#include "store/shared.h"
#include "store/sort.h"

// The store of a table that has been used, or NULL.
static const struct store *table_store(cosm_world world, cosm_archetype archetype) {
    return world_exists(world) && archetype.id < PAGED_MAX ? batch_store(world.batch, archetype.id)
                                                           : NULL;
}

// The tables of an archetype in a world, one for each group of shared values; NULL at the end.
static const struct store *first_table(cosm_world world, cosm_archetype archetype) {
    const struct store *store = table_store(world, archetype);
    return store == NULL ? NULL : cosmi_shared_table(store, world.index, NULL);
}

static const struct store *next_table(cosm_world world, const struct store *table) {
    const struct store *base = batch_known_store(world.batch, table->archetype->id);
    return cosmi_shared_table(base, world.index, table);
}

uint32_t cosm_table_row_count(cosm_world world, cosm_archetype archetype) {
    uint32_t count = 0;
    const struct store *table = first_table(world, archetype);
    for (; table != NULL; table = next_table(world, table)) {
        count += table->counts[world.index];
    }
    return count;
}

cosm_table_info cosm_table_describe(cosm_world world, cosm_archetype archetype) {
    cosm_table_info info = {0, 0, 0};
    const struct store *table = first_table(world, archetype);
    for (; table != NULL; table = next_table(world, table)) {
        uint32_t chunk_rows = table->archetype->chunk_rows;
        info.row_count += table->counts[world.index];
        info.capacity += store_capacity(table, world.index);
        info.chunk_count += (table->counts[world.index] + chunk_rows - 1) / chunk_rows;
    }
    return info;
}

// An archetype with shared components has no one table: says so. Returns NULL.
COLD static void *refuse_groups(cosm_world world, const struct store *store, const char *call) {
    (void)cosmi_fail(world.batch->sink, COSM_ERROR_ARGUMENT,
                     "%s: archetype %u '%s' has shared components and therefore one table per "
                     "value; walk a query",
                     call, store->archetype->id, store->archetype->name);
    return NULL;
}

// The rows of a table as a run; of none where there is no such table.
static cosm_rows table_rows(cosm_world world, cosm_archetype archetype) {
    const struct store *store = table_store(world, archetype);
    cosm_rows rows = {.count = 0};
    if (store != NULL) {
        cosmi_rows_show(&rows, world, store, 0, store->counts[world.index]);
    }
    return rows;
}

// The slot of a component with bytes in a table with rows, or NULL.
static const struct column_slot *table_slot(cosm_world world, const struct store *store,
                                            cosm_component component, const char *call) {
    if (store != NULL && store->group_lists != NULL) {
        return refuse_groups(world, store, call);
    }
    const struct column_slot *slot = store == NULL || store->counts[world.index] == 0
                                         ? NULL
                                         : archetype_find(store->archetype, component.id);
    if (slot == NULL || slot->column == 0) {
        return NULL;
    }
    cosmi_check_component(world.batch, world.index, component.id, false, call);
    cosmi_check_cell(world.batch, world.index, store->archetype, ROW_ANY, component.id, false,
                     call);
    return slot;
}

// The base of a column, whatever is done with it.
static void *table_column(cosm_world world, cosm_archetype archetype, cosm_component component,
                          const char *call) {
    const struct store *store = table_store(world, archetype);
    const struct column_slot *slot = table_slot(world, store, component, call);
    if (slot == NULL) {
        return NULL;
    }
    if (slot_is_managed(store->archetype, slot)) {
        return cosmi_refuse_managed(world.batch, call, component.id, "use cosm_loc_read");
    }
    if (slot_is_apart(slot)) {
        return cosmi_refuse_split(world.batch, call, component.id, "use cosm_table_span");
    }
    return store_cell(store, store_table(store, world.index), world.index, slot->column, 0,
                      slot->size);
}

// All values of a column are open to being written, unless the system at hand may not write them.
static void open_column(cosm_world world, cosm_archetype archetype, cosm_component component) {
    const struct store *store = table_store(world, archetype);
    if ((store_sides(store) & SIDE_TICKS) != 0 && cosmi_may_write(world.batch, component.id)) {
        cosmi_change_set(world, store, component.id, 0, store->counts[world.index]);
    }
}

void *cosm_table_column(cosm_world world, cosm_archetype archetype, cosm_component component) {
    void *column = table_column(world, archetype, component, "cosm_table_column");
    if (column != NULL) {
        open_column(world, archetype, component);
    }
    return column;
}

const void *cosm_table_column_read(cosm_world world, cosm_archetype archetype,
                                   cosm_component component) {
    return table_column(world, archetype, component, "cosm_table_column_read");
}

cosm_span cosm_table_span_read(cosm_world world, cosm_archetype archetype, cosm_component component,
                               uint32_t field) {
    if (table_slot(world, table_store(world, archetype), component, "cosm_table_span") == NULL) {
        return (cosm_span){NULL, 0};
    }
    cosm_rows rows = table_rows(world, archetype);
    return cosmi_rows_span(&rows, component, field);
}

cosm_span cosm_table_span(cosm_world world, cosm_archetype archetype, cosm_component component,
                          uint32_t field) {
    cosm_span span = cosm_table_span_read(world, archetype, component, field);
    if (span.data != NULL) {
        open_column(world, archetype, component);
    }
    return span;
}

const cosm_entity *cosm_table_entities(cosm_world world, cosm_archetype archetype) {
    const struct store *store = table_store(world, archetype);
    if (store != NULL && store->group_lists != NULL) {
        return refuse_groups(world, store, "cosm_table_entities");
    }
    if (store == NULL || store->counts[world.index] == 0 || store->archetype->temporary) {
        return NULL;
    }
    const void *cells = store_cell(store, store_table(store, world.index), world.index,
                                   ENTITY_COLUMN, 0, sizeof(cosm_entity));
    return cells;
}

cosm_memory cosm_table_memory(cosm_world world, cosm_archetype archetype) {
    cosm_memory memory = {0, 0, 0};
    const struct store *table = first_table(world, archetype);
    for (; table != NULL; table = next_table(world, table)) {
        const struct archetype *known = table->archetype;
        size_t row_bytes = known->row_size - known->columns[ENTITY_COLUMN].size;
        memory.used += cosmi_store_used(&world.batch->memory, table, world.index);
        memory.live += table->counts[world.index] * row_bytes;
    }
    return memory;
}

cosm_memory cosm_table_column_memory(cosm_world world, cosm_archetype archetype,
                                     cosm_component component) {
    cosm_memory memory = {0, 0, 0};
    const struct store *table = first_table(world, archetype);
    const struct column_slot *slot =
        table == NULL ? NULL : archetype_find(table->archetype, component.id);
    if (slot == NULL || slot->column == 0) {
        return memory;
    }
    const struct column_info *infos = &table->archetype->columns[slot->column];
    for (; table != NULL; table = next_table(world, table)) {
        for (uint32_t p = 0; p == 0 || p < infos->part_count; p++) {
            memory.used +=
                cosmi_store_column_used(&world.batch->memory, table, world.index, slot->column + p);
            memory.live += (size_t)table->counts[world.index] * infos[p].size;
        }
    }
    return memory;
}

// The checks of the calls that change a table; *out_store is NULL where it was never used.
static cosm_result check_table(cosm_world world, cosm_archetype archetype, const char *call,
                               struct store **out_store) {
    *out_store = NULL;
    cosm_result result = check_change(world, call);
    if (result != COSM_OK) {
        return result;
    }
    if (schema_archetype(world.batch->schema, archetype.id) == NULL) {
        return cosmi_refuse_archetype(world.batch, call, archetype);
    }
    *out_store = batch_store(world.batch, archetype.id);
    return COSM_OK;
}

cosm_result cosm_table_clear(cosm_world world, cosm_archetype archetype) {
    static const char call[] = "cosm_table_clear";
    struct store *store;
    cosm_result result = check_table(world, archetype, call, &store);
    const struct store *first = result == COSM_OK ? first_table(world, archetype) : NULL;
    struct event_need need = {0, 0, 0, 0};
    for (const struct store *t = first; t != NULL; t = next_table(world, t)) {
        cosmi_event_need_end(&need, world.batch, t->archetype, t->counts[world.index], 1);
    }
    if (first != NULL && world.batch->events != NULL) {
        result = cosmi_event_reserve(world, call, &need);
    }
    for (; result == COSM_OK && first != NULL; first = next_table(world, first)) {
        cosmi_rows_clear(world, (struct store *)first);
    }
    if (result == COSM_OK) {
        deliver_events(world, call);
        world_settle(world);
    }
    return result;
}

// What the key of a row is made from. Of a split component each value is put together in
// `gathered`.
struct key_source {
    cosm_table_key_fn *key;
    void *context;
    const cosm_entity *entities;
    const char *cells;
    size_t size;
    size_t offset;
    void *gathered;
    cosm_component component;
    const cosm_rows *rows;
    const cosm_ticket *tickets; // of a managed component, and where its objects are
    const struct managed_list *objects;
};

static uint64_t key_by_function(const void *context, uint32_t row) {
    const struct key_source *source = context;
    cosm_entity entity = source->entities == NULL ? COSM_ENTITY_NONE : source->entities[row];
    const void *value = source->cells == NULL ? NULL : source->cells + row * source->size;
    if (source->gathered != NULL) {
        (void)cosm_rows_get(source->rows, row, source->component, source->gathered);
        value = source->gathered;
    }
    if (source->tickets != NULL) {
        value = managed_object(source->objects, source->tickets[row].id);
    }
    return source->key(source->context, entity, value);
}

static uint64_t key_by_u32(const void *context, uint32_t row) {
    const struct key_source *source = context;
    uint32_t key;
    memcpy(&key, source->cells + row * source->size + source->offset, sizeof(key));
    return key;
}

static cosm_result refuse_sort_component(cosm_world world, cosm_archetype archetype,
                                         const char *call, cosm_component component) {
    const struct value_type *type = cosmi_check_plain(world.batch, call, component);
    if (type == NULL) {
        return COSM_ERROR_ARGUMENT;
    }
    return cosmi_fail(world.batch->sink, COSM_ERROR_ARGUMENT,
                      "%s: archetype %u '%s' has no column of component '%s'; sort by one that it "
                      "has",
                      call, archetype.id, schema_archetype(world.batch->schema, archetype.id)->name,
                      type->name);
}

static void sort_rows(cosm_world world, struct store *store, row_key_fn *key,
                      const struct key_source *source, struct sort_scratch *scratch) {
    // The key function is the caller's: while it runs, the world is being walked.
    struct world *inner = &world.batch->worlds[world.index];
    uint32_t walks = atomic_load_explicit(&inner->walks, memory_order_relaxed);
    atomic_store_explicit(&inner->walks, walks + 1, memory_order_relaxed);
    cosmi_rows_sort(world, store, key, source, scratch);
    atomic_store_explicit(&inner->walks, walks, memory_order_relaxed);
}

// Takes the memory for sorting all tables of an archetype, before the first one is changed.
static cosm_result begin_sorts(cosm_world world, cosm_archetype archetype,
                               struct sort_scratch *scratch, const char *call) {
    uint32_t most = 0;
    const struct store *table = first_table(world, archetype);
    for (; table != NULL; table = next_table(world, table)) {
        most = table->counts[world.index] > most ? table->counts[world.index] : most;
    }
    struct memory *memory = &world.batch->memory;
    const struct archetype *known = schema_archetype(world.batch->schema, archetype.id);
    return cosmi_sort_begin(scratch, memory, known, most)
               ? COSM_OK
               : cosmi_fail_memory(world.batch->sink, memory, call);
}

// The column that is sorted by; the archetype is known to be defined.
static const struct column_slot *sort_slot(cosm_world world, cosm_archetype archetype,
                                           cosm_component component) {
    const struct column_slot *slot =
        archetype_find(schema_archetype(world.batch->schema, archetype.id), component.id);
    return slot == NULL || slot->column == 0 ? NULL : slot;
}

// Sorts one table by the caller's function; `slot` is NULL where it sees no values.
static void sort_table(cosm_world world, struct store *store, const struct column_slot *slot,
                       struct key_source *source, struct sort_scratch *scratch) {
    const struct table *table = store_table(store, world.index);
    if (!store->archetype->temporary) {
        source->entities = (const cosm_entity *)(const void *)store_cell(
            store, table, world.index, ENTITY_COLUMN, 0, sizeof(cosm_entity));
    }
    if (slot != NULL && slot_is_managed(store->archetype, slot)) {
        source->tickets = ticket_cell(store, world.index, slot->column, 0);
        source->objects =
            managed_find(world.batch, world.index, slot_managed(store->archetype, slot));
    } else if (slot != NULL && !slot_is_split(store->archetype, slot)) {
        source->size = slot->size;
        source->cells = store_cell(store, table, world.index, slot->column, 0, slot->size);
    }
    cosm_rows rows = {.count = 0};
    cosmi_rows_show(&rows, world, store, 0, store->counts[world.index]);
    source->rows = &rows;
    sort_rows(world, store, key_by_function, source, scratch);
}

// Sorts all tables; of a split component the key function sees values that are put together.
static cosm_result sort_tables(cosm_world world, cosm_archetype archetype,
                               const struct column_slot *slot, const struct key_source *source,
                               const char *call) {
    const struct archetype *known = schema_archetype(world.batch->schema, archetype.id);
    struct memory *memory = &world.batch->memory;
    bool is_split = slot != NULL && slot_is_split(known, slot);
    size_t size = is_split ? slot_value_size(known, slot) : 0;
    size_t alignment =
        is_split ? schema_component(world.batch->schema, slot->component)->alignment : 16;
    alignment = alignment < 16 ? 16 : alignment;
    void *gathered = is_split ? cosmi_memory_alloc(memory, size, alignment) : NULL;
    if (is_split && gathered == NULL) {
        return cosmi_fail_memory(world.batch->sink, memory, call);
    }
    struct sort_scratch scratch;
    cosm_result result = begin_sorts(world, archetype, &scratch, call);
    const struct store *table = result == COSM_OK ? first_table(world, archetype) : NULL;
    for (; table != NULL; table = next_table(world, table)) {
        struct key_source one = *source;
        one.gathered = gathered;
        if (table->counts[world.index] > 0) {
            sort_table(world, (struct store *)table, slot, &one, &scratch);
        }
    }
    if (result == COSM_OK) {
        cosmi_sort_end(&scratch);
    }
    cosmi_memory_free(memory, gathered, size, alignment);
    return result;
}

cosm_result cosm_table_sort(cosm_world world, cosm_archetype archetype, cosm_component component,
                            cosm_table_key_fn *key, void *context) {
    static const char call[] = "cosm_table_sort";
    struct store *store;
    cosm_result result = check_table(world, archetype, call, &store);
    if (result != COSM_OK) {
        return result;
    }
    if (key == NULL) {
        return cosmi_refuse_null(world.batch->sink, call, "key", "pass a key function");
    }
    const struct column_slot *slot = sort_slot(world, archetype, component);
    if (component.id != 0 && slot == NULL) {
        return refuse_sort_component(world, archetype, call, component);
    }
    if (slot != NULL) {
        cosmi_check_component(world.batch, world.index, component.id, false, call);
    }
    struct key_source source = {.key = key, .context = context, .component = component};
    return sort_tables(world, archetype, slot, &source, call);
}

// The column in which the four bytes from `offset` on lie, or 0.
static uint32_t column_of_u32(const struct archetype *archetype, const struct column_slot *slot,
                              size_t offset) {
    const struct column_info *infos = &archetype->columns[slot->column];
    for (uint32_t p = 0; p == 0 || p < infos->part_count; p++) {
        if (offset >= infos[p].offset && infos[p].size >= sizeof(uint32_t) &&
            offset - infos[p].offset <= infos[p].size - sizeof(uint32_t)) {
            return slot->column + p;
        }
    }
    return 0;
}

cosm_result cosm_table_sort_u32(cosm_world world, cosm_archetype archetype,
                                cosm_component component, size_t offset) {
    static const char call[] = "cosm_table_sort_u32";
    struct store *store;
    cosm_result result = check_table(world, archetype, call, &store);
    if (result != COSM_OK) {
        return result;
    }
    const struct column_slot *slot = sort_slot(world, archetype, component);
    if (slot == NULL) {
        return refuse_sort_component(world, archetype, call, component);
    }
    const struct archetype *known = schema_archetype(world.batch->schema, archetype.id);
    if (slot_is_managed(known, slot)) {
        (void)cosmi_refuse_managed(world.batch, call, component.id,
                                   "use cosm_table_sort, whose key function sees them");
        return COSM_ERROR_ARGUMENT;
    }
    uint32_t column = column_of_u32(known, slot, offset);
    if (column == 0) {
        return cosmi_fail(world.batch->sink, COSM_ERROR_ARGUMENT,
                          "%s: offset %zu leaves no room for a uint32_t in component '%s' of %u "
                          "bytes; use offsetof of the field",
                          call, offset, schema_component(world.batch->schema, component.id)->name,
                          slot_value_size(known, slot));
    }
    const struct column_info *info = &known->columns[column];
    struct sort_scratch scratch;
    result = begin_sorts(world, archetype, &scratch, call);
    const struct store *table = result == COSM_OK ? first_table(world, archetype) : NULL;
    for (; table != NULL; table = next_table(world, table)) {
        struct key_source source = {.offset = offset - info->offset, .size = info->size};
        if (table->counts[world.index] > 0) {
            source.cells = store_cell(table, store_table(table, world.index), world.index, column,
                                      0, info->size);
            sort_rows(world, (struct store *)table, key_by_u32, &source, &scratch);
        }
    }
    if (result == COSM_OK) {
        cosmi_sort_end(&scratch);
    }
    return result;
}
