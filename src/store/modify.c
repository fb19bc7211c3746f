// Changing the components of one entity.
#include "store/modify.h"

#include "store/sector_set.h"
#include "store/shared.h"
#include "store/values.h"

// Components, a bit each.
struct component_bits {
    uint64_t words[COSM_COMPONENT_MAX / 64 + 1];
};

// Takes away the sector components of a list that are in `only` (NULL: all).
static void remove_sectors(cosm_world world, const char *call, cosm_entity entity,
                           const uint32_t *components, uint32_t count,
                           const struct component_bits *only) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t id = components[i];
        const struct value_type *type = schema_component(world.batch->schema, id);
        if (type->storage == COSM_STORAGE_SECTOR &&
            (only == NULL || (only->words[id / 64] >> (id % 64) & 1) != 0)) {
            (void)cosmi_sector_remove(world, call, type, entity);
        }
    }
}

// Adds the sector components of a list, and notes those that were absent. On failure they are taken
// away again.
static cosm_result add_sector_list(cosm_world world, const char *call, cosm_entity entity,
                                   const uint32_t *components, uint32_t count,
                                   struct component_bits *added) {
    cosm_result result = COSM_OK;
    for (uint32_t i = 0; i < count && result == COSM_OK; i++) {
        uint32_t id = components[i];
        const struct value_type *type = schema_component(world.batch->schema, id);
        if (type->storage == COSM_STORAGE_SECTOR &&
            cosmi_sector_value(world.batch, world.index, type, entity) == NULL) {
            result = cosmi_sector_add(world, call, type, entity, NULL);
            added->words[id / 64] |= (uint64_t)(result == COSM_OK) << (id % 64);
        }
    }
    if (result != COSM_OK) {
        remove_sectors(world, call, entity, components, count, added);
    }
    return result;
}

cosm_result cosmi_modify_change(cosm_world world, const char *call, struct record *record,
                                cosm_entity entity, cosm_component component, bool add) {
    struct store *source = world_store(world.batch, world.index, record->table);
    const struct transition *transition = NULL;
    uint32_t count;
    const uint32_t *members = cosmi_schema_members(world.batch->schema, call, &component, &count);
    cosm_result result = members == NULL
                             ? COSM_ERROR_ARGUMENT
                             : cosmi_schema_change(world.batch->schema, call, source->archetype,
                                                   members, count, add, &transition);
    struct component_bits added = {{0}};
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
        result = add_sector_list(world, call, entity, members, count, &added);
    }
    if (result == COSM_OK && transition != NULL) {
        result = cosmi_rows_move(world, call, record, source, transition);
        if (result != COSM_OK && add) {
            remove_sectors(world, call, entity, members, count, &added);
        }
    }
    if (result == COSM_OK && !add) {
        remove_sectors(world, call, entity, members, count, NULL);
    }
    return result;
}

cosm_result cosmi_modify_move(cosm_world world, const char *call, struct record *record,
                              struct store *source, const struct transition *transition) {
    struct event_need need = {0, 0, 0, 0};
    cosmi_event_need(&need, source->archetype, transition->target, 1, 1);
    cosm_result result = cosmi_event_reserve(world, call, &need);
    return result == COSM_OK ? cosmi_rows_move(world, call, record, source, transition) : result;
}

cosm_result cosmi_modify_sector_room(cosm_world world, const char *call,
                                     const struct value_type *type) {
    struct event_need need = {0, 0, 0, 0};
    cosmi_event_need_sector(&need, world.batch, type, 2);
    return cosmi_event_reserve(world, call, &need);
}

cosm_result cosmi_modify_sector(cosm_world world, const char *call, cosm_entity entity,
                                const struct value_type *type, bool add) {
    cosm_result result = cosmi_modify_sector_room(world, call, type);
    if (result == COSM_OK) {
        result = add ? cosmi_sector_add(world, call, type, entity, NULL)
                     : cosmi_sector_remove(world, call, type, entity);
    }
    return result;
}

cosm_result cosmi_modify_set_room(cosm_world world, const char *call,
                                  const struct archetype *source, const struct archetype *target,
                                  bool moves) {
    struct event_need need = {0, 0, 0, 0};
    if (world.batch->events != NULL) {
        if (moves) {
            cosmi_event_need(&need, source, target, 1, 1);
        }
        cosmi_event_need_set(&need, target, 1, 1);
    }
    return cosmi_event_reserve(world, call, &need);
}

