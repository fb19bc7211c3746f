// The batch: N worlds of one engine, made and destroyed together.
//
// A game is a batch of one world. Different worlds of a batch may be changed from different
// threads at the same time; one world is changed by one thread at a time, and read by any number
// of threads while nobody changes it. Calls that look at the whole batch, such as its checksum or
// its memory, want all of its worlds to be left alone meanwhile.
#ifndef COSM_BATCH_H
#define COSM_BATCH_H

#include <cosm/error.h>
#include <cosm/memory.h>
#include <cosm/types.h>

COSM_BEGIN_C

// Good when zeroed: one world.
typedef struct cosm_batch_desc {
    uint32_t world_count;     // zero: 1
    uint64_t seed;            // of the worlds' random streams
    uint32_t entity_capacity; // entities per world that are made room for at once
    size_t memory_limit;      // bytes the batch may use; zero: no limit
} cosm_batch_desc;

// Makes a batch of empty worlds; `desc` may be NULL. NULL on failure.
COSM_API cosm_batch *cosm_batch_create(cosm_engine *engine, const cosm_batch_desc *desc);

// Destroys a batch and all its memory. NULL is fine. A batch that still has commands objects, or
// is being walked, is left alone: COSM_ERROR_BUSY or COSM_ERROR_WALKED.
COSM_API cosm_result cosm_batch_destroy(cosm_batch *batch);

COSM_API cosm_engine *cosm_batch_engine(const cosm_batch *batch);
COSM_API uint32_t cosm_batch_world_count(const cosm_batch *batch);
COSM_API uint64_t cosm_batch_seed(const cosm_batch *batch);

// Steps ended so far.
COSM_API uint64_t cosm_batch_step_count(const cosm_batch *batch);

// Living entities in all worlds.
COSM_API uint64_t cosm_batch_entity_count(const cosm_batch *batch);

// Ends a step: temporary rows are cleared and the step count goes up by one.
COSM_API COSM_MUST_USE cosm_result cosm_batch_step(cosm_batch *batch);

// Despawns every entity of the worlds whose byte in `mask` is not zero (`mask` has one byte per
// world; NULL: all worlds). Memory is kept, singletons are left as they are, and ids are handed
// out from zero again with new generations.
COSM_API COSM_MUST_USE cosm_result cosm_batch_reset(cosm_batch *batch, const uint8_t *mask);

// Gives back memory: growing tables without rows are released, others shrink to what they hold, and
// free blocks go back to the allocator. Addresses of growing tables may change; fixed ones stay.
// What commands objects hold goes back when they are destroyed.
COSM_API COSM_MUST_USE cosm_result cosm_batch_trim(cosm_batch *batch);

// Memory in use by the batch and everything in it.
COSM_API cosm_memory cosm_batch_memory(const cosm_batch *batch);

// A 64-bit checksum of the whole state: ids, free lists, rows in order, values, singletons, step.
// The same history gives the same checksum; which thread formed an archetype first, and where
// memory lies, do not count. Component bytes count as they are, padding included.
COSM_API uint64_t cosm_batch_checksum(const cosm_batch *batch);

// Walks every invariant of the batch. COSM_OK, or COSM_ERROR_CORRUPT with a message that names
// the first one that does not hold. Costs time in proportion to all that the batch holds.
COSM_API COSM_MUST_USE cosm_result cosm_batch_validate(const cosm_batch *batch);

COSM_END_C

#endif
