// Tables: making, growing, promoting, shrinking.
#include "store/change.h"

#include "base/bits.h"

// The address space of one promoted table: enough that address space, not the limit of rows, runs
// out first only for rows over 256 bytes. A table that outgrows it moves to twice as much.
#define TABLE_RESERVE_MAX ((size_t)64 << 30)

#define STORE_ALIGNMENT ((size_t)64)

static size_t column_alignment(const struct column_info *column) {
    return column->alignment < 64 ? 64 : column->alignment;
}

// Columns of ranges begin at different places within their first page. Were they all to begin at a
// page, row i of one column and row i of another would differ only in the upper bits of their
// addresses, and a store to the one would hold up a load from the other: 1.4 times the time for
// 10,000 rows of `make bench ROW=iter2`. By component and part, so that tables which trade columns
// agree; there are eight places, and 3 goes round them as well as 1 does.
static size_t column_stagger(const struct column_info *column) {
    size_t number = column->component + (size_t)column->part * 3;
    size_t stagger = (number * 2560) % OS_PAGE_SIZE;
    return stagger & ~(column_alignment(column) - 1);
}

static char *range_base(void *column) {
    return (char *)column - ((uintptr_t)column & (OS_PAGE_SIZE - 1));
}

// The bytes of a column's range that `rows` rows take, the stagger included; 0 for no rows.
static size_t range_bytes(const struct column_info *column, size_t rows) {
    return rows == 0 ? 0 : column_stagger(column) + rows * column->size;
}

static void table_shape(struct table *table, size_t block_size, uint32_t capacity,
                        uint32_t reserved) {
    table->capacity = capacity;
    table->touched = 0;
    table->reserved = reserved;
    table->block_size = (uint32_t)block_size;
}

// The smallest pooled block that holds `rows` rows, or 0 when none does.
static size_t block_size_for(const struct archetype *archetype, uint32_t rows) {
    for (uint32_t i = 0; i < POOL_CLASS_COUNT; i++) {
        if (archetype->block_rows[i] >= rows && archetype->block_rows[i] > 0) {
            return POOL_BLOCK_MIN << i;
        }
    }
    return 0;
}

static struct table *make_pooled(struct table_source source, const struct archetype *archetype,
                                 size_t block_size) {
    struct table *table = cosmi_pool_take(source.pool, block_size);
    if (table == NULL) {
        return NULL;
    }
    uint32_t capacity = archetype->block_rows[log2_of(block_size / POOL_BLOCK_MIN)];
    table_shape(table, block_size, capacity, 0);
    uintptr_t base = (uintptr_t)table;
    size_t at = cosmi_archetype_block_header(archetype);
    for (uint32_t c = 0; c < archetype->column_count; c++) {
        const struct column_info *column = &archetype->columns[c];
        at = align_up(base + at, column_alignment(column)) - base;
        table->columns[c] = column->size == 0 ? NULL : (char *)table + at;
        at += (size_t)capacity * column->size;
    }
    INVARIANT(at <= block_size || archetype->row_size == 0, "the columns fit the block");
    return table;
}

static size_t range_header_size(const struct archetype *archetype) {
    size_t size = power_of_two_ceil(cosmi_archetype_block_header(archetype));
    return size < POOL_BLOCK_MIN ? POOL_BLOCK_MIN : size;
}

static void free_ranges(struct table_source source, const struct archetype *archetype,
                        struct table *table) {
    for (uint32_t c = 0; c < archetype->column_count; c++) {
        const struct column_info *column = &archetype->columns[c];
        if (table->columns[c] != NULL) {
            cosmi_range_unreserve(source.memory, range_base(table->columns[c]),
                                  range_bytes(column, table->reserved),
                                  range_bytes(column, table->capacity));
        }
    }
    cosmi_pool_give(source.pool, table, table->block_size);
}

