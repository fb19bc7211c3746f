// Pairs: which bodies are so near that they may touch within the step.
//
// Few bodies are compared each with each. Many are sorted along the axis on which they are spread
// most, and swept. Both find the same pairs, and the pairs are sorted by their bodies' numbers
// afterwards, so the way does not show.
#include "work.h"

#define SWEEP_MIN 48u // bodies of a world from which sweeping is faster

static bool is_wanted(const struct body *a, const struct body *b) {
    const cosm_collider *ca = a->at.collider, *cb = b->at.collider;
    if (!a->is_dynamic && !b->is_dynamic) {
        return false;
    }
    if (ca->group != 0 && ca->group == cb->group) {
        return ca->group > 0;
    }
    return (ca->mask & cb->layer) != 0 && (cb->mask & ca->layer) != 0;
}

static bool is_near(const struct body *a, const struct body *b) {
    return a->low.x <= b->high.x && b->low.x <= a->high.x && a->low.y <= b->high.y &&
           b->low.y <= a->high.y && a->low.z <= b->high.z && b->low.z <= a->high.z;
}

static void add_pair(struct work *work, uint32_t a, uint32_t b) {
    const struct body *first = work_body(work, a), *second = work_body(work, b);
    if (!is_near(first, second) || !is_wanted(first, second)) {
        return;
    }
    size_t n = work->pairs.count;
    uint64_t *pairs = cosmi_physics_list_reserve(work, &work->pairs, n + 1, sizeof(uint64_t));
    if (pairs != NULL) {
        pairs[n] = a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
        work->pairs.count = n + 1;
    }
}

static void pair_all(struct work *work, const struct part *part) {
    uint32_t end = part->body_first + part->body_count;
    for (uint32_t i = part->body_first; i < end; i++) {
        bool is_dynamic = work_body(work, i)->is_dynamic;
        for (uint32_t k = i + 1; k < end; k++) {
            if (is_dynamic || work_body(work, k)->is_dynamic) {
                add_pair(work, i, k);
            }
        }
    }
}

// An unsigned number that sorts as the float does.
static uint32_t sortable(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof(bits));
    return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

// The axis along which the centres of bodies that move are spread most.
static int widest_axis(const struct work *work, const struct part *part) {
    vec3 low = vec(1e30f, 1e30f, 1e30f), high = vec(-1e30f, -1e30f, -1e30f);
    for (uint32_t i = 0; i < part->body_count; i++) {
        const struct body *body = work_body(work, part->body_first + i);
        vec3 c = body->shape.centre;
        if (body->row != 0) {
            low = vec(fminf(low.x, c.x), fminf(low.y, c.y), fminf(low.z, c.z));
            high = vec(fmaxf(high.x, c.x), fmaxf(high.y, c.y), fmaxf(high.z, c.z));
        }
    }
    vec3 d = vec_sub(high, low);
    return d.x >= d.y ? (d.x >= d.z ? 0 : 2) : (d.y >= d.z ? 1 : 2);
}

static void pair_by_sweep(struct work *work, const struct part *part) {
    int axis = widest_axis(work, part);
    uint64_t *keys =
        cosmi_physics_list_reserve(work, &work->keys, part->body_count, sizeof(uint64_t));
    if (keys == NULL) {
        return;
    }
    for (uint32_t i = 0; i < part->body_count; i++) {
        float low = vec_at(work_body(work, part->body_first + i)->low, axis);
        keys[i] = (uint64_t)sortable(low) << 32 | (part->body_first + i);
    }
    work->keys.count = part->body_count;
    if (!cosmi_physics_sort(work, &work->keys)) {
        return;
    }
    keys = work->keys.items;
    for (uint32_t i = 0; i < part->body_count; i++) {
        uint32_t a = (uint32_t)keys[i];
        uint64_t end =
            (uint64_t)sortable(vec_at(work_body(work, a)->high, axis)) << 32 | UINT32_MAX;
        for (uint32_t k = i + 1; k < part->body_count && keys[k] <= end; k++) {
            add_pair(work, a, (uint32_t)keys[k]);
        }
    }
}

void cosmi_physics_pair(struct work *work) {
    work->pairs.count = 0;
    for (uint32_t p = 0; p < work->part_count && !work->is_failed; p++) {
        struct part *part = &work->parts[p];
        size_t before = work->pairs.count;
        if (part->body_count < SWEEP_MIN) {
            pair_all(work, part);
        } else {
            pair_by_sweep(work, part);
        }
        part->pair_count = (uint32_t)(work->pairs.count - before);
    }
    if (!work->is_failed) {
        (void)cosmi_physics_sort(work, &work->pairs);
    }
}
