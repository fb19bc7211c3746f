// The sector components of worlds.
#include "store/sector_set.h"

#include "base/bits.h"
#include "store/event.h"
#include "store/rows.h"
#include "store/sectors_quick.h"

// The members of a group as a container wants them.
static void fill_members(const struct schema *schema, const cosm_component *components,
                         uint32_t count, cosm_container_member *members) {
    for (uint32_t i = 0; i < count; i++) {
        const struct value_type *type = schema_component(schema, components[i].id);
        members[i] = (cosm_container_member){.name = type->name,
                                             .size = type->size,
                                             .alignment = type->alignment,
                                             .default_value = type->default_value,
                                             .lifecycle = type->lifecycle};
    }
}

static const struct sector_group *type_group(const struct value_type *type) {
    return type == NULL ? NULL : atomic_load_explicit(&type->sector_group, memory_order_acquire);
}

// Makes and publishes a group; the schema's lock is held. NULL, with a message, on failure.
static struct sector_group *make_group_locked(struct schema *schema, const char *call,
                                              const cosm_sector_group_desc *desc, uint32_t count) {
    uint32_t id = paged_count(&schema->sector_groups);
    id = id == 0 ? 1 : id;
    if (id > COSM_SECTOR_GROUP_MAX) {
        (void)cosmi_fail(schema->sink, COSM_ERROR_LIMIT,
                         "%s: this would be group number %u; an engine holds at most %u: put more "
                         "components into one",
                         call, id, COSM_SECTOR_GROUP_MAX);
        return NULL;
    }
    struct sector_group *group =
        cosmi_arena_alloc(&schema->arena, sizeof(*group), _Alignof(struct sector_group));
    if (group == NULL || !cosmi_paged_reserve(&schema->sector_groups, schema->memory, id)) {
        (void)cosmi_fail_memory(schema->sink, schema->memory, call);
        return NULL;
    }
    *group = (struct sector_group){.id = id, .member_count = count};
    for (uint32_t i = 0; i < count; i++) {
        group->components[i] = desc->components[i];
    }
    cosm_container_member members[COSM_CONTAINER_MEMBER_MAX];
    fill_members(schema, group->components, count, members);
    // Worlds may be many and small: a chunk of 4 KiB, not of 64.
    size_t record = sizeof(cosm_sector);
    for (uint32_t i = 0; i < count; i++) {
        record += members[i].size;
    }
    uint32_t fit = record > 2048 ? 1 : (uint32_t)power_of_two_floor(4096 / record);
    cosm_container_desc layout = {.name = desc->name != NULL ? desc->name : members[0].name,
                                  .members = members,
                                  .member_count = count,
                                  .chunk_sectors =
                                      desc->chunk_sectors != 0 ? desc->chunk_sectors : fit,
                                  .threshold = desc->threshold};
    group->layout = cosmi_sectors_layout_create(schema->memory, schema->sink, call, &layout);
    if (group->layout == NULL) {
        return NULL;
    }
    cosmi_paged_set(&schema->sector_groups, id, group);
    for (uint32_t i = 0; i < count; i++) {
        // Written once, under the lock, before the group is seen through it.
        struct value_type *type =
            (struct value_type *)schema_component(schema, group->components[i].id);
        type->sector_member = i;
        atomic_store_explicit(&type->sector_group, group, memory_order_release);
    }
    return group;
}

const struct sector_group *cosmi_sector_group_need(struct schema *schema, const char *call,
                                                   const struct value_type *type) {
    const struct sector_group *group = type_group(type);
    if (LIKELY(group != NULL)) {
        return group;
    }
    cosm_sector_group_desc desc = {.components = {{type->id}}};
    cosmi_mutex_lock(&schema->lock);
    group = type_group(type);
    if (group == NULL) {
        group = make_group_locked(schema, call, &desc, 1);
    }
    cosmi_mutex_unlock(&schema->lock);
    return group;
}

