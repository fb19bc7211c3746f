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
COLD static struct store *make_target(struct place place, const char *call,
                                      const struct store *source,
                                      const struct transition *transition) {
    struct store *target = cosmi_shared_store(place, call, transition->target, source, NULL, 0);
    bool done = target != NULL && cosmi_rows_make_rows(place, call, target, 1) == COSM_OK;
    return done ? target : NULL;
}

static inline void move_row(struct place place, struct record *record, struct store *source,
                            struct store *target, const struct transition *transition) {
    const struct table *source_table = store_table(source, place.index);
    struct table *target_table = store_table(target, place.index);
    uint32_t source_row = record->row;
    bool has_sides = UNLIKELY((store_sides(source) | store_sides(target)) != 0);
    if (has_sides) {
        cosmi_side_moving(place, source, NULL, source_row, 1, target, transition);
    }
    uint32_t target_row = target->counts[place.index]++;
    size_t from = store_first(source, place.index) + source_row;
    size_t to = store_first(target, place.index) + target_row;
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
        cosmi_side_moved(place, source, target, target_row, 1);
    }
    rows_drop(place, source, source_row);
}

void cosmi_rows_move_to(struct place place, struct record *record, struct store *source,
                        struct store *target, const struct transition *transition) {
    move_row(place, record, source, target, transition);
}

cosm_result cosmi_rows_move(struct place place, const char *call, struct record *record,
                            struct store *source, const struct transition *transition) {
    struct store *target = transition_store(transition, place.batch);
    if (UNLIKELY(target == NULL ||
                 target->counts[place.index] == store_capacity(target, place.index))) {
        target = make_target(place, call, source, transition);
        if (target == NULL) {
            return cosm_error_result();
        }
    }
    move_row(place, record, source, target, transition);
    return COSM_OK;
}

// Points the directory at rows that have come to `store`.
static void claim_rows(struct place place, const struct store *store, uint32_t row,
                       uint32_t count) {
    const cosm_entity *entities = (const cosm_entity *)(const void *)store_cell(
        store, store_table(store, place.index), place.index, ENTITY_COLUMN, row,
        sizeof(cosm_entity));
    uint32_t table_id = store->id;
    for (uint32_t i = 0; i < count; i++) {
        struct record *record = &place_world(place)->records[entities[i].id];
        record->table = table_id;
        record->row = row + i;
    }
}

static void fill_new_columns(struct place place, struct store *target, uint32_t row, uint32_t count,
                             const struct transition *transition) {
    for (uint32_t i = 0; i < transition->fill_count; i++) {
        cosmi_rows_fill_column(place, target, transition->fills[i], row, count);
    }
    struct table *table = store_table(target, place.index);
    if (target->fixed_max == 0 && row + count > table->touched) {
        table->touched = row + count;
    }
}

void cosmi_rows_copy_run(struct place place, struct store *source, uint32_t row, uint32_t count,
                         struct store *target, const struct transition *transition) {
    const struct table *source_table = store_table(source, place.index);
    const struct table *target_table = store_table(target, place.index);
    uint32_t target_row = target->counts[place.index];
    bool has_sides = (store_sides(source) | store_sides(target)) != 0;
    if (has_sides) {
        cosmi_side_moving(place, source, NULL, row, count, target, transition);
    }
    target->counts[place.index] += count;
    for (uint32_t i = 0; i < transition->copy_count; i++) {
        struct column_copy copy = transition->copies[i];
        memcpy(store_cell(target, target_table, place.index, copy.target, target_row, copy.size),
               store_cell(source, source_table, place.index, copy.source, row, copy.size),
               (size_t)count * copy.size);
    }
    fill_new_columns(place, target, target_row, count, transition);
    reshape_rows(transition, source_table->columns, store_first(source, place.index) + row,
                 target_table->columns, store_first(target, place.index) + target_row, count);
    claim_rows(place, target, target_row, count);
    if (has_sides) {
        cosmi_side_moved(place, source, target, target_row, count);
    }
}