static bool reserve_columns(struct table_source source, const struct archetype *archetype,
                            struct table *table, uint32_t reserved) {
    for (uint32_t c = 0; c < archetype->column_count; c++) {
        const struct column_info *column = &archetype->columns[c];
        if (column->size == 0) {
            continue;
        }
        char *base = cosmi_range_reserve(source.memory, range_bytes(column, reserved));
        if (base != NULL) {
            table->columns[c] = base + column_stagger(column);
            continue;
        }
        while (c-- > 0) {
            if (table->columns[c] != NULL) {
                cosmi_range_unreserve(source.memory, range_base(table->columns[c]),
                                      range_bytes(&archetype->columns[c], reserved), 0);
                table->columns[c] = NULL;
            }
        }
        return false;
    }
    return true;
}

// Raises the committed rows of a range table. False and unchanged when out of memory.
static bool commit_rows(struct table_source source, const struct archetype *archetype,
                        struct table *table, uint32_t rows) {
    for (uint32_t c = 0; c < archetype->column_count; c++) {
        const struct column_info *column = &archetype->columns[c];
        if (column->size == 0 ||
            cosmi_range_commit(source.memory, range_base(table->columns[c]),
                               range_bytes(column, table->capacity), range_bytes(column, rows))) {
            continue;
        }
        while (c-- > 0) {
            column = &archetype->columns[c];
            if (column->size != 0) {
                cosmi_range_decommit(source.memory, range_base(table->columns[c]),
                                     range_bytes(column, table->capacity),
                                     range_bytes(column, rows));
            }
        }
        return false;
    }
    table->capacity = rows;
    return true;
}

// How many rows to set address space aside for, at most.
static uint32_t reserve_most(const struct archetype *archetype, uint32_t rows) {
    uint32_t reserved = COSM_TABLE_ROW_MAX;
    while (reserved * archetype->row_size > TABLE_RESERVE_MAX && reserved / 2 >= rows) {
        reserved /= 2;
    }
    return reserved;
}

// The same where tables are many, and would take all of the program's addresses: for at least four
// times the rows that are needed now, so that a table that goes on growing moves seldom. Powers of
// two, so that tables of a kind may trade columns.
static uint32_t reserve_rows(struct table_source source, const struct archetype *archetype,
                             uint32_t rows) {
    uint32_t reserved = reserve_most(archetype, rows);
    size_t room = cosmi_range_room(source.memory);
    while (reserved * archetype->row_size > room && reserved / 8 >= rows) {
        reserved /= 2;
    }
    return reserved;
}

// A table of ranges with room for `rows` rows and address space for more: less of it where the
// system has little.
static struct table *make_ranges(struct table_source source, const struct archetype *archetype,
                                 uint32_t rows, uint32_t reserved) {
    size_t block_size = range_header_size(archetype);
    struct table *table = cosmi_pool_take(source.pool, block_size);
    if (table == NULL) {
        return NULL;
    }
    memset(table->columns, 0, archetype->column_count * sizeof(*table->columns));
    while (!reserve_columns(source, archetype, table, reserved)) {
        if (reserved / 2 < rows) {
            cosmi_pool_give(source.pool, table, block_size);
            return NULL;
        }
        reserved /= 2;
    }
    table_shape(table, block_size, 0, reserved);
    if (!commit_rows(source, archetype, table, rows)) {
        free_ranges(source, archetype, table);
        return NULL;
    }
    return table;
}

static struct table *make_table(struct table_source source, const struct archetype *archetype,
                                uint32_t rows) {
    size_t block_size = block_size_for(archetype, rows);
    if (block_size != 0) {
        return make_pooled(source, archetype, block_size);
    }
    return make_ranges(source, archetype, rows, reserve_rows(source, archetype, rows));
}

static void free_table(struct table_source source, const struct archetype *archetype,
                       struct table *table) {
    if (table == NULL) {
        return;
    }
    if (table->reserved != 0) {
        free_ranges(source, archetype, table);
    } else {
        cosmi_pool_give(source.pool, table, table->block_size);
    }
}

// A fixed table is exact: a pooled block where it fits, else ranges of just its rows. Either way
// rows that never lived read as zero: exports show them too.
static struct table *make_fixed(struct table_source source, const struct archetype *archetype,
                                size_t rows) {
    if (rows <= UINT32_MAX && block_size_for(archetype, (uint32_t)rows) != 0) {
        struct table *table =
            make_pooled(source, archetype, block_size_for(archetype, (uint32_t)rows));
        for (uint32_t c = 0; table != NULL && c < archetype->column_count; c++) {
            if (archetype->columns[c].size != 0) {
                memset(table->columns[c], 0, archetype->columns[c].size * rows);
            }
        }
        return table;
    }
    if (rows > UINT32_MAX) {
        return NULL;
    }
    return make_ranges(source, archetype, (uint32_t)rows, (uint32_t)rows);
}

