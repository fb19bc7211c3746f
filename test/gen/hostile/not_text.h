// Texts that are none.
#include <cosm/mark.h>
typedef struct COSM_COMPONENT(name = Body) A {
    float mass COSM_FIELD(unit = kg);
    float size COSM_FIELD(unit = "m" 5);
    float time COSM_FIELD(unit = "\q");
} A;
typedef struct COSM_COMPONENT(name = "") B { int x; } B;
