// Numbers to text: integers, and floats by the fewest digits that read back as the same value.
//
// A float is c * 2^q, and everything in the interval halfway to its neighbours reads back as it.
// Let 10^k be the power of ten just below 2^q: one step of c is one to ten units of 10^k, so the
// interval holds at least one multiple of 10^k and at most one of 10^(k+1). It is enough to look at
// the two multiples of each on either side of the value. (The idea is Raffaello Giulietti's, who
// calls it Schubfach and proved that 126 bits of 10^k are enough for all comparisons to come out as
// if they were exact.)
#include <assert.h>
#include <string.h>

#include "number.h"
#include "number_eight.h"
#include "number_powers.h"

__extension__ typedef unsigned __int128 uint128;

// The most digits that a double needs; what is shorter is filled up with zeros on the right.
#define DIGIT_MAX 17

// Plain decimals are for 0.000001 up to 999999999999999; beyond, there is an exponent.
#define POINT_MIN (-5)
#define POINT_MAX 15

// A decimal: digits * 10^exponent.
struct decimal {
    uint64_t digits;
    int32_t exponent;
};

static const uint64_t tens[20] = {
    1u,
    10u,
    100u,
    1000u,
    10000u,
    100000u,
    1000000u,
    10000000u,
    100000000u,
    1000000000u,
    10000000000u,
    100000000000u,
    1000000000000u,
    10000000000000u,
    100000000000000u,
    1000000000000000u,
    10000000000000000u,
    100000000000000000u,
    1000000000000000000u,
    10000000000000000000u,
};

// How many digits a number has; zero has one.
static int32_t digit_count(uint64_t value) {
    // 1233 / 4096 is a little more than log10(2): the result is right for up to 64 bits, or one too
    // few, which the comparison shows. No power of ten but 1 is odd, so that | 1 does no harm.
    value |= 1u;
    int32_t bits = 64 - __builtin_clzll(value);
    int32_t guess = (bits * 1233) >> 12;
    return guess + (value >= tens[guess]);
}

// Eight digits as eight bytes of 0 to 9, the first one lowest: halves, then quarters, then digits,
// all lanes at once. The factors are reciprocals of 100 and 10 that are exact for these ranges.
static uint64_t eight_digits(uint32_t value) {
    uint64_t fours = value / 10000u | (uint64_t)(value % 10000u) << 32;
    uint64_t hundreds = (fours * 10486u >> 20) & 0x0000007F0000007Fu;
    uint64_t twos = hundreds | (fours - hundreds * 100u) << 16;
    uint64_t upper = (twos * 103u >> 10) & 0x000F000F000F000Fu;
    return upper | (twos - upper * 10u) << 8;
}

#define ASCII_ZEROS 0x3030303030303030u

size_t cosmi_text_write_u64(uint64_t value, char *out) {
    static const char pairs[] = "00010203040506070809101112131415161718192021222324"
                                "25262728293031323334353637383940414243444546474849"
                                "50515253545556575859606162636465666768697071727374"
                                "75767778798081828384858687888990919293949596979899";
    size_t length = (size_t)digit_count(value);
    char *at = out + length;
    while (value >= 100) {
        at -= 2;
        memcpy(at, pairs + value % 100u * 2u, 2);
        value /= 100u;
    }
    if (value >= 10) {
        memcpy(at - 2, pairs + value * 2u, 2);
    } else {
        at[-1] = (char)('0' + value);
    }
    return length;
}

size_t cosmi_text_write_i64(int64_t value, char *out) {
    if (value >= 0) {
        return cosmi_text_write_u64((uint64_t)value, out);
    }
    *out = '-';
    return 1u + cosmi_text_write_u64(0u - (uint64_t)value, out + 1);
}

// factor * power / 2^128, rounded down, with the last bit set where anything was cut off: compared
// with even numbers it is then as good as the exact product. The power is too large by less than
// one in its last bit, and so the product by less than 2^64: what is exact has nothing in `middle`.
static uint64_t multiply(struct number_power power, uint64_t factor) {
    uint128 low = (uint128)power.low * factor;
    uint128 high = (uint128)power.high * factor + (uint64_t)(low >> 64);
    uint64_t middle = (uint64_t)high;
    return (uint64_t)(high >> 64) | (middle != 0);
}

// The shortest decimal that reads back as c * 2^q, and of those the closest to it. `is_edge`: c is
// the lowest of its binade, so that the neighbour below is only half as far away.
static struct decimal shortest(uint64_t c, int32_t q, bool is_edge) {
    int32_t k = number_log10_binary(q, is_edge);
    struct number_power power = number_power(-k);
    int32_t shift = q + number_log2_power(-k) + 1;

    // All in quarters of 10^k, so that halves are whole and lie between them. The ends of the
    // interval belong to it where c is even, as reading rounds to even.
    uint64_t value = multiply(power, 4u * c << shift);
    uint64_t odd = c & 1u;
    uint64_t low = multiply(power, (4u * c - 2u + is_edge) << shift) + odd;
    uint64_t high = multiply(power, (4u * c + 2u) << shift) - odd;

    // Which of these it is does not depend on anything that a processor could guess: no branches.
    uint64_t below = value / 4u;
    uint64_t middle = 4u * below + 2u;
    bool is_low_in = low <= 4u * below;
    bool is_high_in = 4u * below + 4u <= high;
    bool is_high_nearer = (value > middle) | ((value == middle) & ((below & 1u) != 0));
    bool is_one_in = is_low_in ^ is_high_in;
    uint64_t fine = below + ((is_one_in & is_high_in) | (!is_one_in & is_high_nearer));

