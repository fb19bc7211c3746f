// The program cosm: lists the scenes, or runs one of them and says how it went.
//
// The summary goes to stdout, progress and complaints to stderr.
#include "arguments.h"
#include "format.h"
#include "progress.h"

#include <stdio.h>

enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

static const char *placement_name(cosm_placement placement) {
    return placement == COSM_PLACEMENT_FIXED ? "fixed" : "growing";
}

static void list(void) {
    for (uint32_t i = 0; i < scene_count(); i++) {
        const scene_desc *scene = scene_at(i);
        printf("%-10s %s\n", scene->name, scene->summary);
        printf("           --worlds %u --steps %llu --seed %llu --placement %s\n",
               scene->defaults.world_count, (unsigned long long)scene->default_steps,
               (unsigned long long)scene->defaults.seed, placement_name(scene->defaults.placement));
    }
}

static void summarise(const struct arguments *arguments, cosm_batch *batch, uint64_t elapsed_ns) {
    uint64_t worlds = cosm_batch_world_count(batch);
    uint64_t entities = cosm_batch_entity_count(batch);
    cosm_memory memory = cosm_batch_memory(batch);
    char total[32];
    char each[32];
    printf("scene      %s\n", arguments->scene->name);
    printf("worlds     %llu, %s placement, seed %llu\n", (unsigned long long)worlds,
           placement_name(arguments->settings.placement),
           (unsigned long long)arguments->settings.seed);
    format_rate(each, sizeof(each), worlds * arguments->steps, elapsed_ns);
    printf("steps      %llu in %.2f s\n", (unsigned long long)arguments->steps,
           (double)elapsed_ns * 1e-9);
    printf("speed      %s world-steps/s\n", each);
    format_count(total, sizeof(total), entities);
    printf("entities   %s, %.1f per world\n", total, (double)entities / (double)worlds);
    format_bytes(total, sizeof(total), memory.used);
    format_bytes(each, sizeof(each), memory.used / worlds);
    printf("memory     %s, %s per world\n", total, each);
    printf("checksum   %016llx\n", (unsigned long long)cosm_batch_checksum(batch));
}

// What a failure was: the library's words, or the one case in which it has none.
static const char *reason(void) {
    const char *message = cosm_error_message();
    return message[0] != '\0' ? message : "out of memory";
}

// Where the option may be why memory ran out, says so: the library's words do not know of it.
static void hint(const struct arguments *arguments, cosm_result result) {
    size_t limit = arguments->settings.memory_limit;
    if (result == COSM_ERROR_MEMORY && limit != 0) {
        fprintf(stderr, "cosm: raise --memory-limit, which is %zu MiB, or run fewer worlds\n",
                limit >> 20);
    }
}

static int run(const struct arguments *arguments) {
    scene_run *scene = scene_create(arguments->scene, &arguments->settings);
    if (scene == NULL) {
        fprintf(stderr, "cosm: the scene %s cannot be set up: %s\n", arguments->scene->name,
                reason());
        hint(arguments, cosm_error_result());
        return EXIT_FAILED;
    }
    cosm_batch *batch = scene_batch(scene);
    struct progress progress;
    progress_begin(&progress, cosm_batch_world_count(batch), arguments->steps);
    cosm_result result = COSM_OK;
    uint64_t done = 0;
    while (done < arguments->steps) {
        result = scene_step(scene);
        if (result != COSM_OK) {
            break;
        }
        done++;
        progress_update(&progress, done);
    }
    uint64_t elapsed_ns = progress_elapsed_ns(&progress);
    progress_end(&progress);
    if (result == COSM_OK) {
        summarise(arguments, batch, elapsed_ns);
    } else {
        fprintf(stderr, "cosm: step %llu of %s failed: %s\n", (unsigned long long)done + 1,
                arguments->scene->name, reason());
        hint(arguments, result);
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
        code = run(&arguments);
        break;
    }
    // A full disk or a closed pipe must not look like success.
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "cosm: the output could not be written\n");
        return EXIT_FAILED;
    }
    return code;
}
