// Queries as text: the parser and the printer.
//
//     query  = [ term { "," term } ]
//     term   = { mark | access } name | [ access ] group     one mark and one access at most
//     group  = "(" choice "|" choice { "|" choice } ")"
//     choice = { "~" | access } name
//     mark   = "!" | "?" | "~"
//     access = "mut" | "mark"       before a name, a mark or a group; else it is a name
//     name   = identifier | '"' { any byte but '"' and '\' | '\"' | '\\' } '"'
//
// Blanks and ends of lines may stand between any two tokens. The parser goes over the text once,
// knows from the next byte what comes, and gathers terms in a struct on the stack; the desc is
// written when all is well. A failure goes over the text once more, to count lines.
#include "query/text.h"

#include <stdio.h>
#include <string.h>

#include "query/near.h"

// Bytes of the text that a message shows.
#define EXCERPT_MAX 32u

// "line ", ", column ", two numbers of 20 digits, " at '", an excerpt, "...'" and the end.
#define PLACE_SIZE (64u + EXCERPT_MAX + 16u)

struct query_reader {
    struct schema *schema;
    const struct sink *sink;
    const char *call;
    const char *text; // from its beginning
    const char *at;   // the next byte
    uint32_t term_count;
    uint32_t group_count;
    cosm_term terms[COSM_QUERY_TERM_MAX];
    char place[PLACE_SIZE]; // what place_text said
};

// What stands before a name or a group.
struct term_prefix {
    const char *mark;      // where '!', '?' or '~' stands, or NULL
    const char *access_at; // where `mut` or `mark` stands, or NULL
    cosm_access access;
};

// A name where it stands in the text, and as it is meant: without quotes and escapes.
struct name_token {
    const char *from;
    const char *end;
    size_t length; // of what is meant, also where it is more than has room in `name`
    char name[COSM_NAME_LENGTH_MAX + 1];
};

// A group has two terms at least, so terms run out before groups do.
_Static_assert(COSM_QUERY_TERM_MAX / 2 <= 32, "the group of a term is a bit of 32");

static bool is_text_blank(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool is_name_start(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_name_part(char c) {
    return is_name_start(c) || (c >= '0' && c <= '9');
}

static void skip_blanks(struct query_reader *reader) {
    while (is_text_blank(*reader->at)) {
        reader->at++;
    }
}

// Copies the text between the two, as far as there is room and its line goes; returns whether that
// was all. Bytes that would make a mess of a terminal become '?'.
static bool copy_excerpt(char *excerpt, const char *from, const char *end) {
    size_t length = 0;
    while (length < EXCERPT_MAX && from + length < end && from[length] != '\n') {
        length++;
    }
    bool whole = from + length == end;
    // Half a character of UTF-8 is worse than none: it has three bytes that follow the first.
    for (size_t i = 0; !whole && i < 3 && length > 1 && ((unsigned char)from[length] >> 6) == 2;
         i++) {
        length--;
    }
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)from[i];
        excerpt[i] = c < 0x20 || c == 0x7F ? '?' : from[i];
    }
    excerpt[length] = '\0';
    return whole;
}

// Says where something stands, as in "line 2, column 5 at 'Velocty'". `end` NULL: the rest of the
// text. The words are good until the next call.
static const char *place_text(struct query_reader *reader, const char *from, const char *end) {
    size_t line = 1;
    const char *line_start = reader->text;
    for (const char *c = reader->text; c < from; c++) {
        if (*c == '\n') {
            line++;
            line_start = c + 1;
        }
    }
    size_t rest = strlen(from);
    char lines[32] = "";
    if (line > 1 || memchr(from, '\n', rest) != NULL) {
        (void)snprintf(lines, sizeof(lines), "line %zu, ", line);
    }
    size_t column = (size_t)(from - line_start) + 1;
    if (rest == 0) {
        (void)snprintf(reader->place, sizeof(reader->place), "%scolumn %zu at the end", lines,
                       column);
        return reader->place;
    }
    char excerpt[EXCERPT_MAX + 1];
    bool whole = copy_excerpt(excerpt, from, end == NULL ? from + rest : end);
    (void)snprintf(reader->place, sizeof(reader->place), "%scolumn %zu at '%s%s'", lines, column,
                   excerpt, whole ? "" : "...");
    return reader->place;
}

