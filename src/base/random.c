// Philox 4x32 with ten rounds, and distributions that give the same bits everywhere. What of
// cosm/random.h needs no world is defined here; without a stream the answer is zero, since drawing
// cannot fail.
//
// Same bits means: integers where integers do, and of floating point only + - * / and conversions,
// each of which has one right answer. The logarithm and the root that normals need are therefore
// our own; those of the C library differ from system to system.
#include "base/random.h"

#include <string.h>

#include "base/unfused.h"

static void philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out_block[4]) {
    uint32_t a = counter[0];
    uint32_t b = counter[1];
    uint32_t c = counter[2];
    uint32_t d = counter[3];
    uint32_t key_0 = key[0];
    uint32_t key_1 = key[1];
    for (int round = 0; round < PHILOX_ROUNDS; round++) {
        uint64_t product_0 = (uint64_t)PHILOX_MULTIPLIER_0 * a;
        uint64_t product_1 = (uint64_t)PHILOX_MULTIPLIER_1 * c;
        a = (uint32_t)(product_1 >> 32) ^ b ^ key_0;
        b = (uint32_t)product_1;
        c = (uint32_t)(product_0 >> 32) ^ d ^ key_1;
        d = (uint32_t)product_0;
        key_0 += PHILOX_KEY_STEP_0;
        key_1 += PHILOX_KEY_STEP_1;
    }
    out_block[0] = a;
    out_block[1] = b;
    out_block[2] = c;
    out_block[3] = d;
}

void cosm_random_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out_block[4]) {
    if (counter != NULL && key != NULL && out_block != NULL) {
        philox(counter, key, out_block);
    }
}

cosm_random cosm_random_seed(uint64_t seed, uint64_t stream) {
    return (cosm_random){
        .counter = {0, (uint32_t)stream, (uint32_t)(stream >> 32), 0xFFFFFFFFu},
        .key = {(uint32_t)seed, (uint32_t)(seed >> 32)},
    };
}

cosm_random cosmi_random_stream(uint64_t seed, uint64_t salt, uint64_t number, uint64_t step,
                                uint32_t stream) {
    uint64_t key = random_key(seed, salt, number);
    return (cosm_random){
        .counter = {0, stream, (uint32_t)step, random_place(number, step)},
        .key = {(uint32_t)key, (uint32_t)(key >> 32)},
    };
}

void cosmi_random_refill(cosm_random *random) {
    philox(random->counter, random->key, random->block);
    random->counter[0]++;
    random->left = 4;
}

uint32_t cosm_random_u32(cosm_random *random) {
    return random == NULL ? 0 : random_next(random);
}

uint64_t cosm_random_u64(cosm_random *random) {
    return random == NULL ? 0 : random_next_wide(random);
}

float cosm_random_float(cosm_random *random) {
    return random == NULL ? 0.0f : random_unit(random);
}

double cosm_random_double(cosm_random *random) {
    return random == NULL ? 0.0 : random_unit_wide(random);
}

// The high half of number * count is the answer. 2^32 numbers do not divide evenly among `count`
// answers, so the first 2^32 mod count of each answer's share (by their low half) are drawn again:
// then every answer has as many. The division is only reached where the low half is small enough
// for that to matter, with a chance of count / 2^32.
uint32_t cosm_random_below(cosm_random *random, uint32_t count) {
    if (random == NULL) {
        return 0;
    }
    uint64_t product = (uint64_t)random_next(random) * count;
    if ((uint32_t)product < count) {
        uint32_t surplus = (0u - count) % count; // 2^32 mod count
        while ((uint32_t)product < surplus) {
            product = (uint64_t)random_next(random) * count;
        }
    }
    return (uint32_t)(product >> 32);
}

