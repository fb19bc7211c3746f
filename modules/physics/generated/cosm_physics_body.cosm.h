// The components of body.h, typed: made by cosm-gen, not to be edited.
// clang-format off
#ifndef COSM_GEN_COSM_PHYSICS_BODY_H
#define COSM_GEN_COSM_PHYSICS_BODY_H

#include <cosm_physics/body.h>

#include <cosm/batch.h>
#include <cosm/component.h>
#include <cosm/entity.h>
#include <cosm/query.h>
#include <cosm/singleton.h>
#include <cosm/typed.h>

#if COSM_GEN_FORMAT != 3
#error "made by the cosm-gen of another version of Cosm; run cosm-gen again"
#endif

COSM_BEGIN_C

// Registers all of them with an engine, in the order of body.h.
COSM_MUST_USE cosm_result cosm_physics_body_register_all(cosm_engine *engine);

// How a body moves.
extern cosm_component_type cosm_motion_type;

static inline cosm_component cosm_motion_component(const cosm_engine *engine) {
    return cosm_component_of(engine, &cosm_motion_type);
}

static inline bool cosm_motion_has(cosm_world world, cosm_entity entity) {
    return cosm_entity_has(world, entity, cosm_motion_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result cosm_motion_add(cosm_world world, cosm_entity entity) {
    return cosm_entity_add(world, entity, cosm_motion_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result cosm_motion_remove(cosm_world world, cosm_entity entity) {
    return cosm_entity_remove(world, entity, cosm_motion_component(cosm_batch_engine(world.batch)));
}

static inline bool cosm_motion_get(cosm_world world, cosm_entity entity, cosm_motion *out_value) {
    return cosm_entity_get(world, entity, cosm_motion_component(cosm_batch_engine(world.batch)),
                           out_value);
}

static inline COSM_MUST_USE cosm_result cosm_motion_set(cosm_world world, cosm_entity entity,
    const cosm_motion *value) {
    return cosm_entity_set(world, entity, cosm_motion_component(cosm_batch_engine(world.batch)), value);
}

static inline const cosm_motion *cosm_motion_read(cosm_world world, cosm_entity entity) {
    return COSM_READ(world, entity, cosm_motion);
}

static inline cosm_motion *cosm_motion_write(cosm_world world, cosm_entity entity) {
    return COSM_WRITE(world, entity, cosm_motion);
}

static inline const cosm_motion *cosm_motion_column_read(const cosm_rows *rows, uint32_t term) {
    return COSM_COLUMN_READ(rows, cosm_motion, term);
}

static inline cosm_motion *cosm_motion_column_write(const cosm_rows *rows, uint32_t term) {
    return COSM_COLUMN_WRITE(rows, cosm_motion, term);
}

static inline cosm_motion *cosm_motion_column_of(const cosm_rows *rows) {
    return COSM_WRITE(rows, cosm_motion);
}

enum {
    cosm_motion_field_velocity_x = 0,
    cosm_motion_field_velocity_y = 1,
    cosm_motion_field_velocity_z = 2,
    cosm_motion_field_spin_x = 3,
    cosm_motion_field_spin_y = 4,
    cosm_motion_field_spin_z = 5,
};

typedef struct cosm_motion_columns {
    float *velocity_x;
    float *velocity_y;
    float *velocity_z;
    float *spin_x;
    float *spin_y;
    float *spin_z;
} cosm_motion_columns;

typedef struct cosm_motion_const_columns {
    const float *velocity_x;
    const float *velocity_y;
    const float *velocity_z;
    const float *spin_x;
    const float *spin_y;
    const float *spin_z;
} cosm_motion_const_columns;

static inline cosm_motion_const_columns cosm_motion_columns_read(const cosm_rows *rows, uint32_t term) {
    cosm_motion_const_columns columns;
    columns.velocity_x = COSM_FIELD_READ(rows, float, term, cosm_motion_field_velocity_x);
    columns.velocity_y = COSM_FIELD_READ(rows, float, term, cosm_motion_field_velocity_y);
    columns.velocity_z = COSM_FIELD_READ(rows, float, term, cosm_motion_field_velocity_z);
    columns.spin_x = COSM_FIELD_READ(rows, float, term, cosm_motion_field_spin_x);
    columns.spin_y = COSM_FIELD_READ(rows, float, term, cosm_motion_field_spin_y);
    columns.spin_z = COSM_FIELD_READ(rows, float, term, cosm_motion_field_spin_z);
    return columns;
}

static inline cosm_motion_columns cosm_motion_columns_write(const cosm_rows *rows, uint32_t term) {
    cosm_motion_columns columns;
    columns.velocity_x = COSM_FIELD_WRITE(rows, float, term, cosm_motion_field_velocity_x);
    columns.velocity_y = COSM_FIELD_WRITE(rows, float, term, cosm_motion_field_velocity_y);
    columns.velocity_z = COSM_FIELD_WRITE(rows, float, term, cosm_motion_field_velocity_z);
    columns.spin_x = COSM_FIELD_WRITE(rows, float, term, cosm_motion_field_spin_x);
    columns.spin_y = COSM_FIELD_WRITE(rows, float, term, cosm_motion_field_spin_y);
    columns.spin_z = COSM_FIELD_WRITE(rows, float, term, cosm_motion_field_spin_z);
    return columns;
}

static inline cosm_motion_columns cosm_motion_columns_of(const cosm_rows *rows) {
    const cosm_component component = cosm_motion_component(cosm_rows_engine(rows));
    cosm_motion_columns columns;
    columns.velocity_x = COSM_FIELD_OF(rows, float, component, cosm_motion_field_velocity_x);
    columns.velocity_y = COSM_FIELD_OF(rows, float, component, cosm_motion_field_velocity_y);
    columns.velocity_z = COSM_FIELD_OF(rows, float, component, cosm_motion_field_velocity_z);
    columns.spin_x = COSM_FIELD_OF(rows, float, component, cosm_motion_field_spin_x);
    columns.spin_y = COSM_FIELD_OF(rows, float, component, cosm_motion_field_spin_y);
    columns.spin_z = COSM_FIELD_OF(rows, float, component, cosm_motion_field_spin_z);
    return columns;
}

// How a body resists forces. cosm_physics_mass computes it from a collider and a density.
extern cosm_component_type cosm_mass_type;

static inline cosm_component cosm_mass_component(const cosm_engine *engine) {
    return cosm_component_of(engine, &cosm_mass_type);
}

static inline bool cosm_mass_has(cosm_world world, cosm_entity entity) {
    return cosm_entity_has(world, entity, cosm_mass_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result cosm_mass_add(cosm_world world, cosm_entity entity) {
    return cosm_entity_add(world, entity, cosm_mass_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result cosm_mass_remove(cosm_world world, cosm_entity entity) {
    return cosm_entity_remove(world, entity, cosm_mass_component(cosm_batch_engine(world.batch)));
}

static inline bool cosm_mass_get(cosm_world world, cosm_entity entity, cosm_mass *out_value) {
    return cosm_entity_get(world, entity, cosm_mass_component(cosm_batch_engine(world.batch)),
                           out_value);
}

static inline COSM_MUST_USE cosm_result cosm_mass_set(cosm_world world, cosm_entity entity,
    const cosm_mass *value) {
    return cosm_entity_set(world, entity, cosm_mass_component(cosm_batch_engine(world.batch)), value);
}

static inline const cosm_mass *cosm_mass_read(cosm_world world, cosm_entity entity) {
    return COSM_READ(world, entity, cosm_mass);
}

static inline cosm_mass *cosm_mass_write(cosm_world world, cosm_entity entity) {
    return COSM_WRITE(world, entity, cosm_mass);
}

static inline const cosm_mass *cosm_mass_column_read(const cosm_rows *rows, uint32_t term) {
    return COSM_COLUMN_READ(rows, cosm_mass, term);
}

static inline cosm_mass *cosm_mass_column_write(const cosm_rows *rows, uint32_t term) {
    return COSM_COLUMN_WRITE(rows, cosm_mass, term);
}

static inline cosm_mass *cosm_mass_column_of(const cosm_rows *rows) {
    return COSM_WRITE(rows, cosm_mass);
}

enum {
    cosm_mass_field_inverse = 0,
    cosm_mass_field_inverse_inertia_x = 1,
    cosm_mass_field_inverse_inertia_y = 2,
    cosm_mass_field_inverse_inertia_z = 3,
    cosm_mass_field_frame_w = 4,
    cosm_mass_field_frame_x = 5,
    cosm_mass_field_frame_y = 6,
    cosm_mass_field_frame_z = 7,
    cosm_mass_field_centre_x = 8,
    cosm_mass_field_centre_y = 9,
    cosm_mass_field_centre_z = 10,
};

typedef struct cosm_mass_columns {
    float *inverse;
    float *inverse_inertia_x;
    float *inverse_inertia_y;
    float *inverse_inertia_z;
    float *frame_w;
    float *frame_x;
    float *frame_y;
    float *frame_z;
    float *centre_x;
    float *centre_y;
    float *centre_z;
} cosm_mass_columns;

typedef struct cosm_mass_const_columns {
    const float *inverse;
    const float *inverse_inertia_x;
    const float *inverse_inertia_y;
    const float *inverse_inertia_z;
    const float *frame_w;
    const float *frame_x;
    const float *frame_y;
    const float *frame_z;
    const float *centre_x;
    const float *centre_y;
    const float *centre_z;
} cosm_mass_const_columns;

static inline cosm_mass_const_columns cosm_mass_columns_read(const cosm_rows *rows, uint32_t term) {
    cosm_mass_const_columns columns;
    columns.inverse = COSM_FIELD_READ(rows, float, term, cosm_mass_field_inverse);
    columns.inverse_inertia_x = COSM_FIELD_READ(rows, float, term, cosm_mass_field_inverse_inertia_x);
    columns.inverse_inertia_y = COSM_FIELD_READ(rows, float, term, cosm_mass_field_inverse_inertia_y);
    columns.inverse_inertia_z = COSM_FIELD_READ(rows, float, term, cosm_mass_field_inverse_inertia_z);
    columns.frame_w = COSM_FIELD_READ(rows, float, term, cosm_mass_field_frame_w);
    columns.frame_x = COSM_FIELD_READ(rows, float, term, cosm_mass_field_frame_x);
    columns.frame_y = COSM_FIELD_READ(rows, float, term, cosm_mass_field_frame_y);
    columns.frame_z = COSM_FIELD_READ(rows, float, term, cosm_mass_field_frame_z);
    columns.centre_x = COSM_FIELD_READ(rows, float, term, cosm_mass_field_centre_x);
    columns.centre_y = COSM_FIELD_READ(rows, float, term, cosm_mass_field_centre_y);
    columns.centre_z = COSM_FIELD_READ(rows, float, term, cosm_mass_field_centre_z);
    return columns;
}

static inline cosm_mass_columns cosm_mass_columns_write(const cosm_rows *rows, uint32_t term) {
    cosm_mass_columns columns;
    columns.inverse = COSM_FIELD_WRITE(rows, float, term, cosm_mass_field_inverse);
    columns.inverse_inertia_x = COSM_FIELD_WRITE(rows, float, term, cosm_mass_field_inverse_inertia_x);
    columns.inverse_inertia_y = COSM_FIELD_WRITE(rows, float, term, cosm_mass_field_inverse_inertia_y);
    columns.inverse_inertia_z = COSM_FIELD_WRITE(rows, float, term, cosm_mass_field_inverse_inertia_z);
    columns.frame_w = COSM_FIELD_WRITE(rows, float, term, cosm_mass_field_frame_w);
    columns.frame_x = COSM_FIELD_WRITE(rows, float, term, cosm_mass_field_frame_x);
    columns.frame_y = COSM_FIELD_WRITE(rows, float, term, cosm_mass_field_frame_y);
    columns.frame_z = COSM_FIELD_WRITE(rows, float, term, cosm_mass_field_frame_z);
    columns.centre_x = COSM_FIELD_WRITE(rows, float, term, cosm_mass_field_centre_x);
    columns.centre_y = COSM_FIELD_WRITE(rows, float, term, cosm_mass_field_centre_y);
    columns.centre_z = COSM_FIELD_WRITE(rows, float, term, cosm_mass_field_centre_z);
    return columns;
}

static inline cosm_mass_columns cosm_mass_columns_of(const cosm_rows *rows) {
    const cosm_component component = cosm_mass_component(cosm_rows_engine(rows));
    cosm_mass_columns columns;
    columns.inverse = COSM_FIELD_OF(rows, float, component, cosm_mass_field_inverse);
    columns.inverse_inertia_x = COSM_FIELD_OF(rows, float, component, cosm_mass_field_inverse_inertia_x);
    columns.inverse_inertia_y = COSM_FIELD_OF(rows, float, component, cosm_mass_field_inverse_inertia_y);
    columns.inverse_inertia_z = COSM_FIELD_OF(rows, float, component, cosm_mass_field_inverse_inertia_z);
    columns.frame_w = COSM_FIELD_OF(rows, float, component, cosm_mass_field_frame_w);
    columns.frame_x = COSM_FIELD_OF(rows, float, component, cosm_mass_field_frame_x);
    columns.frame_y = COSM_FIELD_OF(rows, float, component, cosm_mass_field_frame_y);
    columns.frame_z = COSM_FIELD_OF(rows, float, component, cosm_mass_field_frame_z);
    columns.centre_x = COSM_FIELD_OF(rows, float, component, cosm_mass_field_centre_x);
    columns.centre_y = COSM_FIELD_OF(rows, float, component, cosm_mass_field_centre_y);
    columns.centre_z = COSM_FIELD_OF(rows, float, component, cosm_mass_field_centre_z);
    return columns;
}

// What a body collides with, and how its surface behaves. Two bodies collide if the mask of each
// has a bit of the other's layer; a common group decides first: a positive one always collides, a
// negative one never.
extern cosm_component_type cosm_collider_type;

static inline cosm_component cosm_collider_component(const cosm_engine *engine) {
    return cosm_component_of(engine, &cosm_collider_type);
}

static inline bool cosm_collider_has(cosm_world world, cosm_entity entity) {
    return cosm_entity_has(world, entity, cosm_collider_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result cosm_collider_add(cosm_world world, cosm_entity entity) {
    return cosm_entity_add(world, entity, cosm_collider_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result cosm_collider_remove(cosm_world world, cosm_entity entity) {
    return cosm_entity_remove(world, entity, cosm_collider_component(cosm_batch_engine(world.batch)));
}

static inline bool cosm_collider_get(cosm_world world, cosm_entity entity, cosm_collider *out_value) {
    return cosm_entity_get(world, entity, cosm_collider_component(cosm_batch_engine(world.batch)),
                           out_value);
}

static inline COSM_MUST_USE cosm_result cosm_collider_set(cosm_world world, cosm_entity entity,
    const cosm_collider *value) {
    return cosm_entity_set(world, entity, cosm_collider_component(cosm_batch_engine(world.batch)), value);
}

static inline const cosm_collider *cosm_collider_read(cosm_world world, cosm_entity entity) {
    return COSM_READ(world, entity, cosm_collider);
}

static inline cosm_collider *cosm_collider_write(cosm_world world, cosm_entity entity) {
    return COSM_WRITE(world, entity, cosm_collider);
}

static inline const cosm_collider *cosm_collider_column_read(const cosm_rows *rows, uint32_t term) {
    return COSM_COLUMN_READ(rows, cosm_collider, term);
}

static inline cosm_collider *cosm_collider_column_write(const cosm_rows *rows, uint32_t term) {
    return COSM_COLUMN_WRITE(rows, cosm_collider, term);
}

static inline cosm_collider *cosm_collider_column_of(const cosm_rows *rows) {
    return COSM_WRITE(rows, cosm_collider);
}

enum {
    cosm_collider_field_shape = 0,
    cosm_collider_field_group = 1,
    cosm_collider_field_layer = 2,
    cosm_collider_field_mask = 3,
    cosm_collider_field_size_x = 4,
    cosm_collider_field_size_y = 5,
    cosm_collider_field_size_z = 6,
    cosm_collider_field_offset_x = 7,
    cosm_collider_field_offset_y = 8,
    cosm_collider_field_offset_z = 9,
    cosm_collider_field_friction = 10,
    cosm_collider_field_restitution = 11,
    cosm_collider_field_rolling = 12,
    cosm_collider_field_surface_x = 13,
    cosm_collider_field_surface_y = 14,
    cosm_collider_field_surface_z = 15,
};

typedef struct cosm_collider_columns {
    cosm_shape *shape;
    int32_t *group;
    uint32_t *layer;
    uint32_t *mask;
    float *size_x;
    float *size_y;
    float *size_z;
    float *offset_x;
    float *offset_y;
    float *offset_z;
    float *friction;
    float *restitution;
    float *rolling;
    float *surface_x;
    float *surface_y;
    float *surface_z;
} cosm_collider_columns;

typedef struct cosm_collider_const_columns {
    const cosm_shape *shape;
    const int32_t *group;
    const uint32_t *layer;
    const uint32_t *mask;
    const float *size_x;
    const float *size_y;
    const float *size_z;
    const float *offset_x;
    const float *offset_y;
    const float *offset_z;
    const float *friction;
    const float *restitution;
    const float *rolling;
    const float *surface_x;
    const float *surface_y;
    const float *surface_z;
} cosm_collider_const_columns;

static inline cosm_collider_const_columns cosm_collider_columns_read(const cosm_rows *rows, uint32_t term) {
    cosm_collider_const_columns columns;
    columns.shape = COSM_FIELD_READ(rows, cosm_shape, term, cosm_collider_field_shape);
    columns.group = COSM_FIELD_READ(rows, int32_t, term, cosm_collider_field_group);
    columns.layer = COSM_FIELD_READ(rows, uint32_t, term, cosm_collider_field_layer);
    columns.mask = COSM_FIELD_READ(rows, uint32_t, term, cosm_collider_field_mask);
    columns.size_x = COSM_FIELD_READ(rows, float, term, cosm_collider_field_size_x);
    columns.size_y = COSM_FIELD_READ(rows, float, term, cosm_collider_field_size_y);
    columns.size_z = COSM_FIELD_READ(rows, float, term, cosm_collider_field_size_z);
    columns.offset_x = COSM_FIELD_READ(rows, float, term, cosm_collider_field_offset_x);
    columns.offset_y = COSM_FIELD_READ(rows, float, term, cosm_collider_field_offset_y);
    columns.offset_z = COSM_FIELD_READ(rows, float, term, cosm_collider_field_offset_z);
    columns.friction = COSM_FIELD_READ(rows, float, term, cosm_collider_field_friction);
    columns.restitution = COSM_FIELD_READ(rows, float, term, cosm_collider_field_restitution);
    columns.rolling = COSM_FIELD_READ(rows, float, term, cosm_collider_field_rolling);
    columns.surface_x = COSM_FIELD_READ(rows, float, term, cosm_collider_field_surface_x);
    columns.surface_y = COSM_FIELD_READ(rows, float, term, cosm_collider_field_surface_y);
    columns.surface_z = COSM_FIELD_READ(rows, float, term, cosm_collider_field_surface_z);
    return columns;
}

static inline cosm_collider_columns cosm_collider_columns_write(const cosm_rows *rows, uint32_t term) {
    cosm_collider_columns columns;
    columns.shape = COSM_FIELD_WRITE(rows, cosm_shape, term, cosm_collider_field_shape);
    columns.group = COSM_FIELD_WRITE(rows, int32_t, term, cosm_collider_field_group);
    columns.layer = COSM_FIELD_WRITE(rows, uint32_t, term, cosm_collider_field_layer);
    columns.mask = COSM_FIELD_WRITE(rows, uint32_t, term, cosm_collider_field_mask);
    columns.size_x = COSM_FIELD_WRITE(rows, float, term, cosm_collider_field_size_x);
    columns.size_y = COSM_FIELD_WRITE(rows, float, term, cosm_collider_field_size_y);
    columns.size_z = COSM_FIELD_WRITE(rows, float, term, cosm_collider_field_size_z);
    columns.offset_x = COSM_FIELD_WRITE(rows, float, term, cosm_collider_field_offset_x);
    columns.offset_y = COSM_FIELD_WRITE(rows, float, term, cosm_collider_field_offset_y);
    columns.offset_z = COSM_FIELD_WRITE(rows, float, term, cosm_collider_field_offset_z);
    columns.friction = COSM_FIELD_WRITE(rows, float, term, cosm_collider_field_friction);
    columns.restitution = COSM_FIELD_WRITE(rows, float, term, cosm_collider_field_restitution);
    columns.rolling = COSM_FIELD_WRITE(rows, float, term, cosm_collider_field_rolling);
    columns.surface_x = COSM_FIELD_WRITE(rows, float, term, cosm_collider_field_surface_x);
    columns.surface_y = COSM_FIELD_WRITE(rows, float, term, cosm_collider_field_surface_y);
    columns.surface_z = COSM_FIELD_WRITE(rows, float, term, cosm_collider_field_surface_z);
    return columns;
}

static inline cosm_collider_columns cosm_collider_columns_of(const cosm_rows *rows) {
    const cosm_component component = cosm_collider_component(cosm_rows_engine(rows));
    cosm_collider_columns columns;
    columns.shape = COSM_FIELD_OF(rows, cosm_shape, component, cosm_collider_field_shape);
    columns.group = COSM_FIELD_OF(rows, int32_t, component, cosm_collider_field_group);
    columns.layer = COSM_FIELD_OF(rows, uint32_t, component, cosm_collider_field_layer);
    columns.mask = COSM_FIELD_OF(rows, uint32_t, component, cosm_collider_field_mask);
    columns.size_x = COSM_FIELD_OF(rows, float, component, cosm_collider_field_size_x);
    columns.size_y = COSM_FIELD_OF(rows, float, component, cosm_collider_field_size_y);
    columns.size_z = COSM_FIELD_OF(rows, float, component, cosm_collider_field_size_z);
    columns.offset_x = COSM_FIELD_OF(rows, float, component, cosm_collider_field_offset_x);
    columns.offset_y = COSM_FIELD_OF(rows, float, component, cosm_collider_field_offset_y);
    columns.offset_z = COSM_FIELD_OF(rows, float, component, cosm_collider_field_offset_z);
    columns.friction = COSM_FIELD_OF(rows, float, component, cosm_collider_field_friction);
    columns.restitution = COSM_FIELD_OF(rows, float, component, cosm_collider_field_restitution);
    columns.rolling = COSM_FIELD_OF(rows, float, component, cosm_collider_field_rolling);
    columns.surface_x = COSM_FIELD_OF(rows, float, component, cosm_collider_field_surface_x);
    columns.surface_y = COSM_FIELD_OF(rows, float, component, cosm_collider_field_surface_y);
    columns.surface_z = COSM_FIELD_OF(rows, float, component, cosm_collider_field_surface_z);
    return columns;
}

// Exceptions for a dynamic body; optional. Drag slows by the factor 1 / (1 + h drag) in every
// substep of h seconds, so it does not depend on the frame rate.
extern cosm_component_type cosm_moves_type;

static inline cosm_component cosm_moves_component(const cosm_engine *engine) {
    return cosm_component_of(engine, &cosm_moves_type);
}

static inline bool cosm_moves_has(cosm_world world, cosm_entity entity) {
    return cosm_entity_has(world, entity, cosm_moves_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result cosm_moves_add(cosm_world world, cosm_entity entity) {
    return cosm_entity_add(world, entity, cosm_moves_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result cosm_moves_remove(cosm_world world, cosm_entity entity) {
    return cosm_entity_remove(world, entity, cosm_moves_component(cosm_batch_engine(world.batch)));
}

static inline bool cosm_moves_get(cosm_world world, cosm_entity entity, cosm_moves *out_value) {
    return cosm_entity_get(world, entity, cosm_moves_component(cosm_batch_engine(world.batch)),
                           out_value);
}

static inline COSM_MUST_USE cosm_result cosm_moves_set(cosm_world world, cosm_entity entity,
    const cosm_moves *value) {
    return cosm_entity_set(world, entity, cosm_moves_component(cosm_batch_engine(world.batch)), value);
}

static inline const cosm_moves *cosm_moves_read(cosm_world world, cosm_entity entity) {
    return COSM_READ(world, entity, cosm_moves);
}

static inline cosm_moves *cosm_moves_write(cosm_world world, cosm_entity entity) {
    return COSM_WRITE(world, entity, cosm_moves);
}

static inline const cosm_moves *cosm_moves_column_read(const cosm_rows *rows, uint32_t term) {
    return COSM_COLUMN_READ(rows, cosm_moves, term);
}

static inline cosm_moves *cosm_moves_column_write(const cosm_rows *rows, uint32_t term) {
    return COSM_COLUMN_WRITE(rows, cosm_moves, term);
}

static inline cosm_moves *cosm_moves_column_of(const cosm_rows *rows) {
    return COSM_WRITE(rows, cosm_moves);
}

enum {
    cosm_moves_field_gravity = 0,
    cosm_moves_field_drag = 1,
    cosm_moves_field_spin_drag = 2,
    cosm_moves_field_locks = 3,
};

typedef struct cosm_moves_columns {
    float *gravity;
    float *drag;
    float *spin_drag;
    uint32_t *locks;
} cosm_moves_columns;

typedef struct cosm_moves_const_columns {
    const float *gravity;
    const float *drag;
    const float *spin_drag;
    const uint32_t *locks;
} cosm_moves_const_columns;

static inline cosm_moves_const_columns cosm_moves_columns_read(const cosm_rows *rows, uint32_t term) {
    cosm_moves_const_columns columns;
    columns.gravity = COSM_FIELD_READ(rows, float, term, cosm_moves_field_gravity);
    columns.drag = COSM_FIELD_READ(rows, float, term, cosm_moves_field_drag);
    columns.spin_drag = COSM_FIELD_READ(rows, float, term, cosm_moves_field_spin_drag);
    columns.locks = COSM_FIELD_READ(rows, uint32_t, term, cosm_moves_field_locks);
    return columns;
}

static inline cosm_moves_columns cosm_moves_columns_write(const cosm_rows *rows, uint32_t term) {
    cosm_moves_columns columns;
    columns.gravity = COSM_FIELD_WRITE(rows, float, term, cosm_moves_field_gravity);
    columns.drag = COSM_FIELD_WRITE(rows, float, term, cosm_moves_field_drag);
    columns.spin_drag = COSM_FIELD_WRITE(rows, float, term, cosm_moves_field_spin_drag);
    columns.locks = COSM_FIELD_WRITE(rows, uint32_t, term, cosm_moves_field_locks);
    return columns;
}

static inline cosm_moves_columns cosm_moves_columns_of(const cosm_rows *rows) {
    const cosm_component component = cosm_moves_component(cosm_rows_engine(rows));
    cosm_moves_columns columns;
    columns.gravity = COSM_FIELD_OF(rows, float, component, cosm_moves_field_gravity);
    columns.drag = COSM_FIELD_OF(rows, float, component, cosm_moves_field_drag);
    columns.spin_drag = COSM_FIELD_OF(rows, float, component, cosm_moves_field_spin_drag);
    columns.locks = COSM_FIELD_OF(rows, uint32_t, component, cosm_moves_field_locks);
    return columns;
}

// A force and a torque on a dynamic body, in the axes of the world, for one step: the step sets
// them to zero. Optional.
extern cosm_component_type cosm_force_type;

static inline cosm_component cosm_force_component(const cosm_engine *engine) {
    return cosm_component_of(engine, &cosm_force_type);
}

static inline bool cosm_force_has(cosm_world world, cosm_entity entity) {
    return cosm_entity_has(world, entity, cosm_force_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result cosm_force_add(cosm_world world, cosm_entity entity) {
    return cosm_entity_add(world, entity, cosm_force_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result cosm_force_remove(cosm_world world, cosm_entity entity) {
    return cosm_entity_remove(world, entity, cosm_force_component(cosm_batch_engine(world.batch)));
}

static inline bool cosm_force_get(cosm_world world, cosm_entity entity, cosm_force *out_value) {
    return cosm_entity_get(world, entity, cosm_force_component(cosm_batch_engine(world.batch)),
                           out_value);
}

static inline COSM_MUST_USE cosm_result cosm_force_set(cosm_world world, cosm_entity entity,
    const cosm_force *value) {
    return cosm_entity_set(world, entity, cosm_force_component(cosm_batch_engine(world.batch)), value);
}

static inline const cosm_force *cosm_force_read(cosm_world world, cosm_entity entity) {
    return COSM_READ(world, entity, cosm_force);
}

static inline cosm_force *cosm_force_write(cosm_world world, cosm_entity entity) {
    return COSM_WRITE(world, entity, cosm_force);
}

static inline const cosm_force *cosm_force_column_read(const cosm_rows *rows, uint32_t term) {
    return COSM_COLUMN_READ(rows, cosm_force, term);
}

static inline cosm_force *cosm_force_column_write(const cosm_rows *rows, uint32_t term) {
    return COSM_COLUMN_WRITE(rows, cosm_force, term);
}

static inline cosm_force *cosm_force_column_of(const cosm_rows *rows) {
    return COSM_WRITE(rows, cosm_force);
}

enum {
    cosm_force_field_force_x = 0,
    cosm_force_field_force_y = 1,
    cosm_force_field_force_z = 2,
    cosm_force_field_torque_x = 3,
    cosm_force_field_torque_y = 4,
    cosm_force_field_torque_z = 5,
};

typedef struct cosm_force_columns {
    float *force_x;
    float *force_y;
    float *force_z;
    float *torque_x;
    float *torque_y;
    float *torque_z;
} cosm_force_columns;

typedef struct cosm_force_const_columns {
    const float *force_x;
    const float *force_y;
    const float *force_z;
    const float *torque_x;
    const float *torque_y;
    const float *torque_z;
} cosm_force_const_columns;

static inline cosm_force_const_columns cosm_force_columns_read(const cosm_rows *rows, uint32_t term) {
    cosm_force_const_columns columns;
    columns.force_x = COSM_FIELD_READ(rows, float, term, cosm_force_field_force_x);
    columns.force_y = COSM_FIELD_READ(rows, float, term, cosm_force_field_force_y);
    columns.force_z = COSM_FIELD_READ(rows, float, term, cosm_force_field_force_z);
    columns.torque_x = COSM_FIELD_READ(rows, float, term, cosm_force_field_torque_x);
    columns.torque_y = COSM_FIELD_READ(rows, float, term, cosm_force_field_torque_y);
    columns.torque_z = COSM_FIELD_READ(rows, float, term, cosm_force_field_torque_z);
    return columns;
}

static inline cosm_force_columns cosm_force_columns_write(const cosm_rows *rows, uint32_t term) {
    cosm_force_columns columns;
    columns.force_x = COSM_FIELD_WRITE(rows, float, term, cosm_force_field_force_x);
    columns.force_y = COSM_FIELD_WRITE(rows, float, term, cosm_force_field_force_y);
    columns.force_z = COSM_FIELD_WRITE(rows, float, term, cosm_force_field_force_z);
    columns.torque_x = COSM_FIELD_WRITE(rows, float, term, cosm_force_field_torque_x);
    columns.torque_y = COSM_FIELD_WRITE(rows, float, term, cosm_force_field_torque_y);
    columns.torque_z = COSM_FIELD_WRITE(rows, float, term, cosm_force_field_torque_z);
    return columns;
}

static inline cosm_force_columns cosm_force_columns_of(const cosm_rows *rows) {
    const cosm_component component = cosm_force_component(cosm_rows_engine(rows));
    cosm_force_columns columns;
    columns.force_x = COSM_FIELD_OF(rows, float, component, cosm_force_field_force_x);
    columns.force_y = COSM_FIELD_OF(rows, float, component, cosm_force_field_force_y);
    columns.force_z = COSM_FIELD_OF(rows, float, component, cosm_force_field_force_z);
    columns.torque_x = COSM_FIELD_OF(rows, float, component, cosm_force_field_torque_x);
    columns.torque_y = COSM_FIELD_OF(rows, float, component, cosm_force_field_torque_y);
    columns.torque_z = COSM_FIELD_OF(rows, float, component, cosm_force_field_torque_z);
    return columns;
}

// How a world's physics works.
extern cosm_singleton_type cosm_physics_settings_type;

static inline cosm_singleton cosm_physics_settings_singleton(const cosm_engine *engine) {
    return cosm_singleton_of(engine, &cosm_physics_settings_type);
}

static inline const cosm_physics_settings *cosm_physics_settings_read(cosm_world world) {
    return COSM_SINGLETON_READ(world, cosm_physics_settings);
}

static inline cosm_physics_settings *cosm_physics_settings_write(cosm_world world) {
    return COSM_SINGLETON_WRITE(world, cosm_physics_settings);
}

enum {
    cosm_physics_settings_field_gravity_x = 0,
    cosm_physics_settings_field_gravity_y = 1,
    cosm_physics_settings_field_gravity_z = 2,
    cosm_physics_settings_field_substeps = 3,
    cosm_physics_settings_field_contact_hertz = 4,
    cosm_physics_settings_field_contact_damping = 5,
    cosm_physics_settings_field_push_speed = 6,
    cosm_physics_settings_field_slop = 7,
    cosm_physics_settings_field_bounce_speed = 8,
    cosm_physics_settings_field_speed_limit = 9,
};

// What the last step found.
extern cosm_singleton_type cosm_physics_report_type;

static inline cosm_singleton cosm_physics_report_singleton(const cosm_engine *engine) {
    return cosm_singleton_of(engine, &cosm_physics_report_type);
}

static inline const cosm_physics_report *cosm_physics_report_read(cosm_world world) {
    return COSM_SINGLETON_READ(world, cosm_physics_report);
}

static inline cosm_physics_report *cosm_physics_report_write(cosm_world world) {
    return COSM_SINGLETON_WRITE(world, cosm_physics_report);
}

enum {
    cosm_physics_report_field_bodies = 0,
    cosm_physics_report_field_pairs = 1,
    cosm_physics_report_field_contacts = 2,
    cosm_physics_report_field_points = 3,
    cosm_physics_report_field_dropped = 4,
    cosm_physics_report_field_deepest = 5,
};

COSM_END_C

#endif
