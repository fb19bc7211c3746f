// Exact comparison of a number's text with a binary value: integers of up to 3072 bits.
//
// Both sides are made integers by multiplying them with powers of two and five, and then compared.
#include "number_exact.h"

#include <assert.h>

__extension__ typedef unsigned __int128 uint128;

// Digits that are looked at one by one. The longest value halfway between two doubles has 768; of
// what follows behind, all that matters is whether it is zero.
#define KEPT_MAX 800

// 800 digits are 2658 bits. The other side is a factor of up to 64 bits times 5^(800 + 342), which
// are 2652; whichever side then gets powers of two ends up as long as the other is.
#define LIMB_MAX 48

// limbs[0] is the lowest; limbs[count - 1] is not zero.
struct big {
    uint32_t count;
    uint64_t limbs[LIMB_MAX];
};

static void push(struct big *big, uint64_t limb) {
    if (limb != 0) {
        assert(big->count < LIMB_MAX && "the two sides are about equal");
        big->limbs[big->count++] = limb;
    }
}

static void multiply_add(struct big *big, uint64_t factor, uint64_t summand) {
    uint64_t carry = summand;
    for (uint32_t i = 0; i < big->count; i++) {
        uint128 product = (uint128)big->limbs[i] * factor + carry;
        big->limbs[i] = (uint64_t)product;
        carry = (uint64_t)(product >> 64);
    }
    push(big, carry);
}

static void multiply_power_of_five(struct big *big, int32_t power) {
    for (; power >= 27; power -= 27) {
        multiply_add(big, 7450580596923828125u, 0);
    }
    uint64_t rest = 1;
    for (; power > 0; power--) {
        rest *= 5u;
    }
    multiply_add(big, rest, 0);
}

static void shift_left(struct big *big, int32_t bits) {
    uint32_t limbs = (uint32_t)bits / 64u;
    multiply_add(big, (uint64_t)1 << bits % 64, 0);
    assert(big->count + limbs <= LIMB_MAX && "the two sides are about equal");
    for (uint32_t i = big->count; i-- > 0;) {
        big->limbs[i + limbs] = big->limbs[i];
    }
    for (uint32_t i = 0; i < limbs; i++) {
        big->limbs[i] = 0;
    }
    big->count += limbs;
}

static int compare(const struct big *a, const struct big *b) {
    if (a->count != b->count) {
        return a->count < b->count ? -1 : 1;
    }
    for (uint32_t i = a->count; i-- > 0;) {
        if (a->limbs[i] != b->limbs[i]) {
            return a->limbs[i] < b->limbs[i] ? -1 : 1;
        }
    }
    return 0;
}

// The first digits of a number as an integer, from the first that is not zero; *out_kept is how
// many. The result is whether one of those that follow is not zero.
static bool read_digits(const struct number *number, struct big *out_big, int32_t *out_kept) {
    uint64_t chunk = 0;
    uint64_t unit = 1;
    int32_t kept = 0;
    out_big->count = 0;
    const char *end = number->digits + number->length;
    const char *at = number->digits;
    for (; at < end && *at != 'e' && *at != 'E' && kept < KEPT_MAX; at++) {
        if (*at < '0' || (*at == '0' && kept == 0)) {
            continue; // the sign, the point, zeros that lead
        }
        chunk = chunk * 10u + (uint64_t)(*at - '0');
        unit *= 10u;
        kept++;
        if (unit == 10000000000000000000u) {
            multiply_add(out_big, unit, chunk);
            chunk = 0;
            unit = 1;
        }
    }
    multiply_add(out_big, unit, chunk);
    *out_kept = kept;
    bool is_more = false;
    for (; at < end && *at != 'e' && *at != 'E' && !is_more; at++) {
        is_more = *at > '0';
    }
    return is_more;
}

int cosmi_text_number_compare(const struct number *number, uint64_t factor, int32_t exponent) {
    struct big left;
    struct big right = {.count = 1, .limbs = {factor}};
    int32_t kept;
    bool is_more = read_digits(number, &left, &kept);
    int32_t power =
        number->exponent - (kept > NUMBER_MANTISSA_DIGITS ? kept - NUMBER_MANTISSA_DIGITS : 0);
    if (power >= 0) {
        multiply_power_of_five(&left, power);
    } else {
        multiply_power_of_five(&right, -power);
    }
    if (power >= exponent) {
        shift_left(&left, power - exponent);
    } else {
        shift_left(&right, exponent - power);
    }
    int order = compare(&left, &right);
    // A value halfway between two floats has fewer digits than were kept: where they are less than
    // it, what follows does not make up for that.
    return order == 0 && is_more ? 1 : order;
}
