// Episodes: limits, parameters, final observations, failures.
#include "harness.h"
#include "support/lane.h"

#define HOST(sim, Type, slot) ((Type *)lane_data((sim), (slot)))

TEST(a_time_limit_truncates_and_does_not_terminate) {
    cosm_sim *sim = lane_open(LANE_PLACE, &(cosm_sim_desc){.world_count = 3, .step_limit = 4});
    REQUIRE(sim != NULL);
    CHECK_INT(cosm_sim_step_limit(sim), 4);
    for (uint32_t step = 1; step <= 4; step++) {
        for (uint32_t w = 0; w < 3; w++) {
            lane_act(sim, w, 1); // stays
        }
        CHECK_INT(cosm_sim_step(sim), COSM_OK);
        for (uint32_t w = 0; w < 3; w++) {
            CHECK_INT(HOST(sim, uint8_t, COSM_SIM_SLOT_EPISODE_TRUNCATED)[w], step == 4);
            CHECK_INT(HOST(sim, uint8_t, COSM_SIM_SLOT_EPISODE_TERMINATED)[w], 0);
            CHECK_INT(*(uint8_t *)lane_at(sim, LANE_SLOT_TERMINATED, w, 0), 0);
            CHECK_INT(HOST(sim, uint32_t, COSM_SIM_SLOT_EPISODE_LENGTH)[w], step);
        }
    }
    CHECK_INT(HOST(sim, uint32_t, COSM_SIM_SLOT_LAST_LENGTH)[2], 4);
    lane_close(sim);
}

TEST(an_episode_that_terminates_at_its_limit_is_not_truncated) {
    // It starts at 0 (number 1, bias 0: 7 % 5 - 2) and walks to the end in four steps.
    CHECK_INT(lane_start(1, 0, 0), 0);
    cosm_sim *sim = lane_open(LANE_PLACE, &(cosm_sim_desc){.step_limit = 4});
    REQUIRE(sim != NULL);
    for (uint32_t step = 0; step < 4; step++) {
        lane_act(sim, 0, 0);
        CHECK_INT(cosm_sim_step(sim), COSM_OK);
    }
    CHECK_INT(HOST(sim, uint8_t, COSM_SIM_SLOT_EPISODE_TERMINATED)[0], 1);
    CHECK_INT(HOST(sim, uint8_t, COSM_SIM_SLOT_EPISODE_TRUNCATED)[0], 0);
    lane_close(sim);
}

TEST(without_a_limit_episodes_go_on) {
    cosm_env_desc env = *lane_env(LANE_PLACE);
    env.step_limit = 0;
    cosm_sim *sim = cosm_sim_create(&(cosm_sim_desc){.env = &env});
    REQUIRE(sim != NULL);
    for (uint32_t step = 0; step < 300; step++) {
        lane_act(sim, 0, 1);
        CHECK_INT(cosm_sim_step(sim), COSM_OK);
    }
    CHECK_INT(HOST(sim, uint32_t, COSM_SIM_SLOT_EPISODE_LENGTH)[0], 300);
    CHECK_INT(HOST(sim, uint8_t, COSM_SIM_SLOT_EPISODE_TRUNCATED)[0], 0);
    lane_close(sim);
}

TEST(an_episode_that_is_never_cut_off_outlives_every_length) {
    static const cosm_autoreset modes[] = {COSM_AUTORESET_NEXT_STEP, COSM_AUTORESET_SAME_STEP,
                                           COSM_AUTORESET_DISABLED};
    static const uint32_t lengths[] = {11, (uint32_t)INT32_MAX - 1, (uint32_t)INT32_MAX,
                                       UINT32_MAX - 1};
    for (uint32_t m = 0; m < 3; m++) {
        cosm_sim *sim =
            lane_open(LANE_PLACE, &(cosm_sim_desc){.autoreset = modes[m],
                                                   .step_limit = COSM_SIM_STEP_LIMIT_NONE});
        REQUIRE(sim != NULL);
        CHECK_INT(cosm_sim_step_limit(sim), 0);
        for (uint32_t i = 0; i < 4; i++) {
            HOST(sim, uint32_t, COSM_SIM_SLOT_EPISODE_LENGTH)[0] = lengths[i];
            lane_act(sim, 0, 1); // stays
            CHECK_INT(cosm_sim_step(sim), COSM_OK);
            CHECK_INT(HOST(sim, uint32_t, COSM_SIM_SLOT_EPISODE_LENGTH)[0], lengths[i] + 1);
            CHECK_INT(HOST(sim, uint8_t, COSM_SIM_SLOT_EPISODE_TRUNCATED)[0], 0);
        }
        lane_close(sim);
    }
}

