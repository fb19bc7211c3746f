// A JSON text, token by token: structure, strings, numbers, and what is said of faults in them.
#include "scan.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "number_eight.h"

// Bytes of a text that a message quotes at most, and the room for a phrase around them.
#define QUOTE_MAX 24
#define PHRASE_SIZE 64

#define MESSAGE_SIZE 512

#if defined(__GNUC__)
#define COLD __attribute__((cold, noinline))
#else
#define COLD
#endif

void cosmi_text_scan_begin(struct scan *scan, const cosm_engine *engine, const char *call,
                           const char *text, size_t length) {
    const char *start = text == NULL ? "" : text;
    *scan = (struct scan){
        .text = start,
        .at = start,
        .end = start + (text == NULL ? 0 : length),
        .engine = engine,
        .call = call,
        .result = COSM_OK,
    };
}

COLD bool cosmi_text_scan_fail(struct scan *scan, const char *where, const char *format, ...) {
    if (scan->result != COSM_OK) {
        return false;
    }
    const char *place = where == NULL ? scan->at : where;
    size_t line = 1;
    const char *line_start = scan->text;
    for (const char *at = scan->text; at < place && at < scan->end; at++) {
        if (*at == '\n') {
            line++;
            line_start = at + 1;
        }
    }
    char message[MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof(message), format, arguments);
    va_end(arguments);
    scan->result = cosm_error_raise(scan->engine, COSM_ERROR_FORMAT, "%s: line %zu, column %zu: %s",
                                    scan->call, line, (size_t)(place - line_start) + 1u, message);
    scan->at = scan->end;
    return false;
}

static bool is_one_of(char c, const char *set) {
    return c != '\0' && strchr(set, c) != NULL;
}

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// Where the word or number at `at` ends, or the string, without its quotes.
static const char *quote_end(const char *at, const char *end, bool is_string) {
    while (at < end && at[0] != '\n') {
        if (is_string ? *at == '"' : !is_letter(*at) && !is_digit(*at) && !is_one_of(*at, "+-._")) {
            break;
        }
        at += is_string && *at == '\\' && end - at > 1 ? 2 : 1;
    }
    return at;
}

// Writes text between `before` and `after`, cut to QUOTE_MAX and made printable.
static void quote(const char *before, const char *at, const char *end, const char *after,
                  char out[PHRASE_SIZE]) {
    char text[QUOTE_MAX + 1];
    size_t length = 0;
    for (; at < end && length < QUOTE_MAX; at++) {
        text[length++] = *at >= ' ' && *at <= '~' ? *at : '?';
    }
    text[length] = '\0';
    (void)snprintf(out, PHRASE_SIZE, "%s%s%s%s", before, text, at < end ? "..." : "", after);
}

// What stands at a place, in words.
static const char *describe(const struct scan *scan, const char *at, char out[PHRASE_SIZE]) {
    const char *end = scan->end;
    if (at >= end) {
        return "the end of the text";
    }
    char c = *at;
    if (c == '{' || c == '[') {
        return c == '{' ? "an object" : "an array";
    }
    if (end - at >= 3 && memcmp(at, "\xEF\xBB\xBF", 3) == 0) {
        return "a byte order mark";
    }
    if (c == '"') {
        quote("a string \"", at + 1, quote_end(at + 1, end, true), "\"", out);
    } else if (is_digit(c) || c == '-') {
        quote("a number ", at, quote_end(at, end, false), "", out);
    } else if (is_letter(c) || is_one_of(c, "+.")) {
        quote("'", at, quote_end(at, end, false), "'", out);
    } else if (c > ' ' && c <= '~') {
        quote("'", at, at + 1, "'", out);
    } else {
        (void)snprintf(out, PHRASE_SIZE, "a byte 0x%02X", (unsigned)(unsigned char)c);
    }
    return out;
}

COLD static bool fail_expected(struct scan *scan, const char *expected, const char *remedy) {
    char phrase[PHRASE_SIZE];
    return cosmi_text_scan_fail(scan, NULL, "expected %s, found %s; %s", expected,
                                describe(scan, scan->at, phrase), remedy);
}

// Something in a string, which begins at `start` with its quote.
COLD static bool fail_string(struct scan *scan, const char *where, const char *start,
                             const char *fault) {
    char phrase[PHRASE_SIZE];
    describe(scan, start, phrase);
    return cosmi_text_scan_fail(scan, where, "in %s: %s", phrase, fault);
}

