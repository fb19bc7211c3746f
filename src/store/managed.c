// Objects of managed components: lists, slots, and the cells that own them.
#include "store/managed.h"

#define MANAGED_CHUNK_MAX 29u // chunks of a list: 2^29 slots and more

// Objects up to this size are replaced by way of the stack.
#define REPLACE_BYTES ((size_t)256)
#define REPLACE_ALIGNMENT ((size_t)64)

static cosm_result fail_object_hook(const struct cosm_batch *batch, const char *call,
                                    const struct value_type *type, const char *hook) {
    return cosmi_fail(batch->sink, COSM_ERROR_MEMORY,
                      "%s: component '%s': %s of its lifecycle returned false, so it is out of "
                      "memory; free memory and try again",
                      call, type->name, hook);
}

static void move_object(const struct value_type *type, void *object, void *source) {
    if (type->lifecycle.move != NULL) {
        type->lifecycle.move(type->lifecycle.context, object, source);
    } else {
        memcpy(object, source, type->size);
    }
}

static void end_object(const struct value_type *type, void *object) {
    if (type->lifecycle.destroy != NULL) {
        type->lifecycle.destroy(type->lifecycle.context, object);
    }
}

// Makes an object in memory that has none.
static cosm_result begin_object(const struct cosm_batch *batch, const char *call,
                                const struct value_type *type, void *object,
                                const struct object_source *source) {
    const cosm_lifecycle *lifecycle = &type->lifecycle;
    // Without a function for it a new one is a copy of the default, if there is one.
    const void *model = lifecycle->construct == NULL ? type->default_value : NULL;
    const void *copied = source->kind == OBJECT_COPIED ? source->copied : model;
    if (source->kind == OBJECT_MOVED) {
        move_object(type, object, source->moved);
    } else if (copied != NULL) {
        if (lifecycle->copy == NULL) {
            memcpy(object, copied, type->size);
        } else if (!lifecycle->copy(lifecycle->context, object, copied)) {
            return fail_object_hook(batch, call, type, "copy");
        }
    } else if (lifecycle->construct == NULL) {
        memset(object, 0, type->size);
    } else if (!lifecycle->construct(lifecycle->context, object)) {
        return fail_object_hook(batch, call, type, "construct");
    }
    return COSM_OK;
}

static size_t object_chunk_alignment(const struct value_type *type) {
    return type->alignment < 16 ? 16 : type->alignment;
}

static size_t chunk_bytes(const struct managed_list *list, uint32_t chunk) {
    size_t slots = (size_t)1 << (list->first_log2 + chunk);
    return align_up(slots * list->type->size, sizeof(struct managed_slot)) +
           slots * sizeof(struct managed_slot);
}

// Adds a chunk. False when out of memory.
static bool add_object_chunk(struct managed_list *list, struct memory *memory) {
    void **chunks = list->chunk_count == MANAGED_CHUNK_MAX
                        ? NULL
                        : cosmi_array_grow(memory, list->chunks, &list->chunk_capacity,
                                           list->chunk_count + 1, sizeof(*chunks));
    if (chunks == NULL) {
        return false;
    }
    list->chunks = chunks;
    void *bytes = cosmi_memory_alloc(memory, chunk_bytes(list, list->chunk_count),
                                     object_chunk_alignment(list->type));
    if (bytes == NULL) {
        return false;
    }
    chunks[list->chunk_count] = bytes;
    list->capacity += 1u << (list->first_log2 + list->chunk_count);
    list->chunk_count++;
    return true;
}

static void drop_chunk(struct managed_list *list, struct memory *memory) {
    list->chunk_count--;
    list->capacity -= 1u << (list->first_log2 + list->chunk_count);
    cosmi_memory_free(memory, list->chunks[list->chunk_count], chunk_bytes(list, list->chunk_count),
                      object_chunk_alignment(list->type));
}

