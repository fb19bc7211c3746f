// The components of forage.h, typed: made by cosm-gen, not to be edited.
// clang-format off
#ifndef COSM_GEN_FORAGE_H
#define COSM_GEN_FORAGE_H

#include "forage.h"

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

// Registers all of them with an engine, in the order of forage.h.
COSM_MUST_USE cosm_result forage_register_all(cosm_engine *engine);

// Where an agent is. No two are on one cell.
extern cosm_component_type ForagePlace_type;

static inline cosm_component ForagePlace_component(const cosm_engine *engine) {
    return cosm_component_of(engine, &ForagePlace_type);
}

static inline bool ForagePlace_has(cosm_world world, cosm_entity entity) {
    return cosm_entity_has(world, entity, ForagePlace_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result ForagePlace_add(cosm_world world, cosm_entity entity) {
    return cosm_entity_add(world, entity, ForagePlace_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result ForagePlace_remove(cosm_world world, cosm_entity entity) {
    return cosm_entity_remove(world, entity, ForagePlace_component(cosm_batch_engine(world.batch)));
}

static inline bool ForagePlace_get(cosm_world world, cosm_entity entity, ForagePlace *out_value) {
    return cosm_entity_get(world, entity, ForagePlace_component(cosm_batch_engine(world.batch)),
                           out_value);
}

static inline COSM_MUST_USE cosm_result ForagePlace_set(cosm_world world, cosm_entity entity,
    const ForagePlace *value) {
    return cosm_entity_set(world, entity, ForagePlace_component(cosm_batch_engine(world.batch)), value);
}

static inline const ForagePlace *ForagePlace_read(cosm_world world, cosm_entity entity) {
    return COSM_READ(world, entity, ForagePlace);
}

static inline ForagePlace *ForagePlace_write(cosm_world world, cosm_entity entity) {
    return COSM_WRITE(world, entity, ForagePlace);
}

static inline const ForagePlace *ForagePlace_column_read(const cosm_rows *rows, uint32_t term) {
    return COSM_COLUMN_READ(rows, ForagePlace, term);
}

static inline ForagePlace *ForagePlace_column_write(const cosm_rows *rows, uint32_t term) {
    return COSM_COLUMN_WRITE(rows, ForagePlace, term);
}

static inline ForagePlace *ForagePlace_column_of(const cosm_rows *rows) {
    return COSM_WRITE(rows, ForagePlace);
}

enum {
    ForagePlace_field_cell = 0,
};

typedef struct ForagePlace_columns {
    uint32_t *cell;
} ForagePlace_columns;

typedef struct ForagePlace_const_columns {
    const uint32_t *cell;
} ForagePlace_const_columns;

static inline ForagePlace_const_columns ForagePlace_columns_read(const cosm_rows *rows, uint32_t term) {
    ForagePlace_const_columns columns;
    columns.cell = COSM_FIELD_READ(rows, uint32_t, term, ForagePlace_field_cell);
    return columns;
}

static inline ForagePlace_columns ForagePlace_columns_write(const cosm_rows *rows, uint32_t term) {
    ForagePlace_columns columns;
    columns.cell = COSM_FIELD_WRITE(rows, uint32_t, term, ForagePlace_field_cell);
    return columns;
}

static inline ForagePlace_columns ForagePlace_columns_of(const cosm_rows *rows) {
    const cosm_component component = ForagePlace_component(cosm_rows_engine(rows));
    ForagePlace_columns columns;
    columns.cell = COSM_FIELD_OF(rows, uint32_t, component, ForagePlace_field_cell);
    return columns;
}

// One less with every step. An agent that has none left has starved.
extern cosm_component_type ForageEnergy_type;

static inline cosm_component ForageEnergy_component(const cosm_engine *engine) {
    return cosm_component_of(engine, &ForageEnergy_type);
}

static inline bool ForageEnergy_has(cosm_world world, cosm_entity entity) {
    return cosm_entity_has(world, entity, ForageEnergy_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result ForageEnergy_add(cosm_world world, cosm_entity entity) {
    return cosm_entity_add(world, entity, ForageEnergy_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result ForageEnergy_remove(cosm_world world, cosm_entity entity) {
    return cosm_entity_remove(world, entity, ForageEnergy_component(cosm_batch_engine(world.batch)));
}

static inline bool ForageEnergy_get(cosm_world world, cosm_entity entity, ForageEnergy *out_value) {
    return cosm_entity_get(world, entity, ForageEnergy_component(cosm_batch_engine(world.batch)),
                           out_value);
}

static inline COSM_MUST_USE cosm_result ForageEnergy_set(cosm_world world, cosm_entity entity,
    const ForageEnergy *value) {
    return cosm_entity_set(world, entity, ForageEnergy_component(cosm_batch_engine(world.batch)), value);
}

static inline const ForageEnergy *ForageEnergy_read(cosm_world world, cosm_entity entity) {
    return COSM_READ(world, entity, ForageEnergy);
}

static inline ForageEnergy *ForageEnergy_write(cosm_world world, cosm_entity entity) {
    return COSM_WRITE(world, entity, ForageEnergy);
}

static inline const ForageEnergy *ForageEnergy_column_read(const cosm_rows *rows, uint32_t term) {
    return COSM_COLUMN_READ(rows, ForageEnergy, term);
}

static inline ForageEnergy *ForageEnergy_column_write(const cosm_rows *rows, uint32_t term) {
    return COSM_COLUMN_WRITE(rows, ForageEnergy, term);
}

static inline ForageEnergy *ForageEnergy_column_of(const cosm_rows *rows) {
    return COSM_WRITE(rows, ForageEnergy);
}

enum {
    ForageEnergy_field_left = 0,
};

typedef struct ForageEnergy_columns {
    int32_t *left;
} ForageEnergy_columns;

typedef struct ForageEnergy_const_columns {
    const int32_t *left;
} ForageEnergy_const_columns;

static inline ForageEnergy_const_columns ForageEnergy_columns_read(const cosm_rows *rows, uint32_t term) {
    ForageEnergy_const_columns columns;
    columns.left = COSM_FIELD_READ(rows, int32_t, term, ForageEnergy_field_left);
    return columns;
}

static inline ForageEnergy_columns ForageEnergy_columns_write(const cosm_rows *rows, uint32_t term) {
    ForageEnergy_columns columns;
    columns.left = COSM_FIELD_WRITE(rows, int32_t, term, ForageEnergy_field_left);
    return columns;
}

static inline ForageEnergy_columns ForageEnergy_columns_of(const cosm_rows *rows) {
    const cosm_component component = ForageEnergy_component(cosm_rows_engine(rows));
    ForageEnergy_columns columns;
    columns.left = COSM_FIELD_OF(rows, int32_t, component, ForageEnergy_field_left);
    return columns;
}

// A move that is not allowed counts as staying.
extern cosm_component_type ForageAction_type;

static inline cosm_component ForageAction_component(const cosm_engine *engine) {
    return cosm_component_of(engine, &ForageAction_type);
}

static inline bool ForageAction_has(cosm_world world, cosm_entity entity) {
    return cosm_entity_has(world, entity, ForageAction_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result ForageAction_add(cosm_world world, cosm_entity entity) {
    return cosm_entity_add(world, entity, ForageAction_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result ForageAction_remove(cosm_world world, cosm_entity entity) {
    return cosm_entity_remove(world, entity, ForageAction_component(cosm_batch_engine(world.batch)));
}

static inline bool ForageAction_get(cosm_world world, cosm_entity entity, ForageAction *out_value) {
    return cosm_entity_get(world, entity, ForageAction_component(cosm_batch_engine(world.batch)),
                           out_value);
}

static inline COSM_MUST_USE cosm_result ForageAction_set(cosm_world world, cosm_entity entity,
    const ForageAction *value) {
    return cosm_entity_set(world, entity, ForageAction_component(cosm_batch_engine(world.batch)), value);
}

static inline const ForageAction *ForageAction_read(cosm_world world, cosm_entity entity) {
    return COSM_READ(world, entity, ForageAction);
}

static inline ForageAction *ForageAction_write(cosm_world world, cosm_entity entity) {
    return COSM_WRITE(world, entity, ForageAction);
}

static inline const ForageAction *ForageAction_column_read(const cosm_rows *rows, uint32_t term) {
    return COSM_COLUMN_READ(rows, ForageAction, term);
}

static inline ForageAction *ForageAction_column_write(const cosm_rows *rows, uint32_t term) {
    return COSM_COLUMN_WRITE(rows, ForageAction, term);
}

static inline ForageAction *ForageAction_column_of(const cosm_rows *rows) {
    return COSM_WRITE(rows, ForageAction);
}

enum {
    ForageAction_field_move = 0,
};

typedef struct ForageAction_columns {
    int32_t *move;
} ForageAction_columns;

typedef struct ForageAction_const_columns {
    const int32_t *move;
} ForageAction_const_columns;

static inline ForageAction_const_columns ForageAction_columns_read(const cosm_rows *rows, uint32_t term) {
    ForageAction_const_columns columns;
    columns.move = COSM_FIELD_READ(rows, int32_t, term, ForageAction_field_move);
    return columns;
}

static inline ForageAction_columns ForageAction_columns_write(const cosm_rows *rows, uint32_t term) {
    ForageAction_columns columns;
    columns.move = COSM_FIELD_WRITE(rows, int32_t, term, ForageAction_field_move);
    return columns;
}

static inline ForageAction_columns ForageAction_columns_of(const cosm_rows *rows) {
    const cosm_component component = ForageAction_component(cosm_rows_engine(rows));
    ForageAction_columns columns;
    columns.move = COSM_FIELD_OF(rows, int32_t, component, ForageAction_field_move);
    return columns;
}

// One for food, minus one for starving.
extern cosm_component_type ForageReward_type;

static inline cosm_component ForageReward_component(const cosm_engine *engine) {
    return cosm_component_of(engine, &ForageReward_type);
}

static inline bool ForageReward_has(cosm_world world, cosm_entity entity) {
    return cosm_entity_has(world, entity, ForageReward_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result ForageReward_add(cosm_world world, cosm_entity entity) {
    return cosm_entity_add(world, entity, ForageReward_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result ForageReward_remove(cosm_world world, cosm_entity entity) {
    return cosm_entity_remove(world, entity, ForageReward_component(cosm_batch_engine(world.batch)));
}

static inline bool ForageReward_get(cosm_world world, cosm_entity entity, ForageReward *out_value) {
    return cosm_entity_get(world, entity, ForageReward_component(cosm_batch_engine(world.batch)),
                           out_value);
}

static inline COSM_MUST_USE cosm_result ForageReward_set(cosm_world world, cosm_entity entity,
    const ForageReward *value) {
    return cosm_entity_set(world, entity, ForageReward_component(cosm_batch_engine(world.batch)), value);
}

static inline const ForageReward *ForageReward_read(cosm_world world, cosm_entity entity) {
    return COSM_READ(world, entity, ForageReward);
}

static inline ForageReward *ForageReward_write(cosm_world world, cosm_entity entity) {
    return COSM_WRITE(world, entity, ForageReward);
}

static inline const ForageReward *ForageReward_column_read(const cosm_rows *rows, uint32_t term) {
    return COSM_COLUMN_READ(rows, ForageReward, term);
}

static inline ForageReward *ForageReward_column_write(const cosm_rows *rows, uint32_t term) {
    return COSM_COLUMN_WRITE(rows, ForageReward, term);
}

static inline ForageReward *ForageReward_column_of(const cosm_rows *rows) {
    return COSM_WRITE(rows, ForageReward);
}

enum {
    ForageReward_field_value = 0,
};

typedef struct ForageReward_columns {
    float *value;
} ForageReward_columns;

typedef struct ForageReward_const_columns {
    const float *value;
} ForageReward_const_columns;

static inline ForageReward_const_columns ForageReward_columns_read(const cosm_rows *rows, uint32_t term) {
    ForageReward_const_columns columns;
    columns.value = COSM_FIELD_READ(rows, float, term, ForageReward_field_value);
    return columns;
}

static inline ForageReward_columns ForageReward_columns_write(const cosm_rows *rows, uint32_t term) {
    ForageReward_columns columns;
    columns.value = COSM_FIELD_WRITE(rows, float, term, ForageReward_field_value);
    return columns;
}

static inline ForageReward_columns ForageReward_columns_of(const cosm_rows *rows) {
    const cosm_component component = ForageReward_component(cosm_rows_engine(rows));
    ForageReward_columns columns;
    columns.value = COSM_FIELD_OF(rows, float, component, ForageReward_field_value);
    return columns;
}

// It has starved. Its row stays until the beginning of the next step.
extern cosm_component_type ForageTerminated_type;

static inline cosm_component ForageTerminated_component(const cosm_engine *engine) {
    return cosm_component_of(engine, &ForageTerminated_type);
}

static inline bool ForageTerminated_has(cosm_world world, cosm_entity entity) {
    return cosm_entity_has(world, entity, ForageTerminated_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result ForageTerminated_add(cosm_world world, cosm_entity entity) {
    return cosm_entity_add(world, entity, ForageTerminated_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result ForageTerminated_remove(cosm_world world, cosm_entity entity) {
    return cosm_entity_remove(world, entity, ForageTerminated_component(cosm_batch_engine(world.batch)));
}

static inline bool ForageTerminated_get(cosm_world world, cosm_entity entity, ForageTerminated *out_value) {
    return cosm_entity_get(world, entity, ForageTerminated_component(cosm_batch_engine(world.batch)),
                           out_value);
}

static inline COSM_MUST_USE cosm_result ForageTerminated_set(cosm_world world, cosm_entity entity,
    const ForageTerminated *value) {
    return cosm_entity_set(world, entity, ForageTerminated_component(cosm_batch_engine(world.batch)), value);
}

static inline const ForageTerminated *ForageTerminated_read(cosm_world world, cosm_entity entity) {
    return COSM_READ(world, entity, ForageTerminated);
}

static inline ForageTerminated *ForageTerminated_write(cosm_world world, cosm_entity entity) {
    return COSM_WRITE(world, entity, ForageTerminated);
}

static inline const ForageTerminated *ForageTerminated_column_read(const cosm_rows *rows, uint32_t term) {
    return COSM_COLUMN_READ(rows, ForageTerminated, term);
}

static inline ForageTerminated *ForageTerminated_column_write(const cosm_rows *rows, uint32_t term) {
    return COSM_COLUMN_WRITE(rows, ForageTerminated, term);
}

static inline ForageTerminated *ForageTerminated_column_of(const cosm_rows *rows) {
    return COSM_WRITE(rows, ForageTerminated);
}

enum {
    ForageTerminated_field_is_so = 0,
};

typedef struct ForageTerminated_columns {
    bool *is_so;
} ForageTerminated_columns;

typedef struct ForageTerminated_const_columns {
    const bool *is_so;
} ForageTerminated_const_columns;

static inline ForageTerminated_const_columns ForageTerminated_columns_read(const cosm_rows *rows, uint32_t term) {
    ForageTerminated_const_columns columns;
    columns.is_so = COSM_FIELD_READ(rows, bool, term, ForageTerminated_field_is_so);
    return columns;
}

static inline ForageTerminated_columns ForageTerminated_columns_write(const cosm_rows *rows, uint32_t term) {
    ForageTerminated_columns columns;
    columns.is_so = COSM_FIELD_WRITE(rows, bool, term, ForageTerminated_field_is_so);
    return columns;
}

static inline ForageTerminated_columns ForageTerminated_columns_of(const cosm_rows *rows) {
    const cosm_component component = ForageTerminated_component(cosm_rows_engine(rows));
    ForageTerminated_columns columns;
    columns.is_so = COSM_FIELD_OF(rows, bool, component, ForageTerminated_field_is_so);
    return columns;
}

// Which moves are allowed: those to cells with neither a wall nor another agent.
extern cosm_component_type ForageMask_type;

static inline cosm_component ForageMask_component(const cosm_engine *engine) {
    return cosm_component_of(engine, &ForageMask_type);
}

static inline bool ForageMask_has(cosm_world world, cosm_entity entity) {
    return cosm_entity_has(world, entity, ForageMask_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result ForageMask_add(cosm_world world, cosm_entity entity) {
    return cosm_entity_add(world, entity, ForageMask_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result ForageMask_remove(cosm_world world, cosm_entity entity) {
    return cosm_entity_remove(world, entity, ForageMask_component(cosm_batch_engine(world.batch)));
}

static inline bool ForageMask_get(cosm_world world, cosm_entity entity, ForageMask *out_value) {
    return cosm_entity_get(world, entity, ForageMask_component(cosm_batch_engine(world.batch)),
                           out_value);
}

static inline COSM_MUST_USE cosm_result ForageMask_set(cosm_world world, cosm_entity entity,
    const ForageMask *value) {
    return cosm_entity_set(world, entity, ForageMask_component(cosm_batch_engine(world.batch)), value);
}

static inline const ForageMask *ForageMask_read(cosm_world world, cosm_entity entity) {
    return COSM_READ(world, entity, ForageMask);
}

static inline ForageMask *ForageMask_write(cosm_world world, cosm_entity entity) {
    return COSM_WRITE(world, entity, ForageMask);
}

static inline const ForageMask *ForageMask_column_read(const cosm_rows *rows, uint32_t term) {
    return COSM_COLUMN_READ(rows, ForageMask, term);
}

static inline ForageMask *ForageMask_column_write(const cosm_rows *rows, uint32_t term) {
    return COSM_COLUMN_WRITE(rows, ForageMask, term);
}

static inline ForageMask *ForageMask_column_of(const cosm_rows *rows) {
    return COSM_WRITE(rows, ForageMask);
}

enum {
    ForageMask_field_allowed = 0,
};

typedef struct ForageMask_columns {
    uint8_t *allowed;
} ForageMask_columns;

typedef struct ForageMask_const_columns {
    const uint8_t *allowed;
} ForageMask_const_columns;

static inline ForageMask_const_columns ForageMask_columns_read(const cosm_rows *rows, uint32_t term) {
    ForageMask_const_columns columns;
    columns.allowed = COSM_FIELD_READ(rows, uint8_t, term, ForageMask_field_allowed);
    return columns;
}

static inline ForageMask_columns ForageMask_columns_write(const cosm_rows *rows, uint32_t term) {
    ForageMask_columns columns;
    columns.allowed = COSM_FIELD_WRITE(rows, uint8_t, term, ForageMask_field_allowed);
    return columns;
}

static inline ForageMask_columns ForageMask_columns_of(const cosm_rows *rows) {
    const cosm_component component = ForageMask_component(cosm_rows_engine(rows));
    ForageMask_columns columns;
    columns.allowed = COSM_FIELD_OF(rows, uint8_t, component, ForageMask_field_allowed);
    return columns;
}

// The cells around an agent, itself in the middle; beyond the border all is wall.
extern cosm_component_type ForageWindow_type;

static inline cosm_component ForageWindow_component(const cosm_engine *engine) {
    return cosm_component_of(engine, &ForageWindow_type);
}

static inline bool ForageWindow_has(cosm_world world, cosm_entity entity) {
    return cosm_entity_has(world, entity, ForageWindow_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result ForageWindow_add(cosm_world world, cosm_entity entity) {
    return cosm_entity_add(world, entity, ForageWindow_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result ForageWindow_remove(cosm_world world, cosm_entity entity) {
    return cosm_entity_remove(world, entity, ForageWindow_component(cosm_batch_engine(world.batch)));
}

static inline bool ForageWindow_get(cosm_world world, cosm_entity entity, ForageWindow *out_value) {
    return cosm_entity_get(world, entity, ForageWindow_component(cosm_batch_engine(world.batch)),
                           out_value);
}

static inline COSM_MUST_USE cosm_result ForageWindow_set(cosm_world world, cosm_entity entity,
    const ForageWindow *value) {
    return cosm_entity_set(world, entity, ForageWindow_component(cosm_batch_engine(world.batch)), value);
}

static inline const ForageWindow *ForageWindow_read(cosm_world world, cosm_entity entity) {
    return COSM_READ(world, entity, ForageWindow);
}

static inline ForageWindow *ForageWindow_write(cosm_world world, cosm_entity entity) {
    return COSM_WRITE(world, entity, ForageWindow);
}

static inline const ForageWindow *ForageWindow_column_read(const cosm_rows *rows, uint32_t term) {
    return COSM_COLUMN_READ(rows, ForageWindow, term);
}

static inline ForageWindow *ForageWindow_column_write(const cosm_rows *rows, uint32_t term) {
    return COSM_COLUMN_WRITE(rows, ForageWindow, term);
}

static inline ForageWindow *ForageWindow_column_of(const cosm_rows *rows) {
    return COSM_WRITE(rows, ForageWindow);
}

enum {
    ForageWindow_field_cells = 0,
};

typedef struct ForageWindow_columns {
    uint8_t *cells;
} ForageWindow_columns;

typedef struct ForageWindow_const_columns {
    const uint8_t *cells;
} ForageWindow_const_columns;

static inline ForageWindow_const_columns ForageWindow_columns_read(const cosm_rows *rows, uint32_t term) {
    ForageWindow_const_columns columns;
    columns.cells = COSM_FIELD_READ(rows, uint8_t, term, ForageWindow_field_cells);
    return columns;
}

static inline ForageWindow_columns ForageWindow_columns_write(const cosm_rows *rows, uint32_t term) {
    ForageWindow_columns columns;
    columns.cells = COSM_FIELD_WRITE(rows, uint8_t, term, ForageWindow_field_cells);
    return columns;
}

static inline ForageWindow_columns ForageWindow_columns_of(const cosm_rows *rows) {
    const cosm_component component = ForageWindow_component(cosm_rows_engine(rows));
    ForageWindow_columns columns;
    columns.cells = COSM_FIELD_OF(rows, uint8_t, component, ForageWindow_field_cells);
    return columns;
}

// How an agent itself fares.
extern cosm_component_type ForageSelf_type;

static inline cosm_component ForageSelf_component(const cosm_engine *engine) {
    return cosm_component_of(engine, &ForageSelf_type);
}

static inline bool ForageSelf_has(cosm_world world, cosm_entity entity) {
    return cosm_entity_has(world, entity, ForageSelf_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result ForageSelf_add(cosm_world world, cosm_entity entity) {
    return cosm_entity_add(world, entity, ForageSelf_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result ForageSelf_remove(cosm_world world, cosm_entity entity) {
    return cosm_entity_remove(world, entity, ForageSelf_component(cosm_batch_engine(world.batch)));
}

static inline bool ForageSelf_get(cosm_world world, cosm_entity entity, ForageSelf *out_value) {
    return cosm_entity_get(world, entity, ForageSelf_component(cosm_batch_engine(world.batch)),
                           out_value);
}

static inline COSM_MUST_USE cosm_result ForageSelf_set(cosm_world world, cosm_entity entity,
    const ForageSelf *value) {
    return cosm_entity_set(world, entity, ForageSelf_component(cosm_batch_engine(world.batch)), value);
}

static inline const ForageSelf *ForageSelf_read(cosm_world world, cosm_entity entity) {
    return COSM_READ(world, entity, ForageSelf);
}

static inline ForageSelf *ForageSelf_write(cosm_world world, cosm_entity entity) {
    return COSM_WRITE(world, entity, ForageSelf);
}

static inline const ForageSelf *ForageSelf_column_read(const cosm_rows *rows, uint32_t term) {
    return COSM_COLUMN_READ(rows, ForageSelf, term);
}

static inline ForageSelf *ForageSelf_column_write(const cosm_rows *rows, uint32_t term) {
    return COSM_COLUMN_WRITE(rows, ForageSelf, term);
}

static inline ForageSelf *ForageSelf_column_of(const cosm_rows *rows) {
    return COSM_WRITE(rows, ForageSelf);
}

enum {
    ForageSelf_field_energy = 0,
    ForageSelf_field_crowd = 1,
};

typedef struct ForageSelf_columns {
    float *energy;
    float *crowd;
} ForageSelf_columns;

typedef struct ForageSelf_const_columns {
    const float *energy;
    const float *crowd;
} ForageSelf_const_columns;

static inline ForageSelf_const_columns ForageSelf_columns_read(const cosm_rows *rows, uint32_t term) {
    ForageSelf_const_columns columns;
    columns.energy = COSM_FIELD_READ(rows, float, term, ForageSelf_field_energy);
    columns.crowd = COSM_FIELD_READ(rows, float, term, ForageSelf_field_crowd);
    return columns;
}

static inline ForageSelf_columns ForageSelf_columns_write(const cosm_rows *rows, uint32_t term) {
    ForageSelf_columns columns;
    columns.energy = COSM_FIELD_WRITE(rows, float, term, ForageSelf_field_energy);
    columns.crowd = COSM_FIELD_WRITE(rows, float, term, ForageSelf_field_crowd);
    return columns;
}

static inline ForageSelf_columns ForageSelf_columns_of(const cosm_rows *rows) {
    const cosm_component component = ForageSelf_component(cosm_rows_engine(rows));
    ForageSelf_columns columns;
    columns.energy = COSM_FIELD_OF(rows, float, component, ForageSelf_field_energy);
    columns.crowd = COSM_FIELD_OF(rows, float, component, ForageSelf_field_crowd);
    return columns;
}

// What a world is to be like. Looked at when an episode begins, but for `births`.
extern cosm_singleton_type ForageRules_type;

static inline cosm_singleton ForageRules_singleton(const cosm_engine *engine) {
    return cosm_singleton_of(engine, &ForageRules_type);
}

static inline const ForageRules *ForageRules_read(cosm_world world) {
    return COSM_SINGLETON_READ(world, ForageRules);
}

static inline ForageRules *ForageRules_write(cosm_world world) {
    return COSM_SINGLETON_WRITE(world, ForageRules);
}

enum {
    ForageRules_field_agents = 0,
    ForageRules_field_food = 1,
    ForageRules_field_births = 2,
};

// What is on each cell of a world. The border is wall.
extern cosm_singleton_type ForageGround_type;

static inline cosm_singleton ForageGround_singleton(const cosm_engine *engine) {
    return cosm_singleton_of(engine, &ForageGround_type);
}

static inline const ForageGround *ForageGround_read(cosm_world world) {
    return COSM_SINGLETON_READ(world, ForageGround);
}

static inline ForageGround *ForageGround_write(cosm_world world) {
    return COSM_SINGLETON_WRITE(world, ForageGround);
}

enum {
    ForageGround_field_cells = 0,
};

// How the episode has gone so far.
extern cosm_singleton_type ForageTally_type;

static inline cosm_singleton ForageTally_singleton(const cosm_engine *engine) {
    return cosm_singleton_of(engine, &ForageTally_type);
}

static inline const ForageTally *ForageTally_read(cosm_world world) {
    return COSM_SINGLETON_READ(world, ForageTally);
}

static inline ForageTally *ForageTally_write(cosm_world world) {
    return COSM_SINGLETON_WRITE(world, ForageTally);
}

enum {
    ForageTally_field_food_max = 0,
    ForageTally_field_food = 1,
    ForageTally_field_sown = 2,
    ForageTally_field_eaten = 3,
    ForageTally_field_born = 4,
    ForageTally_field_starved = 5,
};

COSM_END_C

#endif
