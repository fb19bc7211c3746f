// The environment cartpole: its motion against a reference in double precision, its episodes, and
// what it does where nobody resets it.
//
// The pole is unstable: what one rounding makes of it doubles about every ten steps. So the bar of
// 1e-6 is held step by step: the reference starts each step from the numbers that the environment
// has. Left alone for a whole episode it has to stay within what that growth allows.
// ctest: golden sim
#include "cartpole.h"
#include "envs.h"
#include "harness.h"
#include <cosm_sim/sim.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORLD_COUNT 64u
#define STEP_COUNT 500u

// The equations as they stand in Barto, Sutton and Anderson (1983) and in Gymnasium, with libm.
struct reference {
    double x;
    double x_dot;
    double theta;
    double theta_dot;
};

static struct reference reference_of(const float *numbers) {
    return (struct reference){(double)numbers[0], (double)numbers[1], (double)numbers[2],
                              (double)numbers[3]};
}

static void reference_step(struct reference *state, int32_t action) {
    const double gravity = 9.8;
    const double cart_mass = 1.0;
    const double pole_mass = 0.1;
    const double total_mass = cart_mass + pole_mass;
    const double length = 0.5;
    const double tau = 0.02;
    double force = action == 1 ? 10.0 : -10.0;
    double sine = sin(state->theta);
    double cosine = cos(state->theta);
    double temp =
        (force + pole_mass * length * state->theta_dot * state->theta_dot * sine) / total_mass;
    double theta_acc = (gravity * sine - cosine * temp) /
                       (length * (4.0 / 3.0 - pole_mass * cosine * cosine / total_mass));
    double x_acc = temp - pole_mass * length * theta_acc * cosine / total_mass;
    state->x += tau * state->x_dot;
    state->x_dot += tau * x_acc;
    state->theta += tau * state->theta_dot;
    state->theta_dot += tau * theta_acc;
}

static bool reference_is_over(const struct reference *state) {
    const double theta_max = 12.0 * 2.0 * acos(-1.0) / 360.0;
    return state->x < -2.4 || state->x > 2.4 || state->theta < -theta_max ||
           state->theta > theta_max;
}

// Is it so near to where episodes end that rounding decides?
static bool reference_is_close(const struct reference *state, double margin) {
    const double theta_max = 12.0 * 2.0 * acos(-1.0) / 360.0;
    return fabs(fabs(state->x) - 2.4) < margin || fabs(fabs(state->theta) - theta_max) < margin;
}

// The largest of the four differences.
static double distance(const struct reference *state, const float *numbers) {
    double x = fabs(state->x - (double)numbers[0]);
    double x_dot = fabs(state->x_dot - (double)numbers[1]);
    double theta = fabs(state->theta - (double)numbers[2]);
    double theta_dot = fabs(state->theta_dot - (double)numbers[3]);
    return fmax(fmax(x, x_dot), fmax(theta, theta_dot));
}

// A simulation and its tensors.
struct trial {
    cosm_sim *sim;
    uint32_t world_count;
    float *seen;
    int32_t *action;
    const float *reward;
    const bool *terminated;
    const uint8_t *over;    // this step ended the episode
    const uint8_t *cut;     // this step cut it off
    const uint32_t *length; // of the episode
};

static void *data_of(const cosm_sim *sim, uint32_t slot) {
    const cosm_tensor *tensor = cosm_batch_tensor(cosm_sim_batch(sim), slot);
    CHECK(tensor != NULL);
    return tensor == NULL ? NULL : tensor->data;
}

static bool trial_begin(struct trial *trial, const cosm_sim_desc *desc) {
    cosm_sim_desc own = *desc;
    own.env = &scene_cartpole;
    cosm_error_clear();
    trial->sim = cosm_sim_create(&own);
    CHECK_STR(cosm_error_message(), "");
    if (trial->sim == NULL) {
        CHECK(false);
        return false;
    }
    trial->world_count = cosm_batch_world_count(cosm_sim_batch(trial->sim));
    trial->seen = data_of(trial->sim, CARTPOLE_SLOT_OBSERVATION);
    trial->action = data_of(trial->sim, CARTPOLE_SLOT_ACTION);
    trial->reward = data_of(trial->sim, CARTPOLE_SLOT_REWARD);
    trial->terminated = data_of(trial->sim, CARTPOLE_SLOT_TERMINATED);
    trial->over = data_of(trial->sim, COSM_SIM_SLOT_EPISODE_TERMINATED);
    trial->cut = data_of(trial->sim, COSM_SIM_SLOT_EPISODE_TRUNCATED);
    trial->length = data_of(trial->sim, COSM_SIM_SLOT_EPISODE_LENGTH);
    return true;
}

static void trial_end(struct trial *trial) {
    CHECK_INT(cosm_sim_destroy(trial->sim), COSM_OK);
}

