// Enums: inside a struct, without a name, negative, of bits, with many bits, with equal values.
#include <cosm/mark.h>
#include <stdint.h>
typedef enum { IDLE, BUSY = 5, ALSO_BUSY = 5 } State;
enum Sign { MINUS = -1, NONE = 0, PLUS = 1 };
typedef enum COSM_MASK() Wings { WING_LEFT = 1 << 0, WING_RIGHT = 1u << 1 } Wings;
enum { LOOSE_ONE = 1, LOOSE_TWO };
typedef struct COSM_COMPONENT(layout = split) Bird {
    State state COSM_FIELD(default = BUSY);
    enum Sign sign COSM_FIELD(default = MINUS);
    Wings wings COSM_FIELD(default = WING_LEFT | WING_RIGHT);
    enum { INNER_A, INNER_B } inner;
    enum Local { LOCAL_A = -7, LOCAL_B } local COSM_FIELD(default = LOCAL_B);
    uint8_t small COSM_FIELD(labels = State);
    uint8_t several COSM_FIELD(mask = State);
    uint16_t mask COSM_FIELD(mask = Wings);
    enum Sign pair[2] COSM_FIELD(default = {PLUS, MINUS});
} Bird;
