// Calling a function for all rows of a query, spread over the workers: outside of systems.
#ifndef COSM_RUN_EACH_H
#define COSM_RUN_EACH_H

#include "run/turn.h"

// The arguments have been checked, and nobody is in a turn on this thread. On failure there is a
// message, and nothing was called.
cosm_result cosmi_each_run(const cosm_query *query, cosm_worlds worlds, cosm_rows_fn *each,
                           void *context, const char *call);

#endif
