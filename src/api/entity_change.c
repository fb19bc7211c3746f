// The public calls of cosm/entity.h that change the components of entities: add, remove and set,
// for one and for many.
#include <cosm/entity.h>

#include "api/beside.h"
#include "api/managed.h"
#include "run/checks.h"
#include "run/observer.h"
#include "store/shared.h"

// The long way of a change: bundles, sealed archetypes, sets that are new, wrong ids, and what an
// entity has beside its table.
APART static cosm_result change_far(cosm_world world, const char *call, struct record *record,
                                    cosm_entity entity, cosm_component component, bool add) {
    struct store *source = world_store(world.batch, world.index, record->table);
    const struct transition *transition = NULL;
    uint32_t count;
    const uint32_t *members = cosmi_schema_members(world.batch->schema, call, &component, &count);
    cosm_result result = members == NULL
                             ? COSM_ERROR_ARGUMENT
                             : cosmi_schema_change(world.batch->schema, call, source->archetype,
                                                   members, count, add, &transition);
    struct sector_bits added = {{0}};
    struct event_need need = {0, 0, 0, 0};
    if (result == COSM_OK && world.batch->events != NULL) {
        if (transition != NULL) {
            cosmi_event_need(&need, source->archetype, transition->target, 1, 1);
        }
        for (uint32_t i = 0; i < count; i++) {
            const struct value_type *type = schema_component(world.batch->schema, members[i]);
            cosmi_event_need_sector(&need, world.batch, type, 1);
        }
        result = cosmi_event_reserve(world, call, &need);
    }
    if (result == COSM_OK && add) {
        result = cosmi_beside_add(world, call, entity, members, count, &added);
    }
    if (result == COSM_OK && transition != NULL) {
        result = cosmi_rows_move(world, call, record, source, transition);
        if (result != COSM_OK && add) {
            cosmi_beside_remove(world, call, entity, members, count, &added);
        }
    }
    if (result == COSM_OK && !add) {
        cosmi_beside_remove(world, call, entity, members, count, NULL);
    }
    end_change(world, call);
    return result;
}

// Moves a row that observers may be told of.
COLD static cosm_result move_watched(cosm_world world, const char *call, struct record *record,
                                     struct store *source, const struct transition *transition) {
    struct event_need need = {0, 0, 0, 0};
    cosmi_event_need(&need, source->archetype, transition->target, 1, 1);
    cosm_result result = cosmi_event_reserve(world, call, &need);
    if (result == COSM_OK) {
        result = cosmi_rows_move(world, call, record, source, transition);
        end_change(world, call);
    }
    return result;
}

static inline cosm_result change_one(cosm_world world, cosm_entity entity, cosm_component component,
                                     bool add, const char *call) {
    cosm_result result = check_change(world, call);
    if (UNLIKELY(result != COSM_OK)) {
        return result;
    }
    struct record *record = directory_find(world_data(world), entity);
    if (UNLIKELY(record == NULL)) {
        uint32_t count;
        bool known = cosmi_schema_members(world.batch->schema, call, &component, &count) != NULL;
        return known ? COSM_STALE : COSM_ERROR_ARGUMENT;
    }
    struct store *source = world_store(world.batch, world.index, record->table);
    // An edge is there only where the change was made before, so it says all at once: the component
    // is known, it is absent (or present), and the archetype is not sealed.
    const struct transition *transition = LIKELY(component.id <= COSM_COMPONENT_MAX)
                                              ? archetype_edge(source->archetype, component.id, add)
                                              : NULL;
    if (UNLIKELY(transition == NULL)) {
        const struct value_type *type = schema_component(world.batch->schema, component.id);
        return type != NULL && type->storage == COSM_STORAGE_SECTOR
                   ? cosmi_beside_change(world, call, entity, type, add)
                   : change_far(world, call, record, entity, component, add);
    }
    if (UNLIKELY(world.batch->events != NULL)) {
        return move_watched(world, call, record, source, transition);
    }
    result = cosmi_rows_move(world, call, record, source, transition);
    world_settle(world);
    return result;
}

cosm_result cosm_entity_add(cosm_world world, cosm_entity entity, cosm_component component) {
    return change_one(world, entity, component, true, "cosm_entity_add");
}