static void take_step(struct trial *trial) {
    cosm_result result = cosm_sim_step(trial->sim);
    CHECK_STR(result == COSM_OK ? "" : cosm_error_message(), "");
}

static void act_randomly(struct trial *trial, cosm_random *random) {
    for (uint32_t w = 0; w < trial->world_count; w++) {
        trial->action[w] = (int32_t)cosm_random_below(random, 2);
    }
}

// Keeps poles upright for good.
static void act_wisely(struct trial *trial) {
    for (uint32_t w = 0; w < trial->world_count; w++) {
        const float *seen = trial->seen + (size_t)w * 4;
        float lean = seen[2] + 0.5f * seen[3] + 0.05f * seen[0] + 0.1f * seen[1];
        trial->action[w] = lean > 0.0f;
    }
}

TEST(sine_and_cosine_are_those_of_the_c_library_to_within_1e_7) {
    double sine_worst = 0.0;
    double cosine_worst = 0.0;
    for (int32_t i = -420000; i <= 420000; i++) {
        float angle = (float)i * 1e-6f;
        double sine = fabs((double)cartpole_sine(angle) - sin((double)angle));
        double cosine = fabs((double)cartpole_cosine(angle) - cos((double)angle));
        sine_worst = fmax(sine_worst, sine);
        cosine_worst = fmax(cosine_worst, cosine);
    }
    CHECK_NEAR(sine_worst, 0.0, 1e-7);
    CHECK_NEAR(cosine_worst, 0.0, 1e-7);
}

// One random step in all worlds, and what it must have come to in each. Returns the largest
// difference.
static double check_step(struct trial *trial, cosm_random *random) {
    float before[WORLD_COUNT * 4];
    bool was_over[WORLD_COUNT];
    double worst = 0.0;
    memcpy(before, trial->seen, sizeof(before));
    for (uint32_t w = 0; w < WORLD_COUNT; w++) {
        was_over[w] = (trial->over[w] | trial->cut[w]) != 0;
    }
    act_randomly(trial, random);
    take_step(trial);
    for (uint32_t w = 0; w < WORLD_COUNT; w++) {
        if (was_over[w]) {
            CHECK_INT(trial->terminated[w], false);
            CHECK_NEAR((double)trial->reward[w], 0.0, 0.0);
            CHECK_INT(trial->length[w], 0);
            continue;
        }
        struct reference state = reference_of(before + (size_t)w * 4);
        reference_step(&state, trial->action[w]);
        worst = fmax(worst, distance(&state, trial->seen + (size_t)w * 4));
        CHECK_INT(trial->over[w] != 0, trial->terminated[w]);
        if (!reference_is_close(&state, 1e-7)) {
            CHECK_INT(trial->terminated[w], reference_is_over(&state));
        }
        CHECK_NEAR((double)trial->reward[w], 1.0, 0.0);
    }
    return worst;
}

TEST(every_step_is_that_of_the_reference_to_within_1e_6_with_the_same_flags) {
    struct trial trial;
    REQUIRE(trial_begin(&trial, &(cosm_sim_desc){.world_count = WORLD_COUNT, .seed = 3}));
    cosm_random random = cosm_random_seed(harness_seed(), 1);
    double worst = 0.0;
    for (uint32_t s = 0; s < STEP_COUNT; s++) {
        worst = fmax(worst, check_step(&trial, &random));
    }
    CHECK_NEAR(worst, 0.0, 1e-6);
    trial_end(&trial);
}

// One step of a world that was not over, against a reference that has gone along since the episode
// began. A lean grows by the factor e^(0.02 * 3.97) in a step, 3.97 being the root of g over
// 4/3 - 1/11 half lengths, and so does what rounding made of it.
static void check_episode(const struct trial *trial, uint32_t w, struct reference *state) {
    double bound = 1e-6 * pow(1.083, (double)trial->length[w]);
    reference_step(state, trial->action[w]);
    CHECK_NEAR(distance(state, trial->seen + (size_t)w * 4), 0.0, bound);
    if (!reference_is_close(state, bound)) {
        CHECK_INT(trial->over[w] != 0, reference_is_over(state));
    }
}

TEST(whole_episodes_stay_as_near_to_the_reference_as_an_unstable_pole_can) {
    struct trial trial;
    REQUIRE(trial_begin(&trial, &(cosm_sim_desc){.world_count = WORLD_COUNT, .seed = 4}));
    cosm_random random = cosm_random_seed(harness_seed(), 2);
    struct reference states[WORLD_COUNT];
    for (uint32_t w = 0; w < WORLD_COUNT; w++) {
        states[w] = reference_of(trial.seen + (size_t)w * 4);
    }
    for (uint32_t s = 0; s < STEP_COUNT; s++) {
        act_randomly(&trial, &random);
        take_step(&trial);
        for (uint32_t w = 0; w < WORLD_COUNT; w++) {
            if (trial.length[w] == 0) { // it has begun anew
                states[w] = reference_of(trial.seen + (size_t)w * 4);
            } else {
                check_episode(&trial, w, &states[w]);
            }
        }
    }
    trial_end(&trial);
}

