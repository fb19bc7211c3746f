// The program cosm on a terminal and without one: progress of runs that take long, and pictures.
#define _XOPEN_SOURCE 700
#include "harness.h"
#include "support/program.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static unsigned count_of(const char *text, const char *part) {
    unsigned count = 0;
    for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part)) {
        count++;
    }
    return count;
}

#define ARGUMENT_MAX 16

// Starts the program with `errors` for its error stream, and what it prints thrown away. The words
// of `arguments` have a space between them; `setting` is NAME=VALUE for its environment.
static void start(pid_t *out_child, const char *arguments, const char *setting, int errors) {
    char words[256];
    char *argv[ARGUMENT_MAX + 1] = {"cosm"};
    int count = 1;
    snprintf(words, sizeof(words), "%s", arguments);
    for (char *word = strtok(words, " "); word != NULL && count < ARGUMENT_MAX;
         word = strtok(NULL, " ")) {
        argv[count++] = word;
    }
    *out_child = fork();
    REQUIRE(*out_child >= 0);
    if (*out_child == 0) {
        int nowhere = open("/dev/null", O_WRONLY);
        setenv("TERM", "xterm", 1);
        setenv("LC_ALL", "C.UTF-8", 1);
        unsetenv("NO_COLOR");
        putenv(strdup(setting));
        dup2(nowhere, STDOUT_FILENO);
        dup2(errors, STDERR_FILENO);
        execv(program_path(), argv);
        _exit(127);
    }
}

// Reads until the other end is closed or, where `until` is given, has written that much text.
static void read_text(struct outcome *outcome, int from, const char *until) {
    size_t length = 0;
    ssize_t got = 0;
    // Of a terminal the read fails when the program has closed its end.
    while ((got = read(from, outcome->text + length, sizeof(outcome->text) - 1 - length)) > 0) {
        length += (size_t)got;
        outcome->text[length] = '\0';
        if (until != NULL && strstr(outcome->text, until) != NULL) {
            return;
        }
    }
}

// Both ends of a terminal, or of a pipe.
static void open_ends(bool is_terminal, int *out_ours, int *out_theirs) {
    int ends[2];
    if (!is_terminal) {
        REQUIRE(pipe(ends) == 0);
        *out_ours = ends[0];
        *out_theirs = ends[1];
        return;
    }
    *out_ours = posix_openpt(O_RDWR | O_NOCTTY);
    REQUIRE(*out_ours >= 0 && grantpt(*out_ours) == 0 && unlockpt(*out_ours) == 0);
    *out_theirs = open(ptsname(*out_ours), O_RDWR | O_NOCTTY);
    REQUIRE(*out_theirs >= 0);
}

// Runs the program to its end, or to where it has written `until`.
static void run_on(struct outcome *outcome, bool is_terminal, const char *arguments,
                   const char *setting, const char *until) {
    int ours = -1;
    int theirs = -1;
    *outcome = (struct outcome){.code = -1};
    open_ends(is_terminal, &ours, &theirs);
    pid_t child = -1;
    start(&child, arguments, setting, theirs);
    REQUIRE(child > 0);
    close(theirs);
    read_text(outcome, ours, until);
    if (until != NULL) {
        kill(child, SIGKILL);
    }
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child);
    outcome->code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    close(ours);
}

TEST(a_short_run_shows_no_progress) {
    struct outcome outcome;
    for (int is_terminal = 0; is_terminal < 2; is_terminal++) {
        run_on(&outcome, is_terminal != 0, "run falling --worlds 1 --steps 3", "A=b", NULL);
        CHECK_INT(outcome.code, 0);
        CHECK_STR(outcome.text, "");
        run_on(&outcome, is_terminal != 0, "run falling --worlds 1 --steps 0", "A=b", NULL);
        CHECK_INT(outcome.code, 0);
        CHECK_STR(outcome.text, "");
    }
}

