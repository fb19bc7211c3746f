// From columns to bodies: walked, checked, sorted by id, and laid out as rows of the solver.
//
// A body with a number that makes no sense (not finite, a rotation of another length than 1, a
// negative size) is left out of the step and stays as it is; the turn fails with a message about
// the first one, and everything else is stepped.
#include "work.h"

#include <stdio.h>

// The length of a rotation may differ from 1 by as much: single precision, and hands that type.
#define UNIT_ERROR 1e-2f
#define POSITION_MAX 1e7f

// ---- walking ----

static uint32_t lane_of(const struct work *work, const cosm_rows *rows, uint32_t i) {
    uint32_t index = rows->world_count == 1 ? rows->world : cosm_rows_world(rows, i).index;
    return index - work->parts[0].world.index;
}

static void add_ref(struct work *work, uint32_t lane, const struct body_ref *ref) {
    size_t n = work->refs.count;
    struct body_ref *refs =
        cosmi_physics_list_reserve(work, &work->refs, n + 1, sizeof(struct body_ref));
    uint64_t *keys = cosmi_physics_list_reserve(work, &work->keys, n + 1, sizeof(uint64_t));
    if (refs != NULL && keys != NULL) {
        refs[n] = *ref;
        keys[n] = (uint64_t)lane << 56 | (uint64_t)ref->entity.id << 24 | n;
        work->refs.count = work->keys.count = n + 1;
    }
}

static void walk_query(struct work *work, uint32_t query, cosm_worlds worlds) {
    cosm_rows rows;
    cosm_turn_walk(work->turn, query, worlds, &rows);
    while (cosm_rows_next(&rows)) {
        bool is_static = query == QUERY_STATIC, is_dynamic = query == QUERY_DYNAMIC;
        const cosm_pose *pose = COSM_READ(&rows, cosm_pose);
        cosm_pose *pose_write = is_static ? NULL : COSM_WRITE(&rows, cosm_pose);
        cosm_motion *motion = is_static ? NULL : COSM_WRITE(&rows, cosm_motion);
        const cosm_collider *collider = COSM_READ(&rows, cosm_collider);
        const cosm_mass *mass = is_dynamic ? COSM_READ(&rows, cosm_mass) : NULL;
        const cosm_moves *moves = is_dynamic ? COSM_READ(&rows, cosm_moves) : NULL;
        cosm_force *force = is_dynamic ? COSM_WRITE(&rows, cosm_force) : NULL;
        for (uint32_t i = 0; i < rows.count; i++) {
            struct body_ref ref = {
                .entity = rows.entities[i],
                .pose_read = pose + i,
                .pose = is_static ? NULL : pose_write + i,
                .motion = is_static ? NULL : motion + i,
                .mass = is_dynamic ? mass + i : NULL,
                .collider = collider + i,
                .moves = moves != NULL ? moves + i : NULL,
                .force = force != NULL ? force + i : NULL,
            };
            add_ref(work, lane_of(work, &rows, i), &ref);
        }
    }
}

// ---- checks ----

static bool is_size(float x) {
    return x > 0.0f && x <= POSITION_MAX;
}

static bool is_rotation(cosm_quat q) {
    float square = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    return fabsf(square - 1.0f) < 2.0f * UNIT_ERROR;
}

static const char *collider_fault(const cosm_collider *c) {
    bool is_box = c->shape == COSM_SHAPE_BOX;
    if ((uint32_t)c->shape > COSM_SHAPE_PLANE) {
        return "Collider.shape is none of cosm_shape";
    }
    if (c->shape != COSM_SHAPE_PLANE && !is_size(c->size.x)) {
        return "Collider.size.x is not a positive number";
    }
    if (is_box && !is_size(c->size.y)) {
        return "Collider.size.y is not a positive number";
    }
    if ((is_box || c->shape == COSM_SHAPE_CAPSULE) && !is_size(c->size.z)) {
        return "Collider.size.z is not a positive number";
    }
    if (!vec_is_finite(c->offset) || !vec_is_finite(c->surface)) {
        return "Collider.offset or Collider.surface is not finite";
    }
    if (!(c->friction >= 0.0f && isfinite(c->friction) && c->rolling >= 0.0f &&
          isfinite(c->rolling) && c->restitution >= 0.0f && c->restitution <= 1.0f)) {
        return "Collider.friction, restitution or rolling is out of range";
    }
    return NULL;
}

