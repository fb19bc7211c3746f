// Putting pending commands back: compared with what their objects hold, the rest copied, then
// exchanged.
#include "run/pending.h"
#include "store/managed.h"

bool cosmi_pending_begin(struct pending_plan *plan, cosm_worlds worlds, const char *call) {
    struct cosm_batch *batch = worlds.batch;
    *plan = (struct pending_plan){batch, call, worlds.first, worlds.count, NULL};
    plan->targets =
        cosmi_memory_take_zeroed(&batch->memory, worlds.count * sizeof(struct pending_target),
                                 _Alignof(struct pending_target));
    if (plan->targets == NULL) {
        (void)cosmi_fail_memory(batch->sink, &batch->memory, call);
    }
    return plan->targets != NULL;
}

static void end_plan(struct pending_plan *plan) {
    cosmi_memory_give(&plan->batch->memory, plan->targets,
                      plan->count * sizeof(struct pending_target), _Alignof(struct pending_target));
    plan->targets = NULL;
}

// Nobody will spawn what these commands were to spawn.
static void break_lost(struct pending_plan *plan, uint32_t world,
                       const struct command_chain *chain) {
    struct world *ids = &plan->batch->worlds[world];
    const struct command *command = chain->first;
    for (uint32_t i = 0; i < chain->count; i++, command = command->next) {
        if (command->kind != COMMAND_SPAWN) {
            continue;
        }
        cosmi_directory_settle(ids);
        if (cosmi_directory_is_promised(ids, command->entity)) {
            cosmi_directory_break(ids, command->entity);
        }
    }
}

// Goes on to the chains of the object `serial`; those before it have no object any more.
static void aim_at(struct pending_plan *plan, uint64_t serial, bool breaks) {
    for (uint32_t i = 0; i < plan->count; i++) {
        struct pending_target *target = &plan->targets[i];
        uint32_t end = target->pending == NULL ? 0 : target->pending->chain_count;
        const struct pending_chain *chains = end == 0 ? NULL : target->pending->chains;
        for (; target->chain < end && chains[target->chain].serial < serial; target->chain++) {
            if (breaks) {
                break_lost(plan, plan->first + i, &chains[target->chain].commands);
            }
        }
        bool has = target->chain < end && chains[target->chain].serial == serial;
        target->next = has ? chains[target->chain].commands.first : NULL;
        target->left = has ? chains[target->chain].commands.count : 0;
        target->chain += has;
        target->is_apart = false;
    }
}

static void aim_anew(struct pending_plan *plan) {
    for (uint32_t i = 0; i < plan->count; i++) {
        plan->targets[i].chain = 0;
    }
}

// Does a command stay in its object? Asked of all of them in their order.
static bool stays(struct pending_plan *plan, const struct command *command) {
    uint32_t at = command->world - plan->first;
    struct pending_target *target = at < plan->count ? &plan->targets[at] : NULL;
    if (target == NULL || !target->is_target) {
        return true;
    }
    target->is_apart |= target->left == 0 || target->next->number != command->number;
    if (target->is_apart) {
        return false;
    }
    target->next = target->next->next;
    target->left--;
    return true;
}

// Copies what a world's commands lack in an object.
static cosm_result prepare_coming(const struct pending_plan *plan, struct cosm_commands *holder,
                                  uint32_t world, struct pending_target *target) {
    struct cosm_batch *batch = plan->batch;
    for (; target->left > 0; target->left--, target->next = target->next->next) {
        size_t size = cosmi_command_size(batch->schema, target->next);
        struct command *copy = cosmi_arena_take(&holder->arena, size, 16);
        if (copy == NULL) {
            return cosmi_fail_memory(batch->sink, &batch->memory, plan->call);
        }
        bool done = cosmi_command_copy(batch, plan->call, target->next, copy);
        copy->world = world;
        command_list_append(&holder->coming, copy);
        if (!done) {
            return cosm_error_result();
        }
    }
    return COSM_OK;
}

static cosm_result prepare_holder(struct pending_plan *plan, struct cosm_commands *holder) {
    aim_at(plan, holder->serial, false);
    for (const struct command *c = holder->first; c != NULL; c = c->next) {
        (void)stays(plan, c);
    }
    cosm_result result = COSM_OK;
    for (uint32_t i = 0; i < plan->count && result == COSM_OK; i++) {
        result = prepare_coming(plan, holder, plan->first + i, &plan->targets[i]);
    }
    return result;
}

cosm_result cosmi_pending_prepare(struct pending_plan *plan) {
    cosm_result result = COSM_OK;
    aim_anew(plan);
    struct cosm_commands *holder = pending_first(plan->batch);
    for (; holder != NULL && result == COSM_OK; holder = pending_next(holder->following)) {
        result = prepare_holder(plan, holder);
    }
    if (result != COSM_OK) {
        cosmi_pending_cancel(plan);
    }
    return result;
}

void cosmi_pending_cancel(struct pending_plan *plan) {
    if (plan->targets == NULL) {
        return;
    }
    struct cosm_commands *holder = pending_first(plan->batch);
    for (; holder != NULL; holder = pending_next(holder->following)) {
        struct command_chain chain = {holder->coming.first, holder->coming.count};
        cosmi_chain_end_held(plan->batch->schema, &chain);
        holder->coming = (struct command_list){NULL, NULL, 0};
        if (holder->count == 0) {
            cosmi_commands_empty(holder);
        }
    }
    end_plan(plan);
}

static void put_back(struct pending_plan *plan, struct cosm_commands *holder) {
    aim_at(plan, holder->serial, true);
    struct command_list list = {NULL, NULL, 0};
    struct command *next;
    for (struct command *c = holder->first; c != NULL; c = next) {
        next = c->next;
        c->next = NULL;
        if (stays(plan, c)) {
            command_list_append(&list, c);
        } else {
            // Its promise was another directory's.
            struct command_chain dropped = {c, 1};
            cosmi_chain_end_held(plan->batch->schema, &dropped);
        }
    }
    for (struct command *c = holder->coming.first; c != NULL; c = next) {
        next = c->next;
        c->next = NULL;
        command_list_append(&list, c);
    }
    holder->coming = (struct command_list){NULL, NULL, 0};
    holder->first = list.first;
    holder->last = list.last;
    holder->count = list.count;
    if (holder->count == 0) {
        cosmi_commands_empty(holder);
    }
}

void cosmi_pending_do(struct pending_plan *plan) {
    if (plan->targets == NULL) {
        return;
    }
    aim_anew(plan);
    struct cosm_commands *holder = pending_first(plan->batch);
    for (; holder != NULL; holder = pending_next(holder->following)) {
        put_back(plan, holder);
    }
    aim_at(plan, UINT64_MAX, true);
    end_plan(plan);
}
