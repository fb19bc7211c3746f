// Marks that clang drops, beside one that counts.
#include <cosm/mark.h>
COSM_COMPONENT() struct First { int x; };
COSM_SINGLETON() struct Second { int x; };
COSM_MASK() enum Third { THIRD };
enum Fourth COSM_MASK();
COSM_TAG(Fifth) { int x; };
COSM_FIELD();
COSM_COMPONENT();
typedef struct COSM_COMPONENT() Good {
    int x;
    COSM_FIELD(unit = "m");
    int COSM_FIELD(unit = "m");
    COSM_COMPONENT() struct Inside { int q; };
} Good;
#define MINE COSM_COMPONENT()
#define KEEP(...) __VA_ARGS__
MINE struct Sixth { int x; };
KEEP(COSM_COMPONENT()) struct Seventh { int x; };
COSM_TAG(Eighth);
struct Eighth { int x; };
