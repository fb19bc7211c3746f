// The batch: N worlds of one engine, made and destroyed together.
//
// A game is a batch of one world. Different worlds of a batch may be changed from different
// threads at the same time; one world is changed by one thread at a time, and read by any number
// of threads while nobody changes it. Calls that look at the whole batch, such as its hash or
// its memory, want all of its worlds to be left alone meanwhile.
#ifndef COSM_BATCH_H
#define COSM_BATCH_H

#include <cosm/error.h>
#include <cosm/memory.h>
#include <cosm/types.h>

COSM_BEGIN_C

// How the work of a step is spread over the workers. The result is the same with each.
typedef enum cosm_split {
    COSM_SPLIT_AUTO = 0, // by the number of worlds and by what the last steps took
    COSM_SPLIT_WORLDS,   // blocks of worlds, each of which one worker takes through its phase
    COSM_SPLIT_CHUNKS,   // system by system, each of them cut into runs of chunks
    COSM_SPLIT_NONE,     // on the thread that steps
} cosm_split;

// Good when zeroed: one world.
typedef struct cosm_batch_desc {
    uint32_t world_count; // zero: 1
    uint64_t seed;        // of the worlds' random streams: random.h
    uint64_t world_first; // number of the first world; the others follow: random.h
    uint64_t step_first;  // steps taken before the batch was made: what its step count begins at
    uint32_t entity_capacity; // entities per world that are made room for at once
    size_t memory_limit;      // bytes the batch may use; zero: no limit
    float step_seconds;       // what a step stands for: `dt` of the systems; zero: 1/60
    cosm_split split;         // how a step is spread over the workers
    uint32_t block_worlds;    // worlds of a block; zero: by the size of the cache and the cost
} cosm_batch_desc;

// Makes a batch of empty worlds; `desc` may be NULL. NULL on failure.
COSM_API cosm_batch *cosm_batch_create(cosm_engine *engine, const cosm_batch_desc *desc);

// Destroys a batch and all its memory, after the dispose hooks of its systems. NULL is fine. A
// batch that is running, has a loop, a profile or a recorder, or is being walked, is left alone:
// COSM_ERROR_BUSY or COSM_ERROR_WALKED. So is one that has commands objects once the hooks were
// called; its systems are initialised again if it steps on.
COSM_API cosm_result cosm_batch_destroy(cosm_batch *batch);

COSM_API cosm_engine *cosm_batch_engine(const cosm_batch *batch);
COSM_API uint32_t cosm_batch_world_count(const cosm_batch *batch);
COSM_API uint64_t cosm_batch_seed(const cosm_batch *batch);

// Steps ended so far, step_first included.
COSM_API uint64_t cosm_batch_step_count(const cosm_batch *batch);

// Living entities in all worlds.
COSM_API uint64_t cosm_batch_entity_count(const cosm_batch *batch);

// What a step stands for, in seconds.
COSM_API float cosm_batch_step_seconds(const cosm_batch *batch);

// Takes a step: runs all phases in their order, then ends the step. One thread steps a batch at a
// time; different batches step at the same time from different threads. When something fails on
// the way, the step is taken to its end all the same, and the first failure in the order of the
// plan is what it returns: a call that fails with a message within a system, cosm_turn_fail, or
// commands that cannot be applied. Those of all systems of that world since the last sync point
// are then dropped; other worlds go on.
COSM_API COSM_MUST_USE cosm_result cosm_batch_step(cosm_batch *batch);

// Takes so many steps, and stops at the first that fails, whose result it returns.
COSM_API COSM_MUST_USE cosm_result cosm_batch_run(cosm_batch *batch, uint64_t step_count);

// Runs one phase; `dt` is what its systems see, below zero: step_seconds. Does not end the step.
COSM_API COSM_MUST_USE cosm_result cosm_batch_run_phase(cosm_batch *batch, cosm_phase phase,
                                                        float dt);

// Ends a step whose phases you ran yourself: temporary rows are cleared and the step count goes up
// by one.
COSM_API COSM_MUST_USE cosm_result cosm_batch_end_step(cosm_batch *batch);

// Is a phase of the batch running?
COSM_API bool cosm_batch_is_running(const cosm_batch *batch);

// Despawns every entity of the worlds whose byte in `mask` is not zero (`mask` has one byte per
// world; NULL: all worlds). Memory is kept, singletons are left as they are, and ids are handed
// out from zero again with new generations.
COSM_API COSM_MUST_USE cosm_result cosm_batch_reset(cosm_batch *batch, const uint8_t *mask);

// Gives back memory: growing tables without rows are released, others shrink to what they hold, and
// free blocks go back to the allocator, and so does what steps keep for the next ones. Addresses of
// growing tables may change; fixed ones stay.
// What commands objects hold goes back when they are destroyed.
COSM_API COSM_MUST_USE cosm_result cosm_batch_trim(cosm_batch *batch);

// Memory in use by the batch and everything in it.
COSM_API cosm_memory cosm_batch_memory(const cosm_batch *batch);

// Walks every invariant of the batch. COSM_OK, or COSM_ERROR_CORRUPT with a message that names
// the first one that does not hold. Costs time in proportion to all that the batch holds.
COSM_API COSM_MUST_USE cosm_result cosm_batch_validate(const cosm_batch *batch);

COSM_END_C

#endif