// A store, its tables, its lists of groups where values are shared, and its counts, in one piece.
static size_t store_size(const struct archetype *archetype, uint32_t table_count,
                         uint32_t world_count) {
    uint32_t list_count = archetype->shared_count > 0 ? world_count : 0;
    return sizeof(struct store) + table_count * sizeof(struct table *) +
           list_count * sizeof(struct group_list *) + world_count * sizeof(uint32_t);
}

size_t cosmi_store_one_size(void) {
    return sizeof(struct store) + sizeof(struct table *);
}

struct store *cosmi_store_create_one(struct table_source source, struct archetype *archetype,
                                     struct group *group, uint32_t *count, uint32_t world) {
    struct store *store =
        cosmi_memory_alloc_zeroed(source.memory, cosmi_store_one_size(), STORE_ALIGNMENT);
    if (store != NULL) {
        // Counts are found by the number of the world, so they begin that far before the one count
        // there is. Nobody looks at another world's.
        uintptr_t counts = (uintptr_t)count - world * sizeof(*count);
        *store = (struct store){.counts = (uint32_t *)counts,
                                .map = archetype->map,
                                .archetype = archetype,
                                .group = group,
                                .world_count = 1};
    }
    return store;
}

struct store *cosmi_store_create(struct table_source source, struct archetype *archetype,
                                 uint32_t world_count) {
    bool fixed = archetype->placement == COSM_PLACEMENT_FIXED;
    uint32_t table_count = fixed ? 1 : world_count;
    size_t size = store_size(archetype, table_count, world_count);
    struct store *store = cosmi_memory_alloc_zeroed(source.memory, size, STORE_ALIGNMENT);
    if (store == NULL) {
        return NULL;
    }
    struct table **tables = store->tables;
    struct group_list **lists = (struct group_list **)(void *)(tables + table_count);
    uint32_t list_count = archetype->shared_count > 0 ? world_count : 0;
    *store = (struct store){.counts = (uint32_t *)(void *)(lists + list_count),
                            .table_mask = fixed ? 0 : 0xFFFFFFFFu,
                            .fixed_max = fixed ? archetype->max_per_world : 0,
                            .map = archetype->map,
                            .id = archetype->id,
                            .archetype = archetype,
                            .group_lists = list_count > 0 ? lists : NULL,
                            .world_count = world_count};
    if (fixed) {
        tables[0] = make_fixed(source, archetype, (size_t)world_count * archetype->max_per_world);
        if (tables[0] == NULL) {
            cosmi_memory_free(source.memory, store, size, STORE_ALIGNMENT);
            return NULL;
        }
    }
    return store;
}

void cosmi_store_destroy(struct table_source source, struct store *store) {
    uint32_t table_count = store->fixed_max != 0 ? 1 : store->world_count;
    for (uint32_t i = 0; i < table_count; i++) {
        free_table(source, store->archetype, store->tables[i]);
    }
    cosmi_ticks_free(source.memory, store);
    size_t size = store->group != NULL
                      ? cosmi_store_one_size()
                      : store_size(store->archetype, table_count, store->world_count);
    cosmi_memory_free(source.memory, store, size, STORE_ALIGNMENT);
}

// Moves a world's rows into a table that was made for them.
static void replace_table(struct table_source source, struct store *store, uint32_t world,
                          struct table *table) {
    const struct archetype *archetype = store->archetype;
    struct table *old = store->tables[world & store->table_mask];
    if (old != NULL) {
        for (uint32_t c = 0; c < archetype->column_count; c++) {
            size_t bytes = (size_t)store->counts[world] * archetype->columns[c].size;
            if (bytes > 0) {
                memcpy(table->columns[c], old->columns[c], bytes);
            }
        }
        free_table(source, archetype, old);
    }
    table->touched = store->counts[world];
    store->tables[world & store->table_mask] = table;
}

