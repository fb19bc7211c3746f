// Sector components of images come back into containers: records to their places, ids into the map,
// objects by exchange.
//
// A container stays where it is, and so do its chunks: only what differs of their bytes is new.
#include "state/exchange.h"
#include "state/restore.h"
#include "store/managed.h"

// One container on its way to what its image says. Exchanges: one for each member that is objects.
struct sector_swap {
    const struct sector_image *image;
    struct sectors *sectors; // NULL: not looked at yet
    uint32_t chunk_count;    // that it had before
    struct exchange *exchanges;
};

struct sector_swaps {
    size_t size; // of this block
    uint32_t count;
    struct sector_swap items[];
};

// The k-th member that is objects.
static uint32_t object_member(const struct sector_group *group, uint32_t k) {
    uint32_t member = 0;
    for (;; member++) {
        if (sector_member_is_object(group, member) && k-- == 0) {
            return member;
        }
    }
}

static struct sector_swaps *make_sector_swaps(const struct restore *restore) {
    const struct world_image *image = restore->image;
    size_t exchanges = 0;
    for (uint32_t i = 0; i < image->sector_count; i++) {
        exchanges += image->sectors[i]->object_members;
    }
    size_t head = sizeof(struct sector_swaps) + image->sector_count * sizeof(struct sector_swap);
    size_t size = head + exchanges * sizeof(struct exchange);
    struct sector_swaps *swaps = cosmi_memory_take_zeroed(&restore->world.batch->memory, size,
                                                          _Alignof(struct sector_swaps));
    if (swaps == NULL) {
        (void)cosmi_fail_memory(restore->world.batch->sink, &restore->world.batch->memory,
                                restore->call);
        return NULL;
    }
    struct exchange *next = (struct exchange *)(void *)((char *)swaps + head);
    swaps->size = size;
    swaps->count = image->sector_count;
    for (uint32_t i = 0; i < swaps->count; i++) {
        swaps->items[i].image = image->sectors[i];
        swaps->items[i].exchanges = next;
        next += image->sectors[i]->object_members;
    }
    return swaps;
}

static void sector_swaps_free(struct restore *restore) {
    struct sector_swaps *swaps = restore->sectors;
    restore->sectors = NULL;
    if (swaps != NULL) {
        cosmi_memory_give(&restore->world.batch->memory, swaps, swaps->size,
                          _Alignof(struct sector_swaps));
    }
}

// Chunks for all places, and pages of the map for all ids. The pages stay, also empty ones, until
// the container is done.
static bool make_sector_room(struct sector_swap *swap) {
    struct sectors *sectors = swap->sectors;
    swap->chunk_count = sectors->chunk_count;
    sectors->keeps_pages = true;
    bool done = cosmi_sectors_make_room(sectors, swap->image->place_end);
    for (uint32_t place = 0; done && place < swap->image->place_end; place++) {
        uint32_t id = sector_image_at(swap->image, place)->entity.id;
        done = id == SECTOR_NOBODY.id || cosmi_sectors_map_reserve(sectors, id);
    }
    return done;
}

// The bytes of a member at a place, and whether an object is there now.
static void *member_place(const struct sectors *sectors, uint32_t place, uint32_t member,
                          bool *out_taken) {
    cosm_sector *sector = sectors_at(sectors, place);
    *out_taken = place < sectors->place_end && (sector->live >> member & 1) != 0;
    return cosm_sector_at(sector, sectors->layout->members[member].offset);
}

// Copies of the objects of one member.
static cosm_result prepare_member(const struct restore *restore, struct sector_swap *swap,
                                  uint32_t k) {
    struct cosm_batch *batch = restore->world.batch;
    const struct sector_image *image = swap->image;
    struct exchange *exchange = &swap->exchanges[k];
    uint32_t member = object_member(image->group, k);
    const struct value_type *type =
        schema_component(batch->schema, image->group->components[member].id);
    struct object *const *objects = image->objects + k;
    bool done = cosmi_exchange_begin(exchange, &batch->memory, type, image->place_end);
    bool is_taken;
    for (uint32_t i = 0; done && i < image->place_end; i++) {
        void *place = member_place(swap->sectors, i, member, &is_taken);
        cosmi_exchange_look(exchange, i, objects[(size_t)i * image->object_members],
                            is_taken ? place : NULL);
    }
    if (!done || !cosmi_exchange_room(exchange)) {
        return cosmi_fail_memory(batch->sink, &batch->memory, restore->call);
    }
    cosm_result result = COSM_OK;
    for (uint32_t i = 0; i < image->place_end && result == COSM_OK; i++) {
        void *place = member_place(swap->sectors, i, member, &is_taken);
        result = cosmi_exchange_make(exchange, batch->sink, restore->call, i,
                                     objects[(size_t)i * image->object_members], place, is_taken);
    }
    return result;
}

static cosm_result prepare_container(const struct restore *restore, struct sector_swap *swap) {
    struct cosm_batch *batch = restore->world.batch;
    const struct sector_group *group = swap->image->group;
    const struct value_type *first = schema_component(batch->schema, group->components[0].id);
    cosm_result result = cosmi_sector_need(restore->world, restore->call, first);
    if (result != COSM_OK) {
        return result;
    }
    swap->sectors = sector_container(batch, restore->world.index, group->id);
    if (!make_sector_room(swap)) {
        return cosmi_fail_memory(batch->sink, &batch->memory, restore->call);
    }
    hook_begin(swap->sectors);
    for (uint32_t k = 0; k < swap->image->object_members && result == COSM_OK; k++) {
        result = prepare_member(restore, swap, k);
    }
    hook_end(swap->sectors);
    return result;
}

