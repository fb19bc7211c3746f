// Events: the log of what happened to watched rows.
#include "store/event.h"

#include "base/bits.h"
#include "store/shared.h"
#include "store/values.h"

const struct watch_entry *cosmi_event_entry(const struct event_watch *watch, uint32_t observer) {
    for (uint32_t i = 0; watch != NULL && i < watch->entry_count; i++) {
        if (watch->entries[i].observer == observer) {
            return &watch->entries[i];
        }
    }
    return NULL;
}

// Does somebody who watches `from` for one of these kinds not watch `to`?
static bool is_left(const struct event_watch *from, const struct event_watch *to, uint32_t kinds) {
    if (from == NULL || (from->kinds & kinds) == 0) {
        return false;
    }
    for (uint32_t i = 0; i < from->entry_count; i++) {
        const struct watch_entry *entry = &from->entries[i];
        if ((entry->kinds & kinds) != 0 &&
            (entry->has_values || cosmi_event_entry(to, entry->observer) == NULL)) {
            return true;
        }
    }
    return false;
}

static const struct event_watch *watch_of(const struct archetype *archetype) {
    return archetype == NULL ? NULL : archetype->watch;
}

// Does somebody want to know of rows that go this way?
static bool is_notified(const struct event_watch *source, const struct event_watch *target) {
    // Who wants to know of sets has to know as well which entities are new to him.
    return is_left(source, target, COSM_EVENT_REMOVE) ||
           is_left(target, source, COSM_EVENT_ADD | COSM_EVENT_SET);
}

static size_t saved_stride_of(const struct event_watch *source, const struct event_watch *target) {
    return is_left(source, target, COSM_EVENT_REMOVE) ? source->saved_stride : 0;
}

void cosmi_event_need(struct event_need *need, const struct archetype *source,
                      const struct archetype *target, uint64_t rows, uint64_t runs) {
    const struct event_watch *from = watch_of(source);
    const struct event_watch *to = watch_of(target);
    if (rows == 0 || !is_notified(from, to)) {
        return;
    }
    need->records += runs;
    need->entities += rows;
    size_t stride = saved_stride_of(from, to);
    if (stride > 0) {
        need->bytes += rows * stride + runs * from->saved_alignment;
        need->alignment =
            need->alignment < from->saved_alignment ? from->saved_alignment : need->alignment;
    }
}

void cosmi_event_need_set(struct event_need *need, const struct archetype *archetype, uint64_t rows,
                          uint64_t runs) {
    const struct event_watch *watch = watch_of(archetype);
    if (rows > 0 && watch != NULL && (watch->kinds & COSM_EVENT_SET) != 0) {
        need->records += runs;
        need->entities += rows;
    }
}

static bool is_sector_watched(const struct cosm_batch *batch, uint32_t component) {
    for (uint32_t i = 0; batch->events != NULL && i < batch->events->sector_count; i++) {
        if (batch->events->sectors[i] == component) {
            return true;
        }
    }
    return false;
}

static size_t sector_value_stride(const struct value_type *component) {
    return component->size == 0 ? 0 : align_up(component->size, component->alignment);
}

void cosmi_event_need_sector(struct event_need *need, const struct cosm_batch *batch,
                             const struct value_type *component, uint64_t times) {
    if (component->storage != COSM_STORAGE_SECTOR || !is_sector_watched(batch, component->id)) {
        return;
    }
    need->records += times;
    need->entities += times;
    if (component->size > 0) {
        need->bytes += times * (sector_value_stride(component) + component->alignment);
        need->alignment =
            need->alignment < component->alignment ? component->alignment : need->alignment;
    }
}

void cosmi_event_need_end(struct event_need *need, const struct cosm_batch *batch,
                          const struct archetype *archetype, uint64_t rows, uint64_t runs) {
    cosmi_event_need(need, archetype, NULL, rows, runs);
    for (uint32_t i = 0; batch->events != NULL && i < batch->events->sector_count; i++) {
        cosmi_event_need_sector(need, batch,
                                schema_component(batch->schema, batch->events->sectors[i]), rows);
    }
}

