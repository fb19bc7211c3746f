// Errors of the header itself, all of them.
#include <cosm/mark.h>
typedef struct COSM_COMPONENT() Broken {
    flaot x;
    int y
} Broken;
typedef struct COSM_COMPONENT() Broken { int again; } Broken;
