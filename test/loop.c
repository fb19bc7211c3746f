// The loop: how many steps a frame takes, in which order phases run, pausing, stopping, threads and
// failures (cosm/loop.h, run/pace.h).
//
// ctest: threads
//
// Time is made up: frames get their seconds from the test, or from a clock that the test turns.
// Tests with the system's clock do not look at it: they hang where a stop does not wake a loop.
#define _DEFAULT_SOURCE
#include <float.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "run/pace.h"
#include "support/fixture.h"
#include "support/ledger.h"

#define SECOND_NS ((uint64_t)1000000000)
#define LOG_MAX 256u

// What systems saw, in the order in which they ran: a letter and the dt of each run.
struct diary {
    char letters[LOG_MAX];
    float dt[LOG_MAX];
    uint32_t count;
};

// What a system of the diary is told.
struct writer {
    struct diary *diary;
    char letter;
};

static void write_letter(const cosm_turn *turn) {
    struct writer *writer = turn->context;
    struct diary *diary = writer->diary;
    if (diary->count + 1 < LOG_MAX) {
        diary->letters[diary->count] = writer->letter;
        diary->dt[diary->count++] = turn->dt;
        diary->letters[diary->count] = '\0';
    }
}

static void clear_diary(struct diary *diary) {
    diary->count = 0;
    diary->letters[0] = '\0';
}

#define CHECK_DIARY(diary, expected)                                                               \
    do {                                                                                           \
        CHECK_STR((diary)->letters, (expected));                                                   \
        clear_diary(diary);                                                                        \
    } while (0)

// An engine with a system in each of the three phases that writes i, s or r.
struct stage {
    struct fixture box;
    struct diary diary;
    struct writer input;
    struct writer simulation;
    struct writer render;
};

static void define_writer(struct stage *stage, struct writer *writer, const char *name, char letter,
                          cosm_phase phase) {
    *writer = (struct writer){&stage->diary, letter};
    cosm_system system =
        cosm_system_define(stage->box.engine, &(cosm_system_desc){.name = name,
                                                                  .phase = phase,
                                                                  .run = write_letter,
                                                                  .context = writer,
                                                                  .main_thread = true});
    CHECK(system.id != 0);
}

static void stage_open_with(struct stage *stage, const cosm_engine_desc *engine,
                            const cosm_batch_desc *batch) {
    memset(stage, 0, sizeof(*stage));
    fixture_open_with(&stage->box, 0, engine, batch);
    define_writer(stage, &stage->input, "look", 'i', COSM_PHASE_INPUT);
    define_writer(stage, &stage->simulation, "move", 's', COSM_PHASE_SIMULATION);
    define_writer(stage, &stage->render, "draw", 'r', COSM_PHASE_RENDER);
}

static void stage_open(struct stage *stage) {
    stage_open_with(stage, NULL, NULL);
}

static void stage_close(struct stage *stage, cosm_loop *loop) {
    CHECK_DONE(cosm_loop_destroy(loop));
    fixture_close(&stage->box);
}

// A clock that a test turns. A sleep takes as long as it is asked to, and a bit longer.
struct hands {
    uint64_t now;
    uint64_t oversleep;
    uint64_t sleeps;
};

static uint64_t hands_now(void *context) {
    struct hands *hands = context;
    return hands->now;
}

static void hands_sleep(void *context, uint64_t ns) {
    struct hands *hands = context;
    hands->now += ns + hands->oversleep;
    hands->sleeps++;
}

// The arithmetic.

static struct loop_pace pace_of(cosm_loop_desc desc) {
    struct loop_pace pace;
    desc.step_rate = desc.step_rate == 0 ? 60 : desc.step_rate;
    cosmi_pace_init(&pace, &desc);
    return pace;
}

// Steps, those that were dropped, and what is left are all the time that passed.
static void check_sum(const struct loop_pace *pace, uint64_t steps, uint64_t passed) {
    CHECK_INT((steps + pace->steps_dropped) * pace->step_ticks + pace->left, passed);
    CHECK(pace->left < pace->step_ticks);
}

TEST(an_hour_of_frames_of_any_length_has_216000_steps) {
    struct dice dice = {harness_seed()};
    for (uint32_t longest = 1; longest <= 100; longest *= 10) {
        struct loop_pace pace = pace_of((cosm_loop_desc){.step_rate = 60});
        uint64_t left = 3600 * SECOND_NS;
        uint64_t steps = 0;
        while (left > 0) {
            uint64_t ns = 1 + dice_roll(&dice, longest * 1000000);
            ns = ns < left ? ns : left;
            steps += cosmi_pace_begin(&pace, cosmi_ticks_of_ns(ns)).steps;
            left -= ns;
        }
        CHECK_INT(steps, 216000);
        CHECK_INT(pace.steps_dropped, 0);
        check_sum(&pace, steps, 3600 * SECOND_NS * LOOP_TICKS_PER_NS);
    }
}

TEST(ten_million_frames_do_not_drift) {
    static const double rates[] = {60, 59.94, 0.5};
    for (uint32_t i = 0; i < sizeof(rates) / sizeof(rates[0]); i++) {
        struct loop_pace by_ns = pace_of((cosm_loop_desc){.step_rate = rates[i]});
        struct loop_pace by_seconds = by_ns;
        uint64_t steps = 0;
        uint64_t steps_by_seconds = 0;
        // 13.7 hours of frames that are no whole number of steps.
        for (uint32_t frame = 0; frame < 10000000; frame++) {
            steps += cosmi_pace_begin(&by_ns, cosmi_ticks_of_ns(4931201)).steps;
            steps_by_seconds +=
                cosmi_pace_begin(&by_seconds, cosmi_ticks_of_seconds(0.004931201)).steps;
        }
        CHECK_NEAR((double)steps, 49312.01 * rates[i], 1);
        CHECK_NEAR((double)steps_by_seconds, 49312.01 * rates[i], 1);
    }
}

TEST(a_frame_as_long_as_some_steps_takes_just_these) {
    for (uint32_t rate = 1; rate <= 1000; rate++) {
        struct loop_pace pace = pace_of((cosm_loop_desc){.step_rate = rate, .frame_max = 100});
        uint64_t steps = 0;
        uint64_t expected = 0;
        for (uint32_t k = 0; k <= 8; k++) {
            steps += cosmi_pace_begin(&pace, cosmi_ticks_of_seconds((double)k / rate)).steps;
            expected += k;
            CHECK_INT(steps, expected);
        }
        // And where three frames make a step, it comes with the third.
        uint64_t third = cosmi_ticks_of_seconds(1.0 / 3 / rate);
        CHECK_INT(cosmi_pace_begin(&pace, third).steps, 0);
        CHECK_INT(cosmi_pace_begin(&pace, third).steps, 0);
        CHECK_INT(cosmi_pace_begin(&pace, third).steps, 1);
    }
}

