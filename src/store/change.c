// Change ticks: making room for them, and raising them.
#include "store/change.h"

#include <string.h>

#include "store/rows.h"
#include "store/shared.h"

#define TICKS_ALIGNMENT ((size_t)64)

static uint32_t chunks_of(const struct store_ticks *ticks, uint32_t rows) {
    return (uint32_t)(((uint64_t)rows + ((uint64_t)1 << ticks->chunk_shift) - 1) >>
                      ticks->chunk_shift);
}

static size_t list_bytes(const struct store_ticks *ticks, uint32_t chunks) {
    return (size_t)chunks * ticks->tracked_count * sizeof(tick_cell);
}

// Does a list have a piece of its own? The others have their one chunk in the store's.
static bool is_own_list(const struct store_ticks *ticks, uint32_t index) {
    return ticks->lists[index].ticks != ticks->first + (size_t)index * ticks->tracked_count;
}

static void free_tick_list(struct memory *memory, const struct store_ticks *ticks, uint32_t index) {
    if (is_own_list(ticks, index)) {
        cosmi_memory_free(memory, ticks->lists[index].ticks,
                          list_bytes(ticks, ticks->lists[index].chunks), TICKS_ALIGNMENT);
    }
}

static void free_ticks(struct memory *memory, struct store_ticks *ticks) {
    for (uint32_t i = 0; i < ticks->list_count; i++) {
        free_tick_list(memory, ticks, i);
    }
    cosmi_memory_free(memory, ticks, ticks->size, TICKS_ALIGNMENT);
}

void cosmi_ticks_free(struct memory *memory, struct store *store) {
    if (store->ticks != NULL) {
        free_ticks(memory, store->ticks);
        store->ticks = NULL;
    }
}

void cosmi_batch_ticks_free(struct cosm_batch *batch) {
    if (batch->ticks != NULL) {
        cosmi_memory_free(&batch->memory, batch->ticks, batch->ticks->size, TICKS_ALIGNMENT);
        batch->ticks = NULL;
    }
}

static bool is_tracked(const uint64_t *components, uint32_t component) {
    return (components[component / 64] >> (component % 64) & 1) != 0;
}

// Is it a component with a column of its own that the bits name?
static bool wants_ticks(const struct archetype *archetype, uint32_t c, const uint64_t *components) {
    const struct column_info *info = &archetype->columns[c];
    return info->part == 0 && !info->is_ticks && is_tracked(components, info->component);
}

static uint32_t count_tracked(const struct archetype *archetype, const uint64_t *components) {
    uint32_t count = 0;
    for (uint32_t c = 0; c < archetype->column_count; c++) {
        count += wants_ticks(archetype, c, components);
    }
    return count;
}

// The piece of a store's ticks, with all lists at one chunk.
static struct store_ticks *make_piece(struct memory *memory, const struct store *store,
                                      const uint64_t *components, uint32_t tracked_count) {
    const struct archetype *archetype = store->archetype;
    uint32_t list_count = store->fixed_max != 0 || store->table_mask == 0 ? 1 : store->world_count;
    size_t lists_at = align_up(sizeof(struct store_ticks), _Alignof(struct tick_list));
    size_t first_at = align_up(lists_at + list_count * sizeof(struct tick_list), sizeof(tick_cell));
    size_t blocks_at = first_at + (size_t)list_count * tracked_count * sizeof(tick_cell);
    size_t block_count = store->fixed_max != 0 ? store->world_count / WALK_BLOCK : 0;
    size_t numbers_at = blocks_at + block_count * tracked_count * sizeof(tick_cell);
    size_t size = numbers_at + (archetype->column_count + tracked_count) * sizeof(uint16_t);
    struct store_ticks *ticks = cosmi_memory_alloc_zeroed(memory, size, TICKS_ALIGNMENT);
    if (ticks == NULL) {
        return NULL;
    }
    ticks->size = size;
    ticks->tracked_count = tracked_count;
    ticks->column_count = archetype->column_count;
    ticks->list_count = list_count;
    ticks->chunk_shift = log2_of(archetype->chunk_rows);
    ticks->lists = (struct tick_list *)(void *)((char *)ticks + lists_at);
    ticks->first = (tick_cell *)(void *)((char *)ticks + first_at);
    ticks->blocks = block_count == 0 ? NULL : (tick_cell *)(void *)((char *)ticks + blocks_at);
    ticks->numbers = (uint16_t *)(void *)((char *)ticks + numbers_at);
    ticks->row_columns = ticks->numbers + archetype->column_count;
    ticks->world_chunks = chunks_of(ticks, store->fixed_max);
    for (uint32_t i = 0; i < list_count; i++) {
        ticks->lists[i] = (struct tick_list){ticks->first + (size_t)i * tracked_count, 1};
    }
    uint16_t number = 0;
    for (uint32_t c = 0; c < archetype->column_count; c++) {
        if (wants_ticks(archetype, c, components)) {
            const struct column_slot *slot =
                archetype_find(archetype, archetype->columns[c].component);
            ticks->row_columns[number] =
                slot == NULL ? 0 : (uint16_t)slot_ticks_column(archetype, slot);
            ticks->numbers[c] = ++number;
        }
    }
    return ticks;
}

