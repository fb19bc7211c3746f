// The smallest use: two components, one of them split, a tag and a singleton.
#ifndef BODIES_H
#define BODIES_H

#include <cosm/mark.h>

// Where it is.
typedef struct COSM_COMPONENT() Position {
    float x, y, z; // from the origin
} Position;

typedef struct COSM_COMPONENT(layout = split) Velocity {
    float x, y, z COSM_FIELD(unit = "m/s");
} Velocity;

// Does not move.
COSM_TAG(Frozen);

typedef struct COSM_SINGLETON() Ground {
    float height COSM_FIELD(default = -1.5); // of the floor
} Ground;

#endif
