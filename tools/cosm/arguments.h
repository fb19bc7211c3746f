// The command line of the program: what it asks for.
#ifndef COSM_TOOL_ARGUMENTS_H
#define COSM_TOOL_ARGUMENTS_H

#include "commands.h"
#include "envs.h"
#include "scenes.h"

// What an environment is run with where nothing is said.
#define ENV_WORLDS 4096u
#define ENV_STEPS 1000u
#define ENV_SEED 1u

// Files that a command takes at most.
#define FILE_MAX 2

// What is run: one of these is not NULL.
struct choice {
    const scene_desc *scene;
    const cosm_env_desc *env;
    const char *library; // the path of one with an environment
};

// What the command line asks for. After a failure only `problem` and `action` mean something.
struct arguments {
    enum action action;
    enum action topic;           // for ACTION_HELP: a command, or ACTION_COUNT for all
    struct choice choice;        // for commands whose operand is a scene
    const char *files[FILE_MAX]; // for commands that take files
    const char *name;            // for ACTION_NEW
    const char *dir;             // for ACTION_NEW; NULL: the current folder
    bool game;                   // for ACTION_NEW
    bool history;                // for ACTION_RECORD
    uint32_t keyframe_steps;     // for ACTION_RECORD; zero: the library's number
    bool dot;                    // for ACTION_PLAN: print it for Graphviz
    bool json;                   // for ACTION_SHOW
    bool watch;                  // for ACTION_RUN
    uint32_t world;              // for ACTION_SHOW, and ACTION_RUN with `watch`
    uint32_t row_max;            // for ACTION_SHOW; zero: all
    scene_settings settings;     // for actions that step a scene; of ACTION_REPLAY the engine only
    uint64_t steps;              // likewise
    bool profile;
    const char *trace; // the name of a file; NULL: no trace is wanted
    char problem[256]; // what is wrong, in words for the user
};

// Reads a command line, parts of which `arguments` goes on pointing to. False: it cannot be done as
// asked, and `problem` says why; `topic` is the command whose help would help.
bool arguments_parse(struct arguments *arguments, int argc, char *const *argv);

// The words that stand for these on the command line.
const char *arguments_placement(cosm_placement placement);
const char *arguments_split(cosm_split split);

// The environment of that name; NULL: none has it, or the program was built without the module sim.
const cosm_env_desc *arguments_find_env(const char *name);

#endif
