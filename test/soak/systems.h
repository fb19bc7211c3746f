// What the soak test runs: components, systems that come and go, and how many entities they keep.
#ifndef COSM_TEST_SOAK_SYSTEMS_H
#define COSM_TEST_SOAK_SYSTEMS_H

#include <cosm/cosm.h>
#include <stdatomic.h>

#define SOAK_EXTRA_COUNT 12u // names of systems that are defined and removed again and again
#define SOAK_STEADY_COUNT 11u

typedef struct Place {
    uint32_t x;
    uint32_t y;
} Place;

typedef struct Drift {
    uint32_t x;
    uint32_t y;
} Drift;

typedef struct Life {
    uint32_t points;
} Life;

typedef struct Aim {
    cosm_entity target;
} Aim;

typedef struct Ping {
    uint32_t from;
} Ping;

typedef struct Census {
    uint64_t pings;
    uint64_t places;
} Census;

// Everything that is defined in the engine. Written before the first step; systems only read it,
// but for the counters.
struct soak_schema {
    cosm_engine *engine;
    cosm_component place;
    cosm_component drift;
    cosm_component life;
    cosm_component aim;
    cosm_component mark;   // a tag that comes and goes
    cosm_component parked; // a tag of the fixed archetype
    cosm_component ping;
    cosm_singleton census;
    cosm_archetype walker; // growing
    cosm_archetype hunter; // growing, with an Aim
    cosm_archetype berth;  // fixed and sealed
    cosm_archetype call;   // temporary
    cosm_system steady[SOAK_STEADY_COUNT];
    uint32_t large_target; // entities of a world that is alone in its batch
    uint32_t small_target; // of any other
    atomic_ulong inits;    // of systems that come and go
    atomic_ulong disposes;
};

// For results that need not be looked at: the engine's callback hears of every failure.
static inline void soak_told(cosm_result result) {
    (void)result;
}

// Defines components, archetypes and the systems that stay; false when something failed.
bool soak_define(struct soak_schema *schema, cosm_engine *engine);

// Defines one of the systems that come and go, of a shape that `dice` decides. Zero on failure.
cosm_system soak_define_extra(struct soak_schema *schema, uint32_t index, cosm_random *dice);

// Changes some worlds of a batch from outside, directly and by commands. False on failure.
bool soak_change(const struct soak_schema *schema, cosm_batch *batch, cosm_random *dice);

#endif
