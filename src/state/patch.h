// Patches: the way from one image to another as bytes, and back.
//
//   patch   head | words | archetypes | groups | index of the worlds that changed | their bodies
//   body    what differs: stream, directory, tables, tree, order of groups, singletons, objects,
//           sectors
//
// Bytes name components and singletons by the number of a word, and sets of components by lists of
// those: nothing in them is an id of an engine's. Values lie in them without padding and as the
// writer has them, whole or by fields; a lane says where its rows are in the columns of the engine
// at hand. docs/design/048-patches.md has the format byte by byte.
//
// What is read becomes an image that shares what the patch does not speak of with the one before.
// cosmi_image_check and the hash decide whether it is used.
#ifndef COSM_STATE_PATCH_H
#define COSM_STATE_PATCH_H

#include "base/arena.h"
#include "base/bytes.h"
#include "state/image.h"

#define PATCH_FORMAT 1u
#define PATCH_MAGIC "cosp"
#define PATCH_MAGIC_SIZE ((size_t)4)

// Bytes of a value that mean something.
struct patch_span {
    uint32_t offset;
    uint32_t size;
};

// A component or singleton that occurs. Its values are packed: one span behind the other.
struct patch_word {
    const struct value_type *type;
    bool is_singleton;
    uint32_t packed_size;
    uint32_t span_count;
    const struct patch_span *spans; // ascending
};

// Where a part of a packed row is in a table: `size` bytes, `at` bytes into the cell of a column.
struct patch_move {
    uint32_t column;
    uint32_t at;
    uint32_t from; // in the packed row
    uint32_t size;
};

// A column as bytes of patches have it. Its first move is enough where is_dense: cells are rows.
struct patch_lane {
    uint32_t row_size; // of a packed row
    uint32_t move_count;
    bool is_dense;
    bool is_entity; // handles, which have a form of their own
    const struct patch_move *moves;
};

// A component of an archetype: whole or by fields, as the writer has it.
struct patch_part {
    uint32_t word;
    bool is_split;
};

// A set of components: `archetype` is the one of the engine at hand. Lanes: the handles, unless it
// is temporary, then those of each part that has bytes in tables.
struct patch_archetype {
    struct archetype *archetype; // of one that is read: NULL until cosmi_patch_form
    const char *name;            // of a temporary one, which is found by it; else NULL
    uint32_t part_count;
    const struct patch_part *parts; // by name
    uint32_t shared_count;          // parts that are shared
    uint32_t lane_count;
    const struct patch_lane *lanes;
    size_t row_bytes; // the fewest bytes that a row takes in a patch
};

// Sector components that lie together. members[i]: which member of the group word i of it is.
struct patch_group {
    const struct sector_group *group; // of one that is read: NULL until cosmi_patch_form
    uint32_t member_count;
    const uint32_t *words;
    uint32_t *members;
};

// What numbers in a patch stand for.
struct patch_book {
    struct schema *schema;
    const struct sink *sink;
    struct memory *memory;
    const char *call;
    struct arena arena; // what words, archetypes and groups point at
    struct patch_word *words;
    uint32_t word_count;
    uint32_t word_capacity;
    struct patch_archetype *archetypes;
    uint32_t archetype_count;
    uint32_t archetype_capacity;
    struct map archetype_numbers; // of those that cosmi_patch_archetype has entered
    struct patch_group *groups;
    uint32_t group_count;
    uint32_t group_capacity;
};

// A world that changed. `body` is where its bytes begin.
struct patch_world {
    uint32_t world;
    uint32_t print; // of the image before
    uint64_t hash_before;
    uint64_t hash_after;
    size_t body;
    size_t body_size;
};

// What a patch says of itself. `rest` is the hash of the hashes of the worlds that did not change.
struct patch_head {
    uint32_t world_count;
    uint32_t changed_count;
    uint64_t step_count; // of the second state
    uint64_t seed;
    uint64_t rest;
    struct patch_world *worlds; // [changed_count], ascending
};

void cosmi_patch_book_init(struct patch_book *book, struct memory *memory, struct schema *schema,
                           const struct sink *sink);
void cosmi_patch_book_free(struct patch_book *book);

// The number of a type, an archetype or a group, which is new in the book the first time.
// PATCH_NONE, with a message, when out of memory.
#define PATCH_NONE 0xFFFFFFFFu
uint32_t cosmi_patch_word(struct patch_book *book, const struct value_type *type,
                          bool is_singleton);
uint32_t cosmi_patch_archetype(struct patch_book *book, struct archetype *archetype);
uint32_t cosmi_patch_group(struct patch_book *book, const struct sector_group *group);

// The book as bytes, and back. Reading finds all types; on failure there is a message.
void cosmi_patch_book_write(const struct patch_book *book, struct byte_writer *out);
cosm_result cosmi_patch_book_read(struct patch_book *book, struct byte_reader *in);

