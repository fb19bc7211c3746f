// Options that are not there, nearly right ones and wild ones.
#include <cosm/mark.h>
typedef struct COSM_COMPONENT(laout = split, flavour = sweet) Body {
    float mass COSM_FIELD(units = "kg", mni = 0, colour = "red");
} Body;
typedef struct COSM_SINGLETON(layout = split) Ground { float height; } Ground;
enum COSM_MASK() Flags { FLAG = 1 };
