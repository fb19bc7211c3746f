// The tally: what a step is to the episodes of many worlds, in a few passes over bytes and floats.
//
// Most worlds go on with their episode: for them a step is an addition each to return and length.
// That is done for all worlds, tile by tile, without a branch. Worlds that were over, or are to be
// reset, are set aside before and put right after; worlds that are over now are found by looking at
// 64 flags at a time. A tile fits the first cache.
#include "tally.h"

#include <string.h>

#include "bits.h"

#define TILE 256u

// Loops become vector code only where their arrays are restrict parameters. The instruction sets are
// chosen at run time, by hand: target_clones needs ifunc, which not all C libraries have.
#if defined(__GNUC__) && defined(__x86_64__)
#define HAS_AVX2 1
#define AVX2 __attribute__((target("avx2")))
#else
#define HAS_AVX2 0
#endif

// Adds a step to every world; tells whether any of them has come to the limit.
#define ADD_STEP(name, attributes)                                                                 \
    attributes static uint32_t name(float *restrict returns, int32_t *restrict lengths,            \
                                    const float *restrict rewards, int32_t limit,                  \
                                    uint32_t count) {                                              \
        int32_t late = 0;                                                                          \
        for (uint32_t i = 0; i < count; i++) {                                                     \
            int32_t length = (int32_t)((uint32_t)lengths[i] + 1u);                                 \
            returns[i] += rewards[i];                                                              \
            lengths[i] = length;                                                                   \
            late |= -(int32_t)(length >= limit);                                                   \
        }                                                                                          \
        return (uint32_t)late;                                                                     \
    }

// Flags of worlds of which none is at the limit, and no agent was cut off.
#define SET_ENDS(name, attributes)                                                                 \
    attributes static void name(uint8_t *restrict terminated, uint8_t *restrict truncated,         \
                                const uint8_t *restrict ends, uint32_t count) {                    \
        for (uint32_t i = 0; i < count; i++) {                                                     \
            terminated[i] = ends[i] != 0;                                                          \
            truncated[i] = 0;                                                                      \
        }                                                                                          \
    }

ADD_STEP(add_step_plain, )
SET_ENDS(set_ends_plain, )
#if HAS_AVX2
ADD_STEP(add_step_avx2, AVX2)
SET_ENDS(set_ends_avx2, AVX2)
#endif

// A world that does not simply go on: what it was before the step.
struct aside {
    uint32_t index;
    uint32_t length;
    float value; // its return
    uint8_t terminated;
    uint8_t truncated;
};

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

// Sets aside the worlds of a tile that were over or are to begin; `groups` tells which they are, 64
// to a word.
static uint32_t set_aside(const struct tally *tally, uint32_t first, uint32_t count,
                          struct aside *asides, uint64_t *groups) {
    uint32_t list[TILE + 1];
    uint32_t listed = 0;
    for (uint32_t g = 0; g < count; g += 64) {
        uint32_t i = first + g;
        uint64_t bits =
            bits_of_three(tally->reset + i, tally->terminated + i, tally->truncated + i, count - g);
        groups[g / 64] = bits;
        listed = list_bits(bits, i, list, listed);
    }
    for (uint32_t a = 0; a < listed; a++) {
        uint32_t w = list[a];
        asides[a] = (struct aside){w, tally->lengths[w], tally->returns[w], tally->terminated[w],
                                   tally->truncated[w]};
    }
    return listed;
}

static inline void keep_one(const struct tally *tally, uint32_t i) {
    tally->last_returns[i] = tally->returns[i];
    tally->last_lengths[i] = tally->lengths[i];
}

// Worlds that are over now, but for those set aside. It comes before those are put right: single
// bytes that were just written cannot be read many at a time without waiting.
static void keep_last(const struct tally *tally, uint32_t first, uint32_t count,
                      const uint64_t *groups) {
    uint32_t list[TILE + 1];
    uint32_t listed = 0;
    for (uint32_t g = 0; g < count; g += 64) {
        uint32_t i = first + g;
        uint64_t bits = bits_of_three(tally->terminated + i, tally->truncated + i,
                                      tally->truncated + i, count - g);
        listed = list_bits(bits & ~groups[g / 64], i, list, listed);
    }
    for (uint32_t k = 0; k < listed; k++) {
        keep_one(tally, list[k]);
    }
}

// A world that was over begins anew, stays over, or has begun already within the last step, which is
// told by its length.
static void settle(const struct tally *tally, const struct aside *aside) {
    uint32_t i = aside->index;
    bool was_over = (aside->terminated | aside->truncated) != 0 && aside->length != 0;
    if (tally->reset[i] != 0 || (was_over && tally->autoreset != COSM_AUTORESET_DISABLED)) {
        tally->reset[i] = 1;
        tally->returns[i] = 0.0f;
        tally->lengths[i] = 0;
        tally->terminated[i] = 0;
        tally->truncated[i] = 0;
    } else if (was_over) {
        tally->returns[i] = aside->value;
        tally->lengths[i] = aside->length;
        tally->terminated[i] = aside->terminated;
        tally->truncated[i] = aside->truncated;
    } else if ((tally->terminated[i] | tally->truncated[i]) != 0) {
        keep_one(tally, i);
    }
}

// Flags in full: of tiles with worlds at the limit, and where agents are cut off.
static void set_flags(const struct tally *tally, uint32_t first, uint32_t count) {
    uint32_t limit = tally->limit == 0 ? UINT32_MAX : tally->limit;
    for (uint32_t i = first; i < first + count; i++) {
        bool ends = tally->ends != NULL && tally->ends[i] != 0;
        bool cuts = (tally->cuts != NULL && tally->cuts[i] != 0) || tally->lengths[i] >= limit;
        tally->terminated[i] = ends;
        tally->truncated[i] = cuts && !ends;
    }
}

void cosmi_sim_tally(const struct tally *tally, uint32_t count) {
    struct aside asides[TILE];
    uint64_t groups[TILE / 64];
    // Lengths are compared as signed numbers, which every instruction set can; set_flags compares
    // again.
    int32_t limit =
        tally->limit == 0 || tally->limit > INT32_MAX ? INT32_MAX : (int32_t)tally->limit;
#if HAS_AVX2
    bool wide = __builtin_cpu_supports("avx2");
#endif
    for (uint32_t first = 0; first < count; first += TILE) {
        uint32_t tile = count - first < TILE ? count - first : TILE;
        uint32_t aside_count = set_aside(tally, first, tile, asides, groups);
        float *returns = tally->returns + first;
        int32_t *lengths = (int32_t *)(tally->lengths + first);
        bool is_plain = tally->ends != NULL && tally->cuts == NULL;
#if HAS_AVX2
        uint32_t late = (wide ? add_step_avx2 : add_step_plain)(
            returns, lengths, tally->rewards + first, limit, tile);
        if (is_plain && late == 0) {
            (wide ? set_ends_avx2 : set_ends_plain)(
                tally->terminated + first, tally->truncated + first, tally->ends + first, tile);
        }
#else
        uint32_t late = add_step_plain(returns, lengths, tally->rewards + first, limit, tile);
        if (is_plain && late == 0) {
            set_ends_plain(tally->terminated + first, tally->truncated + first, tally->ends + first,
                           tile);
        }
#endif
        if (!is_plain || late != 0) {
            set_flags(tally, first, tile);
        }
        keep_last(tally, first, tile, groups);
        for (uint32_t a = 0; a < aside_count; a++) {
            settle(tally, &asides[a]);
        }
    }
}
