// A Cosm world of movers: what most rows start from.
//
// One engine, one batch of one world, entities with a Position and a Velocity.
#ifndef BENCH_FIXTURE_H
#define BENCH_FIXTURE_H

#include "bench.h"
#include "work.h"

#include <cosm/cosm.h>

struct fixture {
    cosm_engine *engine;
    cosm_batch *batch;
    cosm_world world;
    cosm_worlds worlds;
    cosm_component position;
    cosm_component velocity;
    cosm_component force;
    cosm_archetype mover;
    cosm_query *movers;   // term 0 writes Position, term 1 reads Velocity
    cosm_entity *handles; // in the order of spawning; as long as n
    uint32_t n;
};

// An engine with everything defined, and an empty batch. Positions and velocities are described;
// the second one has them split.
struct fixture *fixture_create(uint32_t n);
struct fixture *fixture_create_split(uint32_t n);
void fixture_destroy(struct fixture *fixture);

// A batch of its own for a fixture that has none, and the end of it.
void fixture_begin_batch(struct fixture *fixture);
void fixture_end_batch(struct fixture *fixture);

// Spawns n movers one by one and keeps their handles.
void fixture_spawn_each(struct fixture *fixture);

// Spawns n movers in one go and fills their columns; leaves the handles in their column.
void fixture_spawn_bulk(struct fixture *fixture);

// Despawns by handle, in the order given.
void fixture_despawn_each(struct fixture *fixture, const cosm_entity *handles);

// Despawns whatever the query finds.
void fixture_despawn_query(struct fixture *fixture);

// A sum over all movers.
uint64_t fixture_hash(struct fixture *fixture);

#endif