TEST(no_time_is_lost_whatever_the_caps_drop) {
    struct dice dice = {harness_seed()};
    struct loop_pace pace = pace_of((cosm_loop_desc){.steps_max = 3, .frame_max = 0.04});
    uint64_t steps = 0;
    uint64_t passed = 0;
    for (uint32_t i = 0; i < 10000; i++) {
        uint64_t ticks = cosmi_ticks_of_ns(dice_roll(&dice, 200000000));
        struct loop_frame frame = cosmi_pace_begin(&pace, ticks);
        CHECK(frame.steps <= 3);
        CHECK(frame.dt <= 0.0400001f);
        steps += frame.steps;
        passed += ticks;
    }
    CHECK(pace.steps_dropped > 0);
    check_sum(&pace, steps, passed);
}

TEST(an_absurd_length_of_time_is_cut_and_overflows_nothing) {
    struct loop_pace pace = pace_of((cosm_loop_desc){.step_rate = COSM_LOOP_RATE_MAX,
                                                     .frame_rate = COSM_LOOP_RATE_MIN,
                                                     .frame_max = DBL_MAX,
                                                     .steps_max = UINT32_MAX,
                                                     .time_scale = DBL_MAX});
    CHECK_INT(cosmi_ticks_of_ns(UINT64_MAX), LOOP_PASSED_MAX);
    CHECK_INT(cosmi_ticks_of_seconds(DBL_MAX), LOOP_PASSED_MAX);
    for (uint32_t i = 0; i < 3; i++) {
        CHECK_INT(cosmi_pace_begin(&pace, LOOP_PASSED_MAX).steps, UINT32_MAX);
        CHECK(cosmi_pace_alpha(&pace) >= 0 && cosmi_pace_alpha(&pace) <= 1);
        CHECK(cosmi_pace_wait(&pace, LOOP_PASSED_MAX) <= 1000 * SECOND_NS);
    }
}

TEST(frames_are_due_on_a_grid_and_late_ones_do_not_shift_it) {
    struct dice dice = {harness_seed()};
    struct loop_pace pace = pace_of((cosm_loop_desc){.frame_rate = 60});
    uint64_t now = 0;
    uint64_t passed = 0;
    for (uint64_t frame = 0; frame < 1000000; frame++) {
        // Each begins up to a third of a period late. A period is short by less than a tick, which
        // is 16 ns in a million of them.
        uint64_t due = (frame * SECOND_NS + 59) / 60;
        CHECK(now + 16 >= due && now <= due + 5000000);
        uint64_t wake = now + cosmi_pace_wait(&pace, passed) + dice_roll(&dice, 5000000);
        passed = cosmi_ticks_of_ns(wake - now);
        now = wake;
    }
}

TEST(a_frame_that_is_late_by_whole_periods_leaves_these_out) {
    struct loop_pace pace = pace_of((cosm_loop_desc){.frame_rate = 100});
    const uint64_t period = SECOND_NS / 100;
    CHECK_INT(cosmi_pace_wait(&pace, 0), period);
    // 37 ms after the first: due at 10, so 27 late, of which 20 are left out; the next is at 40.
    CHECK_INT(cosmi_pace_wait(&pace, cosmi_ticks_of_ns(37000000)), 3000000);
    // On time again.
    CHECK_INT(cosmi_pace_wait(&pace, cosmi_ticks_of_ns(3000000)), period);
    // Late by less than a period: nothing is left out, and the next follows at once.
    CHECK_INT(cosmi_pace_wait(&pace, cosmi_ticks_of_ns(19000000)), 1000000);
    CHECK_INT(cosmi_pace_wait(&pace, cosmi_ticks_of_ns(1000000)), period);
}

TEST(a_length_of_steps_that_a_float_rounded_gives_back_its_rate) {
    for (uint32_t rate = 1; rate <= 2000; rate++) {
        CHECK(cosmi_pace_rate((float)(1.0 / rate)) == rate);
    }
    CHECK_NEAR(cosmi_pace_rate((float)(1 / 59.94)), 59.94, 1e-5);
    CHECK_NEAR(cosmi_pace_rate(4.0f), 0.25, 0);
}

// Frames, one by one.

TEST(a_loop_is_what_it_was_made_as) {
    struct stage stage;
    stage_open(&stage);
    cosm_loop *loop = cosm_loop_create(stage.box.batch, NULL);
    REQUIRE(loop != NULL);
    CHECK(cosm_loop_describe(loop).batch == stage.box.batch);
    CHECK(!cosm_loop_describe(loop).is_running);
    CHECK(!cosm_loop_describe(loop).is_paused);
    CHECK_NEAR(cosm_loop_describe(loop).time_scale, 1, 0);
    CHECK_NEAR(cosm_loop_alpha(loop), 0, 0);
    cosm_loop_info stats = cosm_loop_describe(loop);
    CHECK(stats.frames == 0 && stats.steps == 0 && stats.steps_dropped == 0);
    CHECK_NEAR(stats.seconds, 0, 0);
    stage_close(&stage, loop);
}

TEST(input_runs_before_the_steps_and_render_after_them_however_many_there_are) {
    struct stage stage;
    stage_open(&stage);
    cosm_loop *loop = cosm_loop_create(stage.box.batch, NULL);
    REQUIRE(loop != NULL);
    CHECK_DONE(cosm_loop_frame(loop, 0));
    CHECK_DIARY(&stage.diary, "ir");
    CHECK_DONE(cosm_loop_frame(loop, 1.0 / 60));
    CHECK_DIARY(&stage.diary, "isr");
    CHECK_DONE(cosm_loop_frame(loop, 3.0 / 60));
    CHECK_DIARY(&stage.diary, "isssr");
    CHECK_INT(cosm_batch_step_count(stage.box.batch), 4);
    CHECK_INT(cosm_loop_describe(loop).frames, 3);
    CHECK_INT(cosm_loop_describe(loop).steps, 4);
    CHECK_NEAR(cosm_loop_describe(loop).seconds, 4.0 / 60, 1e-12);
    stage_close(&stage, loop);
}

TEST(a_per_frame_phase_behind_the_first_fixed_one_runs_after_the_steps) {
    struct stage stage;
    stage_open(&stage);
    cosm_engine *engine = stage.box.engine;
    struct writer writers[4];
    // In the order of phases: n i s m f r l.
    cosm_phase n = cosm_phase_define(engine, &(cosm_phase_desc){.name = "net",
                                                                .before = COSM_PHASE_INPUT,
                                                                .rate = COSM_PHASE_RATE_PER_FRAME});
    cosm_phase f = cosm_phase_define(
        engine, &(cosm_phase_desc){.name = "fix", .after = COSM_PHASE_SIMULATION});
    cosm_phase m = cosm_phase_define(
        engine,
        &(cosm_phase_desc){.name = "middle", .before = f, .rate = COSM_PHASE_RATE_PER_FRAME});
    cosm_phase l = cosm_phase_define(engine, &(cosm_phase_desc){.name = "last"});
    define_writer(&stage, &writers[0], "net", 'n', n);
    define_writer(&stage, &writers[1], "fix", 'f', f);
    define_writer(&stage, &writers[2], "middle", 'm', m);
    define_writer(&stage, &writers[3], "last", 'l', l);
    cosm_loop *loop = cosm_loop_create(stage.box.batch, NULL);
    REQUIRE(loop != NULL);
    CHECK_DONE(cosm_loop_frame(loop, 2.0 / 60));
    CHECK_DIARY(&stage.diary, "nisflsflmr");
    stage_close(&stage, loop);
}