// Makes a list longer, with ticks of zero.
static bool grow_tick_list(struct memory *memory, struct store_ticks *ticks, uint32_t index,
                           uint32_t chunks) {
    struct tick_list *list = &ticks->lists[index];
    if (chunks <= list->chunks) {
        return true;
    }
    tick_cell *grown =
        cosmi_memory_alloc_zeroed(memory, list_bytes(ticks, chunks), TICKS_ALIGNMENT);
    if (grown == NULL) {
        return false;
    }
    for (size_t i = 0; i < (size_t)list->chunks * ticks->tracked_count; i++) {
        atomic_init(&grown[i], tick_load(&list->ticks[i]));
    }
    free_tick_list(memory, ticks, index);
    *list = (struct tick_list){grown, chunks};
    return true;
}

bool cosmi_ticks_reserve(struct memory *memory, struct store *store, uint32_t world,
                         uint32_t rows) {
    struct store_ticks *ticks = store->ticks;
    return ticks == NULL || store->fixed_max != 0 ||
           grow_tick_list(memory, ticks, world & store->table_mask, chunks_of(ticks, rows));
}

void cosmi_ticks_trim(struct memory *memory, struct store *store, uint32_t world, uint32_t rows) {
    struct store_ticks *ticks = store->ticks;
    uint32_t index = world & store->table_mask;
    if (ticks == NULL || store->fixed_max != 0 || !is_own_list(ticks, index)) {
        return;
    }
    uint32_t chunks = chunks_of(ticks, rows);
    chunks = chunks == 0 ? 1 : chunks;
    struct tick_list *list = &ticks->lists[index];
    tick_cell *home = ticks->first + (size_t)index * ticks->tracked_count;
    tick_cell *kept =
        chunks == 1 ? home : cosmi_memory_alloc(memory, list_bytes(ticks, chunks), TICKS_ALIGNMENT);
    if (kept == NULL || chunks >= list->chunks) {
        if (kept != home) {
            cosmi_memory_free(memory, kept, list_bytes(ticks, chunks), TICKS_ALIGNMENT);
        }
        return;
    }
    for (size_t i = 0; i < (size_t)chunks * ticks->tracked_count; i++) {
        atomic_init(&kept[i], tick_load(&list->ticks[i]));
    }
    free_tick_list(memory, ticks, index);
    *list = (struct tick_list){kept, chunks};
}

size_t cosmi_ticks_used(const struct store *store, uint32_t world) {
    const struct store_ticks *ticks = store->ticks;
    if (ticks == NULL) {
        return 0;
    }
    uint32_t chunks = store->fixed_max != 0 ? ticks->world_chunks
                                            : ticks->lists[world & store->table_mask].chunks;
    return list_bytes(ticks, chunks);
}

