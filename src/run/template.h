// Templates and worlds: made from what lives there, and recorded as commands. Spawning one directly
// is in store/spawn.h.
#ifndef COSM_RUN_TEMPLATE_H
#define COSM_RUN_TEMPLATE_H

#include "run/commands.h"
#include "schema/template.h"

// Defines a template from a living entity, with its descendants or without. 0, with a message, on
// failure.
uint32_t cosmi_template_capture(cosm_world world, const char *call, cosm_entity entity,
                                const char *name, bool with_children);

// Records the spawns of a template and all its children. None, with a message and nothing recorded,
// on failure.
cosm_entity cosmi_commands_spawn_template(struct cosm_commands *commands, cosm_world world,
                                          const char *call, const struct template *from,
                                          const cosm_value *overrides, uint32_t override_count);

#endif
