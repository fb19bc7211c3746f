// Systems: definition, order, when and how they run, hooks, commands, failures, and what is refused
// while they run (cosm/system.h).
// ctest: threads
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "harness.h"
#include "support/fixture.h"
#include "support/ledger.h"

// What ran, as letters in their order. Systems that write to it are on the main thread.
struct trail {
    char text[256];
    uint32_t length;
};

struct footprint {
    struct trail *trail;
    char letter;
};

static void step_on(struct trail *trail, char letter) {
    if (trail->length + 1 < sizeof(trail->text)) {
        trail->text[trail->length++] = letter;
        trail->text[trail->length] = '\0';
    }
}

static void clear_trail(struct trail *trail) {
    trail->length = 0;
    trail->text[0] = '\0';
}

static void leave_print(const cosm_turn *turn) {
    const struct footprint *print = turn->context;
    (void)turn;
    step_on(print->trail, print->letter);
}

static void no_turn(const cosm_turn *turn) {
    (void)turn;
}

static void no_rows(cosm_rows *rows) {
    (void)rows;
}

// A system called by its letter, on the main thread.
static cosm_system define_letter(struct fixture *box, struct footprint *print,
                                 const cosm_system_desc *more) {
    cosm_system_desc desc = *more;
    char name[2] = {print->letter, '\0'};
    desc.name = name;
    desc.run = leave_print;
    desc.context = print;
    desc.main_thread = true;
    return cosm_system_define(box->engine, &desc);
}

#define PRINT_MAX 8u

// A fixture with a trail and prints a, b, c ...
struct walkway {
    struct fixture box;
    struct trail trail;
    struct footprint prints[PRINT_MAX];
};

static void walkway_open(struct walkway *way) {
    fixture_open(&way->box, 0, 2);
    clear_trail(&way->trail);
    for (uint32_t i = 0; i < PRINT_MAX; i++) {
        way->prints[i] = (struct footprint){&way->trail, (char)('a' + (int)i)};
    }
}

static cosm_system define_print(struct walkway *way, char letter, const cosm_system_desc *more) {
    cosm_system system = define_letter(&way->box, &way->prints[letter - 'a'], more);
    return system;
}

#define CHECK_STEP(way, expected)                                                                  \
    do {                                                                                           \
        clear_trail(&(way)->trail);                                                                \
        CHECK_DONE(cosm_batch_step((way)->box.batch));                                             \
        CHECK_STR((way)->trail.text, expected);                                                    \
    } while (0)

static const cosm_system_desc plain = {.rank = 0};

TEST(a_system_is_found_by_its_name_until_it_is_removed) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    char name[] = "fall";
    cosm_system fall =
        cosm_system_define(box.engine, &(cosm_system_desc){.name = name, .run = no_turn});
    name[0] = 'X';
    REQUIRE(fall.id != 0);
    CHECK_INT(cosm_system_find(box.engine, "fall").id, fall.id);
    CHECK_STR(cosm_system_describe(box.engine, fall).name, "fall");
    CHECK_INT(cosm_system_describe(box.engine, fall).phase.id, COSM_PHASE_SIMULATION.id);
    CHECK(cosm_system_describe(box.engine, fall).is_enabled);
    CHECK_INT(cosm_engine_describe(box.engine).system_count, 1);
    CHECK_DONE(cosm_system_remove(box.engine, fall));
    CHECK_INT(cosm_system_find(box.engine, "fall").id, 0);
    CHECK(cosm_system_describe(box.engine, fall).name == NULL);
    CHECK_INT(cosm_system_describe(box.engine, fall).phase.id, 0);
    CHECK(!cosm_system_describe(box.engine, fall).is_enabled);
    CHECK_INT(cosm_engine_describe(box.engine).system_count, 0);
    CHECK_FAILS(cosm_system_remove(box.engine, fall), COSM_ERROR_ARGUMENT,
                "cosm_system_remove:", "system 1", "cosm_system_define");
    CHECK_FAILS(cosm_system_enable(box.engine, fall, true), COSM_ERROR_ARGUMENT,
                "cosm_system_enable:", "system 1", "cosm_system_define");
    // The name is free again, and the new system is another one.
    cosm_system again = cosm_system_define(
        box.engine,
        &(cosm_system_desc){
            .name = "fall", .run = no_turn, .phase = COSM_PHASE_RENDER, .disabled = true});
    CHECK(again.id != 0 && again.id != fall.id);
    CHECK_INT(cosm_system_describe(box.engine, again).phase.id, COSM_PHASE_RENDER.id);
    CHECK(!cosm_system_describe(box.engine, again).is_enabled);
    fixture_close(&box);
}