TEST(episodes_begin_at_numbers_that_are_evenly_spread_and_differ_from_world_to_world) {
    enum { WORLDS = 4096, BINS = 16 };
    struct trial trial;
    REQUIRE(trial_begin(&trial, &(cosm_sim_desc){.world_count = WORLDS, .seed = 5}));
    for (uint32_t k = 0; k < 4; k++) {
        uint32_t bins[BINS] = {0};
        double sum = 0.0;
        for (uint32_t w = 0; w < WORLDS; w++) {
            float number = trial.seen[w * 4 + k];
            CHECK(number >= -0.05f && number <= 0.05f);
            sum += (double)number;
            uint32_t bin = (uint32_t)((number + 0.05f) * 10.0f * BINS);
            bins[bin < BINS ? bin : BINS - 1]++;
        }
        // The mean of so many has a deviation of 0.00045; a bin of 256 has one of 15.5.
        CHECK_NEAR(sum / WORLDS, 0.0, 0.002);
        for (uint32_t b = 0; b < BINS; b++) {
            CHECK_NEAR((double)bins[b], (double)WORLDS / BINS, 5 * 15.5);
        }
    }
    // The four of one world go up and down on their own.
    double product = 0.0;
    for (uint32_t w = 0; w < WORLDS; w++) {
        product += (double)trial.seen[w * 4] * (double)trial.seen[w * 4 + 2];
    }
    CHECK_NEAR(product / WORLDS, 0.0, 5 * 0.05 * 0.05 / 3.0 / 64.0);
    trial_end(&trial);
}

TEST(episodes_begin_where_the_random_numbers_of_their_world_and_episode_say) {
    struct trial trial;
    REQUIRE(trial_begin(&trial, &(cosm_sim_desc){.world_count = 200, .seed = 5}));
    for (uint32_t w = 0; w < 200; w++) {
        cosm_random random = cosm_world_random(cosm_batch_world(cosm_sim_batch(trial.sim), w), 1);
        for (uint32_t k = 0; k < 4; k++) {
            CHECK(trial.seen[w * 4 + k] == cartpole_start(cosm_random_u32(&random)));
        }
    }
    trial_end(&trial);
}

TEST(an_episode_differs_from_the_one_before_it) {
    struct trial trial;
    REQUIRE(trial_begin(&trial, &(cosm_sim_desc){.world_count = 3, .seed = 6}));
    float first[12];
    memcpy(first, trial.seen, sizeof(first));
    CHECK_INT(cosm_sim_reset(trial.sim, NULL, NULL, NULL), COSM_OK);
    for (uint32_t i = 0; i < 12; i++) {
        CHECK(trial.seen[i] != first[i]);
    }
    static const uint64_t seeds[] = {6, 7, 8};
    CHECK_INT(cosm_sim_reset(trial.sim, NULL, seeds, NULL), COSM_OK);
    float second[12];
    memcpy(second, trial.seen, sizeof(second));
    CHECK_INT(cosm_sim_reset(trial.sim, NULL, seeds, NULL), COSM_OK);
    CHECK_MEM(trial.seen, second, sizeof(second));
    trial_end(&trial);
}

TEST(a_pole_that_stays_up_is_cut_off_after_500_steps) {
    struct trial trial;
    REQUIRE(trial_begin(&trial, &(cosm_sim_desc){.world_count = 8, .seed = 7}));
    for (uint32_t s = 1; s <= 500; s++) {
        act_wisely(&trial);
        take_step(&trial);
        for (uint32_t w = 0; w < 8; w++) {
            CHECK_INT(trial.over[w], 0);
            CHECK_INT(trial.terminated[w], false);
            CHECK_INT(trial.cut[w] != 0, s == 500);
            CHECK_INT(trial.length[w], s);
        }
    }
    const float *returns = data_of(trial.sim, COSM_SIM_SLOT_LAST_RETURN);
    CHECK_NEAR((double)returns[0], 500.0, 0.0);
    take_step(&trial);
    for (uint32_t i = 0; i < 32; i++) {
        CHECK_NEAR((double)trial.seen[i], 0.0, 0.05);
    }
    trial_end(&trial);
}

