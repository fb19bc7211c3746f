// Rollback: the last steps of some worlds, kept so that you can go back to any of them.
//
//     cosm_rollback *past = cosm_rollback_create(cosm_worlds_all(batch),
//                                                &(cosm_rollback_desc){.step_max = 8});
//     for (;;) {
//         cosm_rollback_keep(past);                 // before each step
//         cosm_batch_step(batch);
//         if (late_input) {
//             cosm_rollback_back(past, late_steps); // and step again, with the input
//         }
//     }
//
// A ring of snapshots (snapshot.h): keeping one costs what has changed since the last.
#ifndef COSM_ROLLBACK_H
#define COSM_ROLLBACK_H

#include <cosm/error.h>
#include <cosm/types.h>

COSM_BEGIN_C

typedef struct cosm_rollback cosm_rollback;

// Good when zeroed.
typedef struct cosm_rollback_desc {
    uint32_t step_max;    // snapshots that are kept; zero: 16
    size_t memory_budget; // bytes that the ring may hold; the oldest go first. Zero: no budget
} cosm_rollback_desc;

// Makes an empty ring for some worlds; `desc` may be NULL. NULL on failure. Destroy it before its
// batch.
COSM_API cosm_rollback *cosm_rollback_create(cosm_worlds worlds, const cosm_rollback_desc *desc);
COSM_API void cosm_rollback_destroy(cosm_rollback *rollback);

// Keeps the state of now, and lets go of the oldest where there are too many or the budget is used
// up; the newest is always kept. On failure the ring is as it was.
COSM_API COSM_MUST_USE cosm_result cosm_rollback_keep(cosm_rollback *rollback);

// Goes back to a state that was kept: 1 is the newest, 2 the one before, and so on. Those kept after
// it are let go, and it stays: keeping again at once adds nothing. Refused, with nothing changed,
// where there are not so many.
COSM_API COSM_MUST_USE cosm_result cosm_rollback_back(cosm_rollback *rollback, uint32_t count);

// States that are kept, and the bytes that the ring holds.
COSM_API uint32_t cosm_rollback_count(const cosm_rollback *rollback);
COSM_API size_t cosm_rollback_bytes(const cosm_rollback *rollback);

// One of them, 1 being the newest; it belongs to the ring. NULL where there is none.
COSM_API const cosm_snapshot *cosm_rollback_snapshot(const cosm_rollback *rollback, uint32_t index);

// Lets go of all.
COSM_API void cosm_rollback_clear(cosm_rollback *rollback);

COSM_END_C

#endif
