// The components of names.h, described: made by cosm-gen, not to be edited.
// clang-format off
#include "names.cosm.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>

#define COSM_GEN_SAW(what) \
    static_assert(what, "names.h is not as cosm-gen saw it; run cosm-gen again")

COSM_GEN_SAW(sizeof(Robot) == 120 && COSM_ALIGNOF(Robot) == 8);
COSM_GEN_SAW(offsetof(Robot, pose.position) == 0 && sizeof(((Robot *)0)->pose.position) == 12);
COSM_GEN_SAW(offsetof(Robot, pose.axes) == 12 && sizeof(((Robot *)0)->pose.axes) == 48);
COSM_GEN_SAW(offsetof(Robot, goal) == 60 && sizeof(((Robot *)0)->goal) == 8);
COSM_GEN_SAW(offsetof(Robot, friends) == 68 && sizeof(((Robot *)0)->friends) == 32);
COSM_GEN_SAW(offsetof(Robot, bits) == 104 && sizeof(((Robot *)0)->bits) == 8);
COSM_GEN_SAW(offsetof(Robot, range) == 112 && sizeof(((Robot *)0)->range) == 4);

static const cosm_field Robot_fields[] = {
    {"pose.position", COSM_FIELD_F32, offsetof(Robot, pose.position), {3, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, NULL, false},
    {"pose.axes", COSM_FIELD_F32, offsetof(Robot, pose.axes), {2, 2, 3, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, NULL, false},
    {"goal", COSM_FIELD_ENTITY, offsetof(Robot, goal), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, NULL, false},
    {"friends", COSM_FIELD_ENTITY, offsetof(Robot, friends), {4, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, NULL, false},
    {"bits", COSM_FIELD_U64, offsetof(Robot, bits), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, NULL, false},
    {"range", COSM_FIELD_F32, offsetof(Robot, range), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, HUGE_VAL, "m",
     NULL, NULL, false},
};

cosm_component_type Robot_type = {
    {"Robot", sizeof(Robot), COSM_ALIGNOF(Robot), NULL, COSM_LAYOUT_SPLIT, Robot_fields, 6,
     NULL,
     COSM_STORAGE_COLUMN, {NULL, NULL, NULL, NULL, NULL, NULL, NULL}, false, "Robot"},
    0};

COSM_GEN_SAW(sizeof(Many) == 4 && COSM_ALIGNOF(Many) == 4);
COSM_GEN_SAW(offsetof(Many, x) == 0 && sizeof(((Many *)0)->x) == 4);

static const cosm_field Many_fields[] = {
    {"x", COSM_FIELD_I32, offsetof(Many, x), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, NULL, false},
};

cosm_component_type Many_type = {
    {"Many", sizeof(Many), COSM_ALIGNOF(Many), NULL, COSM_LAYOUT_STRUCT, Many_fields, 1,
     NULL,
     COSM_STORAGE_COLUMN, {NULL, NULL, NULL, NULL, NULL, NULL, NULL}, false, "Many"},
    0};

cosm_result names_register_all(cosm_engine *engine) {
    bool done = true;
    done = done && cosm_component_register(engine, &Robot_type).id != 0;
    done = done && cosm_component_register(engine, &Many_type).id != 0;
    return done ? COSM_OK : cosm_error_result();
}
