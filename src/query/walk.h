// Walking: the runs of rows that a query shows, and what is done to all of them at once.
#ifndef COSM_QUERY_WALK_H
#define COSM_QUERY_WALK_H

#include "query/query.h"
#include "store/rows.h"

// The states of a cosm_rows: which count a walk is in.
enum rows_state {
    ROWS_ENDED = 0, // none; also rows that come from spawning
    ROWS_WALKS_WORLD,
    ROWS_WALKS_WORLD_SHARED,
    ROWS_WALKS_BATCH,
    ROWS_WALKS_BATCH_SHARED,
    ROWS_WALKS_RANGE,
};

// Begins a walk; the arguments have been checked.
void cosmi_walk_begin(const cosm_query *query, cosm_worlds worlds, cosm_rows *rows);
bool cosmi_walk_next(cosm_rows *rows);

// The same for worlds that are locked as a whole while a phase runs: nothing is counted.
void cosmi_walk_open(const cosm_query *query, cosm_worlds worlds, cosm_rows *rows);

// Calls `each` for all runs of a walk that was opened as above, and returns the rows it was called
// with. `rows` is filled in but for turn, context and dt.
uint64_t cosmi_walk_each(const cosm_query *query, cosm_rows *rows, cosm_rows_fn *each);

// Shows `count` rows of one table of a match in one world, from `row` on, as a run of a walk.
void cosmi_rows_slice(cosm_rows *rows, const cosm_query *query, const struct match *match,
                      const struct store *table, cosm_world world, uint32_t row, uint32_t count);

// Calls `each` for a run that lies in one world, or where the query has row filters, for its
// stretches.
void cosmi_rows_sift(cosm_rows *rows, cosm_rows_fn *each);

// The store of a match, kept in the match for the first few batches. NULL where the batch has none.
static inline const struct store *match_store(const struct match *match,
                                              const struct cosm_batch *batch) {
    uint32_t slot = batch->slot;
    if (LIKELY(slot < BATCH_SLOT_MAX)) {
        const struct store *known =
            atomic_load_explicit(&match->stores[slot], memory_order_acquire);
        if (LIKELY(known != NULL)) {
            return known;
        }
    }
    struct store *store = batch_store(batch, match->archetype_id);
    if (store != NULL && slot < BATCH_SLOT_MAX) {
        // A cache: the query is as it was.
        atomic_store_explicit(&((struct match *)match)->stores[slot], store, memory_order_release);
    }
    return store;
}

// The tables of a match that have rows in a world, one after the other; NULL at the end. `after` is
// the one before, NULL to begin with.
const struct store *cosmi_match_table(const cosm_query *query, const struct match *match,
                                      const struct cosm_batch *batch, uint32_t world,
                                      const struct store *after);

// Has a table of an archetype that matches the shared values that the query asks for?
bool cosmi_query_fits(const cosm_query *query, const struct store *store);

// Shows the values that the rows of a group share.
void cosmi_rows_show_shared(cosm_rows *rows, const struct match *match, const struct store *store);

// The store of the table that rows are in; NULL where it is no longer there.
struct store *cosmi_rows_store(const cosm_rows *rows);

void cosmi_walk_end(cosm_rows *rows);

// Rows that match, in worlds that exist.
uint64_t cosmi_query_count_rows(const cosm_query *query, cosm_worlds worlds);

// Makes rows that belong to no walk: what spawning shows.
void cosmi_rows_show(cosm_rows *rows, cosm_world world, const struct store *store, uint32_t row,
                     uint32_t count);

// What happens to every row that matches.
enum bulk_kind {
    BULK_ADD,
    BULK_REMOVE,
    BULK_SET, // adds where absent, then writes
};

struct bulk_change {
    const char *call;
    enum bulk_kind kind;
    const uint32_t *components;
    uint32_t component_count;
    const void *value; // BULK_SET: of the one component
};

// No world is being walked. On failure there is a message and nothing has changed.
cosm_result cosmi_bulk_change(const cosm_query *query, cosm_worlds worlds,
                              const struct bulk_change *change);
// There is room for events: cosmi_bulk_reserve_despawn makes it, where the engine
// has observers.
void cosmi_bulk_despawn(const cosm_query *query, cosm_worlds worlds);
cosm_result cosmi_bulk_reserve_despawn(const cosm_query *query, cosm_worlds worlds,
                                       const char *call);

// Walks by depth, every entity after its parent (depth_walk.c): calls `each` for runs of rows,
// world by world, those of smaller depth first. `like` is a walk of these worlds that is under way:
// it locks them, and the rows shown have its turn and dt. When out of memory, a message names
// `call`; worlds before it have been walked.
cosm_result cosmi_depth_walk(const cosm_query *query, cosm_worlds worlds, const cosm_rows *like,
                             cosm_rows_fn *each, void *context, const char *call);

#endif
