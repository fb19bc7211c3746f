// Moving rows from table to table: one, a run, or all of them.
#include "store/change.h"
#include "store/rows.h"
#include "store/shared.h"

// Sets the columns of a new row that its source did not have.
static inline void fill_row_columns(const struct archetype *archetype, const struct table *table,
                                    size_t at, const struct transition *transition) {
    for (uint32_t i = 0; i < transition->fill_count; i++) {
        uint32_t c = transition->fills[i];
        const struct column_info *info = &archetype->columns[c];
        char *cell = (char *)table->columns[c] + at * info->size;
        if (info->default_value == NULL) {
            clear_value(cell, info->size);
        } else {
            copy_value(cell, info->default_value, info->size);
        }
    }
}

// Brings parts of components that are whole on one side and split on the other.
APART static void reshape_rows(const struct transition *transition, void *const *source,
                               size_t from, void *const *target, size_t to, uint32_t count) {
    for (uint32_t i = 0; i < transition->reshape_count; i++) {
        struct column_reshape shape = transition->reshapes[i];
        const char *in =
            (const char *)source[shape.source] + from * shape.source_stride + shape.source_offset;
        char *out = (char *)target[shape.target] + to * shape.target_stride + shape.target_offset;
        for (uint32_t r = 0; r < count; r++) {
            memcpy(out, in, shape.size);
            in += shape.source_stride;
            out += shape.target_stride;
        }
    }
}

// The store that a transition leads to, kept in the transition for the first few batches. NULL
// where the batch has none.
static inline struct store *transition_store(const struct transition *transition,
                                             const struct cosm_batch *batch) {
    uint32_t slot = batch->slot;
    if (LIKELY(slot < BATCH_SLOT_MAX)) {
        struct store *known = atomic_load_explicit(&transition->stores[slot], memory_order_acquire);
        if (LIKELY(known != NULL)) {
            return known;
        }
    }
    struct store *store = batch_store(batch, transition->target->id);
    if (store != NULL && slot < BATCH_SLOT_MAX) {
        // A cache: the transition is as it was.
        atomic_store_explicit(&((struct transition *)transition)->stores[slot], store,
                              memory_order_release);
    }
    return store;
}

// Makes room for one row that comes from `source` with its id and its shared values. NULL with a
// message.
COLD static struct store *make_target(cosm_world world, const char *call,
                                      const struct store *source,
                                      const struct transition *transition) {
    struct store *target = cosmi_shared_store(world, call, transition->target, source, NULL, 0);
    bool done = target != NULL && cosmi_rows_make_rows(world, call, target, 1) == COSM_OK;
    return done ? target : NULL;
}

static inline void move_row(cosm_world world, struct record *record, struct store *source,
                            struct store *target, const struct transition *transition) {
    const struct table *source_table = store_table(source, world.index);
    struct table *target_table = store_table(target, world.index);
    uint32_t source_row = record->row;
    bool has_sides = UNLIKELY((store_sides(source) | store_sides(target)) != 0);
    if (has_sides) {
        cosmi_side_moving(world, source, NULL, source_row, 1, target, transition);
    }
    uint32_t target_row = target->counts[world.index]++;
    size_t from = store_first(source, world.index) + source_row;
    size_t to = store_first(target, world.index) + target_row;
    const struct column_copy *copies = transition->copies;
    for (uint32_t i = 0, end = transition->copy_count; i < end; i++) {
        size_t size = copies[i].size;
        copy_value((char *)target_table->columns[copies[i].target] + to * size,
                   (const char *)source_table->columns[copies[i].source] + from * size, size);
    }
    fill_row_columns(transition->target, target_table, to, transition);
    if (UNLIKELY(transition->reshape_count > 0)) {
        reshape_rows(transition, source_table->columns, from, target_table->columns, to, 1);
    }
    table_touch(target, target_table, target_row);
    record->table = target->id;
    record->row = target_row;
    if (has_sides) {
        cosmi_side_moved(world, source, target, target_row, 1);
    }
    rows_drop(world, source, source_row);
}

