// The components of enums.h, described: made by cosm-gen, not to be edited.
// clang-format off
#include "enums.cosm.h"

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#define COSM_GEN_SAW(what) \
    static_assert(what, "enums.h is not as cosm-gen saw it; run cosm-gen again")

static const cosm_label State_labels_items[] = {
    {"IDLE", (int64_t)IDLE},
    {"BUSY", (int64_t)BUSY},
    {"ALSO_BUSY", (int64_t)ALSO_BUSY},
};
static const cosm_labels State_labels = {"State", COSM_LABELS_ENUM, 3, State_labels_items};

static const cosm_label Sign_labels_items[] = {
    {"MINUS", (int64_t)MINUS},
    {"NONE", (int64_t)NONE},
    {"PLUS", (int64_t)PLUS},
};
static const cosm_labels Sign_labels = {"Sign", COSM_LABELS_ENUM, 3, Sign_labels_items};

static const cosm_label Wings_mask_items[] = {
    {"WING_LEFT", (int64_t)WING_LEFT},
    {"WING_RIGHT", (int64_t)WING_RIGHT},
};
static const cosm_labels Wings_mask = {"Wings", COSM_LABELS_MASK, 2, Wings_mask_items};

static const cosm_label Bird_inner_labels_items[] = {
    {"INNER_A", INT64_C(0)},
    {"INNER_B", INT64_C(1)},
};
static const cosm_labels Bird_inner_labels = {"Bird_inner", COSM_LABELS_ENUM, 2, Bird_inner_labels_items};

static const cosm_label Local_labels_items[] = {
    {"LOCAL_A", INT64_C(-7)},
    {"LOCAL_B", INT64_C(-6)},
};
static const cosm_labels Local_labels = {"Local", COSM_LABELS_ENUM, 2, Local_labels_items};

static const cosm_label State_mask_items[] = {
    {"IDLE", (int64_t)IDLE},
    {"BUSY", (int64_t)BUSY},
    {"ALSO_BUSY", (int64_t)ALSO_BUSY},
};
static const cosm_labels State_mask = {"State", COSM_LABELS_MASK, 3, State_mask_items};

COSM_GEN_SAW(sizeof(Bird) == 32 && COSM_ALIGNOF(Bird) == 4);
COSM_GEN_SAW(offsetof(Bird, state) == 0 && sizeof(((Bird *)0)->state) == 4);
COSM_GEN_SAW(offsetof(Bird, sign) == 4 && sizeof(((Bird *)0)->sign) == 4);
COSM_GEN_SAW(offsetof(Bird, wings) == 8 && sizeof(((Bird *)0)->wings) == 4);
COSM_GEN_SAW(offsetof(Bird, inner) == 12 && sizeof(((Bird *)0)->inner) == 4);
COSM_GEN_SAW(offsetof(Bird, local) == 16 && sizeof(((Bird *)0)->local) == 4);
COSM_GEN_SAW(offsetof(Bird, small) == 20 && sizeof(((Bird *)0)->small) == 1);
COSM_GEN_SAW(offsetof(Bird, several) == 21 && sizeof(((Bird *)0)->several) == 1);
COSM_GEN_SAW(offsetof(Bird, mask) == 22 && sizeof(((Bird *)0)->mask) == 2);
COSM_GEN_SAW(offsetof(Bird, pair) == 24 && sizeof(((Bird *)0)->pair) == 8);

static const uint32_t Bird_default_state = 5u;
static const int32_t Bird_default_sign = -1;
static const uint32_t Bird_default_wings = 3u;
static const int32_t Bird_default_local = -6;
static const int32_t Bird_default_pair[2] = {1, -1};

static const cosm_field Bird_fields[] = {
    {"state", COSM_FIELD_U32, offsetof(Bird, state), {0, 0, 0, 0}, 0, 0,
     &State_labels, 0.0, 0.0, NULL,
     NULL, &Bird_default_state, false},
    {"sign", COSM_FIELD_I32, offsetof(Bird, sign), {0, 0, 0, 0}, 0, 0,
     &Sign_labels, 0.0, 0.0, NULL,
     NULL, &Bird_default_sign, false},
    {"wings", COSM_FIELD_U32, offsetof(Bird, wings), {0, 0, 0, 0}, 0, 0,
     &Wings_mask, 0.0, 0.0, NULL,
     NULL, &Bird_default_wings, false},
    {"inner", COSM_FIELD_U32, offsetof(Bird, inner), {0, 0, 0, 0}, 0, 0,
     &Bird_inner_labels, 0.0, 0.0, NULL,
     NULL, NULL, false},
    {"local", COSM_FIELD_I32, offsetof(Bird, local), {0, 0, 0, 0}, 0, 0,
     &Local_labels, 0.0, 0.0, NULL,
     NULL, &Bird_default_local, false},
    {"small", COSM_FIELD_U8, offsetof(Bird, small), {0, 0, 0, 0}, 0, 0,
     &State_labels, 0.0, 0.0, NULL,
     NULL, NULL, false},
    {"several", COSM_FIELD_U8, offsetof(Bird, several), {0, 0, 0, 0}, 0, 0,
     &State_mask, 0.0, 0.0, NULL,
     NULL, NULL, false},
    {"mask", COSM_FIELD_U16, offsetof(Bird, mask), {0, 0, 0, 0}, 0, 0,
     &Wings_mask, 0.0, 0.0, NULL,
     NULL, NULL, false},
    {"pair", COSM_FIELD_I32, offsetof(Bird, pair), {2, 0, 0, 0}, 0, 0,
     &Sign_labels, 0.0, 0.0, NULL,
     NULL, Bird_default_pair, false},
};

cosm_component_type Bird_type = {
    {"Bird", sizeof(Bird), COSM_ALIGNOF(Bird), NULL, COSM_LAYOUT_SPLIT, Bird_fields, 9,
     NULL,
     COSM_STORAGE_COLUMN, {NULL, NULL, NULL, NULL, NULL, NULL, NULL}, false, "Bird"},
    0};

cosm_result enums_register_all(cosm_engine *engine) {
    bool done = true;
    done = done && cosm_component_register(engine, &Bird_type).id != 0;
    return done ? COSM_OK : cosm_error_result();
}
