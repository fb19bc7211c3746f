// The objects of a managed component as a part: the slots of its list as they are, and a copy of
// every object.
//
// Cells of rows hold tickets, and come back with their columns. So a list comes back slot by slot,
// free ones in their order too: the next tickets are then the same as they were.
#include "state/kind.h"
#include "store/change.h"

static const struct managed *live_managed(cosm_world world) {
    const struct beside *beside = world.batch->besides[world.index];
    return beside == NULL ? NULL : beside->managed;
}

static bool next_list(cosm_world world, struct live_part *io_live) {
    const struct managed *managed = live_managed(world);
    uint32_t number = io_live->at == NULL ? 0 : io_live->key + 1;
    for (; managed != NULL && number < managed->list_capacity; number++) {
        struct managed_list *list = managed->lists[number];
        if (list != NULL && list->used > 0) {
            *io_live = (struct live_part){number, list};
            return true;
        }
    }
    return false;
}

static void shape_list(cosm_world world, const struct live_part *live, struct part *head) {
    const struct managed_list *list = live->at;
    (void)world;
    head->type = list->type;
    head->managed = (struct managed_words){list->used, list->count, list->free_head};
}

static void fill_slots(const struct capture *capture, const struct live_part *live,
                       const struct part *part, uint32_t i, void *out) {
    struct managed_slot *slots = out;
    void *object;
    (void)capture;
    (void)i;
    for (uint32_t ticket = 1; ticket <= part->managed.used; ticket++) {
        slots[ticket - 1] = *slot_of_ticket(live->at, ticket, &object);
    }
}

static struct live_object find_ticket(cosm_world world, const struct live_part *live,
                                      const struct part *part, uint32_t i) {
    const struct managed_list *list = live->at;
    struct live_object found = {.type = part->type};
    (void)world;
    const struct managed_slot *slot = slot_of_ticket(list, i + 1, &found.bytes);
    found.is_there = i < list->used && slot->gen != SLOT_FREE;
    return found;
}

static cosm_result reserve_list(struct restore *restore, const struct part *part,
                                struct restore_plan *plan) {
    plan->at = cosmi_managed_fit(restore->world, restore->call, part->type, part->managed.used);
    return plan->at == NULL ? COSM_ERROR_MEMORY : COSM_OK;
}

static void prune_lists(struct restore *restore) {
    struct live_part live = {0, NULL};
    uint32_t walks = hooks_begin(restore->world);
    while (next_list(restore->world, &live)) {
        if (image_find(restore->image, PART_MANAGED, live.key) == NULL) {
            cosmi_managed_end_list(live.at);
        }
    }
    hooks_end(restore->world, walks);
}

static void stamp_tickets(const struct restore *restore, const struct store *store,
                          const struct value_type *type, uint32_t row, uint32_t count) {
    const struct column_slot *slot = archetype_find(store->archetype, type->id);
    if (slot != NULL && count > 0 && store->ticks != NULL) {
        change_stamp(store, restore->world.index, slot->column, row, count,
                     world_clock(restore->world));
    }
}

// Readers of changes are shown the rows that get other objects: their tickets may be as before.
static void stamp_owners(const struct restore *restore, const struct part *part,
                         const struct restore_plan *plan) {
    const struct cosm_batch *batch = restore->world.batch;
    const struct world *world = world_data(restore->world);
    const struct managed_slot *slots = part->blobs[0]->bytes;
    bool of_temporary = false;
    for (uint32_t i = 0; i < part->managed.used && plan->exchange.copy_count > 0; i++) {
        if (part->objects[i] == NULL || exchange_stays(&plan->exchange, i)) {
            continue;
        }
        if (slots[i].id == OWNER_TEMPORARY.id) {
            of_temporary = true;
            continue;
        }
        const struct record *record = &world->records[slots[i].id];
        stamp_tickets(restore, world_store(batch, restore->world.index, record->table), part->type,
                      record->row, 1);
    }
    const struct store *store = of_temporary ? batch_first_store(batch) : NULL;
    for (; store != NULL; store = store_next(store)) {
        if (store->archetype->temporary) {
            stamp_tickets(restore, store, part->type, 0, store->counts[restore->world.index]);
        }
    }
}

static void adopt_list(struct restore *restore, const struct part *part,
                       struct restore_plan *plan) {
    struct managed_list *list = plan->at;
    const struct managed_slot *slots = part->blobs[0]->bytes;
    void *object;
    uint32_t walks = hooks_begin(restore->world);
    stamp_owners(restore, part, plan);
    cosmi_objects_end(restore->world, part, plan, list->used);
    cosmi_exchange_finish(&plan->exchange);
    hooks_end(restore->world, walks);
    for (uint32_t ticket = 1; ticket <= part->managed.used; ticket++) {
        *slot_of_ticket(list, ticket, &object) = slots[ticket - 1];
    }
    list->used = part->managed.used;
    list->count = part->managed.count;
    list->free_head = part->managed.free_head;
}

