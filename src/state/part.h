// Parts: what the state of a world is made of, as values.
//
// A part is a few words, some blobs and some objects. Its kind says what they mean; whoever keeps,
// shares, counts or compares parts need not know.
//
//   kind        key             of         words              blobs               objects
//   TABLE       table number    archetype  rows               columns of chunks   shared values
//   IDS         0                          counts of the ids  pages of records
//   SINGLETONS  0               schema     end of ids         values, by id
//   GROUPS      0                          words              see shared_order.h
//   TREE        0                          linked ids         pages of links
//   MANAGED     managed number  type       slots, free list   slots               by ticket
//   SECTOR      group id        group      places, living     records of chunks   by place, member
//
// A small table has one blob: all columns, one behind the other, each padded to 16 bytes. A blob
// is NULL where there is nothing: columns without bytes, pages without links, and so on.
//
// Parts never change once they are in an image, so images share them by reference.
#ifndef COSM_STATE_PART_H
#define COSM_STATE_PART_H

#include "base/bits.h"
#include "state/blob.h"
#include "state/object.h"
#include "store/managed.h"
#include "store/sector_set.h"
#include "store/shared.h"
#include "store/tree.h"

// Tables of at most this many bytes, and at most one chunk, are one blob.
#define PACKED_BYTES ((size_t)4096)

// Records of the directory in one blob.
#define RECORD_PAGE_IDS 512u

// Links of the tree in one blob.
#define LINK_BLOB_IDS 128u

// The group of a table that has none.
#define GROUP_NONE 0xFFFFFFFFu

enum part_kind_number {
    PART_TABLE,
    PART_IDS,
    PART_SINGLETONS,
    PART_GROUPS,
    PART_TREE,
    PART_MANAGED,
    PART_SECTOR,
    PART_KINDS,
};

#define PART_WORDS 9u

// The rows of an archetype or, where it shares values, of a group. There is at least one.
struct table_words {
    uint32_t count;
};

// As struct world has them. `table` of a living record is a table number, which means something in
// one engine only.
struct ids_words {
    uint32_t used;
    uint32_t known;
    uint32_t free_head;
    uint32_t free_count;
    uint32_t alive;
    uint32_t fresh_deaths;
    uint32_t reserved_free;
    uint32_t reserved_fresh;
    uint32_t reserved_cursor;
};

// One blob for each singleton of the engine, by id.
struct singletons_words {
    uint32_t end;
};

// Words in the blob.
struct groups_words {
    uint32_t count;
};

// Links by id, all depths 0.
struct tree_words {
    uint32_t linked;
    uint32_t blob_count;
};

// The blob has managed_slot[used]; object t - 1 is that of ticket t, NULL where the slot is free.
struct managed_words {
    uint32_t used;
    uint32_t count;
    uint32_t free_head;
};

// A blob has as many records as a chunk of the container, the last one fewer. Bytes of members that
// are dead, or objects, and those between members, are zero. Dead records keep their entity: its id
// leads to them in the world, so where the next records come to lie follows from it. The object of
// the k-th member that is an object: place * object_members + k.
struct sector_words {
    uint32_t place_end;
    uint32_t live_count;
    uint32_t is_packing; // maintain goes on to pack with its next call
    uint32_t object_members;
};

struct part {
    atomic_uint refs;
    uint32_t kind;
    uint32_t key;
    uint32_t blob_count;
    uint32_t object_count;
    union {
        const void *of; // what the key names, or NULL
        struct archetype *archetype;
        const struct value_type *type;
        const struct sector_group *group;
        const struct schema *schema;
    };
    union {
        uint32_t words[PART_WORDS];
        struct table_words table;
        struct ids_words ids;
        struct singletons_words singletons;
        struct groups_words groups;
        struct tree_words tree;
        struct managed_words managed;
        struct sector_words sector;
    };
    struct object **objects; // behind the blobs
    struct blob *blobs[];
};

// Is what the words say within bounds? Else nothing can be made of them.
bool cosmi_part_has_shape(const struct part *head);

// Fills in how many blobs and objects a part has: they follow from its kind, its words and what its
// key names.
void cosmi_part_count(struct part *head);

// Bytes of a blob. 0: there is none. Blobs of singletons and links may be missing all the same.
size_t cosmi_blob_size(const struct part *part, uint32_t i);

// Elements of one size in the blobs of a part, such as the rows of a column or the bytes of a
// singleton. Element i is in blob
// first + i / rows * step, `offset` and i % rows elements from its beginning.
struct section {
    uint32_t count;
    uint32_t size; // of an element
    uint32_t first;
    uint32_t step;
    uint32_t rows;
    size_t offset;
    const struct value_type *type; // whose bytes between fields do not count; NULL: all do
    const void *empty; // what an element is whose blob is missing; NULL: none is missing
    bool is_entities;
};

