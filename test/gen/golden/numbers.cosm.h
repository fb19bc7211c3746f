// The components of numbers.h, typed: made by cosm-gen, not to be edited.
// clang-format off
#ifndef COSM_GEN_NUMBERS_H
#define COSM_GEN_NUMBERS_H

#include "numbers.h"

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

// Registers all of them with an engine, in the order of numbers.h.
COSM_MUST_USE cosm_result numbers_register_all(cosm_engine *engine);

extern cosm_component_type Ends_type;

static inline cosm_component Ends_component(const cosm_engine *engine) {
    return cosm_component_of(engine, &Ends_type);
}

static inline bool Ends_has(cosm_world world, cosm_entity entity) {
    return cosm_entity_has(world, entity, Ends_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result Ends_add(cosm_world world, cosm_entity entity) {
    return cosm_entity_add(world, entity, Ends_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result Ends_remove(cosm_world world, cosm_entity entity) {
    return cosm_entity_remove(world, entity, Ends_component(cosm_batch_engine(world.batch)));
}

static inline bool Ends_get(cosm_world world, cosm_entity entity, Ends *out_value) {
    return cosm_entity_get(world, entity, Ends_component(cosm_batch_engine(world.batch)),
                           out_value);
}

static inline COSM_MUST_USE cosm_result Ends_set(cosm_world world, cosm_entity entity,
    const Ends *value) {
    return cosm_entity_set(world, entity, Ends_component(cosm_batch_engine(world.batch)), value);
}

static inline const Ends *Ends_read(cosm_world world, cosm_entity entity) {
    return COSM_READ(world, entity, Ends);
}

static inline Ends *Ends_write(cosm_world world, cosm_entity entity) {
    return COSM_WRITE(world, entity, Ends);
}

static inline const Ends *Ends_column_read(const cosm_rows *rows, uint32_t term) {
    return COSM_COLUMN_READ(rows, Ends, term);
}

static inline Ends *Ends_column_write(const cosm_rows *rows, uint32_t term) {
    return COSM_COLUMN_WRITE(rows, Ends, term);
}

static inline Ends *Ends_column_of(const cosm_rows *rows) {
    return COSM_WRITE(rows, Ends);
}

enum {
    Ends_field_a = 0,
    Ends_field_b = 1,
    Ends_field_c = 2,
    Ends_field_d = 3,
    Ends_field_e = 4,
    Ends_field_f = 5,
    Ends_field_g = 6,
    Ends_field_h = 7,
    Ends_field_i = 8,
    Ends_field_j = 9,
    Ends_field_k = 10,
    Ends_field_l = 11,
    Ends_field_m = 12,
    Ends_field_n = 13,
    Ends_field_o = 14,
    Ends_field_p = 15,
    Ends_field_q = 16,
    Ends_field_r = 17,
    Ends_field_s = 18,
    Ends_field_t = 19,
};

typedef struct Ends_columns {
    int8_t *a;
    int16_t *b;
    int32_t *c;
    int64_t *d;
    uint8_t *e;
    uint16_t *f;
    uint32_t *g;
    uint64_t *h;
    float *i;
    float *j;
    double *k;
    double *l;
    double *m;
    float *n;
    float *o;
    double *p;
    bool *q;
    bool *r;
    uint32_t *s;
    float *t;
} Ends_columns;

typedef struct Ends_const_columns {
    const int8_t *a;
    const int16_t *b;
    const int32_t *c;
    const int64_t *d;
    const uint8_t *e;
    const uint16_t *f;
    const uint32_t *g;
    const uint64_t *h;
    const float *i;
    const float *j;
    const double *k;
    const double *l;
    const double *m;
    const float *n;
    const float *o;
    const double *p;
    const bool *q;
    const bool *r;
    const uint32_t *s;
    const float *t;
} Ends_const_columns;

static inline Ends_const_columns Ends_columns_read(const cosm_rows *rows, uint32_t term) {
    Ends_const_columns columns;
    columns.a = COSM_FIELD_READ(rows, int8_t, term, Ends_field_a);
    columns.b = COSM_FIELD_READ(rows, int16_t, term, Ends_field_b);
    columns.c = COSM_FIELD_READ(rows, int32_t, term, Ends_field_c);
    columns.d = COSM_FIELD_READ(rows, int64_t, term, Ends_field_d);
    columns.e = COSM_FIELD_READ(rows, uint8_t, term, Ends_field_e);
    columns.f = COSM_FIELD_READ(rows, uint16_t, term, Ends_field_f);
    columns.g = COSM_FIELD_READ(rows, uint32_t, term, Ends_field_g);
    columns.h = COSM_FIELD_READ(rows, uint64_t, term, Ends_field_h);
    columns.i = COSM_FIELD_READ(rows, float, term, Ends_field_i);
    columns.j = COSM_FIELD_READ(rows, float, term, Ends_field_j);
    columns.k = COSM_FIELD_READ(rows, double, term, Ends_field_k);
    columns.l = COSM_FIELD_READ(rows, double, term, Ends_field_l);
    columns.m = COSM_FIELD_READ(rows, double, term, Ends_field_m);
    columns.n = COSM_FIELD_READ(rows, float, term, Ends_field_n);
    columns.o = COSM_FIELD_READ(rows, float, term, Ends_field_o);
    columns.p = COSM_FIELD_READ(rows, double, term, Ends_field_p);
    columns.q = COSM_FIELD_READ(rows, bool, term, Ends_field_q);
    columns.r = COSM_FIELD_READ(rows, bool, term, Ends_field_r);
    columns.s = COSM_FIELD_READ(rows, uint32_t, term, Ends_field_s);
    columns.t = COSM_FIELD_READ(rows, float, term, Ends_field_t);
    return columns;
}

static inline Ends_columns Ends_columns_write(const cosm_rows *rows, uint32_t term) {
    Ends_columns columns;
    columns.a = COSM_FIELD_WRITE(rows, int8_t, term, Ends_field_a);
    columns.b = COSM_FIELD_WRITE(rows, int16_t, term, Ends_field_b);
    columns.c = COSM_FIELD_WRITE(rows, int32_t, term, Ends_field_c);
    columns.d = COSM_FIELD_WRITE(rows, int64_t, term, Ends_field_d);
    columns.e = COSM_FIELD_WRITE(rows, uint8_t, term, Ends_field_e);
    columns.f = COSM_FIELD_WRITE(rows, uint16_t, term, Ends_field_f);
    columns.g = COSM_FIELD_WRITE(rows, uint32_t, term, Ends_field_g);
    columns.h = COSM_FIELD_WRITE(rows, uint64_t, term, Ends_field_h);
    columns.i = COSM_FIELD_WRITE(rows, float, term, Ends_field_i);
    columns.j = COSM_FIELD_WRITE(rows, float, term, Ends_field_j);
    columns.k = COSM_FIELD_WRITE(rows, double, term, Ends_field_k);
    columns.l = COSM_FIELD_WRITE(rows, double, term, Ends_field_l);
    columns.m = COSM_FIELD_WRITE(rows, double, term, Ends_field_m);
    columns.n = COSM_FIELD_WRITE(rows, float, term, Ends_field_n);
    columns.o = COSM_FIELD_WRITE(rows, float, term, Ends_field_o);
    columns.p = COSM_FIELD_WRITE(rows, double, term, Ends_field_p);
    columns.q = COSM_FIELD_WRITE(rows, bool, term, Ends_field_q);
    columns.r = COSM_FIELD_WRITE(rows, bool, term, Ends_field_r);
    columns.s = COSM_FIELD_WRITE(rows, uint32_t, term, Ends_field_s);
    columns.t = COSM_FIELD_WRITE(rows, float, term, Ends_field_t);
    return columns;
}

static inline Ends_columns Ends_columns_of(const cosm_rows *rows) {
    const cosm_component component = Ends_component(cosm_rows_engine(rows));
    Ends_columns columns;
    columns.a = COSM_FIELD_OF(rows, int8_t, component, Ends_field_a);
    columns.b = COSM_FIELD_OF(rows, int16_t, component, Ends_field_b);
    columns.c = COSM_FIELD_OF(rows, int32_t, component, Ends_field_c);
    columns.d = COSM_FIELD_OF(rows, int64_t, component, Ends_field_d);
    columns.e = COSM_FIELD_OF(rows, uint8_t, component, Ends_field_e);
    columns.f = COSM_FIELD_OF(rows, uint16_t, component, Ends_field_f);
    columns.g = COSM_FIELD_OF(rows, uint32_t, component, Ends_field_g);
    columns.h = COSM_FIELD_OF(rows, uint64_t, component, Ends_field_h);
    columns.i = COSM_FIELD_OF(rows, float, component, Ends_field_i);
    columns.j = COSM_FIELD_OF(rows, float, component, Ends_field_j);
    columns.k = COSM_FIELD_OF(rows, double, component, Ends_field_k);
    columns.l = COSM_FIELD_OF(rows, double, component, Ends_field_l);
    columns.m = COSM_FIELD_OF(rows, double, component, Ends_field_m);
    columns.n = COSM_FIELD_OF(rows, float, component, Ends_field_n);
    columns.o = COSM_FIELD_OF(rows, float, component, Ends_field_o);
    columns.p = COSM_FIELD_OF(rows, double, component, Ends_field_p);
    columns.q = COSM_FIELD_OF(rows, bool, component, Ends_field_q);
    columns.r = COSM_FIELD_OF(rows, bool, component, Ends_field_r);
    columns.s = COSM_FIELD_OF(rows, uint32_t, component, Ends_field_s);
    columns.t = COSM_FIELD_OF(rows, float, component, Ends_field_t);
    return columns;
}

COSM_END_C

#endif