// An eighth more: growing a range copies nothing, so small steps are cheap and waste little.
static uint32_t grown_capacity(const struct table *table, uint32_t rows) {
    uint32_t grown = table->capacity + table->capacity / 8;
    grown = grown < rows ? rows : grown;
    return grown > table->reserved ? table->reserved : grown;
}

// Raises the rows there is room for, in a table of ranges. False when out of memory.
static bool grow_ranges(struct table_source source, struct store *store, uint32_t world,
                        uint32_t rows) {
    return cosmi_ticks_reserve(source.memory, store, world, rows) &&
           commit_rows(source, store->archetype, store_table(store, world), rows);
}

bool cosmi_store_reserve(struct table_source source, struct store *store, uint32_t world,
                         uint32_t rows) {
    if (rows <= store_capacity(store, world)) {
        return true;
    }
    if (store->fixed_max != 0 || rows > COSM_TABLE_ROW_MAX) {
        return false;
    }
    struct table *old = store->tables[world & store->table_mask];
    if (old != NULL && old->reserved >= rows) {
        return grow_ranges(source, store, world, grown_capacity(old, rows)) ||
               grow_ranges(source, store, world, rows);
    }
    if (store->pin_count > 0) {
        return false;
    }
    struct table *table = make_table(source, store->archetype, rows);
    if (table == NULL || !cosmi_ticks_reserve(source.memory, store, world, table->capacity)) {
        free_table(source, store->archetype, table);
        return false;
    }
    replace_table(source, store, world, table);
    return true;
}

// Moves the rows to ranges that are as long as they may be. False, and unchanged, when out of
// memory.
static bool widen_ranges(struct table_source source, struct store *store) {
    const struct table *old = store->tables[0];
    // Room for one row at least, so that the first page is always there to be looked at.
    uint32_t rows = store->counts[0] > 0 ? store->counts[0] : 1;
    uint32_t reserved = reserve_most(store->archetype, rows);
    if (old != NULL && old->reserved >= reserved) {
        return true;
    }
    struct table *table = make_ranges(source, store->archetype, rows, reserved);
    if (table == NULL || !cosmi_ticks_reserve(source.memory, store, 0, table->capacity)) {
        free_table(source, store->archetype, table);
        return false;
    }
    replace_table(source, store, 0, table);
    return true;
}

// Where no longer ranges are to be had, a table stays in those that it has.
bool cosmi_store_pin(struct table_source source, struct store *store) {
    INVARIANT(store->fixed_max == 0 && store->world_count == 1,
              "only tables that may move are pinned");
    const struct table *old = store->tables[0];
    bool has_ranges = old != NULL && old->reserved != 0;
    if (store->pin_count == 0 && !widen_ranges(source, store) && !has_ranges) {
        return false;
    }
    store->pin_count++;
    return true;
}

void cosmi_store_unpin(struct store *store) {
    INVARIANT(store->pin_count > 0, "who lets go has pinned");
    store->pin_count--;
}

// Gives back the pages past the last row. The page that holds it is kept with whatever else is in
// it, so the rows of that page count as touched.
static void shrink_ranges(struct table_source source, const struct archetype *archetype,
                          struct table *table, uint32_t rows) {
    size_t touched = rows;
    for (uint32_t c = 0; c < archetype->column_count; c++) {
        const struct column_info *column = &archetype->columns[c];
        if (column->size == 0) {
            continue;
        }
        size_t bytes = range_bytes(column, rows);
        cosmi_range_decommit(source.memory, range_base(table->columns[c]), bytes,
                             range_bytes(column, table->capacity));
        size_t kept = cosmi_range_committed(source.memory, bytes) / column->size + 1;
        touched = kept > touched ? kept : touched;
    }
    table->capacity = rows;
    table->touched = touched < table->touched ? (uint32_t)touched : table->touched;
}

