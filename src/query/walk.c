// Walking a query: table by table in the order of signatures, world by world within a table.
#include "query/walk.h"

#include "query/changed.h"
#include "query/filter.h"
#include "query/tables.h"

// The owner of a world or a batch counts its walks with a load and a store; an atomic addition
// would cost as much as the rest of a short walk. Everybody else adds atomically, elsewhere.
static inline bool count_walk(const void *owner, atomic_uint *owned, atomic_uint *shared) {
    if (LIKELY(owner == thread_token())) {
        uint32_t walks = atomic_load_explicit(owned, memory_order_relaxed);
        atomic_store_explicit(owned, walks + 1, memory_order_relaxed);
        return true;
    }
    atomic_fetch_add_explicit(shared, 1, memory_order_relaxed);
    return false;
}

static inline void uncount_owned(atomic_uint *owned) {
    uint32_t walks = atomic_load_explicit(owned, memory_order_relaxed);
    INVARIANT(walks > 0, "a walk is ended once: a cosm_rows is not copied");
    atomic_store_explicit(owned, walks - 1, memory_order_relaxed);
}

// Counts a walk of some worlds: on every block that it covers whole, and on each world at its
// ragged ends. `one` is 1, or -1 as an unsigned number to take it back.
APART static void count_range(struct cosm_batch *batch, uint32_t first, uint32_t end,
                              uint32_t one) {
    for (uint32_t world = first; world < end;) {
        if (world % WALK_BLOCK == 0 && end - world >= WALK_BLOCK) {
            atomic_fetch_add_explicit(&batch->block_walks[world / WALK_BLOCK], one,
                                      memory_order_relaxed);
            world += WALK_BLOCK;
        } else {
            atomic_fetch_add_explicit(&batch->worlds[world].walks_shared, one,
                                      memory_order_relaxed);
            world++;
        }
    }
}

COLD static void uncount_other(const cosm_rows *rows) {
    if (rows->state == ROWS_WALKS_WORLD_SHARED) {
        struct world *world = &rows->batch->worlds[rows->world_first];
        atomic_fetch_sub_explicit(&world->walks_shared, 1, memory_order_relaxed);
    } else if (rows->state == ROWS_WALKS_BATCH) {
        uncount_owned(&rows->batch->walks);
    } else if (rows->state == ROWS_WALKS_BATCH_SHARED) {
        atomic_fetch_sub_explicit(&rows->batch->walks_shared, 1, memory_order_relaxed);
    } else if (rows->state == ROWS_WALKS_RANGE) {
        count_range(rows->batch, rows->world_first, rows->world_end, (uint32_t)-1);
    }
}

// The terms of a walk that has ended: the macros look at them and refuse, whatever they ask for.
static const cosm_term_info no_terms[COSM_QUERY_TERM_MAX];

static inline void end_walk(cosm_rows *rows) {
    if (LIKELY(rows->state == ROWS_WALKS_WORLD)) {
        uncount_owned(&rows->batch->worlds[rows->world_first].walks);
    } else {
        uncount_other(rows);
    }
    rows->state = ROWS_ENDED;
    rows->count = 0;
    rows->match = NULL;
    rows->terms = no_terms;
    rows->reader = NULL;
}

void cosmi_walk_end(cosm_rows *rows) {
    if (UNLIKELY(rows->reader != NULL)) {
        // Before its end: what was not shown is not to be lost.
        cosmi_reader_rewind(rows->reader, rows->world_first, rows->world_end);
    }
    end_walk(rows);
}

// Points entities and columns at row `first` of the columns of a fixed table.
APART static void show_columns(cosm_rows *rows, const struct match *match, void *const *columns,
                               size_t first) {
    const cosm_entity *entities = columns[ENTITY_COLUMN];
    rows->terms = match->terms;
    rows->table = columns;
    rows->first = first;
    rows->entities = entities == NULL ? NULL : entities + first;
    for (uint32_t t = 0; t < rows->term_count; t++) {
        uint32_t column = match->columns[t];
        rows->columns[t] =
            column == COLUMN_NONE ? NULL : (char *)columns[column] + first * rows->terms[t].size;
    }
}

// One world: the next group of a match, if there is one. `after` is the one before.
static inline bool find_group_ahead(cosm_rows *rows, const struct match *match,
                                    const struct store *base, const struct group *after) {
    uint32_t world = rows->world_first;
    const struct group *group =
        match_next_group(rows->query, match, base, rows->batch, world, after);
    if (group == NULL) {
        return false;
    }
    rows->ahead_count = group->count;
    rows->ahead_columns = store_table(group->store, world)->columns;
    rows->ahead_first = 0;
    rows->ahead_store = group->store;
    rows->match = match;
    return true;
}

