// Components with one name.
#include <cosm/mark.h>
typedef struct COSM_COMPONENT() Health { int points; } Health;
typedef struct COSM_COMPONENT(name = "Health") Life { int points; } Life;
typedef struct COSM_SINGLETON(name = "Health") Doctor { int points; } Doctor;
COSM_TAG(Frozen);
COSM_TAG(Frozen);
