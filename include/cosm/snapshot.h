// Snapshots: the state of worlds at one step, as a value.
//
//     cosm_snapshot *before = cosm_snapshot_create(cosm_worlds_all(batch));
//     ... steps, spawns, anything ...
//     result = cosm_snapshot_restore(before, 0, cosm_worlds_all(batch));
//
// A snapshot holds all state: entities with their handles and free ids, rows in their order,
// components of every storage, singletons, trees, random streams and steps. After a restore the
// same calls give the same results, bit for bit.
//
// A snapshot shares what has not changed, per chunk and column, with the one taken or restored
// before it. Taking one costs what changed since then; restoring one copies what differs. To do
// this the batch tracks changes from its first snapshot on (see query.h) and retains what it
// shared last; cosm_batch_trim releases that.
//
// Write access counts as a change. A pointer for writing is valid until the next snapshot or
// restore: get it again afterwards, or writes through it may be missed.
//
// A snapshot belongs to its engine, not to its batch: it can be restored into any batch of the
// engine with enough worlds, also after its own batch was destroyed. An engine cannot be destroyed
// while it has snapshots. A snapshot never changes. Restoring it gives a singleton defined later
// its default value, and the world then hashes as one that has it. Take and restore snapshots
// between steps, while no other thread uses the worlds concerned, or creates, destroys or records
// commands of their batch. Any thread may read a snapshot (hash, diff, save).
//
// Observers are not called for a restore; change readers see everything that was copied back.
#ifndef COSM_SNAPSHOT_H
#define COSM_SNAPSHOT_H

#include <cosm/error.h>
#include <cosm/types.h>

COSM_BEGIN_C

// Takes a snapshot of some worlds. Fails while the batch is running or one of the worlds is being
// walked, while a commands object holds commands for one of them (COSM_ERROR_BUSY: apply or clear
// them), and if a component's objects cannot be copied (its lifecycle has destroy but no copy).
// NULL on failure.
COSM_API cosm_snapshot *cosm_snapshot_create(cosm_worlds worlds);

// Destroys a snapshot and frees what only it holds. NULL is allowed.
COSM_API void cosm_snapshot_destroy(cosm_snapshot *snapshot);

// Restores worlds of a snapshot, from index `first` on and in their order, into `worlds`, of a
// batch of the same engine. To restore all of it, pass 0 and as many worlds as it has. If `worlds`
// are all worlds of their batch, the batch's step count becomes the snapshot's. In any case each
// world continues from the snapshot's step, with its seed and its number (cosm_world_step_count,
// cosm_world_number). On failure (out of memory, a fixed table is too small, or commands for one of
// the worlds wait to be applied) nothing has changed.
COSM_API COSM_MUST_USE cosm_result cosm_snapshot_restore(const cosm_snapshot *snapshot,
                                                         uint32_t first, cosm_worlds worlds);

// What a snapshot holds.
typedef struct cosm_snapshot_info {
    cosm_engine *engine;
    uint32_t world_count;
    uint64_t step_count;
    uint64_t entity_count;
    bool is_pending; // taken by a watcher (batch.h) while commands that spawn wait to be applied:
                     // it cannot be saved
} cosm_snapshot_info;

// Zeroed for NULL. O(worlds).
COSM_API cosm_snapshot_info cosm_snapshot_describe(const cosm_snapshot *snapshot);

// True if two snapshots share all their parts, so that nothing changed from one to the other. False
// if they differ or, for instance after a trim, share less: compare their hashes then. Reads no
// values. O(chunks).
COSM_API bool cosm_snapshot_is_same(const cosm_snapshot *a, const cosm_snapshot *b);

// Bytes that a snapshot holds, and how many of them only it holds: destroying it frees those.
typedef struct cosm_snapshot_size {
    size_t bytes;
    size_t own_bytes;
} cosm_snapshot_size;

// O(chunks).
COSM_API cosm_snapshot_size cosm_snapshot_memory(const cosm_snapshot *snapshot);

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

// What a ring holds.
typedef struct cosm_rollback_info {
    uint32_t count; // states
    size_t bytes;   // of all of them together
} cosm_rollback_info;

// Zeroed for NULL.
COSM_API cosm_rollback_info cosm_rollback_describe(const cosm_rollback *rollback);

// One of its states, 1 being the newest; it belongs to the ring. NULL if there is none.
COSM_API const cosm_snapshot *cosm_rollback_snapshot(const cosm_rollback *rollback, uint32_t index);

// Drops all of them.
COSM_API void cosm_rollback_clear(cosm_rollback *rollback);

// Forks: copies of one world onto others.
//
//     cosm_result result = cosm_fork_world(root, cosm_worlds_range(batch, 1, 1000), NULL);
//
// The targets become equal to the source: the same handles, rows, singletons, trees and steps. They
// are worlds of the same batch, or of another batch of the same engine; their previous contents are
// dropped, as in a restore (snapshot.h). Rows are copied column by column, without an intermediate
// copy unless entities of the source have data outside their tables.

// Zeroed: an exact copy, with the same future as the source.
typedef struct cosm_fork_desc {
    bool own_random; // each target draws as its own place in its batch does: the batch's seed and
                     // step, world_first plus its index; so the copies diverge
} cosm_fork_desc;

// Copies a world onto a range of worlds; `desc` may be NULL. If the source is in the range, it
// stays as it is. On failure (out of memory, a world is being walked or has commands that wait to
// be applied, a batch is running) nothing has changed.
COSM_API COSM_MUST_USE cosm_result cosm_fork_world(cosm_world source, cosm_worlds targets,
                                                   const cosm_fork_desc *desc);

// The same for any targets: all of one batch, none of them twice.
COSM_API COSM_MUST_USE cosm_result cosm_fork_many(cosm_world source, const cosm_world *targets,
                                                  uint32_t target_count,
                                                  const cosm_fork_desc *desc);

COSM_END_C

#endif
