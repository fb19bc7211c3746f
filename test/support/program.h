// The program cosm, run through the shell, and a directory of its own for a test that makes files.
#ifndef COSM_TEST_PROGRAM_H
#define COSM_TEST_PROGRAM_H

// What a run came to.
struct outcome {
    int code;
    char text[65536]; // both streams, in the order in which they were written
};

// Where the program is: COSM_PROGRAM names it; by default it is where the build puts it.
const char *program_path(void);

// Runs the program from where the test is; `redirect` says what becomes of its streams.
void program_run(struct outcome *outcome, const char *arguments, const char *redirect);

// A directory for one test.
void program_open_place(void);
void program_close_place(void);

// Runs a line of the shell in that directory, both streams together; $cosm is the program.
void program_run_in_place(struct outcome *outcome, const char *command);

// Checks how such a line ends, and that what it prints contains `part`.
void check_program(const char *file, int line, const char *command, int code, const char *part);
#define CHECK_PROGRAM(command, code, part)                                                         \
    check_program(__FILE__, __LINE__, (command), (code), (part))

#endif
