// cosm/batch.h: watchers.
#include "api/check.h"

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
