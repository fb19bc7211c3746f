// Reading, comparing and replacing files.
#include "files.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool complain(const char *what, const char *path) {
    fprintf(stderr, "cosm-gen: %s %s: %s\n", what, path, strerror(errno));
    return false;
}

bool files_same(const char *path, const char *data, size_t size) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return false;
    }
    char buffer[4096];
    size_t at = 0;
    size_t got = 0;
    bool is_same = true;
    while (is_same && (got = fread(buffer, 1, sizeof(buffer), file)) > 0) {
        is_same = got <= size - at && memcmp(buffer, data + at, got) == 0;
        at += is_same ? got : 0;
    }
    is_same = is_same && ferror(file) == 0 && at == size;
    fclose(file);
    return is_same;
}

bool files_write(struct arena *arena, const char *path, const char *data, size_t size) {
    // In the same folder: a file cannot be renamed from one file system to another.
    const char *fresh = arena_format(arena, "%s.%ld.tmp", path, (long)getpid());
    FILE *file = fopen(fresh, "wb");
    if (file == NULL) {
        return complain("cannot write", fresh);
    }
    bool is_written = fwrite(data, 1, size, file) == size;
    is_written = fclose(file) == 0 && is_written;
    if (!is_written || rename(fresh, path) != 0) {
        complain("cannot write", path);
        remove(fresh);
        return false;
    }
    return true;
}

bool files_update(struct arena *arena, const char *path, const char *data, size_t size) {
    return files_same(path, data, size) || files_write(arena, path, data, size);
}

bool files_make_folder(struct arena *arena, const char *path) {
    char *part = arena_format(arena, "%s", path);
    for (char *c = part + 1; part[0] != '\0'; c++) {
        char end = *c;
        if (end != '/' && end != '\0') {
            continue;
        }
        *c = '\0';
        if (mkdir(part, 0777) != 0 && errno != EEXIST) {
            return complain("cannot create the folder", part);
        }
        *c = end;
        if (end == '\0') {
            break;
        }
    }
    return true;
}
