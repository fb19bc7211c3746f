// Included by hostile headers: a component of its own.
#include <cosm/mark.h>
typedef struct COSM_COMPONENT() Marked { int x; } Marked;
