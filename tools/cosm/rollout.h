// Commands on environments. `cosm run`: random actions, as spaces and masks allow, for as many
// steps as are asked for; then a summary with returns and lengths of the episodes that were over.
#ifndef COSM_TOOL_ROLLOUT_H
#define COSM_TOOL_ROLLOUT_H

#include "arguments.h"

// Lists the environments there are, for `cosm list`.
void rollout_list(void);

// Runs an environment, and prints what a command asks to see of one. The exit code: 0, or 1 after a
// complaint.
int rollout_run(const struct arguments *arguments);
int rollout_show(const struct arguments *arguments);

#endif