// The list of a type, made when there is none; NULL when out of memory.
static struct managed_list *need_list(cosm_world world, const struct value_type *type) {
    struct managed_list *list = managed_find(world.batch, world.index, type);
    struct memory *memory = &world.batch->memory;
    if (list != NULL) {
        return list;
    }
    struct beside *beside = world.batch->besides[world.index];
    if (beside->managed == NULL) {
        beside->managed =
            cosmi_memory_alloc_zeroed(memory, sizeof(*beside->managed), _Alignof(struct managed));
        if (beside->managed == NULL) {
            return NULL;
        }
    }
    struct managed *managed = beside->managed;
    uint32_t known = managed->list_capacity;
    struct managed_list **lists =
        cosmi_array_grow(memory, managed->lists, &managed->list_capacity, type->managed_number + 1,
                         sizeof(struct managed_list *));
    if (lists == NULL) {
        return NULL;
    }
    for (uint32_t i = known; i < managed->list_capacity; i++) {
        lists[i] = NULL;
    }
    managed->lists = lists;
    list = cosmi_memory_alloc_zeroed(memory, sizeof(*list), _Alignof(struct managed_list));
    if (list != NULL) {
        // Eight to begin with; of large objects a page's worth, and one at least.
        size_t first = type->size <= 512 ? 8 : 4096 / type->size;
        list->type = type;
        list->first_log2 = first == 0 ? 0 : floor_log2((uint32_t)first);
        lists[type->managed_number] = list;
    }
    return list;
}

// Makes room for `count` more objects; NULL with a message.
static struct managed_list *need_room(cosm_world world, const char *call,
                                      const struct value_type *type, uint32_t count) {
    struct memory *memory = &world.batch->memory;
    if (cosmi_batch_beside(world.batch, call, world.index) == NULL) {
        return NULL;
    }
    struct managed_list *list = need_list(world, type);
    bool has_room = list != NULL;
    while (has_room && list->capacity - list->count < count) {
        has_room = add_object_chunk(list, memory);
    }
    if (!has_room) {
        (void)cosmi_fail_memory(world.batch->sink, memory, call);
        return NULL;
    }
    return list;
}

struct managed_list *cosmi_managed_fit(cosm_world world, const char *call,
                                       const struct value_type *type, uint32_t used) {
    struct managed_list *list = need_room(world, call, type, 0);
    bool fits = list != NULL;
    while (fits && list->capacity < used) {
        fits = add_object_chunk(list, &world.batch->memory);
    }
    if (list != NULL && !fits) {
        (void)cosmi_fail_memory(world.batch->sink, &world.batch->memory, call);
    }
    return fits ? list : NULL;
}

cosm_result cosmi_managed_room(cosm_world world, const char *call, const struct value_type *type) {
    return need_room(world, call, type, 1) == NULL ? COSM_ERROR_MEMORY : COSM_OK;
}

// Takes a free slot, which there is, and marks it as ready.
static uint32_t take_slot(struct managed_list *list, void **out_object) {
    uint32_t ticket = list->free_head;
    if (ticket == 0) {
        ticket = ++list->used;
        INVARIANT(ticket <= list->capacity, "room for an object is made before it is taken");
    }
    struct managed_slot *slot = slot_of_ticket(list, ticket, out_object);
    list->free_head = list->free_head == 0 ? 0 : slot->id;
    list->count++;
    *slot = (struct managed_slot){SLOT_READY, 0};
    return ticket;
}

static void give_slot(struct managed_list *list, uint32_t ticket) {
    void *object;
    struct managed_slot *slot = slot_of_ticket(list, ticket, &object);
    *slot = (struct managed_slot){SLOT_FREE, list->free_head};
    list->free_head = ticket;
    if (--list->count == 0) {
        list->used = 0;
        list->free_head = 0;
    }
}

uint32_t cosmi_managed_make(cosm_world world, const char *call, const struct value_type *type,
                            const struct object_source *source) {
    struct managed_list *list = need_room(world, call, type, 1);
    if (list == NULL) {
        return 0;
    }
    void *object;
    uint32_t ticket = take_slot(list, &object);
    uint32_t walks = hooks_begin(world);
    cosm_result result = begin_object(world.batch, call, type, object, source);
    hooks_end(world, walks);
    if (result != COSM_OK) {
        give_slot(list, ticket);
        return 0;
    }
    return ticket;
}

// Ends an object and frees its slot. Nobody finds it while its hook runs.
static void end_ticket(struct managed_list *list, uint32_t ticket) {
    void *object;
    INVARIANT(list != NULL && ticket - 1 < list->used, "a ticket is that of an object");
    struct managed_slot *slot = slot_of_ticket(list, ticket, &object);
    INVARIANT(slot->gen != SLOT_FREE, "an object ends once");
    slot->gen = SLOT_FREE;
    end_object(list->type, object);
    give_slot(list, ticket);
}

void cosmi_managed_unmake(cosm_world world, const struct value_type *type, uint32_t ticket) {
    uint32_t walks = hooks_begin(world);
    end_ticket(managed_find(world.batch, world.index, type), ticket);
    hooks_end(world, walks);
}

static cosm_entity row_entity(const struct store *store, uint32_t world, uint32_t row) {
    if (store->archetype->temporary) {
        return OWNER_TEMPORARY;
    }
    return *store_entities(store, world, row);
}

