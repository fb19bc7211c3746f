// Changes: which rows have changed since you last looked.
//
//     cosm_query *moved = cosm_query_create(engine, &(cosm_query_desc){.terms = {
//         {.component = position, .changed = true}}});
//     cosm_change_reader *reader = cosm_change_reader_create(batch, moved);
//     ...
//     cosm_change_walk(reader, cosm_worlds_all(batch), &rows);
//     while (cosm_rows_next(&rows)) { ... }
//
// Each world has a clock that only goes up. Write access stamps values with a tick, the clock at
// that time; read access never does. A reader keeps what the clock was when it last looked. Nothing
// is cleared when somebody looks, so no reader hides a change from another.
//
// Ticks are kept by chunk and component: all rows of a chunk are shown where one was written. With
// cosm_component_desc.change_rows they are kept by row too, and just the rows that were written are
// shown. What counts is write access, whether or not it is used: a run of a walk whose term has
// COSM_ACCESS_WRITE, cosm_entity_write, cosm_rows_set, cosm_table_column and their like; set; spawn.
// A row that comes to another place (a component was added, a hole filled, a table sorted) counts as
// changed where ticks are kept by chunk, and keeps its own where they are kept by row.
//
// In a system nothing is to be done: it is a reader of its own queries, and sees in each turn what
// has changed since its last one, but for what it wrote itself.
#ifndef COSM_CHANGE_H
#define COSM_CHANGE_H

#include <cosm/error.h>
#include <cosm/query.h>
#include <cosm/types.h>

COSM_BEGIN_C

// Remembers, for each world of a batch, when it last looked.
typedef struct cosm_change_reader cosm_change_reader;

// Makes a reader of a query with terms that are `changed`, and begins to track their components in
// this batch. It has seen nothing yet: its first walk shows all rows. Not while the batch runs or is
// walked, nor while another thread uses it; look-ups that were begun before are to be begun anew.
// NULL on failure.
COSM_API cosm_change_reader *cosm_change_reader_create(cosm_batch *batch, cosm_query *query);

// Give it back before its batch is destroyed. NULL is fine. No walk of it may be under way.
COSM_API void cosm_change_reader_destroy(cosm_change_reader *reader);

// Begins a walk, as cosm_query_walk does, of the rows in which all `changed` terms have changed since
// this reader last walked their world; of alternatives, COSM_TERM_ANY_OF, one that has changed or is
// not asked to. What changes from now on is for the next walk, but for what is written through these
// rows: that counts as seen. A walk that you end with cosm_rows_end counts as not made: the next one
// begins where it began. One walk at a time in each world; between steps only.
// On failure there is a message and the walk is empty.
COSM_API void cosm_change_walk(cosm_change_reader *reader, cosm_worlds worlds, cosm_rows *out_rows);

// The next walk of these worlds shows all rows, as the first one did.
COSM_API COSM_MUST_USE cosm_result cosm_change_forget(cosm_change_reader *reader,
                                                      cosm_worlds worlds);

// Counts rows [first, first + count) of a run as changed in the query's term number `index`: for
// terms with COSM_ACCESS_MARK, which are written to and count as changed only where you say so. A
// message where there is no such row or term, or the term is for reading.
COSM_API void cosm_change_mark(const cosm_rows *rows, uint32_t index, uint32_t first,
                               uint32_t count);

// By hand. Begins to track a component in a batch, as making a reader does; all its values count as
// changed now.
COSM_API COSM_MUST_USE cosm_result cosm_change_track(cosm_batch *batch, cosm_component component);

// The clock of a world, which moves on: whatever changes after this call has a greater tick,
// whatever changed before has not. Between steps only: else 0, with a message.
COSM_API uint64_t cosm_change_now(cosm_world world);

// The tick of the last change of a component in a chunk of a table; 0 where there is no such table,
// chunk or component; UINT64_MAX where it is not tracked. O(1).
COSM_API uint64_t cosm_change_tick(cosm_world world, cosm_archetype archetype,
                                   cosm_component component, uint32_t chunk);

// The tick of the last change of an entity's component: its own with change_rows, else that of its
// chunk. 0 where the entity is stale or lacks the component; UINT64_MAX where it is not tracked.
// O(1).
COSM_API uint64_t cosm_change_entity_tick(cosm_world world, cosm_entity entity,
                                          cosm_component component);

COSM_END_C

#endif
