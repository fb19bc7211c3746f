// Phases: their definition and their order (cosm/system.h).
#include <stdio.h>
#include <string.h>

#include "harness.h"
#include "support/fixture.h"

// The names of all phases in their order.
static void list_phases(const cosm_engine *engine, char *text, size_t size) {
    text[0] = '\0';
    for (uint32_t i = 0; i < cosm_engine_describe(engine).phase_count; i++) {
        size_t length = strlen(text);
        (void)snprintf(text + length, size - length, "%s%s", i == 0 ? "" : " ",
                       cosm_phase_describe(engine, cosm_phase_at(engine, i)).name);
    }
}

#define CHECK_ORDER(engine, expected)                                                              \
    do {                                                                                           \
        char order_text[1024];                                                                     \
        list_phases((engine), order_text, sizeof(order_text));                                     \
        CHECK_STR(order_text, expected);                                                           \
    } while (0)

TEST(an_engine_has_input_simulation_and_render) {
    cosm_engine *engine = cosm_engine_create(NULL);
    CHECK_ORDER(engine, "input simulation render");
    CHECK_INT(cosm_engine_describe(engine).phase_count, 3);
    CHECK_INT(cosm_phase_find(engine, "input").id, COSM_PHASE_INPUT.id);
    CHECK_INT(cosm_phase_find(engine, "simulation").id, COSM_PHASE_SIMULATION.id);
    CHECK_INT(cosm_phase_find(engine, "render").id, COSM_PHASE_RENDER.id);
    CHECK(!cosm_phase_describe(engine, COSM_PHASE_INPUT).is_fixed);
    CHECK(cosm_phase_describe(engine, COSM_PHASE_SIMULATION).is_fixed);
    CHECK(!cosm_phase_describe(engine, COSM_PHASE_RENDER).is_fixed);
    CHECK_INT(cosm_phase_at(engine, 3).id, 0);
    CHECK_INT(cosm_phase_at(engine, UINT32_MAX).id, 0);
    CHECK_DONE(cosm_engine_destroy(engine));
}

TEST(a_zeroed_desc_with_a_name_makes_a_fixed_phase_behind_all_others) {
    cosm_engine *engine = cosm_engine_create(NULL);
    char name[] = "late";
    cosm_phase late = cosm_phase_define(engine, &(cosm_phase_desc){.name = name});
    name[0] = 'X';
    CHECK(late.id != 0);
    CHECK_STR(cosm_phase_describe(engine, late).name, "late");
    CHECK(cosm_phase_describe(engine, late).is_fixed);
    CHECK_ORDER(engine, "input simulation render late");
    CHECK_DONE(cosm_engine_destroy(engine));
}

static cosm_phase put_before(cosm_engine *engine, const char *name, cosm_phase phase) {
    return cosm_phase_define(engine, &(cosm_phase_desc){.name = name, .before = phase});
}

static cosm_phase put_after(cosm_engine *engine, const char *name, cosm_phase phase) {
    return cosm_phase_define(engine, &(cosm_phase_desc){.name = name, .after = phase});
}

TEST(a_phase_comes_right_before_the_one_it_names) {
    cosm_engine *engine = cosm_engine_create(NULL);
    CHECK(put_before(engine, "a", COSM_PHASE_INPUT).id != 0);
    CHECK_ORDER(engine, "a input simulation render");
    CHECK(put_before(engine, "b", COSM_PHASE_INPUT).id != 0);
    CHECK_ORDER(engine, "a b input simulation render");
    CHECK(put_before(engine, "c", COSM_PHASE_RENDER).id != 0);
    CHECK_ORDER(engine, "a b input simulation c render");
    CHECK_DONE(cosm_engine_destroy(engine));
}

TEST(a_phase_comes_after_the_one_it_names_and_those_put_after_it_earlier) {
    cosm_engine *engine = cosm_engine_create(NULL);
    CHECK(put_after(engine, "a", COSM_PHASE_INPUT).id != 0);
    CHECK(put_after(engine, "b", COSM_PHASE_INPUT).id != 0);
    CHECK(put_after(engine, "c", COSM_PHASE_RENDER).id != 0);
    CHECK(put_after(engine, "d", COSM_PHASE_INPUT).id != 0);
    CHECK_ORDER(engine, "input a b d simulation render c");
    CHECK_DONE(cosm_engine_destroy(engine));
}