static const char *mass_fault(const struct body_ref *ref) {
    const cosm_mass *m = ref->mass;
    vec3 i = m->inverse_inertia;
    if (!(m->inverse >= 0.0f && isfinite(m->inverse)) || !vec_is_finite(i) || i.x < 0.0f ||
        i.y < 0.0f || i.z < 0.0f) {
        return "Mass.inverse or Mass.inverse_inertia is negative or not finite";
    }
    if (!vec_is_finite(m->centre) || !is_rotation(m->frame)) {
        return "Mass.centre is not finite, or Mass.frame does not have length 1";
    }
    if (ref->force != NULL &&
        !(vec_is_finite(ref->force->force) && vec_is_finite(ref->force->torque))) {
        return "Force is not finite";
    }
    const cosm_moves *moves = ref->moves;
    if (moves != NULL &&
        !(isfinite(moves->gravity) && moves->drag >= 0.0f && isfinite(moves->drag) &&
          moves->spin_drag >= 0.0f && isfinite(moves->spin_drag))) {
        return "Moves.gravity, drag or spin_drag is negative or not finite";
    }
    return NULL;
}

static const char *body_fault(const struct body_ref *ref) {
    const cosm_pose *pose = ref->pose_read;
    vec3 p = pose->position;
    if (!(fabsf(p.x) < POSITION_MAX && fabsf(p.y) < POSITION_MAX && fabsf(p.z) < POSITION_MAX)) {
        return "Pose.position is not finite, or farther out than 10,000 km";
    }
    if (!is_rotation(pose->rotation)) {
        return "Pose.rotation does not have length 1";
    }
    if (ref->motion != NULL &&
        !(vec_is_finite(ref->motion->velocity) && vec_is_finite(ref->motion->spin))) {
        return "Motion is not finite";
    }
    const char *fault = collider_fault(ref->collider);
    if (fault == NULL && ref->motion != NULL && ref->collider->shape == COSM_SHAPE_PLANE) {
        fault = "a plane has Motion, and planes are static";
    }
    return fault == NULL && ref->mass != NULL ? mass_fault(ref) : fault;
}

static void report_fault(const struct work *work, const struct part *part,
                         const struct body_ref *ref, const char *fault) {
    char text[256];
    snprintf(text, sizeof(text), "world %u, entity @%u:%u: %s; the body was left out of the step",
             part->world.index, ref->entity.id, ref->entity.gen, fault);
    cosm_turn_fail(work->turn, text);
}

// ---- bodies ----

static vec3 extents(const struct shape *s) {
    const vec3 *c = s->axes.axis;
    vec3 h = s->size;
    if (s->kind == COSM_SHAPE_SPHERE) {
        return vec(h.x, h.x, h.x);
    }
    if (s->kind == COSM_SHAPE_CAPSULE) {
        return vec(h.x + h.z * fabsf(c[2].x), h.x + h.z * fabsf(c[2].y), h.x + h.z * fabsf(c[2].z));
    }
    if (s->kind == COSM_SHAPE_PLANE) {
        return vec(1e30f, 1e30f, 1e30f);
    }
    return vec(fabsf(c[0].x) * h.x + fabsf(c[1].x) * h.y + fabsf(c[2].x) * h.z,
               fabsf(c[0].y) * h.x + fabsf(c[1].y) * h.y + fabsf(c[2].y) * h.z,
               fabsf(c[0].z) * h.x + fabsf(c[1].z) * h.y + fabsf(c[2].z) * h.z);
}

