// What fails, and what waits: in which step worlds begin then, what is counted, what is said.
#include "harness.h"
#include "support/lane.h"
#include "support/ledger.h"

#include <string.h>

#define HOST(sim, Type, slot) ((Type *)lane_data((sim), (slot)))

// A `begin` that fails in world 1 when it is told to, and keeps what it drew.
static cosm_env_begin_fn *begin_well;
static cosm_result begin_result; // COSM_OK: it begins
static uint32_t begin_calls;
static uint32_t begin_drew;

static cosm_result begin_or_fail(void *context, cosm_world world, cosm_random *random) {
    if (world.index == 1) {
        cosm_random copy = *random;
        begin_calls++;
        begin_drew = cosm_random_u32(&copy);
        if (begin_result != COSM_OK) {
            return begin_result;
        }
    }
    return begin_well(context, world, random);
}

static cosm_env_desc failing_env(enum lane_kind kind) {
    cosm_env_desc env = *lane_env(kind);
    begin_well = env.begin;
    env.begin = begin_or_fail;
    begin_result = COSM_OK;
    begin_calls = 0;
    return env;
}

static cosm_sim *open_failing(const cosm_env_desc *env, cosm_autoreset mode) {
    return cosm_sim_create(&(cosm_sim_desc){
        .env = env, .world_count = 3, .autoreset = mode, .engine = {.worker_count = 1}});
}

// Has world 0 walk until its next step is the last of its episode, or not.
static void walk_to_end(cosm_sim *sim, bool is_over) {
    CHECK_INT(lane_start(1, 0, 0), 0);
    for (uint32_t step = 1; step < LANE_END; step++) {
        for (uint32_t w = 0; w < 3; w++) {
            lane_act(sim, w, w == 0 && is_over ? 0 : 1);
        }
        CHECK_INT(cosm_sim_step(sim), COSM_OK);
    }
}

TEST(a_begin_that_failed_is_not_tried_again_in_the_same_step_because_another_world_is_over) {
    for (int is_over = 0; is_over < 2; is_over++) {
        cosm_env_desc env = failing_env(LANE_BEGIN);
        cosm_sim *sim = open_failing(&env, COSM_AUTORESET_SAME_STEP);
        REQUIRE(sim != NULL);
        walk_to_end(sim, is_over != 0);
        begin_calls = 0;
        begin_result = COSM_ERROR_SYSTEM;
        HOST(sim, uint8_t, COSM_SIM_SLOT_RESET)[1] = 1;
        CHECK_INT(cosm_sim_step(sim), COSM_ERROR_SYSTEM);
        CHECK_INT(HOST(sim, uint32_t, COSM_SIM_SLOT_EPISODE_NUMBER)[0], is_over ? 2 : 1);
        CHECK_INT(begin_calls, 1);
        CHECK_INT(HOST(sim, uint8_t, COSM_SIM_SLOT_RESET)[1], 1);
        begin_result = COSM_OK;
        CHECK_INT(cosm_sim_step(sim), COSM_OK);
        CHECK_INT(begin_calls, 2);
        CHECK_INT(lane_count(sim, 1), 1);
        CHECK_INT(HOST(sim, uint8_t, COSM_SIM_SLOT_RESET)[1], 0);
        lane_close(sim);
    }
}

// An environment with a byte `reset` of its own, which it sets in world 1 after phase `begin`.
static cosm_env_define_fn *define_well;
static bool asks_late;
static bool asks_in_observe;

static void ask(const cosm_turn *turn) {
    const cosm_tensor *reset = cosm_batch_tensor(turn->worlds.batch, LANE_SLOT_RESET);
    if (asks_late && turn->worlds.first <= 1 && turn->worlds.first + turn->worlds.count > 1) {
        *((uint8_t *)reset->data + reset->strides[0]) = 1;
    }
}

static cosm_result define_asking(const cosm_env_setup *setup) {
    cosm_result result = define_well(setup);
    cosm_singleton solo = cosm_singleton_find(setup->engine, "solo");
    cosm_system system = cosm_system_define(
        setup->engine,
        &(cosm_system_desc){.name = "ask",
                            .run = ask,
                            .phase = asks_in_observe ? setup->observe : COSM_PHASE_RENDER,
                            .singletons = {{solo, COSM_ACCESS_WRITE}}});
    return result != COSM_OK || system.id != 0 ? result : cosm_error_result();
}

