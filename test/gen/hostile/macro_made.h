// Fields and structs that macros make, one of them wrong: the error stands at the macro's use.
#include <cosm/mark.h>
#define FIELD(type, name) type name;
#define BODY(Name) typedef struct COSM_COMPONENT(layuot = split) Name { FIELD(float, x) FIELD(int *, p) } Name
BODY(Made);