cosm_result cosm_entity_remove(cosm_world world, cosm_entity entity, cosm_component component) {
    return change_one(world, entity, component, false, "cosm_entity_remove");
}

static void write_record(cosm_world world, const struct record *record, uint32_t component,
                         const void *value) {
    struct store *store = world_store(world.batch, world.index, record->table);
    const struct column_slot *slot = archetype_find(store->archetype, component);
    if (slot_is_split(store->archetype, slot)) {
        cosmi_split_write(store->archetype, slot, store_table(store, world.index)->columns,
                          store_first(store, world.index) + record->row, value);
    } else if (slot->size > 0) {
        memmove(store_cell(store, store_table(store, world.index), world.index, slot->column,
                           record->row, slot->size),
                value, slot->size);
    }
    if (UNLIKELY(store_sides(store) != 0)) {
        cosmi_side_set(world, store, component, record->row, 1);
    }
}

// A tag has no value that could be set.
static void log_set(cosm_world world, const struct record *record, const struct value_type *type) {
    struct store *store = world_store(world.batch, world.index, record->table);
    if (UNLIKELY(store_is_watched(store)) && type->size > 0) {
        cosmi_event_set(world, store, type->id, record->row, 1);
    }
}

// Room for what observers are told when a row gets a value, and another table first where the two
// archetypes, or shared values, differ.
static cosm_result reserve_set(cosm_world world, const char *call, const struct archetype *source,
                               const struct archetype *target, bool moves) {
    struct event_need need = {0, 0, 0, 0};
    if (world.batch->events != NULL) {
        if (moves) {
            cosmi_event_need(&need, source, target, 1, 1);
        }
        cosmi_event_need_set(&need, target, 1, 1);
    }
    return cosmi_event_reserve(world, call, &need);
}

// Takes a shared value, and the component with it where it was absent: moves the entity to the
// table of its values.
static cosm_result move_to_value(cosm_world world, const char *call, struct record *record,
                                 struct store *source, const struct transition *transition,
                                 const struct value_type *type, const void *value) {
    struct archetype *archetype = transition == NULL ? source->archetype : transition->target;
    cosm_value shared = {{type->id}, value};
    struct store *target = cosmi_shared_store(world, call, archetype, source, &shared, 1);
    if (target != NULL && target != source && transition == NULL) {
        transition = cosmi_schema_self(world.batch->schema, call, archetype);
        target = transition == NULL ? NULL : target;
    }
    cosm_result result = target == NULL
                             ? cosm_error_result()
                             : reserve_set(world, call, source->archetype, archetype, true);
    if (result == COSM_OK && target != source) {
        result = cosmi_rows_make_rows(world, call, target, 1);
        if (result == COSM_OK) {
            cosmi_rows_move_to(world, record, source, target, transition);
        }
    }
    if (result == COSM_OK && store_sides(target) != 0) {
        cosmi_side_set(world, target, type->id, record->row, 1);
        log_set(world, record, type);
    }
    end_change(world, call);
    return result;
}

// Adds the component and writes it. The value may lie in a row that moves, so it is kept aside.
static cosm_result move_and_write(cosm_world world, const char *call, struct record *record,
                                  struct store *source, const struct transition *transition,
                                  const struct value_type *type, const void *value) {
    struct kept_value kept;
    if (!cosmi_value_keep(world.batch, call, value, type->size, &kept)) {
        return COSM_ERROR_MEMORY;
    }
    cosm_result result = reserve_set(world, call, source->archetype, transition->target, true);
    if (result == COSM_OK) {
        result = cosmi_rows_move(world, call, record, source, transition);
    }
    if (result == COSM_OK) {
        write_record(world, record, type->id, kept.bytes);
        log_set(world, record, type);
    }
    cosmi_value_give(world.batch, &kept);
    end_change(world, call);
    return result;
}

