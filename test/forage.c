// The environment forage: what holds in every world after every step of long random histories, and
// what its rules and parameters promise.
// ctest: sim
#include "forage.h"
#include "envs.h"
#include "harness.h"
#include "support/scramble.h"

#include <cosm_sim/sim.h>
#include <stdio.h>
#include <string.h>

#define WORLD_COUNT 32u
#define AGENT_MAX FORAGE_AGENT_MAX

// A simulation and what is to be seen of it.
struct trial {
    cosm_sim *sim;
    const uint32_t *counts;
    const uint8_t (*window)[AGENT_MAX][5][5];
    const float (*self)[AGENT_MAX][2];
    int32_t (*action)[AGENT_MAX];
    const uint8_t (*mask)[AGENT_MAX][5];
    const float (*reward)[AGENT_MAX];
    const bool (*terminated)[AGENT_MAX];
    const cosm_entity (*agent_id)[AGENT_MAX];
    const uint8_t *over;
    const uint8_t *cut;
};

static const cosm_tensor *tensor_of(const cosm_sim *sim, uint32_t slot) {
    const cosm_tensor *tensor = cosm_batch_tensor(cosm_sim_batch(sim), slot);
    CHECK(tensor != NULL);
    return tensor;
}

static bool trial_begin(struct trial *trial, const cosm_sim_desc *desc) {
    cosm_sim_desc own = *desc;
    own.env = &scene_forage;
    cosm_error_clear();
    cosm_sim *sim = cosm_sim_create(&own);
    CHECK_STR(cosm_error_message(), "");
    if (sim == NULL) {
        CHECK(false);
        return false;
    }
    *trial = (struct trial){
        .sim = sim,
        .counts = tensor_of(sim, FORAGE_SLOT_ACTION)->counts,
        .window = tensor_of(sim, FORAGE_SLOT_WINDOW)->data,
        .self = tensor_of(sim, FORAGE_SLOT_SELF)->data,
        .action = tensor_of(sim, FORAGE_SLOT_ACTION)->data,
        .mask = tensor_of(sim, FORAGE_SLOT_MASK)->data,
        .reward = tensor_of(sim, FORAGE_SLOT_REWARD)->data,
        .terminated = tensor_of(sim, FORAGE_SLOT_TERMINATED)->data,
        .agent_id = tensor_of(sim, FORAGE_SLOT_AGENT_ID)->data,
        .over = tensor_of(sim, COSM_SIM_SLOT_EPISODE_TERMINATED)->data,
        .cut = tensor_of(sim, COSM_SIM_SLOT_EPISODE_TRUNCATED)->data,
    };
    return true;
}

static void trial_end(struct trial *trial) {
    CHECK_INT(cosm_sim_destroy(trial->sim), COSM_OK);
}

static void take_step(struct trial *trial) {
    cosm_result result = cosm_sim_step(trial->sim);
    CHECK_STR(result == COSM_OK ? "" : cosm_error_message(), "");
}

static cosm_world world_of(const struct trial *trial, uint32_t w) {
    return cosm_batch_world(cosm_sim_batch(trial->sim), w);
}

// A singleton of a world, or a component of its agent in a row, by name.
static const void *value_of(const struct trial *trial, uint32_t w, const char *name) {
    cosm_engine *engine = cosm_sim_engine(trial->sim);
    return cosm_singleton_read(world_of(trial, w), cosm_singleton_find(engine, name));
}

static const void *part_of(const struct trial *trial, uint32_t w, uint32_t row, const char *name) {
    cosm_engine *engine = cosm_sim_engine(trial->sim);
    return cosm_entity_read(world_of(trial, w), trial->agent_id[w][row],
                            cosm_component_find(engine, name));
}

static uint32_t cell_of(const struct trial *trial, uint32_t w, uint32_t row) {
    const ForagePlace *place = part_of(trial, w, row, "ForagePlace");
    CHECK(place != NULL && place->cell < FORAGE_CELL_COUNT);
    return place == NULL || place->cell >= FORAGE_CELL_COUNT ? 0 : place->cell;
}

