// The system of physics.
#ifndef PHYSICS_STEP_H
#define PHYSICS_STEP_H

#include "work.h"

// The function `run` of physics_step.
void cosmi_physics_step(const cosm_turn *turn);

#endif
