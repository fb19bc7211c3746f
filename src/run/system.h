// Systems and phases as the library sees them: the definitions, before a plan is made of them.
//
// All of it under one lock, but for `enabled`, which anybody may look at. Steps do not look here:
// they have a plan (run/plan.h), which stays as it is while they run.
#ifndef COSM_RUN_SYSTEM_H
#define COSM_RUN_SYSTEM_H

#include <cosm/system.h>

#include "base/arena.h"
#include "query/query.h"
#include "run/observer.h"
#include "task/workers.h"

struct plan;

// A component that a system touches, in the rows of one of its queries or (NULL) in any row.
struct component_use {
    uint32_t component;
    bool write;
    const cosm_query *query;
};

struct singleton_use {
    uint32_t singleton;
    bool write;
};

// A system named by another one, which may be defined later.
struct order_name {
    const char *text;
    uint64_t hash;
};

// Immutable once defined, but for `enabled` and `references`.
struct system {
    uint32_t id;
    const char *name;
    uint64_t name_hash; // salts its random numbers
    uint32_t phase;
    cosm_rows_fn *each;
    cosm_system_run_fn *run;
    void *context;
    cosm_query *queries[COSM_SYSTEM_QUERY_MAX];
    uint32_t query_count;
    struct component_use *components;
    uint32_t component_count;
    struct singleton_use *singletons;
    uint32_t singleton_count;
    struct order_name before[COSM_SYSTEM_ORDER_MAX];
    struct order_name after[COSM_SYSTEM_ORDER_MAX];
    uint32_t before_count;
    uint32_t after_count;
    int32_t rank;
    uint32_t every;
    cosm_system_condition_fn *condition;
    cosm_system_init_fn *init;
    cosm_system_dispose_fn *dispose;
    size_t context_size;
    bool commands;
    bool synced;
    bool whole;
    bool global; // or on the main thread
    bool main_thread;
    bool exclusive;
    bool reads_changes;  // some query asks for changes
    bool splits;         // its rows may be spread over workers within one world
    atomic_uint enabled; // 0 or 1; a word of its own: gcc reads neighbouring bools in one load
    uint32_t references; // the list's and those of plans; under the lock
    struct arena arena;  // everything above that is pointed to
};

struct phase {
    const char *name;
    cosm_phase_rate rate;
    uint32_t before; // as it was defined
    uint32_t after;
};

// The first definition that failed since the last step, which the next one reports.
struct failed_definition {
    char what[COSM_NAME_LENGTH_MAX + 32]; // such as "system 'fall'"
    struct failure failure;               // COSM_OK: none failed
};

// What is needed to run systems: of one engine, known to its batches.
// A power of two: a name that no order contains is mostly known to be in none.
#define ORDER_MARK_COUNT 512u

struct runner {
    struct memory *memory;
    const struct sink *sink;
    struct schema *schema;
    struct query_cache *queries;
    struct workers workers;
    struct observer_board board; // observers; under the schema's lock
    struct mutex lock;
    struct arena arena;                      // names of phases and of removed systems
    struct phase phases[COSM_PHASE_MAX + 1]; // by id
    uint32_t phase_count;
    uint32_t phase_order[COSM_PHASE_MAX]; // ids
    struct system **systems;              // by id - 1; NULL: removed
    uint32_t system_count;
    uint32_t system_capacity;
    uint32_t live_count;
    struct map system_names;                // of the live ones: their indices
    uint32_t order_marks[ORDER_MARK_COUNT]; // names in before and after of live ones, by their hash
    const char **removed_names;             // others may go on naming them
    uint32_t removed_count;
    uint32_t removed_capacity;
    struct plan *plan;      // NULL: to be made
    uint32_t running_count; // batches that run a phase now
    uint64_t plan_count;    // plans made so far
    struct failed_definition failed;
    size_t cache_size;
    uint64_t *faults; // access faults that were told, as hashes; checked builds only
    uint32_t fault_count;
    uint32_t fault_capacity;
};

bool cosmi_runner_init(struct runner *runner, struct memory *memory, const struct sink *sink,
                       struct schema *schema, struct query_cache *queries);

// Frees everything but the worker pool.
void cosmi_runner_free(struct runner *runner);

// Takes note of a fault of a system; false when it was noted before.
bool cosmi_runner_note_fault(struct runner *runner, uint64_t key);

// Takes note that something of the engine could not be defined: its message is in the slot of this
// thread. `name` may be NULL. The next step fails with it; in a step, that step does already.
void cosmi_runner_note_failed(struct runner *runner, const char *kind, const char *name);

// 0 on failure, with a message.
uint32_t cosmi_phase_define(struct runner *runner, const cosm_phase_desc *desc);

// 0 on failure, with a message. The phase, the queries and the access have been looked at.
uint32_t cosmi_system_define(struct runner *runner, const cosm_system_desc *desc);

// Takes a system out of the list. The caller disposes it and then gives its reference back; NULL,
// with a message, on failure.
struct system *cosmi_system_take_out(struct runner *runner, const char *call, uint32_t id);

// Gives a reference back; the last one frees it.
void cosmi_system_release(struct runner *runner, struct system *system);

// Both under the lock; NULL and 0 when there is none.
struct system *cosmi_system_by_id(const struct runner *runner, uint32_t id);
struct system *cosmi_system_by_name(const struct runner *runner, const char *name);
struct system *cosmi_system_named(const struct runner *runner, const struct order_name *name);
bool cosmi_system_was_removed(const struct runner *runner, const char *name);
uint32_t cosmi_phase_by_name(const struct runner *runner, const char *name);

// The place of a phase in the order.
uint32_t cosmi_phase_place(const struct runner *runner, uint32_t phase);

#endif
