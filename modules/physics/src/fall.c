// The system physics_fall: bodies without a collider fall, slow down and turn, and meet nothing.
//
// The substeps are those of physics_step, so a body falls and slows down alike with a collider and
// without. A number that is not finite stays so, and concerns no other body.
#include "step.h"

struct fall {
    vec3 gravity;
    float h;
    uint32_t substeps;
};

static void fall_one(const struct fall *fall, const cosm_mass *mass, const cosm_moves *moves,
                     cosm_force *force, cosm_pose *pose, cosm_motion *motion) {
    float scale = moves != NULL ? moves->gravity : 1.0f, h = fall->h;
    float drag = 1.0f / (1.0f + h * (moves != NULL ? moves->drag : 0.0f));
    float spin_drag = 1.0f / (1.0f + h * (moves != NULL ? moves->spin_drag : 0.0f));
    vec3 pull = vec_scale(fall->gravity, scale * h), twist = vec(0, 0, 0);
    if (force != NULL) {
        vec3 i = mass->inverse_inertia;
        struct mat3 axes = mat_of(cosm_quat_join(pose->rotation, mass->frame));
        vec3 local = mat_in(&axes, force->torque);
        twist = vec_scale(mat_out(&axes, vec(local.x * i.x, local.y * i.y, local.z * i.z)), h);
        pull = vec_along(pull, h * mass->inverse, force->force);
        memset(force, 0, sizeof(*force));
    }
    vec3 v = motion->velocity, w = motion->spin, p = pose->position, turned = vec(0, 0, 0);
    for (uint32_t k = 0; k < fall->substeps; k++) {
        v = vec_scale(vec_add(v, pull), drag);
        w = vec_scale(vec_add(w, twist), spin_drag);
        p = vec_along(p, h, v);
        turned = vec_along(turned, h, w);
    }
    motion->velocity = v;
    motion->spin = w;
    pose->position = p;
    if (vec_dot(turned, turned) > 0.0f) {
        pose->rotation = quat_turn_on(pose->rotation, turned);
    }
}

void cosmi_physics_fall(cosm_rows *rows) {
    const cosm_physics_settings *settings =
        COSM_SINGLETON_READ(cosm_rows_world(rows, 0), cosm_physics_settings);
    cosm_pose *pose = COSM_WRITE(rows, cosm_pose);
    cosm_motion *motion = COSM_WRITE(rows, cosm_motion);
    const cosm_mass *mass = COSM_READ(rows, cosm_mass);
    const cosm_moves *moves = COSM_READ(rows, cosm_moves);
    cosm_force *force = COSM_WRITE(rows, cosm_force);
    if (settings == NULL || !cosmi_physics_settings_are_good(settings) || !(rows->dt > 0.0f)) {
        return; // physics_step reports settings
    }
    struct fall fall = {settings->gravity, rows->dt / (float)settings->substeps,
                        settings->substeps};
    for (uint32_t i = 0; i < rows->count; i++) {
        fall_one(&fall, mass + i, moves != NULL ? moves + i : NULL,
                 force != NULL ? force + i : NULL, pose + i, motion + i);
    }
}