static bool is_space(char c) {
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

static inline void skip_space(struct scan *scan) {
    const char *at = scan->at;
    while (at < scan->end && is_space(*at)) {
        at++;
    }
    scan->at = at;
}

// Is this the next character, after space? Passes it only then.
static inline bool take(struct scan *scan, char c) {
    skip_space(scan);
    if (scan->at < scan->end && *scan->at == c) {
        scan->at++;
        return true;
    }
    return false;
}

bool cosmi_text_scan_end(struct scan *scan) {
    skip_space(scan);
    if (scan->at < scan->end) {
        return fail_expected(scan, "the end of the text", "remove what follows the value");
    }
    return scan->result == COSM_OK;
}

enum scan_kind cosmi_text_scan_peek(struct scan *scan) {
    skip_space(scan);
    if (scan->at == scan->end) {
        return SCAN_END;
    }
    switch (*scan->at) {
    case '{':
        return SCAN_OBJECT;
    case '[':
        return SCAN_ARRAY;
    case '"':
        return SCAN_STRING;
    case 't':
        return SCAN_TRUE;
    case 'f':
        return SCAN_FALSE;
    case 'n':
        return SCAN_NULL;
    case '-':
        return SCAN_NUMBER;
    default:
        return is_digit(*scan->at) ? SCAN_NUMBER : SCAN_OTHER;
    }
}

// The length of the character at `at`, which is not ASCII; zero where it is not one of UTF-8: cut
// off, longer than need be, a surrogate, or beyond U+10FFFF.
static size_t utf8_length(const char *at, const char *end) {
    unsigned char lead = (unsigned char)at[0];
    size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4 || (size_t)(end - at) < length) {
        return 0;
    }
    // Only the second byte has bounds of its own, and only behind four of the leads.
    unsigned char low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    unsigned char high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    unsigned char second = (unsigned char)at[1];
    if (second < low || second > high) {
        return 0;
    }
    for (size_t i = 2; i < length; i++) {
        if (((unsigned char)at[i] & 0xC0u) != 0x80) {
            return 0;
        }
    }
    return length;
}

// Four hex digits behind \u; false where they are not.
static bool hex_four(const char *at, const char *end, uint32_t *out_code) {
    uint32_t code = 0;
    if (end - at < 4) {
        return false;
    }
    for (int i = 0; i < 4; i++) {
        char lower = (char)(at[i] | 0x20);
        if (is_digit(at[i])) {
            code = code << 4 | (uint32_t)(at[i] - '0');
        } else if (lower >= 'a' && lower <= 'f') {
            code = code << 4 | (uint32_t)(lower - 'a' + 10);
        } else {
            return false;
        }
    }
    *out_code = code;
    return true;
}

// The escape at `at`, a backslash: how long it is, and which character it stands for. Zero where it
// is wrong, with *out_fault saying how.
static size_t read_escape(const char *at, const char *end, uint32_t *out_code,
                          const char **out_fault) {
    static const char names[] = "\"\\/bfnrt";
    static const char values[] = "\"\\/\b\f\n\r\t";
    *out_fault = "an unknown escape; \\\\ is a backslash";
    if (end - at < 2) {
        return 0;
    }
    if (at[1] != 'u') {
        const char *name = at[1] == '\0' ? NULL : strchr(names, at[1]);
        *out_code = name == NULL ? 0 : (uint32_t)values[name - names];
        return name == NULL ? 0 : 2;
    }
    uint32_t code;
    if (!hex_four(at + 2, end, &code)) {
        *out_fault = "\\u without four hex digits; write all four, such as \\u00e9";
        return 0;
    }
    if (code < 0xD800 || code > 0xDFFF) {
        *out_code = code;
        return 6;
    }
    uint32_t second;
    if (code > 0xDBFF || end - at < 12 || at[6] != '\\' || at[7] != 'u' ||
        !hex_four(at + 8, end, &second) || second < 0xDC00 || second > 0xDFFF) {
        *out_fault = "half of a surrogate pair; write both, such as \\ud83d\\ude00";
        return 0;
    }
    *out_code = 0x10000u + ((code - 0xD800u) << 10) + (second - 0xDC00u);
    return 12;
}

// Passes characters that stand for themselves and are ASCII, eight at a time where there are as
// many.
static inline const char *pass_plain(const char *at, const char *end) {
    const uint64_t ones = 0x0101010101010101u;
    while (end - at >= 8) {
        uint64_t bytes = load_eight(at);
        // Each term has the top bit of a byte set where that is a control character, a quote, a
        // backslash, or not ASCII. A borrow reaches only bytes behind one that is found anyway.
        uint64_t found = ((bytes - ones * 0x20) | ((bytes ^ ones * '"') - ones) |
                          ((bytes ^ ones * '\\') - ones) | bytes) &
                         ones * 0x80;
        if (found != 0) {
            return at + (__builtin_ctzll(found) >> 3);
        }
        at += 8;
    }
    while (at < end && (unsigned char)*at >= 0x20 && (unsigned char)*at < 0x80 && *at != '"' &&
           *at != '\\') {
        at++;
    }
    return at;
}

