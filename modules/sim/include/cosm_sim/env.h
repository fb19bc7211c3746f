// Environments: simulations that an agent acts in, as a contract between a library and a host.
//
// A library has one function, cosm_env_entry, which returns a desc. The desc says how to define the
// simulation in an engine, how a world begins an episode, and what the slots of its exports mean.
// Nothing else is needed: cosm_sim (sim.h) steps it from C, and Python loads it with no glue.
//
//     static const cosm_env_desc desc = {
//         COSM_ENV_BUILT, .name = "walk", .define = define, .begin = begin, .step_limit = 200,
//         .slots = {{SLOT_OBSERVATION, COSM_ROLE_OBSERVATION}, {SLOT_ACTION, COSM_ROLE_ACTION},
//                   {SLOT_REWARD, COSM_ROLE_REWARD}, {SLOT_TERMINATED, COSM_ROLE_TERMINATED}}};
//     COSM_ENV_ENTRY const cosm_env_desc *cosm_env_entry(void) { return &desc; }
//
// A step runs the phases input and simulation, where you move the world, set rewards and say who
// has terminated; then `episode` (the host's: returns, lengths, time limits), `begin` (worlds whose
// byte `reset` is set begin anew) and `observe`, where you write what agents see. So an observation
// is always that of the world as the step leaves it, be it an old episode's or a new one's.
//
// Where worlds begin within the step that ended them (COSM_AUTORESET_SAME_STEP), and in a reset,
// the phases `begin` and `observe` run once more, in all worlds, whichever begin. So systems in
// `begin` do nothing where `reset` is zero, and those in `observe` write what they see and count
// nothing: a world must not depend on what its neighbours do. A byte `reset` of yours that a system
// sets after the phase `begin` is for the next step.
//
// An agent is a row of the exported reward: of an archetype, or of all that a query matches; where
// the reward is in a singleton, each world is one agent. With max_per_world 1 there is one agent,
// too. A world's episode is over when all its agents have terminated, or none is left, or at the
// step limit, which truncates it. An agent that terminates should keep its row until the next step,
// so that its last reward can be seen.
//
// The library is not linked with Cosm: its calls are those of the host that loads it.
#ifndef COSM_SIM_ENV_H
#define COSM_SIM_ENV_H

#include <cosm/cosm.h>

COSM_BEGIN_C

// Goes up when this header changes in a way that libraries must be built again for.
#define COSM_ENV_VERSION 1u

// Slots from here on are the host's: see sim.h.
#define COSM_ENV_SLOT_MAX 240u

// What a slot is to an agent.
typedef enum cosm_role {
    COSM_ROLE_NONE = 0,
    COSM_ROLE_OBSERVATION, // out; several of them are a dictionary
    COSM_ROLE_ACTION,      // in
    COSM_ROLE_REWARD,      // out; f32, one per agent, or one per world in a singleton
    COSM_ROLE_TERMINATED,  // out; bool or u8, as many as rewards
    COSM_ROLE_TRUNCATED,   // out; likewise; time limits need none
    COSM_ROLE_ACTION_MASK, // out; bool or u8, one per choice of each agent: zero: not allowed now.
                           // Belongs to the action before it in the slots, or else to the first
    COSM_ROLE_AGENT_MASK,  // out; bool or u8, one per row: zero where there is no agent now
    COSM_ROLE_RESET,       // both; bool or u8 singleton: a world of yours that begins anew; without
                           // one the host keeps it
    COSM_ROLE_PARAMETER,   // both; a field of a singleton: what a world is to be like
    COSM_ROLE_INFO,        // out; worth looking at
    COSM_ROLE_COUNT
} cosm_role;

typedef struct cosm_env_slot {
    uint32_t slot;
    cosm_role role;
} cosm_env_slot;

// What `define` gets.
typedef struct cosm_env_setup {
    cosm_engine *engine;
    void *context;        // context_size bytes, zeroed, for as long as the engine lives
    cosm_phase begin;     // for systems that begin episodes where the worlds are: see `begin` below
    cosm_phase observe;   // for systems that write observations
    cosm_singleton reset; // uint8_t: not zero where this step begins an episode; only to be read,
                          // and defined only where no slot of yours has COSM_ROLE_RESET
    cosm_singleton
        number; // uint32_t: episodes that the world has begun; in phase `begin`, the new one's
} cosm_env_setup;

// A picture: rows of red, green and blue, from the top.
typedef struct cosm_canvas {
    uint8_t *pixels; // height * width * 3
    uint32_t width;
    uint32_t height;
} cosm_canvas;

// Defines components, archetypes, systems and exports. A failure's message is the caller's; any
// result but COSM_OK is a failure, COSM_STALE too. Where it fails it destroys what it made of the
// engine: batches and snapshots.
typedef cosm_result cosm_env_define_fn(const cosm_env_setup *setup);

// Fills a world, which is empty, with a new episode; its singletons are as the last one left them.
// Called from several threads for different worlds. `random` depends on the world's seed, on its
// step and on the number of its episode. Any result but COSM_OK is a failure, COSM_STALE too: the
// episode is not counted, and the next try has the same number, and draws the same at the same
// step.
typedef cosm_result cosm_env_begin_fn(void *context, cosm_world world, cosm_random *random);

// Draws a world; the canvas is black.
typedef void cosm_env_draw_fn(void *context, cosm_world world, cosm_canvas *canvas);

// Good when zeroed but for what COSM_ENV_BUILT sets, the name and `define`.
typedef struct cosm_env_desc {
    uint32_t version;      // COSM_ENV_VERSION
    const char *built_for; // COSM_VERSION
    const char *name;
    const char *summary; // one line
    cosm_env_define_fn *define;
    cosm_env_begin_fn *begin; // NULL: systems in the phase `begin` do it, in worlds that keep their
                              // entities. They are asked to in all worlds before the first step.
    cosm_env_draw_fn *draw;   // NULL: cannot be drawn
    uint32_t canvas_width;    // zero: 256
    uint32_t canvas_height;   // zero: 256
    size_t context_size;      // at most 1 GiB
    float step_seconds;       // zero: 1/60
    uint32_t step_limit;      // steps after which an episode is truncated; zero: never
    cosm_env_slot slots[COSM_LIST_MAX]; // up to the first without a role
} cosm_env_desc;

// What the first fields of a desc are to be.
#define COSM_ENV_BUILT .version = COSM_ENV_VERSION, .built_for = COSM_VERSION

// The one function of a library, by this name. The desc lives as long as the library is loaded.
#if defined(__GNUC__)
#define COSM_ENV_ENTRY __attribute__((visibility("default")))
#else
#define COSM_ENV_ENTRY
#endif
COSM_ENV_ENTRY const cosm_env_desc *cosm_env_entry(void);
typedef const cosm_env_desc *cosm_env_entry_fn(void);

COSM_END_C

#endif
