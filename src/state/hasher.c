// Hashers: notes of the hashes of columns, chunk by chunk, for tables of worlds that live.
//
// Before a table is hashed the notes of all that was stamped since the last time are cleared; what
// is left is still right. So nothing has to be done when a table loses its rows, or when its number
// becomes that of another one: rows that are added are stamped. Columns without ticks, and those
// that programs outside may write without stamping them, are never trusted.
//
// Notes of a chunk are cleared whole when its rows changed: the content of a row depends on its
// entity.
#include "state/hasher.h"

#include "store/change.h"

static size_t hasher_size(const struct cosm_batch *batch) {
    return sizeof(struct cosm_hasher) + batch->world_count * sizeof(struct hasher_world);
}

static size_t notes_size(const struct hasher_table *table) {
    return (size_t)table->chunk_capacity * table->archetype->column_count * 2 * sizeof(uint64_t);
}

struct cosm_hasher *cosmi_hasher_create(struct cosm_batch *batch, const char *call) {
    struct cosm_hasher *hasher =
        cosmi_memory_alloc_zeroed(&batch->memory, hasher_size(batch), _Alignof(struct cosm_hasher));
    if (hasher == NULL) {
        (void)cosmi_fail_memory(batch->sink, &batch->memory, call);
        return NULL;
    }
    hasher->batch = batch;
    for (uint32_t w = 0; w < batch->world_count; w++) {
        cosmi_map_init(&hasher->worlds[w].map, &batch->memory);
    }
    return hasher;
}

static void free_notes(struct memory *memory, struct hasher_table *table) {
    cosmi_memory_free(memory, table->notes, notes_size(table), sizeof(uint64_t));
    table->notes = NULL;
    table->chunk_capacity = 0;
}

void cosmi_hasher_destroy(struct cosm_hasher *hasher) {
    struct cosm_batch *batch = hasher->batch;
    for (uint32_t w = 0; w < batch->world_count; w++) {
        struct hasher_world *world = &hasher->worlds[w];
        for (uint32_t i = 0; i < world->table_count; i++) {
            free_notes(&batch->memory, &world->tables[i]);
        }
        cosmi_array_free(&batch->memory, world->tables, world->table_capacity,
                         sizeof(*world->tables));
        cosmi_map_free(&world->map);
    }
    cosmi_memory_free(&batch->memory, hasher, hasher_size(batch), _Alignof(struct cosm_hasher));
}

static bool is_numbered(const void *context, uint32_t index, const void *key) {
    const struct hasher_world *world = context;
    return world->tables[index].number == *(const uint32_t *)key;
}

// What is known of a table; an entry is made where there is none. NULL when out of memory.
static struct hasher_table *find_notes(struct memory *memory, struct hasher_world *world,
                                       uint32_t number) {
    uint64_t hash = hash_mix(number);
    uint32_t index = cosmi_map_find(&world->map, hash, is_numbered, world, &number);
    if (index != MAP_NONE) {
        return &world->tables[index];
    }
    void *grown = cosmi_array_grow(memory, world->tables, &world->table_capacity,
                                   world->table_count + 1, sizeof(*world->tables));
    world->tables = grown == NULL ? world->tables : grown;
    if (grown == NULL || !cosmi_map_reserve(&world->map)) {
        return NULL;
    }
    index = world->table_count++;
    world->tables[index] = (struct hasher_table){.number = number};
    cosmi_map_insert(&world->map, hash, index);
    return &world->tables[index];
}

