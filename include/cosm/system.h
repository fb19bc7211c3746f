// Systems: functions over rows, in phases, with declared access.
//
//     static void fall(cosm_rows *rows) {
//         Height *height = COSM_WRITE(rows, Height);
//         for (uint32_t i = 0; i < rows->count; i++) { height[i].meters -= rows->dt; }
//     }
//     COSM_SYSTEM_DEFINE(engine, fall, "mut Height");
//
// Within a phase, systems are ordered by `before` and `after`, then by rank, then by definition.
// Systems without a conflict may run at the same time, and the rows of one system may be spread
// over the workers; the result is the same as running the systems one by one on one thread.
// Therefore a system may access only what it declares, and may only read its context, unless it is
// global or runs on the main thread.
//
// A system makes structural changes with commands (cosm_turn_commands). They are applied at sync
// points: at the end of a phase, before a system that is `synced`, and before and after one that is
// global, exclusive or on the main thread.
//
// Checked builds (COSM_CHECKS) report undeclared access, naming the system and the component: see
// docs/manual/system.md.
#ifndef COSM_SYSTEM_H
#define COSM_SYSTEM_H

#include <cosm/error.h>
#include <cosm/query.h>
#include <cosm/random.h>
#include <cosm/types.h>

COSM_BEGIN_C

// Called with a range of worlds, turn->worlds; the system walks its queries itself. Which worlds
// come together is not fixed, so treat each world on its own: nothing may pass from one world to
// another unless the system is global.
typedef void cosm_system_run_fn(const cosm_turn *turn);

// Returns whether the system runs this time. Called once per run of the phase, before its first
// system, on the thread that steps.
typedef bool cosm_system_condition_fn(void *context, const cosm_batch *batch);

// Called on the thread that steps, outside any turn: it may change worlds directly. If it fails,
// the step fails before anything has run, and the next step calls it again.
typedef cosm_result cosm_system_init_fn(void *context, cosm_batch *batch);
typedef void cosm_system_dispose_fn(void *context, cosm_batch *batch);

// A singleton that a system accesses.
typedef struct cosm_singleton_use {
    cosm_singleton singleton;
    cosm_access access;
} cosm_singleton_use;

// Required: the name, and `run`, or `each` with a query.
typedef struct cosm_system_desc {
    const char *name; // unique among systems; copied
    cosm_phase phase; // zero: COSM_PHASE_SIMULATION

    cosm_rows_fn *each;      // called for every run of rows of queries[0]; may be a table's slice
    cosm_system_run_fn *run; // or this
    void *context;

    const char *query; // queries[0] as text: "mut Position, Velocity, !Frozen"; "": every row

    // Components it accesses outside its queries, for instance by handle, and singletons: "Health,
    // mut Score".
    const char *uses;

    // The same by ids, and further queries. Walk queries other than that of `each` with
    // cosm_turn_walk. The list ends at the last query that has text or terms.
    cosm_query_desc queries[COSM_SYSTEM_QUERY_MAX];
    cosm_component reads[COSM_LIST_MAX];  // of any entity, outside the queries
    cosm_component writes[COSM_LIST_MAX]; // the same; includes reading
    cosm_singleton_use singletons[COSM_LIST_MAX];
    bool commands; // records commands

    // When it runs.
    const char *before[COSM_SYSTEM_ORDER_MAX]; // names of systems; they may be defined later
    const char *after[COSM_SYSTEM_ORDER_MAX];
    int32_t rank;   // lower ranks run first, where `before` and `after` say nothing
    bool synced;    // runs after a sync point: sees what earlier systems recorded
    bool disabled;  // does not run until cosm_system_enable
    uint32_t every; // runs in steps whose number is a multiple of this; zero: in every step
    cosm_system_condition_fn *condition;

    // How it runs.
    bool whole;       // each run of rows is a whole table of one world
    bool global;      // one turn for all worlds
    bool main_thread; // like global, and on the thread that steps
    bool exclusive;   // `run` may change the structure of its worlds directly

    // Called once per batch: `init` before the system's first run in the batch, `dispose` when the
    // batch is destroyed or the system removed. Systems are disposed in the reverse order of their
    // inits.
    cosm_system_init_fn *init;
    cosm_system_dispose_fn *dispose;

    // Size of the context. Checked builds search it for pointers that the system must not keep.
    size_t context_size;
} cosm_system_desc;

