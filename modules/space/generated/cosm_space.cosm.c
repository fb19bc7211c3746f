// The components of pose.h, described: made by cosm-gen, not to be edited.
// clang-format off
#include "cosm_space.cosm.h"

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#define COSM_GEN_SAW(what) \
    static_assert(what, "pose.h is not as cosm-gen saw it; run cosm-gen again")

COSM_GEN_SAW(sizeof(cosm_pose) == 28 && COSM_ALIGNOF(cosm_pose) == 4);
COSM_GEN_SAW(offsetof(cosm_pose, position.x) == 0 && sizeof(((cosm_pose *)0)->position.x) == 4);
COSM_GEN_SAW(offsetof(cosm_pose, position.y) == 4 && sizeof(((cosm_pose *)0)->position.y) == 4);
COSM_GEN_SAW(offsetof(cosm_pose, position.z) == 8 && sizeof(((cosm_pose *)0)->position.z) == 4);
COSM_GEN_SAW(offsetof(cosm_pose, rotation.w) == 12 && sizeof(((cosm_pose *)0)->rotation.w) == 4);
COSM_GEN_SAW(offsetof(cosm_pose, rotation.x) == 16 && sizeof(((cosm_pose *)0)->rotation.x) == 4);
COSM_GEN_SAW(offsetof(cosm_pose, rotation.y) == 20 && sizeof(((cosm_pose *)0)->rotation.y) == 4);
COSM_GEN_SAW(offsetof(cosm_pose, rotation.z) == 24 && sizeof(((cosm_pose *)0)->rotation.z) == 4);

static const float cosm_pose_default_rotation_w = 1.0f;

static const cosm_field cosm_pose_fields[] = {
    {"position.x", COSM_FIELD_F32, offsetof(cosm_pose, position.x), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, "m",
     "of its origin", NULL, false},
    {"position.y", COSM_FIELD_F32, offsetof(cosm_pose, position.y), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, "m",
     "of its origin", NULL, false},
    {"position.z", COSM_FIELD_F32, offsetof(cosm_pose, position.z), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, "m",
     "of its origin", NULL, false},
    {"rotation.w", COSM_FIELD_F32, offsetof(cosm_pose, rotation.w), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     "from its own axes to the world's", &cosm_pose_default_rotation_w, false},
    {"rotation.x", COSM_FIELD_F32, offsetof(cosm_pose, rotation.x), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     "from its own axes to the world's", NULL, false},
    {"rotation.y", COSM_FIELD_F32, offsetof(cosm_pose, rotation.y), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     "from its own axes to the world's", NULL, false},
    {"rotation.z", COSM_FIELD_F32, offsetof(cosm_pose, rotation.z), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     "from its own axes to the world's", NULL, false},
};

cosm_component_type cosm_pose_type = {
    {"Pose", sizeof(cosm_pose), COSM_ALIGNOF(cosm_pose), NULL, COSM_LAYOUT_STRUCT, cosm_pose_fields, 7,
     "Where an entity is, and how it is turned.",
     COSM_STORAGE_COLUMN, {NULL, NULL, NULL, NULL, NULL, NULL, NULL}, false, "cosm_pose"},
    0};

cosm_result cosm_space_register_all(cosm_engine *engine) {
    bool done = true;
    done = done && cosm_component_register(engine, &cosm_pose_type).id != 0;
    return done ? COSM_OK : cosm_error_result();
}
