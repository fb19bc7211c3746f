// A copy of the library that this file keeps for itself: compiled twice, as COPY=first and second.
#define COSM_API static
#include "cosm.c"

bool COPY(void);

bool COPY(void) {
    cosm_engine *engine = cosm_engine_create(NULL);
    cosm_batch *batch = cosm_batch_create(engine, NULL);
    bool stepped = batch != NULL && cosm_batch_step(batch) == COSM_OK;
    cosm_batch_destroy(batch);
    cosm_engine_destroy(engine);
    return stepped;
}
