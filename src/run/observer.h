// Observers as the library sees them: the definitions, and delivery of what a world's log holds.
//
// The board is changed while no world is, under the schema's lock: that is what archetypes are
// formed under, and a new one has to know who watches it. Delivery reads it without a lock.
#ifndef COSM_RUN_OBSERVER_H
#define COSM_RUN_OBSERVER_H

#include <cosm/observer.h>

#include "query/query.h"
#include "run/commands.h"
#include "store/event.h"

// Immutable once defined, but for `enabled`.
struct observer {
    uint32_t id;
    const char *name;
    size_t name_size;
    cosm_query *query;
    cosm_component component; // zero: it watches a query
    bool is_sector;           // its component lies beside the tables: the log tells of it by name
    uint32_t kinds;
    cosm_observer_fn *run;
    void *context;
    int32_t order;
    bool enabled;
};

// The observers of an engine. Invariant: `ordered` holds those that are enabled, by order, then id;
// every archetype that one of them matches has a watch, and no other has.
struct observer_board {
    struct memory *memory;
    const struct sink *sink;
    struct schema *schema;
    struct query_cache *queries;
    struct observer **observers; // by id - 1; NULL: removed
    uint32_t count;
    uint32_t capacity;
    uint32_t live_count;
    struct observer **ordered; // [ordered_count]
    uint32_t ordered_count;
    uint32_t ordered_capacity;
    uint32_t sector_capacity;
    struct event_board events; // what batches see
};

void cosmi_board_init(struct observer_board *board, struct memory *memory, const struct sink *sink,
                      struct schema *schema, struct query_cache *queries);
void cosmi_board_free(struct observer_board *board);

// 0 on failure, with a message; then nothing has changed. The caller flags the stores of all
// batches afterwards.
uint32_t cosmi_observer_define(struct observer_board *board, const cosm_observer_desc *desc);
cosm_result cosmi_observer_remove(struct observer_board *board, const char *call, uint32_t id);
cosm_result cosmi_observer_enable(struct observer_board *board, const char *call, uint32_t id,
                                  bool enabled);

// All three under the schema's lock; NULL when there is none.
struct observer *cosmi_observer_by_id(const struct observer_board *board, uint32_t id);
struct observer *cosmi_observer_by_name(const struct observer_board *board, const char *name);

// Where the values of an event are, if its rows are gone.
struct event_values {
    const char *bytes; // NULL: none were kept
    size_t stride;
    const struct event_watch *watch; // of the archetype that the rows were in; NULL: one component
    const struct store *source;      // that they were in, for what they shared; NULL: none
    uint32_t component;
};

// What a thread delivers now.
struct delivery {
    const struct observer *observer; // that is being called
    cosm_event *event;               // that it is called with
    cosm_world world;
    struct delivery *outer; // of another world, whose observer changed this one
};

#if defined(__GNUC__)
extern _Thread_local struct delivery *cosmi_delivery_now __attribute__((tls_model("initial-exec")));
#else
extern _Thread_local struct delivery *cosmi_delivery_now;
#endif

// Calls observers for what a world's log holds, applies what they record, and so on until nothing
// is left. Failures are told as those of calls are; `call` is the one that made the changes.
// Returns whether what they recorded has changed the world.
bool cosmi_deliver(cosm_world world, const char *call);

// The same for some worlds, and for the worlds of some commands that were applied.
void cosmi_deliver_worlds(cosm_worlds worlds, const char *call);
void cosmi_deliver_chains(struct cosm_batch *batch, const struct command_chain *chains,
                          uint32_t count, const char *call, struct failure_watch *watch);

// The same for a call that shows rows it has spawned: none where others stand there afterwards.
void cosmi_deliver_rows(cosm_world world, const char *call, cosm_rows *rows);

// Tells that all entities of a batch stop matching, while they are still there. What observers
// record is dropped.
void cosmi_deliver_end(struct cosm_batch *batch);

// At the end of a call that changed a world: a load and a test where the engine has no observers.
static inline void deliver_events(cosm_world world, const char *call) {
    if (UNLIKELY(world.batch->events != NULL)) {
        (void)cosmi_deliver(world, call);
    }
}

// The same, and what the change left empty is freed.
static inline void end_change(cosm_world world, const char *call) {
    deliver_events(world, call);
    world_settle(world);
}

// Worlds that exist, for a call that records nothing and so has to wait for the end of walks.
cosm_result cosmi_check_unwalked(cosm_worlds worlds, const char *call);

#endif
