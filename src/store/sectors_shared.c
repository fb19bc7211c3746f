// Changes of concurrent containers. Everything here runs with the lock held, apart from taking it.
#include "store/sectors_shared.h"

#include <string.h>

// Entries of the queue that an insert looks at when there is no hole: more than one, so that the
// queue gets shorter even if some of what it holds is pinned.
#define INSERT_RECLAIM_COUNT 4u

cosm_result cosmi_shared_create(struct sectors *sectors, const char *call) {
    struct sectors_shared *shared =
        cosmi_memory_alloc_zeroed(sectors->memory, sizeof *shared, _Alignof(max_align_t));
    if (shared == NULL) {
        return cosmi_sectors_fail_memory(sectors, call);
    }
    if (!cosmi_mutex_create(&shared->lock)) {
        cosmi_memory_free(sectors->memory, shared, sizeof *shared, _Alignof(max_align_t));
        return cosmi_fail(sectors->sink, COSM_ERROR_MEMORY,
                          "%s: the system could not create a mutex for %s; free some and call "
                          "again",
                          call, sectors->layout->name);
    }
    atomic_init(&shared->epoch, 1);
    sectors->shared = shared;
    return COSM_OK;
}

size_t cosmi_shared_bytes(const struct sectors *sectors) {
    size_t size = sizeof *sectors->shared;
    for (struct retired_block *retired = sectors->shared->retired; retired != NULL;
         retired = retired->next) {
        size += retired->size;
    }
    return size;
}

void cosmi_shared_free(struct sectors *sectors) {
    struct sectors_shared *shared = sectors->shared;
    INVARIANT(shared->readers == NULL, "a container with readers is not freed");
    while (shared->retired != NULL) {
        struct retired_block *retired = shared->retired;
        shared->retired = retired->next;
        cosmi_memory_free(sectors->memory, retired, retired->size, 16);
    }
    cosmi_shared_unlock(sectors);
    cosmi_mutex_destroy(&shared->lock);
    cosmi_memory_free(sectors->memory, shared, sizeof *shared, _Alignof(max_align_t));
}

cosm_result cosmi_shared_lock(const struct sectors *sectors, const char *call) {
    struct sectors_shared *shared = sectors->shared;
    // Only this thread writes its own token there, so a relaxed look is enough.
    if (atomic_load_explicit(&shared->holder, memory_order_relaxed) == thread_token()) {
        return cosmi_fail(sectors->sink, COSM_ERROR_BUSY,
                          "%s: called from a hook or the error callback of %s; call it after the "
                          "hook has returned",
                          call, sectors->layout->name);
    }
    cosmi_mutex_lock(&shared->lock);
    atomic_store_explicit(&shared->holder, thread_token(), memory_order_relaxed);
    return COSM_OK;
}

void cosmi_shared_unlock(const struct sectors *sectors) {
    struct sectors_shared *shared = sectors->shared;
    atomic_store_explicit(&shared->holder, NULL, memory_order_relaxed);
    cosmi_mutex_unlock(&shared->lock);
}

// The retire epoch of what has just gone out of sight. Readers that enter from now on note a later
// epoch.
static uint64_t next_retire_epoch(struct sectors_shared *shared) {
    uint64_t retire_epoch = atomic_load_explicit(&shared->epoch, memory_order_relaxed);
    atomic_store(&shared->epoch, retire_epoch + 1);
    return retire_epoch;
}

// Looks at all readers. Whatever was retired before the result can be seen by none of them.
static void find_safe_epoch(struct sectors_shared *shared) {
    uint64_t safe = atomic_load_explicit(&shared->epoch, memory_order_relaxed);
    for (cosm_container_reader *reader = shared->readers; reader != NULL; reader = reader->next) {
        uint64_t epoch = atomic_load(&reader->epoch);
        safe = epoch != 0 && epoch < safe ? epoch : safe;
    }
    shared->safe = safe;
}

void cosmi_sectors_discard(struct sectors *sectors, struct retired_block *retired) {
    struct sectors_shared *shared = sectors->shared;
    if (shared == NULL) {
        cosmi_memory_free(sectors->memory, retired, retired->size, 16);
        return;
    }
    retired->retire_epoch = next_retire_epoch(shared);
    retired->next = shared->retired;
    shared->retired = retired;
}

static void push_reclaim(struct sectors_shared *shared, struct sectors *sectors, uint32_t place) {
    reclaim_at(sectors, place)->next = 0;
    if (shared->queue_last != 0) {
        reclaim_at(sectors, shared->queue_last - 1)->next = place + 1;
    } else {
        shared->queue_first = place + 1;
    }
    shared->queue_last = place + 1;
    shared->queue_count++;
}

