// Marks in unusual places that still mean one struct: behind the body, before the struct's body is
// known, and with other attributes around them.
#include <cosm/mark.h>
#include <stdalign.h>
typedef struct After { int x; } COSM_COMPONENT() After;
struct COSM_COMPONENT() Late;
struct Late { int y COSM_FIELD(unit = "m"); };
typedef struct __attribute__((aligned(32))) COSM_COMPONENT() __attribute__((may_alias)) Among {
    COSM_FIELD(unit = "s") float first;
    alignas(16) float second COSM_FIELD(min = 1) ;
} Among;
