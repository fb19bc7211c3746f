// The components and singletons of the scene grid.
#ifndef SCENES_GRID_H
#define SCENES_GRID_H

#include <cosm/mark.h>
#include <cosm/types.h>

#define GRID_SIDE 16u
#define GRID_CELL_COUNT (GRID_SIDE * GRID_SIDE)
#define GRID_ENERGY_MAX 1000000000
#define GRID_ENERGY_FOOD 5 // what a bite gives

// What is on a cell.
typedef enum Tile { CELL_EMPTY, CELL_WALL, CELL_FOOD, CELL_AGENT } Tile;

// The four ways there are, in the order in which one turns.
typedef enum Way { WAY_EAST, WAY_SOUTH, WAY_WEST, WAY_NORTH } Way;

typedef struct COSM_COMPONENT() Cell {
    // y * GRID_SIDE + x
    uint32_t index COSM_FIELD(min = 0, max = GRID_CELL_COUNT - 1, strict = true);
} Cell;

typedef struct COSM_COMPONENT() Energy {
    // Within this, a step's energy more or less does not overflow.
    int32_t left COSM_FIELD(min = -GRID_ENERGY_MAX, max = GRID_ENERGY_MAX, strict = true);
} Energy;

typedef struct COSM_COMPONENT() Heading {
    uint32_t way COSM_FIELD(labels = Way, strict = true);
} Heading;

typedef struct COSM_COMPONENT() Season {
    uint32_t day; // steps since the season began
    uint32_t count;
} Season;

// An agent has eaten: lasts until the end of the step.
typedef struct COSM_COMPONENT() Bite {
    cosm_entity eater;
    int32_t energy COSM_FIELD(min = 0, max = GRID_ENERGY_FOOD, strict = true);
} Bite;

// Food.
COSM_TAG(Edible);

// What is on each cell of a world. The border is wall, so that nothing looks past it.
typedef struct COSM_SINGLETON() Ground {
    uint8_t cells[GRID_CELL_COUNT] COSM_FIELD(labels = Tile);
} Ground;

// How a world has fared so far.
typedef struct COSM_SINGLETON() Tally {
    uint32_t agents; // alive, counting those that commands are about to spawn
    uint32_t food;   // likewise
    uint32_t eaten;  // all three since the beginning
    uint32_t born;
    uint32_t starved;
} Tally;

#endif