TEST(asking_for_what_is_no_system_gives_nothing) {
    cosm_engine *engine = cosm_engine_create(NULL);
    cosm_error_clear();
    const uint32_t ids[] = {0, 1, UINT32_MAX};
    for (uint32_t i = 0; i < 3; i++) {
        CHECK(cosm_system_describe(engine, (cosm_system){ids[i]}).name == NULL);
        CHECK_INT(cosm_system_describe(engine, (cosm_system){ids[i]}).phase.id, 0);
        CHECK(!cosm_system_describe(engine, (cosm_system){ids[i]}).is_enabled);
    }
    CHECK_INT(cosm_system_find(engine, "none").id, 0);
    CHECK_INT(cosm_system_find(engine, NULL).id, 0);
    CHECK_INT(cosm_system_find(NULL, "none").id, 0);
    CHECK_INT(cosm_engine_describe(NULL).system_count, 0);
    CHECK(cosm_system_describe(NULL, (cosm_system){1}).name == NULL);
    CHECK_INT(cosm_system_describe(NULL, (cosm_system){1}).phase.id, 0);
    CHECK(!cosm_system_describe(NULL, (cosm_system){1}).is_enabled);
    CHECK_SILENT();
    CHECK_FAILS(cosm_system_remove(NULL, (cosm_system){1}), COSM_ERROR_ARGUMENT,
                "cosm_system_remove:", "engine is NULL", "cosm_engine_create");
    CHECK_FAILS(cosm_system_enable(NULL, (cosm_system){1}, true), COSM_ERROR_ARGUMENT,
                "cosm_system_enable:", "engine is NULL", "cosm_engine_create");
    CHECK_INT(cosm_system_define(engine, NULL).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_system_define:", "desc is NULL", "pass both");
    CHECK_INT(cosm_system_define(NULL, &plain).id, 0);
    CHECK_FAILURE(COSM_ERROR_ARGUMENT, "cosm_system_define:", "engine is NULL", "pass both");
    CHECK_DONE(cosm_engine_destroy(engine));
}

static void check_refused(struct fixture *box, const cosm_system_desc *desc, cosm_result result,
                          const char *value, const char *remedy) {
    cosm_error_clear();
    uint32_t count = cosm_engine_describe(box->engine).system_count;
    CHECK_INT(cosm_system_define(box->engine, desc).id, 0);
    CHECK_FAILURE(result, "cosm_system_define:", value, remedy);
    CHECK_INT(cosm_engine_describe(box->engine).system_count, count);
    CHECK_DONE(cosm_plan_check(box->engine));
    // The next step says so once more, and the one after it goes on.
    CHECK_FAILS(cosm_batch_step(box->batch), result, "cosm_batch_step: nothing ran, because",
                "could not be defined", "cosm_system_define:");
    CHECK_DONE(cosm_batch_step(box->batch));
}

TEST(a_system_with_wrong_values_is_refused_and_nothing_changes) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    char longest[COSM_NAME_LENGTH_MAX + 2];
    memset(longest, 'n', sizeof(longest));
    longest[COSM_NAME_LENGTH_MAX + 1] = '\0';
    int context = 0;
    CHECK(cosm_system_define(box.engine, &(cosm_system_desc){.name = "old", .run = no_turn}).id !=
          0);
    struct {
        cosm_system_desc desc;
        cosm_result result;
        const char *value;
        const char *remedy;
    } cases[] = {
        {{.run = no_turn}, COSM_ERROR_ARGUMENT, "desc.name", "use 1 to 127 characters"},
        {{.name = "", .run = no_turn}, COSM_ERROR_ARGUMENT, "desc.name", "use 1 to 127 characters"},
        {{.name = longest, .run = no_turn}, COSM_ERROR_LIMIT, "128", "127"},
        {{.name = "old", .run = no_turn}, COSM_ERROR_CONFLICT, "'old'", "another name"},
        {{.name = "a"}, COSM_ERROR_ARGUMENT, "neither of desc.each and desc.run", "exactly one"},
        {{.name = "a", .run = no_turn, .each = no_rows},
         COSM_ERROR_ARGUMENT,
         "both of desc.each and desc.run",
         "exactly one"},
        {{.name = "a", .run = no_turn, .phase = {4}},
         COSM_ERROR_ARGUMENT,
         "desc.phase 4",
         "cosm_phase_define"},
        {{.name = "a", .each = no_rows}, COSM_ERROR_ARGUMENT, "'a' has desc.each", "every row"},
        {{.name = "a", .each = no_rows, .queries = {{.by_world = true}, {.text = "Position"}}},
         COSM_ERROR_ARGUMENT,
         "no query",
         "desc.query"},
        {{.name = "a", .each = no_rows, .query = "", .exclusive = true},
         COSM_ERROR_ARGUMENT,
         "exclusive",
         "desc.run"},
        {{.name = "a", .run = no_turn, .context_size = 8},
         COSM_ERROR_ARGUMENT,
         "desc.context_size is 8",
         "set both"},
        {{.name = "a", .run = no_turn, .reads = {{999}}},
         COSM_ERROR_ARGUMENT,
         "999",
         "cosm_component_define"},
        {{.name = "a", .run = no_turn, .writes = {box.position, {0}, box.health}},
         COSM_ERROR_ARGUMENT,
         "[2]",
         "a zero ends the list"},
        {{.name = "a", .run = no_turn, .reads = {{0}, box.health}},
         COSM_ERROR_ARGUMENT,
         "[1]",
         "a zero ends the list"},
        {{.name = "a", .run = no_turn, .singletons = {{{5}, COSM_ACCESS_READ}}},
         COSM_ERROR_ARGUMENT,
         "desc.singletons[0]",
         "cosm_singleton_define"},
        {{.name = "a",
          .each = no_rows,
          .queries = {{.terms = {{.component = {77}, .access = COSM_ACCESS_WRITE}}}}},
         COSM_ERROR_ARGUMENT,
         "77",
         "cosm_component_define"},
        {{.name = "a",
          .each = no_rows,
          .queries = {{.terms = {{.component = box.health, .access = (cosm_access)7}}}}},
         COSM_ERROR_ARGUMENT,
         "access 7",
         "cosm_access"},
        {{.name = "a", .run = no_turn, .before = {"a"}}, COSM_ERROR_CONFLICT, "'a'", "itself"},
        {{.name = "a", .run = no_turn, .after = {"a"}}, COSM_ERROR_CONFLICT, "'a'", "itself"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        cases[i].desc.context = cases[i].desc.context_size > 0 ? NULL : &context;
        check_refused(&box, &cases[i].desc, cases[i].result, cases[i].value, cases[i].remedy);
    }
    fixture_close(&box);
}

TEST(a_name_in_an_order_after_an_empty_one_is_not_silently_ignored) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_system_desc desc = {.name = "a", .run = no_turn, .after = {NULL, "b"}};
    check_refused(&box, &desc, COSM_ERROR_ARGUMENT, "desc.after[1]", "empty");
    desc = (cosm_system_desc){.name = "a", .run = no_turn, .before = {"c", NULL, "b"}};
    check_refused(&box, &desc, COSM_ERROR_ARGUMENT, "desc.before[2]", "empty");
    fixture_close(&box);
}

TEST(the_limit_of_systems_does_not_count_removed_ones) {
    cosm_engine *engine = cosm_engine_create(NULL);
    char name[16];
    cosm_system first = {0};
    for (uint32_t i = 0; i < COSM_SYSTEM_MAX; i++) {
        (void)snprintf(name, sizeof(name), "s%u", i);
        cosm_system made =
            cosm_system_define(engine, &(cosm_system_desc){.name = name, .run = no_turn});
        first = i == 0 ? made : first;
        CHECK(made.id != 0);
    }
    cosm_system_desc more = {.name = "more", .run = no_turn};
    CHECK_INT(cosm_system_define(engine, &more).id, 0);
    CHECK_FAILURE(COSM_ERROR_LIMIT, "cosm_system_define:", "4096", "remove one");
    CHECK_DONE(cosm_system_remove(engine, first));
    CHECK(cosm_system_define(engine, &more).id != 0);
    CHECK_INT(cosm_engine_describe(engine).system_count, COSM_SYSTEM_MAX);
    CHECK_DONE(cosm_engine_destroy(engine));
}

TEST(systems_run_in_the_order_of_definition_then_of_rank) {
    struct walkway way;
    walkway_open(&way);
    CHECK(define_print(&way, 'a', &plain).id != 0);
    CHECK(define_print(&way, 'b', &(cosm_system_desc){.rank = 1}).id != 0);
    CHECK(define_print(&way, 'c', &(cosm_system_desc){.rank = -1}).id != 0);
    CHECK(define_print(&way, 'd', &plain).id != 0);
    CHECK(define_print(&way, 'e', &(cosm_system_desc){.rank = INT32_MIN}).id != 0);
    CHECK(define_print(&way, 'f', &(cosm_system_desc){.rank = INT32_MAX}).id != 0);
    CHECK_STEP(&way, "ecadbf");
    fixture_close(&way.box);
}

TEST(before_and_after_come_before_rank) {
    struct walkway way;
    walkway_open(&way);
    CHECK(define_print(&way, 'a', &(cosm_system_desc){.rank = -5, .after = {"c"}}).id != 0);
    CHECK(define_print(&way, 'b', &(cosm_system_desc){.rank = 5, .before = {"d"}}).id != 0);
    CHECK(define_print(&way, 'c', &(cosm_system_desc){.rank = 3}).id != 0);
    CHECK(define_print(&way, 'd', &(cosm_system_desc){.rank = -9}).id != 0);
    CHECK_STEP(&way, "cabd");
    fixture_close(&way.box);
}

TEST(all_eight_names_of_an_order_count) {
    struct walkway way;
    walkway_open(&way);
    cosm_system_desc last = {.rank = -1, .after = {"b", "c", "d", "e", "f", "g", "h", "h"}};
    CHECK(define_print(&way, 'a', &last).id != 0);
    for (char letter = 'b'; letter <= 'h'; letter++) {
        CHECK(define_print(&way, letter, &plain).id != 0);
    }
    CHECK_STEP(&way, "bcdefgha");
    fixture_close(&way.box);
}

