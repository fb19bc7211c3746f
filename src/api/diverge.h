// What comparing batches and comparing recordings share.
#ifndef COSM_API_DIVERGE_H
#define COSM_API_DIVERGE_H

#include <cosm/diverge.h>

// Says what differs first in two states of as many worlds, of one engine or of two; where that
// cannot be told, the first world whose hash differs. Handles are those of the engine of `a`.
void cosmi_diverge_report(const cosm_snapshot *a, const cosm_snapshot *b, cosm_divergence *where);

#endif
