// Capturing a world: tables by their ticks, the directory by pages, singletons by their bytes.
//
// What says that nothing has changed: the ticks of a chunk are not later than the base. Columns
// that the outside is shown to be read are compared, as it can write them. Ids have changed when a
// row has come, gone or moved, which the ticks of the entity columns tell, or when the world says
// that they were stirred. Then its pages are compared with the base's.
#include "state/capture.h"

#include "store/change.h"
#include "store/rows.h"

// Bases come last: where they are, everything is tracked.
cosm_result cosmi_capture_ready(struct cosm_batch *batch, const char *call) {
    // Bit 0 stands for the entity column; the others for components that are yet to be defined too.
    uint64_t all[COSM_COMPONENT_MAX / 64 + 1];
    memset(all, 0xFF, sizeof(all));
    bool tracked = batch->ticks != NULL && memcmp(batch->ticks->tracked, all, sizeof(all)) == 0;
    if (!tracked && !cosmi_change_track(batch, all)) {
        return cosmi_fail_memory(batch->sink, &batch->memory, call);
    }
    if (batch->bases == NULL) {
        size_t size = batch->world_count * sizeof(struct world_base);
        batch->bases = cosmi_memory_take_zeroed(&batch->memory, size, _Alignof(struct world_base));
    }
    return batch->bases != NULL ? COSM_OK : cosmi_fail_memory(batch->sink, &batch->memory, call);
}

void cosmi_base_forget(struct cosm_batch *batch, struct memory *memory, uint32_t world) {
    if (batch->bases != NULL) {
        cosmi_image_give(memory, batch->bases[world].image);
        batch->bases[world] = (struct world_base){NULL, 0};
    }
}

void cosmi_bases_free(struct cosm_batch *batch, struct memory *memory) {
    for (uint32_t w = 0; batch->bases != NULL && w < batch->world_count; w++) {
        cosmi_base_forget(batch, memory, w);
    }
    cosmi_memory_give(&batch->memory, batch->bases, batch->world_count * sizeof(struct world_base),
                      _Alignof(struct world_base));
    batch->bases = NULL;
}

// Has one of the columns of a chunk changed since the base?
static bool has_chunk_changed(const struct capture *capture, const struct store *store,
                              uint32_t chunk) {
    const struct store_ticks *ticks = store->ticks;
    const tick_cell *cells =
        table_ticks(store, capture->world.index) + (size_t)chunk * ticks->tracked_count;
    bool changed = false;
    for (uint32_t n = 0; n < ticks->tracked_count; n++) {
        changed |= tick_load(&cells[n]) > capture->clock;
    }
    return changed;
}

static bool has_column_changed(const struct capture *capture, const struct store *store,
                               uint32_t chunk, uint32_t number) {
    const struct store_ticks *ticks = store->ticks;
    const tick_cell *cells =
        table_ticks(store, capture->world.index) + (size_t)chunk * ticks->tracked_count;
    return number == 0 || tick_load(&cells[number - 1]) > capture->clock;
}

// The tick that stands for a column: of a split component's parts, that of the first.
static uint32_t column_number(const struct store *store, uint32_t column) {
    const struct column_info *info = &store->archetype->columns[column];
    return store->ticks->numbers[column - info->part];
}

// Have rows come or gone, whether or not others have taken their places?
static bool have_rows_changed(const struct capture *capture, const struct store *store) {
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
    // One chunk more than has rows: what came there first and went again.
    uint32_t end = (store->counts[world] >> ticks->chunk_shift) + 1;
    const tick_cell *cells = table_ticks(store, world) + number - 1;
    bool changed = false;
    for (uint32_t chunk = 0; chunk < end && chunk < room && !changed; chunk++) {
        changed = tick_load(&cells[(size_t)chunk * ticks->tracked_count]) > capture->clock;
    }
    return changed;
}

static void *captured_cells(cosm_world world, const struct store *store, uint32_t chunk,
                            uint32_t column) {
    uint32_t index = world.index;
    return store_cell(store, store_table(store, index), index, column,
                      chunk * store->archetype->chunk_rows, store->archetype->sizes[column]);
}

bool cosmi_capture_is_written(cosm_world world, const struct store *store,
                              const struct table_image *table, uint32_t chunk, uint32_t column) {
    if (!column_is_shown(world.batch, store, column)) {
        return false;
    }
    size_t size =
        (size_t)image_chunk_rows(table, chunk) * image_column_size(table->archetype, column);
    return size > 0 && memcmp(captured_cells(world, store, chunk, column),
                              cosmi_image_column(table, chunk, column), size) != 0;
}

