// The commands that step a scene or an environment: run, save, record, show, plan and schema.
#ifndef COSM_TOOL_RUN_H
#define COSM_TOOL_RUN_H

#include "arguments.h"

// run, save and record: takes the steps, prints a summary and leaves a file where one is asked for.
// The exit code: 0, or 1 after a complaint.
int run_command(const struct arguments *arguments);

// show, plan and schema: prints what is asked for. The exit code, likewise.
int run_show(const struct arguments *arguments);

#endif
