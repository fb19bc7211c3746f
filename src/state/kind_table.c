// Tables as parts.
//
// What says that nothing has changed: the ticks of a chunk are not later than the base. Columns
// that the outside is shown to be read are compared, as it can write them.
#include "state/kind.h"
#include "store/change.h"
#include "store/rows.h"

static bool next_table(cosm_world world, struct live_part *io_live) {
    struct store *store = io_live->at == NULL
                              ? world_first_store(world.batch, world.index)
                              : world_next_store(world.batch, world.index, io_live->at);
    while (store != NULL && store->counts[world.index] == 0) {
        store = world_next_store(world.batch, world.index, store);
    }
    *io_live = (struct live_part){store == NULL ? 0 : store->id, store};
    return store != NULL;
}

static void shape_table(cosm_world world, const struct live_part *live, struct part *head) {
    const struct store *store = live->at;
    head->archetype = store->archetype;
    head->table.count = store->counts[world.index];
}

// The ticks of a chunk, one for each column that is tracked.
static const tick_cell *chunk_ticks(const struct store *store, uint32_t world, uint32_t chunk) {
    return table_ticks(store, world) + (size_t)chunk * store->ticks->tracked_count;
}

static bool is_chunk_clean(const struct capture *capture, const struct store *store,
                           uint32_t chunk) {
    const tick_cell *ticks = chunk_ticks(store, capture->world.index, chunk);
    bool is_clean = true;
    for (uint32_t n = 0; n < store->ticks->tracked_count; n++) {
        is_clean &= tick_load(&ticks[n]) <= capture->clock;
    }
    return is_clean;
}

// Was a column of a chunk not written since `clock`? The parts of a split component share a tick.
static bool is_column_clean(const struct store *store, uint32_t world, uint64_t clock,
                            uint32_t chunk, uint32_t column) {
    if (store->ticks == NULL) {
        return false;
    }
    uint32_t number = store->ticks->numbers[column - store->archetype->columns[column].part];
    return number != 0 && tick_load(&chunk_ticks(store, world, chunk)[number - 1]) <= clock;
}

// One chunk more than has rows is looked at: what came there first and went again.
bool cosmi_capture_rows_changed(const struct capture *capture, const struct store *store) {
    if (store->archetype->temporary) {
        return false;
    }
    const struct store_ticks *ticks = store->ticks;
    uint32_t number = ticks == NULL ? 0 : ticks->numbers[ENTITY_COLUMN];
    uint32_t world = capture->world.index;
    if (number == 0) {
        return true;
    }
    uint32_t room = store->fixed_max != 0 ? ticks->world_chunks
                                          : ticks->lists[world & store->table_mask].chunks;
    uint32_t end = (store->counts[world] >> ticks->chunk_shift) + 1;
    bool changed = false;
    for (uint32_t chunk = 0; chunk < end && chunk < room && !changed; chunk++) {
        changed = tick_load(&chunk_ticks(store, world, chunk)[number - 1]) > capture->clock;
    }
    return changed;
}

// Where a column of a chunk is, or becomes, in the world.
static char *live_column(cosm_world world, const struct store *store, uint32_t chunk,
                         uint32_t column) {
    return store_cell(store, store_table(store, world.index), world.index, column,
                      chunk * store->archetype->chunk_rows, store->archetype->sizes[column]);
}

bool cosmi_capture_is_written(cosm_world world, const struct store *store, const struct part *table,
                              uint32_t chunk, uint32_t column) {
    if (!column_is_shown(world.batch, store, column)) {
        return false;
    }
    size_t size =
        (size_t)table_chunk_rows(table, chunk) * image_column_size(table->archetype, column);
    return size > 0 && memcmp(live_column(world, store, chunk, column),
                              cosmi_table_column(table, chunk, column), size) != 0;
}

// Do the rows of a group still share what they shared in the base?
static bool shares_same(const struct store *store, const struct part *base) {
    bool same = true;
    for (uint32_t i = 0; i < base->object_count && same; i++) {
        const struct shared_value *value = store->group->values[i];
        same = value_is_equal(value->type, value->bytes, base->objects[i]->bytes);
    }
    return same;
}

// Has the outside written into a chunk of columns that it should only read?
static bool is_chunk_written(const struct capture *capture, const struct store *store,
                             const struct part *base, uint32_t chunk) {
    bool is_written = false;
    if (capture->world.batch->shown_columns != NULL) {
        for (uint32_t c = 0; c < store->archetype->column_count && !is_written; c++) {
            is_written = cosmi_capture_is_written(capture->world, store, base, chunk, c);
        }
    }
    return is_written;
}

static bool is_table_clean(const struct capture *capture, const struct live_part *live,
                           const struct part *base) {
    const struct store *store = live->at;
    bool is_clean = store->ticks != NULL && shares_same(store, base);
    for (uint32_t chunk = 0; is_clean && chunk < table_chunks(base); chunk++) {
        is_clean =
            is_chunk_clean(capture, store, chunk) && !is_chunk_written(capture, store, base, chunk);
    }
    return is_clean;
}

