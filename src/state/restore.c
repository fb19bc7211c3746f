// Restoring a world: rows, ids and singletons, chunk by chunk where they differ.
#include "state/restore.h"

#include "state/capture.h"
#include "store/change.h"
#include "store/rows.h"

// Room for the rows of the archetypes of an image. Those of groups are made with their groups.
static cosm_result prepare_tables(const struct restore *restore) {
    struct cosm_batch *batch = restore->world.batch;
    uint32_t world = restore->world.index;
    for (uint32_t i = 0; i < restore->image->table_count; i++) {
        const struct table_image *table = restore->image->tables[i];
        struct store *store = cosmi_batch_make_store(batch, restore->call, table->archetype);
        if (store == NULL) {
            return cosm_error_result();
        }
        if (table->group != GROUP_NONE) {
            continue;
        }
        uint32_t have = store->counts[world];
        uint64_t more = table->count > have ? table->count - have : 0;
        cosm_result result = cosmi_rows_make_rows(restore->world, restore->call, store, more);
        if (result != COSM_OK) {
            return result;
        }
    }
    return COSM_OK;
}

static cosm_result prepare_directory(const struct restore *restore) {
    struct cosm_batch *batch = restore->world.batch;
    const struct directory_image *image = &restore->image->directory;
    // Promises may have to be settled, to be broken.
    uint32_t settled = image->used + image->promised_fresh;
    return cosmi_directory_fit(world_data(restore->world), &batch->memory, &batch->pool,
                               settled > image->known ? settled : image->known)
               ? COSM_OK
               : cosmi_fail_memory(batch->sink, &batch->memory, restore->call);
}

static cosm_result prepare_beside(struct restore *restore) {
    const struct world_image *image = restore->image;
    struct cosm_batch *batch = restore->world.batch;
    uint32_t world = restore->world.index;
    bool needed = image->tree != NULL || image->shared_order != NULL || image->managed_count > 0 ||
                  image->sector_count > 0;
    if (needed && cosmi_batch_beside(batch, restore->call, world) == NULL) {
        return COSM_ERROR_MEMORY;
    }
    if (batch->besides[world] == NULL) {
        return COSM_OK;
    }
    cosm_result result = cosmi_prepare_tree(restore);
    if (result == COSM_OK) {
        result = cosmi_prepare_shared(restore);
        if (result == COSM_OK) {
            result = cosmi_prepare_managed(restore);
            if (result == COSM_OK) {
                result = cosmi_prepare_sectors(restore);
                if (result == COSM_OK) {
                    return COSM_OK;
                }
                cosmi_cancel_managed(restore);
            }
            cosmi_cancel_shared(restore);
        }
        cosmi_cancel_tree(restore);
    }
    return result;
}

cosm_result cosmi_restore_prepare(struct restore *restore, cosm_world world, const char *call,
                                  const struct world_image *image) {
    struct world_base base = {NULL, 0};
    if (world.batch->bases != NULL) {
        base = world.batch->bases[world.index];
        world_stamp_open(world);
    }
    *restore = (struct restore){
        .world = world, .call = call, .image = image, .base = base.image, .clock = base.clock};
    cosm_result result = prepare_tables(restore);
    result = result == COSM_OK ? prepare_directory(restore) : result;
    return result == COSM_OK ? prepare_beside(restore) : result;
}

void cosmi_restore_cancel(struct restore *restore) {
    if (restore->world.batch->besides[restore->world.index] != NULL) {
        cosmi_cancel_sectors(restore);
        cosmi_cancel_managed(restore);
        cosmi_cancel_shared(restore);
        cosmi_cancel_tree(restore);
    }
}

// Where a chunk of a column is, or becomes, in the world.
static char *restored_cells(const struct restore *restore, const struct store *store,
                            uint32_t chunk, uint32_t column) {
    uint32_t world = restore->world.index;
    return store_cell(store, store_table(store, world), world, column,
                      chunk * store->archetype->chunk_rows, store->archetype->sizes[column]);
}

// Does the world still hold what the base says of a column of a chunk?
static bool is_as_in_base(const struct restore *restore, const struct store *store, uint32_t chunk,
                          uint32_t column) {
    const struct store_ticks *ticks = store->ticks;
    if (ticks == NULL) {
        return false;
    }
    const struct column_info *info = &store->archetype->columns[column];
    uint32_t number = ticks->numbers[column - info->part];
    return number != 0 &&
           tick_load(&table_ticks(
               store, restore->world.index)[(size_t)chunk * ticks->tracked_count + number - 1]) <=
               restore->clock;
}

