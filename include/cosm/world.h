// Worlds: each has its own entities, tables, singletons and random stream.
#ifndef COSM_WORLD_H
#define COSM_WORLD_H

#include <cosm/error.h>
#include <cosm/memory.h>
#include <cosm/types.h>

COSM_BEGIN_C

// World number `index` of the batch; {NULL, 0} if there is none.
COSM_API cosm_world cosm_batch_world(cosm_batch *batch, uint32_t index);

// One world, a range of worlds, or all worlds of a batch, for calls that take several.
COSM_API cosm_worlds cosm_worlds_one(cosm_world world);
COSM_API cosm_worlds cosm_worlds_range(cosm_batch *batch, uint32_t first, uint32_t count);
COSM_API cosm_worlds cosm_worlds_all(cosm_batch *batch);

// World number `i` of a range, from 0: in a system, cosm_worlds_at(turn->worlds, i).
static inline cosm_world cosm_worlds_at(cosm_worlds worlds, uint32_t i) {
    cosm_world world = {worlds.batch, worlds.first + i};
    return world;
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
