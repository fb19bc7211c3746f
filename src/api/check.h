// Argument checks of the public calls: each reports what is wrong, what was passed, and what to
// do, and returns whether the call may go on.
#ifndef COSM_API_CHECK_H
#define COSM_API_CHECK_H

#include "api/engine.h"
#include "run/observer.h"
#include "store/rows.h"

COLD cosm_result cosmi_refuse_world(cosm_world world, const char *call);
COLD cosm_result cosmi_refuse_worlds(cosm_worlds worlds, const char *call);
COLD cosm_result cosmi_refuse_archetype(const struct cosm_batch *batch, const char *call,
                                        cosm_archetype archetype);
COLD cosm_result cosmi_refuse_component(const struct cosm_batch *batch, const char *call,
                                        cosm_component component);
COLD cosm_result cosmi_refuse_bundle(const struct cosm_batch *batch, const char *call,
                                     cosm_component component, const char *remedy);
COLD cosm_result cosmi_refuse_walked(const struct cosm_batch *batch, const char *call,
                                     uint32_t world);
// A world that is walked or locked by a step: COSM_OK where an exclusive system changes it.
COLD cosm_result cosmi_check_walked(const struct cosm_batch *batch, const char *call,
                                    uint32_t world);

COLD cosm_result cosmi_refuse_size(const struct cosm_batch *batch, const char *call,
                                   const char *kind, const char *name, size_t size,
                                   size_t type_size);

// A split component where a column or a pointer to whole values is wanted: says so. `remedy` is
// what to use instead. Returns NULL.
COLD void *cosmi_refuse_split(const struct cosm_batch *batch, const char *call, uint32_t component,
                              const char *remedy);

// A shared component where a column is wanted: as above.
COLD void *cosmi_refuse_shared(const struct cosm_batch *batch, const char *call, uint32_t component,
                               const char *remedy);

static inline bool world_exists(cosm_world world) {
    return world.batch != NULL && world.index < world.batch->world_count;
}

static inline bool worlds_exist(cosm_worlds worlds) {
    return worlds.batch != NULL && worlds.first <= worlds.batch->world_count &&
           worlds.count <= worlds.batch->world_count - worlds.first;
}

// A world that exists and that nobody walks; the calling thread becomes its owner.
static inline cosm_result check_change(cosm_world world, const char *call) {
    if (UNLIKELY(!world_exists(world))) {
        return cosmi_refuse_world(world, call);
    }
    if (UNLIKELY(batch_is_walked(world.batch, world.index))) {
        cosm_result result = cosmi_check_walked(world.batch, call, world.index);
        if (result != COSM_OK) {
            return result;
        }
    }
    const void *token = thread_token();
    if (UNLIKELY(world.batch->worlds[world.index].owner != token)) {
        world.batch->worlds[world.index].owner = token;
    }
    return COSM_OK;
}

// The checks of every call that takes an array of entities and changes them.
cosm_result cosmi_check_array(cosm_world world, const cosm_entity *entities, uint32_t count,
                              const char *call);

// A query of the engine that worlds which exist belong to.
cosm_result cosmi_check_walk(const cosm_query *query, cosm_worlds worlds, const char *call);

// May the calling thread write a component of the batch, as far as its system declares?
bool cosmi_may_write(const struct cosm_batch *batch, uint32_t component);

// One field of rows, for reading: see cosm_rows_span.
cosm_span cosmi_rows_span(const cosm_rows *rows, cosm_component component, uint32_t field);

// May the calling thread change the world directly now? Says nothing.
bool cosmi_can_change(const struct cosm_batch *batch, uint32_t world);

// Resets a world that nobody walks; there is room for events.
cosm_result cosmi_reset_world(cosm_world world, const char *call);

// The same for several worlds.
cosm_result cosmi_check_changes(cosm_worlds worlds, const char *call);

// The component's type, where it must be one with a place of its own; NULL with a message.
const struct value_type *cosmi_check_plain(const struct cosm_batch *batch, const char *call,
                                           cosm_component component);

// As above for a component that is to be set; `value` must not be NULL where it has bytes.
const struct value_type *cosmi_check_set(const struct cosm_batch *batch, const char *call,
                                         cosm_component component, const void *value);

// A name for something to be defined.
cosm_result cosmi_check_name(const struct cosm_batch *batch, const char *call, const char *name);

// May a command for a world be recorded here, now? See api/commands.c.
cosm_result cosmi_check_record(const cosm_commands *commands, cosm_world world, const char *call);

// What a recording call returns. Where it failed, the object, which may be NULL, keeps the failure
// for whoever applies it.
cosm_result cosmi_recorded(cosm_commands *commands, cosm_result result);
cosm_entity cosmi_recorded_entity(cosm_commands *commands, cosm_entity entity);

// The template of a spawn whose overrides fit it; NULL with a message. See api/template.c.
struct template;
const struct template *cosmi_check_template(const struct cosm_batch *batch, const char *call,
                                            cosm_template from, const cosm_value *overrides,
                                            uint32_t override_count);

// Spawns an entity with values of some of its components; none, with a message that names `call`,
// on failure. See api/entity.c.
cosm_entity cosmi_spawn_one(cosm_world world, cosm_archetype id, const cosm_value *values,
                            uint32_t value_count, const char *call);

// Spawns what is described, one at the top or some whose rows are shown, and calls observers.
struct spawn;
cosm_entity cosmi_spawn_planned(struct spawn *spawn);
cosm_result cosmi_spawn_shown(struct spawn *spawn, cosm_rows *out_rows);

// The checks of every call that spawns rows and shows them; `out_rows` shows none so far.
cosm_result cosmi_check_shown(cosm_world world, const char *call, cosm_rows *out_rows);

// Values for a spawn: every component is plain and in the archetype, and has bytes to copy.
cosm_result cosmi_check_values(const struct cosm_batch *batch, const char *call,
                               const struct archetype *archetype, const cosm_value *values,
                               uint32_t value_count);

#endif