// These runs have no end: they are ended here, as soon as they say what they should.
TEST(a_long_run_shows_progress_as_a_bar_on_a_terminal_and_as_lines_elsewhere) {
    static const char endless[] = "run falling --worlds 1 --steps 1000000000";
    struct outcome outcome;
    run_on(&outcome, true, endless, "A=b", "world-steps/s");
    CHECK_CONTAINS(outcome.text, "\r[");
    CHECK_CONTAINS(outcome.text, "] step ");
    CHECK_CONTAINS(outcome.text, " of 1000000000, 0 %, ");
    CHECK_INT(count_of(outcome.text, "\n"), 0);
    run_on(&outcome, false, endless, "A=b", "world-steps/s\n");
    CHECK_INT(strncmp(outcome.text, "step ", 5), 0);
    CHECK_CONTAINS(outcome.text, " of 1000000000, 0 %, ");
    CHECK_INT(count_of(outcome.text, "\r") + count_of(outcome.text, "\033"), 0);
}

TEST(watching_draws_a_world_in_place_on_a_terminal) {
    struct outcome outcome;
    run_on(&outcome, true, "run grid --worlds 9 --steps 3 --watch --world 8", "A=b", NULL);
    CHECK_INT(outcome.code, 0);
    CHECK_CONTAINS(outcome.text, "\xE2\x96\x80");
    CHECK_CONTAINS(outcome.text, "\033[38;5;");
    CHECK_CONTAINS(outcome.text, "grid, world 8 of 9, step 0 of 3, ");
    CHECK_CONTAINS(outcome.text, "grid, world 8 of 9, step 3 of 3, ");
    // Sixteen lines of cells and the status: the next picture is drawn over them.
    CHECK_CONTAINS(outcome.text, "\033[17A\r");
    CHECK_INT(count_of(outcome.text, "\n") % 17, 0);
    CHECK_INT(count_of(outcome.text, "\r["), 0);
}

TEST(watching_does_without_colours_and_without_unicode) {
    struct outcome outcome;
    run_on(&outcome, true, "run boids --worlds 1 --steps 1 --watch", "NO_COLOR=1", NULL);
    CHECK_INT(outcome.code, 0);
    CHECK_INT(count_of(outcome.text, "\033[38;5;"), 0);
    CHECK_CONTAINS(outcome.text, "boids, world 0 of 1, step 1 of 1, ");
    run_on(&outcome, true, "run boids --worlds 1 --steps 1 --watch", "LC_ALL=C", NULL);
    CHECK_INT(outcome.code, 0);
    CHECK_INT(count_of(outcome.text, "\xE2"), 0);
    CHECK_CONTAINS(outcome.text, "\033[38;5;");
}

TEST(without_a_terminal_watching_prints_the_summary_alone) {
    struct outcome outcome;
    run_on(&outcome, false, "run grid --worlds 9 --steps 100 --watch", "A=b", NULL);
    CHECK_INT(outcome.code, 0);
    CHECK_STR(outcome.text, "");
    run_on(&outcome, true, "run grid --worlds 9 --steps 100 --watch", "TERM=dumb", NULL);
    CHECK_INT(outcome.code, 0);
    CHECK_INT(count_of(outcome.text, "\033"), 0);
    program_run(&outcome, "run grid --worlds 9 --steps 100 --watch", "2>&1");
    CHECK_INT(count_of(outcome.text, "\033"), 0);
    CHECK_CONTAINS(outcome.text, "scene      grid\n");
}

TEST(every_scene_can_be_watched) {
    static const char *const scenes[] = {"falling", "grid", "boids", "swarm --entities 500"};
    struct outcome outcome;
    for (size_t i = 0; i < sizeof(scenes) / sizeof(scenes[0]); i++) {
        char line[128];
        snprintf(line, sizeof(line), "run %s --worlds 2 --steps 2 --watch", scenes[i]);
        run_on(&outcome, true, line, "A=b", NULL);
        CHECK_INT(outcome.code, 0);
        CHECK_CONTAINS(outcome.text, "step 2 of 2, ");
        // Something stands out from the background.
        CHECK(count_of(outcome.text, "\033[38;5;") > 2 * count_of(outcome.text, "\n"));
    }
}
