// Where memory comes from, and figures of how much is in use.
//
// Small things come from `allocate`. Large tables and fixed tables come from `reserve`: an
// address range that is made usable piece by piece, so that it never moves and never copies to
// grow. A program that gives its own allocator may leave the range functions out: then ranges
// still come from the operating system.
#ifndef COSM_MEMORY_H
#define COSM_MEMORY_H

#include <cosm/types.h>

COSM_BEGIN_C

// Every function takes `context` first. All of them may be called from several threads at once.
typedef struct cosm_allocator {
    // Returns `size` bytes aligned to `alignment` (a power of two), or NULL. Need not be zeroed.
    void *(*allocate)(void *context, size_t size, size_t alignment);
    // Gives back what `allocate` returned, with the same size and alignment.
    void (*release)(void *context, void *memory, size_t size, size_t alignment);
    // Sets aside an address range of `size` bytes (a multiple of 64 KiB), aligned to 2 MiB where
    // `size` is at least that, else to 4 KiB; or NULL.
    void *(*reserve)(void *context, size_t size);
    // Makes part of a range usable. The bytes read as zero. False: no memory.
    bool (*commit)(void *context, void *memory, size_t size);
    // Gives the bytes back and keeps the addresses; a later commit reads as zero again.
    void (*decommit)(void *context, void *memory, size_t size);
    // Gives back a whole range.
    void (*unreserve)(void *context, void *memory, size_t size);
    void *context;
} cosm_allocator;

// Bytes in use. `used` counts what is set aside for rows, directories, singletons and
// bookkeeping; `live` counts component bytes of rows that exist now.
typedef struct cosm_memory {
    size_t used;
    size_t live;
    size_t peak; // the highest `used` so far; for a batch and an engine only
} cosm_memory;

COSM_END_C

#endif