// Does a group have just these members, and what the desc says otherwise?
static bool is_same_group(const struct sector_group *group, const cosm_sector_group_desc *desc,
                          uint32_t count) {
    bool same = group->member_count == count;
    for (uint32_t i = 0; same && i < count; i++) {
        same = group->components[i].id == desc->components[i].id;
    }
    return same &&
           (desc->chunk_sectors == 0 || desc->chunk_sectors == group->layout->chunk_sectors) &&
           (!(desc->threshold > 0) || (double)desc->threshold == group->layout->threshold);
}

static cosm_result check_group_member(const struct schema *schema, const char *call,
                                      const cosm_sector_group_desc *desc, uint32_t index) {
    const struct value_type *type = schema_component(schema, desc->components[index].id);
    if (type == NULL || type->storage != COSM_STORAGE_SECTOR) {
        return cosmi_fail(schema->sink, COSM_ERROR_ARGUMENT,
                          "%s: desc.components[%u] is component %u, which does not have "
                          "COSM_STORAGE_SECTOR; define it with that storage",
                          call, index, desc->components[index].id);
    }
    for (uint32_t i = 0; i < index; i++) {
        if (desc->components[i].id == type->id) {
            return cosmi_fail(schema->sink, COSM_ERROR_ARGUMENT,
                              "%s: desc.components[%u] is '%s', as [%u] already is; list it once",
                              call, index, type->name, i);
        }
    }
    return COSM_OK;
}

// How many components the desc lists; 0 with a message where something is wrong.
static uint32_t count_group_members(const struct schema *schema, const char *call,
                                    const cosm_sector_group_desc *desc) {
    uint32_t count = 0;
    while (count < COSM_CONTAINER_MEMBER_MAX && desc->components[count].id != 0) {
        if (check_group_member(schema, call, desc, count) != COSM_OK) {
            return 0;
        }
        count++;
    }
    bool is_torn = false;
    for (uint32_t i = count; i < COSM_CONTAINER_MEMBER_MAX; i++) {
        is_torn = is_torn || desc->components[i].id != 0;
    }
    if (count == 0 || is_torn) {
        (void)cosmi_fail(schema->sink, COSM_ERROR_ARGUMENT,
                         "%s: desc.components[%u] is empty; list the components from [0] on, "
                         "without a gap: check the definition that returned zero",
                         call, count);
        return 0;
    }
    return count;
}

uint32_t cosmi_sector_group_define(struct schema *schema, const char *call,
                                   const cosm_sector_group_desc *desc) {
    uint32_t count = count_group_members(schema, call, desc);
    if (count == 0) {
        return 0;
    }
    cosmi_mutex_lock(&schema->lock);
    const struct value_type *taken = NULL; // the first that is in a group
    for (uint32_t i = 0; i < count && taken == NULL; i++) {
        const struct value_type *type = schema_component(schema, desc->components[i].id);
        taken = type != NULL && type_group(type) != NULL ? type : NULL;
    }
    uint32_t id = 0;
    if (taken != NULL && is_same_group(type_group(taken), desc, count)) {
        id = type_group(taken)->id;
    } else if (taken != NULL) {
        (void)cosmi_fail(schema->sink, COSM_ERROR_CONFLICT,
                         "%s: component '%s' is already in group %u '%s', by declaration or by "
                         "use; declare groups before their components are used",
                         call, taken->name, type_group(taken)->id, type_group(taken)->layout->name);
    } else {
        const struct sector_group *group = make_group_locked(schema, call, desc, count);
        id = group == NULL ? 0 : group->id;
    }
    cosmi_mutex_unlock(&schema->lock);
    return id;
}

void cosmi_sector_groups_free(struct schema *schema) {
    for (uint32_t id = 1; id < paged_count(&schema->sector_groups); id++) {
        const struct sector_group *group = schema_sector_group(schema, id);
        if (group != NULL) {
            cosmi_sectors_layout_free(group->layout);
        }
    }
    cosmi_paged_free(&schema->sector_groups, schema->memory);
}

static struct sector_set *world_sectors(const struct cosm_batch *batch, uint32_t world) {
    return batch->besides[world] == NULL ? NULL : batch->besides[world]->sectors;
}

