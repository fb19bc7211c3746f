// The batch: making, freeing, stores and singletons on demand, figures.
#include "store/change.h"
#include "store/event.h"
#include "store/managed.h"
#include "store/sector_set.h"
#include "store/shared.h"
#include "store/side.h"
#include "store/tree.h"

#define WORLD_ALIGNMENT ((size_t)64)

static size_t singleton_alignment(const struct value_type *singleton) {
    return singleton->alignment < 64 ? 64 : singleton->alignment;
}

bool cosmi_batch_make_singleton(struct cosm_batch *batch, const struct value_type *singleton) {
    size_t size = (size_t)batch->world_count * singleton->size;
    cosmi_mutex_lock(&batch->lock);
    char *values = cosmi_memory_alloc_zeroed(&batch->memory, size, singleton_alignment(singleton));
    bool done =
        values != NULL && cosmi_paged_reserve(&batch->singletons, &batch->memory, singleton->id);
    if (done) {
        for (uint32_t w = 0; singleton->default_value != NULL && w < batch->world_count; w++) {
            memcpy(values + (size_t)w * singleton->size, singleton->default_value, singleton->size);
        }
        cosmi_paged_set(&batch->singletons, singleton->id, values);
    } else {
        cosmi_memory_free(&batch->memory, values, size, singleton_alignment(singleton));
    }
    cosmi_mutex_unlock(&batch->lock);
    return done;
}

void cosmi_batch_free_singleton(struct cosm_batch *batch, const struct value_type *singleton) {
    void *values = paged_get(&batch->singletons, singleton->id);
    if (values != NULL) {
        cosmi_paged_set(&batch->singletons, singleton->id, NULL);
        cosmi_memory_free(&batch->memory, values, (size_t)batch->world_count * singleton->size,
                          singleton_alignment(singleton));
    }
}

struct beside *cosmi_batch_beside(struct cosm_batch *batch, const char *call, uint32_t world) {
    if (batch->besides[world] == NULL) {
        struct beside *beside =
            cosmi_memory_alloc_zeroed(&batch->memory, sizeof(*beside), _Alignof(struct beside));
        if (beside == NULL) {
            (void)cosmi_fail_memory(batch->sink, &batch->memory, call);
        }
        batch->besides[world] = beside;
    }
    return batch->besides[world];
}

void cosmi_batch_flag_entities(struct cosm_batch *batch, uint32_t world) {
    if ((atomic_load_explicit(&batch->sides, memory_order_relaxed) & SIDE_ENTITIES) == 0) {
        cosmi_mutex_lock(&batch->lock);
        atomic_fetch_or_explicit(&batch->sides, SIDE_ENTITIES, memory_order_relaxed);
        struct store *store = batch_first_store(batch);
        for (; store != NULL; store = store_next(store)) {
            atomic_fetch_or_explicit(&store->sides, SIDE_ENTITIES, memory_order_relaxed);
        }
        cosmi_mutex_unlock(&batch->lock);
    }
    // Tables of shared values belong to their world: those that were there before.
    struct store *store = world_first_store(batch, world);
    for (; store != NULL; store = world_next_store(batch, world, store)) {
        atomic_fetch_or_explicit(&store->sides, SIDE_ENTITIES, memory_order_relaxed);
    }
}

struct store *cosmi_batch_make_store(struct cosm_batch *batch, const char *call,
                                     struct archetype *archetype) {
    struct store *store = batch_store(batch, archetype->id);
    if (store != NULL) {
        return store;
    }
    if ((uint64_t)archetype->max_per_world * batch->world_count > UINT32_MAX) {
        (void)cosmi_fail(
            batch->sink, COSM_ERROR_LIMIT,
            "%s: archetype %u '%s': max_per_world %u times %u worlds is over 2^32 rows; "
            "lower max_per_world, or use COSM_PLACEMENT_GROWING",
            call, archetype->id, archetype->name, archetype->max_per_world, batch->world_count);
        return NULL;
    }
    cosmi_mutex_lock(&batch->lock);
    store = batch_store(batch, archetype->id);
    if (store == NULL && cosmi_paged_reserve(&batch->stores, &batch->memory, archetype->id)) {
        store = cosmi_store_create(batch_source(batch), archetype, batch->world_count);
        if (store != NULL) {
            uint32_t sides = atomic_load_explicit(&batch->sides, memory_order_relaxed);
            sides |= archetype->watch != NULL ? SIDE_EVENTS : 0;
            atomic_init(&store->sides, sides | archetype->sides);
        }
        if (store != NULL && !cosmi_change_adopt(batch, store)) {
            cosmi_store_destroy(batch_source(batch), store);
            store = NULL;
        }
        if (store != NULL) {
            store->next = batch_first_store(batch);
            cosmi_paged_set(&batch->stores, archetype->id, store);
            atomic_store_explicit(&batch->store_list, store, memory_order_release);
        }
    }
    cosmi_mutex_unlock(&batch->lock);
    if (store == NULL) {
        (void)cosmi_fail_memory(batch->sink, &batch->memory, call);
    }
    return store;
}

