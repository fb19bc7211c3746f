// Collisions of spheres, capsules and planes with each other and with boxes. Boxes among themselves
// are in collide_box.c.
//
// The routines are written for kinds in the order of cosm_shape; a pair that comes the other way
// round is swapped, and its normal turned. A routine leaves out points that are farther apart than
// the margin. Where two centres coincide there is no direction between them: the normal is then z.
#include "manifold.h"

// One point between two spheres.
static bool touch_spheres(vec3 a, float ra, vec3 b, float rb, float margin, uint32_t feature,
                          struct manifold *out) {
    vec3 d = vec_sub(b, a);
    float square = vec_dot(d, d);
    float reach = ra + rb + margin;
    if (square >= reach * reach) {
        return false;
    }
    float length = sqrtf(square);
    vec3 normal = length > 1e-9f ? vec_scale(d, 1.0f / length) : vec(0.0f, 0.0f, 1.0f);
    float separation = length - ra - rb;
    out->normal = normal;
    manifold_add(out, vec_along(a, ra + 0.5f * separation, normal), separation, feature);
    return true;
}

static vec3 capsule_half(const struct shape *s) {
    return vec_scale(s->axes.axis[2], s->size.z);
}

static bool sphere_sphere(const struct shape *a, const struct shape *b, float margin,
                          struct manifold *out) {
    return touch_spheres(a->centre, a->size.x, b->centre, b->size.x, margin, 0, out);
}

static bool sphere_capsule(const struct shape *a, const struct shape *b, float margin,
                           struct manifold *out) {
    float along = vec_dot(vec_sub(a->centre, b->centre), b->axes.axis[2]);
    vec3 nearest = vec_along(b->centre, clamp(along, -b->size.z, b->size.z), b->axes.axis[2]);
    return touch_spheres(a->centre, a->size.x, nearest, b->size.x, margin, 0, out);
}

// Where segment b, laid beside segment a, overlaps it: both ends of the overlap become points.
static bool touch_parallel(const struct shape *a, const struct shape *b, float margin,
                           struct manifold *out) {
    vec3 u = a->axes.axis[2];
    float middle = vec_dot(vec_sub(b->centre, a->centre), u);
    float half = b->size.z * fabsf(vec_dot(u, b->axes.axis[2]));
    float low = fmaxf(-a->size.z, middle - half);
    float high = fminf(a->size.z, middle + half);
    if (!(low < high)) {
        return false;
    }
    vec3 across = vec_sub(vec_sub(b->centre, a->centre), vec_scale(u, middle));
    float length = vec_length(across);
    if (length < 1e-6f) {
        return false;
    }
    vec3 normal = vec_scale(across, 1.0f / length);
    float toward = vec_dot(u, b->axes.axis[2]);
    const float ends[2] = {low, high};
    out->normal = normal;
    for (uint32_t k = 0; k < 2; k++) {
        float on_b = clamp((ends[k] - middle) / toward, -b->size.z, b->size.z);
        vec3 pa = vec_along(a->centre, ends[k], u);
        vec3 pb = vec_along(b->centre, on_b, b->axes.axis[2]);
        float separation = vec_dot(vec_sub(pb, pa), normal) - a->size.x - b->size.x;
        if (separation < margin) {
            manifold_add(out, vec_along(pa, a->size.x + 0.5f * separation, normal), separation, k);
        }
    }
    return out->count > 0;
}

static bool capsule_capsule(const struct shape *a, const struct shape *b, float margin,
                            struct manifold *out) {
    vec3 u = a->axes.axis[2], w = b->axes.axis[2], d = vec_sub(b->centre, a->centre);
    float e = vec_dot(u, w), du = vec_dot(d, u), dw = vec_dot(d, w);
    float square = 1.0f - e * e;
    if (square < 1e-3f && touch_parallel(a, b, margin, out)) {
        return true;
    }
    out->count = 0;
    // The nearest points of the two lines, then of the segments.
    float s = square > 1e-6f ? clamp((du - e * dw) / square, -a->size.z, a->size.z) : 0.0f;
    float t = clamp(e * s - dw, -b->size.z, b->size.z);
    s = clamp(e * t + du, -a->size.z, a->size.z);
    return touch_spheres(vec_along(a->centre, s, u), a->size.x, vec_along(b->centre, t, w),
                         b->size.x, margin, 4, out);
}

// The face of a box that a point inside is nearest to: normal out of the box, and the distance to
// the face, negative inside.
static float nearest_face(vec3 local, vec3 half, int *out_axis) {
    float best = -1e30f;
    for (int i = 0; i < 3; i++) {
        float s = fabsf(vec_at(local, i)) - vec_at(half, i);
        if (s > best) {
            best = s;
            *out_axis = i;
        }
    }
    return best;
}

