// The body of the solver, compiled once for each instruction set: wide_plain.c and wide_avx2.c
// define SOLVER, the name of their table, and include this.
//
// Lanes never mix: what a lane does depends on its own manifold only. Points and terms that it does
// not have, but that another lane has, add zeros to it. A zero can turn -0 into 0 and does nothing
// else, since nothing here divides by a speed or looks at its sign bit; scatter.c turns every -0
// into 0 before it writes state, so a manifold gets the same bits in any company.
#include "solve.h"

LANE_FN lanes row_at(const float *base, uint32_t row) {
    lanes out;
    memcpy(&out, base + (size_t)row * LANE_COUNT, sizeof(out));
    return out;
}

LANE_FN void load(const float *base, const uint32_t rows[LANE_COUNT], lanes out[LANE_COUNT]) {
    for (int l = 0; l < LANE_COUNT; l++) {
        out[l] = row_at(base, rows[l]);
    }
    transpose(out);
}

// The first three and the next three floats of a row, as two vectors.
LANE_FN void load_pair(const float *base, const uint32_t rows[LANE_COUNT], struct lane_vec *first,
                       struct lane_vec *second) {
    lanes r[LANE_COUNT];
    load(base, rows, r);
    *first = (struct lane_vec){r[0], r[1], r[2]};
    *second = (struct lane_vec){r[3], r[4], r[5]};
}

LANE_FN void store_pair(float *base, const uint32_t rows[LANE_COUNT], struct lane_vec first,
                        struct lane_vec second) {
    lanes r[LANE_COUNT] = {first.x, first.y, first.z, second.x, second.y, second.z, all(0), all(0)};
    transpose(r);
    for (int l = 0; l < LANE_COUNT; l++) {
        memcpy(base + (size_t)rows[l] * LANE_COUNT, &r[l], sizeof(r[l]));
    }
}

// A symmetric matrix (xx yy zz xy xz yz) by a vector.
LANE_FN struct lane_vec turn_by(const lanes m[LANE_COUNT], struct lane_vec v) {
    return (struct lane_vec){m[0] * v.x + m[3] * v.y + m[4] * v.z,
                             m[3] * v.x + m[1] * v.y + m[5] * v.z,
                             m[4] * v.x + m[5] * v.y + m[2] * v.z};
}

LANE_FN lanes inverse_or_zero(lanes k) {
    return choose(k > 1e-12f, 1.0f / k, all(0));
}

// ---- prepare ----

// The numbers of a manifold, lane by lane, before they are vectors.
struct raw {
    float normal[3][LANE_COUNT], slide[3][LANE_COUNT], surface[3][LANE_COUNT];
    float twist[LANE_COUNT], count[LANE_COUNT], kinematic[LANE_COUNT];
    float friction[LANE_COUNT], restitution[LANE_COUNT], rolling[LANE_COUNT];
    float at[MANIFOLD_POINT_MAX][3][LANE_COUNT];
    float separation[MANIFOLD_POINT_MAX][LANE_COUNT], impulse[MANIFOLD_POINT_MAX][LANE_COUNT];
    float is_on[MANIFOLD_POINT_MAX][LANE_COUNT];
};

LANE_FN lanes of(const float from[LANE_COUNT]) {
    lanes out;
    memcpy(&out, from, sizeof(out));
    return out;
}

LANE_FN struct lane_vec vec_of(const void *from_rows) {
    const float *from =
        from_rows; // three rows: C has no pointer to arrays of const from plain ones
    return (struct lane_vec){of(from), of(from + LANE_COUNT), of(from + 2 * LANE_COUNT)};
}

static inline void set_vec(float to[3][LANE_COUNT], int lane, vec3 v) {
    to[0][lane] = v.x;
    to[1][lane] = v.y;
    to[2][lane] = v.z;
}

