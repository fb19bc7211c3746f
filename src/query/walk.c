// Walking a query: table by table in the order of signatures, world by world within a table.
#include "query/walk.h"

void cosmi_walk_begin(const cosm_query *query, cosm_worlds worlds, cosm_rows *rows) {
    struct cosm_batch *batch = worlds.batch;
    rows->count = 0;
    rows->term_count = query->term_count;
    rows->terms = query->infos;
    rows->query = query;
    rows->batch = batch;
    rows->world_first = worlds.first;
    rows->world_next = worlds.first;
    rows->world_end = worlds.first + worlds.count;
    rows->entities = NULL;
    if (worlds.count == 1) {
        rows->state = ROWS_WALKS_WORLD;
        atomic_fetch_add_explicit(&batch->worlds[worlds.first].walks, 1, memory_order_relaxed);
    } else {
        rows->state = ROWS_WALKS_BATCH;
        atomic_fetch_add_explicit(&batch->walks, 1, memory_order_relaxed);
    }
    rows->match = match_first(query);
}

void cosmi_walk_end(cosm_rows *rows) {
    if (rows->state == ROWS_WALKS_WORLD) {
        atomic_fetch_sub_explicit(&rows->batch->worlds[rows->world_first].walks, 1,
                                  memory_order_relaxed);
    } else if (rows->state == ROWS_WALKS_BATCH) {
        atomic_fetch_sub_explicit(&rows->batch->walks, 1, memory_order_relaxed);
    }
    rows->state = ROWS_ENDED;
    rows->count = 0;
    rows->match = NULL;
}

// How many worlds from `world` on have all their rows, at most to `end`.
static uint32_t full_worlds(const struct store *store, uint32_t world, uint32_t end) {
    const uint32_t *counts = store->counts;
    uint32_t max = store->fixed_max;
    uint32_t at = world;
    // Sixteen at a time without a branch, which compiles to a few vector instructions: the scan
    // stays small beside the rows themselves even at ten rows a world.
    while (end - at >= 16) {
        uint32_t differ = 0;
        for (uint32_t i = 0; i < 16; i++) {
            differ |= counts[at + i] ^ max;
        }
        if (differ != 0) {
            break;
        }
        at += 16;
    }
    while (at < end && counts[at] == max) {
        at++;
    }
    return at - world;
}

// Shows the rows of the world at hand and, where memory is contiguous, of those behind it.
static inline void show_run(cosm_rows *rows, const struct match *match, const struct store *store,
                            uint32_t world) {
    const struct table *table = store_table(store, world);
    uint32_t count = store->counts[world];
    uint32_t world_count = 1;
    if (store->fixed_max != 0 && count == store->fixed_max && !rows->query->by_world &&
        rows->world_end - world > 1) {
        world_count = full_worlds(store, world, rows->world_end);
        count *= world_count;
        uint32_t next = world + world_count;
        // The rows of a partly filled world still adjoin those of the full ones before it.
        if (next < rows->world_end && store->counts[next] > 0) {
            count += store->counts[next];
            world_count++;
        }
    }
    rows->count = count;
    rows->world = world;
    rows->world_count = world_count;
    rows->world_next = world + world_count;
    rows->row = 0;
    rows->archetype = (cosm_archetype){match->archetype->id};
    size_t first = (size_t)world * store->fixed_max;
    const cosm_entity *entities = table->columns[ENTITY_COLUMN];
    rows->entities = entities == NULL ? NULL : entities + first;
    for (uint32_t t = 0; t < rows->term_count; t++) {
        uint16_t column = match->columns[t];
        rows->columns[t] = column == COLUMN_NONE
                               ? NULL
                               : (char *)table->columns[column] + first * rows->terms[t].size;
    }
}

bool cosmi_walk_next(cosm_rows *rows) {
    const struct match *match = rows->match;
    uint32_t world = rows->world_next;
    uint32_t end = rows->world_end;
    while (match != NULL) {
        const struct store *store = batch_store(rows->batch, match->archetype->id);
        if (store != NULL) {
            const uint32_t *counts = store->counts;
            while (world < end && counts[world] == 0) {
                world++;
            }
            if (world < end) {
                rows->match = match;
                show_run(rows, match, store, world);
                return true;
            }
        }
        match = match_next(match);
        world = rows->world_first;
    }
    cosmi_walk_end(rows);
    return false;
}

uint64_t cosmi_query_count_rows(const cosm_query *query, cosm_worlds worlds) {
    uint64_t count = 0;
    for (struct match *match = match_first(query); match != NULL; match = match_next(match)) {
        const struct store *store = batch_store(worlds.batch, match->archetype->id);
        for (uint32_t w = 0; store != NULL && w < worlds.count; w++) {
            count += store->counts[worlds.first + w];
        }
    }
    return count;
}

void cosmi_rows_show(cosm_rows *rows, struct place place, const struct store *store, uint32_t row,
                     uint32_t count) {
    rows->count = count;
    rows->world = place.index;
    rows->world_count = 1;
    rows->row = row;
    rows->archetype = (cosm_archetype){store->archetype->id};
    rows->term_count = 0;
    rows->entities = NULL;
    rows->terms = NULL;
    rows->query = NULL;
    rows->batch = place.batch;
    rows->match = NULL;
    rows->world_first = place.index;
    rows->world_next = place.index;
    rows->world_end = place.index;
    rows->state = ROWS_ENDED;
    if (!store->archetype->temporary && count > 0) {
        rows->entities = (const cosm_entity *)(const void *)store_cell(
            store, store_table(store, place.index), place.index, ENTITY_COLUMN, row,
            sizeof(cosm_entity));
    }
}
