// Poses: where entities are and how they are turned.
//
//     cosm_space_define(engine);
//     COSM_SPAWN(world, COSM_VALUE(cosm_pose, {0, 0, 2}, cosm_quat_turn(up, angle)));
//
// An entity has one pose, in the component Pose. Physics writes it; renderers, sensors and sounds
// read it. Distances are in meters, angles in radians. Axes form a right-handed system; nothing in
// this module prefers one as "up".
#ifndef COSM_SPACE_POSE_H
#define COSM_SPACE_POSE_H

#include <cosm/error.h>
#include <cosm/mark.h>
#include <cosm/math.h>
#include <cosm/types.h>

COSM_BEGIN_C

typedef struct cosm_vec3 {
    float x, y, z;
} cosm_vec3;

// A rotation: a quaternion of length 1. {1, 0, 0, 0} turns nothing.
typedef struct cosm_quat {
    float w, x, y, z;
} cosm_quat;

// Where an entity is, and how it is turned.
typedef struct COSM_COMPONENT(name = "Pose") cosm_pose {
    cosm_vec3 position COSM_FIELD(unit = "m");             // of its origin
    cosm_quat rotation COSM_FIELD(default = {1, 0, 0, 0}); // from its own axes to the world's
} cosm_pose;

// Defines the component Pose, whose C type is cosm_pose. Calling it again is harmless.
COSM_MUST_USE cosm_result cosm_space_define(cosm_engine *engine);

// The rotation by `angle` about `axis`, which need not have length 1. An axis of length 0 gives the
// rotation that turns nothing. The same bits on every machine.
cosm_quat cosm_quat_turn(cosm_vec3 axis, float angle);

// The rotation `first` followed by `then`. Its length is that of the two multiplied.
cosm_quat cosm_quat_join(cosm_quat then, cosm_quat first);

// A vector turned by a rotation.
cosm_vec3 cosm_quat_rotate(cosm_quat rotation, cosm_vec3 vector);

COSM_END_C

#endif
