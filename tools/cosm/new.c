// Writes the folder of a new game or environment: first under a name of its own, then, when all of
// it is there, by one rename. So nothing half written is ever seen under the name that was asked
// for.
#include "new.h"

#include "howto.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATH_SIZE 4096

// What stands for something in the templates, and what it stands for. The last one has no mark.
struct filler {
    const char *mark;
    const char *text;
};

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

// The name is that of a header's guard and of targets, and may become one of a function.
static bool is_keyword(const char *name) {
    static const char *const keywords[] = {
        "alignas",  "alignof",  "asm",           "auto",   "bool",
        "break",    "case",     "char",          "const",  "continue",
        "default",  "do",       "double",        "else",   "enum",
        "extern",   "false",    "float",         "for",    "goto",
        "if",       "inline",   "int",           "long",   "main",
        "register", "restrict", "return",        "short",  "signed",
        "sizeof",   "static",   "static_assert", "struct", "switch",
        "true",     "typedef",  "typeof",        "union",  "unsigned",
        "void",     "volatile", "while"};
    for (size_t i = 0; i < sizeof(keywords) / sizeof(keywords[0]); i++) {
        if (strcmp(name, keywords[i]) == 0) {
            return true;
        }
    }
    return false;
}

const char *new_name_problem(const char *name) {
    size_t length = strlen(name);
    bool is_good = is_letter(name[0]) && length <= NEW_NAME_MAX;
    for (size_t i = 1; i < length && is_good; i++) {
        is_good = is_letter(name[i]) || (name[i] >= '0' && name[i] <= '9');
    }
    if (!is_good) {
        return "it can have letters, digits and _, at most 64, and must not start with a digit";
    }
    if (name[0] == '_') {
        return "names that start with _ are reserved for the compiler; start it with a letter";
    }
    if (strncasecmp(name, "cosm", 4) == 0) {
        return "names that start with cosm are reserved for the library; choose another one";
    }
    if (is_keyword(name)) {
        return "it is a keyword of C; choose another one";
    }
    return strcmp(name, "test") == 0 ? "test.c is the name of its test; choose another name" : NULL;
}

static int complain(const char *what, const char *path) {
    fprintf(stderr, "cosm: %s %s: %s\n", path, what, strerror(errno));
    return 1;
}

// The filler whose mark a text begins with; NULL: none.
static const struct filler *match(const struct filler *fillers, const char *text, size_t length) {
    for (; fillers->mark != NULL; fillers++) {
        size_t mark_length = strlen(fillers->mark);
        if (mark_length <= length && memcmp(text, fillers->mark, mark_length) == 0) {
            return fillers;
        }
    }
    return NULL;
}

// Copies the text with its marks filled in to `to` (NULL: nowhere). How long it then is.
static size_t copy_filled(char *to, const char *text, size_t length, const struct filler *fillers) {
    size_t written = 0;
    for (size_t at = 0; at < length;) {
        const struct filler *filler = match(fillers, text + at, length - at);
        const char *from = filler != NULL ? filler->text : text + at;
        size_t count = filler != NULL ? strlen(filler->text) : 1;
        if (to != NULL) {
            memcpy(to + written, from, count);
        }
        written += count;
        at += filler != NULL ? strlen(filler->mark) : 1;
    }
    return written;
}

// The text with its marks filled in; the caller frees it. NULL: no memory.
static char *fill(const char *text, size_t length, const struct filler *fillers,
                  size_t *out_length) {
    *out_length = copy_filled(NULL, text, length, fillers);
    char *filled = malloc(*out_length + 1);
    if (filled != NULL) {
        copy_filled(filled, text, length, fillers);
        filled[*out_length] = '\0';
    }
    return filled;
}

// The path of a file of the folder; false, with errno, where there is no room for it.
static bool name_file(char *path, const char *folder, const struct template_file *file,
                      const struct filler *fillers) {
    size_t length = 0;
    char *filled = fill(file->name, strlen(file->name), fillers, &length);
    int written = filled != NULL ? snprintf(path, PATH_SIZE, "%s/%s", folder, filled) : -1;
    free(filled);
    errno = filled == NULL ? ENOMEM : ENAMETOOLONG;
    return written > 0 && written < PATH_SIZE;
}

static int write_file(const char *folder, const struct template_file *template,
                      const struct filler *fillers) {
    char path[PATH_SIZE];
    if (!name_file(path, folder, template, fillers)) {
        return complain("cannot be written", folder);
    }
    size_t length = 0;
    char *text = fill(template->text, template->length, fillers, &length);
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
static void remove_folder(const char *folder, const struct template *template,
                          const struct filler *fillers) {
    char path[PATH_SIZE];
    for (size_t i = 0; i < template->count; i++) {
        if (name_file(path, folder, &template->files[i], fillers)) {
            (void)unlink(path);
        }
    }
    (void)rmdir(folder);
}

static int write_folder(const char *folder, const char *target, const struct template *template,
                        const struct filler *fillers) {
    int code = 0;
    for (size_t i = 0; i < template->count && code == 0; i++) {
        code = write_file(folder, &template->files[i], fillers);
    }
    // mkdtemp makes it for one user only; the rest is as other new folders are.
    mode_t mask = umask(0);
    (void)umask(mask);
    if (code == 0 && (chmod(folder, 0777 & ~mask) != 0 || rename(folder, target) != 0)) {
        code = complain("cannot be created", target);
    }
    if (code != 0) {
        remove_folder(folder, template, fillers);
    }
    return code;
}

// Fills the templates in, and says how to go on.
static int write_new(const char *folder, const char *target, const struct arguments *arguments,
                     const char *called) {
    const char *name = arguments->name;
    char upper[NEW_NAME_MAX + 1] = "";
    for (size_t i = 0; name[i] != '\0'; i++) {
        upper[i] = name[i] >= 'a' && name[i] <= 'z' ? (char)(name[i] - 'a' + 'A') : name[i];
    }
    struct howto *howto = malloc(sizeof(*howto));
    if (howto == NULL) {
        (void)rmdir(folder);
        errno = ENOMEM;
        return complain("cannot be created", target);
    }
    howto_find(howto, called, arguments->game);
    const struct filler fillers[] = {{"my_env", name},
                                     {"MY_ENV", upper},
                                     {"my_game", name},
                                     {"MY_GAME", upper},
                                     {" my_option", howto->option},
                                     {"my_program", howto->program},
                                     {"my_package_line\n", howto->package},
                                     {"my_python", howto->python},
                                     {NULL, NULL}};
    int code =
        write_folder(folder, target, arguments->game ? &template_game : &template_env, fillers);
    if (code == 0) {
        printf("%s is written: %s. Next:\n\n", target,
               arguments->game ? "a game" : "an environment (--game writes a game)");
        howto_print(howto, arguments->dir != NULL ? target : name, name, stdout);
    }
    free(howto);
    return code;
}

int new_write(const struct arguments *arguments, const char *called) {
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
        fprintf(stderr, "cosm: %s already exists; choose another name, or another --dir\n", target);
        return 1;
    }
    if (mkdtemp(folder) == NULL) {
        return complain("is not a folder that you can write to; choose another one with --dir",
                        dir);
    }
    return write_new(folder, target, arguments, called);
}