TEST(circles_of_before_and_after_are_refused_and_named) {
    struct walkway way;
    walkway_open(&way);
    CHECK(define_print(&way, 'a', &(cosm_system_desc){.after = {"b"}}).id != 0);
    CHECK_INT(define_print(&way, 'b', &(cosm_system_desc){.after = {"a"}}).id, 0);
    CHECK_FAILURE(COSM_ERROR_CONFLICT, "cosm_system_define:", "'b' after 'a' after 'b'",
                  "remove one of these orders");
    CHECK(define_print(&way, 'b', &(cosm_system_desc){.after = {"c"}}).id != 0);
    CHECK_INT(define_print(&way, 'c', &(cosm_system_desc){.after = {"a"}}).id, 0);
    CHECK_FAILURE(COSM_ERROR_CONFLICT, "cosm_system_define:", "'c' after 'a' after 'b' after 'c'",
                  "remove one of these orders");
    CHECK_INT(define_print(&way, 'c', &(cosm_system_desc){.before = {"d", "b"}, .after = {"a"}}).id,
              0);
    CHECK_FAILURE(COSM_ERROR_CONFLICT, "cosm_system_define:", "'a' after 'b'", "remove one");
    CHECK(define_print(&way, 'c', &plain).id != 0);
    CHECK_INT(define_print(&way, 'd', &(cosm_system_desc){.before = {"c"}, .after = {"a"}}).id, 0);
    CHECK_FAILURE(COSM_ERROR_CONFLICT,
                  "cosm_system_define:", "'d' after 'a' after 'b' after 'c' after 'd'",
                  "remove one");
    CHECK_FAILS(cosm_batch_step(way.box.batch), COSM_ERROR_CONFLICT,
                "cosm_batch_step:", "system 'b' could not be defined", "'b' after 'a' after 'b'");
    CHECK_STR(way.trail.text, "");
    CHECK_STEP(&way, "cba");
    fixture_close(&way.box);
}

TEST(a_long_circle_is_named_as_far_as_a_message_goes) {
    cosm_engine *engine = cosm_engine_create(NULL);
    char names[12][COSM_NAME_LENGTH_MAX + 1];
    for (uint32_t i = 0; i < 12; i++) {
        memset(names[i], 'a' + (int)i, COSM_NAME_LENGTH_MAX);
        names[i][COSM_NAME_LENGTH_MAX] = '\0';
        cosm_system_desc desc = {.name = names[i], .run = no_turn};
        desc.after[0] = i > 0 ? names[i - 1] : NULL;
        desc.before[0] = i == 11 ? names[0] : NULL;
        CHECK((cosm_system_define(engine, &desc).id != 0) == (i < 11));
    }
    CHECK_FAILURE(COSM_ERROR_CONFLICT, "cosm_system_define:", names[11], "cycle");
    CHECK_DONE(cosm_engine_destroy(engine));
}

TEST(a_circle_that_ran_through_a_removed_system_is_none) {
    struct walkway way;
    walkway_open(&way);
    cosm_system a = define_print(&way, 'a', &(cosm_system_desc){.before = {"b"}});
    CHECK(define_print(&way, 'b', &plain).id != 0);
    CHECK_DONE(cosm_system_remove(way.box.engine, a));
    CHECK(define_print(&way, 'a', &(cosm_system_desc){.after = {"b"}}).id != 0);
    CHECK_STEP(&way, "ba");
    fixture_close(&way.box);
}

TEST(an_unknown_name_is_mended_by_defining_it) {
    struct walkway way;
    walkway_open(&way);
    CHECK(define_print(&way, 'a', &(cosm_system_desc){.before = {"b"}}).id != 0);
    CHECK_FAILS(cosm_batch_step(way.box.batch), COSM_ERROR_ARGUMENT, "cosm_batch_step:", "'b'",
                "define it");
    CHECK_FAILS(cosm_batch_run_phase(way.box.batch, COSM_PHASE_RENDER, 0), COSM_ERROR_ARGUMENT,
                "cosm_batch_run_phase:", "'b'", "define it");
    CHECK_STR(way.trail.text, "");
    CHECK(define_print(&way, 'b', &(cosm_system_desc){.rank = -1}).id != 0);
    CHECK_STEP(&way, "ab");
    fixture_close(&way.box);
}

TEST(orders_between_phases_must_follow_the_phases) {
    struct walkway way;
    walkway_open(&way);
    CHECK(define_print(&way, 'a', &(cosm_system_desc){.phase = COSM_PHASE_RENDER}).id != 0);
    CHECK(define_print(&way, 'b', &(cosm_system_desc){.before = {"a"}}).id != 0);
    CHECK_INT(define_print(&way, 'c', &(cosm_system_desc){.after = {"a"}}).id, 0);
    CHECK_FAILURE(COSM_ERROR_CONFLICT, "cosm_system_define:", "'a'", "remove the order");
    CHECK_INT(
        define_print(&way, 'c', &(cosm_system_desc){.phase = COSM_PHASE_RENDER, .before = {"b"}})
            .id,
        0);
    CHECK_FAILURE(COSM_ERROR_CONFLICT, "cosm_system_define:", "'render'", "remove the order");
    CHECK(define_print(&way, 'd', &(cosm_system_desc){.phase = COSM_PHASE_INPUT}).id != 0);
    CHECK_FAILS(cosm_batch_step(way.box.batch), COSM_ERROR_CONFLICT,
                "cosm_batch_step:", "system 'c' could not be defined", "cosm_system_define:");
    CHECK_STEP(&way, "dba");
    fixture_close(&way.box);
}

TEST(names_of_removed_systems_may_stay_in_orders) {
    struct walkway way;
    walkway_open(&way);
    cosm_system a = define_print(&way, 'a', &plain);
    CHECK(define_print(&way, 'b', &(cosm_system_desc){.before = {"a"}}).id != 0);
    CHECK_STEP(&way, "ba");
    CHECK_DONE(cosm_system_remove(way.box.engine, a));
    CHECK_STEP(&way, "b");
    // Once more defined, the order holds again.
    CHECK(define_print(&way, 'a', &(cosm_system_desc){.rank = -4}).id != 0);
    CHECK_STEP(&way, "ba");
    fixture_close(&way.box);
}

TEST(systems_are_switched_off_and_on_between_steps) {
    struct walkway way;
    walkway_open(&way);
    cosm_system a = define_print(&way, 'a', &(cosm_system_desc){.disabled = true});
    cosm_system b = define_print(&way, 'b', &plain);
    CHECK_STEP(&way, "b");
    CHECK_DONE(cosm_system_enable(way.box.engine, a, true));
    CHECK_STEP(&way, "ab");
    CHECK_DONE(cosm_system_enable(way.box.engine, b, false));
    CHECK_STEP(&way, "a");
    CHECK_DONE(cosm_system_enable(way.box.engine, a, false));
    CHECK_STEP(&way, "");
    fixture_close(&way.box);
}

TEST(a_system_runs_in_steps_whose_number_is_a_multiple_of_every) {
    struct walkway way;
    walkway_open(&way);
    CHECK(define_print(&way, 'a', &(cosm_system_desc){.every = 1}).id != 0);
    CHECK(define_print(&way, 'b', &(cosm_system_desc){.every = 2}).id != 0);
    CHECK(define_print(&way, 'c', &(cosm_system_desc){.every = 3}).id != 0);
    CHECK(define_print(&way, 'd', &(cosm_system_desc){.every = UINT32_MAX}).id != 0);
    static const char *const expected[] = {"abcd", "a", "ab", "ac", "ab", "a", "abc"};
    for (uint32_t s = 0; s < 7; s++) {
        CHECK_STEP(&way, expected[s]);
    }
    fixture_close(&way.box);
}

