// Finds the comments that belong to a declaration, and takes the text out of them.
#include "docs.h"

#include <string.h>

#include "text.h"

#define DOC_SIZE_MAX 2000u // C promises string literals of 4095 characters, escapes make it longer

// A piece of source between two pointers.
struct piece {
    const char *begin;
    const char *end;
};

static struct piece trim(struct piece piece) {
    while (piece.begin < piece.end && text_is_space(*piece.begin)) {
        piece.begin++;
    }
    while (piece.end > piece.begin && text_is_space(piece.end[-1])) {
        piece.end--;
    }
    return piece;
}

static bool begins_with(struct piece piece, const char *text) {
    size_t length = strlen(text);
    return (size_t)(piece.end - piece.begin) >= length && memcmp(piece.begin, text, length) == 0;
}

static bool ends_with(struct piece piece, const char *text) {
    size_t length = strlen(text);
    return (size_t)(piece.end - piece.begin) >= length &&
           memcmp(piece.end - length, text, length) == 0;
}

// Does it say something? Rows of dashes and orders to tools do not.
static bool has_words(struct piece line) {
    if (begins_with(line, "NOLINT") || begins_with(line, "clang-format o")) {
        return false;
    }
    for (const char *at = line.begin; at < line.end; at++) {
        if (text_is_digit(*at) || (text_is_letter(*at) && *at != '_') || (unsigned char)*at > 127) {
            return true;
        }
    }
    return false;
}

static void add_line(struct text *doc, struct piece line) {
    line = trim(line);
    if (line.begin == line.end) {
        if (doc->length > 0 && doc->data[doc->length - 1] != '\n') {
            text_add(doc, "\n");
        }
        return;
    }
    if (!has_words(line)) {
        return;
    }
    if (doc->length > 0 && doc->data[doc->length - 1] != '\n') {
        text_add(doc, " ");
    }
    for (const char *at = line.begin; at < line.end;) {
        size_t size = text_letter_size(at, line.end);
        if (doc->length + size > DOC_SIZE_MAX) {
            return;
        }
        text_add_bytes(doc, size == 0 ? "?" : *at == '\t' ? " " : at, size == 0 ? 1 : size);
        at += size == 0 ? 1 : size;
    }
}

// A line with its marker: "// text", "/// text", "//! text", "///< text".
static void add_line_comment(struct text *doc, struct piece line) {
    line.begin += 2;
    if (line.begin < line.end && (*line.begin == '/' || *line.begin == '!')) {
        line.begin++;
    }
    if (line.begin < line.end && *line.begin == '<') {
        line.begin++;
    }
    add_line(doc, line);
}

// A comment from its opening to its end, both included, with or without a star on each line.
static void add_block_comment(struct text *doc, struct piece block) {
    block.begin += 2;
    block.end -= 2;
    while (block.begin < block.end && (*block.begin == '*' || *block.begin == '!')) {
        block.begin++;
    }
    if (block.begin < block.end && *block.begin == '<') {
        block.begin++;
    }
    while (block.begin < block.end) {
        const char *newline = memchr(block.begin, '\n', (size_t)(block.end - block.begin));
        struct piece line = trim((struct piece){block.begin, newline ? newline : block.end});
        if (line.begin < line.end && *line.begin == '*') {
            line.begin++;
        }
        add_line(doc, line);
        block.begin = newline ? newline + 1 : block.end;
    }
}

// Columns are counted in characters from the line's begin; a tab is one.
static size_t column_of(const char *source, const char *at) {
    const char *line = at;
    while (line > source && line[-1] != '\n') {
        line--;
    }
    return (size_t)(at - line);
}

static const char *line_begin(const char *source, const char *at) {
    return at - column_of(source, at);
}

// Finds the block comment that ends where the line `last` does, alone on its lines.
static bool find_block(const char *source, struct piece last, struct piece *out_block) {
    for (size_t i = (size_t)(last.end - source); i >= 4; i--) {
        const char *at = source + i - 4;
        if (at[0] == '*' && at[1] == '/') {
            return false;
        }
        if (at[0] == '/' && at[1] == '*') {
            *out_block = (struct piece){at, last.end};
            struct piece before = trim((struct piece){line_begin(source, at), at});
            return before.begin == before.end;
        }
    }
    return false;
}

