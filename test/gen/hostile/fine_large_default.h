// A default of a few fields beside a large array: only what is named is looked at.
#include <cosm/mark.h>
typedef struct COSM_COMPONENT(default = {.seed = 5, .size[1] = 2}) Terrain {
    int seed;
    int size[2];
    float heights[512][512];
} Terrain;
