// What moves in a plane, in several scenes.
#ifndef SCENES_MOTION_H
#define SCENES_MOTION_H

#include <cosm/mark.h>

// Where something is.
typedef struct COSM_COMPONENT() Position {
    float x COSM_FIELD(unit = "m");
    float y COSM_FIELD(unit = "m");
} Position;

// Where it goes, and how fast.
typedef struct COSM_COMPONENT() Velocity {
    float x COSM_FIELD(unit = "m/s");
    float y COSM_FIELD(unit = "m/s");
} Velocity;

#endif
