// Only the included header marks something: that one has a pair of its own.
#include "include/marked.h"
typedef struct Other { Marked marked; } Other;
