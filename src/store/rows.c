// Rows: appending, removing and moving them, with the directory kept true.
#include "store/rows.h"
#include "store/event.h"
#include "store/managed.h"
#include "store/shared.h"

// Why a table could not take more rows.
static cosm_result fail_table(cosm_world world, const char *call, const struct archetype *archetype,
                              uint32_t have, uint64_t count) {
    unsigned long long more = count;
    if (archetype->placement == COSM_PLACEMENT_FIXED) {
        return cosmi_fail(
            world.batch->sink, COSM_ERROR_FULL,
            "%s: archetype %u '%s' has no room in world %u: %u of max_per_world %u rows in use, "
            "%llu more requested; despawn some, or define it larger or growing",
            call, archetype->id, archetype->name, world.index, have, archetype->max_per_world,
            more);
    }
    if (have + count > COSM_TABLE_ROW_MAX) {
        return cosmi_fail(world.batch->sink, COSM_ERROR_LIMIT,
                          "%s: archetype %u '%s' has %u rows in world %u, %llu more would pass the "
                          "limit of %u; use more worlds or more archetypes",
                          call, archetype->id, archetype->name, have, world.index, more,
                          COSM_TABLE_ROW_MAX);
    }
    return cosmi_fail_memory(world.batch->sink, &world.batch->memory, call);
}

cosm_result cosmi_rows_make_ids(cosm_world world, const char *call, uint32_t count) {
    struct cosm_batch *batch = world.batch;
    if (!cosmi_directory_reserve(world_data(world), &batch->memory, &batch->pool, count)) {
        if (cosmi_directory_room(world_data(world)) < count) {
            return cosmi_fail(
                batch->sink, COSM_ERROR_LIMIT,
                "%s: world %u has %u living entities, %u more would pass the limit of "
                "%u ids; use more worlds",
                call, world.index, world_data(world)->alive, count, COSM_WORLD_ENTITY_MAX);
        }
        return cosmi_fail_memory(batch->sink, &batch->memory, call);
    }
    if (UNLIKELY(directory_has_reserved(world_data(world)))) {
        cosmi_directory_settle(world_data(world));
    }
    return COSM_OK;
}

cosm_result cosmi_rows_settle(cosm_world world, const char *call) {
    return directory_has_reserved(world_data(world)) ? cosmi_rows_make_ids(world, call, 0)
                                                     : COSM_OK;
}

cosm_result cosmi_rows_make_rows(cosm_world world, const char *call, struct store *store,
                                 uint64_t count) {
    uint32_t have = store->counts[world.index];
    if (LIKELY(count <= store_capacity(store, world.index) - have)) {
        return COSM_OK;
    }
    if (count > COSM_TABLE_ROW_MAX - have ||
        !cosmi_store_reserve(batch_source(world.batch), store, world.index,
                             have + (uint32_t)count)) {
        return fail_table(world, call, store->archetype, have, count);
    }
    return COSM_OK;
}

// The store of an archetype, made when there is none; NULL with a message.
static inline struct store *need_store(cosm_world world, const char *call,
                                       struct archetype *archetype) {
    struct store *store = batch_store(world.batch, archetype->id);
    return LIKELY(store != NULL && archetype->shared_count == 0)
               ? store
               : cosmi_shared_store(world, call, archetype, NULL, NULL, 0);
}

cosm_result cosmi_rows_make_room_in(cosm_world world, const char *call, struct store *store,
                                    uint32_t count) {
    cosm_result result = cosmi_rows_make_rows(world, call, store, count);
    if (result != COSM_OK) {
        return result;
    }
    if (UNLIKELY(store_is_watched(store))) {
        struct event_need need = {0, 0, 0, 0};
        cosmi_event_need(&need, NULL, store->archetype, count, 1);
        result = cosmi_event_reserve(world, call, &need);
        if (result != COSM_OK) {
            return result;
        }
    }
    bool has_ids =
        world_data(world)->free_count >= count && !directory_has_reserved(world_data(world));
    return store->archetype->temporary || has_ids ? COSM_OK
                                                  : cosmi_rows_make_ids(world, call, count);
}

