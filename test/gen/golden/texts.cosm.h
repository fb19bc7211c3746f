// The components of texts.h, typed: made by cosm-gen, not to be edited.
// clang-format off
#ifndef COSM_GEN_TEXTS_H
#define COSM_GEN_TEXTS_H

#include "texts.h"

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

// Registers all of them with an engine, in the order of texts.h.
COSM_MUST_USE cosm_result texts_register_all(cosm_engine *engine);

extern cosm_component_type Words_type;

static inline cosm_component Words_component(const cosm_engine *engine) {
    return cosm_component_of(engine, &Words_type);
}

static inline bool Words_has(cosm_world world, cosm_entity entity) {
    return cosm_entity_has(world, entity, Words_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result Words_add(cosm_world world, cosm_entity entity) {
    return cosm_entity_add(world, entity, Words_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result Words_remove(cosm_world world, cosm_entity entity) {
    return cosm_entity_remove(world, entity, Words_component(cosm_batch_engine(world.batch)));
}

static inline bool Words_get(cosm_world world, cosm_entity entity, Words *out_value) {
    return cosm_entity_get(world, entity, Words_component(cosm_batch_engine(world.batch)),
                           out_value);
}

static inline COSM_MUST_USE cosm_result Words_set(cosm_world world, cosm_entity entity,
    const Words *value) {
    return cosm_entity_set(world, entity, Words_component(cosm_batch_engine(world.batch)), value);
}

enum {
    Words_field_full = 0,
    Words_field_shorter = 1,
    Words_field_lines = 2,
    Words_field_bytes = 3,
    Words_field_odd = 4,
    Words_field_zero = 5,
};

typedef struct Words_columns {
    char *full;
    char *shorter;
    char *lines;
    char *bytes;
    char *odd;
    char *zero;
} Words_columns;

typedef struct Words_const_columns {
    const char *full;
    const char *shorter;
    const char *lines;
    const char *bytes;
    const char *odd;
    const char *zero;
} Words_const_columns;

static inline Words_const_columns Words_columns_read(const cosm_rows *rows, uint32_t term) {
    Words_const_columns columns;
    columns.full = COSM_FIELD_READ(rows, char, term, Words_field_full);
    columns.shorter = COSM_FIELD_READ(rows, char, term, Words_field_shorter);
    columns.lines = COSM_FIELD_READ(rows, char, term, Words_field_lines);
    columns.bytes = COSM_FIELD_READ(rows, char, term, Words_field_bytes);
    columns.odd = COSM_FIELD_READ(rows, char, term, Words_field_odd);
    columns.zero = COSM_FIELD_READ(rows, char, term, Words_field_zero);
    return columns;
}

static inline Words_columns Words_columns_write(const cosm_rows *rows, uint32_t term) {
    Words_columns columns;
    columns.full = COSM_FIELD_WRITE(rows, char, term, Words_field_full);
    columns.shorter = COSM_FIELD_WRITE(rows, char, term, Words_field_shorter);
    columns.lines = COSM_FIELD_WRITE(rows, char, term, Words_field_lines);
    columns.bytes = COSM_FIELD_WRITE(rows, char, term, Words_field_bytes);
    columns.odd = COSM_FIELD_WRITE(rows, char, term, Words_field_odd);
    columns.zero = COSM_FIELD_WRITE(rows, char, term, Words_field_zero);
    return columns;
}

static inline Words_columns Words_columns_of(const cosm_rows *rows) {
    const cosm_component component = Words_component(cosm_rows_engine(rows));
    Words_columns columns;
    columns.full = COSM_FIELD_OF(rows, char, component, Words_field_full);
    columns.shorter = COSM_FIELD_OF(rows, char, component, Words_field_shorter);
    columns.lines = COSM_FIELD_OF(rows, char, component, Words_field_lines);
    columns.bytes = COSM_FIELD_OF(rows, char, component, Words_field_bytes);
    columns.odd = COSM_FIELD_OF(rows, char, component, Words_field_odd);
    columns.zero = COSM_FIELD_OF(rows, char, component, Words_field_zero);
    return columns;
}

COSM_END_C

#endif
