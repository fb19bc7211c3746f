// The public calls of cosm/diff.h.
#include "state/diff.h"
#include "api/check.h"
#include "api/snapshot.h"

static cosm_result check_diff(const cosm_snapshot *before, const cosm_snapshot *after,
                              cosm_diff_fn *function, const char *call) {
    if (before == NULL) {
        return cosmi_refuse_null(after == NULL ? NULL : after->sink, call, "before",
                                 "pass one from cosm_snapshot_create");
    }
    if (after == NULL) {
        return cosmi_refuse_null(before->sink, call, "after", "pass one from cosm_snapshot_create");
    }
    if (function == NULL) {
        return cosmi_refuse_null(before->sink, call, "call", "pass the function to be called");
    }
    if (before->engine != after->engine) {
        return cosmi_fail(before->sink, COSM_ERROR_ARGUMENT,
                          "%s: the snapshots belong to different engines; transfer one with "
                          "cosm_save_write and cosm_save_read",
                          call);
    }
    if (before->world_count != after->world_count) {
        return cosmi_fail(before->sink, COSM_ERROR_ARGUMENT,
                          "%s: one snapshot has %u worlds and the other %u; compare snapshots "
                          "with the same number of worlds",
                          call, before->world_count, after->world_count);
    }
    return COSM_OK;
}

cosm_result cosm_diff_snapshots(const cosm_snapshot *before, const cosm_snapshot *after,
                                cosm_diff_fn *call, void *context) {
    static const char name[] = "cosm_diff_snapshots";
    cosm_result result = check_diff(before, after, call, name);
    bool is_stopped = false;
    for (uint32_t w = 0; result == COSM_OK && w < before->world_count && !is_stopped; w++) {
        if (before->worlds[w] == after->worlds[w]) {
            continue;
        }
        struct diff diff = {.schema = before->schema,
                            .memory = before->memory,
                            .images = {before->worlds[w], after->worlds[w]},
                            .world = w,
                            .call = call,
                            .context = context};
        if (!cosmi_diff_world(&diff)) {
            result = cosmi_fail_memory(before->sink, before->memory, name);
        }
        is_stopped = diff.is_stopped;
    }
    return result;
}

const char *cosm_diff_kind_name(cosm_diff_kind kind) {
    static const char *const names[] = {
        [COSM_DIFF_SPAWNED] = "spawned",     [COSM_DIFF_DESPAWNED] = "despawned",
        [COSM_DIFF_ADDED] = "added",         [COSM_DIFF_REMOVED] = "removed",
        [COSM_DIFF_CHANGED] = "changed",     [COSM_DIFF_PARENT] = "parent",
        [COSM_DIFF_SINGLETON] = "singleton", [COSM_DIFF_RANDOM] = "random",
        [COSM_DIFF_ORDER] = "order",
    };
    bool is_known = kind >= COSM_DIFF_SPAWNED && kind <= COSM_DIFF_ORDER;
    return is_known ? names[kind] : "unknown";
}
