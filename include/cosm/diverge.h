// Divergence: where two runs that should agree part.
//
//     cosm_divergence where;
//     if (cosm_diverge_batches(a, b, 1000, &where) == COSM_OK && where.found) { ... }
//
// Steps are compared by their hashes; in recordings the first one that differs is found by bisection.
// Then the step is looked at more closely: which system, which world, entity, component and field.
#ifndef COSM_DIVERGE_H
#define COSM_DIVERGE_H

#include <cosm/diff.h>
#include <cosm/error.h>
#include <cosm/replay.h>
#include <cosm/types.h>

COSM_BEGIN_C

#define COSM_DIVERGE_NAME_MAX 128u

// Where two runs part. Handles are those of the first one's engine.
typedef struct cosm_divergence {
    bool found;    // false: they agree
    bool at_input; // they differ before the step was taken: in what the program did
    uint64_t step; // the first step after which (or, at_input, before which) they differ
    uint32_t world;
    cosm_diff_kind kind; // what differs; zero where only the hashes are known
    cosm_entity entity;  // as in cosm_difference
    cosm_component component;
    cosm_singleton singleton;
    uint32_t field;
    char system[COSM_DIVERGE_NAME_MAX]; // the system after which they differ; "" where not known
    char name[COSM_DIVERGE_NAME_MAX];   // of the component or singleton
    char path[COSM_DIVERGE_NAME_MAX];   // of the field
    char before[COSM_DIVERGE_NAME_MAX]; // the value in the first run, as text; "" where not known
    char after[COSM_DIVERGE_NAME_MAX];  // and in the second
    uint32_t compared_count;            // hashes of steps that were compared
} cosm_divergence;

// Steps two batches with as many worlds, of one engine or of two that define alike, side by side for
// at most `step_max` steps. They are left at the step where they part (after it), or at the end. That
// step is taken twice in each: once more system by system, from a snapshot.
COSM_API COSM_MUST_USE cosm_result cosm_diverge_batches(cosm_batch *a, cosm_batch *b,
                                                        uint64_t step_max,
                                                        cosm_divergence *out_divergence);

// Compares two recordings of one engine. The states at the step where they part come from their
// histories, or are made by running: two batches are made and destroyed for it.
COSM_API COSM_MUST_USE cosm_result cosm_diverge_replays(cosm_replay *a, cosm_replay *b,
                                                        cosm_divergence *out_divergence);

COSM_END_C

#endif