static void set_bounds(const struct work *work, struct body *body) {
    vec3 e = extents(&body->shape), v = body->velocity;
    float dt = work->turn->dt, ahead = 4.0f * work->settings.slop;
    vec3 sweep = vec(fabsf(v.x) * dt + ahead, fabsf(v.y) * dt + ahead, fabsf(v.z) * dt + ahead);
    // What a turn about the centre of mass may add at the far end of the shape.
    float arm = vec_length(vec_sub(body->shape.centre, body->centre)) + vec_length(e);
    float turn = body->row == 0 ? 0.0f : fminf(vec_length(body->at.motion->spin) * dt, 2.0f) * arm;
    e = vec_add(vec_add(e, sweep), vec(turn, turn, turn));
    body->low = vec_sub(body->shape.centre, e);
    body->high = vec_add(body->shape.centre, e);
}

static void set_body(struct body *body, const struct body_ref *ref) {
    const cosm_pose *pose = ref->pose_read;
    memset(body, 0, sizeof(*body));
    body->at = *ref;
    body->axes = mat_of(pose->rotation);
    body->shape = (struct shape){
        ref->collider->shape,
        vec_add(pose->position, mat_out(&body->axes, ref->collider->offset)),
        ref->collider->size,
        body->axes,
    };
    body->centre = pose->position;
    if (ref->mass != NULL) {
        body->centre = vec_add(pose->position, mat_out(&body->axes, ref->mass->centre));
    }
    body->velocity = ref->motion != NULL ? ref->motion->velocity : vec(0, 0, 0);
    body->is_dynamic = ref->mass != NULL && ref->mass->inverse > 0.0f;
}

// ---- rows ----

static float *row_of(float *base, const struct body *body) {
    return base + (size_t)body->row * LANE_COUNT;
}

// The inverse inertia in the world: the sum of its values by the outer products of its axes.
static void set_inertia(const struct body *body, uint32_t locks, float *out) {
    const cosm_mass *mass = body->at.mass;
    struct mat3 frame = mat_of(mass->frame);
    for (int k = 0; k < 3; k++) {
        vec3 c = mat_out(&body->axes, frame.axis[k]);
        float i = vec_at(mass->inverse_inertia, k);
        out[0] += i * c.x * c.x, out[1] += i * c.y * c.y, out[2] += i * c.z * c.z;
        out[3] += i * c.x * c.y, out[4] += i * c.x * c.z, out[5] += i * c.y * c.z;
    }
    if (locks & COSM_LOCK_TURN_X) {
        out[0] = out[3] = out[4] = 0.0f;
    }
    if (locks & COSM_LOCK_TURN_Y) {
        out[1] = out[3] = out[5] = 0.0f;
    }
    if (locks & COSM_LOCK_TURN_Z) {
        out[2] = out[4] = out[5] = 0.0f;
    }
    out[6] = mass->inverse;
}

static void set_pull(const struct work *work, struct body *body, const float *inertia, float *out) {
    const cosm_moves *moves = body->at.moves;
    float h = work->solve.h, inverse = body->at.mass->inverse;
    vec3 pull = vec_scale(work->settings.gravity, moves != NULL ? moves->gravity : 1.0f);
    if (body->at.force != NULL) {
        vec3 t = body->at.force->torque;
        pull = vec_along(pull, inverse, body->at.force->force);
        out[3] = h * (inertia[0] * t.x + inertia[3] * t.y + inertia[4] * t.z);
        out[4] = h * (inertia[3] * t.x + inertia[1] * t.y + inertia[5] * t.z);
        out[5] = h * (inertia[4] * t.x + inertia[5] * t.y + inertia[2] * t.z);
    }
    out[0] = h * pull.x, out[1] = h * pull.y, out[2] = h * pull.z;
    body->velocity = vec_along(body->velocity, work->turn->dt, pull);
}

