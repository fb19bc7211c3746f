// Making simulations, and ending them.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim.h"

static void *plain_allocate(void *context, size_t size, size_t alignment) {
    (void)context;
    if (size > SIZE_MAX - alignment) {
        return NULL; // it would wrap
    }
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void plain_release(void *context, void *memory, size_t size, size_t alignment) {
    (void)context;
    (void)size;
    (void)alignment;
    free(memory);
}

// Bytes of a message that is kept while others may be told: at least as many as one has.
#define REASON_SIZE 1024

// Everything is aligned as tensors are.
#define ALIGNMENT ((size_t)64)

// Contexts are handles and the like: more than this is a mistake, and would be zeroed.
#define CONTEXT_SIZE_MAX ((size_t)1 << 30)

void *cosmi_sim_take(struct cosm_sim *sim, const char *call, size_t size) {
    void *memory = sim->allocator.allocate(sim->allocator.context, size, ALIGNMENT);
    if (memory == NULL) {
        (void)cosm_error_raise(
            sim->engine, COSM_ERROR_MEMORY,
            "%s: the allocator could not provide %zu bytes; free memory, or use fewer worlds", call,
            size);
        return NULL;
    }
    memset(memory, 0, size);
    return memory;
}

void cosmi_sim_give(struct cosm_sim *sim, void *memory, size_t size) {
    if (memory != NULL) {
        sim->allocator.release(sim->allocator.context, memory, size, ALIGNMENT);
    }
}

// Makes the struct itself, on an engine that it owns.
static struct cosm_sim *make_sim(const cosm_sim_desc *desc, const char *call) {
    cosm_engine *engine = cosm_engine_create(&desc->engine);
    if (engine == NULL) {
        return NULL;
    }
    struct cosm_sim first = {.engine = engine, .allocator = desc->engine.allocator};
    if (first.allocator.allocate == NULL) {
        first.allocator.allocate = plain_allocate;
        first.allocator.release = plain_release;
    }
    struct cosm_sim *sim = cosmi_sim_take(&first, call, sizeof(*sim));
    if (sim == NULL) {
        cosm_engine_destroy(engine);
        return NULL;
    }
    *sim = first;
    return sim;
}

// Gives back whatever there is of it, the batch and the engine being gone or not made.
static void free_sim(struct cosm_sim *sim) {
    cosmi_sim_free_finals(sim);
    cosmi_sim_give(sim, sim->list, sim->world_count * sizeof(uint32_t));
    if (sim->env != NULL) {
        cosmi_sim_give(sim, sim->context, sim->env->context_size);
    }
    cosmi_sim_unload(sim);
    struct cosm_sim last = *sim;
    cosmi_sim_give(&last, sim, sizeof(*sim));
}

static cosm_result find_env(struct cosm_sim *sim, const cosm_sim_desc *desc, const char *call) {
    if ((desc->env == NULL) == (desc->library == NULL)) {
        return cosm_error_raise(sim->engine, COSM_ERROR_ARGUMENT,
                                "%s: %s of desc.env and desc.library are set; set exactly one",
                                call, desc->env == NULL ? "neither" : "both");
    }
    if ((unsigned)desc->autoreset > COSM_AUTORESET_DISABLED) {
        return cosm_error_raise(sim->engine, COSM_ERROR_ARGUMENT,
                                "%s: desc.autoreset is %d; use a value of cosm_autoreset", call,
                                (int)desc->autoreset);
    }
    if (desc->param_count > 0 && desc->params == NULL) {
        return cosm_error_raise(sim->engine, COSM_ERROR_ARGUMENT,
                                "%s: desc.params is NULL, but desc.param_count is %u; set both",
                                call, desc->param_count);
    }
    if (desc->library != NULL && desc->library[0] == '\0') {
        return cosm_error_raise(sim->engine, COSM_ERROR_ARGUMENT,
                                "%s: desc.library is empty; set it to the path of a shared "
                                "library, with a slash in it, such as ./libwalk.so",
                                call);
    }
    if (desc->library != NULL) {
        return cosmi_sim_load(sim, call, desc->library);
    }
    sim->env = desc->env;
    return cosmi_sim_check_env(sim->engine, call, desc->env, NULL);
}

// Has the environment define itself in the engine.
static cosm_result define_env(struct cosm_sim *sim, const char *call) {
    const cosm_env_desc *env = sim->env;
    while (sim->slot_count < COSM_LIST_MAX && env->slots[sim->slot_count].role != COSM_ROLE_NONE) {
        sim->slot_count++;
    }
    cosm_result result = cosmi_sim_define_host(sim);
    if (result != COSM_OK) {
        return result;
    }
    if (env->context_size > CONTEXT_SIZE_MAX) {
        return cosm_error_raise(sim->engine, COSM_ERROR_LIMIT,
                                "%s: context_size of environment '%s' is %zu; use at most %zu, "
                                "and allocate more in `define`",
                                call, env->name, env->context_size, CONTEXT_SIZE_MAX);
    }
    if (env->context_size > 0) {
        sim->context = cosmi_sim_take(sim, call, env->context_size);
        if (sim->context == NULL) {
            return COSM_ERROR_MEMORY;
        }
    }
    cosm_env_setup setup = {.engine = sim->engine,
                            .context = sim->context,
                            .begin = sim->begin,
                            .observe = sim->observe,
                            .reset = sim->host[HOST_RESET],
                            .number = sim->host[HOST_NUMBER]};
    cosm_error_clear();
    result = env->define(&setup);
    if (result != COSM_OK && result != cosmi_sim_failure(result)) {
        return cosm_error_raise(sim->engine, cosmi_sim_failure(result),
                                "%s: `define` of environment '%s' returned %d (%s), which is not "
                                "a failure; return COSM_OK if everything is defined, else one of "
                                "COSM_ERROR_...",
                                call, env->name, (int)result, cosm_result_name(result));
    }
    if (result != COSM_OK && cosm_error_message()[0] == '\0') {
        return cosm_error_raise(sim->engine, result,
                                "%s: `define` of environment '%s' failed with %s and without a "
                                "message; return the result of the call that failed, or report "
                                "the reason with cosm_error_raise",
                                call, env->name, cosm_result_name(result));
    }
    return result;
}

// The first run of systems detects what `define` could not define. What it says then is for a
// batch that goes on stepping: here the definition alone counts.
static cosm_result report_definition(const struct cosm_sim *sim, const char *call,
                                     cosm_result result) {
    const char *message = cosm_error_message();
    const char *why = strstr(message, ": cosm_");
    if (result == COSM_OK || why == NULL || strstr(message, "could not be defined") == NULL) {
        return result;
    }
    char reason[REASON_SIZE];
    (void)snprintf(reason, sizeof(reason), "%s", why + 2);
    return cosm_error_raise(sim->engine, result, "%s: `define` of environment '%s' failed: %s",
                            call, sim->env->name, reason);
}

// Named in the message to whoever destroys the batch of a simulation.
static const char owner[] = "a simulation; destroy that with cosm_sim_destroy";

// Only the simulation itself gets past that.
static cosm_result destroy_batch(struct cosm_sim *sim) {
    sim->owner = NULL;
    cosm_result result = cosm_batch_destroy(sim->batch);
    if (result == COSM_OK) {
        sim->batch = NULL;
    } else {
        sim->owner = owner;
    }
    return result;
}

static cosm_result make_batch(struct cosm_sim *sim, const cosm_sim_desc *desc, const char *call) {
    sim->world_count = desc->world_count == 0 ? 1 : desc->world_count;
    sim->world_first = desc->world_first;
    sim->owner = owner;
    sim->batch =
        cosm_batch_create(sim->engine, &(cosm_batch_desc){.world_count = desc->world_count,
                                                          .seed = desc->seed,
                                                          .world_first = desc->world_first,
                                                          .step_first = desc->step_first,
                                                          .memory_limit = desc->memory_limit,
                                                          .step_seconds = sim->env->step_seconds,
                                                          .split = desc->split,
                                                          .block_worlds = desc->block_worlds,
                                                          .owner = &sim->owner});
    if (sim->batch == NULL) {
        return cosm_error_result();
    }
    sim->list = cosmi_sim_take(sim, call, sim->world_count * sizeof(uint32_t));
    return sim->list == NULL ? COSM_ERROR_MEMORY : COSM_OK;
}

// Gives the worlds their parameters, and has all begin.
static cosm_result begin_all(struct cosm_sim *sim, const cosm_sim_desc *desc, const char *call) {
    cosm_result result = COSM_OK;
    for (uint32_t p = 0; p < desc->param_count && result == COSM_OK; p++) {
        result = cosmi_sim_set(sim, call, &desc->params[p]);
    }
    if (result != COSM_OK) {
        return result;
    }
    for (uint32_t w = 0; w < sim->world_count; w++) {
        *(uint8_t *)place_write(&sim->reset, (cosm_world){sim->batch, w}) = 1;
    }
    return report_definition(sim, call, cosmi_sim_begin(sim));
}

static cosm_result fill_sim(struct cosm_sim *sim, const cosm_sim_desc *desc, const char *call) {
    cosm_result result = find_env(sim, desc, call);
    if (result == COSM_OK) {
        sim->autoreset = desc->autoreset;
        sim->step_limit = desc->step_limit == 0 ? sim->env->step_limit : desc->step_limit;
        sim->step_limit = sim->step_limit == COSM_SIM_STEP_LIMIT_NONE ? 0 : sim->step_limit;
        result = define_env(sim, call);
    }
    result = result == COSM_OK ? make_batch(sim, desc, call) : result;
    result = result == COSM_OK ? cosmi_sim_check_slots(sim, call) : result;
    result = result == COSM_OK ? cosmi_sim_define_systems(sim) : result;
    if (result == COSM_OK && sim->autoreset == COSM_AUTORESET_SAME_STEP) {
        result = cosmi_sim_make_finals(sim, call);
    }
    result = result == COSM_OK ? begin_all(sim, desc, call) : result;
    sim->is_made = result == COSM_OK;
    return result;
}

// Ends what could not be made, and leaves the message of the failure, whatever happens here. Where
// the environment keeps something of the engine alive, the engine stays, and so must all that its
// systems look at: the context, the library.
static void unmake_sim(struct cosm_sim *sim, const char *call, cosm_result result) {
    char reason[REASON_SIZE];
    (void)snprintf(reason, sizeof(reason), "%s", cosm_error_message());
    cosm_engine_info info = cosm_engine_describe(sim->engine);
    uint32_t batch_count = info.batch_count - (sim->batch != NULL);
    uint32_t snapshot_count = info.snapshot_count;
    bool is_gone = destroy_batch(sim) == COSM_OK;
    if (is_gone && batch_count == 0 && snapshot_count == 0 &&
        cosm_engine_destroy(sim->engine) == COSM_OK) {
        sim->engine = NULL;
        free_sim(sim);
        if (strcmp(cosm_error_message(), reason) != 0) {
            (void)cosm_error_raise(NULL, result, "%s", reason);
        }
        return;
    }
    (void)cosm_error_raise(sim->engine, result,
                           "%.360s; in addition, %s: the environment left %u batches, %u "
                           "snapshots%s, so its engine is not destroyed; destroy what `define` "
                           "creates",
                           reason, call, batch_count, snapshot_count,
                           is_gone ? "" : " and objects of the simulation's own batch");
}

cosm_sim *cosm_sim_create(const cosm_sim_desc *desc) {
    static const char call[] = "cosm_sim_create";
    if (desc == NULL) {
        (void)cosm_error_raise(NULL, COSM_ERROR_ARGUMENT,
                               "%s: desc is NULL; pass one with `env` or `library`", call);
        return NULL;
    }
    struct cosm_sim *sim = make_sim(desc, call);
    cosm_result result = sim == NULL ? COSM_OK : fill_sim(sim, desc, call);
    if (result != COSM_OK) {
        unmake_sim(sim, call, result);
        return NULL;
    }
    return sim;
}

// Looked at before anything is destroyed, so that a refusal leaves all as it was.
static cosm_result check_alone(const struct cosm_sim *sim) {
    cosm_engine_info info = cosm_engine_describe(sim->engine);
    uint32_t batch_count = info.batch_count;
    if (batch_count > 1) {
        return cosm_error_raise(sim->engine, COSM_ERROR_BUSY,
                                "cosm_sim_destroy: %u batches that you created with its engine "
                                "still exist; destroy them first with cosm_batch_destroy",
                                batch_count - 1);
    }
    uint32_t snapshot_count = info.snapshot_count;
    if (snapshot_count > 0) {
        return cosm_error_raise(
            sim->engine, COSM_ERROR_BUSY,
            "cosm_sim_destroy: %u snapshots of its engine still exist, including those in "
            "rollbacks, patches and recorders; destroy them first with cosm_snapshot_destroy",
            snapshot_count);
    }
    return COSM_OK;
}

cosm_result cosm_sim_destroy(cosm_sim *sim) {
    if (sim == NULL) {
        return COSM_OK;
    }
    cosm_result result = check_alone(sim);
    result = result == COSM_OK ? destroy_batch(sim) : result;
    if (result != COSM_OK) {
        return result;
    }
    result = cosm_engine_destroy(sim->engine);
    if (result == COSM_OK) {
        sim->engine = NULL;
        free_sim(sim);
    }
    return result;
}
