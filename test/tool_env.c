// The program cosm on environments: runs of those that it has and of libraries, and the random
// actions that they are run with.
#define _XOPEN_SOURCE 700
#include "harness.h"
#include "support/program.h"

#include <cosm/cosm.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check_run(const char *arguments, int code, const char *part) {
    struct outcome outcome;
    program_run(&outcome, arguments, "2>&1");
    CHECK_INT(outcome.code, code);
    CHECK_CONTAINS(outcome.text, part);
}

#ifdef COSM_TEST_SIM
#include "actions.h"
#include "envs.h"

static const char *line_of(const struct outcome *outcome, const char *head) {
    const char *at = strstr(outcome->text, head);
    return at != NULL ? at : "";
}

TEST(environments_are_listed_and_run_by_name) {
    struct outcome outcome;
    program_run(&outcome, "list", "2>/dev/null");
    CHECK_CONTAINS(outcome.text, "\ncartpole ");
    CHECK_CONTAINS(outcome.text, "environment, --worlds 4096 --steps 1000 --seed 1\n");
    program_run(&outcome, "run cartpole --worlds 16 --steps 300 --seed 5", "2>/dev/null");
    CHECK_INT(outcome.code, 0);
    CHECK_CONTAINS(outcome.text, "env        cartpole\nworlds     16, seed 5\nworkers    ");
    CHECK_CONTAINS(outcome.text, "\nsteps      300 in ");
    CHECK_CONTAINS(outcome.text, " world-steps/s\nepisodes   ");
    CHECK_CONTAINS(outcome.text, "\nentities   16, 1.0 per world\n");
    CHECK_INT(strlen(line_of(&outcome, "hash       ")), strlen("hash       ") + 17);
    // Who pushes at random holds the pole for about 22 steps, and gets one for each.
    double mean_return = 0.0;
    double mean_length = 0.0;
    unsigned count = 0;
    CHECK_INT(sscanf(line_of(&outcome, "episodes"), "episodes %u, mean return %lf, mean length %lf",
                     &count, &mean_return, &mean_length),
              3);
    CHECK(count > 100 && mean_length > 15.0 && mean_length < 30.0);
    CHECK(mean_return > mean_length - 0.1 && mean_return < mean_length + 0.1);
    check_run("run cartpole --worlds 2 --steps 1", 0, "episodes   none finished\n");
    check_run("run cartpole --worlds 2 --steps 0", 0, "steps      0 in ");
}

TEST(a_library_is_run_by_its_path) {
    struct outcome outcome;
    program_run(&outcome, "run ./libmy_env.so --worlds 16 --steps 300", "2>/dev/null");
    CHECK_INT(outcome.code, 0);
    CHECK_CONTAINS(outcome.text, "env        my_env\n");
    CHECK_CONTAINS(outcome.text, ", mean return ");
    check_run("run libmy_env.so", 2, "\"libmy_env.so\" is in this folder; write ./libmy_env.so");
    check_run("run nowhere.so", 1, "the environment nowhere.so cannot be set up: ");
    check_run("run ./nowhere", 1, "the environment ./nowhere cannot be set up: ");
    check_run("run ./tool_env", 1, "the environment ./tool_env cannot be set up: ");
}

TEST(the_hash_of_an_environment_depends_on_worlds_steps_and_seed_alone) {
    static const char *const same[] = {
        "run forage --worlds 9 --steps 150 --seed 3",
        "run forage --worlds 9 --steps 150 --seed 3 --workers 1",
        "run forage --worlds 9 --steps 150 --seed 3 --workers 3 --split worlds --block 2",
        "run forage --worlds 9 --steps 150 --seed 3 --workers 2 --split chunks",
        "run forage --worlds 9 --steps 150 --seed 3 --memory-limit 500",
        "run forage --worlds 9 --steps 150 --seed 3 --profile",
    };
    static const char *const others[] = {
        "run forage --worlds 9 --steps 150 --seed 4",
        "run forage --worlds 8 --steps 150 --seed 3",
        "run forage --worlds 9 --steps 151 --seed 3",
    };
    struct outcome first;
    program_run(&first, same[0], "2>/dev/null");
    CHECK_INT(first.code, 0);
    struct outcome outcome;
    for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++) {
        program_run(&outcome, same[i], "2>/dev/null");
        CHECK_INT(outcome.code, 0);
        CHECK_INT(strncmp(line_of(&outcome, "hash"), line_of(&first, "hash"), 27), 0);
    }
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        program_run(&outcome, others[i], "2>/dev/null");
        CHECK_INT(outcome.code, 0);
        CHECK(strncmp(line_of(&outcome, "hash"), line_of(&first, "hash"), 27) != 0);
    }
}

