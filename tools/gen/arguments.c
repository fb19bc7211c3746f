// Reads the command line: options by a table, the header, and what is handed on to clang.
#include "arguments.h"

#include <stdio.h>
#include <string.h>

#include "text.h"

const char arguments_help[] =
    "cosm-gen writes the descriptions of components that are marked in a C header.\n"
    "\n"
    "usage: cosm-gen [options] HEADER.h [-- CLANG-ARGUMENTS]\n"
    "\n"
    "  -I DIR              look there for included headers, as a compiler does; also -isystem DIR\n"
    "  -D NAME[=VALUE]     define a macro\n"
    "  -o DIR              where NAME.cosm.h and NAME.cosm.c go (the current folder)\n"
    "  --name NAME         what they are called (the header's name without its ending)\n"
    "  --include TEXT      how NAME.cosm.h includes the header (its name without its folder);\n"
    "                      TEXT may be in <> or in quotes\n"
    "  --depfile FILE      write there, for a build tool, what the result depends on\n"
    "  --stamp FILE        write that file each time; the depfile is then about it\n"
    "  --module            the header belongs to a module of Cosm: names may start with cosm_\n"
    "  --check             write nothing; fail where the files are not what would be written\n"
    "  --resource-dir DIR  clang's own headers, where they are not found by themselves\n"
    "  --print-resource-dir\n"
    "                      print where clang's own headers were found\n"
    "  --version           print the version\n"
    "  --help              print this\n"
    "\n"
    "A file is written only where its content changes. Exit codes: 0 done, 1 the header has\n"
    "errors or the files differ, 2 the command line is wrong.\n";

static bool refuse(const char *what, const char *value, const char *remedy) {
    fprintf(stderr, "cosm-gen: %s%s; %s\n", what, value, remedy);
    return false;
}

static void add_clang(struct arena *arena, struct arguments *arguments, const char *text) {
    arguments->clang = arena_grow(arena, arguments->clang, arguments->clang_count,
                                  &arguments->clang_capacity, sizeof(*arguments->clang));
    arguments->clang[arguments->clang_count++] = text;
}

// The value of the option at argv[*io_i] where its name is `name`: the next word, or what follows
// the name itself. NULL: it is another option. *out_missing: it has no value.
static const char *value_of(const char *name, int argc, char **argv, int *io_i, bool *out_missing) {
    const char *word = argv[*io_i];
    size_t length = strlen(name);
    bool is_long = name[0] == '-' && name[1] == '-';
    *out_missing = false;
    if (strncmp(word, name, length) != 0) {
        return NULL;
    }
    if (word[length] == '\0') {
        *out_missing = *io_i + 1 >= argc || argv[*io_i + 1][0] == '\0';
        return *out_missing ? "" : argv[++*io_i];
    }
    if (is_long) {
        return word[length] == '=' ? word + length + 1 : NULL;
    }
    return length == 2 ? word + length : NULL;
}

// Options that have a value. Returns false where something is wrong; *out_taken: it was one.
static bool read_valued(struct arena *arena, int argc, char **argv, int *io_i,
                        struct arguments *arguments, bool *out_taken) {
    const struct {
        const char *name;
        const char **target; // NULL: handed on to clang
    } options[] = {
        {"-isystem", NULL},
        {"-I", NULL},
        {"-D", NULL},
        {"-o", &arguments->folder},
        {"--name", &arguments->stem},
        {"--include", &arguments->include},
        {"--depfile", &arguments->depfile},
        {"--stamp", &arguments->stamp},
        {"--resource-dir", &arguments->resource_dir},
    };
    for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
        bool is_missing = false;
        const char *value = value_of(options[i].name, argc, argv, io_i, &is_missing);
        if (value == NULL) {
            continue;
        }
        if (is_missing) {
            return refuse(options[i].name, " has no value", "see cosm-gen --help");
        }
        if (options[i].target == NULL) {
            add_clang(arena, arguments, options[i].name);
            add_clang(arena, arguments, value);
        } else {
            *options[i].target = value;
        }
        *out_taken = true;
        return true;
    }
    return true;
}

