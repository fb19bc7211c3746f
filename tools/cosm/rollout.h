// `cosm run` on an environment: random actions, as its spaces and masks allow, for as many steps as
// are asked for; then a summary with returns and lengths of the episodes that were over.
#ifndef COSM_TOOL_ROLLOUT_H
#define COSM_TOOL_ROLLOUT_H

#include "arguments.h"

// Lists the environments there are, for `cosm list`.
void rollout_list(void);

// The exit code: 0, or 1 after a complaint.
int rollout_run(const struct arguments *arguments);

#endif
