// Environments: simulations in which agents act, as a contract between a library and a host.
//
// A library exports one function, cosm_env_entry, which returns a desc. The desc says how to define
// the simulation in an engine, how a world begins an episode, and what the slots of its exports
// mean. cosm_sim (sim.h) then steps it from C, and Python loads it without glue code.
//
//     static const cosm_env_desc desc = {
//         COSM_ENV_BUILT, .name = "walk", .define = define, .begin = begin, .step_limit = 200,
//         .slots = {{SLOT_OBSERVATION, COSM_ROLE_OBSERVATION}, {SLOT_ACTION, COSM_ROLE_ACTION},
//                   {SLOT_REWARD, COSM_ROLE_REWARD}, {SLOT_TERMINATED, COSM_ROLE_TERMINATED}}};
//     COSM_ENV_ENTRY const cosm_env_desc *cosm_env_entry(void) { return &desc; }
//
// A step runs the phases input and simulation, where you move the world, set rewards and terminate
// agents; then `episode` (the host's: returns, lengths, time limits), `begin` (worlds with a
// nonzero `reset` byte begin an episode) and `observe`, where you write observations. So an
// observation always shows the world as the step leaves it, in the old episode or in a new one.
//
// If worlds begin within the step that ended their episode (COSM_AUTORESET_SAME_STEP), and in a
// reset, the phases `begin` and `observe` run once more, in all worlds. So systems in `begin` must
// do nothing where `reset` is zero, and systems in `observe` must only write observations and count
// nothing: a world must not depend on its neighbours. If a system sets your own `reset` byte after
// the phase `begin`, it takes effect in the next step.
//
// An agent is a row of the exported reward, of an archetype or of all rows that a query matches; if
// the reward is a singleton, each world is one agent. With max_per_world 1 there is one agent too.
// A world's episode is over when all its agents have terminated, or none is left, or at the step
// limit, which truncates it. An agent that terminates should keep its row until the next step, so
// that its last reward is visible.
//
// The library is not linked with Cosm: it calls the functions of the host that loads it.
#ifndef COSM_SIM_ENV_H
#define COSM_SIM_ENV_H

#include <cosm/cosm.h>

COSM_BEGIN_C

// Incremented when this header changes so that libraries must be rebuilt.
#define COSM_ENV_VERSION 1u

// Slots from here on belong to the host: see sim.h.
#define COSM_ENV_SLOT_MAX 240u

// The meaning of a slot for an agent.
typedef enum cosm_role {
    COSM_ROLE_NONE = 0,
    COSM_ROLE_OBSERVATION, // out; several form a dictionary
    COSM_ROLE_ACTION,      // in
    COSM_ROLE_REWARD,      // out; f32, one per agent, or one per world in a singleton
    COSM_ROLE_TERMINATED,  // out; bool or u8, as many as rewards
    COSM_ROLE_TRUNCATED,   // out; the same; not needed for time limits
    COSM_ROLE_ACTION_MASK, // out; bool or u8, one per choice of each agent; zero: not allowed now.
                           // Belongs to the action before it in the slots, or else to the first
    COSM_ROLE_AGENT_MASK,  // out; bool or u8, one per row; zero: no agent in this row now
    COSM_ROLE_RESET,       // both; your own bool or u8 singleton: nonzero: the world begins an
                           // episode; without one the host has it
    COSM_ROLE_PARAMETER,   // both; a field of a singleton that configures the world
    COSM_ROLE_INFO,        // out; for display and logging
    COSM_ROLE_COUNT
} cosm_role;

typedef struct cosm_env_slot {
    uint32_t slot;
    cosm_role role;
} cosm_env_slot;

// The argument of `define`.
typedef struct cosm_env_setup {
    cosm_engine *engine;
    void *context;        // context_size bytes, zeroed; valid as long as the engine
    cosm_phase begin;     // for systems that begin episodes in place: see `begin` below
    cosm_phase observe;   // for systems that write observations
    cosm_singleton reset; // uint8_t: nonzero if this step begins an episode; read-only, and defined
                          // only if no slot of yours has COSM_ROLE_RESET
    cosm_singleton
        number; // uint32_t: episodes begun in the world; in phase `begin`, including the new one
} cosm_env_setup;

// An image: rows of red, green and blue bytes, from the top.
typedef struct cosm_canvas {
    uint8_t *pixels; // height * width * 3
    uint32_t width;
    uint32_t height;
} cosm_canvas;

// Defines components, archetypes, systems and exports. Any result but COSM_OK is a failure,
// including COSM_STALE; the caller reports its message. If it fails, it must destroy the batches
// and snapshots that it created.
typedef cosm_result cosm_env_define_fn(const cosm_env_setup *setup);

// Begins an episode in a world without entities; its singletons keep their values from the last
// episode. Called from several threads for different worlds. `random` depends on the world's seed,
// its step and the number of its episode. Any result but COSM_OK is a failure, including
// COSM_STALE: the episode is not counted, and the next attempt has the same number, and at the same
// step the same random numbers.
typedef cosm_result cosm_env_begin_fn(void *context, cosm_world world, cosm_random *random);

// Draws a world onto a black canvas.
typedef void cosm_env_draw_fn(void *context, cosm_world world, cosm_canvas *canvas);

// Required: COSM_ENV_BUILT, the name and `define`.
typedef struct cosm_env_desc {
    uint32_t version;      // COSM_ENV_VERSION
    const char *built_for; // COSM_VERSION
    const char *name;
    const char *summary; // one line
    cosm_env_define_fn *define;
    cosm_env_begin_fn *begin; // NULL: systems in the phase `begin` do it, in worlds that keep their
                              // entities; they also do it in all worlds before the first step
    cosm_env_draw_fn *draw;   // NULL: cannot be drawn
    uint32_t canvas_width;    // zero: 256
    uint32_t canvas_height;   // zero: 256
    size_t context_size;      // at most 1 GiB
    float step_seconds;       // zero: 1/60
    uint32_t step_limit;      // steps after which an episode is truncated; zero: never
    cosm_env_slot slots[COSM_LIST_MAX]; // up to the first without a role
} cosm_env_desc;

// The first fields of every desc.
#define COSM_ENV_BUILT .version = COSM_ENV_VERSION, .built_for = COSM_VERSION

// The function that a library exports. The desc must stay valid while the library is loaded.
#if defined(__GNUC__)
#define COSM_ENV_ENTRY __attribute__((visibility("default")))
#else
#define COSM_ENV_ENTRY
#endif
COSM_ENV_ENTRY const cosm_env_desc *cosm_env_entry(void);
typedef const cosm_env_desc *cosm_env_entry_fn(void);

COSM_END_C

#endif
