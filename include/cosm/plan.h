// The plan: in which order systems run, which may run side by side, and where commands apply.
//
// Built when a phase first runs and again after systems or phases changed. Printing it shows every
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

// Builds the plan, to find out whether it can be: an unknown name in `before` or `after` is an
// error here and in the next step. Circles are found by cosm_system_define already.
COSM_API COSM_MUST_USE cosm_result cosm_plan_check(cosm_engine *engine);

// Writes the plan to `write`, piece by piece.
COSM_API COSM_MUST_USE cosm_result cosm_plan_print(cosm_engine *engine, cosm_plan_format format,
                                                   cosm_text_fn *write, void *context);

COSM_END_C

#endif
