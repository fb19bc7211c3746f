// The public calls of cosm/system.h.
#include <cosm/system.h>

#include "api/text.h"
#include "run/step.h"

cosm_system cosm_system_define(cosm_engine *engine, const cosm_system_desc *desc) {
    if (engine == NULL || desc == NULL) {
        (void)cosmi_refuse_null(engine == NULL ? NULL : &engine->sink, "cosm_system_define",
                                engine == NULL ? "engine" : "desc", "pass both");
        return (cosm_system){cosmi_defined(engine, "system", NULL, 0)};
    }
    cosm_system_desc by_ids;
    uint32_t id = cosmi_text_system(engine, "cosm_system_define", desc, &by_ids) == COSM_OK
                      ? cosmi_system_define(&engine->runner, &by_ids)
                      : 0;
    return (cosm_system){cosmi_defined(engine, "system", desc->name, id)};
}

// A batch in which the system was initialised, and in which it is no longer; NULL: none is left.
static cosm_batch *take_initialised(cosm_engine *engine, const struct system *system) {
    cosmi_mutex_lock(&engine->batch_lock);
    struct cosm_batch *batch = engine->batches;
    while (batch != NULL && !cosmi_step_forget_init(batch, system)) {
        batch = batch->next;
    }
    cosmi_mutex_unlock(&engine->batch_lock);
    return batch;
}

cosm_result cosm_system_remove(cosm_engine *engine, cosm_system system) {
    static const char call[] = "cosm_system_remove";
    if (engine == NULL) {
        return cosmi_refuse_null(NULL, call, "engine", "pass one from cosm_engine_create");
    }
    struct system *taken = cosmi_system_take_out(&engine->runner, call, system.id);
    if (taken == NULL) {
        return cosm_error_result();
    }
    // Steps that begin from now on do not know the system.
    cosm_batch *batch = take_initialised(engine, taken);
    for (; batch != NULL; batch = take_initialised(engine, taken)) {
        if (taken->dispose != NULL) {
            taken->dispose(taken->context, batch);
        }
    }
    cosmi_mutex_lock(&engine->runner.lock);
    cosmi_system_release(&engine->runner, taken);
    cosmi_mutex_unlock(&engine->runner.lock);
    return COSM_OK;
}

// The lock is not part of the engine's value.
static struct runner *lock_systems(const cosm_engine *engine) {
    struct runner *runner = (struct runner *)&engine->runner;
    cosmi_mutex_lock(&runner->lock);
    return runner;
}

cosm_result cosm_system_enable(cosm_engine *engine, cosm_system system, bool enabled) {
    static const char call[] = "cosm_system_enable";
    if (engine == NULL) {
        return cosmi_refuse_null(NULL, call, "engine", "pass one from cosm_engine_create");
    }
    struct runner *runner = lock_systems(engine);
    struct system *found = cosmi_system_by_id(runner, system.id);
    if (found != NULL) {
        atomic_store_explicit(&found->enabled, enabled, memory_order_relaxed);
    }
    cosmi_mutex_unlock(&runner->lock);
    return found != NULL
               ? COSM_OK
               : cosmi_fail(&engine->sink, COSM_ERROR_ARGUMENT,
                            "%s: system %u is not defined in this engine, or was removed; pass one "
                            "from cosm_system_define",
                            call, system.id);
}

cosm_system cosm_system_find(const cosm_engine *engine, const char *name) {
    if (engine == NULL || name == NULL) {
        return (cosm_system){0};
    }
    struct runner *runner = lock_systems(engine);
    const struct system *found = cosmi_system_by_name(runner, name);
    cosm_system system = {found == NULL ? 0 : found->id};
    cosmi_mutex_unlock(&runner->lock);
    return system;
}

cosm_system_info cosm_system_describe(const cosm_engine *engine, cosm_system system) {
    cosm_system_info info = {0};
    if (engine == NULL) {
        return info;
    }
    struct runner *runner = lock_systems(engine);
    const struct system *found = cosmi_system_by_id(runner, system.id);
    if (found != NULL) {
        info.name = found->name;
        info.phase = (cosm_phase){found->phase};
        info.is_enabled = atomic_load_explicit(&found->enabled, memory_order_relaxed);
    }
    cosmi_mutex_unlock(&runner->lock);
    return info;
}
