// Options at a field that is a struct hold for all of it, and go before those of its type.
#include <cosm/mark.h>
#include <stdbool.h>
typedef struct Vec { float x COSM_FIELD(unit = "px", default = 9, min = 0), y; bool set; } Vec;
typedef struct Pair { Vec a COSM_FIELD(default = {3, 4}); Vec b; } Pair;
typedef struct COSM_COMPONENT() Move {
    Vec speed COSM_FIELD(unit = "m/s", max = 100);
    Vec start COSM_FIELD(default = {.y = 5});
    Pair pair;
    Pair pairs[2] COSM_FIELD(default = {[1] = {.b = {.x = 7}}});
} Move;
// A default of the whole and others of fields: those of fields are laid over it.
typedef struct Point { float x COSM_FIELD(default = 9), y; } Point;
typedef struct COSM_COMPONENT(default = {1, {2, 3}, {4, 5}, 6}) Whole {
    int a;
    Point b;
    Point c COSM_FIELD(default = {.y = 7});
    int d COSM_FIELD(default = 8);
} Whole;
