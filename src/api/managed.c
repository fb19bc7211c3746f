// The public calls of cosm/managed.h, and what other calls need for managed components.
#include <cosm/managed.h>

#include "api/managed.h"
#include "query/walk.h"
#include "run/checks.h"
#include "run/observer.h"
#include "store/modify.h"

void *cosmi_refuse_managed(const struct cosm_batch *batch, const char *call, uint32_t component,
                           const char *remedy) {
    (void)cosmi_fail(batch->sink, COSM_ERROR_ARGUMENT,
                     "%s: component '%s' is managed: its column holds tickets, not objects; %s",
                     call, schema_component(batch->schema, component)->name, remedy);
    return NULL;
}

// The type of a component that must be managed; NULL with a message.
static const struct value_type *check_managed(cosm_world world, const char *call,
                                              cosm_component component) {
    if (!world_exists(world)) {
        (void)cosmi_refuse_world(world, call);
        return NULL;
    }
    const struct value_type *type = cosmi_check_plain(world.batch, call, component);
    if (type != NULL && type->storage != COSM_STORAGE_MANAGED) {
        (void)cosmi_fail(
            world.batch->sink, COSM_ERROR_ARGUMENT,
            "%s: component '%s' is not managed and has no objects; use cosm_entity_set and "
            "similar calls, or define it with COSM_STORAGE_MANAGED",
            call, type->name);
        return NULL;
    }
    return type;
}

// The type of a managed component; NULL, and no message, for others.
static const struct value_type *managed_or_null(cosm_world world, cosm_component component) {
    const struct value_type *type =
        world_exists(world) ? schema_component(world.batch->schema, component.id) : NULL;
    return type != NULL && type->storage == COSM_STORAGE_MANAGED ? type : NULL;
}

// Where the object of an entity is: its row, if the entity has the component.
struct object_row {
    struct store *store; // NULL: it has not
    uint32_t column;
    uint32_t row;
};

static struct object_row find_object_row(cosm_world world, const struct value_type *type,
                                         const struct record *record) {
    struct store *store = world_store(world.batch, world.index, record->table);
    const struct column_slot *slot = store_find(store, type->id);
    return slot == NULL ? (struct object_row){NULL, 0, 0}
                        : (struct object_row){store, slot->column, record->row};
}

static void check_object(cosm_world world, const struct object_row *at, uint32_t component,
                         bool write, const char *call) {
    cosmi_check_component(world.batch, world.index, component, write, call);
    cosmi_check_cell(world.batch, world.index, at->store->archetype, at->row, component, write,
                     call);
}

cosm_ticket cosm_managed_ticket(cosm_world world, cosm_entity entity, cosm_component component) {
    const struct value_type *type = managed_or_null(world, component);
    const struct record *record =
        type == NULL ? NULL : directory_find(&world.batch->worlds[world.index], entity);
    if (record == NULL) {
        return (cosm_ticket){0};
    }
    struct object_row at = find_object_row(world, type, record);
    if (at.store == NULL) {
        return (cosm_ticket){0};
    }
    check_object(world, &at, type->id, false, "cosm_managed_ticket");
    return *ticket_cell(at.store, world.index, at.column, at.row);
}

static void *ticket_object(cosm_world world, cosm_component component, cosm_ticket ticket,
                           bool write, const char *call) {
    const struct value_type *type = managed_or_null(world, component);
    if (type == NULL) {
        return NULL;
    }
    cosmi_check_component(world.batch, world.index, type->id, write, call);
    return managed_object(managed_find(world.batch, world.index, type), ticket.id);
}

const void *cosm_managed_read(cosm_world world, cosm_component component, cosm_ticket ticket) {
    return ticket_object(world, component, ticket, false, "cosm_managed_read");
}

void *cosm_managed_write(cosm_world world, cosm_component component, cosm_ticket ticket) {
    return ticket_object(world, component, ticket, true, "cosm_managed_write");
}

// Where row `i` of a run is.
struct run_place {
    cosm_world world;
    struct store *store; // NULL: there is no such row, or it lacks the component
    uint32_t column;
    uint32_t row;
};

