// The memory of one call: blocks from the C library, linked so that they can be freed.
#include "arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define UNIT 16u
#define BLOCK_SIZE ((size_t)16 << 10)

// What lies before the bytes of a block; as large as the unit, so that they stay aligned.
struct arena_block {
    struct arena_block *next;
    char fill[UNIT - sizeof(struct arena_block *)];
};

static char *take_block(struct arena *arena, size_t size) {
    struct arena_block *block = malloc(sizeof(*block) + size);
    if (block == NULL) {
        return NULL;
    }
    block->next = arena->blocks;
    arena->blocks = block;
    return (char *)(block + 1);
}

void *cosmi_text_take(struct arena *arena, size_t size) {
    if (size > SIZE_MAX / 2) {
        return NULL;
    }
    size = (size + UNIT - 1) & ~(size_t)(UNIT - 1);
    if (size > arena->left) {
        // Large things get a block of their own, so that the rest of the present one is not lost.
        if (size >= BLOCK_SIZE / 4) {
            return take_block(arena, size);
        }
        char *block = take_block(arena, BLOCK_SIZE);
        if (block == NULL) {
            return NULL;
        }
        arena->at = block;
        arena->left = BLOCK_SIZE;
    }
    char *taken = arena->at;
    arena->at += size;
    arena->left -= size;
    return taken;
}

void *cosmi_text_take_zeroed(struct arena *arena, size_t size) {
    void *taken = cosmi_text_take(arena, size);
    return taken == NULL ? NULL : memset(taken, 0, size);
}

void cosmi_text_give_all(struct arena *arena) {
    while (arena->blocks != NULL) {
        struct arena_block *next = arena->blocks->next;
        free(arena->blocks);
        arena->blocks = next;
    }
    *arena = (struct arena){NULL, NULL, 0};
}