void cosmi_modify_write(cosm_world world, const struct record *record, uint32_t component,
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

void cosmi_modify_log_set(cosm_world world, const struct record *record,
                          const struct value_type *type) {
    struct store *store = world_store(world.batch, world.index, record->table);
    if (UNLIKELY(store_is_watched(store)) && type->size > 0) {
        cosmi_event_set(world, store, type->id, record->row, 1);
    }
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
    cosm_result result =
        target == NULL ? cosm_error_result()
                       : cosmi_modify_set_room(world, call, source->archetype, archetype, true);
    if (result == COSM_OK && target != source) {
        result = cosmi_rows_make_rows(world, call, target, 1);
        if (result == COSM_OK) {
            cosmi_rows_move_to(world, record, source, target, transition);
        }
    }
    if (result == COSM_OK && store_sides(target) != 0) {
        cosmi_side_set(world, target, type->id, record->row, 1);
        cosmi_modify_log_set(world, record, type);
    }
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
    cosm_result result =
        cosmi_modify_set_room(world, call, source->archetype, transition->target, true);
    if (result == COSM_OK) {
        result = cosmi_rows_move(world, call, record, source, transition);
    }
    if (result == COSM_OK) {
        cosmi_modify_write(world, record, type->id, kept.bytes);
        cosmi_modify_log_set(world, record, type);
    }
    cosmi_value_give(world.batch, &kept);
    return result;
}

cosm_result cosmi_modify_set(cosm_world world, const char *call, struct record *record,
                             struct store *source, const struct transition *transition,
                             const struct value_type *type, const void *value) {
    return type->storage == COSM_STORAGE_SHARED
               ? move_to_value(world, call, record, source, transition, type, value)
               : move_and_write(world, call, record, source, transition, type, value);
}

cosm_result cosmi_modify_set_object(cosm_world world, const char *call, struct store *store,
                                    uint32_t column, uint32_t row,
                                    const struct object_source *source, void **out_object) {
    const struct value_type *type = store->archetype->columns[column].managed;
    void *object = managed_row(world.batch, store, world.index, column, row);
    cosm_result result = COSM_OK;
    if (object != NULL && object != source->moved) {
        result = cosmi_managed_replace(world.batch, call, type, object, source);
    } else if (object == NULL) {
        uint32_t ticket = cosmi_managed_make(world, call, type, source);
        if (ticket == 0) {
            return COSM_ERROR_MEMORY;
        }
        cosmi_managed_own(world, store, column, row, ticket);
        object = managed_row(world.batch, store, world.index, column, row);
    }
    if (result == COSM_OK && (store_sides(store) & ~SIDE_MANAGED) != 0) {
        cosmi_side_set(world, store, type->id, row, 1);
    }
    if (out_object != NULL) {
        *out_object = result == COSM_OK ? object : NULL;
    }
    return result;
}

// An object that is moved in has room, any other is made, before the row moves.
cosm_result cosmi_modify_add_object(cosm_world world, const char *call, struct record *record,
                                    const struct value_type *type,
                                    const struct object_source *source, void **out_object) {
    struct store *store = world_store(world.batch, world.index, record->table);
    const struct transition *transition;
    cosm_result result = cosmi_schema_change(world.batch->schema, call, store->archetype, &type->id,
                                             1, true, &transition);
    if (result == COSM_OK && world.batch->events != NULL) {
        struct event_need need = {0, 0, 0, 0};
        cosmi_event_need(&need, store->archetype, transition->target, 1, 1);
        cosmi_event_need_set(&need, transition->target, 1, 1);
        result = cosmi_event_reserve(world, call, &need);
    }
    uint32_t ticket = 0;
    if (result == COSM_OK && source->kind == OBJECT_MOVED) {
        result = cosmi_managed_room(world, call, type);
    } else if (result == COSM_OK) {
        ticket = cosmi_managed_make(world, call, type, source);
        result = ticket == 0 ? COSM_ERROR_MEMORY : COSM_OK;
    }
    if (result != COSM_OK) {
        return result;
    }
    result = cosmi_rows_move(world, call, record, store, transition);
    if (result != COSM_OK) {
        if (ticket != 0) {
            cosmi_managed_unmake(world, type, ticket);
        }
        return result;
    }
    store = world_store(world.batch, world.index, record->table);
    uint32_t column = store_find(store, type->id)->column;
    if (ticket == 0) {
        return cosmi_modify_set_object(world, call, store, column, record->row, source, out_object);
    }
    cosmi_managed_own(world, store, column, record->row, ticket);
    if ((store_sides(store) & ~SIDE_MANAGED) != 0) {
        cosmi_side_set(world, store, type->id, record->row, 1);
    }
    if (out_object != NULL) {
        *out_object = managed_row(world.batch, store, world.index, column, record->row);
    }
    return COSM_OK;
}
