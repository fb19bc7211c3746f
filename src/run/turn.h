// Turns as the library sees them: a system on some worlds, on one worker, and what that worker has.
//
// Lanes: the rows that a system with commands has in one world are cut into lanes, runs of whole
// chunks, in the same way whatever the number of workers. Each lane has a few ids of its own for
// what it spawns, so that lanes on different workers get the same ids as lanes one after the other.
// A lane that needs more waits until all lanes before it are done, and takes what comes next.
//
//   ids      |lane 0  |lane 1  |lane 2  | ... |further ones, in the order of lanes
//             LANE_IDS
#ifndef COSM_RUN_TURN_H
#define COSM_RUN_TURN_H

#include <cosm/system.h>

#include "query/walk.h"
#include "run/commands.h"
#include "run/plan.h"
#include "run/readers.h"

#define LANE_MAX 128u // lanes of one world at most, but for one more per table
#define LANE_IDS 8u   // ids that a lane has to itself

// How the rows of a query in one world are cut.
struct lane_cut {
    uint32_t lane_count;
    uint32_t chunks; // of one lane
};

struct lane_cut cosmi_lane_cut(const cosm_query *query, const struct cosm_batch *batch,
                               uint32_t world, bool whole);

// The rows of one lane of a table.
static inline uint32_t lane_rows(struct lane_cut cut, const struct archetype *archetype) {
    return cut.chunks * archetype->chunk_rows;
}

// The ids that the lanes of one system in one world have to themselves.
struct reservation {
    uint32_t lane_count; // 0: not counted yet
    cosm_entity *ids;    // [lane_count * LANE_IDS], made with the first spawn
    uint8_t *taken;      // [lane_count]
    atomic_uchar *done;  // [lane_count]: has the lane ended? NULL: lanes come one after the other
    atomic_flag lock;    // of making the ids
    atomic_bool is_made; // ids and taken hold
};

// Commands of one lane, and their place in the order of all commands of a stage.
struct lane_chain {
    uint32_t order; // the system's place in the plan
    uint32_t world;
    uint32_t lane;
    struct command_chain chain;
};

// An id that a lane had and did not use.
struct spare_id {
    uint32_t order;    // the system's place in the plan
    uint32_t sequence; // among those of its system in its world
    uint32_t world;
    cosm_entity entity;
};

struct turn {
    cosm_turn open; // what systems see
    const struct system *system;
    struct worker *worker;
    struct reservation *reservation;      // NULL: ids come in the order of spawning
    const struct system_readers *readers; // of a system that looks for changes; else NULL
    uint32_t lane;
    uint32_t lane_spawns;
    uint32_t order;   // the system's place in the plan
    bool is_counting; // its walks lock what they walk: it may change the rest
    uint64_t rows;
    const cosm_rows *rows_now; // that `each` has at hand; kept in checked builds
#ifdef COSM_CHECKS
    uint64_t singleton_seals[COSM_LIST_MAX]; // of those that it may only read
#endif
    struct turn *outer; // a turn that this one is nested in, of a step within a system; else NULL
    struct failure_watch *outer_watch;
};

// What a worker has in the steps of one batch. Only that worker touches it while a job is under
// way, and the thread that steps in between.
struct worker {
    _Alignas(64) struct cosm_batch *batch;
    uint32_t index;
    struct turn turn;
    struct cosm_commands commands;
    struct arena scratch; // what systems ask for; cleared when a phase begins
    struct arena lanes;   // reservations; cleared at sync points
    struct lane_chain *chains;
    uint32_t chain_count;
    uint32_t chain_capacity;
    struct spare_id *spares;
    uint32_t spare_count;
    uint32_t spare_capacity;
    struct failure_watch watch;
};

// The turn that this thread is in; NULL: none.
#if defined(__GNUC__)
extern _Thread_local struct turn *cosmi_turn_now __attribute__((tls_model("initial-exec")));
#else
extern _Thread_local struct turn *cosmi_turn_now;
#endif

// The place of a lane's work in the order of failures:
//
//   63          40 39        16 15        0
//   | system      | world      | lane     |    the world is added by the watch
_Static_assert(COSM_BATCH_WORLD_MAX <= 1u << 24, "a world fits between the two");

static inline uint64_t turn_order(uint32_t order, uint32_t lane) {
    return (uint64_t)order << 40 | (lane < UINT16_MAX ? lane : UINT16_MAX);
}

// Begins a walk on this thread. Within a turn on the same batch nothing is counted: the step has
// locked it, and a walk that the system does not end leaves no trace. An exclusive system may
// change its worlds, so its walks do count.
static inline void turn_walk(const cosm_query *query, cosm_worlds worlds, cosm_rows *rows) {
    const struct turn *turn = cosmi_turn_now;
    if (LIKELY(turn == NULL || turn->open.worlds.batch != worlds.batch)) {
        cosmi_walk_begin(query, worlds, rows);
        return;
    }
    if (turn->is_counting) {
        cosmi_walk_begin(query, worlds, rows);
    } else {
        cosmi_walk_open(query, worlds, rows);
        rows->turn = &turn->open;
        rows->context = turn->open.context;
        rows->dt = turn->open.dt;
    }
    if (UNLIKELY(turn->readers != NULL && query->changed != 0)) {
        cosmi_turn_watch(turn, query, rows);
    }
}

// An id for a spawn that a system records.
// None: *out_result tells why.
cosm_entity cosmi_turn_reserve_id(struct turn *turn, uint32_t world, cosm_result *out_result);

// Puts the ids that no lane used aside for the next sync point. All lanes have ended.
void cosmi_reservation_end(struct worker *worker, struct reservation *reservation, uint32_t order,
                           uint32_t world);

// Makes room for so many more spare ids in a worker. False when out of memory.
bool cosmi_spares_reserve(struct worker *worker, uint32_t count);

// Functions over all rows of a query, spread over the workers, outside of systems: each.c.

// Hears of the failures of a function over rows while it is called.
struct each_watch {
    struct failure_watch own;
    struct failure_watch *outer;
};

void cosmi_each_watch(struct each_watch *watch);

// Ends it; returns the first failure, and shows it in this thread's slot. Who watched before hears
// of it too.
cosm_result cosmi_each_unwatch(struct each_watch *watch);

// The arguments have been checked, and nobody is in a turn on this thread. Returns the first
// failure inside of `each`, by the order of the rows; or there was no memory, and nothing was
// called.
cosm_result cosmi_each_run(const cosm_query *query, cosm_worlds worlds, cosm_rows_fn *each,
                           void *context, const char *call);

#endif