int32_t cosm_random_range(cosm_random *random, int32_t low, int32_t high) {
    if (random == NULL) {
        return 0;
    }
    if (high < low) {
        high = low;
    }
    uint32_t count = (uint32_t)high - (uint32_t)low + 1; // 0 where all of 2^32 are wanted
    uint32_t offset = count == 0 ? random_next(random) : cosm_random_below(random, count);
    return (int32_t)((int64_t)low + offset);
}

// The number next to `from` on the way to `to`, which is another one.
static float neighbour_towards(float from, float to) {
    uint32_t bits;
    memcpy(&bits, &from, sizeof(bits));
    if (from == 0.0f) {
        bits = to > 0.0f ? 1u : 0x80000001u;
    } else if ((from < to) == (from > 0.0f)) {
        bits++; // away from zero
    } else {
        bits--;
    }
    float next;
    memcpy(&next, &bits, sizeof(next));
    return next;
}

// In double precision, where the span between two floats can neither overflow nor lose much.
UNFUSED float cosm_random_between(cosm_random *random, float low, float high) {
    if (random == NULL) {
        return 0.0f;
    }
    double unit = (double)random_unit(random);
    double span = (double)high - (double)low;
    if (!(span - span == 0.0)) {
        return low; // one of them is infinite or not a number
    }
    float value = (float)((double)low + span * unit);
    if (value == high && low != high) {
        value = neighbour_towards(high, low);
    }
    return value;
}

// All 32 bits, where a float has 24: small probabilities come out 256 times closer.
bool cosm_random_chance(cosm_random *random, float probability) {
    if (random == NULL) {
        return false;
    }
    return (double)random_next(random) * 0x1p-32 < (double)probability;
}

// The constant comes first.
static inline UNFUSED double polynomial(const double *factors, int degree, double x) {
    double sum = factors[degree];
    for (int i = degree - 1; i >= 0; i--) {
        sum = sum * x + factors[i];
    }
    return sum;
}

// -log(x) for normal x in (0, 1/2). Where x = m * 2^exponent and m lies between the roots of 1/2
// and of 2, log m = 2 atanh(s) with s = (m - 1) / (m + 1), and s is at most 0.172. The series
// 2 s (1 + s^2/3 + s^4/5 + ...) then needs ten terms: the first one left out is below 1e-17.
static UNFUSED double minus_log(double x) {
    static const double factors[10] = {1.0,        1.0 / 3.0,  1.0 / 5.0,  1.0 / 7.0,  1.0 / 9.0,
                                       1.0 / 11.0, 1.0 / 13.0, 1.0 / 15.0, 1.0 / 17.0, 1.0 / 19.0};
    const double log_2 = 0.69314718055994530942;
    const double root_2 = 1.41421356237309504880;
    uint64_t bits;
    memcpy(&bits, &x, sizeof(bits));
    int exponent = (int)(bits >> 52) - 1023;
    bits = (bits & 0x000FFFFFFFFFFFFFu) | 0x3FF0000000000000u; // the same digits, in [1, 2)
    double m;
    memcpy(&m, &bits, sizeof(m));
    if (m > root_2) {
        m *= 0.5;
        exponent++;
    }
    double s = (m - 1.0) / (m + 1.0);
    return -(double)exponent * log_2 - 2.0 * s * polynomial(factors, 9, s * s);
}

// The root of x for normal x above 0, by Heron. Halving the bits of a double halves its exponent
// and comes within 4 % of the root, and each mean squares the error: 6e-4, 2e-7, 2e-14, and the
// last bit. The compiler's own root would be one instruction, but brings the C library's function
// and its errno along.
static UNFUSED double root_of(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof(bits));
    bits = (bits >> 1) + 0x1FF76C0000000000u;
    double guess;
    memcpy(&guess, &bits, sizeof(guess));
    for (int i = 0; i < 4; i++) {
        guess = 0.5 * (guess + x / guess);
    }
    return guess;
}

