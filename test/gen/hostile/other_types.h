// Types that C compilers have and components do not.
#include <cosm/mark.h>
typedef struct COSM_COMPONENT() Newest {
    _BitInt(7) seven;
    __typeof__(int *) hidden;
    __typeof__(1.0f) fine;
} Newest;
