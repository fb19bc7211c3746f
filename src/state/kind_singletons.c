// The singletons of a world as a part: a blob for each, by id.
#include "state/kind.h"
#include "store/rows.h"

static bool next_singletons(cosm_world world, struct live_part *io_live) {
    struct paged *singletons = &world.batch->singletons;
    return live_once(io_live, paged_count(singletons) > 0 ? singletons : NULL);
}

static void shape_singletons(cosm_world world, const struct live_part *live, struct part *head) {
    (void)live;
    head->schema = world.batch->schema;
    head->singletons.end = paged_count(&world.batch->singletons);
}

// The value of a singleton in a world; NULL where the batch has none.
static char *live_singleton(cosm_world world, uint32_t id) {
    char *values = id == 0 ? NULL : paged_get(&world.batch->singletons, id);
    size_t size = values == NULL ? 0 : schema_singleton(world.batch->schema, id)->size;
    return values == NULL ? NULL : values + world.index * size;
}

static void find_singleton(const struct capture *capture, const struct live_part *live,
                           const struct part *part, uint32_t id, struct live_blob *out) {
    (void)live;
    (void)part;
    out->bytes = live_singleton(capture->world, id);
    out->is_there = out->bytes != NULL;
}

// One that the image does not have is new since then: it gets its default.
static void prune_singletons(struct restore *restore) {
    const struct cosm_batch *batch = restore->world.batch;
    for (uint32_t id = 1; id < paged_count(&batch->singletons); id++) {
        char *value = live_singleton(restore->world, id);
        const struct value_type *type = schema_singleton(batch->schema, id);
        if (value == NULL || image_singleton(restore->image, id) != NULL) {
            continue;
        }
        if (type->default_value != NULL) {
            memcpy(value, type->default_value, type->size);
        } else {
            memset(value, 0, type->size);
        }
    }
}

static void adopt_singletons(struct restore *restore, const struct part *part,
                             struct restore_plan *plan) {
    (void)plan;
    uint32_t end = paged_count(&restore->world.batch->singletons);
    for (uint32_t id = 1; id < end && id < part->blob_count; id++) {
        char *value = live_singleton(restore->world, id);
        if (value != NULL && part->blobs[id] != NULL) {
            memcpy(value, part->blobs[id]->bytes, part->blobs[id]->size);
        }
    }
}

static const char *singletons_fault(const struct schema *schema, const struct world_image *image,
                                    const struct part *part) {
    (void)image;
    return part->schema == schema && part->singletons.end <= paged_count(&schema->singletons)
               ? NULL
               : "a singleton is unknown";
}

const struct part_kind cosmi_kind_singletons = {
    .next = next_singletons,
    .shape = shape_singletons,
    .blob = find_singleton,
    .is_compared = true,
    .prune = prune_singletons,
    .adopt = adopt_singletons,
    .fault = singletons_fault,
};