static void set_row(struct work *work, struct body *body) {
    struct solve *s = &work->solve;
    const cosm_moves *moves = body->is_dynamic ? body->at.moves : NULL;
    uint32_t locks = moves != NULL ? moves->locks : 0;
    float *velocity = row_of(s->velocity, body), *damp = row_of(s->damp, body);
    float *may = row_of(s->free, body), *centre = row_of(s->centre, body);
    vec3 v = body->at.motion->velocity, w = body->at.motion->spin;
    const float speed[6] = {v.x, v.y, v.z, w.x, w.y, w.z};
    float drag = 1.0f / (1.0f + s->h * (moves != NULL ? moves->drag : 0.0f));
    float spin_drag = 1.0f / (1.0f + s->h * (moves != NULL ? moves->spin_drag : 0.0f));
    for (uint32_t i = 0; i < 6; i++) {
        may[i] = locks >> i & 1u ? 0.0f : 1.0f;
        velocity[i] = speed[i] * may[i];
        damp[i] = (i < 3 ? drag : spin_drag) * may[i];
    }
    centre[0] = body->centre.x, centre[1] = body->centre.y, centre[2] = body->centre.z;
    if (body->is_dynamic) {
        float *inertia = row_of(s->inertia, body);
        set_inertia(body, locks, inertia);
        set_pull(work, body, inertia, row_of(s->pull, body));
    }
}

static bool make_rows(struct work *work, uint32_t row_count) {
    struct solve *s = &work->solve;
    size_t size = (size_t)row_count * LANE_COUNT;
    float *rows = cosmi_physics_list_reserve(work, &work->rows, 7 * size, sizeof(float));
    if (rows == NULL) {
        return false;
    }
    memset(rows, 0, 7 * size * sizeof(float));
    float **arrays[7] = {&s->velocity, &s->moved,   &s->pull,  &s->damp,
                         &s->free,     &s->inertia, &s->centre};
    for (size_t i = 0; i < 7; i++) {
        *arrays[i] = rows + i * size;
    }
    s->row_count = row_count;
    return true;
}

// Refs in the order of their keys become bodies; those at fault are left out.
static void make_bodies(struct work *work) {
    const struct body_ref *refs = work->refs.items;
    const uint64_t *keys = work->keys.items;
    size_t n = work->refs.count;
    struct body *bodies =
        cosmi_physics_list_reserve(work, &work->bodies, n + 1, sizeof(struct body));
    if (bodies == NULL) {
        return;
    }
    uint32_t count = 0, row_count = 1;
    for (size_t i = 0; i < n; i++) {
        const struct body_ref *ref = &refs[keys[i] & 0xffffffu];
        struct part *part = &work->parts[keys[i] >> 56];
        const char *fault = body_fault(ref);
        if (fault != NULL) {
            report_fault(work, part, ref, fault);
            continue;
        }
        part->body_first = part->body_count == 0 ? count : part->body_first;
        part->body_count++;
        set_body(&bodies[count], ref);
        bodies[count].row = ref->motion != NULL ? row_count++ : 0;
        count++;
    }
    work->bodies.count = count;
    if (make_rows(work, row_count)) {
        for (uint32_t i = 0; i < count; i++) {
            if (bodies[i].row != 0) {
                set_row(work, &bodies[i]);
            }
            set_bounds(work, &bodies[i]);
        }
    }
}

void cosmi_physics_gather(struct work *work) {
    cosm_worlds worlds = {work->parts[0].world.batch, work->parts[0].world.index, work->part_count};
    work->refs.count = work->keys.count = work->bodies.count = 0;
    for (uint32_t q = 0; q < QUERY_COUNT && !work->is_failed; q++) {
        walk_query(work, q, worlds);
    }
    if (!work->is_failed && cosmi_physics_sort(work, &work->keys)) {
        make_bodies(work);
    }
}
