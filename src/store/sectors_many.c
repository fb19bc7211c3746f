// Adding and removing for arrays of entities.
//
// Each entity costs a look into the map and one at its record, the second waiting for the first, and
// in large containers both for memory. So entities are looked up by the block: while one block is
// worked on, the records of the next are on their way.
#include "store/sectors_quick.h"
#include "store/sectors_shared.h"

#define MANY_BLOCK 16u

// Records of one block, found ahead. What happens to others meanwhile may change whose a place is,
// so whoever uses one looks at its id again.
struct many_block {
    cosm_sector *sectors[MANY_BLOCK];
    uint32_t places[MANY_BLOCK];
};

static inline void find_block(const struct sectors *sectors, const cosm_entity *entities,
                              uint32_t count, struct many_block *block) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t entry = sectors_map_at(sectors, entities[i].id);
        cosm_sector *sector = entry == 0 ? NULL : sectors_at(sectors, entry - 1);
        PREFETCH(sector);
        block->sectors[i] = sector;
        block->places[i] = entry - 1;
    }
}

static cosm_result check_plain(const struct sectors *sectors, const char *call) {
    if (sectors->shared != NULL) {
        return cosmi_fail(sectors->sink, COSM_ERROR_ARGUMENT,
                          "%s: %s is concurrent; change its records one by one", call,
                          sectors->layout->name);
    }
    return cosmi_sectors_may_change(sectors, call);
}

// Room for all that may come, so that adding cannot fail: pages for every id, and a place for each
// that has none yet.
static cosm_result reserve_many(struct sectors *sectors, const char *call,
                                const cosm_entity *entities, uint32_t count, uint32_t *out_fresh) {
    uint32_t fresh = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (UNLIKELY((entities[i].gen & 1u) == 0 || entities[i].id >= COSM_WORLD_ENTITY_MAX)) {
            return cosmi_sectors_check_handle(sectors, call, entities[i]);
        }
        fresh += sectors_map_at(sectors, entities[i].id) == 0;
    }
    *out_fresh = fresh;
    for (uint32_t i = 0; fresh != 0 && i < count; i++) {
        if (!cosmi_sectors_map_reserve(sectors, entities[i].id)) {
            return cosmi_sectors_fail_memory(sectors, call);
        }
    }
    uint32_t chunk_count = sectors->chunk_count;
    uint64_t most = (uint64_t)sectors->place_end + fresh;
    if (most > SECTORS_PLACE_MAX || !cosmi_sectors_make_room(sectors, (uint32_t)most)) {
        cosmi_sectors_drop_chunks(sectors, chunk_count);
        return cosmi_sectors_fail_memory(sectors, call);
    }
    return COSM_OK;
}

// Adds what short cuts can. The first entity that needs the long way is left to the caller.
static inline uint32_t add_block(struct sectors *sectors, const struct many_block *block,
                                 const cosm_entity *entities, uint32_t from, uint32_t count,
                                 uint32_t member, const char *values, size_t value_stride) {
    const struct sectors_member *info = &sectors->layout->members[member];
    size_t offset = info->offset;
    size_t size = info->size;
    uint64_t bit = COSM_SECTORS_BIT(member);
    uint32_t revived = 0;
    for (uint32_t i = from; i < count; i++) {
        cosm_sector *sector = block->sectors[i];
        if (UNLIKELY(sector == NULL || sector->entity.id != entities[i].id)) {
            sectors->live_count += revived;
            return i;
        }
        uint64_t live = sector->live;
        if (UNLIKELY((live & bit) != 0 || (live != 0 && sector->entity.gen != entities[i].gen))) {
            sectors->live_count += revived;
            return i;
        }
        copy_words(cosm_sector_at(sector, offset), values + i * value_stride, size);
        sector->live = live | bit;
        if (live == 0) {
            sector->entity.gen = entities[i].gen;
            revived++;
            holes_clear(&sectors->holes, block->places[i]);
        }
    }
    sectors->live_count += revived;
    return count;
}

// As above, but by the long way from the start.
static void add_each(struct sectors *sectors, const char *call, const cosm_entity *entities,
                     uint32_t count, uint32_t member, const char *values) {
    size_t size = sectors->layout->members[member].size;
    for (uint32_t i = 0; i < count; i++) {
        (void)cosmi_sectors_add(sectors, call, entities[i], member,
                                values == NULL ? NULL : values + i * size);
    }
}

