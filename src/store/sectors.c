// Coming and going in plain containers, and what both kinds need for it: chunks, places, objects.
#include "store/sectors.h"

#include <string.h>

#include "base/bits.h"
#include "base/os.h"
#include "store/sectors_shared.h"

cosm_result cosmi_sectors_fail_memory(const struct sectors *sectors, const char *call) {
    const struct memory *memory = sectors->memory;
    return cosmi_fail(
        sectors->sink, COSM_ERROR_MEMORY,
        "%s: out of memory for %s at %zu bytes in use, limit %zu (0: none); raise the "
        "limit or free memory, then call again",
        call, sectors->layout->name, atomic_load_explicit(&memory->used, memory_order_relaxed),
        memory->limit);
}

cosm_result cosmi_sectors_may_change(const struct sectors *sectors, const char *call) {
    if (UNLIKELY(sectors->is_in_hook)) {
        return cosmi_fail(
            sectors->sink, COSM_ERROR_BUSY,
            "%s: a member hook of %s is running; change the container after the call that runs "
            "the hook",
            call, sectors->layout->name);
    }
    return COSM_OK;
}

static uint32_t walks_of(const struct sectors *sectors) {
    return atomic_load_explicit((_Atomic(uint32_t) *)(uintptr_t)&sectors->face.walk_count,
                                memory_order_relaxed);
}

cosm_result cosmi_sectors_may_move(const struct sectors *sectors, const char *call) {
    if (walks_of(sectors) != 0) {
        return cosmi_fail(sectors->sink, COSM_ERROR_WALKED,
                          "%s: %s has %u open walks; call it after the walks, and end those that "
                          "you leave early with cosm_container_walk_end",
                          call, sectors->layout->name, walks_of(sectors));
    }
    return cosmi_sectors_may_change(sectors, call);
}

cosm_result cosmi_sectors_check_handle(const struct sectors *sectors, const char *call,
                                       cosm_entity entity) {
    if (UNLIKELY((entity.gen & 1u) == 0 || entity.id >= COSM_WORLD_ENTITY_MAX)) {
        return cosmi_fail(sectors->sink, COSM_ERROR_ARGUMENT,
                          "%s: the entity " COSM_ENTITY_FORMAT
                          " can never be alive; pass an odd generation and an id below %u",
                          call, COSM_ENTITY_PRINT(entity), COSM_WORLD_ENTITY_MAX);
    }
    return COSM_OK;
}

cosm_result cosmi_sectors_init(struct sectors *sectors, const struct sectors_layout *layout,
                               struct memory *memory, const struct sink *sink, const char *call,
                               bool concurrent) {
    *sectors = (struct sectors){.layout = layout, .memory = memory, .sink = sink};
    sectors->face.stride = layout->stride;
    sectors->face.chunk_mask = layout->chunk_sectors - 1;
    sectors->face.chunk_shift = log2_of(layout->chunk_sectors);
    sectors->face.chunks = &sectors->one_chunk;
    cosmi_holes_init(&sectors->holes);
    cosm_result result = concurrent ? cosmi_shared_create(sectors, call) : COSM_OK;
    hook_end(sectors);
    return result;
}

// Chunks.

// Bytes before the first record of a chunk: the reclaim records of a concurrent container.
static size_t chunk_head(const struct sectors *sectors) {
    size_t reclaims =
        sectors->shared != NULL ? sectors->layout->chunk_sectors * sizeof(struct reclaim) : 0;
    size_t alignment = sectors->layout->alignment;
    return align_up(reclaims, alignment > 64 ? alignment : 64);
}

static size_t chunk_size(const struct sectors *sectors) {
    return chunk_head(sectors) + sectors->layout->chunk_sectors * sectors->layout->stride;
}

static size_t chunk_alignment(const struct sectors *sectors) {
    return sectors->layout->alignment > 64 ? sectors->layout->alignment : 64;
}

static size_t chunk_list_size(uint32_t capacity) {
    return sizeof(struct retired_block) + capacity * sizeof(char *);
}

static struct retired_block *chunk_list_head(const struct sectors *sectors) {
    return (struct retired_block *)(uintptr_t)sectors->face.chunks - 1;
}

