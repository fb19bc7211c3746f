// Images: made, searched, measured and released.
//
// What is shared has more references than one. A part that only this image leads to is its own; a
// blob below a part that is shared is not. Of two images of one history a part is in both under one
// key or not at all: so they are compared key by key.
#include "state/image.h"

#include <stdlib.h>

#define IMAGE_ALIGNMENT ((size_t)16)

static size_t image_size(uint32_t part_room) {
    return sizeof(struct world_image) + part_room * sizeof(struct part *);
}

struct world_image *cosmi_image_create(struct memory *memory, uint32_t part_room) {
    struct world_image *image =
        cosmi_memory_alloc_zeroed(memory, image_size(part_room), IMAGE_ALIGNMENT);
    if (image != NULL) {
        atomic_init(&image->refs, 1);
        image->part_room = part_room;
    }
    return image;
}

void cosmi_image_add(struct world_image *image, struct part *part) {
    INVARIANT(image->part_count < image->part_room, "room was made for every part");
    image->parts[image->part_count++] = part;
}

// Below, at or above zero: a comes before b, is of the same kind and key, or comes behind it.
static int compare_parts(const struct part *a, const struct part *b) {
    uint64_t x = (uint64_t)a->kind << 32 | a->key;
    uint64_t y = (uint64_t)b->kind << 32 | b->key;
    return (x > y) - (x < y);
}

static int compare_entries(const void *a, const void *b) {
    return compare_parts(*(struct part *const *)a, *(struct part *const *)b);
}

void cosmi_image_seal(struct world_image *image) {
    bool is_sorted = true;
    for (uint32_t i = 1; i < image->part_count && is_sorted; i++) {
        is_sorted = compare_parts(image->parts[i - 1], image->parts[i]) <= 0;
    }
    if (!is_sorted) {
        qsort(image->parts, image->part_count, sizeof(image->parts[0]), compare_entries);
    }
    uint32_t at = 0;
    for (uint32_t kind = 0; kind < PART_KINDS; kind++) {
        image->first[kind] = at;
        while (at < image->part_count && image->parts[at]->kind == kind) {
            at++;
        }
    }
    image->first[PART_KINDS] = at;
}

void cosmi_image_release(struct memory *memory, struct world_image *image) {
    if (image == NULL || atomic_fetch_sub_explicit(&image->refs, 1, memory_order_acq_rel) != 1) {
        return;
    }
    for (uint32_t i = 0; i < image->part_count; i++) {
        cosmi_part_release(memory, image->parts[i]);
    }
    cosmi_memory_free(memory, image, image_size(image->part_room), IMAGE_ALIGNMENT);
}