void cosmi_managed_own(cosm_world world, const struct store *store, uint32_t column, uint32_t row,
                       uint32_t ticket) {
    const struct value_type *type = store->archetype->columns[column].managed;
    void *object;
    struct managed_slot *slot =
        slot_of_ticket(managed_find(world.batch, world.index, type), ticket, &object);
    cosm_ticket *cell = ticket_cell(store, world.index, column, row);
    INVARIANT(cell->id == 0 && slot->gen == SLOT_READY, "an object has one owner, and a row one");
    cosm_entity entity = row_entity(store, world.index, row);
    *slot = (struct managed_slot){entity.gen, entity.id};
    cell->id = ticket;
}

cosm_result cosmi_managed_replace(struct cosm_batch *batch, const char *call,
                                  const struct value_type *type, void *object,
                                  const struct object_source *source) {
    if (source->kind == OBJECT_MOVED) {
        end_object(type, object);
        move_object(type, object, source->moved);
        return COSM_OK;
    }
    _Alignas(REPLACE_ALIGNMENT) unsigned char small[REPLACE_BYTES];
    bool is_small = type->size <= REPLACE_BYTES && type->alignment <= REPLACE_ALIGNMENT;
    size_t alignment = object_chunk_alignment(type);
    void *made = is_small ? small : cosmi_memory_alloc(&batch->memory, type->size, alignment);
    if (made == NULL) {
        return cosmi_fail_memory(batch->sink, &batch->memory, call);
    }
    cosm_result result = begin_object(batch, call, type, made, source);
    if (result == COSM_OK) {
        end_object(type, object);
        move_object(type, object, made);
    }
    if (!is_small) {
        cosmi_memory_free(&batch->memory, made, type->size, alignment);
    }
    return result;
}

bool cosmi_managed_holds(const struct managed_list *list, const void *object) {
    for (uint32_t c = 0; list != NULL && c < list->chunk_count; c++) {
        uintptr_t offset = (uintptr_t)object - (uintptr_t)list->chunks[c];
        if (offset < chunk_bytes(list, c)) {
            return true;
        }
    }
    return false;
}

void cosmi_managed_take(cosm_world world, const struct store *store, uint32_t column, uint32_t row,
                        void *out_object) {
    const struct value_type *type = store->archetype->columns[column].managed;
    struct managed_list *list = managed_find(world.batch, world.index, type);
    cosm_ticket *cell = ticket_cell(store, world.index, column, row);
    uint32_t ticket = cell->id;
    void *object = managed_object(list, ticket);
    INVARIANT(object != NULL, "a row from which an object is taken has one");
    cell->id = 0;
    uint32_t walks = hooks_begin(world);
    move_object(type, out_object, object);
    hooks_end(world, walks);
    give_slot(list, ticket);
}

// Ends the object of a cell, where it has one.
static inline void release_cell(struct managed_list *list, cosm_ticket *cell) {
    uint32_t ticket = cell->id;
    if (ticket != 0) {
        cell->id = 0;
        end_ticket(list, ticket);
    }
}

void cosmi_managed_release(cosm_world world, const struct store *store, uint32_t column,
                           uint32_t row, uint32_t count) {
    const struct value_type *type = store->archetype->columns[column].managed;
    struct managed_list *list = managed_find(world.batch, world.index, type);
    if (list == NULL || list->count == 0 || count == 0) {
        return; // of no rows there may be no table either
    }
    cosm_ticket *cells = ticket_cell(store, world.index, column, row);
    uint32_t walks = hooks_begin(world);
    for (uint32_t i = 0; i < count; i++) {
        release_cell(list, &cells[i]);
    }
    hooks_end(world, walks);
}

void cosmi_managed_leaving(cosm_world world, const struct store *store, uint32_t row,
                           uint32_t count) {
    for (uint32_t c = 1; c < store->archetype->column_count; c++) {
        if (store->archetype->columns[c].managed != NULL) {
            cosmi_managed_release(world, store, c, row, count);
        }
    }
}

void cosmi_managed_moving(cosm_world world, const struct store *store, const uint32_t *rows,
                          uint32_t row, uint32_t count, const struct transition *transition) {
    for (uint32_t d = 0; d < transition->drop_count; d++) {
        if (rows == NULL) {
            cosmi_managed_release(world, store, transition->drops[d], row, count);
            continue;
        }
        for (uint32_t i = 0; i < count; i++) {
            cosmi_managed_release(world, store, transition->drops[d], rows[i], 1);
        }
    }
}

