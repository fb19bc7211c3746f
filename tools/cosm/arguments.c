// Reads the command line by one table of options. An option's value follows it as the next word
// or after '='; of an option given twice, the last one counts.
#include "arguments.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define STEPS_MAX 1000000000ull
#define MEMORY_MIB_MAX (1ull << 24) // 16 TiB: more than any machine has, and no overflow in bytes

const char arguments_help[] =
    "cosm runs small simulations of many worlds.\n"
    "\n"
    "usage:\n"
    "  cosm run SCENE [options]   run a scene, then print a summary\n"
    "  cosm list                  list the scenes\n"
    "  cosm help, --help or -h    print this\n"
    "  cosm --version             print the version\n"
    "\n"
    "options of run:\n"
    "  --worlds N                 worlds that are stepped together, 1 to 16777216\n"
    "  --steps N                  steps to take, 0 to 1000000000\n"
    "  --seed N                   seed of everything random, 0 to 18446744073709551615 (1)\n"
    "  --placement growing|fixed  how tables are placed in memory\n"
    "  --memory-limit MIB         fail rather than use more memory than this\n"
    "\n"
    "A value is the next word or follows '=', as in --worlds=8. What is not given is as `cosm\n"
    "list` shows it. The same scene, worlds, steps and seed give the same checksum.\n"
    "Exit codes: 0 done, 1 the run failed, 2 the command line is wrong.\n";

// The options of `run`, and the values that were given for them.
enum option { OPTION_WORLDS, OPTION_STEPS, OPTION_SEED, OPTION_MEMORY, OPTION_PLACEMENT };
#define OPTION_COUNT 5

struct option_info {
    const char *name;
    bool is_number; // else a placement
    uint64_t minimum;
    uint64_t maximum;
};

static const struct option_info options[OPTION_COUNT] = {
    [OPTION_WORLDS] = {"--worlds", true, 1, COSM_BATCH_WORLD_MAX},
    [OPTION_STEPS] = {"--steps", true, 0, STEPS_MAX},
    [OPTION_SEED] = {"--seed", true, 0, UINT64_MAX},
    [OPTION_MEMORY] = {"--memory-limit", true, 1, MEMORY_MIB_MAX},
    [OPTION_PLACEMENT] = {"--placement", false, 0, 0},
};

struct given {
    bool is_given[OPTION_COUNT];
    uint64_t value[OPTION_COUNT];
};

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

static bool read_value(struct arguments *arguments, const struct option_info *option,
                       const char *text, uint64_t *out_value) {
    if (!option->is_number) {
        bool is_fixed = is_word(text, "fixed");
        if (!is_fixed && !is_word(text, "growing")) {
            return complain(arguments, "%s is \"%.40s\"; it can be growing or fixed", option->name,
                            text);
        }
        *out_value = is_fixed ? COSM_PLACEMENT_FIXED : COSM_PLACEMENT_GROWING;
        return true;
    }
    if (!read_number(text, out_value) || *out_value < option->minimum ||
        *out_value > option->maximum) {
        return complain(arguments, "%s is \"%.40s\"; it must be a number from %llu to %llu",
                        option->name, text, (unsigned long long)option->minimum,
                        (unsigned long long)option->maximum);
    }
    return true;
}

// Reads the option at argv[*at], with its value, and moves *at to the last word it took.
static bool read_option(struct arguments *arguments, int argc, char *const *argv, int *at,
                        struct given *given) {
    const char *text = argv[*at];
    const char *equals = strchr(text, '=');
    size_t length = equals != NULL ? (size_t)(equals - text) : strlen(text);
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        if (strlen(options[i].name) != length || strncmp(options[i].name, text, length) != 0) {
            continue;
        }
        const char *value = equals != NULL ? equals + 1 : NULL;
        if (value == NULL && *at + 1 < argc) {
            value = argv[++*at];
        }
        if (value == NULL) {
            return complain(arguments, "%s needs a value", options[i].name);
        }
        given->is_given[i] = true;
        return read_value(arguments, &options[i], value, &given->value[i]);
    }
    return complain(arguments, "there is no option %.60s", text);
}

// Complains about a scene that is missing or unknown, naming those there are.
static bool complain_of_scene(struct arguments *arguments, const char *name) {
    char names[128] = "";
    for (uint32_t i = 0; i < scene_count(); i++) {
        size_t length = strlen(names);
        snprintf(names + length, sizeof(names) - length, "%s%s", i > 0 ? ", " : "",
                 scene_at(i)->name);
    }
    if (name == NULL) {
        return complain(arguments, "run needs a scene: one of %s", names);
    }
    return complain(arguments, "there is no scene \"%.40s\"; the scenes are %s", name, names);
}

static void fill_in(struct arguments *arguments, const struct given *given) {
    arguments->settings = arguments->scene->defaults;
    arguments->steps = arguments->scene->default_steps;
    if (given->is_given[OPTION_WORLDS]) {
        arguments->settings.world_count = (uint32_t)given->value[OPTION_WORLDS];
    }
    if (given->is_given[OPTION_STEPS]) {
        arguments->steps = given->value[OPTION_STEPS];
    }
    if (given->is_given[OPTION_SEED]) {
        arguments->settings.seed = given->value[OPTION_SEED];
    }
    if (given->is_given[OPTION_MEMORY]) {
        arguments->settings.memory_limit = (size_t)(given->value[OPTION_MEMORY] << 20);
    }
    if (given->is_given[OPTION_PLACEMENT]) {
        arguments->settings.placement = (cosm_placement)given->value[OPTION_PLACEMENT];
    }
}

// Reads what follows the word "run".
static bool read_run(struct arguments *arguments, int argc, char *const *argv) {
    struct given given = {0};
    const char *name = NULL;
    arguments->action = ACTION_RUN;
    for (int at = 2; at < argc; at++) {
        if (is_help(argv[at])) {
            arguments->action = ACTION_HELP;
            return true;
        }
        if (argv[at][0] == '-') {
            if (!read_option(arguments, argc, argv, &at, &given)) {
                return false;
            }
        } else if (name == NULL) {
            name = argv[at];
        } else {
            return complain(arguments, "run takes one scene, not \"%.40s\" and \"%.40s\"", name,
                            argv[at]);
        }
    }
    arguments->scene = name != NULL ? scene_find(name) : NULL;
    if (arguments->scene == NULL) {
        return complain_of_scene(arguments, name);
    }
    fill_in(arguments, &given);
    return true;
}

bool arguments_parse(struct arguments *arguments, int argc, char *const *argv) {
    *arguments = (struct arguments){.action = ACTION_HELP};
    if (argc < 2) {
        return complain(arguments, "say what to do: run, list, help or --version");
    }
    if (is_word(argv[1], "run")) {
        return read_run(arguments, argc, argv);
    }
    if (is_word(argv[1], "list")) {
        arguments->action = ACTION_LIST;
    } else if (is_word(argv[1], "--version")) {
        arguments->action = ACTION_VERSION;
    } else if (!is_help(argv[1]) && !is_word(argv[1], "help")) {
        return complain(arguments, "there is no command \"%.40s\"; there are run, list and help",
                        argv[1]);
    }
    if (argc > 2) {
        return complain(arguments, "nothing may follow %s, but \"%.40s\" does", argv[1], argv[2]);
    }
    return true;
}