struct sectors *cosmi_sector_find(const struct cosm_batch *batch, uint32_t world,
                                  const struct value_type *type) {
    const struct sector_group *group = type_group(type);
    return group == NULL ? NULL : sector_container(batch, world, group->id);
}

void *cosmi_sector_value(const struct cosm_batch *batch, uint32_t world,
                         const struct value_type *type, cosm_entity entity) {
    const struct sectors *sectors = cosmi_sector_find(batch, world, type);
    return sectors == NULL ? NULL : sectors_look(sectors, entity, type->sector_member);
}

// Puts a component where it belongs in an ascending list that is cut off at `max`.
static void list_insert(cosm_component *list, uint32_t count, uint32_t max, uint32_t id) {
    uint32_t at = count < max ? count : max;
    for (; at > 0 && list[at - 1].id > id; at--) {
        if (at < max) {
            list[at] = list[at - 1];
        }
    }
    if (at < max) {
        list[at] = (cosm_component){id};
    }
}

uint32_t cosmi_sector_list(const struct cosm_batch *batch, uint32_t world, cosm_entity entity,
                           uint32_t max, cosm_component *out_components) {
    const struct sector_set *set = world_sectors(batch, world);
    uint32_t count = 0;
    for (uint32_t i = 0; set != NULL && i < set->count; i++) {
        const cosm_sector *sector =
            set->containers[i] == NULL ? NULL : sectors_find(set->containers[i], entity);
        const struct sector_group *group =
            sector == NULL ? NULL : schema_sector_group(batch->schema, i);
        for (uint32_t m = 0; group != NULL && m < group->member_count; m++) {
            if ((sector->live >> m & 1) != 0) {
                list_insert(out_components, count, max, group->components[m].id);
                count++;
            }
        }
    }
    return count;
}

static struct sector_set *make_set(cosm_world world, const char *call) {
    struct cosm_batch *batch = world.batch;
    struct beside *beside = cosmi_batch_beside(batch, call, world.index);
    if (beside != NULL && beside->sectors == NULL) {
        beside->sectors = cosmi_memory_alloc_zeroed(&batch->memory, sizeof(*beside->sectors),
                                                    _Alignof(struct sector_set));
        if (beside->sectors == NULL) {
            (void)cosmi_fail_memory(batch->sink, &batch->memory, call);
        }
    }
    return beside == NULL ? NULL : beside->sectors;
}

// The container of a component, made where there is none. NULL, with a message, on failure.
static struct sectors *need_container(cosm_world world, const char *call,
                                      const struct value_type *type) {
    struct sectors *known = cosmi_sector_find(world.batch, world.index, type);
    if (LIKELY(known != NULL)) {
        return known;
    }
    struct cosm_batch *batch = world.batch;
    const struct sector_group *group = cosmi_sector_group_need(batch->schema, call, type);
    struct sector_set *set = group == NULL ? NULL : make_set(world, call);
    if (set == NULL) {
        return NULL;
    }
    struct sectors **containers = cosmi_array_grow(&batch->memory, set->containers, &set->capacity,
                                                   group->id + 1, sizeof(*containers));
    struct sectors *sectors =
        containers == NULL
            ? NULL
            : cosmi_memory_alloc_zeroed(&batch->memory, sizeof(*sectors), _Alignof(struct sectors));
    set->containers = containers == NULL ? set->containers : containers;
    if (sectors == NULL) {
        (void)cosmi_fail_memory(batch->sink, &batch->memory, call);
        return NULL;
    }
    while (set->count <= group->id) {
        containers[set->count++] = NULL;
    }
    // Plain containers need no memory to begin with.
    cosm_result result =
        cosmi_sectors_init(sectors, group->layout, &batch->memory, batch->sink, call, false);
    INVARIANT(result == COSM_OK, "an empty plain container is made without fail");
    (void)result;
    sectors->is_of_world = true;
    sectors->quick_add = 0; // the public short cuts are not for it
    sectors->quick_remove = 0;
    containers[group->id] = sectors;
    cosmi_batch_flag_entities(batch, world.index);
    return sectors;
}

