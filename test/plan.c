// The plan: checking it, and printing it as text and as a graph (cosm/system.h).
#define _DEFAULT_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "support/fixture.h"

struct page {
    char text[16384];
    size_t length;
    uint32_t pieces;
    cosm_engine *engine;
};

static void write_page(void *context, const char *text, size_t length) {
    struct page *page = context;
    // Printing may ask the engine something.
    CHECK(page->engine == NULL || cosm_engine_describe(page->engine).phase_count > 0);
    page->pieces++;
    if (page->length + length < sizeof(page->text)) {
        memcpy(page->text + page->length, text, length);
        page->length += length;
        page->text[page->length] = '\0';
    }
}

static const char *print_plan(cosm_engine *engine, cosm_plan_format format) {
    static struct page page;
    memset(&page, 0, sizeof(page));
    page.engine = engine;
    CHECK_DONE(cosm_plan_print(engine, format, write_page, &page));
    return page.text;
}

static void no_rows(cosm_rows *rows) {
    (void)rows;
}

static void no_turn(const cosm_turn *turn) {
    (void)turn;
}

static void define_game(struct fixture *box) {
    cosm_engine *engine = box->engine;
    cosm_singleton score =
        cosm_singleton_define(engine, &(cosm_singleton_desc){.name = "score", .size = 4});
    cosm_system_desc descs[] = {
        {.name = "read keys", .phase = COSM_PHASE_INPUT, .run = no_turn, .main_thread = true},
        {.name = "fall",
         .each = no_rows,
         .queries = {{.terms = {{.component = box->velocity, .access = COSM_ACCESS_WRITE}}}}},
        {.name = "move",
         .each = no_rows,
         .queries = {{.terms = {{.component = box->position, .access = COSM_ACCESS_WRITE},
                                {.component = box->velocity}}}}},
        {.name = "heal",
         .each = no_rows,
         .queries = {{.terms = {{.component = box->health, .access = COSM_ACCESS_WRITE}}}}},
        {.name = "count score",
         .run = no_turn,
         .singletons = {{score, COSM_ACCESS_WRITE}},
         .rank = 3,
         .every = 2},
        {.name = "spawn \"things\"", .run = no_turn, .commands = true, .after = {"heal"}},
        {.name = "clean up", .run = no_turn, .exclusive = true, .rank = 9, .disabled = true},
    };
    for (size_t i = 0; i < sizeof(descs) / sizeof(descs[0]); i++) {
        CHECK(cosm_system_define(engine, &descs[i]).id != 0);
    }
}

TEST(a_plan_prints_its_phases_stages_and_the_reasons_of_its_order) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    define_game(&box);
    CHECK_STR(print_plan(box.engine, COSM_PLAN_TEXT),
              "phase input, per frame: 1 systems\n"
              "  stage 1\n"
              "    first\n"
              "      read keys: run; main thread\n"
              "phase simulation, fixed: 6 systems\n"
              "  stage 1\n"
              "    side by side\n"
              "      fall: each; writes Velocity; splits\n"
              "      heal: each; writes Health; splits\n"
              "      count score: run; writes singleton score; rank 3; every 2\n"
              "    side by side\n"
              "      move: each; writes Position; reads Velocity; splits\n"
              "      spawn \"things\": run; commands\n"
              "  stage 2, after a sync point at 'clean up'\n"
              "    first\n"
              "      clean up: run; exclusive; disabled; rank 9\n"
              "  order\n"
              "    fall -> move: both touch Velocity\n"
              "    heal -> spawn \"things\": declared\n"
              "    count score -> clean up: sync point\n"
              "phase render, per frame: 0 systems\n");
    fixture_close(&box);
}

TEST(a_plan_prints_as_a_graph) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    define_game(&box);
    CHECK_STR(print_plan(box.engine, COSM_PLAN_DOT),
              "digraph plan {\n"
              "  rankdir=LR;\n"
              "  node [shape=box];\n"
              "  subgraph cluster_1 {\n"
              "    label=\"input\";\n"
              "    s1 [label=\"read keys\", shape=doubleoctagon];\n"
              "  }\n"
              "  subgraph cluster_2 {\n"
              "    label=\"simulation\";\n"
              "    s2 [label=\"fall\"];\n"
              "    s3 [label=\"move\"];\n"
              "    s4 [label=\"heal\"];\n"
              "    s6 [label=\"spawn \\\"things\\\"\"];\n"
              "    s5 [label=\"count score\"];\n"
              "    s7 [label=\"clean up\"];\n"
              "  }\n"
              "  subgraph cluster_3 {\n"
              "    label=\"render\";\n"
              "  }\n"
              "  s2 -> s3 [label=\"both touch Velocity\"];\n"
              "  s4 -> s6 [label=\"declared\"];\n"
              "  s5 -> s7 [label=\"sync point\", style=bold];\n"
              "  s1 -> s2 [label=\"next phase\", style=dashed];\n"
              "}\n");
    fixture_close(&box);
}

