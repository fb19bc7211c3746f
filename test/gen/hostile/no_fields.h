// Structs without fields, as a component and within one.
#include <cosm/mark.h>
struct Nothing {};
typedef struct COSM_COMPONENT() Empty {
} Empty;
typedef struct COSM_COMPONENT() Holder {
    struct Nothing nothing;
    struct Nothing many[1000000000];
} Holder;
