// Restoring: a world made to be what an image says.
//
// In two halves: preparing makes all room and all copies of objects, and can fail; doing cannot.
// Between them nothing of the world has changed that anybody could see.
#ifndef COSM_STATE_RESTORE_H
#define COSM_STATE_RESTORE_H

#include "state/exchange.h"
#include "state/image.h"

// What preparing hands on, of a part that is not a table, the ids or the singletons.
struct restore_plan {
    void *at;             // where the part goes: a tree, a list of objects, a container
    uint32_t chunk_count; // of a container: before
    void *groups;         // of groups: what they become, see kind_groups.c
    struct exchange exchange;
};

// One world on its way to what its image says.
struct restore {
    cosm_world world;
    const char *call;
    const struct world_image *image;
    const struct world_image *base; // what the world was like at `clock`; NULL: nothing is known
    uint64_t clock;
    bool ids_same;              // the world's ids are those of the base
    struct restore_plan *plans; // one for each part from PART_GROUPS on; NULL: there are none
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

// Zeroes the ticks of rows that a table, about to have `count` of them, gets: stamping takes the
// maximum, so stale ticks would survive.
void cosmi_clear_row_ticks(const struct store *store, uint32_t world, uint32_t count);

#endif