static bool sphere_box(const struct shape *a, const struct shape *b, float margin,
                       struct manifold *out) {
    vec3 local = mat_in(&b->axes, vec_sub(a->centre, b->centre)), h = b->size;
    vec3 on = vec(clamp(local.x, -h.x, h.x), clamp(local.y, -h.y, h.y), clamp(local.z, -h.z, h.z));
    vec3 d = vec_sub(local, on);
    float square = vec_dot(d, d), reach = a->size.x + margin;
    if (square >= reach * reach) {
        return false;
    }
    if (square > 1e-12f) {
        float length = sqrtf(square), separation = length - a->size.x;
        vec3 outward = mat_out(&b->axes, vec_scale(d, 1.0f / length));
        vec3 at = vec_along(vec_add(b->centre, mat_out(&b->axes, on)), 0.5f * separation, outward);
        out->normal = vec_scale(outward, -1.0f);
        manifold_add(out, at, separation, 0);
        return true;
    }
    int axis = 0;
    float depth = nearest_face(local, h, &axis);
    float sign = vec_at(local, axis) < 0.0f ? -1.0f : 1.0f;
    vec3 outward = vec_scale(b->axes.axis[axis], sign);
    out->normal = vec_scale(outward, -1.0f);
    float separation = depth - a->size.x;
    manifold_add(out, vec_along(a->centre, 0.5f * separation - depth, outward), separation,
                 1u + (uint32_t)axis);
    return true;
}

// How fast the squared distance of p + t d to a box grows with t, halved. It never falls as t
// grows, since the box is convex.
static float slope_at(vec3 p, vec3 d, vec3 h, float t) {
    float sum = 0.0f;
    for (int i = 0; i < 3; i++) {
        float x = vec_at(p, i) + t * vec_at(d, i), limit = vec_at(h, i);
        sum += vec_at(d, i) * (x - clamp(x, -limit, limit));
    }
    return sum;
}

// The t in [-1, 1] at which p + t d is nearest to a box. The slope is linear between the places
// where the line crosses a face's plane: find the two neighbours between which it changes its sign.
static float nearest_on_segment(vec3 p, vec3 d, vec3 h) {
    float low = -1.0f, high = 1.0f;
    float slope_low = slope_at(p, d, h, low), slope_high = slope_at(p, d, h, high);
    if (slope_low >= 0.0f || slope_high <= 0.0f) {
        // Flat over the whole segment (it runs through the box): take the middle.
        bool is_flat = slope_low == 0.0f && slope_high == 0.0f;
        return is_flat ? 0.0f : slope_low >= 0.0f ? low : high;
    }
    for (int i = 0; i < 6; i++) {
        float speed = vec_at(d, i % 3), limit = i < 3 ? vec_at(h, i % 3) : -vec_at(h, i % 3);
        if (fabsf(speed) < 1e-12f) {
            continue;
        }
        float t = (limit - vec_at(p, i % 3)) / speed;
        if (t > low && t < high) {
            float slope = slope_at(p, d, h, t);
            if (slope <= 0.0f) {
                low = t, slope_low = slope;
            } else {
                high = t, slope_high = slope;
            }
        }
    }
    float rise = slope_high - slope_low;
    return rise > 0.0f ? low - slope_low * (high - low) / rise : low;
}

// Both ends of a segment, cut to the sides of the box's face on `axis`, as points.
static void clip_segment(const struct shape *capsule, const struct shape *box, vec3 p, vec3 d,
                         int axis, float sign, float margin, struct manifold *out) {
    float low = -1.0f, high = 1.0f;
    for (int i = 0; i < 3; i++) {
        float x = vec_at(p, i), speed = vec_at(d, i), limit = vec_at(box->size, i);
        if (i == axis || fabsf(speed) < 1e-12f) {
            continue;
        }
        float t0 = (-limit - x) / speed, t1 = (limit - x) / speed;
        low = fmaxf(low, fminf(t0, t1));
        high = fminf(high, fmaxf(t0, t1));
    }
    vec3 outward = vec_scale(box->axes.axis[axis], sign);
    const float ends[2] = {low, high};
    for (uint32_t k = 0; k < 2 && low < high; k++) {
        vec3 local = vec_along(p, ends[k], d);
        float height = sign * vec_at(local, axis) - vec_at(box->size, axis);
        float separation = height - capsule->size.x;
        if (separation < margin) {
            vec3 at = vec_add(box->centre, mat_out(&box->axes, local));
            manifold_add(out, vec_along(at, 0.5f * separation - height, outward), separation,
                         8u + 2u * (uint32_t)axis + k);
        }
    }
    out->normal = vec_scale(outward, -1.0f);
}