// The ticks of a store for these components, with room for its tables; NULL when out of memory.
static struct store_ticks *make_ticks(struct memory *memory, const struct store *store,
                                      const uint64_t *components, uint32_t tracked_count) {
    struct store_ticks *ticks = make_piece(memory, store, components, tracked_count);
    for (uint32_t i = 0; ticks != NULL && i < ticks->list_count; i++) {
        const struct table *table = store->tables[i];
        uint32_t chunks = chunks_of(ticks, table == NULL ? 0 : table->capacity);
        if (store->fixed_max != 0) {
            chunks = ticks->world_chunks * store->world_count;
        }
        if (!grow_tick_list(memory, ticks, i, chunks)) {
            free_ticks(memory, ticks);
            ticks = NULL;
        }
    }
    return ticks;
}

bool cosmi_change_adopt(struct cosm_batch *batch, struct store *store) {
    uint32_t count =
        batch->ticks == NULL ? 0 : count_tracked(store->archetype, batch->ticks->tracked);
    if (count == 0) {
        return true;
    }
    store->ticks = make_ticks(&batch->memory, store, batch->ticks->tracked, count);
    if (store->ticks == NULL) {
        return false;
    }
    atomic_fetch_or_explicit(&store->sides, SIDE_TICKS, memory_order_relaxed);
    return true;
}

// Stamps the chunks of one column in which the rows lie.
static void stamp_chunks(const struct store *store, uint32_t world, uint32_t number, uint32_t row,
                         uint32_t count, uint64_t now) {
    const struct store_ticks *ticks = store->ticks;
    size_t tracked = ticks->tracked_count;
    tick_cell *list = table_ticks(store, world) + number;
    uint32_t last = (row + count - 1) >> ticks->chunk_shift;
    for (uint32_t chunk = row >> ticks->chunk_shift; chunk <= last; chunk++) {
        tick_stamp(&list[chunk * tracked], now);
    }
}

void cosmi_change_stamp_rows(const struct store *store, uint32_t world, uint32_t number,
                             uint32_t row, uint32_t count, uint64_t now) {
    uint64_t *at =
        (uint64_t *)store_table(store, world)->columns[store->ticks->row_columns[number]] +
        store_first(store, world) + row;
    for (uint32_t i = 0; i < count; i++) {
        at[i] = at[i] < now ? now : at[i];
    }
}

// The ticks of one column for `worlds` worlds from `world` on.
static void stamp_each_world(const struct cosm_batch *batch, const struct store *store,
                             uint32_t world, uint32_t worlds, uint32_t column, uint32_t rows) {
    for (uint32_t w = world; w < world + worlds; w++) {
        change_stamp(store, w, column, 0, rows, tick_load(&batch->ticks->clocks[w]));
    }
}

void cosmi_change_stamp_worlds(const struct cosm_batch *batch, const struct store *store,
                               uint32_t world, uint32_t column, uint32_t count) {
    const struct store_ticks *ticks = store->ticks;
    uint32_t number = ticks->numbers[column];
    if (number == 0) {
        return;
    }
    bool by_row = ticks->row_columns[number - 1] != 0;
    uint64_t moves = atomic_load_explicit(&batch->ticks->moves, memory_order_relaxed);
    uint32_t full = count / store->fixed_max;
    uint32_t end = world + full;
    while (world < end) {
        bool is_block = world % WALK_BLOCK == 0 && end - world >= WALK_BLOCK;
        uint32_t to_border = WALK_BLOCK - world % WALK_BLOCK;
        uint32_t worlds = to_border < end - world ? to_border : end - world;
        tick_cell *block =
            is_block && !by_row
                ? &ticks->blocks[(size_t)(world / WALK_BLOCK) * ticks->tracked_count + number - 1]
                : NULL;
        if (block == NULL || tick_load(block) != moves) {
            stamp_each_world(batch, store, world, worlds, column, store->fixed_max);
        }
        if (block != NULL) {
            tick_stamp(block, moves);
        }
        world += worlds;
    }
    uint32_t rest = count - full * store->fixed_max;
    if (rest > 0) {
        stamp_each_world(batch, store, world, 1, column, rest);
    }
}