static uint32_t pop_reclaim(struct sectors_shared *shared, struct sectors *sectors) {
    uint32_t place = shared->queue_first - 1;
    shared->queue_first = reclaim_at(sectors, place)->next;
    shared->queue_last = shared->queue_first == 0 ? 0 : shared->queue_last;
    shared->queue_count--;
    return place;
}

// Members have gone out of sight, with the whole record where `is_gone`.
static void retire(struct sectors *sectors, uint32_t place, uint64_t mask, bool is_gone) {
    struct sectors_shared *shared = sectors->shared;
    struct reclaim *reclaim = reclaim_at(sectors, place);
    reclaim->pending |= mask;
    reclaim->is_gone = reclaim->is_gone || is_gone;
    reclaim->retire_epoch = next_retire_epoch(shared);
    if (!reclaim->is_queued) {
        reclaim->is_queued = true;
        push_reclaim(shared, sectors, place);
    }
}

// The acquire meets the release of the last unpin: what was done under a pin comes before.
static bool is_pinned(struct reclaim *reclaim) {
    return (atomic_load_explicit(&reclaim->pins, memory_order_acquire) & ~RECLAIM_MOVED) != 0;
}

static void finish_reclaim(struct sectors *sectors, uint32_t place) {
    struct reclaim *reclaim = reclaim_at(sectors, place);
    cosm_sector *sector = sectors_at(sectors, place);
    uint64_t pending = reclaim->pending;
    reclaim->pending = 0;
    reclaim->is_queued = false;
    cosmi_sectors_end_members(sectors, sector, pending);
    if (reclaim->is_gone) {
        reclaim->is_gone = false;
        atomic_store_explicit(&reclaim->pins, 0, memory_order_relaxed);
        sector->entity = SECTOR_NOBODY;
        shared_store_live(sector, 0);
        holes_set(&sectors->holes, place);
    }
}

// Destroys what waits at one place, if nobody can see it. It stays in the queue until its turn.
static bool settle_reclaim(struct sectors *sectors, uint32_t place) {
    struct reclaim *reclaim = reclaim_at(sectors, place);
    find_safe_epoch(sectors->shared);
    if (reclaim->retire_epoch >= sectors->shared->safe || is_pinned(reclaim)) {
        return false;
    }
    uint64_t pending = reclaim->pending;
    reclaim->pending = 0;
    cosmi_sectors_end_members(sectors, sectors_at(sectors, place), pending);
    return true;
}

static void reclaim_retired(struct sectors *sectors) {
    struct sectors_shared *shared = sectors->shared;
    struct retired_block **link = &shared->retired;
    while (*link != NULL && (*link)->retire_epoch >= shared->safe) {
        link = &(*link)->next;
    }
    struct retired_block *old = *link; // and all behind it: the newest come first
    *link = NULL;
    while (old != NULL) {
        struct retired_block *next = old->next;
        cosmi_memory_free(sectors->memory, old, old->size, 16);
        old = next;
    }
}

void cosmi_shared_reclaim(struct sectors *sectors, uint32_t max) {
    struct sectors_shared *shared = sectors->shared;
    if (shared->queue_first == 0 && shared->retired == NULL) {
        return;
    }
    find_safe_epoch(shared);
    for (uint32_t i = 0; i < max && shared->queue_first != 0; i++) {
        uint32_t place = pop_reclaim(shared, sectors);
        struct reclaim *reclaim = reclaim_at(sectors, place);
        if (reclaim->retire_epoch < shared->safe && !is_pinned(reclaim)) {
            finish_reclaim(sectors, place);
        } else {
            push_reclaim(shared, sectors, place);
        }
    }
    if (shared->retired != NULL) {
        reclaim_retired(sectors);
    }
}

// Does this thread hold a pin of the record; of any record, where it is NULL?
static bool holds_pin(const struct sectors *sectors, const cosm_sector *sector) {
    const void *thread = thread_token();
    for (cosm_container_reader *reader = sectors->shared->readers; reader != NULL;
         reader = reader->next) {
        if (atomic_load_explicit(&reader->thread, memory_order_relaxed) != thread) {
            continue; // its pins are not ours to look at
        }
        for (uint32_t i = 0; i < reader->pin_count; i++) {
            if (sector == NULL || reader->pins[i].sector == sector) {
                return true;
            }
        }
    }
    return false;
}

static cosm_result check_own_pin(const struct sectors *sectors, const char *call,
                                 const cosm_sector *sector, uint32_t place) {
    if (is_pinned(reclaim_at(sectors, place)) && holds_pin(sectors, sector)) {
        return cosmi_fail(sectors->sink, COSM_ERROR_BUSY,
                          "%s: this thread has pinned the record of " COSM_ENTITY_FORMAT
                          " in %s; unpin it "
                          "first",
                          call, COSM_ENTITY_PRINT(sector->entity), sectors->layout->name);
    }
    return COSM_OK;
}

