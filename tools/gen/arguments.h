// The command line of cosm-gen.
#ifndef COSM_GEN_ARGUMENTS_H
#define COSM_GEN_ARGUMENTS_H

#include "memory.h"

enum action {
    ACTION_GENERATE,
    ACTION_CHECK,        // compare instead of write
    ACTION_HELP,         // print arguments_help
    ACTION_VERSION,      // print the versions of Cosm and of libclang
    ACTION_RESOURCE_DIR, // print where the compiler's own headers are
};

struct arguments {
    enum action action;
    const char *header;       // as given
    const char *folder;       // where the files go
    const char *stem;         // NAME of NAME.cosm.h
    const char *include;      // the text of #include "...", or with <> or "" as given
    const char *depfile;      // NULL: none
    const char *stamp;        // a file to touch when done; NULL: none
    const char *resource_dir; // NULL: to be found
    bool is_module;           // the header is Cosm's own: names may start with cosm_
    const char **clang;       // -I, -D, -isystem and what follows --, as clang wants them
    uint32_t clang_count;
    uint32_t clang_capacity;
};

extern const char arguments_help[];

// Reads the command line. On failure prints what is wrong and returns false.
bool arguments_read(struct arena *arena, int argc, char **argv, struct arguments *out_arguments);

#endif