static struct run_place find_in_run(const cosm_rows *rows, uint32_t i, cosm_component component) {
    struct run_place at = {{NULL, 0}, NULL, 0, 0};
    if (rows == NULL || i >= rows->count) {
        return at;
    }
    struct store *store = cosmi_rows_store(rows);
    const struct column_slot *slot = store == NULL ? NULL : store_find(store, component.id);
    if (slot == NULL || !slot_is_managed(store->archetype, slot)) {
        return at;
    }
    at.world = cosm_rows_world(rows, i);
    at.row = (uint32_t)(rows->first + i - store_first(store, at.world.index));
    at.column = slot->column;
    // Rows that have left since are not there.
    at.store = at.row < store->counts[at.world.index] ? store : NULL;
    return at;
}

static void *run_object(const cosm_rows *rows, uint32_t i, cosm_component component, bool write,
                        const char *call) {
    struct run_place at = find_in_run(rows, i, component);
    if (at.store == NULL) {
        return NULL;
    }
    struct object_row row = {at.store, at.column, at.row};
    check_object(at.world, &row, component.id, write, call);
    return managed_row(at.world.batch, at.store, at.world.index, at.column, at.row);
}

bool cosmi_object_is_read_only(const cosm_rows *rows, const char *call, uint32_t component) {
    bool found = false;
    // What rows show of such a term is for reading in any case: the column holds tickets.
    for (uint32_t t = 0; t < rows->term_count && rows->query != NULL; t++) {
        const cosm_term *term = &rows->query->terms[t];
        if (term->component.id == component && term->kind != COSM_TERM_WITHOUT) {
            found = true;
            if (term->access != COSM_ACCESS_READ) {
                return false;
            }
        }
    }
    if (found) {
        (void)cosmi_fail(rows->batch->sink, COSM_ERROR_ARGUMENT,
                         "%s: the query has component '%s' with COSM_ACCESS_READ; ask for "
                         "COSM_ACCESS_WRITE",
                         call, schema_component(rows->batch->schema, component)->name);
    }
    return found;
}

const void *cosm_managed_row_read(const cosm_rows *rows, uint32_t i, cosm_component component) {
    return run_object(rows, i, component, false, "cosm_managed_row_read");
}

void *cosm_managed_row_write(const cosm_rows *rows, uint32_t i, cosm_component component) {
    static const char call[] = "cosm_managed_row_write";
    if (rows == NULL || cosmi_object_is_read_only(rows, call, component.id)) {
        return NULL;
    }
    return run_object(rows, i, component, true, call);
}

const cosm_ticket *cosm_managed_tickets(const cosm_rows *rows, cosm_component component) {
    struct run_place at = find_in_run(rows, 0, component);
    if (at.store == NULL) {
        return NULL;
    }
    struct object_row row = {at.store, at.column, at.row};
    check_object(at.world, &row, component.id, false, "cosm_managed_tickets");
    return ticket_cell(at.store, at.world.index, at.column, at.row);
}

// Only where the row has no object yet is this a structural change.
static cosm_result set_object_row(cosm_world world, const char *call, const struct object_row *at,
                                  const struct object_source *source, void **out_object) {
    cosm_result result = COSM_OK;
    if (managed_row(world.batch, at->store, world.index, at->column, at->row) == NULL) {
        result = check_change(world, call);
    }
    return result == COSM_OK ? cosmi_modify_set_object(world, call, at->store, at->column, at->row,
                                                       source, out_object)
                             : result;
}

cosm_result cosmi_object_set_run(const cosm_rows *rows, const char *call, uint32_t i,
                                 cosm_component component, const void *value) {
    struct run_place at = find_in_run(rows, i, component);
    struct object_source source = {.kind = OBJECT_COPIED, .copied = value};
    INVARIANT(at.store != NULL, "the row of a set and its component were looked for before");
    struct object_row row = {at.store, at.column, at.row};
    return set_object_row(at.world, call, &row, &source, NULL);
}

