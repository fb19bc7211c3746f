// The three ways of going on when an episode is over, against plain C, over random histories.
#include "harness.h"
#include "support/lane.h"

#include <string.h>

#define WORLDS 1100u // at most: more than one tile of the tally

// A world as plain C sees it.
struct plain {
    enum lane_kind kind;
    int32_t bias;
    uint32_t count;
    int32_t x[LANE_AGENT_MAX];
    bool terminated[LANE_AGENT_MAX];
    bool truncated[LANE_AGENT_MAX];
    float reward; // of all agents, in the last step
    float sum;
    uint32_t length;
    uint32_t number;
    bool has_ended;
    bool was_cut;
    float last_sum;
    uint32_t last_length;
    bool is_fresh; // began in the last step
};

static void plain_begin(struct plain *plain) {
    plain->number++;
    plain->count = lane_agents(plain->kind, plain->number, plain->bias);
    for (uint32_t a = 0; a < plain->count; a++) {
        plain->x[a] = lane_start(plain->number, plain->bias, a);
        plain->terminated[a] = false;
        plain->truncated[a] = false;
    }
    plain->sum = 0.0f;
    plain->length = 0;
    plain->is_fresh = true;
}

static void plain_despawn(struct plain *plain) {
    uint32_t kept = 0;
    for (uint32_t a = 0; a < plain->count; a++) {
        if (!plain->terminated[a]) {
            plain->x[kept] = plain->x[a];
            plain->terminated[kept] = false;
            plain->truncated[kept++] = plain->truncated[a];
        }
    }
    plain->count = kept;
}

static void plain_move(struct plain *plain, int32_t move) {
    plain->reward = 0.0f;
    if (plain->kind == LANE_SWARM) {
        plain_despawn(plain);
    }
    for (uint32_t a = 0; a < plain->count; a++) {
        if (!plain->terminated[a]) {
            plain->x[a] += move - 1;
            plain->reward += (float)plain->x[a] * 0.5f;
            plain->terminated[a] = plain->x[a] >= LANE_END || plain->x[a] <= -LANE_END;
            plain->truncated[a] = plain->x[a] == 3 && plain->bias % 2 != 0;
        }
    }
}

static void plain_judge(struct plain *plain, uint32_t limit) {
    bool all_terminated = true;
    bool all_done = true;
    for (uint32_t a = 0; a < plain->count; a++) {
        all_terminated &= plain->terminated[a];
        all_done &= plain->terminated[a] || plain->truncated[a];
    }
    plain->length++;
    plain->sum += plain->reward;
    plain->has_ended = all_terminated;
    plain->was_cut = !all_terminated && (all_done || (limit != 0 && plain->length >= limit));
    if (plain->has_ended || plain->was_cut) {
        plain->last_sum = plain->sum;
        plain->last_length = plain->length;
    }
}

static void plain_step(struct plain *plain, int32_t move, cosm_autoreset mode, uint32_t limit,
                       bool asked) {
    bool over = (plain->has_ended || plain->was_cut) && plain->length != 0;
    plain->is_fresh = false;
    plain_move(plain, move);
    if (asked || (over && mode != COSM_AUTORESET_DISABLED)) {
        plain_begin(plain);
        plain->has_ended = plain->was_cut = false;
        plain->reward = 0.0f;
    } else if (!over) {
        plain_judge(plain, limit);
        if ((plain->has_ended || plain->was_cut) && mode == COSM_AUTORESET_SAME_STEP) {
            float reward = plain->reward;
            plain_begin(plain);
            plain->reward = reward;
        }
    }
}

#define HOST(sim, Type, slot) ((const Type *)lane_data((sim), (slot)))

static void check_world(cosm_sim *sim, uint32_t w, const struct plain *plain) {
    CHECK_NEAR(HOST(sim, float, COSM_SIM_SLOT_EPISODE_RETURN)[w], plain->sum, 0);
    CHECK_INT(HOST(sim, uint32_t, COSM_SIM_SLOT_EPISODE_LENGTH)[w], plain->length);
    CHECK_INT(HOST(sim, uint32_t, COSM_SIM_SLOT_EPISODE_NUMBER)[w], plain->number);
    CHECK_INT(HOST(sim, uint8_t, COSM_SIM_SLOT_EPISODE_TERMINATED)[w], plain->has_ended);
    CHECK_INT(HOST(sim, uint8_t, COSM_SIM_SLOT_EPISODE_TRUNCATED)[w], plain->was_cut);
    CHECK_NEAR(HOST(sim, float, COSM_SIM_SLOT_LAST_RETURN)[w], plain->last_sum, 0);
    CHECK_INT(HOST(sim, uint32_t, COSM_SIM_SLOT_LAST_LENGTH)[w], plain->last_length);
    uint32_t count = lane_count(sim, w);
    CHECK_INT(count, plain->count);
    float reward = 0.0f;
    int32_t places[2] = {0, 0};
    for (uint32_t a = 0; a < count && a < plain->count; a++) {
        reward += *(const float *)lane_at(sim, LANE_SLOT_REWARD, w, a);
        places[0] += (int32_t) * (const float *)lane_at(sim, LANE_SLOT_OBSERVATION, w, a);
        places[1] += plain->x[a];
        if (plain->is_fresh && plain->length == 0 && !plain->has_ended && !plain->was_cut) {
            CHECK_INT(*(const uint8_t *)lane_at(sim, LANE_SLOT_TERMINATED, w, a), 0);
            CHECK_INT(*(const uint8_t *)lane_at(sim, LANE_SLOT_TRUNCATED, w, a), 0);
        }
    }
    CHECK_INT(places[0], places[1]);
    bool is_alone = plain->kind != LANE_HERD && plain->kind != LANE_SWARM;
    if (is_alone || !plain->is_fresh || !(plain->has_ended || plain->was_cut)) {
        // Begun within the same step, agents may be fewer than those that the rewards were of.
        CHECK_NEAR(reward, plain->reward, 0);
    }
}

