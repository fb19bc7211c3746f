// Restoring a world, part by part: all room is made, then nothing can fail.
#include "state/restore.h"

#include "state/capture.h"
#include "state/kind.h"
#include "store/change.h"

// Parts from PART_GROUPS on have a plan.
static uint32_t plan_count(const struct world_image *image) {
    return image->part_count - image->first[PART_GROUPS];
}

static struct restore_plan *plan_of(const struct restore *restore, uint32_t part) {
    uint32_t first = restore->image->first[PART_GROUPS];
    return part < first ? NULL : &restore->plans[part - first];
}

static void call_hooks(const struct part_kind *kind, const struct live_part *live, bool begin) {
    if (kind->hooks != NULL) {
        kind->hooks(live, begin);
    }
}

// Copies of the objects of a part that are not in their places already.
static cosm_result make_copies(const struct restore *restore, const struct part_kind *kind,
                               const struct part *part, struct restore_plan *plan) {
    struct cosm_batch *batch = restore->world.batch;
    struct exchange *exchange = &plan->exchange;
    const struct live_part live = {part->key, plan->at};
    bool done = cosmi_exchange_begin(exchange, &batch->memory, part->object_count);
    for (uint32_t i = 0; done && i < part->object_count; i++) {
        struct live_object now = kind->object(restore->world, &live, part, i);
        cosmi_exchange_look(exchange, i, part->objects[i], now.is_there ? now.bytes : NULL);
    }
    if (!done || !cosmi_exchange_room(exchange)) {
        return cosmi_fail_memory(batch->sink, &batch->memory, restore->call);
    }
    cosm_result result = COSM_OK;
    for (uint32_t i = 0; i < part->object_count && result == COSM_OK; i++) {
        struct live_object now = kind->object(restore->world, &live, part, i);
        result = cosmi_exchange_make(exchange, batch->sink, restore->call, i, part->objects[i],
                                     now.bytes, now.is_there);
    }
    return result;
}

static cosm_result prepare_objects(const struct restore *restore, const struct part_kind *kind,
                                   const struct part *part, struct restore_plan *plan) {
    const struct live_part live = {part->key, plan->at};
    uint32_t walks = hooks_begin(restore->world);
    call_hooks(kind, &live, true);
    cosm_result result = make_copies(restore, kind, part, plan);
    call_hooks(kind, &live, false);
    hooks_end(restore->world, walks);
    return result;
}

void cosmi_objects_end(cosm_world world, const struct part *part, const struct restore_plan *plan,
                       uint32_t count) {
    const struct part_kind *kind = cosmi_part_kinds[part->kind];
    const struct live_part live = {part->key, plan->at};
    for (uint32_t i = 0; i < count; i++) {
        struct live_object now = kind->object(world, &live, part, i);
        const cosm_lifecycle *lifecycle = &now.type->lifecycle;
        if (now.is_there && lifecycle->destroy != NULL && !exchange_stays(&plan->exchange, i)) {
            lifecycle->destroy(lifecycle->context, now.bytes);
        }
    }
}

// Undoes what was prepared of the first `count` parts.
static void cancel_parts(struct restore *restore, uint32_t count) {
    const struct world_image *image = restore->image;
    uint32_t walks = hooks_begin(restore->world);
    for (uint32_t i = image->first[PART_GROUPS]; i < count; i++) {
        const struct part_kind *kind = cosmi_part_kinds[image->parts[i]->kind];
        struct restore_plan *plan = plan_of(restore, i);
        const struct live_part live = {image->parts[i]->key, plan->at};
        if (plan->at != NULL) {
            call_hooks(kind, &live, true);
            cosmi_exchange_cancel(&plan->exchange);
            call_hooks(kind, &live, false);
        }
        if (kind->cancel != NULL) {
            kind->cancel(restore, plan);
        }
    }
    hooks_end(restore->world, walks);
}

static void free_plans(struct restore *restore) {
    cosmi_memory_free(&restore->world.batch->memory, restore->plans,
                      plan_count(restore->image) * sizeof(struct restore_plan),
                      _Alignof(struct restore_plan));
    restore->plans = NULL;
}

