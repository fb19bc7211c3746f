// The program cosm: what it prints and how it ends, for command lines that are right and for many
// that are not.
#define _XOPEN_SOURCE 700
#include "harness.h"
#include "support/program.h"

#include <cosm/cosm.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void run(struct outcome *outcome, const char *arguments) {
    program_run(outcome, arguments, "2>&1");
}

// Checks that a command line is refused, with words that contain `reason`.
static void check_refused(const char *arguments, const char *reason) {
    struct outcome outcome;
    run(&outcome, arguments);
    CHECK_INT(outcome.code, 2);
    CHECK_CONTAINS(outcome.text, "cosm: ");
    CHECK_CONTAINS(outcome.text, reason);
    CHECK_CONTAINS(outcome.text, "Try `cosm ");
    CHECK_CONTAINS(outcome.text, "--help`.\n");
    program_run(&outcome, arguments, "2>/dev/null");
    CHECK_STR(outcome.text, "");
}

static const char *line_of(const struct outcome *outcome, const char *head) {
    const char *at = strstr(outcome->text, head);
    return at != NULL ? at : "";
}

static unsigned count_of(const char *text, const char *part) {
    unsigned count = 0;
    for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part)) {
        count++;
    }
    return count;
}

TEST(help_lists_the_commands_a_line_each) {
    struct outcome outcome;
    program_run(&outcome, "--help", "2>/dev/null");
    CHECK_INT(outcome.code, 0);
    CHECK_CONTAINS(outcome.text, "\n  run        run a scene or an environment");
    CHECK_CONTAINS(outcome.text, "\n  diverge    ");
    CHECK_CONTAINS(outcome.text, "`cosm COMMAND --help`");
    CHECK_CONTAINS(outcome.text, "Exit codes: 0 done, 1 ");
    CHECK_INT(count_of(outcome.text, "  --"), 0);
    CHECK(count_of(outcome.text, "\n") < 24);
    static const char *const others[] = {"help", "-h"};
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        struct outcome other;
        program_run(&other, others[i], "2>/dev/null");
        CHECK_INT(other.code, 0);
        CHECK_STR(other.text, outcome.text);
    }
    static const char *const versions[] = {"--version", "version"};
    for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++) {
        run(&outcome, versions[i]);
        CHECK_INT(outcome.code, 0);
        CHECK_STR(outcome.text, "cosm " COSM_VERSION "\n");
    }
}

// Checks that all of these command lines print the help of a command, and returns it in `outcome`.
static void read_help(struct outcome *outcome, const char *command) {
    struct outcome other;
    for (int i = 0; i < 3; i++) {
        char line[64];
        snprintf(line, sizeof(line), i == 0 ? "%s --help" : i == 1 ? "%s -h" : "help %s", command);
        program_run(i == 0 ? outcome : &other, line, "2>/dev/null");
        CHECK_INT(i == 0 ? outcome->code : other.code, 0);
        CHECK_STR(i == 0 ? outcome->text : other.text, outcome->text);
    }
    char head[64];
    snprintf(head, sizeof(head), "usage: cosm %s", command);
    CHECK_CONTAINS(outcome->text, head);
    CHECK_CONTAINS(outcome->text, "\nexample:\n  cosm ");
}

TEST(the_help_of_a_command_is_about_that_command_only) {
    struct outcome outcome;
    read_help(&outcome, "run");
    CHECK_CONTAINS(outcome.text, "\n  --placement growing|fixed  ");
    CHECK_CONTAINS(outcome.text, "\n  --trace FILE ");
    CHECK_CONTAINS(outcome.text, "\n  --watch ");
    CHECK_CONTAINS(outcome.text, "18446744073709551615");
    CHECK_INT(count_of(outcome.text, "--dot"), 0);
    CHECK_INT(count_of(outcome.text, "--history"), 0);
    CHECK_INT(count_of(outcome.text, "\n  --steps "), 1);
    read_help(&outcome, "plan");
    CHECK_CONTAINS(outcome.text, "\n  --dot ");
    CHECK_INT(count_of(outcome.text, "\n  --"), 1);
    read_help(&outcome, "record");
    CHECK_CONTAINS(outcome.text, "\n  --keyframes N ");
    read_help(&outcome, "new");
    CHECK_CONTAINS(outcome.text, "\n  --game ");
    CHECK_CONTAINS(outcome.text, "(this is the");
    read_help(&outcome, "diff");
    CHECK_CONTAINS(outcome.text, "usage: cosm diff FILE FILE\n");
    CHECK_INT(count_of(outcome.text, "options"), 0);
    run(&outcome, "run grid --worlds 3 -h");
    CHECK_CONTAINS(outcome.text, "usage: cosm run");
}