static void add_blocks(struct sectors *sectors, const char *call, const cosm_entity *entities,
                       uint32_t count, uint32_t member, const char *values) {
    const struct sectors_member *info = &sectors->layout->members[member];
    size_t value_stride = values == NULL ? 0 : info->size;
    const char *source = values == NULL ? info->default_value : values;
    struct many_block blocks[2];
    find_block(sectors, entities, count < MANY_BLOCK ? count : MANY_BLOCK, &blocks[0]);
    for (uint32_t first = 0; first < count; first += MANY_BLOCK) {
        uint32_t left = count - first;
        uint32_t here = left < MANY_BLOCK ? left : MANY_BLOCK;
        uint32_t next = left - here < MANY_BLOCK ? left - here : MANY_BLOCK;
        uint32_t turn = first / MANY_BLOCK % 2;
        find_block(sectors, entities + first + here, next, &blocks[1 - turn]);
        const char *from = source + first * value_stride;
        for (uint32_t i = 0; i < here; i++) {
            i = add_block(sectors, &blocks[turn], entities + first, i, here, member, from,
                          value_stride);
            if (i < here) {
                const char *value = values == NULL ? NULL : from + i * value_stride;
                (void)cosmi_sectors_add(sectors, call, entities[first + i], member, value);
            }
        }
    }
}

cosm_result cosmi_sectors_add_many(struct sectors *sectors, const char *call,
                                   const cosm_entity *entities, uint32_t count, uint32_t member,
                                   const void *values) {
    cosm_result result = check_plain(sectors, call);
    if (result != COSM_OK) {
        return result;
    }
    if ((sectors->layout->with_make & COSM_SECTORS_BIT(member)) != 0) {
        return cosmi_fail(sectors->sink, COSM_ERROR_ARGUMENT,
                          "%s: member %s of %s has a construct or a copy hook, which may fail; add "
                          "it one by one",
                          call, sectors->layout->members[member].name, sectors->layout->name);
    }
    uint32_t fresh = 0;
    sectors->keeps_pages = true;
    result = reserve_many(sectors, call, entities, count, &fresh);
    if (result == COSM_OK && is_quick(sectors->quick_add, member)) {
        add_blocks(sectors, call, entities, count, member, values);
    } else if (result == COSM_OK) {
        add_each(sectors, call, entities, count, member, values);
    }
    sectors->keeps_pages = false;
    if (fresh != 0) {
        cosmi_sectors_map_drop_empty(sectors);
    }
    return result;
}

static inline void remove_block(struct sectors *sectors, const struct many_block *block,
                                const cosm_entity *entities, uint32_t count, uint64_t bit) {
    uint32_t ended = 0;
    for (uint32_t i = 0; i < count; i++) {
        cosm_sector *sector = block->sectors[i];
        if (UNLIKELY(sector == NULL || sector->entity.gen != entities[i].gen ||
                     sector->entity.id != entities[i].id || (sector->live & bit) == 0)) {
            continue;
        }
        uint64_t live = sector->live & ~bit;
        sector->live = live;
        if (live == 0) {
            ended++;
            holes_set(&sectors->holes, block->places[i]);
        }
    }
    sectors->live_count -= ended;
}

cosm_result cosmi_sectors_remove_many(struct sectors *sectors, const char *call,
                                      const cosm_entity *entities, uint32_t count,
                                      uint32_t member) {
    cosm_result result = check_plain(sectors, call);
    if (result != COSM_OK) {
        return result;
    }
    if (!is_quick(sectors->quick_remove, member)) {
        for (uint32_t i = 0; i < count; i++) {
            (void)cosmi_sectors_remove(sectors, call, entities[i], member);
        }
        return COSM_OK;
    }
    struct many_block blocks[2];
    find_block(sectors, entities, count < MANY_BLOCK ? count : MANY_BLOCK, &blocks[0]);
    for (uint32_t first = 0; first < count; first += MANY_BLOCK) {
        uint32_t left = count - first;
        uint32_t here = left < MANY_BLOCK ? left : MANY_BLOCK;
        uint32_t next = left - here < MANY_BLOCK ? left - here : MANY_BLOCK;
        uint32_t turn = first / MANY_BLOCK % 2;
        find_block(sectors, entities + first + here, next, &blocks[1 - turn]);
        remove_block(sectors, &blocks[turn], entities + first, here, COSM_SECTORS_BIT(member));
    }
    return COSM_OK;
}
