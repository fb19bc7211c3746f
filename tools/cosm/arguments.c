// Reads the command line by one table of options. An option's value follows it as the next word
// or after '='; of an option given twice, the last one counts.
#include "arguments.h"
#include "new.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define STEPS_MAX 1000000000ull
#define ENTITIES_MAX (1ull << 24)   // more than memory has room for, and in the limits of a table
#define MEMORY_MIB_MAX (1ull << 24) // 16 TiB: more than any machine has, and no overflow in bytes
#define WORD_MAX 4u

const char arguments_help[] =
    "cosm runs small simulations of many worlds.\n"
    "\n"
    "usage:\n"
    "  cosm run SCENE [options]   run a scene, then print a summary\n"
    "  cosm run ENVIRONMENT [options]\n"
    "                             run an environment with random actions; by its name, or a library\n"
    "                             by its path, such as ./libwalk.so\n"
    "  cosm new NAME [--dir DIR]  write a folder NAME with an environment of your own: source, test\n"
    "                             and a Python script that trains on it\n"
    "  cosm plan SCENE [--dot]    print in which order the systems of a scene run, and why; this and\n"
    "                             the next two take environments, too\n"
    "  cosm schema SCENE          print what a scene defines, as JSON: components, their fields and\n"
    "                             hashes, singletons, bundles, archetypes\n"
    "  cosm show SCENE [options]  print a world of a scene: its singletons, tables and entities\n"
    "  cosm save SCENE FILE [options]\n"
    "                             run a scene and save its last state\n"
    "  cosm record SCENE FILE [options]\n"
    "                             run a scene and record it, so that it can be run again\n"
    "  cosm replay FILE [--workers N]\n"
    "                             run a recording again and compare every step with it\n"
    "  cosm info FILE             print what is in a saved state or a recording\n"
    "  cosm diff FILE FILE        print what differs between two saved states\n"
    "  cosm diverge FILE FILE     find where two recordings part: step, system, world, entity,\n"
    "                             component and field\n"
    "  cosm list                  list the scenes and the environments\n"
    "  cosm help, --help or -h    print this\n"
    "  cosm --version             print the version\n"
    "\n"
    "options of run, save and record:\n"
    "  --worlds N                 worlds that are stepped together, 1 to 16777216\n"
    "  --entities N               entities that a world begins with, 1 to 16777216, where `cosm\n"
    "                             list` shows a number of them\n"
    "  --steps N                  steps to take, 0 to 1000000000\n"
    "  --seed N                   seed of everything random, 0 to 18446744073709551615 (1)\n"
    "  --placement growing|fixed  how tables are placed in memory\n"
    "  --memory-limit MIB         fail rather than use more memory than this\n"
    "  --workers N                threads that run the systems, 1 to 256 (one per core)\n"
    "  --split auto|worlds|chunks|none\n"
    "                             what is spread over the workers (auto)\n"
    "  --block N                  worlds that a worker takes through a step at a time, 1 to\n"
    "                             16777216 (by cache and cost)\n"
    "  --profile                  print how long the systems took, after the summary\n"
    "  --trace FILE               write what ran when and where, as JSON for chrome://tracing\n"
    "  Environments have neither --entities nor --placement.\n"
    "\n"
    "options of record:\n"
    "  --history                  keep what every step changed, too: any state can be had without\n"
    "                             running a system\n"
    "  --keyframes N              steps between whole states, 1 to 1000000000 (256)\n"
    "\n"
    "option of new:\n"
    "  --dir DIR                  the folder to write it in (the one you are in)\n"
    "\n"
    "option of plan:\n"
    "  --dot                      print a graph for Graphviz instead of text\n"
    "\n"
    "options of show, besides --entities, --seed and --placement:\n"
    "  --steps N                  steps to take before, 0 to 1000000000 (0)\n"
    "  --world N                  which world, 0 to 16777215 (0)\n"
    "  --rows N                   rows of each table to print, 1 to 268435456 (all)\n"
    "  --json                     print it as JSON, all of it\n"
    "\n"
    "A value is the next word or follows '=', as in --worlds=8. What is not given is as `cosm\n"
    "list` shows it. The same scene, worlds, entities, steps and seed give the same hash.\n"
    "Exit codes: 0 done, 1 the run failed or files differ, 2 the command line is wrong.\n";