void cosmi_rows_stage_out(struct place place, struct store *source, const uint32_t *rows,
                          uint32_t count, struct store *target, const struct transition *transition,
                          char *staged) {
    const struct table *table = store_table(source, place.index);
    if (store_sides(source) != 0) {
        cosmi_side_moving(place, source, rows, 0, count, target, transition);
    }
    for (uint32_t i = 0; i < transition->copy_count; i++) {
        struct column_copy copy = transition->copies[i];
        for (uint32_t r = 0; r < count; r++) {
            memcpy(staged, store_cell(source, table, place.index, copy.source, rows[r], copy.size),
                   copy.size);
            staged += copy.size;
        }
    }
    size_t first = store_first(source, place.index);
    for (uint32_t i = 0; i < transition->reshape_count; i++) {
        struct column_reshape shape = transition->reshapes[i];
        const char *in = (const char *)table->columns[shape.source] + shape.source_offset;
        for (uint32_t r = 0; r < count; r++) {
            memcpy(staged, in + (first + rows[r]) * shape.source_stride, shape.size);
            staged += shape.size;
        }
    }
}

void cosmi_rows_stage_in(struct place place, const struct store *source, struct store *target,
                         uint32_t count, const struct transition *transition, const char *staged) {
    const struct table *table = store_table(target, place.index);
    uint32_t row = target->counts[place.index];
    target->counts[place.index] += count;
    for (uint32_t i = 0; i < transition->copy_count; i++) {
        struct column_copy copy = transition->copies[i];
        size_t bytes = (size_t)count * copy.size;
        memcpy(store_cell(target, table, place.index, copy.target, row, copy.size), staged, bytes);
        staged += bytes;
    }
    fill_new_columns(place, target, row, count, transition);
    size_t first = store_first(target, place.index) + row;
    for (uint32_t i = 0; i < transition->reshape_count; i++) {
        struct column_reshape shape = transition->reshapes[i];
        char *out = (char *)table->columns[shape.target] + shape.target_offset;
        for (uint32_t r = 0; r < count; r++) {
            memcpy(out + (first + r) * shape.target_stride, staged, shape.size);
            staged += shape.size;
        }
    }
    claim_rows(place, target, row, count);
    if ((store_sides(source) | store_sides(target)) != 0) {
        cosmi_side_moved(place, source, target, row, count);
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
static bool level_tables(struct place place, struct store *source, struct store *target) {
    struct memory *memory = &place.batch->memory;
    struct table *a = store_table(source, place.index);
    struct table *b = store_table(target, place.index);
    uint32_t rows = a->capacity > b->capacity ? a->capacity : b->capacity;
    return cosmi_ticks_reserve(memory, source, place.index, rows) &&
           cosmi_ticks_reserve(memory, target, place.index, rows) &&
           cosmi_table_level(batch_source(place.batch), source->archetype, a, target->archetype, b);
}

void cosmi_rows_move_all(struct place place, struct store *source, struct store *target,
                         const struct transition *transition) {
    uint32_t count = source->counts[place.index];
    if (count == 0) {
        return;
    }
    struct table *source_table = store_table(source, place.index);
    struct table *target_table = store_table(target, place.index);
    bool trade = source->fixed_max == 0 && target->fixed_max == 0 && source->pin_count == 0 &&
                 target->pin_count == 0 && transition->reshape_count == 0 &&
                 target->counts[place.index] == 0 &&
                 cosmi_table_can_trade(source_table, target_table) &&
                 level_tables(place, source, target);
    if (!trade) {
        cosmi_rows_copy_run(place, source, 0, count, target, transition);
        store_note_fewer(source);
        source->counts[place.index] = 0;
        return;
    }
    bool has_sides = (store_sides(source) | store_sides(target)) != 0;
    if (has_sides) {
        cosmi_side_moving(place, source, NULL, 0, count, target, transition);
    }
    trade_columns(source_table, target_table, transition);
    source->counts[place.index] = 0;
    target->counts[place.index] = count;
    fill_new_columns(place, target, 0, count, transition);
    claim_rows(place, target, 0, count);
    if (has_sides) {
        cosmi_side_moved(place, source, target, 0, count);
    }
}