// Passes what pass_plain has stopped at, other than a quote; NULL, with a failure, where it is
// wrong.
static const char *pass_other(struct scan *scan, const char *at, const char *start) {
    const char *fault = NULL;
    size_t length = 0;
    if (at == scan->end) {
        fault = "it is not closed; close it with a double quote";
    } else if (*at == '\\') {
        uint32_t code;
        length = read_escape(at, scan->end, &code, &fault);
    } else if ((unsigned char)*at < 0x20) {
        fault = "a control character; write it as an escape, such as \\n";
    } else {
        length = utf8_length(at, scan->end);
        fault = "a byte that is not UTF-8; save the text as UTF-8";
    }
    if (length == 0) {
        fail_string(scan, at, start, fault);
        return NULL;
    }
    return at + length;
}

// Passes the string at the quote where the scan is.
static inline bool pass_string(struct scan *scan, struct scan_string *out_string) {
    const char *start = scan->at;
    const char *at = start + 1;
    bool is_plain = true;
    for (;;) {
        at = pass_plain(at, scan->end);
        if (at < scan->end && *at == '"') {
            break;
        }
        is_plain = is_plain && at < scan->end && *at != '\\';
        at = pass_other(scan, at, start);
        if (at == NULL) {
            return false;
        }
    }
    scan->at = at + 1;
    *out_string = (struct scan_string){start + 1, (size_t)(at - start - 1), is_plain};
    return true;
}

static bool open_bracket(struct scan *scan, char bracket, const char *expected,
                         const char *remedy) {
    if (!take(scan, bracket)) {
        return fail_expected(scan, expected, remedy);
    }
    if (scan->depth == SCAN_DEPTH_MAX) {
        return cosmi_text_scan_fail(scan, scan->at - 1,
                                    "more than %u nested objects and arrays; nest them less deeply",
                                    SCAN_DEPTH_MAX);
    }
    scan->depth++;
    return true;
}

bool cosmi_text_scan_object(struct scan *scan) {
    return open_bracket(scan, '{', "an object", "begin it with '{'");
}

bool cosmi_text_scan_array(struct scan *scan) {
    return open_bracket(scan, '[', "an array", "begin it with '['");
}

bool cosmi_text_scan_member(struct scan *scan, bool *first, struct scan_string *out_key) {
    if (take(scan, '}')) {
        scan->depth--;
        return false;
    }
    if (!*first && !take(scan, ',')) {
        return fail_expected(scan, "',' or '}' after a member",
                             "commas separate members, and '}' ends the object");
    }
    skip_space(scan);
    if (scan->at == scan->end || *scan->at != '"') {
        return fail_expected(scan, "the name of a member",
                             *first ? "write it in double quotes, or end the object with '}'"
                                    : "write it in double quotes, or remove the preceding comma");
    }
    *first = false;
    if (!pass_string(scan, out_key)) {
        return false;
    }
    return take(scan, ':') ||
           fail_expected(scan, "':' after the name of a member", "a colon comes before the value");
}

bool cosmi_text_scan_element(struct scan *scan, bool *first) {
    if (take(scan, ']')) {
        scan->depth--;
        return false;
    }
    if (!*first && !take(scan, ',')) {
        return fail_expected(scan, "',' or ']' after an element",
                             "commas separate elements, and ']' ends the array");
    }
    skip_space(scan);
    if (scan->at < scan->end && *scan->at == ']') {
        return fail_expected(scan, "an element after ','", "remove the comma before");
    }
    *first = false;
    return scan->at < scan->end || fail_expected(scan, "an element", "end the array with ']'");
}

bool cosmi_text_scan_take_string(struct scan *scan, struct scan_string *out_string) {
    skip_space(scan);
    if (scan->at == scan->end || *scan->at != '"') {
        return fail_expected(scan, "a string", "write it in double quotes");
    }
    return pass_string(scan, out_string);
}

COLD static bool fail_number(struct scan *scan) {
    enum scan_kind kind = cosmi_text_scan_peek(scan);
    if (kind != SCAN_NUMBER) {
        return fail_expected(scan, "a number",
                             kind == SCAN_STRING ? "write it without quotes"
                                                 : "write one such as 1.5");
    }
    char phrase[PHRASE_SIZE];
    const char *at = scan->at + (*scan->at == '-');
    const char *fault = "has no digit after its exponent; write one such as 1e5";
    if (at == scan->end || !is_digit(*at)) {
        fault = "has no digits after its sign; write one such as -1.5";
    } else if (*at == '0' && scan->end - at > 1 && is_digit(at[1])) {
        fault = "begins with a zero; remove it";
    } else {
        while (at < scan->end && is_digit(*at)) {
            at++;
        }
        if (at < scan->end && *at == '.' && (scan->end - at < 2 || !is_digit(at[1]))) {
            fault = "has no digit after its point; write one such as 1.0";
        }
    }
    return cosmi_text_scan_fail(scan, NULL, "%s %s", describe(scan, scan->at, phrase), fault);
}

