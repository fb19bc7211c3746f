// Changes: which rows have changed since you last looked.
//
//     cosm_query *moved = cosm_query_create(engine, &(cosm_query_desc){.text = "~Position"});
//     cosm_change_reader *reader = cosm_change_reader_create(batch, moved);
//     ...
//     cosm_change_walk(reader, cosm_worlds_all(batch), &rows);
//     while (cosm_rows_next(&rows)) { ... }
//
// Each world has a clock that only increases. Write access stamps values with a tick, the current
// clock; read access does not. A reader keeps the clock of its last walk. Reading clears nothing,
// so readers do not hide changes from each other.
//
// Ticks are kept per chunk and component: if one row was written, all rows of its chunk are
// reported. With cosm_component_desc.change_rows ticks are also kept per row, and only written rows
// are reported. Write access counts, whether or not anything is written: a run of a walk whose term
// has COSM_ACCESS_WRITE, cosm_entity_write, cosm_rows_set, cosm_table_column and the like; set;
// spawn. A row that moves (a component was added, a hole filled, a table sorted) counts as changed
// where ticks are per chunk, and keeps its tick where they are per row.
//
// A system is a reader of its own queries: in each turn it sees what changed since its last turn,
// except what it wrote itself.
#ifndef COSM_CHANGE_H
#define COSM_CHANGE_H

#include <cosm/error.h>
#include <cosm/query.h>
#include <cosm/types.h>

COSM_BEGIN_C

// Stores, for each world of a batch, the clock of its last walk.
typedef struct cosm_change_reader cosm_change_reader;

// Creates a reader of a query with `changed` terms, and starts to track their components in this
// batch. Its first walk shows all rows. Do not call it while the batch is running or walked, or
// while another thread uses it; lookups started before must be started again. NULL on failure.
COSM_API cosm_change_reader *cosm_change_reader_create(cosm_batch *batch, cosm_query *query);

// Destroys a reader; do so before its batch is destroyed. NULL is allowed. It must not be being
// walked.
COSM_API void cosm_change_reader_destroy(cosm_change_reader *reader);

// Starts a walk, like cosm_query_walk, of the rows in which all `changed` terms changed since this
// reader last walked their world; of alternatives (COSM_TERM_ANY_OF), one that changed or need not
// have. Later changes are for the next walk, except what is written through these rows: that counts
// as seen. A walk ended with cosm_rows_end does not count: the next one starts from the same clock.
// One walk at a time in each world; between steps only. On failure, which is reported, the walk is
// empty.
COSM_API void cosm_change_walk(cosm_change_reader *reader, cosm_worlds worlds, cosm_rows *out_rows);

// Makes the next walk of these worlds show all rows, like the first one.
COSM_API COSM_MUST_USE cosm_result cosm_change_forget(cosm_change_reader *reader,
                                                      cosm_worlds worlds);

// Marks rows [first, first + count) of a run as changed in term number `index`. For terms with
// COSM_ACCESS_MARK, which write but count as changed only where marked. Reports an error if there
// is no such row or term, or the term only reads.
COSM_API void cosm_change_mark(const cosm_rows *rows, uint32_t index, uint32_t first,
                               uint32_t count);

// Without a reader: starts to track a component in a batch. All its values count as changed now.
COSM_API COSM_MUST_USE cosm_result cosm_change_track(cosm_batch *batch, cosm_component component);

// The clock of a world; calling it advances the clock. Later changes have a greater tick, earlier
// ones do not. Between steps only: otherwise 0, reported.
COSM_API uint64_t cosm_change_now(cosm_world world);

// The tick of the last change of a component in a chunk of a table. 0 if there is no such table,
// chunk or component; UINT64_MAX if it is not tracked. O(1).
COSM_API uint64_t cosm_change_tick(cosm_world world, cosm_archetype archetype,
                                   cosm_component component, uint32_t chunk);

// The tick of the last change of an entity's component: its own with change_rows, else that of its
// chunk. 0 if the entity is stale or lacks the component; UINT64_MAX if it is not tracked. O(1).
COSM_API uint64_t cosm_change_entity_tick(cosm_world world, cosm_entity entity,
                                          cosm_component component);

COSM_END_C

#endif