// The bytes may have to lie at a larger alignment than those before them did.
static bool grow_values(struct event_log *log, struct memory *memory, uint64_t more,
                        size_t alignment) {
    if (more == 0 ||
        (more <= log->value_capacity - log->value_bytes && alignment <= log->value_alignment)) {
        return true;
    }
    uint64_t need = log->value_bytes + more;
    uint64_t grown = (uint64_t)log->value_capacity * 2;
    size_t size = (size_t)(need > grown ? need : grown);
    alignment = alignment < log->value_alignment ? log->value_alignment : alignment;
    char *values = need > PTRDIFF_MAX ? NULL : cosmi_memory_alloc(memory, size, alignment);
    if (values == NULL) {
        return false;
    }
    if (log->value_bytes > 0) {
        memcpy(values, log->values, log->value_bytes);
    }
    cosmi_memory_free(memory, log->values, log->value_capacity, log->value_alignment);
    log->values = values;
    log->value_capacity = size;
    log->value_alignment = alignment;
    return true;
}

// Another address for an array with room for `need` items; NULL when out of memory.
static void *grow_log_list(struct memory *memory, void *items, uint32_t *capacity, uint64_t need,
                           size_t item_size) {
    return need > UINT32_MAX / 2
               ? NULL
               : cosmi_array_grow(memory, items, capacity, (uint32_t)need, item_size);
}

static bool grow_log(struct event_log *log, struct memory *memory, const struct event_need *need) {
    uint64_t record_count = log->record_count + need->records;
    uint64_t entity_count = log->entity_count + need->entities;
    struct event_record *records =
        grow_log_list(memory, log->records, &log->record_capacity, record_count, sizeof(*records));
    log->records = records == NULL ? log->records : records;
    const void **order =
        grow_log_list(memory, log->order, &log->order_capacity,
                      record_count > entity_count ? record_count : entity_count, sizeof(*order));
    log->order = order == NULL ? log->order : order;
    cosm_entity *entities = grow_log_list(memory, log->entities, &log->entity_capacity,
                                          entity_count, sizeof(*entities));
    log->entities = entities == NULL ? log->entities : entities;
    uint64_t *keys =
        grow_log_list(memory, log->keys, &log->key_capacity, entity_count, sizeof(*keys));
    log->keys = keys == NULL ? log->keys : keys;
    return records != NULL && order != NULL && entities != NULL && keys != NULL &&
           grow_values(log, memory, need->bytes, need->alignment);
}

// The log of a world, made when there is none; NULL, with a message, when out of memory.
static struct event_log *need_log(cosm_world world, const char *call) {
    struct beside *beside = cosmi_batch_beside(world.batch, call, world.index);
    if (beside != NULL && beside->events == NULL) {
        struct memory *memory = &world.batch->memory;
        beside->events =
            cosmi_memory_alloc_zeroed(memory, sizeof(*beside->events), _Alignof(struct event_log));
        if (beside->events == NULL) {
            (void)cosmi_fail_memory(world.batch->sink, memory, call);
        }
    }
    return beside == NULL ? NULL : beside->events;
}

cosm_result cosmi_event_reserve(cosm_world world, const char *call, const struct event_need *need) {
    if (need->entities == 0) {
        return COSM_OK;
    }
    struct event_log *log = need_log(world, call);
    if (log == NULL) {
        return COSM_ERROR_MEMORY;
    }
    return grow_log(log, &world.batch->memory, need)
               ? COSM_OK
               : cosmi_fail_memory(world.batch->sink, &world.batch->memory, call);
}

cosm_result cosmi_event_reserve_reset(cosm_world world, const char *call) {
    struct event_need need = {0, 0, 0, 0};
    for (const struct store *store = world_first_store(world.batch, world.index);
         world.batch->events != NULL && store != NULL;
         store = world_next_store(world.batch, world.index, store)) {
        cosmi_event_need_end(&need, world.batch, store->archetype, store->counts[world.index], 1);
    }
    return cosmi_event_reserve(world, call, &need);
}

// The record for further entities of the same kind: the last one, or a new one. There is room.
static struct event_record *open_record(struct event_log *log, const struct event_record *like) {
    struct event_record *last =
        log->record_count == 0 ? NULL : &log->records[log->record_count - 1];
    if (last != NULL && last->what == like->what && last->source == like->source &&
        last->target == like->target && last->component == like->component &&
        last->stride == like->stride) {
        return last;
    }
    INVARIANT(log->record_count < log->record_capacity, "room for the record was made before");
    last = &log->records[log->record_count++];
    *last = *like;
    last->first = log->entity_count;
    last->count = 0;
    last->values = VALUES_NONE;
    return last;
}