TEST(a_cart_whose_episode_is_over_stands_still_and_earns_nothing) {
    struct trial trial;
    REQUIRE(trial_begin(&trial,
                        &(cosm_sim_desc){.world_count = 4, .autoreset = COSM_AUTORESET_DISABLED}));
    for (uint32_t s = 0; s < 100; s++) {
        take_step(&trial); // always to the left
    }
    float last[16];
    memcpy(last, trial.seen, sizeof(last));
    for (uint32_t s = 0; s < 1000; s++) {
        take_step(&trial);
    }
    CHECK_MEM(trial.seen, last, sizeof(last));
    for (uint32_t w = 0; w < 4; w++) {
        CHECK_INT(trial.terminated[w], true);
        CHECK_NEAR((double)trial.reward[w], 0.0, 0.0);
        CHECK(fabsf(last[w * 4 + 2]) < 0.42f);
    }
    trial_end(&trial);
}

// Whatever is put there from outside: it is the end of the episode, and nothing moves.
TEST(a_cart_that_is_not_a_number_has_terminated) {
    struct trial trial;
    REQUIRE(trial_begin(&trial,
                        &(cosm_sim_desc){.world_count = 1, .autoreset = COSM_AUTORESET_DISABLED}));
    cosm_world world = cosm_batch_world(cosm_sim_batch(trial.sim), 0);
    cosm_engine *engine = cosm_sim_engine(trial.sim);
    cosm_component component = cosm_component_find(engine, "CartState");
    cosm_entity cart = cosm_entity_at(world, (cosm_loc){cosm_archetype_find(engine, "cart").id, 0});
    CartState state = {NAN, 0.0f, 0.0f, 0.0f};
    CHECK_INT(cosm_entity_set(world, cart, component, &state), COSM_OK);
    take_step(&trial);
    CHECK_INT(trial.terminated[0], true);
    CHECK_NEAR((double)trial.seen[3], 0.0, 0.0);
    trial_end(&trial);
}

TEST(its_slots_have_the_shapes_and_ranges_of_the_standard_one) {
    struct trial trial;
    REQUIRE(trial_begin(&trial, &(cosm_sim_desc){.world_count = 5}));
    const cosm_tensor *seen = cosm_sim_tensor(trial.sim, COSM_ROLE_OBSERVATION);
    CHECK_INT(seen->dim_count, 3);
    CHECK_INT(seen->shape[0], 5);
    CHECK_INT(seen->shape[1], 1);
    CHECK_INT(seen->shape[2], 4);
    CHECK_INT(seen->type, COSM_FIELD_F32);
    cosm_space space;
    CHECK(cosm_sim_space(trial.sim, CARTPOLE_SLOT_ACTION, &space));
    CHECK_INT(space.choice_count, 2);
    const double highs[] = {4.8, (double)INFINITY, 0.41887903, (double)INFINITY};
    for (uint32_t i = 0; i < 4; i++) {
        REQUIRE(cosm_sim_space_at(trial.sim, CARTPOLE_SLOT_OBSERVATION, i, &space));
        CHECK(space.low == -highs[i] && space.high == highs[i]);
    }
    CHECK(!cosm_sim_space_at(trial.sim, CARTPOLE_SLOT_OBSERVATION, 4, &space));
    CHECK(!cosm_sim_space_at(trial.sim, CARTPOLE_SLOT_OBSERVATION, 0, NULL));
    CHECK_INT(cosm_sim_agent_max(trial.sim), 1);
    CHECK_INT(cosm_sim_step_limit(trial.sim), 500);
    cosm_engine *engine = cosm_sim_engine(trial.sim);
    cosm_component component = cosm_component_find(engine, "CartObservation");
    const cosm_field *fields = cosm_component_describe(engine, component).fields;
    CHECK_NEAR(fields[0].max, 4.8, 0.0);
    CHECK_NEAR(fields[2].max, 24.0 * acos(-1.0) / 180.0, 1e-7);
    trial_end(&trial);
}

TEST(its_picture_shows_where_the_cart_is) {
    struct trial trial;
    REQUIRE(trial_begin(&trial, &(cosm_sim_desc){.world_count = 1, .seed = 1}));
    enum { WIDTH = 60, HEIGHT = 40 };
    uint8_t pixels[2][WIDTH * HEIGHT * 3];
    memset(pixels, 0, sizeof(pixels));
    for (uint32_t i = 0; i < 2; i++) {
        cosm_canvas canvas = {pixels[i], WIDTH, HEIGHT};
        CHECK_INT(cosm_sim_draw(trial.sim, 0, &canvas), COSM_OK);
        for (uint32_t s = 0; s < 20; s++) {
            trial.action[0] = 1;
            take_step(&trial);
        }
    }
    CHECK(memcmp(pixels[0], pixels[1], sizeof(pixels[0])) != 0);
    // The cart is in the middle to begin with, and the sky above it is not black.
    const uint8_t *middle = &pixels[0][(HEIGHT * 3 / 4 * WIDTH + WIDTH / 2) * 3];
    CHECK(middle[2] > middle[0]);
    CHECK(pixels[0][0] > 200);
    trial_end(&trial);
}