// A place for a new record. What nobody can see any more is better than new memory.
static uint32_t shared_place(struct sectors *sectors, const char *call) {
    if (cosmi_holes_first(&sectors->holes) == PLACE_NONE) {
        cosmi_shared_reclaim(sectors, INSERT_RECLAIM_COUNT);
    }
    uint32_t place = cosmi_sectors_place(sectors);
    if (place == PLACE_NONE) {
        cosmi_shared_reclaim(sectors, sectors->shared->queue_count);
        place = cosmi_sectors_place(sectors);
    }
    if (place == PLACE_NONE) {
        (void)cosmi_sectors_fail_memory(sectors, call);
    }
    return place;
}

// Copies the members in `kept`, which are all where `is_whole`, under the eyes of readers. False
// when a hook refuses: then there are no copies.
static bool copy_members(struct sectors *sectors, cosm_sector *target, const cosm_sector *source,
                         uint64_t kept, bool is_whole) {
    const struct sectors_layout *layout = sectors->layout;
    if (is_whole && (kept & layout->with_move) == 0) {
        memcpy(target + 1, source + 1, layout->stride - sizeof *source);
        return true;
    }
    for (uint32_t i = 0; i < layout->member_count; i++) {
        const struct sectors_member *member = &layout->members[i];
        const cosm_lifecycle *life = &member->lifecycle;
        uint64_t bit = COSM_CONTAINER_BIT(i);
        if ((kept & bit) == 0) {
            continue;
        }
        void *object = cosm_sector_at(target, member->offset);
        const void *original = cosm_sector_at(source, member->offset);
        if (life->move == NULL) {
            memcpy(object, original, member->size);
            continue;
        }
        hook_begin(sectors);
        bool done = life->copy(life->context, object, original);
        hook_end(sectors);
        if (!done) {
            cosmi_sectors_end_members(sectors, target, kept & layout->with_move & (bit - 1));
            return false;
        }
    }
    return true;
}

// Makes a record lie somewhere else, all members but those in `lost`, which go out of sight with
// the old place. The rest of the new record, `made`, is there already.
static bool relocate(struct sectors *sectors, uint32_t from, uint32_t to, uint64_t lost,
                     uint64_t made) {
    const struct sectors_layout *layout = sectors->layout;
    cosm_sector *source = sectors_at(sectors, from);
    cosm_sector *target = sectors_at(sectors, to);
    struct reclaim *reclaim = reclaim_at(sectors, from);
    uint64_t kept = source->live & ~lost;
    unsigned none = 0;
    // From here on nobody can pin the old record: whoever changes bytes in place has to, so the
    // copy is whole.
    if ((kept & layout->with_only_move) != 0 ||
        !atomic_compare_exchange_strong_explicit(&reclaim->pins, &none, RECLAIM_MOVED,
                                                 memory_order_acq_rel, memory_order_relaxed)) {
        return false;
    }
    if (!copy_members(sectors, target, source, kept, (lost | made) == 0)) {
        atomic_fetch_and_explicit(&reclaim->pins, ~RECLAIM_MOVED, memory_order_release);
        return false;
    }
    cosmi_sectors_take(sectors, to);
    *target = (cosm_sector){source->entity, kept | made};
    cosmi_sectors_map_set(sectors, source->entity.id, to + 1);
    // What moved as bytes belongs to the new record; what was copied is there twice.
    retire(sectors, from, (source->live & lost) | (kept & layout->with_move), true);
    return true;
}

bool cosmi_shared_move(struct sectors *sectors, uint32_t from, uint32_t to) {
    return relocate(sectors, from, to, 0, 0);
}

// A member that readers may still see is replaced: in a new copy of the record.
static void *replace_shared(struct sectors *sectors, const char *call, uint32_t from,
                            uint32_t member, const void *value) {
    uint64_t bit = COSM_CONTAINER_BIT(member);
    uint32_t to = shared_place(sectors, call);
    if (to == PLACE_NONE) {
        return NULL;
    }
    cosm_sector *target = sectors_at(sectors, to);
    void *object = cosm_sector_at(target, sectors->layout->members[member].offset);
    if (cosmi_sectors_make(sectors, call, member, object, value) != COSM_OK) {
        return NULL;
    }
    if (!relocate(sectors, from, to, bit, bit)) {
        cosmi_sectors_end_members(sectors, target, bit);
        cosm_sector *source = sectors_at(sectors, from);
        (void)cosmi_fail(
            sectors->sink, COSM_ERROR_BUSY,
            "%s: the record of " COSM_ENTITY_FORMAT " in %s is pinned, or has members "
            "that cannot be copied, so member %s cannot be replaced; unpin it and call "
            "again, or give those members a copy hook",
            call, COSM_ENTITY_PRINT(source->entity), sectors->layout->name,
            sectors->layout->members[member].name);
        return NULL;
    }
    return object;
}