uint32_t cosmi_image_index(const struct world_image *image, uint32_t kind, uint32_t key) {
    uint32_t from = image->first[kind];
    uint32_t to = image->first[kind + 1];
    while (from < to) {
        uint32_t middle = from + (to - from) / 2;
        if (image->parts[middle]->key < key) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    bool is_found = from < image->first[kind + 1] && image->parts[from]->key == key;
    return is_found ? from : IMAGE_NONE;
}

static size_t snapshot_size(uint32_t world_count) {
    return sizeof(struct cosm_snapshot) + world_count * sizeof(struct world_image *);
}

struct cosm_snapshot *cosmi_snapshot_make(struct memory *memory, uint32_t world_count) {
    struct cosm_snapshot *snapshot =
        cosmi_memory_alloc_zeroed(memory, snapshot_size(world_count), IMAGE_ALIGNMENT);
    if (snapshot != NULL) {
        snapshot->memory = memory;
        snapshot->world_count = world_count;
    }
    return snapshot;
}

void cosmi_snapshot_free(struct cosm_snapshot *snapshot) {
    for (uint32_t w = 0; w < snapshot->world_count; w++) {
        cosmi_image_release(snapshot->memory, snapshot->worlds[w]);
    }
    cosmi_memory_free(snapshot->memory, snapshot, snapshot_size(snapshot->world_count),
                      IMAGE_ALIGNMENT);
}

bool cosmi_image_is_same(const struct world_image *a, const struct world_image *b) {
    bool same = a->stream.seed == b->stream.seed && a->stream.step == b->stream.step &&
                a->stream.number == b->stream.number && a->part_count == b->part_count;
    for (uint32_t i = 0; same && i < a->part_count; i++) {
        same = cosmi_part_is_same(a->parts[i], b->parts[i]);
    }
    return same;
}

struct sizes {
    size_t bytes;
    size_t own;   // all on the way down is held once only
    size_t grown; // not in the other image
};

// Something on the way down.
struct scope {
    bool own;   // held once
    bool grown; // the other image does not
};

static void add_size(struct sizes *sizes, size_t size, struct scope scope) {
    sizes->bytes += size;
    sizes->own += scope.own ? size : 0;
    sizes->grown += scope.grown ? size : 0;
}

// What is below: `item`, which has `refs`, where the other image has `before`.
static struct scope scope_below(struct scope scope, const atomic_uint *refs, const void *item,
                                const void *before) {
    return (struct scope){
        .own = scope.own && atomic_load_explicit(refs, memory_order_relaxed) == 1,
        .grown = scope.grown && item != before,
    };
}

static void add_part(struct sizes *sizes, const struct part *part, const struct part *before,
                     struct scope scope) {
    scope = scope_below(scope, &part->refs, part, before);
    add_size(sizes, part_size(part), scope);
    for (uint32_t i = 0; i < part->blob_count; i++) {
        const struct blob *blob = part->blobs[i];
        const struct blob *other =
            before != NULL && i < before->blob_count ? before->blobs[i] : NULL;
        if (blob != NULL) {
            add_size(sizes, sizeof(*blob) + (blob->home == NULL ? blob->size : 0),
                     scope_below(scope, &blob->refs, blob, other));
        }
    }
    for (uint32_t i = 0; i < part->object_count; i++) {
        const struct object *object = part->objects[i];
        const struct object *other =
            before != NULL && i < before->object_count ? before->objects[i] : NULL;
        if (object != NULL) {
            add_size(sizes, sizeof(*object) + object->type->size,
                     scope_below(scope, &object->refs, object, other));
        }
    }
}

static void add_image(struct sizes *sizes, const struct world_image *image,
                      const struct world_image *before) {
    struct scope scope = scope_below((struct scope){true, true}, &image->refs, image, before);
    add_size(sizes, image_size(image->part_room), scope);
    for (uint32_t i = 0; i < image->part_count; i++) {
        const struct part *part = image->parts[i];
        const struct part *other =
            before == NULL ? NULL : image_find(before, part->kind, part->key);
        // A group's number may have been another's.
        add_part(sizes, part, other != NULL && other->of == part->of ? other : NULL, scope);
    }
}

static struct sizes add_snapshot(const struct cosm_snapshot *snapshot,
                                 const struct cosm_snapshot *before) {
    struct sizes sizes = {0, 0, 0};
    add_size(&sizes, snapshot_size(snapshot->world_count), (struct scope){true, true});
    for (uint32_t w = 0; w < snapshot->world_count; w++) {
        add_image(&sizes, snapshot->worlds[w],
                  before != NULL && w < before->world_count ? before->worlds[w] : NULL);
    }
    return sizes;
}

void cosmi_snapshot_bytes(const struct cosm_snapshot *snapshot, size_t *out_bytes,
                          size_t *out_own) {
    struct sizes sizes = add_snapshot(snapshot, NULL);
    *out_bytes = sizes.bytes;
    *out_own = sizes.own;
}

size_t cosmi_snapshot_growth(const struct cosm_snapshot *snapshot,
                             const struct cosm_snapshot *before) {
    return add_snapshot(snapshot, before).grown;
}