// All columns of a small table, one behind the other.
static bool capture_packed(const struct capture *capture, const struct store *store,
                           struct table_image *table) {
    const struct archetype *archetype = table->archetype;
    struct piece *piece =
        cosmi_piece_create(capture->memory, cosmi_packed_size(archetype, table->count));
    if (piece == NULL) {
        return false;
    }
    char *at = piece_fill(piece);
    for (uint32_t c = 0; c < archetype->column_count; c++) {
        size_t size = (size_t)table->count * image_column_size(archetype, c);
        if (size > 0) {
            memcpy(at, captured_cells(capture->world, store, 0, c), size);
            size_t padded = align_up(size, 16);
            memset(at + size, 0, padded - size);
            at += padded;
        }
    }
    table->pieces[0] = piece;
    return true;
}

// The columns of one chunk: those of the base that have not changed, and copies of the others.
static bool capture_chunk(const struct capture *capture, const struct store *store,
                          struct table_image *table, const struct table_image *base,
                          uint32_t chunk) {
    const struct archetype *archetype = table->archetype;
    uint32_t rows = image_chunk_rows(table, chunk);
    struct piece **pieces = table->pieces + (size_t)chunk * archetype->column_count;
    struct piece *const *kept = NULL;
    if (base != NULL && !base->is_packed && chunk < base->chunk_count &&
        image_chunk_rows(base, chunk) == rows) {
        kept = base->pieces + (size_t)chunk * archetype->column_count;
    }
    for (uint32_t c = 0; c < archetype->column_count; c++) {
        size_t size = (size_t)rows * image_column_size(archetype, c);
        if (size == 0) {
            continue;
        }
        if (kept != NULL && !has_column_changed(capture, store, chunk, column_number(store, c)) &&
            !cosmi_capture_is_written(capture->world, store, base, chunk, c)) {
            pieces[c] = piece_keep(kept[c]);
        } else {
            pieces[c] = cosmi_piece_copy(capture->memory,
                                         captured_cells(capture->world, store, chunk, c), size);
        }
        if (pieces[c] == NULL) {
            return false;
        }
    }
    return true;
}

// What the rows of a group share.
static cosm_result capture_values(const struct capture *capture, const struct store *store,
                                  struct table_image *table, const struct table_image *base) {
    table->group = store->group->number;
    for (uint32_t i = 0; i < table->archetype->shared_count; i++) {
        const struct shared_value *value = store->group->values[i];
        table->shared[i] =
            cosmi_object_same(capture->memory, capture->world.batch->sink, capture->call,
                              value->type, base == NULL ? NULL : base->shared[i], value->bytes);
        if (table->shared[i] == NULL) {
            return cosm_error_result();
        }
    }
    return COSM_OK;
}

// Do the rows of a group still share what they shared in the base?
static bool shares_same(const struct store *store, const struct table_image *base) {
    bool same = true;
    for (uint32_t i = 0; store->group != NULL && i < base->archetype->shared_count && same; i++) {
        const struct shared_value *value = store->group->values[i];
        same = value_is_equal(value->type, value->bytes, base->shared[i]->bytes);
    }
    return same;
}

// Has the outside written into a chunk of columns that it should only read?
static bool is_chunk_written(const struct capture *capture, const struct store *store,
                             const struct table_image *base, uint32_t chunk) {
    bool is_written = false;
    if (capture->world.batch->shown_columns != NULL) {
        for (uint32_t c = 0; c < store->archetype->column_count && !is_written; c++) {
            is_written = cosmi_capture_is_written(capture->world, store, base, chunk, c);
        }
    }
    return is_written;
}

static bool has_table_changed(const struct capture *capture, const struct store *store,
                              const struct table_image *base) {
    uint32_t count = store->counts[capture->world.index];
    if (base == NULL || base->count != count || store->ticks == NULL || !shares_same(store, base)) {
        return true;
    }
    for (uint32_t chunk = 0; chunk < base->chunk_count; chunk++) {
        if (has_chunk_changed(capture, store, chunk) ||
            is_chunk_written(capture, store, base, chunk)) {
            return true;
        }
    }
    return false;
}

