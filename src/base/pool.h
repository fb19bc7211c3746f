// A pool of blocks of power-of-two sizes: where small tables and directories live.
//
// Sizes up to POOL_SLAB_BLOCK_MAX are cut from slabs of one size each; larger ones come from the
// allocator one by one and are kept for reuse. Blocks are aligned to 64 bytes and to no more, so
// that blocks of one size do not all begin at the same place of a page: tables walked one after
// the other would then push each other out of the cache. Several threads may use a pool.
#ifndef COSM_BASE_POOL_H
#define COSM_BASE_POOL_H

#include "base/memory.h"
#include "base/os.h"

#define POOL_BLOCK_MIN ((size_t)64)
#define POOL_SLAB_BLOCK_MAX ((size_t)2 << 10)
#define POOL_BLOCK_MAX ((size_t)256 << 10)
#define POOL_CLASS_COUNT 13 // 64 B to 256 KiB

struct pool_slab;

struct pool_free {
    struct pool_free *next;
};

struct pool {
    struct memory *memory;
    struct mutex lock;
    struct pool_free *free_blocks[POOL_CLASS_COUNT]; // large sizes: whole blocks
    struct pool_slab *open_slabs[POOL_CLASS_COUNT];  // small sizes: slabs with a free block
};

bool cosmi_pool_init(struct pool *pool, struct memory *memory);

// All blocks must have been given back; what is cached goes back to the allocator.
void cosmi_pool_free(struct pool *pool);

// `size` is a power of two from POOL_BLOCK_MIN to POOL_BLOCK_MAX. NULL when out of memory.
void *cosmi_pool_take(struct pool *pool, size_t size);
void cosmi_pool_give(struct pool *pool, void *block, size_t size);

// Gives free blocks and free slabs back to the allocator.
void cosmi_pool_trim(struct pool *pool);

#endif
