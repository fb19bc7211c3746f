// Names of fields that compilers take and the library does not.
#include <cosm/mark.h>
typedef struct Inner { int größe; } Inner;
typedef struct COSM_COMPONENT() Body {
    float höhe;
    int a$b, fine;
    Inner inner;
} Body;
