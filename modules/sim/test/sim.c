// Simulations: making one, what it tells of itself, ending it.
#include <cosm_sim/sim.h>

#include "harness.h"
#include "support/lane.h"

#include <math.h>
#include <string.h>

TEST(a_simulation_needs_one_environment) {
    CHECK(cosm_sim_create(NULL) == NULL);
    CHECK_CONTAINS(cosm_error_message(), "cosm_sim_create: desc is NULL");
    CHECK(cosm_sim_create(&(cosm_sim_desc){.world_count = 1}) == NULL);
    CHECK_CONTAINS(cosm_error_message(), "neither of desc.env and desc.library are set");
    CHECK(cosm_sim_create(&(cosm_sim_desc){.env = lane_env(0), .library = "x"}) == NULL);
    CHECK_CONTAINS(cosm_error_message(), "both of desc.env and desc.library are set");
    CHECK(cosm_sim_create(&(cosm_sim_desc){.env = lane_env(0), .autoreset = (cosm_autoreset)3}) ==
          NULL);
    CHECK_CONTAINS(cosm_error_message(), "desc.autoreset is 3; use a value of cosm_autoreset");
    CHECK(cosm_sim_create(&(cosm_sim_desc){.env = lane_env(0), .param_count = 1}) == NULL);
    CHECK_CONTAINS(cosm_error_message(), "desc.params is NULL, but desc.param_count is 1");
    CHECK(cosm_sim_create(&(cosm_sim_desc){.env = lane_env(0),
                                           .world_count = COSM_BATCH_WORLD_MAX + 1}) == NULL);
    CHECK_CONTAINS(cosm_error_message(), "world_count");
}

TEST(nothing_is_asked_of_no_simulation) {
    CHECK_INT(cosm_sim_step(NULL), COSM_ERROR_ARGUMENT);
    CHECK_CONTAINS(cosm_error_message(), "cosm_sim_step: sim is NULL");
    CHECK_INT(cosm_sim_reset(NULL, NULL, NULL, NULL), COSM_ERROR_ARGUMENT);
    CHECK_INT(cosm_sim_draw(NULL, 0, NULL), COSM_ERROR_ARGUMENT);
    CHECK_INT(cosm_sim_destroy(NULL), COSM_OK);
    CHECK(cosm_sim_engine(NULL) == NULL && cosm_sim_batch(NULL) == NULL);
    CHECK(cosm_sim_env(NULL) == NULL && cosm_sim_context(NULL) == NULL);
    CHECK(cosm_sim_tensor(NULL, COSM_ROLE_REWARD) == NULL && cosm_sim_final(NULL, 0) == NULL);
    CHECK_INT(cosm_sim_slot(NULL, COSM_ROLE_REWARD), COSM_EXPORT_SLOT_NONE);
    CHECK_INT(cosm_sim_role(NULL, 0), COSM_ROLE_NONE);
    CHECK_INT(cosm_sim_agent_max(NULL), 0);
    CHECK_INT(cosm_sim_step_limit(NULL), 0);
    CHECK_INT(cosm_sim_autoreset(NULL), COSM_AUTORESET_NEXT_STEP);
    cosm_space space;
    CHECK(!cosm_sim_space(NULL, 0, &space));
}

TEST(asking_for_the_tensor_of_a_role_that_no_slot_has_is_reported) {
    cosm_sim *sim = lane_open(LANE_HERD, &(cosm_sim_desc){.world_count = 5});
    REQUIRE(sim != NULL);
    cosm_error_clear();
    CHECK_INT(cosm_sim_slot(sim, COSM_ROLE_ACTION_MASK), COSM_EXPORT_SLOT_NONE);
    CHECK_STR(cosm_error_message(), "");
    CHECK(cosm_sim_tensor(sim, COSM_ROLE_ACTION_MASK) == NULL);
    CHECK_CONTAINS(cosm_error_message(), "has no slot of role COSM_ROLE_ACTION_MASK; list one");
    CHECK_INT(cosm_sim_destroy(sim), COSM_OK);
}

