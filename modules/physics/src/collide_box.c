// Collisions of boxes: separating axes, then the incident face cut to the reference face.
//
// Fifteen axes may separate two boxes: three face normals of each, and nine products of their
// edges. The one with the largest separation gives the normal. Faces are preferred a little, and
// the first box's over the second's, so that a resting box keeps its features from step to step.
#include "manifold.h"

#define FACE_GAIN 0.005f // in meters: how much better an axis of the next kind has to be

struct overlap {
    const struct shape *a, *b;
    vec3 d;        // from a to b
    float c[3][3]; // products of their axes
    float da[3], db[3];
    float face_a, face_b, edge; // the largest separations
    int axis_a, axis_b, edge_i, edge_j;
};

static void find_axes(struct overlap *o) {
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            o->c[i][j] = vec_dot(o->a->axes.axis[i], o->b->axes.axis[j]);
        }
        o->da[i] = vec_dot(o->d, o->a->axes.axis[i]);
        o->db[i] = vec_dot(o->d, o->b->axes.axis[i]);
    }
}

static void test_faces(struct overlap *o) {
    vec3 a = o->a->size, b = o->b->size;
    o->face_a = o->face_b = -1e30f;
    for (int i = 0; i < 3; i++) {
        float reach = vec_at(a, i) + b.x * fabsf(o->c[i][0]) + b.y * fabsf(o->c[i][1]) +
                      b.z * fabsf(o->c[i][2]);
        float s = fabsf(o->da[i]) - reach;
        if (s > o->face_a) {
            o->face_a = s, o->axis_a = i;
        }
        reach = vec_at(b, i) + a.x * fabsf(o->c[0][i]) + a.y * fabsf(o->c[1][i]) +
                a.z * fabsf(o->c[2][i]);
        s = fabsf(o->db[i]) - reach;
        if (s > o->face_b) {
            o->face_b = s, o->axis_b = i;
        }
    }
}

static void test_edges(struct overlap *o) {
    const float a[3] = {o->a->size.x, o->a->size.y, o->a->size.z};
    const float b[3] = {o->b->size.x, o->b->size.y, o->b->size.z};
    o->edge = -1e30f;
    for (int i = 0; i < 3; i++) {
        int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        for (int j = 0; j < 3; j++) {
            int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            float square = 1.0f - o->c[i][j] * o->c[i][j];
            if (square < 1e-4f) {
                continue; // nearly parallel: the faces say all there is to say
            }
            float reach = a[i1] * fabsf(o->c[i2][j]) + a[i2] * fabsf(o->c[i1][j]) +
                          b[j1] * fabsf(o->c[i][j2]) + b[j2] * fabsf(o->c[i][j1]);
            float s = fabsf(o->da[i2] * o->c[i1][j] - o->da[i1] * o->c[i2][j]) - reach;
            s /= sqrtf(square);
            if (s > o->edge) {
                o->edge = s, o->edge_i = i, o->edge_j = j;
            }
        }
    }
}

// Two edges that cross touch in one point.
static void touch_edges(const struct overlap *o, struct manifold *out) {
    const struct mat3 *ra = &o->a->axes, *rb = &o->b->axes;
    vec3 n = vec_cross(ra->axis[o->edge_i], rb->axis[o->edge_j]);
    n = vec_scale(n, (vec_dot(n, o->d) < 0.0f ? -1.0f : 1.0f) / vec_length(n));
    vec3 on_a = o->a->centre, on_b = o->b->centre;
    for (int k = 0; k < 3; k++) {
        float ha = vec_at(o->a->size, k), hb = vec_at(o->b->size, k);
        if (k != o->edge_i) {
            on_a = vec_along(on_a, vec_dot(ra->axis[k], n) > 0.0f ? ha : -ha, ra->axis[k]);
        }
        if (k != o->edge_j) {
            on_b = vec_along(on_b, vec_dot(rb->axis[k], n) > 0.0f ? -hb : hb, rb->axis[k]);
        }
    }
    vec3 w = vec_sub(on_a, on_b);
    float e = o->c[o->edge_i][o->edge_j];
    float p = vec_dot(ra->axis[o->edge_i], w), q = vec_dot(rb->axis[o->edge_j], w);
    float s = (e * q - p) / (1.0f - e * e), t = (q - e * p) / (1.0f - e * e);
    vec3 pa = vec_along(on_a, s, ra->axis[o->edge_i]), pb = vec_along(on_b, t, rb->axis[o->edge_j]);
    out->normal = n;
    manifold_add(out, vec_scale(vec_add(pa, pb), 0.5f), o->edge,
                 1000u + 3u * (uint32_t)o->edge_i + (uint32_t)o->edge_j);
}

