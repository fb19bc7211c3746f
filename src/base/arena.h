// An arena: small things that live until the arena is cleared or freed.
//
// The schema keeps names and descriptions in one; commands keep what is recorded in one. Blocks
// never move, so addresses hold.
#ifndef COSM_BASE_ARENA_H
#define COSM_BASE_ARENA_H

#include "base/memory.h"

struct arena_block;

struct arena {
    struct memory *memory;
    struct arena_block *first;
    struct arena_block *current;
};

void cosmi_arena_init(struct arena *arena, struct memory *memory);
void cosmi_arena_free(struct arena *arena);

// Forgets everything and keeps the memory for the next use.
void cosmi_arena_clear(struct arena *arena);

// `alignment` is at most 16. NULL when out of memory.
void *cosmi_arena_alloc(struct arena *arena, size_t size, size_t alignment);
void *cosmi_arena_copy(struct arena *arena, const void *bytes, size_t size, size_t alignment);
char *cosmi_arena_copy_text(struct arena *arena, const char *text);

#endif
