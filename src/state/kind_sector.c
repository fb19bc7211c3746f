// The records of a group of sector components as a part: as they lie, with copies of the objects
// among their members.
//
// Containers have no ticks, so records are compared with those of the base. Where a record lies is
// state: walks go by it, and the next record takes the lowest hole. So dead records come back too,
// with the ids that lead to them. Chunks and pages of the map are only memory: a container stays
// where it is when its part comes back, and so do its chunks.
#include "state/kind.h"
#include "store/managed.h"

static bool next_container(cosm_world world, struct live_part *io_live) {
    uint32_t end = paged_count(&world.batch->schema->sector_groups);
    for (uint32_t id = io_live->key + 1; id < end; id++) {
        struct sectors *sectors = sector_container(world.batch, world.index, id);
        if (sectors != NULL && sectors->place_end > 0) {
            *io_live = (struct live_part){id, sectors};
            return true;
        }
    }
    return false;
}

static void shape_container(cosm_world world, const struct live_part *live, struct part *head) {
    const struct sectors *sectors = live->at;
    head->group = schema_sector_group(world.batch->schema, live->key);
    head->sector.place_end = sectors->place_end;
    head->sector.live_count = sectors->live_count;
    head->sector.is_packing = sectors->is_packing;
}

// Fills in a record that is zeroed.
static void fill_record(const struct sector_group *group, const cosm_sector *sector,
                        cosm_sector *fill) {
    *fill = *sector;
    for (uint32_t m = 0; m < group->member_count; m++) {
        const struct sectors_member *member = &group->layout->members[m];
        if ((sector->live >> m & 1) != 0 && !sector_member_is_object(group, m)) {
            memcpy(cosm_sector_at(fill, member->offset), cosm_sector_at(sector, member->offset),
                   member->size);
        }
    }
}

static void fill_records(const struct capture *capture, const struct live_part *live,
                         const struct part *part, uint32_t i, void *out) {
    const struct sectors_layout *layout = part->group->layout;
    uint32_t count = sector_blob_records(part, i);
    char *fill = out;
    (void)capture;
    memset(fill, 0, count * layout->stride);
    for (uint32_t n = 0; n < count; n++) {
        fill_record(part->group, sectors_at(live->at, i * layout->chunk_sectors + n),
                    (cosm_sector *)(void *)(fill + n * layout->stride));
    }
}

// The k-th member that is objects.
static uint32_t object_member(const struct sector_group *group, uint32_t k) {
    uint32_t member = 0;
    for (;; member++) {
        if (sector_member_is_object(group, member) && k-- == 0) {
            return member;
        }
    }
}

static struct live_object find_member(cosm_world world, const struct live_part *live,
                                      const struct part *part, uint32_t i) {
    const struct sectors *sectors = live->at;
    uint32_t place = i / part->sector.object_members;
    uint32_t member = object_member(part->group, i % part->sector.object_members);
    cosm_sector *sector = sectors_at(sectors, place);
    return (struct live_object){
        .type = schema_component(world.batch->schema, part->group->components[member].id),
        .bytes = cosm_sector_at(sector, sectors->layout->members[member].offset),
        .is_there = place < sectors->place_end && (sector->live >> member & 1) != 0,
    };
}

static void call_container_hooks(const struct live_part *live, bool begin) {
    if (begin) {
        hook_begin(live->at);
    } else {
        hook_end(live->at);
    }
}

// Chunks for all places, and pages of the map for all ids. The pages stay, also empty ones, until
// the container is done.
static bool make_room(struct sectors *sectors, const struct part *part) {
    uint32_t place_end = part->sector.place_end;
    sectors->keeps_pages = true;
    bool done = cosmi_sectors_make_room(sectors, place_end);
    for (uint32_t place = 0; done && place < place_end; place++) {
        uint32_t id = sector_record(part, place)->entity.id;
        done = id == SECTOR_NOBODY.id || cosmi_sectors_map_reserve(sectors, id);
    }
    return done;
}