enum option {
    OPTION_WORLDS,
    OPTION_ENTITIES,
    OPTION_STEPS,
    OPTION_SEED,
    OPTION_PLACEMENT,
    OPTION_MEMORY,
    OPTION_WORKERS,
    OPTION_SPLIT,
    OPTION_BLOCK,
    OPTION_PROFILE,
    OPTION_TRACE,
    OPTION_DOT,
    OPTION_WORLD,
    OPTION_ROWS,
    OPTION_JSON,
    OPTION_HISTORY,
    OPTION_KEYFRAMES,
    OPTION_DIR,
};
#define OPTION_COUNT 18

// Whose option it is: a bit for each action that has it.
#define OF(action) (1u << (action))
#define OF_RUN (OF(ACTION_RUN) | OF(ACTION_SAVE) | OF(ACTION_RECORD))
#define OF_BOTH (OF_RUN | OF(ACTION_SHOW))

enum option_kind {
    KIND_NUMBER, // from minimum to maximum
    KIND_WORD,   // one of words
    KIND_FILE,   // the name of one
    KIND_FOLDER, // likewise
    KIND_FLAG,   // no value
};

struct option_info {
    const char *name;
    uint32_t actions; // OF those that have it
    enum option_kind kind;
    uint64_t minimum;
    uint64_t maximum;
    const char *words[WORD_MAX]; // by the value they stand for
};

static const struct option_info options[OPTION_COUNT] = {
    [OPTION_WORLDS] = {"--worlds", OF_RUN, KIND_NUMBER, 1, COSM_BATCH_WORLD_MAX, {0}},
    [OPTION_ENTITIES] = {"--entities", OF_BOTH, KIND_NUMBER, 1, ENTITIES_MAX, {0}},
    [OPTION_STEPS] = {"--steps", OF_BOTH, KIND_NUMBER, 0, STEPS_MAX, {0}},
    [OPTION_SEED] = {"--seed", OF_BOTH, KIND_NUMBER, 0, UINT64_MAX, {0}},
    [OPTION_PLACEMENT] = {"--placement",
                          OF_BOTH,
                          KIND_WORD,
                          0,
                          0,
                          {[COSM_PLACEMENT_GROWING] = "growing", [COSM_PLACEMENT_FIXED] = "fixed"}},
    [OPTION_MEMORY] = {"--memory-limit", OF_RUN, KIND_NUMBER, 1, MEMORY_MIB_MAX, {0}},
    [OPTION_WORKERS] =
        {"--workers", OF_RUN | OF(ACTION_REPLAY), KIND_NUMBER, 1, COSM_WORKER_MAX, {0}},
    [OPTION_SPLIT] = {"--split",
                      OF_RUN,
                      KIND_WORD,
                      0,
                      0,
                      {[COSM_SPLIT_AUTO] = "auto",
                       [COSM_SPLIT_WORLDS] = "worlds",
                       [COSM_SPLIT_CHUNKS] = "chunks",
                       [COSM_SPLIT_NONE] = "none"}},
    [OPTION_BLOCK] = {"--block", OF_RUN, KIND_NUMBER, 1, COSM_BATCH_WORLD_MAX, {0}},
    [OPTION_PROFILE] = {"--profile", OF_RUN, KIND_FLAG, 0, 0, {0}},
    [OPTION_TRACE] = {"--trace", OF_RUN, KIND_FILE, 0, 0, {0}},
    [OPTION_DOT] = {"--dot", OF(ACTION_PLAN), KIND_FLAG, 0, 0, {0}},
    [OPTION_WORLD] = {"--world", OF(ACTION_SHOW), KIND_NUMBER, 0, COSM_BATCH_WORLD_MAX - 1, {0}},
    [OPTION_ROWS] = {"--rows", OF(ACTION_SHOW), KIND_NUMBER, 1, COSM_TABLE_ROW_MAX, {0}},
    [OPTION_JSON] = {"--json", OF(ACTION_SHOW), KIND_FLAG, 0, 0, {0}},
    [OPTION_HISTORY] = {"--history", OF(ACTION_RECORD), KIND_FLAG, 0, 0, {0}},
    [OPTION_KEYFRAMES] = {"--keyframes", OF(ACTION_RECORD), KIND_NUMBER, 1, STEPS_MAX, {0}},
    [OPTION_DIR] = {"--dir", OF(ACTION_NEW), KIND_FOLDER, 0, 0, {0}},
};