static uint32_t block_count(const struct cosm_batch *batch) {
    return (batch->world_count + WALK_BLOCK - 1) / WALK_BLOCK;
}

static bool init_worlds(struct cosm_batch *batch, uint32_t entity_capacity) {
    size_t size = batch->world_count * sizeof(*batch->worlds);
    batch->worlds = cosmi_memory_alloc(&batch->memory, size, WORLD_ALIGNMENT);
    if (batch->worlds == NULL) {
        return false;
    }
    for (uint32_t w = 0; w < batch->world_count; w++) {
        cosmi_directory_init(&batch->worlds[w]);
    }
    size_t besides_size = batch->world_count * sizeof(*batch->besides);
    batch->besides = cosmi_memory_alloc_zeroed(&batch->memory, besides_size, sizeof(void *));
    if (batch->besides == NULL) {
        return false;
    }
    size_t streams_size = batch->world_count * sizeof(*batch->streams);
    batch->streams =
        cosmi_memory_alloc_zeroed(&batch->memory, streams_size, _Alignof(struct stream));
    if (batch->streams == NULL) {
        return false;
    }
    size_t blocks_size = block_count(batch) * sizeof(*batch->block_walks);
    batch->block_walks = cosmi_memory_alloc(&batch->memory, blocks_size, WORLD_ALIGNMENT);
    if (batch->block_walks == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < block_count(batch); i++) {
        atomic_init(&batch->block_walks[i], 0);
    }
    for (uint32_t w = 0; w < batch->world_count && entity_capacity > 0; w++) {
        if (!cosmi_directory_reserve(&batch->worlds[w], &batch->memory, &batch->pool,
                                     entity_capacity)) {
            return false;
        }
    }
    return true;
}

bool cosmi_batch_init(struct cosm_batch *batch, const cosm_batch_desc *desc) {
    batch->world_count = desc->world_count == 0 ? 1 : desc->world_count;
    batch->seed = desc->seed;
    batch->world_first = desc->world_first;
    batch->step_count = desc->step_first;
    batch->step_seconds = desc->step_seconds > 0.0f ? desc->step_seconds : 1.0f / 60.0f;
    batch->split = desc->split;
    batch->block_worlds = desc->block_worlds;
    batch->owner = thread_token();
    atomic_init(&batch->sides, 0);
    atomic_init(&batch->walks, 0);
    atomic_init(&batch->walks_shared, 0);
    atomic_init(&batch->commands_count, 0);
    atomic_init(&batch->loop_count, 0);
    atomic_init(&batch->reader_count, 0);
    atomic_init(&batch->rollback_count, 0);
    atomic_init(&batch->hasher_count, 0);
    atomic_init(&batch->running, false);
    atomic_init(&batch->store_list, NULL);
    cosmi_paged_init(&batch->stores);
    cosmi_paged_init(&batch->singletons);
    if (!cosmi_mutex_create(&batch->lock)) {
        return false;
    }
    if (!cosmi_pool_init(&batch->pool, &batch->memory)) {
        cosmi_mutex_destroy(&batch->lock);
        return false;
    }
    bool done = init_worlds(batch, desc->entity_capacity);
    for (uint32_t id = 1; done && id < paged_count(&batch->schema->singletons); id++) {
        const struct value_type *singleton = schema_singleton(batch->schema, id);
        done = singleton == NULL || cosmi_batch_make_singleton(batch, singleton);
    }
    if (!done) {
        cosmi_batch_free(batch);
    }
    return done;
}

static void free_group_lists(struct cosm_batch *batch) {
    for (struct store *store = batch_first_store(batch); store != NULL; store = store_next(store)) {
        for (uint32_t w = 0; store->group_lists != NULL && w < batch->world_count; w++) {
            cosmi_group_list_free(batch, store, w);
        }
    }
}