TEST(a_limit_beyond_signed_numbers_cuts_off_where_it_says) {
    const uint32_t limit = 3000000000u;
    cosm_env_desc env = *lane_env(LANE_PLACE);
    for (uint32_t s = 0; s < COSM_LIST_MAX; s++) {
        if (env.slots[s].role == COSM_ROLE_TRUNCATED) {
            env.slots[s].role = COSM_ROLE_INFO; // the host alone cuts off: the short way
        }
    }
    cosm_sim *sim = cosm_sim_create(&(cosm_sim_desc){.env = &env, .step_limit = limit});
    REQUIRE(sim != NULL);
    HOST(sim, uint32_t, COSM_SIM_SLOT_EPISODE_LENGTH)[0] = limit - 2;
    for (uint32_t step = 1; step <= 2; step++) {
        lane_act(sim, 0, 1);
        CHECK_INT(cosm_sim_step(sim), COSM_OK);
        CHECK_INT(HOST(sim, uint8_t, COSM_SIM_SLOT_EPISODE_TRUNCATED)[0], step == 2);
    }
    CHECK_INT(HOST(sim, uint32_t, COSM_SIM_SLOT_LAST_LENGTH)[0], limit);
    lane_close(sim);
}

TEST(the_step_after_the_end_passes_its_action_over_and_gives_no_reward) {
    cosm_sim *sim = lane_open(LANE_BEGIN, &(cosm_sim_desc){.step_limit = 1});
    REQUIRE(sim != NULL);
    lane_act(sim, 0, 2);
    CHECK_INT(cosm_sim_step(sim), COSM_OK);
    CHECK_NEAR(*(float *)lane_at(sim, LANE_SLOT_REWARD, 0, 0), 0.5, 0);
    CHECK_INT(HOST(sim, uint8_t, COSM_SIM_SLOT_EPISODE_TRUNCATED)[0], 1);
    lane_act(sim, 0, 2);
    CHECK_INT(cosm_sim_step(sim), COSM_OK);
    CHECK_NEAR(*(float *)lane_at(sim, LANE_SLOT_REWARD, 0, 0), 0.0, 0);
    CHECK_NEAR(*(float *)lane_at(sim, LANE_SLOT_OBSERVATION, 0, 0), lane_start(2, 0, 0), 0);
    CHECK_INT(HOST(sim, uint32_t, COSM_SIM_SLOT_EPISODE_NUMBER)[0], 2);
    CHECK_INT(HOST(sim, uint8_t, COSM_SIM_SLOT_RESET)[0], 0);
    lane_close(sim);
}

