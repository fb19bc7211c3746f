// Watchers as steps call them, where a batch has any.
#ifndef COSM_API_WATCH_H
#define COSM_API_WATCH_H

#include <cosm/batch.h>

#include "api/engine.h"
#include "run/step.h"

// The batch whose watchers this thread calls; NULL: none.
extern _Thread_local const cosm_batch *cosmi_batch_watched;

COLD void cosmi_watch_before(cosm_batch *batch, const cosm_step_desc *desc);
COLD void cosmi_watch_after(cosm_batch *batch, bool ended);

// A step_after_fn of run/step.h, whose context is the batch; to be set where a watcher asks for it.
void cosmi_watch_system(void *context, const struct system *system);
bool cosmi_watches_systems(const cosm_batch *batch);

#endif
