// What code fragments in the manual may take for granted.
//
// A fragment is compiled after this file, so that pages can speak of "engine" or "Position"
// without saying where they come from each time.
#include <cosm/cosm.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Position {
    float x, y;
} Position;

typedef struct Velocity {
    float x, y;
} Velocity;

typedef struct Health {
    uint32_t points;
} Health;

// What has been defined and made; each name is the type in small letters.
extern cosm_engine *engine;
extern cosm_batch *batch;
extern cosm_world world;
extern cosm_component position, velocity, health, burning;
extern cosm_archetype archetype, ship, rock, hit;
extern cosm_query *query, *movers;
extern cosm_commands *commands;
extern cosm_entity entity, target;
extern cosm_result result;
