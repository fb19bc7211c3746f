// A Cosm batch of worlds of movers with the system that moves them: what the rows about steps
// share.
#ifndef BENCH_SWARM_H
#define BENCH_SWARM_H

#include "bench.h"
#include "work.h"

#include <cosm/cosm.h>

struct swarm_desc {
    uint32_t world_count;
    uint32_t world_rows; // movers of each world
    cosm_placement placement;
    uint32_t worker_count;
    cosm_split split;
};

struct swarm {
    struct swarm_desc desc;
    cosm_engine *engine;
    cosm_batch *batch;
    cosm_component position;
    cosm_component velocity;
    cosm_archetype mover;
    cosm_query *movers; // term 0 writes Position, term 1 reads Velocity
};

// An engine with everything defined; no batch yet.
struct swarm *swarm_create(const struct swarm_desc *desc);
void swarm_destroy(struct swarm *swarm);

// A batch of empty worlds, and the end of it; harmless where there is none.
void swarm_begin_batch(struct swarm *swarm);
void swarm_end_batch(struct swarm *swarm);

// Spawns the movers of every world, one call per world, and fills their columns.
void swarm_spawn(struct swarm *swarm);

// Steps until the library knows what its choices cost, then sets all values back.
void swarm_warm_up(struct swarm *swarm);

void swarm_step(struct swarm *swarm, uint32_t times);

// A sum over all movers of all worlds.
uint64_t swarm_hash(struct swarm *swarm);

// The above as parts of a side: a batch full of movers, warmed up where there are workers to choose
// between, and its steps.
struct swarm *swarm_full(const struct swarm_desc *desc);
void swarm_side_run(void *state, uint32_t times);
uint64_t swarm_side_checksum(void *state);
void swarm_side_destroy(void *state);

#endif