struct asked {
    uint32_t count;
    bool answer;
    pthread_t thread;
    struct trail *trail;
};

static bool answer_asked(void *context, const cosm_batch *batch) {
    struct footprint *print = context;
    struct asked *asked = (struct asked *)(void *)print->trail;
    asked->count++;
    CHECK(cosm_batch_is_running(batch));
    CHECK(pthread_equal(pthread_self(), asked->thread));
    return asked->answer;
}

static void count_asked(const cosm_turn *turn) {
    (void)turn;
    struct footprint *print = turn->context;
    step_on(((struct asked *)(void *)print->trail)->trail, print->letter);
}

TEST(a_condition_is_asked_once_for_each_run_of_the_phase) {
    struct walkway way;
    walkway_open(&way);
    struct asked asked = {0, true, pthread_self(), &way.trail};
    struct footprint print = {(struct trail *)(void *)&asked, 'q'};
    cosm_system_desc desc = {.name = "q",
                             .run = count_asked,
                             .context = &print,
                             .condition = answer_asked,
                             .main_thread = true};
    CHECK(define_print(&way, 'a', &plain).id != 0);
    CHECK(cosm_system_define(way.box.engine, &desc).id != 0);
    CHECK_STEP(&way, "aq");
    asked.answer = false;
    CHECK_STEP(&way, "a");
    CHECK_INT(asked.count, 2);
    CHECK_DONE(cosm_batch_run_phase(way.box.batch, COSM_PHASE_SIMULATION, 0));
    CHECK_INT(asked.count, 3);
    CHECK_DONE(cosm_batch_run_phase(way.box.batch, COSM_PHASE_RENDER, 0));
    CHECK_INT(asked.count, 3);
    fixture_close(&way.box);
}

// Counts what a system was called with.
struct tally {
    const struct fixture *box;
    atomic_uint turns;
    atomic_uint worlds;
    atomic_uint rows;
    atomic_uint wrong;
};

static void tally_rows(cosm_rows *rows) {
    struct tally *tally = rows->context;
    atomic_fetch_add(&tally->turns, 1);
    atomic_fetch_add(&tally->rows, rows->count);
    atomic_fetch_add(&tally->wrong, rows->turn == NULL || rows->dt != rows->turn->dt);
}

static void tally_turn(const cosm_turn *turn) {
    struct tally *tally = turn->context;
    atomic_fetch_add(&tally->turns, 1);
    atomic_fetch_add(&tally->worlds, turn->worlds.count);
}

TEST(a_system_of_an_empty_query_sees_every_row_and_one_without_every_world) {
    static const cosm_split splits[] = {COSM_SPLIT_NONE, COSM_SPLIT_WORLDS, COSM_SPLIT_CHUNKS};
    for (uint32_t i = 0; i < 3; i++) {
        struct fixture box;
        fixture_open_with(&box, 0, &(cosm_engine_desc){.worker_count = 3},
                          &(cosm_batch_desc){.world_count = 5, .split = splits[i]});
        struct tally each = {.box = &box};
        struct tally run = {.box = &box};
        CHECK(cosm_system_define(box.engine, &(cosm_system_desc){.name = "each",
                                                                 .each = tally_rows,
                                                                 .query = "",
                                                                 .context = &each})
                  .id != 0);
        CHECK(
            cosm_system_define(
                box.engine, &(cosm_system_desc){.name = "run", .run = tally_turn, .context = &run})
                .id != 0);
        for (uint32_t w = 0; w < 5; w++) {
            cosm_rows rows;
            CHECK_DONE(cosm_entity_spawn_many(fixture_world(&box, w), box.mover, w, &rows));
            CHECK_DONE(cosm_entity_spawn_many(fixture_world(&box, w), box.event, 2, &rows));
        }
        CHECK_DONE(cosm_batch_step(box.batch));
        CHECK_INT(atomic_load(&each.rows), 20);
        CHECK_INT(atomic_load(&each.wrong), 0);
        CHECK_INT(atomic_load(&run.worlds), 5);
        fixture_close(&box);
    }
}

static void walk_queries(const cosm_turn *turn, uint32_t count) {
    struct tally *tally = turn->context;
    for (uint32_t q = 0; q < count; q++) {
        cosm_rows rows;
        cosm_turn_walk(turn, q, turn->worlds, &rows);
        while (cosm_rows_next(&rows)) {
            atomic_fetch_add(&tally->rows, rows.count << (8 * q));
        }
    }
}

static void walk_all_queries(const cosm_turn *turn) {
    walk_queries(turn, COSM_SYSTEM_QUERY_MAX);
}

static void walk_two_queries(const cosm_turn *turn) {
    walk_queries(turn, 2);
}

TEST(a_system_walks_several_queries_also_an_empty_one_in_front) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    struct tally tally = {.box = &box};
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, 3, &rows));
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.slot, 2, &rows));
    cosm_system_desc desc = {
        .name = "several",
        .run = walk_all_queries,
        .context = &tally,
        .queries = {{.by_world = false},
                    {.terms = {{.component = box.position, .access = COSM_ACCESS_WRITE}}},
                    {.terms = {{.component = box.velocity, .access = COSM_ACCESS_WRITE}}},
                    {.terms = {{.component = box.health, .access = COSM_ACCESS_WRITE}}}}};
    CHECK(cosm_system_define(box.engine, &desc).id != 0);
    CHECK_DONE(cosm_batch_step(box.batch));
    CHECK_INT(atomic_load(&tally.rows), 5 | 5 << 8 | 3 << 16 | 2 << 24);
    fixture_close(&box);
}

TEST(an_empty_text_at_the_end_of_the_queries_is_one_of_them) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    struct tally tally = {.box = &box};
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, 3, &rows));
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.slot, 2, &rows));
    cosm_system_desc desc = {.name = "two",
                             .run = walk_two_queries,
                             .context = &tally,
                             .queries = {{.text = "Velocity"}, {.text = ""}}};
    CHECK(cosm_system_define(box.engine, &desc).id != 0);
    CHECK_DONE(cosm_batch_step(box.batch));
    CHECK_INT(atomic_load(&tally.rows), 3 | 5 << 8);
    fixture_close(&box);
}

static void keep_thread(const cosm_turn *turn) {
    struct tally *tally = turn->context;
    pthread_t *thread = (pthread_t *)(void *)tally->box;
    atomic_fetch_add(&tally->turns, 1);
    atomic_fetch_add(&tally->worlds, turn->worlds.count);
    atomic_fetch_add(&tally->wrong, !pthread_equal(*thread, pthread_self()));
}

static void *step_ten_times(void *context) {
    struct fixture *box = context;
    for (uint32_t i = 0; i < 10; i++) {
        CHECK_DONE(cosm_batch_step(box->batch));
    }
    return NULL;
}

TEST(a_system_of_the_main_thread_runs_once_on_the_thread_that_steps) {
    struct fixture box;
    fixture_open_with(&box, 0, &(cosm_engine_desc){.worker_count = 4},
                      &(cosm_batch_desc){.world_count = 40, .split = COSM_SPLIT_WORLDS});
    static pthread_t thread;
    struct tally tally = {.box = (const struct fixture *)(void *)&thread};
    struct tally global = {.box = (const struct fixture *)(void *)&thread};
    cosm_system_desc desc = {
        .name = "main", .run = keep_thread, .context = &tally, .main_thread = true};
    CHECK(cosm_system_define(box.engine, &desc).id != 0);
    desc = (cosm_system_desc){
        .name = "global", .run = keep_thread, .context = &global, .global = true};
    CHECK(cosm_system_define(box.engine, &desc).id != 0);
    thread = pthread_self();
    step_ten_times(&box);
    CHECK_INT(atomic_load(&tally.turns), 10);
    CHECK_INT(atomic_load(&tally.worlds), 400);
    CHECK_INT(atomic_load(&tally.wrong), 0);
    CHECK_INT(atomic_load(&global.turns), 10);
    CHECK_INT(atomic_load(&global.worlds), 400);
    fixture_close(&box);
}

