// New entities: the one way in, for one, for many and for templates.
//
// First a plan, which can fail and changes nothing that can be seen. By the storage of values it
// makes tables and rows, ids, links, room for what observers will be told, copies of objects, and
// sector components, which go to the handles that the directory hands out next. Then the rows come,
// part by part, and nothing can fail any more.
//
// One entity needs no plan where its row and its id are at hand: spawn_in_row.
// Commands have a plan of their own (run/apply.h), and fill their new rows as it is done here.
#ifndef COSM_STORE_SPAWN_H
#define COSM_STORE_SPAWN_H

#include "schema/template.h"
#include "store/event.h"

// What to spawn. The values are checked: those at the top may have them.
struct spawn {
    cosm_world world;
    const char *call;
    const struct template *from; // NULL: entities of `archetype` without children
    struct archetype *archetype;
    const cosm_value *values; // of those at the top, in the place of the template's
    uint32_t value_count;
    uint32_t count; // of those at the top
    bool is_unset;  // the caller fills the columns
    // Once they are spawned: where those at the top are.
    struct store *store;
    uint32_t row;
};

// On failure there is a message, and nothing has changed but that tables may have been made.
cosm_result cosmi_spawn(struct spawn *spawn);

// The handle of the first one at the top.
cosm_entity cosmi_spawn_entity(const struct spawn *spawn);

// Rows that were appended get their defaults, but for the columns of `given` (a bit each; NULL:
// none), and what follows the rows is notified.
void cosmi_spawn_fill(cosm_world world, struct store *store, uint32_t row, uint32_t count,
                      const uint64_t *given);

// Is this more than bytes of a row that can be had at once? Values may be for sectors.
static inline bool spawn_needs_plan(cosm_world world, const struct store *store,
                                    uint32_t value_count) {
    return store->archetype->temporary ||
           (UNLIKELY(world.batch->events != NULL) &&
            (value_count > 0 || store_is_watched(store))) ||
           store->counts[world.index] >= store_capacity(store, world.index) ||
           !directory_is_ready(world_data(world)) ||
           UNLIKELY((store_sides(store) & SIDE_MANAGED) != 0 && value_count > 0);
}

// Writes values to a row that is not in use yet, and the defaults to its other columns. False, with
// some of it written, when one is not for a column, or is wrong; once values are checked, those
// that are stored elsewhere are skipped.
bool cosmi_spawn_write(cosm_world world, struct store *store, uint32_t row,
                       const cosm_value *values, uint32_t value_count, bool is_checked);

// The usual case of it: one value for each column, in the order of the columns. No look-up, and
// nothing left to fill.
static inline bool spawn_write_all(const struct archetype *archetype, void *const *columns,
                                   size_t at, const cosm_value *values, uint32_t value_count) {
    if (values == NULL || value_count + 1 != archetype->column_count ||
        UNLIKELY(archetype->has_split)) {
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

// Tells what follows the rows of a new one, and hands its entity back.
cosm_entity cosmi_spawn_tell(cosm_world world, struct store *store, uint32_t row,
                             cosm_entity entity);

// Spawns one that needs no plan, in the row behind the last one, which is written before it is in
// use. None, and nothing has changed, where a value is not for a column, or is wrong; checked
// values never are.
static inline cosm_entity spawn_in_row(cosm_world world, struct store *store,
                                       const cosm_value *values, uint32_t value_count,
                                       bool is_checked) {
    // What is needed at the end is loaded before the first store: any store might be one to it.
    uint32_t table_id = store->id;
    struct world *data = world_data(world);
    uint32_t *count = &store->counts[world.index];
    struct table *table = store_table(store, world.index);
    uint32_t row = *count;
    size_t at = store_first(store, world.index) + row;
    cosm_entity *cell = (cosm_entity *)table->columns[ENTITY_COLUMN] + at;
    table_touch(store, table, row);
    if (!spawn_write_all(store->archetype, table->columns, at, values, value_count)) {
        if (UNLIKELY(!cosmi_spawn_write(world, store, row, values, value_count, is_checked))) {
            return COSM_ENTITY_NONE;
        }
    }
    cosm_entity entity = rows_append_one(data, count, cell, table_id, row);
    return LIKELY(store_sides(store) == 0) ? entity : cosmi_spawn_tell(world, store, row, entity);
}

#endif
