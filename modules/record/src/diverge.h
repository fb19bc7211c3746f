// What comparing batches and comparing recordings share.
#ifndef COSM_RECORD_DIVERGE_SOURCE_H
#define COSM_RECORD_DIVERGE_SOURCE_H

#include <cosm_record/diverge.h>

// Says what differs first in two states of as many worlds, of one engine or of two; where that
// cannot be told, the first world whose hash differs. Handles are those of the engine of `a`.
void cosmi_record_tell(const cosm_snapshot *a, const cosm_snapshot *b, cosm_divergence *where);

// Attempts that nobody is to hear of if they fail: in between errors are muted, and afterwards the
// last error of the thread is what it was before.
struct record_attempt {
    cosm_result result;
    char message[640];
};

void cosmi_record_try(struct record_attempt *attempt);
void cosmi_record_tried(const struct record_attempt *attempt);

#endif