cosm_result cosmi_sector_need(cosm_world world, const char *call, const struct value_type *type) {
    return need_container(world, call, type) == NULL ? cosm_error_result() : COSM_OK;
}

uint32_t cosmi_sector_group_id(const struct value_type *type) {
    const struct sector_group *group = type_group(type);
    return group == NULL ? 0 : group->id;
}

cosm_result cosmi_sector_room(cosm_world world, const char *call, const struct value_type *type,
                              cosm_entity entity, uint32_t *io_more) {
    struct sectors *sectors = cosmi_sector_find(world.batch, world.index, type);
    INVARIANT(sectors != NULL, "a container is made before there is room in it");
    if (sectors_find(sectors, entity) != NULL) {
        return COSM_OK;
    }
    sectors->keeps_pages = true;
    // Holes are filled before new places are taken.
    if (!cosmi_sectors_map_reserve(sectors, entity.id) ||
        !cosmi_sectors_make_room(sectors, sectors->live_count + *io_more + 1)) {
        return cosmi_fail_memory(world.batch->sink, &world.batch->memory, call);
    }
    ++*io_more;
    return COSM_OK;
}

void cosmi_sector_room_end(cosm_world world, const struct value_type *type) {
    struct sectors *sectors = cosmi_sector_find(world.batch, world.index, type);
    if (sectors != NULL && sectors->keeps_pages) {
        sectors->keeps_pages = false;
        cosmi_sectors_map_drop_empty(sectors);
    }
}

cosm_result cosmi_sector_add(cosm_world world, const char *call, const struct value_type *type,
                             cosm_entity entity, const void *value) {
    struct sectors *sectors = need_container(world, call, type);
    if (sectors == NULL) {
        return cosm_error_result();
    }
    bool is_watched = UNLIKELY(world.batch->events != NULL);
    bool is_short = !is_watched && !sectors->is_in_hook;
    if (LIKELY(is_short && is_quick(sectors->layout->quick, type->sector_member)) &&
        quick_add(sectors, entity, type->sector_member, value) != NULL) {
        return COSM_OK;
    }
    bool is_new = is_watched && sectors_look(sectors, entity, type->sector_member) == NULL;
    void *object = cosmi_sectors_add(sectors, call, entity, type->sector_member, value);
    if (object != NULL && is_new) {
        cosmi_event_sector(world, entity, type, EVENT_SECTOR_ADDED, NULL);
    }
    if (object != NULL && is_watched && value != NULL) {
        cosmi_event_sector(world, entity, type, EVENT_SECTOR_SET, NULL);
    }
    return object == NULL ? cosm_error_result() : COSM_OK;
}

bool cosmi_sector_has_make(const struct value_type *type) {
    return type->lifecycle.construct != NULL || type->lifecycle.copy != NULL;
}

// Writes nothing of a container: lanes of a system make objects at the same time.
cosm_result cosmi_sector_make(const struct cosm_batch *batch, const char *call,
                              const struct value_type *type, void *object, const void *value) {
    const struct sectors_member *member = &type_group(type)->layout->members[type->sector_member];
    const cosm_lifecycle *life = &type->lifecycle;
    const char *hook = "construct";
    bool done = true;
    if (value == NULL && life->construct != NULL) {
        done = life->construct(life->context, object);
    } else if (life->copy != NULL && (value != NULL || member->has_default)) {
        hook = "copy";
        done = life->copy(life->context, object, value != NULL ? value : member->default_value);
    } else if (type->size > 0) {
        memmove(object, value != NULL ? value : member->default_value, type->size);
    }
    return done ? COSM_OK
                : cosmi_fail(batch->sink, COSM_ERROR_MEMORY,
                             "%s: hook %s of component '%s' returned false; free what it needs "
                             "and call again",
                             call, hook, type->name);
}

void cosmi_sector_unmake(const struct value_type *type, void *object) {
    if (type->lifecycle.destroy != NULL) {
        type->lifecycle.destroy(type->lifecycle.context, object);
    }
}

