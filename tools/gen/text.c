// Texts, literals, and words that look alike.
#include "text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void text_add_bytes(struct text *text, const char *bytes, size_t length) {
    if (length >= text->capacity - text->length) {
        size_t capacity = (text->length + length + 1) * 2;
        char *larger = arena_take(text->arena, capacity);
        if (text->length > 0) {
            memcpy(larger, text->data, text->length);
        }
        text->data = larger;
        text->capacity = capacity;
    }
    memcpy(text->data + text->length, bytes, length);
    text->length += length;
    text->data[text->length] = '\0';
}

void text_add(struct text *text, const char *more) {
    text_add_bytes(text, more, strlen(more));
}

void text_add_format(struct text *text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    text_add(text, arena_format_list(text->arena, format, arguments));
    va_end(arguments);
}

const char *text_data(const struct text *text) {
    return text->data == NULL ? "" : text->data;
}

size_t text_letter_size(const char *at, const char *end) {
    unsigned char first = (unsigned char)*at;
    size_t size = first < 0x80 ? 1 : first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    if (size == 0 || first > 0xF4 || (size_t)(end - at) < size) {
        return 0;
    }
    for (size_t i = 1; i < size; i++) {
        if (((unsigned char)at[i] & 0xC0) != 0x80) {
            return 0;
        }
    }
    return size;
}

void text_add_literal(struct text *text, const char *value) {
    const char *end = value + strlen(value);
    text_add(text, "\"");
    for (const char *at = value; at < end; at++) {
        size_t size = text_letter_size(at, end);
        if (size > 1) {
            text_add_bytes(text, at, size);
            at += size - 1;
            continue;
        }
        if (*at == '"' || *at == '\\') {
            text_add_format(text, "\\%c", *at);
        } else if (*at == '\n') {
            text_add(text, "\\n");
        } else if (*at == '?' && at > value && at[-1] == '?') {
            text_add(text, "\\?"); // "??=" and its like are other characters in C17
        } else if (size == 0 || *at < ' ' || *at == 127) {
            text_add_format(text, "\\%03o", (unsigned)(unsigned char)*at);
        } else {
            text_add_bytes(text, at, 1);
        }
    }
    text_add(text, "\"");
}

static bool reads_back(const char *digits, double value, bool is_float) {
    return is_float ? strtof(digits, NULL) == (float)value : strtod(digits, NULL) == value;
}

void text_add_double(struct text *text, double value, bool is_float) {
    if (isnan(value)) {
        text_add(text, "NAN");
        return;
    }
    if (isinf(value)) {
        text_add_format(text, "%s%s", value < 0 ? "-" : "", is_float ? "INFINITY" : "HUGE_VAL");
        return;
    }
    char digits[40];
    int precision = 1;
    if (value == trunc(value) && fabs(value) < 1e15) {
        text_add_format(text, "%.1f%s", value, is_float ? "f" : "");
        return;
    }
    do {
        snprintf(digits, sizeof(digits), "%.*g", precision, value);
    } while (++precision <= 17 && !reads_back(digits, value, is_float));
    text_add(text, digits);
    text_add_format(text, "%s%s", strpbrk(digits, ".e") == NULL ? ".0" : "", is_float ? "f" : "");
}

bool text_is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool text_is_digit(char c) {
    return c >= '0' && c <= '9';
}

bool text_is_space(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

bool text_is_identifier(const char *text) {
    if (!text_is_letter(*text)) {
        return false;
    }
    while (text_is_letter(*text) || text_is_digit(*text)) {
        text++;
    }
    return *text == '\0';
}

enum { WORD_MAX = 32 };

static unsigned least(unsigned a, unsigned b) {
    return a < b ? a : b;
}

// How many letters to put in, take out, change or swap to get from one word to the other.
static unsigned distance(const char *a, const char *b) {
    unsigned steps[WORD_MAX + 1][WORD_MAX + 1];
    size_t a_length = strlen(a);
    size_t b_length = strlen(b);
    if (a_length > WORD_MAX || b_length > WORD_MAX) {
        return WORD_MAX;
    }
    for (unsigned i = 0; i <= a_length; i++) {
        for (unsigned j = 0; j <= b_length; j++) {
            if (i == 0 || j == 0) {
                steps[i][j] = i + j;
                continue;
            }
            unsigned best = steps[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            best = least(best, least(steps[i - 1][j], steps[i][j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                best = least(best, steps[i - 2][j - 2] + 1);
            }
            steps[i][j] = best;
        }
    }
    return steps[a_length][b_length];
}

const char *text_nearest(const char *word, const char *const *words) {
    const char *nearest = NULL;
    unsigned limit = (unsigned)strlen(word) / 3; // further away it is another word
    limit = limit == 0 ? 2 : limit + 1;
    for (; *words != NULL; words++) {
        unsigned away = distance(word, *words);
        if (away < limit) {
            limit = away;
            nearest = *words;
        }
    }
    return nearest;
}