void cosmi_batch_free(struct cosm_batch *batch) {
    cosmi_managed_free(batch);
    for (uint32_t w = 0; batch->besides != NULL && w < batch->world_count; w++) {
        cosmi_sector_free((cosm_world){batch, w});
        cosmi_world_shared_free((cosm_world){batch, w});
    }
    struct store *store = batch_first_store(batch);
    free_group_lists(batch);
    while (store != NULL) {
        struct store *next = store_next(store);
        cosmi_store_destroy(batch_source(batch), store);
        store = next;
    }
    for (uint32_t id = 1; id < paged_count(&batch->singletons); id++) {
        if (paged_get(&batch->singletons, id) != NULL) {
            cosmi_batch_free_singleton(batch, schema_singleton(batch->schema, id));
        }
    }
    for (uint32_t w = 0; batch->worlds != NULL && w < batch->world_count; w++) {
        cosmi_directory_free(&batch->worlds[w], &batch->memory, &batch->pool);
    }
    for (uint32_t w = 0; batch->besides != NULL && w < batch->world_count; w++) {
        INVARIANT(batch->besides[w] == NULL || batch->besides[w]->shared == NULL,
                  "shared values are freed while the stores are there");
        cosmi_tree_free(batch, w);
        cosmi_event_free(batch, w);
        cosmi_memory_free(&batch->memory, batch->besides[w], sizeof(**batch->besides),
                          _Alignof(struct beside));
    }
    cosmi_memory_free(&batch->memory, batch->besides, batch->world_count * sizeof(*batch->besides),
                      sizeof(void *));
    cosmi_memory_free(&batch->memory, batch->streams, batch->world_count * sizeof(*batch->streams),
                      _Alignof(struct stream));
    cosmi_memory_free(&batch->memory, batch->worlds, batch->world_count * sizeof(*batch->worlds),
                      WORLD_ALIGNMENT);
    cosmi_memory_free(&batch->memory, batch->block_walks,
                      block_count(batch) * sizeof(*batch->block_walks), WORLD_ALIGNMENT);
    cosmi_batch_ticks_free(batch);
    cosmi_paged_free(&batch->stores, &batch->memory);
    cosmi_paged_free(&batch->singletons, &batch->memory);
    cosmi_pool_free(&batch->pool);
    cosmi_mutex_destroy(&batch->lock);
}

void cosmi_batch_shrink(struct cosm_batch *batch) {
    for (struct store *store = batch_first_store(batch); store != NULL; store = store_next(store)) {
        for (uint32_t w = 0; w < batch->world_count; w++) {
            cosmi_store_trim(batch_source(batch), store, w);
        }
    }
    for (uint32_t w = 0; w < batch->world_count; w++) {
        cosmi_shared_trim((cosm_world){batch, w});
        if (cosmi_sector_walks(batch, w) == 0) {
            (void)cosmi_sector_maintain((cosm_world){batch, w}, "cosm_batch_trim", NULL, NULL);
        }
        cosmi_event_free(batch, w);
        cosmi_directory_trim(&batch->worlds[w], &batch->memory, &batch->pool);
        cosmi_tree_trim(batch, w);
        cosmi_managed_trim(batch, w);
    }
    cosmi_pool_trim(&batch->pool);
}

size_t cosmi_batch_live_bytes(const struct cosm_batch *batch, uint32_t world) {
    size_t live = cosmi_shared_live_bytes(batch, world) + cosmi_sector_live_bytes(batch, world) +
                  cosmi_managed_live_bytes(batch, world);
    for (const struct store *store = world_first_store(batch, world); store != NULL;
         store = world_next_store(batch, world, store)) {
        size_t entity_size = store->archetype->columns[ENTITY_COLUMN].size;
        live += store->counts[world] * (store->archetype->row_size - entity_size);
    }
    return live;
}

size_t cosmi_batch_world_bytes(const struct cosm_batch *batch, uint32_t world) {
    size_t used = sizeof(struct world) +
                  cosmi_directory_bytes(&batch->worlds[world], &batch->memory) +
                  cosmi_world_shared_bytes(batch, world) + cosmi_sector_bytes(batch, world) +
                  cosmi_tree_bytes(batch_tree(batch, world)) + cosmi_managed_bytes(batch, world);
    used += batch->besides[world] == NULL ? 0 : sizeof(struct beside);
    const struct store *store = batch_first_store(batch);
    for (; store != NULL; store = store_next(store)) {
        used += cosmi_store_used(&batch->memory, store, world);
    }
    used += cosmi_event_bytes(batch, world);
    for (uint32_t id = 1; id < paged_count(&batch->singletons); id++) {
        if (paged_get(&batch->singletons, id) != NULL) {
            used += schema_singleton(batch->schema, id)->size;
        }
    }
    return used;
}
