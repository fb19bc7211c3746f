// An array with more dimensions than a field may have, and one of typedefs.
#include <cosm/mark.h>
typedef int grid[3][4];
typedef struct COSM_COMPONENT() Space {
    int five[1][2][3][4][5];
    grid grids[2][2][2];
    grid fine[2][2];
} Space;