TEST(steps_see_the_length_of_a_step_and_per_frame_phases_that_of_the_frame) {
    struct stage stage;
    stage_open(&stage);
    cosm_loop *loop = cosm_loop_create(stage.box.batch, &(cosm_loop_desc){.step_rate = 50});
    REQUIRE(loop != NULL);
    CHECK_DONE(cosm_loop_frame(loop, 0.03));
    CHECK_STR(stage.diary.letters, "isr");
    CHECK(stage.diary.dt[0] == 0.03f);
    CHECK(stage.diary.dt[1] == 0.02f);
    CHECK(stage.diary.dt[2] == 0.03f);
    clear_diary(&stage.diary);
    // No time: zero is what they see, and not the batch's step_seconds.
    CHECK_DONE(cosm_loop_frame(loop, 0));
    CHECK_STR(stage.diary.letters, "ir");
    CHECK(stage.diary.dt[0] == 0);
    CHECK(stage.diary.dt[1] == 0);
    stage_close(&stage, loop);
}

TEST(without_a_step_rate_the_batch_says_how_long_a_step_is) {
    struct stage stage;
    stage_open_with(&stage, NULL, &(cosm_batch_desc){.step_seconds = 0.1f});
    cosm_loop *loop = cosm_loop_create(stage.box.batch, NULL);
    REQUIRE(loop != NULL);
    CHECK_DONE(cosm_loop_frame(loop, 0.2));
    CHECK_STR(stage.diary.letters, "issr");
    CHECK(stage.diary.dt[1] == 0.1f);
    stage_close(&stage, loop);
}

TEST(alpha_is_how_far_the_frame_is_into_the_next_step) {
    struct stage stage;
    stage_open(&stage);
    cosm_loop *loop = cosm_loop_create(stage.box.batch, &(cosm_loop_desc){.step_rate = 10});
    REQUIRE(loop != NULL);
    CHECK_DONE(cosm_loop_frame(loop, 0.025));
    CHECK_NEAR(cosm_loop_alpha(loop), 0.25, 1e-9);
    CHECK_DONE(cosm_loop_frame(loop, 0.05));
    CHECK_NEAR(cosm_loop_alpha(loop), 0.75, 1e-9);
    CHECK_DIARY(&stage.diary, "irir");
    CHECK_DONE(cosm_loop_frame(loop, 0.03));
    CHECK_NEAR(cosm_loop_alpha(loop), 0.05, 1e-9);
    CHECK_DIARY(&stage.diary, "isr");
    stage_close(&stage, loop);
}

TEST(a_frame_takes_no_more_steps_than_its_caps_allow_and_counts_the_others) {
    struct stage stage;
    stage_open(&stage);
    cosm_loop *loop = cosm_loop_create(
        stage.box.batch, &(cosm_loop_desc){.step_rate = 10, .steps_max = 2, .frame_max = 1});
    REQUIRE(loop != NULL);
    CHECK_DONE(cosm_loop_frame(loop, 0.55));
    CHECK_DIARY(&stage.diary, "issr");
    CHECK_INT(cosm_loop_describe(loop).steps_dropped, 3);
    CHECK_NEAR(cosm_loop_alpha(loop), 0.5, 1e-9);
    CHECK_DONE(cosm_loop_destroy(loop));
    // A frame of a whole minute counts for a quarter of a second: also for per-frame phases.
    loop = cosm_loop_create(stage.box.batch, &(cosm_loop_desc){.step_rate = 10});
    REQUIRE(loop != NULL);
    CHECK_DONE(cosm_loop_frame(loop, 60));
    CHECK_STR(stage.diary.letters, "issr");
    CHECK(stage.diary.dt[0] == 0.25f);
    CHECK_INT(cosm_loop_describe(loop).steps_dropped, 598);
    stage_close(&stage, loop);
}

TEST(a_paused_loop_runs_its_phases_without_time_and_without_steps) {
    struct stage stage;
    stage_open(&stage);
    cosm_loop *loop = cosm_loop_create(stage.box.batch, &(cosm_loop_desc){.paused = true});
    REQUIRE(loop != NULL);
    CHECK(cosm_loop_describe(loop).is_paused);
    CHECK_DONE(cosm_loop_frame(loop, 0.2));
    CHECK_STR(stage.diary.letters, "ir");
    CHECK(stage.diary.dt[0] == 0 && stage.diary.dt[1] == 0);
    clear_diary(&stage.diary);
    cosm_loop_pause(loop, false);
    CHECK(!cosm_loop_describe(loop).is_paused);
    // The time of the pause is not made up for.
    CHECK_DONE(cosm_loop_frame(loop, 1.0 / 60));
    CHECK_DIARY(&stage.diary, "isr");
    CHECK_INT(cosm_loop_describe(loop).steps_dropped, 0);
    stage_close(&stage, loop);
}

TEST(a_paused_loop_takes_the_steps_that_are_asked_for) {
    struct stage stage;
    stage_open(&stage);
    cosm_loop *loop = cosm_loop_create(
        stage.box.batch, &(cosm_loop_desc){.step_rate = 4, .paused = true, .steps_max = 3});
    REQUIRE(loop != NULL);
    cosm_loop_step(loop);
    CHECK_DONE(cosm_loop_frame(loop, 0.2));
    CHECK_STR(stage.diary.letters, "isr");
    // The step is what loop time passes by, for all phases.
    CHECK(stage.diary.dt[0] == 0.25f && stage.diary.dt[1] == 0.25f && stage.diary.dt[2] == 0.25f);
    clear_diary(&stage.diary);
    CHECK_DONE(cosm_loop_frame(loop, 0.2));
    CHECK_DIARY(&stage.diary, "ir");
    for (uint32_t i = 0; i < 5; i++) {
        cosm_loop_step(loop);
    }
    CHECK_DONE(cosm_loop_frame(loop, 0.2));
    CHECK_DONE(cosm_loop_frame(loop, 0.2));
    CHECK_DONE(cosm_loop_frame(loop, 0.2));
    CHECK_DIARY(&stage.diary, "isssrissrir");
    CHECK_INT(cosm_loop_describe(loop).steps, 6);
    // One that is still open when the pause ends is forgotten, and so is one outside a pause.
    cosm_loop_step(loop);
    cosm_loop_pause(loop, false);
    cosm_loop_step(loop);
    CHECK_DONE(cosm_loop_frame(loop, 0.1));
    cosm_loop_pause(loop, true);
    CHECK_DONE(cosm_loop_frame(loop, 0.1));
    CHECK_DIARY(&stage.diary, "irir");
    stage_close(&stage, loop);
}

