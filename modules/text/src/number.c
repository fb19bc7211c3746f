// Text to numbers: the syntax, floats with correct rounding, integers.
//
// A float is w * 10^q, of which w are the first 19 digits. Multiplied with 10^q to 128 bits, w
// comes out with an error below 2^-126 of itself, which decides how to round it unless it lies that
// near to halfway between two floats; then the digits are compared with that place exactly
// (number_exact.h). Where digits were cut off, w and w + 1 must agree. All of it is done on
// integers, so that neither the rounding mode nor flushing to zero, which a program may have set,
// matter.
#include "number.h"

#include <string.h>

#include "number_eight.h"
#include "number_exact.h"
#include "number_powers.h"

__extension__ typedef unsigned __int128 uint128;

// Exponents beyond are as good as this one: no number has so many digits that it matters.
#define EXPONENT_MAX 1000000

static bool is_digit(char c) {
    return (unsigned char)(c - '0') <= 9;
}

// Eight digits, as values, to a number: neighbours are joined to twos, fours and eights.
static uint64_t join_digits(uint64_t values) {
    values = values * ((10u << 8) + 1u) >> 8;
    values = (values & 0x00FF00FF00FF00FFu) * ((100u << 16) + 1u) >> 16;
    return (values & 0x0000FFFF0000FFFFu) * (((uint64_t)10000 << 32) + 1u) >> 32;
}

// Passes digits, and puts them behind those of *io_value; with more than 19 in all it wraps around.
static const char *take_digits(const char *at, const char *end, uint64_t *io_value) {
    static const uint32_t tens[8] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000};
    uint64_t value = *io_value;
    while (end - at >= 8) {
        // A digit is then 0 to 9, and below 16 also with 6 added. Carries reach only characters
        // behind one that is no digit.
        uint64_t values = load_eight(at) ^ 0x3030303030303030u;
        uint64_t others = (values | (values + 0x0606060606060606u)) & 0xF0F0F0F0F0F0F0F0u;
        if (others != 0) {
            // How many there are is hard to guess for a processor: no loop. Zeros come before them.
            int count = __builtin_ctzll(others) >> 3;
            *io_value = value * tens[count] + join_digits(values << 8 << (56 - 8 * count));
            return at + count;
        }
        value = value * 100000000u + join_digits(values);
        at += 8;
    }
    while (at < end && is_digit(*at)) {
        value = value * 10u + (uint64_t)(*at - '0');
        at++;
    }
    *io_value = value;
    return at;
}

// Passes the exponent behind its 'e'; NULL where there is none. Stays far from wrapping around, and
// ends up far beyond what any count of digits can make up for.
static const char *take_exponent(const char *at, const char *end, int64_t *out_exponent) {
    bool is_negative = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+')) {
        at++;
    }
    if (at == end || !is_digit(*at)) {
        return NULL;
    }
    int64_t exponent = 0;
    for (; at < end && is_digit(*at); at++) {
        if (exponent < INT64_MAX / 100) {
            exponent = exponent * 10 + (*at - '0');
        }
    }
    *out_exponent = is_negative ? -exponent : exponent;
    return at;
}

// The first 19 digits that count, where there are more; returns how many follow.
static int64_t take_mantissa(const char *at, const char *end, uint64_t *out_mantissa,
                             bool *out_is_cut) {
    uint64_t mantissa = 0;
    int32_t taken = 0;
    int64_t rest = 0;
    bool is_cut = false;
    for (; at < end; at++) {
        if (*at == '.' || (*at == '0' && taken == 0)) {
            continue;
        }
        if (taken < NUMBER_MANTISSA_DIGITS) {
            mantissa = mantissa * 10u + (uint64_t)(*at - '0');
            taken++;
        } else {
            is_cut = is_cut || *at != '0';
            rest++;
        }
    }
    *out_mantissa = mantissa;
    *out_is_cut = is_cut;
    return rest;
}

