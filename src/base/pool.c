// A pool of blocks of power-of-two sizes.
//
//   slab (32 KiB, aligned to its size, so that a block finds its slab by masking its address)
//   +--------+-------+-------+-------+----
//   | header | block | block | block | ...
//   +--------+-------+-------+-------+----
//
// A slab with a free block is in the list of its class; a full one is in no list; an empty one
// stays in the list until a trim, so that a world which comes and goes does not touch the
// allocator.
#include "base/pool.h"

#include <string.h>

#include "base/bits.h"
#include "base/check.h"

#define SLAB_SIZE ((size_t)32 << 10)
#define SLAB_HEADER ((size_t)64)

struct pool_slab {
    struct pool_slab *previous;
    struct pool_slab *next;
    struct pool_free *free_blocks;
    uint32_t block_size;
    uint32_t used;   // blocks handed out
    uint32_t carved; // blocks ever handed out; those after it have never been touched
    uint32_t count;  // blocks in the slab
};

_Static_assert(sizeof(struct pool_slab) <= SLAB_HEADER, "the header fits before the first block");

bool cosmi_pool_init(struct pool *pool, struct memory *memory) {
    pool->memory = memory;
    for (uint32_t i = 0; i < POOL_CLASS_COUNT; i++) {
        pool->free_blocks[i] = NULL;
        pool->open_slabs[i] = NULL;
    }
    return cosmi_mutex_create(&pool->lock);
}

void cosmi_pool_free(struct pool *pool) {
    cosmi_pool_trim(pool);
    for (uint32_t i = 0; i < POOL_CLASS_COUNT; i++) {
        INVARIANT(pool->open_slabs[i] == NULL, "every block was given back");
    }
    cosmi_mutex_destroy(&pool->lock);
}

static uint32_t class_of(size_t size) {
    INVARIANT(is_power_of_two(size) && size >= POOL_BLOCK_MIN && size <= POOL_BLOCK_MAX,
              "a block size is a power of two of the pool");
    return log2_of(size / POOL_BLOCK_MIN);
}

static void slab_link(struct pool *pool, struct pool_slab *slab) {
    struct pool_slab **head = &pool->open_slabs[class_of(slab->block_size)];
    slab->previous = NULL;
    slab->next = *head;
    if (*head != NULL) {
        (*head)->previous = slab;
    }
    *head = slab;
}

static void slab_unlink(struct pool *pool, struct pool_slab *slab) {
    if (slab->previous != NULL) {
        slab->previous->next = slab->next;
    } else {
        pool->open_slabs[class_of(slab->block_size)] = slab->next;
    }
    if (slab->next != NULL) {
        slab->next->previous = slab->previous;
    }
}

static struct pool_slab *slab_make(struct pool *pool, size_t block_size) {
    struct pool_slab *slab = cosmi_memory_alloc(pool->memory, SLAB_SIZE, SLAB_SIZE);
    if (slab == NULL) {
        return NULL;
    }
    slab->free_blocks = NULL;
    slab->block_size = (uint32_t)block_size;
    slab->used = 0;
    slab->carved = 0;
    slab->count = (uint32_t)((SLAB_SIZE - SLAB_HEADER) / block_size);
    slab_link(pool, slab);
    return slab;
}

static void *slab_take(struct pool *pool, size_t size) {
    struct pool_slab *slab = pool->open_slabs[class_of(size)];
    if (slab == NULL) {
        slab = slab_make(pool, size);
        if (slab == NULL) {
            return NULL;
        }
    }
    void *block = slab->free_blocks;
    if (block != NULL) {
        slab->free_blocks = slab->free_blocks->next;
    } else {
        block = (char *)slab + SLAB_HEADER + slab->carved * size;
        slab->carved++;
    }
    slab->used++;
    if (slab->used == slab->count) {
        slab_unlink(pool, slab);
    }
    return block;
}

static void slab_give(struct pool *pool, void *block) {
    struct pool_slab *slab =
        (struct pool_slab *)(void *)((char *)block - ((uintptr_t)block & (SLAB_SIZE - 1)));
    if (slab->used == slab->count) {
        slab_link(pool, slab);
    }
    struct pool_free *entry = block;
    entry->next = slab->free_blocks;
    slab->free_blocks = entry;
    slab->used--;
}

void *cosmi_pool_take(struct pool *pool, size_t size) {
    uint32_t class_index = class_of(size);
    cosmi_mutex_lock(&pool->lock);
    void *block;
    if (size <= POOL_SLAB_BLOCK_MAX) {
        block = slab_take(pool, size);
    } else if (pool->free_blocks[class_index] != NULL) {
        block = pool->free_blocks[class_index];
        pool->free_blocks[class_index] = pool->free_blocks[class_index]->next;
    } else {
        block = cosmi_memory_alloc(pool->memory, size, POOL_BLOCK_MIN);
    }
    cosmi_mutex_unlock(&pool->lock);
    return block;
}

void cosmi_pool_give(struct pool *pool, void *block, size_t size) {
    uint32_t class_index = class_of(size);
#ifdef COSM_CHECKS
    memset(block, 0xDD, size); // so that whoever still reads it finds nonsense
#endif
    cosmi_mutex_lock(&pool->lock);
    if (size <= POOL_SLAB_BLOCK_MAX) {
        slab_give(pool, block);
    } else {
        struct pool_free *entry = block;
        entry->next = pool->free_blocks[class_index];
        pool->free_blocks[class_index] = entry;
    }
    cosmi_mutex_unlock(&pool->lock);
}

static void trim_class(struct pool *pool, uint32_t class_index) {
    size_t size = POOL_BLOCK_MIN << class_index;
    while (pool->free_blocks[class_index] != NULL) {
        struct pool_free *block = pool->free_blocks[class_index];
        pool->free_blocks[class_index] = block->next;
        cosmi_memory_free(pool->memory, block, size, POOL_BLOCK_MIN);
    }
    struct pool_slab *slab = pool->open_slabs[class_index];
    while (slab != NULL) {
        struct pool_slab *next = slab->next;
        if (slab->used == 0) {
            slab_unlink(pool, slab);
            cosmi_memory_free(pool->memory, slab, SLAB_SIZE, SLAB_SIZE);
        }
        slab = next;
    }
}

void cosmi_pool_trim(struct pool *pool) {
    cosmi_mutex_lock(&pool->lock);
    for (uint32_t i = 0; i < POOL_CLASS_COUNT; i++) {
        trim_class(pool, i);
    }
    cosmi_mutex_unlock(&pool->lock);
}
