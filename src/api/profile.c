// The public calls of cosm/system.h that are about profiles.
#include <cosm/system.h>

#include "api/check.h"
#include "run/step.h"

// Takes the batch as a step does, so that none begins meanwhile; cosmi_step_unclaim gives it back.
static cosm_result claim_batch(struct cosm_batch *batch, const char *call) {
    if (atomic_exchange_explicit(&batch->running, true, memory_order_acquire)) {
        return cosmi_fail(batch->sink, COSM_ERROR_BUSY,
                          "%s: the batch is running; call it between steps", call);
    }
    return COSM_OK;
}

static cosm_profile *make_profile(cosm_batch *batch, const cosm_profile_desc *desc,
                                  const char *call) {
    if (batch->profile != NULL) {
        (void)cosmi_fail(batch->sink, COSM_ERROR_BUSY,
                         "%s: the batch has a profile already; destroy that one first", call);
        return NULL;
    }
    cosm_profile *profile = cosmi_profile_create(&batch->memory, desc);
    if (profile == NULL) {
        (void)cosmi_fail_memory(batch->sink, &batch->memory, call);
        return NULL;
    }
    profile->batch = batch;
    batch->profile = profile;
    return profile;
}

cosm_profile *cosm_profile_create(cosm_batch *batch, const cosm_profile_desc *desc) {
    static const char call[] = "cosm_profile_create";
    if (batch == NULL) {
        (void)cosmi_refuse_null(NULL, call, "batch", "pass one from cosm_batch_create");
        return NULL;
    }
    if (claim_batch(batch, call) != COSM_OK) {
        return NULL;
    }
    cosm_profile *profile = make_profile(batch, desc, call);
    cosmi_step_unclaim(batch);
    return profile;
}

cosm_result cosm_profile_destroy(cosm_profile *profile) {
    if (profile == NULL) {
        return COSM_OK;
    }
    struct cosm_batch *batch = profile->batch;
    cosm_result result = claim_batch(batch, "cosm_profile_destroy");
    if (result == COSM_OK) {
        batch->profile = NULL;
        cosmi_profile_free(profile);
        cosmi_step_unclaim(batch);
    }
    return result;
}

cosm_profile_figures cosm_profile_system(const cosm_profile *profile, cosm_system system) {
    return profile == NULL ? (cosm_profile_figures){0}
                           : cosmi_profile_system_figures(profile, system.id);
}

cosm_profile_figures cosm_profile_phase(const cosm_profile *profile, cosm_phase phase) {
    return profile == NULL ? (cosm_profile_figures){0}
                           : cosmi_profile_phase_figures(profile, phase.id);
}

uint64_t cosm_profile_events_dropped(const cosm_profile *profile) {
    return profile == NULL ? 0 : profile->dropped;
}

// On success the batch is claimed.
static cosm_result begin_writing(const cosm_profile *profile, const char *call,
                                 cosm_text_fn *write) {
    if (profile == NULL) {
        return cosmi_refuse_null(NULL, call, "profile", "pass one from cosm_profile_create");
    }
    if (write == NULL) {
        return cosmi_refuse_null(profile->batch->sink, call, "write",
                                 "pass a function that receives the text");
    }
    return claim_batch(profile->batch, call);
}

static const char *name_of_system(const void *engine, uint32_t system) {
    return cosm_system_describe(engine, (cosm_system){system}).name;
}

static const char *name_of_phase(const void *engine, uint32_t phase) {
    return cosm_phase_describe(engine, (cosm_phase){phase}).name;
}

static struct profile_names names_of(const cosm_profile *profile) {
    return (struct profile_names){name_of_system, name_of_phase, profile->batch->engine};
}

cosm_result cosm_profile_trace(const cosm_profile *profile, cosm_text_fn *write, void *context) {
    static const char call[] = "cosm_profile_trace";
    cosm_result result = begin_writing(profile, call, write);
    if (result != COSM_OK) {
        return result;
    }
    if (profile->event_max == 0) {
        result = cosmi_fail(profile->batch->sink, COSM_ERROR_ARGUMENT,
                            "%s: the profile keeps no events; create it with desc.event_max", call);
    } else {
        struct profile_names names = names_of(profile);
        cosmi_profile_write_trace(profile, &names, write, context);
    }
    cosmi_step_unclaim(profile->batch);
    return result;
}

cosm_result cosm_profile_print(const cosm_profile *profile, cosm_text_fn *write, void *context) {
    cosm_result result = begin_writing(profile, "cosm_profile_print", write);
    if (result == COSM_OK) {
        struct profile_names names = names_of(profile);
        uint32_t phases[COSM_PHASE_MAX];
        struct runner *runner = profile->batch->runner;
        cosmi_mutex_lock(&runner->lock);
        uint32_t count = runner->phase_count;
        memcpy(phases, runner->phase_order, count * sizeof(*phases));
        cosmi_mutex_unlock(&runner->lock);
        cosmi_profile_write_table(profile, &names, phases, count, write, context);
        cosmi_step_unclaim(profile->batch);
    }
    return result;
}
