// Systems: functions over rows, in phases, with the access they declare.
//
//     static void fall(cosm_rows *rows) {
//         Height *height = COSM_COLUMN_WRITE(rows, Height, 0);
//         for (uint32_t i = 0; i < rows->count; i++) { height[i].meters -= rows->dt; }
//     }
//     cosm_system_define(engine, &(cosm_system_desc){
//         .name = "fall", .each = fall, .queries = {{.terms = {{.component = height, .access = COSM_ACCESS_WRITE}}}}});
//
// Within a phase systems run in the order of `before` and `after`, then of rank, then of
// definition. Systems that touch nothing in common may run side by side, and one system's rows are
// spread over the workers; the outcome is that of one system after the other on one thread. So a
// system may touch what it declares and nothing else, and its context only for reading, unless it
// is global or on the main thread.
//
// A system changes structure by commands (cosm_turn_commands), which are applied at sync points:
// at the end of a phase, before a system that is `synced`, and before and after one that is
// global, on the main thread or exclusive.
//
// Checked builds (COSM_CHECKS) report a system that touches what it did not declare, by its name
// and that of the component: docs/manual/system.md.
#ifndef COSM_SYSTEM_H
#define COSM_SYSTEM_H

#include <cosm/error.h>
#include <cosm/query.h>
#include <cosm/turn.h>
#include <cosm/types.h>

COSM_BEGIN_C

// Called once for a range of worlds, turn->worlds; the system walks its queries itself. Which
// worlds come together is not fixed, so each of them is worked on by itself: nothing goes from one
// to another unless the system is global.
typedef void cosm_system_run_fn(const cosm_turn *turn);

// Is the system to run this time? Asked once for each run of the phase, before its first system, on
// the thread that steps.
typedef bool cosm_system_condition_fn(void *context, const cosm_batch *batch);

// Called on the thread that steps, outside all turns: it may change worlds directly. A failure
// fails the step before anything has run; the next step tries again.
typedef cosm_result cosm_system_init_fn(void *context, cosm_batch *batch);
typedef void cosm_system_dispose_fn(void *context, cosm_batch *batch);

// A singleton that a system touches.
typedef struct cosm_singleton_use {
    cosm_singleton singleton;
    cosm_access access;
} cosm_singleton_use;

// Good when zeroed but for the name and `each` or `run`.
typedef struct cosm_system_desc {
    const char *name; // unique among systems; copied
    cosm_phase phase; // zero: COSM_PHASE_SIMULATION

    cosm_rows_fn *each;      // called for every run of rows of queries[0]; a run may be a slice
    cosm_system_run_fn *run; // or this
    void *context;

    const char *query; // text of queries[0]: "mut Position, Velocity, !Frozen"

    // Components that it touches in entities by their handles or otherwise, and singletons:
    // "Health, mut Score".
    const char *uses;

    // The same by ids, and further queries. Queries but for that of `each` are walked with cosm_turn_walk; behind the
    // last one that has terms there are none.
    cosm_query_desc queries[COSM_SYSTEM_QUERY_MAX];
    cosm_component reads[COSM_LIST_MAX];  // of any entity, by its handle or otherwise
    cosm_component writes[COSM_LIST_MAX]; // likewise; reading is included
    cosm_singleton_use singletons[COSM_LIST_MAX];
    bool commands; // records commands

    // When it runs.
    const char *before[COSM_SYSTEM_ORDER_MAX]; // names of systems, also of ones defined later
    const char *after[COSM_SYSTEM_ORDER_MAX];
    int32_t rank;   // lower ranks first, where nothing else is said
    bool synced;    // starts at a sync point: sees what systems before it recorded
    bool disabled;  // not to run until cosm_system_enable
    uint32_t every; // runs in steps whose number is a multiple of this; zero: in every step
    cosm_system_condition_fn *condition;

    // How it runs.
    bool whole;       // each run of rows is a whole table of one world
    bool global;      // one turn for all worlds
    bool main_thread; // as global, and on the thread that steps
    bool exclusive;   // `run` may change the structure of its worlds directly

    // Once per batch: init before the system's first run in it, dispose when the batch or the
    // system ends, in the reverse order of the inits.
    cosm_system_init_fn *init;
    cosm_system_dispose_fn *dispose;

    // Checked builds look into so many bytes of the context for pointers that the system kept.
    size_t context_size;
} cosm_system_desc;

// Defines a system, for all batches of the engine, from their next step on. Zero on failure.
COSM_API cosm_system cosm_system_define(cosm_engine *engine, const cosm_system_desc *desc);

// Ends a system: disposes it in every batch that it ran in. While a batch of the engine is running,
// COSM_ERROR_BUSY. Names in `before` and `after` of others may go on naming it.
COSM_API COSM_MUST_USE cosm_result cosm_system_remove(cosm_engine *engine, cosm_system system);

// Switches a system on or off, from the next run of its phase on. From any thread.
COSM_API COSM_MUST_USE cosm_result cosm_system_enable(cosm_engine *engine, cosm_system system,
                                                      bool enabled);
COSM_API bool cosm_system_is_enabled(const cosm_engine *engine, cosm_system system);

COSM_API cosm_system cosm_system_find(const cosm_engine *engine, const char *name);

// NULL when there is none. Valid until the system is removed.
COSM_API const char *cosm_system_name(const cosm_engine *engine, cosm_system system);
COSM_API cosm_phase cosm_system_phase(const cosm_engine *engine, cosm_system system);

// Systems that are defined and not removed.
COSM_API uint32_t cosm_system_count(const cosm_engine *engine);

// What COSM_SYSTEM_DEFINE of typed.h calls.
static inline cosm_system cosm_system_define_each(cosm_engine *engine, const char *name,
                                                  cosm_rows_fn *each, const char *query) {
    cosm_system_desc desc;
    memset(&desc, 0, sizeof(desc));
    desc.name = name;
    desc.each = each;
    desc.query = query;
    return cosm_system_define(engine, &desc);
}

COSM_END_C

#endif