TEST(no_line_of_help_is_wider_than_a_terminal) {
    static const char *const commands[] = {"run",  "new",    "list",   "show", "plan",
                                           "save", "record", "replay", "diff", "schema"};
    struct outcome outcome;
    for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
        read_help(&outcome, commands[i]);
        for (const char *line = outcome.text; *line != '\0';) {
            size_t length = strcspn(line, "\n");
            CHECK(length <= 80);
            line += length + (line[length] != '\0' ? 1 : 0);
        }
    }
}

TEST(a_word_that_is_nearly_right_gets_the_right_one_in_reply) {
    check_refused("rnu", "no command \"rnu\"; did you mean run?\nTry `cosm --help`.");
    check_refused("rec", "did you mean record?");
    check_refused("help shwo", "no command \"shwo\"; did you mean show?");
    check_refused("run grd", "no scene \"grd\"; did you mean grid?");
    check_refused("show boid", "did you mean boids?");
    check_refused("run grid --wolds 3", "run has no option --wolds; did you mean --worlds?");
    check_refused("run grid --wolds=3", "did you mean --worlds?\nTry `cosm run --help`.");
    check_refused("run grid --step 3", "did you mean --steps?");
    check_refused("run grid --mem 3", "did you mean --memory-limit?");
    check_refused("plan grid --dto", "did you mean --dot?");
    // A wrong option is compared with those of its command, and with nothing that is far away.
    check_refused("plan grid --wolds", "plan has no option --wolds\n");
    check_refused("run grid -w", "run has no option -w\n");
    check_refused("run grid --", "run has no option --\n");
}

TEST(every_command_of_the_help_has_a_section_in_the_manual) {
    const char *root = getenv("COSM_SOURCE_DIR");
    char path[4096];
    snprintf(path, sizeof(path), "%s/docs/manual/program.md", root != NULL ? root : "../../..");
    static char page[65536];
    FILE *file = fopen(path, "rb");
    REQUIRE(file != NULL);
    page[fread(page, 1, sizeof(page) - 1, file)] = '\0';
    fclose(file);
    struct outcome outcome;
    program_run(&outcome, "--help", "2>/dev/null");
    unsigned count = 0;
    for (const char *at = strstr(outcome.text, "\n  "); at != NULL; at = strstr(at + 1, "\n  ")) {
        char word[32] = "";
        char heading[64];
        sscanf(at, " %31[a-z]", word);
        snprintf(heading, sizeof(heading), "\n## cosm %s\n", word);
        if (word[0] != '\0') {
            CHECK_CONTAINS(page, heading);
            count++;
        }
    }
    CHECK_INT(count, 14);
}

TEST(list_names_every_scene) {
    struct outcome outcome;
    run(&outcome, "list");
    CHECK_INT(outcome.code, 0);
    CHECK_CONTAINS(outcome.text, "falling ");
    CHECK_CONTAINS(outcome.text, "grid ");
    CHECK_CONTAINS(outcome.text, "boids ");
    CHECK_CONTAINS(outcome.text, "swarm ");
    CHECK_CONTAINS(outcome.text, "--worlds 4096 --steps");
    CHECK_CONTAINS(outcome.text, "--worlds 1 --entities 200000 --steps");
}

