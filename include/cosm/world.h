// Worlds: places in a batch, with entities, tables and singletons of their own.
#ifndef COSM_WORLD_H
#define COSM_WORLD_H

#include <cosm/error.h>
#include <cosm/memory.h>
#include <cosm/types.h>

COSM_BEGIN_C

// A world of the batch; {NULL, 0} when there is no such world.
COSM_API cosm_world cosm_batch_world(cosm_batch *batch, uint32_t index);

// One world, a run of worlds, or all worlds of a batch, for the calls that take several.
COSM_API cosm_worlds cosm_worlds_one(cosm_world world);
COSM_API cosm_worlds cosm_worlds_range(cosm_batch *batch, uint32_t first, uint32_t count);
COSM_API cosm_worlds cosm_worlds_all(cosm_batch *batch);

// World number `i` of a run, from 0: in a system, cosm_worlds_at(turn->worlds, i).
static inline cosm_world cosm_worlds_at(cosm_worlds worlds, uint32_t i) {
    cosm_world world = {worlds.batch, worlds.first + i};
    return world;
}

// Living entities. O(1).
COSM_API uint32_t cosm_world_entity_count(cosm_world world);

// As cosm_batch_reset, for one world.
COSM_API COSM_MUST_USE cosm_result cosm_world_reset(cosm_world world);

// Makes room for `count` more entities of an archetype, so that spawning them cannot fail for
// want of memory, whatever else was reserved before.
COSM_API COSM_MUST_USE cosm_result cosm_world_reserve(cosm_world world, cosm_archetype archetype,
                                                      uint32_t count);

// The step that the world is at, as its random numbers go by it: that of its batch, unless the
// world was restored or forked from another step.
COSM_API uint64_t cosm_world_step_count(cosm_world world);

// The number by which the world draws its random numbers (random.h): world_first of its batch plus
// its index, unless the world was seeded with another, or restored or forked from a world that has
// another. 0 for a world that does not exist.
COSM_API uint64_t cosm_world_number(cosm_world world);

// From now on the world draws its random numbers as world `number` of a new batch with this seed
// would from step 0 on. Nothing else changes. With cosm_world_number(world) all worlds of a batch can
// be given another seed; with 0 the world draws as the only world of a batch with that seed.
COSM_API COSM_MUST_USE cosm_result cosm_world_seed(cosm_world world, uint64_t seed,
                                                   uint64_t number);

// Is anything walking this world now? Direct structural changes are refused while it is so.
COSM_API bool cosm_world_is_walked(cosm_world world);

// Memory in use by this world: its directory, its tables, its share of fixed tables and
// singletons.
COSM_API cosm_memory cosm_world_memory(cosm_world world);

COSM_END_C

#endif
