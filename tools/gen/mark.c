// Reads marks: the kind, then options as `key = value` with commas between them.
//
// The preprocessor hands over the options as one line of text. Places of errors are found again in
// the source by walking both side by side, blanks and comments left out.
#include "mark.h"

#include <string.h>

#include "text.h"

static const struct {
    const char *word; // in the attribute
    const char *macro;
    const char *keys[16];
} kinds[] = {
    [MARK_COMPONENT] = {"component",
                        "COSM_COMPONENT",
                        {"name", "layout", "storage", "default", "changes", "group", "construct",
                         "copy", "move", "destroy", "equals", "hash"}},
    [MARK_SINGLETON] = {"singleton", "COSM_SINGLETON", {"name", "default"}},
    [MARK_TAG] = {"tag", "COSM_TAG", {0}},
    [MARK_FIELD] = {"field",
                    "COSM_FIELD",
                    {"unit", "min", "max", "default", "labels", "mask", "padding", "strict"}},
    [MARK_BITS] = {"bits", "COSM_MASK", {0}},
};

const char *mark_macro(enum mark_kind kind) {
    return kinds[kind].macro;
}

const char *mark_right_place(enum mark_kind kind) {
    switch (kind) {
    case MARK_COMPONENT:
        return "write it between struct and the tag: struct COSM_COMPONENT(...) Name { ... }";
    case MARK_SINGLETON:
        return "write it between struct and the tag: struct COSM_SINGLETON(...) Name { ... }";
    case MARK_TAG:
        return "write COSM_TAG(Name); outside of functions and structs";
    case MARK_FIELD:
        return "write it after the name of a field: float mass COSM_FIELD(...)";
    default:
        return "write it between enum and its tag: enum COSM_MASK() Name { ... }";
    }
}

bool mark_of_macro(const char *name, enum mark_kind *out_kind) {
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (strcmp(kinds[i].macro, name) == 0) {
            *out_kind = (enum mark_kind)i;
            return true;
        }
    }
    return false;
}

// The options behind "cosm KIND "; NULL where the text is not that of a mark.
static const char *cut_kind(const char *text, enum mark_kind *out_kind) {
    if (strncmp(text, "cosm ", 5) != 0) {
        return NULL;
    }
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        size_t length = strlen(kinds[i].word);
        if (strncmp(text + 5, kinds[i].word, length) == 0 && text[5 + length] == ' ') {
            *out_kind = (enum mark_kind)i;
            return text + 5 + length + 1;
        }
    }
    return NULL;
}

bool mark_is_one(CXCursor attribute, enum mark_kind *out_kind) {
    if (clang_getCursorKind(attribute) != CXCursor_AnnotateAttr) {
        return false;
    }
    CXString spelling = clang_getCursorSpelling(attribute);
    const char *text = clang_getCString(spelling);
    bool is_one = text != NULL && cut_kind(text, out_kind) != NULL;
    clang_disposeString(spelling);
    return is_one;
}

// Passes blanks, comments and joined lines of a source.
static const char *skip_blanks(const char *at, const char *end) {
    while (at < end) {
        if (text_is_space(*at) || (*at == '\\' && at + 1 < end && text_is_space(at[1]))) {
            at++;
        } else if (at + 1 < end && at[0] == '/' && at[1] == '/') {
            while (at < end && *at != '\n') {
                at++;
            }
        } else if (at + 1 < end && at[0] == '/' && at[1] == '*') {
            at += 2;
            while (at + 1 < end && !(at[0] == '*' && at[1] == '/')) {
                at++;
            }
            at = at + 2 < end ? at + 2 : end;
        } else {
            break;
        }
    }
    return at;
}

// Where the options of a mark begin in the source; NULL where another macro stands there.
static const char *options_in_source(const struct place *mark, const char *end) {
    const char *at = mark->source + mark->offset;
    if (end - at < 5 || strncmp(at, "COSM_", 5) != 0) {
        return NULL;
    }
    while (at < end && (text_is_letter(*at) || text_is_digit(*at))) {
        at++;
    }
    at = skip_blanks(at, end);
    return at < end && *at == '(' ? at + 1 : NULL;
}

// The place in the source of what stands at `offset` of the options' text.
static struct place find_place(struct place mark, const char *options, size_t offset) {
    const char *end = mark.source + mark.source_size;
    const char *at = mark.source == NULL ? NULL : options_in_source(&mark, end);
    char quote = 0;
    bool is_escaped = false;
    for (size_t i = 0; at != NULL; i++) {
        if (quote == 0 && options[i] == ' ') {
            continue;
        }
        at = quote == 0 ? skip_blanks(at, end) : at;
        if (i >= offset) {
            return place_at(mark, (size_t)(at - mark.source));
        }
        if (at >= end || options[i] == '\0' || *at != options[i]) {
            return mark;
        }
        if (quote == 0 && (options[i] == '"' || options[i] == '\'')) {
            quote = options[i];
        } else if (options[i] == quote && !is_escaped) {
            quote = 0;
        }
        is_escaped = quote != 0 && options[i] == '\\' && !is_escaped;
        at++;
    }
    return mark;
}

