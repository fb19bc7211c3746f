// Snapshots: the state of worlds at one moment, as a value.
//
//     cosm_snapshot *before = cosm_snapshot_create(cosm_worlds_all(batch));
//     ... steps, spawns, anything ...
//     result = cosm_snapshot_restore(before, 0, cosm_worlds_all(batch));
//
// Everything is in it: entities with their handles and free ids, rows in their order, components of
// every storage, singletons, trees, random streams, steps, commands that were recorded and not yet
// applied. After a restore the same calls give the same results, bit for bit.
//
// A snapshot shares what has not changed, chunk by chunk and column by column, with the one taken
// or restored before it: taking one costs what has changed since then, and restoring one copies
// back what differs. For this the batch begins to track changes with its first snapshot (see
// change.h) and holds on to what it shared last; cosm_batch_trim lets go of that.
//
// What counts as changed is write access. A pointer for writing is good until the next snapshot or
// restore: ask for it anew after that, or what you write through it may be missed.
//
// A snapshot belongs to its engine, not to its batch: it may be restored into any batch of the
// engine that has the worlds for it, also after its own was destroyed; the engine stays until the last
// one is gone. It never changes. A singleton that is defined later is new to it: restoring gives that
// its default, and the world then hashes as one that has it. Snapshots
// are taken and restored between steps, while nobody else uses the worlds concerned, or makes,
// destroys or records commands of their batch; reading one (hash, diff, save) works on any thread.
//
// Observers are not told of a restore, as nothing happened to any entity; readers of changes see
// all that was copied back.
#ifndef COSM_SNAPSHOT_H
#define COSM_SNAPSHOT_H

#include <cosm/error.h>
#include <cosm/types.h>

COSM_BEGIN_C

// Takes a snapshot of some worlds. Refused while the batch runs or one of the worlds is walked, and
// where a component's objects cannot be copied (a lifecycle that destroys and does not copy). NULL
// on failure.
COSM_API cosm_snapshot *cosm_snapshot_create(cosm_worlds worlds);

// Gives a snapshot back, with all that only it holds. NULL is fine.
COSM_API void cosm_snapshot_destroy(cosm_snapshot *snapshot);

// Puts worlds of a snapshot into `worlds`, of a batch of the same engine: as many as these are, from
// index `first` on, in their order. With first = 0 and as many worlds as it has, all of it. Where
// `worlds` are all worlds of their batch, the batch's step count becomes the snapshot's. In any case
// a world goes on from the snapshot's step, with its seed and its number (cosm_world_step_count,
// cosm_world_number). On failure (memory, a fixed table that is too small) nothing has changed.
//
// Commands that were recorded in an object that lives are back in it, as they were; what it has
// recorded for these worlds since then is forgotten. Promises to an object that is gone, or of another
// batch, are broken.
COSM_API COSM_MUST_USE cosm_result cosm_snapshot_restore(const cosm_snapshot *snapshot,
                                                         uint32_t first, cosm_worlds worlds);

// What it was taken of. All zero for NULL.
COSM_API cosm_engine *cosm_snapshot_engine(const cosm_snapshot *snapshot);
COSM_API uint32_t cosm_snapshot_world_count(const cosm_snapshot *snapshot);
COSM_API uint64_t cosm_snapshot_step_count(const cosm_snapshot *snapshot);
COSM_API uint64_t cosm_snapshot_entity_count(const cosm_snapshot *snapshot);

// Bytes that it holds, and how many of them it holds alone: what destroying it gives back.
typedef struct cosm_snapshot_size {
    size_t bytes;
    size_t own_bytes;
} cosm_snapshot_size;

// O(chunks).
COSM_API cosm_snapshot_size cosm_snapshot_memory(const cosm_snapshot *snapshot);

COSM_END_C

#endif
