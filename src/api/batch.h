// Steps as other public calls take them: recordings, replays, and whoever looks on.
#ifndef COSM_API_BATCH_H
#define COSM_API_BATCH_H

#include "api/engine.h"
#include "run/step.h"

// Which phases a step runs before it ends. The numbers stand in recordings.
enum step_kind {
    STEP_WHOLE = 1,   // all of them: cosm_batch_step
    STEP_FIXED = 2,   // those of a fixed rate: a loop's
    STEP_BY_HAND = 3, // none: what ran before cosm_batch_end_step counts as the program's doing
};

struct step_mode {
    enum step_kind kind;
    float dt;
    bool is_given; // what the step begins with is in the worlds already: nothing is scattered
    step_after_fn *after; // see run/step.h; NULL: nobody looks on
    void *context;
};

// Takes a step, as cosm_batch_step does. *out_taken (NULL is fine): did it come to its end,
// whatever failed on the way?
cosm_result cosmi_batch_take_step(cosm_batch *batch, const struct step_mode *mode, const char *call,
                                  bool *out_taken);

// Brings what the outside wrote into gathered tensors into the worlds, as a step does first.
cosm_result cosmi_batch_scatter(cosm_batch *batch, const char *call);

// Shows in all tensors what the worlds have, also in those that only the outside writes.
cosm_result cosmi_batch_show_inputs(cosm_batch *batch, const char *call);

// Does what the next step would do before its first phase: calls the init hooks of systems that are
// new to the batch.
cosm_result cosmi_batch_ready(cosm_batch *batch, const char *call);

#endif
