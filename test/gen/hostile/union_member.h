// Unions: as a field, without a name, and deep inside.
#include <cosm/mark.h>
union Either { int i; float f; };
struct Inner { union Either either; };
typedef struct COSM_COMPONENT() Variant {
    int kind;
    union Either value;
    union { int a; float b; };
    struct Inner inner[3];
} Variant;
