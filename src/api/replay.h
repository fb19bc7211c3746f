// Replays as other public calls use them.
#ifndef COSM_API_REPLAY_H
#define COSM_API_REPLAY_H

#include <cosm/record.h>

#include "api/batch.h"
#include "base/file.h"
#include "state/recording.h"

struct cosm_replay {
    struct cosm_engine *engine;
    struct memory *memory; // the engine's
    struct recording recording;
    struct file_view file; // bytes are NULL where they are the caller's
    cosm_load_desc desc;   // how whole states are read
};

// May the state after a step be had without running anything?
bool cosmi_replay_is_kept(const struct cosm_replay *replay, uint64_t step);

// The state that a step began with, its input included, as a snapshot made from that after the step
// before. NULL, with a message, on failure. The number may be that of the step behind the last one.
cosm_snapshot *cosmi_replay_begun(struct cosm_replay *replay, const cosm_snapshot *before,
                                  uint64_t step, const char *call);

// The contracts of cosm_replay_snapshot and cosm_replay_seek, with the name of another call.
cosm_snapshot *cosmi_replay_state(struct cosm_replay *replay, uint64_t step, const char *call);
cosm_result cosmi_replay_go(struct cosm_replay *replay, cosm_batch *batch, uint64_t step,
                            const char *call);

#endif
