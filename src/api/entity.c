// The public calls of cosm/entity.h that make and unmake entities. Changes are in entity_change.c,
// access is in access.c.
#include <cosm/entity.h>

#include "api/beside.h"
#include "api/managed.h"
#include "query/walk.h"
#include "run/checks.h"
#include "run/observer.h"
#include "store/sector_set.h"
#include "store/shared.h"

// The archetype of a spawn; NULL with a message.
static struct archetype *spawn_archetype(cosm_world world, cosm_archetype archetype,
                                         const char *call) {
    struct archetype *known = schema_archetype(world.batch->schema, archetype.id);
    if (known == NULL) {
        (void)cosmi_refuse_archetype(world.batch, call, archetype);
    }
    return known;
}

COLD static cosm_result refuse_temporary_spawn(const struct cosm_batch *batch, const char *call,
                                               const struct archetype *archetype) {
    return cosmi_fail(batch->sink, COSM_ERROR_ARGUMENT,
                      "%s: archetype %u '%s' is temporary: its rows have no handles; add rows with "
                      "cosm_entity_spawn_many or cosm_commands_emit",
                      call, archetype->id, archetype->name);
}

// Sets the columns of one new row to their defaults, but for those in `given` (a bit each).
static void fill_row(const struct archetype *archetype, const struct table *table, size_t at,
                     uint64_t given) {
    for (uint32_t c = 1; c < archetype->column_count; c++) {
        if (((given >> (c & 63)) & 1) != 0) {
            continue;
        }
        const struct column_info *info = &archetype->columns[c];
        char *cell = (char *)table->columns[c] + at * info->size;
        if (info->default_value != NULL) {
            copy_value(cell, info->default_value, info->size);
        } else {
            clear_value(cell, info->size);
        }
    }
}

// The columns of a split component, a bit each.
static uint64_t part_bits(const struct archetype *archetype, const struct column_slot *slot) {
    uint64_t bits = 0;
    for (uint32_t p = 0; p < archetype->columns[slot->column].part_count; p++) {
        bits |= (uint64_t)1 << ((slot->column + p) & 63);
    }
    return bits;
}

// Writes values to a row that is not in use yet, and notes their columns; false when something is
// wrong with one of them.
static inline bool write_values(const struct store *store, void *const *columns, size_t at,
                                const cosm_value *values, uint32_t value_count, uint64_t *given) {
    struct column_map map = store->map;
    for (uint32_t i = 0; i < value_count; i++) {
        const struct column_slot *slot = column_map_find(&map, values[i].component.id);
        if (UNLIKELY(slot == NULL || (values[i].data == NULL && slot->column > 0))) {
            return false;
        }
        size_t size = slot->size;
        if (LIKELY(size > 0)) {
            *given |= (uint64_t)1 << (slot->column & 63);
            copy_in((char *)columns[slot->column] + at * size, values[i].data, size);
        } else if (slot->column > 0) {
            *given |= part_bits(store->archetype, slot);
            cosmi_split_write(store->archetype, slot, columns, at, values[i].data);
        }
    }
    return true;
}

// The usual case of the above: one value for each column, in the order of the columns. No look-up,
// and nothing left to fill. False, with some of the row written, when it is not the case.
static inline bool write_all_values(const struct archetype *archetype, void *const *columns,
                                    size_t at, const cosm_value *values, uint32_t value_count) {
    if (value_count + 1 != archetype->column_count || UNLIKELY(archetype->has_split)) {
        return false;
    }
    const struct column_info *infos = archetype->columns + 1;
    for (uint32_t i = 0; i < value_count; i++) {
        if (UNLIKELY(values[i].component.id != infos[i].component || values[i].data == NULL)) {
            return false;
        }
        size_t size = infos[i].size;
        copy_in((char *)columns[i + 1] + at * size, values[i].data, size);
    }
    return true;
}

// Can a row and an id be had at once?
static inline bool has_room_for_one(cosm_world world, const struct store *store) {
    return store->counts[world.index] < store_capacity(store, world.index) &&
           directory_is_ready(world_data(world));
}

