// Adding and removing for arrays of entities.
//
// Each entity costs a look into the map and one at its record, the second waiting for the first,
// and in large containers both for memory. So entities are looked up by the block: while one block
// is worked on, the records of the next are on their way.
#include "store/sectors_quick.h"
#include "store/sectors_shared.h"

// 16 took 4 % longer, 32 as long.
#define MANY_BLOCK 64u

// Records of one block, found ahead. What happens to others meanwhile may change whose a place is,
// so whoever uses one looks at its entity again. Where there is none it is one of nobody.
struct many_block {
    cosm_sector *sectors[MANY_BLOCK];
    uint32_t places[MANY_BLOCK];
};

static cosm_sector nobodys_sector = {{0, 0xFFFFFFFFu}, 0}; // never written

static inline void find_block(const struct sectors *sectors, const cosm_entity *entities,
                              uint32_t count, struct many_block *block) {
    const cosm_container_face face = sectors->face;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t id = entities[i].id;
        cosm_sector *sector = &nobodys_sector;
        uint32_t place = 0;
        if (LIKELY(id < face.id_end)) {
            place = face.pages[id / COSM_CONTAINER_PAGE_IDS][id % COSM_CONTAINER_PAGE_IDS];
        }
        if (LIKELY(place != 0)) {
            place--;
            char *chunk = face.chunks[place >> face.chunk_shift];
            sector =
                (cosm_sector *)(void *)(chunk + (size_t)(place & face.chunk_mask) * face.stride);
        }
        PREFETCH(sector);
        block->sectors[i] = sector;
        block->places[i] = place;
    }
}

// Both halves of a handle at once.
static inline bool is_entity(const cosm_sector *sector, const cosm_entity *entity) {
    uint64_t a, b;
    memcpy(&a, &sector->entity, sizeof a);
    memcpy(&b, entity, sizeof b);
    return a == b;
}

static cosm_result check_plain(const struct sectors *sectors, const char *call) {
    if (sectors->shared != NULL) {
        return cosmi_fail(sectors->sink, COSM_ERROR_ARGUMENT,
                          "%s: %s is concurrent; change its records one by one", call,
                          sectors->layout->name);
    }
    return cosmi_sectors_may_change(sectors, call);
}

// The first handle that can never be alive is told; COSM_OK: there is none.
static cosm_result check_handles(const struct sectors *sectors, const char *call,
                                 const cosm_entity *entities, uint32_t count) {
    uint32_t gens = 1;
    uint32_t ids = 0;
    for (uint32_t i = 0; i < count; i++) {
        gens &= entities[i].gen;
        ids |= entities[i].id;
    }
    if (gens == 1 && ids < COSM_WORLD_ENTITY_MAX) {
        return COSM_OK;
    }
    cosm_result result = COSM_OK;
    for (uint32_t i = 0; result == COSM_OK && i < count; i++) {
        result = cosmi_sectors_check_handle(sectors, call, entities[i]);
    }
    return result;
}

// Is there room for that many new records, whichever ids below the end of the map they have?
static bool has_room(const struct sectors *sectors, const cosm_entity *entities, uint32_t count) {
    uint64_t places = (uint64_t)sectors->chunk_count << sectors->face.chunk_shift;
    if (count < sectors->page_count || (uint64_t)sectors->live_count + count > places ||
        !cosmi_sectors_map_is_full(sectors)) {
        return false;
    }
    uint32_t most = 0;
    for (uint32_t i = 0; i < count; i++) {
        most = entities[i].id > most ? entities[i].id : most;
    }
    return most < sectors->face.id_end;
}

