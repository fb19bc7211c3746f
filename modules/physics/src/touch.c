// From pairs to manifolds, with the impulses that were remembered from the last step.
//
// Pairs come in the order of entity ids, and so do the entries of the memory: one walk through both
// finds what belongs together. An entry counts only if both entities have the generation they had.
#include "work.h"

// How near two bodies have to be: what they may come closer within the step counts as a contact.
// With a fixed margin a box that lands fast on several others meets them in different steps, and is
// thrown off.
static float margin_of(const struct work *work, const struct body *a, const struct body *b) {
    vec3 closing = vec_sub(b->velocity, a->velocity);
    return 4.0f * work->settings.slop + vec_length(closing) * work->turn->dt;
}

static void mix_surfaces(const struct body *a, const struct body *b, struct manifold *out) {
    const cosm_collider *ca = a->at.collider, *cb = b->at.collider;
    out->friction = sqrtf(ca->friction * cb->friction);
    out->restitution = fmaxf(ca->restitution, cb->restitution);
    out->rolling = fmaxf(ca->rolling, cb->rolling);
    out->surface = vec_sub(mat_out(&a->axes, ca->surface), mat_out(&b->axes, cb->surface));
}

static bool touch_pair(const struct work *work, uint64_t pair, struct manifold *out) {
    uint32_t first = (uint32_t)(pair >> 32), second = (uint32_t)pair;
    // A body without a row comes first, and a kinematic one before a dynamic one.
    if (!work_body(work, second)->is_dynamic) {
        uint32_t other = first;
        first = second;
        second = other;
    }
    struct body *a = work_body(work, first), *b = work_body(work, second);
    if (!cosmi_physics_collide(&a->shape, &b->shape, margin_of(work, a, b), out)) {
        return false;
    }
    out->first = first;
    out->second = second;
    out->color = 0;
    out->slide = vec(0, 0, 0);
    out->twist = 0.0f;
    mix_surfaces(a, b, out);
    a->is_touched = b->is_touched = true;
    return true;
}

static int compare_ids(const struct remembered *entry, cosm_entity low, cosm_entity high) {
    if (entry->low.id != low.id) {
        return entry->low.id < low.id ? -1 : 1;
    }
    return entry->high.id == high.id ? 0 : entry->high.id < high.id ? -1 : 1;
}

// Points find their impulses by feature. A point whose feature has changed, because an edge of one
// face slipped past a corner of the other, takes its share of those that were not found again:
// without it a wall of 20 layers never comes to rest.
static void recall(const struct remembered *entry, struct manifold *out) {
    uint32_t count = entry->count < MANIFOLD_POINT_MAX ? entry->count : MANIFOLD_POINT_MAX;
    uint32_t old_found = 0, found = 0, missing = 0;
    float left = 0.0f;
    out->slide = vec(entry->slide[0], entry->slide[1], entry->slide[2]);
    out->twist = entry->twist;
    for (uint32_t k = 0; k < out->count; k++) {
        for (uint32_t j = 0; j < count; j++) {
            if (entry->features[j] == out->points[k].feature && !(old_found >> j & 1u)) {
                out->points[k].impulse = entry->impulses[j];
                old_found |= 1u << j;
                found |= 1u << k;
                break;
            }
        }
        missing += found >> k & 1u ? 0 : 1;
    }
    for (uint32_t j = 0; j < count; j++) {
        left += old_found >> j & 1u ? 0.0f : entry->impulses[j];
    }
    for (uint32_t k = 0; k < out->count; k++) {
        if (!(found >> k & 1u) && out->count == count) {
            out->points[k].impulse = left / (float)missing;
        }
    }
}

static bool is_of(const struct remembered *entry, cosm_entity low, cosm_entity high) {
    return entry->low.id == low.id && entry->low.gen == low.gen && entry->high.id == high.id &&
           entry->high.gen == high.gen;
}

// Fills the manifolds of the part's pairs, which begin at `first` in the list of all.
static void touch_part(struct work *work, struct part *part, size_t first) {
    const uint64_t *pairs = work->pairs.items;
    const struct memory *memory = cosm_singleton_read(part->world, work->physics.contacts);
    uint32_t next = 0, known = memory->count;
    known = known < work->physics.contact_max ? known : work->physics.contact_max;
    part->manifold_first = (uint32_t)work->manifolds.count;
    for (size_t i = first; i < first + part->pair_count; i++) {
        struct manifold *m = work_manifold(work, work->manifolds.count);
        if (!touch_pair(work, pairs[i], m)) {
            continue;
        }
        cosm_entity low = work_body(work, (uint32_t)(pairs[i] >> 32))->at.entity;
        cosm_entity high = work_body(work, (uint32_t)pairs[i])->at.entity;
        while (next < known && compare_ids(&memory->entries[next], low, high) < 0) {
            next++;
        }
        if (next < known && is_of(&memory->entries[next], low, high)) {
            recall(&memory->entries[next], m);
        }
        work->manifolds.count++;
    }
    part->manifold_count = (uint32_t)work->manifolds.count - part->manifold_first;
}

void cosmi_physics_touch(struct work *work) {
    size_t first = 0;
    work->manifolds.count = 0;
    if (cosmi_physics_list_reserve(work, &work->manifolds, work->pairs.count + 1,
                                   sizeof(struct manifold)) == NULL) {
        return;
    }
    for (uint32_t p = 0; p < work->part_count; p++) {
        touch_part(work, &work->parts[p], first);
        first += work->parts[p].pair_count;
    }
}