TEST(a_command_line_that_asks_for_nothing_or_for_something_unknown_is_refused) {
    check_refused("", "a command is missing; try `cosm run grid`");
    check_refused("walk", "no command \"walk\"; the commands are run, new, list, show");
    check_refused("list grid", "list takes no argument, but is given \"grid\"");
    check_refused("list --worlds 3", "--worlds is an option of run, not of list");
    check_refused("--help me", "--help takes no argument, but is given \"me\"");
    check_refused("help me", "no command \"me\"");
    check_refused("help run show", "help takes one command, not \"run\" and \"show\"");
    check_refused("run", "needs a scene: one of falling, grid, boids, swarm");
    check_refused("run moon", "no scene \"moon\"; the scenes are falling, grid, boids, swarm");
    check_refused("run ''", "no scene \"\"");
    check_refused("run grid boids", "one scene");
    check_refused("run grid --colour", "run has no option --colour");
    check_refused("run grid --world 3", "--world is the world that --watch draws; add --watch");
    check_refused("run grid --worlds 3 --world 3 --watch", "with 3 worlds it can be 0 to 2");
    check_refused("run grid -x", "no option -x");
    check_refused("run grid --placement loose",
                  "--placement is \"loose\"; it can be growing or fixed");
    check_refused("run grid --split", "--split needs a value");
    check_refused("run grid --split rows", "is \"rows\"; it can be auto, worlds, chunks or none");
    check_refused("run grid --split=", "--split is \"\"");
    check_refused("run grid --profile=yes", "--profile takes no value, but is given \"yes\"");
    check_refused("run grid --profile yes", "one scene, not \"grid\" and \"yes\"");
    check_refused("run grid --trace", "--trace needs a value");
    check_refused("run grid --trace=", "--trace is \"\"; it must be the name of a file");
    check_refused("run grid --trace --profile", "--trace is \"--profile\"; it must be the name");
    check_refused("run grid --dot", "--dot is an option of plan, not of run");
    check_refused("new walk --game --env", "new takes --game or --env, not both");
}

TEST(a_plan_that_is_asked_for_wrongly_is_refused) {
    check_refused("plan", "plan needs a scene: one of falling, grid, boids, swarm");
    check_refused("plan moon", "no scene \"moon\"");
    check_refused("plan grid boids", "plan takes one scene");
    check_refused("plan grid --worlds 3", "--worlds is an option of run, not of plan");
    check_refused("plan grid --dot=1", "--dot takes no value, but is given \"1\"");
    check_refused("plan grid --colour", "no option --colour");
}

TEST(a_plan_shows_systems_in_their_order_as_text_or_as_a_graph) {
    struct outcome outcome;
    program_run(&outcome, "plan grid", "2>&1");
    CHECK_INT(outcome.code, 0);
    CHECK_CONTAINS(outcome.text, "phase simulation, fixed: 5 systems\n");
    CHECK_CONTAINS(outcome.text, "sync point at 'digest'");
    CHECK_CONTAINS(outcome.text, "roam -> vanish: both record commands");
    CHECK(strstr(outcome.text, "roam: ") < strstr(outcome.text, "grow: "));
    program_run(&outcome, "plan --dot swarm", "2>&1");
    CHECK_INT(outcome.code, 0);
    CHECK_INT(strncmp(outcome.text, "digraph", 7), 0);
    CHECK_CONTAINS(outcome.text, "label=\"drift\"");
    CHECK_INT(count_of(outcome.text, "{"), count_of(outcome.text, "}"));
}

TEST(what_is_shown_of_a_scene_is_asked_for_by_its_own_options) {
    check_refused("schema", "schema needs a scene");
    check_refused("schema grid --json", "--json is an option of show, not of schema");
    check_refused("show grid --worlds 3", "--worlds is an option of run, not of show");
    check_refused("show grid --world 16777216", "a number from 0 to 16777215");
    check_refused("show grid --rows 0", "a number from 1 to 268435456");
    check_refused("show falling --entities 3", "falling has a fixed number of entities");
}

#ifdef COSM_TEST_TEXT
TEST(a_schema_shows_what_a_scene_defines_as_json) {
    struct outcome outcome;
    program_run(&outcome, "schema boids", "2>&1");
    CHECK_INT(outcome.code, 0);
    CHECK_CONTAINS(outcome.text, "\"Acceleration\"");
    CHECK_CONTAINS(outcome.text, "m/s2");
    CHECK_CONTAINS(outcome.text, "\"doc\": \"Where something is.\"");
    CHECK_CONTAINS(outcome.text, "\"Bins\"");
    CHECK_INT(count_of(outcome.text, "{"), count_of(outcome.text, "}"));
    struct outcome again;
    program_run(&again, "schema boids", "2>&1");
    CHECK_STR(again.text, outcome.text);
}

