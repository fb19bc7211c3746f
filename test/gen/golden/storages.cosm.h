// The components of storages.h, typed: made by cosm-gen, not to be edited.
// clang-format off
#ifndef COSM_GEN_STORAGES_H
#define COSM_GEN_STORAGES_H

#include "storages.h"

#include <cosm/batch.h>
#include <cosm/component.h>
#include <cosm/entity.h>
#include <cosm/managed.h>
#include <cosm/query.h>
#include <cosm/sector.h>
#include <cosm/shared.h>
#include <cosm/singleton.h>
#include <cosm/typed.h>

#if COSM_GEN_FORMAT != 3
#error "made by the cosm-gen of another version of Cosm; run cosm-gen again"
#endif

COSM_BEGIN_C

// Registers all of them with an engine, in the order of storages.h.
COSM_MUST_USE cosm_result storages_register_all(cosm_engine *engine);

// Its changes are kept row by row.
extern cosm_component_type Health_type;

static inline cosm_component Health_component(const cosm_engine *engine) {
    return cosm_component_of(engine, &Health_type);
}

static inline bool Health_has(cosm_world world, cosm_entity entity) {
    return cosm_entity_has(world, entity, Health_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result Health_add(cosm_world world, cosm_entity entity) {
    return cosm_entity_add(world, entity, Health_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result Health_remove(cosm_world world, cosm_entity entity) {
    return cosm_entity_remove(world, entity, Health_component(cosm_batch_engine(world.batch)));
}

static inline bool Health_get(cosm_world world, cosm_entity entity, Health *out_value) {
    return cosm_entity_get(world, entity, Health_component(cosm_batch_engine(world.batch)),
                           out_value);
}

static inline COSM_MUST_USE cosm_result Health_set(cosm_world world, cosm_entity entity,
    const Health *value) {
    return cosm_entity_set(world, entity, Health_component(cosm_batch_engine(world.batch)), value);
}

static inline const Health *Health_read(cosm_world world, cosm_entity entity) {
    return COSM_READ(world, entity, Health);
}

static inline Health *Health_write(cosm_world world, cosm_entity entity) {
    return COSM_WRITE(world, entity, Health);
}

static inline const Health *Health_column_read(const cosm_rows *rows, uint32_t term) {
    return COSM_COLUMN_READ(rows, Health, term);
}

static inline Health *Health_column_write(const cosm_rows *rows, uint32_t term) {
    return COSM_COLUMN_WRITE(rows, Health, term);
}

static inline Health *Health_column_of(const cosm_rows *rows) {
    return COSM_WRITE(rows, Health);
}

enum {
    Health_field_points = 0,
};

typedef struct Health_columns {
    float *points;
} Health_columns;

typedef struct Health_const_columns {
    const float *points;
} Health_const_columns;

static inline Health_const_columns Health_columns_read(const cosm_rows *rows, uint32_t term) {
    Health_const_columns columns;
    columns.points = COSM_FIELD_READ(rows, float, term, Health_field_points);
    return columns;
}

static inline Health_columns Health_columns_write(const cosm_rows *rows, uint32_t term) {
    Health_columns columns;
    columns.points = COSM_FIELD_WRITE(rows, float, term, Health_field_points);
    return columns;
}

static inline Health_columns Health_columns_of(const cosm_rows *rows) {
    const cosm_component component = Health_component(cosm_rows_engine(rows));
    Health_columns columns;
    columns.points = COSM_FIELD_OF(rows, float, component, Health_field_points);
    return columns;
}

extern cosm_component_type Team_type;

static inline cosm_component Team_component(const cosm_engine *engine) {
    return cosm_component_of(engine, &Team_type);
}

static inline bool Team_has(cosm_world world, cosm_entity entity) {
    return cosm_entity_has(world, entity, Team_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result Team_add(cosm_world world, cosm_entity entity) {
    return cosm_entity_add(world, entity, Team_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result Team_remove(cosm_world world, cosm_entity entity) {
    return cosm_entity_remove(world, entity, Team_component(cosm_batch_engine(world.batch)));
}

static inline bool Team_get(cosm_world world, cosm_entity entity, Team *out_value) {
    return cosm_entity_get(world, entity, Team_component(cosm_batch_engine(world.batch)),
                           out_value);
}

static inline COSM_MUST_USE cosm_result Team_set(cosm_world world, cosm_entity entity,
    const Team *value) {
    return cosm_entity_set(world, entity, Team_component(cosm_batch_engine(world.batch)), value);
}

static inline const Team *Team_read(cosm_world world, cosm_entity entity) {
    return COSM_READ(world, entity, Team);
}

static inline const Team *Team_shared_read(const cosm_rows *rows, uint32_t term) {
    return COSM_SHARED_READ(rows, Team, term);
}

enum {
    Team_field_number = 0,
};

// Equal where the names are.
extern cosm_component_type Material_type;

static inline cosm_component Material_component(const cosm_engine *engine) {
    return cosm_component_of(engine, &Material_type);
}

static inline bool Material_has(cosm_world world, cosm_entity entity) {
    return cosm_entity_has(world, entity, Material_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result Material_add(cosm_world world, cosm_entity entity) {
    return cosm_entity_add(world, entity, Material_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result Material_remove(cosm_world world, cosm_entity entity) {
    return cosm_entity_remove(world, entity, Material_component(cosm_batch_engine(world.batch)));
}

static inline bool Material_get(cosm_world world, cosm_entity entity, Material *out_value) {
    return cosm_entity_get(world, entity, Material_component(cosm_batch_engine(world.batch)),
                           out_value);
}

static inline COSM_MUST_USE cosm_result Material_set(cosm_world world, cosm_entity entity,
    const Material *value) {
    return cosm_entity_set(world, entity, Material_component(cosm_batch_engine(world.batch)), value);
}

static inline const Material *Material_read(cosm_world world, cosm_entity entity) {
    return COSM_READ(world, entity, Material);
}

static inline const Material *Material_shared_read(const cosm_rows *rows, uint32_t term) {
    return COSM_SHARED_READ(rows, Material, term);
}

enum {
    Material_field_name = 0,
    Material_field_shine = 1,
};

// A text of its own.
extern cosm_component_type Label_type;

static inline cosm_component Label_component(const cosm_engine *engine) {
    return cosm_component_of(engine, &Label_type);
}

static inline bool Label_has(cosm_world world, cosm_entity entity) {
    return cosm_entity_has(world, entity, Label_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result Label_add(cosm_world world, cosm_entity entity) {
    return cosm_entity_add(world, entity, Label_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result Label_remove(cosm_world world, cosm_entity entity) {
    return cosm_entity_remove(world, entity, Label_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result Label_set(cosm_world world, cosm_entity entity,
    const Label *value) {
    return cosm_entity_set(world, entity, Label_component(cosm_batch_engine(world.batch)), value);
}

static inline const Label *Label_read(cosm_world world, cosm_entity entity) {
    return COSM_READ(world, entity, Label);
}

static inline Label *Label_write(cosm_world world, cosm_entity entity) {
    return COSM_WRITE(world, entity, Label);
}

static inline const Label *Label_row_read(const cosm_rows *rows, uint32_t i) {
    return (const Label *)cosm_managed_row_read(rows, i, Label_component(cosm_rows_engine(rows)));
}

static inline Label *Label_row_write(const cosm_rows *rows, uint32_t i) {
    return (Label *)cosm_managed_row_write(rows, i, Label_component(cosm_rows_engine(rows)));
}

enum {
    Label_field_length = 0,
};

// Nothing but a pointer: there is nothing to describe.
extern cosm_component_type Mesh_type;

static inline cosm_component Mesh_component(const cosm_engine *engine) {
    return cosm_component_of(engine, &Mesh_type);
}

static inline bool Mesh_has(cosm_world world, cosm_entity entity) {
    return cosm_entity_has(world, entity, Mesh_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result Mesh_add(cosm_world world, cosm_entity entity) {
    return cosm_entity_add(world, entity, Mesh_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result Mesh_remove(cosm_world world, cosm_entity entity) {
    return cosm_entity_remove(world, entity, Mesh_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result Mesh_set(cosm_world world, cosm_entity entity,
    const Mesh *value) {
    return cosm_entity_set(world, entity, Mesh_component(cosm_batch_engine(world.batch)), value);
}

static inline const Mesh *Mesh_read(cosm_world world, cosm_entity entity) {
    return COSM_READ(world, entity, Mesh);
}

static inline Mesh *Mesh_write(cosm_world world, cosm_entity entity) {
    return COSM_WRITE(world, entity, Mesh);
}

static inline const Mesh *Mesh_row_read(const cosm_rows *rows, uint32_t i) {
    return (const Mesh *)cosm_managed_row_read(rows, i, Mesh_component(cosm_rows_engine(rows)));
}

static inline Mesh *Mesh_row_write(const cosm_rows *rows, uint32_t i) {
    return (Mesh *)cosm_managed_row_write(rows, i, Mesh_component(cosm_rows_engine(rows)));
}

extern cosm_component_type Heat_type;

static inline cosm_component Heat_component(const cosm_engine *engine) {
    return cosm_component_of(engine, &Heat_type);
}

static inline bool Heat_has(cosm_world world, cosm_entity entity) {
    return cosm_entity_has(world, entity, Heat_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result Heat_add(cosm_world world, cosm_entity entity) {
    return cosm_entity_add(world, entity, Heat_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result Heat_remove(cosm_world world, cosm_entity entity) {
    return cosm_entity_remove(world, entity, Heat_component(cosm_batch_engine(world.batch)));
}

static inline bool Heat_get(cosm_world world, cosm_entity entity, Heat *out_value) {
    return cosm_entity_get(world, entity, Heat_component(cosm_batch_engine(world.batch)),
                           out_value);
}

static inline COSM_MUST_USE cosm_result Heat_set(cosm_world world, cosm_entity entity,
    const Heat *value) {
    return cosm_entity_set(world, entity, Heat_component(cosm_batch_engine(world.batch)), value);
}

static inline const Heat *Heat_read(cosm_world world, cosm_entity entity) {
    return COSM_READ(world, entity, Heat);
}

static inline Heat *Heat_write(cosm_world world, cosm_entity entity) {
    return COSM_WRITE(world, entity, Heat);
}

static inline const Heat *Heat_sector_read(const cosm_rows *rows, uint32_t term, uint32_t i) {
    return COSM_SECTOR_READ(rows, Heat, term, i);
}

static inline Heat *Heat_sector_write(const cosm_rows *rows, uint32_t term, uint32_t i) {
    return COSM_SECTOR_WRITE(rows, Heat, term, i);
}

enum {
    Heat_field_degrees = 0,
};

extern cosm_component_type Wound_type;

static inline cosm_component Wound_component(const cosm_engine *engine) {
    return cosm_component_of(engine, &Wound_type);
}

static inline bool Wound_has(cosm_world world, cosm_entity entity) {
    return cosm_entity_has(world, entity, Wound_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result Wound_add(cosm_world world, cosm_entity entity) {
    return cosm_entity_add(world, entity, Wound_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result Wound_remove(cosm_world world, cosm_entity entity) {
    return cosm_entity_remove(world, entity, Wound_component(cosm_batch_engine(world.batch)));
}

static inline bool Wound_get(cosm_world world, cosm_entity entity, Wound *out_value) {
    return cosm_entity_get(world, entity, Wound_component(cosm_batch_engine(world.batch)),
                           out_value);
}

static inline COSM_MUST_USE cosm_result Wound_set(cosm_world world, cosm_entity entity,
    const Wound *value) {
    return cosm_entity_set(world, entity, Wound_component(cosm_batch_engine(world.batch)), value);
}

static inline const Wound *Wound_read(cosm_world world, cosm_entity entity) {
    return COSM_READ(world, entity, Wound);
}

static inline Wound *Wound_write(cosm_world world, cosm_entity entity) {
    return COSM_WRITE(world, entity, Wound);
}

static inline const Wound *Wound_sector_read(const cosm_rows *rows, uint32_t term, uint32_t i) {
    return COSM_SECTOR_READ(rows, Wound, term, i);
}

static inline Wound *Wound_sector_write(const cosm_rows *rows, uint32_t term, uint32_t i) {
    return COSM_SECTOR_WRITE(rows, Wound, term, i);
}

enum {
    Wound_field_depth = 0,
};

// Comes with heat.
extern cosm_component_type Smoke_type;

static inline cosm_component Smoke_component(const cosm_engine *engine) {
    return cosm_component_of(engine, &Smoke_type);
}

static inline bool Smoke_has(cosm_world world, cosm_entity entity) {
    return cosm_entity_has(world, entity, Smoke_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result Smoke_add(cosm_world world, cosm_entity entity) {
    return cosm_entity_add(world, entity, Smoke_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result Smoke_remove(cosm_world world, cosm_entity entity) {
    return cosm_entity_remove(world, entity, Smoke_component(cosm_batch_engine(world.batch)));
}

static inline bool Smoke_get(cosm_world world, cosm_entity entity, Smoke *out_value) {
    return cosm_entity_get(world, entity, Smoke_component(cosm_batch_engine(world.batch)),
                           out_value);
}

static inline COSM_MUST_USE cosm_result Smoke_set(cosm_world world, cosm_entity entity,
    const Smoke *value) {
    return cosm_entity_set(world, entity, Smoke_component(cosm_batch_engine(world.batch)), value);
}

static inline const Smoke *Smoke_read(cosm_world world, cosm_entity entity) {
    return COSM_READ(world, entity, Smoke);
}

static inline Smoke *Smoke_write(cosm_world world, cosm_entity entity) {
    return COSM_WRITE(world, entity, Smoke);
}

static inline const Smoke *Smoke_sector_read(const cosm_rows *rows, uint32_t term, uint32_t i) {
    return COSM_SECTOR_READ(rows, Smoke, term, i);
}

static inline Smoke *Smoke_sector_write(const cosm_rows *rows, uint32_t term, uint32_t i) {
    return COSM_SECTOR_WRITE(rows, Smoke, term, i);
}

enum {
    Smoke_field_density = 0,
    Smoke_field_color = 1,
};

COSM_END_C

#endif
