// The public calls of cosm/engine.h, the version, and cosm_error_raise.
#include <cosm/error.h>

#include "api/check.h"
#include "store/sector_set.h"

const char *cosm_version(void) {
    return COSM_VERSION;
}

static cosm_result check_engine_desc(const cosm_engine_desc *desc, struct memory *memory,
                                     const struct sink *sink, const char *call) {
    if (!cosmi_memory_init(memory, &desc->allocator, 0)) {
        return cosmi_fail(sink, COSM_ERROR_ARGUMENT,
                          "%s: desc.allocator is incomplete; set allocate and release, and all or "
                          "none of reserve, commit, decommit and unreserve",
                          call);
    }
    if (desc->worker_count > COSM_WORKER_MAX) {
        return cosmi_fail(sink, COSM_ERROR_LIMIT,
                          "%s: desc.worker_count %u is over the limit of %u; use one per core",
                          call, desc->worker_count, COSM_WORKER_MAX);
    }
    if ((desc->scheduler.start == NULL) != (desc->scheduler.finish == NULL)) {
        return cosmi_fail(sink, COSM_ERROR_ARGUMENT,
                          "%s: desc.scheduler has only one of start and finish; set both or "
                          "neither",
                          call);
    }
    return COSM_OK;
}

static uint32_t worker_count_of(const cosm_engine_desc *desc) {
    uint32_t count = desc->worker_count == 0 ? cosmi_os_core_count() : desc->worker_count;
    return count < COSM_WORKER_MAX ? count : COSM_WORKER_MAX;
}

// Each part that was made is unmade when a later one cannot be.
static bool init_engine(struct cosm_engine *engine, const cosm_engine_desc *desc) {
    if (!cosmi_mutex_create(&engine->batch_lock)) {
        return false;
    }
    if (!cosmi_schema_init(&engine->schema, &engine->memory, &engine->sink)) {
        cosmi_mutex_destroy(&engine->batch_lock);
        return false;
    }
    cosmi_query_cache_init(&engine->queries, &engine->schema);
    cosmi_exports_init(&engine->exports, &engine->memory);
    struct runner *runner = &engine->runner;
    bool made = cosmi_runner_init(runner, &engine->memory, &engine->sink, &engine->schema,
                                  &engine->queries);
    if (made && cosmi_workers_init(&runner->workers, &engine->memory, worker_count_of(desc),
                                   &desc->scheduler)) {
        return true;
    }
    if (made) {
        cosmi_runner_free(runner);
    }
    cosmi_exports_free(&engine->exports);
    cosmi_query_cache_free(&engine->queries);
    cosmi_sector_groups_free(&engine->schema);
    cosmi_schema_free(&engine->schema);
    cosmi_mutex_destroy(&engine->batch_lock);
    return false;
}

cosm_engine *cosm_engine_create(const cosm_engine_desc *desc) {
    static const char call[] = "cosm_engine_create";
    cosm_engine_desc zero = {.worker_count = 0};
    desc = desc == NULL ? &zero : desc;
    struct sink sink = {desc->error, desc->error_context, desc->quiet, NULL};
    struct memory memory;
    if (check_engine_desc(desc, &memory, &sink, call) != COSM_OK) {
        return NULL;
    }
    struct cosm_engine *engine = memory.allocator.allocate(
        memory.allocator.context, sizeof(*engine), _Alignof(struct cosm_engine));
    if (engine == NULL) {
        (void)cosmi_fail_memory(&sink, &memory, call);
        return NULL;
    }
    memset(engine, 0, sizeof(*engine));
    (void)cosmi_memory_init(&engine->memory, &desc->allocator, 0);
    engine->sink = sink;
    engine->sink.printed = &engine->printed;
    if (!init_engine(engine, desc)) {
        (void)cosmi_fail_memory(&sink, &memory, call);
        memory.allocator.release(memory.allocator.context, engine, sizeof(*engine),
                                 _Alignof(struct cosm_engine));
        return NULL;
    }
    return engine;
}

