// Bit-fields, with a name and without one.
#include <cosm/mark.h>
typedef struct COSM_COMPONENT() Switches {
    unsigned on : 1;
    unsigned : 3;
    unsigned level : 4;
    float volts;
} Switches;
