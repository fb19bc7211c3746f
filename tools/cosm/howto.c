// Finds where Cosm is. A program in a build folder has a file beside it, cosm.tree, which is not
// installed: its lines are the source tree and the build folder. An installed program goes by where
// it lies itself. So no path is part of the program.
#include "howto.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Everything that no shell looks at twice.
static bool is_plain(const char *text) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "/._-+=:@%,";
    return text[0] != '\0' && text[strspn(text, plain)] == '\0';
}

// Adds `text` as (part of) a word of the shell. What does not fit is left out: paths have an end.
static void add_quoted(char *word, const char *text) {
    size_t length = strlen(word);
    bool is_bare = is_plain(text);
    const char *fence = is_bare ? "" : "'";
    length += (size_t)snprintf(word + length, HOWTO_WORD_SIZE - length, "%s", fence);
    for (; *text != '\0' && length + 6 < HOWTO_WORD_SIZE; text++) {
        const char *quote = *text == '\'' ? "'\\''" : (char[2]){*text};
        length += (size_t)snprintf(word + length, HOWTO_WORD_SIZE - length, "%s", quote);
    }
    snprintf(word + length, HOWTO_WORD_SIZE - length, "%s", fence);
}

static bool is_there(const char *folder, const char *file) {
    char path[2 * HOWTO_PATH_SIZE];
    snprintf(path, sizeof(path), "%s/%s", folder, file);
    return access(path, R_OK) == 0;
}

// Cuts the last part off a path.
static void leave(char *path) {
    char *slash = strrchr(path, '/');
    if (slash != NULL) {
        *slash = '\0';
    }
}

// The program's own file; false where the system does not tell.
static bool find_self(char *path) {
    ssize_t length = readlink("/proc/self/exe", path, HOWTO_PATH_SIZE - 1);
    path[length > 0 ? length : 0] = '\0';
    return length > 0;
}

static bool read_line(FILE *file, char *line) {
    if (fgets(line, HOWTO_PATH_SIZE, file) == NULL) {
        return false;
    }
    line[strcspn(line, "\n")] = '\0';
    return true;
}

// Reads the file beside the program. False where it is an installed one, or its tree is gone.
static bool read_tree(const char *home, char *source, char *build) {
    char path[2 * HOWTO_PATH_SIZE];
    snprintf(path, sizeof(path), "%s/cosm.tree", home);
    FILE *file = fopen(path, "r");
    bool is_read = file != NULL && read_line(file, source) && read_line(file, build);
    if (file != NULL) {
        (void)fclose(file);
    }
    return is_read && is_there(source, "modules/sim/include/cosm_sim/env.h");
}

// Does this Python have these modules? Not those of the folder that we are in (-P, which older
// Pythons than the package needs do not know).
static bool can_import(const char *python, const char *modules) {
    char line[HOWTO_WORD_SIZE + 256];
    snprintf(line, sizeof(line), "%s -P -c 'import %s' >/dev/null 2>&1", python, modules);
    return system(line) == 0;
}

// The Python whose package called this program says so in COSM_PYTHON. Else the one that comes
// first will do where it has all; one with numpy can be shown the package of the build folder.
static void find_python(struct howto *howto, const char *build) {
    static const char *const pythons[] = {"python3", "/usr/bin/python3"};
    const char *own = getenv("COSM_PYTHON");
    if (own != NULL && own[0] != '\0') {
        add_quoted(howto->python, own);
        howto->has_python = can_import(howto->python, "numpy, cosm._cosm");
        if (howto->has_python) {
            return;
        }
    }
    for (int i = 0; i < 2; i++) {
        if (can_import(pythons[i], "numpy, cosm._cosm")) {
            howto->has_python = true;
            snprintf(howto->python, sizeof(howto->python), "%s", pythons[i]);
            return;
        }
    }
    snprintf(howto->python, sizeof(howto->python), "python3");
    bool can_build = howto->is_tree && is_there(build, "python/cosm/include");
    for (int i = 0; i < 2 && can_build && !howto->has_python; i++) {
        if (can_import(pythons[i], "numpy")) {
            howto->has_python = true;
            snprintf(howto->package, sizeof(howto->package), "cmake --build ");
            add_quoted(howto->package, build);
            strncat(howto->package, " --target cosm_python\n",
                    sizeof(howto->package) - strlen(howto->package) - 1);
            char path[2 * HOWTO_PATH_SIZE];
            snprintf(path, sizeof(path), "%s/python", build);
            snprintf(howto->python, sizeof(howto->python), "PYTHONPATH=");
            add_quoted(howto->python, path);
            size_t length = strlen(howto->python);
            snprintf(howto->python + length, sizeof(howto->python) - length, " %s", pythons[i]);
        }
    }
}

void howto_find(struct howto *howto, const char *called, bool is_game) {
    char home[HOWTO_PATH_SIZE] = "";
    char source[HOWTO_PATH_SIZE] = "";
    char build[HOWTO_PATH_SIZE] = "";
    *howto = (struct howto){.is_game = is_game};
    bool is_found = find_self(home);
    add_quoted(howto->called, called);
    // What was found in PATH is found there again, from any folder.
    add_quoted(howto->program, is_found && strchr(called, '/') != NULL ? home : called);
    leave(home);
    howto->is_tree = is_found && read_tree(home, source, build);
    if (howto->is_tree) {
        snprintf(howto->option, sizeof(howto->option), " -DCOSM_SOURCE_DIR=");
        add_quoted(howto->option, source);
    } else if (is_found) {
        leave(home);
        // CMake looks there by itself.
        bool is_usual = strcmp(home, "/usr") == 0 || strcmp(home, "/usr/local") == 0;
        if (!is_usual && is_there(home, "include/cosm_sim/env.h")) {
            snprintf(howto->option, sizeof(howto->option), " -DCMAKE_PREFIX_PATH=");
            add_quoted(howto->option, home);
        }
    }
    if (!is_game) {
        find_python(howto, build);
    }
}

void howto_print(const struct howto *howto, const char *folder, const char *name, FILE *out) {
    char word[HOWTO_WORD_SIZE] = "";
    add_quoted(word, folder);
    fprintf(out, "  cmake -S %s -B %s/build%s\n", word, word, howto->option);
    if (howto->is_game) {
        fprintf(out, "  cmake --build %s/build --parallel 4%s\n", word,
                howto->is_tree ? "    # builds Cosm itself, too, the first time" : "");
        fprintf(out, "  ctest --test-dir %s/build\n", word);
        fprintf(out, "  %s/build/%s\n", word, name);
        return;
    }
    fprintf(out, "  cmake --build %s/build\n", word);
    fprintf(out, "  %s run %s/build/lib%s.so\n", howto->called, word, name);
    fprintf(out, "  ctest --test-dir %s/build%s\n", word,
            howto->is_tree ? "    # builds Cosm itself, too, the first time" : "");
    if (howto->package[0] != '\0') {
        fprintf(out, "  %s", howto->package);
    }
    fprintf(out, "  %s %s/train.py%s\n", howto->python, word,
            howto->has_python ? "" : "    # needs numpy and the Python package cosm");
}