static bool capsule_box(const struct shape *a, const struct shape *b, float margin,
                        struct manifold *out) {
    vec3 p = mat_in(&b->axes, vec_sub(a->centre, b->centre)), h = b->size;
    vec3 d = mat_in(&b->axes, capsule_half(a));
    vec3 local = vec_along(p, nearest_on_segment(p, d, h), d);
    vec3 on = vec(clamp(local.x, -h.x, h.x), clamp(local.y, -h.y, h.y), clamp(local.z, -h.z, h.z));
    vec3 away = vec_sub(local, on);
    float length = vec_length(away);
    if (length >= a->size.x + margin) {
        return false;
    }
    int axis = 0;
    float sign = 1.0f;
    bool is_face = false;
    if (length > 1e-6f) {
        vec3 n = vec_scale(away, 1.0f / length);
        for (int i = 0; i < 3; i++) {
            if (fabsf(vec_at(n, i)) > 0.99f) {
                axis = i, sign = vec_at(n, i) < 0.0f ? -1.0f : 1.0f, is_face = true;
            }
        }
    } else {
        // The segment is inside: out by the face that it is least deep behind.
        float best = -1e30f;
        for (int i = 0; i < 6; i++) {
            float s = i < 3 ? 1.0f : -1.0f;
            int k = i % 3;
            float lowest = s * vec_at(p, k) - fabsf(vec_at(d, k)) - vec_at(h, k);
            if (lowest > best) {
                best = lowest, axis = k, sign = s;
            }
        }
        is_face = true;
    }
    if (is_face) {
        clip_segment(a, b, p, d, axis, sign, margin, out);
        if (out->count > 0) {
            return true;
        }
    }
    out->count = 0;
    struct shape ball = {COSM_SHAPE_SPHERE, vec_add(b->centre, mat_out(&b->axes, local)), a->size,
                         a->axes};
    return sphere_box(&ball, b, margin, out);
}

// Planes come second in the order of kinds, so these normals point from the shape into the plane.
static float plane_height(const struct shape *plane, vec3 at) {
    return vec_dot(vec_sub(at, plane->centre), plane->axes.axis[2]);
}

static void add_plane_point(const struct shape *plane, vec3 at, float radius, float margin,
                            uint32_t feature, struct manifold *out) {
    float height = plane_height(plane, at), separation = height - radius;
    if (separation < margin) {
        vec3 up = plane->axes.axis[2];
        manifold_add(out, vec_along(at, 0.5f * separation - height, up), separation, feature);
    }
}

static bool sphere_plane(const struct shape *a, const struct shape *plane, float margin,
                         struct manifold *out) {
    out->normal = vec_scale(plane->axes.axis[2], -1.0f);
    add_plane_point(plane, a->centre, a->size.x, margin, 0, out);
    return out->count > 0;
}

static bool capsule_plane(const struct shape *a, const struct shape *plane, float margin,
                          struct manifold *out) {
    vec3 half = capsule_half(a);
    out->normal = vec_scale(plane->axes.axis[2], -1.0f);
    add_plane_point(plane, vec_sub(a->centre, half), a->size.x, margin, 0, out);
    add_plane_point(plane, vec_add(a->centre, half), a->size.x, margin, 1, out);
    return out->count > 0;
}

// The four corners of the face that looks most against the plane's normal.
static bool box_plane(const struct shape *a, const struct shape *plane, float margin,
                      struct manifold *out) {
    vec3 up = plane->axes.axis[2];
    float d[3];
    for (int i = 0; i < 3; i++) {
        d[i] = vec_dot(a->axes.axis[i], up);
    }
    int f = fabsf(d[0]) > fabsf(d[1]) ? (fabsf(d[0]) > fabsf(d[2]) ? 0 : 2)
                                      : (fabsf(d[1]) > fabsf(d[2]) ? 1 : 2);
    int j = (f + 1) % 3, k = (f + 2) % 3;
    float down = d[f] > 0.0f ? -1.0f : 1.0f;
    vec3 centre = vec_along(a->centre, down * vec_at(a->size, f), a->axes.axis[f]);
    vec3 e1 = vec_scale(a->axes.axis[j], vec_at(a->size, j));
    vec3 e2 = vec_scale(a->axes.axis[k], vec_at(a->size, k));
    static const float s1[4] = {1, -1, -1, 1}, s2[4] = {1, 1, -1, -1};
    out->normal = vec_scale(up, -1.0f);
    for (uint32_t i = 0; i < 4; i++) {
        vec3 corner = vec_along(vec_along(centre, s1[i], e1), s2[i], e2);
        add_plane_point(plane, corner, 0.0f, margin, (uint32_t)f * 4u + i, out);
    }
    return out->count > 0;
}

typedef bool collide_fn(const struct shape *a, const struct shape *b, float margin,
                        struct manifold *out);

static collide_fn *const routines[4][4] = {
    [COSM_SHAPE_SPHERE] = {sphere_sphere, sphere_capsule, sphere_box, sphere_plane},
    [COSM_SHAPE_CAPSULE] = {NULL, capsule_capsule, capsule_box, capsule_plane},
    [COSM_SHAPE_BOX] = {NULL, NULL, cosmi_physics_collide_boxes, box_plane},
};

bool cosmi_physics_collide(const struct shape *a, const struct shape *b, float margin,
                           struct manifold *out) {
    out->count = 0;
    if (a->kind <= b->kind) {
        return routines[a->kind][b->kind](a, b, margin, out);
    }
    bool is_near = routines[b->kind][a->kind](b, a, margin, out);
    out->normal = vec_scale(out->normal, -1.0f);
    return is_near;
}