static void save_row(cosm_world world, const struct store *store, uint32_t row, char *out_bytes) {
    const struct event_watch *watch = store->archetype->watch;
    const struct table *table = store_table(store, world.index);
    for (uint32_t i = 0; i < watch->saved_count; i++) {
        const struct saved_value *value = &watch->saved[i];
        char *bytes = out_bytes + value->offset;
        if (slot_is_split(store->archetype, value->slot)) {
            cosmi_split_read(store->archetype, value->slot, table->columns,
                             store_first(store, world.index) + row, bytes);
        } else {
            memcpy(bytes,
                   store_cell(store, table, world.index, value->slot->column, row, value->size),
                   value->size);
        }
    }
}

// Room for so many values behind the others, aligned for the first one.
static char *take_values(struct event_log *log, struct event_record *record, size_t alignment,
                         size_t bytes) {
    if (record->values == VALUES_NONE) {
        log->value_bytes = align_up(log->value_bytes, alignment);
        record->values = log->value_bytes;
    }
    INVARIANT(bytes <= log->value_capacity - log->value_bytes, "room for values was made before");
    char *values = log->values + log->value_bytes;
    log->value_bytes += bytes;
    return values;
}

// A log with room; NULL: the events are lost.
static struct event_log *ready_log(cosm_world world, const struct event_need *need) {
    struct event_log *log = event_log_of(world);
    if (log != NULL && !grow_log(log, &world.batch->memory, need)) {
        log->lost += need->entities;
        return NULL;
    }
    return log;
}

// Rows in an order: those of a list, or from one on.
struct event_rows {
    struct store *store; // where they are now
    const uint32_t *rows;
    uint32_t row;
    uint32_t count;
};

static void log_rows(cosm_world world, const struct event_record *like,
                     const struct event_rows *rows, const struct event_need *need) {
    struct event_log *log = need->entities == 0 ? NULL : ready_log(world, need);
    if (log == NULL) {
        return;
    }
    struct event_record *record = open_record(log, like);
    const cosm_entity *entities = store_entities(rows->store, world.index, 0);
    char *values = NULL;
    if (like->stride > 0) {
        values = take_values(log, record, like->source->archetype->watch->saved_alignment,
                             rows->count * like->stride);
    }
    for (uint32_t i = 0; i < rows->count; i++) {
        uint32_t row = rows->rows == NULL ? rows->row + i : rows->rows[i];
        log->entities[log->entity_count + i] = entities[row];
        if (values != NULL) {
            save_row(world, like->source, row, values + i * like->stride);
        }
    }
    log->entity_count += rows->count;
    record->count += rows->count;
}

static void log_way(cosm_world world, struct store *source, struct store *target,
                    const struct event_rows *rows) {
    const struct archetype *from = source == NULL ? NULL : source->archetype;
    const struct archetype *to = target == NULL ? NULL : target->archetype;
    struct event_need need = {0, 0, 0, 0};
    cosmi_event_need(&need, from, to, rows->count, 1);
    struct event_record like = {
        .what = EVENT_MOVED,
        .source = source,
        .target = target,
        .stride = need.bytes == 0 ? 0 : saved_stride_of(watch_of(from), watch_of(to))};
    log_rows(world, &like, rows, &need);
}

void cosmi_event_come(cosm_world world, struct store *store, uint32_t row, uint32_t count) {
    log_way(world, NULL, store, &(struct event_rows){store, NULL, row, count});
}

void cosmi_event_leave(cosm_world world, struct store *store, uint32_t row, uint32_t count) {
    log_way(world, store, NULL, &(struct event_rows){store, NULL, row, count});
}

void cosmi_event_move(cosm_world world, struct store *source, const uint32_t *rows, uint32_t row,
                      uint32_t count, struct store *target) {
    log_way(world, source, target, &(struct event_rows){source, rows, row, count});
}

void cosmi_event_arrive(cosm_world world, struct store *target, uint32_t row, uint32_t count) {
    log_way(world, NULL, target, &(struct event_rows){target, NULL, row, count});
}

void cosmi_event_set(cosm_world world, struct store *store, uint32_t component, uint32_t row,
                     uint32_t count) {
    const struct event_watch *watch = store->archetype->watch;
    struct event_need need = {0, 0, 0, 0};
    for (uint32_t i = 0; watch != NULL && i < watch->set_count && need.entities == 0; i++) {
        if (watch->sets[i] == component) {
            cosmi_event_need_set(&need, store->archetype, count, 1);
        }
    }
    struct event_record like = {.what = EVENT_SET, .target = store, .component = component};
    log_rows(world, &like, &(struct event_rows){store, NULL, row, count}, &need);
}

void cosmi_event_reset(cosm_world world) {
    for (struct store *store = world_first_store(world.batch, world.index); store != NULL;
         store = world_next_store(world.batch, world.index, store)) {
        uint32_t count = store->counts[world.index];
        if (count > 0 && store_is_watched(store)) {
            cosmi_event_leave(world, store, 0, count);
        }
    }
}

