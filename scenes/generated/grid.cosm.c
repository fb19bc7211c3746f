// The components of grid.h, described: made by cosm-gen, not to be edited.
// clang-format off
#include "grid.cosm.h"

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#define COSM_GEN_SAW(what) \
    static_assert(what, "grid.h is not as cosm-gen saw it; run cosm-gen again")

static const cosm_label Way_labels_items[] = {
    {"WAY_EAST", (int64_t)WAY_EAST},
    {"WAY_SOUTH", (int64_t)WAY_SOUTH},
    {"WAY_WEST", (int64_t)WAY_WEST},
    {"WAY_NORTH", (int64_t)WAY_NORTH},
};
static const cosm_labels Way_labels = {"Way", COSM_LABELS_ENUM, 4, Way_labels_items};

static const cosm_label Tile_labels_items[] = {
    {"CELL_EMPTY", (int64_t)CELL_EMPTY},
    {"CELL_WALL", (int64_t)CELL_WALL},
    {"CELL_FOOD", (int64_t)CELL_FOOD},
    {"CELL_AGENT", (int64_t)CELL_AGENT},
};
static const cosm_labels Tile_labels = {"Tile", COSM_LABELS_ENUM, 4, Tile_labels_items};

COSM_GEN_SAW(sizeof(Cell) == 4 && COSM_ALIGNOF(Cell) == 4);
COSM_GEN_SAW(offsetof(Cell, index) == 0 && sizeof(((Cell *)0)->index) == 4);

static const cosm_field Cell_fields[] = {
    {"index", COSM_FIELD_U32, offsetof(Cell, index), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 255.0, NULL,
     "y * GRID_SIDE + x", NULL, true},
};

cosm_component_type Cell_type = {
    {"Cell", sizeof(Cell), COSM_ALIGNOF(Cell), NULL, COSM_LAYOUT_STRUCT, Cell_fields, 1,
     NULL,
     COSM_STORAGE_COLUMN, {NULL, NULL, NULL, NULL, NULL, NULL, NULL}, false, "Cell"},
    0};

COSM_GEN_SAW(sizeof(Energy) == 4 && COSM_ALIGNOF(Energy) == 4);
COSM_GEN_SAW(offsetof(Energy, left) == 0 && sizeof(((Energy *)0)->left) == 4);

static const cosm_field Energy_fields[] = {
    {"left", COSM_FIELD_I32, offsetof(Energy, left), {0, 0, 0, 0}, 0, 0,
     NULL, -1000000000.0, 1000000000.0, NULL,
     "Within this, a step's energy more or less does not overflow.", NULL, true},
};

cosm_component_type Energy_type = {
    {"Energy", sizeof(Energy), COSM_ALIGNOF(Energy), NULL, COSM_LAYOUT_STRUCT, Energy_fields, 1,
     NULL,
     COSM_STORAGE_COLUMN, {NULL, NULL, NULL, NULL, NULL, NULL, NULL}, false, "Energy"},
    0};

COSM_GEN_SAW(sizeof(Heading) == 4 && COSM_ALIGNOF(Heading) == 4);
COSM_GEN_SAW(offsetof(Heading, way) == 0 && sizeof(((Heading *)0)->way) == 4);

static const cosm_field Heading_fields[] = {
    {"way", COSM_FIELD_U32, offsetof(Heading, way), {0, 0, 0, 0}, 0, 0,
     &Way_labels, 0.0, 0.0, NULL,
     NULL, NULL, true},
};

cosm_component_type Heading_type = {
    {"Heading", sizeof(Heading), COSM_ALIGNOF(Heading), NULL, COSM_LAYOUT_STRUCT, Heading_fields, 1,
     NULL,
     COSM_STORAGE_COLUMN, {NULL, NULL, NULL, NULL, NULL, NULL, NULL}, false, "Heading"},
    0};

COSM_GEN_SAW(sizeof(Season) == 8 && COSM_ALIGNOF(Season) == 4);
COSM_GEN_SAW(offsetof(Season, day) == 0 && sizeof(((Season *)0)->day) == 4);
COSM_GEN_SAW(offsetof(Season, count) == 4 && sizeof(((Season *)0)->count) == 4);

static const cosm_field Season_fields[] = {
    {"day", COSM_FIELD_U32, offsetof(Season, day), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     "steps since the season began", NULL, false},
    {"count", COSM_FIELD_U32, offsetof(Season, count), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, NULL, false},
};

cosm_component_type Season_type = {
    {"Season", sizeof(Season), COSM_ALIGNOF(Season), NULL, COSM_LAYOUT_STRUCT, Season_fields, 2,
     NULL,
     COSM_STORAGE_COLUMN, {NULL, NULL, NULL, NULL, NULL, NULL, NULL}, false, "Season"},
    0};

