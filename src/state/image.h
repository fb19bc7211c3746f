// Images: the state of one world as a tree of shared, immutable parts.
//
//   cosm_snapshot -> world_image -> table_image -> piece     a chunk of a column
//                                -> piece                    a page of the directory, a singleton
//                                -> tree_image, managed_image, sector_image
//
// Everything that has to do with state as a value goes through images: capture makes one from a
// world, restore makes a world from one; saving, loading, patching and comparing turn images into
// bytes and back. Whoever makes an image from bytes has cosmi_image_check look at it: what passes
// is safe to restore.
//
// A table is cut into chunks as the world's is, and each column of a chunk is a piece. A small
// table is one piece: all columns, one behind the other, each padded to 16 bytes.
#ifndef COSM_STATE_IMAGE_H
#define COSM_STATE_IMAGE_H

#include "base/bits.h"
#include "state/object.h"
#include "state/piece.h"
#include "store/managed.h"
#include "store/sector_set.h"
#include "store/shared.h"
#include "store/tree.h"

// Tables of at most this many bytes, and at most one chunk, are one piece.
#define PACKED_BYTES ((size_t)4096)

// Records of the directory that are one piece.
#define RECORD_PAGE_IDS 512u

// Links of the tree that are one piece.
#define LINK_PIECE_IDS 128u

// What `group` says of a table that is not a group's.
#define GROUP_NONE 0xFFFFFFFFu

// The rows of one archetype or, where values are shared, of one group. Tables without rows are not
// in an image.
struct table_image {
    atomic_uint refs;
    uint32_t count;       // rows, at least 1
    uint32_t chunk_count; // of archetype->chunk_rows rows each
    uint32_t group;       // its number in its world, or GROUP_NONE
    bool is_packed;
    struct archetype *archetype;
    struct object **shared; // [archetype->shared_count]: the values that the rows share
    uint32_t piece_count;   // 1, or chunk_count * archetype->column_count
    struct piece *pieces[]; // of columns without bytes: NULL
};

// Pages of a directory, shared as a whole while no id comes or goes.
struct page_list {
    atomic_uint refs;
    uint32_t count;
    struct piece *pages[];
};

// The ids of a world: as struct world has them. Record pages are as in the directory; `table` of a
// living record is an archetype's id or a group's number, so pages mean something in one engine
// only.
struct directory_image {
    uint32_t used;
    uint32_t known;
    uint32_t free_head;
    uint32_t free_count;
    uint32_t alive;
    uint32_t fresh_deaths;
    uint32_t promised_free;
    uint32_t promised_fresh;
    uint32_t promise_cursor;
    uint32_t page_count;  // of RECORD_PAGE_IDS records, for `known` of them
    struct piece **pages; // each as long as its records: those of the list
    struct page_list *list;
};

// Where the random numbers of a world come from, and which step it is at.
struct stream_image {
    uint64_t seed;
    uint64_t step;
    uint64_t number;
};

// Links of a tree by id: pieces of LINK_PIECE_IDS struct link with all depths 0; NULL where none of
// the ids is linked.
struct tree_image {
    atomic_uint refs;
    uint32_t linked;
    uint32_t piece_count;
    struct piece *pieces[];
};

// Objects of one managed component. slots: managed_slot[used]; objects[t - 1]: that of ticket t, or
// NULL where the slot is free.
struct managed_image {
    atomic_uint refs;
    const struct value_type *type;
    uint32_t used;
    uint32_t count;
    uint32_t free_head;
    struct piece *slots;
    struct object *objects[]; // [used]
};

// The records of one group of sector components. A piece holds as many records as a chunk of the
// container, the last one fewer; bytes of members that are dead, or objects, and those between
// members, are zero. Dead records keep their entity: in the world its id leads to them, so where
// the next records come to lie follows from it; ids are below `known` of the directory.
// objects[place * object_members + k]: the k-th member that is an object, or NULL.
struct sector_image {
    atomic_uint refs;
    const struct sector_group *group;
    uint32_t place_end;
    uint32_t live_count;
    uint32_t piece_count;
    uint32_t object_members; // members of the group that are objects
    bool is_packing;         // maintain goes on to pack with its next call
    struct object **objects; // NULL where object_members is 0
    struct piece *pieces[];
};

// Is a member of a group kept as objects?
static inline bool sector_member_is_object(const struct sector_group *group, uint32_t member) {
    const cosm_lifecycle *lifecycle = &group->layout->members[member].lifecycle;
    return lifecycle->copy != NULL || lifecycle->destroy != NULL;
}

// The bytes of a record of an image, as they are in the container.
static inline const cosm_sector *sector_image_at(const struct sector_image *sector,
                                                 uint32_t place) {
    uint32_t rows = sector->group->layout->chunk_sectors;
    return (const cosm_sector *)(const void *)((const char *)sector->pieces[place / rows]->bytes +
                                               (size_t)(place % rows) *
                                                   sector->group->layout->stride);
}

// One world. Singletons by id, NULL where the batch has none; managed and sectors in ascending
// order of number and group id.
struct world_image {
    atomic_uint refs;
    size_t size; // of this block
    struct stream_image stream;
    struct directory_image directory;
    uint32_t table_count;
    uint32_t singleton_end; // ids below this
    uint32_t managed_count;
    uint32_t sector_count;
    uint32_t lookup_size;        // a power of two, or 0 where the tables are few
    struct table_image **tables; // no two of one archetype and group
    struct piece **singletons;   // [singleton_end], each of the singleton's size
    struct managed_image **managed;
    struct sector_image **sectors;
    uint32_t *lookup;        // [lookup_size]: 1 + the index of a table, by its number; 0: none
    struct tree_image *tree; // NULL: nothing is linked
    // The order of shared values and groups beyond what tables say: words, laid out in
    // state/shared_image.c, that name groups by number. NULL: no groups.
    struct piece *shared_order;
};