APART static bool seek_group(cosm_rows *rows, const struct match *match, const struct store *base) {
    return find_group_ahead(rows, match, base, NULL);
}

// One world: finds the next table that has rows. It is looked for one call ahead, while the caller
// works on the rows at hand: the way there is five loads that wait for each other, which is more
// than a table of a few hundred rows can hide behind a loop that ends unexpectedly.
static inline void seek_ahead(cosm_rows *rows, const struct match *match) {
    const struct cosm_batch *batch = rows->batch;
    uint32_t world = rows->world_first;
    for (; match != NULL; match = match_next(match)) {
        const struct store *store = match_store(match, batch);
        uint32_t count = store == NULL ? 0 : store->counts[world];
        if (LIKELY(count > 0)) {
            rows->ahead_count = count;
            rows->ahead_columns = store_table(store, world)->columns;
            rows->ahead_first = (uint64_t)world * store->fixed_max;
            break;
        }
        if (UNLIKELY(match->is_grouped) && store != NULL && seek_group(rows, match, store)) {
            return;
        }
    }
    rows->match = match;
}

// How far the rows from a world on are contiguous: over full worlds, and into the one behind them.
static void extend_run(cosm_rows *rows, const struct store *store, uint32_t world) {
    uint32_t world_count = atomic_load_explicit(&store->is_full, memory_order_relaxed)
                               ? rows->world_end - world
                               : cosmi_store_full_worlds(store, world, rows->world_end);
    uint32_t next = world + world_count;
    rows->count = store->fixed_max * world_count;
    if (next < rows->world_end && store->counts[next] > 0) {
        rows->count += store->counts[next];
        world_count++;
    }
    rows->world_count = world_count;
    rows->world_next = world + world_count;
}

// Many worlds: the next group of a match, world by world. False where there is none.
static bool next_group_of_many(cosm_rows *rows, const struct match *match, uint32_t world) {
    const struct store *after = rows->ahead_store;
    for (; world < rows->world_end; world++, after = NULL) {
        const struct store *group =
            cosmi_match_table(rows->query, match, rows->batch, world, after);
        if (group != NULL) {
            rows->match = match;
            rows->count = group->counts[world];
            rows->world = world;
            rows->world_count = 1;
            rows->world_next = world;
            rows->ahead_store = group;
            rows->archetype = (cosm_archetype){match->archetype_id};
            show_columns(rows, match, store_table(group, world)->columns, 0);
            cosmi_rows_show_shared(rows, match, group);
            if (UNLIKELY(rows->stamps == STAMP_RUNS)) {
                cosmi_run_stamp(rows, match, group);
            }
            return true;
        }
    }
    rows->ahead_store = NULL;
    return false;
}

APART static bool next_of_many(cosm_rows *rows) {
    const struct match *match = rows->match;
    uint32_t world = rows->world_next;
    uint32_t end = rows->world_end;
    for (; match != NULL; match = match_next(match), world = rows->world_first) {
        const struct store *store = match_store(match, rows->batch);
        if (store == NULL) {
            continue;
        }
        if (match->is_grouped) {
            if (next_group_of_many(rows, match, world)) {
                return true;
            }
            continue;
        }
        const uint32_t *counts = store->counts;
        while (world < end && counts[world] == 0) {
            world++;
        }
        if (world == end) {
            continue;
        }
        rows->match = match;
        rows->count = counts[world];
        rows->world = world;
        rows->world_count = 1;
        rows->world_next = world + 1;
        if (rows->count == store->fixed_max && !rows->query->by_world &&
            !rows->query->is_filtered) {
            extend_run(rows, store, world);
        }
        rows->archetype = (cosm_archetype){match->archetype_id};
        show_columns(rows, match, store_table(store, world)->columns,
                     (size_t)world * store->fixed_max);
        if (UNLIKELY(rows->stamps == STAMP_RUNS)) {
            cosmi_run_stamp(rows, match, store);
        }
        return true;
    }
    end_walk(rows);
    return false;
}

static inline void fill_walk(const cosm_query *query, cosm_worlds worlds, cosm_rows *rows) {
    rows->count = 0;
    rows->world = worlds.first;
    rows->world_count = 1;
    rows->row = 0;
    rows->term_count = query->term_count;
    rows->terms = query->infos;
    rows->query = query;
    rows->batch = worlds.batch;
    rows->turn = NULL;
    rows->context = NULL;
    rows->dt = 0.0f;
    rows->world_first = worlds.first;
    rows->world_next = worlds.first;
    rows->world_end = worlds.first + worlds.count;
    rows->is_sieved = query->is_filtered;
    if (UNLIKELY(query->is_filtered)) {
        rows->sieve_row = 0;
        rows->sieve_end = 0;
    }
    rows->reader = NULL;
    rows->stamps = walk_stamps(query, worlds.batch);
}

