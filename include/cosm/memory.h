// Memory: the allocator, and statistics of use.
//
// Small blocks come from `allocate`. Large tables and fixed tables come from `reserve`: an address
// range that is committed part by part, so that it grows without moving or copying. Your own
// allocator may leave the range functions out: ranges then come from the operating system.
#ifndef COSM_MEMORY_H
#define COSM_MEMORY_H

#include <cosm/types.h>

COSM_BEGIN_C

// Every function takes `context` first. All may be called from several threads at once.
typedef struct cosm_allocator {
    // Returns `size` bytes aligned to `alignment` (a power of two), or NULL. Need not be zeroed.
    void *(*allocate)(void *context, size_t size, size_t alignment);
    // Frees what `allocate` returned, with the same size and alignment.
    void (*release)(void *context, void *memory, size_t size, size_t alignment);
    // Reserves an address range of `size` bytes (a multiple of 64 KiB), aligned to 2 MiB if `size`
    // is at least that, else to 4 KiB; or returns NULL.
    void *(*reserve)(void *context, size_t size);
    // Makes part of a range usable. The bytes read as zero. False if out of memory.
    bool (*commit)(void *context, void *memory, size_t size);
    // Releases the memory and keeps the addresses; a later commit reads as zero again.
    void (*decommit)(void *context, void *memory, size_t size);
    // Frees a whole range.
    void (*unreserve)(void *context, void *memory, size_t size);
    void *context;
} cosm_allocator;

// Bytes in use. `used` counts memory for rows, directories, singletons and bookkeeping; `live`
// counts component bytes of rows that exist.
typedef struct cosm_memory {
    size_t used;
    size_t live;
    size_t peak; // the highest `used` so far; for batches and engines only
} cosm_memory;

COSM_END_C

#endif
