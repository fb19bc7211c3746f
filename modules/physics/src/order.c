// The order in which contacts are solved, and their packing into lanes.
//
// The order is (against static bodies last, color, key). A color is a set of manifolds of which no
// two share a body that moves; each takes the lowest color that is free for both its bodies. Within
// a color the order does not matter, so any packing of it gives the same bits:
//
// - worlds side by side, one in each lane, where all of them are small;
// - eight manifolds of one color of a single world, where it is large.
//
// A body in more than 31 manifolds runs out of colors: the rest are taken one by one.
#include "work.h"

#define COLOR_COUNT 32u
#define COLOR_LAST (COLOR_COUNT - 1) // of those that found no color
#define CLASS_COUNT 2u               // moving bodies among themselves; against static ones
#define SMALL_MAX 64u                // manifolds of a small world

struct colors {
    uint32_t used[CLASS_COUNT]; // a bit for each color
};

static uint32_t class_of(const struct work *work, const struct manifold *m) {
    return work_body(work, m->first)->row == 0;
}

static void color_part(struct work *work, const struct part *part) {
    struct colors *colors = work->used.items;
    for (uint32_t i = 0; i < part->manifold_count; i++) {
        struct manifold *m = work_manifold(work, part->manifold_first + i);
        uint32_t class = class_of(work, m);
        bool is_shared = work_body(work, m->first)->is_dynamic;
        uint32_t taken = colors[m->second].used[class];
        taken |= is_shared ? colors[m->first].used[class] : 0;
        taken |= 1u << COLOR_LAST;
        uint32_t color = ~taken == 0 ? COLOR_LAST : (uint32_t)__builtin_ctz(~taken);
        colors[m->second].used[class] |= 1u << color;
        if (is_shared) {
            colors[m->first].used[class] |= 1u << color;
        }
        m->color = class * COLOR_COUNT + color;
    }
}

// Where each color of a part begins in the order; the last one is the end.
struct starts {
    uint32_t at[CLASS_COUNT * COLOR_COUNT + 1];
};

// A part's manifolds by color, and in each by key.
static void sort_part(struct work *work, const struct part *part, struct starts *starts) {
    struct manifold **order = (struct manifold **)work->order.items + part->manifold_first;
    uint32_t next[CLASS_COUNT * COLOR_COUNT];
    memset(starts, 0, sizeof(*starts));
    for (uint32_t i = 0; i < part->manifold_count; i++) {
        starts->at[work_manifold(work, part->manifold_first + i)->color + 1]++;
    }
    for (uint32_t c = 0; c < CLASS_COUNT * COLOR_COUNT; c++) {
        starts->at[c + 1] += starts->at[c];
        next[c] = starts->at[c];
    }
    for (uint32_t i = 0; i < part->manifold_count; i++) {
        struct manifold *m = work_manifold(work, part->manifold_first + i);
        order[next[m->color]++] = m;
    }
}

static uint32_t width_of(uint32_t color) {
    return color % COLOR_COUNT == COLOR_LAST ? 1 : LANE_COUNT;
}

static uint32_t packs_of(const struct starts *starts) {
    uint32_t count = 0;
    for (uint32_t c = 0; c < CLASS_COUNT * COLOR_COUNT; c++) {
        uint32_t width = width_of(c);
        count += (starts->at[c + 1] - starts->at[c] + width - 1) / width;
    }
    return count;
}

static void pack(struct work *work, struct manifold *const members[LANE_COUNT]) {
    uint32_t rows[LANE_COUNT][2];
    for (uint32_t l = 0; l < LANE_COUNT; l++) {
        rows[l][0] = members[l] != NULL ? work_body(work, members[l]->first)->row : 0;
        rows[l][1] = members[l] != NULL ? work_body(work, members[l]->second)->row : 0;
    }
    struct wide_contact *out = (struct wide_contact *)work->wide.items + work->wide.count;
    struct manifold **kept = (struct manifold **)work->lanes.items + work->wide.count * LANE_COUNT;
    memcpy(kept, members, LANE_COUNT * sizeof(kept[0]));
    work->wide.count++;
    cosmi_physics_solver()->prepare(&work->solve, (const struct manifold *const *)members,
                                    (const uint32_t(*)[2])rows, out);
}

// One world in each lane. All classes in one go: a lane may be at its static contacts while another
// has pairs left.
static void pack_worlds(struct work *work, uint32_t longest) {
    for (uint32_t i = 0; i < longest; i++) {
        struct manifold *members[LANE_COUNT] = {NULL};
        for (uint32_t p = 0; p < work->part_count; p++) {
            const struct part *part = &work->parts[p];
            if (i < part->manifold_count) {
                members[p] = ((struct manifold **)work->order.items)[part->manifold_first + i];
            }
        }
        pack(work, members);
    }
}

static void pack_colors(struct work *work, const struct part *part, const struct starts *starts) {
    struct manifold **order = (struct manifold **)work->order.items + part->manifold_first;
    for (uint32_t c = 0; c < CLASS_COUNT * COLOR_COUNT; c++) {
        uint32_t width = width_of(c), end = starts->at[c + 1];
        for (uint32_t i = starts->at[c]; i < end; i += width) {
            struct manifold *members[LANE_COUNT] = {NULL};
            for (uint32_t l = 0; l < width && i + l < end; l++) {
                members[l] = order[i + l];
            }
            pack(work, members);
        }
    }
}

static bool reserve_order(struct work *work) {
    size_t bodies = work->bodies.count + 1;
    struct colors *colors =
        cosmi_physics_list_reserve(work, &work->used, bodies, sizeof(struct colors));
    if (colors == NULL) {
        return false;
    }
    memset(colors, 0, bodies * sizeof(struct colors));
    return cosmi_physics_list_reserve(work, &work->order, work->manifolds.count + 1,
                                      sizeof(struct manifold *)) != NULL;
}

static bool reserve_packs(struct work *work, uint32_t count) {
    return cosmi_physics_list_reserve(work, &work->wide, count + 1u, sizeof(struct wide_contact)) !=
               NULL &&
           cosmi_physics_list_reserve(work, &work->lanes, (count + 1u) * (size_t)LANE_COUNT,
                                      sizeof(struct manifold *)) != NULL;
}

void cosmi_physics_order(struct work *work) {
    struct starts starts[LANE_COUNT];
    uint32_t longest = 0, packs = 0;
    work->wide.count = 0;
    if (!reserve_order(work)) {
        return;
    }
    for (uint32_t p = 0; p < work->part_count; p++) {
        const struct part *part = &work->parts[p];
        color_part(work, part);
        sort_part(work, part, &starts[p]);
        packs += packs_of(&starts[p]);
        longest = part->manifold_count > longest ? part->manifold_count : longest;
    }
    bool is_small = work->part_count > 1 && longest <= SMALL_MAX;
    if (!reserve_packs(work, is_small ? longest : packs)) {
        return;
    }
    if (is_small) {
        pack_worlds(work, longest);
    }
    for (uint32_t p = 0; p < work->part_count && !is_small; p++) {
        pack_colors(work, &work->parts[p], &starts[p]);
    }
    work->solve.contacts = work->wide.items;
    work->solve.contact_count = (uint32_t)work->wide.count;
}
