// How to go on with a new game or environment: the commands, as they work on this machine.
#ifndef COSM_TOOL_HOWTO_H
#define COSM_TOOL_HOWTO_H

#include <stdbool.h>
#include <stdio.h>

// A path as a word of the shell: each byte may become four.
#define HOWTO_PATH_SIZE 4096
#define HOWTO_WORD_SIZE (4 * HOWTO_PATH_SIZE)

// Words of the shell, quoted where they must be.
struct howto {
    char option[HOWTO_WORD_SIZE];  // what tells CMake where Cosm is, with a space before it; or ""
    char called[HOWTO_WORD_SIZE];  // the program, as it was called
    char program[HOWTO_WORD_SIZE]; // the program, from any folder
    char package[HOWTO_WORD_SIZE]; // a line that builds the Python package; "": it is there
    char python[HOWTO_WORD_SIZE];  // a Python with the package, and what it needs to find it
    bool is_game;                  // else an environment
    bool is_tree;                  // the program is one of a build folder, not an installed one
    bool has_python;               // `python` will do, once `package` was run
};

// Finds out; `called` is the program's argv[0]. For an environment it asks the Pythons that there
// are, which takes a moment.
void howto_find(struct howto *howto, const char *called, bool is_game);

// Prints the commands for what is called `name` in `folder`, one a line, each behind two spaces.
void howto_print(const struct howto *howto, const char *folder, const char *name, FILE *out);

#endif
