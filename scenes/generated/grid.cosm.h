// The components of grid.h, typed: made by cosm-gen, not to be edited.
// clang-format off
#ifndef COSM_GEN_GRID_H
#define COSM_GEN_GRID_H

#include "grid.h"

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

// Registers all of them with an engine, in the order of grid.h.
COSM_MUST_USE cosm_result grid_register_all(cosm_engine *engine);

extern cosm_component_type Cell_type;

static inline cosm_component Cell_component(const cosm_engine *engine) {
    return cosm_component_of(engine, &Cell_type);
}

static inline bool Cell_has(cosm_world world, cosm_entity entity) {
    return cosm_entity_has(world, entity, Cell_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result Cell_add(cosm_world world, cosm_entity entity) {
    return cosm_entity_add(world, entity, Cell_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result Cell_remove(cosm_world world, cosm_entity entity) {
    return cosm_entity_remove(world, entity, Cell_component(cosm_batch_engine(world.batch)));
}

static inline bool Cell_get(cosm_world world, cosm_entity entity, Cell *out_value) {
    return cosm_entity_get(world, entity, Cell_component(cosm_batch_engine(world.batch)),
                           out_value);
}

static inline COSM_MUST_USE cosm_result Cell_set(cosm_world world, cosm_entity entity,
    const Cell *value) {
    return cosm_entity_set(world, entity, Cell_component(cosm_batch_engine(world.batch)), value);
}

static inline const Cell *Cell_read(cosm_world world, cosm_entity entity) {
    return COSM_READ(world, entity, Cell);
}

static inline Cell *Cell_write(cosm_world world, cosm_entity entity) {
    return COSM_WRITE(world, entity, Cell);
}

static inline const Cell *Cell_column_read(const cosm_rows *rows, uint32_t term) {
    return COSM_COLUMN_READ(rows, Cell, term);
}

static inline Cell *Cell_column_write(const cosm_rows *rows, uint32_t term) {
    return COSM_COLUMN_WRITE(rows, Cell, term);
}

static inline Cell *Cell_column_of(const cosm_rows *rows) {
    return COSM_WRITE(rows, Cell);
}

enum {
    Cell_field_index = 0,
};

typedef struct Cell_columns {
    uint32_t *index;
} Cell_columns;

typedef struct Cell_const_columns {
    const uint32_t *index;
} Cell_const_columns;

static inline Cell_const_columns Cell_columns_read(const cosm_rows *rows, uint32_t term) {
    Cell_const_columns columns;
    columns.index = COSM_FIELD_READ(rows, uint32_t, term, Cell_field_index);
    return columns;
}

static inline Cell_columns Cell_columns_write(const cosm_rows *rows, uint32_t term) {
    Cell_columns columns;
    columns.index = COSM_FIELD_WRITE(rows, uint32_t, term, Cell_field_index);
    return columns;
}

static inline Cell_columns Cell_columns_of(const cosm_rows *rows) {
    const cosm_component component = Cell_component(cosm_rows_engine(rows));
    Cell_columns columns;
    columns.index = COSM_FIELD_OF(rows, uint32_t, component, Cell_field_index);
    return columns;
}

extern cosm_component_type Energy_type;

static inline cosm_component Energy_component(const cosm_engine *engine) {
    return cosm_component_of(engine, &Energy_type);
}

static inline bool Energy_has(cosm_world world, cosm_entity entity) {
    return cosm_entity_has(world, entity, Energy_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result Energy_add(cosm_world world, cosm_entity entity) {
    return cosm_entity_add(world, entity, Energy_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result Energy_remove(cosm_world world, cosm_entity entity) {
    return cosm_entity_remove(world, entity, Energy_component(cosm_batch_engine(world.batch)));
}

static inline bool Energy_get(cosm_world world, cosm_entity entity, Energy *out_value) {
    return cosm_entity_get(world, entity, Energy_component(cosm_batch_engine(world.batch)),
                           out_value);
}

static inline COSM_MUST_USE cosm_result Energy_set(cosm_world world, cosm_entity entity,
    const Energy *value) {
    return cosm_entity_set(world, entity, Energy_component(cosm_batch_engine(world.batch)), value);
}

static inline const Energy *Energy_read(cosm_world world, cosm_entity entity) {
    return COSM_READ(world, entity, Energy);
}

static inline Energy *Energy_write(cosm_world world, cosm_entity entity) {
    return COSM_WRITE(world, entity, Energy);
}

static inline const Energy *Energy_column_read(const cosm_rows *rows, uint32_t term) {
    return COSM_COLUMN_READ(rows, Energy, term);
}

static inline Energy *Energy_column_write(const cosm_rows *rows, uint32_t term) {
    return COSM_COLUMN_WRITE(rows, Energy, term);
}

static inline Energy *Energy_column_of(const cosm_rows *rows) {
    return COSM_WRITE(rows, Energy);
}

enum {
    Energy_field_left = 0,
};

typedef struct Energy_columns {
    int32_t *left;
} Energy_columns;

typedef struct Energy_const_columns {
    const int32_t *left;
} Energy_const_columns;

static inline Energy_const_columns Energy_columns_read(const cosm_rows *rows, uint32_t term) {
    Energy_const_columns columns;
    columns.left = COSM_FIELD_READ(rows, int32_t, term, Energy_field_left);
    return columns;
}

static inline Energy_columns Energy_columns_write(const cosm_rows *rows, uint32_t term) {
    Energy_columns columns;
    columns.left = COSM_FIELD_WRITE(rows, int32_t, term, Energy_field_left);
    return columns;
}

static inline Energy_columns Energy_columns_of(const cosm_rows *rows) {
    const cosm_component component = Energy_component(cosm_rows_engine(rows));
    Energy_columns columns;
    columns.left = COSM_FIELD_OF(rows, int32_t, component, Energy_field_left);
    return columns;
}

extern cosm_component_type Heading_type;

static inline cosm_component Heading_component(const cosm_engine *engine) {
    return cosm_component_of(engine, &Heading_type);
}

static inline bool Heading_has(cosm_world world, cosm_entity entity) {
    return cosm_entity_has(world, entity, Heading_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result Heading_add(cosm_world world, cosm_entity entity) {
    return cosm_entity_add(world, entity, Heading_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result Heading_remove(cosm_world world, cosm_entity entity) {
    return cosm_entity_remove(world, entity, Heading_component(cosm_batch_engine(world.batch)));
}

static inline bool Heading_get(cosm_world world, cosm_entity entity, Heading *out_value) {
    return cosm_entity_get(world, entity, Heading_component(cosm_batch_engine(world.batch)),
                           out_value);
}

static inline COSM_MUST_USE cosm_result Heading_set(cosm_world world, cosm_entity entity,
    const Heading *value) {
    return cosm_entity_set(world, entity, Heading_component(cosm_batch_engine(world.batch)), value);
}

static inline const Heading *Heading_read(cosm_world world, cosm_entity entity) {
    return COSM_READ(world, entity, Heading);
}

static inline Heading *Heading_write(cosm_world world, cosm_entity entity) {
    return COSM_WRITE(world, entity, Heading);
}

static inline const Heading *Heading_column_read(const cosm_rows *rows, uint32_t term) {
    return COSM_COLUMN_READ(rows, Heading, term);
}

static inline Heading *Heading_column_write(const cosm_rows *rows, uint32_t term) {
    return COSM_COLUMN_WRITE(rows, Heading, term);
}

static inline Heading *Heading_column_of(const cosm_rows *rows) {
    return COSM_WRITE(rows, Heading);
}

enum {
    Heading_field_way = 0,
};

typedef struct Heading_columns {
    uint32_t *way;
} Heading_columns;

typedef struct Heading_const_columns {
    const uint32_t *way;
} Heading_const_columns;

static inline Heading_const_columns Heading_columns_read(const cosm_rows *rows, uint32_t term) {
    Heading_const_columns columns;
    columns.way = COSM_FIELD_READ(rows, uint32_t, term, Heading_field_way);
    return columns;
}

static inline Heading_columns Heading_columns_write(const cosm_rows *rows, uint32_t term) {
    Heading_columns columns;
    columns.way = COSM_FIELD_WRITE(rows, uint32_t, term, Heading_field_way);
    return columns;
}

static inline Heading_columns Heading_columns_of(const cosm_rows *rows) {
    const cosm_component component = Heading_component(cosm_rows_engine(rows));
    Heading_columns columns;
    columns.way = COSM_FIELD_OF(rows, uint32_t, component, Heading_field_way);
    return columns;
}

extern cosm_component_type Season_type;

static inline cosm_component Season_component(const cosm_engine *engine) {
    return cosm_component_of(engine, &Season_type);
}

static inline bool Season_has(cosm_world world, cosm_entity entity) {
    return cosm_entity_has(world, entity, Season_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result Season_add(cosm_world world, cosm_entity entity) {
    return cosm_entity_add(world, entity, Season_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result Season_remove(cosm_world world, cosm_entity entity) {
    return cosm_entity_remove(world, entity, Season_component(cosm_batch_engine(world.batch)));
}

static inline bool Season_get(cosm_world world, cosm_entity entity, Season *out_value) {
    return cosm_entity_get(world, entity, Season_component(cosm_batch_engine(world.batch)),
                           out_value);
}

static inline COSM_MUST_USE cosm_result Season_set(cosm_world world, cosm_entity entity,
    const Season *value) {
    return cosm_entity_set(world, entity, Season_component(cosm_batch_engine(world.batch)), value);
}

static inline const Season *Season_read(cosm_world world, cosm_entity entity) {
    return COSM_READ(world, entity, Season);
}

static inline Season *Season_write(cosm_world world, cosm_entity entity) {
    return COSM_WRITE(world, entity, Season);
}

static inline const Season *Season_column_read(const cosm_rows *rows, uint32_t term) {
    return COSM_COLUMN_READ(rows, Season, term);
}

static inline Season *Season_column_write(const cosm_rows *rows, uint32_t term) {
    return COSM_COLUMN_WRITE(rows, Season, term);
}

static inline Season *Season_column_of(const cosm_rows *rows) {
    return COSM_WRITE(rows, Season);
}

enum {
    Season_field_day = 0,
    Season_field_count = 1,
};

typedef struct Season_columns {
    uint32_t *day;
    uint32_t *count;
} Season_columns;

typedef struct Season_const_columns {
    const uint32_t *day;
    const uint32_t *count;
} Season_const_columns;

static inline Season_const_columns Season_columns_read(const cosm_rows *rows, uint32_t term) {
    Season_const_columns columns;
    columns.day = COSM_FIELD_READ(rows, uint32_t, term, Season_field_day);
    columns.count = COSM_FIELD_READ(rows, uint32_t, term, Season_field_count);
    return columns;
}

static inline Season_columns Season_columns_write(const cosm_rows *rows, uint32_t term) {
    Season_columns columns;
    columns.day = COSM_FIELD_WRITE(rows, uint32_t, term, Season_field_day);
    columns.count = COSM_FIELD_WRITE(rows, uint32_t, term, Season_field_count);
    return columns;
}

static inline Season_columns Season_columns_of(const cosm_rows *rows) {
    const cosm_component component = Season_component(cosm_rows_engine(rows));
    Season_columns columns;
    columns.day = COSM_FIELD_OF(rows, uint32_t, component, Season_field_day);
    columns.count = COSM_FIELD_OF(rows, uint32_t, component, Season_field_count);
    return columns;
}

// An agent has eaten: lasts until the end of the step.
extern cosm_component_type Bite_type;

static inline cosm_component Bite_component(const cosm_engine *engine) {
    return cosm_component_of(engine, &Bite_type);
}

static inline bool Bite_has(cosm_world world, cosm_entity entity) {
    return cosm_entity_has(world, entity, Bite_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result Bite_add(cosm_world world, cosm_entity entity) {
    return cosm_entity_add(world, entity, Bite_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result Bite_remove(cosm_world world, cosm_entity entity) {
    return cosm_entity_remove(world, entity, Bite_component(cosm_batch_engine(world.batch)));
}

static inline bool Bite_get(cosm_world world, cosm_entity entity, Bite *out_value) {
    return cosm_entity_get(world, entity, Bite_component(cosm_batch_engine(world.batch)),
                           out_value);
}

static inline COSM_MUST_USE cosm_result Bite_set(cosm_world world, cosm_entity entity,
    const Bite *value) {
    return cosm_entity_set(world, entity, Bite_component(cosm_batch_engine(world.batch)), value);
}

static inline const Bite *Bite_read(cosm_world world, cosm_entity entity) {
    return COSM_READ(world, entity, Bite);
}

static inline Bite *Bite_write(cosm_world world, cosm_entity entity) {
    return COSM_WRITE(world, entity, Bite);
}

static inline const Bite *Bite_column_read(const cosm_rows *rows, uint32_t term) {
    return COSM_COLUMN_READ(rows, Bite, term);
}

static inline Bite *Bite_column_write(const cosm_rows *rows, uint32_t term) {
    return COSM_COLUMN_WRITE(rows, Bite, term);
}

static inline Bite *Bite_column_of(const cosm_rows *rows) {
    return COSM_WRITE(rows, Bite);
}

enum {
    Bite_field_eater = 0,
    Bite_field_energy = 1,
};

typedef struct Bite_columns {
    cosm_entity *eater;
    int32_t *energy;
} Bite_columns;

typedef struct Bite_const_columns {
    const cosm_entity *eater;
    const int32_t *energy;
} Bite_const_columns;

static inline Bite_const_columns Bite_columns_read(const cosm_rows *rows, uint32_t term) {
    Bite_const_columns columns;
    columns.eater = COSM_FIELD_READ(rows, cosm_entity, term, Bite_field_eater);
    columns.energy = COSM_FIELD_READ(rows, int32_t, term, Bite_field_energy);
    return columns;
}

static inline Bite_columns Bite_columns_write(const cosm_rows *rows, uint32_t term) {
    Bite_columns columns;
    columns.eater = COSM_FIELD_WRITE(rows, cosm_entity, term, Bite_field_eater);
    columns.energy = COSM_FIELD_WRITE(rows, int32_t, term, Bite_field_energy);
    return columns;
}

static inline Bite_columns Bite_columns_of(const cosm_rows *rows) {
    const cosm_component component = Bite_component(cosm_rows_engine(rows));
    Bite_columns columns;
    columns.eater = COSM_FIELD_OF(rows, cosm_entity, component, Bite_field_eater);
    columns.energy = COSM_FIELD_OF(rows, int32_t, component, Bite_field_energy);
    return columns;
}

// Food.
extern cosm_component_type Edible_type;

static inline cosm_component Edible_component(const cosm_engine *engine) {
    return cosm_component_of(engine, &Edible_type);
}

static inline bool Edible_has(cosm_world world, cosm_entity entity) {
    return cosm_entity_has(world, entity, Edible_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result Edible_add(cosm_world world, cosm_entity entity) {
    return cosm_entity_add(world, entity, Edible_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result Edible_remove(cosm_world world, cosm_entity entity) {
    return cosm_entity_remove(world, entity, Edible_component(cosm_batch_engine(world.batch)));
}

// What is on each cell of a world. The border is wall, so that nothing looks past it.
extern cosm_singleton_type Ground_type;

static inline cosm_singleton Ground_singleton(const cosm_engine *engine) {
    return cosm_singleton_of(engine, &Ground_type);
}

static inline const Ground *Ground_read(cosm_world world) {
    return COSM_SINGLETON_READ(world, Ground);
}

static inline Ground *Ground_write(cosm_world world) {
    return COSM_SINGLETON_WRITE(world, Ground);
}

enum {
    Ground_field_cells = 0,
};

// How a world has fared so far.
extern cosm_singleton_type Tally_type;

static inline cosm_singleton Tally_singleton(const cosm_engine *engine) {
    return cosm_singleton_of(engine, &Tally_type);
}

static inline const Tally *Tally_read(cosm_world world) {
    return COSM_SINGLETON_READ(world, Tally);
}

static inline Tally *Tally_write(cosm_world world) {
    return COSM_SINGLETON_WRITE(world, Tally);
}

enum {
    Tally_field_agents = 0,
    Tally_field_food = 1,
    Tally_field_eaten = 2,
    Tally_field_born = 3,
    Tally_field_starved = 4,
};

COSM_END_C

#endif
