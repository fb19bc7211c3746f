// Options that are not written as key = value.
#include <cosm/mark.h>
typedef struct COSM_COMPONENT(split) A { int x; } A;
typedef struct COSM_COMPONENT(layout =) B { int x; } B;
typedef struct COSM_COMPONENT(layout = split,) C { int x; } C;
typedef struct COSM_COMPONENT(, layout = split) D { int x; } D;
typedef struct COSM_COMPONENT("name" = 5) E { int x; } E;
typedef struct COSM_COMPONENT(default = {1, 2) F { int x; } F;
typedef struct COSM_COMPONENT(default = {1; 2}) G { int x; } G;
typedef struct COSM_COMPONENT(default = {1]}) H { int x; } H;