// Finds, or forms, the archetypes and groups of a book that was read. On failure there is a
// message.
cosm_result cosmi_patch_form(struct patch_book *book);

// The lanes of an archetype that has its parts. False when out of memory.
bool cosmi_patch_lanes(struct patch_book *book, struct patch_archetype *entry);

// Can bytes stand for values of this type?
bool cosmi_patch_is_plain(const struct value_type *type);

// Are two values the same as far as a patch can tell? Either may be NULL: only both are the same.
bool cosmi_patch_same_object(const struct object *a, const struct object *b);

// A value to its packed form and back.
void cosmi_patch_pack(const struct patch_word *word, const void *value, void *packed);
void cosmi_patch_unpack(const struct patch_word *word, const void *packed, void *value);

// The exact hash of an image.
uint64_t cosmi_patch_hash(const struct schema *schema, const struct world_image *image);

// What a patch goes by and no hash looks at: how groups and tickets are numbered, and where sectors
// lie.
uint32_t cosmi_patch_print(const struct schema *schema, const struct world_image *image);

// A number for an archetype that does not depend on ids.
uint64_t cosmi_patch_key(const struct schema *schema, const struct archetype *archetype);

// The patch between two snapshots of one engine and of as many worlds. On failure there is a
// message.
cosm_result cosmi_patch_write(const struct cosm_snapshot *before, const struct cosm_snapshot *after,
                              const char *call, struct byte_writer *out);

// One world on its way into bytes.
struct patch_out {
    struct byte_writer *out;
    struct patch_book *book;
    const struct world_image *before;
    const struct world_image *after;
    uint32_t world; // for messages
};

// The parts of a body; each writes what differs, and tells whether anything does, or how many
// entries that is. On failure there is a message.
cosm_result cosmi_patch_write_tables(const struct patch_out *patch, uint32_t *out_count);
bool cosmi_patch_write_tree(const struct patch_out *patch);
bool cosmi_patch_write_order(const struct patch_out *patch);
cosm_result cosmi_patch_write_singletons(const struct patch_out *patch, uint32_t *out_count);
cosm_result cosmi_patch_write_managed(const struct patch_out *patch, uint32_t *out_count);
cosm_result cosmi_patch_write_sectors(const struct patch_out *patch, uint32_t *out_count);

// Runs of bytes that differ: (length, gap, bytes) each, and a length of 0. Whether there are any.
bool cosmi_patch_write_runs(struct byte_writer *out, const void *before, const void *after,
                            size_t size);
void cosmi_patch_read_runs(struct byte_reader *in, void *bytes, size_t size);

// Head, book and index of a patch. The index is the caller's to give back by cosmi_patch_head_free.
cosm_result cosmi_patch_read_head(struct patch_book *book, const void *bytes, size_t size,
                                  struct patch_head *out_head);
void cosmi_patch_head_free(struct memory *memory, struct patch_head *head);

// The image after, of a world whose image before has the right hash. NULL, with a message, on
// failure. The book's archetypes were formed.
struct world_image *cosmi_patch_read_world(struct patch_book *book, const void *bytes,
                                           const struct patch_world *world,
                                           const struct world_image *before);

// One world on its way out of bytes. The first thing that is wrong stays in `fault`.
struct patch_in {
    struct byte_reader in;
    struct patch_book *book;
    const struct world_image *before;
    struct world_image *image;
    const char *fault; // in words; NULL: nothing so far
    bool no_memory;
};

static inline bool patch_in_failed(const struct patch_in *patch) {
    return patch->fault != NULL || patch->no_memory || patch->in.failed;
}

static inline void patch_in_fault(struct patch_in *patch, const char *fault) {
    if (patch->fault == NULL) {
        patch->fault = fault;
    }
}

// The parts of a body, as above.
void cosmi_patch_read_tables(struct patch_in *patch, uint32_t count);
void cosmi_patch_read_tree(struct patch_in *patch);
void cosmi_patch_read_order(struct patch_in *patch);
void cosmi_patch_read_singletons(struct patch_in *patch, uint32_t count);
void cosmi_patch_read_managed(struct patch_in *patch, uint32_t count);
void cosmi_patch_read_sectors(struct patch_in *patch, uint32_t count);

// Sets the record of an id in the image that is being made.
void cosmi_patch_set_record(struct patch_in *patch, uint32_t id, struct record record);

// What an entry of `word` is about; NULL, and a fault, where it is not of that storage.
const struct patch_word *cosmi_patch_read_word(struct patch_in *patch, bool is_singleton,
                                               cosm_storage storage);

// Numbers that may be below zero, in few bytes where they are near it.
static inline uint32_t zigzag(uint32_t difference) {
    return (difference << 1) ^ (0u - (difference >> 31));
}

static inline uint32_t unzigzag(uint32_t value) {
    return (value >> 1) ^ (0u - (value & 1));
}

#endif
