// Recording: stores the inputs of a run, so that it can be replayed.
//
//     cosm_recorder *recorder = cosm_recorder_create(batch, "run.cosmrec", NULL);
//     ... set inputs, cosm_batch_step, and so on ...
//     result = cosm_recorder_close(recorder);
//
// A step depends on the state before it and on what the program does between steps: the singletons
// it writes, the entities it spawns, the values it sets. A recording holds the first state, the
// changes made between steps, the hash after every step, and a whole state (keyframe) at intervals.
// Whatever the program does between steps is an input, detected by its changes (query.h). This
// includes phases that it runs itself, and those that a loop runs once per frame.
//
// Objects (is_object of cosm_component_info) cannot be recorded: a batch with such components is
// rejected. Your commands that wait across a step count when they are applied; until then keyframes
// are delayed.
//
// See replay.h for replaying, and diverge.h for finding where two runs diverge.
#ifndef COSM_RECORD_RECORDER_H
#define COSM_RECORD_RECORDER_H

#include <cosm/batch.h>
#include <cosm/save.h>

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

// Starts to record a batch to a file, which is created or overwritten; `desc` may be NULL. The
// recorder watches the batch (cosm_batch_watch), which cannot be destroyed until it is closed. Call
// it between steps. NULL on failure.
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

COSM_END_C

#endif