void cosmi_managed_end_list(struct managed_list *list) {
    for (uint32_t ticket = 1; list->count > 0 && ticket <= list->used; ticket++) {
        void *object;
        struct managed_slot *slot = slot_of_ticket(list, ticket, &object);
        if (slot->gen != SLOT_FREE) {
            slot->gen = SLOT_FREE;
            end_object(list->type, object);
        }
    }
    list->used = 0;
    list->count = 0;
    list->free_head = 0;
}

static struct managed *world_managed(const struct cosm_batch *batch, uint32_t world) {
    const struct beside *beside = batch->besides == NULL ? NULL : batch->besides[world];
    return beside == NULL ? NULL : beside->managed;
}

void cosmi_managed_reset(cosm_world world) {
    struct managed *managed = world_managed(world.batch, world.index);
    uint32_t walks = hooks_begin(world);
    for (uint32_t i = 0; i < managed->list_capacity; i++) {
        if (managed->lists[i] != NULL) {
            cosmi_managed_end_list(managed->lists[i]);
        }
    }
    hooks_end(world, walks);
}

cosm_result cosmi_managed_prepare(cosm_world world, const char *call, const struct value_type *type,
                                  uint32_t count, const void *object) {
    struct managed_list *list = need_room(world, call, type, count);
    struct object_source source = {.kind = OBJECT_COPIED, .copied = object};
    for (uint32_t i = 0; list != NULL && i < count; i++) {
        uint32_t ticket = cosmi_managed_make(world, call, type, &source);
        if (ticket == 0) {
            return COSM_ERROR_MEMORY;
        }
        void *unused;
        if (list->ready_last == 0) {
            list->ready_first = ticket;
        } else {
            slot_of_ticket(list, list->ready_last, &unused)->id = ticket;
        }
        list->ready_last = ticket;
    }
    return list == NULL ? COSM_ERROR_MEMORY : COSM_OK;
}

// The first of the objects that were made beforehand; 0 when there is none left.
static uint32_t next_prepared(struct managed_list *list) {
    uint32_t ticket = list->ready_first;
    if (ticket != 0) {
        void *object;
        list->ready_first = slot_of_ticket(list, ticket, &object)->id;
        list->ready_last = list->ready_first == 0 ? 0 : list->ready_last;
    }
    return ticket;
}

void cosmi_managed_set_prepared(cosm_world world, const struct store *store, uint32_t column,
                                uint32_t row, uint32_t count) {
    struct managed_list *list =
        managed_find(world.batch, world.index, store->archetype->columns[column].managed);
    cosmi_managed_release(world, store, column, row, count);
    for (uint32_t i = 0; i < count; i++) {
        cosmi_managed_own(world, store, column, row + i, next_prepared(list));
    }
}

void cosmi_managed_unprepare(cosm_world world, const struct value_type *type) {
    struct managed_list *list = managed_find(world.batch, world.index, type);
    uint32_t walks = hooks_begin(world);
    while (list != NULL && list->ready_first != 0) {
        end_ticket(list, next_prepared(list));
    }
    hooks_end(world, walks);
}

// The bytes before the object, and those that a wider alignment may need.
static size_t held_head(void) {
    return align_up(sizeof(struct held_object), 16);
}

size_t cosmi_held_size(const struct value_type *type) {
    size_t slack = type->alignment > 16 ? type->alignment - 16 : 0;
    return align_up(held_head() + type->size + slack, 16);
}

struct held_object *cosmi_held_lay(const struct value_type *type, void *bytes) {
    struct held_object *held = bytes;
    *held = (struct held_object){type, NULL};
    return held;
}

bool cosmi_held_copy(const struct cosm_batch *batch, const char *call, struct held_object *held,
                     const void *object) {
    uintptr_t at = align_up((uintptr_t)held + held_head(), object_chunk_alignment(held->type));
    void *copy = (char *)held + (at - (uintptr_t)held);
    struct object_source source = {.kind = OBJECT_COPIED, .copied = object};
    if (begin_object(batch, call, held->type, copy, &source) != COSM_OK) {
        return false;
    }
    held->object = copy;
    return true;
}

void cosmi_held_end(struct held_object *held) {
    if (held->object != NULL) {
        void *object = held->object;
        held->object = NULL;
        end_object(held->type, object);
    }
}

cosm_result cosmi_managed_plan(cosm_world world, const char *call, const struct value_type *type) {
    struct managed_list *list = need_room(world, call, type, 0);
    if (list == NULL) {
        return COSM_ERROR_MEMORY;
    }
    list->planned++;
    return COSM_OK;
}

