// Stepping a scene or an environment, and what is said of that.
#include "run.h"

#include "files.h"
#include "progress.h"
#include "show.h"
#include "simulation.h"
#include "summary.h"
#include "timing.h"
#include "watch.h"

// Makes what is to be run, with its profile; false after a complaint.
static bool set_up(struct simulation *simulation, const struct arguments *arguments,
                   const scene_settings *settings, struct timing *timing) {
    bool is_made = simulation_create(simulation, &arguments->choice, settings);
    if (is_made && timing_begin(timing, simulation_batch(simulation)) == COSM_OK) {
        return true;
    }
    fprintf(stderr, "cosm: the %s %s cannot be set up: %s\n",
            arguments->choice.scene != NULL ? "scene" : "environment",
            simulation_choice_name(&arguments->choice), summary_reason());
    summary_hint(arguments, cosm_error_result());
    if (is_made) {
        timing_close(timing);
        simulation_destroy(simulation);
    }
    return false;
}

// Takes the steps; shows how far it is, as a picture or in words.
static cosm_result take_steps(struct simulation *simulation, uint64_t steps, struct watch *watch) {
    struct progress progress;
    progress_begin(&progress, cosm_batch_world_count(simulation_batch(simulation)), steps);
    cosm_result result = COSM_OK;
    watch_update(watch, 0);
    while (simulation->step_count < steps && result == COSM_OK) {
        result = simulation_step(simulation);
        if (result != COSM_OK) {
            break;
        }
        if (watch_is_on(watch)) {
            watch_update(watch, simulation->step_count);
        } else {
            progress_update(&progress, simulation->step_count);
        }
    }
    progress_end(&progress);
    return result;
}

// Ends what a run was to leave in a file. False after a complaint.
static bool leave_file(const struct arguments *arguments, const struct simulation *simulation,
                       cosm_recorder *recorder) {
    cosm_result result = COSM_OK;
    if (recorder != NULL) {
        result = cosm_recorder_close(recorder);
    } else if (arguments->action == ACTION_SAVE) {
        result = files_save(simulation, arguments->files[0]);
    }
    if (result != COSM_OK) {
        fprintf(stderr, "cosm: %s: %s\n", arguments->files[0], summary_reason());
    }
    return result == COSM_OK;
}

// Steps what is set up, and says how it went.
static bool run(const struct arguments *arguments, struct simulation *simulation,
                struct watch *watch) {
    cosm_recorder *recorder = NULL;
    if (arguments->action == ACTION_SAVE && !files_can_write(arguments->files[0])) {
        return false;
    }
    if (arguments->action == ACTION_RECORD) {
        recorder = files_record(simulation, arguments);
        if (recorder == NULL) {
            fprintf(stderr, "cosm: %s: %s\n", arguments->files[0], summary_reason());
            return false;
        }
    }
    cosm_result result = take_steps(simulation, arguments->steps, watch);
    if (result == COSM_OK) {
        summary_print(arguments, simulation);
    } else {
        fprintf(stderr, "cosm: step %llu of %s failed: %s\n",
                (unsigned long long)simulation->step_count + 1, simulation_name(simulation),
                summary_reason());
        summary_hint(arguments, result);
    }
    return leave_file(arguments, simulation, recorder) && result == COSM_OK;
}

int run_command(const struct arguments *arguments) {
    struct timing timing;
    if (!timing_open(&timing, arguments)) {
        return 1;
    }
    struct simulation simulation;
    struct watch watch;
    bool is_done = false;
    if (set_up(&simulation, arguments, &arguments->settings, &timing)) {
        if (watch_begin(&watch, arguments, &simulation)) {
            is_done = run(arguments, &simulation, &watch);
            // Of a run that failed too: it may show why.
            is_done = timing_report(&timing) && is_done;
        }
        watch_end(&watch);
        timing_close(&timing);
        simulation_destroy(&simulation);
    }
    timing_close(&timing);
    return is_done ? 0 : 1;
}

int run_show(const struct arguments *arguments) {
    scene_settings settings = arguments->settings;
    bool is_world = arguments->action == ACTION_SHOW;
    // Plan and schema are the same for any number of worlds.
    settings.world_count = is_world ? settings.world_count : 1;
    struct timing timing = {0};
    struct simulation simulation;
    if (!set_up(&simulation, arguments, &settings, &timing)) {
        return 1;
    }
    cosm_result result = COSM_OK;
    while (is_world && simulation.step_count < arguments->steps && result == COSM_OK) {
        result = simulation_step(&simulation);
    }
    if (result == COSM_OK) {
        result = show_print(simulation_engine(&simulation), simulation_batch(&simulation),
                            arguments, stdout);
    }
    if (result != COSM_OK) {
        fprintf(stderr, "cosm: %s cannot be shown: %s\n", simulation_name(&simulation),
                summary_reason());
    }
    simulation_destroy(&simulation);
    return result == COSM_OK ? 0 : 1;
}
