// The system physics_step: worlds in groups of up to eight, each through the same steps.
#include "step.h"

// ---- scratch ----

void *cosmi_physics_list_reserve(struct work *work, struct list *list, size_t count, size_t size) {
    if (count <= list->max) {
        return list->items;
    }
    size_t max = list->max * 2 > count ? list->max * 2 : count;
    max = max < 64 ? 64 : max;
    void *items = work->is_failed ? NULL : cosm_turn_scratch(work->turn, max * size);
    if (items == NULL) {
        work->is_failed = true;
        return NULL;
    }
    if (list->count > 0) {
        memcpy(items, list->items, list->count * size);
    }
    list->items = items;
    list->max = max;
    return items;
}

// Merges two sorted runs, [first, middle) and [middle, end).
static void merge(const uint64_t *from, uint64_t *to, size_t first, size_t middle, size_t end) {
    size_t a = first, b = middle;
    for (size_t i = first; i < end; i++) {
        bool takes_a = a < middle && (b >= end || from[a] <= from[b]);
        to[i] = takes_a ? from[a++] : from[b++];
    }
}

static size_t run_end(const uint64_t *keys, size_t first, size_t count) {
    size_t end = first + 1;
    while (end < count && keys[end - 1] <= keys[end]) {
        end++;
    }
    return end;
}

// A merge sort of the runs that are there: rows mostly come in the order of ids already.
bool cosmi_physics_sort(struct work *work, struct list *list) {
    size_t count = list->count;
    if (count < 2 || run_end(list->items, 0, count) == count) {
        return true;
    }
    if (cosmi_physics_list_reserve(work, &work->spare, count, sizeof(uint64_t)) == NULL) {
        return false;
    }
    for (bool is_sorted = false; !is_sorted;) {
        uint64_t *from = list->items, *to = work->spare.items;
        size_t first = 0, runs = 0;
        while (first < count) {
            size_t middle = run_end(from, first, count);
            size_t end = middle < count ? run_end(from, middle, count) : middle;
            merge(from, to, first, middle, end);
            first = end;
            runs++;
        }
        struct list other = *list;
        list->items = work->spare.items, list->max = work->spare.max;
        work->spare.items = other.items, work->spare.max = other.max;
        is_sorted = runs == 1;
    }
    return true;
}

// ---- groups ----

static struct softness softness_of(float hertz, float damping, float h) {
    float omega = 6.2831853f * hertz, rate = 2.0f * damping + h * omega;
    float stiffness = h * omega * rate, share = 1.0f / (1.0f + stiffness);
    return (struct softness){omega / rate, stiffness * share, share};
}

bool cosmi_physics_settings_are_good(const cosm_physics_settings *s) {
    return vec_is_finite(s->gravity) && s->substeps >= 1 && s->substeps <= 64 &&
           s->contact_hertz > 0.0f && isfinite(s->contact_hertz) && s->contact_damping >= 0.0f &&
           isfinite(s->contact_damping) && s->push_speed >= 0.0f && isfinite(s->push_speed) &&
           s->slop >= 0.0f && isfinite(s->slop) && s->bounce_speed >= 0.0f &&
           s->speed_limit >= 0.0f;
}

static void set_solve(struct work *work) {
    const cosm_physics_settings *s = &work->settings;
    float h = work->turn->dt / (float)s->substeps;
    // A contact can be no stiffer than an eighth of the substep rate; against what does not move it
    // is twice as stiff.
    float hertz = fminf(s->contact_hertz, 0.125f / h);
    work->solve = (struct solve){
        .h = h,
        .substeps = s->substeps,
        .pair = softness_of(hertz, s->contact_damping, h),
        .fixed = softness_of(2.0f * hertz, 0.5f * s->contact_damping, h),
        .push_speed = s->push_speed,
        .bounce_speed = s->bounce_speed,
    };
}

// The next worlds that have the same settings, up to eight.
static void begin_group(struct work *work, cosm_worlds worlds, uint32_t first) {
    work->part_count = 0;
    for (uint32_t i = first; i < worlds.count && work->part_count < LANE_COUNT; i++) {
        cosm_world world = cosm_batch_world(worlds.batch, worlds.first + i);
        const cosm_physics_settings *settings = cosm_singleton_read(world, work->physics.settings);
        if (work->part_count == 0) {
            work->settings = *settings;
        } else if (memcmp(settings, &work->settings, sizeof(*settings)) != 0) {
            break;
        }
        work->parts[work->part_count++] = (struct part){.world = world};
    }
}

static void step_group(struct work *work) {
    set_solve(work);
    void (*const steps[])(struct work *) = {cosmi_physics_gather, cosmi_physics_pair,
                                            cosmi_physics_touch, cosmi_physics_order};
    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        steps[i](work);
        if (work->is_failed) {
            return;
        }
    }
    cosmi_physics_solver()->run(&work->solve);
    cosmi_physics_scatter(work);
}

void cosmi_physics_step(const cosm_turn *turn) {
    struct work *work = cosm_turn_scratch(turn, sizeof(*work));
    if (work == NULL || !(turn->dt > 0.0f)) {
        return;
    }
    memset(work, 0, sizeof(*work));
    work->turn = turn;
    cosmi_physics_find(cosm_batch_engine(turn->worlds.batch), &work->physics);
    for (uint32_t i = 0; i < turn->worlds.count && !work->is_failed; i += work->part_count) {
        begin_group(work, turn->worlds, i);
        if (!cosmi_physics_settings_are_good(&work->settings)) {
            cosm_turn_fail(turn,
                           "PhysicsSettings is out of range in a world; see cosm_physics/body.h");
            continue;
        }
        step_group(work);
    }
}
