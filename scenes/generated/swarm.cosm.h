// The components of swarm.h, typed: made by cosm-gen, not to be edited.
// clang-format off
#ifndef COSM_GEN_SWARM_H
#define COSM_GEN_SWARM_H

#include "swarm.h"

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

// Registers all of them with an engine, in the order of swarm.h.
COSM_MUST_USE cosm_result swarm_register_all(cosm_engine *engine);

extern cosm_component_type Life_type;

static inline cosm_component Life_component(const cosm_engine *engine) {
    return cosm_component_of(engine, &Life_type);
}

static inline bool Life_has(cosm_world world, cosm_entity entity) {
    return cosm_entity_has(world, entity, Life_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result Life_add(cosm_world world, cosm_entity entity) {
    return cosm_entity_add(world, entity, Life_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result Life_remove(cosm_world world, cosm_entity entity) {
    return cosm_entity_remove(world, entity, Life_component(cosm_batch_engine(world.batch)));
}

static inline bool Life_get(cosm_world world, cosm_entity entity, Life *out_value) {
    return cosm_entity_get(world, entity, Life_component(cosm_batch_engine(world.batch)),
                           out_value);
}

static inline COSM_MUST_USE cosm_result Life_set(cosm_world world, cosm_entity entity,
    const Life *value) {
    return cosm_entity_set(world, entity, Life_component(cosm_batch_engine(world.batch)), value);
}

static inline const Life *Life_read(cosm_world world, cosm_entity entity) {
    return COSM_READ(world, entity, Life);
}

static inline Life *Life_write(cosm_world world, cosm_entity entity) {
    return COSM_WRITE(world, entity, Life);
}

static inline const Life *Life_column_read(const cosm_rows *rows, uint32_t term) {
    return COSM_COLUMN_READ(rows, Life, term);
}

static inline Life *Life_column_write(const cosm_rows *rows, uint32_t term) {
    return COSM_COLUMN_WRITE(rows, Life, term);
}

static inline Life *Life_column_of(const cosm_rows *rows) {
    return COSM_WRITE(rows, Life);
}

enum {
    Life_field_left = 0,
};

typedef struct Life_columns {
    int32_t *left;
} Life_columns;

typedef struct Life_const_columns {
    const int32_t *left;
} Life_const_columns;

static inline Life_const_columns Life_columns_read(const cosm_rows *rows, uint32_t term) {
    Life_const_columns columns;
    columns.left = COSM_FIELD_READ(rows, int32_t, term, Life_field_left);
    return columns;
}

static inline Life_columns Life_columns_write(const cosm_rows *rows, uint32_t term) {
    Life_columns columns;
    columns.left = COSM_FIELD_WRITE(rows, int32_t, term, Life_field_left);
    return columns;
}

static inline Life_columns Life_columns_of(const cosm_rows *rows) {
    const cosm_component component = Life_component(cosm_rows_engine(rows));
    Life_columns columns;
    columns.left = COSM_FIELD_OF(rows, int32_t, component, Life_field_left);
    return columns;
}

// A spark: it is not replaced when it ends.
extern cosm_component_type Glowing_type;

static inline cosm_component Glowing_component(const cosm_engine *engine) {
    return cosm_component_of(engine, &Glowing_type);
}

static inline bool Glowing_has(cosm_world world, cosm_entity entity) {
    return cosm_entity_has(world, entity, Glowing_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result Glowing_add(cosm_world world, cosm_entity entity) {
    return cosm_entity_add(world, entity, Glowing_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result Glowing_remove(cosm_world world, cosm_entity entity) {
    return cosm_entity_remove(world, entity, Glowing_component(cosm_batch_engine(world.batch)));
}

COSM_END_C

#endif