TEST(within_the_same_step_the_last_observation_is_kept_apart) {
    static const enum lane_kind kinds[] = {LANE_PLACE, LANE_BEGIN, LANE_HERD, LANE_SWARM,
                                           LANE_SOLO};
    for (uint32_t k = 0; k < 5; k++) {
        double biases[3] = {0, 2, 4};
        cosm_sim_param param = {.name = "bias", .values = biases};
        cosm_sim *sim = lane_open(kinds[k], &(cosm_sim_desc){.world_count = 3,
                                                             .autoreset = COSM_AUTORESET_SAME_STEP,
                                                             .params = &param,
                                                             .param_count = 1,
                                                             .step_limit = 3});
        REQUIRE(sim != NULL);
        const cosm_tensor *final = cosm_sim_final(sim, LANE_SLOT_OBSERVATION);
        REQUIRE(final != NULL);
        bool has_many = kinds[k] == LANE_HERD || kinds[k] == LANE_SWARM;
        CHECK((cosm_sim_final(sim, LANE_SLOT_REWARD) != NULL) == has_many);
        CHECK(cosm_sim_final(sim, LANE_SLOT_ACTION) == NULL);
        uint8_t *reset = cosm_sim_tensor(sim, COSM_ROLE_RESET)->data;
        for (uint32_t step = 0; step < 3; step++) {
            // World 1 begins anew on its own in the second step, so that only 0 and 2 are over.
            *(reset + cosm_sim_tensor(sim, COSM_ROLE_RESET)->strides[0]) = step == 1;
            for (uint32_t w = 0; w < 3; w++) {
                lane_act(sim, w, 1);
            }
            CHECK_INT(cosm_sim_step(sim), COSM_OK);
        }
        for (uint32_t w = 0; w < 3; w += 2) {
            int64_t row = final->kind == COSM_TENSOR_ROWS ? final->offsets[w] : (int64_t)w;
            const float *seen = (const float *)((char *) final->data + row * final->strides[0]);
            CHECK_NEAR(seen[0], lane_start(1, (int32_t)biases[w], 0), 0);
            CHECK_NEAR(seen[1], 3.0, 0);
            if (has_many) {
                const cosm_tensor *told = cosm_sim_final(sim, LANE_SLOT_REWARD);
                const float *reward = (const float *)((char *)told->data + row * told->strides[0]);
                CHECK_NEAR(*reward, *(float *)lane_at(sim, LANE_SLOT_REWARD, w, 0), 0);
                CHECK(w == 0 || *reward != 0.0f); // agents of world 0 stand at 0
            }
            CHECK_NEAR(*(float *)lane_at(sim, LANE_SLOT_OBSERVATION, w, 0),
                       lane_start(2, (int32_t)biases[w], 0), 0);
            CHECK_INT(HOST(sim, uint8_t, COSM_SIM_SLOT_EPISODE_TRUNCATED)[w], 1);
            CHECK_INT(HOST(sim, uint32_t, COSM_SIM_SLOT_EPISODE_LENGTH)[w], 0);
            CHECK_INT(HOST(sim, uint32_t, COSM_SIM_SLOT_LAST_LENGTH)[w], 3);
        }
        CHECK_INT(HOST(sim, uint8_t, COSM_SIM_SLOT_EPISODE_TRUNCATED)[1], 0);
        CHECK_INT(HOST(sim, uint32_t, COSM_SIM_SLOT_EPISODE_LENGTH)[1], 1);
        lane_close(sim);
    }
}

TEST(final_rows_that_need_more_room_leave_what_was_shown_before) {
    // Each step is an episode, with one agent more than the one before it, up to six.
    cosm_sim *sim = lane_open(
        LANE_SWARM, &(cosm_sim_desc){.autoreset = COSM_AUTORESET_SAME_STEP, .step_limit = 1});
    REQUIRE(sim != NULL);
    const cosm_tensor *final = cosm_sim_final(sim, LANE_SLOT_OBSERVATION);
    REQUIRE(final != NULL && final->kind == COSM_TENSOR_ROWS);
    const float *shown[5];
    float first[5];
    uint32_t move_count = 0;
    for (uint32_t step = 0; step < 5; step++) {
        CHECK_INT(cosm_sim_step(sim), COSM_OK);
        CHECK_INT(final->shape[0], lane_agents(LANE_SWARM, step + 1, 0));
        shown[step] = final->data;
        first[step] = *shown[step];
        move_count += step > 0 && shown[step] != shown[step - 1];
    }
    CHECK(move_count > 1);
    for (uint32_t step = 0; step < 4; step++) {
        if (shown[step] != shown[step + 1]) {
            CHECK_NEAR(*shown[step], first[step], 0);
        }
    }
    lane_close(sim);
}

