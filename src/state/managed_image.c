// Managed components in images: the slots of each list as they are, and a copy of every object.
//
// Cells of rows hold tickets, and come back with their columns. So a list comes back slot by slot,
// free ones in their order too: the next tickets are then the same as they were.
#include "state/capture.h"
#include "state/exchange.h"
#include "state/restore.h"
#include "store/change.h"

// Tickets of temporary rows that the check of an image looks at in one go: 32 KiB of bits.
#define WINDOW_TICKETS (1u << 18)

static const struct managed *captured_managed(const struct cosm_batch *batch, uint32_t world) {
    const struct beside *beside = batch->besides[world];
    return beside == NULL ? NULL : beside->managed;
}

// The list with that number, if it holds something.
static struct managed_list *used_list(const struct managed *managed, uint32_t number) {
    struct managed_list *list = managed->lists[number];
    return list != NULL && list->used > 0 ? list : NULL;
}

uint32_t cosmi_count_managed(const struct cosm_batch *batch, uint32_t world) {
    const struct managed *managed = captured_managed(batch, world);
    uint32_t count = 0;
    for (uint32_t i = 0; managed != NULL && i < managed->list_capacity; i++) {
        count += used_list(managed, i) != NULL;
    }
    return count;
}

static struct managed_image *find_managed(const struct world_image *image,
                                          const struct value_type *type) {
    for (uint32_t i = 0; image != NULL && i < image->managed_count; i++) {
        if (image->managed[i]->type == type) {
            return image->managed[i];
        }
    }
    return NULL;
}

// The slots of a list: those of the base where they are the same. NULL when out of memory.
static struct piece *capture_slots(const struct capture *capture, const struct managed_list *list,
                                   const struct managed_image *base) {
    struct piece *slots =
        cosmi_piece_create(capture->memory, list->used * sizeof(struct managed_slot));
    if (slots == NULL) {
        return NULL;
    }
    struct managed_slot *fill = piece_fill(slots);
    void *object;
    for (uint32_t ticket = 1; ticket <= list->used; ticket++) {
        fill[ticket - 1] = *slot_of_ticket(list, ticket, &object);
    }
    if (base != NULL && base->used == list->used &&
        memcmp(base->slots->bytes, fill, slots->size) == 0) {
        cosmi_piece_give(capture->memory, slots);
        return piece_keep(base->slots);
    }
    return slots;
}

static cosm_result capture_list_objects(const struct capture *capture,
                                        const struct managed_list *list,
                                        const struct managed_image *base,
                                        struct managed_image *managed) {
    cosm_result result = COSM_OK;
    uint32_t walks = hooks_begin(capture->world);
    for (uint32_t ticket = 1; ticket <= list->used && result == COSM_OK; ticket++) {
        void *object;
        if (slot_of_ticket(list, ticket, &object)->gen == SLOT_FREE) {
            continue;
        }
        struct object *kept =
            base != NULL && ticket <= base->used ? base->objects[ticket - 1] : NULL;
        managed->objects[ticket - 1] = cosmi_object_same(
            capture->memory, capture->world.batch->sink, capture->call, list->type, kept, object);
        result = managed->objects[ticket - 1] == NULL ? cosm_error_result() : COSM_OK;
    }
    hooks_end(capture->world, walks);
    return result;
}

// Is the one that was made just what the base has?
static bool is_same_managed(const struct managed_image *managed, const struct managed_image *base) {
    return base != NULL && managed->slots == base->slots && managed->free_head == base->free_head &&
           memcmp(managed->objects, base->objects, managed->used * sizeof(struct object *)) == 0;
}

// What was made so far is in the image when it fails.
static cosm_result capture_list(const struct capture *capture, const struct managed_list *list,
                                struct managed_image **out_managed) {
    struct managed_image *base = find_managed(capture->base, list->type);
    struct managed_image *managed =
        cosmi_managed_image_create(capture->memory, list->type, list->used);
    *out_managed = managed;
    if (managed != NULL) {
        managed->count = list->count;
        managed->free_head = list->free_head;
        managed->slots = capture_slots(capture, list, base);
    }
    if (managed == NULL || managed->slots == NULL) {
        return cosmi_fail_memory(capture->world.batch->sink, capture->memory, capture->call);
    }
    cosm_result result = capture_list_objects(capture, list, base, managed);
    if (result == COSM_OK && is_same_managed(managed, base)) {
        cosmi_managed_image_give(capture->memory, managed);
        atomic_fetch_add_explicit(&base->refs, 1, memory_order_relaxed);
        *out_managed = base;
    }
    return result;
}