void cosmi_rows_move_to(cosm_world world, struct record *record, struct store *source,
                        struct store *target, const struct transition *transition) {
    move_row(world, record, source, target, transition);
}

cosm_result cosmi_rows_move(cosm_world world, const char *call, struct record *record,
                            struct store *source, const struct transition *transition) {
    struct store *target = transition_store(transition, world.batch);
    if (UNLIKELY(target == NULL ||
                 target->counts[world.index] == store_capacity(target, world.index))) {
        target = make_target(world, call, source, transition);
        if (target == NULL) {
            return cosm_error_result();
        }
    }
    move_row(world, record, source, target, transition);
    return COSM_OK;
}

// Points the directory at rows that have come to `store`.
static void claim_rows(cosm_world world, const struct store *store, uint32_t row, uint32_t count) {
    const cosm_entity *entities = store_entities(store, world.index, row);
    uint32_t table_id = store->id;
    for (uint32_t i = 0; i < count; i++) {
        struct record *record = &world_data(world)->records[entities[i].id];
        record->table = table_id;
        record->row = row + i;
    }
}

static void fill_new_columns(cosm_world world, struct store *target, uint32_t row, uint32_t count,
                             const struct transition *transition) {
    for (uint32_t i = 0; i < transition->fill_count; i++) {
        cosmi_rows_fill_column(world, target, transition->fills[i], row, count);
    }
    struct table *table = store_table(target, world.index);
    if (target->fixed_max == 0 && row + count > table->touched) {
        table->touched = row + count;
    }
}

void cosmi_rows_copy_run(cosm_world world, struct store *source, uint32_t row, uint32_t count,
                         struct store *target, const struct transition *transition) {
    const struct table *source_table = store_table(source, world.index);
    const struct table *target_table = store_table(target, world.index);
    uint32_t target_row = target->counts[world.index];
    bool has_sides = (store_sides(source) | store_sides(target)) != 0;
    if (has_sides) {
        cosmi_side_moving(world, source, NULL, row, count, target, transition);
    }
    target->counts[world.index] += count;
    for (uint32_t i = 0; i < transition->copy_count; i++) {
        struct column_copy copy = transition->copies[i];
        memcpy(store_cell(target, target_table, world.index, copy.target, target_row, copy.size),
               store_cell(source, source_table, world.index, copy.source, row, copy.size),
               (size_t)count * copy.size);
    }
    fill_new_columns(world, target, target_row, count, transition);
    reshape_rows(transition, source_table->columns, store_first(source, world.index) + row,
                 target_table->columns, store_first(target, world.index) + target_row, count);
    claim_rows(world, target, target_row, count);
    if (has_sides) {
        cosmi_side_moved(world, source, target, target_row, count);
    }
}

void cosmi_rows_stage_out(cosm_world world, struct store *source, const uint32_t *rows,
                          uint32_t count, struct store *target, const struct transition *transition,
                          char *staged) {
    const struct table *table = store_table(source, world.index);
    if (store_sides(source) != 0) {
        cosmi_side_moving(world, source, rows, 0, count, target, transition);
    }
    for (uint32_t i = 0; i < transition->copy_count; i++) {
        struct column_copy copy = transition->copies[i];
        for (uint32_t r = 0; r < count; r++) {
            memcpy(staged, store_cell(source, table, world.index, copy.source, rows[r], copy.size),
                   copy.size);
            staged += copy.size;
        }
    }
    size_t first = store_first(source, world.index);
    for (uint32_t i = 0; i < transition->reshape_count; i++) {
        struct column_reshape shape = transition->reshapes[i];
        const char *in = (const char *)table->columns[shape.source] + shape.source_offset;
        for (uint32_t r = 0; r < count; r++) {
            memcpy(staged, in + (first + rows[r]) * shape.source_stride, shape.size);
            staged += shape.size;
        }
    }
}

