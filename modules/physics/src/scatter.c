// From rows back to columns: poses, motions, what is remembered of contacts, and the report.
//
// Every number gets a zero added before it is written, which turns -0 into 0: see solve_wide.h.
#include "work.h"

static float tidy(float x) {
    return x + 0.0f;
}
static vec3 tidy_vec(vec3 v) {
    return vec(tidy(v.x), tidy(v.y), tidy(v.z));
}

// ---- turning freely ----

// The spin that belongs to an angular momentum, as a body is turned.
static vec3 spin_of(const struct mat3 *frame, const cosm_mass *mass, cosm_quat rotation,
                    vec3 momentum) {
    struct mat3 axes = mat_of(rotation);
    vec3 local = mat_in(frame, mat_in(&axes, momentum)), i = mass->inverse_inertia;
    return mat_out(&axes, mat_out(frame, vec(local.x * i.x, local.y * i.y, local.z * i.z)));
}

static vec3 momentum_of(const struct mat3 *frame, const cosm_mass *mass, const struct mat3 *axes,
                        vec3 spin) {
    vec3 local = mat_in(frame, mat_in(axes, spin)), i = mass->inverse_inertia;
    return mat_out(axes, mat_out(frame, vec(local.x / i.x, local.y / i.y, local.z / i.z)));
}

// A body that nothing touches keeps its angular momentum; its spin changes as it turns. Runge and
// Kutta's fourth order in the rotation; the momentum is kept as it is, so it cannot drift.
static void turn_freely(const struct mat3 *frame, const cosm_mass *mass, vec3 momentum, float h,
                        cosm_quat *io_rotation) {
    cosm_quat q = *io_rotation;
    vec3 k1 = spin_of(frame, mass, q, momentum);
    vec3 k2 = spin_of(frame, mass, quat_turn_on(q, vec_scale(k1, 0.5f * h)), momentum);
    vec3 k3 = spin_of(frame, mass, quat_turn_on(q, vec_scale(k2, 0.5f * h)), momentum);
    vec3 k4 = spin_of(frame, mass, quat_turn_on(q, vec_scale(k3, h)), momentum);
    vec3 sum = vec_add(vec_add(k1, k4), vec_scale(vec_add(k2, k3), 2.0f));
    *io_rotation = cosm_quat_join(cosm_quat_turn(sum, h / 6.0f * vec_length(sum)), q);
}

// Does the body wobble: is it free, and unequal about its axes?
static bool is_wobbling(const struct body *body) {
    const cosm_mass *mass = body->at.mass;
    if (!body->is_dynamic || body->is_touched ||
        (body->at.moves != NULL && body->at.moves->locks)) {
        return false;
    }
    vec3 i = mass->inverse_inertia;
    return i.x > 0.0f && i.y > 0.0f && i.z > 0.0f && (i.x != i.y || i.y != i.z);
}

static void wobble(const struct work *work, const struct body *body, vec3 *io_spin,
                   cosm_quat *out_rotation) {
    const cosm_mass *mass = body->at.mass;
    struct mat3 frame = mat_of(mass->frame);
    vec3 momentum = momentum_of(&frame, mass, &body->axes, *io_spin);
    // Small turns, so that the error of a step is small too.
    float turn = vec_length(*io_spin) * work->turn->dt;
    uint32_t count = turn < 0.1f ? 1 : turn < 1.6f ? (uint32_t)(turn * 10.0f) + 1 : 16;
    cosm_quat rotation = body->at.pose->rotation;
    for (uint32_t k = 0; k < count; k++) {
        turn_freely(&frame, mass, momentum, work->turn->dt / (float)count, &rotation);
    }
    *out_rotation = quat_unit(rotation);
    *io_spin = spin_of(&frame, mass, *out_rotation, momentum);
}

// ---- bodies ----

static vec3 limited(vec3 velocity, float limit) {
    float square = vec_dot(velocity, velocity);
    return square > limit * limit ? vec_scale(velocity, limit / sqrtf(square)) : velocity;
}

