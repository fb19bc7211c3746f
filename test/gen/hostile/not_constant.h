// Values that only a running program knows.
#include <cosm/mark.h>
extern int chance(void);
extern const float heights[4];
typedef struct COSM_COMPONENT(default = {chance()}) Dice { int face; } Dice;
typedef struct COSM_COMPONENT() Hill {
    float height COSM_FIELD(default = heights[2]);
    float steep COSM_FIELD(min = chance(), max = 10);
} Hill;
