// The components of body.h, described: made by cosm-gen, not to be edited.
// clang-format off
#include "cosm_physics_body.cosm.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>

#define COSM_GEN_SAW(what) \
    static_assert(what, "body.h is not as cosm-gen saw it; run cosm-gen again")

static const cosm_label cosm_shape_labels_items[] = {
    {"COSM_SHAPE_SPHERE", (int64_t)COSM_SHAPE_SPHERE},
    {"COSM_SHAPE_CAPSULE", (int64_t)COSM_SHAPE_CAPSULE},
    {"COSM_SHAPE_BOX", (int64_t)COSM_SHAPE_BOX},
    {"COSM_SHAPE_PLANE", (int64_t)COSM_SHAPE_PLANE},
};
static const cosm_labels cosm_shape_labels = {"cosm_shape", COSM_LABELS_ENUM, 4, cosm_shape_labels_items};

static const cosm_label cosm_lock_mask_items[] = {
    {"COSM_LOCK_MOVE_X", (int64_t)COSM_LOCK_MOVE_X},
    {"COSM_LOCK_MOVE_Y", (int64_t)COSM_LOCK_MOVE_Y},
    {"COSM_LOCK_MOVE_Z", (int64_t)COSM_LOCK_MOVE_Z},
    {"COSM_LOCK_TURN_X", (int64_t)COSM_LOCK_TURN_X},
    {"COSM_LOCK_TURN_Y", (int64_t)COSM_LOCK_TURN_Y},
    {"COSM_LOCK_TURN_Z", (int64_t)COSM_LOCK_TURN_Z},
};
static const cosm_labels cosm_lock_mask = {"cosm_lock", COSM_LABELS_MASK, 6, cosm_lock_mask_items};

COSM_GEN_SAW(sizeof(cosm_motion) == 24 && COSM_ALIGNOF(cosm_motion) == 4);
COSM_GEN_SAW(offsetof(cosm_motion, velocity.x) == 0 && sizeof(((cosm_motion *)0)->velocity.x) == 4);
COSM_GEN_SAW(offsetof(cosm_motion, velocity.y) == 4 && sizeof(((cosm_motion *)0)->velocity.y) == 4);
COSM_GEN_SAW(offsetof(cosm_motion, velocity.z) == 8 && sizeof(((cosm_motion *)0)->velocity.z) == 4);
COSM_GEN_SAW(offsetof(cosm_motion, spin.x) == 12 && sizeof(((cosm_motion *)0)->spin.x) == 4);
COSM_GEN_SAW(offsetof(cosm_motion, spin.y) == 16 && sizeof(((cosm_motion *)0)->spin.y) == 4);
COSM_GEN_SAW(offsetof(cosm_motion, spin.z) == 20 && sizeof(((cosm_motion *)0)->spin.z) == 4);

static const cosm_field cosm_motion_fields[] = {
    {"velocity.x", COSM_FIELD_F32, offsetof(cosm_motion, velocity.x), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, "m/s",
     "of its centre of mass", NULL, false},
    {"velocity.y", COSM_FIELD_F32, offsetof(cosm_motion, velocity.y), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, "m/s",
     "of its centre of mass", NULL, false},
    {"velocity.z", COSM_FIELD_F32, offsetof(cosm_motion, velocity.z), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, "m/s",
     "of its centre of mass", NULL, false},
    {"spin.x", COSM_FIELD_F32, offsetof(cosm_motion, spin.x), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, "rad/s",
     "about the axes of the world", NULL, false},
    {"spin.y", COSM_FIELD_F32, offsetof(cosm_motion, spin.y), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, "rad/s",
     "about the axes of the world", NULL, false},
    {"spin.z", COSM_FIELD_F32, offsetof(cosm_motion, spin.z), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, "rad/s",
     "about the axes of the world", NULL, false},
};

