// Actions drawn at random, as the spaces and masks of an environment allow.
#ifndef COSM_TOOL_ACTIONS_H
#define COSM_TOOL_ACTIONS_H

#include <cosm_sim/sim.h>

// Fills all action slots for the step number `step`: with choices where a mask does not forbid
// them, with numbers of the range that is told, and from -1 to 1 where none is. What an agent gets
// depends on seed, step, the number of its world and its row there, and on nothing else.
void actions_draw(cosm_sim *sim, uint64_t seed, uint64_t step);

#endif