TEST(time_goes_slower_faster_or_not_at_all_by_its_scale) {
    struct stage stage;
    stage_open(&stage);
    cosm_loop *loop =
        cosm_loop_create(stage.box.batch, &(cosm_loop_desc){.step_rate = 10, .time_scale = 0.5});
    REQUIRE(loop != NULL);
    CHECK_NEAR(cosm_loop_describe(loop).time_scale, 0.5, 0);
    CHECK_DONE(cosm_loop_frame(loop, 0.2));
    CHECK_STR(stage.diary.letters, "isr");
    CHECK(stage.diary.dt[0] == 0.1f && stage.diary.dt[1] == 0.1f);
    clear_diary(&stage.diary);
    CHECK_DONE(cosm_loop_set_time_scale(loop, 2));
    CHECK_DONE(cosm_loop_frame(loop, 0.1));
    CHECK_STR(stage.diary.letters, "issr");
    CHECK(stage.diary.dt[0] == 0.2f && stage.diary.dt[1] == 0.1f);
    clear_diary(&stage.diary);
    CHECK_DONE(cosm_loop_set_time_scale(loop, 0));
    CHECK_NEAR(cosm_loop_describe(loop).time_scale, 0, 0);
    CHECK_DONE(cosm_loop_frame(loop, 0.2));
    CHECK_STR(stage.diary.letters, "ir");
    CHECK(stage.diary.dt[0] == 0);
    stage_close(&stage, loop);
}

TEST(what_makes_no_sense_is_refused) {
    static const char create[] = "cosm_loop_create";
    struct stage stage;
    stage_open(&stage);
    cosm_batch *batch = stage.box.batch;
    const double wrong_rates[] = {-1, NAN, INFINITY, 1.1e6, 0.0009};
    for (uint32_t i = 0; i < 5; i++) {
        cosm_error_clear();
        CHECK(cosm_loop_create(batch, &(cosm_loop_desc){.step_rate = wrong_rates[i]}) == NULL);
        CHECK_FAILURE(COSM_ERROR_ARGUMENT, create, "step rate", "desc.step_rate");
        // Below zero a rate of frames means something.
        if (i > 0) {
            CHECK(cosm_loop_create(batch, &(cosm_loop_desc){.frame_rate = wrong_rates[i]}) == NULL);
            CHECK_FAILURE(COSM_ERROR_ARGUMENT, create, "desc.frame_rate", "-1 to never sleep");
        }
    }
    const double wrong_amounts[] = {-0.5, NAN, INFINITY};
    cosm_loop *loop = cosm_loop_create(batch, NULL);
    REQUIRE(loop != NULL);
    for (uint32_t i = 0; i < 3; i++) {
        double wrong = wrong_amounts[i];
        cosm_error_clear();
        CHECK(cosm_loop_create(batch, &(cosm_loop_desc){.frame_max = wrong}) == NULL);
        CHECK_FAILURE(COSM_ERROR_ARGUMENT, create, "desc.frame_max", "use seconds");
        CHECK(cosm_loop_create(batch, &(cosm_loop_desc){.time_scale = wrong}) == NULL);
        CHECK_FAILURE(COSM_ERROR_ARGUMENT, create, "time_scale", "slow motion");
        CHECK_FAILS(cosm_loop_set_time_scale(loop, wrong), COSM_ERROR_ARGUMENT,
                    "cosm_loop_set_time_scale", "time_scale", "slow motion");
        CHECK_NEAR(cosm_loop_describe(loop).time_scale, 1, 0);
        CHECK_FAILS(cosm_loop_frame(loop, wrong), COSM_ERROR_ARGUMENT, "cosm_loop_frame", "seconds",
                    "since the last frame");
    }
    CHECK(cosm_loop_create(batch, &(cosm_loop_desc){.clock = hands_now}) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, create, "desc.sleep", "both or neither");
    CHECK(cosm_loop_create(batch, &(cosm_loop_desc){.sleep = hands_sleep}) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, create, "desc.sleep", "both or neither");
    CHECK_FAILS(cosm_loop_wait(loop), COSM_ERROR_ARGUMENT, "cosm_loop_wait", "no thread",
                "cosm_loop_start");
    CHECK_STR(stage.diary.letters, "");
    stage_close(&stage, loop);
}

TEST(no_loop_is_refused_by_what_does_and_is_nothing_to_what_asks) {
    static const char remedy[] = "cosm_loop_create";
    cosm_error_clear();
    CHECK(cosm_loop_create(NULL, NULL) == NULL);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_loop_create", "batch is NULL", "cosm_batch_create");
    CHECK_FAILS(cosm_loop_run(NULL), COSM_ERROR_ARGUMENT, "cosm_loop_run", "loop is NULL", remedy);
    CHECK_FAILS(cosm_loop_start(NULL), COSM_ERROR_ARGUMENT, "cosm_loop_start", "NULL", remedy);
    CHECK_FAILS(cosm_loop_wait(NULL), COSM_ERROR_ARGUMENT, "cosm_loop_wait", "NULL", remedy);
    CHECK_FAILS(cosm_loop_frame(NULL, 1), COSM_ERROR_ARGUMENT, "cosm_loop_frame", "NULL", remedy);
    CHECK_FAILS(cosm_loop_set_time_scale(NULL, 1), COSM_ERROR_ARGUMENT, "cosm_loop_set_time_scale",
                "NULL", remedy);
    CHECK_DONE(cosm_loop_destroy(NULL));
    cosm_loop_stop(NULL);
    cosm_loop_pause(NULL, true);
    cosm_loop_step(NULL);
    CHECK(!cosm_loop_describe(NULL).is_running);
    CHECK(!cosm_loop_describe(NULL).is_paused);
    CHECK_NEAR(cosm_loop_describe(NULL).time_scale, 0, 0);
    CHECK_NEAR(cosm_loop_alpha(NULL), 0, 0);
    CHECK_INT(cosm_loop_describe(NULL).frames, 0);
    CHECK(cosm_loop_describe(NULL).batch == NULL);
    CHECK_SILENT();
}

TEST(a_batch_with_a_loop_is_not_destroyed) {
    struct stage stage;
    stage_open(&stage);
    cosm_loop *loop = cosm_loop_create(stage.box.batch, NULL);
    REQUIRE(loop != NULL);
    CHECK_FAILS(cosm_batch_destroy(stage.box.batch), COSM_ERROR_BUSY, "cosm_batch_destroy",
                "1 loop", "destroy");
    stage_close(&stage, loop);
}

