// The public calls of cosm/snapshot.h.
#include "state/fork.h"

#include <cosm/snapshot.h>

#include "api/check.h"
#include "api/snapshot.h"
#include "run/commands.h"

static cosm_result check_fork_batch(const struct cosm_batch *batch, const char *call) {
    return !atomic_load(&batch->running)
               ? COSM_OK
               : cosmi_fail(batch->sink, COSM_ERROR_BUSY,
                            "%s: the batch is running; call it between steps", call);
}

// The source, and that it goes with the batch of the targets, which exists.
static cosm_result check_fork(cosm_world source, const struct cosm_batch *batch, const char *call) {
    if (source.batch->engine != batch->engine) {
        return cosmi_fail(batch->sink, COSM_ERROR_ARGUMENT,
                          "%s: the source belongs to another engine than the targets; transfer it "
                          "with cosm_save_write and cosm_save_read",
                          call);
    }
    cosm_result result = check_fork_batch(source.batch, call);
    result = result == COSM_OK ? check_fork_batch(batch, call) : result;
    return result == COSM_OK ? cosmi_check_unwalked(cosm_worlds_one(source), call) : result;
}

// The run of worlds that the targets lie in.
static cosm_worlds fork_span(const struct fork *fork) {
    uint32_t first = UINT32_MAX;
    uint32_t last = 0;
    for (uint32_t i = 0; i < fork->count; i++) {
        uint32_t world = fork_target(fork, i);
        first = world < first ? world : first;
        last = world > last ? world : last;
    }
    return (cosm_worlds){fork->batch, first, last - first + 1};
}

// Neither the source nor a target has commands that wait.
static cosm_result check_fork_applied(const struct fork *fork) {
    cosm_worlds world = {fork->source.batch, fork->source.index, 1};
    cosm_result result = cosmi_check_applied(world, fork->call);
    // Most often nothing waits in the whole batch, and a target costs little more than its copy.
    cosm_worlds all = {fork->batch, 0, fork->batch->world_count};
    uint32_t waiting;
    bool any_waits = cosmi_commands_wait(all, &waiting);
    for (uint32_t i = 0; any_waits && i < fork->count && result == COSM_OK; i++) {
        world = (cosm_worlds){fork->batch, fork_target(fork, i), 1};
        result = cosmi_check_applied(world, fork->call);
    }
    return result;
}

static cosm_result fork_all(struct fork *fork) {
    fork->memory = &fork->batch->engine->memory;
    cosm_worlds source = {fork->source.batch, fork->source.index, 1};
    cosm_result result = cosmi_check_delivered(source, fork->call);
    if (result == COSM_OK && fork->count > 0 && fork->batch->events != NULL) {
        result = cosmi_check_delivered(fork_span(fork), fork->call);
    }
    result = result == COSM_OK ? check_fork_applied(fork) : result;
    result = result == COSM_OK ? cosmi_fork_prepare(fork) : result;
    if (result == COSM_OK) {
        cosmi_fork_do(fork);
    }
    return result;
}

cosm_result cosm_fork_world(cosm_world source, cosm_worlds targets, const cosm_fork_desc *desc) {
    static const char call[] = "cosm_fork_world";
    if (!world_exists(source)) {
        return cosmi_refuse_world(source, call);
    }
    if (!worlds_exist(targets)) {
        return cosmi_refuse_worlds(targets, call);
    }
    cosm_result result = check_fork(source, targets.batch, call);
    result = result == COSM_OK ? cosmi_check_unwalked(targets, call) : result;
    if (result != COSM_OK) {
        return result;
    }
    struct fork fork = {
        .source = source,
        .batch = targets.batch,
        .first = targets.first,
        .count = targets.count,
        .own_random = desc != NULL && desc->own_random,
        .call = call,
    };
    return fork_all(&fork);
}

// Is no world listed twice? A bit for each world of the batch.
static cosm_result check_distinct(const cosm_world *targets, uint32_t count, const char *call) {
    struct cosm_batch *batch = targets[0].batch;
    size_t size = ((size_t)batch->world_count / 64 + 1) * sizeof(uint64_t);
    uint64_t *seen = cosmi_memory_alloc_zeroed(&batch->memory, size, _Alignof(uint64_t));
    if (seen == NULL) {
        return cosmi_fail_memory(batch->sink, &batch->memory, call);
    }
    cosm_result result = COSM_OK;
    for (uint32_t i = 0; i < count && result == COSM_OK; i++) {
        uint32_t world = targets[i].index;
        if ((seen[world / 64] >> (world % 64) & 1) != 0) {
            result =
                cosmi_fail(batch->sink, COSM_ERROR_ARGUMENT,
                           "%s: targets[%u] is world %u, which is already in the list; list each "
                           "world once",
                           call, i, world);
        }
        seen[world / 64] |= (uint64_t)1 << (world % 64);
    }
    cosmi_memory_free(&batch->memory, seen, size, _Alignof(uint64_t));
    return result;
}

// Each of them exists, is of the first one's batch and nobody walks it.
static cosm_result check_targets(const cosm_world *targets, uint32_t count, const char *call) {
    for (uint32_t i = 0; i < count; i++) {
        if (!world_exists(targets[i])) {
            return cosmi_refuse_world(targets[i], call);
        }
        if (targets[i].batch != targets[0].batch) {
            return cosmi_fail(targets[0].batch->sink, COSM_ERROR_ARGUMENT,
                              "%s: targets[%u] belongs to another batch than targets[0]; fork "
                              "each batch separately",
                              call, i);
        }
        cosm_result result = cosmi_check_unwalked(cosm_worlds_one(targets[i]), call);
        if (result != COSM_OK) {
            return result;
        }
    }
    return COSM_OK;
}

cosm_result cosm_fork_many(cosm_world source, const cosm_world *targets, uint32_t target_count,
                           const cosm_fork_desc *desc) {
    static const char call[] = "cosm_fork_many";
    if (!world_exists(source)) {
        return cosmi_refuse_world(source, call);
    }
    if (target_count == 0) {
        return COSM_OK;
    }
    if (targets == NULL) {
        return cosmi_refuse_null(source.batch->sink, call, "targets", "pass `target_count` worlds");
    }
    if (!world_exists(targets[0])) {
        return cosmi_refuse_world(targets[0], call);
    }
    cosm_result result = check_fork(source, targets[0].batch, call);
    result = result == COSM_OK ? check_targets(targets, target_count, call) : result;
    result = result == COSM_OK ? check_distinct(targets, target_count, call) : result;
    if (result != COSM_OK) {
        return result;
    }
    struct fork fork = {
        .source = source,
        .batch = targets[0].batch,
        .list = targets,
        .count = target_count,
        .own_random = desc != NULL && desc->own_random,
        .call = call,
    };
    return fork_all(&fork);
}
