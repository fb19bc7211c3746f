// Changing the components of one entity: adding, removing, setting.
//
// Each call makes room for events, and does what else can fail, before it changes
// anything; on failure there is a message that names `call`, and all is as it was. The caller has
// checked that the world may be changed, and calls observers afterwards (run/observer.h).
#ifndef COSM_STORE_MODIFY_H
#define COSM_STORE_MODIFY_H

#include "store/event.h"
#include "store/managed.h"

// Moves a row along a transition.
cosm_result cosmi_modify_move(cosm_world world, const char *call, struct record *record,
                              struct store *source, const struct transition *transition);

// Adds or removes a component or a bundle, whatever its members are and wherever they are stored.
cosm_result cosmi_modify_change(cosm_world world, const char *call, struct record *record,
                                cosm_entity entity, cosm_component component, bool add);

// Adds or removes one sector component: nothing else is touched.
cosm_result cosmi_modify_sector(cosm_world world, const char *call, cosm_entity entity,
                                const struct value_type *type, bool add);

// Room for events when a sector component is added and set, or removed.
cosm_result cosmi_modify_sector_room(cosm_world world, const char *call,
                                     const struct value_type *type);

// Room for events when a row of `source` gets a value; `moves`: in `target`.
cosm_result cosmi_modify_set_room(cosm_world world, const char *call,
                                  const struct archetype *source, const struct archetype *target,
                                  bool moves);

// Writes to a component that the table has.
void cosmi_modify_write(cosm_world world, const struct record *record, uint32_t component,
                        const void *value);

// Notes for observers that a component was set. A tag has no value that could be.
void cosmi_modify_log_set(cosm_world world, const struct record *record,
                          const struct value_type *type);

// Sets a component that the row lacks, and a shared one in any case: the row moves along the
// transition (NULL: to another table of its archetype). The value may lie in the row that moves.
cosm_result cosmi_modify_set(cosm_world world, const char *call, struct record *record,
                             struct store *source, const struct transition *transition,
                             const struct value_type *type, const void *value);

// Gives a row an object, or replaces the one it has. *out_object, unless NULL, is where it is.
cosm_result cosmi_modify_set_object(cosm_world world, const char *call, struct store *store,
                                    uint32_t column, uint32_t row,
                                    const struct object_source *source, void **out_object);

// Adds a managed component to an entity that lacks it, with an object.
cosm_result cosmi_modify_add_object(cosm_world world, const char *call, struct record *record,
                                    const struct value_type *type,
                                    const struct object_source *source, void **out_object);

#endif