static const struct table_image *base_table(const struct capture *capture,
                                            const struct store *store, uint32_t hint) {
    const struct world_image *base = capture->base;
    uint32_t number = store->id;
    if (base == NULL) {
        return NULL;
    }
    // Mostly the stores come in the order in which they came the last time.
    if (hint < base->table_count && table_image_number(base->tables[hint]) == number &&
        base->tables[hint]->archetype == store->archetype) {
        return base->tables[hint];
    }
    const struct table_image *found = cosmi_image_table(base, number);
    return found != NULL && found->archetype == store->archetype ? found : NULL;
}

static cosm_result capture_table(const struct capture *capture, const struct store *store,
                                 const struct table_image *base, struct table_image **out_table) {
    uint32_t count = store->counts[capture->world.index];
    if (!has_table_changed(capture, store, base)) {
        struct table_image *kept = (struct table_image *)(uintptr_t)base;
        atomic_fetch_add_explicit(&kept->refs, 1, memory_order_relaxed);
        *out_table = kept;
        return COSM_OK;
    }
    struct table_image *table =
        cosmi_table_image_create(capture->memory, store->archetype, count, false);
    bool done = table != NULL;
    *out_table = table;
    if (done && store->group != NULL) {
        cosm_result result = capture_values(capture, store, table, base);
        if (result != COSM_OK) {
            return result;
        }
    }
    if (done && table->is_packed) {
        done = capture_packed(capture, store, table);
    }
    for (uint32_t chunk = 0; done && !table->is_packed && chunk < table->chunk_count; chunk++) {
        done = capture_chunk(capture, store, table, store->ticks == NULL ? NULL : base, chunk);
    }
    return done ? COSM_OK
                : cosmi_fail_memory(capture->world.batch->sink, capture->memory, capture->call);
}

static cosm_result capture_tables(const struct capture *capture, struct world_image *image) {
    const struct cosm_batch *batch = capture->world.batch;
    uint32_t world = capture->world.index;
    uint32_t at = 0;
    const struct store *store = world_first_store(batch, world);
    for (; store != NULL; store = world_next_store(batch, world, store)) {
        if (store->counts[world] == 0) {
            continue;
        }
        const struct table_image *base = base_table(capture, store, at);
        cosm_result result = capture_table(capture, store, base, &image->tables[at]);
        at++;
        if (result != COSM_OK) {
            return result;
        }
    }
    INVARIANT(at == image->table_count, "tables with rows were counted");
    cosmi_image_enter_tables(image);
    return COSM_OK;
}

static struct directory_image read_directory(struct world *world) {
    uint32_t promised = atomic_load_explicit(&world->promised_free, memory_order_relaxed);
    return (struct directory_image){
        .used = world->used,
        .known = world->known,
        .free_head = world->free_head,
        .free_count = world->free_count,
        .alive = world->alive,
        .fresh_deaths = world->fresh_deaths,
        .promised_free = promised,
        .promised_fresh = atomic_load_explicit(&world->promised_fresh, memory_order_relaxed),
        // Without promises it is what an earlier one left: equal states have equal images.
        .promise_cursor = promised == 0 ? ID_NONE : world->promise_cursor,
        .page_count = (world->known + RECORD_PAGE_IDS - 1) / RECORD_PAGE_IDS,
    };
}

bool cosmi_capture_ids_same(const struct capture *capture) {
    const struct world *world = world_data(capture->world);
    const struct directory_image *base = capture->base == NULL ? NULL : &capture->base->directory;
    bool same = base != NULL && !world->is_stirred && base->used == world->used &&
                base->known == world->known && base->free_head == world->free_head &&
                base->free_count == world->free_count && base->alive == world->alive &&
                base->fresh_deaths == world->fresh_deaths;
    const struct cosm_batch *batch = capture->world.batch;
    const struct store *store = world_first_store(batch, capture->world.index);
    for (; same && store != NULL; store = world_next_store(batch, capture->world.index, store)) {
        same = !have_rows_changed(capture, store);
    }
    return same;
}

// The pages of the directory: those of the base that are still the same, and copies of the others.
static bool capture_pages(const struct capture *capture, struct page_list *list) {
    const struct world *world = world_data(capture->world);
    const struct directory_image *base = capture->base == NULL ? NULL : &capture->base->directory;
    for (uint32_t i = 0; i < list->count; i++) {
        uint32_t first = i * RECORD_PAGE_IDS;
        uint32_t left = world->known - first;
        size_t size = (left < RECORD_PAGE_IDS ? left : RECORD_PAGE_IDS) * sizeof(struct record);
        struct piece *kept = base != NULL && i < base->page_count ? base->pages[i] : NULL;
        list->pages[i] = cosmi_piece_same(capture->memory, kept, world->records + first, size);
        if (list->pages[i] == NULL) {
            return false;
        }
    }
    return true;
}

