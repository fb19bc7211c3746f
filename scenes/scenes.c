// The list of scenes, and what is the same for all of them: making, stepping and destroying one.
#include "scenes.h"
#include "stage.h"

#include <stdlib.h>
#include <string.h>

// Worlds that go through all systems of a step before the next ones do, so that a block of worlds
// of a few KiB each stays in the cache from the first system to the last. 200 steps of the grid
// scene with 4,096 worlds took 2.2 s with blocks of 8 to 64 worlds, 2.4 s with 256, 3.6 s with all.
#define BLOCK_WORLDS 32u

static const scene_desc *const scenes[] = {&stage_falling, &stage_grid, &stage_boids};

uint32_t scene_count(void) {
    return (uint32_t)(sizeof(scenes) / sizeof(scenes[0]));
}

const scene_desc *scene_at(uint32_t index) {
    return index < scene_count() ? scenes[index] : NULL;
}

const scene_desc *scene_find(const char *name) {
    for (uint32_t i = 0; i < scene_count(); i++) {
        if (strcmp(scenes[i]->name, name) == 0) {
            return scenes[i];
        }
    }
    return NULL;
}

// Everything that can fail on the way to a scene that is ready to step.
static cosm_result set_up(scene_run *made) {
    made->engine = cosm_engine_create(&made->settings.engine);
    if (made->engine == NULL) {
        return cosm_error_result();
    }
    made->desc->define(made);
    if (made->result != COSM_OK) {
        return made->result;
    }
    made->batch = cosm_batch_create(made->engine, &(cosm_batch_desc){
                                                      .world_count = made->settings.world_count,
                                                      .seed = made->settings.seed,
                                                      .memory_limit = made->settings.memory_limit,
                                                  });
    if (made->batch == NULL) {
        return cosm_error_result();
    }
    made->commands = cosm_commands_create(made->batch);
    if (made->commands == NULL) {
        return cosm_error_result();
    }
    uint32_t world_count = cosm_batch_world_count(made->batch);
    for (uint32_t w = 0; w < world_count && made->result == COSM_OK; w++) {
        made->desc->populate(made, cosm_batch_world(made->batch, w));
    }
    return made->result;
}

scene_run *scene_create(const scene_desc *desc, const scene_settings *settings) {
    scene_run *made = calloc(1, desc->size);
    if (made == NULL) {
        return NULL;
    }
    made->desc = desc;
    if (settings != NULL) {
        made->settings = *settings;
    }
    if (set_up(made) != COSM_OK) {
        scene_destroy(made);
        return NULL;
    }
    return made;
}

void scene_destroy(scene_run *run) {
    if (run == NULL) {
        return;
    }
    cosm_commands_destroy(run->commands);
    // Nothing of this scene is left that could keep either of them busy.
    (void)cosm_batch_destroy(run->batch);
    (void)cosm_engine_destroy(run->engine);
    free(run);
}

cosm_result scene_step(scene_run *run) {
    uint32_t world_count = cosm_batch_world_count(run->batch);
    for (uint32_t first = 0; first < world_count; first += BLOCK_WORLDS) {
        uint32_t left = world_count - first;
        uint32_t count = left < BLOCK_WORLDS ? left : BLOCK_WORLDS;
        run->desc->step(run, cosm_worlds_range(run->batch, first, count));
    }
    return run->result != COSM_OK ? run->result : cosm_batch_step(run->batch);
}

const scene_desc *scene_what(const scene_run *run) {
    return run->desc;
}

cosm_engine *scene_engine(const scene_run *run) {
    return run->engine;
}

cosm_batch *scene_batch(const scene_run *run) {
    return run->batch;
}

void stage_walk(scene_run *run, const cosm_query *query, cosm_worlds worlds,
                stage_system_fn *system) {
    if (run->result != COSM_OK) {
        return;
    }
    cosm_rows rows;
    cosm_query_walk(query, worlds, &rows);
    while (cosm_rows_next(&rows)) {
        system(run, &rows);
    }
}

void stage_sync(scene_run *run) {
    if (run->result == COSM_OK) {
        stage_note(run, cosm_commands_apply(run->commands, NULL));
    }
}

void stage_note(scene_run *run, cosm_result result) {
    if (run->result == COSM_OK) {
        run->result = result;
    }
}

void stage_note_spawn(scene_run *run, cosm_entity spawned) {
    if (cosm_entity_is_none(spawned)) {
        stage_note(run, cosm_error_result());
    }
}

uint64_t stage_key(const scene_run *run, uint32_t world) {
    return random_key(run->settings.seed, world, cosm_batch_step_count(run->batch));
}

cosm_component stage_component(scene_run *run, const char *name, size_t size, size_t alignment) {
    if (run->result != COSM_OK) {
        return (cosm_component){0};
    }
    cosm_component component = cosm_component_define(
        run->engine, &(cosm_component_desc){.name = name, .size = size, .alignment = alignment});
    stage_note(run, component.id != 0 ? COSM_OK : cosm_error_result());
    return component;
}

cosm_singleton stage_singleton(scene_run *run, const char *name, size_t size, size_t alignment) {
    if (run->result != COSM_OK) {
        return (cosm_singleton){0};
    }
    cosm_singleton singleton = cosm_singleton_define(
        run->engine, &(cosm_singleton_desc){.name = name, .size = size, .alignment = alignment});
    stage_note(run, singleton.id != 0 ? COSM_OK : cosm_error_result());
    return singleton;
}

cosm_archetype stage_archetype(scene_run *run, const cosm_archetype_desc *desc) {
    if (run->result != COSM_OK) {
        return (cosm_archetype){0};
    }
    cosm_archetype_desc placed = *desc;
    placed.placement = run->settings.placement;
    if (placed.placement == COSM_PLACEMENT_GROWING) {
        placed.max_per_world = 0;
    }
    cosm_archetype archetype = cosm_archetype_define(run->engine, &placed);
    stage_note(run, archetype.id != 0 ? COSM_OK : cosm_error_result());
    return archetype;
}

cosm_query *stage_query(scene_run *run, const cosm_query_desc *desc) {
    if (run->result != COSM_OK) {
        return NULL;
    }
    cosm_query *query = cosm_query_create(run->engine, desc);
    stage_note(run, query != NULL ? COSM_OK : cosm_error_result());
    return query;
}
