// The public calls of cosm/batch.h.
#include <cosm/batch.h>

#include "api/check.h"
#include "run/step.h"
#include "state/capture.h"
#include "store/sector_set.h"

// The first of the slots that matches keep stores in which no batch has, or BATCH_SLOT_MAX.
static uint32_t free_slot(const struct cosm_engine *engine) {
    uint32_t slot = 0;
    while (slot < BATCH_SLOT_MAX && (engine->batch_slots >> slot & 1) != 0) {
        slot++;
    }
    return slot;
}

static void link_batch(struct cosm_engine *engine, struct cosm_batch *batch) {
    batch->slot = free_slot(engine);
    engine->batch_slots |= 1u << batch->slot;
    batch->previous = NULL;
    batch->next = engine->batches;
    if (engine->batches != NULL) {
        engine->batches->previous = batch;
    }
    engine->batches = batch;
    engine->batch_count++;
}

static void unlink_batch(struct cosm_engine *engine, struct cosm_batch *batch) {
    if (batch->previous != NULL) {
        batch->previous->next = batch->next;
    } else {
        engine->batches = batch->next;
    }
    if (batch->next != NULL) {
        batch->next->previous = batch->previous;
    }
    engine->batch_count--;
}

static cosm_result check_batch_desc(const struct cosm_engine *engine, const char *call,
                                    const cosm_batch_desc *desc) {
    if (desc->world_count > COSM_BATCH_WORLD_MAX) {
        return cosmi_fail(&engine->sink, COSM_ERROR_LIMIT,
                          "%s: desc.world_count %u is over the limit of %u; use several batches",
                          call, desc->world_count, COSM_BATCH_WORLD_MAX);
    }
    if (desc->entity_capacity > COSM_WORLD_ENTITY_MAX) {
        return cosmi_fail(
            &engine->sink, COSM_ERROR_LIMIT,
            "%s: desc.entity_capacity %u is over the limit of %u per world; use more worlds", call,
            desc->entity_capacity, COSM_WORLD_ENTITY_MAX);
    }
    uint64_t last = desc->world_count == 0 ? 0 : desc->world_count - 1;
    if (desc->world_first > UINT64_MAX - last) {
        return cosmi_fail(&engine->sink, COSM_ERROR_LIMIT,
                          "%s: desc.world_first %llu leaves too few numbers for %u worlds; the "
                          "last number is 2^64 - 1: use a smaller one",
                          call, (unsigned long long)desc->world_first, desc->world_count);
    }
    if (desc->step_first >= COSM_BATCH_STEP_MAX) {
        return cosmi_fail(&engine->sink, COSM_ERROR_LIMIT,
                          "%s: desc.step_first %llu is over the limit; use one below 2^40: random "
                          "numbers repeat after 2^40 steps",
                          call, (unsigned long long)desc->step_first);
    }
    // Written so that NaN is refused too.
    if (!(desc->step_seconds >= 0.0f && desc->step_seconds <= 1e9f)) {
        return cosmi_fail(&engine->sink, COSM_ERROR_ARGUMENT,
                          "%s: desc.step_seconds %g is not a valid duration; use seconds, or zero "
                          "for 1/60",
                          call, (double)desc->step_seconds);
    }
    if ((unsigned)desc->split > COSM_SPLIT_NONE) {
        return cosmi_fail(&engine->sink, COSM_ERROR_ARGUMENT,
                          "%s: desc.split %d is unknown; use a value of cosm_split", call,
                          (int)desc->split);
    }
    return COSM_OK;
}

// Makes the tensors of all exports, or frees the batch and leaves a message.
static bool make_slots(struct cosm_batch *batch, const char *call) {
    const struct export_list *list = &batch->engine->exports;
    for (uint32_t slot = 0; slot < COSM_EXPORT_SLOT_MAX && list->count > 0; slot++) {
        const struct export *export = export_at(list, slot);
        if (export != NULL && cosmi_tensor_make(batch, call, export) != COSM_OK) {
            cosmi_tensors_free(batch);
            cosmi_batch_free(batch);
            return false;
        }
    }
    return true;
}