cosm_component_type cosm_motion_type = {
    {"Motion", sizeof(cosm_motion), COSM_ALIGNOF(cosm_motion), NULL, COSM_LAYOUT_STRUCT, cosm_motion_fields, 6,
     "How a body moves.",
     COSM_STORAGE_COLUMN, {NULL, NULL, NULL, NULL, NULL, NULL, NULL}, false, "cosm_motion"},
    0};

COSM_GEN_SAW(sizeof(cosm_mass) == 44 && COSM_ALIGNOF(cosm_mass) == 4);
COSM_GEN_SAW(offsetof(cosm_mass, inverse) == 0 && sizeof(((cosm_mass *)0)->inverse) == 4);
COSM_GEN_SAW(offsetof(cosm_mass, inverse_inertia.x) == 4 && sizeof(((cosm_mass *)0)->inverse_inertia.x) == 4);
COSM_GEN_SAW(offsetof(cosm_mass, inverse_inertia.y) == 8 && sizeof(((cosm_mass *)0)->inverse_inertia.y) == 4);
COSM_GEN_SAW(offsetof(cosm_mass, inverse_inertia.z) == 12 && sizeof(((cosm_mass *)0)->inverse_inertia.z) == 4);
COSM_GEN_SAW(offsetof(cosm_mass, frame.w) == 16 && sizeof(((cosm_mass *)0)->frame.w) == 4);
COSM_GEN_SAW(offsetof(cosm_mass, frame.x) == 20 && sizeof(((cosm_mass *)0)->frame.x) == 4);
COSM_GEN_SAW(offsetof(cosm_mass, frame.y) == 24 && sizeof(((cosm_mass *)0)->frame.y) == 4);
COSM_GEN_SAW(offsetof(cosm_mass, frame.z) == 28 && sizeof(((cosm_mass *)0)->frame.z) == 4);
COSM_GEN_SAW(offsetof(cosm_mass, centre.x) == 32 && sizeof(((cosm_mass *)0)->centre.x) == 4);
COSM_GEN_SAW(offsetof(cosm_mass, centre.y) == 36 && sizeof(((cosm_mass *)0)->centre.y) == 4);
COSM_GEN_SAW(offsetof(cosm_mass, centre.z) == 40 && sizeof(((cosm_mass *)0)->centre.z) == 4);

static const float cosm_mass_default_inverse = 1.0f;
static const float cosm_mass_default_inverse_inertia_x = 6.0f;
static const float cosm_mass_default_inverse_inertia_y = 6.0f;
static const float cosm_mass_default_inverse_inertia_z = 6.0f;
static const float cosm_mass_default_frame_w = 1.0f;

static const cosm_field cosm_mass_fields[] = {
    {"inverse", COSM_FIELD_F32, offsetof(cosm_mass, inverse), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, HUGE_VAL, "1/kg",
     NULL, &cosm_mass_default_inverse, false},
    {"inverse_inertia.x", COSM_FIELD_F32, offsetof(cosm_mass, inverse_inertia.x), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, HUGE_VAL, "1/(kg m^2)",
     NULL, &cosm_mass_default_inverse_inertia_x, false},
    {"inverse_inertia.y", COSM_FIELD_F32, offsetof(cosm_mass, inverse_inertia.y), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, HUGE_VAL, "1/(kg m^2)",
     NULL, &cosm_mass_default_inverse_inertia_y, false},
    {"inverse_inertia.z", COSM_FIELD_F32, offsetof(cosm_mass, inverse_inertia.z), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, HUGE_VAL, "1/(kg m^2)",
     NULL, &cosm_mass_default_inverse_inertia_z, false},
    {"frame.w", COSM_FIELD_F32, offsetof(cosm_mass, frame.w), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     "from the axes of inertia to the body's", &cosm_mass_default_frame_w, false},
    {"frame.x", COSM_FIELD_F32, offsetof(cosm_mass, frame.x), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     "from the axes of inertia to the body's", NULL, false},
    {"frame.y", COSM_FIELD_F32, offsetof(cosm_mass, frame.y), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     "from the axes of inertia to the body's", NULL, false},
    {"frame.z", COSM_FIELD_F32, offsetof(cosm_mass, frame.z), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     "from the axes of inertia to the body's", NULL, false},
    {"centre.x", COSM_FIELD_F32, offsetof(cosm_mass, centre.x), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, "m",
     "of mass, in the body's own axes", NULL, false},
    {"centre.y", COSM_FIELD_F32, offsetof(cosm_mass, centre.y), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, "m",
     "of mass, in the body's own axes", NULL, false},
    {"centre.z", COSM_FIELD_F32, offsetof(cosm_mass, centre.z), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, "m",
     "of mass, in the body's own axes", NULL, false},
};

