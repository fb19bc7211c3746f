// Snapshots: the state of worlds at one step, as a value.
//
//     cosm_snapshot *before = cosm_snapshot_create(cosm_worlds_all(batch));
//     ... steps, spawns, anything ...
//     result = cosm_snapshot_restore(before, 0, cosm_worlds_all(batch));
//
// A snapshot holds all state: entities with their handles and free ids, rows in their order,
// components of every storage, singletons, trees, random streams, steps, and commands recorded but
// not yet applied. After a restore the same calls give the same results, bit for bit.
//
// A snapshot shares what has not changed, per chunk and column, with the one taken or restored
// before it. Taking one costs what changed since then; restoring one copies what differs. To do
// this the batch tracks changes from its first snapshot on (see change.h) and retains what it
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
// walked, and if a component's objects cannot be copied (its lifecycle has destroy but no copy).
// NULL on failure.
COSM_API cosm_snapshot *cosm_snapshot_create(cosm_worlds worlds);

// Destroys a snapshot and frees what only it holds. NULL is allowed.
COSM_API void cosm_snapshot_destroy(cosm_snapshot *snapshot);

// Restores worlds of a snapshot, from index `first` on and in their order, into `worlds`, of a
// batch of the same engine. To restore all of it, pass 0 and as many worlds as it has. If `worlds`
// are all worlds of their batch, the batch's step count becomes the snapshot's. In any case each
// world continues from the snapshot's step, with its seed and its number (cosm_world_step_count,
// cosm_world_number). On failure (out of memory, or a fixed table is too small) nothing has
// changed.
//
// Recorded commands return to the commands object in which they were recorded, if it still exists;
// what it recorded for these worlds since then is dropped. If the object is gone, or belongs to
// another batch, its commands are dropped and the ids reserved for its spawns are freed.
COSM_API COSM_MUST_USE cosm_result cosm_snapshot_restore(const cosm_snapshot *snapshot,
                                                         uint32_t first, cosm_worlds worlds);

// What the snapshot holds. Zero or NULL for NULL.
COSM_API cosm_engine *cosm_snapshot_engine(const cosm_snapshot *snapshot);
COSM_API uint32_t cosm_snapshot_world_count(const cosm_snapshot *snapshot);
COSM_API uint64_t cosm_snapshot_step_count(const cosm_snapshot *snapshot);
COSM_API uint64_t cosm_snapshot_entity_count(const cosm_snapshot *snapshot);

// Bytes that a snapshot holds, and how many of them only it holds: destroying it frees those.
typedef struct cosm_snapshot_size {
    size_t bytes;
    size_t own_bytes;
} cosm_snapshot_size;

// O(chunks).
COSM_API cosm_snapshot_size cosm_snapshot_memory(const cosm_snapshot *snapshot);

COSM_END_C

#endif
