// Forks: worlds that become copies of another one.
//
// In two halves, as restoring is: preparing makes all room, and can fail; doing cannot. Worlds that
// have nothing but tables are copied straight from one to the other, column by column. Where
// anything stands beside the tables, of the source or of a target, the source is captured and the
// targets are restored: one way in and out for trees, objects and all that.
#ifndef COSM_STATE_FORK_H
#define COSM_STATE_FORK_H

#include "state/restore.h"

struct fork {
    cosm_world source;
    struct cosm_batch *batch; // of the targets
    const cosm_world *list;   // the targets; NULL: those from `first` on
    uint32_t first;
    uint32_t count;
    bool own_random; // targets draw as worlds of their batch, not as the source does
    const char *call;
    struct memory *memory; // of images
    // What preparing hands on, where worlds are copied by an image.
    struct world_image *image;
    struct restore *plans; // [count]
};

// A target, by number. The source may be one of them: it is passed over.
static inline uint32_t fork_target(const struct fork *fork, uint32_t i) {
    return fork->list == NULL ? fork->first + i : fork->list[i].index;
}

static inline bool fork_is_source(const struct fork *fork, uint32_t world) {
    return world == fork->source.index && fork->batch == fork->source.batch;
}

// Prepares all targets. On failure there is a message, and nothing is left to cancel.
cosm_result cosmi_fork_prepare(struct fork *fork);

// One of these follows.
void cosmi_fork_do(struct fork *fork);
void cosmi_fork_cancel(struct fork *fork);

#endif