cosm_result cosmi_rows_make_room(cosm_world world, const char *call, struct archetype *archetype,
                                 uint32_t count, struct store **out_store) {
    struct store *store = need_store(world, call, archetype);
    if (store == NULL) {
        return cosm_error_result();
    }
    *out_store = store;
    return cosmi_rows_make_room_in(world, call, store, count);
}

cosm_result cosmi_rows_make_spare(cosm_world world, const char *call, struct archetype *archetype,
                                  uint32_t count) {
    struct store *store;
    cosm_result result = cosmi_rows_make_room(world, call, archetype, count, &store);
    if (result != COSM_OK) {
        return result;
    }
    uint64_t spare = 0;
    for (store = world_first_store(world.batch, world.index); store != NULL;
         store = world_next_store(world.batch, world.index, store)) {
        if (!store->archetype->temporary) {
            spare += store_capacity(store, world.index) - store->counts[world.index];
        }
    }
    uint32_t room = cosmi_directory_room(world_data(world));
    return cosmi_rows_make_ids(world, call, spare > room ? room : (uint32_t)spare);
}

static uint32_t push_rows(cosm_world world, struct store *store, uint32_t count) {
    uint32_t row = store->counts[world.index];
    store->counts[world.index] = row + count;
    INVARIANT(row + count <= store_capacity(store, world.index), "there is room for the rows");
    return row;
}

uint32_t cosmi_rows_append(cosm_world world, struct store *store, uint32_t count) {
    uint32_t first = push_rows(world, store, count);
    if (store->archetype->temporary) {
        return first;
    }
    cosm_entity *entities = store_entities(store, world.index, first);
    if (count == 1) {
        (void)rows_append_one(world_data(world), &store->counts[world.index], entities, store->id,
                              first);
    } else {
        cosmi_directory_take_all(world_data(world), store->id, first, count, entities);
    }
    return first;
}

uint32_t cosmi_rows_append_reserved(cosm_world world, struct store *store, cosm_entity entity) {
    uint32_t row = push_rows(world, store, 1);
    struct record *record = &world_data(world)->records[entity.id];
    *record = (struct record){entity.gen, store->id, row};
    cosm_entity *cell = store_entities(store, world.index, row);
    *cell = entity;
    world_data(world)->alive++;
    return row;
}

static void set_column(cosm_world world, struct store *store, uint32_t column, uint32_t row,
                       uint32_t count, const void *value) {
    size_t size = store->archetype->columns[column].size;
    char *cell = store_cell(store, store_table(store, world.index), world.index, column, row, size);
    for (uint32_t i = 0; i < count; i++) {
        copy_value(cell + i * size, value, size);
    }
}

// Rows of a range table that were never touched read as zero: only the others are cleared.
static uint32_t rows_to_clear(const struct store *store, const struct table *table, uint32_t row,
                              uint32_t count) {
    if (store->fixed_max != 0 || table->reserved == 0 || row + count <= table->touched) {
        return count;
    }
    return row < table->touched ? table->touched - row : 0;
}

void cosmi_rows_fill_column(cosm_world world, struct store *store, uint32_t column, uint32_t row,
                            uint32_t count) {
    const struct column_info *info = &store->archetype->columns[column];
    if (info->default_value != NULL) {
        set_column(world, store, column, row, count, info->default_value);
        return;
    }
    const struct table *table = store_table(store, world.index);
    uint32_t dirty = rows_to_clear(store, table, row, count);
    if (dirty > 0) {
        char *cell = store_cell(store, table, world.index, column, row, info->size);
        if (dirty == 1) {
            clear_value(cell, info->size);
        } else {
            memset(cell, 0, dirty * (size_t)info->size);
        }
    }
}

void cosmi_rows_fill_row(const struct archetype *archetype, void *const *columns, size_t at,
                         uint64_t given) {
    for (uint32_t c = 1; c < archetype->column_count; c++) {
        const struct column_info *info = &archetype->columns[c];
        char *cell = (char *)columns[c] + at * info->size;
        if ((given >> (c & 63) & 1) != 0) {
            continue;
        }
        if (info->default_value != NULL) {
            copy_value(cell, info->default_value, info->size);
        } else {
            clear_value(cell, info->size);
        }
    }
}