// The sections of a part, one after the other; false past the last one.
bool cosmi_part_section(const struct schema *schema, const struct part *part, uint32_t index,
                        struct section *out);

// Elements that lie side by side from element i on: where, and at most `*io_count` of them. NULL:
// their blob is missing.
const void *cosmi_section_run(const struct part *part, const struct section *section, uint32_t i,
                              uint32_t *io_count);

// A part with the head of another: kind, key, counts and words. Blobs and objects are NULL. NULL
// when out of memory.
struct part *cosmi_part_create(struct memory *memory, const struct part *head);

// Makes the blobs that are missing, to be filled in; false when out of memory.
bool cosmi_part_fill(struct memory *memory, struct part *part);

// NULL is fine.
void cosmi_part_release(struct memory *memory, struct part *part);

static inline struct part *part_retain(struct part *part) {
    atomic_fetch_add_explicit(&part->refs, 1, memory_order_relaxed);
    return part;
}

static inline size_t part_size(const struct part *part) {
    return sizeof(*part) + part->blob_count * sizeof(part->blobs[0]) +
           part->object_count * sizeof(part->objects[0]);
}

// Are kind, key, counts and words equal?
bool cosmi_part_is_alike(const struct part *a, const struct part *b);

// Are two parts made of the same blobs and objects? Where not, their content may be equal.
bool cosmi_part_is_same(const struct part *a, const struct part *b);

// Tables.

static inline uint32_t table_group(const struct part *table) {
    return table->key < GROUP_FIRST ? GROUP_NONE : table->key - GROUP_FIRST;
}

static inline uint32_t image_column_size(const struct archetype *archetype, uint32_t column) {
    return archetype->columns[column].is_ticks ? 0 : archetype->sizes[column];
}

static inline uint32_t table_chunks(const struct part *table) {
    return (table->table.count - 1) / table->archetype->chunk_rows + 1;
}

// Rows of a chunk.
static inline uint32_t table_chunk_rows(const struct part *table, uint32_t chunk) {
    uint32_t rows = table->archetype->chunk_rows;
    uint32_t left = table->table.count - chunk * rows;
    return left < rows ? left : rows;
}

// Is a table of so many rows one blob?
static inline bool table_is_packed(const struct archetype *archetype, uint32_t count) {
    return count <= archetype->chunk_rows && (size_t)count * archetype->row_size <= PACKED_BYTES;
}

// Where a column begins in the blob of a packed table, and how many bytes that blob has.
size_t cosmi_packed_offset(const struct archetype *archetype, uint32_t count, uint32_t column);
size_t cosmi_packed_size(const struct archetype *archetype, uint32_t count);

// The values of a column in a chunk: those of its first row, the others behind it; NULL where a
// column has no bytes. The second is for tables that are being made.
const void *cosmi_table_column(const struct part *table, uint32_t chunk, uint32_t column);
void *cosmi_table_fill(struct part *table, uint32_t chunk, uint32_t column);

// Sectors.

// Is a member of a group kept as objects?
static inline bool sector_member_is_object(const struct sector_group *group, uint32_t member) {
    const cosm_lifecycle *lifecycle = &group->layout->members[member].lifecycle;
    return lifecycle->copy != NULL || lifecycle->destroy != NULL;
}

// The bytes of a record, as they are in the container.
static inline const cosm_sector *sector_record(const struct part *sector, uint32_t place) {
    const struct sectors_layout *layout = sector->group->layout;
    const char *records = sector->blobs[place / layout->chunk_sectors]->bytes;
    return (const void *)(records + (size_t)(place % layout->chunk_sectors) * layout->stride);
}

// Records of a blob.
static inline uint32_t sector_blob_records(const struct part *sector, uint32_t blob) {
    uint32_t chunk = sector->group->layout->chunk_sectors;
    uint32_t left = sector->sector.place_end - blob * chunk;
    return left < chunk ? left : chunk;
}

// The others.

// The record of an id below `known`.
static inline const struct record *ids_record(const struct part *ids, uint32_t id) {
    const struct record *page = ids->blobs[id / RECORD_PAGE_IDS]->bytes;
    return &page[id % RECORD_PAGE_IDS];
}

// Of an id that is not in the tree.
extern const struct link cosmi_no_links;

// The links of an id, or NULL where it has none; `tree` may be NULL.
static inline const struct link *tree_part_link(const struct part *tree, uint32_t id) {
    uint32_t at = id / LINK_BLOB_IDS;
    if (tree == NULL || at >= tree->blob_count || tree->blobs[at] == NULL) {
        return NULL;
    }
    return (const struct link *)tree->blobs[at]->bytes + id % LINK_BLOB_IDS;
}

#endif
