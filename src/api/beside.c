// The calls of cosm/entity.h where they are about sector components.
#include "api/beside.h"

#include "api/check.h"
#include "run/checks.h"
#include "run/observer.h"
#include "store/sector_set.h"

void cosmi_beside_remove(cosm_world world, const char *call, cosm_entity entity,
                         const uint32_t *components, uint32_t count,
                         const struct sector_bits *only) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t id = components[i];
        const struct value_type *type = schema_component(world.batch->schema, id);
        if (type->storage == COSM_STORAGE_SECTOR &&
            (only == NULL || (only->words[id / 64] >> (id % 64) & 1) != 0)) {
            (void)cosmi_sector_remove(world, call, type, entity);
        }
    }
}

cosm_result cosmi_beside_add(cosm_world world, const char *call, cosm_entity entity,
                             const uint32_t *components, uint32_t count,
                             struct sector_bits *added) {
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
        cosmi_beside_remove(world, call, entity, components, count, added);
    }
    return result;
}

// Room for what observers are told: that it was added and set, or removed.
static cosm_result reserve_sector_events(cosm_world world, const char *call,
                                         const struct value_type *type) {
    struct event_need need = {0, 0, 0, 0};
    cosmi_event_need_sector(&need, world.batch, type, 2);
    return cosmi_event_reserve(world, call, &need);
}

cosm_result cosmi_beside_change(cosm_world world, const char *call, cosm_entity entity,
                                const struct value_type *type, bool add) {
    cosm_result result = reserve_sector_events(world, call, type);
    if (result == COSM_OK) {
        result = add ? cosmi_sector_add(world, call, type, entity, NULL)
                     : cosmi_sector_remove(world, call, type, entity);
    }
    if (UNLIKELY(world.batch->events != NULL)) {
        end_change(world, call);
    }
    return result;
}

// Only where it is absent is this a structural change.
cosm_result cosmi_beside_set(cosm_world world, cosm_entity entity, const struct record *record,
                             const struct value_type *type, const void *value, const char *call) {
    const struct store *store = world_store(world.batch, world.index, record->table);
    cosmi_check_component(world.batch, world.index, type->id, true, call);
    cosmi_check_cell(world.batch, world.index, store->archetype, record->row, type->id, true, call);
    void *object = cosmi_sector_value(world.batch, world.index, type, entity);
    bool notifies = cosmi_can_change(world.batch, world.index);
    cosm_result result = notifies ? reserve_sector_events(world, call, type) : COSM_OK;
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