// Tells observers that an entity has got an object. They may have ended it: *out_object, unless
// NULL, is what is left.
static void notify_object(cosm_world world, const char *call, cosm_entity entity,
                          const struct value_type *type, void **out_object) {
    const struct record *record = directory_find(world_data(world), entity);
    struct object_row at = find_object_row(world, type, record);
    if (store_is_watched(at.store)) {
        cosmi_event_set(world, at.store, type->id, at.row, 1);
    }
    (void)cosmi_deliver(world, call);
    record = directory_find(world_data(world), entity);
    at = record == NULL ? (struct object_row){NULL, 0, 0} : find_object_row(world, type, record);
    if (out_object != NULL) {
        *out_object = at.store == NULL
                          ? NULL
                          : managed_row(world.batch, at.store, world.index, at.column, at.row);
    }
}

cosm_result cosmi_object_set(cosm_world world, const char *call, cosm_entity entity,
                             const struct value_type *type, const struct object_source *source,
                             void **out_object) {
    struct record *record = directory_find(&world.batch->worlds[world.index], entity);
    if (record == NULL) {
        return COSM_STALE;
    }
    struct object_row at = find_object_row(world, type, record);
    bool notifies = world.batch->events != NULL && cosmi_can_change(world.batch, world.index);
    cosm_result result = COSM_OK;
    if (at.store == NULL) {
        result = check_change(world, call);
        if (result == COSM_OK) {
            result = cosmi_modify_add_object(world, call, record, type, source, out_object);
        }
    } else {
        struct event_need need = {0, 0, 0, 0};
        if (notifies) {
            cosmi_event_need_set(&need, at.store->archetype, 1, 1);
            result = cosmi_event_reserve(world, call, &need);
        }
        check_object(world, &at, type->id, true, call);
        if (result == COSM_OK) {
            result = set_object_row(world, call, &at, source, out_object);
        }
    }
    if (result == COSM_OK && notifies) {
        notify_object(world, call, entity, type, out_object);
    }
    world_settle(world);
    return result;
}

cosm_result cosmi_object_copy(cosm_world world, const char *call, cosm_entity entity,
                              const struct value_type *type, const void *value) {
    struct object_source source = {.kind = OBJECT_COPIED, .copied = value};
    return cosmi_object_set(world, call, entity, type, &source, NULL);
}

cosm_result cosm_managed_put(cosm_world world, cosm_entity entity, cosm_component component,
                             void *object) {
    static const char call[] = "cosm_managed_put";
    const struct value_type *type = check_managed(world, call, component);
    if (type == NULL) {
        return COSM_ERROR_ARGUMENT;
    }
    if (object == NULL) {
        return cosmi_refuse_null(world.batch->sink, call, "object", "pass an object to move in");
    }
    if (cosmi_managed_holds(managed_find(world.batch, world.index, type), object)) {
        return cosmi_fail(world.batch->sink, COSM_ERROR_ARGUMENT,
                          "%s: the object belongs to a row of world %u; take it out first with "
                          "cosm_managed_take, or copy it with cosm_entity_set",
                          call, world.index);
    }
    struct object_source source = {.kind = OBJECT_MOVED, .moved = object};
    return cosmi_object_set(world, call, entity, type, &source, NULL);
}

void *cosm_managed_emplace(cosm_world world, cosm_entity entity, cosm_component component) {
    static const char call[] = "cosm_managed_emplace";
    const struct value_type *type = check_managed(world, call, component);
    void *object = NULL;
    if (type != NULL) {
        struct object_source source = {.kind = OBJECT_CONSTRUCTED};
        (void)cosmi_object_set(world, call, entity, type, &source, &object);
    }
    return object;
}

