// cosm/container.h: containers, but for their readers.
#include "store/container.h"

#include "store/sectors_quick.h"
#include "store/sectors_shared.h"

// The core of a public container; NULL with a message for NULL.
static struct sectors *sectors_of(const cosm_container *sectors, const char *call) {
    if (UNLIKELY(sectors == NULL)) {
        (void)cosmi_fail(NULL, COSM_ERROR_ARGUMENT,
                         "%s: sectors is NULL; pass what cosm_container_create returned", call);
        return NULL;
    }
    return (struct sectors *)(uintptr_t)&sectors->core;
}

// The same with the lock held, where there is one.
static struct sectors *locked_sectors(const cosm_container *sectors, const char *call) {
    struct sectors *core = sectors_of(sectors, call);
    if (UNLIKELY(core != NULL && core->shared != NULL) &&
        cosmi_shared_lock(core, call) != COSM_OK) {
        return NULL;
    }
    return core;
}

// The same for those who want to change it.
static struct sectors *own_sectors(const cosm_container *sectors, const char *call) {
    if (UNLIKELY(sectors != NULL && sectors->core.is_of_world)) {
        (void)cosmi_fail(sectors->core.sink, COSM_ERROR_ARGUMENT,
                         "%s: the container of '%s' belongs to a world; change it with the entity "
                         "calls and cosm_sector_maintain",
                         call, sectors->core.layout->name);
        return NULL;
    }
    return locked_sectors(sectors, call);
}

static void unlock_sectors(struct sectors *core) {
    if (UNLIKELY(core->shared != NULL)) {
        cosmi_shared_unlock(core);
    }
}

static COLD cosm_result fail_member(const struct sectors *core, const char *call, uint32_t member) {
    return cosmi_fail(core->sink, COSM_ERROR_ARGUMENT,
                      "%s: member is %u, but %s has %u members; members count from zero", call,
                      member, core->layout->name, core->layout->member_count);
}

// Is the member one of the container's?
static bool check_sectors_member(const struct sectors *core, const char *call, uint32_t member) {
    return LIKELY(member < core->layout->member_count) ||
           fail_member(core, call, member) == COSM_OK;
}

cosm_container *cosm_container_create(const cosm_container_desc *desc) {
    const char *call = "cosm_container_create";
    if (desc == NULL) {
        (void)cosmi_fail(NULL, COSM_ERROR_ARGUMENT,
                         "%s: desc is NULL; pass a desc with at least one member", call);
        return NULL;
    }
    struct sink sink = {desc->error, desc->error_context, desc->quiet, NULL};
    struct memory memory;
    if (!cosmi_memory_init(&memory, &desc->allocator, desc->memory_limit)) {
        (void)cosmi_fail(&sink, COSM_ERROR_ARGUMENT,
                         "%s: the allocator is incomplete; set allocate and release, or neither",
                         call);
        return NULL;
    }
    cosm_container *sectors = cosmi_memory_alloc(&memory, sizeof *sectors, _Alignof(max_align_t));
    if (sectors == NULL) {
        (void)cosmi_fail_memory(&sink, &memory, call);
        return NULL;
    }
    sectors->sink = sink;
    sectors->printed = (struct printed){.overflow = 0};
    sectors->sink.printed = &sectors->printed;
    // The account has counted this block already.
    (void)cosmi_memory_init(&sectors->memory, &desc->allocator, desc->memory_limit);
    atomic_init(&sectors->memory.used, sizeof *sectors);
    atomic_init(&sectors->memory.peak, sizeof *sectors);
    sectors->layout = cosmi_sectors_layout_create(&sectors->memory, &sectors->sink, call, desc);
    if (sectors->layout == NULL ||
        cosmi_sectors_init(&sectors->core, sectors->layout, &sectors->memory, &sectors->sink, call,
                           desc->concurrent) != COSM_OK) {
        cosmi_sectors_layout_free(sectors->layout);
        cosmi_memory_free(&memory, sectors, sizeof *sectors, _Alignof(max_align_t));
        return NULL;
    }
    return sectors;
}

static cosm_result check_idle(struct sectors *core, const char *call) {
    if (core->shared != NULL && core->shared->readers != NULL) {
        return cosmi_fail(core->sink, COSM_ERROR_BUSY,
                          "%s: %s still has readers; destroy them first, each on its thread", call,
                          core->layout->name);
    }
    return cosmi_sectors_may_move(core, call);
}

// The result of a call that could not begin.
static cosm_result begin_failed(const cosm_container *sectors) {
    bool is_foreign = sectors == NULL || sectors->core.is_of_world;
    return is_foreign ? COSM_ERROR_ARGUMENT : COSM_ERROR_BUSY;
}

