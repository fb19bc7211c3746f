// An arena of chained blocks.
#include "base/arena.h"

#include <string.h>

#include "base/bits.h"

#define ARENA_BLOCK_SIZE ((size_t)4096)
#define ARENA_ALIGNMENT ((size_t)16)

struct arena_block {
    struct arena_block *next;
    size_t size; // bytes in the block, this header included
    size_t used; // bytes in use, this header included
};

#define ARENA_HEADER (align_up(sizeof(struct arena_block), ARENA_ALIGNMENT))

void cosmi_arena_init(struct arena *arena, struct memory *memory) {
    arena->memory = memory;
    arena->first = NULL;
    arena->current = NULL;
}

void cosmi_arena_free(struct arena *arena) {
    struct arena_block *block = arena->first;
    while (block != NULL) {
        struct arena_block *next = block->next;
        cosmi_memory_give(arena->memory, block, block->size, ARENA_ALIGNMENT);
        block = next;
    }
    arena->first = NULL;
    arena->current = NULL;
}

void cosmi_arena_clear(struct arena *arena) {
    for (struct arena_block *block = arena->first; block != NULL; block = block->next) {
        block->used = ARENA_HEADER;
    }
    arena->current = arena->first;
}

static void *take_from_block(struct arena_block *block, size_t size, size_t alignment) {
    size_t at = align_up(block->used, alignment);
    if (at > block->size || block->size - at < size) {
        return NULL;
    }
    block->used = at + size;
    return (char *)block + at;
}

void *cosmi_arena_take(struct arena *arena, size_t size, size_t alignment) {
    while (arena->current != NULL) {
        void *bytes = take_from_block(arena->current, size, alignment);
        if (bytes != NULL) {
            return bytes;
        }
        if (arena->current->next == NULL) {
            break;
        }
        arena->current = arena->current->next;
    }
    size_t block_size = ARENA_HEADER + size > ARENA_BLOCK_SIZE
                            ? align_up(ARENA_HEADER + size, ARENA_ALIGNMENT)
                            : ARENA_BLOCK_SIZE;
    struct arena_block *block = cosmi_memory_take(arena->memory, block_size, ARENA_ALIGNMENT);
    if (block == NULL) {
        return NULL;
    }
    block->next = NULL;
    block->size = block_size;
    block->used = ARENA_HEADER;
    if (arena->current == NULL) {
        arena->first = block;
    } else {
        arena->current->next = block;
    }
    arena->current = block;
    return take_from_block(block, size, alignment);
}

void *cosmi_arena_copy(struct arena *arena, const void *bytes, size_t size, size_t alignment) {
    void *copy = cosmi_arena_take(arena, size, alignment);
    if (copy != NULL && size > 0) {
        memcpy(copy, bytes, size);
    }
    return copy;
}

char *cosmi_arena_copy_text(struct arena *arena, const char *text) {
    return cosmi_arena_copy(arena, text, strlen(text) + 1, 1);
}
