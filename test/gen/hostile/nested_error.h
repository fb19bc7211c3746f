// What is wrong lies in an included struct; the note says who uses it.
#include <cosm/mark.h>
#include "include/nested.h"
typedef struct COSM_COMPONENT() Tree {
    struct Branch branches[2][3];
} Tree;
