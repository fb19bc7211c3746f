// An include that is not there.
#include <cosm/mark.h>
#include "not_there.h"
typedef struct COSM_COMPONENT() Position { float x, y; } Position;
