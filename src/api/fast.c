// The public calls of cosm/fast.h.
#include <cosm/fast.h>

#include "api/managed.h"
#include "run/checks.h"
#include "store/change.h"

_Static_assert(sizeof(cosm_lookup_record) == sizeof(struct record) &&
                   offsetof(cosm_lookup_record, gen) == offsetof(struct record, gen) &&
                   offsetof(cosm_lookup_record, table) == offsetof(struct record, table) &&
                   offsetof(cosm_lookup_record, row) == offsetof(struct record, row),
               "the public picture of a record is true");

void cosm_lookup_begin(cosm_world world, cosm_component component, cosm_lookup *out_lookup) {
    static const char call[] = "cosm_lookup_begin";
    if (out_lookup == NULL) {
        const struct sink *sink = world_exists(world) ? world.batch->sink : NULL;
        (void)cosmi_refuse_null(sink, call, "out_lookup", "pass a cosm_lookup to fill");
        return;
    }
    memset(out_lookup, 0, sizeof(*out_lookup));
    if (!world_exists(world)) {
        (void)cosmi_refuse_world(world, call);
        return;
    }
    const struct value_type *type = cosmi_check_plain(world.batch, call, component);
    if (type == NULL) {
        return;
    }
    if (type->storage == COSM_STORAGE_SECTOR) {
        (void)cosmi_fail(world.batch->sink, COSM_ERROR_ARGUMENT,
                         "%s: component '%s' has COSM_STORAGE_SECTOR and no column to look up; use "
                         "cosm_entity_read, or cosm_container_find in its cosm_sector_container",
                         call, type->name);
        return;
    }
    cosmi_check_component(world.batch, world.index, component.id, false, call);
    const struct world *inner = &world.batch->worlds[world.index];
    out_lookup->records = (const cosm_lookup_record *)(const void *)inner->records;
    out_lookup->record_count = inner->used;
    out_lookup->size = type->size;
    out_lookup->world = world;
    out_lookup->component = component;
    // No table has the number 0, so empty slots match nothing.
}

char *cosm_lookup_meet(cosm_lookup *lookup, uint32_t table) {
    cosm_world world = lookup->world;
    const struct store *store = world_store(world.batch, world.index, table);
    const struct column_slot *column = store_find(store, lookup->component.id);
    cosmi_check_cell(world.batch, world.index, store->archetype, ROW_ANY, lookup->component.id,
                     false, "cosm_lookup_read");
    cosm_lookup_slot *slot = &lookup->slots[table & (COSM_LOOKUP_SLOT_COUNT - 1)];
    slot->table = table;
    slot->base = NULL;
    slot->is_tracked =
        column != NULL && store->ticks != NULL && store->ticks->numbers[column->column] != 0;
    if (column != NULL && slot_is_managed(store->archetype, column)) {
        (void)cosmi_refuse_managed(world.batch, "cosm_lookup_read", lookup->component.id,
                                   "use cosm_entity_read");
    } else if (column != NULL && slot_is_split(store->archetype, column)) {
        (void)cosmi_refuse_split(world.batch, "cosm_lookup_read", lookup->component.id,
                                 "copy it with cosm_entity_get and cosm_entity_set");
    } else if (column != NULL && store->archetype->shared_count > 0 && column->column == 0 &&
               lookup->size > 0) {
        (void)cosmi_fail(world.batch->sink, COSM_ERROR_ARGUMENT,
                         "cosm_lookup_read: component '%s' is shared: a table has one value of it, "
                         "not one per row; use cosm_entity_read",
                         schema_component(world.batch->schema, lookup->component.id)->name);
    } else if (column != NULL && column->size > 0) {
        slot->base = store_cell(store, store_table(store, world.index), world.index, column->column,
                                0, column->size);
    }
    return slot->base;
}

void cosm_lookup_stamp(const cosm_lookup *lookup, cosm_entity entity) {
    cosm_world world = lookup->world;
    const struct record *record = &world_data(world)->records[entity.id];
    const struct store *store = world_store(world.batch, world.index, record->table);
    cosmi_change_set(world, store, lookup->component.id, record->row, 1);
}

void *cosm_lookup_refuse(const cosm_lookup *lookup, size_t size) {
    if (lookup->world.batch != NULL) {
        const struct value_type *type =
            schema_component(lookup->world.batch->schema, lookup->component.id);
        (void)cosmi_refuse_size(lookup->world.batch, "COSM_LOOKUP_READ or _WRITE", "component",
                                type->name, type->size, size);
    }
    return NULL;
}
