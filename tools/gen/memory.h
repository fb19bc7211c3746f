// Memory of a run: an arena that is given back as a whole at the end.
//
// A run is short and keeps nearly all it makes, so nothing is freed one by one. Running out of
// memory ends the program with a message: nothing has been written by then.
#ifndef COSM_GEN_MEMORY_H
#define COSM_GEN_MEMORY_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define GEN_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define GEN_PRINTF(text, first)
#endif

struct arena_block;

// Good when zeroed.
struct arena {
    struct arena_block *blocks; // the newest first
};

// Zeroed bytes, aligned for any type.
void *arena_take(struct arena *arena, size_t size);

// Copies of text, with a zero behind it.
char *arena_copy(struct arena *arena, const char *text, size_t length);
char *arena_format(struct arena *arena, const char *format, ...) GEN_PRINTF(2, 3);
char *arena_format_list(struct arena *arena, const char *format, va_list arguments);

// Room for one more item behind `count`: returns the array, moved where it was full.
void *arena_grow(struct arena *arena, void *items, uint32_t count, uint32_t *io_capacity,
                 size_t item_size);

void arena_free(struct arena *arena);

#endif
