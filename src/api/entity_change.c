// The public calls of cosm/entity.h that change the components of entities: add, remove and set,
// for one and for many.
#include <cosm/entity.h>

#include "api/managed.h"
#include "run/checks.h"
#include "run/observer.h"
#include "store/modify.h"
#include "store/sector_set.h"

// The long way of a change: bundles, sealed archetypes, sets that are new, wrong ids, and sector
// components.
APART static cosm_result change_far(cosm_world world, const char *call, struct record *record,
                                    cosm_entity entity, cosm_component component, bool add) {
    const struct value_type *type = schema_component(world.batch->schema, component.id);
    cosm_result result;
    if (type != NULL && type->storage == COSM_STORAGE_SECTOR) {
        result = cosmi_modify_sector(world, call, entity, type, add);
        deliver_events(world, call);
    } else {
        result = cosmi_modify_change(world, call, record, entity, component, add);
        end_change(world, call);
    }
    return result;
}

// Moves a row that observers may be told of.
COLD static cosm_result move_watched(cosm_world world, const char *call, struct record *record,
                                     struct store *source, const struct transition *transition) {
    cosm_result result = cosmi_modify_move(world, call, record, source, transition);
    end_change(world, call);
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
        return change_far(world, call, record, entity, component, add);
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

// Writes to a component that an entity has, where observers may want to know. While the world is
// being walked this is a write like any other, also by several threads at a time: they are not
// told.
COLD static cosm_result write_watched(cosm_world world, const char *call,
                                      const struct record *record, const struct value_type *type,
                                      const void *value) {
    bool notifies = cosmi_can_change(world.batch, world.index);
    const struct store *store = world_store(world.batch, world.index, record->table);
    cosm_result result =
        notifies ? cosmi_modify_set_room(world, call, store->archetype, store->archetype, false)
                 : COSM_OK;
    if (result == COSM_OK) {
        cosmi_modify_write(world, record, type->id, value);
    }
    if (result == COSM_OK && notifies) {
        cosmi_modify_log_set(world, record, type);
        (void)cosmi_deliver(world, call);
    }
    return result;
}

// Only where it is absent is this a structural change.
static cosm_result set_sector(cosm_world world, cosm_entity entity, const struct record *record,
                              const struct value_type *type, const void *value, const char *call) {
    const struct store *store = world_store(world.batch, world.index, record->table);
    cosmi_check_component(world.batch, world.index, type->id, true, call);
    cosmi_check_cell(world.batch, world.index, store->archetype, record->row, type->id, true, call);
    void *object = cosmi_sector_value(world.batch, world.index, type, entity);
    bool notifies = cosmi_can_change(world.batch, world.index);
    cosm_result result = notifies ? cosmi_modify_sector_room(world, call, type) : COSM_OK;
    if (result == COSM_OK && object != NULL) {
        result = cosmi_sector_replace(world.batch, call, type, object, value);
    } else if (result == COSM_OK) {
        result = check_change(world, call);
        result = result != COSM_OK ? result : cosmi_sector_add(world, call, type, entity, value);
    }
    // While the world is being walked this is a write like any other, and nobody is told.
    if (UNLIKELY(world.batch->events != NULL) && result == COSM_OK && notifies) {
        if (object != NULL) {
            cosmi_event_sector(world, entity, type, EVENT_SECTOR_SET, NULL);
        }
        end_change(world, call);
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
        return set_sector(world, entity, record, type, value, call);
    }
    bool is_shared = type->storage == COSM_STORAGE_SHARED;
    if (store_find(source, component.id) != NULL && !is_shared) {
        cosmi_check_component(world.batch, world.index, component.id, true, call);
        cosmi_check_cell(world.batch, world.index, source->archetype, record->row, component.id,
                         true, call);
        if (UNLIKELY(store_is_watched(source))) {
            return write_watched(world, call, record, type, value);
        }
        cosmi_modify_write(world, record, component.id, value);
        return COSM_OK;
    }
    // Only where it is absent, or shared, is setting it a structural change.
    const struct transition *transition = archetype_edge(source->archetype, component.id, true);
    cosm_result result = check_change(world, call);
    if (result == COSM_OK && transition == NULL) {
        result = cosmi_schema_change(world.batch->schema, call, source->archetype, &component.id, 1,
                                     true, &transition);
    }
    if (result == COSM_OK) {
        result = cosmi_modify_set(world, call, record, source, transition, type, value);
        end_change(world, call);
    }
    return result;
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
