// Simulations: environments (env.h) under way in many worlds, with episodes.
//
//     cosm_sim_desc desc = {.library = "./libwalk.so", .world_count = 4096};
//     cosm_sim *sim = cosm_sim_create(&desc);
//     const cosm_tensor *action = cosm_sim_tensor(sim, COSM_ROLE_ACTION);
//     for (;;) {
//         ... write action->data ...
//         cosm_sim_step(sim);
//     }
//
// A simulation owns an engine and a batch, and is deterministic: what a world does follows from its
// seed, its number and its actions (cosm/random.h), whatever the number of worlds and workers and
// whichever simulation has it. All it knows of episodes is state of the worlds, in singletons, so that hashes, snapshots, forks, files and recordings
// of its batch have it too. After such a change of the batch call cosm_batch_gather.
#ifndef COSM_SIM_SIM_H
#define COSM_SIM_SIM_H

#include <cosm_sim/env.h>

COSM_BEGIN_C

typedef struct cosm_sim cosm_sim;

// What happens to a world whose episode is over.
typedef enum cosm_autoreset {
    COSM_AUTORESET_NEXT_STEP = 0, // the next step begins a new one: its action is passed over, its
                                  // reward is zero, nothing terminates
    COSM_AUTORESET_SAME_STEP,     // the same step does; the last observation is kept apart. In
                                  // such steps the phases begin and observe run once more, in all
                                  // worlds: see env.h
    COSM_AUTORESET_DISABLED,      // nothing, until you reset it
} cosm_autoreset;

// Slots of the host, each a singleton: [worlds].
enum {
    // "reset", u8, both: set it, and the next step begins an episode; not there where the
    // environment has its own
    COSM_SIM_SLOT_RESET = COSM_ENV_SLOT_MAX,
    COSM_SIM_SLOT_EPISODE_RETURN,     // "episode_return", f32: rewards of all agents so far
    COSM_SIM_SLOT_EPISODE_LENGTH,     // "episode_length", u32: steps so far
    COSM_SIM_SLOT_EPISODE_NUMBER,     // "episode_number", u32: episodes begun, from 1
    COSM_SIM_SLOT_EPISODE_TERMINATED, // "episode_terminated", u8: this step ended the episode
    COSM_SIM_SLOT_EPISODE_TRUNCATED,  // "episode_truncated", u8: this step cut it off
    COSM_SIM_SLOT_LAST_RETURN, // "last_return", f32, and "last_length", u32: of the episode that
    COSM_SIM_SLOT_LAST_LENGTH, // was over last
};

// A parameter of the environment (COSM_ROLE_PARAMETER), by the name of its slot.
typedef struct cosm_sim_param {
    const char *name;
    double value;         // for all worlds, or
    const double *values; // [worlds]; NULL: `value`
} cosm_sim_param;

// Episodes go on for as long as the environment lets them.
#define COSM_SIM_STEP_LIMIT_NONE UINT32_MAX

// Good when zeroed but for `env` or `library`.
typedef struct cosm_sim_desc {
    const cosm_env_desc *env;
    const char *library;  // path of a shared library with cosm_env_entry
    uint32_t world_count; // zero: 1
    uint64_t seed;        // of all worlds; different seeds share nothing
    uint64_t world_first; // number of the first world; the others follow: world k of a seed is the
                          // same in each simulation that has it
    uint64_t step_first;  // what the batch's step count begins at
    cosm_autoreset autoreset;
    uint32_t step_limit; // zero: the environment's own; COSM_SIM_STEP_LIMIT_NONE: never cut off
    const cosm_sim_param *params;
    uint32_t param_count;
    cosm_engine_desc engine; // workers, allocator, error callback
    size_t memory_limit;     // bytes of the batch; zero: none
    cosm_split split;        // how a step is spread over workers: see cosm_batch_desc
    uint32_t block_worlds;   // worlds of a block; zero: by the size of the cache and the cost
} cosm_sim_desc;

// Makes a simulation whose worlds have begun their first episode. NULL on failure; then all is
// given back, but for an engine of which the environment left a batch or a snapshot.
COSM_API cosm_sim *cosm_sim_create(const cosm_sim_desc *desc);

// Destroys it with its batch and engine. NULL is fine. COSM_ERROR_BUSY, and nothing is done, while
// something made of them lives: a snapshot, a DLPack tensor, a recorder.
COSM_API cosm_result cosm_sim_destroy(cosm_sim *sim);

// Takes a step in all worlds. A failure is that of cosm_batch_step. Where the environment fails to
// begin an episode, the step is taken all the same, that world is empty, and the next step tries
// again.
COSM_API COSM_MUST_USE cosm_result cosm_sim_step(cosm_sim *sim);

