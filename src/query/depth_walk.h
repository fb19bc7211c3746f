// Walking a query by depth: every entity after its parent.
#ifndef COSM_QUERY_DEPTH_WALK_H
#define COSM_QUERY_DEPTH_WALK_H

#include "query/walk.h"

// Calls `each` for runs of rows, world by world, those of smaller depth first. `like` is a walk of
// these worlds that is under way: it locks them, and the rows shown have its turn and dt. On
// failure, which is want of memory, a message names `call`; worlds before it have been walked.
cosm_result cosmi_depth_walk(const cosm_query *query, cosm_worlds worlds, const cosm_rows *like,
                             cosm_rows_fn *each, void *context, const char *call);

#endif
