// The tally: what a step is to the episodes of many worlds, in a few passes over bytes and floats.
//
// Which worlds begin is told by bytes; the rest is arithmetic under masks, without a branch, tile
// by tile. Only worlds that are over now are gone through one by one, and found by looking at 64
// flags at a time. A tile fits the first cache.
#include "tally.h"

#include <string.h>

#include "bits.h"

#define TILE 512u

// Loops become vector code only where their arrays are restrict parameters. The instruction sets
// are chosen at run time, by hand: target_clones needs ifunc, which not all C libraries have.
#if defined(__GNUC__) && defined(__x86_64__)
#define HAS_AVX2 1
#define AVX2 __attribute__((target("avx2")))
#else
#define HAS_AVX2 0
#endif

// The number where all bits of the mask are set, and zero where none is. A choice would be a
// branch, since an addition may trap, and gcc then leaves the loop scalar.
static inline float float_and(float value, uint32_t mask) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    bits &= mask;
    memcpy(&value, &bits, sizeof(bits));
    return value;
}

// Adds a step to every world, or begins at zero; tells whether any has come to the limit.
#define ADD_STEP(name, attributes)                                                                 \
    attributes static uint32_t name(float *restrict returns, int32_t *restrict lengths,            \
                                    const float *restrict rewards, const uint8_t *restrict begins, \
                                    int32_t limit, uint32_t count) {                               \
        int32_t late = 0;                                                                          \
        for (uint32_t i = 0; i < count; i++) {                                                     \
            uint32_t goes_on = (uint32_t)begins[i] - 1u;                                           \
            int32_t length = (int32_t)(((uint32_t)lengths[i] + 1u) & goes_on);                     \
            returns[i] = float_and(returns[i] + rewards[i], goes_on);                              \
            lengths[i] = length;                                                                   \
            late |= -(int32_t)(length >= limit);                                                   \
        }                                                                                          \
        return (uint32_t)late;                                                                     \
    }

// Worlds that were over, or are wanted to, begin: `reset` is 1 there and 0 elsewhere.
#define MARK_OVER(name, attributes)                                                                \
    attributes static void name(uint8_t *restrict reset, const uint8_t *restrict terminated,       \
                                const uint8_t *restrict truncated, uint32_t count) {               \
        for (uint32_t i = 0; i < count; i++) {                                                     \
            reset[i] = (reset[i] | terminated[i] | truncated[i]) != 0;                             \
        }                                                                                          \
    }

// The same where worlds begin within the same step: those that did have the length zero.
#define MARK_LATE(name, attributes)                                                                \
    attributes static void name(uint8_t *restrict reset, const uint8_t *restrict terminated,       \
                                const uint8_t *restrict truncated,                                 \
                                const uint32_t *restrict lengths, uint32_t count) {                \
        for (uint32_t i = 0; i < count; i++) {                                                     \
            uint8_t was_over = (terminated[i] | truncated[i]) != 0;                                \
            uint8_t is_late = lengths[i] != 0;                                                     \
            reset[i] = (uint8_t)((reset[i] != 0) | (was_over & is_late));                          \
        }                                                                                          \
    }

// Flags of worlds of which none is at the limit, and no agent was cut off.
#define SET_ENDS(name, attributes)                                                                 \
    attributes static void name(uint8_t *restrict terminated, uint8_t *restrict truncated,         \
                                const uint8_t *restrict ends, const uint8_t *restrict begins,      \
                                uint32_t count) {                                                  \
        for (uint32_t i = 0; i < count; i++) {                                                     \
            terminated[i] = (uint8_t)((ends[i] != 0) & (begins[i] ^ 1));                           \
            truncated[i] = 0;                                                                      \
        }                                                                                          \
    }

ADD_STEP(add_step_plain, )
MARK_OVER(mark_over_plain, )
MARK_LATE(mark_late_plain, )
SET_ENDS(set_ends_plain, )
#if HAS_AVX2
ADD_STEP(add_step_avx2, AVX2)
MARK_OVER(mark_over_avx2, AVX2)
MARK_LATE(mark_late_avx2, AVX2)
SET_ENDS(set_ends_avx2, AVX2)
#else
#define add_step_avx2 add_step_plain
#define mark_over_avx2 mark_over_plain
#define mark_late_avx2 mark_late_plain
#define set_ends_avx2 set_ends_plain
#endif

static bool has_avx2(void) {
#if HAS_AVX2
    return __builtin_cpu_supports("avx2") != 0;
#else
    return false;
#endif
}

bool cosmi_sim_any(const uint8_t *bytes, size_t count) {
    size_t i = 0;
    for (; i + 256 <= count; i += 256) {
        uint64_t any = 0;
        for (size_t k = 0; k < 256; k += 8) {
            uint64_t word;
            memcpy(&word, bytes + i + k, sizeof(word));
            any |= word;
        }
        if (any != 0) {
            return true;
        }
    }
    for (; i < count; i++) {
        if (bytes[i] != 0) {
            return true;
        }
    }
    return false;
}

uint32_t cosmi_sim_list(const uint8_t *bytes, uint32_t count, uint32_t *out_list) {
    uint32_t listed = 0;
    for (uint32_t i = 0; i < count; i += 64) {
        listed = list_bits(bits_of(bytes + i, count - i), i, out_list, listed);
    }
    return listed;
}

