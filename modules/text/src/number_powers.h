// Powers of ten to 128 bits, for reading and writing floats.
//
// The table itself is made by powers.py, which also checks the logarithms below.
#ifndef COSM_TEXT_NUMBER_POWERS_H
#define COSM_TEXT_NUMBER_POWERS_H

#include <stdint.h>

// Reading needs 10^-342 (below it, 19 digits are nothing) to 10^308; writing 10^-292 to 10^324.
#define NUMBER_POWER_MIN (-342)
#define NUMBER_POWER_MAX 324
#define NUMBER_POWER_READ_MAX 308
#define NUMBER_POWER_COUNT (NUMBER_POWER_MAX - NUMBER_POWER_MIN + 1)

// Powers from 10^0 to here are exact: 5^55 has 128 bits.
#define NUMBER_POWER_EXACT_MAX 55

// 10^power = (high * 2^64 + low) * 2^(log2 - 127), rounded up in the last bit where it is not
// exact, with the top bit set. log2 is number_log2_power(power).
struct number_power {
    uint64_t high;
    uint64_t low;
};

extern const struct number_power cosmi_text_powers[NUMBER_POWER_COUNT];

static inline struct number_power number_power(int32_t power) {
    return cosmi_text_powers[power - NUMBER_POWER_MIN];
}

// floor(log2(10^power)). Shifting right rounds down, also below zero: every compiler we know.
static inline int32_t number_log2_power(int32_t power) {
    return (power * 1741647) >> 19;
}

// floor(log10(2^binary)), or with `is_less` floor(log10(3/4 * 2^binary)); binary: -1074 to 971.
static inline int32_t number_log10_binary(int32_t binary, _Bool is_less) {
    return (binary * 1262611 - (is_less ? 524031 : 0)) >> 22;
}

#endif
