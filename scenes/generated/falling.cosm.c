// The components of falling.h, described: made by cosm-gen, not to be edited.
// clang-format off
#include "falling.cosm.h"

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#define COSM_GEN_SAW(what) \
    static_assert(what, "falling.h is not as cosm-gen saw it; run cosm-gen again")

COSM_GEN_SAW(sizeof(Bounce) == 4 && COSM_ALIGNOF(Bounce) == 4);
COSM_GEN_SAW(offsetof(Bounce, kept) == 0 && sizeof(((Bounce *)0)->kept) == 4);

static const cosm_field Bounce_fields[] = {
    {"kept", COSM_FIELD_F32, offsetof(Bounce, kept), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 1.0, NULL,
     "Share of upward speed that a touch of the ground gives back.", NULL, false},
};

cosm_component_type Bounce_type = {
    {"Bounce", sizeof(Bounce), COSM_ALIGNOF(Bounce), NULL, COSM_LAYOUT_STRUCT, Bounce_fields, 1,
     NULL,
     COSM_STORAGE_COLUMN, {NULL, NULL, NULL, NULL, NULL, NULL, NULL}, false, "Bounce"},
    0};

cosm_component_type Resting_type = {
    {"Resting", 0, 1, NULL, COSM_LAYOUT_STRUCT, NULL, 0,
     "Lies on the ground and does not move.",
     COSM_STORAGE_COLUMN, {NULL, NULL, NULL, NULL, NULL, NULL, NULL}, false, "Resting"},
    0};

cosm_result falling_register_all(cosm_engine *engine) {
    bool done = true;
    done = done && cosm_component_register(engine, &Bounce_type).id != 0;
    done = done && cosm_component_register(engine, &Resting_type).id != 0;
    return done ? COSM_OK : cosm_error_result();
}