uint32_t cosmi_sim_list_over(const uint8_t *terminated, const uint8_t *truncated,
                             const uint32_t *lengths, bool have_begun, uint32_t count,
                             uint32_t *out_list) {
    uint32_t listed = 0;
    for (uint32_t i = 0; i < count; i += 64) {
        uint64_t bits = bits_of(terminated + i, count - i) | bits_of(truncated + i, count - i);
        for (; bits != 0; bits &= bits - 1) {
            uint32_t w = i + lowest_bit(bits);
            out_list[listed] = w;
            listed += (lengths[w] == 0) == have_begun;
        }
    }
    return listed;
}

// Worlds that are over now. For those that stay over it is what they had already. `any_cut`: some
// may be truncated.
static void keep_last(const struct tally *tally, uint32_t first, uint32_t count, bool any_cut) {
    uint32_t list[TILE + 1];
    uint32_t listed = 0;
    for (uint32_t g = 0; g < count; g += 64) {
        uint32_t i = first + g;
        uint64_t bits = bits_of(tally->terminated + i, count - g);
        bits |= any_cut ? bits_of(tally->truncated + i, count - g) : 0;
        listed = list_bits(bits, i, list, listed);
    }
    for (uint32_t k = 0; k < listed; k++) {
        uint32_t w = list[k];
        tally->last_returns[w] = tally->returns[w];
        tally->last_lengths[w] = tally->lengths[w];
    }
}

// Has an episode of that length come to its limit?
static bool is_at_limit(const struct tally *tally, uint32_t length) {
    return tally->limit != 0 && length >= tally->limit;
}

// Flags in full: of tiles with worlds at the limit, and where agents are cut off.
static void set_flags(const struct tally *tally, uint32_t first, uint32_t count,
                      const uint8_t *begins) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t w = first + i;
        bool ends = tally->ends != NULL && tally->ends[w] != 0;
        bool cuts =
            (tally->cuts != NULL && tally->cuts[w] != 0) || is_at_limit(tally, tally->lengths[w]);
        tally->terminated[w] = ends & !begins[i];
        tally->truncated[w] = cuts & !ends & !begins[i];
    }
}

// Without autoreset: worlds that are over stay as they are until they are wanted to begin.
static void tally_held(const struct tally *tally, uint32_t count) {
    for (uint32_t w = 0; w < count; w++) {
        bool begins = tally->reset[w] != 0;
        bool is_held = !begins & ((tally->terminated[w] | tally->truncated[w]) != 0);
        float sum = begins ? 0.0f : tally->returns[w] + tally->rewards[w];
        uint32_t length = begins ? 0 : tally->lengths[w] + 1;
        bool ends = tally->ends != NULL && tally->ends[w] != 0;
        bool cuts = (tally->cuts != NULL && tally->cuts[w] != 0) || is_at_limit(tally, length);
        tally->reset[w] = begins;
        tally->returns[w] = is_held ? tally->returns[w] : sum;
        tally->lengths[w] = is_held ? tally->lengths[w] : length;
        tally->terminated[w] = is_held ? tally->terminated[w] : ends & !begins;
        tally->truncated[w] = is_held ? tally->truncated[w] : cuts & !ends & !begins;
    }
    for (uint32_t first = 0; first < count; first += TILE) {
        keep_last(tally, first, count - first < TILE ? count - first : TILE, true);
    }
}

void cosmi_sim_tally(const struct tally *tally, uint32_t count) {
    if (tally->autoreset == COSM_AUTORESET_DISABLED) {
        tally_held(tally, count);
        return;
    }
    bool wide = has_avx2();
    // Lengths are compared as signed numbers, which every instruction set can; set_flags compares
    // again. Limits beyond those numbers are only seen there.
    bool is_plain = tally->ends != NULL && tally->cuts == NULL && tally->limit <= INT32_MAX;
    int32_t limit =
        tally->limit == 0 || tally->limit > INT32_MAX ? INT32_MAX : (int32_t)tally->limit;
    for (uint32_t first = 0; first < count; first += TILE) {
        uint32_t tile = count - first < TILE ? count - first : TILE;
        uint8_t *begins = tally->reset + first;
        uint8_t *terminated = tally->terminated + first;
        uint8_t *truncated = tally->truncated + first;
        if (tally->autoreset == COSM_AUTORESET_SAME_STEP) {
            (wide ? mark_late_avx2 : mark_late_plain)(begins, terminated, truncated,
                                                      tally->lengths + first, tile);
        } else {
            (wide ? mark_over_avx2 : mark_over_plain)(begins, terminated, truncated, tile);
        }
        uint32_t late = (wide ? add_step_avx2 : add_step_plain)(
            tally->returns + first, (int32_t *)(tally->lengths + first), tally->rewards + first,
            begins, limit, tile);
        bool any_cut = !is_plain || late != 0;
        if (!any_cut) {
            (wide ? set_ends_avx2 : set_ends_plain)(terminated, truncated, tally->ends + first,
                                                    begins, tile);
        } else {
            set_flags(tally, first, tile, begins);
        }
        keep_last(tally, first, tile, any_cut);
    }
}
