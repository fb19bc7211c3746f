// A default of more scalars than are worth writing down.
#include <cosm/mark.h>
typedef struct COSM_COMPONENT(default = {.heights = {{1}}}) Terrain {
    int seed;
    float heights[512][512];
} Terrain;
