// Capturing: an image of a world, sharing what has not changed since its base.
#ifndef COSM_STATE_CAPTURE_H
#define COSM_STATE_CAPTURE_H

#include "state/image.h"

// One world on its way into an image.
struct capture {
    cosm_world world;
    const char *call;
    struct memory *memory;          // of images
    const struct world_image *base; // what it was like at `clock`; NULL: nothing to share
    uint64_t clock;
};

// Gets a batch ready: all changes are tracked from now on. Nothing runs and nobody walks. On
// failure there is a message.
cosm_result cosmi_capture_ready(struct cosm_batch *batch, const char *call);

// The image of a world of a batch that is ready; it becomes the world's base. NULL, with a message,
// on failure.
struct world_image *cosmi_capture_world(cosm_world world, struct memory *memory, const char *call);

// The same of any batch, and nothing is remembered: it shares nothing, and is nobody's base.
struct world_image *cosmi_capture_alone(cosm_world world, struct memory *memory, const char *call);

static inline struct stream_image world_stream(cosm_world world) {
    return (struct stream_image){.seed = world_seed(world.batch, world.index),
                                 .step = world_step(world.batch, world.index),
                                 .number = world_number(world.batch, world.index)};
}

// Was a column of a chunk, which has the rows that it has in `table`, written by the outside though
// it is only shown to be read? Then it is not what the table says, whatever the ticks say.
bool cosmi_capture_is_written(cosm_world world, const struct store *store, const struct part *table,
                              uint32_t chunk, uint32_t column);

// Are the ids of the world as they were in the base?
bool cosmi_capture_ids_same(const struct capture *capture);

// Has a row come or gone since the base, whether or not others have taken its place?
bool cosmi_capture_rows_changed(const struct capture *capture, const struct store *store);

// Lets go of the base of a world, or of all of a batch.
void cosmi_base_forget(struct cosm_batch *batch, struct memory *memory, uint32_t world);
void cosmi_bases_free(struct cosm_batch *batch, struct memory *memory);

#endif
