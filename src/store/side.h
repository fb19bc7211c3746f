// What stands beside the rows of a store and has to follow them: objects of managed components,
// change ticks, events for hooks and observers, and what belongs to entities wherever they are
// (trees, sectors).
//
// A store without any of it pays one test of a flag; the calls below are made only where a flag is
// set. They stand in the few functions through which all rows come, go and change.
#ifndef COSM_STORE_SIDE_H
#define COSM_STORE_SIDE_H

#include "store/batch.h"

// The flags of a store. SIDE_MANAGED, 1: it has columns of tickets, is in schema/archetype.h.
#define SIDE_TICKS 2u    // changes of some of its columns are kept
#define SIDE_EVENTS 4u   // hooks or observers want to know of its rows
#define SIDE_ENTITIES 8u // entities of the batch may have something beside the tables
#define SIDE_GROUP 16u   // its rows have shared values; of a batch: some store is such a one

static inline uint32_t store_sides(const struct store *store) {
    return atomic_load_explicit(&store->sides, memory_order_relaxed);
}

// Rows have been added for new entities, with their default values.
void cosmi_side_spawned(cosm_world world, struct store *store, uint32_t row, uint32_t count);

// The entities of these rows are about to end.
void cosmi_side_leaving(cosm_world world, struct store *store, uint32_t row, uint32_t count);

// These rows are about to go along a transition: `rows` lists them, NULL stands for those from
// `row` on.
void cosmi_side_moving(cosm_world world, struct store *source, const uint32_t *rows, uint32_t row,
                       uint32_t count, struct store *target, const struct transition *transition);

// Rows have come along a transition, to `row` of the target and behind it. They may still be in the
// source as well.
void cosmi_side_moved(cosm_world world, const struct store *source, struct store *target,
                      uint32_t row, uint32_t count);

// A row was filled from elsewhere in its table: the last one into a hole, or all by a sort.
void cosmi_side_filled(cosm_world world, struct store *store, uint32_t row, uint32_t count);

// Values of a component have been set in these rows.
void cosmi_side_set(cosm_world world, struct store *store, uint32_t component, uint32_t row,
                    uint32_t count);

// All entities of a world are about to end.
void cosmi_side_reset(cosm_world world);

// A structural change of the world is done: what it left empty can be freed.
void cosmi_side_settle(cosm_world world);

static inline void world_settle(cosm_world world) {
    if (UNLIKELY(atomic_load_explicit(&world.batch->sides, memory_order_relaxed) != 0)) {
        cosmi_side_settle(world);
    }
}

#endif