TEST(the_batch_of_a_simulation_goes_with_it_and_not_before) {
    cosm_sim *sim = lane_open(LANE_HERD, &(cosm_sim_desc){.world_count = 5});
    REQUIRE(sim != NULL);
    CHECK_INT(cosm_batch_destroy(cosm_sim_batch(sim)), COSM_ERROR_BUSY);
    CHECK_STR(cosm_error_message(),
              "cosm_batch_destroy: this batch belongs to a simulation; destroy that with "
              "cosm_sim_destroy");
    cosm_hasher *hasher = cosm_hasher_create(cosm_sim_batch(sim));
    CHECK_INT(cosm_sim_destroy(sim), COSM_ERROR_BUSY);
    CHECK_CONTAINS(cosm_error_message(), "hashers");
    CHECK_INT(cosm_batch_destroy(cosm_sim_batch(sim)), COSM_ERROR_BUSY);
    CHECK_CONTAINS(cosm_error_message(), "cosm_sim_destroy");
    cosm_hasher_destroy(hasher);
    CHECK_INT(cosm_sim_step(sim), COSM_OK);
    CHECK_INT(cosm_sim_destroy(sim), COSM_OK);
}

TEST(it_tells_its_parts_slots_and_roles) {
    cosm_sim *sim = lane_open(
        LANE_HERD, &(cosm_sim_desc){.world_count = 5, .autoreset = COSM_AUTORESET_DISABLED});
    REQUIRE(sim != NULL);
    CHECK(cosm_batch_engine(cosm_sim_batch(sim)) == cosm_sim_engine(sim));
    CHECK_INT(cosm_batch_world_count(cosm_sim_batch(sim)), 5);
    CHECK(cosm_sim_env(sim) == lane_env(LANE_HERD));
    CHECK(cosm_sim_context(sim) != NULL);
    CHECK_INT(cosm_sim_autoreset(sim), COSM_AUTORESET_DISABLED);
    CHECK_INT(cosm_sim_step_limit(sim), 12);
    CHECK_INT(cosm_sim_agent_max(sim), 4);
    CHECK_INT(cosm_sim_slot(sim, COSM_ROLE_REWARD), LANE_SLOT_REWARD);
    CHECK_INT(cosm_sim_slot(sim, COSM_ROLE_RESET), COSM_SIM_SLOT_RESET);
    CHECK_INT(cosm_sim_slot(sim, COSM_ROLE_ACTION_MASK), COSM_EXPORT_SLOT_NONE);
    CHECK_INT(cosm_sim_slot(sim, COSM_ROLE_NONE), COSM_EXPORT_SLOT_NONE);
    CHECK_INT(cosm_sim_slot(sim, COSM_ROLE_INFO), LANE_SLOT_AGE);
    CHECK_STR(cosm_sim_tensor(sim, COSM_ROLE_ACTION)->name, "action");
    CHECK_INT(cosm_sim_role(sim, LANE_SLOT_AGENTS), COSM_ROLE_AGENT_MASK);
    CHECK_INT(cosm_sim_role(sim, 200), COSM_ROLE_NONE);
    CHECK_INT(cosm_sim_role(sim, COSM_SIM_SLOT_RESET), COSM_ROLE_RESET);
    CHECK_INT(cosm_sim_role(sim, COSM_SIM_SLOT_LAST_LENGTH), COSM_ROLE_INFO);
    CHECK_INT(cosm_sim_role(sim, COSM_SIM_SLOT_LAST_LENGTH + 1), COSM_ROLE_NONE);
    CHECK(cosm_sim_final(sim, LANE_SLOT_OBSERVATION) == NULL);
    lane_close(sim);
}

TEST(agents_at_most_are_those_of_their_place) {
    static const uint32_t maxes[LANE_KIND_COUNT] = {1, 1, 4, 0, 1};
    for (int kind = 0; kind < LANE_KIND_COUNT; kind++) {
        cosm_sim *sim = lane_open((enum lane_kind)kind, &(cosm_sim_desc){.world_count = 2});
        CHECK_INT(cosm_sim_agent_max(sim), maxes[kind]);
        lane_close(sim);
    }
}

