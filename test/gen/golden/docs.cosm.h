// The components of docs.h, typed: made by cosm-gen, not to be edited.
// clang-format off
#ifndef COSM_GEN_DOCS_H
#define COSM_GEN_DOCS_H

#include "docs.h"

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

// Registers all of them with an engine, in the order of docs.h.
COSM_MUST_USE cosm_result docs_register_all(cosm_engine *engine);

// A doc with stars, and a backslash at its end \ .
extern cosm_component_type Notes_type;

static inline cosm_component Notes_component(const cosm_engine *engine) {
    return cosm_component_of(engine, &Notes_type);
}

static inline bool Notes_has(cosm_world world, cosm_entity entity) {
    return cosm_entity_has(world, entity, Notes_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result Notes_add(cosm_world world, cosm_entity entity) {
    return cosm_entity_add(world, entity, Notes_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result Notes_remove(cosm_world world, cosm_entity entity) {
    return cosm_entity_remove(world, entity, Notes_component(cosm_batch_engine(world.batch)));
}

static inline bool Notes_get(cosm_world world, cosm_entity entity, Notes *out_value) {
    return cosm_entity_get(world, entity, Notes_component(cosm_batch_engine(world.batch)),
                           out_value);
}

static inline COSM_MUST_USE cosm_result Notes_set(cosm_world world, cosm_entity entity,
    const Notes *value) {
    return cosm_entity_set(world, entity, Notes_component(cosm_batch_engine(world.batch)), value);
}

static inline const Notes *Notes_read(cosm_world world, cosm_entity entity) {
    return COSM_READ(world, entity, Notes);
}

static inline Notes *Notes_write(cosm_world world, cosm_entity entity) {
    return COSM_WRITE(world, entity, Notes);
}

static inline const Notes *Notes_column_read(const cosm_rows *rows, uint32_t term) {
    return COSM_COLUMN_READ(rows, Notes, term);
}

static inline Notes *Notes_column_write(const cosm_rows *rows, uint32_t term) {
    return COSM_COLUMN_WRITE(rows, Notes, term);
}

static inline Notes *Notes_column_of(const cosm_rows *rows) {
    return COSM_WRITE(rows, Notes);
}

enum {
    Notes_field_above = 0,
    Notes_field_behind = 1,
    Notes_field_beside = 2,
    Notes_field_next = 3,
    Notes_field_first = 4,
    Notes_field_second = 5,
    Notes_field_slashes = 6,
    Notes_field_angle = 7,
    Notes_field_block_angle = 8,
    Notes_field_better = 9,
    Notes_field_none = 10,
    Notes_field_ruled = 11,
    Notes_field_order = 12,
    Notes_field_quotes = 13,
    Notes_field_nested_x = 14,
    Notes_field_nested_y = 15,
    Notes_field_other_z = 16,
    Notes_field_arr = 17,
    Notes_field_tab = 18,
};

typedef struct Notes_columns {
    int *above;
    int *behind;
    int *beside;
    int *next;
    int *first;
    int *second;
    int *slashes;
    int *angle;
    int *block_angle;
    int *better;
    int *none;
    int *ruled;
    int *order;
    int *quotes;
    int *nested_x;
    int *nested_y;
    int *other_z;
    int *arr;
    int *tab;
} Notes_columns;

typedef struct Notes_const_columns {
    const int *above;
    const int *behind;
    const int *beside;
    const int *next;
    const int *first;
    const int *second;
    const int *slashes;
    const int *angle;
    const int *block_angle;
    const int *better;
    const int *none;
    const int *ruled;
    const int *order;
    const int *quotes;
    const int *nested_x;
    const int *nested_y;
    const int *other_z;
    const int *arr;
    const int *tab;
} Notes_const_columns;

static inline Notes_const_columns Notes_columns_read(const cosm_rows *rows, uint32_t term) {
    Notes_const_columns columns;
    columns.above = COSM_FIELD_READ(rows, int, term, Notes_field_above);
    columns.behind = COSM_FIELD_READ(rows, int, term, Notes_field_behind);
    columns.beside = COSM_FIELD_READ(rows, int, term, Notes_field_beside);
    columns.next = COSM_FIELD_READ(rows, int, term, Notes_field_next);
    columns.first = COSM_FIELD_READ(rows, int, term, Notes_field_first);
    columns.second = COSM_FIELD_READ(rows, int, term, Notes_field_second);
    columns.slashes = COSM_FIELD_READ(rows, int, term, Notes_field_slashes);
    columns.angle = COSM_FIELD_READ(rows, int, term, Notes_field_angle);
    columns.block_angle = COSM_FIELD_READ(rows, int, term, Notes_field_block_angle);
    columns.better = COSM_FIELD_READ(rows, int, term, Notes_field_better);
    columns.none = COSM_FIELD_READ(rows, int, term, Notes_field_none);
    columns.ruled = COSM_FIELD_READ(rows, int, term, Notes_field_ruled);
    columns.order = COSM_FIELD_READ(rows, int, term, Notes_field_order);
    columns.quotes = COSM_FIELD_READ(rows, int, term, Notes_field_quotes);
    columns.nested_x = COSM_FIELD_READ(rows, int, term, Notes_field_nested_x);
    columns.nested_y = COSM_FIELD_READ(rows, int, term, Notes_field_nested_y);
    columns.other_z = COSM_FIELD_READ(rows, int, term, Notes_field_other_z);
    columns.arr = COSM_FIELD_READ(rows, int, term, Notes_field_arr);
    columns.tab = COSM_FIELD_READ(rows, int, term, Notes_field_tab);
    return columns;
}

static inline Notes_columns Notes_columns_write(const cosm_rows *rows, uint32_t term) {
    Notes_columns columns;
    columns.above = COSM_FIELD_WRITE(rows, int, term, Notes_field_above);
    columns.behind = COSM_FIELD_WRITE(rows, int, term, Notes_field_behind);
    columns.beside = COSM_FIELD_WRITE(rows, int, term, Notes_field_beside);
    columns.next = COSM_FIELD_WRITE(rows, int, term, Notes_field_next);
    columns.first = COSM_FIELD_WRITE(rows, int, term, Notes_field_first);
    columns.second = COSM_FIELD_WRITE(rows, int, term, Notes_field_second);
    columns.slashes = COSM_FIELD_WRITE(rows, int, term, Notes_field_slashes);
    columns.angle = COSM_FIELD_WRITE(rows, int, term, Notes_field_angle);
    columns.block_angle = COSM_FIELD_WRITE(rows, int, term, Notes_field_block_angle);
    columns.better = COSM_FIELD_WRITE(rows, int, term, Notes_field_better);
    columns.none = COSM_FIELD_WRITE(rows, int, term, Notes_field_none);
    columns.ruled = COSM_FIELD_WRITE(rows, int, term, Notes_field_ruled);
    columns.order = COSM_FIELD_WRITE(rows, int, term, Notes_field_order);
    columns.quotes = COSM_FIELD_WRITE(rows, int, term, Notes_field_quotes);
    columns.nested_x = COSM_FIELD_WRITE(rows, int, term, Notes_field_nested_x);
    columns.nested_y = COSM_FIELD_WRITE(rows, int, term, Notes_field_nested_y);
    columns.other_z = COSM_FIELD_WRITE(rows, int, term, Notes_field_other_z);
    columns.arr = COSM_FIELD_WRITE(rows, int, term, Notes_field_arr);
    columns.tab = COSM_FIELD_WRITE(rows, int, term, Notes_field_tab);
    return columns;
}

static inline Notes_columns Notes_columns_of(const cosm_rows *rows) {
    const cosm_component component = Notes_component(cosm_rows_engine(rows));
    Notes_columns columns;
    columns.above = COSM_FIELD_OF(rows, int, component, Notes_field_above);
    columns.behind = COSM_FIELD_OF(rows, int, component, Notes_field_behind);
    columns.beside = COSM_FIELD_OF(rows, int, component, Notes_field_beside);
    columns.next = COSM_FIELD_OF(rows, int, component, Notes_field_next);
    columns.first = COSM_FIELD_OF(rows, int, component, Notes_field_first);
    columns.second = COSM_FIELD_OF(rows, int, component, Notes_field_second);
    columns.slashes = COSM_FIELD_OF(rows, int, component, Notes_field_slashes);
    columns.angle = COSM_FIELD_OF(rows, int, component, Notes_field_angle);
    columns.block_angle = COSM_FIELD_OF(rows, int, component, Notes_field_block_angle);
    columns.better = COSM_FIELD_OF(rows, int, component, Notes_field_better);
    columns.none = COSM_FIELD_OF(rows, int, component, Notes_field_none);
    columns.ruled = COSM_FIELD_OF(rows, int, component, Notes_field_ruled);
    columns.order = COSM_FIELD_OF(rows, int, component, Notes_field_order);
    columns.quotes = COSM_FIELD_OF(rows, int, component, Notes_field_quotes);
    columns.nested_x = COSM_FIELD_OF(rows, int, component, Notes_field_nested_x);
    columns.nested_y = COSM_FIELD_OF(rows, int, component, Notes_field_nested_y);
    columns.other_z = COSM_FIELD_OF(rows, int, component, Notes_field_other_z);
    columns.arr = COSM_FIELD_OF(rows, int, component, Notes_field_arr);
    columns.tab = COSM_FIELD_OF(rows, int, component, Notes_field_tab);
    return columns;
}

// Of a tag.
extern cosm_component_type Above_type;

static inline cosm_component Above_component(const cosm_engine *engine) {
    return cosm_component_of(engine, &Above_type);
}

static inline bool Above_has(cosm_world world, cosm_entity entity) {
    return cosm_entity_has(world, entity, Above_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result Above_add(cosm_world world, cosm_entity entity) {
    return cosm_entity_add(world, entity, Above_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result Above_remove(cosm_world world, cosm_entity entity) {
    return cosm_entity_remove(world, entity, Above_component(cosm_batch_engine(world.batch)));
}

// Behind a tag.
extern cosm_component_type Behind_type;

static inline cosm_component Behind_component(const cosm_engine *engine) {
    return cosm_component_of(engine, &Behind_type);
}

static inline bool Behind_has(cosm_world world, cosm_entity entity) {
    return cosm_entity_has(world, entity, Behind_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result Behind_add(cosm_world world, cosm_entity entity) {
    return cosm_entity_add(world, entity, Behind_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result Behind_remove(cosm_world world, cosm_entity entity) {
    return cosm_entity_remove(world, entity, Behind_component(cosm_batch_engine(world.batch)));
}

COSM_END_C

#endif