cosm_component_type cosm_mass_type = {
    {"Mass", sizeof(cosm_mass), COSM_ALIGNOF(cosm_mass), NULL, COSM_LAYOUT_STRUCT, cosm_mass_fields, 11,
     "How a body resists forces. cosm_physics_mass computes it from a collider and a density.",
     COSM_STORAGE_COLUMN, {NULL, NULL, NULL, NULL, NULL, NULL, NULL}, false, "cosm_mass"},
    0};

COSM_GEN_SAW(sizeof(cosm_collider) == 64 && COSM_ALIGNOF(cosm_collider) == 4);
COSM_GEN_SAW(offsetof(cosm_collider, shape) == 0 && sizeof(((cosm_collider *)0)->shape) == 4);
COSM_GEN_SAW(offsetof(cosm_collider, group) == 4 && sizeof(((cosm_collider *)0)->group) == 4);
COSM_GEN_SAW(offsetof(cosm_collider, layer) == 8 && sizeof(((cosm_collider *)0)->layer) == 4);
COSM_GEN_SAW(offsetof(cosm_collider, mask) == 12 && sizeof(((cosm_collider *)0)->mask) == 4);
COSM_GEN_SAW(offsetof(cosm_collider, size.x) == 16 && sizeof(((cosm_collider *)0)->size.x) == 4);
COSM_GEN_SAW(offsetof(cosm_collider, size.y) == 20 && sizeof(((cosm_collider *)0)->size.y) == 4);
COSM_GEN_SAW(offsetof(cosm_collider, size.z) == 24 && sizeof(((cosm_collider *)0)->size.z) == 4);
COSM_GEN_SAW(offsetof(cosm_collider, offset.x) == 28 && sizeof(((cosm_collider *)0)->offset.x) == 4);
COSM_GEN_SAW(offsetof(cosm_collider, offset.y) == 32 && sizeof(((cosm_collider *)0)->offset.y) == 4);
COSM_GEN_SAW(offsetof(cosm_collider, offset.z) == 36 && sizeof(((cosm_collider *)0)->offset.z) == 4);
COSM_GEN_SAW(offsetof(cosm_collider, friction) == 40 && sizeof(((cosm_collider *)0)->friction) == 4);
COSM_GEN_SAW(offsetof(cosm_collider, restitution) == 44 && sizeof(((cosm_collider *)0)->restitution) == 4);
COSM_GEN_SAW(offsetof(cosm_collider, rolling) == 48 && sizeof(((cosm_collider *)0)->rolling) == 4);
COSM_GEN_SAW(offsetof(cosm_collider, surface.x) == 52 && sizeof(((cosm_collider *)0)->surface.x) == 4);
COSM_GEN_SAW(offsetof(cosm_collider, surface.y) == 56 && sizeof(((cosm_collider *)0)->surface.y) == 4);
COSM_GEN_SAW(offsetof(cosm_collider, surface.z) == 60 && sizeof(((cosm_collider *)0)->surface.z) == 4);

static const uint32_t cosm_collider_default_layer = 1u;
static const uint32_t cosm_collider_default_mask = 4294967295u;
static const float cosm_collider_default_size_x = 0.5f;
static const float cosm_collider_default_size_y = 0.5f;
static const float cosm_collider_default_size_z = 0.5f;
static const float cosm_collider_default_friction = 0.5f;