static bool read_flag(const char *word, struct arguments *arguments) {
    if (strcmp(word, "--module") == 0) {
        arguments->is_module = true;
        return true;
    }
    static const struct {
        const char *name;
        enum action action;
    } flags[] = {
        {"--check", ACTION_CHECK},     {"--help", ACTION_HELP},
        {"-h", ACTION_HELP},           {"--print-resource-dir", ACTION_RESOURCE_DIR},
        {"--version", ACTION_VERSION},
    };
    for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
        if (strcmp(word, flags[i].name) == 0) {
            arguments->action = flags[i].action;
            return true;
        }
    }
    return false;
}

static bool refuse_option(const char *word) {
    static const char *const words[] = {"--name",   "--include", "--depfile",      "--check",
                                        "--help",   "--version", "--resource-dir", "--stamp",
                                        "--module", NULL};
    const char *nearest = text_nearest(word, words);
    fprintf(stderr, "cosm-gen: %s is not an option; %s%s%s\n", word,
            nearest != NULL ? "did you mean " : "see cosm-gen --help",
            nearest != NULL ? nearest : "", nearest != NULL ? "?" : "");
    return false;
}

static bool read_word(struct arena *arena, int argc, char **argv, int *io_i,
                      struct arguments *arguments) {
    const char *word = argv[*io_i];
    bool is_taken = false;
    if (!read_valued(arena, argc, argv, io_i, arguments, &is_taken)) {
        return false;
    }
    if (is_taken || read_flag(word, arguments)) {
        return true;
    }
    if (word[0] == '-' && word[1] != '\0') {
        return refuse_option(word);
    }
    if (arguments->header != NULL) {
        return refuse("a second header: ", word, "run cosm-gen once for each");
    }
    arguments->header = word;
    return true;
}

static const char *file_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

// <PATH>, "PATH" or a path alone: what stands behind #include must end where it should.
static bool is_include(const char *text) {
    size_t length = strlen(text);
    char close = text[0] == '<' ? '>' : '"';
    if (text[0] == '<' || text[0] == '"') {
        if (length < 2 || text[length - 1] != close) {
            return false;
        }
        text++;
        length -= 2;
    }
    return length > 0 && strcspn(text, "<>\"\\\r\n") >= length;
}

static bool fill_defaults(struct arena *arena, struct arguments *arguments) {
    if (arguments->header == NULL) {
        return refuse("no header", "", "name one: cosm-gen [options] HEADER.h");
    }
    const char *name = file_name(arguments->header);
    if (arguments->stem == NULL) {
        const char *dot = strrchr(name, '.');
        size_t length = dot == NULL || dot == name ? strlen(name) : (size_t)(dot - name);
        arguments->stem = arena_copy(arena, name, length);
    }
    if (arguments->include == NULL) {
        arguments->include = name;
    }
    if (arguments->folder == NULL) {
        arguments->folder = ".";
    }
    if (!is_include(arguments->include)) {
        return refuse("the header would be included as ", arguments->include,
                      "--include needs a path, <path> or \"path\", without quotes inside");
    }
    if (!text_is_letter(arguments->stem[0]) || strchr(arguments->stem, '/') != NULL) {
        return refuse("the name is ", arguments->stem,
                      "--name needs one that starts with a letter and has no folder");
    }
    return true;
}

bool arguments_read(struct arena *arena, int argc, char **argv, struct arguments *out_arguments) {
    *out_arguments = (struct arguments){0};
    int i = 1;
    for (; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (!read_word(arena, argc, argv, &i, out_arguments)) {
            return false;
        }
    }
    for (i++; i < argc; i++) {
        add_clang(arena, out_arguments, argv[i]);
    }
    if (out_arguments->action != ACTION_GENERATE && out_arguments->action != ACTION_CHECK) {
        return true;
    }
    return fill_defaults(arena, out_arguments);
}
