// The command line of the program: what it may say, and what it said.
#ifndef COSM_TOOL_ARGUMENTS_H
#define COSM_TOOL_ARGUMENTS_H

#include "scenes.h"

#ifdef COSM_TOOL_SIM
#include "envs.h"
#else
typedef struct cosm_env_desc cosm_env_desc;
#endif

enum action {
    ACTION_HELP,
    ACTION_VERSION,
    ACTION_LIST,
    ACTION_RUN,
    ACTION_PLAN,
    ACTION_SCHEMA,
    ACTION_SHOW,
    ACTION_RECORD,
    ACTION_SAVE,
    ACTION_REPLAY,
    ACTION_INFO,
    ACTION_DIFF,
    ACTION_DIVERGE,
    ACTION_NEW,
};
#define ACTION_COUNT 14

// What an environment is run with where nothing is said.
#define ENV_WORLDS 4096u
#define ENV_STEPS 1000u
#define ENV_SEED 1u

// Files that a command takes at most.
#define FILE_MAX 2

// What the command line asks for. After a failure only `problem` means something.
struct arguments {
    enum action action;
    const scene_desc *scene;     // for ACTION_RUN to ACTION_SAVE; NULL where ACTION_RUN has
    const cosm_env_desc *env;    // an environment, or
    const char *library;         // the path of a library with one
    const char *files[FILE_MAX]; // for ACTION_RECORD to ACTION_DIVERGE
    const char *name;            // for ACTION_NEW
    const char *dir;             // for ACTION_NEW; NULL: the one we are in
    bool history;                // for ACTION_RECORD
    uint32_t keyframe_steps;     // for ACTION_RECORD; zero: the library's number
    bool dot;                    // for ACTION_PLAN: print it for Graphviz
    bool json;                   // for ACTION_SHOW
    uint32_t world;              // for ACTION_SHOW
    uint32_t row_max;            // for ACTION_SHOW; zero: all
    scene_settings settings;     // for actions that step a scene; of ACTION_REPLAY the engine only
    uint64_t steps;              // likewise
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
