// Patches: the way from one image to another as bytes, and back.
//
//   patch   head | names | index of the worlds that changed | their bodies
//   body    the stream, then the parts that differ: words, elements, objects
//
// Both sides have defined the same components and singletons in the same order, which the head
// makes sure of; so ids of those mean the same. Archetypes and sector groups come about as a
// program runs: the names say what they are made of. docs/design/048-patches.md has the format byte
// by byte.
//
// What is read becomes an image that shares what the patch does not speak of with the one before.
// cosmi_image_check and the hash decide whether it is used.
#ifndef COSM_STATE_PATCH_H
#define COSM_STATE_PATCH_H

#include "base/bytes.h"
#include "state/image.h"

#define PATCH_FORMAT 1u
#define PATCH_MAGIC "cosp"
#define PATCH_MAGIC_SIZE ((size_t)4)

// What numbers in a patch stand for.
struct patch_names {
    struct schema *schema;
    const struct sink *sink;
    struct memory *memory;
    const char *call;
    struct archetype **archetypes;
    uint32_t archetype_count;
    uint32_t archetype_capacity;
    const struct sector_group **groups;
    uint32_t group_count;
    uint32_t group_capacity;
    struct map numbers; // of archetypes that are written
};

// A world that changed. `body` is where its bytes begin.
struct patch_world {
    uint32_t world;
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

void cosmi_patch_names_init(struct patch_names *names, struct memory *memory, struct schema *schema,
                            const struct sink *sink, const char *call);
void cosmi_patch_names_free(struct patch_names *names);

// The number of an archetype or a group, which is new the first time. PATCH_NONE, with a message,
// when out of memory.
#define PATCH_NONE 0xFFFFFFFFu
uint32_t cosmi_patch_archetype(struct patch_names *names, struct archetype *archetype);
uint32_t cosmi_patch_group(struct patch_names *names, const struct sector_group *group);

// The names as bytes, and back. Reading finds, or forms, the archetypes and groups where
// `is_formed`, and only looks at the bytes where not. On failure there is a message.
void cosmi_patch_names_write(const struct patch_names *names, struct byte_writer *out);
cosm_result cosmi_patch_names_read(struct patch_names *names, struct byte_reader *in,
                                   bool is_formed);

// The exact hash of an image.
uint64_t cosmi_patch_hash(const struct schema *schema, const struct world_image *image);

// The patch between two snapshots of one engine and of as many worlds. On failure there is a
// message.
cosm_result cosmi_patch_write(const struct cosm_snapshot *before, const struct cosm_snapshot *after,
                              const char *call, struct byte_writer *out);

// Head, names and index of a patch. The index is the caller's to free by cosmi_patch_head_free.
cosm_result cosmi_patch_read_head(struct patch_names *names, const void *bytes, size_t size,
                                  bool is_formed, struct patch_head *out_head);
void cosmi_patch_head_free(struct memory *memory, struct patch_head *head);

// The image after, of a world whose image before has the right hash. NULL, with a message, on
// failure. Archetypes and groups were formed.
struct world_image *cosmi_patch_read_world(struct patch_names *names, const void *bytes,
                                           const struct patch_world *world,
                                           const struct world_image *before);

// What an object is after, in bytes.
enum patch_object {
    PATCH_OBJECT_NONE,
    PATCH_OBJECT_BYTES,
    PATCH_OBJECT_SHARED, // that of a table before: archetype, group, index
};

// Can bytes stand for values of this type?
static inline bool patch_is_plain(const struct value_type *type) {
    return type->lifecycle.copy == NULL && type->lifecycle.destroy == NULL;
}

// Numbers that may be below zero, in few bytes where they are near it.
static inline uint32_t zigzag(uint32_t difference) {
    return (difference << 1) ^ (0u - (difference >> 31));
}

static inline uint32_t unzigzag(uint32_t value) {
    return (value >> 1) ^ (0u - (value & 1));
}

#endif