// Moves an object made aside into the place of one that ends.
static void swap_in(const struct value_type *type, void *object, void *made) {
    cosmi_sector_unmake(type, object);
    if (type->lifecycle.move != NULL) {
        type->lifecycle.move(type->lifecycle.context, object, made);
    } else if (type->size > 0) {
        memcpy(object, made, type->size);
    }
}

cosm_result cosmi_sector_replace(struct cosm_batch *batch, const char *call,
                                 const struct value_type *type, void *object, const void *value) {
    if (value == object || type->size == 0) {
        return COSM_OK;
    }
    if (LIKELY(!type->is_object)) {
        memmove(object, value, type->size);
        return COSM_OK;
    }
    void *aside = cosmi_memory_alloc(&batch->memory, type->size, type->alignment);
    if (aside == NULL) {
        return cosmi_fail_memory(batch->sink, &batch->memory, call);
    }
    cosm_result result = cosmi_sector_make(batch, call, type, aside, value);
    if (result == COSM_OK) {
        swap_in(type, object, aside);
    }
    cosmi_memory_free(&batch->memory, aside, type->size, type->alignment);
    return result;
}

void cosmi_sector_adopt(cosm_world world, const char *call, const struct value_type *type,
                        cosm_entity entity, void *object, bool is_set) {
    struct sectors *sectors = cosmi_sector_find(world.batch, world.index, type);
    bool is_watched = UNLIKELY(world.batch->events != NULL);
    void *known = sectors_look(sectors, entity, type->sector_member);
    if (known != NULL) {
        swap_in(type, known, object);
    } else {
        sectors->staged = object;
        known = cosmi_sectors_add(sectors, call, entity, type->sector_member, object);
        INVARIANT(known != NULL, "there is room for an object that was made aside");
        sectors->staged = NULL;
        if (is_watched) {
            cosmi_event_sector(world, entity, type, EVENT_SECTOR_ADDED, NULL);
        }
    }
    if (is_watched && is_set) {
        cosmi_event_sector(world, entity, type, EVENT_SECTOR_SET, NULL);
    }
}

cosm_result cosmi_sector_remove(cosm_world world, const char *call, const struct value_type *type,
                                cosm_entity entity) {
    struct sectors *sectors = cosmi_sector_find(world.batch, world.index, type);
    if (sectors == NULL) {
        return COSM_OK;
    }
    uint64_t bit = COSM_CONTAINER_BIT(type->sector_member);
    bool is_short = world.batch->events == NULL && !sectors->is_in_hook;
    if (LIKELY(is_short && (sectors->layout->with_destroy & bit) == 0)) {
        (void)quick_remove(sectors, entity, bit);
        return COSM_OK;
    }
    const void *value = sectors_look(sectors, entity, type->sector_member);
    if (value == NULL) {
        return COSM_OK;
    }
    if (UNLIKELY(world.batch->events != NULL)) {
        cosmi_event_sector(world, entity, type, EVENT_SECTOR_REMOVED, value);
    }
    return cosmi_sectors_remove(sectors, call, entity, type->sector_member);
}

void cosmi_sector_renew(cosm_world world, const char *call, const struct value_type *type,
                        cosm_entity entity, void *made) {
    struct sectors *sectors = cosmi_sector_find(world.batch, world.index, type);
    bool was_there = sectors_look(sectors, entity, type->sector_member) != NULL;
    if (was_there) {
        (void)cosmi_sectors_remove(sectors, call, entity, type->sector_member);
    }
    sectors->staged = made;
    void *object = cosmi_sectors_add(sectors, call, entity, type->sector_member, made);
    INVARIANT(object != NULL, "there is room for what takes the place of another");
    (void)object;
    sectors->staged = NULL;
    if (UNLIKELY(world.batch->events != NULL)) {
        cosmi_event_sector(world, entity, type, was_there ? EVENT_SECTOR_SET : EVENT_SECTOR_ADDED,
                           NULL);
    }
}