// An exclusive system changes its own worlds, and no other.
static void change_directly(const cosm_turn *turn) {
    struct tally *tally = turn->context;
    cosm_batch *batch = turn->worlds.batch;
    for (uint32_t w = 0; w < turn->worlds.count; w++) {
        cosm_world world = cosm_batch_world(batch, turn->worlds.first + w);
        CHECK_DONE(cosm_world_reset(world));
        cosm_entity entity = cosm_entity_spawn(world, tally->box->mover);
        CHECK(!cosm_entity_is_none(entity));
        CHECK_DONE(cosm_entity_add(world, entity, tally->box->health));
        atomic_fetch_add(&tally->worlds, 1);
    }
    uint32_t first = turn->worlds.first;
    uint32_t outside = first > 0 ? 0 : first + turn->worlds.count;
    if (turn->worlds.count < cosm_batch_world_count(batch)) {
        cosm_world world = {batch, outside};
        CHECK_FAILS(cosm_world_reset(world), COSM_ERROR_WALKED, "cosm_world_reset:", "'exclusive'",
                    "worlds of its turn");
        CHECK(cosm_entity_is_none(cosm_entity_spawn(world, tally->box->mover)));
        CHECK_INT(cosm_batch_reset(batch, NULL), COSM_ERROR_WALKED);
        CHECK_INT(cosm_batch_trim(batch), COSM_ERROR_WALKED);
    }
}

TEST(an_exclusive_system_changes_its_own_worlds_directly_and_no_other) {
    for (uint32_t split = 0; split < 4; split++) {
        struct fixture box;
        fixture_open_with(
            &box, 0, &(cosm_engine_desc){.worker_count = 3},
            &(cosm_batch_desc){.world_count = 9, .split = (cosm_split)split, .block_worlds = 2});
        struct tally tally = {.box = &box};
        cosm_system_desc desc = {
            .name = "exclusive", .run = change_directly, .context = &tally, .exclusive = true};
        CHECK(cosm_system_define(box.engine, &desc).id != 0);
        // The refusals are failures of the system, so the step tells of them.
        cosm_result result = cosm_batch_step(box.batch);
        CHECK(result == COSM_ERROR_WALKED || result == COSM_OK);
        CHECK_INT(atomic_load(&tally.worlds), 9);
        for (uint32_t w = 0; w < 9; w++) {
            CHECK_INT(cosm_world_entity_count(fixture_world(&box, w)), 1);
        }
        fixture_close(&box);
    }
}

static void check_whole(cosm_rows *rows) {
    struct tally *tally = rows->context;
    atomic_fetch_add(&tally->turns, 1);
    cosm_world world = cosm_rows_world(rows, 0);
    bool is_whole = rows->row == 0 && rows->world_count == 1 &&
                    rows->count == cosm_table_row_count(world, rows->archetype);
    atomic_fetch_add(&tally->wrong, !is_whole);
}

TEST(a_whole_system_gets_whole_tables_of_one_world) {
    for (uint32_t split = 0; split < 4; split++) {
        for (uint32_t commands = 0; commands < 2; commands++) {
            struct fixture box;
            fixture_open_with(&box, 0, &(cosm_engine_desc){.worker_count = 3},
                              &(cosm_batch_desc){.world_count = 3, .split = (cosm_split)split});
            struct tally tally = {.box = &box};
            cosm_system_desc desc = {.name = "whole",
                                     .each = check_whole,
                                     .context = &tally,
                                     .queries = {{.terms = {{.component = box.position}}}},
                                     .whole = true,
                                     .commands = commands == 1};
            CHECK(cosm_system_define(box.engine, &desc).id != 0);
            cosm_rows rows;
            for (uint32_t w = 0; w < 3; w++) {
                cosm_world world = fixture_world(&box, w);
                CHECK_DONE(cosm_entity_spawn_many(world, box.mover, 20000, &rows));
                CHECK_DONE(cosm_entity_spawn_many(world, box.slot, 4, &rows));
            }
            CHECK_DONE(cosm_batch_step(box.batch));
            CHECK_INT(atomic_load(&tally.turns), 6);
            CHECK_INT(atomic_load(&tally.wrong), 0);
            fixture_close(&box);
        }
    }
}

// Defines and switches systems from within a system.
struct builder {
    struct walkway *way;
    cosm_system other;
    uint32_t runs;
};

static void build_inside(const cosm_turn *turn) {
    (void)turn;
    struct builder *builder = turn->context;
    cosm_engine *engine = builder->way->box.engine;
    if (builder->runs++ == 0) {
        cosm_system_desc desc = {.name = "new",
                                 .run = leave_print,
                                 .context = &builder->way->prints[2],
                                 .main_thread = true};
        CHECK(cosm_system_define(engine, &desc).id != 0);
        CHECK_DONE(cosm_system_enable(engine, builder->other, true));
        CHECK_FAILS(cosm_system_remove(engine, builder->other), COSM_ERROR_BUSY,
                    "cosm_system_remove:", "'b'", "between steps");
        CHECK_FAILS(cosm_engine_destroy(engine), COSM_ERROR_BUSY, "cosm_engine_destroy:", "1 batch",
                    "cosm_batch_destroy");
    }
}

TEST(systems_defined_and_enabled_within_a_system_run_from_the_next_step_on) {
    struct walkway way;
    walkway_open(&way);
    struct builder builder = {.way = &way};
    builder.other = define_print(&way, 'b', &(cosm_system_desc){.disabled = true, .rank = -1});
    cosm_system_desc desc = {
        .name = "builder", .run = build_inside, .context = &builder, .main_thread = true};
    CHECK(cosm_system_define(way.box.engine, &desc).id != 0);
    clear_trail(&way.trail);
    // What was refused inside is told by the step.
    CHECK_INT(cosm_batch_step(way.box.batch), COSM_ERROR_BUSY);
    CHECK_STR(way.trail.text, "");
    CHECK_STEP(&way, "bc");
    CHECK_DONE(cosm_system_remove(way.box.engine, builder.other));
    CHECK_STEP(&way, "c");
    fixture_close(&way.box);
}

// Hooks. Each is called with a letter: upper case for init, lower case for dispose.
struct hooked {
    struct trail *trail;
    char letter;
    cosm_result answer;
    pthread_t thread;
    const struct fixture *box;
};

static cosm_result note_init(void *context, cosm_batch *batch) {
    struct hooked *hooked = context;
    step_on(hooked->trail, (char)(hooked->letter - 'a' + 'A'));
    CHECK(pthread_equal(pthread_self(), hooked->thread));
    // Outside all turns: worlds may be changed directly.
    CHECK(!cosm_entity_is_none(cosm_entity_spawn(cosm_batch_world(batch, 0), hooked->box->mover)));
    return hooked->answer;
}

static void note_dispose(void *context, cosm_batch *batch) {
    struct hooked *hooked = context;
    step_on(hooked->trail, hooked->letter);
    CHECK(!cosm_entity_is_none(cosm_entity_spawn(cosm_batch_world(batch, 0), hooked->box->mover)));
}