// Writes values and sets the columns that got none to their defaults; false as above.
APART static bool write_some_values(const struct store *store, const struct table *table, size_t at,
                                    const cosm_value *values, uint32_t value_count) {
    const struct archetype *archetype = store->archetype;
    uint32_t column_count = archetype->column_count;
    if (column_count > 64) { // more than `given` has bits
        fill_row(archetype, table, at, 0);
    }
    uint64_t given = 1;
    if ((value_count > 0 && values == NULL) ||
        !write_values(store, table->columns, at, values, value_count, &given)) {
        return false;
    }
    uint64_t all = ~(uint64_t)0 >> (-column_count & 63);
    if (given != all && column_count <= 64) {
        fill_row(archetype, table, at, given);
    }
    return true;
}

// Some values were not for the table: if all is well with them, they are for sectors, which get
// theirs before the entity is there. False, with a message and nothing left, when something is
// wrong.
COLD static bool write_beside(cosm_world world, const struct store *store, size_t at,
                              const cosm_value *values, uint32_t value_count, const char *call) {
    if (cosmi_check_values(world.batch, call, store->archetype, values, value_count) != COSM_OK) {
        return false;
    }
    const struct table *table = store_table(store, world.index);
    fill_row(store->archetype, table, at, 0);
    for (uint32_t i = 0; i < value_count; i++) {
        uint64_t given = 0;
        // One for a sector is passed over.
        (void)write_values(store, table->columns, at, &values[i], 1, &given);
    }
    return cosmi_beside_spawn(world, values, value_count, call);
}

// Spawns one where there is room. The row is filled before it is in use, so that a bad value leaves
// everything as it was.
static inline cosm_entity spawn_row(cosm_world world, struct store *store, const cosm_value *values,
                                    uint32_t value_count, const char *call) {
    const struct archetype *archetype = store->archetype;
    uint32_t table_id = store->id;
    struct world *data = world_data(world);
    uint32_t *count = &store->counts[world.index];
    struct table *table = store_table(store, world.index);
    uint32_t row = *count;
    size_t at = store_first(store, world.index) + row;
    cosm_entity *cell = (cosm_entity *)table->columns[ENTITY_COLUMN] + at;
    table_touch(store, table, row);
    if (values == NULL || !write_all_values(archetype, table->columns, at, values, value_count)) {
        if (UNLIKELY(!write_some_values(store, table, at, values, value_count) &&
                     !write_beside(world, store, at, values, value_count, call))) {
            return COSM_ENTITY_NONE;
        }
    }
    cosm_entity entity = rows_append_one(data, count, cell, table_id, row);
    if (UNLIKELY(store_sides(store) != 0)) {
        cosmi_side_spawned(world, store, row, 1);
        if (world.batch->events != NULL) {
            cosmi_beside_notify(world, entity, values, value_count);
        }
    }
    return entity;
}

// Room for what observers are told of new rows with values. They may also be for sectors.
static cosm_result reserve_spawn(cosm_world world, const char *call, const struct store *store,
                                 uint32_t count, const cosm_value *values, uint32_t value_count) {
    struct event_need need = {0, 0, 0, 0};
    if (world.batch->events == NULL) {
        return COSM_OK;
    }
    cosmi_event_need(&need, NULL, store->archetype, count, 1);
    for (uint32_t i = 0; i < value_count; i++) {
        const struct value_type *type =
            schema_component(world.batch->schema, values[i].component.id);
        cosmi_event_need_set(&need, store->archetype, count, 1);
        cosmi_event_need_sector(&need, world.batch, type, 3);
    }
    return cosmi_event_reserve(world, call, &need);
}

// Makes room for one row, and for what observers are told, and spawns it there. Values that lie in
// rows of the same table would move with it, so they are kept aside.
static cosm_entity spawn_kept(cosm_world world, struct archetype *archetype,
                              const cosm_value *values, uint32_t value_count, const char *call) {
    struct cosm_batch *batch = world.batch;
    struct store *store = cosmi_shared_store(world, call, archetype, NULL, values, value_count);
    if (store != NULL && reserve_spawn(world, call, store, 1, values, value_count) != COSM_OK) {
        world_settle(world);
        return COSM_ENTITY_NONE;
    }
    if (store != NULL && has_room_for_one(world, store)) {
        cosm_entity entity = spawn_row(world, store, values, value_count, call);
        world_settle(world);
        return entity;
    }
    struct arena arena;
    cosmi_arena_init(&arena, &batch->memory);
    const cosm_value *kept =
        store == NULL ? NULL : cosmi_values_keep(&arena, batch->schema, values, value_count);
    cosm_entity entity = COSM_ENTITY_NONE;
    if (store != NULL && kept == NULL && value_count > 0) {
        (void)cosmi_fail_memory(batch->sink, &batch->memory, call);
    } else if (store != NULL && cosmi_rows_make_room_in(world, call, store, 1) == COSM_OK) {
        entity = spawn_row(world, store, kept, value_count, call);
    }
    cosmi_arena_free(&arena);
    world_settle(world);
    return entity;
}