TEST(a_batch_that_is_stepped_without_the_host_begins_in_the_next_step) {
    cosm_sim *sim = lane_open(
        LANE_PLACE, &(cosm_sim_desc){.autoreset = COSM_AUTORESET_SAME_STEP, .step_limit = 2});
    REQUIRE(sim != NULL);
    lane_act(sim, 0, 1);
    for (uint32_t step = 0; step < 3; step++) {
        CHECK_INT(cosm_batch_step(cosm_sim_batch(sim)), COSM_OK);
    }
    CHECK_INT(HOST(sim, uint32_t, COSM_SIM_SLOT_EPISODE_NUMBER)[0], 2);
    CHECK_INT(HOST(sim, uint32_t, COSM_SIM_SLOT_EPISODE_LENGTH)[0], 0);
    lane_close(sim);
}

TEST(parameters_are_per_world_and_may_be_set_later) {
    double biases[4] = {0, 1, 2, 3};
    cosm_sim_param params[2] = {{.name = "bias", .values = biases}, {.name = "gain", .value = 2.0}};
    cosm_sim *sim = lane_open(
        LANE_HERD, &(cosm_sim_desc){.world_count = 4, .params = params, .param_count = 2});
    REQUIRE(sim != NULL);
    for (uint32_t w = 0; w < 4; w++) {
        CHECK_INT(lane_count(sim, w), lane_agents(LANE_HERD, 1, (int32_t)w));
        CHECK_NEAR(*(float *)lane_at(sim, LANE_SLOT_OBSERVATION, w, 0),
                   lane_start(1, (int32_t)w, 0), 0);
        lane_act(sim, w, 1);
    }
    CHECK_INT(cosm_sim_step(sim), COSM_OK);
    CHECK_NEAR(*(float *)lane_at(sim, LANE_SLOT_REWARD, 1, 0), 2.0 * lane_start(1, 1, 0), 0);
    CHECK_INT(cosm_sim_set(sim, &(cosm_sim_param){.name = "bias", .value = 1.0}), COSM_OK);
    CHECK_INT(cosm_sim_reset(sim, NULL, NULL, NULL), COSM_OK);
    for (uint32_t w = 0; w < 4; w++) {
        CHECK_INT(lane_count(sim, w), lane_agents(LANE_HERD, 2, 1));
    }
    CHECK_INT(cosm_sim_set(sim, &(cosm_sim_param){.name = "reward", .value = 1.0}),
              COSM_ERROR_ARGUMENT);
    CHECK_CONTAINS(cosm_error_message(), "has no parameter 'reward'; its parameters are: ");
    CHECK_INT(cosm_sim_set(sim, &(cosm_sim_param){.name = "bais", .value = 1.0}),
              COSM_ERROR_ARGUMENT);
    CHECK_CONTAINS(cosm_error_message(), "; did you mean 'bias'?");
    CHECK_INT(cosm_sim_set(sim, &(cosm_sim_param){.name = "bias", .value = 0.5}),
              COSM_ERROR_ARGUMENT);
    CHECK_CONTAINS(
        cosm_error_message(),
        "parameter 'bias' is 0.5 in world 0; it is of type i32: pass a whole number from ");
    biases[2] = 4;
    CHECK_INT(cosm_sim_set(sim, &(cosm_sim_param){.name = "spread", .values = biases}),
              COSM_ERROR_ARGUMENT);
    CHECK_CONTAINS(cosm_error_message(), "parameter 'spread' is 4 in world 2");
    CHECK_INT(*HOST(sim, uint32_t, LANE_SLOT_SPREAD), 0);
    CHECK_INT(cosm_sim_set(sim, &(cosm_sim_param){.value = 4}), COSM_ERROR_ARGUMENT);
    CHECK_INT(cosm_sim_set(sim, NULL), COSM_ERROR_ARGUMENT);
    CHECK_INT(cosm_sim_set(NULL, &params[0]), COSM_ERROR_ARGUMENT);
    lane_close(sim);
}

// An environment whose `begin` fails when it is told to.
static bool begin_fails;
static cosm_env_begin_fn *begin_well;

static cosm_result begin_or_fail(void *context, cosm_world world, cosm_random *random) {
    if (begin_fails && world.index == 1) {
        return COSM_ERROR_SYSTEM;
    }
    return begin_well(context, world, random);
}