static cosm_result reserve_container(struct restore *restore, const struct part *part,
                                     struct restore_plan *plan) {
    struct cosm_batch *batch = restore->world.batch;
    const struct value_type *first = schema_component(batch->schema, part->group->components[0].id);
    cosm_result result = cosmi_sector_need(restore->world, restore->call, first);
    if (result != COSM_OK) {
        return result;
    }
    struct sectors *sectors = sector_container(batch, restore->world.index, part->key);
    plan->at = sectors;
    plan->chunk_count = sectors->chunk_count;
    return make_room(sectors, part) ? COSM_OK
                                    : cosmi_fail_memory(batch->sink, &batch->memory, restore->call);
}

static void pages_as_needed(struct sectors *sectors) {
    sectors->keeps_pages = false;
    cosmi_sectors_map_drop_empty(sectors);
}

static void cancel_container(struct restore *restore, struct restore_plan *plan) {
    (void)restore;
    if (plan->at != NULL) {
        cosmi_sectors_drop_chunks(plan->at, plan->chunk_count);
        pages_as_needed(plan->at);
    }
}

static void prune_containers(struct restore *restore) {
    struct live_part live = {0, NULL};
    uint32_t walks = hooks_begin(restore->world);
    while (next_container(restore->world, &live)) {
        if (image_find(restore->image, PART_SECTOR, live.key) == NULL) {
            cosm_result result = cosmi_sectors_clear(live.at, restore->call);
            INVARIANT(result == COSM_OK, "a container that nobody walks is cleared without fail");
            (void)result;
        }
    }
    hooks_end(restore->world, walks);
}

// Takes ids out of the map that lead elsewhere from now on, or nowhere.
static void forget_old_ids(struct sectors *sectors, const struct part *part) {
    for (uint32_t i = 0; i < sectors->place_end; i++) {
        uint32_t id = sectors_at(sectors, i)->entity.id;
        bool stays = i < part->sector.place_end && sector_record(part, i)->entity.id == id;
        if (id != SECTOR_NOBODY.id && !stays) {
            cosmi_sectors_map_set(sectors, id, 0);
        }
    }
}

// All of a record but its objects.
static void put_record(const struct sector_group *group, const cosm_sector *kept,
                       cosm_sector *sector) {
    *sector = *kept;
    for (uint32_t m = 0; m < group->member_count; m++) {
        const struct sectors_member *member = &group->layout->members[m];
        if (!sector_member_is_object(group, m)) {
            memcpy(cosm_sector_at(sector, member->offset), cosm_sector_at(kept, member->offset),
                   member->size);
        }
    }
}

static void put_records(struct sectors *sectors, const struct part *part) {
    uint32_t chunk = part->group->layout->chunk_sectors;
    bool is_plain = part->sector.object_members == 0;
    for (uint32_t p = 0; p < part->blob_count && is_plain; p++) {
        memcpy(sectors_at(sectors, p * chunk), part->blobs[p]->bytes, part->blobs[p]->size);
    }
    for (uint32_t i = 0; i < part->sector.place_end && !is_plain; i++) {
        put_record(part->group, sector_record(part, i), sectors_at(sectors, i));
    }
}

// Holes and the map, by the records.
static void enter_records(struct sectors *sectors, uint32_t place_end) {
    cosmi_holes_clear_all(&sectors->holes);
    for (uint32_t i = 0; i < place_end; i++) {
        const cosm_sector *sector = sectors_at(sectors, i);
        if (sector->live == 0) {
            holes_set(&sectors->holes, i);
        }
        if (sector->entity.id != SECTOR_NOBODY.id) {
            cosmi_sectors_map_set(sectors, sector->entity.id, i + 1);
        }
    }
}

static void adopt_container(struct restore *restore, const struct part *part,
                            struct restore_plan *plan) {
    struct sectors *sectors = plan->at;
    uint32_t walks = hooks_begin(restore->world);
    hook_begin(sectors);
    cosmi_objects_end(restore->world, part, plan, sectors->place_end * part->sector.object_members);
    forget_old_ids(sectors, part);
    put_records(sectors, part);
    cosmi_exchange_finish(&plan->exchange);
    hook_end(sectors);
    hooks_end(restore->world, walks);
    enter_records(sectors, part->sector.place_end);
    sectors->place_end = part->sector.place_end;
    sectors->live_count = part->sector.live_count;
    sectors->is_packing = part->sector.is_packing != 0;
    pages_as_needed(sectors);
}

