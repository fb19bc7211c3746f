// Padding that is not there, and padding that is no number of bytes.
#include <cosm/mark.h>
#include <stdint.h>
struct Point { float x, y; };
typedef struct COSM_COMPONENT() A {
    uint8_t kind COSM_FIELD(padding = 4);
    uint32_t value COSM_FIELD(padding = -1);
    uint32_t last COSM_FIELD(padding = 2);
    struct Point point COSM_FIELD(padding = 8);
} A;
