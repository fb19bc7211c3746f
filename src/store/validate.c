// Validation: every invariant of a batch, walked. The main engine of testing.
#include "store/change.h"
#include "store/managed.h"
#include "store/rows.h"
#include "store/sector_set.h"
#include "store/shared.h"
#include "store/tree.h"

static cosm_result broken(const struct cosm_batch *batch, uint32_t world, const char *what,
                          uint64_t value, uint64_t expected) {
    return cosmi_fail(batch->sink, COSM_ERROR_CORRUPT,
                      "cosm_batch_validate: world %u: %s: %llu, expected %llu; this is a defect of "
                      "the library: please report it",
                      world, what, (unsigned long long)value, (unsigned long long)expected);
}

// Does the record's entity stand where the record says?
static bool stands_there(const struct cosm_batch *batch, uint32_t world, uint32_t id) {
    const struct record *record = &batch->worlds[world].records[id];
    bool is_group = record->table >= GROUP_FIRST;
    bool is_known = is_group || schema_archetype(batch->schema, record->table) != NULL;
    const struct store *store = is_group   ? cosmi_shared_find(batch, world, record->table)
                                : is_known ? batch_store(batch, record->table)
                                           : NULL;
    if (store == NULL || store->archetype->temporary || record->row >= store->counts[world]) {
        return false;
    }
    const cosm_entity *entity = store_entities(store, world, record->row);
    return entity->id == id && entity->gen == record->gen;
}

static cosm_result validate_free_list(const struct cosm_batch *batch, uint32_t index) {
    const struct world *world = &batch->worlds[index];
    uint32_t length = 0;
    for (uint32_t id = world->free_head; id != ID_NONE; id = world->records[id].row) {
        if (id >= world->used || (world->records[id].gen & 1) != 0 ||
            world->records[id].table != TABLE_FREE || length >= world->free_count) {
            return broken(batch, index, "an id of the free list is not free", id, world->used);
        }
        length++;
    }
    if (atomic_load_explicit(&world->reserved_free, memory_order_relaxed) > world->free_count) {
        return broken(batch, index, "more ids are reserved than are free", world->reserved_free,
                      world->free_count);
    }
    if (length != world->free_count) {
        return broken(batch, index, "length of the free list", length, world->free_count);
    }
    return COSM_OK;
}

static cosm_result validate_directory(const struct cosm_batch *batch, uint32_t index) {
    const struct world *world = &batch->worlds[index];
    if (world->used > world->known || world->known > world->capacity) {
        return broken(batch, index, "ids known past the capacity", world->known, world->capacity);
    }
    uint32_t alive = 0;
    uint32_t set_apart = 0; // retired, or reserved and settled
    for (uint32_t id = 0; id < world->known; id++) {
        const struct record *record = &world->records[id];
        bool lives = (record->gen & 1) != 0;
        if (lives && (id >= world->used || !stands_there(batch, index, id))) {
            return broken(batch, index, "an entity is not where the directory says", id,
                          record->row);
        }
        alive += lives;
        if (!lives && id < world->used) {
            set_apart += record->gen == GEN_RETIRED || record->table == TABLE_RESERVED;
        }
    }
    if (alive != world->alive) {
        return broken(batch, index, "living entities", alive, world->alive);
    }
    if (alive + world->free_count + set_apart != world->used) {
        return broken(batch, index, "ids alive, free, retired or reserved",
                      alive + world->free_count + set_apart, world->used);
    }
    return validate_free_list(batch, index);
}

static cosm_result validate_columns(const struct cosm_batch *batch, const struct store *store,
                                    uint32_t world) {
    const struct table *table = store_table(store, world);
    for (uint32_t c = 0; table != NULL && c < store->archetype->column_count; c++) {
        const struct column_info *info = &store->archetype->columns[c];
        uintptr_t address = (uintptr_t)table->columns[c];
        if ((info->size == 0) != (address == 0)) {
            return broken(batch, world, "a column exists where it has bytes", c, info->size);
        }
        if (address % 64 != 0 || address % info->alignment != 0) {
            return broken(batch, world, "a column is misaligned", address % 4096, info->alignment);
        }
        if (info->part_count > 0 && (size_t)info->offset + info->size > info->value_size) {
            return broken(batch, world, "a part lies within its value", info->offset,
                          info->value_size);
        }
        if (c > 0 && archetype_find(store->archetype, info->component)->column + info->part != c) {
            return broken(batch, world, "the column map leads to the column", info->component, c);
        }
    }
    return COSM_OK;
}

static cosm_result validate_store(const struct cosm_batch *batch, const struct store *store,
                                  uint32_t world) {
    if (store->counts[world] > store_capacity(store, world)) {
        return broken(batch, world, "rows past the capacity of their table", store->counts[world],
                      store_capacity(store, world));
    }
    const struct table *table = store_table(store, world);
    if (store->fixed_max == 0 && table != NULL && table->reserved != 0 &&
        (table->capacity > table->reserved || store->counts[world] > table->touched)) {
        return broken(batch, world, "rows past what was touched", store->counts[world],
                      table->touched);
    }
    if (atomic_load_explicit(&store->is_full, memory_order_relaxed) &&
        store->counts[world] != store->fixed_max) {
        return broken(batch, world, "rows of a store that counts as full", store->counts[world],
                      store->fixed_max);
    }
    const char *fault = cosmi_change_fault(batch, store, world);
    return fault != NULL ? broken(batch, world, fault, store->id, 0)
                         : validate_columns(batch, store, world);
}

static cosm_result validate_tree(const struct cosm_batch *batch, uint32_t world) {
    uint32_t id;
    const char *wrong = cosmi_tree_check(batch, world, &id);
    return wrong == NULL ? COSM_OK : broken(batch, world, wrong, id, 0);
}

static cosm_result validate_world(const struct cosm_batch *batch, uint32_t world) {
    uint64_t rows = 0;
    const struct store *store = world_first_store(batch, world);
    for (; store != NULL; store = world_next_store(batch, world, store)) {
        cosm_result result = validate_store(batch, store, world);
        if (result != COSM_OK) {
            return result;
        }
        rows += store->archetype->temporary ? 0 : store->counts[world];
    }
    if (rows != batch->worlds[world].alive) {
        return broken(batch, world, "rows of all tables", rows, batch->worlds[world].alive);
    }
    cosm_result result = cosmi_shared_validate(batch, world);
    if (result == COSM_OK) {
        result = cosmi_managed_validate(batch, "cosm_batch_validate", world);
    }
    if (result == COSM_OK) {
        result = cosmi_sector_validate(batch, world);
    }
    if (result == COSM_OK) {
        result = validate_directory(batch, world);
    }
    return result != COSM_OK ? result : validate_tree(batch, world);
}

cosm_result cosmi_batch_validate(const struct cosm_batch *batch) {
    for (uint32_t w = 0; w < batch->world_count; w++) {
        cosm_result result = validate_world(batch, w);
        if (result != COSM_OK) {
            return result;
        }
    }
    return COSM_OK;
}
