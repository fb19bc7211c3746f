// More bytes, and a coarser alignment, than a component may have.
#include <cosm/mark.h>
typedef struct COSM_COMPONENT() Image {
    unsigned char pixels[16 << 20];
    int extra;
} Image;
typedef struct COSM_COMPONENT() Page {
    _Alignas(8192) int first;
} Page;