// The inverse of the normal distribution, by algorithm AS 241 (Wichura 1988): three quotients of
// polynomials, good to about one part in 10^16 each. Near the middle in q, the distance from 1/2;
// further out in the root of -log p, up to 5 and beyond.
static UNFUSED double normal_near(double q) {
    static const double above[8] = {
        3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3,
        1.3731693765509461125e4, 4.5921953931549871457e4, 6.7265770927008700853e4,
        3.3430575583588128105e4, 2.5090809287301226727e3,
    };
    static const double below[8] = {
        1.0,
        4.2313330701600911252e1,
        6.8718700749205790830e2,
        5.3941960214247511077e3,
        2.1213794301586595867e4,
        3.9307895800092710610e4,
        2.8729085735721942674e4,
        5.2264952788528545610e3,
    };
    double r = 0.180625 - q * q;
    return q * polynomial(above, 7, r) / polynomial(below, 7, r);
}

static UNFUSED double normal_far(double r) {
    static const double above[8] = {
        1.42343711074968357734e0,  4.63033784615654529590e0,  5.76949722146069140550e0,
        3.64784832476320460504e0,  1.27045825245236838258e0,  2.41780725177450611770e-1,
        2.27238449892691845833e-2, 7.74545014278341407640e-4,
    };
    static const double below[8] = {
        1.0,
        2.05319162663775882187e0,
        1.67638483018380384940e0,
        6.89767334985100004550e-1,
        1.48103976427480074590e-1,
        1.51986665636164571966e-2,
        5.47593808499534494600e-4,
        1.05075007164441684324e-9,
    };
    return polynomial(above, 7, r - 1.6) / polynomial(below, 7, r - 1.6);
}

static UNFUSED double normal_farthest(double r) {
    static const double above[8] = {
        6.65790464350110377720e0,  5.46378491116411436990e0,  1.78482653991729133580e0,
        2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
        2.71155556874348757815e-5, 2.01033439929228813265e-7,
    };
    static const double below[8] = {
        1.0,
        5.99832206555887937690e-1,
        1.36929880922735805310e-1,
        1.48753612908506148525e-2,
        7.86869131145613259100e-4,
        1.84631831751005468180e-5,
        1.42151175831644588870e-7,
        2.04426310338993978564e-15,
    };
    return polynomial(above, 7, r - 5.0) / polynomial(below, 7, r - 5.0);
}

// One bit is the sign and 52 more are p, an odd multiple of 2^-54 below 1/2. So p is exact, as is
// 1/2 - p; neither 0 nor 1/2 is among them; and both signs are equally likely to the last bit.
double cosm_random_normal(cosm_random *random) {
    if (random == NULL) {
        return 0.0;
    }
    uint64_t bits = random_next_wide(random);
    double p = (double)(bits >> 12 << 1 | 1u) * 0x1p-54;
    double q = 0.5 - p;
    double size;
    if (LIKELY(q <= 0.425)) {
        size = normal_near(q);
    } else {
        double r = root_of(minus_log(p));
        size = r <= 5.0 ? normal_far(r) : normal_farthest(r);
    }
    return (bits & 1u) != 0 ? size : -size;
}

static void swap_items(char *a, char *b, size_t size) {
    char piece[64];
    while (size > 0) {
        size_t part = size < sizeof(piece) ? size : sizeof(piece);
        memcpy(piece, a, part);
        memcpy(a, b, part);
        memcpy(b, piece, part);
        a += part;
        b += part;
        size -= part;
    }
}

// From the end to the front, each place takes one of the items that are not yet placed.
void cosm_random_shuffle(cosm_random *random, void *items, uint32_t count, size_t size) {
    char *bytes = items;
    if (random == NULL || bytes == NULL || size == 0) {
        return;
    }
    for (uint32_t left = count; left > 1; left--) {
        uint32_t pick = cosm_random_below(random, left);
        if (pick != left - 1) {
            swap_items(bytes + pick * size, bytes + (left - 1) * size, size);
        }
    }
}