TEST(the_hosts_slots_are_arrays_by_world) {
    static const char *names[] = {"reset",          "episode_return",     "episode_length",
                                  "episode_number", "episode_terminated", "episode_truncated",
                                  "last_return",    "last_length"};
    static const size_t sizes[] = {1, 4, 4, 4, 1, 1, 4, 4};
    cosm_sim *sim = lane_open(LANE_PLACE, &(cosm_sim_desc){.world_count = 70});
    REQUIRE(sim != NULL);
    for (uint32_t h = 0; h < 8; h++) {
        const cosm_tensor *tensor = cosm_batch_tensor(cosm_sim_batch(sim), COSM_SIM_SLOT_RESET + h);
        REQUIRE(tensor != NULL);
        CHECK_STR(tensor->name, names[h]);
        CHECK_INT(cosm_export_find(cosm_sim_engine(sim), names[h]), COSM_SIM_SLOT_RESET + h);
        CHECK_INT(tensor->dim_count, 1);
        CHECK_INT(tensor->shape[0], 70);
        CHECK_INT(tensor->strides[0], (int64_t)sizes[h]);
        CHECK_INT((uintptr_t)tensor->data % 64, 0);
    }
    lane_close(sim);
    sim = lane_open(LANE_SOLO, &(cosm_sim_desc){.world_count = 2});
    CHECK(cosm_batch_tensor(cosm_sim_batch(sim), COSM_SIM_SLOT_RESET) == NULL);
    CHECK_INT(cosm_sim_slot(sim, COSM_ROLE_RESET), LANE_SLOT_RESET);
    lane_close(sim);
}

// A singleton with one field of each way to tell what values it has.
struct ranges {
    int32_t choice;
    uint8_t label;
    uint8_t gap;
    uint8_t mask;
    bool flag;
    float plain;
    float range;
    int16_t whole;
    uint16_t from_one;
};

static cosm_result define_ranges(const cosm_env_setup *setup) {
    static const cosm_label items[] = {{"b", 1}, {"a", 0}, {"c", 2}};
    static const cosm_label gaps[] = {{"a", 0}, {"b", 2}};
    static const cosm_labels all = {.name = "all", .count = 3, .items = items};
    static const cosm_labels some = {.name = "some", .count = 2, .items = gaps};
    static const cosm_labels bits = {
        .name = "bits", .kind = COSM_LABELS_MASK, .count = 3, .items = items};
    static const cosm_field fields[] = {
        {.name = "choice", .type = COSM_FIELD_I32, .offset = 0, .max = 4},
        {.name = "label", .type = COSM_FIELD_U8, .offset = 4, .labels = &all},
        {.name = "gap", .type = COSM_FIELD_U8, .offset = 5, .labels = &some},
        {.name = "mask", .type = COSM_FIELD_U8, .offset = 6, .labels = &bits},
        {.name = "flag", .type = COSM_FIELD_BOOL, .offset = 7},
        {.name = "plain", .type = COSM_FIELD_F32, .offset = 8},
        {.name = "range", .type = COSM_FIELD_F32, .offset = 12, .min = -2, .max = 0.5},
        {.name = "whole", .type = COSM_FIELD_I16, .offset = 16},
        {.name = "from_one", .type = COSM_FIELD_U16, .offset = 18, .min = 1, .max = 6},
    };
    cosm_singleton ranges =
        cosm_singleton_define(setup->engine, &(cosm_singleton_desc){.name = "ranges",
                                                                    .size = sizeof(struct ranges),
                                                                    .alignment = 4,
                                                                    .fields = fields,
                                                                    .field_count = 9});
    cosm_result result = COSM_OK;
    for (uint32_t f = 0; f < 9 && result == COSM_OK; f++) {
        result = cosm_export_define(setup->engine,
                                    &(cosm_export_desc){.slot = f,
                                                        .name = fields[f].name,
                                                        .singleton = ranges,
                                                        .field = fields[f].name,
                                                        .direction = COSM_DIRECTION_BOTH});
    }
    return result != COSM_OK
               ? result
               : cosm_export_define(setup->engine, &(cosm_export_desc){.slot = 9,
                                                                       .name = "both",
                                                                       .singleton = ranges,
                                                                       .field = "plain",
                                                                       .field_count = 2});
}

