// Steps as other public calls take them.
#ifndef COSM_API_BATCH_H
#define COSM_API_BATCH_H

#include <cosm/batch.h>

#include "api/engine.h"
#include "run/step.h"

// The contract of cosm_batch_step_with, with the name of another call. A desc with a dt of zero is
// meant so.
cosm_result cosmi_batch_take_step(cosm_batch *batch, const cosm_step_desc *desc, const char *call);

#endif
