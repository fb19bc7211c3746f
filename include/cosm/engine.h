// The engine: what a program defines once, and what batches of worlds are made from.
//
// Any number of engines live in one process and share nothing. Definitions (components, bundles,
// archetypes, singletons, phases, systems) may come at any time and from any thread, and live as
// long as the engine; systems can be removed before.
#ifndef COSM_ENGINE_H
#define COSM_ENGINE_H

#include <cosm/error.h>
#include <cosm/memory.h>
#include <cosm/scheduler.h>
#include <cosm/types.h>

COSM_BEGIN_C

// Good when zeroed.
typedef struct cosm_engine_desc {
    cosm_allocator allocator; // zeroed: the C library and the operating system
    cosm_error_fn *error;     // called for every failure; NULL: each is printed to stderr once
    void *error_context;
    bool quiet;               // without `error`: nothing is printed
    uint32_t worker_count;    // threads that run systems, the caller's included; zero: one per core
    cosm_scheduler scheduler; // zeroed: threads of the engine's own
} cosm_engine_desc;

// Makes an engine; `desc` may be NULL. NULL on failure.
COSM_API cosm_engine *cosm_engine_create(const cosm_engine_desc *desc);

// Destroys an engine, its definitions and its queries. NULL is fine. An engine that still has
// batches or snapshots is left alone: COSM_ERROR_BUSY.
COSM_API cosm_result cosm_engine_destroy(cosm_engine *engine);

// Threads that run systems, the one that steps included.
COSM_API uint32_t cosm_engine_worker_count(const cosm_engine *engine);

// How many of each kind are defined. Bundles do not count as components. Components, archetypes and
// singletons have the ids 1 to their count.
COSM_API uint32_t cosm_engine_component_count(const cosm_engine *engine);
COSM_API uint32_t cosm_engine_archetype_count(const cosm_engine *engine);
COSM_API uint32_t cosm_engine_singleton_count(const cosm_engine *engine);
COSM_API uint32_t cosm_engine_bundle_count(const cosm_engine *engine);
COSM_API uint32_t cosm_engine_batch_count(const cosm_engine *engine);

// Snapshots that live, those in rings, patches and replays included: with batches, what keeps an
// engine from being destroyed.
COSM_API uint32_t cosm_engine_snapshot_count(const cosm_engine *engine);

// Memory in use by what is defined, by queries, and by snapshots, which are the engine's; batches
// have their own (cosm_batch_memory). `live` is 0.
COSM_API cosm_memory cosm_engine_memory(const cosm_engine *engine);

// The bundle number `index`, from 0, or zero.
COSM_API cosm_component cosm_engine_bundle(const cosm_engine *engine, uint32_t index);

COSM_END_C

#endif
