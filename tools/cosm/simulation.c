// Scenes and environments behind one face. The module sim is asked for here and in actions.c, and
// nowhere else: the program builds without it.
#include "simulation.h"

#include "progress.h"

#include <stdio.h>

#define CANVAS_SIDE 256u // where an environment does not say

#ifdef COSM_TOOL_SIM
#include "actions.h"

#include <cosm_sim/sim.h>

void simulation_list_envs(void) {
    for (uint32_t i = 0; i < scene_env_count(); i++) {
        const cosm_env_desc *env = scene_env_at(i);
        printf("%-10s %s\n", env->name, env->summary != NULL ? env->summary : "");
        printf("           environment, --worlds %u --steps %u --seed %u\n", ENV_WORLDS, ENV_STEPS,
               ENV_SEED);
    }
}

static cosm_sim *create_sim(const struct choice *choice, const scene_settings *settings) {
    return cosm_sim_create(&(cosm_sim_desc){
        .env = choice->env,
        .library = choice->library,
        .world_count = settings->world_count,
        .seed = settings->seed,
        .world_first = settings->world_first,
        .step_first = settings->step_first,
        .engine = settings->engine,
        .memory_limit = settings->memory_limit,
        .split = settings->split,
        .block_worlds = settings->block_worlds,
    });
}

static const void *slot_data(const cosm_sim *sim, uint32_t slot) {
    return cosm_batch_tensor(cosm_sim_batch(sim), slot)->data;
}

static void count_episodes(struct simulation *simulation) {
    const cosm_sim *sim = simulation->sim;
    struct episodes *episodes = &simulation->episodes;
    const uint8_t *terminated = slot_data(sim, COSM_SIM_SLOT_EPISODE_TERMINATED);
    const uint8_t *truncated = slot_data(sim, COSM_SIM_SLOT_EPISODE_TRUNCATED);
    const float *returns = slot_data(sim, COSM_SIM_SLOT_LAST_RETURN);
    const uint32_t *lengths = slot_data(sim, COSM_SIM_SLOT_LAST_LENGTH);
    uint32_t worlds = cosm_batch_world_count(cosm_sim_batch(sim));
    for (uint32_t i = 0; i < worlds; i++) {
        if (terminated[i] != 0 || truncated[i] != 0) {
            episodes->count++;
            episodes->returns += (double)returns[i];
            episodes->lengths += lengths[i];
        }
    }
}
#else
// Nothing of this is ever called with a simulation: none can be made.
void simulation_list_envs(void) {
}

static cosm_sim *create_sim(const struct choice *choice, const scene_settings *settings) {
    (void)settings;
    (void)cosm_error_raise(NULL, COSM_ERROR_ARGUMENT,
                           "%s: this program was built without the module `sim`; build it with "
                           "COSM_SIM=ON",
                           choice->library);
    return NULL;
}

static void actions_draw(cosm_sim *sim, uint64_t seed, uint64_t step) {
    (void)sim;
    (void)seed;
    (void)step;
}

static void count_episodes(struct simulation *simulation) {
    (void)simulation;
}

static cosm_result cosm_sim_step(cosm_sim *sim) {
    (void)sim;
    return COSM_ERROR_ARGUMENT;
}

static cosm_result cosm_sim_destroy(cosm_sim *sim) {
    (void)sim;
    return COSM_OK;
}

static cosm_engine *cosm_sim_engine(const cosm_sim *sim) {
    (void)sim;
    return NULL;
}

static cosm_batch *cosm_sim_batch(const cosm_sim *sim) {
    (void)sim;
    return NULL;
}

static const cosm_env_desc *cosm_sim_env(const cosm_sim *sim) {
    (void)sim;
    return NULL;
}

static cosm_result cosm_sim_draw(const cosm_sim *sim, uint32_t world, cosm_canvas *canvas) {
    (void)sim;
    (void)world;
    (void)canvas;
    return COSM_ERROR_ARGUMENT;
}
#endif

bool simulation_create(struct simulation *simulation, const struct choice *choice,
                       const scene_settings *settings) {
    *simulation = (struct simulation){.seed = settings->seed};
    if (choice->scene != NULL) {
        simulation->scene = scene_create(choice->scene, settings);
    } else {
        simulation->sim = create_sim(choice, settings);
    }
    return simulation->scene != NULL || simulation->sim != NULL;
}

void simulation_destroy(struct simulation *simulation) {
    scene_destroy(simulation->scene);
    (void)cosm_sim_destroy(simulation->sim);
    *simulation = (struct simulation){.scene = NULL};
}

const char *simulation_choice_name(const struct choice *choice) {
    return choice->scene != NULL ? choice->scene->name
           : choice->env != NULL ? choice->env->name
                                 : choice->library;
}

const char *simulation_name(const struct simulation *simulation) {
    return simulation->scene != NULL ? scene_what(simulation->scene)->name
                                     : cosm_sim_env(simulation->sim)->name;
}

cosm_engine *simulation_engine(const struct simulation *simulation) {
    return simulation->scene != NULL ? scene_engine(simulation->scene)
                                     : cosm_sim_engine(simulation->sim);
}

cosm_batch *simulation_batch(const struct simulation *simulation) {
    return simulation->scene != NULL ? scene_batch(simulation->scene)
                                     : cosm_sim_batch(simulation->sim);
}

cosm_result simulation_step(struct simulation *simulation) {
    if (simulation->sim != NULL) {
        actions_draw(simulation->sim, simulation->seed,
                     cosm_batch_step_count(cosm_sim_batch(simulation->sim)));
    }
    uint64_t began_ns = progress_now_ns();
    cosm_result result =
        simulation->scene != NULL ? scene_step(simulation->scene) : cosm_sim_step(simulation->sim);
    simulation->step_ns += progress_now_ns() - began_ns;
    if (result == COSM_OK) {
        simulation->step_count++;
    }
    if (result == COSM_OK && simulation->sim != NULL) {
        count_episodes(simulation);
    }
    return result;
}

float simulation_step_seconds(const struct simulation *simulation) {
    return simulation->scene != NULL ? scene_what(simulation->scene)->step_seconds
                                     : cosm_sim_env(simulation->sim)->step_seconds;
}

bool simulation_canvas(const struct simulation *simulation, uint32_t *out_width,
                       uint32_t *out_height) {
    if (simulation->scene != NULL) {
        const scene_desc *scene = scene_what(simulation->scene);
        *out_width = scene->canvas_width;
        *out_height = scene->canvas_height;
        return scene->draw != NULL;
    }
    const cosm_env_desc *env = cosm_sim_env(simulation->sim);
    *out_width = env->canvas_width != 0 ? env->canvas_width : CANVAS_SIDE;
    *out_height = env->canvas_height != 0 ? env->canvas_height : CANVAS_SIDE;
    return env->draw != NULL;
}

cosm_result simulation_draw(const struct simulation *simulation, uint32_t world,
                            cosm_canvas *canvas) {
    if (simulation->scene != NULL) {
        scene_draw(simulation->scene, world, canvas);
        return COSM_OK;
    }
    return cosm_sim_draw(simulation->sim, world, canvas);
}
