// Simulations in parts: worlds of one seed in several simulations, and several seeds side by side.
#include "harness.h"
#include "support/fixture.h"
#include "support/lane.h"

#include <stdlib.h>

#define WORLD_COUNT 64u
#define STEP_COUNT 50u

static cosm_sim *open_part(enum lane_kind kind, cosm_autoreset mode, uint32_t first, uint32_t count,
                           uint32_t workers) {
    static const cosm_sim_param spread = {.name = "spread", .value = 3.0};
    cosm_sim_desc desc = {.world_count = count,
                          .world_first = first,
                          .seed = 9,
                          .autoreset = mode,
                          .params = &spread,
                          .param_count = 1,
                          .engine = {.worker_count = workers}};
    return lane_open(kind, &desc);
}

// Resets and moves depend on the number of a world and on the step.
static uint32_t chance_of(cosm_batch *batch, uint32_t world, uint32_t step, uint32_t count) {
    uint64_t number = cosm_world_number(cosm_batch_world(batch, world));
    cosm_random random = cosm_random_seed(number, (uint64_t)step << 8 | count);
    return cosm_random_below(&random, count);
}

static void live(cosm_sim *sim) {
    cosm_batch *batch = cosm_sim_batch(sim);
    uint32_t count = cosm_batch_world_count(batch);
    uint8_t mask[WORLD_COUNT];
    for (uint32_t step = 0; step < STEP_COUNT; step++) {
        for (uint32_t w = 0; w < count; w++) {
            mask[w] = chance_of(batch, w, step, 40) == 0;
        }
        CHECK_INT(cosm_sim_reset(sim, mask, NULL, NULL), COSM_OK);
        for (uint32_t w = 0; w < count; w++) {
            lane_act(sim, w, (int32_t)chance_of(batch, w, step, 3));
        }
        CHECK_INT(cosm_sim_step(sim), COSM_OK);
    }
}

static void hash_worlds(cosm_sim *sim, uint64_t *out_hashes) {
    cosm_batch *batch = cosm_sim_batch(sim);
    for (uint32_t w = 0; w < cosm_batch_world_count(batch); w++) {
        out_hashes[w] = cosm_hash_world(cosm_batch_world(batch, w), COSM_HASH_EXACT);
    }
}

TEST(a_simulation_that_is_cut_anywhere_has_the_same_episodes) {
    struct dice dice = {harness_seed()};
    uint64_t hashes[WORLD_COUNT];
    uint64_t mine[WORLD_COUNT];
    for (int kind = 0; kind < LANE_KIND_COUNT; kind++) {
        for (int mode = 0; mode <= COSM_AUTORESET_DISABLED; mode++) {
            cosm_sim *whole =
                open_part((enum lane_kind)kind, (cosm_autoreset)mode, 0, WORLD_COUNT, 1);
            live(whole);
            hash_worlds(whole, hashes);
            lane_close(whole);
            for (uint32_t first = 0, count; first < WORLD_COUNT; first += count) {
                count = 1 + dice_roll(&dice, WORLD_COUNT - first);
                cosm_sim *part = open_part((enum lane_kind)kind, (cosm_autoreset)mode, first, count,
                                           1 + first % 2);
                live(part);
                hash_worlds(part, mine);
                CHECK_MEM(mine, hashes + first, count * sizeof(*mine));
                lane_close(part);
            }
        }
    }
}

static int by_value(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a;
    uint64_t y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static uint32_t count_equal(uint64_t *values, uint32_t count) {
    qsort(values, count, sizeof(*values), by_value);
    uint32_t equal = 0;
    for (uint32_t i = 1; i < count; i++) {
        equal += values[i] == values[i - 1];
    }
    return equal;
}

// The first numbers that the worlds draw: what all else follows from.
static uint32_t put_draws(cosm_sim *sim, uint64_t *out_draws) {
    cosm_batch *batch = cosm_sim_batch(sim);
    uint32_t count = cosm_batch_world_count(batch);
    for (uint32_t w = 0; w < count; w++) {
        cosm_random random = cosm_world_random(cosm_batch_world(batch, w), 0);
        out_draws[w] = cosm_random_u64(&random);
    }
    return count;
}

TEST(parts_that_are_seeded_one_after_the_other_have_distinct_worlds) {
    uint64_t draws[128];
    for (uint32_t how = 0; how < 2; how++) {
        uint32_t count = 0;
        for (uint32_t part = 0; part < 4; part++) {
            uint64_t seed = 100 + part;
            cosm_sim_desc desc = {.world_count = 32, .seed = how == 0 ? seed : 0};
            cosm_sim *sim = lane_open(LANE_PLACE, &desc);
            uint64_t seeds[32];
            for (uint32_t w = 0; w < 32; w++) {
                seeds[w] = seed;
            }
            if (how == 1) {
                CHECK_INT(cosm_sim_reset(sim, NULL, seeds, NULL), COSM_OK);
            }
            count += put_draws(sim, draws + count);
            lane_close(sim);
        }
        CHECK_INT(count, 128);
        CHECK_INT(count_equal(draws, count), 0);
    }
}

TEST(a_reset_with_one_seed_for_all_is_a_new_simulation_of_that_seed) {
    uint64_t hashes[2][6];
    for (uint32_t how = 0; how < 2; how++) {
        cosm_sim_desc desc = {.world_count = 6, .seed = how == 0 ? 8 : 3, .world_first = 1000};
        cosm_sim *sim = lane_open(LANE_BEGIN, &desc);
        if (how == 1) {
            CHECK_INT(cosm_sim_reset(sim, NULL, (uint64_t[]){8, 8, 8, 8, 8, 8}, NULL), COSM_OK);
        }
        uint64_t draws[6];
        (void)put_draws(sim, draws);
        CHECK_INT(cosm_world_number(cosm_batch_world(cosm_sim_batch(sim), 5)), 1005);
        for (uint32_t w = 0; w < 6; w++) {
            hashes[how][w] = draws[w];
        }
        lane_close(sim);
    }
    CHECK_MEM(hashes[1], hashes[0], sizeof(hashes[0]));
}