static void run_hooked(const cosm_turn *turn) {
    struct hooked *hooked = turn->context;
    (void)turn;
    step_on(hooked->trail, '.');
}

static void define_hooked(struct walkway *way, struct hooked *hooked, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        hooked[i] =
            (struct hooked){&way->trail, (char)('a' + (int)i), COSM_OK, pthread_self(), &way->box};
        char name[2] = {hooked[i].letter, '\0'};
        // Ranks turn the order of definition around.
        cosm_system_desc desc = {.name = name,
                                 .run = run_hooked,
                                 .context = &hooked[i],
                                 .init = note_init,
                                 .dispose = note_dispose,
                                 .main_thread = true,
                                 .rank = -(int32_t)i};
        CHECK(cosm_system_define(way->box.engine, &desc).id != 0);
    }
}

TEST(hooks_are_called_once_each_and_dispose_in_reverse_order) {
    struct walkway way;
    walkway_open(&way);
    struct hooked hooked[3];
    define_hooked(&way, hooked, 3);
    CHECK_STEP(&way, "CBA...");
    CHECK_STEP(&way, "...");
    clear_trail(&way.trail);
    CHECK_DONE(cosm_batch_destroy(way.box.batch));
    CHECK_STR(way.trail.text, "abc");
    way.box.batch = NULL;
    fixture_close(&way.box);
}

TEST(a_batch_that_never_stepped_disposes_nothing) {
    struct walkway way;
    walkway_open(&way);
    struct hooked hooked[2];
    define_hooked(&way, hooked, 2);
    CHECK_DONE(cosm_batch_destroy(way.box.batch));
    CHECK_STR(way.trail.text, "");
    way.box.batch = NULL;
    fixture_close(&way.box);
}

TEST(an_init_that_fails_fails_the_step_before_anything_ran_and_is_tried_again) {
    struct walkway way;
    walkway_open(&way);
    struct hooked hooked[3];
    define_hooked(&way, hooked, 3);
    hooked[1].answer = COSM_ERROR_LIMIT;
    CHECK_FAILS(cosm_batch_step(way.box.batch), COSM_ERROR_LIMIT, "cosm_batch_step:", "'b'",
                "step again");
    CHECK_STR(way.trail.text, "CB");
    CHECK_INT(cosm_batch_step_count(way.box.batch), 0);
    CHECK(!cosm_batch_is_running(way.box.batch));
    clear_trail(&way.trail);
    CHECK_INT(cosm_batch_run_phase(way.box.batch, COSM_PHASE_SIMULATION, 0), COSM_ERROR_LIMIT);
    CHECK_STR(way.trail.text, "B");
    hooked[1].answer = COSM_OK;
    CHECK_STEP(&way, "BA...");
    clear_trail(&way.trail);
    CHECK_DONE(cosm_batch_destroy(way.box.batch));
    CHECK_STR(way.trail.text, "abc");
    way.box.batch = NULL;
    fixture_close(&way.box);
}

TEST(after_a_failed_init_only_those_that_were_initialised_are_disposed) {
    struct walkway way;
    walkway_open(&way);
    struct hooked hooked[3];
    define_hooked(&way, hooked, 3);
    hooked[0].answer = COSM_ERROR_ARGUMENT;
    CHECK_INT(cosm_batch_step(way.box.batch), COSM_ERROR_ARGUMENT);
    clear_trail(&way.trail);
    CHECK_DONE(cosm_batch_destroy(way.box.batch));
    CHECK_STR(way.trail.text, "bc");
    way.box.batch = NULL;
    fixture_close(&way.box);
}

static void fail_turn(const cosm_turn *turn) {
    cosm_turn_fail(turn, "on purpose");
}

TEST(hooks_are_called_once_each_also_after_a_failed_step) {
    struct walkway way;
    walkway_open(&way);
    struct hooked hooked[2];
    define_hooked(&way, hooked, 2);
    cosm_system_desc desc = {.name = "failing", .run = fail_turn};
    CHECK(cosm_system_define(way.box.engine, &desc).id != 0);
    clear_trail(&way.trail);
    CHECK_INT(cosm_batch_step(way.box.batch), COSM_ERROR_SYSTEM);
    CHECK_INT(cosm_batch_step(way.box.batch), COSM_ERROR_SYSTEM);
    CHECK_STR(way.trail.text, "BA....");
    CHECK_INT(cosm_batch_step_count(way.box.batch), 2);
    clear_trail(&way.trail);
    CHECK_DONE(cosm_batch_destroy(way.box.batch));
    CHECK_STR(way.trail.text, "ab");
    way.box.batch = NULL;
    fixture_close(&way.box);
}

TEST(a_removed_system_is_disposed_in_every_batch_it_ran_in) {
    struct walkway way;
    walkway_open(&way);
    struct hooked hooked[2];
    define_hooked(&way, hooked, 2);
    cosm_batch *second = cosm_batch_create(way.box.engine, NULL);
    cosm_batch *third = cosm_batch_create(way.box.engine, NULL);
    CHECK_STEP(&way, "BA..");
    CHECK_DONE(cosm_batch_step(second));
    clear_trail(&way.trail);
    CHECK_DONE(cosm_system_remove(way.box.engine, cosm_system_find(way.box.engine, "b")));
    CHECK_STR(way.trail.text, "bb");
    // The others go on as they are; the third batch has only what is left.
    CHECK_STEP(&way, ".");
    clear_trail(&way.trail);
    CHECK_DONE(cosm_batch_step(third));
    CHECK_STR(way.trail.text, "A.");
    clear_trail(&way.trail);
    CHECK_DONE(cosm_batch_destroy(second));
    CHECK_DONE(cosm_batch_destroy(third));
    CHECK_DONE(cosm_batch_destroy(way.box.batch));
    CHECK_STR(way.trail.text, "aaa");
    way.box.batch = NULL;
    fixture_close(&way.box);
}

TEST(a_destroy_refused_for_commands_has_disposed_and_the_next_step_initialises_again) {
    struct walkway way;
    walkway_open(&way);
    struct hooked hooked[1];
    define_hooked(&way, hooked, 1);
    CHECK_STEP(&way, "A.");
    cosm_commands *commands = cosm_commands_create(way.box.batch);
    clear_trail(&way.trail);
    CHECK_FAILS(cosm_batch_destroy(way.box.batch), COSM_ERROR_BUSY,
                "cosm_batch_destroy:", "1 commands objects", "cosm_commands_destroy");
    CHECK_STR(way.trail.text, "a");
    CHECK_STEP(&way, "A.");
    cosm_commands_destroy(commands);
    fixture_close(&way.box);
}

// Commands objects that an init made are destroyed by the dispose.
struct recorder {
    const struct fixture *box;
    cosm_commands *commands;
};

static cosm_result make_recorder(void *context, cosm_batch *batch) {
    struct recorder *recorder = context;
    recorder->commands = cosm_commands_create(batch);
    return recorder->commands == NULL ? COSM_ERROR_MEMORY : COSM_OK;
}

static void end_recorder(void *context, cosm_batch *batch) {
    struct recorder *recorder = context;
    (void)batch;
    cosm_commands_destroy(recorder->commands);
}

TEST(a_dispose_hook_may_destroy_the_commands_that_init_made) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    struct recorder recorder = {&box, NULL};
    cosm_system_desc desc = {.name = "recorder",
                             .run = no_turn,
                             .context = &recorder,
                             .init = make_recorder,
                             .dispose = end_recorder};
    CHECK(cosm_system_define(box.engine, &desc).id != 0);
    CHECK_DONE(cosm_batch_step(box.batch));
    CHECK(recorder.commands != NULL);
    fixture_close(&box);
}

