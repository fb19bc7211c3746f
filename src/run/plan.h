// The plan: the order of all systems, what may run side by side, and where commands apply.
//
//   phase     systems in their order, cut into stages at the sync points
//   stage     systems between two sync points; within it levels
//   level     systems of a stage that do not get in each other's way
//   segment   a run of stages that a block of worlds goes through without waiting for other blocks,
//             or one stage with a system that wants all worlds at once
//
// Immutable once made. Steps hold a reference, so that definitions may change meanwhile.
#ifndef COSM_RUN_PLAN_H
#define COSM_RUN_PLAN_H

#include "run/access.h"

struct plan_edge {
    uint32_t from; // places in the phase
    uint32_t to;
    struct order_edge why;
};

struct plan_stage {
    uint32_t first; // systems [first, first + count) of the phase, also in `by_level`
    uint32_t count;
    uint32_t level_first; // levels [level_first, level_first + level_count) of the phase
    uint32_t level_count;
    const struct system *cause; // whose sync point begins it; NULL: the phase begins
};

// Systems that may run side by side.
struct plan_level {
    uint32_t first; // of the phase
    uint32_t count;
    uint32_t cost; // which of the costs that a batch keeps
};

struct plan_segment {
    uint32_t first; // stages
    uint32_t count;
    bool is_global;
    uint32_t system_count;
    uint32_t cost;
};

struct plan_phase {
    uint32_t id;
    struct system **systems; // in the order of the plan
    uint32_t system_count;
    uint32_t order_first; // the place of its first system in the whole plan
    struct plan_stage *stages;
    uint32_t stage_count;
    struct plan_level *levels;
    struct system **by_level; // the systems of each stage in the order of levels
    uint32_t *order;          // the place in `systems` of each of by_level
    struct plan_segment *segments;
    uint32_t segment_count;
    struct plan_edge *edges;
    uint32_t edge_count;
};

struct plan {
    struct arena arena;
    uint32_t references; // under the runner's lock
    uint64_t number;
    struct plan_phase *phases; // in the order of phases
    uint32_t phase_count;
    uint32_t system_count;
    uint32_t system_id_end; // above all ids
    uint32_t cost_count;
};

// The plan as it is now, with a reference; made when there is none. Under the lock. NULL, with a
// message that names `call`, on failure.
struct plan *cosmi_plan_take(struct runner *runner, const char *call);

// Gives a reference back. Under the lock.
void cosmi_plan_release(struct runner *runner, struct plan *plan);

// Makes the next step make a new plan. Under the lock.
void cosmi_plan_forget(struct runner *runner);

// Would a plan with `extra` (NULL: none) be possible? Unknown names do not count. Under the lock.
cosm_result cosmi_plan_try(struct runner *runner, struct system *extra, const char *call);

void cosmi_plan_print(const struct runner *runner, const struct plan *plan, cosm_plan_format format,
                      cosm_text_fn *write, void *context);

#endif
