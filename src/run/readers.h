// Systems as readers of changes: what each one has seen in the worlds of a batch.
//
// A system sees in a turn what has changed since it last looked, but for what it wrote itself. To
// the end its turn stamps with the tick that it has seen, and the clock moves on when the turn
// ends. Where turns of one level run side by side in a world, the clock stands still for all of
// them and moves on when the level ends: they write nothing that another one of them looks at.
#ifndef COSM_RUN_READERS_H
#define COSM_RUN_READERS_H

#include "query/changed.h"
#include "run/system.h"

struct step;
struct turn;

// What one system has seen. Of a query without `changed` terms there is no reader.
struct system_readers {
    uint32_t system; // its id, which no other system ever gets
    struct cosm_change_reader *readers[COSM_SYSTEM_QUERY_MAX];
};

// Of all systems that look for changes in one batch. Touched by the thread that steps; the readers
// themselves by whoever has their worlds.
struct reader_list {
    struct system_readers *items;
    uint32_t count;
    uint32_t capacity;
};

// Makes readers for the systems of a plan that have none in this batch, and drops those of systems
// that are no more. On failure there is a message.
cosm_result cosmi_readers_adopt(struct step *step);
void cosmi_readers_free(struct cosm_batch *batch, struct reader_list *list);

// The readers of a system; NULL where it does not look for changes.
const struct system_readers *cosmi_readers_find(const struct reader_list *list,
                                                const struct system *system);

// Looks with all queries of a system that has `each`, before a turn: its calls may be spread over
// workers. A system with `run` looks when it walks.
void cosmi_readers_advance(const struct system_readers *readers, const struct system *system,
                           cosm_worlds worlds);

// A walk of one of the queries of the turn's system, which was begun just now.
void cosmi_turn_watch(const struct turn *turn, const cosm_query *query, cosm_rows *rows);

#endif
