// What is deprecated, and described all the same.
#include <cosm/mark.h>
typedef enum Mood { CALM, ANGRY __attribute__((deprecated)) } Mood;
typedef struct COSM_COMPONENT() Body {
    float now;
    float before __attribute__((deprecated("use now"))) COSM_FIELD(default = 2);
    Mood mood;
} Body;