bool cosmi_change_is_shown(const struct cosm_batch *batch, const struct store *store,
                           uint32_t column) {
    uint32_t first = column - store->archetype->columns[column].part;
    const struct open_column *shown = batch->shown_columns;
    while (shown != NULL && (shown->store != store || shown->column != first)) {
        shown = shown->next;
    }
    return shown != NULL;
}

void cosmi_change_stamp_open(cosm_world world) {
    const struct open_column *open = world.batch->open_columns;
    for (; open != NULL && world.batch->ticks != NULL; open = open->next) {
        uint32_t count = open->store->counts[world.index];
        if (count > 0 && open->store->ticks != NULL) {
            change_stamp(open->store, world.index, open->column, 0, count, world_clock(world));
        }
    }
}

void cosmi_change_stamp_all_open(const struct cosm_batch *batch) {
    const struct open_column *open = batch->open_columns;
    for (; open != NULL && batch->ticks != NULL; open = open->next) {
        const struct store *store = open->store;
        if (store->ticks == NULL) {
            continue;
        }
        if (store->fixed_max != 0) {
            cosmi_change_stamp_worlds(batch, store, 0, open->column,
                                      batch->world_count * store->fixed_max);
        } else if (store->counts[0] > 0) {
            change_stamp(store, 0, open->column, 0, store->counts[0],
                         tick_load(&batch->ticks->clocks[0]));
        }
    }
}

void cosmi_change_filled(cosm_world world, const struct store *store, uint32_t row,
                         uint32_t count) {
    uint64_t now = world_clock(world);
    for (uint32_t n = 0; count > 0 && n < store->ticks->tracked_count; n++) {
        stamp_chunks(store, world.index, n, row, count, now);
    }
}

void cosmi_change_spawned(cosm_world world, const struct store *store, uint32_t row,
                          uint32_t count) {
    cosmi_change_filled(world, store, row, count);
    uint64_t now = world_clock(world);
    for (uint32_t n = 0; n < store->ticks->tracked_count; n++) {
        if (store->ticks->row_columns[n] != 0) {
            cosmi_change_stamp_rows(store, world.index, n, row, count, now);
        }
    }
}

// Ticks by row have come along with values that the source had; what is new is stamped.
void cosmi_change_moved(cosm_world world, const struct store *source, const struct store *target,
                        uint32_t row, uint32_t count) {
    const struct store_ticks *ticks = target->ticks;
    cosmi_change_filled(world, target, row, count);
    uint64_t now = world_clock(world);
    for (uint32_t n = 0; n < ticks->tracked_count; n++) {
        uint32_t column = ticks->row_columns[n];
        if (column != 0 &&
            store_find(source, target->archetype->columns[column].component) == NULL) {
            cosmi_change_stamp_rows(target, world.index, n, row, count, now);
        }
    }
}

void cosmi_change_set(cosm_world world, const struct store *store, uint32_t component, uint32_t row,
                      uint32_t count) {
    const struct column_slot *slot = store_find(store, component);
    if (slot != NULL && slot->column != 0 && count > 0) {
        change_stamp(store, world.index, slot->column, row, count, world_clock(world));
    }
}

uint64_t cosmi_change_chunk_tick(cosm_world world, const struct store *store,
                                 const struct column_slot *slot, uint32_t chunk) {
    const struct store_ticks *ticks = store->ticks;
    uint32_t number = ticks == NULL ? 0 : ticks->numbers[slot->column];
    if (number == 0) {
        return UINT64_MAX;
    }
    size_t at = (size_t)chunk * ticks->tracked_count + number - 1;
    return tick_load(&table_ticks(store, world.index)[at]);
}

uint64_t cosmi_change_tick(cosm_world world, const struct store *store,
                           const struct column_slot *slot, uint32_t row) {
    const struct store_ticks *ticks = store->ticks;
    uint32_t number = ticks == NULL ? 0 : ticks->numbers[slot->column];
    uint32_t column = number == 0 ? 0 : ticks->row_columns[number - 1];
    if (column == 0) {
        return cosmi_change_chunk_tick(world, store, slot,
                                       number == 0 ? 0 : row >> ticks->chunk_shift);
    }
    const uint64_t *of_rows = store_table(store, world.index)->columns[column];
    return of_rows[store_first(store, world.index) + row];
}

