// Pending commands: what was recorded for a world and not applied yet, as a value.
//
// A snapshot of a world has copies of the commands that the program's own objects hold for it. They
// are put back into the objects that still live, known by their serial numbers. What an object
// recorded in one history is a list that only grows, so what it holds and what it shall hold have a
// beginning in common, and only the rest is dropped or copied: commands are told apart by their
// numbers in their object.
//
// Commands of steps and of observers are none of this: they are applied before a step or a change
// ends. Nor is an object that is being applied: its commands are done.
#ifndef COSM_RUN_PENDING_H
#define COSM_RUN_PENDING_H

#include "run/commands.h"

// What one object has for the world.
struct pending_chain {
    uint64_t serial; // of the object
    struct command_chain commands;
};

// One block: the chains in the order of serials, and the commands behind them. Never changes.
struct pending {
    struct memory *memory;
    const struct schema *schema;
    size_t size;
    uint32_t chain_count;
    struct pending_chain chains[];
};

// Objects whose commands are pending, one after the other. Nobody makes or destroys one meanwhile.
static inline struct cosm_commands *pending_next(struct cosm_commands *commands) {
    while (commands != NULL && commands->is_busy) {
        commands = commands->following;
    }
    return commands;
}

static inline struct cosm_commands *pending_first(const struct cosm_batch *batch) {
    return pending_next(batch->commands_first);
}

// Does any object of the batch hold commands?
bool cosmi_pending_any(const struct cosm_batch *batch);

// Bytes of a copy of a command, and making it in memory that is aligned to 16. False, with a
// message, where an object cannot be copied: then the copy holds those before it.
size_t cosmi_command_size(const struct schema *schema, const struct command *command);
bool cosmi_command_copy(const struct cosm_batch *batch, const char *call,
                        const struct command *command, void *memory);

// The pending commands of some worlds, in `memory`: out[i] is that of world first + i, NULL where
// there is none. Where kept[i] says the same, out[i] is kept[i] itself. On failure there is a
// message, and nothing is left.
cosm_result cosmi_pending_capture(cosm_worlds worlds, struct memory *memory, const char *call,
                                  struct pending *const *kept, struct pending **out);
void cosmi_pending_free(struct pending *pending);

// What becomes of the commands for one world.
struct pending_target {
    bool is_target;
    bool is_apart;                 // what follows in the object at hand is not in `pending`
    const struct pending *pending; // NULL: nothing is to be recorded
    uint32_t chain;                // of the object at hand, or of the next one that has any
    const struct command *next;    // that the object at hand should have
    uint32_t left;                 // how many from there on
};

// Worlds on their way to other pending commands: prepare, then do or cancel.
struct pending_plan {
    struct cosm_batch *batch;
    const char *call;
    uint32_t first;
    uint32_t count;
    struct pending_target *targets; // [count]; NULL: there is nothing to do
};

// A plan for worlds among `worlds`, none of which is a target yet. False, with a message, when out
// of memory.
bool cosmi_pending_begin(struct pending_plan *plan, cosm_worlds worlds, const char *call);

static inline void pending_aim(struct pending_plan *plan, uint32_t world,
                               const struct pending *pending) {
    plan->targets[world - plan->first] =
        (struct pending_target){.is_target = true, .pending = pending};
}

// Makes all copies. On failure there is a message, and nothing is left to cancel.
cosm_result cosmi_pending_prepare(struct pending_plan *plan);

// The directories of the targets are those that the pending commands have their promises from, with
// room for these to be settled. Promises to commands whose object is gone are broken.
void cosmi_pending_do(struct pending_plan *plan);
void cosmi_pending_cancel(struct pending_plan *plan);

#endif
