// Differences between two states, one by one, in a form that programs can use.
//
//     cosm_diff_snapshots(before, after, print, NULL);
//
// For inspectors, for tests that should report what went wrong, and for `cosm diff`. To send or
// store changes, use patches (diff.h).
#ifndef COSM_DIFF_H
#define COSM_DIFF_H

#include <cosm/error.h>
#include <cosm/field.h>
#include <cosm/types.h>

COSM_BEGIN_C

typedef enum cosm_diff_kind {
    COSM_DIFF_SPAWNED = 1, // the entity exists in the second state only
    COSM_DIFF_DESPAWNED,   // the entity exists in the first state only
    COSM_DIFF_ADDED,       // the entity has the component in the second state only
    COSM_DIFF_REMOVED,     // the entity has the component in the first state only
    COSM_DIFF_CHANGED,     // a value of a component differs
    COSM_DIFF_PARENT,      // the parent differs, or the position among its children
    COSM_DIFF_SINGLETON,   // a value of a singleton differs
    COSM_DIFF_RANDOM,      // the random stream or the step differs
    COSM_DIFF_ORDER,       // equal content in another order: rows, free ids, generations
} cosm_diff_kind;

// One difference. Pointers are valid during the call.
typedef struct cosm_difference {
    cosm_diff_kind kind;
    uint32_t world;           // from 0, within the snapshots
    cosm_entity entity;       // COSM_ENTITY_NONE if it concerns none
    cosm_component component; // zero if it concerns none
    cosm_singleton singleton; // for COSM_DIFF_SINGLETON
    uint32_t field;           // the first field that differs; COSM_FIELD_INDEX_NONE: no fields
    const void *before;       // the whole values, if both states have one; else NULL
    const void *after;
    size_t size; // of each
} cosm_difference;

// Called for each difference. Return false to stop.
typedef bool cosm_diff_fn(void *context, const cosm_difference *difference);

// Compares two snapshots of one engine with the same number of worlds: worlds in ascending order,
// in each world entities by id, for each entity components in ascending order. Parts that the
// snapshots share are not read. Fails with COSM_ERROR_ARGUMENT if they cannot be compared.
COSM_API COSM_MUST_USE cosm_result cosm_diff_snapshots(const cosm_snapshot *before,
                                                       const cosm_snapshot *after,
                                                       cosm_diff_fn *call, void *context);

// The name of a kind, such as "changed"; "unknown" for an invalid one.
COSM_API const char *cosm_diff_kind_name(cosm_diff_kind kind);

// Patches: the changes between two states, as compact bytes.
//
//     cosm_patch *patch = cosm_patch_create(before, after);
//     cosm_patch_info info = cosm_patch_describe(patch);
//     send(info.bytes, info.size);
//     ...
//     cosm_patch *patch = cosm_patch_open(engine, bytes, size);
//     result = cosm_patch_apply(patch, cosm_worlds_all(mirror));
//
// A patch holds only the rows that differ, the entities spawned and despawned, and the hashes of
// the state before and after. Applied to worlds in the first state, it turns them into the second,
// exactly (hash.h). For replication, undo and incremental saves: the patch from `after` to `before`
// undoes one.
//
// The bytes mean the same in every process that defines the same components and singletons in the
// same order; others exchange save files (save.h). They are not trusted: they are read with bounds
// checks and validated as a whole before anything changes.

typedef struct cosm_patch cosm_patch;

// Creates the patch from one snapshot to another with the same number of worlds. NULL on failure;
// it also fails if a snapshot has commands not yet applied, or if the second has objects
// (is_object of cosm_component_info) that the first lacks, since copying their bytes does not copy
// them.
COSM_API cosm_patch *cosm_patch_create(const cosm_snapshot *before, const cosm_snapshot *after);

// The same, from a snapshot to the current state of the worlds.
COSM_API cosm_patch *cosm_patch_create_now(const cosm_snapshot *before, cosm_worlds worlds);

// Opens a patch from bytes, which are copied. Fails with COSM_ERROR_FORMAT and returns NULL if they
// are not a patch, or if this engine does not define components and singletons as its engine does.
COSM_API cosm_patch *cosm_patch_open(cosm_engine *engine, const void *bytes, size_t size);
COSM_API void cosm_patch_destroy(cosm_patch *patch);

// What a patch holds.
typedef struct cosm_patch_info {
    const void *bytes; // as long as the patch exists
    size_t size;
    uint32_t world_count;   // worlds it covers
    uint32_t changed_count; // worlds that changed
} cosm_patch_info;

// Zeroed for NULL.
COSM_API cosm_patch_info cosm_patch_describe(const cosm_patch *patch);

// The hash (COSM_HASH_EXACT) of a world before and after. 0 if there is no such world or it did not
// change: for unchanged worlds the patch has one hash of all together.
COSM_API uint64_t cosm_patch_hash_before(const cosm_patch *patch, uint32_t world);
COSM_API uint64_t cosm_patch_hash_after(const cosm_patch *patch, uint32_t world);

// The second state as a snapshot, made from a snapshot of the first; needs no batch. NULL on
// failure, as for cosm_patch_apply.
COSM_API cosm_snapshot *cosm_patch_snapshot(const cosm_patch *patch, const cosm_snapshot *before);

// Turns worlds in the first state into the second; there must be as many as the patch covers. Fails
// with COSM_ERROR_CONFLICT if their hash is not that of the first state, and with COSM_ERROR_FORMAT
// if the result would not have the hash in the patch. On failure nothing has changed.
COSM_API COSM_MUST_USE cosm_result cosm_patch_apply(const cosm_patch *patch, cosm_worlds worlds);

COSM_END_C

#endif