TEST(list_schema_show_and_run_agree_on_the_placement) {
    struct outcome outcome;
    program_run(&outcome, "list", "2>&1");
    CHECK_CONTAINS(line_of(&outcome, "falling "), "--seed 1 --placement fixed\ngrid ");
    program_run(&outcome, "schema falling", "2>&1");
    CHECK_INT(count_of(outcome.text, "\"placement\": \"fixed\", \"max_per_world\": 32"), 2);
    CHECK_INT(count_of(outcome.text, "growing"), 0);
    program_run(&outcome, "show falling", "2>&1");
    CHECK_CONTAINS(outcome.text, "32 rows of 32, fixed");
    program_run(&outcome, "run falling --worlds 1 --steps 1", "2>/dev/null");
    CHECK_CONTAINS(outcome.text, "1, fixed placement");
    program_run(&outcome, "schema falling --placement growing", "2>&1");
    CHECK_INT(count_of(outcome.text, "\"placement\": \"growing\""), 2);
    program_run(&outcome, "schema swarm --placement fixed --entities 7", "2>&1");
    CHECK_CONTAINS(outcome.text, "\"max_per_world\": 7,");
}

TEST(a_world_is_shown_as_text_or_as_json) {
    struct outcome outcome;
    program_run(&outcome, "show falling --steps 3 --world 2 --rows 2", "2>&1");
    CHECK_INT(outcome.code, 0);
    CHECK_CONTAINS(outcome.text, "Position {x: ");
    CHECK_CONTAINS(outcome.text, "in motion");
    program_run(&outcome, "show swarm --entities 3 --json", "2>&1");
    CHECK_INT(outcome.code, 0);
    CHECK_INT(count_of(outcome.text, "\"Life\""), 3);
    CHECK_INT(count_of(outcome.text, "{"), count_of(outcome.text, "}"));
}
#else
TEST(what_needs_the_module_text_is_refused_without_it) {
    struct outcome outcome;
    run(&outcome, "schema boids");
    CHECK_INT(outcome.code, 1);
    CHECK_CONTAINS(outcome.text, "built without the module `text`");
}
#endif

TEST(a_number_that_is_none_or_is_out_of_range_is_refused) {
    check_refused("run grid --worlds", "--worlds needs a value");
    check_refused("run grid --steps", "--steps needs a value");
    check_refused("run --seed", "--seed needs a value");
    check_refused("run grid --placement", "--placement needs a value");
    check_refused("run grid --worlds many", "a number from 1 to 16777216");
    check_refused("run grid --worlds 0", "--worlds is \"0\"");
    check_refused("run grid --worlds 16777217", "--worlds is \"16777217\"");
    check_refused("run grid --worlds=", "--worlds is \"\"");
    check_refused("run grid --worlds -1", "--worlds is \"-1\"");
    check_refused("run grid --worlds 1e3", "--worlds is \"1e3\"");
    check_refused("run grid --worlds ' 3'", "--worlds is \" 3\"");
    check_refused("run grid --steps 1000000001", "a number from 0 to 1000000000");
    check_refused("run grid --steps 99999999999999999999999", "a number from 0");
    check_refused("run grid --seed 18446744073709551616", "to 18446744073709551615");
    check_refused("run grid --memory-limit 0", "a number from 1");
    check_refused("run grid --workers", "--workers needs a value");
    check_refused("run grid --workers 0", "--workers is \"0\"; it must be a number from 1 to 256");
    check_refused("run grid --workers 257", "--workers is \"257\"");
    check_refused("run grid --block 0", "--block is \"0\"; it must be a number from 1 to 16777216");
    check_refused("run swarm --entities 0", "--entities is \"0\"");
    check_refused("run swarm --entities 16777217", "a number from 1 to 16777216");
    check_refused("run grid --entities 9", "grid has a fixed number of entities; --entities "
                                           "is for swarm");
}

TEST(a_run_ends_with_a_summary_on_standard_output) {
    struct outcome outcome;
    program_run(&outcome, "run grid --worlds 3 --steps 20 --seed 5", "2>/dev/null");
    CHECK_INT(outcome.code, 0);
    CHECK_CONTAINS(outcome.text, "scene      grid\n");
    CHECK_CONTAINS(outcome.text, "worlds     3, growing placement, seed 5\n");
    CHECK_CONTAINS(outcome.text, "workers    ");
    CHECK_CONTAINS(outcome.text, ", split auto\n");
    CHECK_CONTAINS(outcome.text, "steps      20 in ");
    CHECK_CONTAINS(outcome.text, " world-steps/s\n");
    CHECK_CONTAINS(outcome.text, "entities   ");
    CHECK_CONTAINS(outcome.text, "memory     ");
    CHECK_CONTAINS(outcome.text, " per world\n");
    const char *hash = line_of(&outcome, "hash       ");
    CHECK_INT(strlen(hash), strlen("hash       ") + 17);
    CHECK_INT(strspn(hash + strlen("hash       "), "0123456789abcdef"), 16);
    program_run(&outcome, "run swarm --entities 50 --steps 3 --workers 3 --split chunks",
                "2>/dev/null");
    CHECK_INT(outcome.code, 0);
    CHECK_CONTAINS(outcome.text, "worlds     1, growing placement, seed 1\n");
    CHECK_CONTAINS(outcome.text, "workers    3, split chunks\n");
}

