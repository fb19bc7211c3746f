// Forks: copying worlds of tables, column by column; and all others by way of an image.
#include "state/fork.h"

#include "state/capture.h"
#include "store/change.h"
#include "store/rows.h"

// Has the world nothing but tables, ids and singletons? What observers are told of is no state.
static bool has_tables_only(const struct cosm_batch *batch, uint32_t world) {
    const struct beside *beside = batch->besides[world];
    return beside == NULL ||
           (beside->tree == NULL && beside->shared == NULL && beside->sectors == NULL &&
            beside->managed == NULL && beside->strangers == NULL);
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
            result = cosmi_rows_make_rows(batch_place(fork->batch, world), fork->call, store,
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
    uint32_t need = directory_need(place_world(fork->source));
    for (uint32_t i = 0; i < fork->count; i++) {
        if (!cosmi_directory_fit(&batch->worlds[fork_target(fork, i)], &batch->memory, &batch->pool,
                                 need)) {
            return cosmi_fail_memory(batch->sink, &batch->memory, fork->call);
        }
    }
    return COSM_OK;
}

static void give_plans(struct fork *fork) {
    cosmi_memory_give(&fork->batch->memory, fork->plans, fork->count * sizeof(struct restore),
                      _Alignof(struct restore));
    cosmi_image_give(fork->memory, fork->image);
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
    fork->image = cosmi_capture_apart(fork->source, fork->memory, fork->call);
    if (fork->image == NULL) {
        return cosm_error_result();
    }
    fork->plans = cosmi_memory_take(&batch->memory, fork->count * sizeof(struct restore),
                                    _Alignof(struct restore));
    if (fork->plans == NULL) {
        give_plans(fork);
        return cosmi_fail_memory(batch->sink, &batch->memory, fork->call);
    }
    for (uint32_t i = 0; i < fork->count; i++) {
        struct place place = batch_place(batch, fork_target(fork, i));
        if (fork_is_source(fork, place.index)) {
            continue;
        }
        cosm_result result = cosmi_restore_prepare(&fork->plans[i], place, fork->call, fork->image);
        if (result != COSM_OK) {
            cancel_plans(fork, i);
            return result;
        }
        fork->plans[i].keeps_stream = fork->own_random;
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

// The rows of one column of the source, in all targets.
static void fork_column(const struct fork *fork, const struct store *from, const struct store *to,
                        uint32_t column, size_t bytes) {
    size_t size = to->archetype->sizes[column];
    uint32_t source = fork->source.index;
    const char *cells = store_cell(from, store_table(from, source), source, column, 0, size);
    for (uint32_t i = 0; i < fork->count; i++) {
        uint32_t world = fork_target(fork, i);
        if (!fork_is_source(fork, world)) {
            memcpy(store_cell(to, store_table(to, world), world, column, 0, size), cells, bytes);
        }
    }
}

// All rows of a target have been written to.
static void stamp_forked(const struct fork *fork, struct store *store, uint32_t world,
                         uint32_t count) {
    struct place place = batch_place(fork->batch, world);
    if (store->ticks != NULL) {
        cosmi_change_spawned(place, store, 0, count);
    }
    cosmi_rows_touch(place, store);
}

static void fork_table(const struct fork *fork, const struct store *from, struct store *to,
                       uint32_t count) {
    for (uint32_t c = 0; c < to->archetype->column_count; c++) {
        size_t size = image_column_size(to->archetype, c);
        if (size > 0) {
            fork_column(fork, from, to, c, size * count);
        }
    }
    for (uint32_t i = 0; i < fork->count; i++) {
        uint32_t world = fork_target(fork, i);
        if (!fork_is_source(fork, world)) {
            to->counts[world] = count;
            stamp_forked(fork, to, world, count);
        }
    }
}

static void fork_tables(const struct fork *fork) {
    for (struct store *to = batch_first_store(fork->batch); to != NULL; to = store_next(to)) {
        const struct store *from = batch_store(fork->source.batch, to->archetype->id);
        uint32_t count = from == NULL ? 0 : from->counts[fork->source.index];
        if (count > 0) {
            fork_table(fork, from, to, count);
            continue;
        }
        for (uint32_t i = 0; i < fork->count; i++) {
            to->counts[fork_target(fork, i)] = 0;
        }
    }
}

static void fork_ids(const struct fork *fork) {
    struct world *from = place_world(fork->source);
    uint32_t promised_free = atomic_load_explicit(&from->promised_free, memory_order_relaxed);
    uint32_t promised_fresh = atomic_load_explicit(&from->promised_fresh, memory_order_relaxed);
    for (uint32_t i = 0; i < fork->count; i++) {
        uint32_t world = fork_target(fork, i);
        if (fork_is_source(fork, world)) {
            continue;
        }
        struct world *to = &fork->batch->worlds[world];
        if (from->known > 0) {
            memcpy(to->records, from->records, from->known * sizeof(struct record));
        }
        to->used = from->used;
        to->known = from->known;
        to->free_head = from->free_head;
        to->free_count = from->free_count;
        to->alive = from->alive;
        to->fresh_deaths = from->fresh_deaths;
        to->promise_cursor = from->promise_cursor;
        atomic_store_explicit(&to->promised_free, promised_free, memory_order_relaxed);
        atomic_store_explicit(&to->promised_fresh, promised_fresh, memory_order_relaxed);
        to->is_stirred = true;
    }
}

static void fork_singletons(const struct fork *fork) {
    const struct cosm_batch *batch = fork->batch;
    for (uint32_t id = 1; id < paged_count(&batch->singletons); id++) {
        char *to = paged_get(&batch->singletons, id);
        const char *from = paged_get(&fork->source.batch->singletons, id);
        size_t size = to == NULL || from == NULL ? 0 : schema_singleton(batch->schema, id)->size;
        for (uint32_t i = 0; size > 0 && i < fork->count; i++) {
            uint32_t world = fork_target(fork, i);
            if (!fork_is_source(fork, world)) {
                copy_value(to + world * size, from + fork->source.index * size, size);
            }
        }
    }
}

static void fork_streams(const struct fork *fork) {
    const struct cosm_batch *batch = fork->source.batch;
    uint32_t source = fork->source.index;
    uint64_t seed = world_seed(batch, source);
    uint64_t step = world_step(batch, source);
    uint32_t number = world_number(batch, source);
    for (uint32_t i = 0; i < fork->count; i++) {
        world_set_stream(fork->batch, fork_target(fork, i), seed, step, number);
    }
}

void cosmi_fork_do(struct fork *fork) {
    if (fork->plans == NULL) {
        fork_tables(fork);
        fork_ids(fork);
        fork_singletons(fork);
        if (!fork->own_random) {
            fork_streams(fork);
        }
        return;
    }
    for (uint32_t i = 0; i < fork->count; i++) {
        if (!fork_is_source(fork, fork_target(fork, i))) {
            cosmi_restore_do(&fork->plans[i], fork->memory);
        }
    }
    give_plans(fork);
}
