// Differences: what is not the same in two states, one by one and in words a program can use.
//
//     cosm_diff_snapshots(before, after, print, NULL);
//
// For inspectors, for tests that want to say what went wrong, and for `cosm diff`. To send or keep
// changes there are patches (patch.h).
#ifndef COSM_DIFF_H
#define COSM_DIFF_H

#include <cosm/error.h>
#include <cosm/field.h>
#include <cosm/types.h>

COSM_BEGIN_C

typedef enum cosm_diff_kind {
    COSM_DIFF_SPAWNED = 1, // the entity is in the second state only
    COSM_DIFF_DESPAWNED,   // in the first only
    COSM_DIFF_ADDED,       // it has the component in the second state only
    COSM_DIFF_REMOVED,     // in the first only
    COSM_DIFF_CHANGED,     // a value of a component differs
    COSM_DIFF_PARENT,      // it has another parent, or another place among the children
    COSM_DIFF_SINGLETON,   // a value of a singleton differs
    COSM_DIFF_RANDOM,      // the random stream or the step differs
    COSM_DIFF_ORDER,       // equal content in another order: rows, free ids, generations
} cosm_diff_kind;

// One difference. Pointers are good during the call.
typedef struct cosm_difference {
    cosm_diff_kind kind;
    uint32_t world;           // counted from 0 within the snapshots
    cosm_entity entity;       // COSM_ENTITY_NONE where it is about none
    cosm_component component; // zero where it is about none
    cosm_singleton singleton; // of COSM_DIFF_SINGLETON
    uint32_t field;           // the first field that differs; COSM_FIELD_INDEX_NONE: not described
    const void *before;       // the whole values, where both have one; else NULL
    const void *after;
    size_t size; // of each
} cosm_difference;

// Called for each difference; false ends the comparison.
typedef bool cosm_diff_fn(void *context, const cosm_difference *difference);

// Compares two snapshots of one engine and of as many worlds: worlds in ascending order; in each its
// entities by id, in each of those its components in ascending order. What both share is not looked
// at. COSM_ERROR_ARGUMENT where they cannot be compared.
COSM_API COSM_MUST_USE cosm_result cosm_diff_snapshots(const cosm_snapshot *before,
                                                       const cosm_snapshot *after,
                                                       cosm_diff_fn *call, void *context);

// The name of a kind, such as "changed"; "unknown" for what is none.
COSM_API const char *cosm_diff_kind_name(cosm_diff_kind kind);

COSM_END_C

#endif
