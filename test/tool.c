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
    CHECK_CONTAINS(outcome.text, "cosm --help");
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

TEST(help_and_version_are_printed_on_request) {
    struct outcome outcome;
    program_run(&outcome, "--help", "2>/dev/null");
    CHECK_INT(outcome.code, 0);
    CHECK_CONTAINS(outcome.text, "cosm run SCENE");
    CHECK_CONTAINS(outcome.text, "--placement");
    CHECK_CONTAINS(outcome.text, "-h ");
    CHECK_CONTAINS(outcome.text, "--worlds=8");
    CHECK_CONTAINS(outcome.text, "0 to 18446744073709551615");
    CHECK_CONTAINS(outcome.text, "cosm plan SCENE");
    CHECK_CONTAINS(outcome.text, "--trace FILE");
    static const char *const others[] = {"help",    "-h",         "run grid --help", "run -h",
                                         "plan -h", "new --help", "new walk -h"};
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        struct outcome other;
        program_run(&other, others[i], "2>/dev/null");
        CHECK_INT(other.code, 0);
        CHECK_STR(other.text, outcome.text);
    }
    run(&outcome, "--version");
    CHECK_INT(outcome.code, 0);
    CHECK_STR(outcome.text, "cosm " COSM_VERSION "\n");
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
    for (const char *at = strstr(outcome.text, "\n  cosm "); at != NULL;
         at = strstr(at + 1, "\n  cosm ")) {
        char word[32] = "";
        char heading[64];
        sscanf(at, " cosm %31[a-z]", word);
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
    check_refused("", "run, new, plan, schema, show");
    check_refused("walk", "no command \"walk\"; there are run, new, plan, schema, show");
    check_refused("list grid", "nothing may follow list");
    check_refused("--help me", "nothing may follow --help");
    check_refused("help me", "nothing may follow help");
    check_refused("run", "needs a scene: one of falling, grid, boids, swarm");
    check_refused("run moon", "no scene \"moon\"; the scenes are falling, grid, boids, swarm");
    check_refused("run ''", "no scene \"\"");
    check_refused("run grid boids", "one scene");
    check_refused("run grid --colour", "no option --colour");
    check_refused("run grid --world 3", "--world is an option of show, not of run");
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
    check_refused("show falling --entities 3", "falling has a number of entities of its own");
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
    check_refused("run grid --entities 9", "grid has a number of entities of its own; --entities "
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
    CHECK_CONTAINS(outcome.text, " events dropped: take fewer steps, or larger blocks\n");
}

TEST(a_trace_that_cannot_be_written_is_a_failure) {
    struct outcome outcome;
    run(&outcome, "run boids --worlds 2 --steps 3 --trace no_such_directory/trace.json");
    CHECK_INT(outcome.code, 1);
    CHECK_STR(outcome.text,
              "cosm: the trace \"no_such_directory/trace.json\" cannot be written; name a file "
              "that you may write to, in a directory that exists\n");
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

TEST(without_a_terminal_progress_is_ten_plain_lines) {
    struct outcome outcome;
    program_run(&outcome, "run falling --worlds 2 --steps 1000", "2>&1 >/dev/null");
    CHECK_INT(outcome.code, 0);
    CHECK_INT(count_of(outcome.text, "\n"), 10);
    CHECK_INT(count_of(outcome.text, "step "), 10);
    CHECK_CONTAINS(outcome.text, "step 1000 of 1000, 100 %, ");
    CHECK_INT(count_of(outcome.text, "\r"), 0);
    program_run(&outcome, "run falling --worlds 2 --steps 0", "2>&1 >/dev/null");
    CHECK_STR(outcome.text, "");
}

// Runs the program with a terminal for its error stream and reads what it draws there.
static void run_on_terminal(struct outcome *outcome, const char *kind) {
    *outcome = (struct outcome){.code = -1};
    int terminal = posix_openpt(O_RDWR | O_NOCTTY);
    REQUIRE(terminal >= 0 && grantpt(terminal) == 0 && unlockpt(terminal) == 0);
    int other_end = open(ptsname(terminal), O_RDWR | O_NOCTTY);
    REQUIRE(other_end >= 0);
    pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        int nowhere = open("/dev/null", O_WRONLY);
        setenv("TERM", kind, 1);
        dup2(nowhere, STDOUT_FILENO);
        dup2(other_end, STDERR_FILENO);
        execl(program_path(), "cosm", "run", "falling", "--worlds", "2", "--steps", "50",
              (char *)NULL);
        _exit(127);
    }
    close(other_end);
    size_t length = 0;
    ssize_t got = 0;
    // The read fails when the program has closed its end.
    while ((got = read(terminal, outcome->text + length, sizeof(outcome->text) - 1 - length)) > 0) {
        length += (size_t)got;
    }
    outcome->text[length] = '\0';
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status));
    outcome->code = WEXITSTATUS(status);
    close(terminal);
}

TEST(on_a_terminal_progress_is_a_bar) {
    struct outcome outcome;
    run_on_terminal(&outcome, "xterm");
    CHECK_INT(outcome.code, 0);
    CHECK_CONTAINS(outcome.text, "\r[################################] step 50 of 50, 100 %, ");
    CHECK_INT(count_of(outcome.text, "\n"), 1);
    run_on_terminal(&outcome, "dumb");
    CHECK_INT(outcome.code, 0);
    CHECK_INT(count_of(outcome.text, "["), 0);
    CHECK_INT(count_of(outcome.text, "\n"), 10);
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