cosm_batch *cosm_batch_create(cosm_engine *engine, const cosm_batch_desc *desc) {
    static const char call[] = "cosm_batch_create";
    if (engine == NULL) {
        (void)cosmi_refuse_null(NULL, call, "engine", "pass one from cosm_engine_create");
        return NULL;
    }
    cosm_batch_desc zero = {.world_count = 0};
    desc = desc == NULL ? &zero : desc;
    if (check_batch_desc(engine, call, desc) != COSM_OK) {
        return NULL;
    }
    struct memory memory;
    (void)cosmi_memory_init(&memory, &engine->memory.allocator, desc->memory_limit);
    struct cosm_batch *batch = cosmi_memory_alloc_zeroed(&memory, sizeof(*batch), 64);
    if (batch == NULL) {
        (void)cosmi_fail_memory(&engine->sink, &memory, call);
        return NULL;
    }
    (void)cosmi_memory_init(&batch->memory, &engine->memory.allocator, desc->memory_limit);
    batch->memory.budget = &engine->memory;
    atomic_store(&batch->memory.used, sizeof(*batch));
    batch->engine = engine;
    batch->schema = &engine->schema;
    batch->sink = &engine->sink;
    batch->runner = &engine->runner;
    batch->workers = &engine->runner.workers;
    batch->held_by = desc->owner;
    // Under the lock, so that a singleton defined meanwhile is either seen here or sees the batch.
    cosmi_mutex_lock(&engine->batch_lock);
    batch->slot = BATCH_SLOT_MAX; // until it is listed; a slot before that would be another batch's
    bool done = cosmi_batch_init(batch, desc);
    bool shown = done && make_slots(batch, call);
    if (shown) {
        link_batch(engine, batch);
        batch->events = engine->runner.board.live_count > 0 ? &engine->runner.board.events : NULL;
    }
    cosmi_mutex_unlock(&engine->batch_lock);
    if (!shown) {
        if (!done) {
            (void)cosmi_fail_memory(&engine->sink, &batch->memory, call);
        }
        memory.allocator.release(memory.allocator.context, batch, sizeof(*batch), 64);
        return NULL;
    }
    return batch;
}

// Why a batch cannot be destroyed now; COSM_OK: it can.
static cosm_result check_destroy(cosm_batch *batch, const char *call) {
    if (atomic_load(&batch->running)) {
        const struct turn *turn = cosmi_turn_now;
        return cosmi_fail(batch->sink, COSM_ERROR_BUSY,
                          "%s: the batch is running, and this is called from '%s'; destroy it "
                          "between steps",
                          call, turn == NULL ? "another thread or a hook" : turn->system->name);
    }
    if (batch->held_by != NULL && *batch->held_by != NULL) {
        return cosmi_fail(batch->sink, COSM_ERROR_BUSY, "%s: this batch belongs to %s", call,
                          *batch->held_by);
    }
    uint32_t loops = atomic_load(&batch->loop_count);
    if (loops > 0 || batch->profile != NULL) {
        return cosmi_fail(batch->sink, COSM_ERROR_BUSY,
                          "%s: %u loops and %u profiles of this batch still exist; destroy them "
                          "first with cosm_loop_destroy and cosm_profile_destroy",
                          call, loops, batch->profile == NULL ? 0u : 1u);
    }
    if (batch->watchers != NULL) {
        const char *name = batch->watchers->name;
        return cosmi_fail(batch->sink, COSM_ERROR_BUSY,
                          "%s: the batch is watched by %s; remove all watchers first with "
                          "cosm_batch_unwatch",
                          call, name == NULL ? "a watcher without a name" : name);
    }
    uint32_t held = atomic_load(&batch->held_count);
    if (held > 0) {
        return cosmi_fail(batch->sink, COSM_ERROR_BUSY,
                          "%s: %u tensors of this batch are still held through DLPack; have their "
                          "holders call the deleters first",
                          call, held);
    }
    for (uint32_t w = 0; w < batch->world_count; w++) {
        uint32_t walks = cosmi_sector_walks(batch, w);
        if (walks > 0) {
            return cosmi_fail(batch->sink, COSM_ERROR_WALKED,
                              "%s: sector containers of world %u have %u open walks; end them "
                              "first with cosm_container_walk_end",
                              call, w, walks);
        }
    }
    return cosmi_check_unwalked((cosm_worlds){batch, 0, batch->world_count}, call);
}

// The same of what others hold of it.
static cosm_result check_holders(const cosm_batch *batch, const char *call) {
    const struct {
        const atomic_uint *count;
        const char *what;
        const char *remedy;
    } holders[] = {
        {&batch->reader_count, "change readers", "cosm_change_reader_destroy"},
        {&batch->rollback_count, "rollbacks", "cosm_rollback_destroy"},
        {&batch->hasher_count, "hashers", "cosm_hasher_destroy"},
        {&batch->commands_count, "commands objects", "cosm_commands_destroy"},
    };
    for (uint32_t i = 0; i < sizeof(holders) / sizeof(*holders); i++) {
        uint32_t count = atomic_load(holders[i].count);
        if (count > 0) {
            return cosmi_fail(batch->sink, COSM_ERROR_BUSY,
                              "%s: %u %s of this batch still exist; destroy them first with %s",
                              call, count, holders[i].what, holders[i].remedy);
        }
    }
    return COSM_OK;
}

