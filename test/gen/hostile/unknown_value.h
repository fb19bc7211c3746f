// Values that are not there.
#include <cosm/mark.h>
typedef struct COSM_COMPONENT(layout = splitt, storage = colum) A { int x; } A;
typedef struct COSM_COMPONENT(layout = diagonal, storage = shared) B { int x; } B;
typedef struct COSM_COMPONENT(layout = "split", storage = managed) C { int x; } C;
typedef struct COSM_COMPONENT(layout = struct, storage = sector) D { int x; } D;