struct reader {
    struct session *session;
    struct mark *mark;
    const char *text;
    size_t at;
};

static struct place place_in(const struct reader *reader, size_t offset) {
    return find_place(reader->mark->place, reader->text, offset);
}

// The end of a value that begins at `at`: the comma behind it, or the end. False, and reported,
// where brackets do not match.
static bool find_end(struct reader *reader, size_t at, size_t *out_end) {
    char open[64];
    size_t depth = 0;
    for (; reader->text[at] != '\0' && !(depth == 0 && reader->text[at] == ','); at++) {
        char c = reader->text[at];
        if (c == '"' || c == '\'') {
            for (at++; reader->text[at] != c && reader->text[at] != '\0'; at++) {
                at += reader->text[at] == '\\' && reader->text[at + 1] != '\0';
            }
            at -= reader->text[at] == '\0';
        } else if (strchr("({[", c) != NULL && depth < sizeof(open)) {
            open[depth++] = c == '(' ? ')' : c == '{' ? '}' : ']';
        } else if (c == ';' || (strchr(")}]", c) != NULL && (depth == 0 || open[--depth] != c))) {
            report_error(reader->session->report, place_in(reader, at),
                         "'%c' is not allowed here; write the value as a C expression", c);
            return false;
        }
    }
    if (depth > 0) {
        report_error(reader->session->report, place_in(reader, at),
                     "'%c' is missing; close the bracket", open[depth - 1]);
        return false;
    }
    *out_end = at;
    return true;
}

static const char *list_keys(struct session *session, enum mark_kind kind) {
    struct text list = {.arena = session->arena};
    for (uint32_t i = 0; kinds[kind].keys[i] != NULL; i++) {
        bool is_last = kinds[kind].keys[i + 1] == NULL;
        text_add_format(&list, "%s%s", i == 0 ? "" : is_last ? " or " : ", ", kinds[kind].keys[i]);
    }
    return text_data(&list);
}

static bool check_key(struct reader *reader, const struct option *option) {
    const struct mark *mark = reader->mark;
    struct report *report = reader->session->report;
    const char *macro = kinds[mark->kind].macro;
    if (kinds[mark->kind].keys[0] == NULL) {
        report_error(report, option->key_place, "%s has no options; remove '%s'", macro,
                     option->key);
        return false;
    }
    for (uint32_t i = 0; kinds[mark->kind].keys[i] != NULL; i++) {
        if (strcmp(kinds[mark->kind].keys[i], option->key) == 0) {
            if (mark_option(mark, option->key) == NULL) {
                return true;
            }
            report_error(report, option->key_place, "'%s' is set twice; keep one of them",
                         option->key);
            return false;
        }
    }
    const char *nearest = text_nearest(option->key, kinds[mark->kind].keys);
    if (nearest != NULL) {
        report_error(report, option->key_place, "%s has no option '%s'; did you mean %s?", macro,
                     option->key, nearest);
    } else {
        report_error(report, option->key_place, "%s has no option '%s'; use %s", macro, option->key,
                     list_keys(reader->session, mark->kind));
    }
    return false;
}

static void keep_option(struct reader *reader, const struct option *option) {
    struct mark *mark = reader->mark;
    if (check_key(reader, option)) {
        mark->options = arena_grow(reader->session->arena, mark->options, mark->option_count,
                                   &mark->option_capacity, sizeof(*mark->options));
        mark->options[mark->option_count++] = *option;
    }
}

static void skip_spaces(struct reader *reader) {
    while (text_is_space(reader->text[reader->at])) {
        reader->at++;
    }
}

// Reads `key = value`. False, and reported, where that is not what stands there.
static bool read_option(struct reader *reader) {
    struct session *session = reader->session;
    size_t begin = reader->at;
    struct option option = {.key_place = place_in(reader, begin)};
    while (text_is_letter(reader->text[reader->at]) ||
           (reader->at > begin && text_is_digit(reader->text[reader->at]))) {
        reader->at++;
    }
    if (reader->at == begin) {
        report_error(session->report, option.key_place,
                     "an option is expected here; write %s(key = value, ...)",
                     kinds[reader->mark->kind].macro);
        return false;
    }
    option.key = arena_copy(session->arena, reader->text + begin, reader->at - begin);
    skip_spaces(reader);
    bool has_value = reader->text[reader->at] == '=';
    reader->at += has_value;
    skip_spaces(reader);
    size_t end = reader->at;
    if (has_value && !find_end(reader, reader->at, &end)) {
        return false;
    }
    if (end == reader->at) {
        report_error(session->report, option.key_place, "'%s' has no value; write %s = ...",
                     option.key, option.key);
        return false;
    }
    option.value_place = place_in(reader, reader->at);
    size_t length = end - reader->at;
    while (text_is_space(reader->text[reader->at + length - 1])) {
        length--;
    }
    option.value = arena_copy(session->arena, reader->text + reader->at, length);
    reader->at = end;
    keep_option(reader, &option);
    return true;
}