static bool grow_chunk_list(struct sectors *sectors) {
    uint32_t capacity = sectors->chunk_capacity == 0 ? 8 : sectors->chunk_capacity * 2;
    size_t size = chunk_list_size(capacity);
    struct retired_block *head = cosmi_memory_alloc(sectors->memory, size, 16);
    if (head == NULL) {
        return false;
    }
    *head = (struct retired_block){.size = size};
    char **chunks = (char **)(void *)(head + 1);
    memcpy(chunks, sectors->face.chunks, sectors->chunk_count * sizeof *chunks);
    struct retired_block *old = sectors->chunk_capacity != 0 ? chunk_list_head(sectors) : NULL;
    shared_store_chunks(sectors, chunks);
    sectors->chunk_capacity = capacity;
    if (old != NULL) {
        cosmi_sectors_discard(sectors, old);
    }
    return true;
}

static bool add_chunk(struct sectors *sectors) {
    uint32_t most = sectors->chunk_capacity == 0 ? 1 : sectors->chunk_capacity;
    if (sectors->chunk_count == most && !grow_chunk_list(sectors)) {
        return false;
    }
    uint32_t places = (sectors->chunk_count + 1) << sectors->face.chunk_shift;
    if (places > SECTORS_PLACE_MAX ||
        !cosmi_holes_reserve(&sectors->holes, sectors->memory, places)) {
        return false;
    }
    size_t head = chunk_head(sectors);
    char *block =
        cosmi_memory_alloc(sectors->memory, chunk_size(sectors), chunk_alignment(sectors));
    if (block == NULL) {
        return false;
    }
    memset(block, 0, head); // reclaim records: nobody has pinned anything
    char **chunks = (char **)(uintptr_t)sectors->face.chunks;
    chunks[sectors->chunk_count++] = block + head;
    return true;
}

bool cosmi_sectors_make_room(struct sectors *sectors, uint32_t count) {
    while ((uint64_t)sectors->chunk_count << sectors->face.chunk_shift < count) {
        if (!add_chunk(sectors)) {
            return false;
        }
    }
    return true;
}

void cosmi_sectors_drop_chunks(struct sectors *sectors, uint32_t keep) {
    while (sectors->chunk_count > keep) {
        char *chunk = sectors->face.chunks[--sectors->chunk_count];
        cosmi_memory_free(sectors->memory, chunk - chunk_head(sectors), chunk_size(sectors),
                          chunk_alignment(sectors));
    }
}

size_t cosmi_sectors_bytes(const struct sectors *sectors) {
    size_t size = sectors->chunk_count * chunk_size(sectors) + cosmi_sectors_map_bytes(sectors);
    size += sectors->chunk_capacity != 0 ? chunk_list_size(sectors->chunk_capacity) : 0;
    size += cosmi_holes_bytes(&sectors->holes);
    size += sectors->shared != NULL ? cosmi_shared_bytes(sectors) : 0;
    return size;
}

// The objects that are still at a place: those of a living record, and those that wait for readers.
static uint64_t objects_at(const struct sectors *sectors, uint32_t place) {
    uint64_t live = sectors_at(sectors, place)->live;
    if (sectors->shared == NULL) {
        return live;
    }
    const struct reclaim *reclaim = reclaim_at(sectors, place);
    return (reclaim->is_gone ? 0 : live) | reclaim->pending;
}

void cosmi_sectors_free(struct sectors *sectors) {
    uint32_t place_end = sectors->layout->with_destroy != 0 ? sectors->place_end : 0;
    for (uint32_t place = 0; place < place_end; place++) {
        if (!holes_has(&sectors->holes, place)) {
            cosmi_sectors_end_members(sectors, sectors_at(sectors, place),
                                      objects_at(sectors, place));
        }
    }
    if (sectors->shared != NULL) {
        cosmi_shared_free(sectors);
    }
    cosmi_sectors_drop_chunks(sectors, 0);
    cosmi_sectors_map_free(sectors);
    cosmi_holes_free(&sectors->holes, sectors->memory);
    if (sectors->chunk_capacity != 0) {
        struct retired_block *head = chunk_list_head(sectors);
        cosmi_memory_free(sectors->memory, head, head->size, 16);
    }
}

// Places.

