// The public calls of cosm/query.h that are about changes.
#include <cosm/query.h>

#include "api/check.h"
#include "query/changed.h"
#include "run/checks.h"
#include "store/shared.h"

// Nothing of the batch runs. What is walked is refused by the caller where it matters.
static cosm_result check_no_step(const struct cosm_batch *batch, const char *call) {
    if (!atomic_load_explicit(&batch->running, memory_order_relaxed)) {
        return COSM_OK;
    }
    return cosmi_fail(batch->sink, COSM_ERROR_BUSY,
                      "%s: the batch is running; call it between steps. In a system, use "
                      "'changed' terms in its own query",
                      call);
}

// Tracking may begin: nothing runs and nobody walks.
static cosm_result check_track(cosm_batch *batch, const char *call) {
    cosm_result result = check_no_step(batch, call);
    return result != COSM_OK
               ? result
               : cosmi_check_unwalked((cosm_worlds){batch, 0, batch->world_count}, call);
}

cosm_change_reader *cosm_change_reader_create(cosm_batch *batch, cosm_query *query) {
    static const char call[] = "cosm_change_reader_create";
    if (batch == NULL || query == NULL) {
        (void)cosmi_refuse_null(batch == NULL ? NULL : batch->sink, call,
                                batch == NULL ? "batch" : "query", "pass both");
        return NULL;
    }
    if (query->cache->schema != batch->schema || query->changed == 0) {
        (void)cosmi_fail(
            batch->sink, COSM_ERROR_ARGUMENT,
            "%s: the query belongs to another engine or has no 'changed' term; create it with the "
            "batch's engine, and set 'changed' in one of its terms",
            call);
        return NULL;
    }
    if (check_track(batch, call) != COSM_OK) {
        return NULL;
    }
    cosm_change_reader *reader = cosmi_reader_create(batch, query, READER_OF_PROGRAM, call);
    if (reader != NULL) {
        atomic_fetch_add(&batch->reader_count, 1);
    }
    return reader;
}

void cosm_change_reader_destroy(cosm_change_reader *reader) {
    if (reader != NULL) {
        atomic_fetch_sub(&reader->batch->reader_count, 1);
        cosmi_reader_destroy(reader);
    }
}

// Do the worlds exist, and are they those of the reader?
static cosm_result check_advance(const cosm_change_reader *reader, cosm_worlds worlds,
                                 const char *call) {
    if (!worlds_exist(worlds)) {
        return cosmi_refuse_worlds(worlds, call);
    }
    if (reader == NULL) {
        return cosmi_refuse_null(worlds.batch->sink, call, "reader",
                                 "pass one from cosm_change_reader_create");
    }
    if (reader->batch != worlds.batch) {
        return cosmi_fail(worlds.batch->sink, COSM_ERROR_ARGUMENT,
                          "%s: the reader belongs to another batch than the worlds; create one "
                          "per batch",
                          call);
    }
    return check_no_step(worlds.batch, call);
}

void cosm_change_walk(cosm_change_reader *reader, cosm_worlds worlds, cosm_rows *out_rows) {
    static const char call[] = "cosm_change_walk";
    if (out_rows == NULL) {
        const struct sink *sink = worlds.batch == NULL ? NULL : worlds.batch->sink;
        (void)cosmi_refuse_null(sink, call, "out_rows", "pass a cosm_rows to fill");
        return;
    }
    if (check_advance(reader, worlds, call) != COSM_OK) {
        memset(out_rows, 0, sizeof(*out_rows));
        return;
    }
    cosmi_walk_begin(reader->query, worlds, out_rows);
    cosmi_reader_advance(reader, worlds.first, worlds.first + worlds.count);
    out_rows->reader = reader;
}

cosm_result cosm_change_forget(cosm_change_reader *reader, cosm_worlds worlds) {
    cosm_result result = check_advance(reader, worlds, "cosm_change_forget");
    if (result == COSM_OK) {
        memset(reader->seen + worlds.first, 0, worlds.count * sizeof(*reader->seen));
    }
    return result;
}