bool cosmi_text_scan_take_number(struct scan *scan, struct number *out_number) {
    skip_space(scan);
    if (!cosmi_text_scan_number(scan->at, scan->end, out_number)) {
        return fail_number(scan);
    }
    scan->at += out_number->length;
    return true;
}

static bool take_word(struct scan *scan, const char *word, size_t length) {
    if ((size_t)(scan->end - scan->at) < length || memcmp(scan->at, word, length) != 0) {
        return false;
    }
    scan->at += length;
    return true;
}

bool cosmi_text_scan_take_bool(struct scan *scan, bool *out_value) {
    skip_space(scan);
    *out_value = take_word(scan, "true", 4);
    return *out_value || take_word(scan, "false", 5) ||
           fail_expected(scan, "true or false", "write one of the two, without quotes");
}

bool cosmi_text_scan_take_null(struct scan *scan) {
    skip_space(scan);
    return take_word(scan, "null", 4) || fail_expected(scan, "null", "write null, without quotes");
}

bool cosmi_text_scan_skip(struct scan *scan) {
    struct scan_string string;
    struct number number;
    bool first = true;
    bool value;
    switch (cosmi_text_scan_peek(scan)) {
    case SCAN_OBJECT:
        if (cosmi_text_scan_object(scan)) {
            while (cosmi_text_scan_member(scan, &first, &string) && cosmi_text_scan_skip(scan)) {
            }
        }
        return scan->result == COSM_OK;
    case SCAN_ARRAY:
        if (cosmi_text_scan_array(scan)) {
            while (cosmi_text_scan_element(scan, &first) && cosmi_text_scan_skip(scan)) {
            }
        }
        return scan->result == COSM_OK;
    case SCAN_STRING:
        return cosmi_text_scan_take_string(scan, &string);
    case SCAN_NUMBER:
        return cosmi_text_scan_take_number(scan, &number);
    case SCAN_TRUE:
    case SCAN_FALSE:
        return cosmi_text_scan_take_bool(scan, &value);
    case SCAN_NULL:
        return cosmi_text_scan_take_null(scan);
    default:
        return fail_expected(scan, "a value", "write one, such as 1.5, \"text\" or null");
    }
}

// A character as UTF-8; returns how many bytes.
static size_t encode(uint32_t code, char out[4]) {
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    size_t length = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (size_t i = length - 1; i > 0; i--) {
        out[i] = (char)(0x80u | (code & 0x3Fu));
        code >>= 6;
    }
    // The lead has as many ones on top as there are bytes.
    out[0] = (char)((0xF00u >> length & 0xFFu) | code);
    return length;
}

// The next piece of a string: characters as they are, up to the next escape, or what one stands
// for, at `buffer`. Returns what to pass in the string, zero at its end.
static size_t next_piece(const char *at, const char *end, char buffer[4], const char **out_piece,
                         size_t *out_length) {
    uint32_t code;
    const char *fault;
    size_t passed = 0;
    if (at < end && *at == '\\') {
        passed = read_escape(at, end, &code, &fault);
        *out_length = passed == 0 ? 0 : encode(code, buffer);
        *out_piece = buffer;
        return passed;
    }
    if (at < end) {
        const char *escape = memchr(at, '\\', (size_t)(end - at));
        passed = (size_t)((escape == NULL ? end : escape) - at);
    }
    *out_length = passed;
    *out_piece = at;
    return passed;
}

bool cosmi_text_scan_unescape(struct scan *scan, struct scan_string string, size_t max, char *out,
                              size_t *out_length) {
    const char *at = string.text;
    const char *end = string.text + string.length;
    size_t total = 0;
    char buffer[4];
    const char *piece;
    size_t length;
    for (size_t passed; (passed = next_piece(at, end, buffer, &piece, &length)) != 0;
         at += passed) {
        size_t room = total < max ? max - total : 0;
        size_t fitting = length < room ? length : room;
        if (fitting > 0) {
            memcpy(out + total, piece, fitting);
        }
        total += length;
    }
    *out_length = total;
    return scan->result == COSM_OK;
}

bool cosmi_text_scan_equals(struct scan_string string, const char *name) {
    size_t left = strlen(name);
    if (string.is_plain) {
        return string.length == left && memcmp(string.text, name, left) == 0;
    }
    const char *at = string.text;
    const char *end = string.text + string.length;
    char buffer[4];
    const char *piece;
    size_t length;
    for (size_t passed; (passed = next_piece(at, end, buffer, &piece, &length)) != 0;
         at += passed) {
        if (length > left || memcmp(piece, name, length) != 0) {
            return false;
        }
        name += length;
        left -= length;
    }
    return left == 0;
}