TEST(a_loop_lives_on_the_account_of_its_batch) {
    struct ledger ledger;
    ledger_open(&ledger);
    struct stage stage;
    stage_open_with(&stage, &(cosm_engine_desc){.allocator = ledger_allocator(&ledger)}, NULL);
    size_t used = cosm_batch_memory(stage.box.batch).used;
    ledger_refuse(&ledger, 1, 1);
    cosm_error_clear();
    CHECK(cosm_loop_create(stage.box.batch, NULL) == NULL);
    CHECK(ledger_relent(&ledger));
    CHECK_FAILURE(COSM_ERROR_MEMORY, "cosm_loop_create", "memory", "");
    CHECK_INT(cosm_batch_memory(stage.box.batch).used, used);
    cosm_loop *loop = cosm_loop_create(stage.box.batch, NULL);
    CHECK(cosm_batch_memory(stage.box.batch).used > used);
    CHECK_DONE(cosm_loop_destroy(loop));
    CHECK_INT(cosm_batch_memory(stage.box.batch).used, used);
    stage_close(&stage, NULL);
    ledger_close(&ledger);
}

// Running.

// A script of frames: turns the clock, and stops the loop after so many frames.
struct script {
    struct hands hands;
    struct dice dice;
    uint32_t frame_max_ns; // each frame lasts up to this; 0: the clock turns by sleeping only
    uint64_t end_ns;       // the last frame ends here
    uint64_t frame_count;  // stops with this frame; 0: at end_ns
    cosm_result result;    // of the last frame
    uint64_t begun;        // frames of this run
};

static cosm_result next_frame(void *context, cosm_loop *loop) {
    struct script *script = context;
    script->begun++;
    if (script->frame_count != 0) {
        if (script->begun == script->frame_count) {
            cosm_loop_stop(loop);
            return script->result;
        }
    } else if (script->hands.now == script->end_ns) {
        cosm_loop_stop(loop);
    }
    if (script->frame_max_ns > 0) {
        uint64_t ns = 1 + dice_roll(&script->dice, script->frame_max_ns);
        uint64_t left = script->end_ns - script->hands.now;
        script->hands.now += ns < left ? ns : left;
    }
    return COSM_OK;
}

static cosm_loop *script_loop(const struct stage *stage, struct script *script,
                              cosm_loop_desc desc) {
    desc.frame = next_frame;
    desc.frame_context = script;
    desc.clock = hands_now;
    desc.sleep = hands_sleep;
    desc.clock_context = &script->hands;
    cosm_loop *loop = cosm_loop_create(stage->box.batch, &desc);
    CHECK(loop != NULL);
    return loop;
}

TEST(a_loop_that_sleeps_in_between_takes_a_step_with_every_frame_but_the_first) {
    struct stage stage;
    stage_open(&stage);
    struct script script = {.frame_count = 61};
    script.hands.oversleep = 70001;
    cosm_loop *loop = script_loop(&stage, &script, (cosm_loop_desc){.step_rate = 60});
    CHECK_DONE(cosm_loop_run(loop));
    CHECK_INT(cosm_loop_describe(loop).steps, 60);
    CHECK_INT(cosm_loop_describe(loop).frames, 61);
    CHECK_INT(script.hands.sleeps, 60);
    // No drift: the last frame began when it was due, and overslept once.
    CHECK_INT(script.hands.now, SECOND_NS + 70001);
    CHECK_INT(strncmp(stage.diary.letters, "irisrisr", 8), 0);
    stage_close(&stage, loop);
}

TEST(a_loop_runs_again_and_does_not_count_the_time_in_between) {
    struct stage stage;
    stage_open(&stage);
    struct script script = {.frame_count = 3};
    cosm_loop *loop = script_loop(&stage, &script, (cosm_loop_desc){.step_rate = 10});
    CHECK_DONE(cosm_loop_run(loop));
    CHECK_DIARY(&stage.diary, "irisrisr");
    CHECK(!cosm_loop_describe(loop).is_running);
    script.hands.now += 5 * SECOND_NS;
    script.begun = 0;
    CHECK_DONE(cosm_loop_run(loop));
    CHECK_DIARY(&stage.diary, "irisrisr");
    // As does a frame of the host's, in between.
    CHECK_DONE(cosm_loop_frame(loop, 0.1));
    CHECK_DIARY(&stage.diary, "isr");
    script.begun = 0;
    CHECK_DONE(cosm_loop_run(loop));
    CHECK_DIARY(&stage.diary, "irisrisr");
    CHECK_INT(cosm_loop_describe(loop).steps_dropped, 0);
    stage_close(&stage, loop);
}

TEST(a_stop_before_the_loop_runs_is_not_lost_and_counts_once) {
    struct stage stage;
    stage_open(&stage);
    struct script script = {.frame_count = 1};
    cosm_loop *loop = script_loop(&stage, &script, (cosm_loop_desc){.step_rate = 10});
    cosm_loop_stop(loop);
    cosm_loop_stop(loop);
    CHECK_DONE(cosm_loop_run(loop));
    CHECK_DIARY(&stage.diary, "");
    CHECK_DONE(cosm_loop_run(loop));
    CHECK_DIARY(&stage.diary, "ir");
    stage_close(&stage, loop);
}

TEST(without_sleep_frames_follow_each_other_and_a_clock_that_stands_takes_no_steps) {
    struct stage stage;
    stage_open(&stage);
    struct script script = {.frame_count = 4};
    cosm_loop *loop = script_loop(&stage, &script, (cosm_loop_desc){.frame_rate = -1});
    CHECK_DONE(cosm_loop_run(loop));
    CHECK_DIARY(&stage.diary, "iriririr");
    CHECK_INT(script.hands.sleeps, 0);
    stage_close(&stage, loop);
}

static void fall(cosm_rows *rows) {
    Position *position = COSM_COLUMN_WRITE(rows, Position, 0);
    Velocity *velocity = COSM_COLUMN_WRITE(rows, Velocity, 1);
    for (uint32_t i = 0; i < rows->count; i++) {
        velocity[i].y -= 9.81f * rows->dt;
        position[i].y += velocity[i].y * rows->dt;
    }
}

// Ten seconds of falling bodies in frames of up to so many nanoseconds; the state at the end.
static uint64_t fall_for_ten_seconds(uint64_t seed, uint32_t frame_max_ns) {
    struct stage stage;
    stage_open(&stage);
    for (uint32_t i = 0; i < 100; i++) {
        (void)fixture_spawn(&stage.box, (float)i);
    }
    cosm_system system = cosm_system_define(
        stage.box.engine,
        &(cosm_system_desc){
            .name = "fall",
            .each = fall,
            .queries = {
                {.terms = {{.component = stage.box.position, .access = COSM_ACCESS_WRITE},
                           {.component = stage.box.velocity, .access = COSM_ACCESS_WRITE}}}}});
    CHECK(system.id != 0);
    struct script script = {.dice = {seed}, .frame_max_ns = frame_max_ns, .end_ns = 10 * SECOND_NS};
    cosm_loop *loop =
        script_loop(&stage, &script, (cosm_loop_desc){.frame_rate = -1, .steps_max = 100});
    CHECK_DONE(cosm_loop_run(loop));
    CHECK_INT(script.hands.now, 10 * SECOND_NS);
    CHECK_INT(cosm_loop_describe(loop).steps, 600);
    uint64_t checksum = cosm_hash_batch(stage.box.batch, COSM_HASH_EXACT);
    stage_close(&stage, loop);
    return checksum;
}

