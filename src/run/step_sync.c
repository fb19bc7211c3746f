// Sync points: what systems recorded is applied, in the order of (system, world, lane, sequence).
//
// Worlds do not see each other's commands, so those of a block are applied when that block gets
// there. What cannot be applied in one world (a fixed table is full, say) is dropped in that world
// and told; the others go on.
#include <stdlib.h>

#include "run/step.h"

bool cosmi_sync_is_walked(const struct cosm_batch *batch, uint32_t index) {
    const struct world *world = &batch->worlds[index];
    return atomic_load_explicit(&batch->walks, memory_order_relaxed) != 0 ||
           atomic_load_explicit(&batch->walks_shared, memory_order_relaxed) != 1 ||
           (atomic_load_explicit(&batch->block_walks[index / WALK_BLOCK], memory_order_relaxed) |
            atomic_load_explicit(&world->walks, memory_order_relaxed) |
            atomic_load_explicit(&world->walks_shared, memory_order_relaxed)) != 0;
}

// A command and its place among all of a sync point.
struct placed_command {
    struct command *command;
    uint32_t sequence;
};

static int compare_placed(const void *a_pointer, const void *b_pointer) {
    const struct placed_command *a = a_pointer;
    const struct placed_command *b = b_pointer;
    if (a->command->world != b->command->world) {
        return a->command->world < b->command->world ? -1 : 1;
    }
    return a->sequence < b->sequence ? -1 : a->sequence > b->sequence;
}

// Applies the commands of one world, or drops them.
static void apply_world(struct step *step, struct worker *worker,
                        const struct command_chain *chain) {
    uint32_t world = chain->first->world;
    worker->watch.detail = &world;
    cosm_result result = COSM_OK;
    if (cosmi_sync_is_walked(step->batch, world)) {
        result = cosmi_fail(step->batch->sink, COSM_ERROR_WALKED,
                            "%s: world %u is being walked at a sync point, so the %u commands of "
                            "its systems are dropped; do not walk a batch while it steps",
                            step->call, world, chain->count);
    } else {
        cosm_commands_report report;
        result = cosmi_chains_apply(step->batch, &worker->commands.scratch, chain, 1, step->call,
                                    &report);
    }
    if (result == COSM_OK) {
        // Here, because the commands are chained anew, by world.
        deliver_events(batch_world(step->batch, world), step->call);
    }
    worker->watch.detail = NULL;
    if (result != COSM_OK) {
        cosmi_chain_break(step->batch, chain);
    }
}

static uint32_t count_commands(const struct command_chain *chains, uint32_t count) {
    uint32_t total = 0;
    for (uint32_t i = 0; i < count; i++) {
        total += chains[i].count;
    }
    return total;
}

// World by world, when something stands in the way of applying all at once.
COLD static void apply_by_world(struct step *step, struct worker *worker,
                                const struct command_chain *chains, uint32_t count) {
    uint32_t total = count_commands(chains, count);
    struct placed_command *placed =
        cosmi_arena_alloc(&worker->lanes, total * sizeof(*placed), sizeof(void *));
    if (placed == NULL) {
        (void)cosmi_fail_memory(step->batch->sink, &step->batch->memory, step->call);
        for (uint32_t i = 0; i < count; i++) {
            cosmi_chain_break(step->batch, &chains[i]);
        }
        return;
    }
    uint32_t at = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct command *command = chains[i].first;
        for (uint32_t left = chains[i].count; left > 0; left--, command = command->next) {
            placed[at] = (struct placed_command){command, at};
            at++;
        }
    }
    qsort(placed, total, sizeof(*placed), compare_placed);
    for (uint32_t begin = 0, end; begin < total; begin = end) {
        end = begin + 1;
        while (end < total && placed[end].command->world == placed[begin].command->world) {
            placed[end - 1].command->next = placed[end].command;
            end++;
        }
        struct command_chain chain = {placed[begin].command, end - begin};
        apply_world(step, worker, &chain);
    }
}

static bool any_walked(const struct cosm_batch *batch, const struct command_chain *chains,
                       uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        const struct command *command = chains[i].first;
        for (uint32_t left = chains[i].count; left > 0; left--, command = command->next) {
            if (cosmi_sync_is_walked(batch, command->world)) {
                return true;
            }
        }
    }
    return false;
}

// True where observers are yet to be told of it.
static bool apply_chains(struct step *step, struct worker *worker,
                         const struct command_chain *chains, uint32_t count, uint32_t place) {
    worker->watch.now = turn_order(step->phase->order_first + place, UINT16_MAX);
    cosm_result result = COSM_ERROR_WALKED;
    if (LIKELY(!any_walked(step->batch, chains, count))) {
        cosm_commands_report report;
        // Told below, for the world that it is about.
        cosm_error_mute(true);
        result = cosmi_chains_apply(step->batch, &worker->commands.scratch, chains, count,
                                    step->call, &report);
        cosm_error_mute(false);
    }
    if (UNLIKELY(result != COSM_OK)) {
        apply_by_world(step, worker, chains, count);
    }
    return result == COSM_OK;
}

// Puts ids that no lane used back, the last one first, so that they are handed out in their order.
static void give_spares(struct step *step, struct worker *worker) {
    for (uint32_t i = worker->spare_count; i-- > 0;) {
        struct spare_id spare = worker->spares[i];
        cosm_world world = batch_world(step->batch, spare.world);
        // Room for their records is there unless applying failed for want of it.
        if (cosmi_rows_settle(world, step->call) == COSM_OK &&
            cosmi_directory_is_reserved(world_data(world), spare.entity)) {
            cosmi_directory_take_back(world_data(world), spare.entity);
        }
    }
    worker->spare_count = 0;
}

