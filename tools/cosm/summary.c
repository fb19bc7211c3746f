// The lines of a summary; summary.h says which.
#include "summary.h"
#include "format.h"

#include <stdio.h>

static void print_episodes(const struct episodes *episodes) {
    char count[32];
    format_count(count, sizeof(count), episodes->count);
    if (episodes->count > 0) {
        printf("episodes   %s, mean return %.3f, mean length %.1f\n", count,
               episodes->returns / (double)episodes->count,
               (double)episodes->lengths / (double)episodes->count);
    } else {
        printf("episodes   none finished\n");
    }
}

static void print_memory(const struct arguments *arguments, const cosm_batch *batch) {
    cosm_memory memory = cosm_batch_memory(batch);
    bool is_profiled = arguments->profile || arguments->trace != NULL;
    char total[32];
    char each[32];
    format_bytes(total, sizeof(total), memory.used);
    format_bytes(each, sizeof(each), memory.used / cosm_batch_world_count(batch));
    printf("memory     %s, %s per world%s\n", total, each,
           is_profiled ? ", the profile included" : "");
}

void summary_entities(const cosm_batch *batch) {
    uint64_t entities = cosm_batch_entity_count(batch);
    char total[32];
    format_count(total, sizeof(total), entities);
    printf("entities   %s, %.1f per world\n", total,
           (double)entities / (double)cosm_batch_world_count(batch));
}

void summary_hash(const cosm_batch *batch) {
    printf("hash       %016llx\n", (unsigned long long)cosm_hash_batch(batch, COSM_HASH_EXACT));
}

void summary_first(uint64_t world_first, uint64_t step_first) {
    if (world_first != 0) {
        printf(", world-first %llu", (unsigned long long)world_first);
    }
    if (step_first != 0) {
        printf(", step-first %llu", (unsigned long long)step_first);
    }
    printf("\n");
}

void summary_print(const struct arguments *arguments, const struct simulation *simulation) {
    const scene_settings *settings = &arguments->settings;
    const cosm_batch *batch = simulation_batch(simulation);
    uint64_t worlds = cosm_batch_world_count(batch);
    bool is_scene = simulation->scene != NULL;
    char rate[32];
    format_rate(rate, sizeof(rate), worlds * simulation->step_count, simulation->step_ns);
    printf("%-10s %s\n", is_scene ? "scene" : "env", simulation_name(simulation));
    printf("worlds     %llu, ", (unsigned long long)worlds);
    if (is_scene) {
        printf("%s placement, ", arguments_placement(settings->placement));
    }
    printf("seed %llu", (unsigned long long)settings->seed);
    summary_first(settings->world_first, settings->step_first);
    printf("workers    %u, split %s\n",
           cosm_engine_describe(simulation_engine(simulation)).worker_count,
           arguments_split(settings->split));
    printf("steps      %llu in %.2f s\n", (unsigned long long)simulation->step_count,
           (double)simulation->step_ns * 1e-9);
    printf("speed      %s world-steps/s\n", rate);
    if (!is_scene) {
        print_episodes(&simulation->episodes);
    }
    summary_entities(batch);
    print_memory(arguments, batch);
    summary_hash(batch);
}

const char *summary_reason(void) {
    const char *message = cosm_error_message();
    return message[0] != '\0' ? message : "out of memory";
}

void summary_hint(const struct arguments *arguments, cosm_result result) {
    size_t limit = arguments->settings.memory_limit;
    if (result == COSM_ERROR_MEMORY && limit != 0) {
        fprintf(stderr, "cosm: raise --memory-limit, which is %zu MiB, or run fewer worlds\n",
                limit >> 20);
    }
}
