// Forks: copying worlds of tables, column by column; and all others by way of an image.
#include "state/fork.h"

#include "state/capture.h"
#include "store/change.h"
#include "store/rows.h"

// Has the world nothing but tables, ids and singletons? What observers are told of is no state.
static bool has_tables_only(const struct cosm_batch *batch, uint32_t world) {
    const struct beside *beside = batch->besides[world];
    return beside == NULL || (beside->tree == NULL && beside->shared == NULL &&
                              beside->sectors == NULL && beside->managed == NULL);
}

static bool is_direct(const struct fork *fork) {
    bool direct = has_tables_only(fork->source.batch, fork->source.index);
    for (uint32_t i = 0; direct && i < fork->count; i++) {
        direct = has_tables_only(fork->batch, fork_target(fork, i));
    }
    return direct;
}

// Room for the rows of one table in all targets. Of a fixed one there is room for what another
// world of it has.
static cosm_result prepare_fork_table(const struct fork *fork, struct archetype *archetype,
                                      uint32_t count) {
    struct store *store = cosmi_batch_make_store(fork->batch, fork->call, archetype);
    if (store == NULL) {
        return cosm_error_result();
    }
    cosm_result result = COSM_OK;
    for (uint32_t i = 0; store->fixed_max == 0 && i < fork->count && result == COSM_OK; i++) {
        uint32_t world = fork_target(fork, i);
        if (store_capacity(store, world) < count) {
            result = cosmi_rows_make_rows(batch_world(fork->batch, world), fork->call, store,
                                          count - store->counts[world]);
        }
    }
    return result;
}

static cosm_result prepare_fork_tables(const struct fork *fork) {
    uint32_t world = fork->source.index;
    cosm_result result = COSM_OK;
    const struct store *store = batch_first_store(fork->source.batch);
    for (; store != NULL && result == COSM_OK; store = store_next(store)) {
        if (store->counts[world] > 0) {
            result = prepare_fork_table(fork, store->archetype, store->counts[world]);
        }
    }
    return result;
}

static cosm_result prepare_fork_ids(const struct fork *fork) {
    struct cosm_batch *batch = fork->batch;
    uint32_t need = directory_need(world_data(fork->source));
    for (uint32_t i = 0; i < fork->count; i++) {
        struct world *world = &batch->worlds[fork_target(fork, i)];
        if (UNLIKELY(world->capacity < need) &&
            !cosmi_directory_fit(world, &batch->memory, &batch->pool, need)) {
            return cosmi_fail_memory(batch->sink, &batch->memory, fork->call);
        }
    }
    return COSM_OK;
}

static void give_plans(struct fork *fork) {
    cosmi_memory_free(&fork->batch->memory, fork->plans, fork->count * sizeof(struct restore),
                      _Alignof(struct restore));
    cosmi_image_release(fork->memory, fork->image);
    fork->plans = NULL;
    fork->image = NULL;
}

static void cancel_plans(struct fork *fork, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        if (!fork_is_source(fork, fork_target(fork, i))) {
            cosmi_restore_cancel(&fork->plans[i]);
        }
    }
    give_plans(fork);
}

static cosm_result prepare_by_image(struct fork *fork) {
    struct cosm_batch *batch = fork->batch;
    fork->image = cosmi_capture_alone(fork->source, fork->memory, fork->call);
    if (fork->image == NULL) {
        return cosm_error_result();
    }
    fork->plans = cosmi_memory_alloc(&batch->memory, fork->count * sizeof(struct restore),
                                     _Alignof(struct restore));
    if (fork->plans == NULL) {
        give_plans(fork);
        return cosmi_fail_memory(batch->sink, &batch->memory, fork->call);
    }
    for (uint32_t i = 0; i < fork->count; i++) {
        cosm_world world = batch_world(batch, fork_target(fork, i));
        if (fork_is_source(fork, world.index)) {
            continue;
        }
        cosm_result result = cosmi_restore_prepare(&fork->plans[i], world, fork->call, fork->image);
        if (result != COSM_OK) {
            cancel_plans(fork, i);
            return result;
        }
    }
    return COSM_OK;
}

