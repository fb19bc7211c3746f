// The components of docs.h, described: made by cosm-gen, not to be edited.
// clang-format off
#include "docs.cosm.h"

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#define COSM_GEN_SAW(what) \
    static_assert(what, "docs.h is not as cosm-gen saw it; run cosm-gen again")

COSM_GEN_SAW(sizeof(Notes) == 80 && COSM_ALIGNOF(Notes) == 4);
COSM_GEN_SAW(offsetof(Notes, above) == 0 && sizeof(((Notes *)0)->above) == 4);
COSM_GEN_SAW(offsetof(Notes, behind) == 4 && sizeof(((Notes *)0)->behind) == 4);
COSM_GEN_SAW(offsetof(Notes, beside) == 8 && sizeof(((Notes *)0)->beside) == 4);
COSM_GEN_SAW(offsetof(Notes, next) == 12 && sizeof(((Notes *)0)->next) == 4);
COSM_GEN_SAW(offsetof(Notes, first) == 16 && sizeof(((Notes *)0)->first) == 4);
COSM_GEN_SAW(offsetof(Notes, second) == 20 && sizeof(((Notes *)0)->second) == 4);
COSM_GEN_SAW(offsetof(Notes, slashes) == 24 && sizeof(((Notes *)0)->slashes) == 4);
COSM_GEN_SAW(offsetof(Notes, angle) == 28 && sizeof(((Notes *)0)->angle) == 4);
COSM_GEN_SAW(offsetof(Notes, block_angle) == 32 && sizeof(((Notes *)0)->block_angle) == 4);
COSM_GEN_SAW(offsetof(Notes, better) == 36 && sizeof(((Notes *)0)->better) == 4);
COSM_GEN_SAW(offsetof(Notes, none) == 40 && sizeof(((Notes *)0)->none) == 4);
COSM_GEN_SAW(offsetof(Notes, ruled) == 44 && sizeof(((Notes *)0)->ruled) == 4);
COSM_GEN_SAW(offsetof(Notes, order) == 48 && sizeof(((Notes *)0)->order) == 4);
COSM_GEN_SAW(offsetof(Notes, quotes) == 52 && sizeof(((Notes *)0)->quotes) == 4);
COSM_GEN_SAW(offsetof(Notes, nested.x) == 56 && sizeof(((Notes *)0)->nested.x) == 4);
COSM_GEN_SAW(offsetof(Notes, nested.y) == 60 && sizeof(((Notes *)0)->nested.y) == 4);
COSM_GEN_SAW(offsetof(Notes, other.z) == 64 && sizeof(((Notes *)0)->other.z) == 4);
COSM_GEN_SAW(offsetof(Notes, arr) == 68 && sizeof(((Notes *)0)->arr) == 8);
COSM_GEN_SAW(offsetof(Notes, tab) == 76 && sizeof(((Notes *)0)->tab) == 4);

static const cosm_field Notes_fields[] = {
    {"above", COSM_FIELD_I32, offsetof(Notes, above), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     "Above.", NULL, false},
    {"behind", COSM_FIELD_I32, offsetof(Notes, behind), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     "Behind, over two lines.", NULL, false},
    {"beside", COSM_FIELD_I32, offsetof(Notes, beside), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     "Behind.", NULL, false},
    {"next", COSM_FIELD_I32, offsetof(Notes, next), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     "In a block.", NULL, false},
    {"first", COSM_FIELD_I32, offsetof(Notes, first), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     "For both.", NULL, false},
    {"second", COSM_FIELD_I32, offsetof(Notes, second), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     "For both.", NULL, false},
    {"slashes", COSM_FIELD_I32, offsetof(Notes, slashes), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     "Of three slashes, in two\nparagraphs.", NULL, false},
    {"angle", COSM_FIELD_I32, offsetof(Notes, angle), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     "With an angle.", NULL, false},
    {"block_angle", COSM_FIELD_I32, offsetof(Notes, block_angle), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     "Also with one.", NULL, false},
    {"better", COSM_FIELD_I32, offsetof(Notes, better), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     "but this one.", NULL, false},
    {"none", COSM_FIELD_I32, offsetof(Notes, none), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, NULL, false},
    {"ruled", COSM_FIELD_I32, offsetof(Notes, ruled), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, NULL, false},
    {"order", COSM_FIELD_I32, offsetof(Notes, order), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     NULL, NULL, false},
    {"quotes", COSM_FIELD_I32, offsetof(Notes, quotes), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     "\"quotes\", \\backslash, ?\?= and */ too", NULL, false},
    {"nested.x", COSM_FIELD_I32, offsetof(Notes, nested.x), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     "inherited", NULL, false},
    {"nested.y", COSM_FIELD_I32, offsetof(Notes, nested.y), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     "inherited", NULL, false},
    {"other.z", COSM_FIELD_I32, offsetof(Notes, other.z), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     "of its own", NULL, false},
    {"arr", COSM_FIELD_I32, offsetof(Notes, arr), {2, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     "here", NULL, false},
    {"tab", COSM_FIELD_I32, offsetof(Notes, tab), {0, 0, 0, 0}, 0, 0,
     NULL, 0.0, 0.0, NULL,
     "behind a tab", NULL, false},
};

cosm_component_type Notes_type = {
    {"Notes", sizeof(Notes), COSM_ALIGNOF(Notes), NULL, COSM_LAYOUT_STRUCT, Notes_fields, 19,
     "A doc with stars, and a backslash at its end \\",
     COSM_STORAGE_COLUMN, {NULL, NULL, NULL, NULL, NULL, NULL, NULL}, false, "Notes"},
    0};

cosm_component_type Above_type = {
    {"Above", 0, 1, NULL, COSM_LAYOUT_STRUCT, NULL, 0,
     "Of a tag.",
     COSM_STORAGE_COLUMN, {NULL, NULL, NULL, NULL, NULL, NULL, NULL}, false, "Above"},
    0};

cosm_component_type Behind_type = {
    {"Behind", 0, 1, NULL, COSM_LAYOUT_STRUCT, NULL, 0,
     "Behind a tag.",
     COSM_STORAGE_COLUMN, {NULL, NULL, NULL, NULL, NULL, NULL, NULL}, false, "Behind"},
    0};

cosm_result docs_register_all(cosm_engine *engine) {
    bool done = true;
    done = done && cosm_component_register(engine, &Notes_type).id != 0;
    done = done && cosm_component_register(engine, &Above_type).id != 0;
    done = done && cosm_component_register(engine, &Behind_type).id != 0;
    return done ? COSM_OK : cosm_error_result();
}
