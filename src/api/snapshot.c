// The public calls of cosm/snapshot.h.
#include "api/snapshot.h"

#include "api/check.h"
#include "run/commands.h"
#include "run/step.h"
#include "state/capture.h"
#include "state/restore.h"
#include "store/event.h"

cosm_result cosmi_check_delivered(cosm_worlds worlds, const char *call) {
    for (uint32_t w = worlds.first; w < worlds.first + worlds.count; w++) {
        const struct event_log *log = event_log_of((cosm_world){worlds.batch, w});
        if (log != NULL && log->record_count > 0) {
            return cosmi_fail(worlds.batch->sink, COSM_ERROR_BUSY,
                              "%s: world %u has changes that were not yet reported to observers; "
                              "call it after the call that made them has returned",
                              call, w);
        }
    }
    return COSM_OK;
}

cosm_result cosmi_check_applied(cosm_worlds worlds, const char *call) {
    uint32_t world;
    if (!cosmi_commands_wait(worlds, &world)) {
        return COSM_OK;
    }
    return cosmi_fail(worlds.batch->sink, COSM_ERROR_BUSY,
                      "%s: world %u has commands that were recorded and not applied; call "
                      "cosm_commands_apply or cosm_commands_clear first",
                      call, world);
}

cosm_result cosmi_snapshot_enter(cosm_worlds worlds, const char *call) {
    if (!worlds_exist(worlds)) {
        return cosmi_refuse_worlds(worlds, call);
    }
    struct cosm_batch *batch = worlds.batch;
    if (atomic_load(&batch->running)) {
        return cosmi_fail(batch->sink, COSM_ERROR_BUSY,
                          "%s: the batch is running; call it between steps", call);
    }
    // The first time, all tables of the batch are made ready.
    cosm_worlds touched =
        batch->bases == NULL ? (cosm_worlds){batch, 0, batch->world_count} : worlds;
    cosm_result result = cosmi_check_unwalked(touched, call);
    result = result == COSM_OK ? cosmi_check_delivered(worlds, call) : result;
    return result == COSM_OK ? cosmi_capture_ready(batch, call) : result;
}

cosm_snapshot *cosmi_snapshot_new(cosm_engine *engine, uint32_t world_count, const char *call) {
    cosm_snapshot *snapshot = cosmi_snapshot_make(&engine->memory, world_count);
    if (snapshot == NULL) {
        (void)cosmi_fail_memory(&engine->sink, &engine->memory, call);
        return NULL;
    }
    snapshot->engine = engine;
    snapshot->schema = &engine->schema;
    snapshot->sink = &engine->sink;
    atomic_fetch_add(&engine->snapshot_count, 1);
    return snapshot;
}

static cosm_result capture_worlds(cosm_snapshot *snapshot, cosm_worlds worlds, const char *call) {
    for (uint32_t i = 0; i < worlds.count; i++) {
        cosm_world world = {worlds.batch, worlds.first + i};
        snapshot->worlds[i] = cosmi_capture_world(world, snapshot->memory, call);
        if (snapshot->worlds[i] == NULL) {
            return cosm_error_result();
        }
    }
    return COSM_OK;
}

// Takes one without looking at who runs, walks or has recorded commands.
static cosm_snapshot *capture_state(cosm_worlds worlds, const char *call) {
    struct cosm_batch *batch = worlds.batch;
    cosm_snapshot *snapshot = cosmi_snapshot_new(batch->engine, worlds.count, call);
    if (snapshot == NULL) {
        return NULL;
    }
    snapshot->step_count = batch->step_count;
    snapshot->seed = batch->seed;
    if (capture_worlds(snapshot, worlds, call) != COSM_OK) {
        cosmi_snapshot_end(snapshot);
        return NULL;
    }
    return snapshot;
}

cosm_snapshot *cosmi_snapshot_take(cosm_worlds worlds, const char *call) {
    // A watcher looks on between two systems: the batch runs, but nothing in it does. Steps do not
    // depend on commands that wait, so a state without them is whole.
    if (worlds_exist(worlds) && worlds.batch == cosmi_batch_watched) {
        return cosmi_capture_ready(worlds.batch, call) == COSM_OK ? capture_state(worlds, call)
                                                                  : NULL;
    }
    cosm_result result = cosmi_snapshot_enter(worlds, call);
    result = result == COSM_OK ? cosmi_check_applied(worlds, call) : result;
    return result == COSM_OK ? capture_state(worlds, call) : NULL;
}

void cosmi_snapshot_end(cosm_snapshot *snapshot) {
    struct cosm_engine *engine = snapshot->engine;
    cosmi_snapshot_free(snapshot);
    atomic_fetch_sub(&engine->snapshot_count, 1);
}