static void take_byte(struct name_token *token, char c) {
    if (token->length < COSM_NAME_LENGTH_MAX) {
        token->name[token->length] = c;
        token->name[token->length + 1] = '\0';
    }
    token->length++;
}

static cosm_result read_quoted(struct query_reader *reader, struct name_token *token) {
    const char *c = token->from + 1;
    for (; *c != '"'; c++) {
        if (*c == '\\' && c[1] != '"' && c[1] != '\\' && c[1] != '\0') {
            return cosmi_fail(reader->sink, COSM_ERROR_FORMAT,
                              "%s: %s: in quotes a backslash may only precede a quote or a "
                              "backslash; write two for one",
                              reader->call, place_text(reader, c, NULL));
        }
        if (*c == '\\') {
            c++;
        }
        if (*c == '\0') {
            return cosmi_fail(reader->sink, COSM_ERROR_FORMAT,
                              "%s: %s: this quote is not closed; close the name with another",
                              reader->call, place_text(reader, token->from, NULL));
        }
        take_byte(token, *c);
    }
    token->end = c + 1;
    return COSM_OK;
}

// Reads a name, which need not be known.
static cosm_result read_name(struct query_reader *reader, struct name_token *token) {
    token->from = reader->at;
    token->end = reader->at;
    token->length = 0;
    token->name[0] = '\0';
    if (*reader->at == '"') {
        cosm_result result = read_quoted(reader, token);
        if (result != COSM_OK) {
            return result;
        }
    } else if (is_name_start(*reader->at)) {
        for (; is_name_part(*token->end); token->end++) {
            take_byte(token, *token->end);
        }
    }
    if (token->length == 0) {
        return cosmi_fail(reader->sink, COSM_ERROR_FORMAT,
                          "%s: %s: the name of a component is missing; write it, in double quotes "
                          "if it is not an identifier",
                          reader->call, place_text(reader, reader->at, NULL));
    }
    if (token->length > COSM_NAME_LENGTH_MAX) {
        return cosmi_fail(reader->sink, COSM_ERROR_FORMAT,
                          "%s: %s: the name has %zu bytes, the limit is %u; correct it",
                          reader->call, place_text(reader, token->from, token->end), token->length,
                          COSM_NAME_LENGTH_MAX);
    }
    reader->at = token->end;
    skip_blanks(reader);
    return COSM_OK;
}

static bool is_mark(char c) {
    return c == '!' || c == '?' || c == '~';
}

// A word that is no name, before what may be one: a slip, or an access of another language.
static bool precedes_name(const struct query_reader *reader, const struct name_token *token) {
    return *token->from != '"' &&
           (is_name_start(*reader->at) || is_mark(*reader->at) || *reader->at == '"');
}

static cosm_result refuse_unknown(struct query_reader *reader, const struct name_token *token) {
    if (cosmi_schema_find_singleton(reader->schema, token->name) != 0) {
        return cosmi_fail(
            reader->sink, COSM_ERROR_FORMAT,
            "%s: %s: this is a singleton, but a query selects components; name it in desc.uses of "
            "the system",
            reader->call, place_text(reader, token->from, token->end));
    }
    const char *guess = cosmi_near_name(reader->schema, token->name, token->length, false);
    if (guess != NULL) {
        return cosmi_fail(reader->sink, COSM_ERROR_FORMAT,
                          "%s: %s: no component or bundle has this name; did you mean '%s'?",
                          reader->call, place_text(reader, token->from, token->end), guess);
    }
    if (precedes_name(reader, token)) {
        return cosmi_fail(reader->sink, COSM_ERROR_FORMAT,
                          "%s: %s: this is not an access; write 'mut NAME' to write, and the bare "
                          "name to read",
                          reader->call, place_text(reader, token->from, token->end));
    }
    return cosmi_fail(
        reader->sink, COSM_ERROR_FORMAT,
        "%s: %s: no component or bundle has this name; define it first, or correct it",
        reader->call, place_text(reader, token->from, token->end));
}

