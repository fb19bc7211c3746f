// Physics: rigid bodies, for thousands of small worlds and for one large one.
//
//     cosm_physics_define(engine, NULL);
//     ...
//     cosm_collider box = {.shape = COSM_SHAPE_BOX, .layer = 1, .mask = ~0u,
//                          .size = {0.5f, 0.5f, 0.5f}, .friction = 0.5f};
//     cosm_mass mass = cosm_physics_mass(&box, 1000);
//     COSM_SPAWN(world, COSM_VALUE(cosm_pose, {0, 0, 3}, {1, 0, 0, 0}), COSM_DEFAULT(cosm_motion),
//                COSM_COPY(cosm_collider, box), COSM_COPY(cosm_mass, mass));
//     cosm_batch_step(batch);
//
// The system `physics_step` runs in the phase simulation, and `physics_fall` for bodies without a
// collider. Order your own systems by `.before = {"physics_step"}` and `.after`. Collisions are
// found once a step; the step is then cut into substeps, in each of which contacts are solved as
// soft springs and relaxed. Impulses are kept from step to step, so stacks stand.
//
// A world's result is a function of its state alone: it does not depend on workers, on the other
// worlds of the batch, on placement, or on the order of rows. Same bits with gcc and clang, at any
// optimisation level, with and without AVX2.
//
// Bodies do not sleep yet; there are no joints, overlaps or events: see docs/design/058.
#ifndef COSM_PHYSICS_PHYSICS_H
#define COSM_PHYSICS_PHYSICS_H

#include <cosm_physics/body.h>

COSM_BEGIN_C

// Zeroed: as said.
typedef struct cosm_physics_desc {
    uint32_t contact_max; // contacts remembered per world; zero: 256, at most 262,143
    cosm_phase phase;     // zero: COSM_PHASE_SIMULATION
} cosm_physics_desc;

// Defines the components of body.h and pose.h, the singletons, and both systems.
// `desc` may be NULL. Once per engine.
COSM_MUST_USE cosm_result cosm_physics_define(cosm_engine *engine, const cosm_physics_desc *desc);

// The mass of a collider of this density in kg/m^3, its centre at the collider's offset. A plane, a
// density or a size that is not positive gives zeros: a body that nothing moves.
cosm_mass cosm_physics_mass(const cosm_collider *collider, float density);

COSM_END_C

#endif