// Commands of systems.
struct clerk {
    const struct fixture *box;
    atomic_uint seen;
    cosm_entity child;
};

static void record_all_kinds(cosm_rows *rows) {
    struct clerk *clerk = rows->context;
    const struct fixture *box = clerk->box;
    cosm_commands *commands = cosm_turn_commands(rows->turn);
    Health health = {5};
    cosm_value value = {box->health, &health};
    for (uint32_t i = 0; i < rows->count; i++) {
        cosm_world world = cosm_rows_world(rows, i);
        cosm_entity entity = rows->entities[i];
        if (i % 4 == 0) {
            clerk->child = cosm_commands_spawn(commands, world, box->stone);
            CHECK(!cosm_entity_is_none(clerk->child));
            CHECK(!cosm_entity_is_alive(world, clerk->child));
        } else if (i % 4 == 1) {
            CHECK_DONE(cosm_commands_despawn(commands, world, entity));
        } else if (i % 4 == 2) {
            CHECK_DONE(cosm_commands_add(commands, world, entity, box->mark));
            CHECK_DONE(cosm_commands_set(commands, world, entity, box->health, &health));
        } else {
            CHECK_DONE(cosm_commands_remove(commands, world, entity, box->velocity));
            CHECK_DONE(cosm_commands_emit(commands, world, box->event, &value, 1));
        }
    }
}

static void count_events(cosm_rows *rows) {
    struct clerk *clerk = rows->context;
    const Health *health = COSM_COLUMN_READ(rows, Health, 0);
    for (uint32_t i = 0; rows->entities == NULL && i < rows->count; i++) {
        atomic_fetch_add(&clerk->seen, health[i].points);
    }
}

static void define_clerk(struct fixture *box, struct clerk *clerk, bool synced) {
    cosm_system_desc desc = {
        .name = "record",
        .each = record_all_kinds,
        .context = clerk,
        .commands = true,
        .queries = {{.terms = {{.component = box->velocity},
                               {.component = box->mark, .kind = COSM_TERM_WITHOUT}}}}};
    CHECK(cosm_system_define(box->engine, &desc).id != 0);
    desc = (cosm_system_desc){.name = "events",
                              .each = count_events,
                              .context = clerk,
                              .synced = synced,
                              .queries = {{.terms = {{.component = box->health}}}}};
    CHECK(cosm_system_define(box->engine, &desc).id != 0);
}

TEST(commands_of_systems_are_applied_at_the_end_of_the_phase_or_before_a_synced_system) {
    for (uint32_t synced = 0; synced < 2; synced++) {
        for (uint32_t split = 0; split < 4; split++) {
            struct fixture box;
            fixture_open_with(&box, 0, &(cosm_engine_desc){.worker_count = 3},
                              &(cosm_batch_desc){.world_count = 1, .split = (cosm_split)split});
            struct clerk clerk = {.box = &box};
            define_clerk(&box, &clerk, synced == 1);
            cosm_rows rows;
            CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, 40, &rows));
            CHECK_DONE(cosm_batch_step(box.batch));
            CHECK_INT(atomic_load(&clerk.seen), synced == 1 ? 50 : 0);
            CHECK_INT(cosm_table_row_count(box.world, box.stone), 10);
            CHECK_INT(cosm_table_row_count(box.world, box.mover), 10);
            CHECK_INT(cosm_table_row_count(box.world, box.event), 0);
            CHECK_INT(cosm_world_entity_count(box.world), 40);
            CHECK(cosm_entity_is_alive(box.world, clerk.child));
            fixture_close(&box);
        }
    }
}

// Temporary rows that a run of a phase left are there until the step ends.
TEST(what_a_phase_recorded_is_there_for_the_next_phase) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    struct clerk clerk = {.box = &box};
    define_clerk(&box, &clerk, false);
    cosm_rows rows;
    CHECK_DONE(cosm_entity_spawn_many(box.world, box.mover, 4, &rows));
    CHECK_DONE(cosm_batch_run_phase(box.batch, COSM_PHASE_SIMULATION, 0));
    CHECK_INT(cosm_table_row_count(box.world, box.event), 1);
    CHECK_DONE(cosm_batch_end_step(box.batch));
    CHECK_INT(cosm_table_row_count(box.world, box.event), 0);
    fixture_close(&box);
}

static void spawn_slots(const cosm_turn *turn) {
    const struct fixture *box = turn->context;
    cosm_commands *commands = cosm_turn_commands(turn);
    for (uint32_t w = 0; w < turn->worlds.count; w++) {
        cosm_world world = cosm_batch_world(turn->worlds.batch, turn->worlds.first + w);
        for (uint32_t i = 0; i < 2; i++) {
            CHECK(!cosm_entity_is_none(cosm_commands_spawn(commands, world, box->slot)));
            CHECK(!cosm_entity_is_none(cosm_commands_spawn(commands, world, box->mover)));
        }
    }
}

TEST(a_full_table_in_one_world_drops_the_commands_of_that_world_only_and_is_told) {
    for (uint32_t split = 0; split < 4; split++) {
        struct fixture box;
        fixture_open_with(&box, 0, &(cosm_engine_desc){.worker_count = 3},
                          &(cosm_batch_desc){.world_count = 9, .split = (cosm_split)split});
        cosm_system_desc desc = {
            .name = "spawn", .run = spawn_slots, .context = &box, .commands = true};
        CHECK(cosm_system_define(box.engine, &desc).id != 0);
        cosm_rows rows;
        CHECK_DONE(cosm_entity_spawn_many(fixture_world(&box, 4), box.slot, 3, &rows));
        CHECK_DONE(cosm_entity_spawn_many(fixture_world(&box, 7), box.slot, 4, &rows));
        CHECK_FAILS(cosm_batch_step(box.batch), COSM_ERROR_FULL, "cosm_batch_step:", "world 4",
                    "despawn some");
        CHECK_INT(cosm_batch_step_count(box.batch), 1);
        for (uint32_t w = 0; w < 9; w++) {
            cosm_world world = fixture_world(&box, w);
            bool is_full = w == 4 || w == 7;
            CHECK_INT(cosm_table_row_count(world, box.slot), w == 4 ? 3 : w == 7 ? 4 : 2);
            CHECK_INT(cosm_table_row_count(world, box.mover), is_full ? 0 : 2);
        }
        CHECK_VALID(box.batch);
        CHECK_DONE(cosm_batch_reset(box.batch, NULL));
        CHECK_DONE(cosm_batch_step(box.batch));
        CHECK_INT(cosm_batch_entity_count(box.batch), 36);
        fixture_close(&box);
    }
}

// Skipped commands are reported, though the step goes well.
static void despawn_then_set(cosm_rows *rows) {
    const struct fixture *box = rows->context;
    cosm_commands *commands = cosm_turn_commands(rows->turn);
    for (uint32_t i = 0; i < rows->count; i++) {
        cosm_world world = cosm_rows_world(rows, i);
        CHECK_DONE(cosm_commands_despawn(commands, world, rows->entities[i]));
        CHECK_DONE(cosm_commands_add(commands, world, rows->entities[i], box->mark));
    }
}

struct heard {
    atomic_uint count;
    atomic_int result;
};

static void hear(void *context, cosm_result result, const char *message) {
    struct heard *heard = context;
    (void)message;
    atomic_fetch_add(&heard->count, 1);
    atomic_store(&heard->result, (int)result);
}

