// The public calls of cosm/system.h.
#include <cosm/system.h>

#include "api/check.h"
#include "run/plan.h"

cosm_result cosm_plan_check(cosm_engine *engine) {
    static const char call[] = "cosm_plan_check";
    if (engine == NULL) {
        return cosmi_refuse_null(NULL, call, "engine", "pass one from cosm_engine_create");
    }
    struct runner *runner = &engine->runner;
    cosmi_mutex_lock(&runner->lock);
    struct plan *plan = cosmi_plan_take(runner, call);
    if (plan != NULL) {
        cosmi_plan_release(runner, plan);
    }
    cosmi_mutex_unlock(&runner->lock);
    return plan != NULL ? COSM_OK : cosm_error_result();
}

cosm_result cosm_plan_print(cosm_engine *engine, cosm_plan_format format, cosm_text_fn *write,
                            void *context) {
    static const char call[] = "cosm_plan_print";
    if (engine == NULL || write == NULL) {
        return cosmi_refuse_null(engine == NULL ? NULL : &engine->sink, call,
                                 engine == NULL ? "engine" : "write", "pass both");
    }
    if ((unsigned)format > COSM_PLAN_DOT) {
        return cosmi_fail(&engine->sink, COSM_ERROR_ARGUMENT,
                          "%s: format %d is unknown; use a value of cosm_plan_format", call,
                          (int)format);
    }
    struct runner *runner = &engine->runner;
    cosmi_mutex_lock(&runner->lock);
    struct plan *plan = cosmi_plan_take(runner, call);
    cosmi_mutex_unlock(&runner->lock);
    if (plan == NULL) {
        return cosm_error_result();
    }
    // Without the lock: `write` may ask the engine something.
    cosmi_plan_print(runner, plan, format, write, context);
    cosmi_mutex_lock(&runner->lock);
    cosmi_plan_release(runner, plan);
    cosmi_mutex_unlock(&runner->lock);
    return COSM_OK;
}
