// Help, printed from the tables of commands and options, and the word that a wrong one was meant to
// be.
#ifndef COSM_TOOL_HELP_H
#define COSM_TOOL_HELP_H

#include "commands.h"

#include <stdio.h>

// All commands, a line each.
void help_print(FILE *out);

// One command: its usage, options and an example.
void help_print_command(enum action action, FILE *out);

// The values that a KIND_WORD option has, with `comma` between them and `last` before the last one.
void help_words(const struct option_info *option, const char *comma, const char *last, char *text,
                size_t size);

// The best of several words that a wrong one could have been meant to be.
struct guess {
    const char *wrong;
    const char *best; // NULL: none is near enough
    size_t distance;
};

struct guess guess_begin(const char *wrong);
void guess_consider(struct guess *guess, const char *word);

// Changes of one letter (one wrong, missing, too many, or two exchanged) from one word to another.
size_t guess_distance(const char *a, const char *b);

#endif
