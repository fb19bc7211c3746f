// Packed without harm, padded on purpose, aligned by hand.
#include <cosm/mark.h>
#include <stdint.h>
typedef struct __attribute__((packed)) COSM_COMPONENT() Bytes {
    uint8_t a;
    int8_t b[3];
    char text[5];
} Bytes;
typedef struct COSM_COMPONENT() Padded {
    uint8_t kind COSM_FIELD(padding = 3);
    uint32_t value;
    uint16_t last COSM_FIELD(padding = sizeof(uint16_t));
} Padded;
typedef int loose __attribute__((aligned(2)));
typedef struct COSM_COMPONENT() Half {
    uint16_t first;
    loose second;
} Half;