TEST(a_phase_put_before_one_of_those_does_not_hide_them) {
    cosm_engine *engine = cosm_engine_create(NULL);
    cosm_phase a = put_after(engine, "a", COSM_PHASE_INPUT);
    CHECK(put_before(engine, "w", a).id != 0);
    CHECK_ORDER(engine, "input w a simulation render");
    CHECK(put_after(engine, "b", COSM_PHASE_INPUT).id != 0);
    CHECK_ORDER(engine, "input w a b simulation render");
    CHECK_DONE(cosm_engine_destroy(engine));
}

TEST(the_same_definition_again_returns_the_same_phase) {
    cosm_engine *engine = cosm_engine_create(NULL);
    cosm_phase_desc desc = {.name = "physics", .after = COSM_PHASE_INPUT};
    cosm_phase first = cosm_phase_define(engine, &desc);
    CHECK_INT(cosm_phase_define(engine, &desc).id, first.id);
    CHECK_INT(cosm_engine_describe(engine).phase_count, 4);
    CHECK_INT(cosm_phase_define(engine, &(cosm_phase_desc){.name = "simulation"}).id,
              COSM_PHASE_SIMULATION.id);
    CHECK_INT(cosm_phase_define(
                  engine, &(cosm_phase_desc){.name = "input", .rate = COSM_PHASE_RATE_PER_FRAME})
                  .id,
              COSM_PHASE_INPUT.id);
    cosm_phase_desc others[] = {
        {.name = "physics"},
        {.name = "physics", .before = COSM_PHASE_INPUT},
        {.name = "physics", .after = COSM_PHASE_RENDER},
        {.name = "physics", .after = COSM_PHASE_INPUT, .rate = COSM_PHASE_RATE_PER_FRAME},
        {.name = "input"}};
    for (uint32_t i = 0; i < 5; i++) {
        CHECK_INT(cosm_phase_define(engine, &others[i]).id, 0);
        CHECK_FAILURE(COSM_ERROR_CONFLICT, "cosm_phase_define:", others[i].name, "another name");
    }
    CHECK_ORDER(engine, "input physics simulation render");
    CHECK_DONE(cosm_engine_destroy(engine));
}

