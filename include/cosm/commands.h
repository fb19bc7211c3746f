// Commands: structural changes that are recorded now and applied later, at a sync point.
//
// Recording works while worlds are being walked. Any thread may record, one thread at a time per
// commands object, but not while the same world is being changed. Apply processes the objects in
// the given order, and each object's commands in the order of recording. The result depends on
// nothing else, except for the handles of spawns that several threads record for one world at the
// same time. Several changes of one entity are merged into one move.
//
// Apply reserves all memory before the first change. If it fails, it changes nothing and keeps the
// commands: fix the cause and apply again, or clear them. A command on an entity that is not alive
// when its turn comes is skipped. Despawning such an entity is harmless; any other such command is
// reported (COSM_STALE) and counted in `skipped`. So is a set_parent whose parent is not alive, or
// is by then the entity itself or a descendant of it. Changes of trees are made in the order of the
// commands.
//
// A recording call that fails records nothing. You need not check each result: in a system the step
// returns the first failure, elsewhere the apply does.
//
// Apply, clear and destroy use the ids of the worlds concerned: no other thread may change these
// worlds or record commands for them at the same time.
#ifndef COSM_COMMANDS_H
#define COSM_COMMANDS_H

#include <cosm/entity.h>
#include <cosm/error.h>
#include <cosm/types.h>

COSM_BEGIN_C

// The result of an apply.
typedef struct cosm_commands_report {
    uint32_t spawned; // entities and emitted rows
    uint32_t despawned;
    uint32_t moved;   // entities moved to another table, each counted once
    uint32_t written; // values written
    uint32_t skipped; // commands on entities that were not alive
} cosm_commands_report;

// Creates a commands object for the worlds of a batch. NULL on failure.
COSM_API cosm_commands *cosm_commands_create(cosm_batch *batch);

// Destroys the object and drops commands not applied. NULL is allowed.
COSM_API void cosm_commands_destroy(cosm_commands *commands);

// Commands recorded and not yet applied.
COSM_API uint32_t cosm_commands_count(const cosm_commands *commands);

// Drops all recorded commands. Handles returned by their spawns never become alive.
COSM_API void cosm_commands_clear(cosm_commands *commands);

// Records a spawn. The handle is final at once: you can store it and use it in further commands.
// The entity becomes alive when the command is applied. COSM_ENTITY_NONE on failure.
COSM_API cosm_entity cosm_commands_spawn(cosm_commands *commands, cosm_world world,
                                         cosm_archetype archetype);
COSM_API cosm_entity cosm_commands_spawn_with(cosm_commands *commands, cosm_world world,
                                              cosm_archetype archetype, const cosm_value *values,
                                              uint32_t value_count);

// Records a spawn with the components of the values: see COSM_COMMANDS_SPAWN of typed.h.
COSM_API cosm_entity cosm_commands_spawn_typed(cosm_commands *commands, cosm_world world,
                                               const cosm_typed *values, uint32_t value_count);

// Records a spawn from a template, including its children. Objects are copied now. Returns the
// handle of the root.
COSM_API cosm_entity cosm_commands_spawn_template(cosm_commands *commands, cosm_world world,
                                                  cosm_template from, const cosm_value *overrides,
                                                  uint32_t override_count);

// Records a row of a temporary archetype: an event that exists once the command is applied.
COSM_API cosm_result cosm_commands_emit(cosm_commands *commands, cosm_world world,
                                        cosm_archetype archetype, const cosm_value *values,
                                        uint32_t value_count);

// Records a change. Values are copied.
COSM_API cosm_result cosm_commands_despawn(cosm_commands *commands, cosm_world world,
                                           cosm_entity entity);
COSM_API cosm_result cosm_commands_despawn_tree(cosm_commands *commands, cosm_world world,
                                                cosm_entity entity);
COSM_API cosm_result cosm_commands_set_parent(cosm_commands *commands, cosm_world world,
                                              cosm_entity entity, cosm_entity parent);
COSM_API cosm_result cosm_commands_add(cosm_commands *commands, cosm_world world,
                                       cosm_entity entity, cosm_component component);
COSM_API cosm_result cosm_commands_remove(cosm_commands *commands, cosm_world world,
                                          cosm_entity entity, cosm_component component);
COSM_API cosm_result cosm_commands_set(cosm_commands *commands, cosm_world world,
                                       cosm_entity entity, cosm_component component,
                                       const void *value);

// Applies one object, or several of one batch in the given order. Afterwards they are empty and can
// be used again. If recording failed since the last apply or clear, returns the first such failure,
// once, and applies nothing: apply again to go on without the missing commands, or clear.
// `out_report` may be NULL.
COSM_API COSM_MUST_USE cosm_result cosm_commands_apply(cosm_commands *commands,
                                                       cosm_commands_report *out_report);
COSM_API COSM_MUST_USE cosm_result cosm_commands_apply_many(cosm_commands *const *list,
                                                            uint32_t count,
                                                            cosm_commands_report *out_report);

COSM_END_C

#endif