uint32_t cosmi_sectors_place(struct sectors *sectors) {
    uint32_t place = cosmi_holes_first(&sectors->holes);
    if (place != PLACE_NONE) {
        return place;
    }
    return cosmi_sectors_make_room(sectors, sectors->place_end + 1) ? sectors->place_end
                                                                    : PLACE_NONE;
}

void cosmi_sectors_take(struct sectors *sectors, uint32_t place) {
    if (place == sectors->place_end) {
        sectors->place_end++;
        return;
    }
    holes_clear(&sectors->holes, place);
    cosm_sector *sector = sectors_at(sectors, place);
    // Whoever had the place before and has come to lie nowhere else.
    if (sector->entity.id != SECTOR_NOBODY.id) {
        INVARIANT(cosmi_sectors_map_entry(sectors, sector->entity.id) == place + 1,
                  "the id of a dead record leads to it");
        cosmi_sectors_map_set(sectors, sector->entity.id, 0);
    }
}

void cosmi_sectors_forget(struct sectors *sectors, uint32_t id) {
    uint32_t entry = sectors_map_at(sectors, id);
    cosm_sector *sector = entry == 0 ? NULL : sectors_at(sectors, entry - 1);
    if (sector != NULL && sector->live == 0) {
        cosmi_sectors_map_set(sectors, id, 0);
        sector->entity = SECTOR_NOBODY;
    }
}

// Objects.

static cosm_result fail_hook(struct sectors *sectors, const char *call, uint32_t member,
                             const char *hook) {
    return cosmi_fail(
        sectors->sink, COSM_ERROR_MEMORY,
        "%s: hook %s of member %s of %s returned false; free what it needs and call again", call,
        hook, sectors->layout->members[member].name, sectors->layout->name);
}

static cosm_result make_by_hook(struct sectors *sectors, const char *call, uint32_t member,
                                void *object, const void *value) {
    const struct sectors_member *info = &sectors->layout->members[member];
    const cosm_lifecycle *life = &info->lifecycle;
    bool done = true;
    const char *hook = "construct";
    hook_begin(sectors);
    if (value == NULL && life->construct != NULL) {
        done = life->construct(life->context, object);
    } else if (life->copy != NULL && (value != NULL || info->has_default)) {
        hook = "copy";
        done = life->copy(life->context, object, value != NULL ? value : info->default_value);
    } else {
        memmove(object, value != NULL ? value : info->default_value, info->size);
    }
    hook_end(sectors);
    return done ? COSM_OK : fail_hook(sectors, call, member, hook);
}

cosm_result cosmi_sectors_make(struct sectors *sectors, const char *call, uint32_t member,
                               void *object, const void *value) {
    if (UNLIKELY(sectors->staged != NULL)) {
        cosmi_sectors_move_object(sectors, member, object, sectors->staged);
        return COSM_OK;
    }
    if (UNLIKELY((sectors->layout->with_make & COSM_CONTAINER_BIT(member)) != 0)) {
        return make_by_hook(sectors, call, member, object, value);
    }
    const struct sectors_member *info = &sectors->layout->members[member];
    memmove(object, value != NULL ? value : info->default_value, info->size);
    return COSM_OK;
}

void cosmi_sectors_end_members(struct sectors *sectors, cosm_sector *sector, uint64_t mask) {
    const struct sectors_layout *layout = sectors->layout;
    mask &= layout->with_destroy;
    if (mask == 0) {
        return;
    }
    hook_begin(sectors);
    for (uint32_t i = 0; mask != 0; i++, mask >>= 1) {
        if ((mask & 1u) != 0) {
            const struct sectors_member *member = &layout->members[i];
            member->lifecycle.destroy(member->lifecycle.context,
                                      cosm_sector_at(sector, member->offset));
        }
    }
    hook_end(sectors);
}