static const cosm_field cosm_collider_fields[] = {
    {"shape", COSM_FIELD_U32, offsetof(cosm_collider, shape), {0, 0, 0, 0}, 0, 0,
     &cosm_shape_labels, 0.0, 0.0, NULL,
     NULL, NULL, true},
    {"group", COSM_FIELD_I32, offsetof(cosm_collider, group), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, NULL, false},
    {"layer", COSM_FIELD_U32, offsetof(cosm_collider, layer), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, &cosm_collider_default_layer, false},
    {"mask", COSM_FIELD_U32, offsetof(cosm_collider, mask), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, &cosm_collider_default_mask, false},
    {"size.x", COSM_FIELD_F32, offsetof(cosm_collider, size.x), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, HUGE_VAL, "m",
     NULL, &cosm_collider_default_size_x, false},
    {"size.y", COSM_FIELD_F32, offsetof(cosm_collider, size.y), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, HUGE_VAL, "m",
     NULL, &cosm_collider_default_size_y, false},
    {"size.z", COSM_FIELD_F32, offsetof(cosm_collider, size.z), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, HUGE_VAL, "m",
     NULL, &cosm_collider_default_size_z, false},
    {"offset.x", COSM_FIELD_F32, offsetof(cosm_collider, offset.x), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, "m",
     "of its centre, in the body's own axes", NULL, false},
    {"offset.y", COSM_FIELD_F32, offsetof(cosm_collider, offset.y), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, "m",
     "of its centre, in the body's own axes", NULL, false},
    {"offset.z", COSM_FIELD_F32, offsetof(cosm_collider, offset.z), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, "m",
     "of its centre, in the body's own axes", NULL, false},
    {"friction", COSM_FIELD_F32, offsetof(cosm_collider, friction), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, HUGE_VAL, NULL,
     "of a pair: the root of the product", &cosm_collider_default_friction, false},
    {"restitution", COSM_FIELD_F32, offsetof(cosm_collider, restitution), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 1.0, NULL,
     "of a pair: the larger one", NULL, false},
    {"rolling", COSM_FIELD_F32, offsetof(cosm_collider, rolling), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, HUGE_VAL, "m",
     "resistance; of a pair: the larger one", NULL, false},
    {"surface.x", COSM_FIELD_F32, offsetof(cosm_collider, surface.x), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, "m/s",
     "speed of a conveyor, in the body's own axes", NULL, false},
    {"surface.y", COSM_FIELD_F32, offsetof(cosm_collider, surface.y), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, "m/s",
     "speed of a conveyor, in the body's own axes", NULL, false},
    {"surface.z", COSM_FIELD_F32, offsetof(cosm_collider, surface.z), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, "m/s",
     "speed of a conveyor, in the body's own axes", NULL, false},
};

cosm_component_type cosm_collider_type = {
    {"Collider", sizeof(cosm_collider), COSM_ALIGNOF(cosm_collider), NULL, COSM_LAYOUT_STRUCT, cosm_collider_fields, 16,
     "What a body collides with, and how its surface behaves. Two bodies collide if the mask of each has a bit of the other's layer; a common group decides first: a positive one always collides, a negative one never.",
     COSM_STORAGE_COLUMN, {NULL, NULL, NULL, NULL, NULL, NULL, NULL}, false, "cosm_collider"},
    0};

COSM_GEN_SAW(sizeof(cosm_moves) == 16 && COSM_ALIGNOF(cosm_moves) == 4);
COSM_GEN_SAW(offsetof(cosm_moves, gravity) == 0 && sizeof(((cosm_moves *)0)->gravity) == 4);
COSM_GEN_SAW(offsetof(cosm_moves, drag) == 4 && sizeof(((cosm_moves *)0)->drag) == 4);
COSM_GEN_SAW(offsetof(cosm_moves, spin_drag) == 8 && sizeof(((cosm_moves *)0)->spin_drag) == 4);
COSM_GEN_SAW(offsetof(cosm_moves, locks) == 12 && sizeof(((cosm_moves *)0)->locks) == 4);