static uint32_t count_batches(const cosm_engine *engine) {
    // The lock is not part of the engine's value.
    struct mutex *lock = (struct mutex *)&engine->batch_lock;
    cosmi_mutex_lock(lock);
    uint32_t count = engine->batch_count;
    cosmi_mutex_unlock(lock);
    return count;
}

cosm_result cosm_engine_destroy(cosm_engine *engine) {
    if (engine == NULL) {
        return COSM_OK;
    }
    uint32_t batch_count = count_batches(engine);
    if (batch_count > 0) {
        return cosmi_fail(
            &engine->sink, COSM_ERROR_BUSY,
            "cosm_engine_destroy: %u batches of this engine still exist; destroy them "
            "first with cosm_batch_destroy",
            batch_count);
    }
    uint32_t snapshot_count = atomic_load(&engine->snapshot_count);
    if (snapshot_count > 0) {
        return cosmi_fail(
            &engine->sink, COSM_ERROR_BUSY,
            "cosm_engine_destroy: %u snapshots of this engine still exist, including those in "
            "rollbacks, patches and recorders; destroy them first with cosm_snapshot_destroy",
            snapshot_count);
    }
    cosmi_workers_free(&engine->runner.workers);
    cosmi_runner_free(&engine->runner);
    cosmi_exports_free(&engine->exports);
    cosmi_query_cache_free(&engine->queries);
    cosmi_sector_groups_free(&engine->schema);
    cosmi_schema_free(&engine->schema);
    cosmi_mutex_destroy(&engine->batch_lock);
    cosm_allocator allocator = engine->memory.allocator;
    INVARIANT(atomic_load(&engine->memory.used) == 0, "an engine gives back all it took");
    allocator.release(allocator.context, engine, sizeof(*engine), _Alignof(struct cosm_engine));
    return COSM_OK;
}

uint32_t cosmi_defined(struct cosm_engine *engine, const char *kind, const char *name,
                       uint32_t id) {
    if (UNLIKELY(id == 0) && engine != NULL) {
        cosmi_runner_note_failed(&engine->runner, kind, name);
    }
    return id;
}

// Index 0 of a list is never used.
static uint32_t defined_count(const struct paged *list) {
    uint32_t count = paged_count(list);
    return count == 0 ? 0 : count - 1;
}

cosm_engine_info cosm_engine_describe(const cosm_engine *engine) {
    if (engine == NULL) {
        return (cosm_engine_info){0};
    }
    cosm_engine_info info = {
        .worker_count = engine->runner.workers.worker_count,
        .component_count = defined_count(&engine->schema.components),
        .bundle_count = defined_count(&engine->schema.bundles),
        .archetype_count = defined_count(&engine->schema.archetypes),
        .singleton_count = defined_count(&engine->schema.singletons),
        .observer_count = cosmi_observer_count(engine),
        .export_count = engine->exports.count,
        .batch_count = count_batches(engine),
        .snapshot_count = atomic_load(&engine->snapshot_count),
    };
    struct runner *runner = (struct runner *)&engine->runner;
    cosmi_mutex_lock(&runner->lock);
    info.phase_count = runner->phase_count;
    info.system_count = runner->live_count;
    cosmi_mutex_unlock(&runner->lock);
    info.memory.used = atomic_load_explicit(&engine->memory.used, memory_order_relaxed);
    info.memory.peak = atomic_load_explicit(&engine->memory.peak, memory_order_relaxed);
    return info;
}

cosm_component cosm_engine_bundle(const cosm_engine *engine, uint32_t index) {
    bool known = engine != NULL && index < defined_count(&engine->schema.bundles);
    return (cosm_component){known ? (index + 1) | BUNDLE_BIT : 0};
}

// The one call of cosm/error.h that needs an engine; the others are in base/error.c.
cosm_result cosm_error_raise(const cosm_engine *engine, cosm_result result, const char *format,
                             ...) {
    if (result == COSM_OK || result == COSM_STALE || format == NULL) {
        return result;
    }
    va_list arguments;
    va_start(arguments, format);
    (void)cosmi_fail_with(engine == NULL ? NULL : &engine->sink, result, format, arguments);
    va_end(arguments);
    return result;
}