cosm_result cosm_container_destroy(cosm_container *sectors) {
    const char *call = "cosm_container_destroy";
    if (sectors == NULL) {
        return COSM_OK;
    }
    struct sectors *core = own_sectors(sectors, call);
    if (core == NULL) {
        return begin_failed(sectors);
    }
    cosm_result result = check_idle(core, call);
    if (result != COSM_OK) {
        unlock_sectors(core);
        return result;
    }
    cosmi_sectors_free(core);
    cosmi_sectors_layout_free(sectors->layout);
    struct memory memory = {.allocator = sectors->memory.allocator};
    atomic_init(&memory.used, sizeof *sectors);
    cosmi_memory_free(&memory, sectors, sizeof *sectors, _Alignof(max_align_t));
    return COSM_OK;
}

static const struct sectors_member *member_of(const cosm_container *sectors, uint32_t member) {
    return sectors != NULL && member < sectors->core.layout->member_count
               ? &sectors->core.layout->members[member]
               : NULL;
}

cosm_container_member_info cosm_container_describe_member(const cosm_container *sectors,
                                                          uint32_t member) {
    const struct sectors_member *found = member_of(sectors, member);
    if (found == NULL) {
        return (cosm_container_member_info){0};
    }
    return (cosm_container_member_info){found->name, found->size, found->offset};
}

// Calls that are not for a short cut: one with a lock, or one with a wrong argument.
static APART void *add_slowly(cosm_container *sectors, cosm_entity entity, uint32_t member,
                              const void *value) {
    const char *call = "cosm_container_add";
    struct sectors *core = own_sectors(sectors, call);
    if (UNLIKELY(core == NULL)) {
        return NULL;
    }
    void *object = check_sectors_member(core, call, member)
                       ? cosmi_sectors_add(core, call, entity, member, value)
                       : NULL;
    unlock_sectors(core);
    return object;
}

void *cosm_container_add(cosm_container *sectors, cosm_entity entity, uint32_t member,
                         const void *value) {
    if (LIKELY(sectors != NULL) && is_quick(sectors->core.quick_add, member)) {
        void *object = quick_add(&sectors->core, entity, member, value);
        if (LIKELY(object != NULL)) {
            return object;
        }
    }
    return add_slowly(sectors, entity, member, value);
}

static APART cosm_result remove_slowly(cosm_container *sectors, cosm_entity entity,
                                       uint32_t member) {
    const char *call = "cosm_container_remove";
    struct sectors *core = own_sectors(sectors, call);
    if (UNLIKELY(core == NULL)) {
        return begin_failed(sectors);
    }
    cosm_result result = check_sectors_member(core, call, member)
                             ? cosmi_sectors_remove(core, call, entity, member)
                             : COSM_ERROR_ARGUMENT;
    unlock_sectors(core);
    return result;
}

cosm_result cosm_container_remove(cosm_container *sectors, cosm_entity entity, uint32_t member) {
    if (LIKELY(sectors != NULL) && is_quick(sectors->core.quick_remove, member)) {
        bool done = quick_remove(&sectors->core, entity, COSM_CONTAINER_BIT(member));
        return done ? COSM_OK : COSM_STALE;
    }
    return remove_slowly(sectors, entity, member);
}

static APART cosm_result erase_slowly(cosm_container *sectors, cosm_entity entity) {
    const char *call = "cosm_container_erase";
    struct sectors *core = own_sectors(sectors, call);
    if (core == NULL) {
        return begin_failed(sectors);
    }
    cosm_result result = cosmi_sectors_erase(core, call, entity);
    unlock_sectors(core);
    return result;
}

cosm_result cosm_container_erase(cosm_container *sectors, cosm_entity entity) {
    if (LIKELY(sectors != NULL && sectors->core.quick_remove == sectors->core.layout->all)) {
        return quick_remove(&sectors->core, entity, sectors->core.layout->all) ? COSM_OK
                                                                               : COSM_STALE;
    }
    return erase_slowly(sectors, entity);
}

static bool check_many(const struct sectors *core, const char *call, const cosm_entity *entities,
                       uint32_t count, uint32_t member) {
    if (entities == NULL && count != 0) {
        (void)cosmi_fail(core->sink, COSM_ERROR_ARGUMENT,
                         "%s: entities is NULL and count is %u; pass the entities", call, count);
        return false;
    }
    return check_sectors_member(core, call, member);
}

cosm_result cosm_container_add_many(cosm_container *sectors, const cosm_entity *entities,
                                    uint32_t count, uint32_t member, const void *values) {
    const char *call = "cosm_container_add_many";
    struct sectors *core = own_sectors(sectors, call);
    if (core == NULL) {
        return begin_failed(sectors);
    }
    cosm_result result = check_many(core, call, entities, count, member)
                             ? cosmi_sectors_add_many(core, call, entities, count, member, values)
                             : COSM_ERROR_ARGUMENT;
    unlock_sectors(core);
    return result;
}