// Replaces an object. With a copy hook the copy is made aside first: if it fails, the old one
// stays.
static APART cosm_result replace_object(struct sectors *sectors, const char *call, uint32_t member,
                                        void *object, const void *value) {
    const struct sectors_member *info = &sectors->layout->members[member];
    const cosm_lifecycle *life = &info->lifecycle;
    uint64_t bit = COSM_CONTAINER_BIT(member);
    if (value == object) {
        return COSM_OK;
    }
    cosm_sector *sector = (cosm_sector *)(void *)((char *)object - info->offset);
    if (life->copy == NULL) {
        cosmi_sectors_end_members(sectors, sector, bit);
        memmove(object, value, info->size);
        return COSM_OK;
    }
    size_t size = info->size == 0 ? 1 : info->size;
    void *aside = cosmi_memory_alloc(sectors->memory, size, sectors->layout->alignment);
    if (aside == NULL) {
        return cosmi_sectors_fail_memory(sectors, call);
    }
    cosm_result result = cosmi_sectors_make(sectors, call, member, aside, value);
    if (result == COSM_OK) {
        cosmi_sectors_end_members(sectors, sector, bit);
        cosmi_sectors_move_object(sectors, member, object, aside);
    }
    cosmi_memory_free(sectors->memory, aside, size, sectors->layout->alignment);
    return result;
}

void cosmi_sectors_move_object(struct sectors *sectors, uint32_t member, void *object,
                               void *source) {
    const struct sectors_member *info = &sectors->layout->members[member];
    if (info->lifecycle.move == NULL) {
        memcpy(object, source, info->size);
        return;
    }
    hook_begin(sectors);
    info->lifecycle.move(info->lifecycle.context, object, source);
    hook_end(sectors);
}

// Ends a living record of a plain container. It keeps its place in the map.
static void end_record(struct sectors *sectors, cosm_sector *sector, uint32_t place) {
    uint64_t live = sector->live;
    sector->live = 0;
    sectors->live_count--;
    holes_set(&sectors->holes, place);
    if (UNLIKELY((live & sectors->layout->with_destroy) != 0)) {
        cosmi_sectors_end_members(sectors, sector, live);
    }
}

// A record at a place that the entity does not have yet. `old`: the living record of an earlier
// generation under the same id, or NULL.
static APART void *add_record(struct sectors *sectors, const char *call, cosm_entity entity,
                              uint32_t member, const void *value, cosm_sector *old) {
    uint32_t place = PLACE_NONE;
    if (cosmi_sectors_map_reserve(sectors, entity.id)) {
        place = cosmi_sectors_place(sectors);
    }
    if (place == PLACE_NONE) {
        (void)cosmi_sectors_fail_memory(sectors, call);
        return NULL;
    }
    cosm_sector *sector = sectors_at(sectors, place);
    void *object = cosm_sector_at(sector, sectors->layout->members[member].offset);
    if (cosmi_sectors_make(sectors, call, member, object, value) != COSM_OK) {
        return NULL;
    }
    if (old != NULL) {
        uint32_t old_place = sectors_map_at(sectors, entity.id) - 1;
        end_record(sectors, old, old_place);
        old->entity = SECTOR_NOBODY;
    }
    // In this order: the page that has room for the id is then never without an entry.
    cosmi_sectors_map_set(sectors, entity.id, place + 1);
    cosmi_sectors_take(sectors, place);
    *sector = (cosm_sector){entity, COSM_CONTAINER_BIT(member)};
    sectors->live_count++;
    return object;
}

void *cosmi_sectors_add(struct sectors *sectors, const char *call, cosm_entity entity,
                        uint32_t member, const void *value) {
    if (UNLIKELY(cosmi_sectors_check_handle(sectors, call, entity) != COSM_OK)) {
        return NULL;
    }
    if (UNLIKELY(sectors->shared != NULL)) {
        return cosmi_shared_add(sectors, call, entity, member, value);
    }
    if (UNLIKELY(cosmi_sectors_may_change(sectors, call) != COSM_OK)) {
        return NULL;
    }
    uint32_t entry = sectors_map_at(sectors, entity.id);
    if (entry == 0) {
        return add_record(sectors, call, entity, member, value, NULL);
    }
    cosm_sector *sector = sectors_at(sectors, entry - 1);
    uint64_t bit = COSM_CONTAINER_BIT(member);
    if (sector->entity.gen != entity.gen && sector->live != 0) {
        if (sector->entity.gen > entity.gen) {
            return NULL;
        }
        // Where making the new member may fail, it is made elsewhere first: else the old record
        // would be lost.
        if ((sectors->layout->with_make & bit) != 0) {
            return add_record(sectors, call, entity, member, value, sector);
        }
        end_record(sectors, sector, entry - 1);
    }
    void *object = cosm_sector_at(sector, sectors->layout->members[member].offset);
    if ((sector->live & bit) != 0) {
        return value == NULL || replace_object(sectors, call, member, object, value) == COSM_OK
                   ? object
                   : NULL;
    }
    if (cosmi_sectors_make(sectors, call, member, object, value) != COSM_OK) {
        return NULL;
    }
    if (sector->live == 0) {
        sector->entity.gen = entity.gen;
        holes_clear(&sectors->holes, entry - 1);
        sectors->live_count++;
    }
    sector->live |= bit;
    return object;
}

