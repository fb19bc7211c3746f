// Manifolds: where two shapes touch, or may touch within the step.
#ifndef PHYSICS_MANIFOLD_H
#define PHYSICS_MANIFOLD_H

#include "vec.h"

#define MANIFOLD_POINT_MAX 4

struct manifold_point {
    vec3 at;          // in the world, midway between the two surfaces
    float separation; // negative where they overlap
    float impulse;    // along the normal, over a substep; kept from step to step
    uint32_t feature; // what meets what: the same in the next step if nothing has changed
};

// Of two bodies, `second` always has a row in the solver; `first` may be static. The normal points
// from the first to the second.
struct manifold {
    uint32_t first, second; // numbers of bodies
    uint32_t color;         // see order.c
    uint32_t count;
    vec3 normal;
    vec3 slide; // friction impulse at the centre of the points, in the world
    float twist;
    float friction, restitution, rolling;
    vec3 surface; // speed of the second surface over the first that friction aims at
    struct manifold_point points[MANIFOLD_POINT_MAX];
};

// A collider in the world.
struct shape {
    cosm_shape kind;
    vec3 centre;
    vec3 size;
    struct mat3 axes;
};

// Fills normal, points and their number, where two shapes are closer than the margin; false if they
// are not. Not for two planes.
bool cosmi_physics_collide(const struct shape *a, const struct shape *b, float margin,
                           struct manifold *out);

// The routine of collide_box.c.
bool cosmi_physics_collide_boxes(const struct shape *a, const struct shape *b, float margin,
                                 struct manifold *out);

static inline void manifold_add(struct manifold *out, vec3 at, float separation, uint32_t feature) {
    out->points[out->count++] = (struct manifold_point){at, separation, 0.0f, feature};
}

#endif
