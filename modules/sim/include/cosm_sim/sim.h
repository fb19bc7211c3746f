// Simulations: run an environment (env.h) in many worlds, with episodes.
//
//     cosm_sim_desc desc = {.library = "./libwalk.so", .world_count = 4096};
//     cosm_sim *sim = cosm_sim_create(&desc);
//     const cosm_tensor *action = cosm_sim_tensor(sim, COSM_ROLE_ACTION);
//     for (;;) {
//         ... write action->data ...
//         cosm_sim_step(sim);
//     }
//
// A simulation owns an engine and a batch, and is deterministic: a world depends only on its seed,
// its number and its actions (cosm/random.h), not on the number of worlds and workers or the
// simulation that holds it. Everything it knows of episodes is state of the worlds, in singletons,
// so hashes, snapshots, forks, files and recordings of its batch include it. After restoring,
// forking, loading or patching the batch, call cosm_batch_gather.
#ifndef COSM_SIM_SIM_H
#define COSM_SIM_SIM_H

#include <cosm_sim/env.h>

COSM_BEGIN_C

typedef struct cosm_sim cosm_sim;

// What happens to a world whose episode is over.
typedef enum cosm_autoreset {
    COSM_AUTORESET_NEXT_STEP = 0, // the next step begins a new one: its action is ignored, its
                                  // reward is zero, nothing terminates
    COSM_AUTORESET_SAME_STEP,     // the same step begins a new one; the last observation is kept:
                                  // see cosm_sim_final. In such steps the phases begin and observe
                                  // run once more, in all worlds: see env.h
    COSM_AUTORESET_DISABLED,      // nothing, until you reset it
} cosm_autoreset;

// Slots of the host, each a singleton: [worlds].
enum {
    // "reset", u8, both: set it to begin an episode in the next step; not defined if the
    // environment has its own
    COSM_SIM_SLOT_RESET = COSM_ENV_SLOT_MAX,
    COSM_SIM_SLOT_EPISODE_RETURN,     // "episode_return", f32: sum of rewards so far, of all agents
    COSM_SIM_SLOT_EPISODE_LENGTH,     // "episode_length", u32: steps so far
    COSM_SIM_SLOT_EPISODE_NUMBER,     // "episode_number", u32: episodes begun, from 1
    COSM_SIM_SLOT_EPISODE_TERMINATED, // "episode_terminated", u8: this step ended the episode
    COSM_SIM_SLOT_EPISODE_TRUNCATED,  // "episode_truncated", u8: this step cut the episode off
    COSM_SIM_SLOT_LAST_RETURN, // "last_return", f32, and "last_length", u32: of the last episode
    COSM_SIM_SLOT_LAST_LENGTH, // that is over
};

// A parameter of the environment (COSM_ROLE_PARAMETER), by the name of its slot.
typedef struct cosm_sim_param {
    const char *name;
    double value;         // for all worlds, or
    const double *values; // [worlds]; NULL: `value`
} cosm_sim_param;

// Episodes have no step limit.
#define COSM_SIM_STEP_LIMIT_NONE UINT32_MAX

// Required: `env` or `library`.
typedef struct cosm_sim_desc {
    const cosm_env_desc *env;
    const char *library;  // path of a shared library with cosm_env_entry
    uint32_t world_count; // zero: 1
    uint64_t seed;        // of all worlds; different seeds share nothing
    uint64_t world_first; // number of the first world; the others follow: world k of a seed is the
                          // same in every simulation
    uint64_t step_first;  // initial value of the batch's step count
    cosm_autoreset autoreset;
    uint32_t step_limit; // zero: the environment's; COSM_SIM_STEP_LIMIT_NONE: no limit
    const cosm_sim_param *params;
    uint32_t param_count;
    cosm_engine_desc engine; // workers, allocator, error callback
    size_t memory_limit;     // bytes of the batch; zero: no limit
    cosm_split split;        // how a step is spread over workers: see cosm_batch_desc
    uint32_t block_worlds;   // worlds per block; zero: by cache size and cost
} cosm_sim_desc;

// Creates a simulation whose worlds have begun their first episode. NULL on failure; everything is
// then freed, except an engine in which the environment left a batch or a snapshot.
COSM_API cosm_sim *cosm_sim_create(const cosm_sim_desc *desc);

// Destroys a simulation with its batch and engine. NULL is allowed. Fails with COSM_ERROR_BUSY and
// does nothing while a snapshot, a DLPack tensor or a recorder of them exists.
COSM_API cosm_result cosm_sim_destroy(cosm_sim *sim);

// Takes a step in all worlds. Fails as cosm_batch_step does. If the environment fails to begin an
// episode, the step is still taken, that world is empty, and the next step tries again.
COSM_API COSM_MUST_USE cosm_result cosm_sim_step(cosm_sim *sim);