static void check_late(cosm_autoreset mode, bool is_over, bool is_asked) {
    cosm_env_desc env = *lane_env(LANE_SOLO);
    define_well = env.define;
    env.define = define_asking;
    asks_late = false;
    cosm_sim *sim = open_failing(&env, mode);
    REQUIRE(sim != NULL);
    walk_to_end(sim, is_over);
    const cosm_tensor *reset = cosm_batch_tensor(cosm_sim_batch(sim), LANE_SLOT_RESET);
    const uint8_t *byte = (const uint8_t *)reset->data + reset->strides[0];
    const uint32_t *numbers = HOST(sim, uint32_t, COSM_SIM_SLOT_EPISODE_NUMBER);
    *((uint8_t *)reset->data + 2 * reset->strides[0]) = is_asked; // world 2 begins in this step
    asks_late = true;
    CHECK_INT(cosm_sim_step(sim), COSM_OK);
    asks_late = false;
    CHECK_INT(numbers[0], is_over && mode == COSM_AUTORESET_SAME_STEP ? 2 : 1);
    CHECK_INT(numbers[1], 1);
    CHECK_INT(numbers[2], is_asked ? 2 : 1);
    CHECK_INT(*byte, 1);
    CHECK_INT(cosm_sim_step(sim), COSM_OK);
    CHECK_INT(numbers[1], 2);
    CHECK_INT(*byte, 0);
    lane_close(sim);
}

TEST(a_byte_that_is_set_after_the_phase_begin_is_for_the_next_step_whatever_other_worlds_do) {
    for (uint32_t bits = 0; bits < 8; bits++) {
        asks_in_observe = (bits & 1) != 0;
        check_late(COSM_AUTORESET_SAME_STEP, (bits & 2) != 0, (bits & 4) != 0);
        check_late(COSM_AUTORESET_NEXT_STEP, (bits & 2) != 0, (bits & 4) != 0);
    }
}

TEST(a_begin_that_failed_is_no_episode_and_who_tries_again_draws_the_same_numbers) {
    cosm_env_desc env = failing_env(LANE_HERD);
    cosm_sim *sim = open_failing(&env, COSM_AUTORESET_NEXT_STEP);
    REQUIRE(sim != NULL);
    const uint32_t *numbers = HOST(sim, uint32_t, COSM_SIM_SLOT_EPISODE_NUMBER);
    uint32_t first = begin_drew;
    begin_result = COSM_ERROR_SYSTEM;
    CHECK_INT(cosm_sim_reset(sim, NULL, NULL, NULL), COSM_ERROR_SYSTEM);
    uint32_t second = begin_drew;
    CHECK(second != first);
    CHECK_INT(numbers[0], 2);
    CHECK_INT(numbers[1], 1);
    CHECK_INT(cosm_sim_reset(sim, (uint8_t[]){0, 1, 0}, NULL, NULL), COSM_ERROR_SYSTEM);
    CHECK_INT(begin_drew, second);
    begin_result = COSM_OK;
    CHECK_INT(cosm_sim_reset(sim, (uint8_t[]){0, 1, 0}, NULL, NULL), COSM_OK);
    CHECK_INT(begin_drew, second);
    CHECK_INT(numbers[1], 2);
    CHECK_INT(lane_count(sim, 1), lane_agents(LANE_HERD, 2, 0));
    // In a step the same: it may take several.
    begin_result = COSM_ERROR_FULL;
    HOST(sim, uint8_t, COSM_SIM_SLOT_RESET)[1] = 1;
    for (uint32_t step = 0; step < 3; step++) {
        CHECK_INT(cosm_sim_step(sim), COSM_ERROR_FULL);
        CHECK_INT(numbers[1], 2);
    }
    begin_result = COSM_OK;
    CHECK_INT(cosm_sim_step(sim), COSM_OK);
    CHECK_INT(numbers[1], 3);
    lane_close(sim);
}

