// Differences between two states, one by one, in a form that programs can use.
//
//     cosm_diff_snapshots(before, after, print, NULL);
//
// For inspectors, for tests that should report what went wrong, and for `cosm diff`. To send or
// store changes, use patches (patch.h).
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

COSM_END_C

#endif
