// The public calls of cosm/snapshot.h.
//
// The bytes of a ring are counted as it goes. What two snapshots of it share, all between them
// share too, since each was made from the one before: so a new one adds what the newest does not
// hold, and the oldest takes with it what the second does not hold.
#include <cosm/snapshot.h>

#include "api/check.h"
#include "api/snapshot.h"

#define ROLLBACK_STEPS 16u

// Invariants: kept[(first + i) % step_max] for i below count are the snapshots, the oldest first.
struct cosm_rollback {
    cosm_worlds worlds;
    uint32_t step_max;
    uint32_t first;
    uint32_t count;
    size_t memory_budget;
    size_t bytes; // of all snapshots together
    cosm_snapshot *kept[];
};

static size_t rollback_size(uint32_t step_max) {
    return sizeof(cosm_rollback) + step_max * sizeof(cosm_snapshot *);
}

cosm_rollback *cosm_rollback_create(cosm_worlds worlds, const cosm_rollback_desc *desc) {
    static const char call[] = "cosm_rollback_create";
    if (!worlds_exist(worlds)) {
        (void)cosmi_refuse_worlds(worlds, call);
        return NULL;
    }
    struct cosm_batch *batch = worlds.batch;
    uint32_t step_max = desc == NULL || desc->step_max == 0 ? ROLLBACK_STEPS : desc->step_max;
    cosm_rollback *rollback =
        cosmi_memory_alloc_zeroed(&batch->memory, rollback_size(step_max), _Alignof(cosm_rollback));
    if (rollback == NULL) {
        (void)cosmi_fail_memory(batch->sink, &batch->memory, call);
        return NULL;
    }
    rollback->worlds = worlds;
    rollback->step_max = step_max;
    rollback->memory_budget = desc == NULL ? 0 : desc->memory_budget;
    atomic_fetch_add(&batch->rollback_count, 1);
    return rollback;
}

void cosm_rollback_destroy(cosm_rollback *rollback) {
    if (rollback == NULL) {
        return;
    }
    struct cosm_batch *batch = rollback->worlds.batch;
    cosm_rollback_clear(rollback);
    cosmi_memory_free(&batch->memory, rollback, rollback_size(rollback->step_max),
                      _Alignof(cosm_rollback));
    atomic_fetch_sub(&batch->rollback_count, 1);
}

// The i-th, the oldest being 0.
static cosm_snapshot **rollback_slot(const cosm_rollback *rollback, uint32_t i) {
    uint64_t at = ((uint64_t)rollback->first + i) % rollback->step_max;
    return (cosm_snapshot **)(uintptr_t)&rollback->kept[at];
}

static cosm_snapshot *rollback_newest(const cosm_rollback *rollback) {
    return rollback->count == 0 ? NULL : *rollback_slot(rollback, rollback->count - 1);
}

static void drop_oldest(cosm_rollback *rollback) {
    cosm_snapshot *oldest = *rollback_slot(rollback, 0);
    cosm_snapshot *second = rollback->count == 1 ? NULL : *rollback_slot(rollback, 1);
    rollback->bytes -= cosmi_snapshot_growth(oldest, second);
    cosmi_snapshot_end(oldest);
    rollback->first = (rollback->first + 1) % rollback->step_max;
    rollback->count--;
}

static void drop_newest(cosm_rollback *rollback) {
    cosm_snapshot *newest = rollback_newest(rollback);
    rollback->count--;
    rollback->bytes -= cosmi_snapshot_growth(newest, rollback_newest(rollback));
    cosmi_snapshot_end(newest);
}

// Is nothing in this snapshot that the newest does not have? So it is right after going back.
static bool is_newest(const cosm_rollback *rollback, const cosm_snapshot *snapshot) {
    const cosm_snapshot *newest = rollback_newest(rollback);
    bool same = newest != NULL && newest->step_count == snapshot->step_count;
    for (uint32_t w = 0; same && w < snapshot->world_count; w++) {
        same = cosmi_image_is_same(snapshot->worlds[w], newest->worlds[w]);
    }
    return same;
}

cosm_result cosm_rollback_keep(cosm_rollback *rollback) {
    static const char call[] = "cosm_rollback_keep";
    if (rollback == NULL) {
        return cosmi_refuse_null(NULL, call, "rollback", "pass one from cosm_rollback_create");
    }
    cosm_snapshot *snapshot = cosmi_snapshot_take(rollback->worlds, call);
    if (snapshot == NULL) {
        return cosm_error_result();
    }
    if (is_newest(rollback, snapshot)) {
        cosmi_snapshot_end(snapshot);
        return COSM_OK;
    }
    if (rollback->count == rollback->step_max) {
        drop_oldest(rollback);
    }
    rollback->bytes += cosmi_snapshot_growth(snapshot, rollback_newest(rollback));
    *rollback_slot(rollback, rollback->count++) = snapshot;
    while (rollback->memory_budget != 0 && rollback->bytes > rollback->memory_budget &&
           rollback->count > 1) {
        drop_oldest(rollback);
    }
    return COSM_OK;
}

cosm_result cosm_rollback_back(cosm_rollback *rollback, uint32_t count) {
    static const char call[] = "cosm_rollback_back";
    if (rollback == NULL) {
        return cosmi_refuse_null(NULL, call, "rollback", "pass one from cosm_rollback_create");
    }
    if (count == 0 || count > rollback->count) {
        return cosmi_fail(rollback->worlds.batch->sink, COSM_ERROR_ARGUMENT,
                          "%s: there is no state %u among the %u that are kept; 1 is the newest: "
                          "keep more with desc.step_max, and call cosm_rollback_keep before each "
                          "step",
                          call, count, rollback->count);
    }
    cosm_snapshot *snapshot = *rollback_slot(rollback, rollback->count - count);
    cosm_result result = cosmi_snapshot_put(snapshot, rollback->worlds, call);
    for (uint32_t i = 1; result == COSM_OK && i < count; i++) {
        drop_newest(rollback);
    }
    return result;
}

cosm_rollback_info cosm_rollback_describe(const cosm_rollback *rollback) {
    if (rollback == NULL) {
        return (cosm_rollback_info){0};
    }
    return (cosm_rollback_info){rollback->count, rollback->bytes};
}

const cosm_snapshot *cosm_rollback_snapshot(const cosm_rollback *rollback, uint32_t index) {
    return rollback == NULL || index == 0 || index > rollback->count
               ? NULL
               : *rollback_slot(rollback, rollback->count - index);
}

void cosm_rollback_clear(cosm_rollback *rollback) {
    while (rollback != NULL && rollback->count > 0) {
        drop_newest(rollback);
    }
}