static const float cosm_moves_default_gravity = 1.0f;

static const cosm_field cosm_moves_fields[] = {
    {"gravity", COSM_FIELD_F32, offsetof(cosm_moves, gravity), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     "a factor", &cosm_moves_default_gravity, false},
    {"drag", COSM_FIELD_F32, offsetof(cosm_moves, drag), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, HUGE_VAL, "1/s",
     NULL, NULL, false},
    {"spin_drag", COSM_FIELD_F32, offsetof(cosm_moves, spin_drag), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, HUGE_VAL, "1/s",
     NULL, NULL, false},
    {"locks", COSM_FIELD_U32, offsetof(cosm_moves, locks), {0, 0, 0, 0}, 0, 0,
     &cosm_lock_mask, 0.0, 0.0, NULL,
     "axes of the world along which it does not move", NULL, false},
};

cosm_component_type cosm_moves_type = {
    {"Moves", sizeof(cosm_moves), COSM_ALIGNOF(cosm_moves), NULL, COSM_LAYOUT_STRUCT, cosm_moves_fields, 4,
     "Exceptions for a dynamic body; optional. Drag slows by the factor 1 / (1 + h drag) in every substep of h seconds, so it does not depend on the frame rate.",
     COSM_STORAGE_COLUMN, {NULL, NULL, NULL, NULL, NULL, NULL, NULL}, false, "cosm_moves"},
    0};

COSM_GEN_SAW(sizeof(cosm_force) == 24 && COSM_ALIGNOF(cosm_force) == 4);
COSM_GEN_SAW(offsetof(cosm_force, force.x) == 0 && sizeof(((cosm_force *)0)->force.x) == 4);
COSM_GEN_SAW(offsetof(cosm_force, force.y) == 4 && sizeof(((cosm_force *)0)->force.y) == 4);
COSM_GEN_SAW(offsetof(cosm_force, force.z) == 8 && sizeof(((cosm_force *)0)->force.z) == 4);
COSM_GEN_SAW(offsetof(cosm_force, torque.x) == 12 && sizeof(((cosm_force *)0)->torque.x) == 4);
COSM_GEN_SAW(offsetof(cosm_force, torque.y) == 16 && sizeof(((cosm_force *)0)->torque.y) == 4);
COSM_GEN_SAW(offsetof(cosm_force, torque.z) == 20 && sizeof(((cosm_force *)0)->torque.z) == 4);

static const cosm_field cosm_force_fields[] = {
    {"force.x", COSM_FIELD_F32, offsetof(cosm_force, force.x), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, "N",
     "at the centre of mass", NULL, false},
    {"force.y", COSM_FIELD_F32, offsetof(cosm_force, force.y), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, "N",
     "at the centre of mass", NULL, false},
    {"force.z", COSM_FIELD_F32, offsetof(cosm_force, force.z), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, "N",
     "at the centre of mass", NULL, false},
    {"torque.x", COSM_FIELD_F32, offsetof(cosm_force, torque.x), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, "N m",
     NULL, NULL, false},
    {"torque.y", COSM_FIELD_F32, offsetof(cosm_force, torque.y), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, "N m",
     NULL, NULL, false},
    {"torque.z", COSM_FIELD_F32, offsetof(cosm_force, torque.z), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, "N m",
     NULL, NULL, false},
};

cosm_component_type cosm_force_type = {
    {"Force", sizeof(cosm_force), COSM_ALIGNOF(cosm_force), NULL, COSM_LAYOUT_STRUCT, cosm_force_fields, 6,
     "A force and a torque on a dynamic body, in the axes of the world, for one step: the step sets them to zero. Optional.",
     COSM_STORAGE_COLUMN, {NULL, NULL, NULL, NULL, NULL, NULL, NULL}, false, "cosm_force"},
    0};

