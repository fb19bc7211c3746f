// The command line of the program: what it may say, and what it said.
#ifndef COSM_TOOL_ARGUMENTS_H
#define COSM_TOOL_ARGUMENTS_H

#include "scenes.h"

enum action {
    ACTION_HELP,
    ACTION_VERSION,
    ACTION_LIST,
    ACTION_RUN,
    ACTION_PLAN,
    ACTION_SCHEMA,
    ACTION_SHOW,
};
#define ACTION_COUNT 7

// What the command line asks for. After a failure only `problem` means something.
struct arguments {
    enum action action;
    const scene_desc *scene; // for those from ACTION_RUN on
    bool dot;                // for ACTION_PLAN: print it for Graphviz
    bool json;               // for ACTION_SHOW
    uint32_t world;          // for ACTION_SHOW
    uint32_t row_max;        // for ACTION_SHOW; zero: all
    scene_settings settings; // for ACTION_RUN and ACTION_SHOW
    uint64_t steps;          // likewise
    bool profile;
    const char *trace; // the name of a file; NULL: no trace is wanted
    char problem[256]; // what is wrong, in words for the user
};

// Reads a command line, parts of which `arguments` goes on pointing to. False: it cannot be done as
// asked, and `problem` says why.
bool arguments_parse(struct arguments *arguments, int argc, char *const *argv);

// The words that stand for these on the command line.
const char *arguments_placement(cosm_placement placement);
const char *arguments_split(cosm_split split);

// The text of `cosm --help`.
extern const char arguments_help[];

#endif
