// Replaying: a recorded run, run again, from any step.
//
//     cosm_replay *replay = cosm_replay_open(engine, "run.cosmrec", NULL);
//     result = cosm_replay_seek(replay, batch, 1000);
//     while (cosm_replay_step(replay, batch) == COSM_OK) { ... }
//
// To go on from a step with other inputs, seek to it, and step the batch yourself.
#ifndef COSM_REPLAY_H
#define COSM_REPLAY_H

#include <cosm/error.h>
#include <cosm/save.h>
#include <cosm/types.h>

COSM_BEGIN_C

typedef struct cosm_replay cosm_replay;

// Opens a recording; `desc` may be NULL. All blocks are checked. NULL on failure. Bytes, and what the
// desc points at, must stay until it is closed.
COSM_API cosm_replay *cosm_replay_open(cosm_engine *engine, const char *path,
                                       const cosm_load_desc *desc);
COSM_API cosm_replay *cosm_replay_open_bytes(cosm_engine *engine, const void *bytes, size_t size,
                                             const cosm_load_desc *desc);
COSM_API void cosm_replay_close(cosm_replay *replay);

// What it holds: worlds, the step it begins with (before its first input), and the last one.
COSM_API uint32_t cosm_replay_world_count(const cosm_replay *replay);
COSM_API uint64_t cosm_replay_first_step(const cosm_replay *replay);
COSM_API uint64_t cosm_replay_last_step(const cosm_replay *replay);
COSM_API uint64_t cosm_replay_seed(const cosm_replay *replay);
COSM_API const char *cosm_replay_note(const cosm_replay *replay);
COSM_API bool cosm_replay_has_history(const cosm_replay *replay);

// Was it closed, or did its program end before?
COSM_API bool cosm_replay_is_whole(const cosm_replay *replay);

// The recorded hash (COSM_HASH_EXACT) of the batch, or of one world, after a step; 0 where there is
// none.
COSM_API uint64_t cosm_replay_hash(const cosm_replay *replay, uint64_t step);
COSM_API uint64_t cosm_replay_world_hash(const cosm_replay *replay, uint64_t step, uint32_t world);

// Brings a batch of the same engine, with as many worlds, to the state after a step: from the last
// whole state before it, by what was recorded or by running. Init hooks that are due are called first.
// COSM_ERROR_CONFLICT where running gives another hash than was recorded; the message names the step.
COSM_API COSM_MUST_USE cosm_result cosm_replay_seek(cosm_replay *replay, cosm_batch *batch,
                                                    uint64_t step);

// Gives the batch, which is in the state after some step, the inputs of the next one; takes that
// step; checks its hash: COSM_ERROR_CONFLICT where it differs. COSM_STALE at the end of the recording.
COSM_API COSM_MUST_USE cosm_result cosm_replay_step(cosm_replay *replay, cosm_batch *batch);

// Only the inputs; you step. COSM_STALE at the end; but a program that ended within a step has left its
// inputs there.
COSM_API COSM_MUST_USE cosm_result cosm_replay_inputs(cosm_replay *replay, cosm_batch *batch);

// The state after a step as a snapshot, without a batch: from whole states and, with history, any.
// NULL where it cannot be had so.
COSM_API cosm_snapshot *cosm_replay_snapshot(cosm_replay *replay, uint64_t step);

COSM_END_C

#endif
