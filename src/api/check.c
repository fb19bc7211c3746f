// Argument checks of the public calls: the messages.
#include "api/check.h"

#include "run/step.h"
#include "schema/names.h"

cosm_result cosmi_check_name(const struct cosm_batch *batch, const char *call, const char *name) {
    return cosmi_name_check(batch->sink, call, name);
}

cosm_result cosmi_refuse_world(cosm_world world, const char *call) {
    if (world.batch == NULL) {
        return cosmi_refuse_null(NULL, call, "world.batch", "pass a world from cosm_batch_world");
    }
    return cosmi_fail(
        world.batch->sink, COSM_ERROR_ARGUMENT,
        "%s: world.index %u does not exist; the batch has %u worlds: pass a smaller index", call,
        world.index, world.batch->world_count);
}

cosm_result cosmi_refuse_worlds(cosm_worlds worlds, const char *call) {
    if (worlds.batch == NULL) {
        return cosmi_refuse_null(NULL, call, "worlds.batch",
                                 "pass worlds from cosm_worlds_one, _range or _all");
    }
    return cosmi_fail(
        worlds.batch->sink, COSM_ERROR_ARGUMENT,
        "%s: %u worlds from world %u are out of range; the batch has %u: pass a range within it",
        call, worlds.count, worlds.first, worlds.batch->world_count);
}

cosm_result cosmi_refuse_archetype(const struct cosm_batch *batch, const char *call,
                                   cosm_archetype archetype) {
    return cosmi_fail(batch->sink, COSM_ERROR_ARGUMENT,
                      "%s: archetype %u is not defined in this engine; define it with "
                      "cosm_archetype_define",
                      call, archetype.id);
}

cosm_result cosmi_refuse_component(const struct cosm_batch *batch, const char *call,
                                   cosm_component component) {
    return cosmi_fail(batch->sink, COSM_ERROR_ARGUMENT,
                      "%s: component %u is not defined in this engine; define it with "
                      "cosm_component_define or cosm_bundle_define",
                      call, component.id);
}

cosm_result cosmi_refuse_bundle(const struct cosm_batch *batch, const char *call,
                                cosm_component component, const char *remedy) {
    return cosmi_fail(batch->sink, COSM_ERROR_ARGUMENT, "%s: '%s' is a bundle; %s", call,
                      schema_bundle(batch->schema, component.id)->name, remedy);
}

// May the turn that this thread is in change the world, although the step has locked it?
static bool may_change(const struct cosm_batch *batch, const struct turn *turn, uint32_t world) {
    cosm_worlds worlds = turn->open.worlds;
    return turn->system->exclusive && world - worlds.first < worlds.count &&
           !cosmi_sync_is_walked(batch, world);
}

bool cosmi_can_change(const struct cosm_batch *batch, uint32_t world) {
    const struct turn *turn = cosmi_turn_now;
    return !batch_is_walked(batch, world) ||
           (turn != NULL && turn->worker->batch == batch && may_change(batch, turn, world));
}

cosm_result cosmi_check_walked(const struct cosm_batch *batch, const char *call, uint32_t world) {
    const struct turn *turn = cosmi_turn_now;
    const struct delivery *delivery = cosmi_delivery_now;
    if (turn == NULL && delivery != NULL && delivery->world.batch == batch) {
        return cosmi_fail(batch->sink, COSM_ERROR_WALKED,
                          "%s: observer '%s' changes world %u directly; record the change with "
                          "event->commands",
                          call, delivery->observer->name, world);
    }
    if (turn == NULL || turn->worker->batch != batch) {
        return cosmi_refuse_walked(batch, call, world);
    }
    if (may_change(batch, turn, world)) {
        return COSM_OK;
    }
    return cosmi_fail(batch->sink, COSM_ERROR_WALKED,
                      "%s: system '%s' changes world %u directly; record the change with "
                      "cosm_turn_commands, or make the system exclusive and keep to the worlds of "
                      "its turn, with no walk open",
                      call, turn->system->name, world);
}

cosm_result cosmi_refuse_walked(const struct cosm_batch *batch, const char *call, uint32_t world) {
    return cosmi_fail(
        batch->sink, COSM_ERROR_WALKED,
        "%s: world %u is being walked; record the change with cosm_commands and apply "
        "it after the walk, or end the walk with cosm_rows_end",
        call, world);
}

cosm_result cosmi_refuse_size(const struct cosm_batch *batch, const char *call, const char *kind,
                              const char *name, size_t size, size_t type_size) {
    return cosmi_fail(batch->sink, COSM_ERROR_ARGUMENT,
                      "%s: %s '%s' has %zu bytes, the requested type has %zu; use the type it was "
                      "defined with",
                      call, kind, name, size, type_size);
}

