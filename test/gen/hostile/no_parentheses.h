// Marks without their parentheses.
#include <cosm/mark.h>
struct COSM_COMPONENT First { int x; };
typedef struct COSM_SINGLETON Second { int x; } Second;
struct Third { int x COSM_FIELD; };
COSM_TAG Fourth;
