// Ranges that hold nothing, and ranges of what is no number.
#include <cosm/mark.h>
#include <stdbool.h>
#include <cosm/types.h>
typedef enum Color { RED, GREEN } Color;
typedef struct COSM_COMPONENT() A {
    float reversed COSM_FIELD(min = 5, max = 2);
    float same COSM_FIELD(min = 1, max = 1);
    unsigned below COSM_FIELD(max = 0);
    bool flag COSM_FIELD(min = 0);
    char name[8] COSM_FIELD(unit = "m");
    cosm_entity target COSM_FIELD(max = 5);
    Color color COSM_FIELD(min = 0, max = 1);
    float start COSM_FIELD(min = 0, max = 1, default = 2);
    float text COSM_FIELD(min = "a");
} A;
