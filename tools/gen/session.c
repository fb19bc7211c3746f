// Parses a header with libclang and shows clang's errors as ours.
#include "session.h"

#include <errno.h>
#include <string.h>

#include "resource.h"
#include "text.h"

const char *session_text(struct session *session, CXString text) {
    const char *data = clang_getCString(text);
    const char *copy = data == NULL ? "" : arena_copy(session->arena, data, strlen(data));
    clang_disposeString(text);
    return copy;
}

const char *session_spelling(struct session *session, CXCursor cursor) {
    return session_text(session, clang_getCursorSpelling(cursor));
}

const char *session_file_name(struct session *session, CXFile file) {
    const char *name = session_text(session, clang_getFileName(file));
    bool is_dotted = strncmp(name, "./", 2) == 0;
    return is_dotted ? name + 2 : name; // added by clang where a header lies beside its includer
}

struct place session_place(struct session *session, CXSourceLocation location) {
    CXFile file = NULL;
    unsigned line = 0;
    unsigned column = 0;
    unsigned offset = 0;
    clang_getExpansionLocation(location, &file, &line, &column, &offset);
    struct place place = {.line = line, .column = column, .offset = offset};
    if (file != NULL) {
        place.file = session_file_name(session, file);
        place.source = clang_getFileContents(session->unit, file, &place.source_size);
    }
    return place;
}

struct place session_cursor_place(struct session *session, CXCursor cursor) {
    return session_place(session, clang_getCursorLocation(cursor));
}

bool session_is_main(struct session *session, CXCursor cursor) {
    CXFile file = NULL;
    clang_getExpansionLocation(clang_getCursorLocation(cursor), &file, NULL, NULL, NULL);
    return file != NULL && clang_File_isEqual(file, session->main_file) != 0;
}

bool session_is_expanded(CXCursor cursor) {
    CXFile files[2] = {NULL, NULL};
    unsigned offsets[2] = {0, 0};
    CXSourceLocation location = clang_getCursorLocation(cursor);
    clang_getSpellingLocation(location, &files[0], NULL, NULL, &offsets[0]);
    clang_getExpansionLocation(location, &files[1], NULL, NULL, &offsets[1]);
    return offsets[0] != offsets[1] || clang_File_isEqual(files[0], files[1]) == 0;
}

// What every parse gets, with the caller's own arguments behind it.
static const char **all_arguments(struct session *session, const char *const *more,
                                  uint32_t more_count, int *out_count) {
    const struct arguments *arguments = session->arguments;
    const char *own[] = {"-x",
                         "c",
                         "-std=gnu17",
                         "-DCOSM_GEN",
                         "-Wno-everything",
                         "-Wignored-attributes", // see stray.c
                         "-Wmissing-declarations",
                         "-ferror-limit=0",
                         "-resource-dir",
                         session->resource_dir};
    uint32_t own_count = sizeof(own) / sizeof(own[0]);
    uint32_t count = own_count + arguments->clang_count + more_count;
    const char **all = arena_take(session->arena, count * sizeof(*all));
    memcpy(all, own, sizeof(own));
    for (uint32_t i = 0; i < arguments->clang_count; i++) {
        all[own_count + i] = arguments->clang[i];
    }
    for (uint32_t i = 0; i < more_count; i++) {
        all[own_count + arguments->clang_count + i] = more[i];
    }
    *out_count = (int)count;
    return all;
}

CXTranslationUnit session_parse_text(struct session *session, const char *name, const char *source,
                                     const char *const *more, uint32_t more_count) {
    int count = 0;
    const char **all = all_arguments(session, more, more_count, &count);
    struct CXUnsavedFile file = {name, source, (unsigned long)strlen(source)};
    CXTranslationUnit unit = NULL;
    // With a record of where macros are used: stray.c looks for marks in it.
    enum CXErrorCode code =
        clang_parseTranslationUnit2(session->index, name, all, count, &file, 1,
                                    CXTranslationUnit_DetailedPreprocessingRecord, &unit);
    return code == CXError_Success ? unit : NULL;
}

static void see_inclusion(CXFile file, CXSourceLocation *stack, unsigned depth, CXClientData data) {
    (void)stack;
    (void)depth;
    CXString name = clang_getFileName(file);
    const char *text = clang_getCString(name);
    const char *mark = text == NULL ? NULL : strstr(text, "cosm/mark.h");
    *(bool *)data = *(bool *)data || (mark != NULL && mark[strlen("cosm/mark.h")] == '\0');
    clang_disposeString(name);
}

static bool is_mark_header_missing(const char *message) {
    return strstr(message, "'cosm/mark.h' file not found") != NULL;
}

// Without the marks' header, a mark is a syntax error that does not say why.
static void hint_at_marks(struct session *session, struct place place) {
    bool is_included = false;
    for (uint32_t i = 0; i < session->report->count; i++) {
        if (is_mark_header_missing(session->report->items[i].message)) {
            return; // it is included, and the error says what to do
        }
    }
    clang_getInclusions(session->unit, see_inclusion, &is_included);
    size_t size = 0;
    const char *source = clang_getFileContents(session->unit, session->main_file, &size);
    if (!is_included && source != NULL && strstr(source, "COSM_") != NULL) {
        report_note(session->report, place,
                    "the header does not include <cosm/mark.h>, which defines the marks");
    }
}