static void write_body(const struct work *work, struct body *body) {
    const float *v = work->solve.velocity + (size_t)body->row * LANE_COUNT;
    const float *m = work->solve.moved + (size_t)body->row * LANE_COUNT;
    vec3 velocity = vec(v[0], v[1], v[2]), spin = vec(v[3], v[4], v[5]);
    vec3 turned = vec(m[3], m[4], m[5]);
    cosm_quat rotation = body->at.pose->rotation;
    if (is_wobbling(body)) {
        wobble(work, body, &spin, &rotation);
    } else if (vec_dot(turned, turned) > 0.0f) {
        rotation = quat_turn_on(rotation, turned);
    }
    vec3 moved = vec(m[0], m[1], m[2]);
    const cosm_mass *mass = body->at.mass;
    vec3 arm = mass != NULL ? mass->centre : vec(0, 0, 0);
    if (vec_dot(arm, arm) > 0.0f) {
        // The centre of mass moves; the origin of the body goes round it.
        struct mat3 axes = mat_of(rotation);
        moved = vec_add(moved, vec_sub(mat_out(&body->axes, arm), mat_out(&axes, arm)));
    }
    body->at.pose->position = tidy_vec(vec_add(body->at.pose->position, moved));
    body->at.pose->rotation =
        (cosm_quat){tidy(rotation.w), tidy(rotation.x), tidy(rotation.y), tidy(rotation.z)};
    if (body->is_dynamic) {
        body->at.motion->velocity = tidy_vec(limited(velocity, work->settings.speed_limit));
        body->at.motion->spin = tidy_vec(spin);
    }
    if (body->at.force != NULL) {
        memset(body->at.force, 0, sizeof(*body->at.force));
    }
}

// ---- memory ----

static void remember(const struct work *work, const struct manifold *m, struct remembered *out) {
    const struct body *a = work_body(work, m->first), *b = work_body(work, m->second);
    bool is_up = a->at.entity.id < b->at.entity.id;
    memset(out, 0, sizeof(*out));
    out->low = is_up ? a->at.entity : b->at.entity;
    out->high = is_up ? b->at.entity : a->at.entity;
    out->count = m->count;
    for (uint32_t k = 0; k < m->count; k++) {
        out->features[k] = (uint16_t)m->points[k].feature;
        out->impulses[k] = tidy(m->points[k].impulse);
    }
    out->slide[0] = tidy(m->slide.x), out->slide[1] = tidy(m->slide.y);
    out->slide[2] = tidy(m->slide.z), out->twist = tidy(m->twist);
}

static void write_part(const struct work *work, struct part *part) {
    struct memory *memory = cosm_singleton_write(part->world, work->physics.contacts);
    cosm_physics_report *report = cosm_singleton_write(part->world, work->physics.report);
    uint32_t before = memory->count, max = work->physics.contact_max;
    uint32_t count = part->manifold_count < max ? part->manifold_count : max;
    memset(report, 0, sizeof(*report));
    for (uint32_t i = 0; i < part->manifold_count; i++) {
        const struct manifold *m = work_manifold(work, part->manifold_first + i);
        report->points += m->count;
        for (uint32_t k = 0; k < m->count; k++) {
            report->deepest = fmaxf(report->deepest, -m->points[k].separation);
        }
        if (i < count) {
            remember(work, m, &memory->entries[i]);
        }
    }
    if (before > count && before <= max) {
        memset(&memory->entries[count], 0, (before - count) * sizeof(struct remembered));
    }
    memory->count = count;
    report->bodies = part->body_count;
    report->pairs = part->pair_count;
    report->contacts = part->manifold_count;
    report->dropped = part->manifold_count - count;
}

void cosmi_physics_scatter(struct work *work) {
    const struct solver *solver = cosmi_physics_solver();
    struct manifold **members = work->lanes.items;
    for (size_t i = 0; i < work->wide.count; i++) {
        solver->finish((struct wide_contact *)work->wide.items + i, members + i * LANE_COUNT);
    }
    for (uint32_t i = 0; i < work->bodies.count; i++) {
        struct body *body = work_body(work, i);
        if (body->row != 0) {
            write_body(work, body);
        }
    }
    for (uint32_t p = 0; p < work->part_count; p++) {
        write_part(work, &work->parts[p]);
    }
}
