// Checksums: tables, directory and singletons, in an order that no thread or address decides.
//
// Tables are summed, each hashed with its signature, so that their order does not matter and
// archetype ids, which depend on who formed an archetype first, stay out of it.
#include "state/checksum.h"

#include "base/hash.h"

// The signature, the number of rows and every column.
static uint64_t checksum_table(const struct store *store, uint32_t world) {
    const struct archetype *archetype = store->archetype;
    const struct table *table = store_table(store, world);
    uint32_t count = store->counts[world];
    uint64_t hash = cosmi_hash_bytes(archetype->temporary ? 1 : 0, archetype->components,
                                     archetype->component_count * sizeof(uint32_t));
    hash = hash_u64(hash, count);
    for (uint32_t c = 0; c < archetype->column_count; c++) {
        size_t size = archetype->columns[c].size;
        if (size > 0) {
            hash =
                cosmi_hash_bytes(hash, store_cell(store, table, world, c, 0, size), count * size);
        }
    }
    return hash;
}

// Generations of all ids and the order of free ones. Promised ids count as such whether or not
// they have been taken off the free list yet. Where an entity stands is in its table.
static uint64_t checksum_directory(const struct world *world) {
    uint32_t promised = atomic_load_explicit(&world->promised_free, memory_order_relaxed);
    uint32_t fresh = atomic_load_explicit(&world->promised_fresh, memory_order_relaxed);
    uint64_t hash = hash_u64(world->fresh_deaths, (uint64_t)world->used + fresh);
    uint32_t seen = world->known > world->used + fresh ? world->known : world->used + fresh;
    for (uint32_t id = 0; id < seen; id++) {
        hash =
            hash_u64(hash, id < world->known ? world->records[id].gen : directory_fresh_gen(world));
    }
    uint32_t id = world->free_head;
    for (uint32_t i = 0; id != ID_NONE; i++, id = world->records[id].row) {
        hash = i < promised ? hash : hash_u64(hash, id);
    }
    return hash;
}

uint64_t cosmi_checksum_world(const struct cosm_batch *batch, uint32_t world) {
    uint64_t tables = 0;
    const struct store *store = batch_first_store(batch);
    for (; store != NULL; store = store_next(store)) {
        if (store->counts[world] > 0) {
            tables += checksum_table(store, world);
        }
    }
    uint64_t hash = hash_u64(checksum_directory(&batch->worlds[world]), tables);
    for (uint32_t id = 1; id < paged_count(&batch->singletons); id++) {
        const char *values = paged_get(&batch->singletons, id);
        if (values != NULL) {
            size_t size = schema_singleton(batch->schema, id)->size;
            hash = cosmi_hash_bytes(hash, values + world * size, size);
        }
    }
    return hash;
}

uint64_t cosmi_checksum_batch(const struct cosm_batch *batch) {
    uint64_t hash = hash_u64(batch->seed, batch->step_count);
    for (uint32_t w = 0; w < batch->world_count; w++) {
        hash = hash_u64(hash, cosmi_checksum_world(batch, w));
    }
    return hash;
}
