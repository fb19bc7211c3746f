// The batch as the library sees it: worlds, stores, singletons, and the memory they live in.
#ifndef COSM_STORE_BATCH_H
#define COSM_STORE_BATCH_H

#include <cosm/batch.h>
#include <cosm/export.h>

#include "schema/schema.h"
#include "store/directory.h"
#include "store/table.h"

// Worlds whose walks are counted together when a walk covers all of them.
#define WALK_BLOCK 64u

// What a world has beside its tables, each made when it is first needed, by whoever changes the
// world.
struct beside {
    struct tree *tree;          // store/tree.h
    struct shared *shared;      // store/shared.h
    struct sector_set *sectors; // store/sector_set.h
    struct managed *managed;    // store/managed.h
    struct event_log *events;   // store/event.h
};

// Where a world draws its random numbers from, as distances from what its batch and its place say:
// all zero until the world is seeded, or becomes a copy of another one or of its own past. Written
// by whoever changes the world.
struct stream {
    uint64_t seed_shift;   // exclusive or
    uint64_t step_shift;   // added
    uint64_t number_shift; // added
};

struct world_base;

// Who may write what: a world and its rows, whoever changes that world; `stores`, `singletons` and
// the list of commands under `lock`; `walks` the owner; the other counts anybody; `run` whoever
// steps.
struct cosm_batch {
    struct cosm_engine *engine;
    struct schema *schema;
    const struct sink *sink;
    struct world *worlds; // [world_count]
    uint32_t world_count;
    uint32_t
        slot; // where matches and transitions keep this batch's stores; BATCH_SLOT_MAX: nowhere
    struct batch_ticks *ticks;          // what is tracked in it, or NULL: store/change.h
    const void *owner;                  // the thread that made the batch
    atomic_uint sides;                  // what every store has beside its rows: SIDE_ENTITIES
    struct beside **besides;            // [world_count]: what a world has beside tables, or NULL
    struct stream *streams;             // [world_count]
    struct world_base *bases;           // [world_count], once there was a snapshot: state/image.h
    const struct event_board *events;   // store/event.h; NULL: the engine has no observers
    atomic_uint walks;                  // of all worlds, by the owner
    atomic_uint walks_shared;           // of all worlds, by other threads
    atomic_uint *block_walks;           // of some worlds: per whole block of WALK_BLOCK worlds
    _Atomic(struct store *) store_list; // all stores, in no particular order
    struct paged stores;                // by archetype id; NULL where no world has used it yet
    struct paged singletons;            // by singleton id: the values of all worlds
    struct memory memory;
    struct pool pool;
    struct mutex lock;
    uint64_t seed;
    uint64_t world_first;                 // number of world 0
    _Atomic uint64_t step_count;          // asked for from any thread
    atomic_uint commands_count;           // commands objects of this batch that live
    struct cosm_commands *commands_first; // those, in the order of their making, under `lock`
    struct cosm_commands *commands_last;
    atomic_uint loop_count;     // loops of this batch that live
    atomic_uint reader_count;   // change readers of this batch that live
    atomic_uint rollback_count; // rings of snapshots of this batch that live
    atomic_uint hasher_count;   // hashers of this batch that live
    atomic_bool running;        // a phase runs, or a step is being ended
    float step_seconds;
    cosm_split split;
    uint32_t block_worlds;        // 0: as the step sees fit
    struct runner *runner;        // the engine's; see run/system.h
    struct workers *workers;      // the engine's; see task/workers.h
    struct batch_run *run;        // what steps keep from one to the next; NULL before the first one
    struct cosm_profile *profile; // NULL: nobody wants to know
    struct cosm_watcher *watchers;     // in the order of their calls; NULL: none
    struct open_column *open_columns;  // what the outside may write: store/change.h; NULL: none
    struct open_column *shown_columns; // what it should only read: the same
    struct tensor *row_tensors;        // those whose rows come and go: export/export.h; NULL: none
    struct row_source *row_sources;    // where gathered ones have them from
    atomic_bool is_replaced;           // worlds were restored or forked since the last gather
    const char *const *held_by;        // as in the desc; NULL: whoever has the batch may destroy it
    atomic_uint held_count;            // tensors that are held outside: api/dlpack.c
    // By slot; all of these but the atomic ones are written under the engine's lock of batches by
    // who has claimed the batch as a step does.
    struct cosm_tensor *tensors[COSM_EXPORT_SLOT_MAX];
    struct cosm_batch *previous; // the engine's list
    struct cosm_batch *next;
};

struct store *cosmi_shared_find(const struct cosm_batch *batch, uint32_t world, uint32_t table);

