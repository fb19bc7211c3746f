// The components of pose.h, typed: made by cosm-gen, not to be edited.
// clang-format off
#ifndef COSM_GEN_COSM_SPACE_H
#define COSM_GEN_COSM_SPACE_H

#include <cosm_space/pose.h>

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

// Registers all of them with an engine, in the order of pose.h.
COSM_MUST_USE cosm_result cosm_space_register_all(cosm_engine *engine);

// Where an entity is, and how it is turned.
extern cosm_component_type cosm_pose_type;

static inline cosm_component cosm_pose_component(const cosm_engine *engine) {
    return cosm_component_of(engine, &cosm_pose_type);
}

static inline bool cosm_pose_has(cosm_world world, cosm_entity entity) {
    return cosm_entity_has(world, entity, cosm_pose_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result cosm_pose_add(cosm_world world, cosm_entity entity) {
    return cosm_entity_add(world, entity, cosm_pose_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result cosm_pose_remove(cosm_world world, cosm_entity entity) {
    return cosm_entity_remove(world, entity, cosm_pose_component(cosm_batch_engine(world.batch)));
}

static inline bool cosm_pose_get(cosm_world world, cosm_entity entity, cosm_pose *out_value) {
    return cosm_entity_get(world, entity, cosm_pose_component(cosm_batch_engine(world.batch)),
                           out_value);
}

static inline COSM_MUST_USE cosm_result cosm_pose_set(cosm_world world, cosm_entity entity,
    const cosm_pose *value) {
    return cosm_entity_set(world, entity, cosm_pose_component(cosm_batch_engine(world.batch)), value);
}

static inline const cosm_pose *cosm_pose_read(cosm_world world, cosm_entity entity) {
    return COSM_READ(world, entity, cosm_pose);
}

static inline cosm_pose *cosm_pose_write(cosm_world world, cosm_entity entity) {
    return COSM_WRITE(world, entity, cosm_pose);
}

static inline const cosm_pose *cosm_pose_column_read(const cosm_rows *rows, uint32_t term) {
    return COSM_COLUMN_READ(rows, cosm_pose, term);
}

static inline cosm_pose *cosm_pose_column_write(const cosm_rows *rows, uint32_t term) {
    return COSM_COLUMN_WRITE(rows, cosm_pose, term);
}

static inline cosm_pose *cosm_pose_column_of(const cosm_rows *rows) {
    return COSM_WRITE(rows, cosm_pose);
}

enum {
    cosm_pose_field_position_x = 0,
    cosm_pose_field_position_y = 1,
    cosm_pose_field_position_z = 2,
    cosm_pose_field_rotation_w = 3,
    cosm_pose_field_rotation_x = 4,
    cosm_pose_field_rotation_y = 5,
    cosm_pose_field_rotation_z = 6,
};

typedef struct cosm_pose_columns {
    float *position_x;
    float *position_y;
    float *position_z;
    float *rotation_w;
    float *rotation_x;
    float *rotation_y;
    float *rotation_z;
} cosm_pose_columns;

typedef struct cosm_pose_const_columns {
    const float *position_x;
    const float *position_y;
    const float *position_z;
    const float *rotation_w;
    const float *rotation_x;
    const float *rotation_y;
    const float *rotation_z;
} cosm_pose_const_columns;

static inline cosm_pose_const_columns cosm_pose_columns_read(const cosm_rows *rows, uint32_t term) {
    cosm_pose_const_columns columns;
    columns.position_x = COSM_FIELD_READ(rows, float, term, cosm_pose_field_position_x);
    columns.position_y = COSM_FIELD_READ(rows, float, term, cosm_pose_field_position_y);
    columns.position_z = COSM_FIELD_READ(rows, float, term, cosm_pose_field_position_z);
    columns.rotation_w = COSM_FIELD_READ(rows, float, term, cosm_pose_field_rotation_w);
    columns.rotation_x = COSM_FIELD_READ(rows, float, term, cosm_pose_field_rotation_x);
    columns.rotation_y = COSM_FIELD_READ(rows, float, term, cosm_pose_field_rotation_y);
    columns.rotation_z = COSM_FIELD_READ(rows, float, term, cosm_pose_field_rotation_z);
    return columns;
}

static inline cosm_pose_columns cosm_pose_columns_write(const cosm_rows *rows, uint32_t term) {
    cosm_pose_columns columns;
    columns.position_x = COSM_FIELD_WRITE(rows, float, term, cosm_pose_field_position_x);
    columns.position_y = COSM_FIELD_WRITE(rows, float, term, cosm_pose_field_position_y);
    columns.position_z = COSM_FIELD_WRITE(rows, float, term, cosm_pose_field_position_z);
    columns.rotation_w = COSM_FIELD_WRITE(rows, float, term, cosm_pose_field_rotation_w);
    columns.rotation_x = COSM_FIELD_WRITE(rows, float, term, cosm_pose_field_rotation_x);
    columns.rotation_y = COSM_FIELD_WRITE(rows, float, term, cosm_pose_field_rotation_y);
    columns.rotation_z = COSM_FIELD_WRITE(rows, float, term, cosm_pose_field_rotation_z);
    return columns;
}

static inline cosm_pose_columns cosm_pose_columns_of(const cosm_rows *rows) {
    const cosm_component component = cosm_pose_component(cosm_rows_engine(rows));
    cosm_pose_columns columns;
    columns.position_x = COSM_FIELD_OF(rows, float, component, cosm_pose_field_position_x);
    columns.position_y = COSM_FIELD_OF(rows, float, component, cosm_pose_field_position_y);
    columns.position_z = COSM_FIELD_OF(rows, float, component, cosm_pose_field_position_z);
    columns.rotation_w = COSM_FIELD_OF(rows, float, component, cosm_pose_field_rotation_w);
    columns.rotation_x = COSM_FIELD_OF(rows, float, component, cosm_pose_field_rotation_x);
    columns.rotation_y = COSM_FIELD_OF(rows, float, component, cosm_pose_field_rotation_y);
    columns.rotation_z = COSM_FIELD_OF(rows, float, component, cosm_pose_field_rotation_z);
    return columns;
}

COSM_END_C

#endif