TEST(a_part_of_a_run_of_an_environment_has_the_worlds_that_the_whole_has) {
    struct outcome whole;
    struct outcome part;
    program_run(&whole, "show forage --steps 60 --seed 3 --world 4 --json", "2>/dev/null");
    program_run(&part, "show forage --steps 60 --seed 3 --world-first 4 --json", "2>/dev/null");
    CHECK_INT(whole.code, 0);
    CHECK_STR(part.text, whole.text);
    program_run(&part, "show forage --steps 60 --seed 3 --json", "2>/dev/null");
    CHECK(strcmp(part.text, whole.text) != 0);
}

TEST(what_environments_do_not_have_is_refused) {
    check_run("run cartpole --entities 3", 2, "--entities is an option of scenes");
    check_run("run cartpole --placement fixed", 2, "--placement is an option of scenes");
    check_run("run ./libmy_env.so --entities 3", 2, "not of environments");
    check_run("run moon", 2, "the scenes are falling, grid, boids, swarm; or an environment: cart");
    check_run("run walk", 2, "; or a library of yours by its path, as in ./libwalk.so\n");
    check_run("run", 2, "or an environment: cartpole, forage");
    check_run("run cartpol", 2, "no scene \"cartpol\"; did you mean cartpole?");
    check_run("run cartpole --worlds 4096 --memory-limit 1 --steps 1", 1, "raise --memory-limit");
}

TEST(environments_are_saved_recorded_replayed_and_compared) {
    program_open_place();
    CHECK_PROGRAM("$cosm record cartpole a.rec --worlds 5 --steps 90 --keyframes 16", 0,
                  "episodes   ");
    CHECK_PROGRAM("$cosm info a.rec", 0, "note       environment cartpole\n");
    CHECK_PROGRAM("$cosm replay a.rec", 0,
                  "env        cartpole\nworlds     5, seed 1\n"
                  "steps      0 to 90: every hash is as recorded\nentities   5, 1.0 per world\n");
    CHECK_PROGRAM("$cosm replay a.rec --workers 2", 0, "every hash is as recorded");
    CHECK_PROGRAM("$cosm record forage b.rec --worlds 3 --steps 90 --history", 0, "hash");
    CHECK_PROGRAM("$cosm replay b.rec", 0, "every hash is as recorded");
    CHECK_PROGRAM("$cosm record forage c.rec --worlds 3 --steps 90 --seed 2", 0, "hash");
    CHECK_PROGRAM("$cosm diverge b.rec c.rec", 1, "world      0\n");
    CHECK_PROGRAM("$cosm save forage a.cosm --worlds 2 --steps 10", 0, "steps      10");
    CHECK_PROGRAM("$cosm save forage b.cosm --worlds 2 --steps 11", 0, "steps      11");
    CHECK_PROGRAM("$cosm diff a.cosm b.cosm", 1, "world 0: changed @");
    CHECK_PROGRAM("$cosm diff a.cosm a.cosm", 0, "no difference");
    program_close_place();
}

TEST(a_recording_of_a_library_loads_it_again) {
    check_run("record ./libmy_env.so tool_env_test.rec --worlds 3 --steps 250", 0, "hash");
    check_run("info tool_env_test.rec", 0, "note       library ./libmy_env.so\n");
    check_run("replay tool_env_test.rec", 0, "env        my_env\n");
    CHECK_INT(rename("libmy_env.so", "libmy_env_moved.so"), 0);
    check_run("replay tool_env_test.rec", 1,
              "tool_env_test.rec: it was recorded with the library ./libmy_env.so in the folder of "
              "that time, which cannot be loaded from there: ");
    CHECK_INT(rename("libmy_env_moved.so", "libmy_env.so"), 0);
    remove("tool_env_test.rec");
}

TEST(the_plan_the_schema_and_a_world_of_an_environment_are_shown) {
    check_run("plan cartpole", 0, "phase observe, fixed");
    check_run("plan ./libmy_env.so --dot", 0, "label=\"move\"");
#ifdef COSM_TEST_TEXT
    check_run("schema ./libmy_env.so", 0, "\"Terminated\"");
    check_run("show cartpole --steps 3 --world 2", 0, "sim.episode_length {value: 3}");
#endif
    check_run("show cartpole --placement fixed", 2, "--placement is an option of scenes");
}