cosm_result cosmi_capture_managed(const struct capture *capture, struct world_image *image) {
    const struct managed *managed = captured_managed(capture->world.batch, capture->world.index);
    cosm_result result = COSM_OK;
    uint32_t at = 0;
    for (uint32_t i = 0; managed != NULL && i < managed->list_capacity && result == COSM_OK; i++) {
        const struct managed_list *list = used_list(managed, i);
        if (list != NULL) {
            result = capture_list(capture, list, &image->managed[at++]);
        }
    }
    return result;
}

// One list on its way to what its image says.
struct managed_swap {
    struct managed_list *list;
    struct exchange exchange;
};

struct managed_swaps {
    uint32_t count;
    struct managed_swap items[];
};

static size_t managed_swaps_size(uint32_t count) {
    return sizeof(struct managed_swaps) + count * sizeof(struct managed_swap);
}

// The place of a ticket, and whether an object is there now.
static void *ticket_place(const struct managed_list *list, uint32_t ticket, bool *out_taken) {
    void *object;
    const struct managed_slot *slot = slot_of_ticket(list, ticket, &object);
    *out_taken = ticket <= list->used && slot->gen != SLOT_FREE;
    return object;
}

static cosm_result prepare_list(struct restore *restore, const struct managed_image *managed,
                                struct managed_swap *swap) {
    struct cosm_batch *batch = restore->world.batch;
    struct managed_list *list =
        cosmi_managed_fit(restore->world, restore->call, managed->type, managed->used);
    if (list == NULL) {
        return COSM_ERROR_MEMORY;
    }
    swap->list = list;
    if (!cosmi_exchange_begin(&swap->exchange, &batch->memory, managed->type, managed->used)) {
        return cosmi_fail_memory(batch->sink, &batch->memory, restore->call);
    }
    bool is_taken;
    for (uint32_t i = 0; i < managed->used; i++) {
        void *place = ticket_place(list, i + 1, &is_taken);
        cosmi_exchange_look(&swap->exchange, i, managed->objects[i], is_taken ? place : NULL);
    }
    if (!cosmi_exchange_room(&swap->exchange)) {
        return cosmi_fail_memory(batch->sink, &batch->memory, restore->call);
    }
    cosm_result result = COSM_OK;
    for (uint32_t i = 0; i < managed->used && result == COSM_OK; i++) {
        void *place = ticket_place(list, i + 1, &is_taken);
        result = cosmi_exchange_make(&swap->exchange, batch->sink, restore->call, i,
                                     managed->objects[i], place, is_taken);
    }
    return result;
}

cosm_result cosmi_prepare_managed(struct restore *restore) {
    struct cosm_batch *batch = restore->world.batch;
    uint32_t count = restore->image->managed_count;
    if (count == 0) {
        return COSM_OK;
    }
    struct managed_swaps *swaps = cosmi_memory_take_zeroed(
        &batch->memory, managed_swaps_size(count), _Alignof(struct managed_swaps));
    if (swaps == NULL) {
        return cosmi_fail_memory(batch->sink, &batch->memory, restore->call);
    }
    swaps->count = count;
    restore->managed = swaps;
    cosm_result result = COSM_OK;
    uint32_t walks = hooks_begin(restore->world);
    for (uint32_t i = 0; i < count && result == COSM_OK; i++) {
        result = prepare_list(restore, restore->image->managed[i], &swaps->items[i]);
    }
    hooks_end(restore->world, walks);
    if (result != COSM_OK) {
        cosmi_cancel_managed(restore);
    }
    return result;
}

static void managed_swaps_free(struct restore *restore) {
    struct managed_swaps *swaps = restore->managed;
    restore->managed = NULL;
    if (swaps != NULL) {
        cosmi_memory_give(&restore->world.batch->memory, swaps, managed_swaps_size(swaps->count),
                          _Alignof(struct managed_swaps));
    }
}

