// Runs of the program cosm: see program.h.
#define _XOPEN_SOURCE 700
#include "support/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness.h"

static char place[64];

const char *program_path(void) {
    const char *path = getenv("COSM_PROGRAM");
    return path != NULL ? path : "../bin/cosm";
}

static void run_line(struct outcome *outcome, const char *line) {
    *outcome = (struct outcome){.code = -1};
    FILE *pipe = popen(line, "r");
    REQUIRE(pipe != NULL);
    size_t length = fread(outcome->text, 1, sizeof(outcome->text) - 1, pipe);
    outcome->text[length] = '\0';
    int status = pclose(pipe);
    REQUIRE(WIFEXITED(status));
    outcome->code = WEXITSTATUS(status);
}

void program_run(struct outcome *outcome, const char *arguments, const char *redirect) {
    char line[8192];
    snprintf(line, sizeof(line), "'%s' %s %s", program_path(), arguments, redirect);
    run_line(outcome, line);
}

void program_open_place(void) {
    snprintf(place, sizeof(place), "/tmp/cosm-tool-XXXXXX");
    REQUIRE(mkdtemp(place) != NULL);
}

void program_close_place(void) {
    char line[128];
    snprintf(line, sizeof(line), "rm -rf '%s'", place);
    CHECK_INT(system(line), 0);
}

void program_run_in_place(struct outcome *outcome, const char *command) {
    char *whole = realpath(program_path(), NULL);
    REQUIRE(whole != NULL);
    char line[8192];
    snprintf(line, sizeof(line), "cd '%s' && cosm='%s' && { %s; } 2>&1", place, whole, command);
    free(whole);
    run_line(outcome, line);
}

void check_program(const char *file, int line, const char *command, int code, const char *part) {
    struct outcome outcome;
    program_run_in_place(&outcome, command);
    bool is_good = outcome.code == code && strstr(outcome.text, part) != NULL;
    if (!harness_check(file, line, command, is_good)) {
        fprintf(stderr, "ended with %d, not %d; printed, in which \"%s\" was to be:\n%s\n",
                outcome.code, code, part, outcome.text);
    }
}
