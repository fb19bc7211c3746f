// The engine as the library sees it: the schema, the queries, the systems, and the list of batches.
#ifndef COSM_API_ENGINE_H
#define COSM_API_ENGINE_H

#include <cosm/engine.h>

#include "export/export.h"
#include "query/query.h"
#include "run/system.h"
#include "store/batch.h"

struct cosm_engine {
    struct memory memory;
    struct sink sink;
    struct printed printed; // failures of this engine that went to stderr
    struct schema schema;
    struct query_cache queries;
    struct export_list exports; // under `batch_lock`
    struct runner runner;       // systems, phases, plan and workers
    struct mutex batch_lock;    // of the list of batches, and of what must see all of them
    struct cosm_batch *batches; // linked through `next`
    uint32_t batch_count;
    atomic_uint snapshot_count; // snapshots of this engine that live
    uint32_t batch_slots;       // a bit per slot that a batch has; see query/query.h
};

// What a call that defines something returns: `id`. Where that is 0, with a message, the next step
// of any batch of the engine, which may be NULL, fails and repeats the message.
uint32_t cosmi_defined(struct cosm_engine *engine, const char *kind, const char *name, uint32_t id);

// Observers that are defined and not removed.
uint32_t cosmi_observer_count(const cosm_engine *engine);

#endif
