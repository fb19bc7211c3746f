// Hashes: state in 64 bits.
//
// The same history gives the same hash on every machine of the same byte order, provided your
// systems compute the same results there (docs/manual/hash.md). Memory addresses, the order in
// which components were defined, and which thread created an archetype first do not count. For
// components with described fields (field.h) the fields are hashed, alike in both layouts, and
// never the padding; for others the bytes are. Objects are hashed by their lifecycle's hash;
// without one by their fields, or by their bytes if they are copied as bytes.
//
// There are two kinds:
// - exact: equal hashes mean equal futures in engines that define the same components in the same
//   order: walks visit tables by the ids of their components, which follow that order. Covers
//   handles, free ids, rows in their order, values, singletons, trees with the order of children,
//   random stream and step; and the order of shared values, tickets of objects and positions in
//   sectors.
// - content: which entities exist and what each has. Equal for equal handles, components, values,
//   parents and singletons, whatever the order and the history.
#ifndef COSM_HASH_H
#define COSM_HASH_H

#include <cosm/error.h>
#include <cosm/types.h>

COSM_BEGIN_C

typedef enum cosm_hash_kind {
    COSM_HASH_EXACT = 0,
    COSM_HASH_CONTENT,
} cosm_hash_kind;

// Hashes the whole state, reading all of it. Zero, reported, for what does not exist. No other
// thread may change the worlds meanwhile: in a step these calls, and those for parts, are for
// exclusive systems and the worlds of their turn; elsewhere they fail with COSM_ERROR_BUSY. The
// hash of several worlds depends only on their hashes, in order (cosm_hash_join); that of one world
// is the world's own; that of none is zero.
COSM_API uint64_t cosm_hash_batch(const cosm_batch *batch, cosm_hash_kind kind);
COSM_API uint64_t cosm_hash_worlds(cosm_worlds worlds, cosm_hash_kind kind);
COSM_API uint64_t cosm_hash_world(cosm_world world, cosm_hash_kind kind);

// Joins hashes of one kind. hashes[i] is the hash of world_counts[i] worlds (NULL: of one world
// each), which follow those of hashes[i - 1]. The result is the hash of all these worlds in one
// batch. So you can cut the worlds of a run into parts anywhere, hash them on any machine, and
// compare the whole.
COSM_API uint64_t cosm_hash_join(const uint64_t *hashes, const uint64_t *world_counts,
                                 uint32_t count);

// A part of a world: the rows of one archetype; the values of one component, in all tables or
// wherever it is stored; a singleton. Zero if there are none.
COSM_API uint64_t cosm_hash_table(cosm_world world, cosm_archetype archetype, cosm_hash_kind kind);
COSM_API uint64_t cosm_hash_component(cosm_world world, cosm_component component,
                                      cosm_hash_kind kind);
COSM_API uint64_t cosm_hash_singleton(cosm_world world, cosm_singleton singleton);

// The same for a snapshot: equal to the hashes of the worlds when it was taken. Chunks shared with
// a snapshot that was hashed before are not read again. Any thread may call these.
COSM_API uint64_t cosm_hash_snapshot(const cosm_snapshot *snapshot, cosm_hash_kind kind);
COSM_API uint64_t cosm_hash_snapshot_world(const cosm_snapshot *snapshot, uint32_t index,
                                           cosm_hash_kind kind);

// Hashes a batch repeatedly: keeps the hash of every chunk and reads only chunks that changed
// (query.h). The results equal those of the calls above.
typedef struct cosm_hasher cosm_hasher;

// Creates a hasher and starts to track changes in the batch, like a first snapshot. Call it between
// steps, while nothing is walked. NULL on failure. Destroy the hasher before its batch: destroying
// the batch fails while it exists.
COSM_API cosm_hasher *cosm_hasher_create(cosm_batch *batch);
COSM_API void cosm_hasher_destroy(cosm_hasher *hasher);

// Call these between steps, while nothing is walked, from one thread at a time. A pointer for
// writing is valid until then: get it again afterwards, or writes through it may be missed. Zero,
// reported, on failure.
COSM_API uint64_t cosm_hasher_batch(cosm_hasher *hasher, cosm_hash_kind kind);
COSM_API uint64_t cosm_hasher_world(cosm_hasher *hasher, uint32_t world, cosm_hash_kind kind);

COSM_END_C

#endif
