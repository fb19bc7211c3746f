// The batch: N worlds of one engine, created and destroyed together. A game is a batch of one
// world.
//
// Threads: different worlds of a batch may be changed by different threads at the same time. One
// world may be changed by one thread at a time, or read by any number of threads while none changes
// it. Calls on the whole batch, such as its hash or its memory, require that no other thread
// changes any of its worlds.
#ifndef COSM_BATCH_H
#define COSM_BATCH_H

#include <cosm/engine.h>
#include <cosm/error.h>
#include <cosm/inlined.h>
#include <cosm/types.h>

COSM_BEGIN_C

// How a step is spread over the workers. The result is the same with each.
typedef enum cosm_split {
    COSM_SPLIT_AUTO = 0, // chosen by the number of worlds and the time of the last steps
    COSM_SPLIT_WORLDS,   // by blocks of worlds; one worker takes a block through the phase
    COSM_SPLIT_CHUNKS,   // system by system, each cut into runs of chunks
    COSM_SPLIT_NONE,     // on the thread that steps
} cosm_split;

// Zeroed: one world.
typedef struct cosm_batch_desc {
    uint32_t world_count;     // zero: 1
    uint64_t seed;            // seed of the random streams: random.h
    uint64_t world_first;     // number of the first world; the others follow: random.h
    uint64_t step_first;      // initial value of the step count
    uint32_t entity_capacity; // entities per world to allocate memory for at once
    size_t memory_limit;      // bytes that the batch may use; zero: no limit
    float step_seconds;       // length of a step: `dt` of the systems; zero: 1/60
    cosm_split split;         // how a step is spread over the workers
    uint32_t block_worlds;    // worlds per block; zero: by cache size and cost
    const char *const *owner; // for modules: while *owner is not NULL, cosm_batch_destroy fails and
                              // says "this batch belongs to *owner"; valid as long as the batch
} cosm_batch_desc;

// Creates a batch of empty worlds; `desc` may be NULL. NULL on failure.
COSM_API cosm_batch *cosm_batch_create(cosm_engine *engine, const cosm_batch_desc *desc);

// Destroys a batch and frees its memory, after calling its systems' dispose hooks. NULL is allowed.
// Fails and changes nothing with COSM_ERROR_BUSY if the batch is running, has an owner, or has a
// loop, a profile or a watcher, and with COSM_ERROR_WALKED if it is being walked. Also fails with
// COSM_ERROR_BUSY, but after calling the hooks, if commands objects of the batch exist; its systems
// are then initialized again by the next step.
COSM_API cosm_result cosm_batch_destroy(cosm_batch *batch);

COSM_API cosm_engine *cosm_batch_engine(const cosm_batch *batch);
COSM_API uint32_t cosm_batch_world_count(const cosm_batch *batch);
COSM_API uint64_t cosm_batch_seed(const cosm_batch *batch);

// Steps completed, including step_first.
COSM_API uint64_t cosm_batch_step_count(const cosm_batch *batch);

// Living entities in all worlds.
COSM_API uint64_t cosm_batch_entity_count(const cosm_batch *batch);

// The length of a step in seconds.
COSM_API float cosm_batch_step_seconds(const cosm_batch *batch);

// Takes a step: runs all phases in order, then ends the step. One thread at a time may step a
// batch; different batches may step at the same time. If something fails (a call inside a system,
// with a message; cosm_turn_fail; commands that cannot be applied), the step still runs to its end
// and returns the first failure in the order of the plan. If commands cannot be applied in a world,
// all commands recorded for that world since the last sync point are dropped; other worlds are not
// affected.
COSM_API COSM_MUST_USE cosm_result cosm_batch_step(cosm_batch *batch);

// Takes `step_count` steps. Stops at the first that fails and returns its result.
COSM_API COSM_MUST_USE cosm_result cosm_batch_run(cosm_batch *batch, uint64_t step_count);

// Runs one phase. `dt` is passed to its systems; negative: step_seconds. Does not end the step.
COSM_API COSM_MUST_USE cosm_result cosm_batch_run_phase(cosm_batch *batch, cosm_phase phase,
                                                        float dt);

// Ends a step whose phases you ran yourself: removes temporary rows and increments the step count.
COSM_API COSM_MUST_USE cosm_result cosm_batch_end_step(cosm_batch *batch);

// Which phases a step runs before it ends.
typedef enum cosm_step_phases {
    COSM_STEP_ALL = 0, // as cosm_batch_step
    COSM_STEP_FIXED,   // those of a fixed rate: the step of a loop
    COSM_STEP_NONE,    // as cosm_batch_end_step
} cosm_step_phases;

// How a step is taken. Zeroed: as cosm_batch_step takes it.
typedef struct cosm_step_desc {
    cosm_step_phases phases;
    float dt;        // passed to the systems; zero: step_seconds
    bool no_scatter; // ignores what was written into gathered tensors (export.h)
} cosm_step_desc;

// Takes a step in another way: for loops and replays. Calls init hooks, also if it runs no phase.
// The step came to its end if the step count grew, whatever the result says.
COSM_API COSM_MUST_USE cosm_result cosm_batch_step_with(cosm_batch *batch,
                                                        const cosm_step_desc *desc);

// Calls the init hooks of systems that are new to the batch. The next step would call them first.
COSM_API COSM_MUST_USE cosm_result cosm_batch_init_systems(cosm_batch *batch);