// New ticks for one store, while it is not certain that there is memory for all.
struct ticks_plan {
    struct store *store;
    struct store_ticks *ticks; // NULL: it stays as it is
    uint32_t world;            // of a group
};

static struct batch_ticks *make_batch_ticks(struct cosm_batch *batch) {
    size_t size = sizeof(struct batch_ticks) + batch->world_count * sizeof(tick_cell);
    struct batch_ticks *ticks = cosmi_memory_alloc_zeroed(&batch->memory, size, TICKS_ALIGNMENT);
    if (ticks != NULL) {
        ticks->size = size;
        for (uint32_t w = 0; w < batch->world_count; w++) {
            atomic_init(&ticks->clocks[w], 1);
        }
        atomic_init(&ticks->moves, 1);
    }
    return ticks;
}

// Lists (or, without a list, counts) all stores, those of groups too.
static uint32_t list_stores(struct cosm_batch *batch, struct ticks_plan *plans) {
    uint32_t count = 0;
    for (struct store *s = batch_first_store(batch); s != NULL; s = store_next(s), count++) {
        if (plans != NULL) {
            plans[count] = (struct ticks_plan){s, NULL, 0};
        }
    }
    for (uint32_t w = 0; w < batch->world_count; w++) {
        struct store *s = cosmi_shared_next(batch, w, NULL);
        for (; s != NULL; s = cosmi_shared_next(batch, w, s), count++) {
            if (plans != NULL) {
                plans[count] = (struct ticks_plan){s, NULL, w};
            }
        }
    }
    return count;
}

// The world of a chunk of a list.
static uint32_t chunk_world(const struct ticks_plan *plan, uint32_t list, size_t chunk) {
    if (plan->store->fixed_max != 0) {
        return (uint32_t)(chunk / plan->ticks->world_chunks);
    }
    return plan->store->group != NULL ? plan->world : list;
}

// Takes over the ticks of what was tracked before; all of what is new counts as changed.
static void carry_ticks(const struct cosm_batch *batch, const struct ticks_plan *plan,
                        uint32_t column) {
    const struct store_ticks *old = plan->store->ticks;
    struct store_ticks *ticks = plan->ticks;
    uint32_t number = ticks->numbers[column] - 1u;
    uint32_t old_number = old == NULL ? 0 : old->numbers[column];
    for (uint32_t i = 0; i < ticks->list_count; i++) {
        for (size_t chunk = 0; chunk < ticks->lists[i].chunks; chunk++) {
            bool is_known = old_number != 0 && chunk < old->lists[i].chunks;
            const tick_cell *from =
                is_known ? &old->lists[i].ticks[chunk * old->tracked_count + old_number - 1]
                         : &batch->ticks->clocks[chunk_world(plan, i, chunk)];
            atomic_store_explicit(&ticks->lists[i].ticks[chunk * ticks->tracked_count + number],
                                  tick_load(from), memory_order_relaxed);
        }
    }
}

static void free_plans(struct memory *memory, const struct ticks_plan *plans, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        if (plans[i].ticks != NULL) {
            free_ticks(memory, plans[i].ticks);
        }
    }
}

// All new ticks, or none: false when out of memory.
static bool plan_ticks(struct memory *memory, const uint64_t *wanted, struct ticks_plan *plans,
                       uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        struct store *store = plans[i].store;
        uint32_t tracked = count_tracked(store->archetype, wanted);
        if (tracked == (store->ticks == NULL ? 0 : store->ticks->tracked_count)) {
            continue;
        }
        plans[i].ticks = make_ticks(memory, store, wanted, tracked);
        if (plans[i].ticks == NULL) {
            free_plans(memory, plans, i);
            return false;
        }
    }
    return true;
}

