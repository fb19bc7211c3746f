// The story of a step: tensors are scattered, watchers called, phases run, temporary rows ended,
// tensors gathered.
#include "run/step.h"

#include "export/export.h"
#include "store/change.h"

_Thread_local const cosm_batch *cosmi_batch_watched;

// Watchers leave no trace in a step: neither in the message slot nor among its failures.
struct watch_call {
    struct failure slot;
    struct failure_watch *failures;
    const cosm_batch *outer; // a watcher may step another batch
};

static void begin_watch_call(struct watch_call *now, const cosm_batch *batch) {
    cosmi_error_read(&now->slot);
    now->failures = cosmi_error_watch(NULL);
    now->outer = cosmi_batch_watched;
    cosmi_batch_watched = batch;
}

static void end_watch_call(const struct watch_call *now) {
    cosmi_batch_watched = now->outer;
    (void)cosmi_error_watch(now->failures);
    (void)cosmi_error_show(&now->slot);
}

COLD static void watch_before(cosm_batch *batch, const cosm_step_desc *desc) {
    struct watch_call now;
    begin_watch_call(&now, batch);
    for (cosm_watcher *w = batch->watchers; w != NULL; w = w->next) {
        if (w->before != NULL) {
            w->before(w->context, desc);
        }
    }
    end_watch_call(&now);
}

COLD static void watch_after(cosm_batch *batch, bool ended) {
    struct watch_call now;
    begin_watch_call(&now, batch);
    for (cosm_watcher *w = batch->watchers; w != NULL; w = w->next) {
        if (w->after != NULL) {
            w->after(w->context, ended);
        }
    }
    end_watch_call(&now);
}

static void watch_system(void *context, const struct system *system) {
    cosm_batch *batch = context;
    struct watch_call now;
    begin_watch_call(&now, batch);
    for (cosm_watcher *w = batch->watchers; w != NULL; w = w->next) {
        if (w->system != NULL) {
            w->system(w->context, (cosm_system){system->id});
        }
    }
    end_watch_call(&now);
}

static bool watches_systems(const cosm_batch *batch) {
    const cosm_watcher *w = batch->watchers;
    while (w != NULL && w->system == NULL) {
        w = w->next;
    }
    return w != NULL;
}

// Above this many worlds only walks of all worlds are looked for before a step: those of single
// worlds are found when something is about to change there.
#define STEP_WORLDS_LOOKED_AT 64u

cosm_result cosmi_step_enter(struct cosm_batch *batch, const char *call) {
    cosm_result result = cosmi_step_claim(batch, call);
    if (result != COSM_OK) {
        return result;
    }
    uint32_t count = batch->world_count <= STEP_WORLDS_LOOKED_AT ? batch->world_count : 1;
    result = cosmi_check_unwalked((cosm_worlds){batch, 0, count}, call);
    if (result != COSM_OK) {
        cosmi_step_unclaim(batch);
        return result;
    }
    batch_stamp_open(batch);
    return COSM_OK;
}

cosm_result cosmi_step_leave(struct cosm_batch *batch, cosm_result result) {
    cosmi_step_unclaim(batch);
    return result;
}

// Brings tensors up to date at the end of a step that came to `result`; the first failure counts.
COLD static cosm_result gather_last(struct cosm_batch *batch, const char *call,
                                    cosm_result result) {
    struct failure first;
    cosmi_error_read(&first);
    cosm_result gathered = cosmi_tensors_gather(batch, call, false);
    if (result == COSM_OK) {
        return gathered;
    }
    (void)cosmi_error_show(&first);
    return result;
}

// What ends a step.
static cosm_result end_step(struct cosm_batch *batch, const char *call) {
    cosm_result result = COSM_OK;
    for (struct store *s = batch_first_store(batch); s != NULL; s = store_next(s)) {
        for (uint32_t w = 0; s->archetype->temporary && w < batch->world_count; w++) {
            if (s->counts[w] > 0 && batch_is_walked(batch, w)) {
                result = cosmi_check_unwalked((cosm_worlds){batch, w, 1}, call);
            }
        }
    }
    if (result == COSM_OK) {
        cosmi_rows_clear_temporary(batch);
        batch->step_count++;
    }
    return result;
}

static bool runs_phase(const struct step *step, const cosm_step_desc *desc, uint32_t index) {
    uint32_t id = step->plan->phases[index].id;
    return desc->phases == COSM_STEP_ALL ||
           (desc->phases == COSM_STEP_FIXED &&
            step->batch->runner->phases[id].rate == COSM_PHASE_RATE_FIXED);
}

cosm_result cosmi_step_take(struct cosm_batch *batch, const cosm_step_desc *desc,
                            const char *call) {
    cosm_result result = cosmi_step_enter(batch, call);
    if (result != COSM_OK) {
        return result;
    }
    // Before the init hooks, whose rows no tensor knows yet, and before a watcher looks.
    if (UNLIKELY(batch->row_tensors != NULL) && !desc->no_scatter) {
        result = cosmi_tensors_scatter(batch, call);
    }
    struct step step;
    result = result == COSM_OK ? cosmi_step_begin(&step, batch, call) : result;
    if (result != COSM_OK) {
        return cosmi_step_leave(batch, result);
    }
    if (UNLIKELY(batch->watchers != NULL)) {
        step.after = watches_systems(batch) ? watch_system : NULL;
        step.after_context = batch;
        watch_before(batch, desc);
    }
    for (uint32_t p = 0; p < step.plan->phase_count; p++) {
        if (runs_phase(&step, desc, p)) {
            cosmi_step_phase(&step, &step.plan->phases[p], desc->dt);
        }
    }
    cosm_result ended = end_step(batch, call);
    result = cosmi_step_end(&step);
    if (UNLIKELY(batch->watchers != NULL)) {
        watch_after(batch, ended == COSM_OK);
    }
    result = result != COSM_OK ? result : ended;
    if (UNLIKELY(batch->row_tensors != NULL)) {
        result = gather_last(batch, call, result);
    }
    return cosmi_step_leave(batch, result);
}

cosm_result cosmi_step_end_by_hand(struct cosm_batch *batch, const char *call) {
    if (UNLIKELY(batch->watchers != NULL)) {
        watch_before(batch, &(cosm_step_desc){.phases = COSM_STEP_NONE});
    }
    cosm_result result = end_step(batch, call);
    if (UNLIKELY(batch->watchers != NULL)) {
        watch_after(batch, result == COSM_OK);
    }
    if (UNLIKELY(batch->row_tensors != NULL)) {
        result = gather_last(batch, call, result);
    }
    return cosmi_step_leave(batch, result);
}

cosm_result cosmi_step_init(struct cosm_batch *batch, const char *call) {
    struct step step;
    cosm_result result = cosmi_step_begin(&step, batch, call);
    return cosmi_step_leave(batch, result == COSM_OK ? cosmi_step_end(&step) : result);
}

cosm_result cosmi_step_one_phase(struct cosm_batch *batch, uint32_t phase, float dt,
                                 const char *call) {
    struct step step;
    cosm_result result = cosmi_step_begin(&step, batch, call);
    if (result == COSM_OK) {
        const struct plan_phase *found = cosmi_step_find_phase(&step, phase);
        INVARIANT(found != NULL, "a plan has all phases");
        cosmi_step_phase(&step, found, dt);
        result = cosmi_step_end(&step);
    }
    return cosmi_step_leave(batch, result);
}
