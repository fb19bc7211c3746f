// Divergence: finds where two runs that should agree start to differ.
//
//     cosm_divergence where;
//     if (cosm_diverge_batches(a, b, 1000, &where) == COSM_OK && where.found) { ... }
//
// Steps are compared by their hashes; in recordings the first that differs is found by bisection.
// That step is then examined: which system, world, entity, component and field differ.
#ifndef COSM_RECORD_DIVERGE_H
#define COSM_RECORD_DIVERGE_H

#include <cosm/diff.h>
#include <cosm_record/replay.h>

COSM_BEGIN_C

#define COSM_DIVERGE_NAME_MAX 128u

// Where two runs diverge. Handles belong to the first one's engine.
typedef struct cosm_divergence {
    bool found;    // false: they agree
    bool at_input; // they differ before the step: in what the program did
    uint64_t step; // the first step after which (with at_input: before which) they differ
    uint32_t world;
    cosm_diff_kind kind; // what differs; zero if only the hashes are known
    cosm_entity entity;  // as in cosm_difference
    cosm_component component;
    cosm_singleton singleton;
    uint32_t field;
    char system[COSM_DIVERGE_NAME_MAX]; // the system after which they differ; "" if unknown
    char name[COSM_DIVERGE_NAME_MAX];   // of the component or singleton
    char path[COSM_DIVERGE_NAME_MAX];   // of the field
    char before[COSM_DIVERGE_NAME_MAX]; // the value in the first run, as text; "" if unknown
    char after[COSM_DIVERGE_NAME_MAX];  // the value in the second run
    uint32_t compared_count;            // hashes compared
} cosm_divergence;

// Steps two batches with as many worlds, of one engine or of two with the same definitions, for at
// most `step_max` steps. They stop after the step at which they diverge, or at the end. Each takes
// that step twice: the second time system by system, from a snapshot.
COSM_API COSM_MUST_USE cosm_result cosm_diverge_batches(cosm_batch *a, cosm_batch *b,
                                                        uint64_t step_max,
                                                        cosm_divergence *out_divergence);

// Compares two recordings of one engine. The states at the step where they diverge come from their
// histories, or from running, in two batches that are created and destroyed for it.
COSM_API COSM_MUST_USE cosm_result cosm_diverge_replays(cosm_replay *a, cosm_replay *b,
                                                        cosm_divergence *out_divergence);

COSM_END_C

#endif
