// What hashes see of a world: one that lives, or an image of one.
#ifndef COSM_STATE_HASH_VIEW_H
#define COSM_STATE_HASH_VIEW_H

#include "state/hash_notes.h"
#include "state/image.h"

// Either `image` is NULL, and it is world number `world` of `batch`, or `batch` is.
struct hash_view {
    const struct schema *schema;
    const struct cosm_batch *batch;
    const struct world_image *image;
    uint32_t world;
    const struct stream_image *stream; // NULL: that of the world
};

// One table with rows.
struct table_view {
    const struct archetype *archetype;
    uint32_t count;
    const struct store *store; // of a world that lives
    const struct part *image;  // of an image
    struct table_notes *notes; // of a world that lives: what a hasher knows, or NULL
};

// The records of one group of sector components.
struct sector_view {
    const struct sector_group *group;
    uint32_t place_end;
    const struct sectors *sectors; // of a world that lives
    const struct part *image;      // of an image
};

// The tables with rows one after the other, in no particular order. *io_at is 0 to begin with.
// False at the end.
bool cosmi_view_table(const struct hash_view *view, size_t *io_at, struct table_view *io_table);

// The containers of sector components, as above.
bool cosmi_view_sectors(const struct hash_view *view, uint32_t *io_at, struct sector_view *out);

// A column of a chunk, from its first row on.
const void *cosmi_view_column(const struct hash_view *view, const struct table_view *table,
                              uint32_t chunk, uint32_t column);

// The value that the rows of a table share: the `slot`th of the archetype's.
const void *cosmi_view_shared(const struct table_view *table, uint32_t slot);

// The object of a ticket; NULL where there is none.
const void *cosmi_view_object(const struct hash_view *view, const struct value_type *type,
                              uint32_t ticket);

// The record of a place. One that is dead has no member that lives.
const cosm_sector *cosmi_view_sector(const struct sector_view *view, uint32_t place);

// What such a record holds of member `member`, which lives.
const void *cosmi_view_member(const struct sector_view *sectors, uint32_t place, uint32_t member);

// The directory, its pages left out, and the record of an id below `known`.
struct ids_words cosmi_view_directory(const struct hash_view *view);
const struct record *cosmi_view_record(const struct hash_view *view, uint32_t id);

// Ids from here on are not linked; the links of an id below it, or NULL.
uint32_t cosmi_view_link_end(const struct hash_view *view);
const struct link *cosmi_view_link(const struct hash_view *view, uint32_t id);

// The value of a singleton; NULL where the batch has none. Ids are below the end.
uint32_t cosmi_view_singleton_end(const struct hash_view *view);
const void *cosmi_view_singleton(const struct hash_view *view, uint32_t id);

struct stream_image cosmi_view_stream(const struct hash_view *view);

#endif
