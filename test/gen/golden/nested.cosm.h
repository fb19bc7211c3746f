// The components of nested.h, typed: made by cosm-gen, not to be edited.
// clang-format off
#ifndef COSM_GEN_NESTED_H
#define COSM_GEN_NESTED_H

#include "nested.h"

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

// Registers all of them with an engine, in the order of nested.h.
COSM_MUST_USE cosm_result nested_register_all(cosm_engine *engine);

extern cosm_component_type Move_type;

static inline cosm_component Move_component(const cosm_engine *engine) {
    return cosm_component_of(engine, &Move_type);
}

static inline bool Move_has(cosm_world world, cosm_entity entity) {
    return cosm_entity_has(world, entity, Move_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result Move_add(cosm_world world, cosm_entity entity) {
    return cosm_entity_add(world, entity, Move_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result Move_remove(cosm_world world, cosm_entity entity) {
    return cosm_entity_remove(world, entity, Move_component(cosm_batch_engine(world.batch)));
}

static inline bool Move_get(cosm_world world, cosm_entity entity, Move *out_value) {
    return cosm_entity_get(world, entity, Move_component(cosm_batch_engine(world.batch)),
                           out_value);
}

static inline COSM_MUST_USE cosm_result Move_set(cosm_world world, cosm_entity entity,
    const Move *value) {
    return cosm_entity_set(world, entity, Move_component(cosm_batch_engine(world.batch)), value);
}

static inline const Move *Move_read(cosm_world world, cosm_entity entity) {
    return COSM_READ(world, entity, Move);
}

static inline Move *Move_write(cosm_world world, cosm_entity entity) {
    return COSM_WRITE(world, entity, Move);
}

static inline const Move *Move_column_read(const cosm_rows *rows, uint32_t term) {
    return COSM_COLUMN_READ(rows, Move, term);
}

static inline Move *Move_column_write(const cosm_rows *rows, uint32_t term) {
    return COSM_COLUMN_WRITE(rows, Move, term);
}

static inline Move *Move_column_of(const cosm_rows *rows) {
    return COSM_WRITE(rows, Move);
}

enum {
    Move_field_speed_x = 0,
    Move_field_speed_y = 1,
    Move_field_speed_set = 2,
    Move_field_start_x = 3,
    Move_field_start_y = 4,
    Move_field_start_set = 5,
    Move_field_pair_a_x = 6,
    Move_field_pair_a_y = 7,
    Move_field_pair_a_set = 8,
    Move_field_pair_b_x = 9,
    Move_field_pair_b_y = 10,
    Move_field_pair_b_set = 11,
    Move_field_pairs_0_a_x = 12,
    Move_field_pairs_0_a_y = 13,
    Move_field_pairs_0_a_set = 14,
    Move_field_pairs_0_b_x = 15,
    Move_field_pairs_0_b_y = 16,
    Move_field_pairs_0_b_set = 17,
    Move_field_pairs_1_a_x = 18,
    Move_field_pairs_1_a_y = 19,
    Move_field_pairs_1_a_set = 20,
    Move_field_pairs_1_b_x = 21,
    Move_field_pairs_1_b_y = 22,
    Move_field_pairs_1_b_set = 23,
};

typedef struct Move_columns {
    float *speed_x;
    float *speed_y;
    bool *speed_set;
    float *start_x;
    float *start_y;
    bool *start_set;
    float *pair_a_x;
    float *pair_a_y;
    bool *pair_a_set;
    float *pair_b_x;
    float *pair_b_y;
    bool *pair_b_set;
    float *pairs_0_a_x;
    float *pairs_0_a_y;
    bool *pairs_0_a_set;
    float *pairs_0_b_x;
    float *pairs_0_b_y;
    bool *pairs_0_b_set;
    float *pairs_1_a_x;
    float *pairs_1_a_y;
    bool *pairs_1_a_set;
    float *pairs_1_b_x;
    float *pairs_1_b_y;
    bool *pairs_1_b_set;
} Move_columns;

typedef struct Move_const_columns {
    const float *speed_x;
    const float *speed_y;
    const bool *speed_set;
    const float *start_x;
    const float *start_y;
    const bool *start_set;
    const float *pair_a_x;
    const float *pair_a_y;
    const bool *pair_a_set;
    const float *pair_b_x;
    const float *pair_b_y;
    const bool *pair_b_set;
    const float *pairs_0_a_x;
    const float *pairs_0_a_y;
    const bool *pairs_0_a_set;
    const float *pairs_0_b_x;
    const float *pairs_0_b_y;
    const bool *pairs_0_b_set;
    const float *pairs_1_a_x;
    const float *pairs_1_a_y;
    const bool *pairs_1_a_set;
    const float *pairs_1_b_x;
    const float *pairs_1_b_y;
    const bool *pairs_1_b_set;
} Move_const_columns;

static inline Move_const_columns Move_columns_read(const cosm_rows *rows, uint32_t term) {
    Move_const_columns columns;
    columns.speed_x = COSM_FIELD_READ(rows, float, term, Move_field_speed_x);
    columns.speed_y = COSM_FIELD_READ(rows, float, term, Move_field_speed_y);
    columns.speed_set = COSM_FIELD_READ(rows, bool, term, Move_field_speed_set);
    columns.start_x = COSM_FIELD_READ(rows, float, term, Move_field_start_x);
    columns.start_y = COSM_FIELD_READ(rows, float, term, Move_field_start_y);
    columns.start_set = COSM_FIELD_READ(rows, bool, term, Move_field_start_set);
    columns.pair_a_x = COSM_FIELD_READ(rows, float, term, Move_field_pair_a_x);
    columns.pair_a_y = COSM_FIELD_READ(rows, float, term, Move_field_pair_a_y);
    columns.pair_a_set = COSM_FIELD_READ(rows, bool, term, Move_field_pair_a_set);
    columns.pair_b_x = COSM_FIELD_READ(rows, float, term, Move_field_pair_b_x);
    columns.pair_b_y = COSM_FIELD_READ(rows, float, term, Move_field_pair_b_y);
    columns.pair_b_set = COSM_FIELD_READ(rows, bool, term, Move_field_pair_b_set);
    columns.pairs_0_a_x = COSM_FIELD_READ(rows, float, term, Move_field_pairs_0_a_x);
    columns.pairs_0_a_y = COSM_FIELD_READ(rows, float, term, Move_field_pairs_0_a_y);
    columns.pairs_0_a_set = COSM_FIELD_READ(rows, bool, term, Move_field_pairs_0_a_set);
    columns.pairs_0_b_x = COSM_FIELD_READ(rows, float, term, Move_field_pairs_0_b_x);
    columns.pairs_0_b_y = COSM_FIELD_READ(rows, float, term, Move_field_pairs_0_b_y);
    columns.pairs_0_b_set = COSM_FIELD_READ(rows, bool, term, Move_field_pairs_0_b_set);
    columns.pairs_1_a_x = COSM_FIELD_READ(rows, float, term, Move_field_pairs_1_a_x);
    columns.pairs_1_a_y = COSM_FIELD_READ(rows, float, term, Move_field_pairs_1_a_y);
    columns.pairs_1_a_set = COSM_FIELD_READ(rows, bool, term, Move_field_pairs_1_a_set);
    columns.pairs_1_b_x = COSM_FIELD_READ(rows, float, term, Move_field_pairs_1_b_x);
    columns.pairs_1_b_y = COSM_FIELD_READ(rows, float, term, Move_field_pairs_1_b_y);
    columns.pairs_1_b_set = COSM_FIELD_READ(rows, bool, term, Move_field_pairs_1_b_set);
    return columns;
}

static inline Move_columns Move_columns_write(const cosm_rows *rows, uint32_t term) {
    Move_columns columns;
    columns.speed_x = COSM_FIELD_WRITE(rows, float, term, Move_field_speed_x);
    columns.speed_y = COSM_FIELD_WRITE(rows, float, term, Move_field_speed_y);
    columns.speed_set = COSM_FIELD_WRITE(rows, bool, term, Move_field_speed_set);
    columns.start_x = COSM_FIELD_WRITE(rows, float, term, Move_field_start_x);
    columns.start_y = COSM_FIELD_WRITE(rows, float, term, Move_field_start_y);
    columns.start_set = COSM_FIELD_WRITE(rows, bool, term, Move_field_start_set);
    columns.pair_a_x = COSM_FIELD_WRITE(rows, float, term, Move_field_pair_a_x);
    columns.pair_a_y = COSM_FIELD_WRITE(rows, float, term, Move_field_pair_a_y);
    columns.pair_a_set = COSM_FIELD_WRITE(rows, bool, term, Move_field_pair_a_set);
    columns.pair_b_x = COSM_FIELD_WRITE(rows, float, term, Move_field_pair_b_x);
    columns.pair_b_y = COSM_FIELD_WRITE(rows, float, term, Move_field_pair_b_y);
    columns.pair_b_set = COSM_FIELD_WRITE(rows, bool, term, Move_field_pair_b_set);
    columns.pairs_0_a_x = COSM_FIELD_WRITE(rows, float, term, Move_field_pairs_0_a_x);
    columns.pairs_0_a_y = COSM_FIELD_WRITE(rows, float, term, Move_field_pairs_0_a_y);
    columns.pairs_0_a_set = COSM_FIELD_WRITE(rows, bool, term, Move_field_pairs_0_a_set);
    columns.pairs_0_b_x = COSM_FIELD_WRITE(rows, float, term, Move_field_pairs_0_b_x);
    columns.pairs_0_b_y = COSM_FIELD_WRITE(rows, float, term, Move_field_pairs_0_b_y);
    columns.pairs_0_b_set = COSM_FIELD_WRITE(rows, bool, term, Move_field_pairs_0_b_set);
    columns.pairs_1_a_x = COSM_FIELD_WRITE(rows, float, term, Move_field_pairs_1_a_x);
    columns.pairs_1_a_y = COSM_FIELD_WRITE(rows, float, term, Move_field_pairs_1_a_y);
    columns.pairs_1_a_set = COSM_FIELD_WRITE(rows, bool, term, Move_field_pairs_1_a_set);
    columns.pairs_1_b_x = COSM_FIELD_WRITE(rows, float, term, Move_field_pairs_1_b_x);
    columns.pairs_1_b_y = COSM_FIELD_WRITE(rows, float, term, Move_field_pairs_1_b_y);
    columns.pairs_1_b_set = COSM_FIELD_WRITE(rows, bool, term, Move_field_pairs_1_b_set);
    return columns;
}

static inline Move_columns Move_columns_of(const cosm_rows *rows) {
    const cosm_component component = Move_component(cosm_rows_engine(rows));
    Move_columns columns;
    columns.speed_x = COSM_FIELD_OF(rows, float, component, Move_field_speed_x);
    columns.speed_y = COSM_FIELD_OF(rows, float, component, Move_field_speed_y);
    columns.speed_set = COSM_FIELD_OF(rows, bool, component, Move_field_speed_set);
    columns.start_x = COSM_FIELD_OF(rows, float, component, Move_field_start_x);
    columns.start_y = COSM_FIELD_OF(rows, float, component, Move_field_start_y);
    columns.start_set = COSM_FIELD_OF(rows, bool, component, Move_field_start_set);
    columns.pair_a_x = COSM_FIELD_OF(rows, float, component, Move_field_pair_a_x);
    columns.pair_a_y = COSM_FIELD_OF(rows, float, component, Move_field_pair_a_y);
    columns.pair_a_set = COSM_FIELD_OF(rows, bool, component, Move_field_pair_a_set);
    columns.pair_b_x = COSM_FIELD_OF(rows, float, component, Move_field_pair_b_x);
    columns.pair_b_y = COSM_FIELD_OF(rows, float, component, Move_field_pair_b_y);
    columns.pair_b_set = COSM_FIELD_OF(rows, bool, component, Move_field_pair_b_set);
    columns.pairs_0_a_x = COSM_FIELD_OF(rows, float, component, Move_field_pairs_0_a_x);
    columns.pairs_0_a_y = COSM_FIELD_OF(rows, float, component, Move_field_pairs_0_a_y);
    columns.pairs_0_a_set = COSM_FIELD_OF(rows, bool, component, Move_field_pairs_0_a_set);
    columns.pairs_0_b_x = COSM_FIELD_OF(rows, float, component, Move_field_pairs_0_b_x);
    columns.pairs_0_b_y = COSM_FIELD_OF(rows, float, component, Move_field_pairs_0_b_y);
    columns.pairs_0_b_set = COSM_FIELD_OF(rows, bool, component, Move_field_pairs_0_b_set);
    columns.pairs_1_a_x = COSM_FIELD_OF(rows, float, component, Move_field_pairs_1_a_x);
    columns.pairs_1_a_y = COSM_FIELD_OF(rows, float, component, Move_field_pairs_1_a_y);
    columns.pairs_1_a_set = COSM_FIELD_OF(rows, bool, component, Move_field_pairs_1_a_set);
    columns.pairs_1_b_x = COSM_FIELD_OF(rows, float, component, Move_field_pairs_1_b_x);
    columns.pairs_1_b_y = COSM_FIELD_OF(rows, float, component, Move_field_pairs_1_b_y);
    columns.pairs_1_b_set = COSM_FIELD_OF(rows, bool, component, Move_field_pairs_1_b_set);
    return columns;
}

extern cosm_component_type Whole_type;

static inline cosm_component Whole_component(const cosm_engine *engine) {
    return cosm_component_of(engine, &Whole_type);
}

static inline bool Whole_has(cosm_world world, cosm_entity entity) {
    return cosm_entity_has(world, entity, Whole_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result Whole_add(cosm_world world, cosm_entity entity) {
    return cosm_entity_add(world, entity, Whole_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result Whole_remove(cosm_world world, cosm_entity entity) {
    return cosm_entity_remove(world, entity, Whole_component(cosm_batch_engine(world.batch)));
}

static inline bool Whole_get(cosm_world world, cosm_entity entity, Whole *out_value) {
    return cosm_entity_get(world, entity, Whole_component(cosm_batch_engine(world.batch)),
                           out_value);
}

static inline COSM_MUST_USE cosm_result Whole_set(cosm_world world, cosm_entity entity,
    const Whole *value) {
    return cosm_entity_set(world, entity, Whole_component(cosm_batch_engine(world.batch)), value);
}

static inline const Whole *Whole_read(cosm_world world, cosm_entity entity) {
    return COSM_READ(world, entity, Whole);
}

static inline Whole *Whole_write(cosm_world world, cosm_entity entity) {
    return COSM_WRITE(world, entity, Whole);
}

static inline const Whole *Whole_column_read(const cosm_rows *rows, uint32_t term) {
    return COSM_COLUMN_READ(rows, Whole, term);
}

static inline Whole *Whole_column_write(const cosm_rows *rows, uint32_t term) {
    return COSM_COLUMN_WRITE(rows, Whole, term);
}

static inline Whole *Whole_column_of(const cosm_rows *rows) {
    return COSM_WRITE(rows, Whole);
}

enum {
    Whole_field_a = 0,
    Whole_field_b_x = 1,
    Whole_field_b_y = 2,
    Whole_field_c_x = 3,
    Whole_field_c_y = 4,
    Whole_field_d = 5,
};

typedef struct Whole_columns {
    int *a;
    float *b_x;
    float *b_y;
    float *c_x;
    float *c_y;
    int *d;
} Whole_columns;

typedef struct Whole_const_columns {
    const int *a;
    const float *b_x;
    const float *b_y;
    const float *c_x;
    const float *c_y;
    const int *d;
} Whole_const_columns;

static inline Whole_const_columns Whole_columns_read(const cosm_rows *rows, uint32_t term) {
    Whole_const_columns columns;
    columns.a = COSM_FIELD_READ(rows, int, term, Whole_field_a);
    columns.b_x = COSM_FIELD_READ(rows, float, term, Whole_field_b_x);
    columns.b_y = COSM_FIELD_READ(rows, float, term, Whole_field_b_y);
    columns.c_x = COSM_FIELD_READ(rows, float, term, Whole_field_c_x);
    columns.c_y = COSM_FIELD_READ(rows, float, term, Whole_field_c_y);
    columns.d = COSM_FIELD_READ(rows, int, term, Whole_field_d);
    return columns;
}

static inline Whole_columns Whole_columns_write(const cosm_rows *rows, uint32_t term) {
    Whole_columns columns;
    columns.a = COSM_FIELD_WRITE(rows, int, term, Whole_field_a);
    columns.b_x = COSM_FIELD_WRITE(rows, float, term, Whole_field_b_x);
    columns.b_y = COSM_FIELD_WRITE(rows, float, term, Whole_field_b_y);
    columns.c_x = COSM_FIELD_WRITE(rows, float, term, Whole_field_c_x);
    columns.c_y = COSM_FIELD_WRITE(rows, float, term, Whole_field_c_y);
    columns.d = COSM_FIELD_WRITE(rows, int, term, Whole_field_d);
    return columns;
}

static inline Whole_columns Whole_columns_of(const cosm_rows *rows) {
    const cosm_component component = Whole_component(cosm_rows_engine(rows));
    Whole_columns columns;
    columns.a = COSM_FIELD_OF(rows, int, component, Whole_field_a);
    columns.b_x = COSM_FIELD_OF(rows, float, component, Whole_field_b_x);
    columns.b_y = COSM_FIELD_OF(rows, float, component, Whole_field_b_y);
    columns.c_x = COSM_FIELD_OF(rows, float, component, Whole_field_c_x);
    columns.c_y = COSM_FIELD_OF(rows, float, component, Whole_field_c_y);
    columns.d = COSM_FIELD_OF(rows, int, component, Whole_field_d);
    return columns;
}

COSM_END_C

#endif