COSM_GEN_SAW(sizeof(Bite) == 12 && COSM_ALIGNOF(Bite) == 4);
COSM_GEN_SAW(offsetof(Bite, eater) == 0 && sizeof(((Bite *)0)->eater) == 8);
COSM_GEN_SAW(offsetof(Bite, energy) == 8 && sizeof(((Bite *)0)->energy) == 4);

static const cosm_field Bite_fields[] = {
    {"eater", COSM_FIELD_ENTITY, offsetof(Bite, eater), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, NULL, false},
    {"energy", COSM_FIELD_I32, offsetof(Bite, energy), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 5.0, NULL,
     NULL, NULL, true},
};

cosm_component_type Bite_type = {
    {"Bite", sizeof(Bite), COSM_ALIGNOF(Bite), NULL, COSM_LAYOUT_STRUCT, Bite_fields, 2,
     "An agent has eaten: lasts until the end of the step.",
     COSM_STORAGE_COLUMN, {NULL, NULL, NULL, NULL, NULL, NULL, NULL}, false, "Bite"},
    0};

cosm_component_type Edible_type = {
    {"Edible", 0, 1, NULL, COSM_LAYOUT_STRUCT, NULL, 0,
     "Food.",
     COSM_STORAGE_COLUMN, {NULL, NULL, NULL, NULL, NULL, NULL, NULL}, false, "Edible"},
    0};

COSM_GEN_SAW(sizeof(Ground) == 256 && COSM_ALIGNOF(Ground) == 1);
COSM_GEN_SAW(offsetof(Ground, cells) == 0 && sizeof(((Ground *)0)->cells) == 256);

static const cosm_field Ground_fields[] = {
    {"cells", COSM_FIELD_U8, offsetof(Ground, cells), {256, 0, 0, 0}, 0, 0,
     &Tile_labels, 0.0, 0.0, NULL,
     NULL, NULL, false},
};

cosm_singleton_type Ground_type = {
    {"Ground", sizeof(Ground), COSM_ALIGNOF(Ground), NULL, Ground_fields, 1,
     "What is on each cell of a world. The border is wall, so that nothing looks past it.", "Ground"},
    0};

COSM_GEN_SAW(sizeof(Tally) == 20 && COSM_ALIGNOF(Tally) == 4);
COSM_GEN_SAW(offsetof(Tally, agents) == 0 && sizeof(((Tally *)0)->agents) == 4);
COSM_GEN_SAW(offsetof(Tally, food) == 4 && sizeof(((Tally *)0)->food) == 4);
COSM_GEN_SAW(offsetof(Tally, eaten) == 8 && sizeof(((Tally *)0)->eaten) == 4);
COSM_GEN_SAW(offsetof(Tally, born) == 12 && sizeof(((Tally *)0)->born) == 4);
COSM_GEN_SAW(offsetof(Tally, starved) == 16 && sizeof(((Tally *)0)->starved) == 4);

static const cosm_field Tally_fields[] = {
    {"agents", COSM_FIELD_U32, offsetof(Tally, agents), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     "alive, counting those that commands are about to spawn", NULL, false},
    {"food", COSM_FIELD_U32, offsetof(Tally, food), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     "likewise", NULL, false},
    {"eaten", COSM_FIELD_U32, offsetof(Tally, eaten), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     "all three since the beginning", NULL, false},
    {"born", COSM_FIELD_U32, offsetof(Tally, born), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, NULL, false},
    {"starved", COSM_FIELD_U32, offsetof(Tally, starved), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, NULL, false},
};

cosm_singleton_type Tally_type = {
    {"Tally", sizeof(Tally), COSM_ALIGNOF(Tally), NULL, Tally_fields, 5,
     "How a world has fared so far.", "Tally"},
    0};

cosm_result grid_register_all(cosm_engine *engine) {
    bool done = true;
    done = done && cosm_component_register(engine, &Cell_type).id != 0;
    done = done && cosm_component_register(engine, &Energy_type).id != 0;
    done = done && cosm_component_register(engine, &Heading_type).id != 0;
    done = done && cosm_component_register(engine, &Season_type).id != 0;
    done = done && cosm_component_register(engine, &Bite_type).id != 0;
    done = done && cosm_component_register(engine, &Edible_type).id != 0;
    done = done && cosm_singleton_register(engine, &Ground_type).id != 0;
    done = done && cosm_singleton_register(engine, &Tally_type).id != 0;
    return done ? COSM_OK : cosm_error_result();
}
