// A field of a type that is not complete: clang's own error.
#include <cosm/mark.h>
struct Unknown;
typedef struct COSM_COMPONENT() Holder {
    struct Unknown unknown;
} Holder;
