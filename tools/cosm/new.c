// Writes the folder of a new environment: first under a name of its own, then, when all of it is
// there, by one rename. So nothing half written is ever seen under the name that was asked for.
#include "new.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATH_SIZE 4096

static const char placeholder[] = "my_env";
static const char placeholder_upper[] = "MY_ENV";

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

const char *new_name_problem(const char *name) {
    size_t length = strlen(name);
    bool is_good = is_letter(name[0]) && length <= NEW_NAME_MAX;
    for (size_t i = 1; i < length && is_good; i++) {
        is_good = is_letter(name[i]) || (name[i] >= '0' && name[i] <= '9');
    }
    if (!is_good) {
        return "it must be letters, digits and _, at most 64, and not begin with a digit";
    }
    return strcmp(name, "test") == 0 ? "test.c is the test of every environment; take another name"
                                     : NULL;
}

static int complain(const char *what, const char *path) {
    fprintf(stderr, "cosm: %s %s: %s\n", path, what, strerror(errno));
    return 1;
}

// The text with the name in place of what stands for it; the caller frees it. NULL: no memory.
static char *fill(const char *text, size_t length, const char *name, size_t *out_length) {
    char upper[NEW_NAME_MAX + 1] = "";
    size_t name_length = strlen(name);
    for (size_t i = 0; i < name_length; i++) {
        upper[i] = name[i] >= 'a' && name[i] <= 'z' ? (char)(name[i] - 'a' + 'A') : name[i];
    }
    size_t mark_length = strlen(placeholder);
    // At most every six bytes become a name.
    char *filled = malloc(length + (length / mark_length + 1) * NEW_NAME_MAX + 1);
    if (filled == NULL) {
        return NULL;
    }
    size_t written = 0;
    for (size_t at = 0; at < length;) {
        bool fits = length - at >= mark_length;
        const char *put = NULL;
        if (fits && memcmp(text + at, placeholder, mark_length) == 0) {
            put = name;
        } else if (fits && memcmp(text + at, placeholder_upper, mark_length) == 0) {
            put = upper;
        }
        if (put == NULL) {
            filled[written++] = text[at++];
            continue;
        }
        memcpy(filled + written, put, name_length);
        written += name_length;
        at += mark_length;
    }
    filled[written] = '\0';
    *out_length = written;
    return filled;
}

// The path of a file of the folder; false, with errno, where there is no room for it.
static bool name_file(char *path, const char *folder, size_t index, const char *name) {
    size_t length = 0;
    const char *own = template_files[index].name;
    char *filled = fill(own, strlen(own), name, &length);
    int written = filled != NULL ? snprintf(path, PATH_SIZE, "%s/%s", folder, filled) : -1;
    free(filled);
    errno = filled == NULL ? ENOMEM : ENAMETOOLONG;
    return written > 0 && written < PATH_SIZE;
}

static int write_file(const char *folder, size_t index, const char *name) {
    char path[PATH_SIZE];
    if (!name_file(path, folder, index, name)) {
        return complain("cannot be written", folder);
    }
    size_t length = 0;
    char *text = fill(template_files[index].text, template_files[index].length, name, &length);
    if (text == NULL) {
        errno = ENOMEM;
        return complain("cannot be written", path);
    }
    FILE *file = fopen(path, "wb");
    bool is_written = file != NULL && fwrite(text, 1, length, file) == length;
    // Without room on the disk it is often the closing that fails.
    is_written = file != NULL && fclose(file) == 0 && is_written;
    free(text);
    return is_written ? 0 : complain("cannot be written", path);
}

// Removes what was written of a folder that did not become whole.
static void remove_folder(const char *folder, const char *name) {
    char path[PATH_SIZE];
    for (size_t i = 0; i < template_file_count; i++) {
        if (name_file(path, folder, i, name)) {
            (void)unlink(path);
        }
    }
    (void)rmdir(folder);
}

static int write_folder(const char *folder, const char *target, const char *name) {
    int code = 0;
    for (size_t i = 0; i < template_file_count && code == 0; i++) {
        code = write_file(folder, i, name);
    }
    // mkdtemp makes it for one user only; the rest is as other new folders are.
    mode_t mask = umask(0);
    (void)umask(mask);
    if (code == 0 && (chmod(folder, 0777 & ~mask) != 0 || rename(folder, target) != 0)) {
        code = complain("cannot be made", target);
    }
    if (code != 0) {
        remove_folder(folder, name);
    }
    return code;
}

int new_write(const struct arguments *arguments) {
    const char *name = arguments->name;
    const char *dir = arguments->dir != NULL ? arguments->dir : ".";
    char target[PATH_SIZE];
    char folder[PATH_SIZE];
    // The longer one first: where it fits, so does the other.
    int length = snprintf(folder, sizeof(folder), "%s/.%s-XXXXXX", dir, name);
    if (length < 0 || length >= PATH_SIZE) {
        errno = ENAMETOOLONG;
        return complain("cannot be used", dir);
    }
    snprintf(target, sizeof(target), "%s/%s", dir, name);
    struct stat there;
    if (lstat(target, &there) == 0) {
        fprintf(stderr, "cosm: %s is there already; take another name, or another --dir\n", target);
        return 1;
    }
    if (mkdtemp(folder) == NULL) {
        return complain("cannot have a new folder; name one with --dir that is there and that you "
                        "may write to",
                        dir);
    }
    int code = write_folder(folder, target, name);
    if (code == 0) {
        printf("%s is written. Go there, and then:\n\n"
               "  cmake -B build && cmake --build build && ctest --test-dir build\n"
               "  cosm run build/lib%s.so\n"
               "  python3 train.py\n",
               target, name);
    }
    return code;
}
