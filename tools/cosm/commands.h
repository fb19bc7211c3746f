// The commands and the options of the program, in two tables. Reading the command line, help and
// "did you mean" all go by them.
#ifndef COSM_TOOL_COMMANDS_H
#define COSM_TOOL_COMMANDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// In the order in which `cosm --help` lists them.
enum action {
    ACTION_RUN,
    ACTION_NEW,
    ACTION_LIST,
    ACTION_SHOW,
    ACTION_PLAN,
    ACTION_SCHEMA,
    ACTION_SAVE,
    ACTION_RECORD,
    ACTION_REPLAY,
    ACTION_INFO,
    ACTION_DIFF,
    ACTION_DIVERGE,
    ACTION_HELP,
    ACTION_VERSION,
};
#define ACTION_COUNT 14

// What the first word after a command is.
enum operand {
    OPERAND_NONE,
    OPERAND_SCENE, // a scene, an environment or the path of a library
    OPERAND_NAME,
    OPERAND_COMMAND,
};

struct command {
    const char *name;
    const char *usage;   // what follows the name
    const char *summary; // one line
    const char *about;   // what else its help says; NULL: nothing
    const char *example; // a line, or several
    enum operand operand;
    uint32_t file_count; // files that it needs, after the operand
};

extern const struct command commands[ACTION_COUNT];

enum option {
    OPTION_WORLDS,
    OPTION_ENTITIES,
    OPTION_STEPS,
    OPTION_SHOW_STEPS,
    OPTION_SEED,
    OPTION_WORLD_FIRST,
    OPTION_STEP_FIRST,
    OPTION_PLACEMENT,
    OPTION_WATCH,
    OPTION_WATCH_WORLD,
    OPTION_SHOW_WORLD,
    OPTION_ROWS,
    OPTION_JSON,
    OPTION_DOT,
    OPTION_HISTORY,
    OPTION_KEYFRAMES,
    OPTION_WORKERS,
    OPTION_SPLIT,
    OPTION_BLOCK,
    OPTION_MEMORY,
    OPTION_PROFILE,
    OPTION_TRACE,
    OPTION_GAME,
    OPTION_ENV,
    OPTION_DIR,
};
#define OPTION_COUNT 25

enum option_kind {
    KIND_NUMBER, // from minimum to maximum
    KIND_WORD,   // one of words
    KIND_FILE,   // the name of one
    KIND_FOLDER, // likewise
    KIND_FLAG,   // no value
};

#define WORD_MAX 4u

struct option_info {
    const char *name;
    uint32_t actions; // OF those that have it
    enum option_kind kind;
    uint64_t minimum;
    uint64_t maximum;
    const char *words[WORD_MAX]; // by the value they stand for
    const char *value;           // what help calls its value; NULL: by its kind
    const char *summary;
    const char *standard; // what it is where it is not given; NULL: the summary says so
};

// The bit of an action.
#define OF(action) (1u << (action))

// Two rows have the same name where an option does not mean the same in all commands.
extern const struct option_info options[OPTION_COUNT];

static inline bool command_has(enum action action, size_t option) {
    return (options[option].actions & OF(action)) != 0;
}

#endif
