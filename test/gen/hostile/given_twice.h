// Options and marks that are given twice.
#include <cosm/mark.h>
typedef struct COSM_COMPONENT(layout = split, name = "b", layout = struct) Body {
    float mass COSM_FIELD(unit = "kg", unit = "g");
    float size COSM_FIELD(unit = "m") COSM_FIELD(min = 0);
} Body;
typedef struct COSM_COMPONENT() COSM_SINGLETON() Both { int x; } Both;
