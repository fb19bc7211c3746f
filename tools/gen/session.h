// A header as clang has parsed it, and what the other files ask of it: places, texts, whether a
// declaration stands in the header itself.
#ifndef COSM_GEN_SESSION_H
#define COSM_GEN_SESSION_H

#include <clang-c/Index.h>

#include "arguments.h"
#include "report.h"

// clang parses a file that includes the header, so that the header is what it is in a program: not
// the main file, which "#pragma once" for one does not hold for.
#define SESSION_MAIN "cosm-gen-main.c"

struct session {
    struct arena *arena;
    struct report *report;
    const struct arguments *arguments;
    const char *resource_dir;
    CXIndex index;
    CXTranslationUnit unit;
    CXFile main_file; // the header
};

// Parses the header. What clang finds wrong goes to the report; returns false where that is so.
// Close the session in any case, and after the report was printed: places point into it.
bool session_open(struct session *session, struct arena *arena, struct report *report,
                  const struct arguments *arguments);
void session_close(struct session *session);

// Parses `source`, a file that does not exist, with the same options and `more` behind them. NULL
// where clang cannot. The caller disposes of it.
CXTranslationUnit session_parse_text(struct session *session, const char *name, const char *source,
                                     const char *const *more, uint32_t more_count);

// Copies a text of clang's and gives it back. NULL becomes "".
const char *session_text(struct session *session, CXString text);

// The name of a file, as short as it was given.
const char *session_file_name(struct session *session, CXFile file);
const char *session_spelling(struct session *session, CXCursor cursor);

// Where it is written; of what a macro expands to, where the macro is used.
struct place session_place(struct session *session, CXSourceLocation location);
struct place session_cursor_place(struct session *session, CXCursor cursor);

// Does it stand in the header itself, not in what that includes?
bool session_is_main(struct session *session, CXCursor cursor);

// Is it made by a macro, so that there is no text of its own?
bool session_is_expanded(CXCursor cursor);

#endif