// What was given for the options.
struct given {
    bool is_given[OPTION_COUNT];
    uint64_t value[OPTION_COUNT];   // of numbers and words
    const char *text[OPTION_COUNT]; // of files and folders
};

const char *arguments_placement(cosm_placement placement) {
    return options[OPTION_PLACEMENT].words[placement];
}

const char *arguments_split(cosm_split split) {
    return options[OPTION_SPLIT].words[split];
}

// What the first word of a command is.
enum operand {
    OPERAND_FILE,
    OPERAND_SCENE,
    OPERAND_ANY, // a scene, an environment or the path of a library
    OPERAND_NAME,
};

// The commands that take words: one of these, files, or both.
static const struct command {
    const char *name;
    enum operand operand;
    uint32_t file_count;
} commands[ACTION_COUNT] = {
    [ACTION_RUN] = {"run", OPERAND_ANY, 0},         [ACTION_PLAN] = {"plan", OPERAND_ANY, 0},
    [ACTION_SCHEMA] = {"schema", OPERAND_ANY, 0},   [ACTION_SHOW] = {"show", OPERAND_ANY, 0},
    [ACTION_RECORD] = {"record", OPERAND_SCENE, 1}, [ACTION_SAVE] = {"save", OPERAND_SCENE, 1},
    [ACTION_REPLAY] = {"replay", OPERAND_FILE, 1},  [ACTION_INFO] = {"info", OPERAND_FILE, 1},
    [ACTION_DIFF] = {"diff", OPERAND_FILE, 2},      [ACTION_DIVERGE] = {"diverge", OPERAND_FILE, 2},
    [ACTION_NEW] = {"new", OPERAND_NAME, 0},
};

static const char *action_name(enum action action) {
    return commands[action].name;
}

// The first command that has an option.
static const char *owner_name(uint32_t actions) {
    uint32_t action = 0;
    while ((actions & OF(action)) == 0) {
        action++;
    }
    return commands[action].name;
}

__attribute__((format(printf, 2, 3))) static bool complain(struct arguments *arguments,
                                                           const char *format, ...) {
    va_list list;
    va_start(list, format);
    vsnprintf(arguments->problem, sizeof(arguments->problem), format, list);
    va_end(list);
    return false;
}

static bool is_word(const char *text, const char *word) {
    return strcmp(text, word) == 0;
}

static bool is_help(const char *text) {
    return is_word(text, "--help") || is_word(text, "-h");
}

// Decimal digits and nothing else. False also when the number does not fit 64 bits.
static bool read_number(const char *text, uint64_t *out_number) {
    uint64_t number = 0;
    if (*text == '\0') {
        return false;
    }
    for (; *text != '\0'; text++) {
        if (*text < '0' || *text > '9') {
            return false;
        }
        uint64_t digit = (uint64_t)(*text - '0');
        if (number > (UINT64_MAX - digit) / 10) {
            return false;
        }
        number = number * 10 + digit;
    }
    *out_number = number;
    return true;
}

static bool read_word(struct arguments *arguments, const struct option_info *option,
                      const char *text, uint64_t *out_value) {
    char list[64] = "";
    uint64_t count = 0;
    while (count < WORD_MAX && option->words[count] != NULL) {
        if (is_word(text, option->words[count])) {
            *out_value = count;
            return true;
        }
        count++;
    }
    for (uint64_t i = 0; i < count; i++) {
        const char *join = i == 0 ? "" : i + 1 == count ? " or " : ", ";
        size_t length = strlen(list);
        snprintf(list + length, sizeof(list) - length, "%s%s", join, option->words[i]);
    }
    return complain(arguments, "%s is \"%.40s\"; it can be %s", option->name, text, list);
}

