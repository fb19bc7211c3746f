// The plan: the order of systems, which may run in parallel, and where commands are applied.
//
// Built when a phase first runs, and again after systems or phases change. Printing it shows every
// system with its access, and every edge between two systems with its reason.
#ifndef COSM_PLAN_H
#define COSM_PLAN_H

#include <cosm/error.h>
#include <cosm/types.h>

COSM_BEGIN_C

typedef enum cosm_plan_format {
    COSM_PLAN_TEXT = 0,
    COSM_PLAN_DOT, // for Graphviz
} cosm_plan_format;

// Builds the plan and returns whether that is possible: an unknown name in `before` or `after` is
// an error here and in the next step. Cycles are detected by cosm_system_define.
COSM_API COSM_MUST_USE cosm_result cosm_plan_check(cosm_engine *engine);

// Writes the plan to `write`, in parts.
COSM_API COSM_MUST_USE cosm_result cosm_plan_print(cosm_engine *engine, cosm_plan_format format,
                                                   cosm_text_fn *write, void *context);

COSM_END_C

#endif
