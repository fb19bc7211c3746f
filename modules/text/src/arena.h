// The memory of one call: taken piece by piece, given back in one go.
#ifndef COSM_TEXT_ARENA_H
#define COSM_TEXT_ARENA_H

#include <stddef.h>

struct arena_block;

// Good when zeroed.
struct arena {
    struct arena_block *blocks;
    char *at; // what is left of the newest block of small things
    size_t left;
};

// Bytes aligned to 16, which stay where they are until all of them are given back. NULL when out of
// memory.
void *cosmi_text_take(struct arena *arena, size_t size);

// The same, zeroed.
void *cosmi_text_take_zeroed(struct arena *arena, size_t size);

void cosmi_text_give_all(struct arena *arena);

#endif
