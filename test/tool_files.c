// The program cosm and its files: saved states and recordings, made, replayed, compared.
#define _XOPEN_SOURCE 700
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct outcome {
    int code;
    char text[16384]; // both streams
};

// Files of one test, in a directory of their own.
static char place[64];

static void open_place(void) {
    snprintf(place, sizeof(place), "/tmp/cosm-tool-XXXXXX");
    REQUIRE(mkdtemp(place) != NULL);
}

static void close_place(void) {
    char line[128];
    snprintf(line, sizeof(line), "rm -rf '%s'", place);
    CHECK_INT(system(line), 0);
}

// Runs the program in that directory.
static void run(struct outcome *outcome, const char *arguments) {
    const char *path = getenv("COSM_PROGRAM");
    char program[4096];
    char *whole = realpath(path != NULL ? path : "../bin/cosm", NULL);
    REQUIRE(whole != NULL);
    snprintf(program, sizeof(program), "%s", whole);
    free(whole);
    char line[8192];
    snprintf(line, sizeof(line), "cd '%s' && '%s' %s 2>&1", place, program, arguments);
    *outcome = (struct outcome){.code = -1};
    FILE *pipe = popen(line, "r");
    REQUIRE(pipe != NULL);
    size_t length = fread(outcome->text, 1, sizeof(outcome->text) - 1, pipe);
    outcome->text[length] = '\0';
    int status = pclose(pipe);
    REQUIRE(WIFEXITED(status));
    outcome->code = WEXITSTATUS(status);
}

static void check_run(const char *arguments, int code, const char *part) {
    struct outcome outcome;
    run(&outcome, arguments);
    CHECK_INT(outcome.code, code);
    CHECK_CONTAINS(outcome.text, part);
}

TEST(a_recording_replays_with_any_number_of_workers_and_diverges_from_another_one) {
    open_place();
    check_run("record falling a.rec --worlds 5 --steps 40 --seed 3 --keyframes 16", 0,
              "steps      40");
    check_run("replay a.rec", 0, "40 steps");
    check_run("replay a.rec --workers 2", 0, "every hash is as recorded");
    check_run("info a.rec", 0, "scene falling");
    check_run("record falling b.rec --worlds 5 --steps 40 --seed 3 --history --placement fixed", 0,
              "steps      40");
    check_run("diverge a.rec b.rec", 0, "no divergence");
    check_run("record falling c.rec --worlds 5 --steps 40 --seed 4 --history", 0, "steps      40");
    check_run("diverge b.rec c.rec", 1, "step");
    close_place();
}

TEST(saved_states_are_described_and_compared) {
    open_place();
    check_run("save boids a.cosm --worlds 2 --steps 10", 0, "steps      10");
    check_run("save boids b.cosm --worlds 2 --steps 10 --workers 2", 0, "steps      10");
    check_run("save boids c.cosm --worlds 2 --steps 11", 0, "steps      11");
    check_run("info a.cosm", 0, "Position");
    check_run("diff a.cosm b.cosm", 0, "no difference");
    check_run("diff a.cosm c.cosm", 1, "changed entity");
    close_place();
}

TEST(files_that_are_none_are_refused_with_words) {
    open_place();
    check_run("info nowhere.cosm", 1, "nowhere.cosm");
    check_run("replay nowhere.rec", 1, "nowhere.rec");
    check_run("diff nowhere.cosm nowhere.cosm", 1, "nowhere.cosm");
    check_run("save grid /nowhere/at/all.cosm --worlds 1 --steps 1", 1, "/nowhere/at/all.cosm");
    check_run("save grid a.cosm --worlds 1 --steps 1", 0, "hash");
    check_run("replay a.cosm", 1, "a.cosm");
    check_run("diverge a.cosm a.cosm", 1, "a.cosm");
    check_run("record grid", 2, "needs the name of a file");
    check_run("diff a.cosm", 2, "needs the name of a file, twice");
    check_run("replay a.cosm b.cosm", 2, "one too many");
    check_run("info a.cosm --steps 4", 2, "--steps is an option of");
    check_run("run grid --history", 2, "--history is an option of record");
    close_place();
}