static void report_clang(struct session *session, CXDiagnostic diagnostic, bool is_note) {
    struct place place = session_place(session, clang_getDiagnosticLocation(diagnostic));
    const char *message = session_text(session, clang_getDiagnosticSpelling(diagnostic));
    bool is_missing = strstr(message, "file not found") != NULL;
    if (place.file != NULL && strcmp(place.file, SESSION_MAIN) == 0 && is_note) {
        return; // that the header is included from our own file helps nobody
    }
    if (is_note) {
        report_note(session->report, place, "%s", message);
    } else {
        report_error(session->report, place, "%s%s", message,
                     is_mark_header_missing(message)
                         ? "; link the target to cosm::cosm, or add its folder with -I"
                     : is_missing ? "; add its folder with -I"
                                  : "");
    }
}

// Marks without parentheses in the line of an error: clang takes them for names.
static void hint_at_parentheses(struct session *session, struct place place) {
    static const char *const macros[] = {"COSM_COMPONENT", "COSM_SINGLETON", "COSM_TAG",
                                         "COSM_FIELD", "COSM_MASK"};
    const char *end = place.source == NULL ? NULL : place.source + place.source_size;
    const char *at = place.source == NULL ? NULL : place.source + place.offset;
    while (at > place.source && at[-1] != '\n') {
        at--;
    }
    while (at < end && *at != '\n') {
        const char *word = at;
        while (at < end && (text_is_letter(*at) || text_is_digit(*at))) {
            at++;
        }
        size_t length = (size_t)(at - word);
        at += length == 0;
        while (at < end && (*at == ' ' || *at == '\t')) {
            at++;
        }
        for (size_t i = 0; i < sizeof(macros) / sizeof(macros[0]); i++) {
            if (strlen(macros[i]) == length && memcmp(macros[i], word, length) == 0 &&
                (at == end || *at != '(')) {
                report_error(session->report, place_at(place, (size_t)(word - place.source)),
                             "%s has no parentheses here; write %s(%s)", macros[i], macros[i],
                             strcmp(macros[i], "COSM_TAG") == 0 ? "Name" : "");
            }
        }
    }
}

static void report_all_of_clang(struct session *session) {
    unsigned count = clang_getNumDiagnostics(session->unit);
    struct place first = {0};
    for (unsigned i = 0; i < count; i++) {
        CXDiagnostic diagnostic = clang_getDiagnostic(session->unit, i);
        if (clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error) {
            report_clang(session, diagnostic, false);
            struct place place = session_place(session, clang_getDiagnosticLocation(diagnostic));
            first = first.file != NULL ? first : place;
            CXDiagnosticSet children = clang_getChildDiagnostics(diagnostic);
            for (unsigned j = 0; j < clang_getNumDiagnosticsInSet(children); j++) {
                CXDiagnostic child = clang_getDiagnosticInSet(children, j);
                report_clang(session, child, true);
                clang_disposeDiagnostic(child);
            }
            hint_at_parentheses(session, place);
        }
        clang_disposeDiagnostic(diagnostic);
    }
    if (session->report->error_count > 0) {
        hint_at_marks(session, first);
    }
}

static bool check_header(struct session *session) {
    struct place nowhere = {0};
    const char *header = session->arguments->header;
    FILE *file = fopen(header, "rb");
    // A folder opens, and fails when it is read.
    if (file == NULL || (fgetc(file) == EOF && ferror(file) != 0)) {
        report_error(session->report, nowhere, "%s cannot be read (%s); check the path", header,
                     strerror(errno));
    }
    if (file != NULL) {
        fclose(file);
    }
    return session->report->error_count == 0;
}

static bool check_resource_dir(struct session *session) {
    const char *tried = NULL;
    session->resource_dir = resource_find(session->arena, session->arguments->resource_dir, &tried);
    if (session->resource_dir == NULL) {
        struct place nowhere = {0};
        const char *version = resource_clang_version(session->arena);
        report_error(session->report, nowhere,
                     "clang's own headers (stddef.h and others) are not in %s; install "
                     "libclang-common-%.*s-dev, or set their folder with --resource-dir",
                     tried, (int)strcspn(version, "."), version);
    }
    return session->resource_dir != NULL;
}

bool session_open(struct session *session, struct arena *arena, struct report *report,
                  const struct arguments *arguments) {
    *session = (struct session){.arena = arena, .report = report, .arguments = arguments};
    if (!check_header(session) || !check_resource_dir(session)) {
        return false;
    }
    session->index = clang_createIndex(0, 0);
    const char *source = arena_format(arena, "#include \"%s\"\n", arguments->header);
    session->unit = session_parse_text(session, SESSION_MAIN, source, NULL, 0);
    if (session->unit == NULL) {
        struct place nowhere = {0};
        report_error(report, nowhere,
                     "clang cannot parse %s with these arguments; check what follows --",
                     arguments->header);
        return false;
    }
    session->main_file = clang_getFile(session->unit, arguments->header);
    report_all_of_clang(session);
    return report->error_count == 0;
}

void session_close(struct session *session) {
    if (session->unit != NULL) {
        clang_disposeTranslationUnit(session->unit);
    }
    if (session->index != NULL) {
        clang_disposeIndex(session->index);
    }
    session->unit = NULL;
    session->index = NULL;
}