static void read_lane(const struct manifold *m, int lane, struct raw *raw,
                      struct wide_contact *out) {
    set_vec(raw->normal, lane, m->normal);
    set_vec(raw->slide, lane, m->slide);
    set_vec(raw->surface, lane, m->surface);
    raw->twist[lane] = m->twist;
    raw->count[lane] = (float)m->count;
    raw->friction[lane] = m->friction;
    raw->restitution[lane] = m->restitution;
    raw->rolling[lane] = m->rolling;
    out->has_rolling |= m->rolling > 0.0f;
    out->has_restitution |= m->restitution > 0.0f;
    out->point_count = m->count > out->point_count ? m->count : out->point_count;
    for (uint32_t k = 0; k < m->count; k++) {
        set_vec(raw->at[k], lane, m->points[k].at);
        raw->separation[k][lane] = m->points[k].separation;
        raw->impulse[k][lane] = m->points[k].impulse;
        raw->is_on[k][lane] = 1.0f;
    }
}

// The inverse inertias and masses of both sides of a contact.
struct sides {
    lanes ia[LANE_COUNT], ib[LANE_COUNT];
    struct lane_vec pa, pb; // centres of mass
    struct lane_vec va, wa, vb, wb;
};

LANE_FN void load_sides(const struct solve *solve, const struct wide_contact *c, struct sides *s) {
    struct lane_vec unused;
    load(solve->inertia, c->row_a, s->ia);
    load(solve->inertia, c->row_b, s->ib);
    load_pair(solve->centre, c->row_a, &s->pa, &unused);
    load_pair(solve->centre, c->row_b, &s->pb, &unused);
    load_pair(solve->velocity, c->row_a, &s->va, &s->wa);
    load_pair(solve->velocity, c->row_b, &s->vb, &s->wb);
}

LANE_FN void prepare_point(struct wide_contact *c, const struct sides *s, const struct raw *raw,
                           uint32_t k) {
    struct wide_point *p = &c->points[k];
    struct lane_vec at = vec_of(raw->at[k]);
    lanes is_on = of(raw->is_on[k]);
    p->turn_a = lane_cross(lane_sub(at, s->pa), c->n);
    p->turn_b = lane_cross(lane_sub(at, s->pb), c->n);
    p->twist_a = turn_by(s->ia, p->turn_a);
    p->twist_b = turn_by(s->ib, p->turn_b);
    lanes k_b = c->mass_b + lane_dot(p->turn_b, p->twist_b);
    p->mass = is_on * inverse_or_zero(k_b + c->mass_a + lane_dot(p->turn_a, p->twist_a));
    p->separation = choose(is_on > 0.0f, of(raw->separation[k]), all(1e6f));
    p->impulse = of(raw->impulse[k]);
    p->speed = lane_dot(c->n, s->vb) + lane_dot(p->turn_b, s->wb) -
               (lane_dot(c->n, s->va) + lane_dot(p->turn_a, s->wa));
    p->largest = all(0);
}

