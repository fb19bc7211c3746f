// The directory of a world.
#include "store/directory.h"

#include <string.h>

#include "base/bits.h"

#define RECORD_SIZE sizeof(struct record)

void cosmi_directory_init(struct world *world) {
    world->records = NULL;
    world->used = 0;
    world->known = 0;
    world->capacity = 0;
    world->range_log2 = 0;
    world->ids_dirty = false;
    world->owner = thread_token();
    world->free_head = ID_NONE;
    world->free_count = 0;
    world->alive = 0;
    atomic_init(&world->walks, 0);
    atomic_init(&world->walks_shared, 0);
    atomic_flag_clear(&world->reserved_lock);
    world->reserved_cursor = ID_NONE;
    world->fresh_deaths = 0;
    atomic_init(&world->reserved_free, 0);
    atomic_init(&world->reserved_fresh, 0);
}

// The block that holds `count` records.
static size_t record_block_size(uint32_t count) {
    size_t size = power_of_two_ceil(count * RECORD_SIZE);
    return size < POOL_BLOCK_MIN ? POOL_BLOCK_MIN : size;
}

static void free_records(struct record *records, uint32_t capacity, uint8_t range_log2,
                         struct memory *memory, struct pool *pool) {
    if (records == NULL) {
        return;
    }
    if (range_log2 != 0) {
        cosmi_range_unreserve(memory, records, RECORD_SIZE << range_log2, capacity * RECORD_SIZE);
    } else {
        cosmi_pool_give(pool, records, record_block_size(capacity));
    }
}

void cosmi_directory_free(struct world *world, struct memory *memory, struct pool *pool) {
    free_records(world->records, world->capacity, world->range_log2, memory, pool);
    world->records = NULL;
    world->capacity = 0;
}

size_t cosmi_directory_bytes(const struct world *world, const struct memory *memory) {
    if (world->records == NULL) {
        return 0;
    }
    return world->range_log2 != 0 ? cosmi_range_committed(memory, world->capacity * RECORD_SIZE)
                                  : record_block_size(world->capacity);
}

uint32_t cosmi_directory_room(const struct world *world) {
    uint32_t fresh = atomic_load_explicit(&world->reserved_fresh, memory_order_relaxed);
    uint32_t reserved = atomic_load_explicit(&world->reserved_free, memory_order_relaxed);
    return COSM_WORLD_ENTITY_MAX - world->used - fresh + world->free_count - reserved;
}

static void adopt_records(struct world *world, struct record *records, uint32_t capacity,
                          uint8_t range_log2, struct memory *memory, struct pool *pool) {
    if (world->known > 0) {
        memcpy(records, world->records, world->known * RECORD_SIZE);
    }
    free_records(world->records, world->capacity, world->range_log2, memory, pool);
    world->records = records;
    world->capacity = capacity;
    world->range_log2 = range_log2 & 0x7Fu;
}

// Moves the records to an address range, for as many ids as a world may have, or for fewer where
// there are many such ranges, or the system has little address space.
static bool promote_records(struct world *world, struct memory *memory, struct pool *pool,
                            uint32_t capacity) {
    uint8_t range_log2 = (uint8_t)log2_of(COSM_WORLD_ENTITY_MAX);
    size_t room = cosmi_range_room(memory);
    while (RECORD_SIZE << range_log2 > room && (size_t)1 << (range_log2 - 3) >= capacity) {
        range_log2--;
    }
    void *records = cosmi_range_reserve(memory, RECORD_SIZE << range_log2);
    while (records == NULL && (size_t)1 << (range_log2 - 1) >= capacity) {
        range_log2--;
        records = cosmi_range_reserve(memory, RECORD_SIZE << range_log2);
    }
    if (records == NULL) {
        return false;
    }
    if (!cosmi_range_commit(memory, records, 0, capacity * RECORD_SIZE)) {
        cosmi_range_unreserve(memory, records, RECORD_SIZE << range_log2, 0);
        return false;
    }
    adopt_records(world, records, capacity, range_log2, memory, pool);
    return true;
}