void cosmi_cancel_managed(struct restore *restore) {
    struct managed_swaps *swaps = restore->managed;
    uint32_t walks = hooks_begin(restore->world);
    for (uint32_t i = 0; swaps != NULL && i < swaps->count; i++) {
        cosmi_exchange_cancel(&swaps->items[i].exchange);
    }
    hooks_end(restore->world, walks);
    managed_swaps_free(restore);
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
static void stamp_owners(const struct restore *restore, const struct managed_swap *swap,
                         const struct managed_image *managed) {
    const struct cosm_batch *batch = restore->world.batch;
    const struct world *world = world_data(restore->world);
    const struct managed_slot *slots = managed->slots->bytes;
    bool of_temporary = false;
    for (uint32_t i = 0; i < managed->used && swap->exchange.arrival_count > 0; i++) {
        if (managed->objects[i] == NULL || exchange_stays(&swap->exchange, i)) {
            continue;
        }
        if (slots[i].id == OWNER_TEMPORARY.id) {
            of_temporary = true;
            continue;
        }
        const struct record *record = &world->records[slots[i].id];
        stamp_tickets(restore, world_store(batch, restore->world.index, record->table),
                      managed->type, record->row, 1);
    }
    const struct store *store = of_temporary ? batch_first_store(batch) : NULL;
    for (; store != NULL; store = store_next(store)) {
        if (store->archetype->temporary) {
            stamp_tickets(restore, store, managed->type, 0, store->counts[restore->world.index]);
        }
    }
}

static void restore_list(const struct restore *restore, struct managed_swap *swap,
                         const struct managed_image *managed) {
    struct managed_list *list = swap->list;
    void *object;
    stamp_owners(restore, swap, managed);
    for (uint32_t ticket = 1; ticket <= list->used; ticket++) {
        struct managed_slot *slot = slot_of_ticket(list, ticket, &object);
        if (slot->gen != SLOT_FREE) {
            exchange_end(&swap->exchange, ticket - 1, object);
        }
    }
    cosmi_exchange_finish(&swap->exchange);
    const struct managed_slot *slots = managed->slots->bytes;
    for (uint32_t ticket = 1; ticket <= managed->used; ticket++) {
        *slot_of_ticket(list, ticket, &object) = slots[ticket - 1];
    }
    list->used = managed->used;
    list->count = managed->count;
    list->free_head = managed->free_head;
}

// The objects that the world had end in the order of lists and tickets.
void cosmi_restore_managed(struct restore *restore) {
    const struct managed *managed = captured_managed(restore->world.batch, restore->world.index);
    struct managed_swaps *swaps = restore->managed;
    uint32_t at = 0;
    uint32_t walks = hooks_begin(restore->world);
    for (uint32_t i = 0; managed != NULL && i < managed->list_capacity; i++) {
        struct managed_list *list = managed->lists[i];
        // Both are in the order of their numbers.
        if (swaps != NULL && at < swaps->count && swaps->items[at].list == list) {
            restore_list(restore, &swaps->items[at], restore->image->managed[at]);
            at++;
        } else if (list != NULL) {
            cosmi_managed_end_list(list);
        }
    }
    hooks_end(restore->world, walks);
    INVARIANT(swaps == NULL || at == swaps->count, "every list of the image was restored");
    managed_swaps_free(restore);
}

// The free list: each free slot once.
static const char *free_slots_fault(const struct managed_image *managed) {
    const struct managed_slot *slots = managed->slots->bytes;
    uint32_t length = 0;
    uint32_t ticket = managed->free_head;
    for (; ticket != 0 && length < managed->used; length++) {
        if (ticket > managed->used || slots[ticket - 1].gen != SLOT_FREE) {
            return "a slot of the free list of objects is not free";
        }
        ticket = slots[ticket - 1].id;
    }
    // One that comes back to itself is longer than the slots that are left.
    return ticket == 0 && length == managed->used - managed->count
               ? NULL
               : "the free list of objects has the wrong length";
}

static const char *slots_fault(const struct managed_image *managed) {
    const struct managed_slot *slots = managed->slots->bytes;
    uint32_t taken = 0;
    for (uint32_t i = 0; i < managed->used; i++) {
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
    return taken == managed->count ? free_slots_fault(managed) : "the count of objects is wrong";
}

// The tickets of one chunk of a table: of objects that these rows own. `owned` goes up by how many.
static const char *tickets_fault(const struct managed_image *managed,
                                 const struct table_image *table, uint32_t chunk, uint32_t column,
                                 uint64_t *owned) {
    const cosm_ticket *tickets = cosmi_image_column(table, chunk, column);
    const cosm_entity *entities =
        table->archetype->temporary ? NULL : cosmi_image_column(table, chunk, ENTITY_COLUMN);
    const struct managed_slot *slots = managed == NULL ? NULL : managed->slots->bytes;
    for (uint32_t i = 0; i < image_chunk_rows(table, chunk); i++) {
        uint32_t ticket = tickets[i].id;
        if (ticket == 0) {
            continue;
        }
        if (slots == NULL || ticket > managed->used) {
            return "a row has the ticket of no object";
        }
        cosm_entity entity = entities == NULL ? OWNER_TEMPORARY : entities[i];
        if (slots[ticket - 1].gen != entity.gen || slots[ticket - 1].id != entity.id) {
            return "a row has the ticket of an object that is not its own";
        }
        ++*owned;
    }
    return NULL;
}

// The same rows once more: marks the tickets of a window in `seen`. False: one is there twice.
static bool mark_tickets(const struct table_image *table, uint32_t column, uint32_t first,
                         uint64_t *seen) {
    for (uint32_t chunk = 0; chunk < table->chunk_count; chunk++) {
        const cosm_ticket *tickets = cosmi_image_column(table, chunk, column);
        for (uint32_t i = 0; i < image_chunk_rows(table, chunk); i++) {
            uint32_t at = tickets[i].id - first;
            if (at < WINDOW_TICKETS) {
                uint64_t bit = (uint64_t)1 << (at % 64);
                if ((seen[at / 64] & bit) != 0) {
                    return false;
                }
                seen[at / 64] |= bit;
            }
        }
    }
    return true;
}

// Does no object belong to two temporary rows? Entities have one row each, these are all alike. In
// windows, because a check has no memory to take; exactly, because a sum could be made to fit.
static const char *temporary_fault(const struct world_image *image,
                                   const struct managed_image *managed) {
    uint64_t seen[WINDOW_TICKETS / 64];
    for (uint64_t first = 1; first <= managed->used; first += WINDOW_TICKETS) {
        memset(seen, 0, sizeof(seen));
        for (uint32_t i = 0; i < image->table_count; i++) {
            const struct table_image *table = image->tables[i];
            const struct column_slot *slot = archetype_find(table->archetype, managed->type->id);
            if (slot != NULL && table->archetype->temporary &&
                !mark_tickets(table, slot->column, (uint32_t)first, seen)) {
                return "an object belongs to two rows";
            }
        }
    }
    return NULL;
}

// All tickets of all tables.
static const char *rows_tickets_fault(const struct world_image *image) {
    uint64_t taken = 0;
    uint64_t owned = 0;
    for (uint32_t i = 0; i < image->managed_count; i++) {
        taken += image->managed[i]->count;
    }
    for (uint32_t i = 0; i < image->table_count; i++) {
        const struct table_image *table = image->tables[i];
        for (uint32_t c = 1; c < table->archetype->column_count; c++) {
            const struct value_type *type = table->archetype->columns[c].managed;
            const struct managed_image *managed = type == NULL ? NULL : find_managed(image, type);
            for (uint32_t chunk = 0; type != NULL && chunk < table->chunk_count; chunk++) {
                const char *fault = tickets_fault(managed, table, chunk, c, &owned);
                if (fault != NULL) {
                    return fault;
                }
            }
        }
    }
    return owned == taken ? NULL : "an object belongs to no row";
}

const char *cosmi_managed_image_fault(const struct world_image *image) {
    const char *fault = NULL;
    for (uint32_t i = 0; i < image->managed_count && fault == NULL; i++) {
        const struct managed_image *managed = image->managed[i];
        if (managed->type->storage != COSM_STORAGE_MANAGED || managed->used == 0 ||
            managed->count == 0 || managed->count > managed->used) {
            return "a list of objects holds none, or is of a component that is not managed";
        }
        if (i > 0 && image->managed[i - 1]->type->managed_number >= managed->type->managed_number) {
            return "lists of objects are not in the order of their components";
        }
        if (managed->slots == NULL ||
            managed->slots->size != managed->used * sizeof(struct managed_slot)) {
            return "the slots of a list of objects are truncated";
        }
        fault = slots_fault(managed);
        fault = fault == NULL ? temporary_fault(image, managed) : fault;
    }
    return fault == NULL ? rows_tickets_fault(image) : fault;
}
