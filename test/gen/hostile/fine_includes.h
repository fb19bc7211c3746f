// Nested structs and labels may come from included headers; marks there do not count here.
#include <cosm/mark.h>
#include "include/marked.h"
#include "include/parts.h"
typedef struct COSM_COMPONENT(layout = split) Car {
    Marked marked;
    struct Wheel wheels[4];
    int gear COSM_FIELD(labels = Gear);
} Car;