    uint64_t ten = below / 10u;
    bool is_ten_in = low <= 40u * ten;
    bool is_next_ten_in = 40u * ten + 40u <= high;
    bool is_coarse = is_ten_in != is_next_ten_in;
    uint64_t mask = 0u - (uint64_t)is_coarse;
    return (struct decimal){
        .digits = ((ten + is_next_ten_in) & mask) | (fine & ~mask),
        .exponent = k + is_coarse,
    };
}

// Writes "e" and a number of up to three digits.
static size_t write_exponent(int32_t exponent, char *out) {
    size_t length = 0;
    out[length++] = 'e';
    if (exponent < 0) {
        out[length++] = '-';
        exponent = -exponent;
    }
    return length + cosmi_text_write_u64((uint64_t)exponent, out + length);
}

// The digits of a decimal from its first on, with zeros behind them up to DIGIT_MAX: one, then
// eight and eight in the order of store_eight, as characters.
struct digits {
    uint64_t first;
    uint64_t middle;
    uint64_t last;
    int32_t count; // without the zeros behind
    int32_t point; // stands behind so many digits; may lie outside of them
};

static struct digits split(struct decimal decimal) {
    struct digits digits = {.last = ASCII_ZEROS, .count = 1};
    int32_t length = digit_count(decimal.digits);
    assert(length <= DIGIT_MAX && "a double needs no more");
    digits.point = length + decimal.exponent;

    // Nine digits are enough for an f32.
    uint64_t upper = decimal.digits * tens[length <= 9 ? 9 - length : DIGIT_MAX - length];
    uint64_t lower = 0;
    if (length > 9) {
        lower = eight_digits((uint32_t)(upper % tens[8]));
        upper /= tens[8];
        digits.last |= lower;
    }
    uint64_t middle = eight_digits((uint32_t)(upper % tens[8]));
    digits.middle = middle | ASCII_ZEROS;
    digits.first = '0' + upper / tens[8];
    if (lower != 0) {
        digits.count = 17 - (__builtin_clzll(lower) >> 3);
    } else if (middle != 0) {
        digits.count = 9 - (__builtin_clzll(middle) >> 3);
    }
    return digits;
}

// All DIGIT_MAX of them, one after the other.
static void store_digits(const struct digits *digits, char *out) {
    out[0] = (char)digits->first;
    store_eight(out + 1, digits->middle);
    store_eight(out + 9, digits->last);
}

// With the point among the digits. Up to the seventh, the point is put into the first eight
// characters before they are stored: to store digits and read them again at once is slow.
static void store_around_point(const struct digits *digits, char *out) {
    int32_t point = digits->point;
    if (point >= 8) {
        char tail[DIGIT_MAX];
        store_digits(digits, out);
        store_digits(digits, tail);
        out[point] = '.';
        memcpy(out + point + 1, tail + point, (size_t)(DIGIT_MAX - point));
        return;
    }
    uint64_t eight = digits->first | digits->middle << 8;
    uint64_t before = ((uint64_t)1 << 8 * point) - 1u;
    uint64_t dot = (uint64_t)'.' << 8 * point;
    store_eight(out, (eight & before) | dot | (eight & ~before) << 8);
    store_eight(out + 8, digits->middle >> 48 | digits->last << 16);
    store_eight(out + 16, digits->last >> 48);
}

static size_t write_decimal(struct decimal decimal, char *out) {
    struct digits digits = split(decimal);
    size_t count = (size_t)digits.count;
    int32_t point = digits.point;
    if (point < POINT_MIN || point > POINT_MAX) {
        store_digits(&digits, out + 1);
        out[0] = out[1];
        out[1] = '.';
        size_t length = count > 1 ? count + 1u : 1u;
        return length + write_exponent(point - 1, out + length);
    }
    if (point <= 0) {
        memcpy(out, "0.000000", 8);
        store_digits(&digits, out + 2 - point);
        return (size_t)(2 - point) + count;
    }
    if (digits.count > point) {
        store_around_point(&digits, out);
        return count + 1u;
    }
    store_digits(&digits, out);
    return (size_t)point;
}

// A float by its parts: `fraction` of `fraction_bits` bits, and the exponent as it is stored;
// `exponent_min` is that of the last bit of the smallest floats.
static size_t write_parts(uint64_t fraction, int32_t fraction_bits, int32_t biased,
                          int32_t exponent_min, char *out) {
    if (biased == 0) {
        return fraction == 0 ? cosmi_text_write_u64(0, out)
                             : write_decimal(shortest(fraction, exponent_min, false), out);
    }
    uint64_t c = fraction | (uint64_t)1 << fraction_bits;
    int32_t q = exponent_min + biased - 1;
    // A whole number this small is its own shortest decimal, but for zeros at its end: no other
    // whole number is as near, and what has a fraction has more digits.
    if (q <= 0 && -q <= fraction_bits) {
        uint64_t whole = c >> -q;
        if (whole << -q == c && whole < tens[POINT_MAX]) {
            return cosmi_text_write_u64(whole, out);
        }
    }
    return write_decimal(shortest(c, q, fraction == 0 && biased > 1), out);
}

size_t cosmi_text_write_f32(float value, char *out) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    int32_t biased = (int32_t)(bits >> 23 & 0xFFu);
    assert(biased != 0xFF && "only finite numbers can be written");
    size_t sign = bits >> 31;
    *out = '-';
    return sign + write_parts(bits & 0x7FFFFFu, 23, biased, -149, out + sign);
}

size_t cosmi_text_write_f64(double value, char *out) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof(bits));
    int32_t biased = (int32_t)(bits >> 52 & 0x7FFu);
    assert(biased != 0x7FF && "only finite numbers can be written");
    size_t sign = bits >> 63;
    *out = '-';
    return sign + write_parts(bits & 0xFFFFFFFFFFFFFu, 52, biased, -1074, out + sign);
}