TEST(the_state_after_ten_seconds_is_the_same_whatever_the_lengths_of_frames) {
    uint64_t seed = harness_seed();
    uint64_t expected = fall_for_ten_seconds(seed, 16666667);
    CHECK(fall_for_ten_seconds(seed + 1, 250000000) == expected);
    CHECK(fall_for_ten_seconds(seed + 2, 40000000) == expected);
    CHECK(fall_for_ten_seconds(seed + 3, 3000000) == expected);
}

// Calls from within.

// What a system does in the step with this number.
struct meddler {
    cosm_loop *loop;
    uint64_t step;
    void (*act)(cosm_loop *loop);
};

static void meddle(const cosm_turn *turn) {
    struct meddler *meddler = turn->context;
    if (turn->step == meddler->step) {
        meddler->act(meddler->loop);
    }
}

static void define_meddler(struct stage *stage, struct meddler *meddler) {
    cosm_system system = cosm_system_define(
        stage->box.engine,
        &(cosm_system_desc){
            .name = "meddle", .run = meddle, .context = meddler, .main_thread = true});
    CHECK(system.id != 0);
}

static void pause_and_stop(cosm_loop *loop) {
    cosm_loop_pause(loop, true);
    CHECK_DONE(cosm_loop_set_time_scale(loop, 0.5));
    CHECK_NEAR(cosm_loop_alpha(loop), 0, 1e-9);
    CHECK(cosm_loop_describe(loop).is_running);
    cosm_loop_stop(loop);
}

TEST(a_system_pauses_and_stops_the_loop_that_it_runs_in) {
    struct stage stage;
    stage_open(&stage);
    struct script script = {.frame_count = 100};
    cosm_loop *loop = script_loop(&stage, &script, (cosm_loop_desc){.step_rate = 10});
    struct meddler meddler = {loop, 2, pause_and_stop};
    define_meddler(&stage, &meddler);
    CHECK_DONE(cosm_loop_run(loop));
    // The frame at hand is taken to its end.
    CHECK_DIARY(&stage.diary, "irisrisrisr");
    CHECK(cosm_loop_describe(loop).is_paused);
    CHECK_NEAR(cosm_loop_describe(loop).time_scale, 0.5, 0);
    stage_close(&stage, loop);
}

static void try_everything(cosm_loop *loop) {
    static const char inside[] = "within a frame";
    static const char remedy[] = "cosm_loop_stop";
    CHECK_FAILS(cosm_loop_destroy(loop), COSM_ERROR_BUSY, "cosm_loop_destroy", inside, remedy);
    CHECK_FAILS(cosm_loop_run(loop), COSM_ERROR_BUSY, "cosm_loop_run", inside, remedy);
    CHECK_FAILS(cosm_loop_frame(loop, 1), COSM_ERROR_BUSY, "cosm_loop_frame", inside, remedy);
    CHECK_FAILS(cosm_loop_start(loop), COSM_ERROR_BUSY, "cosm_loop_start", inside, remedy);
    CHECK_FAILS(cosm_loop_wait(loop), COSM_ERROR_BUSY, "cosm_loop_wait", inside, remedy);
}

static cosm_result try_everything_once(void *context, cosm_loop *loop) {
    (void)context;
    try_everything(loop);
    cosm_loop_stop(loop);
    return COSM_OK;
}

TEST(a_frame_can_neither_destroy_its_loop_nor_run_it_nor_wait_for_it) {
    struct stage stage;
    stage_open(&stage);
    cosm_loop *loop =
        cosm_loop_create(stage.box.batch, &(cosm_loop_desc){.frame = try_everything_once});
    REQUIRE(loop != NULL);
    CHECK_DONE(cosm_loop_frame(loop, 0));
    CHECK_DONE(cosm_loop_run(loop));
    CHECK_DONE(cosm_loop_start(loop));
    CHECK_DONE(cosm_loop_wait(loop));
    stage_close(&stage, loop);
}

// A system that tries everything once it is called on another thread than the loop's.
struct roamer {
    cosm_loop *loop;
    pthread_t home;
    atomic_bool is_away;
};

static void roam(const cosm_turn *turn) {
    struct roamer *roamer = turn->context;
    // Long enough for workers to join in.
    for (volatile uint32_t i = 0; i < 20000 * turn->worlds.count; i++) {
    }
    if (!pthread_equal(pthread_self(), roamer->home) && !atomic_exchange(&roamer->is_away, true)) {
        try_everything(roamer->loop);
    }
}

TEST(a_system_on_a_worker_is_within_the_frame_too) {
    struct stage stage;
    stage_open_with(&stage, &(cosm_engine_desc){.worker_count = 4},
                    &(cosm_batch_desc){.world_count = 64, .split = COSM_SPLIT_WORLDS});
    cosm_loop *loop = cosm_loop_create(stage.box.batch, NULL);
    REQUIRE(loop != NULL);
    struct roamer roamer = {.loop = loop, .home = pthread_self()};
    cosm_system system = cosm_system_define(
        stage.box.engine, &(cosm_system_desc){.name = "roam", .run = roam, .context = &roamer});
    CHECK(system.id != 0);
    // Whether workers join in is up to the step; where they never do, there is nothing to see.
    for (uint32_t i = 0; i < 200 && !atomic_load(&roamer.is_away); i++) {
        cosm_result result = cosm_loop_frame(loop, 1.0 / 60);
        // What systems fail at is the step's failure too.
        CHECK_INT(result, atomic_load(&roamer.is_away) ? COSM_ERROR_BUSY : COSM_OK);
    }
    stage_close(&stage, loop);
}

// Failures.

static void fail_in_step(const cosm_turn *turn) {
    const uint64_t *step = turn->context;
    if (turn->step == *step) {
        cosm_turn_fail(turn, "the bridge is out");
    }
}

static void fail_too(const cosm_turn *turn) {
    const uint64_t *step = turn->context;
    if (turn->step == *step) {
        cosm_turn_fail(turn, "so is the road");
    }
}

struct errors_heard {
    atomic_uint count;
};

static void hear_error(void *context, cosm_result result, const char *message) {
    struct errors_heard *heard = context;
    (void)result;
    (void)message;
    atomic_fetch_add(&heard->count, 1);
}