// Begins a new episode in the worlds whose byte in `mask` is not zero (NULL: in all), and observes;
// no step is taken. With `seeds` (NULL: none), one per world, these worlds are reseeded: world w
// draws as world numbers[w] of seeds[w] or, if `numbers` is NULL, as world world_first + w, as when
// it was created. With number 0 it draws like the only world of a simulation of that seed. Without
// seeds, episodes differ from earlier ones.
//
// If the environment fails to begin an episode, all other worlds have begun, that world is empty,
// its episode is not counted, and the next step tries again. Nothing is scattered: actions in
// gathered rows wait for the next step, and what you wrote into gathered rows that are both in and
// out is overwritten, as by cosm_batch_gather, unless you call cosm_batch_scatter before. Fails
// with COSM_ERROR_WALKED and does nothing while a world is being walked.
COSM_API COSM_MUST_USE cosm_result cosm_sim_reset(cosm_sim *sim, const uint8_t *mask,
                                                  const uint64_t *seeds, const uint64_t *numbers);

// Sets a parameter in all worlds. The environment decides when it takes effect; usually at the
// start of an episode.
COSM_API COSM_MUST_USE cosm_result cosm_sim_set(cosm_sim *sim, const cosm_sim_param *param);

// The parts of a simulation, which it owns. NULL for NULL.
COSM_API cosm_engine *cosm_sim_engine(const cosm_sim *sim);
COSM_API cosm_batch *cosm_sim_batch(const cosm_sim *sim);
COSM_API const cosm_env_desc *cosm_sim_env(const cosm_sim *sim);

// The context passed to the environment's functions; NULL if its context_size is zero.
COSM_API void *cosm_sim_context(const cosm_sim *sim);

// As given in the desc.
COSM_API cosm_autoreset cosm_sim_autoreset(const cosm_sim *sim);

// Steps after which an episode is truncated: the desc's, or else the environment's; zero: never.
COSM_API uint32_t cosm_sim_step_limit(const cosm_sim *sim);

// The most agents that a world can have; zero if their archetype is growing.
COSM_API uint32_t cosm_sim_agent_max(const cosm_sim *sim);

// The first slot with this role, and its tensor. If there is none: COSM_EXPORT_SLOT_NONE, without a
// message, and NULL, reported.
COSM_API uint32_t cosm_sim_slot(const cosm_sim *sim, cosm_role role);
COSM_API const cosm_tensor *cosm_sim_tensor(const cosm_sim *sim, cosm_role role);

// The role of a slot. Slots of the host are COSM_ROLE_INFO, except for COSM_SIM_SLOT_RESET.
COSM_API cosm_role cosm_sim_role(const cosm_sim *sim, uint32_t slot);

// The slot of the action to which an action mask belongs: the one before it in the environment's
// slots, or the first one. COSM_EXPORT_SLOT_NONE if `slot` is not an action mask.
COSM_API uint32_t cosm_sim_mask_action(const cosm_sim *sim, uint32_t slot);

// With COSM_AUTORESET_SAME_STEP: an observation slot before worlds began their new episode, in the
// shape of its tensor; if a world can have several agents, also the slots of their rewards, flags,
// masks and handles (info slots that export entities), with the counts at that time. Only rows of
// worlds whose episode was over in the last step are valid. NULL otherwise. For COSM_TENSOR_ROWS
// `data` may move when a step has more rows than before; the old memory stays unchanged until the
// simulation is destroyed.
COSM_API const cosm_tensor *cosm_sim_final(const cosm_sim *sim, uint32_t slot);

// The values that one scalar of a slot may have, from its fields: see cosm_field. Integers whose
// range or labels are 0 to n - 1 are choices.
typedef struct cosm_space {
    cosm_field_type type;
    uint32_t choice_count; // zero: not a choice
    double low;            // minus and plus infinity without a range; for integers the limits of
    double high;           // their type
} cosm_space;

// False, and nothing is written, if the slot is not defined or an argument is NULL.
COSM_API bool cosm_sim_space(const cosm_sim *sim, uint32_t slot, cosm_space *out_space);

// The same for one scalar of a row, numbered from zero in storage order: adjacent fields may have
// different ranges. Also false past the last scalar.
COSM_API bool cosm_sim_space_at(const cosm_sim *sim, uint32_t slot, uint32_t scalar,
                                cosm_space *out_space);

// Draws a world on your canvas: `pixels`, height * width * 3 bytes, and both sizes; canvas_width
// and canvas_height of the environment's desc are the preferred ones. The pixels are cleared first.
// Fails with COSM_ERROR_ARGUMENT, and leaves them unchanged, if the environment cannot be drawn,
// the world does not exist, or the canvas has no pixels.
COSM_API COSM_MUST_USE cosm_result cosm_sim_draw(const cosm_sim *sim, uint32_t world,
                                                 cosm_canvas *canvas);

COSM_END_C

#endif
