// The components of cartpole.h, described: made by cosm-gen, not to be edited.
// clang-format off
#include "cartpole.cosm.h"

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#define COSM_GEN_SAW(what) \
    static_assert(what, "cartpole.h is not as cosm-gen saw it; run cosm-gen again")

COSM_GEN_SAW(sizeof(CartState) == 16 && COSM_ALIGNOF(CartState) == 4);
COSM_GEN_SAW(offsetof(CartState, x) == 0 && sizeof(((CartState *)0)->x) == 4);
COSM_GEN_SAW(offsetof(CartState, x_dot) == 4 && sizeof(((CartState *)0)->x_dot) == 4);
COSM_GEN_SAW(offsetof(CartState, theta) == 8 && sizeof(((CartState *)0)->theta) == 4);
COSM_GEN_SAW(offsetof(CartState, theta_dot) == 12 && sizeof(((CartState *)0)->theta_dot) == 4);

static const cosm_field CartState_fields[] = {
    {"x", COSM_FIELD_F32, offsetof(CartState, x), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, "m",
     NULL, NULL, false},
    {"x_dot", COSM_FIELD_F32, offsetof(CartState, x_dot), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, "m/s",
     NULL, NULL, false},
    {"theta", COSM_FIELD_F32, offsetof(CartState, theta), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, "rad",
     "of the pole, from upright, clockwise", NULL, false},
    {"theta_dot", COSM_FIELD_F32, offsetof(CartState, theta_dot), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, "rad/s",
     NULL, NULL, false},
};

cosm_component_type CartState_type = {
    {"CartState", sizeof(CartState), COSM_ALIGNOF(CartState), NULL, COSM_LAYOUT_SPLIT, CartState_fields, 4,
     "Each field is an array of its own, so that the loop over them fills SIMD registers.",
     COSM_STORAGE_COLUMN, {NULL, NULL, NULL, NULL, NULL, NULL, NULL}, false, "CartState"},
    0};

COSM_GEN_SAW(sizeof(CartObservation) == 16 && COSM_ALIGNOF(CartObservation) == 4);
COSM_GEN_SAW(offsetof(CartObservation, x) == 0 && sizeof(((CartObservation *)0)->x) == 4);
COSM_GEN_SAW(offsetof(CartObservation, x_dot) == 4 && sizeof(((CartObservation *)0)->x_dot) == 4);
COSM_GEN_SAW(offsetof(CartObservation, theta) == 8 && sizeof(((CartObservation *)0)->theta) == 4);
COSM_GEN_SAW(offsetof(CartObservation, theta_dot) == 12 && sizeof(((CartObservation *)0)->theta_dot) == 4);

static const cosm_field CartObservation_fields[] = {
    {"x", COSM_FIELD_F32, offsetof(CartObservation, x), {0, 0, 0, 0}, 0, 0,
     NULL, -4.8, 4.8, "m",
     NULL, NULL, false},
    {"x_dot", COSM_FIELD_F32, offsetof(CartObservation, x_dot), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, "m/s",
     NULL, NULL, false},
    {"theta", COSM_FIELD_F32, offsetof(CartObservation, theta), {0, 0, 0, 0}, 0, 0,
     NULL, -0.41887903, 0.41887903, "rad",
     NULL, NULL, false},
    {"theta_dot", COSM_FIELD_F32, offsetof(CartObservation, theta_dot), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, "rad/s",
     NULL, NULL, false},
};

cosm_component_type CartObservation_type = {
    {"CartObservation", sizeof(CartObservation), COSM_ALIGNOF(CartObservation), NULL, COSM_LAYOUT_STRUCT, CartObservation_fields, 4,
     "The same side by side, as agents want it. The ranges are twice what ends an episode.",
     COSM_STORAGE_COLUMN, {NULL, NULL, NULL, NULL, NULL, NULL, NULL}, false, "CartObservation"},
    0};

COSM_GEN_SAW(sizeof(CartAction) == 4 && COSM_ALIGNOF(CartAction) == 4);
COSM_GEN_SAW(offsetof(CartAction, push) == 0 && sizeof(((CartAction *)0)->push) == 4);

static const cosm_field CartAction_fields[] = {
    {"push", COSM_FIELD_I32, offsetof(CartAction, push), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 1.0, NULL,
     "to the left, to the right", NULL, false},
};

cosm_component_type CartAction_type = {
    {"CartAction", sizeof(CartAction), COSM_ALIGNOF(CartAction), NULL, COSM_LAYOUT_STRUCT, CartAction_fields, 1,
     NULL,
     COSM_STORAGE_COLUMN, {NULL, NULL, NULL, NULL, NULL, NULL, NULL}, false, "CartAction"},
    0};

COSM_GEN_SAW(sizeof(CartReward) == 4 && COSM_ALIGNOF(CartReward) == 4);
COSM_GEN_SAW(offsetof(CartReward, value) == 0 && sizeof(((CartReward *)0)->value) == 4);

static const cosm_field CartReward_fields[] = {
    {"value", COSM_FIELD_F32, offsetof(CartReward, value), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, NULL, false},
};

cosm_component_type CartReward_type = {
    {"CartReward", sizeof(CartReward), COSM_ALIGNOF(CartReward), NULL, COSM_LAYOUT_STRUCT, CartReward_fields, 1,
     NULL,
     COSM_STORAGE_COLUMN, {NULL, NULL, NULL, NULL, NULL, NULL, NULL}, false, "CartReward"},
    0};

COSM_GEN_SAW(sizeof(CartTerminated) == 1 && COSM_ALIGNOF(CartTerminated) == 1);
COSM_GEN_SAW(offsetof(CartTerminated, is_so) == 0 && sizeof(((CartTerminated *)0)->is_so) == 1);

static const cosm_field CartTerminated_fields[] = {
    {"is_so", COSM_FIELD_BOOL, offsetof(CartTerminated, is_so), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, NULL, false},
};

cosm_component_type CartTerminated_type = {
    {"CartTerminated", sizeof(CartTerminated), COSM_ALIGNOF(CartTerminated), NULL, COSM_LAYOUT_STRUCT, CartTerminated_fields, 1,
     NULL,
     COSM_STORAGE_COLUMN, {NULL, NULL, NULL, NULL, NULL, NULL, NULL}, false, "CartTerminated"},
    0};

cosm_result cartpole_register_all(cosm_engine *engine) {
    bool done = true;
    done = done && cosm_component_register(engine, &CartState_type).id != 0;
    done = done && cosm_component_register(engine, &CartObservation_type).id != 0;
    done = done && cosm_component_register(engine, &CartAction_type).id != 0;
    done = done && cosm_component_register(engine, &CartReward_type).id != 0;
    done = done && cosm_component_register(engine, &CartTerminated_type).id != 0;
    return done ? COSM_OK : cosm_error_result();
}