void cosmi_walk_open(const cosm_query *query, cosm_worlds worlds, cosm_rows *rows) {
    fill_walk(query, worlds, rows);
    rows->state = ROWS_ENDED;
    if (worlds.count == 1) {
        seek_ahead(rows, match_first(query));
    } else {
        rows->ahead_store = NULL;
        rows->match = match_first(query);
    }
}

// Does every term have a column in this match?
static bool has_all_columns(const struct match *match, uint32_t term_count) {
    for (uint32_t t = 0; t < term_count; t++) {
        if (match->columns[t] == COLUMN_NONE) {
            return false;
        }
    }
    return true;
}

// How many worlds ahead of the one at hand tables are fetched into the cache.
#define TABLES_AHEAD 8u

// What the loop below needs of a store and a match, at hand in registers or on the stack: the
// compiler would load it again after every call.
struct growing_walk {
    const uint32_t *counts;
    struct table *const *tables;
    uint32_t term_count;
    uint32_t columns[COSM_QUERY_TERM_MAX];
};

// How far it is from the table at hand to the one ahead. Small tables are blocks of a few sizes,
// and those of one size are laid out alike: where a column lies in this one, it most likely lies in
// the one ahead, whose pointers need not be waited for.
static inline uintptr_t way_ahead(const struct growing_walk *walk, uint32_t world, uint32_t end) {
    uint32_t ahead = end - world > TABLES_AHEAD ? world + TABLES_AHEAD : world;
    return (uintptr_t)walk->tables[ahead] - (uintptr_t)walk->tables[world];
}

// The tables of one growing archetype in many worlds: nothing but the pointers changes from one to
// the next, and a table of ten rows has to pay for all that is done about it.
APART static uint64_t each_growing(cosm_rows *rows, const struct match *match,
                                   const struct store *store, cosm_rows_fn *each) {
    struct growing_walk walk = {store->counts, store->tables, rows->term_count, {0}};
    for (uint32_t t = 0; t < walk.term_count; t++) {
        walk.columns[t] = match->columns[t];
    }
    uint64_t seen = 0;
    uint32_t end = rows->world_end;
    bool has_split = match->archetype->has_split;
    rows->archetype = (cosm_archetype){match->archetype_id};
    rows->terms = match->terms;
    rows->first = 0;
    rows->world_count = 1;
    for (uint32_t world = rows->world_first; world < end; world++) {
        uint32_t count = walk.counts[world];
        if (UNLIKELY(count == 0)) {
            continue;
        }
        uintptr_t ahead = way_ahead(&walk, world, end);
        void *const *columns = walk.tables[world]->columns;
        PREFETCH((const void *)((uintptr_t)columns + ahead));
        rows->count = count;
        rows->world = world;
        if (UNLIKELY(has_split)) {
            rows->table = columns; // only fields are found through it
        }
        rows->entities = columns[ENTITY_COLUMN];
        for (uint32_t t = 0; t < walk.term_count; t++) {
            void *column = columns[walk.columns[t]];
            rows->columns[t] = column;
            PREFETCH((const void *)((uintptr_t)column + ahead));
            PREFETCH((const void *)((uintptr_t)column + ahead + 64));
        }
        seen += count;
        if (UNLIKELY(rows->stamps == STAMP_RUNS)) {
            cosmi_rows_stamp(rows, match, store, world, 0, count);
        }
        each(rows);
    }
    return seen;
}

uint64_t cosmi_walk_each(const cosm_query *query, cosm_rows *rows, cosm_rows_fn *each) {
    uint64_t seen = 0;
    if (rows->world_end - rows->world_first == 1 || rows->is_sieved) {
        while (cosmi_walk_next(rows)) {
            seen += rows->count;
            each(rows);
        }
        return seen;
    }
    for (const struct match *m = match_first(query); m != NULL; m = match_next(m)) {
        const struct store *store = match_store(m, rows->batch);
        if (store != NULL && store->fixed_max == 0 && !m->is_grouped &&
            has_all_columns(m, rows->term_count)) {
            seen += each_growing(rows, m, store, each);
            continue;
        }
        rows->match = m;
        rows->world_next = rows->world_first;
        rows->ahead_store = NULL;
        while (store != NULL && next_of_many(rows) && rows->match == m) {
            seen += rows->count;
            each(rows);
        }
    }
    return seen;
}