TEST(a_part_of_a_run_has_the_worlds_that_the_whole_has) {
    struct outcome whole;
    struct outcome part;
    struct outcome other;
    static const char *const scenes[] = {"grid", "boids", "falling"};
    for (size_t i = 0; i < sizeof(scenes) / sizeof(scenes[0]); i++) {
        char line[128];
        (void)snprintf(line, sizeof(line), "show %s --steps 20 --world 3 --json", scenes[i]);
        program_run(&whole, line, "2>/dev/null");
        (void)snprintf(line, sizeof(line), "show %s --steps 20 --world-first 2 --world 1 --json",
                       scenes[i]);
        program_run(&part, line, "2>/dev/null");
        CHECK_INT(whole.code, 0);
        CHECK_INT(part.code, 0);
        CHECK_STR(part.text, whole.text);
        (void)snprintf(line, sizeof(line), "show %s --steps 20 --world 1 --json", scenes[i]);
        program_run(&other, line, "2>/dev/null");
        CHECK(strcmp(other.text, whole.text) != 0);
    }
    program_run(&whole, "run grid --worlds 2 --steps 20", "2>/dev/null");
    program_run(&part, "run grid --worlds 2 --steps 20 --step-first 7", "2>/dev/null");
    CHECK_INT(part.code, 0);
    CHECK_CONTAINS(part.text, "steps      20 in ");
    CHECK(strcmp(line_of(&part, "hash"), line_of(&whole, "hash")) != 0);
    check_refused("run grid --step-first 1099511627776", "to 1099511627775");
}

TEST(a_profile_is_a_table_behind_the_summary) {
    struct outcome outcome;
    program_run(&outcome, "run grid --worlds 3 --steps 20 --workers 2 --profile", "2>/dev/null");
    CHECK_INT(outcome.code, 0);
    CHECK_CONTAINS(outcome.text, " per world, the profile included\n");
    const char *table = line_of(&outcome, "\n\nphase, system");
    CHECK(line_of(&outcome, "hash") < table);
    CHECK_CONTAINS(table, "\nsimulation ");
    CHECK_CONTAINS(table, "\n  digest ");
    CHECK_INT(count_of(outcome.text, "\ntrace "), 0);
    program_run(&outcome, "run grid --worlds 3 --steps 0 --profile", "2>/dev/null");
    CHECK_INT(outcome.code, 0);
    CHECK_CONTAINS(outcome.text, "\n\nphase, system");
}

// Where a trace goes that nobody looks at. The file is made by the program and removed here.
#define TRACE_FILE "tool_test_trace.json"

TEST(a_trace_goes_to_its_file) {
    struct outcome outcome;
    program_run(&outcome, "run boids --worlds 2 --steps 3 --trace " TRACE_FILE, "2>/dev/null");
    CHECK_INT(outcome.code, 0);
    CHECK_CONTAINS(outcome.text, "trace      " TRACE_FILE ", 0 events dropped\n");
    CHECK_INT(count_of(outcome.text, "phase, system"), 0);
    static char text[65536];
    FILE *file = fopen(TRACE_FILE, "rb");
    REQUIRE(file != NULL);
    text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
    fclose(file);
    remove(TRACE_FILE);
    CHECK(text[0] == '{' || text[0] == '[');
    CHECK_CONTAINS(text, "\"steer\"");
    CHECK_CONTAINS(text, "\"sort out\"");
}

TEST(a_trace_that_is_longer_than_there_is_room_for_says_so) {
    struct outcome outcome;
    // Three systems, 100 blocks, 3,500 steps: 1,050,000 turns.
    program_run(&outcome,
                "run falling --worlds 100 --steps 3500 --split worlds --workers 1 --block 1 "
                "--trace /dev/null",
                "2>/dev/null");
    CHECK_INT(outcome.code, 0);
    CHECK_CONTAINS(outcome.text, " events dropped: use fewer steps, or larger blocks\n");
}

