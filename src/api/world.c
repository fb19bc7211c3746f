// The public calls of cosm/batch.h.
#include <cosm/batch.h>

#include "api/check.h"
#include "run/observer.h"

cosm_world cosm_batch_world(cosm_batch *batch, uint32_t index) {
    cosm_world world = {batch, index};
    if (!world_exists(world)) {
        (void)cosmi_refuse_world(world, "cosm_batch_world");
        return (cosm_world){NULL, 0};
    }
    return world;
}

uint64_t cosm_world_step_count(cosm_world world) {
    return world_exists(world) ? world_step(world.batch, world.index) : 0;
}

uint64_t cosm_world_number(cosm_world world) {
    return world_exists(world) ? world_number(world.batch, world.index) : 0;
}

cosm_result cosm_world_seed(cosm_world world, uint64_t seed, uint64_t number) {
    cosm_result result = check_change(world, "cosm_world_seed");
    if (result == COSM_OK) {
        world_set_stream(world.batch, world.index, seed, 0, number);
    }
    return result;
}

cosm_worlds cosm_worlds_one(cosm_world world) {
    if (!world_exists(world)) {
        (void)cosmi_refuse_world(world, "cosm_worlds_one");
        return (cosm_worlds){NULL, 0, 0};
    }
    return (cosm_worlds){world.batch, world.index, 1};
}

cosm_worlds cosm_worlds_range(cosm_batch *batch, uint32_t first, uint32_t count) {
    cosm_worlds worlds = {batch, first, count};
    if (!worlds_exist(worlds)) {
        (void)cosmi_refuse_worlds(worlds, "cosm_worlds_range");
        return (cosm_worlds){NULL, 0, 0};
    }
    return worlds;
}

cosm_world cosm_worlds_outside(cosm_worlds worlds, uint32_t i) {
    (void)cosmi_fail(worlds.batch == NULL ? NULL : worlds.batch->sink, COSM_ERROR_ARGUMENT,
                     "cosm_worlds_at: there is no world %u in a range of %u; count from 0", i,
                     worlds.count);
    return (cosm_world){NULL, 0};
}

cosm_worlds cosm_worlds_all(cosm_batch *batch) {
    if (batch == NULL) {
        (void)cosmi_refuse_null(NULL, "cosm_worlds_all", "batch",
                                "pass one from cosm_batch_create");
        return (cosm_worlds){NULL, 0, 0};
    }
    return (cosm_worlds){batch, 0, batch->world_count};
}

uint32_t cosm_world_entity_count(cosm_world world) {
    return world_exists(world) ? world.batch->worlds[world.index].alive : 0;
}

cosm_result cosm_world_reset(cosm_world world) {
    static const char call[] = "cosm_world_reset";
    cosm_result result = check_change(world, call);
    if (result == COSM_OK && world.batch->events != NULL) {
        result = cosmi_event_reserve_reset(world, call);
    }
    if (result == COSM_OK) {
        result = cosmi_reset_world(world, call);
        deliver_events(world, call);
    }
    return result;
}

cosm_result cosm_world_reserve(cosm_world world, cosm_archetype archetype, uint32_t count) {
    static const char call[] = "cosm_world_reserve";
    cosm_result result = check_change(world, call);
    if (result != COSM_OK) {
        return result;
    }
    struct archetype *known = schema_archetype(world.batch->schema, archetype.id);
    if (known == NULL) {
        return cosmi_refuse_archetype(world.batch, call, archetype);
    }
    if (known->shared_count > 0) {
        return cosmi_fail(world.batch->sink, COSM_ERROR_ARGUMENT,
                          "%s: archetype %u '%s' has shared components: the table of an entity "
                          "depends on its values, which are not known yet; use "
                          "cosm_entity_spawn_many_with, which reserves all room first",
                          call, known->id, known->name);
    }
    return cosmi_rows_make_spare(world, call, known, count);
}

bool cosm_world_is_walked(cosm_world world) {
    return world_exists(world) && batch_is_walked(world.batch, world.index);
}

cosm_memory cosm_world_memory(cosm_world world) {
    if (!world_exists(world)) {
        return (cosm_memory){0, 0, 0};
    }
    return (cosm_memory){cosmi_batch_world_bytes(world.batch, world.index),
                         cosmi_batch_live_bytes(world.batch, world.index), 0};
}