void cosm_change_mark(const cosm_rows *rows, uint32_t index, uint32_t first, uint32_t count) {
    static const char call[] = "cosm_change_mark";
    if (rows == NULL || rows->batch == NULL) {
        (void)cosmi_refuse_null(NULL, call, "rows", "pass those that a walk shows");
        return;
    }
    if (index >= rows->term_count || first > rows->count || count > rows->count - first) {
        (void)cosmi_fail(
            rows->batch->sink, COSM_ERROR_ARGUMENT,
            "%s: rows %u to %u of %u, term %u of %u: no such rows or no such term; both count "
            "from 0, within the current run",
            call, first, first + count, rows->count, index, rows->term_count);
        return;
    }
    const cosm_term_info *term = &rows->terms[index];
    if (term->access == COSM_ACCESS_READ) {
        (void)cosmi_fail(
            rows->batch->sink, COSM_ERROR_ARGUMENT,
            "%s: term %u, component '%s', has COSM_ACCESS_READ; ask for "
            "COSM_ACCESS_MARK in the query",
            call, index,
            cosm_component_describe(rows->batch->engine, (cosm_component){term->component}).name);
        return;
    }
    cosmi_run_stamp_component(rows, term->component, first, count);
}

cosm_result cosm_change_track(cosm_batch *batch, cosm_component component) {
    static const char call[] = "cosm_change_track";
    if (batch == NULL) {
        return cosmi_refuse_null(NULL, call, "batch", "pass one from cosm_batch_create");
    }
    const struct value_type *type = cosmi_check_plain(batch, call, component);
    if (type == NULL) {
        return COSM_ERROR_ARGUMENT;
    }
    if (type->cell_size == 0) {
        return cosmi_fail(batch->sink, COSM_ERROR_ARGUMENT,
                          "%s: component '%s' has no column; only components with a column track "
                          "changes",
                          call, type->name);
    }
    cosm_result result = check_track(batch, call);
    if (result != COSM_OK) {
        return result;
    }
    uint64_t components[COSM_COMPONENT_MAX / 64 + 1] = {0};
    components[component.id / 64] |= (uint64_t)1 << (component.id % 64);
    return cosmi_change_track(batch, components)
               ? COSM_OK
               : cosmi_fail_memory(batch->sink, &batch->memory, call);
}

// What the outside may have written through a tensor is stamped before ticks are looked at; in a
// step that was done when it began.
static void stamp_outside(cosm_world world) {
    if (!atomic_load_explicit(&world.batch->running, memory_order_relaxed)) {
        world_stamp_open(world);
    }
}

uint64_t cosm_change_now(cosm_world world) {
    static const char call[] = "cosm_change_now";
    if (!world_exists(world)) {
        (void)cosmi_refuse_world(world, call);
        return 0;
    }
    if (check_no_step(world.batch, call) != COSM_OK || world.batch->ticks == NULL) {
        return 0;
    }
    world_stamp_open(world);
    uint64_t now = world_clock(world);
    world_tick(world);
    return now;
}

uint64_t cosm_change_tick(cosm_world world, cosm_archetype archetype, cosm_component component,
                          uint32_t chunk) {
    const struct store *store = world_exists(world) && archetype.id < PAGED_MAX
                                    ? batch_store(world.batch, archetype.id)
                                    : NULL;
    const struct column_slot *slot = store == NULL ? NULL : store_find(store, component.id);
    if (slot == NULL || slot->column == 0) {
        return 0;
    }
    stamp_outside(world);
    // Where values are shared, the chunks of all groups are counted one after the other.
    const struct store *table = cosmi_shared_table(store, world.index, NULL);
    for (; table != NULL; table = cosmi_shared_table(store, world.index, table)) {
        uint32_t chunk_rows = store->archetype->chunk_rows;
        uint32_t chunks = (table->counts[world.index] + chunk_rows - 1) / chunk_rows;
        if (chunk < chunks) {
            return cosmi_change_chunk_tick(world, table, slot, chunk);
        }
        chunk -= chunks;
    }
    return 0;
}

uint64_t cosm_change_entity_tick(cosm_world world, cosm_entity entity, cosm_component component) {
    const struct record *record =
        world_exists(world) ? directory_find(&world.batch->worlds[world.index], entity) : NULL;
    const struct store *store =
        record == NULL ? NULL : world_store(world.batch, world.index, record->table);
    const struct column_slot *slot = store == NULL ? NULL : store_find(store, component.id);
    if (slot == NULL || slot->column == 0) {
        return 0;
    }
    stamp_outside(world);
    return cosmi_change_tick(world, store, slot, record->row);
}
