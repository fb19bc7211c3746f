// Turns: what a system gets when it is called.
//
// A turn is one system on some worlds of a batch, on one worker. `run` gets it as its argument;
// `each` finds it in rows->turn. A turn ends when the system returns: nothing that it gave may be
// kept.
#ifndef COSM_TURN_H
#define COSM_TURN_H

#include <cosm/error.h>
#include <cosm/query.h>
#include <cosm/random.h>
#include <cosm/types.h>

COSM_BEGIN_C

struct cosm_turn {
    cosm_worlds worlds; // the worlds that this turn is for
    float dt;           // seconds that this run of the phase stands for
    uint32_t worker;    // which of those that work on this batch now, from 0 on
    uint64_t step;      // steps ended before this one
    cosm_system system;
    void *context; // the system's
};

// Walks the system's query number `query_index` over worlds of this turn.
// On failure there is a message and the walk is empty.
COSM_API void cosm_turn_walk(const cosm_turn *turn, uint32_t query_index, cosm_worlds worlds,
                             cosm_rows *out_rows);

// The system's query number `query_index`, or NULL.
COSM_API const cosm_query *cosm_turn_query(const cosm_turn *turn, uint32_t query_index);

// Where the system records structural changes of worlds of this turn. They are applied at the next
// sync point, in the order of (system, world, run of chunks, sequence), whatever the number of
// workers. NULL with a message when the system does not declare `commands`.
COSM_API cosm_commands *cosm_turn_commands(const cosm_turn *turn);

// `size` bytes, aligned to 64, for as long as the phase runs. Not cleared. NULL with a message when
// out of memory.
COSM_API void *cosm_turn_scratch(const cosm_turn *turn, size_t size);

// Random numbers of a world for this system in this step. `stream` tells apart what is drawn: use
// an entity's id for what is drawn per entity, and the outcome does not depend on the order of
// rows. The same arguments give the same numbers.
COSM_API cosm_random cosm_turn_random(const cosm_turn *turn, cosm_world world, uint32_t stream);

// Tells that the system failed: the step returns COSM_ERROR_SYSTEM with this message, and the
// system's name before it, unless something failed earlier in the order of the plan.
COSM_API void cosm_turn_fail(const cosm_turn *turn, const char *message);

COSM_END_C

#endif
