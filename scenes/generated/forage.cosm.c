// The components of forage.h, described: made by cosm-gen, not to be edited.
// clang-format off
#include "forage.cosm.h"

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#define COSM_GEN_SAW(what) \
    static_assert(what, "forage.h is not as cosm-gen saw it; run cosm-gen again")

static const cosm_label ForageTile_labels_items[] = {
    {"FORAGE_EMPTY", (int64_t)FORAGE_EMPTY},
    {"FORAGE_WALL", (int64_t)FORAGE_WALL},
    {"FORAGE_FOOD", (int64_t)FORAGE_FOOD},
    {"FORAGE_AGENT", (int64_t)FORAGE_AGENT},
};
static const cosm_labels ForageTile_labels = {"ForageTile", COSM_LABELS_ENUM, 4, ForageTile_labels_items};

COSM_GEN_SAW(sizeof(ForagePlace) == 4 && COSM_ALIGNOF(ForagePlace) == 4);
COSM_GEN_SAW(offsetof(ForagePlace, cell) == 0 && sizeof(((ForagePlace *)0)->cell) == 4);

static const cosm_field ForagePlace_fields[] = {
    {"cell", COSM_FIELD_U32, offsetof(ForagePlace, cell), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 99.0, NULL,
     "y * FORAGE_SIDE + x", NULL, true},
};

cosm_component_type ForagePlace_type = {
    {"ForagePlace", sizeof(ForagePlace), COSM_ALIGNOF(ForagePlace), NULL, COSM_LAYOUT_STRUCT, ForagePlace_fields, 1,
     "Where an agent is. No two are on one cell.",
     COSM_STORAGE_COLUMN, {NULL, NULL, NULL, NULL, NULL, NULL, NULL}, false, "ForagePlace"},
    0};

COSM_GEN_SAW(sizeof(ForageEnergy) == 4 && COSM_ALIGNOF(ForageEnergy) == 4);
COSM_GEN_SAW(offsetof(ForageEnergy, left) == 0 && sizeof(((ForageEnergy *)0)->left) == 4);

static const cosm_field ForageEnergy_fields[] = {
    {"left", COSM_FIELD_I32, offsetof(ForageEnergy, left), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 60.0, NULL,
     NULL, NULL, true},
};

cosm_component_type ForageEnergy_type = {
    {"ForageEnergy", sizeof(ForageEnergy), COSM_ALIGNOF(ForageEnergy), NULL, COSM_LAYOUT_STRUCT, ForageEnergy_fields, 1,
     "One less with every step. An agent that has none left has starved.",
     COSM_STORAGE_COLUMN, {NULL, NULL, NULL, NULL, NULL, NULL, NULL}, false, "ForageEnergy"},
    0};

COSM_GEN_SAW(sizeof(ForageAction) == 4 && COSM_ALIGNOF(ForageAction) == 4);
COSM_GEN_SAW(offsetof(ForageAction, move) == 0 && sizeof(((ForageAction *)0)->move) == 4);

static const cosm_field ForageAction_fields[] = {
    {"move", COSM_FIELD_I32, offsetof(ForageAction, move), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 4.0, NULL,
     NULL, NULL, false},
};

cosm_component_type ForageAction_type = {
    {"ForageAction", sizeof(ForageAction), COSM_ALIGNOF(ForageAction), NULL, COSM_LAYOUT_STRUCT, ForageAction_fields, 1,
     "A move that is not allowed counts as staying.",
     COSM_STORAGE_COLUMN, {NULL, NULL, NULL, NULL, NULL, NULL, NULL}, false, "ForageAction"},
    0};

COSM_GEN_SAW(sizeof(ForageReward) == 4 && COSM_ALIGNOF(ForageReward) == 4);
COSM_GEN_SAW(offsetof(ForageReward, value) == 0 && sizeof(((ForageReward *)0)->value) == 4);

static const cosm_field ForageReward_fields[] = {
    {"value", COSM_FIELD_F32, offsetof(ForageReward, value), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, NULL, false},
};

cosm_component_type ForageReward_type = {
    {"ForageReward", sizeof(ForageReward), COSM_ALIGNOF(ForageReward), NULL, COSM_LAYOUT_STRUCT, ForageReward_fields, 1,
     "One for food, minus one for starving.",
     COSM_STORAGE_COLUMN, {NULL, NULL, NULL, NULL, NULL, NULL, NULL}, false, "ForageReward"},
    0};

COSM_GEN_SAW(sizeof(ForageTerminated) == 1 && COSM_ALIGNOF(ForageTerminated) == 1);
COSM_GEN_SAW(offsetof(ForageTerminated, is_so) == 0 && sizeof(((ForageTerminated *)0)->is_so) == 1);

