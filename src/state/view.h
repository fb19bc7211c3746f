// Views: a world as readers see it, whether it lives or is an image.
//
// Both have the same parts (state/part.h). Of an image a part is there; of a world that lives its
// head is made on the way, by its kind (state/kind.h), and its bytes are read where they are
// stored.
// So hashes and comparisons are written once.
#ifndef COSM_STATE_VIEW_H
#define COSM_STATE_VIEW_H

#include "state/hash_values.h"
#include "state/kind.h"

struct view {
    const struct schema *schema;
    cosm_world world;                // one that lives; its batch is NULL where there is an image
    const struct world_image *image; // NULL: the world lives
    struct stream_image stream;
};

struct view cosmi_view_world(cosm_world world);

static inline struct view view_of_image(const struct schema *schema,
                                        const struct world_image *image) {
    return (struct view){.schema = schema, .image = image, .stream = image->stream};
}

// One part. Begin with zeroes.
struct part_view {
    const struct part *part; // that of the image, or a head: without blobs and objects
    struct live_part live;   // of a world that lives
    uint32_t next;           // of an image: the number of the next part of the kind
    uint64_t *notes;         // of a table that lives: what a hasher knows, or NULL
};

static inline bool view_lives(const struct part_view *part) {
    return part->live.at != NULL;
}

// The parts of a kind one after the other; false past the last one. `head` is room for a head.
bool cosmi_view_next(const struct view *view, uint32_t kind, struct part_view *io_part,
                     struct part *head);

// The part with that key. False where there is none.
bool cosmi_view_find(const struct view *view, uint32_t kind, uint32_t key, struct part_view *out,
                     struct part *head);

// A column of a chunk, from its first row on; NULL where it has no bytes.
const void *cosmi_view_column(const struct view *view, const struct part_view *table,
                              uint32_t chunk, uint32_t column);

// The columns of a component in a chunk. `columns` is room for their addresses.
struct cells cosmi_view_cells(const struct view *view, const struct part_view *table,
                              uint32_t chunk, uint32_t column, const void **columns);

// The i-th object of a part; NULL where there is none.
const void *cosmi_view_object(const struct view *view, const struct part_view *part, uint32_t i);

// The record of a place, and what it holds of a member that lives in it.
const cosm_sector *cosmi_view_sector(const struct part_view *sectors, uint32_t place);
const void *cosmi_view_member(const struct view *view, const struct part_view *sectors,
                              uint32_t place, uint32_t member);

// The slot of a ticket up to `used`.
const struct managed_slot *cosmi_view_slot(const struct part_view *managed, uint32_t ticket);

// The record of an id below `known`.
const struct record *cosmi_view_record(const struct view *view, uint32_t id);

// The links of an id, or NULL.
const struct link *cosmi_view_link(const struct view *view, uint32_t id);

// The value of a singleton; NULL where there is none.
const void *cosmi_view_singleton(const struct view *view, uint32_t id);

#endif
