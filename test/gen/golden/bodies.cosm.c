// The components of bodies.h, described: made by cosm-gen, not to be edited.
// clang-format off
#include "bodies.cosm.h"

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#define COSM_GEN_SAW(what) \
    static_assert(what, "bodies.h is not as cosm-gen saw it; run cosm-gen again")

COSM_GEN_SAW(sizeof(Position) == 12 && COSM_ALIGNOF(Position) == 4);
COSM_GEN_SAW(offsetof(Position, x) == 0 && sizeof(((Position *)0)->x) == 4);
COSM_GEN_SAW(offsetof(Position, y) == 4 && sizeof(((Position *)0)->y) == 4);
COSM_GEN_SAW(offsetof(Position, z) == 8 && sizeof(((Position *)0)->z) == 4);

static const cosm_field Position_fields[] = {
    {"x", COSM_FIELD_F32, offsetof(Position, x), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     "from the origin", NULL, false},
    {"y", COSM_FIELD_F32, offsetof(Position, y), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     "from the origin", NULL, false},
    {"z", COSM_FIELD_F32, offsetof(Position, z), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     "from the origin", NULL, false},
};

cosm_component_type Position_type = {
    {"Position", sizeof(Position), COSM_ALIGNOF(Position), NULL, COSM_LAYOUT_STRUCT, Position_fields, 3,
     "Where it is.",
     COSM_STORAGE_COLUMN, {NULL, NULL, NULL, NULL, NULL, NULL, NULL}, false, "Position"},
    0};

COSM_GEN_SAW(sizeof(Velocity) == 12 && COSM_ALIGNOF(Velocity) == 4);
COSM_GEN_SAW(offsetof(Velocity, x) == 0 && sizeof(((Velocity *)0)->x) == 4);
COSM_GEN_SAW(offsetof(Velocity, y) == 4 && sizeof(((Velocity *)0)->y) == 4);
COSM_GEN_SAW(offsetof(Velocity, z) == 8 && sizeof(((Velocity *)0)->z) == 4);

static const cosm_field Velocity_fields[] = {
    {"x", COSM_FIELD_F32, offsetof(Velocity, x), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, NULL, false},
    {"y", COSM_FIELD_F32, offsetof(Velocity, y), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, NULL, false},
    {"z", COSM_FIELD_F32, offsetof(Velocity, z), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, "m/s",
     NULL, NULL, false},
};

cosm_component_type Velocity_type = {
    {"Velocity", sizeof(Velocity), COSM_ALIGNOF(Velocity), NULL, COSM_LAYOUT_SPLIT, Velocity_fields, 3,
     NULL,
     COSM_STORAGE_COLUMN, {NULL, NULL, NULL, NULL, NULL, NULL, NULL}, false, "Velocity"},
    0};

cosm_component_type Frozen_type = {
    {"Frozen", 0, 1, NULL, COSM_LAYOUT_STRUCT, NULL, 0,
     "Does not move.",
     COSM_STORAGE_COLUMN, {NULL, NULL, NULL, NULL, NULL, NULL, NULL}, false, "Frozen"},
    0};

COSM_GEN_SAW(sizeof(Ground) == 4 && COSM_ALIGNOF(Ground) == 4);
COSM_GEN_SAW(offsetof(Ground, height) == 0 && sizeof(((Ground *)0)->height) == 4);

static const float Ground_default_height = -1.5f;

static const cosm_field Ground_fields[] = {
    {"height", COSM_FIELD_F32, offsetof(Ground, height), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     "of the floor", &Ground_default_height, false},
};

cosm_singleton_type Ground_type = {
    {"Ground", sizeof(Ground), COSM_ALIGNOF(Ground), NULL, Ground_fields, 1,
     NULL, "Ground"},
    0};

cosm_result bodies_register_all(cosm_engine *engine) {
    bool done = true;
    done = done && cosm_component_register(engine, &Position_type).id != 0;
    done = done && cosm_component_register(engine, &Velocity_type).id != 0;
    done = done && cosm_component_register(engine, &Frozen_type).id != 0;
    done = done && cosm_singleton_register(engine, &Ground_type).id != 0;
    return done ? COSM_OK : cosm_error_result();
}
