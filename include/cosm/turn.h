// Turns: the argument of a system's callback.
//
// A turn is one system running on some worlds of a batch, on one worker. `run` gets it as its
// argument; `each` finds it in rows->turn. It ends when the system returns: do not keep anything
// obtained from it.
#ifndef COSM_TURN_H
#define COSM_TURN_H

#include <cosm/error.h>
#include <cosm/query.h>
#include <cosm/random.h>
#include <cosm/types.h>

COSM_BEGIN_C

struct cosm_turn {
    cosm_worlds worlds; // the worlds of this turn
    float dt;           // the seconds that this run of the phase covers
    uint32_t worker;    // the worker's number among those working on this batch, from 0
    uint64_t step;      // steps completed before this one
    cosm_system system;
    void *context; // the system's
};

// Walks the system's query number `query_index` over worlds of this turn. On failure, which is
// reported, the walk is empty.
COSM_API void cosm_turn_walk(const cosm_turn *turn, uint32_t query_index, cosm_worlds worlds,
                             cosm_rows *out_rows);

// The system's query number `query_index`, or NULL.
COSM_API const cosm_query *cosm_turn_query(const cosm_turn *turn, uint32_t query_index);

// The buffer in which the system records structural changes of this turn's worlds. They are applied
// at the next sync point in the order of (system, world, run of chunks, sequence), whatever the
// number of workers. NULL, reported, if the system does not declare `commands`.
COSM_API cosm_commands *cosm_turn_commands(const cosm_turn *turn);

// Allocates `size` bytes, aligned to 64, that live until the phase ends. Not cleared. NULL,
// reported, if out of memory.
COSM_API void *cosm_turn_scratch(const cosm_turn *turn, size_t size);

// The random numbers of a world for this system in this step. `stream` separates independent uses:
// pass the entity's id for draws per entity, and the result does not depend on the order of rows.
// The same arguments give the same numbers.
COSM_API cosm_random cosm_turn_random(const cosm_turn *turn, cosm_world world, uint32_t stream);

// Reports that the system failed: the step returns COSM_ERROR_SYSTEM with this message, prefixed
// with the system's name, unless something earlier in the plan failed.
COSM_API void cosm_turn_fail(const cosm_turn *turn, const char *message);

COSM_END_C

#endif