cosm_result cosmi_fork_prepare(struct fork *fork) {
    fork->image = NULL;
    fork->plans = NULL;
    if (fork->count > 0 && !is_direct(fork)) {
        return prepare_by_image(fork);
    }
    cosm_result result = prepare_fork_tables(fork);
    return result == COSM_OK ? prepare_fork_ids(fork) : result;
}

void cosmi_fork_cancel(struct fork *fork) {
    if (fork->plans != NULL) {
        cancel_plans(fork, fork->count);
    }
}

// Neighbours among the targets, without the source.
struct fork_run {
    uint32_t first;
    uint32_t count;
};

// The run that begins with target number *next or behind it; moves *next on. False: there is none.
static bool next_fork_run(const struct fork *fork, uint32_t *next, struct fork_run *out_run) {
    uint32_t i = *next;
    if (i < fork->count && fork_is_source(fork, fork_target(fork, i))) {
        i++;
    }
    if (i >= fork->count) {
        return false;
    }
    uint32_t first = fork_target(fork, i);
    uint32_t end = fork->count;
    if (fork->list == NULL) {
        uint32_t source = fork->source.index - fork->first; // its number, if it is a target
        end = fork->batch == fork->source.batch && source > i && source < end ? source : end;
    } else {
        uint32_t last = i + 1;
        while (last < end && fork->list[last].index == first + (last - i) &&
               !fork_is_source(fork, fork->list[last].index)) {
            last++;
        }
        end = last;
    }
    *out_run = (struct fork_run){first, end - i};
    *next = end;
    return true;
}

// The rows of a fixed table: a loop for each column.
static void fork_fixed(const struct store *from, uint32_t source, const struct store *to,
                       struct fork_run run, uint32_t count) {
    const struct archetype *archetype = to->archetype;
    for (uint32_t c = 0; c < archetype->column_count; c++) {
        size_t size = image_column_size(archetype, c);
        if (size == 0) {
            continue;
        }
        const char *cells = store_cell(from, from->tables[0], source, c, 0, size);
        char *target = store_cell(to, to->tables[0], run.first, c, 0, size);
        size_t stride = to->fixed_max * size;
        for (uint32_t i = 0; i < run.count; i++) {
            memcpy(target, cells, count * size);
            target += stride;
        }
    }
}

// The rows of growing tables: world by world, as each has its columns side by side.
static void fork_growing(const struct store *from, uint32_t source, const struct store *to,
                         struct fork_run run, uint32_t count) {
    const struct archetype *archetype = to->archetype;
    void *const *cells = from->tables[source]->columns;
    for (uint32_t i = 0; i < run.count; i++) {
        struct table *table = to->tables[run.first + i];
        for (uint32_t c = 0; c < archetype->column_count; c++) {
            size_t size = image_column_size(archetype, c);
            if (size > 0) {
                memcpy(table->columns[c], cells[c], count * size);
            }
        }
        table->touched = table->touched < count ? count : table->touched;
    }
}

static bool has_row_ticks(const struct archetype *archetype) {
    bool has = false;
    for (uint32_t c = 0; c < archetype->column_count; c++) {
        has |= archetype->columns[c].is_ticks;
    }
    return has;
}

static void fork_table(const struct fork *fork, const struct store *from, struct store *to,
                       struct fork_run run, uint32_t count) {
    if (to->fixed_max != 0) {
        fork_fixed(from, fork->source.index, to, run, count);
    } else {
        fork_growing(from, fork->source.index, to, run, count);
    }
    bool by_row = has_row_ticks(to->archetype);
    for (uint32_t i = 0; by_row && i < run.count; i++) {
        cosmi_clear_row_ticks(to, run.first + i, count);
    }
    for (uint32_t i = 0; i < run.count; i++) {
        to->counts[run.first + i] = count;
    }
    for (uint32_t i = 0; to->ticks != NULL && i < run.count; i++) {
        cosmi_change_spawned(batch_world(fork->batch, run.first + i), to, 0, count);
    }
}