// Begins a new episode in the worlds whose byte in `mask` is not zero (NULL: in all), and observes;
// no step is taken. With `seeds` (NULL: none), one per world, those worlds draw as new ones from now
// on: world w as world numbers[w] of seeds[w], or, where `numbers` is NULL, by world_first + w, as
// when it was made. With number 0 it goes the way of the only world of a simulation of that seed.
// Without seeds episodes differ from the ones before. Where the environment
// fails to begin one, all other worlds have begun, that world is empty, its episode is not counted,
// and the next step tries again. Nothing is scattered: actions in gathered rows wait for the next
// step, and what you wrote into gathered rows that go both ways is written over, as by
// cosm_batch_gather, unless you call cosm_batch_scatter before. COSM_ERROR_WALKED, and nothing is
// done, while a world is walked.
COSM_API COSM_MUST_USE cosm_result cosm_sim_reset(cosm_sim *sim, const uint8_t *mask,
                                                  const uint64_t *seeds, const uint64_t *numbers);

// Sets a parameter in all worlds; when the environment looks at it is its own matter: most do at
// the beginning of an episode.
COSM_API COSM_MUST_USE cosm_result cosm_sim_set(cosm_sim *sim, const cosm_sim_param *param);

// What it is made of: the simulation's own, and gone with it. Of NULL, NULL.
COSM_API cosm_engine *cosm_sim_engine(const cosm_sim *sim);
COSM_API cosm_batch *cosm_sim_batch(const cosm_sim *sim);
COSM_API const cosm_env_desc *cosm_sim_env(const cosm_sim *sim);

// The context that the environment's functions get; NULL where its context_size is zero.
COSM_API void *cosm_sim_context(const cosm_sim *sim);

// As it was asked for in the desc.
COSM_API cosm_autoreset cosm_sim_autoreset(const cosm_sim *sim);

// Steps after which an episode is truncated: the desc's, or else the environment's; zero: never.
COSM_API uint32_t cosm_sim_step_limit(const cosm_sim *sim);

// Agents that a world has at most; zero where their archetype grows.
COSM_API uint32_t cosm_sim_agent_max(const cosm_sim *sim);

// The first slot with that role, and its tensor; COSM_EXPORT_SLOT_NONE and NULL where there is
// none.
COSM_API uint32_t cosm_sim_slot(const cosm_sim *sim, cosm_role role);
COSM_API const cosm_tensor *cosm_sim_tensor(const cosm_sim *sim, cosm_role role);

// The role of a slot. The host's own are COSM_ROLE_INFO, but for COSM_SIM_SLOT_RESET.
COSM_API cosm_role cosm_sim_role(const cosm_sim *sim, uint32_t slot);

// The slot of the action that an action mask belongs to: the one before it in the environment's
// slots, or the first one. COSM_EXPORT_SLOT_NONE where `slot` is no action mask.
COSM_API uint32_t cosm_sim_mask_action(const cosm_sim *sim, uint32_t slot);

// With COSM_AUTORESET_SAME_STEP: an observation slot as it was before worlds began anew, in the
// shape of its tensor; where a world can have several agents also the slots of their rewards,
// flags, masks and handles (info slots that show entities), with the counts of then. Only worlds
// whose episode was over in the last step have their rows there. NULL otherwise. Of
// COSM_TENSOR_ROWS `data` may move when a step has more rows than there was room for; memory that
// it was in before stays as it is until the simulation is destroyed.
COSM_API const cosm_tensor *cosm_sim_final(const cosm_sim *sim, uint32_t slot);

// The values that one scalar of a slot may have, as its fields tell: see cosm_field. Integers whose
// range is 0 to n - 1, or whose labels are, are choices.
typedef struct cosm_space {
    cosm_field_type type;
    uint32_t choice_count; // zero: not a choice
    double low;            // minus and plus infinity where no range is told, for integers that of
    double high;           // their type
} cosm_space;

// False, and nothing is written, where the slot is not defined or something is NULL.
COSM_API bool cosm_sim_space(const cosm_sim *sim, uint32_t slot, cosm_space *out_space);

// The same of one scalar of a row of the slot, counted from zero in the order in which they lie:
// several fields side by side may have ranges of their own. False also past the last scalar.
COSM_API bool cosm_sim_space_at(const cosm_sim *sim, uint32_t slot, uint32_t scalar,
                                cosm_space *out_space);

// Draws a world on a canvas of yours: `pixels`, height * width * 3 bytes, and both sizes, of which
// canvas_width and canvas_height of the environment's desc are what it likes best. The pixels are
// cleared first. COSM_ERROR_ARGUMENT, and they are left alone, where the environment cannot be
// drawn, the world does not exist, or the canvas has no pixels.
COSM_API COSM_MUST_USE cosm_result cosm_sim_draw(const cosm_sim *sim, uint32_t world,
                                                 cosm_canvas *canvas);

COSM_END_C

#endif