static int compare_spares(const void *a_pointer, const void *b_pointer) {
    const struct spare_id *a = a_pointer;
    const struct spare_id *b = b_pointer;
    if (a->order != b->order) {
        return a->order < b->order ? -1 : 1;
    }
    if (a->world != b->world) {
        return a->world < b->world ? -1 : 1;
    }
    return a->sequence < b->sequence ? -1 : a->sequence > b->sequence;
}

// Brings the spare ids of all workers to the first one, in the order in which one thread has them.
static void gather_spares(struct step *step) {
    struct batch_run *run = step->run;
    struct worker *first = run->workers[0];
    for (uint32_t s = 1; s < run->worker_count; s++) {
        struct worker *worker = run->workers[s];
        if (worker == NULL || worker->spare_count == 0) {
            continue;
        }
        if (cosmi_spares_reserve(first, worker->spare_count)) {
            memcpy(first->spares + first->spare_count, worker->spares,
                   worker->spare_count * sizeof(*worker->spares));
            first->spare_count += worker->spare_count;
        } else {
            // They stay reserved until the world is reset; nothing else is lost.
            (void)cosmi_fail_memory(step->batch->sink, &step->batch->memory, step->call);
        }
        worker->spare_count = 0;
    }
    if (first->spare_count > 0) {
        qsort(first->spares, first->spare_count, sizeof(*first->spares), compare_spares);
    }
}

static void end_sync(struct worker *worker) {
    cosmi_commands_empty(&worker->commands);
    worker->chain_count = 0;
    cosmi_arena_clear(&worker->lanes);
}

// Observers are called once all ids are back where one thread would have them.
static void deliver_sync(struct step *step, struct worker *worker,
                         const struct command_chain *chains, uint32_t count) {
    if (step->batch->events != NULL) {
        cosmi_deliver_chains(step->batch, chains, count, step->call, &worker->watch);
    }
}

void cosmi_sync_block(struct step *step, struct worker *worker, uint32_t place) {
    if (worker->commands.count > 0) {
        struct failure_watch *outer = cosmi_error_watch(&worker->watch);
        struct command_chain chain = {worker->commands.first, worker->commands.count};
        bool needs_delivery = apply_chains(step, worker, &chain, 1, place);
        give_spares(step, worker);
        deliver_sync(step, worker, &chain, needs_delivery ? 1 : 0);
        end_sync(worker);
        (void)cosmi_error_watch(outer);
    }
}

static int compare_lanes(const void *a_pointer, const void *b_pointer) {
    const struct lane_chain *a = a_pointer;
    const struct lane_chain *b = b_pointer;
    if (a->order != b->order) {
        return a->order < b->order ? -1 : 1;
    }
    if (a->world != b->world) {
        return a->world < b->world ? -1 : 1;
    }
    return a->lane < b->lane ? -1 : a->lane > b->lane;
}

// The chains of all workers in their order; NULL when out of memory.
static struct command_chain *gather_chains(struct step *step, uint32_t *out_count) {
    struct batch_run *run = step->run;
    uint32_t total = 0;
    for (uint32_t s = 0; s < run->worker_count; s++) {
        total += run->workers[s] == NULL ? 0 : run->workers[s]->chain_count;
    }
    struct arena *arena = &run->items;
    struct lane_chain *lanes = cosmi_arena_alloc(arena, total * sizeof(*lanes), sizeof(void *));
    struct command_chain *chains =
        cosmi_arena_alloc(arena, total * sizeof(*chains), sizeof(void *));
    if (lanes == NULL || chains == NULL) {
        return NULL;
    }
    uint32_t at = 0;
    for (uint32_t s = 0; s < run->worker_count; s++) {
        const struct worker *worker = run->workers[s];
        for (uint32_t i = 0; worker != NULL && i < worker->chain_count; i++) {
            lanes[at++] = worker->chains[i];
        }
    }
    INVARIANT(at == total, "all chains are gathered");
    qsort(lanes, total, sizeof(*lanes), compare_lanes);
    for (uint32_t i = 0; i < total; i++) {
        chains[i] = lanes[i].chain;
    }
    *out_count = total;
    return chains;
}

static void drop_all(struct step *step) {
    (void)cosmi_fail_memory(step->batch->sink, &step->batch->memory, step->call);
    for (uint32_t s = 0; s < step->run->worker_count; s++) {
        struct worker *worker = step->run->workers[s];
        if (worker != NULL) {
            cosmi_commands_forget(&worker->commands);
        }
    }
}

void cosmi_sync_all(struct step *step, uint32_t place) {
    struct batch_run *run = step->run;
    uint32_t recorded = 0;
    for (uint32_t s = 0; s < run->worker_count; s++) {
        recorded += run->workers[s] == NULL ? 0 : run->workers[s]->commands.count;
    }
    if (recorded == 0) {
        return;
    }
    struct worker *first = run->workers[0];
    struct failure_watch *outer = cosmi_error_watch(&first->watch);
    uint32_t count = 0;
    struct command_chain *chains = gather_chains(step, &count);
    if (chains != NULL) {
        count = apply_chains(step, first, chains, count, place) ? count : 0;
    } else {
        drop_all(step);
    }
    gather_spares(step);
    give_spares(step, first);
    deliver_sync(step, first, chains, chains == NULL ? 0 : count);
    for (uint32_t s = 0; s < run->worker_count; s++) {
        if (run->workers[s] != NULL) {
            end_sync(run->workers[s]);
        }
    }
    cosmi_arena_clear(&run->items);
    (void)cosmi_error_watch(outer);
}
