// The components of enums.h, typed: made by cosm-gen, not to be edited.
// clang-format off
#ifndef COSM_GEN_ENUMS_H
#define COSM_GEN_ENUMS_H

#include "enums.h"

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

// Registers all of them with an engine, in the order of enums.h.
COSM_MUST_USE cosm_result enums_register_all(cosm_engine *engine);

extern cosm_component_type Bird_type;

static inline cosm_component Bird_component(const cosm_engine *engine) {
    return cosm_component_of(engine, &Bird_type);
}

static inline bool Bird_has(cosm_world world, cosm_entity entity) {
    return cosm_entity_has(world, entity, Bird_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result Bird_add(cosm_world world, cosm_entity entity) {
    return cosm_entity_add(world, entity, Bird_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result Bird_remove(cosm_world world, cosm_entity entity) {
    return cosm_entity_remove(world, entity, Bird_component(cosm_batch_engine(world.batch)));
}

static inline bool Bird_get(cosm_world world, cosm_entity entity, Bird *out_value) {
    return cosm_entity_get(world, entity, Bird_component(cosm_batch_engine(world.batch)),
                           out_value);
}

static inline COSM_MUST_USE cosm_result Bird_set(cosm_world world, cosm_entity entity,
    const Bird *value) {
    return cosm_entity_set(world, entity, Bird_component(cosm_batch_engine(world.batch)), value);
}

enum {
    Bird_field_state = 0,
    Bird_field_sign = 1,
    Bird_field_wings = 2,
    Bird_field_inner = 3,
    Bird_field_local = 4,
    Bird_field_small = 5,
    Bird_field_several = 6,
    Bird_field_mask = 7,
    Bird_field_pair = 8,
};

typedef struct Bird_columns {
    State *state;
    enum Sign *sign;
    Wings *wings;
    uint32_t *inner;
    int32_t *local;
    uint8_t *small;
    uint8_t *several;
    uint16_t *mask;
    enum Sign *pair;
} Bird_columns;

typedef struct Bird_const_columns {
    const State *state;
    const enum Sign *sign;
    const Wings *wings;
    const uint32_t *inner;
    const int32_t *local;
    const uint8_t *small;
    const uint8_t *several;
    const uint16_t *mask;
    const enum Sign *pair;
} Bird_const_columns;

static inline Bird_const_columns Bird_columns_read(const cosm_rows *rows, uint32_t term) {
    Bird_const_columns columns;
    columns.state = COSM_FIELD_READ(rows, State, term, Bird_field_state);
    columns.sign = COSM_FIELD_READ(rows, enum Sign, term, Bird_field_sign);
    columns.wings = COSM_FIELD_READ(rows, Wings, term, Bird_field_wings);
    columns.inner = COSM_FIELD_READ(rows, uint32_t, term, Bird_field_inner);
    columns.local = COSM_FIELD_READ(rows, int32_t, term, Bird_field_local);
    columns.small = COSM_FIELD_READ(rows, uint8_t, term, Bird_field_small);
    columns.several = COSM_FIELD_READ(rows, uint8_t, term, Bird_field_several);
    columns.mask = COSM_FIELD_READ(rows, uint16_t, term, Bird_field_mask);
    columns.pair = COSM_FIELD_READ(rows, enum Sign, term, Bird_field_pair);
    return columns;
}

static inline Bird_columns Bird_columns_write(const cosm_rows *rows, uint32_t term) {
    Bird_columns columns;
    columns.state = COSM_FIELD_WRITE(rows, State, term, Bird_field_state);
    columns.sign = COSM_FIELD_WRITE(rows, enum Sign, term, Bird_field_sign);
    columns.wings = COSM_FIELD_WRITE(rows, Wings, term, Bird_field_wings);
    columns.inner = COSM_FIELD_WRITE(rows, uint32_t, term, Bird_field_inner);
    columns.local = COSM_FIELD_WRITE(rows, int32_t, term, Bird_field_local);
    columns.small = COSM_FIELD_WRITE(rows, uint8_t, term, Bird_field_small);
    columns.several = COSM_FIELD_WRITE(rows, uint8_t, term, Bird_field_several);
    columns.mask = COSM_FIELD_WRITE(rows, uint16_t, term, Bird_field_mask);
    columns.pair = COSM_FIELD_WRITE(rows, enum Sign, term, Bird_field_pair);
    return columns;
}

static inline Bird_columns Bird_columns_of(const cosm_rows *rows) {
    const cosm_component component = Bird_component(cosm_rows_engine(rows));
    Bird_columns columns;
    columns.state = COSM_FIELD_OF(rows, State, component, Bird_field_state);
    columns.sign = COSM_FIELD_OF(rows, enum Sign, component, Bird_field_sign);
    columns.wings = COSM_FIELD_OF(rows, Wings, component, Bird_field_wings);
    columns.inner = COSM_FIELD_OF(rows, uint32_t, component, Bird_field_inner);
    columns.local = COSM_FIELD_OF(rows, int32_t, component, Bird_field_local);
    columns.small = COSM_FIELD_OF(rows, uint8_t, component, Bird_field_small);
    columns.several = COSM_FIELD_OF(rows, uint8_t, component, Bird_field_several);
    columns.mask = COSM_FIELD_OF(rows, uint16_t, component, Bird_field_mask);
    columns.pair = COSM_FIELD_OF(rows, enum Sign, component, Bird_field_pair);
    return columns;
}

COSM_END_C

#endif
