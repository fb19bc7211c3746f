// The tally: what a step is to the episodes of many worlds, in a few passes over bytes and floats.
#ifndef COSMI_SIM_TALLY_H
#define COSMI_SIM_TALLY_H

#include <cosm_sim/sim.h>

// Arrays with one item per world. What comes in is a reward and up to two flags, not zero where all
// agents of the world have terminated (ends) or the others have been cut off (cuts; NULL: never).
struct tally {
    float *returns;
    uint32_t *lengths;
    uint8_t *terminated;
    uint8_t *truncated;
    float *last_returns;
    uint32_t *last_lengths;
    uint8_t *reset; // in: somebody wants it; out: the world begins an episode in this step
    const float *rewards;
    const uint8_t *ends; // NULL: never
    const uint8_t *cuts;
    uint32_t limit; // steps of an episode; zero: no limit
    cosm_autoreset autoreset;
};

void cosmi_sim_tally(const struct tally *tally, uint32_t count);

// Is any of these bytes not zero?
bool cosmi_sim_any(const uint8_t *bytes, size_t count);

// Lists the numbers of the bytes that are not zero, in ascending order; returns how many there are.
// The list has room for `count` and one more.
uint32_t cosmi_sim_list(const uint8_t *bytes, uint32_t count, uint32_t *out_list);

// Lists the worlds whose flags say that their episode is over, and whose length is zero: they have
// begun the next one within the same step; or is not: they have not.
uint32_t cosmi_sim_list_over(const uint8_t *terminated, const uint8_t *truncated,
                             const uint32_t *lengths, bool have_begun, uint32_t count,
                             uint32_t *out_list);

#endif