// A word that starts with '-' is more likely the next option than a name.
static bool read_file_name(struct arguments *arguments, const struct option_info *option,
                           const char *text, const char **out_text) {
    if (text[0] == '\0' || text[0] == '-') {
        return complain(arguments,
                        "%s is \"%.40s\"; it must be the name of a %s, with ./ before a name that "
                        "starts with -",
                        option->name, text, option->kind == KIND_FILE ? "file" : "folder");
    }
    *out_text = text;
    return true;
}

static bool read_value(struct arguments *arguments, enum option which, const char *text,
                       struct given *given) {
    const struct option_info *option = &options[which];
    uint64_t *value = &given->value[which];
    if (option->kind == KIND_WORD) {
        return read_word(arguments, option, text, value);
    }
    if (option->kind == KIND_FILE || option->kind == KIND_FOLDER) {
        return read_file_name(arguments, option, text, &given->text[which]);
    }
    if (!read_number(text, value) || *value < option->minimum || *value > option->maximum) {
        return complain(arguments, "%s is \"%.40s\"; it must be a number from %llu to %llu",
                        option->name, text, (unsigned long long)option->minimum,
                        (unsigned long long)option->maximum);
    }
    return true;
}

// The option with this name, or OPTION_COUNT.
static size_t find_option(const char *text, size_t length) {
    size_t i = 0;
    while (i < OPTION_COUNT &&
           (strlen(options[i].name) != length || strncmp(options[i].name, text, length) != 0)) {
        i++;
    }
    return i;
}

// Reads the option at argv[*at], with its value, and moves *at to the last word it took.
static bool read_option(struct arguments *arguments, int argc, char *const *argv, int *at,
                        struct given *given) {
    const char *text = argv[*at];
    const char *equals = strchr(text, '=');
    size_t i = find_option(text, equals != NULL ? (size_t)(equals - text) : strlen(text));
    if (i == OPTION_COUNT) {
        return complain(arguments, "there is no option %.60s", text);
    }
    if ((options[i].actions & OF(arguments->action)) == 0) {
        return complain(arguments, "%s is an option of %s, not of %s", options[i].name,
                        owner_name(options[i].actions), action_name(arguments->action));
    }
    const char *value = equals != NULL ? equals + 1 : NULL;
    given->is_given[i] = true;
    if (options[i].kind == KIND_FLAG) {
        return value == NULL || complain(arguments, "%s takes no value, but is given \"%.40s\"",
                                         options[i].name, value);
    }
    if (value == NULL && *at + 1 < argc) {
        value = argv[++*at];
    }
    if (value == NULL) {
        return complain(arguments, "%s needs a value", options[i].name);
    }
    return read_value(arguments, (enum option)i, value, given);
}

// The names of all scenes, or of those whose number of entities can be chosen.
static void list_scenes(char *names, size_t size, bool only_sized) {
    names[0] = '\0';
    for (uint32_t i = 0; i < scene_count(); i++) {
        size_t length = strlen(names);
        if (!only_sized || scene_at(i)->defaults.entity_count != 0) {
            snprintf(names + length, size - length, "%s%s", length > 0 ? ", " : "",
                     scene_at(i)->name);
        }
    }
}

// The environments there are, by name; without the module `sim` there are none.
static const cosm_env_desc *find_env(const char *name) {
#ifdef COSM_TOOL_SIM
    return scene_env_find(name);
#else
    (void)name;
    return NULL;
#endif
}

static void list_envs(char *names, size_t size) {
    names[0] = '\0';
#ifdef COSM_TOOL_SIM
    for (uint32_t i = 0; i < scene_env_count(); i++) {
        size_t length = strlen(names);
        snprintf(names + length, size - length, "%s%s", length > 0 ? ", " : "",
                 scene_env_at(i)->name);
    }
#else
    (void)size;
#endif
}

