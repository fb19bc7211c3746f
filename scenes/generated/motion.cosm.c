// The components of motion.h, described: made by cosm-gen, not to be edited.
// clang-format off
#include "motion.cosm.h"

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#define COSM_GEN_SAW(what) \
    static_assert(what, "motion.h is not as cosm-gen saw it; run cosm-gen again")

COSM_GEN_SAW(sizeof(Position) == 8 && COSM_ALIGNOF(Position) == 4);
COSM_GEN_SAW(offsetof(Position, x) == 0 && sizeof(((Position *)0)->x) == 4);
COSM_GEN_SAW(offsetof(Position, y) == 4 && sizeof(((Position *)0)->y) == 4);

static const cosm_field Position_fields[] = {
    {"x", COSM_FIELD_F32, offsetof(Position, x), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, "m",
     NULL, NULL, false},
    {"y", COSM_FIELD_F32, offsetof(Position, y), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, "m",
     NULL, NULL, false},
};

cosm_component_type Position_type = {
    {"Position", sizeof(Position), COSM_ALIGNOF(Position), NULL, COSM_LAYOUT_STRUCT, Position_fields, 2,
     "Where something is.",
     COSM_STORAGE_COLUMN, {NULL, NULL, NULL, NULL, NULL, NULL, NULL}, false, "Position"},
    0};

COSM_GEN_SAW(sizeof(Velocity) == 8 && COSM_ALIGNOF(Velocity) == 4);
COSM_GEN_SAW(offsetof(Velocity, x) == 0 && sizeof(((Velocity *)0)->x) == 4);
COSM_GEN_SAW(offsetof(Velocity, y) == 4 && sizeof(((Velocity *)0)->y) == 4);

static const cosm_field Velocity_fields[] = {
    {"x", COSM_FIELD_F32, offsetof(Velocity, x), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, "m/s",
     NULL, NULL, false},
    {"y", COSM_FIELD_F32, offsetof(Velocity, y), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, "m/s",
     NULL, NULL, false},
};

cosm_component_type Velocity_type = {
    {"Velocity", sizeof(Velocity), COSM_ALIGNOF(Velocity), NULL, COSM_LAYOUT_STRUCT, Velocity_fields, 2,
     "Where it goes, and how fast.",
     COSM_STORAGE_COLUMN, {NULL, NULL, NULL, NULL, NULL, NULL, NULL}, false, "Velocity"},
    0};

cosm_result motion_register_all(cosm_engine *engine) {
    bool done = true;
    done = done && cosm_component_register(engine, &Position_type).id != 0;
    done = done && cosm_component_register(engine, &Velocity_type).id != 0;
    return done ? COSM_OK : cosm_error_result();
}