static void check_no_result(int returned, const char *words) {
    cosm_env_desc env = failing_env(LANE_BEGIN);
    cosm_sim *sim = open_failing(&env, COSM_AUTORESET_NEXT_STEP);
    REQUIRE(sim != NULL);
    begin_result = (cosm_result)returned;
    HOST(sim, uint8_t, COSM_SIM_SLOT_RESET)[1] = 1;
    cosm_error_clear();
    CHECK_INT(cosm_sim_step(sim), COSM_ERROR_SYSTEM);
    CHECK_CONTAINS(cosm_error_message(), words);
    CHECK_CONTAINS(cosm_error_message(), "in world 1, which is not a failure; return COSM_OK if");
    CHECK_INT(cosm_sim_reset(sim, (uint8_t[]){0, 1, 0}, NULL, NULL), COSM_ERROR_SYSTEM);
    lane_close(sim);
    cosm_error_clear();
    CHECK(open_failing(&env, COSM_AUTORESET_NEXT_STEP) == NULL);
    CHECK_CONTAINS(cosm_error_message(), words);
}

TEST(a_begin_that_returns_stale_or_no_result_at_all_has_failed) {
    check_no_result(COSM_STALE, "environment 'begin': begin returned 1 (COSM_STALE)");
    check_no_result(COSM_RESULT_COUNT, "environment 'begin': begin returned 15 (");
}

static cosm_result define_result;

static cosm_result define_wrongly(const cosm_env_setup *setup) {
    (void)setup;
    return define_result;
}

TEST(a_define_that_returns_stale_or_no_result_at_all_has_failed) {
    static const cosm_result results[] = {COSM_STALE, (cosm_result)COSM_RESULT_COUNT};
    cosm_env_desc env = {COSM_ENV_BUILT, .name = "none", .define = define_wrongly};
    for (uint32_t i = 0; i < 2; i++) {
        define_result = results[i];
        cosm_error_clear();
        CHECK(open_failing(&env, COSM_AUTORESET_NEXT_STEP) == NULL);
        CHECK_CONTAINS(cosm_error_message(), "`define` of environment 'none' returned 1");
        CHECK_CONTAINS(cosm_error_message(),
                       "return COSM_OK if everything is defined, else one of");
        CHECK_INT(cosm_error_result(), COSM_ERROR_SYSTEM);
    }
}

// What is left of a simulation that could not be made. Static, so that it is not lost.
static struct ledger left_ledger;
static cosm_batch *left_batch;
static cosm_snapshot *left_snapshot;
static const void *left_context;

static cosm_result define_and_leave(const cosm_env_setup *setup) {
    left_context = setup->context;
    memset(setup->context, 7, 8);
    left_batch = cosm_batch_create(setup->engine, NULL);
    left_snapshot = left_batch == NULL ? NULL : cosm_snapshot_create(cosm_worlds_all(left_batch));
    return cosm_error_raise(setup->engine, COSM_ERROR_FORMAT, "the map is torn; mend it");
}

TEST(a_define_that_fails_and_leaves_a_batch_is_told_by_its_own_reason_and_keeps_its_context) {
    cosm_env_desc env = {COSM_ENV_BUILT, .name = "left", .define = define_and_leave,
                         .context_size = 8};
    ledger_open(&left_ledger);
    cosm_sim_desc desc = {
        .env = &env, .engine = {.allocator = ledger_allocator(&left_ledger), .worker_count = 1}};
    CHECK(cosm_sim_create(&desc) == NULL);
    CHECK_CONTAINS(cosm_error_message(),
                   "the map is torn; mend it; in addition, cosm_sim_create: the");
    CHECK_CONTAINS(cosm_error_message(), "left 1 batches, 1 snapshots, so its engine is not");
    CHECK_INT(cosm_error_result(), COSM_ERROR_FORMAT);
    REQUIRE(left_batch != NULL && left_snapshot != NULL);
    CHECK_MEM(left_context, "\7\7\7\7\7\7\7\7", 8);
    // Whoever made them can still end them, and the engine with them.
    cosm_engine *engine = cosm_batch_engine(left_batch);
    cosm_snapshot_destroy(left_snapshot);
    CHECK_INT(cosm_batch_step(left_batch), COSM_OK);
    CHECK_INT(cosm_batch_destroy(left_batch), COSM_OK);
    CHECK_INT(cosm_engine_destroy(engine), COSM_OK);
    CHECK_MEM(left_context, "\7\7\7\7\7\7\7\7", 8);
    // The simulation and its context.
    CHECK_INT(left_ledger.count, 2);
}

