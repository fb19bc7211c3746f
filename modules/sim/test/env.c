// Environments: what a host refuses, and what it says then.
#include <cosm_sim/env.h>

#include "harness.h"
#include "support/lane.h"

#include <string.h>

static void check_refused(const cosm_env_desc *env, const char *words) {
    cosm_error_clear();
    CHECK(cosm_sim_create(&(cosm_sim_desc){.env = env, .world_count = 2}) == NULL);
    CHECK_CONTAINS(cosm_error_message(), words);
    CHECK(cosm_error_result() != COSM_OK);
}

// The environment with one entry of its slots put in place of another, or added.
static cosm_env_desc with_slot(enum lane_kind kind, uint32_t index, uint32_t slot, cosm_role role) {
    cosm_env_desc env = *lane_env(kind);
    env.slots[index] = (cosm_env_slot){slot, role};
    return env;
}

TEST(an_environment_of_another_version_is_refused) {
    cosm_env_desc env = *lane_env(LANE_PLACE);
    env.version = COSM_ENV_VERSION + 1;
    check_refused(&env, "is an environment of version 2 of cosm_sim/env.h, but this host has");
    env = *lane_env(LANE_PLACE);
    env.built_for = "9.8.7";
    check_refused(&env, "was built for Cosm 9.8.7, but this host is Cosm " COSM_VERSION);
    env.built_for = NULL;
    check_refused(&env, "was built for Cosm (NULL)");
}

TEST(an_environment_of_the_same_minor_version_is_taken) {
    cosm_env_desc env = *lane_env(LANE_PLACE);
    env.built_for = "0.1.99";
    cosm_sim *sim = cosm_sim_create(&(cosm_sim_desc){.env = &env});
    CHECK(sim != NULL);
    lane_close(sim);
}

TEST(an_environment_without_name_or_define_is_refused) {
    cosm_env_desc env = *lane_env(LANE_PLACE);
    env.name = NULL;
    check_refused(&env, "has no name; set it");
    env = *lane_env(LANE_PLACE);
    env.define = NULL;
    check_refused(&env, "has no `define`; set it");
}

TEST(slots_that_are_not_there_or_not_the_environments_are_refused) {
    cosm_env_desc env = with_slot(LANE_PLACE, 9, 77, COSM_ROLE_INFO);
    check_refused(&env, "environment 'place': slot 77, COSM_ROLE_INFO, is not defined; define it");
    env = with_slot(LANE_PLACE, 9, COSM_ENV_SLOT_MAX, COSM_ROLE_INFO);
    check_refused(&env, "slots[9].slot is 240, but slots from 240 on are reserved for the host");
    env = with_slot(LANE_PLACE, 9, LANE_SLOT_AGENTS, (cosm_role)COSM_ROLE_COUNT);
    check_refused(&env, "slots[9].role is 11; use a value of cosm_role");
    env = with_slot(LANE_PLACE, 9, LANE_SLOT_REWARD, COSM_ROLE_INFO);
    check_refused(&env, "slot 6, COSM_ROLE_INFO, has two roles; give it one");
    env = with_slot(LANE_PLACE, 9, LANE_SLOT_AGE, COSM_ROLE_REWARD);
    env.slots[8] = (cosm_env_slot){LANE_SLOT_AGENTS, COSM_ROLE_INFO};
    check_refused(&env, "is not the only one with this role");
}

TEST(an_environment_needs_an_observation_and_a_reward) {
    cosm_env_desc env = with_slot(LANE_PLACE, 0, LANE_SLOT_OBSERVATION, COSM_ROLE_INFO);
    check_refused(&env, "environment 'place' has no slot with COSM_ROLE_OBSERVATION");
    env = with_slot(LANE_PLACE, 2, LANE_SLOT_REWARD, COSM_ROLE_INFO);
    check_refused(&env, "environment 'place' has no slot with COSM_ROLE_REWARD");
    memset(env.slots, 0, sizeof(env.slots));
    check_refused(&env, "has no slot with COSM_ROLE_OBSERVATION");
}

