// Differences between two images of a world, one by one.
//
// First the ids are marked of all entities of which something may differ: parts that both images
// share, pointer for pointer, are passed over, so this costs what has changed. Then the marked ones
// are compared in ascending order.
#ifndef COSM_STATE_DIFF_H
#define COSM_STATE_DIFF_H

#include <cosm/diff.h>

#include "state/image.h"

// Where the record of an id lies in a container: its place + 1, or 0. One for each image.
struct diff_sectors {
    const struct sector_group *group;
    const struct part *images[2]; // before and after; NULL: none
    uint32_t *places[2];          // [id_end]
};

// Two images of a world, which are not the same.
struct diff {
    const struct schema *schema;
    struct memory *memory;
    const struct world_image *images[2]; // before and after
    uint32_t world;
    uint32_t id_end;
    uint64_t *marks;   // a bit for each id: something may differ
    uint64_t *moved;   // a bit for each id: another place among the same parent's children
    uint32_t *sibling; // [id_end]: scratch; NULL where the trees are the same
    struct diff_sectors *sectors; // containers that are not the same
    uint32_t sector_count;
    uint32_t sector_room;
    char *values[2]; // room for a value of any split component
    size_t value_size;
    cosm_diff_fn *call;
    void *context;
    uint64_t reported; // differences so far, streams not counted
    bool is_stopped;   // by the function
    bool no_memory;
};

// Tells all differences. The caller has set what comes before `id_end`, call and context; the rest
// is zero. False when out of memory.
bool cosmi_diff_world(struct diff *diff);

// Marks ids.
void cosmi_diff_mark(struct diff *diff);

static inline void diff_mark(struct diff *diff, uint32_t id) {
    if (id < diff->id_end) {
        diff->marks[id / 64] |= (uint64_t)1 << (id % 64);
    }
}

// The record of an id that lives in an image; NULL where it does not.
static inline const struct record *diff_record(const struct diff *diff, uint32_t side,
                                               uint32_t id) {
    const struct world_image *image = diff->images[side];
    const struct record *record = id < image_ids(image)->ids.used ? image_record(image, id) : NULL;
    return record != NULL && (record->gen & 1) != 0 ? record : NULL;
}

// The links of an id, or NULL where it has none.
static inline const struct link *diff_link(const struct world_image *image, uint32_t id) {
    return tree_part_link(image_only(image, PART_TREE), id);
}

// Where an entity is in one of the images.
struct diff_place {
    const struct part *table;
    uint32_t row;
    uint32_t id;
};

// Whether an entity has a component, and its value: NULL of a tag, and of a ticket without object.
bool cosmi_diff_value(const struct diff *diff, uint32_t side, struct diff_place place,
                      uint32_t component, const void **out_value);

// The next component of an entity behind `last`, in either image; 0 at the end.
uint32_t cosmi_diff_next(const struct diff *diff, const struct diff_place *places, uint32_t last);

// Are two values equal? Else *out_field is the first field that differs.
bool cosmi_diff_equal(const struct value_type *type, const void *before, const void *after,
                      uint32_t *out_field);

#endif