static void do_ticks(struct cosm_batch *batch, const struct ticks_plan *plans, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        struct store *store = plans[i].store;
        if (plans[i].ticks == NULL) {
            continue;
        }
        for (uint32_t c = 0; c < plans[i].ticks->column_count; c++) {
            if (plans[i].ticks->numbers[c] != 0) {
                carry_ticks(batch, &plans[i], c);
            }
        }
        cosmi_ticks_free(&batch->memory, store);
        store->ticks = plans[i].ticks;
        atomic_fetch_or_explicit(&store->sides, SIDE_TICKS, memory_order_relaxed);
    }
}

static bool track_locked(struct cosm_batch *batch, const uint64_t *wanted) {
    uint32_t count = list_stores(batch, NULL);
    size_t size = count * sizeof(struct ticks_plan);
    struct ticks_plan *plans =
        size == 0 ? NULL : cosmi_memory_alloc(&batch->memory, size, _Alignof(struct ticks_plan));
    struct batch_ticks *made = batch->ticks == NULL ? make_batch_ticks(batch) : NULL;
    bool done = (size == 0 || plans != NULL) && (batch->ticks != NULL || made != NULL);
    if (done) {
        (void)list_stores(batch, plans);
        done = plan_ticks(&batch->memory, wanted, plans, count);
    }
    if (done) {
        batch->ticks = batch->ticks == NULL ? made : batch->ticks;
        memcpy(batch->ticks->tracked, wanted, sizeof(batch->ticks->tracked));
        do_ticks(batch, plans, count);
    } else if (made != NULL) {
        cosmi_memory_free(&batch->memory, made, made->size, TICKS_ALIGNMENT);
    }
    cosmi_memory_free(&batch->memory, plans, size, _Alignof(struct ticks_plan));
    return done;
}

bool cosmi_change_track(struct cosm_batch *batch, const uint64_t *components) {
    struct batch_ticks wanted = {.size = 0};
    bool is_new = batch->ticks == NULL;
    for (uint32_t i = 0; i < sizeof(wanted.tracked) / sizeof(*wanted.tracked); i++) {
        uint64_t known = batch->ticks == NULL ? 0 : batch->ticks->tracked[i];
        wanted.tracked[i] = known | components[i];
        is_new = is_new || wanted.tracked[i] != known;
    }
    if (!is_new) {
        return true;
    }
    cosmi_mutex_lock(&batch->lock);
    bool done = track_locked(batch, wanted.tracked);
    cosmi_mutex_unlock(&batch->lock);
    return done;
}

const char *cosmi_change_fault(const struct cosm_batch *batch, const struct store *store,
                               uint32_t world) {
    const struct store_ticks *ticks = store->ticks;
    bool is_flagged = (store_sides(store) & SIDE_TICKS) != 0;
    uint32_t tracked =
        batch->ticks == NULL ? 0 : count_tracked(store->archetype, batch->ticks->tracked);
    if (is_flagged != (ticks != NULL) || tracked != (ticks == NULL ? 0 : ticks->tracked_count)) {
        return "a store has ticks of what is tracked";
    }
    if (ticks == NULL) {
        return NULL;
    }
    uint32_t rows = store->fixed_max != 0 ? 0 : store_capacity(store, world);
    if (chunks_of(ticks, rows) > ticks->lists[world & store->table_mask].chunks) {
        return "there is room for the ticks of a table";
    }
    uint64_t now = tick_load(&batch->ticks->clocks[world]);
    for (uint32_t n = 0; n < tracked; n++) {
        uint32_t column = ticks->row_columns[n];
        for (uint32_t row = 0; row < store->counts[world]; row++) {
            size_t chunk = row >> ticks->chunk_shift;
            uint64_t of_chunk = tick_load(&table_ticks(store, world)[chunk * tracked + n]);
            const uint64_t *of_rows =
                column == 0 ? NULL
                            : (const uint64_t *)store_table(store, world)->columns[column] +
                                  store_first(store, world);
            if (of_chunk == 0 || of_chunk > now || (of_rows != NULL && of_rows[row] > of_chunk)) {
                return "ticks of rows are not later than that of their chunk, nor that than the "
                       "clock";
            }
        }
    }
    return NULL;
}