TEST(types_shapes_and_directions_are_those_of_the_role) {
    cosm_env_desc env = with_slot(LANE_PLACE, 2, LANE_SLOT_ACTION, COSM_ROLE_REWARD);
    env.slots[1] = (cosm_env_slot){LANE_SLOT_REWARD, COSM_ROLE_INFO};
    check_refused(&env, "slot 5 'action', COSM_ROLE_REWARD, is in; systems set it: make it "
                        "COSM_DIRECTION_OUT");
    env = with_slot(LANE_PLACE, 1, LANE_SLOT_AGENTS, COSM_ROLE_ACTION);
    check_refused(&env, "slot 9 'agents', COSM_ROLE_ACTION, is out; the outside sets it: make it "
                        "COSM_DIRECTION_IN");
    env = with_slot(LANE_PLACE, 3, LANE_SLOT_AGE, COSM_ROLE_TERMINATED);
    env.slots[8] = (cosm_env_slot){LANE_SLOT_AGENTS, COSM_ROLE_INFO};
    check_refused(&env, "slot 14 'age', COSM_ROLE_TERMINATED, is neither bool nor u8");
    env = with_slot(LANE_PLACE, 2, LANE_SLOT_AGENTS, COSM_ROLE_REWARD);
    check_refused(&env, "slot 9 'agents', COSM_ROLE_REWARD, is not of f32; make it a float");
    env = with_slot(LANE_PLACE, 0, LANE_SLOT_AGENTS, COSM_ROLE_OBSERVATION);
    env.slots[2] = (cosm_env_slot){LANE_SLOT_OBSERVATION, COSM_ROLE_REWARD};
    check_refused(&env, "COSM_ROLE_REWARD, has several scalars for a row; name one field");
    env = with_slot(LANE_PLACE, 9, LANE_SLOT_AGENTS, COSM_ROLE_PARAMETER);
    check_refused(&env, "COSM_ROLE_PARAMETER, is out; the outside sets it too: make it "
                        "COSM_DIRECTION_BOTH");
    env = with_slot(LANE_PLACE, 5, LANE_SLOT_AGENTS, COSM_ROLE_INFO);
    env.slots[2] = (cosm_env_slot){LANE_SLOT_GAIN, COSM_ROLE_REWARD};
    env.slots[7] = (cosm_env_slot){LANE_SLOT_REWARD, COSM_ROLE_INFO};
    check_refused(&env, "COSM_ROLE_TERMINATED, has different rows than the reward");
}

TEST(a_mask_of_actions_has_a_byte_for_each_choice) {
    cosm_env_desc env = with_slot(LANE_PLACE, 9, LANE_SLOT_AGENTS, COSM_ROLE_ACTION_MASK);
    check_refused(&env, "slot 9 'agents', COSM_ROLE_ACTION_MASK, does not have one byte for each "
                        "choice");
    env.slots[1] = (cosm_env_slot){LANE_SLOT_GAIN, COSM_ROLE_ACTION};
    env.slots[7] = (cosm_env_slot){LANE_SLOT_ACTION, COSM_ROLE_NONE};
    env.slots[7] = env.slots[9];
    env.slots[8] = (cosm_env_slot){0, COSM_ROLE_NONE};
    check_refused(&env, "COSM_ROLE_ACTION_MASK, is a mask without choices");
}

static cosm_result define_nothing(const cosm_env_setup *setup) {
    (void)setup;
    return COSM_ERROR_SYSTEM;
}

static cosm_result define_in_host_slot(const cosm_env_setup *setup) {
    cosm_singleton mine =
        cosm_singleton_define(setup->engine, &(cosm_singleton_desc){.name = "mine", .size = 4});
    return cosm_export_define(setup->engine,
                              &(cosm_export_desc){.slot = COSM_SIM_SLOT_EPISODE_LENGTH,
                                                  .name = "mine",
                                                  .singleton = mine});
}

TEST(a_define_that_fails_is_told) {
    cosm_env_desc env = {COSM_ENV_BUILT, .name = "none", .define = define_nothing};
    check_refused(&env, "`define` of environment 'none' failed with COSM_ERROR_SYSTEM");
    check_refused(&env, "return the result of the call that failed, or report the reason with");
    env.define = define_in_host_slot;
    check_refused(&env, "cosm_export_define");
}