cosm_result cosm_batch_destroy(cosm_batch *batch) {
    static const char call[] = "cosm_batch_destroy";
    if (batch == NULL) {
        return COSM_OK;
    }
    cosm_result result = check_destroy(batch, call);
    if (result != COSM_OK) {
        return result;
    }
    // The hooks may still use the batch, and may hold commands objects of it.
    atomic_store(&batch->running, true);
    cosmi_step_dispose(batch);
    // Observers are not told of an end that does not come.
    result = check_holders(batch, call);
    if (result == COSM_OK && batch->events != NULL) {
        cosmi_deliver_end(batch);
    }
    atomic_store(&batch->running, false);
    result = result == COSM_OK ? check_destroy(batch, call) : result;
    result = result == COSM_OK ? check_holders(batch, call) : result;
    if (result != COSM_OK) {
        return result;
    }
    struct cosm_engine *engine = batch->engine;
    cosmi_mutex_lock(&engine->batch_lock);
    unlink_batch(engine, batch);
    if (batch->slot < BATCH_SLOT_MAX) {
        cosmi_query_cache_forget(&engine->queries, batch->slot);
        cosmi_schema_forget_slot(&engine->schema, batch->slot);
        engine->batch_slots &= ~(1u << batch->slot);
    }
    cosmi_mutex_unlock(&engine->batch_lock);
    cosmi_step_free(batch);
    cosmi_bases_free(batch, &engine->memory);
    cosmi_tensors_free(batch);
    cosmi_batch_free(batch);
    INVARIANT(atomic_load(&batch->memory.used) == sizeof(*batch), "a batch gives back all it took");
    cosm_allocator allocator = batch->memory.allocator;
    allocator.release(allocator.context, batch, sizeof(*batch), 64);
    return COSM_OK;
}

cosm_engine *cosm_batch_engine(const cosm_batch *batch) {
    return batch == NULL ? NULL : batch->engine;
}

uint32_t cosm_batch_world_count(const cosm_batch *batch) {
    return batch == NULL ? 0 : batch->world_count;
}

uint64_t cosm_batch_seed(const cosm_batch *batch) {
    return batch == NULL ? 0 : batch->seed;
}

uint64_t cosm_batch_step_count(const cosm_batch *batch) {
    return batch == NULL ? 0 : batch->step_count;
}

uint64_t cosm_batch_entity_count(const cosm_batch *batch) {
    uint64_t count = 0;
    for (uint32_t w = 0; batch != NULL && w < batch->world_count; w++) {
        count += batch->worlds[w].alive;
    }
    return count;
}

float cosm_batch_step_seconds(const cosm_batch *batch) {
    return batch == NULL ? 0.0f : batch->step_seconds;
}

bool cosm_batch_is_running(const cosm_batch *batch) {
    return batch != NULL && atomic_load_explicit(&batch->running, memory_order_relaxed);
}

static cosm_result enter_step(cosm_batch *batch, const char *call) {
    return batch == NULL ? cosmi_refuse_null(NULL, call, "batch", "pass one from cosm_batch_create")
                         : cosmi_step_enter(batch, call);
}

cosm_result cosm_batch_init_systems(cosm_batch *batch) {
    static const char call[] = "cosm_batch_init_systems";
    cosm_result result = enter_step(batch, call);
    return result == COSM_OK ? cosmi_step_init(batch, call) : result;
}

static cosm_result take_whole_step(cosm_batch *batch, const char *call) {
    if (batch == NULL) {
        return cosmi_refuse_null(NULL, call, "batch", "pass one from cosm_batch_create");
    }
    cosm_step_desc desc = {.dt = batch->step_seconds};
    return cosmi_step_take(batch, &desc, call);
}

cosm_result cosm_batch_step(cosm_batch *batch) {
    return take_whole_step(batch, "cosm_batch_step");
}

cosm_result cosm_batch_step_with(cosm_batch *batch, const cosm_step_desc *desc) {
    static const char call[] = "cosm_batch_step_with";
    if (batch == NULL || desc == NULL) {
        return cosmi_refuse_null(batch == NULL ? NULL : batch->sink, call,
                                 batch == NULL ? "batch" : "desc", "pass both");
    }
    // Written so that NaN is refused too.
    if (!(desc->dt >= 0.0f && desc->dt <= 1e9f) || (unsigned)desc->phases > COSM_STEP_NONE) {
        return cosmi_fail(batch->sink, COSM_ERROR_ARGUMENT,
                          "%s: desc.dt %g or desc.phases %d is invalid; use seconds, and a value "
                          "of cosm_step_phases",
                          call, (double)desc->dt, (int)desc->phases);
    }
    cosm_step_desc full = *desc;
    full.dt = full.dt == 0.0f ? batch->step_seconds : full.dt;
    return cosmi_step_take(batch, &full, call);
}