// A history of one kind in one mode. Now and then the byte `reset` of a world is set.
static void run_history(enum lane_kind kind, const cosm_env_desc *env, uint32_t world_count,
                        cosm_autoreset mode, uint32_t worker_count, uint32_t limit) {
    cosm_random random = cosm_random_seed(harness_seed(), (uint64_t)kind * 3 + (uint64_t)mode);
    static double biases[WORLDS];
    static struct plain plains[WORLDS];
    memset(plains, 0, sizeof(plains));
    for (uint32_t w = 0; w < world_count; w++) {
        plains[w].kind = kind;
        plains[w].bias = cosm_random_range(&random, 0, 4) * 2 + (env == NULL && w % 2 == 1);
        biases[w] = plains[w].bias;
        plain_begin(&plains[w]);
    }
    cosm_sim_param param = {.name = "bias", .values = biases};
    cosm_sim *sim = lane_open(kind, &(cosm_sim_desc){.env = env,
                                                     .world_count = world_count,
                                                     .autoreset = mode,
                                                     .step_limit = limit,
                                                     .params = &param,
                                                     .param_count = 1,
                                                     .engine = {.worker_count = worker_count}});
    REQUIRE(sim != NULL);
    uint8_t *reset = NULL;
    const cosm_tensor *tensor = cosm_sim_tensor(sim, COSM_ROLE_RESET);
    REQUIRE(tensor != NULL);
    for (uint32_t step = 0; step < 120; step++) {
        for (uint32_t w = 0; w < world_count; w++) {
            reset = (uint8_t *)tensor->data + (int64_t)w * tensor->strides[0];
            CHECK_INT(*reset, 0);
            int32_t move = cosm_random_range(&random, 0, 2);
            bool asked = cosm_random_chance(&random, 0.02f);
            *reset = asked;
            lane_act(sim, w, move);
            plain_step(&plains[w], move, mode, limit, asked);
        }
        CHECK_INT(cosm_sim_step(sim), COSM_OK);
        for (uint32_t w = 0; w < world_count; w++) {
            // What goes on in a world that stays over is nobody's business.
            if (mode != COSM_AUTORESET_DISABLED || (!plains[w].has_ended && !plains[w].was_cut)) {
                check_world(sim, w, &plains[w]);
            }
        }
    }
    CHECK_INT(cosm_batch_validate(cosm_sim_batch(sim)), COSM_OK);
    lane_close(sim);
}

static void run_modes(enum lane_kind kind) {
    for (int mode = COSM_AUTORESET_NEXT_STEP; mode <= COSM_AUTORESET_DISABLED; mode++) {
        run_history(kind, NULL, 37, (cosm_autoreset)mode, 1, 12);
        run_history(kind, NULL, 37, (cosm_autoreset)mode, 3, 5);
    }
}

TEST(one_agent_that_begins_in_place_has_the_episodes_of_plain_c_in_all_modes) {
    run_modes(LANE_PLACE);
}

TEST(one_agent_that_is_spawned_has_the_episodes_of_plain_c_in_all_modes) {
    run_modes(LANE_BEGIN);
}

TEST(several_agents_of_a_fixed_archetype_have_the_episodes_of_plain_c_in_all_modes) {
    run_modes(LANE_HERD);
}

TEST(an_agent_in_singletons_has_the_episodes_of_plain_c_in_all_modes) {
    run_modes(LANE_SOLO);
}

TEST(agents_of_a_growing_archetype_that_come_and_go_have_the_episodes_of_plain_c_in_all_modes) {
    run_modes(LANE_SWARM);
}

TEST(many_worlds_with_rewards_and_flags_side_by_side_have_the_episodes_of_plain_c_in_all_modes) {
    // Without a slot for truncated agents: no agent of an even bias is cut off.
    cosm_env_desc env = *lane_env(LANE_PLACE);
    env.step_limit = 0;
    uint32_t kept = 0;
    for (uint32_t s = 0; env.slots[s].role != COSM_ROLE_NONE; s++) {
        if (env.slots[s].role != COSM_ROLE_TRUNCATED) {
            env.slots[kept++] = env.slots[s];
        }
    }
    env.slots[kept].role = COSM_ROLE_NONE;
    for (int mode = COSM_AUTORESET_NEXT_STEP; mode <= COSM_AUTORESET_DISABLED; mode++) {
        run_history(LANE_PLACE, &env, WORLDS, (cosm_autoreset)mode, 1, 12);
        run_history(LANE_PLACE, &env, 200, (cosm_autoreset)mode, 2, 0);
    }
}
