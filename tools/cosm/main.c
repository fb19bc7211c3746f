// The program cosm: lists scenes and environments, runs one and says how it went, shows what is in
// one, or writes a new one.
//
// The summary goes to stdout, progress and complaints to stderr.
#include "arguments.h"
#include "files.h"
#include "new.h"
#include "progress.h"
#include "rollout.h"
#include "show.h"
#include "summary.h"
#include "timing.h"

enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

static void list(void) {
    for (uint32_t i = 0; i < scene_count(); i++) {
        const scene_desc *scene = scene_at(i);
        printf("%-10s %s\n", scene->name, scene->summary);
        printf("           --worlds %u", scene->defaults.world_count);
        if (scene->defaults.entity_count != 0) {
            printf(" --entities %u", scene->defaults.entity_count);
        }
        printf(" --steps %llu --seed %llu --placement %s\n",
               (unsigned long long)scene->default_steps, (unsigned long long)scene->defaults.seed,
               arguments_placement(scene->defaults.placement));
    }
    rollout_list();
}

static void summarise(const struct arguments *arguments, scene_run *scene, uint64_t elapsed_ns) {
    printf("scene      %s\n", arguments->scene->name);
    printf("worlds     %u, %s placement, seed %llu\n", cosm_batch_world_count(scene_batch(scene)),
           arguments_placement(arguments->settings.placement),
           (unsigned long long)arguments->settings.seed);
    summary_speed(arguments, scene_batch(scene), scene_engine(scene), elapsed_ns);
    summary_state(arguments, scene_batch(scene));
}

// Takes the steps; how many were taken, and how long it took, to the last two.
static cosm_result take_steps(scene_run *scene, uint64_t steps, uint64_t *out_done,
                              uint64_t *out_elapsed_ns) {
    struct progress progress;
    progress_begin(&progress, cosm_batch_world_count(scene_batch(scene)), steps);
    cosm_result result = COSM_OK;
    uint64_t done = 0;
    while (done < steps) {
        result = scene_step(scene);
        if (result != COSM_OK) {
            break;
        }
        done++;
        progress_update(&progress, done);
    }
    *out_done = done;
    *out_elapsed_ns = progress_elapsed_ns(&progress);
    progress_end(&progress);
    return result;
}

static scene_run *set_up(const struct arguments *arguments, const scene_settings *settings,
                         struct timing *timing) {
    scene_run *scene = scene_create(arguments->scene, settings);
    if (scene != NULL && timing_begin(timing, scene_batch(scene)) == COSM_OK) {
        return scene;
    }
    fprintf(stderr, "cosm: the scene %s cannot be set up: %s\n", arguments->scene->name,
            summary_reason());
    summary_hint(arguments, cosm_error_result());
    scene_destroy(scene);
    return NULL;
}

// Ends what a run was to leave in a file. False after a complaint.
static bool leave_file(const struct arguments *arguments, scene_run *scene,
                       cosm_recorder *recorder) {
    cosm_result result = COSM_OK;
    if (recorder != NULL) {
        result = cosm_recorder_close(recorder);
    } else if (arguments->action == ACTION_SAVE) {
        result = files_save(scene, arguments->files[0]);
    }
    if (result != COSM_OK) {
        fprintf(stderr, "cosm: %s: %s\n", arguments->files[0], summary_reason());
    }
    return result == COSM_OK;
}

// Takes the steps of a scene that is set up, and says how it went.
static bool run_scene(const struct arguments *arguments, scene_run *scene) {
    cosm_recorder *recorder = NULL;
    if (arguments->action == ACTION_RECORD) {
        recorder = files_record(scene, arguments);
        if (recorder == NULL) {
            fprintf(stderr, "cosm: %s: %s\n", arguments->files[0], summary_reason());
            return false;
        }
    }
    uint64_t done = 0;
    uint64_t elapsed_ns = 0;
    cosm_result result = take_steps(scene, arguments->steps, &done, &elapsed_ns);
    if (result == COSM_OK) {
        summarise(arguments, scene, elapsed_ns);
    } else {
        fprintf(stderr, "cosm: step %llu of %s failed: %s\n", (unsigned long long)done + 1,
                arguments->scene->name, summary_reason());
        summary_hint(arguments, result);
    }
    return leave_file(arguments, scene, recorder) && result == COSM_OK;
}

static int run(const struct arguments *arguments) {
    if (arguments->scene == NULL) {
        return rollout_run(arguments);
    }
    struct timing timing;
    if (!timing_open(&timing, arguments)) {
        return EXIT_FAILED;
    }
    scene_run *scene = set_up(arguments, &arguments->settings, &timing);
    bool is_done = false;
    if (scene != NULL) {
        is_done = run_scene(arguments, scene);
        // Of a run that failed too: it may show why.
        is_done = timing_tell(&timing) && is_done;
    }
    timing_close(&timing);
    scene_destroy(scene);
    return is_done ? EXIT_DONE : EXIT_FAILED;
}

// Prints what a command asks to see.
static int show(const struct arguments *arguments) {
    if (arguments->scene == NULL) {
        return rollout_show(arguments);
    }
    // Plan and schema are the same for all sizes, so the smallest will do.
    scene_settings smallest = {.world_count = 1, .entity_count = 1};
    bool is_sized = arguments->action == ACTION_SHOW;
    struct timing timing = {0};
    scene_run *scene = set_up(arguments, is_sized ? &arguments->settings : &smallest, &timing);
    if (scene == NULL) {
        return EXIT_FAILED;
    }
    cosm_result result = COSM_OK;
    for (uint64_t i = 0; is_sized && i < arguments->steps && result == COSM_OK; i++) {
        result = scene_step(scene);
    }
    if (result == COSM_OK) {
        result = show_print(scene_engine(scene), scene_batch(scene), arguments, stdout);
    }
    if (result != COSM_OK) {
        fprintf(stderr, "cosm: %s cannot be shown: %s\n", arguments->scene->name, summary_reason());
    }
    scene_destroy(scene);
    return result == COSM_OK ? EXIT_DONE : EXIT_FAILED;
}

int main(int argc, char **argv) {
    struct arguments arguments;
    if (!arguments_parse(&arguments, argc, argv)) {
        fprintf(stderr, "cosm: %s\nTry `cosm --help`.\n", arguments.problem);
        return EXIT_USAGE;
    }
    int code = EXIT_DONE;
    switch (arguments.action) {
    case ACTION_HELP:
        fputs(arguments_help, stdout);
        break;
    case ACTION_VERSION:
        printf("cosm %s\n", cosm_version());
        break;
    case ACTION_LIST:
        list();
        break;
    case ACTION_RUN:
    case ACTION_SAVE:
    case ACTION_RECORD:
        code = run(&arguments);
        break;
    case ACTION_REPLAY:
        code = files_replay(&arguments);
        break;
    case ACTION_INFO:
        code = files_info(&arguments);
        break;
    case ACTION_DIFF:
        code = files_diff(&arguments);
        break;
    case ACTION_DIVERGE:
        code = files_diverge(&arguments);
        break;
    case ACTION_PLAN:
    case ACTION_SCHEMA:
    case ACTION_SHOW:
        code = show(&arguments);
        break;
    case ACTION_NEW:
        code = new_write(&arguments, argv[0]);
        break;
    }
    // A full disk or a closed pipe must not look like success.
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "cosm: the output could not be written\n");
        return EXIT_FAILED;
    }
    return code;
}
