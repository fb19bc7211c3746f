// The components of every.h, typed: made by cosm-gen, not to be edited.
// clang-format off
#ifndef COSM_GEN_EVERY_H
#define COSM_GEN_EVERY_H

#include "every.h"

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

// Registers all of them with an engine, in the order of every.h.
COSM_MUST_USE cosm_result every_register_all(cosm_engine *engine);

// A thing with everything that a component can have, laid out field by field.
// Its docs have two paragraphs.
extern cosm_component_type Thing_type;

static inline cosm_component Thing_component(const cosm_engine *engine) {
    return cosm_component_of(engine, &Thing_type);
}

static inline bool Thing_has(cosm_world world, cosm_entity entity) {
    return cosm_entity_has(world, entity, Thing_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result Thing_add(cosm_world world, cosm_entity entity) {
    return cosm_entity_add(world, entity, Thing_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result Thing_remove(cosm_world world, cosm_entity entity) {
    return cosm_entity_remove(world, entity, Thing_component(cosm_batch_engine(world.batch)));
}

static inline bool Thing_get(cosm_world world, cosm_entity entity, Thing *out_value) {
    return cosm_entity_get(world, entity, Thing_component(cosm_batch_engine(world.batch)),
                           out_value);
}

static inline COSM_MUST_USE cosm_result Thing_set(cosm_world world, cosm_entity entity,
    const Thing *value) {
    return cosm_entity_set(world, entity, Thing_component(cosm_batch_engine(world.batch)), value);
}

enum {
    Thing_field_mass = 0,
    Thing_field_precise = 1,
    Thing_field_i8 = 2,
    Thing_field_i16 = 3,
    Thing_field_i32 = 4,
    Thing_field_more = 5,
    Thing_field_i64 = 6,
    Thing_field_u8 = 7,
    Thing_field_u16 = 8,
    Thing_field_u32 = 9,
    Thing_field_u64 = 10,
    Thing_field_ull = 11,
    Thing_field_size = 12,
    Thing_field_on = 13,
    Thing_field_target = 14,
    Thing_field_friends = 15,
    Thing_field_color = 16,
    Thing_field_flags = 17,
    Thing_field_mask = 18,
    Thing_field_name = 19,
    Thing_field_lines = 20,
    Thing_field_mood = 21,
    Thing_field_grid = 22,
    Thing_field_velocity_x = 23,
    Thing_field_velocity_y = 24,
    Thing_field_items_0_count = 25,
    Thing_field_items_0_flags = 26,
    Thing_field_items_1_count = 27,
    Thing_field_items_1_flags = 28,
    Thing_field_path_0_x = 29,
    Thing_field_path_0_y = 30,
    Thing_field_path_1_x = 31,
    Thing_field_path_1_y = 32,
};

typedef struct Thing_mood_row {
    uint8_t value;
    char padding[1];
} Thing_mood_row;

typedef struct Thing_columns {
    float *mass;
    double *precise;
    int8_t *i8;
    int16_t *i16;
    int *i32;
    int *more;
    int64_t *i64;
    uint8_t *u8;
    uint16_t *u16;
    uint32_t *u32;
    uint64_t *u64;
    unsigned long long *ull;
    size_t *size;
    bool *on;
    cosm_entity *target;
    cosm_entity *friends;
    Color *color;
    enum Flags *flags;
    uint16_t *mask;
    char *name;
    char *lines;
    Thing_mood_row *mood;
    float *grid;
    float *velocity_x;
    float *velocity_y;
    uint8_t *items_0_count;
    enum Flags *items_0_flags;
    uint8_t *items_1_count;
    enum Flags *items_1_flags;
    float *path_0_x;
    float *path_0_y;
    float *path_1_x;
    float *path_1_y;
} Thing_columns;

typedef struct Thing_const_columns {
    const float *mass;
    const double *precise;
    const int8_t *i8;
    const int16_t *i16;
    const int *i32;
    const int *more;
    const int64_t *i64;
    const uint8_t *u8;
    const uint16_t *u16;
    const uint32_t *u32;
    const uint64_t *u64;
    const unsigned long long *ull;
    const size_t *size;
    const bool *on;
    const cosm_entity *target;
    const cosm_entity *friends;
    const Color *color;
    const enum Flags *flags;
    const uint16_t *mask;
    const char *name;
    const char *lines;
    const Thing_mood_row *mood;
    const float *grid;
    const float *velocity_x;
    const float *velocity_y;
    const uint8_t *items_0_count;
    const enum Flags *items_0_flags;
    const uint8_t *items_1_count;
    const enum Flags *items_1_flags;
    const float *path_0_x;
    const float *path_0_y;
    const float *path_1_x;
    const float *path_1_y;
} Thing_const_columns;

static inline Thing_const_columns Thing_columns_read(const cosm_rows *rows, uint32_t term) {
    Thing_const_columns columns;
    columns.mass = COSM_FIELD_READ(rows, float, term, Thing_field_mass);
    columns.precise = COSM_FIELD_READ(rows, double, term, Thing_field_precise);
    columns.i8 = COSM_FIELD_READ(rows, int8_t, term, Thing_field_i8);
    columns.i16 = COSM_FIELD_READ(rows, int16_t, term, Thing_field_i16);
    columns.i32 = COSM_FIELD_READ(rows, int, term, Thing_field_i32);
    columns.more = COSM_FIELD_READ(rows, int, term, Thing_field_more);
    columns.i64 = COSM_FIELD_READ(rows, int64_t, term, Thing_field_i64);
    columns.u8 = COSM_FIELD_READ(rows, uint8_t, term, Thing_field_u8);
    columns.u16 = COSM_FIELD_READ(rows, uint16_t, term, Thing_field_u16);
    columns.u32 = COSM_FIELD_READ(rows, uint32_t, term, Thing_field_u32);
    columns.u64 = COSM_FIELD_READ(rows, uint64_t, term, Thing_field_u64);
    columns.ull = COSM_FIELD_READ(rows, unsigned long long, term, Thing_field_ull);
    columns.size = COSM_FIELD_READ(rows, size_t, term, Thing_field_size);
    columns.on = COSM_FIELD_READ(rows, bool, term, Thing_field_on);
    columns.target = COSM_FIELD_READ(rows, cosm_entity, term, Thing_field_target);
    columns.friends = COSM_FIELD_READ(rows, cosm_entity, term, Thing_field_friends);
    columns.color = COSM_FIELD_READ(rows, Color, term, Thing_field_color);
    columns.flags = COSM_FIELD_READ(rows, enum Flags, term, Thing_field_flags);
    columns.mask = COSM_FIELD_READ(rows, uint16_t, term, Thing_field_mask);
    columns.name = COSM_FIELD_READ(rows, char, term, Thing_field_name);
    columns.lines = COSM_FIELD_READ(rows, char, term, Thing_field_lines);
    columns.mood = COSM_FIELD_READ(rows, Thing_mood_row, term, Thing_field_mood);
    columns.grid = COSM_FIELD_READ(rows, float, term, Thing_field_grid);
    columns.velocity_x = COSM_FIELD_READ(rows, float, term, Thing_field_velocity_x);
    columns.velocity_y = COSM_FIELD_READ(rows, float, term, Thing_field_velocity_y);
    columns.items_0_count = COSM_FIELD_READ(rows, uint8_t, term, Thing_field_items_0_count);
    columns.items_0_flags = COSM_FIELD_READ(rows, enum Flags, term, Thing_field_items_0_flags);
    columns.items_1_count = COSM_FIELD_READ(rows, uint8_t, term, Thing_field_items_1_count);
    columns.items_1_flags = COSM_FIELD_READ(rows, enum Flags, term, Thing_field_items_1_flags);
    columns.path_0_x = COSM_FIELD_READ(rows, float, term, Thing_field_path_0_x);
    columns.path_0_y = COSM_FIELD_READ(rows, float, term, Thing_field_path_0_y);
    columns.path_1_x = COSM_FIELD_READ(rows, float, term, Thing_field_path_1_x);
    columns.path_1_y = COSM_FIELD_READ(rows, float, term, Thing_field_path_1_y);
    return columns;
}

static inline Thing_columns Thing_columns_write(const cosm_rows *rows, uint32_t term) {
    Thing_columns columns;
    columns.mass = COSM_FIELD_WRITE(rows, float, term, Thing_field_mass);
    columns.precise = COSM_FIELD_WRITE(rows, double, term, Thing_field_precise);
    columns.i8 = COSM_FIELD_WRITE(rows, int8_t, term, Thing_field_i8);
    columns.i16 = COSM_FIELD_WRITE(rows, int16_t, term, Thing_field_i16);
    columns.i32 = COSM_FIELD_WRITE(rows, int, term, Thing_field_i32);
    columns.more = COSM_FIELD_WRITE(rows, int, term, Thing_field_more);
    columns.i64 = COSM_FIELD_WRITE(rows, int64_t, term, Thing_field_i64);
    columns.u8 = COSM_FIELD_WRITE(rows, uint8_t, term, Thing_field_u8);
    columns.u16 = COSM_FIELD_WRITE(rows, uint16_t, term, Thing_field_u16);
    columns.u32 = COSM_FIELD_WRITE(rows, uint32_t, term, Thing_field_u32);
    columns.u64 = COSM_FIELD_WRITE(rows, uint64_t, term, Thing_field_u64);
    columns.ull = COSM_FIELD_WRITE(rows, unsigned long long, term, Thing_field_ull);
    columns.size = COSM_FIELD_WRITE(rows, size_t, term, Thing_field_size);
    columns.on = COSM_FIELD_WRITE(rows, bool, term, Thing_field_on);
    columns.target = COSM_FIELD_WRITE(rows, cosm_entity, term, Thing_field_target);
    columns.friends = COSM_FIELD_WRITE(rows, cosm_entity, term, Thing_field_friends);
    columns.color = COSM_FIELD_WRITE(rows, Color, term, Thing_field_color);
    columns.flags = COSM_FIELD_WRITE(rows, enum Flags, term, Thing_field_flags);
    columns.mask = COSM_FIELD_WRITE(rows, uint16_t, term, Thing_field_mask);
    columns.name = COSM_FIELD_WRITE(rows, char, term, Thing_field_name);
    columns.lines = COSM_FIELD_WRITE(rows, char, term, Thing_field_lines);
    columns.mood = COSM_FIELD_WRITE(rows, Thing_mood_row, term, Thing_field_mood);
    columns.grid = COSM_FIELD_WRITE(rows, float, term, Thing_field_grid);
    columns.velocity_x = COSM_FIELD_WRITE(rows, float, term, Thing_field_velocity_x);
    columns.velocity_y = COSM_FIELD_WRITE(rows, float, term, Thing_field_velocity_y);
    columns.items_0_count = COSM_FIELD_WRITE(rows, uint8_t, term, Thing_field_items_0_count);
    columns.items_0_flags = COSM_FIELD_WRITE(rows, enum Flags, term, Thing_field_items_0_flags);
    columns.items_1_count = COSM_FIELD_WRITE(rows, uint8_t, term, Thing_field_items_1_count);
    columns.items_1_flags = COSM_FIELD_WRITE(rows, enum Flags, term, Thing_field_items_1_flags);
    columns.path_0_x = COSM_FIELD_WRITE(rows, float, term, Thing_field_path_0_x);
    columns.path_0_y = COSM_FIELD_WRITE(rows, float, term, Thing_field_path_0_y);
    columns.path_1_x = COSM_FIELD_WRITE(rows, float, term, Thing_field_path_1_x);
    columns.path_1_y = COSM_FIELD_WRITE(rows, float, term, Thing_field_path_1_y);
    return columns;
}

static inline Thing_columns Thing_columns_of(const cosm_rows *rows) {
    const cosm_component component = Thing_component(cosm_rows_engine(rows));
    Thing_columns columns;
    columns.mass = COSM_FIELD_OF(rows, float, component, Thing_field_mass);
    columns.precise = COSM_FIELD_OF(rows, double, component, Thing_field_precise);
    columns.i8 = COSM_FIELD_OF(rows, int8_t, component, Thing_field_i8);
    columns.i16 = COSM_FIELD_OF(rows, int16_t, component, Thing_field_i16);
    columns.i32 = COSM_FIELD_OF(rows, int, component, Thing_field_i32);
    columns.more = COSM_FIELD_OF(rows, int, component, Thing_field_more);
    columns.i64 = COSM_FIELD_OF(rows, int64_t, component, Thing_field_i64);
    columns.u8 = COSM_FIELD_OF(rows, uint8_t, component, Thing_field_u8);
    columns.u16 = COSM_FIELD_OF(rows, uint16_t, component, Thing_field_u16);
    columns.u32 = COSM_FIELD_OF(rows, uint32_t, component, Thing_field_u32);
    columns.u64 = COSM_FIELD_OF(rows, uint64_t, component, Thing_field_u64);
    columns.ull = COSM_FIELD_OF(rows, unsigned long long, component, Thing_field_ull);
    columns.size = COSM_FIELD_OF(rows, size_t, component, Thing_field_size);
    columns.on = COSM_FIELD_OF(rows, bool, component, Thing_field_on);
    columns.target = COSM_FIELD_OF(rows, cosm_entity, component, Thing_field_target);
    columns.friends = COSM_FIELD_OF(rows, cosm_entity, component, Thing_field_friends);
    columns.color = COSM_FIELD_OF(rows, Color, component, Thing_field_color);
    columns.flags = COSM_FIELD_OF(rows, enum Flags, component, Thing_field_flags);
    columns.mask = COSM_FIELD_OF(rows, uint16_t, component, Thing_field_mask);
    columns.name = COSM_FIELD_OF(rows, char, component, Thing_field_name);
    columns.lines = COSM_FIELD_OF(rows, char, component, Thing_field_lines);
    columns.mood = COSM_FIELD_OF(rows, Thing_mood_row, component, Thing_field_mood);
    columns.grid = COSM_FIELD_OF(rows, float, component, Thing_field_grid);
    columns.velocity_x = COSM_FIELD_OF(rows, float, component, Thing_field_velocity_x);
    columns.velocity_y = COSM_FIELD_OF(rows, float, component, Thing_field_velocity_y);
    columns.items_0_count = COSM_FIELD_OF(rows, uint8_t, component, Thing_field_items_0_count);
    columns.items_0_flags = COSM_FIELD_OF(rows, enum Flags, component, Thing_field_items_0_flags);
    columns.items_1_count = COSM_FIELD_OF(rows, uint8_t, component, Thing_field_items_1_count);
    columns.items_1_flags = COSM_FIELD_OF(rows, enum Flags, component, Thing_field_items_1_flags);
    columns.path_0_x = COSM_FIELD_OF(rows, float, component, Thing_field_path_0_x);
    columns.path_0_y = COSM_FIELD_OF(rows, float, component, Thing_field_path_0_y);
    columns.path_1_x = COSM_FIELD_OF(rows, float, component, Thing_field_path_1_x);
    columns.path_1_y = COSM_FIELD_OF(rows, float, component, Thing_field_path_1_y);
    return columns;
}

// The same layout as C gives it.
extern cosm_component_type Pose_type;

static inline cosm_component Pose_component(const cosm_engine *engine) {
    return cosm_component_of(engine, &Pose_type);
}

static inline bool Pose_has(cosm_world world, cosm_entity entity) {
    return cosm_entity_has(world, entity, Pose_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result Pose_add(cosm_world world, cosm_entity entity) {
    return cosm_entity_add(world, entity, Pose_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result Pose_remove(cosm_world world, cosm_entity entity) {
    return cosm_entity_remove(world, entity, Pose_component(cosm_batch_engine(world.batch)));
}

static inline bool Pose_get(cosm_world world, cosm_entity entity, struct Pose *out_value) {
    return cosm_entity_get(world, entity, Pose_component(cosm_batch_engine(world.batch)),
                           out_value);
}

static inline COSM_MUST_USE cosm_result Pose_set(cosm_world world, cosm_entity entity,
    const struct Pose *value) {
    return cosm_entity_set(world, entity, Pose_component(cosm_batch_engine(world.batch)), value);
}

static inline const struct Pose *Pose_read(cosm_world world, cosm_entity entity) {
    return COSM_READ(world, entity, struct Pose);
}

static inline struct Pose *Pose_write(cosm_world world, cosm_entity entity) {
    return COSM_WRITE(world, entity, struct Pose);
}

static inline const struct Pose *Pose_column_read(const cosm_rows *rows, uint32_t term) {
    return COSM_COLUMN_READ(rows, struct Pose, term);
}

static inline struct Pose *Pose_column_write(const cosm_rows *rows, uint32_t term) {
    return COSM_COLUMN_WRITE(rows, struct Pose, term);
}

static inline struct Pose *Pose_column_of(const cosm_rows *rows) {
    return COSM_WRITE(rows, struct Pose);
}

enum {
    Pose_field_position_x = 0,
    Pose_field_position_y = 1,
    Pose_field_scale_x = 2,
    Pose_field_scale_y = 3,
};

typedef struct Pose_columns {
    float *position_x;
    float *position_y;
    float *scale_x;
    float *scale_y;
} Pose_columns;

typedef struct Pose_const_columns {
    const float *position_x;
    const float *position_y;
    const float *scale_x;
    const float *scale_y;
} Pose_const_columns;

static inline Pose_const_columns Pose_columns_read(const cosm_rows *rows, uint32_t term) {
    Pose_const_columns columns;
    columns.position_x = COSM_FIELD_READ(rows, float, term, Pose_field_position_x);
    columns.position_y = COSM_FIELD_READ(rows, float, term, Pose_field_position_y);
    columns.scale_x = COSM_FIELD_READ(rows, float, term, Pose_field_scale_x);
    columns.scale_y = COSM_FIELD_READ(rows, float, term, Pose_field_scale_y);
    return columns;
}

static inline Pose_columns Pose_columns_write(const cosm_rows *rows, uint32_t term) {
    Pose_columns columns;
    columns.position_x = COSM_FIELD_WRITE(rows, float, term, Pose_field_position_x);
    columns.position_y = COSM_FIELD_WRITE(rows, float, term, Pose_field_position_y);
    columns.scale_x = COSM_FIELD_WRITE(rows, float, term, Pose_field_scale_x);
    columns.scale_y = COSM_FIELD_WRITE(rows, float, term, Pose_field_scale_y);
    return columns;
}

static inline Pose_columns Pose_columns_of(const cosm_rows *rows) {
    const cosm_component component = Pose_component(cosm_rows_engine(rows));
    Pose_columns columns;
    columns.position_x = COSM_FIELD_OF(rows, float, component, Pose_field_position_x);
    columns.position_y = COSM_FIELD_OF(rows, float, component, Pose_field_position_y);
    columns.scale_x = COSM_FIELD_OF(rows, float, component, Pose_field_scale_x);
    columns.scale_y = COSM_FIELD_OF(rows, float, component, Pose_field_scale_y);
    return columns;
}

// cannot move
extern cosm_component_type Sleeping_type;

static inline cosm_component Sleeping_component(const cosm_engine *engine) {
    return cosm_component_of(engine, &Sleeping_type);
}

static inline bool Sleeping_has(cosm_world world, cosm_entity entity) {
    return cosm_entity_has(world, entity, Sleeping_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result Sleeping_add(cosm_world world, cosm_entity entity) {
    return cosm_entity_add(world, entity, Sleeping_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result Sleeping_remove(cosm_world world, cosm_entity entity) {
    return cosm_entity_remove(world, entity, Sleeping_component(cosm_batch_engine(world.batch)));
}

extern cosm_component_type Burning_type;

static inline cosm_component Burning_component(const cosm_engine *engine) {
    return cosm_component_of(engine, &Burning_type);
}

static inline bool Burning_has(cosm_world world, cosm_entity entity) {
    return cosm_entity_has(world, entity, Burning_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result Burning_add(cosm_world world, cosm_entity entity) {
    return cosm_entity_add(world, entity, Burning_component(cosm_batch_engine(world.batch)));
}

static inline COSM_MUST_USE cosm_result Burning_remove(cosm_world world, cosm_entity entity) {
    return cosm_entity_remove(world, entity, Burning_component(cosm_batch_engine(world.batch)));
}

extern cosm_singleton_type Sky_type;

static inline cosm_singleton Sky_singleton(const cosm_engine *engine) {
    return cosm_singleton_of(engine, &Sky_type);
}

static inline const Sky *Sky_read(cosm_world world) {
    return COSM_SINGLETON_READ(world, Sky);
}

static inline Sky *Sky_write(cosm_world world) {
    return COSM_SINGLETON_WRITE(world, Sky);
}

enum {
    Sky_field_gravity = 0,
    Sky_field_normal_x = 1,
    Sky_field_normal_y = 2,
};

COSM_END_C

#endif