static bool grow_range(struct world *world, struct memory *memory, struct pool *pool,
                       uint32_t capacity) {
    uint32_t range = 1u << world->range_log2;
    if (capacity > range) {
        return promote_records(world, memory, pool, capacity);
    }
    // An eighth more: growing a range copies nothing, so small steps are cheap and waste little.
    uint32_t grown = world->capacity + world->capacity / 8;
    grown = grown < capacity ? capacity : grown;
    grown = grown > range ? range : grown;
    if (!cosmi_range_commit(memory, world->records, world->capacity * RECORD_SIZE,
                            grown * RECORD_SIZE)) {
        grown = capacity;
        if (!cosmi_range_commit(memory, world->records, world->capacity * RECORD_SIZE,
                                grown * RECORD_SIZE)) {
            return false;
        }
    }
    world->capacity = grown;
    return true;
}

static bool grow_records(struct world *world, struct memory *memory, struct pool *pool,
                         uint32_t capacity) {
    if (world->range_log2 != 0) {
        return grow_range(world, memory, pool, capacity);
    }
    size_t size = record_block_size(capacity);
    if (size > POOL_BLOCK_MAX) {
        return promote_records(world, memory, pool, capacity);
    }
    struct record *records = cosmi_pool_take(pool, size);
    if (records == NULL) {
        return false;
    }
    adopt_records(world, records, (uint32_t)(size / RECORD_SIZE), 0, memory, pool);
    return true;
}

bool cosmi_directory_reserve(struct world *world, struct memory *memory, struct pool *pool,
                             uint32_t count) {
    uint32_t fresh = atomic_load_explicit(&world->reserved_fresh, memory_order_relaxed);
    uint32_t reserved = atomic_load_explicit(&world->reserved_free, memory_order_relaxed);
    uint32_t unreserved = world->free_count - reserved;
    uint64_t need = (uint64_t)world->used + fresh + (count > unreserved ? count - unreserved : 0);
    // Ids below `known` that are retired are passed over when ids are handed out again.
    for (uint32_t id = world->used; id < world->known && id < need; id++) {
        need += world->records[id].gen == GEN_RETIRED;
    }
    if (need <= world->capacity) {
        return true;
    }
    return need <= COSM_WORLD_ENTITY_MAX && grow_records(world, memory, pool, (uint32_t)need);
}

bool cosmi_directory_fit(struct world *world, struct memory *memory, struct pool *pool,
                         uint32_t known) {
    return known <= world->capacity || grow_records(world, memory, pool, known);
}

void cosmi_directory_trim(struct world *world, struct memory *memory, struct pool *pool) {
    uint32_t keep = world->known;
    if (world->range_log2 != 0 && record_block_size(keep) > POOL_BLOCK_MAX) {
        cosmi_range_decommit(memory, world->records, keep * RECORD_SIZE,
                             world->capacity * RECORD_SIZE);
        world->capacity = keep;
        return;
    }
    if (keep == 0) {
        cosmi_directory_free(world, memory, pool);
        world->range_log2 = 0;
        return;
    }
    size_t size = record_block_size(keep);
    if (world->range_log2 == 0 && size >= record_block_size(world->capacity)) {
        return;
    }
    struct record *records = cosmi_pool_take(pool, size);
    if (records != NULL) {
        adopt_records(world, records, (uint32_t)(size / RECORD_SIZE), 0, memory, pool);
    }
}

static void lock_reserved(struct world *world) {
    // Held for a few instructions, by threads that record commands at the same time.
    while (atomic_flag_test_and_set_explicit(&world->reserved_lock, memory_order_acquire)) {
    }
}

static void unlock_reserved(struct world *world) {
    atomic_flag_clear_explicit(&world->reserved_lock, memory_order_release);
}

// The ids ahead of those that are reserved already.
cosm_entity cosmi_directory_reserve_id(struct world *world) {
    lock_reserved(world);
    uint32_t listed = atomic_load_explicit(&world->reserved_free, memory_order_relaxed);
    uint32_t fresh = atomic_load_explicit(&world->reserved_fresh, memory_order_relaxed);
    struct ids_ahead ahead = {listed == 0 ? world->free_head : world->reserved_cursor,
                              world->used + fresh};
    if (listed == world->free_count) {
        ahead.listed = ID_NONE;
    }
    bool is_listed = ahead.listed != ID_NONE;
    cosm_entity entity = directory_next(world, &ahead);
    if (is_listed) {
        world->reserved_cursor = ahead.listed;
        atomic_store_explicit(&world->reserved_free, listed + 1, memory_order_relaxed);
    } else if (entity.id < COSM_WORLD_ENTITY_MAX) {
        atomic_store_explicit(&world->reserved_fresh, ahead.fresh - world->used,
                              memory_order_relaxed);
    } else {
        entity = COSM_ENTITY_NONE;
    }
    unlock_reserved(world);
    return entity;
}