// Is the column of the chunk in the world what the image says, without looking at it? Not where
// rows have gone: nobody keeps the bytes behind the last row.
static bool is_in_place(const struct restore *restore, const struct store *store,
                        const struct table_image *table, const struct table_image *base,
                        uint32_t chunk, uint32_t column) {
    uint32_t end = chunk * table->archetype->chunk_rows + image_chunk_rows(table, chunk);
    if (base == NULL || base->is_packed != table->is_packed || chunk >= base->chunk_count ||
        end > store->counts[restore->world.index] ||
        !is_as_in_base(restore, store, chunk, column)) {
        return false;
    }
    size_t at = table->is_packed ? 0 : (size_t)chunk * table->archetype->column_count + column;
    return base->pieces[at] == table->pieces[at] &&
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
static void restore_chunk(const struct restore *restore, const struct store *store,
                          const struct table_image *table, const struct table_image *base,
                          uint32_t chunk) {
    const struct archetype *archetype = table->archetype;
    uint32_t rows = image_chunk_rows(table, chunk);
    for (uint32_t c = 0; c < archetype->column_count; c++) {
        size_t size = (size_t)rows * image_column_size(archetype, c);
        if (archetype->columns[c].is_ticks ||
            is_in_place(restore, store, table, base, chunk, size == 0 ? ENTITY_COLUMN : c)) {
            continue;
        }
        if (size > 0) {
            memcpy(restored_cells(restore, store, chunk, c), cosmi_image_column(table, chunk, c),
                   size);
        }
        stamp_restored(restore, store, chunk, rows, c);
    }
}

static const struct table_image *same_table(const struct world_image *image, uint32_t number,
                                            const struct archetype *archetype) {
    const struct table_image *table = image == NULL ? NULL : cosmi_image_table(image, number);
    return table != NULL && table->archetype == archetype ? table : NULL;
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

static void restore_table(const struct restore *restore, const struct table_image *table) {
    uint32_t world = restore->world.index;
    uint32_t number = table_image_number(table);
    struct store *store = world_store(restore->world.batch, world, number);
    const struct table_image *base = same_table(restore->base, number, table->archetype);
    INVARIANT(store_capacity(store, world) >= table->count, "room was made for the rows");
    cosmi_clear_row_ticks(store, world, table->count);
    for (uint32_t chunk = 0; chunk < table->chunk_count; chunk++) {
        restore_chunk(restore, store, table, base, chunk);
    }
    store_note_fewer(store);
    store->counts[world] = table->count;
    cosmi_rows_touch(restore->world, store);
}

// Tables that the image does not have lose their rows. Nothing else is to be done for those: what
// rows own is brought to what the image says on its own.
static void clear_others(const struct restore *restore) {
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

static void restore_directory(const struct restore *restore) {
    const struct directory_image *image = &restore->image->directory;
    struct world *world = world_data(restore->world);
    const struct directory_image *base = restore->ids_same ? &restore->base->directory : NULL;
    for (uint32_t i = 0; i < image->page_count; i++) {
        const struct piece *page = image->pages[i];
        if (base == NULL || i >= base->page_count || base->pages[i] != page) {
            memcpy(world->records + i * RECORD_PAGE_IDS, page->bytes, page->size);
        }
    }
    world->used = image->used;
    world->known = image->known;
    world->free_head = image->free_head;
    world->free_count = image->free_count;
    world->alive = image->alive;
    world->fresh_deaths = (uint16_t)image->fresh_deaths;
    world->promise_cursor = image->promise_cursor;
    atomic_store_explicit(&world->promised_free, image->promised_free, memory_order_relaxed);
    atomic_store_explicit(&world->promised_fresh, image->promised_fresh, memory_order_relaxed);
    world->is_stirred = false;
}

// A singleton that the image does not have is new since then: it gets its default.
static void restore_singletons(const struct restore *restore) {
    const struct cosm_batch *batch = restore->world.batch;
    const struct world_image *image = restore->image;
    for (uint32_t id = 1; id < paged_count(&batch->singletons); id++) {
        char *values = paged_get(&batch->singletons, id);
        if (values == NULL) {
            continue;
        }
        const struct value_type *type = schema_singleton(batch->schema, id);
        char *value = values + restore->world.index * (size_t)type->size;
        if (id < image->singleton_end && image->singletons[id] != NULL) {
            memcpy(value, image->singletons[id]->bytes, type->size);
        } else if (type->default_value != NULL) {
            memcpy(value, type->default_value, type->size);
        } else {
            memset(value, 0, type->size);
        }
    }
}

static void restore_beside(struct restore *restore) {
    if (restore->world.batch->besides[restore->world.index] == NULL) {
        return;
    }
    cosmi_restore_tree(restore);
    cosmi_restore_managed(restore);
    cosmi_restore_sectors(restore);
}

void cosmi_restore_do(struct restore *restore, struct memory *memory) {
    cosm_world world = restore->world;
    struct cosm_batch *batch = world.batch;
    struct world_image *image = (struct world_image *)(uintptr_t)restore->image;
    struct capture known = {world, restore->call, memory, restore->base, restore->clock};
    restore->ids_same = cosmi_capture_ids_same(&known);
    batch_note_replaced(batch);
    clear_others(restore);
    if (batch->besides[world.index] != NULL) {
        cosmi_restore_shared(restore);
    }
    for (uint32_t i = 0; i < image->table_count; i++) {
        restore_table(restore, image->tables[i]);
    }
    restore_directory(restore);
    restore_singletons(restore);
    restore_beside(restore);
    world_set_stream(batch, world.index, image->stream.seed, image->stream.step,
                     image->stream.number);
    if (batch->bases != NULL) {
        atomic_fetch_add_explicit(&image->refs, 1, memory_order_relaxed);
        cosmi_image_give(memory, batch->bases[world.index].image);
        batch->bases[world.index] = (struct world_base){image, world_clock(world)};
        world_tick(world);
    }
}
