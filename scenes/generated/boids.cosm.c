// The components of boids.h, described: made by cosm-gen, not to be edited.
// clang-format off
#include "boids.cosm.h"

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#define COSM_GEN_SAW(what) \
    static_assert(what, "boids.h is not as cosm-gen saw it; run cosm-gen again")

COSM_GEN_SAW(sizeof(Acceleration) == 8 && COSM_ALIGNOF(Acceleration) == 4);
COSM_GEN_SAW(offsetof(Acceleration, x) == 0 && sizeof(((Acceleration *)0)->x) == 4);
COSM_GEN_SAW(offsetof(Acceleration, y) == 4 && sizeof(((Acceleration *)0)->y) == 4);

static const cosm_field Acceleration_fields[] = {
    {"x", COSM_FIELD_F32, offsetof(Acceleration, x), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, "m/s2",
     NULL, NULL, false},
    {"y", COSM_FIELD_F32, offsetof(Acceleration, y), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, "m/s2",
     NULL, NULL, false},
};

cosm_component_type Acceleration_type = {
    {"Acceleration", sizeof(Acceleration), COSM_ALIGNOF(Acceleration), NULL, COSM_LAYOUT_STRUCT, Acceleration_fields, 2,
     NULL,
     COSM_STORAGE_COLUMN, {NULL, NULL, NULL, NULL, NULL, NULL, NULL}, false, "Acceleration"},
    0};

COSM_GEN_SAW(sizeof(Bins) == 258 && COSM_ALIGNOF(Bins) == 2);
COSM_GEN_SAW(offsetof(Bins, start) == 0 && sizeof(((Bins *)0)->start) == 130);
COSM_GEN_SAW(offsetof(Bins, rows) == 130 && sizeof(((Bins *)0)->rows) == 128);

static const cosm_field Bins_fields[] = {
    {"start", COSM_FIELD_U16, offsetof(Bins, start), {65, 0, 0, 0}, 0, 0,
     NULL, 0.0, 64.0, NULL,
     NULL, NULL, true},
    {"rows", COSM_FIELD_U16, offsetof(Bins, rows), {64, 0, 0, 0}, 0, 0,
     NULL, 0.0, 63.0, NULL,
     NULL, NULL, true},
};

cosm_singleton_type Bins_type = {
    {"Bins", sizeof(Bins), COSM_ALIGNOF(Bins), NULL, Bins_fields, 2,
     "Which boids are in which cell of the box: see boids.c.", "Bins"},
    0};

cosm_result boids_register_all(cosm_engine *engine) {
    bool done = true;
    done = done && cosm_component_register(engine, &Acceleration_type).id != 0;
    done = done && cosm_singleton_register(engine, &Bins_type).id != 0;
    return done ? COSM_OK : cosm_error_result();
}
