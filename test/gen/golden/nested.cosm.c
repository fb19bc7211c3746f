// The components of nested.h, described: made by cosm-gen, not to be edited.
// clang-format off
#include "nested.cosm.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>

#define COSM_GEN_SAW(what) \
    static_assert(what, "nested.h is not as cosm-gen saw it; run cosm-gen again")

COSM_GEN_SAW(sizeof(Move) == 96 && COSM_ALIGNOF(Move) == 4);
COSM_GEN_SAW(offsetof(Move, speed.x) == 0 && sizeof(((Move *)0)->speed.x) == 4);
COSM_GEN_SAW(offsetof(Move, speed.y) == 4 && sizeof(((Move *)0)->speed.y) == 4);
COSM_GEN_SAW(offsetof(Move, speed.set) == 8 && sizeof(((Move *)0)->speed.set) == 1);
COSM_GEN_SAW(offsetof(Move, start.x) == 12 && sizeof(((Move *)0)->start.x) == 4);
COSM_GEN_SAW(offsetof(Move, start.y) == 16 && sizeof(((Move *)0)->start.y) == 4);
COSM_GEN_SAW(offsetof(Move, start.set) == 20 && sizeof(((Move *)0)->start.set) == 1);
COSM_GEN_SAW(offsetof(Move, pair.a.x) == 24 && sizeof(((Move *)0)->pair.a.x) == 4);
COSM_GEN_SAW(offsetof(Move, pair.a.y) == 28 && sizeof(((Move *)0)->pair.a.y) == 4);
COSM_GEN_SAW(offsetof(Move, pair.a.set) == 32 && sizeof(((Move *)0)->pair.a.set) == 1);
COSM_GEN_SAW(offsetof(Move, pair.b.x) == 36 && sizeof(((Move *)0)->pair.b.x) == 4);
COSM_GEN_SAW(offsetof(Move, pair.b.y) == 40 && sizeof(((Move *)0)->pair.b.y) == 4);
COSM_GEN_SAW(offsetof(Move, pair.b.set) == 44 && sizeof(((Move *)0)->pair.b.set) == 1);
COSM_GEN_SAW(offsetof(Move, pairs[0].a.x) == 48 && sizeof(((Move *)0)->pairs[0].a.x) == 4);
COSM_GEN_SAW(offsetof(Move, pairs[0].a.y) == 52 && sizeof(((Move *)0)->pairs[0].a.y) == 4);
COSM_GEN_SAW(offsetof(Move, pairs[0].a.set) == 56 && sizeof(((Move *)0)->pairs[0].a.set) == 1);
COSM_GEN_SAW(offsetof(Move, pairs[0].b.x) == 60 && sizeof(((Move *)0)->pairs[0].b.x) == 4);
COSM_GEN_SAW(offsetof(Move, pairs[0].b.y) == 64 && sizeof(((Move *)0)->pairs[0].b.y) == 4);
COSM_GEN_SAW(offsetof(Move, pairs[0].b.set) == 68 && sizeof(((Move *)0)->pairs[0].b.set) == 1);
COSM_GEN_SAW(offsetof(Move, pairs[1].a.x) == 72 && sizeof(((Move *)0)->pairs[1].a.x) == 4);
COSM_GEN_SAW(offsetof(Move, pairs[1].a.y) == 76 && sizeof(((Move *)0)->pairs[1].a.y) == 4);
COSM_GEN_SAW(offsetof(Move, pairs[1].a.set) == 80 && sizeof(((Move *)0)->pairs[1].a.set) == 1);
COSM_GEN_SAW(offsetof(Move, pairs[1].b.x) == 84 && sizeof(((Move *)0)->pairs[1].b.x) == 4);
COSM_GEN_SAW(offsetof(Move, pairs[1].b.y) == 88 && sizeof(((Move *)0)->pairs[1].b.y) == 4);
COSM_GEN_SAW(offsetof(Move, pairs[1].b.set) == 92 && sizeof(((Move *)0)->pairs[1].b.set) == 1);

static const float Move_default_speed_x = 9.0f;
static const float Move_default_start_y = 5.0f;
static const float Move_default_pair_a_x = 3.0f;
static const float Move_default_pair_a_y = 4.0f;
static const float Move_default_pair_b_x = 9.0f;
static const float Move_default_pairs_1_b_x = 7.0f;

