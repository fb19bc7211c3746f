// Pending commands on their way into images and out of them. What they are: run/pending.h.
#ifndef COSM_API_PENDING_H
#define COSM_API_PENDING_H

#include "run/pending.h"
#include "state/image.h"

// The pending commands of some worlds of a batch, each counted once.
struct pending_take {
    struct cosm_batch *batch;
    uint32_t count;
    struct pending_image **images; // [count]; NULL: nothing is pending
};

// Takes them; what the bases of the worlds say too is shared with those. On failure there is a
// message, and nothing is left.
cosm_result cosmi_pending_take(struct pending_take *take, cosm_worlds worlds, const char *call);

// Hands the i-th on to an image, which has none yet.
void cosmi_pending_attach(struct pending_take *take, uint32_t i, struct world_image *image);

// Gives back what is left of it.
void cosmi_pending_drop(struct pending_take *take);

// The commands of an image; NULL of NULL.
const struct pending *cosmi_pending_of(const struct pending_image *image);

// Prepares worlds to have the pending commands of images, as many of those; a plan without targets
// where there is nothing to do. On failure there is a message, and nothing is left to cancel.
cosm_result cosmi_pending_aim(struct pending_plan *plan, cosm_worlds worlds,
                              struct world_image *const *images, const char *call);

#endif
