// Capturing a world, part by part.
//
// A part whose head is that of the base and that is known to be clean is the base's, and so are
// blobs that a kind knows to be the same. Of the others some are compared with the base, as reading
// them costs less than keeping them twice. A part that comes out as the base has it is the base's
// as well.
#include "state/capture.h"

#include "state/kind.h"
#include "store/change.h"

const struct part_kind *const cosmi_part_kinds[PART_KINDS] = {
    [PART_TABLE] = &cosmi_kind_table,
    [PART_IDS] = &cosmi_kind_ids,
    [PART_SINGLETONS] = &cosmi_kind_singletons,
    [PART_GROUPS] = &cosmi_kind_groups,
    [PART_TREE] = &cosmi_kind_tree,
    [PART_MANAGED] = &cosmi_kind_managed,
    [PART_SECTOR] = &cosmi_kind_sector,
};

// Bases come last: where they are, everything is tracked.
cosm_result cosmi_capture_ready(struct cosm_batch *batch, const char *call) {
    // Bit 0 stands for the entity column; the others for components that are yet to be defined too.
    uint64_t all[COSM_COMPONENT_MAX / 64 + 1];
    memset(all, 0xFF, sizeof(all));
    bool tracked = batch->ticks != NULL && memcmp(batch->ticks->tracked, all, sizeof(all)) == 0;
    if (!tracked && !cosmi_change_track(batch, all)) {
        return cosmi_fail_memory(batch->sink, &batch->memory, call);
    }
    if (batch->bases == NULL) {
        size_t size = batch->world_count * sizeof(struct world_base);
        batch->bases = cosmi_memory_alloc_zeroed(&batch->memory, size, _Alignof(struct world_base));
    }
    return batch->bases != NULL ? COSM_OK : cosmi_fail_memory(batch->sink, &batch->memory, call);
}

void cosmi_base_forget(struct cosm_batch *batch, struct memory *memory, uint32_t world) {
    if (batch->bases != NULL) {
        cosmi_image_release(memory, batch->bases[world].image);
        batch->bases[world] = (struct world_base){NULL, 0};
    }
}

void cosmi_bases_free(struct cosm_batch *batch, struct memory *memory) {
    for (uint32_t w = 0; batch->bases != NULL && w < batch->world_count; w++) {
        cosmi_base_forget(batch, memory, w);
    }
    cosmi_memory_free(&batch->memory, batch->bases, batch->world_count * sizeof(struct world_base),
                      _Alignof(struct world_base));
    batch->bases = NULL;
}

// A part on its way into an image.
struct part_capture {
    const struct capture *capture;
    const struct part_kind *kind;
    const struct live_part *live;
    const struct part *base; // of the same kind, key and meaning; NULL: none
};

static cosm_result fail_memory(const struct capture *capture) {
    return cosmi_fail_memory(capture->world.batch->sink, capture->memory, capture->call);
}

// The bytes of a live blob: a copy, or made by the kind. NULL when out of memory.
static struct blob *make_blob(const struct part_capture *at, const struct part *part, uint32_t i,
                              const struct live_blob *live, size_t size) {
    struct memory *memory = at->capture->memory;
    if (live->bytes != NULL) {
        return cosmi_blob_copy(memory, live->bytes, size);
    }
    struct blob *made = cosmi_blob_create(memory, size);
    if (made != NULL) {
        at->kind->fill(at->capture, at->live, part, i, blob_fill(made));
    }
    return made;
}

static cosm_result capture_blob(const struct part_capture *at, struct part *part, uint32_t i) {
    struct live_blob live = {.is_there = true};
    if (at->kind->blob != NULL) {
        at->kind->blob(at->capture, at->live, part, i, &live);
    }
    if (!live.is_there) {
        return COSM_OK;
    }
    size_t size = cosmi_blob_size(part, i);
    bool is_compared = at->kind->is_compared && at->base != NULL && i < at->base->blob_count;
    struct blob *kept = is_compared ? at->base->blobs[i] : NULL;
    kept = kept != NULL && kept->size == size ? kept : NULL;
    bool is_same = kept != NULL && live.bytes != NULL && memcmp(kept->bytes, live.bytes, size) == 0;
    part->blobs[i] = is_same ? blob_retain(kept) : make_blob(at, part, i, &live, size);
    if (part->blobs[i] == NULL) {
        return fail_memory(at->capture);
    }
    if (kept != NULL && live.bytes == NULL &&
        memcmp(kept->bytes, part->blobs[i]->bytes, size) == 0) {
        cosmi_blob_release(at->capture->memory, part->blobs[i]);
        part->blobs[i] = blob_retain(kept);
    }
    return COSM_OK;
}

static cosm_result capture_objects(const struct part_capture *at, struct part *part) {
    const struct capture *capture = at->capture;
    cosm_result result = COSM_OK;
    for (uint32_t i = 0; i < part->object_count && result == COSM_OK; i++) {
        struct live_object live = at->kind->object(capture->world, at->live, part, i);
        if (!live.is_there) {
            continue;
        }
        struct object *kept =
            at->base != NULL && i < at->base->object_count ? at->base->objects[i] : NULL;
        part->objects[i] = cosmi_object_same(capture->memory, capture->world.batch->sink,
                                             capture->call, live.type, kept, live.bytes);
        result = part->objects[i] == NULL ? cosm_error_result() : COSM_OK;
    }
    return result;
}

