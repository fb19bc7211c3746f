// Rays: what lies in a direction.
//
//     cosm_physics_view *view = cosm_physics_view_create(world);
//     cosm_ray ray = {.origin = {0, 0, 5}, .direction = {0, 0, -1}, .length = 10};
//     cosm_ray_hit hit;
//     cosm_physics_cast(view, &ray, 1, NULL, &hit);
//     if (hit.entity.gen != 0) { printf("%g m\n", hit.distance); }
//     cosm_physics_view_destroy(view);
//
// A view is a copy of all colliders of a world, packed for questions; it shows the world as it was
// when the view was made. In a system, cosm_physics_view_of makes one that lasts until the phase
// ends. The same bits on every machine.
#ifndef COSM_PHYSICS_RAY_H
#define COSM_PHYSICS_RAY_H

#include <cosm/system.h>
#include <cosm_physics/body.h>

COSM_BEGIN_C

typedef struct cosm_ray {
    cosm_vec3 origin;
    cosm_vec3 direction; // of any length but 0
    float length;        // in meters
} cosm_ray;

typedef struct cosm_ray_hit {
    cosm_entity entity; // COSM_ENTITY_NONE: nothing
    float distance;     // from the origin, in meters; the ray's length if there is nothing
    cosm_vec3 normal;   // of the surface, against the ray
} cosm_ray_hit;

// Zeroed: everything.
typedef struct cosm_ray_filter {
    uint32_t mask;       // only colliders with one of these layers; zero: all of them
    cosm_entity ignored; // not this one
} cosm_ray_filter;

typedef struct cosm_physics_view cosm_physics_view;

// Packs the colliders of a world; between steps only. NULL on failure.
cosm_physics_view *cosm_physics_view_create(cosm_world world);
// NULL is allowed.
void cosm_physics_view_destroy(cosm_physics_view *view);

// The same in a system, of one of the turn's worlds. Query number `query_index` of the system is
// "Pose, Collider", or one that selects fewer. Do not destroy it. NULL, reported, on failure.
const cosm_physics_view *cosm_physics_view_of(const cosm_turn *turn, uint32_t query_index,
                                              cosm_world world);

// Casts rays, and stores for each the nearest surface that it meets. Where two are equally near,
// the lower entity id counts. A shape in which a ray begins is not met by it. A ray with a number
// that is not finite, or without a direction, meets nothing. `filter` may be NULL.
void cosm_physics_cast(const cosm_physics_view *view, const cosm_ray *rays, uint32_t count,
                       const cosm_ray_filter *filter, cosm_ray_hit *out_hits);

COSM_END_C

#endif
