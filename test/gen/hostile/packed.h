// Packed structs lay fields where the machine does not expect them.
#include <cosm/mark.h>
#include <stdint.h>
struct __attribute__((packed)) Odd { uint8_t kind; uint32_t value; };
typedef struct COSM_COMPONENT() Wire {
    uint32_t length;
    struct Odd odd;
} Wire;
typedef struct __attribute__((packed)) COSM_COMPONENT() Tight {
    double first;
} Tight;
