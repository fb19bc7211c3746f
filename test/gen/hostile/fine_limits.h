// As many fields, dimensions and letters as are allowed.
#include <cosm/mark.h>
struct Cell { int a; char b[1][2][3][4]; };
typedef struct COSM_COMPONENT() Board {
    struct Cell cells[8][8][8];
} Board;
typedef struct COSM_COMPONENT(name = "a name of as many letters as a name may have, which are one hundred and twenty-seven of them, blanks and signs counted as well") Long {
    int x;
} Long;
