// Angles far out: the part of base/math.h that is no polynomial.
#include "base/math.h"

// 2 / pi to 256 bits behind the point, and 32 in front of it.
static const uint32_t two_over_pi[9] = {
    0x00000000u, 0xA2F9836Eu, 0x4E441529u, 0xFC2757D1u, 0xF534DDC0u,
    0xDB629599u, 0x3C439041u, 0xFE5163ABu, 0xDEBBC561u,
};

// x = m * 2^e, and of x * 2 / pi only what is below 4 counts. So of the digits of 2 / pi those are
// left out whose product with 2^e is a multiple of 4; 128 of those that follow, times m, give the
// quadrant in two bits and the rest in 126. What was cut off behind them is below 2^24 of the last.
// No float is closer than 2^-32 to a multiple of pi / 2: of its rest 70 bits are right at least.
UNFUSED struct math_angle cosmi_math_reduce_far(uint32_t bits) {
    uint64_t m = (bits & 0x007FFFFFu) | 0x00800000u;
    uint32_t start = (bits >> 23) - 150u + 30u; // e + 30: 32 digits in front, less two
    const uint32_t *word = two_over_pi + (start >> 5);
    uint32_t shift = start & 31u;
    uint32_t digits[4];
    uint64_t product = 0;
    for (int i = 3; i >= 0; i--) {
        uint64_t pair = (uint64_t)word[i] << 32 | word[i + 1];
        product = m * (uint32_t)(pair << shift >> 32) + (product >> 32);
        digits[i] = (uint32_t)product;
    }
    uint64_t high = (uint64_t)digits[0] << 32 | digits[1];
    uint64_t low = (uint64_t)digits[2] << 32 | digits[3];
    struct math_angle angle;
    angle.quadrant = (high + ((uint64_t)1 << 61)) >> 62;
    int64_t rest = (int64_t)(high - (angle.quadrant << 62));
    angle.r = ((double)rest * 0x1p-62 + (double)low * 0x1p-126) * MATH_PI_2;
    return angle;
}