cosm_result cosmi_sectors_remove(struct sectors *sectors, const char *call, cosm_entity entity,
                                 uint32_t member) {
    uint64_t bit = COSM_CONTAINER_BIT(member);
    if (UNLIKELY(sectors->shared != NULL)) {
        return cosmi_shared_remove(sectors, call, entity, bit);
    }
    cosm_result result = cosmi_sectors_may_change(sectors, call);
    if (UNLIKELY(result != COSM_OK)) {
        return result;
    }
    uint32_t entry = sectors_map_at(sectors, entity.id);
    cosm_sector *sector = entry == 0 ? NULL : sectors_at(sectors, entry - 1);
    if (sector == NULL || sector->entity.gen != entity.gen || (sector->live & bit) == 0) {
        return COSM_STALE;
    }
    if (sector->live == bit) {
        end_record(sectors, sector, entry - 1);
        return COSM_OK;
    }
    sector->live &= ~bit;
    if (UNLIKELY((bit & sectors->layout->with_destroy) != 0)) {
        cosmi_sectors_end_members(sectors, sector, bit);
    }
    return COSM_OK;
}

cosm_result cosmi_sectors_erase(struct sectors *sectors, const char *call, cosm_entity entity) {
    if (sectors->shared != NULL) {
        return cosmi_shared_remove(sectors, call, entity, sectors->layout->all);
    }
    cosm_result result = cosmi_sectors_may_change(sectors, call);
    if (result != COSM_OK) {
        return result;
    }
    uint32_t entry = sectors_map_at(sectors, entity.id);
    cosm_sector *sector = entry == 0 ? NULL : sectors_at(sectors, entry - 1);
    if (sector == NULL || sector->entity.gen != entity.gen || sector->live == 0) {
        return COSM_STALE;
    }
    end_record(sectors, sector, entry - 1);
    return COSM_OK;
}

cosm_result cosmi_sectors_clear(struct sectors *sectors, const char *call) {
    cosm_result result = cosmi_sectors_may_move(sectors, call);
    if (result != COSM_OK) {
        return result;
    }
    if (sectors->shared != NULL) {
        return cosmi_shared_clear(sectors, call);
    }
    for (uint32_t place = 0; place < sectors->place_end; place++) {
        cosm_sector *sector = sectors_at(sectors, place);
        cosmi_sectors_end_members(sectors, sector, sector->live);
        sector->live = 0;
        if (sector->entity.id != SECTOR_NOBODY.id) {
            cosmi_sectors_map_set(sectors, sector->entity.id, 0);
        }
    }
    cosmi_holes_clear_all(&sectors->holes);
    sectors->live_count = 0;
    sectors->place_end = 0;
    sectors->is_packing = false;
    return COSM_OK;
}

cosm_result cosmi_sectors_reserve(struct sectors *sectors, const char *call, uint32_t count) {
    cosm_result result = cosmi_sectors_may_change(sectors, call);
    if (result != COSM_OK) {
        return result;
    }
    if (count > COSM_WORLD_ENTITY_MAX) {
        return cosmi_fail(sectors->sink, COSM_ERROR_LIMIT,
                          "%s: room for %u records was requested, but there are only %u ids; "
                          "request fewer",
                          call, count, COSM_WORLD_ENTITY_MAX);
    }
    uint32_t chunk_count = sectors->chunk_count;
    if (!cosmi_sectors_make_room(sectors, count)) {
        cosmi_sectors_drop_chunks(sectors, chunk_count);
        return cosmi_sectors_fail_memory(sectors, call);
    }
    sectors->reserved = count;
    return COSM_OK;
}