// Walls, food and agents on the ground are just those that there should be.
static void check_ground(const struct trial *trial, uint32_t w) {
    const ForageGround *ground = value_of(trial, w, "ForageGround");
    const ForageTally *tally = value_of(trial, w, "ForageTally");
    uint32_t kinds[4] = {0};
    for (uint32_t cell = 0; cell < FORAGE_CELL_COUNT; cell++) {
        CHECK(ground->cells[cell] < 4);
        kinds[ground->cells[cell] & 3u]++;
        uint32_t x = cell % FORAGE_SIDE;
        uint32_t y = cell / FORAGE_SIDE;
        if (x == 0 || y == 0 || x == FORAGE_SIDE - 1 || y == FORAGE_SIDE - 1) {
            CHECK_INT(ground->cells[cell], FORAGE_WALL);
        }
    }
    CHECK_INT(kinds[FORAGE_WALL], 4 * (FORAGE_SIDE - 1) + FORAGE_WALL_COUNT);
    CHECK_INT(kinds[FORAGE_AGENT], trial->counts[w]);
    CHECK_INT(kinds[FORAGE_FOOD], tally->food);
    CHECK_INT(tally->food, tally->sown - tally->eaten);
    CHECK(tally->food <= tally->food_max);
}

// An agent stands on a cell of its own, and sees what is there.
static void check_agent(const struct trial *trial, uint32_t w, uint32_t row) {
    static const int32_t ways[5][2] = {{0, 0}, {1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    const ForageGround *ground = value_of(trial, w, "ForageGround");
    const ForageEnergy *energy = part_of(trial, w, row, "ForageEnergy");
    uint32_t cell = cell_of(trial, w, row);
    int32_t x = (int32_t)(cell % FORAGE_SIDE);
    int32_t y = (int32_t)(cell / FORAGE_SIDE);
    CHECK_INT(ground->cells[cell], FORAGE_AGENT);
    for (uint32_t other = 0; other < row; other++) {
        CHECK(cell_of(trial, w, other) != cell);
    }
    for (int32_t down = -2; down <= 2; down++) {
        for (int32_t across = -2; across <= 2; across++) {
            bool is_inside = x + across >= 0 && x + across < 10 && y + down >= 0 && y + down < 10;
            uint8_t kind = is_inside ? ground->cells[(y + down) * 10 + x + across] : FORAGE_WALL;
            CHECK_INT(trial->window[w][row][down + 2][across + 2], kind);
        }
    }
    for (uint32_t m = 0; m < 5; m++) {
        uint8_t kind = ground->cells[(y + ways[m][1]) * 10 + x + ways[m][0]];
        bool is_free = kind == FORAGE_EMPTY || kind == FORAGE_FOOD;
        CHECK_INT(trial->mask[w][row][m], m == 0 || is_free);
    }
    CHECK(energy != NULL && energy->left <= FORAGE_ENERGY_MAX);
    CHECK(energy != NULL && trial->terminated[w][row] == (energy->left <= 0));
    CHECK_NEAR((double)trial->self[w][row][0], (double)energy->left / FORAGE_ENERGY_MAX, 1e-6);
    CHECK_NEAR((double)trial->self[w][row][1], (double)trial->counts[w] / AGENT_MAX, 1e-6);
}

static void check_worlds(const struct trial *trial) {
    for (uint32_t w = 0; w < WORLD_COUNT; w++) {
        CHECK(trial->counts[w] <= AGENT_MAX);
        CHECK_INT(trial->counts[w], cosm_world_entity_count(world_of(trial, w)));
        check_ground(trial, w);
        for (uint32_t row = 0; row < trial->counts[w]; row++) {
            check_agent(trial, w, row);
        }
    }
}

// What an agent was before a step, by its handle.
struct before {
    uint32_t count;
    bool is_over;
    uint32_t cells[AGENT_MAX];
    int32_t energy[AGENT_MAX];
    cosm_entity agents[AGENT_MAX];
    int32_t actions[AGENT_MAX];
    bool allowed[AGENT_MAX];
    bool terminated[AGENT_MAX];
};

// Takes note of a world, and gives its agents actions: mostly moves, at times ones that are none.
static void act(struct trial *trial, uint32_t w, cosm_random *random, struct before *before) {
    before->count = trial->counts[w];
    before->is_over = (trial->over[w] | trial->cut[w]) != 0;
    for (uint32_t row = 0; row < trial->counts[w]; row++) {
        int32_t action = cosm_random_range(random, -1, 5);
        bool is_move = action >= 0 && action < 5;
        trial->action[w][row] = action;
        before->actions[row] = action;
        before->allowed[row] = is_move && trial->mask[w][row][action] != 0;
        before->cells[row] = cell_of(trial, w, row);
        before->agents[row] = trial->agent_id[w][row];
        before->terminated[row] = trial->terminated[w][row];
        const ForageEnergy *energy = part_of(trial, w, row, "ForageEnergy");
        before->energy[row] = energy == NULL ? 0 : energy->left;
    }
}

// Tells how often agents were turned back, came and went, so that the history is one worth having.
struct history {
    uint32_t refused;
    uint32_t moved;
    uint32_t born;
    uint32_t gone;
    uint32_t fed;
};

static uint32_t row_of(const struct trial *trial, uint32_t w, cosm_entity agent) {
    for (uint32_t row = 0; row < trial->counts[w]; row++) {
        if (cosm_entity_equals(trial->agent_id[w][row], agent)) {
            return row;
        }
    }
    return AGENT_MAX;
}

// Holds what an agent did against what it was told to.
static void check_move(const struct trial *trial, uint32_t w, const struct before *before,
                       uint32_t i, struct history *history) {
    static const int32_t ways[5] = {0, 1, 10, -1, -10};
    uint32_t row = row_of(trial, w, before->agents[i]);
    CHECK_INT(row == AGENT_MAX, before->terminated[i]);
    if (row == AGENT_MAX) {
        history->gone++;
        return;
    }
    uint32_t from = before->cells[i];
    uint32_t to = cell_of(trial, w, row);
    if (!before->allowed[i]) {
        CHECK_INT(to, from);
        history->refused++;
    } else if (to != from) {
        CHECK_INT((int32_t)to - (int32_t)from, ways[before->actions[i]]);
        history->moved++;
    }
    const ForageEnergy *energy = part_of(trial, w, row, "ForageEnergy");
    float reward = trial->reward[w][row];
    bool is_fed = reward > 0.5f;
    history->fed += is_fed;
    CHECK(energy != NULL);
    if (!is_fed) {
        CHECK_NEAR((double)reward, trial->terminated[w][row] ? -1.0 : 0.0, 0.0);
        // Splitting halves what an agent has that was rich before it ate nothing.
        CHECK(energy->left == before->energy[i] - 1 || before->energy[i] > FORAGE_ENERGY_SPLIT);
    } else {
        CHECK_NEAR((double)reward, 1.0, 0.0);
        CHECK(to != from);
    }
}

static void check_step(struct trial *trial, cosm_random *random, struct history *history) {
    struct before before[WORLD_COUNT];
    for (uint32_t w = 0; w < WORLD_COUNT; w++) {
        act(trial, w, random, &before[w]);
    }
    take_step(trial);
    check_worlds(trial);
    for (uint32_t w = 0; w < WORLD_COUNT; w++) {
        if (before[w].is_over) {
            CHECK(trial->counts[w] >= 1);
            continue;
        }
        uint32_t gone = history->gone;
        for (uint32_t i = 0; i < before[w].count; i++) {
            check_move(trial, w, &before[w], i, history);
        }
        gone = history->gone - gone;
        CHECK(trial->counts[w] >= before[w].count - gone);
        history->born += trial->counts[w] - (before[w].count - gone);
    }
}

TEST(after_every_step_of_a_random_history_the_ground_the_agents_and_what_they_see_agree) {
    static const double agents[] = {1, 2, 4, 8};
    static const double food[] = {0, 10, 16, 24};
    double agent_counts[WORLD_COUNT];
    double food_counts[WORLD_COUNT];
    for (uint32_t w = 0; w < WORLD_COUNT; w++) {
        agent_counts[w] = agents[w % 4];
        food_counts[w] = food[w / 4 % 4];
    }
    const cosm_sim_param params[] = {{.name = "agents", .values = agent_counts},
                                     {.name = "food", .values = food_counts}};
    struct trial trial;
    uint64_t seed = harness_seed();
    REQUIRE(trial_begin(
        &trial, &(cosm_sim_desc){
                    .world_count = WORLD_COUNT, .seed = seed, .params = params, .param_count = 2}));
    cosm_random random = cosm_random_seed(seed, 1);
    struct history history = {0};
    check_worlds(&trial);
    for (uint32_t w = 0; w < WORLD_COUNT; w++) {
        CHECK_INT(trial.counts[w], (uint32_t)agent_counts[w]);
    }
    for (uint32_t s = 0; s < 300; s++) {
        check_step(&trial, &random, &history);
    }
    CHECK_INT(cosm_batch_validate(cosm_sim_batch(trial.sim)), COSM_OK);
    CHECK(history.refused > 1000 && history.moved > 1000 && history.fed > 500);
    CHECK(history.born > 20 && history.gone > 100);
    trial_end(&trial);
}

TEST(agents_that_stay_starve_together_and_the_world_begins_anew) {
    struct trial trial;
    REQUIRE(trial_begin(&trial, &(cosm_sim_desc){.world_count = 3, .seed = 2}));
    for (uint32_t s = 1; s < FORAGE_ENERGY_START; s++) {
        take_step(&trial);
        CHECK_INT(trial.over[0], 0);
    }
    take_step(&trial);
    for (uint32_t w = 0; w < 3; w++) {
        CHECK_INT(trial.over[w], 1);
        CHECK_INT(trial.cut[w], 0);
        CHECK_INT(trial.counts[w], 4);
        for (uint32_t row = 0; row < 4; row++) {
            CHECK_INT(trial.terminated[w][row], true);
            CHECK_NEAR((double)trial.reward[w][row], -1.0, 0.0);
        }
    }
    take_step(&trial);
    for (uint32_t w = 0; w < 3; w++) {
        CHECK_INT(trial.over[w], 0);
        CHECK_INT(trial.counts[w], 4);
        CHECK_INT(trial.terminated[w][0], false);
    }
    trial_end(&trial);
}

TEST(a_world_that_is_left_over_stays_empty_until_it_is_reset) {
    struct trial trial;
    REQUIRE(trial_begin(&trial,
                        &(cosm_sim_desc){.world_count = 2, .autoreset = COSM_AUTORESET_DISABLED}));
    for (uint32_t s = 0; s < 50; s++) {
        take_step(&trial);
    }
    CHECK_INT(trial.counts[0], 0);
    CHECK_INT(trial.counts[1], 0);
    static const uint8_t mask[] = {0, 1};
    CHECK_INT(cosm_sim_reset(trial.sim, mask, NULL, NULL), COSM_OK);
    CHECK_INT(trial.counts[0], 0);
    CHECK_INT(trial.counts[1], 4);
    trial_end(&trial);
}

TEST(without_births_there_are_never_more_agents_than_at_the_beginning) {
    const cosm_sim_param params[] = {{.name = "births", .value = 0}, {.name = "food", .value = 24}};
    struct trial trial;
    REQUIRE(trial_begin(
        &trial, &(cosm_sim_desc){.world_count = WORLD_COUNT, .params = params, .param_count = 2}));
    cosm_random random = cosm_random_seed(harness_seed(), 2);
    for (uint32_t s = 0; s < 200; s++) {
        for (uint32_t w = 0; w < WORLD_COUNT; w++) {
            for (uint32_t row = 0; row < trial.counts[w]; row++) {
                trial.action[w][row] = cosm_random_range(&random, 0, 4);
            }
        }
        take_step(&trial);
        for (uint32_t w = 0; w < WORLD_COUNT; w++) {
            CHECK(trial.counts[w] <= 4);
        }
    }
    trial_end(&trial);
}

TEST(an_episode_is_cut_off_at_the_step_limit) {
    struct trial trial;
    REQUIRE(trial_begin(&trial, &(cosm_sim_desc){.world_count = 2, .step_limit = 7}));
    for (uint32_t s = 1; s <= 7; s++) {
        take_step(&trial);
        CHECK_INT(trial.cut[0] != 0, s == 7);
        CHECK_INT(trial.over[0], 0);
    }
    CHECK_INT(scene_forage.step_limit, FORAGE_STEP_LIMIT);
    trial_end(&trial);
}

TEST(its_slots_have_the_shapes_that_its_header_says) {
    static const struct {
        uint32_t slot;
        cosm_role role;
        cosm_field_type type;
        uint32_t dim_count;
        int64_t last;
    } slots[] = {
        {FORAGE_SLOT_WINDOW, COSM_ROLE_OBSERVATION, COSM_FIELD_U8, 4, 5},
        {FORAGE_SLOT_SELF, COSM_ROLE_OBSERVATION, COSM_FIELD_F32, 3, 2},
        {FORAGE_SLOT_ACTION, COSM_ROLE_ACTION, COSM_FIELD_I32, 2, 8},
        {FORAGE_SLOT_MASK, COSM_ROLE_ACTION_MASK, COSM_FIELD_U8, 3, 5},
        {FORAGE_SLOT_REWARD, COSM_ROLE_REWARD, COSM_FIELD_F32, 2, 8},
        {FORAGE_SLOT_TERMINATED, COSM_ROLE_TERMINATED, COSM_FIELD_BOOL, 2, 8},
        {FORAGE_SLOT_AGENT_ID, COSM_ROLE_INFO, COSM_FIELD_U32, 3, 2},
        {FORAGE_SLOT_AGENTS, COSM_ROLE_PARAMETER, COSM_FIELD_U32, 1, 3},
        {FORAGE_SLOT_STARVED, COSM_ROLE_INFO, COSM_FIELD_U32, 1, 3},
    };
    struct trial trial;
    REQUIRE(trial_begin(&trial, &(cosm_sim_desc){.world_count = 3}));
    for (size_t i = 0; i < sizeof(slots) / sizeof(slots[0]); i++) {
        const cosm_tensor *tensor = tensor_of(trial.sim, slots[i].slot);
        REQUIRE(tensor != NULL);
        CHECK_INT(cosm_sim_role(trial.sim, slots[i].slot), slots[i].role);
        CHECK_INT(tensor->type, slots[i].type);
        CHECK_INT(tensor->dim_count, slots[i].dim_count);
        CHECK_INT(tensor->shape[tensor->dim_count - 1], slots[i].last);
        CHECK(!tensor->is_gathered);
    }
    cosm_space space;
    CHECK(cosm_sim_space(trial.sim, FORAGE_SLOT_ACTION, &space));
    CHECK_INT(space.choice_count, 5);
    CHECK_INT(cosm_sim_agent_max(trial.sim), AGENT_MAX);
    trial_end(&trial);
}

TEST(its_picture_shows_agents_on_the_ground) {
    struct trial trial;
    REQUIRE(trial_begin(&trial, &(cosm_sim_desc){.world_count = 1, .seed = 1}));
    enum { SIZE = 40 };
    uint8_t pixels[SIZE * SIZE * 3] = {0};
    cosm_canvas canvas = {pixels, SIZE, SIZE};
    CHECK_INT(cosm_sim_draw(trial.sim, 0, &canvas), COSM_OK);
    for (uint32_t row = 0; row < trial.counts[0]; row++) {
        uint32_t cell = cell_of(&trial, 0, row);
        uint32_t middle = (cell / 10 * 4 + 2) * SIZE + cell % 10 * 4 + 2;
        CHECK(pixels[middle * 3] > 2 * pixels[middle * 3 + 2]);
    }
    CHECK_INT(pixels[0], 70); // the wall around
    trial_end(&trial);
}

TEST(every_environment_is_safe_in_any_state_that_loads) {
    enum { SIZE = 40 };
    static uint8_t pixels[SIZE * SIZE * 3];
    cosm_canvas canvas = {pixels, SIZE, SIZE};
    struct dice dice = {.state = 319};
    for (uint32_t i = 0; i < scene_env_count(); i++) {
        cosm_sim *sim =
            cosm_sim_create(&(cosm_sim_desc){.env = scene_env_at(i), .world_count = 8, .seed = 5});
        REQUIRE(sim != NULL);
        for (uint32_t round = 0; round < 60; round++) {
            scramble_and_load(cosm_sim_batch(sim), &dice);
            for (uint32_t step = 0; step < 6; step++) {
                CHECK_INT(cosm_sim_step(sim), COSM_OK);
                CHECK_INT(cosm_sim_draw(sim, round % 8, &canvas), COSM_OK);
            }
        }
        CHECK_INT(cosm_sim_destroy(sim), COSM_OK);
    }
}

TEST(every_environment_is_found_by_its_name) {
    CHECK_INT(scene_env_count(), 2);
    for (uint32_t i = 0; i < scene_env_count(); i++) {
        const cosm_env_desc *desc = scene_env_at(i);
        CHECK(scene_env_find(desc->name) == desc);
        CHECK(desc->summary != NULL);
    }
    CHECK(scene_env_find("nothing") == NULL);
    CHECK(scene_env_at(scene_env_count()) == NULL);
}