static bool is_zero(const void *bytes, size_t size) {
    const unsigned char *at = bytes;
    unsigned char any = 0;
    for (size_t i = 0; i < size; i++) {
        any |= at[i];
    }
    return any == 0;
}

// The members of a record: zero where they are dead or objects, and objects just where they live.
static const char *members_fault(const struct part *part, const cosm_sector *sector,
                                 uint32_t place) {
    const struct sector_group *group = part->group;
    uint32_t k = 0;
    for (uint32_t m = 0; m < group->member_count; m++) {
        const struct sectors_member *member = &group->layout->members[m];
        bool is_live = (sector->live >> m & 1) != 0;
        bool is_object = sector_member_is_object(group, m);
        if ((!is_live || is_object) &&
            !is_zero(cosm_sector_at(sector, member->offset), member->size)) {
            return "a sector has bytes of a member that it does not have";
        }
        if (!is_object) {
            continue;
        }
        const struct object *object =
            part->objects[(size_t)place * part->sector.object_members + k++];
        if (is_live != (object != NULL)) {
            return "a sector has a member without its object, or an object without its member";
        }
        if (object != NULL && object->type->id != group->components[m].id) {
            return "an object of a sector is of another component";
        }
    }
    return NULL;
}

static const char *record_fault(const struct part *ids, const struct part *part, uint32_t place) {
    const cosm_sector *sector = sector_record(part, place);
    cosm_entity entity = sector->entity;
    if ((sector->live & ~part->group->layout->all) != 0) {
        return "a sector has members that do not exist";
    }
    if (entity.id >= ids->ids.known && entity.id != SECTOR_NOBODY.id) {
        return "a sector has an id that was never used";
    }
    if (sector->live != 0 && (entity.id >= ids->ids.used || (entity.gen & 1) == 0 ||
                              ids_record(ids, entity.id)->gen != entity.gen)) {
        return "a sector has an entity that is not alive";
    }
    return members_fault(part, sector, place);
}

// Does an id lead to two records?
static const char *twice_fault(struct memory *memory, uint32_t known, const struct part *part) {
    uint64_t *seen = marks_create(memory, known);
    if (seen == NULL) {
        return cosmi_fault_memory;
    }
    bool is_once = true;
    for (uint32_t i = 0; i < part->sector.place_end && is_once; i++) {
        uint32_t id = sector_record(part, i)->entity.id;
        is_once = id == SECTOR_NOBODY.id || mark_once(seen, id);
    }
    marks_free(memory, seen, known);
    return is_once ? NULL : "an id has two sectors of one group";
}

static const char *container_fault(const struct schema *schema, const struct world_image *image,
                                   const struct part *part) {
    const struct part *ids = image_ids(image);
    uint32_t place_end = part->sector.place_end;
    if (place_end == 0 || place_end > SECTORS_PLACE_MAX) {
        return "a sector container has no slots, or too many";
    }
    uint32_t live = 0;
    for (uint32_t i = 0; i < place_end; i++) {
        const char *fault = record_fault(ids, part, i);
        if (fault != NULL) {
            return fault;
        }
        live += sector_record(part, i)->live != 0;
    }
    if (live != part->sector.live_count) {
        return "the count of sectors is wrong";
    }
    return twice_fault(schema->memory, ids->ids.known, part);
}

const struct part_kind cosmi_kind_sector = {
    .next = next_container,
    .shape = shape_container,
    .fill = fill_records,
    .is_compared = true,
    .object = find_member,
    .hooks = call_container_hooks,
    .reserve = reserve_container,
    .cancel = cancel_container,
    .prune = prune_containers,
    .adopt = adopt_container,
    .is_exchanged = true,
    .fault = container_fault,
};
