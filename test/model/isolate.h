// Runs a program in a process of its own, so that a crash is a failure like any other.
#ifndef MODEL_ISOLATE_H
#define MODEL_ISOLATE_H

#include "model.h"

typedef void run_fn(const struct model_program *program, const struct model_options *options,
                    struct model_result *result);

void run_isolated(run_fn *run, const struct model_program *program,
                  const struct model_options *options, struct model_result *result);

#endif
