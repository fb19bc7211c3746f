// The lines of a summary; summary.h says which.
#include "summary.h"
#include "format.h"

#include <stdio.h>

void summary_speed(const struct arguments *arguments, const cosm_batch *batch,
                   const cosm_engine *engine, uint64_t elapsed_ns) {
    uint64_t worlds = cosm_batch_world_count(batch);
    char rate[32];
    format_rate(rate, sizeof(rate), worlds * arguments->steps, elapsed_ns);
    printf("workers    %u, split %s\n", cosm_engine_worker_count(engine),
           arguments_split(arguments->settings.split));
    printf("steps      %llu in %.2f s\n", (unsigned long long)arguments->steps,
           (double)elapsed_ns * 1e-9);
    printf("speed      %s world-steps/s\n", rate);
}

void summary_state(const struct arguments *arguments, const cosm_batch *batch) {
    uint64_t worlds = cosm_batch_world_count(batch);
    uint64_t entities = cosm_batch_entity_count(batch);
    cosm_memory memory = cosm_batch_memory(batch);
    bool is_profiled = arguments->profile || arguments->trace != NULL;
    char total[32];
    char each[32];
    format_count(total, sizeof(total), entities);
    printf("entities   %s, %.1f per world\n", total, (double)entities / (double)worlds);
    format_bytes(total, sizeof(total), memory.used);
    format_bytes(each, sizeof(each), memory.used / worlds);
    printf("memory     %s, %s per world%s\n", total, each,
           is_profiled ? ", the profile included" : "");
    printf("hash       %016llx\n", (unsigned long long)cosm_hash_batch(batch, COSM_HASH_EXACT));
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
