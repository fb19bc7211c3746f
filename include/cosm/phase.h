// Phases: ordered groups of systems.
//
// Every engine has three: input, simulation and render, in this order. A step runs all phases in
// order. A loop runs the fixed ones at its rate and the others once per frame: see loop.h.
#ifndef COSM_PHASE_H
#define COSM_PHASE_H

#include <cosm/error.h>
#include <cosm/types.h>

COSM_BEGIN_C

typedef enum cosm_phase_rate {
    COSM_PHASE_RATE_FIXED = 0, // once per step, like simulation
    COSM_PHASE_RATE_PER_FRAME, // once per frame, like input and render
} cosm_phase_rate;

// Zeroed, except for the name: a fixed phase after all others.
typedef struct cosm_phase_desc {
    const char *name;     // unique among phases; copied
    cosm_phase before;    // runs right before this phase, or
    cosm_phase after;     // right after this phase and those placed after it earlier
    cosm_phase_rate rate; // for loops
} cosm_phase_desc;

// Defines a phase. Defining it again with the same properties returns the same id. Zero on failure.
COSM_API cosm_phase cosm_phase_define(cosm_engine *engine, const cosm_phase_desc *desc);

COSM_API cosm_phase cosm_phase_find(const cosm_engine *engine, const char *name);
COSM_API const char *cosm_phase_name(const cosm_engine *engine, cosm_phase phase);
COSM_API bool cosm_phase_is_fixed(const cosm_engine *engine, cosm_phase phase);

// The phases in order; zero past the end.
COSM_API uint32_t cosm_phase_count(const cosm_engine *engine);
COSM_API cosm_phase cosm_phase_at(const cosm_engine *engine, uint32_t index);

COSM_END_C

#endif
