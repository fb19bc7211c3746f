// Patches: the way from one image to another as bytes, and back.
//
//   patch   head | index of the worlds that changed | their bodies
//   body    the stream, then the parts that differ: name, words, elements, objects
//
// Both sides have defined the same components and singletons in the same order, which a hash in the
// head makes sure of; so ids of those mean the same. Archetypes and sector groups come about as a
// program runs, so their names are lists of components. docs/design/048-patches.md has the format
// byte by byte.
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

// What every step of writing or reading a patch needs.
struct patch_job {
    struct schema *schema;
    const struct sink *sink;
    struct memory *memory;
    const char *call;
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

// Kind, key and what the key names. Archetypes and sector groups are lists of components, and are
// formed by reading; all else in the head read is zero. On failure there is a message; *out_fault:
// the bytes name something that does not exist.
void cosmi_patch_write_name(struct byte_writer *out, const struct part *part);
cosm_result cosmi_patch_read_name(const struct patch_job *job, struct byte_reader *in,
                                  uint32_t kind, struct part *out_head, bool *out_fault);

// One section of a part after and of the part before, which may be NULL. False past the last one.
struct section_pair {
    const struct part *parts[2];
    struct section sections[2];
    bool was;
    uint32_t common; // elements that are compared; those behind them are new
};

bool cosmi_patch_section(const struct schema *schema, const struct part *before,
                         const struct part *after, uint32_t index, struct section_pair *out);

// The definitions of an engine, for the head.
void cosmi_patch_write_definitions(const struct schema *schema, struct byte_writer *out);

// The exact hash of an image.
uint64_t cosmi_patch_hash(const struct schema *schema, const struct world_image *image);

// The patch between two snapshots of one engine and of as many worlds. On failure there is a
// message.
cosm_result cosmi_patch_write(const struct cosm_snapshot *before, const struct cosm_snapshot *after,
                              const char *call, struct byte_writer *out);

// Head and index of a patch of an engine with the same definitions. The index is the caller's to
// free by cosmi_patch_head_free.
cosm_result cosmi_patch_read_head(const struct patch_job *job, const void *bytes, size_t size,
                                  struct patch_head *out_head);
void cosmi_patch_head_free(struct memory *memory, struct patch_head *head);

// The image after, of a world whose image before has the right hash. NULL, with a message, on
// failure; archetypes and groups that were formed stay.
struct world_image *cosmi_patch_read_world(const struct patch_job *job, const void *bytes,
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