cosm_result cosmi_prepare_sectors(struct restore *restore) {
    cosm_result result = cosmi_check_sector_walks(restore->world, restore->call);
    if (result != COSM_OK || restore->image->sector_count == 0) {
        return result;
    }
    struct sector_swaps *swaps = make_sector_swaps(restore);
    if (swaps == NULL) {
        return COSM_ERROR_MEMORY;
    }
    restore->sectors = swaps;
    uint32_t hooks = hooks_begin(restore->world);
    for (uint32_t i = 0; i < swaps->count && result == COSM_OK; i++) {
        result = prepare_container(restore, &swaps->items[i]);
    }
    hooks_end(restore->world, hooks);
    if (result != COSM_OK) {
        cosmi_cancel_sectors(restore);
    }
    return result;
}

static void pages_as_needed(struct sectors *sectors) {
    sectors->keeps_pages = false;
    cosmi_sectors_map_drop_empty(sectors);
}

void cosmi_cancel_sectors(struct restore *restore) {
    struct sector_swaps *swaps = restore->sectors;
    uint32_t hooks = hooks_begin(restore->world);
    for (uint32_t i = 0; swaps != NULL && i < swaps->count; i++) {
        struct sector_swap *swap = &swaps->items[i];
        if (swap->sectors == NULL) {
            continue;
        }
        hook_begin(swap->sectors);
        for (uint32_t k = 0; k < swap->image->object_members; k++) {
            cosmi_exchange_cancel(&swap->exchanges[k]);
        }
        hook_end(swap->sectors);
        cosmi_sectors_drop_chunks(swap->sectors, swap->chunk_count);
        pages_as_needed(swap->sectors);
    }
    hooks_end(restore->world, hooks);
    sector_swaps_free(restore);
}

// Ends the objects that do not stay.
static void end_old_objects(struct sector_swap *swap) {
    struct sectors *sectors = swap->sectors;
    for (uint32_t k = 0; k < swap->image->object_members; k++) {
        uint32_t member = object_member(swap->image->group, k);
        for (uint32_t i = 0; i < sectors->place_end; i++) {
            bool is_taken;
            void *object = member_place(sectors, i, member, &is_taken);
            if (is_taken) {
                exchange_end(&swap->exchanges[k], i, object);
            }
        }
    }
}

// Takes ids out of the map that lead elsewhere from now on, or nowhere.
static void forget_old_ids(const struct sector_swap *swap) {
    struct sectors *sectors = swap->sectors;
    for (uint32_t i = 0; i < sectors->place_end; i++) {
        uint32_t id = sectors_at(sectors, i)->entity.id;
        bool stays = i < swap->image->place_end && sector_image_at(swap->image, i)->entity.id == id;
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

static void put_records(const struct sector_swap *swap) {
    const struct sector_image *image = swap->image;
    uint32_t chunk = image->group->layout->chunk_sectors;
    for (uint32_t p = 0; p < image->piece_count && image->object_members == 0; p++) {
        memcpy(sectors_at(swap->sectors, p * chunk), image->pieces[p]->bytes,
               image->pieces[p]->size);
    }
    for (uint32_t i = 0; i < image->place_end && image->object_members > 0; i++) {
        put_record(image->group, sector_image_at(image, i), sectors_at(swap->sectors, i));
    }
}

static void restore_container(struct sector_swap *swap) {
    struct sectors *sectors = swap->sectors;
    const struct sector_image *image = swap->image;
    hook_begin(sectors);
    end_old_objects(swap);
    forget_old_ids(swap);
    put_records(swap);
    for (uint32_t k = 0; k < image->object_members; k++) {
        cosmi_exchange_finish(&swap->exchanges[k]);
    }
    hook_end(sectors);
    cosmi_holes_clear_all(&sectors->holes);
    for (uint32_t i = 0; i < image->place_end; i++) {
        const cosm_sector *sector = sectors_at(sectors, i);
        if (sector->live == 0) {
            holes_set(&sectors->holes, i);
        }
        if (sector->entity.id != SECTOR_NOBODY.id) {
            cosmi_sectors_map_set(sectors, sector->entity.id, i + 1);
        }
    }
    sectors->place_end = image->place_end;
    sectors->live_count = image->live_count;
    sectors->is_packing = image->is_packing;
    pages_as_needed(sectors);
}

void cosmi_restore_sectors(struct restore *restore) {
    const struct cosm_batch *batch = restore->world.batch;
    struct sector_swaps *swaps = restore->sectors;
    uint32_t at = 0;
    uint32_t hooks = hooks_begin(restore->world);
    for (uint32_t id = 1; id < paged_count(&batch->schema->sector_groups); id++) {
        struct sectors *sectors = sector_container(batch, restore->world.index, id);
        // Both are in the order of their groups.
        if (swaps != NULL && at < swaps->count && swaps->items[at].sectors == sectors) {
            restore_container(&swaps->items[at]);
            at++;
        } else if (sectors != NULL) {
            cosm_result result = cosmi_sectors_clear(sectors, restore->call);
            INVARIANT(result == COSM_OK, "a container that nobody walks is cleared without fail");
            (void)result;
        }
    }
    hooks_end(restore->world, hooks);
    INVARIANT(swaps == NULL || at == swaps->count, "every container of the image was restored");
    sector_swaps_free(restore);
}