cosm_result cosm_container_remove_many(cosm_container *sectors, const cosm_entity *entities,
                                       uint32_t count, uint32_t member) {
    const char *call = "cosm_container_remove_many";
    struct sectors *core = own_sectors(sectors, call);
    if (core == NULL) {
        return begin_failed(sectors);
    }
    cosm_result result = check_many(core, call, entities, count, member)
                             ? cosmi_sectors_remove_many(core, call, entities, count, member)
                             : COSM_ERROR_ARGUMENT;
    unlock_sectors(core);
    return result;
}

cosm_result cosm_container_clear(cosm_container *sectors) {
    const char *call = "cosm_container_clear";
    struct sectors *core = own_sectors(sectors, call);
    if (core == NULL) {
        return begin_failed(sectors);
    }
    cosm_result result = cosmi_sectors_clear(core, call);
    unlock_sectors(core);
    return result;
}

cosm_result cosm_container_reserve(cosm_container *sectors, uint32_t count) {
    const char *call = "cosm_container_reserve";
    struct sectors *core = own_sectors(sectors, call);
    if (core == NULL) {
        return begin_failed(sectors);
    }
    cosm_result result = cosmi_sectors_reserve(core, call, count);
    unlock_sectors(core);
    return result;
}

cosm_result cosm_container_maintain(cosm_container *sectors, const cosm_container_budget *budget,
                                    cosm_container_report *out_report) {
    const char *call = "cosm_container_maintain";
    if (out_report != NULL) {
        *out_report = (cosm_container_report){0};
    }
    struct sectors *core = own_sectors(sectors, call);
    if (core == NULL) {
        return begin_failed(sectors);
    }
    cosm_result result = cosmi_sectors_maintain(core, call, budget, out_report);
    unlock_sectors(core);
    return result;
}

cosm_result cosm_container_validate(const cosm_container *sectors) {
    const char *call = "cosm_container_validate";
    struct sectors *core = locked_sectors(sectors, call);
    if (core == NULL) {
        return begin_failed(sectors);
    }
    cosm_result result = cosmi_sectors_validate(core, call);
    unlock_sectors(core);
    return result;
}

static COLD void *refuse_direct(const struct sectors *core, const char *call) {
    (void)cosmi_fail(core->sink, COSM_ERROR_ARGUMENT,
                     "%s: %s is concurrent; read it through a reader, see "
                     "cosm_container_reader_create",
                     call, core->layout->name);
    return NULL;
}

static void *look_up(const cosm_container *sectors, const char *call, cosm_entity entity,
                     uint32_t member) {
    const struct sectors *core = sectors_of(sectors, call);
    if (core == NULL || !check_sectors_member(core, call, member)) {
        return NULL;
    }
    return core->shared != NULL ? refuse_direct(core, call) : sectors_look(core, entity, member);
}

const void *cosm_container_read(const cosm_container *sectors, cosm_entity entity,
                                uint32_t member) {
    return look_up(sectors, "cosm_container_read", entity, member);
}

void *cosm_container_write(cosm_container *sectors, cosm_entity entity, uint32_t member) {
    return look_up(sectors, "cosm_container_write", entity, member);
}

void *cosm_container_write_sized(const cosm_container *sectors, cosm_entity entity, uint32_t member,
                                 size_t size) {
    const char *call = "cosm_container_write_sized";
    const struct sectors_member *found = member_of(sectors, member);
    if (found != NULL && found->size != size) {
        (void)cosmi_fail(sectors->core.sink, COSM_ERROR_ARGUMENT,
                         "%s: the type has %zu bytes, but member %s has %zu; pass the type of the "
                         "member",
                         call, size, found->name, found->size);
        return NULL;
    }
    return look_up(sectors, call, entity, member);
}

cosm_sector *cosm_container_find_beyond(const cosm_container *sectors, cosm_entity entity) {
    (void)entity;
    const struct sectors *core = &sectors->core;
    return core->shared != NULL ? refuse_direct(core, "cosm_container_find") : NULL;
}

uint64_t cosm_container_live(const cosm_container *sectors, cosm_entity entity) {
    struct sectors *core = locked_sectors(sectors, "cosm_container_live");
    if (core == NULL) {
        return 0;
    }
    uint64_t live = 0;
    uint32_t entry = cosmi_sectors_map_entry(core, entity.id);
    if (entry != 0 && sectors_at(core, entry - 1)->entity.gen == entity.gen) {
        live = sectors_at(core, entry - 1)->live;
    }
    unlock_sectors(core);
    return live;
}

