// Numbers that the fields of a component cannot be.
#include <cosm/mark.h>
typedef float quad __attribute__((vector_size(16)));
typedef struct COSM_COMPONENT() Odd {
    long double wide;
    __int128 huge;
    unsigned __int128 huger[2];
    float _Complex wave;
    quad lanes;
    _Bool fine;
} Odd;
