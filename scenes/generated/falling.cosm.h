// The components of falling.h, typed: made by cosm-gen, not to be edited.
// clang-format off
#ifndef COSM_GEN_FALLING_H
#define COSM_GEN_FALLING_H

#include "falling.h"

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

// Registers all of them with an engine, in the order of falling.h.
COSM_MUST_USE cosm_result falling_register_all(cosm_engine *engine);

extern cosm_component_type Bounce_type;

static inline cosm_component Bounce_component(const cosm_engine *engine) {
    return cosm_component_of(engine, &Bounce_type);
}

static inline bool Bounce_has(cosm_world world, cosm_entity entity) {
    return cosm_entity_has(world, entity, Bounce_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result Bounce_add(cosm_world world, cosm_entity entity) {
    return cosm_entity_add(world, entity, Bounce_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result Bounce_remove(cosm_world world, cosm_entity entity) {
    return cosm_entity_remove(world, entity, Bounce_component(cosm_batch_engine(world.batch)));
}

static inline bool Bounce_get(cosm_world world, cosm_entity entity, Bounce *out_value) {
    return cosm_entity_get(world, entity, Bounce_component(cosm_batch_engine(world.batch)),
                           out_value);
}

static inline COSM_MUST_USE cosm_result Bounce_set(cosm_world world, cosm_entity entity,
    const Bounce *value) {
    return cosm_entity_set(world, entity, Bounce_component(cosm_batch_engine(world.batch)), value);
}

static inline const Bounce *Bounce_read(cosm_world world, cosm_entity entity) {
    return COSM_READ(world, entity, Bounce);
}

static inline Bounce *Bounce_write(cosm_world world, cosm_entity entity) {
    return COSM_WRITE(world, entity, Bounce);
}

static inline const Bounce *Bounce_column_read(const cosm_rows *rows, uint32_t term) {
    return COSM_COLUMN_READ(rows, Bounce, term);
}

static inline Bounce *Bounce_column_write(const cosm_rows *rows, uint32_t term) {
    return COSM_COLUMN_WRITE(rows, Bounce, term);
}

static inline Bounce *Bounce_column_of(const cosm_rows *rows) {
    return COSM_WRITE(rows, Bounce);
}

enum {
    Bounce_field_kept = 0,
};

typedef struct Bounce_columns {
    float *kept;
} Bounce_columns;

typedef struct Bounce_const_columns {
    const float *kept;
} Bounce_const_columns;

static inline Bounce_const_columns Bounce_columns_read(const cosm_rows *rows, uint32_t term) {
    Bounce_const_columns columns;
    columns.kept = COSM_FIELD_READ(rows, float, term, Bounce_field_kept);
    return columns;
}

static inline Bounce_columns Bounce_columns_write(const cosm_rows *rows, uint32_t term) {
    Bounce_columns columns;
    columns.kept = COSM_FIELD_WRITE(rows, float, term, Bounce_field_kept);
    return columns;
}

static inline Bounce_columns Bounce_columns_of(const cosm_rows *rows) {
    const cosm_component component = Bounce_component(cosm_rows_engine(rows));
    Bounce_columns columns;
    columns.kept = COSM_FIELD_OF(rows, float, component, Bounce_field_kept);
    return columns;
}

// Lies on the ground and does not move.
extern cosm_component_type Resting_type;

static inline cosm_component Resting_component(const cosm_engine *engine) {
    return cosm_component_of(engine, &Resting_type);
}

static inline bool Resting_has(cosm_world world, cosm_entity entity) {
    return cosm_entity_has(world, entity, Resting_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result Resting_add(cosm_world world, cosm_entity entity) {
    return cosm_entity_add(world, entity, Resting_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result Resting_remove(cosm_world world, cosm_entity entity) {
    return cosm_entity_remove(world, entity, Resting_component(cosm_batch_engine(world.batch)));
}

COSM_END_C

#endif
