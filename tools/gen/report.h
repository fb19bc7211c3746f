// What is wrong with a header: errors with file, line and column, as a compiler prints them.
//
//     bodies.h:7:9: error: 'flags' is a bit-field; use an integer of 8 bits or more
//         int flags : 3;
//             ^
//
// All of a run are kept and printed together at its end. The same error at the same place is kept
// once: a nested struct that is used ten times is wrong once.
#ifndef COSM_GEN_REPORT_H
#define COSM_GEN_REPORT_H

#include <stdio.h>

#include "memory.h"

// A place in a source file. `source` is the whole file, which outlives the report.
struct place {
    const char *file; // NULL: no place
    uint32_t line;
    uint32_t column;
    size_t offset;
    const char *source;
    size_t source_size;
};

struct finding {
    struct place place;
    const char *kind; // "error" or "note"
    const char *message;
};

// Good with an arena and the rest zeroed.
struct report {
    struct arena *arena;
    struct finding *items;
    uint32_t count;
    uint32_t capacity;
    uint32_t error_count;
    bool was_known; // the last error was there already: its notes are dropped too
};

// A message is "what is wrong; what to do".
void report_error(struct report *report, struct place place, const char *format, ...)
    GEN_PRINTF(3, 4);

// More about the error before it.
void report_note(struct report *report, struct place place, const char *format, ...)
    GEN_PRINTF(3, 4);

// Puts the errors of a file in the order of its lines, each with its notes.
void report_sort(struct report *report);

void report_print(const struct report *report, FILE *file);

// The place `offset` bytes into the same file.
struct place place_at(struct place place, size_t offset);

#endif
