// Pending commands on their way into images and out of them.
#include "api/pending.h"

#include "api/engine.h"

// What an image has of them.
struct pending_holder {
    struct pending_image head;
    struct pending *pending;
};

static void end_holder(struct memory *memory, struct pending_image *image) {
    struct pending_holder *holder = (struct pending_holder *)image;
    cosmi_pending_free(holder->pending);
    cosmi_memory_give(memory, holder, sizeof(*holder), _Alignof(struct pending_holder));
}

static struct pending_image *make_holder(struct memory *memory, struct pending *pending) {
    struct pending_holder *holder =
        cosmi_memory_take(memory, sizeof(*holder), _Alignof(struct pending_holder));
    if (holder == NULL) {
        return NULL;
    }
    atomic_init(&holder->head.refs, 1);
    holder->head.size = sizeof(*holder) + pending->size;
    holder->head.end = end_holder;
    holder->pending = pending;
    return &holder->head;
}

const struct pending *cosmi_pending_of(const struct pending_image *image) {
    return image == NULL ? NULL : ((const struct pending_holder *)image)->pending;
}

static struct pending_image *base_pending(const struct cosm_batch *batch, uint32_t world) {
    const struct world_image *base = batch->bases == NULL ? NULL : batch->bases[world].image;
    return base == NULL ? NULL : base->pending;
}

// Holders for what was captured; what was kept has one.
static bool hold_all(struct pending_take *take, cosm_worlds worlds, struct memory *memory,
                     struct pending **captured) {
    bool done = true;
    for (uint32_t i = 0; i < take->count; i++) {
        struct pending_image *base = base_pending(take->batch, worlds.first + i);
        struct pending *pending = captured[i];
        if (pending == NULL) {
            continue;
        }
        if (pending == cosmi_pending_of(base)) {
            atomic_fetch_add_explicit(&base->refs, 1, memory_order_relaxed);
            take->images[i] = base;
            continue;
        }
        take->images[i] = done ? make_holder(memory, pending) : NULL;
        if (take->images[i] == NULL) {
            cosmi_pending_free(pending);
            done = false;
        }
    }
    return done;
}

static size_t take_size(uint32_t count) {
    return (size_t)count * sizeof(struct pending_image *);
}

cosm_result cosmi_pending_take(struct pending_take *take, cosm_worlds worlds, const char *call) {
    struct cosm_batch *batch = worlds.batch;
    struct memory *memory = &batch->engine->memory;
    *take = (struct pending_take){batch, worlds.count, NULL};
    if (worlds.count == 0 || !cosmi_pending_any(batch)) {
        return COSM_OK;
    }
    size_t size = take_size(worlds.count);
    // The images, then two lists that are needed only here.
    struct pending **lists = cosmi_memory_take(&batch->memory, 2 * size, sizeof(void *));
    take->images = cosmi_memory_take_zeroed(&batch->memory, size, sizeof(void *));
    cosm_result result = COSM_ERROR_MEMORY;
    if (lists == NULL || take->images == NULL) {
        (void)cosmi_fail_memory(batch->sink, &batch->memory, call);
    } else {
        for (uint32_t i = 0; i < worlds.count; i++) {
            lists[i] = (struct pending *)(uintptr_t)cosmi_pending_of(
                base_pending(batch, worlds.first + i));
        }
        struct pending **captured = lists + worlds.count;
        result = cosmi_pending_capture(worlds, memory, call, lists, captured);
        if (result == COSM_OK && !hold_all(take, worlds, memory, captured)) {
            result = cosmi_fail_memory(batch->sink, memory, call);
        }
    }
    cosmi_memory_give(&batch->memory, lists, 2 * size, sizeof(void *));
    if (result != COSM_OK) {
        cosmi_pending_drop(take);
    }
    return result;
}

void cosmi_pending_attach(struct pending_take *take, uint32_t i, struct world_image *image) {
    INVARIANT(image->pending == NULL, "an image gets its pending commands once");
    if (take->images != NULL) {
        image->pending = take->images[i];
        take->images[i] = NULL;
    }
}

void cosmi_pending_drop(struct pending_take *take) {
    for (uint32_t i = 0; take->images != NULL && i < take->count; i++) {
        cosmi_pending_image_give(&take->batch->engine->memory, take->images[i]);
    }
    cosmi_memory_give(&take->batch->memory, take->images, take_size(take->count), sizeof(void *));
    take->images = NULL;
}

cosm_result cosmi_pending_aim(struct pending_plan *plan, cosm_worlds worlds,
                              struct world_image *const *images, const char *call) {
    bool needed = cosmi_pending_any(worlds.batch);
    for (uint32_t i = 0; i < worlds.count && !needed; i++) {
        needed = images[i]->pending != NULL;
    }
    *plan = (struct pending_plan){.batch = worlds.batch};
    if (!needed || worlds.count == 0) {
        return COSM_OK;
    }
    if (!cosmi_pending_begin(plan, worlds, call)) {
        return COSM_ERROR_MEMORY;
    }
    for (uint32_t i = 0; i < worlds.count; i++) {
        pending_aim(plan, worlds.first + i, cosmi_pending_of(images[i]->pending));
    }
    return cosmi_pending_prepare(plan);
}