TEST(a_begin_that_fails_fails_the_step_and_the_next_step_tries_again) {
    cosm_env_desc env = *lane_env(LANE_BEGIN);
    begin_well = env.begin;
    env.begin = begin_or_fail;
    begin_fails = false;
    cosm_sim *sim = cosm_sim_create(
        &(cosm_sim_desc){.env = &env, .world_count = 3, .engine = {.worker_count = 1}});
    REQUIRE(sim != NULL);
    begin_fails = true;
    HOST(sim, uint8_t, COSM_SIM_SLOT_RESET)[1] = 1;
    CHECK_INT(cosm_sim_step(sim), COSM_ERROR_SYSTEM);
    CHECK_CONTAINS(cosm_error_message(), "environment 'begin': begin failed in world 1");
    CHECK_CONTAINS(cosm_error_message(), "the next step tries again");
    CHECK_INT(lane_count(sim, 1), 0);
    CHECK_INT(cosm_sim_reset(sim, (uint8_t[]){0, 1, 0}, NULL, NULL), COSM_ERROR_SYSTEM);
    begin_fails = false;
    CHECK_INT(cosm_sim_step(sim), COSM_OK);
    CHECK_INT(lane_count(sim, 1), 1);
    CHECK_INT(HOST(sim, uint8_t, COSM_SIM_SLOT_RESET)[1], 0);
    CHECK_INT(HOST(sim, uint32_t, COSM_SIM_SLOT_EPISODE_LENGTH)[1], 0);
    lane_close(sim);
    begin_fails = true;
    CHECK(cosm_sim_create(&(cosm_sim_desc){.env = &env, .world_count = 3}) == NULL);
    CHECK_CONTAINS(cosm_error_message(), "begin failed in world 1");
    CHECK_CONTAINS(cosm_error_message(), "have it fill the world");
}

TEST(rows_that_the_mask_says_are_no_agents_keep_no_episode_going) {
    double biases[2] = {50, 0};
    cosm_sim_param param = {.name = "bias", .values = biases};
    cosm_sim_desc desc = {.world_count = 2, .params = &param, .param_count = 1};
    cosm_sim *sim = lane_open(LANE_HERD, &desc);
    REQUIRE(sim != NULL);
    lane_act(sim, 0, 2);
    lane_act(sim, 1, 2);
    CHECK_INT(cosm_sim_step(sim), COSM_OK);
    CHECK_INT(HOST(sim, uint8_t, COSM_SIM_SLOT_EPISODE_TERMINATED)[0], 1);
    CHECK_INT(HOST(sim, uint8_t, COSM_SIM_SLOT_EPISODE_TERMINATED)[1], 0);
    // Nor does what they have for a reward count.
    const cosm_tensor *reward = cosm_sim_tensor(sim, COSM_ROLE_REWARD);
    CHECK(*(const float *)reward->data > 0.0f);
    CHECK(HOST(sim, float, COSM_SIM_SLOT_LAST_RETURN)[0] == 0.0f);
    CHECK(HOST(sim, float, COSM_SIM_SLOT_EPISODE_RETURN)[1] > 0.0f);
    lane_close(sim);
}

TEST(a_byte_that_waits_for_the_next_step_waits_through_a_reset_of_other_worlds) {
    cosm_sim *sim = lane_open(LANE_PLACE, &(cosm_sim_desc){.world_count = 3});
    REQUIRE(sim != NULL);
    HOST(sim, uint8_t, COSM_SIM_SLOT_RESET)[2] = 1;
    CHECK_INT(cosm_sim_reset(sim, (uint8_t[]){1, 0, 0}, NULL, NULL), COSM_OK);
    CHECK_INT(HOST(sim, uint32_t, COSM_SIM_SLOT_EPISODE_NUMBER)[0], 2);
    CHECK_INT(HOST(sim, uint32_t, COSM_SIM_SLOT_EPISODE_NUMBER)[2], 1);
    CHECK_INT(HOST(sim, uint8_t, COSM_SIM_SLOT_RESET)[2], 1);
    CHECK_INT(cosm_sim_step(sim), COSM_OK);
    CHECK_INT(HOST(sim, uint32_t, COSM_SIM_SLOT_EPISODE_NUMBER)[2], 2);
    lane_close(sim);
}