static inline struct table_source batch_source(struct cosm_batch *batch) {
    return (struct table_source){&batch->memory, &batch->pool};
}

// All stores of a batch: those that some world has used. Only grows.
static inline struct store *batch_first_store(const struct cosm_batch *batch) {
    return atomic_load_explicit(&batch->store_list, memory_order_acquire);
}

static inline struct store *store_next(const struct store *store) {
    return store->next;
}

// The store of an archetype that some entity of the batch has.
static inline struct store *batch_known_store(const struct cosm_batch *batch, uint32_t archetype) {
    return paged_known(&batch->stores, archetype);
}

// The tables of shared values have numbers from here on, each world its own.
#define GROUP_FIRST PAGED_MAX

// The store of the table that a record of the world names.
static inline struct store *world_store(const struct cosm_batch *batch, uint32_t world,
                                        uint32_t table) {
    return LIKELY(table < GROUP_FIRST) ? batch_known_store(batch, table)
                                       : cosmi_shared_find(batch, world, table);
}

// The store of any archetype, or NULL.
static inline struct store *batch_store(const struct cosm_batch *batch, uint32_t archetype) {
    return paged_get(&batch->stores, archetype);
}

// What the random numbers of a world are a function of.
static inline uint64_t world_seed(const struct cosm_batch *batch, uint32_t world) {
    return batch->seed ^ batch->streams[world].seed_shift;
}

static inline uint64_t world_step(const struct cosm_batch *batch, uint32_t world) {
    return atomic_load_explicit(&batch->step_count, memory_order_relaxed) +
           batch->streams[world].step_shift;
}

static inline uint64_t world_number(const struct cosm_batch *batch, uint32_t world) {
    return batch->world_first + world + batch->streams[world].number_shift;
}

// Lets a world draw as if it were another one, at another step.
static inline void world_set_stream(struct cosm_batch *batch, uint32_t world, uint64_t seed,
                                    uint64_t step, uint64_t number) {
    batch->streams[world] = (struct stream){
        .seed_shift = seed ^ batch->seed,
        .step_shift = step - atomic_load_explicit(&batch->step_count, memory_order_relaxed),
        .number_shift = number - (batch->world_first + world),
    };
}

// Worlds get another state than that which gathered tensors show.
static inline void batch_note_replaced(struct cosm_batch *batch) {
    if (batch->row_tensors != NULL) {
        atomic_store_explicit(&batch->is_replaced, true, memory_order_relaxed);
    }
}

static inline bool batch_is_walked(const struct cosm_batch *batch, uint32_t index) {
    const struct world *world = &batch->worlds[index];
    return (atomic_load_explicit(&batch->walks, memory_order_relaxed) |
            atomic_load_explicit(&batch->walks_shared, memory_order_relaxed) |
            atomic_load_explicit(&batch->block_walks[index / WALK_BLOCK], memory_order_relaxed) |
            atomic_load_explicit(&world->walks, memory_order_relaxed) |
            atomic_load_explicit(&world->walks_shared, memory_order_relaxed)) != 0;
}

// The store of an archetype, made when there is none. NULL, with a message, on failure.
struct store *cosmi_batch_make_store(struct cosm_batch *batch, const char *call,
                                     struct archetype *archetype);

// What a world has beside its tables, made when there is nothing yet. NULL, with a message that
// names `call`, when out of memory.
struct beside *cosmi_batch_beside(struct cosm_batch *batch, const char *call, uint32_t world);

// From now on all stores of the batch tell when entities end: some have something beside.
void cosmi_batch_flag_entities(struct cosm_batch *batch, uint32_t world);

// Makes the array of a singleton in all worlds. False when out of memory.
bool cosmi_batch_make_singleton(struct cosm_batch *batch, const struct value_type *singleton);
void cosmi_batch_free_singleton(struct cosm_batch *batch, const struct value_type *singleton);

// Fills in a batch whose memory is zeroed but for `memory`, `engine`, `schema` and `sink`, all of
// which are set. False when out of memory; then all is freed.
bool cosmi_batch_init(struct cosm_batch *batch, const cosm_batch_desc *desc);
void cosmi_batch_free(struct cosm_batch *batch);

// Shrinks everything to what it holds.
void cosmi_batch_shrink(struct cosm_batch *batch);

// Live bytes of one world's rows.
size_t cosmi_batch_live_bytes(const struct cosm_batch *batch, uint32_t world);
size_t cosmi_batch_world_bytes(const struct cosm_batch *batch, uint32_t world);

// Walks every invariant; COSM_OK, or COSM_ERROR_CORRUPT with a message.
cosm_result cosmi_batch_validate(const struct cosm_batch *batch);

#endif