// How large the lists of an image are.
struct image_counts {
    uint32_t pages;
    uint32_t tables;
    uint32_t singletons;
    uint32_t managed;
    uint32_t sectors;
};

struct cosm_snapshot {
    struct cosm_engine *engine;
    struct schema *schema;
    const struct sink *sink;
    struct memory *memory; // the engine's: of the images too
    uint64_t step_count;   // of the batch
    uint64_t seed;         // of the batch
    uint32_t world_count;
    struct world_image *worlds[];
};

// What a world was like when it was last captured or restored: what is still so is shared.
struct world_base {
    struct world_image *image; // NULL: nothing is known
    uint64_t clock;            // what is stamped later has changed since
};

static inline uint32_t image_column_size(const struct archetype *archetype, uint32_t column) {
    return archetype->columns[column].is_ticks ? 0 : archetype->sizes[column];
}

// Rows of a chunk of a table.
static inline uint32_t image_chunk_rows(const struct table_image *table, uint32_t chunk) {
    uint32_t rows = table->archetype->chunk_rows;
    uint32_t left = table->count - chunk * rows;
    return left < rows ? left : rows;
}

// Where a column begins in the piece of a packed table, and how many bytes that piece has.
size_t cosmi_packed_offset(const struct archetype *archetype, uint32_t count, uint32_t column);
size_t cosmi_packed_size(const struct archetype *archetype, uint32_t count);

// Is a table of so many rows one piece?
bool cosmi_image_is_packed(const struct archetype *archetype, uint32_t count);

// The values of a column in a chunk: those of its first row, the others behind it; NULL where a
// column has no bytes.
const void *cosmi_image_column(const struct table_image *table, uint32_t chunk, uint32_t column);

// Making images by hand: everything zero or NULL, to be filled in; counted once. NULL when out of
// memory. With counts->pages a list of so many pages is made too. A table's pieces are made, to be
// filled in by piece_fill, where `with_pieces`.
struct world_image *cosmi_image_create(struct memory *memory, const struct image_counts *counts);
struct table_image *cosmi_table_image_create(struct memory *memory, struct archetype *archetype,
                                             uint32_t count, bool with_pieces);
struct page_list *cosmi_page_list_create(struct memory *memory, uint32_t count);
struct tree_image *cosmi_tree_image_create(struct memory *memory, uint32_t piece_count);
struct managed_image *cosmi_managed_image_create(struct memory *memory,
                                                 const struct value_type *type, uint32_t used);
struct sector_image *cosmi_sector_image_create(struct memory *memory,
                                               const struct sector_group *group,
                                               uint32_t place_end);

// Where the values of a column of a chunk are filled in, of a table made with pieces.
void *cosmi_image_fill(struct table_image *table, uint32_t chunk, uint32_t column);

// Giving back; NULL is fine.
void cosmi_image_give(struct memory *memory, struct world_image *image);
void cosmi_table_image_give(struct memory *memory, struct table_image *table);
void cosmi_page_list_give(struct memory *memory, struct page_list *list);
void cosmi_tree_image_give(struct memory *memory, struct tree_image *tree);
void cosmi_managed_image_give(struct memory *memory, struct managed_image *managed);
void cosmi_sector_image_give(struct memory *memory, struct sector_image *sector);

// A snapshot without worlds, to be filled in. NULL when out of memory.
struct cosm_snapshot *cosmi_snapshot_make(struct memory *memory, uint32_t world_count);
void cosmi_snapshot_free(struct cosm_snapshot *snapshot);

// Enters the tables of an image, all of which are there, so that they are found by their numbers
// without a search. Whoever makes an image calls it last.
void cosmi_image_enter_tables(struct world_image *image);

// The table with that number, or NULL. O(1) once the tables were entered.
const struct table_image *cosmi_image_table(const struct world_image *image, uint32_t number);

// The record of an id below `known`.
static inline const struct record *image_record(const struct world_image *image, uint32_t id) {
    const struct record *page = image->directory.pages[id / RECORD_PAGE_IDS]->bytes;
    return &page[id % RECORD_PAGE_IDS];
}

// The number that records of a table's entities have.
static inline uint32_t table_image_number(const struct table_image *table) {
    return table->group == GROUP_NONE ? table->archetype->id : GROUP_FIRST + table->group;
}

// Walks every invariant of an image that was made from bytes; COSM_ERROR_FORMAT, with a message
// that names `call` and `world`, where one does not hold. What passes is safe to restore.
cosm_result cosmi_image_check(const struct schema *schema, const struct sink *sink,
                              const char *call, const struct world_image *image, uint32_t world);

// Bytes that an image holds, and those that nobody else holds.
void cosmi_snapshot_bytes(const struct cosm_snapshot *snapshot, size_t *out_bytes, size_t *out_own);

// Are two images of a world made of the same parts? Where not, their content may be equal all the
// same.
bool cosmi_image_is_same(const struct world_image *a, const struct world_image *b);

// Bytes that a snapshot holds and another one of the same worlds does not; NULL: all of them.
size_t cosmi_snapshot_growth(const struct cosm_snapshot *snapshot,
                             const struct cosm_snapshot *before);

#endif