TEST(a_trace_that_cannot_be_written_is_a_failure) {
    struct outcome outcome;
    run(&outcome, "run boids --worlds 2 --steps 3 --trace no_such_directory/trace.json");
    CHECK_INT(outcome.code, 1);
    CHECK_STR(outcome.text,
              "cosm: the trace \"no_such_directory/trace.json\" cannot be written; choose a "
              "writable file in a directory that exists\n");
    if (access("/dev/full", W_OK) == 0) {
        run(&outcome, "run boids --worlds 2 --steps 3 --trace /dev/full");
        CHECK_INT(outcome.code, 1);
        CHECK_CONTAINS(outcome.text, "cosm: the trace \"/dev/full\" could not be written; is the "
                                     "disk full?\n");
    }
}

TEST(the_hash_depends_on_scene_worlds_steps_and_seed_and_not_on_how_they_are_run) {
    static const char *const same[] = {
        "run grid --worlds 4 --steps 30 --seed 18446744073709551615",
        "run --seed 18446744073709551615 --steps=30 --worlds=4 grid",
        "run grid --worlds 9 --worlds 4 --steps 30 --seed 18446744073709551615",
        "run grid --worlds 4 --steps 30 --seed 18446744073709551615 --placement fixed",
        "run grid --worlds 4 --steps 30 --seed 18446744073709551615 --placement=growing",
        "run grid --worlds 4 --steps 30 --seed 18446744073709551615 --memory-limit 500",
        "run grid --worlds 4 --steps 30 --seed 18446744073709551615 --workers 1",
        "run grid --worlds 4 --steps 30 --seed 18446744073709551615 --workers 3 --split worlds",
        "run grid --worlds 4 --steps 30 --seed 18446744073709551615 --workers 2 --split=chunks",
        "run grid --worlds 4 --steps 30 --seed 18446744073709551615 --split none --block 3",
    };
    static const char *const others[] = {
        "run grid --worlds 4 --steps 30 --seed 1",
        "run grid --worlds 5 --steps 30 --seed 18446744073709551615",
        "run grid --worlds 4 --steps 31 --seed 18446744073709551615",
        "run grid --worlds 4 --steps 0 --seed 18446744073709551615",
        "run boids --worlds 4 --steps 30 --seed 18446744073709551615",
        "run falling --worlds 4 --steps 30 --seed 18446744073709551615",
    };
    struct outcome first;
    run(&first, same[0]);
    CHECK_INT(first.code, 0);
    struct outcome outcome;
    for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++) {
        run(&outcome, same[i]);
        CHECK_INT(outcome.code, 0);
        CHECK_STR(line_of(&outcome, "hash"), line_of(&first, "hash"));
    }
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        run(&outcome, others[i]);
        CHECK_INT(outcome.code, 0);
        CHECK(strcmp(line_of(&outcome, "hash"), line_of(&first, "hash")) != 0);
    }
}

TEST(a_run_that_fails_says_why_and_ends_with_1) {
    struct outcome outcome;
    run(&outcome, "run boids --worlds 1000 --memory-limit 1");
    CHECK_INT(outcome.code, 1);
    CHECK_CONTAINS(outcome.text, "cosm: the scene boids cannot be set up: cosm_");
    CHECK_CONTAINS(outcome.text, "\ncosm: raise --memory-limit, which is 1 MiB, or");
    // The trace wants 40 MB of the same memory.
    run(&outcome, "run boids --worlds 10 --memory-limit 8 --trace /dev/null");
    CHECK_INT(outcome.code, 1);
    CHECK_CONTAINS(outcome.text, "cosm: the scene boids cannot be set up: cosm_profile_create");
    CHECK_CONTAINS(outcome.text, "\ncosm: raise --memory-limit, which is 8 MiB, or");
}

TEST(output_that_cannot_be_written_is_a_failure) {
    if (access("/dev/full", W_OK) == 0) {
        struct outcome outcome;
        program_run(&outcome, "list", "2>&1 >/dev/full");
        CHECK_INT(outcome.code, 1);
        CHECK_CONTAINS(outcome.text, "could not be written");
    }
}
