// Memory that runs out: a simulation is made or not made, and everything comes back.
#include "harness.h"
#include "support/lane.h"
#include "support/ledger.h"

// Refuses one request, or all from the n-th on. A single one may be made up for by a smaller one.
static void fail_each(enum lane_kind kind, cosm_autoreset mode, uint64_t refusals) {
    struct ledger ledger;
    ledger_open(&ledger);
    cosm_sim_desc desc = {.env = lane_env(kind),
                          .world_count = 3,
                          .autoreset = mode,
                          .step_limit = 2,
                          .engine = {.allocator = ledger_allocator(&ledger), .worker_count = 1}};
    bool refused = true;
    uint64_t n = 0;
    while (refused) {
        n++;
        ledger_refuse(&ledger, n, refusals);
        cosm_sim *sim = cosm_sim_create(&desc);
        refused = ledger_relent(&ledger);
        CHECK(refusals == 1 ? sim != NULL || refused : (sim == NULL) == refused);
        if (sim != NULL) {
            CHECK_INT(cosm_sim_destroy(sim), COSM_OK);
        }
        CHECK_INT(ledger.count, 0);
    }
    CHECK(n > 20);
    ledger_close(&ledger);
}

TEST(when_the_nth_allocation_fails_no_simulation_is_made_and_all_comes_back) {
    for (int kind = 0; kind < LANE_KIND_COUNT; kind++) {
        fail_each((enum lane_kind)kind, COSM_AUTORESET_NEXT_STEP, UINT64_MAX / 2);
        fail_each((enum lane_kind)kind, COSM_AUTORESET_SAME_STEP, 1);
    }
}

TEST(when_the_nth_allocation_fails_a_step_fails_and_the_simulation_goes_on) {
    for (int kind = 0; kind < LANE_KIND_COUNT; kind++) {
        struct ledger ledger;
        ledger_open(&ledger);
        bool refused = true;
        for (uint64_t n = 1; refused; n++) {
            cosm_sim *sim =
                lane_open((enum lane_kind)kind,
                          &(cosm_sim_desc){.world_count = 3,
                                           .autoreset = COSM_AUTORESET_SAME_STEP,
                                           .step_limit = 2,
                                           .engine = {.allocator = ledger_allocator(&ledger),
                                                      .worker_count = 1}});
            REQUIRE(sim != NULL);
            ledger_refuse(&ledger, n, 1);
            cosm_result results[3];
            for (uint32_t step = 0; step < 3; step++) {
                results[step] = cosm_sim_step(sim);
            }
            refused = ledger_relent(&ledger);
            if (!refused) {
                CHECK(results[0] == COSM_OK && results[1] == COSM_OK && results[2] == COSM_OK);
            }
            // Whatever failed is made up for: worlds have agents, and episodes end.
            for (uint32_t step = 0; step < 8; step++) {
                CHECK_INT(cosm_sim_step(sim), COSM_OK);
            }
            for (uint32_t w = 0; w < 3; w++) {
                CHECK(lane_count(sim, w) > 0);
                CHECK(((uint32_t *)lane_data(sim, COSM_SIM_SLOT_EPISODE_NUMBER))[w] >= 4);
            }
            CHECK_INT(cosm_batch_validate(cosm_sim_batch(sim)), COSM_OK);
            lane_close(sim);
        }
        ledger_close(&ledger);
    }
}
