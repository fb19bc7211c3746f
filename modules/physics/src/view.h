// Views: the colliders of a world as questions want them.
#ifndef PHYSICS_VIEW_H
#define PHYSICS_VIEW_H

#include <cosm_physics/ray.h>

#include "lanes.h"
#include "manifold.h"

struct view_item {
    struct shape shape;
    cosm_entity entity;
    uint32_t layer;
};

// Items ascend by entity id.
struct cosm_physics_view {
    uint32_t count, max;
    struct view_item *items;
    void *memory; // what destroy frees; NULL: scratch of a turn
};

// Up to eight rays with directions of length 1. `length` shrinks to the distance of what was met;
// `met` is the number of that item plus one.
struct ray_packet {
    float origin[3][LANE_COUNT], direction[3][LANE_COUNT];
    float length[LANE_COUNT];
    uint32_t met[LANE_COUNT];
};

// Casts a packet at all items that the filter lets through.
typedef void cast_fn(const struct cosm_physics_view *view, const cosm_ray_filter *filter,
                     struct ray_packet *packet);
cast_fn cosmi_physics_cast_plain;
cast_fn cosmi_physics_cast_avx2;

#endif