static void define_failing(struct stage *stage, uint64_t *step) {
    cosm_engine *engine = stage->box.engine;
    cosm_phase late = cosm_phase_define(
        engine, &(cosm_phase_desc){.name = "late", .after = COSM_PHASE_SIMULATION});
    CHECK(cosm_system_define(engine, &(cosm_system_desc){.name = "bridge",
                                                         .run = fail_in_step,
                                                         .context = step,
                                                         .global = true})
              .id != 0);
    CHECK(cosm_system_define(
              engine,
              &(cosm_system_desc){
                  .name = "road", .phase = late, .run = fail_too, .context = step, .global = true})
              .id != 0);
}

TEST(a_failure_ends_the_loop_after_the_step_and_the_first_one_is_returned) {
    struct stage stage;
    stage_open(&stage);
    uint64_t step = 1;
    define_failing(&stage, &step);
    struct script script = {.frame_count = 100};
    cosm_loop *loop = script_loop(&stage, &script, (cosm_loop_desc){.step_rate = 10});
    cosm_error_clear();
    CHECK_INT(cosm_loop_run(loop), COSM_ERROR_SYSTEM);
    CHECK_INT(cosm_error_result(), COSM_ERROR_SYSTEM);
    CHECK_CONTAINS(cosm_error_message(), "the bridge is out");
    // The second step was ended, the frame was not.
    CHECK_DIARY(&stage.diary, "irisris");
    CHECK_INT(cosm_batch_step_count(stage.box.batch), 2);
    CHECK_INT(cosm_loop_describe(loop).steps, 2);
    CHECK(!cosm_loop_describe(loop).is_running);
    // It runs again where nothing fails.
    script.begun = 98;
    CHECK_DONE(cosm_loop_run(loop));
    CHECK_DIARY(&stage.diary, "irisr");
    // Frame by frame it is no different.
    step = 4;
    CHECK_INT(cosm_loop_frame(loop, 0.25), COSM_ERROR_SYSTEM);
    CHECK_CONTAINS(cosm_error_message(), "the bridge is out");
    CHECK_INT(cosm_batch_step_count(stage.box.batch), 5);
    stage_close(&stage, loop);
}

TEST(the_message_of_a_loop_on_its_own_thread_reaches_who_waits_for_it) {
    struct errors_heard heard;
    atomic_init(&heard.count, 0);
    struct stage stage;
    stage_open_with(&stage, &(cosm_engine_desc){.error = hear_error, .error_context = &heard},
                    NULL);
    uint64_t step = 3;
    define_failing(&stage, &step);
    struct script script = {.frame_count = 100};
    cosm_loop *loop = script_loop(&stage, &script, (cosm_loop_desc){.step_rate = 10});
    cosm_error_clear();
    CHECK_DONE(cosm_loop_start(loop));
    CHECK_INT(cosm_loop_wait(loop), COSM_ERROR_SYSTEM);
    CHECK_INT(cosm_error_result(), COSM_ERROR_SYSTEM);
    CHECK_CONTAINS(cosm_error_message(), "the bridge is out");
    unsigned count = atomic_load(&heard.count);
    CHECK(count > 0);
    // Told once, where it happened; a second start that goes well says nothing.
    step = UINT64_MAX;
    CHECK_DONE(cosm_loop_start(loop));
    cosm_loop_stop(loop);
    CHECK_DONE(cosm_loop_wait(loop));
    CHECK_INT(atomic_load(&heard.count), count);
    stage_close(&stage, loop);
}

TEST(a_failure_of_the_frame_callback_ends_the_loop_with_its_result_and_a_message) {
    struct stage stage;
    stage_open(&stage);
    struct script script = {.frame_count = 2, .result = COSM_ERROR_LIMIT};
    cosm_loop *loop = script_loop(&stage, &script, (cosm_loop_desc){.step_rate = 10});
    CHECK_FAILS(cosm_loop_run(loop), COSM_ERROR_LIMIT, "cosm_loop_run", "COSM_ERROR_LIMIT",
                "the last message");
    script.begun = 1;
    CHECK_FAILS(cosm_loop_frame(loop, 0), COSM_ERROR_LIMIT, "cosm_loop_frame", "COSM_ERROR_LIMIT",
                "the last message");
    script.begun = 0;
    CHECK_DONE(cosm_loop_start(loop));
    CHECK_FAILS(cosm_loop_wait(loop), COSM_ERROR_LIMIT, "cosm_loop_start", "COSM_ERROR_LIMIT",
                "the last message");
    stage_close(&stage, loop);
}

// Threads.

// Tells one thread that another one has got somewhere.
struct gate {
    pthread_mutex_t lock;
    pthread_cond_t moved;
    uint32_t count;
};

static void gate_open(struct gate *gate) {
    gate->count = 0;
    CHECK_INT(pthread_mutex_init(&gate->lock, NULL), 0);
    CHECK_INT(pthread_cond_init(&gate->moved, NULL), 0);
}

static void gate_close(struct gate *gate) {
    pthread_cond_destroy(&gate->moved);
    pthread_mutex_destroy(&gate->lock);
}

static void gate_pass(struct gate *gate) {
    pthread_mutex_lock(&gate->lock);
    gate->count++;
    pthread_cond_broadcast(&gate->moved);
    pthread_mutex_unlock(&gate->lock);
}

static void gate_wait(struct gate *gate, uint32_t count) {
    pthread_mutex_lock(&gate->lock);
    while (gate->count < count) {
        pthread_cond_wait(&gate->moved, &gate->lock);
    }
    pthread_mutex_unlock(&gate->lock);
}

static cosm_result pass_gate(void *context, cosm_loop *loop) {
    (void)loop;
    gate_pass(context);
    return COSM_OK;
}

// A loop that sleeps for 1,000 seconds after its first frame, on the system's clock.
static cosm_loop *slow_loop(const struct stage *stage, struct gate *gate) {
    cosm_loop *loop =
        cosm_loop_create(stage->box.batch, &(cosm_loop_desc){.frame_rate = COSM_LOOP_RATE_MIN,
                                                             .frame = pass_gate,
                                                             .frame_context = gate});
    CHECK(loop != NULL);
    return loop;
}

TEST(a_stop_wakes_a_sleeping_loop_on_its_own_thread) {
    struct stage stage;
    stage_open(&stage);
    struct gate gate;
    gate_open(&gate);
    cosm_loop *loop = slow_loop(&stage, &gate);
    CHECK_DONE(cosm_loop_start(loop));
    CHECK(cosm_loop_describe(loop).is_running);
    gate_wait(&gate, 1);
    CHECK(cosm_loop_describe(loop).is_running);
    cosm_loop_stop(loop);
    CHECK_DONE(cosm_loop_wait(loop));
    CHECK(!cosm_loop_describe(loop).is_running);
    CHECK_INT(cosm_loop_describe(loop).frames, 1);
    // A loop that runs is stopped by being destroyed.
    CHECK_DONE(cosm_loop_start(loop));
    gate_wait(&gate, 2);
    stage_close(&stage, loop);
    gate_close(&gate);
}