// A record for an entity that has none; `old`: the place of an earlier generation's, or PLACE_NONE.
static void *add_shared_record(struct sectors *sectors, const char *call, cosm_entity entity,
                               uint32_t member, const void *value, uint32_t old) {
    if (!cosmi_sectors_map_reserve(sectors, entity.id)) {
        (void)cosmi_sectors_fail_memory(sectors, call);
        return NULL;
    }
    uint32_t place = shared_place(sectors, call);
    if (place == PLACE_NONE) {
        return NULL;
    }
    cosm_sector *sector = sectors_at(sectors, place);
    void *object = cosm_sector_at(sector, sectors->layout->members[member].offset);
    if (cosmi_sectors_make(sectors, call, member, object, value) != COSM_OK) {
        return NULL;
    }
    cosmi_sectors_take(sectors, place);
    *sector = (cosm_sector){entity, COSM_CONTAINER_BIT(member)};
    if (old != PLACE_NONE) {
        cosm_sector *ended = sectors_at(sectors, old);
        uint64_t live = ended->live;
        shared_store_live(ended, 0);
        cosmi_sectors_map_set(sectors, entity.id, place + 1);
        retire(sectors, old, live, true);
    } else {
        cosmi_sectors_map_set(sectors, entity.id, place + 1);
        sectors->live_count++;
    }
    return object;
}

void *cosmi_shared_add(struct sectors *sectors, const char *call, cosm_entity entity,
                       uint32_t member, const void *value) {
    uint32_t entry = cosmi_sectors_map_look(sectors, entity.id);
    if (entry == 0) {
        return add_shared_record(sectors, call, entity, member, value, PLACE_NONE);
    }
    uint32_t place = entry - 1;
    cosm_sector *sector = sectors_at(sectors, place);
    if (sector->entity.gen > entity.gen) {
        return NULL;
    }
    if (sector->entity.gen < entity.gen) {
        return check_own_pin(sectors, call, sector, place) != COSM_OK
                   ? NULL
                   : add_shared_record(sectors, call, entity, member, value, place);
    }
    uint64_t bit = COSM_CONTAINER_BIT(member);
    void *object = cosm_sector_at(sector, sectors->layout->members[member].offset);
    if ((sector->live & bit) != 0) {
        return value == NULL || value == object
                   ? object
                   : replace_shared(sectors, call, place, member, value);
    }
    if ((reclaim_at(sectors, place)->pending & bit) != 0 && !settle_reclaim(sectors, place)) {
        return replace_shared(sectors, call, place, member, value);
    }
    if (cosmi_sectors_make(sectors, call, member, object, value) != COSM_OK) {
        return NULL;
    }
    shared_store_live(sector, sector->live | bit);
    return object;
}

static void hide_record(struct sectors *sectors, cosm_sector *sector, uint32_t place) {
    uint64_t live = sector->live;
    shared_store_live(sector, 0);
    cosmi_sectors_map_set(sectors, sector->entity.id, 0);
    sectors->live_count--;
    retire(sectors, place, live, true);
}

cosm_result cosmi_shared_remove(struct sectors *sectors, const char *call, cosm_entity entity,
                                uint64_t mask) {
    uint32_t entry = cosmi_sectors_map_look(sectors, entity.id);
    cosm_sector *sector = entry == 0 ? NULL : sectors_at(sectors, entry - 1);
    if (sector == NULL || sector->entity.gen != entity.gen || (sector->live & mask) == 0) {
        return COSM_STALE;
    }
    cosm_result result = check_own_pin(sectors, call, sector, entry - 1);
    if (result != COSM_OK) {
        return result;
    }
    uint64_t live = sector->live;
    if ((live & ~mask) == 0) {
        hide_record(sectors, sector, entry - 1);
    } else {
        shared_store_live(sector, live & ~mask);
        retire(sectors, entry - 1, live & mask, false);
    }
    return COSM_OK;
}

cosm_result cosmi_shared_clear(struct sectors *sectors, const char *call) {
    if (holds_pin(sectors, NULL)) {
        return cosmi_fail(sectors->sink, COSM_ERROR_BUSY,
                          "%s: this thread has pinned a record of %s; unpin it first", call,
                          sectors->layout->name);
    }
    for (uint32_t place = 0; place < sectors->place_end; place++) {
        if (!holes_has(&sectors->holes, place) && !reclaim_at(sectors, place)->is_gone) {
            hide_record(sectors, sectors_at(sectors, place), place);
        }
    }
    return COSM_OK;
}