// The columns of chunks that were not written since the base; those that the outside can write are
// compared.
static void share_columns(const struct capture *capture, const struct live_part *live,
                          struct part *table, const struct part *base) {
    const struct store *store = live->at;
    const struct archetype *archetype = table->archetype;
    uint32_t columns = archetype->column_count;
    if (store->ticks == NULL || table_is_packed(archetype, table->table.count) ||
        table_is_packed(archetype, base->table.count)) {
        return;
    }
    uint32_t chunks =
        table_chunks(table) < table_chunks(base) ? table_chunks(table) : table_chunks(base);
    for (uint32_t chunk = 0; chunk < chunks; chunk++) {
        bool has_rows = table_chunk_rows(table, chunk) == table_chunk_rows(base, chunk);
        struct blob *const *kept = base->blobs + (size_t)chunk * columns;
        struct blob **blobs = table->blobs + (size_t)chunk * columns;
        for (uint32_t c = 0; has_rows && c < columns; c++) {
            if (kept[c] != NULL &&
                is_column_clean(store, capture->world.index, capture->clock, chunk, c) &&
                !cosmi_capture_is_written(capture->world, store, base, chunk, c)) {
                blobs[c] = blob_retain(kept[c]);
            }
        }
    }
}

static void find_table_blob(const struct capture *capture, const struct live_part *live,
                            const struct part *table, uint32_t i, struct live_blob *out) {
    const struct archetype *archetype = table->archetype;
    if (!table_is_packed(archetype, table->table.count)) {
        uint32_t column = i % archetype->column_count;
        out->is_there = image_column_size(archetype, column) > 0;
        out->bytes = out->is_there ? live_column(capture->world, live->at,
                                                 i / archetype->column_count, column)
                                   : NULL;
    }
}

// All columns of a small table, one behind the other.
static void fill_packed(const struct capture *capture, const struct live_part *live,
                        const struct part *table, uint32_t i, void *out) {
    const struct archetype *archetype = table->archetype;
    char *at = out;
    (void)i;
    for (uint32_t c = 0; c < archetype->column_count; c++) {
        size_t size = (size_t)table->table.count * image_column_size(archetype, c);
        if (size > 0) {
            memcpy(at, live_column(capture->world, live->at, 0, c), size);
            size_t padded = align_up(size, 16);
            memset(at + size, 0, padded - size);
            at += padded;
        }
    }
}

// What the rows of a group share.
static struct live_object find_shared_value(cosm_world world, const struct live_part *live,
                                            const struct part *table, uint32_t i) {
    const struct store *store = live->at;
    const struct shared_value *value = store->group->values[i];
    (void)world;
    (void)table;
    return (struct live_object){value->type, value->bytes, true};
}

// Room for the rows. Those of groups are made with their groups.
static cosm_result reserve_table(struct restore *restore, const struct part *table,
                                 struct restore_plan *plan) {
    (void)plan;
    struct store *store =
        cosmi_batch_make_store(restore->world.batch, restore->call, table->archetype);
    if (store == NULL) {
        return cosm_error_result();
    }
    if (table_group(table) != GROUP_NONE) {
        return COSM_OK;
    }
    uint32_t have = store->counts[restore->world.index];
    uint64_t more = table->table.count > have ? table->table.count - have : 0;
    return cosmi_rows_make_rows(restore->world, restore->call, store, more);
}

// The table of an image that has the number and archetype of a store.
static const struct part *same_table(const struct world_image *image, uint32_t number,
                                     const struct archetype *archetype) {
    const struct part *table = image == NULL ? NULL : image_find(image, PART_TABLE, number);
    return table != NULL && table->archetype == archetype ? table : NULL;
}

// Nothing else is to be done for rows that go: what they own is brought to what the image says on
// its own.
static void prune_tables(struct restore *restore) {
    struct cosm_batch *batch = restore->world.batch;
    uint32_t world = restore->world.index;
    struct store *store = world_first_store(batch, world);
    for (; store != NULL; store = world_next_store(batch, world, store)) {
        if (store->counts[world] > 0 &&
            same_table(restore->image, store->id, store->archetype) == NULL) {
            store_note_fewer(store);
            store->counts[world] = 0;
        }
    }
}