// Complains about a scene that is missing or unknown, naming those there are.
static bool complain_of_scene(struct arguments *arguments, const char *name) {
    char scenes[128];
    char envs[64];
    bool is_any = commands[arguments->action].operand == OPERAND_ANY;
    list_scenes(scenes, sizeof(scenes), false);
    list_envs(envs, sizeof(envs));
    const char *join = is_any && envs[0] != '\0' ? "; or an environment: " : "";
    const char *others = is_any ? envs : "";
    if (name == NULL) {
        return complain(arguments, "%s needs a scene: one of %s%s%s",
                        action_name(arguments->action), scenes, join, others);
    }
    if (!is_any && find_env(name) != NULL) {
        return complain(arguments, "%.40s is an environment; %s takes a scene: one of %s", name,
                        action_name(arguments->action), scenes);
    }
    return complain(
        arguments, "there is no scene \"%.40s\"; the scenes are %s%s%s%s", name, scenes, join,
        others, others[0] != '\0' ? "; or a library of yours by its path, as in ./libwalk.so" : "");
}

// A path has a folder in it, or ends as libraries do.
static bool is_library(const char *text) {
    size_t length = strlen(text);
    return strchr(text, '/') != NULL || (length > 3 && is_word(text + length - 3, ".so"));
}

// Finds what the first word of a command names.
static bool find_operand(struct arguments *arguments, const char *text) {
    enum operand operand = commands[arguments->action].operand;
    if (operand == OPERAND_FILE) {
        return true;
    }
    if (operand == OPERAND_NAME) {
        if (text == NULL) {
            return complain(arguments, "new needs a name, as in `cosm new walk`");
        }
        const char *problem = new_name_problem(text);
        arguments->name = text;
        return problem == NULL || complain(arguments, "the name is \"%.40s\"; %s", text, problem);
    }
    arguments->scene = text != NULL ? scene_find(text) : NULL;
    if (text != NULL && operand == OPERAND_ANY && arguments->scene == NULL) {
        arguments->env = find_env(text);
        arguments->library = arguments->env == NULL && is_library(text) ? text : NULL;
    }
    return arguments->scene != NULL || arguments->env != NULL || arguments->library != NULL ||
           complain_of_scene(arguments, text);
}

static bool fill_in(struct arguments *arguments, const struct given *given) {
    scene_settings *settings = &arguments->settings;
    const uint64_t *value = given->value;
    if (arguments->scene != NULL) {
        *settings = arguments->scene->defaults;
        arguments->steps = arguments->scene->default_steps;
    } else if (commands[arguments->action].operand == OPERAND_ANY) {
        if (given->is_given[OPTION_ENTITIES] || given->is_given[OPTION_PLACEMENT]) {
            return complain(arguments, "%s is an option of scenes, not of environments",
                            given->is_given[OPTION_ENTITIES] ? "--entities" : "--placement");
        }
        *settings = (scene_settings){.world_count = ENV_WORLDS, .seed = ENV_SEED};
        arguments->steps = ENV_STEPS;
    }
    if (given->is_given[OPTION_WORLDS]) {
        settings->world_count = (uint32_t)value[OPTION_WORLDS];
    }
    if (given->is_given[OPTION_ENTITIES]) {
        if (settings->entity_count == 0) {
            char names[128];
            list_scenes(names, sizeof(names), true);
            return complain(arguments,
                            "%s has a number of entities of its own; --entities is for %s",
                            arguments->scene->name, names);
        }
        settings->entity_count = (uint32_t)value[OPTION_ENTITIES];
    }
    if (given->is_given[OPTION_STEPS]) {
        arguments->steps = value[OPTION_STEPS];
    }
    if (given->is_given[OPTION_SEED]) {
        settings->seed = value[OPTION_SEED];
    }
    if (given->is_given[OPTION_PLACEMENT]) {
        settings->placement = (cosm_placement)value[OPTION_PLACEMENT];
    }
    // What is not given is zero, which stands for the default of each of these.
    settings->memory_limit = (size_t)(value[OPTION_MEMORY] << 20);
    settings->engine.worker_count = (uint32_t)value[OPTION_WORKERS];
    settings->engine.quiet = true; // the program says itself what failed
    settings->split = (cosm_split)value[OPTION_SPLIT];
    settings->block_worlds = (uint32_t)value[OPTION_BLOCK];
    arguments->profile = given->is_given[OPTION_PROFILE];
    arguments->trace = given->text[OPTION_TRACE];
    arguments->dir = given->text[OPTION_DIR];
    arguments->dot = given->is_given[OPTION_DOT];
    arguments->json = given->is_given[OPTION_JSON];
    arguments->row_max = (uint32_t)value[OPTION_ROWS];
    arguments->history = given->is_given[OPTION_HISTORY];
    arguments->keyframe_steps = (uint32_t)value[OPTION_KEYFRAMES];
    if (arguments->action == ACTION_SHOW) {
        // A world goes its way whatever the number of worlds, so those behind it are not needed.
        arguments->world = (uint32_t)value[OPTION_WORLD];
        settings->world_count = arguments->world + 1;
        arguments->steps = value[OPTION_STEPS];
    }
    return true;
}

