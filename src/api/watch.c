// cosm/batch.h: watchers.
#include "api/watch.h"

#include "api/check.h"

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

void cosmi_watch_before(cosm_batch *batch, const cosm_step_desc *desc) {
    struct watch_call now;
    begin_watch_call(&now, batch);
    for (cosm_watcher *w = batch->watchers; w != NULL; w = w->next) {
        if (w->before != NULL) {
            w->before(w->context, desc);
        }
    }
    end_watch_call(&now);
}

void cosmi_watch_after(cosm_batch *batch, bool ended) {
    struct watch_call now;
    begin_watch_call(&now, batch);
    for (cosm_watcher *w = batch->watchers; w != NULL; w = w->next) {
        if (w->after != NULL) {
            w->after(w->context, ended);
        }
    }
    end_watch_call(&now);
}

void cosmi_watch_system(void *context, const struct system *system) {
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

bool cosmi_watches_systems(const cosm_batch *batch) {
    const cosm_watcher *w = batch->watchers;
    while (w != NULL && w->system == NULL) {
        w = w->next;
    }
    return w != NULL;
}

// The place in the list that points to a watcher, or to the end.
static cosm_watcher **find_watcher(cosm_batch *batch, const cosm_watcher *watcher) {
    cosm_watcher **at = &batch->watchers;
    while (*at != NULL && *at != watcher) {
        at = &(*at)->next;
    }
    return at;
}

// Makes sure that nobody walks the list of watchers.
static cosm_result check_watcher(const cosm_batch *batch, const cosm_watcher *watcher,
                                 const char *call) {
    if (batch == NULL || watcher == NULL) {
        return cosmi_refuse_null(batch == NULL ? NULL : batch->sink, call,
                                 batch == NULL ? "batch" : "watcher", "pass both");
    }
    return atomic_load(&batch->running)
               ? cosmi_fail(batch->sink, COSM_ERROR_BUSY,
                            "%s: the batch is running; add and remove watchers between steps", call)
               : COSM_OK;
}

cosm_result cosm_batch_watch(cosm_batch *batch, cosm_watcher *watcher) {
    static const char call[] = "cosm_batch_watch";
    cosm_result result = check_watcher(batch, watcher, call);
    if (result != COSM_OK) {
        return result;
    }
    cosm_watcher **at = find_watcher(batch, watcher);
    if (*at != NULL) {
        return cosmi_fail(batch->sink, COSM_ERROR_CONFLICT,
                          "%s: the watcher watches this batch already; add each watcher once",
                          call);
    }
    watcher->next = NULL;
    *at = watcher;
    return COSM_OK;
}

cosm_result cosm_batch_unwatch(cosm_batch *batch, cosm_watcher *watcher) {
    cosm_result result = check_watcher(batch, watcher, "cosm_batch_unwatch");
    if (result != COSM_OK) {
        return result;
    }
    cosm_watcher **at = find_watcher(batch, watcher);
    if (*at == NULL) {
        return COSM_STALE;
    }
    *at = watcher->next;
    return COSM_OK;
}