static void trim_table(struct table_source source, struct store *store, uint32_t world) {
    struct table *old = store->fixed_max != 0 ? NULL : store->tables[world & store->table_mask];
    if (old == NULL || store->pin_count > 0) {
        return;
    }
    const struct archetype *archetype = store->archetype;
    uint32_t count = store->counts[world];
    if (count == 0) {
        free_table(source, archetype, old);
        store->tables[world & store->table_mask] = NULL;
        return;
    }
    size_t block_size = block_size_for(archetype, count);
    if (block_size == 0) {
        shrink_ranges(source, archetype, old, count);
        return;
    }
    if (old->reserved == 0 && block_size == old->block_size) {
        return;
    }
    // A block may have room for more rows than ranges that were just large enough.
    struct table *table = make_pooled(source, archetype, block_size);
    if (table != NULL && cosmi_ticks_reserve(source.memory, store, world, table->capacity)) {
        replace_table(source, store, world, table);
    } else {
        free_table(source, archetype, table);
    }
}

void cosmi_store_trim(struct table_source source, struct store *store, uint32_t world) {
    trim_table(source, store, world);
    cosmi_ticks_trim(source.memory, store, world, store_capacity(store, world));
}

size_t cosmi_store_used(const struct memory *memory, const struct store *store, uint32_t world) {
    const struct archetype *archetype = store->archetype;
    if (store->fixed_max != 0) {
        return store->fixed_max * archetype->row_size + sizeof(*store->counts) +
               cosmi_ticks_used(store, world);
    }
    size_t used = sizeof(*store->counts) + sizeof(*store->tables) + cosmi_ticks_used(store, world);
    const struct table *table = store->tables[world & store->table_mask];
    if (table == NULL) {
        return used;
    }
    used += table->block_size;
    for (uint32_t c = 0; table->reserved != 0 && c < archetype->column_count; c++) {
        const struct column_info *column = &archetype->columns[c];
        used += column->size == 0
                    ? 0
                    : cosmi_range_committed(memory, range_bytes(column, table->capacity));
    }
    return used;
}

size_t cosmi_store_column_used(const struct memory *memory, const struct store *store,
                               uint32_t world, uint32_t column) {
    size_t bytes = store_capacity(store, world) * (size_t)store->archetype->columns[column].size;
    const struct table *table = store_table(store, world);
    if (store->fixed_max == 0 && table != NULL && table->reserved != 0) {
        return cosmi_range_committed(
            memory, range_bytes(&store->archetype->columns[column], table->capacity));
    }
    return bytes;
}

bool cosmi_table_can_trade(const struct table *a, const struct table *b) {
    return a->reserved != 0 && a->reserved == b->reserved;
}

bool cosmi_table_level(struct table_source source, const struct archetype *a_archetype,
                       struct table *a, const struct archetype *b_archetype, struct table *b) {
    if (a->capacity < b->capacity) {
        return commit_rows(source, a_archetype, a, b->capacity);
    }
    return b->capacity == a->capacity || commit_rows(source, b_archetype, b, a->capacity);
}

#define SCAN_WORLDS 128u

uint32_t cosmi_store_full_worlds(const struct store *store, uint32_t world, uint32_t end) {
    const uint32_t *counts = store->counts;
    uint32_t max = store->fixed_max;
    uint32_t at = world;
    // Many at a time without a branch: a loop of this length becomes a few vector instructions per
    // cache line, a shorter one is unrolled and stays scalar. The scan is small beside the rows
    // themselves even at ten rows a world.
    while (end - at >= SCAN_WORLDS) {
        const uint32_t *scanned = counts + at; // an index of its own could wrap, for all gcc knows
        uint32_t differ = 0;
        for (uint32_t i = 0; i < SCAN_WORLDS; i++) {
            differ |= scanned[i] ^ max;
        }
        if (differ != 0) {
            break;
        }
        at += SCAN_WORLDS;
    }
    while (at < end && counts[at] == max) {
        at++;
    }
    return at - world;
}

// While a world stays without all its rows, that is found with one look.
void cosmi_store_look_full(struct store *store) {
    bool is_full = atomic_load_explicit(&store->is_full, memory_order_relaxed);
    if (is_full || store->counts[store->hole] != store->fixed_max) {
        return;
    }
    store->hole = cosmi_store_full_worlds(store, 0, store->world_count);
    is_full = store->hole == store->world_count;
    store->hole = is_full ? 0 : store->hole;
    atomic_store_explicit(&store->is_full, is_full, memory_order_relaxed);
}
