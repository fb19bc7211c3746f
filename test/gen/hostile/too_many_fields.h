// An array of structs that is more than a component may hold.
#include <cosm/mark.h>
struct Cell { int a, b, c; };
typedef struct COSM_COMPONENT() Board {
    struct Cell cells[1000][4];
    int more;
} Board;