// The comment above the line at `below`. What is indented deeper than the declaration belongs to
// the line above it.
static void add_leading(struct text *doc, const char *source, const char *below, size_t column) {
    const char *top = below;
    while (top > source) {
        const char *begin = line_begin(source, top - 1);
        struct piece line = trim((struct piece){begin, top});
        struct piece block;
        if (top == below && ends_with(line, "*/") && find_block(source, line, &block)) {
            add_block_comment(doc, block);
            return;
        }
        if (!begins_with(line, "//") || (size_t)(line.begin - begin) > column) {
            break;
        }
        top = begin;
    }
    while (top < below) {
        const char *newline = memchr(top, '\n', (size_t)(below - top));
        const char *end = newline ? newline : below;
        add_line_comment(doc, trim((struct piece){top, end}));
        top = newline ? newline + 1 : below;
    }
}

// Passes a comment, a string or a character; or one character of something else.
static const char *skip_token(const char *at, const char *end) {
    if (end - at > 1 && at[0] == '/' && at[1] == '*') {
        for (at += 2; end - at > 1 && !(at[0] == '*' && at[1] == '/'); at++) {
        }
        return end - at > 2 ? at + 2 : end;
    }
    if (end - at > 1 && at[0] == '/' && at[1] == '/') {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        return newline ? newline : end;
    }
    if (*at == '"' || *at == '\'') {
        char quote = *at++;
        while (at < end && *at != quote && *at != '\n') {
            at += *at == '\\' && end - at > 1 ? 2 : 1;
        }
    }
    return at < end ? at + 1 : end;
}

// Behind the semicolon that ends the declaration whose name is at `at`, or NULL.
static const char *find_semicolon(const char *at, const char *end) {
    int depth = 0;
    while (at < end) {
        depth += *at == '(' || *at == '[' || *at == '{';
        depth -= *at == ')' || *at == ']' || *at == '}';
        if (depth < 0) {
            return NULL;
        }
        if (*at == ';' && depth == 0) {
            return at + 1;
        }
        at = skip_token(at, end);
    }
    return NULL;
}

static void add_trailing(struct text *doc, const char *source, struct piece rest, size_t column) {
    while (rest.begin < rest.end && (*rest.begin == ' ' || *rest.begin == '\t')) {
        rest.begin++;
    }
    if (begins_with(rest, "/*")) {
        add_block_comment(doc, (struct piece){rest.begin, skip_token(rest.begin, rest.end)});
        return;
    }
    // The first on the line of the declaration, the others alone on lines of their own.
    while (begins_with(rest, "//")) {
        const char *newline = skip_token(rest.begin, rest.end);
        add_line_comment(doc, trim((struct piece){rest.begin, newline}));
        rest.begin = newline < rest.end ? newline + 1 : rest.end;
        while (rest.begin < rest.end && (*rest.begin == ' ' || *rest.begin == '\t')) {
            rest.begin++;
        }
        if (rest.begin < rest.end && column_of(source, rest.begin) <= column) {
            return;
        }
    }
}

const char *docs_of(struct session *session, CXCursor cursor, bool trailing) {
    CXSourceRange extent = clang_getCursorExtent(cursor);
    struct place start = session_place(session, clang_getRangeStart(extent));
    struct place name = session_cursor_place(session, cursor);
    if (start.source == NULL || name.source != start.source) {
        return NULL;
    }
    struct text doc = {.arena = session->arena};
    const char *line = line_begin(start.source, start.source + start.offset);
    const char *first = line;
    while (*first == ' ' || *first == '\t') {
        first++;
    }
    size_t column = (size_t)(first - line);
    const char *end = start.source + start.source_size;
    const char *behind = trailing ? find_semicolon(name.source + name.offset, end) : NULL;
    if (behind != NULL) {
        add_trailing(&doc, start.source, (struct piece){behind, end}, column);
    }
    if (doc.length == 0) {
        add_leading(&doc, start.source, line, column);
    }
    while (doc.length > 0 && text_is_space(doc.data[doc.length - 1])) {
        doc.data[--doc.length] = '\0';
    }
    return doc.length == 0 ? NULL : doc.data;
}