void cosmi_directory_settle_listed(struct world *world) {
    uint32_t reserved = atomic_load_explicit(&world->reserved_free, memory_order_relaxed);
    world->ids_dirty |= reserved > 0;
    for (uint32_t i = 0; i < reserved; i++) {
        uint32_t id = world->free_head;
        world->free_head = world->records[id].row;
        world->free_count--;
        world->records[id].table = TABLE_RESERVED;
    }
    atomic_store_explicit(&world->reserved_free, 0, memory_order_relaxed);
}

void cosmi_directory_settle(struct world *world) {
    cosmi_directory_settle_listed(world);
    uint32_t fresh = atomic_load_explicit(&world->reserved_fresh, memory_order_relaxed);
    world->ids_dirty |= fresh > 0;
    for (uint32_t i = 0; i < fresh; i++) {
        uint32_t id = world->used++;
        if (id >= world->known) {
            INVARIANT(id < world->capacity, "room was made before reserved ids are settled");
            world->known++;
            world->records[id].gen = directory_fresh_gen(world);
        }
        if (world->records[id].gen != GEN_RETIRED) {
            world->records[id].table = TABLE_RESERVED;
        }
    }
    atomic_store_explicit(&world->reserved_fresh, 0, memory_order_relaxed);
}

bool cosmi_directory_is_reserved(const struct world *world, cosm_entity entity) {
    return entity.id < world->used && world->records[entity.id].table == TABLE_RESERVED &&
           world->records[entity.id].gen + 1 == entity.gen;
}

void cosmi_directory_break(struct world *world, cosm_entity entity) {
    INVARIANT(cosmi_directory_is_reserved(world, entity), "only a reserved id can be broken");
    // As if it had lived and died.
    world->ids_dirty = true;
    world->records[entity.id].gen++;
    directory_give(world, entity.id);
    directory_restart(world);
}

void cosmi_directory_take_back(struct world *world, cosm_entity entity) {
    INVARIANT(cosmi_directory_is_reserved(world, entity), "only a reserved id can be taken back");
    if (UNLIKELY(atomic_load_explicit(&world->reserved_free, memory_order_relaxed) != 0)) {
        cosmi_directory_settle_listed(world);
    }
    world->ids_dirty = true;
    struct record *record = &world->records[entity.id];
    record->table = TABLE_FREE;
    record->row = world->free_head;
    world->free_head = entity.id;
    world->free_count++;
    directory_restart(world);
}

cosm_entity cosmi_directory_take(struct world *world) {
    struct ids_ahead ahead = directory_ahead(world);
    cosm_entity entity = directory_next(world, &ahead);
    world->free_count -= world->free_head != ID_NONE;
    world->free_head = ahead.listed;
    world->used = ahead.fresh;
    if (entity.id >= world->known) {
        INVARIANT(entity.id == world->known && entity.id < world->capacity,
                  "there is room in the directory");
        world->known++;
    }
    return entity;
}

// Takes ids that were used up out of the list that was just made of them.
static void retire_from_list(struct world *world, uint32_t count) {
    struct record *records = world->records;
    uint32_t *link = &world->free_head;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t id = *link;
        if (records[id].gen == GEN_RETIRED) {
            *link = records[id].row;
            world->free_count--;
        } else {
            link = &records[id].row;
        }
    }
}

// Frees ids when these are the last that live: the directory starts over, so no list is needed.
// Returns whether one of them was used up.
static bool give_unlisted(struct record *records, const cosm_entity *entities, uint32_t count) {
    bool retired = false;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t gen = entities[i].gen + 1;
        record_set_state(&records[entities[i].id], gen, TABLE_FREE);
        retired |= gen == GEN_RETIRED;
    }
    return retired;
}

// Frees ids and puts them before the free list. Returns whether one of them was used up.
static bool give_listed(struct world *world, const cosm_entity *entities, uint32_t count) {
    struct record *records = world->records;
    uint32_t head = world->free_head;
    bool retired = false;
    for (uint32_t i = count; i-- > 0;) {
        uint32_t id = entities[i].id;
        uint32_t gen = entities[i].gen + 1;
        record_set_state(&records[id], gen, TABLE_FREE);
        records[id].row = head;
        head = id;
        retired |= gen == GEN_RETIRED;
    }
    world->free_head = head;
    world->free_count += count;
    return retired;
}

