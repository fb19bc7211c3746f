// Included by hostile headers: parts that are no components by themselves.
#include <cosm/mark.h>
enum Gear { GEAR_BACK = -1, GEAR_NONE, GEAR_FIRST };
struct Wheel {
    float radius COSM_FIELD(unit = "m", min = 0, default = 0.3); // to the rim
    float pressure[2] COSM_FIELD(default = {2.5});
};