// Observers are told of every member that a record ends with.
static void notify_erase(cosm_world world, uint32_t group_id, const struct sectors *sectors,
                         cosm_entity entity) {
    const struct sector_group *group = schema_sector_group(world.batch->schema, group_id);
    for (uint32_t m = 0; m < group->member_count; m++) {
        const void *value = sectors_look(sectors, entity, m);
        if (value != NULL) {
            cosmi_event_sector(world, entity,
                               schema_component(world.batch->schema, group->components[m].id),
                               EVENT_SECTOR_REMOVED, value);
        }
    }
}

void cosmi_sector_erase(cosm_world world, cosm_entity entity) {
    const struct sector_set *set = world_sectors(world.batch, world.index);
    for (uint32_t i = 0; set != NULL && i < set->count; i++) {
        struct sectors *sectors = set->containers[i];
        if (sectors != NULL && sectors_find(sectors, entity) != NULL) {
            if (UNLIKELY(world.batch->events != NULL)) {
                notify_erase(world, i, sectors, entity);
            }
            (void)cosmi_sectors_erase(sectors, "cosm_entity_despawn", entity);
            // One that was never born has no id to be found by again.
            if (UNLIKELY(entity.id >= world_data(world)->known)) {
                cosmi_sectors_forget(sectors, entity.id);
            }
        }
    }
}

void cosmi_sector_reset(cosm_world world) {
    const struct sector_set *set = world_sectors(world.batch, world.index);
    for (uint32_t i = 0; set != NULL && i < set->count; i++) {
        struct sectors *sectors = set->containers[i];
        if (sectors == NULL) {
            continue;
        }
        for (uint32_t p = 0; world.batch->events != NULL && p < sectors->place_end; p++) {
            const cosm_sector *sector = sectors_at(sectors, p);
            if (sector->live != 0) {
                notify_erase(world, i, sectors, sector->entity);
            }
        }
        // One that is walked keeps its places.
        for (uint32_t p = 0; sectors->face.walk_count > 0 && p < sectors->place_end; p++) {
            const cosm_sector *sector = sectors_at(sectors, p);
            if (sector->live != 0) {
                (void)cosmi_sectors_erase(sectors, "cosm_batch_reset", sector->entity);
            }
        }
        if (sectors->face.walk_count == 0) {
            (void)cosmi_sectors_clear(sectors, "cosm_batch_reset");
        }
    }
}

cosm_result cosmi_sector_maintain(cosm_world world, const char *call,
                                  const cosm_container_budget *budget,
                                  cosm_container_report *out_report) {
    const struct sector_set *set = world_sectors(world.batch, world.index);
    cosm_container_budget left = budget == NULL ? (cosm_container_budget){0, 0} : *budget;
    uint64_t end_ns = left.ns_max == 0 ? 0 : cosmi_os_now_ns() + left.ns_max;
    cosm_container_report total = {0, 0, 0, 0};
    cosm_result result = COSM_OK;
    bool is_spent = false;
    for (uint32_t i = 0; set != NULL && i < set->count && result == COSM_OK; i++) {
        struct sectors *sectors = set->containers[i];
        if (sectors == NULL || is_spent) {
            total.left += sectors == NULL ? 0 : sectors->place_end - sectors->live_count;
            continue;
        }
        cosm_container_report report;
        result = cosmi_sectors_maintain(sectors, call, &left, &report);
        if (result != COSM_OK) {
            break;
        }
        total.moved += report.moved;
        total.reclaimed += report.reclaimed;
        total.chunks_freed += report.chunks_freed;
        total.left += report.left;
        uint64_t now_ns = end_ns == 0 ? 0 : cosmi_os_now_ns();
        is_spent = (end_ns != 0 && now_ns >= end_ns) ||
                   (left.move_max != 0 && report.moved >= left.move_max);
        left.move_max -= left.move_max == 0 ? 0 : report.moved;
        left.ns_max = end_ns == 0 || is_spent ? 0 : end_ns - now_ns;
    }
    if (out_report != NULL) {
        *out_report = total;
    }
    return result;
}