// Watchers: look on while a batch steps. For recorders, inspectors and other tools.
//
// A watcher is called on the thread that steps, outside any turn. It may read the worlds and take
// snapshots of them, also while commands wait to be applied. It must not change the batch or step
// it. Errors that it causes are reported, but do not fail the step.
typedef struct cosm_watcher {
    const char *name; // cosm_batch_destroy fails and says "the batch is watched by NAME"
    void *context;
    // Before the first phase: the inputs are in the worlds, and init hooks were called.
    void (*before)(void *context, const cosm_step_desc *step);
    // After the last phase. `ended` is false if the step could not end and was not counted.
    void (*after)(void *context, bool ended);
    // After each system, and after its commands were applied. If set, steps run system by system on
    // one thread.
    void (*system)(void *context, cosm_system system);
    struct cosm_watcher *next; // used by the library
} cosm_watcher;

// Adds a watcher, which must stay valid until it is removed; functions may be NULL. Several
// watchers are called in the order in which they were added. Fails with COSM_ERROR_BUSY while the
// batch is running.
COSM_API COSM_MUST_USE cosm_result cosm_batch_watch(cosm_batch *batch, cosm_watcher *watcher);

// Removes a watcher; COSM_STALE if it does not watch this batch. Fails like cosm_batch_watch.
COSM_API COSM_MUST_USE cosm_result cosm_batch_unwatch(cosm_batch *batch, cosm_watcher *watcher);

// True while a phase of the batch is running.
COSM_API bool cosm_batch_is_running(const cosm_batch *batch);

// Despawns all entities of the worlds whose byte in `mask` is not zero. `mask` has one byte per
// world; NULL: all worlds. Memory and singletons are kept; ids start from zero again, with new
// generations.
COSM_API COSM_MUST_USE cosm_result cosm_batch_reset(cosm_batch *batch, const uint8_t *mask);

// Releases unused memory: frees growing tables without rows, shrinks the others to their rows,
// returns free blocks to the allocator, and frees the scratch memory of steps. Growing tables may
// move; fixed tables do not. Memory of commands objects is released when they are destroyed.
COSM_API COSM_MUST_USE cosm_result cosm_batch_trim(cosm_batch *batch);

// Memory used by the batch and everything in it.
COSM_API cosm_memory cosm_batch_memory(const cosm_batch *batch);

// Checks every invariant of the batch. Returns COSM_OK, or COSM_ERROR_CORRUPT with a message that
// names the first broken one. Takes time in proportion to the batch's contents.
COSM_API COSM_MUST_USE cosm_result cosm_batch_validate(const cosm_batch *batch);

// Worlds: each has its own entities, tables, singletons and random stream.

// World number `index` of the batch; {NULL, 0} if there is none.
COSM_API cosm_world cosm_batch_world(cosm_batch *batch, uint32_t index);

// One world, a range of worlds, or all worlds of a batch, for calls that take several.
COSM_API cosm_worlds cosm_worlds_one(cosm_world world);
COSM_API cosm_worlds cosm_worlds_range(cosm_batch *batch, uint32_t first, uint32_t count);
COSM_API cosm_worlds cosm_worlds_all(cosm_batch *batch);

// World number `i` of a range, from 0: in a system, cosm_worlds_at(turn->worlds, i). {NULL, 0},
// reported, if the range has no such world.
static inline cosm_world cosm_worlds_at(cosm_worlds worlds, uint32_t i) {
    cosm_world world = {worlds.batch, worlds.first + i};
    return i < worlds.count ? world : cosm_worlds_outside(worlds, i);
}

// Living entities. O(1).
COSM_API uint32_t cosm_world_entity_count(cosm_world world);

// Like cosm_batch_reset, for one world.
COSM_API COSM_MUST_USE cosm_result cosm_world_reset(cosm_world world);

// Reserves memory for `count` more entities of an archetype than there are now: spawning them then
// cannot run out of memory. Reservations for several archetypes add up.
COSM_API COSM_MUST_USE cosm_result cosm_world_reserve(cosm_world world, cosm_archetype archetype,
                                                      uint32_t count);

// The step from which the world draws its random numbers: that of its batch, unless the world was
// restored or forked from another step.
COSM_API uint64_t cosm_world_step_count(cosm_world world);

// The number from which the world draws its random numbers (random.h): its index plus the batch's
// world_first, unless cosm_world_seed set another, or the world was restored or forked from a world
// with another. 0 if the world does not exist.
COSM_API uint64_t cosm_world_number(cosm_world world);

// Reseeds the world: from now on it draws the random numbers that world `number` of a new batch
// with this seed draws from step 0 on. Nothing else changes. Pass cosm_world_number(world) to
// reseed all worlds of a batch; pass 0 to draw like the only world of a batch with that seed.
COSM_API COSM_MUST_USE cosm_result cosm_world_seed(cosm_world world, uint64_t seed,
                                                   uint64_t number);

// True while the world is being walked. Direct structural changes then fail.
COSM_API bool cosm_world_is_walked(cosm_world world);

// Memory used by this world: its entity directory, its tables, and its share of fixed tables and
// singletons.
COSM_API cosm_memory cosm_world_memory(cosm_world world);

COSM_END_C

#endif
