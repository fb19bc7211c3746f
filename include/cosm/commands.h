// Commands: structural changes that are recorded now and applied later, at a sync point.
//
// Record from any thread, one thread per commands object at a time, also while worlds are being
// walked, but not while the same world is changed. Applying takes the objects in the order given
// and each one's commands in the order of recording; the result depends on nothing else, but for
// the handles of spawns that several threads record for one world at the same time. Changes of one
// entity are merged into one move.
//
// All memory is set aside before the first change, so a failed apply changes nothing and keeps
// the commands: mend the cause and apply again, or clear them. A command on an entity that is not
// alive when its turn comes is passed over: despawning it again is harmless, any other such
// command is reported (COSM_STALE) and counted in `skipped`. So is one that sets a parent which is
// not alive, or which is at that point the entity itself or below it. Changes of trees are made in
// the order of the commands, each on the tree as those before it left it.
//
// A recording call that fails records nothing. You need not look at each result: in a system the
// step returns the first failure, elsewhere the apply does.
//
// Applying, clearing and destroying touch the ids of the worlds concerned: nobody else may change
// those worlds or record commands for them meanwhile.
#ifndef COSM_COMMANDS_H
#define COSM_COMMANDS_H

#include <cosm/entity.h>
#include <cosm/error.h>
#include <cosm/types.h>

COSM_BEGIN_C

// What an apply did.
typedef struct cosm_commands_report {
    uint32_t spawned; // entities and emitted rows
    uint32_t despawned;
    uint32_t moved;   // entities that went to another table, each counted once
    uint32_t written; // values written
    uint32_t skipped; // commands on entities that were not alive
} cosm_commands_report;

// Makes a commands object for the worlds of a batch. NULL on failure.
COSM_API cosm_commands *cosm_commands_create(cosm_batch *batch);

// Destroys it with whatever was not applied. NULL is fine.
COSM_API void cosm_commands_destroy(cosm_commands *commands);

// Commands recorded and not yet applied.
COSM_API uint32_t cosm_commands_count(const cosm_commands *commands);

// Forgets what was recorded; handles it gave out never come alive.
COSM_API void cosm_commands_clear(cosm_commands *commands);

// Records a spawn. The handle is final at once: it may be stored and used in further commands,
// and comes alive when this is applied. COSM_ENTITY_NONE on failure.
COSM_API cosm_entity cosm_commands_spawn(cosm_commands *commands, cosm_world world,
                                         cosm_archetype archetype);
COSM_API cosm_entity cosm_commands_spawn_with(cosm_commands *commands, cosm_world world,
                                              cosm_archetype archetype, const cosm_value *values,
                                              uint32_t value_count);

// Records a spawn of an entity whose components are those of the values: COSM_COMMANDS_SPAWN of
// typed.h.
COSM_API cosm_entity cosm_commands_spawn_typed(cosm_commands *commands, cosm_world world,
                                               const cosm_typed *values, uint32_t value_count);

// Records a spawn from a template, and one of each child with its parent. Objects are copied now.
// Returns the handle of the one at the top, as above.
COSM_API cosm_entity cosm_commands_spawn_template(cosm_commands *commands, cosm_world world,
                                                  cosm_template from, const cosm_value *overrides,
                                                  uint32_t override_count);

// Records a row of a temporary archetype: an event that is there once this is applied.
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

// Applies one object, or several of one batch in the order given. They are empty afterwards and
// ready for use. If recording failed since they were last applied or cleared, the first such failure
// is returned, once, and nothing is applied: apply again to go on without what is missing, or clear.
// `out_report` may be NULL.
COSM_API COSM_MUST_USE cosm_result cosm_commands_apply(cosm_commands *commands,
                                                       cosm_commands_report *out_report);
COSM_API COSM_MUST_USE cosm_result cosm_commands_apply_many(cosm_commands *const *list,
                                                            uint32_t count,
                                                            cosm_commands_report *out_report);

COSM_END_C

#endif