uint32_t cosmi_sector_walks(const struct cosm_batch *batch, uint32_t world) {
    const struct sector_set *set = world_sectors(batch, world);
    uint32_t walks = 0;
    for (uint32_t i = 0; set != NULL && i < set->count; i++) {
        walks += set->containers[i] == NULL ? 0 : set->containers[i]->face.walk_count;
    }
    return walks;
}

cosm_result cosmi_check_sector_walks(cosm_world world, const char *call) {
    uint32_t walks = cosmi_sector_walks(world.batch, world.index);
    return walks == 0
               ? COSM_OK
               : cosmi_fail(world.batch->sink, COSM_ERROR_WALKED,
                            "%s: sector containers of world %u have %u open walks; call it after "
                            "the walks, and end those that you leave early with "
                            "cosm_container_walk_end",
                            call, world.index, walks);
}

cosm_result cosmi_sector_validate(const struct cosm_batch *batch, uint32_t world) {
    static const char call[] = "cosm_batch_validate";
    const struct sector_set *set = world_sectors(batch, world);
    for (uint32_t i = 0; set != NULL && i < set->count; i++) {
        struct sectors *sectors = set->containers[i];
        if (sectors == NULL) {
            continue;
        }
        cosm_result result = cosmi_sectors_validate(sectors, call);
        if (result != COSM_OK) {
            return result;
        }
        for (uint32_t p = 0; p < sectors->place_end; p++) {
            const cosm_sector *sector = sectors_at(sectors, p);
            if (sector->live == 0 && sector->entity.id != SECTOR_NOBODY.id &&
                sector->entity.id >= batch->worlds[world].known) {
                return cosmi_fail(batch->sink, COSM_ERROR_CORRUPT,
                                  "%s: world %u: a dead sector of '%s' has id %u, and only %u are "
                                  "known; this is a defect of the library: please report it",
                                  call, world, sectors->layout->name, sector->entity.id,
                                  batch->worlds[world].known);
            }
            if (sector->live != 0 &&
                directory_find(&batch->worlds[world], sector->entity) == NULL) {
                return cosmi_fail(batch->sink, COSM_ERROR_CORRUPT,
                                  "%s: world %u: entity " COSM_ENTITY_FORMAT " has a sector of "
                                  "'%s' and is not alive; this is a defect of the library: please "
                                  "report it",
                                  call, world, COSM_ENTITY_PRINT(sector->entity),
                                  sectors->layout->name);
            }
        }
    }
    return COSM_OK;
}

size_t cosmi_sector_bytes(const struct cosm_batch *batch, uint32_t world) {
    const struct sector_set *set = world_sectors(batch, world);
    if (set == NULL) {
        return 0;
    }
    size_t used = sizeof(*set) + set->capacity * sizeof(*set->containers);
    for (uint32_t i = 0; i < set->count; i++) {
        const struct sectors *sectors = set->containers[i];
        used += sectors == NULL ? 0 : sizeof(*sectors) + cosmi_sectors_bytes(sectors);
    }
    return used;
}

size_t cosmi_sector_live_bytes(const struct cosm_batch *batch, uint32_t world) {
    const struct sector_set *set = world_sectors(batch, world);
    size_t live = 0;
    for (uint32_t i = 0; set != NULL && i < set->count; i++) {
        const struct sectors *sectors = set->containers[i];
        live += sectors == NULL ? 0 : sectors->live_count * sectors->layout->stride;
    }
    return live;
}

void cosmi_sector_free(cosm_world world) {
    struct sector_set *set = world_sectors(world.batch, world.index);
    struct memory *memory = &world.batch->memory;
    if (set == NULL) {
        return;
    }
    for (uint32_t i = 0; i < set->count; i++) {
        if (set->containers[i] != NULL) {
            cosmi_sectors_free(set->containers[i]);
            cosmi_memory_free(memory, set->containers[i], sizeof(struct sectors),
                              _Alignof(struct sectors));
        }
    }
    cosmi_array_free(memory, set->containers, set->capacity, sizeof(*set->containers));
    cosmi_memory_free(memory, set, sizeof(*set), _Alignof(struct sector_set));
    world.batch->besides[world.index]->sectors = NULL;
}