// Spawns one with values some of which are objects. These are copied first, so that a row is made
// only when nothing can fail any more but its making.
static cosm_entity spawn_with_objects(cosm_world world, struct archetype *archetype,
                                      const cosm_value *values, uint32_t value_count,
                                      const char *call) {
    struct spawn_values parts;
    cosm_entity entity = COSM_ENTITY_NONE;
    if (cosmi_spawn_values_make(world, call, archetype, values, value_count, &parts)) {
        struct store *store = batch_store(world.batch, archetype->id);
        entity = store != NULL && has_room_for_one(world, store) && world.batch->events == NULL
                     ? spawn_row(world, store, parts.plain, parts.plain_count, call)
                     : spawn_kept(world, archetype, parts.plain, parts.plain_count, call);
    }
    cosmi_spawn_values_place(world, &parts, directory_find(world_data(world), entity));
    return entity;
}

// Everything that is not at hand, or not plain bytes.
COLD static cosm_entity spawn_with_growth(cosm_world world, cosm_archetype id,
                                          const cosm_value *values, uint32_t value_count,
                                          const char *call) {
    struct archetype *archetype = spawn_archetype(world, id, call);
    if (archetype == NULL ||
        cosmi_check_values(world.batch, call, archetype, values, value_count) != COSM_OK) {
        return COSM_ENTITY_NONE;
    }
    if (archetype->temporary) {
        (void)refuse_temporary_spawn(world.batch, call, archetype);
        return COSM_ENTITY_NONE;
    }
    cosm_entity entity = (archetype->sides & SIDE_MANAGED) != 0 && value_count > 0
                             ? spawn_with_objects(world, archetype, values, value_count, call)
                             : spawn_kept(world, archetype, values, value_count, call);
    end_change(world, call);
    return entity;
}

// May observers have to be told of a spawn? Values may be for sectors.
static inline bool is_observed(cosm_world world, const struct store *store, uint32_t value_count) {
    return UNLIKELY(world.batch->events != NULL) && (value_count > 0 || store_is_watched(store));
}

cosm_entity cosmi_spawn_one(cosm_world world, cosm_archetype id, const cosm_value *values,
                            uint32_t value_count, const char *call) {
    if (UNLIKELY(check_change(world, call) != COSM_OK)) {
        return COSM_ENTITY_NONE;
    }
    struct store *store = id.id < PAGED_MAX ? batch_store(world.batch, id.id) : NULL;
    if (UNLIKELY(store == NULL || store->archetype->temporary ||
                 is_observed(world, store, value_count) || !has_room_for_one(world, store))) {
        return spawn_with_growth(world, id, values, value_count, call);
    }
    if (UNLIKELY((store_sides(store) & SIDE_MANAGED) != 0 && value_count > 0)) {
        return spawn_with_growth(world, id, values, value_count, call);
    }
    cosm_entity entity = spawn_row(world, store, values, value_count, call);
    if (UNLIKELY(world.batch->events != NULL)) {
        end_change(world, call);
    }
    return entity;
}

cosm_entity cosm_entity_spawn(cosm_world world, cosm_archetype archetype) {
    return cosmi_spawn_one(world, archetype, NULL, 0, "cosm_entity_spawn");
}

cosm_entity cosm_entity_spawn_with(cosm_world world, cosm_archetype archetype,
                                   const cosm_value *values, uint32_t value_count) {
    return cosmi_spawn_one(world, archetype, values, value_count, "cosm_entity_spawn_with");
}

// How new rows come.
struct bulk_spawn {
    const char *call;
    uint32_t count;
    bool is_unset; // no defaults
    const cosm_value *values;
    uint32_t value_count;
};

// Rows that are left for the caller to fill begin without objects all the same.
static void clear_tickets(cosm_world world, struct store *store, uint32_t row, uint32_t count) {
    const struct archetype *archetype = store->archetype;
    for (uint32_t c = 1; store_sides(store) != 0 && c < archetype->column_count; c++) {
        if (archetype->columns[c].managed != NULL) {
            cosmi_rows_fill_column(world, store, c, row, count);
        }
    }
}

