// Observers: functions that are called when entities get, lose or are given something.
//
//     static void on_health(const cosm_event *event) {
//         for (uint32_t i = 0; i < event->count; i++) {
//             const Health *health = COSM_EVENT_VALUE(event, i, Health);
//             ...
//         }
//     }
//     cosm_observer_define(engine, &(cosm_observer_desc){
//         .name = "on_health", .component = health, .on = COSM_EVENT_REMOVE, .run = on_health});
//
// An observer watches one component (a hook), or a query. It is called at sync points: when
// commands have been applied, and at the end of each call that changes a world directly. Of what
// happened up to there an entity is told once: it starts to match, or it stops to match, or it
// matched all along and a term was set.
//
// Calls come in a fixed order: observer by observer, by `order` and then as defined; of each first
// what stopped, then what started, then what was set; table by table as in walks. While observers
// are called the world is locked: what they change they record with event->commands, which is
// applied when all have been called, and may call observers again, COSM_OBSERVER_ROUND_MAX times in
// all. Then the chain is cut: COSM_ERROR_LIMIT, with a message that names it.
//
// In a step different worlds may be at their sync points at the same time, on several threads: an
// observer touches its own world, and its context only for reading. Which world comes first is not
// fixed.
#ifndef COSM_OBSERVER_H
#define COSM_OBSERVER_H

#include <cosm/commands.h>
#include <cosm/error.h>
#include <cosm/query.h>
#include <cosm/types.h>

COSM_BEGIN_C

// What happened. Of a query the first two are called START and STOP.
typedef enum cosm_event_kind {
    COSM_EVENT_ADD = 1,                  // the entity has the component now, and had not
    COSM_EVENT_REMOVE = 2,               // it had the component; it may be gone altogether
    COSM_EVENT_SET = 4,                  // the component it had was set: by a set call
    COSM_EVENT_START = COSM_EVENT_ADD,   // the entity matches the query now, and did not
    COSM_EVENT_STOP = COSM_EVENT_REMOVE, // it matched the query
    COSM_EVENT_ALL = 7,
} cosm_event_kind;

// What an observer is called with: entities of one table to which the same thing happened. Valid
// until it returns.
typedef struct cosm_event {
    cosm_event_kind kind;
    cosm_observer observer;
    cosm_world world;
    // What the observer watches, or in COSM_EVENT_SET of a query the component of the term that was
    // set; else zero.
    cosm_component component;
    cosm_archetype archetype; // of the entities now; of those that stopped matching, before
    uint32_t count;
    const cosm_entity *entities; // those that stopped matching may have ended
    // The rows as they are, side by side, with the terms of the query; of a component it is the only
    // term, for reading. NULL where the rows are gone: COSM_EVENT_REMOVE and STOP, but for the end
    // of a batch, which is told while they are there.
    const cosm_rows *rows;
    cosm_commands *commands; // for changes of this world
    void *context;           // the observer's
    // From here on the library's own.
    const void *own;
} cosm_event;

typedef void cosm_observer_fn(const cosm_event *event);

// Good when zeroed but for the name, `run`, and one of `component`, `query` and `query_desc`.
typedef struct cosm_observer_desc {
    const char *name;           // unique among observers; copied
    cosm_component component;   // what it watches; a bundle: all of its members together
    const char *query;          // or this, as text: "mut Position, !Frozen"
    cosm_query_desc query_desc; // or this
    uint32_t on;                // cosm_event_kind values, or'ed; zero: all of them
    cosm_observer_fn *run;
    void *context;
    int32_t order; // lower ones are called first; of equal ones the one defined first
    bool disabled; // not to be called until cosm_observer_enable
} cosm_observer_desc;

// Defines an observer, for all batches of the engine. What matches already is not told. Zero on
// failure. This call, remove and enable want no world of the engine to be changed meanwhile by
// other threads; while a batch is running, or within an observer, they fail with COSM_ERROR_BUSY.
COSM_API cosm_observer cosm_observer_define(cosm_engine *engine, const cosm_observer_desc *desc);

// Ends an observer. What matches is not told.
COSM_API COSM_MUST_USE cosm_result cosm_observer_remove(cosm_engine *engine,
                                                        cosm_observer observer);

// Switches an observer on or off. What happens while it is off costs nothing and is not told later.
COSM_API COSM_MUST_USE cosm_result cosm_observer_enable(cosm_engine *engine, cosm_observer observer,
                                                        bool enabled);
COSM_API bool cosm_observer_is_enabled(const cosm_engine *engine, cosm_observer observer);

COSM_API cosm_observer cosm_observer_find(const cosm_engine *engine, const char *name);

// NULL when there is none. Valid until the observer is removed.
COSM_API const char *cosm_observer_name(const cosm_engine *engine, cosm_observer observer);

// Observers that are defined and not removed.
COSM_API uint32_t cosm_observer_count(const cosm_engine *engine);

// The value that entity number `i` of an event has, or had before it stopped matching; NULL where
// there is none. Values that are gone are kept for the components that the observer watches. Where
// the component is split and the rows are there, NULL with a message. O(1).
COSM_API const void *cosm_event_value(const cosm_event *event, uint32_t i,
                                      cosm_component component);

// Copies that value, whatever its layout. False where there is none.
COSM_API bool cosm_event_get(const cosm_event *event, uint32_t i, cosm_component component,
                             void *out_value);

// What COSM_EVENT_VALUE of typed.h calls.
COSM_API const void *cosm_event_value_type(const cosm_event *event, uint32_t i, cosm_type type);

COSM_END_C

#endif
