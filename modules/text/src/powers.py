#!/usr/bin/env python3
"""Writes number_powers.c: powers of ten to 128 bits, rounded up.

    python3 powers.py > number_powers.c

The bounds are those of number_powers.h, and so are the two short formulas for logarithms, which
are checked here for every argument they get.
"""

FIRST, LAST = -342, 324  # NUMBER_POWER_MIN, NUMBER_POWER_MAX


def log2_of_power(power):
    """The largest e with 2^e <= 10^power."""
    if power >= 0:
        return (10**power).bit_length() - 1
    return -(10**-power).bit_length()


def rounded_up(power):
    """10^power / 2^(log2 - 127), rounded up: an integer of 128 bits."""
    shift = 127 - log2_of_power(power)
    numerator, denominator = (10**power, 1) if power >= 0 else (1, 10**-power)
    if shift >= 0:
        numerator <<= shift
    else:
        denominator <<= -shift
    return -(-numerator // denominator)


def log10_floor(binary, quarters):
    """The largest k with 10^k <= quarters / 4 * 2^binary."""
    numerator, denominator = quarters << max(binary, 0), 4 << max(-binary, 0)
    k = -400
    while True:
        k += 1
        up, down = 10 ** max(k, 0), 10 ** max(-k, 0)
        if up * denominator > numerator * down:
            return k - 1


def check_formulas():
    for power in range(FIRST, LAST + 1):
        assert log2_of_power(power) == (power * 1741647) >> 19
    for binary in range(-1074, 972):
        assert log10_floor(binary, 4) == (binary * 1262611) >> 22
        assert log10_floor(binary, 3) == (binary * 1262611 - 524031) >> 22


def main():
    check_formulas()
    print("// Powers of ten to 128 bits, rounded up. Written by powers.py; do not edit.")
    print('#include "number_powers.h"')
    print()
    print("// clang-format off")
    print("const struct number_power cosmi_text_powers[NUMBER_POWER_COUNT] = {")
    for power in range(FIRST, LAST + 1):
        value = rounded_up(power)
        assert 1 << 127 <= value < 1 << 128
        high, low = value >> 64, value & ((1 << 64) - 1)
        print(f"    {{0x{high:016X}u, 0x{low:016X}u}}, // 10^{power}")
    print("};")
    print("// clang-format on")


main()