COSM_GEN_SAW(sizeof(cosm_physics_settings) == 40 && COSM_ALIGNOF(cosm_physics_settings) == 4);
COSM_GEN_SAW(offsetof(cosm_physics_settings, gravity.x) == 0 && sizeof(((cosm_physics_settings *)0)->gravity.x) == 4);
COSM_GEN_SAW(offsetof(cosm_physics_settings, gravity.y) == 4 && sizeof(((cosm_physics_settings *)0)->gravity.y) == 4);
COSM_GEN_SAW(offsetof(cosm_physics_settings, gravity.z) == 8 && sizeof(((cosm_physics_settings *)0)->gravity.z) == 4);
COSM_GEN_SAW(offsetof(cosm_physics_settings, substeps) == 12 && sizeof(((cosm_physics_settings *)0)->substeps) == 4);
COSM_GEN_SAW(offsetof(cosm_physics_settings, contact_hertz) == 16 && sizeof(((cosm_physics_settings *)0)->contact_hertz) == 4);
COSM_GEN_SAW(offsetof(cosm_physics_settings, contact_damping) == 20 && sizeof(((cosm_physics_settings *)0)->contact_damping) == 4);
COSM_GEN_SAW(offsetof(cosm_physics_settings, push_speed) == 24 && sizeof(((cosm_physics_settings *)0)->push_speed) == 4);
COSM_GEN_SAW(offsetof(cosm_physics_settings, slop) == 28 && sizeof(((cosm_physics_settings *)0)->slop) == 4);
COSM_GEN_SAW(offsetof(cosm_physics_settings, bounce_speed) == 32 && sizeof(((cosm_physics_settings *)0)->bounce_speed) == 4);
COSM_GEN_SAW(offsetof(cosm_physics_settings, speed_limit) == 36 && sizeof(((cosm_physics_settings *)0)->speed_limit) == 4);

static const float cosm_physics_settings_default_gravity_z = -9.81f;
static const uint32_t cosm_physics_settings_default_substeps = 4u;
static const float cosm_physics_settings_default_contact_hertz = 30.0f;
static const float cosm_physics_settings_default_contact_damping = 10.0f;
static const float cosm_physics_settings_default_push_speed = 3.0f;
static const float cosm_physics_settings_default_slop = 0.005f;
static const float cosm_physics_settings_default_bounce_speed = 1.0f;
static const float cosm_physics_settings_default_speed_limit = 400.0f;

static const cosm_field cosm_physics_settings_fields[] = {
    {"gravity.x", COSM_FIELD_F32, offsetof(cosm_physics_settings, gravity.x), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, "m/s^2",
     NULL, NULL, false},
    {"gravity.y", COSM_FIELD_F32, offsetof(cosm_physics_settings, gravity.y), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, "m/s^2",
     NULL, NULL, false},
    {"gravity.z", COSM_FIELD_F32, offsetof(cosm_physics_settings, gravity.z), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, "m/s^2",
     NULL, &cosm_physics_settings_default_gravity_z, false},
    {"substeps", COSM_FIELD_U32, offsetof(cosm_physics_settings, substeps), {0, 0, 0, 0}, 0, 0,
     NULL, 1.0, 64.0, NULL,
     NULL, &cosm_physics_settings_default_substeps, false},
    {"contact_hertz", COSM_FIELD_F32, offsetof(cosm_physics_settings, contact_hertz), {0, 0, 0, 0}, 0, 0,
     NULL, 1.0, HUGE_VAL, "1/s",
     "stiffness of contacts", &cosm_physics_settings_default_contact_hertz, false},
    {"contact_damping", COSM_FIELD_F32, offsetof(cosm_physics_settings, contact_damping), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, HUGE_VAL, NULL,
     NULL, &cosm_physics_settings_default_contact_damping, false},
    {"push_speed", COSM_FIELD_F32, offsetof(cosm_physics_settings, push_speed), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, HUGE_VAL, "m/s",
     "overlaps part at most so fast", &cosm_physics_settings_default_push_speed, false},
    {"slop", COSM_FIELD_F32, offsetof(cosm_physics_settings, slop), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, HUGE_VAL, "m",
     "collisions are noticed four times this distance ahead", &cosm_physics_settings_default_slop, false},
    {"bounce_speed", COSM_FIELD_F32, offsetof(cosm_physics_settings, bounce_speed), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, HUGE_VAL, "m/s",
     "slower ones do not bounce", &cosm_physics_settings_default_bounce_speed, false},
    {"speed_limit", COSM_FIELD_F32, offsetof(cosm_physics_settings, speed_limit), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, HUGE_VAL, "m/s",
     NULL, &cosm_physics_settings_default_speed_limit, false},
};

