// The components of cartpole.h, typed: made by cosm-gen, not to be edited.
// clang-format off
#ifndef COSM_GEN_CARTPOLE_H
#define COSM_GEN_CARTPOLE_H

#include "cartpole.h"

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

// Registers all of them with an engine, in the order of cartpole.h.
COSM_MUST_USE cosm_result cartpole_register_all(cosm_engine *engine);

// Each field is an array of its own, so that the loop over them fills SIMD registers.
extern cosm_component_type CartState_type;

static inline cosm_component CartState_component(const cosm_engine *engine) {
    return cosm_component_of(engine, &CartState_type);
}

static inline bool CartState_has(cosm_world world, cosm_entity entity) {
    return cosm_entity_has(world, entity, CartState_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result CartState_add(cosm_world world, cosm_entity entity) {
    return cosm_entity_add(world, entity, CartState_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result CartState_remove(cosm_world world, cosm_entity entity) {
    return cosm_entity_remove(world, entity, CartState_component(cosm_batch_engine(world.batch)));
}

static inline bool CartState_get(cosm_world world, cosm_entity entity, CartState *out_value) {
    return cosm_entity_get(world, entity, CartState_component(cosm_batch_engine(world.batch)),
                           out_value);
}

static inline COSM_MUST_USE cosm_result CartState_set(cosm_world world, cosm_entity entity,
    const CartState *value) {
    return cosm_entity_set(world, entity, CartState_component(cosm_batch_engine(world.batch)), value);
}

enum {
    CartState_field_x = 0,
    CartState_field_x_dot = 1,
    CartState_field_theta = 2,
    CartState_field_theta_dot = 3,
};

typedef struct CartState_columns {
    float *x;
    float *x_dot;
    float *theta;
    float *theta_dot;
} CartState_columns;

typedef struct CartState_const_columns {
    const float *x;
    const float *x_dot;
    const float *theta;
    const float *theta_dot;
} CartState_const_columns;

static inline CartState_const_columns CartState_columns_read(const cosm_rows *rows, uint32_t term) {
    CartState_const_columns columns;
    columns.x = COSM_FIELD_READ(rows, float, term, CartState_field_x);
    columns.x_dot = COSM_FIELD_READ(rows, float, term, CartState_field_x_dot);
    columns.theta = COSM_FIELD_READ(rows, float, term, CartState_field_theta);
    columns.theta_dot = COSM_FIELD_READ(rows, float, term, CartState_field_theta_dot);
    return columns;
}

static inline CartState_columns CartState_columns_write(const cosm_rows *rows, uint32_t term) {
    CartState_columns columns;
    columns.x = COSM_FIELD_WRITE(rows, float, term, CartState_field_x);
    columns.x_dot = COSM_FIELD_WRITE(rows, float, term, CartState_field_x_dot);
    columns.theta = COSM_FIELD_WRITE(rows, float, term, CartState_field_theta);
    columns.theta_dot = COSM_FIELD_WRITE(rows, float, term, CartState_field_theta_dot);
    return columns;
}

static inline CartState_columns CartState_columns_of(const cosm_rows *rows) {
    const cosm_component component = CartState_component(cosm_rows_engine(rows));
    CartState_columns columns;
    columns.x = COSM_FIELD_OF(rows, float, component, CartState_field_x);
    columns.x_dot = COSM_FIELD_OF(rows, float, component, CartState_field_x_dot);
    columns.theta = COSM_FIELD_OF(rows, float, component, CartState_field_theta);
    columns.theta_dot = COSM_FIELD_OF(rows, float, component, CartState_field_theta_dot);
    return columns;
}

// The same side by side, as agents want it. The ranges are twice what ends an episode.
extern cosm_component_type CartObservation_type;

static inline cosm_component CartObservation_component(const cosm_engine *engine) {
    return cosm_component_of(engine, &CartObservation_type);
}

static inline bool CartObservation_has(cosm_world world, cosm_entity entity) {
    return cosm_entity_has(world, entity, CartObservation_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result CartObservation_add(cosm_world world, cosm_entity entity) {
    return cosm_entity_add(world, entity, CartObservation_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result CartObservation_remove(cosm_world world, cosm_entity entity) {
    return cosm_entity_remove(world, entity, CartObservation_component(cosm_batch_engine(world.batch)));
}

static inline bool CartObservation_get(cosm_world world, cosm_entity entity, CartObservation *out_value) {
    return cosm_entity_get(world, entity, CartObservation_component(cosm_batch_engine(world.batch)),
                           out_value);
}

static inline COSM_MUST_USE cosm_result CartObservation_set(cosm_world world, cosm_entity entity,
    const CartObservation *value) {
    return cosm_entity_set(world, entity, CartObservation_component(cosm_batch_engine(world.batch)), value);
}

static inline const CartObservation *CartObservation_read(cosm_world world, cosm_entity entity) {
    return COSM_READ(world, entity, CartObservation);
}

static inline CartObservation *CartObservation_write(cosm_world world, cosm_entity entity) {
    return COSM_WRITE(world, entity, CartObservation);
}

static inline const CartObservation *CartObservation_column_read(const cosm_rows *rows, uint32_t term) {
    return COSM_COLUMN_READ(rows, CartObservation, term);
}

static inline CartObservation *CartObservation_column_write(const cosm_rows *rows, uint32_t term) {
    return COSM_COLUMN_WRITE(rows, CartObservation, term);
}

static inline CartObservation *CartObservation_column_of(const cosm_rows *rows) {
    return COSM_WRITE(rows, CartObservation);
}

enum {
    CartObservation_field_x = 0,
    CartObservation_field_x_dot = 1,
    CartObservation_field_theta = 2,
    CartObservation_field_theta_dot = 3,
};

typedef struct CartObservation_columns {
    float *x;
    float *x_dot;
    float *theta;
    float *theta_dot;
} CartObservation_columns;

typedef struct CartObservation_const_columns {
    const float *x;
    const float *x_dot;
    const float *theta;
    const float *theta_dot;
} CartObservation_const_columns;

static inline CartObservation_const_columns CartObservation_columns_read(const cosm_rows *rows, uint32_t term) {
    CartObservation_const_columns columns;
    columns.x = COSM_FIELD_READ(rows, float, term, CartObservation_field_x);
    columns.x_dot = COSM_FIELD_READ(rows, float, term, CartObservation_field_x_dot);
    columns.theta = COSM_FIELD_READ(rows, float, term, CartObservation_field_theta);
    columns.theta_dot = COSM_FIELD_READ(rows, float, term, CartObservation_field_theta_dot);
    return columns;
}

static inline CartObservation_columns CartObservation_columns_write(const cosm_rows *rows, uint32_t term) {
    CartObservation_columns columns;
    columns.x = COSM_FIELD_WRITE(rows, float, term, CartObservation_field_x);
    columns.x_dot = COSM_FIELD_WRITE(rows, float, term, CartObservation_field_x_dot);
    columns.theta = COSM_FIELD_WRITE(rows, float, term, CartObservation_field_theta);
    columns.theta_dot = COSM_FIELD_WRITE(rows, float, term, CartObservation_field_theta_dot);
    return columns;
}

static inline CartObservation_columns CartObservation_columns_of(const cosm_rows *rows) {
    const cosm_component component = CartObservation_component(cosm_rows_engine(rows));
    CartObservation_columns columns;
    columns.x = COSM_FIELD_OF(rows, float, component, CartObservation_field_x);
    columns.x_dot = COSM_FIELD_OF(rows, float, component, CartObservation_field_x_dot);
    columns.theta = COSM_FIELD_OF(rows, float, component, CartObservation_field_theta);
    columns.theta_dot = COSM_FIELD_OF(rows, float, component, CartObservation_field_theta_dot);
    return columns;
}

extern cosm_component_type CartAction_type;

static inline cosm_component CartAction_component(const cosm_engine *engine) {
    return cosm_component_of(engine, &CartAction_type);
}

static inline bool CartAction_has(cosm_world world, cosm_entity entity) {
    return cosm_entity_has(world, entity, CartAction_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result CartAction_add(cosm_world world, cosm_entity entity) {
    return cosm_entity_add(world, entity, CartAction_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result CartAction_remove(cosm_world world, cosm_entity entity) {
    return cosm_entity_remove(world, entity, CartAction_component(cosm_batch_engine(world.batch)));
}

static inline bool CartAction_get(cosm_world world, cosm_entity entity, CartAction *out_value) {
    return cosm_entity_get(world, entity, CartAction_component(cosm_batch_engine(world.batch)),
                           out_value);
}

static inline COSM_MUST_USE cosm_result CartAction_set(cosm_world world, cosm_entity entity,
    const CartAction *value) {
    return cosm_entity_set(world, entity, CartAction_component(cosm_batch_engine(world.batch)), value);
}

static inline const CartAction *CartAction_read(cosm_world world, cosm_entity entity) {
    return COSM_READ(world, entity, CartAction);
}

static inline CartAction *CartAction_write(cosm_world world, cosm_entity entity) {
    return COSM_WRITE(world, entity, CartAction);
}

static inline const CartAction *CartAction_column_read(const cosm_rows *rows, uint32_t term) {
    return COSM_COLUMN_READ(rows, CartAction, term);
}

static inline CartAction *CartAction_column_write(const cosm_rows *rows, uint32_t term) {
    return COSM_COLUMN_WRITE(rows, CartAction, term);
}

static inline CartAction *CartAction_column_of(const cosm_rows *rows) {
    return COSM_WRITE(rows, CartAction);
}

enum {
    CartAction_field_push = 0,
};

typedef struct CartAction_columns {
    int32_t *push;
} CartAction_columns;

typedef struct CartAction_const_columns {
    const int32_t *push;
} CartAction_const_columns;

static inline CartAction_const_columns CartAction_columns_read(const cosm_rows *rows, uint32_t term) {
    CartAction_const_columns columns;
    columns.push = COSM_FIELD_READ(rows, int32_t, term, CartAction_field_push);
    return columns;
}

static inline CartAction_columns CartAction_columns_write(const cosm_rows *rows, uint32_t term) {
    CartAction_columns columns;
    columns.push = COSM_FIELD_WRITE(rows, int32_t, term, CartAction_field_push);
    return columns;
}

static inline CartAction_columns CartAction_columns_of(const cosm_rows *rows) {
    const cosm_component component = CartAction_component(cosm_rows_engine(rows));
    CartAction_columns columns;
    columns.push = COSM_FIELD_OF(rows, int32_t, component, CartAction_field_push);
    return columns;
}

extern cosm_component_type CartReward_type;

static inline cosm_component CartReward_component(const cosm_engine *engine) {
    return cosm_component_of(engine, &CartReward_type);
}

static inline bool CartReward_has(cosm_world world, cosm_entity entity) {
    return cosm_entity_has(world, entity, CartReward_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result CartReward_add(cosm_world world, cosm_entity entity) {
    return cosm_entity_add(world, entity, CartReward_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result CartReward_remove(cosm_world world, cosm_entity entity) {
    return cosm_entity_remove(world, entity, CartReward_component(cosm_batch_engine(world.batch)));
}

static inline bool CartReward_get(cosm_world world, cosm_entity entity, CartReward *out_value) {
    return cosm_entity_get(world, entity, CartReward_component(cosm_batch_engine(world.batch)),
                           out_value);
}

static inline COSM_MUST_USE cosm_result CartReward_set(cosm_world world, cosm_entity entity,
    const CartReward *value) {
    return cosm_entity_set(world, entity, CartReward_component(cosm_batch_engine(world.batch)), value);
}

static inline const CartReward *CartReward_read(cosm_world world, cosm_entity entity) {
    return COSM_READ(world, entity, CartReward);
}

static inline CartReward *CartReward_write(cosm_world world, cosm_entity entity) {
    return COSM_WRITE(world, entity, CartReward);
}

static inline const CartReward *CartReward_column_read(const cosm_rows *rows, uint32_t term) {
    return COSM_COLUMN_READ(rows, CartReward, term);
}

static inline CartReward *CartReward_column_write(const cosm_rows *rows, uint32_t term) {
    return COSM_COLUMN_WRITE(rows, CartReward, term);
}

static inline CartReward *CartReward_column_of(const cosm_rows *rows) {
    return COSM_WRITE(rows, CartReward);
}

enum {
    CartReward_field_value = 0,
};

typedef struct CartReward_columns {
    float *value;
} CartReward_columns;

typedef struct CartReward_const_columns {
    const float *value;
} CartReward_const_columns;

static inline CartReward_const_columns CartReward_columns_read(const cosm_rows *rows, uint32_t term) {
    CartReward_const_columns columns;
    columns.value = COSM_FIELD_READ(rows, float, term, CartReward_field_value);
    return columns;
}

static inline CartReward_columns CartReward_columns_write(const cosm_rows *rows, uint32_t term) {
    CartReward_columns columns;
    columns.value = COSM_FIELD_WRITE(rows, float, term, CartReward_field_value);
    return columns;
}

static inline CartReward_columns CartReward_columns_of(const cosm_rows *rows) {
    const cosm_component component = CartReward_component(cosm_rows_engine(rows));
    CartReward_columns columns;
    columns.value = COSM_FIELD_OF(rows, float, component, CartReward_field_value);
    return columns;
}

extern cosm_component_type CartTerminated_type;

static inline cosm_component CartTerminated_component(const cosm_engine *engine) {
    return cosm_component_of(engine, &CartTerminated_type);
}

static inline bool CartTerminated_has(cosm_world world, cosm_entity entity) {
    return cosm_entity_has(world, entity, CartTerminated_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result CartTerminated_add(cosm_world world, cosm_entity entity) {
    return cosm_entity_add(world, entity, CartTerminated_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result CartTerminated_remove(cosm_world world, cosm_entity entity) {
    return cosm_entity_remove(world, entity, CartTerminated_component(cosm_batch_engine(world.batch)));
}

static inline bool CartTerminated_get(cosm_world world, cosm_entity entity, CartTerminated *out_value) {
    return cosm_entity_get(world, entity, CartTerminated_component(cosm_batch_engine(world.batch)),
                           out_value);
}

static inline COSM_MUST_USE cosm_result CartTerminated_set(cosm_world world, cosm_entity entity,
    const CartTerminated *value) {
    return cosm_entity_set(world, entity, CartTerminated_component(cosm_batch_engine(world.batch)), value);
}

static inline const CartTerminated *CartTerminated_read(cosm_world world, cosm_entity entity) {
    return COSM_READ(world, entity, CartTerminated);
}

static inline CartTerminated *CartTerminated_write(cosm_world world, cosm_entity entity) {
    return COSM_WRITE(world, entity, CartTerminated);
}

static inline const CartTerminated *CartTerminated_column_read(const cosm_rows *rows, uint32_t term) {
    return COSM_COLUMN_READ(rows, CartTerminated, term);
}

static inline CartTerminated *CartTerminated_column_write(const cosm_rows *rows, uint32_t term) {
    return COSM_COLUMN_WRITE(rows, CartTerminated, term);
}

static inline CartTerminated *CartTerminated_column_of(const cosm_rows *rows) {
    return COSM_WRITE(rows, CartTerminated);
}

enum {
    CartTerminated_field_is_so = 0,
};

typedef struct CartTerminated_columns {
    bool *is_so;
} CartTerminated_columns;

typedef struct CartTerminated_const_columns {
    const bool *is_so;
} CartTerminated_const_columns;

static inline CartTerminated_const_columns CartTerminated_columns_read(const cosm_rows *rows, uint32_t term) {
    CartTerminated_const_columns columns;
    columns.is_so = COSM_FIELD_READ(rows, bool, term, CartTerminated_field_is_so);
    return columns;
}

static inline CartTerminated_columns CartTerminated_columns_write(const cosm_rows *rows, uint32_t term) {
    CartTerminated_columns columns;
    columns.is_so = COSM_FIELD_WRITE(rows, bool, term, CartTerminated_field_is_so);
    return columns;
}

static inline CartTerminated_columns CartTerminated_columns_of(const cosm_rows *rows) {
    const cosm_component component = CartTerminated_component(cosm_rows_engine(rows));
    CartTerminated_columns columns;
    columns.is_so = COSM_FIELD_OF(rows, bool, component, CartTerminated_field_is_so);
    return columns;
}

COSM_END_C

#endif
