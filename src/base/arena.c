// An arena of chained blocks.
#include "base/arena.h"

#include <stdint.h>
#include <string.h>

#include "base/bits.h"

#define ARENA_BLOCK_SIZE ((size_t)4096)
#define ARENA_BLOCK_MAX ((size_t)1 << 20) // of a further one, but for pieces that are larger
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

static size_t arena_size(const struct arena *arena) {
    size_t total = 0;
    for (const struct arena_block *block = arena->first; block != NULL; block = block->next) {
        total += block->size;
    }
    return total;
}

void cosmi_arena_free(struct arena *arena) {
    struct arena_block *block = arena->first;
    while (block != NULL) {
        struct arena_block *next = block->next;
        cosmi_memory_free(arena->memory, block, block->size, ARENA_ALIGNMENT);
        block = next;
    }
    arena->first = NULL;
    arena->current = NULL;
}

static struct arena_block *new_block(struct arena *arena, size_t size) {
    struct arena_block *block = cosmi_memory_alloc(arena->memory, size, ARENA_ALIGNMENT);
    if (block != NULL) {
        *block = (struct arena_block){.next = NULL, .size = size, .used = ARENA_HEADER};
    }
    return block;
}

// Several blocks become one that holds as much as all of them. Were they kept, a use with one large
// piece among small ones would pass over the small blocks and add new ones behind the large one,
// each time a little further. Without the memory for it they are kept all the same.
static void merge_blocks(struct arena *arena) {
    struct arena_block *merged = new_block(arena, arena_size(arena));
    if (merged != NULL) {
        cosmi_arena_free(arena);
        arena->first = merged;
    }
}

void cosmi_arena_clear(struct arena *arena) {
    if (arena->first != NULL && arena->first->next != NULL) {
        merge_blocks(arena);
    }
    for (struct arena_block *block = arena->first; block != NULL; block = block->next) {
        block->used = ARENA_HEADER;
    }
    arena->current = arena->first;
}

// A further block for a piece of `size` bytes: as large as all so far, up to a limit, or if need be
// just large enough.
static struct arena_block *further_block(struct arena *arena, size_t size) {
    if (size > PTRDIFF_MAX) {
        return NULL; // the sums below would wrap
    }
    size_t needed = align_up(ARENA_HEADER + size, ARENA_ALIGNMENT);
    size_t wanted = arena_size(arena);
    wanted = wanted < ARENA_BLOCK_MAX ? wanted : ARENA_BLOCK_MAX;
    wanted = wanted < ARENA_BLOCK_SIZE ? ARENA_BLOCK_SIZE : wanted;
    wanted = wanted < needed ? needed : wanted;
    struct arena_block *block = new_block(arena, wanted);
    return block == NULL && needed < wanted ? new_block(arena, needed) : block;
}

static void *take_from_block(struct arena_block *block, size_t size, size_t alignment) {
    size_t at = align_up(block->used, alignment);
    if (at > block->size || block->size - at < size) {
        return NULL;
    }
    block->used = at + size;
    return (char *)block + at;
}

void *cosmi_arena_alloc(struct arena *arena, size_t size, size_t alignment) {
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
    struct arena_block *block = further_block(arena, size);
    if (block == NULL) {
        return NULL;
    }
    if (arena->current == NULL) {
        arena->first = block;
    } else {
        arena->current->next = block;
    }
    arena->current = block;
    return take_from_block(block, size, alignment);
}

void *cosmi_arena_copy(struct arena *arena, const void *bytes, size_t size, size_t alignment) {
    void *copy = cosmi_arena_alloc(arena, size, alignment);
    if (copy != NULL && size > 0) {
        memcpy(copy, bytes, size);
    }
    return copy;
}

char *cosmi_arena_copy_text(struct arena *arena, const char *text) {
    return cosmi_arena_copy(arena, text, strlen(text) + 1, 1);
}
