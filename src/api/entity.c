// The public calls of cosm/entity.h that make, unmake and change entities. Access is in access.c.
#include <cosm/entity.h>

#include "api/managed.h"
#include "query/walk.h"
#include "run/checks.h"

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
static inline bool has_room_for_one(struct place place, const struct store *store) {
    return store->counts[place.index] < store_capacity(store, place.index) &&
           directory_is_ready(place_world(place));
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

// Spawns one where there is room. The row is filled before it is in use, so that a bad value leaves
// everything as it was.
static inline cosm_entity spawn_row(struct place place, struct store *store,
                                    const cosm_value *values, uint32_t value_count,
                                    const char *call) {
    const struct archetype *archetype = store->archetype;
    uint32_t table_id = store->id;
    struct world *world = place_world(place);
    uint32_t *count = &store->counts[place.index];
    struct table *table = store_table(store, place.index);
    uint32_t row = *count;
    size_t at = store_first(store, place.index) + row;
    cosm_entity *cell = (cosm_entity *)table->columns[ENTITY_COLUMN] + at;
    table_touch(store, table, row);
    if (values == NULL || !write_all_values(archetype, table->columns, at, values, value_count)) {
        if (!write_some_values(store, table, at, values, value_count)) {
            (void)cosmi_check_values(place.batch, call, archetype, values, value_count);
            return COSM_ENTITY_NONE;
        }
    }
    cosm_entity entity = rows_append_one(world, count, cell, table_id, row);
    if (UNLIKELY(store_sides(store) != 0)) {
        cosmi_side_spawned(place, store, row, 1);
    }
    return entity;
}

// Makes room for one row and spawns it there. Values that lie in rows of the same table would move
// with it, so they are kept aside.
static cosm_entity spawn_kept(struct place place, struct archetype *archetype,
                              const cosm_value *values, uint32_t value_count, const char *call) {
    struct memory *memory = &place.batch->memory;
    struct arena arena;
    struct store *store;
    cosmi_arena_init(&arena, memory);
    const cosm_value *kept = cosmi_values_keep(&arena, archetype, values, value_count);
    cosm_entity entity = COSM_ENTITY_NONE;
    if (kept == NULL && value_count > 0) {
        (void)cosmi_fail_memory(place.batch->sink, memory, call);
    } else if (cosmi_rows_make_room(place, call, archetype, 1, &store) == COSM_OK) {
        entity = spawn_row(place, store, kept, value_count, call);
    }
    cosmi_arena_free(&arena);
    return entity;
}

// Spawns one with values some of which are objects. These are copied first, so that a row is made
// only when nothing can fail any more but its making.
static cosm_entity spawn_with_objects(struct place place, struct archetype *archetype,
                                      const cosm_value *values, uint32_t value_count,
                                      const char *call) {
    struct spawn_values parts;
    cosm_entity entity = COSM_ENTITY_NONE;
    if (cosmi_spawn_values_make(place, call, archetype, values, value_count, &parts)) {
        struct store *store = batch_store(place.batch, archetype->id);
        entity = store != NULL && has_room_for_one(place, store)
                     ? spawn_row(place, store, parts.plain, parts.plain_count, call)
                     : spawn_kept(place, archetype, parts.plain, parts.plain_count, call);
    }
    cosmi_spawn_values_place(place, &parts, directory_find(place_world(place), entity));
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
    return (archetype->sides & SIDE_MANAGED) != 0 && value_count > 0
               ? spawn_with_objects(world_place(world), archetype, values, value_count, call)
               : spawn_kept(world_place(world), archetype, values, value_count, call);
}

static cosm_entity spawn_one(cosm_world world, cosm_archetype id, const cosm_value *values,
                             uint32_t value_count, const char *call) {
    if (UNLIKELY(check_change(world, call) != COSM_OK)) {
        return COSM_ENTITY_NONE;
    }
    struct place place = world_place(world);
    struct store *store = id.id < PAGED_MAX ? batch_store(world.batch, id.id) : NULL;
    if (UNLIKELY(store == NULL || store->archetype->temporary || !has_room_for_one(place, store))) {
        return spawn_with_growth(world, id, values, value_count, call);
    }
    if (UNLIKELY((store_sides(store) & SIDE_MANAGED) != 0 && value_count > 0)) {
        return spawn_with_growth(world, id, values, value_count, call);
    }
    return spawn_row(place, store, values, value_count, call);
}

cosm_entity cosm_entity_spawn(cosm_world world, cosm_archetype archetype) {
    return spawn_one(world, archetype, NULL, 0, "cosm_entity_spawn");
}

cosm_entity cosm_entity_spawn_with(cosm_world world, cosm_archetype archetype,
                                   const cosm_value *values, uint32_t value_count) {
    return spawn_one(world, archetype, values, value_count, "cosm_entity_spawn_with");
}

// Rows that are left for the caller to fill begin without objects all the same.
static void clear_tickets(struct place place, struct store *store, uint32_t row, uint32_t count) {
    const struct archetype *archetype = store->archetype;
    for (uint32_t c = 1; store_sides(store) != 0 && c < archetype->column_count; c++) {
        if (archetype->columns[c].managed != NULL) {
            cosmi_rows_fill_column(place, store, c, row, count);
        }
    }
}

static cosm_result spawn_many(cosm_world world, cosm_archetype id, uint32_t count, bool fill,
                              cosm_rows *out_rows, const char *call) {
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
    if (archetype == NULL) {
        return COSM_ERROR_ARGUMENT;
    }
    struct place place = world_place(world);
    struct store *store;
    result = cosmi_rows_make_room(place, call, archetype, count, &store);
    if (result != COSM_OK) {
        return result;
    }
    uint32_t row = 0;
    if (count > 0) {
        row = cosmi_rows_append(place, store, count);
        if (fill) {
            cosmi_rows_fill(place, store, row, count);
        } else {
            clear_tickets(place, store, row, count);
            cosmi_rows_touch(place, store);
        }
        if (store_sides(store) != 0) {
            cosmi_side_spawned(place, store, row, count);
        }
    }
    cosmi_rows_show(out_rows, place, store, row, count);
    return COSM_OK;
}

cosm_result cosm_entity_spawn_many(cosm_world world, cosm_archetype archetype, uint32_t count,
                                   cosm_rows *out_rows) {
    return spawn_many(world, archetype, count, true, out_rows, "cosm_entity_spawn_many");
}

cosm_result cosm_entity_spawn_many_unset(cosm_world world, cosm_archetype archetype, uint32_t count,
                                         cosm_rows *out_rows) {
    return spawn_many(world, archetype, count, false, out_rows, "cosm_entity_spawn_many_unset");
}

cosm_result cosm_entity_despawn(cosm_world world, cosm_entity entity) {
    cosm_result result = check_change(world, "cosm_entity_despawn");
    if (UNLIKELY(result != COSM_OK)) {
        return result;
    }
    struct place place = world_place(world);
    struct record *record = directory_find(place_world(place), entity);
    if (record == NULL) {
        return COSM_STALE;
    }
    rows_despawn(place, record, entity.id);
    return COSM_OK;
}

// The checks of every call that takes an array of entities.
static cosm_result check_array(cosm_world world, const cosm_entity *entities, uint32_t count,
                               const char *call) {
    cosm_result result = check_change(world, call);
    if (result == COSM_OK && entities == NULL && count > 0) {
        result = cosmi_refuse_null(world.batch->sink, call, "entities", "pass `count` entities");
    }
    return result;
}

cosm_result cosm_entity_despawn_many(cosm_world world, const cosm_entity *entities,
                                     uint32_t count) {
    cosm_result result = check_array(world, entities, count, "cosm_entity_despawn_many");
    if (result != COSM_OK) {
        return result;
    }
    struct place place = world_place(world);
    for (uint32_t i = 0; i < count; i++) {
        struct record *record = directory_find(place_world(place), entities[i]);
        if (record != NULL) {
            rows_despawn(place, record, entities[i].id);
        }
    }
    return COSM_OK;
}

// The long way to a transition: bundles, sealed archetypes, sets that are new, wrong ids.
APART static cosm_result make_transition(struct place place, const char *call,
                                         struct archetype *source, cosm_component component,
                                         bool add, const struct transition **out_transition) {
    struct cosm_batch *batch = place.batch;
    uint32_t count;
    const uint32_t *members = cosmi_schema_members(batch->schema, call, &component, &count);
    return members == NULL ? COSM_ERROR_ARGUMENT
                           : cosmi_schema_change(batch->schema, call, source, members, count, add,
                                                 out_transition);
}

// What a change of components does to one entity: the transition, or NULL where nothing changes.
// An edge is there only where the change was made before, so it says all at once: the component is
// known, it is absent (or present), and the archetype is not sealed.
static inline cosm_result find_transition(struct place place, const char *call,
                                          const struct store *store, cosm_component component,
                                          bool add, const struct transition **out_transition) {
    struct archetype *source = store->archetype;
    if (LIKELY(component.id <= COSM_COMPONENT_MAX)) {
        *out_transition = archetype_edge(source, component.id, add);
        if (LIKELY(*out_transition != NULL)) {
            return COSM_OK;
        }
    }
    return make_transition(place, call, source, component, add, out_transition);
}

static inline cosm_result change_one(cosm_world world, cosm_entity entity, cosm_component component,
                                     bool add, const char *call) {
    cosm_result result = check_change(world, call);
    if (UNLIKELY(result != COSM_OK)) {
        return result;
    }
    struct place place = world_place(world);
    struct record *record = directory_find(place_world(place), entity);
    if (UNLIKELY(record == NULL)) {
        uint32_t count;
        bool known = cosmi_schema_members(world.batch->schema, call, &component, &count) != NULL;
        return known ? COSM_STALE : COSM_ERROR_ARGUMENT;
    }
    struct store *source = batch_known_store(place.batch, record->table);
    const struct transition *transition;
    result = find_transition(place, call, source, component, add, &transition);
    if (result != COSM_OK || transition == NULL) {
        return result;
    }
    return cosmi_rows_move(place, call, record, source, transition);
}

cosm_result cosm_entity_add(cosm_world world, cosm_entity entity, cosm_component component) {
    return change_one(world, entity, component, true, "cosm_entity_add");
}

cosm_result cosm_entity_remove(cosm_world world, cosm_entity entity, cosm_component component) {
    return change_one(world, entity, component, false, "cosm_entity_remove");
}

static void write_record(struct place place, const struct record *record, uint32_t component,
                         const void *value) {
    struct store *store = batch_known_store(place.batch, record->table);
    const struct column_slot *slot = archetype_find(store->archetype, component);
    if (slot_is_split(store->archetype, slot)) {
        cosmi_split_write(store->archetype, slot, store_table(store, place.index)->columns,
                          store_first(store, place.index) + record->row, value);
    } else if (slot->size > 0) {
        memmove(store_cell(store, store_table(store, place.index), place.index, slot->column,
                           record->row, slot->size),
                value, slot->size);
    }
    if (UNLIKELY(store_sides(store) != 0)) {
        cosmi_side_set(place, store, component, record->row, 1);
    }
}

// Adds the component and writes it. The value may lie in a row that moves, so it is kept aside.
static cosm_result move_and_write(struct place place, const char *call, struct record *record,
                                  struct store *source, const struct transition *transition,
                                  const struct value_type *type, const void *value) {
    struct kept_value kept;
    if (!cosmi_value_keep(place.batch, call, value, type->size, &kept)) {
        return COSM_ERROR_MEMORY;
    }
    cosm_result result = cosmi_rows_move(place, call, record, source, transition);
    if (result == COSM_OK) {
        write_record(place, record, type->id, kept.bytes);
    }
    cosmi_value_give(place.batch, &kept);
    return result;
}

cosm_result cosm_entity_set(cosm_world world, cosm_entity entity, cosm_component component,
                            const void *value) {
    static const char call[] = "cosm_entity_set";
    if (!world_exists(world)) {
        return cosmi_refuse_world(world, call);
    }
    const struct value_type *type = cosmi_check_set(world.batch, call, component, value);
    if (type == NULL) {
        return COSM_ERROR_ARGUMENT;
    }
    if (UNLIKELY(type->storage == COSM_STORAGE_MANAGED)) {
        return cosmi_object_copy(world, call, entity, type, value);
    }
    struct place place = world_place(world);
    struct record *record = directory_find(place_world(place), entity);
    if (record == NULL) {
        return COSM_STALE;
    }
    struct store *source = batch_known_store(place.batch, record->table);
    if (store_find(source, component.id) != NULL) {
        cosmi_check_component(world.batch, world.index, component.id, true, call);
        cosmi_check_cell(world.batch, world.index, source->archetype, record->row, component.id,
                         true, call);
        write_record(place, record, component.id, value);
        return COSM_OK;
    }
    // Only where it is absent is setting it a structural change.
    const struct transition *transition;
    cosm_result result = check_change(world, call);
    if (result == COSM_OK) {
        result = find_transition(place, call, source, component, true, &transition);
    }
    return result != COSM_OK ? result
                             : move_and_write(place, call, record, source, transition, type, value);
}

static cosm_result change_many(cosm_world world, const cosm_entity *entities, uint32_t count,
                               cosm_component component, enum command_kind kind, const char *call) {
    uint32_t member_count;
    cosm_result result = check_array(world, entities, count, call);
    if (result != COSM_OK) {
        return result;
    }
    if (cosmi_schema_members(world.batch->schema, call, &component, &member_count) == NULL) {
        return COSM_ERROR_ARGUMENT;
    }
    struct array_change change = {call, entities, count, component, kind, NULL, NULL};
    return cosmi_array_change(world_place(world), &change);
}

cosm_result cosm_entity_add_many(cosm_world world, const cosm_entity *entities, uint32_t count,
                                 cosm_component component) {
    return change_many(world, entities, count, component, COMMAND_ADD, "cosm_entity_add_many");
}

cosm_result cosm_entity_remove_many(cosm_world world, const cosm_entity *entities, uint32_t count,
                                    cosm_component component) {
    return change_many(world, entities, count, component, COMMAND_REMOVE,
                       "cosm_entity_remove_many");
}

cosm_result cosm_entity_set_many(cosm_world world, const cosm_entity *entities, uint32_t count,
                                 cosm_component component, const void *values) {
    static const char call[] = "cosm_entity_set_many";
    cosm_result result = check_array(world, entities, count, call);
    if (result != COSM_OK) {
        return result;
    }
    const void *first = count == 0 ? "" : values;
    const struct value_type *type = cosmi_check_set(world.batch, call, component, first);
    if (type == NULL) {
        return COSM_ERROR_ARGUMENT;
    }
    struct array_change change = {call, entities, count, component, COMMAND_SET, values, type};
    return cosmi_array_change(world_place(world), &change);
}