// A corner of a polygon in the frame of the reference face: x and y in it, z the distance from it.
struct corner {
    float at[3];
    uint32_t feature;
};

// Keeps the part of a polygon on one side of a line: at[axis] * sign <= limit. Returns its corners.
static int clip_side(const struct corner *from, int n, int axis, float sign, float limit,
                     uint32_t side, struct corner *to) {
    int m = 0;
    for (int i = 0; i < n; i++) {
        const struct corner *p = &from[i], *q = &from[i + 1 == n ? 0 : i + 1];
        float dp = sign * p->at[axis] - limit, dq = sign * q->at[axis] - limit;
        if (dp <= 0.0f) {
            to[m++] = *p;
        }
        if ((dp < 0.0f && dq > 0.0f) || (dp > 0.0f && dq < 0.0f)) {
            float t = dp / (dp - dq);
            for (int k = 0; k < 3; k++) {
                to[m].at[k] = p->at[k] + t * (q->at[k] - p->at[k]);
            }
            to[m++].feature = 8u + 4u * side + (dp > 0.0f ? 1u : 0u) + 32u * (p->feature & 15u);
        }
    }
    return m;
}

// Keeps four of up to eight points: the deepest, the one farthest from it, and the outermost on
// either side of the line between them.
static void reduce(struct manifold *out, const struct manifold_point *p, int n) {
    int pick[4] = {0, 0, -1, -1};
    for (int i = 1; i < n; i++) {
        pick[0] = p[i].separation < p[pick[0]].separation ? i : pick[0];
    }
    float best = -1.0f, high = 1e-6f, low = -1e-6f;
    for (int i = 0; i < n; i++) {
        vec3 d = vec_sub(p[i].at, p[pick[0]].at);
        float square = vec_dot(d, d);
        if (square > best) {
            best = square, pick[1] = i;
        }
    }
    vec3 line = vec_cross(vec_sub(p[pick[1]].at, p[pick[0]].at), out->normal);
    for (int i = 0; i < n; i++) {
        float s = vec_dot(vec_sub(p[i].at, p[pick[0]].at), line);
        if (i == pick[0] || i == pick[1]) {
            continue;
        }
        if (s > high) {
            high = s, pick[2] = i;
        } else if (s < low) {
            low = s, pick[3] = i;
        }
    }
    for (int k = 0; k < 4; k++) {
        if (pick[k] >= 0 && (k != 1 || pick[1] != pick[0])) {
            out->points[out->count++] = p[pick[k]];
        }
    }
}

