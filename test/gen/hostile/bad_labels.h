// Labels from nowhere, for what is no integer, and too large ones.
#include <cosm/mark.h>
#include <stdint.h>
enum Large { SMALL = 1, LARGE = 256 };
enum Negative { MINUS = -1, PLUS = 1 };
struct Point { float x, y; };
typedef struct COSM_COMPONENT() A {
    uint32_t unknown COSM_FIELD(labels = Nowhere);
    float number COSM_FIELD(mask = Large);
    uint8_t narrow COSM_FIELD(mask = Large);
    uint32_t sign COSM_FIELD(labels = Negative);
    uint32_t both COSM_FIELD(labels = Large, mask = Large);
    struct Point point COSM_FIELD(labels = Large);
} A;
