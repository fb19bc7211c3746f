// The components of swarm.h, described: made by cosm-gen, not to be edited.
// clang-format off
#include "swarm.cosm.h"

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#define COSM_GEN_SAW(what) \
    static_assert(what, "swarm.h is not as cosm-gen saw it; run cosm-gen again")

COSM_GEN_SAW(sizeof(Life) == 4 && COSM_ALIGNOF(Life) == 4);
COSM_GEN_SAW(offsetof(Life, left) == 0 && sizeof(((Life *)0)->left) == 4);

static const cosm_field Life_fields[] = {
    {"left", COSM_FIELD_I32, offsetof(Life, left), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 768.0, "steps",
     NULL, NULL, true},
};

cosm_component_type Life_type = {
    {"Life", sizeof(Life), COSM_ALIGNOF(Life), NULL, COSM_LAYOUT_STRUCT, Life_fields, 1,
     NULL,
     COSM_STORAGE_COLUMN, {NULL, NULL, NULL, NULL, NULL, NULL, NULL}, false, "Life"},
    0};

cosm_component_type Glowing_type = {
    {"Glowing", 0, 1, NULL, COSM_LAYOUT_STRUCT, NULL, 0,
     "A spark: it is not replaced when it ends.",
     COSM_STORAGE_COLUMN, {NULL, NULL, NULL, NULL, NULL, NULL, NULL}, false, "Glowing"},
    0};

cosm_result swarm_register_all(cosm_engine *engine) {
    bool done = true;
    done = done && cosm_component_register(engine, &Life_type).id != 0;
    done = done && cosm_component_register(engine, &Glowing_type).id != 0;
    return done ? COSM_OK : cosm_error_result();
}
