// A header that includes itself, has functions, asserts and pragmas, and is included once.
#pragma once
#include "fine_guard.h"
#include <cosm/mark.h>
#include <stddef.h>
#include <stdint.h>
#pragma GCC diagnostic push
#define SIDES 6
#ifdef __cplusplus
extern "C" {
#endif
typedef struct COSM_COMPONENT() Dice {
    uint8_t faces[SIDES];
#if SIDES > 6
    uint8_t more[SIDES - 6];
#endif
#ifdef COSM_GEN
    // seen by the generator and by the compiler alike, or the checks would not hold
#endif
    size_t thrown;
} Dice;
static inline int dice_first(const Dice *dice) { return dice->faces[0]; }
#ifdef __cplusplus
}
#else
_Static_assert(sizeof(Dice) >= SIDES, "room for all sides");
#endif
#pragma GCC diagnostic pop