static const cosm_field ForageTerminated_fields[] = {
    {"is_so", COSM_FIELD_BOOL, offsetof(ForageTerminated, is_so), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, NULL, true},
};

cosm_component_type ForageTerminated_type = {
    {"ForageTerminated", sizeof(ForageTerminated), COSM_ALIGNOF(ForageTerminated), NULL, COSM_LAYOUT_STRUCT, ForageTerminated_fields, 1,
     "It has starved. Its row stays until the beginning of the next step.",
     COSM_STORAGE_COLUMN, {NULL, NULL, NULL, NULL, NULL, NULL, NULL}, false, "ForageTerminated"},
    0};

COSM_GEN_SAW(sizeof(ForageMask) == 5 && COSM_ALIGNOF(ForageMask) == 1);
COSM_GEN_SAW(offsetof(ForageMask, allowed) == 0 && sizeof(((ForageMask *)0)->allowed) == 5);

static const cosm_field ForageMask_fields[] = {
    {"allowed", COSM_FIELD_U8, offsetof(ForageMask, allowed), {5, 0, 0, 0}, 0, 0,
     NULL, 0.0, 1.0, NULL,
     NULL, NULL, false},
};

cosm_component_type ForageMask_type = {
    {"ForageMask", sizeof(ForageMask), COSM_ALIGNOF(ForageMask), NULL, COSM_LAYOUT_STRUCT, ForageMask_fields, 1,
     "Which moves are allowed: those to cells with neither a wall nor another agent.",
     COSM_STORAGE_COLUMN, {NULL, NULL, NULL, NULL, NULL, NULL, NULL}, false, "ForageMask"},
    0};

COSM_GEN_SAW(sizeof(ForageWindow) == 25 && COSM_ALIGNOF(ForageWindow) == 1);
COSM_GEN_SAW(offsetof(ForageWindow, cells) == 0 && sizeof(((ForageWindow *)0)->cells) == 25);

static const cosm_field ForageWindow_fields[] = {
    {"cells", COSM_FIELD_U8, offsetof(ForageWindow, cells), {5, 5, 0, 0}, 0, 0,
     NULL, 0.0, 3.0, NULL,
     "rows from north to south; ForageTile", NULL, false},
};

cosm_component_type ForageWindow_type = {
    {"ForageWindow", sizeof(ForageWindow), COSM_ALIGNOF(ForageWindow), NULL, COSM_LAYOUT_STRUCT, ForageWindow_fields, 1,
     "The cells around an agent, itself in the middle; beyond the border all is wall.",
     COSM_STORAGE_COLUMN, {NULL, NULL, NULL, NULL, NULL, NULL, NULL}, false, "ForageWindow"},
    0};

COSM_GEN_SAW(sizeof(ForageSelf) == 8 && COSM_ALIGNOF(ForageSelf) == 4);
COSM_GEN_SAW(offsetof(ForageSelf, energy) == 0 && sizeof(((ForageSelf *)0)->energy) == 4);
COSM_GEN_SAW(offsetof(ForageSelf, crowd) == 4 && sizeof(((ForageSelf *)0)->crowd) == 4);

static const cosm_field ForageSelf_fields[] = {
    {"energy", COSM_FIELD_F32, offsetof(ForageSelf, energy), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 1.0, NULL,
     "of FORAGE_ENERGY_MAX", NULL, false},
    {"crowd", COSM_FIELD_F32, offsetof(ForageSelf, crowd), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 1.0, NULL,
     "agents in the world, of FORAGE_AGENT_MAX", NULL, false},
};

cosm_component_type ForageSelf_type = {
    {"ForageSelf", sizeof(ForageSelf), COSM_ALIGNOF(ForageSelf), NULL, COSM_LAYOUT_STRUCT, ForageSelf_fields, 2,
     "How an agent itself fares.",
     COSM_STORAGE_COLUMN, {NULL, NULL, NULL, NULL, NULL, NULL, NULL}, false, "ForageSelf"},
    0};

COSM_GEN_SAW(sizeof(ForageRules) == 12 && COSM_ALIGNOF(ForageRules) == 4);
COSM_GEN_SAW(offsetof(ForageRules, agents) == 0 && sizeof(((ForageRules *)0)->agents) == 4);
COSM_GEN_SAW(offsetof(ForageRules, food) == 4 && sizeof(((ForageRules *)0)->food) == 4);
COSM_GEN_SAW(offsetof(ForageRules, births) == 8 && sizeof(((ForageRules *)0)->births) == 4);

static const uint32_t ForageRules_default_agents = 4u;
static const uint32_t ForageRules_default_food = 10u;
static const uint32_t ForageRules_default_births = 1u;

