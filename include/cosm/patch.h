// Patches: what changed between two states, as a compact string of bytes.
//
//     cosm_patch *patch = cosm_patch_create(before, after);
//     send(cosm_patch_bytes(patch), cosm_patch_size(patch));
//     ...
//     cosm_patch *patch = cosm_patch_open(engine, bytes, size);
//     result = cosm_patch_apply(patch, cosm_worlds_all(mirror));
//
// A patch holds the rows that differ and no others, the entities that were made and that are gone,
// and the hash of the state before and of the state after. Applied to worlds in the first state it
// makes them the second, exactly (hash.h). For replication, undo and incremental saves: a patch the
// other way round undoes one.
//
// The bytes mean the same in every process that defined the components which occur in them alike,
// in whatever order. They are not trusted: they are read with bounds and checked as a whole before
// anything changes.
#ifndef COSM_PATCH_H
#define COSM_PATCH_H

#include <cosm/error.h>
#include <cosm/types.h>

COSM_BEGIN_C

typedef struct cosm_patch cosm_patch;

// The patch from one snapshot to another of as many worlds. NULL on failure: also where a snapshot has
// commands that wait to be applied, and where the second has objects (cosm_component_is_object) that
// the first has not, since their bytes alone are no copy of them.
COSM_API cosm_patch *cosm_patch_create(const cosm_snapshot *before, const cosm_snapshot *after);

// The same from a snapshot to what the worlds are now.
COSM_API cosm_patch *cosm_patch_create_now(const cosm_snapshot *before, cosm_worlds worlds);

// A patch from bytes, which are copied. COSM_ERROR_FORMAT, and NULL, where they are not a patch, or
// one of components that this engine does not know or knows differently.
COSM_API cosm_patch *cosm_patch_open(cosm_engine *engine, const void *bytes, size_t size);
COSM_API void cosm_patch_destroy(cosm_patch *patch);

// Its bytes, which live as long as it does.
COSM_API const void *cosm_patch_bytes(const cosm_patch *patch);
COSM_API size_t cosm_patch_size(const cosm_patch *patch);

// Worlds that it is for, and of how many of them something changed.
COSM_API uint32_t cosm_patch_world_count(const cosm_patch *patch);
COSM_API uint32_t cosm_patch_changed_count(const cosm_patch *patch);

// The hash (COSM_HASH_EXACT) of a world before and after; 0 where there is no such world, and where
// nothing of it changed: of those the patch knows the hash of all together.
COSM_API uint64_t cosm_patch_hash_before(const cosm_patch *patch, uint32_t world);
COSM_API uint64_t cosm_patch_hash_after(const cosm_patch *patch, uint32_t world);

// The second state as a snapshot, made from one of the first: no batch is needed. NULL on failure, as
// below.
COSM_API cosm_snapshot *cosm_patch_snapshot(const cosm_patch *patch, const cosm_snapshot *before);

// Makes worlds in the first state those in the second: as many as the patch is for. Worlds whose
// hash is not that of the first state are refused with COSM_ERROR_CONFLICT, and a patch whose
// result does not have the hash it says with COSM_ERROR_FORMAT; then nothing has changed.
COSM_API COSM_MUST_USE cosm_result cosm_patch_apply(const cosm_patch *patch, cosm_worlds worlds);

COSM_END_C

#endif
