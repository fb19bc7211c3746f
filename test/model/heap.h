// The allocator that the model gives to the library: it counts, fills, checks and can fail.
#ifndef MODEL_HEAP_H
#define MODEL_HEAP_H

#include <cosm/engine.h>

// Blocks and ranges that were not given back, and what was found wrong. `fail_after` counts down
// with every request; the one that takes it from one to zero fails.
struct heap {
    size_t blocks;
    size_t block_bytes;
    size_t ranges;
    size_t range_bytes;
    uint64_t fail_after; // zero: nothing fails
    bool is_empty;       // every request fails
    bool refused;        // a request was made to fail
    const char *wrong;   // the first thing done wrong, or NULL
};

// An allocator on the heap; with `ranges` also its own reserve, commit, decommit and unreserve.
cosm_allocator heap_allocator(struct heap *heap, bool ranges);

// Is the request that is being made one that fails? For what else takes memory.
bool heap_refuses(struct heap *heap);

#endif
