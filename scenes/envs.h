// The environments among the scenes: simulations that agents act in (cosm_sim/env.h), listed by
// name.
//
// Each has a header of its own with its components and the slots of its exports. They are defined
// in an engine by whoever steps them, most often a cosm_sim.
#ifndef SCENES_ENVS_H
#define SCENES_ENVS_H

#include <cosm_sim/env.h>

COSM_BEGIN_C

// The environments there are, in a fixed order; NULL past the end, and for a name that none has.
uint32_t scene_env_count(void);
const cosm_env_desc *scene_env_at(uint32_t index);
const cosm_env_desc *scene_env_find(const char *name);

// For their `define`: a system with the environment's context. False after a failure.
bool scene_env_system(const cosm_env_setup *setup, const cosm_system_desc *desc);

// A pole on a cart, one agent: cartpole.h.
extern const cosm_env_desc scene_cartpole;

// Foragers on a grid, up to eight agents, which come and go: forage.h.
extern const cosm_env_desc scene_forage;

COSM_END_C

#endif