// Are changes of it kept?
static bool has_changes(const struct schema *schema, uint32_t id) {
    const struct value_type *type = schema_component(schema, id);
    return type != NULL && type->cell_size > 0;
}

// Reads a name and makes a term of it.
static cosm_result read_named(struct query_reader *reader, cosm_term_kind kind, cosm_access access,
                              bool changed) {
    struct name_token token;
    cosm_result result = read_name(reader, &token);
    if (result != COSM_OK) {
        return result;
    }
    uint32_t id = cosmi_schema_find_component(reader->schema, token.name);
    if (id == 0) {
        return refuse_unknown(reader, &token);
    }
    if (kind == COSM_TERM_OPTIONAL && (id & BUNDLE_BIT) != 0) {
        return cosmi_fail(reader->sink, COSM_ERROR_FORMAT,
                          "%s: %s: a bundle has no column, so '?' has no effect; write '?' before "
                          "each member that you want",
                          reader->call, place_text(reader, token.from, token.end));
    }
    if (changed && !has_changes(reader->schema, id)) {
        return cosmi_fail(reader->sink, COSM_ERROR_FORMAT,
                          "%s: %s: '~' needs a component with a column; remove it", reader->call,
                          place_text(reader, token.from, token.end));
    }
    if (reader->term_count == COSM_QUERY_TERM_MAX) {
        return cosmi_fail(reader->sink, COSM_ERROR_FORMAT,
                          "%s: %s: this exceeds the limit of %u terms; remove some, or combine "
                          "some in a bundle",
                          reader->call, place_text(reader, token.from, token.end),
                          COSM_QUERY_TERM_MAX);
    }
    cosm_term *term = &reader->terms[reader->term_count++];
    term->component.id = id;
    term->kind = kind;
    term->access = access;
    term->group = kind == COSM_TERM_ANY_OF ? reader->group_count : 0;
    term->changed = changed;
    return COSM_OK;
}

// Takes the word `mut` or `mark` where a name, a mark or a group follows it; alone it is a name.
static bool take_access(struct query_reader *reader, cosm_access *out_access) {
    static const struct {
        const char *word;
        cosm_access access;
    } known[] = {{"mut", COSM_ACCESS_WRITE}, {"mark", COSM_ACCESS_MARK}};
    for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
        size_t length = strlen(known[i].word);
        const char *behind = reader->at + length;
        if (strncmp(reader->at, known[i].word, length) != 0 || is_name_part(*behind)) {
            continue;
        }
        while (is_text_blank(*behind)) {
            behind++;
        }
        if (is_name_start(*behind) || is_mark(*behind) || *behind == '"' || *behind == '(') {
            reader->at = behind;
            *out_access = known[i].access;
            return true;
        }
    }
    return false;
}

static cosm_result read_prefix(struct query_reader *reader, struct term_prefix *prefix) {
    *prefix = (struct term_prefix){.access = COSM_ACCESS_READ};
    for (;; skip_blanks(reader)) {
        const char *from = reader->at;
        if (*from == '[') {
            return cosmi_fail(reader->sink, COSM_ERROR_FORMAT,
                              "%s: %s: an access has no brackets; write 'mut NAME' to write, and "
                              "the bare name to read",
                              reader->call, place_text(reader, from, NULL));
        }
        if (take_access(reader, &prefix->access)) {
            if (prefix->access_at != NULL) {
                return cosmi_fail(reader->sink, COSM_ERROR_FORMAT,
                                  "%s: %s: a term has at most one access; write 'mut' or 'mark', "
                                  "once",
                                  reader->call, place_text(reader, from, NULL));
            }
            prefix->access_at = from;
        } else if (is_mark(*from) && prefix->mark == NULL) {
            prefix->mark = from;
            reader->at++;
        } else if (is_mark(*from)) {
            return cosmi_fail(reader->sink, COSM_ERROR_FORMAT,
                              "%s: %s: a term has at most one of '!', '?' and '~'; remove this one",
                              reader->call, place_text(reader, from, NULL));
        } else {
            break;
        }
    }
    if (prefix->mark != NULL && *prefix->mark == '!' && prefix->access_at != NULL) {
        return cosmi_fail(reader->sink, COSM_ERROR_FORMAT,
                          "%s: %s: with '!' there is nothing to write; remove this word",
                          reader->call, place_text(reader, prefix->access_at, NULL));
    }
    return COSM_OK;
}