// Copies the objects among the values for all of the rows to come. On failure none is left.
static cosm_result prepare_objects(cosm_world world, const struct bulk_spawn *bulk) {
    cosm_result result = COSM_OK;
    uint32_t i = 0;
    for (; i < bulk->value_count && result == COSM_OK; i++) {
        const struct value_type *type =
            schema_component(world.batch->schema, bulk->values[i].component.id);
        if (type->storage == COSM_STORAGE_MANAGED && bulk->count > 0) {
            result =
                cosmi_managed_prepare(world, bulk->call, type, bulk->count, bulk->values[i].data);
        }
    }
    while (result != COSM_OK && i-- > 0) {
        const struct value_type *type =
            schema_component(world.batch->schema, bulk->values[i].component.id);
        if (type->storage == COSM_STORAGE_MANAGED) {
            cosmi_managed_unprepare(world, type);
        }
    }
    return result;
}

// Writes one value to new rows.
static void write_bulk(cosm_world world, struct store *store, uint32_t row, uint32_t count,
                       const cosm_value *value) {
    const struct column_slot *slot = archetype_find(store->archetype, value->component.id);
    if (slot_is_managed(store->archetype, slot)) {
        cosmi_managed_set_prepared(world, store, slot->column, row, count);
    } else {
        cosmi_rows_set_value(world, store, slot, row, count, value->data);
    }
}

// Spawns rows where there is room for them. The values lie elsewhere.
static uint32_t spawn_rows(cosm_world world, struct store *store, const struct bulk_spawn *bulk) {
    uint32_t row = cosmi_rows_append(world, store, bulk->count);
    if (bulk->is_unset) {
        clear_tickets(world, store, row, bulk->count);
        cosmi_rows_touch(world, store);
    } else {
        cosmi_rows_fill(world, store, row, bulk->count);
    }
    if (store_sides(store) != 0) {
        cosmi_side_spawned(world, store, row, bulk->count);
    }
    for (uint32_t i = 0; i < bulk->value_count; i++) {
        write_bulk(world, store, row, bulk->count, &bulk->values[i]);
    }
    return row;
}

// The arguments have been checked.
static cosm_result spawn_bulk(cosm_world world, struct archetype *archetype,
                              const struct bulk_spawn *bulk, cosm_rows *out_rows) {
    struct cosm_batch *batch = world.batch;
    struct arena arena;
    cosmi_arena_init(&arena, &batch->memory);
    struct bulk_spawn kept = *bulk;
    struct store *store = NULL;
    cosm_result result = COSM_OK;
    // They may lie in rows of the table that grows.
    kept.values = cosmi_values_keep(&arena, batch->schema, bulk->values, bulk->value_count);
    if (kept.values == NULL && bulk->value_count > 0) {
        result = cosmi_fail_memory(batch->sink, &batch->memory, bulk->call);
    } else {
        store =
            cosmi_shared_store(world, bulk->call, archetype, NULL, kept.values, kept.value_count);
        result = store == NULL ? cosm_error_result()
                               : cosmi_rows_make_room_in(world, bulk->call, store, bulk->count);
    }
    if (result == COSM_OK) {
        result =
            reserve_spawn(world, bulk->call, store, bulk->count, kept.values, kept.value_count);
    }
    if (result == COSM_OK) {
        result = prepare_objects(world, bulk);
    }
    if (result == COSM_OK) {
        uint32_t row = bulk->count == 0 ? 0 : spawn_rows(world, store, &kept);
        cosmi_rows_show(out_rows, world, store, row, bulk->count);
    }
    cosmi_arena_free(&arena);
    if (result == COSM_OK && batch->events != NULL) {
        cosmi_deliver_rows(world, bulk->call, out_rows);
    }
    world_settle(world);
    return result;
}

