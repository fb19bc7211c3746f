// Small arithmetic on powers of two.
#ifndef COSM_BASE_BITS_H
#define COSM_BASE_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline bool is_power_of_two(size_t value) {
    return value != 0 && (value & (value - 1)) == 0;
}

// `alignment` is a power of two.
static inline size_t align_up(size_t value, size_t alignment) {
    return (value + alignment - 1) & ~(alignment - 1);
}

// The smallest power of two that is at least `value`; 1 for 0.
static inline size_t power_of_two_ceil(size_t value) {
    size_t power = 1;
    while (power < value) {
        power <<= 1;
    }
    return power;
}

// The largest power of two that is at most `value`, which is not 0.
static inline size_t power_of_two_floor(size_t value) {
    size_t power = 1;
    while (power <= value / 2) {
        power <<= 1;
    }
    return power;
}

static inline uint32_t log2_of(size_t power) {
    uint32_t log = 0;
    while (power > 1) {
        power >>= 1;
        log++;
    }
    return log;
}

#endif