LANE_FN void prepare_friction(struct wide_contact *c, const struct sides *s,
                              const struct raw *raw) {
    lanes count = of(raw->count), live = choose(count > 0.0f, all(1), all(0));
    lanes share = live / lanes_max(count, all(1));
    struct lane_vec centre = {all(0), all(0), all(0)};
    for (uint32_t k = 0; k < MANIFOLD_POINT_MAX; k++) {
        centre = lane_along(centre, of(raw->is_on[k]), vec_of(raw->at[k]));
    }
    centre = (struct lane_vec){centre.x * share, centre.y * share, centre.z * share};
    for (uint32_t k = 0; k < MANIFOLD_POINT_MAX; k++) {
        struct lane_vec d = lane_sub(vec_of(raw->at[k]), centre);
        c->points[k].radius = lanes_sqrt(lane_dot(d, d));
    }
    struct lane_vec ra = lane_sub(centre, s->pa), rb = lane_sub(centre, s->pb);
    c->turn1_a = lane_cross(ra, c->t1), c->turn2_a = lane_cross(ra, c->t2);
    c->turn1_b = lane_cross(rb, c->t1), c->turn2_b = lane_cross(rb, c->t2);
    c->twist1_a = turn_by(s->ia, c->turn1_a), c->twist2_a = turn_by(s->ia, c->turn2_a);
    c->twist1_b = turn_by(s->ib, c->turn1_b), c->twist2_b = turn_by(s->ib, c->turn2_b);
    c->twist_a = turn_by(s->ia, c->n), c->twist_b = turn_by(s->ib, c->n);
    lanes mass = c->mass_a + c->mass_b;
    lanes k11 = mass + lane_dot(c->turn1_b, c->twist1_b) + lane_dot(c->turn1_a, c->twist1_a);
    lanes k22 = mass + lane_dot(c->turn2_b, c->twist2_b) + lane_dot(c->turn2_a, c->twist2_a);
    lanes k12 = lane_dot(c->turn1_b, c->twist2_b) + lane_dot(c->turn1_a, c->twist2_a);
    lanes inverse = live * inverse_or_zero(k11 * k22 - k12 * k12);
    c->f11 = k22 * inverse, c->f22 = k11 * inverse, c->f12 = -k12 * inverse;
    lanes kn = lane_dot(c->n, c->twist_b) + lane_dot(c->n, c->twist_a);
    c->twist_mass = live * inverse_or_zero(kn);
    // Rolling acts about all axes alike: one mass, that of the easiest one is never too large.
    lanes trace = s->ia[0] + s->ia[1] + s->ia[2] + s->ib[0] + s->ib[1] + s->ib[2];
    c->roll_mass = live * inverse_or_zero(trace);
    struct lane_vec slide = vec_of(raw->slide), surface = vec_of(raw->surface);
    c->slide1 = lane_dot(slide, c->t1), c->slide2 = lane_dot(slide, c->t2);
    c->drive1 = lane_dot(surface, c->t1), c->drive2 = lane_dot(surface, c->t2);
    c->twist = of(raw->twist);
}

// Two directions across the normal, without a branch.
LANE_FN void set_tangents(struct wide_contact *c) {
    struct lane_vec n = c->n;
    lanes sign = choose(n.z < 0.0f, all(-1), all(1));
    lanes u = -1.0f / (sign + n.z), xy = n.x * n.y * u;
    c->t1 = (struct lane_vec){1.0f + sign * n.x * n.x * u, sign * xy, -sign * n.x};
    c->t2 = (struct lane_vec){xy, sign + n.y * n.y * u, -n.y};
}

static void prepare(const struct solve *solve, const struct manifold *const from[LANE_COUNT],
                    const uint32_t rows[LANE_COUNT][2], struct wide_contact *out) {
    struct raw raw;
    memset(&raw, 0, sizeof(raw));
    out->has_rolling = out->has_restitution = out->is_pair = false;
    out->point_count = 0;
    for (int l = 0; l < LANE_COUNT; l++) {
        out->row_a[l] = from[l] != NULL ? rows[l][0] : 0;
        out->row_b[l] = from[l] != NULL ? rows[l][1] : 0;
        out->is_pair |= out->row_a[l] != 0;
        if (from[l] != NULL) {
            read_lane(from[l], l, &raw, out);
        }
    }
    struct sides s;
    load_sides(solve, out, &s);
    out->n = vec_of(raw.normal);
    set_tangents(out);
    out->mass_a = s.ia[6], out->mass_b = s.ib[6];
    out->friction = of(raw.friction);
    out->restitution = of(raw.restitution);
    out->rolling = of(raw.rolling);
    lane_mask is_soft = (out->mass_a > 0.0f) & (out->mass_b > 0.0f);
    out->rate = choose(is_soft, all(solve->pair.rate), all(solve->fixed.rate));
    out->mass_scale = choose(is_soft, all(solve->pair.mass_scale), all(solve->fixed.mass_scale));
    out->impulse_scale =
        choose(is_soft, all(solve->pair.impulse_scale), all(solve->fixed.impulse_scale));
    for (uint32_t k = 0; k < MANIFOLD_POINT_MAX; k++) {
        prepare_point(out, &s, &raw, k);
    }
    prepare_friction(out, &s, &raw);
}

// ---- sweeps ----

// The velocities of both bodies while a contact is at work. Sides without a row are left out: the
// functions below are inlined with a constant `is_pair`.
struct speeds {
    struct lane_vec va, wa, vb, wb;
};

