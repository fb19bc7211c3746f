// Recorders as steps see them: told before the first system runs, and when the step has ended.
//
// A recorder never fails a step. What goes wrong is kept for cosm_recorder_close, and from then on
// nothing is recorded.
#ifndef COSM_API_RECORD_H
#define COSM_API_RECORD_H

#include <cosm/record.h>

#include "api/batch.h"

// A step begins, its init hooks called; nothing happens where one has begun already.
void cosmi_recorder_before(cosm_recorder *recorder, enum step_kind kind, float dt);

// It has ended; or (not `taken`) could not be: what it did is the program's doing then.
void cosmi_recorder_after(cosm_recorder *recorder, bool taken);

#endif