cosm_singleton_type cosm_physics_settings_type = {
    {"PhysicsSettings", sizeof(cosm_physics_settings), COSM_ALIGNOF(cosm_physics_settings), NULL, cosm_physics_settings_fields, 10,
     "How a world's physics works.", "cosm_physics_settings"},
    0};

COSM_GEN_SAW(sizeof(cosm_physics_report) == 24 && COSM_ALIGNOF(cosm_physics_report) == 4);
COSM_GEN_SAW(offsetof(cosm_physics_report, bodies) == 0 && sizeof(((cosm_physics_report *)0)->bodies) == 4);
COSM_GEN_SAW(offsetof(cosm_physics_report, pairs) == 4 && sizeof(((cosm_physics_report *)0)->pairs) == 4);
COSM_GEN_SAW(offsetof(cosm_physics_report, contacts) == 8 && sizeof(((cosm_physics_report *)0)->contacts) == 4);
COSM_GEN_SAW(offsetof(cosm_physics_report, points) == 12 && sizeof(((cosm_physics_report *)0)->points) == 4);
COSM_GEN_SAW(offsetof(cosm_physics_report, dropped) == 16 && sizeof(((cosm_physics_report *)0)->dropped) == 4);
COSM_GEN_SAW(offsetof(cosm_physics_report, deepest) == 20 && sizeof(((cosm_physics_report *)0)->deepest) == 4);

static const cosm_field cosm_physics_report_fields[] = {
    {"bodies", COSM_FIELD_U32, offsetof(cosm_physics_report, bodies), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     "with a collider", NULL, false},
    {"pairs", COSM_FIELD_U32, offsetof(cosm_physics_report, pairs), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     "near each other", NULL, false},
    {"contacts", COSM_FIELD_U32, offsetof(cosm_physics_report, contacts), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     "pairs that touch, or may within the step", NULL, false},
    {"points", COSM_FIELD_U32, offsetof(cosm_physics_report, points), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     "of contact", NULL, false},
    {"dropped", COSM_FIELD_U32, offsetof(cosm_physics_report, dropped), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     "contacts that were solved but not remembered: see contact_max", NULL, false},
    {"deepest", COSM_FIELD_F32, offsetof(cosm_physics_report, deepest), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, "m",
     "overlap", NULL, false},
};

cosm_singleton_type cosm_physics_report_type = {
    {"PhysicsReport", sizeof(cosm_physics_report), COSM_ALIGNOF(cosm_physics_report), NULL, cosm_physics_report_fields, 6,
     "What the last step found.", "cosm_physics_report"},
    0};

cosm_result cosm_physics_body_register_all(cosm_engine *engine) {
    bool done = true;
    done = done && cosm_component_register(engine, &cosm_motion_type).id != 0;
    done = done && cosm_component_register(engine, &cosm_mass_type).id != 0;
    done = done && cosm_component_register(engine, &cosm_collider_type).id != 0;
    done = done && cosm_component_register(engine, &cosm_moves_type).id != 0;
    done = done && cosm_component_register(engine, &cosm_force_type).id != 0;
    done = done && cosm_singleton_register(engine, &cosm_physics_settings_type).id != 0;
    done = done && cosm_singleton_register(engine, &cosm_physics_report_type).id != 0;
    return done ? COSM_OK : cosm_error_result();
}