cosm_result cosmi_managed_plan_room(cosm_world world, const char *call,
                                    const struct value_type *type) {
    uint32_t count = managed_find(world.batch, world.index, type)->planned;
    return need_room(world, call, type, count) == NULL ? COSM_ERROR_MEMORY : COSM_OK;
}

void cosmi_managed_unplan(cosm_world world, const struct value_type *type) {
    struct managed_list *list = managed_find(world.batch, world.index, type);
    if (list != NULL) {
        list->planned = 0;
    }
}

void cosmi_managed_set_held(cosm_world world, const struct store *store, uint32_t column,
                            uint32_t row, struct held_object *held) {
    struct managed_list *list = managed_find(world.batch, world.index, held->type);
    INVARIANT(held->object != NULL, "commands bring an object once");
    void *object = managed_object(list, ticket_cell(store, world.index, column, row)->id);
    uint32_t ticket = 0;
    uint32_t walks = hooks_begin(world);
    if (object != NULL) {
        end_object(held->type, object);
    } else {
        ticket = take_slot(list, &object);
    }
    move_object(held->type, object, held->object);
    held->object = NULL;
    hooks_end(world, walks);
    if (ticket != 0) {
        cosmi_managed_own(world, store, column, row, ticket);
    }
}

static void free_object_list(struct managed_list *list, struct memory *memory) {
    while (list->chunk_count > 0) {
        drop_chunk(list, memory);
    }
    cosmi_array_free(memory, list->chunks, list->chunk_capacity, sizeof(*list->chunks));
    cosmi_memory_free(memory, list, sizeof(*list), _Alignof(struct managed_list));
}

void cosmi_managed_free(struct cosm_batch *batch) {
    struct memory *memory = &batch->memory;
    for (uint32_t w = 0; w < batch->world_count; w++) {
        struct managed *managed = world_managed(batch, w);
        if (managed == NULL) {
            continue;
        }
        cosmi_managed_reset(batch_world(batch, w));
        for (uint32_t i = 0; i < managed->list_capacity; i++) {
            if (managed->lists[i] != NULL) {
                free_object_list(managed->lists[i], memory);
            }
        }
        cosmi_array_free(memory, managed->lists, managed->list_capacity, sizeof(*managed->lists));
        cosmi_memory_free(memory, managed, sizeof(*managed), _Alignof(struct managed));
        batch->besides[w]->managed = NULL;
    }
}

// Forgets the free slots behind the last object. The others stay in their order.
static void shorten_list(struct managed_list *list) {
    void *object;
    while (list->used > 0 && slot_of_ticket(list, list->used, &object)->gen == SLOT_FREE) {
        list->used--;
    }
    uint32_t *link = &list->free_head;
    while (*link != 0) {
        struct managed_slot *slot = slot_of_ticket(list, *link, &object);
        if (*link > list->used) {
            *link = slot->id;
        } else {
            link = &slot->id;
        }
    }
}

void cosmi_managed_trim(struct cosm_batch *batch, uint32_t world) {
    struct managed *managed = world_managed(batch, world);
    for (uint32_t i = 0; managed != NULL && i < managed->list_capacity; i++) {
        struct managed_list *list = managed->lists[i];
        if (list == NULL) {
            continue;
        }
        shorten_list(list);
        while (list->chunk_count > 0 &&
               list->capacity - (1u << (list->first_log2 + list->chunk_count - 1)) >= list->used) {
            drop_chunk(list, &batch->memory);
        }
    }
}

size_t cosmi_managed_live_bytes(const struct cosm_batch *batch, uint32_t world) {
    const struct managed *managed = world_managed(batch, world);
    size_t live = 0;
    for (uint32_t i = 0; managed != NULL && i < managed->list_capacity; i++) {
        const struct managed_list *list = managed->lists[i];
        live += list == NULL ? 0 : (size_t)list->count * list->type->size;
    }
    return live;
}

size_t cosmi_managed_bytes(const struct cosm_batch *batch, uint32_t world) {
    const struct managed *managed = world_managed(batch, world);
    size_t used =
        managed == NULL ? 0 : sizeof(*managed) + managed->list_capacity * sizeof(*managed->lists);
    for (uint32_t i = 0; managed != NULL && i < managed->list_capacity; i++) {
        const struct managed_list *list = managed->lists[i];
        if (list == NULL) {
            continue;
        }
        used += sizeof(*list) + list->chunk_capacity * sizeof(*list->chunks);
        for (uint32_t c = 0; c < list->chunk_count; c++) {
            used += chunk_bytes(list, c);
        }
    }
    return used;
}
