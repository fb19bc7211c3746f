// Hashes: state in 64 bits.
//
// The same history gives the same hash on every machine of the same byte order, as long as your
// systems compute the same there (docs/manual/hash.md). Which thread formed an archetype first, where
// memory lies and in which order components were defined do not count. Of
// described components (field.h) the fields count, in either layout alike, and never their padding;
// of others the bytes count as they are. Objects count by the hash of their lifecycle; without one by
// their fields, or by their bytes where they are copied as such.
//
// There are three kinds:
// - exact: equal hashes mean equal futures. Handles, free ids, rows in their order, values,
//   singletons, trees with the order of children, random stream and step; the order of shared
//   values, tickets of objects and places of sectors.
// - stored: the same without random stream and step, and without what only orders shared values,
//   tickets and sectors: what is stored, and in which order its rows are.
// - content: which entities there are, and what each has: equal for equal handles, components,
//   values, parents and singletons, whatever the order and the history.
#ifndef COSM_HASH_H
#define COSM_HASH_H

#include <cosm/error.h>
#include <cosm/types.h>

COSM_BEGIN_C

typedef enum cosm_hash_kind {
    COSM_HASH_EXACT = 0,
    COSM_HASH_STORED,
    COSM_HASH_CONTENT,
} cosm_hash_kind;

// The whole state, read anew each time. Zero, with a message, for what does not exist. The worlds
// are left alone meanwhile. The hash of several worlds follows from theirs, in their order, and from
// nothing else (cosm_hash_join); that of one world is the world's own, of none zero.
COSM_API uint64_t cosm_hash_batch(const cosm_batch *batch, cosm_hash_kind kind);
COSM_API uint64_t cosm_hash_worlds(cosm_worlds worlds, cosm_hash_kind kind);
COSM_API uint64_t cosm_hash_world(cosm_world world, cosm_hash_kind kind);

// Joins hashes of one kind. hashes[i] is that of world_counts[i] worlds (NULL: of one world each),
// and these follow those of hashes[i - 1]. The result is the hash of all of them in one batch: so the
// worlds of a run can be cut into parts anywhere, hashed on any machine, and compared as a whole.
COSM_API uint64_t cosm_hash_join(const uint64_t *hashes, const uint64_t *world_counts,
                                 uint32_t count);

// A part of a world: the rows of one archetype; the values of one component in all tables, or
// wherever it is stored; a singleton. Zero where there are none. Of these, exact and stored are the
// same.
COSM_API uint64_t cosm_hash_table(cosm_world world, cosm_archetype archetype, cosm_hash_kind kind);
COSM_API uint64_t cosm_hash_component(cosm_world world, cosm_component component,
                                      cosm_hash_kind kind);
COSM_API uint64_t cosm_hash_singleton(cosm_world world, cosm_singleton singleton);

// The same for a snapshot: equal to those of the worlds when it was taken. Chunks that it shares with
// one that was hashed before are not read again. On any thread.
COSM_API uint64_t cosm_hash_snapshot(const cosm_snapshot *snapshot, cosm_hash_kind kind);
COSM_API uint64_t cosm_hash_snapshot_world(const cosm_snapshot *snapshot, uint32_t index,
                                           cosm_hash_kind kind);

// Hashes a batch again and again: it remembers the hash of every chunk, and reads those again that
// have changed (change.h). The results are those of the calls above.
typedef struct cosm_hasher cosm_hasher;

// Makes a hasher and begins to track changes in the batch, as a first snapshot does. Between steps,
// while nobody walks. NULL on failure. Destroy it before its batch, which refuses to go first.
COSM_API cosm_hasher *cosm_hasher_create(cosm_batch *batch);
COSM_API void cosm_hasher_destroy(cosm_hasher *hasher);

// Between steps, while nobody walks, one thread at a time. A pointer for writing is good until then: ask
// for it anew, or what you write through it may be missed. Zero, with a message, on failure.
COSM_API uint64_t cosm_hasher_batch(cosm_hasher *hasher, cosm_hash_kind kind);
COSM_API uint64_t cosm_hasher_world(cosm_hasher *hasher, uint32_t world, cosm_hash_kind kind);

COSM_END_C

#endif
