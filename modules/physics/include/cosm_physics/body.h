// Bodies: the components that physics works on.
//
// What a body is follows from what it has:
//
//     Pose, Collider                   static: others collide with it
//     Pose, Collider, Motion           kinematic: moves as its Motion says, and nothing stops it
//     Pose, Collider, Motion, Mass     dynamic
//     Pose, Motion, Mass               falls and slows down, and collides with nothing
//
// Everything that a step depends on is here, in components and singletons, so snapshots, forks,
// hashes, save files and replays work on physics as on any other state.
#ifndef COSM_PHYSICS_BODY_H
#define COSM_PHYSICS_BODY_H

#include <cosm/mark.h>
#include <cosm_space/pose.h>

// How a body moves.
typedef struct COSM_COMPONENT(name = "Motion") cosm_motion {
    cosm_vec3 velocity COSM_FIELD(unit = "m/s"); // of its centre of mass
    cosm_vec3 spin COSM_FIELD(unit = "rad/s");   // about the axes of the world
} cosm_motion;

// How a body resists forces. cosm_physics_mass computes it from a collider and a density.
typedef struct COSM_COMPONENT(name = "Mass") cosm_mass {
    float inverse COSM_FIELD(unit = "1/kg", min = 0, default = 1);
    cosm_vec3 inverse_inertia COSM_FIELD(unit = "1/(kg m^2)", min = 0, default = {6, 6, 6});
    cosm_quat frame COSM_FIELD(default = {1, 0, 0, 0}); // from the axes of inertia to the body's
    cosm_vec3 centre COSM_FIELD(unit = "m");            // of mass, in the body's own axes
} cosm_mass;

typedef enum cosm_shape {
    COSM_SHAPE_SPHERE,  // radius size.x
    COSM_SHAPE_CAPSULE, // radius size.x, along z, half a length of size.z between the centres
    COSM_SHAPE_BOX,     // half extents
    COSM_SHAPE_PLANE,   // everything below z = 0 of its own axes; static bodies only
} cosm_shape;

// What a body collides with, and how its surface behaves. Two bodies collide if the mask of each
// has a bit of the other's layer; a common group decides first: a positive one always collides, a
// negative one never.
typedef struct COSM_COMPONENT(name = "Collider") cosm_collider {
    cosm_shape shape COSM_FIELD(strict = true);
    int32_t group;
    uint32_t layer COSM_FIELD(default = 1);
    uint32_t mask COSM_FIELD(default = 0xffffffff);
    cosm_vec3 size COSM_FIELD(unit = "m", min = 0, default = {0.5f, 0.5f, 0.5f});
    cosm_vec3 offset COSM_FIELD(unit = "m");            // of its centre, in the body's own axes
    float friction COSM_FIELD(min = 0, default = 0.5f); // of a pair: the root of the product
    float restitution COSM_FIELD(min = 0, max = 1);     // of a pair: the larger one
    float rolling COSM_FIELD(unit = "m", min = 0);      // resistance; of a pair: the larger one
    cosm_vec3 surface COSM_FIELD(unit = "m/s"); // speed of a conveyor, in the body's own axes
} cosm_collider;

typedef enum COSM_MASK() cosm_lock {
    COSM_LOCK_MOVE_X = 1,
    COSM_LOCK_MOVE_Y = 2,
    COSM_LOCK_MOVE_Z = 4,
    COSM_LOCK_TURN_X = 8,
    COSM_LOCK_TURN_Y = 16,
    COSM_LOCK_TURN_Z = 32,
} cosm_lock;

// Exceptions for a dynamic body; optional. Drag slows by the factor 1 / (1 + h drag) in every
// substep of h seconds, so it does not depend on the frame rate.
typedef struct COSM_COMPONENT(name = "Moves") cosm_moves {
    float gravity COSM_FIELD(default = 1); // a factor
    float drag COSM_FIELD(unit = "1/s", min = 0);
    float spin_drag COSM_FIELD(unit = "1/s", min = 0);
    uint32_t locks COSM_FIELD(mask = cosm_lock); // axes of the world along which it does not move
} cosm_moves;

// A force and a torque on a dynamic body, in the axes of the world, for one step: the step sets
// them to zero. Optional.
typedef struct COSM_COMPONENT(name = "Force") cosm_force {
    cosm_vec3 force COSM_FIELD(unit = "N"); // at the centre of mass
    cosm_vec3 torque COSM_FIELD(unit = "N m");
} cosm_force;

// How a world's physics works.
typedef struct COSM_SINGLETON(name = "PhysicsSettings") cosm_physics_settings {
    cosm_vec3 gravity COSM_FIELD(unit = "m/s^2", default = {0, 0, -9.81f});
    uint32_t substeps COSM_FIELD(min = 1, max = 64, default = 4);
    float contact_hertz COSM_FIELD(unit = "1/s", min = 1, default = 30); // stiffness of contacts
    float contact_damping COSM_FIELD(min = 0, default = 10);
    float push_speed COSM_FIELD(unit = "m/s", min = 0,
                                default = 3); // overlaps part at most so fast
    float slop COSM_FIELD(unit = "m", min = 0,
                          default = 0.005f); // collisions are noticed four times
                                             // this distance ahead
    float bounce_speed COSM_FIELD(unit = "m/s", min = 0, default = 1); // slower ones do not bounce
    float speed_limit COSM_FIELD(unit = "m/s", min = 0, default = 400);
} cosm_physics_settings;

// What the last step found.
typedef struct COSM_SINGLETON(name = "PhysicsReport") cosm_physics_report {
    uint32_t bodies;   // with a collider
    uint32_t pairs;    // near each other
    uint32_t contacts; // pairs that touch, or may within the step
    uint32_t points;   // of contact
    uint32_t dropped;  // contacts that were solved but not remembered: see contact_max
    float deepest COSM_FIELD(unit = "m"); // overlap
} cosm_physics_report;

#endif