TEST(random_actions_are_those_that_the_masks_allow_and_all_of_them) {
    cosm_sim *sim = cosm_sim_create(&(cosm_sim_desc){.env = &scene_forage, .world_count = 20});
    REQUIRE(sim != NULL);
    const cosm_tensor *action = cosm_sim_tensor(sim, COSM_ROLE_ACTION);
    const cosm_tensor *mask = cosm_sim_tensor(sim, COSM_ROLE_ACTION_MASK);
    REQUIRE(action != NULL && mask != NULL && action->type == COSM_FIELD_I32);
    uint64_t times[8] = {0};
    uint64_t forbidden = 0;
    for (uint64_t step = 0; step < 200; step++) {
        actions_draw(sim, 5, step);
        for (uint32_t world = 0; world < 20; world++) {
            for (uint32_t row = 0; row < action->counts[world]; row++) {
                const char *place = (const char *)action->data +
                                    ((size_t)action->strides[0] * world) +
                                    ((size_t)action->strides[1] * row);
                const char *allowed = (const char *)mask->data +
                                      ((size_t)mask->strides[0] * world) +
                                      ((size_t)mask->strides[1] * row);
                int32_t choice = 0;
                memcpy(&choice, place, sizeof(choice));
                REQUIRE(choice >= 0 && choice < mask->shape[2]);
                CHECK(allowed[choice] != 0);
                times[choice]++;
                for (int64_t i = 0; i < mask->shape[2]; i++) {
                    forbidden += allowed[i] == 0;
                }
            }
        }
        REQUIRE(cosm_sim_step(sim) == COSM_OK);
    }
    // Else there was nothing to respect.
    CHECK(forbidden > 1000);
    for (int64_t i = 0; i < mask->shape[2]; i++) {
        CHECK(times[i] > 100);
    }
    CHECK(cosm_sim_destroy(sim) == COSM_OK);
}

TEST(random_actions_depend_on_seed_step_and_world_and_not_on_the_number_of_worlds) {
    cosm_sim *many = cosm_sim_create(&(cosm_sim_desc){.env = &scene_cartpole, .world_count = 64});
    cosm_sim *few = cosm_sim_create(&(cosm_sim_desc){.env = &scene_cartpole, .world_count = 7});
    REQUIRE(many != NULL && few != NULL);
    const int32_t *of_many = cosm_sim_tensor(many, COSM_ROLE_ACTION)->data;
    const int32_t *of_few = cosm_sim_tensor(few, COSM_ROLE_ACTION)->data;
    int32_t first[64];
    actions_draw(many, 1, 0);
    actions_draw(few, 1, 0);
    memcpy(first, of_many, sizeof(first));
    CHECK_INT(memcmp(of_few, first, 7 * sizeof(int32_t)), 0);
    CHECK(memcmp(first, first + 32, 32 * sizeof(int32_t)) != 0);
    actions_draw(many, 2, 0);
    CHECK(memcmp(of_many, first, sizeof(first)) != 0);
    actions_draw(many, 1, 1);
    CHECK(memcmp(of_many, first, sizeof(first)) != 0);
    actions_draw(many, 1, 0);
    CHECK_INT(memcmp(of_many, first, sizeof(first)), 0);
    CHECK(cosm_sim_destroy(many) == COSM_OK && cosm_sim_destroy(few) == COSM_OK);
}

// An environment with numbers for actions: two fields of a struct in one range, a whole number, and
// one of any size.
typedef struct Levers {
    float pull[2];
    int16_t notch;
    double free;
} Levers;

