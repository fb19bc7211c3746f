// Replays as diverge.c uses them.
#ifndef COSM_RECORD_REPLAY_SOURCE_H
#define COSM_RECORD_REPLAY_SOURCE_H

#include <cosm_record/replay.h>

#include "recording.h"

struct cosm_replay {
    cosm_engine *engine;
    struct recording recording;
    void *owned;         // the bytes of the file; NULL: they are the caller's
    cosm_load_desc desc; // how whole states are read
};

// May the state after a step be had without running anything?
bool cosmi_record_is_kept(const struct cosm_replay *replay, uint64_t step);

// The state that a step began with, its input included, made from that after the step before:
// `before` itself where there was no input. NULL, with a message, on failure. The number may be
// that of the step behind the last one.
cosm_snapshot *cosmi_record_begun(struct cosm_replay *replay, cosm_snapshot *before, uint64_t step,
                                  const char *call);

// The contracts of cosm_replay_snapshot and cosm_replay_seek, with the name of another call.
cosm_snapshot *cosmi_record_state(struct cosm_replay *replay, uint64_t step, const char *call);
cosm_result cosmi_record_go(struct cosm_replay *replay, cosm_batch *batch, uint64_t step,
                            const char *call);

#endif
