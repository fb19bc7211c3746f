// Finds clang's own headers by trying the folders in which they may lie.
#include "resource.h"

#include <clang-c/Index.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "text.h"

#ifndef COSM_GEN_RESOURCE_DIR
#define COSM_GEN_RESOURCE_DIR ""
#endif

struct search {
    struct arena *arena;
    struct text tried;
    const char *found;
};

static void try_folder(struct search *search, const char *folder) {
    if (search->found != NULL || folder[0] == '\0') {
        return;
    }
    if (access(arena_format(search->arena, "%s/include/stddef.h", folder), R_OK) == 0) {
        char *path = realpath(folder, NULL);
        search->found = path == NULL ? folder : arena_copy(search->arena, path, strlen(path));
        free(path);
        return;
    }
    text_add_format(&search->tried, "%s%s", search->tried.length > 0 ? ", " : "", folder);
}

const char *resource_clang_version(struct arena *arena) {
    CXString version = clang_getClangVersion();
    const char *text = clang_getCString(version);
    const char *digits = text == NULL ? NULL : strstr(text, "version ");
    digits = digits == NULL ? "" : digits + strlen("version ");
    size_t length = strspn(digits, "0123456789.");
    const char *copy = arena_copy(arena, digits, length);
    clang_disposeString(version);
    return copy;
}

// The folder of the libclang that runs, with links followed; NULL where the system does not tell.
static const char *libclang_folder(struct arena *arena) {
    CXString (*function)(void) = clang_getClangVersion;
    void *address = NULL;
    memcpy(&address, &function, sizeof(address)); // ISO C has no cast from functions to objects
    Dl_info info;
    if (dladdr(address, &info) == 0 || info.dli_fname == NULL) {
        return NULL;
    }
    char *path = realpath(info.dli_fname, NULL);
    if (path == NULL) {
        return NULL;
    }
    char *slash = strrchr(path, '/');
    const char *folder = arena_copy(arena, path, slash == NULL ? 0 : (size_t)(slash - path));
    free(path);
    return folder;
}

// In `lib`, under the whole version and, as newer ones have it, under its first number.
static void try_library(struct search *search, const char *lib, const char *version) {
    size_t major = strcspn(version, ".");
    try_folder(search, arena_format(search->arena, "%s/clang/%s", lib, version));
    try_folder(search, arena_format(search->arena, "%s/clang/%.*s", lib, (int)major, version));
}

const char *resource_find(struct arena *arena, const char *given, const char **out_tried) {
    struct search search = {.arena = arena, .tried = {.arena = arena}};
    if (given != NULL) {
        try_folder(&search, given);
        *out_tried = text_data(&search.tried);
        return search.found;
    }
    const char *version = resource_clang_version(arena);
    int major = (int)strcspn(version, ".");
    const char *beside = libclang_folder(arena);
    if (beside != NULL) {
        try_library(&search, beside, version);
        // Debian keeps the library in /usr/lib/MACHINE and the rest in /usr/lib/llvm-14.
        try_library(&search, arena_format(arena, "%s/../llvm-%.*s/lib", beside, major, version),
                    version);
    }
    try_library(&search, arena_format(arena, "/usr/lib/llvm-%.*s/lib", major, version), version);
    try_folder(&search, COSM_GEN_RESOURCE_DIR);
    try_library(&search, "/usr/lib", version);
    try_library(&search, "/usr/local/lib", version);
    *out_tried = text_data(&search.tried);
    return search.found;
}
