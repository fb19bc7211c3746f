// `cosm new`: writes a folder with a game or an environment that builds and passes its test at
// once.
#ifndef COSM_TOOL_NEW_H
#define COSM_TOOL_NEW_H

#include "arguments.h"

#include <stddef.h>

// A file of the folder, as it lies in tools/cosm/templates; the build makes templates.c of those.
// Wherever one says my_env or MY_ENV, my_game or MY_GAME, also in its name, the new name stands in
// what is written.
struct template_file {
    const char *name;
    const char *text;
    size_t length;
};

struct template {
    const struct template_file *files;
    size_t count;
};

extern const struct template template_env;
extern const struct template template_game;

// Bytes of a name at most.
#define NEW_NAME_MAX 64

// What is wrong with a name for a game or an environment, in words for the user; NULL: nothing.
const char *new_name_problem(const char *name);

// Writes arguments->name in the folder arguments->dir, whole or not at all, and prints the commands
// to go on with; `called` is the program's argv[0]. The exit code: 0, or 1 after a complaint.
int new_write(const struct arguments *arguments, const char *called);

#endif
