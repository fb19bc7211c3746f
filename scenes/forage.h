// The components and singletons of the environment forage: agents on a grid that look for food.
#ifndef SCENES_FORAGE_H
#define SCENES_FORAGE_H

#include <cosm/mark.h>
#include <cosm/types.h>

#define FORAGE_SIDE 10u // cells of a world in each direction, with the wall around it
#define FORAGE_CELL_COUNT (FORAGE_SIDE * FORAGE_SIDE)
#define FORAGE_AGENT_MAX 8u
#define FORAGE_FOOD_MAX 24u
#define FORAGE_WALL_COUNT 8u // inside; 64 cells hold these, all agents and all food
#define FORAGE_ENERGY_START 20
#define FORAGE_ENERGY_FOOD 10
#define FORAGE_ENERGY_SPLIT 40 // an agent this rich splits in two
#define FORAGE_ENERGY_MAX 60   // an agent that has this much gains nothing by eating
#define FORAGE_STEP_LIMIT 200u

// What is on a cell.
typedef enum ForageTile { FORAGE_EMPTY, FORAGE_WALL, FORAGE_FOOD, FORAGE_AGENT } ForageTile;

// What an agent may do.
typedef enum ForageMove {
    FORAGE_STAY,
    FORAGE_EAST,
    FORAGE_SOUTH,
    FORAGE_WEST,
    FORAGE_NORTH,
    FORAGE_MOVE_COUNT
} ForageMove;

// Where an agent is. No two are on one cell.
typedef struct COSM_COMPONENT() ForagePlace {
    // y * FORAGE_SIDE + x
    uint32_t cell COSM_FIELD(min = 0, max = FORAGE_CELL_COUNT - 1, strict = true);
} ForagePlace;

// One less with every step. An agent that has none left has starved.
typedef struct COSM_COMPONENT() ForageEnergy {
    int32_t left COSM_FIELD(min = 0, max = FORAGE_ENERGY_MAX, strict = true);
} ForageEnergy;

// A move that is not allowed counts as staying.
typedef struct COSM_COMPONENT() ForageAction {
    int32_t move COSM_FIELD(min = 0, max = 4);
} ForageAction;

// One for food, minus one for starving.
typedef struct COSM_COMPONENT() ForageReward {
    float value;
} ForageReward;

// It has starved. Its row stays until the beginning of the next step.
typedef struct COSM_COMPONENT() ForageTerminated {
    bool is_so COSM_FIELD(strict = true);
} ForageTerminated;

// Which moves are allowed: those to cells with neither a wall nor another agent.
typedef struct COSM_COMPONENT() ForageMask {
    uint8_t allowed[5] COSM_FIELD(min = 0, max = 1);
} ForageMask;

// The cells around an agent, itself in the middle; beyond the border all is wall.
typedef struct COSM_COMPONENT() ForageWindow {
    uint8_t cells[5][5] COSM_FIELD(min = 0, max = 3); // rows from north to south; ForageTile
} ForageWindow;

// How an agent itself fares.
typedef struct COSM_COMPONENT() ForageSelf {
    float energy COSM_FIELD(min = 0, max = 1); // of FORAGE_ENERGY_MAX
    float crowd COSM_FIELD(min = 0, max = 1);  // agents in the world, of FORAGE_AGENT_MAX
} ForageSelf;

// What a world is to be like. Looked at when an episode begins, but for `births`.
typedef struct COSM_SINGLETON() ForageRules {
    uint32_t agents COSM_FIELD(min = 1, max = FORAGE_AGENT_MAX, default = 4); // to begin with
    uint32_t food COSM_FIELD(min = 0, max = FORAGE_FOOD_MAX, default = 10);   // that there may be
    uint32_t births COSM_FIELD(min = 0, max = 1, default = 1); // zero: rich agents do not split
} ForageRules;

// What is on each cell of a world. The border is wall.
typedef struct COSM_SINGLETON() ForageGround {
    uint8_t cells[FORAGE_CELL_COUNT] COSM_FIELD(labels = ForageTile);
} ForageGround;

// How the episode has gone so far.
typedef struct COSM_SINGLETON() ForageTally {
    uint32_t food_max; // what ForageRules said when it began
    uint32_t food;     // on the ground now: sown less eaten
    uint32_t sown;
    uint32_t eaten;
    uint32_t born;
    uint32_t starved;
} ForageTally;

// The slots of its exports, of agents and of worlds.
enum {
    FORAGE_SLOT_WINDOW,     // "window": u8 [worlds, 8, 5, 5]
    FORAGE_SLOT_SELF,       // "self": f32 [worlds, 8, 2]
    FORAGE_SLOT_ACTION,     // "action": i32 [worlds, 8]
    FORAGE_SLOT_MASK,       // "action_mask": u8 [worlds, 8, 5]
    FORAGE_SLOT_REWARD,     // "reward": f32 [worlds, 8]
    FORAGE_SLOT_TERMINATED, // "terminated": bool [worlds, 8]
    FORAGE_SLOT_AGENT_ID,   // "agent_id": u32 [worlds, 8, 2]: generation and id
    FORAGE_SLOT_AGENTS,     // "agents", "food", "births": u32 [worlds]
    FORAGE_SLOT_FOOD,
    FORAGE_SLOT_BIRTHS,
    FORAGE_SLOT_EATEN, // "eaten", "born", "starved": u32 [worlds]
    FORAGE_SLOT_BORN,
    FORAGE_SLOT_STARVED,
};

#endif
