// Objects of managed components: where they live, and the columns of tickets that own them.
//
// Each world has a list per component. Its slots lie in chunks that never move, each twice as large
// as the one before, so that a small world costs little:
//
//     chunks[0]: 1 .. 8   chunks[1]: 9 .. 24   chunks[2]: 25 .. 56   ...   tickets, from 1
//
// A chunk holds the objects, then a record per slot: who owns it, or the next free one. A cell of a
// column of tickets is the one owner of its object, so a ticket needs no generation. Free slots are
// handed out again last freed first, and from 1 once all are free: ticket numbers follow from
// history alone, and no hash looks at them.
//
// Who may write what: lists, slots and cells whoever changes the world. An object itself may be
// replaced where it is by whoever may write its row, since that touches nothing else.
#ifndef COSM_STORE_MANAGED_H
#define COSM_STORE_MANAGED_H

#include "base/bits.h"
#include "store/rows.h"

// What `gen` says of a slot that no entity owns.
#define SLOT_FREE 0u           // id: the ticket of the next free slot, or 0
#define SLOT_READY 0xFFFFFFFEu // an object that is in no row yet; id: the next one of those, or 0

// The owner of the object of a temporary row. Unlike COSM_ENTITY_NONE it differs from a free slot.
#define OWNER_TEMPORARY ((cosm_entity){0xFFFFFFFFu, ID_NONE})

struct managed_slot {
    uint32_t gen;
    uint32_t id;
};

// Invariants: `count` slots of the first `used` are not free, and the others of them are the free
// list; used <= capacity. Between two calls none is ready, and `planned` is 0.
struct managed_list {
    const struct value_type *type;
    void **chunks;
    uint32_t chunk_count;
    uint32_t chunk_capacity;
    uint32_t first_log2; // log2 of the slots of the first chunk
    uint32_t capacity;   // slots of all chunks
    uint32_t used;
    uint32_t count; // objects
    uint32_t free_head;
    uint32_t ready_first; // objects made beforehand, for rows that get them in this order
    uint32_t ready_last;
    uint32_t planned; // objects that commands at hand will bring
};

// What a world has in its `struct beside`.
struct managed {
    struct managed_list **lists; // by managed_number; NULL where never used
    uint32_t list_capacity;
};

// Where an object comes from.
struct object_source {
    enum { OBJECT_CONSTRUCTED, OBJECT_COPIED, OBJECT_MOVED } kind;
    const void *copied;
    void *moved;
};

// The list of a type in a world; NULL where it was never used.
static inline struct managed_list *managed_find(const struct cosm_batch *batch, uint32_t world,
                                                const struct value_type *type) {
    const struct beside *beside = batch->besides[world];
    const struct managed *managed = beside == NULL ? NULL : beside->managed;
    return managed == NULL || type->managed_number >= managed->list_capacity
               ? NULL
               : managed->lists[type->managed_number];
}

// The log2 of the largest power of two that is at most `value`, which is not 0.
static inline uint32_t floor_log2(uint32_t value) {
#if defined(__GNUC__)
    return 31u - (uint32_t)__builtin_clz(value);
#else
    return log2_of(value);
#endif
}

// The slot of a ticket from 1 to `used`, and its object.
static inline struct managed_slot *slot_of_ticket(const struct managed_list *list, uint32_t ticket,
                                                  void **out_object) {
    uint32_t index = ticket - 1;
    uint32_t chunk = floor_log2((index >> list->first_log2) + 1);
    uint32_t offset = index - (((1u << chunk) - 1) << list->first_log2);
    size_t slots = (size_t)1 << (list->first_log2 + chunk);
    size_t size = list->type->size;
    char *bytes = list->chunks[chunk];
    *out_object = bytes + offset * size;
    char *records = bytes + align_up(slots * size, sizeof(struct managed_slot));
    return (struct managed_slot *)(void *)records + offset;
}

// The object of a ticket; NULL where there is none.
static inline void *managed_object(const struct managed_list *list, uint32_t ticket) {
    void *object;
    if (list == NULL || ticket - 1 >= list->used ||
        slot_of_ticket(list, ticket, &object)->gen == SLOT_FREE) {
        return NULL;
    }
    return object;
}

// The cell of a row of a column of tickets.
static inline cosm_ticket *ticket_cell(const struct store *store, uint32_t world, uint32_t column,
                                       uint32_t row) {
    void *cell =
        store_cell(store, store_table(store, world), world, column, row, sizeof(cosm_ticket));
    return cell;
}

// The type of the objects that a slot of an archetype is about.
static inline const struct value_type *slot_managed(const struct archetype *archetype,
                                                    const struct column_slot *slot) {
    return archetype->columns[slot->column].managed;
}

// The object of a row; NULL where there is none.
static inline void *managed_row(const struct cosm_batch *batch, const struct store *store,
                                uint32_t world, uint32_t column, uint32_t row) {
    return managed_object(managed_find(batch, world, store->archetype->columns[column].managed),
                          ticket_cell(store, world, column, row)->id);
}