static const cosm_field ForageRules_fields[] = {
    {"agents", COSM_FIELD_U32, offsetof(ForageRules, agents), {0, 0, 0, 0}, 0, 0,
     NULL, 1.0, 8.0, NULL,
     "to begin with", &ForageRules_default_agents, false},
    {"food", COSM_FIELD_U32, offsetof(ForageRules, food), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 24.0, NULL,
     "that there may be", &ForageRules_default_food, false},
    {"births", COSM_FIELD_U32, offsetof(ForageRules, births), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 1.0, NULL,
     "zero: rich agents do not split", &ForageRules_default_births, false},
};

cosm_singleton_type ForageRules_type = {
    {"ForageRules", sizeof(ForageRules), COSM_ALIGNOF(ForageRules), NULL, ForageRules_fields, 3,
     "What a world is to be like. Looked at when an episode begins, but for `births`.", "ForageRules"},
    0};

COSM_GEN_SAW(sizeof(ForageGround) == 100 && COSM_ALIGNOF(ForageGround) == 1);
COSM_GEN_SAW(offsetof(ForageGround, cells) == 0 && sizeof(((ForageGround *)0)->cells) == 100);

static const cosm_field ForageGround_fields[] = {
    {"cells", COSM_FIELD_U8, offsetof(ForageGround, cells), {100, 0, 0, 0}, 0, 0,
     &ForageTile_labels, 0.0, 0.0, NULL,
     NULL, NULL, false},
};

cosm_singleton_type ForageGround_type = {
    {"ForageGround", sizeof(ForageGround), COSM_ALIGNOF(ForageGround), NULL, ForageGround_fields, 1,
     "What is on each cell of a world. The border is wall.", "ForageGround"},
    0};

COSM_GEN_SAW(sizeof(ForageTally) == 24 && COSM_ALIGNOF(ForageTally) == 4);
COSM_GEN_SAW(offsetof(ForageTally, food_max) == 0 && sizeof(((ForageTally *)0)->food_max) == 4);
COSM_GEN_SAW(offsetof(ForageTally, food) == 4 && sizeof(((ForageTally *)0)->food) == 4);
COSM_GEN_SAW(offsetof(ForageTally, sown) == 8 && sizeof(((ForageTally *)0)->sown) == 4);
COSM_GEN_SAW(offsetof(ForageTally, eaten) == 12 && sizeof(((ForageTally *)0)->eaten) == 4);
COSM_GEN_SAW(offsetof(ForageTally, born) == 16 && sizeof(((ForageTally *)0)->born) == 4);
COSM_GEN_SAW(offsetof(ForageTally, starved) == 20 && sizeof(((ForageTally *)0)->starved) == 4);

static const cosm_field ForageTally_fields[] = {
    {"food_max", COSM_FIELD_U32, offsetof(ForageTally, food_max), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     "what ForageRules said when it began", NULL, false},
    {"food", COSM_FIELD_U32, offsetof(ForageTally, food), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     "on the ground now: sown less eaten", NULL, false},
    {"sown", COSM_FIELD_U32, offsetof(ForageTally, sown), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, NULL, false},
    {"eaten", COSM_FIELD_U32, offsetof(ForageTally, eaten), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, NULL, false},
    {"born", COSM_FIELD_U32, offsetof(ForageTally, born), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, NULL, false},
    {"starved", COSM_FIELD_U32, offsetof(ForageTally, starved), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, NULL, false},
};

cosm_singleton_type ForageTally_type = {
    {"ForageTally", sizeof(ForageTally), COSM_ALIGNOF(ForageTally), NULL, ForageTally_fields, 6,
     "How the episode has gone so far.", "ForageTally"},
    0};

cosm_result forage_register_all(cosm_engine *engine) {
    bool done = true;
    done = done && cosm_component_register(engine, &ForagePlace_type).id != 0;
    done = done && cosm_component_register(engine, &ForageEnergy_type).id != 0;
    done = done && cosm_component_register(engine, &ForageAction_type).id != 0;
    done = done && cosm_component_register(engine, &ForageReward_type).id != 0;
    done = done && cosm_component_register(engine, &ForageTerminated_type).id != 0;
    done = done && cosm_component_register(engine, &ForageMask_type).id != 0;
    done = done && cosm_component_register(engine, &ForageWindow_type).id != 0;
    done = done && cosm_component_register(engine, &ForageSelf_type).id != 0;
    done = done && cosm_singleton_register(engine, &ForageRules_type).id != 0;
    done = done && cosm_singleton_register(engine, &ForageGround_type).id != 0;
    done = done && cosm_singleton_register(engine, &ForageTally_type).id != 0;
    return done ? COSM_OK : cosm_error_result();
}
