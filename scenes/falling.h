// The components of the scene falling that are its own.
#ifndef SCENES_FALLING_H
#define SCENES_FALLING_H

#include <cosm/mark.h>

typedef struct COSM_COMPONENT() Bounce {
    // Share of upward speed that a touch of the ground gives back.
    float kept COSM_FIELD(min = 0, max = 1);
} Bounce;

// Lies on the ground and does not move.
COSM_TAG(Resting);

#endif