// Makes room for the chunks of a store's table; nothing is known of new ones. Numbers of groups are
// used again, for other archetypes too. False when out of memory.
static bool fit_notes(struct memory *memory, struct hasher_table *table, const struct store *store,
                      uint32_t chunks) {
    if (table->archetype != store->archetype && table->archetype != NULL) {
        free_notes(memory, table);
        table->count = 0;
    }
    table->archetype = store->archetype;
    if (chunks <= table->chunk_capacity) {
        return true;
    }
    uint32_t capacity = chunks + chunks / 4;
    struct hasher_table grown = *table;
    grown.chunk_capacity = capacity;
    uint64_t *hashes = cosmi_memory_alloc_zeroed(memory, notes_size(&grown), sizeof(uint64_t));
    if (hashes == NULL) {
        return false;
    }
    if (table->notes != NULL) {
        memcpy(hashes, table->notes, notes_size(table));
        free_notes(memory, table);
    }
    table->notes = hashes;
    table->chunk_capacity = capacity;
    return true;
}

static uint32_t rows_in_chunk(const struct archetype *archetype, uint32_t count, uint32_t chunk) {
    uint32_t first = chunk * archetype->chunk_rows;
    uint32_t left = count > first ? count - first : 0;
    return left < archetype->chunk_rows ? left : archetype->chunk_rows;
}

// Forgets what has changed in a chunk since `clock`: the hashes of columns that were open to being
// written, or that the outside can write; where rows came, went or changed places, all of them.
static void forget_chunk(struct hasher_table *table, const struct store *store, cosm_world world,
                         uint32_t chunk, uint64_t clock) {
    uint32_t index = world.index;
    const struct archetype *archetype = table->archetype;
    const struct store_ticks *ticks = store->ticks;
    uint32_t count = store->counts[index];
    uint64_t *hashes = table->notes + (size_t)chunk * archetype->column_count * 2;
    bool all = ticks == NULL || rows_in_chunk(archetype, count, chunk) !=
                                    rows_in_chunk(archetype, table->count, chunk);
    for (uint32_t c = 0; c < archetype->column_count; c++) {
        uint32_t number = all ? 0 : ticks->numbers[c - archetype->columns[c].part];
        bool changed = all || number == 0 || column_is_shown(world.batch, store, c);
        if (!changed) {
            size_t at = (size_t)chunk * ticks->tracked_count + number - 1;
            changed = tick_load(&table_ticks(store, index)[at]) > clock;
        }
        all |= changed && c == ENTITY_COLUMN && !archetype->temporary;
        if (changed) {
            hashes[2 * c + NOTE_EXACT] = 0;
            hashes[2 * c + NOTE_CONTENT] = 0;
        }
    }
}

// Brings what is known of a table up to what is there now. NULL when out of memory.
static struct hasher_table *renew_notes(struct memory *memory, struct hasher_world *known,
                                        const struct store *store, cosm_world world) {
    struct hasher_table *table = find_notes(memory, known, store->id);
    uint32_t count = store->counts[world.index];
    uint32_t chunks = (count - 1) / store->archetype->chunk_rows + 1;
    if (table == NULL || !fit_notes(memory, table, store, chunks)) {
        return NULL;
    }
    for (uint32_t c = 0; c < chunks; c++) {
        forget_chunk(table, store, world, c, known->clock);
    }
    table->count = count;
    return table;
}

cosm_result cosmi_hasher_world(struct cosm_hasher *hasher, const char *call, uint32_t index,
                               cosm_hash_kind kind, uint64_t *out_hash) {
    struct cosm_batch *batch = hasher->batch;
    struct hasher_world *known = &hasher->worlds[index];
    cosm_world world = {batch, index};
    struct view view = cosmi_view_world(world);
    struct part head;
    struct part_view table = {0};
    uint64_t tables = 0;
    world_stamp_open(world);
    uint64_t clock = world_clock(world);
    while (cosmi_view_next(&view, PART_TABLE, &table, &head)) {
        struct hasher_table *entry = renew_notes(&batch->memory, known, table.live.at, world);
        if (entry == NULL) {
            return cosmi_fail_memory(batch->sink, &batch->memory, call);
        }
        table.notes = entry->notes;
        tables += cosmi_hash_rows(&view, &table, kind);
    }
    *out_hash = cosmi_hash_rest(&view, tables, kind);
    known->clock = clock;
    world_tick(world);
    return COSM_OK;
}
