// Arrays without a size, and of size zero.
#include <cosm/mark.h>
typedef struct COSM_COMPONENT() Packet {
    int none[0];
    int count;
    float data[];
} Packet;
