// A mark in the body of a function and errors in a row: each is told once.
#include <cosm/mark.h>
struct Bad { int *p; };
struct Worse { struct Bad bad[5]; };
typedef struct COSM_COMPONENT() A { struct Worse worse[5]; } A;
typedef struct COSM_COMPONENT() B { struct Worse worse; struct Bad bad; } B;
