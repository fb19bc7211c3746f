// The systems of physics.
#ifndef PHYSICS_STEP_H
#define PHYSICS_STEP_H

#include "work.h"

// The function `run` of physics_step.
void cosmi_physics_step(const cosm_turn *turn);

// The function `each` of physics_fall.
cosm_rows_fn cosmi_physics_fall;

bool cosmi_physics_settings_are_good(const cosm_physics_settings *settings);

#endif