// The free list: each free slot once.
static const char *free_slots_fault(const struct part *managed) {
    const struct managed_slot *slots = managed->blobs[0]->bytes;
    uint32_t length = 0;
    uint32_t ticket = managed->managed.free_head;
    for (; ticket != 0 && length < managed->managed.used; length++) {
        if (ticket > managed->managed.used || slots[ticket - 1].gen != SLOT_FREE) {
            return "a slot of the free list of objects is not free";
        }
        ticket = slots[ticket - 1].id;
    }
    // One that comes back to itself is longer than the slots that are left.
    return ticket == 0 && length == managed->managed.used - managed->managed.count
               ? NULL
               : "the free list of objects has the wrong length";
}

static const char *slots_fault(const struct part *managed) {
    const struct managed_slot *slots = managed->blobs[0]->bytes;
    uint32_t taken = 0;
    for (uint32_t i = 0; i < managed->managed.used; i++) {
        bool is_taken = slots[i].gen != SLOT_FREE;
        taken += is_taken;
        if (slots[i].gen == SLOT_READY) {
            return "an object is not in a row yet";
        }
        if (is_taken != (managed->objects[i] != NULL)) {
            return "a slot is taken and has no object, or free and has one";
        }
        if (is_taken && managed->objects[i]->type != managed->type) {
            return "an object is of another component";
        }
    }
    return taken == managed->managed.count ? free_slots_fault(managed)
                                           : "the count of objects is wrong";
}

// The tickets of one chunk of a table: of objects that these rows own. Rows of entities cannot have
// one object twice; temporary rows are all alike, so tickets are marked.
static const char *tickets_fault(const struct part *managed, const struct part *table,
                                 uint32_t chunk, uint32_t column, uint64_t *seen) {
    const cosm_ticket *tickets = cosmi_table_column(table, chunk, column);
    const cosm_entity *entities =
        table->archetype->temporary ? NULL : cosmi_table_column(table, chunk, ENTITY_COLUMN);
    const struct managed_slot *slots = managed == NULL ? NULL : managed->blobs[0]->bytes;
    for (uint32_t i = 0; i < table_chunk_rows(table, chunk); i++) {
        uint32_t ticket = tickets[i].id;
        if (ticket == 0) {
            continue;
        }
        if (slots == NULL || ticket > managed->managed.used) {
            return "a row has the ticket of no object";
        }
        cosm_entity entity = entities == NULL ? OWNER_TEMPORARY : entities[i];
        if (slots[ticket - 1].gen != entity.gen || slots[ticket - 1].id != entity.id) {
            return "a row has the ticket of an object that is not its own";
        }
        if (!mark_once(seen, ticket)) {
            return "an object belongs to two rows";
        }
    }
    return NULL;
}

// All tickets of a component.
static const char *rows_fault(const struct world_image *image, const struct value_type *type,
                              const struct part *managed, uint64_t *seen) {
    const char *fault = NULL;
    for (uint32_t t = 0; t < image_count(image, PART_TABLE) && fault == NULL; t++) {
        const struct part *table = image_part(image, PART_TABLE, t);
        const struct column_slot *slot = archetype_find(table->archetype, type->id);
        uint32_t chunks = slot == NULL ? 0 : table_chunks(table);
        for (uint32_t chunk = 0; chunk < chunks && fault == NULL; chunk++) {
            fault = tickets_fault(managed, table, chunk, slot->column, seen);
        }
    }
    const struct managed_slot *slots = managed == NULL ? NULL : managed->blobs[0]->bytes;
    for (uint32_t i = 0; slots != NULL && i < managed->managed.used && fault == NULL; i++) {
        fault = slots[i].gen != SLOT_FREE && mark_once(seen, i + 1) ? "an object belongs to no row"
                                                                    : NULL;
    }
    return fault;
}

const char *cosmi_tickets_fault(const struct schema *schema, const struct world_image *image) {
    const char *fault = NULL;
    for (uint32_t id = 1; id < paged_count(&schema->components) && fault == NULL; id++) {
        const struct value_type *type = schema_component(schema, id);
        if (type->storage != COSM_STORAGE_MANAGED) {
            continue;
        }
        const struct part *managed = image_find(image, PART_MANAGED, type->managed_number);
        uint32_t used = managed == NULL ? 0 : managed->managed.used;
        uint64_t *seen = marks_create(schema->memory, used + 1);
        fault = seen == NULL ? cosmi_fault_memory : rows_fault(image, type, managed, seen);
        marks_free(schema->memory, seen, used + 1);
    }
    return fault;
}

static const char *list_fault(const struct schema *schema, const struct world_image *image,
                              const struct part *part) {
    (void)schema;
    (void)image;
    return part->type->storage != COSM_STORAGE_MANAGED || part->key != part->type->managed_number ||
                   part->managed.count == 0 || part->managed.count > part->managed.used
               ? "a list of objects holds none, or is of a component that is not managed"
               : slots_fault(part);
}

const struct part_kind cosmi_kind_managed = {
    .next = next_list,
    .shape = shape_list,
    .fill = fill_slots,
    .is_compared = true,
    .object = find_ticket,
    .reserve = reserve_list,
    .prune = prune_lists,
    .adopt = adopt_list,
    .is_exchanged = true,
    .fault = list_fault,
};
