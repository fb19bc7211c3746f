// What is strict and has no bounds, or cannot have any.
#include <cosm/mark.h>
#include <cosm/types.h>
typedef struct Vec { float x, y COSM_FIELD(min = 0, max = 1); } Vec;
typedef struct COSM_COMPONENT() A {
    uint32_t index COSM_FIELD(strict = true);
    char name[8] COSM_FIELD(strict = true);
    cosm_entity target COSM_FIELD(strict = true);
    Vec place COSM_FIELD(strict = true);
    uint8_t maybe COSM_FIELD(max = 5, strict = yes);
} A;