// Takes a word that is no option: what the command is about first, where there is that, then files.
static bool read_operand(struct arguments *arguments, const char *text, const char **io_subject,
                         uint32_t *io_file_count) {
    const struct command *command = &commands[arguments->action];
    if (command->operand != OPERAND_FILE && *io_subject == NULL) {
        *io_subject = text;
        return true;
    }
    if (*io_file_count < command->file_count) {
        arguments->files[(*io_file_count)++] = text;
        return true;
    }
    if (command->file_count == 0) {
        return complain(arguments, "%s takes one %s, not \"%.40s\" and \"%.40s\"", command->name,
                        command->operand == OPERAND_NAME ? "name" : "scene", *io_subject, text);
    }
    return complain(arguments, "%s takes %u file%s, and \"%.40s\" is one too many", command->name,
                    command->file_count, command->file_count == 1 ? "" : "s", text);
}

// Reads what follows the word of a command.
static bool read_command(struct arguments *arguments, enum action action, int argc,
                         char *const *argv) {
    struct given given = {0};
    const char *subject = NULL;
    uint32_t file_count = 0;
    arguments->action = action;
    for (int at = 2; at < argc; at++) {
        if (is_help(argv[at])) {
            arguments->action = ACTION_HELP;
            return true;
        }
        bool is_option = argv[at][0] == '-';
        if (is_option ? !read_option(arguments, argc, argv, &at, &given)
                      : !read_operand(arguments, argv[at], &subject, &file_count)) {
            return false;
        }
    }
    if (!find_operand(arguments, subject)) {
        return false;
    }
    if (file_count < commands[action].file_count) {
        return complain(arguments, "%s needs the name of a file%s", action_name(action),
                        commands[action].file_count > 1 ? ", twice" : "");
    }
    return fill_in(arguments, &given);
}

bool arguments_parse(struct arguments *arguments, int argc, char *const *argv) {
    *arguments = (struct arguments){.action = ACTION_HELP};
    if (argc < 2) {
        return complain(arguments,
                        "say what to do: run, new, plan, schema, show, save, record, replay, info, "
                        "diff, diverge, list, help or --version");
    }
    for (uint32_t action = 0; action < ACTION_COUNT; action++) {
        if (commands[action].name != NULL && is_word(argv[1], commands[action].name)) {
            return read_command(arguments, (enum action)action, argc, argv);
        }
    }
    if (is_word(argv[1], "list")) {
        arguments->action = ACTION_LIST;
    } else if (is_word(argv[1], "--version")) {
        arguments->action = ACTION_VERSION;
    } else if (!is_help(argv[1]) && !is_word(argv[1], "help")) {
        return complain(arguments,
                        "there is no command \"%.40s\"; there are run, new, plan, schema, show, "
                        "save, record, replay, info, diff, diverge, list and help",
                        argv[1]);
    }
    if (argc > 2) {
        return complain(arguments, "nothing may follow %s, but \"%.40s\" does", argv[1], argv[2]);
    }
    return true;
}