static void draw(void *context, cosm_world world, cosm_canvas *canvas) {
    (void)context;
    canvas->pixels[3 * world.index] = 255;
}

static const cosm_env_desc ranges_env = {COSM_ENV_BUILT, .name = "ranges", .define = define_ranges,
                                         .draw = draw,
                                         .slots = {{0, COSM_ROLE_ACTION},
                                                   {9, COSM_ROLE_OBSERVATION},
                                                   {5, COSM_ROLE_REWARD},
                                                   {7, COSM_ROLE_PARAMETER},
                                                   {4, COSM_ROLE_PARAMETER}}};

TEST(spaces_are_what_the_fields_tell) {
    static const struct {
        uint32_t choices;
        double low;
        double high;
    } expected[10] = {{5, 0, 4},    {3, 0, 2},
                      {0, 0, 255},  {0, 0, 255},
                      {2, 0, 1},    {0, -INFINITY, INFINITY},
                      {0, -2, 0.5}, {0, -32768, 32767},
                      {0, 1, 6},    {0, -INFINITY, INFINITY}};
    cosm_sim *sim = cosm_sim_create(&(cosm_sim_desc){.env = &ranges_env});
    REQUIRE(sim != NULL);
    for (uint32_t slot = 0; slot < 10; slot++) {
        cosm_space space;
        REQUIRE(cosm_sim_space(sim, slot, &space));
        CHECK_INT(space.choice_count, expected[slot].choices);
        CHECK(space.low == expected[slot].low && space.high == expected[slot].high);
        CHECK_INT(space.type, cosm_batch_tensor(cosm_sim_batch(sim), slot)->type);
    }
    cosm_space space = {.choice_count = 99};
    CHECK(!cosm_sim_space(sim, 50, &space) && !cosm_sim_space(sim, 0, NULL));
    CHECK_INT(space.choice_count, 99);
    CHECK_INT(cosm_sim_set(sim, &(cosm_sim_param){.name = "whole", .value = -7}), COSM_OK);
    CHECK_INT(*(int16_t *)lane_data(sim, 7), -7);
    CHECK_INT(cosm_sim_set(sim, &(cosm_sim_param){.name = "whole", .value = 40000}),
              COSM_ERROR_ARGUMENT);
    CHECK_INT(cosm_sim_set(sim, &(cosm_sim_param){.name = "whole", .value = NAN}),
              COSM_ERROR_ARGUMENT);
    CHECK_INT(cosm_sim_set(sim, &(cosm_sim_param){.name = "flag", .value = 1}), COSM_OK);
    CHECK(*(bool *)lane_data(sim, 4));
    lane_close(sim);
}

struct picks {
    int32_t turn;
    int32_t move;
    uint8_t may_turn[2];
    uint8_t may_move[3];
    float seen;
    float reward;
};

static cosm_result define_picks(const cosm_env_setup *setup) {
    static const cosm_field fields[] = {
        {.name = "turn", .type = COSM_FIELD_I32, .max = 1},
        {.name = "move", .type = COSM_FIELD_I32, .offset = 4, .max = 2},
        {.name = "may_turn", .type = COSM_FIELD_U8, .offset = 8, .dims = {2}},
        {.name = "may_move", .type = COSM_FIELD_U8, .offset = 10, .dims = {3}},
        {.name = "seen", .type = COSM_FIELD_F32, .offset = 16},
        {.name = "reward", .type = COSM_FIELD_F32, .offset = 20},
    };
    cosm_singleton picks =
        cosm_singleton_define(setup->engine, &(cosm_singleton_desc){.name = "picks",
                                                                    .size = sizeof(struct picks),
                                                                    .alignment = 4,
                                                                    .fields = fields,
                                                                    .field_count = 6});
    cosm_result result = COSM_OK;
    for (uint32_t f = 0; f < 6 && result == COSM_OK; f++) {
        result = cosm_export_define(setup->engine,
                                    &(cosm_export_desc){.slot = f,
                                                        .name = fields[f].name,
                                                        .singleton = picks,
                                                        .field = fields[f].name,
                                                        .direction = COSM_DIRECTION_BOTH});
    }
    return result;
}

