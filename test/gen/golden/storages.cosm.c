// The components of storages.h, described: made by cosm-gen, not to be edited.
// clang-format off
#include "storages.cosm.h"

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#define COSM_GEN_SAW(what) \
    static_assert(what, "storages.h is not as cosm-gen saw it; run cosm-gen again")

COSM_GEN_SAW(sizeof(Health) == 4 && COSM_ALIGNOF(Health) == 4);
COSM_GEN_SAW(offsetof(Health, points) == 0 && sizeof(((Health *)0)->points) == 4);

static const float Health_default_points = 100.0f;

static const cosm_field Health_fields[] = {
    {"points", COSM_FIELD_F32, offsetof(Health, points), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, &Health_default_points, false},
};

cosm_component_type Health_type = {
    {"Health", sizeof(Health), COSM_ALIGNOF(Health), NULL, COSM_LAYOUT_STRUCT, Health_fields, 1,
     "Its changes are kept row by row.",
     COSM_STORAGE_COLUMN, {NULL, NULL, NULL, NULL, NULL, NULL, NULL}, true, "Health"},
    0};

COSM_GEN_SAW(sizeof(Team) == 4 && COSM_ALIGNOF(Team) == 4);
COSM_GEN_SAW(offsetof(Team, number) == 0 && sizeof(((Team *)0)->number) == 4);

static const cosm_field Team_fields[] = {
    {"number", COSM_FIELD_U32, offsetof(Team, number), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, NULL, false},
};

cosm_component_type Team_type = {
    {"Team", sizeof(Team), COSM_ALIGNOF(Team), NULL, COSM_LAYOUT_STRUCT, Team_fields, 1,
     NULL,
     COSM_STORAGE_SHARED, {NULL, NULL, NULL, NULL, NULL, NULL, NULL}, false, "Team"},
    0};

COSM_GEN_SAW(sizeof(Material) == 16 && COSM_ALIGNOF(Material) == 4);
COSM_GEN_SAW(offsetof(Material, name) == 0 && sizeof(((Material *)0)->name) == 12);
COSM_GEN_SAW(offsetof(Material, shine) == 12 && sizeof(((Material *)0)->shine) == 4);

static const cosm_field Material_fields[] = {
    {"name", COSM_FIELD_CHAR, offsetof(Material, name), {12, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, NULL, false},
    {"shine", COSM_FIELD_F32, offsetof(Material, shine), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, NULL, false},
};

cosm_component_type Material_type = {
    {"Material", sizeof(Material), COSM_ALIGNOF(Material), NULL, COSM_LAYOUT_STRUCT, Material_fields, 2,
     "Equal where the names are.",
     COSM_STORAGE_SHARED, {NULL, NULL, NULL, NULL, material_equals, material_hash, NULL}, false, "Material"},
    0};

COSM_GEN_SAW(sizeof(Label) == 16 && COSM_ALIGNOF(Label) == 8);
COSM_GEN_SAW(offsetof(Label, length) == 8 && sizeof(((Label *)0)->length) == 4);

static const cosm_field Label_fields[] = {
    {"length", COSM_FIELD_U32, offsetof(Label, length), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, NULL, false},
};

cosm_component_type Label_type = {
    {"Label", sizeof(Label), COSM_ALIGNOF(Label), NULL, COSM_LAYOUT_STRUCT, Label_fields, 1,
     "A text of its own.",
     COSM_STORAGE_MANAGED, {NULL, label_copy, NULL, label_destroy, NULL, NULL, NULL}, false, "Label"},
    0};

COSM_GEN_SAW(sizeof(Mesh) == 8 && COSM_ALIGNOF(Mesh) == 8);

cosm_component_type Mesh_type = {
    {"Mesh", sizeof(Mesh), COSM_ALIGNOF(Mesh), NULL, COSM_LAYOUT_STRUCT, NULL, 0,
     "Nothing but a pointer: there is nothing to describe.",
     COSM_STORAGE_MANAGED, {mesh_construct, mesh_copy, mesh_move, mesh_destroy, NULL, NULL, NULL}, false, "Mesh"},
    0};

COSM_GEN_SAW(sizeof(Heat) == 4 && COSM_ALIGNOF(Heat) == 4);
COSM_GEN_SAW(offsetof(Heat, degrees) == 0 && sizeof(((Heat *)0)->degrees) == 4);

static const float Heat_default_degrees = 300.0f;

static const cosm_field Heat_fields[] = {
    {"degrees", COSM_FIELD_F32, offsetof(Heat, degrees), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, "K",
     NULL, &Heat_default_degrees, false},
};

cosm_component_type Heat_type = {
    {"Heat", sizeof(Heat), COSM_ALIGNOF(Heat), NULL, COSM_LAYOUT_STRUCT, Heat_fields, 1,
     NULL,
     COSM_STORAGE_SECTOR, {NULL, NULL, NULL, NULL, NULL, NULL, NULL}, false, "Heat"},
    0};

COSM_GEN_SAW(sizeof(Wound) == 2 && COSM_ALIGNOF(Wound) == 2);
COSM_GEN_SAW(offsetof(Wound, depth) == 0 && sizeof(((Wound *)0)->depth) == 2);

static const cosm_field Wound_fields[] = {
    {"depth", COSM_FIELD_U16, offsetof(Wound, depth), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, NULL, false},
};

cosm_component_type Wound_type = {
    {"Wound", sizeof(Wound), COSM_ALIGNOF(Wound), NULL, COSM_LAYOUT_STRUCT, Wound_fields, 1,
     NULL,
     COSM_STORAGE_SECTOR, {NULL, NULL, NULL, NULL, NULL, NULL, NULL}, false, "Wound"},
    0};

COSM_GEN_SAW(sizeof(Smoke) == 8 && COSM_ALIGNOF(Smoke) == 4);
COSM_GEN_SAW(offsetof(Smoke, density) == 0 && sizeof(((Smoke *)0)->density) == 4);
COSM_GEN_SAW(offsetof(Smoke, color) == 4 && sizeof(((Smoke *)0)->color) == 4);

static const cosm_field Smoke_fields[] = {
    {"density", COSM_FIELD_F32, offsetof(Smoke, density), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, NULL, false},
    {"color", COSM_FIELD_U32, offsetof(Smoke, color), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, NULL, false},
};

cosm_component_type Smoke_type = {
    {"Smoke", sizeof(Smoke), COSM_ALIGNOF(Smoke), NULL, COSM_LAYOUT_STRUCT, Smoke_fields, 2,
     "Comes with heat.",
     COSM_STORAGE_SECTOR, {NULL, NULL, NULL, NULL, NULL, NULL, NULL}, false, "Smoke"},
    0};

cosm_result storages_register_all(cosm_engine *engine) {
    bool done = true;
    done = done && cosm_component_register(engine, &Health_type).id != 0;
    done = done && cosm_component_register(engine, &Team_type).id != 0;
    done = done && cosm_component_register(engine, &Material_type).id != 0;
    done = done && cosm_component_register(engine, &Label_type).id != 0;
    done = done && cosm_component_register(engine, &Mesh_type).id != 0;
    done = done && cosm_component_register(engine, &Heat_type).id != 0;
    done = done && cosm_component_register(engine, &Wound_type).id != 0;
    done = done && cosm_component_register(engine, &Smoke_type).id != 0;
    if (done) {
        cosm_sector_group_desc group = {"fire", NULL, {
            Heat_component(engine),
            Smoke_component(engine)}, 0, 0.0f};
        done = cosm_sector_group_define(engine, &group).id != 0;
    }
    return done ? COSM_OK : cosm_error_result();
}