// Defines a system for all batches of the engine, from their next step on. Zero on failure.
COSM_API cosm_system cosm_system_define(cosm_engine *engine, const cosm_system_desc *desc);

// Removes a system and disposes it in every batch in which it ran. Fails with COSM_ERROR_BUSY while
// a batch of the engine is running. The `before` and `after` of other systems may still name it.
COSM_API COSM_MUST_USE cosm_result cosm_system_remove(cosm_engine *engine, cosm_system system);

// Enables or disables a system, from the next run of its phase on. Any thread may call it.
COSM_API COSM_MUST_USE cosm_result cosm_system_enable(cosm_engine *engine, cosm_system system,
                                                      bool enabled);

// The system with this name, or zero.
COSM_API cosm_system cosm_system_find(const cosm_engine *engine, const char *name);

// A system; zeroed if there is none. The name is valid until the system is removed.
typedef struct cosm_system_info {
    const char *name;
    cosm_phase phase;
    bool is_enabled;
} cosm_system_info;

COSM_API cosm_system_info cosm_system_describe(const cosm_engine *engine, cosm_system system);

// Called by COSM_SYSTEM_DEFINE of typed.h.
static inline cosm_system cosm_system_define_each(cosm_engine *engine, const char *name,
                                                  cosm_rows_fn *each, const char *query) {
    cosm_system_desc desc;
    memset(&desc, 0, sizeof(desc));
    desc.name = name;
    desc.each = each;
    desc.query = query;
    return cosm_system_define(engine, &desc);
}

// Phases: ordered groups of systems.
//
// Every engine has three: input, simulation and render, in this order. A step runs all phases in
// order. A loop runs the fixed ones at its rate and the others once per frame: see loop.h.

typedef enum cosm_phase_rate {
    COSM_PHASE_RATE_FIXED = 0, // once per step, like simulation
    COSM_PHASE_RATE_PER_FRAME, // once per frame, like input and render
} cosm_phase_rate;

// Zeroed, except for the name: a fixed phase after all others.
typedef struct cosm_phase_desc {
    const char *name;     // unique among phases; copied
    cosm_phase before;    // runs right before this phase, or
    cosm_phase after;     // right after this phase and those placed after it earlier
    cosm_phase_rate rate; // for loops
} cosm_phase_desc;

// Defines a phase. Defining it again with the same properties returns the same id. Zero on failure.
COSM_API cosm_phase cosm_phase_define(cosm_engine *engine, const cosm_phase_desc *desc);

// The phase with this name, or zero.
COSM_API cosm_phase cosm_phase_find(const cosm_engine *engine, const char *name);

// A phase as it was defined; zeroed if there is none.
typedef struct cosm_phase_info {
    const char *name;
    bool is_fixed; // COSM_PHASE_RATE_FIXED
} cosm_phase_info;

COSM_API cosm_phase_info cosm_phase_describe(const cosm_engine *engine, cosm_phase phase);

// The phases in order, from 0; zero past the last one.
COSM_API cosm_phase cosm_phase_at(const cosm_engine *engine, uint32_t index);

// Turns: the argument of a system's callback.
//
// A turn is one system running on some worlds of a batch, on one worker. `run` gets it as its
// argument; `each` finds it in rows->turn. It ends when the system returns: do not keep anything
// obtained from it.

struct cosm_turn {
    cosm_worlds worlds; // the worlds of this turn
    float dt;           // the seconds that this run of the phase covers
    uint32_t worker;    // the worker's number among those working on this batch, from 0
    uint64_t step;      // steps completed before this one
    cosm_system system;
    void *context; // the system's
};

// Walks the system's query number `query_index` over worlds of this turn. On failure, which is
// reported, the walk is empty.
COSM_API void cosm_turn_walk(const cosm_turn *turn, uint32_t query_index, cosm_worlds worlds,
                             cosm_rows *out_rows);

// The system's query number `query_index`, or NULL.
COSM_API const cosm_query *cosm_turn_query(const cosm_turn *turn, uint32_t query_index);

