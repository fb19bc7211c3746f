// Marks where they mean nothing.
#include <cosm/mark.h>
COSM_COMPONENT() typedef struct First { int x; } First;
typedef struct Second { int x; } Second COSM_COMPONENT();
typedef struct Third {
    COSM_COMPONENT() int x;
    struct COSM_COMPONENT() Inside { int y; } inside;
} Third;
enum COSM_COMPONENT() Fourth { FOURTH };
struct COSM_MASK() Fifth { int x; };
extern int sixth COSM_FIELD(unit = "m");
static inline int seventh(int x COSM_FIELD()) {
    struct COSM_COMPONENT() Local { int y; } local = {x};
    return local.y;
}
struct COSM_FIELD() Eighth { int x; };