static cosm_result prepare_part(struct restore *restore, uint32_t i) {
    const struct part *part = restore->image->parts[i];
    const struct part_kind *kind = cosmi_part_kinds[part->kind];
    struct restore_plan *plan = plan_of(restore, i);
    cosm_result result = kind->reserve == NULL ? COSM_OK : kind->reserve(restore, part, plan);
    if (result == COSM_OK && kind->is_exchanged) {
        result = prepare_objects(restore, kind, part, plan);
    }
    return result;
}

static cosm_result make_plans(struct restore *restore) {
    struct cosm_batch *batch = restore->world.batch;
    uint32_t count = plan_count(restore->image);
    if (count == 0) {
        return COSM_OK;
    }
    if (cosmi_batch_beside(batch, restore->call, restore->world.index) == NULL) {
        return COSM_ERROR_MEMORY;
    }
    restore->plans = cosmi_memory_alloc_zeroed(&batch->memory, count * sizeof(struct restore_plan),
                                               _Alignof(struct restore_plan));
    return restore->plans != NULL ? COSM_OK
                                  : cosmi_fail_memory(batch->sink, &batch->memory, restore->call);
}

cosm_result cosmi_restore_prepare(struct restore *restore, cosm_world world, const char *call,
                                  const struct world_image *image) {
    struct world_base base = {NULL, 0};
    if (world.batch->bases != NULL) {
        base = world.batch->bases[world.index];
        world_stamp_open(world);
    }
    *restore = (struct restore){
        .world = world, .call = call, .image = image, .base = base.image, .clock = base.clock};
    cosm_result result =
        world.batch->besides[world.index] == NULL ? COSM_OK : cosmi_check_sector_walks(world, call);
    result = result == COSM_OK ? make_plans(restore) : result;
    if (result != COSM_OK) {
        return result;
    }
    uint32_t done = 0;
    while (done < image->part_count && result == COSM_OK) {
        result = prepare_part(restore, done++);
    }
    if (result != COSM_OK) {
        cancel_parts(restore, done);
        free_plans(restore);
    }
    return result;
}

void cosmi_restore_cancel(struct restore *restore) {
    cancel_parts(restore, restore->image->part_count);
    free_plans(restore);
}

static void adopt_kind(struct restore *restore, enum part_kind_number number) {
    const struct world_image *image = restore->image;
    const struct part_kind *kind = cosmi_part_kinds[number];
    for (uint32_t i = image->first[number]; i < image->first[number + 1]; i++) {
        kind->adopt(restore, image->parts[i], plan_of(restore, i));
    }
}

// Rows of groups go where the groups are, so these come first; what belongs to entities comes last.
static void adopt_parts(struct restore *restore) {
    static const enum part_kind_number order[] = {
        PART_GROUPS, PART_TABLE, PART_IDS, PART_SINGLETONS, PART_TREE, PART_MANAGED, PART_SECTOR};
    cosm_world world = restore->world;
    cosmi_kind_table.prune(restore);
    bool has_more = world.batch->besides[world.index] != NULL;
    for (uint32_t i = 0; i < PART_KINDS; i++) {
        const struct part_kind *kind = cosmi_part_kinds[order[i]];
        if (kind->prune != NULL && order[i] != PART_TABLE && (has_more || order[i] < PART_GROUPS)) {
            kind->prune(restore);
        }
        adopt_kind(restore, order[i]);
    }
}

void cosmi_restore_do(struct restore *restore, struct memory *memory) {
    cosm_world world = restore->world;
    struct cosm_batch *batch = world.batch;
    struct world_image *image = (struct world_image *)(uintptr_t)restore->image;
    struct capture known = {world, restore->call, memory, restore->base, restore->clock};
    restore->ids_same = cosmi_capture_ids_same(&known);
    batch_note_replaced(batch);
    adopt_parts(restore);
    free_plans(restore);
    world_set_stream(batch, world.index, image->stream.seed, image->stream.step,
                     image->stream.number);
    if (batch->bases != NULL) {
        struct world_image *old = batch->bases[world.index].image;
        batch->bases[world.index] = (struct world_base){image_retain(image), world_clock(world)};
        cosmi_image_release(memory, old);
        world_tick(world);
    }
}