// Reads one of the alternatives of a group. `outer` is what stands before the group.
static cosm_result read_choice(struct query_reader *reader, const struct term_prefix *outer) {
    struct term_prefix prefix;
    cosm_result result = read_prefix(reader, &prefix);
    if (result != COSM_OK) {
        return result;
    }
    if (prefix.mark != NULL && *prefix.mark == '!') {
        return cosmi_fail(
            reader->sink, COSM_ERROR_FORMAT,
            "%s: %s: '!' cannot be an alternative; write '!A, (B | C)' if both must hold",
            reader->call, place_text(reader, prefix.mark, NULL));
    }
    if (prefix.mark != NULL && *prefix.mark == '?') {
        return cosmi_fail(reader->sink, COSM_ERROR_FORMAT,
                          "%s: %s: an alternative is optional already; write it without '?'",
                          reader->call, place_text(reader, prefix.mark, NULL));
    }
    if (prefix.access_at != NULL && outer->access_at != NULL) {
        return cosmi_fail(
            reader->sink, COSM_ERROR_FORMAT,
            "%s: %s: the access before the parenthesis applies to all names in it; keep that one, "
            "or one before each name",
            reader->call, place_text(reader, prefix.access_at, NULL));
    }
    if (*reader->at == '|') {
        return cosmi_fail(reader->sink, COSM_ERROR_FORMAT,
                          "%s: %s: alternatives have one '|' between them; remove this one",
                          reader->call, place_text(reader, reader->at, NULL));
    }
    if (*reader->at == '(') {
        return cosmi_fail(reader->sink, COSM_ERROR_FORMAT,
                          "%s: %s: alternatives do not nest; write '(A | B | C)'", reader->call,
                          place_text(reader, reader->at, NULL));
    }
    return read_named(reader, COSM_TERM_ANY_OF,
                      prefix.access_at != NULL ? prefix.access : outer->access,
                      prefix.mark != NULL);
}

// What can be wrong behind an alternative.
static cosm_result refuse_after_choice(struct query_reader *reader, const char *open) {
    if (*reader->at == '\0') {
        return cosmi_fail(reader->sink, COSM_ERROR_FORMAT,
                          "%s: %s: this parenthesis is not closed; write ')' after the last name",
                          reader->call, place_text(reader, open, NULL));
    }
    return cosmi_fail(
        reader->sink, COSM_ERROR_FORMAT,
        "%s: %s: expected '|' or ')' after an alternative; write one of these, or put the whole "
        "name in double quotes",
        reader->call, place_text(reader, reader->at, NULL));
}

// Reads alternatives, from the parenthesis on.
static cosm_result read_group(struct query_reader *reader, const struct term_prefix *prefix) {
    if (prefix->mark != NULL) {
        return cosmi_fail(reader->sink, COSM_ERROR_FORMAT,
                          "%s: %s: '%c' is for one name, not for a list; write '%s'", reader->call,
                          place_text(reader, prefix->mark, NULL), *prefix->mark,
                          *prefix->mark == '!'   ? "!A, !B"
                          : *prefix->mark == '?' ? "?A, ?B"
                                                 : "(~A | ~B)");
    }
    const char *open = reader->at;
    uint32_t count = 0;
    do {
        reader->at++;
        skip_blanks(reader);
        cosm_result result = read_choice(reader, prefix);
        if (result != COSM_OK) {
            return result;
        }
        count++;
    } while (*reader->at == '|');
    if (*reader->at != ')') {
        return refuse_after_choice(reader, open);
    }
    if (count == 1) {
        return cosmi_fail(reader->sink, COSM_ERROR_FORMAT,
                          "%s: %s: one name is not a list of alternatives; write it without "
                          "parentheses, or add '| B'",
                          reader->call, place_text(reader, open, NULL));
    }
    reader->at++;
    skip_blanks(reader);
    reader->group_count++;
    return COSM_OK;
}

