// Poses: the component, and the arithmetic of rotations.
#include <cosm_space/pose.h>

#include <math.h>

#include "cosm_space.cosm.h"

cosm_result cosm_space_define(cosm_engine *engine) {
    return cosm_space_register_all(engine);
}

cosm_quat cosm_quat_turn(cosm_vec3 axis, float angle) {
    float length = sqrtf(axis.x * axis.x + axis.y * axis.y + axis.z * axis.z);
    if (!(length > 0.0f)) {
        return (cosm_quat){1.0f, 0.0f, 0.0f, 0.0f};
    }
    float sine;
    float cosine;
    cosm_math_sin_cos(0.5f * angle, &sine, &cosine);
    float scale = sine / length;
    return (cosm_quat){cosine, scale * axis.x, scale * axis.y, scale * axis.z};
}

cosm_quat cosm_quat_join(cosm_quat then, cosm_quat first) {
    return (cosm_quat){
        then.w * first.w - then.x * first.x - then.y * first.y - then.z * first.z,
        then.w * first.x + then.x * first.w + then.y * first.z - then.z * first.y,
        then.w * first.y + then.y * first.w + then.z * first.x - then.x * first.z,
        then.w * first.z + then.z * first.w + then.x * first.y - then.y * first.x,
    };
}

cosm_vec3 cosm_quat_rotate(cosm_quat rotation, cosm_vec3 vector) {
    // v + 2 q x (q x v + w v): two cross products in place of a matrix.
    cosm_quat q = rotation;
    cosm_vec3 t = {
        2.0f * (q.y * vector.z - q.z * vector.y),
        2.0f * (q.z * vector.x - q.x * vector.z),
        2.0f * (q.x * vector.y - q.y * vector.x),
    };
    return (cosm_vec3){
        vector.x + q.w * t.x + (q.y * t.z - q.z * t.y),
        vector.y + q.w * t.y + (q.z * t.x - q.x * t.z),
        vector.z + q.w * t.z + (q.x * t.y - q.y * t.x),
    };
}
