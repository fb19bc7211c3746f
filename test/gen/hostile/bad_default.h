// Defaults that cannot be.
#include <cosm/mark.h>
#include <stdint.h>
extern int chance(void);
typedef struct COSM_COMPONENT(default = 5) A { int x; } A;
typedef struct COSM_COMPONENT(default = {.y = 5}) B { int x; } B;
typedef struct COSM_COMPONENT(default = {1, 2, 3}) C { int x, y; } C;
typedef struct COSM_COMPONENT() E {
    int unknown COSM_FIELD(default = NOWHERE);
    int running COSM_FIELD(default = chance());
    uint8_t small COSM_FIELD(default = 300);
    int whole COSM_FIELD(default = 1.5);
    char text[4] COSM_FIELD(default = "too long");
    float number COSM_FIELD(default = "text");
    int list[2] COSM_FIELD(default = {1, 2, 3});
} E;
