// What can be seen of a scene or an environment: its plan, its schema, one of its worlds.
#ifndef COSM_TOOL_SHOW_H
#define COSM_TOOL_SHOW_H

#include <stdio.h>

#include "arguments.h"

// Prints what the command asks for. On failure cosm_error_message() says why.
cosm_result show_print(cosm_engine *engine, cosm_batch *batch, const struct arguments *arguments,
                       FILE *out);

#endif
