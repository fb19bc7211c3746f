// What the files of this module share: a simulation as it is inside.
#ifndef COSMI_SIM_SIM_H
#define COSMI_SIM_SIM_H

#include <cosm_sim/sim.h>

#include "agents.h"

// The host's singletons, in the order of its slots from COSM_SIM_SLOT_RESET on.
enum {
    HOST_RESET = 0,
    HOST_RETURN,
    HOST_LENGTH,
    HOST_NUMBER,
    HOST_TERMINATED,
    HOST_TRUNCATED,
    HOST_LAST_RETURN,
    HOST_LAST_LENGTH,
    HOST_COUNT
};

// Room that became too small for the rows of a final observation.
struct retired {
    void *data;
    size_t size;
};

// Each is at least twice as large as the one before it: more cannot be.
enum { RETIRED_MAX = 8 * sizeof(size_t) };

// An observation slot as it was before worlds began anew within the same step. The rows are side by
// side, whatever lies between those of the tensor.
struct final {
    cosm_tensor tensor;
    size_t row_size;  // bytes of one row: of a world, or of an agent where rows are gathered
    size_t data_size; // bytes there is room for
    uint32_t *counts; // of COSM_TENSOR_FIXED: [worlds]
    int64_t *offsets; // of COSM_TENSOR_ROWS: [worlds + 1]
    struct retired retired[RETIRED_MAX]; // of COSM_TENSOR_ROWS: kept for those who look at them
    uint32_t retired_count;
};

// Systems have it as their context. Nothing in it changes while the batch runs: all that a world
// knows of its episode is in singletons.
struct cosm_sim {
    cosm_engine *engine;
    cosm_batch *batch;
    const char *owner; // of the batch: named in the message if others destroy it
    const cosm_env_desc *env;
    void *library; // handle of dlopen; NULL: the desc was given
    void *context; // of the environment
    cosm_allocator allocator;
    uint32_t world_count;
    uint64_t world_first;
    uint32_t slot_count; // slots of the environment that have a role
    cosm_autoreset autoreset;
    uint32_t step_limit; // zero: none
    bool is_made;        // all worlds have begun once
    cosm_phase episode;
    cosm_phase begin;
    cosm_phase observe;
    cosm_singleton host[HOST_COUNT]; // that of HOST_RESET is zero where the environment has its own
    struct place reset;              // the byte `reset`, whoever defined it
    struct agents agents;
    struct final *finals; // one per observation slot, in their order; only with SAME_STEP
    uint32_t final_count;
    uint32_t *list; // [worlds]: of a call that is under way, between steps
};

// Memory of the simulation, from the allocator of its engine. Taken zeroed; NULL with a message.
void *cosmi_sim_take(struct cosm_sim *sim, const char *call, size_t size);
void cosmi_sim_give(struct cosm_sim *sim, void *memory, size_t size);

// Loads a library and finds its desc: sets sim->library and sim->env.
cosm_result cosmi_sim_load(struct cosm_sim *sim, const char *call, const char *path);

// Closes it.
void cosmi_sim_unload(struct cosm_sim *sim);

// Is the desc one that this host can run? `where` is the path of its library, or NULL.
cosm_result cosmi_sim_check_env(const cosm_engine *engine, const char *call,
                                const cosm_env_desc *env, const char *where);

// Do the slots of the environment say what their roles ask for? Finds out where rewards and flags
// are: sets sim->agents and sim->reset. Needs the batch.
cosm_result cosmi_sim_check_slots(struct cosm_sim *sim, const char *call);

// The name of a role, such as "COSM_ROLE_REWARD".
const char *cosmi_sim_role_name(cosm_role role);

// Phases, singletons and slots of the host; before the environment defines its own.
cosm_result cosmi_sim_define_host(struct cosm_sim *sim);

// The host's systems; once cosmi_sim_check_slots has been.
cosm_result cosmi_sim_define_systems(struct cosm_sim *sim);

// Begins episodes in the worlds whose byte `reset` is set, and observes; no step is taken.
cosm_result cosmi_sim_begin(struct cosm_sim *sim);

// With COSM_AUTORESET_SAME_STEP: makes room for final observations, keeps those of the worlds in
// sim->list, and gives all back.
cosm_result cosmi_sim_make_finals(struct cosm_sim *sim, const char *call);
cosm_result cosmi_sim_keep_finals(struct cosm_sim *sim, const char *call, uint32_t count);
void cosmi_sim_free_finals(struct cosm_sim *sim);

// What an environment's function returned, as a failure: COSM_STALE, and what is no result at all,
// are COSM_ERROR_SYSTEM. Not for COSM_OK.
static inline cosm_result cosmi_sim_failure(cosm_result result) {
    bool is_failure = (int)result > COSM_STALE && (int)result < COSM_RESULT_COUNT;
    return is_failure ? result : COSM_ERROR_SYSTEM;
}

// Sets a parameter; `call` is what failures name.
cosm_result cosmi_sim_set(struct cosm_sim *sim, const char *call, const cosm_sim_param *param);

// A host singleton of all worlds of a batch from `first` on.
static inline void *host_write(const struct cosm_sim *sim, cosm_batch *batch, uint32_t first,
                               uint32_t which) {
    return cosm_singleton_write((cosm_world){batch, first}, sim->host[which]);
}

static inline const void *host_read(const struct cosm_sim *sim, cosm_batch *batch, uint32_t first,
                                    uint32_t which) {
    return cosm_singleton_read((cosm_world){batch, first}, sim->host[which]);
}

#endif