LANE_FN void load_speeds(const struct solve *solve, const struct wide_contact *c, struct speeds *s,
                         bool is_pair) {
    load_pair(solve->velocity, c->row_b, &s->vb, &s->wb);
    if (is_pair) {
        load_pair(solve->velocity, c->row_a, &s->va, &s->wa);
    }
}

LANE_FN void store_speeds(struct solve *solve, const struct wide_contact *c, const struct speeds *s,
                          bool is_pair) {
    store_pair(solve->velocity, c->row_b, s->vb, s->wb);
    if (is_pair) {
        store_pair(solve->velocity, c->row_a, s->va, s->wa);
    }
}

LANE_FN void warm_start(struct solve *solve, struct wide_contact *c, bool is_pair) {
    struct speeds s;
    load_speeds(solve, c, &s, is_pair);
    lanes total = all(0);
    for (uint32_t k = 0; k < c->point_count; k++) {
        struct wide_point *p = &c->points[k];
        total += p->impulse;
        s.wb = lane_along(s.wb, p->impulse, p->twist_b);
        if (is_pair) {
            s.wa = lane_against(s.wa, p->impulse, p->twist_a);
        }
    }
    struct lane_vec push = {total * c->n.x, total * c->n.y, total * c->n.z};
    push = lane_along(lane_along(push, c->slide1, c->t1), c->slide2, c->t2);
    s.vb = lane_along(s.vb, c->mass_b, push);
    s.wb = lane_along(lane_along(s.wb, c->slide1, c->twist1_b), c->slide2, c->twist2_b);
    s.wb = lane_along(s.wb, c->twist, c->twist_b);
    if (is_pair) {
        s.va = lane_against(s.va, c->mass_a, push);
        s.wa = lane_against(lane_against(s.wa, c->slide1, c->twist1_a), c->slide2, c->twist2_a);
        s.wa = lane_against(s.wa, c->twist, c->twist_a);
    }
    store_speeds(solve, c, &s, is_pair);
}

// An impulse along the normal at a point.
LANE_FN void push_point(const struct wide_contact *c, const struct wide_point *p, lanes by,
                        struct speeds *s, bool is_pair) {
    s->vb = lane_along(s->vb, by * c->mass_b, c->n);
    s->wb = lane_along(s->wb, by, p->twist_b);
    if (is_pair) {
        s->va = lane_against(s->va, by * c->mass_a, c->n);
        s->wa = lane_against(s->wa, by, p->twist_a);
    }
}

LANE_FN lanes point_speed(const struct wide_contact *c, const struct wide_point *p,
                          const struct speeds *s, bool is_pair) {
    lanes speed = lane_dot(c->n, s->vb) + lane_dot(p->turn_b, s->wb);
    return is_pair ? speed - (lane_dot(c->n, s->va) + lane_dot(p->turn_a, s->wa)) : speed;
}

LANE_FN void solve_normals(const struct solve *solve, struct wide_contact *c, struct speeds *s,
                           bool use_push, bool is_pair) {
    struct lane_vec xa, qa, xb, qb;
    load_pair(solve->moved, c->row_b, &xb, &qb);
    lanes nearer = lane_dot(c->n, xb);
    if (is_pair) {
        load_pair(solve->moved, c->row_a, &xa, &qa);
        nearer -= lane_dot(c->n, xa);
    }
    float inverse_h = 1.0f / solve->h;
    for (uint32_t k = 0; k < c->point_count; k++) {
        struct wide_point *p = &c->points[k];
        lanes apart = p->separation + nearer + lane_dot(p->turn_b, qb);
        if (is_pair) {
            apart -= lane_dot(p->turn_a, qa);
        }
        lanes speed = point_speed(c, p, s, is_pair);
        lane_mask is_apart = apart > 0.0f;
        // Apart: what is left of the gap may be closed. Overlapping: give way, or just stop.
        lanes bias = all(0), mass_scale = all(1), impulse_scale = all(0);
        if (use_push) {
            bias = lanes_max(c->rate * apart, all(-solve->push_speed));
            mass_scale = choose(is_apart, mass_scale, c->mass_scale);
            impulse_scale = choose(is_apart, impulse_scale, c->impulse_scale);
        }
        bias = choose(is_apart, apart * inverse_h, bias);
        lanes next =
            p->impulse - p->mass * mass_scale * (speed + bias) - impulse_scale * p->impulse;
        next = lanes_max(next, all(0));
        push_point(c, p, next - p->impulse, s, is_pair);
        p->impulse = next;
        p->largest = lanes_max(p->largest, next);
    }
}

