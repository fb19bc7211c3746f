// The components of every.h, described: made by cosm-gen, not to be edited.
// clang-format off
#include "every.cosm.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>

#define COSM_GEN_SAW(what) \
    static_assert(what, "every.h is not as cosm-gen saw it; run cosm-gen again")

static const cosm_label Color_labels_items[] = {
    {"COLOR_NONE", (int64_t)COLOR_NONE},
    {"COLOR_RED", (int64_t)COLOR_RED},
    {"COLOR_BLUE", (int64_t)COLOR_BLUE},
};
static const cosm_labels Color_labels = {"Color", COSM_LABELS_ENUM, 3, Color_labels_items};

static const cosm_label Flags_mask_items[] = {
    {"FLAG_HOT", (int64_t)FLAG_HOT},
    {"FLAG_WET", (int64_t)FLAG_WET},
    {"FLAG_BOTH", (int64_t)FLAG_BOTH},
};
static const cosm_labels Flags_mask = {"Flags", COSM_LABELS_MASK, 3, Flags_mask_items};

static const cosm_label Mood_labels_items[] = {
    {"MOOD_CALM", (int64_t)MOOD_CALM},
    {"MOOD_ANGRY", (int64_t)MOOD_ANGRY},
};
static const cosm_labels Mood_labels = {"Mood", COSM_LABELS_ENUM, 2, Mood_labels_items};

COSM_GEN_SAW(sizeof(Thing) == 208 && COSM_ALIGNOF(Thing) == 8);
COSM_GEN_SAW(offsetof(Thing, mass) == 0 && sizeof(((Thing *)0)->mass) == 4);
COSM_GEN_SAW(offsetof(Thing, precise) == 8 && sizeof(((Thing *)0)->precise) == 8);
COSM_GEN_SAW(offsetof(Thing, i8) == 16 && sizeof(((Thing *)0)->i8) == 1);
COSM_GEN_SAW(offsetof(Thing, i16) == 18 && sizeof(((Thing *)0)->i16) == 2);
COSM_GEN_SAW(offsetof(Thing, i32) == 20 && sizeof(((Thing *)0)->i32) == 4);
COSM_GEN_SAW(offsetof(Thing, more) == 24 && sizeof(((Thing *)0)->more) == 4);
COSM_GEN_SAW(offsetof(Thing, i64) == 32 && sizeof(((Thing *)0)->i64) == 8);
COSM_GEN_SAW(offsetof(Thing, u8) == 40 && sizeof(((Thing *)0)->u8) == 1);
COSM_GEN_SAW(offsetof(Thing, u16) == 42 && sizeof(((Thing *)0)->u16) == 2);
COSM_GEN_SAW(offsetof(Thing, u32) == 44 && sizeof(((Thing *)0)->u32) == 4);
COSM_GEN_SAW(offsetof(Thing, u64) == 48 && sizeof(((Thing *)0)->u64) == 8);
COSM_GEN_SAW(offsetof(Thing, ull) == 56 && sizeof(((Thing *)0)->ull) == 8);
COSM_GEN_SAW(offsetof(Thing, size) == 64 && sizeof(((Thing *)0)->size) == 8);
COSM_GEN_SAW(offsetof(Thing, on) == 72 && sizeof(((Thing *)0)->on) == 1);
COSM_GEN_SAW(offsetof(Thing, target) == 76 && sizeof(((Thing *)0)->target) == 8);
COSM_GEN_SAW(offsetof(Thing, friends) == 84 && sizeof(((Thing *)0)->friends) == 16);
COSM_GEN_SAW(offsetof(Thing, color) == 100 && sizeof(((Thing *)0)->color) == 4);
COSM_GEN_SAW(offsetof(Thing, flags) == 104 && sizeof(((Thing *)0)->flags) == 4);
COSM_GEN_SAW(offsetof(Thing, mask) == 108 && sizeof(((Thing *)0)->mask) == 2);
COSM_GEN_SAW(offsetof(Thing, name) == 110 && sizeof(((Thing *)0)->name) == 16);
COSM_GEN_SAW(offsetof(Thing, lines) == 126 && sizeof(((Thing *)0)->lines) == 16);
COSM_GEN_SAW(offsetof(Thing, mood) == 142 && sizeof(((Thing *)0)->mood) == 1);
COSM_GEN_SAW(sizeof(Thing_mood_row) == 2);
COSM_GEN_SAW(offsetof(Thing, grid) == 144 && sizeof(((Thing *)0)->grid) == 24);
COSM_GEN_SAW(offsetof(Thing, velocity.x) == 168 && sizeof(((Thing *)0)->velocity.x) == 4);
COSM_GEN_SAW(offsetof(Thing, velocity.y) == 172 && sizeof(((Thing *)0)->velocity.y) == 4);
COSM_GEN_SAW(offsetof(Thing, items[0].count) == 176 && sizeof(((Thing *)0)->items[0].count) == 1);
COSM_GEN_SAW(offsetof(Thing, items[0].flags) == 180 && sizeof(((Thing *)0)->items[0].flags) == 4);
COSM_GEN_SAW(offsetof(Thing, items[1].count) == 184 && sizeof(((Thing *)0)->items[1].count) == 1);
COSM_GEN_SAW(offsetof(Thing, items[1].flags) == 188 && sizeof(((Thing *)0)->items[1].flags) == 4);
COSM_GEN_SAW(offsetof(Thing, path[0].x) == 192 && sizeof(((Thing *)0)->path[0].x) == 4);
COSM_GEN_SAW(offsetof(Thing, path[0].y) == 196 && sizeof(((Thing *)0)->path[0].y) == 4);
COSM_GEN_SAW(offsetof(Thing, path[1].x) == 200 && sizeof(((Thing *)0)->path[1].x) == 4);
COSM_GEN_SAW(offsetof(Thing, path[1].y) == 204 && sizeof(((Thing *)0)->path[1].y) == 4);

