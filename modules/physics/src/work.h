// What a turn of physics_step works on: bodies gathered from their columns, pairs, manifolds, rows.
//
// Worlds are taken in groups of up to eight. The bodies of a group lie in one array, world by world
// and in each world by entity id, so that nothing depends on the order of rows in tables. A body's
// number is its place in that array. Everything here is scratch: made anew from state in every
// step, and gone when the phase ends.
#ifndef PHYSICS_WORK_H
#define PHYSICS_WORK_H

#include <cosm/cosm.h>
#include <cosm_physics/physics.h>

#include "solve.h"

// The queries of the system, in the order of its desc.
enum { QUERY_STATIC, QUERY_KINEMATIC, QUERY_DYNAMIC, QUERY_COUNT };

// Where a body's values are.
struct body_ref {
    cosm_entity entity;
    const cosm_pose *pose_read;
    cosm_pose *pose; // NULL: static
    cosm_motion *motion;
    const cosm_mass *mass; // NULL: static or kinematic
    const cosm_collider *collider;
    const cosm_moves *moves; // NULL: none
    cosm_force *force;       // NULL: none
};

struct body {
    struct body_ref at;
    struct shape shape;
    struct mat3 axes;
    vec3 centre;    // of mass
    vec3 low, high; // bounds, with everything that may be reached within the step
    vec3 velocity;  // with what forces add within the step: for margins
    uint32_t row;   // of the solver; 0: static
    bool is_dynamic;
    bool is_touched; // is in a manifold
};

// A world of the group.
struct part {
    cosm_world world;
    uint32_t body_first, body_count;
    uint32_t manifold_first, manifold_count;
    uint32_t pair_count;
    uint32_t dropped; // manifolds that its cache has no room for
};

// An array of scratch that grows. Growing leaves the old block to the end of the phase, so the
// waste is less than the array itself.
struct list {
    void *items;
    size_t count, max;
};

// What cosm_physics_define has defined.
struct physics {
    cosm_singleton settings, report, contacts;
    uint32_t contact_max;
};

void cosmi_physics_find(cosm_engine *engine, struct physics *out);

struct work {
    const cosm_turn *turn;
    struct physics physics;
    cosm_physics_settings settings; // of all worlds of the group
    struct part parts[LANE_COUNT];
    uint32_t part_count;
    struct list refs;      // struct body_ref, as walked
    struct list keys;      // uint64_t, to sort by
    struct list spare;     // uint64_t, to sort with
    struct list bodies;    // struct body
    struct list pairs;     // uint64_t: number of the first body, then of the second
    struct list manifolds; // struct manifold, in the order of their keys, world by world
    struct list order;     // struct manifold *: in the order in which they are solved
    struct list rows;      // float
    struct list wide;      // struct wide_contact
    struct list lanes;     // struct manifold *: eight for each wide contact
    struct list used;      // struct colors, for each body
    struct solve solve;
    bool is_failed; // out of memory: the turn has reported it
};

// A remembered manifold: a cache line of the singleton PhysicsContacts. The entity with the lower
// id comes first; entries ascend by these ids.
struct remembered {
    cosm_entity low, high;
    uint16_t features[MANIFOLD_POINT_MAX];
    float impulses[MANIFOLD_POINT_MAX];
    float slide[3];
    float twist;
    uint32_t count;
    uint32_t reserved;
};

// The singleton: a head, then contact_max entries; those past `count` are zeros.
struct memory {
    uint32_t count;
    uint32_t reserved[15];
    struct remembered entries[];
};

// Room for `count` items in all; NULL and is_failed if there is none. Keeps what is there.
void *cosmi_physics_list_reserve(struct work *work, struct list *list, size_t count, size_t size);

// Sorts keys, using work->spare; false if out of memory.
bool cosmi_physics_sort(struct work *work, struct list *keys);

// The steps, in this order; each works on the whole group. All but the last leave state alone.
void cosmi_physics_gather(struct work *work);  // parts, bodies, rows of the solver
void cosmi_physics_pair(struct work *work);    // pairs
void cosmi_physics_touch(struct work *work);   // manifolds, with the impulses remembered
void cosmi_physics_order(struct work *work);   // wide contacts, packed and prepared
void cosmi_physics_scatter(struct work *work); // poses, motions, memory and reports

static inline struct body *work_body(const struct work *work, uint32_t number) {
    return (struct body *)work->bodies.items + number;
}

static inline struct manifold *work_manifold(const struct work *work, size_t number) {
    return (struct manifold *)work->manifolds.items + number;
}

#endif