TEST(a_mask_belongs_to_the_action_before_it_or_to_the_first_one) {
    const cosm_env_desc env = {COSM_ENV_BUILT, .name = "picks", .define = define_picks,
                               .slots = {{2, COSM_ROLE_ACTION_MASK},
                                         {0, COSM_ROLE_ACTION},
                                         {1, COSM_ROLE_ACTION},
                                         {4, COSM_ROLE_OBSERVATION},
                                         {3, COSM_ROLE_ACTION_MASK},
                                         {5, COSM_ROLE_REWARD}}};
    cosm_sim *sim = cosm_sim_create(&(cosm_sim_desc){.env = &env});
    REQUIRE(sim != NULL);
    CHECK_INT(cosm_sim_mask_action(sim, 2), 0);
    CHECK_INT(cosm_sim_mask_action(sim, 3), 1);
    CHECK_INT(cosm_sim_mask_action(sim, 0), COSM_EXPORT_SLOT_NONE);
    CHECK_INT(cosm_sim_mask_action(sim, COSM_SIM_SLOT_RESET), COSM_EXPORT_SLOT_NONE);
    CHECK_INT(cosm_sim_mask_action(NULL, 2), COSM_EXPORT_SLOT_NONE);
    CHECK_INT(cosm_sim_destroy(sim), COSM_OK);
}

TEST(worlds_are_drawn_on_black) {
    cosm_sim *sim = cosm_sim_create(&(cosm_sim_desc){.env = &ranges_env, .world_count = 2});
    REQUIRE(sim != NULL);
    uint8_t pixels[12];
    memset(pixels, 9, sizeof(pixels));
    cosm_canvas canvas = {pixels, 2, 2};
    CHECK_INT(cosm_sim_draw(sim, 1, &canvas), COSM_OK);
    static const uint8_t expected[12] = {0, 0, 0, 255};
    CHECK_MEM(pixels, expected, 12);
    CHECK_INT(cosm_sim_draw(sim, 2, &canvas), COSM_ERROR_ARGUMENT);
    CHECK_CONTAINS(cosm_error_message(), "cosm_sim_draw: world 2 of 2 on a canvas of 2 x 2");
    CHECK_INT(cosm_sim_draw(sim, 0, NULL), COSM_ERROR_ARGUMENT);
    canvas.width = 0;
    CHECK_INT(cosm_sim_draw(sim, 0, &canvas), COSM_ERROR_ARGUMENT);
    canvas.pixels = NULL;
    CHECK_INT(cosm_sim_draw(sim, 0, &canvas), COSM_ERROR_ARGUMENT);
    CHECK_CONTAINS(cosm_error_message(), "canvas.pixels is NULL");
    lane_close(sim);
    sim = lane_open(LANE_PLACE, &(cosm_sim_desc){.world_count = 1});
    canvas = (cosm_canvas){pixels, 2, 2};
    CHECK_INT(cosm_sim_draw(sim, 0, &canvas), COSM_ERROR_ARGUMENT);
    CHECK_CONTAINS(cosm_error_message(), "environment 'place' cannot be drawn");
    lane_close(sim);
}

TEST(a_simulation_whose_engine_is_used_otherwise_is_not_destroyed) {
    cosm_sim *sim = lane_open(LANE_PLACE, &(cosm_sim_desc){.world_count = 2});
    REQUIRE(sim != NULL);
    cosm_batch *other = cosm_batch_create(cosm_sim_engine(sim), NULL);
    CHECK_INT(cosm_sim_destroy(sim), COSM_ERROR_BUSY);
    CHECK_CONTAINS(cosm_error_message(), "cosm_sim_destroy: 1 batches that you created");
    CHECK_INT(cosm_sim_step(sim), COSM_OK);
    CHECK_INT(cosm_batch_destroy(other), COSM_OK);
    cosm_hasher *hasher = cosm_hasher_create(cosm_sim_batch(sim));
    CHECK_INT(cosm_sim_destroy(sim), COSM_ERROR_BUSY);
    CHECK_INT(cosm_sim_step(sim), COSM_OK);
    cosm_hasher_destroy(hasher);
    lane_close(sim);
}
