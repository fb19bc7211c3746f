// The command line of the program: what it may say, and what it said.
#ifndef COSM_TOOL_ARGUMENTS_H
#define COSM_TOOL_ARGUMENTS_H

#include "scenes.h"

enum action { ACTION_HELP, ACTION_VERSION, ACTION_LIST, ACTION_RUN };

// What the command line asks for. After a failure only `problem` means something.
struct arguments {
    enum action action;
    const scene_desc *scene; // this and what follows for ACTION_RUN only
    scene_settings settings;
    uint64_t steps;
    char problem[256]; // what is wrong, in words for the user
};

// Reads a command line. False: it cannot be done as asked, and `problem` says why.
bool arguments_parse(struct arguments *arguments, int argc, char *const *argv);

// The text of `cosm --help`.
extern const char arguments_help[];

#endif