static void fork_tables(const struct fork *fork, struct fork_run run) {
    for (struct store *to = batch_first_store(fork->batch); to != NULL; to = store_next(to)) {
        const struct store *from = batch_store(fork->source.batch, to->archetype->id);
        uint32_t count = from == NULL ? 0 : from->counts[fork->source.index];
        store_note_fewer(to);
        if (count > 0) {
            fork_table(fork, from, to, run, count);
        } else {
            memset(to->counts + run.first, 0, run.count * sizeof(*to->counts));
        }
    }
}

static void fork_ids(const struct fork *fork, struct fork_run run) {
    struct world *from = world_data(fork->source);
    const struct record *records = from->records;
    size_t bytes = from->known * sizeof(struct record);
    struct world ids = {.used = from->used,
                        .known = from->known,
                        .free_head = from->free_head,
                        .free_count = from->free_count,
                        .alive = from->alive,
                        .reserved_cursor = from->reserved_cursor,
                        .fresh_deaths = from->fresh_deaths};
    uint32_t reserved_free = atomic_load_explicit(&from->reserved_free, memory_order_relaxed);
    uint32_t reserved_fresh = atomic_load_explicit(&from->reserved_fresh, memory_order_relaxed);
    for (uint32_t i = 0; i < run.count; i++) {
        struct world *to = &fork->batch->worlds[run.first + i];
        if (bytes > 0) {
            memcpy(to->records, records, bytes);
        }
        to->used = ids.used;
        to->known = ids.known;
        to->free_head = ids.free_head;
        to->free_count = ids.free_count;
        to->alive = ids.alive;
        to->reserved_cursor = ids.reserved_cursor;
        to->fresh_deaths = ids.fresh_deaths;
        atomic_store_explicit(&to->reserved_free, reserved_free, memory_order_relaxed);
        atomic_store_explicit(&to->reserved_fresh, reserved_fresh, memory_order_relaxed);
        to->ids_dirty = true;
    }
}

static void fork_singletons(const struct fork *fork, struct fork_run run) {
    const struct cosm_batch *batch = fork->batch;
    for (uint32_t id = 1; id < paged_count(&batch->singletons); id++) {
        char *to = paged_get(&batch->singletons, id);
        const char *from = paged_get(&fork->source.batch->singletons, id);
        size_t size = to == NULL || from == NULL ? 0 : schema_singleton(batch->schema, id)->size;
        for (uint32_t i = 0; size > 0 && i < run.count; i++) {
            copy_value(to + (run.first + i) * size, from + fork->source.index * size, size);
        }
    }
}

static void fork_streams(const struct fork *fork, struct fork_run run) {
    const struct cosm_batch *batch = fork->source.batch;
    uint32_t source = fork->source.index;
    uint64_t seed = world_seed(batch, source);
    uint64_t step = world_step(batch, source);
    uint64_t number = world_number(batch, source);
    for (uint32_t i = 0; i < run.count; i++) {
        world_set_stream(fork->batch, run.first + i, seed, step, number);
    }
}

// A target that draws as the batch says of its place, whatever it drew as before: two targets never
// draw alike, though both may have been copies of one world.
static void own_streams(const struct fork *fork, struct fork_run run) {
    memset(fork->batch->streams + run.first, 0, run.count * sizeof(struct stream));
}

static void fork_directly(const struct fork *fork) {
    struct fork_run run;
    batch_note_replaced(fork->batch);
    for (uint32_t next = 0; next_fork_run(fork, &next, &run);) {
        fork_tables(fork, run);
        fork_ids(fork, run);
        fork_singletons(fork, run);
        if (fork->own_random) {
            own_streams(fork, run);
        } else {
            fork_streams(fork, run);
        }
    }
}

void cosmi_fork_do(struct fork *fork) {
    if (fork->plans == NULL) {
        fork_directly(fork);
        return;
    }
    for (uint32_t i = 0; i < fork->count; i++) {
        uint32_t world = fork_target(fork, i);
        if (fork_is_source(fork, world)) {
            continue;
        }
        cosmi_restore_do(&fork->plans[i], fork->memory);
        if (fork->own_random) {
            own_streams(fork, (struct fork_run){world, 1});
        }
    }
    give_plans(fork);
}
