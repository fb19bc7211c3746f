// The components of motion.h, typed: made by cosm-gen, not to be edited.
// clang-format off
#ifndef COSM_GEN_MOTION_H
#define COSM_GEN_MOTION_H

#include "motion.h"

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

// Registers all of them with an engine, in the order of motion.h.
COSM_MUST_USE cosm_result motion_register_all(cosm_engine *engine);

// Where something is.
extern cosm_component_type Position_type;

static inline cosm_component Position_component(const cosm_engine *engine) {
    return cosm_component_of(engine, &Position_type);
}

static inline bool Position_has(cosm_world world, cosm_entity entity) {
    return cosm_entity_has(world, entity, Position_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result Position_add(cosm_world world, cosm_entity entity) {
    return cosm_entity_add(world, entity, Position_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result Position_remove(cosm_world world, cosm_entity entity) {
    return cosm_entity_remove(world, entity, Position_component(cosm_batch_engine(world.batch)));
}

static inline bool Position_get(cosm_world world, cosm_entity entity, Position *out_value) {
    return cosm_entity_get(world, entity, Position_component(cosm_batch_engine(world.batch)),
                           out_value);
}

static inline COSM_MUST_USE cosm_result Position_set(cosm_world world, cosm_entity entity,
    const Position *value) {
    return cosm_entity_set(world, entity, Position_component(cosm_batch_engine(world.batch)), value);
}

static inline const Position *Position_read(cosm_world world, cosm_entity entity) {
    return COSM_READ(world, entity, Position);
}

static inline Position *Position_write(cosm_world world, cosm_entity entity) {
    return COSM_WRITE(world, entity, Position);
}

static inline const Position *Position_column_read(const cosm_rows *rows, uint32_t term) {
    return COSM_COLUMN_READ(rows, Position, term);
}

static inline Position *Position_column_write(const cosm_rows *rows, uint32_t term) {
    return COSM_COLUMN_WRITE(rows, Position, term);
}

static inline Position *Position_column_of(const cosm_rows *rows) {
    return COSM_WRITE(rows, Position);
}

enum {
    Position_field_x = 0,
    Position_field_y = 1,
};

typedef struct Position_columns {
    float *x;
    float *y;
} Position_columns;

typedef struct Position_const_columns {
    const float *x;
    const float *y;
} Position_const_columns;

static inline Position_const_columns Position_columns_read(const cosm_rows *rows, uint32_t term) {
    Position_const_columns columns;
    columns.x = COSM_FIELD_READ(rows, float, term, Position_field_x);
    columns.y = COSM_FIELD_READ(rows, float, term, Position_field_y);
    return columns;
}

static inline Position_columns Position_columns_write(const cosm_rows *rows, uint32_t term) {
    Position_columns columns;
    columns.x = COSM_FIELD_WRITE(rows, float, term, Position_field_x);
    columns.y = COSM_FIELD_WRITE(rows, float, term, Position_field_y);
    return columns;
}

static inline Position_columns Position_columns_of(const cosm_rows *rows) {
    const cosm_component component = Position_component(cosm_rows_engine(rows));
    Position_columns columns;
    columns.x = COSM_FIELD_OF(rows, float, component, Position_field_x);
    columns.y = COSM_FIELD_OF(rows, float, component, Position_field_y);
    return columns;
}

// Where it goes, and how fast.
extern cosm_component_type Velocity_type;

static inline cosm_component Velocity_component(const cosm_engine *engine) {
    return cosm_component_of(engine, &Velocity_type);
}

static inline bool Velocity_has(cosm_world world, cosm_entity entity) {
    return cosm_entity_has(world, entity, Velocity_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result Velocity_add(cosm_world world, cosm_entity entity) {
    return cosm_entity_add(world, entity, Velocity_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result Velocity_remove(cosm_world world, cosm_entity entity) {
    return cosm_entity_remove(world, entity, Velocity_component(cosm_batch_engine(world.batch)));
}

static inline bool Velocity_get(cosm_world world, cosm_entity entity, Velocity *out_value) {
    return cosm_entity_get(world, entity, Velocity_component(cosm_batch_engine(world.batch)),
                           out_value);
}

static inline COSM_MUST_USE cosm_result Velocity_set(cosm_world world, cosm_entity entity,
    const Velocity *value) {
    return cosm_entity_set(world, entity, Velocity_component(cosm_batch_engine(world.batch)), value);
}

static inline const Velocity *Velocity_read(cosm_world world, cosm_entity entity) {
    return COSM_READ(world, entity, Velocity);
}

static inline Velocity *Velocity_write(cosm_world world, cosm_entity entity) {
    return COSM_WRITE(world, entity, Velocity);
}

static inline const Velocity *Velocity_column_read(const cosm_rows *rows, uint32_t term) {
    return COSM_COLUMN_READ(rows, Velocity, term);
}

static inline Velocity *Velocity_column_write(const cosm_rows *rows, uint32_t term) {
    return COSM_COLUMN_WRITE(rows, Velocity, term);
}

static inline Velocity *Velocity_column_of(const cosm_rows *rows) {
    return COSM_WRITE(rows, Velocity);
}

enum {
    Velocity_field_x = 0,
    Velocity_field_y = 1,
};

typedef struct Velocity_columns {
    float *x;
    float *y;
} Velocity_columns;

typedef struct Velocity_const_columns {
    const float *x;
    const float *y;
} Velocity_const_columns;

static inline Velocity_const_columns Velocity_columns_read(const cosm_rows *rows, uint32_t term) {
    Velocity_const_columns columns;
    columns.x = COSM_FIELD_READ(rows, float, term, Velocity_field_x);
    columns.y = COSM_FIELD_READ(rows, float, term, Velocity_field_y);
    return columns;
}

static inline Velocity_columns Velocity_columns_write(const cosm_rows *rows, uint32_t term) {
    Velocity_columns columns;
    columns.x = COSM_FIELD_WRITE(rows, float, term, Velocity_field_x);
    columns.y = COSM_FIELD_WRITE(rows, float, term, Velocity_field_y);
    return columns;
}

static inline Velocity_columns Velocity_columns_of(const cosm_rows *rows) {
    const cosm_component component = Velocity_component(cosm_rows_engine(rows));
    Velocity_columns columns;
    columns.x = COSM_FIELD_OF(rows, float, component, Velocity_field_x);
    columns.y = COSM_FIELD_OF(rows, float, component, Velocity_field_y);
    return columns;
}

COSM_END_C

#endif