TEST(a_phase_with_wrong_values_is_refused_and_nothing_changes) {
    cosm_engine *engine = cosm_engine_create(NULL);
    char longest[COSM_NAME_LENGTH_MAX + 2];
    memset(longest, 'n', sizeof(longest));
    longest[COSM_NAME_LENGTH_MAX + 1] = '\0';
    struct {
        cosm_phase_desc desc;
        cosm_result result;
        const char *value;
        const char *remedy;
    } cases[] = {
        {{.name = NULL}, COSM_ERROR_ARGUMENT, "desc.name", "use 1 to 127 characters"},
        {{.name = ""}, COSM_ERROR_ARGUMENT, "desc.name", "use 1 to 127 characters"},
        {{.name = longest}, COSM_ERROR_LIMIT, "128", "127"},
        {{.name = "a", .before = {4}}, COSM_ERROR_ARGUMENT, "4", "define that one first"},
        {{.name = "a", .after = {99}}, COSM_ERROR_ARGUMENT, "99", "define that one first"},
        {{.name = "a", .before = {1}, .after = {2}},
         COSM_ERROR_ARGUMENT,
         "'a'",
         "set only one of them"},
        {{.name = "a", .rate = (cosm_phase_rate)2}, COSM_ERROR_ARGUMENT, "2", "cosm_phase_rate"},
        {{.name = "a", .rate = (cosm_phase_rate)-1}, COSM_ERROR_ARGUMENT, "-1", "cosm_phase_rate"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        cosm_error_clear();
        CHECK_INT(cosm_phase_define(engine, &cases[i].desc).id, 0);
        CHECK_FAILURE(cases[i].result, "cosm_phase_define:", cases[i].value, cases[i].remedy);
        CHECK_ORDER(engine, "input simulation render");
    }
    CHECK_INT(cosm_phase_define(engine, NULL).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_phase_define:", "desc is NULL", "pass both");
    CHECK_INT(cosm_phase_define(NULL, &(cosm_phase_desc){.name = "a"}).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_phase_define:", "engine is NULL", "pass both");
    CHECK_DONE(cosm_engine_destroy(engine));
}

TEST(an_engine_has_room_for_exactly_the_limit_of_phases) {
    cosm_engine *engine = cosm_engine_create(NULL);
    char name[16];
    for (uint32_t i = 4; i <= COSM_PHASE_MAX; i++) {
        (void)snprintf(name, sizeof(name), "phase %u", i);
        CHECK_INT(put_after(engine, name, COSM_PHASE_INPUT).id, i);
    }
    CHECK_INT(cosm_engine_describe(engine).phase_count, COSM_PHASE_MAX);
    CHECK_INT(put_after(engine, "one more", COSM_PHASE_INPUT).id, 0);
    CHECK_FAILURE(COSM_ERROR_LIMIT, "cosm_phase_define:", "64", "rank");
    CHECK_INT(put_after(engine, "phase 9", COSM_PHASE_INPUT).id, 9);
    CHECK_INT(cosm_phase_at(engine, 1).id, 4);
    CHECK_INT(cosm_phase_at(engine, COSM_PHASE_MAX - 1).id, COSM_PHASE_RENDER.id);
    CHECK_DONE(cosm_engine_destroy(engine));
}

TEST(asking_for_what_is_no_phase_gives_nothing) {
    cosm_engine *engine = cosm_engine_create(NULL);
    cosm_error_clear();
    CHECK_INT(cosm_phase_find(engine, "nowhere").id, 0);
    CHECK_INT(cosm_phase_find(engine, NULL).id, 0);
    CHECK_INT(cosm_phase_find(NULL, "input").id, 0);
    const uint32_t ids[] = {0, 4, 65, UINT32_MAX};
    for (uint32_t i = 0; i < 4; i++) {
        CHECK(cosm_phase_describe(engine, (cosm_phase){ids[i]}).name == NULL);
        CHECK(!cosm_phase_describe(engine, (cosm_phase){ids[i]}).is_fixed);
    }
    CHECK(cosm_phase_describe(NULL, COSM_PHASE_INPUT).name == NULL);
    CHECK_INT(cosm_engine_describe(NULL).phase_count, 0);
    CHECK_INT(cosm_phase_at(NULL, 0).id, 0);
    CHECK_SILENT();
    CHECK_DONE(cosm_engine_destroy(engine));
}

// What ran, as letters in their order.
struct trail {
    char text[64];
    uint32_t length;
};

struct step_mark {
    struct trail *trail;
    char letter;
};

static void leave_mark(const cosm_turn *turn) {
    const struct step_mark *mark = turn->context;
    (void)turn;
    mark->trail->text[mark->trail->length++] = mark->letter;
    mark->trail->text[mark->trail->length] = '\0';
}

static void define_mark(cosm_engine *engine, struct step_mark *mark, const char *name,
                        cosm_phase phase) {
    cosm_system_desc desc = {
        .name = name, .phase = phase, .run = leave_mark, .context = mark, .main_thread = true};
    CHECK(cosm_system_define(engine, &desc).id != 0);
}

TEST(a_step_runs_all_phases_in_their_order_and_a_phase_runs_by_itself) {
    struct fixture box;
    fixture_open(&box, 0, 3);
    struct trail trail = {.length = 0};
    struct step_mark marks[] = {{&trail, 'r'}, {&trail, 's'}, {&trail, 'i'}, {&trail, 'p'}};
    define_mark(box.engine, &marks[0], "of render", COSM_PHASE_RENDER);
    define_mark(box.engine, &marks[1], "of simulation", (cosm_phase){0});
    define_mark(box.engine, &marks[2], "of input", COSM_PHASE_INPUT);
    CHECK_DONE(cosm_batch_step(box.batch));
    CHECK_STR(trail.text, "isr");
    // A phase that comes later than the first step has its place too.
    cosm_phase physics = put_before(box.engine, "physics", COSM_PHASE_SIMULATION);
    define_mark(box.engine, &marks[3], "of physics", physics);
    trail.length = 0;
    CHECK_DONE(cosm_batch_step(box.batch));
    CHECK_STR(trail.text, "ipsr");
    CHECK_INT(cosm_batch_step_count(box.batch), 2);
    trail.length = 0;
    CHECK_DONE(cosm_batch_run_phase(box.batch, COSM_PHASE_RENDER, -1.0f));
    CHECK_DONE(cosm_batch_run_phase(box.batch, physics, -1.0f));
    CHECK_STR(trail.text, "rp");
    CHECK_INT(cosm_batch_step_count(box.batch), 2);
    CHECK_DONE(cosm_batch_end_step(box.batch));
    CHECK_INT(cosm_batch_step_count(box.batch), 3);
    fixture_close(&box);
}

static void keep_dt(const cosm_turn *turn) {
    *(float *)turn->context = turn->dt;
}

TEST(a_phase_sees_the_length_of_time_it_is_run_with) {
    struct fixture box;
    fixture_open_with(&box, 0, NULL, &(cosm_batch_desc){.step_seconds = 0.25f});
    static float dt;
    cosm_system_desc desc = {.name = "dt", .run = keep_dt, .context = &dt, .main_thread = true};
    CHECK(cosm_system_define(box.engine, &desc).id != 0);
    CHECK_DONE(cosm_batch_step(box.batch));
    CHECK_NEAR(dt, 0.25, 0);
    CHECK_DONE(cosm_batch_run_phase(box.batch, COSM_PHASE_SIMULATION, 0.5f));
    CHECK_NEAR(dt, 0.5, 0);
    CHECK_DONE(cosm_batch_run_phase(box.batch, COSM_PHASE_SIMULATION, 0.0f));
    CHECK_NEAR(dt, 0.0, 0);
    CHECK_DONE(cosm_batch_run_phase(box.batch, COSM_PHASE_SIMULATION, -1.0f));
    CHECK_NEAR(dt, 0.25, 0);
    CHECK_NEAR(cosm_batch_step_seconds(box.batch), 0.25, 0);
    fixture_close(&box);
}

TEST(a_phase_that_is_not_defined_is_not_run) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    const uint32_t ids[] = {0, 4, UINT32_MAX};
    for (uint32_t i = 0; i < 3; i++) {
        CHECK_FAILS(cosm_batch_run_phase(box.batch, (cosm_phase){ids[i]}, -1.0f),
                    COSM_ERROR_ARGUMENT, "cosm_batch_run_phase:", "is not defined",
                    "cosm_phase_define");
    }
    volatile float zero = 0.0f;
    CHECK_FAILS(cosm_batch_run_phase(box.batch, COSM_PHASE_INPUT, zero / zero), COSM_ERROR_ARGUMENT,
                "cosm_batch_run_phase:", "dt", "seconds");
    CHECK_FAILS(cosm_batch_run_phase(box.batch, COSM_PHASE_INPUT, 1.0f / zero), COSM_ERROR_ARGUMENT,
                "cosm_batch_run_phase:", "dt", "seconds");
    CHECK_FAILS(cosm_batch_run_phase(NULL, COSM_PHASE_INPUT, 0), COSM_ERROR_ARGUMENT,
                "cosm_batch_run_phase:", "batch is NULL", "cosm_batch_create");
    CHECK_FAILS(cosm_batch_end_step(NULL), COSM_ERROR_ARGUMENT,
                "cosm_batch_end_step:", "batch is NULL", "cosm_batch_create");
    CHECK_INT(cosm_batch_step_count(box.batch), 0);
    fixture_close(&box);
}
