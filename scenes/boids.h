// The components and singletons of the scene boids that are its own.
#ifndef SCENES_BOIDS_H
#define SCENES_BOIDS_H

#include <cosm/mark.h>
#include <stdint.h>

#define BOIDS_COUNT 64u // boids of one world
#define BOIDS_CELL_SIDE 8u
#define BOIDS_CELL_COUNT (BOIDS_CELL_SIDE * BOIDS_CELL_SIDE)

typedef struct COSM_COMPONENT() Acceleration {
    float x COSM_FIELD(unit = "m/s2");
    float y COSM_FIELD(unit = "m/s2");
} Acceleration;

// Which boids are in which cell of the box: see boids.c.
typedef struct COSM_SINGLETON() Bins {
    uint16_t start[BOIDS_CELL_COUNT + 1] COSM_FIELD(min = 0, max = BOIDS_COUNT, strict = true);
    uint16_t rows[BOIDS_COUNT] COSM_FIELD(min = 0, max = BOIDS_COUNT - 1, strict = true);
} Bins;

#endif