// Prepares all worlds before the first one is changed.
static cosm_result restore_all(const cosm_snapshot *snapshot, uint32_t first, cosm_worlds worlds,
                               const char *call) {
    struct cosm_batch *batch = worlds.batch;
    size_t size = worlds.count * sizeof(struct restore);
    struct restore *plans = cosmi_memory_alloc(&batch->memory, size, _Alignof(struct restore));
    if (plans == NULL) {
        return cosmi_fail_memory(batch->sink, &batch->memory, call);
    }
    cosm_result result = COSM_OK;
    uint32_t ready = 0;
    while (ready < worlds.count && result == COSM_OK) {
        cosm_world world = {batch, worlds.first + ready};
        result = cosmi_restore_prepare(&plans[ready], world, call, snapshot->worlds[first + ready]);
        ready += result == COSM_OK;
    }
    if (result == COSM_OK && worlds.count == batch->world_count) {
        batch->step_count = snapshot->step_count;
    }
    for (uint32_t i = 0; i < ready; i++) {
        if (result == COSM_OK) {
            cosmi_restore_do(&plans[i], snapshot->memory);
        } else {
            cosmi_restore_cancel(&plans[i]);
        }
    }
    cosmi_memory_free(&batch->memory, plans, size, _Alignof(struct restore));
    return result;
}

static cosm_result enter_and_restore(const cosm_snapshot *snapshot, uint32_t first,
                                     cosm_worlds worlds, const char *call) {
    cosm_result result = cosmi_snapshot_enter(worlds, call);
    result = result == COSM_OK ? cosmi_check_applied(worlds, call) : result;
    return result == COSM_OK ? restore_all(snapshot, first, worlds, call) : result;
}

// Are both there, and of one engine?
static cosm_result check_restore(const cosm_snapshot *snapshot, cosm_worlds worlds,
                                 const char *call) {
    if (!worlds_exist(worlds)) {
        return cosmi_refuse_worlds(worlds, call);
    }
    if (snapshot == NULL) {
        return cosmi_refuse_null(worlds.batch->sink, call, "snapshot",
                                 "pass one from cosm_snapshot_create");
    }
    if (snapshot->engine != worlds.batch->engine) {
        return cosmi_fail(worlds.batch->sink, COSM_ERROR_ARGUMENT,
                          "%s: the snapshot belongs to another engine than the worlds; transfer "
                          "it with cosm_save_write and cosm_save_read",
                          call);
    }
    return COSM_OK;
}

cosm_result cosmi_snapshot_put(const cosm_snapshot *snapshot, cosm_worlds worlds,
                               const char *call) {
    cosm_result result = check_restore(snapshot, worlds, call);
    if (result == COSM_OK && worlds.count != snapshot->world_count) {
        result = cosmi_fail(worlds.batch->sink, COSM_ERROR_ARGUMENT,
                            "%s: %u worlds were passed for a state of %u; pass as many", call,
                            worlds.count, snapshot->world_count);
    }
    return result == COSM_OK ? enter_and_restore(snapshot, 0, worlds, call) : result;
}

cosm_snapshot *cosm_snapshot_create(cosm_worlds worlds) {
    return cosmi_snapshot_take(worlds, "cosm_snapshot_create");
}

void cosm_snapshot_destroy(cosm_snapshot *snapshot) {
    if (snapshot != NULL) {
        cosmi_snapshot_end(snapshot);
    }
}

cosm_result cosm_snapshot_restore(const cosm_snapshot *snapshot, uint32_t first,
                                  cosm_worlds worlds) {
    static const char call[] = "cosm_snapshot_restore";
    cosm_result result = check_restore(snapshot, worlds, call);
    if (result == COSM_OK &&
        (first > snapshot->world_count || worlds.count > snapshot->world_count - first)) {
        result = cosmi_fail(worlds.batch->sink, COSM_ERROR_ARGUMENT,
                            "%s: %u worlds from index %u are out of range of a snapshot of %u; "
                            "pass fewer worlds, or a smaller first index",
                            call, worlds.count, first, snapshot->world_count);
    }
    return result == COSM_OK ? enter_and_restore(snapshot, first, worlds, call) : result;
}

// Are ids reserved for commands that wait to be applied?
static bool has_reserved_ids(const struct world_image *image) {
    const struct ids_words *ids = &image_ids(image)->ids;
    bool reserved = ids->reserved_free > 0 || ids->reserved_fresh > 0;
    bool any_apart = ids->used > ids->alive + ids->free_count;
    for (uint32_t id = 0; any_apart && id < ids->used && !reserved; id++) {
        const struct record *record = image_record(image, id);
        reserved = (record->gen & 1) == 0 && record->table == TABLE_RESERVED;
    }
    return reserved;
}

cosm_snapshot_info cosm_snapshot_describe(const cosm_snapshot *snapshot) {
    if (snapshot == NULL) {
        return (cosm_snapshot_info){0};
    }
    cosm_snapshot_info info = {
        .engine = snapshot->engine,
        .world_count = snapshot->world_count,
        .step_count = snapshot->step_count,
    };
    for (uint32_t w = 0; w < snapshot->world_count; w++) {
        info.entity_count += image_ids(snapshot->worlds[w])->ids.alive;
        info.is_pending = info.is_pending || has_reserved_ids(snapshot->worlds[w]);
    }
    return info;
}

bool cosm_snapshot_is_same(const cosm_snapshot *a, const cosm_snapshot *b) {
    bool same = a != NULL && b != NULL && a->world_count == b->world_count;
    for (uint32_t w = 0; same && w < a->world_count; w++) {
        same = cosmi_image_is_same(a->worlds[w], b->worlds[w]);
    }
    return same;
}

cosm_snapshot_size cosm_snapshot_memory(const cosm_snapshot *snapshot) {
    cosm_snapshot_size size = {0, 0};
    if (snapshot != NULL) {
        cosmi_snapshot_bytes(snapshot, &size.bytes, &size.own_bytes);
    }
    return size;
}