void cosmi_rows_stage_in(cosm_world world, const struct store *source, struct store *target,
                         uint32_t count, const struct transition *transition, const char *staged) {
    const struct table *table = store_table(target, world.index);
    uint32_t row = target->counts[world.index];
    target->counts[world.index] += count;
    for (uint32_t i = 0; i < transition->copy_count; i++) {
        struct column_copy copy = transition->copies[i];
        size_t bytes = (size_t)count * copy.size;
        memcpy(store_cell(target, table, world.index, copy.target, row, copy.size), staged, bytes);
        staged += bytes;
    }
    fill_new_columns(world, target, row, count, transition);
    size_t first = store_first(target, world.index) + row;
    for (uint32_t i = 0; i < transition->reshape_count; i++) {
        struct column_reshape shape = transition->reshapes[i];
        char *out = (char *)table->columns[shape.target] + shape.target_offset;
        for (uint32_t r = 0; r < count; r++) {
            memcpy(out + (first + r) * shape.target_stride, staged, shape.size);
            staged += shape.size;
        }
    }
    claim_rows(world, target, row, count);
    if ((store_sides(source) | store_sides(target)) != 0) {
        cosmi_side_moved(world, source, target, row, count);
    }
}

// Swaps the columns that both tables have. The rest stays: the target's new columns are filled,
// the source's dropped ones are kept for the next time.
static void trade_columns(struct table *source, struct table *target,
                          const struct transition *transition) {
    for (uint32_t i = 0; i < transition->copy_count; i++) {
        struct column_copy copy = transition->copies[i];
        void *column = target->columns[copy.target];
        target->columns[copy.target] = source->columns[copy.source];
        source->columns[copy.source] = column;
    }
    // Rows that either side has touched count as touched on both.
    uint32_t touched = source->touched > target->touched ? source->touched : target->touched;
    source->touched = touched;
    target->touched = touched;
}

// Makes the tables of a world as large as each other, and room for the ticks of both. False when
// out of memory.
static bool level_tables(cosm_world world, struct store *source, struct store *target) {
    struct memory *memory = &world.batch->memory;
    struct table *a = store_table(source, world.index);
    struct table *b = store_table(target, world.index);
    uint32_t rows = a->capacity > b->capacity ? a->capacity : b->capacity;
    return cosmi_ticks_reserve(memory, source, world.index, rows) &&
           cosmi_ticks_reserve(memory, target, world.index, rows) &&
           cosmi_table_level(batch_source(world.batch), source->archetype, a, target->archetype, b);
}

void cosmi_rows_move_all(cosm_world world, struct store *source, struct store *target,
                         const struct transition *transition) {
    uint32_t count = source->counts[world.index];
    if (count == 0) {
        return;
    }
    struct table *source_table = store_table(source, world.index);
    struct table *target_table = store_table(target, world.index);
    bool trade = source->fixed_max == 0 && target->fixed_max == 0 && source->pin_count == 0 &&
                 target->pin_count == 0 && transition->reshape_count == 0 &&
                 target->counts[world.index] == 0 &&
                 cosmi_table_can_trade(source_table, target_table) &&
                 level_tables(world, source, target);
    if (!trade) {
        cosmi_rows_copy_run(world, source, 0, count, target, transition);
        store_note_fewer(source);
        source->counts[world.index] = 0;
        return;
    }
    bool has_sides = (store_sides(source) | store_sides(target)) != 0;
    if (has_sides) {
        cosmi_side_moving(world, source, NULL, 0, count, target, transition);
    }
    trade_columns(source_table, target_table, transition);
    source->counts[world.index] = 0;
    target->counts[world.index] = count;
    fill_new_columns(world, target, 0, count, transition);
    claim_rows(world, target, 0, count);
    if (has_sides) {
        cosmi_side_moved(world, source, target, 0, count);
    }
}
