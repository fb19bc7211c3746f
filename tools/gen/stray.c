// Finds marks that clang has dropped, in two ways.
//
// The record of macros shows where the header itself uses one: each must have left an attribute. It
// does not show what a macro of the program expands to; for that clang's own warnings have to do.
#include "stray.h"

#include <string.h>

// Where a mark is written; of one in another macro's argument, there. False: not in the header.
static bool written_at(const struct session *session, CXSourceLocation location,
                       unsigned *out_offset) {
    CXFile file = NULL;
    clang_getFileLocation(location, &file, NULL, NULL, out_offset);
    return file != NULL && clang_File_isEqual(file, session->main_file) != 0;
}

void strays_note(struct strays *strays, CXCursor attribute, enum mark_kind kind) {
    struct kept_mark mark = {.kind = kind};
    if (written_at(strays->session, clang_getCursorLocation(attribute), &mark.offset)) {
        strays->kept = arena_grow(strays->session->arena, strays->kept, strays->count,
                                  &strays->capacity, sizeof(*strays->kept));
        strays->kept[strays->count++] = mark;
    }
}

static bool is_kept(const struct strays *strays, enum mark_kind kind, unsigned offset) {
    for (uint32_t i = 0; i < strays->count; i++) {
        if (strays->kept[i].kind == kind && strays->kept[i].offset == offset) {
            return true;
        }
    }
    return false;
}

// In the same words as others, so that it is said once.
static void refuse(struct session *session, CXSourceLocation location, enum mark_kind kind) {
    report_error(session->report, session_place(session, location), "%s has no effect here; %s",
                 mark_macro(kind), mark_right_place(kind));
}

static enum CXChildVisitResult visit_macro(CXCursor cursor, CXCursor parent, CXClientData data) {
    (void)parent;
    struct strays *strays = data;
    struct session *session = strays->session;
    CXSourceLocation location = clang_getCursorLocation(cursor);
    enum mark_kind kind;
    unsigned offset = 0;
    if (clang_getCursorKind(cursor) == CXCursor_MacroExpansion &&
        written_at(session, location, &offset) &&
        mark_of_macro(session_spelling(session, cursor), &kind) && !is_kept(strays, kind, offset)) {
        report_error(session->report, session_place(session, location), "%s has no effect here; %s",
                     mark_macro(kind), mark_right_place(kind));
    }
    return CXChildVisit_Continue;
}

// The mark that a warning is about, by the notes on the macros it was expanded from.
static bool find_mark(struct session *session, CXDiagnostic diagnostic, enum mark_kind *out_kind) {
    bool is_found = false;
    CXDiagnosticSet notes = clang_getChildDiagnostics(diagnostic);
    for (unsigned i = 0; i < clang_getNumDiagnosticsInSet(notes) && !is_found; i++) {
        CXDiagnostic note = clang_getDiagnosticInSet(notes, i);
        const char *text = session_text(session, clang_getDiagnosticSpelling(note));
        const char *quote = strchr(text, '\'');
        if (quote != NULL) {
            const char *name = arena_copy(session->arena, quote + 1, strcspn(quote + 1, "'"));
            is_found = mark_of_macro(name, out_kind);
        }
        clang_disposeDiagnostic(note);
    }
    return is_found;
}

// A warning about what a macro of the program has made.
static void read_warning(struct strays *strays, CXDiagnostic diagnostic) {
    struct session *session = strays->session;
    const char *option = session_text(session, clang_getDiagnosticOption(diagnostic, NULL));
    CXSourceLocation location = clang_getDiagnosticLocation(diagnostic);
    unsigned offset = 0;
    enum mark_kind kind;
    bool is_loss = strcmp(option, "-Wignored-attributes") == 0 ||
                   strcmp(option, "-Wmissing-declarations") == 0;
    if (is_loss && written_at(session, location, &offset) &&
        find_mark(session, diagnostic, &kind)) {
        refuse(session, location, kind);
    }
}

void strays_report(struct strays *strays) {
    CXTranslationUnit unit = strays->session->unit;
    clang_visitChildren(clang_getTranslationUnitCursor(unit), visit_macro, strays);
    for (unsigned i = 0; i < clang_getNumDiagnostics(unit); i++) {
        CXDiagnostic diagnostic = clang_getDiagnostic(unit, i);
        read_warning(strays, diagnostic);
        clang_disposeDiagnostic(diagnostic);
    }
}