cosm_result cosmi_check_changes(cosm_worlds worlds, const char *call) {
    if (!worlds_exist(worlds)) {
        return cosmi_refuse_worlds(worlds, call);
    }
    for (uint32_t w = worlds.first; w < worlds.first + worlds.count; w++) {
        if (batch_is_walked(worlds.batch, w)) {
            cosm_result result = cosmi_check_walked(worlds.batch, call, w);
            if (result != COSM_OK) {
                return result;
            }
        }
    }
    return COSM_OK;
}

const struct value_type *cosmi_check_plain(const struct cosm_batch *batch, const char *call,
                                           cosm_component component) {
    const struct value_type *type = schema_component(batch->schema, component.id);
    if (type == NULL) {
        if (schema_bundle(batch->schema, component.id) != NULL) {
            (void)cosmi_refuse_bundle(batch, call, component, "name one of its components");
        } else {
            (void)cosmi_refuse_component(batch, call, component);
        }
    }
    return type;
}

void *cosmi_refuse_split(const struct cosm_batch *batch, const char *call, uint32_t component,
                         const char *remedy) {
    (void)cosmi_fail(batch->sink, COSM_ERROR_ARGUMENT,
                     "%s: component '%s' is split here: each field has its own array, and no "
                     "value is contiguous; %s",
                     call, schema_component(batch->schema, component)->name, remedy);
    return NULL;
}

void *cosmi_refuse_shared(const struct cosm_batch *batch, const char *call, uint32_t component,
                          const char *remedy) {
    (void)cosmi_fail(batch->sink, COSM_ERROR_ARGUMENT,
                     "%s: component '%s' is shared: all rows of a table have the same value, and "
                     "there is no column; %s",
                     call, schema_component(batch->schema, component)->name, remedy);
    return NULL;
}

cosm_result cosmi_check_values(const struct cosm_batch *batch, const char *call,
                               const struct archetype *archetype, const cosm_value *values,
                               uint32_t value_count) {
    if (value_count > 0 && values == NULL) {
        return cosmi_refuse_null(batch->sink, call, "values", "pass value_count values");
    }
    for (uint32_t i = 0; i < value_count; i++) {
        const struct column_slot *slot = archetype_find(archetype, values[i].component.id);
        if (LIKELY(slot != NULL &&
                   (values[i].data != NULL ||
                    schema_component(batch->schema, values[i].component.id)->size == 0))) {
            continue;
        }
        const struct value_type *type = cosmi_check_plain(batch, call, values[i].component);
        if (type == NULL) {
            return COSM_ERROR_ARGUMENT;
        }
        bool is_beside = type->storage == COSM_STORAGE_SECTOR && !archetype->temporary;
        if (is_beside && (values[i].data != NULL || type->size == 0)) {
            continue;
        }
        if (slot != NULL || is_beside) {
            return cosmi_fail(
                batch->sink, COSM_ERROR_ARGUMENT,
                "%s: values[%u].data is NULL for component '%s'; point it to %u bytes", call, i,
                type->name, type->size);
        }
        return cosmi_fail(batch->sink, COSM_ERROR_ARGUMENT,
                          "%s: values[%u] is of component '%s', which archetype %u '%s' lacks; "
                          "spawn in an archetype that has it, or add it afterwards",
                          call, i, type->name, archetype->id, archetype->name);
    }
    return COSM_OK;
}

const struct value_type *cosmi_check_set(const struct cosm_batch *batch, const char *call,
                                         cosm_component component, const void *value) {
    const struct value_type *type = cosmi_check_plain(batch, call, component);
    if (type != NULL && value == NULL && type->size > 0) {
        (void)cosmi_fail(batch->sink, COSM_ERROR_ARGUMENT,
                         "%s: the value of component '%s' is NULL; point it to %u bytes", call,
                         type->name, type->size);
        return NULL;
    }
    return type;
}

cosm_result cosmi_reset_world(cosm_world world, const char *call) {
    if (LIKELY(cosmi_rows_reset(world))) {
        world_settle(world);
        return COSM_OK;
    }
    // Once in 65,536 resets with reserved ids: with records of their own they can be broken
    // singly.
    cosm_result result = cosmi_rows_settle(world, call);
    if (result == COSM_OK) {
        bool done = cosmi_rows_reset(world);
        INVARIANT(done, "a world without reserved ids can be reset");
        (void)done;
        world_settle(world);
    }
    return result;
}

cosm_result cosmi_check_array(cosm_world world, const cosm_entity *entities, uint32_t count,
                              const char *call) {
    cosm_result result = check_change(world, call);
    if (result == COSM_OK && entities == NULL && count > 0) {
        result = cosmi_refuse_null(world.batch->sink, call, "entities", "pass `count` entities");
    }
    return result;
}
