// Types that are called as generated functions call their parameters.
#include <cosm/mark.h>
typedef struct COSM_COMPONENT() world { int x; } world;
struct COSM_COMPONENT() entity { int x; };