bool cosmi_text_scan_number(const char *text, const char *end, struct number *out_number) {
    const char *at = text;
    bool is_negative = at < end && *at == '-';
    at += is_negative;
    const char *first = at;
    uint64_t mantissa = 0;
    at = take_digits(at, end, &mantissa);
    int64_t count = at - first;
    if (count == 0 || (count > 1 && *first == '0')) {
        return false;
    }
    bool is_integer = true;
    int64_t exponent = 0;
    if (at < end && *at == '.') {
        const char *fraction = ++at;
        at = take_digits(at, end, &mantissa);
        if (at == fraction) {
            return false;
        }
        is_integer = false;
        count += at - fraction;
        exponent = fraction - at;
    }
    const char *last = at;
    if (at < end && (*at | 0x20) == 'e') {
        int64_t written;
        at = take_exponent(at + 1, end, &written);
        if (at == NULL) {
            return false;
        }
        is_integer = false;
        exponent += written;
    }
    bool is_cut = false;
    if (count > NUMBER_MANTISSA_DIGITS) {
        exponent += take_mantissa(first, last, &mantissa, &is_cut);
    }
    exponent = exponent < -EXPONENT_MAX ? -EXPONENT_MAX : exponent;
    exponent = exponent > EXPONENT_MAX ? EXPONENT_MAX : exponent;
    *out_number = (struct number){
        .digits = text,
        .length = (size_t)(at - text),
        .mantissa = mantissa,
        .exponent = (int32_t)exponent,
        .is_negative = is_negative,
        .is_integer = is_integer,
        .is_cut = is_cut,
    };
    return true;
}

// A binary format: a significand of so many bits, of which the last one counts 2^exponent_min at
// least; `infinity` is what infinity looks like as an integer.
struct format {
    int32_t bits;
    int32_t exponent_min;
    uint64_t infinity;
};

static const struct format format_f32 = {24, -149, (uint64_t)0xFF << 23};
static const struct format format_f64 = {53, -1074, (uint64_t)0x7FF << 52};

// A value between down * 2^exponent and (down + 1) * 2^exponent, which are neighbours in the
// format, or the former itself.
struct place {
    uint64_t down;
    int32_t exponent;
    bool is_up;   // the upper one is the nearest
    bool is_sure; // else it is too near to the middle to tell
};

// A float as an integer of its bits. They are consecutive: `down` with its leading bit counts the
// exponent up by one, and so does the carry of a significand that is rounded up.
static uint64_t bits_of(const struct format *format, uint64_t down, int32_t exponent) {
    uint64_t bits = ((uint64_t)(exponent - format->exponent_min) << (format->bits - 1)) + down;
    return bits < format->infinity ? bits : format->infinity;
}

// Where w * 10^q lies; w is not zero.
static struct place find_place(const struct format *format, uint64_t w, int32_t q) {
    int32_t leading = __builtin_clzll(w);
    struct number_power power = number_power(q);
    uint128 low = (uint128)power.low * (w << leading);
    uint128 high = (uint128)power.high * (w << leading) + (uint64_t)(low >> 64);
    uint64_t top = (uint64_t)(high >> 64);
    uint64_t middle = (uint64_t)high;

    // The value is `top`, and something, times 2^binary; its last `drop` bits have to go.
    int32_t binary = number_log2_power(q) + 1 - leading;
    int32_t drop = 63 + (int32_t)(top >> 63) - format->bits;
    if (binary + drop < format->exponent_min) {
        drop = format->exponent_min - binary;
    }
    struct place place = {.exponent = binary + drop, .is_sure = true};
    if (drop > 64) {
        return place; // below half of the smallest float there is
    }
    place.down = drop == 64 ? 0 : top >> drop;
    uint64_t half = (uint64_t)1 << (drop - 1);
    uint64_t dropped = top & (half | (half - 1u));
    bool is_exact = q >= 0 && q <= NUMBER_POWER_EXACT_MAX;
    if (dropped != half) {
        place.is_up = dropped > half;
    } else if (is_exact) {
        place.is_up = middle != 0 || (uint64_t)low != 0 || (place.down & 1u) != 0;
    } else {
        // The power is rounded up, so the product is too large, by less than one in `middle`.
        place.is_up = true;
        place.is_sure = middle != 0;
    }
    return place;
}

