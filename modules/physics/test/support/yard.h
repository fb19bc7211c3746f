// A batch with physics in it, and short ways to put bodies there. Lengths in meters, masses in kg.
#ifndef PHYSICS_TEST_YARD_H
#define PHYSICS_TEST_YARD_H

#include <cosm/cosm.h>
#include <cosm_physics/physics.h>
#include <cosm_physics/ray.h>
#include <math.h>
#include <string.h>

#include "harness.h"

struct yard {
    cosm_engine *engine;
    cosm_batch *batch;
    cosm_world world; // the first
};

static inline struct yard yard_open(uint32_t worlds, uint32_t workers, uint32_t contact_max) {
    struct yard yard;
    yard.engine = cosm_engine_create(&(cosm_engine_desc){.worker_count = workers});
    cosm_physics_desc desc = {.contact_max = contact_max};
    CHECK_INT(cosm_physics_define(yard.engine, &desc), COSM_OK);
    yard.batch = cosm_batch_create(yard.engine, &(cosm_batch_desc){.world_count = worlds});
    yard.world = cosm_batch_world(yard.batch, 0);
    return yard;
}

static inline void yard_close(struct yard *yard) {
    CHECK_INT(cosm_batch_destroy(yard->batch), COSM_OK);
    CHECK_INT(cosm_engine_destroy(yard->engine), COSM_OK);
}

static inline void yard_steps(const struct yard *yard, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        CHECK_INT(cosm_batch_step(yard->batch), COSM_OK);
    }
}

static inline cosm_collider shape_of(cosm_shape shape, float x, float y, float z) {
    return (cosm_collider){
        .shape = shape, .layer = 1, .mask = UINT32_MAX, .size = {x, y, z}, .friction = 0.5f};
}

static inline cosm_collider cube(void) {
    return shape_of(COSM_SHAPE_BOX, 0.5f, 0.5f, 0.5f);
}
static inline cosm_collider ball(float radius) {
    return shape_of(COSM_SHAPE_SPHERE, radius, radius, radius);
}

static inline cosm_pose pose_at(float x, float y, float z) {
    return (cosm_pose){{x, y, z}, {1, 0, 0, 0}};
}

static inline cosm_entity put_static(cosm_world world, cosm_collider c, cosm_pose pose) {
    return COSM_SPAWN(world, COSM_COPY(cosm_pose, pose), COSM_COPY(cosm_collider, c));
}

static inline cosm_entity put_ground(cosm_world world, float friction) {
    cosm_collider plane = shape_of(COSM_SHAPE_PLANE, 0, 0, 0);
    plane.friction = friction;
    return put_static(world, plane, pose_at(0, 0, 0));
}

static inline cosm_mass mass_of(const cosm_collider *c, float kg) {
    cosm_mass mass = cosm_physics_mass(c, 1);
    float scale = 1.0f / (mass.inverse * kg);
    mass.inverse *= scale;
    mass.inverse_inertia.x *= scale;
    mass.inverse_inertia.y *= scale;
    mass.inverse_inertia.z *= scale;
    return mass;
}

static inline cosm_entity put(cosm_world world, cosm_collider c, float kg, cosm_pose pose,
                              cosm_motion motion) {
    cosm_mass mass = mass_of(&c, kg);
    return COSM_SPAWN(world, COSM_COPY(cosm_pose, pose), COSM_COPY(cosm_motion, motion),
                      COSM_COPY(cosm_mass, mass), COSM_COPY(cosm_collider, c));
}

static inline cosm_motion still(void) {
    return (cosm_motion){{0, 0, 0}, {0, 0, 0}};
}
static inline cosm_motion moving(float x, float y, float z) {
    return (cosm_motion){{x, y, z}, {0, 0, 0}};
}

static inline cosm_vec3 position_of(cosm_world world, cosm_entity entity) {
    return COSM_READ(world, entity, cosm_pose)->position;
}
static inline cosm_motion motion_of(cosm_world world, cosm_entity entity) {
    return *COSM_READ(world, entity, cosm_motion);
}

// A wall of layers, each a box shorter than the one below; returns the number of boxes. The last
// one weighs `top`.
static inline uint32_t put_heavy_wall(cosm_world world, uint32_t layers, float gap, float top,
                                      cosm_entity *out) {
    uint32_t n = 0;
    for (uint32_t k = 0; k < layers; k++) {
        for (uint32_t i = 0; i < layers - k; i++) {
            float x = 1.05f * ((float)i - 0.5f * (float)(layers - k - 1));
            float z = 0.5f + (1 + gap) * (float)k + gap;
            float kg = k + 1 == layers ? top : 1;
            out[n++] = put(world, cube(), kg, pose_at(x, 0, z), still());
        }
    }
    return n;
}

static inline uint32_t put_wall(cosm_world world, uint32_t layers, float gap, cosm_entity *out) {
    return put_heavy_wall(world, layers, gap, 1, out);
}

#endif