// No value ends what the rows have; else it is an object that commands hold, for one row.
static void set_objects(cosm_world world, const struct store *store, uint32_t column, uint32_t row,
                        uint32_t count, void *held) {
    if (held == NULL) {
        cosmi_managed_release(world, store, column, row, count);
        return;
    }
    INVARIANT(count == 1, "commands bring each row an object of its own");
    cosmi_managed_set_held(world, store, column, row, held);
}

void cosmi_rows_set_value(cosm_world world, struct store *store, const struct column_slot *slot,
                          uint32_t row, uint32_t count, const void *value) {
    if (slot->column == 0) {
        // A tag, or what the table says itself.
        if (cosmi_store_shared(store, slot->component) != NULL && store_is_watched(store)) {
            cosmi_event_set(world, store, slot->component, row, count);
        }
        return;
    }
    const struct column_info *infos = &store->archetype->columns[slot->column];
    if (infos->managed != NULL) {
        // Commands own what they hold, and see it move on.
        set_objects(world, store, slot->column, row, count, (void *)(uintptr_t)value);
    }
    for (uint32_t p = 0; infos->managed == NULL && (p == 0 || p < infos->part_count); p++) {
        if (value == NULL) {
            cosmi_rows_fill_column(world, store, slot->column + p, row, count);
        } else {
            set_column(world, store, slot->column + p, row, count,
                       (const char *)value + infos[p].offset);
        }
    }
    if (store_sides(store) != 0) {
        cosmi_side_set(world, store, infos->component, row, count);
        if (store_is_watched(store)) {
            cosmi_event_set(world, store, infos->component, row, count);
        }
    }
}

void cosmi_rows_touch(cosm_world world, struct store *store) {
    struct table *table = store_table(store, world.index);
    if (store->fixed_max == 0 && store->counts[world.index] > table->touched) {
        table->touched = store->counts[world.index];
    }
}

void cosmi_rows_fill_hole(cosm_world world, struct store *store, uint32_t row, uint32_t last) {
    const struct archetype *archetype = store->archetype;
    void *const *columns = store_table(store, world.index)->columns;
    size_t first = store_first(store, world.index);
    for (uint32_t c = 1; c < archetype->column_count; c++) {
        size_t size = archetype->sizes[c];
        char *column = columns[c];
        copy_value(column + (first + row) * size, column + (first + last) * size, size);
    }
    if (store_sides(store) != 0) {
        cosmi_side_filled(world, store, row, 1);
    }
}

void cosmi_rows_clear(cosm_world world, struct store *store) {
    uint32_t count = store->counts[world.index];
    if (count == 0) {
        return;
    }
    if (store_sides(store) != 0) {
        cosmi_side_leaving(world, store, 0, count);
    }
    store_note_fewer(store);
    store->counts[world.index] = 0;
    if (store->archetype->temporary) {
        return;
    }
    const cosm_entity *entities = store_entities(store, world.index, 0);
    cosmi_directory_give_all(world_data(world), entities, count);
}

bool cosmi_rows_reset(cosm_world world) {
    if (!cosmi_directory_can_reset(world_data(world))) {
        return false;
    }
    cosmi_side_reset(world);
    cosmi_directory_reset(world_data(world));
    for (struct store *store = world_first_store(world.batch, world.index); store != NULL;
         store = world_next_store(world.batch, world.index, store)) {
        store_note_fewer(store);
        store->counts[world.index] = 0;
    }
    return true;
}

void cosmi_rows_clear_temporary(struct cosm_batch *batch) {
    for (struct store *store = batch_first_store(batch); store != NULL; store = store_next(store)) {
        if (store->archetype->temporary) {
            for (uint32_t w = 0; w < batch->world_count && store_sides(store) != 0; w++) {
                cosmi_managed_leaving(batch_world(batch, w), store, 0, store->counts[w]);
            }
            memset(store->counts, 0, batch->world_count * sizeof(*store->counts));
        }
    }
}
