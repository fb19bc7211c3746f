// Calling a function for all rows of a query, spread over the workers: outside of systems.
#ifndef COSM_RUN_EACH_H
#define COSM_RUN_EACH_H

#include "run/turn.h"

// Hears of the failures of a function over rows while it is called.
struct each_watch {
    struct failure_watch own;
    struct failure_watch *outer;
};

void cosmi_each_watch(struct each_watch *watch);

// Ends it; returns the first failure, and shows it in this thread's slot. Who watched before hears
// of it too.
cosm_result cosmi_each_unwatch(struct each_watch *watch);

// The arguments have been checked, and nobody is in a turn on this thread. Returns the first
// failure inside of `each`, by the order of the rows; or there was no memory, and nothing was
// called.
cosm_result cosmi_each_run(const cosm_query *query, cosm_worlds worlds, cosm_rows_fn *each,
                           void *context, const char *call);

#endif
