// Rows: appending, removing and moving them, with the directory kept true.
//
// Everything here is "do": room has been made before, so nothing here can fail, except where a
// function says that it makes room itself.
#ifndef COSM_STORE_ROWS_H
#define COSM_STORE_ROWS_H

#include "store/side.h"

static inline cosm_world batch_world(struct cosm_batch *batch, uint32_t index) {
    return (cosm_world){batch, index};
}

static inline struct world *world_data(cosm_world world) {
    return &world.batch->worlds[world.index];
}

// Makes room for `count` more rows of an archetype and, unless it is temporary, as many ids.
// Settles reserved ids. On failure a message names `call` and nothing has changed.
cosm_result cosmi_rows_make_room(cosm_world world, const char *call, struct archetype *archetype,
                                 uint32_t count, struct store **out_store);

// As above for a store that exists.
cosm_result cosmi_rows_make_room_in(cosm_world world, const char *call, struct store *store,
                                    uint32_t count);

// As above, and as many ids as there are free rows in all tables, so that several such calls add
// up.
cosm_result cosmi_rows_make_spare(cosm_world world, const char *call, struct archetype *archetype,
                                  uint32_t count);

// Makes room for `count` more ids, and settles reserved ids.
cosm_result cosmi_rows_make_ids(cosm_world world, const char *call, uint32_t count);

// Makes room for `count` rows of a store that exists.
cosm_result cosmi_rows_make_rows(cosm_world world, const char *call, struct store *store,
                                 uint64_t count);

// Appends rows with new ids and leaves their components unset. Returns the first row.
uint32_t cosmi_rows_append(cosm_world world, struct store *store, uint32_t count);

// Appends a row for an id that was reserved.
uint32_t cosmi_rows_append_reserved(cosm_world world, struct store *store, cosm_entity entity);

// Counts all rows as written to: for rows that are left for the caller to fill.
void cosmi_rows_touch(cosm_world world, struct store *store);

// Sets rows of one column to its default.
void cosmi_rows_fill_column(cosm_world world, struct store *store, uint32_t column, uint32_t row,
                            uint32_t count);

// Sets one row, which counts as touched, to the defaults of all its columns but those in `given` (a
// bit each; of more than 64 columns: but the first).
void cosmi_rows_fill_row(const struct archetype *archetype, void *const *columns, size_t at,
                         uint64_t given);

// Writes one value of a component to rows, whatever its layout; a NULL value is the default. Tags
// are passed over. The value of a managed component is a struct held_object, for one row.
void cosmi_rows_set_value(cosm_world world, struct store *store, const struct column_slot *slot,
                          uint32_t row, uint32_t count, const void *value);

// Despawns all rows of a table.
void cosmi_rows_clear(cosm_world world, struct store *store);

// Empties every table of a world, and its directory. False: see cosmi_directory_can_reset.
bool cosmi_rows_reset(cosm_world world);

// Takes reserved ids off the free list. On failure a message names `call`.
cosm_result cosmi_rows_settle(cosm_world world, const char *call);

// Empties the temporary tables of all worlds.
void cosmi_rows_clear_temporary(struct cosm_batch *batch);

// Moves an entity's row along a transition. Makes room, but for what observers are told; on failure
// a message names `call`.
cosm_result cosmi_rows_move(cosm_world world, const char *call, struct record *record,
                            struct store *source, const struct transition *transition);

// The same to a store of the transition's target, where there is room.
void cosmi_rows_move_to(cosm_world world, struct record *record, struct store *source,
                        struct store *target, const struct transition *transition);

// Copies `count` rows from `row` on along a transition to the end of the target, where there is
// room, and points the directory there. The source rows are left for rows_drop.
void cosmi_rows_copy_run(cosm_world world, struct store *source, uint32_t row, uint32_t count,
                         struct store *target, const struct transition *transition);

// The same by way of a buffer of count * row_size bytes of the target: out copies single rows, in
// appends them and points the directory there.
void cosmi_rows_stage_out(cosm_world world, struct store *source, const uint32_t *rows,
                          uint32_t count, struct store *target, const struct transition *transition,
                          char *staged);
void cosmi_rows_stage_in(cosm_world world, const struct store *source, struct store *target,
                         uint32_t count, const struct transition *transition, const char *staged);

// Moves all rows of a table along a transition: whole columns change hands where the target is
// empty and both sides are ranges, else they are copied. There is room.
void cosmi_rows_move_all(cosm_world world, struct store *source, struct store *target,
                         const struct transition *transition);

// The row number, over all worlds, of row 0 of a world's table.
static inline size_t store_first(const struct store *store, uint32_t world) {
    return (size_t)world * store->fixed_max;
}

// Counts a row that was written to, so that it is not taken for untouched zeroes later.
static inline void table_touch(const struct store *store, struct table *table, uint32_t row) {
    if (store->fixed_max == 0 && row >= table->touched) {
        table->touched = row + 1;
    }
}

// Takes the row behind the last one of a lasting table into use, with a new id; there is room and
// no id is reserved.
static inline cosm_entity rows_append_one(struct world *world, uint32_t *count, cosm_entity *cell,
                                          uint32_t table_id, uint32_t row) {
    cosm_entity entity = directory_take(world);
    world->alive++;
    world->records[entity.id] = (struct record){entity.gen, table_id, row};
    *count = row + 1;
    *cell = entity;
    return entity;
}

// Fills row `row` from row `last`, for values of any size, and tells what follows the rows. Apart
// from the loop for small ones, which then needs no call and so no registers saved.
void cosmi_rows_fill_hole(cosm_world world, struct store *store, uint32_t row, uint32_t last);

// Takes out a row of a lasting table whose entity is elsewhere: the last row fills the hole. What
// is needed is loaded before the first store: the compiler must take any store for one to it.
static inline void rows_drop(cosm_world world, struct store *store, uint32_t row) {
    uint32_t *count = &store->counts[world.index];
    uint32_t last = *count - 1;
    store_note_fewer(store);
    *count = last;
    if (row == last) {
        return;
    }
    void *const *columns = store_table(store, world.index)->columns;
    const uint32_t *sizes = store->archetype->sizes;
    uint32_t column_count = store->archetype->column_count;
    size_t first = store_first(store, world.index);
    struct record *records = world_data(world)->records;
    cosm_entity *entities = (cosm_entity *)columns[ENTITY_COLUMN] + first;
    cosm_entity moved = entities[last];
    entities[row] = moved;
    records[moved.id].row = row;
    size_t to = first + row;
    size_t from = first + last;
    if (UNLIKELY(!store->archetype->is_small || store_sides(store) != 0)) {
        cosmi_rows_fill_hole(world, store, row, last);
        return;
    }
    for (uint32_t c = 1; c < column_count; c++) {
        size_t size = sizes[c];
        char *column = columns[c];
        copy_small(column + to * size, column + from * size, size);
    }
}

// Despawns the entity `id`, whose record this is: the last row fills the hole.
static inline void rows_despawn(cosm_world world, struct record *record, uint32_t id) {
    struct world *data = world_data(world);
    struct store *store = world_store(world.batch, world.index, record->table);
    if (UNLIKELY(store_sides(store) != 0)) {
        cosmi_side_leaving(world, store, record->row, 1);
    }
    rows_drop(world, store, record->row);
    directory_give(data, id);
    data->alive--;
    directory_restart(data);
}

#endif