// The face of `other` that looks most against the reference face, as a polygon in its frame.
static void incident_face(const struct shape *base, const struct shape *other, int axis,
                          vec3 normal, struct corner out[4]) {
    vec3 u = base->axes.axis[(axis + 1) % 3], w = base->axes.axis[(axis + 2) % 3];
    float d[3];
    for (int i = 0; i < 3; i++) {
        d[i] = vec_dot(other->axes.axis[i], normal);
    }
    int f = fabsf(d[0]) > fabsf(d[1]) ? (fabsf(d[0]) > fabsf(d[2]) ? 0 : 2)
                                      : (fabsf(d[1]) > fabsf(d[2]) ? 1 : 2);
    int j = (f + 1) % 3, k = (f + 2) % 3;
    float sign = d[f] > 0.0f ? -1.0f : 1.0f;
    vec3 centre = vec_along(other->centre, sign * vec_at(other->size, f), other->axes.axis[f]);
    centre = vec_sub(centre, base->centre);
    vec3 e1 = vec_scale(other->axes.axis[j], vec_at(other->size, j));
    vec3 e2 = vec_scale(other->axes.axis[k], vec_at(other->size, k));
    static const float s1[4] = {1, -1, -1, 1}, s2[4] = {1, 1, -1, -1};
    for (uint32_t i = 0; i < 4; i++) {
        vec3 p = vec_along(vec_along(centre, s1[i], e1), s2[i], e2);
        out[i].at[0] = vec_dot(p, u);
        out[i].at[1] = vec_dot(p, w);
        out[i].at[2] = vec_dot(p, normal) - vec_at(base->size, axis);
        out[i].feature = i;
    }
}

// `normal` points out of the face of `base` on `axis`.
static void touch_faces(const struct shape *base, const struct shape *other, int axis, vec3 normal,
                        uint32_t feature, float margin, struct manifold *out) {
    struct corner polygon[2][16];
    int from = 0, n = 4, count = 0;
    incident_face(base, other, axis, normal, polygon[0]);
    for (uint32_t side = 0; side < 4 && n > 0; side++) {
        int k = (int)(side >> 1);
        float limit = vec_at(base->size, (axis + 1 + k) % 3);
        n = clip_side(polygon[from], n, k, side & 1u ? -1.0f : 1.0f, limit, side,
                      polygon[from ^ 1]);
        from ^= 1;
    }
    struct manifold_point found[16];
    vec3 u = base->axes.axis[(axis + 1) % 3], w = base->axes.axis[(axis + 2) % 3];
    vec3 origin = vec_along(base->centre, vec_at(base->size, axis), normal);
    for (int i = 0; i < n; i++) {
        const struct corner *p = &polygon[from][i];
        if (p->at[2] < margin) {
            vec3 at = vec_along(vec_along(origin, p->at[0], u), p->at[1], w);
            found[count++] = (struct manifold_point){vec_along(at, 0.5f * p->at[2], normal),
                                                     p->at[2], 0.0f, p->feature + feature};
        }
    }
    if (count > MANIFOLD_POINT_MAX) {
        reduce(out, found, count);
        return;
    }
    for (int i = 0; i < count; i++) {
        out->points[out->count++] = found[i];
    }
}

bool cosmi_physics_collide_boxes(const struct shape *a, const struct shape *b, float margin,
                                 struct manifold *out) {
    struct overlap o = {.a = a, .b = b, .d = vec_sub(b->centre, a->centre)};
    find_axes(&o);
    test_faces(&o);
    if (o.face_a > margin || o.face_b > margin) {
        return false;
    }
    test_edges(&o);
    if (o.edge > margin) {
        return false;
    }
    float face = o.face_a > o.face_b ? o.face_a : o.face_b;
    if (o.edge > 0.98f * face + 0.01f && o.edge > face + FACE_GAIN) {
        touch_edges(&o, out);
    } else if (o.face_b > o.face_a + FACE_GAIN) {
        vec3 n = vec_scale(b->axes.axis[o.axis_b], o.db[o.axis_b] > 0.0f ? -1.0f : 1.0f);
        out->normal = n;
        touch_faces(b, a, o.axis_b, n, 500, margin, out);
        out->normal = vec_scale(n, -1.0f);
    } else {
        vec3 n = vec_scale(a->axes.axis[o.axis_a], o.da[o.axis_a] < 0.0f ? -1.0f : 1.0f);
        out->normal = n;
        touch_faces(a, b, o.axis_a, n, 0, margin, out);
    }
    return out->count > 0;
}