TEST(a_context_beyond_all_measure_and_a_library_without_a_name_are_refused) {
    static const size_t sizes[] = {SIZE_MAX, SIZE_MAX - 64, ((size_t)1 << 30) + 1};
    for (uint32_t i = 0; i < 3; i++) {
        cosm_env_desc env = *lane_env(LANE_PLACE);
        env.context_size = sizes[i];
        CHECK(cosm_sim_create(&(cosm_sim_desc){.env = &env}) == NULL);
        CHECK_CONTAINS(cosm_error_message(),
                       "cosm_sim_create: context_size of environment 'place'");
        CHECK_CONTAINS(cosm_error_message(), "use at most 1073741824");
    }
    CHECK(cosm_sim_create(&(cosm_sim_desc){.library = ""}) == NULL);
    CHECK_CONTAINS(cosm_error_message(),
                   "desc.library is empty; set it to the path of a shared library, with a slash "
                   "in it");
    CHECK_INT(cosm_error_result(), COSM_ERROR_ARGUMENT);
}

TEST(a_reset_leaves_other_worlds_alone_and_actions_that_wait_for_the_next_step) {
    double biases[3] = {0, 1, 2};
    cosm_sim_param param = {.name = "bias", .values = biases};
    for (int kind = 0; kind < LANE_KIND_COUNT; kind++) {
        cosm_sim *sim =
            lane_open((enum lane_kind)kind,
                      &(cosm_sim_desc){.world_count = 3, .params = &param, .param_count = 1});
        REQUIRE(sim != NULL);
        const cosm_tensor *action = cosm_sim_tensor(sim, COSM_ROLE_ACTION);
        uint64_t before[3];
        for (uint32_t w = 0; w < 3; w++) {
            lane_act(sim, w, 2);
        }
        CHECK_INT(cosm_sim_step(sim), COSM_OK);
        for (uint32_t w = 0; w < 3; w++) {
            lane_act(sim, w, 0);
        }
        for (uint32_t w = 0; w < 3; w++) {
            before[w] = cosm_hash_world(cosm_batch_world(cosm_sim_batch(sim), w), COSM_HASH_EXACT);
        }
        CHECK_INT(action->is_gathered, kind == LANE_SWARM);
        CHECK_INT(cosm_sim_reset(sim, (uint8_t[]){1, 0, 0}, NULL, NULL), COSM_OK);
        for (uint32_t w = 0; w < 3; w++) {
            cosm_world world = cosm_batch_world(cosm_sim_batch(sim), w);
            CHECK((cosm_hash_world(world, COSM_HASH_EXACT) == before[w]) == (w != 0));
        }
        CHECK_INT(cosm_sim_step(sim), COSM_OK);
        lane_close(sim);
    }
}

TEST(a_reset_of_worlds_that_are_walked_is_refused_and_nothing_is_done) {
    cosm_sim *sim = lane_open(LANE_BEGIN, &(cosm_sim_desc){.world_count = 3});
    REQUIRE(sim != NULL);
    cosm_batch *batch = cosm_sim_batch(sim);
    cosm_component out = cosm_component_find(cosm_sim_engine(sim), "out");
    cosm_query *query = cosm_query_create(
        cosm_sim_engine(sim),
        &(cosm_query_desc){.terms = {{.component = out, .access = COSM_ACCESS_WRITE}}});
    cosm_rows rows;
    uint64_t before = cosm_hash_batch(batch, COSM_HASH_EXACT);
    cosm_query_walk(query, cosm_worlds_all(batch), &rows);
    CHECK(cosm_rows_next(&rows));
    CHECK_INT(cosm_sim_reset(sim, NULL, (uint64_t[]){7, 8, 9}, NULL), COSM_ERROR_WALKED);
    CHECK_CONTAINS(cosm_error_message(), "cosm_sim_reset: world 0 is being walked; end the walk");
    cosm_rows_end(&rows);
    CHECK_INT(cosm_hash_batch(batch, COSM_HASH_EXACT), before);
    CHECK_INT(cosm_sim_reset(sim, NULL, NULL, NULL), COSM_OK);
    lane_close(sim);
}
