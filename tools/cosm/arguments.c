// Reads the command line by the tables of commands.h. An option's value follows it as the next word
// or after '='; of an option given twice, the last one counts.
#include "arguments.h"
#include "help.h"
#include "new.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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

static const char *action_name(enum action action) {
    return commands[action].name;
}

// The first command that has an option.
static const char *owner_name(size_t option) {
    size_t action = 0;
    while (!command_has((enum action)action, option)) {
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
    for (uint64_t i = 0; i < WORD_MAX && option->words[i] != NULL; i++) {
        if (is_word(text, option->words[i])) {
            *out_value = i;
            return true;
        }
    }
    char list[64];
    help_words(option, ", ", " or ", list, sizeof(list));
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

// The option with this name: that of the command, or else that of another one, or OPTION_COUNT.
static size_t find_option(enum action action, const char *name) {
    size_t found = OPTION_COUNT;
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        if (is_word(options[i].name, name) && (found == OPTION_COUNT || command_has(action, i))) {
            found = i;
        }
    }
    return found;
}

static bool complain_of_option(struct arguments *arguments, const char *name) {
    struct guess guess = guess_begin(name);
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        if (command_has(arguments->action, i)) {
            guess_consider(&guess, options[i].name);
        }
    }
    return complain(arguments, "%s has no option %.60s%s%s%s", action_name(arguments->action), name,
                    guess.best != NULL ? "; did you mean " : "",
                    guess.best != NULL ? guess.best : "", guess.best != NULL ? "?" : "");
}

