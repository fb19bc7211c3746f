// Libraries: environments that are loaded, and what is wrong with those that are not.
#include "harness.h"
#include "support/lane.h"

#define LIBRARY(name) COSM_TEST_LIBRARIES "/" name ".so"

static void check_refused(const char *path, const char *words) {
    cosm_error_clear();
    CHECK(cosm_sim_create(&(cosm_sim_desc){.library = path}) == NULL);
    CHECK_CONTAINS(cosm_error_message(), words);
    CHECK_CONTAINS(cosm_error_message(), path);
}

TEST(an_environment_of_a_library_runs) {
    cosm_sim *sim = cosm_sim_create(&(cosm_sim_desc){.library = LIBRARY("good"), .world_count = 9});
    if (sim == NULL) {
        CHECK_STR(cosm_error_message(), "");
        return;
    }
    CHECK_STR(cosm_sim_env(sim)->name, "good");
    for (uint32_t step = 0; step < 3; step++) {
        CHECK_INT(cosm_sim_step(sim), COSM_OK);
    }
    CHECK_NEAR(((float *)lane_data(sim, COSM_SIM_SLOT_EPISODE_RETURN))[8], 6.0, 0);
    CHECK_INT(((uint8_t *)lane_data(sim, COSM_SIM_SLOT_EPISODE_TRUNCATED))[8], 1);
    lane_close(sim);
}

TEST(two_simulations_of_one_library_do_not_know_of_each_other) {
    cosm_sim *a = cosm_sim_create(&(cosm_sim_desc){.library = LIBRARY("good")});
    cosm_sim *b = cosm_sim_create(&(cosm_sim_desc){.library = LIBRARY("good"), .world_count = 2});
    REQUIRE(a != NULL && b != NULL);
    CHECK_INT(cosm_sim_step(a), COSM_OK);
    lane_close(a);
    CHECK_INT(cosm_sim_step(b), COSM_OK);
    CHECK_INT(cosm_sim_step(b), COSM_OK);
    CHECK_NEAR(((float *)lane_data(b, COSM_SIM_SLOT_EPISODE_RETURN))[1], 3.0, 0);
    lane_close(b);
}

TEST(a_file_that_is_not_there_or_no_library_is_refused) {
    check_refused(COSM_TEST_LIBRARIES "/nowhere.so", "cosm_sim_create: cannot load ");
    CHECK_INT(cosm_error_result(), COSM_ERROR_IO);
    check_refused(COSM_TEST_LIBRARIES, "cannot load ");
}

TEST(a_library_without_the_entry_is_refused) {
    check_refused(LIBRARY("no_entry"), "has no function cosm_env_entry; define it with");
    check_refused(LIBRARY("no_desc"), "returned NULL; return a desc");
}

TEST(a_library_for_another_version_is_told_as_such) {
    check_refused(LIBRARY("other_version"), "is an environment of version 8 of cosm_sim/env.h");
    check_refused(LIBRARY("other_build"), "was built for Cosm 0.0.1, but this host is Cosm");
}

TEST(a_library_that_misses_a_call_is_refused_with_a_remedy) {
    check_refused(LIBRARY("missing_call"), "undefined symbol: cosm_call_that_is_nowhere");
    CHECK_CONTAINS(cosm_error_message(), "ENABLE_EXPORTS");
}
