// A text that grows at its end: what the generated files are put together in.
#ifndef COSM_GEN_TEXT_H
#define COSM_GEN_TEXT_H

#include "memory.h"

// Good with an arena and the rest zeroed. `data` ends with a zero once something was added.
struct text {
    struct arena *arena;
    char *data;
    size_t length;
    size_t capacity;
};

void text_add_bytes(struct text *text, const char *bytes, size_t length);
void text_add(struct text *text, const char *more);
void text_add_format(struct text *text, const char *format, ...) GEN_PRINTF(2, 3);

// The text, "" where nothing was added.
const char *text_data(const struct text *text);

// Adds a C string literal, quotes included, that means `value` in C17 and C++17.
void text_add_literal(struct text *text, const char *value);

// Adds a number as C text that has exactly its value: shortest that reads back, with a point. For
// a float, `is_float`, with an f behind it. Infinities and NaN by their names in math.h.
void text_add_double(struct text *text, double value, bool is_float);

// How many bytes the letter at `at` has, or zero where it is not UTF-8.
size_t text_letter_size(const char *at, const char *end);

bool text_is_identifier(const char *text);
bool text_is_letter(char c); // letters and the underscore
bool text_is_digit(char c);
bool text_is_space(char c);

// The word of `words` (ended by NULL) that is nearest to `word`, or NULL where none is near.
const char *text_nearest(const char *word, const char *const *words);

#endif