void cosmi_directory_give_all(struct world *world, const cosm_entity *entities, uint32_t count) {
    cosmi_directory_settle_listed(world);
    world->alive -= count;
    bool last = world->free_count + count == world->used && !directory_has_reserved(world);
    if (last && !give_unlisted(world->records, entities, count)) {
        world->used = 0;
        world->free_head = ID_NONE;
        world->free_count = 0;
        return;
    }
    if (give_listed(world, entities, count)) {
        retire_from_list(world, count);
    }
    directory_restart(world);
}

// Ids that are handed out in ascending order: as many as there are before a retired one.
static uint32_t take_ascending(struct world *world, uint32_t table, uint32_t row, uint32_t count,
                               cosm_entity *out_entities) {
    struct record *records = world->records + world->used;
    uint32_t first = world->used;
    uint32_t seen = world->known - world->used;
    seen = seen < count ? seen : count;
    uint32_t taken = 0;
    for (; taken < seen && records[taken].gen != GEN_RETIRED; taken++) {
        uint32_t gen = records[taken].gen + 1;
        record_set_state(&records[taken], gen, table);
        records[taken].row = row + taken;
        out_entities[taken] = (cosm_entity){gen, first + taken};
    }
    if (taken == seen) {
        uint32_t gen = directory_fresh_gen(world) + 1;
        for (; taken < count; taken++) {
            records[taken] = (struct record){gen, table, row + taken};
            out_entities[taken] = (cosm_entity){gen, first + taken};
        }
    }
    world->used += taken;
    world->known = world->used > world->known ? world->used : world->known;
    INVARIANT(world->known <= world->capacity, "there is room in the directory");
    return taken;
}

void cosmi_directory_take_all(struct world *world, uint32_t table, uint32_t row, uint32_t count,
                              cosm_entity *out_entities) {
    struct record *records = world->records;
    uint32_t from_list = count < world->free_count ? count : world->free_count;
    uint32_t head = world->free_head;
    for (uint32_t i = 0; i < from_list; i++) {
        uint32_t id = head;
        head = records[id].row;
        uint32_t gen = records[id].gen + 1;
        records[id] = (struct record){gen, table, row + i};
        out_entities[i] = (cosm_entity){gen, id};
    }
    world->free_head = head;
    world->free_count -= from_list;
    uint32_t done = from_list;
    while (done < count) {
        done += take_ascending(world, table, row + done, count - done, out_entities + done);
        while (world->used < world->known && world->records[world->used].gen == GEN_RETIRED) {
            world->used++;
        }
    }
    world->alive += count;
}

// Are ids reserved that have no record yet?
static bool has_reserved_ahead(struct world *world) {
    uint32_t fresh = atomic_load_explicit(&world->reserved_fresh, memory_order_relaxed);
    return world->used + fresh > world->known;
}

bool cosmi_directory_can_reset(struct world *world) {
    return !has_reserved_ahead(world) || world->fresh_deaths < UINT16_MAX;
}

void cosmi_directory_reset(struct world *world) {
    INVARIANT(cosmi_directory_can_reset(world), "generations of new ids are left");
    uint32_t fresh = atomic_load_explicit(&world->reserved_fresh, memory_order_relaxed);
    if (has_reserved_ahead(world)) {
        // No id gets the generation that was reserved.
        world->fresh_deaths++;
    }
    cosmi_directory_settle_listed(world);
    world->ids_dirty = true;
    for (uint32_t id = 0; id < world->used; id++) {
        struct record *record = &world->records[id];
        // A reservation skips a generation, as in cosmi_directory_break.
        record->gen += record->table == TABLE_RESERVED ? 2 : record->gen & 1;
        record->table = TABLE_FREE;
    }
    for (uint32_t id = world->used; id < world->known && id < world->used + fresh; id++) {
        world->records[id].gen += world->records[id].gen == GEN_RETIRED ? 0 : 2;
    }
    atomic_store_explicit(&world->reserved_fresh, 0, memory_order_relaxed);
    world->used = 0;
    world->free_head = ID_NONE;
    world->free_count = 0;
    world->alive = 0;
}
