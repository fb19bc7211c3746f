// Declarations that get the mark of an earlier one, and marks from macros. (c only)
#include <cosm/mark.h>
COSM_TAG(Frozen);
struct Frozen;
typedef struct Frozen Frozen;
struct Frozen;
struct COSM_COMPONENT() Twice;
struct Twice { int x; };
struct Twice;
#define FIELD(type, name, ...) type name __VA_ARGS__;
#define KEEP(...) __VA_ARGS__
#define MINE COSM_COMPONENT()
typedef struct KEEP(COSM_COMPONENT()) Made {
    FIELD(float, x, COSM_FIELD(unit = "m"))
    KEEP(KEEP(int y COSM_FIELD(unit = "s"));)
    struct { int z COSM_FIELD(min = 1); };
} Made;
struct MINE Own { int x; };