static cosm_result define_levers(const cosm_env_setup *setup) {
    static const cosm_field fields[] = {
        {.name = "pull",
         .type = COSM_FIELD_F32,
         .offset = offsetof(Levers, pull),
         .dims = {2},
         .min = -3,
         .max = -1},
        {.name = "notch",
         .type = COSM_FIELD_I16,
         .offset = offsetof(Levers, notch),
         .min = -5,
         .max = 5},
        {.name = "free", .type = COSM_FIELD_F64, .offset = offsetof(Levers, free)},
    };
    static const cosm_field number[] = {{.name = "value", .type = COSM_FIELD_F32}};
    static const cosm_field flag[] = {{.name = "value", .type = COSM_FIELD_U8}};
    cosm_engine *engine = setup->engine;
    cosm_singleton levers =
        cosm_singleton_define(engine, &(cosm_singleton_desc){.name = "Levers",
                                                             .size = sizeof(Levers),
                                                             .alignment = _Alignof(Levers),
                                                             .fields = fields,
                                                             .field_count = 3});
    cosm_singleton reward = cosm_singleton_define(
        engine, &(cosm_singleton_desc){
                    .name = "Reward", .size = sizeof(float), .fields = number, .field_count = 1});
    cosm_singleton over = cosm_singleton_define(
        engine,
        &(cosm_singleton_desc){.name = "Over", .size = 1, .fields = flag, .field_count = 1});
    const cosm_export_desc exports[] = {
        {.slot = 0, .name = "pull", .singleton = levers, .field = "pull"},
        {.slot = 1, .name = "notch", .singleton = levers, .field = "notch"},
        {.slot = 2, .name = "free", .singleton = levers, .field = "free"},
        {.slot = 3, .name = "reward", .singleton = reward},
        {.slot = 4, .name = "over", .singleton = over},
        {.slot = 5, .name = "seen", .singleton = reward},
    };
    cosm_result result = COSM_OK;
    for (uint32_t i = 0; i < 6 && result == COSM_OK; i++) {
        cosm_export_desc desc = exports[i];
        desc.direction = i < 3 ? COSM_DIRECTION_IN : COSM_DIRECTION_OUT;
        result = cosm_export_define(engine, &desc);
    }
    return result;
}

static const cosm_env_desc levers_env = {
    COSM_ENV_BUILT,
    .name = "levers",
    .define = define_levers,
    .slots = {{0, COSM_ROLE_ACTION},
              {1, COSM_ROLE_ACTION},
              {2, COSM_ROLE_ACTION},
              {3, COSM_ROLE_REWARD},
              {4, COSM_ROLE_TERMINATED},
              {5, COSM_ROLE_OBSERVATION}},
};

TEST(random_numbers_are_in_the_ranges_that_fields_tell) {
    cosm_sim *sim = cosm_sim_create(&(cosm_sim_desc){.env = &levers_env, .world_count = 50});
    CHECK_STR(cosm_error_message(), "");
    REQUIRE(sim != NULL);
    Levers low = {{9.0f, 9.0f}, 99, 9.0};
    Levers high = {{-9.0f, -9.0f}, -99, -9.0};
    for (uint64_t step = 0; step < 100; step++) {
        actions_draw(sim, 1, step);
        for (uint32_t world = 0; world < 50; world++) {
            const Levers *now =
                COSM_SINGLETON_READ(cosm_batch_world(cosm_sim_batch(sim), world), Levers);
            for (int i = 0; i < 2; i++) {
                low.pull[i] = now->pull[i] < low.pull[i] ? now->pull[i] : low.pull[i];
                high.pull[i] = now->pull[i] > high.pull[i] ? now->pull[i] : high.pull[i];
            }
            low.notch = now->notch < low.notch ? now->notch : low.notch;
            high.notch = now->notch > high.notch ? now->notch : high.notch;
            low.free = now->free < low.free ? now->free : low.free;
            high.free = now->free > high.free ? now->free : high.free;
        }
    }
    for (int i = 0; i < 2; i++) {
        CHECK(low.pull[i] >= -3.0f && low.pull[i] < -2.99f);
        CHECK(high.pull[i] <= -1.0f && high.pull[i] > -1.01f);
    }
    CHECK_INT(low.notch, -5);
    CHECK_INT(high.notch, 5);
    CHECK(low.free >= -1.0 && low.free < -0.99 && high.free <= 1.0 && high.free > 0.99);
    CHECK(cosm_sim_destroy(sim) == COSM_OK);
}
// An environment with two choices of three, each with a mask, and one without: a mask belongs to
// the action before it.
typedef struct Gates {
    int32_t turn[3];
    uint8_t open[2][3];
} Gates;