void cosmi_rows_slice(cosm_rows *rows, const cosm_query *query, const struct match *match,
                      const struct store *table, cosm_world world, uint32_t row, uint32_t count) {
    fill_walk(query, (cosm_worlds){world.batch, world.index, 1}, rows);
    rows->state = ROWS_ENDED;
    rows->match = NULL;
    rows->count = count;
    rows->row = row;
    rows->archetype.id = match->archetype_id;
    show_columns(rows, match, store_table(table, world.index)->columns,
                 (size_t)world.index * table->fixed_max + row);
    if (match->is_grouped) {
        cosmi_rows_show_shared(rows, match, table);
    }
    if (UNLIKELY(rows->stamps == STAMP_RUNS)) {
        cosmi_rows_stamp(rows, match, table, world.index, row, count);
    }
}

struct store *cosmi_rows_store(const cosm_rows *rows) {
    struct store *store = batch_store(rows->batch, rows->archetype.id);
    if (store == NULL || store->archetype->shared_count == 0) {
        return store;
    }
    store = cosmi_shared_find(rows->batch, rows->world, rows->group);
    return store != NULL && store->archetype->id == rows->archetype.id ? store : NULL;
}

// Shows other rows of the same table of the same world.
static void shift_rows(cosm_rows *rows, uint32_t row, uint32_t count) {
    ptrdiff_t by = (ptrdiff_t)row - (ptrdiff_t)rows->row;
    rows->row = row;
    rows->count = count;
    rows->first += (uint64_t)by;
    rows->entities = rows->entities == NULL ? NULL : rows->entities + by;
    for (uint32_t t = 0; t < rows->term_count; t++) {
        if (rows->columns[t] != NULL) {
            rows->columns[t] = (char *)rows->columns[t] + by * (ptrdiff_t)rows->terms[t].size;
        }
    }
}

// The next stretch of the run at hand, which ends at `end`.
static bool next_stretch(cosm_rows *rows, uint32_t from, uint32_t end) {
    uint32_t begin;
    uint32_t stop;
    const struct store *store = from >= end ? NULL : cosmi_rows_store(rows);
    if (store == NULL || !cosmi_filter_find(rows, store, from, end, &begin, &stop)) {
        return false;
    }
    INVARIANT(from <= begin && begin < stop && stop <= end, "a stretch lies within its run");
    shift_rows(rows, begin, stop - begin);
    cosmi_sector_filter_show(rows);
    if (UNLIKELY(rows->stamps == STAMP_STRETCHES)) {
        cosmi_rows_stamp(rows, NULL, store, rows->world, begin, stop - begin);
    }
    return true;
}

void cosmi_rows_sift(cosm_rows *rows, cosm_rows_fn *each) {
    if (LIKELY(!rows->query->is_filtered)) {
        each(rows);
        return;
    }
    uint32_t first = rows->row;
    uint32_t count = rows->count;
    uint32_t from = first;
    while (next_stretch(rows, from, first + count)) {
        from = rows->row + rows->count;
        each(rows);
    }
    shift_rows(rows, first, count); // a walk goes on from the run as it was
}

// Stretches of one run after the other.
APART static bool next_filtered(cosm_rows *rows) {
    while (!next_stretch(rows, rows->sieve_row, rows->sieve_end)) {
        rows->row = 0;
        rows->is_sieved = 0;
        bool is_there = cosmi_walk_next(rows);
        rows->is_sieved = 1;
        if (!is_there) {
            return false;
        }
        rows->sieve_row = 0;
        rows->sieve_end = rows->count;
    }
    rows->sieve_row = rows->row + rows->count;
    return true;
}

void cosmi_walk_begin(const cosm_query *query, cosm_worlds worlds, cosm_rows *rows) {
    struct cosm_batch *batch = worlds.batch;
    fill_walk(query, worlds, rows);
    if (UNLIKELY(worlds.count == 0)) {
        rows->state = ROWS_ENDED;
        rows->match = NULL;
    } else if (LIKELY(worlds.count == 1)) {
        struct world *world = &batch->worlds[worlds.first];
        bool owned = count_walk(world->owner, &world->walks, &world->walks_shared);
        rows->state = owned ? ROWS_WALKS_WORLD : ROWS_WALKS_WORLD_SHARED;
        seek_ahead(rows, match_first(query));
    } else if (worlds.count < batch->world_count) {
        count_range(batch, rows->world_first, rows->world_end, 1);
        rows->state = ROWS_WALKS_RANGE;
        rows->ahead_store = NULL;
        rows->match = match_first(query);
    } else {
        bool owned = count_walk(batch->owner, &batch->walks, &batch->walks_shared);
        rows->state = owned ? ROWS_WALKS_BATCH : ROWS_WALKS_BATCH_SHARED;
        rows->ahead_store = NULL;
        rows->match = match_first(query);
    }
}

