// Types that are called as generated functions call their parameters.
#include <cosm/mark.h>
typedef struct COSM_COMPONENT() world { int x; } world;
struct COSM_COMPONENT() entity { int x; };
typedef struct COSM_COMPONENT() component { int x; } component;
typedef struct COSM_COMPONENT() done { int x; } done;
typedef struct COSM_COMPONENT() out_value { int x; } out_value;