static cosm_result define_gates(const cosm_env_setup *setup) {
#define TURN(i)                                                                                    \
    {                                                                                              \
        .name = "turn" #i, .type = COSM_FIELD_I32,                                                 \
        .offset = offsetof(Gates, turn) + (i) * sizeof(int32_t), .min = 0, .max = 2                \
    }
#define OPEN(i)                                                                                    \
    {                                                                                              \
        .name = "open" #i, .type = COSM_FIELD_U8, .offset = offsetof(Gates, open) + (i)*3,         \
        .dims = {                                                                                  \
            3                                                                                      \
        }                                                                                          \
    }
    static const cosm_field fields[] = {TURN(0), TURN(1), TURN(2), OPEN(0), OPEN(1)};
    static const cosm_field number[] = {{.name = "value", .type = COSM_FIELD_F32}};
    cosm_engine *engine = setup->engine;
    cosm_singleton gates =
        cosm_singleton_define(engine, &(cosm_singleton_desc){.name = "Gates",
                                                             .size = sizeof(Gates),
                                                             .alignment = _Alignof(Gates),
                                                             .fields = fields,
                                                             .field_count = 5});
    cosm_singleton reward = cosm_singleton_define(
        engine, &(cosm_singleton_desc){
                    .name = "Reward", .size = sizeof(float), .fields = number, .field_count = 1});
    static const char *const names[] = {"turn0", "turn1", "turn2", "open0", "open1"};
    cosm_result result = COSM_OK;
    for (uint32_t i = 0; i < 5 && result == COSM_OK; i++) {
        result = cosm_export_define(
            engine,
            &(cosm_export_desc){.slot = i,
                                .name = names[i],
                                .singleton = gates,
                                .field = names[i],
                                .direction = i < 3 ? COSM_DIRECTION_IN : COSM_DIRECTION_OUT});
    }
    for (uint32_t i = 5; i < 7 && result == COSM_OK; i++) {
        result = cosm_export_define(engine, &(cosm_export_desc){.slot = i,
                                                                .name = i == 5 ? "reward" : "seen",
                                                                .singleton = reward});
    }
    return result;
}

static const cosm_env_desc gates_env = {
    COSM_ENV_BUILT,
    .name = "gates",
    .define = define_gates,
    .slots = {{0, COSM_ROLE_ACTION},
              {3, COSM_ROLE_ACTION_MASK},
              {1, COSM_ROLE_ACTION},
              {5, COSM_ROLE_REWARD},
              {4, COSM_ROLE_ACTION_MASK},
              {2, COSM_ROLE_ACTION},
              {6, COSM_ROLE_OBSERVATION}},
};

// The same, but for a mask that comes before all actions: it is that of the first.
static const cosm_env_desc early_gates_env = {
    COSM_ENV_BUILT,
    .name = "early_gates",
    .define = define_gates,
    .slots = {{3, COSM_ROLE_ACTION_MASK},
              {0, COSM_ROLE_ACTION},
              {1, COSM_ROLE_ACTION},
              {4, COSM_ROLE_ACTION_MASK},
              {2, COSM_ROLE_ACTION},
              {5, COSM_ROLE_REWARD},
              {6, COSM_ROLE_OBSERVATION}},
};

static void check_gates(const cosm_env_desc *env) {
    cosm_sim *sim = cosm_sim_create(&(cosm_sim_desc){.env = env, .world_count = 8});
    CHECK_STR(cosm_error_message(), "");
    REQUIRE(sim != NULL);
    uint32_t times[3] = {0}; // of the third, which has no mask
    for (uint32_t step = 0; step < 60; step++) {
        for (uint32_t world = 0; world < 8; world++) {
            cosm_world in = cosm_batch_world(cosm_sim_batch(sim), world);
            Gates *now = COSM_SINGLETON_WRITE(in, Gates);
            memset(now->open, 0, sizeof(now->open));
            now->open[0][(step + world) % 3] = 1;
            now->open[1][(step + world + 1) % 3] = 1;
        }
        actions_draw(sim, 1, step);
        for (uint32_t world = 0; world < 8; world++) {
            cosm_world in = cosm_batch_world(cosm_sim_batch(sim), world);
            const Gates *now = COSM_SINGLETON_READ(in, Gates);
            CHECK_INT(now->turn[0], (step + world) % 3);
            CHECK_INT(now->turn[1], (step + world + 1) % 3);
            REQUIRE(now->turn[2] >= 0 && now->turn[2] < 3);
            times[now->turn[2]]++;
        }
    }
    CHECK(times[0] > 100 && times[1] > 100 && times[2] > 100);
    CHECK(cosm_sim_destroy(sim) == COSM_OK);
}

TEST(a_mask_belongs_to_the_action_before_it_or_to_the_first) {
    check_gates(&gates_env);
    check_gates(&early_gates_env);
}
#else
TEST(without_the_module_sim_no_environment_is_run) {
    check_run("run cartpole", 2, "no scene \"cartpole\"");
    check_run("run ./libwalk.so", 1, "built without the module `sim`; build it with COSM_SIM=ON");
    check_run("plan ./libwalk.so", 1, "built without the module `sim`");
}
#endif
