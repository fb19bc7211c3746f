// The public calls of cosm/entity.h that make and unmake entities. Changes are in entity_change.c,
// access is in access.c.
#include <cosm/entity.h>

#include "api/check.h"
#include "query/walk.h"
#include "run/observer.h"
#include "store/spawn.h"

// The archetype of a spawn; NULL with a message.
static struct archetype *spawn_archetype(cosm_world world, cosm_archetype archetype,
                                         const char *call) {
    struct archetype *known = schema_archetype(world.batch->schema, archetype.id);
    if (known == NULL) {
        (void)cosmi_refuse_archetype(world.batch, call, archetype);
    }
    return known;
}

COLD static cosm_result refuse_temporary_spawn(const struct cosm_batch *batch, const char *call,
                                               const struct archetype *archetype) {
    return cosmi_fail(batch->sink, COSM_ERROR_ARGUMENT,
                      "%s: archetype %u '%s' is temporary: its rows have no handles; add rows with "
                      "cosm_entity_spawn_many or cosm_commands_emit",
                      call, archetype->id, archetype->name);
}

// What takes more than a row that is at hand. The values have not been checked.
COLD static cosm_entity spawn_by_plan(cosm_world world, cosm_archetype id, const cosm_value *values,
                                      uint32_t value_count, const char *call) {
    struct archetype *archetype = spawn_archetype(world, id, call);
    if (archetype == NULL ||
        cosmi_check_values(world.batch, call, archetype, values, value_count) != COSM_OK) {
        return COSM_ENTITY_NONE;
    }
    if (archetype->temporary) {
        (void)refuse_temporary_spawn(world.batch, call, archetype);
        return COSM_ENTITY_NONE;
    }
    struct spawn spawn = {.world = world,
                          .call = call,
                          .archetype = archetype,
                          .values = values,
                          .value_count = value_count,
                          .count = 1};
    return cosmi_spawn_planned(&spawn);
}

cosm_entity cosmi_spawn_planned(struct spawn *spawn) {
    cosm_entity entity =
        cosmi_spawn(spawn) == COSM_OK ? cosmi_spawn_entity(spawn) : COSM_ENTITY_NONE;
    end_change(spawn->world, spawn->call);
    return entity;
}

cosm_entity cosmi_spawn_one(cosm_world world, cosm_archetype id, const cosm_value *values,
                            uint32_t value_count, const char *call) {
    if (UNLIKELY(check_change(world, call) != COSM_OK)) {
        return COSM_ENTITY_NONE;
    }
    struct store *store = id.id < PAGED_MAX ? batch_store(world.batch, id.id) : NULL;
    if (UNLIKELY(store == NULL || spawn_needs_plan(world, store, value_count))) {
        return spawn_by_plan(world, id, values, value_count, call);
    }
    cosm_entity entity = spawn_in_row(world, store, values, value_count, false);
    if (UNLIKELY(cosm_entity_is_none(entity))) {
        id.id = store->archetype->id; // as it was: the usual case need not keep it
        return spawn_by_plan(world, id, values, value_count, call);
    }
    return entity;
}

cosm_entity cosm_entity_spawn(cosm_world world, cosm_archetype archetype) {
    return cosmi_spawn_one(world, archetype, NULL, 0, "cosm_entity_spawn");
}

cosm_entity cosm_entity_spawn_with(cosm_world world, cosm_archetype archetype,
                                   const cosm_value *values, uint32_t value_count) {
    return cosmi_spawn_one(world, archetype, values, value_count, "cosm_entity_spawn_with");
}

cosm_result cosmi_spawn_shown(struct spawn *spawn, cosm_rows *out_rows) {
    cosm_world world = spawn->world;
    cosm_result result = cosmi_spawn(spawn);
    if (result == COSM_OK) {
        cosmi_rows_show(out_rows, world, spawn->store, spawn->row, spawn->count);
        if (world.batch->events != NULL) {
            cosmi_deliver_rows(world, spawn->call, out_rows);
        }
    }
    end_change(world, spawn->call);
    return result;
}

cosm_result cosmi_check_shown(cosm_world world, const char *call, cosm_rows *out_rows) {
    if (out_rows != NULL) {
        memset(out_rows, 0, sizeof(*out_rows)); // after a failure it shows no rows
    }
    cosm_result result = check_change(world, call);
    return result != COSM_OK || out_rows != NULL
               ? result
               : cosmi_refuse_null(world.batch->sink, call, "out_rows", "pass a cosm_rows to fill");
}