// The nearest float as an integer of its bits, without sign.
static uint64_t nearest(const struct format *format, const struct number *number) {
    uint64_t w = number->mantissa;
    int32_t q = number->exponent;
    if (w == 0 || q < NUMBER_POWER_MIN) {
        return 0;
    }
    if (q > NUMBER_POWER_READ_MAX) {
        return format->infinity;
    }
    struct place place = find_place(format, w, q);
    uint64_t bits = bits_of(format, place.down + place.is_up, place.exponent);
    if (number->is_cut) {
        struct place next = find_place(format, w + 1, q);
        place.is_sure = place.is_sure && next.is_sure &&
                        bits == bits_of(format, next.down + next.is_up, next.exponent);
    }
    if (!place.is_sure) {
        int order = cosmi_text_number_compare(number, place.down * 2u + 1u, place.exponent - 1);
        bool is_up = order > 0 || (order == 0 && (place.down & 1u) != 0);
        bits = bits_of(format, place.down + is_up, place.exponent);
    }
    return bits;
}

bool cosmi_text_number_f32(const struct number *number, float *out_value) {
    uint32_t bits = (uint32_t)nearest(&format_f32, number);
    bool is_finite = bits != format_f32.infinity;
    bits |= (uint32_t)number->is_negative << 31;
    memcpy(out_value, &bits, sizeof(bits));
    return is_finite;
}

bool cosmi_text_number_f64(const struct number *number, double *out_value) {
    uint64_t bits = nearest(&format_f64, number);
    bool is_finite = bits != format_f64.infinity;
    bits |= (uint64_t)number->is_negative << 63;
    memcpy(out_value, &bits, sizeof(bits));
    return is_finite;
}

// The digit behind the 19 that make the mantissa; false where there are others behind it that are
// not zero.
static bool last_digit(const struct number *number, uint64_t *out_digit) {
    const char *end = number->digits + number->length;
    int32_t taken = 0;
    for (const char *at = number->digits; at < end && *at != 'e' && *at != 'E'; at++) {
        if (*at < '0' || (*at == '0' && taken == 0)) {
            continue; // the sign, the point, zeros that lead
        }
        if (taken == NUMBER_MANTISSA_DIGITS) {
            *out_digit = (uint64_t)(*at - '0');
        } else if (taken > NUMBER_MANTISSA_DIGITS && *at != '0') {
            return false;
        }
        taken++;
    }
    return true;
}

// The number without its sign, where it is an integer of at most `max`.
static bool whole(const struct number *number, uint64_t max, uint64_t *out_value) {
    uint64_t value = number->mantissa;
    int32_t exponent = number->exponent;
    uint64_t digit = 0;
    if (number->is_cut) {
        // An integer that fits has 20 digits at most, so this is the one that was cut off.
        if (exponent != 1 || !last_digit(number, &digit) || value > max / 10u ||
            (value == max / 10u && digit > max % 10u)) {
            return false;
        }
        *out_value = value * 10u + digit;
        return true;
    }
    for (; exponent > 0 && value != 0; exponent--) {
        if (value > max / 10u) {
            return false;
        }
        value *= 10u;
    }
    for (; exponent < 0 && value != 0; exponent++) {
        if (value % 10u != 0) {
            return false;
        }
        value /= 10u;
    }
    *out_value = value;
    return value <= max;
}

bool cosmi_text_number_i64(const struct number *number, int64_t *out_value) {
    uint64_t value;
    if (!whole(number, (uint64_t)INT64_MAX + number->is_negative, &value)) {
        return false;
    }
    // Two steps, because -INT64_MIN is no int64_t.
    *out_value = number->is_negative && value != 0 ? -(int64_t)(value - 1u) - 1 : (int64_t)value;
    return true;
}

bool cosmi_text_number_u64(const struct number *number, uint64_t *out_value) {
    return whole(number, number->is_negative ? 0 : UINT64_MAX, out_value);
}
