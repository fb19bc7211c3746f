// The child process runs the program and sends its result through a pipe. A child that ends
// without one has crashed. What it prints is thrown away, since shrinking crashes many times.
#define _DEFAULT_SOURCE
#include "isolate.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void run_child(run_fn *run, const struct model_program *program,
                      const struct model_options *options, int to_parent) {
    struct model_result result;
    if (!options->trace) {
        int nowhere = open("/dev/null", O_WRONLY);
        if (nowhere >= 0) {
            (void)dup2(nowhere, STDERR_FILENO);
        }
    }
    run(program, options, &result);
    ssize_t sent = write(to_parent, &result, sizeof(result));
    _exit(sent == (ssize_t)sizeof(result) ? 0 : 3);
}

void run_isolated(run_fn *run, const struct model_program *program,
                  const struct model_options *options, struct model_result *result) {
    int ends[2];
    if (options->trace) {
        fflush(options->trace);
    }
    if (pipe(ends) != 0) {
        perror("model: pipe");
        exit(2);
    }
    pid_t child = fork();
    if (child < 0) {
        perror("model: fork");
        exit(2);
    }
    if (child == 0) {
        (void)close(ends[0]);
        run_child(run, program, options, ends[1]);
    }
    (void)close(ends[1]);
    ssize_t got = read(ends[0], result, sizeof(*result));
    (void)close(ends[0]);
    int status = 0;
    (void)waitpid(child, &status, 0);
    if (got != (ssize_t)sizeof(*result)) {
        memset(result, 0, sizeof(*result));
        result->failed = true;
        result->operation = program->count;
        snprintf(result->text, sizeof(result->text), "the run crashed: %s %d",
                 WIFSIGNALED(status) ? "signal" : "exit code",
                 WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    }
}
