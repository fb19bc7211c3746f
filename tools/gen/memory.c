// The arena: a list of blocks, of which the newest is handed out piece by piece.
#include "memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_SIZE ((size_t)64 << 10)

struct arena_block {
    struct arena_block *next;
    size_t used;
    size_t size;
    max_align_t data[];
};

static size_t round_up(size_t size) {
    size_t step = sizeof(max_align_t);
    return (size + step - 1) / step * step;
}

static struct arena_block *add_block(struct arena *arena, size_t size) {
    struct arena_block *block = calloc(1, sizeof(*block) + size);
    if (block == NULL) {
        fputs("cosm-gen: out of memory\n", stderr);
        exit(1);
    }
    block->size = size;
    block->next = arena->blocks;
    arena->blocks = block;
    return block;
}

void *arena_take(struct arena *arena, size_t size) {
    size = round_up(size == 0 ? 1 : size);
    struct arena_block *block = arena->blocks;
    if (block == NULL || block->size - block->used < size) {
        block = add_block(arena, size > BLOCK_SIZE ? size : BLOCK_SIZE);
    }
    void *taken = (char *)block->data + block->used;
    block->used += size;
    return taken;
}

char *arena_copy(struct arena *arena, const char *text, size_t length) {
    char *copy = arena_take(arena, length + 1);
    memcpy(copy, text, length);
    return copy;
}

char *arena_format_list(struct arena *arena, const char *format, va_list arguments) {
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    size_t size = (size_t)(length < 0 ? 0 : length) + 1;
    char *text = arena_take(arena, size);
    vsnprintf(text, size, format, arguments);
    return text;
}

char *arena_format(struct arena *arena, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    char *text = arena_format_list(arena, format, arguments);
    va_end(arguments);
    return text;
}

void *arena_grow(struct arena *arena, void *items, uint32_t count, uint32_t *io_capacity,
                 size_t item_size) {
    if (count < *io_capacity) {
        return items;
    }
    uint32_t capacity = *io_capacity == 0 ? 8 : *io_capacity * 2;
    void *larger = arena_take(arena, capacity * item_size);
    if (count > 0) {
        memcpy(larger, items, count * item_size);
    }
    *io_capacity = capacity;
    return larger;
}

void arena_free(struct arena *arena) {
    while (arena->blocks != NULL) {
        struct arena_block *next = arena->blocks->next;
        free(arena->blocks);
        arena->blocks = next;
    }
}