// Names that mean something to a graph must not.
TEST(graphviz_accepts_a_graph_with_odd_names) {
    if (system("command -v dot >/dev/null 2>&1") != 0) {
        printf("skipped, no graphviz ");
        return;
    }
    struct fixture box;
    fixture_open(&box, 0, 1);
    define_game(&box);
    cosm_component odd = cosm_component_define(
        box.engine, &(cosm_component_desc){.name = "odd \"\\ ]; name\n", .size = 4});
    static const char *const names[] = {"a \"quoted\\\" name", "a [name];{}->\nof two lines"};
    for (uint32_t i = 0; i < 2; i++) {
        cosm_system_desc desc = {
            .name = names[i],
            .each = no_rows,
            .queries = {{.terms = {{.component = odd, .access = COSM_ACCESS_WRITE}}}}};
        CHECK(cosm_system_define(box.engine, &desc).id != 0);
    }
    FILE *dot = popen("dot -Tsvg -o /dev/null 2>&1", "w");
    REQUIRE(dot != NULL);
    fputs(print_plan(box.engine, COSM_PLAN_DOT), dot);
    CHECK_INT(pclose(dot), 0);
    fixture_close(&box);
}

// Every quote of a graph that is not escaped closes one that was opened on the same line.
TEST(names_in_a_graph_are_quoted_wherever_they_stand) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_component odd = cosm_component_define(
        box.engine, &(cosm_component_desc){.name = "an \"odd\" one", .size = 4});
    for (uint32_t i = 0; i < 2; i++) {
        cosm_system_desc desc = {
            .name = i == 0 ? "a" : "b",
            .each = no_rows,
            .queries = {{.terms = {{.component = odd, .access = COSM_ACCESS_WRITE}}}}};
        CHECK(cosm_system_define(box.engine, &desc).id != 0);
    }
    CHECK_CONTAINS(print_plan(box.engine, COSM_PLAN_DOT),
                   "[label=\"both touch an \\\"odd\\\" one\"]");
    fixture_close(&box);
}

TEST(a_plan_of_nothing_prints_its_phases) {
    cosm_engine *engine = cosm_engine_create(NULL);
    CHECK_DONE(cosm_plan_check(engine));
    CHECK_STR(print_plan(engine, COSM_PLAN_TEXT), "phase input, per frame: 0 systems\n"
                                                  "phase simulation, fixed: 0 systems\n"
                                                  "phase render, per frame: 0 systems\n");
    CHECK_DONE(cosm_engine_destroy(engine));
}

TEST(names_of_full_length_are_printed_whole) {
    cosm_engine *engine = cosm_engine_create(NULL);
    char name[COSM_NAME_LENGTH_MAX + 1];
    memset(name, 'n', COSM_NAME_LENGTH_MAX);
    name[COSM_NAME_LENGTH_MAX] = '\0';
    char other[COSM_NAME_LENGTH_MAX + 1];
    memset(other, 'o', COSM_NAME_LENGTH_MAX);
    other[COSM_NAME_LENGTH_MAX] = '\0';
    cosm_system_desc desc = {.name = name, .run = no_turn};
    CHECK(cosm_system_define(engine, &desc).id != 0);
    desc = (cosm_system_desc){.name = other, .run = no_turn, .after = {name}};
    CHECK(cosm_system_define(engine, &desc).id != 0);
    char line[320];
    (void)snprintf(line, sizeof(line), "    %s -> %s: declared\n", name, other);
    CHECK_CONTAINS(print_plan(engine, COSM_PLAN_TEXT), line);
    CHECK_DONE(cosm_engine_destroy(engine));
}