// The buffer in which the system records structural changes of this turn's worlds. They are applied
// at the next sync point in the order of (system, world, run of chunks, sequence), whatever the
// number of workers. NULL, reported, if the system does not declare `commands`.
COSM_API cosm_commands *cosm_turn_commands(const cosm_turn *turn);

// Allocates `size` bytes, aligned to 64, that live until the phase ends. Not cleared. NULL,
// reported, if out of memory.
COSM_API void *cosm_turn_scratch(const cosm_turn *turn, size_t size);

// The random numbers of a world for this system in this step. `stream` separates independent uses:
// pass the entity's id for draws per entity, and the result does not depend on the order of rows.
// The same arguments give the same numbers.
COSM_API cosm_random cosm_turn_random(const cosm_turn *turn, cosm_world world, uint32_t stream);

// Reports that the system failed: the step returns COSM_ERROR_SYSTEM with this message, prefixed
// with the system's name, unless something earlier in the plan failed.
COSM_API void cosm_turn_fail(const cosm_turn *turn, const char *message);

// The plan: the order of systems, which may run in parallel, and where commands are applied.
//
// Built when a phase first runs, and again after systems or phases change. Printing it shows every
// system with its access, and every edge between two systems with its reason.

typedef enum cosm_plan_format {
    COSM_PLAN_TEXT = 0,
    COSM_PLAN_DOT, // for Graphviz
} cosm_plan_format;

// Builds the plan and returns whether that is possible: an unknown name in `before` or `after` is
// an error here and in the next step. Cycles are detected by cosm_system_define.
COSM_API COSM_MUST_USE cosm_result cosm_plan_check(cosm_engine *engine);

// Writes the plan to `write`, in parts.
COSM_API COSM_MUST_USE cosm_result cosm_plan_print(cosm_engine *engine, cosm_plan_format format,
                                                   cosm_text_fn *write, void *context);

// The profile: how long systems and phases take, and how long workers wait.
//
// While a batch has a profile, every turn of a system is timed; otherwise none is.

// Zeroed: statistics only.
typedef struct cosm_profile_desc {
    uint32_t event_max; // turns and runs of phases kept for the trace, 40 bytes each; zero: none
} cosm_profile_desc;

// Statistics of a system or of a phase. A sample is one run of the phase: the time of a system is
// the sum of all its turns, on all workers; that of a phase is the time that the caller waited.
// Median and 99th percentile are within 4 percent; everything else is exact.
typedef struct cosm_profile_figures {
    uint64_t runs; // runs of its phase in which it ran
    uint64_t turns;
    uint64_t rows; // rows passed to `each`
    uint64_t total_ns;
    uint64_t median_ns;
    uint64_t p99_ns;
    uint64_t longest_ns;
    uint64_t waited_ns; // total time that workers were idle until the slowest finished
} cosm_profile_figures;

// Starts a profile of a batch that is not running; one at a time. `desc` may be NULL. NULL on
// failure.
COSM_API cosm_profile *cosm_profile_create(cosm_batch *batch, const cosm_profile_desc *desc);

// Ends the profile. NULL is allowed. Fails while the batch is running.
COSM_API cosm_result cosm_profile_destroy(cosm_profile *profile);

// Statistics of a system or of a phase; zeros if it has not run. Call these while the batch is not
// running. Those of a system remain after it is removed.
COSM_API cosm_profile_figures cosm_profile_system(const cosm_profile *profile, cosm_system system);
COSM_API cosm_profile_figures cosm_profile_phase(const cosm_profile *profile, cosm_phase phase);

// Turns that did not fit in the trace; their times are counted nevertheless.
COSM_API uint64_t cosm_profile_events_dropped(const cosm_profile *profile);

// Writes a table of all phases and systems that ran. Fails while the batch is running.
COSM_API COSM_MUST_USE cosm_result cosm_profile_print(const cosm_profile *profile,
                                                      cosm_text_fn *write, void *context);

// Writes the events as a trace in Chrome's JSON format, one track per worker. Fails while the batch
// is running, and if desc.event_max was zero.
COSM_API COSM_MUST_USE cosm_result cosm_profile_trace(const cosm_profile *profile,
                                                      cosm_text_fn *write, void *context);

COSM_END_C

#endif
