// Objects of managed components: the walk of their invariants.
#include "base/hash.h"
#include "store/managed.h"
#include "store/shared.h"

// What is being looked at.
struct managed_check {
    const struct cosm_batch *batch;
    const char *call;
    uint32_t world;
    const struct value_type *type;
};

static cosm_result object_broken(const struct managed_check *check, const char *what,
                                 uint64_t value, uint64_t expected) {
    return cosmi_fail(
        check->batch->sink, COSM_ERROR_CORRUPT,
        "%s: world %u, objects of component '%s': %s: %llu, expected %llu; this is a defect of the "
        "library, or a ticket was written by hand: please report it",
        check->call, check->world, check->type->name, what, (unsigned long long)value,
        (unsigned long long)expected);
}

// Objects as they are counted from two sides: how many, and which.
struct object_sum {
    uint64_t count;
    uint64_t hash;
};

static void add_ticket(struct object_sum *sum, uint32_t ticket) {
    sum->count++;
    sum->hash += hash_mix(ticket);
}

// The tickets of one column, and whether each is that of an object which its row owns.
static cosm_result check_cells(const struct managed_check *check, const struct store *store,
                               uint32_t column, struct object_sum *sum) {
    const struct managed_list *list = managed_find(check->batch, check->world, check->type);
    uint32_t count = store->counts[check->world];
    const cosm_entity *entities =
        count == 0 || store->archetype->temporary ? NULL : store_entities(store, check->world, 0);
    for (uint32_t row = 0; row < count; row++) {
        uint32_t ticket = ticket_cell(store, check->world, column, row)->id;
        if (ticket == 0) {
            continue;
        }
        if (managed_object(list, ticket) == NULL) {
            return object_broken(check, "a row has the ticket of no object", ticket, 0);
        }
        void *object;
        const struct managed_slot *slot = slot_of_ticket(list, ticket, &object);
        cosm_entity entity = entities == NULL ? OWNER_TEMPORARY : entities[row];
        if (slot->id != entity.id || slot->gen != entity.gen) {
            return object_broken(check, "the owner of an object", slot->id, entity.id);
        }
        add_ticket(sum, ticket);
    }
    return COSM_OK;
}

static cosm_result check_free_slots(const struct managed_check *check,
                                    const struct managed_list *list) {
    uint32_t length = 0;
    void *object;
    for (uint32_t ticket = list->free_head; ticket != 0; length++) {
        if (ticket > list->used || length >= list->used ||
            slot_of_ticket(list, ticket, &object)->gen != SLOT_FREE) {
            return object_broken(check, "a slot of the free list is not free", ticket, list->used);
        }
        ticket = slot_of_ticket(list, ticket, &object)->id;
    }
    return length + list->count == list->used
               ? COSM_OK
               : object_broken(check, "slots free and taken", length + list->count, list->used);
}

// The list on its own, and whether its objects are those that rows own.
static cosm_result check_list(const struct managed_check *check, const struct managed_list *list,
                              const struct object_sum *owned) {
    struct object_sum sum = {0, 0};
    void *object;
    if (list->used > list->capacity || list->ready_first != 0 || list->planned != 0) {
        return object_broken(check, "slots past the capacity, or objects on their way", list->used,
                             list->capacity);
    }
    for (uint32_t ticket = 1; ticket <= list->used; ticket++) {
        if (slot_of_ticket(list, ticket, &object)->gen != SLOT_FREE) {
            add_ticket(&sum, ticket);
        }
    }
    if (sum.count != list->count) {
        return object_broken(check, "objects", sum.count, list->count);
    }
    if (sum.count != owned->count) {
        return object_broken(check, "objects that a row owns", owned->count, sum.count);
    }
    if (sum.hash != owned->hash) {
        return object_broken(check, "objects that two rows own, or none: a sum of tickets",
                             owned->hash, sum.hash);
    }
    return check_free_slots(check, list);
}

static cosm_result check_managed_type(const struct managed_check *check) {
    struct object_sum owned = {0, 0};
    cosm_result result = COSM_OK;
    const struct store *store = world_first_store(check->batch, check->world);
    for (; store != NULL && result == COSM_OK;
         store = world_next_store(check->batch, check->world, store)) {
        const struct column_slot *slot = archetype_find(store->archetype, check->type->id);
        if (slot != NULL) {
            result = check_cells(check, store, slot->column, &owned);
        }
    }
    const struct managed_list *list = managed_find(check->batch, check->world, check->type);
    return result != COSM_OK || list == NULL ? result : check_list(check, list, &owned);
}

cosm_result cosmi_managed_validate(const struct cosm_batch *batch, const char *call,
                                   uint32_t world) {
    struct managed_check check = {batch, call, world, NULL};
    cosm_result result = COSM_OK;
    uint32_t left = schema_managed_count(batch->schema);
    for (uint32_t id = 1; left > 0 && result == COSM_OK; id++) {
        check.type = schema_component(batch->schema, id);
        if (check.type == NULL) {
            break; // counted, and not published yet
        }
        if (check.type->storage == COSM_STORAGE_MANAGED) {
            left--;
            result = check_managed_type(&check);
        }
    }
    return result;
}
