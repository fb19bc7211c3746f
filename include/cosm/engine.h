// The engine: holds the definitions from which batches of worlds are created.
//
// A process can have any number of engines; they share nothing. You can define components, bundles,
// archetypes, singletons, phases and systems at any time and from any thread. Definitions live as
// long as the engine; systems can be removed earlier.
#ifndef COSM_ENGINE_H
#define COSM_ENGINE_H

#include <cosm/error.h>
#include <cosm/memory.h>
#include <cosm/scheduler.h>
#include <cosm/types.h>

COSM_BEGIN_C

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

// Threads that run systems, including the one that calls cosm_batch_step.
COSM_API uint32_t cosm_engine_worker_count(const cosm_engine *engine);

// How many of each kind are defined. Bundles do not count as components. The ids of components,
// archetypes and singletons run from 1 to their count.
COSM_API uint32_t cosm_engine_component_count(const cosm_engine *engine);
COSM_API uint32_t cosm_engine_archetype_count(const cosm_engine *engine);
COSM_API uint32_t cosm_engine_singleton_count(const cosm_engine *engine);
COSM_API uint32_t cosm_engine_bundle_count(const cosm_engine *engine);
COSM_API uint32_t cosm_engine_batch_count(const cosm_engine *engine);

// Snapshots that exist, including those held by rings, patches and replays. An engine with batches
// or snapshots cannot be destroyed.
COSM_API uint32_t cosm_engine_snapshot_count(const cosm_engine *engine);

// Memory used by definitions, queries and snapshots. Batches are counted apart: cosm_batch_memory.
// `live` is 0.
COSM_API cosm_memory cosm_engine_memory(const cosm_engine *engine);

// The bundle with number `index`, from 0; zero if there is none.
COSM_API cosm_component cosm_engine_bundle(const cosm_engine *engine, uint32_t index);

COSM_END_C

#endif
