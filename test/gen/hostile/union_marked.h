// A union that is marked as a component.
#include <cosm/mark.h>
union COSM_COMPONENT() Either {
    int i;
    float f;
};