// Against turning about the normal, within what the points can hold at their distances.
LANE_FN void solve_twist(struct wide_contact *c, struct speeds *s, lanes reach, bool is_pair) {
    lanes spin = lane_dot(c->n, s->wb);
    if (is_pair) {
        spin -= lane_dot(c->n, s->wa);
    }
    lanes limit = c->friction * reach;
    lanes next = lanes_max(lanes_min(c->twist - c->twist_mass * spin, limit), -limit);
    lanes by = next - c->twist;
    c->twist = next;
    s->wb = lane_along(s->wb, by, c->twist_b);
    if (is_pair) {
        s->wa = lane_against(s->wa, by, c->twist_a);
    }
}

LANE_FN void solve_slide(struct wide_contact *c, struct speeds *s, lanes total, bool is_pair) {
    lanes s1 = lane_dot(c->t1, s->vb) + lane_dot(c->turn1_b, s->wb) - c->drive1;
    lanes s2 = lane_dot(c->t2, s->vb) + lane_dot(c->turn2_b, s->wb) - c->drive2;
    if (is_pair) {
        s1 -= lane_dot(c->t1, s->va) + lane_dot(c->turn1_a, s->wa);
        s2 -= lane_dot(c->t2, s->va) + lane_dot(c->turn2_a, s->wa);
    }
    lanes n1 = c->slide1 - (c->f11 * s1 + c->f12 * s2);
    lanes n2 = c->slide2 - (c->f12 * s1 + c->f22 * s2);
    lanes most = c->friction * total, square = n1 * n1 + n2 * n2;
    lanes cut = most / lanes_sqrt(lanes_max(square, all(1e-20f)));
    lanes scale = choose(square > most * most, cut, all(1));
    n1 *= scale, n2 *= scale;
    lanes d1 = n1 - c->slide1, d2 = n2 - c->slide2;
    c->slide1 = n1, c->slide2 = n2;
    struct lane_vec push = {d1 * c->t1.x, d1 * c->t1.y, d1 * c->t1.z};
    push = lane_along(push, d2, c->t2);
    s->vb = lane_along(s->vb, c->mass_b, push);
    s->wb = lane_along(lane_along(s->wb, d1, c->twist1_b), d2, c->twist2_b);
    if (is_pair) {
        s->va = lane_against(s->va, c->mass_a, push);
        s->wa = lane_against(lane_against(s->wa, d1, c->twist1_a), d2, c->twist2_a);
    }
}

// Against rolling: a torque up to the rolling resistance times the load. It is small beside the
// others and is not remembered: each substep begins anew.
LANE_FN void solve_rolling(const struct solve *solve, struct wide_contact *c, struct speeds *s,
                           lanes total) {
    lanes ia[LANE_COUNT], ib[LANE_COUNT];
    load(solve->inertia, c->row_a, ia);
    load(solve->inertia, c->row_b, ib);
    struct lane_vec spin = lane_sub(s->wb, s->wa), none = {all(0), all(0), all(0)};
    struct lane_vec by = lane_against(none, c->roll_mass, spin);
    lanes most = c->rolling * total, square = lane_dot(by, by);
    lanes cut = most / lanes_sqrt(lanes_max(square, all(1e-20f)));
    lanes scale = choose(square > most * most, cut, all(1));
    by = (struct lane_vec){by.x * scale, by.y * scale, by.z * scale};
    s->wa = lane_sub(s->wa, turn_by(ia, by));
    s->wb = lane_along(s->wb, all(1), turn_by(ib, by));
}

