// Changes as queries see them: who has looked when, stamping the runs of walks that write, and the
// row filter of terms that ask for changes. Ticks and clocks are in store/change.h.
#ifndef COSM_QUERY_CHANGED_H
#define COSM_QUERY_CHANGED_H

#include <cosm/query.h>

#include "query/walk.h"
#include "store/change.h"

// What a cosm_rows says in `stamps`.
enum rows_stamps {
    STAMP_NOTHING = 0,
    STAMP_RUNS,      // when a run is shown
    STAMP_STRETCHES, // when a stretch of a run is shown: the query has row filters
};

// Whose a reader is.
enum reader_kind {
    READER_OF_PROGRAM,
    READER_OF_RUN,  // of a system that walks its queries itself
    READER_OF_EACH, // of a system that is called for rows: its turn looks, not the walks in it
};

// When somebody last looked at each world. `seen` and `since` of a world are written by whoever may
// change that world and, in a step by chunk, by the thread that steps.
//
// A reader of the program moves the clock on when it looks: all that is stamped afterwards is
// later. That of a system does not: what the system itself writes has the tick that it has seen,
// and the end of its turn moves the clock on.
struct cosm_change_reader {
    struct cosm_batch *batch;
    cosm_query *query; // counted
    enum reader_kind kind;
    uint64_t *since; // [worlds]: the walk at hand shows what is later
    uint64_t *seen;  // [worlds], behind the others: the clock when the reader last looked; 0: never
};

// Makes a reader, and has the batch track what its query asks changes of. Nothing runs but the
// caller. NULL, with a message that names `call`, on failure.
struct cosm_change_reader *cosmi_reader_create(struct cosm_batch *batch, cosm_query *query,
                                               enum reader_kind kind, const char *call);
void cosmi_reader_destroy(struct cosm_change_reader *reader);

// Looks: what was there before these calls is what walks from now on show. A second look of a
// system in the same turn shows the same as the first.
void cosmi_reader_advance(struct cosm_change_reader *reader, uint32_t first, uint32_t end);

// Takes the look of a walk back.
void cosmi_reader_rewind(struct cosm_change_reader *reader, uint32_t first, uint32_t end);

// What is stamped in these worlds from now on is later than what was stamped before.
void cosmi_clocks_tick(cosm_worlds worlds);

// What a walk of a query in a batch should stamp.
static inline uint32_t walk_stamps(const cosm_query *query, const struct cosm_batch *batch) {
    return LIKELY(batch->ticks == NULL) || query->writes == 0 ? STAMP_NOTHING
           : query->is_filtered                               ? STAMP_STRETCHES
                                                              : STAMP_RUNS;
}

// Stamps rows of a world's table that a walk shows, in all terms with COSM_ACCESS_WRITE. `match` is
// that of the table, or NULL where it is not at hand.
void cosmi_rows_stamp(const cosm_rows *rows, const struct match *match, const struct store *store,
                      uint32_t world, uint32_t row, uint32_t count);

// The same for a run as it stands, which may cover several worlds.
void cosmi_run_stamp(const cosm_rows *rows, const struct match *match, const struct store *store);

// The same for one component of rows [first, first + count) of a run. Nothing is done where it is
// not tracked, or the rows are no longer there.
void cosmi_run_stamp_component(const cosm_rows *rows, uint32_t component, uint32_t first,
                               uint32_t count);

// As cosmi_filter_find, for the terms that ask for changes.
bool cosmi_changed_find(const cosm_rows *rows, const struct store *store, uint32_t from,
                        uint32_t end, uint32_t *out_begin, uint32_t *out_end);

#endif
