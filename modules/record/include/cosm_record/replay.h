// Replaying: runs a recording again, from any step.
//
//     cosm_replay *replay = cosm_replay_open(engine, "run.cosmrec", NULL);
//     result = cosm_replay_seek(replay, batch, 1000);
//     while (cosm_replay_step(replay, batch) == COSM_OK) { ... }
//
// To continue from a step with other inputs, seek to it and step the batch yourself.
#ifndef COSM_RECORD_REPLAY_H
#define COSM_RECORD_REPLAY_H

#include <cosm/batch.h>
#include <cosm/save.h>
#include <cosm/snapshot.h>

COSM_BEGIN_C

typedef struct cosm_replay cosm_replay;

// Reads a recording into memory and checks all its blocks; `desc` may be NULL. NULL on failure. The
// engine, the bytes, and what the desc points at must stay valid until the replay is closed.
COSM_API cosm_replay *cosm_replay_open(cosm_engine *engine, const char *path,
                                       const cosm_load_desc *desc);
COSM_API cosm_replay *cosm_replay_open_bytes(cosm_engine *engine, const void *bytes, size_t size,
                                             const cosm_load_desc *desc);
COSM_API void cosm_replay_close(cosm_replay *replay);

// What a recording holds.
typedef struct cosm_replay_info {
    uint32_t world_count;
    uint64_t seed;
    uint64_t first_step; // at which it starts, before its first input
    uint64_t last_step;
    const char *note; // as long as the replay is open
    bool has_history;
    bool is_whole; // it was closed; false: its program ended before
} cosm_replay_info;

// Zeroed for NULL.
COSM_API cosm_replay_info cosm_replay_describe(const cosm_replay *replay);

// The recorded hash (COSM_HASH_EXACT) of the batch, or of one world, after a step; 0 if there is
// none.
COSM_API uint64_t cosm_replay_hash(const cosm_replay *replay, uint64_t step);
COSM_API uint64_t cosm_replay_world_hash(const cosm_replay *replay, uint64_t step, uint32_t world);

// Brings a batch of the same engine, with as many worlds, to the state after a step: from the last
// keyframe before it, by the recorded history or by running. Calls pending init hooks first. Fails
// with COSM_ERROR_CONFLICT if running gives another hash than was recorded; the message names the
// step.
COSM_API COSM_MUST_USE cosm_result cosm_replay_seek(cosm_replay *replay, cosm_batch *batch,
                                                    uint64_t step);

// Applies the inputs of the next step to the batch, which is in the state after some step; takes
// that step; and compares its hash: COSM_ERROR_CONFLICT if it differs. COSM_STALE at the end of the
// recording.
COSM_API COSM_MUST_USE cosm_result cosm_replay_step(cosm_replay *replay, cosm_batch *batch);

// Applies only the inputs; you take the step. COSM_STALE at the end, unless the program ended
// during a step, whose inputs are then there.
COSM_API COSM_MUST_USE cosm_result cosm_replay_inputs(cosm_replay *replay, cosm_batch *batch);

// The state after a step as a snapshot, without a batch: a keyframe or, with history, any step.
// NULL if it is not available.
COSM_API cosm_snapshot *cosm_replay_snapshot(cosm_replay *replay, uint64_t step);

COSM_END_C

#endif
