// The components of names.h, typed: made by cosm-gen, not to be edited.
// clang-format off
#ifndef COSM_GEN_NAMES_H
#define COSM_GEN_NAMES_H

#include "names.h"

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

// Registers all of them with an engine, in the order of names.h.
COSM_MUST_USE cosm_result names_register_all(cosm_engine *engine);

extern cosm_component_type Robot_type;

static inline cosm_component Robot_component(const cosm_engine *engine) {
    return cosm_component_of(engine, &Robot_type);
}

static inline bool Robot_has(cosm_world world, cosm_entity entity) {
    return cosm_entity_has(world, entity, Robot_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result Robot_add(cosm_world world, cosm_entity entity) {
    return cosm_entity_add(world, entity, Robot_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result Robot_remove(cosm_world world, cosm_entity entity) {
    return cosm_entity_remove(world, entity, Robot_component(cosm_batch_engine(world.batch)));
}

static inline bool Robot_get(cosm_world world, cosm_entity entity, Robot *out_value) {
    return cosm_entity_get(world, entity, Robot_component(cosm_batch_engine(world.batch)),
                           out_value);
}

static inline COSM_MUST_USE cosm_result Robot_set(cosm_world world, cosm_entity entity,
    const Robot *value) {
    return cosm_entity_set(world, entity, Robot_component(cosm_batch_engine(world.batch)), value);
}

enum {
    Robot_field_pose_position = 0,
    Robot_field_pose_axes = 1,
    Robot_field_goal = 2,
    Robot_field_friends = 3,
    Robot_field_bits = 4,
    Robot_field_range = 5,
};

typedef struct Robot_columns {
    meters *pose_position;
    meters *pose_axes;
    cosm_entity *goal;
    cosm_entity *friends;
    word *bits;
    meters *range;
} Robot_columns;

typedef struct Robot_const_columns {
    const meters *pose_position;
    const meters *pose_axes;
    const cosm_entity *goal;
    const cosm_entity *friends;
    const word *bits;
    const meters *range;
} Robot_const_columns;

static inline Robot_const_columns Robot_columns_read(const cosm_rows *rows, uint32_t term) {
    Robot_const_columns columns;
    columns.pose_position = COSM_FIELD_READ(rows, meters, term, Robot_field_pose_position);
    columns.pose_axes = COSM_FIELD_READ(rows, meters, term, Robot_field_pose_axes);
    columns.goal = COSM_FIELD_READ(rows, cosm_entity, term, Robot_field_goal);
    columns.friends = COSM_FIELD_READ(rows, cosm_entity, term, Robot_field_friends);
    columns.bits = COSM_FIELD_READ(rows, word, term, Robot_field_bits);
    columns.range = COSM_FIELD_READ(rows, meters, term, Robot_field_range);
    return columns;
}

static inline Robot_columns Robot_columns_write(const cosm_rows *rows, uint32_t term) {
    Robot_columns columns;
    columns.pose_position = COSM_FIELD_WRITE(rows, meters, term, Robot_field_pose_position);
    columns.pose_axes = COSM_FIELD_WRITE(rows, meters, term, Robot_field_pose_axes);
    columns.goal = COSM_FIELD_WRITE(rows, cosm_entity, term, Robot_field_goal);
    columns.friends = COSM_FIELD_WRITE(rows, cosm_entity, term, Robot_field_friends);
    columns.bits = COSM_FIELD_WRITE(rows, word, term, Robot_field_bits);
    columns.range = COSM_FIELD_WRITE(rows, meters, term, Robot_field_range);
    return columns;
}

static inline Robot_columns Robot_columns_of(const cosm_rows *rows) {
    const cosm_component component = Robot_component(cosm_rows_engine(rows));
    Robot_columns columns;
    columns.pose_position = COSM_FIELD_OF(rows, meters, component, Robot_field_pose_position);
    columns.pose_axes = COSM_FIELD_OF(rows, meters, component, Robot_field_pose_axes);
    columns.goal = COSM_FIELD_OF(rows, cosm_entity, component, Robot_field_goal);
    columns.friends = COSM_FIELD_OF(rows, cosm_entity, component, Robot_field_friends);
    columns.bits = COSM_FIELD_OF(rows, word, component, Robot_field_bits);
    columns.range = COSM_FIELD_OF(rows, meters, component, Robot_field_range);
    return columns;
}

extern cosm_component_type Many_type;

static inline cosm_component Many_component(const cosm_engine *engine) {
    return cosm_component_of(engine, &Many_type);
}

static inline bool Many_has(cosm_world world, cosm_entity entity) {
    return cosm_entity_has(world, entity, Many_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result Many_add(cosm_world world, cosm_entity entity) {
    return cosm_entity_add(world, entity, Many_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result Many_remove(cosm_world world, cosm_entity entity) {
    return cosm_entity_remove(world, entity, Many_component(cosm_batch_engine(world.batch)));
}

static inline bool Many_get(cosm_world world, cosm_entity entity, Many *out_value) {
    return cosm_entity_get(world, entity, Many_component(cosm_batch_engine(world.batch)),
                           out_value);
}

static inline COSM_MUST_USE cosm_result Many_set(cosm_world world, cosm_entity entity,
    const Many *value) {
    return cosm_entity_set(world, entity, Many_component(cosm_batch_engine(world.batch)), value);
}

static inline const Many *Many_read(cosm_world world, cosm_entity entity) {
    return COSM_READ(world, entity, Many);
}

static inline Many *Many_write(cosm_world world, cosm_entity entity) {
    return COSM_WRITE(world, entity, Many);
}

static inline const Many *Many_column_read(const cosm_rows *rows, uint32_t term) {
    return COSM_COLUMN_READ(rows, Many, term);
}

static inline Many *Many_column_write(const cosm_rows *rows, uint32_t term) {
    return COSM_COLUMN_WRITE(rows, Many, term);
}

static inline Many *Many_column_of(const cosm_rows *rows) {
    return COSM_WRITE(rows, Many);
}

enum {
    Many_field_x = 0,
};

typedef struct Many_columns {
    int *x;
} Many_columns;

typedef struct Many_const_columns {
    const int *x;
} Many_const_columns;

static inline Many_const_columns Many_columns_read(const cosm_rows *rows, uint32_t term) {
    Many_const_columns columns;
    columns.x = COSM_FIELD_READ(rows, int, term, Many_field_x);
    return columns;
}

static inline Many_columns Many_columns_write(const cosm_rows *rows, uint32_t term) {
    Many_columns columns;
    columns.x = COSM_FIELD_WRITE(rows, int, term, Many_field_x);
    return columns;
}

static inline Many_columns Many_columns_of(const cosm_rows *rows) {
    const cosm_component component = Many_component(cosm_rows_engine(rows));
    Many_columns columns;
    columns.x = COSM_FIELD_OF(rows, int, component, Many_field_x);
    return columns;
}

COSM_END_C

#endif
