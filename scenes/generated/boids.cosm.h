// The components of boids.h, typed: made by cosm-gen, not to be edited.
// clang-format off
#ifndef COSM_GEN_BOIDS_H
#define COSM_GEN_BOIDS_H

#include "boids.h"

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

// Registers all of them with an engine, in the order of boids.h.
COSM_MUST_USE cosm_result boids_register_all(cosm_engine *engine);

extern cosm_component_type Acceleration_type;

static inline cosm_component Acceleration_component(const cosm_engine *engine) {
    return cosm_component_of(engine, &Acceleration_type);
}

static inline bool Acceleration_has(cosm_world world, cosm_entity entity) {
    return cosm_entity_has(world, entity, Acceleration_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result Acceleration_add(cosm_world world, cosm_entity entity) {
    return cosm_entity_add(world, entity, Acceleration_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result Acceleration_remove(cosm_world world, cosm_entity entity) {
    return cosm_entity_remove(world, entity, Acceleration_component(cosm_batch_engine(world.batch)));
}

static inline bool Acceleration_get(cosm_world world, cosm_entity entity, Acceleration *out_value) {
    return cosm_entity_get(world, entity, Acceleration_component(cosm_batch_engine(world.batch)),
                           out_value);
}

static inline COSM_MUST_USE cosm_result Acceleration_set(cosm_world world, cosm_entity entity,
    const Acceleration *value) {
    return cosm_entity_set(world, entity, Acceleration_component(cosm_batch_engine(world.batch)), value);
}

static inline const Acceleration *Acceleration_read(cosm_world world, cosm_entity entity) {
    return COSM_READ(world, entity, Acceleration);
}

static inline Acceleration *Acceleration_write(cosm_world world, cosm_entity entity) {
    return COSM_WRITE(world, entity, Acceleration);
}

static inline const Acceleration *Acceleration_column_read(const cosm_rows *rows, uint32_t term) {
    return COSM_COLUMN_READ(rows, Acceleration, term);
}

static inline Acceleration *Acceleration_column_write(const cosm_rows *rows, uint32_t term) {
    return COSM_COLUMN_WRITE(rows, Acceleration, term);
}

static inline Acceleration *Acceleration_column_of(const cosm_rows *rows) {
    return COSM_WRITE(rows, Acceleration);
}

enum {
    Acceleration_field_x = 0,
    Acceleration_field_y = 1,
};

typedef struct Acceleration_columns {
    float *x;
    float *y;
} Acceleration_columns;

typedef struct Acceleration_const_columns {
    const float *x;
    const float *y;
} Acceleration_const_columns;

static inline Acceleration_const_columns Acceleration_columns_read(const cosm_rows *rows, uint32_t term) {
    Acceleration_const_columns columns;
    columns.x = COSM_FIELD_READ(rows, float, term, Acceleration_field_x);
    columns.y = COSM_FIELD_READ(rows, float, term, Acceleration_field_y);
    return columns;
}

static inline Acceleration_columns Acceleration_columns_write(const cosm_rows *rows, uint32_t term) {
    Acceleration_columns columns;
    columns.x = COSM_FIELD_WRITE(rows, float, term, Acceleration_field_x);
    columns.y = COSM_FIELD_WRITE(rows, float, term, Acceleration_field_y);
    return columns;
}

static inline Acceleration_columns Acceleration_columns_of(const cosm_rows *rows) {
    const cosm_component component = Acceleration_component(cosm_rows_engine(rows));
    Acceleration_columns columns;
    columns.x = COSM_FIELD_OF(rows, float, component, Acceleration_field_x);
    columns.y = COSM_FIELD_OF(rows, float, component, Acceleration_field_y);
    return columns;
}

// Which boids are in which cell of the box: see boids.c.
extern cosm_singleton_type Bins_type;

static inline cosm_singleton Bins_singleton(const cosm_engine *engine) {
    return cosm_singleton_of(engine, &Bins_type);
}

static inline const Bins *Bins_read(cosm_world world) {
    return COSM_SINGLETON_READ(world, Bins);
}

static inline Bins *Bins_write(cosm_world world) {
    return COSM_SINGLETON_WRITE(world, Bins);
}

enum {
    Bins_field_start = 0,
    Bins_field_rows = 1,
};

COSM_END_C

#endif