static cosm_result spawn_many(cosm_world world, cosm_archetype id, const struct bulk_spawn *bulk,
                              cosm_rows *out_rows) {
    const char *call = bulk->call;
    if (out_rows != NULL) {
        memset(out_rows, 0, sizeof(*out_rows)); // after a failure it shows no rows
    }
    cosm_result result = check_change(world, call);
    if (result != COSM_OK) {
        return result;
    }
    if (out_rows == NULL) {
        return cosmi_refuse_null(world.batch->sink, call, "out_rows", "pass a cosm_rows to fill");
    }
    struct archetype *archetype = spawn_archetype(world, id, call);
    if (archetype == NULL || cosmi_check_values(world.batch, call, archetype, bulk->values,
                                                bulk->value_count) != COSM_OK) {
        return COSM_ERROR_ARGUMENT;
    }
    for (uint32_t i = 0; i < bulk->value_count; i++) {
        const struct value_type *type =
            schema_component(world.batch->schema, bulk->values[i].component.id);
        if (type->storage == COSM_STORAGE_SECTOR) {
            return cosmi_fail(world.batch->sink, COSM_ERROR_ARGUMENT,
                              "%s: values[%u] is of component '%s', which has COSM_STORAGE_SECTOR "
                              "and is not stored in the rows; set it with cosm_entity_set_many",
                              call, i, type->name);
        }
    }
    return spawn_bulk(world, archetype, bulk, out_rows);
}

cosm_result cosm_entity_spawn_many(cosm_world world, cosm_archetype archetype, uint32_t count,
                                   cosm_rows *out_rows) {
    struct bulk_spawn bulk = {.call = "cosm_entity_spawn_many", .count = count};
    return spawn_many(world, archetype, &bulk, out_rows);
}

cosm_result cosm_entity_spawn_many_with(cosm_world world, cosm_archetype archetype, uint32_t count,
                                        const cosm_value *values, uint32_t value_count,
                                        cosm_rows *out_rows) {
    struct bulk_spawn bulk = {.call = "cosm_entity_spawn_many_with",
                              .count = count,
                              .values = values,
                              .value_count = value_count};
    return spawn_many(world, archetype, &bulk, out_rows);
}

cosm_result cosm_entity_spawn_many_unset(cosm_world world, cosm_archetype archetype, uint32_t count,
                                         cosm_rows *out_rows) {
    struct bulk_spawn bulk = {
        .call = "cosm_entity_spawn_many_unset", .count = count, .is_unset = true};
    return spawn_many(world, archetype, &bulk, out_rows);
}

// Despawns an entity that observers are told of.
COLD static cosm_result despawn_watched(cosm_world world, const char *call, struct record *record,
                                        uint32_t id) {
    struct event_need need = {0, 0, 0, 0};
    const struct store *store = world_store(world.batch, world.index, record->table);
    cosmi_event_need_end(&need, world.batch, store->archetype, 1, 1);
    cosm_result result = cosmi_event_reserve(world, call, &need);
    if (result == COSM_OK) {
        rows_despawn(world, record, id);
        end_change(world, call);
    }
    return result;
}

cosm_result cosm_entity_despawn(cosm_world world, cosm_entity entity) {
    static const char call[] = "cosm_entity_despawn";
    cosm_result result = check_change(world, call);
    if (UNLIKELY(result != COSM_OK)) {
        return result;
    }
    struct record *record = directory_find(world_data(world), entity);
    if (record == NULL) {
        return COSM_STALE;
    }
    if (UNLIKELY(world.batch->events != NULL)) {
        return despawn_watched(world, call, record, entity.id);
    }
    rows_despawn(world, record, entity.id);
    world_settle(world);
    return COSM_OK;
}

// Makes room for what observers are told of entities that end.
static cosm_result reserve_despawns(cosm_world world, const char *call, const cosm_entity *entities,
                                    uint32_t count) {
    struct event_need need = {0, 0, 0, 0};
    for (uint32_t i = 0; world.batch->events != NULL && i < count; i++) {
        const struct record *record = directory_find(world_data(world), entities[i]);
        if (record != NULL) {
            const struct store *store = world_store(world.batch, world.index, record->table);
            cosmi_event_need_end(&need, world.batch, store->archetype, 1, 1);
        }
    }
    return cosmi_event_reserve(world, call, &need);
}

cosm_result cosm_entity_despawn_many(cosm_world world, const cosm_entity *entities,
                                     uint32_t count) {
    static const char call[] = "cosm_entity_despawn_many";
    cosm_result result = cosmi_check_array(world, entities, count, call);
    if (result == COSM_OK) {
        result = reserve_despawns(world, call, entities, count);
    }
    if (result != COSM_OK) {
        return result;
    }
    for (uint32_t i = 0; i < count; i++) {
        struct record *record = directory_find(world_data(world), entities[i]);
        if (record != NULL) {
            rows_despawn(world, record, entities[i].id);
        }
    }
    end_change(world, call);
    return COSM_OK;
}
