// Recording: the inputs of a run, so that it can be run again.
//
//     cosm_recorder *recorder = cosm_recorder_create(batch, "run.cosmrec", NULL);
//     ... set inputs, cosm_batch_step, and so on ...
//     result = cosm_recorder_close(recorder);
//
// Steps follow from the state before them and from what the program does between them: singletons it
// writes, entities it spawns, values it sets. A recording holds the first state, the changes that
// were made between steps, the hash after every step, and a whole state every now and then. Whatever
// the program does between steps is an input, found out by what has changed (change.h): so are phases
// that it runs by hand, and those that a loop runs once per frame.
//
// Not recorded are objects (cosm_component_is_object): a batch that has such components is refused.
// Commands of yours that wait to be applied over a step count when they are applied; until then whole
// states are put off.
//
// Replaying is in replay.h, finding out where two runs part in diverge.h.
#ifndef COSM_RECORD_H
#define COSM_RECORD_H

#include <cosm/error.h>
#include <cosm/save.h>
#include <cosm/types.h>

COSM_BEGIN_C

typedef struct cosm_recorder cosm_recorder;

// Good when zeroed.
typedef struct cosm_recorder_desc {
    uint32_t keyframe_steps; // steps between whole states; zero: 256
    bool history;     // keeps what each step changed too: every state can then be had without
                      // running a system, also of a run that cannot be repeated
    const char *note; // what the recording is of, such as the name of a scene; copied
    const cosm_codec *codec; // NULL: not compressed; lives as long as the recorder
} cosm_recorder_desc;

// Begins to record a batch to a file, which is made anew; `desc` may be NULL. A batch has one recorder
// at a time. Between steps. NULL on failure.
//
// From then on a failure never is one of a step: nothing more is recorded, and closing tells of it.
COSM_API cosm_recorder *cosm_recorder_create(cosm_batch *batch, const char *path,
                                             const cosm_recorder_desc *desc);

// Ends the recording and writes what is left of it, between steps (else COSM_ERROR_BUSY, and nothing
// is done). The recorder is gone then; a failure to write, also an earlier one, is what it returns. A
// file that was not closed is good up to the last step whose block is whole. NULL is fine.
COSM_API COSM_MUST_USE cosm_result cosm_recorder_close(cosm_recorder *recorder);

// Steps that the recording holds, and bytes written. A program that goes back to a recorded step, and
// on from there, has a recording without those that it went back over.
COSM_API uint64_t cosm_recorder_step_count(const cosm_recorder *recorder);
COSM_API uint64_t cosm_recorder_bytes(const cosm_recorder *recorder);

COSM_END_C

#endif
