// The solver: soft contacts, eight at a time, in substeps.
//
// A wide contact holds up to eight manifolds, in any company, as long as no moving body is in two
// of them. Bodies are rows of eight floats. Row 0 stands for everything that does not move and for
// empty lanes; it is all zeros, and stays so.
//
// Each substep: gravity, forces and drag; the impulses of the last substep again (warm start); one
// sweep in which contacts push overlaps apart like damped springs; bodies move; one sweep without
// that push, which takes out the speed it has added, and in which friction acts.
#ifndef PHYSICS_SOLVE_H
#define PHYSICS_SOLVE_H

#include "lanes.h"
#include "manifold.h"

// How a contact gives way, as factors of a step of implicit Euler of a damped spring.
struct softness {
    float rate;          // share of an overlap that is removed in a second
    float mass_scale;    // of the impulse that would stop everything
    float impulse_scale; // of what has been applied already
};

// A manifold's point in each lane.
struct wide_point {
    struct lane_vec turn_a, turn_b;   // arm x normal
    struct lane_vec twist_a, twist_b; // inverse inertia of that
    lanes mass, separation, impulse, radius;
    lanes speed;   // along the normal when the step began
    lanes largest; // impulse of all substeps
};

struct wide_contact {
    uint32_t row_a[LANE_COUNT], row_b[LANE_COUNT];
    struct lane_vec n, t1, t2;
    lanes mass_a, mass_b;
    lanes friction, restitution, rolling;
    lanes rate, mass_scale, impulse_scale;
    lanes drive1, drive2; // surface speed
    struct wide_point points[MANIFOLD_POINT_MAX];
    // Friction at the centre of the points: arm x tangent, and the inverse inertia of that.
    struct lane_vec turn1_a, turn1_b, turn2_a, turn2_b;
    struct lane_vec twist1_a, twist1_b, twist2_a, twist2_b, twist_a, twist_b;
    lanes f11, f12, f22, twist_mass; // inverse of the friction matrix; of the twist
    lanes slide1, slide2, twist;     // impulses
    lanes roll_mass;
    uint32_t point_count; // the most that a lane has
    bool is_pair;         // some lane's first body has a row
    bool has_rolling, has_restitution;
};

// What the solver works on. All arrays of rows have row_count rows of eight floats.
struct solve {
    float h;
    uint32_t substeps;
    struct softness pair, fixed; // between moving bodies; against static and kinematic ones
    float push_speed, bounce_speed;
    uint32_t row_count;
    float *velocity; // velocity and spin; two floats of zero
    float *moved;    // the same, integrated since the step began
    float *pull;     // added in every substep
    float *damp;     // factors of velocity and spin in every substep
    float *free;     // 1, or 0 where an axis is locked
    float *inertia;  // inverse, in the world: xx yy zz xy xz yz; then the inverse mass
    float *centre;   // of mass, when the step began
    struct wide_contact *contacts;
    uint32_t contact_count;
};

struct solver {
    // Makes a wide contact of up to eight manifolds; NULL leaves a lane empty. `rows`: of the first
    // and the second body of each lane.
    void (*prepare)(const struct solve *solve, const struct manifold *const from[LANE_COUNT],
                    const uint32_t rows[LANE_COUNT][2], struct wide_contact *out);
    // All substeps, and bounces.
    void (*run)(struct solve *solve);
    // Impulses back to where prepare had them from.
    void (*finish)(const struct wide_contact *contact, struct manifold *const to[LANE_COUNT]);
};

// The fastest one that this machine can run.
const struct solver *cosmi_physics_solver(void);

extern const struct solver cosmi_physics_solver_plain;
extern const struct solver cosmi_physics_solver_avx2;

#endif
