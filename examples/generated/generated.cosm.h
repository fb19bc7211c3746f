// The components of generated.h, typed: made by cosm-gen, not to be edited.
// clang-format off
#ifndef COSM_GEN_GENERATED_H
#define COSM_GEN_GENERATED_H

#include "generated.h"

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

// Registers all of them with an engine, in the order of generated.h.
COSM_MUST_USE cosm_result generated_register_all(cosm_engine *engine);

// Where a creature is: each float in an array of its own.
extern cosm_component_type Place_type;

static inline cosm_component Place_component(const cosm_engine *engine) {
    return cosm_component_of(engine, &Place_type);
}

static inline bool Place_has(cosm_world world, cosm_entity entity) {
    return cosm_entity_has(world, entity, Place_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result Place_add(cosm_world world, cosm_entity entity) {
    return cosm_entity_add(world, entity, Place_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result Place_remove(cosm_world world, cosm_entity entity) {
    return cosm_entity_remove(world, entity, Place_component(cosm_batch_engine(world.batch)));
}

static inline bool Place_get(cosm_world world, cosm_entity entity, Place *out_value) {
    return cosm_entity_get(world, entity, Place_component(cosm_batch_engine(world.batch)),
                           out_value);
}

static inline COSM_MUST_USE cosm_result Place_set(cosm_world world, cosm_entity entity,
    const Place *value) {
    return cosm_entity_set(world, entity, Place_component(cosm_batch_engine(world.batch)), value);
}

enum {
    Place_field_x = 0,
    Place_field_y = 1,
};

typedef struct Place_columns {
    float *x;
    float *y;
} Place_columns;

typedef struct Place_const_columns {
    const float *x;
    const float *y;
} Place_const_columns;

static inline Place_const_columns Place_columns_read(const cosm_rows *rows, uint32_t term) {
    Place_const_columns columns;
    columns.x = COSM_FIELD_READ(rows, float, term, Place_field_x);
    columns.y = COSM_FIELD_READ(rows, float, term, Place_field_y);
    return columns;
}

static inline Place_columns Place_columns_write(const cosm_rows *rows, uint32_t term) {
    Place_columns columns;
    columns.x = COSM_FIELD_WRITE(rows, float, term, Place_field_x);
    columns.y = COSM_FIELD_WRITE(rows, float, term, Place_field_y);
    return columns;
}

static inline Place_columns Place_columns_of(const cosm_rows *rows) {
    const cosm_component component = Place_component(cosm_rows_engine(rows));
    Place_columns columns;
    columns.x = COSM_FIELD_OF(rows, float, component, Place_field_x);
    columns.y = COSM_FIELD_OF(rows, float, component, Place_field_y);
    return columns;
}

extern cosm_component_type Creature_type;

static inline cosm_component Creature_component(const cosm_engine *engine) {
    return cosm_component_of(engine, &Creature_type);
}

static inline bool Creature_has(cosm_world world, cosm_entity entity) {
    return cosm_entity_has(world, entity, Creature_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result Creature_add(cosm_world world, cosm_entity entity) {
    return cosm_entity_add(world, entity, Creature_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result Creature_remove(cosm_world world, cosm_entity entity) {
    return cosm_entity_remove(world, entity, Creature_component(cosm_batch_engine(world.batch)));
}

static inline bool Creature_get(cosm_world world, cosm_entity entity, Creature *out_value) {
    return cosm_entity_get(world, entity, Creature_component(cosm_batch_engine(world.batch)),
                           out_value);
}

static inline COSM_MUST_USE cosm_result Creature_set(cosm_world world, cosm_entity entity,
    const Creature *value) {
    return cosm_entity_set(world, entity, Creature_component(cosm_batch_engine(world.batch)), value);
}

static inline const Creature *Creature_read(cosm_world world, cosm_entity entity) {
    return COSM_READ(world, entity, Creature);
}

static inline Creature *Creature_write(cosm_world world, cosm_entity entity) {
    return COSM_WRITE(world, entity, Creature);
}

static inline const Creature *Creature_column_read(const cosm_rows *rows, uint32_t term) {
    return COSM_COLUMN_READ(rows, Creature, term);
}

static inline Creature *Creature_column_write(const cosm_rows *rows, uint32_t term) {
    return COSM_COLUMN_WRITE(rows, Creature, term);
}

static inline Creature *Creature_column_of(const cosm_rows *rows) {
    return COSM_WRITE(rows, Creature);
}

enum {
    Creature_field_mood = 0,
    Creature_field_senses = 1,
    Creature_field_energy = 2,
    Creature_field_follows = 3,
    Creature_field_name = 4,
};

typedef struct Creature_columns {
    Mood *mood;
    uint32_t *senses;
    float *energy;
    cosm_entity *follows;
    char *name;
} Creature_columns;

typedef struct Creature_const_columns {
    const Mood *mood;
    const uint32_t *senses;
    const float *energy;
    const cosm_entity *follows;
    const char *name;
} Creature_const_columns;

static inline Creature_const_columns Creature_columns_read(const cosm_rows *rows, uint32_t term) {
    Creature_const_columns columns;
    columns.mood = COSM_FIELD_READ(rows, Mood, term, Creature_field_mood);
    columns.senses = COSM_FIELD_READ(rows, uint32_t, term, Creature_field_senses);
    columns.energy = COSM_FIELD_READ(rows, float, term, Creature_field_energy);
    columns.follows = COSM_FIELD_READ(rows, cosm_entity, term, Creature_field_follows);
    columns.name = COSM_FIELD_READ(rows, char, term, Creature_field_name);
    return columns;
}

static inline Creature_columns Creature_columns_write(const cosm_rows *rows, uint32_t term) {
    Creature_columns columns;
    columns.mood = COSM_FIELD_WRITE(rows, Mood, term, Creature_field_mood);
    columns.senses = COSM_FIELD_WRITE(rows, uint32_t, term, Creature_field_senses);
    columns.energy = COSM_FIELD_WRITE(rows, float, term, Creature_field_energy);
    columns.follows = COSM_FIELD_WRITE(rows, cosm_entity, term, Creature_field_follows);
    columns.name = COSM_FIELD_WRITE(rows, char, term, Creature_field_name);
    return columns;
}

static inline Creature_columns Creature_columns_of(const cosm_rows *rows) {
    const cosm_component component = Creature_component(cosm_rows_engine(rows));
    Creature_columns columns;
    columns.mood = COSM_FIELD_OF(rows, Mood, component, Creature_field_mood);
    columns.senses = COSM_FIELD_OF(rows, uint32_t, component, Creature_field_senses);
    columns.energy = COSM_FIELD_OF(rows, float, component, Creature_field_energy);
    columns.follows = COSM_FIELD_OF(rows, cosm_entity, component, Creature_field_follows);
    columns.name = COSM_FIELD_OF(rows, char, component, Creature_field_name);
    return columns;
}

// Cannot move for a while.
extern cosm_component_type Asleep_type;

static inline cosm_component Asleep_component(const cosm_engine *engine) {
    return cosm_component_of(engine, &Asleep_type);
}

static inline bool Asleep_has(cosm_world world, cosm_entity entity) {
    return cosm_entity_has(world, entity, Asleep_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result Asleep_add(cosm_world world, cosm_entity entity) {
    return cosm_entity_add(world, entity, Asleep_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result Asleep_remove(cosm_world world, cosm_entity entity) {
    return cosm_entity_remove(world, entity, Asleep_component(cosm_batch_engine(world.batch)));
}

COSM_END_C

#endif
