// The components of the scene swarm that are its own.
#ifndef SCENES_SWARM_H
#define SCENES_SWARM_H

#include <cosm/mark.h>
#include <stdint.h>

#define SWARM_LIFE_MAX 768 // steps that a particle lives at most

typedef struct COSM_COMPONENT() Life {
    int32_t left COSM_FIELD(unit = "steps", min = 0, max = SWARM_LIFE_MAX, strict = true);
} Life;

// A spark: it is not replaced when it ends.
COSM_TAG(Glowing);

#endif
