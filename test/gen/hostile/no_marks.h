// A header in which nothing is marked.
#include <cosm/mark.h>
typedef struct Position { float x, y; } Position;
