// Fields with qualifiers that a component has no use for.
#include <cosm/mark.h>
typedef const float constant[3];
typedef struct COSM_COMPONENT() Device {
    volatile int port;
    _Atomic int counter;
    const int id;
    constant gains;
} Device;