bool mark_read(struct session *session, CXCursor attribute, struct mark *out_mark) {
    *out_mark = (struct mark){0};
    if (clang_getCursorKind(attribute) != CXCursor_AnnotateAttr) {
        return false;
    }
    const char *text = cut_kind(session_spelling(session, attribute), &out_mark->kind);
    if (text == NULL) {
        return false;
    }
    out_mark->place = session_cursor_place(session, attribute);
    struct reader reader = {session, out_mark, text, 0};
    skip_spaces(&reader);
    while (text[reader.at] != '\0' && read_option(&reader) && text[reader.at] == ',') {
        reader.at++;
        skip_spaces(&reader);
        if (text[reader.at] == '\0') {
            report_error(session->report, place_in(&reader, reader.at),
                         "an option is expected after ','; remove the comma");
        }
    }
    return true;
}

struct mark_search {
    struct session *session;
    struct mark *mark;
    uint32_t count;
};

static enum CXChildVisitResult visit_attribute(CXCursor cursor, CXCursor parent,
                                               CXClientData data) {
    (void)parent;
    struct mark_search *search = data;
    enum mark_kind kind;
    if (!mark_is_one(cursor, &kind)) {
        return CXChildVisit_Continue;
    }
    if (search->count++ == 0) {
        mark_read(search->session, cursor, search->mark);
    } else {
        report_error(search->session->report, session_cursor_place(search->session, cursor),
                     "a second mark, after %s; write one with all options",
                     kinds[search->mark->kind].macro);
    }
    return CXChildVisit_Continue;
}

bool mark_find(struct session *session, CXCursor cursor, struct mark *out_mark) {
    *out_mark = (struct mark){0};
    struct mark_search search = {session, out_mark, 0};
    clang_visitChildren(cursor, visit_attribute, &search);
    return search.count > 0;
}

const struct option *mark_option(const struct mark *mark, const char *key) {
    for (uint32_t i = 0; i < mark->option_count; i++) {
        if (strcmp(mark->options[i].key, key) == 0) {
            return &mark->options[i];
        }
    }
    return NULL;
}

struct expression mark_expression(const struct option *option) {
    struct expression none = {0};
    if (option == NULL) {
        return none;
    }
    return (struct expression){option->value, option->key, option->value_place};
}

// The character that an escape stands for; passes it. -1 where it is not one of C's.
static int read_escape(const char **io_at) {
    static const char names[] = "abfnrtv\\'\"?";
    static const char values[] = "\a\b\f\n\r\t\v\\'\"?";
    const char *at = *io_at;
    const char *name = *at == '\0' ? NULL : strchr(names, *at);
    if (name != NULL) {
        *io_at = at + 1;
        return (unsigned char)values[name - names];
    }
    int value = 0;
    int count = 0;
    for (; count < 3 && *at >= '0' && *at <= '7'; count++) {
        value = value * 8 + (*at++ - '0');
    }
    *io_at = at;
    return count > 0 && value > 0 && value < 256 ? value : -1;
}

const char *mark_string(struct session *session, const struct option *option) {
    struct text result = {.arena = session->arena};
    const char *at = option->value;
    bool is_good = *at == '"';
    while (is_good && *at != '\0') {
        is_good = *at++ == '"';
        while (is_good && *at != '"' && *at != '\0') {
            int c = (unsigned char)*at++;
            c = c == '\\' ? read_escape(&at) : c;
            is_good = c > 0;
            text_add_bytes(&result, &(char){(char)c}, is_good ? 1 : 0);
        }
        is_good = is_good && *at++ == '"';
        while (text_is_space(*at)) {
            at++;
        }
    }
    const char *end = text_data(&result) + result.length;
    for (const char *c = text_data(&result); is_good && c < end; c += text_letter_size(c, end)) {
        is_good = text_letter_size(c, end) > 0;
    }
    if (!is_good) {
        report_error(session->report, option->value_place,
                     "'%s' is not text; write %s = \"...\", in UTF-8, with C's simple escapes",
                     option->value, option->key);
        return NULL;
    }
    return text_data(&result);
}

int mark_word(struct session *session, const struct option *option, const char *const *words) {
    struct text list = {.arena = session->arena};
    for (int i = 0; words[i] != NULL; i++) {
        if (strcmp(words[i], option->value) == 0) {
            return i;
        }
        text_add_format(&list, "%s%s",
                        i == 0                 ? ""
                        : words[i + 1] == NULL ? " or "
                                               : ", ",
                        words[i]);
    }
    const char *nearest = text_nearest(option->value, words);
    report_error(session->report, option->value_place, "%s cannot be %s; %s %s%s", option->key,
                 option->value, nearest != NULL ? "did you mean" : "use",
                 nearest != NULL ? nearest : text_data(&list), nearest != NULL ? "?" : "");
    return -1;
}
