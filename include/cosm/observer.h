// Observers: functions called when entities gain, lose or change something.
//
//     static void on_health(const cosm_event *event) {
//         for (uint32_t i = 0; i < event->count; i++) {
//             const Health *health = COSM_EVENT_VALUE(event, i, Health);
//             ...
//         }
//     }
//     cosm_observer_define(engine, &(cosm_observer_desc){
//         .name = "on_health", .query = "Health", .on = COSM_EVENT_REMOVE, .run = on_health});
//
// An observer watches one component, or a query. It is called at sync points: after commands are
// applied, and at the end of each call that changes a world directly. For all changes up to there,
// an entity is reported once: it started to match, it stopped matching, or it matched all along and
// a term was set.
//
// Calls come in a fixed order: by `order`, then by definition; for each observer first what
// stopped, then what started, then what was set; table by table as in walks. While observers run,
// the world is locked: they record changes in event->commands. These are applied after all
// observers were called, and may call observers again, up to COSM_OBSERVER_ROUND_MAX rounds. Then
// the chain is cut with COSM_ERROR_LIMIT; the message names it.
//
// In a step, different worlds may reach their sync points at the same time on several threads: an
// observer may change its own world only, and may only read its context. The order of worlds is not
// fixed.
#ifndef COSM_OBSERVER_H
#define COSM_OBSERVER_H

#include <cosm/commands.h>
#include <cosm/error.h>
#include <cosm/query.h>
#include <cosm/types.h>

COSM_BEGIN_C

// What happened. For queries the first two are called START and STOP.
typedef enum cosm_event_kind {
    COSM_EVENT_ADD = 1,    // the entity now has the component
    COSM_EVENT_REMOVE = 2, // the entity lost the component, or was despawned
    COSM_EVENT_SET = 4,    // a set call wrote the component, which the entity had before
    COSM_EVENT_START = COSM_EVENT_ADD,   // the entity now matches the query
    COSM_EVENT_STOP = COSM_EVENT_REMOVE, // the entity no longer matches the query
    COSM_EVENT_ALL = 7,
} cosm_event_kind;

// The argument of an observer: entities of one table to which the same thing happened. Valid until
// the observer returns.
typedef struct cosm_event {
    cosm_event_kind kind;
    cosm_observer observer;
    cosm_world world;
    // The watched component. For COSM_EVENT_SET of a query: the component that was set. Else zero.
    cosm_component component;
    cosm_archetype archetype; // of the entities now; for those that stopped matching, before
    uint32_t count;
    const cosm_entity *entities; // those that stopped matching may have been despawned
    // The entities' rows, contiguous, with the terms of the query; for a component, one term that
    // reads it. NULL for COSM_EVENT_REMOVE and STOP, since the rows are gone; only when a batch is
    // destroyed are they still there.
    const cosm_rows *rows;
    cosm_commands *commands; // records changes of this world
    void *context;           // the observer's context
    // Private from here on.
    const void *own;
} cosm_event;

typedef void cosm_observer_fn(const cosm_event *event);

// Required: the name, `run`, and one of `component`, `query` and `query_desc`.
typedef struct cosm_observer_desc {
    const char *name;           // unique among observers; copied
    cosm_component component;   // the component to watch; for a bundle: all members together
    const char *query;          // or a query as text: "mut Position, !Frozen"
    cosm_query_desc query_desc; // or a query
    uint32_t on;                // cosm_event_kind values, or'ed; zero: all
    cosm_observer_fn *run;
    void *context;
    int32_t order; // lower is called first; equal ones in order of definition
    bool disabled; // is not called until cosm_observer_enable
} cosm_observer_desc;

// Defines an observer for all batches of the engine. Entities that match already are not reported.
// Zero on failure. During this call, cosm_observer_remove and cosm_observer_enable, no other thread
// may change a world of the engine; while a batch is running, or inside an observer, they fail with
// COSM_ERROR_BUSY.
COSM_API cosm_observer cosm_observer_define(cosm_engine *engine, const cosm_observer_desc *desc);

// Removes an observer. Entities that match are not reported.
COSM_API COSM_MUST_USE cosm_result cosm_observer_remove(cosm_engine *engine,
                                                        cosm_observer observer);

// Enables or disables an observer. Changes while it is disabled cost nothing and are never
// reported.
COSM_API COSM_MUST_USE cosm_result cosm_observer_enable(cosm_engine *engine, cosm_observer observer,
                                                        bool enabled);

// The observer with this name, or zero.
COSM_API cosm_observer cosm_observer_find(const cosm_engine *engine, const char *name);

// An observer; zeroed if there is none. The name is valid until the observer is removed.
typedef struct cosm_observer_info {
    const char *name;
    bool is_enabled;
} cosm_observer_info;

COSM_API cosm_observer_info cosm_observer_describe(const cosm_engine *engine,
                                                   cosm_observer observer);

// The value that entity number `i` of the event has, or had before it stopped matching. NULL if
// there is none: of values that are gone, only those of watched components are kept. NULL,
// reported, if the component is split and the rows exist. O(1).
COSM_API const void *cosm_event_value(const cosm_event *event, uint32_t i,
                                      cosm_component component);

// Copies that value, in any layout. False if there is none.
COSM_API bool cosm_event_get(const cosm_event *event, uint32_t i, cosm_component component,
                             void *out_value);

// Called by COSM_EVENT_VALUE of typed.h.
COSM_API const void *cosm_event_value_type(const cosm_event *event, uint32_t i, cosm_type type);

COSM_END_C

#endif