// Reads the option at argv[*at], with its value, and moves *at to the last word it took.
static bool read_option(struct arguments *arguments, int argc, char *const *argv, int *at,
                        struct given *given) {
    char name[64];
    const char *text = argv[*at];
    const char *equals = strchr(text, '=');
    size_t length = equals != NULL ? (size_t)(equals - text) : strlen(text);
    snprintf(name, sizeof(name), "%.*s", length < sizeof(name) ? (int)length : 60, text);
    size_t i = find_option(arguments->action, name);
    if (i == OPTION_COUNT) {
        return complain_of_option(arguments, name);
    }
    if (!command_has(arguments->action, i)) {
        return complain(arguments, "%s is an option of %s, not of %s", options[i].name,
                        owner_name(i), action_name(arguments->action));
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

// The environments there are, by number and by name; without the module `sim` there are none.
static const char *env_name(uint32_t index) {
#ifdef COSM_TOOL_SIM
    return index < scene_env_count() ? scene_env_at(index)->name : NULL;
#else
    (void)index;
    return NULL;
#endif
}

const cosm_env_desc *arguments_find_env(const char *name) {
#ifdef COSM_TOOL_SIM
    return scene_env_find(name);
#else
    (void)name;
    return NULL;
#endif
}

static void list_envs(char *names, size_t size) {
    names[0] = '\0';
    for (uint32_t i = 0; env_name(i) != NULL; i++) {
        size_t length = strlen(names);
        snprintf(names + length, size - length, "%s%s", length > 0 ? ", " : "", env_name(i));
    }
}

// Complains about a scene that is missing or unknown: with the one that was meant, or with all.
static bool complain_of_scene(struct arguments *arguments, const char *name) {
    char scenes[64];
    char envs[64];
    list_scenes(scenes, sizeof(scenes), false);
    list_envs(envs, sizeof(envs));
    const char *join = envs[0] != '\0' ? "; or an environment: " : "";
    if (name == NULL) {
        return complain(arguments, "%s needs a scene: one of %s%s%s",
                        action_name(arguments->action), scenes, join, envs);
    }
    struct guess guess = guess_begin(name);
    for (uint32_t i = 0; i < scene_count(); i++) {
        guess_consider(&guess, scene_at(i)->name);
    }
    for (uint32_t i = 0; env_name(i) != NULL; i++) {
        guess_consider(&guess, env_name(i));
    }
    if (guess.best != NULL) {
        return complain(arguments, "there is no scene \"%.40s\"; did you mean %s?", name,
                        guess.best);
    }
    return complain(
        arguments, "there is no scene \"%.40s\"; the scenes are %s%s%s%s", name, scenes, join, envs,
        envs[0] != '\0' ? "; or a library of yours by its path, as in ./libwalk.so" : "");
}

// A path has a folder in it, or ends as libraries do.
static bool is_library(const char *text) {
    size_t length = strlen(text);
    return strchr(text, '/') != NULL || (length > 3 && is_word(text + length - 3, ".so"));
}

// A library without a folder is searched for where the system keeps its own.
static bool is_file_here(const char *text) {
    FILE *file = strchr(text, '/') == NULL ? fopen(text, "rb") : NULL;
    if (file != NULL) {
        (void)fclose(file);
    }
    return file != NULL;
}

static bool find_scene(struct arguments *arguments, const char *text) {
    struct choice *choice = &arguments->choice;
    choice->scene = text != NULL ? scene_find(text) : NULL;
    if (text != NULL && choice->scene == NULL) {
        choice->env = arguments_find_env(text);
        choice->library = choice->env == NULL && is_library(text) ? text : NULL;
        if (choice->library != NULL && is_file_here(text)) {
            return complain(arguments, "\"%.200s\" is in this folder; write ./%.200s", text, text);
        }
    }
    return choice->scene != NULL || choice->env != NULL || choice->library != NULL ||
           complain_of_scene(arguments, text);
}

static bool check_name(struct arguments *arguments, const char *text) {
    if (text == NULL) {
        return complain(arguments, "new needs a name, as in `cosm new walk`");
    }
    const char *problem = new_name_problem(text);
    arguments->name = text;
    return problem == NULL || complain(arguments, "the name is \"%.40s\"; %s", text, problem);
}

// The command of that name, or ACTION_COUNT after a complaint.
static enum action find_command(struct arguments *arguments, const char *text) {
    struct guess guess = guess_begin(text);
    char names[128] = "";
    for (size_t i = 0; i < ACTION_COUNT; i++) {
        size_t length = strlen(names);
        if (is_word(text, commands[i].name)) {
            return (enum action)i;
        }
        guess_consider(&guess, commands[i].name);
        snprintf(names + length, sizeof(names) - length, "%s%s",
                 i == 0                  ? ""
                 : i + 1 == ACTION_COUNT ? " and "
                                         : ", ",
                 commands[i].name);
    }
    if (guess.best != NULL) {
        (void)complain(arguments, "there is no command \"%.40s\"; did you mean %s?", text,
                       guess.best);
    } else {
        (void)complain(arguments, "there is no command \"%.40s\"; the commands are %s", text,
                       names);
    }
    return ACTION_COUNT;
}

// Finds what the first word of a command names.
static bool find_operand(struct arguments *arguments, const char *text) {
    switch (commands[arguments->action].operand) {
    case OPERAND_SCENE:
        return find_scene(arguments, text);
    case OPERAND_NAME:
        return check_name(arguments, text);
    case OPERAND_COMMAND:
        arguments->topic = text != NULL ? find_command(arguments, text) : ACTION_COUNT;
        return text == NULL || arguments->topic != ACTION_COUNT;
    default:
        return true;
    }
}

// The sizes to run with, before options are looked at.
static bool fill_defaults(struct arguments *arguments, const struct given *given) {
    if (arguments->choice.scene != NULL) {
        arguments->settings = arguments->choice.scene->defaults;
        arguments->steps = arguments->choice.scene->default_steps;
        return true;
    }
    if (commands[arguments->action].operand == OPERAND_SCENE) {
        if (given->is_given[OPTION_ENTITIES] || given->is_given[OPTION_PLACEMENT]) {
            return complain(arguments, "%s is an option of scenes, not of environments",
                            given->is_given[OPTION_ENTITIES] ? "--entities" : "--placement");
        }
        arguments->settings = (scene_settings){.world_count = ENV_WORLDS, .seed = ENV_SEED};
        arguments->steps = ENV_STEPS;
    }
    return true;
}

static bool fill_settings(struct arguments *arguments, const struct given *given) {
    scene_settings *settings = &arguments->settings;
    const uint64_t *value = given->value;
    if (given->is_given[OPTION_WORLDS]) {
        settings->world_count = (uint32_t)value[OPTION_WORLDS];
    }
    if (given->is_given[OPTION_ENTITIES]) {
        if (settings->entity_count == 0) {
            char names[128];
            list_scenes(names, sizeof(names), true);
            return complain(arguments, "%s has a fixed number of entities; --entities is for %s",
                            arguments->choice.scene->name, names);
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
    settings->world_first = value[OPTION_WORLD_FIRST];
    settings->step_first = value[OPTION_STEP_FIRST];
    settings->memory_limit = (size_t)(value[OPTION_MEMORY] << 20);
    settings->engine.worker_count = (uint32_t)value[OPTION_WORKERS];
    settings->engine.quiet = true; // the program says itself what failed
    settings->split = (cosm_split)value[OPTION_SPLIT];
    settings->block_worlds = (uint32_t)value[OPTION_BLOCK];
    return true;
}

static bool fill_in(struct arguments *arguments, const struct given *given) {
    const uint64_t *value = given->value;
    if (!fill_defaults(arguments, given) || !fill_settings(arguments, given)) {
        return false;
    }
    arguments->profile = given->is_given[OPTION_PROFILE];
    arguments->trace = given->text[OPTION_TRACE];
    arguments->dir = given->text[OPTION_DIR];
    arguments->game = given->is_given[OPTION_GAME];
    arguments->dot = given->is_given[OPTION_DOT];
    arguments->json = given->is_given[OPTION_JSON];
    arguments->row_max = (uint32_t)value[OPTION_ROWS];
    arguments->history = given->is_given[OPTION_HISTORY];
    arguments->keyframe_steps = (uint32_t)value[OPTION_KEYFRAMES];
    arguments->watch = given->is_given[OPTION_WATCH];
    arguments->world = (uint32_t)(value[OPTION_WATCH_WORLD] | value[OPTION_SHOW_WORLD]);
    if (arguments->game && given->is_given[OPTION_ENV]) {
        return complain(arguments, "new takes --game or --env, not both");
    }
    if (arguments->action == ACTION_SHOW) {
        // A world goes its way whatever the number of worlds, so those behind it are not needed.
        arguments->settings.world_count = arguments->world + 1;
        arguments->steps = value[OPTION_SHOW_STEPS];
    } else if (given->is_given[OPTION_WATCH_WORLD] && !arguments->watch) {
        return complain(arguments, "--world is the world that --watch draws; add --watch");
    } else if (arguments->watch && arguments->world >= arguments->settings.world_count) {
        return complain(arguments, "--world is \"%u\"; with %u worlds it can be 0 to %u",
                        arguments->world, arguments->settings.world_count,
                        arguments->settings.world_count - 1);
    }
    return true;
}

// Takes a word that is no option: what the command is about first, where there is that, then files.
static bool read_operand(struct arguments *arguments, const char *text, const char **io_subject,
                         uint32_t *io_file_count) {
    const struct command *command = &commands[arguments->action];
    if (command->operand != OPERAND_NONE && *io_subject == NULL) {
        *io_subject = text;
        return true;
    }
    if (*io_file_count < command->file_count) {
        arguments->files[(*io_file_count)++] = text;
        return true;
    }
    if (command->file_count > 0) {
        return complain(arguments, "%s takes %s; \"%.40s\" is one too many", command->name,
                        command->file_count == 1 ? "one file" : "two files", text);
    }
    static const char *const kinds[] = {
        [OPERAND_SCENE] = "scene", [OPERAND_NAME] = "name", [OPERAND_COMMAND] = "command"};
    if (command->operand == OPERAND_NONE) {
        return complain(arguments, "%s takes no argument, but is given \"%.40s\"", command->name,
                        text);
    }
    return complain(arguments, "%s takes one %s, not \"%.40s\" and \"%.40s\"", command->name,
                    kinds[command->operand], *io_subject, text);
}

// Reads what follows the word of a command.
static bool read_command(struct arguments *arguments, int argc, char *const *argv) {
    const struct command *command = &commands[arguments->action];
    struct given given = {0};
    const char *subject = NULL;
    uint32_t file_count = 0;
    for (int at = 2; at < argc; at++) {
        if (is_help(argv[at])) {
            arguments->topic = arguments->action;
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
    if (file_count < command->file_count) {
        return complain(arguments, "%s needs %s, as in `%s`", command->name,
                        command->file_count == 1 ? "a file" : "two files", command->example);
    }
    return fill_in(arguments, &given);
}

bool arguments_parse(struct arguments *arguments, int argc, char *const *argv) {
    *arguments = (struct arguments){.action = ACTION_HELP, .topic = ACTION_COUNT};
    if (argc < 2) {
        return complain(arguments, "a command is missing; try `cosm run grid`");
    }
    if (is_help(argv[1])) {
        return argc == 2 || complain(arguments, "%s takes no argument, but is given \"%.40s\"",
                                     argv[1], argv[2]);
    }
    enum action action =
        is_word(argv[1], "--version") ? ACTION_VERSION : find_command(arguments, argv[1]);
    if (action == ACTION_COUNT) {
        return false;
    }
    arguments->action = action;
    arguments->topic = action;
    return read_command(arguments, argc, argv);
}