bool cosm_container_has(const cosm_container *sectors, cosm_entity entity, uint32_t member) {
    return member < COSM_CONTAINER_MEMBER_MAX &&
           (cosm_container_live(sectors, entity) & COSM_CONTAINER_BIT(member)) != 0;
}

// Figures.

struct sectors_figures {
    uint32_t live;
    uint32_t dead;
    uint32_t chunks;
};

static struct sectors_figures sectors_figures_of(const cosm_container *sectors, const char *call) {
    struct sectors *core = locked_sectors(sectors, call);
    if (core == NULL) {
        return (struct sectors_figures){0};
    }
    struct sectors_figures figures = {core->live_count, core->place_end - core->live_count,
                                      core->chunk_count};
    unlock_sectors(core);
    return figures;
}

static cosm_memory sectors_memory(const cosm_container *sectors, struct sectors_figures figures) {
    cosm_memory memory = {.live = figures.live * sectors->core.layout->stride};
    if (sectors->core.is_of_world) { // whose account is that of its batch
        memory.used = sizeof(struct sectors) + cosmi_sectors_bytes(&sectors->core);
    } else {
        memory.used = atomic_load_explicit(&sectors->memory.used, memory_order_relaxed);
        memory.peak = atomic_load_explicit(&sectors->memory.peak, memory_order_relaxed);
    }
    return memory;
}

cosm_container_info cosm_container_describe(const cosm_container *sectors) {
    struct sectors_figures figures = sectors_figures_of(sectors, "cosm_container_describe");
    if (sectors == NULL) {
        return (cosm_container_info){0};
    }
    uint32_t all = figures.live + figures.dead;
    return (cosm_container_info){
        .member_count = sectors->core.layout->member_count,
        .count = figures.live,
        .dead_count = figures.dead,
        .fragmentation = figures.dead == 0 ? 0 : (double)figures.dead / (double)all,
        .chunk_count = figures.chunks,
        .memory = sectors_memory(sectors, figures),
    };
}

// Walks.

static bool check_ranges(const struct sectors *core, const char *call,
                         const cosm_container_walk_desc *desc) {
    uint64_t end = 0;
    for (uint32_t i = 0; desc->ranges != NULL && i < desc->range_count; i++) {
        uint64_t first = desc->ranges[i].first;
        if (first < end || first + desc->ranges[i].count > UINT32_MAX) {
            (void)cosmi_fail(core->sink, COSM_ERROR_ARGUMENT,
                             "%s: range %u starts at id %u with %u ids; pass ascending ranges "
                             "that do not overlap",
                             call, i, desc->ranges[i].first, desc->ranges[i].count);
            return false;
        }
        end = first + desc->ranges[i].count;
    }
    return true;
}

static bool check_walk(const struct sectors *core, const char *call,
                       const cosm_container_walk_desc *desc) {
    if ((desc->with & desc->without) != 0 ||
        ((desc->with | desc->without) & ~core->layout->all) != 0) {
        (void)cosmi_fail(
            core->sink, COSM_ERROR_ARGUMENT,
            "%s: with is 0x%llx and without 0x%llx; use bits of the %u members of %s, each in at "
            "most one of the two",
            call, (unsigned long long)desc->with, (unsigned long long)desc->without,
            core->layout->member_count, core->layout->name);
        return false;
    }
    for (uint32_t i = 0; i < COSM_CONTAINER_FOREIGN_MAX; i++) {
        const cosm_container *other = desc->foreign[i].sectors;
        if (other == NULL) {
            continue;
        }
        if (other->core.shared != NULL) {
            (void)refuse_direct(&other->core, call);
            return false;
        }
        if (!check_sectors_member(&other->core, call, desc->foreign[i].member)) {
            return false;
        }
    }
    return check_ranges(core, call, desc);
}

cosm_sector *cosm_container_walk_begin(cosm_container *sectors,
                                       const cosm_container_walk_desc *desc,
                                       cosm_container_walk *out_walk) {
    const char *call = "cosm_container_walk_begin";
    if (out_walk == NULL) {
        (void)cosmi_fail(NULL, COSM_ERROR_ARGUMENT, "%s: out_walk is NULL; pass a walk to fill in",
                         call);
        return NULL;
    }
    *out_walk = (cosm_container_walk){.face = NULL};
    struct sectors *core = sectors_of(sectors, call);
    if (core == NULL) {
        return NULL;
    }
    if (core->shared != NULL) {
        return refuse_direct(core, call);
    }
    if (desc != NULL && !check_walk(core, call, desc)) {
        return NULL;
    }
    return cosmi_sectors_walk_begin(core, desc, out_walk);
}