// Of `spawn`, all but the archetype is filled in.
static cosm_result spawn_many(struct spawn *spawn, cosm_archetype id, cosm_rows *out_rows) {
    cosm_world world = spawn->world;
    const char *call = spawn->call;
    cosm_result result = cosmi_check_shown(world, call, out_rows);
    if (result != COSM_OK) {
        return result;
    }
    spawn->archetype = spawn_archetype(world, id, call);
    if (spawn->archetype == NULL ||
        cosmi_check_values(world.batch, call, spawn->archetype, spawn->values,
                           spawn->value_count) != COSM_OK) {
        return COSM_ERROR_ARGUMENT;
    }
    for (uint32_t i = 0; i < spawn->value_count; i++) {
        const struct value_type *type =
            schema_component(world.batch->schema, spawn->values[i].component.id);
        if (type->storage == COSM_STORAGE_SECTOR) {
            return cosmi_fail(world.batch->sink, COSM_ERROR_ARGUMENT,
                              "%s: values[%u] is of component '%s', which has COSM_STORAGE_SECTOR "
                              "and is not stored in the rows; set it with cosm_entity_set_many",
                              call, i, type->name);
        }
    }
    return cosmi_spawn_shown(spawn, out_rows);
}

cosm_result cosm_entity_spawn_many(cosm_world world, cosm_archetype archetype, uint32_t count,
                                   cosm_rows *out_rows) {
    struct spawn spawn = {.world = world, .call = "cosm_entity_spawn_many", .count = count};
    return spawn_many(&spawn, archetype, out_rows);
}

cosm_result cosm_entity_spawn_many_with(cosm_world world, cosm_archetype archetype, uint32_t count,
                                        const cosm_value *values, uint32_t value_count,
                                        cosm_rows *out_rows) {
    struct spawn spawn = {.world = world,
                          .call = "cosm_entity_spawn_many_with",
                          .values = values,
                          .value_count = value_count,
                          .count = count};
    return spawn_many(&spawn, archetype, out_rows);
}

cosm_result cosm_entity_spawn_many_unset(cosm_world world, cosm_archetype archetype, uint32_t count,
                                         cosm_rows *out_rows) {
    struct spawn spawn = {
        .world = world, .call = "cosm_entity_spawn_many_unset", .count = count, .is_unset = true};
    return spawn_many(&spawn, archetype, out_rows);
}

// Despawns an entity that observers are told of.
COLD static cosm_result despawn_watched(cosm_world world, const char *call, struct record *record,
                                        uint32_t id) {
    struct event_need need = {0, 0, 0, 0};
    const struct store *store = world_store(world.batch, world.index, record->table);
    cosmi_event_need_end(&need, world.batch, store->archetype, 1, 1);
    cosm_result result = cosmi_event_reserve(world, call, &need);
    if (result == COSM_OK) {
        rows_despawn(world, record, id);
        end_change(world, call);
    }
    return result;
}

cosm_result cosm_entity_despawn(cosm_world world, cosm_entity entity) {
    static const char call[] = "cosm_entity_despawn";
    cosm_result result = check_change(world, call);
    if (UNLIKELY(result != COSM_OK)) {
        return result;
    }
    struct record *record = directory_find(world_data(world), entity);
    if (record == NULL) {
        return COSM_STALE;
    }
    if (UNLIKELY(world.batch->events != NULL)) {
        return despawn_watched(world, call, record, entity.id);
    }
    rows_despawn(world, record, entity.id);
    world_settle(world);
    return COSM_OK;
}

// Makes room for events of entities that end.
static cosm_result reserve_despawns(cosm_world world, const char *call, const cosm_entity *entities,
                                    uint32_t count) {
    struct event_need need = {0, 0, 0, 0};
    for (uint32_t i = 0; world.batch->events != NULL && i < count; i++) {
        const struct record *record = directory_find(world_data(world), entities[i]);
        if (record != NULL) {
            const struct store *store = world_store(world.batch, world.index, record->table);
            cosmi_event_need_end(&need, world.batch, store->archetype, 1, 1);
        }
    }
    return cosmi_event_reserve(world, call, &need);
}

cosm_result cosm_entity_despawn_many(cosm_world world, const cosm_entity *entities,
                                     uint32_t count) {
    static const char call[] = "cosm_entity_despawn_many";
    cosm_result result = cosmi_check_array(world, entities, count, call);
    if (result == COSM_OK) {
        result = reserve_despawns(world, call, entities, count);
    }
    if (result != COSM_OK) {
        return result;
    }
    for (uint32_t i = 0; i < count; i++) {
        struct record *record = directory_find(world_data(world), entities[i]);
        if (record != NULL) {
            rows_despawn(world, record, entities[i].id);
        }
    }
    end_change(world, call);
    return COSM_OK;
}