// The row whose object is about to go. COSM_STALE where the entity is stale; at->store is NULL
// where it has no object.
static cosm_result find_going(cosm_world world, cosm_entity entity, cosm_component component,
                              const char *call, struct object_row *at) {
    *at = (struct object_row){NULL, 0, 0};
    const struct value_type *type = check_managed(world, call, component);
    if (type == NULL) {
        return COSM_ERROR_ARGUMENT;
    }
    cosm_result result = check_change(world, call);
    if (result != COSM_OK) {
        return result;
    }
    const struct record *record = directory_find(&world.batch->worlds[world.index], entity);
    if (record == NULL) {
        return COSM_STALE;
    }
    *at = find_object_row(world, type, record);
    if (at->store != NULL && ticket_cell(at->store, world.index, at->column, at->row)->id == 0) {
        at->store = NULL;
    }
    return COSM_OK;
}

static void notify_gone(cosm_world world, const struct object_row *at, cosm_component component) {
    if ((store_sides(at->store) & ~SIDE_MANAGED) != 0) {
        cosmi_side_set(world, at->store, component.id, at->row, 1);
    }
}

cosm_result cosm_managed_take(cosm_world world, cosm_entity entity, cosm_component component,
                              void *out_object) {
    static const char call[] = "cosm_managed_take";
    struct object_row at;
    if (out_object == NULL) {
        return cosmi_refuse_null(world_exists(world) ? world.batch->sink : NULL, call, "out_object",
                                 "pass memory of the component's size");
    }
    cosm_result result = find_going(world, entity, component, call, &at);
    if (result != COSM_OK || at.store == NULL) {
        return result == COSM_OK ? COSM_STALE : result;
    }
    const struct value_type *type = managed_or_null(world, component);
    if (cosmi_managed_holds(managed_find(world.batch, world.index, type), out_object)) {
        return cosmi_fail(world.batch->sink, COSM_ERROR_ARGUMENT,
                          "%s: out_object is the memory of an object of world %u; pass memory of "
                          "your own",
                          call, world.index);
    }
    cosmi_managed_take(world, at.store, at.column, at.row, out_object);
    notify_gone(world, &at, component);
    return COSM_OK;
}

cosm_result cosm_managed_clear(cosm_world world, cosm_entity entity, cosm_component component) {
    struct object_row at;
    cosm_result result = find_going(world, entity, component, "cosm_managed_clear", &at);
    if (result == COSM_OK && at.store != NULL) {
        cosmi_managed_release(world, at.store, at.column, at.row, 1);
        notify_gone(world, &at, component);
    }
    return result;
}

uint32_t cosm_managed_count(cosm_world world, cosm_component component) {
    const struct value_type *type = managed_or_null(world, component);
    const struct managed_list *list =
        type == NULL ? NULL : managed_find(world.batch, world.index, type);
    return list == NULL ? 0 : list->count;
}

// Lists the objects of one component in one world.
static void list_objects(cosm_world world, const struct managed_list *list, cosm_managed_fn *each,
                         void *context) {
    for (uint32_t ticket = 1; ticket <= list->used; ticket++) {
        void *object;
        const struct managed_slot *slot = slot_of_ticket(list, ticket, &object);
        if (slot->gen != SLOT_FREE) {
            cosm_entity owner = {slot->gen, slot->id};
            owner = owner.id == OWNER_TEMPORARY.id ? COSM_ENTITY_NONE : owner;
            cosm_managed_entry entry = {world, {list->type->id}, {ticket}, owner, object};
            each(context, &entry);
        }
    }
}

cosm_result cosm_managed_audit(cosm_batch *batch, cosm_managed_fn *each, void *context) {
    static const char call[] = "cosm_managed_audit";
    if (batch == NULL) {
        return cosmi_refuse_null(NULL, call, "batch", "pass one from cosm_batch_create");
    }
    cosm_result result = COSM_OK;
    for (uint32_t w = 0; w < batch->world_count; w++) {
        const struct beside *beside = batch->besides[w];
        const struct managed *managed = beside == NULL ? NULL : beside->managed;
        for (uint32_t i = 0; managed != NULL && each != NULL && i < managed->list_capacity; i++) {
            if (managed->lists[i] != NULL) {
                list_objects((cosm_world){batch, w}, managed->lists[i], each, context);
            }
        }
        cosm_result found = cosmi_managed_validate(batch, call, w);
        result = result == COSM_OK ? found : result;
    }
    return result;
}
