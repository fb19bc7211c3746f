// Vectors, rotations and matrices of the module, as short inline functions.
#ifndef PHYSICS_VEC_H
#define PHYSICS_VEC_H

#include <cosm_physics/body.h>
#include <math.h>

typedef cosm_vec3 vec3;

// The axes of a body in the world: the columns of its rotation.
struct mat3 {
    vec3 axis[3];
};

static inline vec3 vec(float x, float y, float z) {
    return (vec3){x, y, z};
}
static inline vec3 vec_add(vec3 a, vec3 b) {
    return vec(a.x + b.x, a.y + b.y, a.z + b.z);
}
static inline vec3 vec_sub(vec3 a, vec3 b) {
    return vec(a.x - b.x, a.y - b.y, a.z - b.z);
}
static inline vec3 vec_scale(vec3 a, float s) {
    return vec(a.x * s, a.y * s, a.z * s);
}
static inline float vec_dot(vec3 a, vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline float vec_length(vec3 a) {
    return sqrtf(vec_dot(a, a));
}

// a + s b
static inline vec3 vec_along(vec3 a, float s, vec3 b) {
    return vec(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

static inline vec3 vec_cross(vec3 a, vec3 b) {
    return vec(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline float vec_at(vec3 v, int i) {
    return i == 0 ? v.x : i == 1 ? v.y : v.z;
}

static inline bool vec_is_finite(vec3 v) {
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

static inline float clamp(float x, float low, float high) {
    return x < low ? low : x > high ? high : x;
}

static inline struct mat3 mat_of(cosm_quat q) {
    float x2 = q.x + q.x, y2 = q.y + q.y, z2 = q.z + q.z;
    float xx = q.x * x2, yy = q.y * y2, zz = q.z * z2;
    float xy = q.x * y2, xz = q.x * z2, yz = q.y * z2;
    float wx = q.w * x2, wy = q.w * y2, wz = q.w * z2;
    return (struct mat3){{{1.0f - yy - zz, xy + wz, xz - wy},
                          {xy - wz, 1.0f - xx - zz, yz + wx},
                          {xz + wy, yz - wx, 1.0f - xx - yy}}};
}

// From the body's axes to the world's, and back.
static inline vec3 mat_out(const struct mat3 *m, vec3 v) {
    return vec_along(vec_along(vec_scale(m->axis[0], v.x), v.y, m->axis[1]), v.z, m->axis[2]);
}
static inline vec3 mat_in(const struct mat3 *m, vec3 v) {
    return vec(vec_dot(m->axis[0], v), vec_dot(m->axis[1], v), vec_dot(m->axis[2], v));
}

static inline cosm_quat quat_unit(cosm_quat q) {
    float scale = 1.0f / sqrtf(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    return (cosm_quat){q.w * scale, q.x * scale, q.y * scale, q.z * scale};
}

// A rotation turned on by a small rotation vector, to first order and made a unit again.
static inline cosm_quat quat_turn_on(cosm_quat q, vec3 by) {
    float x = 0.5f * by.x, y = 0.5f * by.y, z = 0.5f * by.z;
    return quat_unit(
        (cosm_quat){q.w - x * q.x - y * q.y - z * q.z, q.x + x * q.w + y * q.z - z * q.y,
                    q.y + y * q.w + z * q.x - x * q.z, q.z + z * q.w + x * q.y - y * q.x});
}

#endif
