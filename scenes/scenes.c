// The list of scenes, and what is the same for all of them: making, stepping and destroying one.
#include "scenes.h"
#include "stage.h"

#include <cosm_sim/env.h>
#include <stdlib.h>
#include <string.h>

static const scene_desc *const scenes[] = {&stage_falling, &stage_grid, &stage_boids, &stage_swarm};

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
                                                      .world_first = made->settings.world_first,
                                                      .step_first = made->settings.step_first,
                                                      .memory_limit = made->settings.memory_limit,
                                                      .step_seconds = made->desc->step_seconds,
                                                      .split = made->settings.split,
                                                      .block_worlds = made->settings.block_worlds,
                                                  });
    if (made->batch == NULL) {
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
    if (desc->defaults.entity_count == 0 || made->settings.entity_count == 0) {
        made->settings.entity_count = desc->defaults.entity_count;
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
    // Nothing of this scene is left that could keep either of them busy.
    (void)cosm_batch_destroy(run->batch);
    (void)cosm_engine_destroy(run->engine);
    free(run);
}

cosm_result scene_step(scene_run *run) {
    return cosm_batch_step(run->batch);
}

void scene_draw(const scene_run *run, uint32_t world, cosm_canvas *canvas) {
    memset(canvas->pixels, 0, (size_t)canvas->width * canvas->height * 3);
    if (run->desc->draw != NULL) {
        run->desc->draw(run, cosm_batch_world(run->batch, world), canvas);
    }
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

void stage_system(scene_run *run, const cosm_system_desc *desc) {
    if (run->result != COSM_OK) {
        return;
    }
    cosm_system_desc own = *desc;
    own.context = run;
    cosm_system system = cosm_system_define(run->engine, &own);
    stage_note(run, system.id != 0 ? COSM_OK : cosm_error_result());
}
