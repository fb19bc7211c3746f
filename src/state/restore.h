// Restoring: a world made to be what an image says.
//
// In two halves: preparing makes all room and all copies of objects, and can fail; doing cannot.
// Between them nothing of the world has changed that anybody could see.
#ifndef COSM_STATE_RESTORE_H
#define COSM_STATE_RESTORE_H

#include "state/image.h"

// One world on its way to what its image says.
struct restore {
    cosm_world world;
    const char *call;
    const struct world_image *image;
    const struct world_image *base; // what the world was like at `clock`; NULL: nothing is known
    uint64_t clock;
    bool ids_same; // the world's ids are those of the base
    // What the halves of the parts hand on; freed by doing or by cancelling.
    void *tree;
    void *shared;
    void *managed;
    void *sectors;
};

// Prepares one world. Where there never was a snapshot of its batch, it need not be ready for one.
// On failure there is a message, and nothing is left to cancel.
cosm_result cosmi_restore_prepare(struct restore *restore, cosm_world world, const char *call,
                                  const struct world_image *image);

// Does it; the image becomes the world's base, where worlds of the batch have one. The step and the
// random stream are the image's.
void cosmi_restore_do(struct restore *restore, struct memory *memory);

// Gives back what preparing made.
void cosmi_restore_cancel(struct restore *restore);

// A table is about to have `count` rows. Ticks of rows that are new to it are rubbish: stamping,
// which only raises them, wants zeroes.
void cosmi_clear_row_ticks(const struct store *store, uint32_t world, uint32_t count);

// The parts beside tables, each in its halves. Shared values come before the rows: after
// cosmi_restore_shared the groups that the image has are there, and no others, with room for their
// rows. The others come after the rows.
cosm_result cosmi_prepare_tree(struct restore *restore);
void cosmi_restore_tree(struct restore *restore);
void cosmi_cancel_tree(struct restore *restore);
cosm_result cosmi_prepare_shared(struct restore *restore);
void cosmi_restore_shared(struct restore *restore);
void cosmi_cancel_shared(struct restore *restore);
cosm_result cosmi_prepare_managed(struct restore *restore);
void cosmi_restore_managed(struct restore *restore);
void cosmi_cancel_managed(struct restore *restore);
cosm_result cosmi_prepare_sectors(struct restore *restore);
void cosmi_restore_sectors(struct restore *restore);
void cosmi_cancel_sectors(struct restore *restore);

// The checks of cosmi_image_check for these parts: NULL, or what is wrong in words.
const char *cosmi_tree_image_fault(const struct world_image *image);
const char *cosmi_managed_image_fault(const struct world_image *image);
const char *cosmi_sector_image_fault(const struct world_image *image);

// The same, with scratch of its own: COSM_ERROR_MEMORY, without a message, where there is none.
cosm_result cosmi_shared_image_fault(const struct schema *schema, const struct world_image *image,
                                     const char **out_fault);

#endif