// Blobs and objects of a part whose head is there.
static cosm_result fill_part(const struct part_capture *at, struct part *part) {
    cosm_result result = COSM_OK;
    if (at->kind->share != NULL && at->base != NULL) {
        at->kind->share(at->capture, at->live, part, at->base);
    }
    for (uint32_t i = 0; i < part->blob_count && result == COSM_OK; i++) {
        result = part->blobs[i] == NULL ? capture_blob(at, part, i) : COSM_OK;
    }
    if (result != COSM_OK || part->object_count == 0) {
        return result;
    }
    uint32_t walks = hooks_begin(at->capture->world);
    if (at->kind->hooks != NULL) {
        at->kind->hooks(at->live, true);
    }
    result = capture_objects(at, part);
    if (at->kind->hooks != NULL) {
        at->kind->hooks(at->live, false);
    }
    hooks_end(at->capture->world, walks);
    return result;
}

// Mostly the parts come in the order in which they came the last time: `hint` is where.
static const struct part *find_base(const struct world_image *base, const struct part *head,
                                    uint32_t hint) {
    const struct part *found = NULL;
    if (base != NULL && hint < base->part_count && base->parts[hint]->kind == head->kind &&
        base->parts[hint]->key == head->key) {
        found = base->parts[hint];
    } else if (base != NULL) {
        found = image_find(base, head->kind, head->key);
    }
    // A group's number may have been another's.
    return found != NULL && found->of == head->of ? found : NULL;
}

// NULL, with a message, on failure.
static struct part *capture_part(struct part_capture *at, struct part *head, uint32_t hint) {
    const struct capture *capture = at->capture;
    at->base = find_base(capture->base, head, hint);
    struct part *base = (struct part *)(uintptr_t)at->base;
    bool is_alike = base != NULL && cosmi_part_is_alike(base, head);
    if (is_alike && at->kind->is_clean != NULL && at->kind->is_clean(capture, at->live, base)) {
        return part_retain(base);
    }
    struct part *part = cosmi_part_create(capture->memory, head);
    if (part == NULL) {
        (void)fail_memory(capture);
        return NULL;
    }
    if (fill_part(at, part) != COSM_OK) {
        cosmi_part_release(capture->memory, part);
        return NULL;
    }
    if (is_alike && cosmi_part_is_same(part, base)) {
        cosmi_part_release(capture->memory, part);
        return part_retain(base);
    }
    return part;
}

static cosm_result capture_kind(const struct capture *capture, uint32_t number,
                                struct world_image *image) {
    const struct part_kind *kind = cosmi_part_kinds[number];
    struct live_part live = {0, NULL};
    while (kind->next(capture->world, &live)) {
        struct part head = {.kind = number, .key = live.key};
        kind->shape(capture->world, &live, &head);
        cosmi_part_count(&head);
        struct part_capture at = {capture, kind, &live, NULL};
        struct part *part = capture_part(&at, &head, image->part_count);
        if (part == NULL) {
            return cosm_error_result();
        }
        cosmi_image_add(image, part);
    }
    return COSM_OK;
}

static cosm_result capture_kinds(const struct capture *capture, struct world_image *image) {
    cosm_result result = COSM_OK;
    for (uint32_t kind = 0; kind < PART_KINDS && result == COSM_OK; kind++) {
        result = capture_kind(capture, kind, image);
    }
    return result;
}

static uint32_t count_parts(cosm_world world) {
    uint32_t count = 0;
    for (uint32_t kind = 0; kind < PART_KINDS; kind++) {
        struct live_part live = {0, NULL};
        while (cosmi_part_kinds[kind]->next(world, &live)) {
            count++;
        }
    }
    return count;
}

static struct world_image *capture_new(const struct capture *capture) {
    cosm_world world = capture->world;
    if (world.batch->besides[world.index] != NULL &&
        cosmi_check_sector_walks(world, capture->call) != COSM_OK) {
        return NULL;
    }
    struct world_image *image = cosmi_image_create(capture->memory, count_parts(world));
    if (image == NULL) {
        (void)fail_memory(capture);
        return NULL;
    }
    image->stream = world_stream(world);
    if (capture_kinds(capture, image) != COSM_OK) {
        cosmi_image_release(capture->memory, image);
        return NULL;
    }
    cosmi_image_seal(image);
    return image;
}

struct world_image *cosmi_capture_alone(cosm_world world, struct memory *memory, const char *call) {
    struct capture capture = {world, call, memory, NULL, 0};
    return capture_new(&capture);
}

struct world_image *cosmi_capture_world(cosm_world world, struct memory *memory, const char *call) {
    world_stamp_open(world);
    struct world_base *base = &world.batch->bases[world.index];
    struct capture capture = {world, call, memory, base->image, base->clock};
    struct world_image *image = capture_new(&capture);
    if (image == NULL) {
        return NULL;
    }
    cosmi_image_release(memory, base->image);
    *base = (struct world_base){image_retain(image), world_clock(world)};
    world_tick(world);
    world_data(world)->ids_dirty = false;
    return image;
}
