// The engine: holds the definitions from which batches of worlds are created.
//
// A process can have any number of engines; they share nothing. You can define components, bundles,
// archetypes, singletons, phases and systems at any time and from any thread. Definitions live as
// long as the engine; systems can be removed earlier.
#ifndef COSM_ENGINE_H
#define COSM_ENGINE_H

#include <cosm/error.h>
#include <cosm/types.h>

COSM_BEGIN_C

// Memory: the allocator, and statistics of use.
//
// Small blocks come from `allocate`. Large tables and fixed tables come from `reserve`: an address
// range that is committed part by part, so that it grows without moving or copying. Your own
// allocator may leave the range functions out: ranges then come from the operating system.

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

// Workers: the threads that run systems.
//
// By default an engine has its own threads. They start when there is first work for them, and sleep
// while there is none. A host with its own scheduler plugs it in with two callbacks, and the engine
// starts no thread.

// A share of parallel work. Returns when no work is left.
typedef void cosm_scheduler_task_fn(void *argument);

// Arranges for `task(argument)` to be called `count` times, at the same time if possible, on any
// threads. A late call finds no work left and returns at once. The result is passed to
// cosm_scheduler_finish_fn; it may be NULL.
typedef void *cosm_scheduler_start_fn(void *context, cosm_scheduler_task_fn *task, void *argument,
                                      uint32_t count);

// Returns when all calls of `started` have returned. Called once for each start, on the thread that
// started, after that thread has done its own share of the work.
typedef void cosm_scheduler_finish_fn(void *context, void *started);

// A host's scheduler: both callbacks or none. Systems that step other batches call them from tasks.
typedef struct cosm_scheduler {
    cosm_scheduler_start_fn *start;
    cosm_scheduler_finish_fn *finish;
    void *context;
} cosm_scheduler;

// The engine.

// Zeroed: the defaults.
typedef struct cosm_engine_desc {
    cosm_allocator allocator; // zeroed: the C library and the operating system
    cosm_error_fn *error;     // called for every error; NULL: each is printed to stderr once
    void *error_context;
    bool quiet;            // if `error` is NULL: print nothing
    uint32_t worker_count; // threads that run systems, including the caller's; zero: one per core
    cosm_scheduler scheduler; // zeroed: the engine's own threads
} cosm_engine_desc;

// Creates an engine; `desc` may be NULL. NULL on failure.
COSM_API cosm_engine *cosm_engine_create(const cosm_engine_desc *desc);

// Destroys an engine with its definitions and queries. NULL is allowed. Fails with COSM_ERROR_BUSY
// and changes nothing while the engine has batches or snapshots.
COSM_API cosm_result cosm_engine_destroy(cosm_engine *engine);

// What an engine holds.
typedef struct cosm_engine_info {
    uint32_t worker_count; // threads that run systems, including the one that steps
    // Definitions. Bundles do not count as components. The ids of components, archetypes and
    // singletons run from 1 to their count. Removed systems and observers do not count.
    uint32_t component_count;
    uint32_t bundle_count;
    uint32_t archetype_count;
    uint32_t singleton_count;
    uint32_t phase_count;
    uint32_t system_count;
    uint32_t observer_count;
    uint32_t export_count;
    // While an engine has batches or snapshots, it cannot be destroyed.
    uint32_t batch_count;
    uint32_t snapshot_count; // including those held by rings, patches and recorders
    // Memory of definitions, queries and snapshots. Batches are counted apart: cosm_batch_memory.
    // `live` is 0.
    cosm_memory memory;
} cosm_engine_info;

// Zeroed for NULL.
COSM_API cosm_engine_info cosm_engine_describe(const cosm_engine *engine);

// The bundle with number `index`, from 0; zero if there is none.
COSM_API cosm_component cosm_engine_bundle(const cosm_engine *engine, uint32_t index);

COSM_END_C

#endif