cosm_result cosm_batch_run(cosm_batch *batch, uint64_t step_count) {
    static const char call[] = "cosm_batch_run";
    if (batch == NULL) {
        return cosmi_refuse_null(NULL, call, "batch", "pass one from cosm_batch_create");
    }
    cosm_result result = COSM_OK;
    for (uint64_t step = 0; step < step_count && result == COSM_OK; step++) {
        result = take_whole_step(batch, call);
    }
    return result;
}

cosm_result cosm_batch_run_phase(cosm_batch *batch, cosm_phase phase, float dt) {
    static const char call[] = "cosm_batch_run_phase";
    cosm_result result = enter_step(batch, call);
    if (result != COSM_OK) {
        return result;
    }
    // NaN and infinities would end up in every position there is.
    if (!(dt <= 1e9f)) {
        result = cosmi_fail(batch->sink, COSM_ERROR_ARGUMENT,
                            "%s: dt %g is not a valid duration; pass seconds, or a negative "
                            "number for the batch's step_seconds",
                            call, (double)dt);
        return cosmi_step_leave(batch, result);
    }
    if (cosm_phase_describe(batch->engine, phase).name == NULL) {
        result = cosmi_fail(batch->sink, COSM_ERROR_ARGUMENT,
                            "%s: phase %u is not defined in this engine; pass one from "
                            "cosm_phase_define, or COSM_PHASE_INPUT, _SIMULATION or _RENDER",
                            call, phase.id);
        return cosmi_step_leave(batch, result);
    }
    return cosmi_step_one_phase(batch, phase.id, dt < 0.0f ? batch->step_seconds : dt, call);
}

cosm_result cosm_batch_end_step(cosm_batch *batch) {
    static const char call[] = "cosm_batch_end_step";
    cosm_result result = enter_step(batch, call);
    return result == COSM_OK ? cosmi_step_end_by_hand(batch, call) : result;
}

cosm_result cosm_batch_reset(cosm_batch *batch, const uint8_t *mask) {
    static const char call[] = "cosm_batch_reset";
    if (batch == NULL) {
        return cosmi_refuse_null(NULL, call, "batch", "pass one from cosm_batch_create");
    }
    for (uint32_t w = 0; w < batch->world_count; w++) {
        if (mask != NULL && mask[w] == 0) {
            continue;
        }
        cosm_result result = check_change((cosm_world){batch, w}, call);
        if (result == COSM_OK && batch->events != NULL) {
            result = cosmi_event_reserve_reset(batch_world(batch, w), call);
        }
        if (result != COSM_OK) {
            return result;
        }
    }
    cosm_result result = COSM_OK;
    for (uint32_t w = 0; w < batch->world_count && result == COSM_OK; w++) {
        if (mask == NULL || mask[w] != 0) {
            result = cosmi_reset_world(batch_world(batch, w), call);
        }
    }
    cosmi_deliver_worlds((cosm_worlds){batch, 0, batch->world_count}, call);
    return result;
}

cosm_result cosm_batch_trim(cosm_batch *batch) {
    static const char call[] = "cosm_batch_trim";
    if (batch == NULL) {
        return cosmi_refuse_null(NULL, call, "batch", "pass one from cosm_batch_create");
    }
    cosm_result result = cosmi_check_changes((cosm_worlds){batch, 0, batch->world_count}, call);
    if (result == COSM_OK) {
        for (uint32_t w = 0; w < batch->world_count; w++) {
            cosmi_base_forget(batch, &batch->engine->memory, w);
        }
        cosmi_batch_shrink(batch);
        // An exclusive system may trim, but not what its own step has in hand.
        if (!atomic_load_explicit(&batch->running, memory_order_relaxed)) {
            cosmi_step_trim(batch);
        }
    }
    return result;
}

cosm_memory cosm_batch_memory(const cosm_batch *batch) {
    cosm_memory memory = {0, 0, 0};
    if (batch == NULL) {
        return memory;
    }
    memory.used = atomic_load_explicit(&batch->memory.used, memory_order_relaxed);
    memory.peak = atomic_load_explicit(&batch->memory.peak, memory_order_relaxed);
    for (uint32_t w = 0; w < batch->world_count; w++) {
        memory.live += cosmi_batch_live_bytes(batch, w);
    }
    return memory;
}

cosm_result cosm_batch_validate(const cosm_batch *batch) {
    if (batch == NULL) {
        return cosmi_refuse_null(NULL, "cosm_batch_validate", "batch",
                                 "pass one from cosm_batch_create");
    }
    const char *fault = cosmi_tensors_fault(batch);
    return fault == NULL
               ? cosmi_batch_validate(batch)
               : cosmi_fail(batch->sink, COSM_ERROR_CORRUPT,
                            "cosm_batch_validate: %s; this is a defect of the library: please "
                            "report it",
                            fault);
}
