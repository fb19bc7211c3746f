// Images: the state of one world as a list of parts.
//
//   cosm_snapshot -> world_image -> part -> blob, object
//
// Everything that has to do with state as a value goes through images: capture makes one from a
// world, restore makes a world from one; saving, loading, patching and comparing turn images into
// bytes and back. Whoever makes an image from bytes has cosmi_image_check look at it: what passes
// is safe to restore.
#ifndef COSM_STATE_IMAGE_H
#define COSM_STATE_IMAGE_H

#include "state/part.h"

// Where the random numbers of a world come from, and which step it is at.
struct stream_image {
    uint64_t seed;
    uint64_t step;
    uint64_t number;
};

// One world. Parts ascend by kind and key once the image is sealed; there is always one of ids.
struct world_image {
    atomic_uint refs;
    uint32_t part_count;
    uint32_t part_room;
    uint32_t first[PART_KINDS + 1]; // parts of kind k: from first[k] to first[k + 1]
    struct stream_image stream;
    struct part *parts[];
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

// The world's last captured or restored image. What was not written since `clock` is shared.
struct world_base {
    struct world_image *image; // NULL: nothing is known
    uint64_t clock;
};

// An image without parts, with room for so many. NULL when out of memory.
struct world_image *cosmi_image_create(struct memory *memory, uint32_t part_room);

// Puts a part into an image; the reference is the image's from now on.
void cosmi_image_add(struct world_image *image, struct part *part);

// Brings the parts into their order. Whoever makes an image calls it last.
void cosmi_image_seal(struct world_image *image);

// NULL is fine.
void cosmi_image_release(struct memory *memory, struct world_image *image);

static inline struct world_image *image_retain(struct world_image *image) {
    atomic_fetch_add_explicit(&image->refs, 1, memory_order_relaxed);
    return image;
}

// The parts of a kind: how many, and the i-th.
static inline uint32_t image_count(const struct world_image *image, enum part_kind_number kind) {
    return image->first[kind + 1] - image->first[kind];
}

static inline struct part *image_part(const struct world_image *image, enum part_kind_number kind,
                                      uint32_t i) {
    return image->parts[image->first[kind] + i];
}

// Where the part with that key is; IMAGE_NONE: there is none. O(log parts).
#define IMAGE_NONE 0xFFFFFFFFu
uint32_t cosmi_image_index(const struct world_image *image, uint32_t kind, uint32_t key);

// The part with that key, or NULL.
static inline struct part *image_find(const struct world_image *image, uint32_t kind,
                                      uint32_t key) {
    uint32_t index = cosmi_image_index(image, kind, key);
    return index == IMAGE_NONE ? NULL : image->parts[index];
}

// The one part of a kind of which there is one at most, or NULL.
static inline struct part *image_only(const struct world_image *image, enum part_kind_number kind) {
    return image_count(image, kind) == 0 ? NULL : image_part(image, kind, 0);
}

static inline const struct part *image_ids(const struct world_image *image) {
    return image->parts[image->first[PART_IDS]];
}

// The record of an id below `known`.
static inline const struct record *image_record(const struct world_image *image, uint32_t id) {
    return ids_record(image_ids(image), id);
}

// The value of a singleton; NULL where the image has none. Ids are below the end.
static inline uint32_t image_singleton_end(const struct world_image *image) {
    const struct part *values = image_only(image, PART_SINGLETONS);
    return values == NULL ? 0 : values->blob_count;
}

static inline const struct blob *image_singleton(const struct world_image *image, uint32_t id) {
    const struct part *values = image_only(image, PART_SINGLETONS);
    return values == NULL || id >= values->blob_count ? NULL : values->blobs[id];
}

// A snapshot without worlds, to be filled in. NULL when out of memory.
struct cosm_snapshot *cosmi_snapshot_make(struct memory *memory, uint32_t world_count);
void cosmi_snapshot_free(struct cosm_snapshot *snapshot);

// What is wrong with an image that was made from bytes, in words; NULL: nothing. `sound` is a part
// that its maker has checked already, or NULL.
const char *cosmi_image_fault(const struct schema *schema, const struct world_image *image,
                              const struct part *sound);

// Walks every invariant of an image that was made from bytes; COSM_ERROR_FORMAT, with a message
// that names `call` and `world`, where one does not hold. What passes is safe to restore.
cosm_result cosmi_image_check(const struct schema *schema, const struct sink *sink,
                              const char *call, const struct world_image *image, uint32_t world,
                              const struct part *sound);

// Are two images of a world made of the same parts? Where not, their content may be equal.
bool cosmi_image_is_same(const struct world_image *a, const struct world_image *b);

// Bytes that a snapshot holds, and those that no other snapshot holds.
void cosmi_snapshot_bytes(const struct cosm_snapshot *snapshot, size_t *out_bytes, size_t *out_own);

// Bytes that a snapshot holds and another one of the same worlds does not; NULL: all of them.
size_t cosmi_snapshot_growth(const struct cosm_snapshot *snapshot,
                             const struct cosm_snapshot *before);

#endif