LANE_FN void solve_contact(struct solve *solve, struct wide_contact *c, bool use_push,
                           bool is_pair) {
    struct speeds s;
    memset(&s, 0, sizeof(s));
    load_speeds(solve, c, &s, is_pair);
    solve_normals(solve, c, &s, use_push, is_pair);
    if (!use_push) {
        lanes total = all(0), reach = all(0);
        for (uint32_t k = 0; k < c->point_count; k++) {
            total += c->points[k].impulse;
            reach += c->points[k].impulse * c->points[k].radius;
        }
        if (c->has_rolling) {
            solve_rolling(solve, c, &s, total);
        }
        solve_twist(c, &s, reach, is_pair);
        solve_slide(c, &s, total, is_pair);
    }
    store_speeds(solve, c, &s, is_pair);
}

// Points that came in fast and were pushed leave as fast as they bounce.
LANE_FN void bounce(struct solve *solve, struct wide_contact *c) {
    struct speeds s;
    memset(&s, 0, sizeof(s));
    load_speeds(solve, c, &s, true);
    for (uint32_t k = 0; k < c->point_count; k++) {
        struct wide_point *p = &c->points[k];
        lane_mask is_hit =
            (p->speed < -solve->bounce_speed) & (p->largest > 0.0f) & (c->restitution > 0.0f);
        lanes wanted = point_speed(c, p, &s, true) + c->restitution * p->speed;
        lanes next = lanes_max(p->impulse - p->mass * wanted, all(0));
        lanes by = choose(is_hit, next - p->impulse, all(0));
        p->impulse = choose(is_hit, next, p->impulse);
        p->largest = lanes_max(p->largest, p->impulse);
        push_point(c, p, by, &s, true);
    }
    store_speeds(solve, c, &s, true);
}

static void sweep(struct solve *solve, bool use_push) {
    for (uint32_t i = 0; i < solve->contact_count; i++) {
        struct wide_contact *c = &solve->contacts[i];
        if (c->is_pair && use_push) {
            solve_contact(solve, c, true, true);
        } else if (c->is_pair) {
            solve_contact(solve, c, false, true);
        } else if (use_push) {
            solve_contact(solve, c, true, false);
        } else {
            solve_contact(solve, c, false, false);
        }
    }
}

static void add_pull(struct solve *solve) {
    for (uint32_t i = 0; i < solve->row_count; i++) {
        lanes v = (row_at(solve->velocity, i) + row_at(solve->pull, i)) * row_at(solve->damp, i);
        memcpy(solve->velocity + (size_t)i * LANE_COUNT, &v, sizeof(v));
    }
}

static void move(struct solve *solve) {
    for (uint32_t i = 0; i < solve->row_count; i++) {
        lanes by = row_at(solve->velocity, i) * row_at(solve->free, i);
        lanes m = row_at(solve->moved, i) + solve->h * by;
        memcpy(solve->moved + (size_t)i * LANE_COUNT, &m, sizeof(m));
    }
}

static void run(struct solve *solve) {
    for (uint32_t k = 0; k < solve->substeps; k++) {
        add_pull(solve);
        for (uint32_t i = 0; i < solve->contact_count; i++) {
            if (solve->contacts[i].is_pair) {
                warm_start(solve, &solve->contacts[i], true);
            } else {
                warm_start(solve, &solve->contacts[i], false);
            }
        }
        sweep(solve, true);
        move(solve);
        sweep(solve, false);
    }
    for (uint32_t i = 0; i < solve->contact_count; i++) {
        if (solve->contacts[i].has_restitution) {
            bounce(solve, &solve->contacts[i]);
        }
    }
}

static void finish(const struct wide_contact *c, struct manifold *const to[LANE_COUNT]) {
    for (int l = 0; l < LANE_COUNT; l++) {
        struct manifold *m = to[l];
        if (m == NULL) {
            continue;
        }
        for (uint32_t k = 0; k < m->count; k++) {
            m->points[k].impulse = c->points[k].impulse[l];
        }
        float s1 = c->slide1[l], s2 = c->slide2[l];
        m->slide = vec(s1 * c->t1.x[l] + s2 * c->t2.x[l], s1 * c->t1.y[l] + s2 * c->t2.y[l],
                       s1 * c->t1.z[l] + s2 * c->t2.z[l]);
        m->twist = c->twist[l];
    }
}

const struct solver SOLVER = {prepare, run, finish};
