// Recording: stores the inputs of a run, so that it can be replayed.
//
//     cosm_recorder *recorder = cosm_recorder_create(batch, "run.cosmrec", NULL);
//     ... set inputs, cosm_batch_step, and so on ...
//     result = cosm_recorder_close(recorder);
//
// A step depends on the state before it and on what the program does between steps: the singletons
// it writes, the entities it spawns, the values it sets. A recording holds the first state, the
// changes made between steps, the hash after every step, and a whole state (keyframe) at intervals.
// Whatever the program does between steps is an input, detected by its changes (change.h). This
// includes phases that it runs itself, and those that a loop runs once per frame.
//
// Objects (is_object of cosm_component_info) cannot be recorded: a batch with such components is
// rejected. Your commands that wait across a step count when they are applied; until then keyframes
// are delayed.
//
// See record.h for replaying, and diverge.h for finding where two runs diverge.
#ifndef COSM_RECORD_H
#define COSM_RECORD_H

#include <cosm/error.h>
#include <cosm/save.h>
#include <cosm/types.h>

COSM_BEGIN_C

typedef struct cosm_recorder cosm_recorder;

// Zeroed: the defaults.
typedef struct cosm_recorder_desc {
    uint32_t keyframe_steps; // steps between keyframes; zero: 256
    bool history;     // also stores what each step changed: any state can then be read without
                      // running a system, even if the run cannot be repeated
    const char *note; // a description, such as the name of a scene; copied
    const cosm_codec *codec; // NULL: not compressed; must outlive the recorder
} cosm_recorder_desc;

// Starts to record a batch to a file, which is created or overwritten; `desc` may be NULL. A batch
// has one recorder at a time. Call it between steps. NULL on failure.
//
// A later failure to record does not fail a step: recording stops, and closing reports the failure.
COSM_API cosm_recorder *cosm_recorder_create(cosm_batch *batch, const char *path,
                                             const cosm_recorder_desc *desc);

// Ends the recording and writes the rest of it. Call it between steps; otherwise it fails with
// COSM_ERROR_BUSY and does nothing. The recorder is destroyed, and the first failure to write is
// returned. A file that was not closed is valid up to its last complete step. NULL is allowed.
COSM_API COSM_MUST_USE cosm_result cosm_recorder_close(cosm_recorder *recorder);

// How far a recording is.
typedef struct cosm_recorder_info {
    // Steps recorded. If the program returns to a recorded step and continues from there, the steps
    // it went back over are not part of the recording.
    uint64_t step_count;
    uint64_t bytes; // written
} cosm_recorder_info;

// Zeroed for NULL.
COSM_API cosm_recorder_info cosm_recorder_describe(const cosm_recorder *recorder);

// Replaying: runs a recording again, from any step.
//
//     cosm_replay *replay = cosm_replay_open(engine, "run.cosmrec", NULL);
//     result = cosm_replay_seek(replay, batch, 1000);
//     while (cosm_replay_step(replay, batch) == COSM_OK) { ... }
//
// To continue from a step with other inputs, seek to it and step the batch yourself.

typedef struct cosm_replay cosm_replay;

// Opens a recording and checks all its blocks; `desc` may be NULL. NULL on failure. The bytes, and
// what the desc points at, must stay valid until it is closed.
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