TEST(a_plan_follows_what_is_defined_removed_and_switched_off) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_system_desc desc = {.name = "first", .run = no_turn};
    cosm_system first = cosm_system_define(box.engine, &desc);
    CHECK_CONTAINS(print_plan(box.engine, COSM_PLAN_TEXT), "      first: run\n");
    CHECK_DONE(cosm_system_enable(box.engine, first, false));
    CHECK_CONTAINS(print_plan(box.engine, COSM_PLAN_TEXT), "      first: run; disabled\n");
    CHECK_DONE(cosm_system_remove(box.engine, first));
    CHECK_CONTAINS(print_plan(box.engine, COSM_PLAN_TEXT), "phase simulation, fixed: 0 systems\n");
    CHECK(cosm_phase_define(box.engine, &(cosm_phase_desc){.name = "late"}).id != 0);
    CHECK_CONTAINS(print_plan(box.engine, COSM_PLAN_TEXT), "phase late, fixed: 0 systems\n");
    fixture_close(&box);
}

TEST(systems_that_cannot_meet_in_a_row_stand_side_by_side) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_system_desc descs[] = {
        {.name = "marked",
         .each = no_rows,
         .queries = {{.terms = {{.component = box.position, .access = COSM_ACCESS_WRITE},
                                {.component = box.mark, .access = COSM_ACCESS_WRITE}}}}},
        {.name = "unmarked",
         .each = no_rows,
         .queries = {{.terms = {{.component = box.position, .access = COSM_ACCESS_WRITE},
                                {.component = box.mark, .kind = COSM_TERM_WITHOUT}}}}},
        {.name = "any of them",
         .each = no_rows,
         .queries = {{.terms = {{.component = box.position, .access = COSM_ACCESS_WRITE}}}}},
    };
    for (uint32_t i = 0; i < 3; i++) {
        CHECK(cosm_system_define(box.engine, &descs[i]).id != 0);
    }
    const char *text = print_plan(box.engine, COSM_PLAN_TEXT);
    CHECK_CONTAINS(text, "    side by side\n      marked: ");
    CHECK(strstr(text, "marked -> unmarked") == NULL);
    CHECK_CONTAINS(text, "    unmarked -> any of them: both touch Position\n");
    fixture_close(&box);
}

TEST(wrong_arguments_of_a_plan_are_reported) {
    cosm_engine *engine = cosm_engine_create(NULL);
    struct page page = {.length = 0};
    CHECK_FAILS(cosm_plan_check(NULL), COSM_ERROR_ARGUMENT, "cosm_plan_check:", "engine is NULL",
                "cosm_engine_create");
    CHECK_FAILS(cosm_plan_print(NULL, COSM_PLAN_TEXT, write_page, &page), COSM_ERROR_ARGUMENT,
                "cosm_plan_print:", "engine is NULL", "pass both");
    CHECK_FAILS(cosm_plan_print(engine, COSM_PLAN_TEXT, NULL, &page), COSM_ERROR_ARGUMENT,
                "cosm_plan_print:", "write is NULL", "pass both");
    CHECK_FAILS(cosm_plan_print(engine, (cosm_plan_format)2, write_page, &page),
                COSM_ERROR_ARGUMENT, "cosm_plan_print:", "format 2", "cosm_plan_format");
    CHECK_INT(page.pieces, 0);
    CHECK_DONE(cosm_engine_destroy(engine));
}

TEST(an_unknown_name_is_found_by_checking_printing_and_stepping) {
    struct fixture box;
    fixture_open(&box, 0, 1);
    cosm_system_desc desc = {.name = "late", .run = no_turn, .after = {"early"}};
    CHECK(cosm_system_define(box.engine, &desc).id != 0);
    struct page page = {.length = 0};
    CHECK_FAILS(cosm_plan_check(box.engine), COSM_ERROR_ARGUMENT, "cosm_plan_check:", "'early'",
                "define it");
    CHECK_FAILS(cosm_plan_print(box.engine, COSM_PLAN_TEXT, write_page, &page), COSM_ERROR_ARGUMENT,
                "cosm_plan_print:", "'early'", "define it");
    CHECK_INT(page.pieces, 0);
    CHECK_FAILS(cosm_batch_step(box.batch), COSM_ERROR_ARGUMENT, "cosm_batch_step:", "'early'",
                "define it");
    CHECK_INT(cosm_batch_step_count(box.batch), 0);
    CHECK(!cosm_batch_is_running(box.batch));
    desc = (cosm_system_desc){.name = "early", .run = no_turn};
    CHECK(cosm_system_define(box.engine, &desc).id != 0);
    CHECK_DONE(cosm_plan_check(box.engine));
    CHECK_DONE(cosm_batch_step(box.batch));
    CHECK_CONTAINS(print_plan(box.engine, COSM_PLAN_TEXT), "    early -> late: declared\n");
    fixture_close(&box);
}