static cosm_result read_term(struct query_reader *reader) {
    if (*reader->at == ',') {
        return cosmi_fail(reader->sink, COSM_ERROR_FORMAT,
                          "%s: %s: there is no term before this comma; remove it", reader->call,
                          place_text(reader, reader->at, NULL));
    }
    struct term_prefix prefix;
    cosm_result result = read_prefix(reader, &prefix);
    if (result != COSM_OK) {
        return result;
    }
    if (*reader->at == '(') {
        return read_group(reader, &prefix);
    }
    char mark = prefix.mark == NULL ? ' ' : *prefix.mark;
    cosm_term_kind kind = mark == '!'   ? COSM_TERM_WITHOUT
                          : mark == '?' ? COSM_TERM_OPTIONAL
                                        : COSM_TERM_WITH;
    return read_named(reader, kind, prefix.access, mark == '~');
}

// What can be wrong behind a term.
static cosm_result refuse_after_term(struct query_reader *reader) {
    const char *word = strncmp(reader->at, "mut", 3) == 0    ? "mut"
                       : strncmp(reader->at, "mark", 4) == 0 ? "mark"
                                                             : NULL;
    if (word != NULL && !is_name_part(reader->at[strlen(word)])) {
        return cosmi_fail(reader->sink, COSM_ERROR_FORMAT,
                          "%s: %s: '%s' comes before the name; write '%s NAME'", reader->call,
                          place_text(reader, reader->at, NULL), word, word);
    }
    if (*reader->at == '|') {
        return cosmi_fail(reader->sink, COSM_ERROR_FORMAT,
                          "%s: %s: alternatives need parentheses; write '(A | B)'", reader->call,
                          place_text(reader, reader->at, NULL));
    }
    if (*reader->at == ')') {
        return cosmi_fail(reader->sink, COSM_ERROR_FORMAT,
                          "%s: %s: no parenthesis is open here; remove this one, or write '(' "
                          "before the first alternative",
                          reader->call, place_text(reader, reader->at, NULL));
    }
    return cosmi_fail(
        reader->sink, COSM_ERROR_FORMAT,
        "%s: %s: expected ',' or the end after a term; write ',', or put the whole name in double "
        "quotes",
        reader->call, place_text(reader, reader->at, NULL));
}

static cosm_result read_terms(struct query_reader *reader) {
    skip_blanks(reader);
    while (*reader->at != '\0') {
        cosm_result result = read_term(reader);
        if (result != COSM_OK || *reader->at == '\0') {
            return result;
        }
        if (*reader->at != ',') {
            return refuse_after_term(reader);
        }
        const char *comma = reader->at++;
        skip_blanks(reader);
        if (*reader->at == '\0') {
            return cosmi_fail(reader->sink, COSM_ERROR_FORMAT,
                              "%s: %s: there is no term after the last comma; remove it",
                              reader->call, place_text(reader, comma, NULL));
        }
    }
    return COSM_OK;
}

cosm_result cosmi_query_parse(struct schema *schema, const char *call, const char *text,
                              cosm_query_desc *out_desc) {
    struct query_reader reader = {
        .schema = schema, .sink = schema->sink, .call = call, .text = text, .at = text};
    cosm_result result = read_terms(&reader);
    if (result == COSM_OK) {
        memcpy(out_desc->terms, reader.terms, sizeof(reader.terms));
        out_desc->text = NULL;
    }
    return result;
}

// What stands in a list of names, item by item; one of the two has room for it.
struct name_list {
    cosm_component *components;
    struct text_use *uses;
    uint32_t count;
};

typedef cosm_result read_item_fn(struct query_reader *reader, struct name_list *list);