// While hooks run the world counts as being walked: a change that they ask for is refused.
static inline uint32_t hooks_begin(cosm_world world) {
    struct world *data = world_data(world);
    uint32_t walks = atomic_load_explicit(&data->walks, memory_order_relaxed);
    atomic_store_explicit(&data->walks, walks + 1, memory_order_relaxed);
    return walks;
}

static inline void hooks_end(cosm_world world, uint32_t walks) {
    atomic_store_explicit(&world_data(world)->walks, walks, memory_order_relaxed);
}

// The list of a type with chunks for tickets up to `used`, made when there is none. NULL with a
// message.
struct managed_list *cosmi_managed_fit(cosm_world world, const char *call,
                                       const struct value_type *type, uint32_t used);

// Ends all objects of a list, in the order of their tickets.
void cosmi_managed_end_list(struct managed_list *list);

// Makes an object that no row owns yet. Its ticket, or 0 with a message.
uint32_t cosmi_managed_make(cosm_world world, const char *call, const struct value_type *type,
                            const struct object_source *source);

// Makes room for one more object. Moving one in after that cannot fail.
cosm_result cosmi_managed_room(cosm_world world, const char *call, const struct value_type *type);

// Ends an object that no row owns.
void cosmi_managed_unmake(cosm_world world, const struct value_type *type, uint32_t ticket);

// Gives an object that no row owns to a row that has none.
void cosmi_managed_own(cosm_world world, const struct store *store, uint32_t column, uint32_t row,
                       uint32_t ticket);

// Puts another object in the place of one; the ticket stays. On failure the old one does. Safe for
// different rows of a world at a time.
cosm_result cosmi_managed_replace(struct cosm_batch *batch, const char *call,
                                  const struct value_type *type, void *object,
                                  const struct object_source *source);

// Is this address one of the world's objects of the type?
bool cosmi_managed_holds(const struct managed_list *list, const void *object);

// Moves the object of a row out, to memory of the caller's, and leaves the row without one.
void cosmi_managed_take(cosm_world world, const struct store *store, uint32_t column, uint32_t row,
                        void *out_object);

// Ends the objects of rows, and leaves the rows without.
void cosmi_managed_release(cosm_world world, const struct store *store, uint32_t column,
                           uint32_t row, uint32_t count);

// The calls of store/side.h.
void cosmi_managed_leaving(cosm_world world, const struct store *store, uint32_t row,
                           uint32_t count);
void cosmi_managed_moving(cosm_world world, const struct store *store, const uint32_t *rows,
                          uint32_t row, uint32_t count, const struct transition *transition);
void cosmi_managed_reset(cosm_world world);

// Makes `count` copies of an object for rows that are about to get them, so that only this can
// fail; the rows get them in order, in as many calls as you like. Whatever is left over is ended by
// the last one.
cosm_result cosmi_managed_prepare(cosm_world world, const char *call, const struct value_type *type,
                                  uint32_t count, const void *object);
void cosmi_managed_set_prepared(cosm_world world, const struct store *store, uint32_t column,
                                uint32_t row, uint32_t count);
void cosmi_managed_unprepare(cosm_world world, const struct value_type *type);

// An object on its way in commands: the bytes of one follow, aligned. `object` is NULL once it was
// moved on or ended.
struct held_object {
    const struct value_type *type;
    void *object;
};

// Bytes of one, aligned to 16; lays an empty one; fills it with a copy (false, with a message, when
// that fails); ends what it holds.
size_t cosmi_held_size(const struct value_type *type);
struct held_object *cosmi_held_lay(const struct value_type *type, void *bytes);
bool cosmi_held_copy(const struct cosm_batch *batch, const char *call, struct held_object *held,
                     const void *object);
void cosmi_held_end(struct held_object *held);

// Counts an object that a row of the world will get from commands; makes room for all that were
// counted; forgets the count.
cosm_result cosmi_managed_plan(cosm_world world, const char *call, const struct value_type *type);
cosm_result cosmi_managed_plan_room(cosm_world world, const char *call,
                                    const struct value_type *type);
void cosmi_managed_unplan(cosm_world world, const struct value_type *type);

// Moves what is held to a row, in the place of what it had; there is room.
void cosmi_managed_set_held(cosm_world world, const struct store *store, uint32_t column,
                            uint32_t row, struct held_object *held);

// Ends all objects of a batch, and gives back their memory.
void cosmi_managed_free(struct cosm_batch *batch);

// Gives back the chunks behind the last object of a world.
void cosmi_managed_trim(struct cosm_batch *batch, uint32_t world);

// Bytes of a world's objects, and of all that they are kept in.
size_t cosmi_managed_live_bytes(const struct cosm_batch *batch, uint32_t world);
size_t cosmi_managed_bytes(const struct cosm_batch *batch, uint32_t world);

// Walks the invariants of a world's objects: COSM_OK, or COSM_ERROR_CORRUPT with a message that
// names `call`.
cosm_result cosmi_managed_validate(const struct cosm_batch *batch, const char *call,
                                   uint32_t world);

#endif
