// Rollback: keeps the last steps of some worlds, so that you can return to any of them.
//
//     cosm_rollback *past = cosm_rollback_create(cosm_worlds_all(batch),
//                                                &(cosm_rollback_desc){.step_max = 8});
//     for (;;) {
//         cosm_rollback_keep(past);                 // before each step
//         cosm_batch_step(batch);
//         if (late_input) {
//             cosm_rollback_back(past, late_steps); // then step again, with the input
//         }
//     }
//
// It is a ring of snapshots (snapshot.h): keeping one costs what changed since the last.
#ifndef COSM_ROLLBACK_H
#define COSM_ROLLBACK_H

#include <cosm/error.h>
#include <cosm/types.h>

COSM_BEGIN_C

typedef struct cosm_rollback cosm_rollback;

// Zeroed: the defaults.
typedef struct cosm_rollback_desc {
    uint32_t step_max;    // snapshots to keep; zero: 16
    size_t memory_budget; // bytes; beyond it the oldest are dropped; zero: no limit
} cosm_rollback_desc;

// Creates an empty ring for some worlds; `desc` may be NULL. NULL on failure. Destroy it before its
// batch.
COSM_API cosm_rollback *cosm_rollback_create(cosm_worlds worlds, const cosm_rollback_desc *desc);
COSM_API void cosm_rollback_destroy(cosm_rollback *rollback);

// Keeps the current state, and drops the oldest ones beyond step_max or the budget; the newest is
// always kept. On failure the ring is unchanged.
COSM_API COSM_MUST_USE cosm_result cosm_rollback_keep(cosm_rollback *rollback);

// Returns to a kept state: 1 is the newest, 2 the one before, and so on. Later states are dropped;
// this one stays, and keeping again at once adds nothing. Fails and changes nothing if there are
// not so many.
COSM_API COSM_MUST_USE cosm_result cosm_rollback_back(cosm_rollback *rollback, uint32_t count);

// States kept, and bytes that the ring holds.
COSM_API uint32_t cosm_rollback_count(const cosm_rollback *rollback);
COSM_API size_t cosm_rollback_bytes(const cosm_rollback *rollback);

// One of them, 1 being the newest; it belongs to the ring. NULL if there is none.
COSM_API const cosm_snapshot *cosm_rollback_snapshot(const cosm_rollback *rollback, uint32_t index);

// Drops all of them.
COSM_API void cosm_rollback_clear(cosm_rollback *rollback);

COSM_END_C

#endif