static const cosm_field Move_fields[] = {
    {"speed.x", COSM_FIELD_F32, offsetof(Move, speed.x), {0, 0, 0, 0}, 0, 0,
     NULL, -HUGE_VAL, 100.0, "m/s",
     NULL, &Move_default_speed_x, false},
    {"speed.y", COSM_FIELD_F32, offsetof(Move, speed.y), {0, 0, 0, 0}, 0, 0,
     NULL, -HUGE_VAL, 100.0, "m/s",
     NULL, NULL, false},
    {"speed.set", COSM_FIELD_BOOL, offsetof(Move, speed.set), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, NULL, false},
    {"start.x", COSM_FIELD_F32, offsetof(Move, start.x), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, HUGE_VAL, "px",
     NULL, NULL, false},
    {"start.y", COSM_FIELD_F32, offsetof(Move, start.y), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, &Move_default_start_y, false},
    {"start.set", COSM_FIELD_BOOL, offsetof(Move, start.set), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, NULL, false},
    {"pair.a.x", COSM_FIELD_F32, offsetof(Move, pair.a.x), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, HUGE_VAL, "px",
     NULL, &Move_default_pair_a_x, false},
    {"pair.a.y", COSM_FIELD_F32, offsetof(Move, pair.a.y), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, &Move_default_pair_a_y, false},
    {"pair.a.set", COSM_FIELD_BOOL, offsetof(Move, pair.a.set), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, NULL, false},
    {"pair.b.x", COSM_FIELD_F32, offsetof(Move, pair.b.x), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, HUGE_VAL, "px",
     NULL, &Move_default_pair_b_x, false},
    {"pair.b.y", COSM_FIELD_F32, offsetof(Move, pair.b.y), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, NULL, false},
    {"pair.b.set", COSM_FIELD_BOOL, offsetof(Move, pair.b.set), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, NULL, false},
    {"pairs[0].a.x", COSM_FIELD_F32, offsetof(Move, pairs[0].a.x), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, HUGE_VAL, "px",
     NULL, NULL, false},
    {"pairs[0].a.y", COSM_FIELD_F32, offsetof(Move, pairs[0].a.y), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, NULL, false},
    {"pairs[0].a.set", COSM_FIELD_BOOL, offsetof(Move, pairs[0].a.set), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, NULL, false},
    {"pairs[0].b.x", COSM_FIELD_F32, offsetof(Move, pairs[0].b.x), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, HUGE_VAL, "px",
     NULL, NULL, false},
    {"pairs[0].b.y", COSM_FIELD_F32, offsetof(Move, pairs[0].b.y), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, NULL, false},
    {"pairs[0].b.set", COSM_FIELD_BOOL, offsetof(Move, pairs[0].b.set), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, NULL, false},
    {"pairs[1].a.x", COSM_FIELD_F32, offsetof(Move, pairs[1].a.x), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, HUGE_VAL, "px",
     NULL, NULL, false},
    {"pairs[1].a.y", COSM_FIELD_F32, offsetof(Move, pairs[1].a.y), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, NULL, false},
    {"pairs[1].a.set", COSM_FIELD_BOOL, offsetof(Move, pairs[1].a.set), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, NULL, false},
    {"pairs[1].b.x", COSM_FIELD_F32, offsetof(Move, pairs[1].b.x), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, HUGE_VAL, "px",
     NULL, &Move_default_pairs_1_b_x, false},
    {"pairs[1].b.y", COSM_FIELD_F32, offsetof(Move, pairs[1].b.y), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, NULL, false},
    {"pairs[1].b.set", COSM_FIELD_BOOL, offsetof(Move, pairs[1].b.set), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, NULL, false},
};

cosm_component_type Move_type = {
    {"Move", sizeof(Move), COSM_ALIGNOF(Move), NULL, COSM_LAYOUT_STRUCT, Move_fields, 24,
     NULL,
     COSM_STORAGE_COLUMN, {NULL, NULL, NULL, NULL, NULL, NULL, NULL}, false, "Move"},
    0};

COSM_GEN_SAW(sizeof(Whole) == 24 && COSM_ALIGNOF(Whole) == 4);
COSM_GEN_SAW(offsetof(Whole, a) == 0 && sizeof(((Whole *)0)->a) == 4);
COSM_GEN_SAW(offsetof(Whole, b.x) == 4 && sizeof(((Whole *)0)->b.x) == 4);
COSM_GEN_SAW(offsetof(Whole, b.y) == 8 && sizeof(((Whole *)0)->b.y) == 4);
COSM_GEN_SAW(offsetof(Whole, c.x) == 12 && sizeof(((Whole *)0)->c.x) == 4);
COSM_GEN_SAW(offsetof(Whole, c.y) == 16 && sizeof(((Whole *)0)->c.y) == 4);
COSM_GEN_SAW(offsetof(Whole, d) == 20 && sizeof(((Whole *)0)->d) == 4);

static const int32_t Whole_default_a = 1;
static const float Whole_default_b_x = 9.0f;
static const float Whole_default_b_y = 3.0f;
static const float Whole_default_c_y = 7.0f;
static const int32_t Whole_default_d = 8;

static const cosm_field Whole_fields[] = {
    {"a", COSM_FIELD_I32, offsetof(Whole, a), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, &Whole_default_a, false},
    {"b.x", COSM_FIELD_F32, offsetof(Whole, b.x), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     "A default of the whole and others of fields: those of fields are laid over it.", &Whole_default_b_x, false},
    {"b.y", COSM_FIELD_F32, offsetof(Whole, b.y), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     "A default of the whole and others of fields: those of fields are laid over it.", &Whole_default_b_y, false},
    {"c.x", COSM_FIELD_F32, offsetof(Whole, c.x), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     "A default of the whole and others of fields: those of fields are laid over it.", NULL, false},
    {"c.y", COSM_FIELD_F32, offsetof(Whole, c.y), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     "A default of the whole and others of fields: those of fields are laid over it.", &Whole_default_c_y, false},
    {"d", COSM_FIELD_I32, offsetof(Whole, d), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, &Whole_default_d, false},
};

cosm_component_type Whole_type = {
    {"Whole", sizeof(Whole), COSM_ALIGNOF(Whole), NULL, COSM_LAYOUT_STRUCT, Whole_fields, 6,
     NULL,
     COSM_STORAGE_COLUMN, {NULL, NULL, NULL, NULL, NULL, NULL, NULL}, false, "Whole"},
    0};

cosm_result nested_register_all(cosm_engine *engine) {
    bool done = true;
    done = done && cosm_component_register(engine, &Move_type).id != 0;
    done = done && cosm_component_register(engine, &Whole_type).id != 0;
    return done ? COSM_OK : cosm_error_result();
}