// Is the column of the chunk in the world what the image says, without looking at it? Not where
// rows have gone: nobody keeps the bytes behind the last row.
static bool is_in_place(const struct restore *restore, const struct store *store,
                        const struct part *table, const struct part *base, uint32_t chunk,
                        uint32_t column) {
    const struct archetype *archetype = table->archetype;
    bool is_packed = table_is_packed(archetype, table->table.count);
    uint32_t end = chunk * archetype->chunk_rows + table_chunk_rows(table, chunk);
    if (base == NULL || table_is_packed(archetype, base->table.count) != is_packed ||
        chunk >= table_chunks(base) || end > store->counts[restore->world.index] ||
        !is_column_clean(store, restore->world.index, restore->clock, chunk, column)) {
        return false;
    }
    size_t at = is_packed ? 0 : (size_t)chunk * archetype->column_count + column;
    return base->blobs[at] == table->blobs[at] &&
           !cosmi_capture_is_written(restore->world, store, table, chunk, column);
}

static void stamp_restored(const struct restore *restore, const struct store *store, uint32_t chunk,
                           uint32_t rows, uint32_t column) {
    if (store->ticks != NULL) {
        const struct archetype *archetype = store->archetype;
        change_stamp(store, restore->world.index, column - archetype->columns[column].part,
                     chunk * archetype->chunk_rows, rows, world_clock(restore->world));
    }
}

// Copies back what differs of a chunk, and tells those who watch changes. Tags have no bytes: they
// are new to their rows where the rows are others.
static void adopt_chunk(const struct restore *restore, const struct store *store,
                        const struct part *table, const struct part *base, uint32_t chunk) {
    const struct archetype *archetype = table->archetype;
    uint32_t rows = table_chunk_rows(table, chunk);
    for (uint32_t c = 0; c < archetype->column_count; c++) {
        size_t size = (size_t)rows * image_column_size(archetype, c);
        if (archetype->columns[c].is_ticks ||
            is_in_place(restore, store, table, base, chunk, size == 0 ? ENTITY_COLUMN : c)) {
            continue;
        }
        if (size > 0) {
            memcpy(live_column(restore->world, store, chunk, c),
                   cosmi_table_column(table, chunk, c), size);
        }
        stamp_restored(restore, store, chunk, rows, c);
    }
}

void cosmi_clear_row_ticks(const struct store *store, uint32_t world, uint32_t count) {
    const struct archetype *archetype = store->archetype;
    uint32_t had = store->counts[world];
    for (uint32_t c = 0; c < archetype->column_count && count > had; c++) {
        if (archetype->columns[c].is_ticks) {
            uint32_t size = archetype->sizes[c];
            memset(store_cell(store, store_table(store, world), world, c, had, size), 0,
                   (size_t)(count - had) * size);
        }
    }
}

static void adopt_table(struct restore *restore, const struct part *table,
                        struct restore_plan *plan) {
    (void)plan;
    uint32_t world = restore->world.index;
    uint32_t count = table->table.count;
    struct store *store = world_store(restore->world.batch, world, table->key);
    const struct part *base = same_table(restore->base, table->key, table->archetype);
    INVARIANT(store_capacity(store, world) >= count, "room was made for the rows");
    cosmi_clear_row_ticks(store, world, count);
    for (uint32_t chunk = 0; chunk < table_chunks(table); chunk++) {
        adopt_chunk(restore, store, table, base, chunk);
    }
    store_note_fewer(store);
    store->counts[world] = count;
    cosmi_rows_touch(restore->world, store);
}

static const char *values_fault(const struct part *table, const struct schema *schema) {
    const struct archetype *archetype = table->archetype;
    uint32_t group = table_group(table);
    if ((group != GROUP_NONE) != (archetype->shared_count > 0) ||
        (group == GROUP_NONE && table->key != archetype->id)) {
        return "a table has a group without shared values, or shared values without a group";
    }
    if (group != GROUP_NONE && group >= TABLE_RESERVED - GROUP_FIRST) {
        return "the number of a group is too large";
    }
    for (uint32_t i = 0; i < archetype->shared_count; i++) {
        if (table->objects[i] == NULL ||
            table->objects[i]->type != schema_component(schema, archetype->shared[i])) {
            return "a table lacks a value of a shared component";
        }
    }
    return NULL;
}

static const char *table_fault(const struct schema *schema, const struct world_image *image,
                               const struct part *table) {
    const struct archetype *archetype = table->archetype;
    (void)image;
    if (archetype == NULL || schema_archetype(schema, archetype->id) != archetype) {
        return "a table has no archetype of this engine";
    }
    bool is_fixed = archetype->placement == COSM_PLACEMENT_FIXED;
    uint32_t most = is_fixed ? archetype->max_per_world : COSM_TABLE_ROW_MAX;
    if (table->table.count == 0 || table->table.count > most) {
        return "a table has no rows, or more than its archetype allows";
    }
    return values_fault(table, schema);
}

const struct part_kind cosmi_kind_table = {
    .next = next_table,
    .shape = shape_table,
    .is_clean = is_table_clean,
    .share = share_columns,
    .blob = find_table_blob,
    .fill = fill_packed,
    .object = find_shared_value,
    .reserve = reserve_table,
    .prune = prune_tables,
    .adopt = adopt_table,
    .fault = table_fault,
};