TEST(a_command_on_an_entity_that_is_gone_is_reported_and_does_not_fail_the_step) {
    for (uint32_t split = 0; split < 4; split++) {
        struct fixture box;
        struct heard heard = {0, 0};
        fixture_open_with(
            &box, 0, &(cosm_engine_desc){.worker_count = 2, .error = hear, .error_context = &heard},
            &(cosm_batch_desc){.world_count = 4, .split = (cosm_split)split});
        cosm_system_desc desc = {.name = "contrary",
                                 .each = despawn_then_set,
                                 .context = &box,
                                 .commands = true,
                                 .queries = {{.terms = {{.component = box.velocity}}}}};
        CHECK(cosm_system_define(box.engine, &desc).id != 0);
        fixture_spawn(&box, 0);
        CHECK_DONE(cosm_batch_step(box.batch));
        CHECK_INT(atomic_load(&heard.count), 1);
        CHECK_INT(atomic_load(&heard.result), COSM_STALE);
        CHECK_INT(cosm_batch_entity_count(box.batch), 0);
        fixture_close(&box);
    }
}

// Memory: the n-th request is refused, for every n.
struct memory_rig {
    struct ledger ledger;
    struct fixture box;
};

static void record_growth(cosm_rows *rows) {
    const struct fixture *box = rows->context;
    cosm_commands *commands = cosm_turn_commands(rows->turn);
    Health health = {3};
    for (uint32_t i = 0; i < rows->count; i++) {
        cosm_world world = cosm_rows_world(rows, i);
        // Whatever cannot be had fails the step; the system goes on.
        (void)cosm_commands_spawn(commands, world, box->mover);
        cosm_result result =
            cosm_commands_set(commands, world, rows->entities[i], box->health, &health);
        if (i % 3 == 0 && result == COSM_OK) {
            result = cosm_commands_despawn(commands, world, rows->entities[i]);
        }
        void *scratch = i == 0 ? cosm_turn_scratch(rows->turn, 3000) : NULL;
        if (scratch != NULL) {
            memset(scratch, 1, 3000);
        }
        CHECK(result == COSM_OK || result == COSM_ERROR_MEMORY);
    }
}

static bool define_growth(struct memory_rig *rig) {
    struct fixture *box = &rig->box;
    cosm_system_desc descs[] = {
        {.name = "grow",
         .each = record_growth,
         .context = box,
         .commands = true,
         .queries = {{.terms = {{.component = box->velocity},
                                {.component = box->health, .kind = COSM_TERM_WITHOUT}}}},
         .reads = {box->position}},
        {.name = "slots", .run = spawn_slots, .context = box, .after = {"grow"}},
    };
    descs[1].run = no_turn;
    for (uint32_t i = 0; i < 2; i++) {
        if (cosm_system_find(box->engine, descs[i].name).id == 0 &&
            cosm_system_define(box->engine, &descs[i]).id == 0) {
            return false;
        }
    }
    return true;
}

// One refusal; false when no request was as late as the n-th.
static bool refuse_growth(uint64_t n, uint64_t count, cosm_split split, uint32_t workers) {
    struct memory_rig rig;
    ledger_open(&rig.ledger);
    fixture_open_with(
        &rig.box, 0,
        &(cosm_engine_desc){.allocator = ledger_allocator(&rig.ledger), .worker_count = workers},
        &(cosm_batch_desc){.world_count = 2, .split = split});
    cosm_rows rows;
    for (uint32_t w = 0; w < 2; w++) {
        CHECK_DONE(cosm_entity_spawn_many(fixture_world(&rig.box, w), rig.box.mover, 600, &rows));
    }
    ledger_refuse(&rig.ledger, n, count);
    bool defined = define_growth(&rig);
    if (!defined) {
        CHECK_INT(cosm_error_result(), COSM_ERROR_MEMORY);
    }
    cosm_result result = defined ? cosm_batch_step(rig.box.batch) : COSM_OK;
    bool refused = ledger_relent(&rig.ledger);
    if (result != COSM_OK) {
        CHECK(refused);
        CHECK_STR(cosm_result_name(result), "COSM_ERROR_MEMORY");
        CHECK_CONTAINS(cosm_error_message(), "out of memory");
    }
    CHECK_VALID(rig.box.batch);
    CHECK(define_growth(&rig));
    if (!defined) {
        CHECK_FAILS(cosm_batch_step(rig.box.batch), COSM_ERROR_MEMORY, "cosm_batch_step: nothing",
                    "could not be defined", "out of memory");
    }
    CHECK_DONE(cosm_batch_step(rig.box.batch));
    CHECK_DONE(cosm_batch_step(rig.box.batch));
    CHECK_VALID(rig.box.batch);
    // Promises that were not kept would show as ids that never come back.
    CHECK_DONE(cosm_batch_reset(rig.box.batch, NULL));
    CHECK_INT(cosm_entity_spawn(rig.box.world, rig.box.mover).id, 0);
    fixture_close(&rig.box);
    ledger_close(&rig.ledger);
    return refused;
}

TEST(defining_and_stepping_survive_any_refusal_of_memory) {
    static const cosm_split splits[] = {COSM_SPLIT_NONE, COSM_SPLIT_CHUNKS, COSM_SPLIT_WORLDS};
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t workers = i == 0 ? 1 : 2;
        uint64_t n = 1;
        while (n < 400 && refuse_growth(n, 1, splits[i], workers)) {
            (void)refuse_growth(n, UINT64_MAX, splits[i], workers);
            n++;
        }
        CHECK(n > 10 && n < 400);
    }
}

TEST(a_system_is_found_by_its_name_and_ordered_by_it_however_many_came_and_went) {
    enum { COUNT = 300 };
    cosm_engine *engine = cosm_engine_create(NULL);
    cosm_system systems[COUNT];
    char names[COUNT][16];
    for (uint32_t turn = 0; turn < 2; turn++) {
        for (uint32_t i = 0; i < COUNT; i++) {
            (void)snprintf(names[i], sizeof(names[i]), "turn %u", i);
            cosm_system_desc desc = {.name = names[i], .run = no_turn};
            // Every third one mentions the next one, which is not there yet.
            (void)snprintf(names[(i + 1) % COUNT], sizeof(names[0]), "turn %u", (i + 1) % COUNT);
            desc.before[0] = i % 3 == 0 ? names[(i + 1) % COUNT] : NULL;
            systems[i] = cosm_system_define(engine, &desc);
            CHECK(systems[i].id != 0);
            CHECK_INT(cosm_system_find(engine, names[i]).id, systems[i].id);
        }
        // The cycle is found through the names of others alone.
        CHECK_DONE(cosm_system_remove(engine, systems[1]));
        CHECK_INT(cosm_system_find(engine, "turn 1").id, 0);
        cosm_system_desc cycle = {.name = "turn 1", .run = no_turn, .before = {"turn 0"}};
        CHECK_INT(cosm_system_define(engine, &cycle).id, 0);
        CHECK_FAILURE(COSM_ERROR_CONFLICT, "cosm_system_define", "closes a cycle", "remove one");
        for (uint32_t i = 0; i < COUNT; i++) {
            if (i != 1) {
                CHECK_DONE(cosm_system_remove(engine, systems[i]));
            }
        }
    }
    // Nobody mentions anybody any more.
    cosm_system_desc last = {.name = "turn 1", .run = no_turn, .before = {"turn 0"}};
    CHECK(cosm_system_define(engine, &last).id != 0);
    CHECK_DONE(cosm_engine_destroy(engine));
}