// Writes to a component that an entity has, where observers may want to know. While the world is
// being walked this is a write like any other, also by several threads at a time: they are not
// told.
COLD static cosm_result write_watched(cosm_world world, const char *call,
                                      const struct record *record, const struct value_type *type,
                                      const void *value) {
    bool notifies = cosmi_can_change(world.batch, world.index);
    const struct store *store = world_store(world.batch, world.index, record->table);
    cosm_result result =
        notifies ? reserve_set(world, call, store->archetype, store->archetype, false) : COSM_OK;
    if (result == COSM_OK) {
        write_record(world, record, type->id, value);
    }
    if (result == COSM_OK && notifies) {
        log_set(world, record, type);
        (void)cosmi_deliver(world, call);
    }
    return result;
}

cosm_result cosm_entity_set(cosm_world world, cosm_entity entity, cosm_component component,
                            const void *value) {
    static const char call[] = "cosm_entity_set";
    if (!world_exists(world)) {
        return cosmi_refuse_world(world, call);
    }
    const struct value_type *type = cosmi_check_set(world.batch, call, component, value);
    if (type == NULL) {
        return COSM_ERROR_ARGUMENT;
    }
    if (UNLIKELY(type->storage == COSM_STORAGE_MANAGED)) {
        return cosmi_object_copy(world, call, entity, type, value);
    }
    struct record *record = directory_find(world_data(world), entity);
    if (record == NULL) {
        return COSM_STALE;
    }
    struct store *source = world_store(world.batch, world.index, record->table);
    if (type->storage == COSM_STORAGE_SECTOR) {
        return cosmi_beside_set(world, entity, record, type, value, call);
    }
    bool is_shared = type->storage == COSM_STORAGE_SHARED;
    if (store_find(source, component.id) != NULL && !is_shared) {
        cosmi_check_component(world.batch, world.index, component.id, true, call);
        cosmi_check_cell(world.batch, world.index, source->archetype, record->row, component.id,
                         true, call);
        if (UNLIKELY(store_is_watched(source))) {
            return write_watched(world, call, record, type, value);
        }
        write_record(world, record, component.id, value);
        return COSM_OK;
    }
    // Only where it is absent, or shared, is setting it a structural change.
    const struct transition *transition = archetype_edge(source->archetype, component.id, true);
    cosm_result result = check_change(world, call);
    if (result == COSM_OK && transition == NULL) {
        result = cosmi_schema_change(world.batch->schema, call, source->archetype, &component.id, 1,
                                     true, &transition);
    }
    if (result == COSM_OK && is_shared) {
        return move_to_value(world, call, record, source, transition, type, value);
    }
    return result != COSM_OK ? result
                             : move_and_write(world, call, record, source, transition, type, value);
}

static cosm_result change_many(cosm_world world, const cosm_entity *entities, uint32_t count,
                               cosm_component component, enum command_kind kind, const char *call) {
    uint32_t member_count;
    cosm_result result = cosmi_check_array(world, entities, count, call);
    if (result != COSM_OK) {
        return result;
    }
    if (cosmi_schema_members(world.batch->schema, call, &component, &member_count) == NULL) {
        return COSM_ERROR_ARGUMENT;
    }
    struct array_change change = {call, entities, count, component, kind, NULL, NULL};
    return cosmi_array_change(world, &change);
}

cosm_result cosm_entity_add_many(cosm_world world, const cosm_entity *entities, uint32_t count,
                                 cosm_component component) {
    return change_many(world, entities, count, component, COMMAND_ADD, "cosm_entity_add_many");
}

cosm_result cosm_entity_remove_many(cosm_world world, const cosm_entity *entities, uint32_t count,
                                    cosm_component component) {
    return change_many(world, entities, count, component, COMMAND_REMOVE,
                       "cosm_entity_remove_many");
}

cosm_result cosm_entity_set_many(cosm_world world, const cosm_entity *entities, uint32_t count,
                                 cosm_component component, const void *values) {
    static const char call[] = "cosm_entity_set_many";
    cosm_result result = cosmi_check_array(world, entities, count, call);
    if (result != COSM_OK) {
        return result;
    }
    const void *first = count == 0 ? "" : values;
    const struct value_type *type = cosmi_check_set(world.batch, call, component, first);
    if (type == NULL) {
        return COSM_ERROR_ARGUMENT;
    }
    struct array_change change = {call, entities, count, component, COMMAND_SET, values, type};
    return cosmi_array_change(world, &change);
}
