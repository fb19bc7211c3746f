// The components of generated.h, described: made by cosm-gen, not to be edited.
// clang-format off
#include "generated.cosm.h"

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#define COSM_GEN_SAW(what) \
    static_assert(what, "generated.h is not as cosm-gen saw it; run cosm-gen again")

static const cosm_label Mood_labels_items[] = {
    {"MOOD_CALM", (int64_t)MOOD_CALM},
    {"MOOD_HUNGRY", (int64_t)MOOD_HUNGRY},
    {"MOOD_FLEEING", (int64_t)MOOD_FLEEING},
};
static const cosm_labels Mood_labels = {"Mood", COSM_LABELS_ENUM, 3, Mood_labels_items};

static const cosm_label Sense_mask_items[] = {
    {"SENSE_SIGHT", (int64_t)SENSE_SIGHT},
    {"SENSE_HEARING", (int64_t)SENSE_HEARING},
    {"SENSE_SMELL", (int64_t)SENSE_SMELL},
};
static const cosm_labels Sense_mask = {"Sense", COSM_LABELS_MASK, 3, Sense_mask_items};

COSM_GEN_SAW(sizeof(Place) == 8 && COSM_ALIGNOF(Place) == 4);
COSM_GEN_SAW(offsetof(Place, x) == 0 && sizeof(((Place *)0)->x) == 4);
COSM_GEN_SAW(offsetof(Place, y) == 4 && sizeof(((Place *)0)->y) == 4);

static const cosm_field Place_fields[] = {
    {"x", COSM_FIELD_F32, offsetof(Place, x), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, "m",
     NULL, NULL, false},
    {"y", COSM_FIELD_F32, offsetof(Place, y), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, "m",
     NULL, NULL, false},
};

cosm_component_type Place_type = {
    {"Place", sizeof(Place), COSM_ALIGNOF(Place), NULL, COSM_LAYOUT_SPLIT, Place_fields, 2,
     "Where a creature is: each float in an array of its own.",
     COSM_STORAGE_COLUMN, {NULL, NULL, NULL, NULL, NULL, NULL, NULL}, false, "Place"},
    0};

COSM_GEN_SAW(sizeof(Creature) == 36 && COSM_ALIGNOF(Creature) == 4);
COSM_GEN_SAW(offsetof(Creature, mood) == 0 && sizeof(((Creature *)0)->mood) == 4);
COSM_GEN_SAW(offsetof(Creature, senses) == 4 && sizeof(((Creature *)0)->senses) == 4);
COSM_GEN_SAW(offsetof(Creature, energy) == 8 && sizeof(((Creature *)0)->energy) == 4);
COSM_GEN_SAW(offsetof(Creature, follows) == 12 && sizeof(((Creature *)0)->follows) == 8);
COSM_GEN_SAW(offsetof(Creature, name) == 20 && sizeof(((Creature *)0)->name) == 16);

static const uint32_t Creature_default_senses = 1u;
static const float Creature_default_energy = 1.0f;

static const cosm_field Creature_fields[] = {
    {"mood", COSM_FIELD_U32, offsetof(Creature, mood), {0, 0, 0, 0}, 0, 0,
     &Mood_labels, 0.0, 0.0, NULL,
     NULL, NULL, false},
    {"senses", COSM_FIELD_U32, offsetof(Creature, senses), {0, 0, 0, 0}, 0, 0,
     &Sense_mask, 0.0, 0.0, NULL,
     NULL, &Creature_default_senses, false},
    {"energy", COSM_FIELD_F32, offsetof(Creature, energy), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 1.0, NULL,
     "of what it can have", &Creature_default_energy, false},
    {"follows", COSM_FIELD_ENTITY, offsetof(Creature, follows), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     "another creature, or none", NULL, false},
    {"name", COSM_FIELD_CHAR, offsetof(Creature, name), {16, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, NULL, false},
};

cosm_component_type Creature_type = {
    {"Creature", sizeof(Creature), COSM_ALIGNOF(Creature), NULL, COSM_LAYOUT_STRUCT, Creature_fields, 5,
     NULL,
     COSM_STORAGE_COLUMN, {NULL, NULL, NULL, NULL, NULL, NULL, NULL}, false, "Creature"},
    0};

cosm_component_type Asleep_type = {
    {"Asleep", 0, 1, NULL, COSM_LAYOUT_STRUCT, NULL, 0,
     "Cannot move for a while.",
     COSM_STORAGE_COLUMN, {NULL, NULL, NULL, NULL, NULL, NULL, NULL}, false, "Asleep"},
    0};

cosm_result generated_register_all(cosm_engine *engine) {
    bool done = true;
    done = done && cosm_component_register(engine, &Place_type).id != 0;
    done = done && cosm_component_register(engine, &Creature_type).id != 0;
    done = done && cosm_component_register(engine, &Asleep_type).id != 0;
    return done ? COSM_OK : cosm_error_result();
}