// Reads items with commas between them, at most `max`.
static cosm_result read_names(struct query_reader *reader, uint32_t max, read_item_fn *read,
                              struct name_list *list) {
    skip_blanks(reader);
    for (uint32_t count = 0; *reader->at != '\0'; count++) {
        if (count == max) {
            return cosmi_fail(
                reader->sink, COSM_ERROR_FORMAT,
                "%s: %s: this exceeds the limit of %u names; remove some, or combine some in a "
                "bundle",
                reader->call, place_text(reader, reader->at, NULL), max);
        }
        cosm_result result = read(reader, list);
        if (result != COSM_OK || *reader->at == '\0') {
            return result;
        }
        if (*reader->at != ',') {
            return cosmi_fail(reader->sink, COSM_ERROR_FORMAT,
                              "%s: %s: expected ',' or the end after a name; write ',', or put "
                              "the whole name in double quotes",
                              reader->call, place_text(reader, reader->at, NULL));
        }
        const char *comma = reader->at++;
        skip_blanks(reader);
        if (*reader->at == '\0') {
            return cosmi_fail(reader->sink, COSM_ERROR_FORMAT,
                              "%s: %s: there is no name after the last comma; remove it",
                              reader->call, place_text(reader, comma, NULL));
        }
    }
    return COSM_OK;
}

static cosm_result parse_names(struct schema *schema, const char *call, const char *text,
                               uint32_t max, read_item_fn *read, struct name_list *list,
                               uint32_t *out_count) {
    struct query_reader reader = {
        .schema = schema, .sink = schema->sink, .call = call, .text = text, .at = text};
    cosm_result result = read_names(&reader, max, read, list);
    *out_count = list->count;
    return result;
}

static cosm_result read_component(struct query_reader *reader, struct name_list *list) {
    struct name_token token;
    cosm_result result = read_name(reader, &token);
    if (result != COSM_OK) {
        return result;
    }
    uint32_t id = cosmi_schema_find_component(reader->schema, token.name);
    if (id == 0 && cosmi_schema_find_singleton(reader->schema, token.name) != 0) {
        return cosmi_fail(reader->sink, COSM_ERROR_FORMAT,
                          "%s: %s: this is a singleton, which every world has; list components "
                          "only",
                          reader->call, place_text(reader, token.from, token.end));
    }
    if (id == 0) {
        return refuse_unknown(reader, &token);
    }
    list->components[list->count++] = (cosm_component){id};
    return COSM_OK;
}

cosm_result cosmi_components_parse(struct schema *schema, const char *call, const char *text,
                                   uint32_t max, cosm_component *out_list, uint32_t *out_count) {
    struct name_list list = {.components = out_list};
    return parse_names(schema, call, text, max, read_component, &list, out_count);
}

static cosm_result refuse_unknown_use(struct query_reader *reader, const struct name_token *token) {
    const char *guess = cosmi_near_name(reader->schema, token->name, token->length, true);
    if (guess != NULL) {
        return cosmi_fail(reader->sink, COSM_ERROR_FORMAT,
                          "%s: %s: no component, bundle or singleton has this name; did you mean "
                          "'%s'?",
                          reader->call, place_text(reader, token->from, token->end), guess);
    }
    if (precedes_name(reader, token)) {
        return refuse_unknown(reader, token);
    }
    return cosmi_fail(reader->sink, COSM_ERROR_FORMAT,
                      "%s: %s: no component, bundle or singleton has this name; define it "
                      "first, or correct it",
                      reader->call, place_text(reader, token->from, token->end));
}

static cosm_result read_use(struct query_reader *reader, struct name_list *list) {
    cosm_access access = COSM_ACCESS_READ;
    (void)take_access(reader, &access);
    if (is_mark(*reader->at) || *reader->at == '(') {
        return cosmi_fail(reader->sink, COSM_ERROR_FORMAT,
                          "%s: %s: uses takes names, with or without 'mut'; remove '%c'",
                          reader->call, place_text(reader, reader->at, NULL), *reader->at);
    }
    struct name_token token;
    cosm_result result = read_name(reader, &token);
    if (result != COSM_OK) {
        return result;
    }
    uint32_t component = cosmi_schema_find_component(reader->schema, token.name);
    uint32_t singleton = cosmi_schema_find_singleton(reader->schema, token.name);
    if (component != 0 && singleton != 0) {
        return cosmi_fail(reader->sink, COSM_ERROR_FORMAT,
                          "%s: %s: a component and a singleton have this name; use ids, in "
                          "desc.reads, desc.writes and desc.singletons",
                          reader->call, place_text(reader, token.from, token.end));
    }
    if (component == 0 && singleton == 0) {
        return refuse_unknown_use(reader, &token);
    }
    list->uses[list->count++] =
        (struct text_use){{component}, {singleton}, access != COSM_ACCESS_READ};
    return COSM_OK;
}

