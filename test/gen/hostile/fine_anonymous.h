// Anonymous structs, in structs and in each other. (c only: C++17 has none)
#include <cosm/mark.h>
#include <stdint.h>
typedef struct COSM_COMPONENT(default = {{{1}, 2}, .d = 4}) Layers {
    struct {
        struct { int32_t a; };
        int32_t b;
    };
    struct { int32_t c COSM_FIELD(unit = "m"); } named;
    int32_t d;
} Layers;