static const float Thing_default_mass = 2.0f;
static const int16_t Thing_default_i16 = -300;
static const int64_t Thing_default_i64 = INT64_MIN;
static const uint32_t Thing_default_u32 = 4294967295u;
static const bool Thing_default_on = true;
static const int32_t Thing_default_color = 5;
static const char Thing_default_name[16] = "nobody";
static const char Thing_default_lines[2][8] = {"one", "two"};
static const float Thing_default_grid[2][3] = {{1.0f, 2.0f, 3.0f}, {4.0f, 5.0f, 0.1f}};
static const uint8_t Thing_default_items_1_count = 7;
static const uint32_t Thing_default_items_1_flags = 2u;

static const cosm_field Thing_fields[] = {
    {"mass", COSM_FIELD_F32, offsetof(Thing, mass), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 100.0, "kg",
     "what it weighs, hat included", &Thing_default_mass, false},
    {"precise", COSM_FIELD_F64, offsetof(Thing, precise), {0, 0, 0, 0}, 0, 0,
     NULL, -0.5, HUGE_VAL, NULL,
     NULL, NULL, false},
    {"i8", COSM_FIELD_I8, offsetof(Thing, i8), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, NULL, false},
    {"i16", COSM_FIELD_I16, offsetof(Thing, i16), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, &Thing_default_i16, false},
    {"i32", COSM_FIELD_I32, offsetof(Thing, i32), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, NULL, false},
    {"more", COSM_FIELD_I32, offsetof(Thing, more), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, NULL, false},
    {"i64", COSM_FIELD_I64, offsetof(Thing, i64), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, &Thing_default_i64, false},
    {"u8", COSM_FIELD_U8, offsetof(Thing, u8), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 9.0, NULL,
     NULL, NULL, true},
    {"u16", COSM_FIELD_U16, offsetof(Thing, u16), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, NULL, false},
    {"u32", COSM_FIELD_U32, offsetof(Thing, u32), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, &Thing_default_u32, false},
    {"u64", COSM_FIELD_U64, offsetof(Thing, u64), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, NULL, false},
    {"ull", COSM_FIELD_U64, offsetof(Thing, ull), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, NULL, false},
    {"size", COSM_FIELD_U64, offsetof(Thing, size), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, NULL, false},
    {"on", COSM_FIELD_BOOL, offsetof(Thing, on), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, &Thing_default_on, true},
    {"target", COSM_FIELD_ENTITY, offsetof(Thing, target), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     "Whom it follows.", NULL, false},
    {"friends", COSM_FIELD_ENTITY, offsetof(Thing, friends), {2, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, NULL, false},
    {"color", COSM_FIELD_I32, offsetof(Thing, color), {0, 0, 0, 0}, 0, 0,
     &Color_labels, 0.0, 0.0, NULL,
     NULL, &Thing_default_color, false},
    {"flags", COSM_FIELD_U32, offsetof(Thing, flags), {0, 0, 0, 0}, 0, 0,
     &Flags_mask, 0.0, 0.0, NULL,
     NULL, NULL, false},
    {"mask", COSM_FIELD_U16, offsetof(Thing, mask), {0, 0, 0, 0}, 0, 0,
     &Flags_mask, 0.0, 0.0, NULL,
     NULL, NULL, false},
    {"name", COSM_FIELD_CHAR, offsetof(Thing, name), {16, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, Thing_default_name, false},
    {"lines", COSM_FIELD_CHAR, offsetof(Thing, lines), {2, 8, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, Thing_default_lines, false},
    {"mood", COSM_FIELD_U8, offsetof(Thing, mood), {0, 0, 0, 0}, 0, 1,
     &Mood_labels, 0.0, 0.0, NULL,
     NULL, NULL, true},
    {"grid", COSM_FIELD_F32, offsetof(Thing, grid), {2, 3, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, Thing_default_grid, false},
    {"velocity.x", COSM_FIELD_F32, offsetof(Thing, velocity.x), {0, 0, 0, 0}, 0, 0,
     NULL, -HUGE_VAL, 10.0, "m/s",
     "to the right", NULL, false},
    {"velocity.y", COSM_FIELD_F32, offsetof(Thing, velocity.y), {0, 0, 0, 0}, 0, 0,
     NULL, -HUGE_VAL, 10.0, "m/s",
     "how it moves", NULL, false},
    {"items[0].count", COSM_FIELD_U8, offsetof(Thing, items[0].count), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, NULL, false},
    {"items[0].flags", COSM_FIELD_U32, offsetof(Thing, items[0].flags), {0, 0, 0, 0}, 0, 0,
     &Flags_mask, 0.0, 0.0, NULL,
     NULL, NULL, false},
    {"items[1].count", COSM_FIELD_U8, offsetof(Thing, items[1].count), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, &Thing_default_items_1_count, false},
    {"items[1].flags", COSM_FIELD_U32, offsetof(Thing, items[1].flags), {0, 0, 0, 0}, 0, 0,
     &Flags_mask, 0.0, 0.0, NULL,
     NULL, &Thing_default_items_1_flags, false},
    {"path[0].x", COSM_FIELD_F32, offsetof(Thing, path[0].x), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     "to the right", NULL, false},
    {"path[0].y", COSM_FIELD_F32, offsetof(Thing, path[0].y), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, NULL, false},
    {"path[1].x", COSM_FIELD_F32, offsetof(Thing, path[1].x), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     "to the right", NULL, false},
    {"path[1].y", COSM_FIELD_F32, offsetof(Thing, path[1].y), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, NULL, false},
};

cosm_component_type Thing_type = {
    {"a thing", sizeof(Thing), COSM_ALIGNOF(Thing), NULL, COSM_LAYOUT_SPLIT, Thing_fields, 33,
     "A thing with everything that a component can have, laid out field by field.\nIts docs have two paragraphs.",
     COSM_STORAGE_COLUMN, {NULL, NULL, NULL, NULL, NULL, NULL, NULL}, false, "Thing"},
    0};

COSM_GEN_SAW(sizeof(struct Pose) == 16 && COSM_ALIGNOF(struct Pose) == 4);
COSM_GEN_SAW(offsetof(struct Pose, position.x) == 0 && sizeof(((struct Pose *)0)->position.x) == 4);
COSM_GEN_SAW(offsetof(struct Pose, position.y) == 4 && sizeof(((struct Pose *)0)->position.y) == 4);
COSM_GEN_SAW(offsetof(struct Pose, scale.x) == 8 && sizeof(((struct Pose *)0)->scale.x) == 4);
COSM_GEN_SAW(offsetof(struct Pose, scale.y) == 12 && sizeof(((struct Pose *)0)->scale.y) == 4);

static const float Pose_default_position_x = 1.0f;
static const float Pose_default_position_y = 2.0f;
static const float Pose_default_scale_x = 1.0f;
static const float Pose_default_scale_y = 1.0f;

static const cosm_field Pose_fields[] = {
    {"position.x", COSM_FIELD_F32, offsetof(struct Pose, position.x), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     "to the right", &Pose_default_position_x, false},
    {"position.y", COSM_FIELD_F32, offsetof(struct Pose, position.y), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, &Pose_default_position_y, false},
    {"scale.x", COSM_FIELD_F32, offsetof(struct Pose, scale.x), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     "to the right", &Pose_default_scale_x, false},
    {"scale.y", COSM_FIELD_F32, offsetof(struct Pose, scale.y), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, &Pose_default_scale_y, false},
};

cosm_component_type Pose_type = {
    {"Pose", sizeof(struct Pose), COSM_ALIGNOF(struct Pose), NULL, COSM_LAYOUT_STRUCT, Pose_fields, 4,
     "The same layout as C gives it.",
     COSM_STORAGE_COLUMN, {NULL, NULL, NULL, NULL, NULL, NULL, NULL}, false, "struct Pose"},
    0};

cosm_component_type Sleeping_type = {
    {"Sleeping", 0, 1, NULL, COSM_LAYOUT_STRUCT, NULL, 0,
     "cannot move",
     COSM_STORAGE_COLUMN, {NULL, NULL, NULL, NULL, NULL, NULL, NULL}, false, "Sleeping"},
    0};

cosm_component_type Burning_type = {
    {"Burning", 0, 1, NULL, COSM_LAYOUT_STRUCT, NULL, 0,
     NULL,
     COSM_STORAGE_COLUMN, {NULL, NULL, NULL, NULL, NULL, NULL, NULL}, false, "Burning"},
    0};

COSM_GEN_SAW(sizeof(Sky) == 12 && COSM_ALIGNOF(Sky) == 4);
COSM_GEN_SAW(offsetof(Sky, gravity) == 0 && sizeof(((Sky *)0)->gravity) == 4);
COSM_GEN_SAW(offsetof(Sky, normal.x) == 4 && sizeof(((Sky *)0)->normal.x) == 4);
COSM_GEN_SAW(offsetof(Sky, normal.y) == 8 && sizeof(((Sky *)0)->normal.y) == 4);

static const float Sky_default_gravity = -9.81f;
static const float Sky_default_normal_y = 1.0f;

static const cosm_field Sky_fields[] = {
    {"gravity", COSM_FIELD_F32, offsetof(Sky, gravity), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, &Sky_default_gravity, false},
    {"normal.x", COSM_FIELD_F32, offsetof(Sky, normal.x), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     "to the right", NULL, false},
    {"normal.y", COSM_FIELD_F32, offsetof(Sky, normal.y), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, &Sky_default_normal_y, false},
};

cosm_singleton_type Sky_type = {
    {"the sky", sizeof(Sky), COSM_ALIGNOF(Sky), NULL, Sky_fields, 3,
     NULL, "Sky"},
    0};

cosm_result every_register_all(cosm_engine *engine) {
    bool done = true;
    done = done && cosm_component_register(engine, &Thing_type).id != 0;
    done = done && cosm_component_register(engine, &Pose_type).id != 0;
    done = done && cosm_component_register(engine, &Sleeping_type).id != 0;
    done = done && cosm_component_register(engine, &Burning_type).id != 0;
    done = done && cosm_singleton_register(engine, &Sky_type).id != 0;
    return done ? COSM_OK : cosm_error_result();
}
