// The public calls of cosm/system.h.
#include <cosm/system.h>

#include "api/check.h"

// The lock is not part of the engine's value.
static struct runner *runner_of(const cosm_engine *engine) {
    return (struct runner *)&engine->runner;
}

cosm_phase cosm_phase_define(cosm_engine *engine, const cosm_phase_desc *desc) {
    if (engine == NULL || desc == NULL) {
        (void)cosmi_refuse_null(engine == NULL ? NULL : &engine->sink, "cosm_phase_define",
                                engine == NULL ? "engine" : "desc", "pass both");
        return (cosm_phase){cosmi_defined(engine, "phase", NULL, 0)};
    }
    uint32_t id = cosmi_phase_define(&engine->runner, desc);
    return (cosm_phase){cosmi_defined(engine, "phase", desc->name, id)};
}

cosm_phase cosm_phase_find(const cosm_engine *engine, const char *name) {
    if (engine == NULL || name == NULL) {
        return (cosm_phase){0};
    }
    struct runner *runner = runner_of(engine);
    cosmi_mutex_lock(&runner->lock);
    uint32_t id = cosmi_phase_by_name(runner, name);
    cosmi_mutex_unlock(&runner->lock);
    return (cosm_phase){id};
}

// A phase, or NULL. Phases stay where they are once they are defined.
static const struct phase *find_phase(const cosm_engine *engine, cosm_phase phase) {
    if (engine == NULL || phase.id == 0) {
        return NULL;
    }
    struct runner *runner = runner_of(engine);
    cosmi_mutex_lock(&runner->lock);
    bool known = phase.id <= runner->phase_count;
    cosmi_mutex_unlock(&runner->lock);
    return known ? &runner->phases[phase.id] : NULL;
}

cosm_phase_info cosm_phase_describe(const cosm_engine *engine, cosm_phase phase) {
    const struct phase *found = find_phase(engine, phase);
    if (found == NULL) {
        return (cosm_phase_info){0};
    }
    return (cosm_phase_info){found->name, found->rate == COSM_PHASE_RATE_FIXED};
}

cosm_phase cosm_phase_at(const cosm_engine *engine, uint32_t index) {
    if (engine == NULL) {
        return (cosm_phase){0};
    }
    struct runner *runner = runner_of(engine);
    cosmi_mutex_lock(&runner->lock);
    uint32_t id = index < runner->phase_count ? runner->phase_order[index] : 0;
    cosmi_mutex_unlock(&runner->lock);
    return (cosm_phase){id};
}