// Shows what the rows of the group at hand share, and finds the next one. False where it was the
// last.
APART static bool show_group(cosm_rows *rows, const struct match *match) {
    const struct store *store = rows->ahead_store;
    cosmi_rows_show_shared(rows, match, store);
    return find_group_ahead(rows, match, match_store(match, rows->batch), store->group);
}

bool cosmi_walk_next(cosm_rows *rows) {
    if (UNLIKELY(((rows->world_end - rows->world_first - 1) | rows->is_sieved) != 0)) {
        return rows->is_sieved ? next_filtered(rows) : next_of_many(rows);
    }
    const struct match *match = rows->match;
    if (match == NULL) {
        end_walk(rows);
        return false;
    }
    // What `seek_ahead` found during the last call.
    void *const *columns = rows->ahead_columns;
    uint64_t first = rows->ahead_first;
    rows->count = rows->ahead_count;
    rows->archetype.id = match->archetype_id;
    if (LIKELY(first == 0)) {
        rows->terms = match->terms;
        rows->table = columns;
        rows->first = 0;
        rows->entities = columns[ENTITY_COLUMN];
        for (uint32_t t = 0, end = rows->term_count; t < end; t++) {
            uint32_t column = match->columns[t];
            rows->columns[t] = LIKELY(column != COLUMN_NONE) ? columns[column] : NULL;
        }
    } else {
        show_columns(rows, match, columns, first);
    }
    if (UNLIKELY(rows->stamps == STAMP_RUNS)) {
        cosmi_run_stamp(rows, match,
                        match->is_grouped ? rows->ahead_store : match_store(match, rows->batch));
    }
    if (UNLIKELY(match->is_grouped) && show_group(rows, match)) {
        return true;
    }
    seek_ahead(rows, match_next(match));
    return true;
}

// Rows of one match in one world.
static uint64_t count_match(const cosm_query *query, const struct match *match,
                            const struct cosm_batch *batch, uint32_t world) {
    uint64_t count = 0;
    const struct store *table = cosmi_match_table(query, match, batch, world, NULL);
    for (; table != NULL; table = cosmi_match_table(query, match, batch, world, table)) {
        count += table->counts[world];
    }
    return count;
}

// With row filters the rows themselves have to be looked at.
static uint64_t count_filtered(const cosm_query *query, cosm_worlds worlds) {
    cosm_rows rows;
    uint64_t count = 0;
    cosmi_walk_open(query, worlds, &rows);
    rows.stamps = STAMP_NOTHING;
    while (worlds.count > 0 && cosmi_walk_next(&rows)) {
        count += rows.count;
    }
    return count;
}

uint64_t cosmi_query_count_rows(const cosm_query *query, cosm_worlds worlds) {
    if (query->is_filtered) {
        return count_filtered(query, worlds);
    }
    uint64_t count = 0;
    for (struct match *match = match_first(query); match != NULL; match = match_next(match)) {
        const struct store *store = match_store(match, worlds.batch);
        for (uint32_t w = worlds.first; store != NULL && w < worlds.first + worlds.count; w++) {
            count +=
                match->is_grouped ? count_match(query, match, worlds.batch, w) : store->counts[w];
        }
    }
    return count;
}

void cosmi_rows_show(cosm_rows *rows, cosm_world world, const struct store *store, uint32_t row,
                     uint32_t count) {
    rows->count = count;
    rows->world = world.index;
    rows->world_count = 1;
    rows->row = row;
    rows->archetype = (cosm_archetype){store->archetype->id};
    rows->term_count = 0;
    rows->entities = NULL;
    rows->terms = NULL;
    rows->query = NULL;
    rows->batch = world.batch;
    rows->turn = NULL;
    rows->context = NULL;
    rows->dt = 0.0f;
    rows->match = NULL;
    rows->world_first = world.index;
    rows->world_next = world.index;
    rows->world_end = world.index;
    rows->state = ROWS_ENDED;
    rows->group = store->id;
    rows->is_sieved = 0;
    rows->reader = NULL;
    rows->stamps = STAMP_NOTHING;
    rows->table = count == 0 ? NULL : store_table(store, world.index)->columns;
    rows->first = store_first(store, world.index) + row;
    if (!store->archetype->temporary && count > 0) {
        rows->entities = (const cosm_entity *)(const void *)store_cell(
            store, store_table(store, world.index), world.index, ENTITY_COLUMN, row,
            sizeof(cosm_entity));
    }
}