cosm_result cosmi_uses_parse(struct schema *schema, const char *call, const char *text,
                             uint32_t max, struct text_use *out_list, uint32_t *out_count) {
    struct name_list list = {.uses = out_list};
    return parse_names(schema, call, text, max, read_use, &list, out_count);
}

struct query_writer {
    const cosm_query *query;
    cosm_text_fn *write;
    void *context;
};

static void say(const struct query_writer *writer, const char *text) {
    writer->write(writer->context, text, strlen(text));
}

static bool is_identifier(const char *name) {
    if (!is_name_start(*name)) {
        return false;
    }
    while (is_name_part(*name)) {
        name++;
    }
    return *name == '\0';
}

static void say_quoted(const struct query_writer *writer, const char *name) {
    say(writer, "\"");
    while (*name != '\0') {
        // The byte that needs a backslash goes out with what follows it.
        if (*name == '"' || *name == '\\') {
            say(writer, "\\");
        }
        size_t length = 1 + strcspn(name + 1, "\"\\");
        writer->write(writer->context, name, length);
        name += length;
    }
    say(writer, "\"");
}

static void say_access(const struct query_writer *writer, cosm_access access) {
    if (access != COSM_ACCESS_READ) {
        say(writer, access == COSM_ACCESS_WRITE ? "mut " : "mark ");
    }
}

static void say_term(const struct query_writer *writer, const cosm_term *term, bool access) {
    const struct schema *schema = writer->query->cache->schema;
    if (term->kind == COSM_TERM_WITHOUT || term->kind == COSM_TERM_OPTIONAL) {
        say(writer, term->kind == COSM_TERM_WITHOUT ? "!" : "?");
    }
    if (term->changed) {
        say(writer, "~");
    }
    if (access && term->kind != COSM_TERM_WITHOUT) {
        say_access(writer, term->access);
    }
    const struct bundle *bundle = schema_bundle(schema, term->component.id);
    const char *name =
        bundle != NULL ? bundle->name : schema_component(schema, term->component.id)->name;
    if (is_identifier(name) && strcmp(name, "mut") != 0 && strcmp(name, "mark") != 0) {
        say(writer, name);
    } else {
        say_quoted(writer, name);
    }
}

// Prints all terms of the group of term number `first`, which is the first one of them.
static void say_group(const struct query_writer *writer, uint32_t first) {
    const cosm_query *query = writer->query;
    uint32_t group = query->terms[first].group;
    uint32_t count = 0;
    cosm_access access = query->terms[first].access;
    bool is_common = true;
    for (uint32_t i = first; i < query->term_count; i++) {
        if (query->terms[i].kind == COSM_TERM_ANY_OF && query->terms[i].group == group) {
            count++;
            is_common = is_common && query->terms[i].access == access;
        }
    }
    if (count == 1) {
        say_term(writer, &query->terms[first], true);
        return;
    }
    if (is_common) {
        say_access(writer, access);
    }
    const char *before = "(";
    for (uint32_t i = first; i < query->term_count; i++) {
        if (query->terms[i].kind == COSM_TERM_ANY_OF && query->terms[i].group == group) {
            say(writer, before);
            say_term(writer, &query->terms[i], !is_common);
            before = " | ";
        }
    }
    say(writer, ")");
}

void cosmi_query_print(const cosm_query *query, cosm_text_fn *write, void *context) {
    struct query_writer writer = {query, write, context};
    uint32_t said_groups = 0;
    for (uint32_t i = 0; i < query->term_count; i++) {
        const cosm_term *term = &query->terms[i];
        uint32_t group = term->kind == COSM_TERM_ANY_OF ? 1u << term->group : 0;
        if ((said_groups & group) != 0) {
            continue;
        }
        said_groups |= group;
        if (i > 0) {
            say(&writer, ", ");
        }
        if (group != 0) {
            say_group(&writer, i);
        } else {
            say_term(&writer, term, true);
        }
    }
}