static cosm_result capture_directory(const struct capture *capture, struct world_image *image) {
    image->directory = read_directory(world_data(capture->world));
    uint32_t page_count = image->directory.page_count;
    if (page_count == 0) {
        return COSM_OK;
    }
    struct page_list *list;
    bool done = true;
    if (cosmi_capture_ids_same(capture)) {
        list = capture->base->directory.list;
        atomic_fetch_add_explicit(&list->refs, 1, memory_order_relaxed);
    } else {
        list = cosmi_page_list_create(capture->memory, page_count);
        done = list != NULL && capture_pages(capture, list);
    }
    image->directory.list = list;
    image->directory.pages = list == NULL ? NULL : list->pages;
    image->directory.page_count = list == NULL ? 0 : page_count;
    return done ? COSM_OK
                : cosmi_fail_memory(capture->world.batch->sink, capture->memory, capture->call);
}

static cosm_result capture_singletons(const struct capture *capture, struct world_image *image) {
    const struct cosm_batch *batch = capture->world.batch;
    for (uint32_t id = 1; id < image->singleton_end; id++) {
        const char *values = paged_get(&batch->singletons, id);
        if (values == NULL) {
            continue;
        }
        size_t size = schema_singleton(batch->schema, id)->size;
        struct piece *kept = capture->base != NULL && id < capture->base->singleton_end
                                 ? capture->base->singletons[id]
                                 : NULL;
        image->singletons[id] =
            cosmi_piece_same(capture->memory, kept, values + capture->world.index * size, size);
        if (image->singletons[id] == NULL) {
            return cosmi_fail_memory(batch->sink, capture->memory, capture->call);
        }
    }
    return COSM_OK;
}

static struct image_counts count_captured(const struct capture *capture) {
    const struct cosm_batch *batch = capture->world.batch;
    uint32_t world = capture->world.index;
    struct image_counts counts = {
        .singletons = paged_count(&batch->singletons),
        .managed = cosmi_count_managed(batch, world),
        .sectors = cosmi_count_sectors(batch, world),
    };
    const struct store *store = world_first_store(batch, world);
    for (; store != NULL; store = world_next_store(batch, world, store)) {
        counts.tables += store->counts[world] > 0;
    }
    return counts;
}

static cosm_result capture_all(const struct capture *capture, struct world_image *image) {
    const struct cosm_batch *batch = capture->world.batch;
    uint32_t world = capture->world.index;
    image->stream = (struct stream_image){.seed = world_seed(batch, world),
                                          .step = world_step(batch, world),
                                          .number = world_number(batch, world)};
    cosm_result result = capture_tables(capture, image);
    result = result == COSM_OK ? capture_directory(capture, image) : result;
    result = result == COSM_OK ? capture_singletons(capture, image) : result;
    if (result != COSM_OK || batch->besides[world] == NULL) {
        return result;
    }
    result = cosmi_capture_tree(capture, image);
    result = result == COSM_OK ? cosmi_capture_shared(capture, image) : result;
    result = result == COSM_OK ? cosmi_capture_managed(capture, image) : result;
    return result == COSM_OK ? cosmi_capture_sectors(capture, image) : result;
}

static struct world_image *capture_new(const struct capture *capture) {
    struct image_counts counts = count_captured(capture);
    struct world_image *image = cosmi_image_create(capture->memory, &counts);
    if (image == NULL) {
        (void)cosmi_fail_memory(capture->world.batch->sink, capture->memory, capture->call);
        return NULL;
    }
    if (capture_all(capture, image) != COSM_OK) {
        cosmi_image_give(capture->memory, image);
        return NULL;
    }
    return image;
}

struct world_image *cosmi_capture_apart(cosm_world world, struct memory *memory, const char *call) {
    struct capture capture = {world, call, memory, NULL, 0};
    return capture_new(&capture);
}

struct world_image *cosmi_capture_world(cosm_world world, struct memory *memory, const char *call) {
    world_stamp_open(world);
    struct world_base *base = &world.batch->bases[world.index];
    struct capture capture = {world, call, memory, base->image, base->clock};
    struct world_image *image = capture_new(&capture);
    if (image == NULL) {
        return NULL;
    }
    cosmi_image_give(memory, base->image);
    atomic_fetch_add_explicit(&image->refs, 1, memory_order_relaxed);
    *base = (struct world_base){image, world_clock(world)};
    world_tick(world);
    world_data(world)->is_stirred = false;
    return image;
}
