// What the future of a world depends on beyond what it holds: the order of groups and values that
// are shared, the tickets of objects, the places of sectors. Two worlds that hold the same may
// differ in these, and then walks, and what comes of them, may too.
#include "state/hash.h"
#include "state/shared_order.h"

// The words of shared_order.h, of a world or of an image. 0 where there are no groups.
static uint64_t hash_groups(const struct hash_view *view) {
    if (view->image != NULL) {
        const struct part *groups = image_only(view->image, PART_GROUPS);
        const struct blob *order = groups == NULL ? NULL : groups->blobs[0];
        const uint32_t *words = order == NULL ? NULL : order->bytes;
        uint64_t hash = 0;
        for (size_t i = 0; order != NULL && i < order->size / sizeof(*words); i++) {
            hash = hash_u64(hash, words[i]);
        }
        return hash;
    }
    const struct shared *shared = world_shared(view->batch, view->world);
    return shared == NULL || shared->group_count == 0
               ? 0
               : cosmi_shared_order_hash(view->schema, shared);
}

static uint64_t hash_slot(uint64_t hash, const struct managed_slot *slot) {
    return hash_u64(hash, (uint64_t)slot->gen << 32 | slot->id);
}

static uint64_t hash_tickets_of_image(const struct part *managed) {
    const struct managed_slot *slots = managed->blobs[0]->bytes;
    uint64_t hash = hash_u64(managed->type->hash, managed->managed.free_head);
    for (uint32_t i = 0; i < managed->managed.used; i++) {
        hash = hash_slot(hash, &slots[i]);
    }
    return hash;
}

static uint64_t hash_tickets_of_list(const struct managed_list *list) {
    uint64_t hash = hash_u64(list->type->hash, list->free_head);
    for (uint32_t ticket = 1; ticket <= list->used; ticket++) {
        void *object;
        hash = hash_slot(hash, slot_of_ticket(list, ticket, &object));
    }
    return hash;
}

static uint64_t hash_all_tickets(const struct hash_view *view) {
    uint64_t sum = 0;
    if (view->image != NULL) {
        for (uint32_t i = 0; i < image_count(view->image, PART_MANAGED); i++) {
            sum += hash_tickets_of_image(image_part(view->image, PART_MANAGED, i));
        }
        return sum;
    }
    const struct beside *beside = view->batch->besides[view->world];
    const struct managed *managed = beside == NULL ? NULL : beside->managed;
    for (uint32_t i = 0; managed != NULL && i < managed->list_capacity; i++) {
        const struct managed_list *list = managed->lists[i];
        sum += list == NULL || list->used == 0 ? 0 : hash_tickets_of_list(list);
    }
    return sum;
}

// Records that live and dead ones: an id that gets a member again may find its old place.
static uint64_t hash_places(const struct hash_view *view) {
    struct sector_view sectors;
    uint64_t sum = 0;
    for (uint32_t at = 0; cosmi_view_sectors(view, &at, &sectors);) {
        uint64_t hash = 0;
        for (uint32_t m = 0; m < sectors.group->member_count; m++) {
            hash += hash_mix(schema_component(view->schema, sectors.group->components[m].id)->hash);
        }
        for (uint32_t place = 0; place < sectors.place_end; place++) {
            const cosm_sector *sector = cosmi_view_sector(&sectors, place);
            hash = hash_u64(hash, entity_key(sector->entity) ^ (uint64_t)(sector->live != 0) << 63);
        }
        sum += sectors.place_end == 0 ? 0 : hash;
    }
    return sum;
}

uint64_t cosmi_hash_numbers(const struct hash_view *view) {
    uint64_t groups = hash_groups(view);
    uint64_t tickets = hash_all_tickets(view);
    uint64_t places = hash_places(view);
    return (groups | tickets | places) == 0 ? 0 : hash_u64(hash_u64(groups, tickets), places);
}