// A thread in one call with a loop, and what came of it.
struct caller {
    pthread_t thread;
    cosm_loop *loop;
    cosm_result result;
};

static void *call_run(void *argument) {
    struct caller *caller = argument;
    caller->result = cosm_loop_run(caller->loop);
    return NULL;
}

static void *call_wait(void *argument) {
    struct caller *caller = argument;
    caller->result = cosm_loop_wait(caller->loop);
    return NULL;
}

TEST(a_loop_that_runs_on_one_thread_is_busy_for_others_until_they_stop_it) {
    static const char other[] = "another thread is in cosm_loop_run";
    static const char remedy[] = "cosm_loop_stop";
    struct stage stage;
    stage_open(&stage);
    struct gate gate;
    gate_open(&gate);
    struct caller caller = {.loop = slow_loop(&stage, &gate), .result = COSM_ERROR_CORRUPT};
    cosm_loop *loop = caller.loop;
    CHECK_INT(pthread_create(&caller.thread, NULL, call_run, &caller), 0);
    gate_wait(&gate, 1);
    CHECK(cosm_loop_describe(loop).is_running);
    CHECK_FAILS(cosm_loop_run(loop), COSM_ERROR_BUSY, "cosm_loop_run", other, remedy);
    CHECK_FAILS(cosm_loop_start(loop), COSM_ERROR_BUSY, "cosm_loop_start", other, remedy);
    CHECK_FAILS(cosm_loop_frame(loop, 1), COSM_ERROR_BUSY, "cosm_loop_frame", other, remedy);
    CHECK_FAILS(cosm_loop_destroy(loop), COSM_ERROR_BUSY, "cosm_loop_destroy", other, remedy);
    CHECK_FAILS(cosm_loop_wait(loop), COSM_ERROR_ARGUMENT, "cosm_loop_wait", "no thread",
                "cosm_loop_start");
    cosm_loop_stop(loop);
    CHECK_INT(pthread_join(caller.thread, NULL), 0);
    CHECK_INT(caller.result, COSM_OK);
    CHECK_INT(cosm_loop_describe(loop).frames, 1);
    stage_close(&stage, loop);
    gate_close(&gate);
}

TEST(a_loop_with_a_thread_of_its_own_is_busy_until_it_was_waited_for) {
    static const char own[] = "thread of its own";
    static const char remedy[] = "cosm_loop_wait";
    struct stage stage;
    stage_open(&stage);
    struct gate gate;
    gate_open(&gate);
    cosm_loop *loop = slow_loop(&stage, &gate);
    CHECK_DONE(cosm_loop_start(loop));
    gate_wait(&gate, 1);
    CHECK_FAILS(cosm_loop_start(loop), COSM_ERROR_BUSY, "cosm_loop_start", own, remedy);
    CHECK_FAILS(cosm_loop_run(loop), COSM_ERROR_BUSY, "cosm_loop_run", own, remedy);
    CHECK_FAILS(cosm_loop_frame(loop, 1), COSM_ERROR_BUSY, "cosm_loop_frame", own, remedy);
    cosm_loop_stop(loop);
    while (cosm_loop_describe(loop).is_running) {
        // Ends on its own; what it ended with is still to be fetched.
    }
    CHECK_FAILS(cosm_loop_run(loop), COSM_ERROR_BUSY, "cosm_loop_run", own, remedy);
    // A stop that comes too late is not kept for the next run.
    cosm_loop_stop(loop);
    CHECK_DONE(cosm_loop_wait(loop));
    CHECK_FAILS(cosm_loop_wait(loop), COSM_ERROR_ARGUMENT, "cosm_loop_wait", "no thread",
                "cosm_loop_start");
    CHECK_DONE(cosm_loop_start(loop));
    gate_wait(&gate, 2);
    cosm_loop_stop(loop);
    CHECK_DONE(cosm_loop_wait(loop));
    stage_close(&stage, loop);
    gate_close(&gate);
}

TEST(one_thread_at_a_time_waits_for_a_loop) {
    struct stage stage;
    stage_open(&stage);
    struct gate gate;
    gate_open(&gate);
    cosm_loop *loop = slow_loop(&stage, &gate);
    CHECK_DONE(cosm_loop_start(loop));
    struct caller callers[3];
    for (uint32_t i = 0; i < 3; i++) {
        callers[i] = (struct caller){.loop = loop, .result = COSM_OK};
        CHECK_INT(pthread_create(&callers[i].thread, NULL, call_wait, &callers[i]), 0);
    }
    gate_wait(&gate, 1);
    cosm_loop_stop(loop);
    uint32_t done = 0;
    for (uint32_t i = 0; i < 3; i++) {
        CHECK_INT(pthread_join(callers[i].thread, NULL), 0);
        // Those that come while another one waits are refused, those after it find no thread.
        CHECK(callers[i].result == COSM_OK || callers[i].result == COSM_ERROR_BUSY ||
              callers[i].result == COSM_ERROR_ARGUMENT);
        done += callers[i].result == COSM_OK;
    }
    CHECK_INT(done, 1);
    stage_close(&stage, loop);
    gate_close(&gate);
}

static void *play_with_loop(void *argument) {
    cosm_loop *loop = argument;
    for (uint32_t i = 0; i < 300; i++) {
        cosm_loop_pause(loop, i % 3 == 0);
        cosm_loop_step(loop);
        CHECK_INT(cosm_loop_set_time_scale(loop, i % 5), COSM_OK);
        double alpha = cosm_loop_alpha(loop);
        CHECK(alpha >= 0 && alpha <= 1);
        cosm_loop_info stats = cosm_loop_describe(loop);
        CHECK(stats.frames > 0 || stats.steps == 0);
        CHECK(cosm_loop_describe(loop).time_scale >= 0);
        (void)cosm_loop_describe(loop).is_paused;
        CHECK(cosm_loop_describe(loop).is_running);
    }
    return NULL;
}

TEST(a_running_loop_is_paused_stepped_scaled_and_asked_from_any_thread) {
    struct stage stage;
    stage_open(&stage);
    cosm_loop *loop = cosm_loop_create(stage.box.batch, &(cosm_loop_desc){.frame_rate = 1e5});
    REQUIRE(loop != NULL);
    CHECK_DONE(cosm_loop_start(loop));
    pthread_t threads[4];
    for (uint32_t i = 0; i < 4; i++) {
        CHECK_INT(pthread_create(&threads[i], NULL, play_with_loop, loop), 0);
    }
    for (uint32_t i = 0; i < 4; i++) {
        CHECK_INT(pthread_join(threads[i], NULL), 0);
    }
    cosm_loop_stop(loop);
    CHECK_DONE(cosm_loop_wait(loop));
    CHECK_INT(cosm_loop_describe(loop).steps, cosm_batch_step_count(stage.box.batch));
    stage_close(&stage, loop);
}