// Room for all that may come, so that adding cannot fail: pages for every id, and a place for each
// that has none yet.
static cosm_result reserve_many(struct sectors *sectors, const char *call,
                                const cosm_entity *entities, uint32_t count) {
    if (has_room(sectors, entities, count)) {
        return COSM_OK;
    }
    uint32_t fresh = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (sectors_map_at(sectors, entities[i].id) == 0) {
            fresh++;
            if (!cosmi_sectors_map_reserve(sectors, entities[i].id)) {
                return cosmi_sectors_fail_memory(sectors, call);
            }
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

// What the entities of a block get. `stride` is from one value to the next, zero for one for all.
struct many_values {
    const char *values;
    size_t stride;
    size_t offset; // of the member
    uint64_t bit;
};

// Adds what short cuts can. The first entity that needs the long way is left to the caller. Always
// inlined with a constant size.
static inline uint32_t add_sized(struct sectors *sectors, const struct many_block *block,
                                 const cosm_entity *entities, uint32_t from, uint32_t count,
                                 const struct many_values *source, size_t size) {
    size_t offset = source->offset;
    size_t stride = source->stride;
    uint64_t bit = source->bit;
    uint64_t *words = sectors->holes.words;
    const char *value = source->values + from * stride;
    uint32_t revived = 0;
    uint32_t i = from;
    for (; i < count; i++, value += stride) {
        cosm_sector *sector = block->sectors[i];
        uint64_t live = sector->live;
        if (UNLIKELY((live & bit) != 0)) {
            break;
        }
        if (UNLIKELY(!is_entity(sector, &entities[i]))) {
            // A dead one of the same id will do.
            if (live != 0 || sector->entity.id != entities[i].id) {
                break;
            }
            sector->entity.gen = entities[i].gen;
        }
        copy_words(cosm_sector_at(sector, offset), value, size);
        sector->live = live | bit;
        if (live == 0) {
            revived++;
            uint32_t place = block->places[i];
            uint64_t after = words[place / 64] & ~((uint64_t)1 << place % 64);
            words[place / 64] = after;
            if (UNLIKELY(after == 0)) {
                cosmi_holes_clear_above(&sectors->holes, place / 64);
            }
        }
    }
    sectors->live_count += revived;
    return i;
}

static inline uint32_t add_block(struct sectors *sectors, const struct many_block *block,
                                 const cosm_entity *entities, uint32_t from, uint32_t count,
                                 const struct many_values *source, size_t size) {
    switch (size) {
    case 4:
        return add_sized(sectors, block, entities, from, count, source, 4);
    case 8:
        return add_sized(sectors, block, entities, from, count, source, 8);
    case 12:
        return add_sized(sectors, block, entities, from, count, source, 12);
    default:
        return add_sized(sectors, block, entities, from, count, source, 16);
    }
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
    struct many_values source = {values == NULL ? info->default_value : values,
                                 values == NULL ? 0 : info->size, info->offset,
                                 COSM_CONTAINER_BIT(member)};
    struct many_block blocks[2];
    find_block(sectors, entities, count < MANY_BLOCK ? count : MANY_BLOCK, &blocks[0]);
    for (uint32_t first = 0; first < count; first += MANY_BLOCK) {
        uint32_t left = count - first;
        uint32_t here = left < MANY_BLOCK ? left : MANY_BLOCK;
        uint32_t next = left - here < MANY_BLOCK ? left - here : MANY_BLOCK;
        uint32_t turn = first / MANY_BLOCK % 2;
        find_block(sectors, entities + first + here, next, &blocks[1 - turn]);
        for (uint32_t i = 0; i < here; i++) {
            i = add_block(sectors, &blocks[turn], entities + first, i, here, &source, info->size);
            if (i < here) {
                const char *value = values == NULL ? NULL : source.values + i * source.stride;
                (void)cosmi_sectors_add(sectors, call, entities[first + i], member, value);
            }
        }
        source.values += here * source.stride;
    }
}

cosm_result cosmi_sectors_add_many(struct sectors *sectors, const char *call,
                                   const cosm_entity *entities, uint32_t count, uint32_t member,
                                   const void *values) {
    cosm_result result = check_plain(sectors, call);
    if (result != COSM_OK) {
        return result;
    }
    if ((sectors->layout->with_make & COSM_CONTAINER_BIT(member)) != 0) {
        return cosmi_fail(sectors->sink, COSM_ERROR_ARGUMENT,
                          "%s: member %s of %s has a construct or a copy hook, which may fail; "
                          "add its records one by one",
                          call, sectors->layout->members[member].name, sectors->layout->name);
    }
    result = check_handles(sectors, call, entities, count);
    if (result != COSM_OK) {
        return result;
    }
    sectors->keeps_pages = true;
    result = reserve_many(sectors, call, entities, count);
    if (result == COSM_OK && is_quick(sectors->quick_add, member)) {
        add_blocks(sectors, call, entities, count, member, values);
    } else if (result == COSM_OK) {
        add_each(sectors, call, entities, count, member, values);
    }
    sectors->keeps_pages = false;
    cosmi_sectors_map_drop_empty(sectors);
    return result;
}

static inline void remove_block(struct sectors *sectors, const struct many_block *block,
                                const cosm_entity *entities, uint32_t count, uint64_t bit) {
    uint64_t *words = sectors->holes.words;
    uint32_t ended = 0;
    for (uint32_t i = 0; i < count; i++) {
        cosm_sector *sector = block->sectors[i];
        if (UNLIKELY(!is_entity(sector, &entities[i]) || (sector->live & bit) == 0)) {
            continue;
        }
        uint64_t live = sector->live & ~bit;
        sector->live = live;
        if (live == 0) {
            ended++;
            uint32_t place = block->places[i];
            uint64_t before = words[place / 64];
            words[place / 64] = before | (uint64_t)1 << place % 64;
            if (UNLIKELY(before == 0)) {
                cosmi_holes_set_above(&sectors->holes, place / 64);
            }
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
        remove_block(sectors, &blocks[turn], entities + first, here, COSM_CONTAINER_BIT(member));
    }
    return COSM_OK;
}
