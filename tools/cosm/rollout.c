// Runs an environment with random actions. An action depends on the seed, the world, the step and
// the place of the agent in its world, so that a run gives the same hash on any number of workers.
#include "rollout.h"

#include <stdio.h>

#ifdef COSM_TOOL_SIM
#include "actions.h"
#include "format.h"
#include "progress.h"
#include "show.h"
#include "summary.h"
#include "timing.h"

#include <cosm_sim/sim.h>

// The episodes that were over.
struct episodes {
    uint64_t count;
    double returns; // the sum over them
    uint64_t lengths;
};

void rollout_list(void) {
    for (uint32_t i = 0; i < scene_env_count(); i++) {
        const cosm_env_desc *env = scene_env_at(i);
        printf("%-10s %s\n", env->name, env->summary != NULL ? env->summary : "");
        printf("           environment, --worlds %u --steps %u --seed %u\n", ENV_WORLDS, ENV_STEPS,
               ENV_SEED);
    }
}

static const void *slot_data(const cosm_sim *sim, uint32_t slot) {
    return cosm_batch_tensor(cosm_sim_batch(sim), slot)->data;
}

static void count_episodes(const cosm_sim *sim, struct episodes *episodes) {
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

static void summarise(const struct arguments *arguments, const cosm_sim *sim,
                      const struct episodes *episodes, uint64_t step_ns) {
    cosm_batch *batch = cosm_sim_batch(sim);
    char count[32];
    printf("env        %s\n", cosm_sim_env(sim)->name);
    printf("worlds     %u, seed %llu\n", cosm_batch_world_count(batch),
           (unsigned long long)arguments->settings.seed);
    summary_speed(arguments, batch, cosm_sim_engine(sim), step_ns);
    format_count(count, sizeof(count), episodes->count);
    if (episodes->count > 0) {
        printf("episodes   %s, mean return %.3f, mean length %.1f\n", count,
               episodes->returns / (double)episodes->count,
               (double)episodes->lengths / (double)episodes->count);
    } else {
        printf("episodes   none was over\n");
    }
    summary_state(arguments, batch);
}

// Takes the steps. What is timed, to the last one, is the steps alone: drawing actions at random is
// no part of an environment.
static cosm_result take_steps(const struct arguments *arguments, cosm_sim *sim,
                              struct episodes *episodes, uint64_t *out_done, uint64_t *out_ns) {
    struct progress progress;
    progress_begin(&progress, cosm_batch_world_count(cosm_sim_batch(sim)), arguments->steps);
    cosm_result result = COSM_OK;
    uint64_t done = 0;
    uint64_t step_ns = 0;
    while (done < arguments->steps) {
        actions_draw(sim, arguments->settings.seed, done);
        uint64_t began_ns = progress_elapsed_ns(&progress);
        result = cosm_sim_step(sim);
        step_ns += progress_elapsed_ns(&progress) - began_ns;
        if (result != COSM_OK) {
            break;
        }
        count_episodes(sim, episodes);
        done++;
        progress_update(&progress, done);
    }
    *out_done = done;
    *out_ns = step_ns;
    progress_end(&progress);
    return result;
}

static cosm_sim *set_up(const struct arguments *arguments, uint32_t world_count,
                        struct timing *timing) {
    const scene_settings *settings = &arguments->settings;
    cosm_sim *sim = cosm_sim_create(&(cosm_sim_desc){
        .env = arguments->env,
        .library = arguments->library,
        .world_count = world_count,
        .seed = settings->seed,
        .engine = settings->engine,
        .memory_limit = settings->memory_limit,
        .split = settings->split,
        .block_worlds = settings->block_worlds,
    });
    if (sim != NULL && timing_begin(timing, cosm_sim_batch(sim)) == COSM_OK) {
        return sim;
    }
    fprintf(stderr, "cosm: the environment %s cannot be set up: %s\n",
            arguments->env != NULL ? arguments->env->name : arguments->library, summary_reason());
    summary_hint(arguments, cosm_error_result());
    (void)cosm_sim_destroy(sim);
    return NULL;
}

int rollout_run(const struct arguments *arguments) {
    struct timing timing;
    if (!timing_open(&timing, arguments)) {
        return 1;
    }
    cosm_sim *sim = set_up(arguments, arguments->settings.world_count, &timing);
    bool is_done = false;
    if (sim != NULL) {
        struct episodes episodes = {0};
        uint64_t done = 0;
        uint64_t step_ns = 0;
        is_done = take_steps(arguments, sim, &episodes, &done, &step_ns) == COSM_OK;
        if (is_done) {
            summarise(arguments, sim, &episodes, step_ns);
        } else {
            fprintf(stderr, "cosm: step %llu of %s failed: %s\n", (unsigned long long)done + 1,
                    cosm_sim_env(sim)->name, summary_reason());
            summary_hint(arguments, cosm_error_result());
        }
        is_done = timing_tell(&timing) && is_done;
    }
    timing_close(&timing);
    (void)cosm_sim_destroy(sim);
    return is_done ? 0 : 1;
}

int rollout_show(const struct arguments *arguments) {
    // Plan and schema are the same for all sizes.
    bool is_world = arguments->action == ACTION_SHOW;
    struct timing timing = {0};
    cosm_sim *sim = set_up(arguments, is_world ? arguments->settings.world_count : 1, &timing);
    if (sim == NULL) {
        return 1;
    }
    cosm_result result = COSM_OK;
    for (uint64_t i = 0; is_world && i < arguments->steps && result == COSM_OK; i++) {
        actions_draw(sim, arguments->settings.seed, i);
        result = cosm_sim_step(sim);
    }
    if (result == COSM_OK) {
        result = show_print(cosm_sim_engine(sim), cosm_sim_batch(sim), arguments, stdout);
    }
    if (result != COSM_OK) {
        fprintf(stderr, "cosm: %s cannot be shown: %s\n", cosm_sim_env(sim)->name,
                summary_reason());
    }
    (void)cosm_sim_destroy(sim);
    return result == COSM_OK ? 0 : 1;
}

#else
void rollout_list(void) {
}

int rollout_run(const struct arguments *arguments) {
    fprintf(stderr,
            "cosm: %s cannot be loaded: this program was built without the module `sim`; build it "
            "with COSM_SIM=ON\n",
            arguments->library);
    return 1;
}

int rollout_show(const struct arguments *arguments) {
    return rollout_run(arguments);
}
#endif