// Forgets that a component was added to an entity. False: it was not, as far as the log goes.
static bool take_back(struct event_log *log, cosm_entity entity, uint32_t component) {
    bool found = false;
    for (uint32_t r = 0; r < log->record_count; r++) {
        const struct event_record *record = &log->records[r];
        bool is_added = record->what == EVENT_SECTOR_ADDED && record->component == component;
        for (uint32_t i = 0; is_added && i < record->count; i++) {
            cosm_entity *logged = &log->entities[record->first + i];
            if (logged->id == entity.id && logged->gen == entity.gen) {
                *logged = COSM_ENTITY_NONE;
                found = true;
            }
        }
    }
    return found;
}

void cosmi_event_sector(cosm_world world, cosm_entity entity, const struct value_type *component,
                        enum event_what what, const void *value) {
    struct event_log *log = is_sector_watched(world.batch, component->id)
                                ? need_log(world, "cosm_observer_define")
                                : NULL;
    if (log == NULL || (what == EVENT_SECTOR_REMOVED && take_back(log, entity, component->id))) {
        return;
    }
    struct event_need need = {1, 1, 0, 0};
    struct event_record like = {.what = what, .component = component->id};
    if (what == EVENT_SECTOR_REMOVED) {
        const struct record *record = directory_find(world_data(world), entity);
        like.target = record == NULL ? NULL : world_store(world.batch, world.index, record->table);
        // The bytes of an object are of no use once it has ended.
        like.stride = value == NULL || component->is_object ? 0 : sector_value_stride(component);
        need.bytes = like.stride == 0 ? 0 : like.stride + component->alignment;
        need.alignment = component->alignment;
    }
    if (ready_log(world, &need) == NULL) {
        return;
    }
    struct event_record *open = open_record(log, &like);
    log->entities[log->entity_count++] = entity;
    open->count++;
    if (like.stride > 0) {
        memcpy(take_values(log, open, component->alignment, like.stride), value, component->size);
    }
}

void cosmi_event_clear(struct event_log *log) {
    log->record_count = 0;
    log->entity_count = 0;
    log->value_bytes = 0;
    log->lost = 0;
}

void cosmi_event_free(struct cosm_batch *batch, uint32_t world) {
    struct event_log *log = event_log_of(batch_world(batch, world));
    if (log == NULL) {
        return;
    }
    struct memory *memory = &batch->memory;
    cosmi_array_free(memory, log->records, log->record_capacity, sizeof(*log->records));
    cosmi_array_free(memory, log->order, log->order_capacity, sizeof(*log->order));
    cosmi_array_free(memory, log->entities, log->entity_capacity, sizeof(*log->entities));
    cosmi_array_free(memory, log->keys, log->key_capacity, sizeof(*log->keys));
    cosmi_memory_free(memory, log->values, log->value_capacity, log->value_alignment);
    cosmi_memory_free(memory, log, sizeof(*log), _Alignof(struct event_log));
    batch->besides[world]->events = NULL;
}

size_t cosmi_event_bytes(const struct cosm_batch *batch, uint32_t world) {
    const struct beside *beside = batch->besides[world];
    const struct event_log *log = beside == NULL ? NULL : beside->events;
    if (log == NULL) {
        return 0;
    }
    return sizeof(*log) + log->record_capacity * sizeof(*log->records) +
           log->order_capacity * sizeof(*log->order) +
           log->entity_capacity * sizeof(*log->entities) + log->key_capacity * sizeof(*log->keys) +
           log->value_capacity;
}

static void flag_store(struct store *store) {
    if (store->archetype->watch != NULL) {
        atomic_fetch_or_explicit(&store->sides, SIDE_EVENTS, memory_order_relaxed);
    } else {
        atomic_fetch_and_explicit(&store->sides, ~SIDE_EVENTS, memory_order_relaxed);
    }
}

void cosmi_event_flag_stores(struct cosm_batch *batch) {
    cosmi_mutex_lock(&batch->lock);
    for (struct store *store = batch_first_store(batch); store != NULL; store = store_next(store)) {
        flag_store(store);
    }
    for (uint32_t w = 0; w < batch->world_count; w++) {
        struct store *store = cosmi_shared_next(batch, w, NULL);
        for (; store != NULL; store = cosmi_shared_next(batch, w, store)) {
            flag_store(store);
        }
    }
    cosmi_mutex_unlock(&batch->lock);
}
