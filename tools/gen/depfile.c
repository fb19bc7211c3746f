// Lists the files that clang has read.
#include "depfile.h"

#include <string.h>

struct listing {
    struct session *session;
    struct text *out;
};

// Blanks and a few signs mean something to make.
static void add_path(struct text *out, const char *path) {
    for (; *path != '\0'; path++) {
        text_add(out, *path == ' ' || *path == '#' ? "\\" : *path == '$' ? "$" : "");
        text_add_bytes(out, path, 1);
    }
}

static void add_file(CXFile file, CXSourceLocation *stack, unsigned depth, CXClientData data) {
    (void)stack;
    (void)depth;
    struct listing *listing = data;
    const char *name = session_file_name(listing->session, file);
    if (strcmp(name, SESSION_MAIN) != 0) {
        text_add(listing->out, " \\\n  ");
        add_path(listing->out, name);
    }
}

void depfile_add(struct text *out, struct session *session, const char *const *targets,
                 uint32_t target_count) {
    for (uint32_t i = 0; i < target_count; i++) {
        text_add(out, i == 0 ? "" : " ");
        add_path(out, targets[i]);
    }
    text_add(out, ":");
    struct listing listing = {session, out};
    clang_getInclusions(session->unit, add_file, &listing);
    text_add(out, "\n");
}
