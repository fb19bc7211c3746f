// Commands as the library sees them: a list in the order of recording, in an arena.
#ifndef COSM_RUN_COMMANDS_H
#define COSM_RUN_COMMANDS_H

#include <cosm/commands.h>

#include "base/arena.h"
#include "store/rows.h"

enum command_kind {
    COMMAND_SPAWN,
    COMMAND_EMIT, // a temporary row
    COMMAND_DESPAWN,
    COMMAND_DESPAWN_TREE, // with all below it
    COMMAND_PARENT,       // its new parent is what `values` points to
    COMMAND_ADD,
    COMMAND_REMOVE,
    COMMAND_SET,
};

struct command {
    struct command *next;
    enum command_kind kind;
    uint32_t world;
    cosm_entity entity;   // of COMMAND_EMIT: none
    uint32_t subject;     // archetype id, or component id (also of a bundle)
    uint32_t value_count; // COMMAND_SPAWN and COMMAND_EMIT
    const void *values;   // COMMAND_SET: the bytes; COMMAND_PARENT: a cosm_entity; else
                          // cosm_value[value_count] with copied bytes
    // Instead of the bytes of an object: a struct held_object, store/managed.h.
};

// Some commands in their order: `count` of them from `first` on.
struct command_chain {
    struct command *first;
    uint32_t count;
};

struct cosm_commands {
    struct cosm_batch *batch;
    struct cosm_commands *previous; // the batch's list of the program's own
    struct cosm_commands *following;
    bool is_of_turn;         // a worker's: only a system may record here, and a step applies it
    const struct turn *turn; // the turn that may record here now; NULL: none
    bool is_lent;            // an event's: its observer records here, and delivery applies it
    bool is_busy;            // being applied, while observers are called for it
    uint32_t lent_world;     // what may be recorded for, where it is lent
    struct failure *failure; // of the program's own: the first that recording met; else NULL
    struct arena arena;      // the commands and their values
    struct arena scratch;    // what applying needs; empty in between
    struct command *first;
    struct command *last;
    uint32_t count;
};

void cosmi_commands_init(struct cosm_commands *commands, struct cosm_batch *batch);
void cosmi_commands_free(struct cosm_commands *commands);

// Enters an object of the program's own into its batch's list, and takes it off.
void cosmi_commands_enlist(struct cosm_commands *commands);
void cosmi_commands_delist(struct cosm_commands *commands);

// Does an object of the program's own hold commands for one of these worlds? An object that is
// being applied does not: its commands are done. No other thread creates, destroys or uses one
// meanwhile.
bool cosmi_commands_wait(cosm_worlds worlds, uint32_t *out_world);

// Appends a command whose other fields the caller fills in; NULL, with a message, when out of
// memory. `value_bytes` bytes follow it, at *out_bytes, aligned to 16.
struct command *cosmi_commands_record(struct cosm_commands *commands, const char *call,
                                      enum command_kind kind, size_t value_bytes, void **out_bytes);

// Records a spawn or an emit of a checked archetype and values, which are copied; the caller fills
// in the entity. NULL, with a message, when memory or a copy fails.
struct command *cosmi_commands_record_row(struct cosm_commands *commands, cosm_world world,
                                          const char *call, enum command_kind kind,
                                          const struct archetype *archetype,
                                          const cosm_value *values, uint32_t value_count);

// The handle of a spawn to come; none, with a message, where ids or memory run out.
cosm_entity cosmi_commands_promise(struct cosm_commands *commands, cosm_world world,
                                   const char *call);

// Records the spawn of one entity. None, with a message and nothing recorded, on failure.
cosm_entity cosmi_commands_spawn(struct cosm_commands *commands, cosm_world world, const char *call,
                                 const struct archetype *archetype, const cosm_value *values,
                                 uint32_t value_count);

// Bytes that the value of a recorded set takes; copies it there (false, with a message, when out of
// memory).
size_t cosmi_command_value_size(const struct value_type *type);
bool cosmi_command_value_copy(const struct cosm_batch *batch, const char *call,
                              const struct value_type *type, const void *value, void *bytes);

// Takes back the command recorded last; `before` is the one before it, or NULL.
void cosmi_commands_unrecord(struct cosm_commands *commands, struct command *before);

// Ends the objects that the commands of a chain still hold, in the order of the commands.
void cosmi_chain_end_held(const struct schema *schema, const struct command_chain *chain);

// Breaks the reserved ids of the spawns in a chain, and ends its objects.
void cosmi_chain_break(struct cosm_batch *batch, const struct command_chain *chain);

// Forgets all commands whose reserved ids were kept or broken.
void cosmi_commands_empty(struct cosm_commands *commands);

// Forgets all commands. Reserved ids that were not kept are broken.
void cosmi_commands_forget(struct cosm_commands *commands);

// Applies several objects of one batch in order; none of the worlds concerned is being walked.
// On failure there is a message that names `call`, and nothing has changed.
cosm_result cosmi_commands_apply(struct cosm_commands *const *list, uint32_t count,
                                 const char *call, cosm_commands_report *report);

// Applies chains of commands of one batch in order and leaves them as they are. `scratch` is empty
// before and after.
cosm_result cosmi_chains_apply(struct cosm_batch *batch, struct arena *scratch,
                               const struct command_chain *chains, uint32_t count, const char *call,
                               cosm_commands_report *report);

// One change of many entities of a world, as if it were recorded for each and applied.
struct array_change {
    const char *call;
    const cosm_entity *entities;
    uint32_t count;
    cosm_component component;
    enum command_kind kind;              // COMMAND_ADD, COMMAND_REMOVE or COMMAND_SET
    const void *values;                  // COMMAND_SET: one value per entity
    const struct value_type *value_type; // COMMAND_SET: of the values; else NULL
};

// Stale entities are passed over. On failure there is a message and nothing has changed.
cosm_result cosmi_array_change(cosm_world world, const struct array_change *change);

// The same for all entities that a query shows in some worlds; `entities` is not looked at, and
// `values` is one for all. Rows that are no entities are passed over.
cosm_result cosmi_change_rows(const cosm_query *query, cosm_worlds worlds,
                              const struct array_change *change);

#endif
